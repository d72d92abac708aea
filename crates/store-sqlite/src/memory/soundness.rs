//! Whether the primary rows of a memory are intact, apart from derived data.
//!
//! SQLite's check stops at the first unreadable page, and names its tree. If that may be a full-text table or an
//! index, every other table is checked separately, row by row without indexes. Invariants: a damaged index or
//! full-text table never counts as damage of rows; unattributable damage does.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::{Connection, Error};

use super::fault::{Fault, TxnResult, is_damage};
use super::{full_text, parts};

/// Most sentences that one check gives.
const FINDINGS_MAX: u32 = 100;

/// Phrases in messages about an index that disagrees with its table: the rows are intact, and `REINDEX` repairs it.
const OF_AN_INDEX: &[&str] = &[
    "missing from index", "wrong # of entries in index", "non-unique entry in index",
    "values differ from index",
];

/// What is said of a page that two trees lead to.
const TWICE: &str = "2nd reference";

/// What stands behind the number of a page that nothing leads to.
const LEFT: &str = ": never used";

/// What is said of a full text that ends a check, where every other table is whole.
const UNREAD: &str = "a full text cannot be read";

/// What is said of a table whose check ended before its end: its rows or one of its indexes stopped it.
const NOT_WHOLE: &str = " or an index of it cannot be read whole";

/// What a check said, and what ended it before its end.
#[derive(Default)]
struct Said {
    lines: Vec<String>,
    ended: Option<Error>,
}

/// The first thing wrong with the pages or the rows of a database; `None` where at most an index or a full text
/// disagrees with its table. Error: what is no damage.
pub fn broken(db: &Connection) -> TxnResult<Option<String>> {
    let derived = Derived::of(db)?;
    let whole = said(db, &format!("PRAGMA quick_check({FINDINGS_MAX})"))?;
    let is_suspected = whole.ended.is_some() || whole.lines.iter().any(|line| derived.is_named(line));
    // Pages of recreated tables, or without their first page.
    let may_be_left = is_suspected || full_text::is_laid_out_anew(db)?;
    let excused =
        |line: &String| is_of_an_index(line) || derived.is_named(line) || may_be_left && line.ends_with(LEFT);
    if let Some(line) = whole.lines.iter().find(|line| !excused(line)) {
        return Ok(Some(line.clone()));
    }
    if is_suspected {
        for table in tables(db)? {
            if let Some(broken) = broken_table(db, &table, &derived)? {
                return Ok(Some(broken));
            }
        }
    }
    parts::lost(db)
}

/// The first thing wrong with the rows of one table. What its indexes say is left out where every row is read without
/// them, and the check got as far as the tree of the rows.
fn broken_table(db: &Connection, table: &str, derived: &Derived) -> TxnResult<Option<String>> {
    let part = of_table(db, "quick_check", table)?;
    let first = part.lines.iter().find(|line| !is_of_an_index(line) && !derived.is_named(line));
    if let Some(first) = first {
        return Ok(Some(first.clone()));
    }
    let is_of_its_index = part.lines.iter().any(|line| derived.index(line).is_some());
    match part.ended {
        Some(error) if !is_of_its_index => Ok(Some(error.to_string())),
        // As many sentences as are given may hide one about the rows.
        _ if is_of_its_index && part.lines.len() >= FINDINGS_MAX as usize => {
            Ok(part.lines.into_iter().next())
        }
        _ if is_of_its_index => unread(db, table),
        _ => Ok(None),
    }
}

/// Reads every value of every row without any index. What stops it, if something does.
fn unread(db: &Connection, table: &str) -> TxnResult<Option<String>> {
    let read = || -> Result<(), Error> {
        let mut query = db.prepare(&format!("SELECT * FROM {} NOT INDEXED", quoted(table)))?;
        let columns = query.column_count();
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            (0..columns).try_for_each(|column| row.get_ref(column).map(drop))?;
        }
        Ok(())
    };
    match read() {
        Ok(()) => Ok(None),
        Err(error) if is_damage(&error) => Ok(Some(error.to_string())),
        Err(error) => Err(error.into()),
    }
}

/// The trees of pages that hold nothing but what rows say.
struct Derived {
    full_texts: BTreeSet<i64>,
    /// Ordinary indexes: the first page, the name.
    indexes: BTreeMap<i64, String>,
}

impl Derived {
    fn of(db: &Connection) -> TxnResult<Self> {
        let full_texts = full_text::trees(db)?;
        let mut query =
            db.prepare("SELECT rootpage, name FROM sqlite_schema WHERE type = 'index' AND rootpage > 0")?;
        let all = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let mut indexes = all.collect::<Result<BTreeMap<i64, String>, _>>()?;
        indexes.retain(|tree, _| !full_texts.contains(tree));
        Ok(Self { full_texts, indexes })
    }

