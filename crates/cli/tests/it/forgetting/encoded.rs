//! Words that stand as a machine wrote them: base64, hexadecimal and UTF-16 hide nothing from the look, and a deed that
//! cannot take them out says that they stand.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};

use super::leave;
use crate::newcomer;

const WORDS: &str = "zorgblatt canary";

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn wrapped(text: &str, columns: usize, end: &str) -> String {
    let lines: Vec<&str> =
        text.as_bytes().chunks(columns).map(|line| std::str::from_utf8(line).expect("ASCII")).collect();
    lines.join(end)
}

fn wide(text: &str, order: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(order).collect()
}

/// However they are encoded, and in whatever case and with whatever blanks they stand there.
#[test]
fn words_that_stand_encoded_are_found_in_any_case_and_across_wraps() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    let said = "x: Zorgblatt Canary.";
    let broken = "x: ZORGBLATT\r\n  Canary.";
    let long = format!("{}{said}{}", "before it ".repeat(20), " behind it".repeat(20));
    let lower = |text: &str| text.as_bytes().to_vec();
    let forms: Vec<(&str, Vec<u8>)> = vec![
        ("base64", STANDARD.encode(said).into()),
        ("base64-in-a-word", format!("data-x{}", STANDARD.encode(said)).into()),
        ("base64-of-lines", STANDARD.encode(broken).into()),
        ("base64-url-safe", URL_SAFE_NO_PAD.encode(format!("??>{said}>>??")).into()),
        ("base64-wrapped", wrapped(&STANDARD.encode(&long), 76, "\n").into()),
        ("base64-wrapped-crlf", wrapped(&STANDARD.encode(&long), 64, "\r\n    ").into()),
        (
            "base64-in-json",
            serde_json::json!({ "k": wrapped(&STANDARD.encode(&long), 76, "\n") }).to_string().into(),
        ),
        ("base64-of-base64", STANDARD.encode(STANDARD.encode(said)).into()),
        ("base64-of-utf-16", STANDARD.encode(wide(said, u16::to_le_bytes)).into()),
        ("hex", hex(said.as_bytes()).into()),
        ("hex-upper", hex(said.as_bytes()).to_uppercase().into()),
        ("hex-half-a-byte-in", format!("f{}", hex(said.as_bytes())).into()),
        ("hex-of-lines", hex(broken.as_bytes()).into()),
        ("hex-spaced", wrapped(&hex(said.as_bytes()), 2, " ").into()),
        ("hex-of-utf-16", hex(&wide(broken, u16::to_be_bytes)).into()),
        ("percent", b"GET /find?q=x%3A%20Zorgblatt%20Canary. HTTP/1.1".into()),
        ("percent-of-a-form", b"https://example.org/?q=Zorgblatt+Canary&n=1".into()),
        ("percent-letters", b"%5aorgblatt%20Canar%79".into()),
        ("base64-of-percent", STANDARD.encode("q=Zorgblatt%20Canary").into()),
        ("quoted-printable", b"x: Zorgbl=61tt=20Canary=2E".into()),
        ("quoted-printable-wrapped", b"x: Zorg=\r\nblatt Can=\r\nary.".into()),
        ("quoted-printable-in-json", br#"{"body":"x: Zorgblatt Can=\r\nary."}"#.into()),
        ("utf-16-of-lines", wide(broken, u16::to_le_bytes)),
        ("utf-16-quoted", wide(said, u16::to_be_bytes)),
    ];
    let others: Vec<(&str, Vec<u8>)> = vec![
        ("other-word", lower(&STANDARD.encode("x: Zorgblatt Canaryman."))),
        ("other-hex", lower(&hex(b"x: Zorgblatts Canary."))),
        ("other-percent", lower("Zorgblatt%20Canaryman")),
        ("other-mail", lower("Zorgblatts=20Canary")),
        ("other-prose", lower("zorgblatt and a canary")),
    ];
    let folder = home.home("inwit/agents/main/workspace/forms");
    std::fs::create_dir_all(&folder).expect("a folder");
    for (name, bytes) in forms.iter().chain(&others) {
        leave(&folder.join(format!("{name}.bin")), bytes);
    }
    let look = home.run(["forget", "--check", WORDS, "--json"]).exits(1).json();
    let stands = look["stands"].as_array().expect("places").clone();
    let is_found = |name: &str| {
        let end = format!("forms/{name}.bin");
        stands.iter().any(|place| place["path"].as_str().is_some_and(|path| path.ends_with(&end)))
    };
    let unseen: Vec<&str> = forms.iter().map(|(name, _)| *name).filter(|name| !is_found(name)).collect();
    assert_eq!(unseen, Vec::<&str>::new(), "{look:#}");
    for (name, _) in others {
        assert!(!is_found(name), "{name}: {look:#}");
    }
}

