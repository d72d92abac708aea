//! Validation of workspace-relative file names.
//!
//! Names come from people, models, archives and disks. One parser validates them all without disk access. A valid
//! name stays inside the workspace by its form alone, and reads the same to a person and to a program. People name
//! notes `Q&A.md` and `what?.md`: such names can be read, but [`SafeName::unportable`] names are not given to new
//! files. Opening a file checks again (`workspace::fs_files`). Invariant: `parse(name.as_str())` returns the same
//! name.

use std::borrow::Cow;
use std::fmt;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::invisible::{is_invisible, is_separator, reveal_line};
use crate::limit::{NAME_BYTES_MAX, NAME_COMBINING_MARKS_MAX, NAME_PART_BYTES_MAX};

/// A valid workspace-relative name: `/`-separated, NFC, no hidden or special part.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SafeName(String);

/// Why a name was refused. `shown` is escaped, so it is safe to print.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the name `{shown}` is refused: {reason}.")]
pub struct NameError {
    /// The name for display.
    pub shown: String,
    /// The broken rule, as the end of a sentence.
    pub reason: &'static str,
}

impl SafeName {
    /// Validates `raw`. Nothing is decoded: an interface with percent-encoded names decodes them once before.
    pub fn parse(raw: &str) -> Result<Self, NameError> {
        match fault(raw) {
            None => Ok(Self(raw.to_owned())),
            Some(reason) => Err(NameError { shown: shown(raw), reason }),
        }
    }

    /// Validates a name from a disk. Error: not UTF-8. A decomposed name is accepted under its composed form.
    pub fn from_disk(raw: &[u8]) -> Result<Self, NameError> {
        match std::str::from_utf8(raw) {
            Ok(text) if text.is_ascii() => Self::parse(text),
            Ok(text) => Self::parse(&text.nfc().collect::<String>()),
            Err(_) => {
                let shown = shown(&String::from_utf8_lossy(raw));
                Err(NameError { shown, reason: "it is not UTF-8" })
            }
        }
    }

    /// Why an agent may not give a new file this name, as the end of a sentence: another system, a shell or a URL
    /// reads it differently, or it looks like another name. `None` if it may.
    pub fn unportable(&self) -> Option<&'static str> {
        let look_alike = || {
            let is_plain = self.0.is_ascii() || self.0.nfkc().eq(self.0.chars());
            (!is_plain).then_some("it contains a look-alike of a plain character")
        };
        self.0
            .chars()
            .find_map(unportable_char)
            .or_else(look_alike)
            .or_else(|| self.parts().find_map(unportable_part))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The parts between the slashes; never empty.
    pub fn parts(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.0.split('/')
    }

    /// The last part.
    pub fn file(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// Everything before the last part, `""` at the root.
    pub fn folder(&self) -> &str {
        self.0.rsplit_once('/').map_or("", |(folder, _)| folder)
    }
}

impl fmt::Display for SafeName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl fmt::Debug for SafeName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?}", self.0)
    }
}

/// A name as one shell word, quoted if necessary.
pub fn shell_word(name: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '+' | ',' | '@');
    match name.chars().all(is_plain) && !name.starts_with('-') {
        true => Cow::Borrowed(name),
        false => Cow::Owned(format!("'{}'", name.replace('\'', "'\\''"))),
    }
}

/// Any text on one line: control and invisible characters become `⟦U+XXXX⟧`; emoji are kept.
pub fn shown(raw: &str) -> String {
    const SHOWN_CHARS_MAX: usize = 200;
    match raw.char_indices().nth(SHOWN_CHARS_MAX) {
        Some((end, _)) => reveal_line(&raw[..end]) + "…",
        None => reveal_line(raw),
    }
}

/// A conflict copy of a file: from a sync tool (`x.sync-conflict-….md`) or from inwit
/// (`x.conflict-20261121T120000Z.md`).
pub fn is_conflict_copy(part: &str) -> bool {
    let stamped = |tail: &str| {
        let shape = |(at, byte): (usize, u8)| match at {
            8 => byte == b'T',
            15 => byte == b'Z',
            _ => byte.is_ascii_digit(),
        };
        tail.len() >= 16 && tail.bytes().take(16).enumerate().all(shape)
    };
    // Fast path for nearly every name.
    part.as_bytes().windows(9).any(|letters| letters == b"conflict-")
        && (part.contains(".sync-conflict-") || part.split(".conflict-").skip(1).any(stamped))
}

