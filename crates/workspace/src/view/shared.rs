//! The views of everybody but the owner.
//!
//! They go from their list of names to the disk, never from the disk to a filter, where the list has
//! names; below a folder of the list, what stands beside the wanted files is dropped without a word.

use std::sync::Arc;

use inwit_model::ports::{Content, Entry, Folder, Listing, SkipReason, Skipped};
use inwit_model::{FILES, FileError, Files, Place, SafeName, Scope, Stamp};

use super::{ScopedReader, hidden, seen};
use crate::sieve;

/// The view of a room, or of a caller that did not say who it is.
#[derive(Clone)]
pub struct SharedView {
    files: Arc<dyn Files>,
    scope: Scope,
}

/// The view of an agent's helpers: some of the known files and nothing else.
#[derive(Clone)]
pub struct ListedView {
    files: Arc<dyn Files>,
    scope: Scope,
}

impl SharedView {
    pub(super) fn new(files: Arc<dyn Files>, scope: Scope) -> Self {
        Self { files, scope }
    }
}

impl ListedView {
    pub(super) fn new(files: Arc<dyn Files>, scope: Scope) -> Self {
        Self { files, scope }
    }
}

impl ScopedReader for SharedView {
    fn scope(&self) -> &Scope {
        &self.scope
    }

    fn list(&self) -> Result<Listing, FileError> {
        let mut listing = known(&*self.files, &self.scope);
        if let Scope::Room(room) = &self.scope {
            note(&*self.files, &format!("rooms/{}.md", room.folder()), &mut listing);
            let own = self.files.list(&[deep(&format!("memory/rooms/{}", room.folder()))])?;
            listing.entries.extend(own.entries);
            listing.skipped.extend(own.skipped);
        }
        // Of a skill's folder other scopes see only SKILL.md.
        let skills = self.files.list(&[deep("skills")])?;
        let shown = |entry: &Entry| matches!(Place::of(&entry.name), Some(Place::Skill { .. }));
        listing.entries.extend(skills.entries.into_iter().filter(shown));
        Ok(sieve::in_order(listing))
    }

    fn changes(&self) -> Option<u64> {
        self.files.changes()
    }

    fn read(&self, name: &SafeName) -> Result<Content, FileError> {
        seen(&*self.files, &self.scope, name).ok_or_else(|| hidden(name))?.read(name)
    }

    fn stamp(&self, name: &SafeName) -> Result<Option<Stamp>, FileError> {
        seen(&*self.files, &self.scope, name).map_or(Ok(None), |files| files.stamp(name))
    }
}

impl ScopedReader for ListedView {
    fn scope(&self) -> &Scope {
        &self.scope
    }

    fn list(&self) -> Result<Listing, FileError> {
        Ok(sieve::in_order(known(&*self.files, &self.scope)))
    }

    fn changes(&self) -> Option<u64> {
        self.files.changes()
    }

    fn read(&self, name: &SafeName) -> Result<Content, FileError> {
        seen(&*self.files, &self.scope, name).ok_or_else(|| hidden(name))?.read(name)
    }

    fn stamp(&self, name: &SafeName) -> Result<Option<Stamp>, FileError> {
        seen(&*self.files, &self.scope, name).map_or(Ok(None), |files| files.stamp(name))
    }
}

/// The known files that `scope` sees.
fn known(files: &dyn Files, scope: &Scope) -> Listing {
    let mut listing = Listing::default();
    for row in FILES.iter().filter(|row| row.kind.visible_to(scope)) {
        note(files, row.path, &mut listing);
    }
    listing
}

/// Adds one file by its name, where it is there.
fn note(files: &dyn Files, path: &str, listing: &mut Listing) {
    let Ok(name) = SafeName::parse(path) else { return };
    match files.stamp(&name) {
        Ok(Some(stamp)) => listing.entries.push(Entry { name, stamp, is_ignored: false }),
        Ok(None) => {}
        Err(_) => listing.skipped.push(Skipped { shown: path.to_owned(), reason: SkipReason::Unreadable }),
    }
}

fn deep(path: &str) -> Folder {
    Folder { path: path.to_owned(), deep: true }
}
