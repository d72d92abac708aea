//! Every setting has an effect: what a person or a host sees with it differs from what they see without it.
//!
//! A row runs the same commands in two equal homes, one without the setting and one with it. Invariant: a key of
//! `inwit config list` has a row, or stands in `ELSEWHERE` with the place where its effect is tested.

use inwit_testkit::{Cli, Tree, fixture};
use serde_json::{Value, json};

use crate::newcomer;

/// A setting, a value that differs from its default, and what is seen of it.
struct Row {
    key: &'static str,
    value: &'static str,
    /// What is set in both homes.
    given: &'static [(&'static str, &'static str)],
    /// Runs commands and returns their output.
    see: fn(&Cli) -> String,
    /// Whether the output is that of a home with the value.
    has_effect: fn(&str) -> bool,
}

/// Settings whose effect is tested at another place, and where.
const ELSEWHERE: &[(&str, &str)] = &[
    ("home", "entering.rs"),
    ("agent", "keeping.rs"),
    ("workspace", "entering.rs"),
    ("journal.retention_days", "settings/resolve.rs: a process has the clock of the system"),
    ("history.location", "keeping.rs"),
    ("facts.domain", "knowing.rs"),
    ("facts.consolidation", "settling.rs"),
    ("recall.prompt_words", "hooking.rs"),
    ("recall.prompt_deadline_ms", "hooking.rs"),
    ("recall.reranker", "reranking.rs"),
    ("dream.engines", "recording.rs"),
    ("dream.interval_hours", "settings/resolve.rs: a process has the clock of the system"),
    ("dream.timeout_minutes", "settings/resolve.rs: a test does not wait for a minute"),
    ("dream.lock_ttl_ms", "recording.rs"),
    ("upkeep.", "scheduler.rs"),
    ("facts.retention_days", "knowing.rs"),
    ("embedding.", "meaning.rs and modelling.rs"),
    ("judge.", "settling.rs"),
    ("llm.", "llm.rs"),
    ("review.", "review.rs"),
    (
        "weights.",
        "crates/recall/src/search.rs; the row `weights.trigger` proves that settings reach the ranking",
    ),
];

const PROMPT: &[Row] = &[
    Row {
        key: "profile",
        value: "nexo",
        given: &[],
        see: report,
        has_effect: |seen| seen.contains("profile nexo"),
    },
    Row {
        key: "timezone",
        value: "Pacific/Auckland",
        given: &[],
        see: prompt,
        has_effect: |seen| seen.contains("(Pacific/Auckland)."),
    },
    Row {
        key: "load.max_file_chars",
        value: "400",
        given: &[],
        see: prompt,
        has_effect: |seen| !seen.contains("memorymiddle"),
    },
    Row {
        key: "load.max_user_chars",
        value: "400",
        given: &[],
        see: prompt,
        has_effect: |seen| !seen.contains("usermiddle") && seen.contains("memorymiddle"),
    },
    Row {
        key: "load.max_total_chars",
        value: "600",
        given: &[],
        see: prompt,
        has_effect: |seen| !seen.contains("memorymiddle"),
    },
    Row {
        key: "load.oversize",
        value: "skip_with_warning",
        given: &[("INWIT_LOAD_MAX_FILE_CHARS", "400")],
        see: prompt,
        has_effect: |seen| !seen.contains("memoryword"),
    },
    Row {
        key: "load.tools_md",
        value: "false",
        given: &[],
        see: prompt,
        has_effect: |seen| !seen.contains("toolsword"),
    },
    Row {
        key: "load.token_budget",
        value: "5000",
        given: &[],
        see: report,
        has_effect: |seen| seen.contains("target: below 5,000 tokens"),
    },
    Row {
        key: "load.recalled",
        value: "meaning",
        given: &[],
        see: asked,
        has_effect: |seen| !seen.contains("zeppelin"),
    },
    Row {
        key: "load.max_recalled_chars",
        value: "400",
        given: &[],
        see: asked,
        has_effect: |seen| seen.matches("zeppelin").count() < 3,
    },
    Row {
        key: "load.identity",
        value: "line",
        given: &[],
        see: prompt,
        has_effect: |seen| !seen.contains("**Emoji:**") && seen.contains("Ada"),
    },
    Row {
        key: "daily.load_days",
        value: "0",
        given: &[],
        see: |cli| {
            cli.run(["journal", "add", "journalword"]).exits(0);
            prompt(cli)
        },
        has_effect: |seen| !seen.contains("journalword"),
    },
    Row {
        key: "memory.inject",
        value: "user_prefix",
        given: &[],
        see: |cli| start(cli)["userPrefix"].as_str().expect("a text").to_owned(),
        has_effect: |seen| seen.contains("memoryword"),
    },
    Row {
        key: "snapshot.mode",
        value: "live",
        given: &[],
        see: |cli| {
            let id = start(cli)["session"].clone();
            fixture::put(&cli.work("notes"), "MEMORY.md", b"- laterword\n");
            session(cli, "prompt", &json!({ "session": id }))["prefix"].to_string()
        },
        has_effect: |seen| seen.contains("laterword"),
    },
    Row {
        key: "workspace_in_prompt",
        value: "false",
        given: &[],
        see: prompt,
        has_effect: |seen| !seen.contains("soulword") && !seen.contains("memoryword"),
    },
];

