//! Recent sessions of a project in the session context: the most useful lines of each, newest first.
//!
//! Older sessions get a few lines, the last one more, and a subject is shown as the newest session has it. Invariants: only
//! answers and statements are shown, and of a question at most three words above a list without a heading; omissions are counted.

use std::collections::HashMap;
use std::ops::Range;

use inwit_model::{FileKind, Place, ProjectName, SafeName, Scope, Taint};
use inwit_recall::analyse::is_spaceless;
use inwit_store::SetKey;

use super::pack::{FRAME_UNITS, JOINT, Packed, Packing, units};
use super::repeated::Newer;
use crate::core::inert;
use crate::core::mask::{LineStarts, grave};
use crate::notes::journal;
use crate::notes::line::{Line, Speaker, lines_of, number_of};
use crate::notes::trust;
use crate::sessions::prompt::{fence, journals};
use crate::{EngineError, ModelText};

/// Most log entries that are used.
const ENTRIES_MAX: usize = 120;

/// Most entries that are read for those, since some have no useful lines.
const ENTRIES_READ_MAX: usize = 4 * ENTRIES_MAX;

/// Largest entry that is split into lines, in bytes; larger ones are omitted and counted.
const ENTRY_BYTES_MAX: usize = 128 * 1024;

/// Most lines of one entry.
const ENTRY_LINES_MAX: usize = 400;

/// Most lines of all entries: each is compared with newer ones.
const LINES_MAX: usize = 2_000;

/// Lines reserved for the newest session.
const LINES_OF_NEWEST: usize = 24;

/// Lines for each older session, newest first, before the best lines of all fill the rest.
const LINES_OF_OLDER: usize = 4;

/// Share of the room that statements of the user may take first.
const STATED_SHARE: f32 = 0.3;

/// Worth from which a statement of the user is selected first: that of a restriction.
const STATED_WORTH_MIN: u32 = 2;

/// Longest line, in characters.
const LINE_CHARS_MAX: usize = 260;

/// Shortest line of a turn, in characters; those of a script without blanks count twice.
const LINE_CHARS_MIN: usize = 12;

/// Characters of a line without cost, which limits the advantage of short lines.
const LINE_CHARS_FREE: usize = 40;

/// Room for the fence around the sessions, their heading and the note of omissions, in UTF-16 units.
const FENCE_UNITS: usize = 310;

/// Most proposals shown.
const WAITING_MAX: usize = 24;

/// Characters of a date: `2026-11-21`.
const DAY_CHARS: usize = 10;

/// Budget of proposals, in UTF-16 units.
const WAITING_UNITS_MAX: usize = 2_400;

/// One log, as read.
struct Log<'a> {
    name: &'a SafeName,
    whole: &'a str,
    /// See [`CorpusFile::clean_by`](inwit_store::CorpusFile::clean_by); 0 if the index does not have its bytes.
    clean_by: u64,
}

/// One log entry with its masked lines.
struct ShownEntry {
    name: SafeName,
    head: String,
    at: String,
    /// Rank of its session among the latest.
    order: usize,
    lines: Vec<Line>,
    /// The selected lines.
    chosen: Vec<usize>,
    taint: Taint,
}

