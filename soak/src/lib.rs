//! Long campaigns that try to make inwit break a promise, and count how often it did.
//!
//! Each campaign is one file with one verb, `run`: it takes a [`Plan`] and answers with a [`Report`]. The
//! same campaigns run small in every push and large in `make soak`; `docs/reliability.md` shows the
//! figures. Invariant: a campaign judges from outside, by the files, the ledgers and what was
//! acknowledged, and by its seed it can be repeated as far as the machine's scheduler lets it.
//! Reading order: [`plan`], [`report`], [`home`] (a real home in a folder of its own), [`child`] (the same
//! program as somebody who can be killed), then the campaigns.

pub mod appends;
pub mod backlog;
pub mod child;
pub mod crash;
pub mod curators;
pub mod dreamers;
pub mod editor;
pub mod faults;
pub mod hiding;
pub mod histories;
pub mod home;
pub mod hosts;
pub mod kills;
pub mod locks;
pub mod luring;
pub mod obeying;
pub mod paths;
pub mod plan;
pub mod rendering;
pub mod report;
pub mod secrets;
pub mod serving;
pub mod watching;

pub use home::{Home, Place, owners_session};
pub use plan::{Plan, Size};
pub use report::Report;

/// A campaign: its name, how many cases it has in a push and in a soak, and its verb.
pub struct Campaign {
    /// Its name, as `inwit-soak NAME` takes it.
    pub name: &'static str,
    /// What one case is, for the table.
    pub unit: &'static str,
    /// Cases in every push.
    pub small: u32,
    /// Cases in a soak.
    pub full: u32,
    /// Its verb.
    pub run: fn(&Plan) -> Report,
}

/// Every campaign, in the order of the table.
pub const CAMPAIGNS: &[Campaign] = &[
    Campaign { name: "kills", unit: "kills", small: 200, full: 5_000, run: kills::run },
    Campaign { name: "crash", unit: "disks a cut", small: 500, full: 2_000, run: crash::run },
    Campaign { name: "locks", unit: "trials", small: 300, full: 5_000, run: locks::run },
    Campaign { name: "editor", unit: "writes", small: 1_000, full: 20_000, run: editor::run },
    Campaign { name: "appends", unit: "entries a process", small: 50, full: 1_000, run: appends::run },
    Campaign { name: "faults", unit: "ways to shorten a write", small: 1, full: 8, run: faults::run },
    Campaign { name: "paths", unit: "payloads", small: 72, full: 72, run: paths::run },
    Campaign { name: "obeying", unit: "sessions", small: 50, full: 500, run: obeying::run },
    Campaign { name: "hiding", unit: "pairs of homes", small: 300, full: 20_000, run: hiding::run },
    Campaign { name: "histories", unit: "histories", small: 200, full: 10_000, run: histories::run },
    Campaign { name: "luring", unit: "sessions of a client", small: 50, full: 500, run: luring::run },
    Campaign { name: "rendering", unit: "texts", small: 200, full: 20_000, run: rendering::run },
    Campaign { name: "dreamers", unit: "ticks", small: 40, full: 500, run: dreamers::run },
    Campaign { name: "curators", unit: "ticks", small: 100, full: 2_000, run: curators::run },
    Campaign { name: "backlog", unit: "logs", small: 500, full: 10_000, run: backlog::run },
    Campaign {
        name: "serving-hiding",
        unit: "pairs of homes",
        small: 60,
        full: 20_000,
        run: serving::hiding::run,
    },
    Campaign {
        name: "serving-kills",
        unit: "kills of a server",
        small: 5,
        full: 200,
        run: serving::kills::run,
    },
    Campaign { name: "serving-writers", unit: "rounds", small: 5, full: 200, run: serving::writers::run },
    Campaign {
        name: "serving-crowd",
        unit: "idle connections",
        small: 500,
        full: 10_000,
        run: serving::crowd::run,
    },
    Campaign {
        name: "serving-mixed",
        unit: "requests",
        small: 4_000,
        full: 200_000,
        run: serving::mixed::run,
    },
    Campaign { name: "serving-agents", unit: "agents", small: 20, full: 2_000, run: serving::agents::run },
    Campaign { name: "hosts", unit: "days of sessions", small: 1, full: 7, run: hosts::run },
    Campaign { name: "watching", unit: "edits", small: 300, full: 10_000, run: watching::run },
    Campaign { name: "secrets", unit: "values", small: 2_000, full: 10_000, run: secrets::run },
];
