//! Splits a find into values.
//!
//! A token wrapped over lines is one finding, and so is a value with the lines below that might continue it: a date,
//! an id, the next list item. Each line may then hold a separate value, which is searched for elsewhere.

use std::ops::Range;

use super::check::strength::Strength;

/// Marks at the start of a line, before its text.
const MARKS: [char; 12] = [' ', '\t', '-', '*', '+', '#', '>', '|', '/', ';', '.', ')'];

/// The values in the finding at `span`. A finding on one line is one value. Of several lines, the first is a value if
/// it has no blank, and another line if it is a secret by itself. A block such as PEM has none.
pub fn values_of(text: &str, span: &Range<usize>) -> Vec<Range<usize>> {
    let found = &text[span.clone()];
    if !found.contains('\n') {
        return vec![span.clone()];
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
            // A key of several lines, such as one of PEM.
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
        assert_eq!(values("-----BEGIN PRIVATE KEY-----\nabc"), [""; 0], "a line of a key is no value");
    }
}
