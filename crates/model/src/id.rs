//! Ids of agents, rooms, sessions and records. They are parsed once at the interface and valid afterwards.

use std::fmt;

use unicode_normalization::UnicodeNormalization as _;

use crate::Sha256;
use crate::hash::hex;
use crate::name::{is_windows_device, shown};

/// Id of one agent in a home: `[a-z0-9][a-z0-9_-]{0,63}`, a safe folder name on every file system.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct AgentId(String);

/// The text is not a valid agent id.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("`{0}` is not an agent id: use 1 to 64 of a-z, 0-9, `_` and `-`, starting with a letter or digit.")]
pub struct AgentIdError(pub String);

impl AgentId {
    /// Id of the only agent in a home (X11).
    pub const MAIN: &'static str = "main";

    /// Id of the only agent in a home.
    pub fn main() -> Self {
        Self(Self::MAIN.to_owned())
    }

    /// Parses an id. Error: anything but `[a-z0-9][a-z0-9_-]{0,63}`, or a Windows device name.
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

/// Id of one home below the folder of all agents: an agent's id, or for a folder without an agent `ws-` and the first
/// 16 hex digits of the sha256 of its path. Always a safe folder name.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct HomeId(AgentId);

/// Prefix of the id of a home without an agent.
const FOLDER_PREFIX: &str = "ws-";

/// Hex digits in the id of a home without an agent.
const FOLDER_DIGITS: usize = 16;

impl HomeId {
    /// The home of the folder at `path` (bytes of its canonical path) that belongs to no agent.
    pub fn of_folder(path: &[u8]) -> Self {
        Self(AgentId(format!("{FOLDER_PREFIX}{}", Sha256::of(path).short(FOLDER_DIGITS))))
    }

    /// Parses an id. Error: neither an agent's id nor a folder's.
    pub fn parse(text: &str) -> Result<Self, AgentIdError> {
        AgentId::parse(text).map(Self)
    }

    /// Whether it is the home of a folder without an agent.
    pub fn is_of_folder(&self) -> bool {
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        let digits = self.as_str().strip_prefix(FOLDER_PREFIX);
        digits.is_some_and(|digits| digits.len() == FOLDER_DIGITS && digits.bytes().all(is_digit))
    }

    /// The id as an agent id; sessions and transcripts use it for both kinds.
    pub fn agent(&self) -> &AgentId {
        &self.0
    }

    /// The id as text: the name of the folder.
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

/// Id of one session: `[A-Za-z0-9][A-Za-z0-9_-]{0,63}`, a safe file name and never a pattern or a path. The host
/// chooses it; a UUID fits.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SessionId(String);

/// The text is not a valid session id.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error(
    "`{0}` is not a session id: use 1 to 64 of a-z, A-Z, 0-9, `_` and `-`, starting with a letter or digit."
)]
pub struct SessionIdError(pub String);

impl SessionId {
    /// Parses an id. Error: anything but `[A-Za-z0-9][A-Za-z0-9_-]{0,63}`, or a device name. Case is kept: on a
    /// case-insensitive disk the file's header distinguishes the two.
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

/// Name of the language model of a session, as its host gives it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ModelName(String);

/// The text is not a valid model name.
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

/// Name of a project: that of its folder, or one that the person gave it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ProjectName(String);

/// The text is not a valid project name.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("a project name must have 1 to {max} bytes, no control characters, and no space at its start or \
         end.", max = ProjectName::BYTES_MAX)]
pub struct ProjectNameError;

impl ProjectName {
    /// Longest name accepted, in bytes.
    pub const BYTES_MAX: usize = 80;

    /// Hex digits of a path's hash in a generated name.
    const PATH_DIGITS: usize = 8;

    /// Symbols that a log stores unescaped.
    const SIGNS: [char; 9] = ['-', '_', '.', '+', '@', ',', '(', ')', '\''];

    /// Replacement for an unreadable name in a log; never a real project, since `?` is not in [`Self::SIGNS`].
    const UNREADABLE: &str = "?";

    /// Parses a name. Errors: empty, too long, control characters, or surrounding blanks.
    pub fn parse(text: &str) -> Result<Self, ProjectNameError> {
        let fits = (1..=Self::BYTES_MAX).contains(&text.len()) && text.trim() == text;
        if fits && !text.chars().any(char::is_control) {
            Ok(Self(text.to_owned()))
        } else {
            Err(ProjectNameError)
        }
    }

