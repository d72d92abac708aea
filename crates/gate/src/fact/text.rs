//! A change of a fact as an editable text: keys, an empty line, the statement.
//!
//! A proposal of a file has bytes and a file name; one of a fact has this text and a name under `facts/…`, where no
//! file is ever written. Invariant: a written text parses to the same change, and no other form parses.

use std::fmt::Write as _;

use inwit_model::fact::{Category, FactSource, ProfileKey, Span, fact_line};
use inwit_model::{Code, FactId, Op, SafeName, Sha256};
use jiff::Timestamp;

use super::{FactChange, FactDeed, FactText, HeldFact, refuse};
use crate::name::Refusal;
use crate::proposal::Proposal;

/// Value of a key for "no beginning".
const NONE: &str = "none";

/// Whether the name is that of a waiting change of a fact, not of a file.
pub fn is_fact_name(name: &SafeName) -> bool {
    let stem = name.as_str().strip_prefix("facts/").and_then(|rest| rest.strip_suffix(".md"));
    stem.is_some_and(|stem| matches!(stem, "new" | "profile") || FactId::parse(stem).is_some())
}

/// The change in a proposal of a fact, with its source. Error: `usage_bad`.
pub fn proposed_fact(proposal: &Proposal) -> Result<(FactDeed, FactSource), Refusal> {
    let text = std::str::from_utf8(proposal.op.bytes()).ok();
    let read = text.filter(|_| matches!(proposal.op, Op::Put(_))).and_then(read);
    match read {
        Some((deed, source)) if deed.name() == proposal.target => Ok((deed, source)),
        _ => refuse(
            Code::UsageBad,
            format!("{} does not contain a change of a fact: keys, an empty line, the text.", proposal.id),
        ),
    }
}

/// Whether a proposal of a fact sets an unlimited beginning.
pub(super) fn is_always(proposal: &Proposal) -> bool {
    let keys = std::str::from_utf8(proposal.op.bytes()).ok().and_then(keys);
    keys.is_some_and(|(keys, _)| keys.contains(&("from", NONE)))
}

impl FactChange {
    /// The change as text.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let mut key = |name: &str, value: &str| {
            let _ = writeln!(text, "{name}: {value}");
        };
        key("change", self.deed.word());
        if let Some(id) = self.deed.about() {
            key("id", id.as_str());
        }
        match &self.deed {
            FactDeed::Update { base, .. } | FactDeed::Forget { base, .. } => key("base", &base.to_string()),
            FactDeed::Expire { before } => key("before", &before.to_string()),
            FactDeed::SetProfile { key: known, .. } | FactDeed::UnsetProfile { key: known } => {
                key("key", known.as_str());
            }
            _ => {}
        }
        if let Some(said) = self.deed.text() {
            key("category", said.category.as_str());
            key("source", self.source().word());
            self.times(said).iter().for_each(|(name, at)| key(name, at));
            if let Some(metadata) = &said.metadata {
                key("metadata", &one_line(metadata));
            }
        }
        let words = match &self.deed {
            FactDeed::SetProfile { value, .. } => value,
            deed => deed.text().map_or("", |said| &said.content),
        };
        let _ = write!(text, "\n{words}\n");
        text
    }

    /// The period of validity, as keys of the text.
    fn times(&self, said: &FactText) -> Vec<(&'static str, String)> {
        let [from, to] = [said.valid.from, said.valid.to].map(|at| at.map(|at| at.to_string()));
        let always = self.is_always.then(|| NONE.to_owned());
        let times = [("from", from.or(always)), ("to", to)].into_iter();
        times.filter_map(|(name, at)| Some((name, at?))).collect()
    }
}

impl Proposal {
    /// Stores a change of a fact that the gate held back. Its content hash covers the statement and the period, not
    /// the proposal's name or metadata.
    pub fn of_fact(id: inwit_model::ProposalId, created: Timestamp, held: HeldFact) -> Self {
        let HeldFact { change, findings, .. } = held;
        let text = change.to_text();
        let said = match change.deed.text() {
            Some(words) => {
                let times = change.times(words).into_iter().map(|(name, at)| format!("\n{name}: {at}"));
                format!("{}\n{}{}", words.category, words.plain(), times.collect::<String>())
            }
            None => text.clone(),
        };
        let about = change.deed.about().map_or("", FactId::as_str);
        let content = Sha256::of(format!("{}\n{about}\n{said}", change.deed.word()).as_bytes());
        let result = Some(Sha256::of(text.as_bytes()));
        Self {
            id,
            created,
            target: change.deed.name(),
            op: Op::Put(text.into_bytes().into()),
            base: None,
            result,
            content,
            actor: change.author.actor(),
            taint: change.taint,
            session: change.session.clone(),
            project: change.project.clone(),
            // Facts belong to the private scope only.
            scope: inwit_model::Scope::Main,
            reason: change.reason().to_owned(),
            findings,
        }
    }
}

/// Metadata on one line, quoted if it would not parse back byte for byte.
fn one_line(metadata: &str) -> String {
    if metadata.trim() == metadata && !metadata.contains(['\n', '\r']) && !metadata.starts_with('"') {
        return metadata.to_owned();
    }
    format!("\"{}\"", metadata.replace('\\', r"\\").replace('\n', r"\n").replace('\r', r"\r"))
}

/// The inverse.
fn as_it_was(line: &str) -> String {
    let Some(quoted) = line.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
        return line.to_owned();
    };
    let mut text = String::with_capacity(quoted.len());
    let mut chars = quoted.chars();
    while let Some(c) = chars.next() {
        text.push(match (c, c == '\\') {
            (_, false) => c,
            (_, true) => match chars.next() {
                Some('n') => '\n',
                Some('r') => '\r',
                Some(other) => other,
                None => break,
            },
        });
    }
    text
}

/// The keys with their values, and the statement; `None` if the form is invalid.
fn keys(text: &str) -> Option<(Vec<(&str, &str)>, &str)> {
    let (head, words) = text.split_once("\n\n").or_else(|| text.split_once("\r\n\r\n"))?;
    let keys = head.lines().map(|line| line.split_once(':').map(|(key, value)| (key.trim(), value.trim())));
    Some((keys.collect::<Option<_>>()?, words))
}

/// Parses a text; `None` if the form is invalid.
fn read(text: &str) -> Option<(FactDeed, FactSource)> {
    let (keys, words) = keys(text)?;
    let value = |key: &str| keys.iter().find(|(name, _)| *name == key).map(|(_, value)| *value);
    let moment = |key: &str| match value(key) {
        None => Some(None),
        Some(NONE) if key == "from" => Some(None),
        Some(text) => text.parse::<Timestamp>().ok().map(Some),
    };
    let id = || value("id").and_then(FactId::parse);
    let base = || value("base").and_then(Sha256::parse);
    let said = || {
        Some(FactText {
            category: Category::parse(value("category")?).ok()?,
            content: fact_line(words),
            metadata: value("metadata").map(as_it_was),
            valid: Span { from: moment("from")?, to: moment("to")? }.in_millis(),
        })
    };
    let key = || ProfileKey::parse(value("key")?).ok();
    let deed = match value("change")? {
        "fact_add" => FactDeed::Add(said()?),
        "fact_update" => FactDeed::Update { id: id()?, base: base()?, text: said()? },
        "fact_forget" => FactDeed::Forget { id: id()?, base: base()? },
        "profile_set" => FactDeed::SetProfile { key: key()?, value: fact_line(words) },
        "profile_unset" => FactDeed::UnsetProfile { key: key()? },
        _ => return None,
    };
    Some((deed, FactSource::claimed(value("source"))))
}
