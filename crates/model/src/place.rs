//! The meaning of a path in a workspace, for the layouts of all five systems.
//!
//! Every form of daily log in X19 is accepted. Only `memory/rooms/<room>/` belongs to a room; everything else under
//! `memory/` is private. Invariant: the name alone decides.

use jiff::civil::Date;

use crate::{FileKind, SafeName};

/// The meaning of one Markdown file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A known file.
    File(FileKind),
    /// `memory.md`, the older OpenClaw name of `MEMORY.md`.
    LegacyMemory,
    /// A private daily log.
    Journal(Day),
    /// `rooms/<folder>.md`: the page of one room.
    Room {
        /// Folder name of the room.
        folder: String,
    },
    /// A file below `memory/rooms/<folder>/`, usually a daily log.
    RoomMemory {
        /// Folder name of the room.
        folder: String,
        /// The date in the name, if any.
        day: Option<Day>,
    },
    /// `memory/topics/*.md`.
    Topic,
    /// Any other file below `memory/`.
    Memory,
    /// `notes/*.md` without a date.
    Note,
    /// `skills/<name>/SKILL.md`.
    Skill {
        /// Name of the skill's folder.
        name: String,
    },
    /// Dream reports under `memory/dreaming/`: kept, never searched.
    Report,
    /// A file inside a skill's folder or a folder of a tool: ignored.
    Foreign,
    /// Any other Markdown file in the workspace: private, searched.
    Loose,
}

/// The date in a daily log's name, and the suffix after it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day {
    /// The date.
    pub date: Date,
    /// The suffix in `YYYY-MM-DD-<session>.md`.
    pub session: Option<String>,
}

/// Folders that tools create; Markdown in them is third-party documentation.
const FOREIGN_FOLDERS: &[&str] =
    &["node_modules", "venv", "site-packages", "__pycache__", "canvas", "avatars"];

/// Whether this folder name belongs to a tool; listings skip it.
pub fn is_foreign_folder(part: &str) -> bool {
    FOREIGN_FOLDERS.contains(&part)
}

/// Extensions of Markdown, always read.
const MARKDOWN_EXTENSIONS: &[&str] = &["md", "markdown"];

/// Extensions of text that is read as Markdown if the owner enables it.
pub const OTHER_TEXT_EXTENSIONS: &[&str] = &["mdx", "txt", "org"];

/// Whether this is a Markdown extension, in any case.
pub fn is_markdown_extension(extension: &str) -> bool {
    MARKDOWN_EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(extension))
}

/// Whether files with this extension may be read as Markdown.
pub fn is_text_extension(extension: &str) -> bool {
    let is_other = OTHER_TEXT_EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(extension));
    is_markdown_extension(extension) || is_other
}

impl Place {
    /// The place of a name; `None` if it is not a text file. A known name with other case (`Soul.md`,
    /// `memory/core.md`), another extension or an impossible date is an ordinary private file, and the gate creates
    /// no such file.
    pub fn of(name: &SafeName) -> Option<Self> {
        let text = name.as_str();
        let Some(stem) = text.strip_suffix(".md") else { return Self::of_other_extension(text) };
        if let Some(kind) = FileKind::at(text) {
            return Some(Self::File(kind));
        }
        if text == "memory.md" {
            return Some(Self::LegacyMemory);
        }
        let parts: Vec<&str> = stem.split('/').collect();
        if parts[..parts.len() - 1].iter().any(|part| is_foreign_folder(part)) {
            return Some(Self::Foreign);
        }
        let day = match parts.last().map(|last| Day::read(last)) {
            Some(DayReading::Day(day)) => Some(day),
            _ => None,
        };
        Some(match (parts.as_slice(), day) {
            (["rooms", room], _) => Self::Room { folder: (*room).to_owned() },
            (["memory", "rooms", room, _, ..], day) => Self::RoomMemory { folder: (*room).to_owned(), day },
            (["memory", "dreaming", ..], _) => Self::Report,
            (["skills", skill, "SKILL"], _) => Self::Skill { name: (*skill).to_owned() },
            (["skills", _, ..], _) => Self::Foreign,
            (["memory" | "notes", ..], Some(day)) => Self::Journal(day),
            (["memory", "topics", _, ..], None) => Self::Topic,
            (["memory", _, ..], None) => Self::Memory,
            (["notes", _, ..], None) => Self::Note,
            _ => Self::Loose,
        })
    }

