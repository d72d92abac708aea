//! Models of other makers: pooling, prefixes, vocabularies, and what is not supported.

use std::path::Path;

use inwit_embed::{LocalEmbedder, identity};
use inwit_model::{Code, EmbedError, Embedder};
use inwit_testkit::bert::SmallBert;
use inwit_testkit::fixture::put;

use crate::reference::{rows, unit};

const WORDS: &[&str] = &["rye", "bread", "query", ":", "passage", "boat"];

fn folder(model: &SmallBert) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    model.put(folder.path());
    folder
}

#[track_caller]
fn opened(folder: &Path) -> LocalEmbedder {
    LocalEmbedder::open(folder, "small").expect("a whole model")
}

#[track_caller]
fn refused(folder: &Path) -> EmbedError {
    let error = LocalEmbedder::open(folder, "small").expect_err("refused");
    let looked = inwit_embed::look(folder);
    assert!(
        looked.is_err() || error.code == Code::ModelDamaged,
        "a scan sees another kind of model: {error}"
    );
    error
}

#[track_caller]
fn agree(vector: &[f32], wanted: &[f64]) {
    assert_eq!(vector.len(), wanted.len());
    for (value, wanted) in vector.iter().zip(wanted) {
        assert!((f64::from(*value) - wanted).abs() < 1e-5, "{vector:?} is not {wanted:?}");
    }
}

#[test]
fn a_small_model_agrees_with_a_plain_reference() {
    let model = SmallBert::wordpiece(WORDS);
    let folder = folder(&model);
    let embedder = opened(folder.path());
    assert_eq!(embedder.dimension(), 16);
    let ids = [2, 5, 6, 10, 3];
    let vectors = embedder.embed(&["rye bread boat", "boat"]).expect("vectors");
    agree(&vectors[0], &unit(&rows(&model, &ids, ids.len(), 0)));
    agree(&vectors[1], &unit(&rows(&model, &[2, 10, 3], 3, 0)));
}

#[test]
fn pooling_is_what_the_folder_says() {
    let model = SmallBert::wordpiece(WORDS);
    let folder = folder(&model);
    let first = r#"{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false}"#;
    put(folder.path(), "1_Pooling/config.json", first.as_bytes());
    let vector = opened(folder.path()).embed(&["rye"]).expect("a vector").remove(0);
    agree(&vector, &unit(&rows(&model, &[2, 5, 3], 3, 0)[..1]));
    let mean = first.replace("true", "no").replace("false", "true").replace("no", "false");
    put(folder.path(), "1_Pooling/config.json", mean.as_bytes());
    let vector = opened(folder.path()).embed(&["rye"]).expect("a vector").remove(0);
    agree(&vector, &unit(&rows(&model, &[2, 5, 3], 3, 0)));
    for other in [
        r#"{"pooling_mode_max_tokens": true}"#,
        r#"{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": true}"#,
        r#"{"pooling_mode_mean_tokens": true, "include_prompt": false}"#,
    ] {
        put(folder.path(), "1_Pooling/config.json", other.as_bytes());
        let error = refused(folder.path());
        assert_eq!(error.code, Code::ModelUnsupported, "{error}");
        assert!(
            error.message.contains("1_Pooling/config.json") && error.message.contains("its pooling"),
            "{error}"
        );
    }
}

