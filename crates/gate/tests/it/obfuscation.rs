//! A key in disguise is still a key: what pastes, renderers and encoders do to a token.

use std::ops::Range;

use base64::Engine as _;
use inwit_gate::secrets::{SECRETS, Tier, scan};
use inwit_testkit::Chance;
use inwit_testkit::secret::{Sample, positives};

const SEED: u64 = 5;
const PER_CLASS: usize = 40;

/// The shares that must be found.
const UNFOLDED_MIN: f64 = 0.95;
const DECODED_MIN: f64 = 0.80;

/// Tokens that stand alone; a disguise of a value beside its name is the same disguise.
const CLASSES: &[&str] = &[
    "anthropic_key", "openai_key", "github_pat", "google_api_key", "slack_token", "aws_access_key",
    "evm_address", "btc_bech32", "btc_legacy", "gitlab_token", "npm_token", "groq_key", "sendgrid_key",
    "btc_wif", "stellar_seed", "digitalocean_token",
];

/// What stands before a sample that needs no name.
const BARE: &str = "it is ";

/// Classes that no literal begins. Behind `x_` they are a part of a longer name.
const NO_LITERAL: &[&str] = &[
    "btc_legacy", "solana_keypair", "btc_wif", "stellar_seed", "crates_token", "terraform_token",
    "twilio_key", "telegram_bot_token", "discord_bot_token", "mailgun_private_key", "airtable_token",
    "mailchimp_key", "prefixed_token",
];

