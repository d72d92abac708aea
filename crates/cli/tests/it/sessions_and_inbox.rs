//! What goes through the gate and back, as somebody at a terminal does it.

use inwit_testkit::Cli;
use serde_json::Value;

use crate::newcomer;

fn owner() -> Cli {
    let home = newcomer().env("PATH", "/usr/local/bin:/usr/bin:/bin");
    home.run(["init"]).exits(0);
    home
}

fn proposals(home: &Cli) -> Vec<Value> {
    home.run(["inbox", "--json"]).json()["proposals"].as_array().expect("proposals").clone()
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

/// One sentence, from the agent through the inbox into MEMORY.md, in the blame of its line, and back.
///
/// Proves C6.
#[test]
fn one_sentence_goes_in_by_a_persons_word_and_out_again() {
    let home = owner();
    let before = home.run(["show", "MEMORY.md"]).stdout();
    home.run(["remember", "--as", "agent", "Ana moves to Lima", "--reason", "she said so"])
        .mentions("Proposed");
    assert_eq!(home.run(["show", "MEMORY.md"]).stdout(), before, "not yet");
    let waiting = proposals(&home);
    assert_eq!((waiting.len(), text(&waiting[0]["taint"])), (1, "tool"));
    let id = text(&waiting[0]["id"]).to_owned();
    let shown = home.run(["inbox", "show", &id, "--json"]).json();
    assert!(text(&shown["diff"]).contains("+- Ana moves to Lima\n"), "{shown}");
    home.run(["inbox", "approve", &id]).exits(5).mentions("Confirmation required");
    home.run(["inbox", "approve", &id, "--confirm", "0000000000"]).exits(5);
    home.run(["inbox", "approve", &id, "--confirm", text(&shown["confirm"])]).mentions("MEMORY.md");
    home.run(["inbox", "approve", &id, "--confirm", text(&shown["confirm"])]).exits(4);
    let after = home.run(["show", "MEMORY.md"]).stdout();
    assert!(after.contains("- Ana moves to Lima\n"));
    if !inwit_testkit::has_git() {
        return;
    }
    let blame = home.run(["history", "blame", "MEMORY.md", "--json"]).json();
    let line =
        blame["lines"].as_array().expect("lines").iter().find(|line| text(&line["text"]).contains("Lima"));
    let line = line.expect("the line");
    assert_eq!((text(&line["actor"]), text(&line["proposal"])), ("agent", id.as_str()));
    let log = home.run(["history", "log", "MEMORY.md", "--json"]).json();
    let commits = log["commits"].as_array().expect("commits");
    let first = text(&commits.last().expect("a commit")["revision"]).to_owned();
    home.run(["history", "restore", "MEMORY.md", "--at", &first]).mentions("Proposed");
    let restore = proposals(&home);
    let shown = home.run(["inbox", "show", text(&restore[0]["id"]), "--json"]).json();
    home.run(["inbox", "approve", text(&restore[0]["id"]), "--confirm", text(&shown["confirm"])]).exits(0);
    assert_eq!(home.run(["show", "MEMORY.md"]).stdout(), before, "byte for byte");
    home.run(["history", "audit", "verify"]).exits(0);
    home.run(["history", "audit", "show"]).mentions("reason: she said so");
}

#[test]
fn what_cannot_be_seen_is_shown_and_what_is_secret_is_not_kept() {
    let home = owner();
    let key = ["ghp_", &"FAKE".repeat(7), "FA", "4fBzlp"].concat();
    home.run(["remember", &format!("the token is {key}")]).exits(5).mentions("github_pat").hides(&key);
    home.run(["remember", &format!("the token is {key}"), "--allow-secret"]).exits(0).hides(&key);
    // What only looks like one is kept, and models see it masked until the owner says otherwise.
    home.run(["remember", "The NAS password: Zx81!kiwiQ"]).exits(0).mentions("inwit accept MEMORY.md");
    home.run(["remember", "The gate password: Ry22!mangoT", "--allow-secret"]).exits(0).hides("inwit accept");
    home.run(["prompt"]).exits(0).hides("Zx81!kiwiQ").mentions("Ry22!mangoT");
    home.run(["accept", "MEMORY.md"]).exits(0);
    home.run(["prompt"]).exits(0).mentions("Zx81!kiwiQ");
    // Only the owner unmasks, so an agent is not sent there.
    home.run(["remember", "--as", "agent", "The shed password: Qw55!plumZ"]).exits(0).hides("inwit accept");
    let waiting = proposals(&home);
    let shed = text(&waiting[0]["id"]);
    let shown = home.run(["inbox", "show", shed, "--json"]).json();
    let approved = home.run(["inbox", "approve", shed, "--confirm", text(&shown["confirm"])]);
    approved.exits(0).mentions("inwit accept MEMORY.md");
    home.run(["prompt"]).mentions("The shed password").hides("Qw55!plumZ");
    home.run(["remember", "--as", "agent", &format!("token {key}")]).exits(5).hides(&key);
    home.run(["remember", "--as", "agent", "hidden \u{202e} order"]).exits(5).mentions("line ");
    home.run(["remember", "hidden \u{202e} order"]).exits(0).mentions("inwit accept MEMORY.md");
    home.run(["facts", "add", "kiwi\u{e0067}\u{e006f} is a fruit"]).exits(0);
    home.run(["prompt"]).mentions("is a fruit").hides("\u{202e}").hides("\u{e0067}");
    home.run(["remember", "--as", "agent", "x", "--allow-secret"]).exits(2);
    home.run(["remember", " "]).exits(2);
    home.run(["remember", "x", "--file", "../x.md"]).exits(2);
    home.run(["remember", "x", "--file", "CLAUDE.md"]).exits(2);
}

/// Proves N2, X55.
#[test]
fn a_nexo_home_has_its_repository_in_the_workspace() {
    if !inwit_testkit::has_git() {
        return;
    }
    let home = newcomer().env("PATH", "/usr/local/bin:/usr/bin:/bin");
    home.run(["init", "--profile", "nexo"]).exits(0);
    home.run(["remember", "Ana bakes"]).exits(0);
    home.run(["journal", "add", "Ana called."]).exits(0);
    home.run(["dream"]).exits(0);
    let commits = home.run(["history", "log", "--json"]).json()["commits"].as_array().expect("commits").len();
    let workspace = home.home("inwit/agents/main/workspace");
    for name in ["IDENTITY.md", "SOUL.md", "USER.md", "AGENTS.md", "MEMORY.md", "DREAMS.md"] {
        assert!(workspace.join(name).exists(), "{name}");
    }
    let note = only_entry(&workspace.join("notes"));
    let noted = || std::fs::read_to_string(workspace.join("notes").join(&note)).expect("a note");
    assert!(noted().contains("Ana called."), "{note}: {}", noted());
    assert!(!workspace.join("memory").join(&note).exists());
    inwit_testkit::fixture::put(&workspace, "notes/2026-11-20.md", b"- Tomas came by.\n");
    home.run(["search", "Tomas"]).mentions("notes/2026-11-20.md");
    // Anybody's git reads it in its place.
    let git = |words: &[&str]| git_in(&workspace, words);
    assert_eq!(git(&["log", "--format=%an"]).lines().count(), commits);
    let authors = git(&["log", "--format=%an <%ae>"]);
    let after_the_first = authors.lines().take(commits - 1);
    assert!(after_the_first.into_iter().all(|by| by == "agent <agent@localhost>"), "{authors}");
    let tree = git(&["ls-tree", "-r", "--name-only", "HEAD"]);
    for name in ["IDENTITY.md", "SOUL.md", "USER.md", "AGENTS.md", "MEMORY.md", "DREAMS.md"] {
        assert!(tree.lines().any(|line| line == name), "{name}: {tree}");
    }
    assert!(tree.lines().any(|line| line == format!("notes/{note}")), "{tree}");
    home.run(["journal", "show"]).mentions("Ana called.");
    home.run(["prompt"]).mentions("Ana called.");

    let session = home.run(["session", "start"]).json();
    let id = text(&session["session"]).to_owned();
    let turn = format!(r#"{{"session":"{id}","user":{{"text":"We ship on Friday."}},"assistant":"Good."}}"#);
    home.run(["session", "turn", "--input", &turn]).exits(0);
    home.run(["session", "end", "--input", &format!(r#"{{"session":"{id}"}}"#)]).exits(0);
    assert!(noted().contains("Ana called.") && noted().contains("We ship on Friday."), "{}", noted());
}

/// The name of the one entry of a folder.
fn only_entry(folder: &std::path::Path) -> String {
    let entries =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let names: Vec<String> = entries.map(|name| name.into_string().expect("a name")).collect();
    let [name] = names.as_slice() else { panic!("{names:?}") };
    name.clone()
}

/// Proves N17.
#[test]
fn a_session_without_an_id_of_its_host_is_named_by_a_random_uuid() {
    let home = owner();
    let begins = || text(&home.run(["session", "start"]).json()["session"]).to_owned();
    let (id, other) = (begins(), begins());
    let form = regex::Regex::new("^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$");
    assert!(form.expect("an expression").is_match(&id), "{id}");
    assert_ne!(id, other);
    let turn = format!(r#"{{"session":"{id}","user":{{"text":"We ship on Friday."}},"assistant":"Good."}}"#);
    home.run(["session", "turn", "--input", &turn]).exits(0);
    let transcript = home.home(&format!("inwit/agents/main/transcripts/{id}.jsonl"));
    let transcript = std::fs::read_to_string(transcript).expect("a transcript");
    let lines: Vec<Value> =
        transcript.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    let fields: Vec<&str> = lines[0].as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(fields, ["type", "version", "id", "timestamp", "agent_id", "source_plugin", "scope"]);
    assert_eq!((text(&lines[0]["id"]), text(&lines[1]["type"])), (id.as_str(), "entry"));
}

/// What the owner's own git says.
#[expect(clippy::disallowed_methods, reason = "the test is the person with a git of their own")]
fn git_in(folder: &std::path::Path, words: &[&str]) -> String {
    let run = std::process::Command::new("git").arg("-C").arg(folder).args(words).output().expect("git");
    assert!(run.status.success(), "{run:?}");
    String::from_utf8(run.stdout).expect("text")
}

/// Proves R26, R25.
#[test]
fn a_team_logs_to_each_of_its_members() {
    let home = newcomer().env("PATH", "/usr/local/bin:/usr/bin:/bin");
    for id in ["main", "bo", "cy"] {
        home.run(["init", "--agent", id, "--profile", "mindroom"]).exits(0);
    }
    let start = r##"{"room":"#dev","user":"@alice","agents":["main","bo"]}"##;
    let session = home.run(["session", "start", "--input", start]).json();
    let id = text(&session["session"]).to_owned();
    let turn = format!(r#"{{"session":"{id}","user":{{"text":"We ship on Friday."}},"assistant":"Good."}}"#);
    home.run(["session", "turn", "--input", &turn]).exits(0);
    home.run(["session", "end", "--input", &format!(r#"{{"session":"{id}"}}"#)]).exits(0);
    for (agent, logged) in [("main", true), ("bo", true), ("cy", false)] {
        let day = home.run(["journal", "show", "--room", "#dev", "--agent", agent]);
        assert_eq!(day.stdout().contains("We ship on Friday."), logged, "{agent}");
    }
}

/// The exit status is 3 for what there is not, so a script can tell it from an empty answer.
#[test]
fn what_history_does_not_know_is_not_found() {
    if !inwit_testkit::has_git() {
        return;
    }
    let home = owner();
    home.run(["history", "diff", "nosuch.md"]).exits(3);
    home.run(["remember", "Ana bakes"]).exits(0);
    let log = home.run(["history", "log", "--json"]).json();
    let newest = text(&log["commits"][0]["revision"]).to_owned();
    home.run(["history", "blame", "MEMORY.md:99"]).mentions("out of range").exits(3);
    home.run(["history", "blame", "nosuch.md"]).exits(3);
    home.run(["history", "diff", "nosuch.md"]).mentions("not recorded").exits(3);
    home.run(["history", "diff", &newest, "nosuch.md"]).mentions("not recorded").exits(3);
    home.run(["history", "show", &newest, "nosuch.md"]).mentions("not recorded").exits(3);
    home.run(["history", "restore", "nosuch.md", "--at", &newest]).mentions("not recorded").exits(3);
    home.run(["inbox"]).hides("nosuch");
    // What init gave, and nobody touched, can be brought back.
    std::fs::remove_file(home.home("inwit/agents/main/workspace/USER.md")).expect("removed");
    home.run(["history", "restore", "USER.md", "--at", &newest]).mentions("Proposed");
    let actors = home.run(["history", "log", "USER.md", "--json"]).json();
    assert_eq!(actors["commits"][0]["actor"], "engine");
}

/// A file of millions of lines is shown in parts, each of which takes the memory of its own lines.
#[test]
fn the_origins_of_a_very_long_file_are_shown_in_parts() {
    if !inwit_testkit::has_git() {
        return;
    }
    let rows: String = (1..=120_000).map(|row| format!("row {row}.\n")).collect();
    let home = owner().write("inwit/agents/main/workspace/long.md", &rows);
    home.run(["history", "blame", "long.md"])
        .mentions("row 50000.")
        .hides("row 50001.")
        .mentions("long.md#L50001-L100000");
    home.run(["history", "blame", "long.md#L100001-L150000"])
        .mentions("row 100001.")
        .mentions("row 120000.")
        .hides("row 100000.")
        .hides("Only lines up to");
}

/// Proves X40.
#[test]
fn a_rule_of_the_owners_own_asks_and_blocks() {
    let home = owner();
    let rules = "ask-all = always in memory => ask\nno-loss = removes => block\nmoney = \"never about money\" in user => block";
    let home = home.env("INWIT_WRITE_RULES", rules);
    let turn = |wishes: &str| {
        let id = text(&home.run(["session", "start", "--input", "{}"]).json()["session"]).to_owned();
        let turn = format!(r#"{{"session":"{id}","assistant":"ok","writes":[{wishes}]}}"#);
        home.run(["session", "turn", "--input", &turn]).json()["writes"].clone()
    };
    let done = turn(
        r#"{"kind":"remember","text":"likes rye"},{"kind":"put","file":"notes/a.md","content":"- x\n- y\n"}"#,
    );
    assert_eq!((text(&done[0]["outcome"]), text(&done[0]["why"])), ("pending", "rule"), "{done}");
    assert_eq!(text(&done[1]["outcome"]), "applied", "no rule is of it: {done}");
    let base = text(&done[1]["receipt"]["resultSha256"]).to_owned();
    let put = format!(r#"{{"kind":"put","file":"notes/a.md","base":"{base}","content":"- x\n"}}"#);
    let refused = &turn(&put)[0]["error"];
    assert_eq!(text(&refused["code"]), "rule_refused", "{refused}");
    assert!(text(&refused["message"]).contains("`no-loss`"), "{refused}");
    // The owner's own words are no matter of these rules.
    home.run(["edit", "notes/a.md", "--content-from", "-"]).exits(0);
    // One that cannot be read is no rule that is left out.
    let home = home.env("INWIT_WRITE_RULES", "no-loss = removed => block");
    home.run(["remember", "x"]).exits(2).mentions("line 1").mentions("removed");
}

/// The words of the turn say again what the part in `<private>` said.
#[test]
fn a_turn_with_a_private_part_keeps_no_reply_and_nothing_that_was_read_for_it() {
    let home = owner();
    home.run(["session", "start", "--input", r#"{"surface":"chat","session":"p1"}"#]).exits(0);
    let turn = r#"{"session":"p1","user":{"text":"<private>I have lupus.</private> What helps?"},
        "tools":[{"name":"web","text":"Lupus is treated with rest."}],"assistant":"For lupus, rest helps."}"#;
    home.run(["session", "turn", "--input", turn]).exits(0).mentions("private");
    home.run(["session", "end", "--input", r#"{"session":"p1"}"#]).exits(0);
    let kept = everything(&home);
    assert!(kept.contains("What helps?"), "the rest is kept");
    assert!(!kept.to_lowercase().contains("lupus"), "what is private is not");
}

/// Everything that the home keeps, as text.
fn everything(home: &Cli) -> String {
    let (mut open, mut kept) = (vec![home.home("")], String::new());
    while let Some(path) = open.pop() {
        match std::fs::read_dir(&path) {
            Ok(entries) => open.extend(entries.map(|entry| entry.expect("an entry").path())),
            Err(_) => kept += &String::from_utf8_lossy(&std::fs::read(&path).unwrap_or_default()),
        }
    }
    kept
}

/// Hosts put names beside the words, and tools read what somebody marked.
#[test]
fn a_private_part_beside_the_words_of_a_turn_is_kept_nowhere() {
    let home = owner();
    let start = r#"{"surface":"chat <private>zorblax</private>","session":"p2","user":"Ana <private>zorblax</private>",
        "model":"m1 <private>zorblax</private>"}"#;
    home.run(["session", "start", "--input", start]).exits(0).mentions("private");
    let turn = r#"{"session":"p2","key":"k1 <private>zorblax</private>",
        "user":{"name":"Ana <private>zorblax</private>","text":"What stands on the page?"},
        "tools":[{"name":"web <private>zorblax</private>","text":"The loom is blue. <private>zorblax</private>"}],
        "assistant":"The loom is blue."}"#;
    home.run(["session", "turn", "--input", turn]).exits(0).mentions("private");
    let nothing =
        r#"{"session":"p2","key":"<private>zorblax</private>","user":{"text":"x"},"assistant":"y"}"#;
    home.run(["session", "turn", "--input", nothing]).exits(2).mentions("The key of the turn");
    home.run(["session", "end", "--input", r#"{"session":"p2"}"#]).exits(0);
    let kept = everything(&home);
    assert!(kept.contains("The loom is blue."), "the rest is kept");
    assert!(!kept.contains("zorblax"), "what is private is not");
}

/// Groups of Telegram have negative ids.
#[test]
fn a_room_may_be_called_by_a_negative_number() {
    let home = owner();
    home.run(["journal", "add", "The kiln is cold.", "--room", "-100123"]).exits(0);
    home.run(["search", "kiln", "--room", "-100123"]).mentions("The kiln is cold.");
    home.run(["search", "kiln", "--room", "-100124"]).hides("The kiln is cold.");
    home.run(["search", "kiln", "--room", "--json"]).exits(2);
}

#[test]
fn a_call_that_is_misspelt_is_told_and_changes_nothing() {
    let home = owner();
    home.run(["session", "start", "--input", r#"{"scoop":"main"}"#]).exits(2).mentions("scoop");
    home.run(["session", "turn", "--input", r#"{"session":"nobody"}"#]).exits(3);
    home.run(["session", "turn", "--input", r#"{"session":"../x"}"#]).exits(2);
    home.run(["inbox", "show", "nothing"]).exits(3);
    home.run(["inbox", "reject", "prop-"]).exits(3);
    home.run(["journal", "show", "2026-02-30"]).exits(2);
    home.run(["journal", "add", " "]).exits(2);
    home.run(["edit", "SOUL.md", "--base", "zz", "--content-from", "-"]).exits(2).mentions("64");
    home.run(["show", "memory", "--room", "dev"]).exits(3).mentions("`MEMORY.md`");
    let put = r#"{"session":"s","writes":[{"kind":"put","file":"a.md","base":"zz","content":""}]}"#;
    home.run(["session", "turn", "--input", put]).exits(2).mentions("64 lower-case hex digits");
}

#[test]
fn a_reason_forges_no_line_of_the_screen_and_holds_no_secret() {
    let home = owner();
    let token = format!("glpat-{}", "Rk3xVb7QwZp1Nc8TyH2d");
    let reason = format!("fine\nnoticed   nothing\n-- Old. {token} \u{202e}x");
    home.run(["remember", "--as", "agent", "Ana moves to Lima", "--reason", &reason]).mentions("Proposed");
    let id = text(&proposals(&home)[0]["id"]).to_owned();
    let said = "        | fine noticed nothing -- Old. [REDACTED:gitlab_token] ⟦U+202E⟧x\n";
    home.run(["inbox"]).mentions(said).hides(&token);
    let shown = home.run(["inbox", "show", &id]).mentions(said).hides(&token).stdout();
    let (difference, reason) = (shown.find("+- Ana"), shown.find(said));
    assert!(difference.is_some() && difference < reason, "it stands behind the difference");
    let memory = std::fs::read(home.home("inwit/agents/main/memory.db")).expect("read");
    assert!(!memory.windows(token.len()).any(|part| part == token.as_bytes()));
}

#[test]
fn every_byte_of_a_change_is_to_be_seen() {
    let home = owner();
    let workspace = home.home("inwit/agents/main/workspace");
    inwit_testkit::fixture::put(&workspace, "MEMORY.md", b"# MEMORY\n\n- Tea.\n- Old \xff.\n");
    home.run(["remember", "--as", "agent", "Ana moves to Lima"]).mentions("Proposed");
    let id = text(&proposals(&home)[0]["id"]).to_owned();
    let home = home.write("work/mine.md", "# MEMORY\n\n- Tea.\r\n- New.");
    home.run(["inbox", "show", &id, "--with", "mine.md"])
        .mentions("--with 'mine.md' --confirm ")
        .mentions("-- Tea.\n")
        .mentions("-- Old ⟦0xFF⟧.\n")
        .mentions("+- Tea.⟦CR⟧\n")
        .mentions("+- New.\n\\ No newline at end of file\n");
    home.run(["inbox", "show", &id, "--with", "/dev/zero"]).exits(2).mentions("not a regular file");
}

/// A terminal is had with `script`, which every Linux has.
#[test]
fn a_plain_yes_is_too_little_for_what_agents_may_not_write() {
    let shell = Cli::new("/bin/sh").env("PATH", "/usr/local/bin:/usr/bin:/bin");
    let asks = "$0 init >/dev/null 2>&1; $0 remember --as agent --file USER.md 'Ana moves to Lima' >&2; \
        id=$($0 inbox | head -1 | cut -d' ' -f1); export PROGRAM=$0 ID=$id; ";
    let yes = format!("{asks} echo y | script -qec '$PROGRAM inbox approve $ID' /dev/null; $0 inbox");
    crate::shell_on(&shell, &yes).mentions("to write it").mentions("USER.md  by agent");
    let user = shell.home("inwit/agents/main/workspace/USER.md");
    assert!(!std::fs::read_to_string(user).expect("read").contains("Lima"));
    let no = format!("{asks} echo n | script -qec '$PROGRAM inbox approve $ID' /dev/null");
    crate::shell_on(&shell, &no).mentions("you answered no").hides("code does not match").exits(5);
}

/// A terminal is had with `script`, which every Linux has.
#[test]
fn an_edit_that_fails_leaves_no_copy_that_nobody_changed() {
    let shell = Cli::new("/bin/sh").env("PATH", "/usr/local/bin:/usr/bin:/bin");
    let asks = "$0 init >/dev/null 2>&1; $0 remember --as agent 'Ana moves to Lima' >&2; \
        id=$($0 inbox | head -1 | cut -d' ' -f1); ";
    let edits = shell.home("inwit/agents/main/edits");
    let copies = || std::fs::read_dir(&edits).map_or(0, Iterator::count);
    crate::shell_on(&shell, &format!("{asks} EDITOR= VISUAL= $0 inbox edit $id"))
        .mentions("No editor is set")
        .exits(2);
    assert!(!edits.exists(), "the editor is looked for first");
    let fails = format!("{asks} EDITOR=false $0 inbox edit $id");
    crate::shell_on(&shell, &fails).mentions("nothing was written").hides("Your edited text").exits(2);
    assert_eq!(copies(), 0);
    let unsaid = format!("{asks} EDITOR='echo mine >' $0 inbox edit $id </dev/null");
    crate::shell_on(&shell, &unsaid).mentions("Your edited text is in").exits(5);
    assert_eq!(copies(), 1);
}

/// A person pastes a line of a list as it stands.
#[test]
fn a_text_that_begins_like_an_item_is_a_text_and_a_flag_stays_a_flag() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["remember", "- Ana likes rye"]).exits(0);
    home.run(["remember", "--section", "Food", "- Ana likes oats"]).exits(0);
    home.run(["show", "MEMORY.md"]).mentions("Ana likes rye").mentions("Ana likes oats").mentions("Food");
    home.run(["journal", "add", "- Baked bread"]).exits(0);
    home.run(["remember", "--help"]).mentions("--section").exits(0);
    home.run(["journal", "add", "--help"]).mentions("TEXT").exits(0);
    home.run(["remember", "- x", "--as", "nobody"]).exits(2);
}

/// Beside the workspace, in it, or nowhere; the record of what was written is kept in each case.
///
/// Proves X55.
#[test]
fn the_place_of_history_is_a_setting() {
    if !inwit_testkit::has_git() {
        return;
    }
    for (place, beside, inside) in
        [("beside", true, false), ("workspace", false, true), ("off", false, false)]
    {
        let home =
            newcomer().env("PATH", "/usr/local/bin:/usr/bin:/bin").env("INWIT_HISTORY_LOCATION", place);
        home.run(["init", "--timezone", "UTC"]).exits(0);
        home.run(["remember", "Ana bakes"]).exits(0);
        let log = home.run(["history", "log", "MEMORY.md", "--json"]);
        if place == "off" {
            let error = log.exits(1).json_error();
            assert_eq!(error["error"]["code"], "history_unavailable");
            home.run(["history", "blame", "MEMORY.md"]).exits(1).mentions("history.location");
        } else {
            assert_eq!(log.json()["commits"][0]["actor"], "owner", "{place}");
            let blame = home.run(["history", "blame", "MEMORY.md", "--json"]).json();
            let lines = blame["lines"].as_array().expect("lines");
            let line = lines.iter().find(|line| text(&line["text"]).contains("Ana bakes")).expect("the line");
            assert_eq!(line["actor"], "owner", "{place}: {line}");
        }
        let agent = home.home("inwit/agents/main");
        assert_eq!(agent.join("history.git").exists(), beside, "{place}");
        assert_eq!(agent.join("workspace/.git").exists(), inside, "{place}");
        home.run(["history", "audit", "show"]).mentions("owner").mentions("MEMORY.md");
        home.run(["history", "audit", "verify"]).mentions("The audit log is intact");
    }
}

/// Proves R6.
#[test]
fn what_is_remembered_is_a_line_of_a_file_and_a_row_of_each_record() {
    if !inwit_testkit::has_git() {
        return;
    }
    let home = owner();
    home.run(["remember", "Ana bakes on Fridays"]).exits(0);
    let memory = std::fs::read_to_string(home.home("inwit/agents/main/workspace/MEMORY.md")).expect("read");
    assert!(memory.contains("- Ana bakes on Fridays\n"), "{memory}");
    let rows = home.run(["history", "audit", "show", "--json"]).json()["rows"].clone();
    let named = |row: &&Value| row["target"] == "MEMORY.md" && row["actor"] == "owner";
    assert_eq!(rows.as_array().expect("rows").iter().filter(named).count(), 1, "{rows}");
    let log = home.run(["history", "log", "MEMORY.md", "--json"]).json();
    assert_eq!(log["commits"][0]["actor"], "owner", "{log}");
}

/// Proves R29.
#[test]
fn a_session_in_private_is_given_memory_and_one_in_a_room_is_not() {
    let home = owner().write("inwit/agents/main/workspace/SOUL.md", "I am Ada.\n");
    home.run(["remember", "Ana bakes on Fridays"]).exits(0);
    let shown = |start: &str| {
        let began = home.run(["session", "start", "--input", start]).json();
        ["prefix", "userPrefix", "tail"].map(|part| text(&began[part]).to_owned()).concat()
    };
    let (private, room) = (shown("{}"), shown(r#"{"room":"kitchen"}"#));
    assert!(private.contains("I am Ada.") && private.contains("Ana bakes on Fridays"), "{private}");
    assert!(room.contains("I am Ada.") && !room.contains("Ana bakes"), "{room}");
}

/// Thirty notes waited and each had to be shown and approved alone.
/// Proves C5.
#[test]
fn several_proposals_are_decided_by_number_with_one_confirmation() {
    let home = owner();
    for note in ["Ana likes rye", "Ben likes corn", "Cleo likes spelt", "Dora likes oats", "Eve likes rice"] {
        home.run(["remember", "--as", "agent", note]).mentions("Proposed");
    }
    home.run(["inbox"]).mentions("+ - Ana likes rye").mentions("+ - Eve likes rice");
    let shown = home.run(["inbox", "approve", "1", "3-5"]).exits(5).mentions("Cleo likes spelt").stdout();
    let confirm = shown.lines().find_map(|line| line.strip_prefix("confirm   ")).expect("a code");
    home.run(["inbox", "approve", "1", "3-4", "--confirm", confirm]).exits(5);
    home.run(["inbox", "reject", "2"]).mentions("Rejected");
    home.run(["inbox", "approve", "1", "3-5", "--confirm", confirm]).exits(0);
    let memory = home.run(["show", "MEMORY.md"]).stdout();
    for note in ["Ana likes rye", "Cleo likes spelt", "Dora likes oats", "Eve likes rice"] {
        assert_eq!(memory.matches(note).count(), 1, "{memory}");
    }
    assert!(!memory.contains("Ben") && proposals(&home).is_empty(), "{memory}");
    home.run(["inbox", "show", "2"]).mentions("rejected");
    home.run(["remember", "--as", "agent", "Finn likes buns"]).mentions("Proposed");
    home.run(["remember", "--as", "agent", "Gil likes cake"]).mentions("Proposed");
    let numbers: Vec<u64> =
        proposals(&home).iter().map(|one| one["number"].as_u64().expect("a number")).collect();
    assert!(numbers.iter().all(|number| *number > 5), "no number means another proposal later: {numbers:?}");
    let names: Vec<String> = numbers.iter().map(u64::to_string).collect();
    home.run(["inbox", "reject", &names[0], &names[1], "--json"]).exits(0);
    assert!(proposals(&home).is_empty());
}

/// Each approval rebased everything that waited for its file: 40 of 800 took 100 s and 31,000 rows of the record.
#[test]
fn what_waits_beside_several_approvals_is_rebased_once() {
    let home = owner();
    for number in 0..8 {
        home.run(["remember", "--as", "agent", &format!("Loaf {number} is baked")]).mentions("Proposed");
    }
    let shown = home.run(["inbox", "approve", "1-4"]).exits(5).stdout();
    let confirm = shown.lines().find_map(|line| line.strip_prefix("confirm   ")).expect("a code");
    home.run(["inbox", "approve", "1-4", "--confirm", confirm]).exits(0);
    let record = home.run(["history", "audit", "show", "--limit", "1000", "--json"]).json();
    let rebased =
        record["rows"].as_array().expect("rows").iter().filter(|row| row["verb"] == "rebase").count();
    // The first stands on the file as it is; the other three follow it, and the four that wait follow all of them.
    assert_eq!(rebased, 3 + 4, "{record:#}");
    assert_eq!(proposals(&home).len(), 4);
}

/// `inwit remember` left private parts out; these two kept them.
#[test]
fn what_is_private_stands_in_no_fact_and_in_no_daily_log() {
    let cli = newcomer();
    cli.run(["init"]).exits(0);
    let said = "Ana likes spelt. <private>The safe opens with quokka.</private>";
    for command in [["facts", "add"], ["journal", "add"]] {
        let [verb, add] = command;
        let run = cli.run([verb, add, said]);
        assert!(run.stderr().contains("The part in `<private>` was left out"), "{verb}: {}", run.stderr());
        let _ = run.exits(0);
        let refused = cli.run([verb, add, "<private>quokka</private>"]);
        let _ = refused.exits(2).mentions("All of the text is in `<private>`");
    }
    for verb in [
        ["learn", "methods", "add", said].as_slice(),
        &["learn", "preferences", "observe", said, "--dimension", "topics"],
        &["learn", "decisions", "record", said, "--no-method"],
    ] {
        let run = cli.run_words(verb);
        assert!(run.stderr().contains("The part in `<private>` was left out"), "{verb:?}: {}", run.stderr());
        let _ = run.exits(0).hides("quokka");
    }
    cli.run(["facts", "update", "1", "--text", "Ana likes rye. <private>quokka</private>"]).exits(0);
    cli.run(["facts", "list"]).mentions("Ana likes rye.").hides("quokka");
    cli.run(["journal", "show"]).mentions("Ana likes spelt.").hides("quokka");
}
