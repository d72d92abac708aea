//! Searches facts: by an FTS5 expression, by words, by characters.
//!
//! Best first by BM25, then last changed. Ranking costs time per match, so at most [`FACT_RANKED_ROWS_MAX`] are
//! ranked ([`broad`] selects them), which the answer reports. Invariants: a query is data: an invalid expression is
//! searched by its words, and scope and time filters are separate; within the limit the order is that of plain FTS5;
//! a damaged full-text table costs the order, not the answer.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use inwit_model::fact::When;
use inwit_store::memory::facts::{
    FACT_EXPRESSION_BYTES_MAX, FACT_HIDDEN_ROWS_MAX, FACT_LETTERS_READ_MAX, FACT_PHRASE_CHARS_MAX,
    FACT_QUERY_WORDS_MAX, FACT_RANKED_ROWS_MAX, FactsFound, FoundBy, ShownOf,
};
use jiff::Timestamp;
use rusqlite::{Connection, ErrorCode, ToSql};

use super::super::fault::{Fault, TxnResult, is_damage};
use super::super::full_text;
use super::super::receipts::limit_of;
use super::broad;
use super::letters::{self, Holders};
use super::{SHOWN, STANDING, ScoredFact, Side, rows, seen};

pub fn search(
    db: &Connection,
    query: &str,
    when: &When,
    limit: usize,
    shown: Option<&ShownOf<'_>>,
) -> TxnResult<FactsFound> {
    Search { db, when, state: STANDING, limit, looked_at: looked_at(limit, shown), shown }.run(query)
}

/// The same of retired facts.
pub fn retired(
    db: &Connection,
    query: &str,
    limit: usize,
    shown: Option<&ShownOf<'_>>,
) -> TxnResult<FactsFound> {
    let (when, looked_at) = (&When::default(), looked_at(limit, shown));
    Search { db, when, state: "m.status = 'retired'", limit, looked_at, shown }.run(query)
}

/// Candidates for `limit` results. If facts are partly masked, more, so that rows matching only by hidden words
/// displace none.
fn looked_at(limit: usize, shown: Option<&ShownOf<'_>>) -> usize {
    if shown.is_some() { limit.saturating_add(FACT_HIDDEN_ROWS_MAX) } else { limit }
}

/// One search: at which moments, of which rows, how many.
pub(super) struct Search<'a> {
    pub db: &'a Connection,
    pub when: &'a When,
    pub state: &'static str,
    pub limit: usize,
    pub looked_at: usize,
    /// The shown text of a fact; `None`: the stored text.
    pub shown: Option<&'a ShownOf<'a>>,
}

/// Rows that a question matches, and whether more matched than were ranked.
#[derive(Default)]
pub(super) struct Matched {
    pub rows: Vec<ScoredFact>,
    pub is_part: bool,
}