const HOST: &[Row] = &[
    Row {
        key: "host.role",
        value: "You are the rolewords.",
        given: &[],
        see: |cli| without("SOUL.md", cli),
        has_effect: |seen| seen.contains("You are the rolewords."),
    },
    Row {
        key: "host.instructions",
        value: "Answer in one line.",
        given: &[],
        see: |cli| without("AGENTS.md", cli),
        has_effect: |seen| seen.contains("Answer in one line."),
    },
    Row {
        key: "host.agents_md",
        value: "prepend",
        given: &[("INWIT_HOST_INSTRUCTIONS", "Answer in one line.")],
        see: prompt,
        has_effect: |seen| {
            let at = |words: &str| seen.find(words);
            at("agentsword").is_some_and(|agents| at("Answer in one line.").is_some_and(|host| agents < host))
        },
    },
    Row {
        key: "host.system_prompt",
        value: "Sell nothing.",
        given: &[],
        see: prompt,
        has_effect: |seen| seen.contains("Sell nothing."),
    },
];

const WRITES: &[Row] = &[
    Row {
        key: "write.approval",
        value: "true",
        given: &[],
        see: |cli| wished(cli, &json!({ "kind": "remember", "text": "Ana likes rye." })),
        has_effect: is_pending_by_policy,
    },
    Row {
        key: "write.policy",
        value: "notes=approve",
        given: &[],
        see: |cli| wished(cli, &json!({ "kind": "put", "file": "notes/a.md", "content": "- x\n" })),
        has_effect: is_pending_by_policy,
    },
    Row {
        key: "write.rules",
        value: "all = always in notes => block",
        given: &[],
        see: |cli| wished(cli, &json!({ "kind": "put", "file": "notes/a.md", "content": "- x\n" })),
        has_effect: |seen| seen.contains("rule_refused"),
    },
    Row {
        key: "write.max_file_bytes",
        value: "1024",
        given: &[],
        see: |cli| {
            let content = "- a line of a note\n".repeat(100);
            wished(cli, &json!({ "kind": "put", "file": "notes/a.md", "content": content }))
        },
        has_effect: |seen| seen.contains("file_too_large"),
    },
    Row {
        key: "journal.enabled",
        value: "false",
        given: &[],
        see: held,
        has_effect: |seen| logs(seen).is_empty(),
    },
    Row {
        key: "journal.layout",
        value: "daily",
        given: &[],
        see: held,
        has_effect: |seen| matches!(logs(seen)[..], [log] if log.starts_with("work/notes/memory/daily/")),
    },
    Row {
        key: "journal.cadence",
        value: "every_turn",
        given: &[],
        see: |cli| {
            spoken(cli);
            paths(cli)
        },
        has_effect: |seen| logs(seen).len() == 1,
    },
    Row {
        key: "heartbeat.enabled",
        value: "false",
        given: &[],
        see: held,
        has_effect: |seen| !seen.contains("work/notes/HEARTBEAT.md"),
    },
    Row {
        key: "transcripts.enabled",
        value: "false",
        given: &[],
        see: held,
        has_effect: |seen| !seen.contains("/transcripts/"),
    },
    Row {
        key: "transcripts.redaction",
        value: "true",
        given: &[],
        see: transcribed,
        has_effect: |seen| seen.contains("[REDACTED:home_path]") && !seen.contains("/home/ana"),
    },
    Row {
        key: "transcripts.extra_patterns",
        value: "ticket=T-[0-9]+",
        given: &[("INWIT_TRANSCRIPTS_REDACTION", "true")],
        see: transcribed,
        has_effect: |seen| seen.contains("[REDACTED:ticket]") && !seen.contains("T-77"),
    },
];

