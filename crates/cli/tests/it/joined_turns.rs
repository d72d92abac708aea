//! What is private in a turn, and what the person types while the agent works: kept once, or not at all.

use std::fs;
use std::path::PathBuf;

use serde_json::json;

use crate::host::{Host, command, counted, home, recorded, transcripts};

#[test]
fn what_is_private_in_a_missed_turn_is_not_kept() {
    let cli = home();
    let host = Host::new(&cli, "one");
    host.start(&cli, "startup");
    host.says("10:00:10", "Note the door. <private>pin zorblax</private>");
    host.answers("Noted: zorblax.");
    host.says("10:00:20", "Paint it blue. <private>pin quokkaz</private>");
    host.says("10:00:21", "Now, please.");
    host.answers("Blue, with quokkaz.");
    host.end(&cli);
    counted(
        &cli,
        &[("Note the door.", 1), ("Paint it blue.", 1), ("Now, please.", 1), ("zorblax", 0), ("quokkaz", 0)],
    );
    let agents =
        fs::read_dir(cli.home("inwit/agents")).expect("agents").map(|agent| agent.expect("one").path());
    for path in agents.flat_map(|agent| all_files(&agent)) {
        let bytes = fs::read(&path).expect("bytes");
        let has = |words: &str| bytes.windows(words.len()).any(|window| window == words.as_bytes());
        assert!(!has("zorblax") && !has("quokkaz"), "{}", path.display());
        let is_of_session = path.components().any(|part| part.as_os_str() == "host-sessions");
        assert!(!is_of_session || !has("Paint"), "{}", path.display());
    }
}

/// The host was closed before the agent had answered, or its `stop` was lost.
#[test]
fn what_is_private_in_the_arguments_of_a_command_is_not_kept() {
    for is_heard in [true, false] {
        let cli = home();
        let host = Host::new(&cli, "one");
        host.start(&cli, "startup");
        if is_heard {
            host.prompt(&cli, "/bake rye <private>pin zorblax</private>");
        }
        host.says("10:00:10", &command("bake", "rye <private>pin zorblax</private>"));
        host.answers("Rye, with zorblax.");
        host.says("10:00:20", &command("bake", "wheat"));
        host.answers("Wheat it is.");
        host.says("10:00:30", &command("clear", ""));
        host.end(&cli);
        counted(&cli, &[("/bake rye", 1), ("/bake wheat", 1), ("Wheat it is.", 1)]);
        counted(&cli, &[("zorblax", 0), ("/clear", 0), ("command-", 0)]);
    }
}

/// The host calls `stop` before it writes the answer down, and the hook of the prompt was lost.
#[test]
fn the_answer_to_a_private_command_that_no_hook_heard_is_not_kept() {
    for has_turn_before in [true, false] {
        let cli = home();
        let host = Host::new(&cli, "one");
        host.start(&cli, "startup");
        if has_turn_before {
            host.prompt(&cli, "Note the door.");
            host.says("10:00:10", "Note the door.");
            host.answers("The door is noted.");
            host.stop(&cli, "The door is noted.");
        }
        host.says("10:00:20", &command("bake", "rye <private>pin zorblax</private>"));
        host.stop(&cli, "Rye, with zorblax.");
        host.answers("Rye, with zorblax.");
        host.says("10:00:30", &command("bake", "wheat"));
        host.stop(&cli, "Wheat it is.");
        host.answers("Wheat it is.");
        host.end(&cli);
        counted(&cli, &[("/bake rye", 1), ("Wheat it is.", 1), ("zorblax", 0)]);
    }
}

/// A prompt that joins a running turn may have no hook of its own; any number of others may stand behind it.
#[test]
fn what_is_private_in_a_prompt_that_joined_a_turn_keeps_its_reply_out() {
    for joined in
        [["<private>pin zorblax</private>", "Paint it."], ["Paint it.", "<private>pin zorblax</private>"]]
    {
        for is_stopped in [true, false] {
            let cli = home();
            let host = Host::new(&cli, "one");
            host.start(&cli, "startup");
            host.prompt(&cli, "Note the door.");
            host.says("10:00:10", "Note the door.");
            host.says("10:00:11", joined[0]);
            host.says("10:00:12", joined[1]);
            host.says("10:00:13", "Now, please.");
            host.answers("Noted: zorblax.");
            if is_stopped {
                host.stop(&cli, "Noted: zorblax.");
            }
            host.prompt(&cli, "And the salt?");
            host.says("10:00:20", "And the salt?");
            host.answers("In the drawer.");
            host.stop(&cli, "In the drawer.");
            host.end(&cli);
            counted(
                &cli,
                &[("Note the door.", 1), ("And the salt?", 1), ("In the drawer.", 1), ("zorblax", 0)],
            );
        }
    }
}

