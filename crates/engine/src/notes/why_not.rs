//! Explains why a passage is not among the results of a query.
//!
//! The words are searched in the files of the scope, so that unsearched text is reported too. Invisible files are not
//! opened, since that would reveal their content. Shown text is masked as in a search. Invariant: each passage with
//! the words has one reason, and a ranked one shows its score breakdown.

use std::ops::Range;

use inwit_markdown::{Document, Passage, parse};
use inwit_model::limit::RESULTS_MAX;
use inwit_model::{Code, Entry, Place, SafeName, Scope};
use inwit_recall::ScoreBreakdown;
use inwit_workspace::{ScopedReader as _, View};

use crate::core::mask::{MaskedFile, ModelText};
use crate::core::searched;
use crate::notes::search::{Far, Search};
use crate::{Answer, EngineError, Notes};

/// Most passages reported.
pub const WHY_NOT_MAX: usize = 20;

/// The request.
#[derive(Debug, Clone, Copy)]
pub struct WhyNot<'q> {
    /// Words in the passage, as written; case is ignored.
    pub text: &'q str,
    /// The query without the expected result; `None`: whether it can be found at all.
    pub query: Option<&'q str>,
    /// Who asked.
    pub scope: &'q Scope,
    /// The number of results requested.
    pub limit: usize,
}

/// The answer.
#[derive(Debug, Clone)]
pub struct Reasons {
    /// Passages with the words, in file order.
    pub passages: Vec<Reason>,
    /// Number of further passages.
    pub beyond: usize,
    /// Score of the last result shown, if there is a query.
    pub last_shown: Option<f32>,
    /// The rest of the answer to the query.
    pub answer: Option<Answer>,
}

/// One passage and the reason.
#[derive(Debug, Clone, PartialEq)]
pub struct Reason {
    /// Its file.
    pub name: SafeName,
    /// Its first line, from 1.
    pub first_line: u32,
    /// Its first line of text.
    pub text: ModelText,
    /// The reason.
    pub why: Why,
}

/// Why a passage is not among the answers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Why {
    /// It is a result.
    Shown {
        /// Its rank, from 1.
        rank: usize,
        /// Its score.
        parts: ScoreBreakdown,
    },
    /// Others rank higher.
    Outranked {
        /// Its rank, from 1.
        rank: usize,
        /// Its score.
        parts: ScoreBreakdown,
    },
    /// It matches, but so many others rank higher that it has no rank.
    Beyond {
        /// Its score.
        parts: ScoreBreakdown,
    },
    /// It matches, but is only a label line: its words count for the text below.
    NamesOnly,
    /// It is searched, but no query term matches.
    NoMatch,
    /// It is a heading: its words count for the text below, and it is not a result.
    Heading,
    /// It is a comment or mark without text.
    NoText,
    /// It is searched; there is no query.
    Searched,
    /// Its file is never searched: generated, or in an excluded place.
    NotSearched,
    /// Its file is ignored by `.gitignore` or `.inwitignore`, or in a venv or cache.
    Ignored,
}

impl Why {
    /// The reason as a word.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Shown { .. } => "shown",
            Self::Outranked { .. } => "outranked",
            Self::Beyond { .. } => "beyond",
            Self::NamesOnly => "names_only",
            Self::NoMatch => "no_match",
            Self::Heading => "heading",
            Self::NoText => "no_text",
            Self::Searched => "searched",
            Self::NotSearched => "not_searched",
            Self::Ignored => "ignored",
        }
    }

    /// Its score, if any.
    pub fn parts(&self) -> Option<ScoreBreakdown> {
        match self {
            Self::Shown { parts, .. } | Self::Outranked { parts, .. } | Self::Beyond { parts } => {
                Some(*parts)
            }
            _ => None,
        }
    }
}

impl Notes {
    /// The reasons for all passages with the words. Errors: `query_bad` for blank words, and those of
    /// [`search`](Self::search).
    pub fn why_not(&self, asked: &WhyNot<'_>) -> Result<Reasons, EngineError> {
        let words = asked.text.trim().to_lowercase();
        if words.is_empty() {
            return Err(EngineError::new(Code::QueryBad, "The text of the passage is empty."));
        }
        let all = asked.query.map(|query| Search {
            query,
            scope: asked.scope,
            limit: RESULTS_MAX,
            budget_chars: None,
            bounds: Default::default(),
        });
        let answer = all.as_ref().map(|all| self.search_unnoted(all)).transpose()?;
        let mut reasons = Reasons { passages: Vec::new(), beyond: 0, last_shown: None, answer: None };
        let view = self.core.view(asked.scope);
        self.core.load_named_of_files(&view);
        for KnownPage { name, place, is_ignored } in self.known_files(&view)? {
            // Other scopes see name and description of a skill, not its body.
            if *asked.scope != Scope::Main && matches!(place, Place::Skill { .. }) {
                continue;
            }
            let Ok(content) = view.read(&name) else { continue };
            let holding = holding(&name, &parse(&content.bytes), &words);
            if holding.is_empty() {
                continue;
            }
            let page = self.core.page(asked.scope, &name, &content.bytes);
            for Piece { span, lines, whether } in holding {
                // Masked words must not be confirmed here.
                if !page.piece(span.clone(), &mut Vec::new()).to_lowercase().contains(&words) {
                    continue;
                }
                if reasons.passages.len() == WHY_NOT_MAX {
                    reasons.beyond += 1;
                    continue;
                }
                let why = match is_ignored {
                    true => Why::Ignored,
                    false => why(asked, &place, answer.as_ref(), &name, lines, whether),
                };
                let text = self.first_line(&page, span, &words);
                reasons.passages.push(Reason { name: name.clone(), first_line: lines.0, text, why });
            }
        }
        if let Some(all) = &all {
            self.look_further(all, &mut reasons.passages)?;
        }
        reasons.last_shown = answer.as_ref().and_then(|answer| {
            answer.hits.get(..asked.limit).unwrap_or(&answer.hits).last().map(|hit| hit.parts.sum())
        });
        reasons.answer = answer;
        Ok(reasons)
    }

