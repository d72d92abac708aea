//! Every line of a log is read by one pass, or listed with a reason.

use inwit_engine::learning::dream::logs::LogLimits;

use super::*;

fn limited(world: &World, model: &Model, limits: LogLimits) -> DreamReport {
    let open = || Ok(Box::new(model.clone()) as Box<dyn Completer>);
    let ask = LogsAsk { model: &open, limits, ..crate::world::logs_ask() };
    let report = world.agent.learning.dream_logs(&ask).expect("a pass");
    world.clock.pass(SignedDuration::from_mins(1));
    report
}

/// Numbers of the lines `- fact N` in all questions.
fn fed(model: &Model) -> Vec<u32> {
    let asked = model.asked().join("\n");
    let lines = asked.lines().filter_map(|line| line.split_once(": - fact ")?.1.parse().ok());
    let mut all: Vec<u32> = lines.collect();
    all.sort_unstable();
    all
}

/// Proves W39, W57, W66b.
#[test]
fn logs_over_the_budget_are_read_later_as_their_own_run() {
    let shelf = shelf_of(&[]);
    for day in 1..=12_u32 {
        let at = format!("2026-11-{:02}T10:00:00Z", day + 5);
        shelf.write_at(&format!("memory/2026-11-{:02}.md", day + 5), format!("- fact {day}\n"), &at);
    }
    let world = world(profile("minara"), shelf);
    let model = Model::saying(NOTHING);
    let limits = LogLimits { total_bytes: 40, ..LogLimits::default() };
    let first = limited(&world, &model, limits);
    assert_eq!(fed(&model), [9, 10, 11, 12], "a contiguous newest run: {first:?}");
    assert_eq!(outcome_of(&first, "memory/2026-11-06.md"), ["over_budget"]);
    world.shelf.write_at("memory/2026-11-21.md", "- fact 13\n", "2026-11-21T12:00:00Z");
    limited(&world, &model, limits);
    let asked = model.asked();
    assert!(asked[1].contains("fact 13") && !asked[1].contains("fact 8"), "never mixed: {}", asked[1]);
    assert!(asked[2].contains("fact 8") && !asked[2].contains("fact 13"), "{}", asked[2]);
    for _ in 0..4 {
        limited(&world, &model, limits);
    }
    assert_eq!(fed(&model), (1..=13).collect::<Vec<_>>(), "each once");
}

/// The newest lines come first, as for the seed; the head follows in pieces, each behind what is new.
/// Proves W56.
#[test]
fn a_log_longer_than_a_call_is_read_in_pieces_and_each_line_once() {
    let lines = |numbers: std::ops::RangeInclusive<u32>| -> String {
        numbers.map(|number| format!("- fact {number}\n")).collect()
    };
    let world = world(profile("minara"), shelf_of(&[(LOG, &lines(10..=29), "2026-11-20T10:00:00Z")]));
    let model = Model::saying(NOTHING);
    // Five lines of ten bytes.
    let limits = LogLimits { file_bytes: 54, ..LogLimits::default() };
    let first = limited(&world, &model, limits);
    assert_eq!(fed(&model), (25..=29).collect::<Vec<_>>(), "the end");
    assert_eq!(outcome_of(&first, LOG), ["read", "over_budget"], "{first:?}");
    let cut = first.judged.iter().find(|judged| judged.outcome == "over_budget").expect("listed");
    assert_eq!(cut.lines, Some((1, 15)));
    limited(&world, &model, limits);
    assert_eq!(fed(&model), (20..=29).collect::<Vec<_>>());
    // New lines, more than one call takes, and another log.
    world.shelf.write_at(LOG, lines(10..=36), "2026-11-20T12:00:00Z");
    world.shelf.write_at("memory/2026-11-21.md", "- fact 99\n", "2026-11-21T10:00:00Z");
    limited(&world, &model, limits);
    let asked = model.asked();
    assert!(asked[2].contains("fact 36") && asked[2].contains("fact 99") && !asked[2].contains("fact 31"));
    let status = world.agent.learning.dream_status(&Default::default(), &limits).expect("a status");
    assert_eq!(status.waiting, [(LOG.to_owned(), 120)], "all that is unread");
    let mut passes = 3;
    while limited(&world, &model, limits).outcome == "nothing_to_promote" && model.asked().len() > passes {
        passes = model.asked().len();
    }
    let all: Vec<u32> = (10..=36).chain([99]).collect();
    assert_eq!(fed(&model), all, "each once");
    assert_eq!(passes, 6, "two lines, five, and five: {:?}", model.asked());
    assert!(limited(&world, &model, limits).judged.is_empty() && model.asked().len() == passes);
}

