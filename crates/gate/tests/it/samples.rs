//! Recall and precision per class: what is one is found, what is nearly one is not.

use inwit_gate::secrets::{SECRETS, SecretHit, Tier, scan, seed_hit};
use inwit_testkit::Chance;
use inwit_testkit::secret::{self, Sample, classes};

const SEED: u64 = 59;
const SAMPLES_PER_CLASS: usize = 200;

/// The shares that must be reached; classes with a checksum must never be wrong.
const RECALL_MIN: f64 = 0.995;
const FALSE_MAX: f64 = 0.005;

fn is_found(sample: &Sample, class: &str) -> bool {
    let value = sample.before.len()..sample.before.len() + sample.value.len();
    let covers = |hit: &SecretHit| hit.span.start <= value.start && hit.span.end >= value.end;
    scan(&sample.text()).iter().any(|hit| covers(hit) && (hit.class == class || hit.tier == Tier::Block))
}

/// Proves W59, X35.
#[test]
fn of_every_class_nearly_all_samples_are_found_whole() {
    let mut short = Vec::new();
    for class in classes() {
        let samples = secret::positives(class, SAMPLES_PER_CLASS, &mut Chance::of(SEED));
        let missed: Vec<&Sample> = samples.iter().filter(|sample| !is_found(sample, class)).collect();
        let recall = 1.0 - missed.len() as f64 / samples.len() as f64;
        if recall < RECALL_MIN {
            short.push(format!("{class}: {recall}, first missed {:?}", missed.first()));
        }
    }
    assert!(short.is_empty(), "at seed {SEED}:\n{}", short.join("\n"));
}

/// Proves W62, X36. A near miss is a hit only where its class would act on it as on a right one.
#[test]
fn what_is_nearly_of_a_class_is_not_taken_for_it() {
    let mut wrong = Vec::new();
    for class in classes() {
        let row = SECRETS.iter().find(|row| row.class == class).expect("a row");
        let checksum = row.unsure.is_none() && row.tier >= Tier::Quarantine;
        let samples = secret::near_misses(class, SAMPLES_PER_CLASS, &mut Chance::of(SEED));
        let taken = |sample: &&Sample| {
            scan(&sample.text())
                .iter()
                .any(|hit| hit.class == class && hit.tier >= row.tier.min(Tier::Quarantine))
        };
        let false_hits: Vec<&Sample> = samples.iter().filter(taken).collect();
        let share = false_hits.len() as f64 / samples.len() as f64;
        let most = if checksum { 0.0 } else { FALSE_MAX };
        if share > most {
            wrong.push(format!("{class}: {share}, first {:?}", false_hits.first()));
        }
    }
    assert!(wrong.is_empty(), "at seed {SEED}:\n{}", wrong.join("\n"));
}

#[test]
fn every_class_that_memory_is_scanned_for_has_samples() {
    let known = classes();
    for row in SECRETS.iter().filter(|row| row.everywhere) {
        assert!(known.contains(&row.class), "no samples of `{}`", row.class);
    }
    assert_eq!(known.len(), SECRETS.iter().filter(|row| row.everywhere).count());
}

/// Proves W59. The dream gate goes by shape: a wrong checksum does not excuse, but for bitcoin's.
#[test]
fn the_dream_gate_stops_the_eleven_shapes_and_nothing_else() {
    let chance = &mut Chance::of(SEED);
    for row in SECRETS.iter().filter(|row| row.everywhere) {
        for sample in secret::positives(row.class, 20, chance) {
            let hit = seed_hit(&sample.text()).map(|hit| hit.class);
            assert_eq!(hit == Some(row.class), row.seed, "{}: {sample:?}", row.class);
        }
    }
    let word = |prefix: &str, body: &str| format!("note {prefix}{body} end");
    for (class, text) in [
        ("github_pat", word("ghp_", &"a1B2".repeat(9))),
        ("openai_key", word("sk-", &"abcdefghij".repeat(2))),
        ("aws_access_key", word("AKIA", "IOSFODNN7EXAMPLE")),
        ("evm_address", word("0x", &"0".repeat(40))),
        ("pem_private", word(&"-".repeat(5), &format!("BEGIN EC PRIVATE KEY{}", "-".repeat(5)))),
    ] {
        assert_eq!(seed_hit(&text).map(|hit| hit.class), Some(class), "{text}");
    }
    for near in ["btc_bech32", "btc_legacy"] {
        for sample in secret::near_misses(near, 50, chance) {
            assert_eq!(seed_hit(&sample.text()), None, "{sample:?}");
        }
    }
}

