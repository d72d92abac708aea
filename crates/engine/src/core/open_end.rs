//! Closes a fence or comment that is open at the end of a file and would include appended text.
//!
//! Closing it at the end does not change the parse of the existing text. Invariant: the result is only ever appended.

use inwit_markdown::{DiagnosticKind, Outline};

/// The lines that close what is open at the end of the file.
pub fn closing(document: &Outline<'_>) -> Vec<u8> {
    let eol = document.eol.as_str();
    let mut close = String::new();
    for found in &document.diagnostics {
        match found.kind {
            DiagnosticKind::FenceUnclosed => {
                let text = document.text(&found.span);
                let mark = text.trim_start_matches(|c: char| c != '`' && c != '~');
                let Some(tick) = mark.chars().next() else { continue };
                let length = mark.chars().take_while(|c| *c == tick).count();
                close += &(tick.to_string().repeat(length) + eol);
            }
            DiagnosticKind::CommentUnclosed => close += &("-->".to_owned() + eol),
            _ => {}
        }
    }
    let ends = document.bytes().last().is_none_or(|byte| matches!(byte, b'\n' | b'\r'));
    if !close.is_empty() && !ends {
        close.insert_str(0, eol);
    }
    close.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use inwit_markdown::outline;

    #[test]
    fn what_is_open_is_closed_and_what_is_closed_is_left() {
        let check = |text: &str, close: &str| {
            assert_eq!(
                String::from_utf8(closing(&outline(text.as_bytes()))).expect("text"),
                close,
                "{text:?}"
            );
        };
        check("a\n```\nb\n```\n", "");
        check("a\n````sh\n```\n", "````\n");
        check("~~~\r\nb", "\r\n~~~\r\n");
        check("<!-- a\n", "-->\n");
    }
}
