//! Cross-encoders: their scores against a plain reference, and heads that are missing or of another shape.

use std::path::Path;

use inwit_embed::LocalReranker;
use inwit_model::{Code, Reranker};
use inwit_testkit::bert::{SmallBert, WIDTH};
use inwit_testkit::fixture::put;

use crate::reference::{rows, score};

const WORDS: &[&str] = &["rye", "bread", "boat"];

fn folder(model: &SmallBert) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    model.put(folder.path());
    folder
}

#[track_caller]
fn opened(folder: &Path) -> LocalReranker {
    LocalReranker::open(folder, "small").expect("a whole model")
}

#[test]
fn scores_of_pairs_agree_with_a_plain_reference() {
    let model = SmallBert::wordpiece(WORDS).with_head();
    let folder = folder(&model);
    let scores = opened(folder.path()).scores("rye boat", &["bread", "rye rye bread", ""]).expect("scores");
    let head = ["bert.pooler.dense", "classifier"];
    let pairs: [&[u32]; 3] = [&[2, 5, 7, 3, 6, 3], &[2, 5, 7, 3, 5, 5, 6, 3], &[2, 5, 7, 3, 3]];
    for (got, ids) in scores.iter().zip(pairs) {
        let wanted = score(&model, &rows(&model, ids, 4, 0)[0], head);
        assert!((f64::from(*got) - wanted).abs() < 1e-5, "{got}, not {wanted}");
    }
    assert_eq!(scores.len(), 3);
    assert!(opened(folder.path()).scores("rye", &[]).expect("none").is_empty());
}

#[cfg(feature = "tokenizers")]
#[test]
fn a_multilingual_reranker_agrees_with_the_reference() {
    let model = SmallBert::unigram(&["▁хлеб", "▁лодка"]).with_head();
    let folder = folder(&model);
    let scores = opened(folder.path()).scores("хлеб", &["лодка хлеб"]).expect("scores");
    let ids = [0, 4, 2, 2, 5, 4, 2];
    let wanted =
        score(&model, &rows(&model, &ids, ids.len(), 2)[0], ["classifier.dense", "classifier.out_proj"]);
    assert!((f64::from(scores[0]) - wanted).abs() < 1e-5, "{scores:?}, not {wanted}");
}

#[test]
fn a_passage_with_more_of_the_wanted_word_scores_higher() {
    let folder = folder(&SmallBert::counting("sloop", &["rye", "boat"]));
    let model = opened(folder.path());
    let scores = model.scores("boat", &["rye boat rye", "rye sloop rye", "sloop sloop rye"]).expect("scores");
    assert!(scores[0] < scores[1] && scores[1] < scores[2], "{scores:?}");
}

#[test]
fn a_long_pair_is_cut_and_both_texts_are_read() {
    let folder = folder(&SmallBert::wordpiece(WORDS).with_head());
    let model = opened(folder.path());
    let long = "rye bread ".repeat(10_000);
    let scores = model.scores(&long, &[&long, "boat", "bread"]).expect("scores");
    assert_ne!(scores[1], scores[2], "a long query leaves room for the passage");
    let scores = model.scores("boat", &[&long, &"rye bread ".repeat(30)]).expect("scores");
    assert_eq!(scores[0], scores[1]);
}

#[test]
fn a_head_that_is_missing_or_of_another_shape_is_an_error() {
    let made = SmallBert::wordpiece(WORDS).with_head();
    let refused = |model: &SmallBert, code: Code, says: &str| {
        let error = LocalReranker::open(folder(model).path(), "small").expect_err(says);
        assert_eq!(error.code, code, "{error}");
        assert!(error.message.contains(says), "{error}");
    };
    refused(&SmallBert::wordpiece(WORDS), Code::ModelDamaged, "it has no `pooler.dense.weight`");
    let mut two = made.clone();
    two.tables.insert("classifier.weight".to_owned(), (2, WIDTH, vec![0.0; 2 * WIDTH]));
    refused(&two, Code::ModelDamaged, "`classifier.weight` is 2 × 16 instead of 1 × 16");
    two.config["id2label"] = serde_json::json!({"0": "no", "1": "yes"});
    refused(&two, Code::ModelUnsupported, "it has 2 labels; a reranker has one");
    let mut odd = made.clone();
    odd.tables.get_mut("classifier.bias").expect("a table").2[0] = f32::NAN;
    refused(&odd, Code::ModelDamaged, "infinite or NaN");
    let folder = folder(&made);
    let whole = made.weights();
    for end in (0..whole.len()).step_by(1_001) {
        put(folder.path(), "model.safetensors", &whole[..end]);
        let error = LocalReranker::open(folder.path(), "small").expect_err("cut");
        assert_eq!(error.code, Code::ModelDamaged, "{end}: {error}");
    }
    let nowhere = LocalReranker::open(Path::new("/nowhere/at/all"), "small").expect_err("nothing there");
    assert_eq!(nowhere.code, Code::ModelMissing);
}
