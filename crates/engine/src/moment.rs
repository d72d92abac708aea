//! Moments as people say them, for all that can be asked as of one.
//!
//! Invariant: a day is a day of the agent's zone, and which end of it is meant is said by who asks.

use inwit_model::Code;
use inwit_recall::time::whole_interval;
use jiff::civil::{self, Date};
use jiff::{SignedDuration, Timestamp, Zoned};

use crate::{Agent, EngineError};

/// What a day means where a moment is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DayEdge {
    /// Its first moment.
    Start,
    /// Its last one.
    End,
}

impl Agent {
    /// The moment that `text` means: a date-time with a zone (`2026-05-01T10:00:00Z`,
    /// `2026-05-01T10:00[Asia/Tokyo]`) or in the agent's own (`2026-05-01T10:00`); of a day or of words
    /// (`2026-05-01`, `last Friday`) the `edge` of the day. Error: `usage_bad`, also where only a part is
    /// understood: the rest might mean another moment.
    pub fn moment(&self, text: &str, edge: DayEdge) -> Result<Timestamp, EngineError> {
        let text = text.trim();
        let unknown = || {
            let message = format!(
                "`{}` is no moment that is understood: write 2026-05-01, 2026-05-01T10:00, or say it, as in `last Friday`.",
                inwit_model::name::shown(text)
            );
            EngineError::new(Code::UsageBad, message)
        };
        if let Ok(moment) = text.parse::<Timestamp>() {
            return Ok(moment);
        }
        if let Ok(zoned) = text.parse::<Zoned>() {
            return Ok(zoned.timestamp());
        }
        // A zone in brackets that is not known is not the agent's own.
        if text.contains(':')
            && !text.contains('[')
            && let Ok(local) = text.parse::<civil::DateTime>()
        {
            return Ok(local.to_zoned(self.day_zone()).map_err(|_| unknown())?.timestamp());
        }
        let read = whole_interval(text, self.today()).ok_or_else(unknown)?;
        let start = |day: Date| day.to_zoned(self.day_zone()).map(|start| start.timestamp());
        let day = match edge {
            DayEdge::Start => read.since.or(read.until),
            DayEdge::End => read.until.or(read.since),
        };
        let day = day.ok_or_else(unknown)?;
        let moment = match edge {
            DayEdge::Start => start(day),
            DayEdge::End => {
                let next = day.tomorrow().and_then(start);
                next.and_then(|next| next.checked_sub(SignedDuration::from_nanos(1)))
            }
        };
        // The last day of all, which people write for ever, has an end that no clock shows.
        let edge_of_time = if day.year() > 0 { Timestamp::MAX } else { Timestamp::MIN };
        Ok(moment.unwrap_or(edge_of_time))
    }
}
