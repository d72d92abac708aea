//! The files of an agent: opened, listed, read, written and seeded.
//!
//! Reading order: [`syscalls`] (what a disk does), [`FsFiles`] and [`MemFiles`] (the files),
//! [`view`] (who sees which), [`writer`] (how one is changed), [`recovery`] (after a crash), [`seed`], [`generation`], [`identity`], [`profile`], [`mod@diff`]
//! (what differs), [`history`] (what was), [`transcripts`] (what was said, beside the workspace), [`guard`] and
//! [`dream_lock`] (who may write, who may dream), [`foreign`] (folders from elsewhere), [`limit`] (every cap).
//! Invariant: this crate alone touches an agent's files; it knows no SQL and no network.
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
