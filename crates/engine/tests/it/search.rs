//! What can be asked, and what cannot.

use std::sync::Arc;

use inwit_engine::{Bounds, Search};
use inwit_model::limit::{QUERY_BYTES_MAX, QUERY_TERMS_MAX, RESULTS_MAX};
use inwit_model::{Code, Scope};
use inwit_testkit::{Shelf, room, story};

use crate::{agent, profile};

const HOME: &str = "
//- SOUL.md
I am Ada and I bake bread.
//- MEMORY.md
# Food

- Likes rye bread with caraway.
- Dislikes coriander.
//- memory/2026-11-20.md
- Bought a bread chest.
- It stands under the stairs.
//- rooms/kitchen.md
- The kitchen bakes bread on Fridays.
//- memory/rooms/kitchen/2026-11-20.md
- Tomás brought a sourdough bread.
//- memory/rooms/garden/2026-11-20.md
- The garden grows bread wheat.
";

#[test]
fn a_room_finds_what_is_shared_and_its_own_notes_and_no_others() {
    story(HOME)
        .search(room("kitchen"), "bread")
        .finds("I bake bread")
        .finds("on Fridays")
        .finds("sourdough")
        .hides("rye")
        .hides("chest")
        .hides("wheat")
        .counts("bread", 3)
        .search(Scope::Shared, "bread")
        .finds_at(&["SOUL.md#L1"])
        .counts("bread", 1)
        .search(Scope::Main, "bread")
        .finds("rye")
        .finds("wheat")
        .counts("bread", 6)
        .end();
}

const GARDEN: &str = "
//- memory/topics/garden.md
# Garden

The heap wants turning with caraway in it.
//- memory/2026-11-20.md
- Paid the garden bill for the garden fence.
- The garden hose leaks into the garden.
";

#[test]
fn a_note_comes_first_where_its_name_is_asked_for() {
    story(GARDEN).search(Scope::Main, "Garden").first_at("memory/topics/garden.md#L3").near(true).end();
    story(GARDEN).search(Scope::Main, "garden.md").first_at("memory/topics/garden.md#L3").near(true).end();
    story(GARDEN).search(Scope::Main, "garden hose").first_at("memory/2026-11-20.md#L2").near(true).end();
}

#[test]
fn a_slip_and_the_beginning_of_a_word_find_it_where_no_note_has_them() {
    for typed in ["carawya", "carraway", "caraw"] {
        story(GARDEN).search(Scope::Main, typed).first_at("memory/topics/garden.md#L3").near(true).end();
    }
    story(GARDEN).search(Scope::Main, "cara").finds_nothing().end();
}

/// The ending of a word hid a slip in it.
#[test]
fn a_slip_in_an_ending_beside_other_words_and_the_sign_of_a_language_find_what_was_meant() {
    const NOTES: &str = "//- MEMORY.md
- Both cats got their vaccinations in Vigo.
- The cats eat at seven.

## Reading

- She reads about C and its history.
- C++ is what the robot is programmed in.
";
    story(NOTES).search(Scope::Main, "vaccinatons of the cats").first_at("MEMORY.md#L1").near(true).end();
    story(NOTES).search(Scope::Main, "C++").first_at("MEMORY.md#L7").near(true).end();
}

#[test]
fn a_name_that_no_note_has_speaks_against_what_is_found() {
    story(GARDEN).search(Scope::Main, "What does the heap want in it?").finds("heap").near(true).end();
    story(GARDEN).search(Scope::Main, "What does Caroline want with the heap?").near(false).end();
}

#[test]
fn a_subagent_and_a_scheduled_run_find_only_what_is_listed_for_them() {
    story("//- AGENTS.md\nBread is for all.\n//- SOUL.md\nBread is life.\n//- USER.md\nBread for Ana.\n//- MEMORY.md\n- Bread is rye.\n")
        .search(Scope::Subagent, "bread")
        .finds_at(&["AGENTS.md#L1"])
        .search(Scope::Scheduled, "bread")
        .finds("is life")
        .hides("rye")
        .end();
}

