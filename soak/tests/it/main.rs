//! Every campaign at its small size, as a part of every push; `make soak` runs them large.
//!
//! Each test is one campaign: it prints its seed, and fails with the first promises that were broken.

mod appending;
mod crashing;
mod dreaming;
mod editing;
mod failing;
mod hiding;
mod hosts;
mod killing;
mod luring;
mod naming;
mod obeying;
mod racing;
mod remembering;
mod rendering;
mod scheduling;
mod searching;
mod serving;
mod watching;

use std::path::Path;

use inwit_soak::{CAMPAIGNS, Plan, Report, Size};

/// Runs the campaign `name` at its small size; panics when a promise was broken.
#[track_caller]
fn campaign(name: &str) -> Report {
    let campaign = CAMPAIGNS.iter().find(|campaign| campaign.name == name).expect("a campaign");
    let plan = Plan::of(campaign, Size::Small, Path::new(env!("CARGO_BIN_EXE_inwit-soak")));
    let report = (campaign.run)(&plan);
    report.assert_clean();
    report
}

#[test]
fn no_file_of_these_tests_is_forgotten() {
    inwit_testkit::no_forgotten_file(env!("CARGO_MANIFEST_DIR"), include_str!("main.rs"));
}
