//! Budgets: how much of a text is shown, and the mark that says so.
//!
//! Only the tail of a text is ever left away, at a line end where one is near, and the mark stands
//! inside the budget (X1, X4): it says how much is shown of how much and where the rest begins.

use inwit_model::profile::Marker;

/// A text brought into its budget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fitted {
    /// The text, with the mark when it was cut.
    pub text: String,
    /// Characters of the text that are shown.
    pub shown_chars: usize,
    /// Characters the text has.
    pub total_chars: usize,
}

/// Brings `text` of the file `name` into `budget` characters, mark included. `whole` is the file as it
/// stands, whose lines the mark counts. `None` when not even the mark and something to show fit.
pub fn fit(text: &str, whole: &str, name: &str, budget: usize, marker: Marker) -> Option<Fitted> {
    let total_chars = text.chars().count();
    if total_chars <= budget {
        return Some(Fitted { text: text.to_owned(), shown_chars: total_chars, total_chars });
    }
    // The mark's figures are not known before the cut; the longest they can be is.
    let reserve = mark(name, total_chars, total_chars, usize::MAX, marker).chars().count();
    let room = budget.checked_sub(reserve).filter(|room| *room > 0)?;
    let head = head_of(text, room);
    let shown_chars = head.chars().count();
    let next_line = next_line(head, whole);
    let mark = mark(name, shown_chars, total_chars, next_line, marker);
    Some(Fitted { text: format!("{}{mark}", head.trim_end_matches(['\n', '\r'])), shown_chars, total_chars })
}

/// The line of `whole`, from 1, at which what follows `head` begins. The head may lack blank lines at
/// its start and comments for machines, so its lines are looked for in order.
pub(crate) fn next_line(head: &str, whole: &str) -> usize {
    let mut lines = whole.lines().enumerate();
    let mut next = 1;
    for shown in head.lines().filter(|line| !line.trim().is_empty()) {
        let stands = |line: &str| {
            line.trim_end() == shown.trim_end() || inwit_markdown::shown(line).trim_end() == shown.trim_end()
        };
        match lines.find(|(_, line)| stands(line)) {
            Some((at, _)) => next = at + 2,
            // The last line of a head may end in the middle: it goes on there.
            None => return next,
        }
    }
    next
}

/// The first `room` characters, ended at a line end if one lies in their second half.
fn head_of(text: &str, room: usize) -> &str {
    let end = text.char_indices().nth(room).map_or(text.len(), |(at, _)| at);
    let head = &text[..end];
    match head.rfind('\n') {
        Some(line_end) if line_end * 2 >= end => &head[..=line_end],
        _ => head,
    }
}

fn mark(name: &str, shown: usize, total: usize, next_line: usize, marker: Marker) -> String {
    match marker {
        Marker::Nexo => "\n\n[truncated]".to_owned(),
        Marker::Full if next_line == usize::MAX => {
            format!(
                "\n\n[… shown {} of {} characters of {name}; the rest begins at {name}#L{}]",
                grouped(shown),
                grouped(total),
                total
            )
        }
        Marker::Full => {
            format!(
                "\n\n[… shown {} of {} characters of {name}; the rest begins at {name}#L{next_line}]",
                grouped(shown),
                grouped(total)
            )
        }
    }
}

/// `12,000`.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Proves X1, X4.
    #[test]
    fn a_cut_says_how_much_is_shown_and_where_the_rest_begins() {
        let text: String = (1..=40).map(|line| format!("line {line} of the file\n")).collect();
        let fitted = fit(&text, &text, "MEMORY.md", 300, Marker::Full).expect("it fits");
        assert!(fitted.text.chars().count() <= 300);
        let (head, mark) = fitted.text.split_once("\n\n[…").expect("a mark");
        let last = head.lines().last().expect("a line");
        let next = head.lines().count() + 1;
        assert_eq!(last, format!("line {} of the file", next - 1), "whole lines only");
        assert_eq!(
            mark,
            format!(
                " shown {} of {} characters of MEMORY.md; the rest begins at MEMORY.md#L{next}]",
                fitted.shown_chars,
                text.len()
            )
        );
    }

    #[test]
    fn the_line_of_the_rest_is_that_of_the_file() {
        let whole = "\n\nfirst\n<!-- trigger: a -->\nsecond <!-- importance: 3 -->\n\nthird\n";
        assert_eq!(next_line("first\nsecond\n", whole), 6);
        assert_eq!(next_line("first\nsec", whole), 4, "a line that is cut goes on from where it stands");
        assert_eq!(next_line("", whole), 1);
    }

    /// Proves N13.
    #[test]
    fn the_mark_of_nexo_is_its_own() {
        let fitted = fit(&"x".repeat(500), "", "SOUL.md", 100, Marker::Nexo).expect("it fits");
        assert_eq!(fitted.text, format!("{}\n\n[truncated]", "x".repeat(87)));
    }

    #[test]
    fn what_fits_is_untouched_and_what_cannot_be_marked_is_not_shown() {
        assert_eq!(
            fit("短い", "短い", "a.md", 2, Marker::Full).map(|fitted| fitted.text).as_deref(),
            Some("短い")
        );
        assert_eq!(fit(&"x".repeat(50), "", "a.md", 20, Marker::Full), None);
    }

    proptest! {
        #[test]
        fn no_budget_is_ever_exceeded(text in r"(\PC|\n){0,400}", budget in 0usize..300) {
            for marker in [Marker::Full, Marker::Nexo] {
                if let Some(fitted) = fit(&text, &text, "memory/2026-11-21.md", budget, marker) {
                    prop_assert!(fitted.text.chars().count() <= budget);
                    prop_assert!(fitted.shown_chars <= fitted.total_chars);
                    let head: String = text.chars().take(fitted.shown_chars).collect();
                    prop_assert!(fitted.text.starts_with(head.trim_end_matches(['\n', '\r'])));
                }
            }
        }
    }
}
