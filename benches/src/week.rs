//! The baseline of `inwit bench week`: plain full-text search over what the agent answered in the same project.
//!
//! SQLite's FTS5 with its English stemmer, words joined by OR, the five best paragraphs that share two words of content
//! with the prompt. Printed beside our figures, so that these mean something on a week of anybody's.

use std::path::Path;

use inwit_bench_suites::week::data::{self, Probe, Week};
use rusqlite::{Connection, params};

use super::Outcome;

/// Paragraphs that a prompt brings.
const HITS: usize = 5;

/// Words of content that one of them shares with the prompt.
const WORDS_MIN: usize = 2;

/// Words that carry no content, of those with three letters and more.
const STOP_WORDS: &str = " the and for are was were what why how when where who which can could would should does did has have \
    had you your our not but with from this that these those there then than into out off its his her they them all any \
    please now just also one get got let make do it is to of in on at a an i we my me be so if or as by up no yes \
    der die das und ist nicht ein eine mit wie was wann wo ich wir mir mein auf für zu den dem von im es sie du ";

/// Evidence, noise and characters of the baseline on the week in `folder`. Errors: those of reading and of SQLite.
pub fn measure(folder: &Path, probes: &str) -> Outcome<String> {
    let week = data::read(folder, &[probes]).map_err(|error| error.message)?;
    let (mut evidence, mut asked, mut noise, mut silent, mut chars) = (0, 0, 0, 0, 0);
    for probe in &week.probes {
        let hits = hits(&week, probe)?;
        chars += hits.iter().map(|hit| hit.chars().count()).sum::<usize>();
        let text = hits.join("\n");
        if probe.has_evidence() {
            asked += 1;
            let is_shown = |all: &Vec<String>| all.iter().all(|needle| text.contains(needle.as_str()));
            evidence += usize::from(probe.evidence.iter().any(is_shown));
        } else {
            silent += 1;
            noise += usize::from(!hits.is_empty());
        }
    }
    Ok(format!(
        "FTS5 baseline: evidence {evidence}/{asked}, noise {noise}/{silent}, {} characters a probe",
        chars / week.probes.len().max(1)
    ))
}

fn hits(week: &Week, probe: &Probe) -> Outcome<Vec<String>> {
    let db = Connection::open_in_memory()?;
    db.execute_batch("CREATE VIRTUAL TABLE replies USING fts5(text, tokenize='porter unicode61')")?;
    for session in week.sessions.iter().filter(|session| session.project == probe.project) {
        let replies = session.turns.iter().flat_map(|turn| turn.agent.split("\n\n"));
        for text in replies.filter(|text| !text.trim().is_empty()) {
            db.prepare_cached("INSERT INTO replies (text) VALUES (?1)")?.execute([text])?;
        }
    }
    let lower = probe.prompt.to_lowercase();
    let mut words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).collect();
    words.retain(|word| word.chars().count() > 1 && !STOP_WORDS.contains(&format!(" {word} ")));
    words.sort_unstable();
    words.dedup();
    if words.is_empty() {
        return Ok(Vec::new());
    }
    let all = words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(" OR ");
    let mut query = db.prepare("SELECT rowid, text FROM replies WHERE replies MATCH ?1 ORDER BY rank")?;
    let rows = query.query_map([all], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)))?;
    let mut holds = db.prepare("SELECT count(*) FROM replies WHERE rowid = ?1 AND replies MATCH ?2")?;
    let mut found = Vec::new();
    for row in rows {
        let (id, text) = row?;
        let mut shared = 0;
        for word in &words {
            let count: i64 = holds.query_row(params![id, format!("\"{word}\"")], |row| row.get(0))?;
            shared += usize::from(count > 0);
        }
        if shared >= WORDS_MIN {
            found.push(text);
        }
        if found.len() == HITS {
            break;
        }
    }
    Ok(found)
}
