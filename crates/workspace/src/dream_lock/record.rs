//! The record in `.dreaming.lock`: the holder of the dream lock, for people and programs.
//!
//! The first four keys are those of other systems (W48); ours follow, so readers of the former work. Times have a
//! numeric offset and milliseconds, which every ISO parser accepts. Invariant: any bytes can be parsed; missing or
//! invalid values are `None`.

use std::time::Duration;

use inwit_model::name::shown;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

/// The form of record that this version writes.
pub const RECORD_SCHEMA: u64 = 1;

/// Who holds the lock, as the file says.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Record {
    /// The holder's process.
    pub pid: Option<u32>,
    /// The machine it runs on.
    pub hostname: Option<String>,
    /// When it took the lock, ISO with an offset.
    pub started_at: Option<String>,
    /// A unique token of the holder.
    pub token: Option<String>,
    /// The form of the record; `None` in records of other systems, which have only what stands above.
    pub schema: Option<u64>,
    /// The run of the machine.
    pub boot_id: Option<String>,
    /// When the process began, in ticks since the boot.
    pub pid_start: Option<u64>,
    /// The set of pids that `pid` belongs to.
    pub pid_ns: Option<String>,
    /// A hash that names the machine.
    pub machine_id_hash: Option<String>,
    /// The interface that asked for the pass: `cli`, `http`.
    pub surface: Option<String>,
    /// After how many milliseconds without a change the holder wants to be taken for gone.
    pub ttl_ms: Option<u64>,
    /// When the holder last wrote the record: at its start.
    pub heartbeat_at: Option<String>,
    /// The number of this holder; a later one has a greater number.
    pub fence: Option<u64>,
}

impl Record {
    /// Reads a record; `None` where the bytes are no JSON object.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let Ok(Value::Object(fields)) = serde_json::from_slice(bytes) else { return None };
        let text = |key: &str| fields.get(key)?.as_str().map(str::to_owned);
        let number = |key: &str| fields.get(key)?.as_u64();
        Some(Self {
            pid: number("pid").and_then(|pid| u32::try_from(pid).ok()),
            hostname: text("hostname"),
            started_at: text("started_at"),
            token: text("token"),
            schema: number("schema"),
            boot_id: text("boot_id"),
            pid_start: number("pid_start"),
            pid_ns: text("pid_ns"),
            machine_id_hash: text("machine_id_hash"),
            surface: text("surface"),
            ttl_ms: number("ttl_ms"),
            heartbeat_at: text("heartbeat_at"),
            fence: number("fence"),
        })
    }

    /// Its bytes: one line of JSON.
    pub fn encode(&self) -> Vec<u8> {
        // Text and numbers always have a form in JSON.
        let mut bytes = serde_json::to_vec(self).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }

    /// Whether another system wrote it, which holds no kernel lock of ours.
    pub fn is_foreign(&self) -> bool {
        self.schema.is_none()
    }

    /// When it was taken, where that is a moment: a time without an offset may be any of a day's.
    pub fn started(&self) -> Option<Timestamp> {
        self.started_at.as_deref()?.parse().ok()
    }

    /// The time to live that the holder asked for.
    pub fn ttl(&self) -> Option<Duration> {
        self.ttl_ms.map(Duration::from_millis)
    }

    /// The holder in one line for a person; what a stranger wrote is made harmless.
    pub fn holder(&self) -> String {
        let mut words = match &self.surface {
            Some(surface) => format!("{}, ", shown(surface)),
            None => String::new(),
        };
        words += &match self.pid {
            Some(pid) => format!("process {pid}"),
            None => "an unnamed process".to_owned(),
        };
        if let Some(hostname) = &self.hostname {
            words += &format!(" on {}", shown(hostname));
        }
        if let Some(started_at) = &self.started_at {
            words += &format!(", since {}", shown(started_at));
        }
        words
    }
}

/// A moment as records hold it.
pub(super) fn moment(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%S%.3f+00:00").to_string()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn ours() -> Record {
        let at = "2026-11-21T12:00:00Z".parse().expect("a moment");
        Record {
            pid: Some(41),
            hostname: Some("bakery".into()),
            started_at: Some(moment(at)),
            token: Some("t".into()),
            schema: Some(RECORD_SCHEMA),
            surface: Some("cli".into()),
            heartbeat_at: Some(moment(at)),
            fence: Some(7),
            ..Record::default()
        }
    }

    /// Proves W48.
    #[test]
    fn the_four_known_keys_come_first_and_in_their_form() {
        let text = String::from_utf8(ours().encode()).expect("UTF-8");
        let head = r#"{"pid":41,"hostname":"bakery","started_at":"2026-11-21T12:00:00.000+00:00","token":"t","schema":1,"#;
        assert!(text.starts_with(head), "{text}");
        let keys: Vec<String> = match serde_json::from_str(&text).expect("JSON") {
            Value::Object(fields) => fields.keys().cloned().collect(),
            other => panic!("{other}"),
        };
        assert_eq!(
            keys.join(" "),
            "pid hostname started_at token schema boot_id pid_start pid_ns machine_id_hash surface ttl_ms heartbeat_at fence"
        );
    }

    #[test]
    fn a_moment_without_an_offset_is_no_moment() {
        let at = |text: &str| Record { started_at: Some(text.into()), ..Record::default() }.started();
        assert!(at("2026-11-21T12:00:00.123456+00:00").is_some());
        assert!(at("2026-11-21T12:00:00Z").is_some());
        assert_eq!(at("2026-11-21T12:00:00"), None);
        assert_eq!(at("yesterday"), None);
    }

    #[test]
    fn what_a_stranger_wrote_is_shown_harmless() {
        let record =
            Record { hostname: Some("a\u{202e}b\u{1b}[2J".into()), pid: Some(1), ..Record::default() };
        assert_eq!(record.holder(), "process 1 on a⟦U+202E⟧b⟦U+001B⟧[2J");
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_and_what_we_write_is_read_back(bytes: Vec<u8>, host: String, fence: u64, pid: u32) {
            let _ = Record::parse(&bytes);
            let record = Record { hostname: Some(host), fence: Some(fence), pid: Some(pid), ..ours() };
            prop_assert_eq!(Record::parse(&record.encode()), Some(record));
        }
    }
}
