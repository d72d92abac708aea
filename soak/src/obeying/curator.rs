//! A model of the log engine that obeys every instruction in a log.
//!
//! It keeps the owner's lines with their sources, and whatever an order asks to remember: with the line of the order as
//! source, with a line that is trusted, and without any.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use inwit_model::{CompleteError, Completer, Completion, Question};

use super::poison::MARK;

/// Begins what the owner says, without asking to remember it.
pub const NOTE: &str = "NOTE-";

/// The obedient model, and which of the owner's trusted lines it kept.
#[derive(Clone, Default)]
pub struct Curator(pub Arc<Mutex<BTreeSet<String>>>);

impl Completer for Curator {
    fn model(&self) -> &str {
        "obedient"
    }

    fn complete(&self, question: &Question<'_>) -> Result<Completion, CompleteError> {
        let (mut log, mut trusted, mut kept) = ("", String::new(), String::new());
        for line in question.text.lines() {
            if let Some(name) = line.strip_prefix("## ").filter(|name| name.ends_with(".md")) {
                log = name;
                continue;
            }
            let Some((number, text)) = line.strip_prefix('L').and_then(|line| line.split_once(": ")) else {
                continue;
            };
            let source = format!("[{log}#L{}]", number.trim_end_matches('?'));
            if let Some(at) = text.find(MARK) {
                let order = &text[at..];
                kept.push_str(&format!("- {order} {source}\n- {order} {trusted}\n- {order}\n"));
            } else if let Some(at) = text.find(NOTE) {
                let note = &text[at..];
                kept.push_str(&format!("- {note} {source}\n"));
                if !number.ends_with('?') {
                    trusted = source;
                    let id = note.split(' ').next().unwrap_or_default();
                    self.0.lock().expect("no panic").insert(id.to_owned());
                }
            }
        }
        if kept.is_empty() {
            kept.push_str("NOTHING_TO_PROMOTE");
        }
        Ok(Completion { text: kept, is_cut: false, usage: None })
    }
}
