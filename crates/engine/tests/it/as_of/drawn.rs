//! Drawn changes: the past answers what the files of then would have answered, and a room what a room saw.

use super::*;

/// Files of a moment, by name.
type Stood = BTreeMap<String, String>;

const FILES: &[&str] = &[
    "MEMORY.md", "SOUL.md", "notes/oven.md", "memory/2026-05-01.md", "memory/2026-05-02.md",
    "rooms/kitchen.md", "memory/rooms/kitchen/2026-05-01.md",
];

const ROOMS: &[&str] = &["rooms/kitchen.md", "memory/rooms/kitchen/2026-05-01.md", "SOUL.md"];

const LINES: &[&str] = &[
    "- Ana bakes rye bread.", "- The oven is from Lyon.", "- Tomás likes oat bread.", "- 面包 in the oven",
    "- Ana moved to Lima on Friday.", "- Bread at seven, tea at four.",
];

const WORDS: &[&str] = &["bread", "oven", "Ana", "面包", "Friday", "zeppelin"];

/// A page of some of the lines, each once.
fn page(chance: &mut Chance) -> String {
    let picked = LINES.iter().filter(|_| chance.coin()).map(|line| format!("{line}\n"));
    picked.collect::<Vec<_>>().concat() + "- Always.\n"
}

/// Changes one file by chance, and gives its name.
fn change(world: &World, chance: &mut Chance, files: &[&str], stood: &mut Stood) -> String {
    let file = (*chance.pick(files)).to_owned();
    let is_soul = file == "SOUL.md";
    if stood.contains_key(&file) && !is_soul && chance.below(4) == 0 {
        let text = stood.remove(&file).expect("there");
        leaves(world, &file, None);
        // A page that gets another name.
        let other = "notes/moved.md";
        if chance.coin() && file.starts_with("notes/") {
            leaves(world, other, Some(&text));
            stood.insert(other.to_owned(), text);
        }
    } else {
        let text = page(chance);
        leaves(world, &file, Some(&text));
        stood.insert(file.clone(), text);
    }
    file
}

/// What an agent that only ever had these files answers at `moment`.
fn oracle(stood: &Stood, moment: Timestamp) -> Agent {
    let files = MemFiles::new();
    stood.iter().for_each(|(file, text)| files.put(&name(file), text.as_bytes()));
    let clock = Arc::new(FakeClock::at(&moment.to_string()));
    Agent::new(AgentPorts { clock: clock as Arc<dyn Clock>, ..parts(Arc::new(files) as Arc<dyn Files>) })
}

/// An answer without what only history knows.
fn bare(mut answer: Answer) -> String {
    answer.hits.iter_mut().for_each(|hit| hit.seen = None);
    format!("{answer:?}")
}

/// Since and until, from what stood: the naive way.
fn naive(
    states: &[(Timestamp, Stood)],
    at: usize,
    file: &SafeName,
    line: &str,
) -> (Timestamp, Option<Timestamp>) {
    let has =
        |at: usize| states[at].1.get(file.as_str()).is_some_and(|text| text.lines().any(|own| own == line));
    let from = (0..=at).rev().take_while(|at| has(*at)).last().expect("it stands");
    let until = (at..states.len()).find(|at| !has(*at));
    (states[from].0, until.map(|until| states[until].0))
}

