//! Waiting proposals of the agent, shown in their project as not reviewed.
//!
//! It may take weeks until the owner reviews the inbox; until then the agent would not know what it was asked to
//! remember. Invariants: proposals are shown to the owner's agent only, in their project, masked, and never as the
//! owner's statement. Proposals of dreams and imports are not shown: they may come from any project.

use std::collections::HashSet;

use inwit_model::{Actor, FileKind, Op, ProjectName, Scope};

use crate::Sessions;
use crate::notes::inbox;
use crate::notes::line::subject;
use crate::notes::line::{Line, Source, Speaker, number_of, terms};

/// Most proposals that are read, newest first.
const WAITING_MAX: usize = 200;

impl Sessions {
    /// Adds the lines of proposals, each as a separate source. None if memory.db cannot be read.
    pub(crate) fn lines_that_wait(&self, sources: &mut Vec<Source>, lines: &mut Vec<Line>) {
        for (at, project, text) in self.waiting() {
            let source = sources.len();
            let analyser = &mut self.core.recall().analyser;
            lines.push(Line {
                lead: None,
                terms: terms(&text, analyser),
                subject: HashSet::new(),
                head: subject::head(&text, analyser),
                number: number_of(&text),
                worth: 0,
                rows: 1,
                is_stated: false,
                text,
                speaker: Speaker::Waiting,
                person: None,
                source,
                turn: 0,
                is_known: false,
            });
            sources.push(Source { name: None, lines: (0, 0), at, order: 0, project, taint: None });
        }
    }

    /// Proposals in the private scope for MEMORY.md, USER.md or facts: time, project and text, masked. Newest first.
    pub(crate) fn waiting(&self) -> Vec<(String, Option<ProjectName>, String)> {
        let Ok(open) = self.notes.inbox(false) else { return Vec::new() };
        let ours = open.into_iter().rev().map(|kept| kept.proposal).filter(|one| one.scope == Scope::Main);
        let ours = ours.filter(|one| !matches!(one.actor, Actor::Dream | Actor::Engine | Actor::Import));
        let mut waiting = Vec::new();
        for proposal in ours.take(WAITING_MAX) {
            let is_memory =
                matches!(FileKind::at(proposal.target.as_str()), Some(FileKind::Memory | FileKind::User));
            let words = match (&proposal.op, inbox::words_of(&proposal)) {
                (_, Some(words)) => vec![words],
                (Op::Put(bytes), None) if is_memory => {
                    let before = self.core.content(&proposal.target).ok().flatten();
                    let before = before.map(|content| String::from_utf8_lossy(&content.bytes).into_owned());
                    added(&before.unwrap_or_default(), &String::from_utf8_lossy(bytes))
                }
                _ => continue,
            };
            for text in words {
                let masked = &mut Vec::new();
                let text =
                    self.core.masked_words(&Scope::Main, &proposal.target, &[], text, masked).into_string();
                let project = proposal.project.clone().map(|name| self.core.called_now(name));
                waiting.push((proposal.created.to_string(), project, text));
            }
        }
        waiting
    }
}

/// The entries of `after` that `before` lacks, without their marks.
fn added(before: &str, after: &str) -> Vec<String> {
    let known: Vec<&str> = before.lines().map(str::trim).collect();
    let fresh = after.lines().map(str::trim).filter(|line| line.starts_with("- ") && !known.contains(line));
    fresh.map(|line| inwit_markdown::shown(line.trim_start_matches("- ")).trim().to_owned()).collect()
}