/// Each prefix of the eleven shapes by itself; one character short of the length, most of them are none.
/// Proves W59.
#[test]
fn every_prefix_of_the_eleven_shapes_stops_a_dream() {
    let body = |chars: usize| "aB3dE5gH7j".chars().cycle().take(chars).collect::<String>();
    let hit = |text: &str| seed_hit(&format!("note {text} end")).map(|hit| hit.class);
    for (class, prefixes, chars) in [
        ("anthropic_key", &["sk-ant-api03-"][..], 95),
        ("openai_key", &["sk-"][..], 20),
        ("stripe_key", &["sk_live_", "rk_live_"][..], 24),
        ("github_pat", &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"][..], 36),
        ("github_pat", &["github_pat_"][..], 82),
        ("google_api_key", &["AIza"][..], 35),
        ("slack_token", &["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-"][..], 24),
    ] {
        for prefix in prefixes {
            assert_eq!(hit(&[prefix, body(chars).as_str()].concat()), Some(class), "{prefix}");
        }
    }
    let joined = |pieces: [&str; 2]| pieces.concat();
    for (class, text) in [
        ("aws_access_key", joined(["AKIA", "IOSFODNN7EXAMPLE"])),
        ("evm_address", joined(["0x", &"5aAeb6053F".repeat(4)])),
        ("btc_legacy", joined(["1BvBMSEYstWetqTFn5", "Au4m4GFg7xJaNVN2"])),
        ("btc_legacy", joined(["3J98t1WpEZ73CNmQvi", "ecrnyiWrnqRhWNLy"])),
        ("btc_bech32", joined(["bc1qar0srrr7xfkvy5l643", "lydnw9re59gtzzwf5mdq"])),
    ] {
        assert_eq!(hit(&text), Some(class), "{text}");
    }
    for kind in ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "] {
        let line = ["-----BEGIN ", kind, "PRIVATE KEY-----"].concat();
        assert_eq!(hit(&line), Some("pem_private"), "{line}");
    }
    for (prefix, chars) in [("sk-", 19), ("AIza", 34), ("ghp_", 35)] {
        assert_eq!(hit(&[prefix, body(chars).as_str()].concat()), None, "{prefix} and {chars}");
    }
    assert_eq!(hit(&joined(["AKIA", "IOSFODNN7EXAMPL"])), None);
    assert_eq!(hit(&joined(["0x", &"5aAeb6053F".repeat(4)[..39]])), None);
}

/// Proves W62.
#[test]
fn ambiguous_shapes_are_no_patterns() {
    let chance = &mut Chance::of(SEED);
    let hex: String = (0..64).map(|_| *chance.pick(&['0', '7', 'a', 'f', '3', 'c'])).collect();
    let base58: String = (0..44).map(|_| *chance.pick(&['2', 'A', 'z', 'k', '9', 'Q'])).collect();
    for text in [hex, base58] {
        assert_eq!(scan(&text), [], "{text}");
        assert_eq!(seed_hit(&text), None);
    }
    let phrase = secret::positives("bip39_mnemonic", 1, chance).remove(0);
    assert_eq!(seed_hit(&phrase.text()), None, "the dream gate leaves phrases to the wider scan");
    assert_eq!(scan(&phrase.text())[0].class, "bip39_mnemonic");
}

#[test]
fn the_more_specific_class_tells_a_value_once() {
    let sample = &secret::positives("anthropic_key", 1, &mut Chance::of(SEED))[0];
    let classes: Vec<&str> = scan(&sample.text()).iter().map(|hit| hit.class).collect();
    assert_eq!(classes, ["anthropic_key"]);
    let named = format!("api_key = {}", secret::positives("groq_key", 1, &mut Chance::of(SEED))[0].value);
    let classes: Vec<&str> = scan(&named).iter().map(|hit| hit.class).collect();
    assert_eq!(classes, ["groq_key"]);
}

/// A cut in the middle is the caller's: a whole text is scanned, at its edges too.
#[test]
fn a_value_at_either_end_of_a_text_is_found_and_a_long_text_is_read_to_its_end() {
    for class in ["github_pat", "btc_legacy", "payment_card", "gitlab_token", "email"] {
        let value = secret::positives(class, 1, &mut Chance::of(SEED)).remove(0).value;
        let far = format!("{}\n{value}", "A line of prose that says little.\n".repeat(4_000));
        for text in [value.clone(), format!("{value} end"), format!("start {value}"), far] {
            let hit = scan(&text).into_iter().find(|hit| hit.class == class).expect(class);
            assert_eq!(&text[hit.span], value, "{class}");
        }
    }
}
