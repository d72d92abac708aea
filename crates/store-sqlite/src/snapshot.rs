//! A consistent snapshot of a set: a connection in a read transaction.

use std::sync::{Arc, OnceLock};

use inwit_model::{SafeName, Sha256};
use inwit_store::{
    Corpus, CorpusFile, ENDED_TERM_CHARS_MIN, Follows, IndexError, Posting, Snapshot, StoredPassage,
    is_series, reading_order,
};
use rusqlite::{Connection, Row};

use crate::codec::{self, bits_traits, number_day, postings};
use crate::error::{DbResult, damaged, sorted};
use crate::pool::Lease;
use crate::segment::passage_id;

/// A read transaction: begun now, ended when dropped.
pub struct ReadTxn(Lease<Connection>);

impl ReadTxn {
    /// Begins reading; what other connections commit from here on is not seen.
    pub fn begin(connection: Lease<Connection>) -> DbResult<Self> {
        connection.execute_batch("BEGIN")?;
        Ok(Self(connection))
    }

    /// The connection to read from.
    pub fn db(&self) -> &Connection {
        &self.0
    }

    /// The epoch of its connection.
    pub fn epoch(&self) -> u64 {
        self.0.epoch()
    }
}

impl Drop for ReadTxn {
    fn drop(&mut self) {
        // Nothing was written, so there is nothing that a failure here could lose.
        let _ = self.0.execute_batch("ROLLBACK");
    }
}

/// The passages of a set in reading order, and where each is stored.
#[derive(Default)]
pub struct StoredCorpus {
    corpus: Arc<Corpus>,
    segments: Vec<SegmentMap>,
    /// By file of the corpus, the id of its first passage.
    first_ids: Vec<i64>,
}

/// Most bytes of long terms of a segment that are kept in memory; terms beyond are not found by their ending.
const LONG_TERMS_BYTES_MAX: usize = 4 << 20;

/// Maps the ordinals of one stored segment to positions.
#[derive(Debug, Clone)]
struct SegmentMap {
    /// The segment.
    id: i64,
    /// Position by ordinal; [`SegmentMap::GONE`] where the passage is no longer there.
    positions: Vec<u32>,
    /// Fingerprints of the terms that the segment has, ascending.
    terms: Vec<u64>,
    /// Filled by the first look-up by ending. A segment never changes, so neither does this.
    long_terms: Arc<OnceLock<LongTerms>>,
}

impl SegmentMap {
    /// Marks a passage that is no longer there.
    const GONE: u32 = u32::MAX;
}

/// See [`Snapshot`].
pub struct SqliteSnapshot {
    txn: ReadTxn,
    stored: Arc<StoredCorpus>,
}

impl SqliteSnapshot {
    pub(crate) fn new(txn: ReadTxn, stored: Arc<StoredCorpus>) -> Self {
        Self { txn, stored }
    }

    /// The first `most` terms of `segment` that begin with `beginning`.
    fn terms_from(&self, segment: &SegmentMap, beginning: &str, most: usize) -> DbResult<Vec<String>> {
        let mut query = self.txn.db().prepare_cached(
            "SELECT term FROM postings WHERE segment = ?1 AND term >= ?2 AND term < ?3 ORDER BY term LIMIT ?4",
        )?;
        // No term has a character above the last one.
        let end = format!("{beginning}{}", char::MAX);
        let mut rows = query.query((segment.id, beginning, &end, most as i64))?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            found.push(row.get(0)?);
        }
        Ok(found)
    }

    /// The long terms of `segment`. The first call reads the dictionary of the segment, later ones nothing.
    fn long_terms<'s>(&self, segment: &'s SegmentMap) -> DbResult<&'s LongTerms> {
        if let Some(terms) = segment.long_terms.get() {
            return Ok(terms);
        }
        let mut query = self.txn.db().prepare_cached(
            "SELECT term FROM postings WHERE segment = ?1 AND length(term) >= ?2 ORDER BY term",
        )?;
        let mut rows = query.query((segment.id, ENDED_TERM_CHARS_MIN as i64))?;
        let mut lines = String::from("\n");
        while let Some(row) = rows.next()? {
            let term = row.get_ref(0)?.as_str().map_err(|_| damaged("a term"))?;
            if lines.len() + term.len() > LONG_TERMS_BYTES_MAX {
                break;
            }
            if term.chars().all(char::is_alphabetic) {
                lines.push_str(term);
                lines.push('\n');
            }
        }
        Ok(segment.long_terms.get_or_init(|| LongTerms(lines.into_boxed_str())))
    }
}

/// Terms one a line, in order of their bytes, with a line break before the first and after each: one search of a string
/// finds those with an ending.
#[derive(Debug)]
struct LongTerms(Box<str>);

impl LongTerms {
    fn ended(&self, ending: &str) -> impl Iterator<Item = &str> {
        let line = format!("{ending}\n");
        let mut from = 0;
        std::iter::from_fn(move || {
            let at = from + self.0[from..].find(&line)?;
            from = at + line.len();
            let start = self.0[..at].rfind('\n')? + 1;
            Some(&self.0[start..from - 1])
        })
    }
}

