//! The storage of an agent beside its files, opened on demand (D17).
//!
//! A missing home is created for the owner only. Invariant: reading creates nothing.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use inwit_engine::core::store::{BroughtBack, KnownReceipts, Renewal};
use inwit_engine::history::past::HistoryHome;
use inwit_engine::{AgentDeps, PastHome, PastPorts, Store, TranscriptHome};
use inwit_model::{AgentId, Code, Entropy, FileError, HistoryPlace, name};
use inwit_store::memory::Audit as _;
use inwit_store::{IndexError, Memory, MemoryError};
use inwit_store_sqlite::{SqliteIndex, SqliteLifetimes, SqliteMemory};
use inwit_workspace::dream_lock::{Claim, Ports, RealProcesses};
use inwit_workspace::guard::NoGuard;
use inwit_workspace::{DreamLock, Guard, LockFolder, LockGuard, RealStopwatch, WriteLock};

use crate::backup::path::Side;
use crate::backup::{newest, staged};
use crate::clock::SystemClock;
use crate::config::AgentConfig;
use crate::entropy::SystemEntropy;
use crate::error::HomeError;
use crate::meaning::LocalModels;
use crate::place::{AgentPlace, HomePaths};
use crate::secret_hashes::SecretHashFile;
use crate::spool::SpoolFile;
use crate::{copies, own};

/// How a command uses the storage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// May write: an earlier version of memory.db is migrated.
    Work,
    /// May write, with a total limit on waiting for other processes, after which it fails.
    Until(Instant),
    /// May write at the end of a host's session: a busy history is left to a later command.
    Idle,
    /// It changes nothing.
    Look,
}

impl Use {
    /// The deadline for locks, if shorter than the default.
    fn until(self) -> Option<Instant> {
        match self {
            Self::Until(until) => Some(until),
            Self::Work | Self::Idle | Self::Look => None,
        }
    }

    /// Longest wait for the history lock, if not the default: a host waits for its hook.
    fn history_wait(self) -> Option<Duration> {
        matches!(self, Self::Until(_) | Self::Idle).then_some(Duration::ZERO)
    }

    /// The remaining time.
    pub fn wait(self) -> Option<Duration> {
        self.until().map(|until| until.saturating_duration_since(Instant::now()))
    }
}

/// The dependencies of the agent at `chosen`, as `config` says.
pub fn keeping(chosen: &AgentPlace, config: &AgentConfig, use_of: Use) -> Result<AgentDeps, HomeError> {
    let opened = folder_of(&chosen.workspace);
    Ok(keeping_with(chosen, config, use_of, &LocalModels::default(), opened)?.0)
}

/// The same with models shared in the process, and with the device and inode of the workspace when it was `opened`;
/// and its `memory.db`.
pub(crate) fn keeping_with(
    chosen: &AgentPlace,
    config: &AgentConfig,
    use_of: Use,
    models: &LocalModels,
    opened: Option<(u64, u64)>,
) -> Result<(AgentDeps, Arc<MemoryFile>), HomeError> {
    chosen.refuse_links()?;
    let id =
        AgentId::parse(&chosen.id).map_err(|error| HomeError::new(Code::SettingBad, error.to_string()))?;
    let workspace = chosen.workspace.canonicalize().unwrap_or_else(|_| chosen.workspace.clone());
    let locks = LockFolder::for_workspace(&config.paths.state, &workspace);
    let place = config.profile.history;
    let git_dir = (place != HistoryPlace::Off).then(|| {
        let side = chosen.history_side(place);
        match side {
            Side::Workspace => workspace.join(side.history()),
            Side::Home => chosen.home.join(side.history()),
        }
    });
    let memory = Arc::new(MemoryFile {
        home: chosen.home.clone(),
        use_of,
        opened: Mutex::default(),
        workspace: workspace.clone(),
        paths: config.paths.clone(),
    });
    let keeping = AgentDeps {
        id,
        store: Arc::clone(&memory) as Arc<dyn Store>,
        lock: Arc::new(WriteGuard { locks: locks.clone(), use_of, opened, workspace: workspace.clone() }),
        entropy: Arc::new(SystemEntropy),
        tighter: config.tighter.clone(),
        rules: config.rules.clone(),
        history: git_dir.map(|git_dir| HistoryHome { git_dir, place, lock_wait: use_of.history_wait() }),
        past: Some(past(chosen.home.clone())),
        transcripts: config.transcripts.as_ref().map(|transcripts| TranscriptHome {
            folder: chosen.transcripts(),
            redaction: transcripts.redaction.clone(),
            wait_until: use_of.until(),
        }),
        fill_door: Some(fill_door(locks.clone())),
        dream_door: Some(dream_door(workspace, locks, config.surface, config.dream_lock_ttl)),
        dream_engines: config.dreams.engines.clone(),
        records_recall: config.records_recall,
        spool: Some(Box::new(SpoolFile::of(&chosen.home))),
        secrets: Some(Box::new(SecretHashFile::of(&chosen.home))),
        meaning: crate::meaning::of(&config.embedding, &chosen.home, models),
        reranker: config.reranker.as_deref().map(|folder| models.reranker_at(folder)),
        weights: config.weights,
    };
    Ok((keeping, memory))
}

