//! What an agent reports about itself, in the shapes that nexo's tools give (N20–N23).
//!
//! Keys of ours stand beside those of the shapes and only where they have something to say: `notices`,
//! `skipped_lines`, `soul_truncated`, `chars`.

use inwit_engine::self_report::session_logs::{
    Excerpted, LogMatches, SessionHits, SessionList, SessionReading,
};
use inwit_engine::self_report::{Knowledge, MyStats, WhoAmI};
use serde::Serialize;

use crate::status::IdentityV1;
use crate::tools::reading::OmittedV1;
use crate::{NoticeV1, TextV1};

/// `who_am_i`.
#[derive(Debug, Clone, Serialize)]
pub struct WhoAmIV1 {
    /// The agent's id.
    pub agent_id: String,
    /// The model that speaks for it.
    pub model: Option<String>,
    /// Its workspace; for its owner alone.
    pub workspace_dir: Option<String>,
    /// Who it says it is.
    pub identity: IdentityV1<TextV1>,
    /// The beginning of SOUL.md.
    pub soul_excerpt: TextV1,
    /// That SOUL.md goes on.
    #[serde(skip_serializing_if = "is_false")]
    pub soul_truncated: bool,
    /// What the reader should know besides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeV1>,
}

impl From<&WhoAmI> for WhoAmIV1 {
    fn from(who: &WhoAmI) -> Self {
        let identity = &who.identity;
        Self {
            agent_id: who.agent_id.clone(),
            model: who.model.clone(),
            workspace_dir: who.workspace_dir.clone(),
            identity: IdentityV1 {
                name: identity.name.as_ref().map(TextV1::from),
                creature: identity.creature.as_ref().map(TextV1::from),
                vibe: identity.vibe.as_ref().map(TextV1::from),
                emoji: identity.emoji.as_ref().map(TextV1::from),
                avatar: identity.avatar.as_ref().map(TextV1::from),
            },
            soul_excerpt: TextV1::from(&who.soul_excerpt),
            soul_truncated: who.soul_truncated,
            notices: who.notices.iter().map(NoticeV1::from).collect(),
        }
    }
}

/// `what_do_i_know`.
#[derive(Debug, Clone, Serialize)]
pub struct KnowledgeV1 {
    /// Sections in the order of the file.
    pub sections: Vec<KnownSectionV1>,
    /// Whether a section or a bullet was left out.
    pub truncated: bool,
    /// What the reader should know besides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeV1>,
}

/// One section.
#[derive(Debug, Clone, Serialize)]
pub struct KnownSectionV1 {
    /// Its heading.
    pub heading: TextV1,
    /// Its first bullets.
    pub bullets: Vec<TextV1>,
    /// How many more it has.
    pub extra_bullets: usize,
}

impl From<&Knowledge> for KnowledgeV1 {
    fn from(known: &Knowledge) -> Self {
        let sections = known.sections.iter().map(|section| KnownSectionV1 {
            heading: TextV1::from(&section.heading),
            bullets: section.bullets.iter().map(TextV1::from).collect(),
            extra_bullets: section.extra_bullets,
        });
        Self {
            sections: sections.collect(),
            truncated: known.truncated,
            notices: known.notices.iter().map(NoticeV1::from).collect(),
        }
    }
}

/// `my_stats`. The counts are `null` for everybody but the owner.
#[derive(Debug, Clone, Serialize)]
pub struct MyStatsV1 {
    /// The agent's id.
    pub agent_id: String,
    /// Sessions that were held.
    pub sessions_total: Option<u64>,
    /// Memories that are stored.
    pub memories_stored: Option<u64>,
    /// Memories that a dream has promoted.
    pub memories_promoted: Option<u64>,
    /// When the last dream ended, RFC 3339.
    pub last_dream_ts: Option<String>,
    /// Recalls of the last seven days.
    pub recall_events_7d: Option<u64>,
    /// Concept tags of these with their counts, most frequent first.
    pub top_concept_tags_7d: Option<Vec<(TextV1, u64)>>,
    /// Known files that are there.
    pub workspace_files_present: Vec<&'static str>,
}

