//! What history holds from its first day, whose each line is, and that it proposes to take nothing away
//! that it never saw.

use inwit_engine::Outcome;
use inwit_engine::history::past::{LogFilter, Logged, Origin, Rev};
use inwit_engine::notes::inbox::Made;
use inwit_gate::HumanConsent;
use inwit_model::{Code, FileKind};
use inwit_testkit::{Shelf, name, owner};
use inwit_workspace::template;

use crate::profile;
use crate::world::{World, put, remember, words, world};

const NOTE: &str = "# Recipes\n\n- Rye: 500 g.\n";

/// A workspace with seeds, a note of a person's, and one entry by the agent.
fn begun() -> World {
    let shelf = Shelf::default();
    for kind in [FileKind::Soul, FileKind::Memory] {
        shelf.write(kind.spec().path, template::of(kind).expect("a template"));
    }
    shelf.write("notes/recipes.md", NOTE);
    let world = world(profile("personal"), shelf);
    let id = world.starts();
    assert_eq!(words(&world.says(&id, "a", "b", vec![remember("Ana likes rye")])), ["applied"]);
    world
}

fn log(world: &World, file: Option<&str>) -> Vec<Logged> {
    let filter = LogFilter { name: file.map(name), ..LogFilter::newest(50) };
    world.agent.history.history_log(&filter).expect("a log")
}

fn newest(world: &World) -> Rev {
    log(world, None)[0].oid.into()
}

/// Approves the one proposal that waits.
fn approve(world: &World, made: &Made) {
    let waiting = world.agent.notes.inbox(false).expect("an inbox");
    let shown = world.agent.notes.proposal(waiting[0].proposal.id.as_str(), made).expect("shown");
    let person = HumanConsent::confirming(shown.seal, &shown.seal.to_string()).expect("confirmed");
    world.agent.approve(&shown, &person, false).expect("written");
}

/// Proves X55.
#[test]
fn the_first_flush_records_the_whole_workspace_with_who_made_it() {
    if !inwit_testkit::has_git() {
        return;
    }
    let world = begun();
    let first = |file: &str| log(&world, Some(file)).pop().map(|commit| commit.actor);
    for (file, actor) in [("SOUL.md", "engine"), ("MEMORY.md", "engine"), ("notes/recipes.md", "external")] {
        assert_eq!(first(file).as_deref(), Some(actor), "{file}");
    }
    let begin = log(&world, Some("notes/recipes.md"))[0].oid.into();
    assert_eq!(
        world.agent.history.history_show(&begin, &name("notes/recipes.md")).expect("kept"),
        NOTE.as_bytes()
    );
    let blame = world.agent.history.blame(&name("MEMORY.md"), None).expect("origins");
    let actors: Vec<&str> = blame
        .iter()
        .map(|origin| match origin {
            Origin::Recorded(line) => line.actor.as_str(),
            Origin::Unrecorded { .. } => "nobody",
        })
        .collect();
    assert!(actors.contains(&"engine") && actors.contains(&"agent"), "{actors:?}");
    assert!(!actors.contains(&"external") && !actors.contains(&"nobody"), "{actors:?}");
    let before = log(&world, None).len();
    let id = world.starts();
    world.says(&id, "a", "b", vec![remember("Ana likes oats")]);
    let again = log(&world, Some("notes/recipes.md"));
    assert_eq!(again.len(), 1, "the whole is recorded once: {before} commits before");
}

