//! One noun, one meaning: a public type of the model has its term in docs/glossary.md, or its name is a standard term.
//!
//! Checked in both directions: a new type needs a row below, and a row of a type that is gone must be removed.

use super::Finding;
use crate::rust;
use crate::tree::Tree;

const PAGE: &str = "docs/glossary.md";
const MODEL: &str = "crates/model/src/";

/// A type, and the glossary's word for it.
const WORDS: &[(&str, &str)] = &[
    ("Actor", "actor"),
    ("AgentId", "agent"),
    ("BlockKind", "block"),
    ("Cadence", "cadence"),
    ("Domain", "domain"),
    ("DreamEngine", "dream engine"),
    ("Edge", "edge"),
    ("EdgeType", "edge"),
    ("Consolidation", "consolidation"),
    ("FactStatus", "fact"),
    ("HomeId", "home"),
    ("MethodClass", "method"),
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
    ("SettlementDecision", "settlement"),
    ("FactSource", "source"),
    ("ProfileKey", "user profile"),
    ("When", "belief"),
    ("HistoryPlace", "history"),
    ("Inject", "prompt"),
    ("WriteMode", "write mode"),
    ("Layout", "layout"),
    ("Place", "place"),
    ("Profile", "profile"),
    ("ProjectName", "project"),
    ("RoomId", "room"),
    ("TurnKey", "turn key"),
    ("SafeName", "safe name"),
    ("Scope", "scope"),
    ("SessionId", "session"),
    ("AgentsMd", "host"),
    ("Host", "host"),
    ("Taint", "taint"),
    ("StateFile", "state file"),
    ("FileClass", "file category"),
    ("Audience", "visible set"),
];

/// Types whose name is a standard term, which the glossary does not explain.
const STANDARD: &[&str] = &[
    "Advice", "Category", "ChatModel", "Clear", "Clock", "Code", "CodeSpec", "CompleteError", "Completer",
    "Completion", "Content", "Conversation", "Day", "Deed", "EmbedError", "Embedder", "Entity", "EntityKind",
    "Entropy", "Entry", "FileKind", "FileSpec", "FileWrite", "Files", "Hint", "Intent", "Invariant",
    "InvisibleKind", "InvisibleRun", "Listing", "Marker", "ModelName", "Op", "OpLog", "OpNumber", "Oversize",
    "Question", "Recalling", "Reply", "Reranker", "Settled", "SkipReason", "Skipped", "Snapshot", "Span",
    "Staged", "Stamp", "Step", "TokenCounter", "Tool", "ToolCall", "ToolResult", "TraceId", "Usage", "Watch",
    "Written",
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
                None if STANDARD.contains(&noun.as_str()) => None,
                None if EXCEPTIONS.iter().any(|(known, _)| *known == noun) => None,
                None => Some(format!(
                    "`{noun}` has no word: add it to {PAGE} and to WORDS in xtask's nouns.rs, or to STANDARD."
                )),
            };
            findings.extend(says.map(|says| Finding::file(path, says)));
            found.push(noun);
        }
    }
    let rows = WORDS.iter().chain(EXCEPTIONS).map(|(name, _)| *name).chain(STANDARD.iter().copied());
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
