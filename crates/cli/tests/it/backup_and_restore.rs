//! `inwit backup` and `inwit restore`: a whole agent in one folder, and back.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use inwit_testkit::{Cli, Tree, fixture};

use crate::newcomer;

/// Agent `main` with a past: edits, a proposal that waits, a transcript, a state file.
fn home() -> Cli {
    let home = newcomer().env("PATH", "/usr/local/bin:/usr/bin:/bin");
    home.run(["init", "--timezone", "UTC"]).mentions("Agent `main` is in");
    for text in ["- Likes rye bread.\n", "- Likes oat bread.\n"] {
        home.run_with(["edit", "MEMORY.md", "--content-from", "-"], text).mentions("Wrote");
    }
    let log = home.run(["history", "log", "--json"]).json();
    let earlier = log["commits"][1]["revision"].as_str().expect("a revision");
    home.run(["history", "restore", "MEMORY.md", "--at", earlier]).mentions("Proposed");
    let agent = home.home("inwit/agents/main");
    fixture::put(&agent, "workspace/.soul-state.json", b"{}\n");
    fixture::put(&agent, "workspace/memory/2026-11-20.md", b"- A day.\n");
    fixture::put(&agent, "workspace/MEMORY.conflict-20261121T120000Z.md", b"- An edit that lost.\n");
    fixture::put(&agent, "workspace/skills/trains/run.sh", b"true\n");
    let runs = fs::Permissions::from_mode(0o755);
    fs::set_permissions(agent.join("workspace/skills/trains/run.sh"), runs).expect("a mode");
    fixture::put(&agent, "workspace/avatars/ada.png", b"\x89PNG\r\n\x1a\n\0\xff\xfe");
    fixture::put(&agent, "workspace/.obsidian/app.json", b"{}");
    fixture::put(&agent, "workspace/node_modules/x/index.js", b"x");
    fixture::put(&agent, "workspace/.dreaming.lock", b"");
    std::os::unix::fs::symlink("/etc/hostname", agent.join("workspace/link.txt")).expect("a link");
    fixture::put(&agent, "transcripts/s-1.jsonl", b"{}\n");
    home
}

/// What a person sees of an agent.
fn seen(home: &Cli) -> Vec<String> {
    [
        ["prompt"].as_slice(),
        &["search", "oat bread"],
        &["history", "log", "--json"],
        &["history", "blame", "MEMORY.md"],
    ]
    .iter()
    .map(|words| home.run_words(words).stdout())
    .collect()
}

fn wipe(home: &Cli) {
    fs::remove_dir_all(home.home("inwit")).expect("removed");
}

/// One file with a name of another time, or of no bytes at all, must not cost the copies of all others.
#[test]
fn a_name_that_is_no_text_and_a_file_without_measure_stop_no_backup_for_long() {
    use std::os::unix::ffi::OsStrExt as _;
    let home = home();
    let workspace = home.home("inwit/agents/main/workspace");
    let old = std::ffi::OsStr::from_bytes(b"caf\xe9.md");
    fs::create_dir(workspace.join("sub")).expect("made");
    fs::File::create(workspace.join("two\nlines.md")).expect("made");
    let made = ["", "sub"].map(|folder| fs::File::create(workspace.join(folder).join(old)));
    if made.iter().any(Result::is_err) {
        // A file system that takes text alone has no such file.
        return;
    }
    home.run(["backup", "kept"])
        .mentions("were copied and verified")
        .mentions("note: caf\\xe9.md of the workspace is not in the backup.")
        .mentions("note: sub/caf\\xe9.md of the workspace is not in the backup.")
        .mentions("note: two⟦U+000A⟧lines.md of the workspace is not in the backup.")
        .exits(0);
    let sparse = fs::File::create(workspace.join("disk.img")).expect("made");
    sparse.set_len(1 << 39).expect("a file of holes");
    home.run(["backup", "again"])
        .mentions(
            "error: `disk.img` has 549755813888 bytes; the maximum size of a file in a backup is \
             17179869184.",
        )
        .mentions("hint: Move the file out of the workspace")
        .exits(2);
    assert!(!home.work("again").exists());
}

