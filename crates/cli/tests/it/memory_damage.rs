//! A memory.db that is damaged, or held by somebody else: what is said, what is mended, and what stays as it is.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use inwit_testkit::{Cli, fixture};

use crate::{newcomer, user_of_a_shell};

const MEMORY: &str = "inwit/agents/main/memory.db";

/// Every file of the agent's home that is no index, with its bytes.
fn bytes_of(home: &Cli) -> BTreeMap<PathBuf, Vec<u8>> {
    fn walk(folder: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            if path.is_dir() {
                walk(&path, found);
            } else if !name.starts_with("index.") && !name.starts_with("past") {
                found.insert(path.clone(), std::fs::read(&path).expect("readable"));
            }
        }
    }
    let mut found = BTreeMap::new();
    walk(&home.home("inwit/agents/main"), &mut found);
    found
}

/// A person with an hourly copy that knows one fact, and a life that went on after it.
fn living() -> Cli {
    let home = newcomer().env("PATH", "/usr/local/bin:/usr/bin:/bin");
    home.run(["init", "--timezone", "UTC"]).exits(0);
    let _ = std::fs::remove_dir_all(home.home("inwit/agents/main/backups"));
    home.run(["facts", "add", "lives in Porto"]).mentions("Saved: 1");
    assert_eq!(copies(&home).len(), 1, "a copy is made when there is none");
    home.run(["facts", "add", "bakes on Fridays"]).mentions("Saved: 2");
    home.run(["remember", "Ana likes figs"]).mentions("Wrote");
    home.run(["backup", "elsewhere"]).exits(0);
    home
}

fn copies(home: &Cli) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(home.home("inwit/agents/main/backups")).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    found.sort();
    found
}

/// Nothing of it can be read any more.
fn wreck(home: &Cli) -> Vec<u8> {
    for end in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(home.home(&format!("{MEMORY}{end}")));
    }
    let garbage = "no database ".repeat(500).into_bytes();
    fixture::put(&home.home("inwit/agents/main"), "memory.db", &garbage);
    garbage
}

/// The broken file and its log, under the names that they got.
fn aside(home: &Cli) -> Vec<PathBuf> {
    let is_aside = |path: &PathBuf| {
        let path = path.to_string_lossy();
        path.contains(".damaged-") && !path.ends_with("-head")
    };
    bytes_of(home).into_keys().filter(is_aside).collect()
}

