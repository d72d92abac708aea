//! `inwit bench`: figures that were computed by hand, on data that was made for them.

use expect_test::expect;
use inwit_testkit::Cli;
use serde_json::{Value, json};

use crate::newcomer;

/// A user with a folder for temporary files.
fn measurer() -> Cli {
    newcomer().write("tmp/here", "")
}

/// Two short conversations in the form of LoCoMo: two sessions of the first, one of the second.
///
/// Not counted is the question whose evidence is not there; apart is the one that nobody can answer. The
/// third one says on purpose that the passage without any of its words answers it.
fn locomo() -> Value {
    let turn =
        |id: &str, speaker: &str, text: &str| json!({ "dia_id": id, "speaker": speaker, "text": text });
    let asked = |question: &str, category: u8, evidence: &[&str]| json!({ "question": question, "category": category, "evidence": evidence, "answer": 1 });
    json!([
        {
            "sample_id": "one",
            "conversation": {
                "speaker_a": "Ana",
                "session_1_date_time": "1:56 pm on 8 May, 2023",
                "session_1": [
                    turn("D1:1", "Ana", "I bought a red kayak at\nthe harbour."),
                    turn("D1:2", "Ben", "My cat is called Miso."),
                ],
                "session_2_date_time": "9:05 am on 30 May, 2023",
                "session_2": [
                    turn("D2:1", "Ana", "The kayak needs a new paddle."),
                    {"dia_id": "D2:2", "speaker": "Ben", "text": "Lunch!", "blip_caption": "a bowl of noodles"},
                ],
                "session_3_date_time": "9:05 am on 31 May, 2023",
            },
            "qa": [
                asked("What is Ben's cat called?", 4, &["D1:2"]),
                asked("What happened with the kayak?", 1, &["D1:1; D2:1"]),
                asked("What happened with the kayak?", 3, &["D1:2"]),
                asked("Where is the kayak?", 4, &["D7:7"]),
                asked("Who flew the zeppelin over Antarctica?", 5, &["D1:1"]),
            ],
        },
        {
            "sample_id": "two",
            "conversation": {
                "session_1_date_time": "12:30 am on 2 January, 2024",
                "session_1": [turn("D1:1", "Eva", "The lamp in the hall is broken.")],
            },
            "qa": [asked("Is the lamp broken?", 4, &["D:1:01"])],
        },
    ])
}

fn reader() -> Cli {
    measurer().write("work/tiny.json", &locomo().to_string())
}