impl Snapshot for SqliteSnapshot {
    fn corpus(&self) -> &Arc<Corpus> {
        &self.stored.corpus
    }

    fn postings(&self, term: &str) -> Result<Vec<Posting>, IndexError> {
        sorted(|| {
            let mut query =
                self.txn.db().prepare_cached("SELECT list FROM postings WHERE segment = ?1 AND term = ?2")?;
            let mut found = Vec::new();
            let fingerprint = codec::fingerprint(term);
            for segment in &self.stored.segments {
                let mut rows = query.query((segment.id, term))?;
                let Some(row) = rows.next()? else {
                    // A flipped bit may hide a row; that is damage, not an absent word.
                    if segment.terms.binary_search(&fingerprint).is_ok() {
                        return Err(damaged("a posting list"));
                    }
                    continue;
                };
                let list = row.get_ref(0)?.as_blob().map_err(|_| damaged("a posting list"))?;
                let list = codec::open_sealed(term, list).ok_or_else(|| damaged("a posting list"))?;
                for posting in postings(list) {
                    let (ordinal, count) = posting.ok_or_else(|| damaged("a posting list"))?;
                    let position =
                        *segment.positions.get(ordinal as usize).ok_or_else(|| damaged("a posting list"))?;
                    if position != SegmentMap::GONE {
                        found.push(Posting { position, count });
                    }
                }
            }
            found.sort_unstable_by_key(|posting| posting.position);
            Ok(found)
        })
    }

    fn terms_like(&self, beginning: &str, ending: &str, most: usize) -> Result<Vec<String>, IndexError> {
        sorted(|| {
            let mut found = Vec::new();
            for segment in &self.stored.segments {
                if ending.is_empty() {
                    found.extend(self.terms_from(segment, beginning, most)?);
                } else {
                    let ended = self.long_terms(segment)?.ended(ending);
                    found.extend(
                        ended.filter(|term| term.starts_with(beginning)).take(most).map(str::to_owned),
                    );
                }
            }
            found.sort_unstable();
            found.dedup();
            Ok(found)
        })
    }

    fn passages(&self, positions: &[u32]) -> Result<Vec<StoredPassage>, IndexError> {
        sorted(|| {
            let mut query = self.txn.db().prepare_cached(
                "SELECT start, end, first_line, last_line, heading, text, sum FROM passages WHERE id = ?1",
            )?;
            let StoredCorpus { corpus, first_ids, .. } = &*self.stored;
            let ids = positions.iter().map(|&position| {
                let at = corpus.file_at(position);
                let (file, id) =
                    corpus.files.get(at).zip(first_ids.get(at)).ok_or_else(|| damaged("a position"))?;
                Ok(id + i64::from(position - file.first))
            });
            ids.map(|id: DbResult<i64>| {
                let (passage, sum) =
                    query.query_row([id?], |row| Ok((stored(row)?, row.get::<_, i64>(6)?)))?;
                if codec::passage_sum(&passage) == sum { Ok(passage) } else { Err(damaged("a passage")) }
            })
            .collect()
        })
    }
}

fn stored(row: &Row<'_>) -> rusqlite::Result<StoredPassage> {
    Ok(StoredPassage {
        start: row.get::<_, i64>(0)? as u64,
        end: row.get::<_, i64>(1)? as u64,
        first_line: row.get(2)?,
        last_line: row.get(3)?,
        heading: row.get(4)?,
        text: row.get(5)?,
    })
}

/// Where a file's passages lie.
struct StoredFile {
    name: SafeName,
    sha256: Sha256,
    clean_by: u64,
    segment: i64,
    first: u32,
    count: u32,
}

/// A segment as it was read.
struct ReadSegment {
    id: i64,
    values: codec::Columns,
    /// Fingerprints of its terms.
    terms: Vec<u64>,
    /// Index into the corpus's label names plus one, by the segment's own label number.
    labels: Vec<u32>,
}