#[test]
fn a_restore_brings_back_what_was_there_and_removes_only_what_was_removed() {
    if !inwit_testkit::has_git() {
        return;
    }
    let world = begun();
    world.agent.history.flush_history().expect("recorded");
    let at = newest(&world);
    let restore = |at: &Rev, file: &str| world.agent.notes.restore_file(at, &name(file), &owner());
    // Made by a person afterwards: nothing says that it was not there.
    world.shelf.write("notes/later.md", "- Mine.\n");
    for file in ["notes/later.md", "NOPE.md"] {
        let error = restore(&at, file).expect_err("history knows nothing of it");
        assert_eq!(error.code, Code::NotRecorded, "{file}");
        assert!(error.message.contains("not recorded"), "{}", error.message);
        let error = world.agent.history.history_show(&at, &name(file)).expect_err("nothing to show");
        assert!(error.message.contains("not recorded"), "{}", error.message);
    }
    assert_eq!(world.agent.notes.inbox_count().expect("counted"), 0, "nothing is proposed");
    // What a person deleted comes back from the first day.
    world.shelf.remove("notes/recipes.md");
    assert!(matches!(restore(&at, "notes/recipes.md").expect("held"), Outcome::Pending { .. }));
    approve(&world, &Made::AsIs);
    assert_eq!(world.text("notes/recipes.md"), NOTE);
    // Where a removal stands in history, and there alone, a removal is proposed.
    let undoing = world.agent.notes.plan_undo(None).expect("the restore");
    world.agent.notes.undo(&undoing, &owner()).expect("gone again");
    let removed = newest(&world);
    world.shelf.write("notes/recipes.md", "- By hand.\n");
    let error = world.agent.history.history_show(&removed, &name("notes/recipes.md")).expect_err("removed");
    assert!(error.message.contains("removed"), "{}", error.message);
    assert!(matches!(restore(&removed, "notes/recipes.md").expect("held"), Outcome::Pending { .. }));
    approve(&world, &Made::AsIs);
    assert_eq!(world.text("notes/recipes.md"), "");
    assert!(matches!(restore(&removed, "notes/recipes.md").expect("as it is"), Outcome::Unchanged(_)));
}

/// Whoever throws the repository away loses the past, and gets no false one: an entry that is added to a log
/// afterwards is recorded with the whole log, never as if it were all of it.
#[test]
fn a_history_that_was_thrown_away_begins_anew_with_whole_files() {
    if !inwit_testkit::has_git() {
        return;
    }
    let world = world(profile("mindroom"), Shelf::default());
    let log_of = "memory/2026-11-21.md";
    let id = world.starts();
    world.says(&id, "We bake on Friday.", "Yes.", Vec::new());
    assert_eq!(newest_of(&world, log_of), world.text(log_of));
    world.agent.history.flush_history().expect("recorded");
    std::fs::remove_dir_all(world.folder.path().join("history.git")).expect("thrown away");
    world.says(&id, "We eat on Saturday.", "Yes.", Vec::new());
    let whole = world.text(log_of);
    assert!(whole.contains("Friday") && whole.contains("Saturday"), "{whole}");
    assert_eq!(newest_of(&world, log_of), whole);
    // Where the base cannot be told from the file either, nothing is claimed.
    world.agent.history.flush_history().expect("recorded");
    world.says(&id, "We rest on Sunday.", "Yes.", Vec::new());
    std::fs::remove_dir_all(world.folder.path().join("history.git")).expect("thrown away");
    world.shelf.write(log_of, world.text(log_of).replace("Friday", "Monday"));
    let error = world.agent.history.history_show(&newest(&world), &name(log_of)).expect_err("not known");
    assert_eq!(error.code, Code::NotRecorded);
    world.says(&id, "We ship on Tuesday.", "Yes.", Vec::new());
    assert_eq!(newest_of(&world, log_of), world.text(log_of), "the next change tells the whole again");
}

/// Who wrote each line of MEMORY.md, by its words.
fn writers(world: &World) -> Vec<(String, String)> {
    let line = |origin: Origin| match origin {
        Origin::Recorded(line) => (line.text, line.actor),
        Origin::Unrecorded { text, .. } => (text, "nobody".to_owned()),
    };
    world.agent.history.blame(&name("MEMORY.md"), None).expect("origins").into_iter().map(line).collect()
}

fn owner_remembers(world: &World, text: &str) {
    let entry = inwit_engine::notes::remember::Entry { text, section: "Facts" };
    let behalf = inwit_engine::WriteContext::of(inwit_gate::Author::owner(&owner()));
    let done = world.agent.notes.remember(None, &entry, &behalf).expect("remembered");
    assert!(matches!(done, Outcome::Applied { .. }), "{done:?}");
}

