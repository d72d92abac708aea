//! JSON-RPC over lines: input, output, and limits on both.
//!
//! The SDK's transport ignores unreadable lines; here every invalid line is answered, with its id if possible.
//! Reading continues while calls run, so that a client may write all its calls before it reads an answer. Invariants:
//! only messages are written, one per line; at most [`AHEAD_KIB_MAX`] wait to be run, and at most [`CALLS_MAX`] calls
//! run, cancelled or not; when the input ends, pending calls are answered while the client reads.

use std::collections::HashMap;
use std::io::{self, BufRead as _, BufReader, Read, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use inwit_wire::message_id;
use inwit_wire::surrogates::LossyJson;
use rmcp::RoleServer;
use rmcp::model::{
    ClientNotification, ClientRequest, ErrorData, GetExtensions as _, JsonRpcMessage, JsonRpcRequest,
    RequestId,
};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::runtime::Handle;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, mpsc};

/// Longest line that is read, in bytes.
pub const LINE_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Most KiB of lines that wait.
pub const AHEAD_KIB_MAX: u32 = 64 * 1024;

/// Most calls that are running or whose answers wait for the reader.
pub const CALLS_MAX: usize = 64;

/// Bytes kept of the end of a too long line.
const END_BYTES_MAX: usize = 1024;

/// Seconds without progress after which waiting ends once the input has ended: a call hangs, or the client does not
/// read.
pub const SETTLE_SECONDS_MAX: u64 = 30;

/// One line.
enum Line {
    /// With its share of the waiting limit.
    Whole(Vec<u8>, OwnedSemaphorePermit),
    /// Longer than [`LINE_BYTES_MAX`]; with its id, if found.
    TooLong(Option<RequestId>),
}

/// A slot of [`CALLS_MAX`]. It is released when the call and its work are done: a cancelled call keeps it until its
/// work ends.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    _permit: Arc<OwnedSemaphorePermit>,
}

/// The two ends of a connection.
pub(crate) struct Lines {
    incoming: mpsc::UnboundedReceiver<Line>,
    out: Arc<Out>,
    /// Whether a request came; no notification is sent before.
    begun: bool,
    /// The next request with its slot. It waits while one with the same id runs: the SDK drops the answer of one.
    next: Option<(JsonRpcRequest<ClientRequest>, OwnedSemaphorePermit)>,
}

/// The reader of the answers.
pub(crate) struct Reader(Arc<Out>);

impl Reader {
    /// Whether it is closed.
    pub(crate) fn is_gone(&self) -> bool {
        self.0.is_unread()
    }
}

/// State shared with the answering side.
struct Out {
    to: Mutex<Box<dyn Write + Send>>,
    /// Running calls, each with its slot of [`CALLS_MAX`].
    open: Mutex<HashMap<RequestId, Place>>,
    places: Arc<Semaphore>,
    /// Longest time without progress after the input has ended.
    settle: Duration,
    ended: AtomicBool,
    /// Answers to invalid lines in progress.
    refusals: AtomicUsize,
    /// An answer was written, or the reader is closed.
    moved: Notify,
    unread: AtomicBool,
}

impl Lines {
    /// Starts reading `input` on a thread, which ends with it. After that, waiting ends after `settle` without
    /// progress.
    pub(crate) fn new(
        input: impl Read + Send + 'static,
        output: Box<dyn Write + Send>,
        settle: Duration,
    ) -> Self {
        let (send, incoming) = mpsc::unbounded_channel();
        let runtime = Handle::current();
        let out = Arc::new(Out {
            to: Mutex::new(output),
            open: Mutex::default(),
            places: Arc::new(Semaphore::new(CALLS_MAX)),
            settle,
            ended: AtomicBool::new(false),
            moved: Notify::new(),
            refusals: AtomicUsize::new(0),
            unread: AtomicBool::new(false),
        });
        let told = Arc::clone(&out);
        std::thread::spawn(move || {
            read_all(input, &send, &runtime);
            drop(send);
            told.ended.store(true, Ordering::Release);
            told.moved.notify_waiters();
        });
        let watched = Arc::clone(&out);
        tokio::spawn(async move {
            stalled(&watched).await;
            watched.give_up();
        });
        Self { incoming, out, begun: false, next: None }
    }

    /// Whether the client still reads.
    pub(crate) fn reader(&self) -> Reader {
        Reader(Arc::clone(&self.out))
    }

    /// Answers an invalid line, concurrently with reading. Its `place` is held until the answer was read, so that a
    /// client cannot fill the memory.
    fn refuse(&self, (error, id): Refused, place: OwnedSemaphorePermit) {
        let out = Arc::clone(&self.out);
        out.refusals.fetch_add(1, Ordering::AcqRel);
        tokio::spawn(async move {
            // If the client does not read, nothing is sent.
            let _ = Arc::clone(&out).write(TxJsonRpcMessage::<RoleServer>::error(error, id)).await;
            out.refusals.fetch_sub(1, Ordering::AcqRel);
            drop(place);
            out.moved.notify_waiters();
        });
    }

