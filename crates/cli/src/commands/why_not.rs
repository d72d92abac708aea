//! `inwit search --why-not`: why a search did not return a passage.

use clap::Args;
use inwit_engine::notes::why_not::{Reason, Reasons, Why, WhyNot};
use inwit_model::Code;
use inwit_model::limit::RESULTS_MAX;
use inwit_wire::WhyNotV1;

use crate::args::ScopeArgs;
use crate::compose;
use crate::error::CliError;
use crate::rooms::refuse_mistyped;
use crate::score::Score;
use crate::ui::Ui;
use inwit_settings::Settings;

/// Explain why a search did not return a passage
///
/// Give some words of the passage and the query that did not return it. Without a query, the command shows
/// whether the passage is searched at all.
#[derive(Debug, Args)]
pub struct WhyNotArgs {
    /// Words of the passage, exactly as the file has them
    pub text: String,
    /// Query that did not return the passage
    #[arg(long = "for", value_name = "QUESTION")]
    pub query: Option<String>,
    #[command(flatten)]
    pub scope: ScopeArgs,
    /// Number of results of that search [default: the setting search.limit, 10]
    #[arg(long, short = 'n', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub limit: Option<u16>,
}

pub fn run(args: &WhyNotArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let scope = args.scope.parse()?;
    let opened = compose::open(settings)?;
    refuse_mistyped(&scope, &opened.chosen.workspace)?;
    let limit = args.limit.map_or_else(|| opened.config.search_limit, usize::from);
    let asked = WhyNot { text: &args.text, query: args.query.as_deref(), scope: &scope, limit };
    let reasons = opened.agent.notes.why_not(&asked)?;
    opened.notices.iter().for_each(|notice| ui.notice(notice));
    if reasons.passages.is_empty() {
        let message = format!("No file contains the words `{}`.", inwit_model::name::shown(&args.text));
        return Err(CliError::new(Code::FileMissing, message)
            .hint("Use a few words of one line, exactly as the file has them. `inwit doctor` lists files that are not read."));
    }
    if ui.json() {
        ui.value(&WhyNotV1::from(&reasons));
        return Ok(());
    }
    tell(&reasons, limit, ui);
    Ok(())
}

fn tell(reasons: &Reasons, limit: usize, ui: &mut Ui) {
    for reason in &reasons.passages {
        ui.line(format!("{}#L{}  {}", reason.name, reason.first_line, sentence(reason, reasons, limit)));
        ui.line(format!("    {}", reason.text));
        reason.why.parts().into_iter().for_each(|parts| ui.line(Score::of(&parts).line));
    }
    if reasons.beyond > 0 {
        ui.say(format!("note: {} more passage(s) contain these words.", reasons.beyond));
    }
}

fn sentence(reason: &Reason, reasons: &Reasons, limit: usize) -> String {
    match reason.why {
        Why::Shown { rank, .. } => format!("It is result {rank}."),
        Why::Outranked { rank, parts } => format!(
            "It is result {rank}, and {limit} are shown. The last of those has a score of {:.2}, this one of {}.",
            reasons.last_shown.unwrap_or_default(),
            Score::of(&parts).sum
        ),
        Why::Beyond { parts } => format!(
            "The query matches it, but at least {RESULTS_MAX} passages rank higher. Its score is {}.",
            Score::of(&parts).sum
        ),
        Why::NamesOnly => {
            "It only names who spoke. Its words count for the entry below it; it is never a result itself."
                .into()
        }
        Why::NoMatch => "It is searched, but the query matches it neither by words nor by meaning.".into(),
        Why::Heading => {
            "It is a heading. Its words count for the text below it; it is never a result itself.".into()
        }
        Why::NoText => "It is a comment or markup without text, so it is never a result.".into(),
        Why::Searched => "It is searched.".into(),
        Why::NotSearched => "This scope does not search it.".into(),
        Why::Ignored => {
            "Its file is ignored: .gitignore or .inwitignore names it, or it is in a venv or a cache.".into()
        }
    }
}
