//! What redaction leaves behind: nothing of the value, and a text that is clean.

use bip39::{Language, Mnemonic};
use inwit_gate::noticed;
use inwit_gate::secrets::{SECRETS, Tier, redact, redact_transcript, scan};
use inwit_testkit::Chance;
use inwit_testkit::secret::{classes, positives};

const SEED: u64 = 6;

/// Texts per class here; a soak run takes more by the same function.
const TEXTS_PER_CLASS: usize = 12;

/// No stretch of a value this long may survive, in bytes.
const WINDOW_BYTES: usize = 12;

/// Proves X35.
#[test]
fn nothing_of_a_value_survives_and_nothing_is_found_again() {
    let chance = &mut Chance::of(SEED);
    for class in classes() {
        let tier = SECRETS.iter().find(|row| row.class == class).expect("a row").tier;
        for sample in positives(class, TEXTS_PER_CLASS, chance) {
            let other = positives("gitlab_token", 1, chance).remove(0);
            let text = format!("# Day\n\n- {0}- {1}- and {0}\n", sample.text(), other.text());
            let clean = redact(&text, tier);
            let again: Vec<_> = scan(&clean).into_iter().filter(|hit| hit.tier >= tier).collect();
            assert_eq!(again, [], "{class} at seed {SEED}: {clean}");
            assert_eq!(redact(&clean, tier), clean, "{class} at seed {SEED}");
            let left = clean.replace(&format!("[REDACTED:{class}]"), "");
            let survives = sample.value.as_bytes().windows(WINDOW_BYTES).any(|window| {
                let plain = std::str::from_utf8(window).unwrap_or("\u{0}");
                left.contains(plain)
            });
            assert!(!survives || sample.value.len() < WINDOW_BYTES, "{class} at seed {SEED}: {clean}");
            assert!(clean.starts_with("# Day\n\n- ") && clean.contains("[REDACTED:"), "{clean}");
        }
    }
}

/// Phrases in each list and length that are looked through here.
const PHRASES: usize = 12;

/// List words before a phrase make windows that check by chance, one of sixteen of twelve words: such
/// a window once took the beginning of the phrase along and left its end to be read.
///
/// Proves X35.
#[test]
fn nothing_of_a_seed_phrase_is_shown_whatever_list_words_stand_before_or_behind_it() {
    let chance = &mut Chance::of(SEED);
    for language in Language::ALL.iter().copied() {
        let list = language.word_list();
        for words in [12, 15, 18, 21, 24].into_iter().cycle().take(5 * PHRASES) {
            let entropy: Vec<u8> = (0..words * 4 / 3).map(|_| chance.below(256) as u8).collect();
            let phrase = Mnemonic::from_entropy_in(language, &entropy).expect("a length of the standard");
            let phrase: Vec<&str> = phrase.words().collect();
            let mut around = |most: usize| -> Vec<&str> {
                let many = chance.below(most);
                (0..many).map(|_| *chance.pick(list)).filter(|word| !phrase.contains(word)).collect()
            };
            let (before, behind) = (around(20), around(20));
            let text = [&before[..], &phrase, &behind].concat().join(" ");
            let text = format!("My wallet (of 2019): {text}. It was so.");
            let clean = redact(&text, Tier::Quarantine);
            let left: Vec<&str> = clean.split([' ', '.']).filter(|word| phrase.contains(word)).collect();
            assert_eq!(left, [""; 0], "{language:?} at seed {SEED}: {text}");
            assert!(clean.starts_with("My wallet (of 2019): ") && clean.ends_with(" It was so."), "{clean}");
        }
    }
}

#[test]
fn a_milder_hit_is_left_where_only_secrets_are_asked_for() {
    let text = "Write to ana@mail.example.com at once.";
    assert_eq!(redact(text, Tier::Quarantine), text);
    assert_eq!(redact(text, Tier::Tag), "Write to [REDACTED:email] at once.");
}

/// Proves X36, X35.
#[test]
fn transcripts_redact_six_labels_and_keep_the_rest() {
    let chance = &mut Chance::of(SEED);
    let hex = "a3".repeat(32);
    let jwt = positives("jwt", 1, chance).remove(0).value;
    let text = format!("ana at /home/ana/x with {jwt} and {hex}, mail ana@mail.example.com");
    assert_eq!(
        redact_transcript(&text),
        "ana at [REDACTED:home_path]/x with [REDACTED:bearer_jwt] and [REDACTED:hex_token], mail ana@mail.example.com"
    );
    for (class, label) in
        [("anthropic_key", "anthropic_key"), ("openai_key", "sk_key"), ("aws_access_key", "aws_access_key")]
    {
        let sample = positives(class, 1, chance).remove(0);
        assert!(redact_transcript(&sample.text()).contains(&format!("[REDACTED:{label}]")), "{class}");
    }
}

#[test]
fn each_of_a_hundred_values_is_noticed_where_its_text_repeats_it() {
    let mut chance = Chance::of(SEED);
    const SIGNS: &[u8] = b"abcdefghkmnpqrstuvwxyzABCDEFGHKMNPQRSTUVWXYZ23456789";
    let mut value = || -> String { (0..20).map(|_| char::from(SIGNS[chance.below(SIGNS.len())])).collect() };
    let values: Vec<String> = (0..100).map(|_| value()).collect();
    let named = values.iter().map(|value| format!("- password: {value}\n"));
    let repeated = values.iter().map(|value| format!("\nThe router took {value} at once.\n"));
    let text: String = named.chain(repeated).collect();
    let noticed = noticed(text.as_bytes());
    for value in &values {
        let at = text.rfind(value.as_str()).expect("repeated");
        let is_noticed = noticed.iter().any(|finding| finding.span == (at..at + value.len()));
        assert!(is_noticed, "{value}");
    }
}
