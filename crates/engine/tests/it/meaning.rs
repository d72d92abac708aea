//! Search by meaning: it finds what no word says, and takes nothing from what words find.

mod filling;
mod models;

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use inwit_engine::notes::meaning::EMBED_BATCH_TEXTS;
use inwit_engine::{Agent, AgentDeps, AgentPorts, Answer, CheckId, MEANING_UNUSED, Meaning, Search};
use inwit_model::watch::unwatched;
use inwit_model::{Code, EmbedError, Embedder, Scope};
use inwit_store::{EMBED_TRIES_MAX, Embeddings};
use inwit_store_sqlite::SqliteEmbeddings;
use inwit_testkit::meaning::FakeEmbedder;
use inwit_testkit::{Shelf, keeping, parts, room};

use crate::doctor::Plain;

const NOTES: &str = "# Notes\n\n- The cat sleeps on the warm stove.\n\n## Errands\n\n- Buy flour and yeast.\n\n## Garden\n\n- The tomatoes want water.\n";

/// Words that mean the same to the model of these tests.
const GROUPS: &[&str] =
    &["cat kitten pet feline", "flour yeast bread groceries", "tomatoes garden vegetables"];

struct Home {
    agent: Agent,
    shelf: Arc<Shelf>,
    model: Arc<FakeEmbedder>,
}

fn home() -> Home {
    home_with(&[FakeEmbedder::of("one", GROUPS)])
}

fn home_with(models: &[FakeEmbedder]) -> Home {
    let models = models.iter().map(|model| Arc::new(model.like())).collect::<Vec<_>>();
    let shelf = Arc::new(Shelf::default());
    shelf.write("MEMORY.md", NOTES);
    let agent = agent(&shelf, &models);
    Home { agent, shelf, model: Arc::clone(&models[0]) }
}

fn agent(shelf: &Arc<Shelf>, models: &[Arc<FakeEmbedder>]) -> Agent {
    let embedders = models.iter().map(|model| Arc::clone(model) as Arc<dyn Embedder>).collect();
    let open = || SqliteEmbeddings::in_memory().map(|cache| Box::new(cache) as Box<dyn Embeddings>);
    let keeping = AgentDeps { meaning: Some(Meaning::new(embedders, Box::new(open))), ..keeping() };
    Agent::new(AgentPorts { keeping, ..parts(Arc::clone(shelf) as _) })
}

impl Home {
    fn asks(&self, query: &str) -> Answer {
        self.asks_in(&Scope::Main, query)
    }

    fn asks_in(&self, scope: &Scope, query: &str) -> Answer {
        self.agent
            .notes
            .search(&Search {
                query,
                scope,
                limit: 10,
                budget_chars: None,
                bounds: inwit_engine::Bounds::default(),
            })
            .expect("an answer")
    }

    fn fills(&self) -> inwit_engine::EmbedReport {
        self.agent.notes.embed(&Scope::Main, None, &mut unwatched).expect("filled")
    }
}

fn codes(answer: &Answer) -> Vec<&str> {
    answer.notices.iter().map(|notice| notice.code).collect()
}

fn first(answer: &Answer) -> &str {
    answer.hits.first().map_or("nothing", |hit| hit.text.as_str())
}

#[test]
fn what_no_word_says_is_found_by_its_meaning_and_the_parts_add_up() {
    let home = home();
    let before = home.asks("where is my kitten");
    assert!(before.hits.is_empty() && before.nothing_near, "{before:?}");
    assert_eq!(codes(&before), ["embeddings_pending"]);

    assert_eq!(home.fills().embedded, 3);
    let after = home.asks("where is my kitten");
    assert_eq!(first(&after), "- The cat sleeps on the warm stove.");
    assert_eq!((after.model.as_deref(), after.nothing_near), (Some("one"), false));
    assert_eq!(after.nearest, Some(1.0));
    let parts = after.hits[0].parts;
    assert_eq!((parts.words, parts.sum()), (0.0, parts.meaning));
    assert!(codes(&after).is_empty(), "{after:?}");
}