#[test]
fn an_agent_that_was_lost_comes_back_whole() {
    let home = home();
    let workspace = home.home("inwit/agents/main/workspace");
    let (before, tree) = (seen(&home), Tree::of(&workspace));
    home.run(["backup", "kept"])
        .mentions("were copied and verified")
        .mentions("note: link.txt of the workspace is not in the backup.")
        .mentions("note: node_modules of the workspace is not in the backup.");
    for path in ["kept", "kept/home", "kept/workspace"] {
        assert_eq!(home.work(path).metadata().expect("there").permissions().mode() & 0o777, 0o700, "{path}");
    }
    for path in ["kept/manifest.json", "kept/home/memory.db", "kept/workspace/MEMORY.md"] {
        assert_eq!(home.work(path).metadata().expect("there").permissions().mode() & 0o777, 0o600, "{path}");
    }
    wipe(&home);
    home.run(["restore", "kept", "--yes"])
        .mentions("every sha256 matches")
        .mentions("its audit log is intact");
    assert_eq!(seen(&home), before);
    let mut kept = tree.bytes();
    for left_out in ["link.txt", "node_modules/x/index.js", ".dreaming.lock"] {
        kept.remove(left_out);
    }
    assert_eq!(Tree::of(&workspace).bytes(), kept);
    let mode = |path: &str| workspace.join(path).metadata().expect("there").permissions().mode() & 0o100;
    assert_eq!((mode("skills/trains/run.sh"), mode("avatars/ada.png")), (0o100, 0), "a script still runs");
    home.run(["history", "audit", "verify"]).mentions("The audit log is intact");
    home.run(["history", "audit", "show"]).mentions("restore").mentions("backup");
    assert!(home.home("inwit/agents/main/transcripts/s-1.jsonl").is_file());
    // It goes on from there.
    home.run(["undo"]).mentions("+- Likes rye bread.");
    home.run_with(["edit", "MEMORY.md", "--content-from", "-"], "- New.\n").mentions("Wrote");
    home.run(["history", "log", "-n", "1"]).mentions("put MEMORY.md");
}

#[test]
fn what_is_there_is_refused_or_moved_aside_and_never_deleted() {
    let home = home();
    home.run(["backup", "kept"]).mentions("were copied");
    home.run(["backup", "kept"]).mentions("not empty").exits(4);
    home.run(["backup", "../inwit/agents/main/workspace/kept"]).mentions("cannot be inside").exits(2);
    let before = Tree::of(&home.home("inwit/agents"));
    home.run(["restore", "kept", "--yes"]).mentions("not empty").mentions("--force").exits(4);
    assert_eq!(Tree::of(&home.home("inwit/agents")), before, "a refusal changes nothing");
    fixture::put(&home.home("inwit/agents/main/workspace"), "MEMORY.md", b"- Only here.\n");
    let told = home.run(["restore", "kept", "--yes", "--force", "--json"]).json();
    let aside = told["aside"][0].as_str().expect("a path").replace("$HOME", "");
    let old = home.home(aside.trim_start_matches('/')).join("workspace/MEMORY.md");
    assert_eq!(fs::read_to_string(old).expect("read"), "- Only here.\n");
    home.run(["show", "MEMORY.md"]).mentions("oat bread");
    // Another agent of the same home can have it too.
    home.run(["restore", "kept", "--yes", "--agent", "twin"]).mentions("agents/twin/workspace");
    home.run(["show", "MEMORY.md", "--agent", "twin"]).mentions("oat bread");
}