/// The newest whole copy comes back, the broken file stays, and what the copy cannot know is listed.
/// Proves M65, M69, I5.
#[test]
fn a_damaged_memory_is_told_and_comes_back_from_its_newest_verified_copy() {
    let home = living();
    let garbage = wreck(&home);
    let error = home.run(["facts", "list", "--json"]).exits(1).json_error();
    assert_eq!(error["error"]["code"], "memory_unavailable");
    home.run(["facts", "add", "nothing is written"]).exits(1).mentions("--apply --only memory");
    home.run(["doctor"]).exits(1).mentions("memory.db is damaged").mentions("doctor --fix");
    let before = bytes_of(&home);
    home.run(["doctor", "--fix"])
        .mentions("memory: 1 found, 0 repaired")
        .mentions("would be restored: memory-")
        .mentions("missing: ")
        .mentions("an unknown number of audit rows")
        .hides("0 row(s)")
        .mentions("--fix --apply --only memory");
    assert_eq!(bytes_of(&home), before, "a look changes no byte");
    // An older copy comes only for who asks for it by name.
    home.run(["doctor", "--fix", "--apply"])
        .exits(1)
        .mentions("memory: 1 found, 0 repaired")
        .mentions("--only memory")
        .hides("edges");
    assert_eq!(bytes_of(&home), before, "nobody asked for it by name");
    let told = home.run(["doctor", "--fix", "--json"]).exits(0).json()["fixes"][0]["back"].clone();
    let copy = copies(&home)[0].file_name().expect("a name").to_string_lossy().into_owned();
    assert_eq!((&told["copy"], &told["aside"]), (&copy.into(), &serde_json::json!([])), "{told}");
    assert!(told["copied"].as_str().is_some_and(|at| at.ends_with('Z')), "{told}");
    assert!(told.get("rowsLeft").is_some_and(serde_json::Value::is_null), "{told}");
    let git = inwit_testkit::has_git();
    assert!(told["lacking"].as_array().is_some_and(|lacking| !lacking.is_empty() || !git), "{told}");

    // A newer copy that is not whole is passed over and told.
    let newer = home.home("inwit/agents/main/backups/memory-29990101T000000Z.db");
    fixture::put(newer.parent().expect("a folder"), "memory-29990101T000000Z.db", b"cut off");
    let done = home.run(["doctor", "--fix", "--apply", "--only", "memory", "--json"]).exits(0).json();
    let fix = &done["fixes"][0];
    assert_eq!(
        (&fix["name"], &fix["found"], &fix["mended"]),
        (&"memory".into(), &1.into(), &1.into()),
        "{done}"
    );
    assert!(fix["back"]["unfit"][0].as_str().is_some_and(|why| why.contains("2999")), "{done}");
    let lacking = fix["back"]["lacking"].as_array().expect("a list");
    assert!(
        lacking.iter().any(|lacking| {
            lacking["receipt"].is_string()
                && lacking["what"].as_str().is_some_and(|what| what.contains("MEMORY.md"))
        }) || !inwit_testkit::has_git(),
        "the note that history holds: {done}"
    );
    let kept = aside(&home);
    assert_eq!(kept.len(), 1, "{kept:?}");
    assert_eq!(std::fs::read(&kept[0]).expect("readable"), garbage, "the broken file keeps its bytes");
    let head = |path: &Path| std::fs::read(format!("{}-head", path.display())).expect("readable");
    assert_eq!(
        head(&kept[0]),
        before[&home.home(&format!("{MEMORY}-head"))],
        "and so does the head of its record"
    );

    home.run(["facts", "list"]).mentions("lives in Porto").hides("Fridays");
    home.run(["show", "MEMORY.md"]).mentions("Ana likes figs");
    home.run(["history", "audit", "verify"]).mentions("The audit log is intact");
    home.run(["history", "audit", "show"]).mentions("doctor.fix.memory");
    home.run(["facts", "add", "bakes on Fridays"]).mentions("Saved: 2");
    home.run(["remember", "Bo likes rye"]).mentions("Wrote");
    home.run(["history", "log"]).mentions("MEMORY.md");
    let rows = home.run(["history", "audit", "show", "--json"]).stdout();
    home.run(["doctor", "--fix", "--apply"]).mentions("memory: 0 found, 0 repaired");
    assert_eq!(
        home.run(["history", "audit", "show", "--json"]).stdout(),
        rows,
        "a second time there is nothing to do"
    );
    assert_eq!(aside(&home), kept);
}

