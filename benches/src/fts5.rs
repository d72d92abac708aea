//! The yardstick: SQLite's own full-text index over the same passages, asked the same questions.
//!
//! It gives bm25 of single passages only: no lending by neighbours, no labels, no dates, no scopes.

use std::path::Path;

use rusqlite::Connection;

use crate::measure::Times;
use crate::notes::{self, Chance};

/// Figures of FTS5 with the porter tokenizer.
pub struct Fts5 {
    /// Building the index in one transaction.
    pub build: Times,
    /// A question as an OR of its words, best ten by bm25.
    pub search: Times,
    /// Bytes of the database.
    pub bytes: u64,
}

/// Builds the index over `passages` passages and asks `questions`.
pub fn measure(
    folder: &Path,
    passages: usize,
    questions: &[String],
) -> Result<Fts5, Box<dyn std::error::Error>> {
    let path = folder.join("fts5.db");
    let mut connection = Connection::open(&path)?;
    connection.execute_batch("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; CREATE VIRTUAL TABLE notes USING fts5(text, tokenize='porter unicode61');")?;
    let mut failed = None;
    let build = Times::of(1, |_| {
        failed = fill(&mut connection, passages).err();
    });
    if let Some(error) = failed {
        return Err(error.into());
    }
    let search = Times::of(questions.len(), |run| ask(&connection, &questions[run]));
    connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")?;
    Ok(Fts5 { build, search, bytes: std::fs::metadata(&path)?.len() })
}

fn fill(connection: &mut Connection, passages: usize) -> rusqlite::Result<()> {
    let write = connection.transaction()?;
    let mut chance = Chance::new(7);
    for number in 0..passages / notes::DAY_PASSAGES {
        let day = notes::day(&mut chance, number);
        let mut insert = write.prepare_cached("INSERT INTO notes (text) VALUES (?1)")?;
        for line in day.lines().filter(|line| line.starts_with("- ")) {
            insert.execute([line])?;
        }
    }
    write.commit()
}

fn ask(connection: &Connection, question: &str) -> rusqlite::Result<Vec<String>> {
    const STOP: [&str; 4] = ["what", "did", "say", "about"];
    let words: Vec<String> =
        question.split(' ').filter(|word| !STOP.contains(word)).map(|word| format!("\"{word}\"")).collect();
    let mut query = connection
        .prepare_cached("SELECT text FROM notes WHERE notes MATCH ?1 ORDER BY bm25(notes) LIMIT 10")?;
    query.query_map([words.join(" OR ")], |row| row.get(0))?.collect()
}