    /// Waits until every call is answered, or the reader is closed.
    async fn settle(&self) {
        loop {
            let moved = self.out.moved.notified();
            if self.out.is_unread() || self.out.is_settled() {
                return;
            }
            moved.await;
        }
    }
}

impl Out {
    fn open(&self) -> MutexGuard<'_, HashMap<RequestId, Place>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_settled(&self) -> bool {
        self.open().is_empty() && self.refusals.load(Ordering::Acquire) == 0
    }

    fn is_unread(&self) -> bool {
        self.unread.load(Ordering::Acquire)
    }

    /// Stops waiting for answers.
    fn give_up(&self) {
        self.unread.store(true, Ordering::Release);
        self.moved.notify_waiters();
    }

    /// The call `id` needs no answer any more.
    fn close(&self, id: &RequestId) {
        self.open().remove(id);
        self.moved.notify_waiters();
    }

    /// Writes one message as one line. Uses a thread that may block, because a full pipe blocks.
    async fn write(self: Arc<Self>, message: TxJsonRpcMessage<RoleServer>) -> io::Result<()> {
        let answered = match &message {
            JsonRpcMessage::Response(response) => Some(response.id.clone()),
            JsonRpcMessage::Error(error) => error.id.clone(),
            _ => None,
        };
        let mut line = serde_json::to_vec(&message)?;
        line.push(b'\n');
        let out = Arc::clone(&self);
        let writing = tokio::task::spawn_blocking(move || {
            let mut to = out.to.lock().unwrap_or_else(PoisonError::into_inner);
            to.write_all(&line).and_then(|()| to.flush())
        });
        let gone = || Err(io::ErrorKind::BrokenPipe.into());
        let written = tokio::select! {
            written = writing => written.unwrap_or_else(|_| gone()),
            () = unread(&self) => gone(),
        };
        if written.is_err() {
            self.unread.store(true, Ordering::Release);
        }
        match answered {
            Some(id) => self.close(&id),
            None => self.moved.notify_waiters(),
        }
        written
    }
}

impl Transport<RoleServer> for Lines {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        Arc::clone(&self.out).write(message)
    }

    /// The next message. Cancelling the wait loses nothing: a line is taken only when there is a slot for it.
    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if let Some((request, _)) = &self.next {
                answered(&self.out, &request.id).await;
            }
            if let Some((mut request, place)) = self.next.take() {
                let place = Place { _permit: Arc::new(place) };
                request.request.extensions_mut().insert(place.clone());
                self.out.open().insert(request.id.clone(), place);
                return Some(JsonRpcMessage::Request(request));
            }
            let place = tokio::select! {
                place = Arc::clone(&self.out.places).acquire_owned() => place.ok()?,
                () = unread(&self.out) => return None,
            };
            let line = tokio::select! {
                line = self.incoming.recv() => line,
                () = unread(&self.out) => return None,
            };
            let message = match line {
                None => {
                    drop(place);
                    self.settle().await;
                    return None;
                }
                Some(Line::TooLong(id)) => Err(too_long(id)),
                Some(Line::Whole(line, _share)) => match read(&line) {
                    None => continue,
                    Some(message) => message,
                },
            };
            match message {
                Err(refused) => self.refuse(refused, place),
                Ok(JsonRpcMessage::Request(request)) => {
                    self.begun = true;
                    self.next = Some((request, place));
                }
                Ok(message) if self.begun => {
                    if let JsonRpcMessage::Notification(notification) = &message
                        && let ClientNotification::CancelledNotification(cancelled) =
                            &notification.notification
                        && let Some(id) = &cancelled.params.request_id
                    {
                        self.out.close(id);
                    }
                    return Some(message);
                }
                Ok(_) => {}
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.incoming.close();
        Ok(())
    }
}

/// Waits until the reader is closed.
async fn unread(out: &Out) {
    loop {
        let moved = out.moved.notified();
        if out.is_unread() {
            return;
        }
        moved.await;
    }
}

/// Waits until no call `id` is running, or the reader is closed.
async fn answered(out: &Out, id: &RequestId) {
    loop {
        let moved = out.moved.notified();
        if out.is_unread() || !out.open().contains_key(id) {
            return;
        }
        moved.await;
    }
}

/// Waits until the input has ended and no call makes progress.
async fn stalled(out: &Out) {
    loop {
        let moved = out.moved.notified();
        if !out.ended.load(Ordering::Acquire) {
            moved.await;
        } else if tokio::time::timeout(out.settle, moved).await.is_err() {
            return;
        }
    }
}

