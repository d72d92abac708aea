//! What the hooks of a host bring after an erasure: the transcript of the host still has the words.

use std::io::Write as _;

use inwit_model::Sha256;
use inwit_testkit::{Cli, fixture};
use serde_json::{Value, json};

use super::{CANARY, stands, workspace};
use crate::newcomer;

/// Calls a hook of one session whose transcript is `host.jsonl`.
fn hook(home: &Cli, moment: &str, fields: Value) {
    let mut input = json!({ "session_id": "one", "transcript_path": home.home("host.jsonl") });
    input.as_object_mut().expect("an object").extend(fields.as_object().expect("fields").clone());
    home.run_with(["hook", moment], &input.to_string()).exits(0);
}

/// Adds a line to the transcript of the host.
fn writes(home: &Cli, role: &str, content: &Value) {
    let mut open = std::fs::OpenOptions::new();
    let mut file = open.append(true).create(true).open(home.home("host.jsonl")).expect("opened");
    let message = json!({ "role": role, "content": content, "stop_reason": "end_turn" });
    writeln!(file, "{}", json!({ "type": role, "message": message })).expect("written");
}

fn says(home: &Cli, words: &str) {
    hook(home, "user-prompt", json!({ "prompt": words }));
    writes(home, "user", &words.into());
}

fn answers(home: &Cli, words: &str) {
    writes(home, "assistant", &json!([{ "type": "text", "text": words }]));
}

/// All daily logs.
fn logs(home: &Cli) -> String {
    let files = std::fs::read_dir(workspace(home, "memory")).expect("logs").flatten();
    let files = files.map(|file| file.path()).filter(|path| path.is_file());
    files.map(|path| std::fs::read_to_string(path).expect("text")).collect()
}

/// Forgets the words while the agent works on the turn that has them, or after that turn was kept.
#[test]
fn erased_words_do_not_come_back_from_the_transcript_of_a_host() {
    for is_kept in [false, true] {
        let home = newcomer();
        home.run(["init", "--timezone", "UTC"]).exits(0);
        hook(&home, "session-start", json!({ "source": "startup" }));
        says(&home, "Good morning to the mill");
        answers(&home, "Good morning.");
        hook(&home, "stop", json!({ "last_assistant_message": "Good morning." }));
        says(&home, &format!("my {CANARY} sleeps"));
        answers(&home, "I am looking.");
        if is_kept {
            hook(&home, "stop", json!({ "last_assistant_message": "I am looking." }));
        }
        home.run(["forget", "--everywhere", CANARY, "--apply", "--yes"]).exits(0);
        answers(&home, "It is in the shed.");
        hook(&home, "stop", json!({ "last_assistant_message": "It is in the shed." }));
        hook(&home, "session-end", json!({ "reason": "other" }));
        // A later session looks into the same transcript.
        hook(&home, "session-start", json!({ "session_id": "two", "source": "resume" }));
        assert!(logs(&home).contains("It is in the shed."), "the rest is kept: {}", logs(&home));
        assert_eq!(stands(&home, 0), Default::default(), "kept before: {is_kept}");
        home.run(["doctor"]).hides("hook_failed");
    }
}

/// A hook that could not record its turn left it in a file; an erasure by another copy of the home did not see that file.
#[test]
fn a_turn_that_is_held_is_recorded_without_erased_words() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["remember", &format!("my {CANARY} sleeps")]).exits(0);
    home.run(["forget", "--everywhere", CANARY, "--apply", "--yes"]).exits(0);
    let turn = json!({ "host": "one", "folder": null, "user": format!("My **Zorblaxian** quokka 4711 eats"),
        "reply": format!("The {} eats figs.", CANARY.to_uppercase()) });
    let turns = home.home("inwit/agents/main/turns");
    fixture::put(&turns, "00000000000000000001-0000.json", turn.to_string().as_bytes());
    hook(&home, "session-end", json!({ "reason": "other" }));
    hook(&home, "stop", json!({ "last_assistant_message": "Next." }));
    assert!(logs(&home).contains("[forgotten] eats figs."), "{}", logs(&home));
    assert_eq!(stands(&home, 0), Default::default());
}

/// What a prompt brought to mind is known by its hash, which says whether a guess is right.
#[test]
fn no_hash_of_an_erased_line_is_left_of_what_was_recalled() {
    let home = newcomer().env("INWIT_RECALL_PROMPT_DEADLINE_MS", "20000");
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["remember", &format!("The {CANARY} sleeps")]).exits(0);
    home.run(["remember", "The oven of the mill is hot"]).exits(0);
    let ask = |session: &str, words: &str| {
        hook(&home, "user-prompt", json!({ "session_id": session, "prompt": words }));
    };
    let spool = home.home("inwit/agents/main/recall.spool");
    let hash = Sha256::of(format!("- The {CANARY} sleeps").as_bytes()).to_string();
    let has_hash = || std::fs::read_to_string(&spool).unwrap_or_default().contains(&hash);
    let recalled = |sql: &str| -> i64 {
        let db = rusqlite::Connection::open(home.home("inwit/agents/main/memory.db")).expect("opened");
        db.query_row(sql, [], |row| row.get(0)).expect("a count")
    };
    ask("one", &format!("where does the {CANARY} sleep"));
    ask("two", "is the oven of the mill hot");
    let before = std::fs::read(&spool).expect("a spool");
    assert!(has_hash());
    let (found, _) = stands(&home, 1);
    assert!(found.iter().any(|path| path.ends_with("recall.spool")), "the look knows it: {found:?}");
    home.run(["forget", "--everywhere", CANARY, "--apply", "--yes"]).exits(0);
    assert!(!has_hash());
    assert!(recalled("SELECT count(*) FROM signals") > 0, "what was recalled of other lines counts");
    // A hook that was at work meanwhile.
    fixture::put(&home.home("inwit/agents/main"), "recall.spool", &before);
    hook(&home, "stop", json!({ "last_assistant_message": "Done." }));
    hook(&home, "session-end", json!({ "reason": "other" }));
    assert!(!has_hash());
    assert_eq!(recalled(&format!("SELECT count(*) FROM signals WHERE text = x'{hash}'")), 0);
}

/// Sentences that a person typed are known by hashes without a salt: a short one is guessed.
#[test]
fn no_hash_of_a_prompt_with_erased_words_is_kept() {
    let home = newcomer().env("INWIT_RECALL_PROMPT_DEADLINE_MS", "20000");
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["remember", &format!("my {CANARY} sleeps")]).exits(0);
    home.run(["forget", "--everywhere", CANARY, "--apply", "--yes"]).exits(0);
    let typed = || -> String {
        let files = std::fs::read_dir(home.home("inwit/agents/main/typed")).into_iter().flatten().flatten();
        files.map(|file| std::fs::read_to_string(file.path()).expect("text")).collect()
    };
    let ask = |words: &str| hook(&home, "user-prompt", json!({ "cwd": home.work(""), "prompt": words }));
    ask(&format!("Remember that my {CANARY} sleeps"));
    assert_eq!(typed(), "");
    ask("Remember that the mill is closed");
    assert_ne!(typed(), "", "others are known");
}
