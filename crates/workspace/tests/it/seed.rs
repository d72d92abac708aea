//! Seeding: once, never over anything, never what a person took away.

use std::collections::BTreeSet;
use std::path::Path;

use inwit_model::FileKind;
use inwit_model::{Files, Profile, SafeName};
use inwit_workspace::seed::{self, Offer, SeedAction, Seeded};
use inwit_workspace::{FsFiles, Landmarks, MemFiles, profile, template};

use crate::{home, listed, name, put};

fn personal() -> Profile {
    profile::named("personal").expect("a profile")
}

fn seeded(files: &FsFiles, profile: &Profile) -> Seeded {
    let plan = seed::plan(files, &files.landmarks().expect("landmarks"), profile).expect("a plan");
    seed::carry_out(files, &plan).expect("carried out")
}

fn texts(names: &[SafeName]) -> Vec<&str> {
    names.iter().map(SafeName::as_str).collect()
}

/// Proves R59, W17.
#[test]
fn seeding_twice_changes_nothing() {
    for name in profile::names() {
        let home = home();
        let profile = profile::named(name).expect("a profile");
        let first = seeded(&home.files, &profile);
        let mut wanted = profile.seeds.clone();
        wanted.sort();
        assert_eq!(listed(&home.files), wanted, "{name}");
        assert_eq!(first.created.len(), wanted.len());
        let second = seeded(&home.files, &profile);
        assert_eq!((second.created.len(), second.kept.len()), (0, wanted.len()), "{name}");
    }
}

/// Proves W17, I7.
#[test]
fn what_a_person_wrote_stays_and_only_the_missing_comes() {
    let home = home();
    home.put("SOUL.md", b"\xEF\xBB\xBFmine\r\n");
    home.put("TOOLS.md", b"");
    let seeded = seeded(&home.files, &personal());
    assert_eq!(texts(&seeded.created), ["AGENTS.md", "IDENTITY.md", "USER.md", "MEMORY.md"]);
    assert_eq!(texts(&seeded.kept), ["SOUL.md", "TOOLS.md"]);
    assert_eq!(std::fs::read(home.path("SOUL.md")).expect("read"), b"\xEF\xBB\xBFmine\r\n");
    assert_eq!(std::fs::read(home.path("TOOLS.md")).expect("read"), b"");
    let agents = std::fs::read_to_string(home.path("AGENTS.md")).expect("read");
    assert_eq!(Some(agents.as_str()), template::of(FileKind::Agents));
}

/// A prompt shows MEMORY.md or `memory.md`, so a new one beside the old one would hide what is remembered.
#[test]
fn an_older_memory_file_gets_no_second_one_beside_it() {
    let home = home();
    home.put("memory.md", b"- likes rye\n");
    let seeded = seeded(&home.files, &personal());
    assert_eq!(texts(&seeded.created), ["SOUL.md", "AGENTS.md", "IDENTITY.md", "USER.md", "TOOLS.md"]);
    assert!(!home.path("MEMORY.md").exists());
}

