//! `inwit hook`: the hooks of Claude Code and Codex.
//!
//! Invariant: a hook never disturbs its host. On any error, also a panic, the exit status is 0 and stdout is empty;
//! the reason is logged to a file that `doctor` shows. No process is left behind.

use std::fs::File;
use std::io::{BufReader, Read, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use clap::Args;
use clap::builder::PossibleValuesParser;
use inwit_engine::core::project::ProjectFolder;
use inwit_engine::sessions::hook::fence::public;
use inwit_engine::sessions::hook::{Heard, Packed, Prompted};
use inwit_engine::{EngineError, ModelText, Notice};
use inwit_home::held_turns::HeldTurns;
use inwit_home::host_log::{self, LastTurn};
use inwit_home::host_sessions::{CatchUp, HostSessions, Noted, Others};
use inwit_home::keep::Use;
use inwit_home::prompts::Prompts;
use inwit_home::upkeep::{self, Occasion};
use inwit_home::{OpenAgent, hook_log};
use inwit_model::{Code, Scope, SessionId};
use inwit_wire::{HOOKS, Hook, HookCheck, HookCheckV1, HookId, HookInputV1, HookOutputV1};
use serde::Serialize;

use crate::args::Cli;
use crate::error::CliError;
use crate::{compose, project_folder, seeding};
use inwit_settings::Settings;
use inwit_settings::agent;

/// The name of the command.
pub const NAME: &str = "hook";

/// Longest wait for a host's input, in milliseconds: hosts write it immediately, or never.
const CALL_WAIT_MS_MAX: u64 = 5_000;

/// Longest total wait for other processes, in milliseconds: memory.db, the index, the write guard and transcripts.
/// Unrecorded data is spooled for the next hook.
const LOCK_WAIT_MS_MAX: u64 = 100;

/// The same for a prompt, in milliseconds.
const PROMPT_LOCK_WAIT_MS_MAX: u64 = 10;

/// Largest call of a host, in bytes.
const CALL_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// Part of a host's log that is searched first for the last turn, in bytes.
const TAIL_BYTES: u64 = 256 * 1024;

/// Largest part that is searched: a turn may read large files.
const TAIL_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// Notices that are not failures: doctor, the inbox or the dream log shows their content.
const TOLD_ELSEWHERE: [&str; 5] =
    ["dreamed", "files_unread", "masked", "journal_pruned", "journal_undreamed"];

/// Answer a hook of an agent host
///
/// `session-start` prints the session context: who the agent is and what it remembers. `user-prompt` prints the passages
/// that match the prompt, or nothing. `stop`, `pre-compact` and `session-end` record the conversation, without text
/// between <private> and </private>. If anything fails, the exit status is 0 and nothing is printed; `inwit doctor` shows
/// the reason. `inwit setup` writes these commands into the settings of a host. Details: docs/reference/hooks.md.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 echo '{\"session_id\":\"s1\"}' | inwit hook session-start\n\
\x20 echo '{\"session_id\":\"s1\",\"prompt\":\"Which bread?\"}' | inwit hook user-prompt")]
pub struct HookArgs {
    /// Event of the host
    #[arg(value_name = "EVENT", value_parser = PossibleValuesParser::new(HOOKS.iter().map(|hook| hook.name)))]
    pub event: String,
}

/// Runs a hook; the exit status is always 0.
pub fn run(
    args: &HookArgs,
    settings: impl FnOnce(&Cli) -> Result<Settings, CliError>,
    cli: &Cli,
) -> ExitCode {
    let Some(hook) = Hook::named(&args.event) else { return ExitCode::SUCCESS };
    let settings = match settings(cli) {
        Ok(settings) => settings,
        Err(error) => {
            return told_without_settings(hook.name, error.code, &error.message);
        }
    };
    let state = settings.paths.state.clone();
    let name = hook.name;
    let agent = agent::choose(&mut settings.clone()).ok().map(|chosen| chosen.id);
    let agent = agent.as_deref();
    {
        let (state, agent) = (state.clone(), agent.map(str::to_owned));
        std::panic::set_hook(Box::new(move |panic| {
            let place = panic.location().map_or_else(String::new, ToString::to_string);
            hook_log::tell(
                &state,
                agent.as_deref(),
                name,
                "panicked",
                &format!("inwit panicked at {place}. This is a bug in inwit."),
            );
            std::process::exit(0);
        }));
    }
    match answer(hook, settings) {
        Ok(told) => told
            .iter()
            .filter(|notice| !TOLD_ELSEWHERE.contains(&notice.code))
            .for_each(|notice| hook_log::tell(&state, agent, name, notice.code, &notice.message)),
        Err(error) => hook_log::tell(&state, agent, name, error.code.spec().name, &error.message),
    }
    ExitCode::SUCCESS
}

/// An unknown call, from a newer host or an edited line: only logged, without text that may be a person's.
pub fn not_called(event: Option<&str>, why: &str) -> ExitCode {
    let name = event.and_then(Hook::named).map_or(NAME, |hook| hook.name);
    told_without_settings(name, Code::UsageBad, why)
}

/// If the settings cannot be read, the log is in the default place.
fn told_without_settings(name: &str, code: Code, message: &str) -> ExitCode {
    if let Ok(bare) = bare_settings() {
        hook_log::tell(&bare.paths.state, None, name, code.spec().name, message);
    }
    ExitCode::SUCCESS
}

#[expect(
    clippy::disallowed_methods,
    reason = "only to find the place of the log when nothing else can be read"
)]
fn bare_settings() -> Result<Settings, CliError> {
    let places = ["HOME", "XDG_STATE_HOME"];
    let look = |name: &str| places.contains(&name).then(|| std::env::var(name).ok()).flatten();
    Ok(Settings::read(inwit_settings::Layers::lenient(), &look, Vec::new())?)
}