type Refused = (ErrorData, Option<RequestId>);

fn too_long(id: Option<RequestId>) -> Refused {
    let message = format!("the line is longer than {LINE_BYTES_MAX} bytes and was not read");
    (ErrorData::invalid_request(message, None), id)
}

/// The message of a line; `None` if it is empty or an unknown notification.
fn read(line: &[u8]) -> Option<Result<RxJsonRpcMessage<RoleServer>, Refused>> {
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line).trim_ascii();
    if line.is_empty() {
        return None;
    }
    let strict = serde_json::from_slice(line);
    let value: Value = match strict.or_else(|_| serde_json::from_reader(LossyJson::new(line))) {
        Ok(value) => value,
        Err(_) => return Some(Err((ErrorData::parse_error("The line is not valid JSON.", None), None))),
    };
    let id = value.get("id").and_then(request_id);
    if id.is_some() && value.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        let message = "The line is not a JSON-RPC 2.0 message: `jsonrpc` must be \"2.0\".";
        return Some(Err((ErrorData::invalid_request(message, None), id)));
    }
    let is_call = value.get("method").is_some();
    let is_note = is_call && value.get("id").is_none();
    let unfit = || ErrorData::invalid_params("The parameters do not match the method.", None);
    match serde_json::from_value(value) {
        // What the SDK cannot parse as the named method, it treats as a custom method.
        Ok(JsonRpcMessage::Request(request)) if is_misread(&request.request) => {
            Some(Err((unfit(), Some(request.id))))
        }
        Ok(message) => Some(Ok(message)),
        Err(_) if is_note => None,
        Err(_) if is_call && id.is_some() => Some(Err((unfit(), id))),
        Err(_) => {
            let message = "The line is not a single JSON-RPC message.";
            Some(Err((ErrorData::invalid_request(message, None), id)))
        }
    }
}

/// Whether a request names a known method with invalid parameters.
fn is_misread(request: &ClientRequest) -> bool {
    const KNOWN: &[&str] = &[
        "initialize", "server/discover", "ping", "tools/list", "tools/call", "resources/list",
        "resources/templates/list", "resources/read", "prompts/list", "prompts/get", "completion/complete",
    ];
    matches!(request, ClientRequest::CustomRequest(custom) if KNOWN.contains(&custom.method.as_str()))
}

/// Reads lines until the input or the connection ends.
fn read_all(input: impl Read, send: &mpsc::UnboundedSender<Line>, runtime: &Handle) {
    let ahead = Arc::new(Semaphore::new(AHEAD_KIB_MAX as usize));
    let mut input = BufReader::new(input);
    loop {
        let mut line = Vec::new();
        let read = input.by_ref().take(LINE_BYTES_MAX as u64 + 1).read_until(b'\n', &mut line);
        let sent = match read {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) | Ok(0) => return,
            Ok(_) if line.len() > LINE_BYTES_MAX => {
                let (end, is_over) =
                    if line.ends_with(b"\n") { (Vec::new(), false) } else { skip_to_end(&mut input) };
                let sent =
                    send.send(Line::TooLong(message_id::id_of(&line, &end).as_ref().and_then(request_id)));
                if is_over {
                    return;
                }
                sent
            }
            Ok(_) => {
                let share = u32::try_from(line.len() / 1024 + 1).unwrap_or(AHEAD_KIB_MAX);
                let Ok(share) = runtime.block_on(Arc::clone(&ahead).acquire_many_owned(share)) else {
                    return;
                };
                send.send(Line::Whole(line, share))
            }
        };
        if sent.is_err() {
            return;
        }
    }
}

/// Reads to the end of the line. Returns its last bytes, and whether the input ended.
fn skip_to_end(input: &mut impl io::BufRead) -> (Vec<u8>, bool) {
    let mut end = Vec::new();
    loop {
        let (used, is_over) = match input.fill_buf() {
            Ok([]) => return (end, true),
            Ok(bytes) => {
                let line_end = bytes.iter().position(|byte| *byte == b'\n');
                let rest = &bytes[..line_end.unwrap_or(bytes.len())];
                end.extend_from_slice(&rest[rest.len().saturating_sub(END_BYTES_MAX)..]);
                end.drain(..end.len().saturating_sub(END_BYTES_MAX));
                (line_end.map_or(bytes.len(), |at| at + 1), line_end.is_some())
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return (end, true),
        };
        input.consume(used);
        if is_over {
            return (end, false);
        }
    }
}

/// The id in a message.
fn request_id(id: &Value) -> Option<RequestId> {
    match id {
        Value::String(id) => Some(RequestId::String(id.as_str().into())),
        Value::Number(id) => id.as_i64().map(RequestId::Number),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
