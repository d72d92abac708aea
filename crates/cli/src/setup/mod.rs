//! Adds inwit to the configuration of supported hosts, and removes it again.
//!
//! A host is a row of [`HOSTS`]: its files, and the desired entries of each. Everything is decided before anything is
//! written, so the preview equals `--apply`. Invariant: text of others is unchanged byte for byte; a second apply
//! changes nothing; uninstall restores the files, or removes only our entries from a file that was changed since.
//! Reading order: [`hosts`] (which hosts), [`call`] and [`server`] (our command lines), [`wish`] (desired entries),
//! [`skill`], [`mod@plan`], [`receipt`] (what was inserted), [`stood`] (earlier entries), [`foreign`] (files of
//! others), [`jsonc`], [`strict`] (what a host can parse), [`table`], [`splice`], [`check`] (test runs).

pub mod call;
pub mod check;
pub mod foreign;
pub mod hosts;
pub mod jsonc;
pub mod plan;
pub mod receipt;
pub mod server;
pub mod skill;
pub mod splice;
pub mod stood;
pub mod strict;
pub mod table;
pub mod wish;

pub use hosts::{HOSTS, Host, Places};
pub use plan::{FilePlan, plan};
