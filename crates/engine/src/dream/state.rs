//! The two files that people may read and change between dreams.
//!
//! `.dreamed-state.json` shows how far dreaming came; the ledger decides, so the file is a projection,
//! and a value that we did not write is a person's wish (D7). `.dreamed-quarantine.json` names logs whose
//! promotion held a secret; taking an entry out lets them be dreamed of again (W50, W61, W63).
//! Invariant: what we cannot read we do not guess: a broken watermark reopens nothing, a broken
//! quarantine lets no log through. Keys and entries of others stay as they are.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::Notice;

/// Name of the watermark file in a workspace.
pub const DREAMED_STATE_FILE: &str = ".dreamed-state.json";

/// Name of the quarantine file in a workspace.
pub const DREAMED_QUARANTINE_FILE: &str = ".dreamed-quarantine.json";

/// How far dreaming came (W49).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DreamedState {
    /// Time of the newest log consumed, milliseconds since 1970.
    pub last_processed_mtime_ms: Option<i64>,
    /// When a dream last ran.
    pub last_run_at: Option<Timestamp>,
    /// Keys of others.
    rest: Map<String, Value>,
}

/// Which consumed logs are open again because a person changed the watermark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reopened {
    /// None: the watermark is ours.
    Nothing,
    /// All that changed later than this, milliseconds since 1970.
    NewerThan(i64),
    /// All of them: the file or its watermark was taken away.
    Everything,
}

impl DreamedState {
    /// The state that we write; keys of others that `self` was read with stay.
    pub fn advanced(&self, last_processed_mtime_ms: Option<i64>, last_run_at: Timestamp) -> Self {
        Self { last_processed_mtime_ms, last_run_at: Some(last_run_at), rest: self.rest.clone() }
    }

    /// Reads the file. The time may be a number, a number with a fraction, digits in quotes or a date.
    /// A broken file gives `None` and a notice.
    pub fn parse(bytes: &[u8]) -> (Option<Self>, Option<Notice>) {
        let read = match object(bytes) {
            Some(mut rest) => {
                let mtime = rest.remove("last_processed_mtime");
                let run = rest.remove("last_run_at");
                let is_absent = matches!(mtime, None | Some(Value::Null));
                let last_processed_mtime_ms = mtime.as_ref().and_then(milliseconds);
                let last_run_at = run.as_ref().and_then(Value::as_str).and_then(|at| at.parse().ok());
                (is_absent || last_processed_mtime_ms.is_some()).then_some(Self {
                    last_processed_mtime_ms,
                    last_run_at,
                    rest,
                })
            }
            None => None,
        };
        let notice = read.is_none().then(|| {
            Notice::new(
                "dreamed_state_unreadable",
                format!("{DREAMED_STATE_FILE} cannot be read; dreaming goes on from its ledger."),
                "It is written anew by the next dream. To dream of all logs again, delete the file.",
            )
        });
        (read, notice)
    }

    /// The file's bytes.
    pub fn print(&self) -> Vec<u8> {
        let mut value = json!({ "last_processed_mtime": self.last_processed_mtime_ms });
        if let Some(at) = self.last_run_at {
            value["last_run_at"] = at.to_string().into();
        }
        self.rest.iter().for_each(|(key, other)| value[key] = other.clone());
        format!("{value:#}\n").into_bytes()
    }
}

/// What a changed watermark opens again. `on_disk`: the file as read, `None` where there is none;
/// `ours`: the last watermark that we wrote, `None` where we never did. A broken file reopens nothing:
/// leave this out then.
pub fn reopened(on_disk: Option<&DreamedState>, ours: Option<i64>) -> Reopened {
    let found = on_disk.and_then(|state| state.last_processed_mtime_ms);
    match (found, ours) {
        (found, ours) if found == ours => Reopened::Nothing,
        (Some(mark), _) => Reopened::NewerThan(mark),
        (None, _) => Reopened::Everything,
    }
}

/// One hit of the secret filter on a promotion (W60).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuarantineEntry {
    /// When.
    pub quarantined_at: Timestamp,
    /// Name of the pattern that hit; never what it hit.
    pub pattern: String,
    /// The logs that were fed.
    pub log_filenames: Vec<String>,
    /// Time of the newest of them, milliseconds since 1970.
    pub max_mtime_ms: i64,
}

/// All logs that dreaming leaves out.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Quarantine {
    entries: Vec<Value>,
    broken: bool,
}

