//! Inputs of a tool: parameters as data, and their JSON schema.
//!
//! Invariant: the schema and the parser use the same rows, and equal rows give equal bytes.

use serde_json::{Map, Value, json};

/// One parameter.
#[derive(Debug, Clone, Copy)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// What it may be.
    pub kind: Kind,
    /// Whether it must be there.
    pub required: bool,
    /// What it means, one sentence.
    pub about: &'static str,
    /// Other names that models reach for.
    pub synonyms: &'static [&'static str],
}

/// What a parameter may be.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// Words.
    Text,
    /// A whole number.
    Whole {
        /// Least.
        min: u64,
        /// Most.
        max: u64,
        /// What holds when it is not said.
        default: Option<u64>,
    },
    /// A number.
    Number {
        /// Least.
        min: f64,
        /// Most.
        max: f64,
    },
    /// Yes or no.
    Flag {
        /// What holds when it is not said.
        default: bool,
    },
    /// One of some words.
    Choice {
        /// The words.
        of: &'static [&'static str],
        /// What holds when it is not said.
        default: Option<&'static str>,
    },
    /// Some of some words.
    Choices(&'static [&'static str]),
    /// A list of words.
    Texts,
    /// A list of words, from one to so many.
    SomeTexts(usize),
    /// A list of objects.
    Objects(&'static [Param]),
    /// An object of the caller's own.
    AnyObject,
}

/// Parameters: `name: Kind, "what it means", "another name" …;`, and `name?: Kind` where it may be left out. `..PARAM;` is one
/// that is written elsewhere, and so are the other names with `..NAMES`.
macro_rules! params {
    (@ [$($done:tt)*]) => { &[$($done)*] };
    (@ [$($done:tt)*] ..$param:expr; $($rest:tt)*) => { $crate::tools::param::params! { @ [$($done)* $param,] $($rest)* } };
    (@ [$($done:tt)*] $name:ident?: $($rest:tt)*) => {
        $crate::tools::param::params! { @ [$($done)*] ($name false) $($rest)* }
    };
    (@ [$($done:tt)*] $name:ident: $($rest:tt)*) => {
        $crate::tools::param::params! { @ [$($done)*] ($name true) $($rest)* }
    };
    (
        @ [$($done:tt)*] ($name:ident $required:literal)
        $kind:ident $({ $($of:tt)* })? $(($($list:tt)*))?, $about:literal $(, $($synonym:literal)+)?; $($rest:tt)*
    ) => {
        $crate::tools::param::params! {
            @ [$($done)*] ($name $required) ($kind $({ $($of)* })? $(($($list)*))?) $about, (&[$($($synonym),+)?]); $($rest)*
        }
    };
    (
        @ [$($done:tt)*] ($name:ident $required:literal)
        $kind:ident $({ $($of:tt)* })? $(($($list:tt)*))?, $about:literal, ..$synonyms:ident; $($rest:tt)*
    ) => {
        $crate::tools::param::params! {
            @ [$($done)*] ($name $required) ($kind $({ $($of)* })? $(($($list)*))?) $about, ($synonyms); $($rest)*
        }
    };
    (@ [$($done:tt)*] ($name:ident $required:literal) ($($kind:tt)*) $about:literal, ($synonyms:expr); $($rest:tt)*) => {
        $crate::tools::param::params! {
            @ [$($done)* $crate::tools::Param {
                name: stringify!($name),
                kind: $crate::tools::Kind::$($kind)*,
                required: $required,
                about: $about,
                synonyms: $synonyms,
            },] $($rest)*
        }
    };
    ($($params:tt)*) => { $crate::tools::param::params! { @ [] $($params)* } };
}

pub(crate) use params;

/// Most things in one list.
pub const LIST_MAX: usize = 100;

impl Kind {
    /// What is asked for, in words: `a whole number from 1 to 100`.
    pub fn words(&self) -> String {
        match self {
            Self::Text => "text".into(),
            Self::Whole { min, max, .. } => format!("a whole number from {min} to {max}"),
            Self::Number { min, max } => format!("a number from {min} to {max}"),
            Self::Flag { .. } => "true or false".into(),
            Self::Choice { of, .. } => format!("one of {}", of.join(", ")),
            Self::Choices(of) => format!("a list of some of {}", of.join(", ")),
            Self::Texts => format!("a list of at most {LIST_MAX} texts"),
            Self::SomeTexts(most) => format!("a list of 1 to {most} texts"),
            Self::Objects(_) => format!("a list of at most {LIST_MAX} objects"),
            Self::AnyObject => "an object".into(),
        }
    }

    /// What holds when it is not said.
    pub fn default(&self) -> Option<Value> {
        match self {
            Self::Whole { default, .. } => default.map(Value::from),
            Self::Flag { default } => Some(Value::from(*default)),
            Self::Choice { default, .. } => default.map(Value::from),
            _ => None,
        }
    }

    fn schema(&self) -> Value {
        match self {
            Self::Text => json!({ "type": "string" }),
            Self::Whole { min, max, .. } => json!({ "type": "integer", "minimum": min, "maximum": max }),
            Self::Number { min, max } => json!({ "type": "number", "minimum": min, "maximum": max }),
            Self::Flag { .. } => json!({ "type": "boolean" }),
            Self::Choice { of, .. } => json!({ "type": "string", "enum": of }),
            Self::Choices(of) => {
                json!({ "type": "array", "items": { "type": "string", "enum": of }, "maxItems": LIST_MAX })
            }
            Self::Texts => json!({ "type": "array", "items": { "type": "string" }, "maxItems": LIST_MAX }),
            Self::SomeTexts(most) => {
                json!({ "type": "array", "items": { "type": "string" }, "minItems": 1, "maxItems": most })
            }
            Self::Objects(params) => {
                json!({ "type": "array", "items": schema(params), "maxItems": LIST_MAX })
            }
            Self::AnyObject => json!({ "type": "object" }),
        }
    }
}

/// The JSON schema of an object with `params` and nothing else. Synonyms are accepted and not shown: a
/// model that reads the schema needs one name.
pub fn schema(params: &[Param]) -> Map<String, Value> {
    let mut properties = Map::new();
    for param in params {
        let Value::Object(mut schema) = param.kind.schema() else { continue };
        schema.insert("description".into(), param.about.into());
        if let Some(default) = param.kind.default() {
            schema.insert("default".into(), default);
        }
        properties.insert(param.name.into(), schema.into());
    }
    let required: Vec<&str> = params.iter().filter(|param| param.required).map(|param| param.name).collect();
    let mut schema = Map::from_iter([
        ("type".to_owned(), Value::from("object")),
        ("properties".to_owned(), properties.into()),
        ("additionalProperties".to_owned(), false.into()),
    ]);
    if !required.is_empty() {
        schema.insert("required".into(), required.into());
    }
    schema
}
