//! Every setting: its name, its kind and limits, the environment names that set it, what it does.
//!
//! `inwit config list`, the parser of both config files, the environment and
//! `docs/reference/settings.md` are read from this table. No default stands here: `Settings::unsaid` in `resolve` gives it,
//! from a constant or from the profile.

use std::collections::BTreeMap;

use inwit_gate::Rule;
use inwit_home::provider::Provider;
use inwit_model::consolidation::GUIDANCE_CHARS_MAX;
use inwit_model::profile::{IdentityForm, Inject, Oversize, Recalling, Snapshot};
use inwit_model::{
    AgentsMd, Cadence, Consolidation, Domain, DreamEngine, FileClass, HistoryPlace, Layout, WriteMode,
};
use inwit_workspace::transcripts::Redaction;

use super::weights::ROWS;

/// What a value may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A folder, absolute or with a leading `~`.
    Folder,
    /// An agent's id.
    AgentId,
    /// The name of a profile.
    ProfileName,
    /// An IANA time zone.
    Zone,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A whole number from … to ….
    Count(u64, u64),
    /// `true` or `false`.
    Flag,
    /// Any text, at most this many characters.
    Text(usize),
    /// When turns go into a daily log.
    Cadence,
    /// Rules of writing, as `ward=rule` with blanks between.
    Policy,
    /// A line `label=expression` for each pattern.
    Patterns,
    /// A rule a line (X40).
    Rules,
    /// Engines of dreaming, with blanks or commas between, or `off`.
    Engines,
}

/// Which files may hold a setting: whoever writes a file may only choose what lies below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// The user's config file, the environment and flags.
    User,
    /// Those, and an agent's own `agent.toml`.
    Agent,
}

/// One row.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// Its name, as in the config files with `.` between table and key.
    pub key: &'static str,
    /// What it may be.
    pub kind: Kind,
    /// Which files may hold it.
    pub reach: Reach,
    /// Environment names of other systems that mean the same, after `INWIT_…`.
    pub aliases: &'static [&'static str],
    /// What it does, with its unit.
    pub about: &'static str,
}

/// Aliases so general that other programs read them too, each with the profile under which it counts: under another
/// one, notes would go to an address that was meant for that program's texts.
pub const NAMES_OF_PROFILE: &[(&str, &str)] = &[
    ("EMBEDDING_PROVIDER", "minara"),
    ("EMBEDDING_URL", "minara"),
    ("EMBEDDING_MODEL", "minara"),
    ("EMBEDDING_DIMENSION", "minara"),
];

/// Longest text of a host, in characters.
const HOST_TEXT_CHARS_MAX: usize = 20_000;

/// The settings.
pub const SETTINGS: &[Setting] = &ALL;

const ALL: [Setting; OWN.len() + ROWS.len()] = all();

const fn all() -> [Setting; OWN.len() + ROWS.len()] {
    let mut all = [OWN[0]; OWN.len() + ROWS.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = if at < OWN.len() { OWN[at] } else { ROWS[at - OWN.len()] };
        at += 1;
    }
    all
}

macro_rules! settings {
    ($($key:literal, $kind:ident$(($($of:expr),*))?, $reach:ident$(, $($alias:literal)*)?; $about:literal;)*) => {
        &[$(Setting {
            key: $key,
            kind: Kind::$kind$(($($of),*))?,
            reach: Reach::$reach,
            aliases: &[$($($alias),*)?],
            about: $about,
        }),*]
    };
}