/// Proves W17.
#[test]
fn only_a_brand_new_workspace_gets_a_first_conversation() {
    let bootstrap = |prepare: fn(&std::path::Path)| {
        let home = home();
        prepare(home.folder.path());
        let plan = seed::plan(&home.files, &home.files.landmarks().expect("landmarks"), &personal())
            .expect("a plan");
        assert_eq!(plan.steps[0].name.as_str(), "BOOTSTRAP.md", "it is made first");
        plan.steps[0].action
    };
    assert!(matches!(bootstrap(|_| ()), SeedAction::Create(_)));
    assert!(matches!(bootstrap(|ws| put(ws, "README.md", b"x")), SeedAction::Create(_)));
    for used in [
        |ws: &Path| put(ws, "USER.md", b"x"),
        |ws: &Path| put(ws, "memory.md", b"x"),
        |ws: &Path| put(ws, "memory/2026-11-21.md", b"x"),
        |ws: &Path| std::fs::create_dir(ws.join("memory")).expect("a folder"),
        |ws: &Path| put(ws, "skills/bread/SKILL.md", b"x"),
        |ws: &Path| std::os::unix::fs::symlink("nowhere", ws.join("SOUL.md")).expect("a link"),
    ] {
        assert_eq!(bootstrap(used), SeedAction::Withhold(Offer::InUse));
    }
    for done in [
        |ws: &Path| put(ws, "BOOTSTRAP.md.done.1763712000", b"x"),
        |ws: &Path| {
            put(
                ws,
                ".openclaw/workspace-state.json",
                br#"{"version":1,"onboardingCompletedAt":"2026-03-01T10:00:00Z"}"#,
            )
        },
        |ws: &Path| {
            put(
                ws,
                ".openclaw/workspace-state.json",
                br#"{"version":1,"setupCompletedAt":"2026-03-01T10:00:00Z"}"#,
            )
        },
        |ws: &Path| put(ws, ".openclaw/workspace-state.json", b"{"),
    ] {
        assert_eq!(bootstrap(done), SeedAction::Withhold(Offer::Done));
    }
    let begun = bootstrap(|ws| {
        put(ws, ".openclaw/workspace-state.json", br#"{"version":1,"bootstrapSeededAt":"2026-03-01"}"#)
    });
    assert!(matches!(begun, SeedAction::Create(_)));
    assert_eq!(bootstrap(|ws| put(ws, "BOOTSTRAP.md", b"x")), SeedAction::Keep);
}

#[test]
fn what_a_person_took_away_does_not_come_back() {
    let files = MemFiles::new();
    let remembered =
        Landmarks { seeded_before: personal().seeds.into_iter().collect(), ..Landmarks::default() };
    files.put(&name("SOUL.md"), b"x");
    let plan = seed::plan(&files, &remembered, &personal()).expect("a plan");
    assert_eq!(seed::carry_out(&files, &plan).expect("carried out").created, []);
    let completed = Landmarks { openclaw_completed: true, openclaw_state: true, ..Landmarks::default() };
    let openclaw = profile::named("openclaw").expect("a profile");
    let plan = seed::plan(&files, &completed, &openclaw).expect("a plan");
    let created = seed::carry_out(&files, &plan).expect("carried out").created;
    assert_eq!(texts(&created), ["AGENTS.md"], "as OpenClaw does after its set-up");
}

#[test]
fn a_crash_between_two_files_does_not_cost_the_first_conversation() {
    for made in 0..personal().seeds.len() {
        let home = home();
        let mut plan = seed::plan(&home.files, &Landmarks::default(), &personal()).expect("a plan");
        plan.steps.truncate(made);
        seed::carry_out(&home.files, &plan).expect("carried out");
        seeded(&home.files, &personal());
        assert_eq!(listed(&home.files).len(), 7, "after {made}");
    }
}

/// Proves W17, R59.
#[test]
fn two_who_seed_at_once_make_every_file_once() {
    for _ in 0..20 {
        let home = home();
        let folder = home.folder.path();
        let run = || seeded(&FsFiles::open(folder).expect("open"), &personal());
        let (first, second) = std::thread::scope(|scope| {
            let (first, second) = (scope.spawn(run), scope.spawn(run));
            (first.join().expect("ran"), second.join().expect("ran"))
        });
        let created: Vec<&SafeName> = first.created.iter().chain(&second.created).collect();
        let distinct: BTreeSet<&SafeName> = created.iter().copied().collect();
        assert_eq!((created.len(), distinct.len()), (7, 7));
        for (kind, text) in [FileKind::Soul, FileKind::Bootstrap].map(|kind| (kind, template::of(kind))) {
            let bytes = home.files.read(&name(kind.spec().path)).expect("read").bytes;
            assert_eq!(std::str::from_utf8(&bytes).ok(), text);
        }
    }
}
