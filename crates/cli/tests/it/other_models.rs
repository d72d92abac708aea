//! An embedding model of another maker, by its folder.

use inwit_testkit::bert::SmallBert;
use inwit_testkit::fixture;

use crate::newcomer;

const NOTES: &[u8] = b"# Notes\n\n- rye bread\n\n## Shed\n\n- boat sail\n";

/// Vectors belong to the files of a model, not to the name of its folder.
#[test]
fn a_model_in_a_folder_computes_vectors_and_other_files_there_compute_their_own() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    fixture::put(&home.home("inwit/agents/main/workspace"), "memory/2026-11-20.md", NOTES);
    let mut model = SmallBert::wordpiece(&["rye", "bread", "boat", "sail"]);
    let folder = home.home("small");
    model.put(&folder);
    home.run(["config", "set", "embedding.folder", folder.to_str().expect("UTF-8")]).exits(0);
    let report = || home.run(["index", "embed", "--json"]).json();
    let first = report();
    let name = first["model"].as_str().expect("a name").to_owned();
    assert!(name.starts_with("small@") && name.len() == "small@".len() + 12, "{first}");
    assert!(first["embedded"].as_u64().is_some_and(|count| count >= 2), "{first}");
    assert_eq!(report()["embedded"], 0, "the vectors are there");
    let answer = home.run(["search", "rye", "--explain", "--json"]).json();
    assert_eq!(answer["explain"]["model"], name, "{answer}");
    for (_, _, values) in model.tables.values_mut() {
        values.iter_mut().for_each(|value| *value *= 0.9);
    }
    model.put(&folder);
    let second = report();
    assert_ne!(second["model"], name, "{second}");
    assert_eq!(second["embedded"], first["embedded"], "vectors of two models are never compared");
}

/// A multilingual vocabulary goes through the library, which the program is built with by default.
#[test]
fn a_multilingual_model_finds_notes_in_its_language() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    let notes = "# Заметки\n\n- хлеб\n\n## Берег\n\n- лодка\n";
    fixture::put(&home.home("inwit/agents/main/workspace"), "memory/2026-11-20.md", notes.as_bytes());
    let folder = home.home("small");
    SmallBert::unigram(&["▁хлеб", "▁лодка"]).put(&folder);
    home.run(["config", "set", "embedding.folder", folder.to_str().expect("UTF-8")]).exits(0);
    home.run(["index", "embed"]).mentions("small@");
    let answer = home.run(["search", "лодка", "--explain", "--json"]).json();
    assert!(answer["explain"]["nearest"].as_f64().is_some_and(|cosine| cosine > 0.999), "{answer}");
    assert!(answer["results"][0]["text"].as_str().is_some_and(|text| text.contains("лодка")), "{answer}");
}