/// What still can be read of a broken record says what was written after the copy.
#[test]
fn rows_that_the_broken_record_still_holds_are_listed() {
    if !inwit_testkit::has_sqlite3() {
        return;
    }
    let home = living();
    let memory = home.home(MEMORY).display().to_string();
    // A page of a table that says nothing of who did what, after the log is written back.
    let script = format!(
        "sqlite3 '{memory}' 'PRAGMA wal_checkpoint(TRUNCATE)' >/dev/null
         page=$(sqlite3 '{memory}' \"SELECT rootpage FROM sqlite_schema WHERE name = 'user_profile'\")
         dd if=/dev/zero of='{memory}' bs=4096 seek=$((page - 1)) count=1 conv=notrunc 2>/dev/null"
    );
    user_of_a_shell().env("PATH", "/usr/local/bin:/usr/bin:/bin").run(["-ec", &script]).exits(0);
    home.run(["doctor"]).exits(1).mentions("memory.db");
    let done = home.run(["doctor", "--fix", "--only", "memory", "--apply"]).exits(0);
    done.mentions("memory: 1 found, 1 repaired")
        .mentions("missing: ")
        .mentions("fact_add fact-")
        .mentions("row ")
        .mentions("Add the facts and decisions of these rows again");
    home.run(["facts", "list"]).mentions("lives in Porto").hides("Fridays");
    // What lies aside still holds words, so who forgets them is told.
    home.run(["forget", "--check", "bakes on Fridays"]).exits(1).mentions("memory.db.damaged-");
}

/// A clock that was ahead once leaves a copy dated ahead; that must not have each verb make another one, which would
/// push out those of the hours before.
#[test]
fn a_copy_dated_ahead_does_not_push_out_the_others() {
    let home = living();
    let folder = home.home("inwit/agents/main/backups");
    let first = copies(&home)[0].clone();
    std::fs::copy(&first, folder.join("memory-29990101T000000Z.db")).expect("copied");
    for number in 0..3 {
        home.run(["facts", "add", &format!("Ana knows {number} songs")]).exits(0);
    }
    let left = copies(&home);
    assert!(left.contains(&first) && left.len() == 2, "{left:?}");
}

/// What an earlier version wrote is kept in `backups/` before the file is carried forward.
#[test]
fn a_new_version_keeps_a_copy_of_what_the_one_before_wrote() {
    if !inwit_testkit::has_sqlite3() {
        return;
    }
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    let agent = home.home("inwit/agents/main");
    for name in ["memory.db", "memory.db-wal", "memory.db-shm"] {
        let _ = std::fs::remove_file(agent.join(name));
    }
    let _ = std::fs::remove_dir_all(agent.join("backups"));
    let first = Path::new(env!("CARGO_MANIFEST_DIR")).join("../store-sqlite/testdata/memory-1.sql");
    let shell = user_of_a_shell().env("PATH", "/usr/local/bin:/usr/bin:/bin");
    let (memory, first) = (agent.join("memory.db").display().to_string(), first.display().to_string());
    shell.run(["-ec", &format!("sqlite3 '{memory}' < '{first}'")]).exits(0);
    let version = |path: &str| format!("sqlite3 -readonly '{path}' 'PRAGMA user_version'");
    // What changes nothing leaves it as it is, and says so.
    for look in [&["doctor"][..], &["doctor", "--fix"], &["doctor", "--anonymous"]] {
        home.run_words(look).exits(0);
    }
    home.run(["doctor"]).mentions("note: A memory.db that an earlier version").mentions("has version 1;");
    assert_eq!(shell.run(["-ec", &version(&memory)]).stdout(), "1\n");
    assert!(!agent.join("backups").exists());
    home.run(["history", "audit", "verify"]).mentions("The audit log is intact");
    let kept = copies(&home);
    assert_eq!(kept.len(), 1, "{kept:?}");
    assert_eq!(shell.run(["-ec", &version(&kept[0].display().to_string())]).stdout(), "1\n");
}

/// Without a copy nothing changes, and the way out is named.
#[test]
fn without_a_whole_copy_a_damaged_memory_stays_as_it_is() {
    let home = living();
    wreck(&home);
    for copy in copies(&home) {
        std::fs::remove_file(copy).expect("removed");
    }
    let before = bytes_of(&home);
    let (look, deed) =
        (["doctor", "--fix", "--json"], ["doctor", "--fix", "--apply", "--only", "memory", "--json"]);
    for error in [home.run(look).exits(1).json_error(), home.run(deed).exits(1).json_error()] {
        assert_eq!(error["error"]["code"], "memory_unavailable", "{error}");
        assert!(
            error["error"]["message"].as_str().is_some_and(|said| said.contains("inwit restore")),
            "{error}"
        );
    }
    assert_eq!(bytes_of(&home), before);
}

/// A script that holds the database in the stock shell of SQLite until `then` has run.
fn while_held(memory: &str, begin: &str, then: &str) -> String {
    format!(
        "mkfifo go; (echo '{begin}'; echo '.shell touch held'; read -r _ < go) | sqlite3 '{memory}' >/dev/null 2>&1 &
         until [ -e held ]; do :; done
         set +e; {then}; status=$?; set -e
         echo done > go; wait; exit $status"
    )
}

/// Who waits in vain is told for whom, and nothing of it is written.
#[test]
fn a_memory_that_somebody_holds_is_waited_for_and_its_holder_named() {
    if !inwit_testkit::has_sqlite3() {
        return;
    }
    let programs = Path::new(env!("CARGO_BIN_EXE_inwit")).parent().expect("a folder").display().to_string();
    let home = user_of_a_shell().env("PATH", &format!("{programs}:/usr/local/bin:/usr/bin:/bin"));
    home.run(["-ec", "inwit init --timezone UTC && inwit facts add 'lives in Porto'"]).exits(0);
    let memory = home.home(MEMORY).display().to_string();
    let held = while_held(&memory, "BEGIN IMMEDIATE;", "inwit facts add 'bakes on Fridays'");
    let run = home.run(["-ec", &held]).exits(6);
    let run = run.mentions("memory.db was locked for 5 seconds by ").mentions("hint: ");
    if cfg!(target_os = "linux") {
        run.mentions("`sqlite3` (process ");
    }
    home.run(["-ec", "inwit facts list"]).mentions("Porto").hides("Fridays");
    home.run(["-ec", "inwit facts add 'bakes on Fridays' && inwit history audit verify"])
        .mentions("Saved: 2");

    // A broken file is not exchanged under who has it open.
    let wreck = format!(
        "dd if=/dev/zero of='{memory}' bs=4096 seek=1 count=30 conv=notrunc 2>/dev/null
         inwit doctor --fix --apply --only memory"
    );
    let held = format!("rm -f held go; {}", while_held(&memory, "SELECT count(*) FROM memories;", &wreck));
    let run = home.run(["-ec", &held]);
    if cfg!(target_os = "linux") {
        run.exits(6).mentions("cannot be replaced while it is open in `sqlite3` (process ");
    }
    home.run(["-ec", "inwit doctor --fix --apply --only memory"]).mentions("memory: 1 found, 1 repaired");
    home.run(["-ec", "inwit facts list"]).mentions("Porto");
}

/// Who comes second finds it mended: what was written since the first mend is not put aside for the old copy.
#[test]
fn of_mends_at_once_one_is_made_and_nothing_whole_is_put_aside() {
    let home = living();
    wreck(&home);
    let runs = home.run_at_once(3, ["doctor", "--fix", "--apply", "--only", "memory"]);
    let told: Vec<String> = runs.iter().map(|run| run.stdout()).collect();
    let made = told.iter().filter(|told| told.contains("memory: 1 found, 1 repaired")).count();
    assert_eq!(made, 1, "{told:?}");
    let broken = aside(&home).into_iter().filter(|path| {
        path.extension().is_some_and(|end| {
            !end.to_string_lossy().contains("-wal") && !end.to_string_lossy().contains("-shm")
        })
    });
    assert_eq!(broken.count(), 1, "{told:?}");
    home.run(["facts", "list"]).mentions("lives in Porto");
}

/// A row that lost what it belongs to costs no other row: it is told, and no copy is asked for.
#[test]
fn an_orphan_is_told_and_brings_no_older_copy() {
    if !inwit_testkit::has_sqlite3() {
        return;
    }
    let home = living();
    let memory = home.home(MEMORY).display().to_string();
    let orphan =
        "PRAGMA foreign_keys=OFF; INSERT INTO findings VALUES (7, 0, 'secret', 'stop', 'x', 0, 1, 1)";
    let script = format!("sqlite3 '{memory}' \"{orphan}\"");
    user_of_a_shell().env("PATH", "/usr/local/bin:/usr/bin:/bin").run(["-ec", &script]).exits(0);
    home.run(["doctor"]).exits(1).mentions("a row of findings refers to a missing row");
    home.run(["doctor", "--fix"]).mentions("memory: 0 found").hides("would be restored");
    home.run(["doctor", "--fix", "--apply", "--only", "memory"])
        .exits(0)
        .mentions("memory: 0 found, 0 repaired");
    home.run(["facts", "list"]).mentions("lives in Porto").mentions("Fridays");
    assert!(aside(&home).is_empty());
}

/// Runs a script of the stock shell of SQLite on memory.db.
fn by_hand(home: &Cli, script: &str) {
    let script = format!("sqlite3 '{}' \"{script}\"", home.home(MEMORY).display());
    user_of_a_shell().env("PATH", "/usr/local/bin:/usr/bin:/bin").run(["-ec", &script]).exits(0);
}

/// An orphan stops no copy and is told with it; of many such copies none pushes the last clean one out.
#[test]
fn copies_go_on_with_what_is_wrong_and_the_newest_clean_one_stays() {
    if !inwit_testkit::has_sqlite3() {
        return;
    }
    let home = living();
    let clean = copies(&home).remove(0);
    by_hand(
        &home,
        "PRAGMA foreign_keys=OFF; INSERT INTO findings VALUES (7, 0, 'secret', 'stop', 'x', 0, 1, 1)",
    );
    let folder = clean.parent().expect("a folder").to_owned();
    let first = folder.join("memory-20200101T000000Z.db");
    std::fs::rename(&clean, &first).expect("renamed");
    home.run(["facts", "add", "sails"])
        .mentions("Saved: 3")
        .mentions("memory.db has a fault, and so does the copy");
    let made = copies(&home).remove(1);
    assert!(std::fs::metadata(&made).expect("made").len() > 0);
    for hour in 0..23 {
        let older = folder.join(format!("memory-20200102T{hour:02}0000Z.db"));
        std::fs::copy(&made, &older).expect("copied");
    }
    std::fs::remove_file(&made).expect("removed");
    home.run(["facts", "add", "rows"]).mentions("Saved: 4");
    let kept = copies(&home);
    assert_eq!(kept.len(), 24);
    assert_eq!(kept[0], first, "the clean one");
    assert!(kept[1].ends_with("memory-20200102T010000Z.db"), "the oldest of the others went");
    wreck(&home);
    home.run(["doctor", "--fix", "--apply", "--only", "memory"]).mentions("memory: 1 found, 1 repaired");
    home.run(["facts", "list"]).mentions("rows");
}

/// An index that disagrees with its table is made anew where that is asked for, once, and it is written down.
/// Proves M69.
#[test]
fn an_index_that_disagrees_with_its_table_is_mended() {
    if !inwit_testkit::has_sqlite3() {
        return;
    }
    let home = living();
    by_hand(
        &home,
        "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = 'CREATE INDEX ops_of_name ON ops (number, name)' \
         WHERE name = 'ops_of_name'",
    );
    home.run(["doctor"]).exits(1).mentions("ops_of_name").hides("older copy");
    let rows = || home.run(["history", "audit", "show", "--json"]).stdout();
    let before = rows();
    home.run(["doctor", "--fix"]).mentions("reindex: 1 found, 0 repaired");
    assert_eq!(rows(), before, "a look writes nothing");
    home.run(["doctor", "--fix", "--apply"]).exits(0).mentions("reindex: 1 found, 1 repaired");
    home.run(["history", "audit", "show"]).mentions("doctor.fix.reindex");
    home.run(["doctor"]).exits(0);
    let after = rows();
    home.run(["doctor", "--fix", "--apply"]).mentions("reindex: 0 found, 0 repaired");
    assert_eq!(rows(), after, "a second time there is nothing to do");
    home.run(["facts", "list"]).mentions("lives in Porto").mentions("Fridays");
}

/// An empty file or none is no new beginning while copies tell of a life: nothing is made there, no copy is pushed out,
/// and the newest copy comes back for who asks.
#[test]
fn a_memory_that_is_empty_or_gone_is_refused_while_copies_tell_of_a_life() {
    for is_empty in [true, false] {
        let home = living();
        let agent = home.home("inwit/agents/main");
        let _ = std::fs::remove_file(agent.join("memory.db-shm"));
        if is_empty {
            fixture::put(&agent, "memory.db", b"");
        } else {
            std::fs::remove_file(agent.join("memory.db")).expect("removed");
        }
        let before = bytes_of(&home);
        let log = before.keys().any(|path| path.ends_with("memory.db-wal"));
        for verb in [&["facts", "list", "--json"][..], &["facts", "add", "anew", "--json"]] {
            let error = home.run_words(verb).exits(1).json_error();
            assert_eq!(error["error"]["code"], "memory_unavailable", "{error}");
            let [said, hint] = ["message", "hint"].map(|key| error["error"][key].as_str().expect("words"));
            assert!(said.contains("backups/") && hint.contains("--only memory"), "{said} {hint}");
        }
        home.run(["doctor"]).exits(1).mentions("memory.db is ");
        home.run(["doctor", "--fix"]).mentions("would be restored: memory-");
        home.run(["init"]).mentions("main");
        let now = bytes_of(&home);
        let of_memory = |all: &BTreeMap<PathBuf, Vec<u8>>| {
            let named = |path: &PathBuf| path.to_string_lossy().contains("/memory");
            all.clone()
                .into_iter()
                .filter(|(path, _)| named(path) && !path.starts_with(agent.join("workspace")))
                .collect::<Vec<_>>()
        };
        assert_eq!(of_memory(&now), of_memory(&before), "neither the file, nor its log, nor a copy");
        home.run(["doctor", "--fix", "--apply", "--only", "memory"])
            .exits(0)
            .mentions("memory: 1 found, 1 repaired");
        home.run(["facts", "list"]).mentions("lives in Porto");
        home.run(["history", "audit", "verify"]).mentions("The audit log is intact");
        let kept = aside(&home);
        let has = |end: &str| kept.iter().any(|path| path.to_string_lossy().ends_with(end));
        assert_eq!(has("-wal"), log, "{kept:?}");
        assert_eq!(kept.len(), usize::from(is_empty) + usize::from(log), "{kept:?}");
    }
}

/// Without a whole copy a missing memory is a new one, as ever.
#[test]
fn a_memory_that_is_gone_with_its_copies_begins_anew() {
    let home = living();
    for name in ["memory.db", "memory.db-wal", "memory.db-shm"] {
        let _ = std::fs::remove_file(home.home("inwit/agents/main").join(name));
    }
    for copy in copies(&home) {
        fixture::put(
            copy.parent().expect("a folder"),
            &copy.file_name().expect("a name").to_string_lossy(),
            b"cut off",
        );
    }
    home.run(["facts", "list"]).hides("Porto");
    home.run(["facts", "add", "bakes on Fridays"]).exits(0);
    home.run(["doctor", "--fix"]).mentions("memory: 0 found");
}

/// A copy that knows nothing of a forgetting, such as one that a sync tool put back, brings no word of it back.
#[test]
fn a_copy_of_before_brings_back_nothing_that_was_forgotten_for_good() {
    let home = living();
    let before: Vec<(PathBuf, Vec<u8>)> = copies(&home)
        .into_iter()
        .map(|path| (path.clone(), std::fs::read(path).expect("readable")))
        .collect();
    home.run(["forget", "--everywhere", "lives in Porto", "--apply", "--yes"]).exits(0);
    let put_back = || {
        for (path, bytes) in &before {
            let name = path.file_name().expect("a name").to_string_lossy();
            fixture::put(path.parent().expect("a folder"), &name, bytes);
        }
        wreck(&home);
    };
    put_back();
    home.run(["doctor", "--fix"]).mentions("memory: 1 found, 0 repaired").hides("erased for good");
    let told = home.run(["doctor", "--fix", "--apply", "--only", "memory"]).exits(0);
    told.mentions("memory: 1 found, 1 repaired").mentions("1 text(s) that had been erased for good");
    let holds = |home: &Cli| -> Vec<PathBuf> {
        let word = b"Porto";
        let told = |bytes: &Vec<u8>| bytes.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word));
        bytes_of(home).into_iter().filter(|(_, bytes)| told(bytes)).map(|(path, _)| path).collect()
    };
    assert_eq!(holds(&home), Vec::<PathBuf>::new());
    home.run(["forget", "--check", "lives in Porto"]).exits(0).mentions("The words were not found");
    home.run(["history", "audit", "verify"]).mentions("The audit log is intact");

    put_back();
    let done = home.run(["doctor", "--fix", "--apply", "--only", "memory", "--json"]).exits(0).json();
    assert_eq!(done["fixes"][0]["back"]["forgottenAgain"], 1, "{done}");
    assert_eq!(holds(&home), Vec::<PathBuf>::new());

    // One that ended before that is followed by one that does it.
    put_back();
    let registers = home.home(".local/state/inwit/forgotten");
    let entry = std::fs::read_dir(&registers).expect("a folder").flatten().next().expect("a register");
    let (register, bytes) = (entry.path(), std::fs::read(entry.path()).expect("readable"));
    let name = register.file_name().expect("a name").to_string_lossy();
    fixture::put(&registers, &name, b"no register");
    home.run(["doctor", "--fix", "--apply", "--only", "memory"]).exits(2).mentions("may be in it");
    assert_ne!(holds(&home), Vec::<PathBuf>::new());
    fixture::put(&registers, &name, &bytes);
    home.run(["doctor", "--fix", "--apply", "--only", "memory"]).exits(0).mentions("1 text(s)");
    assert_eq!(holds(&home), Vec::<PathBuf>::new());
}

