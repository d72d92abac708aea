//! Which terms a text has, and that a question has the same.

use super::*;
use proptest::prelude::*;

fn terms(text: &str) -> Vec<String> {
    Analyser::default().terms(text).counts.into_iter().map(|(term, _)| term).collect()
}

#[test]
fn no_letter_is_punctuation() {
    let is_of_word = |c: &char| c.is_alphanumeric() || is_combining_mark(*c) || is_spaceless(*c);
    assert_eq!(('\u{0}'..='\u{ffff}').find(|c| is_punctuation(*c) && is_of_word(c)), None);
}

#[test]
fn words_meet_across_case_marks_and_endings() {
    assert_eq!(terms("Running runners RUN"), ["run", "runner"]);
    assert_eq!(terms("Café Ｍünchen Straße"), ["café", "münchen", "straße"].map(|w| terms(w)[0].clone()));
    assert_eq!(terms("cafe"), terms("CAFÉ"));
    assert_eq!(terms("strasse"), terms("Straße"));
    assert_eq!(terms("Ana's l’eau don't"), ["ana", "l", "eau", "dont"]);
    assert_eq!(terms("went going"), ["go"]);
}

#[test]
fn the_sign_of_a_language_belongs_to_its_letter() {
    assert_eq!(terms("C# and F#, C++: c"), ["c#", "and", "f#", "c++", "c"]);
    assert_eq!(terms("1# a#b i++1 c+ abc#"), ["1", "a", "b", "i", "c", "abc"]);
}

proptest! {
    #[test]
    fn the_short_way_of_plain_words_gives_what_the_long_way_does(word in "[a-zA-Z0-9]{1,9}") {
        let pieces: Vec<String> = camel_parts(&word).iter().flat_map(|part| apostrophes(part)).collect();
        prop_assert!(!is_one_piece(&word) || (pieces == [word.clone()] && lower(&word) == word.to_lowercase()));
        for said in plain_words(&word) {
            prop_assert!(has_plain_word(&word, |found| found == said));
            prop_assert!(!has_plain_word(&word, |found| found != said), "one run is one word");
        }
    }
}

#[test]
fn scripts_without_spaces_give_characters_and_pairs() {
    assert_eq!(terms("用户名"), ["用", "户", "用户", "名", "户名"]);
    assert_eq!(terms("重跑gen-itgc后"), ["重", "跑", "重跑", "gen", "itgc", "后"]);
    assert_eq!(Analyser::default().terms("用户名").length, 3);
    assert_eq!(terms("が")[0], "が", "a kana keeps its mark");
}

#[test]
fn a_mark_belongs_to_its_character() {
    assert_eq!(terms("ปู่งู"), ["ปู่", "งู", "ปู่งู"]);
    assert_eq!(terms("งา")[0], "ง");
}

#[test]
fn identifiers_are_found_by_their_parts_and_whole() {
    assert_eq!(terms("snake_case"), ["snake", "case", "snakecas"]);
    assert_eq!(
        terms("loadHTTPView2"),
        ["load", "http", "view2", "view", "loadhttpview2", "loadhttp", "httpview2"]
    );
    assert_eq!(terms("src/fs_files.rs"), ["src", "fs", "file", "fsfile", "rs"]);
    assert_eq!(terms("10km at 10am, 18th, 5k"), ["10km", "10", "km", "at", "10am", "18th", "5k"]);
    assert_eq!(Analyser::default().terms("maxRetryCount oauth2").length, 4, "what leads there is no length");
}

#[test]
fn a_version_is_found_whole_and_by_its_parts() {
    assert_eq!(terms("v2.1.3"), ["v2", "1", "3", "2.1.3"]);
    assert_eq!(terms("1. done 12.50."), ["1", "do", "12", "50", "12.50"]);
}

#[test]
fn other_languages_stand_behind_a_mark() {
    let foreign = Analyser::default().foreign_terms("Compró zapatos, zapato", &[Language::Spanish]);
    assert_eq!(foreign, [("~compr".to_owned(), 1), ("~zapat".to_owned(), 2)]);
}

#[test]
fn a_picture_is_a_term() {
    assert_eq!(terms("bread 🍞!"), ["bread", "🍞"]);
    assert_eq!(terms("👍🏽 ❤️"), ["👍", "❤"], "without its tone");
    assert_eq!(terms("🇪🇸🇸🇪"), ["🇪🇸", "🇸🇪", "🇪🇸🇸🇪"], "a flag is one");
    assert_eq!(terms("👩‍🚒"), ["👩", "🚒", "👩🚒"]);
    assert_eq!(terms("🤷‍♂️"), ["🤷", "🤷♂"]);
}

proptest! {
    #[test]
    fn any_text_is_analysed_and_no_term_is_empty_or_long(text in r"\PC{0,200}") {
        let terms = Analyser::default().terms(&text);
        prop_assert!(terms.counts.iter().all(|(term, count)| !term.is_empty() && term.len() <= TERM_BYTES_MAX && *count > 0));
    }
}