impl Packing<'_> {
    /// Waiting proposals of the agent in this project, newest first, within `room` UTF-16 units.
    pub(super) fn waiting(&mut self, begins: &Packed<'_>, room: usize) {
        let room = room.saturating_sub(FENCE_UNITS).min(WAITING_UNITS_MAX);
        let ours = |project: &Option<_>| project.is_none() || project.as_ref() == begins.project;
        let lines = self.sessions.waiting().into_iter().filter(|(_, project, _)| ours(project));
        let is_new = |text: &str| begins.known.is_none_or(|known| !known.contains(&number_of(text)));
        let lines: Vec<_> = lines.filter(|(_, _, text)| is_new(text)).collect();
        let mut text =
            "# NOT REVIEWED YET\n\nYou asked to keep these, newest first; the owner has not decided.\n"
                .to_owned();
        let mut told = 0;
        for (at, _, line) in lines.iter().take(WAITING_MAX) {
            let number = number_of(line);
            let day = at.get(..DAY_CHARS).unwrap_or(at);
            let line = format!("\n- {day}: {}", inert::words(line, LINE_CHARS_MAX));
            if units(&text) + units(&line) > room {
                break;
            }
            text.push_str(&line);
            self.lines.insert(number);
            told += 1;
        }
        if told < lines.len() {
            let words = format!("{} more: `inwit inbox`", lines.len() - told);
            text.push_str(&format!("\n[left out: {words}]"));
            self.left_out.push(words);
        }
        if told > 0 {
            self.taint = self.taint.join(Taint::Tool);
            if let Ok(name) = SafeName::parse(FileKind::Memory.spec().path) {
                let shown = self.sessions.core.masked_words(&Scope::Main, &name, &[], text, &mut self.masked);
                let fenced = fence::fenced(&shown, Taint::Tool);
                self.parts.push(ModelText::made_of(&[&shown], fenced.trim_end()));
            }
        }
    }

    /// The newest sessions of the project, in the room left after `taken` UTF-16 units.
    pub(super) fn sessions(&mut self, begins: &Packed<'_>, taken: usize) -> Result<(), EngineError> {
        let (mut told, unread) = self.entries_of(begins)?;
        told.sort_by(|one, other| (&other.at, other.order).cmp(&(&one.at, one.order)));
        let mut newer = Newer::default();
        told.iter_mut().for_each(|entry| newer.without_repeated(&mut entry.lines));
        told.retain(|entry| !entry.lines.is_empty());
        let used: usize = self.parts.iter().map(|part| units(part) + JOINT.len()).sum();
        let room = begins.units_max.saturating_sub(FRAME_UNITS + FENCE_UNITS + used + taken);
        fill(&mut told, room);
        let missing = unread + told.iter().filter(|entry| entry.chosen.is_empty()).count();
        let mut entries: Vec<ModelText> = Vec::new();
        for entry in told.iter().filter(|entry| !entry.chosen.is_empty()) {
            self.taint = self.taint.join(entry.taint);
            self.lines.extend(entry.chosen.iter().map(|at| entry.lines[*at].number));
            // Separate lines become adjacent, so they are scanned again.
            let (core, masked) = (&self.sessions.core, &mut self.masked);
            entries.push(core.masked_words(&Scope::Main, &entry.name, &[], entry.text(), masked));
        }
        if entries.is_empty() && missing == 0 {
            return Ok(());
        }
        let mut text: String = entries.iter().flat_map(|entry| [JOINT, entry.as_str()]).collect();
        if missing > 0 {
            let words = format!("{missing} earlier entries of the logs: `memory_timeline`, `inwit search`");
            text.push_str(&format!("{JOINT}[left out: {words}]"));
            self.left_out.push(words);
        }
        let head = begins.project.map_or("# RECENT SESSIONS".to_owned(), |name| {
            let head = format!("# RECENT SESSIONS OF {name}");
            // Folder names may be chosen by others, and a heading is trusted.
            if grave(&head).is_empty() { head } else { "# RECENT SESSIONS OF THIS PROJECT".to_owned() }
        });
        let whole = format!("{head}{text}");
        let is_tainted = told.iter().any(|entry| !entry.chosen.is_empty() && entry.taint.is_tainted());
        let whole = if is_tainted { fence::fenced(&whole, self.taint).trim_end().to_owned() } else { whole };
        self.parts.push(ModelText::made_of(&entries.iter().collect::<Vec<_>>(), whole));
        Ok(())
    }

    /// The entries of the newest logs in this project or in none, and how many were omitted.
    fn entries_of(&mut self, begins: &Packed<'_>) -> Result<(Vec<ShownEntry>, usize), EngineError> {
        let listing = inwit_workspace::ScopedReader::list(&self.view)?;
        let logs = journals::latest(&self.view, &listing, self.sessions.core.today());
        let marks = self.sessions.notes.marks();
        let sessions = self.sessions.session_order();
        let indexed = self.sessions.core.index().known(&SetKey::of(&Scope::Main)).unwrap_or_default();
        let mut names: HashMap<ProjectName, bool> = HashMap::new();
        let (mut told, mut lines, mut read, mut unread) = (Vec::<ShownEntry>::new(), 0, 0, 0);
        for log in logs {
            if told.len() >= ENTRIES_MAX || lines >= LINES_MAX || read >= ENTRIES_READ_MAX {
                break;
            }
            let Some((whole, sha256)) = self.read_with_hash(&log.name) else { continue };
            let known = indexed.find(&log.name).filter(|known| known.sha256 == sha256);
            let log =
                Log { name: &log.name, whole: &whole, clean_by: known.map_or(0, |known| known.clean_by) };
            for part in parts(log.name, &whole).into_iter().rev() {
                let is_ours = match (&part.project, begins.project) {
                    (Some(name), Some(wanted)) => *names
                        .entry(name.clone())
                        .or_insert_with(|| self.sessions.core.called_now(name.clone()) == *wanted),
                    (Some(_), None) => false,
                    (None, _) => true,
                };
                let is_own = part.session.as_ref().is_some_and(|session| begins.own.contains(session));
                let is_ours = is_ours && !is_own;
                let order = part
                    .session
                    .as_ref()
                    .and_then(|session| sessions.get(session))
                    .copied()
                    .unwrap_or_default();
                let is_bounded = told.len() < ENTRIES_MAX && lines < LINES_MAX && read < ENTRIES_READ_MAX;
                if is_ours && is_bounded && part.span.len() <= ENTRY_BYTES_MAX {
                    read += 1;
                    let entry = self.told(&log, part, begins, &*marks);
                    let entry = entry.map(|entry| ShownEntry { order, ..entry });
                    lines += entry.as_ref().map_or(0, |entry| entry.lines.len());
                    told.extend(entry);
                } else if is_ours {
                    unread += 1;
                }
            }
        }
        Ok((told, unread))
    }

    /// A part of a log with its useful lines; `None` if there are none.
    fn told(
        &mut self,
        log: &Log<'_>,
        part: Part,
        begins: &Packed<'_>,
        marks: &fence::Marks<'_>,
    ) -> Option<ShownEntry> {
        let Log { name, whole, clean_by } = *log;
        let stored = &whole[part.span.clone()];
        let taint = trust::taint_of(stored, marks).unwrap_or(Taint::Owner);
        let core = &self.sessions.core;
        let page = core.page_seen(&Scope::Main, name, stored.as_bytes(), clean_by);
        // The selected lines are scanned once more.
        let shown = page.known_clean(clean_by, inwit_markdown::shown(stored).into_owned());
        let shown = shown.unwrap_or_else(|| {
            let masked = core.masked_for(&Scope::Main, name, stored, &mut self.masked);
            core.rendered(&Scope::Main, name, whole.as_bytes(), &masked, &mut self.masked)
        });
        let agents = part.agents.as_deref();
        let lines = lines_of(body(&shown), agents, 0, &mut self.sessions.core.recall().analyser);
        let is_told = |line: &Line| {
            line.is_packed()
                && (line.speaker == Speaker::File
                    || line.lead.is_some()
                    || width(&line.text) >= LINE_CHARS_MIN)
                && begins.known.is_none_or(|known| !known.contains(&line.number))
        };
        let mut lines: Vec<Line> = lines.into_iter().filter(is_told).take(ENTRY_LINES_MAX).collect();
        for line in &mut lines {
            line.text = inert::cut(&line.text, LINE_CHARS_MAX);
        }
        let head = format!("## {} · {name}#L{}", moment(&part.at, name), part.first_line);
        let at = part.at;
        (!lines.is_empty()).then_some(ShownEntry {
            name: name.clone(),
            head,
            at,
            order: 0,
            lines,
            chosen: Vec::new(),
            taint,
        })
    }
}