type Disguise = (&'static str, fn(&str, &mut Chance) -> String);

const DISGUISES: &[Disguise] = &[
    ("markdown escapes", |value, _| value.replace('_', "\\_").replace('-', "\\-")),
    ("code", |value, chance| if chance.coin() { format!("`{value}`") } else { format!("```\n{value}\n```") }),
    ("a line break", |value, chance| {
        let at = 1 + chance.below(value.len() - 1);
        format!("{}\n  {}", &value[..at], &value[at..])
    }),
    ("invisible characters", |value, chance| {
        let at = 1 + chance.below(value.len() - 1);
        let unseen = chance.pick(&["\u{200b}", "\u{ad}", "\u{fe0f}", "\u{2060}"]);
        format!("{}{unseen}{}", &value[..at], &value[at..])
    }),
    ("codes of a terminal", |value, chance| {
        let at = 1 + chance.below(value.len() - 1);
        let colour = chance.pick(&["\u{1b}[31m", "\u{1b}[01;31m\u{1b}[K", "[32m"]);
        match chance.coin() {
            true => format!("\u{1b}[1m{value}\u{1b}[m"),
            false => format!("{}{colour}{}", &value[..at], &value[at..]),
        }
    }),
    ("what a log makes visible", |value, chance| {
        let at = 1 + chance.below(value.len() - 1);
        let mark = chance.pick(&["⟦U+200B⟧", "\u{0}", "\u{8}", "<!-- two words -->"]);
        format!("{}{mark}{}", &value[..at], &value[at..])
    }),
    ("tags", |value, chance| {
        let at = 1 + chance.below(value.len() - 1);
        let (head, tail) = value.split_at(at);
        match chance.below(3) {
            0 => format!("{head}<wbr>{tail}"),
            1 => format!("<i>{head}</i>{tail}"),
            _ => format!("<b>{value}</b>"),
        }
    }),
    ("strokes", |value, _| value.chars().flat_map(|char| [char, '\u{335}']).collect()),
    ("full width", |value, _| {
        let wide = |char: char| char::from_u32(u32::from(char) - 0x21 + 0xff01).expect("a wide form");
        value.chars().map(wide).collect()
    }),
    ("html entities", |value, chance| {
        let code = |char: char| format!("&#{};", u32::from(char));
        let hex = |char: char| format!("&#x{:x};", u32::from(char));
        value.chars().map(|char| if chance.coin() { code(char) } else { hex(char) }).collect()
    }),
    ("percent encoding", |value, chance| {
        let mut code =
            |char: char| if chance.coin() { format!("%{:02X}", u32::from(char)) } else { char.to_string() };
        value.chars().map(&mut code).collect()
    }),
    ("json escapes", |value, chance| {
        let at = chance.below(value.len());
        value
            .char_indices()
            .map(
                |(here, char)| {
                    if here == at { format!("\\u{:04x}", u32::from(char)) } else { char.to_string() }
                },
            )
            .collect()
    }),
];

fn share_found(disguise: fn(&str, &mut Chance) -> String) -> (f64, Vec<String>) {
    let chance = &mut Chance::of(SEED);
    let mut missed = Vec::new();
    for class in CLASSES {
        for Sample { value, .. } in positives(class, PER_CLASS, chance) {
            let hidden = disguise(&value, chance);
            let text = format!("note: {hidden}\nthe end of it\n");
            let span = 6..6 + hidden.len();
            let found = scan(&text).into_iter().any(|hit| {
                hit.class == *class
                    && hit.tier >= Tier::Quarantine
                    && hit.span.start <= span.start + 4
                    && hit.span.end + 4 >= span.end
            });
            if !found {
                missed.push(format!("{class}: {hidden}"));
            }
        }
    }
    (1.0 - missed.len() as f64 / (CLASSES.len() * PER_CLASS) as f64, missed)
}

#[test]
fn disguises_are_seen_through() {
    for (name, disguise) in DISGUISES {
        let (share, missed) = share_found(*disguise);
        assert!(share >= UNFOLDED_MIN, "{name}: {share} at seed {SEED}, {:?}", missed.first());
    }
}

#[test]
fn base64_of_a_secret_is_opened() {
    let (share, missed) = share_found(|value, chance| {
        let user = chance.pick(&["", "ana:", "key="]);
        base64::engine::general_purpose::STANDARD.encode(format!("{user}{value}"))
    });
    assert!(share >= DECODED_MIN, "{share} at seed {SEED}, {:?}", missed.first());
}

/// A hit leads back to the bytes as they stand, so that they can be taken out.
#[test]
fn the_place_of_a_hit_is_the_place_in_the_raw_text() {
    let value = positives("groq_key", 1, &mut Chance::of(SEED)).remove(0).value;
    let hidden = value.replace('_', "\\_");
    let text = format!("ünïcödé before {hidden} and after");
    let hits = scan(&text);
    assert_eq!(&text[hits[0].span.clone()], hidden);
}

/// A token that escapes end before it is still bounded: JSON writes a line break as two letters.
#[test]
fn an_escaped_line_break_bounds_a_token() {
    let value = positives("github_pat", 1, &mut Chance::of(SEED)).remove(0).value;
    assert_eq!(scan(&format!("{{\"text\":\"first\\n{value}\\nlast\"}}"))[0].class, "github_pat");
}

/// A renderer takes these marks away, so a reader sees the value alone.
#[test]
fn marks_of_emphasis_and_a_name_in_front_hide_no_token() {
    let mut missed = Vec::new();
    for row in SECRETS.iter().filter(|row| row.everywhere && row.tier >= Tier::Doubt) {
        let samples = positives(row.class, 3, &mut Chance::of(SEED)).into_iter();
        for sample in samples.filter(|sample| sample.before == BARE && !sample.value.contains('\n')) {
            let value = &sample.value;
            for (before, after) in [
                ("_", "_"),
                ("__", "__"),
                ("*", "*"),
                ("**", "**"),
                ("~~", "~~"),
                ("x_", ""),
                ("x-", ""),
                ("-", ""),
            ] {
                if after.is_empty() && NO_LITERAL.contains(&row.class) {
                    continue;
                }
                let text = format!("{BARE}{before}{value}{after} today");
                let start = BARE.len() + before.len();
                let covers = |span: &Range<usize>| span.start <= start && span.end >= start + value.len();
                let is_found = scan(&text).iter().any(|hit| hit.tier >= Tier::Doubt && covers(&hit.span));
                if !is_found {
                    missed.push(format!("{}: {text}", row.class));
                }
            }
        }
    }
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn labels_and_values_in_underscores_are_read() {
    let value = format!("Rk7#mQ2v{}", "Xp9t2");
    for text in [
        format!("__password: {value}__"),
        format!("password: __{value}__"),
        format!("_password:_ {value}"),
        format!("__password__: _{value}_"),
        "_PIN: 4471_".to_owned(),
        "PIN: __4471__".to_owned(),
    ] {
        assert!(scan(&text).iter().any(|hit| hit.tier >= Tier::Doubt), "{text}");
    }
    for plain in ["my_glpat_x and my-npm_install", "`__init__` calls _private_", "DB_PASSWORD_FILE is a path"]
    {
        assert_eq!(scan(plain), [], "{plain}");
    }
}