#[test]
fn a_question_that_nothing_is_near_to_still_says_so() {
    let home = home();
    home.fills();
    assert!(home.asks("zeppelin moorage").nothing_near);
}

/// Why a model is not at hand may tell that somebody asked in private, and where the provider is: that is the owner's.
#[test]
fn nobody_but_the_owner_is_told_why_meaning_is_not_at_hand() {
    let shelf = Arc::new(Shelf::default());
    shelf.write("memory/rooms/kitchen/2026-11-20.md", "- Flour for the kitchen.\n");
    let models = ["one", "two"].map(|name| Arc::new(FakeEmbedder::of(name, GROUPS)));
    models.iter().for_each(|model| model.refuse(Some("")));
    let home = Home { agent: agent(&shelf, &models), shelf, model: Arc::clone(&models[0]) };
    let told = |scope: &Scope| {
        let notices = home.asks_in(scope, "flour").notices;
        let unused = notices.into_iter().filter(|notice| notice.code == MEANING_UNUSED);
        unused.map(|notice| (notice.message, notice.hint)).collect::<Vec<_>>()
    };
    let owner = told(&Scope::Main);
    assert!(owner[0].0.contains("one does not answer"), "{owner:?}");
    for scope in [room("kitchen"), Scope::Shared, Scope::Subagent, Scope::Scheduled] {
        let told = told(&scope);
        assert_eq!(told.len(), 1, "{scope}: {told:?}");
        assert_eq!(told[0].0, "Search used words only: the embedding model is not available.", "{scope}");
        assert_ne!(told[0].1, owner[0].1, "{scope}: the hint names no kind of failure");
    }
}

#[test]
fn status_and_doctor_tell_how_far_meaning_is_and_what_is_wrong_with_it() {
    let found = |home: &Home| {
        let findings = home.agent.doctor(&Plain, &mut unwatched).expect("looked");
        let of_meaning = findings.iter().map(|finding| finding.check.spec().name);
        of_meaning
            .filter(|name| name.starts_with("vectors_") || name.starts_with("model_"))
            .collect::<Vec<_>>()
    };
    let state = |home: &Home| {
        let state = home.agent.status(&mut unwatched).expect("told").meaning.expect("a model");
        (state.model, state.readable, state.waiting, state.refused.len())
    };
    let home = home();
    assert_eq!(state(&home), ("one".to_owned(), 3, Some(3), 0));
    assert_eq!(found(&home), ["vectors_waiting"]);
    home.model.refuse(Some("yeast"));
    for _ in 0..EMBED_TRIES_MAX {
        home.fills();
    }
    assert_eq!(state(&home), ("one".to_owned(), 3, Some(0), 1));
    assert_eq!(found(&home), ["vectors_refused"]);
    home.model.refuse(Some(""));
    assert_eq!(found(&home), ["model_unusable", "vectors_refused"]);

    let words = Agent::new(parts(Arc::clone(&home.shelf) as _));
    assert_eq!(words.status(&mut unwatched).expect("told").meaning, None);
}

/// Proves C8, C7.
#[test]
fn a_line_that_changed_is_found_by_its_new_meaning_and_one_that_is_gone_by_none() {
    let home = home();
    let is_found =
        |words: &str, query: &str| home.asks(query).hits.iter().any(|hit| hit.text.contains(words));
    home.shelf.write("memory/2026-11-20.md", "- The dog guards the shed.\n");
    home.fills();
    assert!(is_found("cat sleeps", "where is my kitten"));
    home.shelf.write("MEMORY.md", NOTES.replace("cat sleeps on the warm stove", "bread cools on the stove"));
    assert!(!is_found("stove", "where is my kitten"), "the old meaning is that of no line any more");
    home.fills();
    assert!(is_found("bread cools", "groceries"));
    assert!(!is_found("stove", "where is my kitten"));
    home.shelf.remove("MEMORY.md");
    assert!(home.asks("groceries").hits.is_empty());
    home.fills();
    assert!(home.asks("groceries").hits.is_empty());
    home.shelf.write("MEMORY.md", NOTES);
    home.fills();
    assert!(is_found("cat sleeps", "where is my kitten"), "a file that came back");
}

