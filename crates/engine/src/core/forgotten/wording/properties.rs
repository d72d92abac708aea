//! Properties: with anything around, inside and between the words, every match is removed and all else is kept.

use proptest::prelude::*;

use super::tests::wording;
use super::*;

/// Text that may be around, inside and between words.
fn gap() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "", " ", " ", " ", "\n", "\\n", "\r\n", "\t", "*", "**", "_", "~~", "`", "[", "]", "](x y)", "][r]",
        "![", "<b>", "</b>", "<", ">", "> ", "\n> ", "<!-- c -->", "<!-- x > y -->", "<br>", "</p>",
        "\u{2066}", "\u{ad}", "\\u00ad", "&shy;", "&nbsp;", "&#32;", "&#42;", "&amp;", "&eacute;", "&", ";",
        "\\u0026nbsp;", "\u{200b}", "\\*", "\\", "\\]", ".", "-", "\u{2011}", "\\-", "\u{2019}", "\\'", "春",
        "é", "a", "7",
    ]);
    prop::collection::vec(pieces, 0..5).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn nothing_is_left_whatever_stands_around(
        text in r"[a-zäß0-9]{4,8}( [a-z.,!?*\\]{1,5}){0,3}",
        before in r"(\PC|\n){0,20}",
        behind in r"(\PC|\n){0,20}",
    ) {
        let wording = wording(&text);
        let stood = format!("{before} {text} {behind}");
        prop_assert!(wording.stands_in(stood.as_bytes()));
        let lines = wording.without_lines(stood.as_bytes(), b"").expect("stood");
        prop_assert!(lines.len() < stood.len() && !wording.stands_in(&lines));
        let left = wording.without(stood.as_bytes()).expect("stood");
        prop_assert!(!wording.stands_in(&left), "{:?}", String::from_utf8_lossy(&left));
    }

    /// Every match is removed and everything else is kept byte for byte.
    #[test]
    fn what_is_found_is_taken_and_what_is_not_stays_byte_for_byte(
        (text, words) in prop::sample::select(vec![
            ("blue falcon", ["blue", "fal", "con"]),
            ("blue][r]falcon", ["blue", "][r]fal", "con"]),
            (r"blue\][r]falcon", ["blue", r"\][r]", "falcon"]),
            ("café-noir & co", ["caf&eacute;", "-noir &amp;", "&nbsp;co"]),
            ("4711 is it", ["47", "11 is", "it"]),
            ("春眠 blue", ["春", "&#30496;", "blue"]),
            ("Ana's forty-two", ["Ana\u{2019}s", "forty", "\\-two"]),
        ]),
        around in gap(),
        between in gap(),
        within in gap(),
    ) {
        let [first, second, third] = words;
        let stood = format!("0\n{around}{first}{between}{second}{within}{third}{around}\n9");
        let wording = wording(text);
        let places = wording.places(stood.as_bytes());
        prop_assert_eq!(wording.stands_in(stood.as_bytes()), !places.is_empty(), "{:?}", stood);
        let Some(left) = wording.without(stood.as_bytes()) else {
            prop_assert!(places.is_empty() && wording.without_lines(stood.as_bytes(), b"").is_none());
            return Ok(());
        };
        prop_assert!(!wording.stands_in(&left), "{:?} of {:?}", String::from_utf8_lossy(&left), stood);
        let mark = if wording.meets_a_mark() { MARK_BARE } else { MARK };
        let left = String::from_utf8(left).expect("text is left of a text");
        let mut rest = stood.as_str();
        let mut pieces = left.split(mark);
        rest = rest.strip_prefix(pieces.next().unwrap_or_default()).expect("what stands before");
        for piece in pieces {
            let at = rest.find(piece).expect("in its order");
            rest = &rest[at + piece.len()..];
        }
        prop_assert!(left.starts_with("0\n") && left.ends_with("\n9"));
        let lines = wording.without_lines(stood.as_bytes(), b"").expect("stood");
        let lines = String::from_utf8(lines).expect("text is left of a text");
        prop_assert!(!wording.stands_in(lines.as_bytes()), "{:?} of {:?}", lines, stood);
        let mut kept = stood.split_inclusive('\n');
        prop_assert!(lines.split_inclusive('\n').all(|line| kept.any(|stood| stood == line)), "{:?}", lines);
    }

    /// Regression input: the removed halves join into another match, and part of the text is the replacement.
    #[test]
    fn nothing_is_left_where_halves_meet(
        text in r"(forgotten|abcd|\[abcd|abcd-->)( (forgotten|abcd|efgh\]|<!--)){1,3}",
        pieces in prop::collection::vec((0..4_usize, 0..3_usize), 1..12),
    ) {
        let wording = wording(&text);
        let words: Vec<&str> = wording.texts()[0].split(' ').collect();
        let gaps = [" ", "\n", "\n\n"];
        let stood: String =
            pieces.iter().map(|(word, gap)| format!("{}{}", words[word % words.len()], gaps[*gap])).collect();
        for left in [
            wording.without(stood.as_bytes()),
            wording.without_lines(stood.as_bytes(), b""),
            wording.without_lines(stood.as_bytes(), wording.mark_line().as_bytes()),
        ].into_iter().flatten() {
            prop_assert!(!wording.stands_in(&left), "{:?}", String::from_utf8_lossy(&left));
        }
    }
}

