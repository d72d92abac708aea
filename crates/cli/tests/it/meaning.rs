//! Search by meaning as a person meets it: without a model, with one, and with one that is broken.

mod caches;

use inwit_testkit::server::{Reply, Server};
use inwit_testkit::{Chance, Cli, Tree, fixture, secret};

use self::caches::cache;
use crate::newcomer;

const NOTES: &[u8] =
    b"# Notes\n\n- The cat sleeps on the warm stove.\n\n## Errands\n\n- Buy flour and yeast.\n";

/// Agent `main` with two notes, and the model where `folder` says.
fn home(folder: &str) -> Cli {
    let home = newcomer().env("PATH", "/usr/local/bin:/usr/bin:/bin").env("INWIT_EMBEDDING_FOLDER", folder);
    home.run(["init", "--timezone", "UTC"]).mentions("Agent `main` is in");
    fixture::put(&home.home("inwit/agents/main/workspace"), "memory/2026-11-20.md", NOTES);
    home
}

/// Proves R33, R64, X48, R15.
#[test]
fn without_a_model_words_answer_and_what_needs_one_says_so() {
    let home = home("/nowhere/all-MiniLM-L6-v2");
    let answer = home.run(["search", "flour", "--json"]).json();
    assert!(answer["notices"].as_array().is_none_or(Vec::is_empty), "auto asks for nothing: {answer}");
    assert!(answer["results"][0]["text"].as_str().is_some_and(|text| text.contains("flour")), "{answer}");
    assert!(!home.home("inwit/agents/main/embeddings.db").exists(), "nothing is stored of vectors unasked");
    let error = home.run(["index", "embed", "--json"]).exits(3).json_error();
    assert_eq!(error["error"]["code"], "model_missing");
    assert!(
        error["error"]["hint"].as_str().is_some_and(|hint| hint.contains("inwit index model install")),
        "{error}"
    );

    home.run(["config", "set", "embedding.provider", "local"]).exits(0);
    let answer = home.run(["search", "flour", "--json"]).json();
    assert_eq!(answer["notices"][0]["code"], "meaning_unused");
    assert!(answer["results"][0]["text"].as_str().is_some_and(|text| text.contains("flour")), "{answer}");
}

/// Proves C7, C8, R64.
#[test]
fn with_a_model_a_note_is_found_by_what_it_means_and_the_parts_of_its_score_add_up() {
    let Some(folder) = inwit_testkit::model::model() else { return };
    let home = home(folder.to_str().expect("UTF-8"));
    home.run(["search", "where is my kitten", "--json"]).mentions("embeddings_pending");
    home.run(["index", "embed"]).mentions("passages embedded with");
    assert!(home.home("inwit/agents/main/embeddings.db").is_file(), "a small database beside the notes");
    let answer = home.run(["search", "where is my kitten", "--explain", "--json"]).json();
    let first = &answer["results"][0];
    assert!(first["text"].as_str().is_some_and(|text| text.contains("The cat sleeps")), "{answer}");
    let parts = first["parts"].as_object().expect("parts");
    let sum: f64 = parts.values().filter_map(serde_json::Value::as_f64).sum();
    assert!((sum - first["score"].as_f64().expect("a score")).abs() < 1e-5, "{first}");
    assert!(answer["explain"]["nearest"].as_f64().is_some_and(|cosine| cosine > 0.3), "{answer}");
    let words = home.run(["search", "where is my kitten", "--no-embed", "--json"]).json();
    assert_eq!(words["results"].as_array().map(Vec::len), Some(0), "{words}");

    // What a session wrote has its vector when the session has ended.
    let workspace = home.home("inwit/agents/main/workspace");
    fixture::put(&workspace, "memory/2026-11-21.md", b"- A hedgehog lives under the shed.\n");
    let id = home.run(["session", "start"]).json()["session"].as_str().expect("an id").to_owned();
    home.run(["session", "end", "--input", &format!("{{\"session\":\"{id}\"}}")]).exits(0);
    let filled = home.run(["index", "embed", "--json"]).json();
    assert_eq!((&filled["embedded"], &filled["waiting"]), (&0.into(), &0.into()), "{filled}");
    home.run(["search", "small spiny animal in the garden"]).mentions("hedgehog");
}