    /// Parses a name from a log. An invalid name becomes a project that no folder has.
    pub fn of_log(text: &str) -> Self {
        Self::parse(text).unwrap_or_else(|_| Self(Self::UNREADABLE.to_owned()))
    }

    /// The normalised form for new projects: letters and digits in one Unicode form, single blanks, and `-` for each
    /// run of symbols that a log would escape or mask. `None` if no letter or digit is left.
    #[must_use]
    pub fn plain(&self) -> Option<Self> {
        Self::plain_of(&self.0)
    }

    /// The same for any text, such as a folder name; a longer one is cut.
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

    /// Name of a project whose folder name is unusable: `folder-` and the first digits of the sha256 of the path.
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

/// A host's id for one turn of a session, so that a turn submitted twice is recognised. The id of a channel message
/// fits.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TurnKey(String);

/// The text is not a valid turn key.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("a turn key must have 1 to {max} bytes and no control characters.", max = TurnKey::BYTES_MAX)]
pub struct TurnKeyError;

impl TurnKey {
    /// Longest key accepted, in bytes.
    pub const BYTES_MAX: usize = 200;

    /// Parses a key. Errors: empty, too long, or control characters.
    pub fn parse(text: &str) -> Result<Self, TurnKeyError> {
        let fits = (1..=Self::BYTES_MAX).contains(&text.len()) && !text.chars().any(char::is_control);
        if fits { Ok(Self(text.to_owned())) } else { Err(TurnKeyError) }
    }

    /// The key of a turn that `agent` answered, for agents that only heard it: several may answer one message, each
    /// under the message's id. A host's key never has this form.
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

/// Id of one room: the host's id, and the folder name derived from it.
///
/// A room id comes from a chat system (`!abc:server`, `#dev`, `kitchen`) and can hold anything. An id that is a
/// portable lower-case file name is used unchanged; any other becomes a readable stem and 20 digits of its sha256, so
/// that two rooms never share a file.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RoomId {
    id: String,
    folder: String,
}

/// The text is not a valid room id.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("a room id must have 1 to {max} characters and no control characters.", max = RoomId::CHARS_MAX)]
pub struct RoomIdError;

impl RoomId {
    /// Longest room id accepted, in characters.
    pub const CHARS_MAX: usize = 255;

    /// Parses a room id. Errors: empty, too long, or control characters.
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
    // Lower case only: on a case-insensitive disk `Kitchen` and `kitchen` are one folder.
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

/// Hex digits of the hash in an encoded stem: 80 bits, since members of a chat choose ids.
const DIGITS: usize = 20;

/// Whether it ends like an encoded stem. Such an id is encoded too, so that the two forms cannot collide.
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

/// A UUIDv7 as text: 128 bits, unique, sorted by time (D13).
pub fn uuid_v7(at: jiff::Timestamp, random: [u8; 10]) -> String {
    let millis = u64::try_from(at.as_millisecond()).unwrap_or(0).to_be_bytes();
    let mut bytes = [0; 16];
    bytes[..6].copy_from_slice(&millis[2..]);
    bytes[6..].copy_from_slice(&random);
    uuid(bytes, 7)
}

/// A UUIDv4 as text: 122 random bits. Unlike those of [`uuid_v7`], its first characters are random.
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
            /// Prefix of every such id.
            pub const PREFIX: &'static str = $prefix;

            /// A new id; `random` distinguishes ids of one millisecond.
            pub fn new(at: jiff::Timestamp, random: [u8; 10]) -> Self {
                Self(format!(concat!($prefix, "{}"), uuid_v7(at, random)))
            }

            /// Parses a stored id; `None` if it has another form.
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
    /// Id of one applied change: `rcpt-<UUIDv7>`.
    ReceiptId, "rcpt-";
    /// Id of one proposal: `prop-<UUIDv7>`.
    ProposalId, "prop-";
    /// Id of one fact: `fact-<UUIDv7>`.
    FactId, "fact-";
    /// Id of one method: `meth-<UUIDv7>`.
    MethodId, "meth-";
    /// Id of one decision: `dec-<UUIDv7>`.
    DecisionId, "dec-";
    /// Id of one preference: `pref-<UUIDv7>`.
    PreferenceId, "pref-";
}

#[cfg(test)]
mod tests;
