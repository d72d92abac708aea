//! Display names of places, and the list of rooms.

use inwit_model::Place;
use inwit_workspace::ScopedReader as _;

use crate::{Core, EngineError};

impl Core {
    /// Rooms that have a file or logs, by folder name.
    pub(crate) fn room_folders(&self) -> Result<Vec<String>, EngineError> {
        let listing = self.workspace.private().list()?;
        let places: Vec<Place> = listing.entries.iter().filter_map(|entry| Place::of(&entry.name)).collect();
        Ok(rooms_of(places.iter()))
    }
}

pub(crate) fn rooms_of<'p>(places: impl Iterator<Item = &'p Place>) -> Vec<String> {
    let mut rooms: Vec<String> = places.filter_map(room_of).collect();
    rooms.sort();
    rooms.dedup();
    rooms
}

fn room_of(place: &Place) -> Option<String> {
    match place {
        Place::Room { folder } | Place::RoomMemory { folder, .. } => Some(folder.clone()),
        _ => None,
    }
}

/// The kind of a place, as status counts it.
pub fn place_word(place: &Place) -> &'static str {
    match place {
        Place::File(kind) => kind.spec().title,
        Place::LegacyMemory => "memory.md",
        Place::Journal(_) => "daily logs",
        Place::Room { .. } => "room files",
        Place::RoomMemory { .. } => "room logs",
        Place::Topic => "topics",
        Place::Memory => "other memory",
        Place::Note => "notes",
        Place::Skill { .. } => "skills",
        Place::Report => "dream reports",
        Place::Foreign => "foreign",
        Place::Loose => "other pages",
    }
}
