//! Our table in a foreign TOML file: appended at its end, and removed by its byte range.
//!
//! The text is parsed only for positions and never reprinted. Invariant: only lines of our table are removed; every
//! other byte stays, including comments inside the table.

use std::ops::Range;

use serde_json::Value;
use toml_edit::{Document, Item, Table, TableLike};

use super::hosts::ENTRY;
use super::jsonc;
use super::server::Server;
use super::splice::{self, Splice};

/// The table in which Codex lists servers.
const SERVERS: &str = "mcp_servers";

/// Why a file with inline servers is left to the user.
const IN_ONE_LINE: &str = "`mcp_servers` is written in a form that setup cannot edit";

/// The text as a value. Error: why it is not TOML.
pub fn read(text: &str) -> Result<Value, String> {
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        let line = error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
        format!("it is not TOML, line {line}: {}", error.message())
    })?;
    serde_json::to_value(table).map_err(|error| error.to_string())
}

/// Our existing entry, null if there is none.
pub fn entry(text: &str) -> Result<Value, String> {
    Ok(read(text)?[SERVERS][ENTRY].clone())
}

/// The splice that adds our table. Error: why that is impossible.
pub fn add(text: &str, server: &Server) -> Result<Splice, String> {
    let line_end = jsonc::line_end(text);
    let between = match text {
        "" => "",
        _ if text.ends_with('\n') => line_end,
        _ => &format!("{line_end}{line_end}"),
    };
    let lines: Vec<String> = std::iter::once(format!("[{SERVERS}.{ENTRY}]")).chain(server.lines()).collect();
    let splice = Splice { at: text.len(), text: format!("{between}{}{line_end}", lines.join(line_end)) };
    read(&splice::with(text, &splice)).map_err(|_| IN_ONE_LINE.to_owned())?;
    Ok(splice)
}

/// `text` without our table, `None` if there is none. Error: why it cannot be removed.
pub fn cut(text: &str) -> Result<Option<String>, String> {
    let mut wanted = read(text)?;
    let Some(servers) = wanted[SERVERS].as_object_mut() else { return Ok(None) };
    if servers.remove(ENTRY).is_none() {
        return Ok(None);
    }
    let document = Document::parse(text).map_err(|error| error.to_string())?;
    let mut places = Vec::new();
    if let Some((key, item)) =
        document.get(SERVERS).and_then(Item::as_table).and_then(|all| all.get_key_value(ENTRY))
    {
        collect(key.span(), item, &mut places);
    }
    places.sort_by_key(|place: &Range<usize>| place.start);
    let mut after = text.to_owned();
    for (at, place) in places.iter().enumerate().rev() {
        let lines = whole_lines(text, place, at == 0);
        after.replace_range(lines, "");
    }
    // An unexpected format shows here.
    let is_cut = read(&after).is_ok_and(|found| is_same(found, wanted));
    if is_cut { Ok(Some(after)) } else { Err(IN_ONE_LINE.to_owned()) }
}

/// Whether two texts have the same lines, blank ones aside.
pub fn has_lines_of(text: &str, other: &str) -> bool {
    let lines = |text: &str| -> Vec<String> {
        text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect()
    };
    lines(text) == lines(other)
}

/// Positions of headers, and of keys with their values.
fn collect(key: Option<Range<usize>>, item: &Item, places: &mut Vec<Range<usize>>) {
    match item {
        Item::Table(table) => of_table(table, places),
        Item::ArrayOfTables(tables) => tables.iter().for_each(|table| of_table(table, places)),
        Item::Value(value) => {
            // A value of dotted keys has no position, but its inner ones have.
            match (value.as_inline_table().filter(|table| table.is_dotted()), key, value.span()) {
                (Some(table), ..) => of_members(table, places),
                (None, Some(key), Some(value)) => places.push(key.start..value.end),
                _ => {}
            }
        }
        Item::None => {}
    }
}

fn of_table(table: &Table, places: &mut Vec<Range<usize>>) {
    if !table.is_dotted() && !table.is_implicit() {
        places.extend(table.span());
    }
    of_members(table, places);
}

fn of_members(table: &dyn TableLike, places: &mut Vec<Range<usize>>) {
    for (name, item) in table.iter() {
        collect(table.key(name).and_then(toml_edit::Key::span), item, places);
    }
}

/// The lines of a range, with the preceding blank line if it `is_first` and has a header, because setup adds one. A
/// comment after it stays.
fn whole_lines(text: &str, place: &Range<usize>, is_first: bool) -> Range<usize> {
    let mut start = text[..place.start].rfind('\n').map_or(0, |end| end + 1);
    if is_first && text[start..].trim_start().starts_with('[') {
        let above = text[..start].strip_suffix('\n');
        let above = above.map(|above| above.strip_suffix('\r').unwrap_or(above));
        start = above.filter(|above| above.is_empty() || above.ends_with('\n')).map_or(start, str::len);
    }
    let rest = &text[place.end..];
    let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    let line_end = match &rest.as_bytes()[blanks..] {
        [b'\r', b'\n', ..] => 2,
        [b'\n', ..] => 1,
        _ => 0,
    };
    start..place.end + blanks + line_end
}

/// Whether two files are equivalent; a missing list of servers equals an empty one.
fn is_same(mut found: Value, mut wanted: Value) -> bool {
    for all in [&mut found, &mut wanted] {
        if let Some(all) = all.as_object_mut() {
            all.retain(|name, value| name != SERVERS || value.as_object().is_none_or(|all| !all.is_empty()));
        }
    }
    found == wanted
}

