//! What outcomes teach, beside the facts in one file: which tables there are, whose rows they are, and how they go.

use inwit_gate::{
    Approved, Author, HumanConsent, LearningChange, LearningDeed, MethodStep, Policy, judge_learning,
};
use inwit_model::learning::{
    DecisionText, Dimension, MethodClass, MethodKind, MethodState, MethodText, OutcomeText, PreferenceText,
    ROLE_DEFAULT, Role,
};
use inwit_model::{Code, DecisionId, MethodId, PreferenceId, SessionId};
use inwit_store::memory::contract::{OF_LEARNING, at};
use inwit_store::memory::{
    Audit as _, DecisionFilter, Erasure as _, Learning as _, LearningRules, LearningWritten, MethodFilter,
    RowFate,
};
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};

use super::erasing::{stands, without};
use super::knowing::add;
use super::*;

/// Rules that let everything be.
const STILL: LearningRules = LearningRules {
    method: |state, _| state,
    may_graduate: |_| true,
    parts: |methods, _| vec![0.0; methods.len()],
    preference: |state, _, _| state,
};

#[expect(clippy::disallowed_methods, reason = "a test says who is there")]
fn wanted(deed: LearningDeed) -> Approved<LearningChange> {
    let author = Author::owner(&HumanConsent::at_own_terminal());
    judge_learning(&Policy::closed(), LearningChange { deed, author, allow_secret: false }).unwrap()
}

fn write(memory: &SqliteMemory, deed: LearningDeed) {
    memory.write_learning(&wanted(deed), &STILL, at(5)).unwrap();
}

fn method(number: u8) -> MethodId {
    MethodId::new(at(0), [number; 10])
}

fn decision() -> DecisionId {
    DecisionId::new(at(0), [1; 10])
}

/// Two methods, a decision that rests on both with its outcome, and a preference; each with `word` in its words but the
/// second method.
fn learn(memory: &SqliteMemory, word: &str) {
    for (number, body) in [(1, format!("wait for {word}")), (2, "buy a dip".to_owned())] {
        let text = MethodText {
            class: MethodClass::parse("crypto").expect("a class"),
            kind: MethodKind::Rule,
            body,
        };
        write(memory, LearningDeed::AddMethod(method(number), text));
    }
    let said = DecisionText {
        statement: format!("bought {word}"),
        role: ROLE_DEFAULT.into(),
        asset: None,
        methods: vec![(method(1), 1.0), (method(2), 1.0)],
    };
    write(memory, LearningDeed::Decide(decision(), said));
    let lesson = Some(format!("{word} falls on Mondays"));
    let outcome = OutcomeText { key: "fill-1".into(), is_correct: true, pnl: None, class: None, lesson };
    write(memory, LearningDeed::Close(decision(), outcome));
    let text = PreferenceText { dimension: Dimension::Topics, statement: format!("asks about {word}") };
    write(memory, LearningDeed::See(PreferenceId::new(at(0), [1; 10]), text, None));
}

fn count(memory: &SqliteMemory, from: &str) -> i64 {
    memory.hold().db.query_row(&format!("SELECT count(*) FROM {from}"), [], |row| row.get(0)).unwrap()
}

/// One file with a write-ahead log holds facts, what outcomes teach, and the record of what was done to the workspace.
/// Proves M1, M5.
#[test]
fn one_file_holds_facts_learning_and_the_record_of_the_workspace() {
    let folder = tempfile::tempdir().unwrap();
    let memory = SqliteMemory::open(&folder.path().join("memory.db")).unwrap();
    add(&memory, 1, "prefers weekly charts", 0);
    learn(&memory, "volume");
    done(&memory, 1);
    let files: Vec<_> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !["-wal", "-shm", "-head"].iter().any(|end| name.ends_with(end)))
        .collect();
    assert_eq!(files, ["memory.db"]);
    let one = |sql: &str| -> String { memory.hold().db.query_row(sql, [], |row| row.get(0)).unwrap() };
    assert_eq!(one("SELECT journal_mode FROM pragma_journal_mode"), "wal");
    let tables =
        "sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT LIKE '%_fts_%'
                  AND name NOT LIKE 'sqlite_%'";
    assert!(count(&memory, tables) >= 20, "{}", count(&memory, tables));
    // Methodologies, preferences, roles, cases, decisions: each with what was told of it.
    for (table, rows) in [
        ("methodologies", 2),
        ("learned_preferences", 1),
        ("roles", 1),
        ("role_memory", 1),
        ("decisions", 1),
        ("decision_methodologies", 2),
        ("outcomes", 1),
        ("memories", 1),
        ("ops", 1),
    ] {
        assert_eq!(count(&memory, table), rows, "{table}");
    }
    let case = "SELECT state || ': ' || reflection FROM role_memory";
    assert_eq!(one(case), "reflected: volume falls on Mondays");
    let method = "SELECT times_correct || ' of ' || times_used || ', ' || round(confidence, 4) FROM methodologies LIMIT 1";
    assert_eq!(one(method), "1 of 1, 0.2065");
}

