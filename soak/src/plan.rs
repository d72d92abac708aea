//! How large a campaign is, and by which seed.

use std::path::{Path, PathBuf};

use crate::Campaign;

/// The seed when nobody says another.
pub const SEED: u64 = 20_261_121;

/// How long a campaign may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// Seconds: part of every push.
    Small,
    /// Minutes: before a release.
    Full,
}

/// What a campaign is asked to do.
#[derive(Debug, Clone)]
pub struct Plan {
    /// How many cases, in the campaign's own unit.
    pub cases: u32,
    /// By this seed it can be repeated.
    pub seed: u64,
    /// The program `inwit-soak`, for campaigns whose cases are processes.
    pub program: PathBuf,
    /// Folders of prose to be scanned, for the campaign about secrets.
    pub corpora: Vec<PathBuf>,
}

impl Plan {
    /// The plan of `campaign` at `size`, with children made of `program`.
    pub fn of(campaign: &Campaign, size: Size, program: &Path) -> Self {
        let cases = match size {
            Size::Small => campaign.small,
            Size::Full => campaign.full,
        };
        Self { cases, seed: SEED, program: program.to_owned(), corpora: Vec::new() }
    }
}
