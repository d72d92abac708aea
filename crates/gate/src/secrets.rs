//! Detection of secrets and personal data in every text that may enter memory.
//!
//! Shapes alone give false positives: a loose bitcoin pattern hits 160 times in a megabyte of ordinary text, its
//! checksum never. So every class is literal, then shape, then check ([`SECRETS`] holds all three), and a text is
//! read raw and unfolded ([`fold`]). Invariants: a hit has its class and place, never the value; every regex is
//! linear; none is compiled before a literal of its class was found.
//!
//! ```
//! use inwit_gate::secrets::{Tier, redact, scan};
//!
//! let note = format!("the deploy key is glpat-{}", "Rk3xVb7QwZp1Nc8TyH2d");
//! assert_eq!(scan(&note)[0].class, "gitlab_token");
//! assert_eq!(redact(&note, Tier::Quarantine), "the deploy key is [REDACTED:gitlab_token]");
//! ```

mod check;
mod command;
pub(crate) mod fold;

pub use fold::unescape as unfolded;
mod hashes;
mod label;
mod mnemonic;
mod parts;
mod repeated;
mod seek;
mod table;

use std::ops::Range;

pub use check::strength::is_rare;
pub use hashes::SecretHashes;
pub use parts::values_of;
pub use repeated::{Repeated, as_talk};
pub use table::SECRETS;

use seek::{Near, Seek, Shape};

/// The effect of a hit on a write, mildest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// Labelled personal data: the owner may store it, others may not see it.
    Tag,
    /// Shown to the person who approves.
    Warn,
    /// Masked for models; an agent's write needs approval: a labelled value, or a vendor's token that fails its
    /// check.
    Doubt,
    /// Kept out of MEMORY.md; the source log is quarantined (W60).
    Quarantine,
    /// A secret: never stored.
    Block,
}

/// One class of the table: how to find and check it, and its tiers.
#[derive(Debug)]
pub struct Secret {
    /// The stable name, as in `[REDACTED:github_pat]`.
    pub class: &'static str,
    /// One sentence for the reference page.
    pub about: &'static str,
    /// Tier of a hit whose check passes.
    pub tier: Tier,
    /// Tier of a hit whose check fails; `None`: no hit.
    pub unsure: Option<Tier>,
    /// Whether memory is scanned for it; otherwise only transcripts are, because the shape is too common for a gate
    /// (W62).
    pub everywhere: bool,
    /// Whether it is public by design: the owner's model may read it.
    pub public: bool,
    /// Whether it is one of the eleven classes of the dream gate (W59).
    pub seed: bool,
    /// The label under which redaction of transcripts replaces it, if it does (X36).
    pub transcript: Option<&'static str>,
    seek: Seek,
    near: Near,
    shape: Shape,
    check: check::Check,
    /// Most values of one text that are checked, for slow checks. Further values count as valid.
    checks_max: usize,
}

/// One find: class and place, never the value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretHit {
    /// The class, as in [`SECRETS`].
    pub class: &'static str,
    /// Its tier.
    pub tier: Tier,
    /// Byte range in the given text.
    pub span: Range<usize>,
}

/// Whether values of `class` are public by design, such as an account address.
pub fn is_public(class: &str) -> bool {
    SECRETS.iter().any(|row| row.class == class && row.public)
}

impl Secret {
    /// The highest tier of this class.
    fn most(&self) -> Tier {
        self.unsure.map_or(self.tier, |unsure| unsure.max(self.tier))
    }
}

/// Finds every class in `text`, in order. Hits of one class never overlap, and a hit wholly inside one of at least
/// its tier is dropped (`sk-ant-` before `sk-`).
pub fn scan(text: &str) -> Vec<SecretHit> {
    settle(seek::find(text, |row| row.everywhere))
}

/// The hits of [`scan`] of at least a tier, but faster: classes below the tier are skipped.
pub fn scan_from(text: &str, at_least: Tier) -> Vec<SecretHit> {
    let mut hits = settle(seek::find(text, |row| row.everywhere && row.most() >= at_least));
    hits.retain(|hit| hit.tier >= at_least);
    hits
}

/// How a redaction begins.
pub(crate) const REDACTION_BEGIN: &str = "[REDACTED:";

