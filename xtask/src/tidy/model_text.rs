//! What stands in files reaches a model as `TextV1`, which the mask alone makes.
//!
//! A shape that is written with a field for words of files, and gives it another type, goes round the compiler. Fields that
//! are for a person are rows here. A shape that is for both readers is `<String>` where the owner reads, and nowhere else.
//! One function takes the strings of an answer for granted: it is called where an answer is done. Invariant: a row whose
//! shape has no such field any more is a finding.

use super::Finding;
use crate::tokens::{self, Token};
use crate::tree::Tree;

/// What fields for words of files are called.
const WORDS: &[&str] = &[
    "additional_context", "bullets", "content", "heading", "message_id", "prefix", "sender_id", "snippet",
    "soul_excerpt", "source_plugin", "tags", "tail", "text", "title", "top_concept_tags_7d", "user_prefix",
];

/// Shapes in which such a field has another type, and why.
const OTHERS: &[(&str, &str, &str)] = &[
    ("crates/wire/src/dream.rs", "CandidateV1", "the owner looks at dreams"),
    ("crates/wire/src/facts.rs", "FactV1", "the owner looks at facts; models have MemoryV1"),
    ("crates/wire/src/dream.rs", "DreamWhyV1", "the owner looks at dreams"),
    ("crates/wire/src/review.rs", "ReviewPartV1", "the owner looks at reviews"),
    ("crates/wire/src/foreign_api.rs", "MinaraFileV1", "masked by the server unless a person reads"),
    ("crates/wire/src/foreign_api.rs", "MindroomFileV1", "masked by the server unless a person reads"),
    ("crates/wire/src/memory_stores.rs", "StoredMemoryV1", "masked by the server unless a person reads"),
    ("crates/wire/src/memory_stores.rs", "MemoryVersionV1", "only a person reads versions"),
    ("crates/wire/src/forget.rs", "ShownV1", "the owner looks at what is to be forgotten"),
    ("crates/wire/src/forget.rs", "TooShortV1", "the owner looks at what is to be forgotten"),
    ("crates/wire/src/history.rs", "BlamedLineV1", "the owner looks at history"),
    ("crates/wire/src/history.rs", "RevisionV1", "the owner looks at history"),
];

/// Macros of `wire` whose structs are all written.
const FORMS: &[&str] = &["shape", "theirs"];

/// Where shapes are filled with what the owner alone reads, and which shapes those are.
const FOR_THE_OWNER: &[(&str, &str)] = &[
    ("crates/cli/", "every answer of the command line"),
    ("crates/wire/src/files.rs", "a file as `get` shows it, and a day"),
    ("crates/wire/src/status.rs", "the status of an agent"),
];

/// Where the text beside an answer is made of its strings.
const ANSWERED_IN: &str = "crates/mcp/src/call.rs";

/// Finds fields for words of files that are not `TextV1`.
pub fn check(tree: &Tree) -> Result<Vec<Finding>, String> {
    let mut findings = Vec::new();
    let mut used = vec![false; OTHERS.len()];
    for (path, text) in tree.sources().filter(|(path, _)| path.starts_with("crates/wire/src/")) {
        for (shape, field, line) in plain(text) {
            match OTHERS.iter().position(|(file, name, _)| *file == path && *name == shape) {
                Some(row) => used[row] = true,
                None => {
                    let says = format!(
                        "`{shape}.{field}` may hold what stands in files: make it `TextV1`, or a row here with its reason."
                    );
                    findings.push(Finding::line(path, line, says));
                }
            }
        }
    }
    for (path, text) in tree.sources().filter(|(path, _)| path.starts_with("crates/") && *path != ANSWERED_IN)
    {
        let tokens = tokens::of(text);
        let called = tokens::product(&tokens)
            .windows(4)
            .filter(|four| begins(four, &["ModelText", ":", ":", "beside"]));
        let says = "The strings of an answer are believed where the answer is done; here `made_of` takes what was masked.";
        findings.extend(called.map(|four| Finding::line(path, four[0].line, says)));
        if FOR_THE_OWNER.iter().all(|(owners, _)| !path.starts_with(owners)) {
            let says = "Only where the owner reads is this shape of what stands in files; for a model it is of `TextV1`.";
            findings.extend(for_owner(tokens::product(&tokens)).map(|line| Finding::line(path, line, says)));
        }
    }
    let gone = OTHERS.iter().zip(&used).filter(|((path, ..), used)| !**used && tree.text(path).is_some());
    findings.extend(gone.map(|((path, shape, _), _)| {
        Finding::file(path, format!("`{shape}` has a row here and no such field of another type."))
    }));
    Ok(findings)
}

