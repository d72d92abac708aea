//! `inwit inbox`: proposals waiting for approval.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Subcommand};
use inwit_engine::Agent;
use inwit_engine::notes::inbox::{Made, ProposalView, words_of};
use inwit_model::time;
use inwit_model::{Code, Sha256, Taint};
use inwit_store::memory::KeptProposal;
use inwit_wire::{
    ApprovedFactV1, ApprovedManyV1, CONFIRM_DIGITS, InboxV1, OutcomeV1, ReceiptV1, RejectedManyV1,
    RejectedV1, ShownProposalV1,
};
use inwit_workspace::diff::{Fate, Line};

use super::edit::content;
use super::remember::short;
use crate::editor::Draft;
use crate::error::CliError;
use crate::ui::{Ui, visible};
use crate::{compose, person};
use inwit_settings::Settings;

/// Review what the agent proposes to write
///
/// The list shows the lines that each proposal would add. `show` prints the exact difference to the current file,
/// and a confirmation code. To approve, repeat that code: type it at a terminal, or pass it with --confirm. Only
/// the bytes that were shown can then be written. Several proposals together have one code. Numbers are not
/// reused. A proposal whose file has changed since cannot be approved. A proposal expires after sixty days. A
/// rejected text is not proposed again.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  inwit inbox\n  inwit inbox show 2\n  inwit inbox approve 1 3-5\n  inwit inbox reject 2 4"
)]
pub struct InboxArgs {
    #[command(subcommand)]
    pub verb: Option<InboxVerb>,
}

/// What can be done with it.
#[derive(Debug, Subcommand)]
pub enum InboxVerb {
    /// List pending proposals (the default); with --all, decided ones too
    List(ListArgs),
    /// Show a proposal: its diff, findings and source
    Show(ShowArgs),
    /// Approve proposals: all hunks, some of them, or your own version
    Approve(ApproveArgs),
    /// Reject proposals; the same text is not proposed again
    Reject(RejectArgs),
    /// Edit a proposal in your editor, then approve your version
    Edit(EditArgs),
}

#[derive(Debug, Args)]
pub struct ListArgs {
    /// List decided proposals too
    #[arg(long)]
    pub all: bool,
}

#[derive(Debug, Args)]
pub struct MadeArgs {
    /// Proposal: its number in the list, its id, or the beginning or end of its id
    #[arg(value_name = "ID")]
    pub id: String,
    /// Only these hunks, as `inbox show` numbers them: 1,3
    #[arg(long, value_name = "N,N…", value_delimiter = ',', conflicts_with = "with")]
    pub hunks: Vec<usize>,
    /// Use the content of this file instead
    #[arg(long, value_name = "FILE")]
    pub with: Option<PathBuf>,
}

impl MadeArgs {
    /// The given flags, each after a blank.
    fn flags(&self) -> String {
        let hunks = self.hunks.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        let hunks = if hunks.is_empty() { hunks } else { format!(" --hunks {hunks}") };
        let quoted =
            |path: &PathBuf| format!(" --with '{}'", path.display().to_string().replace('\'', r"'\''"));
        hunks + &self.with.as_ref().map(quoted).unwrap_or_default()
    }
}

#[derive(Debug, Args)]
pub struct ShowArgs {
    #[command(flatten)]
    pub made: MadeArgs,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  inwit inbox approve 1\n  inwit inbox approve 1 3-5\n  inwit inbox approve 1 3-5 --confirm 1f2e3d4c5b"
)]
pub struct ApproveArgs {
    /// Proposals: numbers of the list, such as `1 3-5`, or ids
    #[arg(value_name = "ID", required = true)]
    pub ids: Vec<String>,
    /// Only these hunks, as `inbox show` numbers them: 1,3; for one proposal
    #[arg(long, value_name = "N,N…", value_delimiter = ',', conflicts_with = "with")]
    pub hunks: Vec<usize>,
    /// Write the content of this file instead; for one proposal
    #[arg(long, value_name = "FILE")]
    pub with: Option<PathBuf>,
    /// Confirmation code of what was shown, for use without a terminal
    #[arg(long, value_name = "CODE")]
    pub confirm: Option<String>,
    /// Write it even if it contains what looks like a secret
    #[arg(long)]
    pub allow_secret: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  inwit inbox reject 2 4\n  inwit inbox reject 2-9 --reason \"not true any more\""
)]
pub struct RejectArgs {
    /// Proposals: numbers of the list, such as `2 4-6`, or ids
    #[arg(value_name = "ID", required = true)]
    pub ids: Vec<String>,
    /// Reason to reject, shown to the agent
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub reason: String,
}