#[test]
fn a_query_and_a_passage_get_their_prefixes() {
    let model = SmallBert::wordpiece(WORDS);
    let folder = folder(&model);
    let plain = opened(folder.path());
    let wanted = |text| plain.embed(&[text]).expect("a vector").remove(0);
    let prompts = r#"{"prompts": {"query": "query: ", "passage": "passage: "}}"#;
    put(folder.path(), "config_sentence_transformers.json", prompts.as_bytes());
    let prefixed = opened(folder.path());
    assert_eq!(prefixed.ask("rye").expect("a vector"), wanted("query: rye"));
    assert_eq!(prefixed.embed(&["rye"]).expect("a vector"), [wanted("passage: rye")]);
    let default = r#"{"prompts": {"query": "query: ", "document": "passage: ", "all": "boat "}, "default_prompt_name": "all"}"#;
    put(folder.path(), "config_sentence_transformers.json", default.as_bytes());
    assert_eq!(opened(folder.path()).embed(&["rye"]).expect("a vector"), [wanted("passage: rye")]);
    let long = format!(r#"{{"prompts": {{"query": "{}"}}}}"#, "rye ".repeat(1_000));
    put(folder.path(), "config_sentence_transformers.json", long.as_bytes());
    assert_eq!(refused(folder.path()).code, Code::ModelDamaged);
}

#[test]
fn no_more_tokens_are_read_than_the_model_was_trained_with() {
    let folder = folder(&SmallBert::wordpiece(WORDS));
    put(folder.path(), "sentence_bert_config.json", br#"{"max_seq_length": 4}"#);
    let model = opened(folder.path());
    let vectors = model.embed(&["rye bread", "rye bread boat boat"]).expect("vectors");
    assert_eq!(vectors[0], vectors[1]);
}

#[test]
fn a_model_with_another_step_or_another_network_is_not_used() {
    let made = SmallBert::wordpiece(WORDS);
    let folder = folder(&made);
    let modules = r#"[{"type": "sentence_transformers.models.Transformer"}, {"type": "sentence_transformers.models.Dense"}]"#;
    put(folder.path(), "modules.json", modules.as_bytes());
    let error = refused(folder.path());
    assert_eq!(error.code, Code::ModelUnsupported);
    assert!(error.message.contains("a step `Dense`"), "{error}");
    put(folder.path(), "modules.json", b"[]");
    for (from, to, says) in [
        (r#""bert""#, r#""mpnet""#, "not a BERT model or an XLM-RoBERTa model"),
        (r#""gelu""#, r#""gelu_new""#, "its activation is not GELU"),
    ] {
        put(folder.path(), "config.json", made.config.to_string().replace(from, to).as_bytes());
        let error = refused(folder.path());
        assert_eq!(error.code, Code::ModelUnsupported);
        assert!(error.message.contains(says), "{error}");
    }
}

/// A size that the file of weights does not have is refused before memory is taken for it.
#[test]
fn a_claimed_size_is_compared_with_the_file() {
    let made = SmallBert::wordpiece(WORDS);
    let folder = folder(&made);
    for (name, claimed) in [
        ("hidden_size", 4_096u64),
        ("hidden_size", u64::MAX),
        ("intermediate_size", 16_384),
        ("max_position_embeddings", 65_536),
        ("type_vocab_size", 64),
        ("num_hidden_layers", 64),
        ("num_attention_heads", 5),
    ] {
        let mut config = made.config.clone();
        config[name] = claimed.into();
        put(folder.path(), "config.json", config.to_string().as_bytes());
        let error = LocalEmbedder::open(folder.path(), "small").expect_err(name);
        assert_eq!(error.code, Code::ModelDamaged, "{name}: {error}");
    }
}

#[test]
fn a_cased_vocabulary_is_not_read_as_an_uncased_one() {
    let folder = folder(&SmallBert::wordpiece(WORDS));
    put(folder.path(), "tokenizer_config.json", br#"{"do_lower_case": false}"#);
    let error = refused(folder.path());
    assert_eq!(error.code, Code::ModelUnsupported);
    assert!(error.message.contains("the vocabulary is cased"), "{error}");
}

#[test]
fn an_identity_changes_with_every_file_that_decides_a_vector() {
    let made = SmallBert::wordpiece(WORDS);
    let folder = folder(&made);
    let of = || identity(folder.path()).expect("an identity");
    let mut seen = vec![of()];
    assert_eq!(seen[0].len(), 12);
    assert_eq!(seen[0], of());
    for (name, bytes) in [
        ("config_sentence_transformers.json", &br#"{"prompts": {}}"#[..]),
        ("1_Pooling/config.json", br#"{"pooling_mode_mean_tokens": true}"#),
        ("vocab.txt", b"[PAD]"),
    ] {
        put(folder.path(), name, bytes);
        seen.push(of());
    }
    let mut trained = made.clone();
    let table = trained.tables.get_mut("encoder.layer.1.output.dense.weight").expect("a table");
    table.2[0] += 0.001;
    put(folder.path(), "model.safetensors", &trained.weights());
    seen.push(of());
    let count = seen.len();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), count);
    std::fs::remove_file(folder.path().join("model.safetensors")).expect("removed");
    assert_eq!(identity(folder.path()).expect_err("no weights").code, Code::ModelMissing);
}

#[cfg(not(feature = "tokenizers"))]
#[test]
fn without_the_feature_another_vocabulary_is_named_as_unsupported() {
    let folder = folder(&SmallBert::unigram(&["▁хлеб"]));
    let error = refused(folder.path());
    assert_eq!(error.code, Code::ModelUnsupported);
    assert!(
        error.message.contains("tokenizer.json") && error.message.contains("WordPiece vocabularies only")
    );
}

#[cfg(feature = "tokenizers")]
mod by_the_library {
    use super::*;

    const PIECES: &[&str] = &["▁хлеб", "▁лодка", "▁猫", "ы", "▁"];

    #[test]
    fn a_multilingual_model_agrees_with_the_reference() {
        let model = SmallBert::unigram(PIECES);
        let folder = folder(&model);
        let embedder = opened(folder.path());
        let vectors = embedder.embed(&["хлеб лодка", "хлебы 猫"]).expect("vectors");
        // Positions begin after that of the padding token.
        agree(&vectors[0], &unit(&rows(&model, &[0, 4, 5, 2], 4, 2)));
        agree(&vectors[1], &unit(&rows(&model, &[0, 4, 7, 6, 2], 5, 2)));
        assert!(embedder.reads("хлеб лодка") && !embedder.reads("xyz qrs"));
    }

    /// `tokenizer.json` asks for eight tokens, filled up; the model has 37 positions for them.
    #[test]
    fn what_the_library_is_told_of_length_and_padding_is_not_followed() {
        let folder = folder(&SmallBert::unigram(PIECES));
        let model = opened(folder.path());
        let vectors = model.embed(&["хлеб", &"хлеб лодка ".repeat(4), &"хлеб лодка ".repeat(5)]);
        let vectors = vectors.expect("vectors");
        assert_ne!(vectors[1], vectors[2]);
        let long = ["хлеб лодка ".repeat(40), "хлеб лодка ".repeat(100_000)];
        let vectors = model.embed(&[&long[0], &long[1]]).expect("vectors");
        assert_eq!(vectors[0], vectors[1]);
    }

    #[test]
    fn a_broken_tokenizer_is_an_error_wherever_it_is_broken() {
        let made = SmallBert::unigram(PIECES);
        let folder = folder(&made);
        let text = &made.files["tokenizer.json"];
        for end in (0..text.len()).step_by(61).filter(|end| text.is_char_boundary(*end)) {
            put(folder.path(), "tokenizer.json", &text.as_bytes()[..end]);
            assert_eq!(refused(folder.path()).code, Code::ModelDamaged, "{end}");
        }
        for (from, to) in [
            (r#""unk_id":3"#, r#""unk_id":99"#),
            (r#""Unigram""#, r#""Trigram""#),
            (r#""vocab":["#, r#""vocab":[["a", "b"],"#),
            (r#""pre_tokenizer":{"#, r#""pre_tokenizer":{"none":1,"#),
            (r#""ids":[0]"#, r#""ids":[-1]"#),
        ] {
            assert!(text.contains(from), "{from}");
            put(folder.path(), "tokenizer.json", text.replace(from, to).as_bytes());
            let _ = LocalEmbedder::open(folder.path(), "small").map(|model| model.embed(&["хлеб"]));
        }
        let mut config = made.config.clone();
        config["vocab_size"] = 5.into();
        put(folder.path(), "config.json", config.to_string().as_bytes());
        put(folder.path(), "tokenizer.json", text.as_bytes());
        let error = refused(folder.path());
        assert!(error.message.contains("it has 9 tokens, but the model has 5"), "{error}");
    }
}
