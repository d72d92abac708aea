//! The two state files of dreaming, which people and other programs read and edit.
//!
//! `.dreamed-state.json` has a watermark and the time of the last pass. The recall engine consumes no log, so it sets
//! only `last_run_at`; the log engine also advances the watermark, and writes the same number under a key of its own,
//! so that it notices a watermark of another program. Every other key keeps its value, form and place. `.dreamed-quarantine.json` lists logs whose
//! promotion contained a secret; removing an entry releases them (W50, W61, W63). Invariant: an invalid file is never
//! overwritten. An invalid state file stops no pass; an invalid quarantine holds back all logs.

use inwit_model::ports::StateFile;
use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::Notice;

/// Key of the watermark.
const WATERMARK: &str = "last_processed_mtime";

/// Key of the last watermark that inwit wrote.
const OWN_WATERMARK: &str = "inwit_processed_mtime";

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
        let is_clean = read.as_ref().is_some_and(|state| match state.keys.get(WATERMARK) {
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

    /// The modification time up to which logs were read, milliseconds since 1970, with a fraction.
    pub fn watermark(&self) -> Option<f64> {
        precise_milliseconds(self.keys.get(WATERMARK)?)
    }

    /// When a pass last ended, if that can be parsed.
    pub fn last_run_at(&self) -> Option<Timestamp> {
        self.keys.get("last_run_at")?.as_str()?.parse().ok()
    }

    /// The watermark of another program, or of a person: one that differs from the last one that inwit wrote.
    pub fn foreign_watermark(&self) -> Option<f64> {
        let ours = self.keys.get(OWN_WATERMARK).and_then(Value::as_f64);
        self.watermark().filter(|mark| Some(*mark) != ours)
    }

    /// A watermark that a person or another program set back: logs that are newer are read again.
    pub fn lowered_watermark(&self) -> Option<f64> {
        let ours = self.keys.get(OWN_WATERMARK).and_then(Value::as_f64)?;
        self.watermark().filter(|mark| *mark < ours)
    }

    /// Advances the watermark to `read_ms`, never back. A watermark in a form that cannot be parsed is kept.
    pub fn advance(&mut self, read_ms: f64) {
        if !matches!(self.keys.get(WATERMARK), None | Some(Value::Null)) && self.watermark().is_none() {
            return;
        }
        let before = self.watermark();
        let mark = before.map_or(read_ms, |before| before.max(read_ms));
        // A whole number without a fraction, as other programs write it.
        let whole = mark as i64;
        let value = if whole as f64 == mark { Value::from(whole) } else { Value::from(mark) };
        if before != Some(mark) {
            self.keys.insert(WATERMARK.to_owned(), value.clone());
        }
        self.keys.insert(OWN_WATERMARK.to_owned(), value);
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

    /// Removes `logs` from every entry, or all logs if there are none; an entry without a log is dropped. Returns the
    /// removed names, each once. Invalid entries stay.
    pub fn clear(&mut self, logs: &[String]) -> Vec<String> {
        let is_wanted = |name: &str| logs.is_empty() || logs.iter().any(|log| is_same(name, log));
        let mut cleared = std::collections::BTreeSet::new();
        self.entries.retain_mut(|entry| {
            let Some(list) = entry.get_mut("log_filenames").and_then(Value::as_array_mut) else {
                return true;
            };
            let before = list.len();
            list.retain(|name| {
                let is_cleared = name.as_str().is_some_and(is_wanted);
                cleared.extend(name.as_str().filter(|_| is_cleared).map(str::to_owned));
                !is_cleared
            });
            !(list.is_empty() && before > 0)
        });
        cleared.into_iter().collect()
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
        self.broken
            || self.entries.iter().any(|entry| names(entry).into_iter().any(|name| is_same(name, log)))
    }
}

/// Whether `name` of an entry means the log, with its folder or without.
fn is_same(name: &str, log: &str) -> bool {
    let file = log.rsplit('/').next().unwrap_or(log);
    name == log || !name.contains('/') && name == file
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

/// A time in any form that people or programs write, in whole milliseconds.
fn milliseconds(value: &Value) -> Option<i64> {
    precise_milliseconds(value).map(|number| number.floor() as i64)
}

/// The same with its fraction.
fn precise_milliseconds(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => {
            let moment = || text.trim().parse::<Timestamp>().ok();
            let number = text.trim().parse::<f64>().ok();
            number.or_else(|| moment().map(|moment| moment.as_millisecond() as f64))
        }
        _ => None,
    };
    number.filter(|number| number.is_finite() && number.abs() < 9e15)
}

/// A modification time in milliseconds, as Node.js computes `mtimeMs`: other programs compare it with the watermark.
pub fn mtime_ms(modified_ns: i64) -> f64 {
    const SECOND_NS: i64 = 1_000_000_000;
    let (seconds, rest) = (modified_ns.div_euclid(SECOND_NS), modified_ns.rem_euclid(SECOND_NS));
    seconds as f64 * 1_000.0 + rest as f64 / 1e6
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

    /// Proves W45, W49.
    #[test]
    fn the_watermark_advances_with_its_fraction_and_never_goes_back() {
        let parse = |text: &str| DreamedState::parse(text.as_bytes()).0.expect("a state");
        let after = |text: &str, read_ms: f64| {
            let mut state = parse(text);
            state.advance(read_ms);
            state
        };
        assert_eq!(after("{}", 7.25).watermark(), Some(7.25));
        assert_eq!(after("{\"last_processed_mtime\": 9.5}", 7.0).watermark(), Some(9.5));
        assert_eq!(after("{\"last_processed_mtime\": \"soon\"}", 7.0).watermark(), None, "kept as it is");
        let text = String::from_utf8(after("{}", 1_795_000_000_123.0).ran_at(at("2026-11-21T03:00:00Z")));
        assert!(
            text.expect("text").contains("\"last_processed_mtime\": 1795000000123,"),
            "no needless fraction"
        );
        let ours = after("{\"last_processed_mtime\": 3}", 7.25);
        assert_eq!(ours.foreign_watermark(), None, "inwit wrote it");
        assert_eq!(parse("{\"last_processed_mtime\": 3}").foreign_watermark(), Some(3.0));
        let later = "{\"last_processed_mtime\": 8, \"inwit_processed_mtime\": 7.25}";
        assert_eq!(parse(later).foreign_watermark(), Some(8.0), "another program advanced it");
        assert_eq!(parse(later).lowered_watermark(), None);
        let lowered = "{\"last_processed_mtime\": 5, \"inwit_processed_mtime\": 7.25}";
        assert_eq!(parse(lowered).lowered_watermark(), Some(5.0));
        assert_eq!(mtime_ms(1_795_000_000_123_750_000), 1_795_000_000_123.75);
    }

    /// Proves W63.
    #[test]
    fn entries_are_cleared_one_log_at_a_time_or_all() {
        let full = || {
            let mut held = Quarantine::default();
            held.add(&entry(&["memory/2026-11-20-a.md", "2026-11-19.md"]));
            held.add(&entry(&["memory/2026-11-18.md"]));
            held
        };
        let mut held = full();
        assert_eq!(held.clear(&["memory/2026-11-19.md".into()]), ["2026-11-19.md"]);
        assert!(held.holds("memory/2026-11-20-a.md") && !held.holds("memory/2026-11-19.md"));
        assert_eq!(
            held.clear(&["memory/2026-11-18.md".into(), "memory/none.md".into()]),
            ["memory/2026-11-18.md"]
        );
        assert_eq!(held.entries().len(), 1);
        let mut held = full();
        assert_eq!(held.clear(&[]).len(), 3);
        assert_eq!(held.print().expect("bytes"), b"[]\n");
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
