//! A reader of server-sent events, as the WHATWG defines them.
//!
//! Fields other than `event` and `data` are ignored. Invariant: the result does not depend on how the bytes are
//! split into pieces; an event of more than [`EVENT_BYTES_MAX`] bytes is an error.

/// Largest event, in bytes.
pub const EVENT_BYTES_MAX: usize = 1024 * 1024;

/// One event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Event {
    /// Its name; empty if it has none.
    pub name: String,
    /// Its data, with a line feed between lines.
    pub data: String,
}

/// An event that is too large.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLarge;

/// Reads events from pieces of bytes.
#[derive(Debug, Default)]
pub struct Reader {
    line: Vec<u8>,
    event: Event,
    has_data: bool,
    /// Whether the last byte was a carriage return, after which a line feed belongs to the same line end.
    is_after_cr: bool,
    is_begun: bool,
}

impl Reader {
    /// Reads `piece` and returns the events that it completes.
    pub fn feed(&mut self, piece: &[u8]) -> Result<Vec<Event>, TooLarge> {
        let mut events = Vec::new();
        for byte in piece {
            let is_second_half = self.is_after_cr && *byte == b'\n';
            self.is_after_cr = *byte == b'\r';
            match byte {
                _ if is_second_half => {}
                b'\r' | b'\n' => events.extend(self.end_line()),
                _ => self.line.push(*byte),
            }
            if self.line.len() + self.event.data.len() > EVENT_BYTES_MAX {
                return Err(TooLarge);
            }
        }
        Ok(events)
    }

    fn end_line(&mut self) -> Option<Event> {
        let bytes = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&bytes);
        let line = if self.is_begun { &*line } else { line.trim_start_matches('\u{feff}') };
        self.is_begun = true;
        if line.is_empty() {
            let event = std::mem::take(&mut self.event);
            return std::mem::take(&mut self.has_data).then_some(event);
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.event.name),
            "data" => {
                if std::mem::replace(&mut self.has_data, true) {
                    self.event.data.push('\n');
                }
                self.event.data.push_str(value);
            }
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(pieces: &[&[u8]]) -> Vec<(String, String)> {
        let mut reader = Reader::default();
        let events = pieces.iter().flat_map(|piece| reader.feed(piece).expect("small"));
        events.map(|event| (event.name, event.data)).collect()
    }

    #[test]
    fn events_are_read_by_the_rules_of_the_standard() {
        let of = |name: &str, data: &str| (name.to_owned(), data.to_owned());
        let text = "\u{feff}: comment\r\nevent: one\r\ndata: a\r\ndata:b\r\n\r\nid: 7\n\ndata\n\ndata: {\"x\": 1}\r\rdata: cut";
        assert_eq!(read(&[text.as_bytes()]), [of("one", "a\nb"), of("", ""), of("", "{\"x\": 1}")]);
    }

    #[test]
    fn an_event_without_an_end_is_refused() {
        let mut reader = Reader::default();
        assert!(reader.feed(&vec![b'x'; EVENT_BYTES_MAX]).is_ok());
        assert_eq!(reader.feed(b"x"), Err(TooLarge));
    }

    proptest! {
        #[test]
        fn pieces_do_not_change_the_events(text in "([a-z: ü\r\n]|data: |event: ){0,80}", at in 0usize..200) {
            let bytes = text.as_bytes();
            let (left, right) = bytes.split_at(at.min(bytes.len()));
            prop_assert_eq!(read(&[left, right]), read(&[bytes]));
        }
    }
}
