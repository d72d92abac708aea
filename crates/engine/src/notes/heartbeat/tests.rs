//! What a rewrite of the memo changes, and what it never does.

use super::*;
use proptest::prelude::*;

fn state(turn_count: u32) -> State<'static> {
    let last_seen = "2026-11-21T14:03:00.5Z".parse().expect("a time");
    State { last_seen, session_id: "a1b2c3d4", surface: "repl", turn_count }
}

fn made(before: &str, loops: &[&str]) -> String {
    let loops: Vec<String> = loops.iter().map(|text| (*text).to_owned()).collect();
    let made = rewrite(Some(before.as_bytes()), &state(3), &loops).expect("rewritten");
    String::from_utf8(made).expect("text")
}

const BULLETS: &str =
    "- last_seen: 2026-11-21T14:03:00Z\n- session_id: a1b2c3d4\n- surface: repl\n- turn_count: 3\n";

/// Proves W32, X16.
#[test]
fn where_there_is_no_memo_a_fresh_one_is_made() {
    let made = rewrite(None, &state(3), &["call Bob".to_owned()]).expect("made");
    let text = String::from_utf8(made).expect("text");
    assert_eq!(
        text,
        format!("# HEARTBEAT\n\n## State\n\n{BULLETS}\n## Open loops\n\n- call Bob\n\n## Schedule\n")
    );
    assert_eq!(open_loops(text.as_bytes()), ["call Bob"]);
}

/// Proves W33, I7.
#[test]
fn a_schedule_stays_as_people_wrote_it() {
    let schedule =
        "## Schedule\n\n<!-- mine -->\n- Mondays:   mail\n\n\n- x: y\nunknown: field\n### Sub\n- z";
    let before = format!(
        "# HEARTBEAT\n\nA memo.\n\n## State\n\n- turn_count: 1\n\n## Open loops\n\n- old\n\n{schedule}"
    );
    let after = made(&before, &["new", "# odd\n## Schedule\n- forged"]);
    assert_eq!(
        after,
        format!(
            "# HEARTBEAT\n\nA memo.\n\n## State\n\n{BULLETS}\n## Open loops\n\n- new\n- \\# odd ## Schedule - forged\n\n{schedule}"
        )
    );
    assert_eq!(made(&after, &["new", "# odd\n## Schedule\n- forged"]), after, "twice is once");
}

/// Proves W20.
#[test]
fn a_rewrite_fills_the_sections_and_keys_of_the_template_and_no_others() {
    let template = inwit_workspace::template::of(inwit_model::FileKind::Heartbeat).expect("a template");
    let after = made(template, &[]);
    let headings = |text: &str| -> Vec<String> {
        text.lines().filter(|line| line.starts_with("## ")).map(str::to_owned).collect()
    };
    let expected: Vec<String> = ["## State", "## Open loops", "## Schedule"].map(str::to_owned).to_vec();
    assert_eq!([headings(template), headings(&after)], [expected.clone(), expected]);
    let keys = |text: &str| {
        let state =
            text.split("## State").nth(1).and_then(|rest| rest.split("\n## ").next()).expect("a section");
        let key = |line: &str| line.strip_prefix("- ")?.split_once(':').map(|(key, _)| key.to_owned());
        state.lines().filter_map(key).collect::<Vec<_>>()
    };
    assert_eq!(keys(template), ["last_seen", "session_id", "surface", "turn_count"]);
    assert_eq!(keys(&after), keys(template));
    let schedule = template.split("## Schedule").nth(1).expect("a section");
    assert!(after.ends_with(schedule), "{after}");
}

#[test]
fn a_fence_left_open_in_a_machine_section_does_not_take_the_schedule() {
    let before = "## State\n\n```\n- turn_count: 1\n\n## Schedule\n\n- mail\n";
    let after = made(before, &[]);
    assert!(after.ends_with("## Schedule\n\n- mail\n"), "{after}");
    assert!(!after.contains("```"), "{after}");
    let underlined = "## State\n\n```\nSchedule\n- a\nSchedule\n---\n- mail\n";
    assert!(made(underlined, &[]).ends_with("\nSchedule\n---\n- mail\n"));
    let before_loops = "## Schedule\n- mail\n## Open loops\n";
    assert!(made(before_loops, &[]).contains("\n## Schedule\n- mail\n## Open loops\n"));
    let closed = "## State\n\n```\n# not a heading\n```\n\n## Schedule\n\n- mail\n";
    assert!(made(closed, &[]).ends_with("## Schedule\n\n- mail\n"));
}

