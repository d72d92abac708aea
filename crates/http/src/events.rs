//! Streams of events: the rows of an agent's audit log, as they are written by any process.
//!
//! The number of a row is the id of its event, so a client that was away gets what it missed. Invariant: a stream ends
//! when its token is revoked, its client does not read, or the server stops; it holds no thread.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::http::header;
use axum::response::IntoResponse as _;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream;
use inwit_engine::core::record::AuditRow;
use inwit_home::OpenAgent;
use inwit_model::Code;
use inwit_wire::AuditRowV1;
use inwit_wire::tools::answer;
use tokio::sync::OwnedSemaphorePermit;

use crate::call::Call;
use crate::exchange::carried;
use crate::hints::said;
use crate::limit::{EVENTS_HEARTBEAT_SECONDS, EVENTS_MAX, EVENTS_PAUSE_MS};
use crate::problem::Problem;
use crate::reply::Reply;
use crate::server::Served;
use crate::verbs;

/// A stream between two looks.
struct Stream {
    served: Arc<Served>,
    opened: Arc<OpenAgent>,
    call: Arc<Call>,
    last: u64,
    waiting: std::vec::IntoIter<AuditRow>,
    _place: OwnedSemaphorePermit,
}

/// `GET …/events`. Errors: `server_busy`, `usage_bad`, those of opening the agent.
pub(crate) async fn stream(served: Arc<Served>, call: Call) -> Result<Reply, Problem> {
    let busy = |_| Problem::new(Code::ServerBusy, "Too many streams of events are open already.");
    let place = Arc::clone(&served.streams).try_acquire_owned().map_err(busy)?;
    let after = asked(&call)?;
    let (opening, call) = (Arc::clone(&served), Arc::new(call));
    let asking = Arc::clone(&call);
    let (opened, last) = beside(&served, move || {
        let opened = verbs::open(&opening, &asking)?;
        let last = match after {
            Some(after) => after,
            None => opened.agent.core.audit_rows_after(u64::MAX, 0)?.1,
        };
        Ok((opened, last))
    })
    .await?;
    let first = Stream { served, opened, call, last, waiting: Vec::new().into_iter(), _place: place };
    let events = stream::unfold(first, |stream| async {
        let (event, stream) = stream.next().await?;
        Some((Ok::<Event, Infallible>(event), stream))
    });
    let alive = KeepAlive::new().interval(Duration::from_secs(EVENTS_HEARTBEAT_SECONDS));
    let mut response = Sse::new(events).keep_alive(alive).into_response();
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, header::HeaderValue::from_static("private, no-store"));
    Ok(Reply::Events(response))
}

/// The last event that the caller has. Error: `usage_bad`.
fn asked(call: &Call) -> Result<Option<u64>, Problem> {
    let Some(header) = call.headers.get("last-event-id") else { return Ok(call.values.whole("after")) };
    let number = header.to_str().ok().and_then(|text| text.trim().parse().ok());
    let bad = || Problem::new(Code::UsageBad, "`Last-Event-ID` is not the number of an event.");
    number.map(Some).ok_or_else(bad)
}

impl Stream {
    /// The next event; `None` when the stream ends.
    async fn next(mut self) -> Option<(Event, Self)> {
        loop {
            if let Some(row) = self.waiting.next() {
                self.last = row.seq;
                let data = answer::value(&AuditRowV1::from(&row), said).to_string();
                let event = Event::default().id(row.seq.to_string()).event(&row.verb).data(data);
                return Some((event, self));
            }
            let rows = self.served.tokens.rows().ok()?;
            if self.served.is_stopping() || !self.call.caller.still_holds(&rows, self.served.clock.now()) {
                return None;
            }
            let (opened, last) = (Arc::clone(&self.opened), self.last);
            let found =
                beside(&self.served, move || Ok(opened.agent.core.audit_rows_after(last, EVENTS_MAX)?.0));
            // A busy or broken database is asked again.
            self.waiting = found.await.unwrap_or_default().into_iter();
            if self.waiting.len() == 0 {
                tokio::time::sleep(Duration::from_millis(EVENTS_PAUSE_MS)).await;
            }
        }
    }
}

/// Runs `work` on a thread that may block, in turn with the calls.
async fn beside<T: Send + 'static>(
    served: &Served,
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let turn = Arc::clone(&served.calls).acquire_owned().await;
    let done = tokio::task::spawn_blocking(carried(move || {
        let done = work();
        drop(turn);
        done
    }));
    let failed = |_| Problem::new(Code::WriteFailed, "The call failed with an internal error.");
    done.await.map_err(failed)?
}
