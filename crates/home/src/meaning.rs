//! The embedding model of an agent, from its configuration.
//!
//! Invariant: construction loads no model: that takes a tenth of a second, and most commands do not need it (D17).
//! The vector cache is opened only if no model is installed, to check whether one was.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use inwit_embed::{LocalEmbedder, LocalReranker, identity};
use inwit_engine::{Agent, Meaning};
use inwit_model::{Code, EmbedError, Embedder, Reranker};
use inwit_outbound::Patience;
use inwit_remote::{HttpEmbedder, Protocol};
use inwit_store::Embeddings;
use inwit_store_sqlite::SqliteEmbeddings;

use crate::clock::SystemClock;
use crate::config::{EmbeddingConfig, HttpConfig};
use crate::models::row::named;
use crate::models::state::judged;
use crate::provider::Provider;
use crate::standstill::StandstillFile;

/// The default installed model, and the name of its folder.
pub const LOCAL_MODEL: &str = "all-MiniLM-L6-v2";

/// Its vocabulary file.
const WORDS: &str = "vocab.txt";

/// Between the name of a folder and the identity of the model in it.
const IDENTITY_JOINT: char = '@';

/// Its weights file.
const WEIGHTS: &str = "model.safetensors";

/// Embeddings for an agent with the home `home`, `None` for words only.
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

/// Whether a missing model was installed before: its folder exists, or the cache at `vectors` has its vectors. Then
/// the user is notified, unless they removed it.
fn was_installed(folder: &Path, vectors: &Path) -> bool {
    if crate::models::install::removed_mark(folder).is_file() {
        return false;
    }
    let name = name_of(folder);
    folder.is_dir()
        || vectors.is_file()
            && SqliteEmbeddings::open(vectors)
                .and_then(|(mut cache, _)| cache.models())
                .is_ok_and(|models| models.iter().any(|model| is_named(&model.name, &name)))
}

/// Whether vectors by `model` are of the folder `name`, of whichever identity.
fn is_named(model: &str, name: &str) -> bool {
    model.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(IDENTITY_JOINT))
}

/// Whether a server fills vectors automatically (R27): if a provider is configured, or vectors were made before. An
/// installed model alone is not enough.
pub fn fills_by_itself(config: &EmbeddingConfig, home: &Path, agent: &Agent) -> bool {
    // Counting would create the cache.
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

/// A provider first; vectors of the local model serve until its own are filled.
fn with_local(first: Arc<dyn Embedder>, local: Option<Arc<dyn Embedder>>) -> Vec<Arc<dyn Embedder>> {
    std::iter::once(first).chain(local).collect()
}

/// The configured HTTP provider. An invalid configuration is reported on use, and words answer until then.
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

/// A provider with an invalid configuration.
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

/// The name of the model, `None` for words only.
pub fn name(config: &EmbeddingConfig) -> Option<String> {
    match config.provider.unwrap_or_default() {
        Provider::Disabled => None,
        Provider::Auto | Provider::Local => Some(name_of(&config.folder)),
        Provider::Http | Provider::OpenAi | Provider::Ollama => Some(config.http.model.clone()),
    }
}

/// A local model is named after its folder.
fn name_of(folder: &Path) -> String {
    folder.file_name().map_or_else(|| LOCAL_MODEL.into(), |name| name.to_string_lossy().into())
}

/// Local models of a process, each loaded once for all of its agents.
#[derive(Default)]
pub struct LocalModels {
    embedders: Mutex<HashMap<PathBuf, Arc<Local>>>,
    rerankers: Mutex<HashMap<PathBuf, Arc<LazyReranker>>>,
}

impl LocalModels {
    fn at(&self, folder: &Path) -> Arc<dyn Embedder> {
        let mut models = self.embedders.lock().unwrap_or_else(PoisonError::into_inner);
        let model = models.entry(folder.to_owned()).or_insert_with(|| Arc::new(Local::at(folder.to_owned())));
        Arc::clone(model) as _
    }

    /// The reranker in `folder`.
    pub fn reranker_at(&self, folder: &Path) -> Arc<dyn Reranker> {
        let mut models = self.rerankers.lock().unwrap_or_else(PoisonError::into_inner);
        let model = models.entry(folder.to_owned()).or_insert_with(|| Arc::new(LazyReranker::at(folder)));
        Arc::clone(model) as _
    }
}

/// A model that is loaded on first use.
struct Local {
    folder: PathBuf,
    /// The name of its folder.
    name: String,
    /// The same with the identity of the model, unless its files are known; set once they can be read.
    identified: OnceLock<String>,
    dimension: OnceLock<usize>,
    model: OnceLock<Result<LocalEmbedder, EmbedError>>,
}

impl Local {
    fn at(folder: PathBuf) -> Self {
        let name = name_of(&folder);
        Self { folder, name, identified: OnceLock::new(), dimension: OnceLock::new(), model: OnceLock::new() }
    }

    fn opened(&self) -> &Result<LocalEmbedder, EmbedError> {
        let open = || {
            self.words_hold()?;
            LocalEmbedder::open(&self.folder, self.model())
        };
        self.model.get_or_init(open)
    }

    /// Whether the vocabulary of a known model is the published one: a wrong one gives plausible but wrong vectors,
    /// which would remain after a repair. Error: `model_damaged`.
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

impl Embedder for Local {
    /// A model that inwit installs has the name of its folder. Of another one the identity is part of the name, since
    /// the folder may get other files: vectors of two models are never compared.
    fn model(&self) -> &str {
        if let Some(identified) = self.identified.get() {
            return identified;
        }
        if named(Some(&self.name)).is_some() {
            return &self.name;
        }
        match identity(&self.folder) {
            Ok(identity) => {
                self.identified.get_or_init(|| format!("{}{IDENTITY_JOINT}{identity}", self.name))
            }
            Err(_) => &self.name,
        }
    }

    /// From the model's configuration, without its weights; 0 if there is none.
    fn dimension(&self) -> usize {
        *self.dimension.get_or_init(|| inwit_embed::dimension(&self.folder).unwrap_or(0))
    }

    fn look(&self) -> Result<(), EmbedError> {
        inwit_embed::look(&self.folder)
    }

    /// If the model cannot be loaded, `ask` reports why.
    fn reads(&self, text: &str) -> bool {
        self.opened().as_ref().map_or(true, |model| model.reads(text))
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.opened().as_ref().map_err(Clone::clone)?.embed(texts)
    }
}

/// A reranker that is loaded on first use.
struct LazyReranker {
    folder: PathBuf,
    name: String,
    model: OnceLock<Result<LocalReranker, EmbedError>>,
}

impl LazyReranker {
    fn at(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), name: name_of(folder), model: OnceLock::new() }
    }

    fn opened(&self) -> Result<&LocalReranker, EmbedError> {
        let model = self.model.get_or_init(|| LocalReranker::open(&self.folder, &self.name));
        model.as_ref().map_err(Clone::clone)
    }
}

impl Reranker for LazyReranker {
    fn model(&self) -> &str {
        &self.name
    }

    fn look(&self) -> Result<(), EmbedError> {
        self.opened().map(|_| ())
    }

    fn scores(&self, query: &str, passages: &[&str]) -> Result<Vec<f32>, EmbedError> {
        self.opened()?.scores(query, passages)
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
