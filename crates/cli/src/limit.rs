//! Every cap of the program itself, with its unit in its name.

/// Most files and folders that a backup may name.
pub const BACKUP_ENTRIES_MAX: usize = 1_000_000;

/// Largest sum of the sizes of all files of a backup, in bytes.
pub const BACKUP_BYTES_MAX: u64 = 1 << 40;

/// Largest file of a backup, in bytes: a sparse file of this size reads as as many bytes of nothing.
pub const BACKUP_FILE_BYTES_MAX: u64 = 16 << 30;

/// Largest manifest of a backup that is read, in bytes.
pub const BACKUP_MANIFEST_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// Longest path that a backup may name, in bytes.
pub const BACKUP_PATH_BYTES_MAX: usize = 4_096;

/// Longest version of inwit that a manifest may name, in characters.
pub const BACKUP_VERSION_CHARS_MAX: usize = 64;

/// Largest file of inwit's own that is read (`config.toml`, `agent.toml` and such), in bytes.
pub const OWN_FILE_BYTES_MAX: u64 = 256 * 1024;

/// Largest file of hashes of forgotten texts that is read or written (the register in the state folder, the marker of an
/// erasure that has not ended), in bytes: about 400,000 texts.
pub const FORGOTTEN_BYTES_MAX: u64 = 64 * 1024 * 1024;
