//! Turns that no hook reported, taken from the host's own transcript by the next hook.
//!
//! A hook was killed, timed out or was never called, and the turn was in no log of inwit although the host had written it
//! down. Each test is a host that calls the hooks as Claude Code does, but for those that are missing.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::host::{DAY, Host, at, counted, home, logs, recorded, transcripts};

/// The end of one turn and the prompt of the next were both missed, so the last prompt that was heard has another reply.
#[test]
fn a_reply_is_never_kept_below_the_question_of_another_turn() {
    let cli = home();
    let host = Host::new(&cli, "s-pair");
    host.start(&cli, "startup");
    host.says("10:00:01", "Where is the peel?");
    host.prompt(&cli, "Where is the peel?");
    host.answers("Behind the oven.");
    host.says("10:00:05", "And the salt?");
    host.answers("Below the stairs.");
    host.stop(&cli, "Below the stairs.");
    host.says("10:00:09", "And the flour?");
    host.prompt(&cli, "And the flour?");
    host.answers("In the bin.");
    host.stop(&cli, "In the bin.");
    host.end(&cli);
    let kept = transcripts(&cli);
    let places: Vec<usize> = [
        "Where is the peel?", "Behind the oven.", "And the salt?", "Below the stairs.", "And the flour?",
        "In the bin.",
    ]
    .map(|words| {
        assert_eq!(kept.matches(words).count(), 1, "{words}: {kept}");
        kept.find(words).expect("kept")
    })
    .to_vec();
    assert!(places.is_sorted(), "{kept}");
}

/// The person typed the next prompt before the end of the turn was reported.
#[test]
fn a_late_end_of_a_turn_gives_its_reply_to_no_later_prompt() {
    let cli = home();
    let host = Host::new(&cli, "s-late");
    host.start(&cli, "startup");
    host.prompt(&cli, "Where is the peel?");
    host.says("10:00:01", "Where is the peel?");
    host.answers("Behind the oven.");
    host.prompt(&cli, "And the salt?");
    host.says("10:00:05", "And the salt?");
    host.stop(&cli, "Behind the oven.");
    host.answers("Below the stairs.");
    host.stop(&cli, "Below the stairs.");
    host.end(&cli);
    let kept = transcripts(&cli);
    let words = ["Where is the peel?", "Behind the oven.", "And the salt?", "Below the stairs."];
    let places = words.map(|words| kept.find(words));
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?}: {kept}");
    recorded(&cli, 2);
}

#[test]
fn a_turn_whose_end_was_never_reported_is_kept_once_when_the_next_session_begins() {
    let cli = home();
    let host = Host::new(&cli, "one");
    host.start(&cli, "startup");
    host.prompt(&cli, "Where is the peel?");
    host.says("10:00:10", "Where is the peel?");
    host.answers("Behind the oven.");
    for id in ["two", "three"] {
        Host::new(&cli, id).start(&cli, "startup");
        counted(&cli, &[("Where is the peel?", 1), ("Behind the oven.", 1)]);
    }
    cli.run(["doctor", "--json"]).hides("hook_failed").hides("transcript_unread");
}

#[test]
fn turns_that_were_all_reported_are_kept_once() {
    let cli = home();
    let host = Host::new(&cli, "one");
    host.start(&cli, "startup");
    // The first is written before it is reported, the second late, the third in between.
    host.prompt(&cli, "Where is the peel?");
    host.says("10:00:10", "Where is the peel?");
    host.answers("Behind the oven.");
    host.stop(&cli, "Behind the oven.");
    host.prompt(&cli, "yes");
    host.stop(&cli, "It hangs there now.");
    host.says("10:00:20", "yes");
    host.answers("It hangs there now.");
    host.prompt(&cli, "yes");
    host.says("10:00:30", "yes");
    host.stop(&cli, "The scale is on the shelf.");
    Host::new(&cli, "two").start(&cli, "startup");
    host.answers("The scale is on the shelf.");
    host.end(&cli);
    Host::new(&cli, "three").start(&cli, "startup");
    let once =
        ["Where is the peel?", "Behind the oven.", "It hangs there now.", "The scale is on the shelf."];
    counted(&cli, &once.map(|words| (words, 1)));
}

