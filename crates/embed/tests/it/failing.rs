//! Folders that hold no model, or a broken one.

use std::fs;
use std::path::Path;

use inwit_embed::LocalEmbedder;
use inwit_model::{Code, Embedder};

const CONFIG: &str = r#"{"model_type": "bert", "hidden_act": "gelu", "hidden_size": 4, "num_hidden_layers": 1,
    "num_attention_heads": 2, "intermediate_size": 8, "max_position_embeddings": 16, "vocab_size": 5}"#;
const VOCABULARY: &str = "[PAD]\n[UNK]\n[CLS]\n[SEP]\nrye";

/// A network of two heads and four numbers, its weights from a formula; `change` may spoil them.
fn weights(change: impl Fn(&str, &mut Vec<f32>)) -> Vec<u8> {
    let layer = "encoder.layer.0";
    let mut tables = vec![
        ("embeddings.word_embeddings.weight".to_owned(), vec![5, 4]),
        ("embeddings.position_embeddings.weight".to_owned(), vec![16, 4]),
        ("embeddings.token_type_embeddings.weight".to_owned(), vec![2, 4]),
    ];
    for norm in [
        "embeddings.LayerNorm",
        &format!("{layer}.attention.output.LayerNorm"),
        &format!("{layer}.output.LayerNorm"),
    ] {
        tables.extend([(format!("{norm}.weight"), vec![4]), (format!("{norm}.bias"), vec![4])]);
    }
    for (name, outs, ins) in [
        ("attention.self.query", 4, 4),
        ("attention.self.key", 4, 4),
        ("attention.self.value", 4, 4),
        ("attention.output.dense", 4, 4),
        ("intermediate.dense", 8, 4),
        ("output.dense", 4, 8),
    ] {
        tables.push((format!("{layer}.{name}.weight"), vec![outs, ins]));
        tables.push((format!("{layer}.{name}.bias"), vec![outs]));
    }
    let (mut header, mut data) = (serde_json::Map::new(), Vec::new());
    for (name, shape) in tables {
        let mut values: Vec<f32> = (0..shape.iter().product())
            .map(|at: u32| ((at * 7 + name.len() as u32) % 11) as f32 / 5.0 - 1.0)
            .collect();
        change(&name, &mut values);
        let start = data.len();
        data.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        let row = serde_json::json!({"dtype": "F32", "shape": shape, "data_offsets": [start, data.len()]});
        header.insert(name, row);
    }
    let header = serde_json::to_string(&header).expect("JSON");
    [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &data].concat()
}

/// A folder with a whole small model.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), "config.json", CONFIG);
    put(folder.path(), "vocab.txt", VOCABULARY);
    put(folder.path(), "model.safetensors", weights(|_, _| {}));
    folder
}

#[expect(clippy::disallowed_methods, reason = "a folder that is thrown away")]
fn put(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) {
    fs::write(folder.join(name), bytes).expect("written");
}

#[track_caller]
fn refused(folder: &Path, code: Code, says: &str) {
    let error = LocalEmbedder::open(folder, "small").expect_err("refused");
    assert_eq!(error.code, code, "{error}");
    assert!(error.message.contains(says) && error.message.ends_with('.'), "{error}");
}

#[test]
fn a_small_model_works_with_either_form_of_its_words() {
    let folder = folder();
    let vector = |text| {
        let model = LocalEmbedder::open(folder.path(), "small").expect("whole");
        model.embed(&[text]).expect("a vector").remove(0)
    };
    let (first, other) = (vector("rye"), vector("oats"));
    assert_eq!(first.len(), 4);
    assert_ne!(first, other);
    fs::remove_file(folder.path().join("vocab.txt")).expect("removed");
    refused(folder.path(), Code::ModelMissing, "vocab.txt");
    let words = r#"{"model": {"vocab": {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "rye": 4}}}"#;
    put(folder.path(), "tokenizer.json", words);
    assert_eq!(vector("rye"), first);
}

#[test]
fn a_text_longer_than_the_places_of_the_model_is_read_as_far_as_they_go() {
    let folder = folder();
    let model = LocalEmbedder::open(folder.path(), "small").expect("whole");
    let vectors = model.embed(&[&"rye ".repeat(14), &"rye ".repeat(9_000)]).expect("vectors");
    assert_eq!(vectors[0], vectors[1]);
}

#[test]
fn what_is_missing_is_named() {
    refused(Path::new("/nowhere/at/all"), Code::ModelMissing, "/nowhere/at/all/config.json");
    for name in ["config.json", "vocab.txt", "model.safetensors"] {
        let folder = folder();
        fs::remove_file(folder.path().join(name)).expect("removed");
        refused(folder.path(), Code::ModelMissing, name);
    }
}

