//! Detects a mistyped room: it has no file, and another room has a similar name.
//!
//! Only for a person at a terminal, in commands that show notes. What a host gets for a room depends on no other room,
//! whether the room has a file or not.

use std::path::Path;

use inwit_model::distance::distance;
use inwit_model::name::shown;
use inwit_model::{Code, Scope};

use crate::error::CliError;
use crate::ui::Ui;

/// Largest edit distance of a mistyped name.
const DISTANCE_MAX: usize = 2;

/// Error: `room_unknown` at a terminal, for a room without files whose name is nearly that of another.
pub fn refuse_mistyped(scope: &Scope, workspace: &Path, ui: &Ui) -> Result<(), CliError> {
    let Scope::Room(room) = scope else { return Ok(()) };
    if !ui.is_for_person() {
        return Ok(());
    }
    let asked = room.folder();
    let rooms = all(workspace);
    if rooms.iter().any(|known| *known == asked) {
        return Ok(());
    }
    let near = |known: &&String| is_near(known, asked);
    let Some(known) = rooms.iter().filter(near).min() else { return Ok(()) };
    let message =
        format!("The room `{}` has no notes; did you mean `{}`?", shown(room.as_str()), shown(known));
    Err(CliError::new(Code::RoomUnknown, message))
}

/// The rooms with a file in `workspace`, in order.
pub fn all(workspace: &Path) -> Vec<String> {
    let mut rooms = stems(&workspace.join("rooms"));
    rooms.extend(stems(&workspace.join("memory/rooms")));
    rooms.sort();
    rooms.dedup();
    rooms
}

/// Whether one is the other mistyped. Names with different digits are two rooms.
fn is_near(known: &str, asked: &str) -> bool {
    let digits = |name: &str| name.chars().filter(char::is_ascii_digit).collect::<String>();
    let chars = asked.chars().count();
    chars > DISTANCE_MAX && digits(known) == digits(asked) && distance(known, asked) <= DISTANCE_MAX
}

/// The names in `folder`, without `.md`; none where it cannot be read.
fn stems(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    names.map(|name| name.trim_end_matches(".md").to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_other_digits_or_few_letters_is_another_room() {
        for (known, asked, expected) in [
            ("kitchen", "kichen", true),
            ("kitchen", "garden", false),
            ("team-1", "team-2", false),
            ("-100123", "-100124", false),
            ("ab", "ac", false),
        ] {
            assert_eq!(is_near(known, asked), expected, "{known} {asked}");
        }
    }
}
