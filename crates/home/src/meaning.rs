//! The model of meaning of an agent, from its configuration.
//!
//! Invariant: composing opens no model: it costs a tenth of a second to load, and most commands never ask it (D17). A
//! cache is opened only where no model is installed, to see whether one was.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use inwit_embed::Minilm;
use inwit_engine::{Agent, Meaning};
use inwit_model::{Code, EmbedError, Embedder};
use inwit_remote::{HttpEmbedder, Patience, Protocol};
use inwit_store::Embeddings;
use inwit_store_sqlite::SqliteEmbeddings;
use serde::Deserialize;

use crate::clock::SystemClock;
use crate::config::{EmbeddingConfig, HttpConfig};
use crate::models::row::named;
use crate::models::state::judged;
use crate::provider::Provider;
use crate::standstill::StandstillFile;

/// The model that is installed by default, and the name of its folder.
pub const LOCAL_MODEL: &str = "all-MiniLM-L6-v2";

/// The file of its words.
const WORDS: &str = "vocab.txt";

/// The file of its numbers.
const WEIGHTS: &str = "model.safetensors";

/// Meaning for an agent whose home is `home`, `None` where words alone answer.
pub fn of(config: &EmbeddingConfig, home: &Path, models: &LocalModels) -> Option<Meaning> {
    let folder = &config.folder;
    let is_installed = folder.join(WEIGHTS).is_file();
    let path = home.join("embeddings.db");
    let local = || models.at(folder);
    let embedders = match config.provider.unwrap_or_default() {
        Provider::Disabled => return None,
        Provider::Auto if !is_installed && !was_installed(folder, &path) => return None,
        Provider::Auto | Provider::Local => vec![local()],
        Provider::Http | Provider::OpenAi => {
            with_local(http(config, home, Protocol::OpenAi), is_installed.then(local))
        }
        Provider::Ollama => with_local(http(config, home, Protocol::Ollama), is_installed.then(local)),
    };
    let signs_first = config.scans_signs_first;
    let open = move || {
        let (cache, _) = SqliteEmbeddings::open(&path)?;
        let cache = if signs_first { cache.with_signs_first() } else { cache };
        Ok(Box::new(cache) as Box<dyn Embeddings>)
    };
    Some(Meaning::new(embedders, Box::new(open)))
}

/// Whether a model without weights was there before: its folder stands, or the cache at `vectors` has some of it.
/// Whoever searched by meaning yesterday is told why it is not so today; who removed it knows.
fn was_installed(folder: &Path, vectors: &Path) -> bool {
    if crate::models::install::removed_mark(folder).is_file() {
        return false;
    }
    let name = name_of(folder);
    folder.is_dir()
        || vectors.is_file()
            && SqliteEmbeddings::open(vectors)
                .and_then(|(mut cache, _)| cache.models())
                .is_ok_and(|models| models.iter().any(|model| model.name == name))
}

/// Whether a server fills vectors between calls without being told to each time (R27): where the person named a provider,
/// or had vectors made before. A model that is only installed is not enough.
pub fn fills_by_itself(config: &EmbeddingConfig, home: &Path, agent: &Agent) -> bool {
    // Counting would make the cache.
    let has_vectors = home.join("embeddings.db").is_file()
        && agent.notes.embedded().ok().flatten().is_some_and(|(_, counts)| counts.embedded > 0);
    is_filling_asked_for(config.provider, has_vectors)
}

fn is_filling_asked_for(named: Option<Provider>, has_vectors: bool) -> bool {
    match named {
        Some(Provider::Disabled) => false,
        Some(Provider::Local | Provider::Http | Provider::OpenAi | Provider::Ollama) => true,
        Some(Provider::Auto) | None => has_vectors,
    }
}

/// A provider first; vectors of the local model serve until its own are there.
fn with_local(first: Arc<dyn Embedder>, local: Option<Arc<dyn Embedder>>) -> Vec<Arc<dyn Embedder>> {
    std::iter::once(first).chain(local).collect()
}

/// The provider over HTTP that is configured. One that cannot be asked says so when it is asked, so that words
/// answer until then.
fn http(config: &EmbeddingConfig, home: &Path, protocol: Protocol) -> Arc<dyn Embedder> {
    let said = &config.http;
    match provider(said, protocol, config.question_wait).and_then(HttpEmbedder::new) {
        Ok(embedder) => {
            let standstill = StandstillFile::of(home, &said.url, &said.model, Box::new(SystemClock));
            Arc::new(embedder.minding(Box::new(standstill)))
        }
        Err(error) => Arc::new(Unasked { model: said.model.clone(), error }),
    }
}

