//! Which facts have the same words, in whatever form their letters are written (M41).
//!
//! Full text knows neither NFKC nor a bound on how many rows hold a word, so the words as
//! [`plain`](FactText::plain) has them are looked up by a number made of them. Invariants: the number finds, and the
//! words decide; a row whose words another hand wrote has no number and is read until it has one again.

use inwit_gate::FactText;
use inwit_model::Sha256;
use inwit_model::fact::{Category, When};
use inwit_store::memory::Fact;
use rusqlite::{Connection, ToSql, params};

use super::super::fault::Worked;
use super::{SCOPE, SHOWN, STANDING, Side, rows};

/// The number of the words of `text`: the first 64 bits of their hash.
pub fn key(text: &FactText) -> i64 {
    let Sha256(hash) = Sha256::of(text.plain().as_bytes());
    let first = hash.iter().take(8);
    first.fold(0, |key, byte| (key << 8) | i64::from(*byte))
}

/// The facts that stand and have the words of `text`.
pub fn worded(db: &Connection, text: &FactText) -> Worked<Vec<Fact>> {
    let side = Side::Now;
    let sql = format!(
        "{} FROM {} WHERE {} AND {SHOWN} AND {STANDING} AND (m.plain_key = :key OR m.plain_key IS NULL) ORDER BY m.id",
        side.columns(),
        side.table(),
        side.condition()
    );
    let key = key(text);
    let of_key: [(&str, &dyn ToSql); 1] = [(":key", &key)];
    let plain = text.plain();
    let found = rows(db, &sql, &When::default(), &of_key)?;
    Ok(found.into_iter().map(|found| found.fact).filter(|fact| fact.text.plain() == plain).collect())
}

/// Gives every row that has none its number: those that were kept before there were numbers, or that another hand wrote.
pub fn number_all(db: &Connection) -> Worked<()> {
    let mut query =
        db.prepare_cached("SELECT id, content FROM memories WHERE plain_key IS NULL AND scope_id = ?1")?;
    let mut give = db.prepare_cached("UPDATE memories SET plain_key = ?2 WHERE id = ?1 AND scope_id = ?3")?;
    let without = query.query_map([SCOPE], |row| {
        let content = row.get_ref(1)?.as_bytes()?;
        Ok((row.get::<_, i64>(0)?, String::from_utf8_lossy(content).into_owned()))
    })?;
    for row in without.collect::<Result<Vec<_>, _>>()? {
        let (id, content) = row;
        give.execute(params![id, key(&FactText::new(Category::observation(), &content)), SCOPE])?;
    }
    Ok(())
}
