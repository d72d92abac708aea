//! The files of an agent: opening, listing, reading, writing and seeding.
//!
//! Reading order: [`syscalls`] (the disk), [`FsFiles`] and [`MemFiles`] (the files), [`view`] (visibility),
//! [`writer`] (changes), [`recovery`] (after a crash), [`seed`], [`generation`], [`identity`], [`profile`],
//! [`mod@diff`], [`history`] (the past), [`transcripts`] (beside the workspace), [`guard`] and [`dream_lock`]
//! (locks), [`foreign`] (untrusted folders), [`limit`] (limits). Invariant: only this crate accesses an agent's
//! files; it has no SQL and no network.
//!
//! ```
//! use inwit_workspace::{FsFiles, profile, seed};
//!
//! let folder = tempfile::tempdir()?;
//! let files = FsFiles::open(folder.path())?;
//! let personal = profile::named("personal").expect("compiled in");
//! let plan = seed::plan(&files, &files.landmarks()?, &personal)?;
//! assert_eq!(seed::carry_out(&files, &plan)?.created.len(), 7);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod diff;
pub mod dream_lock;
pub mod fault;
pub mod file_lock;
pub mod foreign;
pub mod generation;
pub mod guard;
pub mod history;
pub mod identity;
pub mod limit;
pub mod lock;
pub mod plain;
pub mod process_group;
pub mod profile;
pub mod receipt;
pub mod recovery;
pub mod seed;
pub mod shared_storage;
pub mod stopwatch;
pub mod syscalls;
pub mod template;
pub mod transcripts;
pub mod view;
#[cfg(target_os = "linux")]
mod watch;
pub mod writer;

mod fs_files;
mod mem_files;
mod sieve;

pub use dream_lock::{DreamLock, LockSyscalls};
pub use fault::Fault;
pub use foreign::ForeignFolder;
pub use fs_files::{FsFiles, Landmarks, Others};
pub use generation::Generation;
pub use guard::{Guard, GuardKind, LockFolder};
pub use history::History;
pub use identity::Identity;
pub use lock::{LockGuard, OwnLock, WriteLock};
pub use mem_files::MemFiles;
pub use receipt::Receipt;
pub use recovery::Recovered;
pub use sieve::Extensions;
pub use stopwatch::{RealStopwatch, Stopwatch};
pub use syscalls::{RealSyscalls, Syscalls};
pub use transcripts::Transcripts;
pub use view::{ListedView, PrivateView, ScopedReader, SharedView, View, Workspace};
pub use writer::{Applied, ApplyError, Writer};
