//! `inwit hook` as a host runs it: JSON in, JSON out, and never a complaint.

use inwit_testkit::Cli;
use serde_json::{Value, json};

use crate::{newcomer, shell_on, user, user_of_a_shell};

fn home() -> Cli {
    // A machine that is busy with tests is slow.
    let patient = user().env("INWIT_RECALL_PROMPT_DEADLINE_MS", "20000");
    patient.env("INWIT_WORKSPACE_DIR", "$HOME/work/notes")
}

/// A call as the host sends it, and the words that the agent is given.
#[track_caller]
fn call(cli: &Cli, moment: &str, fields: Value) -> Option<String> {
    let mut input =
        json!({"session_id": "3f2a-1", "cwd": "/x", "transcript_path": "", "permission_mode": "default"});
    input.as_object_mut().expect("an object").extend(fields.as_object().expect("fields").clone());
    let run = cli.run_with(["hook", moment], &input.to_string());
    let (stdout, stderr) = (run.stdout(), run.stderr());
    let _ = run.exits(0);
    assert_eq!(stderr, "", "a host is not to be talked to");
    if stdout.is_empty() {
        return None;
    }
    let answer: Value = serde_json::from_str(&stdout).expect("one JSON value");
    let words = &answer["hookSpecificOutput"]["additionalContext"];
    let event = if moment == "session-start" { "SessionStart" } else { "UserPromptSubmit" };
    assert_eq!(answer, json!({"hookSpecificOutput": {"hookEventName": event, "additionalContext": words}}));
    Some(words.as_str().expect("a text").to_owned())
}

fn today(cli: &Cli) -> String {
    let folder = cli.work("notes/memory");
    let files = std::fs::read_dir(folder).expect("logs");
    let text = |file: std::io::Result<std::fs::DirEntry>| {
        let path = file.expect("a file").path();
        if path.is_file() { std::fs::read_to_string(path).expect("text") } else { String::new() }
    };
    files.map(text).collect()
}

/// What every file below a folder says.
fn texts_below(folder: &std::path::Path) -> String {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let text = |path: std::path::PathBuf| match path.is_dir() {
        true => texts_below(&path),
        false => String::from_utf8_lossy(&std::fs::read(&path).expect("bytes")).into_owned(),
    };
    entries.map(|entry| text(entry.path())).collect()
}

/// The names of what lies below a folder.
fn names_below(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let below = |path: std::path::PathBuf| [vec![path.clone()], names_below(&path)].concat();
    let mut names: Vec<_> = entries.flat_map(below).collect();
    names.sort();
    names
}

/// Proves R25, R73.
#[test]
fn a_session_of_a_host_from_its_first_moment_to_its_last() {
    let line = json!({"type": "user", "message": {"role": "user", "content": "Where does it stand? <private>pin 4711</private>"}});
    let cli = home().write("log.jsonl", &format!("{line}\n"));
    let pack = call(&cli, "session-start", json!({"source": "startup"})).expect("a pack");
    assert!(
        pack.contains("I am Ada and I bake.") && pack.contains("rye bread") && pack.contains("bread chest"),
        "{pack}"
    );
    assert!(!pack.contains("Tomás"), "a room's log is not the owner's");
    let asked = json!({"prompt": "Where does the bread chest stand?"});
    assert_eq!(call(&cli, "user-prompt", asked.clone()), None, "the session was told when it began");
    let mut elsewhere = asked;
    elsewhere["session_id"] = "another".into();
    let brought = call(&cli, "user-prompt", elsewhere).expect("lines");
    assert!(brought.contains("memory/2026-11-20.md#L"), "{brought}");
    assert_eq!(call(&cli, "user-prompt", json!({"prompt": "continue please"})), None);
    let said = json!({"prompt": "Where does it stand? <private>pin 4711</private>"});
    assert_eq!(call(&cli, "user-prompt", said), None, "one word of content");
    let reply = format!("Under the stairs. {brought}");
    let log = cli.home("log.jsonl");
    let stop = json!({"transcript_path": log, "last_assistant_message": reply, "stop_hook_active": false});
    assert_eq!(call(&cli, "stop", stop), None);
    assert_eq!(call(&cli, "user-prompt", json!({"prompt": "Where is the peel?"})), None);
    assert_eq!(call(&cli, "stop", json!({"last_assistant_message": "Behind the oven."})), None);
    assert_eq!(call(&cli, "pre-compact", json!({"trigger": "auto"})), None);
    assert!(today(&cli).contains("Where does it stand?") && !today(&cli).contains("4711"), "{}", today(&cli));
    assert_eq!(call(&cli, "session-end", json!({"reason": "clear"})), None);
    let again = call(&cli, "session-start", json!({"source": "compact"})).expect("a pack");
    assert!(again.contains("I am Ada and I bake."), "who the agent is comes again: {again}");
    assert!(again.contains("Behind the oven."), "what was said is shown after a compaction: {again}");
    assert!(!again.contains("Under the stairs."), "but no reply to a private prompt: {again}");
    assert!(!again.contains("Where does it stand?"), "not what was asked: {again}");
    assert_eq!(today(&cli).matches("It stands under the stairs.").count(), 1, "no echo");
    cli.run(["doctor"]).hides("hook_failed").hides("Errors of `inwit hook`");
}

