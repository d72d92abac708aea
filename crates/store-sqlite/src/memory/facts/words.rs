//! Finds facts with equal text in any letter form (M41).
//!
//! Full text supports neither NFKC nor a bound on matches, so the [`plain`](FactText::plain) text is looked up by a
//! hash number. Invariants: the number selects, the text decides; a row whose text another program changed has no
//! number and is read until it gets one.

use std::sync::LazyLock;

use inwit_gate::FactText;
use inwit_model::fact::{Category, When};
use inwit_model::{FactId, Sha256};
use inwit_store::memory::Fact;
use rusqlite::{Connection, ToSql, params};

use super::super::fault::TxnResult;
use super::{SCOPE, SHOWN, STANDING, Side, rows};

/// The number of the words of `text`: the first 64 bits of their hash.
fn key(text: &FactText) -> i64 {
    let Sha256(hash) = Sha256::of(text.plain().as_bytes());
    let first = hash.iter().take(8);
    first.fold(0, |key, byte| (key << 8) | i64::from(*byte))
}

/// By what a statement is known again.
pub struct Words {
    /// The hash of all it says.
    pub said: Sha256,
    /// The number of its words.
    pub key: i64,
}

impl Words {
    pub fn of(text: &FactText) -> Self {
        Self { said: text.said(), key: key(text) }
    }

    /// The fact that states the very same and is shown: the number of its words finds it, and what it says decides, since
    /// another hand may have written over what inwit wrote.
    pub fn standing(&self, db: &Connection) -> TxnResult<Option<FactId>> {
        static MAYBE: LazyLock<String> =
            LazyLock::new(|| keyed(&format!("{MAY_HAVE_KEY} AND m.said = :said")));
        self.standing_by(db, &MAYBE)
    }

    /// The same where a row may be written: each row that has no number is given one first, so the number alone finds it.
    pub fn standing_numbered(&self, db: &Connection) -> TxnResult<Option<FactId>> {
        static NUMBERED: LazyLock<String> = LazyLock::new(|| keyed("m.plain_key = :key AND m.said = :said"));
        number_all(db)?;
        self.standing_by(db, &NUMBERED)
    }

    fn standing_by(&self, db: &Connection, sql: &str) -> TxnResult<Option<FactId>> {
        let said = self.said.to_string();
        let of_words: [(&str, &dyn ToSql); 2] = [(":key", &self.key), (":said", &said)];
        let found = rows(db, sql, &When::default(), &of_words)?;
        let mut facts = found.into_iter().map(|found| found.fact);
        Ok(facts.find(|fact| fact.text.said() == self.said).map(|fact| fact.id))
    }
}

/// A row whose number is `:key`, or that has none.
const MAY_HAVE_KEY: &str = "(m.plain_key = :key OR m.plain_key IS NULL)";

/// The facts that stand and have the words of `text`.
pub fn worded(db: &Connection, text: &FactText) -> TxnResult<Vec<Fact>> {
    let key = key(text);
    let of_key: [(&str, &dyn ToSql); 1] = [(":key", &key)];
    let plain = text.plain();
    let found = rows(db, &keyed(MAY_HAVE_KEY), &When::default(), &of_key)?;
    Ok(found.into_iter().map(|found| found.fact).filter(|fact| fact.text.plain() == plain).collect())
}

/// The rows that stand of which `has` holds: those that may have the words of number `:key`.
fn keyed(has: &str) -> String {
    let side = Side::Now;
    format!(
        "{} FROM {} WHERE {} AND {SHOWN} AND {STANDING} AND {has} ORDER BY m.id",
        side.columns(),
        side.table(),
        side.condition()
    )
}

/// Gives every row that has none its number: those that were kept before there were numbers, or that another hand wrote.
pub fn number_all(db: &Connection) -> TxnResult<()> {
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
