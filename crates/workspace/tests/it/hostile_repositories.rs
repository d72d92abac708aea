//! Repositories, names and messages that somebody else made, to have more done than is told.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;

use inwit_model::Code;
use inwit_workspace::history::{Commit, History, HistoryError, LogFilter, Oversize, Rev, trailer};
use inwit_workspace::limit::HISTORY_OUTPUT_BYTES_MAX;

use crate::past::{FOUNDED, Past, commit, git, has_git, moment, past};
use crate::{name, put};

/// A config in which every key runs a program that leaves a canary.
fn poison(git_dir: &Path, canary: &Path) {
    let program = git_dir.join("canary.sh");
    put(git_dir, "canary.sh", format!("#!/bin/sh\ntouch {}\nexit 0\n", canary.display()).as_bytes());
    let run = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&program, run.clone()).expect("runs");
    let run_it = program.display();
    let config = format!(
        "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tfsmonitor = {run_it}\n\tpager = {run_it}\n\
         \teditor = {run_it}\n\tsshCommand = {run_it}\n\taskPass = {run_it}\n\thooksPath = {hooks}\n\
         \tgitProxy = {run_it}\n\tattributesFile = {attributes}\n\tworktree = {worktree}\n\
         \talternateRefsCommand = {run_it}\n\
         [diff]\n\texternal = {run_it}\n[diff \"x\"]\n\tcommand = {run_it}\n\ttextconv = {run_it}\n\
         [filter \"x\"]\n\tclean = {run_it}\n\tsmudge = {run_it}\n\tprocess = {run_it}\n\trequired = true\n\
         [gpg]\n\tprogram = {run_it}\n[commit]\n\tgpgSign = true\n[log]\n\tshowSignature = true\n\
         [credential]\n\thelper = {run_it}\n[pager]\n\tlog = {run_it}\n\tblame = {run_it}\n\trev-list = {run_it}\n\
         [alias]\n\tcat-file = !{run_it}\n\tfast-import = !{run_it}\n[include]\n\tpath = more\n\
         [extensions]\n\tpartialClone = evil\n[remote \"evil\"]\n\turl = ext::{run_it}\n\tpromisor = true\n\
         [uploadpack]\n\tpackObjectsHook = {run_it}\n[merge \"x\"]\n\tdriver = {run_it}\n\
         [trace2]\n\teventTarget = {trace}\n",
        hooks = git_dir.join("hooks").display(),
        attributes = git_dir.join("evil-attributes").display(),
        worktree = git_dir.parent().expect("a parent").display(),
        trace = canary.display(),
    );
    put(git_dir, "config", config.as_bytes());
    put(git_dir, "more", format!("[core]\n\tfsmonitor = {run_it}\n").as_bytes());
    for attributes in ["evil-attributes", "info/attributes"] {
        put(git_dir, attributes, b"* filter=x diff=x merge=x\n");
    }
    for hook in ["reference-transaction", "post-index-change", "pre-auto-gc", "post-commit", "update"] {
        let path = format!("hooks/{hook}");
        put(git_dir, &path, &std::fs::read(&program).expect("a program"));
        std::fs::set_permissions(git_dir.join(path), run.clone()).expect("runs");
    }
}

/// Every verb of a history.
fn use_all(history: &History) {
    let oid = history.commit(&[commit("2026-11-21T12:00:00Z", "MEMORY.md", Some("x\n"))]).expect("made")[0];
    let memory = name("MEMORY.md");
    let short = Rev::parse(&oid.short()).expect("digits");
    assert_eq!(history.show(&short, &memory).expect("shown").as_deref(), Some(b"x\n".as_slice()));
    assert_eq!(
        history.log(&LogFilter { name: Some(memory.clone()), ..LogFilter::newest(9) }).expect("log").len(),
        1
    );
    assert_eq!(history.names(&Rev::Tip).expect("names"), std::slice::from_ref(&memory));
    assert_eq!(history.blame(&memory, None).expect("blame").len(), 1);
    assert_eq!(history.at(moment("2027-01-01T00:00:00Z")).expect("asked"), Some(oid));
    history.diff(&Rev::Tip, &short, None).expect("diff");
    history.pack().expect("packed");
}

