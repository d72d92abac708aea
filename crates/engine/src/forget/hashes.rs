//! What is known by a hash: passages that were recalled, rated, promoted; marks of entries; turns of a session.
//!
//! A short text is guessed from its hash, so a hash goes when its text does. Invariant: what stands after the words
//! went is known by what it is known by before.

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
    /// Adds what stands in the notes, and the marks of the words themselves, to what is known.
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
            // A mark that something else is known by as well stays.
            let stand = self.marks_of(&name, &content.bytes);
            known.marks.retain(|mark| !stand.contains(mark));
        }
        known.keys.extend(self.standing_keys()?);
        Ok(())
    }

    /// The marks that what stands in a file may be known by.
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

    /// The passages of notes in which the words stand, to the letter.
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

    /// The keys of all texts that stand now: those of notes in each scope, and of facts. By them a cache of vectors
    /// lets go of all others. Errors: those of looking at the notes.
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