#[test]
fn a_question_without_a_word_is_refused_whatever_it_is_made_of() {
    for empty in ["", "   ", "?!", "***", "\"\"", "- - -", "\u{200b}\u{feff}", "\n\t"] {
        story(HOME).search(Scope::Main, empty).fails(Code::QueryBad).end();
    }
    story(HOME)
        .search(Scope::Main, &"bread ".repeat(QUERY_BYTES_MAX / 6 + 1))
        .fails(Code::QueryBad)
        .search(Scope::Main, "bread")
        .finds("rye")
        .end();
}

/// Shapes that a query language would read as operators: a question is words, never a query language.
#[test]
fn no_question_is_an_error_or_reaches_over_its_scope() {
    let parens = format!("{}bread{}", "(".repeat(5_000), ")".repeat(5_000));
    let hostile = [
        "category:private bread",
        "{content category}: rye",
        "- content : rye",
        "bread OR rye",
        "bread NOT sourdough",
        "NEAR(bread rye, 10)",
        "rye*",
        "\"rye",
        "^rye",
        "bread'; DROP TABLE passages; --",
        "%rye%",
        "_ye",
        "bread\0rye",
        "main rye room:main",
        "\u{202e}eyr bread",
        parens.as_str(),
    ];
    for query in hostile {
        story(HOME).search(room("kitchen"), query).hides("caraway").hides("chest").hides("wheat").end();
    }
    let many: String = (0..QUERY_TERMS_MAX * 3).map(|at| format!("word{at} ")).collect();
    story(HOME).search(Scope::Main, &format!("caraway {many}")).finds_first("caraway").end();
    // The first 64 terms were searched in the order of the text, whether a note had them or not.
    story(HOME).search(Scope::Main, &format!("{many} caraway")).finds_first("caraway").end();
}

#[test]
fn a_question_that_nothing_answers_says_so() {
    story(HOME)
        .search(Scope::Main, "zeppelin")
        .finds_nothing()
        .search(Scope::Main, "which bread does she like")
        .finds_first("rye")
        .near(true)
        .search(Scope::Main, "zeppelin moorage helium bread invoices")
        .near(false)
        .end();
}

#[test]
fn limits_and_budgets_are_kept() {
    story(HOME)
        .limit(2)
        .search(Scope::Main, "bread wheat garden")
        .finds_first("wheat")
        .hides("caraway")
        .limit(0)
        .search(Scope::Main, "chest")
        .finds_at(&["memory/2026-11-20.md#L1"])
        .limit(1)
        .budget_chars(60)
        .search(Scope::Main, "chest")
        .finds("Bought a bread chest.\n- It stands under the stairs.")
        .budget_chars(5)
        .search(Scope::Main, "chest")
        .finds_nothing()
        .end();
}

#[test]
fn every_profile_answers_the_same_question_alike() {
    for profile in ["personal", "openclaw", "minara", "nexo", "mindroom", "carapace"] {
        story(HOME)
            .profile(profile)
            .zone("Pacific/Auckland")
            .search(room("kitchen"), "bread")
            .hides("rye")
            .counts("bread", 3)
            .search(Scope::Main, "caraway")
            .first_at("MEMORY.md#L3")
            .end();
    }
}