#[test]
fn whatever_a_host_sends_it_goes_on_and_doctor_says_why() {
    let cli = home();
    for odd in ["", "[]", "{", "{\"session_id\":\"../../x\"}", "{\"prompt\":[1]}", "\u{0}"] {
        for moment in ["session-start", "user-prompt", "pre-compact", "stop", "session-end"] {
            let run = cli.run_with(["hook", moment], odd);
            assert_eq!(run.stderr(), "", "{moment} {odd}");
            let _ = run.exits(0);
        }
    }
    cli.run(["doctor"]).exits(0).mentions("user-prompt usage_bad: The host's call cannot be read");
}

#[test]
fn a_home_that_is_broken_stops_no_host() {
    let cli = home().write(".config/inwit/config.toml", "this = [is no setting\n");
    for moment in ["session-start", "user-prompt", "stop"] {
        let run = cli.run_with(["hook", moment], "{\"prompt\":\"Where does the bread chest stand?\"}");
        assert_eq!((run.stdout(), run.stderr()), (String::new(), String::new()));
        let _ = run.exits(0);
    }
    let log = std::fs::read_to_string(cli.home(".local/state/inwit/hook.log")).expect("a log");
    assert_eq!(log.lines().count(), 3, "{log}");
    // A home that is a file.
    let cli = user().env("INWIT_WORKSPACE_DIR", "$HOME/work/notes").write("inwit", "x");
    assert_eq!(call(&cli, "user-prompt", json!({"prompt": "Where does the bread chest stand?"})), None);
    assert_eq!(call(&cli, "stop", json!({"last_assistant_message": "x"})), None);
}

/// The next session says the bare value, and nothing beside it says what it is.
#[test]
fn a_secret_that_was_named_once_is_masked_where_a_later_session_repeats_it() {
    let cli = home();
    let value = ["lavendel", "8", "Quark"].join("-");
    let turn = |session: &str, prompt: &str, reply: &str| {
        let prompt = prompt.replace("VALUE", &value);
        let stop = json!({"session_id": session, "last_assistant_message": reply.replace("VALUE", &value)});
        call(&cli, "user-prompt", json!({"session_id": session, "prompt": prompt}));
        call(&cli, "stop", stop);
        call(&cli, "session-end", json!({"session_id": session, "reason": "clear"}));
    };
    turn("first", "My db password is VALUE.", "Noted, the okapi database.");
    turn(
        "second",
        "Log in to okapi with VALUE, then list the tables.",
        "Okapi answers to `VALUE`: 12 tables.",
    );
    let log = today(&cli);
    assert!(log.contains("12 tables") && !log.contains(&value), "{log}");
    let note = format!("Okapi opens with {value} since May.");
    let kept = cli.run(["remember", "--as", "agent", &note]);
    let notes = std::fs::read_to_string(cli.work("notes/MEMORY.md")).expect("notes");
    let kept = [kept.stdout(), cli.run(["inbox", "show", "1"]).stdout(), notes].concat();
    assert!(kept.contains("Okapi opens") && !kept.contains(&value), "{kept}");
}