/// Allows what the repair of missing lessons writes: the case, the audit log, and nothing else.
fn only_cases(context: AuthContext<'_>) -> Authorization {
    match context.action {
        AuthAction::Update { table_name: "role_memory" | "audit_head" | "sqlite_sequence", .. }
        | AuthAction::Insert { table_name: "audit" | "sqlite_sequence" }
        | AuthAction::Read { .. }
        | AuthAction::Select
        | AuthAction::Transaction { .. }
        | AuthAction::Function { .. } => Authorization::Allow,
        _ => Authorization::Deny,
    }
}

/// Proves M68.
#[test]
fn a_missing_lesson_is_added_once_and_sqlite_itself_lets_the_repair_do_nothing_else() {
    let memory = SqliteMemory::in_memory().unwrap();
    learn(&memory, "volume");
    let other = DecisionId::new(at(0), [2; 10]);
    let said = DecisionText {
        statement: "sold".into(),
        role: ROLE_DEFAULT.into(),
        asset: None,
        methods: vec![(method(1), 1.0)],
    };
    write(&memory, LearningDeed::Decide(other.clone(), said));
    let outcome =
        OutcomeText { key: "fill-2".into(), is_correct: true, pnl: None, class: None, lesson: None };
    write(&memory, LearningDeed::Close(other.clone(), outcome));
    let missing = |until: i64| -> Vec<DecisionId> {
        memory.unreflected(at(until), 9).unwrap().into_iter().map(|one| one.id).collect()
    };
    assert_eq!((missing(4), missing(5)), (Vec::new(), vec![other.clone()]));
    memory.hold().db.authorizer(Some(only_cases)).unwrap();
    for forbidden in [
        "DELETE FROM role_memory",
        "UPDATE methodologies SET quarantine = 0",
        "UPDATE learned_preferences SET state = 'active'",
        "UPDATE audit SET verb = 'x'",
        "DELETE FROM decisions",
    ] {
        assert!(memory.hold().db.execute_batch(forbidden).is_err(), "{forbidden}");
    }
    for (id, is_new) in [(&other, true), (&other, false), (&decision(), false)] {
        let deed = LearningDeed::Reflect(id.clone(), "Wait a day.".into());
        let written = memory.write_learning(&wanted(deed), &STILL, at(9)).unwrap();
        assert!(matches!(written, LearningWritten::Decision(_, new) if new == is_new), "{id}");
    }
    assert!(missing(99).is_empty());
    let kept = memory.decision(&decision()).unwrap().unwrap().outcome.unwrap().0.lesson;
    assert_eq!(kept.as_deref(), Some("volume falls on Mondays"), "a lesson is never rewritten");
}

/// Refuses every write to a table of facts.
fn no_facts(context: AuthContext<'_>) -> Authorization {
    let table = match context.action {
        AuthAction::Insert { table_name } | AuthAction::Delete { table_name } => table_name,
        AuthAction::Update { table_name, .. } => table_name,
        _ => return Authorization::Allow,
    };
    let is_of_facts = table.starts_with("memor") && table != "memory_edges" || table == "user_profile";
    if is_of_facts { Authorization::Deny } else { Authorization::Allow }
}