/// The fields of written shapes that are called like words of files and are texts of another type: shape, field, line.
fn plain(text: &str) -> Vec<(&str, &str, usize)> {
    let tokens = tokens::of(text);
    let tokens = tokens::product(&tokens);
    let (mut found, mut is_written) = (Vec::new(), false);
    // Where the form ends in which every struct is written.
    let (mut at, mut form) = (0, 0);
    while at < tokens.len() {
        let rest = &tokens[at..];
        if begins(rest, &["derive", "("]) {
            let names = rest.iter().take_while(|token| !token.is(")"));
            is_written = names.into_iter().any(|token| token.is("Serialize"));
        } else if FORMS.iter().any(|form| begins(rest, &[form, "!", "{"])) {
            form = at + 2 + inside(&rest[2..]).len();
        } else if begins(rest, &["struct"]) || begins(rest, &["enum"]) {
            let end = rest.iter().position(|token| token.is(";") || token.is("{")).unwrap_or(rest.len());
            let body =
                rest.get(end).filter(|token| token.is("{")).map_or(&rest[..0], |_| inside(&rest[end..]));
            if (is_written || at < form)
                && let Some(shape) = rest.get(1)
            {
                found.extend(fields(body).into_iter().map(|(field, line)| (shape.text, field, line)));
            }
            is_written = false;
            at += end + body.len();
        }
        at += 1;
    }
    found
}

/// Where a shape that is for a model too is made of plain text: the lines of `ToldV1<String>` and `ToldV1::<String>`.
fn for_owner<'t>(tokens: &'t [Token<'_>]) -> impl Iterator<Item = usize> + 't {
    (0..tokens.len()).filter(|at| tokens[*at].text.ends_with("V1")).filter_map(|at| {
        let rest = &tokens[at + 1..];
        let rest = if begins(rest, &[":", ":"]) { &rest[2..] } else { rest };
        begins(rest, &["<", "String", ">"]).then_some(tokens[at].line)
    })
}

/// The fields for words whose type is `String` or `str`, in whatever stands around it; a literal holds nothing of files.
fn fields<'a>(body: &[Token<'a>]) -> Vec<(&'a str, usize)> {
    // A field that may be left out is `name?: Type`, and what it is made of stands behind `=`.
    let of_field = |at: usize| {
        let behind = at + 1 + usize::from(body.get(at + 1)?.is("?"));
        let is_field = body.get(behind)?.is(":") && !body.get(behind + 1)?.is(":");
        (is_field && WORDS.contains(&body[at].text)).then(|| &body[behind + 1..])
    };
    let mut found = Vec::new();
    for (at, rest) in (0..body.len()).filter_map(|at| Some((at, of_field(at)?))) {
        let mut open = 0;
        let of_type = rest.iter().take_while(|token| {
            open += i32::from(token.is("<")) - i32::from(token.is(">"));
            open > 0 || !token.is(",") && !token.is("=")
        });
        let words: Vec<&str> = of_type.map(|token| token.text).collect();
        let is_text = words.contains(&"String") || words.contains(&"str") && !words.contains(&"'static");
        if is_text {
            found.push((body[at].text, body[at].line));
        }
    }
    found
}

/// What stands between the first brace and its end.
fn inside<'t, 'a>(tokens: &'t [Token<'a>]) -> &'t [Token<'a>] {
    let mut open = 0;
    let end = tokens.iter().position(|token| {
        open += i32::from(token.is("{")) - i32::from(token.is("}"));
        open == 0
    });
    &tokens[..end.unwrap_or(tokens.len())]
}