/// Claude Code reports no end of a turn that the person interrupts.
#[test]
fn a_turn_that_was_interrupted_is_kept_with_the_turn_after_it() {
    let cli = home();
    let host = Host::new(&cli, "one");
    host.start(&cli, "startup");
    host.prompt(&cli, "Move the peel.");
    host.says("10:00:10", "Move the peel.");
    host.answers("It hangs behind the oven.");
    host.says("10:00:15", "[Request interrupted by user]");
    host.prompt(&cli, "Not there, on the shelf.");
    host.says("10:00:20", "Not there, on the shelf.");
    host.answers("Moved to the shelf.");
    host.stop(&cli, "Moved to the shelf.");
    host.end(&cli);
    let once =
        ["Move the peel.", "It hangs behind the oven.", "Not there, on the shelf.", "Moved to the shelf."];
    counted(&cli, &once.map(|words| (words, 1)));
    let logs = logs(&cli);
    assert!(logs.find("Move the peel.") < logs.find("Not there, on the shelf."), "in order: {logs}");
}

/// The host was killed before it answered, and in the second case before it wrote anything down.
#[test]
fn a_prompt_whose_host_was_killed_is_kept_without_a_reply() {
    let cli = home();
    let host = Host::new(&cli, "one");
    host.start(&cli, "startup");
    host.prompt(&cli, "Where is the peel?");
    host.says("10:00:10", "Where is the peel?");
    host.start(&cli, "resume");
    host.prompt(&cli, "And where is the scale?");
    let cli = at(cli, "10:45:00");
    for id in ["two", "three"] {
        Host::new(&cli, id).start(&cli, "startup");
        counted(&cli, &[("Where is the peel?", 1), ("And where is the scale?", 1)]);
    }
    // A host that was only slow reports the end of the turn after all.
    host.says("10:00:20", "And where is the scale?");
    host.answers("On the shelf.");
    host.stop(&cli, "On the shelf.");
    host.end(&cli);
    counted(&cli, &[("And where is the scale?", 1), ("On the shelf.", 1)]);
}

/// Another session cannot tell a host that works for long from one that was killed.
#[test]
fn a_turn_that_was_taken_too_early_gets_the_rest_of_its_reply() {
    let cli = home();
    let host = Host::new(&cli, "one");
    host.start(&cli, "startup");
    host.prompt(&cli, "Bake the bread.");
    host.says("10:00:10", "Bake the bread.");
    host.answers("The dough rests.");
    let cli = at(cli, "10:45:00");
    Host::new(&cli, "two").start(&cli, "startup");
    counted(&cli, &[("Bake the bread.", 1), ("The dough rests.", 1)]);
    host.answers("The bread is baked.");
    host.stop(&cli, "The bread is baked.");
    host.prompt(&cli, "Bake the bread.");
    host.says("10:46:00", "Bake the bread.");
    host.answers("A second bread is baked.");
    host.stop(&cli, "A second bread is baked.");
    host.end(&cli);
    Host::new(&cli, "three").start(&cli, "startup");
    counted(&cli, &[("Bake the bread.", 2), ("The dough rests.", 1), ("The bread is baked.", 1)]);
    counted(&cli, &[("A second bread is baked.", 1)]);
}

