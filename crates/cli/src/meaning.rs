//! Which model of meaning a command has, from its settings.
//!
//! Invariant: composing opens no model and no cache: a model costs a tenth of a second to load, and most
//! commands never ask it (D17).

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use inwit_embed::Minilm;
use inwit_engine::Meaning;
use inwit_model::{EmbedError, Embedder};
use inwit_store::Embeddings;
use inwit_store_sqlite::SqliteEmbeddings;

use crate::settings::{Provider, Settings};

/// The model that is installed by default, and the name of its folder.
pub const LOCAL_MODEL: &str = "all-MiniLM-L6-v2";

/// Meaning for an agent whose home is `home`, `None` where words alone answer.
pub fn of(settings: &Settings, home: &Path) -> Option<Meaning> {
    let folder = folder(settings);
    let is_installed = folder.join("model.safetensors").is_file();
    let local = || Arc::new(Local::at(folder.clone())) as Arc<dyn Embedder>;
    let embedders = match settings.embedding_provider() {
        Provider::Disabled => return None,
        Provider::Auto if !is_installed => return None,
        Provider::Auto | Provider::Local => vec![local()],
    };
    let path = home.join("embeddings.db");
    let open = move || SqliteEmbeddings::open(&path).map(|(cache, _)| Box::new(cache) as Box<dyn Embeddings>);
    Some(Meaning::new(embedders, Box::new(open)))
}

/// Where the local model lies.
pub fn folder(settings: &Settings) -> PathBuf {
    settings.folder("embedding.folder").unwrap_or_else(|| settings.home.join("models").join(LOCAL_MODEL))
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
        let name =
            folder.file_name().map_or_else(|| LOCAL_MODEL.into(), |name| name.to_string_lossy().into());
        Self { folder, name, dimension: OnceLock::new(), model: OnceLock::new() }
    }

    fn opened(&self) -> &Result<Minilm, EmbedError> {
        self.model.get_or_init(|| Minilm::open(&self.folder, &self.name))
    }
}

impl Embedder for Local {
    fn model(&self) -> &str {
        &self.name
    }

    /// As the model's own description says it, which needs no weights; 0 where there is none.
    fn dimension(&self) -> usize {
        *self.dimension.get_or_init(|| {
            let text = std::fs::read_to_string(self.folder.join("config.json")).unwrap_or_default();
            let config: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
            config["hidden_size"].as_u64().and_then(|size| usize::try_from(size).ok()).unwrap_or_default()
        })
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.opened().as_ref().map_err(Clone::clone)?.embed(texts)
    }
}
