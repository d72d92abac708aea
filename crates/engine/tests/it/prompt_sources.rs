//! A prompt is made of the files and of nothing else, and each block says which bytes it comes from.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use inwit_engine::notes::get;
use inwit_engine::{AgentPorts, Bounds, Lines, Search};
use inwit_model::ports::{Content, FileWrite, Folder, Listing, Staged, StateFile, Written};
use inwit_model::{FileError, Files, SafeName, Scope, Sha256, Stamp};
use inwit_testkit::{Chance, FakeClock, Shelf, fixture, parts, room};

use crate::prompt_contents::EVERYTHING;
use crate::{PROFILES, agent, profile, whole};

/// Proves W2, R63, C12.
#[test]
fn every_line_of_a_prompt_is_a_line_of_a_file_a_heading_or_the_date() {
    let files = fixture::files(EVERYTHING);
    let lines: BTreeSet<&str> =
        files.iter().flat_map(|file| std::str::from_utf8(&file.bytes).expect("text").lines()).collect();
    let ours = |line: &str| line.is_empty() || line.starts_with("# ") || line.starts_with("## ");
    for name in PROFILES.into_iter().filter(|name| *name != "nexo") {
        let agent = agent(profile(name), Arc::new(Shelf::of(EVERYTHING)));
        let text = whole(&agent.sessions.prompt(&Scope::Main).expect("a prompt"));
        let is_quotation = |line: &str| {
            line.starts_with("[Untrusted daily memory: ")
                || ["BEGIN_QUOTED_NOTES", "END_QUOTED_NOTES", "```text", "```"].contains(&line)
        };
        let quotes = text.lines().filter(|line| is_quotation(line)).count();
        assert_eq!(quotes, if name == "openclaw" { 3 * 5 } else { 0 }, "{name}");
        let made: Vec<&str> =
            text.lines().filter(|line| !ours(line) && !lines.contains(line) && !is_quotation(line)).collect();
        let skills = profile(name).order.iter().any(|block| block.word() == "skills");
        let catalogue = skills.then_some("- bread: skillword (skills/bread/SKILL.md)");
        let expected: Vec<&str> =
            catalogue.into_iter().chain(["Today is Saturday, 21 November 2026 (UTC)."]).collect();
        assert_eq!(made, expected, "{name}");
        assert!(text.contains("soulword") && text.contains("agentsword"), "{name}");
    }
}

/// Proves C18, C11, C1.
#[test]
fn a_file_is_got_by_its_path_to_the_byte_though_the_prompt_shows_it_otherwise() {
    let bytes: &[u8] = b"\xEF\xBB\xBF\r\n# Mine\r\n\r\n- Likes rye. <!-- importance: 9 -->\r\n- \xFF\r\n\r\n";
    let shelf = Arc::new(Shelf::default());
    let paths = ["MEMORY.md", "USER.md", "memory/2026-11-21.md", "memory/topics/bread.md", "TOOLS.md"];
    paths.iter().for_each(|path| shelf.write(path, bytes));
    let agent = agent(profile("personal"), shelf);
    let prompt = agent.sessions.prompt(&Scope::Main).expect("a prompt");
    for path in paths {
        let excerpt = agent.notes.get(&Scope::Main, path, Lines::default()).expect(path);
        assert_eq!((excerpt.content.as_slice(), excerpt.sha256), (bytes, Sha256::of(bytes)), "{path}");
        let block = prompt
            .blocks
            .iter()
            .find(|block| block.source.as_ref().is_some_and(|name| name.as_str() == path));
        assert_eq!(block.is_none(), path.contains("topics"), "{path}");
        if let Some(block) = block {
            assert_eq!(block.source_sha256, Sha256::of(bytes), "{path}");
            assert!(block.text.ends_with("# Mine\r\n\r\n- Likes rye.\r\n- \u{FFFD}"), "{:?}", block.text);
        }
    }
    // What a search cites can be got.
    let search =
        Search { query: "rye", scope: &Scope::Main, limit: 9, budget_chars: None, bounds: Bounds::default() };
    let mut hits = agent.notes.search(&search).expect("an answer").hits;
    hits.retain(|hit| hit.text.contains("rye"));
    assert_eq!(hits.len(), paths.len());
    for hit in hits {
        let cited = format!("{}#L{}-L{}", hit.name, hit.first_line, hit.last_line);
        let (path, lines) = get::parse_address(&cited).expect("an address");
        let excerpt = agent.notes.get(&Scope::Main, &path, lines).expect("the lines");
        assert!(String::from_utf8_lossy(&excerpt.content).contains("Likes rye."), "{cited}");
    }
}