#[test]
fn only_what_changed_is_embedded_again() {
    let home = home();
    home.fills();
    let texts = home.model.texts();
    assert_eq!(home.fills().embedded, 0);
    home.shelf.write("MEMORY.md", NOTES.replace("tomatoes want", "tomatoes had"));
    let report = home.fills();
    assert_eq!((report.embedded, report.waiting), (1, 0));
    assert_eq!(home.model.texts(), texts + 1);
}

/// Passages of private files, of a room and facts have their vectors in one file, by model, and filling, asking and
/// pruning one kind leaves the others whole.
///
#[test]
fn vectors_of_every_kind_of_text_lie_in_one_store() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("embeddings.db");
    let shelf = Arc::new(Shelf::default());
    shelf.write("MEMORY.md", NOTES);
    shelf.write("rooms/kitchen.md", "# Kitchen\n\n- The pet eats bread.\n");
    let at = path.clone();
    let open = move || SqliteEmbeddings::open(&at).map(|(cache, _)| Box::new(cache) as Box<dyn Embeddings>);
    let model = Arc::new(FakeEmbedder::of("one", GROUPS));
    let meaning = Meaning::new(vec![Arc::clone(&model) as Arc<dyn Embedder>], Box::new(open));
    let agent = Agent::new(AgentPorts {
        keeping: AgentDeps { meaning: Some(meaning), ..keeping() },
        ..parts(shelf as _)
    });
    let fact = inwit_engine::facts::NewFact { text: "The kitten likes the garden", ..Default::default() };
    #[expect(clippy::disallowed_methods, reason = "a test says who is there")]
    let owner = inwit_gate::Author::owner(&inwit_gate::HumanConsent::at_own_terminal());
    agent.facts.fact_add(&fact, &inwit_engine::WriteContext::of(owner)).expect("kept");
    for scope in agent.notes.searched_scopes().expect("scopes") {
        agent.notes.embed(&scope, None, &mut unwatched).expect("filled");
    }
    assert_eq!(agent.facts.fill_fact_vectors(None, &mut |_| {}).expect("filled").embedded, 1);
    agent.prune_vectors().expect("pruned");
    agent.facts.prune_fact_vectors().expect("pruned");
    let kept = |name: &str| {
        let (mut cache, _) = SqliteEmbeddings::open(&path).expect("the one store");
        cache
            .counts(&inwit_store::ModelKey { name: name.into(), dimension: model.dimension() })
            .expect("counts")
    };
    assert_eq!(
        (kept("one").embedded, kept("facts/one").embedded),
        (5, 1),
        "the owner's four, the room's one"
    );
    let asks = |scope: &Scope, query: &str| {
        let bounds = inwit_engine::Bounds::default();
        let search = Search { query, scope, limit: 1, budget_chars: None, bounds };
        agent.notes.search(&search).expect("an answer").hits.remove(0).text
    };
    assert_eq!(asks(&Scope::Main, "vegetables"), "- The tomatoes want water.");
    assert_eq!(asks(&room("kitchen"), "my feline"), "- The pet eats bread.");
    let facts = agent.facts.search_facts(&Scope::Main, "my feline", &inwit_model::fact::When::default(), 9);
    assert_eq!(facts.expect("an answer").facts[0].text.content, "The kitten likes the garden");
    let stores = std::fs::read_dir(folder.path()).expect("a folder").filter_map(Result::ok);
    let stores = stores.filter(|file| file.path().extension().is_some_and(|kind| kind == "db"));
    assert_eq!(stores.count(), 1);
}

/// A room's own passages have no vector yet; that private files hold the same words, embedded, changes nothing.
#[test]
fn a_room_is_not_told_what_private_files_were_embedded() {
    let twin = |private: &str| {
        let home = home();
        home.shelf.write("MEMORY.md", private);
        home.shelf.write("rooms/kitchen.md", "# Kitchen\n\n- The cat sleeps on the warm stove.\n");
        home.fills();
        let answer = home.asks_in(&room("kitchen"), "where is my kitten");
        format!("{answer:?}")
    };
    let (with, without) = (twin(NOTES), twin("# Notes\n\n- Nothing of that kind.\n"));
    assert_eq!(with, without);
    assert!(with.contains("embeddings_pending"), "{with}");
}

