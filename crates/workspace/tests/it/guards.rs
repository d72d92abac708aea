//! The kernel's guards: who is shut out, for how long, and what happens to their files.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use inwit_model::{Code, FileError};
use inwit_testkit::FakeStopwatch;
use inwit_workspace::guard::NoGuard;
use inwit_workspace::limit::WRITE_WAIT_MS_MAX;
use inwit_workspace::{Guard, GuardKind, LockFolder, Stopwatch};

struct State {
    folder: tempfile::TempDir,
    stopwatch: FakeStopwatch,
}

fn state() -> State {
    State { folder: tempfile::tempdir().expect("a folder"), stopwatch: FakeStopwatch::default() }
}

impl State {
    fn root(&self) -> PathBuf {
        self.folder.path().join("state/inwit")
    }

    fn locks(&self, workspace: &str) -> LockFolder {
        LockFolder::for_workspace(&self.root(), Path::new(workspace))
    }
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).expect("there").permissions().mode() & 0o777
}

#[test]
fn guards_lie_in_a_folder_named_after_the_workspace_for_the_owner_only() {
    let state = state();
    let locks = state.locks("/home/ana/inwit");
    assert!(!state.root().exists(), "nothing is made before a guard is taken");
    let dream = locks.dream(&state.stopwatch).expect("free");
    let write = locks.write(&state.stopwatch).expect("free, whoever dreams");
    assert_eq!((dream.kind(), write.kind()), (GuardKind::Dream, GuardKind::Write));
    // printf %s /home/ana/inwit | sha256sum
    assert_eq!(locks.path(), state.root().join("locks").join("1d13017d36a1a58e"));
    assert_eq!(mode(&locks.path()), 0o700);
    assert_eq!(mode(&state.root().join("locks")), 0o700);
    for file in ["dream.guard", "write.guard"] {
        assert_eq!(mode(&locks.path().join(file)), 0o600, "{file}");
    }
    drop((dream, write));
    assert!(locks.path().join("write.guard").is_file(), "a guard's file stays");
}

#[test]
fn a_held_guard_shuts_out_other_threads_and_other_homes_of_one_folder_and_nobody_else() {
    let state = state();
    let held = state.locks("/a").dream(&state.stopwatch).expect("free");
    std::thread::scope(|scope| {
        let other = scope.spawn(|| state.locks("/a").dream(&state.stopwatch).map(drop));
        let busy = other.join().expect("no panic").expect_err("held");
        assert_eq!(busy, NoGuard::Busy { kind: GuardKind::Dream, waited: Duration::ZERO });
        assert_eq!(
            busy.to_string(),
            "another process is dreaming in this workspace; it did not finish within 0 ms."
        );
    });
    drop(state.locks("/b").dream(&state.stopwatch).expect("another workspace"));
    drop(held);
    drop(state.locks("/a").dream(&state.stopwatch).expect("free again"));
}

/// Whoever fills keeps nobody from writing or dreaming, and one fills at a time.
#[test]
fn one_fills_at_a_time_and_is_in_nobodys_way() {
    let state = state();
    let locks = state.locks("/a");
    let held = locks.fill(std::time::Duration::ZERO, &state.stopwatch).expect("free");
    drop(locks.dream(&state.stopwatch).expect("dreams"));
    drop(locks.write(&state.stopwatch).expect("writes"));
    let busy = locks.fill(std::time::Duration::ZERO, &state.stopwatch).expect_err("another one fills");
    assert_eq!(busy, NoGuard::Busy { kind: GuardKind::Fill, waited: Duration::ZERO });
    drop(held);
    drop(locks.fill(std::time::Duration::ZERO, &state.stopwatch).expect("free again"));
}

#[test]
fn the_write_guard_is_waited_for_up_to_its_deadline() {
    let state = state();
    let locks = state.locks("/a");
    let held = locks.write(&state.stopwatch).expect("free");
    let error = FileError::from(locks.write(&state.stopwatch).expect_err("held"));
    assert_eq!(error.code, Code::Locked);
    assert_eq!(
        error.message,
        "another process is writing to this workspace; it did not finish within 2000 ms."
    );
    assert_eq!(state.stopwatch.elapsed(), Duration::from_millis(WRITE_WAIT_MS_MAX));
    drop(held);
}

/// Lets a guard go after so many waits.
struct Giving(FakeStopwatch, Mutex<(u32, Option<Guard>)>);

impl Stopwatch for Giving {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }

    fn wait(&self, pause: Duration) {
        self.0.wait(pause);
        let mut held = self.1.lock().expect("one thread");
        held.0 -= 1;
        if held.0 == 0 {
            held.1 = None;
        }
    }
}

#[test]
fn a_guard_that_comes_free_while_we_wait_is_taken() {
    let state = state();
    let locks = state.locks("/a");
    let held = locks.write(&state.stopwatch).expect("free");
    let giving = Giving(FakeStopwatch::default(), Mutex::new((3, Some(held))));
    let guard = locks.write(&giving).expect("it came free");
    assert!(guard.still_ours());
    assert!(giving.elapsed() < Duration::from_millis(WRITE_WAIT_MS_MAX));
}

#[test]
fn a_guard_whose_file_was_cleaned_away_says_so_and_the_next_one_is_whole() {
    let state = state();
    let locks = state.locks("/a");
    type Cleaning = (&'static str, fn(&Path));
    let cleanings: [Cleaning; 3] = [
        ("the file", |path| std::fs::remove_file(path.join("write.guard")).expect("removed")),
        ("the folder", |path| std::fs::remove_dir_all(path).expect("removed")),
        ("renamed", |path| std::fs::rename(path, path.with_extension("old")).expect("renamed")),
    ];
    for (what, clean) in cleanings {
        let first = locks.write(&state.stopwatch).expect("free");
        assert!(first.still_ours(), "{what}");
        clean(&locks.path());
        assert!(!first.still_ours(), "{what}");
        let second = locks.write(&state.stopwatch).expect("made anew");
        assert!(second.still_ours() && !first.still_ours(), "{what}");
        drop(first);
        assert!(second.still_ours(), "{what}: letting go of a lost guard takes nobody's");
        assert!(matches!(
            locks.take(GuardKind::Write, Duration::ZERO, &state.stopwatch),
            Err(NoGuard::Busy { .. })
        ));
    }
}

#[test]
fn what_is_no_file_of_ours_is_refused_with_a_sentence() {
    let state = state();
    let locks = state.locks("/a");
    drop(locks.write(&state.stopwatch).expect("free"));
    let guard = locks.path().join("write.guard");
    std::fs::remove_file(&guard).expect("removed");
    std::os::unix::fs::symlink(state.folder.path().join("elsewhere"), &guard).expect("a link");
    let error = FileError::from(locks.write(&state.stopwatch).expect_err("a link"));
    assert_eq!(error.code, Code::LockUnavailable);
    assert!(
        error.message.ends_with(
            "cannot be used: it is a symbolic link or below one, and inwit does not follow links."
        ),
        "{error}"
    );
    assert!(!state.folder.path().join("elsewhere").exists(), "nothing was made through it");
    // A file where the state folder should be.
    let locks = LockFolder::for_workspace(&guard.with_file_name("dream.guard"), Path::new("/a"));
    std::fs::File::create(guard.with_file_name("dream.guard")).expect("a file");
    let error = locks.dream(&state.stopwatch).expect_err("no folder");
    assert_eq!(error.code(), Code::LockUnavailable, "{error}");
}
