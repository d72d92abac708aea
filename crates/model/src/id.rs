//! Names of agents, rooms, sessions and of what is written, parsed once at the interface and trusted afterwards.

use std::fmt;

use unicode_normalization::UnicodeNormalization as _;

use crate::Sha256;
use crate::hash::hex;
use crate::name::{is_windows_device, shown};

/// Names one agent of a home: `[a-z0-9][a-z0-9_-]{0,63}`, so that it is one safe folder name on
/// every file system.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct AgentId(String);

/// The text is not an agent id.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("`{0}` is not an agent id: use 1 to 64 of a-z, 0-9, `_` and `-`, starting with a letter or digit.")]
pub struct AgentIdError(pub String);

impl AgentId {
    /// The agent of a home that has only one (X11).
    pub const MAIN: &'static str = "main";

    /// The agent of a home that has only one.
    pub fn main() -> Self {
        Self(Self::MAIN.to_owned())
    }

    /// Parses an id; refuses everything outside `[a-z0-9][a-z0-9_-]{0,63}` and device names.
    pub fn parse(text: &str) -> Result<Self, AgentIdError> {
        let tail_ok =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_' || byte == b'-';
        let head_ok = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let bytes = text.as_bytes();
        let fits =
            (1..=64).contains(&bytes.len()) && head_ok(bytes[0]) && bytes.iter().all(|&byte| tail_ok(byte));
        if fits && !is_windows_device(text) {
            Ok(Self(text.to_owned()))
        } else {
            Err(AgentIdError(shown(text)))
        }
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for AgentId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// Names one home below the folder of all agents: an agent's id, or `ws-` and the first 16 hex digits of the
/// sha256 of a folder's path, for a folder that no agent names. Either is one safe folder name.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct HomeId(AgentId);

/// What the id of a home without an agent begins with.
const FOLDER_PREFIX: &str = "ws-";

/// Hex digits in the id of a home without an agent.
const FOLDER_DIGITS: usize = 16;

impl HomeId {
    /// The home of the folder at `path` (bytes of its canonical path), which no agent names.
    pub fn of_folder(path: &[u8]) -> Self {
        Self(AgentId(format!("{FOLDER_PREFIX}{}", Sha256::of(path).short(FOLDER_DIGITS))))
    }

    /// Parses an id. Error: neither an agent's id nor that of a folder.
    pub fn parse(text: &str) -> Result<Self, AgentIdError> {
        AgentId::parse(text).map(Self)
    }

    /// Whether it is the home of a folder that no agent names.
    pub fn is_of_folder(&self) -> bool {
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        let digits = self.as_str().strip_prefix(FOLDER_PREFIX);
        digits.is_some_and(|digits| digits.len() == FOLDER_DIGITS && digits.bytes().all(is_digit))
    }

    /// The id as an agent's: sessions and transcripts name either by it.
    pub fn agent(&self) -> &AgentId {
        &self.0
    }

    /// The id as text, which is the name of the folder.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl From<AgentId> for HomeId {
    fn from(id: AgentId) -> Self {
        Self(id)
    }
}

impl fmt::Display for HomeId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

/// Names one session: `[A-Za-z0-9][A-Za-z0-9_-]{0,63}`, so that it is one safe file name and never a
/// pattern or a path. Hosts choose it; a UUID fits.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SessionId(String);

/// The text is not a session id.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error(
    "`{0}` is not a session id: use 1 to 64 of a-z, A-Z, 0-9, `_` and `-`, starting with a letter or digit."
)]
pub struct SessionIdError(pub String);