impl Quarantine {
    /// Reads the file: a list of entries. What is in it and is none stays in it; what is no list at all
    /// holds every log back, and a notice says so.
    pub fn parse(bytes: &[u8]) -> (Self, Option<Notice>) {
        let list = serde_json::from_slice::<Value>(plain(bytes)).ok();
        let is_blank = plain(bytes).iter().all(u8::is_ascii_whitespace);
        match list {
            Some(Value::Array(entries)) => (Self { entries, broken: false }, None),
            _ if is_blank => (Self::default(), None),
            _ => {
                let notice = Notice::new(
                    "quarantine_unreadable",
                    format!("{DREAMED_QUARANTINE_FILE} cannot be read, so no log is dreamed of."),
                    "Mend the file, or delete it to clear every log; look at the logs for the leak first.",
                );
                (Self { entries: Vec::new(), broken: true }, Some(notice))
            }
        }
    }

    /// The file's bytes. `None` when it could not be read: a broken file is a person's to mend.
    pub fn print(&self) -> Option<Vec<u8>> {
        let value = Value::Array(self.entries.clone());
        (!self.broken).then(|| format!("{value:#}\n").into_bytes())
    }

    /// With one entry more.
    pub fn add(&mut self, entry: &QuarantineEntry) {
        self.entries.push(json!({
            "quarantined_at": entry.quarantined_at.to_string(),
            "pattern": entry.pattern,
            "log_filenames": entry.log_filenames,
            "max_mtime": entry.max_mtime_ms,
        }));
    }

    /// Without the entry at `at`, counted from 0. `false`: there is none.
    pub fn clear(&mut self, at: usize) -> bool {
        let there = at < self.entries.len();
        if there {
            self.entries.remove(at);
        }
        there
    }

    /// The entries that can be read, each with its place.
    pub fn entries(&self) -> Vec<(usize, QuarantineEntry)> {
        let read = |(at, value): (usize, &Value)| {
            let names = names(value);
            let text = |key: &str| value[key].as_str().unwrap_or_default().to_owned();
            let entry = QuarantineEntry {
                quarantined_at: text("quarantined_at").parse().unwrap_or(Timestamp::UNIX_EPOCH),
                pattern: text("pattern"),
                max_mtime_ms: milliseconds(&value["max_mtime"]).unwrap_or_default(),
                log_filenames: names.iter().map(|name| (*name).to_owned()).collect(),
            };
            (!names.is_empty()).then_some((at, entry))
        };
        self.entries.iter().enumerate().filter_map(read).collect()
    }

    /// Whether a log is left out, by its workspace-relative name or, as others write it, its last part.
    pub fn holds(&self, log: &str) -> bool {
        let file = log.rsplit('/').next().unwrap_or(log);
        let is = |name: &str| name == log || !name.contains('/') && name == file;
        self.broken || self.entries.iter().any(|entry| names(entry).into_iter().any(is))
    }

    /// Names that `earlier` held and that are held no more: these logs are open again.
    pub fn cleared_since(&self, earlier: &Self) -> BTreeSet<String> {
        let before = earlier.entries.iter().flat_map(|entry| names(entry).into_iter());
        before.filter(|name| !self.holds(name)).map(str::to_owned).collect()
    }
}

fn names(entry: &Value) -> Vec<&str> {
    let list = entry["log_filenames"].as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().filter_map(Value::as_str).collect()
}

fn plain(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)
}

fn object(bytes: &[u8]) -> Option<Map<String, Value>> {
    match serde_json::from_slice(plain(bytes)).ok()? {
        Value::Object(object) => Some(object),
        _ => None,
    }
}

