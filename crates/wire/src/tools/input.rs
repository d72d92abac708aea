//! Parses the arguments of a call by the rows of its tool.
//!
//! An unknown name is refused with the closest known one: silently ignored arguments are a trap. Invariant: the
//! result has only canonical names, each with its type and within its limits, with defaults filled in.

use inwit_model::Code;
use inwit_model::distance::distance;
use serde_json::{Map, Value};

use super::param::{Kind, LIST_MAX, Param};
use crate::ErrorV1;

/// Arguments that fit their tool.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Arguments(Map<String, Value>);

impl Arguments {
    /// Reads what was sent to `tool`. Error: `usage_bad`, with what the tool takes as its hint.
    pub fn read(tool: &str, params: &[Param], sent: &Map<String, Value>) -> Result<Self, ErrorV1> {
        read(tool, params, sent).map(Self).map_err(|message| {
            let names: Vec<&str> = params.iter().map(|param| param.name).collect();
            let hint = match names.as_slice() {
                [] => format!("`{tool}` takes no parameters."),
                names => format!("`{tool}` takes {}.", names.join(", ")),
            };
            ErrorV1 { hint: hint.into(), ..ErrorV1::new(Code::UsageBad, message) }
        })
    }

    /// A text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str)
    }

    /// A whole number.
    pub fn whole(&self, name: &str) -> Option<u64> {
        self.0.get(name).and_then(Value::as_u64)
    }

    /// A whole number as a size.
    pub fn size(&self, name: &str) -> Option<usize> {
        self.whole(name).map(|number| usize::try_from(number).unwrap_or(usize::MAX))
    }

    /// A number.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.0.get(name).and_then(Value::as_f64)
    }

    /// Whether the flag is set.
    pub fn flag(&self, name: &str) -> bool {
        self.0.get(name).and_then(Value::as_bool).unwrap_or(false)
    }

    /// The texts of a list.
    pub fn texts(&self, name: &str) -> Option<Vec<&str>> {
        Some(self.0.get(name)?.as_array()?.iter().filter_map(Value::as_str).collect())
    }

    /// The objects of a list.
    pub fn objects(&self, name: &str) -> Vec<Self> {
        let objects = self.0.get(name).and_then(Value::as_array).into_iter().flatten();
        objects.filter_map(|object| Some(Self(object.as_object()?.clone()))).collect()
    }

    /// Each argument with its name.
    pub fn values_mut(&mut self) -> impl Iterator<Item = (&String, &mut Value)> {
        self.0.iter_mut()
    }

    /// An object of the caller's own, as one line of JSON.
    pub fn object_line(&self, name: &str) -> Option<String> {
        self.0.get(name).filter(|value| value.is_object()).map(Value::to_string)
    }

    /// A text in an object of the caller's own.
    pub fn text_in(&self, object: &str, name: &str) -> Option<&str> {
        self.0.get(object)?.get(name)?.as_str()
    }

    /// All of them as one line of JSON, for binding a cursor to what it was given for.
    pub fn line(&self, without: &[&str]) -> String {
        let kept = self.0.iter().filter(|(name, _)| !without.contains(&name.as_str()));
        Value::Object(kept.map(|(name, value)| (name.clone(), value.clone())).collect()).to_string()
    }
}

fn read(tool: &str, params: &[Param], sent: &Map<String, Value>) -> Result<Map<String, Value>, String> {
    let mut said: Vec<(&Param, &str, &Value)> = Vec::new();
    for (name, value) in sent {
        let param = params.iter().find(|param| param.name == name || param.synonyms.contains(&name.as_str()));
        let Some(param) = param else { return Err(unknown(tool, params, name)) };
        // Some clients send every optional parameter, as null.
        if value.is_null() {
            continue;
        }
        if let Some((_, other, _)) = said.iter().find(|(known, _, _)| known.name == param.name) {
            return Err(format!(
                "`{other}` and `{}` of `{tool}` are the same parameter; send only one.",
                shown(name)
            ));
        }
        said.push((param, name, value));
    }
    let mut read = Map::new();
    for param in params {
        let found = said.iter().find(|(known, _, _)| known.name == param.name);
        let value =
            match found {
                Some((_, name, value)) => Some(fitted(tool, param, value).ok_or_else(|| {
                    format!("`{}` of `{tool}` must be {}.", shown(name), param.kind.words())
                })??),
                None if param.required => return Err(format!("`{tool}` needs `{}`.", param.name)),
                None => param.kind.default(),
            };
        if let Some(value) = value {
            read.insert(param.name.to_owned(), value);
        }
    }
    Ok(read)
}