#[test]
fn a_backup_that_was_touched_brings_nothing_back() {
    let home = home();
    home.run(["backup", "kept"]).mentions("were copied");
    wipe(&home);
    let manifest = fs::read_to_string(home.work("kept/manifest.json")).expect("read");
    let refuse = |cli: &Cli, why: &str| {
        let error = cli.run(["restore", "kept", "--yes", "--json"]).exits(1).json_error();
        assert_eq!(error["error"]["code"], "backup_broken");
        assert!(error["error"]["message"].as_str().is_some_and(|told| told.contains(why)), "{error}");
        assert!(!cli.home("inwit/agents").exists(), "nothing is brought back");
    };
    let note = home.work("kept/workspace/MEMORY.md");
    let text = fs::read(&note).expect("read");
    fixture::put(Path::new("/"), note.to_str().expect("text"), b"- Touched.\n");
    refuse(&home, "its size differs");
    // The same size, one letter changed.
    let flipped = String::from_utf8(text.clone()).expect("text").replacen("oat", "rye", 1);
    assert_eq!(flipped.len(), text.len());
    fixture::put(&home.work("kept"), "workspace/MEMORY.md", flipped.as_bytes());
    refuse(&home, "its SHA-256 differs");
    fs::remove_file(&note).expect("removed");
    refuse(&home, "it was removed");
    std::os::unix::fs::symlink("/etc/hostname", &note).expect("a link");
    refuse(&home, "symbolic link");
    fs::remove_file(&note).expect("removed");
    fixture::put(&home.work("kept"), "workspace/MEMORY.md", &text);
    let led_out = manifest.replacen("workspace/MEMORY.md", "workspace/../../x.md", 1);
    fixture::put(&home.work("kept"), "manifest.json", led_out.as_bytes());
    refuse(&home, "outside the backup");
    fixture::put(
        &home.work("kept"),
        "manifest.json",
        manifest.replacen("\"format\": 2", "\"format\": 9", 1).as_bytes(),
    );
    refuse(&home, "format 9");
    fixture::put(&home.work("kept"), "manifest.json", manifest.as_bytes());
    home.run(["restore", "kept", "--yes"]).mentions("every sha256 matches");
    home.run(["restore", "notes"]).mentions("no manifest.json").exits(3);
}

/// A path in a backup is somebody else's word: `--force` with it must not reach a folder that nobody named.
#[test]
fn a_restore_goes_into_the_home_unless_the_person_names_another_place() {
    let home = newcomer().env("PATH", "/usr/local/bin:/usr/bin:/bin");
    fixture::put(&home.work("notes"), "MEMORY.md", b"- Likes rye.\n");
    home.run(["init", "notes", "--timezone", "UTC"]).exits(0);
    home.run(["backup", "kept"]).mentions("were copied");
    wipe(&home);
    let manifest = fs::read_to_string(home.work("kept/manifest.json")).expect("read");
    let ssh = home.home(".ssh");
    fixture::put(&ssh, "authorized_keys", b"ssh-ed25519 mine\n");
    let (notes, ssh_path) = (home.work("notes").display().to_string(), ssh.display().to_string());
    fixture::put(&home.work("kept"), "manifest.json", manifest.replace(&notes, &ssh_path).as_bytes());
    let before = (Tree::of(&ssh), Tree::of(&home.work("notes")));
    let planned = home.run(["restore", "kept", "--force", "--dry-run", "--json"]).json();
    assert_eq!(planned["applied"], false);
    assert_eq!(planned["workspace"], "$HOME/inwit/agents/main/workspace");
    assert_eq!(planned["formerWorkspace"], "$HOME/.ssh");
    assert!(!home.home("inwit").exists(), "a dry run writes nothing");
    home.run(["restore", "kept", "--force", "--yes"])
        .mentions("workspace   $HOME/inwit/agents/main/workspace")
        .mentions("The backup says that the workspace was at $HOME/.ssh.")
        .hides("--workspace $HOME/.ssh");
    assert_eq!((Tree::of(&ssh), Tree::of(&home.work("notes"))), before);
    home.run(["show", "MEMORY.md"]).mentions("Likes rye.");
    // What a person names is taken, and an agent that is there keeps its place.
    wipe(&home);
    home.run(["restore", "kept", "--force", "--yes", "--agent", "main", "-w", "notes"])
        .mentions("moves aside $HOME/work/notes");
    home.run(["restore", "kept", "--force", "--yes"]).mentions("workspace   $HOME/work/notes");
    for place in ["..", "../inwit", "../inwit/agents/main/transcripts", "kept/workspace"] {
        home.run(["restore", "kept", "--force", "--yes", "--agent", "main", "-w", place])
            .mentions("cannot be the workspace")
            .exits(2);
    }
}