impl Search<'_> {
    fn run(&self, query: &str) -> TxnResult<FactsFound> {
        // SQLite reads an expression up to its first NUL.
        let query = query.replace('\0', " ");
        match self.by_full_text(&query) {
            // It is derived from the rows, so these answer in its place; what is wrong with them is found out by that.
            Err(Fault::Sql(error)) if is_damage(&error) || full_text::is_about(&error) => {
                self.by_rows(&query)
            }
            found => found,
        }
    }

    /// Facts that hold words of the question, those with most of them first, without the full text.
    fn by_rows(&self, query: &str) -> TxnResult<FactsFound> {
        let Words { spaced, spaceless, is_cut } = Words::of(query);
        let mut found: Vec<ScoredFact> = Vec::new();
        let mut places: BTreeMap<(i64, Timestamp), usize> = BTreeMap::new();
        let spaced = spaced.iter().map(|word| word.trim_matches('"').to_owned());
        for word in spaced.chain(pairs(&spaceless)) {
            for one in self.reading(&[word], 1)? {
                match places.entry((one.fact.number, one.fact.believed_from)) {
                    Entry::Occupied(place) => found[*place.get()].score -= 1.0,
                    Entry::Vacant(place) => {
                        place.insert(found.len());
                        found.push(one);
                    }
                }
            }
        }
        let found = self.answer(Matched { rows: found, is_part: false }, FoundBy::Letters, is_cut);
        Ok(FactsFound { is_by_rows: true, ..found })
    }

    fn by_full_text(&self, query: &str) -> TxnResult<FactsFound> {
        if may_be_expression(query) {
            let found = self.expressed(query).map(Some).or_else(|fault| match fault {
                Fault::Sql(error) if is_about_the_question(&error) => Ok(None),
                fault => Err(fault),
            })?;
            let letters = Letters::of(query);
            if let (Some(letters), true) =
                (&letters, found.as_ref().is_none_or(|found| found.rows.is_empty()))
            {
                let rows = self.holding(&letters.pieces, letters.least)?;
                return Ok(self.answer(Matched { rows, is_part: false }, FoundBy::Letters, false));
            }
            if let Some(found) = found.filter(|found| !found.rows.is_empty() || is_expression(query)) {
                return Ok(self.answer(found, FoundBy::Expression, false));
            }
        }
        let Words { spaced, spaceless, is_cut } = Words::of(query);
        if !spaced.is_empty() || !spaceless.is_empty() {
            let mut found = Matched::default();
            if !spaced.is_empty() {
                found = broad::any_of(self, &spaced)?;
            }
            // The full text knows no words where none are parted by blanks: those are looked up by their letters.
            let by = if found.rows.is_empty() { FoundBy::Letters } else { FoundBy::Words };
            if !spaceless.is_empty() {
                found.rows.extend(self.holding(&pairs(&spaceless), 1)?);
            }
            // What holds none of the pieces holds no whole of them: it need not be looked for.
            let is_whole = query.trim().chars().nth(FACT_PHRASE_CHARS_MAX).is_none();
            if !found.rows.is_empty() || (!spaceless.is_empty() && is_whole) {
                return Ok(self.answer(found, by, is_cut));
            }
        }
        let phrase: String = query.trim().chars().take(FACT_PHRASE_CHARS_MAX).collect();
        let is_phrase_cut = phrase.len() < query.trim().len();
        let rows = if phrase.is_empty() { Vec::new() } else { self.holding(&[phrase], 1)? };
        let found = self.answer(Matched { rows, is_part: false }, FoundBy::Letters, is_cut);
        Ok(FactsFound { is_phrase_cut, ..found })
    }

    fn answer(&self, found: Matched, by: FoundBy, is_cut: bool) -> FactsFound {
        let Matched { rows: mut found, is_part } = found;
        found.sort_by(|a, b| a.score.total_cmp(&b.score).then(b.fact.changed.cmp(&a.fact.changed)));
        let mut known = BTreeSet::new();
        found.retain(|found| known.insert((found.fact.number, found.fact.believed_from)));
        found.truncate(self.limit);
        FactsFound {
            facts: found.into_iter().map(|found| found.fact).collect(),
            by,
            is_cut,
            is_phrase_cut: false,
            is_part,
            is_by_rows: false,
        }
    }

    /// The facts that the question matches as an expression. One that asks for what a fact does not say may match what
    /// is shown of a fact that says it: those are looked for by its other words.
    fn expressed(&self, query: &str) -> TxnResult<Matched> {
        let mut found = self.matching(query)?;
        if self.shown.is_some() && query.split_whitespace().any(|word| word == "NOT") {
            let Words { spaced, .. } = Words::of(query);
            let known: BTreeSet<i64> = found.rows.iter().map(|row| row.fact.number).collect();
            let others = if spaced.is_empty() { Matched::default() } else { broad::any_of(self, &spaced)? };
            let is_another = |row: &ScoredFact| {
                !known.contains(&row.fact.number)
                    && self.shown.is_some_and(|shown| shown(&row.fact).is_some())
            };
            found.rows.extend(others.rows.into_iter().filter(is_another));
        }
        found.rows = seen::matching(found.rows, self.shown, query)?;
        Ok(found)
    }

    /// The best facts that an FTS5 expression matches; of more than are ranked, the best of the latest written.
    pub fn matching(&self, expression: &str) -> TxnResult<Matched> {
        let mut all = Matched::default();
        for side in Side::of(self.when) {
            let hits = broad::hits(self, *side, expression)?;
            all.is_part |= hits.len() > FACT_RANKED_ROWS_MAX;
            all.rows.extend(broad::best(self, *side, hits)?);
        }
        Ok(all)
    }

    /// Facts that hold the letters of at least so many of `phrases` as they stand, whatever the case of ASCII letters;
    /// those first that hold most of them.
    fn holding(&self, phrases: &[String], least: usize) -> TxnResult<Vec<ScoredFact>> {
        if self.are_few()? { self.reading(phrases, least) } else { self.looked_up(phrases, least) }
    }

    /// Whether no more rows stand there than are read as fast as looked up.
    fn are_few(&self) -> TxnResult<bool> {
        for side in Side::of(self.when) {
            let sql = format!("SELECT count(*) FROM (SELECT 1 FROM {}_docsize LIMIT ?1)", side.words());
            let rows: i64 = self
                .db
                .prepare_cached(&sql)?
                .query_row([limit_of(FACT_LETTERS_READ_MAX + 1)], |row| row.get(0))?;
            if rows > limit_of(FACT_LETTERS_READ_MAX) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Those of the rows that may match, from the full text.
    pub fn looked_up(&self, phrases: &[String], least: usize) -> TxnResult<Vec<ScoredFact>> {
        self.held(phrases, least, |side| letters::holders(self.db, side, phrases))
    }

    /// Those among all rows: every row is read, and once.
    pub fn reading(&self, phrases: &[String], least: usize) -> TxnResult<Vec<ScoredFact>> {
        self.held(phrases, least, |_| Ok(Holders::All))
    }

    fn held(
        &self,
        phrases: &[String],
        least: usize,
        holders: impl Fn(Side) -> TxnResult<Holders>,
    ) -> TxnResult<Vec<ScoredFact>> {
        let escaped = |phrase: &String| phrase.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
        let patterns: Vec<String> = phrases.iter().map(|phrase| format!("%{}%", escaped(phrase))).collect();
        let names: Vec<String> = (0..patterns.len()).map(|at| format!(":said{at}")).collect();
        let (most, least_of) = (limit_of(self.looked_at), limit_of(least));
        let mut all = Vec::new();
        for side in Side::of(self.when) {
            let (of, words) = (side.alias(), side.words());
            let (among, expression) = match holders(*side)? {
                Holders::None => continue,
                Holders::All => (String::new(), None),
                Holders::Matching(expression) => (
                    format!("AND {of}.id IN (SELECT rowid FROM {words} WHERE {words} MATCH :words)"),
                    Some(expression),
                ),
            };
            let holds = |name: &String| {
                format!("({of}.content LIKE {name} ESCAPE '\\' OR {of}.category LIKE {name} ESCAPE '\\')")
            };
            let held = names.iter().map(holds).collect::<Vec<_>>();
            // Of one phrase no sum is made for each row.
            let (score, is_held) = match held.as_slice() {
                [one] => ("0.0".to_owned(), one.clone()),
                all => (format!("-({})", all.join(" + ")), "score <= -:least".to_owned()),
            };
            // The plus keeps the planner from following the index of changes, row after row all over the file.
            let sql = format!(
                "{}, {score} AS score FROM {} WHERE {} AND {SHOWN} AND {}
                 {among} AND {is_held}
                 ORDER BY score, +m.changed DESC, {of}.id LIMIT :limit",
                side.columns(),
                side.whole(),
                side.condition(),
                self.state
            );
            let said =
                names.iter().zip(&patterns).map(|(name, pattern)| (name.as_str(), pattern as &dyn ToSql));
            let among = expression.iter().map(|expression| (":words", expression as &dyn ToSql));
            let mut more: Vec<(&str, &dyn ToSql)> =
                said.chain(among).chain([(":limit", &most as &dyn ToSql)]).collect();
            if names.len() > 1 {
                more.push((":least", &least_of));
            }
            all.extend(rows(self.db, &sql, self.when, &more)?);
        }
        all.retain_mut(|found| match self.shown.and_then(|shown| shown(&found.fact)) {
            None => true,
            // Its position must not reveal matches in hidden text.
            Some(text) => {
                found.score = 0.0;
                phrases.iter().filter(|phrase| seen::holds(&text, phrase)).count() >= least
            }
        });
        Ok(all)
    }
}

/// An expression with letters of which the full text makes no words, since no blanks part them: what it asks for is then
/// looked up by letters.
struct Letters {
    pieces: Vec<String>,
    /// How many of them a fact is to hold.
    least: usize,
}

impl Letters {
    /// `None`: it is no such expression, or one that asks for what a fact does not hold.
    fn of(query: &str) -> Option<Self> {
        if !is_expression(query) || !query.contains(is_spaceless) {
            return None;
        }
        let words = || query.split_whitespace();
        if words().any(|word| word == "NOT") {
            return None;
        }
        let asked = words().filter(|word| !matches!(*word, "AND" | "OR")).flat_map(|word| {
            let word = word.trim_matches(|c| matches!(c, '(' | ')'));
            let word =
                ["category:", "content:"].iter().find_map(|column| word.strip_prefix(column)).unwrap_or(word);
            word.split(|c: char| !c.is_alphanumeric()).filter(|piece| !piece.is_empty())
        });
        let mut pieces: Vec<String> = asked.take(FACT_QUERY_WORDS_MAX).map(str::to_owned).collect();
        pieces.sort_unstable();
        pieces.dedup();
        let least = if words().any(|word| word == "OR") { 1 } else { pieces.len() };
        (!pieces.is_empty()).then_some(Self { pieces, least })
    }
}

/// Character pairs of runs without blanks, at most [`FACT_QUERY_WORDS_MAX`]: word boundaries are unknown there, so
/// facts match by shared pairs, the more the better.
fn pairs(runs: &[String]) -> Vec<String> {
    let (mut pairs, mut known) = (Vec::new(), BTreeSet::new());
    for run in runs {
        let letters: Vec<char> = run.chars().collect();
        let of_run = letters.windows(letters.len().clamp(1, 2)).map(|pair| pair.iter().collect::<String>());
        pairs.extend(of_run.filter(|pair| known.insert(pair.clone())));
    }
    pairs.truncate(FACT_QUERY_WORDS_MAX);
    pairs
}

/// The different words of a question, those that are parted by blanks each in quotes.
#[derive(Default)]
struct Words {
    spaced: Vec<String>,
    spaceless: Vec<String>,
    is_cut: bool,
}

impl Words {
    fn of(query: &str) -> Self {
        let (mut words, mut known) = (Self::default(), BTreeSet::new());
        let parts = query.split(|c: char| !c.is_alphanumeric());
        let runs = parts.flat_map(|part| {
            let mut runs: Vec<String> = Vec::new();
            for c in part.chars() {
                match runs.last_mut() {
                    Some(run) if run.ends_with(|last| is_spaceless(last) == is_spaceless(c)) => run.push(c),
                    _ => runs.push(c.to_string()),
                }
            }
            runs
        });
        for run in runs {
            if known.len() == FACT_QUERY_WORDS_MAX {
                words.is_cut = true;
                break;
            }
            if known.insert(run.to_lowercase()) {
                if run.starts_with(is_spaceless) {
                    words.spaceless.push(run);
                } else {
                    words.spaced.push(format!("\"{run}\""));
                }
            }
        }
        words
    }
}

/// Whether a letter is of a script that parts no words by blanks.
fn is_spaceless(c: char) -> bool {
    matches!(u32::from(c), 0x0e00..=0x0eff | 0x1000..=0x109f | 0x1780..=0x17ff | 0x3040..=0x30ff | 0x3400..=0x4dbf
        | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0x2_0000..=0x3_ffff)
}

/// Whether a question is read as an expression. One with a star before it asks FTS5 for its own figures.
fn may_be_expression(query: &str) -> bool {
    let query = query.trim();
    !query.is_empty() && !query.starts_with('*') && query.len() <= FACT_EXPRESSION_BYTES_MAX
}

/// Whether SQLite has something against the question, and not against the file.
fn is_about_the_question(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::Unknown | ErrorCode::TooBig))
}

/// Whether who asked meant an expression, so that an empty answer is their answer.
fn is_expression(query: &str) -> bool {
    let marks = |c: char| matches!(c, '"' | '(' | ')' | '*' | ':' | '^' | '{' | '+');
    query.contains(marks) || query.split_whitespace().any(|word| matches!(word, "AND" | "OR" | "NOT"))
}
