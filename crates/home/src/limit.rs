//! Every fixed limit of a home, with its unit in its name.

/// Most files and folders in a backup.
pub const BACKUP_ENTRIES_MAX: usize = 1_000_000;

/// Largest total size of a backup's files, in bytes.
pub const BACKUP_BYTES_MAX: u64 = 1 << 40;

/// Largest file of a backup, in bytes: a sparse file of this size reads as that many zero bytes.
pub const BACKUP_FILE_BYTES_MAX: u64 = 16 << 30;

/// Largest manifest of a backup that is read, in bytes.
pub const BACKUP_MANIFEST_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// Longest path in a backup, in bytes.
pub const BACKUP_PATH_BYTES_MAX: usize = 4_096;

/// Longest version of inwit in a manifest, in characters.
pub const BACKUP_VERSION_CHARS_MAX: usize = 64;

/// Largest configuration or state file of inwit that is read (`config.toml`, `agent.toml` and such), in bytes.
pub const OWN_FILE_BYTES_MAX: u64 = 256 * 1024;

/// Largest file of hashes of erased texts that is read or written (the register in the state folder, the state of an
/// unfinished erasure), in bytes: about 400,000 texts.
pub const FORGOTTEN_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// Most host sessions whose transcripts are followed; the least recently used is dropped.
pub const HOST_SESSIONS_MAX: usize = 64;

/// Days for which the transcript of a session is followed after its last hook.
pub const HOST_SESSION_DAYS_MAX: i64 = 14;

/// Minutes without a new line after which the last turn of another session counts as over.
pub const HOST_SESSION_QUIET_MINUTES: i64 = 30;

/// Most turns of a session that are remembered by hash until they are in its transcript.
pub const HOST_TURNS_NOTED_MAX: usize = 64;

/// Most turns that one hook takes from transcripts, since each is synced; the next hook takes more.
pub const HOST_TURNS_CAUGHT_UP_MAX: usize = 5;

/// Most bytes of transcripts that one hook reads.
pub const HOST_READ_BYTES_MAX: u64 = 8 * 1024 * 1024;

/// Largest piece of a transcript that is read in one step, in bytes; a longer line is skipped.
pub const HOST_PIECE_BYTES_MAX: u64 = 8 * 1024 * 1024;

/// Most bytes of such a line that one hook skips.
pub const HOST_LINE_SKIPPED_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// Most consecutive attempts to read an unreadable transcript.
pub const HOST_TRANSCRIPT_TRIES_MAX: u32 = 10;

/// Open files of one agent that is watched and searched by two threads: two for its folder, one for its watch, nine for
/// `index.db` with two connections for each search, and five for `memory.db` with two connections.
pub const AGENT_DESCRIPTORS: usize = 17;

/// Largest SQLite cache of one database, in bytes.
pub const AGENT_CACHE_BYTES_MAX: u64 = 8 * 1024 * 1024;

/// Most open files of all agents of a process.
pub const ENGINE_DESCRIPTORS_MAX: usize = 1_300;

/// Most bytes of database caches of all agents of a process.
pub const ENGINE_BYTES_MAX: u64 = 192 * 1024 * 1024;
