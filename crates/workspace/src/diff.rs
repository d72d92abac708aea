//! Line diffs of two states of a file, and states with only some hunks applied.
//!
//! A person who approves a change may select hunks, also without `git`. Lines are bytes with their line ends, without
//! normalisation. Invariant: the same two states give the same hunks on every machine; no hunk gives the state
//! before, all hunks the state after, byte for byte.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices, group_diff_ops};

use crate::limit::DIFF_LINES_MAX;

/// Lines that are shown around a change.
const CONTEXT_LINES: usize = 3;

/// One place where two states differ, with the lines around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    /// `@@ -3,7 +3,8 @@`: first line and count on each side, lines counted from 1.
    pub header: String,
    /// The lines, in the order a person reads them.
    pub lines: Vec<Line>,
    /// The lines it covers before, counted from 0.
    pub before: Range<usize>,
    /// The lines it covers after, counted from 0.
    pub after: Range<usize>,
}

/// One line of a hunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// What becomes of it.
    pub fate: Fate,
    /// Its bytes with their line end, which the last line of a file may lack.
    pub bytes: Vec<u8>,
}

/// What becomes of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It stays.
    Kept,
    /// It goes.
    Removed,
    /// It comes.
    Added,
}

impl Fate {
    /// The character in front of the line.
    pub fn sign(self) -> char {
        match self {
            Self::Kept => ' ',
            Self::Removed => '-',
            Self::Added => '+',
        }
    }
}

/// The difference in unified form, `""` where there is none. `None` is a file that is not there; bytes
/// that are not UTF-8 are replaced, so this is for reading and not for patching such files.
pub fn unified(name: &str, before: Option<&[u8]>, after: Option<&[u8]>) -> String {
    if before == after {
        return String::new();
    }
    let side = |prefix: &str, bytes: Option<&[u8]>| {
        bytes.map_or_else(|| "/dev/null".to_owned(), |_| format!("{prefix}/{name}"))
    };
    let mut text = format!("--- {}\n+++ {}\n", side("a", before), side("b", after));
    let (old, new) = (lines(before.unwrap_or_default()), lines(after.unwrap_or_default()));
    for group in groups(&old, &new) {
        let (before, after) = covered(&group);
        text.push_str(&header(&before, &after));
        text.push('\n');
        // Of two large files that have nothing in common millions of lines differ: none is copied but into the text.
        for (fate, bytes) in group.iter().flat_map(|op| told(op, &old, &new)) {
            text.push(fate.sign());
            text.push_str(&String::from_utf8_lossy(bytes));
            if !bytes.ends_with(b"\n") {
                text.push_str("\n\\ No newline at end of file\n");
            }
        }
    }
    text
}

/// The hunks between `before` and `after`, in order. Beyond [`DIFF_LINES_MAX`] lines the whole difference is one
/// hunk, to bound the time.
pub fn hunks(before: &[u8], after: &[u8]) -> Vec<Hunk> {
    let (old, new) = (lines(before), lines(after));
    groups(&old, &new).map(|group| hunk(&group, &old, &new)).collect()
}

/// The operations of each place where the lines differ, with the lines around it.
fn groups(old: &[&[u8]], new: &[&[u8]]) -> impl Iterator<Item = Vec<DiffOp>> + use<> {
    let changes = |group: &Vec<DiffOp>| group.iter().any(|op| !matches!(op, DiffOp::Equal { .. }));
    group_diff_ops(operations(old, new), CONTEXT_LINES).into_iter().filter(changes)
}

