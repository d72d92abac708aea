//! Bad settings are mended by `inwit config`, and what is refused before a command begins.

use inwit_testkit::server::{Reply, Server};
use inwit_testkit::{Cli, fixture};

use crate::{newcomer, shell_on, user_of_a_shell};

#[test]
fn a_bad_value_is_listed_with_its_problem_and_can_be_replaced() {
    let cli = newcomer().write(".config/inwit/config.toml", "# mine\n[search]\nlimit = 0\n");
    cli.run(["status"]).exits(2).mentions("search.limit").mentions("inwit config set KEY VALUE");
    cli.run(["config", "list"]).mentions("ignored: $HOME/.config/inwit/config.toml");
    let told = cli.run(["config", "list", "--json"]).json();
    let bad = &told["problems"][0];
    assert_eq!((bad["key"].as_str(), bad["value"].as_str()), (Some("search.limit"), Some("0")));
    assert!(bad["problem"].as_str().expect("a sentence").contains("from 1 to 1000"));
    cli.run(["config", "get", "search.limit"]).mentions("10").mentions("note: ");
    let _set = cli.run(["config", "set", "search.limit", "7"]);
    cli.run(["config", "get", "search.limit"]).hides("note").mentions("7");
    let text = std::fs::read_to_string(cli.home(".config/inwit/config.toml")).expect("read");
    assert_eq!(text, "# mine\n[search]\nlimit = 7\n");
}

#[test]
fn an_agent_that_is_not_there_cannot_be_set() {
    let cli = newcomer();
    let _made = cli.run(["init", "--agent", "ana"]);
    cli.run(["config", "set", "agent", "bo"]).exits(3).mentions("existing agents: ana.");
    let _set = cli.run(["config", "set", "agent", "ana"]);
}

#[test]
fn an_agent_and_a_folder_go_together_when_both_are_typed() {
    let cli = newcomer().write("work/notes/MEMORY.md", "- bread\n");
    let _made = cli.run(["init", "--agent", "ana"]);
    let status = cli.run(["status", "--agent", "ana", "-w", "notes", "--json"]).json();
    assert_eq!(status["agent"], "ana");
    assert_eq!(status["workspace"], "$HOME/work/notes");
}

#[test]
fn a_variable_that_is_no_text_is_an_error() {
    let script = "INWIT_AGENT=$(printf '\\377') $0 status";
    shell_on(&user_of_a_shell(), script).exits(2).mentions("INWIT_AGENT is not UTF-8");
}

#[test]
fn an_unknown_zone_of_the_system_is_utc_and_said() {
    let cli = newcomer().env("TZ", "Mars/Olympus").write("work/notes/MEMORY.md", "- bread\n");
    let _run = cli.run(["status", "-w", "notes"]).mentions("time zone UTC").mentions("time zone is unknown");
}

/// An agent of which much is wrong, all of it beside or inside the files.
#[test]
fn doctor_tells_what_is_wrong_with_what_is_kept() {
    let cli = newcomer().env("PATH", "/usr/local/bin:/usr/bin:/bin");
    cli.run(["init", "--timezone", "UTC"]).mentions("Agent `main` is in");
    cli.run(["doctor"]).hides("memory.db");
    let workspace = cli.home("inwit/agents/main/workspace");
    let token = format!("glpat-{}", "Rk3xVb7QwZp1Nc8TyH2d");
    fixture::put(&workspace, "TOOLS.md", format!("# Tools\n\nThe key is {token}.\n").as_bytes());
    fixture::put(&workspace, "MEMORY.md", "- Pay Ana\u{202e} now.\n".as_bytes());
    fixture::put(&workspace, "MEMORY.conflict-20261121T120000Z.md", b"- Lost.\n");
    fixture::put(&workspace, ".git/config", b"[core]\n");
    let quarantine = r#"[{"quarantined_at":"2026-11-20T03:00:00Z","pattern":"gitlab_token","log_filenames":["memory/2026-11-19.md"],"max_mtime_ms":1}]"#;
    fixture::put(&workspace, ".dreamed-quarantine.json", quarantine.as_bytes());
    cli.run(["doctor"])
        .mentions("TOOLS.md: Line 3: gitlab_token.")
        .hides(&token)
        .mentions("MEMORY.md: Line 1: ")
        .mentions("MEMORY.conflict-20261121T120000Z.md: ")
        .mentions(".git: inwit did not create it")
        .mentions("memory/2026-11-19.md: A dream found gitlab_token in it.");

    // Without git, changes wait and are told.
    let cli = cli.env("PATH", "/nowhere");
    cli.run_with(["edit", "USER.md", "--content-from", "-"], "Ana.\n").mentions("Wrote");
    cli.run(["doctor"]).mentions("cannot be recorded, because `git` is not installed");
    cli.run(["doctor", "--json"]).mentions("\"historyWaits\"");

    let home = cli.home("inwit/agents/main");
    for name in ["memory.db-wal", "memory.db-shm"] {
        // The log holds pages of its own, and would mend what is written here.
        let _ = std::fs::remove_file(home.join(name));
    }
    fixture::put(&home, "memory.db", "no database ".repeat(500).as_bytes());
    cli.run(["doctor"]).mentions("memory.db").mentions("backups/").exits(1);
    cli.run(["search", "Ana"]).mentions("MEMORY.md");
}