/// A Windows device name, with or without an extension (`con`, `COM1.md`, `COM¹.md`).
pub(crate) fn is_windows_device(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or(part).trim_end();
    let is_any = |names: &[&str], stem: &str| names.iter().any(|name| stem.eq_ignore_ascii_case(name));
    let unnumbered = stem.strip_suffix(|c: char| c.is_ascii_digit() || matches!(c, '¹' | '²' | '³'));
    is_any(&["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"], stem)
        || unnumbered.is_some_and(|kind| is_any(&["COM", "LPT"], kind))
}

fn fault(raw: &str) -> Option<&'static str> {
    if raw.is_empty() {
        return Some("it is empty");
    }
    if raw.len() > NAME_BYTES_MAX {
        return Some("it is longer than 1,024 bytes");
    }
    if raw.starts_with('/') {
        return Some("it is absolute; names start at the workspace");
    }
    raw.chars()
        .find_map(char_fault)
        .or_else(|| text_fault(raw))
        .or_else(|| raw.split('/').find_map(part_fault))
}

fn char_fault(c: char) -> Option<&'static str> {
    match c {
        // Fast path for nearly every character.
        'a'..='z' | '0'..='9' | 'A'..='Z' | '-' | '_' | '.' | '/' | ' ' => None,
        '\\' => Some("`\\` is a folder separator on Windows only"),
        '<' | '>' | '`' => Some("it contains a character that markup uses"),
        _ if c.is_control() => Some("it contains a control character"),
        _ if is_invisible(c) || is_separator(c) => Some("it contains an invisible character"),
        _ if is_private_or_unassigned(c) => Some("it contains an unassigned character"),
        _ => None,
    }
}

fn is_private_or_unassigned(c: char) -> bool {
    let code = c as u32;
    matches!(code, 0xE000..=0xF8FF | 0xF_0000..=0x10_FFFF | 0xFDD0..=0xFDEF)
        || code & 0xFFFE == 0xFFFE
        || c == '\u{FFFD}'
}

fn text_fault(raw: &str) -> Option<&'static str> {
    if raw.is_ascii() {
        return None;
    }
    if !raw.nfc().eq(raw.chars()) {
        return Some("it is not in Unicode NFC");
    }
    let mut marks = 0;
    for c in raw.chars() {
        marks = if is_combining_mark(c) { marks + 1 } else { 0 };
        if marks > NAME_COMBINING_MARKS_MAX {
            return Some("it contains too many combining marks in a row");
        }
    }
    None
}

fn part_fault(part: &str) -> Option<&'static str> {
    if part.is_empty() {
        return Some("it contains an empty part");
    }
    if part.len() > NAME_PART_BYTES_MAX {
        return Some("a part is longer than 255 bytes");
    }
    if is_encoded(part) {
        return Some("it contains a percent-encoded character (`%2e`)");
    }
    if part == "." {
        return Some("it contains a part `.`, as in `./notes.md`; write it without");
    }
    if part == ".." {
        return Some("it leaves its folder with `..`");
    }
    if part.starts_with('.') {
        return Some("hidden files are not part of a workspace");
    }
    if is_conflict_copy(part) {
        return Some("it is a copy made by a sync tool or by inwit");
    }
    None
}

fn unportable_char(c: char) -> Option<&'static str> {
    match c {
        ':' => Some("`:` is used for drives and alternate streams on Windows"),
        '"' | '|' | '?' | '*' => Some("it contains a character that Windows does not allow"),
        '[' | ']' | '{' | '}' => Some("it contains a wildcard"),
        '%' | '#' | '&' | ';' => Some("it contains a character that addresses use"),
        '$' => Some("it contains a character that shells expand"),
        '\u{2044}' | '\u{2215}' | '\u{29F8}' | '\u{2571}' => {
            Some("it contains a character that looks like `/`")
        }
        _ => None,
    }
}

fn unportable_part(part: &str) -> Option<&'static str> {
    if part.starts_with('-') {
        return Some("a part starts with `-`, like a flag");
    }
    if part.starts_with('~') || is_short_alias(part) {
        return Some("it looks like a home folder or a short alias");
    }
    if part.starts_with(' ') || part.ends_with(' ') || part.ends_with('.') {
        return Some("a part starts or ends with a space, or ends with a dot");
    }
    if is_windows_device(part) {
        return Some("it is a device name on Windows");
    }
    if mixes_scripts(part) {
        return Some("it mixes Latin letters with look-alikes from another script");
    }
    None
}