/// A folder from elsewhere may link to a device, which has no end.
#[test]
fn what_is_no_regular_file_is_not_read() {
    for name in ["config.json", "vocab.txt", "model.safetensors"] {
        let folder = folder();
        fs::remove_file(folder.path().join(name)).expect("removed");
        std::os::unix::fs::symlink("/dev/zero", folder.path().join(name)).expect("a link");
        refused(folder.path(), Code::ModelDamaged, "is not a regular file");
        assert!(inwit_embed::identity(folder.path()).is_err(), "{name}");
    }
}

#[test]
fn what_is_wrong_is_named() {
    let folder = folder();
    put(folder.path(), "vocab.txt", format!("{VOCABULARY}\nwheat"));
    refused(folder.path(), Code::ModelDamaged, "it has 6 tokens, but the model has 5");
    put(folder.path(), "vocab.txt", VOCABULARY.replace("\nrye", ""));
    refused(folder.path(), Code::ModelDamaged, "it has 4 tokens, but the model has 5");
    put(folder.path(), "vocab.txt", VOCABULARY.replace("[PAD]", "[CLS]"));
    refused(folder.path(), Code::ModelDamaged, "do not have the numbers from 0");
    put(folder.path(), "config.json", CONFIG.replace('{', r#"{"pad_token_id": 4, "#));
    put(folder.path(), "vocab.txt", VOCABULARY);
    refused(folder.path(), Code::ModelDamaged, "`[PAD]` is not at the position");
    put(folder.path(), "config.json", CONFIG);
    put(folder.path(), "vocab.txt", "rye");
    refused(folder.path(), Code::ModelDamaged, "no token `[UNK]`");
    put(folder.path(), "vocab.txt", [0xff, 0xfe]);
    refused(folder.path(), Code::ModelDamaged, "UTF-8");
    fs::remove_file(folder.path().join("vocab.txt")).expect("removed");
    for (json, says) in [
        ("[", "it is not valid JSON"),
        ("{}", "no vocabulary"),
        (r#"{"model": {"vocab": {"rye": -1}}}"#, "no vocabulary"),
        (r#"{"model": {"vocab": {"rye": 4294967296}}}"#, "no vocabulary"),
    ] {
        put(folder.path(), "tokenizer.json", json);
        refused(folder.path(), Code::ModelDamaged, says);
    }
    put(folder.path(), "vocab.txt", VOCABULARY);
    put(folder.path(), "config.json", CONFIG.replace("\"num_hidden_layers\": 1", "\"num_hidden_layers\": 2"));
    refused(folder.path(), Code::ModelDamaged, "it has no `encoder.layer.1");
    put(folder.path(), "config.json", CONFIG.replace("\"hidden_size\": 4", "\"hidden_size\": 8"));
    refused(folder.path(), Code::ModelDamaged, "is 5 × 4 instead of 5 × 8");
    put(folder.path(), "config.json", CONFIG);
    put(folder.path(), "model.safetensors", "<html>404: there is nothing of this name here.</html>");
    refused(folder.path(), Code::ModelDamaged, "is not a safetensors file");
    put(
        folder.path(),
        "model.safetensors",
        weights(|name, values| {
            if name.ends_with("output.dense.bias") {
                values[0] = f32::NAN;
            }
        }),
    );
    refused(folder.path(), Code::ModelDamaged, "NaN");
}

#[test]
fn a_file_of_weights_cut_anywhere_is_refused() {
    let whole = weights(|_, _| {});
    let folder = folder();
    for end in (0..whole.len()).step_by(97) {
        put(folder.path(), "model.safetensors", &whole[..end]);
        refused(folder.path(), Code::ModelDamaged, "model.safetensors");
    }
}

#[test]
fn a_row_of_a_word_that_is_none_is_an_error_when_the_word_comes() {
    let folder = folder();
    put(
        folder.path(),
        "model.safetensors",
        weights(|name, values| {
            if name.contains("word_embeddings") {
                values[4 * 4 + 1] = f32::INFINITY;
            }
        }),
    );
    let model =
        LocalEmbedder::open(folder.path(), "small").expect("the rows of words are read when they are needed");
    assert!(model.embed(&["oats"]).is_ok());
    assert_eq!(model.embed(&["oats", "rye"]).expect_err("refused").code, Code::ModelDamaged);
}

#[test]
fn a_network_without_a_direction_is_an_error() {
    let folder = folder();
    for value in [0.0, 3e38] {
        put(folder.path(), "model.safetensors", weights(|_, values| values.fill(value)));
        let model = LocalEmbedder::open(folder.path(), "small").expect("numbers that are some");
        let error = model.embed(&["rye"]).expect_err("no direction");
        assert_eq!(error.code, Code::EmbeddingFailed);
    }
}