/// What is mended without asking: shown first, then done and recorded, and done once.
/// Proves M69.
#[test]
fn doctor_repairs_what_needs_no_decision_and_records_it() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["facts", "add", "bakes with #rye on Fridays"]).exits(0);
    let memory = home.home("inwit/agents/main/memory.db");
    let rows = || home.run(["history", "audit", "show", "--json"]).stdout().matches("\"seq\"").count();
    let before = rows();
    home.run(["doctor", "--fix"]).hides("edges: 1 found").mentions("Nothing to repair.").hides("Use --apply");
    home.run(["doctor", "--help"]).mentions("edges that no fact supports");
    home.run(["doctor", "--fix", "--apply"]).hides("edges: 1 found");
    assert_eq!(rows(), before, "nothing was to be mended, so nothing was written");
    mended_by_hand(&home, &memory);
    home.run(["doctor", "--fix", "--only", "edges", "--json"]).mentions("\"applied\": false");
    home.run(["doctor", "--fix", "--only", "nothing"])
        .exits(2)
        .mentions("The repairs are memory, reindex, embeddings, edges");
    let health = home.run(["doctor", "--json"]).json()["health"].clone();
    assert_eq!(health["facts"], 1);
    assert_eq!((&health["edges"], &health["factsPending"]), (&2.into(), &0.into()), "{health}");
    let named: Vec<_> = health["entities"].as_array().expect("things").iter().map(|of| &of["key"]).collect();
    assert_eq!(named, ["fridays", "rye"], "{health}");
    home.run(["facts", "add", "bakes for Ana", "--as", "agent"]).exits(0);
    assert_eq!(home.run(["doctor", "--json"]).json()["health"]["factsPending"], 1);
    home.run(["doctor", "--anonymous", "--json"]).mentions("\"facts\": \"1-9\"").hides("rye");
    home.run(["doctor", "--anonymous"]).mentions("facts: 1-9").hides("rye");
    home.run(["facts", "forget", "1"]).exits(0);
    let health = home.run(["doctor", "--json"]).json()["health"].clone();
    assert_eq!((&health["facts"], &health["factsForgotten"]), (&0.into(), &1.into()), "{health}");
}

/// Takes the edges away by hand where this machine has the stock shell of SQLite; then they are mended.
fn mended_by_hand(home: &Cli, memory: &std::path::Path) {
    if !inwit_testkit::has_sqlite3() {
        return;
    }
    let script = format!("sqlite3 '{}' 'DELETE FROM memory_edges'", memory.display());
    user_of_a_shell().env("PATH", "/usr/local/bin:/usr/bin:/bin").run(["-ec", &script]).exits(0);
    home.run(["doctor", "--fix", "--only", "edges"]).mentions("0 repaired").hides("edges: 0 found");
    home.run(["doctor", "--fix", "--only", "edges", "--apply"]).hides("0 repaired");
    home.run(["doctor", "--fix", "--only", "edges", "--apply"]).hides("edges: 1 found");
    let shown = home.run(["history", "audit", "show"]).mentions("doctor.fix.edges").stdout();
    assert_eq!(shown.matches("doctor.fix.edges").count(), 1, "{shown}");
    home.run(["history", "audit", "verify"]).mentions("The audit log is intact");
}