/// Refuses every write to a table of learning.
fn no_learning(context: AuthContext<'_>) -> Authorization {
    let of_learning = [
        "methodologies", "roles", "decisions", "decision_methodologies", "outcomes", "role_memory",
        "learned_preferences", "preference_sessions",
    ];
    match context.action {
        AuthAction::Insert { table_name }
        | AuthAction::Delete { table_name }
        | AuthAction::Update { table_name, .. }
            if of_learning.contains(&table_name) =>
        {
            Authorization::Deny
        }
        _ => Authorization::Allow,
    }
}

/// SQLite itself refuses the one side the other's tables, and each keeps every promise it makes.
/// Proves M11.
#[test]
fn neither_side_writes_a_table_of_the_other() {
    let memory = SqliteMemory::in_memory().unwrap();
    memory.hold().db.authorizer(Some(no_facts)).unwrap();
    assert!(memory.hold().db.execute_batch("DELETE FROM memories").is_err());
    learn(&memory, "volume");
    for step in [MethodStep::Graduate, MethodStep::Quarantine, MethodStep::Archive, MethodStep::Restore] {
        write(&memory, LearningDeed::StepMethod(method(1), step));
    }
    let others = chapters().into_iter().filter(|(claim, _)| OF_LEARNING.iter().all(|(of, _)| of != claim));
    for (claim, chapter) in others {
        println_claim(claim);
        let memory = SqliteMemory::in_memory().unwrap();
        memory.hold().db.authorizer(Some(no_learning)).unwrap();
        assert!(memory.hold().db.execute_batch("UPDATE methodologies SET confidence = 1").is_err());
        chapter(&memory);
    }
}

/// What another hand wrote takes no other row away, and is told by its name; without its role a decision is there still.
#[test]
fn a_row_that_cannot_be_read_takes_nothing_else_away() {
    let script = |column: &str, value: &str, table: &str| {
        format!("PRAGMA foreign_keys=OFF; UPDATE {table} SET {column} = {value} WHERE rowid = 1")
    };
    for (table, column, value, told) in [
        ("methodologies", "kind", "'zzz'", "method 1"),
        ("methodologies", "uuid", "'meth-1'", "method 1"),
        ("methodologies", "created_ms", "9223372036854775807", "method 1"),
        ("methodologies", "body", "CAST(x'ff' AS TEXT)", "method 1"),
        ("decisions", "uuid", "'x'", "decision 1"),
        ("outcomes", "outcome_class", "'x'", "decision 1"),
        ("roles", "horizon_hours", "-1", "role main"),
        ("learned_preferences", "dimension", "'x'", "preference 1"),
    ] {
        let memory = SqliteMemory::in_memory().unwrap();
        learn(&memory, "volume");
        let lists = |memory: &SqliteMemory| {
            let methods = memory.methods(MethodFilter::All).unwrap().len();
            let decisions = memory.decisions(DecisionFilter::All, 9).unwrap().len();
            [methods, decisions, memory.roles().unwrap().len(), memory.preferences(None).unwrap().len()]
        };
        assert_eq!((lists(&memory), memory.learning_unread()), ([2, 1, 1, 1], Ok(vec![])));
        sql(&memory, &script(column, value, table));
        assert_eq!(memory.learning_unread().unwrap(), [told], "{table}.{column}");
        assert_eq!(lists(&memory).iter().sum::<usize>(), 4, "{table}.{column}: the others are there");
        memory.learning_counts(&STILL, at(9)).unwrap();
    }
    let memory = SqliteMemory::in_memory().unwrap();
    learn(&memory, "volume");
    sql(&memory, "PRAGMA foreign_keys=OFF; DELETE FROM roles");
    assert_eq!(memory.decisions(DecisionFilter::All, 9).unwrap().len(), 1);
}

/// Words that are forgotten for good go out of each of these tables, and what does not say them stays.
#[test]
fn what_was_learnt_goes_with_forgotten_words() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let memory = SqliteMemory::open(&path).unwrap();
    learn(&memory, "zorblax");
    assert!(stands(&path));
    let told = memory.standing(&without, &mut |_, _| {}).unwrap();
    let gone: Vec<&str> = told
        .iter()
        .filter(|one| (one.rows, one.fate) == (1, RowFate::Goes))
        .map(|one| one.table.as_str())
        .collect();
    assert_eq!(gone, ["decisions", "learned_preferences", "methodologies", "role_memory"]);
    memory.erase(&without, &without, at(9)).unwrap();
    assert!(!stands(&path));
    assert_eq!(memory.standing(&without, &mut |_, _| {}).unwrap(), []);
    let left = memory.methods(MethodFilter::All).unwrap();
    assert_eq!(left.iter().map(|method| method.text.body.as_str()).collect::<Vec<_>>(), ["buy a dip"]);
    assert_eq!((left[0].record.uses, left[0].record.correct), (1, 1), "its record stays");
    assert_eq!(memory.decisions(DecisionFilter::All, 9).unwrap(), []);
    for table in ["decision_methodologies", "outcomes", "role_memory", "preference_sessions"] {
        assert_eq!(count(&memory, table), 0, "{table}");
    }
    assert!(matches!(memory.audit_verify(), Ok(AuditState::Whole(_))));
}

