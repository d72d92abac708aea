//! Everything that a reader sees of a folder of notes is found, with a place that can be opened.

use inwit_model::Scope;
use inwit_testkit::story;

/// An invented vault: front matter, bare headings, links, a table, an empty page.
const VAULT: &str = "
//- People/Ada Quill.md
---
title: Ada Quill, glassblower
aliases: [Adaq, \"The Blower\"]
tags:
  - person/artist
birthday: 1971-04-09
---

## Lampwork

## Contacts

- Phone later.
//- Headings only.md
# Chiaroscuro
## Tenebrism
### Sfumato
//- Links.md
See [[Projects/Heron Survey|the bird thing]] and [tides][t] and ![a red lighthouse](img/lh.png).

[t]: https://example.org/kelpforest
//- Table.md
| Cultivar | Chill hours |
|---|---|
| Braeburn | 800 |
//- Projects/Heron Survey.md
Counted 14 nests at the reservoir.
//- Buy milk.md
";

#[test]
fn everything_that_a_reader_sees_is_found_with_its_place() {
    let mut asked = story(VAULT);
    for (query, place) in [
        ("glassblower", "People/Ada Quill.md#L2-L6"),
        ("Adaq", "People/Ada Quill.md#L2-L6"),
        ("artist", "People/Ada Quill.md#L2-L6"),
        ("birthday 1971-04-09", "People/Ada Quill.md#L2-L6"),
        ("Lampwork", "People/Ada Quill.md#L9"),
        ("Sfumato", "Headings only.md#L3"),
        ("Chiaroscuro", "Headings only.md#L3"),
        ("bird thing", "Links.md#L1"),
        ("lighthouse", "Links.md#L1"),
        ("kelpforest", "Links.md#L3"),
        ("Cultivar", "Table.md#L1-L3"),
        ("heron nests", "Projects/Heron Survey.md#L1"),
        ("milk", "Buy milk.md#L1"),
    ] {
        asked = asked.search(Scope::Main, query).first_at(place);
    }
    asked.end();
}

#[test]
fn the_name_of_a_page_counts_for_all_of_it_and_the_names_of_a_layout_for_nothing() {
    story("//- Trips/Lisbon.md\nThe hotel has a roof.\n\nThe tram is late.\n//- Trips/Porto.md\nThe tram is old.\n//- MEMORY.md\n- Rye.\n//- memory/topics/oven.md\n- It ticks.\n")
        .search(Scope::Main, "lisbon tram")
        .first_at("Trips/Lisbon.md#L3")
        .search(Scope::Main, "oven")
        .finds_at(&["memory/topics/oven.md#L1"])
        .search(Scope::Main, "memory topics")
        .finds_nothing()
        .end();
}

/// Front matter of a file that is known by name is for machines, and headings of a template tell what to write.
#[test]
fn front_matter_and_headings_of_a_template_are_no_content() {
    let user =
        inwit_workspace::template::in_domain(inwit_model::FileKind::User, inwit_model::Domain::General);
    let home = format!(
        "//- SOUL.md\n---\nsummary: caraway\n---\nI bake.\n//- USER.md\n{}",
        user.expect("a template")
    );
    let headings = home.lines().filter(|line| line.starts_with("## ")).map(|line| line[3..].to_owned());
    let headings: Vec<String> = headings.collect();
    assert!(!headings.is_empty());
    let mut asked = story(&home).search(Scope::Main, "caraway").finds_nothing();
    for heading in &headings {
        asked = asked.search(Scope::Main, heading).finds_nothing();
    }
    asked.end();
}

/// The words of a title are searched as it is shown: a guess at a masked value finds nothing.
#[test]
fn a_secret_in_a_title_cannot_be_guessed() {
    let key =
        inwit_testkit::secret::positives("github_pat", 1, &mut inwit_testkit::Chance::of(7)).remove(0).value;
    let page = format!("//- Keys.md\n---\ntitle: {key}\n---\nThe oven key hangs by the door.\n");
    let guess = key.rsplit('_').next().expect("the random letters");
    story(&page).search(Scope::Main, guess).finds_nothing().end();
}

/// Daily notes of a vault are in a folder of any name; a meeting has its day in the file name or in the front matter.
const DAYS: &str = "
//- Daily/2026-11-11.md
- Lantern walk with the neighbours.
//- Daily/2026-11-12.md
- Rain all day.
//- Meetings/Budget 2026-10-05.md
Decided to wait with the printer.
//- Meetings/Kickoff.md
---
date: 2026-09-21
---
Ada leads the survey.
";

#[test]
fn a_note_has_the_day_of_its_name_or_of_its_front_matter_in_any_folder() {
    story(DAYS)
        .search(Scope::Main, "what did I do on 11 November 2026")
        .first_at("Daily/2026-11-11.md#L1")
        .search(Scope::Main, "2026-11-12")
        .first_at("Daily/2026-11-12.md#L1")
        .search(Scope::Main, "what was decided on 5 October 2026")
        .first_at("Meetings/Budget 2026-10-05.md#L1")
        .search(Scope::Main, "who leads the survey since 21 September 2026")
        .first_at("Meetings/Kickoff.md#L4")
        .end();
}
