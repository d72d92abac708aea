//! What is found, what is left, and what is another text.

use super::*;
use crate::core::forgotten::pattern::DASHES;

pub(super) fn wording(text: &str) -> Matcher {
    Matcher::of([text.to_owned()]).expect("a wording")
}

#[test]
fn words_are_found_in_any_case_across_lines_and_escaped() {
    let wording = wording("Ana's  PIN is \"zörbl\"");
    for text in [
        "x Ana's PIN is \"zörbl\" y",
        "ana's pin\n  is \"ZÖRBL\"",
        r#"{"content":"Ana's\nPIN is \"zörbl\""}"#,
        r#"{"content":"Ana's PIN is \"z\u00f6rbl\""}"#,
    ] {
        assert!(wording.stands_in(text.as_bytes()), "{text}");
        let left = wording.without(text.as_bytes()).expect("it stood there");
        assert!(!wording.stands_in(&left) && String::from_utf8_lossy(&left).contains(MARK), "{text}");
    }
    assert!(wording.without(b"Ana's PIN").is_none());
}

/// A log of a session has `⏎` in the place of the end of a line: `forget` said that the words stand nowhere, and left them
/// there.
#[test]
fn words_are_found_across_the_sign_for_the_end_of_a_line() {
    for (text, stood) in [
        ("Rosa Lindt", "- ada: It is from Rosa ⏎ Lindt, she has cancer."),
        ("Rosa Lindt", "- ada: It is from **Rosa** ⏎ *Lindt*, she has cancer."),
        ("Rosa Lindt", "- ada: > It is from Rosa ⏎ > Lindt, she has cancer."),
        ("Rosa Lindt", r#"{"log":"It is from Rosa \u23ce Lindt"}"#),
        ("Rosa ⏎ Lindt", "It is from Rosa\r\nLindt, she has cancer."),
        ("春眠不觉", "- ada: 在春眠 ⏎ 不觉晓"),
    ] {
        let wording = wording(text);
        assert!(wording.stands_in(stood.as_bytes()), "{text} in {stood}");
        let left = wording.without(stood.as_bytes()).expect("it stood there");
        assert!(!wording.stands_in(&left), "{text} in {stood}");
    }
    assert!(!wording("Rosa Lindt").stands_in("Rosa • Lindt".as_bytes()));
}

#[test]
fn a_file_keeps_its_byte_order_mark_where_its_first_line_is_taken() {
    let left =
        wording("secret quokka word").without_lines(b"\xef\xbb\xbf- secret quokka word\r\n- keep\r\n", b"");
    assert_eq!(left.as_deref(), Some(&b"\xef\xbb\xbf- keep\r\n"[..]));
}

/// Marks, links, quotations, comments and signs that nobody sees part no words; what is another text stays one.
#[test]
fn words_are_found_across_the_marks_of_markdown() {
    let falcon = wording("blue falcon 7x");
    for text in [
        "the **blue** falcon 7x",
        "**blue** _falcon_ `7x`",
        "***blue falcon*** 7x!",
        "**b**lue fal~~con~~ 7x",
        "[blue](https://x.example/a?b=c) falcon 7x",
        "![blue][ref] [[falcon]] 7x",
        "> blue\n> falcon\n> > 7x",
        "blue <!-- from: main -->\nfalcon 7x",
        "<b>blue</b> <i class=\"a\">falcon</i> 7x",
        "bl\u{ad}ue fal\u{200b}con 7\u{2060}x",
        "blue&nbsp;fal&shy;con 7x",
        "blue\\\nfalcon 7x",
        r#"{"a":"**blue** fal\u00adcon\n> 7x"}"#,
    ] {
        assert!(falcon.stands_in(text.as_bytes()), "{text}");
        assert!(!falcon.stands_in(&falcon.without(text.as_bytes()).expect("stood")), "{text}");
    }
    for other in [
        "* blue\n* falcon 7x", "- blue\n- falcon 7x", "blue, falcon 7x", "blue | falcon 7x",
        "blue*falcon 7x", "blue_falcon 7x", "blue falcon 7*x", "blue <falcon 7x",
    ] {
        assert!(!falcon.stands_in(other.as_bytes()), "{other}");
    }
    assert!(wording("**blue** [falcon](x) 7x").stands_in(b"a blue falcon 7x"), "marked where it was named");
    assert!(wording("PIN 4711.").stands_in(b"PIN **4711**."));
    assert!(wording("春眠不觉").stands_in("在**春**[眠](x)不\n觉晓".as_bytes()));
}

/// Quotes, dashes and escaped punctuation read the same, in what is forgotten and in what is kept.
#[test]
fn quotes_dashes_and_escapes_are_told_as_they_are_read() {
    for text in ["Ana's pier forty-two.", "Ana\u{2019}s pier forty\u{2011}two.", r"Ana\'s pier forty\-two\."]
    {
        let wording = wording(text);
        for stood in [
            "Ana's pier forty-two.",
            "x ana\u{2019}s pier forty\u{2010}two.",
            "Ana\u{2018}s pier forty\u{2013}two\\. y",
            r"Ana\'s pier forty\-two\.",
            r"**Ana's** pier **forty**\-**two**.",
            r#"{"a":"Ana\u2019s pier forty\\-two\\."}"#,
            "ANA\u{2019}S pier\nFORTY\u{2011}TWO.",
        ] {
            assert!(wording.stands_in(stood.as_bytes()), "{text} in {stood}");
            let left = wording.without(stood.as_bytes()).expect("stood");
            assert!(!wording.stands_in(&left), "{stood}");
        }
        for other in ["Ana pier forty-two.", "Ana's pier forty two.", "Ana's pier forty/two."] {
            assert!(!wording.stands_in(other.as_bytes()), "{text} in {other}");
        }
    }
    let quoted = wording("a \u{201c}fig\u{201d} .com");
    for (value, left) in [("x a \"fig\" .com", "x [forgotten]"), (r"a \\\\.com", r"a \\\\.com")] {
        let json = serde_json::json!({ "a": value }).to_string();
        let without = quoted.without(json.as_bytes()).unwrap_or_else(|| json.into_bytes());
        let read: serde_json::Value = serde_json::from_slice(&without).expect("it is JSON still");
        assert_eq!(read["a"], left);
    }
}

/// Characters by name or number are the characters, and what stands beside them stays to the byte.
#[test]
fn words_are_found_where_html_names_their_characters() {
    for (text, stood, left) in [
        ("blue falcon", "a blue&nbsp;falcon, &amp; more", "a [forgotten], &amp; more"),
        ("blue falcon", "a &#98;lue &#x66;alco&#110;&nbsp;7", "a [forgotten]&nbsp;7"),
        ("blue falcon", "**blue**&#32;[fal&#xAD;con](x?a&amp;b)", "**[forgotten]](x?a&amp;b)"),
        ("café noir", "the caf&eacute; noir&mdash;cold", "the [forgotten]&mdash;cold"),
        ("café noir", "the cafe&#769; NOIR", "the [forgotten]"),
        ("Tom & Jerry's", "&quot;Tom &amp; Jerry&apos;s&quot;", "&quot;[forgotten]&quot;"),
        ("blue x<y", "- a blue x&lt;y", "- a [forgotten]"),
        ("blue falcon", r#"{"a":"blue\u0026nbsp;falcon"}"#, r#"{"a":"[forgotten]"}"#),
        ("blue&nbsp;falcon", "blue falcon", "[forgotten]"),
    ] {
        let wording = wording(text);
        assert!(wording.stands_in(stood.as_bytes()), "{text} in {stood}");
        let told = wording.without(stood.as_bytes()).expect("stood");
        assert_eq!(String::from_utf8_lossy(&told), left, "{text} in {stood}");
    }
    for (text, other) in [
        ("falcon", "falcon&eacute;"),
        ("falcon", "&eacute;falcon"),
        ("blue falcon", "blue&nosuch;falcon"),
        ("blue falcon", "blue&comma;falcon"),
        ("bluefalcon", "blue&#42;falcon"),
        ("blue falcon", "blue &amp;nbsp; falcon"),
    ] {
        assert!(!wording(text).stands_in(other.as_bytes()), "{text} in {other}");
    }
}

/// What begins another line parts words, a comment may hold any sign, and whatever nobody sees is not there.
#[test]
fn breaks_comments_dashes_and_what_nobody_sees_are_told_as_they_are_read() {
    let pier = wording("pier forty-two");
    for text in [
        "pier<br>forty-two",
        "pier<BR/>forty-two",
        "<td>pier</td><td>forty-two</td>",
        "<li>pier<li>forty-two",
        "<p>pier</p>\n<p>forty-two</p>",
        "pier<hr />forty-two",
        "<div>pier</div><div class=\"a\">forty-two",
        "pier <!-- x > y --> forty-two",
        "pier<!-- x > y --> forty-two",
        "pi\u{34f}er forty-two",
        "pi\u{200e}er \u{202a}forty\u{202c}-two",
        "pi\u{2064}er \u{2066}forty\u{2069}-two",
        "pi\\u200eer forty-two",
        "pier forty\u{2015}two",
        "pier forty\u{ff0d}two",
        "pier forty\\u2015two",
        "pier forty\\uff0dtwo",
    ] {
        assert!(pier.stands_in(text.as_bytes()), "{text}");
        assert!(!pier.stands_in(&pier.without(text.as_bytes()).expect("stood")), "{text}");
    }
    assert!(!wording("pierforty").stands_in(b"pier<br>forty"));
    let class = |class: &str| regex::Regex::new(class).expect("a class");
    let dash = class(r"[\p{Pd}\x{2212}]");
    for c in '\0'..=char::MAX {
        let text = c.to_string();
        assert_eq!(DASHES.contains(&c), dash.is_match(&text), "U+{:04X}", u32::from(c));
    }
}

/// However often it stands, and however deep its halves lie in one another.
#[test]
fn nothing_is_left_of_a_text_that_stands_a_hundred_times() {
    let falcon = wording("blue falcon");
    let halves = format!("- a\n{}{}- b\n", "blue\n".repeat(200), "falcon\n".repeat(200));
    for text in [halves.as_str(), &"x **blue** falcon\n".repeat(200), &"blue&nbsp;falcon ".repeat(200)] {
        let lines = falcon.without_lines(text.as_bytes(), b"").expect("stood");
        assert!(!falcon.stands_in(&lines), "{}", String::from_utf8_lossy(&lines));
        assert!(!falcon.stands_in(&falcon.without(text.as_bytes()).expect("stood")));
    }
    assert_eq!(falcon.without_lines(halves.as_bytes(), b"").expect("stood"), b"- a\n- b\n");
}

/// However long: the automaton holds it.
#[test]
fn the_longest_text_can_be_looked_for() {
    for letter in ["ab1 ", "春", "a.", "é ", "a-"] {
        let text: String = letter.chars().cycle().take(FORGET_CHARS_MAX - 1).collect();
        assert!(wording(&text).stands_in(format!("x {text} y").as_bytes()), "{letter}");
    }
}

#[test]
fn the_lines_go_and_no_other() {
    let wording = wording("secret word");
    let text = b"# A\r\n\r\n- the Secret\r\n  Word here\r\n- stays\r\n- secret word";
    assert_eq!(wording.without_lines(text, b"").expect("stood"), b"# A\r\n\r\n- stays\r\n");
    assert_eq!(
        wording.without_lines(text, b"<gone>").expect("stood"),
        b"# A\r\n\r\n<gone>\n- stays\r\n<gone>"
    );
    assert_eq!(wording.without_lines(b"nothing", b""), None);
}

#[test]
fn what_is_too_short_is_refused_and_an_items_mark_is_no_word() {
    assert!(Matcher::of(["- a.b.c".to_owned()]).is_err());
    assert!(Matcher::of([]).is_err());
    assert_eq!(wording("- ## > Ana bakes").texts(), ["Ana bakes"]);
    assert_eq!(wording("  * Ana\nbakes ").texts(), ["Ana bakes"]);
}

#[test]
fn a_tombstone_knows_the_words_and_not_what_stands_around_them() {
    let stones = |text: &str, salt: u8| wording(text).stones(&[salt; 32]);
    assert_eq!(stones("- Ana bakes, rye!", 1), stones("ana  BAKES rye", 1));
    assert_ne!(stones("ana bakes rye", 1)[0].hash, stones("ana bakes rye", 2)[0].hash, "another home");
}

#[test]
fn words_are_whole_words_also_behind_an_escaped_end_of_a_line_and_in_scripts_without_blanks() {
    let rome = wording("Rome");
    for other in ["Chrome and Jerome", "Romeo", "rome2", "Rome\u{301}"] {
        assert!(!rome.stands_in(other.as_bytes()), "{other}");
    }
    for stood in
        ["Rome", "to ROME.", "(rome)", "a_rome_b", r#"{"a":"x\nRome\ny"}"#, "去Rome了", "Chrome Rome"]
    {
        assert!(rome.stands_in(stood.as_bytes()), "{stood}");
    }
    assert_eq!(rome.without(b"Chrome Rome").expect("stood"), b"Chrome [forgotten]");
    assert!(wording("春眠不觉").stands_in("在春眠不觉晓".as_bytes()));
    assert!(wording("Zo\u{308}rbl").stands_in("der ZÖRBL!".as_bytes()));
    assert!(wording("Zörbl").stands_in("der zo\u{308}rbl".as_bytes()));
    let both = Matcher::of(["Ana Bo".to_owned(), "Anna".to_owned()]).expect("a wording");
    assert_eq!(both.without(b"Ana Bob, Anna").expect("stood"), b"Ana Bob, [forgotten]");
}

#[test]
fn words_that_stand_in_the_mark_end_too() {
    let forgotten = wording("forgotten");
    let left = forgotten.without(b"it is forgotten, Forgotten").expect("stood");
    assert_eq!(String::from_utf8_lossy(&left), "it is …, …");
    assert!(!forgotten.stands_in(forgotten.mark_line().as_bytes()));
    assert!(forgotten.without_lines(b"a\nforgotten\nb", forgotten.mark_line().as_bytes()).is_some());
}

/// What a reader of Markdown does not see parts no words either: one tilde, footnotes, brackets in brackets, where a
/// link leads to whatever stands in it, and what stands inside a word.
#[test]
fn what_a_reader_of_markdown_does_not_see_hides_no_words() {
    let pier = wording("pier forty-two");
    for text in [
        "~pier~ forty-two",
        "pier ~~~forty~~~-two",
        "==pier== forty-two",
        "[[pier] forty](x)-two",
        "[[pier](y) forty](x)-two",
        "[![pier](y) forty](x)-two",
        "pier[^1] forty-two",
        "pier [^1] forty[^a b]-two",
        "pier forty[^note]-two",
        "[pier](http://x.example/a_(b)) forty-two",
        "[pier](<x y(z>) forty-two",
        "[pier](x \"a ) b\") forty-two",
        r"[pier](x\)y) forty-two",
        "[pier](x\n  'title') forty-two",
        "[pier][a\\]b] forty-two",
        "[[Other|pier]] forty-two",
        "pier [[Other|forty-two]]",
        "pier [[Other page#a|forty]]-two",
        "pi<!-- x -->er forty-two",
        "pi<b>e</b>r <i title=\"a > b\">forty</i>-two",
        "pier <a id='x'></a> forty-two",
        "pier [](x) forty-two",
        "p[ie](x)r [for](y)ty-two",
        "p[ie][y]r forty-two",
        "pi<?x y?>er forty-two",
        "pi<wbr>er for<wbr/>ty-two",
    ] {
        assert!(pier.stands_in(text.as_bytes()), "{text}");
        assert!(!pier.stands_in(&pier.without(text.as_bytes()).expect("stood")), "{text}");
        // What Markdown escapes and JSON escapes again is no escape any more.
        let json = serde_json::json!({ "a": text }).to_string();
        assert!(text.contains('\\') || pier.stands_in(json.as_bytes()), "{json}");
    }
    let code = wording("4711");
    assert!(code.stands_in(b"47[^1]11") && code.stands_in(b"47<b>11</b>") && code.stands_in(b"[47](x)11"));
    for other in [
        "p[ie]r forty-two", "a[pier] forty-two", "pier[forty]-two", "pier (x) forty-two", "pier 1^ forty-two",
    ] {
        assert_eq!(pier.stands_in(other.as_bytes()), other == "a[pier] forty-two", "{other}");
    }
}

/// JSON may escape any letter, and what is inside of a text of JSON is escaped twice.
#[test]
fn letters_that_json_escapes_are_the_same_letters() {
    let wording = Matcher::of(["Zymurgist Ottoline 😀".to_owned()]).expect("a wording");
    for stood in [
        r#"{"k":"\u005aymurgist Ottoline \ud83d\ude00"}"#,
        r#"{"k":"a\nZym\u0075rgist\u0020\u004fttolin\u0065\u2003😀, so"}"#,
        r#"{"k":"{\"k\":\"\\u005aymurgist Ottoline \\ud83d\\ude00\"}"}"#,
    ] {
        let left = wording.without(stood.as_bytes()).unwrap_or_else(|| panic!("not found: {stood}"));
        let read: serde_json::Value = serde_json::from_slice(&left).expect("it is JSON still");
        assert!(read["k"].as_str().is_some_and(|text| text.contains(MARK)), "{read}");
        assert!(!wording.stands_in(&left) && !String::from_utf8_lossy(&left).contains("ymu"), "{read}");
    }
    assert!(!wording.stands_in(br#"{"k":"\u0058ymurgist Ottoline \ud83d\ude00"}"#), "another letter");
    assert!(!wording.stands_in(br#"{"k":"\u005aymurgist Ottoline \ud83d"}"#), "half of one");
}