/// Replaces every hit of at least that tier with `[REDACTED:<class>]`. The result has no such hit, and a second call
/// changes nothing.
pub fn redact(text: &str, at_least: Tier) -> String {
    redact_by(text, |text| {
        let hits = scan_from(text, at_least).into_iter();
        hits.map(|hit| (hit.span, hit.class)).collect()
    })
}

/// The same for everything that a model may not read: includes doubtful values, excludes public ones.
pub fn redact_for_model(text: &str) -> String {
    redact_by(text, |text| {
        let hits = scan_from(text, Tier::Doubt).into_iter().filter(|hit| !is_public(hit.class));
        hits.map(|hit| (hit.span, hit.class)).collect()
    })
}

/// Redacts a transcript: what a model may not read, and under separate labels what transcripts redact:
/// `[REDACTED:<label>]` (X36).
pub fn redact_transcript(text: &str) -> String {
    redact_by(text, |text| {
        let named = settle(seek::find(text, |row| row.transcript.is_some()));
        let others = scan_from(text, Tier::Doubt).into_iter().filter(|hit| !is_public(hit.class));
        let hits = named.into_iter().chain(others).map(|hit| (hit.span, label(hit.class)));
        let mut hits: Vec<(Range<usize>, &str)> = hits.collect();
        hits.sort_by_key(|(span, _)| (span.start, usize::MAX - span.end));
        hits
    })
}

/// The gate of the dream (W59): the first of the eleven shapes, with word boundaries. Failed checks do not excuse a
/// hit, except for `btc_bech32` and `btc_legacy`, whose shapes alone mean nothing.
pub fn seed_hit(text: &str) -> Option<SecretHit> {
    settle(seek::find(text, |row| row.seed)).into_iter().next()
}

/// Redaction repeats until nothing is found, since removing one value may reveal another.
const REDACT_ROUNDS_MAX: usize = 8;

fn redact_by(text: &str, find: impl Fn(&str) -> Vec<(Range<usize>, &'static str)>) -> String {
    let mut text = text.to_owned();
    for _ in 0..REDACT_ROUNDS_MAX {
        let hits = find(&text);
        if hits.is_empty() {
            return text;
        }
        text = replaced(&text, &hits);
    }
    // If values remain after that many rounds, their whole lines are removed.
    while let Some((span, class)) = find(&text).into_iter().next() {
        let start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
        let end = text[span.end..].find('\n').map_or(text.len(), |at| span.end + at);
        let bare = text[start..end].trim() == marker(class);
        text.replace_range(start..end, if bare { "" } else { "[REDACTED]" });
    }
    text
}

fn replaced(text: &str, hits: &[(Range<usize>, &'static str)]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (span, class) in hits {
        if span.start >= done {
            out.push_str(&text[done..span.start]);
            out.push_str(&marker(class));
        }
        done = done.max(span.end);
    }
    out.push_str(&text[done..]);
    out
}

fn marker(class: &str) -> String {
    format!("{REDACTION_BEGIN}{class}]")
}

fn label(class: &'static str) -> &'static str {
    let row = SECRETS.iter().find(|row| row.class == class);
    row.and_then(|row| row.transcript).unwrap_or(class)
}

/// Sorts finds, merges those of one class, and drops those that another hit covers.
fn settle(mut finds: Vec<seek::Find>) -> Vec<SecretHit> {
    finds.sort_by(|a, b| {
        let key = |find: &seek::Find| (find.span.start, usize::MAX - find.span.end);
        key(a).cmp(&key(b)).then(b.tier.cmp(&a.tier)).then(a.row.cmp(&b.row))
    });
    let mut hits: Vec<SecretHit> = Vec::new();
    let mut last_of_row: Vec<Option<usize>> = vec![None; SECRETS.len()];
    let mut covered = [0; 5];
    for find in finds {
        let class = SECRETS[find.row].class;
        if let Some(last) = last_of_row[find.row]
            && find.span.start < hits[last].span.end
        {
            hits[last].span.end = hits[last].span.end.max(find.span.end);
            hits[last].tier = hits[last].tier.max(find.tier);
        } else if find.span.end > covered[find.tier as usize] {
            last_of_row[find.row] = Some(hits.len());
            hits.push(SecretHit { class, tier: find.tier, span: find.span.clone() });
        } else {
            continue;
        }
        for end in &mut covered[..=find.tier as usize] {
            *end = (*end).max(find.span.end);
        }
    }
    hits
}
