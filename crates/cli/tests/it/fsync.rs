//! What is reported as written was asked of the disk: each write path syncs its files and the folders of their names.
//!
//! Simulated disks of other tests do not run the calls of the real one, so the system's own calls are counted here.

use std::collections::BTreeSet;

use inwit_testkit::{Cli, has_strace};

/// A user whose commands run under strace.
fn traced() -> Option<Cli> {
    has_strace().then(|| Cli::new("/usr/bin/strace").env("PATH", "/usr/local/bin:/usr/bin:/bin"))
}

/// Runs a command and gives the paths below the user's home that it synced, moments in names as `MOMENT`.
#[track_caller]
fn synced(cli: &Cli, words: &[&str], stdin: &str) -> BTreeSet<String> {
    let log = cli.home("trace");
    let path = log.display().to_string();
    let inwit = env!("CARGO_BIN_EXE_inwit");
    let strace = ["-f", "-y", "-e", "trace=fsync,fdatasync", "-o", path.as_str(), inwit];
    cli.run_words_with(&[strace.as_slice(), words].concat(), stdin).exits(0);
    let text = std::fs::read_to_string(&log).expect("a trace");
    let root = format!("{}/", cli.home("").display().to_string().trim_end_matches('/'));
    let paths = text.lines().filter_map(|line| {
        let (_, rest) = line.split_once('<')?;
        let (path, result) = rest.split_once('>')?;
        assert!(result.trim_end().ends_with("= 0") || result.contains("unfinished"), "{line}");
        path.strip_prefix(&root).map(str::to_owned)
    });
    paths.map(|path| without_moment(&path)).collect()
}

/// `main.restore-20261121T120000Z` as `main.restore-MOMENT`.
fn without_moment(path: &str) -> String {
    const MOMENT_CHARS: usize = 16;
    ["restore-", "draft-"].iter().fold(path.to_owned(), |path, mark| match path.split_once(mark) {
        Some((head, tail)) => format!("{head}{mark}MOMENT{}", tail.get(MOMENT_CHARS..).unwrap_or_default()),
        None => path,
    })
}

#[track_caller]
fn holds(synced: &BTreeSet<String>, wanted: &[&str]) {
    let missing: Vec<_> = wanted.iter().filter(|path| !synced.contains(**path)).collect();
    assert!(missing.is_empty(), "not synced: {missing:?} of {synced:#?}");
}

#[test]
fn every_write_syncs_its_files_and_the_folders_of_their_names() {
    let Some(cli) = traced() else { return };
    synced(&cli, &["init", "--timezone", "UTC"], "");
    let main = "inwit/agents/main";
    let edit = synced(&cli, &["edit", "memory/topics/rye.md", "--content-from", "-"], "- Rye.\n");
    let folders =
        ["workspace", "workspace/memory", "workspace/memory/topics"].map(|path| format!("{main}/{path}"));
    holds(&edit, &folders.each_ref().map(String::as_str));
    let is_staged = |path: &String| path.starts_with(&format!("{main}/workspace/memory/topics/.~inwit-"));
    assert!(edit.iter().any(is_staged), "the bytes of the file: {edit:#?}");
    let id = "9f0d2c1a-0000-4000-8000-000000000001";
    let start = format!(r#"{{"session":"{id}"}}"#);
    let turn = format!(r#"{{"session":"{id}","user":{{"text":"We bake."}},"assistant":"Yes."}}"#);
    synced(&cli, &["session", "start", "--input", &start], "");
    let turn = synced(&cli, &["session", "turn", "--input", &turn], "");
    let transcript = format!("{main}/transcripts/{id}.jsonl");
    holds(&turn, &[&transcript, &format!("{main}/transcripts")]);
    let backup = synced(&cli, &["backup", "kept"], "");
    let kept = "work/kept.draft-MOMENT";
    for below in [
        "", "home", "home/memory.db", "home/transcripts", "manifest.json", "workspace/memory/topics",
        "workspace/memory/topics/rye.md",
    ] {
        holds(&backup, &[format!("{kept}/{below}").trim_end_matches('/')]);
    }
    holds(&backup, &["work"]);
    let restore = synced(&cli, &["restore", "kept", "--agent", "twin", "--yes"], "");
    let twin = "inwit/agents/twin.restore-MOMENT";
    for below in [
        "", "memory.db", "transcripts", "workspace", "workspace/memory/topics",
        "workspace/memory/topics/rye.md",
    ] {
        holds(&restore, &[format!("{twin}/{below}").trim_end_matches('/')]);
    }
    holds(&restore, &["inwit/agents"]);
    forgets(&cli);
    hooks(&cli);
    sets_up(&cli);
}

/// A turn of a host is held before anything else is done with it.
#[track_caller]
fn hooks(cli: &Cli) {
    let turn = r#"{"session_id":"s-1","cwd":"/x","last_assistant_message":"Behind the oven."}"#;
    let stop = synced(cli, &["hook", "stop", "--agent", "main"], turn);
    let turns = "inwit/agents/main/turns";
    holds(&stop, &[turns]);
    let is_staged = |path: &String| path.starts_with(&format!("{turns}/.inwit-draft-"));
    assert!(stop.iter().any(is_staged), "the words of the turn: {stop:#?}");
}

/// What stands in the files of a host is not lost with the power either.
#[track_caller]
fn sets_up(cli: &Cli) {
    let setup = synced(cli, &["setup", "claude-code", "--agent", "main", "--apply"], "");
    holds(&setup, &[".claude"]);
    let is_staged = |path: &String| path.starts_with(".claude/.inwit-draft-");
    assert!(setup.iter().any(is_staged), "the bytes of the settings: {setup:#?}");
}

/// The old history goes once all of the new one is on the disk.
#[track_caller]
fn forgets(cli: &Cli) {
    if !inwit_testkit::has_git() {
        return;
    }
    synced(cli, &["remember", "Zorblax likes figs", "--agent", "main"], "");
    let id = "9f0d2c1a-0000-4000-8000-000000000001";
    let turn = format!(r#"{{"session":"{id}","user":{{"text":"Zorblax is here."}},"assistant":"Yes."}}"#);
    synced(cli, &["session", "turn", "--input", &turn, "--agent", "main"], "");
    synced(cli, &["history", "log", "--agent", "main"], "");
    let words =
        ["forget", "--everywhere", "Zorblax", "--rewrite-history", "--apply", "--yes", "--agent", "main"];
    let synced = synced(cli, &words, "");
    let drafted = |end: &str| {
        let of_draft = |path: &&String| path.contains("/history.git.inwit-draft.");
        synced.iter().filter(of_draft).any(|path| path.ends_with(end))
    };
    for end in [".pack", ".idx", "/HEAD", "/inwit-renamed", "/refs/heads"] {
        assert!(drafted(end), "{end}: {synced:#?}");
    }
    let transcripts = "inwit/agents/main/transcripts";
    holds(&synced, &[transcripts]);
    let is_staged = |path: &String| path.starts_with(&format!("{transcripts}/.forgetting-"));
    assert!(synced.iter().any(is_staged), "the transcript without the words: {synced:#?}");
}
