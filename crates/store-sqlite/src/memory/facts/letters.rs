//! Finds candidate rows for a substring through the full-text vocabulary.
//!
//! `LIKE '%letters%'` reads every row. But a row with `ound br` has a word that ends with `ound`, followed by one
//! that begins with `br`; words in between are complete. So the vocabulary, which is much smaller, is scanned, and
//! matching words are looked up. Invariants: every matching row is among the candidates (folding is per character and
//! idempotent); `LIKE` decides; with an unknown full-text layout or too many candidates, all rows are read.

use std::collections::{BTreeMap, BTreeSet};

use inwit_store::memory::facts::{FACT_LETTERS_ROWS_MAX, FACT_LETTERS_WORDS_MAX};
use rusqlite::{Connection, OptionalExtension as _, params};

use super::super::fault::TxnResult;
use super::{Side, broad};

/// The rows among which those are that hold some letters.
pub enum Holders {
    /// Any may be.
    All,
    /// None can be.
    None,
    /// Those that this expression matches.
    Matching(String),
}

/// Among which rows those are that hold the letters of one of `phrases`.
pub fn holders(db: &Connection, side: Side, phrases: &[String]) -> TxnResult<Holders> {
    let pieces: Vec<Pieces> = pieces(phrases)?;
    if pieces.len() < phrases.len() {
        return Ok(Holders::All);
    }
    let Some(begun) = beginnings(db, side, &pieces)? else { return Ok(Holders::All) };
    if begun.iter().flatten().map(BTreeSet::len).sum::<usize>() > FACT_LETTERS_WORDS_MAX {
        return Ok(Holders::All);
    }
    let mut any = Vec::new();
    for (piece, words) in pieces.iter().zip(begun) {
        let first = words
            .as_ref()
            .map(|words| words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" OR "));
        match (first, piece.rest()) {
            (Some(first), _) if first.is_empty() => {}
            (Some(first), None) => any.push(format!("({first})")),
            (Some(first), Some(rest)) => any.push(format!("(({first}) AND {rest})")),
            (None, Some(rest)) => any.push(format!("({rest})")),
            (None, None) => return Ok(Holders::All),
        }
    }
    if any.is_empty() {
        return Ok(Holders::None);
    }
    let any = any.join(" OR ");
    let rows = broad::count(db, side, &any, FACT_LETTERS_ROWS_MAX)?;
    Ok(if rows > FACT_LETTERS_ROWS_MAX { Holders::All } else { Holders::Matching(any) })
}

/// Letters as the words that the full text makes of them: the first one may be the end of a word, the last one the
/// beginning, and one alone may lie within a word.
struct Pieces(Vec<String>);

impl Pieces {
    /// Whether a word of a row may be the first piece.
    fn may_begin(&self, word: &[u8]) -> bool {
        let Some(first) = self.0.first().map(String::as_bytes) else { return true };
        // The full text keeps no more of a word.
        if word.len() >= WORD_BYTES_MAX {
            return true;
        }
        match self.0.len() {
            1 => word.windows(first.len()).any(|part| part == first),
            _ => word.ends_with(first),
        }
    }

    /// What stands behind the first piece, as an expression.
    fn rest(&self) -> Option<String> {
        let rest = self.0.get(1..).filter(|rest| !rest.is_empty())?;
        Some(format!("{} *", quoted(&rest.join(" "))))
    }
}

fn quoted(word: &str) -> String {
    format!("\"{}\"", word.replace('"', "\"\""))
}

/// The pieces of each phrase that has any.
fn pieces(phrases: &[String]) -> TxnResult<Vec<Pieces>> {
    let db = Connection::open_in_memory()?;
    db.execute_batch(
        "CREATE VIRTUAL TABLE said USING fts5(phrase); CREATE VIRTUAL TABLE piece USING fts5vocab(said, instance)",
    )?;
    for (at, phrase) in (0_i64..).zip(phrases) {
        db.prepare_cached("INSERT INTO said (rowid, phrase) VALUES (?1, ?2)")?
            .execute(params![at, phrase])?;
    }
    let mut query = db.prepare("SELECT doc, offset, term FROM piece")?;
    let mut rows = query.query([])?;
    let mut all: BTreeMap<i64, BTreeMap<i64, String>> = BTreeMap::new();
    while let Some(row) = rows.next()? {
        all.entry(row.get(0)?).or_default().insert(row.get(1)?, row.get(2)?);
    }
    Ok(all.into_values().map(|pieces| Pieces(pieces.into_values().collect())).collect())
}

