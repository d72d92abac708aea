//! The files of an agent: opened, listed, read, made and seeded.
//!
//! Invariant: this crate alone touches an agent's files; it knows no SQL and no network.

pub mod fault;
pub mod generation;
pub mod profile;
pub mod seed;
pub mod syscalls;
pub mod template;

mod fs_files;
mod mem_files;
mod sieve;

pub use fault::Fault;
pub use fs_files::{FsFiles, Landmarks};
pub use generation::Generation;
pub use mem_files::MemFiles;
pub use syscalls::{RealSyscalls, Syscalls};