/// Proves W56.
#[test]
fn a_line_longer_than_a_call_is_listed_and_the_lines_before_it_are_read() {
    let log = format!("- fact 1\n- {} end\n", "x".repeat(200));
    let world = world(profile("minara"), shelf_of(&[(LOG, &log, "2026-11-20T10:00:00Z")]));
    let model = Model::saying(NOTHING);
    let limits = LogLimits { file_bytes: 50, ..LogLimits::default() };
    let first = limited(&world, &model, limits);
    assert_eq!(outcome_of(&first, LOG), ["read", "over_budget", "truncated_head"]);
    let lines =
        |outcome| first.judged.iter().find(|judged| judged.outcome == outcome).and_then(|one| one.lines);
    assert_eq!((lines("over_budget"), lines("truncated_head")), (Some((1, 1)), Some((2, 2))));
    assert!(model.asked()[0].contains("xxx end"));
    let second = limited(&world, &model, limits);
    assert_eq!((fed(&model), outcome_of(&second, LOG)), (vec![1], vec!["read"]));
    limited(&world, &model, limits);
    assert_eq!(model.asked().len(), 2);
}

/// A fact in the head is promoted with the line that it stands in.
#[test]
fn a_fact_in_the_head_of_a_long_log_is_promoted_by_a_later_pass() {
    let log = format!("- Vera prefers rye bread.\n{}", "- The bus was late again.\n".repeat(9));
    let world = world(profile("minara"), shelf_of(&[(LOG, &log, "2026-11-20T10:00:00Z")]));
    let model = Model::answering(|asked| {
        let is_there = asked.contains("L1: - Vera");
        Ok(if is_there { format!("- Vera prefers rye bread. [{LOG}#L1]") } else { NOTHING.into() })
    });
    let limits = LogLimits { file_bytes: 100, ..LogLimits::default() };
    for _ in 0..5 {
        limited(&world, &model, limits);
    }
    let section = added(&world);
    assert!(section.contains(&format!("- Vera prefers rye bread. <!-- source: {LOG}#L1 -->")), "{section}");
    assert_eq!(section.matches("Vera").count(), 1);
}

#[test]
fn lines_that_arrive_during_the_call_and_reset_times_are_read_once() {
    let shelf = shelf_of(&[(LOG, "- fact 1\n", "2026-11-20T10:00:00Z")]);
    let world = world(profile("minara"), shelf);
    let shelf = Arc::clone(&world.shelf);
    let model = Model::answering(move |asked| {
        if !asked.contains("fact 2") {
            shelf.write_at(LOG, "- fact 1\n- fact 2\n", "2026-11-20T10:00:01Z");
        }
        Ok(NOTHING.into())
    });
    dream_logs(&world, &model);
    // A checkout sets every time to its own.
    world.shelf.write_at(LOG, "- fact 1\n- fact 2\n", "1970-01-01T00:00:00Z");
    dream_logs(&world, &model);
    world.shelf.write_at(LOG, "- fact 1\n- fact 2\n", "2026-11-21T00:00:00Z");
    dream_logs(&world, &model);
    // Renamed logs and copies are the same lines.
    world.shelf.remove(LOG);
    world
        .shelf
        .write_at("memory/2026-11-20-chat.md", "- fact 1\n- fact 2\n- fact 3\n", "2026-11-21T01:00:00Z");
    dream_logs(&world, &model);
    world.shelf.write_at("memory/2026-11-19.md", "- fact 1\n- fact 2\n- fact 3\n", "2026-11-21T02:00:00Z");
    dream_logs(&world, &model);
    assert_eq!(fed(&model), [1, 2, 3]);
}

/// Proves W38.
#[test]
fn a_watermark_of_another_program_counts_and_is_never_lowered() {
    let shelf = shelf_of(&[
        ("memory/2026-11-18.md", "- fact 1\n", "2026-11-18T10:00:00Z"),
        ("memory/2026-11-19.md", "- fact 2\n", "2026-11-19T10:00:00Z"),
    ]);
    let mark = 1_794_996_000_000_i64;
    let world = world(profile("minara"), shelf);
    let state = format!("{{\"last_processed_mtime\": {mark}}}");
    world.shelf.write_state(StateFile::Dreamed, Some(state.as_bytes())).expect("written");
    let model = Model::saying(NOTHING);
    let report = dream_logs(&world, &model);
    assert_eq!(fed(&model), [2]);
    assert_eq!(outcome_of(&report, "memory/2026-11-18.md"), ["read_elsewhere"]);
    let after = state_of(&world)["last_processed_mtime"].as_f64().expect("a mark");
    assert_eq!(after, 1_795_082_400_000.0);
    // A log with an old time arrives: it is new to the ledger.
    world.shelf.write_at("memory/2026-11-17.md", "- fact 3\n", "2026-11-17T10:00:00Z");
    dream_logs(&world, &model);
    assert_eq!((fed(&model), state_of(&world)["last_processed_mtime"].as_f64()), (vec![2, 3], Some(after)));
}

