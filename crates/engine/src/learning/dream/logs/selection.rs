//! Selects the logs of one model call.
//!
//! The newest logs come first, until the next one would exceed the total; so the selection has no holes. The newest
//! log is always selected, cut to its tail. Invariant: every log is either selected or over the budget, and the
//! budget counts the bytes that are sent.

use super::curator::ANSWER_TOKENS_MAX;
use inwit_model::SafeName;
use jiff::ToSpan as _;
use jiff::civil::Date;

/// Default total of one call, in bytes.
pub const TOTAL_BYTES_DEFAULT: u64 = 256 * 1024;

/// Default part of one log that is sent, in bytes.
pub const FILE_BYTES_DEFAULT: u64 = 64 * 1024;

/// Default age of a log up to which it is read, in days.
pub const WINDOW_DAYS_DEFAULT: u32 = 30;

/// Limits of a pass; settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogLimits {
    /// Most bytes of all logs in one call.
    pub total_bytes: u64,
    /// Most bytes of one log, and of MEMORY.md.
    pub file_bytes: u64,
    /// Days back from today.
    pub window_days: u32,
}

impl Default for LogLimits {
    fn default() -> Self {
        Self {
            total_bytes: TOTAL_BYTES_DEFAULT,
            file_bytes: FILE_BYTES_DEFAULT,
            window_days: WINDOW_DAYS_DEFAULT,
        }
    }
}

/// Bytes that count as one token.
const BYTES_PER_TOKEN: u64 = 3;

/// Tokens of the rules of a call, rounded up.
const RULES_TOKENS: u32 = 1_000;

/// Least bytes of a call, however small the context is.
const BYTES_MIN: u64 = 1_024;

impl LogLimits {
    /// The same for a model with a context of `tokens`: a third for MEMORY.md, the rest for logs.
    pub fn within_context(self, tokens: u32) -> Self {
        let answer = ANSWER_TOKENS_MAX.min(tokens / 2);
        let third = u64::from(tokens.saturating_sub(answer + RULES_TOKENS)) * BYTES_PER_TOKEN / 3;
        let most = |bytes: u64, limit: u64| bytes.min(limit.max(BYTES_MIN));
        Self {
            total_bytes: most(self.total_bytes, 2 * third),
            file_bytes: most(self.file_bytes, third),
            ..self
        }
    }

    /// Whether a log of `date` is new enough. A log without a date always is.
    pub fn is_in_window(&self, date: Option<Date>, today: Date) -> bool {
        let first = today.checked_sub(i64::from(self.window_days).days()).unwrap_or(Date::MIN);
        date.is_none_or(|date| date >= first)
    }
}

/// A log with text that no pass has read.
#[derive(Debug, Clone, PartialEq)]
pub struct UnreadLog {
    /// The file.
    pub path: SafeName,
    /// Its modification time, milliseconds since 1970, with a fraction.
    pub mtime_ms: f64,
    /// Its unread bytes.
    pub bytes: u64,
}

/// The selected logs, as indexes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Selection {
    /// Sent, oldest first.
    pub taken: Vec<usize>,
    /// Not sent for lack of room, newest first; a later pass reads them.
    pub over_budget: Vec<usize>,
}

