//! Importing an OpenClaw workspace.

use inwit_model::{FileKind, Files};
use inwit_workspace::Generation;
use inwit_workspace::import::{self, ImportAction, StayReason};

use crate::{Home, home, listed, name};

fn openclaw() -> Home {
    let source = home();
    for (text, bytes) in [
        ("AGENTS.md", &b"---\nx: y\n---\r\n# Rules\r\n"[..]),
        ("SOUL.md", b"\xEF\xBB\xBFsoul, no last line end"),
        ("TOOLS.md", b"\xFF\xFElatin or worse \0"),
        ("BOOTSTRAP.md", b"hello"),
        ("HEARTBEAT.md", b"stale"),
        ("memory.md", b"old name"),
        ("memory/2026-03-03-missal-sewing.md", b"- 10:00 a\n"),
        ("memory/dreaming/deep/2026-03-03.md", b"report"),
        ("skills/paper/SKILL.md", b"---\nname: paper\n---\n"),
        ("skills/paper/notes.md", b"x"),
        ("users/tunde/USER.md", b"x"),
        ("standing-orders.md", b"x"),
        ("transcripts/s1.md", b"said"),
        (".git/description.md", b"x"),
        (".openclaw/workspace-state.json", b"{}"),
        ("memory/.dreams/session-corpus/2026-03-09.md", b"x"),
        ("memory/2026-02-30.md", b"x"),
    ] {
        source.put(text, bytes);
    }
    source
}

/// Proves W94, X57.
#[test]
fn an_import_copies_bytes_and_leaves_the_life_of_the_source_behind() {
    let (source, target) = (openclaw(), home());
    let plan = import::plan_openclaw(&source.files, &target.files, &[]).expect("a plan");
    let action = |text: &str| {
        plan.steps.iter().find(|step| step.name.as_str() == text).map(|step| step.action.clone())
    };
    assert_eq!(action("BOOTSTRAP.md"), Some(ImportAction::Skip(StayReason::NotIncluded)));
    assert_eq!(action("HEARTBEAT.md"), Some(ImportAction::Skip(StayReason::NotIncluded)));
    assert_eq!(action("transcripts/s1.md"), Some(ImportAction::Skip(StayReason::Transcript)));
    assert_eq!(
        plan.left.iter().map(|left| left.shown.as_str()).collect::<Vec<_>>(),
        ["memory/2026-02-30.md"]
    );
    let imported = import::carry_out(&source.files, &target.files, &plan).expect("carried out");
    assert_eq!(imported.conflicts, []);
    let copied: Vec<&str> = imported.copied.iter().map(|name| name.as_str()).collect();
    assert_eq!(
        copied,
        [
            "AGENTS.md",
            "SOUL.md",
            "TOOLS.md",
            "memory.md",
            "memory/2026-03-03-missal-sewing.md",
            "memory/dreaming/deep/2026-03-03.md",
            "skills/paper/SKILL.md",
            "skills/paper/notes.md",
            "standing-orders.md",
            "users/tunde/USER.md",
        ]
    );
    assert_eq!(listed(&target.files), copied);
    for text in copied {
        assert_eq!(
            std::fs::read(source.path(text)).expect("read"),
            std::fs::read(target.path(text)).expect("read"),
            "{text}"
        );
    }
    assert!(!target.path(".git").exists() && !target.path(".openclaw").exists());
}

/// Proves I7.
#[test]
fn a_second_import_copies_nothing_and_a_conflict_stays_as_it_is() {
    let (source, target) = (openclaw(), home());
    target.put("SOUL.md", b"another soul");
    let run = || {
        let plan = import::plan_openclaw(&source.files, &target.files, &[]).expect("a plan");
        import::carry_out(&source.files, &target.files, &plan).expect("carried out")
    };
    let first = run();
    assert_eq!((first.copied.len(), first.conflicts.as_slice()), (9, &[name("SOUL.md")][..]));
    let second = run();
    assert_eq!((second.copied.len(), second.conflicts.as_slice()), (0, &[name("SOUL.md")][..]));
    assert_eq!(std::fs::read(target.path("SOUL.md")).expect("read"), b"another soul");
    let onto_itself =
        import::plan_openclaw(&source.files, &source.files, &[FileKind::Bootstrap]).expect("a plan");
    assert!(
        onto_itself
            .steps
            .iter()
            .all(|step| matches!(step.action, ImportAction::Same | ImportAction::Skip(_)))
    );
}

/// Proves X57.
#[test]
fn what_is_included_comes_and_what_changed_meanwhile_does_not() {
    let (source, target) = (openclaw(), home());
    let plan = import::plan_openclaw(&source.files, &target.files, &[FileKind::Heartbeat]).expect("a plan");
    source.put("AGENTS.md", b"changed");
    target.put("TOOLS.md", b"appeared");
    let imported = import::carry_out(&source.files, &target.files, &plan).expect("carried out");
    assert!(
        imported.copied.contains(&name("HEARTBEAT.md")) && !imported.copied.contains(&name("BOOTSTRAP.md"))
    );
    assert_eq!(imported.conflicts, [name("AGENTS.md"), name("TOOLS.md")]);
    assert!(target.files.read(&name("AGENTS.md")).is_err());
}

#[test]
fn a_folder_tells_which_openclaw_made_it() {
    let source = openclaw();
    let landmarks = source.files.landmarks().expect("landmarks");
    let marks = vec!["TOOLS.md", "HEARTBEAT.md", "memory.md", ".openclaw/workspace-state.json"];
    assert_eq!(inwit_workspace::generation::of(&source.files, &landmarks), Generation::Old { marks });
}

#[test]
fn what_is_no_markdown_is_named_up_to_a_count() {
    let source = openclaw();
    for path in ["skills/paper/fold.py", "avatar.png", "a.csv", ".env", ".git/HEAD", "deep/er/x.sh"] {
        source.put(path, b"x");
    }
    std::os::unix::fs::symlink("/", source.path("elsewhere")).expect("a link");
    let others = source.files.others(3).expect("a walk");
    assert_eq!(others.shown, ["a.csv", "avatar.png", "deep/er/x.sh"]);
    assert_eq!((others.more, others.is_partial), (1, false));
    assert_eq!(source.files.others(9).expect("a walk").shown.len(), 4);
}

#[test]
fn a_link_in_the_target_is_told_as_one_and_nothing_is_written_behind_it() {
    let (source, target, outside) = (openclaw(), home(), home());
    std::os::unix::fs::symlink(outside.folder.path(), target.path("memory")).expect("a link");
    let plan = import::plan_openclaw(&source.files, &target.files, &[]).expect("a plan");
    let step =
        plan.steps.iter().find(|step| step.name.as_str().starts_with("memory/")).expect("a step").clone();
    assert!(matches!(&step.action, ImportAction::Barred(why) if why.contains("symbolic link")), "{step:?}");
    let imported = import::carry_out(&source.files, &target.files, &plan).expect("carried out");
    assert!(imported.conflicts.contains(&step.name));
    assert_eq!(listed(&outside.files), Vec::<String>::new());
}
