//! Earlier entries of a session: a question names its answer as a secret, and later entries repeat the value.
//!
//! Hashes of such values are stored for private sessions only; here they are computed for any session that is read.
//! Invariant: of a long session the last [`HEARD_BYTES_MAX`] bytes count.

use std::collections::VecDeque;

use inwit_gate::secrets::Repeated;

/// Entries read before the first shown one.
pub const HEARD_BEFORE: usize = 64;

/// Most bytes of entries kept.
const HEARD_BYTES_MAX: usize = 1 << 20;

/// Entries in order.
#[derive(Debug, Default)]
pub struct Heard {
    entries: VecDeque<String>,
    bytes: usize,
}

impl Heard {
    /// Adds the next entry; the oldest are dropped beyond the limit.
    pub fn push(&mut self, content: &str) {
        self.bytes += content.len();
        self.entries.push_back(content.to_owned());
        while self.bytes > HEARD_BYTES_MAX && self.entries.len() > 1 {
            self.bytes -= self.entries.pop_front().map_or(0, |oldest| oldest.len());
        }
    }

    /// The values that they name.
    pub fn values(&self) -> Repeated {
        Repeated::of(self.entries.iter().map(String::as_str))
    }
}
