//! Segments: writing one, and merging small ones.
//!
//! A segment is immutable. A change adds one; when [`PILE_MIN`] segments of similar size exist they are merged, so
//! that a query reads few of them and a passage is rewritten a logarithmic number of times. Passages without a file
//! are dropped by the merge.

use std::collections::HashMap;

use inwit_store::{IndexError, IndexedFile, IndexedPassage, StoredPassage};
use rusqlite::{Connection, params};

use crate::codec::{
    Columns, day_number, decode_terms, encode_secrets, encode_terms, file_sum, open_sealed, passage_sum,
    postings, push_posting, seal, traits_bits,
};
use crate::error::{DbResult, damaged};

/// How many segments of like size make a pile that is merged.
const PILE_MIN: usize = 4;

/// A segment is of like size while it holds at most this many times what the smaller ones hold together.
const PILE_RATIO: usize = 2;

/// Most passages in one segment: an id holds 24 bits of ordinal.
pub const SEGMENT_DOCS_MAX: usize = 1 << 24;

/// The id of a stored passage.
pub fn passage_id(segment: i64, ordinal: u32) -> i64 {
    (segment << 24) | i64::from(ordinal)
}

/// A segment in the making.
#[derive(Default)]
struct Draft {
    columns: Columns,
    label_ids: HashMap<String, u32>,
    label_names: Vec<String>,
    lists: HashMap<String, (Vec<u8>, u32)>,
}

impl Draft {
    fn next_ordinal(&self) -> u32 {
        self.columns.lengths.len() as u32
    }

    fn push(&mut self, passage: &IndexedPassage) {
        let label = passage.label.as_deref().map_or(0, |label| self.label_id(label));
        let columns = &mut self.columns;
        columns.lengths.push(passage.length);
        columns.sections.push(passage.section);
        columns.labels.push(label);
        columns.traits.push(traits_bits(passage.traits));
        columns.days.push(day_number(passage.date));
        columns.push_key(passage.key);
    }

    /// Takes over passage `at` of another segment.
    fn push_from(&mut self, source: &Columns, at: usize, label: Option<&str>) {
        let label = label.map_or(0, |label| self.label_id(label));
        let columns = &mut self.columns;
        columns.lengths.push(source.lengths[at]);
        columns.sections.push(source.sections[at]);
        columns.labels.push(label);
        columns.traits.push(source.traits[at]);
        columns.days.push(source.days[at]);
        columns.push_key(source.key(at));
    }

    fn label_id(&mut self, label: &str) -> u32 {
        if let Some(&id) = self.label_ids.get(label) {
            return id;
        }
        self.label_names.push(label.to_owned());
        let id = self.label_names.len() as u32;
        self.label_ids.insert(label.to_owned(), id);
        id
    }

    fn post(&mut self, term: &str, ordinal: u32, count: u32) {
        match self.lists.get_mut(term) {
            Some((list, last)) => {
                push_posting(list, Some(*last), ordinal, count);
                *last = ordinal;
            }
            None => {
                let mut list = Vec::with_capacity(4);
                push_posting(&mut list, None, ordinal, count);
                self.lists.insert(term.to_owned(), (list, ordinal));
            }
        }
    }

    /// Writes the segment's row and its lists; the passages are written by the caller.
    fn write(self, db: &Connection, segment: i64) -> DbResult<()> {
        db.execute(
            "UPDATE segments SET docs = ?2, columns = ?3, labels = ?4, terms = ?5 WHERE id = ?1",
            params![
                segment,
                i64::from(self.next_ordinal()),
                self.columns.encode(),
                self.label_names.join("\n"),
                encode_terms(self.lists.keys())
            ],
        )?;
        let mut lists: Vec<(String, (Vec<u8>, u32))> = self.lists.into_iter().collect();
        lists.sort_unstable_by(|left, right| left.0.cmp(&right.0));
        let mut insert =
            db.prepare_cached("INSERT INTO postings (segment, term, list) VALUES (?1, ?2, ?3)")?;
        for (term, (list, _)) in &lists {
            insert.execute(params![segment, term, seal(term, list)])?;
        }
        Ok(())
    }
}

fn open_segment(db: &Connection, set: i64) -> DbResult<i64> {
    db.execute(
        "INSERT INTO segments (set_id, docs, columns, labels, terms) VALUES (?1, 0, x'', '', x'')",
        [set],
    )?;
    Ok(db.last_insert_rowid())
}

