//! Detects changes of SOUL.md, so that the agent informs its user once (W6, W67, W68).
//!
//! The baseline is a hash in `.soul-state.json`, with the last announced hash while a change is pending. Invariant:
//! each change is announced once, for any number of sessions before the notice reaches a prompt; a change reverted
//! before that is not announced.

use inwit_model::{Hint, Sha256};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::Notice;

/// Name of the state file in a workspace.
pub const SOUL_STATE_FILE: &str = ".soul-state.json";

/// The format version of the file.
const VERSION: u64 = 1;

/// The notice in the next prompt after a change.
pub const SOUL_CHANGED: &str = "SOUL.md was changed since you last spoke. In your next reply, say so once and \
                                briefly, as something that your person may not know; then do not mention it again.";

/// The last known state of SOUL.md.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SoulState {
    /// Sha256 of the file as last seen.
    pub sha256: Sha256,
    /// When this content was first seen.
    pub observed_at: Timestamp,
    /// While a change is pending: the announced hash.
    pub told: Option<Sha256>,
}

/// Checks SOUL.md at the start of a session. `sha` is `None` if there is no SOUL.md: nothing changes then, since a
/// file may be absent briefly. An unchanged state need not be written. The notice goes into the prompt; call
/// [`acknowledge`] once it was delivered.
pub fn observe(
    state: Option<&SoulState>,
    sha: Option<Sha256>,
    now: Timestamp,
) -> (Option<SoulState>, Option<Notice>) {
    let state = match (state, sha) {
        (state, None) => return (state.cloned(), None),
        (None, Some(sha256)) => SoulState { sha256, observed_at: now, told: None },
        (Some(old), Some(sha256)) if old.sha256 == sha256 => old.clone(),
        (Some(old), Some(sha256)) => {
            let known = old.told.unwrap_or(old.sha256);
            SoulState { sha256, observed_at: now, told: (known != sha256).then_some(known) }
        }
    };
    let notice = state.told.map(|_| Notice::new("soul_changed", SOUL_CHANGED, DIFF_HINT));
    (Some(state), notice)
}

const DIFF_HINT: Hint = Hint::SoulHistory;

/// The state after the notice was delivered.
pub fn acknowledge(state: &SoulState) -> SoulState {
    SoulState { told: None, ..state.clone() }
}

/// Parses the file. An invalid file or another version gives no baseline and a notice: SOUL.md is then accepted as it
/// is, so changes in between are not announced.
pub fn parse(bytes: &[u8]) -> (Option<SoulState>, Option<Notice>) {
    let state = read(bytes);
    let notice = state.is_none().then(|| {
        Notice::new(
            "soul_state_unreadable",
            format!("{SOUL_STATE_FILE} cannot be read; changes of SOUL.md are detected from now on."),
            "Nothing needs to be done. The next session writes the file again.",
        )
    });
    (state, notice)
}

/// The content of the file.
pub fn print(state: &SoulState) -> Vec<u8> {
    let mut value = json!({
        "version": VERSION,
        "sha256": state.sha256.to_string(),
        "observed_at": state.observed_at.to_string(),
        "pending_disclosure": state.told.is_some(),
    });
    if let Some(told) = state.told {
        value["disclosed_sha256"] = told.to_string().into();
    }
    format!("{value:#}\n").into_bytes()
}

fn read(bytes: &[u8]) -> Option<SoulState> {
    let value: Value = serde_json::from_slice(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)).ok()?;
    if value.get("version").is_some_and(|version| version.as_u64() != Some(VERSION)) {
        return None;
    }
    let sha256 = hash(&value["sha256"])?;
    let observed_at =
        value["observed_at"].as_str().and_then(|at| at.parse().ok()).unwrap_or(Timestamp::UNIX_EPOCH);
    // Other programs write only a flag; then any other hash counts as announced.
    let pending = value["pending_disclosure"].as_bool().unwrap_or(false);
    let told = pending.then(|| hash(&value["disclosed_sha256"]).unwrap_or(Sha256([0; 32])));
    Some(SoulState { sha256, observed_at, told })
}

