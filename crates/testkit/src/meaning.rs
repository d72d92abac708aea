//! A readable embedding model for tests: words of one group have the same direction.
//!
//! A text's vector is the sum of its groups. Invariant: equal texts have equal vectors; a text without a word of any
//! group points in a direction of its own.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use inwit_model::{Code, EmbedError, Embedder};

/// See the module.
pub struct FakeEmbedder {
    name: String,
    groups: Vec<Vec<String>>,
    refuses: Mutex<Option<String>>,
    texts: AtomicUsize,
}

impl FakeEmbedder {
    /// A model called `name`; the words of each line have the same meaning.
    pub fn of(name: &str, groups: &[&str]) -> Self {
        let words = |line: &&str| line.split_whitespace().map(str::to_lowercase).collect();
        let groups = groups.iter().map(words).collect();
        Self { name: name.to_owned(), groups, refuses: Mutex::new(None), texts: AtomicUsize::new(0) }
    }

    /// A model of the same name and words, without failures.
    pub fn like(&self) -> Self {
        let (name, groups) = (self.name.clone(), self.groups.clone());
        Self { name, groups, refuses: Mutex::new(None), texts: AtomicUsize::new(0) }
    }

    /// From now on a call with `word` in any text fails; every call fails if `word` is empty.
    pub fn refuse(&self, word: Option<&str>) {
        *self.refuses.lock().expect("no panic") = word.map(str::to_owned);
    }

    /// The texts that it received.
    pub fn texts(&self) -> usize {
        self.texts.load(Ordering::SeqCst)
    }

    fn vector(&self, text: &str) -> Vec<f32> {
        let words: Vec<String> = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase).collect();
        let mut vector: Vec<f32> = self
            .groups
            .iter()
            .map(|group| words.iter().filter(|word| group.contains(word)).count() as f32)
            .collect();
        // The direction of a text without known words.
        vector.push(if vector.iter().all(|value| *value == 0.0) { 1.0 } else { 0.0 });
        let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
        vector.iter().map(|value| value / length).collect()
    }
}

impl Embedder for FakeEmbedder {
    fn model(&self) -> &str {
        &self.name
    }

    fn dimension(&self) -> usize {
        self.groups.len() + 1
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.texts.fetch_add(texts.len(), Ordering::SeqCst);
        let refuses = self.refuses.lock().expect("no panic").clone();
        if let Some(word) = refuses
            && texts.iter().any(|text| text.contains(&word))
        {
            let message = format!("{} does not answer.", self.name);
            return Err(EmbedError { code: Code::EmbeddingFailed, message });
        }
        Ok(texts.iter().map(|text| self.vector(text)).collect())
    }
}