#[derive(Debug, Args)]
pub struct EditArgs {
    /// Proposal: its number in the list, its id, or the beginning or end of its id
    #[arg(value_name = "ID")]
    pub id: String,
    /// Write it even if it contains what looks like a secret
    #[arg(long)]
    pub allow_secret: bool,
}

pub fn run(args: &InboxArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let opened = compose::open_files(settings)?;
    let agent = &opened.agent;
    match &args.verb {
        None => list(agent, &agent.notes.inbox(false)?, ui),
        Some(InboxVerb::List(args)) => list(agent, &agent.notes.inbox(args.all)?, ui),
        Some(InboxVerb::Show(args)) => {
            show(&agent.notes.proposal(&args.made.id, &made(&args.made)?)?, &args.made.flags(), ui);
        }
        Some(InboxVerb::Approve(args)) => match expanded(agent, &args.ids)?.as_slice() {
            [id] => {
                let of_one = MadeArgs { id: id.clone(), hunks: args.hunks.clone(), with: args.with.clone() };
                let shown = agent.notes.proposal(id, &made(&of_one)?)?;
                if args.confirm.is_none() && !ui.json() {
                    show(&shown, &of_one.flags(), ui);
                    ui.finish();
                }
                approve(agent, &shown, args.confirm.as_deref(), args.allow_secret, ui)?;
            }
            _ if !args.hunks.is_empty() || args.with.is_some() => {
                let message = "`--hunks` and `--with` work with one proposal only.";
                return Err(CliError::new(Code::UsageBad, message));
            }
            ids => approve_many(agent, ids, args, ui)?,
        },
        Some(InboxVerb::Reject(args)) => {
            let ids = expanded(agent, &args.ids)?;
            // All are looked up before the first is closed.
            ids.iter().try_for_each(|id| agent.notes.proposal_id(id).map(drop))?;
            let mut rejected = Vec::new();
            for id in &ids {
                let id = agent.notes.reject(id, &args.reason)?.to_string();
                if !ui.json() {
                    ui.line(format!("Rejected {id}; the same text is not proposed again."));
                }
                rejected.push(id);
            }
            if ui.json() {
                match rejected.as_slice() {
                    [one] => ui.value(&RejectedV1 { rejected: one.clone() }),
                    _ => ui.value(&RejectedManyV1 { rejected }),
                }
            }
        }
        Some(InboxVerb::Edit(args)) => {
            let shown = agent.notes.proposal(&args.id, &Made::AsIs)?;
            let (target, after) = (&shown.proposal.target, shown.after.as_deref().unwrap_or_default());
            let draft = Draft::of(&opened.chosen.home, target, after)?;
            let kept =
                |error: CliError| error.hint(format!("Your edited text is in {}.", draft.path().display()));
            let bytes = match draft.edited() {
                Ok(bytes) => bytes,
                // An unchanged copy has nothing to lose.
                Err(error) if draft.is_untouched(after) => {
                    draft.remove();
                    return Err(error);
                }
                Err(error) => return Err(kept(error)),
            };
            let made = Made::Bytes(Arc::from(bytes));
            let done = agent.notes.proposal(&args.id, &made).map_err(CliError::from).and_then(|now| {
                if now.proposal.base != shown.proposal.base {
                    let message = format!("{target} was changed while you edited the proposal.");
                    return Err(CliError::new(Code::Stale, message));
                }
                let shown = now;
                show(&shown, "", ui);
                ui.finish();
                approve(agent, &shown, None, args.allow_secret, ui)
            });
            match done {
                Err(error) if !draft.is_untouched(after) => return Err(kept(error)),
                done => {
                    draft.remove();
                    done?;
                }
            }
        }
    }
    Ok(())
}

