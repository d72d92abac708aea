//! Which spellings of a text go with it, and which stay and are named.

use inwit_testkit::Cli;

use super::{add, workspace};
use crate::newcomer;

fn home() -> Cli {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home
}

fn forget(home: &Cli, words: &str) -> inwit_testkit::cli::Run {
    home.run(["forget", "--everywhere", words, "--rewrite-history", "--apply", "--yes"])
}

/// A PIN in wide digits is the PIN: it goes from facts, notes and history, the look knows it, and it does not come back.
#[test]
fn digits_of_any_width_are_the_digits() {
    let home = home();
    home.run(["facts", "add", "My PIN is １２３４５６"]).exits(0);
    home.run(["facts", "add", "the bill was 10²3456 euros"]).exits(0);
    home.run(["remember", "電話は ０９０１２３４５６７８ です"]).exits(0);
    for words in ["My PIN is 123456", "09012345678"] {
        home.run(["forget", "--check", words]).mentions("found: ").exits(1);
    }
    home.run(["search", "09012345678"]).mentions("電話は");
    forget(&home, "My PIN is 123456").mentions("1 fact(s)").mentions("The words were not found").exits(0);
    forget(&home, "09012345678").mentions("lines of 1 file(s)").mentions("The words were not found").exits(0);
    for words in ["My PIN is 123456", "My PIN is １２３４５６", "09012345678", "０９０１２３４５６７８"]
    {
        home.run(["forget", "--check", words]).mentions("The words were not found").exits(0);
    }
    home.run(["facts", "list"]).hides("１２３").mentions("10²3456");
    home.run(["search", "09012345678"]).hides("電話は");
    // What came in from elsewhere is known by its tombstone in either width.
    add(&home, "MEMORY.md", "- my pin is 12３４５6\n- stays\n");
    home.run(["forget", "--everywhere", "--again", "--apply", "--yes"]).exits(0);
    let notes = std::fs::read_to_string(workspace(&home, "MEMORY.md")).expect("notes");
    assert!(notes.contains("- stays\n") && !notes.contains("pin"), "{notes}");
}

/// A log of a session has `⏎` in the place of the end of a line and the beginning of a long message: both stayed, and it was
/// said that the words stand nowhere.
#[test]
fn what_a_log_joined_and_cut_short_goes_too() {
    let home = home();
    let debts: Vec<String> = (1..60).map(|bank| format!("Peter Kranz owes bank {bank} money.")).collect();
    let long = debts.join(" ");
    let session = |verb: &str, input: serde_json::Value| {
        home.run(["session", verb, "--input", &input.to_string()]).exits(0);
    };
    session("start", serde_json::json!({ "session": "s1", "surface": "repl" }));
    for (asked, answer) in
        [("read the letter", "It is from Rosa\r\nLindt, she has cancer."), (long.as_str(), "Noted.")]
    {
        session(
            "turn",
            serde_json::json!({ "session": "s1", "user": { "name": "ana", "text": asked }, "assistant": answer }),
        );
    }
    session("end", serde_json::json!({ "session": "s1" }));
    let log = || -> String {
        let days = std::fs::read_dir(workspace(&home, "memory")).expect("logs");
        days.map(|day| std::fs::read_to_string(day.expect("a day").path()).expect("a log")).collect()
    };
    assert!(log().contains("Rosa ⏎ Lindt") && log().contains("Kranz owes bank 1 money."), "{}", log());
    home.run(["forget", "--check", "Rosa Lindt"]).mentions("memory/").exits(1);
    home.run(["forget", "--check", &long]).mentions("cut short").exits(1);
    home.run(["forget", "--everywhere", &long]).mentions("memory/");
    for words in ["Rosa Lindt", &long] {
        forget(&home, words).mentions("The words were not found").exits(0);
        home.run(["forget", "--check", words]).mentions("The words were not found").exits(0);
    }
    assert!(!log().contains("Lindt") && !log().contains("Kranz"), "{}", log());
}

/// Ligatures, `ß` and both Turkish letters i: any spelling takes the others.
#[test]
fn ligatures_and_letters_of_two_capitals_are_one_text() {
    for (stood, named) in [
        ("a ﬁnancial matter", "financial matter"),
        ("Lea lives in Bergstraße 7", "BERGSTRASSE 7"),
        ("İSTANBUL KAPISI is shut", "istanbul kapısı"),
        ("the key of İstanbul", "key of i\u{307}stanbul"),
    ] {
        let home = home();
        home.run(["facts", "add", stood]).exits(0);
        home.run(["remember", stood]).exits(0);
        forget(&home, named).mentions("1 fact(s), lines of 1 file(s)").mentions("were not found").exits(0);
        home.run(["forget", "--check", stood]).mentions("The words were not found").exits(0);
    }
}

/// Other accents are other words. The terms of a full-text table do not know them, so the spelling is named, and goes
/// when it is named so.
#[test]
fn another_spelling_is_named_and_nothing_is_left_of_it_that_cannot_be_taken() {
    let home = home();
    home.run(["facts", "add", "The café müller debt is large"]).exits(0);
    for run in [forget(&home, "cafe muller debt"), home.run(["forget", "--check", "cafe muller debt"])] {
        run.mentions("another spelling was found: café müller debt")
            .mentions("The words were not found")
            .exits(0);
    }
    home.run(["facts", "list"]).mentions("café müller");
    forget(&home, "café müller debt").mentions("1 fact(s)").hides("another spelling").exits(0);
    home.run(["forget", "--check", "cafe muller debt"]).hides("another spelling").exits(0);
}