/// The words beside the answer do not say what it is, and those of the question do.
#[test]
fn a_secret_that_answers_a_question_is_masked_in_what_is_kept_of_it() {
    let cli = newcomer();
    cli.run(["init", "--timezone", "UTC"]).exits(0);
    let value = ["Kx93", "mnPq", "77"].concat();
    let session = |verb: &str, input: Value| cli.run_with(["session", verb, "--json"], &input.to_string());
    session("start", json!({"surface": "x", "scope": "main", "session": "s1", "user": "ana"})).exits(0);
    let turn = |key: &str, asked: &str, reply: String, wishes: Value| {
        let user = json!({"name": "ana", "text": asked, "owner": true});
        let turn = json!({"session": "s1", "key": key, "user": user, "assistant": reply, "writes": wishes});
        session("turn", turn).exits(0)
    };
    turn("one", "what is the wifi password?", value.clone(), json!([]));
    let wish = json!([{"kind": "remember", "text": format!("The router takes {value} now")}]);
    turn("two", "put it in the notes", format!("The router uses {value} now"), wish);
    session("end", json!({"session": "s1"})).exits(0);
    let kept = texts_below(&cli.home("inwit/agents/main/workspace"));
    assert!(kept.contains("The router uses") && kept.contains("what is the wifi password?"), "{kept}");
    assert!(!kept.contains(&value), "{kept}");
}

/// A name cannot be masked as a line is.
#[test]
fn an_agent_names_no_new_file_after_a_secret_that_was_named() {
    let cli = home();
    let value = ["lavendel", "8", "Quark"].join("-");
    let prompt = format!("My db password is {value}.");
    call(&cli, "user-prompt", json!({"session_id": "first", "prompt": prompt}));
    call(&cli, "stop", json!({"session_id": "first", "last_assistant_message": "Noted."}));
    let name = format!("notes/{value}.md");
    for name in [&name, &format!("notes/db-{value}-2026.md")] {
        let refused = cli.run(["remember", "--as", "agent", "--file", name, "Okapi is a database."]).exits(5);
        assert!(!refused.stderr().contains(&value), "{}", refused.stderr());
        assert!(
            refused.stderr().contains("The name of the new file contains a value"),
            "{}",
            refused.stderr()
        );
    }
    cli.run(["remember", "--as", "agent", "--file", "notes/okapi.md", "Okapi is a database."])
        .hides("secret_refused");
    cli.run(["remember", "--file", &name, "Okapi is a database."]).exits(0);
}

/// The owner wrote it as a fact and as a part of the profile: it stays there, and no model is shown it.
#[test]
fn a_secret_that_was_named_once_is_masked_in_the_facts_of_each_prompt() {
    let cli = home();
    let value = ["lavendel", "8", "Quark"].join("-");
    call(
        &cli,
        "user-prompt",
        json!({"session_id": "first", "prompt": format!("My db password is {value}.")}),
    );
    call(&cli, "stop", json!({"session_id": "first", "last_assistant_message": "Noted."}));
    let fact = cli.run(["facts", "add", &format!("Okapi opens with {value}")]).stdout();
    let entry = cli.run(["facts", "profile", "set", "okapi", &format!("opens with {value}")]).stdout();
    assert!(!fact.is_empty() && !entry.is_empty());
    let pack = call(&cli, "session-start", json!({"session_id": "second", "source": "startup"}));
    let prompt = cli.run(["prompt"]).stdout();
    for shown in [pack.expect("a pack"), prompt] {
        assert!(shown.contains("Okapi opens with") && shown.contains("okapi: opens with"), "{shown}");
        assert!(!shown.contains(&value), "{shown}");
    }
}

#[test]
fn the_threshold_of_a_prompt_is_a_setting() {
    let cli = home();
    let asked =
        |session: &str| json!({"session_id": session, "prompt": "Where does the granite bread chest stand?"});
    let cli = cli.env("INWIT_RECALL_PROMPT_WORDS", "2");
    let brought = call(&cli, "user-prompt", asked("one")).expect("two words are enough");
    assert!(brought.contains("bread chest"), "{brought}");
    let cli = cli.env("INWIT_RECALL_PROMPT_WORDS", "4");
    assert_eq!(call(&cli, "user-prompt", asked("other")), None, "granite stands nowhere");
}