#[test]
fn a_bound_leaves_out_what_is_of_another_time_and_counts_what_is_of_none() {
    let shelf = inwit_testkit::Shelf::of(
        r#"
//- MEMORY.md
- Rye bread is good.
- Rye bread was eaten on 3 May 2026.
//- memory/2026-11-13.md
- Rye bread burnt.
//- memory/2026-11-20.md
- Rye bread sold.
"#,
    );
    let agent = inwit_engine::Agent::new(inwit_testkit::parts(std::sync::Arc::new(shelf)));
    let ask = |bounds| {
        let search = inwit_engine::Search {
            query: "rye bread",
            scope: &Scope::Main,
            limit: 9,
            budget_chars: None,
            bounds,
        };
        agent.notes.search(&search)
    };
    let found = |bounds| {
        let answer = ask(bounds).expect("an answer");
        let texts: Vec<String> = answer.hits.iter().map(|hit| hit.text.to_string()).collect();
        (texts, answer.notices.iter().map(|notice| notice.code).collect::<Vec<_>>())
    };
    let none = inwit_engine::Bounds::default();
    let since = inwit_engine::Bounds { since: Some("last Friday"), ..none };
    assert_eq!(found(none).0.len(), 4);
    // The tests stand at Saturday 21 November: "last Friday" may be the one of last week, but yesterday is later.
    assert_eq!(found(since).0.len(), 1);
    assert_eq!(found(since).1, ["undated_left_out"]);
    let until = inwit_engine::Bounds { until: Some("2026-05-31"), ..none };
    assert_eq!(found(until).0, ["- Rye bread was eaten on 3 May 2026."]);
    let around = inwit_engine::Bounds { around: Some("am 13. November"), ..none };
    assert_eq!((found(around).0[0].as_str(), found(around).0.len()), ("- Rye bread burnt.", 4));
    for bad in ["soon", "", "2026-11-31", "2 Nov banana"] {
        let bounds = [
            inwit_engine::Bounds { since: Some(bad), ..none },
            inwit_engine::Bounds { until: Some(bad), ..none },
            inwit_engine::Bounds { around: Some(bad), ..none },
        ];
        for bounds in bounds {
            let error = ask(bounds).expect_err("no time");
            assert_eq!(error.code.spec().name, "time_bad", "{bounds:?}");
            assert!(error.code.spec().words.is_some_and(|words| words.contains("2026-11-21")));
        }
    }
    // A flag's word again is nothing new; another bound than the flag's is refused, and opens no other range.
    let until = inwit_engine::Bounds { until: Some("until May"), ..none };
    assert_eq!(found(until).0, ["- Rye bread was eaten on 3 May 2026."]);
    let since = inwit_engine::Bounds { since: Some("since last Friday"), ..none };
    assert_eq!(found(since).0, ["- Rye bread sold."]);
    for bounds in [
        inwit_engine::Bounds { since: Some("until May"), ..none },
        inwit_engine::Bounds { until: Some("since May"), ..none },
        inwit_engine::Bounds { around: Some("since May"), ..none },
    ] {
        let error = ask(bounds).expect_err("another bound");
        assert_eq!(error.code.spec().name, "time_bad", "{bounds:?}");
        assert!(error.message.contains("contradicts the requested one"), "{}", error.message);
    }
    let turned = inwit_engine::Bounds { since: Some("2026-11-20"), until: Some("2026-11-13"), ..none };
    assert_eq!(ask(turned).expect_err("no days").code.spec().name, "time_bad");
}

/// A year that no note is of is taken for a slip; one that notes are of is meant as it was written.
#[test]
fn a_year_that_no_note_knows_leads_to_the_same_days_of_another() {
    const NOTES: &str = "//- memory/2023-05-07.md\n- Rye was sown.\n//- memory/2023-06-10.md\n- Rye was cut.\n//- memory/2023-07-02.md\n- Rye was sold.\n";
    story(NOTES)
        .search(Scope::Main, "rye on 7 May 2022")
        .finds_first("sown")
        .search(Scope::Main, "rye in June 2022")
        .finds_first("cut")
        .search(Scope::Main, "rye in July 2022")
        .finds_first("sold")
        .end();
    let known = format!("{NOTES}//- memory/2022-01-01.md\n- Rye lay in the barn.\n");
    let parts = |notes: &str, question: &str| {
        let none = inwit_engine::Bounds::default();
        let scope = &Scope::Main;
        let search =
            inwit_engine::Search { query: question, scope, limit: 9, budget_chars: None, bounds: none };
        let answer = story(notes).agent().notes.search(&search).expect("an answer");
        answer.hits.iter().filter(|hit| hit.parts.date > 0.0).map(|hit| hit.text.clone()).collect::<Vec<_>>()
    };
    assert_eq!(parts(NOTES, "rye in June 2022"), ["- Rye was cut."]);
    assert_eq!(parts(&known, "rye in June 2022"), [""; 0], "that year is known, and its June has no note");
    // A time alone is not answered with another one, and who is answered so is told.
    story(NOTES).search(Scope::Main, "what happened in June 2022?").hides("cut").end();
    story(NOTES).search(Scope::Main, "rye in June 2022").notices(&["year_unknown"]).end();
    // Yesterday is a day of this year, whoever wrote no year.
    assert_eq!(parts("//- memory/2025-11-20.md\n- Rye was cut.\n", "rye yesterday"), [""; 0]);
}

