//! A cache of file contents, valid while the stamp is unchanged (R71).
//!
//! A prompt reads the same few files each turn. A file whose stamp changed, or is too recent to be reliable, is read
//! again, so the cache is never stale. Invariant: an entry was read through a view of a scope and is returned only to
//! views of that scope.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use inwit_model::ports::Content;
use inwit_model::{Clock, FileError, SafeName, Scope};
use inwit_workspace::ScopedReader;

use crate::core::sync::settled;

/// Most cached bytes; beyond that the cache is cleared.
const KEPT_BYTES_MAX: usize = 8 * 1024 * 1024;

/// See the module documentation.
#[derive(Default)]
pub(crate) struct Contents(Mutex<ContentCache>);

#[derive(Default)]
struct ContentCache {
    files: HashMap<(Scope, SafeName), Content>,
    bytes: usize,
}

impl Contents {
    /// The current content of `name`, read only if it may have changed. Errors: those of reading.
    pub(crate) fn read(
        &self,
        sight: &dyn ScopedReader,
        name: &SafeName,
        clock: &dyn Clock,
    ) -> Result<Content, FileError> {
        let key = (sight.scope().clone(), name.clone());
        if let Ok(Some(stamp)) = sight.stamp(name) {
            let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(content) = kept.files.get(&key).filter(|content| content.stamp == stamp) {
                return Ok(content.clone());
            }
        }
        let content = sight.read(name)?;
        if settled(content.stamp, clock.now()).is_some() {
            self.keep(key, content.clone());
        }
        Ok(content)
    }

    fn keep(&self, key: (Scope, SafeName), content: Content) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let size = content.bytes.len();
        if kept.bytes + size > KEPT_BYTES_MAX {
            *kept = ContentCache::default();
        }
        if size <= KEPT_BYTES_MAX {
            kept.bytes += size;
            if let Some(before) = kept.files.insert(key, content) {
                kept.bytes -= before.bytes.len();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use inwit_testkit::{FakeClock, Shelf, name};
    use inwit_workspace::Workspace;
    use std::sync::Arc;

    /// Proves R71.
    #[test]
    fn a_file_is_read_once_until_it_changes() {
        let shelf = Arc::new(Shelf::of("//- MEMORY.md\n- rye\n"));
        let view = Workspace::new(Arc::clone(&shelf) as _).private();
        let (contents, clock) = (Contents::default(), FakeClock::at("2026-11-21T12:00:00Z"));
        let read = || contents.read(&view, &name("MEMORY.md"), &clock).map(|content| content.bytes.to_vec());
        assert_eq!(read().as_deref(), Ok(&b"- rye\n"[..]));
        let reads = shelf.reads();
        assert_eq!(read().as_deref(), Ok(&b"- rye\n"[..]));
        assert_eq!(shelf.reads(), reads, "the second time nothing is read");
        shelf.write("MEMORY.md", "- oat\n");
        assert_eq!(read().as_deref(), Ok(&b"- oat\n"[..]));
        assert_eq!(shelf.reads(), reads + 1);
        shelf.remove("MEMORY.md");
        assert!(read().is_err(), "what is gone is not served");
    }
}
