//! Detects changes of a workspace by the kernel, in place of a walk over every file.
//!
//! Linux queues an event before the changing call returns, and callers read the queue here, without a thread
//! ([0010](../../../docs/decisions/0010-the-kernel-reports-changes.md)). Invariant: a folder is watched before it
//! is read, so a listing after [`Watch::changes`] is at least as new as its answer. If a folder cannot be watched
//! there is no answer, and callers walk.

use std::collections::BTreeSet;
use std::mem::MaybeUninit;
use std::time::Duration;

use inwit_model::limit::WORKSPACE_DEPTH_MAX;
use inwit_model::place::is_foreign_folder;
use rustix::fd::{AsRawFd as _, OwnedFd};
use rustix::fs::fstatfs;
use rustix::fs::inotify::{self, CreateFlags, ReadFlags, Reader, WatchFlags};
use rustix::io::Errno;

use crate::fs_files::ignored::IGNORE_FILES;
use crate::limit::{WATCH_CHECK_SECONDS_MAX, WATCH_FOLDERS_MAX};
use crate::sieve;
use crate::stopwatch::{RealStopwatch, Stopwatch};
use crate::syscalls::{Kind, RealSyscalls, Syscalls as _};

/// What may change a listing, the bytes of a file or its stamp.
const WATCHED: WatchFlags = WatchFlags::MODIFY
    .union(WatchFlags::ATTRIB)
    .union(WatchFlags::CREATE)
    .union(WatchFlags::DELETE)
    .union(WatchFlags::MOVED_FROM)
    .union(WatchFlags::MOVED_TO)
    .union(WatchFlags::DELETE_SELF)
    .union(WatchFlags::MOVE_SELF)
    .union(WatchFlags::ONLYDIR);

/// Bytes of events that are read at a time.
const READ_BYTES: usize = 16 * 1024;

/// File systems whose every change passes through this kernel: ext2 to 4, XFS, Btrfs, tmpfs, F2FS, overlayfs, ZFS,
/// bcachefs, ramfs. Of what lies on another machine or behind FUSE, others' changes make no event.
const LOCAL: &[i64] = &[
    0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0xF2F5_2010, 0x794C_7630, 0x2FC1_2FC1, 0xCA45_1A4E,
    0x8584_58F6,
];

/// See the module.
pub(crate) struct Watch {
    root: OwnedFd,
    syscalls: RealSyscalls,
    stopwatch: Box<dyn Stopwatch>,
    /// `None`: not watched, for lack of watches or since something failed.
    queue: Option<Queue>,
    folders_max: usize,
    changes: u64,
    /// When the next full check is due; before it, what failed is not tried again.
    due: Option<Duration>,
}

/// The kernel's queue, and the watched folders.
struct Queue {
    inotify: OwnedFd,
    folders: BTreeSet<i32>,
    folders_max: usize,
}

/// Why nothing is watched.
struct Unwatched;

impl From<Errno> for Unwatched {
    fn from(_: Errno) -> Self {
        Self
    }
}

/// What the queue held.
#[derive(Default)]
struct Drained {
    is_changed: bool,
    /// Folders came, went or moved, or events were lost.
    is_moved: bool,
}

impl Watch {
    /// A watch of the folder `root`; it starts with the first call.
    pub fn of(root: OwnedFd) -> Self {
        Self {
            root,
            syscalls: RealSyscalls::default(),
            stopwatch: Box::new(RealStopwatch),
            queue: None,
            folders_max: WATCH_FOLDERS_MAX,
            changes: 0,
            due: None,
        }
    }

    /// A counter that changes whenever anything may have changed since the last call; `None` if unknown. It changes
    /// at least every [`WATCH_CHECK_SECONDS_MAX`], since not every change causes an event.
    pub fn changes(&mut self) -> Option<u64> {
        let now = self.stopwatch.elapsed();
        let is_due = self.due.is_none_or(|due| due <= now);
        if is_due {
            self.due = Some(now + Duration::from_secs(WATCH_CHECK_SECONDS_MAX));
            self.changes += 1;
            if self.queue.is_none() {
                self.queue = Queue::begin(self.folders_max).ok();
            }
        }
        let queue = self.queue.as_mut()?;
        match queue.brought_up(&self.syscalls, &self.root, is_due) {
            Ok(is_changed) => self.changes += u64::from(is_changed),
            Err(Unwatched) => self.queue = None,
        }
        self.queue.as_ref().map(|_| self.changes)
    }
}