/// Key, kind, who may say it, aliases; what it does.
const OWN: &[Setting] = settings! {
    "home", Folder, User, "MINARA_DATA_DIR";
        "Where agents and their indexes live. Default: the XDG data folder + /inwit.";
    "agent", AgentId, User;
        "The agent to use when a command names none.";
    "workspace", Folder, Agent,
        "INWIT_WORKSPACE_DIR" "MINARA_WORKSPACE_DIR" "OPENCLAW_WORKSPACE_DIR" "CARAPACE_DATA_DIR";
        "The folder of Markdown; used as it is.";
    "profile", ProfileName, Agent;
        "How the home behaves: which files, in which order, with which limits.";
    "timezone", Zone, Agent;
        "The zone whose days name the daily logs (IANA, such as Europe/Madrid).";
    "load.max_file_chars", Count(100, 10_000_000), Agent;
        "Most characters of one file in a prompt.";
    "load.max_user_chars", Count(100, 10_000_000), Agent;
        "Most characters of USER.md in a prompt.";
    "load.max_total_chars", Count(100, 100_000_000), Agent;
        "Most characters of all files together in a prompt.";
    "load.oversize", Word(Oversize::WORDS), Agent;
        "What happens to a file over its budget: its head is kept with a marker, or it is left out. Both are reported.";
    "load.tools_md", Flag, Agent;
        "Whether TOOLS.md is in the private prompt.";
    "load.token_budget", Count(0, 10_000_000), Agent;
        "Tokens a prompt should stay below, 0 for none; reported, never a reason to cut.";
    "load.recalled", Word(Recalling::WORDS), Agent;
        "By what passages are recalled for the question of `inwit prompt --question`: words, and meaning where a model is there (`words`), or nothing unless a model is there (`meaning`).";
    "load.max_recalled_chars", Count(400, 1_000_000), Agent;
        "Most characters of those passages in a prompt, the lines around them included.";
    "load.identity", Word(IdentityForm::WORDS), Agent;
        "How IDENTITY.md is shown: as written, or as one line.";
    "daily.load_days", Count(0, 365), Agent;
        "Days of daily logs in a prompt, today included.";
    "memory.inject", Word(Inject::WORDS), Agent;
        "Whether memory goes into the system prompt or before the user's message.";
    "snapshot.mode", Word(Snapshot::WORDS), Agent;
        "Whether a session keeps its first prefix or reads it anew each turn.";
    "write.max_file_bytes", Count(1_024, inwit_model::limit::FILE_READ_BYTES_MAX), Agent;
        "Largest file that is written or loaded into a prompt, in bytes.";
    "workspace_in_prompt", Flag, Agent, "MEMORY_WORKSPACE_ENABLED";
        "Whether the files are in the prompt at all; without them it is the host's words alone.";
    "host.role", Text(HOST_TEXT_CHARS_MAX), Agent;
        "Who the agent is while its workspace has no SOUL.md.";
    "host.instructions", Text(HOST_TEXT_CHARS_MAX), Agent;
        "How the agent works while its workspace has no AGENTS.md, or behind it.";
    "host.agents_md", Word(AgentsMd::WORDS), Agent;
        "Whether AGENTS.md takes the place of host.instructions or stands before them.";
    "host.system_prompt", Text(HOST_TEXT_CHARS_MAX), Agent;
        "What comes at the end of the prompt, marked as weaker than the files.";
    "search.text_files", Flag, Agent;
        "Read .mdx, .txt and .org files as Markdown, beside .md and .markdown.";
    "search.limit", Count(1, 1_000), Agent;
        "Most results of a search.";
    "write.policy", Policy, Agent;
        "Tightens what an agent's write needs, such as `memory=approve soul=human_only`; it never widens.";
    "write.rules", Rules, Agent;
        "Rules of your own for what agents write, one a line: `after-web = web in memory => block`.";
    "write.approval", Flag, Agent;
        "Whether a person approves everything an agent keeps (MEMORY.md, CORE.md, topics, rooms, notes).";
    "journal.enabled", Flag, Agent, "WORKSPACE_DAILY_LOG_ENABLED";
        "Whether turns go into a daily log.";
    "journal.layout", Word(Layout::WORDS), Agent;
        "Which file a daily log is. A room's always lies below memory/rooms.";
    "journal.cadence", Cadence, Agent, "WORKSPACE_DAILY_LOG_INTERVAL";
        "When turns go into the daily log; a bare number means every so many turns.";
    "journal.retention_days", Count(0, 36_500), Agent, "DAILY_LOG_RETENTION_DAYS";
        "Days after which a daily log leaves the workspace, 0 for never; history keeps it. A log that a person wrote in, or that is in quarantine, stays.";
    "heartbeat.enabled", Flag, Agent, "WORKSPACE_HEARTBEAT_ENABLED";
        "Whether HEARTBEAT.md is rewritten at the end of a turn. Its schedule is never touched.";
    "facts.domain", Word(Domain::WORDS), Agent;
        "What facts are mostly about, so what is looked for in them: people and pages, or what is traded.";
    "facts.retention_days", Count(1, 36_500), Agent,
        "FIN_PROFILE_MEMORY_SOFT_DELETE_RETENTION_DAYS" "MEMORY_SOFT_DELETE_RETENTION_DAYS";
        "Days for which a forgotten fact can be restored; after that it is removed for good. A lower value removes older ones at the next write.";
    "history.location", Word(HistoryPlace::WORDS), Agent;
        "Where the git history lies: beside the workspace, in one that inwit made, or not at all.";
    "transcripts.enabled", Flag, Agent;
        "Whether sessions are written down, a file of JSON lines each.";
    "transcripts.redaction", Flag, Agent;
        "Whether secrets, home folders and long tokens are taken out of an entry before it is written down.";
    "transcripts.extra_patterns", Patterns, Agent;
        "What else redaction takes out: a line label=expression for each pattern.";
    "recall.record", Flag, Agent;
        "Whether searches are noted, so that dreams can tell what matters; questions are kept as hashes only.";
    "recall.prompt_words", Count(1, 20), Agent;
        "How many words of a prompt must stand together in one line of the notes for a hook to show it: 1 shows more, 3 or 4 shows less.";
    "recall.prompt_deadline_ms", Count(10, 20_000), Agent;
        "How long a prompt waits for what a hook recalls, in milliseconds; after that nothing is said.";
    "embedding.provider", Word(Provider::WORDS), User, "EMBEDDING_PROVIDER";
        "Who makes vectors of passages and questions: the model in embedding.folder (`local`), that one where it is installed (`auto`), a provider at embedding.url in OpenAI's form (`http`), OpenAI itself where no other address is said (`openai`), one in Ollama's form (`ollama`), or nobody (`disabled`).";
    "embedding.url", Text(2_048), User, "EMBEDDING_URL";
        "The address of a provider over HTTP, such as http://localhost:11434; passages and questions are sent there.";
    "embedding.model", Text(160), User, "EMBEDDING_MODEL";
        "The model of that provider, as it calls it; unsaid, text-embedding-3-small of `openai`.";
    "embedding.dimension", Count(1, 16_384), User, "EMBEDDING_DIMENSION";
        "Numbers in a vector of that model; unsaid, each command that needs it asks the provider.";
    "embedding.key_env", Text(128), User;
        "The environment variable that holds the key of that provider; unsaid, EMBEDDING_API_KEY, of `openai` OPENAI_API_KEY.";
    "embedding.plain_http", Flag, User;
        "Whether plain http may leave this machine, for a provider in a network of your own.";
    "embedding.question_wait_ms", Count(50, 60_000), User;
        "How long a question waits for its vector from a provider over HTTP, in milliseconds; words answer then, and for 30 seconds no further question waits.";
    "embedding.scan", Word(&["exact", "signs"]), User;
        "How the vectors of 300,000 passages and more are scanned: `exact` looks at each of them, `signs` is three times as fast and may miss some that are near. Fewer are always scanned exactly.";
    "embedding.folder", Folder, User;
        "The folder of the local model; without it models/all-MiniLM-L6-v2 of the home.";
    "facts.consolidation", Word(Consolidation::WORDS), Agent;
        "What becomes of facts that agents recorded when a session ends: `on` retires duplicates and what a judge finds outdated, `shadow` decides and logs and does nothing, `off` lets them wait.";
    "judge.enabled", Flag, Agent, "MEMORY_CONSOLIDATION_ENABLED";
        "Whether a judge that is configured is asked about contradictions of facts.";
    "judge.guidance", Text(GUIDANCE_CHARS_MAX), Agent, "MEMORY_CONSOLIDATION_GUIDANCE";
        "What a judge should mind; it overrides no rule of inwit.";
    "judge.provider", Word(&["disabled", "http"]), User;
        "Who judges contradictions: a language model at judge.url in OpenAI's form (`http`), or nobody (`disabled`). The facts in question are sent there.";
    "judge.url", Text(2_048), User;
        "The address of that provider, such as http://localhost:11434/v1.";
    "judge.model", Text(160), User;
        "The model of that provider, as it calls it.";
    "judge.key_env", Text(128), User;
        "The environment variable that holds the key of that provider; unsaid, JUDGE_API_KEY.";
    "judge.plain_http", Flag, User;
        "Whether plain http may leave this machine, for a judge in a network of your own.";
    "dream.engines", Engines, Agent, "WORKSPACE_DREAM_ENABLED";
        "Who dreams by itself when a session ends and a pass is due: `recall` needs no model, `logs` does. `inwit dream` runs a pass at any time.";
    "dream.interval_hours", Count(1, 8_760), Agent, "WORKSPACE_DREAM_INTERVAL_HOURS";
        "Shortest time from one pass to the next that begins by itself, in hours.";
    "dream.min_recalls", Count(1, 1_000), Agent;
        "How often a passage must have been recalled before a dream promotes it.";
    "dream.min_questions", Count(1, 1_000), Agent;
        "By how many different questions.";
    "dream.min_days", Count(1, 1_000), Agent;
        "On how many different days.";
    "dream.min_score_percent", Count(0, 100), Agent;
        "The lowest score that is promoted, in hundredths.";
    "dream.max_promotions", Count(1, 1_000), Agent;
        "Most promotions of one pass.";
    "dream.total_input_bytes", Count(1_024, 16_777_216), Agent, "WORKSPACE_DREAM_TOTAL_INPUT_BYTES";
        "Most bytes of daily logs that the engine `logs` reads in one pass. That engine needs a language model; none is connected today.";
    "dream.lock_ttl_ms", Count(60_000, 86_400_000), Agent, "WORKSPACE_DREAM_LOCK_TTL_MS";
        "Age at which the dream lock of another system counts as left behind, in milliseconds. Ours are judged by the kernel.";
};