/// What somebody adds to their own database is theirs; doctor reports it, and commands go on.
#[test]
fn what_acts_in_a_memory_and_is_none_of_ours_is_named_by_doctor() {
    let home = crate::newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["facts", "add", "the mill is old"]).exits(0);
    home.run(["doctor"]).hides("did not create");
    let db = rusqlite::Connection::open(home.home(MEMORY)).expect("opened");
    db.execute_batch(
        "CREATE TRIGGER nosy AFTER UPDATE ON sessions BEGIN SELECT 1; END; CREATE VIEW mine AS SELECT 1",
    )
    .expect("made");
    drop(db);
    home.run(["doctor"])
        .mentions("memory.db contains a trigger `nosy` that inwit did not create.")
        .mentions("memory.db contains a view `mine` that inwit did not create.")
        .exits(0);
    home.run(["facts", "add", "the bridge is new"]).exits(0);
}

/// Without its log memory.db is whole and lacks what was written last; nothing told that.
#[test]
fn a_memory_whose_log_is_missing_is_refused_and_named_by_doctor() {
    let home = crate::newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["facts", "add", "the mill is old"]).exits(0);
    home.run(["facts", "add", "the bridge is new"]).exits(0);
    let at = |end: &str| home.home(&format!("inwit/agents/main/memory.db{end}"));
    let log = std::fs::read(at("-wal")).expect("a log");
    std::fs::remove_file(at("-wal")).expect("removed");
    std::fs::remove_file(at("-shm")).expect("removed");
    home.run(["facts", "list"]).mentions("memory.db-wal is missing").exits(1);
    home.run(["doctor"]).mentions("memory.db-wal is missing").exits(1);
    home.run(["facts", "add", "lost"]).mentions("memory.db-head").exits(1);
    for end in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(at(end));
    }
    std::fs::File::create(at("-wal"))
        .and_then(|mut file| std::io::Write::write_all(&mut file, &log))
        .expect("back");
    home.run(["facts", "list"]).mentions("the mill is old").mentions("the bridge is new");
}

