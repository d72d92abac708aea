//! Words that a person gave on the command line, without their private parts.

use std::borrow::Cow;

use inwit_engine::hook::fence::{private_left_out, without_private};
use inwit_model::Code;

use crate::error::CliError;
use crate::ui::Ui;

/// What may be kept of them.
pub struct Public<'t> {
    /// The words.
    pub text: Cow<'t, str>,
}

impl<'t> Public<'t> {
    /// Error: `usage_bad` where all of it is private.
    pub fn of(text: &'t str) -> Result<Self, CliError> {
        match without_private(text) {
            None => Ok(Self { text: text.into() }),
            Some(public) if public.is_empty() => {
                let message = "All of the text is in `<private>`, so nothing is kept.";
                Err(CliError::new(Code::UsageBad, message))
            }
            Some(public) => Ok(Self { text: public.into() }),
        }
    }

    /// Reports that a part was left out.
    pub fn tell(&self, ui: &mut Ui) {
        if matches!(self.text, Cow::Owned(_)) {
            ui.notice(&private_left_out());
        }
    }
}