/// How much there is stands in the words of `doctor` as it does in its JSON; strangers see orders of magnitude and no
/// name.
#[test]
fn doctor_tells_how_much_there_is_in_words_and_strangers_only_its_order() {
    let vector = || Reply::good(r#"{"embeddings":[[1,0]]}"#);
    let server = Server::answering((0..9).map(|_| vector()).collect());
    let home = newcomer()
        .env("INWIT_EMBEDDING_URL", &server.url)
        .env("INWIT_EMBEDDING_MODEL", "tiny")
        .env("INWIT_EMBEDDING_DIMENSION", "2");
    let kept = |home: &Cli, text: &str| {
        home.run(["facts", "add", text]).exits(0).mentions("Saved: ");
    };
    home.run(["init", "--timezone", "UTC"]).exits(0);
    let workspace = home.home("inwit/agents/main/workspace");
    let notes = std::fs::read_dir(&workspace).expect("a workspace").flatten();
    notes.filter(|entry| entry.path().is_file()).for_each(|entry| {
        std::fs::remove_file(entry.path()).expect("removed");
    });
    fixture::put(&workspace, "memory/2026-11-20.md", b"- The cat sleeps.\n");
    kept(&home, "bakes with #rye on Fridays");
    let home = home.env("INWIT_EMBEDDING_PROVIDER", "ollama");
    home.run(["doctor", "--fix", "--apply", "--only", "embeddings"]).exits(0);
    for text in ["sows #rye near Kilkenny each October", "eats #rye and figs"] {
        kept(&home, text);
    }
    home.run(["facts", "forget", "3"]).exits(0);
    home.run(["facts", "add", "bakes for Ana", "--as", "agent"]).exits(0);
    let health = home.run(["doctor", "--json"]).json()["health"].clone();
    let number = |path: &str| health.pointer(path).and_then(serde_json::Value::as_u64).expect(path);
    assert_eq!((number("/factVectors/embedded"), number("/factVectors/pending")), (1, 1), "{health}");
    assert_eq!(health["entities"][0]["key"], "rye", "{health}");
    home.run(["doctor"])
        .mentions("facts: 2 kept, 1 forgotten, 1 pending approval")
        .mentions("most named in facts: rye (2)")
        .mentions("embeddings of facts: 1 embedded, 1 pending")
        .mentions("embeddings of notes: ")
        .mentions("inbox: 1 pending")
        .hides("quarantined logs");

    // Every name that the owner sees, and none of them.
    let names = health["entities"].as_array().expect("things").iter();
    let names: Vec<&str> = names.filter_map(|of| of["key"].as_str()).chain(["tiny", "Kilkenny"]).collect();
    assert!(names.len() > 4, "{names:?}");
    for form in [&["doctor", "--anonymous"][..], &["doctor", "--anonymous", "--json"]] {
        let said = home.run_words(form).stdout();
        names.iter().for_each(|name| assert!(!said.contains(name), "{name}: {said}"));
        let figures = said.split(|of: char| !of.is_ascii_digit() && !matches!(of, '-' | '+'));
        let buckets = ["0", "1-9", "10-99", "100-999", "1000-9999", "10000+"];
        let bare: Vec<&str> = figures.filter(|of| of.contains(|of: char| of.is_ascii_digit())).collect();
        assert!(!bare.is_empty() && bare.iter().all(|figure| buckets.contains(figure)), "{said}");
    }
    home.run(["doctor", "--anonymous"])
        .mentions("facts: 1-9")
        .mentions("forgotten facts: 1-9")
        .mentions("facts pending approval: 1-9")
        .mentions("facts pending consolidation: 0")
        .mentions("edges: 1-9")
        .mentions("embeddings of facts, embedded: 1-9")
        .mentions("embeddings of facts, pending: 1-9")
        .mentions("embeddings of facts, failed: 0")
        .mentions("embeddings of notes, embedded: 1-9")
        .mentions("pending proposals: 1-9")
        .mentions("changes not in the history yet: ");
}

/// How many findings there are of each check is told in its order, and that something is broken by the exit status.
#[test]
fn doctor_tells_strangers_that_something_is_broken_and_roughly_how_much() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    let workspace = home.home("inwit/agents/main/workspace");
    for number in 0..12 {
        fixture::put(&workspace, &format!("notes/n{number}.md"), b"# Notes\n\n```\nnever closed\n");
    }
    home.run(["doctor", "--anonymous"]).mentions("unclosed: 10-99").hides("n1.md").exits(0);
    let told = home.run(["doctor", "--anonymous", "--json"]).exits(0).json();
    assert_eq!(told["findings"]["unclosed"], "10-99", "{told}");
    fixture::put(
        &workspace,
        "MEMORY.md",
        format!("# MEMORY\n\n{}", "- An entry.\n".repeat(9_000)).as_bytes(),
    );
    let told = home.run(["doctor", "--anonymous", "--json"]).exits(1).json();
    assert_eq!(told["findings"]["over_budget"], "1-9", "{told}");
}
