//! Joins tokens that were split by line breaks.
//!
//! Invariant: the text copied around a break is bounded, also for many breaks.

use inwit_markdown::Rendered;

/// Smallest sum of two halves that is joined: no checked token is shorter.
const JOINED_BYTES_MIN: usize = 20;

/// The last word of each line joined with the first of the next, if a token may be split there; one pair per line,
/// with its seam. Prose words are too short.
pub fn joined(text: &str) -> (Rendered, Vec<usize>) {
    let bytes = text.as_bytes();
    let (mut folded, mut seams) = (Rendered::default(), Vec::new());
    let mut from = 0;
    let inside = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'/' | b'.');
    for at in memchr::memchr_iter(b'\n', bytes) {
        let line_end = if at > from && bytes[at - 1] == b'\r' { at - 1 } else { at };
        let next = at + 1 + bytes[at + 1..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let splits = line_end > from
            && inside(bytes[line_end - 1])
            && bytes.get(next).is_some_and(|byte| inside(*byte));
        if splits {
            let blank = |byte: &u8| byte.is_ascii_whitespace();
            let left = bytes[from..line_end].iter().rposition(blank).map_or(from, |blank| from + blank + 1);
            let right = bytes[next..].iter().position(blank).map_or(bytes.len(), |len| next + len);
            if (line_end - left) + (right - next) >= JOINED_BYTES_MIN {
                folded.copy(text, left..line_end);
                seams.push(folded.text.len());
                folded.copy(text, next..right);
                folded.stand_for(right..right, "\n");
            }
        }
        from = at + 1;
    }
    (folded, seams)
}

/// Shortest part of a token that was wrapped, and the shortest that another one follows, in bytes.
const PIECE_BYTES_MIN: usize = 8;
const WRAPPED_BYTES_MIN: usize = 16;

/// The text around wrapped tokens, with their parts joined: between two parts stand the end of a line, a tag, or the
/// quotes of two strings, perhaps with the indent and the marks of a quote, a list or a program. `None` where nothing
/// is wrapped.
pub fn unwrapped(text: &str) -> Option<(Rendered, Vec<usize>)> {
    let bytes = text.as_bytes();
    let (mut out, mut seams, mut done) = (Rendered::default(), Vec::new(), 0);
    for at in memchr::memchr3_iter(b'\n', b'<', b'"', bytes) {
        if at < done {
            continue;
        }
        let end = piece_end(bytes, at);
        if end < done || end == 0 || !is_of_piece(bytes[end - 1]) {
            continue;
        }
        let last = last_piece(&bytes[done..end]);
        if last.len() < WRAPPED_BYTES_MIN || !is_piece(last) {
            continue;
        }
        let Some(next) = piece_start(text, end) else { continue };
        let following = first_piece(&bytes[next..]);
        // `name:` begins a field of YAML.
        let behind = &bytes[next + following.len()..];
        let is_name = behind.starts_with(b":") && behind.get(1).is_none_or(u8::is_ascii_whitespace);
        if !is_piece(following) || is_assignment(following) || is_name || is_of_another_line(bytes, end, next)
        {
            continue;
        }
        copy_around(text, done, end, &mut out);
        seams.push(out.text.len());
        done = next;
    }
    if seams.is_empty() {
        return None;
    }
    copy_around(text, done, text.len(), &mut out);
    Some((out, seams))
}

/// Bytes before and behind a seam in which a label or the rest of a token may stand.
const AROUND_BYTES: usize = 600;

/// Copies what stands between two seams, without its middle where that is far from both.
fn copy_around(text: &str, from: usize, to: usize, out: &mut Rendered) {
    if to - from <= 2 * AROUND_BYTES {
        return out.copy(text, from..to);
    }
    let is_char = |at: &usize| text.is_char_boundary(*at);
    let behind = (from..=from + AROUND_BYTES).rev().find(is_char).unwrap_or(from);
    let before = (to - AROUND_BYTES..=to).find(is_char).unwrap_or(to);
    if !out.text.is_empty() {
        out.copy(text, from..behind);
    }
    out.stand_for(behind..behind, "\n");
    if to < text.len() {
        out.copy(text, before..to);
    }
}

/// Most bytes of marks between two parts of a token, and of a tag or comment among them.
const MARKS_BYTES_MAX: usize = 60;
const TAG_BYTES_MAX: usize = 40;

fn piece_end(bytes: &[u8], at: usize) -> usize {
    let is_mark = |byte: &&u8| !is_of_piece(**byte) && **byte != b'\n' || **byte == b'+';
    at - bytes[..at].iter().rev().take(MARKS_BYTES_MAX / 4).take_while(is_mark).count()
}