/// `2026-03-08 11:56`; only the time if the log's name has the date.
fn moment(at: &str, log: &SafeName) -> String {
    let (day, time) = (at.get(..DAY_CHARS), at.get(DAY_CHARS + 1..16));
    match (day, time) {
        (Some(day), Some(time))
            if log.as_str().rsplit('/').next().is_some_and(|file| file.starts_with(day)) =>
        {
            time.to_owned()
        }
        _ => at.get(..16).unwrap_or(at).replace('T', " "),
    }
}

/// A part of a log: an entry, or the text above the first one.
struct Part {
    span: Range<usize>,
    first_line: u32,
    at: String,
    project: Option<ProjectName>,
    /// The id of its session, as logs write it.
    session: Option<String>,
    /// Its answering agents; `None` if it has none.
    agents: Option<Vec<String>>,
}

fn parts(name: &SafeName, whole: &str) -> Vec<Part> {
    let entries = journal::entries(whole.as_bytes());
    let date =
        Place::of(name).as_ref().and_then(Place::date).map(|date| date.to_string()).unwrap_or_default();
    let head = 0..entries.first().map_or(whole.len(), |first| first.span.start);
    let lines = LineStarts::of(whole.as_bytes());
    let head = Part { span: head, first_line: 1, at: date, project: None, session: None, agents: None };
    let entries = entries.into_iter().map(|entry| Part {
        first_line: lines.line_of(entry.span.start),
        span: entry.span,
        at: entry.at.to_string(),
        project: entry.project.as_deref().map(ProjectName::of_log),
        session: entry.turns.map(|turns| turns.session),
        agents: Some(entry.agents),
    });
    std::iter::once(head).chain(entries).collect()
}

