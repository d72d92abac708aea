//! Finds and tests candidates: one pass for literals, one for tokens, then shape and check.
//!
//! A clean note costs two passes over its bytes. Invariants: a shape is tried at one place, anchored; a row never tries
//! twice within one of its hits, and fails at most [`FAILS_IN_RUN_MAX`] times within a long run, so the work is linear
//! in the text; a regex is compiled at its first candidate.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, OnceLock};
use std::thread;

use inwit_markdown::Rendered;
use regex::{Regex, RegexBuilder};

use super::check::{ShapeMatch, Verdict};
use super::fold;
use super::{SECRETS, Secret, Tier, mnemonic};
use crate::literals::Literals;

/// A cheap pre-check of a token, by its length and first bytes.
type FirstLook = fn(&str, &Range<usize>) -> bool;

/// What makes a row a candidate at a place.
#[derive(Debug)]
pub enum Seek {
    /// One of these literals, case-sensitive, not preceded by a letter or digit; the shape starts that many bytes
    /// before it.
    Literal(&'static [&'static str], usize),
    /// One of these words, case-insensitive, also inside a longer name such as `MY_API_KEY`.
    Word(&'static [&'static str]),
    /// A maximal run of ASCII letters and digits that passes a pre-check.
    Token(FirstLook),
    /// Words of a mnemonic word list.
    Mnemonic(mnemonic::Phrase),
    /// A custom scanner that finds all values of a text.
    All(fn(&str) -> Vec<Range<usize>>),
}

/// Words that must or may be near.
#[derive(Debug)]
pub enum Near {
    /// No condition.
    Nothing,
    /// One of these is required.
    Needs(&'static [&'static str]),
    /// One of these relaxes the check.
    Helps(&'static [&'static str]),
}

/// Maximum distance of a [`Near`] word from the value, in bytes.
const NEAR_BYTES: usize = 40;

/// The form of a value from its first byte.
#[derive(Debug)]
pub enum Shape {
    /// A linear regex over ASCII classes; its first group, if any, is the value.
    Regex(&'static str),
    /// Code, where a regex would be slower or harder to read: returns the value's range, if it matches.
    Read(fn(&str, usize) -> Option<Range<usize>>),
}

/// A find before overlapping finds are resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Find {
    /// Index in [`SECRETS`].
    pub row: usize,
    /// Its tier.
    pub tier: Tier,
    /// Byte range in the raw text.
    pub span: Range<usize>,
}

/// A filter for rows of [`SECRETS`].
type Wanted<'w> = &'w (dyn Fn(&Secret) -> bool + Sync);

