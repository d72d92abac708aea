//! The renames at the end of a restore, resumable after any interruption.
//!
//! A plan is synced first, then names change one by one, and the plan is removed last. Every command checks for a
//! plan first and continues it. Progress is determined from the folders, so a plan is idempotent. Invariant: at any
//! time both the old and the new data are complete, each under one name.

use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path, PathBuf};

use inwit_model::{Code, FileError};
use inwit_workspace::{Guard, LockFolder, RealStopwatch, plain};
use serde::{Deserialize, Serialize};

use super::is_free;
use crate::error::HomeError;
use crate::limit::OWN_FILE_BYTES_MAX;
use crate::own;
use crate::place::{AgentPlace, HomePaths};

/// The file of a pending plan, in the folder of all agents.
const PLAN: &str = ".restoring.json";

/// Most names tried for moved-aside data.
const ASIDE_TRIES_MAX: usize = 100;

/// A plan of renames.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The workspace whose guard locks out others.
    pub guarded: PathBuf,
    /// One for each folder, in order.
    pub pairs: Vec<Pair>,
    /// Files moved aside first without replacement: the write-ahead log of the old database would be applied to the
    /// new one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub leaving: Vec<Leaving>,
}

/// One file that moves aside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Leaving {
    /// Its place.
    pub from: PathBuf,
    /// Its new name, beside it.
    pub to: PathBuf,
}

/// One new folder and its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    /// The place.
    pub place: PathBuf,
    /// The staged folder, beside it; gone once renamed.
    pub staged: PathBuf,
    /// The new name of the existing folder.
    pub aside: PathBuf,
}

/// Carries out a plan under the caller's guard. Returns the names of moved-aside data. On an error all renames are
/// undone; if that fails, the plan stays and the next command continues.
pub fn carry_out(paths: &HomePaths, mut plan: Plan) -> Result<Vec<PathBuf>, HomeError> {
    let file = paths.agents().join(PLAN);
    for pair in &mut plan.pairs {
        let parent = pair.place.parent().unwrap_or(Path::new("/"));
        own::make_folder(parent).map_err(|error| own::failed(parent, &error))?;
        pair.aside = free_name(&pair.aside).map_err(|error| own::failed(&pair.aside, &error))?;
    }
    for leaving in &mut plan.leaving {
        leaving.to = free_name(&leaving.to).map_err(|error| own::failed(&leaving.to, &error))?;
    }
    let taken: Vec<bool> = plan.pairs.iter().map(|pair| !is_free(&pair.place)).collect();
    let text = serde_json::to_vec(&plan).map_err(|error| {
        HomeError::new(Code::WriteFailed, format!("The plan is not valid JSON: {error}."))
    })?;
    own::write(&file, &text)?;
    if let Err(error) = plan.to_its_end() {
        let place = plan.pairs.first().map_or(file.as_path(), |pair| &pair.place);
        let failed = own::failed(place, &error);
        return match plan.back() {
            Ok(()) => {
                let _ = fs::remove_file(&file);
                Err(failed)
            }
            Err(_) => Err(failed.hint(
                "The restore is only partly done; both the old and the new files exist. Free space or \
                 repair the permissions. The next inwit command continues.",
            )),
        };
    }
    end(&file).map_err(|error| own::failed(&file, &error))?;
    let asides = plan.pairs.into_iter().zip(taken).filter(|(_, taken)| *taken);
    Ok(asides.map(|(pair, _)| pair.aside).collect())
}

/// Completes an interrupted restore; whether there was one. Errors: `locked` while another process restores,
/// `write_failed`.
pub fn finish(paths: &HomePaths) -> Result<bool, HomeError> {
    let file = paths.agents().join(PLAN);
    if !there(&file) {
        return Ok(false);
    }
    let Some(plan) = read(&file)? else { return Ok(false) };
    let _guard = guard(paths, &plan.guarded)?;
    // The holder of the guard may have completed it.
    let Some(plan) = read(&file)? else { return Ok(false) };
    plan.to_its_end().and_then(|()| end(&file)).map_err(|error| {
        own::failed(&file, &error).hint("A restore was interrupted; both the old and the new files exist.")
    })?;
    Ok(true)
}

