//! The files of an agent: opened, listed, read and made.
//!
//! Invariant: this crate alone touches an agent's files; it knows no SQL and no network.

pub mod fault;
pub mod syscalls;

mod fs_files;
mod mem_files;
mod sieve;

pub use fault::Fault;
pub use fs_files::{FsFiles, Landmarks};
pub use mem_files::MemFiles;
pub use syscalls::{RealSyscalls, Syscalls};
