//! The daily logs of the last days.
//!
//! In private the private logs, in any layout; in a room the room's own. Newest day first, so that a budget cuts the
//! oldest. Views are required as witnesses: a holder of a shared one cannot get private logs.

use inwit_model::place::Day;
use inwit_model::ports::Listing;
use inwit_model::{Place, RoomId, SafeName};
use inwit_workspace::{PrivateView, SharedView};
use jiff::Span;
use jiff::civil::Date;

/// One daily log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Journal {
    /// Its file.
    pub name: SafeName,
    /// Its day.
    pub day: Day,
}

/// Private logs of the `days` days up to `today` (W29, C3, N28).
pub fn private(_view: &PrivateView, listing: &Listing, today: Date, days: u32) -> Vec<Journal> {
    recent(listing, today, days, &|place| match place {
        Place::Journal(day) => Some(day),
        _ => None,
    })
}

/// Logs of `room` of the `days` days up to `today` (X21).
pub fn of_room(_view: &SharedView, listing: &Listing, room: &RoomId, today: Date, days: u32) -> Vec<Journal> {
    recent(listing, today, days, &|place| match place {
        Place::RoomMemory { folder, day: Some(day) } if folder == room.folder() => Some(day),
        _ => None,
    })
}

/// Private logs up to `today`, newest day first, of any age.
pub fn latest(_view: &PrivateView, listing: &Listing, today: Date) -> Vec<Journal> {
    recent(listing, today, u32::MAX, &|place| match place {
        Place::Journal(day) => Some(day),
        _ => None,
    })
}

fn recent(listing: &Listing, today: Date, days: u32, day_of: &dyn Fn(Place) -> Option<Day>) -> Vec<Journal> {
    if days == 0 {
        return Vec::new();
    }
    // More days than the calendar has reach back to its beginning.
    let back = Span::new().try_days(i64::from(days - 1)).and_then(|span| today.checked_sub(span));
    let first = back.unwrap_or(Date::MIN);
    let journal = |name: &SafeName| {
        let day = Place::of(name).and_then(day_of)?;
        (first..=today).contains(&day.date).then(|| Journal { name: name.clone(), day })
    };
    let mut journals: Vec<Journal> =
        listing.entries.iter().filter_map(|entry| journal(&entry.name)).collect();
    journals.sort_by(|left, right| {
        right.day.date.cmp(&left.day.date).then_with(|| inwit_store::reading_order(&left.name, &right.name))
    });
    journals
}
