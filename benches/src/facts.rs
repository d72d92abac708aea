//! What facts cost where there are very many: to find, to keep, to show, and to find their edges again.
//!
//! Each figure stands beside what SQLite alone takes for the same rows. They are laid down behind the memory's back,
//! since so many commits would take an hour; edges are then found by the replay that is measured.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use inwit_engine::facts::{FactOutcome, NewFact};
use inwit_engine::{Agent, Behalf, Keeping, Part};
use inwit_gate::Author;
use inwit_model::Scope;
use inwit_model::fact::When;
use inwit_store_sqlite::SqliteMemory;
use inwit_testkit::{Shelf, parts};
use rusqlite::{Connection, params};

use crate::measure::Times;
use crate::notes::{self, Chance};
use crate::{Counted, Outcome, Row};

/// Facts that are laid down.
const FACTS: usize = 100_000;

/// Words of one fact, besides the two that every fact has.
const FACT_WORDS: usize = 10;

/// Questions that are asked.
const QUESTIONS: usize = 300;

/// Facts that are kept one by one.
const WRITES: usize = 200;

/// Rows of the table.
pub fn measure() -> Outcome<Vec<Row>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("memory.db");
    drop(SqliteMemory::open(&path)?);
    lay_down(&path)?;
    let alone = Keeping::alone(Arc::new(SqliteMemory::open(&path)?), Arc::new(Counted(Default::default())));
    let agent = Agent::new(inwit_engine::Parts { keeping: alone, ..parts(Arc::new(Shelf::default())) });
    let mut rows = replays(&agent)?;
    rows.extend(searches(&agent, &path)?);
    rows.extend(writes(&agent, &path)?);
    let prompts = Times::of(200, |_| agent.prompt(&Scope::Main).map(|prompt| prompt.text(Part::Prefix)));
    rows.push((told("the prompt with its block of facts, p50 / p95"), both(&prompts)));
    Ok(rows)
}

fn told(what: &str) -> String {
    format!("{what}, 100,000 facts")
}

fn both(times: &Times) -> String {
    format!("{:.2} / {:.2} ms", times.ms(50), times.ms(95))
}

/// Words by the frequencies of speech behind two that all facts have.
fn statement(chance: &mut Chance, number: usize) -> String {
    let words: Vec<String> = (0..FACT_WORDS).map(|_| notes::word(notes::drawn(chance))).collect();
    format!("Ana keeps {} for room {} on #{}", words.join(" "), number % 500, notes::word(number % 900))
}

fn lay_down(path: &Path) -> Outcome<()> {
    let mut db = Connection::open(path)?;
    let turn = db.transaction()?;
    {
        let mut insert = turn.prepare(
            "INSERT INTO memories (category, content, source, uuid, created_ms, updated_ms, believed_from_ms, changed, said)
             VALUES ('observation', ?1, 'user_manual', ?2, ?3, ?3, ?3, ?3, ?4)",
        )?;
        let mut chance = Chance::new(11);
        for number in 0..FACTS {
            let text = statement(&mut chance, number);
            let uuid = format!("fact-01900000-0000-7000-8000-{number:012}");
            insert.execute(params![text, uuid, number as i64, format!("{number:064}")])?;
        }
    }
    Ok(turn.commit()?)
}

fn replays(agent: &Agent) -> Outcome<Vec<Row>> {
    let start = Instant::now();
    let first = agent.replay_edges(true)?;
    let took = start.elapsed();
    let start = Instant::now();
    let again = agent.replay_edges(true)?;
    let seconds = |took: Duration| took.as_secs_f64();
    Ok(vec![
        (
            told("edges found and written by a replay"),
            format!("{:.1} s, {} rows", seconds(took), crate::grouped(usize::try_from(first.missing)?)),
        ),
        (told("the same once more"), format!("{:.1} s, {} rows", seconds(start.elapsed()), again.missing)),
    ])
}

fn searches(agent: &Agent, path: &Path) -> Outcome<Vec<Row>> {
    let mut chance = Chance::new(3);
    let questions: Vec<String> = (0..QUESTIONS)
        .map(|number| {
            let question = notes::question(&mut chance);
            // Every other question names what all facts name.
            if number % 2 == 0 { format!("what does Ana keep of {question}?") } else { question }
        })
        .collect();
    let ours =
        Times::of(QUESTIONS, |run| agent.search_facts(&Scope::Main, &questions[run], &When::default(), 10));
    let all = Times::of(20, |_| agent.search_facts(&Scope::Main, "Ana", &When::default(), 10));
    let db = Connection::open(path)?;
    let plain = |expression: &str| -> Outcome<usize> {
        let mut query = db.prepare_cached(
            "SELECT rowid FROM memories_fts WHERE memories_fts MATCH ?1 ORDER BY rank LIMIT 10",
        )?;
        Ok(query.query_map([expression], |row| row.get::<_, i64>(0))?.count())
    };
    let any_word = |question: &str| {
        let words = question.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(" OR ")
    };
    let theirs = Times::of(QUESTIONS, |run| plain(&any_word(&questions[run])));
    let plain_all = Times::of(20, |_| plain("Ana"));
    Ok(vec![
        (told("a question to facts, p50 / p95"), both(&ours)),
        (told("the same by plain FTS5, all matches ranked, p50 / p95"), both(&theirs)),
        (told("a word that every fact has, p50 / p95"), both(&all)),
        (told("the same by plain FTS5, p50 / p95"), both(&plain_all)),
    ])
}

/// A fact kept by the verb, and in turns the same bytes in a bare table of the same kind of database.
fn writes(agent: &Agent, path: &Path) -> Outcome<Vec<Row>> {
    let bare_path = path.with_file_name("bare.db");
    let db = Connection::open(&bare_path)?;
    db.execute_batch("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE rows (text TEXT)")?;
    let mut chance = Chance::new(5);
    let [mut bare, mut ours] = [const { Vec::new() }; 2];
    for run in 0..WRITES {
        let text = statement(&mut chance, run + FACTS);
        let start = Instant::now();
        db.execute("INSERT INTO rows VALUES (?1)", [&text])?;
        bare.push(start.elapsed());
        let fact = NewFact { text: &text, ..NewFact::default() };
        let start = Instant::now();
        let kept = agent.fact_add(&fact, &owner())?;
        ours.push(start.elapsed());
        if !matches!(kept, FactOutcome::Written { .. }) {
            return Err(format!("not kept: {kept:?}").into());
        }
    }
    let [bare, ours] = [bare, ours].map(Times::from);
    Ok(vec![
        ("a row committed by bare SQLite, synchronous=FULL, p50 / p95".into(), both(&bare)),
        (told("a fact kept with its edges and its row of the audit, p50 / p95"), both(&ours)),
        ("ratio of the two medians".into(), format!("{:.2}", ours.ms(50) / bare.ms(50))),
    ])
}

fn owner() -> Behalf {
    Behalf::of(Author::owner(&inwit_testkit::owner()))
}
