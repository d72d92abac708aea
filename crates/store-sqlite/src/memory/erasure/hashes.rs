//! Removes hashes: a hash confirms a guess of a short text.
//!
//! The hash of an existing text is no secret and stays, so counts continue. That of a removed text is removed with
//! its row, or replaced by a random one if the row has other data. Queries exist nowhere else, so all their hashes
//! are replaced with a discarded key: equal ones stay equal. Invariant: counts of existing texts do not change.

use inwit_model::Sha256;
use inwit_store::TextKey;
use inwit_store::memory::KnownTexts;
use rusqlite::{Connection, params};

use super::super::fault::TxnResult;
use super::super::row::Hash;

/// How the outcomes begin that inwit names itself: a search by its moment and question, and a day.
pub(super) const OUTCOMES: [&str; 2] = [SEARCH, "day:"];

const SEARCH: &str = "search:";

/// Lets go of what `known` does not know, and of every question. Answers with how many rows changed.
pub(super) fn let_go(db: &Connection, known: &KnownTexts) -> TxnResult<u64> {
    let stands = |hash: &Sha256| known.passages.contains(hash);
    let mut count = ratings(db, known)?;
    for (table, change) in [
        ("signals", "DELETE FROM signals WHERE text = ?1"),
        // What a passage says stands, though not in these bytes: its ratings stay.
        ("feedback", "UPDATE feedback SET text = randomblob(32) WHERE text = ?1"),
        ("tallies", "UPDATE tallies SET text = randomblob(32) WHERE text = ?1"),
        ("dream_reasons", "UPDATE dream_reasons SET text = randomblob(32) WHERE text = ?1"),
        ("promotions", "UPDATE promotions SET text = randomblob(32) WHERE text = ?1"),
    ] {
        count += each(db, table, "text", change, &|hash| !stands(hash))?;
    }
    let change = "UPDATE promotions SET bullet = randomblob(32) WHERE bullet = ?1";
    count += each(db, "promotions", "bullet", change, &|hash| !known.bullets.contains(hash))?;
    let change = "DELETE FROM marks WHERE entry = ?1";
    count += each(db, "marks", "entry", change, &|hash| known.marks.contains(hash))?;
    for session in &known.sessions {
        let sql = "UPDATE turns SET input = randomblob(32) WHERE session = ?1";
        count += db.prepare_cached(sql)?.execute([session.as_str()])? as u64;
    }
    seal_questions(db)?;
    Ok(count)
}

/// Lets go of the ratings of what is said nowhere any more.
fn ratings(db: &Connection, known: &KnownTexts) -> TxnResult<u64> {
    let mut count = 0;
    for table in ["feedback", "tallies", "graduates"] {
        let rated: Vec<i64> = {
            let mut query = db.prepare(&format!("SELECT DISTINCT key FROM {table}"))?;
            query.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?
        };
        let mut change = db.prepare(&format!("DELETE FROM {table} WHERE key = ?1"))?;
        for key in rated.into_iter().filter(|key| !known.keys.contains(&TextKey(key.cast_unsigned()))) {
            count += change.execute([key])? as u64;
        }
    }
    Ok(count)
}

/// Carries `change` out for each hash of a column that `goes`.
fn each(
    db: &Connection,
    table: &str,
    column: &str,
    change: &str,
    goes: &dyn Fn(&Sha256) -> bool,
) -> TxnResult<u64> {
    let mut gone = Vec::new();
    {
        let mut query = db.prepare(&format!("SELECT DISTINCT {column} FROM {table}"))?;
        for hash in query.query_map([], |row| row.get::<_, Hash>(0))? {
            let Hash(hash) = hash?;
            if goes(&hash) {
                gone.push(hash);
            }
        }
    }
    let mut change = db.prepare(change)?;
    let changed = gone.into_iter().map(|hash| change.execute([Hash(hash)]));
    changed.map(|changed| Ok(changed? as u64)).sum()
}

fn seal_questions(db: &Connection) -> TxnResult<()> {
    let key: Vec<u8> = db.query_row("SELECT randomblob(32)", [], |row| row.get(0))?;
    let sealed = |question: &[u8]| Sha256::of(&[key.as_slice(), question].concat());
    let asked: Vec<Hash> = {
        let mut query = db.prepare("SELECT DISTINCT query FROM signals")?;
        query.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?
    };
    let mut change = db.prepare("UPDATE signals SET query = ?2 WHERE query = ?1")?;
    for question in asked {
        let after = Hash(sealed(&question.0.0));
        change.execute(params![question, after])?;
    }
    let named: Vec<String> = {
        let mut query = db.prepare("SELECT DISTINCT outcome FROM feedback WHERE outcome LIKE ?1")?;
        query.query_map([format!("{SEARCH}%")], |row| row.get(0))?.collect::<Result<_, _>>()?
    };
    // Its time distinguishes searches, so no two become equal.
    let mut change = db.prepare("UPDATE feedback SET outcome = ?2 WHERE outcome = ?1")?;
    for outcome in named {
        let (moment, question) = outcome.rsplit_once(':').unwrap_or((&outcome, ""));
        let after = format!("{moment}:{}", sealed(question.as_bytes()).short(QUESTION_DIGITS));
        change.execute([&outcome, &after])?;
    }
    Ok(())
}

/// Hexadecimal digits of a question in the name of its search.
const QUESTION_DIGITS: usize = 16;