/// Where inwit looks for the history is decided by the profile and the place of the workspace, which a restore changes.
#[test]
fn a_history_is_found_wherever_the_workspace_comes_to() {
    let log = |home: &Cli| home.run(["history", "log", "--json"]).json()["commits"].clone();
    let edit = |home: &Cli, text: &str| {
        home.run_with(["edit", "MEMORY.md", "--content-from", "-"], text).mentions("Wrote");
    };
    let agent = |home: &Cli, path: &str| home.home("inwit/agents/main").join(path);
    // From the workspace into the home: a folder of the person's gets no `.git`.
    let home = newcomer().env("PATH", "/usr/local/bin:/usr/bin:/bin");
    home.run(["init", "--timezone", "UTC", "--profile", "nexo"]).exits(0);
    edit(&home, "- Likes rye bread.\n");
    edit(&home, "- Likes oat bread.\n");
    let before = log(&home);
    assert!(agent(&home, "workspace/.git/HEAD").is_file());
    home.run(["backup", "kept"]).mentions("were copied");
    wipe(&home);
    home.run(["restore", "kept", "--yes", "--agent", "main", "-w", "mine"]).hides("leaves out").exits(0);
    assert!(!home.work("mine/.git").exists() && agent(&home, "history.git/HEAD").is_file());
    let config = fs::read_to_string(agent(&home, "history.git/config")).expect("read");
    assert!(config.contains("bare = true"), "{config}");
    assert_eq!(log(&home), before);
    home.run(["undo"]).mentions("+- Likes rye bread.");
    // And back: the workspace comes into the home, where this profile has its history in the workspace.
    let before = log(&home);
    home.run(["backup", "again"]).mentions("were copied");
    wipe(&home);
    home.run(["restore", "again", "--yes"]).exits(0);
    assert!(agent(&home, "workspace/.git/HEAD").is_file() && !agent(&home, "history.git").exists());
    let config = fs::read_to_string(agent(&home, "workspace/.git/config")).expect("read");
    assert!(config.contains("bare = false"), "{config}");
    assert_eq!(log(&home), before);
    edit(&home, "- Likes figs.\n");
    home.run(["history", "log", "-n", "1"]).mentions("put MEMORY.md");
    // A history of before the profile is not mixed with the one in use.
    let old = agent(&home, "history.git");
    fs::create_dir_all(old.join("refs/heads")).expect("a folder");
    fixture::put(&old, "HEAD", b"ref: refs/heads/old\n");
    let before = log(&home);
    home.run(["backup", "both"]).mentions("were copied");
    wipe(&home);
    home.run(["restore", "both", "--yes", "--agent", "main", "-w", "other"])
        .mentions("leaves out  home/history.git")
        .exits(0);
    assert_eq!(log(&home), before);
    assert!(!home.work("other/.git").exists());
}

/// Nothing is written before a person agreed, and without a terminal that is said beforehand.
#[test]
fn a_restore_asks_before_it_writes() {
    let home = home();
    home.run(["backup", "kept"]).mentions("were copied");
    let before = Tree::of(&home.home("inwit/agents"));
    for words in [["restore", "kept", "--force"].as_slice(), &["restore", "kept", "--force", "--json"]] {
        home.run_words(words).mentions("moves aside $HOME/inwit/agents/main").mentions("`--yes`").exits(5);
    }
    home.run(["restore", "kept", "--force", "--dry-run"]).mentions("moves aside").mentions("Dry run");
    assert_eq!(Tree::of(&home.home("inwit/agents")), before);
}