/// Handles the event; returns work to check later.
fn answer(hook: &'static Hook, settings: Settings) -> Result<Vec<Notice>, CliError> {
    let input = call(std::io::stdin(), Duration::from_millis(CALL_WAIT_MS_MAX))?;
    // Time that a host takes to write its input does not count.
    let deadline = (hook.id == HookId::UserPrompt)
        .then(|| Deadline::begin(settings.prompt_deadline(), &settings.paths.state, hook));
    let folder = input.cwd.as_deref().map(|cwd| project_folder::of(Path::new(cwd)));
    if input.is_check {
        print_check(check(hook, settings, &input, folder.as_ref()).err());
        return Ok(Vec::new());
    }
    // A seeding error does not stop a session: it gets the existing files.
    let seeded = (hook.id == HookId::SessionStart).then(|| seeding::ensure(&settings));
    let heard = match hook.id {
        HookId::Stop => heard(&input, prompt_of(&settings, &input).as_deref()),
        _ => Some(Heard::default()),
    };
    let followed = follow(hook.id, &settings, &input, folder.as_ref(), &heard.clone().unwrap_or_default());
    let agent = agent::choose(&mut settings.clone()).ok().map(|chosen| chosen.id);
    followed.iter().for_each(|notice| {
        hook_log::tell(&settings.paths.state, agent.as_deref(), hook.name, notice.code, &notice.message)
    });
    match hook.id {
        HookId::SessionStart => {
            let opened = compose::open_files_alone(settings, Use::Until(until(LOCK_WAIT_MS_MAX)))?;
            let pack = opened.agent.sessions.hosted_start(
                input.session.as_ref(),
                folder.as_ref(),
                input.is_resumed,
            )?;
            let waiting = opened.agent.notes.inbox_count().unwrap_or_default();
            let message = match waiting {
                0 => None,
                1 => Some("inwit: 1 note of the agent is pending your approval: `inwit inbox`.".to_owned()),
                more => Some(format!(
                    "inwit: {more} notes of the agent are pending your approval: `inwit inbox`."
                )),
            };
            print(hook, &pack.text, message.as_deref());
            let not_seeded = seeded.and_then(Result::err).map(|error| seeding::failed(&error));
            let recorded = match (&input.session, &input.model) {
                (Some(host), Some(model)) => opened.agent.sessions.hosted_model(host, model),
                _ => Ok(None),
            };
            let of_model = recorded
                .unwrap_or_else(|error| Some(Notice::new("model_not_recorded", error.message, error.code)));
            let of_model = of_model.filter(|new| pack.notices.iter().all(|known| known.code != new.code));
            Ok(pack.notices.into_iter().chain(not_seeded).chain(of_model).collect())
        }
        HookId::UserPrompt => {
            let Some(prompt) = &input.prompt else { return Ok(Vec::new()) };
            let threshold = settings.prompt_threshold();
            let opened = compose::open_in_passing(settings, until(PROMPT_LOCK_WAIT_MS_MAX))?;
            let asked = Prompted { text: prompt, session: input.session.as_ref(), folder: folder.as_ref() };
            let brought = opened.agent.sessions.recall_in_passing(asked, threshold)?;
            if deadline.is_none_or(|deadline| deadline.is_met()) {
                print(hook, &brought.text, None);
            }
            Ok(brought.notices)
        }
        HookId::PreCompact => kept(compose::open_files_alone, settings, &input, &mut |opened, host| {
            opened.agent.sessions.hosted_flush(host)?;
            Ok(Vec::new())
        }),
        HookId::Stop => {
            kept(compose::open_alone, settings, &input, &mut |opened, host| {
                let mut notices = match &heard {
                    Some(heard) => {
                        let turned = opened.agent.sessions.hosted_turn(host, folder.as_ref(), heard)?;
                        turned.map_or_else(Vec::new, |turned| turned.notices)
                    }
                    // A later hook reads it from the transcript.
                    None => opened.agent.sessions.record_held_turns()?.notices,
                };
                // Updates the index for the next prompt; if it is locked, a later hook does.
                if has_index(opened) {
                    notices.extend(
                        opened.agent.notes.refresh(&Scope::Main, &mut inwit_model::watch::unwatched)?,
                    );
                }
                Ok(notices)
            })
        }
        HookId::SessionEnd => {
            let mut is_free = false;
            let mut notices = kept(compose::open_alone, settings.clone(), &input, &mut |opened, host| {
                let ended = opened.agent.sessions.hosted_end(host)?;
                is_free = has_index(opened);
                Ok(ended.map_or_else(Vec::new, |ended| ended.notices))
            })?;
            // Nothing is locked, so this may take time.
            if is_free {
                notices.extend(upkeep::tend(&compose::open_alone(settings, Use::Idle)?, Occasion::HookEnded));
            }
            Ok(notices)
        }
    }
}

