//! The compiled-in profiles, and their differences.
//!
//! A profile is a table, not code: every file has every key, so it is complete, and an unknown key is an error.
//! Invariant: every seed of a profile has a template.

use std::collections::BTreeMap;

use inwit_model::profile::{BlockKind, IdentityForm, Inject, Marker, Oversize, Recalling, Snapshot};
use inwit_model::{Cadence, Domain, FileClass, HistoryPlace, Layout, Profile, WriteMode};
use serde::Deserialize;

/// How a cadence is written.
const CADENCES: &[&str] = &["every_n_turns(5)", "every_turn", "on_session_end", "agent_proposed"];

/// Name and text of every profile, the default first.
const PROFILES: &[(&str, &str)] = &[
    ("personal", include_str!("../profiles/personal.toml")),
    ("openclaw", include_str!("../profiles/openclaw.toml")),
    ("minara", include_str!("../profiles/minara.toml")),
    ("nexo", include_str!("../profiles/nexo.toml")),
    ("mindroom", include_str!("../profiles/mindroom.toml")),
    ("carapace", include_str!("../profiles/carapace.toml")),
];

/// The profile of this name, `None` where there is no such one.
pub fn named(name: &str) -> Option<Profile> {
    let (_, text) = PROFILES.iter().find(|(known, _)| *known == name)?;
    parse(text).ok()
}

/// Every name, the default first.
pub fn names() -> impl Iterator<Item = &'static str> {
    PROFILES.iter().map(|(name, _)| *name)
}

/// What differs: key, value in `a`, value in `b`, in the order of the keys.
pub fn difference(a: &Profile, b: &Profile) -> Vec<(&'static str, String, String)> {
    let pairs = rows(a).into_iter().zip(rows(b));
    pairs.filter(|((_, a), (_, b))| a != b).map(|((key, a), (_, b))| (key, a, b)).collect()
}

/// Every key of a profile with its value as text.
pub fn rows(profile: &Profile) -> Vec<(&'static str, String)> {
    // Taken apart, so that a new key cannot be forgotten here.
    let Profile {
        name,
        about,
        seeds,
        order,
        inject,
        oversize,
        marker,
        max_file_chars,
        max_user_chars,
        max_total_chars,
        max_skills_chars,
        max_startup_chars,
        max_file_bytes,
        token_budget,
        recalled,
        max_recalled_chars,
        journal_days,
        bootstrap_until_set_up,
        room_journals,
        utc_days,
        identity,
        snapshot,
        journal,
        journal_layout,
        journal_cadence,
        journal_retention_days,
        heartbeat,
        domain,
        facts_retention_days,
        history,
        write,
    } = profile;
    let order: Vec<&str> = order.iter().map(|block| block.word()).collect();
    vec![
        ("name", name.clone()),
        ("about", about.clone()),
        ("seeds", seeds.join(" ")),
        ("order", order.join(" ")),
        ("inject", inject.to_string()),
        ("oversize", oversize.to_string()),
        ("marker", marker.to_string()),
        ("max_file_chars", max_file_chars.to_string()),
        ("max_user_chars", max_user_chars.to_string()),
        ("max_total_chars", max_total_chars.to_string()),
        ("max_skills_chars", max_skills_chars.to_string()),
        ("max_startup_chars", max_startup_chars.to_string()),
        ("max_file_bytes", max_file_bytes.to_string()),
        ("token_budget", token_budget.to_string()),
        ("recalled", recalled.to_string()),
        ("max_recalled_chars", max_recalled_chars.to_string()),
        ("journal_days", journal_days.to_string()),
        ("bootstrap_until_set_up", bootstrap_until_set_up.to_string()),
        ("room_journals", room_journals.to_string()),
        ("utc_days", utc_days.to_string()),
        ("identity", identity.to_string()),
        ("snapshot", snapshot.to_string()),
        ("journal", journal.to_string()),
        ("journal_layout", journal_layout.to_string()),
        ("journal_cadence", journal_cadence.to_string()),
        ("journal_retention_days", journal_retention_days.to_string()),
        ("heartbeat", heartbeat.to_string()),
        ("domain", domain.to_string()),
        ("facts_retention_days", facts_retention_days.to_string()),
        ("history", history.to_string()),
        ("write", write.iter().map(|(ward, rule)| format!("{ward}={rule}")).collect::<Vec<_>>().join(" ")),
    ]
}