/// Selects from `logs` in any order. Equal times are ordered by name.
pub fn select(logs: &[UnreadLog], limits: &LogLimits) -> Selection {
    let mut order: Vec<usize> = (0..logs.len()).collect();
    order.sort_by(|a, b| {
        let (a, b) = (&logs[*a], &logs[*b]);
        b.mtime_ms.total_cmp(&a.mtime_ms).then_with(|| b.path.cmp(&a.path))
    });
    let mut total = 0_u64;
    let taken = order.iter().enumerate().take_while(|(nth, at)| {
        total = total.saturating_add(logs[**at].bytes.min(limits.file_bytes));
        *nth == 0 || total <= limits.total_bytes
    });
    let taken = taken.count();
    let over_budget = order.split_off(taken);
    order.reverse();
    Selection { taken: order, over_budget }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn log(at: f64, bytes: u64) -> UnreadLog {
        let path = format!("memory/2026-11-{:02}.md", (at as u32) % 28 + 1);
        UnreadLog { path: SafeName::parse(&path).expect("a name"), mtime_ms: at, bytes }
    }

    const KB: u64 = 1024;

    /// Proves W39, W57.
    #[test]
    fn the_newest_logs_are_taken_until_one_does_not_fit() {
        let logs = [log(1.0, 10), log(2.0, 60 * KB), log(3.0, 50 * KB), log(4.0, 20 * KB)];
        let limits = LogLimits { total_bytes: 100 * KB, ..LogLimits::default() };
        let selection = select(&logs, &limits);
        assert_eq!(selection.taken, [2, 3], "oldest first");
        assert_eq!(selection.over_budget, [1, 0], "the small one behind the gap is not taken: no hole");
        let tight = LogLimits { total_bytes: 70 * KB, ..limits };
        assert_eq!(select(&logs, &tight).taken, [2, 3], "exactly the total still fits");
        let tighter = LogLimits { total_bytes: 70 * KB - 1, ..limits };
        assert_eq!(select(&logs, &tighter).taken, [3]);
    }

    /// Proves W57.
    #[test]
    fn the_newest_log_is_kept_even_if_it_exceeds_the_total_alone() {
        let logs = [log(1.0, 10), log(2.0, 500 * KB)];
        let limits = LogLimits { total_bytes: KB, ..LogLimits::default() };
        assert_eq!(select(&logs, &limits), Selection { taken: vec![1], over_budget: vec![0] });
        let wide = LogLimits { total_bytes: 64 * KB + 10, ..LogLimits::default() };
        assert_eq!(select(&logs, &wide).taken, [0, 1], "a log counts with the part that is sent");
    }

    /// Proves W39.
    #[test]
    fn the_window_is_counted_in_days_of_the_logs() {
        let limits = LogLimits { window_days: 30, ..LogLimits::default() };
        let day = |text: &str| Some(text.parse().expect("a date"));
        let today = day("2026-11-21").expect("a date");
        assert!(limits.is_in_window(day("2026-10-22"), today) && limits.is_in_window(None, today));
        assert!(!limits.is_in_window(day("2026-10-21"), today));
        assert!(limits.is_in_window(day("2026-11-23"), today), "a clock may have been wrong");
    }

    #[test]
    fn a_small_context_reduces_the_input_and_a_large_one_does_not() {
        let limits = LogLimits::default();
        // 16,384 tokens: 4,096 for the answer, 1,000 for the rules, and three bytes for each of the others.
        let small = limits.within_context(16_384);
        assert_eq!((small.total_bytes, small.file_bytes), (2 * 11_288, 11_288));
        let tiny = limits.within_context(2_048);
        assert_eq!((tiny.total_bytes, tiny.file_bytes), (1_024, 1_024));
        assert_eq!(limits.within_context(1_000_000), limits);
    }

    proptest! {
        #[test]
        fn the_selection_is_a_suffix_without_holes(
            logs in prop::collection::vec((0_u32..50, 1_u64..200), 0..20), total in 1_u64..600
        ) {
            let logs: Vec<UnreadLog> = logs.into_iter().map(|(at, bytes)| log(f64::from(at), bytes)).collect();
            let limits = LogLimits { total_bytes: total, file_bytes: 100, window_days: 30 };
            let Selection { taken, over_budget } = select(&logs, &limits);
            let mut all: Vec<usize> = taken.iter().chain(&over_budget).copied().collect();
            all.sort_unstable();
            prop_assert_eq!(all, (0..logs.len()).collect::<Vec<_>>());
            let size = |at: &usize| logs[*at].bytes.min(100);
            let sum: u64 = taken.iter().map(size).sum();
            prop_assert!(sum <= total || taken.len() == 1);
            prop_assert!(logs.is_empty() || !taken.is_empty());
            for (newer, older) in taken.iter().flat_map(|t| over_budget.iter().map(move |o| (t, o))) {
                prop_assert!(logs[*newer].mtime_ms >= logs[*older].mtime_ms);
            }
            if let Some(next) = over_budget.first() {
                prop_assert!(sum + size(next) > total);
            }
        }
    }
}