/// An index of many notes takes longer than a prompt waits; the turn after it builds it.
#[test]
fn a_prompt_never_waits_for_an_index_that_is_to_be_built() {
    let words = |day: usize| (0..60).map(|at| format!("- note {day} {at} of bread\n")).collect::<String>();
    let notes = (0..60).fold(home(), |cli, day| {
        cli.write(
            &format!("work/notes/memory/20{:02}-{:02}-{:02}.md", day / 100, day % 12 + 1, day % 28 + 1),
            &words(day),
        )
    });
    let notes = notes.env("INWIT_RECALL_PROMPT_DEADLINE_MS", "10");
    let asked = json!({"prompt": "Where does the bread chest stand?"});
    let run = notes.run_with(["hook", "user-prompt"], &asked.to_string());
    assert_eq!((run.stdout(), run.stderr()), (String::new(), String::new()));
    let _ = run.exits(0);
    assert_eq!(call(&notes, "stop", json!({"last_assistant_message": "Under the stairs."})), None);
    notes.run(["doctor"]).mentions("user-prompt too_slow: No result within 10 ms");
    let notes = notes.env("INWIT_RECALL_PROMPT_DEADLINE_MS", "20000");
    let brought = call(&notes, "user-prompt", asked).expect("passages");
    assert!(brought.contains("bread chest"), "{brought}");
}

/// A status of 2 tells Claude Code to stop the person, and hosts learn new words before we do.
#[test]
fn a_command_line_that_is_not_ours_stops_no_host() {
    let cli = home();
    for args in [
        &["hook"][..],
        &["hook", "bogus"],
        &["hook", "user-prompt", "--new-flag"],
        &["hook", "user-prompt", "{\"prompt\": \"pin 4711\"}"],
        &["hook", "--new-flag=pin-4711", "stop"],
        &["--agent", "bo", "hook", "bogus"],
        &["--agent=bo", "-w", "hook", "--quiet", "hook", "bogus"],
        &["--json", "hook", "stop", "--agent"],
        &["--new-flag", "hook", "stop"],
    ] {
        let run = cli.run_words(args);
        assert_eq!((run.stdout(), run.stderr()), (String::new(), String::new()), "{args:?}");
        let _ = run.exits(0);
    }
    let log = std::fs::read_to_string(cli.home(".local/state/inwit/hook.log")).expect("a log");
    assert_eq!(log.lines().count(), 9, "{log}");
    assert!(log.contains("user-prompt usage_bad: ") && log.contains("`--new-flag`"), "{log}");
    assert!(!log.contains("4711"), "what a host says of a person stands in no log: {log}");
    cli.run(["doctor"]).mentions("usage_bad");
    cli.run(["hook", "--help"]).mentions("session-start");
    cli.run(["hook", "stop", "--help"]).mentions("session-start");
    cli.run(["help", "hook"]).mentions("session-start");
    cli.run(["search", "hook", "--new-flag"]).exits(2);
    cli.run(["-w", "hook", "--new-flag"]).exits(2);
}

/// A host that holds the pipe open is answered when its JSON is whole, and is not waited for without it.
#[test]
fn a_host_that_never_closes_its_pipe_is_not_waited_for() {
    let open = "mkfifo p && exec 3<>p && ";
    let notes =
        |cli: Cli| cli.workspace("notes", crate::NOTES).env("INWIT_WORKSPACE_DIR", "$HOME/work/notes");
    let patient = notes(user_of_a_shell()).env("INWIT_RECALL_PROMPT_DEADLINE_MS", "20000");
    let asked = json!({"prompt": "Where does the bread chest stand?"});
    let run =
        shell_on(&patient, &format!("{open} echo '{asked}' >&3 && timeout 60 \"$0\" hook user-prompt <p"));
    assert!(run.stdout().contains("bread chest"), "{}", run.stdout());
    let silent = notes(user_of_a_shell()).env("INWIT_RECALL_PROMPT_DEADLINE_MS", "20");
    let run = shell_on(&silent, &format!("{open} timeout 60 \"$0\" hook user-prompt <p"));
    assert_eq!((run.stdout(), run.stderr()), (String::new(), String::new()));
    let log = std::fs::read_to_string(silent.home(".local/state/inwit/hook.log")).expect("a log");
    assert!(log.contains("user-prompt usage_bad: ") && log.contains("incomplete after 5000 ms"), "{log}");
}

/// While a restore exchanges names, an agent seems not to be there: no new one takes its place.
#[test]
fn a_host_that_begins_while_a_restore_gives_names_over_makes_no_agent() {
    let cli = newcomer();
    cli.run(["init", "--timezone", "UTC"]).exits(0);
    let agents = cli.home("inwit/agents");
    std::fs::rename(agents.join("main"), agents.join("main.before-1")).expect("aside");
    inwit_testkit::fixture::put(&agents, ".restoring.json", b"{}");
    call(&cli, "session-start", json!({ "source": "startup" }));
    assert!(!agents.join("main").exists());
}