/// The dependencies of an in-memory agent.
pub fn in_memory() -> Result<AgentDeps, HomeError> {
    let memory = SqliteMemory::in_memory()?;
    Ok(AgentDeps::alone(Arc::new(memory), Arc::new(SystemEntropy)))
}

/// The cache of past states, opened on demand.
fn past(home: PathBuf) -> PastHome {
    let open = move || -> Result<PastPorts, IndexError> {
        own::make_folder(&home).map_err(|error| IndexError::Unwritable(error.to_string()))?;
        Ok(PastPorts {
            lifetimes: Box::new(SqliteLifetimes::open(&home.join("past.db"))?.0),
            index: Box::new(SqliteIndex::open(&home.join("past-index.db"))?.0),
        })
    };
    let spare = || -> Result<PastPorts, IndexError> {
        Ok(PastPorts {
            lifetimes: Box::new(SqliteLifetimes::in_memory()?),
            index: Box::new(SqliteIndex::in_memory()?),
        })
    };
    PastHome { open: Box::new(open), spare: Box::new(spare) }
}

/// `memory.db` of one home.
pub struct MemoryFile {
    home: PathBuf,
    use_of: Use,
    opened: Mutex<Option<OpenMemory>>,
    /// The workspace whose guard is held while the file is exchanged.
    workspace: PathBuf,
    paths: HomePaths,
}

/// The open memory, and the number of its audit rows at opening.
struct OpenMemory {
    memory: Arc<SqliteMemory>,
    rows: u64,
}

impl MemoryFile {
    /// Whether anything was written since: every operation has an audit row.
    pub(crate) fn has_written(&self) -> bool {
        let opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        let is_later =
            |opened: &OpenMemory| opened.memory.audit_head().is_ok_and(|head| head.rows != opened.rows);
        self.use_of == Use::Work && opened.as_ref().is_some_and(is_later)
    }

    fn path(&self) -> PathBuf {
        self.home.join("memory.db")
    }

    /// The error if the file is missing or empty while an intact copy shows that it was not: starting empty would
    /// displace the good copies. SQLite is not used, since it removes the log of an empty file.
    fn loss(&self) -> Option<&'static str> {
        let what = match self.path().symlink_metadata() {
            Ok(found) if found.is_file() && found.len() == 0 => {
                "is empty, but backups/ contains copies that are not"
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                "is missing, but backups/ contains copies of it"
            }
            _ => return None,
        };
        newest::newest(&self.home).is_ok().then_some(what)
    }
}

impl Store for MemoryFile {
    fn open(&self) -> Result<Arc<dyn Memory>, MemoryError> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(opened) = opened.as_ref() {
            return Ok(Arc::clone(&opened.memory) as _);
        }
        own::make_folder(&self.home).map_err(|error| own::failed(&self.home, &error))?;
        let copy_to = || Ok(copies::place(&self.home)?);
        if let Some(what) = self.loss() {
            return Err(SqliteMemory::refusal(what));
        }
        let memory = Arc::new(match self.use_of {
            Use::Work | Use::Idle => SqliteMemory::open_keeping(&self.path(), &copy_to)?,
            Use::Until(until) => opened_in_time(self.path(), self.home.clone(), until)?,
            Use::Look => SqliteMemory::open_to_look(&self.path())?,
        });
        let rows = if self.use_of == Use::Work { memory.audit_head()?.rows } else { 0 };
        *opened = Some(OpenMemory { memory: Arc::clone(&memory), rows });
        Ok(memory)
    }

    fn is_made(&self) -> bool {
        // A missing or invalid file is opened, so that it is reported.
        let is_begun = |found: std::fs::Metadata| !found.is_file() || found.len() > 0;
        self.path().symlink_metadata().is_ok_and(is_begun) || self.loss().is_some()
    }

    fn renewal(&self) -> Option<&dyn Renewal> {
        Some(self)
    }
}