/// A dry run of a place that is taken shows the plan, and what a real run needs.
#[test]
fn a_dry_run_over_a_place_that_is_taken_shows_the_plan() {
    let home = home();
    home.run(["backup", "kept"]).mentions("were copied");
    let before = Tree::of(&home.home("inwit/agents"));
    home.run(["restore", "kept", "--dry-run"])
        .mentions("moves aside $HOME/inwit/agents/main")
        .mentions("Without `--force` this restore is refused")
        .exits(0);
    let planned = |words: &[&str]| {
        home.run_words(&[&["restore", "kept", "--dry-run", "--json"], words].concat()).json()
    };
    assert_eq!(
        (&planned(&[])["needsForce"], &planned(&["--force"])["needsForce"]),
        (&true.into(), &false.into())
    );
    home.run(["restore", "kept", "--dry-run", "--force"]).hides("is refused");
    home.run(["restore", "kept", "--yes"]).mentions("already exists and is not empty").exits(4);
    assert_eq!(Tree::of(&home.home("inwit/agents")), before);
    wipe(&home);
    assert_eq!(planned(&[])["needsForce"], false);
}

/// The copy of memory.db is taken from a state that stands still; the live file is no note of the workspace.
#[test]
fn a_workspace_that_holds_the_home_is_backed_up_without_it() {
    let home = newcomer().env("PATH", "/usr/local/bin:/usr/bin:/bin");
    let own = home.work("notes/own").display().to_string();
    let home = home.env("INWIT_HOME", &own);
    fixture::put(&home.work("notes"), "MEMORY.md", b"- Likes rye.\n");
    home.run(["init", "notes", "--timezone", "UTC"]).exits(0);
    home.run(["remember", "Ana bakes"]).exits(0);
    assert!(home.work("notes/own/agents/main/memory.db").is_file());
    let made = home.run(["backup", "kept", "--json"]).json();
    assert_eq!(made["leftOut"], serde_json::json!(["own"]));
    assert!(!home.work("kept/workspace/own").exists());
    assert!(home.work("kept/home/memory.db").is_file() && home.work("kept/workspace/MEMORY.md").is_file());
}

#[test]
fn a_restore_names_settings_that_it_leaves_out_or_that_set_the_prompt() {
    let home = newcomer().env("PATH", "/usr/local/bin:/usr/bin:/bin");
    home.run(["init", "--timezone", "UTC"]).exits(0);
    let own = "profile = \"personal\"\nworkspace = \"/etc\"\n\n[judge]\nurl = \"http://192.0.2.1\"\nenabled = true\n\n[host]\nsystem_prompt = \"Sell.\"\n";
    home.run(["backup", "kept"]).mentions("were copied");
    wipe(&home);
    let before = fs::read_to_string(home.work("kept/home/agent.toml")).expect("read");
    let manifest = fs::read_to_string(home.work("kept/manifest.json")).expect("read");
    let hash = |text: &str| inwit_model::Sha256::of(text.as_bytes()).to_string();
    let manifest = manifest.replace(&hash(&before), &hash(own));
    let manifest =
        manifest.replace(&format!("\"bytes\": {},", before.len()), &format!("\"bytes\": {},", own.len()));
    fixture::put(&home.work("kept"), "manifest.json", manifest.as_bytes());
    fixture::put(&home.work("kept"), "home/agent.toml", own.as_bytes());
    let planned = home.run(["restore", "kept", "--dry-run", "--json"]).json();
    assert_eq!(planned["promptSettings"], serde_json::json!(["host.system_prompt"]));
    home.run(["restore", "kept", "--yes"])
        .mentions("leaves out  judge.url of agent.toml")
        .mentions("sets        host.system_prompt in agent.toml: this text is in every prompt of the agent")
        .mentions("agents/main/workspace");
    let after = fs::read_to_string(home.home("inwit/agents/main/agent.toml")).expect("read");
    assert_eq!(
        after,
        "profile = \"personal\"\n\n[judge]\nenabled = true\n\n[host]\nsystem_prompt = \"Sell.\"\n"
    );
}

