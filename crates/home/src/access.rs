//! The access tokens of a home: one file of rows, `tokens.json`.
//!
//! The server reads it again when it changes, so a revoked token stops working with the next request. Invariants: the
//! file holds hashes, never a token; a file that cannot be read admits no caller.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use inwit_gate::{NewToken, TOKEN_BYTES, TokenRight, TokenRow};
use inwit_model::{AgentId, Code, Entropy as _, Scope, Sha256};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::entropy::SystemEntropy;
use crate::error::HomeError;
use crate::limit::OWN_FILE_BYTES_MAX;
use crate::own;

/// The file in the home.
const FILE: &str = "tokens.json";

/// The file that is locked while the rows are changed.
const LOCK: &str = "tokens.lock";

/// How long another process that changes the rows is waited for, in milliseconds.
const LOCK_WAIT_MS: u64 = 2_000;

/// Most tokens of a home.
pub const TOKENS_MAX: usize = 500;

/// Longest name of a token, in characters.
pub const TOKEN_NAME_CHARS_MAX: usize = 80;

/// What the owner chooses for a new token.
#[derive(Debug, Clone)]
pub struct TokenWish {
    /// Its name.
    pub name: String,
    /// What it allows.
    pub right: TokenRight,
    /// The only agent it is for; `None` for all.
    pub agent: Option<AgentId>,
    /// The only scope it is for.
    pub scope: Scope,
    /// When it stops working.
    pub expires: Option<Timestamp>,
}

/// The tokens of one home.
#[derive(Debug)]
pub struct Tokens {
    root: PathBuf,
    read: Mutex<Option<(Stamp, Arc<[TokenRow]>)>>,
}

/// What changes with every new version of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    bytes: u64,
    inode: u64,
    changed: Option<SystemTime>,
}

impl Tokens {
    /// Of the home in `root`; nothing is read or created yet.
    pub fn of(root: &Path) -> Self {
        Self { root: root.to_owned(), read: Mutex::default() }
    }

    /// The rows of now. Error: `setting_bad` for a file that is no list of tokens.
    pub fn rows(&self) -> Result<Arc<[TokenRow]>, HomeError> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(stamp) = stamp(&self.file()) else {
            *read = None;
            return Ok(Arc::default());
        };
        if let Some((known, rows)) = &*read
            && *known == stamp
        {
            return Ok(Arc::clone(rows));
        }
        let rows: Arc<[TokenRow]> = self.parsed()?.into();
        *read = Some((stamp, Arc::clone(&rows)));
        Ok(rows)
    }

    /// Adds a token, which is shown once. Errors: `usage_bad` for its name or too many tokens, `locked`, those of the
    /// disk.
    pub fn create(&self, wish: TokenWish, now: Timestamp) -> Result<(NewToken, TokenRow), HomeError> {
        let length = wish.name.chars().count();
        if length == 0 || length > TOKEN_NAME_CHARS_MAX || wish.name.chars().any(char::is_control) {
            let message =
                format!("The name of a token has 1 to {TOKEN_NAME_CHARS_MAX} characters on one line.");
            return Err(HomeError::new(Code::UsageBad, message));
        }
        if wish.right >= TokenRight::Approve && wish.scope != Scope::Main {
            let message = "A token to approve or to administer is a person's own, so it is for scope `main`.";
            return Err(HomeError::new(Code::UsageBad, message));
        }
        let token = new_token();
        let TokenWish { name, right, agent, scope, expires } = wish;
        let hash = token.hash();
        let id = Sha256::of(&SystemEntropy.sixteen()).short(ID_DIGITS);
        let row = TokenRow { id, name, right, agent, scope, hash, created: now, expires };
        self.change(|rows| {
            rows.retain(|row| row.expires.is_none_or(|expires| expires > now));
            if rows.len() >= TOKENS_MAX {
                let message = format!("This home has {TOKENS_MAX} tokens already; revoke some.");
                return Err(HomeError::new(Code::UsageBad, message));
            }
            rows.push(row.clone());
            Ok(())
        })?;
        Ok((token, row))
    }

    /// Revokes the token with this id or name. Errors: `token_unknown`, also for a name of several tokens; those of
    /// [`create`](Self::create).
    pub fn revoke(&self, id: &str) -> Result<TokenRow, HomeError> {
        let mut revoked = None;
        self.change(|rows| {
            let at = position(rows, id)?;
            revoked = Some(rows.remove(at));
            Ok(())
        })?;
        revoked.ok_or_else(|| HomeError::new(Code::TokenUnknown, "There is no such token."))
    }

    /// Replaces a token by a new one with the same name, rights and expiry. Errors: those of [`revoke`](Self::revoke).
    pub fn rotate(&self, id: &str, now: Timestamp) -> Result<(NewToken, TokenRow), HomeError> {
        let token = new_token();
        let mut rotated = None;
        self.change(|rows| {
            let at = position(rows, id)?;
            if rows[at].expires.is_some_and(|expires| expires <= now) {
                return Err(HomeError::new(Code::UsageBad, "This token has expired; create another one."));
            }
            rows[at] = TokenRow { hash: token.hash(), created: now, ..rows[at].clone() };
            rotated = Some(rows[at].clone());
            Ok(())
        })?;
        let row = rotated.ok_or_else(|| HomeError::new(Code::TokenUnknown, "There is no such token."))?;
        Ok((token, row))
    }

    fn change(
        &self,
        change: impl FnOnce(&mut Vec<TokenRow>) -> Result<(), HomeError>,
    ) -> Result<(), HomeError> {
        own::make_folder(&self.root).map_err(|error| own::failed(&self.root, &error))?;
        let lock = own::lock(&self.root.join(LOCK), Duration::from_millis(LOCK_WAIT_MS));
        let _lock = lock.map_err(|error| match error {
            std::fs::TryLockError::WouldBlock => {
                HomeError::new(Code::Locked, "Another process is changing the tokens.")
            }
            std::fs::TryLockError::Error(error) => own::failed(&self.root.join(LOCK), &error),
        })?;
        let mut rows = self.parsed()?;
        change(&mut rows)?;
        let kept = TokensFile { version: VERSION, tokens: rows.iter().map(KeptToken::from).collect() };
        let text = serde_json::to_string_pretty(&kept)
            .map_err(|error| HomeError::new(Code::WriteFailed, error.to_string()))?;
        if text.len() as u64 >= OWN_FILE_BYTES_MAX {
            let message =
                "The list of tokens would become too large to be read; revoke some, or use shorter names.";
            return Err(HomeError::new(Code::UsageBad, message));
        }
        own::write(&self.file(), format!("{text}\n").as_bytes())
    }

    fn file(&self) -> PathBuf {
        self.root.join(FILE)
    }

    fn parsed(&self) -> Result<Vec<TokenRow>, HomeError> {
        let Some(text) = own::read(&self.file())? else { return Ok(Vec::new()) };
        let bad = |why: String| {
            HomeError::new(
                Code::SettingBad,
                format!("{} is no list of tokens: {why}.", self.file().display()),
            )
        };
        let kept: TokensFile = serde_json::from_str(&text).map_err(|error| bad(error.to_string()))?;
        if kept.version != VERSION {
            return Err(bad(format!("its version is {}", kept.version)));
        }
        kept.tokens.into_iter().map(|row| row.parsed().map_err(&bad)).collect()
    }
}

