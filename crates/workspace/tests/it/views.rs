//! Views: what others than the owner see does not depend on what is private.

use std::sync::Arc;

use inwit_model::ports::Listing;
use inwit_model::{Code, FileError, Files, Place, RoomId, SafeName, Scope};
use inwit_workspace::{FsFiles, MemFiles, ScopedReader, Workspace};
use proptest::prelude::*;

use crate::probe::Probe;
use crate::{home, name};

const SHOWN: &[&str] = &[
    "SOUL.md", "IDENTITY.md", "rooms/kitchen.md", "memory/rooms/kitchen/2026-11-21.md",
    "skills/bread/SKILL.md",
];

fn kitchen() -> Scope {
    Scope::Room(RoomId::parse("kitchen").expect("a room"))
}

fn scopes() -> [Scope; 4] {
    [kitchen(), Scope::Shared, Scope::Subagent, Scope::Scheduled]
}

fn names_of(view: &dyn ScopedReader) -> Vec<String> {
    view.list().expect("a listing").entries.into_iter().map(|entry| entry.name.to_string()).collect()
}

/// Proves I1.
#[test]
fn every_listener_sees_the_files_of_its_list() {
    let files = Arc::new(MemFiles::new());
    for row in inwit_model::FILES {
        files.put(&name(row.path), b"x");
    }
    for text in [
        "rooms/kitchen.md", "rooms/garden.md", "memory/rooms/kitchen/2026-11-21.md",
        "memory/rooms/garden/2026-11-21.md", "memory/2026-11-21.md", "skills/bread/SKILL.md",
        "skills/bread/secret.md", "notes/kitchen.md", "diary.md",
    ] {
        files.put(&name(text), b"x");
    }
    let workspace = Workspace::new(files);
    assert_eq!(
        names_of(&workspace.view(kitchen())),
        [
            "AGENTS.md", "IDENTITY.md", "SOUL.md", "memory/rooms/kitchen/2026-11-21.md", "rooms/kitchen.md",
            "skills/bread/SKILL.md",
        ]
    );
    assert_eq!(
        names_of(&workspace.view(Scope::Shared)),
        ["AGENTS.md", "IDENTITY.md", "SOUL.md", "skills/bread/SKILL.md"]
    );
    assert_eq!(names_of(&workspace.view(Scope::Subagent)), ["AGENTS.md"]);
    assert_eq!(
        names_of(&workspace.view(Scope::Scheduled)),
        ["AGENTS.md", "HEARTBEAT.md", "IDENTITY.md", "SOUL.md", "USER.md"]
    );
    assert_eq!(names_of(&workspace.private()).len(), inwit_model::FILES.len() + 9);
    assert!(workspace.view(Scope::Main).private().is_some());
    assert!(workspace.view(kitchen()).private().is_none());
}

#[test]
fn a_private_file_answers_like_one_that_is_not_there() {
    let full = Arc::new(MemFiles::new());
    let hidden = [
        "MEMORY.md", "USER.md", "memory/2026-11-21.md", "rooms/garden.md", "memory/rooms/garden/x.md",
        "diary.md", "skills/a/x.md",
    ];
    for text in hidden {
        full.put(&name(text), b"secret");
    }
    let (full, empty) = (Workspace::new(full), Workspace::new(Arc::new(MemFiles::new())));
    for text in hidden {
        for scope in [kitchen(), Scope::Shared] {
            let error = full.view(scope.clone()).read(&name(text)).expect_err(text);
            assert_eq!(error.code, Code::FileMissing);
            assert_eq!(Some(error), empty.view(scope.clone()).read(&name(text)).err());
            assert_eq!(full.view(scope).stamp(&name(text)), Ok(None));
        }
        assert_eq!(full.private().read(&name(text)).is_ok(), text != "skills/a/x.md");
    }
    assert_eq!(full.private().read(&name("Soul.md")).expect_err("missing").code, Code::FileMissing);
}

#[test]
fn a_room_never_asks_the_disk_about_a_private_file() {
    let home = home();
    for text in [
        "SOUL.md", "MEMORY.md", "USER.md", "memory/2026-11-21.md", "memory/rooms/garden/x.md",
        "memory/rooms/kitchen/x.md", "skills/s/SKILL.md",
    ] {
        home.put(text, b"x");
    }
    let probe: &'static Probe = Box::leak(Box::default());
    let workspace = Workspace::new(Arc::new(FsFiles::open_with(probe, home.folder.path()).expect("open")));
    let view = workspace.view(kitchen());
    view.list().expect("a listing");
    for text in ["MEMORY.md", "memory/2026-11-21.md", "memory/rooms/garden/x.md", "memory/日记.md"] {
        view.read(&name(text)).expect_err(text);
        view.stamp(&name(text)).expect("no stamp");
    }
    let mut calls = probe.calls();
    calls.sort();
    calls.dedup();
    assert_eq!(
        calls,
        [
            "open_dir .", "open_dir memory/rooms/kitchen", "open_dir rooms", "open_dir s", "open_dir skills",
            "stat AGENTS.md", "stat IDENTITY.md", "stat SKILL.md", "stat SOUL.md", "stat x.md",
        ]
    );
}

type Answer = (Listing, Vec<Result<Vec<u8>, FileError>>);

fn answers(files: &Arc<MemFiles>, scope: &Scope, asked: &[SafeName]) -> Answer {
    let workspace = Workspace::new(Arc::clone(files) as Arc<dyn Files>);
    let view = workspace.view(scope.clone());
    let read = |name: &SafeName| view.read(name).map(|content| content.bytes.to_vec());
    (view.list().expect("a listing"), asked.iter().map(read).collect())
}

proptest! {
    /// Proves I1, X21.
    #[test]
    fn private_files_change_nothing_that_others_see(
        paths in prop::collection::vec(
            r"(MEMORY|USER|TOOLS|memory/CORE|memory/2026-11-2[0-9](-kitchen)?|memory/rooms/(garden|Kitchen|kitchen2)/[a-z]{1,3}|rooms/(garden|kitchen2)|memory/kitchen/[a-z]{1,2}|notes/[a-z]{1,3}|skills/[a-z]/[a-z]{1,3}|skills/[a-z]/(CON|\.x|a b )|[a-z]{1,4}|memory/(été|日记))(\.md|\.MD|\.txt)",
            0..24,
        ),
        texts in prop::collection::vec(".{0,20}", 24),
    ) {
        let files = Arc::new(MemFiles::new());
        for text in SHOWN {
            files.put(&name(text), text.as_bytes());
        }
        let private: Vec<SafeName> = paths.iter().filter_map(|path| SafeName::parse(path).ok()).collect();
        for scope in scopes() {
            let hidden = |name: &&SafeName| Place::of(name).is_none_or(|place| !scope.sees(&place));
            let private: Vec<SafeName> = private.iter().filter(hidden).cloned().collect();
            let asked: Vec<SafeName> = private.iter().cloned().chain(SHOWN.iter().map(|text| name(text))).collect();
            let before = answers(&files, &scope, &asked);
            for (name, text) in private.iter().zip(&texts) {
                files.put(name, text.as_bytes());
            }
            prop_assert_eq!(before, answers(&files, &scope, &asked));
            for name in &private {
                files.remove(name);
            }
        }
    }
}
