//! Repairs JSON with unpaired surrogates.
//!
//! JavaScript may cut a text inside an emoji and writes the remaining half as an escape (`\ud83d`), which is not a
//! character, so a strict parser refuses the whole message. Invariant: only such an escape is changed, to `\ufffd`,
//! and no byte after the deciding one is waited for.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};

/// What stands for half a character.
const REPLACEMENT: &[u8] = br"\ufffd";

/// Digits of an escape.
const DIGITS: usize = 4;

/// Reads JSON, with U+FFFD in the place of half characters.
pub struct LossyJson<R> {
    input: R,
    /// Read, and not looked at yet.
    ahead: VecDeque<u8>,
    /// Looked at, and not given out yet.
    ready: VecDeque<u8>,
}

impl<R: BufRead> LossyJson<R> {
    /// JSON from `input`.
    pub fn new(input: R) -> Self {
        Self { input, ahead: VecDeque::new(), ready: VecDeque::new() }
    }

    fn byte(&mut self) -> io::Result<Option<u8>> {
        if let Some(byte) = self.ahead.pop_front() {
            return Ok(Some(byte));
        }
        let byte = self.input.fill_buf()?.first().copied();
        self.input.consume(usize::from(byte.is_some()));
        Ok(byte)
    }

    /// Looks at one byte, or at an escape from its backslash to its end.
    fn step(&mut self) -> io::Result<bool> {
        let Some(first) = self.byte()? else { return Ok(false) };
        self.ready.push_back(first);
        if first != b'\\' {
            return Ok(true);
        }
        let (unit, read) = self.unit(b"u")?;
        match unit {
            Some(0xdc00..=0xdfff) => self.replace(),
            Some(0xd800..=0xdbff) => match self.unit(br"\u")? {
                (Some(0xdc00..=0xdfff), second) => self.ready.extend(read.into_iter().chain(second)),
                (_, behind) => {
                    self.replace();
                    behind.into_iter().rev().for_each(|byte| self.ahead.push_front(byte));
                }
            },
            _ => self.ready.extend(read),
        }
        Ok(true)
    }

    /// The number behind `start`, and what was read for it: up to the first byte that does not belong to one.
    fn unit(&mut self, start: &[u8]) -> io::Result<(Option<u16>, Vec<u8>)> {
        let mut read = Vec::new();
        let mut unit = 0;
        while read.len() < start.len() + DIGITS {
            let Some(byte) = self.byte()? else { return Ok((None, read)) };
            let at = read.len();
            read.push(byte);
            match (start.get(at), char::from(byte).to_digit(16)) {
                (Some(wanted), _) if *wanted == byte => {}
                (None, Some(digit)) => unit = unit << 4 | digit as u16,
                _ => return Ok((None, read)),
            }
        }
        Ok((Some(unit), read))
    }

    fn replace(&mut self) {
        self.ready.pop_back();
        self.ready.extend(REPLACEMENT);
    }
}

impl<R: BufRead> Read for LossyJson<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        // As much as is there, and at least one byte: a host may keep its pipe open behind a message.
        let mut is_there = true;
        while self.ready.is_empty() && is_there {
            is_there = self.step()?;
        }
        self.ready.read(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_lossily(text: &str) -> String {
        let mut out = String::new();
        LossyJson::new(text.as_bytes()).read_to_string(&mut out).expect("text");
        out
    }

    #[test]
    fn half_a_character_becomes_the_replacement() {
        for (text, expected) in [
            (r#"{"a":"\ud83d"}"#, r#"{"a":"\ufffd"}"#),
            (r#"{"a":"\ude00 x"}"#, r#"{"a":"\ufffd x"}"#),
            (r#"{"a":"\ud83d\ud83d\ude00"}"#, r#"{"a":"\ufffd\ud83d\ude00"}"#),
            (r#"{"a":"\ud83d\n"}"#, r#"{"a":"\ufffd\n"}"#),
            (r#"{"a":"\ud83d\u0041"}"#, r#"{"a":"\ufffd\u0041"}"#),
        ] {
            assert_eq!(read_lossily(text), expected);
            serde_json::from_str::<serde_json::Value>(&read_lossily(text)).expect("JSON");
        }
    }

    #[test]
    fn everything_else_stays() {
        for text in [r#"{"a":"\ud83d\ude00 \\ud83d \u00e9 \" 😀"}"#, r"\", r"\u12", r"\\u", "", "no JSON"] {
            assert_eq!(read_lossily(text), text);
        }
    }

    /// A host may keep the pipe open.
    #[test]
    fn nothing_is_waited_for_behind_the_end_of_a_message() {
        struct Open<'b>(&'b [u8]);
        impl Read for Open<'_> {
            fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
                assert!(!self.0.is_empty(), "it would wait");
                self.0.read(out)
            }
        }
        let input = std::io::BufReader::new(Open(br#"{"a":"\ud83d"}"#));
        let mut values = serde_json::Deserializer::from_reader(LossyJson::new(input)).into_iter();
        let value: serde_json::Value = values.next().expect("one").expect("JSON");
        assert_eq!(value["a"], "\u{fffd}");
    }
}
