//! Self-reports of an agent, in the shapes of nexo's tools (N20–N23).
//!
//! Our additional keys appear only if they have a value: `notices`, `skipped_lines`, `soul_truncated`, `chars`.

use inwit_engine::self_report::session_logs::{
    Excerpted, Header, LogMatches, SessionHit, SessionHits, SessionList, SessionReading, SessionRow,
};
use inwit_engine::self_report::{Knowledge, KnownSection, MyStats, WhoAmI};
use inwit_model::time;

use crate::shape::theirs;
use crate::status::IdentityV1;
use crate::tools::reading::OmittedV1;
use crate::{NoticeV1, TextV1};

theirs! {
    /// `who_am_i`.
    pub struct WhoAmIV1 from who: &WhoAmI {
        /// The agent's id.
        pub agent_id: String = who.agent_id.clone(),
        /// The model that speaks for it.
        pub model: Option<TextV1> = who.model.as_ref().map(TextV1::from),
        /// Its workspace; for its owner alone.
        pub workspace_dir: Option<String> = who.workspace_dir.clone(),
        /// Who it says it is.
        pub identity: IdentityV1<TextV1> = IdentityV1::from(&who.identity),
        /// The beginning of SOUL.md.
        pub soul_excerpt: TextV1 = TextV1::from(&who.soul_excerpt),
        /// That SOUL.md goes on.
        pub soul_truncated?: bool = who.soul_truncated,
        /// What the reader should know besides.
        pub notices?: Vec<NoticeV1> = who.notices.iter().map(NoticeV1::from).collect(),
    }
}

theirs! {
    /// `what_do_i_know`.
    pub struct KnowledgeV1 from known: &Knowledge {
        /// Sections in the order of the file.
        pub sections: Vec<KnownSectionV1> = known.sections.iter().map(KnownSectionV1::from).collect(),
        /// Whether a section or a bullet was left out.
        pub truncated: bool = known.truncated,
        /// What the reader should know besides.
        pub notices?: Vec<NoticeV1> = known.notices.iter().map(NoticeV1::from).collect(),
    }

    /// One section.
    pub struct KnownSectionV1 from section: &KnownSection {
        /// Its heading.
        pub heading: TextV1 = TextV1::from(&section.heading),
        /// Its first bullets.
        pub bullets: Vec<TextV1> = section.bullets.iter().map(TextV1::from).collect(),
        /// How many more it has.
        pub extra_bullets: usize = section.extra_bullets,
    }
}

theirs! {
    /// `my_stats`. The counts are `null` for everybody but the owner.
    pub struct MyStatsV1 from stats: &MyStats {
        /// The agent's id.
        pub agent_id: String = stats.agent_id.clone(),
        /// Sessions that were held.
        pub sessions_total: Option<u64> = stats.counts.as_ref().map(|counts| counts.sessions_total),
        /// Memories that are stored.
        pub memories_stored: Option<u64> = stats.counts.as_ref().map(|counts| counts.memories_stored),
        /// Memories that a dream has promoted.
        pub memories_promoted: Option<u64> = stats.counts.as_ref().map(|counts| counts.memories_promoted),
        /// When the last dream ended, RFC 3339.
        pub last_dream_ts: Option<String> =
            stats.counts.as_ref().and_then(|counts| Some(time::json(counts.last_dream?))),
        /// Recalls of the last seven days.
        pub recall_events_7d: Option<u64> = stats.counts.as_ref().map(|counts| counts.recall_events_7d),
        /// Concept tags of these with their counts, most frequent first.
        pub top_concept_tags_7d: Option<Vec<(TextV1, u64)>> = stats.counts.as_ref().map(|counts| {
            let tags = counts.top_concept_tags_7d.iter();
            tags.map(|(tag, count)| (TextV1::from(tag), *count)).collect()
        }),
        /// Known files that are there.
        pub workspace_files_present: Vec<&'static str> = stats.workspace_files_present.clone(),
    }
}

theirs! {
    /// `session_logs`, action `list_sessions`. Words of a transcript are `T`: for a model text that was masked, for the
    /// owner what was said; so in all that it answers.
    pub struct SessionListV1<T = TextV1> from<W> list: &SessionList<W> {
        /// True.
        pub ok: bool = true,
        /// Last written first.
        pub sessions: Vec<SessionRowV1<T>> = list.sessions.iter().map(SessionRowV1::from).collect(),
        /// Whether there are more.
        pub truncated: bool = list.truncated,
        /// What the reader should know besides.
        pub notices?: Vec<NoticeV1> = list.notices.iter().map(NoticeV1::from).collect(),
        /// What did not fit.
        pub omitted?: Option<OmittedV1> = None,
    }

    /// One session.
    pub struct SessionRowV1<T = TextV1> from<W> row: &SessionRow<W> {
        /// The session.
        pub session_id: String = row.session.to_string(),
        /// Its agent.
        pub agent_id: T = T::from(&row.agent_id),
        /// The interface or channel that it came through.
        pub source_plugin: T = T::from(&row.source_plugin),
        /// Things said.
        pub entry_count: u64 = row.entries,
        /// When the first was said, RFC 3339.
        pub first_timestamp: Option<String> = row.first.map(time::json),
        /// When the last was said.
        pub last_timestamp: Option<String> = row.last.map(time::json),
    }
}

