//! `hooks.md`: what `inwit hook` does at each event of a host.

use inwit_wire::HOOKS;

use super::markdown::{code, head, table};

const ABOUT: &str = "
Claude Code and Codex run a command at each event of a session, with one JSON object on its stdin. `inwit setup` writes these
commands into their settings. A hook opens only what it needs, starts no process and uses no network. On any error, including
an unknown event name, it exits with 0 and prints nothing; `inwit doctor` shows why (`hook_failed`). It starts as soon as the
JSON object is complete, and waits at most 5 s for it.

";

const WORDS: &str = "
Codex allows 3 s for `SessionEnd`, so `inwit setup codex` writes 3 there.

## What a hook prints

The agent receives text inside `<inwit-context v=\"1\" at=\"…\">`. inwit removes such parts from every incoming text, so that memory
does not repeat itself. A host's session is trusted like the output of a tool, because inwit cannot see what the agent read
during a turn.

| hook | text |
|---|---|
| `session-start` | the written parts of SOUL.md, IDENTITY.md, USER.md and MEMORY.md, and pending proposals. The remaining space has decisions and results of the project's newest sessions. A resumed session gets only what is new. The user sees the number of pending proposals too (`systemMessage`) |
| `user-prompt` | single lines: answers of the agent, lines of files, pending proposals. A line is shown if `recall.prompt_words` words of the prompt occur together in it, or in the question that it answers ([settings.md](settings.md)). Each line appears once per session. Lines of other projects are not shown. The user's own questions are searched but not shown, except up to three words above a list without a heading |

`user-prompt` waits at most 10 ms for another writer of the index, and does not wait for the disk. It writes recall records to
`recall.spool` beside `memory.db`; a later hook that may wait processes them. `inwit forget` processes and deletes the file. After
an erasure, inwit ignores spooled records of passages that no longer exist.

## Private text

inwit neither searches nor stores text between `<private>` and `</private>`, nor the reply to that prompt. This includes marks in
the arguments of a slash command and in a prompt that joined a running turn. If a private prompt was interrupted before its answer,
inwit also skips the next reply, because it may be that answer. inwit keeps a later reply that repeats a private word.

If a prompt or a reply names a secret value (`my db password is …`), inwit recognises the bare value in later private turns. The
daily log, a redacted transcript, and notes and facts of the agent then get `[REDACTED:<class>]`. A transcript without redaction
keeps the value, and models see it masked. `secret-hashes` beside `memory.db` has a keyed hash of each of at most 512 values. inwit
does not recognise values of fewer than eight characters, single words, dates, or numbers of fewer than eight digits. Rooms neither
add values nor are masked by them. Delete the file to reset it.

## Locks and pending turns

A hook waits at most 100 ms in total (`user-prompt`: 10 ms) for other processes that hold `memory.db`, `index.db`, the write guard
or a transcript. Only `session-end` waits longer, for the lock of the history.

`stop` writes each turn to a file in `turns/` beside `memory.db` before it opens the database. The file has no private parts, and
only the owner can read it. inwit records the turn from this file and deletes it. While `memory.db` is locked, the file stays. The
next `session-start`, `pre-compact`, `stop` or `session-end` of any session records up to 20 such turns in order, each once. The
daily log shows the time of recording. inwit keeps at most 500 turns of 4 MiB. `inwit forget` records them first and then deletes
the folder.

## Missing turns

inwit reads a turn from the host's transcript (`transcript_path`) if no hook reported its end. Causes are a killed or timed-out
hook, an interrupted agent, or a killed host. A `stop` without a reply, from a host that writes its transcript a moment later,
records nothing. The turn is read from the transcript, so that each reply is stored with its own prompt.

Each session has a file in `host-sessions/` beside `memory.db`. It has the path of the transcript, the position up to which it was
read, and salted hashes of the recorded turns; it has no words. `stop`, `pre-compact` and `session-end` check their own transcript,
and those of other sessions that ended or are idle. `session-start` checks those of all sessions. Missing turns go to `turns/`,
without private parts, before the current turn.

| case | behaviour |
|---|---|
| the last turn of a session | read at its `session-end` or its next `session-start`; by the `session-start` of another session if the agent has answered; by any of these hooks 30 minutes after the last line |
| a hook that runs twice for one event, or an end that is reported twice | recorded once: a turn is identified by its words and by its prompt or its place in the transcript. Words that the user repeats are a separate turn |
| the host reports the end of such a turn later | the new part of the reply is recorded without the prompt |
| a prompt without a reply | recorded alone, even if the host did not write it to the transcript |
| a transcript that is older than inwit, or a copy of an earlier session | read from its current end; earlier turns are not read |
| a transcript that is missing, is not a regular file or has an unknown form | tried by ten hooks, reported by `inwit doctor` (`transcript_unread`) |
| a transcript that is shorter than before | read from its current end, reported by `inwit doctor` (`hook_failed`, `transcript_cut`) |
| a line of more than 8 MiB | skipped, up to 64 MiB per hook; the rest of its turn is recorded without the prompt |
| text of sub-agents, summaries, command output | not turns |

One hook reads at most 8 MiB of transcripts and records at most 5 turns; the next hook continues. inwit follows at most 64 sessions,
each for 14 days after its last hook. `inwit forget` deletes the folder. The host's transcript still contains the erased text. inwit
records a turn from a hook or a transcript with `[forgotten]` in its place, even if the user types it again.
";

/// The page.
pub fn page() -> String {
    let mut text = head("Hooks", "`HOOKS` in `crates/wire/src/hook.rs`");
    text.push_str(ABOUT);
    let rows = HOOKS.iter().map(|hook| {
        let answers = if hook.takes_context { "`additionalContext`" } else { "nothing" };
        let command = code(&format!("inwit hook {}", hook.name));
        let about = hook.about.to_owned();
        vec![command, hook.event.to_owned(), answers.to_owned(), format!("{} s", hook.timeout_seconds), about]
    });
    text.push_str(&table(&["command", "event", "prints", "timeout", "what it does"], rows));
    text.push_str(WORDS);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_moment_has_a_row() {
        let text = page();
        assert!(
            HOOKS
                .iter()
                .all(|hook| text.contains(&format!("| `inwit hook {}` | {} |", hook.name, hook.event)))
        );
    }
}