/// Finds every hit of the `wanted` rows, in the raw text and in its foldings.
pub fn find(text: &str, wanted: impl Fn(&Secret) -> bool + Sync) -> Vec<Find> {
    let wanted: Wanted<'_> = &wanted;
    let folded = fold::unescape(text);
    let folded = folded.as_ref();
    let whole = folded.map_or(text, |folded| folded.text.as_str());
    let raw = |find: Find| folded.map_or_else(|| find.clone(), |folded| sourced(find.clone(), folded));
    // Reversed text does not start with a literal by chance.
    let is_begun = |row: &Secret| wanted(row) && matches!(row.seek, Seek::Literal(..));
    // Two words are joined at every line end; a wrapped token only if both parts look random.
    let views: [&View; 9] = [
        &|| look(text, wanted),
        &|| folded.map_or_else(Vec::new, |folded| in_view(folded, wanted, Tier::Tag)),
        &|| across(Some(fold::joined(whole)), wanted, Tier::Quarantine).into_iter().map(raw).collect(),
        &|| across(fold::unwrapped(whole), wanted, Tier::Doubt).into_iter().map(raw).collect(),
        &|| {
            let bare = fold::without_underscores(whole);
            let in_view = |bare| in_view(bare, wanted, Tier::Doubt).into_iter().map(raw).collect();
            bare.as_ref().map_or_else(Vec::new, in_view)
        },
        // Unfolding removes characters that a value may contain, such as `~`.
        &|| {
            let bare = folded.and_then(|_| fold::without_underscores(text));
            bare.map_or_else(Vec::new, |bare| in_view(&bare, wanted, Tier::Doubt))
        },
        &|| in_encoded(text, wanted),
        &|| fold::dumped(text).map_or_else(Vec::new, |view| in_view(&view, wanted, Tier::Doubt)),
        &|| fold::reversed(text).map_or_else(Vec::new, |view| in_view(&view, &is_begun, Tier::Doubt)),
    ];
    if text.len() < PARALLEL_BYTES_MIN {
        return views.iter().flat_map(|view| view()).collect();
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let take = || views.get(next.fetch_add(1, Ordering::Relaxed));
        std::iter::from_fn(take).flat_map(|view| view()).collect::<Vec<Find>>()
    };
    let cores = thread::available_parallelism().map_or(1, usize::from).min(THREADS_MAX);
    thread::scope(|scope| {
        // If no thread can be started, this one does all the work.
        let spawn = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
        let others: Vec<_> = (1..cores).filter_map(spawn).collect();
        let mut finds = work();
        for other in others {
            finds.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        finds
    })
}

/// One way to read a text, with its finds.
type View<'t> = dyn Fn() -> Vec<Find> + Sync + 't;

/// Below this size in bytes one thread is faster.
const PARALLEL_BYTES_MIN: usize = 1 << 18;
/// Maximum number of threads per scan.
const THREADS_MAX: usize = 4;

/// Finds of at least a tier in a folding, at their original places.
fn in_view(view: &Rendered, wanted: Wanted<'_>, from: Tier) -> Vec<Find> {
    look_from(&view.text, wanted, from).into_iter().map(|find| sourced(find, view)).collect()
}

/// Finds of at least a tier that cross a seam of joined words, and those in encoded text there.
fn across(view: Option<(Rendered, Vec<usize>)>, wanted: Wanted<'_>, from: Tier) -> Vec<Find> {
    let Some((joined, seams)) = view.filter(|(_, seams)| !seams.is_empty()) else { return Vec::new() };
    // A mark after a seam belongs to the next line, not to the value.
    let goes_on = |seam: usize, end: usize| joined.text[seam..end].contains(char::is_alphanumeric);
    let is_across = |find: &Find| {
        let next = seams.partition_point(|seam| *seam <= find.span.start);
        seams.get(next).is_some_and(|seam| *seam < find.span.end && goes_on(*seam, find.span.end))
    };
    let found = look_from(&joined.text, wanted, from).into_iter().filter(is_across);
    let mut finds: Vec<Find> = found.map(|find| sourced(find, &joined)).collect();
    for (span, inside) in fold::decoded(&joined.text) {
        let span = joined.source(&span);
        let inner = look_from(&inside, wanted, from).into_iter();
        finds.extend(inner.map(|find| Find { span: span.clone(), ..find }));
    }
    finds
}

/// Finds in base64, decoded up to twice.
fn in_encoded(text: &str, wanted: Wanted<'_>) -> Vec<Find> {
    let mut finds = Vec::new();
    for (span, inside) in fold::decoded(text) {
        let look = |inside: &str| look_from(inside, wanted, Tier::Doubt);
        let twice = fold::decoded(&inside).into_iter().flat_map(|(_, inside)| look(&inside));
        let inner = look(&inside).into_iter().chain(twice);
        finds.extend(inner.map(|find| Find { span: span.clone(), ..find }));
    }
    finds
}

/// Finds of at least a tier, and those of the dream gate. Speculative foldings count for secrets only: labels in them
/// would be noise.
fn look_from(text: &str, wanted: Wanted<'_>, from: Tier) -> Vec<Find> {
    let mut finds = look(text, &|row| wanted(row) && (row.seed || row.most() >= from));
    finds.retain(|find| find.tier >= from || SECRETS[find.row].seed);
    finds
}

fn sourced(find: Find, folded: &Rendered) -> Find {
    Find { span: folded.source(&find.span), ..find }
}

/// A possible start of a row's shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate {
    row: usize,
    start: usize,
}

/// Length in bytes from which a run of token characters is long: a regex may read all of it before it fails.
const LONG_RUN_BYTES: usize = 1 << 12;
/// How often a row fails within a long run before the rest of the run is skipped for it. A token is no such run, and
/// `eyJ_eyJ_eyJ_…` would be read to its end from each `eyJ`.
const FAILS_IN_RUN_MAX: usize = 16;

