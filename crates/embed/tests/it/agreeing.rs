//! The vectors against a reference in f64.
//!
//! `testdata/texts.json` holds 36 texts: empty ones, scripts of a dozen languages, emoji, code, a word
//! of 150 letters, texts of 756 and 662 tokens. `testdata/vectors.f32` holds their vectors, 384 numbers
//! of four bytes each, little end first. They were computed once by a forward pass written in numpy, in f64
//! throughout, on the published weights (sha256 of `model.safetensors`: 53aa5117…), with tokens of the
//! library `tokenizers` cut at 256.

use std::path::Path;
use std::sync::Arc;

use inwit_embed::{BATCH_TOKENS_MAX, LocalEmbedder, TEXT_TOKENS_MAX};
use inwit_model::Embedder;

fn opened() -> Option<LocalEmbedder> {
    let folder = inwit_testkit::model()?;
    Some(LocalEmbedder::open(&folder, "all-MiniLM-L6-v2").expect("a whole model"))
}

pub fn texts() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/texts.json");
    let text = std::fs::read_to_string(path).expect("texts");
    serde_json::from_str(&text).expect("a list of texts")
}

fn vectors() -> Vec<Vec<f32>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/vectors.f32");
    let bytes = std::fs::read(path).expect("vectors");
    let (numbers, rest) = bytes.as_chunks::<4>();
    assert!(rest.is_empty());
    let numbers: Vec<f32> = numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    numbers.chunks(384).map(<[f32]>::to_vec).collect()
}

fn cosine(one: &[f32], other: &[f32]) -> f64 {
    let dot = |one: &[f32], other: &[f32]| -> f64 {
        one.iter().zip(other).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
    };
    dot(one, other) / (dot(one, one) * dot(other, other)).sqrt()
}

#[test]
fn vectors_agree_with_the_reference_alone_and_in_a_batch() {
    let Some(model) = opened() else { return };
    assert_eq!((model.model(), model.dimension()), ("all-MiniLM-L6-v2", 384));
    let (texts, wanted) = (texts(), vectors());
    let words: Vec<&str> = texts.iter().map(String::as_str).collect();
    let together = model.embed(&words).expect("vectors");
    assert_eq!((texts.len(), wanted.len(), together.len()), (36, 36, 36));
    for ((text, wanted), vector) in words.iter().zip(&wanted).zip(&together) {
        let alone = model.embed(&[text]).expect("a vector").remove(0);
        for vector in [vector, &alone] {
            let length: f64 = vector.iter().map(|x| f64::from(*x).powi(2)).sum();
            assert!((length - 1.0).abs() < 1e-5, "{text}: {length}");
            let near = cosine(vector, wanted);
            assert!(near > 0.999_999, "{text}: {near}");
        }
    }
}

#[test]
fn a_text_reads_the_same_from_any_thread_and_beside_any_other() {
    let Some(model) = opened() else { return };
    let model = Arc::new(model);
    let long = "rye bread and butter ".repeat(TEXT_TOKENS_MAX);
    let alone = model.embed(&["which bread?"]).expect("a vector").remove(0);
    let threads: Vec<_> = (0..3)
        .map(|number| {
            let (model, long) = (model.clone(), long.clone());
            std::thread::spawn(move || {
                let mut texts = vec![long.as_str(); number * BATCH_TOKENS_MAX / TEXT_TOKENS_MAX + 1];
                texts.push("which bread?");
                model.embed(&texts).expect("vectors").pop().expect("the last")
            })
        })
        .collect();
    for thread in threads {
        let near = cosine(&alone, &thread.join().expect("no panic"));
        assert!(near > 0.999_999_9, "{near}");
    }
    assert!(model.embed(&[]).expect("none").is_empty());
}
