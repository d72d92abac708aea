//! Source code between the `=` or `:` after a name and the string: a type, a constructor, a default.
//!
//! Invariant: at most [`TYPE_BYTES_MAX`] bytes are read, all on one line.

use super::window;

/// Most bytes of a type or of the call around a string.
const TYPE_BYTES_MAX: usize = 48;

/// Words in string types.
const TYPES: &[&str] = &[
    "str", "string", "static", "optional", "option", "final", "char", "byte", "bytes", "u", "any", "const",
    "secret", "secretstr", "secretstring", "text", "classvar", "literal", "union", "none", "object", "std",
    "cow",
];

/// Calls that convert a string.
const CALLS: &[&str] = &[
    "[]byte(", "U(", "L(", "_T(", "TEXT(", "Some(", "String(", "String::from(", "string(", "std::string(",
    "str(", "bytes(", "Buffer.from(", "Secret(", "SecretStr(", "SecretString(", "SecretString::new(",
    "Optional.of(", "new String(",
];

/// The start of the value after the separator that ends at `at`: after `: &str =`, `= []byte(`, `: !!str`,
/// `${NAME:-`.
pub fn declared(text: &str, at: usize) -> usize {
    let at = behind_type(text, at).unwrap_or(at);
    let rest = window(text, at, at + TYPE_BYTES_MAX);
    let call = rest.trim_start_matches(' ');
    let start = at + rest.len() - call.len();
    let begins_string = |rest: &str| rest.trim_start_matches(['b', 'r']).starts_with(['"', '\'']);
    let made = CALLS.iter().find(|name| call.starts_with(**name) && begins_string(&call[name.len()..]));
    if let Some(name) = made {
        return start + name.len();
    }
    if let Some(name) = call.strip_prefix("${").and_then(|name| name.split_once(":-")).map(|(name, _)| name)
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    {
        return start + "${:-".len() + name.len();
    }
    if call.starts_with("!!str ") { start + "!!str ".len() } else { at }
}

/// The position after the type of a declaration and its separator, if a string follows.
fn behind_type(text: &str, at: usize) -> Option<usize> {
    let rest = window(text, at, at + TYPE_BYTES_MAX);
    let (declared, behind) = rest[..rest.find('\n').unwrap_or(rest.len())].split_once('=')?;
    let is_of_type = |c: char| c.is_ascii_alphanumeric() || " &'<>[]*.?;:|".contains(c);
    let is_known = |word: &str| TYPES.contains(&word.to_ascii_lowercase().as_str());
    let mut words =
        declared.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty()).peekable();
    let begins = behind.trim_start_matches([' ', 'b', 'r', '@']);
    (words.peek().is_some()
        && declared.chars().all(is_of_type)
        && words.all(is_known)
        && (begins.starts_with(['"', '\'', '`']) || CALLS.iter().any(|call| begins.starts_with(call))))
    .then_some(at + declared.len() + 1)
}

/// The length of `[]` or `[64]` after an array name, 0 if there is none.
pub fn array(rest: &str) -> usize {
    let inside = rest.bytes().skip(1).take_while(u8::is_ascii_digit).count();
    if rest[1 + inside..].starts_with(']') { inside + 2 } else { 0 }
}