impl Setting {
    /// The row of `key`.
    pub fn named(key: &str) -> Option<&'static Self> {
        SETTINGS.iter().find(|row| row.key == key)
    }

    /// Its own environment name: `INWIT_` and the key, upper-case, `.` as `_`.
    pub fn env(&self) -> String {
        format!("INWIT_{}", self.key.to_uppercase().replace('.', "_"))
    }

    /// All environment names, ours first.
    pub fn env_names(&self) -> impl Iterator<Item = String> + '_ {
        std::iter::once(self.env()).chain(self.aliases.iter().map(|name| (*name).to_owned()))
    }

    /// The kind in words, for people.
    pub fn expects(&self) -> String {
        match self.kind {
            Kind::Folder => "an absolute folder".into(),
            Kind::AgentId => "an agent's id".into(),
            Kind::ProfileName => {
                format!("one of {}", inwit_workspace::profile::names().collect::<Vec<_>>().join(", "))
            }
            Kind::Zone => "an IANA time zone such as Europe/Madrid".into(),
            Kind::Word(words) => format!("one of {}", words.join(", ")),
            Kind::Count(least, most) => format!("a whole number from {least} to {most}"),
            Kind::Flag => "true or false".into(),
            Kind::Text(most) => format!("a text of at most {most} characters"),
            Kind::Cadence => {
                "one of every_n_turns(5), every_turn, on_session_end, agent_proposed, or a number of turns"
                    .into()
            }
            Kind::Policy => format!(
                "rules such as `memory=approve`: of {} each {}",
                FileClass::WORDS.join(", "),
                WriteMode::WORDS.join(" or ")
            ),
            Kind::Patterns => "a line label=expression for each pattern".into(),
            Kind::Engines => format!("off, or some of {}", DreamEngine::WORDS.join(", ")),
            Kind::Rules => "a line `name = flag in ward => ask` or `… => block` for each rule".into(),
        }
    }

    /// Whether a file writes it in the right type: numbers bare, words in quotes. A number or a flag in
    /// quotes is understood as well.
    pub fn is_of_type(&self, value: &toml::Value) -> bool {
        match value {
            toml::Value::String(_) => true,
            toml::Value::Integer(_) => matches!(self.kind, Kind::Count(..) | Kind::Cadence),
            toml::Value::Boolean(_) => self.kind == Kind::Flag,
            _ => false,
        }
    }

    /// Judges a written value. The error ends a sentence.
    pub fn judge(&self, text: &str) -> Result<(), String> {
        if self.kind == Kind::Patterns {
            // The text is not repeated: a pattern may hold what it is to hide.
            let read = Redaction::parse(None, text).map(|_| ());
            return read.map_err(|why| format!("`{}`: {why}", self.key));
        }
        if self.kind == Kind::Rules {
            return Rule::parse_all(text).map(|_| ()).map_err(|why| format!("`{}`: {why}", self.key));
        }
        let good = match self.kind {
            Kind::Folder => text.starts_with('/') || text == "~" || text.starts_with("~/"),
            Kind::AgentId => inwit_model::AgentId::parse(text).is_ok(),
            Kind::ProfileName => inwit_workspace::profile::named(text).is_some(),
            Kind::Zone => jiff::tz::TimeZone::get(text).is_ok(),
            Kind::Word(words) => words.contains(&text),
            Kind::Count(least, most) => text.parse().is_ok_and(|count: u64| (least..=most).contains(&count)),
            Kind::Flag => flag(text).is_some(),
            Kind::Cadence => Cadence::parse(text).is_some(),
            Kind::Policy => policy(text).is_some(),
            Kind::Engines => DreamEngine::parse_all(text).is_some(),
            Kind::Text(most) => text.chars().count() <= most,
            Kind::Patterns | Kind::Rules => true,
        };
        if good {
            Ok(())
        } else {
            Err(format!("`{}` takes {}, not `{}`", self.key, self.expects(), inwit_model::name::shown(text)))
        }
    }
}