const RECALL: &[Row] = &[
    Row {
        key: "search.text_files",
        value: "true",
        given: &[],
        see: |cli| {
            fixture::put(&cli.work("notes"), "plan.txt", b"The observatory opens at nine.\n");
            cli.run(["search", "observatory"]).stdout()
        },
        has_effect: |seen| seen.contains("plan.txt#L1"),
    },
    Row {
        key: "search.limit",
        value: "1",
        given: &[],
        see: |cli| cli.run(["search", "zeppelin", "--json"]).json()["results"].to_string(),
        has_effect: |seen| seen.matches("\"path\"").count() == 1,
    },
    Row {
        key: "weights.trigger",
        value: "0",
        given: &[],
        see: |cli| cli.run(["search", "orangery"]).stdout(),
        has_effect: |seen| !seen.contains("glass house"),
    },
    Row {
        key: "recall.record",
        value: "false",
        given: &[],
        see: would_promote,
        has_effect: |seen| promoted(seen) == 0,
    },
    Row {
        key: "dream.min_recalls",
        value: "5",
        given: &[],
        see: would_promote,
        has_effect: |seen| promoted(seen) == 0,
    },
    Row {
        key: "dream.min_questions",
        value: "5",
        given: &[],
        see: would_promote,
        has_effect: |seen| promoted(seen) == 0,
    },
    Row {
        key: "dream.min_days",
        value: "2",
        given: &[],
        see: would_promote,
        has_effect: |seen| promoted(seen) == 0,
    },
    Row {
        key: "dream.min_score_percent",
        value: "100",
        given: &[],
        see: would_promote,
        has_effect: |seen| promoted(seen) == 0,
    },
    Row {
        key: "dream.total_input_bytes",
        value: "1024",
        given: &[],
        see: would_send,
        has_effect: |seen| seen.contains("over_budget"),
    },
    Row {
        key: "dream.max_file_bytes",
        value: "1024",
        given: &[],
        see: would_send,
        has_effect: |seen| seen.contains("dream.max_file_bytes"),
    },
    Row {
        key: "dream.window_days",
        value: "3650",
        given: &[],
        see: would_send,
        has_effect: |seen| !seen.contains("outside_window"),
    },
    Row {
        key: "dream.max_promotions",
        value: "1",
        given: &[],
        see: would_promote,
        has_effect: |seen| promoted(seen) == 1,
    },
];

/// A home over a folder of notes: two long files, all others short.
fn home() -> Cli {
    let filler = |at: usize| format!("- line {at} is about nothing in particular\n");
    let long = |first: &str, middle: &str| {
        let half: String = (0..40).map(filler).collect();
        format!("- {first}\n{half}- {middle}\n{half}")
    };
    const HALLS: [&str; 5] = [
        "It was bought in Ghent for the summer fair, and the ropes that came with it were too short by an arm.",
        "Two carpenters from Braga built its cabin out of larch, which took them from Easter to the harvest.",
        "Its engine had been taken out of a tractor, so nobody could hear a word while it was running there.",
        "Children of the school may look into it on Wednesdays, as long as one of the teachers stays with them.",
        "The insurance wants a photograph of every seam each spring, and the last ones were taken in heavy rain.",
    ];
    let topic =
        |at: usize| format!("# Hall {at}\n\n- The zeppelin of hall {at} is painted red. {}\n", HALLS[at]);
    let cli = newcomer().env("INWIT_WORKSPACE", "$HOME/work/notes");
    let cli = (0..HALLS.len())
        .fold(cli, |cli, at| cli.write(&format!("work/notes/memory/topics/hall-{at}.md"), &topic(at)));
    let cli = cli.write(
        "work/notes/memory/topics/glass.md",
        "- The glass house is locked. <!-- trigger: orangery -->\n",
    );
    cli.write("work/notes/SOUL.md", "soulword\n")
        .write("work/notes/AGENTS.md", "agentsword\n")
        .write("work/notes/IDENTITY.md", "- **Name:** Ada\n- **Emoji:** 🍞\n")
        .write("work/notes/USER.md", &long("userword", "usermiddle"))
        .write("work/notes/TOOLS.md", "toolsword\n")
        .write("work/notes/MEMORY.md", &long("memoryword", "memorymiddle"))
        .write("work/notes/memory/2026-11-19.md", "- The bread chest stands below the cellar stairs.\n")
        .write("work/notes/memory/2026-11-20.md", "- The oven door must be lifted before it closes.\n")
}

