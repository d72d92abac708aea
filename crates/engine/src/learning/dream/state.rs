//! The two state files of dreaming, which people and other programs read and edit.
//!
//! `.dreamed-state.json` has a watermark and the time of the last pass. The recall engine consumes no log, so it sets
//! only `last_run_at`; every other key keeps its value, form and place. `.dreamed-quarantine.json` lists logs whose
//! promotion contained a secret; removing an entry releases them (W50, W61, W63). Invariant: an invalid file is never
//! overwritten. An invalid state file stops no pass; an invalid quarantine holds back all logs.

use inwit_model::ports::StateFile;
use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::Notice;

/// The object of `.dreamed-state.json`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DreamedState {
    keys: Map<String, Value>,
}

impl DreamedState {
    /// Parses the file. `None` if it is not a JSON object. The watermark may be absent, `null`, a number, quoted
    /// digits or a date; another form is kept, with a notice.
    pub fn parse(bytes: &[u8]) -> (Option<Self>, Option<Notice>) {
        let read = object(bytes).map(|keys| Self { keys });
        let is_clean = read.as_ref().is_some_and(|state| match state.keys.get("last_processed_mtime") {
            None | Some(Value::Null) => true,
            Some(mtime) => milliseconds(mtime).is_some(),
        });
        let notice = (!is_clean).then(|| {
            Notice::new(
                "dreamed_state_unreadable",
                format!("{} cannot be parsed, so dreaming uses its own ledger.", StateFile::Dreamed.name()),
                "The file was not changed. Repair or delete it.",
            )
        });
        (read, notice)
    }

    /// The content after a pass that ended `at`: only `last_run_at` differs.
    pub fn ran_at(&self, at: Timestamp) -> Vec<u8> {
        let mut keys = self.keys.clone();
        keys.insert("last_run_at".to_owned(), at.to_string().into());
        format!("{:#}\n", Value::Object(keys)).into_bytes()
    }
}

/// A quarantined promotion, found by the secret filter (W60).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuarantineEntry {
    /// Its time.
    pub quarantined_at: Timestamp,
    /// Name of the matching pattern, never the match.
    pub pattern: String,
    /// The source logs.
    pub log_filenames: Vec<String>,
    /// Modification time of the newest of them, milliseconds since 1970.
    pub max_mtime_ms: i64,
}

/// All quarantined logs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Quarantine {
    entries: Vec<Value>,
    broken: bool,
}

impl Quarantine {
    /// Parses the file: a list of entries. Invalid entries are kept; if it is not a list, every log is held back,
    /// with a notice.
    pub fn parse(bytes: &[u8]) -> (Self, Option<Notice>) {
        let list = serde_json::from_slice::<Value>(plain(bytes)).ok();
        let is_blank = plain(bytes).iter().all(u8::is_ascii_whitespace);
        match list {
            Some(Value::Array(entries)) => (Self { entries, broken: false }, None),
            _ if is_blank => (Self::default(), None),
            _ => {
                let notice = Notice::new(
                    "quarantine_unreadable",
                    format!("{} cannot be parsed, so no log is promoted.", StateFile::Quarantine.name()),
                    "Repair the file, or delete it to clear every log. First check the logs for the leak.",
                );
                (Self { entries: Vec::new(), broken: true }, Some(notice))
            }
        }
    }

    /// The content of the file. `None` if it was invalid: a person must repair it.
    pub fn print(&self) -> Option<Vec<u8>> {
        let value = Value::Array(self.entries.clone());
        (!self.broken).then(|| format!("{value:#}\n").into_bytes())
    }

    /// Adds an entry.
    pub fn add(&mut self, entry: &QuarantineEntry) {
        self.entries.push(json!({
            "quarantined_at": entry.quarantined_at.to_string(),
            "pattern": entry.pattern,
            "log_filenames": entry.log_filenames,
            "max_mtime": entry.max_mtime_ms,
        }));
    }

    /// The valid entries, each with its index.
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

    /// Whether a log is quarantined, by its workspace-relative name or, as others write it, its file name.
    pub fn holds(&self, log: &str) -> bool {
        let file = log.rsplit('/').next().unwrap_or(log);
        let is = |name: &str| name == log || !name.contains('/') && name == file;
        self.broken || self.entries.iter().any(|entry| names(entry).into_iter().any(is))
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

/// A time in any form that people or programs write.
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

    /// Proves W49.
    #[test]
    fn a_pass_changes_its_own_key_and_no_other() {
        for mark in
            ["1795000000123", "1795000000123.7517", "\"1795000000123\"", "\"2026-11-20T00:00:00Z\"", "null"]
        {
            let file = |at: &str| {
                format!(
                    "{{\n  \"note\": \"mine\",\n  \"last_processed_mtime\": {mark},\n  \"last_run_at\": \"{at}\"\n}}\n"
                )
            };
            let (state, notice) = DreamedState::parse(file("2026-11-20T03:00:00Z").as_bytes());
            assert_eq!(notice, None, "{mark}");
            let after = state.expect("a state").ran_at(at("2026-11-21T03:00:00Z"));
            assert_eq!(String::from_utf8(after).expect("text"), file("2026-11-21T03:00:00Z"));
        }
        let first = DreamedState::default().ran_at(at("2026-11-21T03:00:00Z"));
        assert_eq!(first, b"{\n  \"last_run_at\": \"2026-11-21T03:00:00Z\"\n}\n");
    }

    #[test]
    fn a_state_that_cannot_be_parsed_is_reported() {
        let read = |text: &str| {
            let (state, notice) = DreamedState::parse(text.as_bytes());
            (state.is_some(), notice.map(|notice| notice.code))
        };
        let unreadable = Some("dreamed_state_unreadable");
        for broken in ["", "{", "[]", "3"] {
            assert_eq!(read(broken), (false, unreadable), "{broken}");
        }
        for odd in ["{\"last_processed_mtime\": \"soon\"}", "{\"last_processed_mtime\": []}"] {
            assert_eq!(read(odd), (true, unreadable), "{odd}");
        }
        assert_eq!(read("\u{FEFF}{\"note\": \"mine\"}"), (true, None));
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
        let mut kept: Vec<Value> = serde_json::from_slice(&bytes).expect("a list");
        kept.remove(0);
        let (cleared, _) = Quarantine::parse(&serde_json::to_vec(&kept).expect("bytes"));
        assert!(!cleared.holds("memory/2026-11-20-a.md") && cleared.holds("memory/2026-11-18.md"));
        let (gone, _) = Quarantine::parse(b"");
        assert!(!gone.holds("memory/2026-11-18.md"), "a deleted file clears all");
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
        fn reading_never_fails_and_a_watermark_is_kept(bytes in prop::collection::vec(any::<u8>(), 0..60), mark in any::<f64>()) {
            let (read, notice) = DreamedState::parse(&bytes);
            prop_assert!(read.is_some() || notice.is_some());
            Quarantine::parse(&bytes);
            let given = json!({ "last_processed_mtime": mark });
            let state = DreamedState::parse(given.to_string().as_bytes()).0.expect("an object");
            let after: Value = serde_json::from_slice(&state.ran_at(at("2026-11-21T03:00:00Z"))).expect("JSON");
            prop_assert_eq!(&after["last_processed_mtime"], &given["last_processed_mtime"]);
        }
    }
}