/// The proposals in `args`: ranges of numbers expand to the waiting ones. Error: `usage_bad` for an empty range.
fn expanded(agent: &Agent, args: &[String]) -> Result<Vec<String>, CliError> {
    let mut ids: Vec<String> = Vec::new();
    for arg in args {
        let range = arg
            .split_once('-')
            .and_then(|(first, last)| Some(first.parse::<u64>().ok()?..=last.parse::<u64>().ok()?));
        let named = match range {
            Some(range) => {
                let waiting =
                    agent.notes.inbox(false)?.into_iter().filter(|kept| range.contains(&kept.number));
                let numbers: Vec<String> = waiting.map(|kept| kept.number.to_string()).collect();
                if numbers.is_empty() {
                    let message =
                        format!("No proposal from {} to {} is pending.", range.start(), range.end());
                    return Err(CliError::new(Code::UsageBad, message).hint("`inwit inbox` lists them."));
                }
                numbers
            }
            None => vec![arg.clone()],
        };
        named.into_iter().for_each(|id| {
            if !ids.contains(&id) {
                ids.push(id);
            }
        });
    }
    Ok(ids)
}

/// Shows several proposals, asks once, and applies them. The confirmation code covers exactly this set; an entry for
/// a file that the set changed is rebased.
fn approve_many(agent: &Agent, ids: &[String], args: &ApproveArgs, ui: &mut Ui) -> Result<(), CliError> {
    let shown: Vec<ProposalView> =
        ids.iter().map(|id| agent.notes.proposal(id, &Made::AsIs)).collect::<Result<_, _>>()?;
    if let Some(closed) = shown.iter().find(|one| one.decision.is_some() || one.is_stale) {
        let message = format!("Proposal {} is no longer pending; nothing was written.", closed.number);
        return Err(
            CliError::new(Code::ProposalClosed, message).hint("`inwit inbox` lists pending proposals.")
        );
    }
    let seals: Vec<String> = shown.iter().map(|one| one.seal.to_string()).collect();
    let seal = Sha256::of(seals.join("\n").as_bytes());
    if args.confirm.is_none() && !ui.json() {
        for one in &shown {
            details(one, ui);
            ui.line("");
        }
        let digits = seal.short(CONFIRM_DIGITS);
        ui.line(format!("confirm   {digits}"));
        ui.say(format!("hint: `inwit inbox approve {} --confirm {digits}`.", args.ids.join(" ")));
        ui.finish();
    }
    let is_grave = shown.iter().any(ProposalView::is_grave);
    person::confirms(seal, is_grave, args.confirm.as_deref(), ui)?;
    let mut approved = Vec::new();
    let written = shown.iter().try_for_each(|one| -> Result<(), CliError> {
        let now = agent.notes.proposal(one.proposal.id.as_str(), &Made::AsIs)?;
        // The person confirmed the set, which includes this one.
        let person = person::confirms(now.seal, false, Some(&now.seal.to_string()), ui)?;
        agent.approve_one(&now, &person, args.allow_secret).map_err(|error| {
            let message = format!("{} of {} were written: {}", approved.len(), shown.len(), error.message);
            CliError::new(error.code, message)
        })?;
        if !ui.json() {
            ui.line(format!("{}  written to {}", one.number, one.proposal.target));
            crate::outcome::hint_masked(&one.proposal.target, &now.proposal.findings, args.allow_secret, ui);
        }
        approved.push(now.proposal.id.to_string());
        Ok(())
    });
    // If the others cannot be rebased now, the next listing does it.
    let _ = agent.notes.follow_files();
    written?;
    if ui.json() {
        ui.value(&ApprovedManyV1 { approved });
    }
    Ok(())
}

fn approve(
    agent: &Agent,
    shown: &ProposalView,
    typed: Option<&str>,
    allow_secret: bool,
    ui: &mut Ui,
) -> Result<(), CliError> {
    let person = person::confirms(shown.seal, shown.is_grave(), typed, ui)?;
    let receipt = agent.approve(shown, &person, allow_secret)?;
    match receipt {
        Some(receipt) if ui.json() => {
            ui.value(&OutcomeV1::Applied { receipt: ReceiptV1::from(&receipt), findings: Vec::new() });
        }
        None if inwit_gate::is_fact_name(&shown.proposal.target) => {
            let id = shown.proposal.id.to_string();
            if ui.json() {
                ui.value(&ApprovedFactV1 { approved: id });
            } else {
                ui.line(format!("Approved {id}; `inwit facts list` shows the facts."));
            }
        }
        None if ui.json() => ui.value(&OutcomeV1::Unchanged { path: shown.proposal.target.to_string() }),
        Some(receipt) => {
            ui.line(format!("Written to {} ({}).", receipt.name, receipt.id));
            crate::outcome::hint_masked(&receipt.name, &shown.proposal.findings, allow_secret, ui);
        }
        None => ui.line(format!("{} already has this content; nothing was changed.", shown.proposal.target)),
    }
    Ok(())
}

