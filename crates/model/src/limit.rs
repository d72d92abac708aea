//! Every cap of the core, with its unit in its name (D12).
//!
//! Caps that a profile or a setting may change live in `Profile`; these are the walls behind them.

/// Largest file that is read at all, in bytes. A larger one is named by `doctor` and left out.
pub const FILE_READ_BYTES_MAX: u64 = 8 * 1024 * 1024;

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

/// Most distinct terms of a query that are looked up, rarest first; the rest is named in the explanation.
pub const QUERY_TERMS_MAX: usize = 64;

/// Most results one search returns.
pub const RESULTS_MAX: usize = 1_000;

/// Share of a budget at which `doctor` warns, in percent (R54).
pub const BUDGET_WARN_PERCENT: usize = 80;
