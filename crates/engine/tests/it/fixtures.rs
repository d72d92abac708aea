//! The three folders of the kind people have, asked for the words that their README names.

use std::sync::Arc;

use inwit_engine::{Agent, Answer, Bounds, Search};
use inwit_model::Scope;
use inwit_testkit::{Tree, fixture, parts, room};
use inwit_workspace::FsFiles;

/// A fixture, a question, words of the passage that answers, where it stands, and for whom.
const ROWS: &[(&str, &str, &str, Option<&str>, For)] = &[
    ("2026-03", "phloroglucinol", "phloroglucinol", None, For::Nobody),
    ("2026-03", "2,150 euro", "2,150 euro", Some("MEMORY.md"), For::Main),
    ("2026-03", "catchword", "catchword", None, For::Main),
    ("2026-03", "grain direction", "grain direction", Some("AGENTS.md"), For::Everyone),
    ("2026-09", "18,400", "18,400", Some("MEMORY.md"), For::Main),
    ("2026-09", "BM-3", "BM-3", Some("AGENTS.md"), For::Everyone),
    ("2026-09", "pipistrelle", "pipistrelle", Some("memory/2026-09-05-otley-bats.md"), For::Main),
    ("crowded", "61 %", "61 %", Some("memory.md"), For::Main),
    ("crowded", "35 %", "35 %", None, For::Nobody),
    ("crowded", "moscatel", "moscatel", None, For::Main),
    ("crowded", "除湿机", "除湿机", None, For::Main),
    ("crowded", "zanahoria", "zanahoria", None, For::Nobody),
];

#[derive(PartialEq)]
enum For {
    Nobody,
    Main,
    Everyone,
}

fn shows(answer: &Answer, words: &str, place: Option<&str>) -> bool {
    answer.hits.iter().any(|hit| {
        hit.text.to_lowercase().contains(&words.to_lowercase())
            && place.is_none_or(|place| hit.name.as_str() == place)
    })
}

#[test]
fn each_word_is_found_by_whom_it_is_for_and_by_nobody_else() {
    for (generation, query, words, place, audience) in ROWS {
        let folder = fixture::openclaw(generation);
        let files = FsFiles::open(folder.path()).expect("open");
        let agent = Agent::new(parts(Arc::new(files)));
        for (scope, open) in
            [(Scope::Main, For::Main), (Scope::Shared, For::Everyone), (room("guild"), For::Everyone)]
        {
            let answer = agent
                .notes
                .search(&Search {
                    query,
                    scope: &scope,
                    limit: 20,
                    budget_chars: None,
                    bounds: Bounds::default(),
                })
                .expect("an answer");
            let expected = *audience == For::Everyone || *audience == open;
            // Beside its one shared place a word may stand in private ones too.
            let place = if expected { *place } else { None };
            assert_eq!(
                shows(&answer, words, place),
                expected,
                "{generation}: `{query}` in {scope}: {answer:#?}"
            );
        }
    }
}

#[test]
fn reading_changes_nothing_in_the_folder() {
    for generation in ["2026-03", "2026-09", "crowded"] {
        let folder = fixture::openclaw(generation);
        let before = Tree::of(folder.path());
        let agent = Agent::new(parts(Arc::new(FsFiles::open(folder.path()).expect("open"))));
        for scope in [Scope::Main, Scope::Shared, room("guild"), Scope::Subagent, Scope::Scheduled] {
            agent
                .notes
                .search(&Search {
                    query: "bread",
                    scope: &scope,
                    limit: 9,
                    budget_chars: Some(900),
                    bounds: Bounds::default(),
                })
                .expect("an answer");
            agent.sessions.prompt(&scope).expect("a prompt");
        }
        agent.status(&mut inwit_model::watch::unwatched).expect("a status");
        assert_eq!(Tree::of(folder.path()), before, "{generation}");
    }
}
