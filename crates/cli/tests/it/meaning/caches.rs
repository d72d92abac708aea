//! Caches of vectors and models that are damaged, cut, newer or gone.

use super::*;

/// The one cache of vectors of a home.
pub(super) fn cache(home: &Cli) -> std::path::PathBuf {
    let agents = std::fs::read_dir(home.home("inwit/agents")).expect("agents").filter_map(Result::ok);
    let mut caches = agents.map(|agent| agent.path().join("embeddings.db")).filter(|path| path.is_file());
    caches.next().expect("a cache")
}

/// Vectors of a provider were paid for, so that they are gone is said; to the owner, and once.
#[test]
fn a_cache_of_vectors_that_was_damaged_is_told_of() {
    let vector = || Reply::good(r#"{"embeddings":[[1,0]]}"#);
    for damage in [&[0x5a; 9000][..], b""] {
        let server = Server::answering((0..6).map(|_| vector()).collect());
        let home = with_provider(&server.url).env("INWIT_EMBEDDING_DIMENSION", "2");
        home.run(["index", "embed", "-w", "notes"]).mentions("1 passages embedded");
        let path = cache(&home);
        let spoil = || fixture::put(path.parent().expect("a folder"), "embeddings.db", damage);
        spoil();
        let ask = ["search", "cat", "-w", "notes", "--json"];
        let answer = home.run(ask).json();
        assert_eq!(told(&answer), ["vectors_were_damaged", "embeddings_pending"], "{answer}");
        assert_eq!(told(&home.run(ask).json()), ["embeddings_pending"]);
        spoil();
        let room = home.run_words(&[&ask[..], &["--room", "kitchen"]].concat()).json();
        assert!(!told(&room).contains(&"vectors_were_damaged"), "{room}");
        spoil();
        home.run(["index", "embed", "-w", "notes"]).mentions("embeddings.db").mentions("1 passages embedded");
    }
}

/// What a newer inwit made is not ours to throw away.
#[test]
fn a_cache_of_vectors_of_a_newer_version_is_left_as_it_is() {
    let vector = || Reply::good(r#"{"embeddings":[[1,0]]}"#);
    let server = Server::answering((0..4).map(|_| vector()).collect());
    let home = with_provider(&server.url).env("INWIT_EMBEDDING_DIMENSION", "2");
    home.run(["index", "embed", "-w", "notes"]).mentions("1 passages embedded");
    let path = cache(&home);
    let mut bytes = std::fs::read(&path).expect("the cache");
    // `user_version` stands at byte 60 of the first page.
    bytes[60..64].copy_from_slice(&999u32.to_be_bytes());
    fixture::put(path.parent().expect("a folder"), "embeddings.db", &bytes);
    let answer = home.run(["search", "cat", "-w", "notes", "--json"]).json();
    assert_eq!(told(&answer), ["meaning_unused"], "{answer}");
    let message = answer["notices"][0]["message"].as_str().expect("a sentence");
    assert!(message.contains("embeddings.db") && message.contains("newer version of inwit"), "{message}");
    assert!(answer["results"][0]["text"].as_str().is_some_and(|text| text.contains("The cat sleeps")));
    home.run(["index", "embed", "-w", "notes"]).exits(1).mentions("newer version of inwit");
    let after = std::fs::read(&path).expect("the cache");
    assert_eq!(after[60..64], 999u32.to_be_bytes());
    assert_eq!(after.len(), bytes.len());
}

/// The codes of what doctor finds about a model and its vectors.
fn found(home: &Cli) -> Vec<String> {
    let said = home.run(["doctor", "-w", "notes", "--json"]).json();
    let findings = said["findings"].as_array().expect("findings").iter();
    let checks = findings.filter_map(|finding| finding["check"].as_str());
    checks
        .filter(|check| check.starts_with("model_") || check.starts_with("vectors_"))
        .map(str::to_owned)
        .collect()
}

/// A cache that cannot be read is no reason to build the index of passages anew, to count nothing of what there is, or
/// to say that there is no model.
#[test]
fn a_cache_of_vectors_that_cannot_be_read_is_told_once_and_costs_nothing_else() {
    let vector = || Reply::good(r#"{"embeddings":[[1,0]]}"#);
    let server = Server::answering((0..9).map(|_| vector()).collect());
    let home = with_provider(&server.url).env("INWIT_EMBEDDING_DIMENSION", "2");
    home.run(["facts", "add", "Ana bakes.", "-w", "notes"]).exits(0);
    home.run(["index", "embed", "-w", "notes"]).mentions("1 passages embedded");
    let path = cache(&home);
    let agent = path.parent().expect("a folder").to_owned();
    let mut bytes = std::fs::read(&path).expect("the cache");
    bytes[60..64].copy_from_slice(&999u32.to_be_bytes());
    fixture::put(&agent, "embeddings.db", &bytes);
    let index =
        || std::fs::metadata(agent.join("index.db")).map(|file| std::os::unix::fs::MetadataExt::ino(&file));
    let before = index().expect("an index");

    let status = home.run(["status", "-w", "notes", "--json"]).json();
    assert_eq!(told(&status), ["vectors_unavailable"], "{status}");
    let hint = status["notices"][0]["hint"].as_str().expect("a hint");
    assert!(hint.contains("embeddings.db") && !hint.contains("index rebuild"), "{hint}");
    home.run(["status", "-w", "notes"]).mentions("the embeddings cannot be read");
    assert_eq!(found(&home), ["model_unusable"]);
    let health = home.run(["doctor", "-w", "notes", "--json"]).json()["health"].clone();
    assert_eq!((&health["facts"], health.get("vectors")), (&1.into(), None), "{health}");
    let answer = home.run(["search", "cat", "-w", "notes", "--json"]).json();
    assert_eq!(told(&answer), ["meaning_unused"], "{answer}");
    assert!(
        answer["notices"][0]["hint"].as_str().is_some_and(|hint| hint.contains("embeddings.db")),
        "{answer}"
    );
    assert_eq!(answer["results"][0]["citation"], "memory/2026-11-20.md#L1");
    let error = home.run(["index", "embed", "-w", "notes", "--json"]).exits(1).json_error();
    assert_eq!(error["error"]["code"], "vectors_unavailable");
    assert_eq!(index().expect("it stands"), before, "the index of passages is the one it was");
}

/// The first command reports that vectors are gone; later ones do not repeat it.
#[test]
fn a_cache_of_vectors_that_was_damaged_is_told_by_status_and_doctor() {
    let vector = || Reply::good(r#"{"embeddings":[[1,0]]}"#);
    let server = Server::answering((0..9).map(|_| vector()).collect());
    let home = with_provider(&server.url).env("INWIT_EMBEDDING_DIMENSION", "2");
    home.run(["index", "embed", "-w", "notes"]).mentions("1 passages embedded");
    let path = cache(&home);
    let spoil = || fixture::put(path.parent().expect("a folder"), "embeddings.db", &[0x5a; 9000]);
    spoil();
    let status = || home.run(["status", "-w", "notes", "--json"]).json();
    assert_eq!(told(&status()), ["vectors_were_damaged"]);
    assert_eq!(told(&status()), [""; 0]);
    spoil();
    assert_eq!(found(&home), ["vectors_lost", "vectors_waiting"]);
    assert_eq!(found(&home), ["vectors_waiting"]);
}

/// `status` reports a truncated model too, without running it.
#[test]
fn a_model_that_was_cut_is_told_and_words_answer() {
    let Some(whole) = inwit_testkit::model::model() else { return };
    let home = home("/nowhere/all-MiniLM-L6-v2");
    let cut = home.home("cut");
    for file in ["config.json", "vocab.txt"] {
        fixture::put(&cut, file, &std::fs::read(whole.join(file)).expect("a file of the model"));
    }
    let mut head = vec![0; 200_000];
    let mut weights = std::fs::File::open(whole.join("model.safetensors")).expect("weights");
    std::io::Read::read_exact(&mut weights, &mut head).expect("their beginning");
    fixture::put(&cut, "model.safetensors", &head);
    let home = home.env("INWIT_EMBEDDING_FOLDER", cut.to_str().expect("UTF-8"));
    let status = home.run(["status", "--json"]).json();
    assert_eq!(told(&status), ["model_damaged"], "{status}");
    let notice = &status["notices"][0];
    assert!(notice["message"].as_str().is_some_and(|said| said.contains("may have been cut")), "{notice}");
    assert!(
        notice["hint"].as_str().is_some_and(|hint| hint.contains("inwit index model install")),
        "{notice}"
    );
    let answer = home.run(["search", "flour", "--json"]).json();
    assert_eq!(told(&answer), ["meaning_unused"], "{answer}");
    assert!(answer["results"][0]["text"].as_str().is_some_and(|text| text.contains("flour")), "{answer}");
    let said = home.run(["doctor", "--json"]).json();
    let findings = said["findings"].as_array().expect("findings");
    assert_eq!(findings.iter().filter(|finding| finding["check"] == "model_unusable").count(), 1, "{said}");
}

/// The model of the tests in a folder of its own, where a file of it can be another one.
fn apart(model: &std::path::Path, folder: &std::path::Path) {
    std::fs::create_dir_all(folder).expect("a folder");
    for file in ["config.json", "vocab.txt"] {
        std::fs::copy(model.join(file), folder.join(file)).expect("copied");
    }
    std::os::unix::fs::symlink(model.join("model.safetensors"), folder.join("model.safetensors"))
        .expect("linked");
}

/// A vocabulary that was cut gave vectors of other words, which stayed when the model was whole again.
#[test]
fn a_model_with_other_words_makes_no_vectors_and_says_so_once() {
    let Some(model) = inwit_testkit::model::model() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().join("all-MiniLM-L6-v2");
    apart(&model, &folder);
    let words = std::fs::read_to_string(model.join("vocab.txt")).expect("read");
    let home = home(folder.to_str().expect("UTF-8"));
    let cut: String = words.lines().take(1_000).map(|line| format!("{line}\n")).collect();
    let swapped = words.replacen("\ncat\n", "\nc4t\n", 1);
    for (bad, says) in [(&cut, "bytes"), (&swapped, "SHA-256")] {
        fixture::put(&folder, "vocab.txt", bad.as_bytes());
        let error = home.run(["index", "embed", "--json"]).exits(1).json_error();
        assert_eq!(error["error"]["code"], "model_damaged", "{error}");
        let answer = home.run(["search", "flour", "--json"]).json();
        let notices = answer["notices"].as_array().expect("notices");
        let unused: Vec<_> = notices.iter().filter(|notice| notice["code"] == "meaning_unused").collect();
        assert_eq!(unused.len(), 1, "{answer}");
        assert!(
            unused[0]["message"]
                .as_str()
                .is_some_and(|told| told.contains("vocab.txt") && told.contains(says))
        );
        assert!(
            unused[0]["hint"].as_str().is_some_and(|hint| hint.contains("inwit index model install")),
            "{answer}"
        );
        assert!(answer["results"][0]["text"].as_str().is_some_and(|text| text.contains("flour")), "{answer}");
        home.run(["doctor"]).mentions("vocab.txt");
    }
    fixture::put(&folder, "vocab.txt", words.as_bytes());
    let filled = home.run(["index", "embed", "--json"]).json();
    assert!(
        filled["embedded"].as_u64().is_some_and(|embedded| embedded > 0),
        "nothing was made before: {filled}"
    );
}

/// A search reports why meaning, which it used before, is not available.
#[test]
fn a_model_that_was_there_and_is_gone_is_missed() {
    let Some(model) = inwit_testkit::model::model() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().join("all-MiniLM-L6-v2");
    apart(&model, &folder);
    let home = home(folder.to_str().expect("UTF-8"));
    home.run(["index", "embed"]).mentions("passages embedded with");
    let misses = || {
        let answer = home.run(["search", "flour", "--json"]).json();
        assert_eq!(answer["notices"][0]["code"], "meaning_unused", "{answer}");
        assert_eq!(answer["notices"].as_array().map(Vec::len), Some(1), "{answer}");
        assert!(answer["results"][0]["text"].as_str().is_some_and(|text| text.contains("flour")), "{answer}");
        home.run(["doctor"]).mentions("There is no model file");
    };
    std::fs::remove_file(folder.join("model.safetensors")).expect("removed");
    misses();
    std::fs::remove_dir_all(&folder).expect("removed");
    misses();
    let quiet = || {
        let answer = home.run(["search", "flour", "--json"]).json();
        assert!(answer["notices"].as_array().is_none_or(Vec::is_empty), "{answer}");
    };
    let models = folder.parent().expect("a folder");
    fixture::put(models, ".all-MiniLM-L6-v2.removed", b"");
    quiet();
    std::fs::remove_file(models.join(".all-MiniLM-L6-v2.removed")).expect("removed");
    misses();
    home.run(["config", "set", "embedding.provider", "disabled"]).exits(0);
    quiet();
}