/// How many bytes the mark of a comment or the number of a line at its beginning has, with the blank behind it.
fn line_mark(line: &[u8]) -> usize {
    let first = line.first().copied().unwrap_or_default();
    let is_of_mark = |byte: &&u8| match first {
        b'#' | b'/' | b';' | b'%' | b'-' => **byte == first,
        _ => byte.is_ascii_digit(),
    };
    let mark = line.iter().take(LINE_MARK_BYTES_MAX).take_while(is_of_mark).count();
    let sign = mark + usize::from(matches!(line.get(mark), Some(b'.' | b')' | b':' | b'|')));
    if mark > 0 && matches!(line.get(sign), Some(b' ' | b'\t')) { sign + 1 } else { 0 }
}

/// Longest mark of a comment, and most digits of the number of a line.
const LINE_MARK_BYTES_MAX: usize = 4;

/// Where the part begins that follows the one that ends at `end`. `None`: what stands between does not join them.
fn piece_start(text: &str, end: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut next, mut lines, mut tags, mut quotes) = (end, 0, 0, 0);
    while next < bytes.len() && next - end < MARKS_BYTES_MAX {
        let rest = &bytes[next..];
        let mark = if bytes[..next].ends_with(b"\n") { line_mark(rest) } else { 0 };
        match rest[0] {
            b'<' => {
                let close = rest.iter().take(TAG_BYTES_MAX).position(|byte| *byte == b'>')?;
                // Attributes are of elements that part texts.
                if tags == 4 || rest[..close].contains(&b'=') {
                    return None;
                }
                tags += 1;
                next += close + 1;
            }
            b'\n' => {
                lines += 1;
                next += 1;
            }
            b'"' | b'\'' | b'`' => {
                quotes += 1;
                next += 1;
            }
            b' ' | b'\t' | b'\r' | b'\\' | b'>' => next += 1,
            b'+' if matches!(rest.get(1), Some(b' ' | b'\r' | b'\n')) => next += 1,
            b'*' if lines > 0 && rest.get(1) == Some(&b' ') => next += 2,
            b'.' if rest.starts_with(b"...") => next += 3,
            b'|' if lines > 0 || rest[1..].iter().take(4).any(|byte| *byte == b'\n') => next += 1,
            _ if mark > 0 => next += mark,
            _ if rest.starts_with("↵".as_bytes()) || rest.starts_with("…".as_bytes()) => next += 3,
            _ => break,
        }
    }
    let joins = (1..=2).contains(&lines) || lines == 0 && (tags > 0 || quotes == 2);
    (joins && text.is_char_boundary(next)).then_some(next)
}

/// Whether the line at `next` is no part of what the line at `end` holds: it begins with a date, or its mark is another one, as
/// that of a heading below an item of a list.
fn is_of_another_line(bytes: &[u8], end: usize, next: usize) -> bool {
    let line_of = |at: usize| {
        let start = memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |end| end + 1);
        bytes[start..].trim_ascii_start()
    };
    let mark = |at: usize| {
        let line = line_of(at);
        let mark = &line[..line_mark(line)];
        match mark.first() {
            Some(first) if first.is_ascii_digit() => b"1",
            _ => mark,
        }
    };
    let piece = first_piece(&bytes[next..]);
    let is_date = piece.len() >= 10
        && piece[..10].iter().enumerate().all(|(at, byte)| match at {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    memchr::memchr(b'\n', &bytes[end..next]).is_some()
        && (is_date || !mark(next).is_empty() && mark(next) != mark(end))
}

fn is_of_piece(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'/' | b'.' | b'=')
}

fn last_piece(bytes: &[u8]) -> &[u8] {
    let len = bytes.iter().rev().take_while(|byte| is_of_piece(**byte)).count();
    &bytes[bytes.len() - len..]
}

fn first_piece(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.iter().take_while(|byte| is_of_piece(**byte)).count()]
}

/// `NAME=value` is a separate line; a token has `=` at its end only.
fn is_assignment(piece: &[u8]) -> bool {
    memchr::memchr(b'=', piece).is_some_and(|at| piece[at..].iter().any(|byte| *byte != b'='))
}

/// Whether it is long enough and no word: a digit, or capitals inside.
fn is_piece(piece: &[u8]) -> bool {
    piece.len() >= PIECE_BYTES_MIN
        && (piece.iter().any(u8::is_ascii_digit)
            || piece[1..].iter().any(u8::is_ascii_uppercase) && piece.iter().any(u8::is_ascii_lowercase))
}
