//! The table of settings: name, type and limits, environment names, effect.
//!
//! `inwit config list`, the parser of both config files, the environment and `docs/reference/settings.md` use this
//! table. Defaults are not here: `Settings::unsaid` in `resolve` gives them, from a constant or the profile.

use std::collections::BTreeMap;

use inwit_gate::Rule;
use inwit_home::idle::QuietHours;
use inwit_home::llm::Allow;
use inwit_home::llm::price::Price;
use inwit_home::provider::Provider;
use inwit_llm::Api;
use inwit_llm::provider::NAMES as LLM_PROVIDERS;
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
    /// US dollars per million tokens, a decimal number.
    Price,
    /// Hours of each day, such as `22:00-07:30`, or `off`.
    Hours,
    /// Engines of dreaming, with blanks or commas between, or `off`.
    Engines,
}

/// Which files may have a setting: an agent's file may only set what concerns that agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// The user's config file, the environment and flags.
    User,
    /// Those, and an agent's own `agent.toml`.
    Agent,
}

/// Settings that a caller over the network may change: sizes, counts and times. Every other one decides where files are,
/// what the gate requires, what is kept, which providers are used or what a prompt says, and is changed on the machine.
const REMOTE: &[&str] = &[
    "timezone", "load.max_file_chars", "load.max_user_chars", "load.max_total_chars", "load.oversize",
    "load.tools_md", "load.token_budget", "load.max_recalled_chars", "load.identity", "daily.load_days",
    "search.limit", "journal.cadence", "heartbeat.enabled", "recall.prompt_words",
    "recall.prompt_deadline_ms", "dream.interval_hours", "dream.min_recalls", "dream.min_questions",
    "dream.min_days", "dream.min_score_percent", "dream.max_promotions", "upkeep.idle_seconds",
    "upkeep.quiet_hours",
];