    /// The place of a text file without `.md`: only its folder counts.
    fn of_other_extension(text: &str) -> Option<Self> {
        let extension = text.rsplit_once('.')?.1;
        if !is_text_extension(extension) {
            return None;
        }
        let parts: Vec<&str> = text.split('/').collect();
        let folders = &parts[..parts.len() - 1];
        Some(match folders {
            _ if folders.iter().any(|part| is_foreign_folder(part)) => Self::Foreign,
            ["skills", _, ..] => Self::Foreign,
            ["memory", "dreaming", ..] => Self::Report,
            ["memory", "rooms", room, ..] => Self::RoomMemory { folder: (*room).to_owned(), day: None },
            ["memory", "topics", ..] => Self::Topic,
            ["memory", ..] => Self::Memory,
            ["notes", ..] => Self::Note,
            _ => Self::Loose,
        })
    }

    /// Whether the name has the form of a daily log with an impossible date.
    pub fn has_impossible_date(name: &SafeName) -> bool {
        let stem = name.file().rsplit_once('.').map_or(name.file(), |(stem, _)| stem);
        matches!(Day::read(stem), DayReading::Impossible)
    }

    /// The date of a daily log's name.
    pub fn date(&self) -> Option<Date> {
        match self {
            Self::Journal(day) | Self::RoomMemory { day: Some(day), .. } => Some(day.date),
            _ => None,
        }
    }
}

/// Whether `place` is searched at all.
pub(crate) fn is_indexed(place: &Place) -> bool {
    match place {
        Place::File(kind) => kind.spec().indexed,
        Place::Skill { .. } | Place::Report | Place::Foreign => false,
        _ => true,
    }
}

enum DayReading {
    Day(Day),
    Impossible,
    NoDay,
}

impl Day {
    /// Parses `2026-11-21` or `2026-11-21-<session>`.
    fn read(stem: &str) -> DayReading {
        if !stem.is_char_boundary(10) || stem.len() < 10 || !shaped_like_date(&stem.as_bytes()[..10]) {
            return DayReading::NoDay;
        }
        let (head, tail) = stem.split_at(10);
        let session = match tail.strip_prefix(['-', '_', ' ']) {
            None if tail.is_empty() => None,
            Some(session) if !session.is_empty() => Some(session.to_owned()),
            _ => return DayReading::NoDay,
        };
        match head.parse::<Date>() {
            Ok(date) if date.year() > 0 => DayReading::Day(Self { date, session }),
            _ => DayReading::Impossible,
        }
    }
}