/// Follows the transcript of the session, and spools turns that no hook recorded. Errors do not stop the hook.
fn follow(
    hook: HookId,
    settings: &Settings,
    input: &HookInputV1,
    folder: Option<&ProjectFolder>,
    heard: &Heard,
) -> Vec<Notice> {
    let Ok(chosen) = agent::choose(&mut settings.clone()) else { return Vec::new() };
    let sessions = HostSessions::of(&chosen.home);
    let own = input.session.as_ref();
    let noted = own.zip(input.transcript_path.as_deref()).map(|(host, path)| Noted {
        host,
        path,
        folder,
        begins: hook == HookId::SessionStart,
        is_new: input.is_new,
        prompt: input.prompt.as_deref().filter(|_| hook == HookId::UserPrompt),
    });
    let note = || {
        let failed = noted.as_ref().and_then(|noted| sessions.note(noted).err())?;
        let message = format!("The transcript of the session is not followed: {failed}.");
        Some(Notice::new("transcript_not_followed", message, Code::WriteFailed))
    };
    let is_start = hook == HookId::SessionStart;
    let catch_up = || {
        sessions.catch_up(&CatchUp {
            own,
            path: input.transcript_path.as_deref().filter(|_| is_start),
            own_is_over: hook == HookId::SessionEnd || is_start && !input.is_compacted,
            heard: (hook == HookId::Stop).then_some(heard),
            others: if is_start { Others::Answered } else { Others::Quiet },
            turns: &HeldTurns::of(&chosen.home),
            prompts: &Prompts::of(&chosen.home),
        })
    };
    match hook {
        // Earlier text in a continued transcript belongs to the session before.
        HookId::SessionStart => catch_up().into_iter().chain(note()).collect(),
        HookId::UserPrompt => note().into_iter().collect(),
        HookId::Stop | HookId::PreCompact => note().into_iter().chain(catch_up()).collect(),
        HookId::SessionEnd => {
            own.into_iter().for_each(|host| sessions.end(host));
            catch_up()
        }
    }
}

/// Performs the reads of the event, and no writes.
fn check(
    hook: &Hook,
    settings: Settings,
    input: &HookInputV1,
    folder: Option<&ProjectFolder>,
) -> Result<(), CliError> {
    if hook.id == HookId::UserPrompt {
        let threshold = settings.prompt_threshold();
        let opened = compose::open_in_passing(settings, until(PROMPT_LOCK_WAIT_MS_MAX))?;
        let text = input.prompt.as_deref().unwrap_or_default();
        opened.agent.sessions.recall_in_passing(Prompted { text, session: None, folder }, threshold)?;
    } else {
        compose::open_files(settings)?.agent.sessions.pack(Packed::default())?;
    }
    Ok(())
}

/// The output of `inwit setup --check`: `true`, or the failure.
fn print_check(failed: Option<CliError>) {
    let check = failed.map_or(HookCheck::Works(true), |error| HookCheck::Fails(error.message));
    print_line(&HookCheckV1 { check });
}