/// `before` with those hunks of [`hunks`] that are `chosen` by index; other indices choose nothing.
pub fn apply_hunks(before: &[u8], after: &[u8], chosen: &[usize]) -> Vec<u8> {
    let (old, new) = (lines(before), lines(after));
    let mut bytes = Vec::with_capacity(before.len().max(after.len()));
    let mut from = 0;
    for (at, hunk) in hunks(before, after).into_iter().enumerate() {
        bytes.extend(old[from..hunk.before.start].concat());
        let taken = if chosen.contains(&at) { &new[hunk.after] } else { &old[hunk.before.clone()] };
        bytes.extend(taken.concat());
        from = hunk.before.end;
    }
    bytes.extend(old[from..].concat());
    bytes
}

/// For each line after, the line before that it is, counted from 0; `None`: it is new.
pub fn kept_lines(before: &[u8], after: &[u8]) -> Vec<Option<usize>> {
    let (old, new) = (lines(before), lines(after));
    let mut kept = vec![None; new.len()];
    for op in operations(&old, &new) {
        if let DiffOp::Equal { old_index, new_index, len } = op {
            (0..len).for_each(|at| kept[new_index + at] = Some(old_index + at));
        }
    }
    kept
}

/// What `after` adds to `before`, added to `current` in its place: the whole, and the added lines alone.
/// `None`: it does more than add, or the place is gone: neither a line above it stands nor its heading.
pub fn added_onto(before: &[u8], after: &[u8], current: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let (old, new, now) = (lines(before), lines(after), lines(current));
    let stands = kept_lines(before, current);
    // An entry that stood above it may be gone, but no heading: the lines would come into another section.
    let has_place = |old_index: usize| {
        let mut above = (0..old_index).rev();
        let nearest = above.find(|at| stands.contains(&Some(*at)) || old[*at].starts_with(b"#"));
        old_index == 0 || nearest.is_some_and(|at| stands.contains(&Some(at)))
    };
    let (mut merged, mut added, mut done) = (Vec::new(), Vec::new(), 0);
    for op in operations(&old, &new) {
        match op {
            DiffOp::Equal { .. } => {}
            DiffOp::Insert { old_index, new_index, new_len } => {
                if !has_place(old_index) {
                    return None;
                }
                // Behind what others have added there since.
                let next = stands.iter().position(|at| at.is_some_and(|at| at >= old_index));
                let next = next.unwrap_or(now.len());
                merged.extend(now.get(done..next)?.concat());
                if !merged.is_empty() && !merged.ends_with(b"\n") {
                    return None;
                }
                let lines = new[new_index..new_index + new_len].concat();
                merged.extend_from_slice(&lines);
                added.extend(lines);
                done = next;
            }
            DiffOp::Delete { .. } | DiffOp::Replace { .. } => return None,
        }
    }
    merged.extend(now[done..].concat());
    Some((merged, added))
}

fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split_inclusive(|&byte| byte == b'\n').collect()
}

/// What stays, goes and comes, in order. What is the same at both ends is not compared again.
fn operations(old: &[&[u8]], new: &[&[u8]]) -> Vec<DiffOp> {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (&old[head..], &new[head..]);
    let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (&old_rest[..old_rest.len() - tail], &new_rest[..new_rest.len() - tail]);
    let middle = if old_rest.len().max(new_rest.len()) > DIFF_LINES_MAX {
        let whole = (old_rest.len(), new_rest.len());
        vec![DiffOp::Replace { old_index: 0, old_len: whole.0, new_index: 0, new_len: whole.1 }]
    } else {
        capture_diff_slices(Algorithm::Myers, old_rest, new_rest)
    };
    let ends = (head + old_rest.len(), head + new_rest.len());
    let first = DiffOp::Equal { old_index: 0, new_index: 0, len: head };
    let last = DiffOp::Equal { old_index: ends.0, new_index: ends.1, len: tail };
    let all = std::iter::once(first).chain(middle.into_iter().map(|op| moved(op, head))).chain([last]);
    all.filter(|op| !op.old_range().is_empty() || !op.new_range().is_empty()).collect()
}