impl Setting {
    /// Whether a caller over the network may change it, with the right to do so.
    pub fn is_remote(&self) -> bool {
        REMOTE.contains(&self.key)
    }
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
        "Folder of agents and their indexes. Default: the XDG data folder + /inwit.";
    "agent", AgentId, User;
        "Agent to use when a command names none.";
    "workspace", Folder, Agent,
        "INWIT_WORKSPACE_DIR" "MINARA_WORKSPACE_DIR" "OPENCLAW_WORKSPACE_DIR" "CARAPACE_DATA_DIR";
        "Folder of Markdown files, used in place.";
    "profile", ProfileName, Agent;
        "Profile: which files are read, in which order, with which limits.";
    "timezone", Zone, Agent;
        "Time zone of the days that name the daily logs (IANA, such as Europe/Madrid).";
    "load.max_file_chars", Count(100, 10_000_000), Agent;
        "Maximum number of characters of one file in a prompt.";
    "load.max_user_chars", Count(100, 10_000_000), Agent;
        "Maximum number of characters of USER.md in a prompt.";
    "load.max_total_chars", Count(100, 100_000_000), Agent;
        "Maximum number of characters of all files together in a prompt.";
    "load.oversize", Word(Oversize::WORDS), Agent;
        "What happens to a file over its budget: keep its head with a marker, or leave it out. Both are reported.";
    "load.tools_md", Flag, Agent;
        "Whether TOOLS.md is in the private prompt.";
    "load.token_budget", Count(0, 10_000_000), Agent;
        "Target number of tokens of a prompt, 0 for none. Exceeding it is reported; nothing is cut.";
    "load.recalled", Word(Recalling::WORDS), Agent;
        "How `inwit prompt --question` recalls passages. `words`: by words, and by meaning too if a model is available. `meaning`: only if a model is available.";
    "load.max_recalled_chars", Count(400, 1_000_000), Agent;
        "Maximum number of characters of the recalled passages in a prompt, including the lines around them.";
    "load.identity", Word(IdentityForm::WORDS), Agent;
        "How IDENTITY.md is shown: as written, or as one line.";
    "daily.load_days", Count(0, 365), Agent;
        "Number of days of daily logs in a prompt, including today.";
    "memory.inject", Word(Inject::WORDS), Agent;
        "Whether memory is in the system prompt (`system_snapshot`) or before the user's message (`user_prefix`).";
    "snapshot.mode", Word(Snapshot::WORDS), Agent;
        "Whether a session keeps its first prompt prefix (`frozen`) or builds it again each turn (`live`).";
    "write.max_file_bytes", Count(1_024, inwit_model::limit::FILE_READ_BYTES_MAX), Agent;
        "Maximum size of a file that is written or loaded into a prompt, in bytes.";
    "workspace_in_prompt", Flag, Agent, "MEMORY_WORKSPACE_ENABLED";
        "Whether the files are in the prompt. If not, the prompt contains only the host's text.";
    "host.role", Text(HOST_TEXT_CHARS_MAX), Agent;
        "Persona of the agent while its workspace has no SOUL.md.";
    "host.instructions", Text(HOST_TEXT_CHARS_MAX), Agent;
        "Instructions of the agent while its workspace has no AGENTS.md, or after it.";
    "host.agents_md", Word(AgentsMd::WORDS), Agent;
        "Whether AGENTS.md replaces host.instructions or comes before it.";
    "host.system_prompt", Text(HOST_TEXT_CHARS_MAX), Agent;
        "Text at the end of the prompt, marked as lower in priority than the files.";
    "search.text_files", Flag, Agent;
        "Read .mdx, .txt and .org files as Markdown, in addition to .md and .markdown.";
    "search.limit", Count(1, 1_000), Agent;
        "Maximum number of search results.";
    "write.policy", Policy, Agent;
        "Stricter write policies for agents, such as `memory=approve soul=human_only`. This setting cannot loosen a policy.";
    "write.rules", Rules, Agent;
        "Your own rules for writes of agents, one per line. `after-web = web in memory => block` blocks text from web pages in the category `memory`.";
    "write.approval", Flag, Agent;
        "Whether a person must approve each write of an agent to MEMORY.md, CORE.md, topics, rooms and notes.";
    "journal.enabled", Flag, Agent, "WORKSPACE_DAILY_LOG_ENABLED";
        "Whether turns are written into a daily log.";
    "journal.layout", Word(Layout::WORDS), Agent;
        "File name of a daily log. A room's log is always below memory/rooms.";
    "journal.cadence", Cadence, Agent, "WORKSPACE_DAILY_LOG_INTERVAL";
        "When turns are written into the daily log. A number N is short for `every_n_turns(N)`.";
    "journal.retention_days", Count(0, 36_500), Agent, "DAILY_LOG_RETENTION_DAYS";
        "Number of days after which a daily log leaves the workspace, 0 for never. The history keeps it. A log that a person edited, or that is in quarantine, stays.";
    "heartbeat.enabled", Flag, Agent, "WORKSPACE_HEARTBEAT_ENABLED";
        "Whether HEARTBEAT.md is rewritten at the end of a turn. Its schedule is never changed.";
    "facts.domain", Word(Domain::WORDS), Agent;
        "Main domain of the facts, which decides what is extracted from them: people and pages, or traded assets.";
    "facts.retention_days", Count(1, 36_500), Agent,
        "FIN_PROFILE_MEMORY_SOFT_DELETE_RETENTION_DAYS" "MEMORY_SOFT_DELETE_RETENTION_DAYS";
        "Number of days for which a forgotten fact can be restored. After that it is erased. A lower value erases older ones at the next write.";
    "history.location", Word(HistoryPlace::WORDS), Agent;
        "Location of the git history: beside the workspace, in a workspace that inwit created, or off.";
    "transcripts.enabled", Flag, Agent;
        "Whether sessions are recorded as transcripts, one JSON Lines file each.";
    "transcripts.redaction", Flag, Agent;
        "Whether secrets, home folders and long tokens are redacted from an entry before it is written.";
    "transcripts.extra_patterns", Patterns, Agent;
        "Additional redaction patterns, one label=expression per line.";
    "recall.record", Flag, Agent;
        "Whether searches are recorded, so that dreams can rank passages. Queries are stored only as hashes.";
    "recall.prompt_words", Count(1, 20), Agent;
        "Minimum number of words of the prompt that a line of the notes must contain for a hook to show it. 1 shows more lines, 3 or 4 fewer.";
    "recall.prompt_deadline_ms", Count(10, 20_000), Agent;
        "Maximum time a prompt waits for a hook's recall, in milliseconds. After that the hook adds nothing.";
    "recall.reranker", Folder, User;
        "Folder of a reranker, a model that reads the query together with each of the first 30 results and orders them. If unset, the order of the search is kept.";
    "embedding.provider", Word(Provider::WORDS), User, "EMBEDDING_PROVIDER";
        "Embedding provider. `local`: the model in embedding.folder. `auto`: the same, if it is installed. `http`: a provider at embedding.url with OpenAI's API. `openai`: OpenAI, by default at its own address. `ollama`: a provider with Ollama's API. `disabled`: none.";
    "embedding.url", Text(2_048), User, "EMBEDDING_URL";
        "Address of an HTTP provider, such as http://localhost:11434. Passages and queries are sent there.";
    "embedding.model", Text(160), User, "EMBEDDING_MODEL";
        "Name of the model at that provider. Default: text-embedding-3-small for `openai`.";
    "embedding.dimension", Count(1, 16_384), User, "EMBEDDING_DIMENSION";
        "Number of dimensions of that model's vectors. If unset, each command that needs it asks the provider.";
    "embedding.key_env", Text(128), User;
        "Environment variable with the key of that provider. Default: EMBEDDING_API_KEY, for `openai` OPENAI_API_KEY.";
    "embedding.plain_http", Flag, User;
        "Whether plain http may leave this machine, for a provider in your own network.";
    "embedding.question_wait_ms", Count(50, 60_000), User;
        "Maximum time a query waits for its vector from an HTTP provider, in milliseconds. After that search uses words only, and for 30 seconds no further query waits.";
    "embedding.scan", Word(&["exact", "signs"]), User;
        "How inwit scans 300,000 or more passage vectors: `exact` scans all of them; `signs` is three times as fast and may miss some close ones. Smaller sets are always scanned exactly.";
    "embedding.folder", Folder, User;
        "Folder of the local model. Default: models/all-MiniLM-L6-v2 in the home.";
    "facts.consolidation", Word(Consolidation::WORDS), Agent;
        "What happens to new facts from agents when a session ends: `on` retires duplicates and facts that a judge model finds outdated; `shadow` only logs the decisions; `off` lets the facts wait.";
    "judge.enabled", Flag, Agent, "MEMORY_CONSOLIDATION_ENABLED";
        "Whether a configured judge model decides contradictions of facts.";
    "judge.guidance", Text(GUIDANCE_CHARS_MAX), Agent, "MEMORY_CONSOLIDATION_GUIDANCE";
        "Extra guidance for the judge model. It overrides no rule of inwit.";
    "judge.provider", Word(&["disabled", "http", "llm"]), User;
        "Judge model for contradictions: a language model at judge.url with OpenAI's API (`http`), the model in `llm.provider` (`llm`), or none (`disabled`). The compared facts are sent there.";
    "judge.url", Text(2_048), User;
        "Address of that provider, such as http://localhost:11434/v1.";
    "judge.model", Text(160), User;
        "Name of the model at that provider. Default for `llm`: llm.model.";
    "judge.key_env", Text(128), User;
        "Environment variable with the key of that provider. Default: JUDGE_API_KEY.";
    "judge.plain_http", Flag, User;
        "Whether plain http may leave this machine, for a judge model in your own network.";
    "llm.provider", Word(LLM_PROVIDERS), User;
        "Provider of the language model, or `disabled`. `inwit llm list` shows their addresses and keys, `inwit llm tasks` what is sent there.";
    "llm.url", Text(2_048), User;
        "Address of the provider, to which the path of its API is added. Default: the address that `inwit llm list` shows.";
    "llm.model", Text(160), User;
        "Name of the model at that provider.";
    "llm.api", Word(Api::WORDS), User;
        "API that the provider speaks. Default: the API that `inwit llm list` shows.";
    "llm.key_env", Text(128), User;
        "Environment variable with the key, or with `_FILE` at its end the path of a file with the key. Default: the variables that `inwit llm list` shows.";
    "llm.key_command", Text(2_048), User;
        "Shell command whose first line of output is the key, instead of a variable.";
    "llm.plain_http", Flag, User;
        "Whether plain http may leave this machine, for a language model in your own network.";
    "llm.allow", Word(Allow::WORDS), User;
        "What may be sent to a provider on another machine: `nothing`, texts that rooms see (`shared`), or private notes too (`all`). A provider on this machine gets what a task needs.";
    "llm.usd_per_day_max", Price, User;
        "Maximum cost of all calls of a day (UTC), in US dollars. Then no call is made. It needs the prices of all tokens.";
    "llm.input_usd_per_million", Price, User;
        "Price of a million tokens of questions, in US dollars. A cost is unknown if a price of its tokens is not set.";
    "llm.cache_read_usd_per_million", Price, User;
        "Price of a million tokens that the provider reads from its cache, in US dollars.";
    "llm.cache_write_usd_per_million", Price, User;
        "Price of a million tokens that the provider writes to its cache, in US dollars.";
    "llm.output_usd_per_million", Price, User;
        "Price of a million tokens of answers, in US dollars.";
    "llm.timeout_seconds", Count(1, 3_600), User;
        "Maximum duration of one call, in seconds. Default: 300 for chat, 90 of them without a byte, 600 for a review, 20 for the judge, and the duration of the pass for a dream. The limits of a whole pass stay.";
    "llm.context_tokens", Count(2_048, 10_000_000), User;
        "Context size of the model, in tokens. A conversation sends fewer earlier turns and a dream fewer bytes, so that a question and its answer fit. Default: unset, no limit beside those of each task.";
    "dream.engines", Engines, Agent, "WORKSPACE_DREAM_ENABLED";
        "Dream engines that run automatically when a pass is due, at the end of a session or while a process is idle: `recall` needs no model, `logs` needs one. `inwit dream` runs a pass at any time.";
    "dream.interval_hours", Count(1, 8_760), Agent, "WORKSPACE_DREAM_INTERVAL_HOURS";
        "Minimum time between two automatic passes, in hours.";
    "dream.min_recalls", Count(1, 1_000), Agent;
        "Minimum number of recalls before a dream promotes a passage.";
    "dream.min_questions", Count(1, 1_000), Agent;
        "Minimum number of different queries that recalled the passage.";
    "dream.min_days", Count(1, 1_000), Agent;
        "Minimum number of different days on which it was recalled.";
    "dream.min_score_percent", Count(0, 100), Agent;
        "Minimum score for a promotion, in hundredths.";
    "dream.max_promotions", Count(1, 1_000), Agent;
        "Maximum number of promotions in one pass.";
    "dream.total_input_bytes", Count(1_024, 16_777_216), Agent, "WORKSPACE_DREAM_TOTAL_INPUT_BYTES";
        "Maximum number of bytes of daily logs that the engine `logs` sends in one call. The newest logs come first; a later pass reads the others.";
    "dream.max_file_bytes", Count(1_024, 16_777_216), Agent, "WORKSPACE_DREAM_MAX_FILE_BYTES";
        "Maximum number of bytes of one daily log, and of MEMORY.md, that the engine `logs` sends in one call. The end of a log comes first; later passes read the rest.";
    "dream.window_days", Count(1, 3_650), Agent, "WORKSPACE_DREAM_WINDOW_DAYS";
        "Maximum age of a daily log that the engine `logs` reads, in days.";
    "dream.timeout_minutes", Count(1, 1_440), Agent;
        "Maximum duration of a pass of the engine `logs`, in minutes. A pass of `recall` has 30.";
    "dream.lock_ttl_ms", Count(60_000, 86_400_000), Agent, "WORKSPACE_DREAM_LOCK_TTL_MS";
        "Age at which the dream lock of another system counts as stale, in milliseconds. inwit's own locks are checked with the kernel.";
    "upkeep.idle_seconds", Count(1, 86_400), Agent;
        "Seconds without a call or a message after which `inwit mcp --main` and `inwit chat` run due work: dreams, comparison of facts, removal of facts that were forgotten long ago, copies.";
    "upkeep.quiet_hours", Hours, Agent;
        "Hours in which they start none, in the agent's time zone.";
    "review.facts", Flag, Agent, "MINARA_PERSONALIZATION_REBUILD";
        "Whether a language model notes facts about the user when a session ends or is idle. Those from turns with text of others wait in the inbox. `MINARA_PERSONALIZATION_REBUILD=disabled` turns it off; other values of that name change nothing.";
    "review.summary", Flag, Agent;
        "Whether a language model adds a summary of a session to its daily log.";
    "review.open_loops", Flag, Agent;
        "Whether a language model adds what a session left open to HEARTBEAT.md.";
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
                "pairs such as `memory=approve` of a category ({}) and a mode ({})",
                FileClass::WORDS.join(", "),
                WriteMode::WORDS.join(", ")
            ),
            Kind::Patterns => "a line label=expression for each pattern".into(),
            Kind::Engines => format!("off, or some of {}", DreamEngine::WORDS.join(", ")),
            Kind::Hours => "off, or two times such as 22:00-07:30".into(),
            Kind::Price => "US dollars, such as 3 or 0.075".into(),
            Kind::Rules => "one rule per line: `name = flag in category => ask` or `… => block`".into(),
        }
    }

    /// Whether a file writes it in the right type: numbers bare, words in quotes. A number or a flag in
    /// quotes is understood as well.
    pub fn is_of_type(&self, value: &toml::Value) -> bool {
        match value {
            toml::Value::String(_) => true,
            toml::Value::Integer(_) => matches!(self.kind, Kind::Count(..) | Kind::Cadence | Kind::Price),
            toml::Value::Float(_) => self.kind == Kind::Price,
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
            Kind::Hours => text == "off" || QuietHours::parse(text).is_some(),
            Kind::Price => Price::parse(text).is_some(),
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