fn until(wait_ms: u64) -> Instant {
    Instant::now() + Duration::from_millis(wait_ms)
}

/// Whether the home's index is open, not its in-memory replacement.
fn has_index(opened: &OpenAgent) -> bool {
    opened.notices.iter().all(|notice| notice.code != "index_in_memory")
}

/// Ends the process where the answer does not come in time; the host goes on without it.
struct Deadline(Arc<AtomicBool>);

impl Deadline {
    fn begin(after: Duration, state: &Path, hook: &'static Hook) -> Self {
        let (is_decided, state) = (Arc::new(AtomicBool::new(false)), state.to_owned());
        let watched = Arc::clone(&is_decided);
        std::thread::spawn(move || {
            std::thread::sleep(after);
            if !watched.swap(true, Ordering::SeqCst) {
                let message = format!("No result within {} ms, so nothing was printed.", after.as_millis());
                hook_log::tell(&state, None, hook.name, "too_slow", &message);
                std::process::exit(0);
            }
        });
        Self(is_decided)
    }

    /// Whether the answer is in time; then the watchdog no longer ends the process.
    fn is_met(&self) -> bool {
        !self.0.swap(true, Ordering::SeqCst)
    }
}

/// What is done with a session.
type Work<'w> = dyn FnMut(&OpenAgent, &SessionId) -> Result<Vec<Notice>, EngineError> + 'w;

/// Runs `work` for the session of the call, then moves spooled recalls to the database.
fn kept(
    open: fn(Settings, Use) -> Result<OpenAgent, CliError>,
    settings: Settings,
    input: &HookInputV1,
    work: &mut Work<'_>,
) -> Result<Vec<Notice>, CliError> {
    let Some(host) = &input.session else { return Ok(Vec::new()) };
    let opened = open(settings, Use::Until(until(LOCK_WAIT_MS_MAX)))?;
    let mut notices = work(&opened, host)?;
    if let Err(error) = opened.agent.learning.keep_recalled() {
        let message = format!("The recalled passages are not recorded in memory.db yet: {}", error.message);
        notices.push(Notice::new("recall_not_noted", message, error.code));
    }
    Ok(notices)
}

/// The host's JSON, as soon as it is complete: a host may keep the pipe open.
fn call(input: impl Read + Send + 'static, wait: Duration) -> Result<HookInputV1, CliError> {
    let bad = |why: String| CliError::new(Code::UsageBad, format!("The host's call cannot be read: {why}."));
    let (sender, receiver) = mpsc::channel();
    // A blocking read cannot be cancelled; the thread ends with the process.
    std::thread::spawn(move || drop(sender.send(read(input))));
    let Ok(read) = receiver.recv_timeout(wait) else {
        return Err(bad(format!("it was incomplete after {} ms", wait.as_millis())));
    };
    read.map_err(bad)
}

fn read(input: impl Read) -> Result<HookInputV1, String> {
    let mut input = BufReader::new(input.take(CALL_BYTES_MAX));
    let read = HookInputV1::read(&mut input);
    let is_cut = read.is_err() && input.get_ref().limit() == 0;
    if is_cut { Err(format!("it has more than {CALL_BYTES_MAX} bytes")) } else { read }
}

/// The prompt of the ending turn, as a hook received it; `None` if the session's transcript is not followed.
fn prompt_of(settings: &Settings, input: &HookInputV1) -> Option<String> {
    let chosen = agent::choose(&mut settings.clone()).ok()?;
    let host = input.session.as_ref()?;
    let is_followed = HostSessions::of(&chosen.home).has_prompt(host);
    if is_followed { Prompts::of(&chosen.home).words(host) } else { None }
}

