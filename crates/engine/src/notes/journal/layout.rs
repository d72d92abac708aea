//! The file of a session's daily log.
//!
//! Readers accept every layout (`model::place`); a profile selects the one that is written. A room's logs are under
//! `memory/rooms/<room>/` in all layouts (D3), so that no text of a room enters another prompt. Invariant:
//! `Place::of` parses each target as a log of its scope.

use inwit_model::{Layout, Place, SafeName, Scope, Sha256};
use jiff::civil::Date;

/// Characters of a session's id in a file's name.
pub const SESSION_PART_CHARS: usize = 8;

/// The daily log of `session` on `day` in `scope`. `None` for [`Scope::Shared`]: it could not be read there, and in a
/// private log untrusted text would enter private prompts; also for a day outside the years 1 to 9999.
pub fn target(layout: Layout, day: Date, session: &str, scope: &Scope) -> Option<SafeName> {
    if day.year() < 1 {
        return None;
    }
    let part = session_part(session);
    let name = match (scope, layout) {
        (Scope::Shared, _) => return None,
        (Scope::Room(room), Layout::PerSession) => format!("memory/rooms/{}/{day}-{part}.md", room.folder()),
        (Scope::Room(room), _) => format!("memory/rooms/{}/{day}.md", room.folder()),
        (_, Layout::PerSession) => format!("memory/{day}-{part}.md"),
        (_, Layout::PerDay | Layout::PerRoom) => format!("memory/{day}.md"),
        (_, Layout::Daily) => format!("memory/daily/{day}.md"),
        (_, Layout::Notes) => format!("notes/{day}.md"),
    };
    SafeName::parse(&name).ok()
}

/// The possible logs of a session, in order. Under [`Layout::PerSession`] two session ids may share a prefix; if the
/// first file belongs to another session, the second has 8 digits of the id's sha256 appended.
pub fn targets(layout: Layout, day: Date, session: &str, scope: &Scope) -> Vec<SafeName> {
    let first = target(layout, day, session, scope);
    let longer = |name: &SafeName| {
        let stem = name.as_str().strip_suffix(".md")?;
        let digits = Sha256::of(session.as_bytes()).short(SESSION_PART_CHARS);
        SafeName::parse(&format!("{stem}-{digits}.md")).ok()
    };
    let second = first.as_ref().filter(|_| layout == Layout::PerSession).and_then(longer);
    first.into_iter().chain(second).collect()
}

/// The first 8 characters of a session id if they are `[A-Za-z0-9_-]`; otherwise the first 8 hex digits of its
/// sha256.
pub fn session_part(session: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let part: String = session.chars().take(SESSION_PART_CHARS).collect();
    if !part.is_empty() && part.chars().all(plain) {
        part
    } else {
        Sha256::of(session.as_bytes()).short(SESSION_PART_CHARS)
    }
}

/// A unique part for a session in entries: its id if that is short, else the file name part and 8 hex digits of its
/// sha256.
pub fn turns_part(session: &str) -> String {
    let part = session_part(session);
    if part == session {
        return part;
    }
    format!("{part}-{}", Sha256::of(session.as_bytes()).short(SESSION_PART_CHARS))
}

