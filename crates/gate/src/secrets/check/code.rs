//! Labelled text in code that is not a secret: paths, URLs, calls, templates, file names.
//!
//! Invariant: one pass over the value.

/// File name extensions.
const FILE_ENDINGS: &[&str] = &[
    ".md", ".js", ".ts", ".json", ".yaml", ".yml", ".py", ".txt", ".pem", ".key", ".sh", ".html", ".toml",
    ".env", ".crt", ".log", ".rs", ".go", ".com", ".org", ".net", ".php", ".xml", ".jks", ".p12", ".pub",
    ".pdf", ".docx", ".xlsx", ".pptx", ".odt", ".csv", ".zip", ".7z", ".gz", ".png", ".jpg", ".jpeg",
    ".kdbx", ".gpg", ".asc", ".ovpn",
];

/// Prefixes of public keys of SSH and Stripe, and of key fingerprints.
const PUBLIC_KEYS: &[&str] = &["AAAAB3Nz", "AAAAC3Nz", "AAAAE2Vj", "SHA256:", "MD5:", "pk_live_", "pk_test_"];

/// Prefix of a common router name that resembles a password: `FRITZ!Box-7590`.
const PRODUCT: &str = "FRITZ!";

/// Code, a path, a URL, a template.
pub fn is_code(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    PUBLIC_KEYS.iter().any(|begin| value.starts_with(begin))
        || value.contains("://")
        || value.contains("::")
        || value.contains("${")
        || value.contains("$(")
        || value.contains("{{")
        || value.contains("()")
        || value.contains("->")
        || value.ends_with('(')
        || value.contains("__") && !is_of_all(value)
        || value.contains("&#")
        || value.contains(".html")
        || value.contains(".env.")
        || value.starts_with(PRODUCT)
        || is_argument(value)
        || value.contains("...")
        || value.contains('…')
        || value.starts_with(['/', '.', '~', '@', '#', '-', '\\'])
        || is_file(value)
        || value.contains('@') && value.rsplit('@').next().is_some_and(is_host)
        || lower.starts_with("env:")
        || value.matches('/').count() > 3 && !value.bytes().any(|byte| byte == b'+' || byte == b'=')
        || value.chars().any(|c| !c.is_ascii() && !c.is_alphabetic())
        || is_path_of_code(value)
}

/// Whether a value has letters of both cases and several digits; names with `__` do not.
fn is_of_all(value: &str) -> bool {
    let count = |what: fn(&u8) -> bool| value.bytes().filter(what).count();
    count(u8::is_ascii_uppercase) > 0 && count(u8::is_ascii_lowercase) > 0 && count(u8::is_ascii_digit) > 1
}

/// Whether `value` ends like a file or host name, or cites a line of a note: `notes/boats.md#L3`.
pub fn is_file(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    FILE_ENDINGS.iter().any(|ending| lower.ends_with(ending)) || value.contains(".md#L")
}

/// Whether `host` may be the host of a URL.
fn is_host(host: &str) -> bool {
    let is_of_host =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b':');
    let last = host.split(':').next().and_then(|host| host.rsplit('.').next()).unwrap_or_default();
    host.contains('.')
        && host.bytes().all(is_of_host)
        && last.len() >= 2
        && last.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// `name=Value` of a call: an identifier on one side, and on the other more than a number.
fn is_argument(value: &str) -> bool {
    let Some((name, with)) = value.split_once('=') else { return false };
    let is_name =
        |part: &str| part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'));
    let begins = |part: &str| part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    begins(name)
        && begins(with)
        && is_name(name)
        && is_name(with)
        && (name.contains('_') || with.contains('.') || !with.bytes().any(|byte| byte.is_ascii_digit()))
}

/// The parts of a qualified name such as `V2.Core.AccountToken` are shorter than those of a token.
const PATH_PART_BYTES_MAX: usize = 24;

fn is_path_of_code(value: &str) -> bool {
    let parts: Vec<&str> = value.split('.').collect();
    let is_part = |part: &&str| {
        part.len() <= PATH_PART_BYTES_MAX
            && part.starts_with(|c: char| c.is_ascii_alphabetic())
            && !part.contains(['#', '!', '?', '$', '%', '+', '&', '*', '^'])
    };
    parts.len() >= 3 && parts.iter().all(is_part)
}