#[test]
fn a_folder_that_no_agent_names_is_backed_up_and_brought_back_in_its_place() {
    let home = newcomer()
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .workspace("notes", "//- MEMORY.md\n- Likes rye.\n");
    home.run(["backup", "kept", "-w", "notes"]).mentions("were copied");
    wipe(&home);
    home.run(["restore", "kept", "--yes"])
        .mentions("was made from $HOME/work/notes")
        .hides("--workspace $HOME")
        .exits(2);
    home.run(["restore", "kept", "--yes", "-w", "notes"])
        .mentions("notes already exists and is not empty")
        .exits(4);
    fs::remove_dir_all(home.work("notes")).expect("removed");
    home.run(["restore", "kept", "--yes", "-w", "notes"]).mentions("work/notes").exits(0);
    home.run(["show", "MEMORY.md", "-w", "notes"]).mentions("Likes rye.");
    home.run(["restore", "kept", "--yes", "-w", "elsewhere"]).mentions("work/elsewhere").exits(0);
    home.run(["restore", "kept", "--yes", "--agent", "ana"]).mentions("agents/ana/workspace").exits(0);
    home.run(["show", "MEMORY.md", "--agent", "ana"]).mentions("Likes rye.");
    home.run(["history", "audit", "verify", "-w", "elsewhere"]).mentions("The audit log is intact");
}

/// Two agents over one folder, or one in the place of another: `--force` is no word for that.
#[test]
fn no_agent_takes_the_place_of_another() {
    let home = newcomer().env("PATH", "/usr/local/bin:/usr/bin:/bin");
    fixture::put(&home.work("notes"), "MEMORY.md", b"- Likes rye.\n");
    home.run(["init", "notes", "--timezone", "UTC"]).exits(0);
    home.run(["init", "--agent", "bo", "--timezone", "UTC"]).exits(0);
    home.run(["remember", "Bo fishes", "--agent", "bo"]).exits(0);
    home.run(["remember", "Ana bakes", "--agent", "main"]).exits(0);
    home.run(["backup", "kept", "--agent", "main"]).mentions("were copied");
    let before = (Tree::of(&home.work("notes")), Tree::of(&home.home("inwit/agents")));
    let now = || (Tree::of(&home.work("notes")), Tree::of(&home.home("inwit/agents")));
    home.run(["restore", "kept", "--yes", "--agent", "bo", "--force"])
        .mentions("with its own files")
        .exits(4);
    home.run(["restore", "kept", "--yes", "--agent", "cy", "-w", "notes", "--force"])
        .mentions("belongs to the agent `main`")
        .exits(4);
    home.run(["restore", "kept", "--yes", "--agent", "cy", "-w", "../inwit/agents/bo/workspace", "--force"])
        .mentions("belongs to the agent `bo`")
        .exits(4);
    assert_eq!(now(), before, "a refusal changes nothing");
    home.run(["restore", "kept", "--yes", "--agent", "cy"]).mentions("agents/cy/workspace");
    home.run(["show", "MEMORY.md", "--agent", "cy"]).mentions("Ana bakes");
    assert_eq!(Tree::of(&home.work("notes")), before.0, "the first one keeps its folder");
    home.run(["restore", "kept", "--yes", "--agent", "main", "--force"])
        .mentions("The files that were there before are in");
}

