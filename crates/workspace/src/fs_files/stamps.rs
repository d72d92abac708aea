//! Stamps of the files of a walk, read on a separate thread during the walk.
//!
//! Each needs a system call, as much as all other work per file. Invariants: results keep the order of requests; a
//! small workspace starts no thread; at most [`FOLDERS_WAITING_MAX`] folders are kept open.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{Scope, ScopedJoinHandle};

use inwit_model::SafeName;

use crate::fault::Fault;
use crate::syscalls::{Status, Syscalls};

/// Fewest files for which a thread is worth its start.
const THREAD_FILES_MIN: usize = 1_000;

/// Most folders that wait for the thread, each of which is open.
const FOLDERS_WAITING_MAX: usize = 32;

/// A file that is to be listed.
pub(super) struct Candidate {
    /// Its name as we spell it.
    pub name: SafeName,
    /// The name that its folder has for it.
    pub on_disk: Vec<u8>,
    /// Its path from the root as the disk spells it, where that is not the name.
    pub path: Option<Vec<u8>>,
    /// Whether rules leave it out.
    pub is_ignored: bool,
}

/// A candidate, and what the disk says of it.
pub(super) type StatedCandidate = (Candidate, Result<Status, Fault>);

/// Files of one folder.
type Batch<S> = (Arc<<S as Syscalls>::Dir>, Vec<Candidate>);

/// The stamps of one walk.
pub(super) struct Stamps<'scope, 'env, S: Syscalls> {
    syscalls: &'env S,
    scope: &'scope Scope<'scope, 'env>,
    count: usize,
    asked: Vec<StatedCandidate>,
    helper: Option<Helper<'scope, S>>,
}

struct Helper<'scope, S: Syscalls> {
    batches: SyncSender<Batch<S>>,
    thread: ScopedJoinHandle<'scope, Vec<StatedCandidate>>,
}

impl<'scope, 'env, S: Syscalls> Stamps<'scope, 'env, S> {
    /// None yet.
    pub fn new(syscalls: &'env S, scope: &'scope Scope<'scope, 'env>) -> Self {
        Self { syscalls, scope, count: 0, asked: Vec::new(), helper: None }
    }

    /// How many files were asked for.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Asks for files of the folder `dir`.
    pub fn ask(&mut self, dir: &Arc<S::Dir>, files: Vec<Candidate>) {
        if files.is_empty() {
            return;
        }
        self.count += files.len();
        if self.count < THREAD_FILES_MIN {
            self.asked.extend(files.into_iter().map(|file| ask(self.syscalls, dir, file)));
            return;
        }
        let (syscalls, scope) = (self.syscalls, self.scope);
        let helper = self.helper.get_or_insert_with(|| Helper::start(syscalls, scope));
        // The thread takes batches until the sender is gone.
        let _ = helper.batches.send((Arc::clone(dir), files));
    }

    /// All of them, in the order in which they were asked for.
    pub fn take(&mut self) -> Vec<StatedCandidate> {
        let mut asked = std::mem::take(&mut self.asked);
        if let Some(helper) = self.helper.take() {
            drop(helper.batches);
            match helper.thread.join() {
                Ok(others) => asked.extend(others),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        asked
    }
}

impl<'scope, S: Syscalls> Helper<'scope, S> {
    fn start<'env>(syscalls: &'env S, scope: &'scope Scope<'scope, 'env>) -> Self {
        let (batches, waiting): (SyncSender<Batch<S>>, Receiver<Batch<S>>) =
            sync_channel(FOLDERS_WAITING_MAX);
        let thread = scope.spawn(move || {
            let ask_all = |(dir, files): Batch<S>| -> Vec<StatedCandidate> {
                files.into_iter().map(|file| ask(syscalls, &dir, file)).collect()
            };
            waiting.into_iter().flat_map(ask_all).collect()
        });
        Self { batches, thread }
    }
}

fn ask<S: Syscalls>(syscalls: &S, dir: &S::Dir, file: Candidate) -> StatedCandidate {
    let status = syscalls.stat(dir, &file.on_disk);
    (file, status)
}
