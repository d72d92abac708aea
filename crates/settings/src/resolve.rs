//! Resolves layers to the values of a command: home, agent, folder, profile.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use inwit_engine::Notice;
use inwit_engine::learning::dream::Gates;
use inwit_engine::learning::dream::logs::LogLimits;
use inwit_engine::learning::dreaming::{DREAM_INTERVAL_HOURS, DreamSchedule};
use inwit_engine::learning::review::Wanted;
use inwit_engine::sessions::hook::Threshold;
use inwit_home::config::{DreamLogsConfig, ReviewConfig};
use inwit_home::idle::{IDLE_SECONDS_DEFAULT, IdleConfig, QuietHours};
use inwit_home::llm::Allow;
use inwit_home::provider::Provider;
use inwit_home::{Engine, HomePaths};
use inwit_llm::provider::NAMES as LLM_PROVIDERS;
use inwit_model::profile::{BlockKind, IdentityForm, Inject, Oversize, Recalling, Snapshot};
use inwit_model::{
    AgentsMd, Cadence, Code, Consolidation, Domain, DreamEngine, FileClass, Hint, HistoryPlace, Layout,
    Profile, WriteMode,
};
use inwit_outbound::QUESTION_WAIT_MS_DEFAULT;
use inwit_workspace::limit::DREAM_LOCK_TTL_MS;
use inwit_workspace::transcripts::{Redaction, Redactor};
use jiff::SignedDuration;
use jiff::tz::TimeZone;

use super::layers::{Layers, Origin, Value};
use super::table::{Reach, SETTINGS, Setting, flag, policy};
use super::weights;
use inwit_home::HomeError;

/// Results of a search when nothing says otherwise.
pub(super) const SEARCH_LIMIT_DEFAULT: usize = 10;

/// Default time for one call of the dream engine `logs`, in minutes (N29).
const DREAM_TIMEOUT_MINUTES: u64 = 30;

/// Default number of content words of a prompt that one line must have.
const PROMPT_WORDS_DEFAULT: usize = 2;

/// How long a prompt waits for a hook when nothing says otherwise, in milliseconds. An index that has to be
/// built takes longer, and is built when the agent has answered.
const PROMPT_DEADLINE_MS_DEFAULT: u64 = 300;

/// Where programs keep data below the user's folder when nothing says otherwise.
const DATA_FOLDER: &str = ".local/share";

/// The variable that holds a provider's key when nothing says otherwise.
pub(super) const EMBEDDING_KEY_ENV_DEFAULT: &str = "EMBEDDING_API_KEY";

/// The variable that holds the key of a judge when nothing says otherwise.
pub(super) const JUDGE_KEY_ENV_DEFAULT: &str = "JUDGE_API_KEY";

/// The profile when nothing says otherwise.
pub const PROFILE_DEFAULT: &str = "personal";

/// All input from outside.
#[derive(Debug, Clone)]
pub struct Settings {
    /// What was said.
    pub layers: Layers,
    /// The folders of the user.
    pub paths: HomePaths,
    /// The agents that this process has open.
    pub engine: Arc<Engine>,
}

