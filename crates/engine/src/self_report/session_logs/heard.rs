//! What was said before an entry: a question names the answer to it, and a later entry says the bare value.
//!
//! Hashes of such values are kept for private sessions alone; here each reading of any session works them out. Invariant: of
//! a long session the last [`HEARD_BYTES_MAX`] bytes count.

use std::collections::VecDeque;

use inwit_gate::secrets::Repeated;

/// Entries before the first one that is shown which are read for it.
pub const HEARD_BEFORE: usize = 64;

/// Most bytes of entries that are kept.
const HEARD_BYTES_MAX: usize = 1 << 20;

/// Entries in the order in which they were said.
#[derive(Debug, Default)]
pub struct Heard {
    entries: VecDeque<String>,
    bytes: usize,
}

impl Heard {
    /// Adds the next entry; the oldest go where there are too many.
    pub fn push(&mut self, content: &str) {
        self.bytes += content.len();
        self.entries.push_back(content.to_owned());
        while self.bytes > HEARD_BYTES_MAX && self.entries.len() > 1 {
            self.bytes -= self.entries.pop_front().map_or(0, |oldest| oldest.len());
        }
    }

    /// The values that they give away.
    pub fn values(&self) -> Repeated {
        Repeated::of(self.entries.iter().map(String::as_str))
    }
}
