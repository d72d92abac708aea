//! The work is linear: twice the text is about twice the time, for each row's own worst text.
//!
//! Time on a shared machine is a poor witness, so a factor far from two is allowed; a quadratic step
//! would show a factor of four at every doubling and sixteen over two.

use std::time::{Duration, Instant};

use inwit_gate::{hidden, injection, secrets};
use inwit_testkit::Chance;
use inwit_testkit::secret::{classes, near_misses, positives};

const SEED: u64 = 8;
const SMALL_BYTES: usize = 8 << 10;

/// Four times the text may take this many times as long; quadratic work would take sixteen.
const FACTOR_MAX: u32 = 11;

/// Below this a difference is noise.
const NOISE: Duration = Duration::from_millis(8);

fn filled(unit: &str, bytes: usize) -> String {
    unit.repeat(bytes / unit.len() + 1)
}

fn best_of_three(run: impl Fn()) -> Duration {
    let once = || {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    once().min(once()).min(once())
}

#[track_caller]
fn is_linear(name: &str, unit: &str, scan: impl Fn(&str)) {
    let (small, large) = (filled(unit, SMALL_BYTES), filled(unit, 4 * SMALL_BYTES));
    let (short, long) = (best_of_three(|| scan(&small)), best_of_three(|| scan(&large)));
    assert!(
        long < short.max(NOISE) * FACTOR_MAX,
        "{name}: {short:?} for {SMALL_BYTES} bytes, {long:?} for four times that"
    );
}

#[test]
fn secrets_that_nearly_match_over_and_over_cost_linear_time() {
    let chance = &mut Chance::of(SEED);
    let scan = |text: &str| drop(secrets::scan(text));
    for class in classes() {
        let miss = near_misses(class, 4, chance).remove(0).text();
        is_linear(class, &miss, scan);
        let right = positives(class, 1, chance).remove(0).text();
        let head: String = right.chars().take(20).collect();
        is_linear(class, &head, scan);
    }
    for unit in [
        "sk-",
        "-----BEGIN PRIVATE KEY-----\n",
        "eyJ.",
        "://a:",
        "password=",
        "%41",
        "&#",
        "\\u00",
        "1 ",
        "abandon ",
        "@",
        "+1-",
    ] {
        is_linear(unit, unit, scan);
    }
}

#[test]
fn hidden_characters_and_phrases_cost_linear_time() {
    for unit in ["\u{200d}", "👩\u{200d}", "a\u{300}", "\u{e0061}", "字\u{e0100}"] {
        is_linear("hidden", unit, |text| drop(hidden::scan(text)));
    }
    let rows = injection::PHRASES.iter().chain(injection::BEHAVIOURS);
    for row in rows {
        let head: String = row.examples[0].chars().take(18).collect();
        is_linear(row.id, &format!("{head} "), |text| {
            drop(injection::scan(text));
            drop(injection::behavioural(text));
        });
    }
}
