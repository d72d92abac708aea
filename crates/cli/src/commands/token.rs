//! `inwit token`: access tokens of the HTTP server.

use clap::{Args, Subcommand};
use inwit_gate::{NewToken, TokenRight, TokenRow};
use inwit_home::access::{TokenWish, Tokens};
use inwit_home::clock::SystemClock;
use inwit_model::{AgentId, Clock as _, Code, Scope};
use inwit_settings::Settings;
use inwit_wire::{TokenCreatedV1, TokenRevokedV1, TokenRowV1, TokensV1};
use jiff::SignedDuration;

use crate::error::CliError;
use crate::ui::Ui;

/// Manage access tokens of the HTTP server
///
/// A token is shown once; only its hash is stored. A revoked token stops working with the next request.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit token create laptop --scope approve\n\
\x20 inwit token create bot --scope write --agent work --room kitchen\n\
\x20 inwit token list\n\
\x20 inwit token rotate laptop\n\
\x20 inwit token revoke laptop")]
pub struct TokenArgs {
    #[command(subcommand)]
    pub verb: TokenVerb,
}

#[derive(Debug, Subcommand)]
pub enum TokenVerb {
    /// Create a token and show it
    Create(CreateArgs),
    /// List tokens, without their text
    List,
    /// Replace a token by a new one with the same rights; the old one stops working
    Rotate(NamedArgs),
    /// Revoke a token; it stops working with the next request
    Revoke(NamedArgs),
}

#[derive(Debug, Args)]
pub struct CreateArgs {
    /// Name, by which it is listed and revoked
    #[arg(value_name = "NAME")]
    pub name: String,
    /// What it allows, each including the ones before it: read (masked text, search, prompts), write (as an agent: most
    /// changes wait for approval), approve (as you: write directly, decide proposals; for people only), admin
    #[arg(long, value_name = "RIGHT", value_parser = ["read", "write", "approve", "admin"])]
    pub scope: String,
    /// Only for this room: what it sees is what the room sees
    #[arg(long, value_name = "ID", conflicts_with = "shared", allow_negative_numbers = true)]
    pub room: Option<String>,
    /// Only for what every room may see
    #[arg(long)]
    pub shared: bool,
    /// Days until it expires [default: never]
    #[arg(long, value_name = "DAYS", value_parser = crate::args::whole::<u16>(1, EXPIRES_DAYS_MAX))]
    pub expires_days: Option<u16>,
}

#[derive(Debug, Args)]
pub struct NamedArgs {
    /// Id or name of the token
    #[arg(value_name = "TOKEN")]
    pub token: String,
}

/// Longest life of a token that expires, in days.
const EXPIRES_DAYS_MAX: i64 = 3_650;

/// Hours of a day.
const HOURS: i64 = 24;

pub fn run(args: &TokenArgs, settings: &Settings, ui: &mut Ui) -> Result<(), CliError> {
    let tokens = Tokens::of(&settings.paths.root);
    match &args.verb {
        TokenVerb::Create(args) => {
            let (token, row) = tokens.create(wish(args, settings)?, SystemClock.now())?;
            created(&token, &row, ui);
        }
        TokenVerb::List => list(&tokens.rows()?, ui),
        TokenVerb::Rotate(args) => {
            let (token, row) = tokens.rotate(&args.token, SystemClock.now())?;
            created(&token, &row, ui);
        }
        TokenVerb::Revoke(args) => {
            let row = tokens.revoke(&args.token)?;
            match ui.json() {
                true => ui.value(&TokenRevokedV1 { revoked: row.id }),
                false => ui.line(format!("Revoked {} ({}).", row.name, row.id)),
            }
        }
    }
    Ok(())
}

fn wish(args: &CreateArgs, settings: &Settings) -> Result<TokenWish, CliError> {
    let usage = |error: String| CliError::new(Code::UsageBad, error);
    let named = settings.layers.get("agent").filter(|value| value.origin.is_flag());
    let agent = named
        .map(|value| AgentId::parse(&value.text))
        .transpose()
        .map_err(|error| usage(error.to_string()))?;
    if let Some(agent) = &agent
        && !settings.paths.agent_ids().iter().any(|id| id == agent.as_str())
    {
        return Err(inwit_settings::agent::unknown(settings, agent.as_str()).into());
    }
    let unsaid = if args.shared { Scope::Shared } else { Scope::Main };
    let scope = Scope::parse(None, args.room.as_deref(), unsaid).map_err(|error| usage(error.to_string()))?;
    let expires =
        args.expires_days.map(|days| SystemClock.now() + SignedDuration::from_hours(HOURS * i64::from(days)));
    Ok(TokenWish {
        name: args.name.clone(),
        right: TokenRight::parse(&args.scope).unwrap_or(TokenRight::Read),
        agent,
        scope,
        expires,
    })
}

fn created(token: &NewToken, row: &TokenRow, ui: &mut Ui) {
    if ui.json() {
        return ui.value(&TokenCreatedV1 { token: token.text().to_owned(), row: TokenRowV1::from(row) });
    }
    ui.line(token.text());
    ui.say(format!("{}. The token is not shown again.", about(row)));
}

fn list(rows: &[TokenRow], ui: &mut Ui) {
    if ui.json() {
        return ui.value(&TokensV1 { tokens: rows.iter().map(TokenRowV1::from).collect() });
    }
    let now = SystemClock.now();
    for row in rows {
        let expired = if row.expires.is_some_and(|at| at <= now) { ", expired" } else { "" };
        ui.line(format!("{}  {}{expired}", row.id, about(row)));
    }
    if rows.is_empty() {
        ui.say("No tokens.");
        ui.say("hint: `inwit token create NAME --scope read` creates one.");
    }
}

/// `laptop: write, agent work, room:kitchen, until 2026-12-24`.
fn about(row: &TokenRow) -> String {
    let agent = row.agent.as_ref().map_or("all agents".to_owned(), |agent| format!("agent {agent}"));
    let until =
        row.expires.map_or(String::new(), |at| format!(", until {}", at.strftime("%Y-%m-%d %H:%M UTC")));
    format!("{}: {}, {agent}, scope {}{until}", row.name, row.right, row.scope)
}
