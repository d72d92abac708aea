//! The id of a trace: one request, its log lines and its rows in the audit log have the same one.
//!
//! It belongs to the thread that works on the request, so that no operation has to pass it on. Invariant: it names a
//! request and changes nothing of what the request does.

use std::cell::Cell;
use std::fmt;

/// Sixteen bytes that are not all zero, written as 32 lower-case hex digits (W3C Trace Context).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceId([u8; 16]);

thread_local! {
    static CURRENT: Cell<Option<TraceId>> = const { Cell::new(None) };
}

impl TraceId {
    /// An id of random bytes.
    pub fn of(random: [u8; 16]) -> Self {
        // Zeros mean "no trace".
        let number = u128::from_be_bytes(random).max(1);
        Self(number.to_be_bytes())
    }

    /// Parses 32 lower-case hex digits that are not all `0`.
    pub fn parse(text: &str) -> Option<Self> {
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if text.len() != 32 || !text.bytes().all(is_digit) {
            return None;
        }
        let number = u128::from_str_radix(text, 16).ok().filter(|number| *number != 0)?;
        Some(Self(number.to_be_bytes()))
    }

    /// The trace that this thread works on.
    pub fn current() -> Option<Self> {
        CURRENT.get()
    }

    /// Runs `work` as part of this trace.
    pub fn within<T>(self, work: impl FnOnce() -> T) -> T {
        let _before = Before(CURRENT.replace(Some(self)));
        work()
    }
}

/// The trace before, restored also after a panic: the thread is used again.
struct Before(Option<TraceId>);

impl Drop for Before {
    fn drop(&mut self) {
        CURRENT.set(self.0);
    }
}

impl fmt::Display for TraceId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:032x}", u128::from_be_bytes(self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "00f067aa0ba902b74bf92f3577b34da6";

    #[test]
    fn an_id_is_32_lower_case_digits_that_are_not_all_zero() {
        assert_eq!(TraceId::parse(TEXT).expect("an id").to_string(), TEXT);
        let zeros = "0".repeat(32);
        for text in ["", &TEXT[1..], "+0f067aa0ba902b74bf92f3577b34da6", &TEXT.to_uppercase(), &zeros] {
            assert_eq!(TraceId::parse(text), None, "{text}");
        }
        assert!(TraceId::parse(&TraceId::of([0; 16]).to_string()).is_some());
    }

    #[test]
    fn a_trace_ends_with_its_work_also_after_a_panic() {
        let (first, second) = (TraceId::of([1; 16]), TraceId::of([2; 16]));
        first.within(|| {
            let panicked = std::panic::catch_unwind(|| second.within(|| panic!("on purpose")));
            assert!(panicked.is_err());
            assert_eq!(TraceId::current(), Some(first));
        });
        assert_eq!(TraceId::current(), None);
    }
}
