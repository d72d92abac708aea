//! The YAML block at the start of a file, and the few fields that skills need from it.
//!
//! A file's YAML is data of strangers: what is read is bounded in bytes, nodes and depth, aliases
//! are refused, and a scalar stays the text that was written (`1.10` and `no` keep their letters),
//! because a type guessed from a name or a version is a wrong name or version.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::limit::{FIELD_DEPTH_MAX, FIELD_NODES_MAX, FRONT_MATTER_BYTES_MAX};

/// The top-level fields of the YAML between the fences, `inner`. Errors: no mapping, broken YAML, a
/// field named twice, an alias, or more than the caps allow.
pub fn fields(inner: &str) -> Result<BTreeMap<String, Field>, FieldsError> {
    if inner.len() > FRONT_MATTER_BYTES_MAX {
        return Err(FieldsError { line: None, message: format!("more than {FRONT_MATTER_BYTES_MAX} bytes") });
    }
    if inner.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#')) {
        return Ok(BTreeMap::new());
    }
    // Shapes first: only then can a scalar be asked for as the text it was written as.
    let shapes = read(inner, Fields { shapes: None })?;
    read(inner, Fields { shapes: Some(&shapes) })
}

/// Where the block stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FrontMatter {
    /// With both fences and their line ends.
    pub span: Range<usize>,
    /// Between the fences.
    pub inner: Range<usize>,
}

/// The value of one field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Field {
    /// A scalar as written; empty where nothing is.
    Text(String),
    /// A list of scalars as written.
    List(Vec<String>),
    /// A mapping, or a list of other things: nothing that a skill needs.
    Other,
}

/// The YAML could not be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("front matter: {message}")]
pub struct FieldsError {
    /// Line inside the front matter, from 1.
    pub line: Option<u64>,
    /// What is wrong.
    pub message: String,
}

/// What [`crate::parse()`] found at the start of a text.
pub(crate) enum FrontMatterScan {
    None,
    Unclosed(Range<usize>),
    TooLarge(FrontMatter),
    Block(FrontMatter),
}

/// Finds the block at the start of `text`: a `---` line, and a later `---` or `...` line.
pub(crate) fn find(text: &str) -> FrontMatterScan {
    let mut at = 0;
    let mut lines = text.split_inclusive('\n').map(|line| {
        at += line.len();
        (at - line.len()..at, line.trim_end())
    });
    let Some((open, "---")) = lines.next() else { return FrontMatterScan::None };
    let Some((close, _)) = lines.find(|(_, line)| matches!(*line, "---" | "...")) else {
        return FrontMatterScan::Unclosed(open);
    };
    let block = FrontMatter { span: 0..close.end, inner: open.end..close.start };
    if block.inner.len() > FRONT_MATTER_BYTES_MAX {
        FrontMatterScan::TooLarge(block)
    } else {
        FrontMatterScan::Block(block)
    }
}

fn read(inner: &str, fields: Fields<'_>) -> Result<BTreeMap<String, Field>, FieldsError> {
    let options = serde_saphyr::options! {
        strict_booleans: true,
        with_snippet: false,
        merge_keys: serde_saphyr::options::MergeKeyPolicy::AsOrdinary,
        budget: serde_saphyr::budget! {
            max_nodes: FIELD_NODES_MAX,
            max_events: FIELD_NODES_MAX * 3,
            max_depth: FIELD_DEPTH_MAX,
            flow_nesting_limit: FIELD_DEPTH_MAX,
            max_aliases: 0,
            max_documents: 1,
        },
    };
    let fail = |error: serde_saphyr::Error| FieldsError {
        line: error.location().map(|location| location.line()),
        message: error.to_string(),
    };
    serde_saphyr::with_deserializer_from_str_with_options(inner, options, |yaml| fields.deserialize(yaml))
        .map_err(fail)
}

/// Reads the mapping: without shapes, what each field is; with them, what it says.
struct Fields<'a> {
    shapes: Option<&'a BTreeMap<String, Field>>,
}

impl<'de> DeserializeSeed<'de> for Fields<'_> {
    type Value = BTreeMap<String, Field>;

    fn deserialize<D: Deserializer<'de>>(self, yaml: D) -> Result<Self::Value, D::Error> {
        yaml.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Fields<'_> {
    type Value = BTreeMap<String, Field>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a mapping of fields")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut fields = BTreeMap::new();
        while let Some(key) = map.next_key::<String>()? {
            let field = match self.shapes.map(|shapes| shapes.get(&key)) {
                None => map.next_value_seed(Shape)?,
                // An empty text is a null, which is no string to YAML.
                Some(Some(Field::Text(text))) if !text.is_empty() => Field::Text(map.next_value()?),
                Some(Some(Field::List(_))) => Field::List(map.next_value()?),
                Some(Some(shape)) => {
                    map.next_value::<IgnoredAny>()?;
                    shape.clone()
                }
                Some(None) => return Err(A::Error::custom("a field changed its name")),
            };
            fields.insert(key, field);
        }
        Ok(fields)
    }
}