/// Percent-encoded `.`, `/`, `%`, control character or start of an overlong form: `%2e`, `%2F`, `%00`.
fn is_encoded(part: &str) -> bool {
    part.split('%').skip(1).any(|behind| {
        let code = behind.get(..2).filter(|code| code.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let byte = code.and_then(|code| u8::from_str_radix(code, 16).ok());
        byte.is_some_and(|byte| matches!(byte, 0..0x20 | b'.' | b'/' | b'\\' | b'%' | 0x7f | 0xc0 | 0xc1))
    })
}

/// An 8.3 alias of another file: `MEMORY~1.MD`.
fn is_short_alias(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or(part);
    stem.rsplit_once('~')
        .is_some_and(|(_, tail)| !tail.is_empty() && tail.bytes().all(|b| b.is_ascii_digit()))
}

fn mixes_scripts(part: &str) -> bool {
    if part.is_ascii() {
        return false;
    }
    let latin = part.chars().any(|c| c.is_ascii_alphabetic() && !part_is_extension_only(part, c));
    let lookalike =
        part.chars().any(|c| matches!(c as u32, 0x0370..=0x052F | 0x0531..=0x058F | 0x13A0..=0x13FF));
    latin && lookalike
}

/// Letters of the extension do not count: `заметка.md` has one script.
fn part_is_extension_only(part: &str, c: char) -> bool {
    let stem = part.rsplit_once('.').map_or(part, |(stem, _)| stem);
    !stem.contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn refused(raw: &str) -> bool {
        SafeName::parse(raw).is_err()
    }

    #[test]
    fn the_files_people_have_are_accepted() {
        for good in [
            "MEMORY.md", "memory/2026-11-21.md", "memory/rooms/kitchen/2026-11-21.md",
            "notes/meeting with Ana.md", "memory/topics/café.md", "memory/日记.md", "notes/заметка.md",
            "memory/v1.2-plan (old).md", "a+b=c, d!.md", "notes/team.conflict-resolution.md", "Q&A.md",
            "notes #3.md", "[draft].md", "50%.md", "100%efficient.md", "what?.md", "12:30 stand-up.md",
            "a|b \"quoted\" *star*.md", "$HOME.md", "memory/2026-01-01-[a].md", "为什么？.md", "Δ plan.md",
            "so….md", "-list.md", " first.md", "aux.md", "Q1∕Q2.md", "m².md",
        ] {
            assert_eq!(SafeName::parse(good).map(|name| name.0), Ok(good.to_owned()));
        }
    }

    #[test]
    fn a_dot_is_not_called_a_parent() {
        let why = |name: &str| SafeName::parse(name).expect_err("refused").to_string();
        assert!(
            why("./MEMORY.md").contains("a part `.`") && why("../MEMORY.md").contains("leaves its folder")
        );
    }

    #[test]
    fn every_path_payload_is_refused() {
        let long_part = format!("{}.md", "x".repeat(256));
        let long_name = "a/".repeat(600) + "b.md";
        let marks = format!("a{}.md", "\u{0301}".repeat(300));
        for bad in [
            // parent references, absolute, empty parts
            "../MEMORY.md",
            "memory/../../x.md",
            "memory/..",
            "..",
            ".",
            "",
            "/etc/passwd",
            "//etc/passwd",
            "memory//2026-01-01.md",
            "./MEMORY.md",
            "memory/./2026-01-01.md",
            "....//MEMORY.md",
            "..;/MEMORY.md",
            // encoded
            "%2e%2e%2fMEMORY.md",
            "%252e%252e%252f",
            "..%c0%af",
            "%2e%2e%5c",
            // roots, homes, URLs, Windows forms
            "/d/ws/../ws/MEMORY.md",
            "~/.ssh/id_rsa",
            "file:///etc/passwd",
            r"\\?\C:\x",
            r"\\.\PhysicalDrive0",
            r"\\server\share\x.md",
            r"C:\x.md",
            "/C:/x.md",
            r"memory\..\..\x.md",
            // control characters
            "memory/2026-01-01.md\0.png",
            "MEMORY.md\n",
            "MEMORY\r.md",
            "MEMORY\t.md",
            "MEMORY\x7f.md",
            "MEM\u{85}ORY.md",
            // outside the folder, kernel files
            "sub/up/../outside",
            "/proc/self/root/x",
            "/dev/stdin",
            // markup
            "a<.md",
            "a>.md",
            &long_part,
            &long_name,
            // Unicode
            "memory/cafe\u{301}.md",
            "\u{202E}dm.YROMEM",
            "MEM\u{200B}ORY.md",
            ".g\u{200C}it",
            "MEMORY\u{212A}.md",
            &marks,
            // reserved, wildcards, addresses
            ".git/config",
            ".GIT/config",
            ".git./config",
            ".dreaming.lock",
            ".dreamed-state.json",
            ".soul-state.json",
            "MEMORY.sync-conflict-20260901-101112-ABCDEFG.md",
            "MEMORY.conflict-20261121T120000Z.md",
            "memory/x.conflict-20261121T120000Z-2.md",
            "memory/.index/x",
            ".env",
            ".ssh/authorized_keys",
            ".vscode/tasks.json",
            // below a file
            "index.md/../../x",
        ] {
            assert!(refused(bad), "{bad:?} must be refused");
        }
        assert!(SafeName::from_disk(b"\xff.md").is_err(), "P48");
    }

    /// Names that another system, a shell or a URL reads differently.
    #[test]
    fn a_new_file_gets_a_portable_name() {
        let unportable = |name: &str| SafeName::parse(name).expect("it may be read").unportable().is_some();
        for bad in [
            "$HOME/x.md", "${HOME}.md", "C:x.md", "MEMORY.md:evil", "memory:$I30:$INDEX_ALLOCATION",
            "a\".md", "a|.md", "a?.md", "a*.md", "memory/2026-01-01-*.md", "memory/2026-01-01-[a].md",
            "memory/2026-01-01-{}.md", "rooms/!abc:server.md", "a%b.md", "a#b.md", "a&b.md", "a;b.md",
            "MEMORY.md.", "MEMORY.md ", " MEMORY.md", "memory /x.md", "-rf.md", "--output=x", "memory/-x.md",
            "CON", "con.md", "PRN.md", "AUX", "NUL.txt", "COM1.md", "COM9", "LPT1", "COM¹.md", "CONIN$",
            "CLOCK$", "MEMORY~1.MD", "GIT~1", "~root/x", "ＭＥＭＯＲＹ．ｍｄ", "．．／x.md", "a\u{2024}md",
            "a\u{2215}b.md", "a\u{29F8}b.md", "\u{41C}EMORY.md", "MEMORY\u{17F}.md",
        ] {
            assert!(unportable(bad), "{bad:?}");
        }
        for good in ["MEMORY.md", "notes/meeting with Ana.md", "memory/日记.md", "a+b=c, d!.md"] {
            assert!(!unportable(good), "{good:?}");
        }
    }

    #[test]
    fn a_name_is_one_word_of_a_shell_line() {
        let word = |name: &'static str| shell_word(name);
        assert_eq!(word("memory/2026-11-28.md"), "memory/2026-11-28.md");
        assert_eq!(word("memory/日记.md"), "memory/日记.md");
        assert_eq!(word("memory/2026-11-28-$(id);x.md"), "'memory/2026-11-28-$(id);x.md'");
        assert_eq!(word("it's.md"), "'it'\\''s.md'");
        assert_eq!(word("-n.md"), "'-n.md'");
    }

    #[test]
    fn a_decomposed_name_on_disk_is_known_by_its_composed_form() {
        let name = SafeName::from_disk("memory/cafe\u{301}.md".as_bytes()).expect("accepted");
        assert_eq!(name.as_str(), "memory/café.md");
    }

    #[test]
    fn an_error_shows_what_cannot_be_seen() {
        let error = SafeName::parse("MEM\u{202E}ORY.md").expect_err("refused");
        assert_eq!(
            error.to_string(),
            "the name `MEM⟦U+202E⟧ORY.md` is refused: it contains an invisible character."
        );
    }

    proptest! {
        #[test]
        fn what_is_accepted_stays_inside_and_reads_back(raw in r"(\PC|[./\\ ~a-z]){0,24}") {
            if let Ok(name) = SafeName::parse(&raw) {
                prop_assert_eq!(SafeName::parse(name.as_str()), Ok(name.clone()));
                let path = std::path::Path::new(name.as_str());
                let plain = path.components().all(|part| matches!(part, std::path::Component::Normal(_)));
                prop_assert!(plain, "{:?}", name);
                prop_assert_eq!(path.components().count(), name.parts().count());
            }
        }
    }
}
