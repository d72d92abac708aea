//! Hosts: which are installed, our entries in their files, and whether they work.

use crate::shape::shape;

shape! {
    /// All hosts that are known.
    pub struct HostsV1 {
        /// Each host.
        pub hosts: Vec<HostV1>,
    }

    /// One host.
    pub struct HostV1 {
        /// Its name.
        pub host: &'static str,
        /// Where it was found; `null`: nowhere.
        pub found: Option<String>,
        /// Whether everything is in its files.
        pub is_set_up: bool,
    }

    /// What was or would be put into a host's files, or taken out.
    pub struct SetupV1 {
        /// The host.
        pub host: &'static str,
        /// Where it was found; `null`: nowhere.
        pub found: Option<String>,
        /// Whether it was done.
        pub applied: bool,
        /// Each file.
        pub files: Vec<HostFileV1>,
    }

    /// One file of a host.
    pub struct HostFileV1 {
        /// Where it is.
        pub path: String,
        /// What becomes of it, one word.
        pub action: &'static str,
        /// The change.
        pub diff: String,
        /// What its owner should know besides.
        pub notes: Vec<String>,
        /// Why the host ignores it.
        pub fault?: Option<String>,
        /// The setting that makes the host run no hooks.
        pub hooks_off?: Option<&'static str>,
    }

    /// Whether what hosts would run works.
    pub struct ChecksV1 {
        /// Each check.
        pub checks: Vec<CheckV1>,
    }

    /// The result of one check.
    pub struct CheckV1 {
        /// The host.
        pub host: &'static str,
        /// What was checked: a file, a hook or the server.
        pub name: String,
        /// Why it failed; `null` where it works.
        pub failed: Option<String>,
        /// How long it took, in milliseconds.
        pub milliseconds: u64,
    }
}
