//! Cuts texts to a budget, with a marker for the omitted part.
//!
//! Keeps the head of a text, or its head and tail ([`Cut`]), cut at line ends where possible. The marker counts
//! towards the budget; it states how much is shown of how much, and the omitted lines.

use inwit_model::profile::Marker;

use super::policy_digest;

/// A text cut to its budget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fitted {
    /// The text, with the marker if it was cut.
    pub text: String,
    /// Characters of the text that are shown.
    pub shown_chars: usize,
    /// Characters of the whole text.
    pub total_chars: usize,
}

/// What is kept of a text over its budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// The head.
    Head,
    /// Head and tail, in percent of the budget without the marker.
    HeadAndTail {
        /// Percent of the head.
        head: usize,
        /// Percent of the tail.
        tail: usize,
    },
    /// Head and tail, and between them rule-like lines of the middle.
    HeadRulesTail,
}

/// Percent of the budget for the head, the rules and the tail of [`Cut::HeadRulesTail`].
const RULES_CUT: [usize; 3] = [45, 35, 15];

/// Cuts `text` of the file `name` to `budget` characters, marker included. `whole` is the stored file, whose lines
/// the marker cites. `None` if the marker and some text do not fit.
pub fn fit(text: &str, whole: &str, name: &str, budget: usize, marker: Marker, cut: Cut) -> Option<Fitted> {
    let total_chars = text.chars().count();
    if total_chars <= budget {
        return Some(Fitted { text: text.to_owned(), shown_chars: total_chars, total_chars });
    }
    match cut {
        Cut::Head => head_only(text, whole, name, budget, marker),
        Cut::HeadAndTail { head, tail } => around(text, whole, name, budget, [head, 0, tail]),
        Cut::HeadRulesTail => around(text, whole, name, budget, RULES_CUT),
    }
}

fn head_only(text: &str, whole: &str, name: &str, budget: usize, marker: Marker) -> Option<Fitted> {
    let total_chars = text.chars().count();
    // The marker's numbers are not known before the cut, so the longest possible ones are assumed.
    let reserve = mark(name, total_chars, total_chars, usize::MAX, marker).chars().count();
    let room = budget.checked_sub(reserve).filter(|room| *room > 0)?;
    let head = head_of(text, room);
    let shown_chars = head.chars().count();
    let next_line = next_line(head, whole);
    let mark = mark(name, shown_chars, total_chars, next_line, marker);
    Some(Fitted { text: format!("{}{mark}", head.trim_end_matches(['\n', '\r'])), shown_chars, total_chars })
}

/// Keeps `percents` of the budget for the head, the rules of the middle and the tail. If there is no room for both
/// ends, keeps the head only.
fn around(text: &str, whole: &str, name: &str, budget: usize, percents: [usize; 3]) -> Option<Fitted> {
    let total_chars = text.chars().count();
    let reserve = gap_mark(name, [total_chars; 3], total_chars, (usize::MAX, usize::MAX)).chars().count();
    let room = budget.saturating_sub(reserve);
    let [head_room, rules_room, tail_room] = percents.map(|percent| room * percent / 100);
    if head_room == 0 || tail_room == 0 {
        return head_only(text, whole, name, budget, Marker::Full);
    }
    let head = head_of(text, head_room);
    let tail = tail_of(&text[head.len()..], tail_room);
    let middle = &text[head.len()..text.len() - tail.len()];
    let left_out = (next_line(head, whole), line_before(tail, whole));
    let rules = policy_digest::of(middle, rules_room);
    let shown = [head.chars().count(), rules.shown_chars, tail.chars().count()];
    let mark = gap_mark(name, shown, total_chars, left_out);
    let text = format!(
        "{}{mark}{}{}",
        head.trim_end_matches(['\n', '\r']),
        rules.text,
        tail.trim_start_matches(['\n', '\r'])
    );
    Some(Fitted { text, shown_chars: shown.iter().sum(), total_chars })
}

/// The line of `whole`, from 1, after `head`. The head may lack leading blank lines and comments, so its lines are
/// matched in order.
pub(crate) fn next_line(head: &str, whole: &str) -> usize {
    let mut lines = whole.lines().enumerate();
    let mut next = 1;
    for shown in head.lines().filter(|line| !line.trim().is_empty()) {
        match lines.find(|(_, line)| same_line(line, shown)) {
            Some((at, _)) => next = at + 2,
            // The last line of a head may be cut; it continues there.
            None => return next,
        }
    }
    next
}

/// The first `room` characters, cut at a line end if one is in their second half.
fn head_of(text: &str, room: usize) -> &str {
    let end = text.char_indices().nth(room).map_or(text.len(), |(at, _)| at);
    let head = &text[..end];
    match head.rfind('\n') {
        Some(line_end) if line_end * 2 >= end => &head[..=line_end],
        _ => head,
    }
}

/// The last `room` characters, starting at a line start if one is in their first half.
fn tail_of(text: &str, room: usize) -> &str {
    let count = text.chars().count();
    let start = text.char_indices().nth(count.saturating_sub(room)).map_or(text.len(), |(at, _)| at);
    let tail = &text[start..];
    match tail.find('\n') {
        Some(line_end) if line_end * 2 <= tail.len() => &tail[line_end + 1..],
        _ => tail,
    }
}

/// The line of `whole`, from 1, before `tail`: the mirror of [`next_line`].
fn line_before(tail: &str, whole: &str) -> usize {
    let numbered: Vec<(usize, &str)> = whole.lines().enumerate().collect();
    let mut lines = numbered.iter().rev();
    let mut before = numbered.len();
    for shown in tail.lines().rev().filter(|line| !line.trim().is_empty()) {
        match lines.find(|(_, line)| same_line(line, shown)) {
            Some((at, _)) => before = *at,
            // The first line of a tail may be cut; it counts as partly omitted.
            None => return before,
        }
    }
    before
}