#[test]
fn a_checklist_without_our_sections_is_kept_whole() {
    for (before, lead, tail) in [
        ("- mail\n- bread", "- mail\n- bread", ""),
        ("# Tasks\n\n- mail\n", "# Tasks\n\n- mail\n", ""),
        ("# Schedule\n\n## State\n\n- mine\n", "", "# Schedule\n\n## State\n\n- mine\n"),
        ("# A\n\n## Mine\n\n- mail\n", "# A\n\n", "## Mine\n\n- mail\n"),
        ("- mail\n\n```\nopen", "- mail\n\n```\nopen\n```\n\n## State", ""),
    ] {
        let after = made(before, &[]);
        assert!(after.starts_with(lead) && after.ends_with(tail), "{before:?}: {after:?}");
        assert_eq!(made(&after, &[]), after);
    }
}

#[test]
fn at_most_ten_loops_are_kept_on_one_line_each() {
    let loops: Vec<String> = (0..14).map(|n| format!("loop {n}\nsecond line")).collect();
    let made = rewrite(None, &state(1), &loops).expect("made");
    let kept = open_loops(&made);
    assert_eq!(kept.len(), OPEN_LOOPS_MAX);
    assert_eq!(kept[9], "loop 9 second line");
}

#[test]
fn a_file_that_is_no_text_is_left() {
    assert_eq!(rewrite(Some(b"\xFF\xFE#\0"), &state(1), &[]), Err(HeartbeatError::NotText));
}

const PIECES: &str = r"(\u{FEFF}?((## State|## Open loops|## Schedule|# Schedule|### State|# HEARTBEAT|Schedule|---|```|~~~|<!-- x|-->|- a|- \[ \] b|> q|    code|text|~|unknown: x|§)(\n|\r\n|\n\n)){0,14}(## Schedule|- last|```)?)";

/// The raw bytes from the first real Schedule heading to the next heading of its level.
fn schedule_of(bytes: &[u8]) -> Option<Vec<u8>> {
    schedule(&outline(bytes)).map(<[u8]>::to_vec)
}

proptest! {
    /// Proves W33.
    #[test]
    fn every_byte_of_a_hostile_schedule_stays(before in PIECES, loops in prop::collection::vec(r"(\PC|[\n#`<-]){0,30}", 0..12)) {
        let Ok(after) = rewrite(Some(before.as_bytes()), &state(3), &loops) else {
            return Ok(());
        };
        if let Some(schedule) = schedule_of(before.as_bytes()) {
            let kept = schedule_of(&after).expect("a schedule");
            prop_assert_eq!(String::from_utf8_lossy(&kept), String::from_utf8_lossy(&schedule));
        }
        let again = rewrite(Some(&after), &state(3), &loops).expect("once more");
        prop_assert_eq!(String::from_utf8_lossy(&again), String::from_utf8_lossy(&after));
        let read = open_loops(&after);
        prop_assert!(read.len() <= OPEN_LOOPS_MAX);
        let kept = rewrite(Some(&after), &state(3), &read).expect("its own loops");
        prop_assert_eq!(open_loops(&kept), read);
    }

    /// What is found in a reply is read back from the memo in the same words, so that a mark of it holds.
    #[test]
    fn every_loop_is_read_back_in_the_words_it_was_found_in(
        text in r"((- |\* |\+ |1\. |> |\[ \]|\[x\] ?|\[X\]|# |\\|\*\*User:\*\*|_\(|\)_|<b|<!--|-->|```|\(none\)|a| |\t|\PC){0,12}|a{198}<b>{3}|#a{199}|\PC{190,230})",
        opener in prop::sample::select(vec!["- [ ] ", "TODO: ", "* [ ] ", "**TODO:** "]),
    ) {
        let found = loops_in(&format!("{opener}{text}"));
        let (loops, _) = merged(&[], &found, &[]);
        let made = rewrite(None, &state(3), &loops).expect("made");
        prop_assert_eq!(&open_loops(&made), &loops, "{:?}", String::from_utf8_lossy(&made));
        let again = rewrite(Some(&made), &state(4), &loops).expect("made");
        prop_assert_eq!(open_loops(&again), loops);
    }

    /// Proves I7.
    #[test]
    fn no_byte_outside_the_machine_sections_changes(
        schedule in r"((- |\* |text|<!-- c -->|```\nx\n```|### deep|\PC{0,6})(\n|\r\n)){0,12}\PC{0,4}", crlf in any::<bool>()
    ) {
        let lead = "# HEARTBEAT\n\nMine.\n\n## State\n\n- x: 1\n\n## Open loops\n\n- (none)\n\n## Schedule\n";
        let lead = if crlf { lead.replace('\n', "\r\n") } else { lead.to_owned() };
        let before = format!("{lead}{schedule}");
        prop_assume!(!schedule.contains("\u{0}"));
        let after = rewrite(Some(before.as_bytes()), &state(3), &[]).expect("rewritten");
        let after = String::from_utf8(after).expect("text");
        let tail = before.split_once("## Schedule").expect("there").1;
        prop_assert_eq!(after.split_once("## Schedule").expect("there").1, tail);
        prop_assert!(after.starts_with(before.split_once("## State").expect("there").0));
    }
}
