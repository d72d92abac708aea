//! A text on the command line: one quoted argument, several words, or `-` for stdin.

use std::io::Read as _;

use clap::Args;
use inwit_engine::sessions::hook::fence::without_private;
use inwit_model::Code;

use crate::error::CliError;

/// Longest text that is read from stdin, in bytes.
const STDIN_BYTES_MAX: u64 = 1 << 20;

/// The words of an entry.
#[derive(Debug, Clone, Args)]
pub struct TextArgs {
    /// Text; quotes are optional, and `-` reads it from stdin
    #[arg(value_name = "TEXT", allow_hyphen_values = true)]
    first: String,
    #[arg(value_name = "TEXT", hide = true)]
    more: Vec<String>,
}

impl TextArgs {
    /// The text without what stands in `<private>`. Errors: `usage_bad` where nothing is left, and where stdin holds no text
    /// or more than [`STDIN_BYTES_MAX`].
    pub fn read(&self) -> Result<String, CliError> {
        let text = match self.first == "-" && self.more.is_empty() {
            true => stdin()?,
            false => std::iter::once(&self.first).chain(&self.more).cloned().collect::<Vec<_>>().join(" "),
        };
        match without_private(&text) {
            Some(public) if public.trim().is_empty() => {
                let message = "All of the text is in `<private>`, so nothing is kept.";
                Err(CliError::new(Code::UsageBad, message))
            }
            Some(public) => Ok(public),
            None => Ok(text),
        }
    }
}

/// The words of a question, joined by blanks; `-` alone reads it from stdin. Errors: `usage_bad`, as for [`TextArgs::read`].
pub fn question(words: &[String]) -> Result<String, CliError> {
    if words == ["-"] { stdin() } else { Ok(words.join(" ")) }
}

fn stdin() -> Result<String, CliError> {
    let bad = |message: String| {
        CliError::new(Code::UsageBad, message).hint("Use a shorter text in UTF-8, or pass it as an argument.")
    };
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(STDIN_BYTES_MAX + 1).read_to_end(&mut bytes);
    read.map_err(|error| bad(format!("stdin cannot be read: {error}.")))?;
    if bytes.len() as u64 > STDIN_BYTES_MAX {
        return Err(bad(format!("stdin has more than {STDIN_BYTES_MAX} bytes.")));
    }
    let text = String::from_utf8(bytes).map_err(|_| bad("stdin is not UTF-8 text.".to_owned()))?;
    Ok(text.trim().to_owned())
}
