//! A plain forward pass in f64 over the tables of a made model: what the network is compared with.
//!
//! Source: Devlin et al. 2019, and the layout of `transformers`. Nothing here is shared with the code under test.

use inwit_testkit::bert::{HEADS, INNER, LAYERS, SmallBert, WIDTH};

type Rows = Vec<Vec<f64>>;

/// One row per token, after the last layer. Tokens from `second` on are of the second text; the first one has the
/// position `first`.
pub fn rows(model: &SmallBert, ids: &[u32], second: usize, first: usize) -> Rows {
    let prefix = ["bert.", "roberta.", ""]
        .into_iter()
        .find(|prefix| model.tables.contains_key(&format!("{prefix}embeddings.LayerNorm.weight")));
    let prefix = prefix.expect("a network");
    let table = |name: &str| list(model, &format!("{prefix}{name}"));
    let row = |values: &[f64], at: usize| values[at * WIDTH..][..WIDTH].to_vec();
    let (words, places, kinds) = (
        table("embeddings.word_embeddings.weight"),
        table("embeddings.position_embeddings.weight"),
        table("embeddings.token_type_embeddings.weight"),
    );
    let norm = |row: Vec<f64>, name: &str| {
        normalised(&row, &table(&format!("{name}.weight")), &table(&format!("{name}.bias")))
    };
    let dense = |rows: &Rows, name: &str, outs: usize| -> Rows {
        let (weight, bias) = (table(&format!("{name}.weight")), table(&format!("{name}.bias")));
        rows.iter().map(|row| linear(row, &weight, &bias, outs)).collect()
    };
    let embedded = ids.iter().enumerate().map(|(at, id)| {
        let kind = row(&kinds, usize::from(at >= second));
        norm(sum(&sum(&row(&words, *id as usize), &row(&places, first + at)), &kind), "embeddings.LayerNorm")
    });
    let mut values: Rows = embedded.collect();
    for layer in 0..LAYERS {
        let named = |name: &str| format!("encoder.layer.{layer}.{name}");
        let [query, key, value] = ["query", "key", "value"]
            .map(|part| dense(&values, &named(&format!("attention.self.{part}")), WIDTH));
        let attended = attended(&query, &key, &value);
        let joined = dense(&attended, &named("attention.output.dense"), WIDTH);
        values = values
            .iter()
            .zip(&joined)
            .map(|(row, more)| norm(sum(row, more), &named("attention.output.LayerNorm")))
            .collect();
        let mut wide = dense(&values, &named("intermediate.dense"), INNER);
        wide.iter_mut().flatten().for_each(|x| *x = *x * 0.5 * (1.0 + erf(*x / 2f64.sqrt())));
        let narrow = dense(&wide, &named("output.dense"), WIDTH);
        values = values
            .iter()
            .zip(&narrow)
            .map(|(row, more)| norm(sum(row, more), &named("output.LayerNorm")))
            .collect();
    }
    values
}

/// The score of a head with the tables `dense` and `out` for the row of the first token.
pub fn score(model: &SmallBert, first: &[f64], [dense, out]: [&str; 2]) -> f64 {
    let part = |name: &str, end: &str| list(model, &format!("{name}.{end}"));
    let mut row = linear(first, &part(dense, "weight"), &part(dense, "bias"), WIDTH);
    row.iter_mut().for_each(|value| *value = value.tanh());
    linear(&row, &part(out, "weight"), &part(out, "bias"), 1)[0]
}

/// The mean of rows, as long as 1; of one row, that row.
pub fn unit(rows: &[Vec<f64>]) -> Vec<f64> {
    let mean: Vec<f64> = (0..WIDTH).map(|at| rows.iter().map(|row| row[at]).sum()).collect();
    let length = mean.iter().map(|value| value * value).sum::<f64>().sqrt();
    mean.iter().map(|value| value / length).collect()
}

fn list(model: &SmallBert, name: &str) -> Vec<f64> {
    model.tables[name].2.iter().map(|value| f64::from(*value)).collect()
}

fn sum(one: &[f64], other: &[f64]) -> Vec<f64> {
    one.iter().zip(other).map(|(a, b)| a + b).collect()
}

fn linear(row: &[f64], weight: &[f64], bias: &[f64], outs: usize) -> Vec<f64> {
    let dot = |out: usize| row.iter().zip(&weight[out * row.len()..]).map(|(a, b)| a * b).sum::<f64>();
    (0..outs).map(|out| dot(out) + bias[out]).collect()
}

fn normalised(row: &[f64], scale: &[f64], shift: &[f64]) -> Vec<f64> {
    let mean = row.iter().sum::<f64>() / row.len() as f64;
    let variance = row.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / row.len() as f64;
    let share = 1.0 / (variance + 1e-5).sqrt();
    row.iter().zip(scale).zip(shift).map(|((x, scale), shift)| (x - mean) * share * scale + shift).collect()
}

fn attended(query: &Rows, key: &Rows, value: &Rows) -> Rows {
    let head = WIDTH / HEADS;
    let mut out = vec![vec![0.0; WIDTH]; query.len()];
    for start in (0..WIDTH).step_by(head) {
        let part = start..start + head;
        for (query, out) in query.iter().zip(&mut out) {
            let like = |key: &Vec<f64>| {
                let dot: f64 = query[part.clone()].iter().zip(&key[part.clone()]).map(|(a, b)| a * b).sum();
                (dot / (head as f64).sqrt()).exp()
            };
            let shares: Vec<f64> = key.iter().map(like).collect();
            let all: f64 = shares.iter().sum();
            for (share, value) in shares.iter().zip(value) {
                for at in part.clone() {
                    out[at] += share / all * value[at];
                }
            }
        }
    }
    out
}

/// By its series, which is exact to f64 for the small numbers of these models.
fn erf(x: f64) -> f64 {
    let (mut term, mut total, mut n) = (x, x, 0.0);
    while term.abs() > 1e-18 {
        n += 1.0;
        term *= -x * x / n;
        total += term / (2.0 * n + 1.0);
    }
    total * std::f64::consts::FRAC_2_SQRT_PI
}
