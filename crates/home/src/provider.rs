//! Providers of embeddings.
//!
//! Invariant: the default is `auto`, so an installed model is used and a missing one is no error (X48).

inwit_model::words! {
    /// The provider of embeddings.
    #[derive(Default)]
    Provider {
        /// The local model, if it is installed.
        #[default]
        Auto = "auto",
        /// The local model; if it is missing, each search reports it.
        Local = "local",
        /// An HTTP provider with OpenAI's API.
        Http = "http",
        /// The same, by default OpenAI itself: other systems' configurations call this `openai` (R34).
        OpenAi = "openai",
        /// An HTTP provider with Ollama's API.
        Ollama = "ollama",
        /// No provider: search uses words only.
        Disabled = "disabled",
    }
}
