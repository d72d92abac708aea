//! Who makes vectors.
//!
//! Invariant: what is not said is `auto`, so that an installed model is used and a missing one is no error (X48).

inwit_model::words! {
    /// Who makes vectors.
    #[derive(Default)]
    Provider {
        /// The local model, where it is installed.
        #[default]
        Auto = "auto",
        /// The local model; where it is missing, each search says so.
        Local = "local",
        /// A provider over HTTP, asked in OpenAI's form.
        Http = "http",
        /// The same, and OpenAI itself where nothing else is said: what configurations of others call `openai` (R34).
        OpenAi = "openai",
        /// A provider over HTTP, asked in Ollama's form.
        Ollama = "ollama",
        /// None: search by words only.
        Disabled = "disabled",
    }
}