fn begins(tokens: &[Token<'_>], words: &[&str]) -> bool {
    tokens.len() >= words.len() && tokens.iter().zip(words).all(|(token, word)| token.is(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::planted;

    fn found(text: &str) -> Vec<String> {
        let (_folder, tree) = planted(&[("crates/wire/src/told.rs", text)]);
        check(&tree).expect("checked").into_iter().map(|finding| finding.at).collect()
    }

    #[test]
    fn a_written_shape_with_plain_words_is_found() {
        let shape = "//! Why.\n\n#[derive(Debug, Serialize)]\n#[serde(rename_all = \"camelCase\")]\npub struct ToldV1<'a> {\n    pub path: String,\n    pub text: String,\n    pub heading: Option<&'a str>,\n    bullets: Vec<String>,\n    pub snippet: TextV1,\n    pub title: Option<TextV1>,\n    pub content: T,\n}\n";
        let lines: Vec<String> = [7, 8, 9].map(|line| format!("crates/wire/src/told.rs:{line}")).into();
        assert_eq!(found(shape), lines);
        assert_eq!(found(&shape.replace("Serialize", "Deserialize")), [""; 0]);
        let after = "//! Why.\n\n#[derive(Serialize)]\npub struct IdV1(String);\n\nfn say(text: String) {}\n\npub struct Told {\n    pub text: String,\n}\n";
        assert_eq!(found(after), [""; 0]);
    }

    #[test]
    fn plain_words_are_found_in_every_form_in_which_shapes_are_written() {
        for form in FORMS {
            let shapes = format!(
                "//! Why.\n\n{form}! {{\n    pub struct AV1 from it: &It {{\n        pub text?: Option<String> = it.text.clone(),\n        pub title: TextV1 = String::new().into(),\n        pub heading: String = it.heading(),\n    }}\n\n    #[derive(Default)]\n    pub struct BV1<T = TextV1> {{\n        pub content: T,\n        pub tags?: Vec<String>,\n    }}\n}}\n\npub struct Told {{\n    pub text: String,\n}}\n"
            );
            let lines: Vec<String> = [5, 7, 13].map(|line| format!("crates/wire/src/told.rs:{line}")).into();
            assert_eq!(found(&shapes), lines, "{form}");
        }
    }

    #[test]
    fn what_was_said_is_a_text_that_was_masked() {
        let entry = "//! Why.\n\n#[derive(Serialize)]\npub struct SaidV1<T = TextV1> {\n    pub content: T,\n    pub sender_id: Option<T>,\n    pub source_plugin: String,\n    pub top_concept_tags_7d: Option<Vec<(String, u64)>>,\n}\n";
        assert_eq!(found(entry), ["crates/wire/src/told.rs:7", "crates/wire/src/told.rs:8"]);
    }

    #[test]
    fn a_shape_of_plain_text_is_made_for_the_owner_alone() {
        let made = "//! Why.\n\nfn logs(said: &Said) -> SaidV1<String> {\n    SaidV1::<String>::from(said)\n}\n\nfn masked(said: &Said) -> SaidV1<TextV1> {\n    SaidV1::from(said)\n}\n";
        let (_folder, tree) =
            planted(&[("crates/cli/src/commands/logs.rs", made), ("crates/mcp/src/logs.rs", made)]);
        let at: Vec<String> = check(&tree).expect("checked").into_iter().map(|finding| finding.at).collect();
        assert_eq!(at, ["crates/mcp/src/logs.rs:3", "crates/mcp/src/logs.rs:4"]);
    }

    #[test]
    fn a_text_beside_an_answer_is_made_in_one_place() {
        let text =
            "//! Why.\n\nfn say(stored: &str) -> ModelText {\n    ModelText::beside(&json, stored)\n}\n";
        let (_folder, tree) = planted(&[("crates/mcp/src/call.rs", text), ("crates/web/src/page.rs", text)]);
        let at: Vec<String> = check(&tree).expect("checked").into_iter().map(|finding| finding.at).collect();
        assert_eq!(at, ["crates/web/src/page.rs:4"]);
    }

    #[test]
    fn a_row_without_such_a_field_is_found() {
        let text = "//! Why.\n\n#[derive(Serialize)]\npub struct RevisionV1 {\n    pub text: TextV1,\n}\n";
        let blamed = "\n#[derive(Serialize)]\npub struct BlamedLineV1 {\n    pub text: String,\n}\n";
        let (_folder, tree) = planted(&[("crates/wire/src/history.rs", &format!("{text}{blamed}"))]);
        let at: Vec<String> = check(&tree).expect("checked").into_iter().map(|finding| finding.at).collect();
        assert_eq!(at, ["crates/wire/src/history.rs"]);
    }
}
