//! What may stand behind a name on a real disk: links, pipes, sockets, mounts. Each claim is
//! checked with `openat2` and with the part-by-part way.

use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;

use inwit_model::limit::FILE_READ_BYTES_MAX;
use inwit_model::ports::SkipReason;
use inwit_model::{Code, Files};
use inwit_workspace::{FsFiles, RealSyscalls};
use rustix::fs::{CWD, FileType, Mode, mknodat};

use crate::{everything, name, put};

/// An outer folder that holds `outside` and the workspace `ws`.
fn on_both_ways(claim: fn(&Path, &FsFiles)) {
    for part_by_part in [false, true] {
        let outer = tempfile::tempdir().expect("a folder");
        put(outer.path(), "outside/secret.md", b"secret");
        std::fs::create_dir(outer.path().join("ws")).expect("a folder");
        let files = FsFiles::open_with(
            RealSyscalls { part_by_part, ..RealSyscalls::default() },
            &outer.path().join("ws"),
        )
        .expect("open");
        claim(&outer.path().join("ws"), &files);
        let mut left = std::fs::read_dir(outer.path().join("outside")).expect("outside");
        assert!(left.next().is_some() && left.next().is_none(), "nothing was made outside");
    }
}

/// Reading, stamping and making must all refuse, and the listing must say why.
fn refuses(files: &FsFiles, text: &str) {
    let error = files.read(&name(text)).expect_err(text);
    assert_eq!(error.code, Code::FileUnreadable, "{text}: {error}");
    assert_eq!(files.stamp(&name(text)).expect_err(text).code, Code::FileUnreadable, "{text}");
    let error = files.create(&name(text), b"x").expect_err(text);
    assert!(matches!(error.code, Code::FileExists | Code::WriteFailed), "{text}: {error}");
}

fn skipped(files: &FsFiles) -> Vec<(String, SkipReason)> {
    let listing = files.list(&everything()).expect("a listing");
    listing.skipped.into_iter().map(|skipped| (skipped.shown, skipped.reason)).collect()
}

#[test]
fn p25_p26_p29_a_link_in_place_of_a_file_is_not_followed() {
    on_both_ways(|ws, files| {
        for (text, target) in [
            ("MEMORY.md", "/etc/passwd"),
            ("USER.md", "../outside/secret.md"),
            ("SOUL.md", "../outside/new.md"),
            ("AGENTS.md", "AGENTS.md"),
        ] {
            symlink(target, ws.join(text)).expect("a link");
            refuses(files, text);
        }
        let error = files.read(&name("MEMORY.md")).expect_err("refused");
        assert_eq!(
            error.message,
            "`MEMORY.md` cannot be read: it is a symbolic link or below one, and inwit does not follow links."
        );
        assert!(skipped(files).iter().all(|(_, reason)| *reason == SkipReason::Link));
        assert_eq!(skipped(files).len(), 4);
    });
}

#[test]
fn p27_p28_p30_a_link_in_place_of_a_folder_is_not_followed() {
    on_both_ways(|ws, files| {
        put(ws, "inner/secret.md", b"x");
        put(ws, "sub/x.md", b"x");
        symlink("../outside", ws.join("memory")).expect("a link");
        symlink("inner", ws.join("notes")).expect("a link");
        symlink("..", ws.join("sub/up")).expect("a link");
        for text in
            ["memory/secret.md", "memory/new.md", "notes/secret.md", "notes/new.md", "sub/up/inner/secret.md"]
        {
            refuses(files, text);
        }
        let links = ["memory", "notes", "sub/up"].map(|link| (link.to_owned(), SkipReason::Link));
        assert_eq!(skipped(files), links);
        let asked = files
            .list(&[inwit_model::ports::Folder { path: "memory".into(), deep: true }])
            .expect("a listing");
        assert_eq!((asked.entries.len(), asked.skipped[0].reason), (0, SkipReason::Link));
    });
}

#[test]
fn p31_a_magic_link_of_the_kernel_is_not_followed() {
    let Ok(files) = FsFiles::open(Path::new("/proc")) else {
        crate::skipped_since("there is no /proc here");
        return;
    };
    for text in ["self/status", "self/root/etc/passwd", "self/cwd/Cargo.toml"] {
        assert_eq!(files.read(&name(text)).expect_err(text).code, Code::FileUnreadable, "{text}");
    }
}

#[test]
fn p32_a_second_name_of_a_file_is_read_and_told() {
    on_both_ways(|ws, files| {
        std::fs::hard_link(ws.join("../outside/secret.md"), ws.join("MEMORY.md")).expect("a hard link");
        assert_eq!(&*files.read(&name("MEMORY.md")).expect("read").bytes, b"secret");
        assert_eq!(files.links(&name("MEMORY.md")), Ok(Some(2)));
        assert_eq!(files.links(&name("USER.md")), Ok(None));
        assert_eq!(files.create(&name("MEMORY.md"), b"x").expect_err("refused").code, Code::FileExists);
        assert_eq!(std::fs::read(ws.join("../outside/secret.md")).expect("read"), b"secret");
    });
}

