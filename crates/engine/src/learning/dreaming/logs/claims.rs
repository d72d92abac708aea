//! Which claims of an answer are promoted, each with its decision.
//!
//! Invariant: a claim that is not promoted has a reason; a claim with a secret or an erased text is recorded without
//! its text.

use std::collections::HashSet;

use inwit_gate::hidden::reveal;
use inwit_gate::secrets::{Tier, is_public, scan_from};
use inwit_model::{Place, SafeName, Sha256, Taint};
use inwit_store::memory::{Memory, PassageKey};

use super::super::clock::without_clock;
use super::super::pass::Judged;
use super::super::promotable::{INVISIBLE, Promotable, bullet_hash, has_invisible};
use crate::core::forgotten::TombstoneMatcher;
use crate::core::mask::without_steering;
use crate::learning::dream::bullet::{bullets_of, is_known, is_long};
use crate::learning::dream::logs::{Claim, Evidence, Support};
use crate::learning::dream::near_duplicate::Gist;
use crate::{EngineError, Learning};

/// Most characters of a claim in the reason about it.
const CLAIM_SHOWN_CHARS: usize = 200;

/// The claims of one answer, judged.
#[derive(Default)]
pub(super) struct JudgedClaims {
    /// To be promoted, in order.
    pub(super) items: Vec<Promotable>,
    /// Not promoted, and why.
    pub(super) refused: Vec<Judged>,
}

impl Learning {
    /// Judges the claims in order; at most `promotions_max` are promoted. A claim that repeats MEMORY.md, an earlier
    /// dream or another claim is not; a tainted one never keeps a trusted one out.
    pub(super) fn judge_claims(
        &self,
        memory: &dyn Memory,
        name: &SafeName,
        claims: &[Claim],
        evidence: &Evidence,
        promotions_max: usize,
    ) -> Result<JudgedClaims, EngineError> {
        let standing = self.core.content(name)?.map(|file| bullets_of(&file.bytes)).unwrap_or_default();
        let buried = TombstoneMatcher::of(memory)?;
        let recall = &mut self.core.recall();
        let analyser = &mut recall.analyser;
        let mut gists: Vec<(Gist, bool)> =
            standing.iter().map(|bullet| (Gist::of(&bullet.text, analyser), false)).collect();
        let (mut judged, mut hashes) = (JudgedClaims::default(), HashSet::new());
        for claim in claims {
            let support = evidence.support(claim, analyser);
            let fact = with_day(&claim.text, &support);
            let hash = bullet_hash(&fact);
            let gist = Gist::of(without_clock(&claim.text).unwrap_or(&claim.text), analyser);
            let is_tainted = support.taint.is_some_and(|taint| taint.is_tainted());
            let mut known = gists.iter().filter(|(_, tainted)| is_tainted || !tainted);
            let secret = scan_from(&fact, Tier::Doubt).into_iter().any(|hit| !is_public(hit.class));
            let is_erased = || buried.as_ref().is_some_and(|buried| buried.found_in(&fact).is_some());
            let refusal = if secret {
                Some("secret")
            } else if is_erased() {
                Some("forgotten")
            } else if has_invisible(&fact) {
                Some(INVISIBLE)
            } else if *without_steering(&fact) != *fact {
                Some("steering")
            } else if is_long(&fact) {
                Some("too_long")
            } else if is_known(&standing, &fact, &[])
                || memory.is_promoted(&hash)?
                || !hashes.insert((hash, is_tainted))
            {
                Some("already_promoted")
            } else if known.any(|(kept, _)| gist.only_repeats(kept)) {
                Some("near_duplicate")
            } else if judged.items.len() >= promotions_max {
                Some("over_cap")
            } else {
                None
            };
            let Some(source) = support.sources.first().cloned() else { continue };
            let item = Promotable {
                key: PassageKey { path: source.path, text: hash },
                fact,
                sources: support.sources,
                taint: support.taint.unwrap_or(Taint::Agent),
                called: None,
                figures: None,
            };
            match refusal {
                Some(outcome) => judged.refused.push(item.judged(outcome)),
                None => {
                    gists.push((gist, is_tainted));
                    judged.items.push(item);
                }
            }
        }
        Ok(judged)
    }
}

impl Promotable {
    /// The decision about it as a claim.
    pub(super) fn judged(&self, outcome: &'static str) -> Judged {
        let is_hidden = matches!(outcome, "secret" | "forgotten");
        let text = match outcome {
            _ if is_hidden => String::new(),
            INVISIBLE => reveal(&self.fact).into_owned(),
            _ => self.fact.clone(),
        };
        let sources: Vec<String> = self.sources.iter().map(ToString::to_string).collect();
        let shown: String = text.chars().take(CLAIM_SHOWN_CHARS).collect();
        let claim = if is_hidden { String::new() } else { format!(", claim: {shown}") };
        let detail = format!("taint={}, sources={}{claim}", self.taint.word(), sources.join(" "));
        let lines = self.sources.first().map(|source| (source.first_line, source.last_line));
        let text_sha256 = if is_hidden { Sha256::of(outcome.as_bytes()) } else { self.key.text };
        Judged { path: self.key.path.clone(), lines, text_sha256, text, outcome, score: 0.0, detail }
    }
}

/// The claim with the day of its log in place of a clock time, which means nothing in MEMORY.md.
fn with_day(text: &str, support: &Support) -> String {
    let day =
        support.sources.first().and_then(|source| Place::of(&source.path)).and_then(|place| place.date());
    match (day, without_clock(text)) {
        (Some(day), Some(rest)) => format!("{day}: {rest}"),
        _ => text.to_owned(),
    }
}