/// A random token.
fn new_token() -> NewToken {
    let mut random = [0; TOKEN_BYTES];
    random.chunks_mut(16).for_each(|half| half.copy_from_slice(&SystemEntropy.sixteen()));
    NewToken::of(random)
}

/// The place of the token with this id or name. Error: `token_unknown`, also for a name of several tokens.
fn position(rows: &[TokenRow], id: &str) -> Result<usize, HomeError> {
    // A name may look like the id of another token.
    let is_id = rows.iter().any(|row| row.id == id);
    let is_meant = |row: &TokenRow| if is_id { row.id == id } else { row.name == id };
    let meant: Vec<usize> = (0..rows.len()).filter(|at| is_meant(&rows[*at])).collect();
    if let [at] = meant[..] {
        return Ok(at);
    }
    let shown = inwit_model::name::shown(id);
    let message = match meant.len() {
        0 => format!("There is no token `{shown}`."),
        count => format!("{count} tokens have the name `{shown}`; use the id."),
    };
    Err(HomeError::new(Code::TokenUnknown, message))
}

/// Hex digits of the id of a token.
const ID_DIGITS: usize = 8;

/// Version of the file.
const VERSION: u32 = 1;

fn stamp(path: &Path) -> Option<Stamp> {
    use std::os::unix::fs::MetadataExt as _;
    let found = std::fs::metadata(path).ok()?;
    Some(Stamp { bytes: found.len(), inode: found.ino(), changed: found.modified().ok() })
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TokensFile {
    version: u32,
    tokens: Vec<KeptToken>,
}

/// A row as stored.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeptToken {
    id: String,
    name: String,
    right: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    agent: Option<String>,
    scope: String,
    sha256: String,
    created: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expires: Option<String>,
}

impl From<&TokenRow> for KeptToken {
    fn from(row: &TokenRow) -> Self {
        Self {
            id: row.id.clone(),
            name: row.name.clone(),
            right: row.right.word().to_owned(),
            agent: row.agent.as_ref().map(ToString::to_string),
            scope: row.scope.to_string(),
            sha256: row.hash.to_string(),
            created: row.created.to_string(),
            expires: row.expires.map(|at| at.to_string()),
        }
    }
}

