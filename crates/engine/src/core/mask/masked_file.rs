//! A file of which parts are shown to a model.
//!
//! A secret may start in one part and end in another. Invariant: the masks of a part come from the findings of the whole file.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::OnceLock;

use inwit_gate::{Check, Finding};
use inwit_model::{SafeName, Scope};

use super::Masked;
use super::model_text::ModelText;
use super::text::{mask_of, replaced};
use crate::core::named::Repeated;
use crate::core::scan_version::CLEAN_BY;

/// A file of which parts are shown. A secret may span parts, so masks come from the findings of the whole file.
#[derive(Debug)]
pub(crate) struct MaskedFile<'b> {
    /// Its name.
    pub(super) name: &'b SafeName,
    /// The whole content.
    pub(super) bytes: &'b [u8],
    found: Vec<Finding>,
    /// Where other files name a finding, by its start.
    named_in: HashMap<usize, (SafeName, usize)>,
    /// The scope of the reader.
    pub(super) scope: Scope,
    /// The furthest end of the findings up to each one, so that findings in a part are found by binary search.
    reach: Vec<usize>,
    /// Findings anywhere in the file, computed on demand.
    pub(super) whole: OnceLock<Whole>,
}

/// Findings of a whole file.
#[derive(Debug)]
pub(super) struct Whole {
    /// Findings accepted everywhere in the file.
    pub(super) settled: HashSet<(String, String)>,
    /// The first line of each class.
    pub(super) lines: HashMap<String, usize>,
}

impl<'b> MaskedFile<'b> {
    /// The file `name` with the content `bytes` and the findings `found`, in order.
    pub(super) fn of(scope: &Scope, name: &'b SafeName, bytes: &'b [u8], found: Vec<Finding>) -> Self {
        let (scope, named_in, mut most) = (scope.clone(), HashMap::new(), 0);
        let reach = found.iter().map(|finding| {
            most = finding.span.end.max(most);
            most
        });
        Self { name, bytes, reach: reach.collect(), found, named_in, scope, whole: OnceLock::new() }
    }

    /// The same with values `repeated` from other files.
    pub(super) fn repeating(self, repeated: Vec<Repeated>) -> Self {
        let holds = |outer: &Finding, inner: &Finding| {
            outer.span.start <= inner.span.start && inner.span.end <= outer.span.end
        };
        let is_new = |one: &Repeated| {
            !self.found.iter().any(|known| {
                known.span.start < one.finding.span.end
                    && one.finding.span.start < known.span.end
                    && (known.check == Check::Secret && one.named_in.is_some() || holds(known, &one.finding))
            })
        };
        let new: Vec<Repeated> = repeated.into_iter().filter(is_new).collect();
        let (mut found, mut named_in) = (self.found, HashMap::new());
        // An invisible character inside a value is masked with it.
        found.retain(|known| !new.iter().any(|one| holds(&one.finding, known)));
        for Repeated { finding, named_in: place } in new {
            named_in.extend(place.map(|place| (finding.span.start, place)));
            found.push(finding);
        }
        found.sort_by_key(|finding| finding.span.start);
        Self { named_in, ..Self::of(&self.scope, self.name, self.bytes, found) }
    }

    /// `words` of a passage without masks that the index has as clean: not scanned again.
    pub(crate) fn known_clean(&self, clean_by: u64, words: String) -> Option<ModelText> {
        (clean_by == CLEAN_BY && self.is_clean()).then(|| ModelText::looked_at(words))
    }

    /// Whether nothing in it is masked.
    pub(crate) fn is_clean(&self) -> bool {
        self.found.is_empty()
    }

    /// The scope of the reader.
    pub(crate) fn scope(&self) -> &Scope {
        &self.scope
    }

    /// The file's name.
    pub(crate) fn name(&self) -> &SafeName {
        self.name
    }

    /// All masked findings; also added to `masked`.
    pub(super) fn all(&self, masked: &mut Vec<Masked>) -> Vec<Finding> {
        masked.extend(self.found.iter().map(|finding| self.masked_at(finding)));
        self.found.clone()
    }

    fn masked_at(&self, finding: &Finding) -> Masked {
        Masked { named_in: self.named_in.get(&finding.span.start).cloned(), ..Masked::of(self.name, finding) }
    }

    /// The text of `span`, with findings of the whole file masked; they are added to `masked`. An intermediate step:
    /// it ends with the span and is checked again.
    pub(crate) fn piece(&self, span: Range<usize>, masked: &mut Vec<Masked>) -> String {
        let found: Vec<&Finding> = self.touching(&span).collect();
        masked.extend(found.iter().map(|finding| self.masked_at(finding)));
        replaced(self.bytes, span, found)
    }

    /// Whether a secret that was not accepted overlaps `span`.
    pub(crate) fn holds_secret(&self, span: &Range<usize>) -> bool {
        self.touching(span).any(|finding| finding.check == Check::Secret)
    }

    /// Masked findings that overlap `span`, in order.
    fn touching(&self, span: &Range<usize>) -> impl Iterator<Item = &Finding> {
        let Range { start, end } = *span;
        let first = self.reach.partition_point(|reach| *reach <= start);
        let from = self.found[first..].iter().take_while(move |finding| finding.span.start < end);
        from.filter(move |finding| start < finding.span.end)
    }

