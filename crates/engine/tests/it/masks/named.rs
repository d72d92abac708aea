//! A value that one file names as a secret is one in every file.

use super::*;
use crate::hooks::pack;

/// A value without a vendor's form: only its label names it.
const VALUE: &str = "q7Gx-Mondlicht42-tR9";

fn naming(file: &str, other: &str) -> World {
    let shelf = Shelf::default();
    shelf.write(file, format!("# Shop\n\n- SHOP_PASSWORD={VALUE}\n"));
    shelf.write(other, format!("# Rye\n\n- The oven took {VALUE} as well, says Ana.\n"));
    world(profile("personal"), shelf)
}

/// Each reader of `other` that a model has, without a search before.
fn shown_of(world: &World, other: &str) -> Vec<String> {
    let (excerpt, _) = world.agent.notes.get_masked(&Scope::Main, other, Lines::default()).expect("read");
    let ask = Ask { around: None, days: 0, skip: 0, limit: 9 };
    let days = world.agent.notes.timeline(&Scope::Main, &ask).expect("days");
    let asked = WhyNot { text: "oven took", query: None, scope: &Scope::Main, limit: 9 };
    let reasons = world.agent.notes.why_not(&asked).expect("reasons").passages;
    assert_eq!(reasons.len(), 1);
    let steps = [Step::Remove { pick: Pick::Words("oven took") }];
    let ask = Revise { file: other, steps: &steps, expected: None, dry_run: true };
    vec![
        format!("{reasons:?}"),
        format!("{:?}", world.agent.notes.revise(&Scope::Main, &ask, &WriteContext::of_tool(""))),
        excerpt.content.into_string(),
        prompt(world).0,
        pack(world),
        days.moments.into_iter().map(|moment| moment.text.into_string()).collect(),
        format!("{:?}", world.agent.what_do_i_know(&Scope::Main, None, None)),
    ]
}

#[test]
fn a_value_that_one_file_names_as_a_secret_is_masked_in_the_others() {
    for (file, other) in [
        ("TOOLS.md", "MEMORY.md"),
        ("MEMORY.md", "memory/2026-11-21.md"),
        ("skills/shop/SKILL.md", "MEMORY.md"),
        ("BOOTSTRAP.md", "memory/2026-11-21.md"),
        ("DREAMS.md", "MEMORY.md"),
    ] {
        let world = naming(file, other);
        for shown in shown_of(&world, other) {
            assert!(!shown.contains(VALUE), "{file}, {other}: {shown}");
        }
        let (shown, notices) = found(&world, "oven Ana");
        assert!(shown.contains("oven took [masked: "), "{shown}");
        let says = format!("named in {file}, line 3");
        assert!(notices.iter().any(|told| told.contains(other) && told.contains(&says)), "{notices:?}");

        world.agent.notes.accept(&owner(), &name(file)).expect("accepted");
        assert!(found(&world, "oven Ana").0.contains(VALUE), "{file}: what was accepted is shown everywhere");
        assert!(
            shown_of(&world, other).iter().all(|shown| shown.contains(VALUE) || !shown.contains("oven took"))
        );
    }
}

/// A PIN of a few digits may be any number; a long one, and letters that no word is made of, stand for nothing else.
#[test]
fn a_long_number_that_one_file_names_is_masked_in_the_others() {
    for (named, value) in [
        ("PUK: @", "48317712"),
        ("WiFi password: @", "19384756102938475610"),
        ("recovery key: @", "482913-291834-571203-948123"),
        ("NAS password: @", "hunterxqzwv"),
    ] {
        let shelf = Shelf::default();
        shelf.write("notes/codes.md", format!("# Codes\n\n- {}\n", named.replace('@', value)));
        shelf.write(
            "MEMORY.md",
            format!("# Rye\n\n- The oven took {value} as well, says Ana of 7{value}7.\n"),
        );
        let (shown, _) = found(&world(profile("personal"), shelf), "oven Ana");
        assert!(shown.contains("oven took [masked: "), "{named}: {shown}");
        assert!(shown.contains(&format!("of 7{value}7")), "a longer number is another one: {shown}");
    }
    for (named, value) in [("PIN: @", "4831"), ("iPhone PIN: @", "483177"), ("password: @", "20260131")] {
        let shelf = Shelf::default();
        shelf.write("notes/codes.md", format!("# Codes\n\n- {}\n", named.replace('@', value)));
        shelf.write("MEMORY.md", format!("# Rye\n\n- The oven took {value} as well, says Ana.\n"));
        let (shown, _) = found(&world(profile("personal"), shelf), "oven Ana");
        assert!(shown.contains(&format!("oven took {value}")), "{named}: {shown}");
    }
}

