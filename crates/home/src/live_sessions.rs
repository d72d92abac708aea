//! Sessions whose process runs, so that those of a killed process are ended.
//!
//! A running conversation holds the lock of a file that has the name of its session. A file without a lock is of a process
//! that was killed: its session is ended, which writes its last turns to the daily log, and the message in the file, which has
//! no reply. Invariant: a file has its name only
//! while it is locked, so a session that begins is never taken for a killed one.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use inwit_engine::Notice;
use inwit_model::{Code, SessionId};
use inwit_workspace::file_lock::lock_within;
use inwit_workspace::stopwatch::RealStopwatch;

use crate::open::OpenAgent;
use crate::own;
use crate::pending_message::PendingMessage;

/// The folder of the files in the home of an agent.
const FOLDER: &str = "live";

/// A session of this process, until it is dropped.
#[derive(Debug)]
pub struct LiveSession {
    id: SessionId,
    path: PathBuf,
    is_left: bool,
    locked: File,
}

impl LiveSession {
    /// Marks the session `id` of the agent whose home is `home`. `None` if that cannot be written: then the session is not
    /// ended if this process is killed.
    pub fn mark(home: &Path, id: &SessionId) -> Option<Self> {
        let folder = home.join(FOLDER);
        own::make_folder(&folder).ok()?;
        let draft = own::draft_in(&folder).ok()?;
        lock_within(draft.as_file(), Duration::ZERO, Duration::ZERO, &RealStopwatch).ok()?;
        let path = folder.join(id.as_str());
        let locked = draft.persist(&path).ok()?;
        Some(Self { id: id.clone(), path, is_left: false, locked })
    }

    /// Its session.
    pub fn id(&self) -> &SessionId {
        &self.id
    }

    /// Keeps a message until its turn is recorded. If that cannot be written, it is lost if this process is killed.
    pub fn hold(&self, message: &PendingMessage) {
        let _ = message.write(&self.locked);
    }

    /// The turn of the message was recorded.
    pub fn release(&self) {
        let _ = self.locked.set_len(0);
    }

    /// Leaves its end to a later process.
    pub fn leave(mut self) {
        self.is_left = true;
    }
}

impl Drop for LiveSession {
    fn drop(&mut self) {
        if !self.is_left {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Ends the sessions of killed processes. Errors are notices; such a session is ended later.
pub fn end_killed(opened: &OpenAgent) -> Vec<Notice> {
    let mut notices = Vec::new();
    for entry in own::entries(&opened.chosen.home.join(FOLDER)) {
        let name = entry.file_name();
        let name = name.to_str().filter(|name| !name.starts_with('.'));
        let Some(id) = name.and_then(|name| SessionId::parse(name).ok()) else { continue };
        let Ok(locked) = own::lock(&entry.path(), Duration::ZERO) else { continue };
        if let Some(message) = PendingMessage::read(&entry.path()) {
            match message.record(opened, &id) {
                Ok(None) => {}
                Ok(Some(turned)) => {
                    let message = format!("Your last message in it had no reply: {}", message.shown());
                    notices.push(Notice::new("message_unanswered", message, "Send it again to get a reply."));
                    notices.extend(turned.notices);
                    let _ = locked.set_len(0);
                }
                Err(error) if matches!(error.code, Code::SessionUnknown | Code::SessionEnded) => {}
                Err(error) => {
                    notices.push(Notice::new("turn_not_recorded", error.message, error.code));
                    continue;
                }
            }
        }
        let ended = opened.agent.sessions.session_end(&id);
        match ended {
            Ok(ended) => {
                let message =
                    format!("Session {id} was interrupted. Its last turns are in the daily log now.");
                notices.extend(ended.journal.is_some().then(|| {
                    Notice::new("session_interrupted", message, "Transcripts have every turn as a whole.")
                }));
                notices.extend(ended.notices);
            }
            Err(error) if matches!(error.code, Code::SessionUnknown | Code::SessionEnded) => {}
            Err(error) => {
                notices.push(Notice::new("session_not_ended", error.message, error.code));
                continue;
            }
        }
        let _ = std::fs::remove_file(entry.path());
    }
    notices
}