    /// Headings that must be masked, each once, with the findings of its lines.
    pub(crate) fn titles(&self) -> Titles {
        if self.found.is_empty() {
            return Titles::default();
        }
        let (mut titles, mut known) = (Vec::new(), HashSet::new());
        for section in inwit_markdown::outline(self.bytes).sections {
            if section.title.is_empty() || known.contains(&section.title) {
                continue;
            }
            let mut masked = Vec::new();
            self.piece(section.heading, &mut masked);
            if let Some(noticed) = masked.into_iter().next() {
                known.insert(section.title.clone());
                titles.push((section.title, noticed));
            }
        }
        Titles::of(titles)
    }
}

/// Headings of a file that are masked in every heading path.
///
/// A file may have 100,000 of them and as many passages, so they are sorted and searched together.
#[derive(Debug, Default)]
pub(crate) struct Titles {
    sorted: Vec<(String, Masked)>,
    /// For each, the longest other heading that is its prefix.
    begins_with: Vec<Option<usize>>,
}

impl Titles {
    fn of(mut sorted: Vec<(String, Masked)>) -> Self {
        sorted.sort_by(|left, right| left.0.cmp(&right.0));
        let mut titles = Self { begins_with: Vec::with_capacity(sorted.len()), sorted };
        for at in 0..titles.sorted.len() {
            let title = &titles.sorted[at].0;
            let longest = titles.up(at.checked_sub(1), title);
            titles.begins_with.push(longest);
        }
        titles
    }

    /// `heading` with each masked heading replaced, longest first; findings are added to `masked`. An intermediate
    /// step, as above.
    pub(crate) fn masked(&self, heading: &str, masked: &mut Vec<Masked>) -> String {
        if self.sorted.is_empty() {
            return heading.to_owned();
        }
        let (mut out, mut rest) = (String::with_capacity(heading.len()), heading);
        while let Some(next) = rest.chars().next() {
            if let Some(at) = self.longest_before(rest) {
                let (title, noticed) = &self.sorted[at];
                out.push_str(&mask_of(&noticed.class));
                masked.push(noticed.clone());
                rest = &rest[title.len()..];
            } else {
                out.push(next);
                rest = &rest[next.len_utf8()..];
            }
        }
        out
    }

    /// The longest masked heading that is a prefix of `text`. All such prefixes are prefixes of the last one sorted before
    /// `text`.
    fn longest_before(&self, text: &str) -> Option<usize> {
        let behind = self.sorted.partition_point(|(title, _)| {
            #[cfg(test)]
            tests::COMPARED.with(|compared| compared.set(compared.get() + 1));
            title.as_str() <= text
        });
        self.up(behind.checked_sub(1), text)
    }

    /// The first of `at`, its longest prefix, and so on, that is a prefix of `text`.
    fn up(&self, mut at: Option<usize>, text: &str) -> Option<usize> {
        while let Some(one) = at.filter(|one| !text.starts_with(&self.sorted[*one].0)) {
            #[cfg(test)]
            tests::COMPARED.with(|compared| compared.set(compared.get() + 1));
            at = self.begins_with[one];
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    thread_local! {
        /// Number of comparisons.
        pub(super) static COMPARED: Cell<usize> = const { Cell::new(0) };
    }

    fn titles(all: &[&str]) -> Titles {
        let name = SafeName::parse("MEMORY.md").expect("a name");
        let masked = |class: &str| Masked {
            name: name.clone(),
            line: 1,
            check: Check::Secret,
            class: class.to_owned(),
            named_in: None,
        };
        Titles::of(all.iter().map(|title| ((*title).to_owned(), masked(&title.to_lowercase()))).collect())
    }

    #[test]
    fn each_title_in_a_heading_is_masked_by_the_longest_at_its_place() {
        let titles = titles(&["Ab", "Abc", "Abd › E", "Ä", "X"]);
        let shown = |heading: &str| titles.masked(heading, &mut Vec::new());
        assert_eq!(shown("Abc › Abx"), "[masked: abc] › [masked: ab]x");
        assert_eq!(shown("in Abd › E › Ä"), "in [masked: abd › e] › [masked: ä]");
        assert_eq!(shown("Abd › F"), "[masked: ab]d › F");
        assert_eq!(shown("A › nothing › a"), "A › nothing › a");
        assert_eq!(shown(""), "");
        let mut masked = Vec::new();
        titles.masked("X, X", &mut masked);
        assert_eq!(masked.len(), 2);
        assert_eq!(Titles::default().masked("Abc", &mut masked), "Abc");
    }

    /// Regression: indexing 8 MiB of such headings took 75 seconds, a search 60: each masked heading was searched in
    /// each heading.
    #[test]
    fn a_heading_is_compared_with_few_of_many_titles() {
        let all: Vec<String> = (0..4_096).map(|number| format!("Key {number}")).collect();
        let titles = titles(&all.iter().map(String::as_str).collect::<Vec<_>>());
        COMPARED.with(|compared| compared.set(0));
        for title in &all {
            let number = &title["Key ".len()..];
            assert_eq!(titles.masked(title, &mut Vec::new()), format!("[masked: key {number}]"));
        }
        let compared = COMPARED.with(Cell::get);
        assert!(compared <= all.len() * 20, "{compared} for {} headings", all.len());
    }
}