/// Proves I6, R73.
#[test]
fn the_prefix_is_the_same_bytes_in_any_order_of_making_at_any_hour_however_often_it_is_asked_for() {
    let mut pages = fixture::files(EVERYTHING);
    for name in PROFILES {
        for scope in [Scope::Main, room("kitchen"), Scope::Shared, Scope::Subagent, Scope::Scheduled] {
            let mut seen = BTreeSet::new();
            for seed in 0..6 {
                let mut chance = Chance::of(seed);
                chance.shuffle(&mut pages);
                let shelf = Arc::new(Shelf::default());
                // What was there for a while and went leaves no trace.
                shelf.write("memory/2026-11-21-gone.md", "gone");
                pages.iter().for_each(|page| shelf.write(&page.name, &page.bytes));
                shelf.remove("memory/2026-11-21-gone.md");
                let hour = format!("2026-11-21T{:02}:{:02}:59Z", chance.below(24), chance.below(60));
                let clock = Arc::new(FakeClock::at(&hour));
                let agent =
                    inwit_engine::Agent::new(AgentPorts { clock, profile: profile(name), ..parts(shelf) });
                for turn in 0..3 {
                    seen.insert(format!("{:?}", agent.sessions.prompt(&scope).expect("a prompt")));
                    let query = ["olderword", "kitchenword", "soulword"][turn];
                    let _ = agent.notes.search(&Search {
                        query,
                        scope: &scope,
                        limit: 9,
                        budget_chars: None,
                        bounds: Bounds::default(),
                    });
                }
            }
            assert_eq!(seen.len(), 1, "{name}, {scope}");
        }
    }
}

/// Counts what is read.
#[derive(Default)]
struct Counted {
    shelf: Shelf,
    read: Mutex<Vec<String>>,
}

impl Files for Counted {
    fn list(&self, folders: &[Folder]) -> Result<Listing, FileError> {
        self.shelf.list(folders)
    }

    fn read(&self, name: &SafeName) -> Result<Content, FileError> {
        self.read.lock().expect("not poisoned").push(name.to_string());
        self.shelf.read(name)
    }

    fn stamp(&self, name: &SafeName) -> Result<Option<Stamp>, FileError> {
        self.shelf.stamp(name)
    }

    fn create(&self, name: &SafeName, bytes: &[u8]) -> Result<(), FileError> {
        self.shelf.create(name, bytes)
    }

    fn read_state(&self, which: StateFile) -> Result<Option<Vec<u8>>, FileError> {
        self.shelf.read_state(which)
    }

    fn write_state(&self, which: StateFile, bytes: Option<&[u8]>) -> Result<(), FileError> {
        self.shelf.write_state(which, bytes)
    }

    fn write(&self, write: &FileWrite<'_>, staged: &mut Staged<'_>) -> Result<Written, FileError> {
        Files::write(&self.shelf, write, staged)
    }
}

/// An answer is held against its file, which is why the file that answers is looked at once more.
#[test]
fn a_search_reads_a_file_once_and_again_only_when_it_answers_or_was_written() {
    let files = Arc::new(Counted::default());
    files.shelf.write("MEMORY.md", "- Likes rye.\n");
    files.shelf.write("USER.md", "- Likes oats.\n");
    let agent = agent(profile("mindroom"), Arc::clone(&files) as _);
    let names = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
    let found_and_read = |query: &str| {
        let search =
            Search { query, scope: &Scope::Main, limit: 9, budget_chars: None, bounds: Bounds::default() };
        let found = agent.notes.search(&search).expect("an answer").hits.len();
        (found, std::mem::take(&mut *files.read.lock().expect("not poisoned")))
    };
    assert_eq!(found_and_read("rye"), (1, names(&["MEMORY.md", "USER.md", "MEMORY.md"])));
    assert_eq!(found_and_read("oats"), (1, names(&["USER.md"])));
    files.shelf.write("MEMORY.md", "- Likes emmer.\n");
    assert_eq!(found_and_read("emmer"), (1, names(&["MEMORY.md", "MEMORY.md"])));
    assert_eq!(found_and_read("rye"), (0, Vec::new()));
}
