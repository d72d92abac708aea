//! Places outside the plan that are scanned: every byte of the home, its workspace and settings.

use inwit_model::plural::counted;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use inwit_engine::forget::{Fate, Matcher, Occurrence, Quotation};
use inwit_home::folder_home;
use inwit_home::forgetting::configured;
use inwit_home::forgetting::others::{OtherHomes, Reach};
use inwit_home::forgetting::scan::{self, Sought};
use inwit_home::{OpenAgent, own};
use inwit_wire::{LookV1, WhereV1};

use crate::error::CliError;

/// All folders of the agent: its home and what a restore moved aside, its workspace, state and settings.
pub(super) fn roots(opened: &OpenAgent) -> Vec<PathBuf> {
    let OpenAgent { chosen, config, .. } = opened;
    let mut roots = vec![chosen.home.clone(), chosen.workspace.clone(), config.paths.state.clone()];
    roots.extend(configured::roots(&config.paths));
    // What `-w` created for the workspace before its agent existed belongs to this agent too.
    roots.extend(folder_home::of(&config.paths, &chosen.workspace).filter(|home| *home != chosen.home));
    for place in [&chosen.home, &chosen.workspace] {
        let (Some(parent), Some(name)) = (place.parent(), place.file_name()) else { continue };
        let begins = format!("{}.", name.to_string_lossy());
        let beside = own::entries(parent).into_iter();
        let beside = beside.filter(|entry| entry.file_name().to_string_lossy().starts_with(&begins));
        roots.extend(beside.map(|entry| entry.path()));
    }
    roots
}

/// Workspace files and transcripts with occurrences that no part of the plan removes: not notes, or in another
/// encoding.
pub(super) fn others(
    opened: &OpenAgent,
    wording: &Matcher,
    plan: &[Occurrence],
) -> Result<Vec<Occurrence>, CliError> {
    let (home, workspace) = (&opened.chosen.home, &opened.chosen.workspace);
    let found = look(&[workspace.clone(), opened.chosen.transcripts()], wording, &[])?;
    let sought = Sought::of(wording, &[])?;
    let too_large: Vec<PathBuf> =
        opened.agent.notes_too_large()?.iter().map(|name| workspace.join(name.as_str())).collect();
    let mut others: BTreeMap<String, Occurrence> = BTreeMap::new();
    for place in found.stands {
        let path = Path::new(&place.path);
        let below = path.strip_prefix(workspace).or_else(|_| path.strip_prefix(home));
        let Ok(name) = below.map(|name| name.display().to_string()) else { continue };
        let planned = plan.iter().find(|stand| match stand.kind {
            "file" => stand.name == name,
            "copy" => path.file_name().is_some_and(|end| end.to_string_lossy() == stand.name),
            "transcript" => path.file_stem().is_some_and(|stem| stem.to_string_lossy() == stand.name),
            _ => false,
        });
        let stays = match planned {
            Some(stand) => left_in(path, stand, wording, &sought).map(str::to_owned),
            None => Some(place.how),
        };
        if let Some(how) = stays {
            let text =
                if too_large.iter().any(|note| note == path) { format!("{how}; {TOO_LARGE}") } else { how };
            let shows = vec![Quotation { line: None, text }];
            let stand = others.entry(name.clone()).or_insert(Occurrence {
                kind: "other",
                name: inwit_model::name::shown(&name),
                count: 0,
                fate: Fate::Stays,
                shows: Vec::new(),
            });
            stand.count += 1;
            stand.shows.extend(shows);
        }
    }
    Ok(others.into_values().collect())
}

/// Remaining occurrences in a rewritten place: encoded data is not edited.
fn left_in(path: &Path, stand: &Occurrence, wording: &Matcher, sought: &Sought) -> Option<&'static str> {
    if stand.fate != Fate::Rewritten {
        return None;
    }
    let bytes = std::fs::read(path).ok()?;
    let left = match stand.kind {
        "file" => wording.without_lines(&bytes, b""),
        _ => wording.without(&bytes),
    };
    sought.found_in(&left.unwrap_or(bytes))
}

pub(super) fn look(roots: &[PathBuf], wording: &Matcher, passages: &[String]) -> Result<LookV1, CliError> {
    let sought = Sought::of(wording, passages)?;
    let wire = |(path, how)| WhereV1 { path, how };
    let scanned = scan::scan(roots, &sought);
    Ok(LookV1 {
        files: scanned.files,
        objects: scanned.objects,
        stands: scanned.hits.into_iter().map(wire).collect(),
        missed: scanned.missed.into_iter().map(wire).collect(),
        spellings: scanned.spellings.into_iter().collect(),
        others: Vec::new(),
    })
}

/// Homes of other agents with occurrences: an orphaned home of this workspace is scanned as a root.
pub(super) fn wire_others(others: &OtherHomes) -> Vec<WhereV1> {
    let named = others.found.iter().filter(|home| home.reach != Reach::Orphan);
    named
        .map(|home| WhereV1 { path: home.shown(), how: format!("in {}", counted(home.count, "place")) })
        .collect()
}

/// Reason for a note over `FILE_READ_BYTES_MAX`.
pub(super) const TOO_LARGE: &str = "larger than 8 MiB, and inwit neither reads nor writes notes of that size";