/// Whether `folder` belongs to none of `agents`, and has no staged copy: a stuck plan does not concern it.
pub fn is_elsewhere(paths: &HomePaths, folder: &Path, agents: &[AgentPlace]) -> bool {
    let Ok(folder) = folder.canonicalize() else { return false };
    let is_theirs = |agent: &AgentPlace| {
        let same = |path: &Path| path.canonicalize().is_ok_and(|path| folder.starts_with(path));
        same(&agent.home) || same(&agent.workspace)
    };
    let waits = |place: &Path| {
        fs::read_dir(place).map_or(true, |entries| {
            entries.flatten().any(|entry| entry.file_name().to_string_lossy().contains(".restore-"))
        })
    };
    let beside = folder.parent().is_some_and(waits);
    let plan = read(&paths.agents().join(PLAN)).ok().flatten();
    let is_its_own = plan.is_some_and(|plan| plan.guarded == folder);
    !is_its_own && !waits(&paths.agents()) && !beside && !agents.iter().any(is_theirs)
}

/// Whether a plan is pending.
pub fn is_planned(paths: &HomePaths) -> bool {
    there(&paths.agents().join(PLAN))
}

/// Locks out other writers of the workspace at `path`, by its name on disk.
pub fn guard(paths: &HomePaths, path: &Path) -> Result<Guard, HomeError> {
    let guard = LockFolder::for_workspace(&paths.state, path).write(&RealStopwatch);
    guard.map_err(|error| HomeError::from(FileError::from(error)))
}

fn read(file: &Path) -> Result<Option<Plan>, HomeError> {
    let bad = |why: String| {
        let hint = format!(
            "A restore was interrupted. Old folders have `.before-` in their name, new ones `.restore-`. \
             Give the folders the names you want, then remove {}.",
            file.display()
        );
        HomeError::new(Code::WriteFailed, format!("{} cannot be read: {why}.", file.display())).hint(hint)
    };
    let Some(mut opened) = plain::open(file).map_err(|error| bad(error.to_string()))? else {
        return Ok(None);
    };
    let mut bytes = Vec::new();
    let read = io::Read::read_to_end(&mut io::Read::take(&mut opened, OWN_FILE_BYTES_MAX + 1), &mut bytes);
    read.map_err(|error| bad(error.to_string()))?;
    if bytes.len() as u64 > OWN_FILE_BYTES_MAX {
        return Err(bad(format!("it is larger than {OWN_FILE_BYTES_MAX} bytes")));
    }
    let plan: Plan = serde_json::from_slice(&bytes).map_err(|error| bad(error.to_string()))?;
    if plan.is_ours() {
        Ok(Some(plan))
    } else {
        Err(bad("it names paths that a restore never writes".to_owned()))
    }
}

/// Removes the plan, synced.
fn end(file: &Path) -> io::Result<()> {
    fs::remove_file(file)?;
    File::open(file.parent().unwrap_or(Path::new(".")))?.sync_all()
}

impl Plan {
    /// Whether each name has the form of a restore: beside its place, with its name and a dot.
    fn is_ours(&self) -> bool {
        let is_beside = |path: &Path, place: &Path| {
            let is_plain = |path: &Path| {
                let parts = path.components().skip(1);
                path.is_absolute() && parts.clone().all(|part| matches!(part, Component::Normal(_)))
            };
            let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
            let tail = name(path).zip(name(place)).and_then(|(path, place)| {
                path.strip_prefix(place.as_str()).map(|tail| tail.starts_with('.'))
            });
            is_plain(path) && is_plain(place) && path.parent() == place.parent() && tail == Some(true)
        };
        let pairs = self
            .pairs
            .iter()
            .all(|pair| is_beside(&pair.staged, &pair.place) && is_beside(&pair.aside, &pair.place));
        // Files that leave are named after a place, as `memory.db-wal` after `memory.db`.
        let is_named_after = |path: &Path, place: &Path| {
            let name = |path: &Path| path.file_name().map(|name| name.as_bytes().to_vec());
            let is_longer =
                |(path, place): (Vec<u8>, Vec<u8>)| path.len() > place.len() && path.starts_with(&place);
            path.parent() == place.parent() && name(path).zip(name(place)).is_some_and(is_longer)
        };
        let leaves = |leaving: &Leaving| {
            let parts = [&leaving.from, &leaving.to];
            self.pairs.iter().any(|pair| parts.iter().all(|path| is_named_after(path, &pair.place)))
        };
        pairs && self.leaving.iter().all(leaves)
    }

