//! Request and response formats of embedding providers.
//!
//! Two formats cover nearly all of them. Invariant: any answer gives one unit vector per text, in order, or one
//! sentence about the error.

use serde::Deserialize;
use serde_json::json;

/// Most numbers of one vector.
pub const DIMENSION_MAX: usize = 16_384;

/// The form of a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// `POST {url}/embeddings`, as OpenAI defined it and many servers speak it; `url` ends in `/v1` there.
    OpenAi,
    /// `POST {url}/api/embed` of Ollama.
    Ollama,
}

#[derive(Deserialize)]
struct OpenAiAnswer {
    data: Vec<OpenAiRow>,
}

#[derive(Deserialize)]
struct OpenAiRow {
    index: Option<usize>,
    embedding: Vec<f64>,
}

#[derive(Deserialize)]
struct OllamaAnswer {
    embeddings: Vec<Vec<f64>>,
}

impl Protocol {
    /// The path below the provider's address.
    pub fn path(self) -> &'static str {
        match self {
            Self::OpenAi => "embeddings",
            Self::Ollama => "api/embed",
        }
    }

    /// The body of a request.
    pub fn question(self, model: &str, texts: &[&str]) -> Vec<u8> {
        json!({ "model": model, "input": texts }).to_string().into_bytes()
    }

    /// Reads the answer for `count` texts; each vector has `dimension` numbers, where that is known. The error
    /// is the end of a sentence that begins with the provider.
    pub fn vectors(
        self,
        answer: &[u8],
        count: usize,
        dimension: Option<usize>,
    ) -> Result<Vec<Vec<f32>>, String> {
        let rows = match self {
            Self::OpenAi => in_order(parsed::<OpenAiAnswer>(answer)?.data)?,
            Self::Ollama => parsed::<OllamaAnswer>(answer)?.embeddings,
        };
        if rows.len() != count {
            return Err(format!("answered with {} vectors for {count} texts", rows.len()));
        }
        let wanted = dimension.or(rows.first().map(Vec::len)).unwrap_or_default();
        if let Some(other) = rows.iter().map(Vec::len).find(|found| *found != wanted || *found == 0) {
            return Err(format!("answered with a vector of {other} numbers instead of {wanted}"));
        }
        if wanted > DIMENSION_MAX {
            return Err(format!("answered with vectors of {wanted} numbers; the maximum is {DIMENSION_MAX}"));
        }
        rows.into_iter().map(of_unit_length).collect()
    }
}

fn parsed<'a, T: Deserialize<'a>>(answer: &'a [u8]) -> Result<T, String> {
    serde_json::from_slice(answer).map_err(|error| {
        let what = if error.is_data() { "JSON of another format" } else { "something that is not JSON" };
        format!("answered with {what} (line {}, column {})", error.line(), error.column())
    })
}

/// The vectors in the order of the texts: rows may come in any, and say by their index where they belong.
fn in_order(rows: Vec<OpenAiRow>) -> Result<Vec<Vec<f64>>, String> {
    if rows.iter().all(|row| row.index.is_none()) {
        return Ok(rows.into_iter().map(|row| row.embedding).collect());
    }
    let mut places: Vec<Option<Vec<f64>>> = rows.iter().map(|_| None).collect();
    for row in rows {
        let place = row.index.and_then(|index| places.get_mut(index)).filter(|place| place.is_none());
        *place.ok_or("answered with vectors whose numbers do not match the texts")? = Some(row.embedding);
    }
    Ok(places.into_iter().flatten().collect())
}