fn provider(
    said: &HttpConfig,
    protocol: Protocol,
    question_wait: Duration,
) -> Result<inwit_remote::Provider, EmbedError> {
    let bad = |message: String| EmbedError { code: Code::SettingBad, message };
    let (plain, key) = said.access("A provider", "embedding").map_err(bad)?;
    Ok(inwit_remote::Provider {
        protocol,
        url: said.url.clone(),
        plain,
        model: said.model.clone(),
        key,
        dimension: said.dimension,
        patience: Patience::EMBEDDING,
        question_patience: Patience::within(question_wait),
    })
}

/// A provider that cannot be asked as it is configured.
struct Unasked {
    model: String,
    error: EmbedError,
}

impl Embedder for Unasked {
    fn model(&self) -> &str {
        &self.model
    }

    fn dimension(&self) -> usize {
        0
    }

    fn look(&self) -> Result<(), EmbedError> {
        Err(self.error.clone())
    }

    fn embed(&self, _texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        Err(self.error.clone())
    }
}

/// The name of the model that is asked, `None` where words alone answer.
pub fn name(config: &EmbeddingConfig) -> Option<String> {
    match config.provider.unwrap_or_default() {
        Provider::Disabled => None,
        Provider::Auto | Provider::Local => Some(name_of(&config.folder)),
        Provider::Http | Provider::OpenAi | Provider::Ollama => Some(config.http.model.clone()),
    }
}

/// A local model is called as its folder.
fn name_of(folder: &Path) -> String {
    folder.file_name().map_or_else(|| LOCAL_MODEL.into(), |name| name.to_string_lossy().into())
}

/// The models in folders of this machine that a process uses, each opened once for all of its agents.
#[derive(Default)]
pub struct LocalModels(Mutex<HashMap<PathBuf, Arc<Local>>>);

impl LocalModels {
    fn at(&self, folder: &Path) -> Arc<dyn Embedder> {
        let mut models = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let model = models.entry(folder.to_owned()).or_insert_with(|| Arc::new(Local::at(folder.to_owned())));
        Arc::clone(model) as _
    }
}

/// A model that is loaded when it is first asked.
struct Local {
    folder: PathBuf,
    name: String,
    dimension: OnceLock<usize>,
    model: OnceLock<Result<Minilm, EmbedError>>,
}

impl Local {
    fn at(folder: PathBuf) -> Self {
        let name = name_of(&folder);
        Self { folder, name, dimension: OnceLock::new(), model: OnceLock::new() }
    }

    fn opened(&self) -> &Result<Minilm, EmbedError> {
        let open = || {
            self.words_hold()?;
            Minilm::open(&self.folder, &self.name)
        };
        self.model.get_or_init(open)
    }

    /// Whether the words of a model that is known by its files' hashes are those it is published with: vectors of
    /// others would look as whole as any, and stay when the file is mended. Error: `model_damaged`.
    fn words_hold(&self) -> Result<(), EmbedError> {
        let model = named(Some(&self.name));
        let words = model.and_then(|model| model.files.iter().find(|file| file.name == WORDS));
        let there = words.filter(|_| self.folder.join(WORDS).exists());
        match there.and_then(|words| judged(&self.folder, words)) {
            None => Ok(()),
            Some(why) => {
                let path = self.folder.join(WORDS);
                let message = format!("The model file {} cannot be used: it {why}.", path.display());
                Err(EmbedError { code: Code::ModelDamaged, message })
            }
        }
    }
}

/// What is read of a model's own description.
#[derive(Deserialize)]
struct DescribedModel {
    hidden_size: usize,
}

impl Embedder for Local {
    fn model(&self) -> &str {
        &self.name
    }

    /// As the model's own description says it, which needs no weights; 0 where there is none.
    fn dimension(&self) -> usize {
        *self.dimension.get_or_init(|| {
            let text = std::fs::read_to_string(self.folder.join("config.json")).unwrap_or_default();
            serde_json::from_str(&text).map_or(0, |DescribedModel { hidden_size }| hidden_size)
        })
    }

    fn look(&self) -> Result<(), EmbedError> {
        inwit_embed::look(&self.folder)
    }

    /// Of a model that cannot be opened, asking tells why.
    fn reads(&self, text: &str) -> bool {
        self.opened().as_ref().map_or(true, |model| model.reads(text))
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.opened().as_ref().map_err(Clone::clone)?.embed(texts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Proves R27, R33.
    #[test]
    fn a_model_that_is_only_installed_fills_nothing_by_itself() {
        use Provider::{Auto, Disabled, Http, Local, Ollama, OpenAi};
        for (named, has_vectors, fills) in [
            (None, false, false),
            (Some(Auto), false, false),
            (None, true, true),
            (Some(Auto), true, true),
            (Some(Disabled), true, false),
        ] {
            assert_eq!(is_filling_asked_for(named, has_vectors), fills, "{named:?}, {has_vectors}");
        }
        for named in [Local, Http, OpenAi, Ollama] {
            assert!(is_filling_asked_for(Some(named), false), "{named:?}");
        }
    }
}
