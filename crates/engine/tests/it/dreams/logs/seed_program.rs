//! A plain version of Minara's gates and inwit dream over one workspace in turn.

use std::collections::BTreeSet;

use inwit_model::ports::Folder;
use serde_json::{Value, json};

use super::*;

/// The gates of the seed: watermark, quarantined names, window and budgets left out, since the logs fit.
struct SeedProgram<'w> {
    shelf: &'w Shelf,
    now: &'w str,
}

impl SeedProgram<'_> {
    fn json(&self, which: StateFile) -> Value {
        let bytes = self.shelf.read_state(which).expect("read");
        bytes.map_or(Value::Null, |bytes| serde_json::from_slice(&bytes).expect("JSON"))
    }

    fn write(&self, which: StateFile, value: &Value) {
        self.shelf.write_state(which, Some(value.to_string().as_bytes())).expect("written");
    }

    /// One tick: returns the fed lines.
    fn tick(&self, model: &dyn Fn(&str) -> String) -> Vec<String> {
        let mark = self.json(StateFile::Dreamed)["last_processed_mtime"].as_f64().unwrap_or(0.0);
        let quarantine = self.json(StateFile::Quarantine);
        let held: BTreeSet<&str> = quarantine
            .as_array()
            .into_iter()
            .flatten()
            .flat_map(|entry| entry["log_filenames"].as_array().into_iter().flatten())
            .filter_map(Value::as_str)
            .collect();
        let folder = Folder { path: "memory".into(), deep: false };
        let listing = self.shelf.list(&[folder]).expect("listed");
        let mut logs: Vec<(f64, String, String)> = Vec::new();
        for entry in listing.entries {
            let Some(file) = entry.name.as_str().strip_prefix("memory/") else { continue };
            let content = self.shelf.read(&entry.name).expect("read");
            let (seconds, rest) = (content.modified_ns / 1_000_000_000, content.modified_ns % 1_000_000_000);
            let mtime_ms = seconds as f64 * 1_000.0 + rest as f64 / 1e6;
            if mtime_ms > mark && !held.contains(file) {
                logs.push((mtime_ms, file.to_owned(), String::from_utf8_lossy(&content.bytes).into_owned()));
            }
        }
        logs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let Some(newest) = logs.last().map(|log| log.0) else { return Vec::new() };
        let input: String = logs.iter().map(|log| log.2.as_str()).collect();
        let answer = model(&input);
        if answer.contains("ghp_") {
            let names: Vec<&str> = logs.iter().map(|log| log.1.as_str()).collect();
            let entry = json!({ "quarantined_at": self.now, "pattern": "github_pat", "log_filenames": names, "max_mtime": newest });
            let mut list = quarantine.as_array().cloned().unwrap_or_default();
            list.push(entry);
            self.write(StateFile::Quarantine, &Value::Array(list));
            return Vec::new();
        }
        if answer.trim() != NOTHING {
            let memory = self.shelf.read(&inwit_testkit::name("MEMORY.md")).expect("read").bytes;
            let day = &self.now[..10];
            self.shelf.write(
                "MEMORY.md",
                [&*memory, format!("\n## Dreamed {day}\n\n{answer}").as_bytes()].concat(),
            );
        }
        self.write(StateFile::Dreamed, &json!({ "last_processed_mtime": newest, "last_run_at": self.now }));
        input.lines().map(str::to_owned).collect()
    }
}

/// Keeps every line, so that a line that is read twice is in MEMORY.md twice.
fn keep_all(input: &str) -> String {
    let facts = input.lines().filter_map(|line| Some(line.split_once("- fact ")?.1));
    facts.map(|fact| format!("- fact {fact}\n")).collect()
}

/// Proves W49, W50, W61.
#[test]
fn a_workspace_goes_back_and_forth_without_losing_or_repeating_a_log() {
    let world = world(profile("minara"), shelf_of(&[]));
    let seed = SeedProgram { shelf: &world.shelf, now: "2026-11-21T12:00:00.000Z" };
    let ours = Model::answering(|asked| {
        let logs = asked.split_once("<logs-").expect("logs").1;
        Ok(keep_all(logs))
    });
    let mut number = 0;
    for round in 0..12_u32 {
        for _ in 0..=round % 3 {
            number += 1;
            let day = 1 + number % 20;
            let at = format!("2026-11-21T{:02}:{:02}:07.{:06}Z", number / 60, number % 60, 123_456 + number);
            let name = format!("memory/2026-11-{day:02}-{number}.md");
            world.shelf.write_at(&name, format!("- fact number-{number} of day {day}\n"), &at);
        }
        if round % 2 == 0 {
            assert_ne!(seed.tick(&keep_all), Vec::<String>::new(), "{round}");
        } else {
            assert_eq!(dream_logs(&world, &ours).outcome, "appended", "{round}");
        }
    }
    let memory = world.text("MEMORY.md");
    for number in 1..=number {
        let line = format!("fact number-{number} of");
        assert_eq!(memory.matches(&line).count(), 1, "{line}: {memory}");
    }
    // A quarantine of either is respected by the other.
    let leak = ["ghp_", &"FAKE".repeat(7), "FA", "4fBzlp"].concat();
    world.shelf.write_at("memory/2026-11-20-a.md", "- fact in quarantine\n", "2026-11-21T20:00:00Z");
    let answer = format!("- {leak}");
    assert_eq!(dream_logs(&world, &Model::saying(&answer)).outcome, "pii_detected_quarantine");
    assert_eq!(seed.tick(&keep_all), Vec::<String>::new(), "ours is respected by the seed's program");
    world.shelf.write_at("memory/2026-11-20-b.md", "- fact in another\n", "2026-11-21T21:00:00Z");
    assert_eq!(seed.tick(&|_| answer.clone()), Vec::<String>::new());
    let asked = Model::saying(NOTHING);
    dream_logs(&world, &asked);
    let asked: Vec<String> =
        asked.asked().iter().map(|asked| asked[asked.find("<logs-").unwrap()..].to_owned()).collect();
    assert_eq!(asked, Vec::<String>::new(), "and theirs by inwit");
}
