//! Inserts into, and removes from, JSON files with or without comments.
//!
//! The text is parsed only for positions and never reprinted. Insertions come first in their object or list, so that
//! comments stay with their values. Invariant: an insertion is one splice; every other byte is unchanged.

use std::ops::Range;

use jsonc_parser::ast::{Object, ObjectProp, Value as Node};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde::Serialize as _;
use serde_json::Value;
use serde_json::ser::{PrettyFormatter, Serializer};

use super::receipt::Made;
use super::splice::Splice;

const BYTE_ORDER_MARK: &str = "\u{FEFF}";

/// The position of an insertion.
#[derive(Debug, Clone, Copy)]
pub enum Target<'a> {
    /// A member with that name in the object at this path.
    Member(&'a [&'a str], &'a str),
    /// An element of the list at this path.
    Element(&'a [&'a str]),
}

/// The splice that inserts `value`, with missing objects and lists. Error: why it is impossible.
pub fn add(text: &str, target: Target<'_>, value: &Value) -> Result<Splice, String> {
    let start = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    let body = &text[start..];
    let (path, value) = match target {
        Target::Member(path, name) => ([path, &[name]].concat(), value.clone()),
        Target::Element(path) => (path.to_vec(), value.clone()),
    };
    let is_element = matches!(target, Target::Element(_));
    let parsed = parse(body)?;
    let style = Style::of(body, parsed.as_ref());
    let Some(root) = &parsed else {
        let whole = nested(&path, if is_element { Value::Array(vec![value]) } else { value });
        return Ok(Splice {
            at: text.len(),
            text: format!("{}{}", style.pretty(&whole, ""), style.line_end),
        });
    };
    let mut object = root.as_object().ok_or("it is not an object")?;
    for (depth, name) in path.iter().enumerate() {
        let rest = &path[depth + 1..];
        let Some(found) = object.get(name) else {
            let value = nested(rest, if is_element { Value::Array(vec![value]) } else { value });
            let children: Vec<Range<usize>> = object.properties.iter().map(range).collect();
            let item = |indent: &str| format!("{}: {}", Value::from(*name), style.pretty(&value, indent));
            return Ok(style.first_in(body, range(object), &children, &item).after(start));
        };
        match &found.value {
            Node::Object(inner) if !rest.is_empty() => object = inner,
            Node::Array(list) if rest.is_empty() && is_element => {
                let children: Vec<Range<usize>> = list.elements.iter().map(range).collect();
                let item = |indent: &str| style.pretty(&value, indent);
                return Ok(style.first_in(body, range(list), &children, &item).after(start));
            }
            _ => return Err(format!("`{}` has an unexpected type", path[..=depth].join("."))),
        }
    }
    Err(format!("`{}` already exists", path.join(".")))
}

/// The text as a value, without comments. Error: why it is invalid.
pub fn read(text: &str) -> Result<Value, String> {
    let body = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    Ok(parse(body)?.as_ref().map_or(Value::Null, |node| value(node)))
}

/// Whether `path` exists.
pub fn has(text: &str, path: &[String]) -> bool {
    let all = read(text).unwrap_or_default();
    path.iter().try_fold(&all, |value, name| value.get(name)).is_some()
}

/// `text` without the member `name` of the object at `path`. That object is removed too if it is then empty and setup
/// created it (`made`). `None` if there is no such member. Error: why it is not JSON.
pub fn without_member(text: &str, path: &[&str], name: &str, made: &Made) -> Result<Option<String>, String> {
    if let Some(body) = text.strip_prefix(BYTE_ORDER_MARK) {
        return Ok(without_member(body, path, name, made)?.map(marked));
    }
    let root = parse(text)?;
    let Some(object) = root.as_ref().and_then(|root| object_at(root, path)) else { return Ok(None) };
    let children: Vec<Range<usize>> = object.properties.iter().map(range).collect();
    let Some(at) = object.properties.iter().position(|member| member.name.as_str() == name) else {
        return Ok(None);
    };
    match path.split_last() {
        Some((last, above)) if children.len() == 1 && made.iter().any(|one| one == path) => {
            without_member(text, above, last, made)
        }
        _ => Ok(Some(cut(text, &children, at))),
    }
}

