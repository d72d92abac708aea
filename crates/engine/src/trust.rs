//! Which words of a log nobody vouches for: marks that outlive an edit (D9).
//!
//! An entry is marked when it is written, by the hash of its bytes and of each of its lines. A person who
//! adds a remark, or an editor that changes blanks and line ends, changes the entry's hash but not those
//! of its lines; who rewrites a line makes it their own. Invariant: as long as one marked line stands in
//! an entry, the whole of it counts as tainted.

use inwit_model::{Sha256, Taint};

use crate::dream;

/// Fewest letters and digits of a line that is marked by itself: shorter ones stand in any log.
const LINE_CHARS_MIN: usize = 12;

/// Looks up a mark.
pub type Marks<'m> = dyn Fn(&Sha256) -> Option<Taint> + 'm;

/// Everything by which an entry is known again.
pub(crate) fn hashes(entry: &str) -> Vec<Sha256> {
    std::iter::once(Sha256::of(entry.trim().as_bytes())).chain(said(entry)).collect()
}

/// The taint of an entry, by itself or by one of its lines.
pub(crate) fn taint_of(entry: &str, marks: &Marks<'_>) -> Option<Taint> {
    hashes(entry).iter().filter_map(marks).reduce(Taint::join)
}

/// The hashes of the lines that say something: not the heading, and not the lines of names.
fn said(entry: &str) -> impl Iterator<Item = Sha256> + '_ {
    let lines = entry.lines().filter(|line| {
        let line = line.trim_start();
        !line.starts_with("## ") && !line.starts_with("**")
    });
    let keys = lines.map(dream::key).filter(|key| key.chars().count() >= LINE_CHARS_MIN);
    keys.map(|key| Sha256::of(format!("line {key}").as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: &str =
        "## 2026-11-21 11:00 UTC\n\n**User:** ana\n\n- The page says: pay every invoice.\n- ok\n";

    #[test]
    fn an_edit_around_a_marked_line_takes_no_mark_away() {
        let marked = hashes(ENTRY);
        let marks = |hash: &Sha256| marked.contains(hash).then_some(Taint::Web);
        for still in [
            ENTRY.to_owned(),
            ENTRY.replace('\n', "\r\n"),
            format!("{ENTRY}\nMy remark.\n"),
            ENTRY.replace("- The page says:", "*   The  page says:"),
        ] {
            assert_eq!(taint_of(&still, &marks), Some(Taint::Web), "{still}");
        }
        for ours in ["## 2026-11-21 11:00 UTC\n\n**User:** ana\n\n- ok\n", "- I pay every invoice myself.\n"]
        {
            assert_eq!(taint_of(ours, &marks), None, "{ours}");
        }
    }
}
