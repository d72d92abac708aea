//! The weights of ranking, each with its measured effect.
//!
//! Chosen on round numbers with flat optima; `docs/benchmarks.md` has the ablation. Effects are of
//! evidence recall within the first 2,000 characters on the development conversations, which is
//! .814 with all of them; below .005 is noise.

/// How fast repetitions of a term saturate (BM25's k1). Flat between 0.8 and 1.5.
pub const SATURATION: f32 = 1.0;

/// How much a passage's length counts (BM25's b). Flat between 0.5 and 0.9.
pub const LENGTH_SHARE: f32 = 0.75;

/// What a match lends to the passage beside it. Without lending: −.113.
pub const LEND: f32 = 0.7;

/// What a passage that asks lends to the one that answers. With [`LEND`] instead: −.007.
pub const LEND_TO_ANSWER: f32 = 0.85;

/// The share of lending that is left in a question of one or two words: who asks `bread` wants to see
/// the word, not what stands beside it. Development questions are longer; without it −.000.
pub const LEND_SHORT_QUESTION: f32 = 0.4;

/// A question of at most this many full terms is a short one.
pub const SHORT_QUESTION_TERMS_MAX: usize = 2;

/// The share of lending that crosses a heading. A choice of prudence: flat between 0 and 1.
pub const LEND_ACROSS_HEADING: f32 = 0.5;

/// Lending ends where less than this would arrive: at most eight passages on, further through questions.
pub const LEND_MIN: f32 = 0.05;

/// What a word in the heading above a passage counts. Without: −.001.
pub const HEADING: f32 = 0.3;

/// What another spelling of a word counts (`notebook` for `note book`). Without: −.000; it is there for the
/// rare question that nothing else answers.
pub const OTHER_SPELLING: f32 = 0.3;

/// What an entry gains whose label the question names, shared by the labels named. Without: −.034.
pub const LABEL: f32 = 0.3;

/// The weight left to a word that names a label: it tells who, not what.
pub const LABEL_WORD: f32 = 0.5;

/// A label counts as one when at least this many passages bear it.
pub const LABEL_BEARERS_MIN: u32 = 3;

/// What a passage that names a time gains when the question asks when. Without: −.003.
pub const TIME: f32 = 0.1;

/// What another form of a word counts in languages other than English. English forms are one term.
pub const OTHER_FORM: f32 = 0.95;

/// What a passage gains that is of the very day asked for.
pub const DAY_ASKED: f32 = 1.0;

/// What it gains when it is of the week asked for.
pub const WEEK_ASKED: f32 = 0.75;

/// What it gains when it is of the month asked for. Without any dates: −.010.
pub const MONTH_ASKED: f32 = 0.5;

/// What it gains when it is of the year asked for, or on the side of a day that was asked for.
pub const YEAR_ASKED: f32 = 0.45;

/// A passage that gains this much by its date answers even without a word of the question: it is of the very day, or
/// of the week.
pub const DATED_ALONE_MIN: f32 = WEEK_ASKED;

/// Below this share of the question's content, by rarity, nothing is near. On the development
/// conversations it flags 2.4 % of questions that have an answer and 88 % of invented ones.
pub const NEAR_MIN: f32 = 0.3;

/// What the nearest passage gains from its meaning, where a model is present. With MiniLM: +.018, and +.025 of
/// evidence within 6,000 characters; flat between 0.4 and 1.0.
pub const MEANING: f32 = 0.6;

/// What the nearness of a passage lends to the passages beside it.
pub const MEANING_LEND: f32 = 0.2;

/// The same one passage further. Without both: −.007.
pub const MEANING_LEND_FAR: f32 = 0.1;

/// At this cosine of the best passage something is near, whatever words were found. On the development conversations
/// 99.9 % of questions that have an answer are near by one or the other (by words alone: 96.2 %), and 2 of 40 that
/// were asked of the wrong notes (by words alone: 1).
pub const NEAR_COSINE_MIN: f32 = 0.4;

/// Passages that meaning alone brings before the judges of words, labels and dates.
pub const MEANING_CANDIDATES_MAX: usize = 1_000;
