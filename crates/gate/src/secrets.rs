//! Secrets and personal data: one table, looked for in every text that may enter memory.
//!
//! A shape alone cries wolf: a loose bitcoin pattern hits 160 times in a megabyte of ordinary text,
//! its checksum never. So every class is literal, then shape, then check ([`SECRETS`] holds all three),
//! and a text is read as it stands and as a reader would unfold it ([`fold`]). Invariants: a hit tells
//! its class and place and never repeats the value; every regex is linear; none is compiled before
//! a literal of its class was seen.
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

/// What a hit means for a write, mildest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// Personal data that is labelled; it is the owner's to keep, and no one else's to see.
    Tag,
    /// Shown to the person who approves.
    Warn,
    /// Masked for models; where an agent writes it, a person is asked: a labelled value, or a token of a vendor's
    /// form that fails its check.
    Doubt,
    /// Kept out of lasting memory; its source is set aside (W60).
    Quarantine,
    /// A secret: never stored.
    Block,
}

/// One class of the table: how it is found, how it is checked, what a hit means.
#[derive(Debug)]
pub struct Secret {
    /// The stable name, as in `[REDACTED:github_pat]`.
    pub class: &'static str,
    /// One sentence for the reference page.
    pub about: &'static str,
    /// What a hit means whose check holds.
    pub tier: Tier,
    /// What a hit means whose shape stands and whose check does not; `None` is no hit.
    pub unsure: Option<Tier>,
    /// Whether memory is looked through for it; else only transcripts are, because the shape alone
    /// is too common for a gate (W62).
    pub everywhere: bool,
    /// Whether it is made to be given away: a model of the owner may read it.
    pub public: bool,
    /// Whether it is one of the eleven classes of the dream gate (W59).
    pub seed: bool,
    /// The label under which redaction of transcripts replaces it, if it does (X36).
    pub transcript: Option<&'static str>,
    seek: Seek,
    near: Near,
    shape: Shape,
    check: check::Check,
    /// Most values of one text that are checked, where a check takes long. Further ones count as if theirs held.
    checks_max: usize,
}

/// One find: a class and a place, never the value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretHit {
    /// The class, as in [`SECRETS`].
    pub class: &'static str,
    /// What it means here.
    pub tier: Tier,
    /// Bytes of the text that was given.
    pub span: Range<usize>,
}

/// Whether values of `class` are made to be given away, such as the address of an account.
pub fn is_public(class: &str) -> bool {
    SECRETS.iter().any(|row| row.class == class && row.public)
}

impl Secret {
    /// The most that a hit can mean.
    fn most(&self) -> Tier {
        self.unsure.map_or(self.tier, |unsure| unsure.max(self.tier))
    }
}

/// Finds every class in `text`, by place. Hits of one class never overlap, and a hit that lies wholly
/// within one of at least its tier is not told twice (`sk-ant-` before `sk-`).
pub fn scan(text: &str) -> Vec<SecretHit> {
    settle(seek::find(text, |row| row.everywhere))
}

/// The hits of [`scan`] of at least a tier, in less time: classes that never reach it are not looked for.
pub fn scan_from(text: &str, at_least: Tier) -> Vec<SecretHit> {
    let mut hits = settle(seek::find(text, |row| row.everywhere && row.most() >= at_least));
    hits.retain(|hit| hit.tier >= at_least);
    hits
}

/// Puts `[REDACTED:<class>]` in the place of every hit of at least that tier. What comes out has no
/// such hit any more, and comes out again as it is.
pub fn redact(text: &str, at_least: Tier) -> String {
    redact_by(text, |text| {
        let hits = scan_from(text, at_least).into_iter();
        hits.map(|hit| (hit.span, hit.class)).collect()
    })
}

/// Puts the same in the place of everything that a model may not read: what is doubtful as well, and not what is
/// made to be given away.
pub fn redact_for_model(text: &str) -> String {
    redact_by(text, |text| {
        let hits = scan_from(text, Tier::Doubt).into_iter().filter(|hit| !is_public(hit.class));
        hits.map(|hit| (hit.span, hit.class)).collect()
    })
}

/// Redacts a transcript: what a model may not read, and by its own labels what transcripts redact:
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

/// The gate of the dream (W59): the first of the eleven shapes, bounded on both sides. Their checks do
/// not excuse them here, but for `btc_bech32` and `btc_legacy`, which mean nothing without theirs.
pub fn seed_hit(text: &str) -> Option<SecretHit> {
    settle(seek::find(text, |row| row.seed)).into_iter().next()
}

/// Redaction repeats until nothing is found, since taking one value away may uncover another.
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
    // What still looks like a value after that many rounds takes its lines along.
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
    format!("[REDACTED:{class}]")
}

fn label(class: &'static str) -> &'static str {
    let row = SECRETS.iter().find(|row| row.class == class);
    row.and_then(|row| row.transcript).unwrap_or(class)
}

/// Orders finds, joins those of one class, and leaves out what another hit already covers.
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