/// Whether `line` of a file is shown as `shown`.
fn same_line(line: &str, shown: &str) -> bool {
    line.trim_end() == shown.trim_end() || inwit_markdown::shown(line).trim_end() == shown.trim_end()
}

/// The marker for an omitted middle; `shown`: characters of the head, of the rules and of the tail.
fn gap_mark(name: &str, shown: [usize; 3], total: usize, (first, last): (usize, usize)) -> String {
    let last = if last == usize::MAX { total } else { last.max(first) };
    let first = if first == usize::MAX { total } else { first };
    let range = if first == last { format!("#L{first}") } else { format!("#L{first}-L{last}") };
    let but = match shown[1] {
        0 => String::new(),
        rules => format!(", except the {} characters of rules that follow", grouped(rules)),
    };
    let [head, _, tail] = shown.map(grouped);
    format!(
        "\n\n[… shown the first {head} and the last {tail} of {} characters of {name}; left out{but}: {name}{range}]\n\n",
        grouped(total)
    )
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

/// Formats a number as `12,000`.
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

    /// Proves X1.
    #[test]
    fn a_cut_says_how_much_is_shown_and_where_the_rest_begins() {
        let text: String = (1..=40).map(|line| format!("line {line} of the file\n")).collect();
        let fitted = fit(&text, &text, "MEMORY.md", 300, Marker::Full, Cut::Head).expect("it fits");
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
        let fitted = fit(&"x".repeat(500), "", "SOUL.md", 100, Marker::Nexo, Cut::Head).expect("it fits");
        assert_eq!(fitted.text, format!("{}\n\n[truncated]", "x".repeat(87)));
    }

    #[test]
    fn what_fits_is_untouched_and_what_cannot_be_marked_is_not_shown() {
        assert_eq!(
            fit("短い", "短い", "a.md", 2, Marker::Full, Cut::Head).map(|fitted| fitted.text).as_deref(),
            Some("短い")
        );
        assert_eq!(fit(&"x".repeat(50), "", "a.md", 20, Marker::Full, Cut::Head), None);
    }

    fn lines(count: usize) -> String {
        (1..=count).map(|line| format!("line {line} of the file\n")).collect()
    }

    #[test]
    fn head_and_tail_are_whole_lines_and_the_citation_names_exactly_those_between() {
        let text = lines(400);
        let cut = Cut::HeadAndTail { head: 75, tail: 25 };
        let fitted = fit(&text, &text, "MEMORY.md", 2_000, Marker::Full, cut).expect("it fits");
        assert!(fitted.text.chars().count() <= 2_000);
        let (head, rest) = fitted.text.split_once("\n\n[… ").expect("a marker");
        let (marker, tail) = rest.split_once("]\n\n").expect("the end of the marker");
        let (first, last) =
            marker.rsplit_once("MEMORY.md#L").expect("a citation").1.split_once("-L").expect("a range");
        assert_eq!(head.lines().count() + 1, first.parse::<usize>().expect("a line"));
        assert!(
            tail.starts_with(&format!("line {} of", last.parse::<usize>().expect("a line") + 1)),
            "{tail}"
        );
        assert!(tail.ends_with("line 400 of the file\n"));
        let (head, tail) = (head.chars().count(), tail.chars().count());
        assert!((3 * tail..=3 * tail + 200).contains(&(head + 100)), "75 to 25: {head} and {tail}");
    }

    #[test]
    fn rules_of_the_middle_stand_between_head_and_tail() {
        let text = format!("{}- Never push to main without a review.\n{}", lines(200), lines(200));
        let fitted =
            fit(&text, &text, "AGENTS.md", 3_000, Marker::Full, Cut::HeadRulesTail).expect("it fits");
        assert!(fitted.text.chars().count() <= 3_000);
        assert!(fitted.text.contains("- Never push to main without a review.\n"), "{}", fitted.text);
        let plain = Cut::HeadAndTail { head: 45, tail: 15 };
        let without = fit(&text, &text, "AGENTS.md", 3_000, Marker::Full, plain).expect("it fits");
        assert!(!without.text.contains("Never push"));
    }

    proptest! {
        /// Proves X4.
        #[test]
        fn no_budget_is_ever_exceeded(text in r"(\PC|\n){0,400}", budget in 0usize..300) {
            let cuts = [Cut::HeadAndTail { head: 75, tail: 25 }, Cut::HeadAndTail { head: 70, tail: 20 }, Cut::HeadRulesTail];
            for cut in cuts {
                if let Some(fitted) = fit(&text, &text, "AGENTS.md", budget, Marker::Full, cut) {
                    prop_assert!(fitted.text.chars().count() <= budget, "{:?}", fitted.text);
                    prop_assert!(fitted.shown_chars <= fitted.total_chars);
                }
            }
            for marker in [Marker::Full, Marker::Nexo] {
                if let Some(fitted) = fit(&text, &text, "memory/2026-11-21.md", budget, marker, Cut::Head) {
                    prop_assert!(fitted.text.chars().count() <= budget);
                    prop_assert!(fitted.shown_chars <= fitted.total_chars);
                    let head: String = text.chars().take(fitted.shown_chars).collect();
                    prop_assert!(fitted.text.starts_with(head.trim_end_matches(['\n', '\r'])));
                }
            }
        }
    }
}
