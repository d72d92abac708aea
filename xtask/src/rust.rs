//! Parses Rust sources line by line, which is enough for our rules.
//!
//! Our sources are formatted, so an item starts on a new line with its documentation directly above. Invariant:
//! everything here could be done with `grep`.

/// A test that says which requirements it proves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The requirements.
    pub ids: Vec<String>,
    /// The function's name; empty where no function follows.
    pub test: String,
    /// The line of the claim, from 1.
    pub line: usize,
}

/// Lines that may stand between a claim and its function: more documentation, attributes.
const LINES_TO_FUNCTION_MAX: usize = 12;

/// Every `/// Proves W53, N11.` with the function below it.
pub fn claims(text: &str) -> Vec<Claim> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let mut claims = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(said) = line.strip_prefix("/// Proves ") else { continue };
        let said = said.split('.').next().unwrap_or_default().replace(" and ", ", ");
        let ids = said.split(',').map(|id| id.trim().to_owned()).collect();
        let below = lines[at + 1..].iter().take(LINES_TO_FUNCTION_MAX);
        let test = below.take_while(|line| **line != "}").find_map(|line| function(line)).unwrap_or_default();
        claims.push(Claim { ids, test, line: at + 1 });
    }
    claims
}

fn function(line: &str) -> Option<String> {
    if line.starts_with("//") {
        return None;
    }
    let rest = line.strip_prefix("pub ").unwrap_or(line).strip_prefix("fn ")?;
    Some(rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect())
}

/// A constant with its documentation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Constant {
    /// Its name.
    pub name: String,
    /// Its value as written.
    pub value: String,
    /// Its documentation on one line.
    pub about: String,
}

/// Every public constant that stands on one line.
pub fn constants(text: &str) -> Vec<Constant> {
    let mut about: Vec<&str> = Vec::new();
    let mut found = Vec::new();
    for line in text.lines() {
        if let Some(doc) = line.strip_prefix("///") {
            about.push(doc.trim());
            continue;
        }
        if let Some((name, value)) = line.strip_prefix("pub const ").and_then(|rest| rest.split_once(':'))
            && let Some((_, value)) = value.split_once('=')
        {
            let value = value.trim().trim_end_matches(';').to_owned();
            found.push(Constant { name: name.to_owned(), value, about: about.join(" ") });
        }
        about.clear();
    }
    found
}

/// Names of the public types and traits, those that the macro `words!` makes included.
pub fn nouns(text: &str) -> Vec<String> {
    let name = |rest: &str| -> String {
        rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect()
    };
    let mut found = Vec::new();
    let mut in_words = false;
    for line in text.lines() {
        let item = ["pub struct ", "pub enum ", "pub trait ", "pub type "];
        let rest = item.iter().find_map(|start| line.trim_start().strip_prefix(start));
        found.extend(rest.map(name));
        in_words |= line.starts_with("words! {");
        if in_words && line.ends_with(" {") && line.starts_with("    ") {
            found.push(name(line.trim_start()));
            in_words = false;
        }
    }
    found.retain(|name| !name.is_empty());
    found
}

/// The lines before the test module, which is what a reader of the file has to read.
pub fn lines_without_tests(text: &str) -> usize {
    let lines: Vec<&str> = text.lines().collect();
    let tests = lines.windows(2).position(|two| two[0] == "#[cfg(test)]" && two[1].starts_with("mod "));
    tests.unwrap_or(lines.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_belongs_to_the_function_below_it() {
        let text = "    /// Proves W53, N11 and X2. More words.\n    #[test]\n    fn a_lock_is_freed() {\n";
        let claim = &claims(text)[0];
        assert_eq!(claim.ids, ["W53", "N11", "X2"]);
        assert_eq!((claim.test.as_str(), claim.line), ("a_lock_is_freed", 1));
        assert_eq!(claims("/// Proves W1.\nstruct Loose;\n}\nfn far() {}\n")[0].test, "");
    }

    #[test]
    fn constants_and_nouns_are_read_with_their_names() {
        let text = "/// Largest file,\n/// in bytes.\npub const FILE_BYTES_MAX: u64 = 16 * 1024;\n";
        let constant = &constants(text)[0];
        assert_eq!((constant.name.as_str(), constant.value.as_str()), ("FILE_BYTES_MAX", "16 * 1024"));
        assert_eq!(constant.about, "Largest file, in bytes.");
        let text = "pub struct Fact;\n    pub enum $name {}\nwords! {\n    /// Doc.\n    Marker {\n        Full = 1,\n";
        assert_eq!(nouns(text), ["Fact", "Marker"]);
    }
}
