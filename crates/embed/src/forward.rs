//! The network: tokens to a row of numbers each, in f32.
//!
//! Texts of one batch stand behind each other without gaps, so each layer is one product over all of
//! their tokens and nothing is computed for padding; only attention goes text by text. That also makes
//! sorting by length needless. Query, key and value are one table, so they are one product. Invariant:
//! the memory of a batch is set by its tokens alone, and a text's rows do not depend, but for
//! rounding, on what else is in the batch.

use inwit_model::EmbedError;
use inwit_vector::network::{add_and_normalise, add_bias, gelu, softmax};
use inwit_vector::{Table, View, ViewMut, product};

use crate::failure::failed;
use crate::sentence::Pooling;
use crate::shape::Shape;
use crate::tokens::Tokens;
use crate::weights::{Tensor, Weights};

/// A network with its numbers; the rows of its words stay in the file until a text needs them.
#[derive(Debug)]
pub struct Network {
    shape: Shape,
    weights: Weights,
    words: Tensor,
    /// A row for each place of a token.
    places: Vec<f32>,
    /// The rows that are added for a token of the first and of the second text.
    kinds: [Vec<f32>; 2],
    norm: Norm,
    layers: Vec<Layer>,
}

#[derive(Debug)]
struct Layer {
    /// Query, key and value below each other.
    attention: Dense,
    joined: Dense,
    attention_norm: Norm,
    up: Dense,
    down: Dense,
    norm: Norm,
}

/// A table of `outs` rows, each as wide as what goes in, and what is added to what comes out.
#[derive(Debug)]
pub struct Dense {
    table: Table,
    /// What is added to a row of the product.
    pub bias: Vec<f32>,
}

#[derive(Debug)]
struct Norm {
    scale: Vec<f32>,
    shift: Vec<f32>,
}

impl Network {
    /// Reads the numbers of a network of this `shape` for texts of at most `places` tokens. Error: `model_damaged`.
    pub fn read(weights: Weights, shape: Shape, places: usize) -> Result<Self, EmbedError> {
        let Shape { width, positions, first_position, vocabulary, kinds, .. } = shape;
        let words = weights.tensor("embeddings.word_embeddings.weight", vocabulary, width)?.clone();
        let table = weights.tensor("embeddings.position_embeddings.weight", positions, width)?;
        let mut rows = vec![0.0; places.min(shape.places()) * width];
        weights.rows(table, first_position, &mut rows)?;
        let table = weights.tensor("embeddings.token_type_embeddings.weight", kinds, width)?;
        let mut kinds = [vec![0.0; width], vec![0.0; width]];
        for (kind, row) in kinds.iter_mut().enumerate() {
            // With one kind, it is that of both texts.
            weights.rows(table, kind.min(shape.kinds - 1), row)?;
        }
        let norm = Norm::read(&weights, "embeddings.LayerNorm", width)?;
        let layers =
            (0..shape.layers).map(|layer| Layer::read(&weights, &shape, layer)).collect::<Result<_, _>>()?;
        Ok(Self { shape, weights, words, places: rows, kinds, norm, layers })
    }

    /// The most tokens that one text may have.
    pub fn places(&self) -> usize {
        self.places.len() / self.shape.width
    }

    /// One vector of unit length for each text. Errors: `model_damaged` where the file does not hold a
    /// row any more, `embedding_failed` where a text has no direction. Panics when a text has no token or
    /// more than [`places`](Self::places).
    pub fn vectors(&self, texts: &[Tokens], pooling: Pooling) -> Result<Vec<Vec<f32>>, EmbedError> {
        let values = self.rows(texts)?;
        let width = self.shape.width;
        let mut rest = values.as_slice();
        let pooled = texts.iter().map(|text| {
            let (rows, after) = rest.split_at(text.len() * width);
            rest = after;
            pooled(if pooling == Pooling::First { &rows[..width] } else { rows }, width)
        });
        pooled.collect()
    }

    /// The row of the first token of each text, one behind the other. Errors: `model_damaged`. Panics as
    /// [`vectors`](Self::vectors).
    pub fn first_rows(&self, texts: &[Tokens]) -> Result<Vec<f32>, EmbedError> {
        let values = self.rows(texts)?;
        let (mut firsts, mut at) = (Vec::with_capacity(texts.len() * self.shape.width), 0);
        for text in texts {
            firsts.extend(&values[at..at + self.shape.width]);
            at += text.len() * self.shape.width;
        }
        Ok(firsts)
    }

    /// A row for each token of each text.
    fn rows(&self, texts: &[Tokens]) -> Result<Vec<f32>, EmbedError> {
        let mut batch = Batch::of(texts, &self.shape);
        self.embed(texts, &mut batch.values)?;
        for layer in &self.layers {
            self.attend(layer, texts, &mut batch);
            self.widen(layer, &mut batch);
        }
        Ok(batch.values)
    }

    /// The rows of words, places and kinds, normalised.
    fn embed(&self, texts: &[Tokens], values: &mut [f32]) -> Result<(), EmbedError> {
        let width = self.shape.width;
        let mut rows = values.chunks_exact_mut(width);
        for text in texts {
            assert!(text.len() <= self.places(), "a place for each token");
            let places = self.places.chunks_exact(width);
            for (at, ((token, place), row)) in text.ids.iter().zip(places).zip(&mut rows).enumerate() {
                if *token as usize >= self.shape.vocabulary {
                    return Err(failed(format!("token {token} is not in the vocabulary of the network")));
                }
                self.weights.rows(&self.words, *token as usize, row)?;
                let kind = &self.kinds[usize::from(at >= text.second)];
                let Norm { scale, shift } = &self.norm;
                add_and_normalise(row, place, kind, scale, shift, self.shape.epsilon);
            }
        }
        Ok(())
    }