#[test]
fn a_line_that_was_read_before_its_end_is_read_again_as_a_whole() {
    let world = world(profile("minara"), shelf_of(&[(LOG, "- fact 1\n- Vera pref", "2026-11-20T10:00:00Z")]));
    let model = Model::saying(NOTHING);
    dream_logs(&world, &model);
    world.shelf.write_at(LOG, "- fact 1\n- Vera prefers rye\n", "2026-11-20T11:00:00Z");
    dream_logs(&world, &model);
    assert_eq!(fed(&model), [1]);
    assert!(model.asked()[1].contains("L2: - Vera prefers rye\n"), "{}", model.asked()[1]);
}

/// Another program advances the watermark over logs that inwit left for later.
#[test]
fn logs_that_were_left_out_are_read_in_spite_of_a_later_watermark_of_another_program() {
    let shelf = shelf_of(&[
        ("memory/2026-11-18.md", "- fact 1\n", "2026-11-18T10:00:00Z"),
        ("memory/2026-11-19.md", "- fact 2\n", "2026-11-19T10:00:00Z"),
    ]);
    let world = world(profile("minara"), shelf);
    let model = Model::saying(NOTHING);
    let report = limited(&world, &model, LogLimits { total_bytes: 10, ..LogLimits::default() });
    assert_eq!((fed(&model), outcome_of(&report, "memory/2026-11-18.md")), (vec![2], vec!["over_budget"]));
    // They stay listed when a pass fails before it reaches them.
    world.shelf.write_at("memory/2026-11-20.md", "- fact 3\n", "2026-11-20T10:00:00Z");
    let failed = dream_logs(&world, &Model::failing(inwit_model::Code::ModelUnanswered));
    assert_eq!(
        (failed.outcome, outcome_of(&failed, "memory/2026-11-18.md")),
        ("llm_error", vec!["over_budget"])
    );
    let state = b"{\"last_processed_mtime\": 1795600000000}";
    world.shelf.write_state(StateFile::Dreamed, Some(state)).expect("written");
    let report = dream_logs(&world, &model);
    assert_eq!(fed(&model), [1, 2]);
    let elsewhere = outcome_of(&report, "memory/2026-11-20.md");
    assert_eq!(elsewhere, ["read_elsewhere"], "it was above our watermark, so the other program has read it");
}

/// Proves W39.
/// Proves W49.
#[test]
fn a_watermark_that_a_person_set_back_opens_newer_logs_once_more() {
    let world = world(
        profile("minara"),
        shelf_of(&[
            ("memory/2026-11-19.md", "- fact 1\n", "2026-11-19T10:00:00Z"),
            ("memory/2026-11-20.md", "- fact 2\n", "2026-11-20T10:00:00Z"),
        ]),
    );
    let model = Model::saying(NOTHING);
    dream_logs(&world, &model);
    let mut state = state_of(&world);
    let noon: jiff::Timestamp = "2026-11-19T12:00:00Z".parse().expect("a time");
    state["last_processed_mtime"] = noon.as_millisecond().into();
    world.shelf.write_state(StateFile::Dreamed, Some(state.to_string().as_bytes())).expect("written");
    for _ in 0..2 {
        dream_logs(&world, &model);
    }
    assert_eq!(fed(&model), [1, 2, 2]);
}

#[test]
fn logs_outside_of_the_window_are_listed_and_not_read() {
    let shelf = shelf_of(&[("memory/2026-10-01.md", "- fact 1\n", "2026-11-20T10:00:00Z")]);
    let world = world(profile("minara"), shelf);
    let model = Model::saying(NOTHING);
    let report = dream_logs(&world, &model);
    assert_eq!(
        (model.asked().len(), outcome_of(&report, "memory/2026-10-01.md")),
        (0, vec!["outside_window"])
    );
    let wide = LogLimits { window_days: 60, ..LogLimits::default() };
    limited(&world, &model, wide);
    assert_eq!(fed(&model), [1]);
}
