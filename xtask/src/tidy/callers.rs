//! Finds public functions that only tests call: a test of such a function proves nothing.
//!
//! Names are compared, not types: a function is found where its name stands in no other product code in
//! the form of a call. So a finding is sure, and a function that shares its name with one in use is not
//! found. Code that only tests run does not call: `#[cfg(test)]`, `tests/`, [`TEST_SUPPORT`], and the body
//! of a function that was itself found. The methods of a trait have no `pub` and are never judged.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::Finding;
use crate::tokens::{self, Kind, Token};
use crate::tree::Tree;

/// Where product code ends though no folder is called `tests`: beginnings of paths.
const TEST_SUPPORT: &[&str] =
    &["crates/testkit/", "crates/store/src/contract", "crates/store/src/memory/contract"];

/// Functions that programs outside of this repository call: the file, the name, and the reason.
const ALLOWED: &[(&str, &str, &str)] = &[];

/// Functions that a derive calls: `serde(with = "module")` names their module only.
const CALLED_BY_DERIVES: &[&str] = &["serialize", "deserialize"];

/// Finds public functions of crates that nothing in the product calls.
pub fn check(tree: &Tree) -> Result<Vec<Finding>, String> {
    Ok(found(tree, ALLOWED))
}

fn found(tree: &Tree, allowed: &[(&str, &str, &str)]) -> Vec<Finding> {
    let sources = product(tree);
    let functions: Vec<Function<'_>> =
        sources.iter().enumerate().flat_map(|(at, source)| source.functions(at)).collect();
    let names: BTreeSet<&str> = functions.iter().map(|function| function.name).collect();
    let mut calls: BTreeMap<&str, Vec<Call>> = BTreeMap::new();
    for (at, source) in sources.iter().enumerate() {
        for (name, call) in source.calls(at, &names) {
            calls.entry(name).or_default().push(call);
        }
    }
    let unused = unused(&functions, &calls);
    let is_allowed = |function: &Function<'_>| {
        allowed.iter().any(|(path, name, _)| *path == sources[function.source].path && *name == function.name)
    };
    let mut findings: Vec<Finding> = unused
        .iter()
        .filter(|function| !is_allowed(function) && !CALLED_BY_DERIVES.contains(&function.name))
        .map(|function| {
            let says = format!(
                "Nothing but tests calls `{}`: delete it, or give it a row with a reason in callers.rs.",
                function.name
            );
            Finding::line(sources[function.source].path, function.line, says)
        })
        .collect();
    let is_needed = |path: &str, name: &str| {
        unused.iter().any(|function| sources[function.source].path == path && function.name == name)
    };
    let gone = allowed.iter().filter(|(path, name, _)| !is_needed(path, name));
    findings.extend(gone.map(|(path, name, _)| {
        Finding::file(path, format!("`{name}` is gone or has a caller; take its row out of callers.rs."))
    }));
    findings
}

/// The functions without a call, where a call from a body of such a function does not count.
fn unused<'f, 's>(functions: &'f [Function<'s>], calls: &BTreeMap<&str, Vec<Call>>) -> Vec<&'f Function<'s>> {
    let mut unused: Vec<&Function<'_>> = Vec::new();
    loop {
        let is_called = |function: &Function<'_>| {
            let said = calls.get(function.name).map(Vec::as_slice).unwrap_or_default();
            said.iter().any(|call| {
                (if function.is_method { call.of_method } else { call.of_function })
                    && !function.holds(call)
                    && !unused.iter().any(|dead| dead.holds(call))
            })
        };
        let next: Vec<&Function<'_>> = functions.iter().filter(|function| !is_called(function)).collect();
        if next.len() == unused.len() {
            return next;
        }
        unused = next;
    }
}

/// The tokens of one file that belong to the product.
struct Source<'a> {
    path: &'a str,
    tokens: Vec<Token<'a>>,
}

/// One public function.
struct Function<'a> {
    name: &'a str,
    source: usize,
    line: usize,
    is_method: bool,
    /// Its tokens, from its name to the end of its body.
    span: Range<usize>,
}

