//! Which source of a setting wins, and what is said where nobody says anything.

use super::*;

fn settings(env: &[(&str, &str)]) -> Settings {
    let look = |name: &str| env.iter().find(|(known, _)| *known == name).map(|(_, text)| (*text).to_owned());
    Settings::read(Layers::default(), &look, Vec::new()).expect("read")
}

#[test]
fn a_setting_changes_one_value_of_the_profile_and_is_remembered() {
    let settings =
        settings(&[("HOME", "/h"), ("INWIT_PROFILE", "nexo"), ("INWIT_LOAD_MAX_FILE_CHARS", "500")]);
    let profile = settings.profile();
    assert_eq!(
        (profile.name.as_str(), profile.max_file_chars, profile.max_total_chars),
        ("nexo", 500, 60_000)
    );
    let effective = settings.effective();
    let origin = |key: &str| {
        effective.iter().find(|(row, _)| row.key == key).map(|(_, value)| value.origin.to_string())
    };
    assert_eq!(origin("load.max_file_chars").as_deref(), Some("environment INWIT_LOAD_MAX_FILE_CHARS"));
    assert_eq!(origin("load.max_total_chars").as_deref(), Some("profile nexo"));
    assert_eq!(origin("search.limit").as_deref(), Some("default"));
}

#[test]
fn homes_follow_the_base_directories() {
    assert_eq!(settings(&[("HOME", "/h")]).paths.root, Path::new("/h/.local/share/inwit"));
    assert_eq!(settings(&[("HOME", "/h"), ("XDG_DATA_HOME", "/d")]).paths.root, Path::new("/d/inwit"));
    assert_eq!(
        settings(&[("HOME", "/h"), ("XDG_DATA_HOME", "d")]).paths.root,
        Path::new("/h/.local/share/inwit")
    );
    assert_eq!(settings(&[("HOME", "/h"), ("INWIT_HOME", "~/x")]).paths.root, Path::new("/h/x"));
}

/// Proves W66a, X33, N29l.
#[test]
fn the_five_names_of_dreaming_set_what_they_say() {
    let text = |settings: &Settings, key: &str| {
        let effective = settings.effective();
        effective.into_iter().find(|(row, _)| row.key == key).map(|(_, value)| value.text)
    };
    let unset = settings(&[("HOME", "/h")]);
    let schedule = unset.dream_schedule();
    assert_eq!((schedule.engines, schedule.every), (Vec::new(), SignedDuration::from_hours(24)));
    assert_eq!(text(&unset, "dream.total_input_bytes").as_deref(), Some("262144"));
    assert_eq!(text(&unset, "dream.lock_ttl_ms").as_deref(), Some("1800000"));
    assert_eq!(unset.dream_lock_ttl(), Duration::from_millis(1_800_000));
    assert_eq!(unset.dream_logs().limits, LogLimits::default());
    assert_eq!(unset.dream_logs().timeout, Duration::from_secs(30 * 60));

    let names = [
        ("WORKSPACE_DREAM_ENABLED", "1"),
        ("WORKSPACE_DREAM_INTERVAL_HOURS", "6"),
        ("WORKSPACE_DREAM_TOTAL_INPUT_BYTES", "1000000"),
        ("WORKSPACE_DREAM_LOCK_TTL_MS", "60000"),
        ("WORKSPACE_DAILY_LOG_INTERVAL", "7"),
    ];
    let env: Vec<(&str, &str)> = [("HOME", "/h")].into_iter().chain(names).collect();
    let set = settings(&env);
    let schedule = set.dream_schedule();
    assert_eq!(schedule.engines, [DreamEngine::Recall, DreamEngine::Logs]);
    assert_eq!(schedule.every, SignedDuration::from_hours(6));
    assert_eq!(text(&set, "dream.total_input_bytes").as_deref(), Some("1000000"));
    assert_eq!(set.dream_lock_ttl(), Duration::from_secs(60));
    assert_eq!(set.dream_logs().limits.total_bytes, 1_000_000);
    assert_eq!(set.profile().journal_cadence, Cadence::EveryTurns(7));

    let further = settings(&[
        ("HOME", "/h"),
        ("WORKSPACE_DREAM_WINDOW_DAYS", "7"),
        ("WORKSPACE_DREAM_MAX_FILE_BYTES", "2048"),
        ("INWIT_DREAM_TIMEOUT_MINUTES", "45"),
    ]);
    let logs = further.dream_logs();
    assert_eq!((logs.limits.window_days, logs.limits.file_bytes), (7, 2_048));
    assert_eq!(logs.timeout, Duration::from_secs(45 * 60));

    for (name, _) in names {
        for bad in ["x", "-1"] {
            let mut layers = Layers::default();
            let look = |asked: &str| (asked == name).then(|| bad.to_owned());
            let error = layers.say_environment(&look).expect_err("refused");
            assert_eq!(error.code, Code::SettingBad, "{name}={bad}");
            assert!(error.message.contains(name), "{}", error.message);
        }
    }
}