/// `text` without the elements of the list at `path` that are `ours`. The list is removed too if it is then empty and
/// setup created it (`made`). Error: why it is not JSON.
pub fn without_elements(
    text: &str,
    path: &[&str],
    ours: &dyn Fn(&Value) -> bool,
    made: &Made,
) -> Result<String, String> {
    if let Some(body) = text.strip_prefix(BYTE_ORDER_MARK) {
        return without_elements(body, path, ours, made).map(marked);
    }
    let mut text = text.to_owned();
    loop {
        let root = parse(&text)?;
        let Some((last, above)) = path.split_last() else { return Ok(text) };
        let list = root.as_ref().and_then(|root| object_at(root, above)?.get(last)?.value.as_array());
        let Some(list) = list else { return Ok(text) };
        let Some(at) = list.elements.iter().position(|node| ours(&value(node))) else { return Ok(text) };
        let next = if list.elements.len() == 1 && made.iter().any(|one| one == path) {
            without_member(&text, above, last, made)?
        } else {
            Some(cut(&text, &list.elements.iter().map(range).collect::<Vec<_>>(), at))
        };
        let Some(next) = next else { return Ok(text) };
        text = next;
    }
}

/// `text` without the hooks at `path` that are `ours`, and without groups and lists that are then empty. `None` if
/// there are none. Error: why it is not JSON.
pub fn without_hooks(
    text: &str,
    path: &[&str],
    ours: &dyn Fn(&Value) -> bool,
    made: &Made,
) -> Result<Option<String>, String> {
    if let Some(body) = text.strip_prefix(BYTE_ORDER_MARK) {
        return Ok(without_hooks(body, path, ours, made)?.map(marked));
    }
    let (mut text, mut is_changed) = (text.to_owned(), false);
    while let Some(next) = without_first_hook(&text, path, ours, made)? {
        text = next;
        is_changed = true;
    }
    Ok(is_changed.then_some(text))
}

fn marked(body: String) -> String {
    format!("{BYTE_ORDER_MARK}{body}")
}

fn without_first_hook(
    text: &str,
    path: &[&str],
    ours: &dyn Fn(&Value) -> bool,
    made: &Made,
) -> Result<Option<String>, String> {
    let root = parse(text)?;
    let Some((last, above)) = path.split_last() else { return Ok(None) };
    let groups = root.as_ref().and_then(|root| object_at(root, above)?.get(last)?.value.as_array());
    let Some(groups) = groups else { return Ok(None) };
    for (group, node) in groups.elements.iter().enumerate() {
        let hooks = node.as_object().and_then(|node| node.get("hooks")?.value.as_array());
        let Some(hooks) = hooks else { continue };
        let Some(hook) = hooks.elements.iter().position(|node| ours(&value(node))) else { continue };
        if hooks.elements.len() > 1 {
            return Ok(Some(cut(text, &hooks.elements.iter().map(range).collect::<Vec<_>>(), hook)));
        }
        if groups.elements.len() == 1 && made.iter().any(|one| one == path) {
            return without_member(text, above, last, made);
        }
        return Ok(Some(cut(text, &groups.elements.iter().map(range).collect::<Vec<_>>(), group)));
    }
    Ok(None)
}

fn object_at<'n, 't>(root: &'n Node<'t>, path: &[&str]) -> Option<&'n Object<'t>> {
    path.iter().try_fold(root.as_object()?, |object, name| object.get(name)?.value.as_object())
}

fn parse(text: &str) -> Result<Option<Node<'_>>, String> {
    #[cfg(test)]
    tests::PARSED.with(|parsed| parsed.set(parsed.get() + 1));
    let options = ParseOptions {
        allow_missing_commas: false,
        allow_loose_object_property_names: false,
        allow_single_quoted_strings: false,
        ..ParseOptions::default()
    };
    parse_to_ast(text, &CollectOptions::default(), &options)
        .map(|parsed| parsed.value)
        .map_err(|error| format!("it is not JSON: {error}"))
}