/// A session that goes on keeps its transcript, gets a new id for it, or a new transcript with a copy of the old one.
#[test]
fn a_session_that_is_resumed_is_kept_once() {
    let cli = home();
    let host = Host::new(&cli, "one");
    host.start(&cli, "startup");
    host.says("10:00:10", "Where is the peel?");
    host.answers("Behind the oven.");
    // Killed, and resumed under its own id.
    host.start(&cli, "resume");
    host.prompt(&cli, "And the scale?");
    host.says("10:00:20", "And the scale?");
    host.answers("On the shelf.");
    host.stop(&cli, "On the shelf.");
    // Under a new id, with the same transcript.
    let again = Host { id: "again", path: host.path.clone() };
    let cli = at(cli, "10:10:00");
    again.start(&cli, "resume");
    again.says("10:10:10", "And the salt?");
    again.answers("In the drawer.");
    again.start(&cli, "resume");
    // With a copy.
    let cli = at(cli, "10:20:00");
    let copy = Host::new(&cli, "copy");
    copy.start(&cli, "resume");
    copy.write(&fs::read_to_string(&host.path).expect("a transcript"));
    copy.prompt(&cli, "And the yeast?");
    copy.says("10:20:10", "And the yeast?");
    copy.answers("In the fridge.");
    Host::new(&cli, "last").start(&cli, "startup");
    for (asked, answered) in [
        ("Where is the peel?", "Behind the oven."),
        ("And the scale?", "On the shelf."),
        ("And the salt?", "In the drawer."),
        ("And the yeast?", "In the fridge."),
    ] {
        counted(&cli, &[(asked, 1), (answered, 1)]);
    }
}

/// The host makes its transcript late, and its `stop` says no reply.
#[test]
fn the_first_turn_of_a_transcript_that_is_made_later_is_kept_with_its_reply() {
    let cli = home();
    let host = Host::new(&cli, "one");
    host.start(&cli, "startup");
    host.prompt(&cli, "Where is the peel?");
    host.hook(&cli, "stop", serde_json::json!({}));
    host.says("10:00:10", "Where is the peel?");
    host.answers("Behind the oven.");
    host.prompt(&cli, "And the scale?");
    host.says("10:00:20", "And the scale?");
    host.answers("On the shelf.");
    host.stop(&cli, "On the shelf.");
    host.end(&cli);
    counted(
        &cli,
        &[("Where is the peel?", 1), ("Behind the oven.", 1), ("And the scale?", 1), ("On the shelf.", 1)],
    );
}

#[test]
fn a_session_that_began_before_inwit_came_is_followed_from_there_on() {
    let cli = home();
    let host = Host::new(&cli, "one");
    host.says("09:00:00", "An old matter.");
    host.answers("An old answer.");
    host.says("10:00:10", "Where is the peel?");
    host.prompt(&cli, "Where is the peel?");
    host.answers("Behind the oven.");
    host.end(&cli);
    counted(&cli, &[("An old", 0), ("Where is the peel?", 1), ("Behind the oven.", 1)]);
}

#[test]
fn helpers_summaries_and_commands_are_no_turns() {
    let cli = home();
    let host = Host::new(&cli, "one");
    host.start(&cli, "startup");
    let line = |marks: Value, words: &str| {
        let mut line = json!({"type": "user", "timestamp": format!("{DAY}10:00:10Z"), "message": {"role": "user", "content": words}});
        line.as_object_mut().expect("an object").extend(marks.as_object().expect("marks").clone());
        format!("{line}\n")
    };
    host.says("10:00:10", "Where is the peel?");
    host.write(&line(json!({"isSidechain": true}), "A task of a helper"));
    host.write(&line(json!({"isMeta": true}), "A note of the host"));
    host.answers("Behind the oven.");
    host.hook(&cli, "pre-compact", json!({"trigger": "auto"}));
    host.write("{\"type\":\"system\",\"subtype\":\"compact_boundary\"}\n");
    host.write(&line(json!({"isCompactSummary": true}), "A summary of the session"));
    host.start(&cli, "compact");
    host.answers("It hangs there.");
    host.write(&line(json!({}), "<command-name>/clear</command-name>"));
    host.end(&cli);
    counted(&cli, &[("Where is the peel?", 1), ("It hangs there.", 1), ("A task", 0), ("A note", 0)]);
    counted(&cli, &[("A summary", 0), ("command-name", 0)]);
}