#[test]
fn it_is_told_why_a_passage_is_not_among_the_answers() {
    let home = home("/nowhere/all-MiniLM-L6-v2");
    let workspace = home.home("inwit/agents/main/workspace");
    let many: String = (0..12).map(|at| format!("- The oven is hot, for the {at}th time.\n")).collect();
    fixture::put(&workspace, "memory/2026-11-18.md", many.as_bytes());
    fixture::put(&workspace, "MEMORY.md", b"# MEMORY\n\n- Somewhere there is an oven, and beside it a long sentence about other things that matter little.\n");
    fixture::put(&workspace, "DREAMS.md", b"# DREAMS.md\n\nA dream of an oven.\n");
    let why = |text: &str, query: &[&str]| {
        let args = [&["search", "--why-not", text, "--json"], query].concat();
        home.run_words(&args).json()["passages"][0].clone()
    };
    assert_eq!(why("Buy flour", &["flour"])["rank"], 1);
    let outranked = why("Somewhere there is", &["hot oven"]);
    assert_eq!(outranked["why"], "outranked", "{outranked}");
    assert!(
        outranked["rank"].as_u64().is_some_and(|rank| rank > 10)
            && outranked["parts"]["words"].as_f64() > Some(0.0)
    );
    assert_eq!(why("Buy flour", &["zeppelin"])["why"], "no_match");
    assert_eq!(why("buy FLOUR", &[])["why"], "searched");
    assert_eq!(why("A dream of", &["oven"])["why"], "not_searched");
    // A room learns nothing of what stands in private files, not even that it is there.
    home.run(["search", "flour", "--why-not", "Buy flour", "--room", "kitchen"])
        .exits(3)
        .mentions("No file contains the words");
    home.run(["search", "hot oven", "--why-not", "Somewhere there is"]).mentions("and 10 are shown");
    home.run(["search", "--why-not", "nobody wrote this"]).exits(3).mentions("No file contains the words");
    let recalls = home.run(["show", "stats", "--json"]).json();
    assert_eq!(
        recalls["recall_events_7d"].as_u64().unwrap_or_default(),
        0,
        "dreams hear of none of it: {recalls}"
    );
}

