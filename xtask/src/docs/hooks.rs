//! `hooks.md`: what `inwit hook` does at each event of a host.

use inwit_wire::HOOKS;

use super::markdown::{code, head, table};

const ABOUT: &str = "
Claude Code and Codex run a command at each moment of a session, with one JSON object on its stdin. `inwit setup` writes
these commands into their settings. A hook opens only what it needs, starts no process and asks no network. Whatever goes
wrong, also a word that this version does not know, it exits with 0 and prints nothing; `inwit doctor` shows why
(`hook_failed`). A call is read as soon as it is whole, and waited for no longer than 5 s.

";

const WORDS: &str = "
Codex allows 3 s for `SessionEnd`, so `inwit setup codex` writes 3 there.

What the agent is given stands in `<inwit-context v=\"1\" at=\"…\">`. Every text that comes in loses such parts first, so
memory does not echo itself. What stands between `<private>` and `</private>` is neither searched nor kept, and neither is the reply to
that prompt, also where the mark stands in the arguments of a slash command or in a prompt that joined a running turn. Where a private
prompt was interrupted before its answer, the next reply may answer it and is left out too. A later reply that repeats a private word is kept. A session of a host is trusted like a tool's words: inwit cannot see what the
agent read in between.

`session-start` gives what somebody wrote into SOUL.md, IDENTITY.md, USER.md and MEMORY.md, what waits for the owner, and with
the room that is left what the newest sessions of the project decided and found. A session that is resumed is told only what
is new. How many notes wait is said to the person, too (`systemMessage`).

`user-prompt` gives single lines: what the agent answered, what a file says, what waits. A line comes along where
`recall.prompt_words` words of the prompt stand together in it, or in the question that it answers ([settings.md](settings.md)),
and each comes once in a session. What the user asked is searched and not shown, but for up to three words above a list that has no heading. Lines of another project are not shown. It waits 10 ms for another writer of the index, and for no disk; what was
recalled lies in `recall.spool` beside `memory.db` until the next moment that may wait. `inwit forget` records and removes it; after an
erasure only passages that still exist are taken from it.

A hook waits 100 ms in all (`user-prompt`: 10 ms) for other processes that hold `memory.db`, `index.db`, the write guard or a
transcript. `stop` writes each turn to a file in `turns/` beside `memory.db` before it opens the database, without private parts,
readable by the owner only. The turn is recorded from there and the file removed. While `memory.db` is held, the file stays; the next
`session-start`, `pre-compact`, `stop` or `session-end` of any session records up to 20 such turns in their order, each once. The time
in the daily log is that of recording. At most 500 turns of 4 MiB are held. `inwit forget` records them first and then removes the
folder. Only the lock of the history (`inwit history`) is waited for longer, at `session-end`.

A secret value that a prompt or a reply names (`my db password is …`) is recognised when a later private turn repeats the bare value:
daily log, redacted transcript, and notes and facts that the agent writes get `[REDACTED:<class>]`; a transcript without redaction
keeps what was said, and models read it masked. `secret-hashes` beside `memory.db` keeps a keyed hash of each value, of at most 512,
and no value. Values of fewer than eight characters, single words, and numbers of fewer than eight digits
or of a day are not recognised. Rooms neither add values nor are
masked by them. Delete the file to start anew.

A `stop` without a reply, of a host that writes its transcript a moment later, keeps nothing yet: the turn is taken from the
transcript, as below, so that each reply stands with its own prompt.

A turn whose end no hook reported is taken from the host's transcript (`transcript_path`): the hook was killed or timed out, the
person interrupted the agent, or the host was killed. Each session has a file in `host-sessions/` beside `memory.db` with the path of
its transcript, how far it is read, and salted hashes of the turns that are kept; no words. `stop`, `pre-compact` and `session-end`
compare their own transcript with it and those of other sessions that ended or are quiet; `session-start` compares those of all
sessions. What was missed goes to `turns/`, without private parts, before the turn of now.

| case | what happens |
|---|---|
| the last turn of a session | taken at its `session-end` or its next `session-start`; by the `session-start` of another session where the agent has answered; by any of these hooks 30 minutes after the last line |
| a hook that runs twice for one event, or an end that is reported twice | kept once: a turn is known by its prompt, or its place in the transcript, and its words; words that a person repeats are a turn of their own |
| the host reports the end of such a turn later | what is new of the reply is kept without the prompt |
| a prompt without a reply | kept alone, also where the host did not write it to the transcript |
| a transcript that is older than inwit, or a copy of an earlier session | followed from its end; earlier turns are not taken |
| a transcript that is missing, is not a regular file or has another form | tried by ten hooks, reported by `inwit doctor` (`transcript_unread`) |
| a transcript that is shorter than before | followed from its end, reported by `inwit doctor` (`hook_failed`, `transcript_cut`) |
| a line of more than 8 MiB | skipped, up to 64 MiB a hook; the rest of its turn is kept without the prompt |
| words of sub-agents, summaries, output of commands | not turns |

One hook reads at most 8 MiB of transcripts and takes at most 5 turns; the next one goes on. At most 64 sessions are followed, each for 14
days after its last hook. `inwit forget` removes the folder. The host's transcript still has the erased text: a turn that a hook
reports or a transcript brings is recorded with `[forgotten]` in its place, also where a person types it again.
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
    text.push_str(&table(&["command", "event", "answers with", "given up after", "what it does"], rows));
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
