//! The words of a command line without their private parts.
//!
//! One place for every command and option that keeps what it is given. Invariant: words that look for something which is
//! there are left as they are, or `forget` would look for other words.

use std::ffi::OsString;

use inwit_engine::sessions::hook::fence::without_private;
use inwit_model::Code;

use crate::args;
use crate::error::CliError;

/// Commands that look for words and keep none.
const LOOKING: [&str; 3] = ["forget", "search", "why-not"];

/// The command that keeps a turn: the engine leaves out the private parts there, with the reply to them.
const TURN: (&str, Option<&str>) = ("session", Some("turn"));

/// `words`, the program's name first, without what stands in `<private>`, and whether a part was left out. Error:
/// `usage_bad` where nothing is left of one.
pub fn without_private_parts(words: Vec<OsString>) -> Result<(Vec<OsString>, bool), CliError> {
    let leaves_them = |(command, verb): (String, Option<String>)| {
        let names = (command.as_str(), verb.as_deref());
        LOOKING.contains(&names.0) || names == TURN
    };
    if args::named(words.get(1..).unwrap_or_default()).is_some_and(leaves_them) {
        return Ok((words, false));
    }
    let mut has_private = false;
    let public = words.into_iter().map(|word| {
        let Some(public) = word.to_str().and_then(without_private) else { return Ok(word) };
        has_private = true;
        let is_nothing = public.is_empty() || public.starts_with("--") && public.ends_with('=');
        if is_nothing {
            let message = "All of the text is in `<private>`, so nothing is kept.";
            return Err(CliError::new(Code::UsageBad, message));
        }
        Ok(OsString::from(public))
    });
    let public = public.collect::<Result<Vec<_>, _>>()?;
    Ok((public, has_private))
}
