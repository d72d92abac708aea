//! MindRoom's `write_memory` (R14, R56).

use inwit_engine::notes::remember::{Entry, SECTION_DEFAULT};
use inwit_wire::tools::Arguments;

use super::keep;
use crate::call::Answered;
use crate::connection::Connection;

pub(super) fn write(connection: &Connection, said: &Arguments) -> Answered {
    let text = said.text("content").unwrap_or_default();
    if said.text("target") == Some("memory") {
        let entry = Entry { text, section: SECTION_DEFAULT };
        return keep::shown(keep::into_memory(connection, None, &entry, None));
    }
    keep::shown(keep::journal(connection, text, None))
}
