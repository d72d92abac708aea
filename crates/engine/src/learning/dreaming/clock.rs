//! Clock times at the beginning of log entries: `09:12 `, `[9:12 pm] `, `**21:05:30** - `.
//!
//! Invariant: what follows the time is unchanged, and a range or a ratio (`09:12-10:00`, `3:2`) is no clock time.

/// Signs that may stand around a time, and between it and the text.
const AROUND: [char; 6] = ['[', ']', '(', ')', '*', '`'];
const BETWEEN: [char; 6] = [':', '-', '–', '—', '|', ','];

/// Words behind a time that belong to it.
const SUFFIXES: [&str; 6] = ["am", "pm", "AM", "PM", "Uhr", "UTC"];

/// The text behind a clock time; `None` where it does not begin with one, or nothing follows.
pub(super) fn without_clock(text: &str) -> Option<&str> {
    let opened = text.trim_start_matches(AROUND);
    let mut rest = clock(opened)?;
    let spaced = rest.trim_start_matches(' ');
    if let Some(behind) = SUFFIXES.iter().find_map(|suffix| spaced.strip_prefix(suffix))
        && !behind.starts_with(char::is_alphanumeric)
    {
        rest = behind;
    }
    let closed = rest.trim_start_matches(AROUND);
    // `**09:12 Vera** left` marks more than the time.
    let is_closed = (opened.len() < text.len()) == (closed.len() < rest.len());
    let rest = closed.trim_start().trim_start_matches(BETWEEN);
    // Neither `09:12-10:00` nor `09:12am` has a blank behind the time or behind the sign after it.
    let has_blank = closed.starts_with(char::is_whitespace) || rest.starts_with(char::is_whitespace);
    let rest = rest.trim_start();
    let is_text = rest.contains(char::is_alphabetic) && !rest.starts_with(|c: char| c.is_ascii_digit());
    (has_blank && is_closed && is_text).then_some(rest)
}

/// What follows `H:MM`, `HH:MM` or `HH:MM:SS`.
fn clock(text: &str) -> Option<&str> {
    let (hour, rest) = text.split_once(':')?;
    let is_hour = (1..=2).contains(&hour.len()) && hour.parse::<u8>().is_ok_and(|hour| hour < 24);
    let rest = sixty(rest).filter(|_| is_hour)?;
    Some(rest.strip_prefix(':').and_then(sixty).unwrap_or(rest))
}

fn sixty(text: &str) -> Option<&str> {
    let (two, rest) = text.split_at_checked(2)?;
    let is_digit = |c: char| c.is_ascii_digit();
    (two.chars().all(is_digit) && two < "60" && !rest.starts_with(is_digit)).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_time_at_the_beginning_is_split_off() {
        for text in [
            "09:12 Vera left", "9:12 Vera left", "21:05:30 Vera left", "[09:12] Vera left",
            "**09:12** Vera left", "09:12: Vera left", "09:12 - Vera left", "09:12 – Vera left",
            "9:12 pm Vera left", "`09:12` Vera left", "(09:12 UTC) Vera left", "09:12am: Vera left",
        ] {
            assert_eq!(without_clock(text), Some("Vera left"), "{text}");
        }
        assert_eq!(without_clock("09:12 **Vera** left"), Some("**Vera** left"));
        assert_eq!(without_clock("08:00 早上跑步"), Some("早上跑步"));
        for text in [
            "Vera left at 09:12", "09:12", "09:12-10:00 standup", "3:2 for Vera", "09:77 Vera", "25:10 Vera",
            "09:12Vera", "12:30 10 boxes came", "09:125 Vera", "John 3:16 text", "", "09:1",
            "**09:12 Vera** left",
        ] {
            assert_eq!(without_clock(text), None, "{text}");
        }
    }
}
