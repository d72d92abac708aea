//! One noun, one meaning: a public type of the model has its word in docs/glossary.md.
//!
//! The table below joins the two; it is held in both directions, so a new type asks for its word
//! and a type that is gone takes its row along.

use super::Finding;
use crate::rust;
use crate::tree::Tree;

const PAGE: &str = "docs/glossary.md";
const MODEL: &str = "crates/model/src/";

/// A type, and the glossary's word for it.
const WORDS: &[(&str, &str)] = &[
    ("Actor", "actor"),
    ("Advice", "hint"),
    ("AgentId", "agent"),
    ("BlockKind", "block"),
    ("Cadence", "cadence"),
    ("Clock", "port"),
    ("Code", "code"),
    ("CodeSpec", "code"),
    ("Content", "content"),
    ("Day", "day"),
    ("Deed", "deed"),
    ("Domain", "domain"),
    ("DreamEngine", "dream engine"),
    ("Edge", "edge"),
    ("EdgeType", "edge"),
    ("Entity", "entity"),
    ("EntityKind", "entity"),
    ("EmbedError", "embedder"),
    ("Embedder", "embedder"),
    ("Entropy", "entropy"),
    ("Entry", "listing"),
    ("Clear", "hidden file"),
    ("Category", "category"),
    ("CompleteError", "completer"),
    ("Completer", "completer"),
    ("Consolidation", "consolidation"),
    ("FactStatus", "fact"),
    ("Hint", "hint"),
    ("HomeId", "home"),
    ("AssetClass", "method"),
    ("DecisionText", "decision"),
    ("Dimension", "preference"),
    ("MethodKind", "method"),
    ("MethodState", "method"),
    ("MethodText", "method"),
    ("OutcomeClass", "outcome"),
    ("OutcomeText", "outcome"),
    ("PreferenceState", "preference"),
    ("PreferenceText", "preference"),
    ("TrackRecord", "track record"),
    ("Role", "role"),
    ("Invariant", "invariant"),
    ("InvisibleKind", "invisible character"),
    ("InvisibleRun", "invisible character"),
    ("Question", "completer"),
    ("SettlementDecision", "settlement"),
    ("FactSource", "source"),
    ("ProfileKey", "user profile"),
    ("Span", "span of time"),
    ("When", "belief"),
    ("FileKind", "file"),
    ("FileSpec", "file"),
    ("Files", "port"),
    ("HistoryPlace", "history"),
    ("FileWrite", "write"),
    ("Inject", "prompt"),
    ("Recalling", "recall"),
    ("Intent", "intent"),
    ("WriteMode", "write mode"),
    ("Layout", "layout"),
    ("Listing", "listing"),
    ("Marker", "marker"),
    ("Oversize", "budget"),
    ("Op", "change"),
    ("OpLog", "operation log"),
    ("OpNumber", "operation log"),
    ("Place", "place"),
    ("Profile", "profile"),
    ("ModelName", "model"),
    ("ProjectName", "project"),
    ("RoomId", "room"),
    ("TurnKey", "turn key"),
    ("SafeName", "safe name"),
    ("Scope", "scope"),
    ("SessionId", "session"),
    ("Settled", "intent"),
    ("Skipped", "listing"),
    ("SkipReason", "listing"),
    ("Snapshot", "snapshot"),
    ("Stamp", "stamp"),
    ("Staged", "write"),
    ("AgentsMd", "host"),
    ("Host", "host"),
    ("Taint", "taint"),
    ("StateFile", "state file"),
    ("TokenCounter", "port"),
    ("FileClass", "file class"),
    ("Watch", "watch"),
    ("Written", "write"),
    ("Audience", "visible set"),
];

/// Types that need no word, and why.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("Sha256", "a word of everybody's"),
    ("Folder", "a folder, as everywhere"),
    ("IdentityForm", "a choice of two words that the settings page explains"),
    ("AgentIdError", "an error is named after the noun that failed"),
    ("FactWordError", "an error is named after the noun that failed"),
    ("FileError", "an error is named after the noun that failed"),
    ("NameError", "an error is named after the noun that failed"),
    ("TurnKeyError", "an error is named after the noun that failed"),
    ("ProjectNameError", "an error is named after the noun that failed"),
    ("ModelNameError", "an error is named after the noun that failed"),
    ("RoomIdError", "an error is named after the noun that failed"),
    ("SessionIdError", "an error is named after the noun that failed"),
    ("ScopeError", "an error is named after the noun that failed"),
];

/// Finds types without a word, words that are missing, and rows without a type.
pub fn check(tree: &Tree) -> Result<Vec<Finding>, String> {
    let glossary: Vec<&str> = tree.text(PAGE).unwrap_or_default().lines().filter_map(word).collect();
    let mut found = Vec::new();
    let mut findings = Vec::new();
    for (path, text) in tree.sources().filter(|(path, _)| path.starts_with(MODEL)) {
        for noun in rust::nouns(text) {
            let says = match WORDS.iter().find(|(known, _)| *known == noun) {
                Some((_, word)) if glossary.contains(word) => None,
                Some((_, word)) => Some(format!("`{noun}` is called “{word}”, which {PAGE} does not have.")),
                None if EXCEPTIONS.iter().any(|(known, _)| *known == noun) => None,
                None => Some(format!(
                    "`{noun}` has no word: give it one in {PAGE} and a row in xtask's nouns.rs."
                )),
            };
            findings.extend(says.map(|says| Finding::file(path, says)));
            found.push(noun);
        }
    }
    let rows = WORDS.iter().chain(EXCEPTIONS).map(|(name, _)| *name);
    let gone = rows.filter(|name| !found.iter().any(|noun| noun == name));
    findings.extend(gone.map(|name| {
        Finding::file(
            "xtask/src/tidy/nouns.rs",
            format!("The model has no `{name}` any more; take its row out."),
        )
    }));
    Ok(findings)
}

/// The word of one row of the glossary.
fn word(line: &str) -> Option<&str> {
    line.strip_prefix("| ")?.split(" |").next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::planted;

    fn says(files: &[(&str, &str)]) -> Vec<String> {
        let (_folder, tree) = planted(files);
        let findings = check(&tree).expect("checked").into_iter();
        findings.filter(|finding| finding.at.starts_with(MODEL)).map(|finding| finding.says).collect()
    }

    #[test]
    fn a_noun_without_a_row_or_without_a_word_is_found() {
        let wild = says(&[("crates/model/src/wild.rs", "pub struct Wild;\n")]);
        assert!(wild[0].starts_with("`Wild` has no word"), "{wild:?}");
        let page = ("docs/glossary.md", "| word | means |\n|---|---|\n| scope | who asks |\n");
        assert!(says(&[("crates/model/src/scope.rs", "pub enum Scope {}\n"), page]).is_empty());
        let room = says(&[("crates/model/src/id.rs", "pub struct RoomId;\n"), page]);
        assert_eq!(room, ["`RoomId` is called “room”, which docs/glossary.md does not have."]);
    }
}