/// A role goes with the decisions in it, an outcome that is called by the words is called as its decision, and a session
/// is kept by no name; a role that nobody named stays.
#[test]
fn names_that_hold_forgotten_words_go_and_no_outcome_is_counted_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let memory = SqliteMemory::open(&path).unwrap();
    learn(&memory, "volume");
    let role = |name: &str| Role { name: name.into(), horizon_hours: 3, overdue_hours: 3 };
    write(&memory, LearningDeed::SetRole(role("zorblax")));
    let said = |role: &str, statement: &str| DecisionText {
        statement: statement.into(),
        role: role.into(),
        asset: None,
        methods: vec![(method(2), 1.0)],
    };
    let id = |number: u8| DecisionId::new(at(0), [number; 10]);
    write(&memory, LearningDeed::Decide(id(2), said("zorblax", "sold")));
    for (number, key) in [(3, "zorblax"), (4, "ZORBLAX")] {
        write(&memory, LearningDeed::Decide(id(number), said(ROLE_DEFAULT, "bought")));
        let outcome = OutcomeText { key: key.into(), is_correct: true, pnl: None, class: None, lesson: None };
        write(&memory, LearningDeed::Close(id(number), outcome));
    }
    let text = PreferenceText { dimension: Dimension::Style, statement: "short".into() };
    let session = SessionId::parse("zorblax").ok();
    write(&memory, LearningDeed::See(PreferenceId::new(at(0), [2; 10]), text, session));
    assert!(stands(&path));
    let fold = |bytes: &[u8]| without(&bytes.to_ascii_lowercase());
    memory.erase(&fold, &fold, at(9)).unwrap();
    assert!(!stands(&path));
    assert_eq!(memory.standing(&fold, &mut |_, _| {}).unwrap(), []);
    assert_eq!(
        memory.roles().unwrap().iter().map(|role| role.name.as_str()).collect::<Vec<_>>(),
        [ROLE_DEFAULT]
    );
    let left = memory.decisions(DecisionFilter::All, 9).unwrap();
    let keys: Vec<_> =
        left.iter().map(|one| one.outcome.as_ref().map(|(outcome, _)| outcome.key.clone())).collect();
    let named = |number: u8| Some(id(number).to_string());
    assert_eq!(keys, [named(4), named(3), Some("fill-1".to_owned())], "each has its outcome still");
    assert_eq!(count(&memory, "preference_sessions"), 1, "the count stays");
}

/// What was told may be told again, also once its lesson is forgotten; another lesson is refused and never dropped in
/// silence.
#[test]
fn an_outcome_is_told_again_without_a_forgotten_lesson_and_with_no_other() {
    let memory = SqliteMemory::in_memory().unwrap();
    learn(&memory, "volume");
    let id = DecisionId::new(at(0), [5; 10]);
    let said = DecisionText {
        statement: "sold".into(),
        role: ROLE_DEFAULT.into(),
        asset: None,
        methods: Vec::new(),
    };
    write(&memory, LearningDeed::Decide(id.clone(), said));
    let tell = |of: &DecisionId, key: &str, lesson: Option<&str>| {
        let lesson = lesson.map(str::to_owned);
        let outcome = OutcomeText { key: key.into(), is_correct: true, pnl: None, class: None, lesson };
        let told = memory.write_learning(&wanted(LearningDeed::Close(of.clone(), outcome)), &STILL, at(9));
        told.map(|told| matches!(told, LearningWritten::Decision(_, true))).map_err(|error| error.code)
    };
    assert_eq!(tell(&id, "fill-5", None), Ok(true));
    assert_eq!(tell(&id, "fill-5", None), Ok(false));
    assert_eq!(tell(&id, "fill-5", Some("sell on Mondays")), Err(Code::OutcomeKnown));
    let lesson = Some("volume falls on Mondays");
    assert_eq!(tell(&decision(), "fill-1", lesson), Ok(false));
    assert_eq!(tell(&decision(), "fill-1", None), Err(Code::OutcomeKnown));
    let fallen = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        text.contains("falls").then(|| text.replace("falls", "[forgotten]").into_bytes())
    };
    memory.erase(&fallen, &fallen, at(9)).unwrap();
    assert_eq!([tell(&decision(), "fill-1", lesson), tell(&decision(), "fill-1", None)], [Ok(false); 2]);
    assert_eq!(tell(&decision(), "fill-2", lesson), Err(Code::OutcomeKnown), "by another name it is another");
}

