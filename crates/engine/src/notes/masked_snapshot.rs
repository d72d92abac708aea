//! Masked texts of passages, for computations of a search.
//!
//! Most files have nothing masked and are not read again. In the others, expressions, similarity and length use the
//! masked text, so that no result depends on hidden text.

use std::borrow::Cow;
use std::collections::HashMap;

use inwit_model::{SafeName, Scope};
use inwit_recall::ShownAs;
use inwit_store::{IndexError, Snapshot, StoredPassage};
use inwit_workspace::{ScopedReader as _, View};

use crate::Notes;
use crate::core::mask::{Masked, MaskedFile, ModelText, Titles};
use crate::core::scan_version::CLEAN_BY;

/// The passages of `snapshot`, masked for one scope.
pub(crate) struct MaskedSnapshot<'a> {
    notes: &'a Notes,
    view: View,
    snapshot: &'a dyn Snapshot,
    /// Masked passages by position, for files read so far.
    shown: HashMap<u32, ShownAs>,
    /// First positions of the files read.
    looked_at: Vec<u32>,
}

impl<'a> MaskedSnapshot<'a> {
    /// Reads nothing yet.
    pub(crate) fn over(notes: &'a Notes, scope: &Scope, snapshot: &'a dyn Snapshot) -> Self {
        Self { notes, view: notes.core.view(scope), snapshot, shown: HashMap::new(), looked_at: Vec::new() }
    }

    /// All passages of files with masked text. Error: `index_unavailable`.
    pub(crate) fn all(&mut self) -> Result<HashMap<u32, ShownAs>, IndexError> {
        for at in 0..self.snapshot.corpus().files.len() {
            self.look_at(at)?;
        }
        Ok(self.shown.clone())
    }

    /// The masked text of the passage at `position`, without comments. Error: `index_unavailable`.
    pub(crate) fn shown(&mut self, position: u32) -> Result<Cow<'_, str>, IndexError> {
        self.look_at(self.snapshot.corpus().file_at(position))?;
        if let Some(shown) = self.shown.get(&position) {
            return Ok(Cow::Borrowed(&shown.text));
        }
        let passages = self.snapshot.passages(&[position])?;
        let texts = passages.iter().map(|passage| inwit_markdown::shown(&passage.text).into_owned());
        Ok(Cow::Owned(texts.collect()))
    }

    /// Its heading path, masked. Error: `index_unavailable`.
    pub(crate) fn heading(&mut self, position: u32) -> Result<String, IndexError> {
        self.look_at(self.snapshot.corpus().file_at(position))?;
        if let Some(shown) = self.shown.get(&position) {
            return Ok(shown.heading.clone());
        }
        let passages = self.snapshot.passages(&[position])?;
        Ok(passages.into_iter().map(|passage| passage.heading).collect())
    }

    /// Its displayed length in characters. Error: `index_unavailable`.
    pub(crate) fn chars_of(&mut self, position: u32) -> Result<usize, IndexError> {
        Ok(self.shown(position)?.chars().count())
    }

    fn look_at(&mut self, file: usize) -> Result<(), IndexError> {
        let snapshot = self.snapshot;
        let Some(file) = snapshot.corpus().files.get(file).filter(|file| file.clean_by != CLEAN_BY) else {
            return Ok(());
        };
        if self.looked_at.contains(&file.first) {
            return Ok(());
        }
        self.looked_at.push(file.first);
        let positions: Vec<u32> = (file.first..file.first + file.count).collect();
        let passages = snapshot.passages(&positions)?;
        let content = self.view.read(&file.name).ok().filter(|content| content.sha256 == file.sha256);
        let page = content
            .as_ref()
            .map(|content| self.notes.core.page(self.view.scope(), &file.name, &content.bytes));
        let titles = page.as_ref().map(MaskedFile::titles).unwrap_or_default();
        for (position, passage) in positions.iter().zip(&passages) {
            let seen = match &page {
                Some(page) => {
                    let alone = std::slice::from_ref(passage);
                    self.notes.seen_on(page, &titles, alone, &passage.heading, &mut Vec::new())
                }
                None => self.notes.seen_alone(self.view.scope(), &file.name, passage),
            };
            let [text, heading] = seen.map(ModelText::into_string);
            self.shown.insert(*position, ShownAs { text, heading });
        }
        Ok(())
    }
}

impl Notes {
    /// The masked `passages` of one file and their heading.
    pub(crate) fn seen_on(
        &self,
        page: &MaskedFile<'_>,
        titles: &Titles,
        passages: &[StoredPassage],
        heading: &str,
        masked: &mut Vec<Masked>,
    ) -> [ModelText; 2] {
        let pieces = passages.iter().map(|passage| {
            let piece = page.piece(passage.start as usize..passage.end as usize, masked);
            inwit_markdown::shown(&piece).into_owned()
        });
        let text = pieces.collect::<Vec<_>>().join("\n");
        let text = self.core.masked_words_on(page, text, masked);
        let heading = titles.masked(heading, masked);
        [text, self.core.masked_words_on(page, heading, masked)]
    }

    /// A passage of a file that has changed: only findings in its own text are masked.
    fn seen_alone(&self, scope: &Scope, name: &SafeName, passage: &StoredPassage) -> [ModelText; 2] {
        let words = [inwit_markdown::shown(&passage.text), Cow::Borrowed(&*passage.heading)];
        words.map(|words| self.core.masked_words(scope, name, &[], words, &mut Vec::new()))
    }
}