/// The value in its plainest form; `None` where it is of another kind.
fn fitted(tool: &str, param: &Param, value: &Value) -> Option<Result<Value, String>> {
    let texts = |of: Option<&[&str]>| {
        let list = value.as_array().filter(|list| list.len() <= LIST_MAX)?;
        let fits = |text: &str| of.is_none_or(|of| of.contains(&text));
        list.iter().all(|item| item.as_str().is_some_and(fits)).then(|| value.clone())
    };
    let value = match param.kind {
        Kind::Text => value.as_str().map(Value::from),
        Kind::Whole { min, max, .. } => {
            whole(value).filter(|number| (min..=max).contains(number)).map(Value::from)
        }
        Kind::Number { min, max } => {
            number(value).filter(|number| (min..=max).contains(number)).map(Value::from)
        }
        Kind::Flag { .. } => flag(value).map(Value::from),
        Kind::Choice { of, .. } => value.as_str().filter(|word| of.contains(word)).map(Value::from),
        Kind::Choices(of) => texts(Some(of)),
        Kind::Texts => texts(None),
        Kind::SomeTexts(most) => {
            texts(None).filter(|list| list.as_array().is_some_and(|list| (1..=most).contains(&list.len())))
        }
        Kind::AnyObject => value.is_object().then(|| value.clone()),
        Kind::Objects(params) => {
            let list = value.as_array().filter(|list| list.len() <= LIST_MAX)?;
            let objects: Option<Vec<&Map<String, Value>>> = list.iter().map(Value::as_object).collect();
            let read = objects?.into_iter().map(|object| read(tool, params, object).map(Value::Object));
            return Some(read.collect::<Result<Vec<_>, _>>().map(Value::Array));
        }
    };
    value.map(Ok)
}

/// A number, also written as text: small models quote every value.
fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())
}

/// `true` or `false`, also written as text.
fn flag(value: &Value) -> Option<bool> {
    value.as_bool().or_else(|| value.as_str()?.trim().parse().ok())
}

/// A whole number. JSON has one type of number: `10.0` is whole as well.
fn whole(value: &Value) -> Option<u64> {
    const EXACT_MAX: f64 = 9_007_199_254_740_992.0;
    value.as_u64().or_else(|| {
        let number = number(value)?;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "within the exact numbers"
        )]
        ((0.0..EXACT_MAX).contains(&number) && number.fract() == 0.0).then_some(number as u64)
    })
}

fn unknown(tool: &str, params: &[Param], name: &str) -> String {
    let name: String = name.chars().take(SHOWN_CHARS_MAX).collect();
    let names = params.iter().flat_map(|param| std::iter::once(&param.name).chain(param.synonyms));
    let nearest = names
        .map(|known| (distance(known, &name), *known))
        .filter(|(distance, known)| *distance <= known.chars().count().div_ceil(2))
        .min();
    let meant = nearest.map(|(_, known)| format!(" Did you mean `{known}`?")).unwrap_or_default();
    format!("`{tool}` has no parameter `{}`.{meant}", shown(&name))
}

/// Longest name that is repeated, in characters.
const SHOWN_CHARS_MAX: usize = 40;