theirs! {
    /// `session_logs`, actions `read_session` and `recent`; the latter has no header, no total and no
    /// `truncated`, since it reads the end only.
    pub struct SessionReadingV1<T = TextV1> from<W> reading: &SessionReading<W> {
        /// True.
        pub ok: bool = true,
        /// The session.
        pub session_id: String = reading.session.to_string(),
        /// The header line.
        pub header?: Option<SessionHeaderV1<T>> =
            reading.header.as_ref().filter(|_| reading.total.is_some()).map(SessionHeaderV1::from),
        /// Things said in the session.
        pub total_entries?: Option<u64> = reading.total,
        /// How many of them follow.
        pub returned: usize = reading.entries.len(),
        /// Whether some are left out.
        pub truncated?: Option<bool> = reading.total.map(|total| (reading.entries.len() as u64) < total),
        /// In the order in which they were said.
        pub entries: Vec<SessionEntryV1<T>> = reading.entries.iter().map(SessionEntryV1::from).collect(),
        /// Lines that could not be read, or are of a kind that we do not know.
        pub skipped_lines?: u64 = reading.skipped_lines,
        /// What did not fit.
        pub omitted?: Option<OmittedV1> = None,
    }

    /// The header line of a transcript.
    pub struct SessionHeaderV1<T = TextV1> from<W> header: &Header<W> {
        /// `session`.
        #[serde(rename = "type")]
        pub kind: &'static str = "session",
        /// 1.
        pub version: u32 = 1,
        /// The session.
        pub id: T = T::from(&header.id),
        /// When it began.
        pub timestamp: String = time::json(header.timestamp),
        /// Its agent.
        pub agent_id: T = T::from(&header.agent_id),
        /// The interface or channel that it came through.
        pub source_plugin: T = T::from(&header.source_plugin),
        /// The scope in which it was held.
        pub scope: T = T::from(&header.scope),
    }

    /// One thing said.
    pub struct SessionEntryV1<T = TextV1> from<W> entry: &Excerpted<W> {
        /// When, RFC 3339.
        pub timestamp: String = time::json(entry.timestamp),
        /// `user`, `assistant`, `tool` or `system`.
        pub role: &'static str = entry.role.word(),
        /// From whom the words are, where that is neither the owner nor the agent: `member` or `tool`.
        pub taint?: Option<&'static str> = entry.taint.map(inwit_model::Taint::word),
        /// The words; they end with `…` where they were cut.
        pub content: T = T::from(&entry.content),
        /// Characters of the whole, where it was cut.
        pub chars?: Option<usize> = entry.whole_chars,
        /// The channel's id of the message.
        pub message_id?: Option<T> = entry.message_id.as_ref().map(T::from),
        /// The interface or channel that it came through.
        pub source_plugin: T = T::from(&entry.source_plugin),
        /// The channel's id of the person.
        pub sender_id?: Option<T> = entry.sender_id.as_ref().map(T::from),
    }
}

theirs! {
    /// `session_logs`, action `search`.
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
        pub notices?: Vec<NoticeV1>,
        /// What did not fit.
        pub omitted?: Option<OmittedV1>,
    }

    /// One entry that has the words.
    pub struct SessionHitV1<T = TextV1> from<W> hit: &SessionHit<W> {
        /// Its session.
        pub session_id: String = hit.session.to_string(),
        /// When it was said.
        pub timestamp: String = time::json(hit.timestamp),
        /// By whom.
        pub role: T = T::from(&hit.role),
        /// From whom the words are, where that is neither the owner nor the agent: `member` or `tool`.
        pub taint?: Option<&'static str> = hit.taint.map(inwit_model::Taint::word),
        /// Through which interface or channel.
        pub source_plugin: T = T::from(&hit.source_plugin),
        /// The text around the match, which is in `[` and `]`.
        pub snippet: T = T::from(&hit.snippet),
    }
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
        Self {
            ok: true,
            query: query.to_owned(),
            backend,
            matched,
            hits: found.hits.iter().map(SessionHitV1::from).collect(),
            truncated: found.truncated,
            notices: found.notices.iter().map(NoticeV1::from).collect(),
            omitted: None,
        }
    }
}

theirs! {
    /// `identity`, which is one of three, under its name.
    #[derive(Default)]
    pub struct IdentityToldV1 {
        /// Which one.
        pub about: &'static str,
        /// Who it is.
        pub who_am_i?: Option<WhoAmIV1>,
        /// What it knows.
        pub what_do_i_know?: Option<KnowledgeV1>,
        /// Its numbers.
        pub my_stats?: Option<MyStatsV1>,
    }

    /// What `session_logs` answers where there is nothing to answer with.
    pub struct SessionRefusalV1 {
        /// False.
        pub ok: bool,
        /// The name of the code, such as `session_not_found`.
        pub error: &'static str,
    }
}
