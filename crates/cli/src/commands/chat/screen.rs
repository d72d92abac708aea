//! What a person sees of a turn: the reply as it arrives, the tools that are called, and what was stored.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use inwit_chat::{ChatTurn, Listener};
use inwit_markdown::styled::{LineStyle, LineStyler};
use inwit_model::plural::counted;

use crate::error::CliError;
use crate::outcome;
use crate::ui::{Span, Style, Ui};
use unicode_segmentation::UnicodeSegmentation as _;

/// Most characters of a tool's arguments that are shown.
const ARGUMENT_CHARS_MAX: usize = 60;

/// Prints a turn while it runs.
pub struct Screen<'u> {
    pub ui: &'u mut Ui,
    /// Set by Ctrl-C.
    pub is_stopped: Arc<AtomicBool>,
    /// What was printed of the line that is not complete.
    line: String,
    /// The last character that arrived: the next part may go on with it.
    held: String,
    styler: LineStyler,
}

impl<'u> Screen<'u> {
    pub fn new(ui: &'u mut Ui, is_stopped: Arc<AtomicBool>) -> Self {
        Self { ui, is_stopped, line: String::new(), held: String::new(), styler: LineStyler::default() }
    }

    /// Prints a part; a turn that cannot be printed is stopped.
    fn print(&mut self, part: &str) {
        if !self.ui.stream(part) {
            self.is_stopped.store(true, Ordering::Relaxed);
        }
    }

    /// Ends the line, and shows it as the Markdown that it is.
    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        let parts = self.styler.line(&line);
        let is_plain = parts.iter().all(|part| part.style == LineStyle::Plain);
        let text: String = parts.iter().map(|part| part.text.as_str()).collect();
        if !is_plain || text != line {
            let spans: Vec<Span<'_>> =
                parts.iter().map(|part| Span::new(style(part.style), part.text.as_str())).collect();
            self.ui.restyle(&line, &spans);
        }
        self.print("\n");
    }

    /// Prints a part line by line.
    fn lines(&mut self, part: &str) {
        let mut pieces = part.split('\n');
        for piece in pieces.next().into_iter().chain(pieces.flat_map(|piece| ["\n", piece])) {
            match piece.trim_end_matches('\r') {
                "\n" => self.end_line(),
                "" => {}
                piece => {
                    self.print(piece);
                    self.line.push_str(piece);
                }
            }
        }
    }

    /// Prints what is held, and ends a line that is not complete.
    fn end_part(&mut self) {
        let held = std::mem::take(&mut self.held);
        self.lines(&held);
        if !self.line.is_empty() {
            self.end_line();
        }
    }

    /// Prints the rest of a turn. Error: the model failed.
    pub fn finish(mut self, turn: &ChatTurn) -> Result<(), CliError> {
        self.end_part();
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
        let text = std::mem::take(&mut self.held) + part;
        // Some characters, such as an emoji, are several code points.
        let (last, _) = text.grapheme_indices(true).next_back().unwrap_or((0, ""));
        self.lines(&text[..last]);
        self.held = text[last..].to_owned();
    }

    fn tool(&mut self, name: &str, arguments: &str) {
        self.end_part();
        let short: String = arguments.chars().take(ARGUMENT_CHARS_MAX).collect();
        let more = if short.len() < arguments.len() { "…" } else { "" };
        self.ui.aside(format!("· {name} {short}{more}"));
    }

    fn is_stopped(&mut self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }
}

/// How a part of a reply looks.
fn style(style: LineStyle) -> Style {
    match style {
        LineStyle::Plain => Style::Plain,
        LineStyle::Strong => Style::Strong,
        LineStyle::Emphasis => Style::Emphasis,
        LineStyle::Code => Style::Code,
        LineStyle::Aside => Style::Aside,
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