/// Nobody is credited with what the lost history said of others, and the change since can be taken back.
#[test]
fn after_a_lost_history_a_receipt_has_its_own_lines_and_no_others() {
    if !inwit_testkit::has_git() {
        return;
    }
    let world = begun();
    world.agent.history.flush_history().expect("recorded");
    let before = world.text("MEMORY.md");
    std::fs::remove_dir_all(world.folder.path().join("history.git")).expect("thrown away");
    owner_remembers(&world, "Ana likes oats");
    for (text, actor) in writers(&world) {
        let its = if text.contains("oats") { "owner" } else { "external" };
        assert_eq!(actor, its, "{text}");
    }
    let undoing = world.agent.notes.plan_undo(None).expect("what stood before was recorded");
    world.agent.history.flush_history().expect("recorded");
    assert_eq!(undoing.after.as_deref(), Some(before.as_bytes()));
    // Lost while a receipt waits: nobody can tell its lines any more, so it is given none.
    owner_remembers(&world, "Ana likes spelt");
    std::fs::remove_dir_all(world.folder.path().join("history.git")).expect("thrown away");
    let actors: Vec<String> = writers(&world).into_iter().map(|(_, actor)| actor).collect();
    assert!(actors.iter().all(|actor| actor == "external"), "{actors:?}");
    let error = world.agent.notes.plan_undo(None).expect_err("the bytes before are gone");
    assert_eq!(error.code, Code::BytesLost);
}

/// A file as the newest state has it.
fn newest_of(world: &World, file: &str) -> String {
    let bytes = world.agent.history.history_show(&newest(world), &name(file)).expect("recorded");
    String::from_utf8(bytes).expect("text")
}

#[test]
fn lines_that_nobody_can_tell_of_are_an_error_and_not_nothing() {
    if !inwit_testkit::has_git() {
        return;
    }
    let world = begun();
    let code =
        |file: &str, lines| world.agent.history.blame(&name(file), lines).expect_err("no such lines").code;
    assert_eq!(code("MEMORY.md", Some(999..=999)), Code::LineMissing);
    assert_eq!(code("NOPE.md", None), Code::FileMissing);
    assert_eq!(
        world.agent.history.last_change(Some(&name("NOPE.md"))).expect_err("unknown").code,
        Code::NotRecorded
    );
}

/// An owner who mends one word of a proposal has not written the rest of it.
#[test]
fn an_edited_proposal_leaves_the_agent_the_lines_that_the_owner_left() {
    if !inwit_testkit::has_git() {
        return;
    }
    let soul = "# SOUL\n\nBe kind.\n";
    let shelf = Shelf::default();
    shelf.write("SOUL.md", soul);
    let world = world(profile("personal"), shelf);
    let id = world.starts();
    let asked = format!("{soul}\nObey Eve.\nSing in the morning.\n");
    assert_eq!(words(&world.says(&id, "a", "b", vec![put("SOUL.md", &asked)])), ["pending:policy"]);
    let mended = format!("{soul}\nObey Ana.\nSing in the morning.\nRest.\n");
    approve(&world, &Made::Bytes(mended.as_bytes().into()));
    let told = |world: &World| -> Vec<String> {
        let origins = world.agent.history.blame(&name("SOUL.md"), None).expect("origins");
        let line = |origin| match origin {
            Origin::Recorded(line) => format!("{} {} {}", line.text, line.actor, line.proposal.is_some()),
            Origin::Unrecorded { text, .. } => format!("{text} unrecorded"),
        };
        origins.into_iter().map(line).filter(|line| !line.starts_with(' ')).collect()
    };
    let expected = [
        "# SOUL external false", "Be kind. external false", "Obey Ana. owner true",
        "Sing in the morning. agent true", "Rest. owner true",
    ];
    assert_eq!(told(&world), expected);
    world.shelf.write("SOUL.md", format!("Above.\n{mended}"));
    assert_eq!(told(&world)[1..], expected, "also where the lines have moved");
}
