//! A model of meaning that a test can read: words that mean the same point the same way.
//!
//! Each group of words is one direction; a text points where its words point. Invariant: equal texts, equal
//! vectors, and what has no word of any group points somewhere that no group does.

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
    /// A model called `name` for which the words of each line mean the same.
    pub fn of(name: &str, groups: &[&str]) -> Self {
        let words = |line: &&str| line.split_whitespace().map(str::to_lowercase).collect();
        let groups = groups.iter().map(words).collect();
        Self { name: name.to_owned(), groups, refuses: Mutex::new(None), texts: AtomicUsize::new(0) }
    }

    /// A model of the same name and words, that refuses nothing yet.
    pub fn like(&self) -> Self {
        let (name, groups) = (self.name.clone(), self.groups.clone());
        Self { name, groups, refuses: Mutex::new(None), texts: AtomicUsize::new(0) }
    }

    /// From now on a call fails that holds `word` in any text; every call where it is empty.
    pub fn refuse(&self, word: Option<&str>) {
        *self.refuses.lock().expect("no panic") = word.map(str::to_owned);
    }

    /// Texts that it was given.
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
        // Where a text without a meaning points.
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
