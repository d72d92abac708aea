//! Vectors: how long a scan takes and what it misses, and what the local model needs for a text.
//!
//! The vectors are mixes of three of 2,000 directions with noise, so that rows have near ones and far
//! ones as texts have. Where a model is (`INWIT_TEST_MODEL`, or what `.ci/deps` fetched), it embeds the made
//! notes too. `inwit-bench vectors [ROWS…]` measures this alone.

use std::io::BufWriter;

use inwit_embed::LocalEmbedder;
use inwit_model::Embedder as _;
use inwit_vector::dot::dot;
use inwit_vector::{Matrix, Near, RowSet, Scan, Search, TopK, Writer, products};

use crate::measure::Times;
use crate::notes::{self, Chance};
use crate::{Outcome, Row};

/// Numbers of a vector, as many as the local model's.
pub const DIMENSION: usize = 384;
const MODEL: &str = "made";
/// Questions whose time is taken, and of them those that are also answered in f32 throughout.
const QUESTIONS: usize = 100;
const CHECKED: usize = 20;

/// The best that are scored again in f32, as many as a search has.
const EXACT_ROWS: usize = 40;

/// A scan of `rows` vectors as a search has it, and the choice of its ten best: all visible, one in twenty visible, signs first.
pub fn scan(rows: usize) -> Outcome<Vec<Row>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("vectors");
    let mut chance = Chance::new(11);
    let directions: Vec<Vec<f32>> = (0..2_000).map(|_| direction(&mut chance)).collect();
    let mut writer = Writer::begin(BufWriter::new(std::fs::File::create(&path)?), MODEL, DIMENSION, rows)?;
    for row in 0..rows {
        writer.push(row as u64, &mixed(&mut chance, &directions))?;
    }
    writer.finish()?;
    let matrix = Matrix::open(&path, MODEL, DIMENSION)?;
    let questions: Vec<Vec<f32>> = (0..QUESTIONS).map(|_| mixed(&mut chance, &directions)).collect();
    let few = RowSet::of(rows, |row| row % 20 == 0);
    let exact: Vec<Vec<Near>> = questions[..CHECKED].iter().map(|query| exact(&matrix, query)).collect();
    let mut table = Vec::new();
    let all = RowSet::of(rows, |_| true);
    for (what, seen, scan) in [
        ("vectors in 8 bits, the best in f32", &all, Scan::Bytes),
        ("the same where one row in twenty may be seen", &few, Scan::Bytes),
        ("vectors by their signs first", &all, Scan::Signs),
    ] {
        let ask = |query: &[f32]| {
            let search = Search { query, exact: EXACT_ROWS, scan };
            best(&products(&search, &[(matrix.as_rows(), seen)]))
        };
        questions[..CHECKED].iter().for_each(|query| drop(ask(query)));
        let times = Times::of(QUESTIONS, |run| ask(&questions[run]));
        let recall = (seen.count() == rows).then(|| {
            let found = |(query, wanted): (&Vec<f32>, &Vec<Near>)| {
                ask(query).iter().filter(|near| wanted.iter().any(|other| other.row == near.row)).count()
            };
            let all: usize = questions.iter().zip(&exact).map(found).sum();
            format!(", recall@10 {:.3}", all as f64 / (10 * CHECKED) as f64)
        });
        let figure = format!("{:.2} / {:.2} ms{}", times.ms(50), times.ms(95), recall.unwrap_or_default());
        table.push((format!("{what}, p50 / p95, {} rows", crate::grouped(rows)), figure));
    }
    Ok(table)
}

/// What the model needs: to be opened, for a question, for passages.
pub fn model() -> Outcome<Vec<Row>> {
    let Some(folder) = inwit_testkit::model() else { return Ok(Vec::new()) };
    let open = Times::of(7, |_| LocalEmbedder::open(&folder, "all-MiniLM-L6-v2"));
    let model = LocalEmbedder::open(&folder, "all-MiniLM-L6-v2")?;
    let mut chance = Chance::new(5);
    let questions: Vec<String> = (0..200).map(|_| notes::question(&mut chance)).collect();
    let asked = Times::of(questions.len(), |run| model.embed(&[&questions[run]]));
    let passages: Vec<String> = questions.chunks(4).map(|some| some.join(", and then ")).collect();
    let passages: Vec<&str> = passages.iter().map(String::as_str).collect();
    let together = Times::of(5, |_| model.embed(&passages));
    Ok(vec![
        ("the model opened, p50".into(), format!("{:.0} ms", open.ms(50))),
        (
            "a question to its vector, p50 / p95".into(),
            format!("{:.1} / {:.1} ms", asked.ms(50), asked.ms(95)),
        ),
        (
            "passages to vectors, one thread".into(),
            format!("{:.0} a second", passages.len() as f64 * 1e3 / together.ms(50)),
        ),
    ])
}

/// The ten best of what was scored.
fn best(products: &[f32]) -> Vec<Near> {
    let mut top = TopK::of(10);
    for (row, score) in products.iter().enumerate() {
        if *score >= top.floor() {
            top.offer(Near { row, score: *score });
        }
    }
    top.best()
}

/// The ten nearest rows by f32 alone.
fn exact(matrix: &Matrix, query: &[f32]) -> Vec<Near> {
    let mut top = TopK::of(10);
    (0..matrix.rows()).for_each(|row| top.offer(Near { row, score: dot(query, matrix.vector(row)) }));
    top.best()
}

/// Three directions and noise, as long as 1.
fn mixed(chance: &mut Chance, directions: &[Vec<f32>]) -> Vec<f32> {
    let mut vector: Vec<f32> = direction(chance).iter().map(|number| number * 0.7).collect();
    for share in [1.0, 0.6, 0.4] {
        let direction = &directions[chance.below(directions.len())];
        vector.iter_mut().zip(direction).for_each(|(number, more)| *number += share * more);
    }
    unit(vector)
}

/// A direction of its own: each number the sum of four even draws.
pub fn direction(chance: &mut Chance) -> Vec<f32> {
    let mut draw = || (0..4).map(|_| chance.below(2_001) as f32 / 1_000.0 - 1.0).sum();
    unit((0..DIMENSION).map(|_| draw()).collect())
}

/// As long as 1; one of no length stays so.
pub fn unit(mut vector: Vec<f32>) -> Vec<f32> {
    let length = dot(&vector, &vector).sqrt().max(f32::MIN_POSITIVE);
    vector.iter_mut().for_each(|number| *number /= length);
    vector
}
