//! Lines of the notes that may be told in passing, each with who said it, when, and in which project.
//!
//! A passage is what is searched; a line is what is shown: a sentence, an item, a row. What a person asked leads to the
//! answer beside it and is not shown itself. Invariant: a line is a piece of a text that was masked for a model.

pub(crate) mod asking;
pub(crate) mod subject;
pub(crate) mod table;

use std::collections::HashSet;

use inwit_model::{ProjectName, SafeName, Sha256, Taint};
use inwit_recall::Analyser;

use crate::notes::journal::{self, Message, statement, unit};

/// Who vouches for a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Speaker {
    /// The agent, in a turn.
    Agent,
    /// The user, in a turn.
    User,
    /// A file that a person keeps.
    File,
    /// The agent asked to keep it, and nobody has decided yet.
    Waiting,
}

/// Where lines stand.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Source {
    /// The file; `None` for what waits.
    pub name: Option<SafeName>,
    /// First and last line there.
    pub lines: (u32, u32),
    /// When it was said, as text that sorts by time; empty where nobody knows.
    pub at: String,
    /// Rank of its session among the latest ones, to order entries of the same minute; 0 if unknown.
    pub order: usize,
    /// The project, as its name is by now.
    pub project: Option<ProjectName>,
    /// Whose words they are, where nobody vouches for them.
    pub taint: Option<Taint>,
}

/// One line.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    /// Its words.
    pub text: String,
    /// Who says it.
    pub speaker: Speaker,
    /// The person who says it, as the log calls them: `user` where nobody gave a name.
    pub person: Option<String>,
    /// What leads to it, where it says too little alone: `The gateway settings:`.
    pub lead: Option<String>,
    /// Its own terms, as questions are made of.
    pub terms: HashSet<String>,
    /// The terms of its lead that say what it is about.
    pub subject: HashSet<String>,
    /// Its first term of content.
    pub head: Option<String>,
    /// Signs of worth: a decision, a figure, a name, a value.
    pub worth: u32,
    /// How many rows of a table it holds; 1 for any other line.
    pub rows: u32,
    /// A person says with it what holds beyond the moment.
    pub is_stated: bool,
    /// By which [`Source`] it is.
    pub source: usize,
    /// By which turn of the source: an answer belongs to what was asked before it.
    pub turn: usize,
    /// By what it is known again: see [`number_of`].
    pub number: u64,
    /// The session was shown it before.
    pub is_known: bool,
}

/// By what a line is known again: its letters and digits.
pub(crate) fn number_of(line: &str) -> u64 {
    let words: String = line.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let Sha256([a, b, c, d, e, f, g, h, ..]) = Sha256::of(words.as_bytes());
    u64::from_le_bytes([a, b, c, d, e, f, g, h])
}

impl Line {
    /// Whether a term stands in it or in what leads to it.
    pub(crate) fn holds(&self, term: &String) -> bool {
        self.terms.contains(term) || self.subject.contains(term)
    }

    /// Whether the same line leads to both, in one turn.
    pub(crate) fn is_below_same(&self, other: &Self) -> bool {
        (self.turn, &self.lead) == (other.turn, &other.lead)
    }

    /// Whether it is no question of the user's, whatever form that has.
    pub(crate) fn is_answer(&self) -> bool {
        self.speaker != Speaker::User || self.is_stated
    }

    /// Whether it may be shown with a prompt, and the session does not know it.
    pub(crate) fn is_told(&self) -> bool {
        !self.is_known && self.may_be_told()
    }

    /// Whether it is fit to be shown with a prompt: of what the user said only rules, or half of what is shown would be
    /// the user's own words.
    pub(crate) fn may_be_told(&self) -> bool {
        let is_rule = self.speaker != Speaker::User || statement::is_rule(&self.text);
        is_rule && self.is_packed()
    }

    /// Whether it says what holds always or never.
    pub(crate) fn is_rule(&self) -> bool {
        self.speaker != Speaker::File && statement::is_rule(&self.text)
    }

    /// Whether it is fit to be shown when a session begins.
    pub(crate) fn is_packed(&self) -> bool {
        match self.speaker {
            Speaker::User => self.is_stated,
            Speaker::Agent | Speaker::File | Speaker::Waiting => {
                !statement::is_question(&self.text) && !statement::is_opening(&self.text)
            }
        }
    }
}

/// The lines of `text`, a piece of a file. In a daily log `agents` are those who answer; elsewhere all of it is the file's.
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

/// How much a line is worth finding again. What limits the agent is worth most, what programs print or read least.
pub(crate) fn worth(text: &str, speaker: Speaker) -> u32 {
    let stated = if speaker == Speaker::User { statement::worth(text) } else { 0 };
    let worth = unit::weight(text) + u32::from(text.contains('`')) + stated;
    if unit::is_output(text) { worth.min(1) } else { worth }
}

/// The terms of `text` that say something: single characters of a script without blanks are in their pairs already.
pub(crate) fn terms(text: &str, analyser: &mut Analyser) -> HashSet<String> {
    let all = analyser.terms(text).counts.into_iter().map(|(term, _)| term);
    all.filter(|term| !is_lone(term)).collect()
}

/// A single character of a script that is written without blanks.
pub(crate) fn is_lone(term: &str) -> bool {
    let mut chars = term.chars();
    chars.next().is_some_and(inwit_recall::analyse::is_spaceless) && chars.next().is_none()
}
