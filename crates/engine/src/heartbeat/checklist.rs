//! OpenClaw's rules for a heartbeat: when a checklist is empty, and when an answer says nothing.
//!
//! A workspace may be led by OpenClaw on other days, so its words keep their meaning (openclaw.md §3).
//! Invariant: an answer that says more than its token is never taken for silence, but for the small
//! talk that the old token allows.

use super::{LOOPS, STATE};

/// Characters that may accompany `HEARTBEAT_OK` without being told to anybody.
pub const ACK_CHARS_MAX: usize = 300;

/// Characters of punctuation that may follow a token at the end of an answer.
pub const TOKEN_TRAIL_CHARS_MAX: usize = 4;

const OK: &str = "HEARTBEAT_OK";
const SILENT: &str = "NO_REPLY";

/// Whether an answer to a heartbeat tells nobody anything.
pub fn is_ack(reply: &str) -> bool {
    without_token(reply).is_none()
}

/// What is left to tell once the token is taken off; `None` when nothing is. `NO_REPLY` counts in any
/// case as the whole answer or its first word; `HEARTBEAT_OK` at the start or the end, where up to 300
/// other characters go with it. In the middle both are words like others.
pub fn without_token(reply: &str) -> Option<String> {
    let bare = reply.trim().trim_matches(['*', '`', '~']).trim();
    if bare.is_empty() {
        return None;
    }
    let head = bare.get(..SILENT.len()).filter(|head| head.eq_ignore_ascii_case(SILENT));
    if head.is_some() && is_boundary(&bare[SILENT.len()..]) {
        return told(&bare[SILENT.len()..]);
    }
    let rest = match (bare.strip_prefix(OK).filter(|rest| is_boundary(rest)), before_end(bare)) {
        (Some(rest), _) => rest,
        (None, Some(rest)) => rest,
        (None, None) => return Some(reply.trim().to_owned()),
    };
    let rest = before_end(rest).unwrap_or(rest);
    told(rest).filter(|rest| rest.chars().count() > ACK_CHARS_MAX)
}

/// The text before `HEARTBEAT_OK` at the end, which up to 4 characters of punctuation may follow.
fn before_end(text: &str) -> Option<&str> {
    let at = text.rfind(OK)?;
    let trail = &text[at + OK.len()..];
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let starts_word = !text[..at].ends_with(is_word);
    (starts_word && trail.chars().count() <= TOKEN_TRAIL_CHARS_MAX && !trail.contains(is_word))
        .then_some(&text[..at])
}

fn is_boundary(rest: &str) -> bool {
    !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

fn told(rest: &str) -> Option<String> {
    let rest = rest.trim().trim_start_matches(['*', '`', '.', ',', ':', ';', '!', '-', '—']).trim();
    (!rest.is_empty()).then(|| rest.to_owned())
}

/// Whether a checklist asks for nothing, so that a heartbeat may be skipped: blank lines, comments,
/// headings, empty items and fence lines. Our own State and Open loops are no checklist and do not
/// count. A file that is not there is another matter: the heartbeat runs then.
pub fn is_empty_checklist(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let text = without_comments(text.trim_start_matches('\u{FEFF}'));
    let mut ours = false;
    text.replace('\r', "\n").lines().map(str::trim).all(|line| {
        if let Some(title) = line.strip_prefix("## ") {
            ours = [STATE, LOOPS].iter().any(|known| title.trim().eq_ignore_ascii_case(known));
        } else if line.starts_with("# ") {
            ours = false;
        }
        ours || line.is_empty() || is_heading(line) || is_stub(line) || is_fence(line)
    })
}

fn is_heading(line: &str) -> bool {
    let words = line.trim_start_matches('#');
    words.len() < line.len() && (words.is_empty() || words.starts_with(char::is_whitespace))
}

/// `-`, `* [ ]`, `+ [x]`, `- []`
fn is_stub(line: &str) -> bool {
    let Some(rest) = line.strip_prefix(['-', '*', '+']) else { return false };
    matches!(rest.trim(), "" | "[]" | "[ ]" | "[x]" | "[X]" | "[\t]")
}

fn is_fence(line: &str) -> bool {
    let mark = |mark: char| {
        let info = line.trim_start_matches(mark);
        line.len() - info.len() >= 3 && !info.contains(char::is_whitespace)
    };
    mark('`') || mark('~')
}

fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("<!--") {
        let Some(end) = rest[start..].find("-->") else { break };
        out.push_str(&rest[..start]);
        rest = &rest[start + end + 3..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_alone_or_with_small_talk_tells_nothing() {
        let small = format!("{OK} {}", "a".repeat(ACK_CHARS_MAX));
        let trailing = format!("All quiet.\n\n{OK}!!");
        for silent in [
            "NO_REPLY",
            " no_reply\n",
            "No_Reply.",
            "**NO_REPLY**",
            "HEARTBEAT_OK",
            "",
            " \n",
            &small,
            &trailing,
            "`HEARTBEAT_OK`",
            "HEARTBEAT_OK nothing new HEARTBEAT_OK.",
        ] {
            assert!(is_ack(silent), "{silent:?}");
        }
    }

    #[test]
    fn an_answer_that_says_something_is_told() {
        let large = format!("{OK} {}", "a".repeat(ACK_CHARS_MAX + 1));
        assert_eq!(without_token(&large), Some("a".repeat(ACK_CHARS_MAX + 1)));
        assert_eq!(without_token("NO_REPLY: the oven is on"), Some("the oven is on".into()));
        for told in [
            "The oven is on.",
            "I say HEARTBEAT_OK in the middle of it",
            "HEARTBEAT_OKAY",
            "xHEARTBEAT_OK",
            "NO_REPLYING",
            "HEARTBEAT_OK?!?!?! no",
            "heartbeat_ok",
        ] {
            let silent = is_ack(told);
            assert_eq!(silent, told.starts_with("HEARTBEAT_OK?"), "{told:?}");
        }
    }

    #[test]
    fn a_checklist_of_stubs_is_empty() {
        for empty in [
            "",
            "\n\n",
            "# HEARTBEAT.md\n\n## Tasks\n",
            "<!-- add\ntasks -->\n- \n* [ ]\n+ [x]\n- []\n",
            "```\n```\n",
            "```md\n```\n",
            "#\n",
            "\u{FEFF}# A\r\n- [ ] \r\n",
            "# HEARTBEAT\n\n## State\n\n- turn_count: 3\n\n## Open loops\n\n- call Bob\n\n## Schedule\n",
        ] {
            assert!(is_empty_checklist(empty.as_bytes()), "{empty:?}");
        }
        for full in [
            "- mail",
            "text",
            "#tag",
            "- [ ] mail",
            "<!-- open\n- x",
            "``` code here",
            "1. x",
            "## State\n- a\n## Schedule\n- mail\n",
            "## State\n# Tasks\n- mail\n",
        ] {
            assert!(!is_empty_checklist(full.as_bytes()), "{full:?}");
        }
    }
}