fn moved(op: DiffOp, by: usize) -> DiffOp {
    let (old, new) = (op.old_range(), op.new_range());
    let (old_index, new_index) = (old.start + by, new.start + by);
    match op {
        DiffOp::Equal { len, .. } => DiffOp::Equal { old_index, new_index, len },
        DiffOp::Delete { old_len, .. } => DiffOp::Delete { old_index, old_len, new_index },
        DiffOp::Insert { new_len, .. } => DiffOp::Insert { old_index, new_index, new_len },
        DiffOp::Replace { old_len, new_len, .. } => {
            DiffOp::Replace { old_index, old_len, new_index, new_len }
        }
    }
}

fn hunk(group: &[DiffOp], old: &[&[u8]], new: &[&[u8]]) -> Hunk {
    let (before, after) = covered(group);
    let told = group.iter().flat_map(|op| told(op, old, new));
    let lines = told.map(|(fate, bytes)| Line { fate, bytes: bytes.to_vec() }).collect();
    Hunk { header: header(&before, &after), lines, before, after }
}

/// The lines that operations cover, before and after.
fn covered(group: &[DiffOp]) -> (Range<usize>, Range<usize>) {
    let start = group.first().map_or((0, 0), |op| (op.old_range().start, op.new_range().start));
    let end = group.last().map_or((0, 0), |op| (op.old_range().end, op.new_range().end));
    (start.0..end.0, start.1..end.1)
}

fn header(before: &Range<usize>, after: &Range<usize>) -> String {
    format!("@@ -{} +{} @@", span(before), span(after))
}

