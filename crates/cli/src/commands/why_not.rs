//! `inwit why-not`: why a passage is not among the answers.

use clap::Args;
use inwit_engine::why_not::{Reason, Reasons, Why, WhyNot};
use inwit_model::Code;
use inwit_model::limit::RESULTS_MAX;
use inwit_wire::WhyNotV1;

use crate::args::ScopeArgs;
use crate::compose;
use crate::error::CliError;
use crate::score::Score;
use crate::settings::Settings;
use crate::ui::Ui;

/// Tell why a passage is not among the answers
///
/// Give words that stand in the passage and the question that did not bring it. Without a question: whether it
/// is searched at all.
#[derive(Debug, Args)]
pub struct WhyNotArgs {
    /// Words that stand in the passage, as they stand there
    pub text: String,
    /// The question that did not bring it
    #[arg(long = "for", value_name = "QUESTION")]
    pub query: Option<String>,
    #[command(flatten)]
    pub scope: ScopeArgs,
    /// How many results were asked for [default: the setting search.limit, 10]
    #[arg(long, short = 'n', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub limit: Option<u16>,
}

pub fn run(args: &WhyNotArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let scope = args.scope.parse()?;
    let opened = compose::open(settings)?;
    let limit = args.limit.map_or_else(|| opened.settings.search_limit(), usize::from);
    let asked = WhyNot { text: &args.text, query: args.query.as_deref(), scope: &scope, limit };
    let reasons = opened.agent.why_not(&asked)?;
    opened.notices.iter().for_each(|notice| ui.notice(notice));
    if reasons.passages.is_empty() {
        let message = format!("No file holds the words `{}`.", inwit_model::name::shown(&args.text));
        return Err(CliError::new(Code::FileMissing, message)
            .hint("Give a few words of one line, as they stand in the file; `inwit doctor` names files that are not read."));
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
        ui.say(format!("note: {} further passage(s) hold these words.", reasons.beyond));
    }
}

fn sentence(reason: &Reason, reasons: &Reasons, limit: usize) -> String {
    match reason.why {
        Why::Shown { rank, .. } => format!("It is result {rank}."),
        Why::Outranked { rank, parts } => format!(
            "It is result {rank}, and {limit} are shown; the last of them has {:.2}, this {}.",
            reasons.last_shown.unwrap_or_default(),
            Score::of(&parts).sum
        ),
        Why::Beyond { parts } => format!(
            "The question leads to it, but {RESULTS_MAX} passages and more come before it; this has {}.",
            Score::of(&parts).sum
        ),
        Why::NamesOnly => {
            "It only says who spoke: it lends its words to what stands under it, and is no result itself."
                .into()
        }
        Why::NoMatch => {
            "It is searched, and neither a word of the question nor its meaning leads to it.".into()
        }
        Why::Heading => {
            "It is a heading: its words count for what stands below it, and it is no result itself.".into()
        }
        Why::NoText => "It is a comment or a mark and no text, so it is no result.".into(),
        Why::Searched => "It is searched.".into(),
        Why::NotSearched => "Its file is not searched in this scope.".into(),
    }
}