fn hash(value: &Value) -> Option<Sha256> {
    let digits = value.as_str().filter(|digits| digits.len() == 64 && digits.is_ascii())?;
    let mut hash = [0; 32];
    for (at, byte) in hash.iter_mut().enumerate() {
        *byte = u8::from_str_radix(digits.get(2 * at..2 * at + 2)?, 16).ok()?;
    }
    Some(Sha256(hash))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn now(second: i64) -> Timestamp {
        Timestamp::from_second(1_795_000_000 + second).expect("a time")
    }

    fn soul(text: &str) -> Option<Sha256> {
        Some(Sha256::of(text.as_bytes()))
    }

    /// Checks each text in turn, as sessions that never deliver the notice.
    fn looks(texts: &[Option<&str>]) -> (Option<SoulState>, Vec<bool>) {
        let mut state = None;
        let mut told = Vec::new();
        for (second, text) in texts.iter().enumerate() {
            let (next, notice) = observe(state.as_ref(), text.and_then(soul), now(second as i64));
            state = next.map(|state| parse(&print(&state)).0.expect("reads its own print"));
            told.push(notice.is_some());
        }
        (state, told)
    }

    /// Proves W68.
    #[test]
    fn a_change_is_told_until_it_was_delivered_and_never_again() {
        let (state, told) = looks(&[Some("a"), Some("a"), Some("b"), Some("b"), Some("c")]);
        assert_eq!(told, [false, false, true, true, true]);
        let state = acknowledge(&state.expect("a state"));
        let (same, notice) = observe(Some(&state), soul("c"), now(9));
        assert_eq!((same, notice), (Some(state.clone()), None));
        assert!(observe(Some(&state), soul("a"), now(9)).1.is_some(), "back to an older self is a change");
    }

    #[test]
    fn a_change_taken_back_before_it_was_told_is_not_told() {
        assert_eq!(looks(&[Some("a"), Some("b"), Some("a"), Some("a")]).1, [false, true, false, false]);
        assert_eq!(looks(&[Some("a"), Some("b"), Some("c"), Some("b")]).1, [false, true, true, true]);
    }

    #[test]
    fn a_soul_that_is_away_changes_nothing() {
        assert_eq!(looks(&[None, None]), (None, vec![false, false]));
        assert_eq!(looks(&[Some("a"), None, Some("a")]).1, [false, false, false]);
        assert_eq!(looks(&[Some("a"), None, Some("b")]).1, [false, false, true]);
    }

    #[test]
    fn the_file_has_the_form_that_others_read() {
        let state = SoulState { sha256: Sha256::of(b"a"), observed_at: now(0), told: None };
        let text = String::from_utf8(print(&state)).expect("text");
        let expected = format!(
            "{{\n  \"version\": 1,\n  \"sha256\": \"{}\",\n  \"observed_at\": \"{}\",\n  \"pending_disclosure\": false\n}}\n",
            Sha256::of(b"a"),
            now(0)
        );
        assert_eq!(text, expected);
        let foreign = text.replace("false", "true");
        let state = parse(foreign.as_bytes()).0.expect("a state");
        assert!(observe(Some(&state), soul("a"), now(1)).1.is_some(), "a flag that others set is obeyed");
    }

    #[test]
    fn a_broken_file_is_no_baseline_and_says_so() {
        let hash = Sha256::of(b"a").to_string();
        let versioned = format!("{{\"version\":2,\"sha256\":\"{hash}\"}}");
        for broken in ["", "{", "[]", "null", "{\"sha256\": 3}", "{\"sha256\":\"xyz\"}", &versioned] {
            let (state, notice) = parse(broken.as_bytes());
            assert_eq!(state, None, "{broken}");
            assert_eq!(notice.expect("a notice").code, "soul_state_unreadable");
        }
    }

    proptest! {
        #[test]
        fn reading_never_fails(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            let (state, notice) = parse(&bytes);
            prop_assert_eq!(state.is_none(), notice.is_some());
        }

        #[test]
        fn the_last_told_self_decides(texts in prop::collection::vec(0u8..3, 1..12), delivered in prop::collection::vec(any::<bool>(), 12)) {
            let mut state = None;
            let mut known = texts[0];
            for (at, text) in texts.iter().enumerate() {
                let (next, notice) = observe(state.as_ref(), Some(Sha256::of(&[*text])), now(at as i64));
                prop_assert_eq!(notice.is_some(), *text != known);
                state = next;
                if notice.is_some() && delivered[at] {
                    known = *text;
                    state = state.as_ref().map(acknowledge);
                }
            }
        }
    }
}