impl Function<'_> {
    fn holds(&self, call: &Call) -> bool {
        self.source == call.source && self.span.contains(&call.at)
    }
}

/// A place where a name is used.
struct Call {
    source: usize,
    at: usize,
    of_method: bool,
    of_function: bool,
}

/// All sources without what only tests run.
fn product(tree: &Tree) -> Vec<Source<'_>> {
    let mut sources = Vec::new();
    let mut modules = Vec::new();
    for (path, text) in tree.sources() {
        let (tokens, of_tests) = without_tests(tokens::of(text));
        let home = match path.rsplit_once('/') {
            Some((folder, "mod.rs" | "lib.rs" | "main.rs")) => folder,
            _ => path.strip_suffix(".rs").unwrap_or(path),
        };
        modules.extend(of_tests.into_iter().map(|name| format!("{home}/{name}")));
        sources.push(Source { path, tokens });
    }
    let is_of_tests = |path: &str| {
        path.contains("/tests/")
            || TEST_SUPPORT.iter().any(|start| path.starts_with(start))
            || modules.iter().any(|module| {
                path.strip_prefix(module.as_str()).is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
            })
    };
    sources.retain(|source| !is_of_tests(source.path));
    sources
}

/// The tokens without items under `#[cfg(test)]`, and the names of such modules in files of their own.
fn without_tests(tokens: Vec<Token<'_>>) -> (Vec<Token<'_>>, Vec<&str>) {
    const MARK: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::with_capacity(tokens.len());
    let mut modules = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let is_mark = tokens.len() - at >= MARK.len()
            && tokens[at..].iter().zip(MARK).all(|(token, text)| token.is(text));
        if !is_mark {
            kept.push(tokens[at]);
            at += 1;
            continue;
        }
        let item = at + MARK.len()..end_of_item(&tokens, at + MARK.len());
        let is_in_file = item.end > item.start && tokens[item.end - 1].is(";");
        let name = tokens[item.clone()].windows(2).find(|two| two[0].is("mod")).map(|two| two[1].text);
        modules.extend(name.filter(|_| is_in_file));
        at = item.end;
    }
    (kept, modules)
}

