//! Scans folders and files and prints what the gate finds: hits per class and megabyte, files with
//! phrases, time. It shows classes and places, never a value, so its output may be kept.
//!
//! `cargo run --release -p inwit-gate --example scan_tree -- [--show TIER] [--ending .md]
//! [--worst MB] PATH…` prints the place of every hit of at least that tier, in files of that ending. Instead of paths, `--worst MB` measures made-up worst cases,
//! and `--redact N SEED` redacts N made-up texts and fails where anything of a value is left.
#![expect(clippy::print_stdout, reason = "an example talks to the person who runs it")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use inwit_gate::secrets::{self, SECRETS, Tier};
use inwit_gate::{hidden, injection};
use inwit_testkit::Chance;
use inwit_testkit::secret;

/// Larger files are data, not text that somebody would write into a memory.
const FILE_BYTES_MAX: u64 = 16 << 20;

#[derive(Default)]
struct Tally {
    files: usize,
    bytes: usize,
    classes: BTreeMap<(&'static str, String), usize>,
    hard: usize,
    seed_files: usize,
    phrases: BTreeMap<&'static str, usize>,
    phrase_files: usize,
    behaviour_files: usize,
    hidden: BTreeMap<String, usize>,
    hidden_files: usize,
    secrets_time: Duration,
    other_time: Duration,
}

#[expect(clippy::disallowed_methods, reason = "this is where arguments enter")]
fn main() {
    let mut paths = Vec::new();
    let (mut show, mut ending) = (None, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--show" => show = arguments.next().and_then(|name| tier(&name)),
            "--ending" => ending = arguments.next(),
            "--worst" => return worst(arguments.next().and_then(|mb| mb.parse().ok()).unwrap_or(10)),
            "--redact" => {
                let mut number = || arguments.next().and_then(|text| text.parse().ok()).unwrap_or(1_000);
                return redact(number(), number());
            }
            _ => paths.push(PathBuf::from(argument)),
        }
    }
    let mut tally = Tally::default();
    for path in &paths {
        walk(path, ending.as_deref(), show, &mut tally);
    }
    tally.print();
}

fn tier(name: &str) -> Option<Tier> {
    [
        ("tag", Tier::Tag),
        ("warn", Tier::Warn),
        ("doubt", Tier::Doubt),
        ("quarantine", Tier::Quarantine),
        ("block", Tier::Block),
    ]
    .into_iter()
    .find_map(|(known, tier)| (known == name).then_some(tier))
}

fn walk(path: &Path, ending: Option<&str>, show: Option<Tier>, tally: &mut Tally) {
    let Ok(about) = std::fs::symlink_metadata(path) else { return };
    if about.is_dir() {
        let Ok(entries) = std::fs::read_dir(path) else { return };
        let mut below: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        below.sort();
        below.iter().for_each(|path| walk(path, ending, show, tally));
    } else if about.is_file()
        && about.len() <= FILE_BYTES_MAX
        && ending.is_none_or(|ending| path.to_string_lossy().ends_with(ending))
    {
        let Ok(bytes) = std::fs::read(path) else { return };
        if let Ok(text) = String::from_utf8(bytes) {
            tally.add(path, &text, show);
        }
    }
}

