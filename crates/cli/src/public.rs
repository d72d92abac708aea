//! Removes private parts from the arguments of a command.
//!
//! For every command and option that stores its input. Invariant: search terms are unchanged, or `forget` would
//! search for other text.

use std::ffi::OsString;

use inwit_engine::sessions::hook::fence::without_private;
use inwit_model::Code;

use crate::args;
use crate::error::CliError;

/// Commands that search for text and store none.
const LOOKING: [&str; 3] = ["forget", "search", "why-not"];

/// The command that records a turn: the engine removes private parts together with their reply.
const TURN: (&str, Option<&str>) = ("session", Some("turn"));

/// `words`, program name first, without `<private>` parts, and whether one was removed. Error: `usage_bad` if an
/// argument becomes empty.
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