/// The run of ASCII letters, digits, `_` and `-` around the last failed attempt, and the fails of each row in it.
#[derive(Debug, Default)]
struct Runs {
    run: Range<usize>,
    fails: HashMap<usize, usize>,
}

impl Runs {
    /// From where a row that failed at `start` is tried again: 0, or the end of a long run.
    fn after_fail(&mut self, bytes: &[u8], row: usize, start: usize) -> usize {
        if !self.run.contains(&start) {
            let is_token = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
            let length = bytes[start..].iter().take_while(|byte| is_token(byte)).count();
            self.run = start..start + length;
            self.fails.clear();
        }
        if self.run.len() < LONG_RUN_BYTES {
            return 0;
        }
        let fails = self.fails.entry(row).or_default();
        *fails += 1;
        if *fails < FAILS_IN_RUN_MAX { 0 } else { self.run.end }
    }
}

fn look(text: &str, wanted: Wanted<'_>) -> Vec<Find> {
    let (candidates, near) = candidates(text, wanted);
    let mut finds = Vec::new();
    let (mut next, mut checks) = (vec![0; SECRETS.len()], vec![0; SECRETS.len()]);
    let mut runs = Runs::default();
    for Candidate { row, start } in candidates {
        if start < next[row] {
            continue;
        }
        if let Some(find) = attempt(text, row, start, &near[row], &mut checks[row]) {
            next[row] = find.span.end;
            finds.push(find);
        } else if matches!(SECRETS[row].shape, Shape::Regex(_)) {
            next[row] = runs.after_fail(text.as_bytes(), row, start);
        }
    }
    let mut phrases = None;
    for (row, secret) in SECRETS.iter().enumerate().filter(|(_, secret)| wanted(secret)) {
        let spans = match secret.seek {
            Seek::Mnemonic(kind) => phrases.get_or_insert_with(|| mnemonic::find(text)).take(kind),
            Seek::All(find) => find(text),
            Seek::Literal(..) | Seek::Word(_) | Seek::Token(_) => continue,
        };
        finds.extend(spans.into_iter().map(|span| Find { row, tier: secret.tier, span }));
    }
    finds
}

/// Positions of literals and tokens of the `wanted` rows, and for each row of its near words.
pub fn candidates(text: &str, wanted: Wanted<'_>) -> (Vec<Candidate>, Vec<Vec<Range<usize>>>) {
    let bytes = text.as_bytes();
    let mut candidates = Vec::new();
    let mut near: Vec<Vec<Range<usize>>> = vec![Vec::new(); SECRETS.len()];
    let active: Vec<bool> = SECRETS.iter().map(wanted).collect();
    let Prefilter { words, owners } = prefilter();
    let words = words.find(text).map(|(span, word)| (span, &owners[word]));
    for (hit, owners) in words {
        for owner in owners {
            if !active[owner.row] {
                continue;
            }
            match owner.role {
                Role::Near => near[owner.row].push(hit.clone()),
                Role::Word => candidates.push(Candidate { row: owner.row, start: hit.start }),
                Role::Literal { text: literal, back } => {
                    let exact = &bytes[hit.clone()] == literal.as_bytes();
                    if exact && hit.start >= back && begins_literal(text, hit.start - back) {
                        candidates.push(Candidate { row: owner.row, start: hit.start - back });
                    }
                }
            }
        }
    }
    let looks: Vec<(usize, FirstLook)> = SECRETS
        .iter()
        .enumerate()
        .filter(|(row, secret)| active[*row] && (!needs_near(secret) || !near[*row].is_empty()))
        .filter_map(|(row, secret)| match secret.seek {
            Seek::Token(look) => Some((row, look)),
            _ => None,
        })
        .collect();
    for token in tokens(bytes) {
        for (row, look) in &looks {
            if look(text, &token) {
                candidates.push(Candidate { row: *row, start: token.start });
            }
        }
    }
    candidates.retain(|found| !needs_near(&SECRETS[found.row]) || !near[found.row].is_empty());
    (candidates, near)
}

fn needs_near(secret: &Secret) -> bool {
    matches!(secret.near, Near::Needs(_))
}