impl From<&MyStats> for MyStatsV1 {
    fn from(stats: &MyStats) -> Self {
        let counts = stats.counts.as_ref();
        Self {
            agent_id: stats.agent_id.clone(),
            sessions_total: counts.map(|counts| counts.sessions_total),
            memories_stored: counts.map(|counts| counts.memories_stored),
            memories_promoted: counts.map(|counts| counts.memories_promoted),
            last_dream_ts: counts.and_then(|counts| Some(counts.last_dream?.to_string())),
            recall_events_7d: counts.map(|counts| counts.recall_events_7d),
            top_concept_tags_7d: counts.map(|counts| {
                let tags = counts.top_concept_tags_7d.iter();
                tags.map(|(tag, count)| (TextV1::from(tag), *count)).collect()
            }),
            workspace_files_present: stats.workspace_files_present.clone(),
        }
    }
}

/// `session_logs`, action `list_sessions`. Words of a transcript are `T`: for a model text that was masked, for the
/// owner what was said; so in all that it answers.
#[derive(Debug, Clone, Serialize)]
pub struct SessionListV1<T = TextV1> {
    /// True.
    pub ok: bool,
    /// Last written first.
    pub sessions: Vec<SessionRowV1<T>>,
    /// Whether there are more.
    pub truncated: bool,
    /// What the reader should know besides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeV1>,
    /// What did not fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub omitted: Option<OmittedV1>,
}

/// One session.
#[derive(Debug, Clone, Serialize)]
pub struct SessionRowV1<T = TextV1> {
    /// The session.
    pub session_id: String,
    /// Its agent.
    pub agent_id: T,
    /// The interface or channel that it came through.
    pub source_plugin: T,
    /// Things said.
    pub entry_count: u64,
    /// When the first was said, RFC 3339.
    pub first_timestamp: Option<String>,
    /// When the last was said.
    pub last_timestamp: Option<String>,
}

impl<'w, W, T: From<&'w W>> From<&'w SessionList<W>> for SessionListV1<T> {
    fn from(list: &'w SessionList<W>) -> Self {
        let rows = list.sessions.iter().map(|row| SessionRowV1 {
            session_id: row.session.to_string(),
            agent_id: T::from(&row.agent_id),
            source_plugin: T::from(&row.source_plugin),
            entry_count: row.entries,
            first_timestamp: row.first.map(|first| first.to_string()),
            last_timestamp: row.last.map(|last| last.to_string()),
        });
        Self {
            ok: true,
            sessions: rows.collect(),
            truncated: list.truncated,
            notices: list.notices.iter().map(NoticeV1::from).collect(),
            omitted: None,
        }
    }
}

/// `session_logs`, actions `read_session` and `recent`; the latter has no header, no total and no
/// `truncated`, since it reads the end only.
#[derive(Debug, Clone, Serialize)]
pub struct SessionReadingV1<T = TextV1> {
    /// True.
    pub ok: bool,
    /// The session.
    pub session_id: String,
    /// The header line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header: Option<SessionHeaderV1<T>>,
    /// Things said in the session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_entries: Option<u64>,
    /// How many of them follow.
    pub returned: usize,
    /// Whether some are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truncated: Option<bool>,
    /// In the order in which they were said.
    pub entries: Vec<SessionEntryV1<T>>,
    /// Lines that could not be read, or are of a kind that we do not know.
    #[serde(skip_serializing_if = "is_zero")]
    pub skipped_lines: u64,
    /// What did not fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub omitted: Option<OmittedV1>,
}

/// The header line of a transcript.
#[derive(Debug, Clone, Serialize)]
pub struct SessionHeaderV1<T = TextV1> {
    /// `session`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// 1.
    pub version: u32,
    /// The session.
    pub id: T,
    /// When it began.
    pub timestamp: String,
    /// Its agent.
    pub agent_id: T,
    /// The interface or channel that it came through.
    pub source_plugin: T,
    /// The scope in which it was held.
    pub scope: String,
}

/// One thing said.
#[derive(Debug, Clone, Serialize)]
pub struct SessionEntryV1<T = TextV1> {
    /// When, RFC 3339.
    pub timestamp: String,
    /// `user`, `assistant`, `tool` or `system`.
    pub role: &'static str,
    /// From whom the words are, where that is neither the owner nor the agent: `member` or `tool`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taint: Option<&'static str>,
    /// The words; they end with `…` where they were cut.
    pub content: T,
    /// Characters of the whole, where it was cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chars: Option<usize>,
    /// The channel's id of the message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message_id: Option<T>,
    /// The interface or channel that it came through.
    pub source_plugin: T,
    /// The channel's id of the person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sender_id: Option<T>,
}