/// Proves X55.
#[test]
fn an_answer_of_the_past_is_what_the_files_of_then_would_have_answered() {
    if !has_git() {
        return;
    }
    for seed in 1..=6 {
        let mut chance = Chance::of(seed);
        let world = world(profile("personal"), Shelf::default());
        let first: Timestamp = "2026-05-01T08:00:00Z".parse().expect("a moment");
        let (mut states, mut stood) = (Vec::new(), Stood::new());
        for step in 0..14 {
            let at = first + SignedDuration::from_hours(7 * step);
            world.clock.set(&at.to_string());
            change(&world, &mut chance, FILES, &mut stood);
            states.push((at, stood.clone()));
            if chance.coin() {
                // Some days changes are committed and somebody asks, so that what is derived grows in pieces. The
                // last changes wait, and answer as well.
                let asked = states[chance.below(states.len())].0;
                world.agent.history.record_found().expect("recorded");
                world.agent.as_of(&Scope::Main, asked).expect("a past");
            }
        }
        world.clock.pass(SignedDuration::from_hours(100));
        for _ in 0..10 {
            let at = chance.below(states.len());
            let (moment, stood) =
                (states[at].0 + SignedDuration::from_mins(chance.below(400) as i64), &states[at].1);
            let query = *chance.pick(WORDS);
            let past = world.agent.as_of(&Scope::Main, moment).expect("a past");
            let answer = past.search(&search(query, &Scope::Main)).expect("an answer");
            for hit in &answer.hits {
                let seen = hit.seen.expect("recorded");
                let line = stood[hit.name.as_str()].lines().nth(hit.first_line as usize - 1).expect("a line");
                let wanted = naive(&states, at, &hit.name, line);
                assert_eq!((seen.from, seen.until), wanted, "seed {seed}, {moment}, {line}");
            }
            let oracle = oracle(stood, moment);
            let wanted = oracle.notes.search(&search(query, &Scope::Main)).expect("an answer");
            assert_eq!(bare(answer), bare(wanted), "seed {seed}, {moment}, `{query}`");
            let (prompt, wanted) = (
                past.prompt_believing(None, None).expect("a prompt"),
                oracle.sessions.prompt(&Scope::Main).expect("a prompt"),
            );
            assert_eq!(prompt.blocks, wanted.blocks, "seed {seed}, {moment}");
        }
        // Dropped and built again from `history.git` alone, it is the same (D1).
        world.agent.history.record_found().expect("recorded");
        world.agent.as_of(&Scope::Main, first).expect("a past");
        let grown = dump(&world.folder.path().join("past.db"));
        let other = world.folder.path().join("anew");
        std::fs::create_dir(&other).expect("a folder");
        let history = Some(inwit_engine::history::past::HistoryHome {
            git_dir: world.folder.path().join("history.git"),
            place: inwit_model::HistoryPlace::Beside,
            lock_wait: None,
        });
        let keeping = AgentDeps { history, past: Some(past_in(&other)), ..keeping() };
        let anew = Agent::new(AgentPorts { keeping, ..parts(Arc::new(MemFiles::new())) });
        anew.as_of(&Scope::Main, first).expect("a past");
        assert_eq!(dump(&other.join("past.db")), grown, "seed {seed}");
        assert!(grown.lines().filter(|line| line.starts_with("life")).count() > 20, "{grown}");
    }
}

/// Proves X55.
#[test]
fn what_a_room_is_told_of_the_past_does_not_depend_on_private_files() {
    if !has_git() {
        return;
    }
    let private: Vec<&str> = FILES.iter().copied().filter(|file| !ROOMS.contains(file)).collect();
    for seed in 1..=8 {
        let mut chance = Chance::of(seed);
        let worlds = [0, 1]
            .map(|_| world(profile("personal"), Shelf::of("//- SOUL.md\nI am Ada.\n//- AGENTS.md\nBake.\n")));
        for world in &worlds {
            // By hand, so that no receipt records it.
            world.shelf.write_at(
                "memory/rooms/kitchen/2026-04-30.md",
                LINES.join("\n"),
                "2026-05-01T07:00:00Z",
            );
        }
        let first: Timestamp = "2026-05-01T08:00:00Z".parse().expect("a moment");
        let mut stood = [Stood::new(), Stood::new()];
        let quiet = chance.below(2);
        for step in 0..12 {
            // A clock that is set back now and then.
            let back = if chance.below(4) == 0 { 20 } else { 0 };
            let at = first + SignedDuration::from_hours(9 * step - back);
            let shared = (step > 3 && chance.coin()).then(|| (*chance.pick(ROOMS), page(&mut chance)));
            for (which, world) in worlds.iter().enumerate() {
                world.clock.set(&at.to_string());
                // What the owner does beside it is another thing in each, and in one of them nothing at first.
                if (which == quiet || step > 5) && chance.coin() {
                    change(world, &mut chance, &private, &mut stood[which]);
                }
                if chance.below(3) == 0 {
                    world.agent.as_of(&Scope::Main, first).expect("a past");
                }
                if let Some((file, text)) = &shared {
                    leaves(world, file, Some(text));
                }
            }
        }
        for scope in [room("kitchen"), room("cellar"), Scope::Shared] {
            for _ in 0..6 {
                let moment = first + SignedDuration::from_hours(chance.below(9 * 15) as i64 - 9);
                let query = *chance.pick(WORDS);
                let [one, other] = [&worlds[0], &worlds[1]].map(|world| told(world, &scope, moment, query));
                assert_eq!(one, other, "seed {seed}, {scope}, {moment}, `{query}`");
            }
        }
    }
}