/// The amendment in the flags.
fn made(args: &MadeArgs) -> Result<Made, CliError> {
    if let Some(path) = &args.with {
        return Ok(Made::Bytes(Arc::from(content(Path::new("."), path)?)));
    }
    if args.hunks.contains(&0) {
        return Err(CliError::new(Code::UsageBad, "Hunks are counted from 1."));
    }
    Ok(if args.hunks.is_empty() {
        Made::AsIs
    } else {
        Made::Hunks(args.hunks.iter().map(|at| at - 1).collect())
    })
}

fn list(agent: &Agent, proposals: &[KeptProposal], ui: &mut Ui) {
    if ui.json() {
        return ui.value(&InboxV1::from(proposals));
    }
    for kept in proposals {
        let proposal = &kept.proposal;
        let state = kept.decision.as_ref().map_or("open", |decision| decision.how.word());
        let badges = badges(&proposal.findings, proposal.taint);
        let made = time::minute(proposal.created);
        let what = match words_of(proposal) {
            Some(words) => format!("fact “{}”", visible(&words)),
            None => format!("{} {}", proposal.op.deed(), proposal.target),
        };
        ui.line(format!(
            "{}  {}  {made}  {state:<8}  {what}  by {}{badges}",
            kept.number,
            short(proposal.id.as_str()),
            proposal.actor,
        ));
        if kept.decision.is_none() {
            added(agent, kept, ui);
        }
        said(&proposal.reason, ui);
    }
    if proposals.is_empty() {
        ui.say("No pending proposals.");
    } else {
        ui.say("hint: `inwit inbox approve 1 3-5` approves several; `inwit inbox reject 2 4` rejects them.");
    }
}

/// Most lines of a proposal that the list shows.
const LISTED_LINES_MAX: usize = 4;

/// Most characters of each of them.
const LISTED_CHARS_MAX: usize = 240;

/// The lines that a proposal would add; `inbox show` shows all of it, and errors.
fn added(agent: &Agent, kept: &KeptProposal, ui: &mut Ui) {
    let Ok(shown) = agent.notes.proposal(kept.proposal.id.as_str(), &Made::AsIs) else { return };
    let lines = shown.hunks.iter().flat_map(|hunk| &hunk.lines).filter(|line| line.fate.sign() == '+');
    let words: Vec<String> = lines
        .map(|line| String::from_utf8_lossy(&line.bytes).trim().to_owned())
        .filter(|line| !line.is_empty())
        .collect();
    for line in words.iter().take(LISTED_LINES_MAX) {
        let short: String = line.chars().take(LISTED_CHARS_MAX).collect();
        let mark = if short.len() < line.len() { "…" } else { "" };
        ui.line(format!("        + {}{mark}", visible(&short)));
    }
    if words.len() > LISTED_LINES_MAX {
        ui.line(format!("        + {} more lines", words.len() - LISTED_LINES_MAX));
    }
}

/// The origin of a proposal's text, in words.
fn source_of(taint: Taint) -> &'static str {
    match taint {
        Taint::Owner => "written by you",
        Taint::Agent => "written by the agent",
        Taint::Member => "written by another person",
        Taint::Tool => "not written by you: the agent or a tool",
        Taint::Web => "from a web page",
        Taint::Import => "imported",
    }
}

fn badges(findings: &[inwit_gate::Finding], taint: Taint) -> String {
    let mut badges: Vec<String> = Vec::new();
    badges.extend(taint.is_tainted().then(|| source_of(taint).to_owned()));
    let mut checks: Vec<&str> = findings.iter().map(|finding| finding.check.word()).collect();
    checks.sort_unstable();
    checks.dedup();
    badges.extend(checks.into_iter().map(str::to_owned));
    if badges.is_empty() { String::new() } else { format!("  [{}]", badges.join(", ")) }
}

