//! An area of the engine uses the areas before it, never a later one.
//!
//! An area is a folder of `crates/engine/src`; files beside the folders may use all of them. A root name counts for
//! the area that `lib.rs` re-exports it from. Invariant: every `crate::` and `super::` path out of a folder is
//! checked, in tests too; calls through an area's own fields are left to the compiler.

use std::collections::BTreeMap;

use super::Finding;
use crate::tokens::{self, Kind, Token};
use crate::tree::Tree;

/// Where the areas lie.
const ENGINE: &str = "crates/engine/src/";

/// The areas in their order: each may know those before it.
const AREAS: &[&str] = &["core", "history", "notes", "facts", "learning", "sessions"];

/// Whose the names are that are no area's: no area may know them.
const WHOLE: &str = "what looks at all areas";

/// Holds the sources of the engine against the order.
pub fn check(tree: &Tree) -> Result<Vec<Finding>, String> {
    let Some(root) = tree.text(&format!("{ENGINE}lib.rs")) else { return Ok(Vec::new()) };
    let names = names_of(root);
    let mut findings = Vec::new();
    for (at, area) in AREAS.iter().enumerate() {
        let folder = format!("{ENGINE}{area}/");
        let mut sources = tree.sources().filter(|(path, _)| path.starts_with(&folder)).peekable();
        if sources.peek().is_none() {
            findings
                .push(Finding::file(&folder, format!("The area `{area}` is gone; take it out of AREAS.")));
        }
        for (path, text) in sources {
            for (line, name) in roots(path, &tokens::of(text)) {
                let Some(other) = names.get(name) else { continue };
                if AREAS.iter().position(|area| area == other).is_none_or(|other| other > at) {
                    let whose = match *other {
                        WHOLE => "which uses all areas".to_owned(),
                        other if other == name => "a later area".to_owned(),
                        other => format!("of the later area `{other}`"),
                    };
                    let says = format!("`{area}` must not use `{name}`, {whose}.");
                    findings.push(Finding::line(path, line, says));
                }
            }
        }
    }
    Ok(findings)
}

/// The area of each root name, or [`WHOLE`]. Names of other crates have none.
fn names_of(root: &str) -> BTreeMap<&str, &str> {
    let tokens = tokens::of(root);
    let mut modules: BTreeMap<&str, &str> = BTreeMap::new();
    for two in tokens.windows(2).filter(|two| two[0].is("mod")) {
        let area = AREAS.iter().find(|area| two[1].is(area)).copied();
        modules.insert(two[1].text, area.unwrap_or(WHOLE));
    }
    let mut names = modules.clone();
    for (at, _) in tokens.iter().enumerate().filter(|(_, token)| token.is("use")) {
        let end =
            tokens[at..].iter().position(|token| token.is(";")).map_or(tokens.len(), |length| at + length);
        let mut path = tokens[at + 1..end].iter().filter(|token| token.kind == Kind::Word);
        let first = path.clone().find(|token| !token.is("crate") && !token.is("self"));
        let Some(area) = first.and_then(|first| modules.get(first.text)) else { continue };
        // Types and functions that are taken over; modules on the way to them are no names of the root.
        let taken = path.by_ref().filter(|token| !modules.contains_key(token.text));
        taken.for_each(|token| {
            names.entry(token.text).or_insert(area);
        });
    }
    names
}

/// The names of the root that a source at `path` says, each with its line: behind `crate::`, in a group too, or behind as
/// many `super::` as lead there.
fn roots<'a>(path: &str, tokens: &[Token<'a>]) -> Vec<(usize, &'a str)> {
    let inside = path.strip_prefix(ENGINE).unwrap_or(path);
    let depth = inside.trim_end_matches("/mod.rs").split('/').count();
    let is_joint = |at: usize| [at, at + 1].iter().all(|at| tokens.get(*at).is_some_and(|one| one.is(":")));
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        let mut next = at;
        if tokens[at].is("crate") && is_joint(at + 1) {
            next = at + 3;
        } else if tokens[at].is("super") && (at < 3 || !tokens[at - 3].is("super")) {
            let mut climbed = 0;
            while tokens.get(next).is_some_and(|token| token.is("super")) && is_joint(next + 1) {
                (climbed, next) = (climbed + 1, next + 3);
            }
            if climbed < depth {
                continue;
            }
        }
        if next > at {
            found.extend(heads(&tokens[next..]).map(|token| (token.line, token.text)));
        }
    }
    found
}