/// Marks that are not displayed: opening and closing.
const UNSEEN_PAIRS: [(&str, &str); 16] = [
    ("*", "*"),
    ("**", "**"),
    ("~", "~"),
    ("~~", "~~"),
    ("==", "=="),
    ("<b>", "</b>"),
    ("<span title=\"a > b\">", "</span>"),
    ("[", "](x)"),
    ("[", "](x_(y) 'z')"),
    ("[", "](<x )>)"),
    ("[", "][r]"),
    ("[[x|", "]]"),
    ("<!-- a -->", "<!-- [b](c > d) -->"),
    ("", "[^1]"),
    ("", "\u{ad}"),
    ("", "<a id=\"x\"></a>"),
];

/// A text in nested marks of any depth.
fn decorated(text: &'static str) -> impl Strategy<Value = String> {
    let letters = text.chars().count();
    let pair = (0..UNSEEN_PAIRS.len(), 0..letters, 0..letters);
    prop::collection::vec(pair, 0..6).prop_map(move |pairs| {
        let letters: Vec<char> = text.chars().collect();
        let (mut before, mut behind) =
            (vec![String::new(); letters.len()], vec![String::new(); letters.len()]);
        for (pair, one, other) in pairs {
            let (open, close) = UNSEEN_PAIRS[pair];
            // Whole words are marked, since a mark beside a blank is literal; marks nest.
            let (first, last) = (one.min(other), one.max(other));
            let first = letters[..first].iter().rposition(|c| *c == ' ').map_or(0, |at| at + 1);
            let last =
                letters[last..].iter().position(|c| *c == ' ').map_or(letters.len() - 1, |at| last + at - 1);
            if letters[first] == ' ' || last < first {
                continue;
            }
            let whole = (0, letters.len() - 1);
            let (first, last) = if letters[first..last].contains(&' ') { whole } else { (first, last) };
            before[first].push_str(open);
            behind[last].insert_str(0, close);
        }
        let all = letters.iter().zip(before.iter().zip(&behind));
        all.map(|(c, (before, behind))| format!("{before}{c}{behind}")).collect()
    })
}

proptest! {
    /// A decorated text is displayed, removed and recognised by its tombstone.
    #[test]
    fn what_is_decorated_is_found_and_goes(
        stood in decorated("Zorblax quokka 4711 forty-two"),
        before in prop::sample::select(vec!["", "- ", "> ", "x ", "**x** "]),
        behind in prop::sample::select(vec!["", " y", ".", "\n"]),
    ) {
        let wording = wording("Zorblax quokka 4711 forty-two");
        let line = format!("{before}{stood}{behind}");
        let text = format!("- a\n\n{line}\n\n- b\n");
        prop_assert!(wording.stands_in(text.as_bytes()), "{:?}", text);
        let left = wording.without_lines(text.as_bytes(), b"").expect("stood");
        prop_assert!(String::from_utf8_lossy(&left).starts_with("- a\n"), "{:?}", text);
        prop_assert!(!wording.stands_in(&left) && left.ends_with(b"- b\n"), "{:?}", text);
        let json = serde_json::json!({ "text": text }).to_string();
        let left = wording.without(json.as_bytes()).expect("stood in JSON");
        prop_assert!(serde_json::from_slice::<serde_json::Value>(&left).is_ok(), "{:?}", json);
        prop_assert!(!wording.stands_in(&left), "{:?}", json);
    }
}