/// `inner` below the members of `path`.
fn nested(path: &[&str], inner: Value) -> Value {
    path.iter()
        .rev()
        .fold(inner, |value, name| Value::Object([((*name).to_owned(), value)].into_iter().collect()))
}

/// A node without positions.
fn value(node: &Node<'_>) -> Value {
    match node {
        Node::Object(object) => {
            let member = |member: &ObjectProp<'_>| (member.name.as_str().to_owned(), value(&member.value));
            Value::Object(object.properties.iter().map(member).collect())
        }
        Node::Array(list) => Value::Array(list.elements.iter().map(value).collect()),
        Node::StringLit(text) => Value::String(text.value.clone().into_owned()),
        Node::BooleanLit(flag) => Value::Bool(flag.value),
        Node::NumberLit(number) => serde_json::from_str(number.value).unwrap_or(Value::Null),
        Node::NullKeyword(_) => Value::Null,
    }
}

/// The byte range of a node, including brackets.
fn range(node: &impl Ranged) -> Range<usize> {
    node.start()..node.end()
}

/// The line end of a text, taken from its first line.
pub fn line_end(text: &str) -> &'static str {
    let is_crlf = text.find('\n').is_some_and(|at| text[..at].ends_with('\r'));
    if is_crlf { "\r\n" } else { "\n" }
}

/// The formatting of a file.
struct Style {
    unit: String,
    line_end: &'static str,
    is_compact: bool,
}

impl Style {
    fn of(text: &str, root: Option<&Node<'_>>) -> Self {
        let line_end = line_end(text);
        let first =
            root.and_then(Node::as_object).and_then(|object| Some((object, object.properties.first()?)));
        let Some((object, first)) = first else {
            return Self { unit: "  ".into(), line_end, is_compact: false };
        };
        let is_compact = !text[object.start()..first.start()].contains('\n');
        let indent = indent(text, first.start());
        let unit = if indent.is_empty() { "  ".into() } else { indent.to_owned() };
        Self { unit, line_end, is_compact }
    }

    fn pretty(&self, value: &Value, indent: &str) -> String {
        if self.is_compact {
            return value.to_string();
        }
        let mut bytes = Vec::new();
        let formatter = PrettyFormatter::with_indent(self.unit.as_bytes());
        // Writing to memory cannot fail.
        let _ = value.serialize(&mut Serializer::with_formatter(&mut bytes, formatter));
        String::from_utf8_lossy(&bytes).replace('\n', &format!("{}{indent}", self.line_end))
    }

    /// The splice that inserts an item before all `children` of the container at `places`.
    fn first_in(
        &self,
        text: &str,
        places: Range<usize>,
        children: &[Range<usize>],
        item: &dyn Fn(&str) -> String,
    ) -> Splice {
        let at = places.start + 1;
        let text = match children.first() {
            Some(first) if text[at..first.start].contains('\n') => {
                let indent = indent(text, first.start);
                format!("{}{indent}{},", self.line_end, item(indent))
            }
            Some(_) => format!("{}, ", item("")),
            None if self.is_compact => item(""),
            None => {
                let outer = indent(text, places.start);
                let indent = format!("{outer}{}", self.unit);
                let is_open = text[at..places.end].contains('\n');
                let end = if is_open { String::new() } else { format!("{}{outer}", self.line_end) };
                format!("{}{indent}{}{end}", self.line_end, item(&indent))
            }
        };
        Splice { at, text }
    }
}

impl Splice {
    fn after(self, start: usize) -> Self {
        Self { at: self.at + start, ..self }
    }
}

/// The indentation of the line of `at`.
fn indent(text: &str, at: usize) -> &str {
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let rest = &text[line..];
    &rest[..rest.len() - rest.trim_start_matches([' ', '\t']).len()]
}

