//! Logs of very many entries: each is given with its own lines, from either end.
//!
//! The lines of every entry were counted from the beginning of its log, and a marked line was compared with every entry.
//! An answer from a log of 30,000 short entries took 19 s.

use inwit_engine::notes::timeline::{Ask, Timeline};
use inwit_model::Scope;
use inwit_testkit::Shelf;
use jiff::civil::date;

use crate::profile;
use crate::world::world;

const ENTRIES: usize = 10_000;

/// The first lines and texts of the answer.
fn told(timeline: &Timeline) -> Vec<(u32, u32, &str)> {
    let each = timeline.moments.iter();
    each.map(|moment| (moment.first_line, moment.last_line, moment.text.as_str())).collect()
}

#[test]
fn an_entry_of_a_long_log_has_its_lines_from_either_end() {
    let shelf = Shelf::default();
    let entry = |at: usize| format!("## 2026-11-21 14:{:02} UTC\n\nhello {at}\n\n", at % 60);
    shelf.write("memory/2026-11-21.md", (0..ENTRIES).map(entry).collect::<String>());
    let world = world(profile("personal"), shelf);
    let ask = Ask { around: Some(date(2026, 11, 21)), days: 0, skip: ENTRIES - 2, limit: 1 };
    let last = world.agent.notes.timeline(&Scope::Main, &ask).expect("days");
    assert_eq!((told(&last), last.more), (vec![(39_995, 39_995, "hello 9998")], true));
    let rest = world.agent.notes.timeline(&Scope::Main, &Ask { skip: ENTRIES - 1, ..ask }).expect("days");
    assert_eq!((told(&rest), rest.more), (vec![(39_999, 39_999, "hello 9999")], false));
    let newest = world.agent.notes.timeline(&Scope::Main, &Ask { around: None, days: 0, skip: 0, limit: 2 });
    let newest = newest.expect("days");
    assert_eq!(told(&newest), [(39_999, 39_999, "hello 9999"), (39_995, 39_995, "hello 9998")]);
    assert!(newest.more);
}

/// A digest names the speaker above the items of an answer, and people write a name above a paragraph.
#[test]
fn no_entry_is_only_the_name_of_a_speaker() {
    let shelf = Shelf::default();
    shelf.write(
        "memory/2026-11-21.md",
        "# 2026-11-21\n\n## 2026-11-21 10:00 UTC\n\n**User:** ana\n**Agent:** ada\n\n- ana: Which bread?\n- ada:\n  - Rye.\n  - Wheat.\n- ana: Thanks.\n\n## Talk\n\n**ana:**\n\nHello there.\n\nNothing else.\n\n**bo:**\n\n## End\n\nDone.\n",
    );
    let world = world(profile("personal"), shelf);
    let ask = Ask { around: Some(date(2026, 11, 21)), days: 0, skip: 0, limit: 50 };
    let told = world.agent.notes.timeline(&Scope::Main, &ask).expect("days");
    let texts: Vec<(u32, &str)> =
        told.moments.iter().map(|moment| (moment.first_line, moment.text.as_str())).collect();
    assert_eq!(
        texts,
        [
            (8, "- ana: Which bread?"),
            (9, "- ada:\n  - Rye.\n  - Wheat."),
            (12, "- ana: Thanks."),
            (16, "**ana:**\n\nHello there."),
            (20, "Nothing else."),
            (26, "Done."),
        ]
    );
}