/// A host that another hook sends back to work stops twice in one turn.
#[test]
fn a_turn_that_stops_twice_has_the_persons_words_once() {
    let line = json!({"type": "user", "message": {"role": "user", "content": "Where does it stand?"}});
    let cli = home().write("log.jsonl", &format!("{line}\n"));
    call(&cli, "session-start", json!({"source": "startup"}));
    for (reply, is_again) in [("Under the stairs.", false), ("And the oven is off.", true)] {
        let log = cli.home("log.jsonl");
        let stop =
            json!({"transcript_path": log, "last_assistant_message": reply, "stop_hook_active": is_again});
        assert_eq!(call(&cli, "stop", stop), None);
    }
    assert_eq!(call(&cli, "session-end", json!({"reason": "clear"})), None);
    let today = today(&cli);
    assert!(today.contains("Under the stairs.") && today.contains("And the oven is off."), "{today}");
    assert_eq!(today.matches("Where does it stand?").count(), 1, "{today}");
}

/// Another process held memory.db, the hook of a turn's end waited 5 seconds for it, and the turn was lost.
#[test]
fn a_turn_that_ends_while_memory_db_is_locked_is_recorded_once_by_the_next_hook() {
    recorded_once_after(&|memory| {
        let db = rusqlite::Connection::open(memory).expect("opened");
        db.execute_batch("PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE;").expect("locked");
        Box::new(db)
    });
}

/// A tool that copies files may lock each as a whole; SQLite then pauses for ten seconds at each open.
#[test]
fn a_turn_that_ends_while_the_file_beside_memory_db_is_locked_is_recorded_too() {
    recorded_once_after(&|memory| {
        let shm = memory.with_file_name("memory.db-shm");
        let shm = std::fs::File::options().read(true).write(true).open(shm).expect("it is there");
        let whole = rustix::fs::FlockOperation::NonBlockingLockExclusive;
        rustix::fs::fcntl_lock(&shm, whole).expect("locked");
        Box::new(shm)
    });
}

/// Two turns that end while what `lock` gives is held stand in the log once, when it is held no more.
fn recorded_once_after(lock: &dyn Fn(&std::path::Path) -> Box<dyn std::any::Any>) {
    let cli = home();
    call(&cli, "session-start", json!({"source": "startup"}));
    let agents = std::fs::read_dir(cli.home("inwit/agents")).expect("a home");
    let agent =
        agents.map(|entry| entry.expect("an entry").path()).find(|path| path.join("memory.db").exists());
    let agent = agent.expect("an agent");
    let held = || {
        let files =
            std::fs::read_dir(agent.join("turns")).expect("a folder").map(|file| file.expect("a file"));
        files.filter(|file| file.path().extension().is_some_and(|ending| ending == "json")).count()
    };
    let lock = lock(&agent.join("memory.db"));
    for (prompt, reply) in [
        ("Where is the peel?", "Behind <private>4711</private> the oven."),
        ("And the scale?", "On the shelf."),
    ] {
        call(&cli, "user-prompt", json!({"prompt": prompt}));
        assert_eq!(call(&cli, "stop", json!({"last_assistant_message": reply})), None);
    }
    assert_eq!(call(&cli, "session-end", json!({"reason": "clear"})), None);
    assert_eq!(held(), 2, "both turns wait");
    drop(lock);
    for session in ["second", "third"] {
        call(&cli, "session-start", json!({"source": "startup", "session_id": session}));
        let today = today(&cli);
        for words in ["Where is the peel?", "the oven.", "And the scale?", "On the shelf."] {
            assert_eq!(today.matches(words).count(), 1, "{words} once, in {session}: {today}");
        }
        assert!(today.find("the peel") < today.find("the scale") && !today.contains("4711"), "{today}");
        assert_eq!(held(), 0);
    }
}

/// A turn that never ends leaves its prompt in the home until the next day.
#[test]
fn erased_words_that_are_typed_again_are_not_kept_in_a_prompt_without_an_end() {
    let cli = newcomer().env("INWIT_RECALL_PROMPT_DEADLINE_MS", "20000");
    cli.run(["init"]).exits(0);
    cli.run(["remember", "Zanzibar quill is the code name."]).exits(0);
    cli.run(["forget", "--everywhere", "Zanzibar quill", "--apply", "--yes"]).exits(0);
    call(&cli, "user-prompt", json!({"prompt": "Was it the Zanzibar quill again?"}));
    let kept = std::fs::read_dir(cli.home("inwit/agents/main/prompts")).expect("a folder").flatten();
    let kept: Vec<String> = kept.map(|file| std::fs::read_to_string(file.path()).expect("text")).collect();
    assert!(kept.iter().any(|text| text.contains("Was it the [forgotten] again?")), "{kept:?}");
    assert!(!kept.concat().contains("Zanzibar"), "{kept:?}");
}