fn attempt(text: &str, row: usize, start: usize, near: &[Range<usize>], checks: &mut usize) -> Option<Find> {
    let secret = &SECRETS[row];
    let span = match secret.shape {
        Shape::Regex(_) => matched(text, row, start)?,
        Shape::Read(read) => read(text, start)?,
    };
    if !ends(text, span.end) {
        return None;
    }
    let is_near = close(near, &span);
    if needs_near(secret) && !is_near {
        return None;
    }
    *checks += 1;
    let verdict = if *checks > secret.checks_max {
        Verdict::Holds
    } else {
        (secret.check)(&ShapeMatch { text, span: span.clone(), near: is_near })
    };
    let tier = match verdict {
        Verdict::Holds => secret.tier,
        Verdict::Fails => secret.unsure?,
        Verdict::Nothing => return None,
    };
    Some(Find { row, tier, span })
}

fn matched(text: &str, row: usize, start: usize) -> Option<Range<usize>> {
    let (shape, rest) = (shape(row)?, text.get(start..)?);
    let whole = shape.find(rest)?;
    if shape.captures_len() == 1 {
        return Some(start..start + whole.end());
    }
    let groups = shape.captures(&rest[..whole.end()])?;
    let value = groups.iter().skip(1).flatten().next()?;
    Some(start + value.start()..start + value.end())
}

/// Whether a near word is within [`NEAR_BYTES`] of `span`; `near` is sorted by end.
fn close(near: &[Range<usize>], span: &Range<usize>) -> bool {
    let first = near.partition_point(|word| word.end + NEAR_BYTES < span.start);
    near.get(first).is_some_and(|word| word.start <= span.end + NEAR_BYTES)
}

/// Whether a token may start at `at`: not inside a run of token bytes.
fn begins(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    text.is_char_boundary(at) && (at == 0 || !(is_of_token(bytes[at - 1]) && is_of_token(bytes[at])))
}

/// Whether a value with a literal may start at `at`: also after `_` or `-`, as in `x_ghp_…`, since the literal
/// separates it from the name.
fn begins_literal(text: &str, at: usize) -> bool {
    let before = at.checked_sub(1).map(|last| text.as_bytes()[last]);
    begins(text, at) || text.is_char_boundary(at) && matches!(before, Some(b'_' | b'-'))
}

fn ends(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    at > 0 && (at == bytes.len() || !(is_of_token(bytes[at - 1]) && is_of_token(bytes[at])))
}

/// Whether `byte` can be part of a token; other bytes delimit tokens.
pub fn is_of_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// Maximal runs of ASCII letters and digits that are not joined to the text before by `_` or `-`.
fn tokens(bytes: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            at += bytes[at..].iter().position(u8::is_ascii_alphanumeric)?;
            let start = at;
            at += bytes[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
            if start == 0 || !is_of_token(bytes[start - 1]) {
                return Some(start..at);
            }
        }
    })
}

struct Prefilter {
    words: Literals,
    owners: Vec<Vec<Owner>>,
}

struct Owner {
    row: usize,
    role: Role,
}

enum Role {
    Literal { text: &'static str, back: usize },
    Word,
    Near,
}

/// The literals of all rows, built at the first scan.
fn prefilter() -> &'static Prefilter {
    static PREFILTER: LazyLock<Prefilter> = LazyLock::new(|| {
        let mut patterns: Vec<String> = Vec::new();
        let mut owners: Vec<Vec<Owner>> = Vec::new();
        let mut own = |word: &'static str, row: usize, role: Role| {
            let lower = word.to_ascii_lowercase();
            let at = patterns.iter().position(|known| *known == lower).unwrap_or_else(|| {
                patterns.push(lower);
                owners.push(Vec::new());
                patterns.len() - 1
            });
            owners[at].push(Owner { row, role });
        };
        for (row, secret) in SECRETS.iter().enumerate() {
            match secret.seek {
                Seek::Literal(words, back) => {
                    words.iter().for_each(|text| own(text, row, Role::Literal { text, back }));
                }
                Seek::Word(words) => words.iter().for_each(|word| own(word, row, Role::Word)),
                Seek::Token(_) | Seek::Mnemonic(_) | Seek::All(_) => {}
            }
            if let Near::Needs(words) | Near::Helps(words) = secret.near {
                words.iter().for_each(|word| own(word, row, Role::Near));
            }
        }
        Prefilter { words: Literals::of(patterns), owners }
    });
    &PREFILTER
}

/// Most bytes of one compiled shape; the largest of the table needs a tenth.
const SHAPE_BYTES_MAX: usize = 2 << 20;