#[track_caller]
fn manifest(cli: &Cli, words: &[&str]) -> Value {
    let text = cli.run_words(words).stdout();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The rows of a manifest: group, questions, and the figures `keys`.
fn rows(told: &Value, keys: &[&str]) -> Vec<(String, u64, Vec<Option<f64>>)> {
    let rows = told["quality"].as_array().expect("rows").iter();
    rows.map(|row| {
        let figures = keys.iter().map(|key| row["figures"][key].as_f64()).collect();
        (row["group"].as_str().expect("a name").into(), row["questions"].as_u64().expect("a count"), figures)
    })
    .collect()
}

#[test]
fn locomo_figures_are_those_computed_by_hand() {
    let cli = reader();
    let told = manifest(&cli, &["bench", "locomo", "tiny.json", "--json"]);
    // All four passages of the first conversation, 50 + 36 + 43 + 47 characters, come back for each of its
    // three questions, in one place the evidence at rank 4; the second has one passage of 45.
    let keys =
        ["recall_at_5", "recall_within_1000_chars", "ndcg_at_10", "mrr_at_10", "chars_in_10", "nothing_near"];
    let some = |values: [f64; 6]| values.map(Some).to_vec();
    assert_eq!(
        rows(&told, &keys),
        [
            ("all".into(), 4, some([1.0, 1.0, 0.857_669, 0.812_5, 143.25, 0.0])),
            ("1 multi-hop".into(), 1, some([1.0, 1.0, 1.0, 1.0, 176.0, 0.0])),
            ("3 open-domain".into(), 1, some([1.0, 1.0, 0.430_677, 0.25, 176.0, 0.0])),
            ("4 single-hop".into(), 2, some([1.0, 1.0, 1.0, 1.0, 110.5, 0.0])),
            ("5 adversarial".to_owned(), 1, vec![None, None, None, None, None, Some(1.0)]),
        ]
    );
    assert_eq!((&told["data"]["workspaces"], &told["data"]["notes"]), (&json!(2), &json!(3)));
    let cost = told["cost"].as_object().expect("costs");
    for key in ["index_seconds", "index_bytes", "search_p50_ms", "search_p95_ms"] {
        assert!(cost[key].as_f64().is_some_and(|value| value > 0.0), "{key}: {cost:?}");
    }
    assert_eq!(std::fs::read_dir(cli.home("tmp")).expect("a folder").count(), 1, "nothing is left behind");
}

#[test]
fn layouts_and_moved_dates_change_files_and_no_figure() {
    let cli = reader();
    let quality = |words: &[&str]| {
        let told = manifest(&cli, &[&["bench", "locomo", "tiny.json", "--json"], words].concat());
        let keys = ["recall_at_10", "recall_within_1000_chars", "nothing_near"];
        (rows(&told, &keys), told["data"]["notes"].as_u64())
    };
    let (as_written, notes) = quality(&[]);
    assert_eq!(notes, Some(3));
    for (words, notes) in [
        (vec!["--layout", "one-file"], 2),
        (vec!["--layout", "turn"], 5),
        (vec!["--layout", "no-headings"], 3),
        (vec!["--shift-days", "-365"], 3),
    ] {
        assert_eq!(quality(&words), (as_written.clone(), Some(notes)), "{words:?}");
    }
}

/// Two questions in the form of LongMemEval: one answered in its second session, one that nobody can answer.
fn longmemeval() -> Value {
    let turn = |role: &str, content: &str| json!({ "role": role, "content": content });
    let history = json!([
        [turn("user", "Which bread keeps longest?"), turn("assistant", "Rye,\n\n- if it is wrapped.")],
        [
            {"role": "user", "content": "I sold my blue bicycle to Tom.", "has_answer": true},
            turn("assistant", "Well done."),
        ],
    ]);
    let item = |id: &str, question: &str, answers: &[&str]| {
        json!({
            "question_id": id, "question_type": "single-session-user", "question": question, "answer": 1,
            "question_date": "2023/05/30 (Tue) 23:40", "haystack_session_ids": ["s1", "s2"],
            "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/25 (Thu) 10:00"],
            "haystack_sessions": history, "answer_session_ids": answers,
        })
    };
    json!([
        item("q1", "Was the blue bicycle sold to Tom?", &["s2"]),
        item("q2_abs", "Where did the zeppelin land?", &[])
    ])
}

#[test]
fn longmemeval_seeks_sessions_and_turns() {
    let cli = measurer().write("work/long.json", &longmemeval().to_string());
    let told = manifest(&cli, &["bench", "longmemeval", "long.json", "--json"]);
    let keys = ["document_recall_at_5", "document_ndcg_at_10", "recall_at_5", "mrr_at_10", "nothing_near"];
    let found = vec![Some(1.0), Some(1.0), Some(1.0), Some(1.0), Some(0.0)];
    assert_eq!(
        rows(&told, &keys),
        [
            ("all".into(), 1, found.clone()),
            ("abstention".into(), 1, vec![None, None, None, None, Some(1.0)]),
            ("single-session-user".to_owned(), 1, found),
        ]
    );
}

