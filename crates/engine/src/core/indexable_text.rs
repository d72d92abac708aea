//! The text of passages that is indexed: without secrets that the owner has not accepted.
//!
//! Search results reveal indexed words, and a phrase of known words can be guessed from an index. So the index,
//! embeddings and feedback use the passage with its secrets masked; injection phrases and invisible characters are
//! masked only on display. The same holds for values that another file names: a file that repeats one is indexed
//! again. Invariant: for the same context and lines, the indexed text does not depend on a masked secret.

use std::borrow::Cow;

use inwit_gate::{Check, Finding};
use inwit_model::{SafeName, Scope, Sha256};
use inwit_recall::ReadAs;
use inwit_store::StoredPassage;

use crate::Core;
use crate::core::mask::{MaskedFile, Places, Titles, is_grave, mask_of};
use crate::core::scan_version::{UNCLEAN_BY, let_through};

/// Most secrets of one passage whose other words are indexed. A passage with more is a list of secrets, and each of them
/// costs another scan.
const SECRETS_MAX: usize = 32;

/// A file whose passages are indexed.
pub(crate) struct IndexableText<'b> {
    page: MaskedFile<'b>,
    bytes: &'b [u8],
    places: Places,
    titles: Titles,
    /// Identifies the accepted secrets; see [`CorpusFile::clean_by`](inwit_store::CorpusFile::clean_by).
    pub(crate) number: u64,
}

/// Whether the finding is a secret.
pub(crate) fn is_secret(finding: &Finding) -> bool {
    finding.check == Check::Secret && is_grave(finding)
}

impl Core {
    /// The file `name` with the content `bytes`, which has findings.
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

    /// Identifies the accepted secrets of a file with findings, and the values of other files that it repeats.
    pub(crate) fn number_seen(&self, scope: &Scope, name: &SafeName, bytes: &[u8]) -> u64 {
        let mut masked = self.unvouched(name, bytes);
        masked.retain(is_secret);
        self.number_of(scope, name, bytes, &masked)
    }

    fn number_of(&self, scope: &Scope, name: &SafeName, bytes: &[u8], masked: &[Finding]) -> u64 {
        let noticed = self.noticed.of(bytes);
        // Both are in file order.
        let mut masked = masked.iter().peekable();
        let secrets = noticed.iter().filter(|finding| is_secret(finding));
        let shown = secrets.filter(|finding| masked.next_if(|masked| masked == finding).is_none());
        let mut names: Vec<String> =
            shown.map(|finding| format!("{} {:?}", finding.class, finding.span)).collect();
        names.extend(self.repeats(scope, name, bytes));
        if names.is_empty() { UNCLEAN_BY } else { let_through(Sha256::of(names.join("\n").as_bytes())) }
    }

    /// The indexed text of a passage; `None` if it is the stored text.
    pub(crate) fn read_as(&self, reading: &IndexableText<'_>, passage: &StoredPassage) -> Option<ReadAs> {
        let IndexableText { page, bytes, places, titles, .. } = reading;
        let mut masked = Vec::new();
        let whole = page.piece(passage.start as usize..passage.end as usize, &mut masked);
        if masked.len() > SECRETS_MAX {
            let (text, heading) = (mask_of(&masked[0].class), titles.masked(&passage.heading, &mut masked));
            let heading = self.without(page, &heading, is_secret, &mut masked).into_owned();
            return Some(ReadAs { text, heading, whole });
        }
        let shown = inwit_markdown::shown(&whole);
        let words =
            |words: &str, masked: &mut Vec<_>| self.without(page, words, is_secret, masked).into_owned();
        // In a file with findings most passages have none.
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
    /// Whether a masked secret overlaps `span`.
    pub(crate) fn hides(&self, span: &std::ops::Range<usize>) -> bool {
        let mut masked = Vec::new();
        self.page.piece(span.clone(), &mut masked);
        !masked.is_empty()
    }
}
