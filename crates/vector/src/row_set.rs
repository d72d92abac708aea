//! Visible rows: a bit for each.
//!
//! Sixty-four invisible rows are skipped with one comparison. Invariant: bits after the last row are never set.

/// A set of rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowSet {
    words: Vec<u64>,
    rows: usize,
}

impl RowSet {
    /// None of `rows` rows.
    pub fn none(rows: usize) -> Self {
        Self { words: vec![0; rows.div_ceil(64)], rows }
    }

    /// Those of `rows` rows for which `belongs` is true.
    pub fn of(rows: usize, belongs: impl Fn(usize) -> bool) -> Self {
        let mut set = Self::none(rows);
        (0..rows).filter(|row| belongs(*row)).for_each(|row| set.insert(row));
        set
    }

    /// Takes a row in. Panics when there is none of this number.
    pub fn insert(&mut self, row: usize) {
        assert!(row < self.rows, "a row of the set");
        self.words[row / 64] |= 1 << (row % 64);
    }

    /// Whether a row is in it.
    pub fn contains(&self, row: usize) -> bool {
        row < self.rows && self.words[row / 64] >> (row % 64) & 1 == 1
    }

    /// How many rows it is a set of.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many rows are in it.
    pub fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Does `work` with each row in it, ascending.
    pub(crate) fn each(&self, mut work: impl FnMut(usize)) {
        for (at, word) in self.words.iter().enumerate() {
            bits(*word).for_each(|bit| work(at * 64 + bit));
        }
    }

    /// The bits of the rows from `64 · word` on.
    pub(crate) fn word(&self, word: usize) -> u64 {
        self.words[word]
    }
}

/// The numbers of the bits that are set, ascending.
pub(crate) fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
        word &= word - 1;
        Some(bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_what_was_put_in() {
        let set = RowSet::of(130, |row| row % 3 == 0);
        assert!((0..200).all(|row| set.contains(row) == (row < 130 && row % 3 == 0)));
        let all: Vec<usize> =
            (0..3).flat_map(|word| bits(set.word(word)).map(move |bit| word * 64 + bit)).collect();
        assert_eq!(all, (0..130).step_by(3).collect::<Vec<_>>());
        let mut each = Vec::new();
        set.each(|row| each.push(row));
        assert_eq!((each, set.count()), (all, 44));
    }

    #[test]
    #[should_panic(expected = "a row of the set")]
    fn a_row_past_the_last_is_refused() {
        RowSet::none(64).insert(64);
    }
}