impl Tally {
    fn add(&mut self, path: &Path, text: &str, show: Option<Tier>) {
        self.files += 1;
        self.bytes += text.len();
        let start = Instant::now();
        let hits = secrets::scan(text);
        self.secrets_time += start.elapsed();
        for hit in hits {
            self.hard += usize::from(hit.tier >= Tier::Quarantine);
            *self.classes.entry((hit.class, format!("{:?}", hit.tier))).or_default() += 1;
            if show.is_some_and(|least| hit.tier >= least) {
                println!("{}:{} {} {:?}", path.display(), line(text, hit.span.start), hit.class, hit.tier);
            }
        }
        self.seed_files += usize::from(secrets::seed_hit(text).is_some());
        let start = Instant::now();
        let phrases = injection::scan(text);
        let behaviours = injection::behavioural(text);
        let hidden = hidden::scan(text);
        self.other_time += start.elapsed();
        self.phrase_files += usize::from(!phrases.is_empty());
        self.behaviour_files += usize::from(!behaviours.is_empty());
        for hit in phrases {
            *self.phrases.entry(hit.id).or_default() += 1;
            if show.is_some() {
                println!("{}:{} {}", path.display(), line(text, hit.span.start), hit.id);
            }
        }
        let blocked: Vec<_> = hidden.iter().filter(|found| found.tier == Tier::Block).collect();
        self.hidden_files += usize::from(!blocked.is_empty());
        for found in &hidden {
            *self.hidden.entry(found.kind.word().to_owned()).or_default() += 1;
        }
        if let Some(first) = blocked.first()
            && show.is_some()
        {
            let shown = hidden::reveal(&text[first.span.clone()]).into_owned();
            println!("{}:{} {:?} {shown}", path.display(), line(text, first.span.start), first.kind);
        }
    }

    fn print(&self) {
        let mb = self.bytes as f64 / 1e6;
        let share = |files: usize| 100.0 * files as f64 / self.files.max(1) as f64;
        println!("{} files, {mb:.1} MB", self.files);
        println!(
            "hard hits: {} ({:.2} per 50 MB, {:.2} per 10 MB)",
            self.hard,
            self.hard as f64 * 50.0 / mb,
            self.hard as f64 * 10.0 / mb
        );
        println!(
            "files that the dream gate would stop: {} ({:.2} %)",
            self.seed_files,
            share(self.seed_files)
        );
        for ((class, tier), count) in &self.classes {
            println!("  {class} {tier}: {count} ({:.3} per MB)", *count as f64 / mb);
        }
        println!("files with a phrase: {} ({:.2} %)", self.phrase_files, share(self.phrase_files));
        self.phrases.iter().for_each(|(id, count)| println!("  {id}: {count}"));
        println!(
            "files that ask for a second look: {} ({:.2} %)",
            self.behaviour_files,
            share(self.behaviour_files)
        );
        println!("files with a blocked character: {} ({:.2} %)", self.hidden_files, share(self.hidden_files));
        self.hidden.iter().for_each(|(kind, count)| println!("  {kind}: {count}"));
        println!("secrets {:?}, phrases and characters {:?}", self.secrets_time, self.other_time);
    }
}

fn line(text: &str, at: usize) -> usize {
    1 + text[..at].bytes().filter(|byte| *byte == b'\n').count()
}