/// Additional time for opening after the deadline, in milliseconds.
const OPENING_MS: u64 = 100;

/// Opens it in a thread: if `memory.db-shm` is locked as a whole, SQLite waits ten seconds regardless of timeouts. An
/// abandoned thread ends with the process, and its work is rolled back.
fn opened_in_time(path: PathBuf, home: PathBuf, until: Instant) -> Result<SqliteMemory, MemoryError> {
    let (sender, receiver) = std::sync::mpsc::sync_channel(1);
    std::thread::spawn(move || {
        let copy_to = || Ok(copies::place(&home)?);
        let _ = sender.send(SqliteMemory::open_until(&path, &copy_to, until));
    });
    let left = until.saturating_duration_since(Instant::now()) + Duration::from_millis(OPENING_MS);
    receiver
        .recv_timeout(left)
        .unwrap_or_else(|_| Err(MemoryError::new(Code::Locked, "memory.db is locked by another process.")))
}

impl Renewal for MemoryFile {
    fn damage(&self) -> Result<Option<String>, MemoryError> {
        match self.loss() {
            Some(what) => Ok(Some(format!("memory.db {what}"))),
            None => SqliteMemory::damage(&self.path()),
        }
    }

    fn foresee(&self) -> Result<(BroughtBack, KnownReceipts), MemoryError> {
        newest::foresee(&self.home)
    }

    fn bring_back(&self) -> Result<BroughtBack, MemoryError> {
        // A handle opened before the damage was detected is dropped.
        *self.opened.lock().unwrap_or_else(PoisonError::into_inner) = None;
        newest::bring_back(&self.paths, &self.home, &self.workspace)
    }

    fn staged(&self) -> Vec<String> {
        let left = staged::left(&self.home, &self.workspace, &self.paths);
        left.into_iter().map(|path| path.display().to_string()).collect()
    }

    fn take_staged_away(&self) -> Result<u64, MemoryError> {
        Ok(staged::take_away(&self.home, &self.workspace, &self.paths)?)
    }
}

/// The kernel lock around one apply. Invariant: it is granted only while the workspace's path leads to the opened
/// folder, since a restore may have replaced it.
struct WriteGuard {
    locks: LockFolder,
    use_of: Use,
    workspace: PathBuf,
    /// Device and inode of that folder; `None` if it did not exist.
    opened: Option<(u64, u64)>,
}

/// Device and inode of `path`.
fn folder_of(path: &Path) -> Option<(u64, u64)> {
    path.metadata().ok().map(|found| (found.dev(), found.ino()))
}

/// A guard that is held.
struct HeldGuard(Guard);

impl LockGuard for HeldGuard {
    fn follows_a_death(&self) -> bool {
        self.0.follows_a_death()
    }
}

impl WriteLock for WriteGuard {
    fn take(&self) -> Result<Box<dyn LockGuard + '_>, FileError> {
        let guard = self.locks.write_within(self.use_of.wait(), &RealStopwatch)?;
        let now = folder_of(&self.workspace);
        if self.opened.is_some() && now != self.opened {
            let shown = name::shown(&self.workspace.to_string_lossy());
            let message = match now {
                None => format!("{shown} no longer exists."),
                Some(_) => format!(
                    "{shown} was replaced after it was opened, for example by a restore. End this process and start it again to use the new folder."
                ),
            };
            return Err(FileError { code: Code::WorkspaceMissing, message });
        }
        Ok(Box::new(HeldGuard(guard)))
    }
}

/// If the lock cannot be created, filling proceeds: at worst a text is embedded twice.
fn fill_door(locks: LockFolder) -> inwit_engine::notes::meaning::FillDoor {
    Box::new(move |wait| match locks.fill(wait, &RealStopwatch) {
        Ok(guard) => Some(Box::new(guard)),
        Err(NoGuard::Busy { .. }) => None,
        Err(NoGuard::Unavailable { .. }) => Some(Box::new(())),
    })
}

fn dream_door(
    workspace: PathBuf,
    locks: LockFolder,
    surface: &'static str,
    ttl: Duration,
) -> inwit_engine::learning::dreaming::DreamDoor {
    Box::new(move |draw| {
        let entropy = SystemEntropy.sixteen();
        // The fence number is drawn once the guard is held.
        let claim = Claim { surface, ttl, fence: 0, entropy };
        let ports = Ports { processes: &RealProcesses, clock: &SystemClock, stopwatch: &RealStopwatch };
        DreamLock::acquire_drawing(Path::new(&workspace), &locks, &claim, draw, ports)
    })
}
