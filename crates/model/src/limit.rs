//! Every cap of the core, with its unit in its name (D12).
//!
//! Caps that a profile or a setting may change live in `Profile`; these are the walls behind them.

/// Largest file that is read at all, in bytes. A larger one is named by `doctor` and left out.
pub const FILE_READ_BYTES_MAX: u64 = 8 * 1024 * 1024;

/// Largest `memory.db` of an earlier version that is looked at as it is, in bytes; a copy of it is held in memory.
pub const MEMORY_LOOK_BYTES_MAX: u64 = 1 << 30;

/// Most backups that a plan of forgetting, or its deed, names by their folders; more are counted.
pub const BACKUPS_NAMED_MAX: usize = 20;

/// Largest number of files listed in one workspace.
pub const WORKSPACE_FILES_MAX: usize = 200_000;

/// Deepest folder below the workspace that is walked.
pub const WORKSPACE_DEPTH_MAX: usize = 8;

/// Longest workspace-relative name, in bytes.
pub const NAME_BYTES_MAX: usize = 1024;

/// Longest single component of a name, in bytes.
pub const NAME_PART_BYTES_MAX: usize = 255;

/// Most combining marks that may follow each other in a name.
pub const NAME_COMBINING_MARKS_MAX: usize = 4;

/// Longest passage, in characters; longer text is split at a sentence or line end.
pub const PASSAGE_CHARS_MAX: usize = 1_200;

/// Most passages of one file; a file of more is named by `doctor` and not searched.
pub const FILE_PASSAGES_MAX: usize = 200_000;

/// Longest query, in bytes; a longer one is refused.
pub const QUERY_BYTES_MAX: usize = 100 * 1024;

/// Most distinct terms of a query that are searched: the rarest of those that a note has. The explanation names the rest.
pub const QUERY_TERMS_MAX: usize = 64;

/// Most results one search returns.
pub const RESULTS_MAX: usize = 1_000;

/// Share of a budget at which `doctor` warns, in percent (R54).
pub const BUDGET_WARN_PERCENT: usize = 80;

/// Longest line of a transcript, in bytes with its line end. It is written in one call under the file's
/// lock; a longer entry is refused, a longer line of another program is skipped and counted.
pub const TRANSCRIPT_LINE_BYTES_MAX: usize = 1024 * 1024;

/// What is kept of a tool's result that no line of a transcript can hold, in bytes: its beginning, with a
/// mark that says how much is left out. Six times as long when every byte is escaped, it still fits.
pub const TRANSCRIPT_TOOL_KEPT_BYTES: usize = 64 * 1024;
const _: () = assert!(6 * TRANSCRIPT_TOOL_KEPT_BYTES < TRANSCRIPT_LINE_BYTES_MAX / 2);

/// Most entries, sessions or hits that one look into transcripts returns (N26).
pub const TRANSCRIPT_ROWS_MAX: usize = 500;

/// Most entries, sessions or hits of a look that does not say (N26).
pub const TRANSCRIPT_ROWS_DEFAULT: usize = 50;

/// Entries that `recent` gives when it does not say.
pub const TRANSCRIPT_RECENT_DEFAULT: usize = 10;

/// Fewest characters of one entry that such a look may ask for (N26).
pub const TRANSCRIPT_PREVIEW_CHARS_MIN: usize = 20;

/// Most characters of one entry in such a look (N26).
pub const TRANSCRIPT_PREVIEW_CHARS_MAX: usize = 4_000;

/// Characters of one entry when such a look does not say (N26).
pub const TRANSCRIPT_PREVIEW_CHARS_DEFAULT: usize = 200;

/// Most characters of SOUL.md that `who_am_i` shows (N20).
pub const SOUL_EXCERPT_CHARS_MAX: usize = 2_048;

/// Longest fact that a dream adds to lasting memory, in characters as written; a longer one stays in its log
/// and is told as `too_long`.
pub const BULLET_CHARS_MAX: usize = 640;

/// Most bytes of an answer of `what_do_i_know`, as JSON on one line; its first section comes whatever its
/// size (N21).
pub const KNOWLEDGE_BYTES_MAX: usize = 6_144;

/// Most bullets of one section in `what_do_i_know` (N21).
pub const KNOWLEDGE_BULLETS_MAX: usize = 10;

/// Most sections of `what_do_i_know`.
pub const KNOWLEDGE_SECTIONS_MAX: usize = 50;

/// Sections of `what_do_i_know` when it does not say.
pub const KNOWLEDGE_SECTIONS_DEFAULT: usize = 20;

/// Most concept tags that `my_stats` names.
pub const STATS_TAGS_MAX: usize = 10;

/// Most bytes of an automaton that looks for words that are to be forgotten. A text of which it would be larger is
/// looked for by its words alone, whatever stands between them.
pub const FORGET_AUTOMATON_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Most bytes of the pattern that such an automaton is made of: a larger one is not tried.
pub const FORGET_PATTERN_BYTES_MAX: usize = 4 * 1024 * 1024;

/// How often base64 and hexadecimal digits inside of one another are decoded when words are looked for that are to be
/// forgotten.
pub const FORGET_ENCODINGS_MAX: usize = 3;

/// Longest that whoever ends a session waits for a judge of facts, over all its questions, in milliseconds (M39).
pub const JUDGE_IDLE_MS_MAX: u64 = 4_000;

/// Most secret values of one home that are known by a keyed hash; of more, the oldest go.
pub const SECRET_HASHES_MAX: usize = 512;