/// What a process that has the file open acknowledges after the exchange would be lost.
#[test]
fn a_restore_waits_for_whoever_has_the_memory_open() {
    if !Path::new("/proc/locks").exists() {
        return;
    }
    let home = home();
    home.run(["facts", "add", "the mill is old"]).exits(0);
    home.run(["backup", "kept"]).mentions("were copied");
    let before = Tree::of(&home.home("inwit/agents/main/workspace"));
    let memory = inwit_store_sqlite::SqliteMemory::open(&home.home("inwit/agents/main/memory.db"));
    let memory = memory.expect("opened");
    home.run(["restore", "kept", "--yes", "--force"])
        .mentions("cannot be replaced while it is open in")
        .mentions(&format!("(process {})", std::process::id()))
        .exits(6);
    assert_eq!(Tree::of(&home.home("inwit/agents/main/workspace")), before);
    let names = fs::read_dir(home.home("inwit/agents")).expect("agents").flatten();
    let beside: Vec<_> = names.map(|entry| entry.file_name()).filter(|name| name != "main").collect();
    assert_eq!(beside, Vec::<std::ffi::OsString>::new(), "nothing was changed");
    drop(memory);
    home.run(["restore", "kept", "--yes", "--force"])
        .mentions("The files that were there before are in")
        .exits(0);
}

/// Killed between two names: the old is aside, the new waits, and nothing has the name of the agent.
#[test]
fn a_restore_that_was_killed_half_way_is_finished_before_anything_else() {
    let home = home();
    home.run(["backup", "kept"]).mentions("were copied");
    fixture::put(&home.home("inwit/agents/main/workspace"), "MEMORY.md", b"- Only here.\n");
    home.run(["restore", "kept", "--yes", "--agent", "twin"]).exits(0);
    let agents = home.home("inwit/agents").canonicalize().expect("a path");
    let (place, staged, aside) =
        (agents.join("main"), agents.join("main.restore-1"), agents.join("main.before-1"));
    fs::rename(agents.join("twin"), &staged).expect("waits");
    fs::rename(&place, &aside).expect("aside");
    let path = |path: &Path| path.display().to_string();
    let pair = serde_json::json!({ "place": path(&place), "staged": path(&staged), "aside": path(&aside) });
    let plan = serde_json::json!({ "guarded": path(&place.join("workspace")), "pairs": [pair] });
    fixture::put(&agents, ".restoring.json", plan.to_string().as_bytes());
    home.run(["show", "MEMORY.md", "--agent", "main"]).mentions("oat bread").mentions("finished a restore");
    home.run(["history", "audit", "verify", "--agent", "main"])
        .mentions("The audit log is intact")
        .hides("finished a restore");
    assert!(!agents.join(".restoring.json").exists() && !staged.exists());
    let old = fs::read_to_string(aside.join("workspace/MEMORY.md")).expect("read");
    assert_eq!(old, "- Only here.\n", "what was there is aside");
}