/// Proves X38.
#[test]
fn approval_for_everything_and_the_names_of_other_systems_are_understood() {
    let settings = settings(&[
        ("HOME", "/h"),
        ("INWIT_WRITE_APPROVAL", "true"),
        ("INWIT_WRITE_POLICY", "topics=human_only"),
        ("WORKSPACE_DAILY_LOG_ENABLED", "0"),
        ("WORKSPACE_DAILY_LOG_INTERVAL", "7"),
        ("WORKSPACE_HEARTBEAT_ENABLED", "0"),
    ]);
    let tighter = settings.tighter();
    assert_eq!(tighter.get(&FileClass::Memory), Some(&WriteMode::Approve));
    assert_eq!(tighter.get(&FileClass::Topics), Some(&WriteMode::HumanOnly));
    assert_eq!(tighter.get(&FileClass::Journals), None);
    let profile = settings.profile();
    assert_eq!((profile.journal, profile.heartbeat), (false, false));
    assert_eq!(profile.journal_cadence, Cadence::EveryTurns(7));
}

#[test]
fn transcripts_are_kept_whole_unless_a_setting_says_otherwise() {
    let plain = settings(&[("HOME", "/h"), ("INWIT_TRANSCRIPTS_EXTRA_PATTERNS", "ticket=T-[0-9]+")]);
    assert!(plain.transcripts_enabled());
    assert!(plain.redaction(None).expect("no rules").is_none(), "patterns alone switch nothing on");
    let told = settings(&[
        ("HOME", "/h"),
        ("INWIT_TRANSCRIPTS_ENABLED", "false"),
        ("INWIT_TRANSCRIPTS_REDACTION", "true"),
        ("INWIT_TRANSCRIPTS_EXTRA_PATTERNS", "ticket=T-[0-9]+"),
    ]);
    assert!(!told.transcripts_enabled());
    let rules = told.redaction(None).expect("rules").expect("switched on");
    assert_eq!(rules.apply("T-7 of /home/ana"), "[REDACTED:ticket] of [REDACTED:home_path]");
}

/// Proves X17.
#[test]
fn tools_md_is_in_the_prompt_where_the_setting_says_so() {
    let order = |flag: &str| settings(&[("HOME", "/h"), ("INWIT_LOAD_TOOLS_MD", flag)]).profile().order;
    assert!(order("true").contains(&BlockKind::Tools));
    assert!(!order("false").contains(&BlockKind::Tools));
}

#[test]
fn days_of_retention_and_hours_between_dreams_are_those_of_the_settings() {
    let unset = settings(&[("HOME", "/h"), ("INWIT_PROFILE", "mindroom")]);
    assert_eq!(unset.profile().journal_retention_days, 30);
    assert_eq!(unset.dream_schedule().every, SignedDuration::from_hours(24));
    let set = settings(&[
        ("HOME", "/h"),
        ("INWIT_PROFILE", "mindroom"),
        ("INWIT_JOURNAL_RETENTION_DAYS", "7"),
        ("INWIT_DREAM_INTERVAL_HOURS", "6"),
    ]);
    assert_eq!(set.profile().journal_retention_days, 7);
    assert_eq!(set.dream_schedule().every, SignedDuration::from_hours(6));
}