impl Settings {
    /// Reads the user's file, the environment and flags into `layers`, which are empty. `look` is the
    /// only way to the environment.
    pub fn read(
        mut layers: Layers,
        look: &dyn Fn(&str) -> Option<String>,
        flags: Vec<(&'static str, Value)>,
    ) -> Result<Self, HomeError> {
        let absolute = |name: &str| look(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let user_home = absolute("HOME");
        let xdg = |name: &str, below: &str| {
            let path = absolute(name).or_else(|| user_home.as_ref().map(|home| home.join(below)));
            path.map(|path| path.join("inwit")).ok_or_else(|| homeless(name))
        };
        let user_file = xdg("XDG_CONFIG_HOME", ".config")?.join("config.toml");
        layers.say_file(&user_file, &Origin::UserFile, Reach::User)?;
        layers.say_environment(look)?;
        for (key, value) in flags {
            if let Some(row) = Setting::named(key) {
                row.judge(&value.text).map_err(|why| HomeError::new(Code::SettingBad, format!("{why}.")))?;
                layers.say(row.key, value);
            }
        }
        layers.say_for_profile()?;
        let state = xdg("XDG_STATE_HOME", ".local/state")?;
        let data = xdg("XDG_DATA_HOME", DATA_FOLDER);
        // Where nothing is looked for below it, it is of use for `~` alone.
        let user_home = user_home.unwrap_or_else(|| PathBuf::from("/"));
        let root = match layers.text("home") {
            Some(text) => expanded(text, &user_home),
            None => data?,
        };
        let paths = HomePaths { root, state, user_home, user_file };
        Ok(Self { layers, paths, engine: Arc::default() })
    }

    /// Adds the file of the agent that was chosen.
    pub fn say_agent_file(&mut self, path: &Path) -> Result<(), HomeError> {
        self.layers.say_file(path, &Origin::AgentFile, Reach::Agent)?;
        self.layers.say_for_profile()
    }

    /// A folder setting, `~` expanded.
    pub fn folder(&self, key: &str) -> Option<PathBuf> {
        self.layers.text(key).map(|text| self.expanded(text))
    }

    /// A folder as a setting names it, `~` expanded.
    pub fn expanded(&self, text: &str) -> PathBuf {
        expanded(text, &self.paths.user_home)
    }

    /// Whether a command finds this home without a word in its environment but whose it is.
    pub fn finds_home_alone(&self) -> bool {
        match self.layers.get("home").map(|value| &value.origin) {
            Some(origin) => matches!(origin, Origin::UserFile(_)),
            None => self.paths.root == self.paths.user_home.join(DATA_FOLDER).join("inwit"),
        }
    }

    /// The zone that names days, and where it comes from: said, or the system's.
    pub fn zone(&self) -> (TimeZone, Origin) {
        let said = self
            .layers
            .get("timezone")
            .and_then(|value| Some((TimeZone::get(&value.text).ok()?, value.origin.clone())));
        let system = || TimeZone::try_system().unwrap_or(TimeZone::UTC);
        said.unwrap_or_else(|| (system(), Origin::Default))
    }

    /// The notice if the system's time zone is requested and unknown.
    pub fn zone_notice(&self) -> Option<Notice> {
        let is_unknown = self.layers.get("timezone").is_none() && TimeZone::try_system().is_err();
        is_unknown.then(|| {
            Notice::new(
                "timezone_unknown",
                "The system's time zone is unknown, so days are in UTC.",
                Hint::SetTimezone,
            )
        })
    }

    /// How near a line must be for a hook to show it with a prompt.
    pub fn prompt_threshold(&self) -> Threshold {
        Threshold { words: self.count("recall.prompt_words").unwrap_or(PROMPT_WORDS_DEFAULT) }
    }

    /// How long a prompt waits for a hook.
    pub fn prompt_deadline(&self) -> Duration {
        let said = self.count("recall.prompt_deadline_ms").and_then(|count| u64::try_from(count).ok());
        Duration::from_millis(said.unwrap_or(PROMPT_DEADLINE_MS_DEFAULT))
    }

    /// Whether sessions are written down.
    pub fn transcripts_enabled(&self) -> bool {
        self.layers.text("transcripts.enabled") != Some("false")
    }

    /// What is taken out of a transcript before it is written, `None` for nothing; `secrets` is the gate's
    /// table. Error: `setting_bad`.
    pub fn redaction(&self, secrets: Option<Redactor>) -> Result<Option<Redaction>, HomeError> {
        if self.layers.text("transcripts.redaction") != Some("true") {
            return Ok(None);
        }
        let own = self.layers.text("transcripts.extra_patterns").unwrap_or_default();
        let rules = Redaction::parse(secrets, own);
        rules
            .map(Some)
            .map_err(|why| HomeError::new(Code::SettingBad, format!("`transcripts.extra_patterns`: {why}.")))
    }

    pub(super) fn count(&self, key: &str) -> Option<usize> {
        self.layers.text(key)?.parse().ok()
    }

    /// The profile, with every value changed that a layer says.
    pub fn profile(&self) -> Profile {
        let said = self.layers.text("profile").and_then(inwit_workspace::profile::named);
        let mut profile = said
            .or_else(|| inwit_workspace::profile::named(PROFILE_DEFAULT))
            .unwrap_or_else(unreachable_profile);
        let text = |key: &str| self.layers.text(key);
        let set_count = |field: &mut usize, key: &str| set(field, self.count(key));
        set_count(&mut profile.max_file_chars, "load.max_file_chars");
        set_count(&mut profile.max_user_chars, "load.max_user_chars");
        set_count(&mut profile.max_total_chars, "load.max_total_chars");
        set_count(&mut profile.token_budget, "load.token_budget");
        set_count(&mut profile.max_recalled_chars, "load.max_recalled_chars");
        set(&mut profile.recalled, text("load.recalled").and_then(Recalling::parse));
        set(&mut profile.max_file_bytes, text("write.max_file_bytes").and_then(|text| text.parse().ok()));
        set(&mut profile.journal_days, text("daily.load_days").and_then(|text| text.parse().ok()));
        set(&mut profile.oversize, text("load.oversize").and_then(Oversize::parse));
        set(&mut profile.identity, text("load.identity").and_then(IdentityForm::parse));
        set(&mut profile.inject, text("memory.inject").and_then(Inject::parse));
        set(&mut profile.snapshot, text("snapshot.mode").and_then(Snapshot::parse));
        self.habits(&mut profile);
        match text("load.tools_md").and_then(flag) {
            Some(true) if !profile.order.contains(&BlockKind::Tools) => {
                let after_user =
                    profile.order.iter().position(|kind| *kind == BlockKind::User).map_or(0, |at| at + 1);
                profile.order.insert(after_user, BlockKind::Tools);
            }
            Some(false) => profile.order.retain(|kind| *kind != BlockKind::Tools),
            _ => {}
        }
        profile
    }

    /// How the agent keeps its daily logs, its heartbeat and its history.
    fn habits(&self, profile: &mut Profile) {
        let text = |key: &str| self.layers.text(key);
        set(&mut profile.journal, text("journal.enabled").and_then(flag));
        set(&mut profile.journal_layout, text("journal.layout").and_then(Layout::parse));
        set(&mut profile.journal_cadence, text("journal.cadence").and_then(Cadence::parse));
        set(
            &mut profile.journal_retention_days,
            text("journal.retention_days").and_then(|text| text.parse().ok()),
        );
        set(&mut profile.heartbeat, text("heartbeat.enabled").and_then(flag));
        set(&mut profile.domain, text("facts.domain").and_then(Domain::parse));
        set(
            &mut profile.facts_retention_days,
            text("facts.retention_days").and_then(|text| text.parse().ok()),
        );
        set(&mut profile.history, text("history.location").and_then(HistoryPlace::parse));
    }

    /// What the owner asks for beyond the profile's write policy.
    pub fn tighter(&self) -> BTreeMap<FileClass, WriteMode> {
        let mut rules = self.layers.text("write.policy").and_then(policy).unwrap_or_default();
        if self.layers.text("write.approval").and_then(flag) == Some(true) {
            for ward in
                [FileClass::Memory, FileClass::Core, FileClass::Topics, FileClass::Rooms, FileClass::Notes]
            {
                let rule = rules.entry(ward).or_insert(WriteMode::Approve);
                *rule = (*rule).max(WriteMode::Approve);
            }
        }
        rules
    }

    /// Age at which another system's dream lock counts as left behind.
    pub fn dream_lock_ttl(&self) -> Duration {
        let ms = self.count("dream.lock_ttl_ms").map_or(DREAM_LOCK_TTL_MS, |ms| ms as u64);
        Duration::from_millis(ms)
    }

    /// What must have happened to a passage before a dream promotes it.
    pub fn dream_gates(&self) -> Gates {
        let mut gates = Gates::default();
        let set_count = |field: &mut u32, key: &str| {
            set(field, self.count(key).and_then(|count| u32::try_from(count).ok()));
        };
        set_count(&mut gates.min_recall_count, "dream.min_recalls");
        set_count(&mut gates.min_unique_queries, "dream.min_questions");
        set_count(&mut gates.min_unique_days, "dream.min_days");
        if let Some(percent) = self.count("dream.min_score_percent") {
            gates.min_score = percent as f64 / 100.0;
        }
        set(&mut gates.max_promotions_per_sweep, self.count("dream.max_promotions"));
        gates
    }

    /// Lets words alone answer, whatever is configured.
    pub fn without_meaning(&mut self, flag: &'static str) {
        let text = Provider::Disabled.word().to_owned();
        self.layers.say("embedding.provider", Value { text, origin: Origin::Flag(flag) });
    }

    /// Which engines dream automatically, and how often (X32).
    pub fn dream_schedule(&self) -> DreamSchedule {
        let engines = self.layers.text("dream.engines").and_then(DreamEngine::parse_all);
        let hours = self.count("dream.interval_hours").unwrap_or(DREAM_INTERVAL_HOURS as usize);
        DreamSchedule {
            engines: engines.unwrap_or_default(),
            every: SignedDuration::from_hours(hours as i64),
            gates: self.dream_gates(),
        }
    }

    /// What the dream engine `logs` reads, and with which model.
    pub fn dream_logs(&self) -> DreamLogsConfig {
        let mut limits = LogLimits::default();
        let bytes = |key: &str| self.count(key).map(|bytes| bytes as u64);
        set(&mut limits.total_bytes, bytes("dream.total_input_bytes"));
        set(&mut limits.file_bytes, bytes("dream.max_file_bytes"));
        set(
            &mut limits.window_days,
            self.count("dream.window_days").and_then(|days| u32::try_from(days).ok()),
        );
        let minutes =
            self.count("dream.timeout_minutes").map_or(DREAM_TIMEOUT_MINUTES, |minutes| minutes as u64);
        let model = self.llm();
        let wanted = limits;
        if let Some(tokens) = model.context_tokens {
            limits = limits.within_context(tokens);
        }
        DreamLogsConfig {
            model,
            limits,
            is_reduced: limits != wanted,
            timeout: Duration::from_secs(60 * minutes),
        }
    }

    /// When due work runs beside calls.
    pub fn idle(&self) -> IdleConfig {
        let seconds =
            self.count("upkeep.idle_seconds").map_or(IDLE_SECONDS_DEFAULT, |seconds| seconds as u64);
        let quiet_hours = self.layers.text("upkeep.quiet_hours").and_then(QuietHours::parse);
        IdleConfig { after: Duration::from_secs(seconds), quiet_hours }
    }

    /// What a review of sessions notes, and with which model.
    pub fn review(&self) -> ReviewConfig {
        let is_on = |key: &str| self.flag(key, false);
        let wanted = Wanted {
            facts: is_on("review.facts"),
            summary: is_on("review.summary"),
            open_loops: is_on("review.open_loops"),
        };
        ReviewConfig { wanted, model: self.llm() }
    }

    /// Whether a flag is on; `unsaid` is the default.
    pub fn flag(&self, key: &str, unsaid: bool) -> bool {
        self.layers.text(key).and_then(flag).unwrap_or(unsaid)
    }

    /// Every setting with its effective value and origin, in the table's order.
    pub fn effective(&self) -> Vec<(&'static Setting, Value)> {
        let profile = self.profile();
        let rows = SETTINGS.iter().map(|row| {
            let value = self.layers.get(row.key).cloned().unwrap_or_else(|| self.unsaid(row.key, &profile));
            (row, value)
        });
        rows.collect()
    }

    /// What holds where no layer says anything.
    fn unsaid(&self, key: &str, profile: &Profile) -> Value {
        let (text, from_profile) = match key {
            "home" => (self.paths.root.display().to_string(), false),
            "profile" => (profile.name.clone(), false),
            "timezone" => (self.zone().0.iana_name().unwrap_or("UTC").to_owned(), false),
            "search.text_files" => ("false".to_owned(), false),
            "search.limit" => (SEARCH_LIMIT_DEFAULT.to_string(), false),
            "workspace_in_prompt" | "transcripts.enabled" => ("true".to_owned(), false),
            "transcripts.redaction" => ("false".to_owned(), false),
            "host.agents_md" => (AgentsMd::WORDS[0].to_owned(), false),
            "load.max_file_chars" => (profile.max_file_chars.to_string(), true),
            "load.max_user_chars" => (profile.max_user_chars.to_string(), true),
            "load.max_total_chars" => (profile.max_total_chars.to_string(), true),
            "load.oversize" => (profile.oversize.to_string(), true),
            "load.tools_md" => (profile.order.contains(&BlockKind::Tools).to_string(), true),
            "load.token_budget" => (profile.token_budget.to_string(), true),
            "load.recalled" => (profile.recalled.to_string(), true),
            "load.max_recalled_chars" => (profile.max_recalled_chars.to_string(), true),
            "load.identity" => (profile.identity.to_string(), true),
            "daily.load_days" => (profile.journal_days.to_string(), true),
            "memory.inject" => (profile.inject.to_string(), true),
            "snapshot.mode" => (profile.snapshot.to_string(), true),
            "write.max_file_bytes" => (profile.max_file_bytes.to_string(), true),
            "write.approval" => ("false".to_owned(), false),
            "recall.record" => ("true".to_owned(), false),
            "recall.prompt_words" => (PROMPT_WORDS_DEFAULT.to_string(), false),
            "recall.prompt_deadline_ms" => (PROMPT_DEADLINE_MS_DEFAULT.to_string(), false),
            "embedding.provider" => (Provider::WORDS[0].to_owned(), false),
            "embedding.key_env" => (EMBEDDING_KEY_ENV_DEFAULT.to_owned(), false),
            "embedding.plain_http" => ("false".to_owned(), false),
            "embedding.question_wait_ms" => (QUESTION_WAIT_MS_DEFAULT.to_string(), false),
            "embedding.scan" => ("exact".to_owned(), false),
            "facts.consolidation" => (Consolidation::On.word().to_owned(), false),
            "judge.enabled" => ("true".to_owned(), false),
            "judge.provider" => ("disabled".to_owned(), false),
            "judge.key_env" => (JUDGE_KEY_ENV_DEFAULT.to_owned(), false),
            "judge.plain_http" => ("false".to_owned(), false),
            "llm.provider" => (LLM_PROVIDERS[0].to_owned(), false),
            "llm.plain_http" => ("false".to_owned(), false),
            "llm.allow" => (Allow::Nothing.word().to_owned(), false),
            "dream.engines" => ("off".to_owned(), false),
            "dream.interval_hours" => (DREAM_INTERVAL_HOURS.to_string(), false),
            "dream.min_recalls" => (Gates::default().min_recall_count.to_string(), false),
            "dream.min_questions" => (Gates::default().min_unique_queries.to_string(), false),
            "dream.min_days" => (Gates::default().min_unique_days.to_string(), false),
            "dream.min_score_percent" => ("35".to_owned(), false),
            "dream.max_promotions" => (Gates::default().max_promotions_per_sweep.to_string(), false),
            "dream.total_input_bytes" => (LogLimits::default().total_bytes.to_string(), false),
            "dream.max_file_bytes" => (LogLimits::default().file_bytes.to_string(), false),
            "dream.window_days" => (LogLimits::default().window_days.to_string(), false),
            "dream.timeout_minutes" => (DREAM_TIMEOUT_MINUTES.to_string(), false),
            "review.facts" | "review.summary" | "review.open_loops" => ("false".to_owned(), false),
            "dream.lock_ttl_ms" => (DREAM_LOCK_TTL_MS.to_string(), false),
            "upkeep.idle_seconds" => (IDLE_SECONDS_DEFAULT.to_string(), false),
            "upkeep.quiet_hours" => ("off".to_owned(), false),
            "journal.enabled" => (profile.journal.to_string(), true),
            "journal.layout" => (profile.journal_layout.to_string(), true),
            "journal.cadence" => (profile.journal_cadence.to_string(), true),
            "journal.retention_days" => (profile.journal_retention_days.to_string(), true),
            "heartbeat.enabled" => (profile.heartbeat.to_string(), true),
            "facts.domain" => (profile.domain.to_string(), true),
            "facts.retention_days" => (profile.facts_retention_days.to_string(), true),
            "history.location" => (profile.history.to_string(), true),
            key => (weights::unsaid(key).unwrap_or_default(), false),
        };
        let origin = if from_profile { Origin::Profile(profile.name.clone()) } else { Origin::Default };
        Value { text, origin }
    }
}

/// Sets what a layer says.
fn set<T>(field: &mut T, said: Option<T>) {
    if let Some(said) = said {
        *field = said;
    }
}

/// The default profile is compiled in and tested; a build without it could not have passed.
fn unreachable_profile() -> Profile {
    unreachable!("profile `{PROFILE_DEFAULT}` is compiled in")
}

fn expanded(text: &str, user_home: &Path) -> PathBuf {
    match text.strip_prefix('~') {
        Some("") => user_home.to_owned(),
        Some(rest) if rest.starts_with('/') => user_home.join(&rest[1..]),
        _ => PathBuf::from(text),
    }
}

/// The error of a folder that the environment does not give. `/` instead would expose the files to others.
fn homeless(name: &str) -> HomeError {
    let message = format!("HOME is not set to an absolute path, and neither is {name}.");
    HomeError::new(Code::SettingBad, message)
        .hint("Set HOME, or XDG_CONFIG_HOME, XDG_DATA_HOME and XDG_STATE_HOME.")
}

#[cfg(test)]
mod tests;