/// What a copy under another name holds is the copy's, and what is said in it goes on where it stood.
#[test]
fn a_copy_under_another_name_goes_on_with_its_sessions() {
    let home = home();
    let start = r#"{"session":"9f0d2c1a-0000-4000-8000-000000000001","surface":"repl"}"#;
    let turn = |text: &str| {
        format!(
            r#"{{"session":"9f0d2c1a-0000-4000-8000-000000000001","user":{{"text":"{text}"}},"assistant":"Yes."}}"#
        )
    };
    home.run(["session", "start", "--input", start]).exits(0);
    home.run(["session", "turn", "--input", &turn("We bake on Friday.")]).exits(0);
    home.run(["backup", "kept"]).mentions("were copied");
    home.run(["restore", "kept", "--yes", "--agent", "copy"]).mentions("Agent `copy`");
    home.run(["session", "turn", "--input", &turn("We eat on Saturday."), "--agent", "copy"]).exits(0);
    let id = "9f0d2c1a-0000-4000-8000-000000000001";
    home.run(["session", "list", "--agent", "copy"]).mentions(&id[..8]).hides("another agent");
    home.run(["session", "show", id, "--agent", "copy"]).mentions("Friday").mentions("Saturday");
    home.run(["session", "show", id, "--agent", "main"]).mentions("Friday").hides("Saturday");
    home.run(["session", "end", "--input", &format!(r#"{{"session":"{id}"}}"#), "--agent", "copy"]).exits(0);
}

#[test]
fn a_plan_that_cannot_be_read_says_what_to_do_and_stops_no_other_folder() {
    let home = home();
    fixture::put(&home.home("inwit/agents"), ".restoring.json", b"{ torn");
    home.run(["show", "MEMORY.md"]).mentions("then remove").mentions(".restoring.json").exits(1);
    fixture::put(&home.work("notes"), "MEMORY.md", b"- Rye bread.\n");
    home.run(["search", "rye", "--workspace", "notes"]).mentions("Rye bread");
    home.run(["search", "rye", "-w", "../inwit/agents/main/workspace"]).exits(1);
}

/// A manifest names the modes of its files, and opens the home of nobody.
#[test]
fn what_comes_into_a_home_is_for_its_owner_alone() {
    let home = home();
    home.run(["backup", "kept"]).mentions("were copied");
    let manifest = fs::read_to_string(home.work("kept/manifest.json")).expect("read");
    let open = manifest.replace("\"mode\": \"0600\"", "\"mode\": \"0664\"");
    assert_ne!(open, manifest);
    fixture::put(&home.work("kept"), "manifest.json", open.as_bytes());
    home.run(["restore", "kept", "--yes", "--agent", "twin"]).exits(0);
    for file in ["transcripts/s-1.jsonl", "memory.db", "agent.toml"] {
        let path = home.home("inwit/agents/twin").join(file);
        assert_eq!(path.metadata().expect("there").permissions().mode() & 0o077, 0, "{file}");
    }
}

/// Whoever opens a history with git runs what its configuration names.
#[test]
fn a_configuration_of_a_history_that_names_a_program_is_neither_kept_nor_brought_back() {
    if !inwit_testkit::has_git() {
        return;
    }
    let home = home();
    let hostile = |path: &Path| {
        let config = fs::read_to_string(path).expect("a configuration");
        let (folder, name) = (path.parent().expect("a folder"), "config");
        fixture::put(folder, name, format!("{config}\tfsmonitor = touch /tmp/x\n").as_bytes());
        fs::read(path).expect("read")
    };
    hostile(&home.home("inwit/agents/main/history.git/config"));
    home.run(["backup", "kept"]).mentions("were copied");
    let kept = home.work("kept/home/history.git/config");
    assert!(!fs::read_to_string(&kept).expect("kept").contains("fsmonitor"));
    // By somebody else who knows how a manifest is made.
    let sizes = |bytes: &[u8]| {
        format!("\"bytes\": {},\n      \"sha256\": \"{}\"", bytes.len(), inwit_model::Sha256::of(bytes))
    };
    let old = sizes(&fs::read(&kept).expect("kept"));
    let new = sizes(&hostile(&kept));
    let manifest = fs::read_to_string(home.work("kept/manifest.json")).expect("read");
    assert!(manifest.contains(&old), "{manifest}");
    fixture::put(&home.work("kept"), "manifest.json", manifest.replace(&old, &new).as_bytes());
    home.run(["restore", "kept", "--yes", "--agent", "twin"])
        .mentions("is not a configuration that inwit writes")
        .exits(1);
    assert!(!home.home("inwit/agents/twin").exists());
}

/// One that was killed leaves its draft, which is named and stays; one that fails removes its own alone.
#[test]
fn a_backup_touches_no_draft_of_another() {
    let cli = home();
    let other = "kept.draft-7-20261124T200000Z";
    fixture::put(&cli.work(other), "home/memory.db", b"half");
    cli.run(["backup", "kept"])
        .mentions(&format!("{other} was left by a backup that did not finish"))
        .exits(0);
    assert!(cli.work(other).join("home/memory.db").is_file());
    let names = std::fs::read_dir(cli.work("")).expect("read").flatten().map(|entry| entry.file_name());
    let drafts = names.filter(|name| name.to_string_lossy().contains(".draft-")).count();
    assert_eq!(drafts, 1, "its own draft became the backup");
}