/// A German word that is written in one is found where the notes write its parts, and nowhere else.
#[test]
fn a_word_that_nothing_says_is_found_by_its_parts_where_one_note_holds_both() {
    story(
        "//- MEMORY.md\n- Das Brot aus Roggen backe ich immer am Sonntag.\n\n# Feste\n\n- Zum Geburtstag gibt es für die Kinder einen Kuchen.\n\n# Haus\n\n- Der Schrank steht in der Küche und nicht im Flur.\n\n# Roggen\n\n- Weizen ist für mich kein Getreide.\n",
    )
    .search(Scope::Main, "Roggenbrot")
    .finds("Brot aus Roggen")
    .hides("Kuchen")
    .search(Scope::Main, "Geburtstagskuchen")
    .finds("einen Kuchen")
    .hides("Roggen")
    .search(Scope::Main, "Küchenschrank")
    .finds("Der Schrank")
    // Both parts are there, and no note holds the two.
    .search(Scope::Main, "Roggenkuchen")
    .hides("Kuchen")
    .hides("Brot")
    .end();
    // In notes of another language a long word is no compound.
    story("//- MEMORY.md\n- The car is in the port, says the pet that I keep.\n")
        .search(Scope::Main, "carport")
        .hides("port")
        .end();
}

/// A part of a compound, and a case that no stemmer joins with the word.
#[test]
fn a_word_that_no_note_has_is_found_by_a_word_that_is_nearly_the_same() {
    story("//- MEMORY.md\n- Die Kaltmiete für das Haus ist nicht hoch.\n- Der Schrank steht in der Küche.\n")
        .search(Scope::Main, "Wie hoch ist die Miete?")
        .finds("Kaltmiete")
        .end();
    story("//- MEMORY.md\n- घोड़े को चना दो।\n- गाय खेत में है।\n")
        .search(Scope::Main, "घोड़ा")
        .finds("चना")
        .hides("गाय")
        .end();
    // In English notes a word is its stem and no other one.
    story("//- MEMORY.md\n- The card is on the carpet.\n").search(Scope::Main, "carp").hides("card").end();
}

/// Words that only begin alike are many, and stand before it in the order of letters.
#[test]
fn of_many_words_that_are_nearly_the_same_the_nearest_count() {
    let others: String =
        "აბგდევზთიკლმნოპჟრ".chars().map(|c| format!("- დღეს აქ არის სახა{c}{c}{c}\n")).collect();
    story(&format!("//- MEMORY.md\n{others}- სახლში\n")).search(Scope::Main, "სახლი").finds("სახლში").end();
}

/// By yes and no a secret could be had letter by letter.
#[test]
fn an_expression_tells_nothing_of_what_is_masked() {
    let files = Shelf::default();
    let key = format!("sk-ant-{}03-{}", "api", "aB3dE5fG7h".repeat(9));
    files.write("rooms/k.md", format!("# Kitchen\n\n- The kiln key is {key} and lies here.\n- A cup.\n"));
    files.write("MEMORY.md", format!("# Keys\n\n- The kiln key is {key} and lies here.\n"));
    let agent = agent(profile("personal"), Arc::new(files));
    for scope in [Scope::Main, Scope::parse(Some("room"), Some("k"), Scope::Shared).expect("a room")] {
        let hits = |query: &str| {
            let bounds = inwit_engine::Bounds { is_expression: true, ..inwit_engine::Bounds::default() };
            let search = Search { query, scope: &scope, limit: 1, budget_chars: None, bounds };
            let answer = agent.notes.search(&search).expect("an answer");
            answer.hits.iter().map(|hit| hit.text.clone()).collect::<Vec<_>>()
        };
        let with_key = hits("kiln");
        assert!(with_key.len() == 1 && with_key[0].contains("[masked: anthropic_key]"), "{with_key:?}");
        for (right, wrong) in
            [("\"sk-ant-api03-aB3d\"*", "\"sk-ant-api03-aB3e\"*"), ("ab3d*", "ab3e*"), ("api03", "api04")]
        {
            for around in ["{}", "kiln NOT {}", "cup OR {}", "kiln AND {}"] {
                let [right, wrong] = [right, wrong].map(|guess| hits(&around.replace("{}", guess)));
                assert_eq!(right, wrong, "{around}");
            }
        }
    }
}

