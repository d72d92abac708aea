//! Whether the rows of a memory are whole, apart from what is only derived from them.
//!
//! SQLite's check ends at the first thing that it cannot read, and names the tree of pages it met it in. Where that may
//! have been the full text, every other table is looked at by itself. Invariants: an index or a full text that is damaged
//! never counts as damage of the rows; what cannot be attributed does.

use rusqlite::{Connection, Error};

use super::fault::{Fault, Worked, is_damage};
use super::full_text;

/// Most sentences that one check gives.
const FINDINGS_MAX: u32 = 100;

/// Words of the sentences about an index that disagrees with its table: the rows are whole, and `REINDEX` mends it.
const OF_AN_INDEX: &[&str] = &[
    "missing from index",
    "wrong # of entries in index",
    "non-unique entry in index",
    "values differ from index",
];

/// What stands behind the number of a page that nothing leads to.
const LEFT: &str = ": never used";

/// What is said of a full text that ends a check, where every other table is whole.
const UNREAD: &str = "a full text cannot be read";

/// What a check said, and what ended it before its end.
#[derive(Default)]
struct Said {
    lines: Vec<String>,
    ended: Option<Error>,
}

/// The first thing wrong with the pages or the rows of a database; `None` where at most an index or a full text
/// disagrees with its table. Error: what is no damage.
pub fn broken(db: &Connection) -> Worked<Option<String>> {
    let trees = full_text::trees(db)?;
    let whole = said(db, &format!("PRAGMA quick_check({FINDINGS_MAX})"))?;
    let of_full_text = |line: &String| {
        full_text::is_named(line)
            // A page that two trees lead to is no page of the full text alone.
            || !line.contains("2nd reference") && tree_of(line).is_some_and(|tree| trees.contains(&tree))
    };
    let is_suspected = whole.ended.is_some() || whole.lines.iter().any(of_full_text);
    // Pages of a full text that was laid out anew, or whose first page is gone.
    let may_be_left = is_suspected || full_text::is_laid_out_anew(db)?;
    let excused =
        |line: &String| is_of_an_index(line) || of_full_text(line) || may_be_left && line.ends_with(LEFT);
    if let Some(line) = whole.lines.iter().find(|line| !excused(line)) {
        return Ok(Some(line.clone()));
    }
    if is_suspected {
        for table in tables(db)? {
            let part = of_table(db, "quick_check", &table)?;
            let first = part.lines.into_iter().find(|line| !is_of_an_index(line));
            if first.is_some() || part.ended.is_some() {
                return Ok(first.or(part.ended.map(|error| error.to_string())));
            }
        }
    }
    Ok(None)
}

/// Everything wrong with a database, one sentence each.
pub fn findings(db: &Connection) -> Worked<Vec<String>> {
    let whole = said(db, &format!("PRAGMA integrity_check({FINDINGS_MAX})"))?;
    let mut findings = whole.lines;
    if let Some(error) = whole.ended {
        for table in tables(db)? {
            let part = of_table(db, "integrity_check", &table)?;
            let more = part.lines.into_iter().chain(part.ended.map(|error| error.to_string()));
            let new: Vec<String> = more.filter(|line| !findings.contains(line)).collect();
            findings.extend(new);
        }
        if findings.is_empty() {
            findings.push(format!("{UNREAD}: {error}"));
        }
    }
    let mut query = db.prepare("PRAGMA foreign_key_check")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        findings.push(format!("a row of {} has lost what it belongs to", row.get::<_, String>(0)?));
    }
    Ok(findings)
}

/// The same without what is wrong with what is derived from the rows. Error: that of rows that cannot be read.
pub fn findings_of_rows(db: &Connection) -> Worked<Vec<String>> {
    let mut findings = findings(db)?;
    let trees = full_text::trees(db)?;
    let derived = |line: &String| {
        full_text::is_named(line)
            || line.ends_with(LEFT)
            || line.starts_with(UNREAD)
            || tree_of(line).is_some_and(|tree| trees.contains(&tree))
    };
    findings.retain(|line| !is_of_an_index(line));
    if findings.iter().any(derived) && broken(db)?.is_none() {
        findings.retain(|line| !derived(line));
    }
    Ok(findings)
}

/// What the indexes of one table say against it, sentence by sentence.
pub fn of_indexes(db: &Connection, table: &str) -> Worked<Vec<String>> {
    let part = of_table(db, "integrity_check", table)?;
    match part.ended {
        Some(error) => Err(error.into()),
        None => Ok(part.lines),
    }
}

/// The tables that hold rows of their own, and the schema itself.
pub fn tables(db: &Connection) -> Worked<Vec<String>> {
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

fn of_table(db: &Connection, check: &str, table: &str) -> Worked<Said> {
    said(db, &format!("PRAGMA {check}(\"{}\")", table.replace('"', "\"\"")))
}

/// Runs a check. Error: what is neither damage nor about a full text.
fn said(db: &Connection, check: &str) -> Worked<Said> {
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