/// A new model was at work on private files in one home and not in the other; the room has vectors of the old one.
#[test]
fn a_room_is_not_told_which_model_private_files_were_embedded_by() {
    let kitchen = room("kitchen");
    let answered = |private_too: bool| {
        let shelf = Arc::new(Shelf::default());
        shelf.write("MEMORY.md", NOTES);
        shelf.write("rooms/kitchen.md", "# Kitchen\n\n- The cat sleeps on the warm stove.\n");
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("embeddings.db");
        let with = |names: &[&str]| {
            let path = path.clone();
            let open = move || {
                SqliteEmbeddings::open(&path).map(|(cache, _)| Box::new(cache) as Box<dyn Embeddings>)
            };
            let model = |name: &&str| Arc::new(FakeEmbedder::of(name, GROUPS)) as Arc<dyn Embedder>;
            let meaning = Meaning::new(names.iter().map(model).collect(), Box::new(open));
            let keeping = AgentDeps { meaning: Some(meaning), ..keeping() };
            Agent::new(AgentPorts { keeping, ..parts(Arc::clone(&shelf) as _) })
        };
        with(&["old"]).notes.embed(&kitchen, None, &mut unwatched).expect("filled");
        if private_too {
            with(&["new"]).notes.embed(&Scope::Main, None, &mut unwatched).expect("filled");
        }
        let search = Search {
            query: "kitten",
            scope: &kitchen,
            limit: 10,
            budget_chars: None,
            bounds: Default::default(),
        };
        format!("{:?}", with(&["new", "old"]).notes.search(&search).expect("an answer"))
    };
    let (with, without) = (answered(true), answered(false));
    assert_eq!(with, without);
    assert!(with.contains("The cat sleeps"), "{with}");
}

#[test]
fn a_damaged_cache_is_made_anew_and_filled_again() {
    let home = home();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("embeddings.db");
    let opened = || {
        let path = path.clone();
        let open =
            move || SqliteEmbeddings::open(&path).map(|(cache, _)| Box::new(cache) as Box<dyn Embeddings>);
        let meaning = Meaning::new(vec![Arc::clone(&home.model) as Arc<dyn Embedder>], Box::new(open));
        let keeping = AgentDeps { meaning: Some(meaning), ..keeping() };
        Agent::new(AgentPorts { keeping, ..parts(Arc::clone(&home.shelf) as _) })
    };
    let fill =
        |agent: &Agent| agent.notes.embed(&Scope::Main, None, &mut unwatched).expect("filled").embedded;
    let ask = |agent: &Agent, query: &str| {
        let search = Search {
            query,
            scope: &Scope::Main,
            limit: 10,
            budget_chars: None,
            bounds: inwit_engine::Bounds::default(),
        };
        agent.notes.search(&search).expect("an answer")
    };
    assert_eq!(fill(&opened()), 3);
    let length = std::fs::metadata(&path).expect("a file").len() as usize;
    inwit_testkit::fixture::put(folder.path(), "embeddings.db", &vec![0x5a; length]);
    let agent = opened();
    let answer = ask(&agent, "flour");
    assert_eq!(first(&answer), "- Buy flour and yeast.");
    assert_eq!(codes(&answer), ["vectors_were_damaged", "embeddings_pending"]);
    assert_eq!(fill(&agent), 3);
    assert_eq!(first(&ask(&agent, "kitten")), "- The cat sleeps on the warm stove.");
}

