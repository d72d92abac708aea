//! Names as a real disk has them: odd, decomposed, in another case.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use inwit_model::ports::SkipReason;
use inwit_model::{Code, Files};

use crate::{everything, home, listed, name, read_code};

fn skipped(files: &dyn Files) -> Vec<(String, SkipReason)> {
    let listing = files.list(&everything()).expect("a listing");
    listing.skipped.into_iter().map(|skipped| (skipped.shown, skipped.reason)).collect()
}

#[test]
fn what_is_left_out_says_why_and_hidden_things_say_nothing() {
    let home = home();
    for silent in [
        ".git/x.md", ".openclaw/x.md", "memory/.dreams/x.md", "SOUL.md~", "notes/plan.txt",
        "node_modules/a/readme.md", ".x.md",
    ] {
        home.put(silent, b"x");
    }
    home.put("README.MD", b"x");
    home.put("memory/2026-02-30.md", b"x");
    home.put("memory/a#b.md", b"x");
    home.put("MEMORY.sync-conflict-20260901-101112-ABCDEFG.md", b"x");
    home.put("memory/\u{202E}dm.md", b"x");
    home.put("odd:folder/x.md", b"x");
    home.put("1/2/3/4/5/6/7/8/x.md", b"x");
    home.put("1/2/3/4/5/6/7/8/9/x.md", b"x");
    std::fs::File::create(home.folder.path().join(OsStr::from_bytes(b"\xff.md"))).expect("a file");
    home.put("a<b.md", b"x");
    assert_eq!(
        listed(&home.files),
        ["1/2/3/4/5/6/7/8/x.md", "README.MD", "memory/2026-02-30.md", "memory/a#b.md", "odd:folder/x.md"]
    );
    let odd = |shown: &str| (shown.to_owned(), SkipReason::OddName);
    assert_eq!(
        skipped(&home.files),
        [
            ("1/2/3/4/5/6/7/8/9".to_owned(), SkipReason::TooDeep),
            ("MEMORY.sync-conflict-20260901-101112-ABCDEFG.md".to_owned(), SkipReason::SyncConflict),
            odd("a<b.md"),
            odd("memory/⟦U+202E⟧dm.md"),
            odd("\u{FFFD}.md"),
        ]
    );
}

fn ignored(files: &dyn Files) -> Vec<String> {
    let listing = files.list(&everything()).expect("a listing");
    listing.entries.into_iter().filter(|entry| entry.is_ignored).map(|entry| entry.name.to_string()).collect()
}

/// Files that inwit knows are never ignored, and what is ignored is listed all the same.
#[test]
fn what_git_and_inwitignore_leave_out_is_marked() {
    let home = home();
    for page in [
        "MEMORY.md", "memory/2026-11-20.md", "notes/plan.md", "plan.md", "drafts/a.md", "drafts/keep.md",
        "drafts/deep/b.md", "site/build/c.md", "site/d.md", "site/e.md", "cache/f.md", "env/lib/g.md",
    ] {
        home.put(page, b"x");
    }
    assert_eq!(ignored(&home.files), Vec::<String>::new());
    home.put(".gitignore", b"# all of them\n*.md\nnotes/\n!plan.md\n!site/\nbroken[\n");
    home.put("site/.gitignore", b"!d.md\n");
    home.put("site/.inwitignore", b"!e.md\n");
    home.put("drafts/.gitignore", b"!keep.md\n");
    home.put("cache/CACHEDIR.TAG", b"Signature: 8a477f597d28d172789f06886806bc55");
    home.put("env/pyvenv.cfg", b"home = /usr");
    let left_out = ["cache/f.md", "drafts/a.md", "drafts/deep/b.md", "env/lib/g.md", "site/build/c.md"];
    assert_eq!(ignored(&home.files), left_out);
    home.put(".inwitignore", b"site\nplan.md\n");
    home.put(".gitignore", b"");
    let left_out = ["cache/f.md", "env/lib/g.md", "plan.md", "site/build/c.md", "site/d.md", "site/e.md"];
    assert_eq!(ignored(&home.files), left_out);
    assert_eq!(listed(&home.files).len(), 12);
}

#[test]
fn files_of_text_are_pages_where_somebody_says_so() {
    let home = home();
    for page in ["a.md", "b.MARKDOWN", "c.mdx", "d.txt", "e.org", "f.json", "noext", ".txt"] {
        home.put(page, b"x");
    }
    assert_eq!(listed(&home.files), ["a.md", "b.MARKDOWN"]);
    let files = inwit_workspace::FsFiles::open(home.folder.path()).expect("open");
    let files = files.listing(inwit_workspace::Extensions::Text);
    assert_eq!(listed(&files), ["a.md", "b.MARKDOWN", "c.mdx", "d.txt", "e.org"]);
}

#[test]
fn p41_another_spelling_beside_a_known_file_is_not_that_file() {
    let home = home();
    home.put("MEMORY.md", b"real");
    home.put("Memory.md", b"other");
    if std::fs::read(home.path("MEMORY.md")).expect("read") == b"other" {
        return crate::skipped_since("this file system does not tell cases apart");
    }
    home.put("memory.md", b"older");
    assert_eq!(&*home.files.read(&name("MEMORY.md")).expect("read").bytes, b"real");
    assert_eq!(listed(&home.files), ["MEMORY.md", "Memory.md", "memory.md"]);
    assert_eq!(skipped(&home.files), []);
    assert_eq!(read_code(&home.files, "Soul.md"), Some(Code::FileMissing));
}

#[test]
fn p43_a_decomposed_name_is_one_file_under_its_composed_name() {
    let home = home();
    home.put("memory/caf\u{65}\u{301}/cre\u{300}me.md", b"decomposed");
    let composed = name("memory/café/crème.md");
    assert_eq!(listed(&home.files), ["memory/café/crème.md"]);
    assert_eq!(&*home.files.read(&composed).expect("read").bytes, b"decomposed");
    assert!(home.files.stamp(&composed).expect("a stamp").is_some());
    assert_eq!(home.files.create(&composed, b"x").expect_err("refused").code, Code::FileExists);
    home.files.create(&name("memory/café/thé.md"), b"x").expect("made in the same folder");
    assert_eq!(std::fs::read_dir(home.path("memory")).expect("a folder").count(), 1);
}

#[test]
fn p43_of_two_spellings_the_composed_one_is_the_file() {
    let home = home();
    home.put("memory/cafe\u{301}.md", b"decomposed");
    home.put("memory/café.md", b"composed");
    if std::fs::read_dir(home.path("memory")).expect("a folder").count() < 2 {
        return crate::skipped_since("this file system normalises names");
    }
    let listing = home.files.list(&everything()).expect("a listing");
    assert_eq!(&*home.files.read(&name("memory/café.md")).expect("read").bytes, b"composed");
    assert_eq!((listing.entries.len(), listing.entries[0].stamp.bytes), (1, 8));
    assert_eq!(skipped(&home.files), [("memory/café.md".to_owned(), SkipReason::OddName)]);
}