/// A reader that does not search looks through what the index does not know, the latest first.
#[test]
fn a_file_that_no_search_has_read_names_its_secrets_too() {
    let world = naming("notes/shop.md", "MEMORY.md");
    assert!(shown_of(&world, "MEMORY.md").iter().all(|shown| !shown.contains(VALUE)));
    found(&world, "oven Ana");
    let other = "k3Vw-Sternbild77-hQ2";
    world.shelf.write("notes/inn.md", format!("# Inn\n\n- INN_PASSWORD={other}\n"));
    world.shelf.write("MEMORY.md", format!("# Rye\n\n- The oven took {other} as well, says Ana.\n"));
    let shown = shown_of(&world, "MEMORY.md");
    assert!(shown.iter().all(|shown| !shown.contains(other)), "{shown:?}");
}

/// Else a room could test a guess at what only the owner's files name.
#[test]
fn what_only_the_owners_files_name_is_masked_for_no_room() {
    let room = Scope::parse(None, Some("kitchen"), Scope::Shared).expect("a room");
    let heard = |world: &World| {
        let bounds = Bounds::default();
        let search = Search { query: "oven Ana", scope: &room, limit: 5, budget_chars: Some(2_000), bounds };
        let hits = world.agent.notes.search(&search).expect("an answer").hits;
        hits.into_iter().map(|hit| hit.text.into_string()).collect::<String>()
    };
    let world = naming("MEMORY.md", "rooms/kitchen.md");
    found(&world, "oven Ana");
    assert!(heard(&world).contains(VALUE), "MEMORY.md is not the room's");
    assert!(found(&world, "oven Ana").0.contains(VALUE), "what the room sees is the same for everybody");

    let world = naming("rooms/kitchen.md", "memory/rooms/kitchen/2026-11-21.md");
    assert!(!heard(&world).contains(VALUE), "both are the room's");
    assert!(heard(&world).contains("[masked: "));
}

/// Rooms and scheduled runs see some of the agent's own files, and not those that name a value: the mask is for the
/// owner's model alone.
#[test]
fn what_a_private_file_names_is_masked_in_the_agents_own_files_for_the_owner_alone() {
    for file in ["SOUL.md", "USER.md", "HEARTBEAT.md", "IDENTITY.md", "AGENTS.md"] {
        let shelf = Shelf::default();
        shelf.write("MEMORY.md", format!("# Shop\n\n- SHOP_PASSWORD={VALUE}\n"));
        let text =
            format!("# Rye\n\n- Vibe: opens with {VALUE}\n\n## Open Loops\n\n- [ ] oven took {VALUE}\n");
        shelf.write(file, text);
        let world = world(profile("personal"), shelf);
        let whereabouts = Whereabouts { agent_id: "ada".into(), model: None, workspace_dir: "/w".into() };
        let told = |scope: &Scope| {
            let prompt = world.agent.sessions.prompt(scope).expect("a prompt");
            let read = world.agent.notes.get_masked(scope, file, Lines::default());
            let read = read.map(|(excerpt, _)| excerpt.content.into_string());
            let who = world.agent.who_am_i(scope, None, &whereabouts);
            let know = world.agent.what_do_i_know(scope, None, None);
            let blocks: String = prompt.blocks.into_iter().map(|block| block.text.into_string()).collect();
            [blocks, read.unwrap_or_default(), format!("{who:?}"), format!("{know:?}")]
        };
        let mut own = told(&Scope::Main).to_vec();
        own.push(pack(&world));
        own.push(found(&world, "oven").0);
        assert_eq!(
            found(&world, "Mondlicht42").0.matches("oven").count(),
            0,
            "{file}: no word of it leads there"
        );
        for shown in &own {
            assert!(!shown.contains(VALUE), "{file}: {shown}");
        }
        assert!(own[1].contains("[masked: "), "{file}: {}", own[1]);
        let room = Scope::parse(None, Some("kitchen"), Scope::Shared).expect("a room");
        for scope in [room, Scope::Scheduled] {
            let before = told(&scope);
            world.shelf.write("MEMORY.md", "# Shop\n\n- nothing\n");
            assert_eq!(told(&scope), before, "{file}, {scope}: nobody else's answer depends on MEMORY.md");
            world.shelf.write("MEMORY.md", format!("# Shop\n\n- SHOP_PASSWORD={VALUE}\n"));
        }
    }
}