/// The first word of a path, or of each path in a group.
fn heads<'t, 'a>(tokens: &'t [Token<'a>]) -> impl Iterator<Item = &'t Token<'a>> {
    let is_group = tokens.first().is_some_and(|token| token.is("{"));
    let mut depth = 0_usize;
    let mut heads = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if token.is("{") {
            depth += 1;
        } else if token.is("}") {
            depth = depth.saturating_sub(1);
        } else if token.kind == Kind::Word
            && (at == 0 || depth == 1 && ["{", ","].iter().any(|mark| tokens[at - 1].is(mark)))
        {
            heads.push(token);
        }
        if depth == 0 || !is_group {
            break;
        }
    }
    heads.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::planted;

    const ROOT: &str = "pub mod agent;\npub mod core;\npub mod facts;\npub mod history;\npub mod learning;\npub mod notes;\n\
                        pub mod sessions;\n\npub use crate::core::error::EngineError;\npub use agent::Agent;\npub use notes::Notes;\n\
                        pub use notes::search::{Answer, Hit};\npub use other::Elsewhere;\n";

    /// What is found in `path` with `text`, in an engine that is right otherwise.
    fn says(path: &str, text: &str) -> Vec<(String, String)> {
        let plain = AREAS.iter().map(|area| (format!("{ENGINE}{area}/mod.rs"), "//! An area.\n"));
        let mut files: BTreeMap<String, &str> = plain.collect();
        files.insert(format!("{ENGINE}lib.rs"), ROOT);
        files.insert(format!("{ENGINE}{path}"), text);
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        let (_folder, tree) = planted(&files);
        let found = check(&tree).expect("asked").into_iter();
        found.map(|finding| (finding.at.replace(ENGINE, ""), finding.says)).collect()
    }

    #[test]
    fn an_edge_against_the_order_is_found() {
        let found = says("notes/get.rs", "use crate::core::sync;\n\nuse crate::sessions::prompt::fit;\n");
        let said = "`notes` must not use `sessions`, a later area.".to_owned();
        assert_eq!(found, [("notes/get.rs:3".to_owned(), said)]);
        for (path, text) in [
            ("core/mask.rs", "fn mask() { crate::notes::search::rank() }\n"),
            ("core/mask.rs", "use crate::{EngineError, notes::{search, get}};\n"),
            ("core/mask.rs", "use crate::{EngineError, Notes};\n"),
            ("core/mod.rs", "use crate::Hit;\n"),
            ("history/flush.rs", "#[cfg(test)]\nmod tests { use crate::notes; }\n"),
            ("facts/look.rs", "use super::super::learning::feedback;\n"),
            ("facts/mod.rs", "use super::learning;\n"),
            ("sessions/hook/pack.rs", "fn pack(agent: &crate::Agent) {}\n"),
            ("sessions/mod.rs", "use crate::agent::Parts;\n"),
        ] {
            assert_eq!(says(path, text).len(), 1, "{path}: {text}");
        }
    }

    #[test]
    fn what_an_area_stands_on_it_may_know_and_the_whole_knows_all() {
        for (path, text) in [
            ("notes/get.rs", "use crate::{EngineError, Notes, core::{sync, mask}, history::past};\n"),
            ("notes/search/rank.rs", "use super::super::veil;\nuse super::sessions;\n"),
            ("sessions/mod.rs", "use crate::notes::Notes;\nuse crate::Elsewhere;\n"),
            ("core/mask.rs", "//! Not [`crate::notes`].\nconst NAME: &str = \"crate::notes\";\n"),
            ("doctor.rs", "use crate::{Agent, Notes, sessions};\n"),
        ] {
            assert_eq!(says(path, text), [], "{path}: {text}");
        }
    }

    #[test]
    fn an_area_that_is_gone_is_found() {
        let (_folder, tree) = planted(&[
            ("crates/engine/src/lib.rs", ROOT),
            ("crates/engine/src/core/mod.rs", "//! An area.\n"),
        ]);
        assert_eq!(check(&tree).expect("asked").len(), AREAS.len() - 1);
    }
}
