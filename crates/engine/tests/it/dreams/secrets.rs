//! What a pass does with a log that holds a secret.

use super::*;

/// Proves W61, W63, X35, N29h.
#[test]
fn a_log_with_a_secret_is_set_aside_until_a_person_clears_it() {
    let key = ["ghp_", &"FAKE".repeat(7), "FA", "4fBzlp"].concat();
    let world = world(profile("nexo"), shelf(&format!("- The sourdough starter token is {key}.\n")));
    recalled(&world);
    let report = dream(&world);
    assert_eq!((report.outcome, outcomes(&report)), ("pii_detected_quarantine", vec!["secret"]));
    assert_eq!(world.text("MEMORY.md"), MEMORY);
    let kept = world.shelf.read_state(StateFile::Quarantine).expect("read").expect("there");
    let kept = String::from_utf8(kept).expect("text");
    assert!(kept.contains(LOG) && kept.contains("github_pat") && !kept.contains(&key), "{kept}");
    assert_eq!(outcomes(&dream(&world)), ["quarantined"]);
    world.shelf.write(LOG, "- The sourdough starter is fed on Sundays.\n");
    world.shelf.write_state(StateFile::Quarantine, None).expect("cleared");
    recalled(&world);
    let after = dream(&world);
    assert_eq!(after.outcome, "appended", "{after:?}");
}

/// One secret sets the whole log aside, wherever it stands and whether or not anybody recalled it.
#[test]
fn a_secret_that_nobody_recalled_holds_back_its_whole_log() {
    let key = ["ghp_", &"FAKE".repeat(7), "FA", "4fBzlp"].concat();
    let log =
        format!("- The sourdough starter is fed on Sundays.\n\n# Boxes\n\n- The chest opens by {key}.\n");
    let world = world(profile("nexo"), shelf(&log));
    recalled(&world);
    let report = dream(&world);
    assert_eq!(report.outcome, "pii_detected_quarantine", "{report:?}");
    assert!(outcomes(&report).contains(&"quarantined"), "{report:?}");
    assert_eq!(world.text("MEMORY.md"), MEMORY);
    assert!(world.shelf.read_state(StateFile::Quarantine).expect("read").is_some());
}

/// A bullet joins the lines of its passage, and the two halves of a token are not known as one any more.
#[test]
fn a_passage_whose_secret_goes_over_a_line_end_is_not_promoted() {
    let world = world(
        profile("nexo"),
        shelf("- The sourdough starter token is glpat-Rk3xVb7Qw\n  Zp1Nc8TyH2d today.\n"),
    );
    recalled(&world);
    let report = dream(&world);
    assert_eq!(outcomes(&report), ["secret"], "{report:?}");
    assert!(!world.text("MEMORY.md").contains("Zp1Nc8TyH2d"));
}

/// Tags are shown to models, and are words of what was recalled.
#[test]
fn no_tag_is_made_of_a_passage_with_a_secret() {
    let world = world(
        profile("nexo"),
        shelf(
            "- The sourdough starter api key: 5f1e8c0a9b7d43e2a6c19f0b47d2e8aa of hydra\n\n- The sourdough flour is rye.\n",
        ),
    );
    assert!(world.searches("sourdough") > 1);
    let tags = world.agent.counts().expect("counts").top_concept_tags_7d;
    assert!(tags.iter().any(|(tag, _)| tag == "flour"), "{tags:?}");
    assert!(!tags.iter().any(|(tag, _)| tag.contains("5f1e8c0a") || tag == "hydra"), "{tags:?}");
}

#[test]
fn a_dry_run_that_meets_a_secret_sets_nothing_aside() {
    let key = ["ghp_", &"FAKE".repeat(7), "FA", "4fBzlp"].concat();
    let world = world(profile("nexo"), shelf(&format!("- The sourdough starter token is {key}.\n")));
    recalled(&world);
    assert_eq!(outcomes(&dream_as(&world, true)), ["secret"]);
    assert_eq!(world.shelf.read_state(StateFile::Quarantine).expect("read"), None);
}

/// Proves W50.
#[test]
fn an_entry_of_the_quarantine_has_its_four_keys_and_nothing_else() {
    let key = ["ghp_", &"FAKE".repeat(7), "FA", "4fBzlp"].concat();
    let shelf = shelf("");
    let log = format!("- The sourdough starter token is {key}.\n");
    shelf.write_at(LOG, log, "2026-11-20T08:00:00Z");
    let world = world(profile("nexo"), shelf);
    recalled(&world);
    assert_eq!(dream(&world).outcome, "pii_detected_quarantine");
    let kept = world.shelf.read_state(StateFile::Quarantine).expect("read").expect("there");
    let kept: serde_json::Value = serde_json::from_slice(&kept).expect("JSON");
    let entry = serde_json::json!({
        "quarantined_at": "2026-11-24T12:00:00Z",
        "pattern": "github_pat",
        "log_filenames": ["memory/2026-11-20.md"],
        "max_mtime": 1_795_161_600_000_i64,
    });
    assert_eq!(kept, serde_json::json!([entry]));
}

/// A person may copy or touch a log: the quarantine names the modification time, as every other program sees it.
///
/// Proves W50.
#[test]
fn the_time_of_a_quarantined_log_is_the_modification_time_of_its_file() {
    let key = ["ghp_", &"FAKE".repeat(7), "FA", "4fBzlp"].concat();
    let folder = tempfile::tempdir().expect("a folder");
    let put = |name: &str, text: &str| inwit_testkit::fixture::put(folder.path(), name, text.as_bytes());
    put(LOG, &format!("- The sourdough starter token is {key}.\n"));
    let at: jiff::Timestamp = "2026-03-01T08:00:00.25Z".parse().expect("a moment");
    let log = std::fs::File::options().write(true).open(folder.path().join(LOG)).expect("there");
    log.set_modified(at.into()).expect("an earlier time");
    drop(log);
    let files = Arc::new(inwit_workspace::FsFiles::open(folder.path()).expect("opened"));
    let memory = Arc::new(SqliteMemory::in_memory().expect("a memory"));
    let keeping = AgentDeps { records_recall: true, ..AgentDeps::alone(memory as _, Arc::new(Drawn::of(7))) };
    let agent = Agent::new(AgentPorts { keeping, ..parts(files) });
    let search = Search {
        query: "sourdough starter",
        scope: &Scope::Main,
        limit: 9,
        budget_chars: None,
        bounds: Bounds::default(),
    };
    assert_eq!(agent.notes.search(&search).expect("an answer").hits.len(), 1);
    let ask = DreamAsk { gates: Gates::default(), dry_run: false, trigger: "manual".into() };
    assert_eq!(agent.learning.dream(&ask).expect("a dream").outcome, "pii_detected_quarantine");
    let kept = std::fs::read(folder.path().join(".dreamed-quarantine.json")).expect("read");
    let kept: serde_json::Value = serde_json::from_slice(&kept).expect("JSON");
    assert_eq!(kept[0]["max_mtime"], at.as_millisecond());
}
