//! Text inserted into a file of another program, and its removal.
//!
//! Invariant: splices only add. Taking them out in the other order gives the bytes that stood there, and
//! what is remembered of a foreign file are our own words and places, never its own.

use serde::{Deserialize, Serialize};

/// Some text put in at one place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Splice {
    /// Where, in bytes, in the text as the splices before left it.
    pub at: usize,
    /// What.
    pub text: String,
}

/// `text` with the splice in it.
pub fn with(text: &str, splice: &Splice) -> String {
    format!("{}{}{}", &text[..splice.at], splice.text, &text[splice.at..])
}

/// `text` without the splices; `None` where it does not hold them.
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

/// `text` without the splices, wherever they stand now; `None` where one of them is not there word for word, or
/// more than once.
pub fn lifted(text: &str, splices: &[Splice]) -> Option<String> {
    splices.iter().rev().try_fold(text.to_owned(), |text, splice| {
        let (before, after) = text.split_once(&splice.text)?;
        (!after.contains(&splice.text)).then(|| format!("{before}{after}"))
    })
}
