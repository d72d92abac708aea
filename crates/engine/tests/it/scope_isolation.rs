//! Non-interference: what a room or a stranger is answered depends on shared files alone.
//!
//! Two workspaces that differ only in private files give the same bytes: hits, scores, counts,
//! explanations, notices and errors. The private files may be anything, more or fewer, spoilt, seen
//! by the owner before or not, edited in between.

use std::sync::Arc;

use inwit_engine::sessions::session::Start;
use inwit_engine::{Agent, Bounds, Lines, Search};
use inwit_model::Scope;
use inwit_testkit::{Shelf, cases, parts, private::PRIVATE, room};
use proptest::prelude::*;
use proptest::sample::select;

/// Seen in the kitchen; the first three by everybody.
const SHARED: &[&str] = &[
    "SOUL.md", "AGENTS.md", "IDENTITY.md", "rooms/kitchen.md", "memory/rooms/kitchen/2026-11-20.md",
    "memory/rooms/kitchen/2026-11-21.md", "memory/rooms/kitchen/plans.md",
];

const WORDS: &[&str] = &[
    "bread", "rye", "oven", "Ana", "Tomás", "Friday", "2026-11-20", "caraway", "loaf?", "当归", "面包",
    "the", "of",
];

const QUESTIONS: &[&str] = &[
    "bread", "rye bread of Ana", "when is Friday", "Ana Tomás", "面包", "what was on 2026-11-20",
    "oven loaf caraway", "the of", "zeppelin", "?!", "",
];

/// A file: which of the names, its text, whether it can be read.
type Page = (usize, String, bool);

fn line() -> impl Strategy<Value = String> {
    let words = prop::collection::vec(select(WORDS), 1..6).prop_map(|words| words.join(" "));
    (
        select(&["- ", "- Ana: ", "- Tomás: ", "## ", "", "> ", "- \u{1b}[2J", "\n"][..]),
        words,
        select(&["\n", "\r\n"][..]),
    )
        .prop_map(|(mark, words, end)| format!("{mark}{words}{end}"))
}

fn pages(names: usize) -> impl Strategy<Value = Vec<Page>> {
    let text = prop::collection::vec(line(), 0..8).prop_map(|lines| lines.concat());
    prop::collection::vec((0..names, text, prop::bool::weighted(0.9)), 0..8)
}

struct World {
    shelf: Arc<Shelf>,
    agent: Agent,
}

impl World {
    fn of(shared: &[Page]) -> Self {
        let shelf = Arc::new(Shelf::default());
        let world = Self { agent: Agent::new(parts(Arc::clone(&shelf) as _)), shelf };
        world.lay(SHARED, shared);
        world
    }

    fn lay(&self, names: &[&str], pages: &[Page]) {
        for (at, text, readable) in pages {
            self.shelf.write(names[*at], text);
            if *readable { self.shelf.mend(names[*at]) } else { self.shelf.spoil(names[*at]) }
        }
    }

    /// Everything that comes back, to the last digit.
    fn hears(&self, scope: &Scope, query: &str, budget_chars: Option<usize>) -> String {
        let answer = self.agent.notes.search(&Search {
            query,
            scope,
            limit: 5,
            budget_chars,
            bounds: Bounds::default(),
        });
        format!("{answer:?}")
    }

    /// The prompt with its report, and what trying to read each private file brings.
    fn is_shown(&self, scope: &Scope) -> String {
        let get = |name: &&str| format!("{:?}", self.agent.notes.get(scope, name, Lines::default()));
        let got: Vec<String> = PRIVATE.iter().map(get).collect();
        format!("{:?} {got:?}", self.agent.sessions.prompt(scope))
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(64, 256) as u32, failure_persistence: None, ..ProptestConfig::default() })]

    /// Proves I1, X21, X23.
    #[test]
    fn private_files_change_no_byte_of_what_others_are_answered(
        shared in pages(SHARED.len()),
        private in pages(PRIVATE.len()),
        other in pages(PRIVATE.len()),
        later in pages(PRIVATE.len()),
        questions in prop::collection::vec(select(QUESTIONS), 3),
        budget in prop::option::of(10..200usize),
        owner_first in any::<bool>(),
    ) {
        let left = World::of(&shared);
        left.lay(PRIVATE, &private);
        let right = World::of(&[]);
        right.lay(PRIVATE, &other);
        right.lay(SHARED, &shared);
        if owner_first {
            let _ = right.hears(&Scope::Main, questions[0], None);
        }
        for scope in [room("kitchen"), Scope::Shared] {
            for query in &questions {
                prop_assert_eq!(left.hears(&scope, query, budget), right.hears(&scope, query, budget));
            }
            prop_assert_eq!(left.is_shown(&scope), right.is_shown(&scope));
            right.lay(PRIVATE, &later);
            let _ = right.hears(&Scope::Main, questions[1], None);
            prop_assert_eq!(left.hears(&scope, questions[2], None), right.hears(&scope, questions[2], None));
        }
        // What only the kitchen sees is private to the stranger.
        let bare: Vec<Page> = shared.into_iter().filter(|(at, ..)| *at < 3).collect();
        let stranger = World::of(&bare);
        for query in &questions {
            prop_assert_eq!(left.hears(&Scope::Shared, query, None), stranger.hears(&Scope::Shared, query, None));
        }
    }
}

