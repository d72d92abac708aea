//! Notices about a prompt: every cut or omission by size or state is reported, in every form (D12).

use inwit_model::profile::BlockKind;
use inwit_model::{Hint, Profile, SafeName};

use super::block::{Block, Omission, Reason};
use crate::Notice;
use crate::core::fit;

/// A cut is never silent, whatever the reader requested (D12).
pub(super) fn notices(profile: &Profile, blocks: &[Block], omitted: &[Omission]) -> Vec<Notice> {
    let cut = blocks.iter().filter(|block| block.is_cut() && !block.is_startup_note()).filter_map(|block| {
        let name = block.source.as_ref().map_or(block.kind?.word(), SafeName::as_str);
        let [shown, total] = [block.shown_chars, block.total_chars].map(fit::grouped);
        Some((block.kind, format!("{name} ({shown} of {total} characters)")))
    });
    let dropped = omitted
        .iter()
        .filter(|omission| {
            matches!(
                omission.reason,
                Reason::OverFileLimit | Reason::OverTotalLimit | Reason::OverSkillsLimit(_)
            )
        })
        .map(|omission| {
            let name = omission.source.as_ref().map_or(omission.kind.word(), SafeName::as_str);
            (Some(omission.kind), format!("{name} (none of it)"))
        });
    // Facts are in no file that could be shortened.
    let (facts, files): (Vec<_>, Vec<_>) =
        cut.chain(dropped).partition(|(kind, _)| *kind == Some(BlockKind::Facts));
    let of_files = Hint::Words(
        "Shorten the file, or raise load.max_file_chars, load.max_total_chars or write.max_file_bytes.",
    );
    let of_facts = Hint::ListFacts;
    let mut notices = Vec::new();
    for (named, hint) in [(files, of_files), (facts, of_facts)] {
        if named.is_empty() {
            continue;
        }
        let named: Vec<String> = named.into_iter().map(|(_, name)| name).collect();
        let [file, total] = [profile.max_file_chars, profile.max_total_chars].map(fit::grouped);
        let message = format!(
            "The prompt does not contain everything. The limits are {file} characters a file and {total} in \
             all: {}.",
            named.join(", ")
        );
        notices.push(Notice::new("prompt_cut", message, hint));
    }
    let unread: Vec<String> = omitted.iter().filter_map(unread_sentence).collect();
    if !unread.is_empty() {
        notices.push(Notice::new("prompt_unread", unread.join(" "), Hint::AskDoctor));
    }
    for omission in omitted {
        if matches!(omission.reason, Reason::SetSince(_)) {
            let hint = Hint::ReadProfile;
            notices.push(Notice::new("profile_set_since", omission.reason.sentence(), hint));
        }
    }
    notices
}

fn unread_sentence(omission: &Omission) -> Option<String> {
    let name = omission.source.as_ref().map_or(omission.kind.word(), SafeName::as_str);
    match &omission.reason {
        Reason::Unreadable(why) => Some(why.clone()),
        Reason::NotText => Some(format!("`{name}` is not UTF-8 text, so it is not in the prompt.")),
        _ => None,
    }
}