/// Reads a flag; `1` and `0` are what the environment of other systems says (W66).
pub fn flag(text: &str) -> Option<bool> {
    match text {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}

/// Reads rules of writing: `ward=rule` with blanks or commas between.
pub fn policy(text: &str) -> Option<BTreeMap<FileClass, WriteMode>> {
    let rule = |word: &str| {
        let (ward, rule) = word.split_once('=')?;
        Some((FileClass::parse(ward)?, WriteMode::parse(rule)?))
    };
    text.split([' ', ',']).filter(|word| !word.is_empty()).map(rule).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_named_once_and_speaks_in_sentences() {
        for (at, row) in SETTINGS.iter().enumerate() {
            assert!(row.about.ends_with('.'), "{}", row.key);
            assert!(SETTINGS[at + 1..].iter().all(|other| other.key != row.key), "{}", row.key);
        }
    }

    #[test]
    fn a_value_of_another_kind_is_refused_with_what_is_expected() {
        let refused =
            |key: &str, text: &str| Setting::named(key).expect("a row").judge(text).expect_err("refused");
        assert_eq!(
            refused("search.limit", "0"),
            "`search.limit` takes a whole number from 1 to 1000, not `0`"
        );
        assert!(refused("timezone", "Mars/Olympus").contains("IANA"));
        assert!(refused("workspace", "relative/folder").contains("absolute"));
        assert!(refused("load.tools_md", "yes").ends_with("takes true or false, not `yes`"));
        assert!(Setting::named("workspace").expect("a row").judge("~/notes").is_ok());
        assert!(refused("write.policy", "memory=open").contains("memory=approve"));
        assert!(Setting::named("journal.enabled").expect("a row").judge("1").is_ok());
        let bad = refused("transcripts.extra_patterns", "ticket=hunter2[");
        assert!(bad.contains("pattern 1 (`ticket`)") && !bad.contains("hunter2"), "{bad}");
    }
}
