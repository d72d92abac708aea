//! Splits a find into values.
//!
//! A token wrapped over lines is one finding, and so is a value with the lines below that might continue it: a date,
//! an id, the next list item. Each line may then hold a separate value, which is searched for elsewhere.

use std::ops::Range;

use super::check::strength::Strength;

/// Marks at the start of a line, before its text.
const MARKS: [char; 12] = [' ', '\t', '-', '*', '+', '#', '>', '|', '/', ';', '.', ')'];

/// The values in the finding at `span`. A finding on one line is one value. Of several lines, the first is a value if
/// it has no blank, and another line if it is a secret by itself; of a block such as PEM each long line is one.
pub fn values_of(text: &str, span: &Range<usize>) -> Vec<Range<usize>> {
    let found = &text[span.clone()];
    if !found.contains('\n') {
        return vec![span.clone()];
    }
    if found.starts_with(BLOCK_BEGIN) {
        return lines_of_block(found).map(|line| span.start + line.start..span.start + line.end).collect();
    }
    let is_secret = |value: &str| Strength { is_password: true, is_sure: false }.holds(value);
    let (mut values, mut start) = (Vec::new(), span.start);
    for line in found.split('\n') {
        let is_first = start == span.start;
        // The digits are a list number, or the value.
        let begins = [line, line.trim_start_matches(MARKS), line.trim_start_matches(is_mark_or_digit)];
        let value =
            begins[usize::from(!is_first)..].iter().map(|value| value.trim_end_matches(ENDS)).find(|value| {
                !value.is_empty() && !value.contains(char::is_whitespace) && (is_first || is_secret(value))
            });
        match value {
            None if is_first => break,
            None => {}
            Some(value) => {
                let at = start + (value.as_ptr() as usize - line.as_ptr() as usize);
                values.push(at..at + value.len());
            }
        }
        start += line.len() + 1;
    }
    values
}

/// How a block of PEM begins.
const BLOCK_BEGIN: &str = "-----BEGIN";

/// Shortest line of a block that is a value by itself, in bytes.
const BLOCK_LINE_BYTES_MIN: usize = 24;

/// The lines of a block that have only base64.
fn lines_of_block(block: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    let mut start = 0;
    let lines = block.split('\n').map(move |line| {
        let at = start;
        start += line.len() + 1;
        at..at + line.trim_end().len()
    });
    lines.filter(move |line| line.len() >= BLOCK_LINE_BYTES_MIN && block[line.clone()].bytes().all(is_base64))
}

/// Characters that may follow the value on its line.
const ENDS: [char; 8] = ['\r', ' ', '\t', '|', '\\', '`', '"', '\''];

fn is_mark_or_digit(c: char) -> bool {
    MARKS.contains(&c) || c.is_ascii_digit()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(found: &str) -> Vec<&str> {
        values_of(found, &(0..found.len())).into_iter().map(|value| &found[value]).collect()
    }

    #[test]
    fn a_value_is_known_without_what_stands_in_the_line_below() {
        assert_eq!(values("Q7yVaQ8s2Lm4"), ["Q7yVaQ8s2Lm4"]);
        assert_eq!(values("Q7yVaQ8s2Lm4\n- 2026-11-27"), ["Q7yVaQ8s2Lm4"]);
        assert_eq!(values("Q7yVaQ8s2Lm4\n- FritzBox7590"), ["Q7yVaQ8s2Lm4"]);
        assert_eq!(
            values("Q7yVaQ8s2Lm4\n- R8zWbR9t3Mn5 |\r\n2. S9aXcS1u4No6"),
            ["Q7yVaQ8s2Lm4", "R8zWbR9t3Mn5", "S9aXcS1u4No6"]
        );
        let line = "MIIEow0BAAKCAQEA7bq0Xw0zJq9d";
        let key = format!("-----BEGIN PRIVATE KEY-----\r\n{line}\r\nabc\n-----END PRIVATE KEY-----");
        assert_eq!(values(&key), [line], "a long line of a key is one by itself");
    }
}