/// A folder in the form of BEIR. Of the two documents relevant to the first query one is not in the corpus.
fn beir() -> Cli {
    measurer()
        .write(
            "work/set/corpus.jsonl",
            "{\"_id\": \"d1\", \"title\": \"Kilns\", \"text\": \"A kiln fires clay.\"}\n\
             {\"_id\": \"d2\", \"text\": \"Sourdough rises overnight.\"}\n",
        )
        .write(
            "work/set/queries.jsonl",
            "{\"_id\": \"1\", \"text\": \"how is clay fired in a kiln\"}\n\
             {\"_id\": \"2\", \"text\": \"sourdough\"}\n{\"_id\": \"3\", \"text\": \"nobody judged this\"}\n",
        )
        .write(
            "work/set/qrels/test.tsv",
            "query-id\tcorpus-id\tscore\n1\td1\t1\n1\td9\t1\n2\td2\t2\n2\td1\t0\n",
        )
}

#[test]
fn beir_seeks_documents() {
    let told = manifest(&beir(), &["bench", "beir", "set", "--json"]);
    let keys = ["document_recall_at_10", "document_ndcg_at_10", "document_mrr_at_10"];
    // The first: one of two found, at rank 1: 1 over 1 + 1/log2(3). The second: found at rank 1.
    assert_eq!(rows(&told, &keys), [("all".to_owned(), 2, vec![Some(0.75), Some(0.806_574), Some(1.0)])]);
    assert_eq!(told["data"]["notes"], json!(2));
}

#[test]
fn data_in_another_form_is_told_with_what_is_wrong() {
    let cli = measurer().write("work/odd.json", "{\"a\": 1}").write("work/set/corpus.jsonl", "no\n");
    cli.run(["bench", "locomo", "odd.json"])
        .exits(1)
        .mentions("odd.json is no such data: invalid type: map, expected a JSON list")
        .mentions("docs/guides/benchmark.md lists the accepted formats");
    cli.run(["bench", "locomo", "none.json"]).exits(3);
    cli.run(["bench", "beir", "set"]).exits(3);
    cli.run(["bench", "locomo", "odd.json", "--out", "no/such/folder"]).exits(1);
}

#[test]
fn manifests_of_the_same_data_stand_side_by_side_and_others_are_refused() {
    let cli = reader().write("work/other.json", &json!([locomo()[1]]).to_string());
    cli.run(["bench", "locomo", "tiny.json", "--out", "a.json", "--json"]).exits(0);
    cli.run(["bench", "locomo", "tiny.json", "--layout", "turn", "--out", "b.json"]).exits(0);
    cli.run(["bench", "locomo", "other.json", "--out", "c.json", "-q"]).exits(0);
    let told = manifest(&cli, &["bench", "compare", "a.json", "b.json", "--json"]);
    assert_eq!(told["conditions"], json!({ "layout": ["session", "turn"] }));
    let first = &told["quality"][0];
    assert_eq!(
        (&first["group"], &first["key"], &first["a"], &first["difference"]),
        (&json!("all"), &json!("recall_at_5"), &json!(1.0), &json!(0.0))
    );
    let refused = cli.run(["bench", "compare", "a.json", "c.json"]).exits(4);
    let said = refused.stderr();
    assert!(said.starts_with("error: The data differ: tiny.json (sha256 "), "{said}");
    assert!(said.contains("hint: Results on different data are not comparable"), "{said}");
    cli.run(["bench", "compare", "a.json", "tiny.json"]).exits(1);
}

/// What the guide names, small and made for it, under the names it has there.
#[test]
fn every_command_of_the_guide_runs_and_says_something() {
    let guide = include_str!("../../../../docs/guides/benchmark.md");
    let cli = beir()
        .write("work/locomo10.json", &locomo().to_string())
        .write("work/longmemeval_s_cleaned.json", &longmemeval().to_string());
    std::fs::rename(cli.work("set"), cli.work("scifact")).expect("renamed");
    let blocks = guide.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    let mut count = 0;
    for line in blocks.flat_map(str::lines) {
        let words: Vec<&str> = line.split_whitespace().skip(1).collect();
        assert!(!cli.run_words(&words).stdout().is_empty(), "`{line}` says nothing");
        count += 1;
    }
    assert!(count >= 14, "the guide shows every benchmark: {count}");
}