fn prompt(cli: &Cli) -> String {
    cli.run(["prompt"]).stdout()
}

fn report(cli: &Cli) -> String {
    cli.run(["prompt", "--report"]).stdout()
}

fn asked(cli: &Cli) -> String {
    cli.run(["prompt", "--question", "zeppelin painted red"]).stdout()
}

/// The prompt of a home that lacks a file.
fn without(file: &str, cli: &Cli) -> String {
    std::fs::remove_file(cli.work("notes").join(file)).expect("removed");
    prompt(cli)
}

fn session(cli: &Cli, verb: &str, input: &Value) -> Value {
    cli.run(["session", verb, "--input", &input.to_string()]).json()
}

fn start(cli: &Cli) -> Value {
    session(cli, "start", &json!({}))
}

/// A session with one turn, which wants to write; its id and the answer.
fn turn(cli: &Cli, text: &str, writes: &[Value]) -> (Value, Value) {
    let id = start(cli)["session"].clone();
    let turn = json!({ "session": id, "user": { "text": text }, "assistant": "Noted.", "writes": writes });
    let turned = session(cli, "turn", &turn);
    (id, turned)
}

/// What became of one write of an agent.
fn wished(cli: &Cli, wish: &Value) -> String {
    turn(cli, "Please keep it.", std::slice::from_ref(wish)).1["writes"][0].to_string()
}

fn is_pending_by_policy(seen: &str) -> bool {
    seen.contains("\"outcome\":\"pending\"") && seen.contains("\"why\":\"policy\"")
}

fn spoken(cli: &Cli) -> Value {
    turn(cli, "We ship T-77 from /home/ana/oven on Friday.", &[]).0
}

/// Every path of the home after a session that ended.
fn held(cli: &Cli) -> String {
    let id = spoken(cli);
    session(cli, "end", &json!({ "session": id }));
    paths(cli)
}

fn paths(cli: &Cli) -> String {
    Tree::of(&cli.home("")).paths().join("\n")
}

/// The daily logs among `paths` that a session wrote.
fn logs(paths: &str) -> Vec<&str> {
    let own = |path: &&str| {
        !path.contains("/2026-11-19") && !path.contains("/2026-11-20") && !path.contains("/topics/")
    };
    paths
        .lines()
        .filter(|path| path.starts_with("work/notes/memory/") && path.ends_with(".md"))
        .filter(own)
        .collect()
}

/// The transcript of a session.
fn transcribed(cli: &Cli) -> String {
    spoken(cli);
    let paths = paths(cli);
    let file = paths.lines().find(|path| path.ends_with(".jsonl")).expect("a transcript");
    std::fs::read_to_string(cli.home(file)).expect("text")
}

/// What a dream would decide of two passages, each found by three questions of one day or four.
fn would_promote(cli: &Cli) -> String {
    for question in [
        "oven door", "door lifted", "oven lifted closes", "bread chest", "cellar stairs",
        "chest below stairs",
    ] {
        cli.run(["search", question]).exits(0);
    }
    cli.run(["dream", "--dry-run", "--json"]).stdout()
}

/// Which of three logs the engine `logs` would send: two of days to come, and one of five years ago or more.
fn would_send(cli: &Cli) -> String {
    let line = "- The oven door must be lifted before it closes.\n";
    for (name, lines) in [("2020-01-01", 1), ("2099-01-01", 20), ("2099-01-02", 40)] {
        let name = format!("memory/{name}.md");
        fixture::put(&cli.work("notes"), &name, line.repeat(lines).as_bytes());
    }
    cli.run(["dream", "--engine", "logs", "--dry-run", "--json"]).stdout()
}

