//! Writes a generation of vectors.
//!
//! Vectors are written as they come; the scan data is a quarter as large and follows them, so it is held until the
//! end: some 450 bytes per row of 384 numbers. Invariant: the output is a function of the rows alone, so builds are
//! reproducible.

use std::io::{self, Write};

use crate::loose::Coarse;
use crate::matrix::{DIMENSION_MAX, HEADER_BYTES, MODEL_BYTES_MAX, Parts, header};
use crate::plain;

/// A generation on its way to a file.
#[derive(Debug)]
pub struct Writer<W> {
    out: W,
    dimension: usize,
    rows: usize,
    parts: Parts,
    written: usize,
    coarse: Coarse,
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
        let (coarse, ids) = Default::default();
        Ok(Self { out, dimension, rows, parts, written: HEADER_BYTES, coarse, ids })
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
        self.coarse.push(vector);
        Ok(())
    }

    /// Ends the file and gives back what it was written to, flushed. Error: those of the writer;
    /// `InvalidInput` where vectors are missing.
    pub fn finish(mut self) -> io::Result<W> {
        if self.ids.len() != self.rows {
            return Err(refused("fewer vectors than were promised"));
        }
        let (coarse, ids) = (std::mem::take(&mut self.coarse), std::mem::take(&mut self.ids));
        for (start, part) in [
            (self.parts.signs, plain::bytes(&coarse.signs)),
            (self.parts.bytes, plain::bytes(&coarse.bytes)),
            (self.parts.scales, plain::bytes(&coarse.scales)),
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