#[cfg(test)]
mod tests {
    use super::super::call::Own;
    use super::*;
    use proptest::prelude::*;

    fn server() -> Server {
        Server::of(&Own { program: "inwit".into(), home: Some("/h".into()), arguments: Vec::new() })
    }

    #[test]
    fn a_table_joins_what_is_there() {
        let text = "# mine\nmodel = \"o\"\n\n[mcp_servers.other]\ncommand = \"x\" # why\n";
        assert_eq!(entry(text), Ok(Value::Null));
        let after = splice::with(text, &add(text, &server()).expect("put"));
        assert_eq!(
            after,
            format!(
                "{text}\n[mcp_servers.inwit]\ncommand = \"inwit\"\nargs = [\"mcp\", \"--main\", \"--recalls\"]\nenv = {{ INWIT_HOME = \"/h\" }}\n"
            )
        );
        assert!(server().is_run_by(&entry(&after).expect("TOML")));
        assert_eq!(cut(&after), Ok(Some(text.to_owned())));
        assert!(add("mcp_servers = { other = { command = \"x\" } }\n", &server()).is_err());
    }

    #[test]
    fn a_table_is_cut_out_of_every_form_or_not_at_all() {
        for (text, after) in [
            ("[mcp_servers.inwit]\ncommand = \"x\"", ""),
            ("\u{FEFF}a = 1\r\n\r\n[mcp_servers.inwit]\r\n", "\u{FEFF}a = 1\r\n"),
            ("a = 1\n\n[mcp_servers.inwit] # ours\nargs = [ # one\n 1 ]\n\n# end", "a = 1\n# ours\n\n# end"),
            (
                "[mcp_servers]\ninwit = { command = \"x\" } # why\no.a = 1\n",
                "[mcp_servers]\n# why\no.a = 1\n",
            ),
            ("mcp_servers.inwit.command = \"x\"\nb = 1\n", "b = 1\n"),
            ("[mcp_servers.inwit.env]\nA = \"b\"\n[b]\n[mcp_servers.inwit]\nc.d = 1\n", "[b]\n"),
            ("[[mcp_servers.inwit.x]]\ny = 1\n[[mcp_servers.inwit.x]]\ny = '''\n[b]\n'''\n[b]\n", "[b]\n"),
        ] {
            assert_eq!(cut(text), Ok(Some(after.to_owned())), "{text}");
        }
        for text in ["", "a = 1\n", "[mcp_servers.other]\n", "mcp_servers = 1\n"] {
            assert_eq!(cut(text), Ok(None), "{text}");
        }
        assert!(cut("mcp_servers = { inwit = { command = \"x\" } }\n").is_err());
        assert!(cut("[mcp_servers.inwit\n").is_err());
    }

    /// Lines of a user, each a complete statement.
    fn lines(names: &'static str) -> impl Strategy<Value = String> {
        let line = prop_oneof![
            Just("# a [comment] with \"quotes\"".to_owned()),
            Just(String::new()),
            Just("\t ".to_owned()),
            Just("list = [ \"a\", # why".to_owned() + "\n  \"b\" ]"),
            Just("text = '''\n[mcp_servers.inwit]\n'''".to_owned()),
            Just("on = true   # why".to_owned()),
            Just("[mcp_servers.other]".to_owned()),
            Just("  [ mcp_servers . \"more words\" ]".to_owned()),
            Just("[[array.of]]".to_owned()),
        ];
        let many = prop::collection::vec((line, prop::bool::ANY), 0..8);
        (many, prop::bool::ANY).prop_map(move |(lines, is_ended)| {
            let mut text = String::new();
            for (at, (line, is_crlf)) in lines.iter().enumerate() {
                let end = if *is_crlf { "\r\n" } else { "\n" };
                // Each name once, so that any draw is valid TOML.
                let line = match line.split_once([' ', ']']) {
                    Some((_, _)) if line.starts_with("[mcp") => {
                        line.replace("other", &format!("{names}{at}"))
                    }
                    Some((_, _)) if line.trim_start().starts_with("[ mcp") => {
                        line.replace("words", &format!("{names}{at}"))
                    }
                    _ if line.starts_with(['l', 't', 'o']) => format!("{names}{at}-{line}"),
                    _ => line.clone(),
                };
                text += &line.replace('\n', end);
                if at + 1 < lines.len() || is_ended {
                    text += end;
                }
            }
            text
        })
    }

    proptest! {
        /// Text that users write around our table, before and after its insertion, is preserved to the last byte.
        #[test]
        fn whatever_is_written_around_our_table_stays(before in lines("a"), more in lines("b"), after in lines("c")) {
            // A table at the very beginning has no blank line of ours above it.
            prop_assume!(read(&before).is_ok() && !before.is_empty());
            let put = add(&before, &server()).expect("put");
            let whole = splice::with(&before, &put);
            prop_assert_eq!(cut(&whole).expect("cut").map(|text| has_lines_of(&text, &before)), Some(true));
            let head = if more.is_empty() || more.ends_with('\n') { more } else { more + "\n" };
            // New statements at the end belong to their own table.
            let tail = if after.is_empty() { after } else { format!("[tail]\n{after}") };
            let edited = format!("{head}{whole}{tail}");
            prop_assume!(read(&edited).is_ok());
            let ends_line = before.ends_with('\n') || before.is_empty();
            let line_end = if ends_line { "" } else { jsonc::line_end(&before) };
            prop_assert_eq!(cut(&edited).expect("cut"), Some(format!("{head}{before}{line_end}{tail}")));
        }
    }
}
