//! Parses times for queries as of a time.
//!
//! An ambiguous expression means the latest time that has begun, else the nearest ([`bound`]). Invariant: a day is in
//! the agent's time zone, and the caller says whether its start or end is meant.

use inwit_model::{Code, time};
use inwit_recall::time::bound::{self, Side, is_time};
use jiff::civil::{self, Date};
use jiff::{SignedDuration, Timestamp, Zoned};

use crate::{Core, EngineError};

/// Which end of a day is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DayEdge {
    /// Its start.
    Start,
    /// Its end.
    End,
}

impl Core {
    /// The time of `text`: a date-time with a zone (`2026-05-01T10:00:00Z`, `2026-05-01T10:00[Asia/Tokyo]`) or in the
    /// agent's (`2026-05-01T10:00`); for a day or words (`2026-05-01`, `last Friday`, `May`) the `edge` of that
    /// period; `now` is now. Error: `time_bad`, also if only part of it is understood.
    pub fn moment(&self, text: &str, edge: DayEdge) -> Result<Timestamp, EngineError> {
        let text = text.trim();
        let unknown = || {
            let shown = inwit_model::name::shown(text);
            let why = match edge {
                _ if has_hour(text) || !is_time(text, self.today()) => "cannot be parsed as a time.",
                DayEdge::Start => "has no start, and a start is needed here. Write only the time.",
                DayEdge::End => "has no end, and an end is needed here. Write only the time.",
            };
            let message = format!("`{shown}` {why}");
            EngineError::new(Code::TimeBad, message)
        };
        if bound::is_now(text) {
            return Ok(self.clock.now());
        }
        if let Ok(moment) = text.parse::<Timestamp>() {
            // A time as JSON has it is cut to the millisecond: what happened within it has happened.
            let is_cut = matches!(edge, DayEdge::End) && time::json(moment) == text;
            let rest = SignedDuration::from_nanos(if is_cut { 999_999 } else { 0 });
            return Ok(moment.checked_add(rest).unwrap_or(moment));
        }
        // As people read it: cut to the minute.
        if let Some(Ok(moment)) =
            text.strip_suffix(" UTC").map(|text| format!("{text}Z").parse::<Timestamp>())
        {
            let rest = SignedDuration::from_millis(if matches!(edge, DayEdge::End) { 59_999 } else { 0 });
            let end = moment.checked_add(rest).unwrap_or(moment);
            return Ok(end.min(self.clock.now().max(moment)));
        }
        if let Ok(zoned) = text.parse::<Zoned>() {
            return Ok(zoned.timestamp());
        }
        // An unknown zone in brackets is not the agent's.
        if text.contains(':')
            && !text.contains('[')
            && let Ok(local) = text.parse::<civil::DateTime>()
        {
            return Ok(local.to_zoned(self.day_zone()).map_err(|_| unknown())?.timestamp());
        }
        // The word parser ignores signs, and no notes are from before year 1.
        let is_signed =
            text.strip_prefix(['-', '+', '\u{2212}']).is_some_and(|rest| rest.starts_with(char::is_numeric));
        if is_signed {
            return Err(unknown());
        }
        let side = match edge {
            DayEdge::Start => Side::Since,
            DayEdge::End => Side::AsOf,
        };
        let said = || bound::said(text, side, self.today());
        let read = Some(text).filter(|text| !has_hour(text)).and_then(|_| said()).ok_or_else(unknown)?;
        let start = |day: Date| day.to_zoned(self.day_zone()).map(|start| start.timestamp());
        let day = match edge {
            DayEdge::Start => read.since,
            DayEdge::End => read.until,
        };
        let day = day.ok_or_else(unknown)?;
        let moment = match edge {
            DayEdge::Start => start(day),
            DayEdge::End => {
                let next = day.tomorrow().and_then(start);
                next.and_then(|next| next.checked_sub(SignedDuration::from_nanos(1)))
            }
        };
        // The last representable day, used for "forever", has no representable end.
        let edge_of_time = if day.year() > 0 { Timestamp::MAX } else { Timestamp::MIN };
        Ok(moment.unwrap_or(edge_of_time))
    }
}

/// Whether an hour follows a day: parsed above, or not understood.
fn has_hour(text: &str) -> bool {
    text.as_bytes().windows(3).any(|bytes| {
        bytes[0].is_ascii_digit() && bytes[1].eq_ignore_ascii_case(&b't') && bytes[2].is_ascii_digit()
    })
}