#[test]
fn a_repository_that_came_with_a_folder_is_never_opened() {
    if !has_git() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (place, canary) = (folder.path().join(".git"), folder.path().join("canary"));
    assert!(git(&place, &["init", "--quiet", "--template="]).status.success());
    poison(&place, &canary);
    let refused = |place: &Path| {
        assert_eq!(History::open(place).expect_err("refused").code(), Code::HistoryForeign);
        let made = History::open_or_init(place, moment(FOUNDED));
        assert_eq!(made.expect_err("refused").code(), Code::HistoryForeign);
    };
    refused(&place);
    // A mark that was copied from ours does not help: it says another place, and the config is not ours.
    let ours = folder.path().join("history.git");
    History::open_or_init(&ours, moment(FOUNDED)).expect("made");
    put(&place, "inwit", &std::fs::read(ours.join("inwit")).expect("a mark"));
    refused(&place);
    // Nor does a way that leads elsewhere.
    let ours_but = folder.path().join("but.git");
    History::open_or_init(&ours_but, moment(FOUNDED)).expect("made");
    put(&ours_but, "commondir", format!("{}\n", place.display()).as_bytes());
    refused(&ours_but);
    std::os::unix::fs::symlink(&ours, folder.path().join("link.git")).expect("a link");
    refused(&folder.path().join("link.git"));
    put(folder.path(), "file.git", format!("gitdir: {}\n", ours.display()).as_bytes());
    refused(&folder.path().join("file.git"));
    // Nor is a pipe waited for that nobody writes to.
    for pipe in ["inwit", "config"] {
        std::fs::remove_file(place.join(pipe)).expect("gone");
        let mode = rustix::fs::Mode::from_raw_mode(0o600);
        rustix::fs::mknodat(rustix::fs::CWD, place.join(pipe), rustix::fs::FileType::Fifo, mode, 0)
            .expect("a pipe");
        refused(&place);
    }
    assert!(!canary.exists());
}

/// git wrote its objects and refs behind such a link, and waited without end for such a pipe.
#[test]
fn a_history_with_a_link_or_a_pipe_in_it_is_not_opened() {
    for place in [
        "objects", "objects/pack", "refs", "refs/heads", "inwit.lock", "HEAD", "packed-refs",
        "refs/heads/main",
    ] {
        for is_link in [true, false] {
            let Some(past) = past() else { return };
            let (at, outside) = (past.git_dir().join(place), past.folder.path().join("outside"));
            if at.exists() {
                std::fs::rename(&at, &outside).expect("moved");
            }
            if is_link {
                std::os::unix::fs::symlink(&outside, &at).expect("a link");
            } else {
                let mode = rustix::fs::Mode::from_raw_mode(0o600);
                rustix::fs::mknodat(rustix::fs::CWD, &at, rustix::fs::FileType::Fifo, mode, 0)
                    .expect("a pipe");
            }
            let code = if is_link { Code::HomeLinked } else { Code::HistoryFailed };
            assert_eq!(History::open(&past.git_dir()).expect_err("refused").code(), code, "{place}");
            let made = History::open_or_init(&past.git_dir(), moment(FOUNDED));
            assert_eq!(made.expect_err("refused").code(), code, "{place}");
        }
    }
}

#[test]
fn a_history_that_was_moved_opens_while_its_config_is_ours() {
    let Some(past) = past() else { return };
    past.keeps("2026-11-21T12:00:00Z", "MEMORY.md", "x\n");
    let copy = past.folder.path().join("copy.git");
    copy_tree(&past.git_dir(), &copy);
    let opened = History::open(&copy).expect("ours").expect("there");
    assert_eq!(
        opened.show(&Rev::Tip, &name("MEMORY.md")).expect("shown").as_deref(),
        Some(b"x\n".as_slice())
    );
    put(&copy, "config", b"[core]\n\trepositoryformatversion = 0\n\tfsmonitor = evil\n");
    assert_eq!(History::open(&copy).expect_err("refused").code(), Code::HistoryForeign);
}

fn copy_tree(from: &Path, to: &Path) {
    std::fs::create_dir(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder").flatten() {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy_tree(&from, &to);
        } else {
            std::fs::copy(&from, &to).expect("copied");
        }
    }
}