/// The compiled shape of a row, built at its first candidate.
fn shape(row: usize) -> Option<&'static Regex> {
    static SHAPES: [OnceLock<Option<Regex>>; SECRETS.len()] = [const { OnceLock::new() }; SECRETS.len()];
    let Shape::Regex(pattern) = SECRETS[row].shape else { return None };
    SHAPES[row]
        .get_or_init(|| {
            let anchored = format!(r"\A(?:{pattern})");
            let mut builder = RegexBuilder::new(&anchored);
            builder.unicode(false).size_limit(SHAPE_BYTES_MAX).dfa_size_limit(SHAPE_BYTES_MAX);
            builder.build().ok()
        })
        .as_ref()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_of_the_table_compiles_within_its_limit() {
        assert!(prefilter().words.is_quick());
        for (row, secret) in SECRETS.iter().enumerate() {
            let is_regex = matches!(secret.shape, Shape::Regex(_));
            assert_eq!(shape(row).is_some(), is_regex, "{}", secret.class);
        }
    }

    #[test]
    fn a_clean_note_has_no_candidate_and_so_compiles_no_regex() {
        let note = include_str!("../../../../docs/tenets.md");
        let tried = candidates(note, &|row| row.everywhere).0.into_iter();
        let compiled: Vec<&str> = tried
            .map(|found| &SECRETS[found.row])
            .filter(|row| matches!(row.shape, Shape::Regex(_)))
            .map(|row| row.class)
            .collect();
        assert!(compiled.is_empty(), "{compiled:?}");
    }

    /// A list of keys is not one wrapped key.
    #[test]
    fn a_value_ends_with_its_line_where_the_next_one_begins_another() {
        let key = format!("sk_{}_51H8abcDEFghijKLMNopQRstuVWxyz012345", "live");
        for next in ["- Stripe: x", "- DATABASE_URL=postgres://x", "  JWT_SECRET=9f8e7d6c"] {
            let text = format!("- {key}\n{next}\n");
            let spans: Vec<_> = find(&text, |row| row.everywhere).into_iter().map(|find| find.span).collect();
            assert!(spans.iter().any(|span| text[span.clone()] == key), "{next}");
            assert!(spans.iter().all(|span| !text[span.clone()].contains('\n')), "{next}");
        }
    }

    /// A slow check has a limit of calls; unchecked values count as secrets.
    #[test]
    fn what_is_left_unchecked_counts_as_a_value() {
        let row = SECRETS.iter().position(|row| row.class == "solana_keypair").expect("of the table");
        let token = "3Hn6RkQv8yJtW2mZxP5cDfGbL9sKaE7uVoTiNqXrMhYwBdCzFjSgUpA4e1k6RkQv8yJtW2mZxP5cDfGbL9sKaE";
        let mut checks = 0;
        assert_eq!(attempt(token, row, 0, &[], &mut checks), None, "no pair");
        checks = SECRETS[row].checks_max;
        assert!(attempt(token, row, 0, &[], &mut checks).is_some());
    }

    /// A file of 2 MiB took hours: each `glpat-` was read to the end of the run.
    #[test]
    fn a_literal_repeated_without_a_blank_is_read_in_linear_time() {
        for unit in ["glpat-", "eyJ_", "AQE_"] {
            assert_eq!(find(&unit.repeat((400 << 10) / unit.len()), |row| row.everywhere), [], "{unit}");
        }
    }

    /// A token in a line without a blank is found behind many places that only begin like one.
    #[test]
    fn a_value_in_a_long_line_is_found_behind_false_beginnings() {
        let token = format!("glpat-{}", "Rk3xVb7QwZp1Nc8TyH2d");
        let text = format!("{}\"{token}\"", "{\"a\":\"glpat-x\"},".repeat(1_000));
        let spans: Vec<_> = find(&text, |row| row.everywhere).into_iter().map(|find| find.span).collect();
        assert!(spans.iter().any(|span| text[span.clone()] == token), "{spans:?}");
    }

    #[test]
    fn tokens_are_bounded_by_what_is_of_no_token() {
        let text = "ab-cd ef_gh x.y9";
        let shown: Vec<&str> = tokens(text.as_bytes()).map(|span| &text[span]).collect();
        assert_eq!(shown, ["ab", "ef", "x", "y9"]);
    }
}