#[test]
fn two_hosts_at_once_lose_nothing_and_write_nothing_twice() {
    let cli = home();
    let [claude, codex] = [Host::new(&cli, "claude"), Host::new(&cli, "codex")];
    let of_codex = |role: &str, words: &str| {
        let parts =
            json!([{"type": if role == "user" { "input_text" } else { "output_text" }, "text": words}]);
        let line = json!({"timestamp": format!("{DAY}10:00:12Z"), "type": "response_item", "payload": {"type": "message", "role": role, "content": parts}});
        format!("{line}\n")
    };
    claude.start(&cli, "startup");
    codex.start(&cli, "startup");
    claude.prompt(&cli, "Where is the peel?");
    codex.prompt(&cli, "Where is the peel?");
    claude.says("10:00:10", "Where is the peel?");
    codex.write(&of_codex("user", "<environment_context>cwd</environment_context>"));
    codex.write(&of_codex("user", "Where is the peel?"));
    codex.write(&of_codex("assistant", "I found it behind the oven."));
    claude.answers("It hangs on the wall.");
    claude.stop(&cli, "It hangs on the wall.");
    claude.end(&cli);
    for id in ["two", "three"] {
        Host::new(&cli, id).start(&cli, "startup");
        let once = ["It hangs on the wall.", "I found it behind the oven."];
        counted(&cli, &once.map(|words| (words, 1)));
        counted(&cli, &[("Where is the peel?", 2), ("environment_context", 0)]);
    }
}

#[test]
fn a_session_in_which_memory_db_was_locked_is_kept_once_when_it_is_free() {
    let cli = home();
    let host = Host::new(&cli, "one");
    host.start(&cli, "startup");
    let mut agents =
        fs::read_dir(cli.home("inwit/agents")).expect("a home").map(|one| one.expect("one").path());
    let agent = agents.find(|path| path.join("memory.db").exists()).expect("an agent");
    let db = rusqlite::Connection::open(agent.join("memory.db")).expect("opened");
    db.execute_batch("PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE;").expect("locked");
    host.prompt(&cli, "Where is the peel?");
    host.says("10:00:10", "Where is the peel?");
    host.answers("Behind the oven.");
    host.prompt(&cli, "And the scale?");
    host.says("10:00:20", "And the scale?");
    host.answers("On the shelf.");
    let cli = at(cli, "10:00:25");
    host.stop(&cli, "On the shelf.");
    host.says("10:00:30", "And the salt?");
    host.answers("In the drawer.");
    let cli = at(cli, "10:01:00");
    host.end(&cli);
    drop(db);
    for id in ["two", "three"] {
        Host::new(&cli, id).start(&cli, "startup");
        let asked = ["Where is the peel?", "And the scale?", "And the salt?"];
        counted(&cli, &asked.map(|words| (words, 1)));
        counted(&cli, &["Behind the oven.", "On the shelf.", "In the drawer."].map(|words| (words, 1)));
        let logs = logs(&cli);
        assert!(
            logs.find("the peel") < logs.find("the scale") && logs.find("the scale") < logs.find("the salt"),
            "{logs}"
        );
    }
}

/// A person installed the plugin and ran `inwit setup` too, so each hook runs twice for one event.
#[test]
fn a_turn_whose_hooks_run_twice_is_kept_once_and_a_repeated_prompt_twice() {
    let cli = home();
    let host = Host::new(&cli, "one");
    // Hosts run the hooks of one event at once.
    let twice = |call: &(dyn Fn() + Sync)| {
        std::thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(call))));
    };
    twice(&|| host.start(&cli, "startup"));
    twice(&|| host.prompt(&cli, "Where is the peel?"));
    host.says("10:00:10", "Where is the peel?");
    host.answers("Behind the oven.");
    twice(&|| host.stop(&cli, "Behind the oven."));
    // The host writes these two late.
    for _ in 0..2 {
        twice(&|| host.prompt(&cli, "go on"));
        twice(&|| host.stop(&cli, "It hangs there."));
        host.says("10:00:20", "go on");
        host.answers("It hangs there.");
    }
    twice(&|| host.hook(&cli, "pre-compact", json!({"trigger": "auto"})));
    twice(&|| host.end(&cli));
    Host::new(&cli, "two").start(&cli, "startup");
    counted(&cli, &[("Where is the peel?", 1), ("Behind the oven.", 1), ("go on", 2)]);
    counted(&cli, &[("It hangs there.", 2)]);
    recorded(&cli, 3);
}