/// Whether a profile with `layout` may have written a log with this name. Dated notes in other folders are not logs.
pub fn is_target(layout: Layout, name: &SafeName) -> bool {
    if Place::of(name).and_then(|place| place.date()).is_none() {
        return false;
    }
    let parts: Vec<&str> = name.as_str().split('/').collect();
    match parts.as_slice() {
        ["memory", _] | ["memory", "daily", _] | ["memory", "rooms", _, _] => true,
        ["notes", _] => layout == Layout::Notes,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use inwit_model::RoomId;
    use jiff::civil::date;
    use proptest::prelude::*;

    fn name(layout: Layout, session: &str, scope: &Scope) -> String {
        target(layout, date(2026, 11, 21), session, scope).expect("a journal").as_str().to_owned()
    }

    /// Proves W28, X19.
    #[test]
    fn each_layout_has_its_file() {
        let id = "a1b2c3d4-0000-4000-8000-000000000000";
        assert_eq!(name(Layout::PerSession, id, &Scope::Main), "memory/2026-11-21-a1b2c3d4.md");
        assert_eq!(name(Layout::PerDay, id, &Scope::Main), "memory/2026-11-21.md");
        assert_eq!(name(Layout::PerRoom, id, &Scope::Scheduled), "memory/2026-11-21.md");
        assert_eq!(name(Layout::Daily, id, &Scope::Main), "memory/daily/2026-11-21.md");
        assert_eq!(name(Layout::Notes, id, &Scope::Subagent), "notes/2026-11-21.md");
        let room = Scope::Room(RoomId::parse("kitchen").expect("a room"));
        assert_eq!(name(Layout::PerDay, id, &room), "memory/rooms/kitchen/2026-11-21.md");
        assert_eq!(name(Layout::PerSession, id, &room), "memory/rooms/kitchen/2026-11-21-a1b2c3d4.md");
        for word in Layout::WORDS {
            let layout = Layout::parse(word).expect("a layout");
            assert_eq!(target(layout, date(2026, 11, 21), id, &Scope::Shared), None);
            assert_eq!(target(layout, date(0, 1, 1), id, &Scope::Main), None);
        }
        assert_eq!(Layout::parse("per_year"), None);
    }

    #[test]
    fn an_odd_session_id_still_has_one_safe_part() {
        assert_eq!(session_part("abc"), "abc");
        assert_ne!(session_part("a/b"), session_part("a:b"));
        for odd in ["", "../../x", "会话", "a b", "[a]*{}", "a\nb"] {
            assert_eq!(session_part(odd).len(), 8, "{odd}");
        }
    }

    #[test]
    fn sessions_that_begin_alike_are_told_apart() {
        assert_eq!(turns_part("nightly"), "nightly");
        assert_ne!(turns_part("session-1"), turns_part("session-2"));
        let logs = |session| targets(Layout::PerSession, date(2026, 11, 21), session, &Scope::Main);
        let (one, other) = (logs("session-1"), logs("session-2"));
        assert_eq!(one[0].as_str(), "memory/2026-11-21-session-.md", "W28 names it so");
        assert_eq!((one.len(), &one[0]), (2, &other[0]));
        assert_ne!(one[1], other[1]);
        assert!(one[1].as_str().starts_with("memory/2026-11-21-session--"), "{}", one[1]);
        assert_ne!(logs("session-"), one, "an id of eight characters is as good as any");
        assert_eq!(targets(Layout::PerDay, date(2026, 11, 21), "session-1", &Scope::Main).len(), 1);
        assert!(turns_part("a1b2c3d4-0000-4000-8000-000000000000").starts_with("a1b2c3d4-"));
    }

    #[test]
    fn dated_notes_of_people_are_no_logs_of_ours() {
        let is = |layout, name| is_target(layout, &SafeName::parse(name).expect("a name"));
        for ours in [
            "memory/2026-11-21.md", "memory/2026-11-21-a1b2c3d4.md", "memory/daily/2026-11-21.md",
            "memory/rooms/x/2026-11-21.md",
        ] {
            assert!(is(Layout::PerSession, ours), "{ours}");
        }
        for theirs in ["notes/2026-11-21.md", "memory/trips/2026-11-21.md", "memory/rooms/x/y/2026-11-21.md"]
        {
            assert!(!is(Layout::PerSession, theirs), "{theirs}");
        }
        assert!(is(Layout::Notes, "notes/2026-11-21.md") && !is(Layout::Notes, "notes/bread.md"));
    }

    proptest! {
        #[test]
        fn a_journal_is_read_back_as_a_journal_of_its_scope(
            session in r"\PC{0,40}",
            room in r"[^\p{C}]{1,40}",
            days in 1i32..3_600_000,
            which in 0usize..5,
        ) {
            let day = date(1, 1, 1).saturating_add(jiff::Span::new().days(days));
            let layout = Layout::parse(Layout::WORDS[which]).expect("a layout");
            let room = RoomId::parse(&room).expect("a room");
            for scope in [Scope::Main, Scope::Subagent, Scope::Scheduled, Scope::Room(room.clone())] {
                for name in targets(layout, day, &session, &scope) {
                prop_assert!(is_target(layout, &name), "{name}");
                match (Place::of(&name), &scope) {
                    (Some(Place::RoomMemory { folder, day: Some(read) }), Scope::Room(_)) => {
                        prop_assert_eq!(folder, room.folder());
                        prop_assert_eq!(read.date, day);
                        prop_assert!(scope.sees(&Place::of(&name).expect("a place")));
                    }
                    (Some(Place::Journal(read)), Scope::Main | Scope::Subagent | Scope::Scheduled) => {
                        prop_assert_eq!(read.date, day);
                        prop_assert_eq!(read.session.is_some(), layout == Layout::PerSession);
                    }
                    (other, _) => prop_assert!(false, "{name} is read as {other:?}"),
                }
                }
            }
        }
    }
}
