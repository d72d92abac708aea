//! Text for a model, in JSON.
//!
//! Invariant: JSON for a model uses this type, and it is made only from text masked by the engine.

use std::fmt;
use std::ops::Deref;

use inwit_engine::ModelText;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

/// Text that a model may be shown, as JSON.
#[derive(Debug, Clone, Default, PartialEq, Eq, JsonSchema)]
#[schemars(transparent)]
pub struct TextV1(#[schemars(with = "String")] ModelText);

impl From<ModelText> for TextV1 {
    fn from(text: ModelText) -> Self {
        Self(text)
    }
}

impl From<&ModelText> for TextV1 {
    fn from(text: &ModelText) -> Self {
        Self(text.clone())
    }
}

impl Serialize for TextV1 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl Deref for TextV1 {
    type Target = ModelText;

    fn deref(&self) -> &ModelText {
        &self.0
    }
}

impl fmt::Display for TextV1 {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}