fn of_unit_length(vector: Vec<f64>) -> Result<Vec<f32>, String> {
    // Beyond the range of f32 a number is infinite.
    let mut vector: Vec<f32> = vector.into_iter().map(|number| number as f32).collect();
    if !vector.iter().all(|number| number.is_finite()) {
        return Err("answered with a vector that contains an invalid number".into());
    }
    let length = vector.iter().map(|number| f64::from(*number).powi(2)).sum::<f64>().sqrt();
    if length < f64::from(f32::MIN_POSITIVE) {
        return Err("answered with a zero vector".into());
    }
    vector.iter_mut().for_each(|number| *number = (f64::from(*number) / length) as f32);
    Ok(vector)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of_open_ai(answer: &str, count: usize) -> Result<Vec<Vec<f32>>, String> {
        Protocol::OpenAi.vectors(answer.as_bytes(), count, Some(2))
    }

    #[test]
    fn both_forms_are_asked_and_read() {
        let asked = String::from_utf8(Protocol::OpenAi.question("m", &["a \"b\"\n", "c"])).expect("text");
        assert_eq!(asked, r#"{"model":"m","input":["a \"b\"\n","c"]}"#);
        let answer =
            r#"{"object":"list","data":[{"index":1,"embedding":[0,2]},{"index":0,"embedding":[3,4]}]}"#;
        assert_eq!(
            of_open_ai(answer, 2),
            Ok(vec![vec![0.6, 0.8], vec![0.0, 1.0]]),
            "in the order of the texts"
        );
        let answer = br#"{"model":"m","embeddings":[[3,4],[0,-1e-3]]}"#;
        assert_eq!(Protocol::Ollama.vectors(answer, 2, None), Ok(vec![vec![0.6, 0.8], vec![0.0, -1.0]]));
    }

    #[test]
    fn each_bad_answer_is_told() {
        let data = |rows: &str| format!("{{\"data\":[{rows}]}}");
        for (answer, why) in [
            (data(r#"{"index":0,"embedding":[1,0]}"#), "1 vectors for 2 texts"),
            (data(r#"{"embedding":[1,0]},{"embedding":[1,0]},{"embedding":[1,0]}"#), "3 vectors for 2 texts"),
            (
                data(r#"{"index":0,"embedding":[1,0]},{"index":0,"embedding":[1,0]}"#),
                "do not match the texts",
            ),
            (
                data(r#"{"index":0,"embedding":[1,0]},{"index":2,"embedding":[1,0]}"#),
                "do not match the texts",
            ),
            (data(r#"{"index":0,"embedding":[1,0]},{"embedding":[1,0]}"#), "do not match the texts"),
            (data(r#"{"embedding":[1,0]},{"embedding":[1,0,0]}"#), "3 numbers instead of 2"),
            (data(r#"{"embedding":[1,0]},{"embedding":[]}"#), "0 numbers instead of 2"),
            (data(r#"{"embedding":[1,0]},{"embedding":[0,0]}"#), "a zero vector"),
            (data(r#"{"embedding":[1,0]},{"embedding":[1e39,0]}"#), "an invalid number"),
            (data(r#"{"embedding":[1,0]},{"embedding":[1,null]}"#), "JSON of another format"),
            (data(r#"{"embedding":[1,0]},{"embedding":"AACAPw=="}"#), "JSON of another format"),
            (data(r#"{"embedding":[1,0]},{"embedding":[NaN,0]}"#), "not JSON"),
            (data(r#"{"embedding":[1,0]},{"embedding":[1e999,0]}"#), "not JSON"),
            ("<html>".into(), "not JSON"),
            (String::new(), "not JSON"),
            ("{}".into(), "JSON of another format"),
        ] {
            let told = of_open_ai(&answer, 2).expect_err(&answer);
            assert!(told.contains(why), "{answer}: {told}");
        }
        let long = format!("{{\"embeddings\":[[{}1]]}}", "1,".repeat(DIMENSION_MAX));
        let told = Protocol::Ollama.vectors(long.as_bytes(), 1, None).expect_err("too long");
        assert!(told.ends_with("the maximum is 16384"), "{told}");
        let none = Protocol::Ollama.vectors(br#"{"embeddings":[[]]}"#, 1, None).expect_err("nothing");
        assert!(none.contains("0 numbers"), "{none}");
    }

    proptest! {
        #[test]
        fn any_bytes_are_answered_without_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200), count in 0usize..4) {
            for protocol in [Protocol::OpenAi, Protocol::Ollama] {
                let _ = protocol.vectors(&bytes, count, None);
            }
        }

        #[test]
        fn good_vectors_have_unit_length_in_any_order(
            rows in proptest::collection::vec(proptest::collection::vec(-1e30f32..1e30, 3), 1..8),
            turn in 0usize..8,
        ) {
            prop_assume!(rows.iter().all(|row| row.iter().any(|number| *number != 0.0)));
            let count = rows.len();
            let shuffled: Vec<serde_json::Value> = (0..count)
                .map(|at| (at + turn) % count)
                .map(|index| json!({ "index": index, "embedding": rows[index] }))
                .collect();
            let answer = json!({ "data": shuffled }).to_string();
            let vectors = Protocol::OpenAi.vectors(answer.as_bytes(), count, Some(3)).expect("good");
            for (vector, row) in vectors.iter().zip(&rows) {
                let length: f32 = vector.iter().map(|number| number * number).sum();
                prop_assert!((length - 1.0).abs() < 1e-5);
                prop_assert!(vector.iter().zip(row).all(|(ours, theirs)| ours * theirs >= 0.0));
            }
        }
    }
}