/// Nobody called a hook for the prompt, or the host went back to work after its first end.
#[test]
fn an_end_of_a_turn_that_is_reported_twice_is_kept_once() {
    let cli = home();
    let host = Host::new(&cli, "one");
    host.start(&cli, "startup");
    for time in ["10:00:10", "10:00:20"] {
        host.says(time, "go on");
        host.answers("It hangs there.");
        host.stop(&cli, "It hangs there.");
        host.stop(&cli, "It hangs there.");
    }
    recorded(&cli, 2);
    host.prompt(&cli, "Bake the bread.");
    host.says("10:00:25", "Bake the bread.");
    host.answers("The dough rests.");
    host.stop(&cli, "The dough rests.");
    host.answers("The bread is baked.");
    let again = json!({"last_assistant_message": "The bread is baked.", "stop_hook_active": true});
    host.hook(&cli, "stop", again.clone());
    host.hook(&cli, "stop", again);
    // A turn without a prompt hook that ends with the same words is found in the transcript.
    host.says("10:00:28", "Once more.");
    host.answers("The bread is baked.");
    host.stop(&cli, "The bread is baked.");
    host.end(&cli);
    counted(&cli, &[("go on", 2), ("It hangs there.", 2), ("Bake the bread.", 1)]);
    counted(&cli, &[("The dough rests.", 1), ("Once more.", 1), ("The bread is baked.", 2)]);
    recorded(&cli, 5);
}

/// A person moves the folder of the project, and the host finds its transcript elsewhere.
#[test]
fn a_transcript_that_moves_with_its_project_is_followed() {
    let cli = home();
    let mut host = Host::new(&cli, "one");
    host.start(&cli, "startup");
    host.says("10:00:10", "Where is the peel?");
    host.answers("Behind the oven.");
    host.stop(&cli, "Behind the oven.");
    host.says("10:00:20", "And the scale?");
    host.answers("On the shelf.");
    let moved = cli.home("moved.jsonl");
    fs::rename(&host.path, &moved).expect("moved");
    host.path = moved;
    host.start(&cli, "resume");
    host.end(&cli);
    counted(
        &cli,
        &["Where is the peel?", "Behind the oven.", "And the scale?", "On the shelf."]
            .map(|words| (words, 1)),
    );
    cli.run(["doctor", "--json"]).hides("hook_failed").hides("transcript_unread");
}

/// What somebody had erased still stands in the host's transcript.
#[test]
fn what_was_forgotten_does_not_come_back_from_a_transcript() {
    let cli = home();
    let host = Host::new(&cli, "one");
    host.start(&cli, "startup");
    host.prompt(&cli, "Where is the peel?");
    host.says("10:00:10", "Where is the peel?");
    host.answers("Behind the blue oven.");
    cli.run(["forget", "--everywhere", "blue oven", "--apply", "--yes"]).exits(0);
    host.prompt(&cli, "And the scale?");
    host.says("10:00:20", "And the scale?");
    host.answers("On the shelf.");
    host.end(&cli);
    counted(&cli, &[("blue oven", 0), ("And the scale?", 1), ("On the shelf.", 1)]);
}