/// `Horse7Battery` in one note and `hor**se7**battery` in the next one are the password of a third.
#[test]
fn a_repeated_value_is_known_however_it_is_written() {
    let shapes = [
        "Horse7Battery", "HORSE7BATTERY", "hor**se7**battery", "`horse7`battery", "horse7\u{200b}battery",
        "horse7\u{202e}battery", "horse7&#98;attery",
    ];
    for shape in shapes {
        let shelf = Shelf::default();
        shelf.write("TOOLS.md", "# Shop\n\n- Password: horse7battery\n");
        shelf.write("MEMORY.md", format!("# Rye\n\n- The oven took {shape} as well.\n"));
        let world = world(profile("personal"), shelf);
        let (excerpt, _) =
            world.agent.notes.get_masked(&Scope::Main, "MEMORY.md", Lines::default()).expect("read");
        let read = excerpt.content.into_string();
        for shown in [found(&world, "oven").0, prompt(&world).0, read] {
            assert!(shown.contains("[masked: "), "{shape}: {shown}");
            assert!(!shown.to_lowercase().contains("battery"), "{shape}: {shown}");
        }
        for words in ["battery", "horse7", "rse7", "se7battery"] {
            assert!(!found(&world, words).0.contains("oven"), "{shape}: {words}");
        }
    }
}

/// Letters alone, or words alone, are known in other notes where no note has them by chance.
#[test]
fn letters_and_phrases_that_one_file_names_are_masked_in_the_others() {
    let masked = |value: &str| {
        let shelf = Shelf::default();
        shelf.write("TOOLS.md", format!("# Shop\n\n- Password: \"{value}\"\n"));
        shelf.write("MEMORY.md", format!("# Rye\n\n- The oven took {value} as well.\n"));
        let world = world(profile("personal"), shelf);
        assert!(!prompt(&world).0.contains(&format!("\"{value}\"")), "{value}: its own file masks it");
        !found(&world, "oven").0.contains(value)
    };
    assert!(masked("bpKcifJdTUKWHdKrnqrxnZia"));
    assert!(masked("quartz wheel marble garden"));
    assert!(!masked("quartz wheel"), "two words may stand in any note");
}

/// What stands below a value may go on with it, such as a date; the value is known elsewhere all the same.
#[test]
fn a_value_with_a_date_or_another_value_below_is_masked_in_the_others() {
    let value = "Q7yVaQ8s2Lm4Tz6Kw1Np";
    for below in
        ["- 2026-11-27 bought bread", "## 2026-11-27", "- FritzBox7590 is the router", "- R8zWbR9t3Mn5Ua7Lx2"]
    {
        let shelf = Shelf::default();
        shelf.write("TOOLS.md", format!("# Shop\n\n- token: {value}\n{below}\n- we use {value} here too\n"));
        shelf.write(
            "MEMORY.md",
            format!("# Rye\n\n- The oven took {value} as well.\n- The FritzBox7590 is new.\n"),
        );
        let world = world(profile("personal"), shelf);
        let (oven, box_of) = (found(&world, "oven").0, found(&world, "new").0);
        assert!(!oven.contains(value) && oven.contains("[masked: "), "{below}: {oven}");
        assert!(box_of.contains("FritzBox7590"), "{below}: {box_of}");
        assert!(!prompt(&world).0.contains(value), "{below}: in its own file");
    }
}