/// Lays the live passages of set `id` out in reading order.
pub fn load_corpus(db: &Connection, id: i64, generation: i64) -> DbResult<StoredCorpus> {
    let mut corpus = Corpus { generation, ..Corpus::default() };
    let mut segments = read_segments(db, id, &mut corpus.label_names)?;
    let mut files = read_files(db, id)?;
    files.sort_by(|left, right| reading_order(&left.name, &right.name));
    let mut maps: Vec<SegmentMap> = segments
        .iter_mut()
        .map(|segment| SegmentMap {
            id: segment.id,
            positions: vec![SegmentMap::GONE; segment.values.lengths.len()],
            terms: std::mem::take(&mut segment.terms),
            long_terms: Arc::default(),
        })
        .collect();
    let (mut last, mut first_ids) = (None, Vec::with_capacity(files.len()));
    for file in files {
        let first = corpus.len() as u32;
        if file.count > 0 {
            let at = segments
                .iter()
                .position(|segment| segment.id == file.segment)
                .ok_or_else(|| damaged("a segment"))?;
            let range = file.first as usize..(file.first + file.count) as usize;
            let values = &segments[at].values;
            let places =
                maps[at].positions.get_mut(range.clone()).ok_or_else(|| damaged("a file's passages"))?;
            places.iter_mut().zip(first..).for_each(|(place, position)| *place = position);
            corpus.lengths.extend_from_slice(&values.lengths[range.clone()]);
            extend_follows(&mut corpus, &mut last, &file.name, &values.sections[range.clone()]);
            let names = &segments[at].labels;
            corpus.traits.extend(values.traits[range.clone()].iter().map(|&bits| bits_traits(bits)));
            extend_entries(&mut corpus, first);
            corpus.dates.extend(values.days[range.clone()].iter().map(|&day| number_day(day)));
            corpus.keys.extend(range.clone().map(|at| values.key(at)));
            corpus.labels.extend(
                values.labels[range].iter().map(|&label| names.get(label as usize).copied().unwrap_or(0)),
            );
        }
        first_ids.push(passage_id(file.segment, file.first));
        corpus.files.push(CorpusFile {
            name: file.name,
            sha256: file.sha256,
            clean_by: file.clean_by,
            first,
            count: file.count,
        });
    }
    Ok(StoredCorpus { corpus: Arc::new(corpus), segments: maps, first_ids })
}

/// The last passage before a file: whose it is, and under which heading.
type Last = Option<(SafeName, u32)>;

fn extend_follows(corpus: &mut Corpus, last: &mut Last, name: &SafeName, sections: &[u32]) {
    for &section in sections {
        let follows = match last.as_ref() {
            Some((file, _)) if file != name && !is_series(file, name) => Follows::Apart,
            Some((_, heading)) if *heading == section => Follows::SameHeading,
            Some(_) => Follows::OtherHeading,
            None => Follows::Apart,
        };
        corpus.follows.push(follows);
        match last {
            Some((file, heading)) if file == name => *heading = section,
            _ => *last = Some((name.clone(), section)),
        }
    }
}

/// Numbers the entries of the passages from position `first` on, which begin a file.
fn extend_entries(corpus: &mut Corpus, first: u32) {
    for at in first as usize..corpus.traits.len() {
        let continues = at > first as usize && corpus.traits[at].continues_entry;
        corpus.entries.push((corpus.entry_count() as u32).saturating_sub(u32::from(continues)));
    }
}

fn read_segments(db: &Connection, set: i64, label_names: &mut Vec<String>) -> DbResult<Vec<ReadSegment>> {
    let mut known: std::collections::HashMap<String, u32> = std::collections::HashMap::new();
    let mut query = db.prepare_cached(
        "SELECT id, docs, columns, labels, terms FROM segments WHERE set_id = ?1 ORDER BY id",
    )?;
    let mut rows = query.query([set])?;
    let mut segments = Vec::new();
    while let Some(row) = rows.next()? {
        let blob = row.get_ref(2)?.as_blob().map_err(|_| damaged("a segment"))?;
        let docs: i64 = row.get(1)?;
        let values = codec::Columns::decode(blob, docs as usize).ok_or_else(|| damaged("a segment"))?;
        let names: String = row.get(3)?;
        let mut labels = vec![0];
        for name in names.split('\n').filter(|name| !name.is_empty()) {
            labels.push(*known.entry(name.to_owned()).or_insert_with(|| {
                label_names.push(name.to_owned());
                label_names.len() as u32
            }));
        }
        let terms = row.get_ref(4)?.as_blob().map_err(|_| damaged("a segment"))?;
        let terms = codec::decode_terms(terms).ok_or_else(|| damaged("a segment"))?;
        segments.push(ReadSegment { id: row.get(0)?, values, terms, labels });
    }
    Ok(segments)
}

fn read_files(db: &Connection, set: i64) -> DbResult<Vec<StoredFile>> {
    let mut query = db.prepare_cached(
        "SELECT name, segment, first, count, sha256, sum, clean_by, secrets FROM files WHERE set_id = ?1",
    )?;
    let mut rows = query.query([set])?;
    let mut files = Vec::new();
    while let Some(row) = rows.next()? {
        let name: String = row.get(0)?;
        let lying = StoredFile {
            name: SafeName::parse(&name).map_err(|_| damaged("a file's name"))?,
            sha256: Sha256(row.get(4)?),
            clean_by: row.get::<_, i64>(6)? as u64,
            segment: row.get(1)?,
            first: row.get(2)?,
            count: row.get(3)?,
        };
        let secrets = row.get_ref(7)?.as_str().map_err(|_| damaged("a file"))?;
        if codec::file_sum(&name, &lying.sha256.0, lying.clean_by, lying.count, secrets)
            != row.get::<_, i64>(5)?
        {
            return Err(damaged("a file"));
        }
        files.push(lying);
    }
    Ok(files)
}
