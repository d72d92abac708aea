//! Every fixed limit of the core, with its unit in its name (D12).
//!
//! Limits that a profile or a setting may change are in `Profile`; these are upper bounds.

/// Largest file that is read, in bytes. `doctor` reports a larger one, and it is not indexed.
pub const FILE_READ_BYTES_MAX: u64 = 8 * 1024 * 1024;

/// Largest `memory.db` of an earlier version that is read, in bytes; it is copied into memory.
pub const MEMORY_LOOK_BYTES_MAX: u64 = 1 << 30;

/// Most backups that an erasure or its dry run lists by folder; the rest are counted.
pub const BACKUPS_NAMED_MAX: usize = 20;

/// Largest number of files listed in one workspace.
pub const WORKSPACE_FILES_MAX: usize = 200_000;

/// Deepest folder below the workspace that is listed.
pub const WORKSPACE_DEPTH_MAX: usize = 8;

/// Longest workspace-relative name, in bytes.
pub const NAME_BYTES_MAX: usize = 1024;

/// Longest single component of a name, in bytes.
pub const NAME_PART_BYTES_MAX: usize = 255;

/// Most combining marks in a row in a name.
pub const NAME_COMBINING_MARKS_MAX: usize = 4;

/// Longest passage, in characters; longer text is split at a sentence or line end.
pub const PASSAGE_CHARS_MAX: usize = 1_200;

/// Most passages of one file; `doctor` reports a larger file, and it is not searched.
pub const FILE_PASSAGES_MAX: usize = 200_000;

/// Longest query, in bytes; a longer one is refused.
pub const QUERY_BYTES_MAX: usize = 100 * 1024;

/// Most distinct terms of a query that are searched: the rarest ones that occur in notes. `--explain` lists the other
/// terms.
pub const QUERY_TERMS_MAX: usize = 64;

/// Most results one search returns.
pub const RESULTS_MAX: usize = 1_000;

/// Share of a budget at which `doctor` warns, in percent (R54).
pub const BUDGET_WARN_PERCENT: usize = 80;

/// Longest line of a transcript, in bytes with its line end. It is written in one call under the file's lock. A
/// longer entry is refused; a longer line of another program is skipped and counted.
pub const TRANSCRIPT_LINE_BYTES_MAX: usize = 1024 * 1024;

/// Bytes kept of a tool result that is too long for a transcript line: its beginning, with a marker for the rest. It
/// still fits if escaping makes it six times as long.
pub const TRANSCRIPT_TOOL_KEPT_BYTES: usize = 64 * 1024;
const _: () = assert!(6 * TRANSCRIPT_TOOL_KEPT_BYTES < TRANSCRIPT_LINE_BYTES_MAX / 2);

/// Most entries, sessions or hits that one query of transcripts returns (N26).
pub const TRANSCRIPT_ROWS_MAX: usize = 500;

/// Default number of entries, sessions or hits of a query of transcripts (N26).
pub const TRANSCRIPT_ROWS_DEFAULT: usize = 50;

/// Default number of entries that `recent` returns.
pub const TRANSCRIPT_RECENT_DEFAULT: usize = 10;

/// Smallest preview of one entry, in characters (N26).
pub const TRANSCRIPT_PREVIEW_CHARS_MIN: usize = 20;

/// Largest preview of one entry, in characters (N26).
pub const TRANSCRIPT_PREVIEW_CHARS_MAX: usize = 4_000;

/// Default preview of one entry, in characters (N26).
pub const TRANSCRIPT_PREVIEW_CHARS_DEFAULT: usize = 200;

/// Most characters of SOUL.md that `who_am_i` shows (N20).
pub const SOUL_EXCERPT_CHARS_MAX: usize = 2_048;

/// Longest fact that a dream adds to MEMORY.md, in characters as written; a longer one stays in its log and is
/// reported as `too_long`.
pub const BULLET_CHARS_MAX: usize = 640;

/// Most bytes of an answer of `what_do_i_know`, as JSON on one line; its first section is always included (N21).
pub const KNOWLEDGE_BYTES_MAX: usize = 6_144;

/// Most bullets of one section in `what_do_i_know` (N21).
pub const KNOWLEDGE_BULLETS_MAX: usize = 10;

/// Most sections of `what_do_i_know`.
pub const KNOWLEDGE_SECTIONS_MAX: usize = 50;

/// Default number of sections of `what_do_i_know`.
pub const KNOWLEDGE_SECTIONS_DEFAULT: usize = 20;

/// Most concept tags in `my_stats`.
pub const STATS_TAGS_MAX: usize = 10;

/// Largest automaton that searches for a text to erase, in bytes. If a text needs a larger one, only its words are
/// searched, with anything between them.
pub const FORGET_AUTOMATON_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Largest pattern of such an automaton, in bytes; a larger one is not compiled.
pub const FORGET_PATTERN_BYTES_MAX: usize = 4 * 1024 * 1024;

/// How many nested base64 or hexadecimal encodings are decoded when searching for a text to erase.
pub const FORGET_ENCODINGS_MAX: usize = 3;

/// Longest time that ending a session waits for a judge of facts, over all its questions, in milliseconds (M39).
pub const JUDGE_IDLE_MS_MAX: u64 = 4_000;

/// Most secret values of one home that are stored as keyed hashes; beyond that the oldest are dropped.
pub const SECRET_HASHES_MAX: usize = 512;
