//! Detects storage that other hosts may write.
//!
//! Kernel locks end at the host, or depend on a server; so dreaming is refused there (W55), while reading and
//! searching work. Invariant: unknown storage counts as shared.

use std::path::Path;

use rustix::fd::AsFd;

use crate::fault::Fault;
use crate::syscalls::{RealSyscalls, Syscalls};

/// Whether the folder at `path` lies on shared storage.
pub fn is_shared_storage(path: &Path) -> Result<bool, Fault> {
    of(&RealSyscalls::default().open_root(path)?)
}

/// Whether the open folder `dir` lies on shared storage.
#[cfg(target_os = "linux")]
pub(crate) fn of(dir: impl AsFd) -> Result<bool, Fault> {
    #[allow(clippy::unnecessary_cast, reason = "the field's type differs between machines")]
    let magic = rustix::fs::fstatfs(&dir)?.f_type as u32;
    if magic != linux::FUSE {
        return Ok(linux::SHARED.contains(&magic));
    }
    let device = rustix::fs::fstat(&dir)?.st_dev;
    let device = format!("{}:{}", rustix::fs::major(device), rustix::fs::minor(device));
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    Ok(linux::is_shared_fuse(&mounts, &device))
}

/// Whether the open folder `dir` lies on shared storage.
#[cfg(target_vendor = "apple")]
pub(crate) fn of(dir: impl AsFd) -> Result<bool, Fault> {
    const SHARED: &[&[u8]] = &[b"nfs", b"smbfs", b"afpfs", b"webdav", b"macfuse", b"osxfuse"];
    let stat = rustix::fs::fstatfs(&dir)?;
    let name: Vec<u8> = stat.f_fstypename.iter().take_while(|&&c| c != 0).map(|&c| c as u8).collect();
    Ok(SHARED.contains(&name.as_slice()))
}

/// Whether the open folder `dir` is on shared storage: unknown on other systems.
#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
pub(crate) fn of(_: impl AsFd) -> Result<bool, Fault> {
    Ok(true)
}

#[cfg(target_os = "linux")]
mod linux {
    /// What `statfs` says of shared storage, each with its name.
    pub(super) const SHARED: &[u32] = &[
        0x0000_6969, // nfs
        0x0000_517b, // smb
        0xff53_4d42, // cifs
        0xfe53_4d42, // smb2
        0x5346_414f, // afs
        0x6b41_4653, // afs, of the kernel
        0x7375_7245, // coda
        0x0000_564c, // ncp
        0x00c3_6400, // ceph
        0x0bd0_0bd0, // lustre
        0x4750_4653, // gpfs
    ];

    /// What `statfs` says of every program that serves files, local or not.
    pub(super) const FUSE: u32 = 0x6573_5546;

    /// Programs that serve the files of another host. Others (encryption, a virtual machine's folder,
    /// NTFS) have one host.
    const SHARED_FUSE: &[&str] = &[
        "sshfs", "rclone", "s3fs", "gcsfuse", "glusterfs", "ceph", "ceph-fuse", "davfs", "curlftpfs",
        "juicefs", "moosefs", "mfs", "seaweedfs", "goofys", "blobfuse", "blobfuse2", "smbnetfs",
    ];

    /// Whether the FUSE mount of `device` (`major:minor`) serves files of another host.
    pub(super) fn is_shared_fuse(mountinfo: &str, device: &str) -> bool {
        // `36 35 0:52 / /mnt rw,noatime shared:1 - fuse.sshfs host:/ rw`: the device is the third word,
        // the type the first behind the lone dash.
        let kind = mountinfo.lines().find_map(|line| {
            let (mount, rest) = line.split_once(" - ")?;
            (mount.split(' ').nth(2)? == device).then(|| rest.split(' ').next())?
        });
        kind.is_none_or(|kind| SHARED_FUSE.contains(&kind.trim_start_matches("fuse.")))
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        const MOUNTS: &str = "\
22 1 254:0 / / rw,relatime - ext4 /dev/vda rw
36 22 0:52 / /mnt/a\\040b rw shared:1 - fuse.sshfs ana@host:/ rw
37 22 0:53 / /mnt/safe rw - fuse.gocryptfs /x rw
38 22 0:54 / /mnt/vm rw master:2 - virtiofs share rw
";

        #[test]
        fn a_program_that_serves_another_hosts_files_is_shared() {
            assert!(is_shared_fuse(MOUNTS, "0:52"));
            assert!(!is_shared_fuse(MOUNTS, "0:53"));
            assert!(!is_shared_fuse(MOUNTS, "0:54"));
            assert!(is_shared_fuse(MOUNTS, "0:5"), "an unknown mount is not trusted");
            assert!(is_shared_fuse("", "0:52"), "nor is anything where mounts cannot be listed");
        }

        #[test]
        fn network_file_systems_are_known_by_their_number_and_local_ones_are_not() {
            let named = [0x6969, 0x517b, 0xff53_4d42, 0xfe53_4d42];
            assert!(named.iter().all(|magic| SHARED.contains(magic)));
            // ext4, tmpfs, btrfs, xfs, overlayfs, zfs
            for local in [0xef53, 0x0102_1994, 0x9123_683e, 0x5846_5342, 0x794c_7630, 0x2fc1_2fc1] {
                assert!(!SHARED.contains(&local), "{local:x}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_not_there_has_no_answer() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(is_shared_storage(&folder.path().join("absent")), Err(Fault::Missing));
        assert!(is_shared_storage(folder.path()).is_ok());
    }
}