/// The property above would hold of a search that never finds anything.
#[test]
fn what_is_shared_is_found_among_private_files() {
    let world = World::of(&[(3, "- Ana: rye bread\n".into(), true)]);
    world.lay(PRIVATE, &(0..PRIVATE.len()).map(|at| (at, "- rye bread\n".into(), true)).collect::<Vec<_>>());
    let heard = world.hears(&room("kitchen"), "bread", None);
    assert!(heard.contains("Ana: rye bread") && heard.contains("passages: 1"), "{heard}");
    assert!(world.hears(&Scope::Main, "bread", None).contains("memory/2026-"), "private logs, newest first");
}

/// A home whose owner keeps things, holds sessions and ends them.
fn busy() -> crate::world::World {
    let world = quiet();
    let id = world.starts();
    let wishes = vec![crate::world::remember("Ana likes rye"), crate::world::put("notes/a.md", "- x\n")];
    world.says(&id, "We bake on Friday.", "Yes.", wishes);
    world.agent.sessions.session_end(&id).expect("ended");
    let id = world.starts();
    world.says(&id, "We eat on Saturday.", "Yes.", vec![crate::world::remember("Ana likes oats")]);
    world
}

/// A home whose owner does nothing.
fn quiet() -> crate::world::World {
    let shelf = Shelf::default();
    shelf.write("SOUL.md", "I am Ada.\n");
    shelf.write("rooms/kitchen.md", "- The kitchen bakes rye bread.\n");
    crate::world::world(crate::profile("personal"), shelf)
}

/// Proves I1, X21.
#[test]
fn what_the_owner_keeps_and_says_changes_no_answer_to_a_session_of_a_room() {
    if !inwit_testkit::has_git() {
        return;
    }
    let heard = [quiet(), busy()].map(|world| {
        let start = Start { scope: room("kitchen"), ..crate::sessions::start_of("k-1") };
        let began = world.agent.sessions.session_start(&start).expect("a session");
        let shown = (began.prefix, began.user_prefix, began.tail, began.waiting, began.session.turns);
        let id = began.session.start.id;
        let turned =
            world.says(&id, "The oven is warm.", "Good.", vec![crate::world::remember("The oven is warm")]);
        let wishes = crate::world::words(&turned);
        let ended = world.agent.sessions.session_end(&id).expect("ended");
        (shown, wishes, ended.journal.is_some(), format!("{:?}", ended.flushed), ended.notices)
    });
    assert_eq!(heard[0], heard[1]);
}

/// A name that another scope's session has is refused to a room in one sentence, whatever that session is and did.
///
/// Proves I1.
#[test]
fn of_a_session_that_is_not_its_own_a_room_learns_only_that_the_name_is_taken() {
    let garden = Start { scope: room("garden"), ..crate::sessions::start_of("chat") };
    let heard = [crate::sessions::start_of("chat"), garden].map(|others| {
        [false, true].map(|has_ended| {
            let world = quiet();
            let id = world.agent.sessions.session_start(&others).expect("a session").session.start.id;
            world.says(&id, "My test came back positive.", "I see.", Vec::new());
            if has_ended {
                world.agent.sessions.session_end(&id).expect("ended");
            }
            let start = Start { scope: room("kitchen"), ..crate::sessions::start_of("chat") };
            let error = world.agent.sessions.session_start(&start).expect_err("the name is taken");
            (error.code, error.message)
        })
    });
    let taken = &heard[0][0];
    assert!(heard.iter().flatten().all(|one| one == taken), "{heard:?}");
    assert!(!taken.1.contains("garden") && !taken.1.contains("scope"), "{taken:?}");
}