fn shown(name: &str) -> String {
    inwit_model::name::shown(&name.chars().take(SHOWN_CHARS_MAX).collect::<String>())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const PARAMS: &[Param] = &[
        Param { name: "query", kind: Kind::Text, required: true, about: "", synonyms: &["q"] },
        Param {
            name: "limit",
            kind: Kind::Whole { min: 1, max: 100, default: Some(10) },
            required: false,
            about: "",
            synonyms: &["n"],
        },
        Param {
            name: "collection",
            kind: Kind::Choice { of: &["a", "b"], default: None },
            required: false,
            about: "",
            synonyms: &[],
        },
    ];

    fn sent(value: &Value) -> Result<Arguments, String> {
        let object = value.as_object().expect("an object");
        Arguments::read("t", PARAMS, object).map_err(|error| error.message)
    }

    #[test]
    fn names_and_synonyms_are_read_and_defaults_filled_in() {
        let read = sent(&json!({ "q": "bread", "limit": null })).expect("read");
        assert_eq!((read.text("query"), read.whole("limit")), (Some("bread"), Some(10)));
        assert_eq!(sent(&json!({ "query": "x", "n": 3.0 })).expect("read").whole("limit"), Some(3));
    }

    /// Small models quote numbers and flags; a text that is neither is still refused.
    #[test]
    fn numbers_and_flags_in_quotes_are_accepted() {
        assert_eq!(sent(&json!({ "query": "x", "limit": "5" })).expect("read").whole("limit"), Some(5));
        let params = [
            Param { kind: Kind::Number { min: 0.0, max: 1.0 }, name: "share", ..PARAMS[1] },
            Param { kind: Kind::Flag { default: true }, name: "flag", synonyms: &[], ..PARAMS[1] },
        ];
        let quoted = json!({ "share": "0.5", "flag": "false" });
        let read = Arguments::read("t", &params, quoted.as_object().expect("an object")).expect("read");
        assert_eq!((read.number("share"), read.flag("flag")), (Some(0.5), false));
        for refused in ["five", "", "0", "101", "1.5", "NaN", "inf"] {
            assert!(sent(&json!({ "query": "x", "limit": refused })).is_err(), "{refused}");
        }
        let refused = json!({ "share": "NaN" });
        assert!(Arguments::read("t", &params, refused.as_object().expect("an object")).is_err());
    }

    const LISTS: &[Param] = &[
        Param { name: "words", kind: Kind::Texts, required: false, about: "", synonyms: &[] },
        Param { name: "some", kind: Kind::Choices(&["a", "b"]), required: false, about: "", synonyms: &[] },
        Param {
            name: "share",
            kind: Kind::Number { min: 0.0, max: 1.0 },
            required: false,
            about: "",
            synonyms: &[],
        },
        Param { name: "deeds", kind: Kind::Objects(PARAMS), required: false, about: "", synonyms: &[] },
    ];

    #[test]
    fn lists_and_what_stands_in_them_are_read_by_their_rows() {
        let sent = |value: Value| {
            let object = value.as_object().expect("an object").clone();
            Arguments::read("t", LISTS, &object).map_err(|error| error.message)
        };
        let read =
            sent(json!({ "words": vec!["x"; LIST_MAX], "some": ["b"], "share": 1, "deeds": [{ "q": "y" }] }))
                .expect("read");
        assert_eq!(read.texts("words").map(|words| words.len()), Some(LIST_MAX));
        let deeds = read.objects("deeds");
        assert_eq!((deeds[0].text("query"), deeds[0].whole("limit")), (Some("y"), Some(10)), "filled in");
        for (value, told) in [
            (
                json!({ "words": vec!["x"; LIST_MAX + 1] }),
                "`words` of `t` must be a list of at most 100 texts.",
            ),
            (json!({ "words": ["x", 1] }), "`words` of `t` must be a list of at most 100 texts."),
            (json!({ "some": ["a", "c"] }), "`some` of `t` must be a list of some of a, b."),
            (json!({ "share": 1.5 }), "`share` of `t` must be a number from 0 to 1."),
            (json!({ "share": -0.1 }), "`share` of `t` must be a number from 0 to 1."),
            (
                json!({ "deeds": vec![json!({ "q": "y" }); LIST_MAX + 1] }),
                "`deeds` of `t` must be a list of at most 100 objects.",
            ),
            (json!({ "deeds": [{ "q": "y" }, {}] }), "`t` needs `query`."),
            (json!({ "deeds": [{ "q": "y", "zzzzzzzzz": 1 }] }), "`t` has no parameter `zzzzzzzzz`."),
        ] {
            assert_eq!(sent(value).expect_err("refused"), told);
        }
    }

    /// A refusal is read at a terminal and by a model: no name clears the screen or hides words in it.
    #[test]
    fn a_name_that_is_refused_is_repeated_short_and_visible() {
        let told = sent(&json!({ "query": "x", "\u{1b}[2J\u{202e}": 1 })).expect_err("refused");
        assert_eq!(told, "`t` has no parameter `⟦U+001B⟧[2J⟦U+202E⟧`.");
        let told = sent(&json!({ "query": "x", "n".repeat(5_000): 1 })).expect_err("refused");
        assert!(told.len() < 100, "{told}");
    }

    #[test]
    fn what_does_not_fit_is_refused_and_told() {
        for (value, told) in [
            (json!({}), "`t` needs `query`."),
            (
                json!({ "query": "x", "colections": "a" }),
                "`t` has no parameter `colections`. Did you mean `collection`?",
            ),
            (json!({ "query": "x", "zzzzzzzzz": 1 }), "`t` has no parameter `zzzzzzzzz`."),
            (
                json!({ "query": "x", "q": "y" }),
                "`query` and `q` of `t` are the same parameter; send only one.",
            ),
            (json!({ "query": 1 }), "`query` of `t` must be text."),
            (json!({ "query": "x", "limit": 0 }), "`limit` of `t` must be a whole number from 1 to 100."),
            (json!({ "query": "x", "limit": 1.5 }), "`limit` of `t` must be a whole number from 1 to 100."),
            (json!({ "query": "x", "limit": -1 }), "`limit` of `t` must be a whole number from 1 to 100."),
            (json!({ "query": "x", "collection": "c" }), "`collection` of `t` must be one of a, b."),
        ] {
            assert_eq!(sent(&value).expect_err("refused"), told, "{value}");
        }
        let object = json!({ "x": 1 });
        let error =
            Arguments::read("t", PARAMS, object.as_object().expect("an object")).expect_err("refused");
        assert_eq!((error.code, error.hint), ("usage_bad", "`t` takes query, limit, collection.".into()));
    }
}