    /// Whether a sentence is about one of them. A page that two trees lead to is no page of it alone.
    fn is_named(&self, line: &str) -> bool {
        let of_full_text = |tree: i64| self.full_texts.contains(&tree);
        full_text::is_named(line)
            || self.index(line).is_some()
            || !line.contains(TWICE) && tree_of(line).is_some_and(of_full_text)
    }

    /// The ordinary index that a sentence is about.
    fn index(&self, line: &str) -> Option<&str> {
        let tree = tree_of(line).filter(|_| !line.contains(TWICE))?;
        self.indexes.get(&tree).map(String::as_str)
    }
}

/// Indexes of a table with unreadable pages: they are recreated, since they cannot be cleared.
pub fn broken_indexes(db: &Connection, table: &str) -> TxnResult<BTreeSet<String>> {
    let derived = Derived::of(db)?;
    let part = of_table(db, "quick_check", table)?;
    Ok(part.lines.iter().filter_map(|line| derived.index(line)).map(str::to_owned).collect())
}

/// Everything wrong with a database, one sentence each.
pub fn findings(db: &Connection) -> TxnResult<Vec<String>> {
    let whole = said(db, &format!("PRAGMA integrity_check({FINDINGS_MAX})"))?;
    let mut findings = whole.lines;
    if let Some(error) = whole.ended {
        for table in tables(db)? {
            let part = of_table(db, "integrity_check", &table)?;
            let ended = part.ended.map(|error| format!("{table}{NOT_WHOLE}: {error}"));
            let more = part.lines.into_iter().chain(ended);
            let new: Vec<String> = more.filter(|line| !findings.contains(line)).collect();
            findings.extend(new);
        }
        if findings.is_empty() {
            findings.push(format!("{UNREAD}: {error}"));
        }
    }
    findings.extend(parts::lost(db)?);
    match orphans(db) {
        Ok(orphans) => findings.extend(orphans),
        // It goes by indexes.
        Err(error) if is_damage(&error) => findings.push(format!("a table{NOT_WHOLE}: {error}")),
        Err(error) => return Err(error.into()),
    }
    Ok(findings)
}

fn orphans(db: &Connection) -> Result<Vec<String>, Error> {
    let mut query = db.prepare("PRAGMA foreign_key_check")?;
    let told = |table: String| format!("a row of {table} refers to a missing row");
    query.query_map([], |row| row.get(0).map(told))?.collect()
}

/// The same without what is wrong with what is derived from the rows. Error: that of rows that cannot be read.
pub fn findings_of_rows(db: &Connection) -> TxnResult<Vec<String>> {
    let mut findings = findings(db)?;
    let trees = Derived::of(db)?;
    let derived = |line: &String| {
        trees.is_named(line) || line.ends_with(LEFT) || line.starts_with(UNREAD) || line.contains(NOT_WHOLE)
    };
    findings.retain(|line| !is_of_an_index(line));
    if findings.iter().any(derived) && broken(db)?.is_none() {
        findings.retain(|line| !derived(line));
    }
    Ok(findings)
}

/// What the indexes of one table say against it, sentence by sentence.
pub fn of_indexes(db: &Connection, table: &str) -> TxnResult<Vec<String>> {
    let part = of_table(db, "integrity_check", table)?;
    match part.ended {
        Some(error) => Err(error.into()),
        None => Ok(part.lines),
    }
}

/// The tables that hold rows of their own, and the schema itself.
pub fn tables(db: &Connection) -> TxnResult<Vec<String>> {
    let mut query = db.prepare(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' ORDER BY name",
    )?;
    Ok(query.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?)
}

fn is_of_an_index(line: &str) -> bool {
    OF_AN_INDEX.iter().any(|words| line.contains(words))
}

/// The first page of the tree that a sentence is about: `Tree 45 page 46: …`.
fn tree_of(line: &str) -> Option<i64> {
    line.strip_prefix("Tree ")?.split(' ').next()?.parse().ok()
}

fn of_table(db: &Connection, check: &str, table: &str) -> TxnResult<Said> {
    said(db, &format!("PRAGMA {check}({})", quoted(table)))
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Runs a check. Error: what is neither damage nor about a full text.
fn said(db: &Connection, check: &str) -> TxnResult<Said> {
    let mut said = Said::default();
    let mut run = || -> Result<(), Error> {
        let mut query = db.prepare(check)?;
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            // What is wrong with pages comes in one row of several lines.
            let told: String = row.get(0)?;
            let lines = told.lines().filter(|line| *line != "ok" && !line.starts_with("*** in database"));
            said.lines.extend(lines.map(str::to_owned));
        }
        Ok(())
    };
    match run() {
        Err(error) if is_damage(&error) || full_text::is_about(&error) => said.ended = Some(error),
        Err(error) => return Err(Fault::Sql(error)),
        Ok(()) => {}
    }
    Ok(said)
}