/// What hooks keep for a moment was written through a link in the home, where no backup and no erasure reaches.
#[test]
fn a_folder_of_the_home_that_is_a_link_is_refused_and_nothing_is_written_behind_it() {
    for name in ["prompts", "host-sessions", "typed", "shown", "turns", "backups", "transcripts", "edits"] {
        let cli = newcomer().env("INWIT_RECALL_PROMPT_DEADLINE_MS", "20000").write("log.jsonl", "");
        cli.run(["init"]).exits(0);
        let (own, outside) = (cli.home("inwit/agents/main").join(name), cli.home("outside"));
        std::fs::remove_dir_all(&own).ok();
        std::fs::create_dir(&outside).expect("made");
        std::os::unix::fs::symlink(&outside, &own).expect("a link");
        let asked = json!({"transcript_path": cli.home("log.jsonl"), "cwd": cli.work(""), "prompt": "The bread chest stands under the stairs."});
        assert_eq!(call(&cli, "user-prompt", asked), None, "{name}");
        let answer = json!({"transcript_path": cli.home("log.jsonl"), "cwd": cli.work(""), "last_assistant_message": "Yes."});
        assert_eq!(call(&cli, "stop", answer), None, "{name}");
        cli.run(["status"]).exits(1).mentions("is a symbolic link").mentions("hint: ");
        let refused = cli.run(["status", "--json"]).exits(1).json_error();
        assert_eq!(refused["error"]["code"], "home_linked", "{refused}");
        assert_eq!(std::fs::read_dir(&outside).expect("there").count(), 0, "{name}");
    }
}

/// The objects of the history were written behind such a link, and `forget` said of words that they hold that they stand nowhere.
#[test]
fn a_link_in_the_history_of_a_home_is_refused() {
    if !inwit_testkit::has_git() {
        return;
    }
    for name in ["objects", "objects/pack", "refs", "refs/heads", "inwit.lock"] {
        let cli = newcomer().env("PATH", "/usr/local/bin:/usr/bin:/bin");
        cli.run(["init"]).exits(0);
        cli.run(["remember", "Ana likes rye."]).exits(0);
        cli.run(["history", "log"]).exits(0);
        let (own, outside) = (cli.home("inwit/agents/main/history.git").join(name), cli.home("outside"));
        std::fs::rename(&own, &outside).ok();
        std::os::unix::fs::symlink(&outside, &own).expect("a link");
        let before = names_below(&outside);
        cli.run(["remember", "Ben likes tea."]).exits(1).mentions("is a symbolic link");
        cli.run(["forget", "--everywhere", "rye"]).exits(1).mentions("is a symbolic link");
        cli.run(["search", "rye"]).exits(1).mentions("is a symbolic link");
        assert_eq!(names_below(&outside), before, "{name}");
    }
}

/// A hook waited without end for whoever reads the pipe.
#[test]
fn a_pipe_in_the_place_of_a_lock_stops_no_hook() {
    for name in ["host-sessions/lock", "turns/lock", "index.lock"] {
        let cli = newcomer().env("INWIT_RECALL_PROMPT_DEADLINE_MS", "20000").write("log.jsonl", "");
        cli.run(["init"]).exits(0);
        let at = cli.home("inwit/agents/main").join(name);
        std::fs::create_dir_all(at.parent().expect("a folder")).expect("made");
        let _ = std::fs::remove_file(&at);
        rustix::fs::mknodat(
            rustix::fs::CWD,
            &at,
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
            0,
        )
        .expect("a pipe");
        let asked = json!({"transcript_path": cli.home("log.jsonl"), "cwd": cli.work(""), "prompt": "The bread chest stands under the stairs."});
        call(&cli, "user-prompt", asked);
        let answer = json!({"transcript_path": cli.home("log.jsonl"), "cwd": cli.work(""), "last_assistant_message": "Yes."});
        call(&cli, "stop", answer);
        call(&cli, "session-start", json!({"source": "startup"}));
    }
}