/// `text` without the child `at`, its comma and the surrounding blanks. Comments stay.
fn cut(text: &str, children: &[Range<usize>], at: usize) -> String {
    let Range { start, mut end } = children[at];
    let blanks = |from: usize| {
        let rest = &text[from..];
        from + rest.len() - rest.trim_start().len()
    };
    let mut start = start;
    if text[blanks(end)..].starts_with(',') {
        end = blanks(end) + 1;
        end = blanks(end);
    } else if let Some(before) = at.checked_sub(1).map(|before| children[before].end) {
        // Removing the last one also removes the comma before it.
        if let Some(comma) =
            text[before..start].find(',').filter(|comma| text[before..before + comma].trim().is_empty())
        {
            let kept = text[before + comma + 1..start].trim_end();
            return format!("{}{kept}{}", &text[..before], &text[end..]);
        }
        start = text[..start].trim_end().len();
    }
    format!("{}{}", &text[..start], &text[end..])
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::splice::{with, without};
    use super::*;
    use serde_json::json;
    use std::cell::Cell;

    thread_local! {
        /// Number of parses in this thread.
        pub(in crate::setup) static PARSED: Cell<usize> = const { Cell::new(0) };
    }

    fn added(text: &str, target: Target<'_>, value: &Value) -> String {
        let splice = add(text, target, value).expect("added");
        let after = with(text, &splice);
        assert_eq!(without(&after, &[splice]).as_deref(), Some(text));
        read(&after).expect("still JSON");
        after
    }

    #[test]
    fn what_is_added_stands_first_in_the_style_of_the_file() {
        let member = Target::Member(&["a"], "x");
        for (text, after) in [
            ("{}", "{\n  \"a\": {\n    \"x\": 1\n  }\n}"),
            ("{\n}\n", "{\n  \"a\": {\n    \"x\": 1\n  }\n}\n"),
            ("", "{\n  \"a\": {\n    \"x\": 1\n  }\n}\n"),
            ("{\n\t\"b\": 2\n}", "{\n\t\"a\": {\n\t\t\"x\": 1\n\t},\n\t\"b\": 2\n}"),
            ("{\"b\":2}", "{\"a\": {\"x\":1}, \"b\":2}"),
            ("{\"a\":{}}", "{\"a\":{\"x\": 1}}"),
            ("{\r\n  \"b\": 2\r\n}", "{\r\n  \"a\": {\r\n    \"x\": 1\r\n  },\r\n  \"b\": 2\r\n}"),
            (
                "{\n  // of b\n  \"b\": 2, // two\n}",
                "{\n  \"a\": {\n    \"x\": 1\n  },\n  // of b\n  \"b\": 2, // two\n}",
            ),
            (
                "\u{FEFF}{\n  \"a\": {\n    \"y\": 0\n  }\n}",
                "\u{FEFF}{\n  \"a\": {\n    \"x\": 1,\n    \"y\": 0\n  }\n}",
            ),
        ] {
            assert_eq!(added(text, member, &json!(1)), after, "{text:?}");
        }
        assert_eq!(added("{\"l\": [1]}", Target::Element(&["l"]), &json!(0)), "{\"l\": [0, 1]}");
        assert_eq!(
            added("{\n  \"l\": []\n}", Target::Element(&["l"]), &json!(0)),
            "{\n  \"l\": [\n    0\n  ]\n}"
        );
    }

    #[test]
    fn a_file_keeps_the_line_ends_of_its_first_line() {
        for (text, end) in
            [("{\n  \"b\": 2\r\n}", "\n"), ("{\r\n  \"b\": 2\n}", "\r\n"), ("", "\n"), ("\n", "\n")]
        {
            assert_eq!(line_end(text), end, "{text:?}");
        }
        let mixed = added("{\n  \"b\": 2\r\n}", Target::Member(&["a"], "x"), &json!(1));
        assert_eq!(mixed, "{\n  \"a\": {\n    \"x\": 1\n  },\n  \"b\": 2\r\n}");
    }

    #[test]
    fn an_element_is_taken_out_alone_and_with_a_list_that_we_made() {
        let ours = |value: &Value| *value == json!("x");
        let made: Made = vec![vec!["p".into()], vec!["p".into(), "l".into()]];
        for (text, made, after) in [
            (r#"{"p": {"l": ["x", "y", "x"]}}"#, &made, r#"{"p": {"l": ["y"]}}"#),
            (r#"{"p": {"l": ["x"]}, "q": 1}"#, &made, r#"{"q": 1}"#),
            (r#"{"p": {"l": ["x"]}}"#, &Made::new(), r#"{"p": {"l": []}}"#),
            (r#"{"p": {"l": 7}}"#, &made, r#"{"p": {"l": 7}}"#),
        ] {
            assert_eq!(without_elements(text, &["p", "l"], &ours, made).as_deref(), Ok(after), "{text}");
        }
    }

    #[test]
    fn what_is_in_the_way_is_an_error() {
        for text in ["[]", "{\"a\": []}", "{\"a\": 1}", "{", "{\"a\": {\"x\": 2}}", "{a: 1}"] {
            assert!(add(text, Target::Member(&["a"], "x"), &json!(1)).is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_taken_out_takes_its_comma_along_and_empty_places_too() {
        let made: Made = vec![vec!["a".into()]];
        for (text, after) in [
            ("{\"a\": {\"x\": 1}, \"b\": 2}", "{\"b\": 2}"),
            ("\u{FEFF}{\"b\": 2, \"a\": {\"x\": 1}}", "\u{FEFF}{\"b\": 2}"),
            ("{\"a\": {\"x\": 1, \"y\": 2}}", "{\"a\": {\"y\": 2}}"),
            (
                "{\n  \"a\": {\n    // of y\n    \"y\": 2,\n    \"x\": 1\n  }\n}",
                "{\n  \"a\": {\n    // of y\n    \"y\": 2\n  }\n}",
            ),
        ] {
            assert_eq!(without_member(text, &["a"], "x", &made), Ok(Some(after.to_owned())), "{text}");
        }
        assert_eq!(without_member("{}", &["a"], "x", &made), Ok(None));
        assert!(without_member("{", &["a"], "x", &made).is_err());
        let theirs = without_member("{\"a\": {\"x\": 1}}", &["a"], "x", &Made::new());
        assert_eq!(theirs, Ok(Some("{\"a\": {}}".to_owned())), "what we did not make stays");
        let way = ["a".to_owned(), "x".to_owned()];
        assert!(has("{\"a\": {\"x\": []}}", &way) && !has("{\"a\": {}}", &way) && !has("", &way));
    }

    #[test]
    fn a_hook_is_taken_out_alone_and_with_what_it_leaves_empty() {
        let ours = |value: &Value| *value == json!(1);
        let made: Made = vec![vec!["e".into()]];
        for (text, after) in [
            (r#"{"e": [{"hooks": [1, 2, 1]}]}"#, r#"{"e": [{"hooks": [2]}]}"#),
            (r#"{"e": [{"hooks": [1]}, {"hooks": [2]}]}"#, r#"{"e": [{"hooks": [2]}]}"#),
            (r#"{"e": [{"hooks": [2]}, {"m": 0, "hooks": [1]}]}"#, r#"{"e": [{"hooks": [2]}]}"#),
            ("\u{FEFF}{\"e\": [{\"hooks\": [1]}]}\r\n", "\u{FEFF}{}\r\n"),
            (r#"{"e": [{"hooks": [1]}, {"hooks": [1]}], "f": 0}"#, r#"{"f": 0}"#),
            (r#"{"f": 0, /* mine */ "e": [{"hooks": [1]}]}"#, r#"{"f": 0 /* mine */}"#),
        ] {
            assert_eq!(without_hooks(text, &["e"], &ours, &made), Ok(Some(after.to_owned())), "{text}");
        }
        for text in [r#"{"e": [{"hooks": [2]}]}"#, "{}", r#"{"e": [1, {}, {"hooks": 1}]}"#, r#"{"e": 1}"#, ""]
        {
            assert_eq!(without_hooks(text, &["e"], &ours, &made), Ok(None), "{text}");
        }
        assert!(without_hooks("{", &["e"], &ours, &made).is_err());
    }
}