/// Writes `files` as one new segment of `set`.
pub fn write_files(db: &Connection, set: i64, files: &[IndexedFile]) -> DbResult<()> {
    let docs: usize = files.iter().map(|file| file.passages.len()).sum();
    if docs >= SEGMENT_DOCS_MAX {
        let says = format!("{docs} passages exceed the maximum of one change");
        return Err(IndexError::Unwritable(says).into());
    }
    let segment = open_segment(db, set)?;
    let mut draft = Draft::default();
    let mut insert_passage = db
        .prepare_cached(
            "INSERT INTO passages (id, start, end, first_line, last_line, heading, text, sum) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )?;
    for file in files {
        let first = draft.next_ordinal();
        for passage in &file.passages {
            let ordinal = draft.next_ordinal();
            draft.push(passage);
            for (term, count) in &passage.terms {
                draft.post(term, ordinal, *count);
            }
            let StoredPassage { start, end, first_line, last_line, heading, text } = &passage.stored;
            insert_passage.execute(params![
                passage_id(segment, ordinal),
                *start as i64,
                *end as i64,
                first_line,
                last_line,
                heading,
                text,
                passage_sum(&passage.stored)
            ])?;
        }
        write_file_row(db, set, segment, first, file)?;
    }
    draft.write(db, segment)
}

fn write_file_row(db: &Connection, set: i64, segment: i64, first: u32, file: &IndexedFile) -> DbResult<()> {
    let mut insert = db
        .prepare_cached(
            "INSERT INTO files (set_id, name, segment, first, count, bytes, changed_ns, inode, sha256, clean_by, secrets, sum)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        )?;
    let (stamp, secrets, count) = (file.stamp, encode_secrets(&file.secrets), file.passages.len() as u32);
    insert.execute(params![
        set,
        file.name.as_str(),
        segment,
        first,
        count,
        stamp.map(|stamp| stamp.bytes as i64),
        stamp.map(|stamp| stamp.changed_ns),
        stamp.map(|stamp| stamp.inode as i64),
        &file.sha256.0[..],
        file.clean_by as i64,
        secrets,
        file_sum(file.name.as_str(), &file.sha256.0, file.clean_by, count, &secrets),
    ])?;
    Ok(())
}

/// One segment as the merge sees it: its id, size, and how many passages are still owned.
struct Standing {
    id: i64,
    docs: usize,
    live: usize,
}

/// Drops unowned passages, and merges if there are too many segments.
pub fn tidy(db: &Connection, set: i64) -> DbResult<()> {
    let mut standings = standings(db, set)?;
    let dead: Vec<i64> = standings.iter().filter(|one| one.live == 0).map(|one| one.id).collect();
    for id in dead {
        drop_segment(db, id)?;
    }
    standings.retain(|one| one.live > 0);
    standings.sort_by_key(|one| (one.live, one.id));
    let pile = pile(&standings);
    let sources: Vec<&Standing> = standings
        .iter()
        .enumerate()
        .filter(|(at, one)| *at < pile || one.live * 2 < one.docs)
        .map(|(_, one)| one)
        .collect();
    let total: usize = sources.iter().map(|one| one.live).sum();
    if sources.is_empty() || total > SEGMENT_DOCS_MAX {
        return Ok(());
    }
    merge(db, set, &sources)
}

/// How many of the smallest segments are of like size and enough for a merge.
fn pile(ascending: &[Standing]) -> usize {
    let mut held = 0;
    let alike = ascending.iter().take_while(|one| {
        let alike = held == 0 || one.live <= PILE_RATIO * held;
        held += one.live;
        alike
    });
    Some(alike.count()).filter(|count| *count >= PILE_MIN).unwrap_or(0)
}

fn standings(db: &Connection, set: i64) -> DbResult<Vec<Standing>> {
    let mut query = db
        .prepare_cached(
            "SELECT s.id, s.docs, coalesce((SELECT sum(f.count) FROM files f WHERE f.set_id = s.set_id AND f.segment = s.id), 0)
             FROM segments s WHERE s.set_id = ?1",
        )?;
    let rows = query.query_map([set], |row| {
        Ok(Standing {
            id: row.get(0)?,
            docs: row.get::<_, i64>(1)? as usize,
            live: row.get::<_, i64>(2)? as usize,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn drop_segment(db: &Connection, id: i64) -> DbResult<()> {
    let passages = [passage_id(id, 0), passage_id(id + 1, 0)];
    db.execute("DELETE FROM passages WHERE id >= ?1 AND id < ?2", passages)?;
    db.execute("DELETE FROM postings WHERE segment = ?1", [id])?;
    db.execute("DELETE FROM segments WHERE id = ?1", [id])?;
    Ok(())
}

fn merge(db: &Connection, set: i64, sources: &[&Standing]) -> DbResult<()> {
    let target = open_segment(db, set)?;
    let mut draft = Draft::default();
    for source in sources {
        let moved = move_files(db, set, source, target, &mut draft)?;
        move_postings(db, source.id, &moved, &mut draft)?;
        drop_segment(db, source.id)?;
    }
    draft.write(db, target)
}

/// New ordinal by old ordinal; `u32::MAX` for an unowned passage.
type Moves = Vec<u32>;

fn move_files(
    db: &Connection,
    set: i64,
    source: &Standing,
    target: i64,
    draft: &mut Draft,
) -> DbResult<Moves> {
    let (blob, labels): (Vec<u8>, String) =
        db.query_row("SELECT columns, labels FROM segments WHERE id = ?1", [source.id], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
    let columns = Columns::decode(&blob, source.docs).ok_or_else(|| damaged("a segment"))?;
    let label_names: Vec<&str> = labels.split('\n').collect();
    let mut files = db.prepare_cached(
        "SELECT name, first, count FROM files WHERE set_id = ?1 AND segment = ?2 ORDER BY first",
    )?;
    let owned: Vec<(String, u32, u32)> = files
        .query_map([set, source.id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .and_then(Iterator::collect)?;
    let mut moves = vec![u32::MAX; source.docs];
    for (name, first, count) in owned {
        let base = draft.next_ordinal();
        for old in first..first + count {
            let at = old as usize;
            if at >= moves.len() {
                return Err(damaged("a file's passages"));
            }
            moves[at] = draft.next_ordinal();
            let label = (columns.labels[at] as usize)
                .checked_sub(1)
                .and_then(|label| label_names.get(label))
                .copied();
            draft.push_from(&columns, at, label);
        }
        let shift = passage_id(target, base) - passage_id(source.id, first);
        db.prepare_cached(
            "INSERT INTO passages SELECT id + ?3, start, end, first_line, last_line, heading, text, sum FROM passages WHERE id >= ?1 AND id < ?2",
        )
        .and_then(|mut copy| {
            copy.execute(params![passage_id(source.id, first), passage_id(source.id, first) + i64::from(count), shift])
        })?;
        db.prepare_cached("UPDATE files SET segment = ?3, first = ?4 WHERE set_id = ?1 AND name = ?2")
            .and_then(|mut update| update.execute(params![set, name, target, base]))?;
    }
    Ok(moves)
}

fn move_postings(db: &Connection, source: i64, moves: &Moves, draft: &mut Draft) -> DbResult<()> {
    let mut query = db.prepare_cached("SELECT term, list FROM postings WHERE segment = ?1")?;
    let mut rows = query.query([source])?;
    let mut lists = 0;
    while let Some(row) = rows.next()? {
        lists += 1;
        let term = row.get_ref(0)?.as_str().map_err(|_| damaged("a term"))?;
        let list = row.get_ref(1)?.as_blob().map_err(|_| damaged("a posting list"))?;
        let list = open_sealed(term, list).ok_or_else(|| damaged("a posting list"))?;
        for posting in postings(list) {
            let (old, count) = posting.ok_or_else(|| damaged("a posting list"))?;
            let new = *moves.get(old as usize).ok_or_else(|| damaged("a posting list"))?;
            if new != u32::MAX {
                draft.post(term, new, count);
            }
        }
    }
    // A list that a flipped bit hides would be lost for good here.
    if lists == known_terms(db, source)? { Ok(()) } else { Err(damaged("a posting list")) }
}

/// How many terms a segment has.
fn known_terms(db: &Connection, segment: i64) -> DbResult<usize> {
    let blob: Vec<u8> =
        db.query_row("SELECT terms FROM segments WHERE id = ?1", [segment], |row| row.get(0))?;
    Ok(decode_terms(&blob).ok_or_else(|| damaged("a segment"))?.len())
}