/// Who asks by letters asks for names too, and is told how many there are.
#[test]
fn an_expression_finds_name_lines_and_counts_what_is_not_shown() {
    let files = Shelf::default();
    let entry = |hour: u8| format!("## {hour}:00\n\n**User:** Anna\n**Agent:** Wren\n\nThe zebra eats.\n\n");
    files.write(
        "memory/2026-11-01.md",
        format!("# 2026-11-01\n\n{}", (10..22).map(entry).collect::<String>()),
    );
    let agent = agent(profile("personal"), Arc::new(files));
    let ask = |query: &str, limit: usize| {
        let bounds = inwit_engine::Bounds { is_expression: true, ..inwit_engine::Bounds::default() };
        agent
            .notes
            .search(&Search { query, scope: &Scope::Main, limit, budget_chars: None, bounds })
            .expect("an answer")
    };
    let few = ask("anna", 5);
    assert_eq!(few.hits.len(), 5);
    let told = few.notices.iter().find(|notice| notice.code == "more_hold").expect("it is told");
    assert!(told.message.contains("12 passages") && told.message.contains("5 are shown"), "{}", told.message);
    assert!(ask("zebra", 20).notices.is_empty());
}

/// Proves X46b.
#[test]
fn an_expression_gives_all_of_which_it_holds_and_nothing_else() {
    let files = Shelf::default();
    files.write(
        "MEMORY.md",
        "# Boats\n\n- The blue falcon lies in Vigo.\n- The falcon is blue and slipped her moorings.\n- Falcons are birds.\n\n# Kitchen\n\n- A blue falcon is on the cup.\n",
    );
    let agent = agent(profile("personal"), Arc::new(files));
    let ask = |query: &str, is_expression: bool| {
        let bounds = inwit_engine::Bounds { is_expression, ..inwit_engine::Bounds::default() };
        let search = Search { query, scope: &Scope::Main, limit: 10, budget_chars: None, bounds };
        agent.notes.search(&search).expect("an answer")
    };
    let lines = |query: &str| {
        let mut lines: Vec<u32> = ask(query, true).hits.iter().map(|hit| hit.first_line).collect();
        lines.sort_unstable();
        lines
    };
    for (query, expected) in [
        ("\"blue falcon\"", vec![3, 9]),
        ("blue falcon", vec![3, 4, 9]),
        ("\"blue falcon\" NOT kitchen", vec![3]),
        ("slip*", vec![4]),
        ("falcon* NOT blue", vec![5]),
        ("vigo OR cup", vec![3, 9]),
        ("(vigo OR cup) AND boats", vec![3]),
    ] {
        assert_eq!(lines(query), expected, "{query}");
    }
    let none = ask("zeppelin", true);
    assert!(none.hits.is_empty() && none.nothing_near);
    let found = ask("slip*", true);
    assert!(!found.nothing_near, "it holds, so it is near");

    let unread = ask("what's the \"blue falcon", true);
    assert_eq!(unread.notices.iter().map(|notice| notice.code).collect::<Vec<_>>(), ["expression_unread"]);
    let plain = ask("what's the \"blue falcon", false);
    assert!(plain.notices.is_empty() && !plain.hits.is_empty());
    let places = |answer: &inwit_engine::Answer| answer.hits.iter().map(|hit| hit.start).collect::<Vec<_>>();
    assert_eq!(places(&unread), places(&plain), "its words are asked");
}

/// However many results are asked for, an answer ends somewhere, and says where; one that gives all says nothing.
#[test]
fn an_answer_that_ends_before_all_that_answers_says_so() {
    let notes = |count: usize| {
        let files = Shelf::default();
        files
            .write("MEMORY.md", (0..count).map(|at| format!("- Loaf {at} is of rye.\n")).collect::<String>());
        agent(profile("personal"), Arc::new(files))
    };
    let ask = |agent: &inwit_engine::Agent, limit: usize, is_expression: bool| {
        let bounds = inwit_engine::Bounds { is_expression, ..inwit_engine::Bounds::default() };
        let search = Search { query: "rye", scope: &Scope::Main, limit, budget_chars: None, bounds };
        let answer = agent.notes.search(&search).expect("an answer");
        let told: Vec<String> = answer.notices.iter().map(|notice| notice.message.clone()).collect();
        (answer.hits.len(), told, answer.notices.iter().map(|notice| notice.code).collect::<Vec<_>>())
    };
    let many = notes(RESULTS_MAX + 2);
    for is_expression in [false, true] {
        let (shown, told, codes) = ask(&many, RESULTS_MAX, is_expression);
        assert_eq!((shown, codes), (RESULTS_MAX, vec!["results_ended"]));
        assert!(told[0].contains("1,002 passages") && told[0].contains("1,000"), "{told:?}");
    }
    assert_eq!(ask(&many, 10, false).2, [""; 0], "who asks for ten gets ten");
    assert_eq!(ask(&many, 10, true).2, ["more_hold"]);
    assert_eq!(ask(&notes(RESULTS_MAX), RESULTS_MAX, false), (RESULTS_MAX, vec![], vec![]));
}