    /// The first half of a layer: every token looks at those of its text.
    fn attend(&self, layer: &Layer, texts: &[Tokens], batch: &mut Batch) {
        let Shape { width, heads, epsilon, .. } = self.shape;
        let head = self.shape.head();
        layer.attention.apply(&batch.values, &mut batch.wide[..batch.tokens * 3 * width]);
        add_bias(&mut batch.wide[..batch.tokens * 3 * width], &layer.attention.bias);
        let scale = 1.0 / (head as f32).sqrt();
        let mut start = 0;
        for tokens in texts.iter().map(Tokens::len) {
            for at in (0..heads).map(|number| number * head) {
                let part = |which: usize| {
                    let from = start * 3 * width + which * width + at;
                    View::new(&batch.wide[from..], tokens, head, 3 * width)
                };
                let shares = &mut batch.shares[..tokens * tokens];
                let mut seen = ViewMut::new(shares, tokens, tokens, tokens);
                product(&mut seen, part(0), part(1).transposed(), scale);
                softmax(shares, tokens);
                let shares = View::new(shares, tokens, tokens, tokens);
                let into = &mut batch.narrow[start * width + at..];
                product(&mut ViewMut::new(into, tokens, head, width), shares, part(2), 1.0);
            }
            start += tokens;
        }
        let joined = &mut batch.wide[..batch.tokens * width];
        layer.joined.apply(&batch.narrow, joined);
        layer.attention_norm.add(&mut batch.values, joined, &layer.joined.bias, epsilon);
    }

    /// The second half: every token by itself, through a wider space.
    fn widen(&self, layer: &Layer, batch: &mut Batch) {
        let wide = &mut batch.wide[..batch.tokens * self.shape.inner];
        layer.up.apply(&batch.values, wide);
        gelu(wide, &layer.up.bias);
        layer.down.apply(wide, &mut batch.narrow);
        layer.norm.add(&mut batch.values, &batch.narrow, &layer.down.bias, self.shape.epsilon);
    }
}

impl Layer {
    fn read(weights: &Weights, shape: &Shape, number: usize) -> Result<Self, EmbedError> {
        let Shape { width, inner, .. } = *shape;
        let dense = |names: &[&str], outs, ins| {
            let names: Vec<String> =
                names.iter().map(|name| format!("encoder.layer.{number}.{name}")).collect();
            Dense::read(weights, &names, outs, ins)
        };
        let norm = |name: &str| Norm::read(weights, &format!("encoder.layer.{number}.{name}"), width);
        let attention = ["query", "key", "value"].map(|part| format!("attention.self.{part}"));
        Ok(Self {
            attention: dense(&attention.each_ref().map(String::as_str), width, width)?,
            joined: dense(&["attention.output.dense"], width, width)?,
            attention_norm: norm("attention.output.LayerNorm")?,
            up: dense(&["intermediate.dense"], inner, width)?,
            down: dense(&["output.dense"], width, inner)?,
            norm: norm("output.LayerNorm")?,
        })
    }
}

impl Dense {
    /// The tables of these names below each other. Error: `model_damaged`.
    pub fn read(weights: &Weights, names: &[String], outs: usize, ins: usize) -> Result<Self, EmbedError> {
        let (mut rows, mut bias) = (Vec::new(), Vec::new());
        for name in names {
            rows.extend(weights.all(&format!("{name}.weight"), outs, ins)?);
            bias.extend(weights.all(&format!("{name}.bias"), 1, outs)?);
        }
        Ok(Self { table: Table::new(rows, names.len() * outs, ins), bias })
    }

    /// The product of each row of `from` with the table, without the bias.
    pub fn apply(&self, from: &[f32], into: &mut [f32]) {
        self.table.multiply(from, into);
    }
}

impl Norm {
    fn read(weights: &Weights, name: &str, width: usize) -> Result<Self, EmbedError> {
        Ok(Self {
            scale: weights.all(&format!("{name}.weight"), 1, width)?,
            shift: weights.all(&format!("{name}.bias"), 1, width)?,
        })
    }

    fn add(&self, values: &mut [f32], more: &[f32], bias: &[f32], epsilon: f32) {
        add_and_normalise(values, more, bias, &self.scale, &self.shift, epsilon);
    }
}

/// The memory of one batch.
struct Batch {
    tokens: usize,
    /// A row for each token: what the layers change.
    values: Vec<f32>,
    /// A row for each token, as wide.
    narrow: Vec<f32>,
    /// A row for each token, as wide as the widest step of a layer.
    wide: Vec<f32>,
    /// How much each token of one text takes of each other one.
    shares: Vec<f32>,
}

impl Batch {
    fn of(texts: &[Tokens], shape: &Shape) -> Self {
        let tokens = texts.iter().map(Tokens::len).sum();
        let longest = texts.iter().map(Tokens::len).max().unwrap_or(0);
        let row = |width: usize| vec![0.0; tokens * width];
        Self {
            tokens,
            values: row(shape.width),
            narrow: row(shape.width),
            wide: row(shape.inner.max(3 * shape.width)),
            shares: vec![0.0; longest * longest],
        }
    }
}

/// The mean of the rows, made as long as 1.
fn pooled(rows: &[f32], width: usize) -> Result<Vec<f32>, EmbedError> {
    let mut mean = vec![0.0; width];
    for row in rows.chunks_exact(width) {
        for (mean, value) in mean.iter_mut().zip(row) {
            *mean += value;
        }
    }
    let length = mean.iter().map(|value| value * value).sum::<f32>().sqrt();
    if !length.is_normal() {
        return Err(failed("the network returned numbers without a direction"));
    }
    mean.iter_mut().for_each(|value| *value /= length);
    Ok(mean)
}