/// Times a scan of `mb` megabytes of each text that gives the scanner most to do.
fn worst(mb: usize) {
    let note =
        "The kiln reached 1240 degrees by six; Ana wrote the curve down and let it cool.\n".repeat(150);
    let start = Instant::now();
    secrets::scan(&note);
    println!("the first scan of a process: {:?}", start.elapsed());
    let start = Instant::now();
    (0..100).for_each(|_| drop(injection::scan(&note)));
    println!("its phrases: {:?} once warm", start.elapsed() / 100);
    let start = Instant::now();
    (0..100).for_each(|_| drop(injection::behavioural(&note)));
    println!("its behaviours: {:?} once warm", start.elapsed() / 100);
    let start = Instant::now();
    (0..100).for_each(|_| drop(hidden::scan(&note)));
    println!("its characters: {:?} once warm", start.elapsed() / 100);
    let start = Instant::now();
    (0..1000).for_each(|_| drop(secrets::scan(&note)));
    println!("a clean note of {} bytes: {:?} once warm", note.len(), start.elapsed() / 1000);
    let units = [
        "sk-",
        "sk-aaaaaaaaaaaaaaaaaaa ",
        "ghs_aaaaaaaaaaaaaaaa.",
        "0x",
        "0x0a1b2c3d4e5f60718293a4b5c6d7e8f901234567 ",
        "eyJ.",
        "eyJaaaaaaaaaaaa.",
        "://a:",
        "://abc:def",
        "password=",
        "token=token=",
        "user:",
        "key ",
        "pass pass ",
        "密码 ",
        "(password ",
        "pass#",
        "pass~token+",
        "key: ```x",
        "password | ",
        "a;password;b\n",
        "-u a -p b ",
        "echo a | passwd ",
        "curl -u a:b ",
        "recovery codes 1234 5678\n",
        "00000000: 4142 4344\n",
        "reversed abcdefghij12345 ",
        "aB3dE5gH7jK9mN1p<b>",
        "{\"kty\":\"a\",",
        "token: abcdefgh ",
        "-----BEGIN PRIVATE KEY-----\n",
        "%41",
        "&#65;",
        "\\u0041",
        "ａ",
        "1 ",
        "4242 ",
        "4111111111111111 ",
        "abandon ",
        "zoo wrong ",
        "@",
        "a@b.cc ",
        "+1-",
        "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb ",
        "bc1qqqqqqqqqq ",
        "AKIA",
        "xoxb-1-",
        "SK0123456789abcdef0123456789abcdef ",
        "c3RhcnQgb2YgYSB0ZXh0IHRoYXQgaXMgcGxhaW4 ",
        "aaaaaaaaaaaa\n bbbbbbbbbbbb",
        "hooks.slack.com/services/",
        "machine a login b password ",
        "wallet seed private key ",
        "93.184.216.34 ",
        "The quick brown fox jumps over it. ",
        "3Hn6RkQv8yJtW2mZxP5cDfGbL9sKaE7uVoTiNqXrMhYwBdCzFjSgUpA4e1k6RkQv8yJtW2mZxP5cDfGbL9sKaE7uV ",
    ];
    let all: String = SECRETS.iter().map(|row| format!("{} ", row.class)).collect();
    let chance = &mut Chance::of(1);
    let mut made = |class: &str| -> String {
        secret::near_misses(class, 64, chance)
            .iter()
            .step_by(2)
            .map(|sample| format!("{}\n", sample.value))
            .collect()
    };
    let signatures = made("solana_keypair");
    let phrases = made("bip39_mnemonic");
    let mut slowest = Duration::ZERO;
    for unit in units.into_iter().chain([all.as_str(), signatures.as_str(), phrases.as_str()]) {
        let text = unit.repeat((mb << 20) / unit.len());
        let start = Instant::now();
        let hits = secrets::scan(&text).len();
        let time = start.elapsed();
        slowest = slowest.max(time);
        println!("{time:>12.2?} {hits:>9} hits  {:?}", unit.chars().take(40).collect::<String>());
    }
    println!("slowest of {mb} MiB: {slowest:?}");
}

/// No stretch of a value this long may survive redaction, in bytes.
const WINDOW_BYTES: usize = 12;

/// Redacts `count` texts that are made from `seed`.
fn redact(count: usize, seed: usize) {
    let chance = &mut Chance::of(seed as u64);
    let classes = secret::classes();
    for at in 0..count {
        let class = classes[at % classes.len()];
        let tier = SECRETS.iter().find(|row| row.class == class).map_or(Tier::Tag, |row| row.tier);
        let sample = secret::positives(class, 1, chance).remove(0);
        let clean = secrets::redact(&format!("- {}- {}", sample.text(), sample.text()), tier);
        let left = clean.replace(&format!("[REDACTED:{class}]"), "");
        let windows =
            sample.value.as_bytes().windows(WINDOW_BYTES).filter_map(|window| str::from_utf8(window).ok());
        let survives = windows.into_iter().any(|window| left.contains(window));
        let again = secrets::scan(&clean).into_iter().any(|hit| hit.tier >= tier);
        assert!(
            !survives && !again && secrets::redact(&clean, tier) == clean,
            "{class} at seed {seed}, text {at}"
        );
    }
    println!("{count} texts of {} classes at seed {seed}: nothing is left", classes.len());
}
