//! Hashes of texts: recalled, rated and promoted passages; marks of entries; turns of a session.
//!
//! A short text can be guessed from its hash, so its hash is removed with it. Invariant: the remaining texts keep
//! their hashes.

use std::collections::HashSet;

use inwit_markdown::parse;
use inwit_model::watch::unwatched;
use inwit_model::{FileKind, Place, SafeName, Sha256};
use inwit_store::memory::KnownTexts;
use inwit_store::{SetKey, TextKey};
use inwit_workspace::ScopedReader as _;

use super::Matcher;
use crate::core::forgotten::passage_hashes;
use crate::learning::dream::bullet::bullets_of;
use crate::learning::dreaming::bullet_hash;
use crate::notes::{heartbeat, line_project, trust};
use crate::{Agent, EngineError};

impl Agent {
    /// Adds the hashes of the notes, and the marks of the texts themselves.
    pub(super) fn know_what_stands(
        &self,
        wording: &Matcher,
        known: &mut KnownTexts,
    ) -> Result<(), EngineError> {
        known.marks.extend(wording.texts().iter().flat_map(|text| trust::hashes(text).collect::<Vec<_>>()));
        for name in self.core.workspace.private().list()?.entries.into_iter().map(|entry| entry.name) {
            let Some(content) = self.forgettable(&name)? else { continue };
            known.passages.extend(passage_hashes(&content.bytes));
            known.bullets.extend(bullets_of(&content.bytes).iter().map(|bullet| bullet_hash(&bullet.text)));
            // A mark that another text shares stays.
            let stand = self.marks_of(&name, &content.bytes);
            known.marks.retain(|mark| !stand.contains(mark));
        }
        known.keys.extend(self.standing_keys()?);
        Ok(())
    }

    /// The marks that the content of a file may have.
    pub(super) fn marks_of(&self, name: &SafeName, bytes: &[u8]) -> HashSet<Sha256> {
        let mut marks: HashSet<Sha256> = self.core.possible_vouchers(name, bytes).collect();
        marks.extend(line_project::hashes(name, bytes));
        match Place::of(name) {
            Some(Place::Journal(_) | Place::RoomMemory { .. }) => {
                for part in trust::parts(bytes) {
                    marks.extend(trust::hashes(&String::from_utf8_lossy(&bytes[part])));
                }
            }
            Some(Place::File(FileKind::Heartbeat)) => {
                marks.extend(heartbeat::noted(bytes).iter().flat_map(|noted| trust::hash_of(&noted.words)));
            }
            _ => {}
        }
        marks
    }

    /// The passages of notes with the exact text.
    pub fn passages_holding(&self, wording: &Matcher) -> Result<Vec<String>, EngineError> {
        let mut found = Vec::new();
        for name in self.core.workspace.private().list()?.entries.into_iter().map(|entry| entry.name) {
            let Some(content) = self.forgettable(&name)?.filter(|content| wording.stands_in(&content.bytes))
            else {
                continue;
            };
            let document = parse(&content.bytes);
            let texts = document
                .passages
                .iter()
                .chain(&document.bare)
                .map(|passage| document.text(&passage.span).into_owned());
            found.extend(texts.filter(|text| wording.stands_in(text.as_bytes())));
        }
        Ok(found)
    }

    /// The keys of all current texts: notes in each scope, and facts. A vector cache drops all others. Errors: those
    /// of reading the notes.
    pub fn standing_keys(&self) -> Result<Vec<TextKey>, EngineError> {
        let mut keys = match self.core.memory_if_made()? {
            Some(memory) => memory.kept_fact_keys()?,
            None => Vec::new(),
        };
        for scope in self.notes.searched_scopes()? {
            let set = SetKey::of(&scope);
            self.core.on_fresh_index(&self.core.view(&scope), &mut unwatched, &mut |index, _| {
                keys.extend(index.snapshot(&set)?.corpus().keys.iter().copied());
                Ok(())
            })?;
        }
        Ok(keys)
    }
}