/// A time as people and programs write it.
fn milliseconds(value: &Value) -> Option<i64> {
    let whole = |number: f64| (number.is_finite() && number.abs() < 9e15).then_some(number.floor() as i64);
    match value {
        Value::Number(number) => number.as_i64().or_else(|| number.as_f64().and_then(whole)),
        Value::String(text) => {
            let number = text.trim().parse::<f64>().ok().and_then(whole);
            number.or_else(|| text.trim().parse::<Timestamp>().ok().map(Timestamp::as_millisecond))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(text: &str) -> Timestamp {
        text.parse().expect("a time")
    }

    fn state(text: &str) -> Option<DreamedState> {
        DreamedState::parse(text.as_bytes()).0
    }

    /// Proves W49.
    #[test]
    fn a_watermark_is_written_and_read_and_keys_of_others_stay() {
        let read = state("\u{FEFF}{\"note\": \"mine\", \"last_processed_mtime\": 1795000000123.75}")
            .expect("a state");
        assert_eq!(read.last_processed_mtime_ms, Some(1_795_000_000_123));
        let next = read.advanced(Some(5), at("2026-11-21T03:00:00Z"));
        let text = String::from_utf8(next.print()).expect("text");
        assert_eq!(
            text,
            "{\n  \"last_processed_mtime\": 5,\n  \"last_run_at\": \"2026-11-21T03:00:00Z\",\n  \"note\": \"mine\"\n}\n"
        );
        assert_eq!(state(&text), Some(next));
        for same in ["\"1000\"", "1000", "1000.4", "\"1970-01-01T00:00:01Z\""] {
            let read = state(&format!("{{\"last_processed_mtime\": {same}}}")).expect("a state");
            assert_eq!(read.last_processed_mtime_ms, Some(1_000), "{same}");
        }
        for broken in
            ["", "{", "[]", "{\"last_processed_mtime\": \"soon\"}", "{\"last_processed_mtime\": []}"]
        {
            let (read, notice) = DreamedState::parse(broken.as_bytes());
            assert_eq!(
                (read, notice.map(|notice| notice.code)),
                (None, Some("dreamed_state_unreadable")),
                "{broken}"
            );
        }
    }

    #[test]
    fn a_watermark_that_is_not_ours_opens_what_is_newer() {
        let mark =
            |mark: Option<i64>| DreamedState { last_processed_mtime_ms: mark, ..DreamedState::default() };
        assert_eq!(reopened(Some(&mark(Some(5))), Some(5)), Reopened::Nothing);
        assert_eq!(reopened(None, None), Reopened::Nothing, "a first dream");
        assert_eq!(reopened(Some(&mark(None)), None), Reopened::Nothing);
        assert_eq!(reopened(Some(&mark(Some(3))), Some(5)), Reopened::NewerThan(3));
        assert_eq!(reopened(Some(&mark(Some(9))), Some(5)), Reopened::NewerThan(9));
        assert_eq!(reopened(Some(&mark(Some(9))), None), Reopened::NewerThan(9), "from another tool");
        assert_eq!(reopened(None, Some(5)), Reopened::Everything);
        assert_eq!(reopened(Some(&mark(None)), Some(5)), Reopened::Everything);
    }

    fn entry(names: &[&str]) -> QuarantineEntry {
        QuarantineEntry {
            quarantined_at: at("2026-11-21T03:00:00Z"),
            pattern: "github_pat".into(),
            log_filenames: names.iter().map(|name| (*name).to_owned()).collect(),
            max_mtime_ms: 7,
        }
    }

    /// Proves W50.
    #[test]
    fn a_quarantined_log_is_left_out_until_its_entry_is_cleared() {
        let mut held = Quarantine::default();
        held.add(&entry(&["memory/2026-11-20-a.md", "2026-11-19.md"]));
        held.add(&entry(&["memory/2026-11-18.md"]));
        let bytes = held.print().expect("bytes");
        let (read, notice) = Quarantine::parse(&bytes);
        assert_eq!((&read, notice), (&held, None));
        assert_eq!(read.entries()[1], (1, entry(&["memory/2026-11-18.md"])));
        for log in ["memory/2026-11-20-a.md", "memory/2026-11-19.md", "memory/daily/2026-11-19.md"] {
            assert!(read.holds(log), "{log}");
        }
        assert!(!read.holds("memory/2026-11-17.md") && !read.holds("notes/2026-11-20-a.md"));
        let mut cleared = read.clone();
        assert!(cleared.clear(0) && !cleared.clear(5));
        assert!(!cleared.holds("memory/2026-11-20-a.md"));
        let open: Vec<String> = cleared.cleared_since(&held).into_iter().collect();
        assert_eq!(open, ["2026-11-19.md", "memory/2026-11-20-a.md"]);
        let (gone, _) = Quarantine::parse(b"");
        assert_eq!(gone.cleared_since(&held).len(), 3, "a deleted file clears all");
    }

    #[test]
    fn a_broken_quarantine_holds_everything_back_and_is_not_overwritten() {
        for broken in ["{", "{}", "3", "[,]"] {
            let (held, notice) = Quarantine::parse(broken.as_bytes());
            assert!(held.holds("memory/2026-11-20.md"), "{broken}");
            assert_eq!(held.print(), None);
            assert_eq!(notice.expect("a notice").code, "quarantine_unreadable");
        }
        let odd = b"[\n  3,\n  {\n    \"log_filenames\": [\n      \"a.md\",\n      4\n    ]\n  }\n]\n";
        let (held, notice) = Quarantine::parse(odd);
        assert!(held.holds("memory/a.md") && !held.holds("b.md") && notice.is_none());
        assert_eq!(held.print().expect("bytes"), odd, "what is no entry of ours stays");
    }

    proptest! {
        #[test]
        fn reading_never_fails_and_a_print_reads_back(bytes in prop::collection::vec(any::<u8>(), 0..60), mark in any::<Option<i64>>()) {
            let (read, notice) = DreamedState::parse(&bytes);
            prop_assert_eq!(read.is_none(), notice.is_some());
            Quarantine::parse(&bytes);
            let state = DreamedState::default().advanced(mark, at("2026-11-21T03:00:00Z"));
            prop_assert_eq!(DreamedState::parse(&state.print()).0, Some(state));
        }
    }
}
