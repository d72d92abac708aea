//! The server as a service of the user: its unit, whether it runs, and its log.

use crate::shape::shape;

shape! {
    /// The text of a unit that was not written.
    pub struct ServiceUnitV1 {
        /// Where it would be written.
        pub path: String,
        /// The whole file.
        pub unit: String,
    }

    /// A unit that was written.
    pub struct ServiceInstalledV1 {
        /// `systemd` or `launchd`.
        pub manager: &'static str,
        /// Where it is.
        pub path: String,
        /// `create`, `replace` or `keep`.
        pub action: &'static str,
        /// Where the unit is that was there before.
        pub backup?: Option<String>,
        /// Whether the service manager started it.
        pub started: bool,
        /// Commands that a person has to run, because the service manager was not found.
        pub remaining: Vec<String>,
    }

    /// A unit that was removed.
    pub struct ServiceRemovedV1 {
        /// Where it was.
        pub path: String,
        /// False if there was none.
        pub removed: bool,
        /// Commands that a person has to run, because the service manager was not found.
        pub remaining: Vec<String>,
    }

    /// Whether the service is installed and runs.
    pub struct ServiceStatusV1 {
        /// `systemd` or `launchd`.
        pub manager: &'static str,
        /// Where its unit is, or would be.
        pub path: String,
        /// Whether the unit is there.
        pub installed: bool,
        /// Whether the server runs; absent if the service manager was not found.
        pub running?: Option<bool>,
        /// Its state in the words of the service manager.
        pub state?: Option<String>,
        /// Its process.
        pub pid?: Option<u32>,
    }

    /// The last lines of the log of the service.
    pub struct ServiceLogV1 {
        /// Each line, the oldest first.
        pub lines: Vec<String>,
    }

    /// A server that answered that it is ready.
    pub struct ServerReadyV1 {
        /// Always true; a server that is not ready is an error.
        pub ready: bool,
    }
}