/// A history that cannot be read is no damage of memory.db, which an older copy would not mend.
#[test]
fn doctor_names_a_history_that_is_broken() {
    if !inwit_testkit::has_git() {
        return;
    }
    let spoilt: [fn(&std::path::Path); 4] = [
        |history| std::fs::remove_file(history.join("refs/heads/main")).expect("it is there"),
        |history| std::fs::remove_file(history.join("inwit")).expect("it is there"),
        |history| {
            let packs = std::fs::read_dir(history.join("objects/pack")).expect("packs").flatten();
            let pack = packs
                .map(|entry| entry.path())
                .find(|path| path.extension().is_some_and(|end| end == "pack"));
            let pack = pack.expect("a pack");
            let mut bytes = std::fs::read(&pack).expect("read");
            bytes[20] ^= 0xff;
            let folder = pack.parent().expect("a folder").to_owned();
            let name = pack.file_name().expect("a name").to_string_lossy().into_owned();
            std::fs::remove_file(&pack).expect("removed");
            fixture::put(&folder, &name, &bytes);
        },
        |history| {
            std::fs::remove_dir_all(history).expect("removed");
            fixture::put(history.parent().expect("a folder"), "history.git", b"a file");
        },
    ];
    for (number, spoil) in spoilt.into_iter().enumerate() {
        let cli = newcomer().env("PATH", "/usr/local/bin:/usr/bin:/bin");
        cli.run(["init", "--timezone", "UTC"]).exits(0);
        for text in ["Ana likes rye", "Ben likes wheat"] {
            cli.run(["remember", text]).exits(0);
        }
        cli.run(["history", "log"]).exits(0);
        spoil(&cli.home("inwit/agents/main/history.git"));
        let doctor = cli.run(["doctor", "--json"]).exits(1).json();
        let found: Vec<&str> = doctor["findings"]
            .as_array()
            .expect("findings")
            .iter()
            .filter_map(|one| one["check"].as_str())
            .collect();
        assert!(found.contains(&"history_broken"), "{number}: {doctor:#}");
        assert!(!found.contains(&"memory_damaged"), "{number}: {doctor:#}");
        // A backup said that everything was verified.
        if !matches!(number, 1 | 3) {
            cli.run(["backup", "kept"]).exits(0).mentions("The history is broken");
            let told = cli.run(["backup", "again", "--json"]).exits(0).json();
            assert_eq!(told["notices"][0]["code"], "history_broken", "{number}: {told:#}");
        }
    }
}