impl<'w, W, T: From<&'w W>> From<&'w Excerpted<W>> for SessionEntryV1<T> {
    fn from(entry: &'w Excerpted<W>) -> Self {
        Self {
            timestamp: entry.timestamp.to_string(),
            role: entry.role.word(),
            taint: entry.taint.map(inwit_model::Taint::word),
            content: T::from(&entry.content),
            chars: entry.whole_chars,
            message_id: entry.message_id.as_ref().map(T::from),
            source_plugin: T::from(&entry.source_plugin),
            sender_id: entry.sender_id.as_ref().map(T::from),
        }
    }
}

impl<'w, W, T: From<&'w W>> From<&'w SessionReading<W>> for SessionReadingV1<T> {
    fn from(reading: &'w SessionReading<W>) -> Self {
        let returned = reading.entries.len();
        let header = reading.header.as_ref().filter(|_| reading.total.is_some());
        Self {
            ok: true,
            session_id: reading.session.to_string(),
            header: header.map(|header| SessionHeaderV1 {
                kind: "session",
                version: 1,
                id: T::from(&header.id),
                timestamp: header.timestamp.to_string(),
                agent_id: T::from(&header.agent_id),
                source_plugin: T::from(&header.source_plugin),
                scope: header.scope.to_string(),
            }),
            total_entries: reading.total,
            returned,
            truncated: reading.total.map(|total| (returned as u64) < total),
            entries: reading.entries.iter().map(SessionEntryV1::from).collect(),
            skipped_lines: reading.skipped_lines,
            omitted: None,
        }
    }
}

/// `session_logs`, action `search`.
#[derive(Debug, Clone, Serialize)]
pub struct SessionHitsV1<T = TextV1> {
    /// True.
    pub ok: bool,
    /// What was looked for.
    pub query: String,
    /// `fts5`, or `scan` where the files themselves were searched.
    pub backend: &'static str,
    /// `phrase`: the words in a row; `words`: all of them, anywhere; `substring`: the very characters.
    pub matched: &'static str,
    /// Newest first.
    pub hits: Vec<SessionHitV1<T>>,
    /// Whether there are more.
    pub truncated: bool,
    /// What the reader should know besides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeV1>,
    /// What did not fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub omitted: Option<OmittedV1>,
}

/// One entry that has the words.
#[derive(Debug, Clone, Serialize)]
pub struct SessionHitV1<T = TextV1> {
    /// Its session.
    pub session_id: String,
    /// When it was said.
    pub timestamp: String,
    /// By whom.
    pub role: T,
    /// From whom the words are, where that is neither the owner nor the agent: `member` or `tool`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taint: Option<&'static str>,
    /// Through which interface or channel.
    pub source_plugin: T,
    /// The words around the match, which stands in `[` and `]`.
    pub snippet: T,
}

impl<T> SessionHitsV1<T> {
    /// Translates the hits of `query`.
    pub fn new<'w, W>(query: &str, found: &'w SessionHits<W>) -> Self
    where
        T: From<&'w W>,
    {
        let (backend, matched) = match found.found {
            LogMatches::Phrase => ("fts5", "phrase"),
            LogMatches::Words => ("fts5", "words"),
            LogMatches::Substring => ("scan", "substring"),
        };
        let hits = found.hits.iter().map(|hit| SessionHitV1 {
            session_id: hit.session.to_string(),
            timestamp: hit.timestamp.to_string(),
            role: T::from(&hit.role),
            taint: hit.taint.map(inwit_model::Taint::word),
            source_plugin: T::from(&hit.source_plugin),
            snippet: T::from(&hit.snippet),
        });
        Self {
            ok: true,
            query: query.to_owned(),
            backend,
            matched,
            hits: hits.collect(),
            truncated: found.truncated,
            notices: found.notices.iter().map(NoticeV1::from).collect(),
            omitted: None,
        }
    }
}

/// `identity`, which is one of three, under its name.
#[derive(Debug, Clone, Default, Serialize)]
pub struct IdentityToldV1 {
    /// Which one.
    pub about: &'static str,
    /// Who it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub who_am_i: Option<WhoAmIV1>,
    /// What it knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub what_do_i_know: Option<KnowledgeV1>,
    /// Its numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub my_stats: Option<MyStatsV1>,
}

/// What `session_logs` answers where there is nothing to answer with.
#[derive(Debug, Clone, Serialize)]
pub struct SessionRefusalV1 {
    /// False.
    pub ok: bool,
    /// The name of the code, such as `session_not_found`.
    pub error: &'static str,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_false(flag: &bool) -> bool {
    !*flag
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}
