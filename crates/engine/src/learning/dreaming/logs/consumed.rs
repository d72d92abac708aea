//! Which bytes of logs earlier passes have consumed.
//!
//! A pass consumes a log from some byte to its end then, so a log that was too long for one call has gaps in its head.
//! Invariants: a span counts only while the log begins with the bytes that it had; a renamed log and a copy are
//! recognised by their bytes.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use inwit_model::{SafeName, Sha256};
use inwit_store::memory::LogSpan;

/// The spans of each log, oldest first.
#[derive(Default)]
pub(crate) struct ConsumedLogs {
    by_path: HashMap<SafeName, Vec<LogSpan>>,
    /// Which logs had a content.
    by_content: HashMap<Sha256, SafeName>,
    /// Logs that are gone: they may have another name now.
    gone: Vec<SafeName>,
}

impl ConsumedLogs {
    /// `spans` in the order in which they were consumed; `names`: the logs that exist.
    pub(crate) fn of(spans: Vec<LogSpan>, names: &[SafeName]) -> Self {
        let there: HashSet<&SafeName> = names.iter().collect();
        let mut consumed = Self::default();
        for span in spans {
            consumed.by_content.insert(span.log, span.path.clone());
            consumed.by_path.entry(span.path.clone()).or_default().push(span);
        }
        consumed.gone = consumed.by_path.keys().filter(|path| !there.contains(path)).cloned().collect();
        consumed.gone.sort();
        consumed
    }

    /// Whether a pass consumed a part of the log `name`.
    pub(crate) fn knows(&self, name: &SafeName) -> bool {
        self.by_path.contains_key(name)
    }

    /// What was not consumed of the log `name` with these bytes, in order.
    pub(crate) fn gaps(&self, name: &SafeName, bytes: &[u8]) -> Vec<Range<usize>> {
        let mut prefixes = Prefixes { bytes, hashes: HashMap::new() };
        let mut ranges = self.ranges(name, &mut prefixes);
        if ranges.iter().all(|range| range.start > 0) {
            // Under another name more of it may have been read.
            let copied = self.by_content.get(&prefixes.hash(bytes.len()));
            let last = |path: &SafeName| self.by_path.get(path).and_then(|spans| spans.last());
            let is_it = |path: &&SafeName| last(path).is_some_and(|last| prefixes.has(last));
            let renamed = self.gone.iter().filter(is_it).max_by_key(|path| last(path).map(|span| span.end));
            for other in copied.into_iter().chain(renamed) {
                ranges.extend(self.ranges(other, &mut prefixes));
            }
        }
        let (mut gaps, mut at) = (Vec::new(), 0);
        for range in joined(ranges) {
            if range.start > at {
                gaps.push(at..range.start);
            }
            at = range.end;
        }
        if at < bytes.len() {
            gaps.push(at..bytes.len());
        }
        gaps
    }

    /// What was consumed of the log `name` and is in `prefixes` as it was then.
    fn ranges(&self, name: &SafeName, prefixes: &mut Prefixes<'_>) -> Vec<Range<usize>> {
        let spans = self.by_path.get(name).into_iter().flatten().filter(|span| prefixes.has(span));
        spans.map(|span| span.start as usize..span.end as usize).collect()
    }

    /// The content of each log that was consumed without a gap.
    pub(crate) fn complete(self) -> HashMap<SafeName, Sha256> {
        let whole = self.by_path.into_iter().filter_map(|(path, spans)| {
            let last = spans.last()?.log;
            // What the later spans lack, an earlier one may have.
            let missing = spans.iter().rev().fold(u64::MAX, |missing, span| {
                if span.end >= missing || missing == u64::MAX { missing.min(span.start) } else { missing }
            });
            (missing == 0).then_some((path, last))
        });
        whole.collect()
    }
}

/// Disjoint ranges in order.
fn joined(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| range.start);
    let mut joined: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}

/// The hashes of the beginnings of a log, as far as they were needed.
struct Prefixes<'b> {
    bytes: &'b [u8],
    hashes: HashMap<usize, Sha256>,
}

impl Prefixes<'_> {
    /// The hash of the first `end` bytes.
    fn hash(&mut self, end: usize) -> Sha256 {
        *self.hashes.entry(end).or_insert_with(|| Sha256::of(&self.bytes[..end]))
    }

    /// Whether the log begins with the bytes that the one of `span` had.
    fn has(&mut self, span: &LogSpan) -> bool {
        let end = usize::try_from(span.end).ok().filter(|end| *end <= self.bytes.len());
        end.is_some_and(|end| self.hash(end) == span.log)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(path: &str) -> SafeName {
        SafeName::parse(path).expect("a name")
    }

    fn span(path: &str, text: &str, start: u64) -> LogSpan {
        let log = Sha256::of(text.as_bytes());
        LogSpan { path: name(path), log, start, end: text.len() as u64 }
    }

    const LOG: &str = "memory/2026-11-20.md";

    fn ends(gaps: Vec<Range<usize>>) -> Vec<(usize, usize)> {
        gaps.into_iter().map(|gap| (gap.start, gap.end)).collect()
    }

    #[test]
    fn a_gap_is_what_no_span_of_the_same_beginning_has() {
        let spans = vec![span(LOG, "aabbcc", 4), span(LOG, "aabbccdd", 6), span(LOG, "aabbccdd", 2)];
        let of = |spans: &[LogSpan], text: &str| {
            ends(ConsumedLogs::of(spans.to_vec(), &[name(LOG)]).gaps(&name(LOG), text.as_bytes()))
        };
        assert_eq!(of(&spans[..1], "aabbcc"), [(0, 4)]);
        assert_eq!(of(&spans[..1], "aabbccdd"), [(0, 4), (6, 8)], "new bytes, and the head");
        assert_eq!(of(&spans[..2], "aabbccdd"), [(0, 4)]);
        assert_eq!(of(&spans, "aabbccdd"), [(0, 2)]);
        assert_eq!(of(&spans, "aabbccxx"), [(0, 4), (6, 8)], "what stood before an edit counts");
        assert_eq!(of(&spans, "xabbccdd"), [(0, 8)]);
        assert_eq!(of(&[span(LOG, "aabb", 0)], "aabb"), []);
    }

    #[test]
    fn a_renamed_log_and_a_copy_are_recognised_by_their_bytes() {
        let spans = vec![span(LOG, "aabb", 2), span("memory/gone.md", "ccdd", 0)];
        let consumed = ConsumedLogs::of(spans, &[name(LOG), name("memory/copy.md"), name("memory/new.md")]);
        assert_eq!(ends(consumed.gaps(&name("memory/copy.md"), "aabb".as_bytes())), [(0, 2)], "with its gap");
        assert_eq!(ends(consumed.gaps(&name("memory/new.md"), "ccddee".as_bytes())), [(4, 6)]);
        assert_eq!(ends(consumed.gaps(&name("memory/new.md"), "ee".as_bytes())), [(0, 2)]);
        let complete = consumed.complete();
        assert_eq!(complete.keys().map(SafeName::as_str).collect::<Vec<_>>(), ["memory/gone.md"]);
    }
}
