//! The texts of an `inwit forget` call: typed, a line of a note, all versions of a fact, or all erased before.

use std::io::Read as _;

use inwit_engine::forget::{ErasureRequest, Fate, Matcher, Occurrence, Quotation};
use inwit_home::OpenAgent;
use inwit_home::forgetting::{deed, home};
use inwit_model::{Code, SafeName};
use inwit_wire::TooShortV1;

use super::ForgetArgs;
use crate::error::CliError;
use crate::ui::Ui;
use crate::{hints, person};

/// The selected fact, and its texts that are too short to search.
pub(super) struct NamedFact {
    id: String,
    number: String,
    pub(super) short: Vec<TooShortV1>,
}

impl NamedFact {
    pub(super) fn of(opened: &OpenAgent, id: &str) -> Result<Self, CliError> {
        let fact = opened.agent.facts.fact(id)?;
        let versions = versions(opened, id)?;
        let short = (1..).zip(versions).filter(|(_, text)| Matcher::is_too_short(text));
        let short = short.map(|(version, text)| TooShortV1 { version, text: Some(text) });
        Ok(Self { id: fact.id.to_string(), number: fact.number.to_string(), short: short.collect() })
    }

    /// Its occurrence by id, if its texts alone would not remove it.
    pub(super) fn stand(&self) -> Option<Occurrence> {
        let quoted = |short: &TooShortV1| Some(Quotation { line: None, text: short.text.clone()? });
        (!self.short.is_empty()).then(|| Occurrence {
            kind: "fact",
            name: self.number.clone(),
            count: self.short.len() as u64,
            fate: Fate::Goes,
            shows: self.short.iter().filter_map(quoted).collect(),
        })
    }

    /// Removes the fact with all versions; 0 if it was removed with its texts.
    pub(super) fn purge(&self, opened: &OpenAgent) -> Result<u64, CliError> {
        match opened.agent.facts.fact_purge(&self.id, &person::owners(false)) {
            Ok(_) => Ok(1),
            Err(error) if error.code == Code::FactUnknown => Ok(0),
            Err(error) => Err(error.into()),
        }
    }
}

/// All versions of a fact, oldest first.
fn versions(opened: &OpenAgent, id: &str) -> Result<Vec<String>, CliError> {
    let mut texts = opened.agent.fact_wordings(id)?;
    texts.rotate_left(1);
    Ok(texts)
}

/// The request; `None` if no erased text occurs again.
pub(super) fn aim(
    args: &ForgetArgs,
    opened: &OpenAgent,
    ui: &mut Ui,
) -> Result<Option<ErasureRequest>, CliError> {
    if !args.again {
        let texts = texts(args, opened)?;
        if texts.is_empty() && args.fact.is_some() && args.everywhere {
            return Ok(Some(ErasureRequest::nothing()));
        }
        return Ok(Some(ErasureRequest::of(Matcher::of(texts)?, args.rewrite_history)));
    }
    let buried = deed::buried(opened, args.rewrite_history)?;
    let unsaid = opened.agent.forgotten_in_history(&buried.unsaid)?;
    let told = deed::Again { texts: 0, places: 0, unsaid }.unsaid_told();
    // JSON output has no place for it.
    if let Some(notice) = told {
        ui.say(format!("note: {}", notice.message));
        ui.say(format!("hint: {}", hints::said(notice.hint)));
    }
    Ok(opened.agent.forgotten_that_stands(&buried.rewritten, &buried.kept, &mut |show| {
        home::each_left(opened, show);
    })?)
}

fn texts(args: &ForgetArgs, opened: &OpenAgent) -> Result<Vec<String>, CliError> {
    if let Some(id) = &args.fact {
        let mut texts = versions(opened, id)?;
        texts.retain(|text| !Matcher::is_too_short(text));
        return Ok(texts);
    }
    if let Some(line) = &args.line {
        return line_of(opened, line).map(|line| vec![line]);
    }
    match args.words().as_deref() {
        Some("-") => {
            let mut text = String::new();
            let read = std::io::stdin().take(STDIN_BYTES_MAX).read_to_string(&mut text);
            read.map_err(|error| CliError::new(Code::UsageBad, format!("stdin cannot be read: {error}.")))?;
            Ok(vec![text])
        }
        text => Ok(text.map(str::to_owned).into_iter().collect()),
    }
}

/// Most bytes that are read from stdin.
const STDIN_BYTES_MAX: u64 = 64 * 1024;

fn line_of(opened: &OpenAgent, place: &str) -> Result<String, CliError> {
    let bad = |message: String| CliError::new(Code::UsageBad, message);
    let (name, number) = place.rsplit_once(':').ok_or_else(|| bad("A line is given as FILE:LINE.".into()))?;
    let number: usize = number.parse().map_err(|_| bad("A line number must be 1 or more.".into()))?;
    let name = SafeName::parse(name).map_err(|error| CliError::new(Code::NameRefused, error.to_string()))?;
    let text = opened.agent.text_of(&name)?;
    let line = number.checked_sub(1).and_then(|at| text.lines().nth(at));
    line.map(str::to_owned).ok_or_else(|| bad(format!("`{name}` has no line {number}.")))
}