#[test]
fn p33_a_pipe_a_socket_and_a_folder_are_refused_without_waiting() {
    on_both_ways(|ws, files| {
        mknodat(CWD, ws.join("MEMORY.md"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a pipe");
        let _socket = UnixListener::bind(ws.join("USER.md")).expect("a socket");
        std::fs::create_dir(ws.join("SOUL.md")).expect("a folder");
        for text in ["MEMORY.md", "USER.md", "SOUL.md"] {
            refuses(files, text);
        }
        let sentence = |text| files.read(&name(text)).expect_err("refused").message;
        assert_eq!(
            sentence("MEMORY.md"),
            "`MEMORY.md` cannot be read: it is a pipe, socket or device, not a file."
        );
        assert_eq!(sentence("SOUL.md"), "`SOUL.md` cannot be read: it is a folder, not a file.");
        let special = ["MEMORY.md", "USER.md"].map(|text| (text.to_owned(), SkipReason::Special));
        assert_eq!(skipped(files), special);
    });
}

#[test]
fn p33_a_device_is_refused() {
    on_both_ways(|ws, files| {
        const NULL_DEVICE: (u32, u32) = (1, 3);
        let device = rustix::fs::makedev(NULL_DEVICE.0, NULL_DEVICE.1);
        let made = mknodat(CWD, ws.join("TOOLS.md"), FileType::CharacterDevice, Mode::RUSR, device);
        if made.is_err() {
            return crate::skipped_since("this user may not make a device");
        }
        refuses(files, "TOOLS.md");
    });
}

#[test]
fn p34_a_mount_inside_is_read_and_told() {
    let inside = tempfile::Builder::new().prefix("inwit").tempdir_in("/dev/shm");
    let (Ok(inside), Ok(files)) = (inside, FsFiles::open(Path::new("/dev"))) else {
        return crate::skipped_since("there is no mount /dev/shm here");
    };
    put(inside.path(), "x.md", b"x");
    let text = inside.path().strip_prefix("/dev").expect("below").join("x.md");
    let text = text.to_str().expect("UTF-8");
    if files.is_mounted(&name(text)) == Ok(false) {
        return crate::skipped_since("/dev/shm is no mount here");
    }
    assert_eq!(files.is_mounted(&name(text)), Ok(true));
    assert_eq!(&*files.read(&name(text)).expect("read").bytes, b"x");
    let home = crate::home();
    home.put("x.md", b"x");
    assert_eq!(home.files.is_mounted(&name("x.md")), Ok(false));
}

#[test]
fn a_folder_swapped_for_a_link_while_we_look_leads_nowhere() {
    const ROUNDS: usize = 2_000;
    on_both_ways(|ws, files| {
        put(ws, "memory/secret.md", b"ours");
        symlink("../outside", ws.join("link")).expect("a link");
        let swap = || {
            use rustix::fs::{RenameFlags, renameat_with};
            for _ in 0..ROUNDS {
                renameat_with(CWD, ws.join("memory"), CWD, ws.join("link"), RenameFlags::EXCHANGE)
                    .expect("swapped");
            }
        };
        let look = || {
            for at in 0..ROUNDS {
                if let Ok(content) = files.read(&name("memory/secret.md")) {
                    assert_eq!(&*content.bytes, b"ours");
                }
                if at % 20 == 0 {
                    let _ = files.create(&name(&format!("memory/{at}.md")), b"ours");
                }
                let listing = files.list(&everything()).expect("a listing");
                assert!(
                    listing.entries.iter().all(|entry| entry.stamp.bytes != 6),
                    "the outer file was listed"
                );
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(swap);
            scope.spawn(look);
        });
    });
}

#[test]
fn a_file_without_permission_is_told_apart_from_a_missing_one() {
    use std::os::unix::fs::PermissionsExt;
    let home = crate::home();
    home.put("MEMORY.md", b"x");
    home.put("memory/x.md", b"x");
    for text in ["MEMORY.md", "memory"] {
        std::fs::set_permissions(home.path(text), std::fs::Permissions::from_mode(0o000)).expect("set");
    }
    if std::fs::read(home.path("MEMORY.md")).is_ok() {
        return crate::skipped_since("this user may read everything (root)");
    }
    for text in ["MEMORY.md", "memory/x.md"] {
        assert_eq!(home.files.read(&name(text)).expect_err(text).code, Code::FileUnreadable, "{text}");
    }
    assert_eq!(skipped(&home.files), [("memory".to_owned(), SkipReason::Unreadable)]);
}

#[test]
fn a_workspace_that_is_not_there_is_said() {
    let home = crate::home();
    home.put("x.md", b"x");
    let code = |path| FsFiles::open(&home.path(path)).err().map(|error| error.code);
    assert_eq!(code("nowhere"), Some(Code::WorkspaceMissing));
    assert_eq!(code("x.md"), Some(Code::WorkspaceMissing));
    assert!(FsFiles::open_or_make(&home.path("a/b")).is_ok());
    assert!(FsFiles::open_or_make(&home.path("a/b")).is_ok());
    assert_eq!(
        FsFiles::open_or_make(&home.path("x.md/c")).err().map(|error| error.code),
        Some(Code::WriteFailed)
    );
}

/// The size is asked first, so a huge file costs nothing.
#[test]
fn a_sparse_gigabyte_is_refused_and_never_read() {
    const SPARSE_BYTES: u64 = 1 << 30;
    let home = crate::home();
    let file = std::fs::File::create(home.path("MEMORY.md")).expect("a file");
    file.set_len(SPARSE_BYTES).expect("sparse");
    let error = home.files.read(&name("MEMORY.md")).expect_err("refused");
    assert_eq!(error.code, Code::FileTooLarge);
    assert_eq!(
        error.message,
        format!("`MEMORY.md` has 1073741824 bytes; the maximum is {FILE_READ_BYTES_MAX}.")
    );
    file.set_len(FILE_READ_BYTES_MAX).expect("smaller");
    assert!(home.files.read(&name("MEMORY.md")).is_ok());
    file.set_len(FILE_READ_BYTES_MAX + 1).expect("larger");
    assert_eq!(home.files.read(&name("MEMORY.md")).expect_err("refused").code, Code::FileTooLarge);
}