/// The end of the item that begins at `at`: behind its `;`, or behind the brace that closes its body.
fn end_of_item(tokens: &[Token<'_>], at: usize) -> usize {
    let mut depth = 0_usize;
    for (place, token) in tokens.iter().enumerate().skip(at) {
        if ["(", "[", "{"].iter().any(|open| token.is(open)) {
            depth += 1;
        } else if [")", "]", "}"].iter().any(|close| token.is(close)) {
            // The end of what the item stands in, such as the last field of a struct.
            let Some(less) = depth.checked_sub(1) else { return place };
            depth = less;
            if depth == 0 && token.is("}") {
                return place + 1;
            }
        } else if depth == 0 && token.is(";") {
            return place + 1;
        }
    }
    tokens.len()
}

impl<'a> Source<'a> {
    /// The public functions of a crate's library or program.
    fn functions(&self, source: usize) -> Vec<Function<'a>> {
        if !self.path.starts_with("crates/") || !self.path.contains("/src/") {
            return Vec::new();
        }
        let names = (1..self.tokens.len()).filter(|at| {
            self.tokens[at - 1].is("fn") && self.tokens[*at].kind == Kind::Word && self.is_public(at - 1)
        });
        let function = |at: usize| Function {
            name: self.tokens[at].text,
            source,
            line: self.tokens[at].line,
            is_method: self.is_method(at + 1),
            span: at..end_of_item(&self.tokens, at),
        };
        names.map(function).collect()
    }

    /// Whether `pub` stands before the `fn` at `at`, over `const`, `unsafe` and the like.
    fn is_public(&self, at: usize) -> bool {
        let before = &self.tokens[..at];
        let is_word = |token: &Token<'_>| {
            ["const", "async", "unsafe", "extern"].iter().any(|word| token.is(word))
                || token.kind == Kind::Text
        };
        let end = before.iter().rposition(|token| !is_word(token)).map_or(0, |last| last + 1);
        let before = &before[..end];
        let Some(last) = before.last() else { return false };
        if !last.is(")") {
            return last.is("pub");
        }
        let open = before.iter().rposition(|token| token.is("(")).unwrap_or_default();
        open > 0 && before[open - 1].is("pub")
    }

    /// Whether a function whose name ends before `at` takes `self`.
    fn is_method(&self, at: usize) -> bool {
        let mut depth = 0_usize;
        let mut at = at;
        while let Some(token) = self.tokens.get(at) {
            let is_arrow = at > 0 && ["-", "="].iter().any(|mark| self.tokens[at - 1].is(mark));
            if token.is("<") {
                depth += 1;
            } else if token.is(">") && !is_arrow {
                depth = depth.saturating_sub(1);
            } else if depth == 0 && token.is("(") {
                break;
            }
            at += 1;
        }
        let is_before_self = |token: &&Token<'_>| {
            token.is("&") || token.is("mut") || (token.kind == Kind::Mark && token.text.starts_with('\''))
        };
        let first = self.tokens.iter().skip(at + 1).find(|token| !is_before_self(token));
        first.is_some_and(|token| token.is("self"))
    }

    /// Every use of one of `names`, definitions and imports apart.
    fn calls(&self, source: usize, names: &BTreeSet<&'a str>) -> Vec<(&'a str, Call)> {
        let mut calls = Vec::new();
        let (mut import_end, mut attribute_end) = (0, 0);
        for (at, token) in self.tokens.iter().enumerate() {
            let text = |ahead: usize| self.tokens.get(at + ahead).map_or("", |token| token.text);
            let back = |behind: usize| at.checked_sub(behind).map_or("", |at| self.tokens[at].text);
            if token.is("use") && text(1) != "<" {
                let rest = self.tokens[at..].iter().position(|token| token.is(";"));
                import_end = rest.map_or(self.tokens.len(), |length| at + length);
            }
            if token.is("#") && (text(1) == "[" || text(1) == "!" && text(2) == "[") {
                attribute_end = self.end_of_attribute(at);
            }
            let word = match token.kind {
                Kind::Mark => continue,
                Kind::Word => token.text,
                // `#[serde(default = "path::to_function")]`
                Kind::Text => token.text.rsplit("::").next().unwrap_or_default(),
            };
            let Some(name) = names.get(word) else { continue };
            let (of_method, of_function) = if token.kind == Kind::Text {
                (false, at < attribute_end)
            } else if at < import_end {
                (text(1) == "as", text(1) == "as")
            } else if back(1) == "." && back(2) != "." {
                (text(1) == "(" || text(1) == ":", false)
            } else if back(1) == ":" && back(2) == ":" {
                (true, true)
            } else {
                let is_field = text(1) == ":" && text(2) != ":";
                let is_new =
                    ["fn", "let", "mut", "struct", "enum", "mod", "trait", "type", "const", "static"];
                (false, !is_field && !is_new.contains(&back(1)))
            };
            if of_method || of_function {
                calls.push((*name, Call { source, at, of_method, of_function }));
            }
        }
        calls
    }

    /// Behind the `]` of the attribute that begins at `at`.
    fn end_of_attribute(&self, at: usize) -> usize {
        let mut depth = 0_usize;
        for (place, token) in self.tokens.iter().enumerate().skip(at) {
            if token.is("[") {
                depth += 1;
            } else if token.is("]") {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return place + 1;
                }
            }
        }
        self.tokens.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::planted;

    /// The names that are found in `crates/a/src/lib.rs` with `text`, beside other files.
    fn names(text: &str, others: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<(&str, &str)> =
            [("crates/a/src/lib.rs", text)].into_iter().chain(others.to_vec()).collect();
        let (_folder, tree) = planted(&files);
        let findings = found(&tree, &[]);
        let name = |finding: Finding| finding.says.split('`').nth(1).unwrap_or_default().to_owned();
        findings.into_iter().map(name).collect()
    }

    #[test]
    fn a_function_that_only_tests_call_is_found() {
        let text = "pub fn dead() {}\n#[cfg(test)]\nmod tests {\n    fn t() { super::dead() }\n}\n";
        assert_eq!(names(text, &[]), ["dead"]);
        for test in ["crates/a/tests/it/main.rs", "crates/testkit/src/lib.rs", "crates/a/src/proofs/some.rs"]
        {
            let text = "pub fn dead() {}\n#[cfg(test)]\nmod proofs;\n";
            assert_eq!(names(text, &[(test, "fn t() { a::dead() }")]), ["dead"], "{test}");
        }
        let (_folder, tree) = planted(&[("crates/a/src/lib.rs", "\npub(crate) const fn dead() {}\n")]);
        assert_eq!(found(&tree, &[])[0].at, "crates/a/src/lib.rs:2");
    }

    #[test]
    fn a_call_from_any_product_code_is_enough() {
        for user in ["crates/b/src/lib.rs", "benches/src/main.rs", "soak/src/main.rs", "xtask/src/main.rs"] {
            for call in ["fn u() { dead(1) }", "fn u() { a::dead::<u8>(1) }", "fn u() { x.map(dead) }"] {
                assert_eq!(names("pub fn dead(x: u8) {}\n", &[(user, call)]), [""; 0], "{user}: {call}");
            }
        }
        assert_eq!(names("pub fn dead() {}\n", &[("crates/b/src/c.rs", "use a::dead as alive;")]), [""; 0]);
        let hook = "#[serde(default = \"crate::dead\")]\nstruct S;\n";
        assert_eq!(names("pub fn dead() {}\n", &[("crates/b/src/c.rs", hook)]), [""; 0]);
    }

    #[test]
    fn what_is_no_call_is_not_enough() {
        for other in [
            "pub use a::dead;",
            "// dead()\nfn u() { say(\"dead()\") }",
            "struct S { dead: u8 }\nfn u(s: S) -> u8 { s.dead }",
            "fn u() { x.dead() }",
            "trait T { fn dead(&self); }",
        ] {
            assert_eq!(names("pub fn dead() {}\n", &[("crates/b/src/c.rs", other)]), ["dead"], "{other}");
        }
    }

    #[test]
    fn methods_are_called_with_a_dot_or_by_path() {
        let text = "impl S {\n    pub fn dead<F: Fn() -> u8>(&'a mut self, f: F) {}\n}\n";
        for call in ["fn u() { s.dead(f) }", "fn u() { s.dead::<F>(f) }", "fn u() { x.map(S::dead) }"] {
            assert_eq!(names(text, &[("crates/b/src/c.rs", call)]), [""; 0], "{call}");
        }
        for other in ["fn u() { dead(f) }", "fn u() { s.dead }", "fn u() { 0..dead }"] {
            assert_eq!(names(text, &[("crates/b/src/c.rs", other)]), ["dead"], "{other}");
        }
    }

    #[test]
    fn a_function_that_is_found_calls_nothing_and_nobody_calls_itself() {
        let text = "pub fn first() { second() }\npub fn second() { third() }\npub fn third() { third() }\n";
        assert_eq!(names(text, &[]), ["first", "second", "third"]);
        assert_eq!(names(&format!("{text}fn main() {{ first() }}\n"), &[]), [""; 0]);
    }

    #[test]
    fn trait_methods_private_functions_and_macros_are_not_judged() {
        let text = "impl Drop for S {\n    fn drop(&mut self) {}\n}\nfn private() {}\nfn main() {}\n\
                    macro_rules! m { ($name:ident) => { pub fn $name() {} } }\n";
        assert_eq!(names(text, &[]), [""; 0]);
    }

    #[test]
    fn an_allowed_function_has_its_row_and_a_row_has_its_function() {
        let (_folder, tree) = planted(&[("crates/a/src/lib.rs", "pub fn open() {}\n")]);
        let row = |name| ("crates/a/src/lib.rs", name, "a program of others calls it");
        assert!(found(&tree, &[row("open")]).is_empty());
        let gone = found(&tree, &[row("open"), row("shut")]);
        assert_eq!(gone.len(), 1);
        assert!(gone[0].says.starts_with("`shut` is gone or has a caller"), "{gone:?}");
    }
}
