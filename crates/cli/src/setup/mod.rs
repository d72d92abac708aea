//! Putting inwit into the configuration of the hosts that people run, and taking it out again.
//!
//! A host is a row of [`HOSTS`]: its files, and what each of them should say. Everything is decided before
//! anything is written, so the preview is what `--apply` does. Invariant: what others wrote stays byte for
//! byte; a second apply changes nothing; uninstall gives the files back as they were, and where somebody
//! changed them since, takes out our entries alone.
//! Reading order: [`hosts`] (which hosts), [`call`] and [`server`] (how they call us), [`wish`] (what a file
//! should say), [`skill`], [`mod@plan`], [`receipt`] (what was put where), [`stood`] (what ran us before),
//! [`foreign`] (files of others), [`jsonc`], [`strict`] (what a host can read), [`table`], [`splice`], [`check`] (whether it works).

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