/// Shows a proposal; `flags` were given and are needed for its approval.
fn show(shown: &ProposalView, flags: &str, ui: &mut Ui) {
    if ui.json() {
        return ui.value(&ShownProposalV1::from(shown));
    }
    details(shown, ui);
    if !shown.is_taken_away && shown.decision.is_none() && !shown.is_stale {
        let (id, digits) = (short(shown.proposal.id.as_str()), shown.seal.short(CONFIRM_DIGITS));
        ui.line(format!("confirm   {digits}"));
        let write = format!("inwit inbox approve {id}{flags} --confirm {digits}");
        ui.say(format!("hint: `{write}`, or `inwit inbox reject {id}`."));
    }
}

/// All details for the decision.
fn details(shown: &ProposalView, ui: &mut Ui) {
    let proposal = &shown.proposal;
    ui.line(format!("proposal  {}  {}", shown.number, proposal.id));
    ui.line(format!("file      {}: {}", proposal.target, shown.audience));
    ui.line(format!("asked by  {}, {}", shown.asked_by, time::minute(proposal.created)));
    if let Some(session) = &proposal.session {
        ui.line(format!("session   {session}"));
    }
    ui.line(format!("source    {}", source_of(proposal.taint)));
    for finding in &shown.findings {
        let (place, check) = (crate::outcome::place(finding), finding.check.word());
        ui.line(format!("flagged   {place}: {} ({check})", finding.class));
    }
    if let Some(decision) = &shown.decision {
        ui.line(format!("decided   {} at {}", decision.how.word(), time::minute(decision.at)));
    } else if shown.is_stale {
        ui.line(format!("stale     {} has changed since, so it can no longer be approved.", proposal.target));
    }
    if shown.is_taken_away {
        return;
    }
    ui.line("");
    let returns = ends_in_returns(shown.before.as_deref().or(shown.after.as_deref()).unwrap_or_default());
    for (at, hunk) in shown.hunks.iter().enumerate() {
        ui.line(format!("hunk {}  {}", at + 1, hunk.header));
        for line in &hunk.lines {
            seen(line, returns, ui);
        }
    }
    if shown.hunks.is_empty() {
        ui.line("No line would change.");
    }
    if !proposal.reason.is_empty() {
        ui.line("");
        ui.line("reason    as given by the proposer; not verified");
        said(&proposal.reason, ui);
    }
    let hash =
        |hash: Option<Sha256>| hash.map_or_else(|| "gone".to_owned(), |hash| hash.short(CONFIRM_DIGITS));
    ui.line("");
    ui.line(format!("result    sha256 {}", hash(proposal.result)));
}

/// A reason on one line, after a distinct mark.
fn said(reason: &str, ui: &mut Ui) {
    let reason = inwit_gate::reason_line(reason);
    if !reason.is_empty() {
        ui.line(format!("        | {reason}"));
    }
}

/// One line of the diff with every byte visible: also changed line endings, a missing one, and invalid text.
fn seen(line: &Line, returns: bool, ui: &mut Ui) {
    let (body, is_ended) =
        line.bytes.strip_suffix(b"\n").map_or((line.bytes.as_slice(), false), |body| (body, true));
    let (body, has_return) = body.strip_suffix(b"\r").map_or((body, false), |body| (body, true));
    let is_told = has_return && (line.fate != Fate::Kept || !returns);
    let mut text = String::with_capacity(body.len());
    for chunk in body.utf8_chunks() {
        text.push_str(&visible(chunk.valid()));
        chunk.invalid().iter().for_each(|byte| text.push_str(&format!("⟦0x{byte:02X}⟧")));
    }
    let end = if is_told { "⟦CR⟧" } else { "" };
    ui.line(format!("{}{text}{end}", line.fate.sign()));
    if !is_ended {
        ui.line("\\ No newline at end of file");
    }
}

/// Whether most lines of a file end with CRLF.
fn ends_in_returns(bytes: &[u8]) -> bool {
    let count = bytes.iter().filter(|byte| **byte == b'\n').count();
    bytes.windows(2).filter(|pair| *pair == b"\r\n").count() * 2 > count
}