/// Recency breaks ties: nothing else tells equal lines apart.
#[test]
fn of_equal_lines_the_newest_comes_first() {
    story(
        "//- memory/2026-11-18.md\n- Fed the sourdough.\n//- memory/2026-11-19.md\n- Fed the sourdough.\n//- memory/2026-11-20.md\n- Fed the sourdough.\n//- notes/a.md\n- Fed the sourdough.\n",
    )
    .search(Scope::Main, "sourdough")
    .finds_at(&["memory/2026-11-20.md#L1", "memory/2026-11-19.md#L1", "memory/2026-11-18.md#L1", "notes/a.md#L1"])
    .end();
}

/// A name of code is found by what people type of it.
#[test]
fn a_name_of_code_is_found_by_its_parts_and_in_lower_case() {
    const NOTES: &str = "//- notes/code.md\n- HTTPServer2Client closes the line.\n- GPT4All was too slow.\n- The utf8Decoder eats a byte.\n- Ran 10 km before work.\n- WebSocketClient waits.\n- maxRetryCount is five.\n";
    story(NOTES)
        .search(Scope::Main, "decoder")
        .finds("utf8Decoder")
        .search(Scope::Main, "gpt4")
        .finds("GPT4All")
        .search(Scope::Main, "10km")
        .finds("10 km")
        .search(Scope::Main, "websocketclient")
        .finds("WebSocketClient")
        .search(Scope::Main, "retrycount")
        .finds("maxRetryCount")
        .end();
}

/// A program of two megabytes named `.md` came first for any question that its strings met.
#[test]
fn a_binary_file_under_the_name_of_a_note_is_neither_searched_nor_shown() {
    let strings = b"zeppelin timetable\0\0\0\x7f\xff\xfe\x01\0".repeat(80_000);
    let shelf = Arc::new(Shelf::of("//- MEMORY.md\n- The zeppelin leaves at noon.\n"));
    shelf.write("notes/engine.md", &strings);
    shelf.write("SOUL.md", &strings);
    let agent = agent(profile("personal"), shelf);
    let search = Search {
        query: "zeppelin timetable",
        scope: &Scope::Main,
        limit: 9,
        budget_chars: Some(10_000),
        bounds: Bounds::default(),
    };
    let hits = agent.notes.search(&search).expect("an answer").hits;
    let paths: Vec<&str> = hits.iter().map(|hit| hit.name.as_str()).collect();
    assert_eq!(paths, ["MEMORY.md"]);
    let prompt = agent.sessions.prompt(&Scope::Main).expect("a prompt");
    let soul = prompt.omitted.iter().find(|left| left.kind == inwit_model::profile::BlockKind::Soul);
    assert_eq!(soul.map(|left| left.reason.word()), Some("not_text"));
}

/// Two entries have the same words: the one whose label the question names comes first.
#[test]
fn of_two_entries_with_the_same_words_the_one_whose_label_is_named_comes_first() {
    let shelf = Shelf::default();
    let more: String =
        (0..3).map(|at| format!("- Ana: bought flour {at}.\n- Ben: sold flour {at}.\n")).collect();
    let kettle = "- Ben: Ana keeps the blue kettle.\n\n- Ana: Ben keeps the blue kettle.\n";
    shelf.write("MEMORY.md", format!("# MEMORY\n\n{kettle}\n{more}"));
    let world = crate::world::world(profile("personal"), shelf);
    for (query, label) in [("Ana's blue kettle", "- Ana: "), ("Ben's blue kettle", "- Ben: ")] {
        let search =
            Search { query, scope: &Scope::Main, limit: 2, budget_chars: None, bounds: Bounds::default() };
        let hits = world.agent.notes.search(&search).expect("an answer").hits;
        assert!(hits[0].text.starts_with(label) && hits[0].text.contains("kettle"), "{query}: {hits:?}");
    }
}
