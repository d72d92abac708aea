//! What is read of a file where words are searched: its passages without the secrets that nobody let through.
//!
//! A word that is found says yes, one that is not says no, and a phrase of known words is soon asked out of an index.
//! So what an index analyses, a model reads and feedback is kept by is the passage as it is shown, as far as secrets
//! go; phrases that steer and characters that nobody sees are no secret, and masked only where they are shown.
//! That holds for values that another file names, too: the file that repeats one is read anew when it is named.
//! Invariant: for the same text around it and the same lines, what is read does not depend on what a masked secret
//! says.

use std::borrow::Cow;

use inwit_gate::{Check, Finding};
use inwit_model::{SafeName, Scope, Sha256};
use inwit_recall::ReadAs;
use inwit_store::StoredPassage;

use crate::Core;
use crate::core::mask::{MaskedFile, Places, Titles, is_grave};
use crate::core::scan_version::{UNCLEAN_BY, let_through};

/// A file of which passages are read.
pub(crate) struct IndexableText<'b> {
    page: MaskedFile<'b>,
    bytes: &'b [u8],
    places: Places,
    titles: Titles,
    /// Which secrets of it were let through; see [`CorpusFile::clean_by`](inwit_store::CorpusFile::clean_by).
    pub(crate) number: u64,
}

/// Whether words of it tell a secret.
pub(crate) fn is_secret(finding: &Finding) -> bool {
    finding.check == Check::Secret && is_grave(finding)
}

impl Core {
    /// The file `name` that holds `bytes`, in which something is noticed.
    pub(crate) fn reading<'b>(
        &self,
        scope: &Scope,
        name: &'b SafeName,
        bytes: &'b [u8],
    ) -> IndexableText<'b> {
        let mut masked = self.unvouched(name, bytes);
        masked.retain(is_secret);
        let number = self.number_of(scope, name, bytes, &masked);
        let page = self.page_with(scope, name, bytes, masked);
        let places = Places::of(bytes, &self.noticed.of(bytes));
        IndexableText { titles: page.titles(), page, bytes, places, number }
    }

    /// By what it is known which secrets of a file that is not clean were let through, and which of other files it
    /// repeats.
    pub(crate) fn number_seen(&self, scope: &Scope, name: &SafeName, bytes: &[u8]) -> u64 {
        let mut masked = self.unvouched(name, bytes);
        masked.retain(is_secret);
        self.number_of(scope, name, bytes, &masked)
    }

    fn number_of(&self, scope: &Scope, name: &SafeName, bytes: &[u8], masked: &[Finding]) -> u64 {
        let noticed = self.noticed.of(bytes);
        // Both are in the order of the file.
        let mut masked = masked.iter().peekable();
        let secrets = noticed.iter().filter(|finding| is_secret(finding));
        let shown = secrets.filter(|finding| masked.next_if(|masked| masked == finding).is_none());
        let mut names: Vec<String> =
            shown.map(|finding| format!("{} {:?}", finding.class, finding.span)).collect();
        names.extend(self.repeats(scope, name, bytes));
        if names.is_empty() { UNCLEAN_BY } else { let_through(Sha256::of(names.join("\n").as_bytes())) }
    }

    /// What is read of one of its passages; `None`: what stands there.
    pub(crate) fn read_as(&self, reading: &IndexableText<'_>, passage: &StoredPassage) -> Option<ReadAs> {
        let IndexableText { page, bytes, places, titles, .. } = reading;
        let mut masked = Vec::new();
        let whole = page.piece(passage.start as usize..passage.end as usize, &mut masked);
        let shown = inwit_markdown::shown(&whole);
        let words =
            |words: &str, masked: &mut Vec<_>| self.without(page, words, is_secret, masked).into_owned();
        // Of a file in which something is noticed, most passages have nothing of it.
        let is_let_be = masked.is_empty()
            && matches!(shown, Cow::Borrowed(_))
            && places.let_be(bytes, passage)
            && self.repeated(page.scope(), page.name(), shown.as_bytes()).is_empty();
        let text = if is_let_be { whole.clone() } else { words(&shown, &mut masked) };
        let heading = titles.masked(&passage.heading, &mut masked);
        let heading = words(&heading, &mut masked);
        (!masked.is_empty()).then_some(ReadAs { text, heading, whole })
    }
}

impl IndexableText<'_> {
    /// Whether a secret that is not read stands in any byte of `span`.
    pub(crate) fn hides(&self, span: &std::ops::Range<usize>) -> bool {
        let mut masked = Vec::new();
        self.page.piece(span.clone(), &mut masked);
        !masked.is_empty()
    }
}