impl SessionId {
    /// Parses an id; refuses everything outside `[A-Za-z0-9][A-Za-z0-9_-]{0,63}` and device names.
    /// Letters keep their case: where a disk does not tell `A` from `a`, the header of the file does.
    pub fn parse(text: &str) -> Result<Self, SessionIdError> {
        let bytes = text.as_bytes();
        let fits = (1..=64).contains(&bytes.len())
            && bytes[0].is_ascii_alphanumeric()
            && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
        if fits && !is_windows_device(text) {
            Ok(Self(text.to_owned()))
        } else {
            Err(SessionIdError(shown(text)))
        }
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// The language model that speaks in a session, as its host calls it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ModelName(String);

/// The text cannot name a model.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("a model name must have 1 to {max} bytes and no control characters.", max = ModelName::BYTES_MAX)]
pub struct ModelNameError;

impl ModelName {
    /// Longest name accepted, in bytes.
    pub const BYTES_MAX: usize = 160;

    /// Parses a name. Errors: empty, too long, or control characters inside.
    pub fn parse(text: &str) -> Result<Self, ModelNameError> {
        let fits = (1..=Self::BYTES_MAX).contains(&text.len()) && !text.chars().any(char::is_control);
        if fits { Ok(Self(text.to_owned())) } else { Err(ModelNameError) }
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ModelName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// What a project is called: the name of its folder, or another one that the person gave it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ProjectName(String);

/// The text cannot name a project.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("a project name must have 1 to {max} bytes, no control characters, and no space at its start or \
         end.", max = ProjectName::BYTES_MAX)]
pub struct ProjectNameError;

impl ProjectName {
    /// Longest name accepted, in bytes.
    pub const BYTES_MAX: usize = 80;

    /// Digits of a path's hash that stand in a name.
    const PATH_DIGITS: usize = 8;

    /// Signs that a log carries as they are.
    const SIGNS: [char; 9] = ['-', '_', '.', '+', '@', ',', '(', ')', '\''];

    /// What a log's unreadable name stands for; no project has it, since its sign is none of [`Self::SIGNS`].
    const UNREADABLE: &str = "?";

    /// Parses a name. Errors: empty, too long, control characters inside, or blanks around it.
    pub fn parse(text: &str) -> Result<Self, ProjectNameError> {
        let fits = (1..=Self::BYTES_MAX).contains(&text.len()) && text.trim() == text;
        if fits && !text.chars().any(char::is_control) {
            Ok(Self(text.to_owned()))
        } else {
            Err(ProjectNameError)
        }
    }

    /// Parses a name that a log carries. Text that is no name stands for a project that no folder has.
    pub fn of_log(text: &str) -> Self {
        Self::parse(text).unwrap_or_else(|_| Self(Self::UNREADABLE.to_owned()))
    }

    /// The form in which new projects are named: letters and digits in one form, single blanks, and `-` in place of runs of
    /// all signs that a log would escape, mask or make visible. `None` where no letter or digit is left.
    #[must_use]
    pub fn plain(&self) -> Option<Self> {
        Self::plain_of(&self.0)
    }

    /// The same of any text, such as the name of a folder; a longer one is cut.
    pub fn plain_of(text: &str) -> Option<Self> {
        let mut plain = String::new();
        for c in text.nfc() {
            let c = match c {
                c if c.is_alphanumeric() || Self::SIGNS.contains(&c) => c,
                c if c.is_whitespace() => ' ',
                _ => '-',
            };
            let is_again = matches!(c, ' ' | '-') && plain.ends_with(c);
            if is_again {
                continue;
            }
            if plain.len() + c.len_utf8() > Self::BYTES_MAX {
                break;
            }
            plain.push(c);
        }
        let plain = plain.trim();
        plain.chars().any(char::is_alphanumeric).then(|| Self(plain.to_owned()))
    }

    /// The name of a folder's project where the folder has none that can be written: `folder-` and the first digits of the
    /// path's sha256.
    pub fn of_path(path: &[u8]) -> Self {
        Self(format!("folder-{}", Sha256::of(path).short(Self::PATH_DIGITS)))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ProjectName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// Names one turn of a session as its host does, so that the same turn is known when it is handed in again.
/// An id of the channel's message fits.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TurnKey(String);

/// The text cannot name a turn.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("a turn key must have 1 to {max} bytes and no control characters.", max = TurnKey::BYTES_MAX)]
pub struct TurnKeyError;

impl TurnKey {
    /// Longest key accepted, in bytes.
    pub const BYTES_MAX: usize = 200;

    /// Parses a key. Errors: empty, too long, or control characters inside.
    pub fn parse(text: &str) -> Result<Self, TurnKeyError> {
        let fits = (1..=Self::BYTES_MAX).contains(&text.len()) && !text.chars().any(char::is_control);
        if fits { Ok(Self(text.to_owned())) } else { Err(TurnKeyError) }
    }

    /// The key under which a turn that `agent` answered is known to those who only heard it: one message may
    /// be answered by several, each under the message's id. No host's key is one of these.
    #[must_use]
    pub fn heard_from(&self, agent: &AgentId) -> Self {
        Self(format!("{agent}\u{1f}{}", self.0))
    }

    /// The key as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TurnKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// Names one room: the id as the host knows it, and the folder name we use for it.
///
/// A room id comes from a chat system (`!abc:server`, `#dev`, `kitchen`), so it can hold anything.
/// An id that is already one portable lower-case file name is used as it is; every other gets a readable
/// stem plus 20 digits of its sha256, so that two rooms never share a file.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RoomId {
    id: String,
    folder: String,
}

/// The text cannot name a room.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("a room id must have 1 to {max} characters and no control characters.", max = RoomId::CHARS_MAX)]
pub struct RoomIdError;

impl RoomId {
    /// Longest room id accepted, in characters.
    pub const CHARS_MAX: usize = 255;

    /// Parses a room id. Errors: empty, too long, or control characters inside.
    pub fn parse(id: &str) -> Result<Self, RoomIdError> {
        let length = id.chars().count();
        if length == 0 || length > Self::CHARS_MAX || id.chars().any(char::is_control) {
            return Err(RoomIdError);
        }
        let folder = if is_portable_stem(id) { id.to_owned() } else { encoded_stem(id) };
        Ok(Self { id: id.to_owned(), folder })
    }

    /// The id as the host gave it.
    pub fn as_str(&self) -> &str {
        &self.id
    }

    /// The file stem for this room: `rooms/<folder>.md`, `memory/rooms/<folder>/`.
    pub fn folder(&self) -> &str {
        &self.folder
    }
}

impl fmt::Display for RoomId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.id)
    }
}

fn is_portable_stem(id: &str) -> bool {
    // Lower case only: on many disks `Kitchen` and `kitchen` are one folder.
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let ok = |byte: u8| plain(byte) || matches!(byte, b'.' | b'_' | b'-');
    let bytes = id.as_bytes();
    bytes.len() <= 64
        && plain(bytes[0])
        && bytes.iter().all(|&byte| ok(byte))
        && !id.ends_with('.')
        && !id.contains("..")
        && !is_windows_device(id)
        && !looks_encoded(id)
}

/// Digits of the hash in an encoded stem: members of a chat choose ids, so 80 bits.
const DIGITS: usize = 20;

/// Ends like an encoded stem: kept out of the plain form, so the two forms cannot collide.
fn looks_encoded(id: &str) -> bool {
    id.rsplit_once("--")
        .is_some_and(|(_, tail)| tail.len() == DIGITS && tail.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

fn encoded_stem(id: &str) -> String {
    let readable = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let stem: String = id.chars().map(readable).take(32).collect();
    let stem = stem.trim_matches('-');
    let stem = if stem.is_empty() { "room" } else { stem };
    format!("{stem}--{}", Sha256::of(id.as_bytes()).short(DIGITS))
}

/// 128 bits that no two things share, the older the smaller: UUIDv7 (D13).
pub fn uuid_v7(at: jiff::Timestamp, random: [u8; 10]) -> String {
    let millis = u64::try_from(at.as_millisecond()).unwrap_or(0).to_be_bytes();
    let mut bytes = [0; 16];
    bytes[..6].copy_from_slice(&millis[2..]);
    bytes[6..].copy_from_slice(&random);
    uuid(bytes, 7)
}

/// 122 random bits: UUIDv4. Its first characters differ from one to the next, those of [`uuid_v7`] do not.
pub fn uuid_v4(random: [u8; 16]) -> String {
    uuid(random, 4)
}

fn uuid(mut bytes: [u8; 16], version: u8) -> String {
    bytes[6] = bytes[6] & 0x0f | (version << 4);
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex = hex(&bytes);
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

macro_rules! written_ids {
    ($($(#[$doc:meta])* $name:ident, $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(String);

        impl $name {
            /// What every one of them begins with.
            pub const PREFIX: &'static str = $prefix;

            /// A new one; ids of one millisecond are told apart by `random`.
            pub fn new(at: jiff::Timestamp, random: [u8; 10]) -> Self {
                Self(format!(concat!($prefix, "{}"), uuid_v7(at, random)))
            }

            /// Parses one that was written. `None`: something else.
            pub fn parse(text: &str) -> Option<Self> {
                let uuid = text.strip_prefix($prefix)?;
                let ok = |(at, byte): (usize, u8)| match at {
                    8 | 13 | 18 | 23 => byte == b'-',
                    _ => byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte),
                };
                (uuid.len() == 36 && uuid.bytes().enumerate().all(ok)).then(|| Self(text.to_owned()))
            }

            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str(&self.0)
            }
        }
    )*};
}

written_ids! {
    /// Names one applied change: `rcpt-<UUIDv7>`.
    ReceiptId, "rcpt-";
    /// Names one proposal: `prop-<UUIDv7>`.
    ProposalId, "prop-";
    /// Names one fact: `fact-<UUIDv7>`.
    FactId, "fact-";
    /// Names one method: `meth-<UUIDv7>`.
    MethodId, "meth-";
    /// Names one decision: `dec-<UUIDv7>`.
    DecisionId, "dec-";
    /// Names one preference: `pref-<UUIDv7>`.
    PreferenceId, "pref-";
}

#[cfg(test)]
mod tests;