/// Whatever stands in its place, the host goes on, doctor names it, and the prompt is kept.
#[test]
fn a_transcript_that_cannot_be_read_is_reported_and_tried_again() {
    for (at_path, why) in [("/dev/zero", "not a regular file"), ("$HOME/folder", "not a regular file")] {
        let cli = home();
        fs::create_dir(cli.home("folder")).expect("a folder");
        let path = at_path.replace("$HOME", &cli.home("").display().to_string());
        let host = Host { id: "one", path: PathBuf::from(path.replace("//", "/")) };
        host.start(&cli, "startup");
        host.prompt(&cli, "Where is the peel?");
        host.stop(&cli, "Behind the oven.");
        host.prompt(&cli, "And the scale?");
        host.end(&cli);
        counted(&cli, &[("Where is the peel?", 1), ("Behind the oven.", 1), ("And the scale?", 1)]);
        cli.run(["doctor"]).mentions("Host transcripts that cannot be read").mentions(why);
    }
    let cli = home();
    let host = Host::new(&cli, "one");
    host.start(&cli, "startup");
    host.write("id,words\n1,none\n");
    host.stop(&cli, "Behind the oven.");
    host.stop(&cli, "On the shelf.");
    cli.run(["doctor"]).mentions("its lines have an unsupported format");
    fs::remove_file(&host.path).expect("removed");
    host.says("10:00:10", "And the salt?");
    host.answers("In the drawer.");
    host.end(&cli);
    cli.run(["doctor"]).hides("an unsupported format");
    counted(&cli, &[("And the salt?", 1), ("In the drawer.", 1)]);
}

#[test]
fn a_transcript_that_is_deleted_is_reported() {
    let cli = home();
    let host = Host::new(&cli, "one");
    host.start(&cli, "startup");
    host.says("10:00:10", "Where is the peel?");
    host.answers("Behind the oven.");
    host.says("10:00:20", "And the scale?");
    host.stop(&cli, "On the shelf.");
    fs::remove_file(&host.path).expect("removed");
    let cli = at(cli, "10:45:00");
    Host::new(&cli, "two").start(&cli, "startup");
    counted(&cli, &[("Where is the peel?", 1), ("Behind the oven.", 1), ("On the shelf.", 1)]);
    cli.run(["doctor"]).mentions("it no longer exists");
}

/// Hosts write a command or a mention of a file with what they put in its place. The reply is too short to know a turn by.
#[test]
fn a_prompt_that_the_host_writes_otherwise_than_it_reported_it_is_kept_once() {
    let mut cli = home();
    let host = Host::new(&cli, "one");
    host.start(&cli, "startup");
    for (minute, (reported, written)) in [
        ("/tidy src", "Tidy the folder that follows: src"),
        ("Read @bread.md please.", "Read bread.md please.\n<file>rye</file>"),
    ]
    .into_iter()
    .enumerate()
    {
        cli = at(cli, &format!("10:0{minute}:00"));
        host.prompt(&cli, reported);
        host.says(&format!("10:0{minute}:00"), written);
        host.answers("Done.");
        host.stop(&cli, "Done.");
    }
    let cli = at(cli, "10:45:00");
    host.end(&cli);
    Host::new(&cli, "two").start(&cli, "startup");
    recorded(&cli, 2);
    counted(&cli, &[("Done.", 2), ("/tidy src", 1), ("@bread.md", 1), ("that follows", 0)]);
}

/// A host that gives no reply with its Stop may write its transcript a moment later. The reply belongs to the turn in whose
/// lines it stands, not to the prompt that was heard last.
#[test]
fn a_reply_that_the_host_writes_late_is_kept_with_its_prompt() {
    let cli = home();
    let host = Host::new(&cli, "one");
    host.write("");
    host.start(&cli, "startup");
    let turns = [
        ("Where is the peel?", "Behind the oven."),
        ("And the trough?", "Under the bench."),
        ("Who has the key?", "Ana has it."),
    ];
    for (number, (words, reply)) in turns.iter().enumerate() {
        host.prompt(&cli, words);
        // The second time its prompt stands there already.
        if number == 1 {
            host.says(&format!("09:59:5{number}"), words);
        }
        host.hook(&cli, "stop", json!({ "stop_hook_active": false }));
        if number != 1 {
            host.says(&format!("09:59:5{number}"), words);
        }
        host.answers(reply);
    }
    host.end(&cli);
    let kept = transcripts(&cli);
    let places: Vec<Option<usize>> =
        turns.iter().flat_map(|(words, reply)| [kept.find(words), kept.find(reply)]).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?}: {kept}");
    counted(&cli, &turns.map(|(_, reply)| (reply, 1)));
    recorded(&cli, 3);
    cli.run(["doctor"]).hides("hook_failed");
}