impl Queue {
    fn begin(folders_max: usize) -> Result<Self, Unwatched> {
        let inotify = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC)?;
        Ok(Self { inotify, folders: BTreeSet::new(), folders_max })
    }

    /// Reads all events; if folders moved, or at a full check, every folder is searched again.
    fn brought_up(
        &mut self,
        syscalls: &RealSyscalls,
        root: &OwnedFd,
        is_due: bool,
    ) -> Result<bool, Unwatched> {
        let drained = self.drain()?;
        if drained.is_moved || is_due {
            // A folder that comes after its parent was read is an event of the next call, whatever changes in it until then.
            let mut seen = BTreeSet::new();
            self.watch_below(syscalls, syscalls.open_dir(root, b".").map_err(|_| Unwatched)?, 0, &mut seen)?;
            for gone in self.folders.difference(&seen) {
                // Of a folder that is gone the kernel has taken the watch away.
                let _ = inotify::remove_watch(&self.inotify, *gone);
            }
            self.folders = seen;
        }
        Ok(drained.is_changed)
    }

    fn drain(&self) -> Result<Drained, Unwatched> {
        let mut buffer = [MaybeUninit::uninit(); READ_BYTES];
        let mut events = Reader::new(&self.inotify, &mut buffer);
        let mut drained = Drained::default();
        loop {
            match events.next() {
                Err(Errno::WOULDBLOCK) => return Ok(drained),
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
                Ok(event) => {
                    let told = event.events();
                    let is_folder = told.intersects(ReadFlags::ISDIR);
                    let of_itself = ReadFlags::DELETE_SELF | ReadFlags::MOVE_SELF | ReadFlags::UNMOUNT;
                    let is_lost = told.intersects(ReadFlags::QUEUE_OVERFLOW | of_itself);
                    let name = event.file_name().map(|name| name.to_bytes());
                    let is_hidden = name.is_some_and(sieve::is_hidden);
                    let has_rules =
                        name.is_some_and(|name| IGNORE_FILES.iter().any(|file| file.as_bytes() == name));
                    // The kernel says so of every watch that is taken away.
                    let is_idle = told == ReadFlags::IGNORED || is_hidden && !has_rules;
                    let moves = ReadFlags::CREATE
                        | ReadFlags::DELETE
                        | ReadFlags::MOVED_FROM
                        | ReadFlags::MOVED_TO
                        // A folder that may be opened from now on, or no more.
                        | ReadFlags::ATTRIB;
                    drained.is_changed |= is_lost || !is_idle;
                    drained.is_moved |= is_lost || is_folder && !is_hidden && told.intersects(moves);
                }
            }
        }
    }

    /// Watches `folder` and all below it that a listing walks; each is watched before it is read.
    #[allow(clippy::useless_conversion, reason = "the type of `f_type` differs between systems")]
    fn watch_below(
        &self,
        syscalls: &RealSyscalls,
        folder: OwnedFd,
        depth: usize,
        seen: &mut BTreeSet<i32>,
    ) -> Result<(), Unwatched> {
        let kind = fstatfs(&folder)?.f_type;
        if !LOCAL.contains(&i64::from(kind)) || seen.len() >= self.folders_max {
            return Err(Unwatched);
        }
        // By its open handle: a path could be another folder by now.
        let path = format!("/proc/self/fd/{}", folder.as_raw_fd());
        seen.insert(inotify::add_watch(&self.inotify, path, WATCHED)?);
        // One that cannot be read is listed as unreadable until its mode changes, which is an event.
        for found in syscalls.list(&folder).unwrap_or_default() {
            let is_tools = std::str::from_utf8(&found.name).is_ok_and(is_foreign_folder);
            let is_folder = matches!(found.kind, Kind::Folder | Kind::Unknown);
            if !is_folder || is_tools || sieve::is_hidden(&found.name) || depth >= WORKSPACE_DEPTH_MAX {
                continue;
            }
            if let Ok(inner) = syscalls.open_dir(&folder, &found.name) {
                self.watch_below(syscalls, inner, depth + 1, seen)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use inwit_testkit::fixture::put;

    use super::*;

    /// Seconds that pass when the test says so.
    #[derive(Clone, Default)]
    struct Seconds(Arc<AtomicU64>);

    impl Stopwatch for Seconds {
        fn elapsed(&self) -> Duration {
            Duration::from_secs(self.0.load(Ordering::Relaxed))
        }

        fn wait(&self, _pause: Duration) {}
    }

    fn watch(folder: &Path) -> (Watch, Seconds) {
        let root = RealSyscalls::default().open_root(folder).expect("opened");
        let seconds = Seconds::default();
        (Watch { stopwatch: Box::new(seconds.clone()), ..Watch::of(root) }, seconds)
    }

    fn workspace() -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(folder.path().join("notes/old")).expect("made");
        for file in ["a.md", "notes/b.md", "notes/old/c.md"] {
            put(folder.path(), file, b"- Rye.\n");
        }
        folder
    }

    /// Whether each of these edits was noticed, by the next question.
    #[track_caller]
    fn notices(watch: &mut Watch, edits: &[(&str, &dyn Fn())]) {
        let mut last = watch.changes().expect("watched");
        for (what, edit) in edits {
            assert_eq!(watch.changes(), Some(last), "nothing changed before: {what}");
            edit();
            let now = watch.changes().expect("watched");
            assert_ne!(now, last, "{what}");
            last = now;
        }
    }

    #[test]
    fn what_may_change_an_answer_is_noticed_by_the_next_question() {
        let folder = workspace();
        let at = |path: &str| folder.path().join(path);
        let (mut watch, _) = watch(folder.path());
        notices(
            &mut watch,
            &[
                ("bytes", &|| put(folder.path(), "notes/old/c.md", b"- Oat.\n")),
                ("size", &|| {
                    let open = fs::OpenOptions::new().write(true).open(at("a.md")).expect("there");
                    open.set_len(3).expect("cut");
                }),
                ("a rename", &|| fs::rename(at("a.md"), at("notes/a.md")).expect("renamed")),
                ("a new file in a new folder", &|| {
                    fs::create_dir_all(at("x/y")).expect("made");
                    put(folder.path(), "x/y/d.md", b"- Rye.\n");
                }),
                ("bytes in the new folder", &|| put(folder.path(), "x/y/d.md", b"- Oat.\n")),
                ("a folder that moves", &|| fs::rename(at("x"), at("notes/x")).expect("renamed")),
                ("bytes in the folder that moved", &|| put(folder.path(), "notes/x/y/d.md", b"- Nut.\n")),
                ("a removal", &|| fs::remove_file(at("notes/x/y/d.md")).expect("removed")),
                ("a folder that goes", &|| fs::remove_dir_all(at("notes/x")).expect("removed")),
                ("a link", &|| fs::hard_link(at("notes/b.md"), at("e.md")).expect("linked")),
            ],
        );
    }

    #[test]
    fn what_no_answer_depends_on_costs_no_walk() {
        let folder = workspace();
        let (mut watch, _) = watch(folder.path());
        let last = watch.changes();
        fs::read(folder.path().join("a.md")).expect("read");
        put(folder.path(), ".staged", b"- Rye.\n");
        fs::create_dir_all(folder.path().join(".git/objects")).expect("made");
        assert_eq!(watch.changes(), last);
    }

    /// The kernel drops events beyond its limit; the lost changes are searched.
    #[test]
    fn a_queue_that_overflowed_loses_nothing() {
        let folder = workspace();
        let at = |path: &str| folder.path().join(path);
        let (mut watch, _) = watch(folder.path());
        let before = watch.changes().expect("watched");
        let most = fs::read_to_string("/proc/sys/fs/inotify/max_queued_events").expect("Linux");
        let most: usize = most.trim().parse().expect("a number");
        let files = ["a.md", "notes/b.md"]
            .map(|file| fs::OpenOptions::new().write(true).open(at(file)).expect("there"));
        for event in 0..most + 2 {
            // Two that are equal and follow each other are one event.
            files[event % 2].set_len(event as u64 / 2 % 9).expect("cut");
        }
        fs::create_dir_all(at("lost")).expect("made");
        assert_ne!(watch.changes().expect("watched"), before);
        notices(&mut watch, &[("in a folder of a lost event", &|| put(folder.path(), "lost/d.md", b"x"))]);
    }

    #[test]
    fn a_full_check_is_due_now_and_then() {
        let folder = workspace();
        let (mut watch, seconds) = watch(folder.path());
        let first = watch.changes().expect("watched");
        seconds.0.store(WATCH_CHECK_SECONDS_MAX - 1, Ordering::Relaxed);
        assert_eq!(watch.changes(), Some(first));
        seconds.0.store(WATCH_CHECK_SECONDS_MAX, Ordering::Relaxed);
        assert_ne!(watch.changes(), Some(first));
    }

    /// If not every folder can be watched, there is no answer; watching is retried later.
    #[test]
    fn more_folders_than_can_be_watched_are_walked() {
        let folder = workspace();
        let (watch, seconds) = watch(folder.path());
        let mut watch = Watch { folders_max: 3, ..watch };
        assert!(watch.changes().is_some(), "the root and two below");
        fs::create_dir(folder.path().join("more")).expect("made");
        assert_eq!([watch.changes(), watch.changes()], [None, None]);
        fs::remove_dir(folder.path().join("more")).expect("removed");
        assert_eq!(watch.changes(), None);
        seconds.0.store(WATCH_CHECK_SECONDS_MAX, Ordering::Relaxed);
        assert!(watch.changes().is_some());
    }
}