/// A plan says of a transcript what goes and what stays, where both stand in it; what goes with its line does not stay.
#[test]
fn a_plan_says_which_words_stay_where_others_are_cut_out() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    let session = "9f0d2c1a-0000-4000-8000-000000000009";
    home.run(["session", "start", "--input", &format!(r#"{{"session":"{session}","surface":"repl"}}"#)])
        .exits(0);
    let turn = format!(
        r#"{{"session":"{session}","user":{{"text":"Zorgblatt Canary?"}},"tools":[{{"name":"cat","text":"eDogWm9yZ2JsYXR0IENhbmFyeS4="}}],"assistant":"Yes."}}"#
    );
    home.run(["session", "turn", "--input", &turn]).exits(0);
    let workspace = home.home("inwit/agents/main/workspace");
    let note = b"# Plan\n\n- Zorgblatt Canary: eDogWm9yZ2JsYXR0IENhbmFyeS4=\n- Buy rye.\n";
    inwit_testkit::fixture::put(&workspace, "notes/plan.md", note);
    let plan = home.run(["forget", "--everywhere", WORDS, "--json"]).json();
    let places = plan["places"].as_array().expect("places");
    let fates = |end: &str| -> Vec<(&str, &str)> {
        let of = places.iter().filter(|place| place["name"].as_str().is_some_and(|name| name.contains(end)));
        of.map(|place| (place["fate"].as_str().expect("a fate"), place["kind"].as_str().expect("a kind")))
            .collect()
    };
    assert_eq!(fates(session), [("rewritten", "transcript"), ("stays", "other")], "{plan:#}");
    assert_eq!(fates("plan.md"), [("rewritten", "file")], "{plan:#}");
    home.run(["forget", "--everywhere", WORDS]).mentions("as base64");
}

/// What a deed cannot cut out of a transcript is no success.
#[test]
fn a_deed_that_leaves_words_encoded_says_that_they_stand() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["facts", "add", "Ana told of Zorgblatt Canary"]).exits(0);
    let session = "9f0d2c1a-0000-4000-8000-000000000009";
    home.run(["session", "start", "--input", &format!(r#"{{"session":"{session}","surface":"repl"}}"#)])
        .exits(0);
    let result = "eDogWm9yZ2JsYXR0IENhbmFyeS4= 783a205a6f7267626c6174742043616e6172792e";
    let turn = format!(
        r#"{{"session":"{session}","user":{{"text":"Look."}},"tools":[{{"name":"cat","text":"{result}"}}],"assistant":"Yes."}}"#
    );
    home.run(["session", "turn", "--input", &turn]).exits(0);
    home.run(["forget", "--everywhere", WORDS]).mentions("stays").mentions("as base64");
    home.run(["forget", "--everywhere", WORDS, "--rewrite-history", "--apply", "--yes"])
        .mentions("as base64")
        .hides("The words were not found")
        .exits(1);
    home.run(["forget", "--check", WORDS]).mentions(".jsonl").exits(1);
}