impl KeptToken {
    /// Error: which value is invalid.
    fn parsed(self) -> Result<TokenRow, String> {
        let time = |text: &str| text.parse::<Timestamp>().map_err(|error| error.to_string());
        Ok(TokenRow {
            right: TokenRight::parse(&self.right).ok_or_else(|| format!("`{}` is no right", self.right))?,
            agent: self
                .agent
                .as_deref()
                .map(AgentId::parse)
                .transpose()
                .map_err(|error| error.to_string())?,
            scope: Scope::parse(Some(&self.scope), None, Scope::Shared).map_err(|error| error.to_string())?,
            hash: Sha256::parse(&self.sha256).ok_or("a sha256 is invalid")?,
            created: time(&self.created)?,
            expires: self.expires.as_deref().map(time).transpose()?,
            id: self.id,
            name: self.name,
        })
    }
}

#[cfg(test)]
mod tests {
    use inwit_gate::{TokenHolder, TokenRefusal};

    use super::*;

    fn wish(name: &str) -> TokenWish {
        let (agent, scope) = (Some(AgentId::main()), Scope::Main);
        TokenWish { name: name.into(), right: TokenRight::Write, agent, scope, expires: None }
    }

    fn now() -> Timestamp {
        Timestamp::from_second(1_800_000_000).expect("a time")
    }

    #[test]
    fn a_token_is_stored_as_its_hash_and_a_revoked_one_stops_working() {
        let home = tempfile::tempdir().expect("a folder");
        let (server, command) = (Tokens::of(home.path()), Tokens::of(home.path()));
        assert_eq!(server.rows().expect("no file").len(), 0);
        let (token, row) = command.create(wish("laptop"), now()).expect("created");
        let file = home.path().join(FILE);
        let text = std::fs::read_to_string(&file).expect("the file");
        assert!(!text.contains(&token.text()["inwit_".len()..]), "{text}");
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(file.metadata().expect("a file").permissions().mode() & 0o777, 0o600);
        let verify = || TokenHolder::verify(&server.rows().expect("rows"), token.text(), now());
        assert_eq!(verify().expect("valid").row(), &row);
        assert_eq!(command.revoke("laptop").expect("revoked"), row);
        assert_eq!(verify(), Err(TokenRefusal::Unknown));
        assert_eq!(command.revoke("laptop").expect_err("gone").code, Code::TokenUnknown);
    }

    #[test]
    fn a_damaged_file_admits_no_caller_and_is_not_overwritten() {
        let home = tempfile::tempdir().expect("a folder");
        let tokens = Tokens::of(home.path());
        let (_, row) = tokens.create(wish("laptop"), now()).expect("created");
        let text = std::fs::read_to_string(home.path().join(FILE)).expect("the file");
        for damaged in
            [&text[..text.len() / 2], "[]", &text.replace("write", "everything"), &text.replace(": 1", ": 2")]
        {
            own::write(&home.path().join(FILE), damaged.as_bytes()).expect("written");
            assert_eq!(tokens.rows().expect_err("damaged").code, Code::SettingBad, "{damaged}");
            assert!(tokens.create(wish("other"), now()).is_err());
            assert_eq!(std::fs::read_to_string(home.path().join(FILE)).expect("the file"), *damaged);
        }
        own::write(&home.path().join(FILE), text.as_bytes()).expect("written");
        assert_eq!(tokens.rows().expect("rows")[..], [row]);
    }

    #[test]
    fn a_token_with_the_id_of_another_as_its_name_protects_nobody() {
        let home = tempfile::tempdir().expect("a folder");
        let tokens = Tokens::of(home.path());
        let first = tokens.create(wish("first"), now()).expect("created").1;
        let second = tokens.create(wish(&first.id), now()).expect("created").1;
        assert_eq!(tokens.revoke(&first.id).expect("by id"), first);
        assert_eq!(tokens.rows().expect("rows")[..], [second]);
    }

    #[test]
    fn a_name_of_two_tokens_revokes_neither() {
        let home = tempfile::tempdir().expect("a folder");
        let tokens = Tokens::of(home.path());
        let made: Vec<TokenRow> =
            (0..2).map(|_| tokens.create(wish("laptop"), now()).expect("created").1).collect();
        assert!(tokens.revoke("laptop").expect_err("two").message.contains("use the id"));
        tokens.revoke(&made[0].id).expect("by id");
        assert_eq!(tokens.rows().expect("rows")[..], made[1..]);
        assert!(tokens.create(wish("two\nlines"), now()).is_err());
    }
}
