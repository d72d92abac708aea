//! Making a file, whole or not at all, whatever the disk answers.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use inwit_model::ports::StateFile;
use inwit_model::{Code, Files};
use inwit_workspace::{Fault, FsFiles};

use crate::probe::Probe;
use crate::{home, name};

fn files_below(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files_below(&path));
        } else {
            found.push(path.file_name().expect("a name").to_string_lossy().into_owned());
        }
    }
    found
}

fn probed(probe: Probe, folder: &Path) -> (&'static Probe, FsFiles<&'static Probe>) {
    let probe: &'static Probe = Box::leak(Box::new(probe));
    (probe, FsFiles::open_with(probe, folder).expect("open"))
}

#[test]
fn a_file_is_synced_before_it_gets_its_name_and_its_folders_after() {
    let home = home();
    let (probe, files) = probed(Probe::with_short_writes(2), home.folder.path());
    files.create(&name("memory/rooms/x.md"), b"12345").expect("made");
    assert_eq!(std::fs::read(home.path("memory/rooms/x.md")).expect("read"), b"12345");
    let calls = probe.calls();
    let changes: Vec<&str> = calls
        .iter()
        .map(String::as_str)
        .filter(|call| !call.starts_with("open_dir") && !call.starts_with("stat"))
        .collect();
    assert_eq!(
        changes,
        [
            "mkdir memory", "mkdir rooms", "create_new .~inwit-0.tmp", "write ", "write ", "write ", "sync ",
            "publish x.md", "sync_dir ", "sync_dir ", "sync_dir ",
        ]
    );
    let mode = |path: &str| std::fs::metadata(home.path(path)).expect("there").permissions().mode() & 0o777;
    assert_eq!((mode("memory"), mode("memory/rooms/x.md")), (0o700, 0o600));
}

#[test]
fn a_state_file_is_synced_before_it_gets_its_name_and_its_folder_after() {
    let home = home();
    let (probe, files) = probed(Probe::with_short_writes(100), home.folder.path());
    files.write_state(StateFile::Soul, Some(b"{}")).expect("written");
    files.write_state(StateFile::Soul, None).expect("removed");
    let calls = probe.calls();
    let changes: Vec<&str> = calls
        .iter()
        .map(String::as_str)
        .filter(|call| !call.starts_with("open_dir") && !call.starts_with("stat"))
        .collect();
    assert_eq!(
        changes,
        [
            "create_new .~inwit-0.tmp", "write ", "sync ", "rename .soul-state.json", "sync_dir ",
            "unlink .soul-state.json", "sync_dir ",
        ]
    );
}

#[test]
fn whichever_call_fails_the_file_is_absent_and_no_temporary_one_stays() {
    let faults = [
        (Fault::Full, Code::DiskFull),
        (Fault::ReadOnly, Code::DiskReadOnly),
        (Fault::Denied, Code::WriteFailed),
        (Fault::Other("input/output error".into()), Code::WriteFailed),
    ];
    for (fault, code) in faults {
        let mut failing = 0;
        loop {
            let home = home();
            let probe = Probe::with_short_writes(2).failing(failing, &fault);
            let (_, files) = probed(probe, home.folder.path());
            match files.create(&name("memory/x.md"), b"12345") {
                Ok(()) => break assert_eq!(files_below(home.folder.path()), ["x.md"]),
                Err(error) => assert_eq!(error.code, code, "{failing}: {error}"),
            }
            assert_eq!(files_below(home.folder.path()), [""; 0], "{failing}: {fault:?}");
            files.create(&name("memory/x.md"), b"12345").expect("the next try succeeds");
            failing += 1;
        }
        assert_eq!(failing, 9, "every change of the recipe failed once");
    }
}

#[test]
fn a_temporary_file_that_a_crash_left_is_passed_over() {
    let home = home();
    home.put(".~inwit-0.tmp", b"half");
    home.files.create(&name("x.md"), b"whole").expect("made");
    assert_eq!(std::fs::read(home.path(".~inwit-0.tmp")).expect("read"), b"half");
    assert_eq!(std::fs::read(home.path("x.md")).expect("read"), b"whole");
}

#[test]
fn of_many_who_make_one_file_exactly_one_succeeds() {
    const MAKERS: usize = 8;
    for round in 0..20 {
        let home = home();
        let made: usize = std::thread::scope(|scope| {
            let make = |maker: usize| {
                let folder = home.folder.path();
                scope.spawn(move || {
                    let files = FsFiles::open(folder).expect("open");
                    match files.create(&name("memory/x.md"), format!("{maker}").repeat(9_000).as_bytes()) {
                        Ok(()) => 1,
                        Err(error) => {
                            assert_eq!(error.code, Code::FileExists, "{error}");
                            0
                        }
                    }
                })
            };
            let makers: Vec<_> = (0..MAKERS).map(make).collect();
            makers.into_iter().map(|maker| maker.join().expect("ran")).sum()
        });
        assert_eq!(made, 1, "round {round}");
        let bytes = std::fs::read(home.path("memory/x.md")).expect("read");
        assert!(bytes.len() == 9_000 && bytes.iter().all(|byte| *byte == bytes[0]));
        assert_eq!(files_below(home.folder.path()), ["x.md"]);
    }
}

#[test]
fn a_full_disk_is_said_and_leaves_nothing() {
    let full = Path::new("/dev/full");
    if !full.exists() {
        return crate::skipped_since("there is no /dev/full here");
    }
    let mut file = std::fs::File::options().write(true).open(full).expect("open");
    let fault = inwit_workspace::RealSyscalls::default();
    let fault = inwit_workspace::Syscalls::write(&fault, &mut file, b"x").expect_err("full");
    assert_eq!(fault.making(&name("x.md")).code, Code::DiskFull);
}
