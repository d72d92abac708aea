//! Text inserted into a file of another program, and its removal.
//!
//! Invariant: splices only insert. Removing them in reverse order restores the original bytes. A receipt has only our
//! own text and positions, never text of a foreign file.

use serde::{Deserialize, Serialize};

/// A text inserted at one position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Splice {
    /// The byte position, in the text after the earlier splices.
    pub at: usize,
    /// The text.
    pub text: String,
}

/// `text` with the splice.
pub fn with(text: &str, splice: &Splice) -> String {
    format!("{}{}{}", &text[..splice.at], splice.text, &text[splice.at..])
}

/// `text` without the splices; `None` if it does not contain them.
pub fn without(text: &str, splices: &[Splice]) -> Option<String> {
    let mut text = text.to_owned();
    for splice in splices.iter().rev() {
        let end = splice.at.checked_add(splice.text.len())?;
        if text.get(splice.at..end)? != splice.text {
            return None;
        }
        text.replace_range(splice.at..end, "");
    }
    Some(text)
}

/// `text` without the splices at any position; `None` if one of them is missing or occurs more than once.
pub fn lifted(text: &str, splices: &[Splice]) -> Option<String> {
    splices.iter().rev().try_fold(text.to_owned(), |text, splice| {
        let (before, after) = text.split_once(&splice.text)?;
        (!after.contains(&splice.text)).then(|| format!("{before}{after}"))
    })
}
