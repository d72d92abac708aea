//! What facts cost where there are very many: to find, to keep, to show, and to find their edges again.
//!
//! Each figure stands beside what SQLite alone takes for the same rows. They are laid down behind the memory's back,
//! since so many commits would take an hour; edges are then found by the replay that is measured.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use inwit_engine::facts::{FactOutcome, NewFact};
use inwit_engine::{Agent, AgentDeps, Part, WriteContext};
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
    let agent = laid_down(&path)?;
    let mut rows = replays(&agent)?;
    rows.extend(searches(&agent, &path)?);
    rows.extend(hard(&agent));
    rows.extend(named(&agent, &path)?);
    rows.extend(writes(&agent, &path, WRITES)?);
    let prompts =
        Times::of(200, |_| agent.sessions.prompt(&Scope::Main).map(|prompt| prompt.text(Part::Prefix)));
    rows.push((told("the prompt with its block of facts, p50 / p95"), both(&prompts)));
    Ok(rows)
}

/// Those of keeping a fact alone, of so many facts.
pub fn keeping(count: usize) -> Outcome<Vec<Row>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("memory.db");
    let agent = laid_down(&path)?;
    agent.facts.replay_edges(true)?;
    writes(&agent, &path, count)
}

/// An agent that knows 100,000 facts, without their edges.
fn laid_down(path: &Path) -> Outcome<Agent> {
    drop(SqliteMemory::open(path)?);
    lay_down(path)?;
    let alone = AgentDeps::alone(Arc::new(SqliteMemory::open(path)?), Arc::new(Counted(Default::default())));
    Ok(Agent::new(inwit_engine::AgentPorts { keeping: alone, ..parts(Arc::new(Shelf::default())) }))
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
    let first = agent.facts.replay_edges(true)?;
    let took = start.elapsed();
    let start = Instant::now();
    let again = agent.facts.replay_edges(true)?;
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
    let ours = Times::of(QUESTIONS, |run| {
        agent.facts.search_facts(&Scope::Main, &questions[run], &When::default(), 10)
    });
    let all = Times::of(20, |_| agent.facts.search_facts(&Scope::Main, "Ana", &When::default(), 10));
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

/// Questions that ask much: of no fact, of all, long ones, those of many brackets.
fn hard(agent: &Agent) -> Vec<Row> {
    let common: Vec<String> = (0..4).map(notes::word).collect();
    let [one, two, three, four] = [0, 1, 2, 3].map(|at: usize| common[at].as_str());
    let long: String = (0..20_000).map(|at| notes::word(at % 9_000) + " ").take(20_000).collect();
    let long = &long[..long.len().min(100 << 10)];
    let asked: Vec<(&str, String)> = vec![
        ("without an answer: letters of no fact", "qqxzw".into()),
        ("without an answer: letters in several words", "zz qqx ww".into()),
        ("without an answer: in a script without blanks", "面包".into()),
        ("without an answer: signs alone", "?!".into()),
        ("letters within words", notes::word(4_321)[1..].to_owned()),
        ("four of the commonest words", format!("{one} {two}, {three} {four}?")),
        ("one of the commonest words", one.to_owned()),
        ("100 KB", long.to_owned()),
        ("4 KB of words in OR", (0..400).map(notes::word).collect::<Vec<_>>().join(" OR ")),
        ("5,000 brackets", format!("{}{one}{}", "(".repeat(5_000), ")".repeat(5_000))),
        ("200 brackets", format!("{}{one}{}", "(".repeat(200), ")".repeat(200))),
        ("a*", "a*".into()),
        ("b* and k*", "b* k*".into()),
        ("a phrase of common words", format!("\"Ana keeps {one}\"")),
        ("a phrase that every fact has", "\"Ana keeps\"".into()),
        ("a phrase of common words that none has", "\"keeps Ana\"".into()),
        ("NEAR", format!("NEAR({one} {two}, 5)")),
        ("NEAR of what every fact has", "NEAR(Ana room, 20)".into()),
        ("NOT with common words", format!("Ana NOT {one}")),
        ("NOT with a word that every fact has", format!("{one} NOT Ana")),
        ("three common words in AND", format!("Ana AND {one} AND {two}")),
        ("a category alone", "category:observation".into()),
        ("a category that none has", "category:lesson".into()),
    ];
    let mut rows = Vec::new();
    for (what, question) in asked {
        let times =
            Times::of(40, |_| agent.facts.search_facts(&Scope::Main, &question, &When::default(), 10));
        rows.push((told(&format!("a question, p50 / p95: {what}")), both(&times)));
    }
    rows
}

/// What most facts name, and the same by a join of SQLite alone.
fn named(agent: &Agent, path: &Path) -> Outcome<Vec<Row>> {
    let db = Connection::open(path)?;
    let ours = Times::of(10, |_| agent.facts.top_entities(&Scope::Main, 20));
    let edges = Times::of(10, |_| agent.facts.edge_count(&Scope::Main));
    let theirs = Times::of(5, |_| -> Outcome<usize> {
        let mut query = db.prepare_cached(
            "SELECT e.dst_entity_kind, e.dst_entity_key, count(DISTINCT e.src_id) AS facts
             FROM memory_edges e JOIN memories m ON m.id = e.src_id
             WHERE e.src_table = 'memories' AND e.scope_id = 'agent_main' AND m.scope_id = 'agent_main'
               AND m.deleted_ms IS NULL AND m.deleted_at IS NULL AND m.status <> 'retired'
               AND e.dst_entity_kind <> 'pair'
             GROUP BY 1, 2 ORDER BY facts DESC, 1, 2 LIMIT 20",
        )?;
        Ok(query.query_map([], |_| Ok(()))?.count())
    });
    Ok(vec![
        (told("the twenty things that most facts name, p50 / p95"), both(&ours)),
        (told("the same by a join of SQLite, p50 / p95"), both(&theirs)),
        (told("all edges counted, p50 / p95"), both(&edges)),
    ])
}

/// A fact kept by the verb, and in turns the same bytes in a bare table of the same kind of database, and the same
/// rows laid down by SQLite alone in the tables that other tools expect.
fn writes(agent: &Agent, path: &Path, count: usize) -> Outcome<Vec<Row>> {
    let db = Connection::open(path.with_file_name("bare.db"))?;
    db.execute_batch("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE rows (text TEXT)")?;
    let mut plain = Plain::new(&path.with_file_name("plain.db"))?;
    let mut chance = Chance::new(5);
    let [mut bare, mut same, mut ours] = [const { Vec::new() }; 3];
    // The first one numbers the words of all that were laid down.
    agent.facts.fact_add(&NewFact { text: "Ana keeps a key", ..NewFact::default() }, &owner())?;
    for run in 0..count {
        let text = statement(&mut chance, run + FACTS);
        let start = Instant::now();
        db.execute("INSERT INTO rows VALUES (?1)", [&text])?;
        bare.push(start.elapsed());
        let start = Instant::now();
        plain.keep(&text)?;
        same.push(start.elapsed());
        let fact = NewFact { text: &text, ..NewFact::default() };
        let start = Instant::now();
        let kept = agent.facts.fact_add(&fact, &owner())?;
        ours.push(start.elapsed());
        if !matches!(kept, FactOutcome::Written { .. }) {
            return Err(format!("not kept: {kept:?}").into());
        }
    }
    let [bare, same, ours] = [bare, same, ours].map(Times::from);
    Ok(vec![
        ("a row committed by bare SQLite, synchronous=FULL, p50 / p95".into(), both(&bare)),
        (told("a fact, its full text, two edges and a row of the audit by SQLite alone"), both(&same)),
        (told("a fact kept with its edges and its row of the audit, p50 / p95"), both(&ours)),
        ("ratio of the medians: to the bare row; to the same rows".into(), {
            let [bare, same] = [&bare, &same].map(|other| ours.ms(50) / other.ms(50));
            format!("{bare:.2}; {same:.2}")
        }),
    ])
}

/// The tables that other tools expect of a memory, filled by SQLite alone: what no judgement at all would cost.
struct Plain(Connection);

impl Plain {
    fn new(path: &Path) -> Outcome<Self> {
        let mut db = Connection::open(path)?;
        db.execute_batch(
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=256; PRAGMA cache_size=-8000;
             CREATE TABLE memories (
                 id INTEGER PRIMARY KEY AUTOINCREMENT, category TEXT, content TEXT, metadata TEXT, source TEXT,
                 deleted_at TEXT, created_at TEXT DEFAULT (datetime('now')), updated_at TEXT DEFAULT (datetime('now')));
             CREATE INDEX memories_updated ON memories (updated_at);
             CREATE VIRTUAL TABLE memories_fts USING fts5(content, category, content='memories', content_rowid='id');
             CREATE TRIGGER memories_ai AFTER INSERT ON memories BEGIN
                 INSERT INTO memories_fts (rowid, content, category) VALUES (new.id, new.content, new.category);
             END;
             CREATE TABLE memory_edges (
                 id INTEGER PRIMARY KEY AUTOINCREMENT, src_table TEXT, src_id INTEGER, dst_entity_kind TEXT,
                 dst_entity_key TEXT, edge_type TEXT, weight REAL DEFAULT 1.0, created_at TEXT DEFAULT (datetime('now')),
                 UNIQUE (src_table, src_id, dst_entity_kind, dst_entity_key, edge_type));
             CREATE INDEX memory_edges_to ON memory_edges (dst_entity_kind, dst_entity_key);
             CREATE TABLE audit_log (
                 id INTEGER PRIMARY KEY AUTOINCREMENT, ts TEXT DEFAULT (datetime('now')), actor TEXT, tool_call TEXT,
                 args_json TEXT, result TEXT);",
        )?;
        let turn = db.transaction()?;
        let mut chance = Chance::new(11);
        for number in 0..FACTS {
            Self::lay(&turn, &statement(&mut chance, number))?;
        }
        turn.commit()?;
        Ok(Self(db))
    }

    fn keep(&mut self, text: &str) -> Outcome<()> {
        let turn = self.0.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        Self::lay(&turn, text)?;
        Ok(turn.commit()?)
    }

    fn lay(db: &Connection, text: &str) -> Outcome<()> {
        db.prepare_cached(
            "INSERT INTO memories (category, content, source) VALUES ('observation', ?1, 'user_manual')",
        )?
        .execute([text])?;
        let fact = db.last_insert_rowid();
        let tag = text.rsplit('#').next().unwrap_or_default();
        for (kind, key) in [("person", "Ana"), ("tag", tag)] {
            db.prepare_cached(
                "INSERT INTO memory_edges (src_table, src_id, dst_entity_kind, dst_entity_key, edge_type)
                 VALUES ('memories', ?1, ?2, ?3, 'mentions')",
            )?
            .execute(params![fact, kind, key])?;
        }
        db.prepare_cached(
            "INSERT INTO audit_log (actor, tool_call, args_json, result) VALUES ('owner', 'fact.add', ?1, 'written')",
        )?
        .execute([format!("{{\"id\":{fact}}}")])?;
        Ok(())
    }
}

fn owner() -> WriteContext {
    WriteContext::of(Author::owner(&inwit_testkit::owner()))
}