/// A manifest differs from that of another run in date and costs alone.
#[test]
fn the_same_run_twice_tells_the_same() {
    let cli = measurer();
    let told = || {
        let mut told = manifest(&cli, &["bench", "scale", "100", "--json"]);
        for part in ["date", "cost"] {
            told.as_object_mut().expect("a manifest").remove(part);
        }
        told
    };
    assert_eq!(told(), told());
}

#[test]
fn progress_is_drawn_for_nobody_who_does_not_watch() {
    measurer().run(["bench", "scale", "50"]).says(expect![[""]]);
}

#[test]
fn age_alone_takes_nothing_away() {
    let cli = reader();
    let told = manifest(&cli, &["bench", "rot", "tiny.json", "--json"]);
    let rows = rows(&told, &["recall_at_10", "ndcg_at_10", "mrr_at_10"]);
    let names: Vec<&str> = rows.iter().map(|(name, _, _)| name.as_str()).collect();
    let first =
        ["1 as written", "2 asked a year later", "3 dates a year back", "4 among as many notes of others"];
    assert_eq!(names, first, "two conversations have one other each");
    let as_written = [1.0, 0.857_669, 0.812_5].map(Some);
    assert_eq!(rows[0].2, as_written, "as computed by hand above");
    assert_eq!(rows[1].2, as_written, "asked a year later");
    assert_eq!(rows[2].2, as_written, "dates a year back");
    let said = cli.run(["bench", "rot", "tiny.json"]).stderr();
    assert_eq!(said.matches("was left out").count(), 3, "{said}");
}

/// A question without a word of its answer: words find nothing, a model does.
#[test]
fn meaning_is_measured_when_it_is_asked_for_and_told_in_the_manifest() {
    let turn = |id: &str, text: &str| json!({ "dia_id": id, "speaker": "Ana", "text": text });
    let list = json!([{
        "sample_id": "one",
        "conversation": {
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [turn("D1:1", "The cat sleeps on the warm stove."), turn("D1:2", "Buy flour.")],
        },
        "qa": [{ "question": "where is my kitten", "category": 4, "evidence": ["D1:1"], "answer": 1 }],
    }]);
    let cli = |folder: &str| {
        measurer().write("work/cat.json", &list.to_string()).env("INWIT_EMBEDDING_FOLDER", folder)
    };
    let without = cli("/nowhere/all-MiniLM-L6-v2");
    let error = without.run(["bench", "locomo", "cat.json", "--embed", "--json"]).exits(3).json_error();
    assert_eq!(error["error"]["code"], "model_missing");
    let broken = cli("/nowhere/model").env("INWIT_EMBEDDING_PROVIDER", "local");
    let error = broken.run(["bench", "locomo", "cat.json", "--embed", "--json"]).exits(3).json_error();
    assert_eq!(error["error"]["code"], "model_missing", "words alone are not passed off as meaning");

    let Some(folder) = inwit_testkit::model::model() else { return };
    let cli = cli(folder.to_str().expect("UTF-8"));
    let words = manifest(&cli, &["bench", "locomo", "cat.json", "--json"]);
    let meaning = manifest(&cli, &["bench", "locomo", "cat.json", "--embed", "--json"]);
    let found = |told: &Value| told["quality"][0]["figures"]["recall_at_5"].as_f64();
    assert_eq!((found(&words), found(&meaning)), (Some(0.0), Some(1.0)), "{words} {meaning}");
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned());
    assert_eq!(words["settings"]["embedding"], "none");
    assert_eq!(meaning["settings"]["embedding"].as_str(), name.as_deref());
    assert_eq!(meaning["cost"]["embedded_passages"], 2.0);
    assert_eq!(words["cost"]["embedded_passages"], Value::Null);
}
