//! Keeps rule-like lines of a part that is cut from a text.
//!
//! AGENTS.md may have rules anywhere, so keeping only its ends would drop some silently. Invariant: a digest never
//! exceeds its budget, keeps the order of the file, and counts omitted lines.

use crate::core::inert;

/// Most characters of one line.
const LINE_CHARS_MAX: usize = 240;

/// Room for the line with the count of omitted lines.
const REST_CHARS: usize = 40;

/// Lower-case words that make a line a rule.
const RULE_WORDS: &[&str] = &[
    "must", "never", "always", "do not", "don't", "required", "forbidden", "security", "secret",
    "credential", "password", "private", "permission", "approval", "confirm", "test", "commit", "push",
    "delete", "禁止", "必须", "必須", "不得", "务必", "務必", "不要", "🔴",
];

/// The kept lines of a cut part.
pub(super) struct Digest {
    /// The lines and a blank line; empty if there are none.
    pub(super) text: String,
    /// Characters of the cut part in it.
    pub(super) shown_chars: usize,
}

/// The rules of `middle` in at most `room` characters: lines with a word of [`RULE_WORDS`] first, then headings and
/// list items while there is room.
pub(super) fn of(middle: &str, room: usize) -> Digest {
    let lines: Vec<(bool, String)> = middle.lines().filter_map(candidate).collect();
    let mut left = room.saturating_sub(REST_CHARS);
    let mut is_kept = vec![false; lines.len()];
    for wanted in [true, false] {
        for (at, (_, line)) in lines.iter().enumerate().filter(|(_, (is_rule, _))| *is_rule == wanted) {
            let chars = line.chars().count() + 1;
            if chars <= left {
                left -= chars;
                is_kept[at] = true;
            }
        }
    }
    let kept: Vec<&str> =
        lines.iter().zip(&is_kept).filter(|(_, kept)| **kept).map(|((_, line), _)| line.as_str()).collect();
    if kept.is_empty() {
        return Digest { text: String::new(), shown_chars: 0 };
    }
    let rest = lines.iter().zip(&is_kept).filter(|((is_rule, _), kept)| *is_rule && !**kept).count();
    let mut text = kept.join("\n") + "\n";
    let shown_chars = text.chars().count();
    if rest > 0 {
        text.push_str(&format!("[{rest} more rules are left out]\n"));
    }
    text.push('\n');
    Digest { text, shown_chars }
}

/// A line that may be kept, and whether it is a rule.
fn candidate(line: &str) -> Option<(bool, String)> {
    let trimmed = line.trim();
    let lower = trimmed.to_lowercase();
    let is_rule = RULE_WORDS.iter().any(|word| lower.contains(word));
    let is_item =
        trimmed.starts_with(['#', '-', '*', '+']) || trimmed.starts_with(|c: char| c.is_ascii_digit());
    (!trimmed.is_empty() && (is_rule || is_item))
        .then(|| (is_rule, inert::cut(line.trim_end(), LINE_CHARS_MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_come_before_other_lines_and_stay_in_the_order_of_the_file() {
        let middle = "Some prose.\n- bread\n- Never delete a note.\n\n## Style\nYou must ask first.\n";
        assert_eq!(
            of(middle, 500).text,
            "- bread\n- Never delete a note.\n## Style\nYou must ask first.\n\n"
        );
        assert_eq!(of(middle, 90).text, "- Never delete a note.\nYou must ask first.\n\n");
    }

    #[test]
    fn what_is_left_out_is_counted_and_the_room_is_never_exceeded() {
        let middle: String = (0..50).map(|rule| format!("- Never do the thing number {rule}.\n")).collect();
        for room in [0, 30, 70, 200, 1_000] {
            let digest = of(&middle, room);
            assert!(digest.text.chars().count() <= room, "{room}: {}", digest.text);
        }
        assert!(
            of(&middle, 200).text.ends_with("[45 more rules are left out]\n\n"),
            "{}",
            of(&middle, 200).text
        );
        assert_eq!(of("prose only\n", 200).text, "");
    }
    #[test]
    fn a_long_rule_is_shown_by_its_head_and_takes_no_room_of_others() {
        let middle = format!("- Never {}\n- Always ask first.\n", "sail ".repeat(200));
        let text = of(&middle, 400).text;
        assert!(text.starts_with("- Never sail sail ") && text.contains("\n- Always ask first.\n"), "{text}");
    }
}