/// A provider reads passages and the question, the key goes into its header alone, and what did not pass the gate
/// goes nowhere.
#[test]
fn a_provider_is_sent_what_is_asked_and_nothing_that_did_not_pass_the_gate() {
    let secret = secret::positives("github_pat", 1, &mut Chance::of(7)).remove(0).value;
    let answers = [r#"{"embeddings":[[1.0,0.0],[0.0,2.0]]}"#, r#"{"embeddings":[[3.0,0.0]]}"#];
    let server = Server::answering(answers.iter().map(Reply::good).collect());
    // What the environment says of a proxy is said to other programs.
    let proxy = Server::answering(Vec::new());
    let home = newcomer()
        .write("work/notes/memory/2026-11-20.md", &format!("- The cat sleeps.\n- The token is {secret}\n"))
        .env("ALL_PROXY", &proxy.url)
        .env("HTTP_PROXY", &proxy.url)
        .env("INWIT_EMBEDDING_PROVIDER", "ollama")
        .env("INWIT_EMBEDDING_URL", &server.url)
        .env("INWIT_EMBEDDING_MODEL", "tiny")
        .env("INWIT_EMBEDDING_DIMENSION", "2")
        .env("EMBEDDING_API_KEY", "open-sesame");
    home.run(["index", "embed", "-w", "notes"]).mentions("2 passages embedded with tiny");
    let answer = home.run(["search", "where is my kitten", "-w", "notes", "--json", "--explain"]).json();
    assert!(
        answer["results"][0]["text"].as_str().is_some_and(|text| text.contains("The cat sleeps")),
        "{answer}"
    );
    assert_eq!(answer["explain"]["model"], "tiny");

    assert_eq!(
        proxy.requests().len(),
        0,
        "private words go to the host that was named, and through no other"
    );
    let asked = server.requests();
    assert!(asked[0].line.starts_with("POST /api/embed"), "{asked:?}");
    assert!(asked[0].body.contains("The cat sleeps") && asked[0].body.contains("[masked"), "{asked:?}");
    assert!(asked[1].body.contains("where is my kitten"), "{asked:?}");
    for request in &asked {
        assert!(
            !request.body.contains(&secret) && request.head.contains("authorization: bearer open-sesame")
        );
    }
    home.run(["config", "list", "--json"]).hides("open-sesame");

    // The provider has nothing more to say: words answer, and the answer says why.
    let answer = home.run(["search", "cat", "-w", "notes", "--json"]).hides("open-sesame").json();
    let codes: Vec<&str> =
        answer["notices"].as_array().into_iter().flatten().filter_map(|told| told["code"].as_str()).collect();
    assert_eq!(codes, ["meaning_unused"], "{answer}");
    assert!(answer["results"][0]["text"].as_str().is_some_and(|text| text.contains("The cat sleeps")));
}

/// Names that other programs read too send nothing anywhere, whatever they hold, but under the profile that has them.
#[test]
fn a_general_name_of_a_provider_counts_under_its_profile_alone() {
    let server = Server::answering(vec![Reply::good(r#"{"data":[{"index":0,"embedding":[1.0,0.0]}]}"#)]);
    let home = newcomer()
        .write("work/notes/memory/2026-11-20.md", "- The cat sleeps.\n")
        .env("EMBEDDING_URL", &server.url)
        .env("EMBEDDING_MODEL", "tiny")
        .env("EMBEDDING_DIMENSION", "many")
        .env("EMBEDDING_PROVIDER", "http");
    home.run(["search", "cat", "-w", "notes"]).mentions("The cat sleeps");
    home.run(["index", "embed", "-w", "notes"]).exits(3);
    home.run(["config", "get", "embedding.url"]).hides(&server.url);
    assert!(
        server.requests().is_empty(),
        "nothing was asked of an address that was meant for another program"
    );

    let home = home.env("INWIT_PROFILE", "minara");
    home.run(["search", "cat", "-w", "notes"]).exits(2).mentions("EMBEDDING_DIMENSION is invalid");
    let home = home.env("EMBEDDING_DIMENSION", "2");
    home.run(["config", "list", "--origin"]).mentions("environment EMBEDDING_URL");
    home.run(["index", "embed", "-w", "notes"]).mentions("1 passages embedded with tiny");
}

/// What other systems say of their embedder is understood as they say it, and kept while nobody makes vectors.
///
/// Proves R34, X48.
#[test]
fn the_settings_of_an_embedder_are_kept_while_it_is_off_and_used_when_it_is_on() {
    let answers = [r#"{"data":[{"index":0,"embedding":[1.0,0.0]}]}"#];
    let server = Server::answering(answers.iter().map(Reply::good).collect());
    let home = newcomer()
        .write("work/notes/memory/2026-11-20.md", "- The cat sleeps.\n")
        .env("INWIT_EMBEDDING_URL", &format!("{}/v1", server.url))
        .env("INWIT_EMBEDDING_DIMENSION", "2")
        .env("INWIT_EMBEDDING_MODEL", "text-embedding-3-large")
        .env("OPENAI_API_KEY", "open-sesame");
    let off = home.env("INWIT_EMBEDDING_PROVIDER", "disabled");
    off.run(["search", "cat", "-w", "notes"]).mentions("The cat sleeps");
    off.run(["index", "embed", "-w", "notes"]).exits(3);
    off.run(["config", "get", "embedding.model"]).mentions("text-embedding-3-large");
    assert!(server.requests().is_empty(), "what is off is never asked");

    let on = off.env("INWIT_EMBEDDING_PROVIDER", "openai");
    on.run(["index", "embed", "-w", "notes"]).mentions("1 passages embedded with text-embedding-3-large");
    // The server has no more answers; what it is asked for tells what `openai` means by itself.
    let on = on.env("INWIT_EMBEDDING_MODEL", "");
    on.run(["index", "embed", "-w", "notes"]).exits(1);
    let asked = server.requests();
    assert!(asked.len() > 1 && asked.iter().all(|asked| asked.line.starts_with("POST /v1/embeddings")));
    assert!(asked.iter().all(|asked| asked.head.contains("authorization: bearer open-sesame")), "{asked:?}");
    assert!(asked[0].body.contains("\"text-embedding-3-large\"") && asked[0].body.contains("The cat"));
    assert!(asked[1].body.contains("\"text-embedding-3-small\""), "{asked:?}");
}

#[test]
fn a_provider_that_is_half_configured_says_what_is_missing() {
    let home = newcomer()
        .write("work/notes/memory/2026-11-20.md", "- The cat sleeps.\n")
        .env("INWIT_EMBEDDING_PROVIDER", "http");
    let answer = home.run(["search", "cat", "-w", "notes", "--json"]).json();
    assert_eq!(answer["results"].as_array().map(Vec::len), Some(1));
    let told = answer["notices"][0]["message"].as_str().expect("a notice");
    assert!(told.contains("needs the setting `embedding.url`"), "{told}");
    home.run(["index", "embed", "-w", "notes"]).exits(2).mentions("embedding.url");
    let far = home.env("INWIT_EMBEDDING_URL", "http://example.com").env("INWIT_EMBEDDING_MODEL", "tiny");
    far.run(["index", "embed", "-w", "notes"])
        .exits(2)
        .mentions("plain http is allowed only to this machine");
}

/// A provider that takes connections and never answers costs one command its wait, and the next ones nothing.
#[test]
fn a_provider_that_stands_still_is_waited_for_once() {
    let server = Server::answering(vec![Reply::Held(Vec::new()), Reply::Held(Vec::new())]);
    let home = newcomer()
        .write("work/notes/memory/2026-11-20.md", "- The cat sleeps.\n")
        .env("INWIT_EMBEDDING_PROVIDER", "ollama")
        .env("INWIT_EMBEDDING_URL", &server.url)
        .env("INWIT_EMBEDDING_MODEL", "tiny")
        .env("INWIT_EMBEDDING_QUESTION_WAIT_MS", "60");
    let told = |command: &[&str]| {
        let answer = home.run_words(&[command, &["-w", "notes", "--json"]].concat()).json();
        let of_meaning: Vec<String> = answer["notices"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|told| told["code"] == "meaning_unused")
            .filter_map(|told| told["message"].as_str().map(str::to_owned))
            .collect();
        of_meaning
    };
    let first = told(&["search", "cat"]);
    assert_eq!(first.len(), 1, "{first:?}");
    assert!(first[0].contains("took longer than 0.06 s"), "{first:?}");
    let next = told(&["search", "cat"]);
    assert_eq!(next.len(), 1, "{next:?}");
    assert!(next[0].contains("did not answer an earlier query in time"), "{next:?}");
    home.run(["status", "-w", "notes"]).mentions("not used yet");
    assert_eq!(server.requests().len(), 1, "one of three commands asked it");
    // Another address is another provider.
    let other = Server::answering(vec![Reply::good(r#"{"embeddings":[[1,0]]}"#)]);
    home.env("INWIT_EMBEDDING_URL", &other.url).run(["search", "cat", "-w", "notes"]).mentions("cat sleeps");
    assert_eq!(other.requests().len(), 1);
}

/// The end of a session fills a few vectors, and does not wait for passages where a question is not answered.
#[test]
fn a_session_ends_without_waiting_for_a_provider_that_stands_still() {
    let server = Server::answering(vec![
        Reply::good(r#"{"embeddings":[[1,0]]}"#),
        Reply::Held(Vec::new()),
        Reply::Held(Vec::new()),
    ]);
    let home = newcomer()
        .write("work/notes/memory/2026-11-20.md", "- The cat sleeps.\n")
        .env("INWIT_EMBEDDING_PROVIDER", "ollama")
        .env("INWIT_EMBEDDING_URL", &server.url)
        .env("INWIT_EMBEDDING_MODEL", "tiny")
        .env("INWIT_EMBEDDING_DIMENSION", "2")
        .env("INWIT_EMBEDDING_QUESTION_WAIT_MS", "60");
    home.run(["index", "embed", "-w", "notes"]).mentions("1 passages embedded");
    let home = home.write("work/notes/memory/2026-11-21.md", "- The dog barks.\n");
    drop(home.run(["session", "start", "-w", "notes", "--input", r#"{"session":"one"}"#]));
    let ended = home.run(["session", "end", "-w", "notes", "--input", r#"{"session":"one"}"#]).json();
    let codes: Vec<&str> =
        ended["notices"].as_array().into_iter().flatten().filter_map(|told| told["code"].as_str()).collect();
    assert!(codes.contains(&"not_embedded"), "{ended}");
    assert_eq!(server.requests().len(), 2, "one question, and no passages");
}

/// A home with two notes and a provider at `url`; vectors have two numbers.
fn with_provider(url: &str) -> Cli {
    newcomer()
        .write("work/notes/memory/2026-11-20.md", "- The cat sleeps.\n")
        .env("INWIT_EMBEDDING_PROVIDER", "ollama")
        .env("INWIT_EMBEDDING_URL", url)
        .env("INWIT_EMBEDDING_MODEL", "tiny")
        .env("INWIT_EMBEDDING_QUESTION_WAIT_MS", "1000")
}

/// The codes of what an answer has to say.
fn told(answer: &serde_json::Value) -> Vec<&str> {
    answer["notices"].as_array().into_iter().flatten().filter_map(|told| told["code"].as_str()).collect()
}

/// The hint to a failure of a provider is about the provider.
#[test]
fn a_provider_that_fails_is_told_with_what_to_look_at() {
    let no_json = || Reply::good("no JSON");
    for reply in [|| Reply::status("401 Unauthorized"), || Reply::status("400 Bad Request"), no_json] {
        let server = Server::answering((0..4).map(|_| reply()).collect());
        let home = with_provider(&server.url).env("INWIT_EMBEDDING_DIMENSION", "2");
        let answer = home.run(["search", "cat", "-w", "notes", "--json"]).json();
        let hint = answer["notices"][0]["hint"].as_str().expect("a hint");
        assert!(hint.contains("embedding.url") && hint.contains("inwit doctor"), "{answer}");
        assert!(!hint.contains("model verify"), "{hint}");
    }
}

/// The provider is left alone after a slow question, its dimension is not configured: that nothing is filled is said.
#[test]
fn a_session_that_ends_while_a_provider_is_left_alone_says_that_nothing_was_filled() {
    let vector = || Reply::good(r#"{"embeddings":[[1,0]]}"#);
    let server = Server::answering(vec![vector(), vector(), Reply::Held(Vec::new()), vector(), vector()]);
    let home = with_provider(&server.url);
    home.run(["index", "embed", "-w", "notes"]).mentions("1 passages embedded");
    home.run(["search", "cat", "-w", "notes"]).mentions("The cat sleeps");
    let home = home.write("work/notes/memory/2026-11-21.md", "- The dog barks.\n");
    drop(home.run(["session", "start", "-w", "notes", "--input", r#"{"session":"one"}"#]));
    let ended = home.run(["session", "end", "-w", "notes", "--input", r#"{"session":"one"}"#]).json();
    assert!(told(&ended).contains(&"not_embedded"), "{ended}");
}

/// Vectors are derived from the files: without them words answer, and after an edit no vector of the old words does.
///
/// Proves R2.
#[test]
fn vectors_hold_nothing_that_the_files_do_not_and_can_be_thrown_away() {
    let vector = || Reply::good(r#"{"embeddings":[[1,0]]}"#);
    let server = Server::answering((0..8).map(|_| vector()).collect());
    let home = with_provider(&server.url).env("INWIT_EMBEDDING_DIMENSION", "2");
    let before = Tree::of(&home.work("notes"));
    let embed =
        |home: &Cli| drop(home.run(["index", "embed", "-w", "notes"]).mentions("1 passages embedded"));
    let found =
        |home: &Cli| home.run(["search", "cat", "-w", "notes", "--json"]).json()["results"].to_string();
    embed(&home);
    assert!(found(&home).contains("The cat sleeps."));
    std::fs::remove_file(cache(&home)).expect("removed");
    assert!(found(&home).contains("The cat sleeps."), "words answer");
    assert_eq!(
        Tree::of(&home.work("notes")),
        before,
        "neither the model nor the search wrote into the notes"
    );
    embed(&home);
    let home = home.write("work/notes/memory/2026-11-20.md", "- The dog barks.\n");
    assert!(!found(&home).contains("The cat sleeps."), "{}", found(&home));
}

/// Proves R15, R27.
#[test]
fn no_vector_is_stored_unless_somebody_asked_for_it() {
    let lives = |home: &Cli| {
        home.run(["search", "flour"]).mentions("Buy flour");
        home.run(["remember", "Ana bakes"]).exits(0);
        home.run(["session", "start", "--input", r#"{"session":"one"}"#]).exits(0);
        let turn = r#"{"session":"one","user":{"text":"We bake on Friday."},"assistant":"Good."}"#;
        home.run(["session", "turn", "--input", turn]).exits(0);
        home.run(["session", "end", "--input", r#"{"session":"one"}"#]).exits(0);
        let begin = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
        let asks = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"memory_search","arguments":{"query":"flour"}}}"#;
        home.run_with(["mcp", "--main"], &format!("{begin}\n{asks}\n")).mentions("Buy flour");
        assert!(!home.home("inwit/agents/main/embeddings.db").exists());
    };
    let without_a_model = home("/nowhere/all-MiniLM-L6-v2");
    assert_eq!(without_a_model.run(["config", "get", "embedding.provider"]).stdout(), "auto\n");
    lives(&without_a_model);
    let Some(folder) = inwit_testkit::model::model() else { return };
    lives(&home(folder.to_str().expect("UTF-8")).env("INWIT_EMBEDDING_PROVIDER", "disabled"));
}
