//! What a model reads of a transcript: masked words, and from whom they are.
//!
//! A transcript holds what people and tools said, and no person approved it. Invariant: no text that leaves here
//! has a finding in it, whatever was cut or marked.

use inwit_model::{Scope, Taint};
use inwit_store::TranscriptHit;
use inwit_workspace::transcripts::{Role, Said, SessionHeader};

use super::answer::SessionHit;
use crate::NamedValues;
use crate::core::mask::masked_foreign;
use crate::self_report::scan;

/// Who reads an entry.
pub(super) enum Reader {
    /// The owner, who reads what was said.
    Owner,
    /// A model, to whom these values are masked besides what the gate notices.
    Model(NamedValues),
}

impl Reader {
    /// Whether `query` finds an entry by words that its reader is shown: by others a masked value could be spelled.
    pub(super) fn finds(&self, content: &str, query: &str) -> bool {
        let shown = self.words(content.to_owned());
        let lower = shown.to_lowercase();
        let is_shown = |word: &str| lower.contains(&word.to_lowercase());
        shown == content
            || query.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).all(is_shown)
    }

    /// `text` as it is read.
    fn words(&self, text: String) -> String {
        match self {
            Self::Owner => text,
            Self::Model(named) => masked_foreign(&named.masked(&text)).0.into_string(),
        }
    }
}

/// An entry with all its words as its reader reads them.
pub(super) fn said(said: Said, reader: &Reader) -> Said {
    let words = |text: String| reader.words(text);
    Said {
        content: words(said.content),
        message_id: said.message_id.map(words),
        source_plugin: words(said.source_plugin),
        sender_id: said.sender_id.map(words),
        ..said
    }
}

/// The head of a transcript as its reader reads it: a host or another program wrote it.
pub(super) fn header(header: SessionHeader, reader: &Reader) -> SessionHeader {
    let words = |text: String| reader.words(text);
    SessionHeader {
        id: words(header.id),
        agent_id: words(header.agent_id),
        source_plugin: words(header.source_plugin),
        ..header
    }
}

/// From whom the words of `role` are, in a session that was held in `scope`, where that is neither the owner nor the
/// owner's own agent. An answer repeats what it answers, so in a room it is trusted no more than the members are.
pub(super) fn taint_of(role: Role, scope: &Scope) -> Option<Taint> {
    match (role, scope) {
        (Role::Tool | Role::System, _) => Some(Taint::Tool),
        (Role::User | Role::Assistant, Scope::Main) => None,
        (Role::User | Role::Assistant, _) => Some(Taint::Member),
    }
}

/// A hit of `query` in a session that was held in `scope`.
pub(super) fn hit(hit: TranscriptHit, scope: &Scope, query: &str, reader: &Reader) -> SessionHit {
    let role = Role::parse(&hit.role);
    let snippet = match (reader, hit.snippet) {
        (Reader::Owner, Some(found)) => found,
        (Reader::Owner, None) => around(&hit.content, query),
        (Reader::Model(_), found) => snippet(&hit.content, found.as_deref(), query, reader),
    };
    SessionHit {
        session: hit.session,
        timestamp: hit.timestamp,
        taint: role.map_or(Some(Taint::Tool), |role| taint_of(role, scope)),
        role: reader.words(hit.role),
        source_plugin: reader.words(hit.source_plugin),
        snippet,
    }
}

/// A snippet of masked `content`: the one that was `found` where there is nothing to mask, else one made anew,
/// since the window and the marks of the first may split what has to be masked.
fn snippet(content: &str, found: Option<&str>, query: &str, reader: &Reader) -> String {
    let masked = reader.words(content.to_owned());
    let is_clean = |text: &str| reader.words(text.to_owned()) == text;
    if let Some(found) = found.filter(|_| masked == content)
        && [found, &found.replace(['[', ']'], "")].into_iter().all(is_clean)
    {
        return found.to_owned();
    }
    let snippet = around(&masked, query);
    let unmarked = snippet.replace(['[', ']'], "");
    if is_clean(&unmarked) { reader.words(snippet) } else { reader.words(unmarked) }
}

/// The words of `content` around the question, else around one of its words, else the first ones.
fn around(content: &str, query: &str) -> String {
    let around = |needle: &str| scan::snippet(content, &needle.to_lowercase());
    let found = around(query).or_else(|| query.split_whitespace().find_map(around));
    found.unwrap_or_else(|| content.chars().take(2 * scan::AROUND_CHARS).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_trusted_as_much_as_what_it_answers() {
        for scope in [Scope::Main, Scope::Shared] {
            assert_eq!(taint_of(Role::Assistant, &scope), taint_of(Role::User, &scope), "{scope}");
        }
        assert_eq!(taint_of(Role::Assistant, &Scope::Shared), Some(Taint::Member));
    }
}
