//! Lines of notes for hooks, each with speaker, time and project.
//!
//! A passage is the unit of search, a line the unit of display: a sentence, an item, a row. A person's question leads
//! to the answer after it and is not shown. Invariant: a line is a slice of text that was masked for a model.

pub(crate) mod asking;
pub(crate) mod subject;
pub(crate) mod table;

use std::collections::HashSet;

use inwit_model::{ProjectName, SafeName, Sha256, Taint};
use inwit_recall::Analyser;

use crate::notes::journal::{self, Message, statement, unit};

/// Who a line is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Speaker {
    /// The agent, in a turn.
    Agent,
    /// The user, in a turn.
    User,
    /// A file of the owner.
    File,
    /// A waiting proposal of the agent.
    Waiting,
}

/// The origin of lines.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Source {
    /// The file; `None` for a proposal.
    pub name: Option<SafeName>,
    /// First and last line there.
    pub lines: (u32, u32),
    /// Its time, as text that sorts by time; empty if unknown.
    pub at: String,
    /// Rank of its session among the latest ones, to order entries of the same minute; 0 if unknown.
    pub order: usize,
    /// The project, by its current name.
    pub project: Option<ProjectName>,
    /// The taint, if any.
    pub taint: Option<Taint>,
}

/// One line.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    /// Its text.
    pub text: String,
    /// Its speaker.
    pub speaker: Speaker,
    /// The speaking person, as named in the log; `user` by default.
    pub person: Option<String>,
    /// Its introduction, if it needs one: `The gateway settings:`.
    pub lead: Option<String>,
    /// Its terms, as in queries.
    pub terms: HashSet<String>,
    /// The content terms of its introduction.
    pub subject: HashSet<String>,
    /// Its first content term.
    pub head: Option<String>,
    /// Its worth: a decision, a number, a name, a value.
    pub worth: u32,
    /// Number of table rows in it; 1 for any other line.
    pub rows: u32,
    /// A person's statement that remains valid.
    pub is_stated: bool,
    /// Index of its [`Source`].
    pub source: usize,
    /// Its turn in the source: an answer belongs to the question before it.
    pub turn: usize,
    /// Its key: see [`number_of`].
    pub number: u64,
    /// Whether the session was shown it before.
    pub is_known: bool,
}

/// The key of a line: a hash of its letters and digits.
pub(crate) fn number_of(line: &str) -> u64 {
    let words: String = line.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let Sha256([a, b, c, d, e, f, g, h, ..]) = Sha256::of(words.as_bytes());
    u64::from_le_bytes([a, b, c, d, e, f, g, h])
}

impl Line {
    /// Whether a term is in it or in its introduction.
    pub(crate) fn holds(&self, term: &String) -> bool {
        self.terms.contains(term) || self.subject.contains(term)
    }

    /// Whether both have the same introduction, in one turn.
    pub(crate) fn is_below_same(&self, other: &Self) -> bool {
        (self.turn, &self.lead) == (other.turn, &other.lead)
    }

    /// Whether it is not a question of the user, in any form.
    pub(crate) fn is_answer(&self) -> bool {
        self.speaker != Speaker::User || self.is_stated
    }

    /// Whether it may be shown with a prompt and is new to the session.
    pub(crate) fn is_told(&self) -> bool {
        !self.is_known && self.may_be_told()
    }

    /// Whether it is suitable with a prompt: of the user's text only rules, or half of the lines would be the user's
    /// own words.
    pub(crate) fn may_be_told(&self) -> bool {
        let is_rule = self.speaker != Speaker::User || statement::is_rule(&self.text);
        is_rule && self.is_packed()
    }

    /// Whether it is a rule.
    pub(crate) fn is_rule(&self) -> bool {
        self.speaker != Speaker::File && statement::is_rule(&self.text)
    }

    /// Whether it is suitable at the start of a session.
    pub(crate) fn is_packed(&self) -> bool {
        match self.speaker {
            Speaker::User => self.is_stated,
            Speaker::Agent | Speaker::File | Speaker::Waiting => {
                !statement::is_question(&self.text) && !statement::is_opening(&self.text)
            }
        }
    }
}

/// The lines of `text`, a part of a file. In a daily log `agents` are the answering speakers; elsewhere all lines are the file's.
pub(crate) fn lines_of(
    text: &str,
    agents: Option<&[String]>,
    source: usize,
    analyser: &mut Analyser,
) -> Vec<Line> {
    let (mut lines, mut turn, mut asked) = (Vec::new(), 0, String::new());
    let agents = agents.map(|agents| agents.iter().map(|name| journal::speaker(name)).collect::<Vec<_>>());
    for Message { who, lines: said, prose } in journal::messages(text) {
        let speaker = match &agents {
            Some(agents) if !who.is_empty() && agents.iter().any(|agent| agent == who) => Speaker::Agent,
            Some(_) if !who.is_empty() => Speaker::User,
            _ => Speaker::File,
        };
        turn += usize::from(speaker != Speaker::Agent);
        let typed = if speaker == Speaker::User { statement::typed(&said) } else { &[] };
        let has_rule = typed.iter().any(|line| statement::worth(line) > 1);
        let (sentences, items) = said.split_at(prose.min(said.len()));
        let (told, leads) = match speaker {
            Speaker::User => {
                asked = said.join(" ");
                (table::separate_lines(&said), Vec::new())
            }
            Speaker::Agent => {
                let mut told = table::joined_rows(sentences);
                let prose = told.len();
                told.extend(table::joined_rows(items));
                let leads = subject::leads(&told, prose, &std::mem::take(&mut asked), analyser);
                (told, leads)
            }
            Speaker::File | Speaker::Waiting => (table::joined_rows(&said), Vec::new()),
        };
        let leads = leads.into_iter().chain(std::iter::repeat(None));
        for (at, (told, lead)) in told.into_iter().zip(leads).enumerate() {
            let is_typed = at < typed.len();
            let text = if speaker == Speaker::File && !who.is_empty() {
                format!("{who}: {}", told.text)
            } else {
                told.text
            };
            let subject = subject::subject(lead.as_deref(), analyser);
            lines.push(Line {
                head: subject::head(&text, analyser),
                terms: terms(&text, analyser),
                subject,
                number: number_of(&format!("{}{text}", lead.as_deref().unwrap_or_default())),
                lead,
                worth: worth(&text, speaker),
                rows: told.rows,
                is_stated: is_typed
                    && (statement::is_statement(&text) || has_rule && statement::goes_with(&text)),
                text,
                speaker,
                person: (speaker == Speaker::User).then(|| who.to_owned()),
                source,
                turn,
                is_known: false,
            });
        }
    }
    lines
}

/// The worth of a line: restrictions of the agent most, program output least.
pub(crate) fn worth(text: &str, speaker: Speaker) -> u32 {
    let stated = if speaker == Speaker::User { statement::worth(text) } else { 0 };
    let worth = unit::weight(text) + u32::from(text.contains('`')) + stated;
    if unit::is_output(text) { worth.min(1) } else { worth }
}

/// The content terms of `text`; single characters of a script without blanks are covered by their pairs.
pub(crate) fn terms(text: &str, analyser: &mut Analyser) -> HashSet<String> {
    let all = analyser.terms(text).counts.into_iter().map(|(term, _)| term);
    all.filter(|term| !is_lone(term)).collect()
}

/// Whether it is a single character of a script without blanks.
pub(crate) fn is_lone(term: &str) -> bool {
    let mut chars = term.chars();
    chars.next().is_some_and(inwit_recall::analyse::is_spaceless) && chars.next().is_none()
}