/// The text of this turn: from the call if the host gives it, else from the end of its log. An unreadable log gives
/// nothing. `prompt`: the turn's prompt. `None`: the turn is left to a later hook, because the reply is not in the
/// call or the log yet, or because the log shows that it belongs to another turn.
fn heard(input: &HookInputV1, prompt: Option<&str>) -> Option<Heard> {
    let path = input.transcript_path.as_deref();
    let found = path.map(Path::new).and_then(last_turn);
    let is_unwritten = path.is_some() && found.is_none() && input.reply.is_none();
    if prompt.is_some() && is_unwritten {
        return None;
    }
    if let (Some(prompt), Some((written, _))) = (prompt, &found) {
        let is_prompt = |user: &String| public(user).text == prompt;
        let is_its_own = written.user.iter().chain(&written.parts).any(is_prompt);
        let is_missing = input.reply.is_none() && (!is_its_own || written.reply.is_none());
        let is_of_later =
            !is_its_own && written.reply == input.reply && written.answered_before.iter().any(is_prompt);
        let is_of_earlier = is_its_own
            && written.reply.is_none()
            && input.reply.is_some()
            && written.reply_before == input.reply;
        if is_missing || is_of_later || is_of_earlier {
            return None;
        }
    }
    let (written, start) = found.unwrap_or_default();
    // A prompt added during the turn, or without an answer before it, is only in the log. The reply may repeat a private part of
    // it.
    let is_its_reply = input.reply.is_none() || written.reply.is_none() || written.reply == input.reply;
    let mut asked = written.user.iter().chain(&written.parts).chain(&written.unanswered_before);
    // A command whose answer is not in the log yet.
    let is_of_command = input.reply.is_some() && written.reply != input.reply;
    let mut commands = written.commands_behind.iter().filter(|_| is_of_command);
    let has_private = |text: &String| public(text).has_private();
    let is_private = is_its_reply && asked.any(has_private) || commands.any(has_private);
    let place = path.zip(start).map(|(path, start)| format!("{path}:{start}"));
    // The log may lag behind the call, so the call takes precedence.
    let reply = input.reply.clone().or(written.reply).filter(|_| !is_private).unwrap_or_default();
    // A host that continued after a stop reported the person's text at the first stop.
    let (user, parts) = if input.is_again { (None, Vec::new()) } else { (written.user, written.parts) };
    Some(Heard { user: user.unwrap_or_default(), parts, reply, place })
}

/// The last turn of a log and its first byte, searched from the end in growing steps.
fn last_turn(path: &Path) -> Option<(LastTurn, Option<u64>)> {
    let mut file = inwit_workspace::plain::open(&PathBuf::from(path)).ok()??;
    let size = file.metadata().ok()?.len();
    let mut length = TAIL_BYTES.min(size);
    loop {
        let text = tail(&mut file, size, length)?;
        let turn = host_log::last_turn(&text);
        let is_whole = turn.user.is_some() && turn.has_answer_before;
        if is_whole || length == size || length >= TAIL_BYTES_MAX {
            let start = turn.before_end.and_then(|bytes| size.checked_sub(bytes as u64));
            return Some((turn, start));
        }
        length = (length * 4).min(size).min(TAIL_BYTES_MAX);
    }
}

fn tail(file: &mut File, size: u64, length: u64) -> Option<String> {
    file.seek(SeekFrom::Start(size - length)).ok()?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Prints the answer in one write. A host that does not read it no longer needs it.
fn print(hook: &Hook, text: &ModelText, message: Option<&str>) {
    let Some(output) = HookOutputV1::of(hook, text, message) else { return };
    print_line(&output);
}

fn print_line(answer: &impl Serialize) {
    if let Ok(line) = serde_json::to_string(answer) {
        let mut out = std::io::stdout().lock();
        let _ = out.write_all(format!("{line}\n").as_bytes()).and_then(|()| out.flush());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A host that wrote `text` and keeps the pipe open.
    fn open_pipe(text: &str) -> (std::io::PipeReader, std::io::PipeWriter) {
        let (reader, mut writer) = std::io::pipe().expect("a pipe");
        writer.write_all(text.as_bytes()).expect("written");
        (reader, writer)
    }

    #[test]
    fn a_call_that_is_whole_is_read_from_an_open_pipe() {
        let patient = Duration::from_secs(60);
        let (reader, _writer) = open_pipe("\u{FEFF} {\"prompt\": \"{}\"}");
        assert_eq!(call(reader, patient).expect("read").prompt.as_deref(), Some("{}"));
        let why = |input: &'static [u8]| call(input, patient).expect_err("bad").message;
        assert!(why(b"").ends_with("it is empty.") && why(b"[]").ends_with("it is not a JSON object."));
        assert!(why(b"{\"a\": ").contains("EOF"));
        let endless = std::io::Cursor::new(b"{\"a\": \"").chain(std::io::repeat(b'x'));
        let told = call(endless, patient).expect_err("too large").message;
        assert!(told.contains("more than 16777216 bytes"), "{told}");
    }

    #[test]
    fn a_call_that_never_gets_whole_is_waited_for_no_longer_than_said() {
        let (reader, _writer) = open_pipe("{\"prompt\": ");
        let told = call(reader, Duration::from_millis(1)).expect_err("not whole").message;
        assert!(told.contains("incomplete after 1 ms"), "{told}");
    }
}
