//! Writing a generation.
//!
//! The vectors themselves go out as they come; what the scan needs is a quarter as large and follows them,
//! so it is held until the end: some 450 bytes for each row of 384 numbers. Invariant: what is written is a
//! function of the rows alone, so two builds of the same rows are the same file.

use std::io::{self, Write};

use crate::matrix::{DIMENSION_MAX, HEADER_BYTES, MODEL_BYTES_MAX, Parts, header, sign_words};
use crate::plain;

/// A generation on its way to a file.
#[derive(Debug)]
pub struct Writer<W> {
    out: W,
    dimension: usize,
    rows: usize,
    parts: Parts,
    written: usize,
    signs: Vec<u64>,
    bytes: Vec<i8>,
    scales: Vec<f32>,
    ids: Vec<u64>,
}

impl<W: Write> Writer<W> {
    /// Begins a file of exactly `rows` vectors of `model`. Errors: those of `out`; `InvalidInput` where
    /// the name, the dimension or the number of rows is beyond what a file can hold.
    pub fn begin(mut out: W, model: &str, dimension: usize, rows: usize) -> io::Result<Self> {
        let parts = Some(Parts::of(rows, dimension))
            .filter(|_| model.len() <= MODEL_BYTES_MAX && (1..=DIMENSION_MAX).contains(&dimension))
            .flatten()
            .ok_or_else(|| refused("there is no file of such vectors"))?;
        out.write_all(&header(model, dimension, rows))?;
        let (signs, bytes, scales, ids) = Default::default();
        Ok(Self { out, dimension, rows, parts, written: HEADER_BYTES, signs, bytes, scales, ids })
    }

    /// Adds the vector of `id`. Errors: those of the writer; `InvalidInput` where it has another
    /// dimension, a number that is infinite or NaN, or is one more than was promised.
    pub fn push(&mut self, id: u64, vector: &[f32]) -> io::Result<()> {
        if self.ids.len() == self.rows {
            return Err(refused("one vector more than was promised"));
        }
        if vector.len() != self.dimension {
            return Err(refused("a vector of another dimension"));
        }
        if !vector.iter().all(|number| number.is_finite()) {
            return Err(refused("a vector with numbers that are infinite or NaN"));
        }
        self.put(plain::bytes(vector))?;
        self.ids.push(id);
        self.scales.push(quantised(vector, &mut self.bytes));
        signs(vector, &mut self.signs);
        Ok(())
    }

    /// Ends the file and gives back what it was written to, flushed. Error: those of the writer;
    /// `InvalidInput` where vectors are missing.
    pub fn finish(mut self) -> io::Result<W> {
        if self.ids.len() != self.rows {
            return Err(refused("fewer vectors than were promised"));
        }
        let (signs, bytes) = (std::mem::take(&mut self.signs), std::mem::take(&mut self.bytes));
        let (scales, ids) = (std::mem::take(&mut self.scales), std::mem::take(&mut self.ids));
        for (start, part) in [
            (self.parts.signs, plain::bytes(&signs)),
            (self.parts.bytes, plain::bytes(&bytes)),
            (self.parts.scales, plain::bytes(&scales)),
            (self.parts.ids, plain::bytes(&ids)),
        ] {
            self.fill(start)?;
            self.put(part)?;
        }
        self.fill(self.parts.end)?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.written += bytes.len();
        self.out.write_all(bytes)
    }

    /// Zeros up to where the next part begins.
    fn fill(&mut self, to: usize) -> io::Result<()> {
        let gap = [0; 64];
        self.put(&gap[..to - self.written])
    }
}

fn refused(says: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, says)
}

/// Adds the numbers of `vector` to `bytes`, the greatest as 127, and says what a byte counts for.
pub(crate) fn quantised(vector: &[f32], bytes: &mut Vec<i8>) -> f32 {
    let greatest = vector.iter().fold(0.0f32, |greatest, number| greatest.max(number.abs()));
    let scale = greatest / 127.0;
    // A cast keeps to the bounds of the type; of a scale that is 0 every number is.
    let steps = if scale > 0.0 { 1.0 / scale } else { 0.0 };
    bytes.extend(vector.iter().map(|number| (number * steps).round_ties_even().clamp(-127.0, 127.0) as i8));
    scale
}

/// Adds a bit for each number of `vector`, set where it is below 0.
pub(crate) fn signs(vector: &[f32], words: &mut Vec<u64>) {
    let before = words.len();
    words.extend(vector.chunks(64).map(|numbers| {
        let bits = numbers.iter().enumerate().filter(|(_, number)| **number < 0.0);
        bits.fold(0u64, |word, (bit, _)| word | 1 << bit)
    }));
    debug_assert_eq!(words.len() - before, sign_words(vector.len()));
}
