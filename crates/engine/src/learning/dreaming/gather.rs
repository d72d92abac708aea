//! Light sleep: gathers recalled passages as they are in the logs now.
//!
//! A recall record has the place and the hash of a passage; its text is read from the current file. Removed, edited
//! or quarantined passages are skipped. Invariant: only the owner's daily logs are a source; MEMORY.md, rooms and
//! diaries are not.

use std::collections::{HashMap, HashSet};

use inwit_gate::hidden::reveal;
use inwit_gate::secrets;
use inwit_model::{Hint, Place, SafeName, Sha256};
use inwit_store::memory::{Memory, Signal};
use jiff::{SignedDuration, Timestamp};

use super::DREAM_WINDOW_DAYS;
use super::graduates::told;
use super::log::{Log, LogPassage};
use super::pass::Judged;
use super::promotable::{INVISIBLE, has_invisible};
use crate::core::forgotten::TombstoneMatcher;
use crate::learning::dream::bullet::{bullets_of, is_known, is_long};
use crate::learning::dream::near_duplicate::Gist;
use crate::learning::dream::{Candidate, Choice, Gates, QuarantineEntry, Signals, Weights, choose, score};
use crate::{EngineError, Learning, Notice};

/// The result of light sleep.
pub(super) struct Gathered {
    /// Candidates for the gates.
    pub(super) candidates: Vec<Candidate>,
    /// Place and text of each, in the same order.
    pub(super) found: Vec<LogPassage>,
    /// Feedback about each, in the same order; may be empty.
    pub(super) said: Vec<String>,
    /// Passages that are not candidates, and why.
    pub(super) dropped: Vec<Judged>,
    /// Whether a secret was found.
    pub(super) has_secret: bool,
    /// New content of the quarantine, if a log is added; only a pass with the lock writes it.
    pub(super) quarantine: Option<Vec<u8>>,
    pub(super) notices: Vec<Notice>,
}

impl Learning {
    /// Gathers candidates from recalls, and from graduates by feedback.
    pub(super) fn gather(&self, memory: &dyn Memory, gates: &Gates) -> Result<Gathered, EngineError> {
        let now = self.core.clock.now();
        let since =
            now.checked_sub(SignedDuration::from_hours(24 * DREAM_WINDOW_DAYS)).unwrap_or(Timestamp::MIN);
        let (mut quarantine, notice) = self.quarantine()?;
        let mut gathered = Gathered {
            candidates: Vec::new(),
            found: Vec::new(),
            said: Vec::new(),
            dropped: Vec::new(),
            has_secret: false,
            quarantine: None,
            notices: notice.into_iter().collect(),
        };
        let buried = TombstoneMatcher::of(memory)?;
        let mut logs: HashMap<SafeName, Option<Log>> = HashMap::new();
        let mut texts: HashSet<Sha256> = HashSet::new();
        let graduates = self.graduates(memory)?;
        let mut signals = memory.signals(since)?;
        signals.extend(graduates.unrecalled(&signals));
        for signal in signals {
            let path = &signal.passage.path;
            if !matches!(Place::of(path), Some(Place::Journal(_))) {
                continue;
            }
            if !logs.contains_key(path) && quarantine.holds(path.as_str()) {
                gathered.drop(&signal, "quarantined");
                continue;
            }
            let log = match logs.get(path) {
                Some(log) => log,
                None => {
                    let log = self
                        .core
                        .content(path)?
                        .map(|content| self.log_of(memory, path, &content))
                        .transpose()?;
                    let log = logs.entry(path.clone()).or_insert(log);
                    // The whole log is scanned before any passage counts: one secret quarantines all of it (W60).
                    if let Some((log, class)) = log.as_ref().and_then(|log| Some((log, log.secret?))) {
                        gathered.has_secret = true;
                        quarantine.add(&QuarantineEntry {
                            quarantined_at: now,
                            pattern: class.to_owned(),
                            log_filenames: vec![path.to_string()],
                            max_mtime_ms: log.modified_ms,
                        });
                    }
                    log
                }
            };
            let found = log.as_ref().and_then(|log| log.passage(&signal.passage));
            if log.as_ref().is_some_and(|log| log.secret.is_some()) {
                let holds_it = found.is_some_and(|found| secrets::seed_hit(&found.text).is_some());
                gathered.drop(&signal, if holds_it { "secret" } else { "quarantined" });
                continue;
            }
            let Some(mut found) = found else {
                gathered.drop(&signal, "gone");
                continue;
            };
            if found.has_secret {
                gathered.drop(&signal, "secret");
                continue;
            }
            let is_forgotten = buried.as_ref().is_some_and(|buried| buried.found_in(&found.text).is_some());
            if is_forgotten {
                gathered.drop(&signal, "forgotten");
                continue;
            }
            let unfit = [
                (found.is_names, "name_lines"),
                (found.is_asked, "asked"),
                (is_long(&found.text), "too_long"),
                (has_invisible(&found.text), INVISIBLE),
            ];
            if let Some((_, outcome)) = unfit.into_iter().find(|(is_unfit, _)| *is_unfit) {
                let (lines, text) = (Some(found.lines()), reveal(found.words()).into_owned());
                gathered.dropped.push(Judged { lines, text, ..dropped(&signal, outcome) });
                continue;
            }
            let mut candidate = candidate(&signal, &found, now, memory)?;
            // The same text in another log: it is promoted once, from where it was recalled most.
            candidate.promoted |= !texts.insert(found.key.text);
            graduates.admit(&mut candidate, &mut found, gates);
            gathered.said.push(graduates.said_of(&found).map_or_else(String::new, told));
            gathered.candidates.push(candidate);
            gathered.found.push(found);
        }
        if gathered.has_secret {
            // An invalid quarantine must be repaired by a person; until then it holds back every log.
            gathered.quarantine = quarantine.print();
            gathered.notices.push(Notice::new(
                "pii_detected_quarantine",
                "A log contains a possible secret. Dreams skip it until its entry is removed from \
                 .dreamed-quarantine.json.",
                Hint::EditLogFirst,
            ));
        }
        Ok(gathered)
    }

