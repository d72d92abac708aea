//! Verifies hits against their files, and masks them.
//!
//! An index may be outdated or damaged, and findings depend on the whole file, not on a passage. Invariant:
//! unaccepted findings are masked, whether the file could be read again or not.

use std::collections::HashMap;
use std::sync::Arc;

use inwit_model::{Code, SafeName, Scope, Sha256, Taint};
use inwit_store::StoredPassage;
use inwit_workspace::{ScopedReader, View};

use super::hits::HitDraft;
use super::rank::Ranked;
use crate::core::mask::{MaskedFile, Titles};
use crate::notes::trust;
use crate::{EngineError, Notes};

/// Tainted lines of a file, from 0.
type Tainted = HashMap<usize, Taint>;

/// Files of an answer, read for verification.
pub(super) type Read = HashMap<SafeName, Arc<[u8]>>;

/// Compares hits with their files. A file missing from the result has changed since, so the search is repeated.
/// Error: the file is the indexed one and differs, so the index has undetected damage.
pub(super) fn verify(view: &View, hits: &[HitDraft]) -> Result<Read, EngineError> {
    let mut read = Read::new();
    for HitDraft { hit, passages, .. } in hits {
        if !read.contains_key(&hit.name) {
            match view.read(&hit.name) {
                Ok(content) if content.sha256 == hit.sha256 => read.insert(hit.name.clone(), content.bytes),
                Ok(_) | Err(_) => continue,
            };
        }
        let bytes = &read[&hit.name];
        for passage in passages {
            let range = usize::try_from(passage.start).ok().zip(usize::try_from(passage.end).ok());
            let stands = range.and_then(|(start, end)| bytes.get(start..end));
            if stands.is_none_or(|stands| String::from_utf8_lossy(stands) != passage.text) {
                let message = format!("the index disagrees with `{}`.", hit.name);
                return Err(EngineError::new(Code::IndexUnavailable, message));
            }
        }
    }
    Ok(read)
}

impl Notes {
    /// The hits masked for a model, by findings in their whole files. In a changed file, by findings in the hit
    /// itself.
    pub(super) fn seen_by_model(&self, scope: &Scope, mut ranked: Ranked, read: &Read) -> Ranked {
        let mut pages: HashMap<SafeName, (MaskedFile<'_>, Titles, Tainted, Option<Sha256>)> = HashMap::new();
        let marks = self.marks();
        for HitDraft { hit, passages, clean_by } in &mut ranked.hits {
            let heading = passages.first().map(|first| first.heading.clone()).unwrap_or_default();
            let Some((name, bytes)) = read.get_key_value(&hit.name) else {
                let text = shown(passages);
                hit.taint = trust::taint_of(&text, &*marks).filter(Taint::is_tainted);
                hit.text = self.core.masked_words(scope, &hit.name, &[], text, &mut hit.masked);
                hit.heading =
                    self.core.masked_words(scope, &hit.name, &[], heading.as_str(), &mut hit.masked);
                hit.known_by = Sha256::of(hit.text.as_bytes());
                continue;
            };
            let (page, titles, tainted, sha256) = pages.entry(name.clone()).or_insert_with(|| {
                let page = self.core.page_seen(scope, name, bytes, *clean_by);
                let titles = page.titles();
                let tainted = trust::taints(name, &String::from_utf8_lossy(bytes), &*marks);
                let is_masked = !page.is_clean();
                let sha256 = is_masked.then(|| self.hash_shown(scope, name, bytes, hit.sha256));
                (page, titles, tainted, sha256)
            });
            hit.taint = trust::taint_within(tainted, hit.first_line, hit.last_line);
            if let [one] = passages.as_slice()
                && let Some(text) = page.known_clean(*clean_by, inwit_markdown::shown(&one.text).into_owned())
                && let Some(heading) = page.known_clean(*clean_by, heading.clone())
            {
                (hit.text, hit.heading) = (text, heading);
                continue;
            }
            if let Some(sha256) = *sha256 {
                let answers = passages.iter().find(|one| Sha256::of(one.text.as_bytes()) == hit.passage);
                let span = answers.map(|one| one.start as usize..one.end as usize).unwrap_or_default();
                hit.known_by = Sha256::of(self.core.shown_span(page, span).as_bytes());
                hit.sha256 = sha256;
            }
            [hit.text, hit.heading] = self.seen_on(page, titles, passages, &heading, &mut hit.masked);
        }
        ranked
    }
}

/// The text of adjacent `passages`, without comments.
fn shown(passages: &[StoredPassage]) -> String {
    let each = passages.iter().map(|passage| inwit_markdown::shown(&passage.text));
    each.collect::<Vec<_>>().join("\n")
}