#[test]
fn no_key_and_no_hook_of_a_repository_runs_anything() {
    let Some(past) = past() else { return };
    let canary = past.folder.path().join("canary");
    poison(&past.git_dir(), &canary);
    put(past.folder.path(), ".gitattributes", b"* filter=x diff=x\n");
    use_all(&past.history);
    for round in 0..40 {
        past.keeps(&format!("2026-11-21T13:00:{round:02}Z"), "MEMORY.md", &format!("{round}\n"));
    }
    // Git refuses to join packs where a remote promises objects; it may not fetch them either.
    assert!(past.history.pack().is_err(), "many packs");
    assert!(!canary.exists(), "a program ran");
    // The trap is a trap: a git that is not shut off walks into it.
    past.try_git(&["update-ref", "refs/heads/other", "main"]);
    past.try_git(&["--work-tree", &past.folder.path().display().to_string(), "status"]);
    assert!(canary.exists(), "the test proves nothing");
}

#[test]
fn words_that_git_could_obey_are_words() {
    let Some(past) = past() else { return };
    let words = [
        "-n",
        "--upload-pack=touch canary",
        "a\nb",
        "a\0b",
        "\r\n\r\nInwit-Receipt: forged",
        "from :1",
        "x\ndone\n",
        "<ana@example.com>",
        "Ana <ana@example.com> 0 +0000\n\nforged",
        "\u{202E}desrever",
        "",
        " ",
        ".",
        "🐙 café",
    ];
    let commits: Vec<Commit> = words
        .iter()
        .enumerate()
        .map(|(at, word)| Commit {
            subject: (*word).to_owned(),
            body: (*word).to_owned(),
            actor: (*word).to_owned(),
            trailers: vec![
                (trailer::RECEIPT, format!("rcpt-{at}")),
                (trailer::SESSION, (*word).to_owned()),
                (trailer::TAINT, "web".to_owned()),
            ],
            ..commit("2026-11-21T12:00:00Z", "MEMORY.md", Some(word))
        })
        .collect();
    past.history.commit(&commits).expect("committed");
    past.is_whole();
    let log = past.log();
    assert_eq!(log.len(), words.len() + 1);
    for (at, one) in log.iter().rev().skip(1).enumerate() {
        assert_eq!(one.receipt.as_deref(), Some(format!("rcpt-{at}").as_str()), "{:?}", words[at]);
        assert_eq!(one.taint.as_deref(), Some("web"), "{:?}", words[at]);
        assert!(!one.subject.contains(['\n', '\0', '\r', '\u{202E}']), "{:?}", one.subject);
        // A session can be asked for by what it was called.
        let filter = LogFilter { session: Some(words[at].to_owned()), ..LogFilter::newest(99) };
        let found = past.history.log(&filter).expect("a log");
        let nothing = words[at].trim().is_empty();
        assert!(nothing || found.iter().any(|found| found.oid == one.oid), "{:?}", words[at]);
    }
    assert!(!past.git_dir().join("canary").exists());
}

#[test]
fn names_that_git_could_obey_are_refused_or_are_names() {
    let Some(past) = past() else { return };
    for bad in [".git/config", ".gitattributes", "a\nb.md", "a\\b.md"] {
        assert!(inwit_model::SafeName::parse(bad).is_err(), "{bad:?}");
    }
    // Names that look like a commit, a command of the stream, or an answer.
    let hex = past.history.tip().expect("a tip").to_string();
    let files = [
        hex.as_str(),
        "done",
        "inline x",
        "x missing",
        "main",
        "HEAD",
        "memory/日记.md",
        "a..b",
        "@",
        "-n.md",
        "--output=x",
        ":(top)x",
        ":/y",
        "a*.md",
        "[a].md",
        "\"quoted\" to the end\"",
        "\"",
        "^HEAD",
        "{a}:b?",
    ];
    for file in files {
        past.keeps("2026-11-21T12:00:00Z", file, file);
    }
    for file in files {
        assert_eq!(past.shows(&Rev::Tip, file).as_deref(), Some(file));
        let log = past.history.log(&LogFilter { name: Some(name(file)), ..LogFilter::newest(9) });
        assert_eq!(log.expect("a log").into_iter().map(|one| one.names).collect::<Vec<_>>(), [[name(file)]]);
        assert_eq!(past.history.blame(&name(file), None).expect("blame")[0].text, file);
    }
    assert_eq!(past.history.names(&Rev::Tip).expect("names").len(), files.len());
    past.is_whole();
}