/// Vocabulary words that may start each phrase; `None` for a phrase with too many, and for all if they cannot be
/// determined.
fn beginnings(
    db: &Connection,
    side: Side,
    pieces: &[Pieces],
) -> TxnResult<Option<Vec<Option<BTreeSet<String>>>>> {
    let mut found: Vec<Option<BTreeSet<String>>> = vec![Some(BTreeSet::new()); pieces.len()];
    let is_told = each_word(db, side, |word| {
        for (words, piece) in found.iter_mut().zip(pieces) {
            let Some(some) = words.as_mut().filter(|_| piece.may_begin(word)) else { continue };
            match std::str::from_utf8(word) {
                Ok(word) if some.len() < FACT_LETTERS_WORDS_MAX => {
                    some.insert(word.to_owned());
                }
                Ok(word) if some.contains(word) => {}
                // Too many, or one that cannot be asked for.
                _ => *words = None,
            }
        }
    })?;
    Ok(is_told.then_some(found))
}

/// Most bytes of a word that FTS5 keeps.
const WORD_BYTES_MAX: usize = 32_768;

/// The supported layouts of FTS5; the second one adds deletions, and is read alike.
const LAYOUTS: std::ops::RangeInclusive<i64> = 4..=5;

/// Before each word of the full text there is a sign of the index that it is of: the one and only here.
const SIGN: u8 = b'0';

/// Shows `see` each word of the full text, some of them more than once, also some that no row holds any more.
/// `false`: it is laid out otherwise than is known here, so some were not shown.
fn each_word(db: &Connection, side: Side, mut see: impl FnMut(&[u8])) -> TxnResult<bool> {
    let words = side.words();
    let sql = format!("SELECT v FROM {words}_config WHERE k = 'version'");
    let layout: Option<i64> = db.prepare_cached(&sql)?.query_row([], |row| row.get(0)).optional()?;
    if !layout.is_some_and(|layout| LAYOUTS.contains(&layout)) {
        return Ok(false);
    }
    // A number is made of the part, of what kind of page it is, and of the page; leaves are of kind 0.
    let sql = format!("SELECT block FROM {words}_data WHERE id >> 37 > 0 AND (id >> 31) & 63 = 0");
    let mut query = db.prepare_cached(&sql)?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let page = row.get_ref(0)?.as_blob().unwrap_or_default();
        if words_of(page, &mut see).is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The words of a leaf. Its first four bytes say where its end stands, which tells where each word does; a word is
/// what it shares with the one before, but for the first, and what is its own. `None`: it is no such page.
fn words_of(page: &[u8], see: &mut impl FnMut(&[u8])) -> Option<()> {
    let end = usize::from(u16::from_be_bytes([*page.get(2)?, *page.get(3)?]));
    let mut places = page.get(end..)?;
    let (mut at, mut word) = (0, Vec::new());
    let mut is_first = true;
    while !places.is_empty() {
        at += number(&mut places)?;
        let mut rest = page.get(at..end)?;
        let shared = if is_first { 0 } else { number(&mut rest)? };
        let own = number(&mut rest)?;
        if shared > word.len() {
            return None;
        }
        word.truncate(shared);
        word.extend_from_slice(rest.get(..own)?);
        if let Some((&SIGN, word)) = word.split_first() {
            see(word);
        }
        is_first = false;
    }
    Some(())
}

/// Reads a number of seven bits a byte, the highest first; none here has more than four bytes.
fn number(bytes: &mut &[u8]) -> Option<usize> {
    let mut value = 0;
    for (read, byte) in (1..=4).zip(bytes.iter()) {
        value = value << 7 | usize::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            *bytes = bytes.get(read..)?;
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests;