/// Two that mean the same in other words are alike by their vectors, and not by their words.
#[test]
fn diversity_goes_by_meaning_where_every_candidate_has_a_vector() {
    let home = home();
    home.shelf.write(
        "MEMORY.md",
        "- The cat eats fish on Friday.\n\n# B\n\n- A feline ate salmon.\n\n# C\n\n- The kitten chased tomatoes.\n",
    );
    let asks = |percent| {
        let bounds = inwit_engine::Bounds { diverse_percent: Some(percent), ..Default::default() };
        let search = Search { query: "cat", scope: &Scope::Main, limit: 3, budget_chars: None, bounds };
        home.agent.notes.search(&search).expect("an answer")
    };
    assert_eq!(asks(50).diversity.map(|told| told.by), Some("words"), "nothing has a vector yet");
    home.fills();
    let (plain, apart) = (asks(100), asks(30));
    assert_eq!(apart.diversity.map(|told| told.by), Some("meaning"));
    let texts = |answer: &Answer| answer.hits.iter().map(|hit| hit.text.clone()).collect::<Vec<_>>();
    assert_eq!(texts(&plain)[0], texts(&apart)[0]);
    assert!(texts(&plain)[1].contains("feline"), "{:?}", texts(&plain));
    assert!(texts(&apart)[1].contains("tomatoes"), "the same animal comes later: {:?}", texts(&apart));
    home.model.refuse(Some(""));
    assert_eq!(asks(30).diversity.map(|told| told.by), Some("words"), "a model that fails leaves words");
}

/// A home that was carried to another machine, or back to an older program: the rows answer, doctor says so, and a fill
/// by hand writes the file anew.
#[test]
fn a_file_of_vectors_of_another_machine_is_told_and_written_anew() {
    const ROWS: usize = 1_100;
    let shelf = Arc::new(Shelf::default());
    shelf.write("MEMORY.md", (0..ROWS).map(|at| format!("- Tomato {at} wants water.\n")).collect::<String>());
    shelf.write("memory/2026-11-20.md", "- The kitten sleeps.\n");
    let model = Arc::new(FakeEmbedder::of("small", GROUPS));
    let folder = tempfile::tempdir().expect("a folder");
    let agent = || {
        let path = folder.path().join("embeddings.db");
        let open =
            move || SqliteEmbeddings::open(&path).map(|(cache, _)| Box::new(cache) as Box<dyn Embeddings>);
        let meaning = Meaning::new(vec![Arc::clone(&model) as Arc<dyn Embedder>], Box::new(open));
        let keeping = AgentDeps { meaning: Some(meaning), ..keeping() };
        Agent::new(AgentPorts { keeping, ..parts(Arc::clone(&shelf) as _) })
    };
    let fill =
        |agent: &Agent| agent.notes.embed(&Scope::Main, None, &mut unwatched).expect("filled").embedded;
    let slow = |agent: &Agent| crate::doctor::found(agent, CheckId::VectorsSlow);
    let ask = |agent: &Agent| {
        let search = Search {
            query: "feline",
            scope: &Scope::Main,
            limit: 1,
            budget_chars: None,
            bounds: inwit_engine::Bounds::default(),
        };
        first(&agent.notes.search(&search).expect("an answer")).to_owned()
    };
    assert_eq!((fill(&agent()), slow(&agent())), (ROWS + 1, Vec::new()));
    for (at, says) in [(8, "orders bytes the other way"), (12, "has version")] {
        let files = std::fs::read_dir(folder.path()).expect("files").filter_map(Result::ok);
        let mut files = files.filter(|file| file.path().extension().is_some_and(|end| end == "i8"));
        let file = files.next().expect("a file of vectors").path();
        let mut bytes = std::fs::read(&file).expect("read");
        bytes[at..at + 4].reverse();
        let name = file.file_name().and_then(|name| name.to_str()).expect("a name");
        inwit_testkit::fixture::put(folder.path(), name, &bytes);
        let agent = agent();
        let told = slow(&agent);
        assert!(told.len() == 1 && told[0].contains(says), "{told:?}");
        assert_eq!(ask(&agent), "- The kitten sleeps.");
        assert_eq!((fill(&agent), slow(&agent)), (0, Vec::new()), "written anew");
        assert_eq!(ask(&agent), "- The kitten sleeps.");
    }
}