/// Reads what a value is; its text is not yet what was written.
struct Shape;

impl<'de> DeserializeSeed<'de> for Shape {
    type Value = Field;

    fn deserialize<D: Deserializer<'de>>(self, yaml: D) -> Result<Field, D::Error> {
        yaml.deserialize_any(self)
    }
}

macro_rules! scalar {
    ($($visit:ident: $value:ty),*) => {$(
        fn $visit<E: Error>(self, _: $value) -> Result<Field, E> {
            Ok(Field::Text("scalar".to_owned()))
        }
    )*};
}

impl<'de> Visitor<'de> for Shape {
    type Value = Field;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a scalar, a list or a mapping")
    }

    scalar!(visit_bool: bool, visit_i64: i64, visit_u64: u64, visit_i128: i128, visit_u128: u128, visit_f64: f64, visit_str: &str);

    fn visit_unit<E: Error>(self) -> Result<Field, E> {
        Ok(Field::Text(String::new()))
    }

    fn visit_none<E: Error>(self) -> Result<Field, E> {
        self.visit_unit()
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Field, A::Error> {
        let mut plain = true;
        while let Some(item) = items.next_element_seed(Shape)? {
            plain &= matches!(item, Field::Text(text) if !text.is_empty());
        }
        Ok(if plain { Field::List(Vec::new()) } else { Field::Other })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Field, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Field::Other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skill_gets_texts_and_lists_as_written() {
        let yaml = "name: bake-bread\ndescription: |\n  Two\n  lines\nversion: 1.10\nno: no\nempty:\nsince: 2026-11-21\n\
                    tags: [rye, 2.50, yes]\nmixed: [a, [b]]\nmetadata: {openclaw: {emoji: x}}\nquoted: \"a\\tb\"\n";
        let fields = fields(yaml).unwrap();
        let text = |text: &str| Field::Text(text.to_owned());
        assert_eq!(fields["name"], text("bake-bread"));
        assert_eq!(fields["description"], text("Two\nlines\n"));
        assert_eq!(fields["version"], text("1.10"));
        assert_eq!(fields["no"], text("no"));
        assert_eq!(fields["empty"], text(""));
        assert_eq!(fields["since"], text("2026-11-21"));
        assert_eq!(fields["quoted"], text("a\tb"));
        assert_eq!(fields["tags"], Field::List(vec!["rye".into(), "2.50".into(), "yes".into()]));
        assert_eq!((&fields["mixed"], &fields["metadata"]), (&Field::Other, &Field::Other));
    }

    #[test]
    fn nothing_is_no_fields() {
        assert_eq!(fields(""), Ok(BTreeMap::new()));
        assert_eq!(fields("\n# a comment\n"), Ok(BTreeMap::new()));
    }

    #[test]
    fn an_alias_bomb_is_refused() {
        let mut yaml = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..12 {
            let names = vec![format!("*a{}", level - 1); 9].join(", ");
            yaml += &format!("a{level}: &a{level} [{names}]\n");
        }
        assert!(fields(&yaml).is_err());
        assert!(fields("a: &a x\nb: *a\n").is_err());
    }

    #[test]
    fn broken_or_boundless_yaml_is_an_error_with_its_line() {
        for yaml in [
            "a: [", "- a\n- b\n", "just text", "a: 1\na: 2\n", "\t- a: b", "a: !!binary x\nb: \"",
            "--- a\n--- b\n",
        ] {
            assert!(fields(yaml).is_err(), "{yaml}");
        }
        assert!(fields(&("a: ".to_owned() + &"[".repeat(5_000))).is_err());
        assert!(fields(&(0..3_000).map(|key| format!("k{key}: v\n")).collect::<String>()).is_err());
        assert!(fields(&"a".repeat(FRONT_MATTER_BYTES_MAX + 1)).is_err());
        assert_eq!(fields("a: b\nc: [").unwrap_err().line, Some(2));
    }

    #[test]
    fn the_block_is_found_only_at_the_start() {
        let found = |text: &str| match find(text) {
            FrontMatterScan::None => "none",
            FrontMatterScan::Unclosed(_) => "unclosed",
            FrontMatterScan::TooLarge(_) => "too large",
            FrontMatterScan::Block(_) => "block",
        };
        assert_eq!(found("---\na: b\n---\nx"), "block");
        assert_eq!(found("--- \na: b\n..."), "block");
        assert_eq!(found("---\n---"), "block");
        assert_eq!(found("---\na: b\n"), "unclosed");
        assert_eq!(found("\n---\na: b\n---\n"), "none");
        assert_eq!(found("```\n---\n```\n"), "none");
        assert_eq!(found(&format!("---\n{}\n---\n", "a".repeat(FRONT_MATTER_BYTES_MAX))), "too large");
        assert_eq!(found(&format!("---\n{}\n---\n", "a".repeat(FRONT_MATTER_BYTES_MAX - 1))), "block");
    }
}