fn all_files(folder: &std::path::Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { all_files(&path) } else { vec![path] }).collect()
}

/// The person typed while the agent was at work, so that the reply stands behind other words than it was kept with.
#[test]
fn words_that_came_while_the_agent_worked_give_no_second_reply() {
    let cli = home();
    let host = Host::new(&cli, "one");
    host.start(&cli, "startup");
    host.prompt(&cli, "Bake the bread.");
    host.says("10:00:10", "Bake the bread.");
    host.says("10:00:11", "<command-name>/model</command-name>");
    host.hook(&cli, "pre-compact", json!({"trigger": "auto"}));
    Host::new(&cli, "two").start(&cli, "startup");
    host.answers("It is in the oven already.");
    host.stop(&cli, "It is in the oven already.");
    host.prompt(&cli, "Bake a second bread.");
    host.says("10:00:20", "Bake a second bread.");
    host.says("10:00:21", "With caraway, please.");
    host.answers("The second bread is baked.");
    host.stop(&cli, "The second bread is baked.");
    host.end(&cli);
    let once =
        ["Bake the bread.", "It is in the oven already.", "Bake a second bread.", "With caraway, please."];
    counted(&cli, &once.map(|words| (words, 1)));
    counted(&cli, &[("The second bread is baked.", 1)]);
}

/// The same in one turn of the host, whether it reports what was typed meanwhile or not.
#[test]
fn what_was_typed_while_the_agent_worked_is_kept_once_with_its_turn() {
    for is_reported in [false, true] {
        let cli = home();
        let host = Host::new(&cli, "one");
        host.start(&cli, "startup");
        host.prompt(&cli, "Bake the bread.");
        host.says("10:00:10", "Bake the bread.");
        if is_reported {
            host.prompt(&cli, "With caraway, please.");
        }
        host.adds("10:00:11", "With caraway, please.");
        host.answers("It is in the oven already.");
        host.stop(&cli, "It is in the oven already.");
        host.prompt(&cli, "Bake a cake.");
        host.says("10:00:20", "Bake a cake.");
        host.adds("10:00:21", "The code is <private>4711-0815</private>, keep it.");
        host.answers("The door opens with 4711-0815 now.");
        host.stop(&cli, "The door opens with 4711-0815 now.");
        // Here the host writes after its report.
        host.prompt(&cli, "Sweep the floor.");
        host.stop(&cli, "Done.");
        host.says("10:00:40", "Sweep the floor.");
        host.adds("10:00:41", "And the stairs.");
        host.answers("Done.");
        host.end(&cli);
        Host::new(&cli, "two").start(&cli, "startup");
        let once = [
            "Bake the bread.", "With caraway", "It is in the oven", "Bake a cake.", "Sweep the floor.",
            "And the stairs.",
        ];
        let kept = transcripts(&cli);
        for words in once {
            assert_eq!(kept.matches(words).count(), 1, "{words}: {kept}");
        }
        assert!(!kept.contains("4711-0815"), "{kept}");
        counted(&cli, &[("4711-0815", 0), ("It is in the oven", 1)]);
        // What the hook could not read when it kept the turn is a turn of its own.
        recorded(&cli, 4);
    }
}

/// The host reports what was typed meanwhile and writes it down once as a part of the turn and once as a line of its own.
#[test]
fn all_that_was_typed_in_a_turn_is_kept_once_however_it_joined() {
    let cli = home();
    let host = Host::new(&cli, "one");
    host.start(&cli, "startup");
    host.prompt(&cli, "Bake the bread.");
    host.says("10:00:10", "Bake the bread.");
    host.prompt(&cli, "With caraway, please.");
    host.adds("10:00:11", "With caraway, please.");
    host.says("10:00:12", "And salt.");
    host.answers("It is in the oven already.");
    (0..2).for_each(|_| host.stop(&cli, "It is in the oven already."));
    host.end(&cli);
    let once = ["Bake the bread.", "With caraway, please.", "And salt.", "It is in the oven already."];
    counted(&cli, &once.map(|words| (words, 1)));
}

#[test]
fn a_prompt_that_was_interrupted_before_a_command_is_kept_once() {
    let cli = home();
    let host = Host::new(&cli, "one");
    host.start(&cli, "startup");
    host.prompt(&cli, "Where is the peel?");
    host.says("10:00:10", "Where is the peel?");
    host.says("10:00:11", "[Request interrupted by user]");
    host.says("10:00:12", "And the salt?");
    host.says("10:00:13", &command("model", ""));
    host.end(&cli);
    counted(&cli, &[("Where is the peel?", 1), ("And the salt?", 1)]);
}
