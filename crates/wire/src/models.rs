//! Installed embedding models.

use crate::shape::shape;

shape! {
    /// All that are known.
    pub struct ModelsV1 {
        /// Each model.
        pub models: Vec<ModelV1>,
    }

    /// One model.
    pub struct ModelV1 {
        /// Its name.
        pub name: &'static str,
        /// Where it is or would be.
        pub folder: String,
        /// Its size.
        pub bytes: u64,
        /// Numbers in one of its vectors.
        pub dimension: usize,
        /// One word, such as `absent`.
        pub state: &'static str,
    }

    /// A model that is installed now.
    pub struct InstalledV1 {
        /// Which.
        #[serde(flatten)]
        pub model: ModelV1,
        /// Where it came from; `null` where it was there and whole.
        pub from: Option<String>,
        /// What else is to be said.
        pub note: Option<String>,
    }

    /// A model that is gone now.
    pub struct RemovedV1 {
        /// Which.
        pub name: &'static str,
        /// Whether it was removed; without `--apply` it never is.
        pub removed: bool,
        /// Other files in its folder.
        pub stays: Vec<String>,
    }
}