    /// The first line of a piece as a search shows it; for a non-text piece, the matching line.
    fn first_line(&self, page: &MaskedFile<'_>, span: Range<usize>, words: &str) -> ModelText {
        let mut masked = Vec::new();
        let raw = page.piece(span, &mut masked);
        let shown = inwit_markdown::shown(&raw);
        // A comment is shown as written, by the matching line.
        let is_comment = shown.trim().is_empty();
        let text = if is_comment { raw.as_str() } else { &*shown };
        let text = self.core.masked_words_on(page, text, &mut masked);
        let meant = |line: &&str| !is_comment || line.to_lowercase().contains(words);
        let mut lines = text.trim().lines();
        let line = lines.clone().find(meant).or_else(|| lines.next()).unwrap_or_default();
        self.core.masked_words_on(page, line, &mut masked)
    }

    /// A passage beyond the results may still match.
    fn look_further(&self, search: &Search<'_>, reasons: &mut [Reason]) -> Result<(), EngineError> {
        let unseen = |reason: &&mut Reason| reason.why == Why::NoMatch;
        let mut unseen: Vec<&mut Reason> = reasons.iter_mut().filter(unseen).collect();
        let places: Vec<(SafeName, u32)> =
            unseen.iter().map(|reason| (reason.name.clone(), reason.first_line)).collect();
        for (reason, far) in unseen.iter_mut().zip(self.found_far(search, &places)?) {
            reason.why = match far {
                Some(Far { only_names: true, .. }) => Why::NamesOnly,
                Some(Far { parts, .. }) => Why::Beyond { parts },
                None => Why::NoMatch,
            };
        }
        Ok(())
    }

    /// Every file with a place, in reading order.
    fn known_files(&self, view: &View) -> Result<Vec<KnownPage>, EngineError> {
        let known = |Entry { name, is_ignored, .. }| {
            Place::of(&name).map(|place| KnownPage { name, place, is_ignored })
        };
        let mut files: Vec<KnownPage> = view.list()?.entries.into_iter().filter_map(known).collect();
        files.sort_by(|left, right| inwit_store::reading_order(&left.name, &right.name));
        Ok(files)
    }
}

/// A file with a place.
struct KnownPage {
    name: SafeName,
    place: Place,
    is_ignored: bool,
}

/// A part of a file with the words.
struct Piece {
    span: Range<usize>,
    /// First and last line, from 1.
    lines: (u32, u32),
    /// Why it is not a passage, if so.
    whether: Option<Why>,
}

/// The passages, headings and other parts of a file with `words` (lower-case), in order.
fn holding(name: &SafeName, document: &Document<'_>, words: &str) -> Vec<Piece> {
    let holds = |span: &Range<usize>| document.text(span).to_lowercase().contains(words);
    // Computed once: a file may have tens of thousands of headings.
    let ends = line_ends(document.bytes());
    let line_of = |at: usize| {
        let before = ends.partition_point(|end| *end < at);
        u32::try_from(before).unwrap_or(u32::MAX).saturating_add(1)
    };
    let read = searched::passages(name, document);
    let is_read = |at: usize| read.binary_search_by_key(&at, |passage| passage.span.start).is_ok();
    // Template lines, and front matter for programs.
    let whether = |passage: &Passage| (!is_read(passage.span.start)).then_some(Why::NotSearched);
    let passages = document.passages.iter().chain(&document.bare).filter(|passage| holds(&passage.span));
    let passages = passages.map(|passage| Piece {
        span: passage.span.clone(),
        lines: passage.lines,
        whether: whether(passage),
    });
    let headings = document.sections.iter().map(|section| (&section.heading, Why::Heading));
    let gaps = document.gaps.iter().map(|gap| (&gap.span, Why::NoText));
    let others = headings.chain(gaps).filter(|&(span, _)| holds(span) && !is_read(span.start)).map(
        |(span, whether)| {
            let first = line_of(span.start);
            let last = line_of(span.end.saturating_sub(1).max(span.start));
            Piece { span: span.clone(), lines: (first, last), whether: Some(whether) }
        },
    );
    let mut holding: Vec<Piece> = passages.chain(others).collect();
    holding.sort_by_key(|piece| piece.span.start);
    holding
}

/// Line ends: a line feed, or a carriage return without one.
fn line_ends(bytes: &[u8]) -> Vec<usize> {
    let is_end = |at: usize, byte: u8| byte == b'\n' || byte == b'\r' && bytes.get(at + 1) != Some(&b'\n');
    bytes.iter().enumerate().filter(|(at, byte)| is_end(*at, **byte)).map(|(at, _)| at).collect()
}

fn why(
    asked: &WhyNot<'_>,
    place: &Place,
    answer: Option<&Answer>,
    name: &SafeName,
    lines: (u32, u32),
    whether: Option<Why>,
) -> Why {
    if !asked.scope.searches(place) {
        return Why::NotSearched;
    }
    if let Some(whether) = whether {
        return whether;
    }
    let Some(answer) = answer else { return Why::Searched };
    let holds = |hit: &crate::Hit| hit.name == *name && hit.first_line <= lines.0 && lines.1 <= hit.last_line;
    match answer.hits.iter().position(holds) {
        None => Why::NoMatch,
        Some(at) => {
            let (rank, parts) = (at + 1, answer.hits[at].parts);
            if rank <= asked.limit { Why::Shown { rank, parts } } else { Why::Outranked { rank, parts } }
        }
    }
}
