//! A file of which parts are shown to a model.
//!
//! A key may begin in one part and end in another. Invariant: what is masked in a part is what was noticed in the whole file.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use inwit_gate::{Check, Finding};
use inwit_model::{SafeName, Scope};

use super::Masked;
use super::text::replaced;
use crate::core::named::Repeated;

/// A file of which parts are shown. A key may begin in one part and end in another, so what is masked is
/// what was noticed in the whole of it.
#[derive(Debug)]
pub(crate) struct Page<'b> {
    /// Its name.
    pub(super) name: &'b SafeName,
    /// All of it.
    pub(super) bytes: &'b [u8],
    found: Vec<Finding>,
    /// Where other files name what is found, by where it begins.
    named_in: HashMap<usize, (SafeName, usize)>,
    /// Who is shown it.
    pub(super) scope: Scope,
    /// How far the findings up to each of them reach: what may touch a part is found without a look at all.
    reach: Vec<usize>,
    /// What is noticed anywhere in it, once somebody asks.
    pub(super) whole: OnceCell<Whole>,
}

/// What is noticed in a whole file.
#[derive(Debug)]
pub(super) struct Whole {
    /// What was let through wherever it stands.
    pub(super) settled: HashSet<(String, String)>,
    /// The line where a class stands first.
    pub(super) lines: HashMap<String, usize>,
}

impl<'b> Page<'b> {
    /// The file `name` that holds `bytes`, in which this was `found`, in its order.
    pub(super) fn of(scope: &Scope, name: &'b SafeName, bytes: &'b [u8], found: Vec<Finding>) -> Self {
        let (scope, named_in, mut most) = (scope.clone(), HashMap::new(), 0);
        let reach = found.iter().map(|finding| {
            most = finding.span.end.max(most);
            most
        });
        Self { name, bytes, reach: reach.collect(), found, named_in, scope, whole: OnceCell::new() }
    }

    /// The same, with what it `repeated` of other files.
    pub(super) fn repeating(self, repeated: Vec<Repeated>) -> Self {
        let holds = |outer: &Finding, inner: &Finding| {
            outer.span.start <= inner.span.start && inner.span.end <= outer.span.end
        };
        let is_new = |one: &Repeated| {
            !self.found.iter().any(|known| {
                known.span.start < one.finding.span.end
                    && one.finding.span.start < known.span.end
                    && (known.check == Check::Secret || holds(known, &one.finding))
            })
        };
        let new: Vec<Repeated> = repeated.into_iter().filter(is_new).collect();
        let (mut found, mut named_in) = (self.found, HashMap::new());
        // A character that nobody sees inside a value goes with it.
        found.retain(|known| !new.iter().any(|one| holds(&one.finding, known)));
        for Repeated { finding, named_in: place } in new {
            named_in.insert(finding.span.start, place);
            found.push(finding);
        }
        found.sort_by_key(|finding| finding.span.start);
        Self { named_in, ..Self::of(&self.scope, self.name, self.bytes, found) }
    }

    /// Whether nothing in it is masked.
    pub(crate) fn is_clean(&self) -> bool {
        self.found.is_empty()
    }

    /// Who is shown it.
    pub(crate) fn scope(&self) -> &Scope {
        &self.scope
    }

    /// The file's name.
    pub(crate) fn name(&self) -> &SafeName {
        self.name
    }

    /// What stands in `span` as a model may see it; what was masked is added to `masked`.
    pub(crate) fn piece(&self, span: Range<usize>, masked: &mut Vec<Masked>) -> String {
        let found: Vec<&Finding> = self.touching(&span).collect();
        masked.extend(found.iter().map(|finding| Masked {
            named_in: self.named_in.get(&finding.span.start).cloned(),
            ..Masked::of(self.name, finding)
        }));
        replaced(self.bytes, span, found)
    }

    /// Whether a secret that nobody vouched for stands in `span`, or a part of one.
    pub(crate) fn holds_secret(&self, span: &Range<usize>) -> bool {
        self.touching(span).any(|finding| finding.check == Check::Secret)
    }

    /// What is masked in `span`, or in a part of it, in order.
    fn touching(&self, span: &Range<usize>) -> impl Iterator<Item = &Finding> {
        let Range { start, end } = *span;
        let first = self.reach.partition_point(|reach| *reach <= start);
        let from = self.found[first..].iter().take_while(move |finding| finding.span.start < end);
        from.filter(move |finding| start < finding.span.end)
    }

    /// The titles that may not be shown as they are, each once, with what was noticed in its lines.
    pub(crate) fn titles(&self) -> Vec<(String, Masked)> {
        if self.found.is_empty() {
            return Vec::new();
        }
        let (mut titles, mut known) = (Vec::new(), HashSet::new());
        for section in inwit_markdown::parse(self.bytes).sections {
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
        titles
    }
}
