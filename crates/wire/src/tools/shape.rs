//! What a tool answers: its fields as data, and the JSON schema that says so.
//!
//! Every tool may answer with an error instead, so each schema knows both forms; a client that checks
//! answers need not know which it got.

use serde_json::{Map, Value, json};

/// What a value is.
#[derive(Debug, Clone, Copy)]
pub enum Shape {
    /// Words.
    Text,
    /// A whole number.
    Whole,
    /// A number.
    Number,
    /// Yes or no.
    Flag,
    /// Anything.
    Any,
    /// A list.
    List(&'static Shape),
    /// An object with these fields, perhaps more later.
    Object(&'static [Field]),
    /// An object whose keys are not known before, each with such a value.
    Keys(&'static Shape),
    /// It, or null.
    Maybe(&'static Shape),
}

/// One field of an object.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub shape: Shape,
    /// Whether it is always there.
    pub always: bool,
}

/// A field that is always there.
pub const fn always(name: &'static str, shape: Shape) -> Field {
    Field { name, shape, always: true }
}

/// A field that is there when it has something to say.
pub const fn maybe(name: &'static str, shape: Shape) -> Field {
    Field { name, shape, always: false }
}

/// A failure, as [`super::ToolErrorV1`] has it.
pub const ERROR: Shape = Shape::Object(&[
    always("code", Shape::Text),
    always("message", Shape::Text),
    always("hint", Shape::Text),
    maybe("current_sha256", Shape::Maybe(&Shape::Text)),
    maybe("entries", Shape::List(&Shape::Text)),
]);

impl Shape {
    fn schema(&self) -> Value {
        match self {
            Self::Text => json!({ "type": "string" }),
            Self::Whole => json!({ "type": "integer" }),
            Self::Number => json!({ "type": "number" }),
            Self::Flag => json!({ "type": "boolean" }),
            Self::Any => json!({}),
            Self::List(item) => json!({ "type": "array", "items": item.schema() }),
            Self::Keys(value) => json!({ "type": "object", "additionalProperties": value.schema() }),
            Self::Maybe(shape) => json!({ "anyOf": [shape.schema(), { "type": "null" }] }),
            Self::Object(fields) => {
                json!({ "type": "object", "properties": properties(fields), "required": required(fields) })
            }
        }
    }
}

/// The schema of an answer with `fields`, or with `error`.
pub fn schema(fields: &[Field]) -> Map<String, Value> {
    let mut properties = properties(fields);
    if !fields.iter().any(|field| field.name == "error") {
        properties.insert("error".into(), ERROR.schema());
    }
    Map::from_iter([
        ("type".to_owned(), Value::from("object")),
        ("properties".to_owned(), properties.into()),
        ("anyOf".to_owned(), json!([{ "required": required(fields) }, { "required": ["error"] }])),
    ])
}

fn properties(fields: &[Field]) -> Map<String, Value> {
    fields.iter().map(|field| (field.name.to_owned(), field.shape.schema())).collect()
}

fn required(fields: &[Field]) -> Vec<&'static str> {
    fields.iter().filter(|field| field.always).map(|field| field.name).collect()
}
