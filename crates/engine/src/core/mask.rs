//! Masks file text that did not pass the gate before a model sees it (D2).
//!
//! A person, a sync tool or an importer may write anything. But secrets, invisible characters and injection phrases
//! are masked in prompts, results and excerpts until the owner accepts them. Text that passed the gate is accepted by
//! a hash of file, class and lines: the same phrase in other lines is not. Text is checked again after each step that
//! derives it from stored text: [`Core::rendered`](crate::Core::rendered) after removing comments,
//! [`Core::masked_words`](crate::Core::masked_words) after joining or cutting. Values that another file names as
//! secrets are masked too ([`crate::core::named`]). Only masking creates a [`ModelText`]; a plain `str` here is an
//! intermediate step that is checked again. Invariant: masking keeps the lines of a text, changes only the findings,
//! and depends only on the text, on what was accepted in its file, and on values named in files and facts that all
//! its readers see.
//!
//! Reading order: this file (masking of a file), [`model_text`], [`masked_file`], [`voucher`] (accepted findings),
//! [`scan_cache`], [`text`].

mod masked_file;
mod model_text;
mod scan_cache;
mod text;
mod voucher;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

use inwit_gate::{Check, Finding};
use inwit_model::{Hint, SafeName, Scope};

use crate::core::forgotten::FORGOTTEN;
use crate::core::notice::named;
use crate::core::scan_version::CLEAN_BY;
use crate::{Core, Notice};

use masked_file::Whole;
use text::until_nothing_is_found;
pub(crate) use voucher::alike;

pub(crate) use voucher::LineStarts;

pub(crate) use masked_file::{MaskedFile, Titles};
pub use model_text::ModelText;
pub(crate) use scan_cache::{Places, ScanCache, clean_by};
pub(crate) use text::{
    grave, is_grave, mask_of, masked_foreign, masked_row, masked_where, replaced, without_steering,
};
pub(crate) use voucher::Vouchers;

/// A masked finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Masked {
    /// The file.
    pub name: SafeName,
    /// Line of its start, from 1.
    pub line: usize,
    /// The check that found it.
    pub check: Check,
    /// Its class, such as `github_pat`.
    pub class: String,
    /// The file and line that name it as a secret, if elsewhere.
    pub named_in: Option<(SafeName, usize)>,
}

impl Masked {
    fn of(name: &SafeName, finding: &Finding) -> Self {
        let Finding { check, class, line, .. } = finding.clone();
        Self { name: name.clone(), line, check, class, named_in: None }
    }
}