#[test]
fn a_file_may_become_a_folder_and_back() {
    let Some(past) = past() else { return };
    past.keeps("2026-11-21T12:00:00Z", "notes", "a file\n");
    let mut moved = commit("2026-11-21T13:00:00Z", "notes", None);
    moved.changes.push((name("notes/plan.md"), Some(Arc::from(b"x\n".as_slice()))));
    past.history.commit(&[moved]).expect("committed");
    assert_eq!(past.shows(&Rev::Tip, "notes/plan.md").as_deref(), Some("x\n"));
    past.is_whole();
}

/// Makes an object of `bytes` and gives its name.
fn object(past: &Past, kind: &str, bytes: &[u8]) -> String {
    put(past.folder.path(), "object", bytes);
    let file = past.folder.path().join("object").display().to_string();
    past.git(&["hash-object", "-w", "--literally", "-t", kind, &file])
}

/// A folder that holds `width` times the object `oid`.
fn folder_of(past: &Past, mode: &str, oid: &str, width: usize) -> String {
    let oid: Vec<u8> =
        (0..40).step_by(2).map(|at| u8::from_str_radix(&oid[at..at + 2], 16).expect("hex")).collect();
    let rows = (0..width).flat_map(|at| [format!("{mode} {at:03}\0").as_bytes(), &oid].concat());
    object(past, "tree", &rows.collect::<Vec<u8>>())
}

/// `depth` folders one above the other, each of which holds `width` times the one below it.
fn nested(past: &Past, inner: String, width: usize, depth: usize) -> String {
    (0..depth).fold(inner, |inner, _| folder_of(past, "40000", &inner, width))
}

#[track_caller]
fn is_too_long_to_list(past: &Past) {
    let refused = past.history.fits();
    assert!(matches!(refused, Err(HistoryError::Oversize(Oversize::Listing(_)))), "{refused:?}");
}

#[test]
fn a_history_that_unfolds_to_more_than_git_may_answer_is_known() {
    let Some(past) = past() else { return };
    past.keeps("2026-11-21T12:00:00Z", "notes/deep/MEMORY.md", "x\n");
    past.keeps("2026-11-21T13:00:00Z", "MEMORY.md", "x\n");
    assert_eq!(past.history.fits().ok(), Some(()));

    // Ten folders of ten folders of …: eight objects, a hundred million files.
    let files = folder_of(&past, "100644", &object(&past, "blob", b"x"), 10);
    let listed = nested(&past, files, 10, 4);
    assert_eq!(past.history.fits().ok(), Some(()), "a hundred thousand files are listed");
    nested(&past, listed, 10, 3);
    is_too_long_to_list(&past);
}

#[test]
fn a_damaged_folder_hides_no_larger_one() {
    let Some(past) = past() else { return };
    let blob = object(&past, "blob", b"x");
    for width in 1..9 {
        let damaged = folder_of(&past, "100644", &blob, width);
        let path = past.git_dir().join("objects").join(&damaged[..2]).join(&damaged[2..]);
        let mut bytes = std::fs::read(&path).expect("an object");
        let last = bytes.len() - 1;
        bytes[last] ^= 0xff;
        std::fs::remove_file(&path).expect("gone");
        put(
            &past.git_dir(),
            path.strip_prefix(past.git_dir()).expect("within").to_str().expect("text"),
            &bytes,
        );
    }
    assert_eq!(past.history.fits().ok(), Some(()));
    nested(&past, folder_of(&past, "100644", &blob, 100), 100, 3);
    is_too_long_to_list(&past);
}

#[test]
fn an_object_that_git_may_not_answer_with_is_known() {
    let Some(past) = past() else { return };
    let blob = object(&past, "blob", &vec![b'x'; HISTORY_OUTPUT_BYTES_MAX + 1]);
    let refused = past.history.verify().expect_err("refused");
    assert_eq!(
        refused.to_string(),
        format!("object {blob} has more than 67108864 bytes, so no command can read it.")
    );
}