fn shaped_like_date(bytes: &[u8]) -> bool {
    bytes.iter().enumerate().all(|(at, byte)| match at {
        4 | 7 => *byte == b'-',
        _ => byte.is_ascii_digit(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RoomId, Scope};
    use jiff::civil::date;

    fn place(name: &str) -> Option<Place> {
        Place::of(&SafeName::parse(name).expect("a safe name"))
    }

    fn journal(name: &str) -> Option<(Date, Option<String>)> {
        match place(name) {
            Some(Place::Journal(day)) => Some((day.date, day.session)),
            _ => None,
        }
    }

    /// Proves X19.
    #[test]
    fn all_five_forms_of_a_daily_log_are_read() {
        let day = date(2026, 11, 21);
        assert_eq!(journal("memory/2026-11-21.md"), Some((day, None)));
        assert_eq!(journal("memory/2026-11-21-a1b2c3d4.md"), Some((day, Some("a1b2c3d4".into()))));
        assert_eq!(journal("memory/2026-11-21-1430.md"), Some((day, Some("1430".into()))));
        assert_eq!(journal("memory/daily/2026-11-21.md"), Some((day, None)));
        assert_eq!(journal("memory/_global/2026-11-21.md"), Some((day, None)));
        assert_eq!(journal("notes/2026-11-21.md"), Some((day, None)));
        let room = place("memory/rooms/kitchen/2026-11-21.md").expect("a place");
        assert_eq!(
            room,
            Place::RoomMemory { folder: "kitchen".into(), day: Some(Day { date: day, session: None }) }
        );
    }

    #[test]
    fn a_file_with_a_date_that_no_calendar_has_is_no_daily_log() {
        for odd in
            ["memory/2026-02-30.md", "memory/2026-13-01.md", "memory/0000-00-00.md", "memory/2026-02-30-x.md"]
        {
            assert_eq!(place(odd), Some(Place::Memory), "{odd}");
            assert!(Place::has_impossible_date(&SafeName::parse(odd).expect("a safe name")), "{odd}");
        }
        assert_eq!(place("memory/2026-1-1.md"), Some(Place::Memory));
        assert_eq!(place("2026-02-30.md"), Some(Place::Loose));
        assert!(!Place::has_impossible_date(&SafeName::parse("memory/2026-02-28.md").expect("a safe name")));
    }

    #[test]
    fn a_file_with_another_extension_has_no_part_but_that_of_its_folder() {
        let kitchen = Place::RoomMemory { folder: "kitchen".into(), day: None };
        for (name, meaning) in [
            ("Kiln.markdown", Place::Loose),
            ("SOUL.markdown", Place::Loose),
            ("NOTES.TXT", Place::Loose),
            ("rooms/kitchen.markdown", Place::Loose),
            ("memory/rooms/kitchen/2026-11-21.markdown", kitchen),
            ("memory/2026-11-21.txt", Place::Memory),
            ("notes/x.org", Place::Note),
            ("skills/bread/SKILL.markdown", Place::Foreign),
            ("node_modules/x/readme.markdown", Place::Foreign),
        ] {
            assert_eq!(place(name), Some(meaning), "{name}");
        }
        for other in ["x.json", "markdown", "x"] {
            assert_eq!(place(other), None, "{other}");
        }
    }

    #[test]
    fn a_known_name_in_another_spelling_is_an_ordinary_private_file() {
        for (name, meaning) in [
            ("Memory.md", Place::Loose),
            ("soul.md", Place::Loose),
            ("Agents.md", Place::Loose),
            ("dreams.md", Place::Loose),
            ("memory/core.md", Place::Memory),
        ] {
            assert_eq!(place(name), Some(meaning), "{name}");
            assert!(!Scope::Shared.sees(&place(name).expect("a place")), "{name}");
        }
        assert_eq!(place("MEMORY.MD"), Some(Place::Loose));
        assert_eq!(place("memory.md"), Some(Place::LegacyMemory));
    }

    /// Proves I1, X21.
    #[test]
    fn a_room_sees_its_own_file_and_logs_and_no_others() {
        let kitchen = Scope::Room(RoomId::parse("kitchen").expect("a room"));
        let sees = |name: &str| kitchen.sees(&place(name).expect("a place"));
        for shown in [
            "SOUL.md", "AGENTS.md", "IDENTITY.md", "rooms/kitchen.md", "memory/rooms/kitchen/2026-11-21.md",
            "memory/rooms/kitchen/plans.md", "skills/bread/SKILL.md",
        ] {
            assert!(sees(shown), "{shown}");
        }
        for hidden in [
            "MEMORY.md", "memory.md", "USER.md", "TOOLS.md", "HEARTBEAT.md", "BOOTSTRAP.md", "DREAMS.md",
            "memory/CORE.md", "memory/2026-11-21.md", "memory/2026-11-21-kitchen.md",
            "memory/kitchen/2026-11-21.md", "memory/daily/2026-11-21.md", "rooms/garden.md",
            "memory/rooms/garden/2026-11-21.md", "memory/topics/kitchen.md", "notes/kitchen.md",
            "memory/rooms/kitchen.md", "skills/bread/notes.md", "kitchen.md", "users/a/USER.md",
        ] {
            assert!(!sees(hidden), "{hidden}");
            assert!(!Scope::Shared.sees(&place(hidden).expect("a place")), "{hidden}");
        }
    }
}