/// Why a text is no profile.
#[derive(Debug, thiserror::Error)]
pub enum ProfileError {
    /// No TOML, a key that is missing, or one that is not known.
    #[error("{0}")]
    Table(#[from] toml::de::Error),
    /// A word that the key does not know.
    #[error("`{word}` is not a value of `{key}`: use one of {known}.")]
    Word {
        /// The key.
        key: &'static str,
        /// What stands there.
        word: String,
        /// What could stand there.
        known: String,
    },
    /// A file that comes behind what is derived.
    #[error("`order` has `{0}` after `facts`: files come first, since they outrank facts.")]
    Order(&'static str),
    /// A ward of the write policy that is not there.
    #[error("the table `write` has no `{0}`.")]
    FileClass(&'static str),
}

/// Reads a profile. Errors: a missing or unknown key, a value of the wrong kind.
pub fn parse(text: &str) -> Result<Profile, ProfileError> {
    let row: Row = toml::from_str(text)?;
    let block = |word: &String| read("order", word, BlockKind::parse, BlockKind::WORDS);
    let order = row.order.iter().map(block).collect::<Result<Vec<_>, _>>()?;
    if let Some(late) = file_after_facts(&order) {
        return Err(ProfileError::Order(late.word()));
    }
    Ok(Profile {
        name: row.name,
        about: row.about,
        seeds: row.seeds,
        order,
        inject: read("inject", &row.inject, Inject::parse, Inject::WORDS)?,
        oversize: read("oversize", &row.oversize, Oversize::parse, Oversize::WORDS)?,
        marker: read("marker", &row.marker, Marker::parse, Marker::WORDS)?,
        max_file_chars: row.max_file_chars,
        max_user_chars: row.max_user_chars,
        max_total_chars: row.max_total_chars,
        max_skills_chars: row.max_skills_chars,
        max_startup_chars: row.max_startup_chars,
        max_file_bytes: row.max_file_bytes,
        token_budget: row.token_budget,
        recalled: read("recalled", &row.recalled, Recalling::parse, Recalling::WORDS)?,
        max_recalled_chars: row.max_recalled_chars,
        journal_days: row.journal_days,
        bootstrap_until_set_up: row.bootstrap_until_set_up,
        room_journals: row.room_journals,
        utc_days: row.utc_days,
        identity: read("identity", &row.identity, IdentityForm::parse, IdentityForm::WORDS)?,
        snapshot: read("snapshot", &row.snapshot, Snapshot::parse, Snapshot::WORDS)?,
        journal: row.journal,
        journal_layout: read("journal_layout", &row.journal_layout, Layout::parse, Layout::WORDS)?,
        journal_cadence: read("journal_cadence", &row.journal_cadence, Cadence::parse, CADENCES)?,
        journal_retention_days: row.journal_retention_days,
        heartbeat: row.heartbeat,
        domain: read("domain", &row.domain, Domain::parse, Domain::WORDS)?,
        facts_retention_days: row.facts_retention_days,
        history: read("history", &row.history, HistoryPlace::parse, HistoryPlace::WORDS)?,
        write: lanes(&row.write)?,
    })
}

/// The first block of a file that comes after the facts.
fn file_after_facts(order: &[BlockKind]) -> Option<BlockKind> {
    let facts = order.iter().position(|kind| *kind == BlockKind::Facts)?;
    order[facts..].iter().copied().find(|kind| kind.file().is_some())
}

/// The write policy: every ward stands in it once, so that none is open by being forgotten.
fn lanes(rows: &BTreeMap<String, String>) -> Result<BTreeMap<FileClass, WriteMode>, ProfileError> {
    let mut rules = BTreeMap::new();
    for (key, word) in rows {
        let ward = read("write", key, FileClass::parse, FileClass::WORDS)?;
        rules.insert(ward, read("write", word, WriteMode::parse, WriteMode::WORDS)?);
    }
    match FileClass::WORDS.iter().find(|word| !rows.contains_key(**word)) {
        Some(missing) => Err(ProfileError::FileClass(missing)),
        None => Ok(rules),
    }
}

/// A profile as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    about: String,
    seeds: Vec<String>,
    order: Vec<String>,
    inject: String,
    oversize: String,
    marker: String,
    max_file_chars: usize,
    max_user_chars: usize,
    max_total_chars: usize,
    max_skills_chars: usize,
    max_startup_chars: usize,
    max_file_bytes: u64,
    token_budget: usize,
    recalled: String,
    max_recalled_chars: usize,
    journal_days: u32,
    bootstrap_until_set_up: bool,
    room_journals: bool,
    utc_days: bool,
    identity: String,
    snapshot: String,
    journal: bool,
    journal_layout: String,
    journal_cadence: String,
    journal_retention_days: u32,
    heartbeat: bool,
    domain: String,
    facts_retention_days: u32,
    history: String,
    write: BTreeMap<String, String>,
}

fn read<T>(
    key: &'static str,
    word: &str,
    parse: fn(&str) -> Option<T>,
    known: &[&str],
) -> Result<T, ProfileError> {
    parse(word).ok_or_else(|| ProfileError::Word { key, word: word.to_owned(), known: known.join(", ") })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::template;
    use inwit_model::FileKind;

    fn profile(name: &str) -> Profile {
        named(name).expect("a profile")
    }

    #[test]
    fn all_six_profiles_are_whole() {
        assert_eq!(names().count(), 6);
        for (name, text) in PROFILES {
            let profile = parse(text).expect(name);
            assert_eq!(profile.name, *name);
            assert!(profile.max_file_chars <= profile.max_total_chars, "{name}");
            assert!(profile.max_file_bytes <= inwit_model::limit::FILE_READ_BYTES_MAX, "{name}");
            for seed in &profile.seeds {
                let kind = FileKind::at(seed).expect(seed);
                assert!(template::of(kind).is_some(), "{name}: {seed}");
            }
            let table: toml::Table = text.parse().expect("a table");
            let keys: Vec<&str> = rows(&profile).into_iter().map(|(key, _)| key).collect();
            assert_eq!(table.len(), keys.len(), "{name}");
            assert!(keys.iter().all(|key| table.contains_key(*key)), "{name}");
            for key in keys {
                let without: String = text
                    .lines()
                    .filter(|line| !line.starts_with(&format!("{key} =")) && *line != format!("[{key}]"))
                    .collect::<Vec<_>>()
                    .join("\n");
                assert!(parse(&without).is_err(), "{name}: {key} is mandatory");
            }
            let (keys, wards) = text.split_once("[write]").expect("a write policy");
            for ward in FileClass::WORDS {
                let without = wards.replace(&format!("\n{ward} = "), "\nx = ");
                assert!(parse(&format!("{keys}[write]{without}")).is_err(), "{name}: {ward} is mandatory");
            }
        }
        assert!(named("Personal").is_none());
    }

    #[test]
    fn a_key_that_nothing_obeys_is_refused() {
        let text = format!("{}\ncolour = \"red\"\n", PROFILES[0].1);
        assert!(parse(&text).expect_err("refused").to_string().contains("colour"));
        let text = PROFILES[0].1.replace("\"frozen\"", "\"warm\"");
        assert_eq!(
            parse(&text).expect_err("refused").to_string(),
            "`warm` is not a value of `snapshot`: use one of frozen, live."
        );
    }

    /// Proves W19, X3, R31, C20.
    #[test]
    fn the_profiles_hold_the_values_of_their_systems() {
        for name in names().filter(|name| *name != "carapace") {
            assert!(!profile(name).seeds.contains(&"HEARTBEAT.md".to_owned()), "{name}");
        }
        let nexo = profile("nexo");
        assert_eq!((nexo.max_file_chars, nexo.max_total_chars, nexo.marker), (12_000, 60_000, Marker::Nexo));
        for name in ["personal", "minara", "carapace"] {
            let it = profile(name);
            let limits = (it.max_file_chars, it.max_total_chars, it.max_file_bytes);
            assert_eq!(limits, (12_000, 60_000, 262_144), "{name}");
        }
        assert_eq!((nexo.max_file_bytes, profile("mindroom").max_file_bytes), (1_048_576, 16_384));
        let order: Vec<&str> = profile("carapace").order.iter().map(|block| block.word()).collect();
        assert_eq!(order, ["agents", "soul", "user", "journals", "core", "skills", "facts"]);
        let openclaw = profile("openclaw");
        assert_eq!(
            (openclaw.max_file_chars, openclaw.max_user_chars, openclaw.max_total_chars),
            (20_000, 4_000, 60_000)
        );
    }

    /// OpenClaw shows its logs at the start of a session and not as a block.
    ///
    /// Proves W4, W73.
    #[test]
    fn what_is_derived_comes_after_the_files_and_the_journals() {
        for name in names().filter(|name| *name != "openclaw") {
            let order = profile(name).order;
            let place = |kind: BlockKind| order.iter().position(|block| *block == kind);
            assert!(place(BlockKind::Journals) < place(BlockKind::Facts), "{name}");
        }
        let text = PROFILES[0].1.replace("order = [\"soul\", ", "order = [\"facts\", \"soul\", ");
        let refused = parse(&text).expect_err("refused");
        assert!(matches!(refused, ProfileError::Order("soul")), "{refused}");
    }

    /// Proves X37, R74, X38, C13.
    #[test]
    fn agents_write_their_notes_and_ask_for_what_they_are() {
        use FileClass::{Agents, Identity, Journals, Memory, Soul, Tools, Topics, User};
        for name in names() {
            let rule = |ward: FileClass| profile(name).write[&ward];
            let self_rule = if name == "mindroom" { WriteMode::HumanOnly } else { WriteMode::Approve };
            assert!(
                [Soul, Agents, Identity, Tools].into_iter().all(|ward| rule(ward) == self_rule),
                "{name}"
            );
            assert_eq!(rule(User), WriteMode::Approve, "{name}");
            let notes = if name == "carapace" { WriteMode::Approve } else { WriteMode::Direct };
            assert!([Memory, Topics].into_iter().all(|ward| rule(ward) == notes), "{name}");
            assert_eq!(rule(Journals), WriteMode::Direct, "{name}");
        }
    }

    /// Proves W75, X19, X20, X59.
    #[test]
    fn daily_logs_are_kept_as_each_system_keeps_them() {
        let kept = |name: &str| {
            let profile = profile(name);
            let cadence = profile.journal_cadence.to_string();
            (profile.journal, profile.journal_layout.word(), cadence, profile.journal_retention_days)
        };
        assert_eq!(kept("personal"), (true, "per_session", "on_session_end".into(), 0));
        assert_eq!(kept("minara"), (false, "per_session", "every_n_turns(5)".into(), 0));
        assert_eq!(kept("nexo"), (true, "notes", "on_session_end".into(), 0));
        assert_eq!(kept("mindroom"), (true, "per_room", "every_turn".into(), 30));
        assert_eq!(kept("carapace"), (false, "daily", "agent_proposed".into(), 0));
        let beats: Vec<&str> = names().filter(|name| profile(name).heartbeat).collect();
        assert_eq!(beats, ["personal", "minara", "nexo", "carapace"], "OpenClaw reads a filled one as work");
    }

    #[test]
    fn a_difference_names_what_differs_and_nothing_else() {
        assert_eq!(difference(&profile("nexo"), &profile("nexo")), []);
        let differs = difference(&profile("personal"), &profile("minara"));
        let keys: Vec<&str> = differs.iter().map(|(key, _, _)| *key).collect();
        assert_eq!(keys, ["name", "about", "order", "journal", "journal_cadence", "domain"]);
    }
}
