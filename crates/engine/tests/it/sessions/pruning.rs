//! Which daily logs leave the workspace, and when.

use inwit_engine::learning::dreaming::LogsAsk;
use inwit_model::{Hint, Scope};
use inwit_testkit::ScriptedJudge;
use jiff::SignedDuration;

use super::{shelf, start_of};
use crate::profile;
use crate::world::{dreaming_world, logs_ask, world};

/// Proves I2.
#[test]
fn a_log_that_is_pruned_leaves_a_row_of_the_audit() {
    let world = world(profile("mindroom"), shelf());
    let id = world.starts();
    world.says(&id, "We bake on Friday.", "Yes.", Vec::new());
    world.agent.sessions.session_end(&id).expect("ended");
    world.clock.pass(SignedDuration::from_hours(24 * 40));
    let before = world.agent.core.audit_rows(1_000).expect("rows").len();
    world.starts();
    assert_eq!(world.text("memory/2026-11-21.md"), "");
    let rows = world.agent.core.audit_rows(1_000).expect("rows");
    let new = &rows[..rows.len() - before];
    assert!(
        new.iter().any(|row| row.target == "memory/2026-11-21.md" && row.detail.contains("rcpt-")),
        "{new:?}"
    );
}

/// Proves R32, R61, X59.
#[test]
fn an_old_log_leaves_the_workspace_and_stays_in_history() {
    if !inwit_testkit::has_git() {
        return;
    }
    let shelf = shelf();
    shelf.write("memory/2026-10-20.md", "# 2026-10-20\n\n- Ana was in Lima.\n");
    shelf.write("notes/2026-10-20.md", "- a note by hand\n");
    let world = world(profile("mindroom"), shelf);
    let says = |text: &str| {
        let id = world.starts();
        world.says(&id, text, "Yes.", Vec::new());
        world.agent.sessions.session_end(&id).expect("ended");
    };
    says("We bake on Friday.");
    world.clock.pass(SignedDuration::from_hours(24));
    says("We eat on Saturday.");
    let edited = world.text("memory/2026-11-22.md") + "- by hand\n";
    world.shelf.write("memory/2026-11-22.md", &edited);
    world.clock.pass(SignedDuration::from_hours(24));
    says("We rest on Sunday.");
    let log = world.text("memory/2026-11-21.md");
    world.clock.pass(SignedDuration::from_hours(24 * 30));
    let start = inwit_engine::sessions::session::Start {
        session: None,
        surface: "repl".into(),
        scope: Scope::Main,
        room: None,
        user: None,
        agents: Vec::new(),
        project: None,
    };
    let began = world.agent.sessions.session_start(&start).expect("a session");
    assert_eq!(world.text("memory/2026-11-21.md"), "", "32 days");
    assert_ne!(world.text("memory/2026-11-23.md"), "", "30 days");
    assert_eq!(world.text("memory/2026-11-22.md"), edited, "somebody wrote in it");
    assert_ne!(world.text("memory/2026-10-20.md"), "", "somebody made it");
    assert_ne!(world.text("notes/2026-10-20.md"), "", "it is no log");
    let told = began.notices.iter().find(|notice| notice.code == "journal_pruned").expect("it is said");
    assert!(told.message.contains("memory/2026-11-21.md"), "{}", told.message);
    assert_eq!(told.hint, Hint::KeepLogs);
    let filter = inwit_workspace::history::LogFilter::newest(9);
    let commits = world.agent.history.history_log(&filter).expect("a log");
    let kept = commits.iter().find_map(|commit| {
        let rev = commit.oid.into();
        world.agent.history.history_show(&rev, &inwit_testkit::name("memory/2026-11-21.md")).ok()
    });
    assert_eq!(kept.as_deref(), Some(log.as_bytes()));
}

/// A log that was set aside over a secret waits for a person, however old it is; and without a retention
/// nothing ever goes.
///
/// Proves X59.
#[test]
fn a_log_in_quarantine_is_not_pruned_and_without_a_retention_none_is() {
    for (name, quarantined) in [("mindroom", true), ("mindroom", false), ("nexo", false)] {
        let world = world(profile(name), shelf());
        let id = world.starts();
        world.says(&id, "We bake on Friday.", "Yes.", Vec::new());
        world.agent.sessions.session_end(&id).expect("ended");
        let log = if name == "nexo" { "notes/2026-11-21.md" } else { "memory/2026-11-21.md" };
        let text = world.text(log);
        assert!(text.contains("Friday"), "{name}: {text}");
        let entry = r#"[{"quarantined_at":"2026-11-22T00:00:00Z","pattern":"github_pat","log_filenames":["memory/2026-11-21.md"],"max_mtime":1}]"#;
        if quarantined {
            let state = inwit_model::ports::StateFile::Quarantine;
            inwit_model::Files::write_state(world.shelf.as_ref(), state, Some(entry.as_bytes()))
                .expect("kept");
        }
        world.clock.pass(SignedDuration::from_hours(24 * 40));
        world.starts();
        let stays = quarantined || name == "nexo";
        assert_eq!(world.text(log), if stays { text } else { String::new() }, "{name}, {quarantined}");
    }
}

/// While an engine dreams by itself, a log stays until that engine has read it.
///
/// Proves X59.
#[test]
fn a_log_that_no_dream_has_read_is_not_pruned_while_an_engine_is_on() {
    use inwit_model::DreamEngine::{Logs, Recall};
    let (none, recall, logs, both): (&[_], &[_], &[_], &[_]) = (&[], &[Recall], &[Logs], &[Recall, Logs]);
    for (engines, dreamed, stays) in [
        (none, none, false),
        (recall, none, true),
        (recall, recall, false),
        (recall, logs, true),
        (logs, recall, true),
        (logs, logs, false),
        (both, recall, true),
        (both, logs, true),
        (both, both, false),
    ] {
        let engines = engines.to_vec();
        let told = format!("{engines:?}, {dreamed:?}");
        let world = dreaming_world(engines, profile("mindroom"), shelf());
        let id = world.starts();
        world.says(&id, "We bake on Friday.", "Yes.", Vec::new());
        world.agent.sessions.session_end(&id).expect("ended");
        let log = "memory/2026-11-21.md";
        let text = world.text(log);
        assert!(text.contains("Friday"), "{told}: {text}");
        world.clock.pass(SignedDuration::from_hours(24));
        if dreamed.contains(&Recall) {
            let gates = inwit_engine::learning::dream::Gates::default();
            let ask = inwit_engine::learning::dreaming::DreamAsk {
                gates,
                dry_run: false,
                trigger: "manual".into(),
            };
            world.agent.learning.dream(&ask).expect("a pass");
        }
        if dreamed.contains(&Logs) {
            let model = || Ok(Box::new(ScriptedJudge::saying(&["NOTHING_TO_PROMOTE"])) as _);
            let ask = LogsAsk { model: &model, ..logs_ask() };
            assert_eq!(world.agent.learning.dream_logs(&ask).expect("a pass").outcome, "nothing_to_promote");
        }
        world.clock.pass(SignedDuration::from_hours(24 * 40));
        let notices = world.agent.sessions.session_start(&start_of("second")).expect("a session").notices;
        let codes: Vec<_> = notices.iter().map(|notice| notice.code).collect();
        assert_eq!(world.text(log), if stays { text } else { String::new() }, "{told}");
        let told_of = if stays { "journal_undreamed" } else { "journal_pruned" };
        assert!(codes.contains(&told_of), "{told}: {codes:?}");
    }
}
