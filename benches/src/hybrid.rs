//! Words and vectors together, in process, and the first answer of a process that has nothing open yet.
//!
//! The vectors are made: each word has a direction, a text is the sum of its words'. So near texts share words, as
//! those of a model do, and a question's own vector costs next to nothing: what a model needs for it stands in
//! rows of its own ([`crate::vectors::model`]). Invariant: the notes and questions are those of words alone.

use std::path::Path;
use std::sync::Arc;

use inwit_engine::{Agent, Bounds, Meaning, Search};
use inwit_model::{EmbedError, Embedder, Scope};
use inwit_store::Embeddings;
use inwit_store_sqlite::SqliteEmbeddings;

use crate::measure::{Times, peak_mib};
use crate::vectors::{DIMENSION, direction};
use crate::{Outcome, Row, agent_with};

/// Directions of all words.
const DIRECTIONS: usize = 4_096;

/// The same over `passages` of its own, with the search by words alone beside it and the peak of memory.
pub fn alone(passages: usize) -> Outcome<Vec<Row>> {
    let folder = tempfile::tempdir()?;
    let (notes, database) = (folder.path().join("workspace"), folder.path().join("index.db"));
    crate::notes::lay_out(&notes, passages)?;
    crate::settle(&notes)?;
    let agent = agent_with(&notes, &database, None)?;
    let mut outcome = Ok(());
    let indexed = Times::of(1, |_| {
        outcome = agent.notes.rebuild(&Scope::Main, &mut inwit_model::watch::unwatched).map(drop)
    });
    outcome?;
    let mut chance = crate::notes::Chance::new(3);
    let questions: Vec<String> = (0..300).map(|_| crate::notes::question(&mut chance)).collect();
    ask(&agent, &questions[0])?;
    let words = Times::of(questions.len(), |run| ask(&agent, &questions[run]));
    let disk = std::fs::metadata(&database)?.len();
    drop(agent);
    let mut rows = vec![
        (
            "index from cold; on disk".into(),
            format!("{:.1} s; {:.0} MB", indexed.ms(50) / 1e3, disk as f64 / 1e6),
        ),
        ("words alone, p50 / p95".into(), format!("{:.2} / {:.2} ms", words.ms(50), words.ms(95))),
    ];
    if let Some(peak) = peak_mib() {
        rows.push(("peak memory until then".into(), format!("{peak:.0} MiB")));
    }
    rows.extend(measure(&notes, &database, &questions)?);
    let of_size = |(what, figure): Row| (format!("{what}, {} passages", crate::grouped(passages)), figure);
    Ok(rows.into_iter().map(of_size).collect())
}

/// Rows of the table, over the workspace `notes` whose index lies at `database`.
pub fn measure(notes: &Path, database: &Path, questions: &[String]) -> Outcome<Vec<Row>> {
    let folder = tempfile::tempdir_in(database.parent().ok_or("an index lies in a folder")?)?;
    let vectors = folder.path().join("embeddings.db");
    let agent = opened(notes, database, &vectors)?;
    let mut outcome = Ok(());
    let filled = Times::of(1, |_| {
        outcome = agent.notes.embed(&Scope::Main, None, &mut inwit_model::watch::unwatched).map(drop)
    });
    outcome?;
    let mut answer = Err("nothing was asked".into());
    let first = Times::of(1, |_| {
        answer = opened(notes, database, &vectors).and_then(|agent| ask(&agent, &questions[0]));
    });
    if let Some(notice) = answer?.notices.first() {
        return Err(notice.message.clone().into());
    }
    let searches = Times::of(questions.len(), |run| ask(&agent, &questions[run]));
    let disk: u64 = std::fs::read_dir(folder.path())?
        .flatten()
        .filter_map(|file| Some(file.metadata().ok()?.len()))
        .sum();
    let mut rows = vec![
        (
            "words and vectors in process, the question's own vector not counted, p50 / p95".into(),
            format!("{:.2} / {:.2} ms", searches.ms(50), searches.ms(95)),
        ),
        ("the first such answer after opening everything".into(), format!("{:.0} ms", first.ms(50))),
        (
            "vectors kept, on disk; made vectors written and laid out".into(),
            format!("{:.0} MB; {:.1} s", disk as f64 / 1e6, filled.ms(50) / 1e3),
        ),
    ];
    if let Some(peak) = peak_mib() {
        rows.push(("peak memory of this measurement so far".into(), format!("{peak:.0} MiB")));
    }
    Ok(rows)
}

fn opened(notes: &Path, database: &Path, vectors: &Path) -> Outcome<Agent> {
    let path = vectors.to_owned();
    let open = move || SqliteEmbeddings::open(&path).map(|(cache, _)| Box::new(cache) as Box<dyn Embeddings>);
    agent_with(notes, database, Some(Meaning::new(vec![Arc::new(Made::new())], Box::new(open))))
}

fn ask(agent: &Agent, query: &str) -> Outcome<inwit_engine::Answer> {
    let search =
        Search { query, scope: &Scope::Main, limit: 10, budget_chars: None, bounds: Bounds::default() };
    Ok(agent.notes.search(&search)?)
}

/// A model that knows each word and nothing of what it means.
struct Made(Vec<Vec<f32>>);

impl Made {
    fn new() -> Self {
        let mut chance = crate::notes::Chance::new(13);
        Self((0..DIRECTIONS).map(|_| direction(&mut chance)).collect())
    }

    fn vector(&self, text: &str) -> Vec<f32> {
        let mut sum = vec![0.0_f32; DIMENSION];
        let words = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
        for word in words {
            let number =
                word.bytes().fold(17_usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(byte)));
            sum.iter_mut().zip(&self.0[number % DIRECTIONS]).for_each(|(number, more)| *number += more);
        }
        crate::vectors::unit(sum)
    }
}

impl Embedder for Made {
    fn model(&self) -> &str {
        "made"
    }

    fn dimension(&self) -> usize {
        DIMENSION
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        Ok(texts.iter().map(|text| self.vector(text)).collect())
    }
}