impl Core {
    /// `text` of the file `name`, masked for `scope`; masked findings are added to `masked`. An intermediate step:
    /// parts of it are checked again by [`masked_words`](Self::masked_words).
    pub(crate) fn masked_for<'t>(
        &self,
        scope: &Scope,
        name: &SafeName,
        text: &'t str,
        masked: &mut Vec<Masked>,
    ) -> Cow<'t, str> {
        let page = self.page(scope, name, text.as_bytes());
        if page.is_clean() {
            return Cow::Borrowed(text);
        }
        let mut lets_through = self.lets_through(name, text);
        let shown = until_nothing_is_found(text, page.all(masked), |words| {
            lets_through |= self.lets_through(name, words);
            self.open(&page, words, is_grave, masked)
        });
        if !lets_through {
            self.noticed.remember(shown.as_bytes(), Vec::new());
        }
        Cow::Owned(shown)
    }

    /// `stored`, a part of the file `name` with the content `file`, as shown to a model: findings of the whole file
    /// are already masked; comments are removed, and findings that appear only then are masked. Every text without
    /// comments comes from here.
    pub(crate) fn rendered(
        &self,
        scope: &Scope,
        name: &SafeName,
        file: &[u8],
        stored: &str,
        masked: &mut Vec<Masked>,
    ) -> ModelText {
        self.masked_words(scope, name, file, inwit_markdown::shown(stored), masked)
    }

    /// Lines derived from the file `name`, shown together in any order. Each is shown as one line; one that was wrapped
    /// has its line ends, and is judged with them and as it is shown: a value in two parts is found in one of both.
    pub(crate) fn masked_lines(
        &self,
        scope: &Scope,
        name: &SafeName,
        file: &[u8],
        lines: Vec<String>,
        masked: &mut Vec<Masked>,
    ) -> Vec<ModelText> {
        let page = MaskedFile::of(scope, name, file, Vec::new());
        let lines = match lines.iter().any(|line| line.contains('\n')) {
            false => lines,
            true => {
                let counts: Vec<usize> = lines.iter().map(|line| line.split('\n').count()).collect();
                let wrapped = lines.join("\n");
                // A mask keeps the line ends that it covers.
                let shown = self.without(&page, &wrapped, is_grave, masked);
                let mut parts = shown.split('\n');
                let unwrapped = |count: &usize| parts.by_ref().take(*count).collect::<Vec<_>>().join(" ");
                counts.iter().map(unwrapped).collect()
            }
        };
        match self.without(&page, &lines.join("\n"), is_grave, masked) {
            Cow::Borrowed(_) => lines.into_iter().map(ModelText::looked_at).collect(),
            // A mask keeps the line ends that it covers.
            Cow::Owned(shown) => {
                shown.split('\n').map(|line| ModelText::looked_at(line.to_owned())).collect()
            }
        }
    }

    /// `kept`, a row that another program may have changed: derived from the files `names` and from `fresh`. Findings
    /// that are in neither and accepted in none of the files are masked.
    pub(crate) fn masked_kept(&self, names: &[&SafeName], fresh: &ModelText, kept: &str) -> ModelText {
        let settled: HashSet<_> = grave(fresh).iter().map(|one| alike(one, fresh.as_bytes())).collect();
        let open = |text: &str| {
            let mut found = grave(text);
            found.retain(|finding| !settled.contains(&alike(finding, text.as_bytes())));
            if !found.is_empty() {
                for name in names {
                    let open = self.unvouched(name, text.as_bytes());
                    found.retain(|finding| open.contains(finding));
                }
            }
            found
        };
        let found = open(kept);
        let shown =
            if found.is_empty() { kept.to_owned() } else { until_nothing_is_found(kept, found, open) };
        ModelText::looked_at(shown)
    }

    /// The file `name` with the content `bytes`; not scanned again if the index has it as clean.
    pub(crate) fn page_seen<'b>(
        &self,
        scope: &Scope,
        name: &'b SafeName,
        bytes: &'b [u8],
        clean_by: u64,
    ) -> MaskedFile<'b> {
        if clean_by == CLEAN_BY {
            return self.page_with(scope, name, bytes, Vec::new());
        }
        self.page(scope, name, bytes)
    }

    /// The file `name` with the content `bytes`, as `scope` sees it.
    pub(crate) fn page<'b>(&self, scope: &Scope, name: &'b SafeName, bytes: &'b [u8]) -> MaskedFile<'b> {
        self.page_with(scope, name, bytes, self.unvouched(name, bytes))
    }

    /// The same with known findings `found`.
    pub(crate) fn page_with<'b>(
        &self,
        scope: &Scope,
        name: &'b SafeName,
        bytes: &'b [u8],
        found: Vec<Finding>,
    ) -> MaskedFile<'b> {
        MaskedFile::of(scope, name, bytes, found).repeating(self.repeated(scope, name, bytes))
    }

    /// A part of a file, masked for a model.
    pub(crate) fn shown_span(&self, page: &MaskedFile<'_>, span: Range<usize>) -> ModelText {
        let mut masked = Vec::new();
        let piece = page.piece(span, &mut masked);
        self.masked_words_on(page, piece, &mut masked)
    }

    /// The same without comments; masked findings are added to `masked`.
    pub(crate) fn rendered_span(
        &self,
        page: &MaskedFile<'_>,
        span: Range<usize>,
        masked: &mut Vec<Masked>,
    ) -> ModelText {
        let piece = page.piece(span, masked);
        self.masked_words_on(page, inwit_markdown::shown(&piece), masked)
    }

    /// `words` derived from the file `name` with the content `file`, not necessarily a line of it: a title, a
    /// description. A finding is shown only if all equal findings in the file are.
    pub(crate) fn masked_words<'t>(
        &self,
        scope: &Scope,
        name: &SafeName,
        file: &[u8],
        words: impl Into<Cow<'t, str>>,
        masked: &mut Vec<Masked>,
    ) -> ModelText {
        self.masked_words_on(&MaskedFile::of(scope, name, file, Vec::new()), words, masked)
    }

    /// The same for a file with many such parts.
    pub(crate) fn masked_words_on<'t>(
        &self,
        page: &MaskedFile<'_>,
        words: impl Into<Cow<'t, str>>,
        masked: &mut Vec<Masked>,
    ) -> ModelText {
        let words = words.into();
        match self.without(page, &words, is_grave, masked) {
            Cow::Borrowed(_) => ModelText::looked_at(words.into_owned()),
            Cow::Owned(shown) => ModelText::looked_at(shown),
        }
    }

    /// `words` of a file without findings for which `counts` holds. An intermediate step: for a model, all grave
    /// findings are masked.
    pub(crate) fn without<'t>(
        &self,
        page: &MaskedFile<'_>,
        words: &'t str,
        counts: fn(&Finding) -> bool,
        masked: &mut Vec<Masked>,
    ) -> Cow<'t, str> {
        let found = self.open(page, words, counts, masked);
        if found.is_empty() {
            return Cow::Borrowed(words);
        }
        let open = |words: &str| self.open(page, words, counts, &mut Vec::new());
        Cow::Owned(until_nothing_is_found(words, found, open))
    }

    /// Findings in `words` for which `counts` holds and that were not accepted everywhere in the file.
    fn open(
        &self,
        page: &MaskedFile<'_>,
        words: &str,
        counts: fn(&Finding) -> bool,
        masked: &mut Vec<Masked>,
    ) -> Vec<Finding> {
        let whole = || page.whole.get_or_init(|| self.whole(page.name, page.bytes));
        let mut found = self.unvouched(page.name, words.as_bytes());
        let repeated = self.repeated(&page.scope, page.name, words.as_bytes()).into_iter();
        found.extend(repeated.map(|one| one.finding));
        found.retain(counts);
        found.sort_by_key(|finding| finding.span.start);
        if !found.is_empty() {
            found.retain(|finding| !whole().settled.contains(&alike(finding, words.as_bytes())));
        }
        masked.extend(found.iter().map(|finding| {
            let line = whole().lines.get(&finding.class).copied().unwrap_or(1);
            Masked { line, ..Masked::of(page.name, finding) }
        }));
        found
    }

    fn whole(&self, name: &SafeName, bytes: &[u8]) -> Whole {
        let mut lines = HashMap::new();
        for finding in self.noticed.of(bytes) {
            lines.entry(finding.class).or_insert(finding.line);
        }
        Whole { settled: self.settled(name, bytes), lines }
    }
}

/// Code of the notice about masked text.
pub(crate) const MASKED: &str = "masked";

/// The notice for a reader of masked text (D12).
pub(crate) fn notice(masked: &[Masked]) -> Option<Notice> {
    let (mut names, mut told) = (Vec::new(), BTreeSet::new());
    // No acceptance shows an erased text.
    for Masked { name, line, class, named_in, .. } in masked.iter().filter(|one| one.class != FORGOTTEN) {
        if told.insert((name, line, class)) {
            let named_in = named_in.as_ref().map(|(file, line)| format!(", named in {file}, line {line}"));
            names.push(format!("{name}, line {line} ({class}{})", named_in.unwrap_or_default()));
        }
    }
    if names.is_empty() {
        let hint = "The owner erased it from the files; the history still has it.";
        return (!masked.is_empty()).then(|| Notice::new(MASKED, "Erased text is masked.", hint));
    }
    let message = format!("Masked: {}.", named(&names, NAMED_MAX, "; "));
    Some(Notice::new(MASKED, message, Hint::AcceptMasked))
}

/// Most places that a notice lists; the rest is counted.
const NAMED_MAX: usize = 5;