/// The lines of one operation: what goes before what comes.
fn told<'l>(
    op: &DiffOp,
    old: &'l [&[u8]],
    new: &'l [&[u8]],
) -> impl Iterator<Item = (Fate, &'l [u8])> + use<'l> {
    let (fate, come) = match op {
        DiffOp::Equal { .. } => (Fate::Kept, 0..0),
        _ => (Fate::Removed, op.new_range()),
    };
    let (old, new) = (&old[op.old_range()], &new[come]);
    old.iter().map(move |line| (fate, *line)).chain(new.iter().map(|line| (Fate::Added, *line)))
}

/// `3,7`; a count of one is left away, and an empty span names the line before it.
fn span(lines: &Range<usize>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => (lines.start + 1).to_string(),
        count => format!("{},{count}", lines.start + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    #[test]
    fn a_line_that_stayed_knows_where_it_stood() {
        assert_eq!(kept_lines(b"a\nb\nc\n", b"a\nx\nc\nd"), [Some(0), None, Some(2), None]);
        assert_eq!(kept_lines(b"", b""), []);
    }

    #[test]
    fn what_is_added_keeps_its_section_where_the_entry_above_it_is_gone() {
        let (before, after) = (b"# A\n- one\n\n# B\n", b"# A\n- one\n- two\n\n# B\n");
        let onto = |current: &[u8]| added_onto(before, after, current).map(|(merged, _)| merged);
        assert_eq!(onto(b"# A\n\n# B\n").as_deref(), Some(&b"# A\n- two\n\n# B\n"[..]));
        assert_eq!(
            onto(b"# A\n- one\n- three\n\n# B\n").as_deref(),
            Some(&b"# A\n- one\n- three\n- two\n\n# B\n"[..])
        );
        assert_eq!(onto(b"# B\n- four\n"), None, "its section is gone");
    }
    use proptest::prelude::*;

    fn check(before: Option<&str>, after: Option<&str>, expected: Expect) {
        let text = unified("MEMORY.md", before.map(str::as_bytes), after.map(str::as_bytes));
        expected.assert_eq(&text);
    }

    #[test]
    fn a_difference_reads_as_people_know_it() {
        check(
            Some("a\nb\nc\nd\ne\nf\n"),
            Some("a\nb\nc\nD\ne\nf"),
            expect![[r#"
                --- a/MEMORY.md
                +++ b/MEMORY.md
                @@ -1,6 +1,6 @@
                 a
                 b
                 c
                -d
                +D
                 e
                -f
                +f
                \ No newline at end of file
            "#]],
        );
        check(
            None,
            Some("one\n"),
            expect![[r#"
                --- /dev/null
                +++ b/MEMORY.md
                @@ -0,0 +1 @@
                +one
            "#]],
        );
        check(
            Some("one\ntwo\n"),
            None,
            expect![[r#"
                --- a/MEMORY.md
                +++ /dev/null
                @@ -1,2 +0,0 @@
                -one
                -two
            "#]],
        );
        check(Some("same\n"), Some("same\n"), expect![""]);
        check(None, None, expect![""]);
        check(
            None,
            Some(""),
            expect![[r#"
                --- /dev/null
                +++ b/MEMORY.md
            "#]],
        );
    }

    #[test]
    fn changes_that_lie_apart_are_chosen_one_by_one() {
        let before: String = (0..40).map(|n| format!("line {n}\n")).collect();
        let after = before.replace("line 3\n", "three\n").replace("line 30\n", "");
        let (before, after) = (before.as_bytes(), after.as_bytes());
        let headers: Vec<String> = hunks(before, after).into_iter().map(|hunk| hunk.header).collect();
        assert_eq!(headers, ["@@ -1,7 +1,7 @@", "@@ -28,7 +28,6 @@"]);
        let first = String::from_utf8(apply_hunks(before, after, &[0])).expect("text");
        assert!(first.contains("three\n") && first.contains("line 30\n"), "{first}");
        let second = String::from_utf8(apply_hunks(before, after, &[1, 7])).expect("text");
        assert!(second.contains("line 3\n") && !second.contains("line 30\n"), "{second}");
    }

    #[test]
    fn a_difference_beyond_the_limit_is_one_hunk_and_still_exact() {
        let lines = |salt: usize| -> Vec<u8> {
            (0..=DIFF_LINES_MAX).flat_map(|n| format!("{}\n", n * salt % 97).into_bytes()).collect()
        };
        let (before, after) = (lines(3), lines(5));
        assert_eq!(hunks(&before, &after).len(), 1);
        assert_eq!(apply_hunks(&before, &after, &[0]), after);
        assert_eq!(apply_hunks(&before, &after, &[]), before);
    }

    fn state() -> impl Strategy<Value = Vec<u8>> {
        let line = prop_oneof![
            Just(b"a\n".to_vec()),
            Just(b"b\r\n".to_vec()),
            Just(b"\n".to_vec()),
            Just(b"\xff\xfe\n".to_vec()),
            Just(b"c\rd\n".to_vec()),
            Just(b"e".to_vec()),
            Just("\u{feff}é\n".as_bytes().to_vec()),
        ];
        prop::collection::vec(line, 0..40).prop_map(|lines| lines.concat())
    }

    proptest! {
        #[test]
        fn none_chosen_is_before_and_all_chosen_is_after(before in state(), after in state()) {
            let all: Vec<usize> = (0..hunks(&before, &after).len()).collect();
            prop_assert_eq!(apply_hunks(&before, &after, &[]), before.clone());
            prop_assert_eq!(apply_hunks(&before, &after, &all), after.clone());
            prop_assert_eq!(all.is_empty(), before == after);
        }

        #[test]
        fn a_hunk_holds_the_lines_of_both_sides(before in state(), after in state()) {
            let (old, new) = (lines(&before), lines(&after));
            for hunk in hunks(&before, &after) {
                let side = |gone: Fate| -> Vec<u8> {
                    let kept = hunk.lines.iter().filter(|line| line.fate != gone);
                    kept.flat_map(|line| line.bytes.clone()).collect()
                };
                prop_assert_eq!(side(Fate::Added), old[hunk.before.clone()].concat());
                prop_assert_eq!(side(Fate::Removed), new[hunk.after.clone()].concat());
            }
        }
    }
}