/// The digest of an entry, after its heading and labels.
pub(super) fn body(entry: &str) -> &str {
    let mut rest = entry;
    while let Some((line, below)) = rest.split_once('\n') {
        if line.starts_with("- ")
            || !(line.trim().is_empty() || line.starts_with('#') || journal::is_names(line))
        {
            break;
        }
        rest = below;
    }
    rest
}

/// Selects lines of `sessions`, newest first, until `room` is used: statements of the user, some of each session, then the best
/// of all.
fn fill(sessions: &mut [ShownEntry], mut room: usize) {
    room -= choose_stated(sessions, (room as f32 * STATED_SHARE) as usize);
    let mut is_full = vec![false; sessions.len()];
    loop {
        let open = || sessions.iter().enumerate().filter(|(at, one)| !is_full[*at] && one.next().is_some());
        let least = |at: usize| if at == 0 { LINES_OF_NEWEST } else { LINES_OF_OLDER };
        let value = |one: &ShownEntry| one.next().map_or(0.0, |line| one.value(line));
        let behind = open().find(|(at, one)| one.chosen.len() < least(*at));
        let best =
            || open().max_by(|(a, one), (b, other)| value(one).total_cmp(&value(other)).then(b.cmp(a)));
        let Some((at, _)) = behind.or_else(best) else { return };
        let session = &mut sessions[at];
        let Some(line) = session.next() else { return };
        let cost = session.cost(line) + session.cost_of_lead(line);
        if cost > room {
            is_full[at] = true;
            continue;
        }
        room -= cost;
        session.chosen.push(line);
    }
}

/// Selects rules and restrictions that the user stated, newest first, within `room`, and returns the room used: they
/// hold until the user changes them, and later sessions do not repeat them.
fn choose_stated(sessions: &mut [ShownEntry], room: usize) -> usize {
    let mut used = 0;
    for session in sessions {
        for at in 0..session.lines.len() {
            let line = &session.lines[at];
            let cost = session.cost(at);
            if line.speaker == Speaker::User && line.worth >= STATED_WORTH_MIN && used + cost <= room {
                used += cost;
                session.chosen.push(at);
            }
        }
    }
    used
}

fn width(line: &str) -> usize {
    line.chars().map(|c| 1 + usize::from(is_spaceless(c))).sum()
}

impl ShownEntry {
    /// The most valuable line not yet selected.
    fn next(&self) -> Option<usize> {
        let left = (0..self.lines.len()).filter(|at| !self.chosen.contains(at));
        left.max_by(|one, other| self.value(*one).total_cmp(&self.value(*other)).then(other.cmp(one)))
    }

    /// The worth of a line per room.
    fn value(&self, at: usize) -> f64 {
        let line = &self.lines[at];
        (f64::from(line.worth * line.rows) + 0.5) / (LINE_CHARS_FREE + line.text.chars().count()) as f64
    }

    /// A line as shown. A person's line starts with their name, since one fence has the whole session.
    fn line(&self, at: usize) -> String {
        let line = &self.lines[at];
        let indent = if line.lead.is_some() { "  " } else { "" };
        let person = line.person.as_ref().map(|person| format!("{person}: ")).unwrap_or_default();
        format!("{indent}- {person}{}", line.text)
    }

    /// Size of a line, with the heading of its entry if it is the first one selected, in UTF-16 units.
    fn cost(&self, at: usize) -> usize {
        let head = if self.chosen.is_empty() { units(&self.head) + 2 * JOINT.len() } else { 0 };
        units(&self.line(at)) + 1 + head
    }

    /// Size of a line's introduction, in UTF-16 units, unless it is shown already.
    fn cost_of_lead(&self, at: usize) -> usize {
        let line = &self.lines[at];
        let has_lead = |other: &&usize| self.lines[**other].is_below_same(line);
        match &line.lead {
            Some(lead) if self.chosen.iter().find(has_lead).is_none() => units(lead) + "- \n".len(),
            _ => 0,
        }
    }

    /// The newest turn first, so that current statements precede what they replaced.
    fn text(&self) -> String {
        let mut order = self.chosen.clone();
        order.sort_unstable_by_key(|at| (std::cmp::Reverse(self.lines[*at].turn), *at));
        let (mut lines, mut last): (Vec<String>, Option<usize>) = (Vec::new(), None);
        for at in order {
            let is_below_last = last.is_some_and(|last| self.lines[last].is_below_same(&self.lines[at]));
            lines.extend(
                self.lines[at].lead.iter().filter(|_| !is_below_last).map(|lead| format!("- {lead}")),
            );
            lines.push(self.line(at));
            last = Some(at);
        }
        format!("{}{JOINT}{}", self.head, lines.join("\n"))
    }
}