    /// Selects the promotions. A passage that repeats MEMORY.md, or a better one of this pass, is not promoted; a
    /// tainted one never keeps a clean one out.
    pub(super) fn select(&self, gathered: &Gathered, gates: &Gates) -> Result<Choice, EngineError> {
        let file = self.core.content(&self.notes.memory_file()?)?;
        let standing = file.map(|file| bullets_of(&file.bytes)).unwrap_or_default();
        let analyser = &mut self.core.recall().analyser;
        let standing_gists: Vec<Gist> =
            standing.iter().map(|bullet| Gist::of(&bullet.text, analyser)).collect();
        let mut gists: HashMap<usize, Gist> = HashMap::new();
        Ok(choose(&gathered.candidates, gates, &mut |at, promoted| {
            let found = &gathered.found[at];
            let gist = Gist::of(found.without_time(), analyser);
            if is_known(&standing, &found.fact(), std::slice::from_ref(&found.source)) {
                // The bullet of an interrupted pass: writing finds it, and enters it in the ledger.
                gists.insert(at, gist);
                return false;
            }
            let is_tainted = |at: usize| gathered.found[at].taint.is_tainted();
            let better = promoted.iter().filter(|better| is_tainted(at) || !is_tainted(**better));
            let mut others = better.filter_map(|better| gists.get(better)).chain(&standing_gists);
            let repeats = others.any(|other| gist.only_repeats(other));
            gists.insert(at, gist);
            repeats
        }))
    }
}

pub(super) fn candidate(
    signal: &Signal,
    found: &LogPassage,
    now: Timestamp,
    memory: &dyn Memory,
) -> Result<Candidate, EngineError> {
    let signals = signals_of(signal, now);
    Ok(Candidate {
        key: format!("{}#{}", found.key.path, found.key.text),
        score: score(&signals, &Weights::default(), crate::learning::dream::score::HALF_LIFE_DAYS_DEFAULT),
        signals,
        promoted: memory.is_promoted(&signal.passage.text)?,
        // Whether approval is needed is decided at the end.
        tainted: false,
        graduate: false,
    })
}

fn signals_of(signal: &Signal, now: Timestamp) -> Signals {
    let count = |all: u64| u32::try_from(all).unwrap_or(u32::MAX);
    Signals {
        hits: count(signal.hits),
        relevance: signal.mean_score.clamp(0.0, 1.0),
        days_since_last: (now.duration_since(signal.last).as_secs_f64() / 86_400.0).max(0.0),
        queries: count(signal.queries),
        days: count(signal.days),
    }
}

/// The report about a passage that is not a candidate.
fn dropped(signal: &Signal, outcome: &'static str) -> Judged {
    Judged {
        path: signal.passage.path.clone(),
        lines: None,
        text_sha256: signal.passage.text,
        text: String::new(),
        outcome,
        score: 0.0,
        detail: format!("hits={}, queries={}, days={}", signal.hits, signal.queries, signal.days),
    }
}

impl Gathered {
    fn drop(&mut self, signal: &Signal, outcome: &'static str) {
        self.dropped.push(dropped(signal, outcome));
    }

    /// Every passage with its decision, the promoted first; `word` is their outcome.
    pub(super) fn judged(&self, choice: &Choice, word: &'static str) -> Vec<Judged> {
        let taken = choice.promoted.iter().map(|at| {
            let outcome = if self.found[*at].taint.is_tainted() { "pending" } else { word };
            self.judgement(*at, outcome)
        });
        let refused = choice.refused.iter().map(|(at, refusal)| self.judgement(*at, refusal.word()));
        taken.chain(refused).chain(self.dropped.iter().cloned()).collect()
    }

    fn judgement(&self, at: usize, outcome: &'static str) -> Judged {
        let (candidate, found) = (&self.candidates[at], &self.found[at]);
        let Signals { hits, relevance, queries, days, .. } = candidate.signals;
        Judged {
            path: found.key.path.clone(),
            lines: Some(found.lines()),
            text_sha256: found.key.text,
            text: found.words().to_owned(),
            outcome,
            score: candidate.score.total,
            detail: format!(
                "hits={hits}, relevance={relevance:.2}, queries={queries}, days={days}{}",
                self.said[at]
            ),
        }
    }
}