    fn to_its_end(&self) -> io::Result<()> {
        while self.step()? {}
        Ok(())
    }

    /// Renames one; whether there was one to rename.
    fn step(&self) -> io::Result<bool> {
        let Some(pair) = self.pairs.iter().find(|pair| there(&pair.staged)) else { return Ok(false) };
        if let Some(leaving) = self.leaving.iter().find(|leaving| there(&leaving.from)) {
            rename(&leaving.from, &free_name(&leaving.to)?)?;
        } else if is_free(&pair.place) {
            rename(&pair.staged, &pair.place)?;
        } else {
            rename(&pair.place, &free_name(&pair.aside)?)?;
        }
        Ok(true)
    }

    /// Undoes all renames, last first.
    fn back(&self) -> io::Result<()> {
        for pair in self.pairs.iter().rev() {
            if !there(&pair.staged) {
                rename(&pair.place, &pair.staged)?;
            }
            if there(&pair.aside) && !there(&pair.place) {
                rename(&pair.aside, &pair.place)?;
            }
        }
        for leaving in self.leaving.iter().filter(|leaving| there(&leaving.to) && !there(&leaving.from)) {
            rename(&leaving.to, &leaving.from)?;
        }
        Ok(())
    }
}

fn there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// `path`, or with a number if it is taken.
fn free_name(path: &Path) -> io::Result<PathBuf> {
    let numbered = |number: usize| {
        let mut name = path.as_os_str().to_owned();
        name.push(format!("-{number}"));
        PathBuf::from(name)
    };
    let mut names = std::iter::once(path.to_owned()).chain((2..ASIDE_TRIES_MAX).map(numbered));
    names.find(|name| !there(name)).ok_or_else(|| io::ErrorKind::AlreadyExists.into())
}

fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    File::open(to.parent().unwrap_or(Path::new(".")))?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct World {
        folder: tempfile::TempDir,
        paths: HomePaths,
        plan: Plan,
    }

    /// An agent and its workspace elsewhere, and new ones, both staged.
    fn world() -> World {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("a path");
        let paths = HomePaths::below(&root);
        let pair = |place: PathBuf| {
            let with = |word: &str| place.with_file_name(format!("main.{word}"));
            let (staged, aside) = (with("restore"), with("before"));
            for (path, text) in [(&place, "old"), (&staged, "new")] {
                own::write(&path.join("x.md"), text.as_bytes()).expect("written");
            }
            Pair { place, staged, aside }
        };
        let pairs = vec![pair(root.join("agents/main")), pair(root.join("notes/main"))];
        let leaving = Leaving { from: root.join("agents/main-log"), to: root.join("agents/main-log.before") };
        own::write(&leaving.from, b"log").expect("written");
        let plan = Plan { guarded: root.join("notes/main"), pairs, leaving: vec![leaving] };
        World { plan, paths, folder }
    }

    fn text(path: &Path) -> Option<String> {
        fs::read_to_string(path.join("x.md")).ok()
    }

    impl World {
        fn is_done(&self) {
            for pair in &self.plan.pairs {
                let told = (text(&pair.place), text(&pair.aside), text(&pair.staged));
                assert_eq!(told, (Some("new".into()), Some("old".into()), None), "{}", pair.place.display());
            }
            let Leaving { from, to } = &self.plan.leaving[0];
            assert!(!there(from) && there(to), "the log went along, and nothing stands in its place");
            assert!(!there(&self.folder.path().join("agents").join(PLAN)));
        }
    }

    /// A kill only omits steps: progress is determined from the folders.
    #[test]
    fn a_restore_that_dies_between_any_two_names_is_finished_by_the_next_command() {
        for steps in 0..=5 {
            let world = world();
            let file = world.paths.agents().join(PLAN);
            own::write(&file, &serde_json::to_vec(&world.plan).expect("JSON")).expect("a plan");
            for at in 0..steps {
                assert!(world.plan.step().expect("a name"), "step {at}");
                assert!(!there(&world.plan.leaving[0].from), "what must not meet what comes goes first");
                for pair in &world.plan.pairs {
                    let old = [&pair.place, &pair.aside].map(|path| text(path) == Some("old".into()));
                    let new = [&pair.place, &pair.staged].map(|path| text(path) == Some("new".into()));
                    assert!(old != [false; 2] && new != [false; 2], "both are whole after step {at}");
                }
            }
            assert!(finish(&world.paths).expect("finished"), "{steps} steps");
            world.is_done();
            assert!(!finish(&world.paths).expect("nothing to do"));
        }
    }

    #[test]
    fn what_cannot_be_carried_out_gives_every_name_back() {
        let world = world();
        // The second folder cannot move: the staged name is not a folder.
        let last = &world.plan.pairs[1];
        fs::remove_dir_all(&last.staged).expect("removed");
        own::write(&last.staged, b"a file").expect("written");
        fs::create_dir_all(last.place.with_file_name("empty")).expect("a folder");
        let mut plan = world.plan.clone();
        plan.pairs[1].place = last.place.with_file_name("empty");
        carry_out(&world.paths, plan.clone()).expect_err("a file cannot take the name of a folder");
        let first = &plan.pairs[0];
        assert_eq!((text(&first.place), text(&first.staged)), (Some("old".into()), Some("new".into())));
        assert!(there(&plan.leaving[0].from) && !there(&plan.leaving[0].to), "the log is back, too");
        assert!(!there(&world.paths.agents().join(PLAN)));
        assert_eq!(carry_out(&world.paths, world.plan.clone()).map(|asides| asides.len()).ok(), Some(2));
    }

    #[test]
    fn a_plan_that_names_other_places_than_a_restore_gives_is_refused() {
        for spoil in [
            (|plan: &mut Plan| plan.pairs[0].staged = PathBuf::from("/tmp/elsewhere")) as fn(&mut Plan),
            |plan| plan.pairs[1].aside = plan.pairs[0].place.join("main.before"),
            |plan| plan.pairs[0].place = PathBuf::from("agents/main"),
            |plan| plan.leaving[0].to = PathBuf::from("/tmp/elsewhere"),
            |plan| plan.leaving[0].from = plan.leaving[0].from.with_file_name("other-log"),
            |plan| plan.leaving[0].to = plan.pairs[0].place.with_file_name("other"),
        ] {
            let world = world();
            let mut plan = world.plan.clone();
            spoil(&mut plan);
            let file = world.paths.agents().join(PLAN);
            own::write(&file, &serde_json::to_vec(&plan).expect("JSON")).expect("a plan");
            let error = finish(&world.paths).expect_err("refused");
            assert!(error.message.contains("a restore never writes"), "{}", error.message);
            assert!(world.plan.pairs.iter().all(|pair| text(&pair.place) == Some("old".into())));
        }
    }

    #[test]
    fn a_plan_that_is_too_large_is_refused_as_that() {
        let world = world();
        let file = world.paths.agents().join(PLAN);
        let mut text = serde_json::to_vec(&world.plan).expect("JSON");
        text.resize(usize::try_from(OWN_FILE_BYTES_MAX).expect("a size") + 1, b' ');
        own::write(&file, &text).expect("a plan");
        let error = finish(&world.paths).expect_err("refused");
        assert!(error.message.contains("larger than 262144 bytes"), "{}", error.message);
    }

    #[test]
    fn nothing_that_stands_in_the_way_of_an_aside_is_written_over() {
        let world = world();
        own::write(&world.plan.pairs[0].aside.join("x.md"), b"older").expect("written");
        carry_out(&world.paths, world.plan.clone()).expect("carried out");
        assert_eq!(text(&world.plan.pairs[0].aside).as_deref(), Some("older"));
        assert_eq!(text(&world.folder.path().join("agents/main.before-2")).as_deref(), Some("old"));
    }
}
