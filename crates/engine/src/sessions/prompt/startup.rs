//! Daily logs at the head of a new session's tail, as OpenClaw shows them after `/new`.
//!
//! Logs are long and change hourly: in the prefix they would displace the identity and break every cache. So a new
//! session gets the newest of them once, quoted and shortened; the rest is found by search. Invariant: a quoted log
//! cannot end its quotation, and all stay within the profile's `max_startup_chars`.

use inwit_model::SafeName;
use inwit_model::profile::BlockKind;
use inwit_workspace::{PrivateView, ScopedReader as _};
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::block::{Part, Reason};
use super::draft::{Draft, readable_text};
use super::fence;
use crate::ModelText;
use crate::core::fit;

/// Most characters of one log.
const FILE_CHARS_MAX: usize = 1_200;

/// Smallest excerpt of a log, in characters.
const FILE_CHARS_MIN: usize = 64;

/// Most logs of one day with a suffix (`2026-11-23-plans.md`).
const NAMED_A_DAY_MAX: usize = 4;

impl Draft<'_> {
    /// Adds the logs of the last days, newest first, until the budget is used.
    pub(super) fn startup_notes(&mut self, view: &PrivateView) {
        let mut left = self.sessions.core.profile.max_startup_chars;
        if left == 0 {
            return;
        }
        for name in self.startup_logs() {
            let Ok(content) = view.read(&name) else { continue };
            let Some(text) = readable_text(&content.bytes) else { continue };
            let whole =
                self.sessions.core.masked_for(view.scope(), &name, &text, &mut self.masked).into_owned();
            let shown =
                self.sessions.core.rendered(view.scope(), &name, &content.bytes, &whole, &mut self.masked);
            let shown = shown.trimmed();
            let total_chars = shown.chars().count();
            let frame = quoted(&name, "").chars().count();
            let room = left.saturating_sub(frame).min(FILE_CHARS_MAX);
            if total_chars == 0 {
                continue;
            }
            if room < FILE_CHARS_MIN {
                self.omit(BlockKind::Journals, Some(&name), Reason::OverStartupLimit, Some(total_chars));
                continue;
            }
            // A cut may create a finding, such as the start of a longer token.
            let mask = |text: String| {
                self.sessions.core.masked_words(view.scope(), &name, &content.bytes, text, &mut Vec::new())
            };
            let (cut, shown_chars) = shortened(&name, &shown, &whole, room, &mask);
            self.taint = self.taint.join(fence::journal(&text, &self.marks).1);
            let block = ModelText::made_of(&[&cut], quoted(&name, &cut));
            left = left.saturating_sub(block.chars().count());
            let chars = [shown_chars, total_chars];
            self.block(BlockKind::Journals, Some(name), Part::Tail, block, chars, content.sha256);
        }
    }

    /// `memory/<day>.md` and the last of `memory/<day>-<name>.md`, for each day.
    fn startup_logs(&self) -> Vec<SafeName> {
        let names = || self.listing.entries.iter().map(|entry| &entry.name);
        let mut logs = Vec::new();
        for day in self.startup_days() {
            let plain = format!("memory/{day}.md");
            logs.extend(names().filter(|name| name.as_str() == plain).cloned());
            let begins = format!("memory/{day}-");
            let mut named: Vec<SafeName> = names()
                .filter(|name| name.as_str().strip_prefix(&begins).is_some_and(|rest| !rest.contains('/')))
                .cloned()
                .collect();
            named.sort_by(|left, right| right.cmp(left));
            named.truncate(NAMED_A_DAY_MAX);
            logs.extend(named);
        }
        logs
    }

    /// The profile's days, newest first, and the UTC date if different.
    fn startup_days(&self) -> Vec<Date> {
        let today = self.sessions.core.today();
        let back = |days: u32| today.checked_sub(jiff::Span::new().days(i64::from(days))).ok();
        let mut days: Vec<Date> = (0..self.sessions.core.profile.journal_days).filter_map(back).collect();
        let utc = self.sessions.core.clock.now().to_zoned(TimeZone::UTC).date();
        if !days.contains(&utc) {
            days.push(utc);
            days.sort_by(|left, right| right.cmp(left));
        }
        days
    }
}

/// `shown` of the log `name` in at most `room` characters, masked again, and the number of shown characters.
fn shortened(
    name: &SafeName,
    shown: &str,
    whole: &str,
    room: usize,
    mask: &dyn Fn(String) -> ModelText,
) -> (ModelText, usize) {
    let total_chars = shown.chars().count();
    let escaped_whole = mask(escaped(shown));
    if escaped_whole.chars().count() <= room {
        return (escaped_whole, total_chars);
    }
    let marker = |line: usize| format!("\n...[truncated]... ({name}#L{line})");
    let most = marker(whole.lines().count() + 1).chars().count();
    let room = room.saturating_sub(most);
    let mut kept = room.min(total_chars);
    loop {
        let head: String = shown.chars().take(kept).collect();
        let text = mask(escaped(&head));
        let over = text.chars().count().saturating_sub(room);
        if over == 0 {
            let marked = format!("{text}{}", marker(fit::next_line(&head, whole)));
            return (ModelText::made_of(&[&text], marked), kept);
        }
        kept -= over.min(kept);
    }
}

/// A text that neither closes the fence nor ends the quotation.
fn escaped(text: &str) -> String {
    text.replace("```", "\\`\\`\\`").replace("END_QUOTED_NOTES", "END-QUOTED-NOTES")
}

fn quoted(name: &SafeName, text: &str) -> String {
    format!("[Untrusted daily memory: {name}]\nBEGIN_QUOTED_NOTES\n```text\n{text}\n```\nEND_QUOTED_NOTES")
}
