//! What a person sees of a turn: the reply as it arrives, the tools that are called, and what was stored.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use inwit_chat::{ChatTurn, Listener};
use inwit_model::plural::counted;

use crate::error::CliError;
use crate::outcome;
use crate::ui::Ui;

/// Most characters of a tool's arguments that are shown.
const ARGUMENT_CHARS_MAX: usize = 60;

/// Prints a turn while it runs.
pub struct Screen<'u> {
    pub ui: &'u mut Ui,
    /// Set by Ctrl-C.
    pub is_stopped: Arc<AtomicBool>,
    /// Whether the last part ended within a line.
    is_in_line: bool,
}

impl<'u> Screen<'u> {
    pub fn new(ui: &'u mut Ui, is_stopped: Arc<AtomicBool>) -> Self {
        Self { ui, is_stopped, is_in_line: false }
    }

    /// Prints a part; a turn that cannot be printed is stopped.
    fn print(&mut self, part: &str) {
        if !self.ui.stream(part) {
            self.is_stopped.store(true, Ordering::Relaxed);
        }
    }

    fn end_line(&mut self) {
        if std::mem::take(&mut self.is_in_line) {
            self.print("\n");
        }
    }

    /// Prints the rest of a turn. Error: the model failed.
    pub fn finish(mut self, turn: &ChatTurn) -> Result<(), CliError> {
        self.end_line();
        self.is_stopped.store(false, Ordering::Relaxed);
        let ui = self.ui;
        for wished in &turn.wished {
            match wished {
                Ok(outcome) => outcome::tell(outcome, false, ui),
                Err(error) => ui.say(format!("note: Not stored: {}", error.message)),
            }
        }
        turn.notices.iter().for_each(|notice| ui.notice(notice));
        if turn.is_cut {
            ui.say("note: The reply stopped at the limit of tokens.");
        }
        if turn.bootstrap_done {
            ui.say("First-run setup is finished.");
        }
        if turn.is_stopped {
            ui.say("Stopped. What was said and accepted until then is recorded.");
        }
        match &turn.failure {
            Some(error) => Err(CliError::new(error.code, error.message.clone())),
            None => Ok(()),
        }
    }
}

impl Listener for Screen<'_> {
    fn text(&mut self, part: &str) {
        self.print(part);
        self.is_in_line = !part.ends_with('\n');
    }

    fn tool(&mut self, name: &str, arguments: &str) {
        self.end_line();
        let short: String = arguments.chars().take(ARGUMENT_CHARS_MAX).collect();
        let more = if short.len() < arguments.len() { "…" } else { "" };
        self.ui.aside(format!("· {name} {short}{more}"));
    }

    fn is_stopped(&mut self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }
}

/// Tokens of a turn, the share that the provider read from its cache, and what waits; `None` if nothing is known.
pub fn status_line(turn: &ChatTurn) -> Option<String> {
    let usage = &turn.usage;
    let mut parts = Vec::new();
    if let Some(percent) = (usage.cache_read * 100).checked_div(usage.input) {
        parts.push(format!("{} in, {percent} % cached, {} out", usage.input, usage.output));
    }
    if turn.requests > 1 {
        parts.push(counted(turn.requests as usize, "request"));
    }
    if let Some(waiting) = turn.waiting.filter(|waiting| *waiting > 0) {
        parts.push(format!("{waiting} in the inbox (/inbox)"));
    }
    (!parts.is_empty()).then(|| parts.join(" · "))
}