/// What another hand made of a method goes when its words are said again; a decision that rests on one that cannot be
/// read is closed, and counts.
#[test]
fn a_method_that_another_hand_changed_can_be_said_again_and_counts_meanwhile() {
    let memory = SqliteMemory::in_memory().unwrap();
    learn(&memory, "volume");
    sql(&memory, "UPDATE methodologies SET body = 'sell all', quarantine = 0 WHERE id = 2");
    let text = |body: &str| MethodText {
        class: MethodClass::parse("crypto").expect("a class"),
        kind: MethodKind::Rule,
        body: body.into(),
    };
    write(&memory, LearningDeed::AddMethod(method(9), text("buy a dip")));
    let again = memory.methods(MethodFilter::All).unwrap().into_iter().find(|one| one.number == 2).unwrap();
    assert_eq!((again.text.body.as_str(), again.state), ("buy a dip", MethodState::Quarantined));
    assert!(again.is_as_written && again.record.uses == 1);

    let both = DecisionText {
        statement: "sold".into(),
        role: ROLE_DEFAULT.into(),
        asset: None,
        methods: vec![(method(1), 1.0), (method(2), 1.0)],
    };
    let id = DecisionId::new(at(0), [7; 10]);
    write(&memory, LearningDeed::Decide(id.clone(), both));
    sql(&memory, "UPDATE methodologies SET kind = 'zzz' WHERE id = 1");
    let outcome =
        OutcomeText { key: "fill-7".into(), is_correct: true, pnl: None, class: None, lesson: None };
    write(&memory, LearningDeed::Close(id, outcome));
    let uses = |number: i64| count(&memory, &format!("methodologies WHERE times_used = 2 AND id = {number}"));
    assert_eq!([1, 2].map(uses), [1, 1]);
}

/// Rows of another agent are in no answer; words that another hand wrote are told as such; an edge goes with its case.
/// Proves X52.
#[test]
fn rows_are_their_owners_and_as_they_were_written() {
    let memory = SqliteMemory::in_memory().unwrap();
    learn(&memory, "volume");
    sql(&memory, "UPDATE methodologies SET body = 'buy everything', quarantine = 0 WHERE id = 2");
    let methods = memory.methods(MethodFilter::All).unwrap();
    let told: Vec<_> = methods.iter().map(|method| (method.state, method.is_as_written)).collect();
    assert_eq!(told, [(MethodState::Quarantined, true), (MethodState::Graduated, false)]);
    sql(
        &memory,
        "INSERT INTO memory_edges (src_table, src_id, dst_entity_kind, dst_entity_key, edge_type, weight)
         VALUES ('role_memory', 1, 'ticker', 'BTC', 'mentions', 1.0);
         DELETE FROM role_memory",
    );
    assert_eq!(count(&memory, "memory_edges"), 0);
    for table in ["methodologies", "decisions", "learned_preferences"] {
        sql(&memory, &format!("UPDATE {table} SET scope_id = 'agent_other'"));
    }
    assert_eq!(memory.methods(MethodFilter::All).unwrap(), []);
    assert_eq!(memory.decisions(DecisionFilter::All, 9).unwrap(), []);
    assert_eq!(memory.preferences(None).unwrap(), []);
    assert_eq!(memory.learning_counts(&STILL, at(0)).unwrap(), Default::default());
}
