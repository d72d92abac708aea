//! Iterates over the lines of a transcript, forwards or backwards, in bounded memory.
//!
//! A transcript may be larger than memory, so at most one line and one block are held. A last line without a line end
//! is incomplete: it is reported and not returned. Invariant: both directions return the same whole lines, and
//! neither follows a growing file.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read};
use std::ops::ControlFlow;
use std::os::unix::fs::FileExt as _;

use inwit_model::limit::TRANSCRIPT_LINE_BYTES_MAX;

/// Block size, in bytes.
const BLOCK_BYTES: usize = 64 * 1024;

/// What stands between two line ends.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Span<'a> {
    /// A whole line with its end.
    Whole(&'a [u8]),
    /// A line over the limit.
    TooLong,
    /// The last line, without an end.
    Torn,
}

/// Gives the lines of the first `bytes` of `file` from the byte `start` on, each with the place behind it.
pub(super) fn forwards(
    file: &File,
    start: u64,
    bytes: u64,
    visit: &mut dyn FnMut(Span<'_>, u64) -> ControlFlow<()>,
) -> io::Result<()> {
    let mut reader = BufReader::with_capacity(BLOCK_BYTES, Part { file, at: start, end: bytes });
    let (mut line, mut at) = (Vec::new(), start);
    loop {
        line.clear();
        let most = TRANSCRIPT_LINE_BYTES_MAX as u64 + 1;
        let mut length = (&mut reader).take(most).read_until(b'\n', &mut line)? as u64;
        if length == 0 {
            return Ok(());
        }
        let is_long = length == most;
        // A line over the limit is gone through in pieces.
        while is_long && line.last() != Some(&b'\n') {
            line.clear();
            match (&mut reader).take(most).read_until(b'\n', &mut line)? as u64 {
                0 => break,
                more => length += more,
            }
        }
        at += length;
        let span = match (line.last() == Some(&b'\n'), is_long) {
            (false, _) => Span::Torn,
            (true, true) => Span::TooLong,
            (true, false) => Span::Whole(&line),
        };
        if visit(span, at).is_break() {
            return Ok(());
        }
    }
}

/// Gives the lines of the first `bytes` of `file`, the last one first.
pub(super) fn backwards(
    file: &File,
    bytes: u64,
    visit: &mut dyn FnMut(Span<'_>) -> ControlFlow<()>,
) -> io::Result<()> {
    // Holds the file's bytes from `at` on, up to the end of the line that is given next.
    let (mut held, mut at, mut is_long): (Vec<u8>, u64, bool) = (Vec::new(), bytes, false);
    loop {
        while let Some(end) = line_end_before(&held, is_long) {
            if give(&held[end + 1..], is_long, visit).is_break() {
                return Ok(());
            }
            held.truncate(end + 1);
            is_long = false;
        }
        if at == 0 {
            if is_long || !held.is_empty() {
                let _ = give(&held, is_long, visit);
            }
            return Ok(());
        }
        if is_long || held.len() > TRANSCRIPT_LINE_BYTES_MAX {
            is_long = true;
            held.clear();
        }
        let block = usize::try_from(at.min(BLOCK_BYTES as u64)).unwrap_or(BLOCK_BYTES);
        at -= block as u64;
        let mut wider = vec![0; block];
        file.read_exact_at(&mut wider, at)?;
        wider.append(&mut held);
        held = wider;
    }
}

/// The end of the line before the one that `held` ends with. Of a long line the own end is dropped already.
fn line_end_before(held: &[u8], is_long: bool) -> Option<usize> {
    let body = if is_long { held } else { &held[..held.len().saturating_sub(1)] };
    body.iter().rposition(|&byte| byte == b'\n')
}

fn give(line: &[u8], is_long: bool, visit: &mut dyn FnMut(Span<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
    visit(match line.last() {
        _ if is_long => Span::TooLong,
        Some(b'\n') if line.len() > TRANSCRIPT_LINE_BYTES_MAX => Span::TooLong,
        Some(b'\n') => Span::Whole(line),
        _ => Span::Torn,
    })
}

/// A part of a file, read without moving anybody's place in it.
struct Part<'a> {
    file: &'a File,
    at: u64,
    end: u64,
}

impl Read for Part<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.end.saturating_sub(self.at)).unwrap_or(usize::MAX).min(buffer.len());
        let count = loop {
            match self.file.read_at(&mut buffer[..most], self.at) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                done => break done?,
            }
        };
        self.at += count as u64;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use proptest::prelude::*;

    use super::*;

    fn file(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(bytes).expect("written");
        file
    }

    fn told(span: &Span<'_>) -> String {
        match span {
            Span::Whole(line) => format!("{} {:?}", line.len(), line.first()),
            other => format!("{other:?}"),
        }
    }

    fn both(bytes: &[u8]) -> (Vec<String>, Vec<String>) {
        let (file, length) = (file(bytes), bytes.len() as u64);
        let (mut there, mut back) = (Vec::new(), Vec::new());
        let mut last = 0;
        forwards(&file, 0, length, &mut |span, at| {
            assert!(at > last && at <= length, "places go forward");
            last = at;
            there.push(told(&span));
            ControlFlow::Continue(())
        })
        .expect("read");
        backwards(&file, length, &mut |span| {
            back.push(told(&span));
            ControlFlow::Continue(())
        })
        .expect("read");
        back.reverse();
        (there, back)
    }

    #[test]
    fn a_line_at_the_limit_is_whole_and_one_over_it_is_not_held() {
        for (extra, expected) in [(0, false), (1, true), (3 * BLOCK_BYTES, true)] {
            let long = vec![b'x'; TRANSCRIPT_LINE_BYTES_MAX - 1 + extra];
            let bytes = [b"a\n", long.as_slice(), b"\nb\n"].concat();
            let (there, back) = both(&bytes);
            assert_eq!(there.len(), 3);
            assert_eq!(there[1] == "TooLong", expected, "{extra}");
            assert_eq!(there, back, "{extra}");
            let (there, back) = both(&long);
            assert_eq!(there.len(), 1, "a last line without an end");
            assert_eq!(there[0], "Torn");
            assert_eq!(back.len(), 1);
        }
    }

    #[test]
    fn a_look_may_stop_and_begin_anywhere() {
        let file = file(b"a\nbb\nccc\n");
        let mut seen = Vec::new();
        forwards(&file, 2, 9, &mut |_, at| {
            seen.push(at);
            ControlFlow::Break(())
        })
        .expect("read");
        assert_eq!(seen, [5]);
        let mut seen = Vec::new();
        forwards(&file, 0, 4, &mut |span, at| {
            seen.push((span == Span::Torn, at));
            ControlFlow::Continue(())
        })
        .expect("read");
        assert_eq!(seen, [(false, 2), (true, 4)], "what was added since the look began is not seen");
    }

    proptest! {
        #[test]
        fn both_directions_give_the_same_lines(
            lines in prop::collection::vec((0..3_usize, 0..200_000_usize), 0..6),
            is_torn in any::<bool>(),
        ) {
            let mut bytes = Vec::new();
            for (kind, length) in lines {
                let length = if kind == 0 { length % 7 } else { length };
                bytes.extend(std::iter::repeat_n(b'a' + kind as u8, length));
                bytes.push(b'\n');
            }
            if is_torn {
                bytes.extend(b"torn");
            }
            let (there, back) = both(&bytes);
            prop_assert_eq!(there, back);
        }
    }
}