fn promoted(seen: &str) -> usize {
    seen.matches("\"would_promote\"").count()
}

/// Runs the commands of each row in a home without the setting and in one with it.
fn differ(rows: &'static [Row]) {
    let checked = |row: &Row| {
        let made = |is_set: bool| {
            let cli = row.given.iter().fold(home(), |cli, (name, value)| cli.env(name, value));
            let name = format!("INWIT_{}", row.key.to_uppercase().replace('.', "_"));
            if is_set { cli.env(&name, row.value) } else { cli }
        };
        let (plain, set) = ((row.see)(&made(false)), (row.see)(&made(true)));
        assert!(!(row.has_effect)(&plain), "{} is not set: {plain}", row.key);
        assert!((row.has_effect)(&set), "{} = {}: {set}", row.key, row.value);
    };
    rows.iter().for_each(checked);
}

/// Proves X3, X17, X27, X28.
#[test]
fn a_setting_of_the_prompt_changes_the_prompt() {
    differ(PROMPT);
    // MindRoom's name of the same switch.
    let cli = home().env("MEMORY_WORKSPACE_ENABLED", "false");
    assert!(!prompt(&cli).contains("soulword"));
}

/// Proves R21, R22, R30, X24.
#[test]
fn words_of_a_host_stand_in_the_prompt_where_no_file_takes_their_place() {
    differ(HOST);
    assert_eq!(home().run(["config", "get", "host.agents_md"]).stdout(), "replace\n");
    let cli = home()
        .env("INWIT_HOST_ROLE", "You are the rolewords.")
        .env("INWIT_HOST_INSTRUCTIONS", "Answer in one line.");
    cli.run(["prompt"])
        .mentions("soulword")
        .mentions("agentsword")
        .hides("rolewords")
        .hides("Answer in one line.");
    // Without the files the host's words are all there is.
    let cli = cli.env("INWIT_WORKSPACE_IN_PROMPT", "false");
    cli.run(["prompt"])
        .mentions("rolewords")
        .mentions("Answer in one line.")
        .hides("soulword")
        .hides("memoryword");
}

/// Proves X38.
#[test]
fn a_setting_of_writes_changes_what_is_written() {
    differ(WRITES);
    // The same switch holds where nobody speaks: a dream asks as a turn does.
    let cli = home().env("INWIT_WRITE_APPROVAL", "true");
    would_promote(&cli);
    let before = std::fs::read(cli.work("notes/MEMORY.md")).expect("read");
    assert_eq!(cli.run(["dream", "--json"]).json()["outcome"], "pending");
    assert_eq!(std::fs::read(cli.work("notes/MEMORY.md")).expect("read"), before);
}

#[test]
fn a_setting_of_recall_changes_what_is_found_and_promoted() {
    differ(RECALL);
}

#[test]
fn no_setting_is_without_a_test_of_its_effect() {
    let rows = [PROMPT, HOST, WRITES, RECALL];
    let has_row = |key: &str| rows.iter().copied().flatten().any(|row| row.key == key);
    let stands_elsewhere = |key: &str| {
        let names = |name: &str| name == key || (name.ends_with('.') && key.starts_with(name));
        ELSEWHERE.iter().any(|(name, _)| names(name))
    };
    let list = newcomer().run(["config", "list", "--json"]).json();
    let keys: Vec<&str> = list["settings"]
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| row["key"].as_str().expect("a key"))
        .collect();
    let untested = keys.iter().filter(|key| !has_row(key) && !stands_elsewhere(key));
    assert_eq!(untested.collect::<Vec<_>>(), Vec::<&&str>::new());
    let is_gone =
        |name: &str| !keys.iter().any(|key| *key == name || (name.ends_with('.') && key.starts_with(name)));
    let rows = rows.iter().copied().flatten().map(|row| row.key);
    let gone = rows.chain(ELSEWHERE.iter().map(|(name, _)| *name)).filter(|name| is_gone(name));
    assert_eq!(gone.collect::<Vec<_>>(), Vec::<&str>::new(), "a key that is no setting");
}
