//! Access tokens: who may call the server, and what they may do there.
//!
//! A row holds the sha256 of its token, never the token. A person's consent over the network comes only from here: from
//! a [`TokenHolder`] whose row has the right to approve (D2). Invariants: a holder is made only from a row whose hash
//! matches and that has not expired; the rights, agent and scope of a call come from the row, never from the call.

use std::fmt;

use inwit_model::{AgentId, Scope, Sha256};
use jiff::Timestamp;

use crate::person::HumanConsent;

/// First characters of every token, by which people and scanners recognise it.
pub const TOKEN_PREFIX: &str = "inwit_";

/// Random bytes of a token.
pub const TOKEN_BYTES: usize = 32;

inwit_model::words! {
    /// What a token allows. Each right includes the ones before it.
    TokenRight {
        /// Read masked text, search, get prompts.
        Read = "read",
        /// Write as an agent does: the gate decides, and most changes wait for approval.
        Write = "write",
        /// Act as the owner: write directly, read unmasked text, decide proposals.
        Approve = "approve",
        /// Also erase, and manage tokens, settings and agents.
        Admin = "admin",
    }
}

/// The row of one token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenRow {
    /// Its id, by which it is listed and revoked.
    pub id: String,
    /// Its name, chosen by the owner.
    pub name: String,
    /// What it allows.
    pub right: TokenRight,
    /// The only agent it is for; `None` for all.
    pub agent: Option<AgentId>,
    /// The only scope it is for.
    pub scope: Scope,
    /// Sha256 of the token.
    pub hash: Sha256,
    /// When it was created.
    pub created: Timestamp,
    /// When it stops working.
    pub expires: Option<Timestamp>,
}

/// A new token, shown once.
pub struct NewToken(String);

impl NewToken {
    /// A token of random bytes. The last characters are a checksum, so that a mistyped token is recognised without a
    /// list of tokens.
    pub fn of(random: [u8; TOKEN_BYTES]) -> Self {
        let checked = [&random[..], &checksum(&random)].concat();
        Self(format!("{TOKEN_PREFIX}{}", bs58::encode(checked).into_string()))
    }

    /// The text, for the person who created it.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// The hash for its row.
    pub fn hash(&self) -> Sha256 {
        Sha256::of(self.0.as_bytes())
    }
}

impl fmt::Debug for NewToken {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("NewToken(…)")
    }
}

/// The last bytes of a token: the beginning of the sha256 of the others.
fn checksum(random: &[u8]) -> [u8; CHECKSUM_BYTES] {
    let hash = Sha256::of(random).0;
    std::array::from_fn(|at| hash[at])
}

/// Bytes of the checksum of a token.
const CHECKSUM_BYTES: usize = 4;

/// Why a token is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokenRefusal {
    /// It is not a complete token: a part is missing or mistyped.
    #[error("This is not a complete token of inwit: it is cut off or mistyped.")]
    Malformed,
    /// No row has its hash.
    #[error("This token is unknown or was revoked.")]
    Unknown,
    /// It has expired.
    #[error("This token has expired.")]
    Expired,
}

/// The holder of a valid token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenHolder(TokenRow);

impl TokenHolder {
    /// The holder of `presented`, by the rows of all tokens. Error: why it is refused.
    pub fn verify(rows: &[TokenRow], presented: &str, now: Timestamp) -> Result<Self, TokenRefusal> {
        let encoded = presented.strip_prefix(TOKEN_PREFIX).ok_or(TokenRefusal::Malformed)?;
        let bytes = bs58::decode(encoded).into_vec().unwrap_or_default();
        let is_whole =
            bytes.split_at_checked(TOKEN_BYTES).is_some_and(|(random, sum)| sum == checksum(random));
        if !is_whole {
            return Err(TokenRefusal::Malformed);
        }
        // The time of this comparison shows nothing: a caller cannot choose the hash of a token.
        let hash = Sha256::of(presented.as_bytes());
        let row = rows.iter().find(|row| row.hash == hash).ok_or(TokenRefusal::Unknown)?;
        match row.expires.is_some_and(|expires| expires <= now) {
            true => Err(TokenRefusal::Expired),
            false => Ok(Self(row.clone())),
        }
    }

    /// The row.
    pub fn row(&self) -> &TokenRow {
        &self.0
    }

    /// The consent of the owner, if the token has the right to approve.
    pub fn consent(&self) -> Option<HumanConsent> {
        (self.0.right >= TokenRight::Approve).then(HumanConsent::with_token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).expect("a time")
    }

    fn row(token: &NewToken, right: TokenRight) -> TokenRow {
        let (id, name) = ("t1".to_owned(), "laptop".to_owned());
        let (created, expires) = (at(0), Some(at(100)));
        TokenRow { id, name, right, agent: None, scope: Scope::Main, hash: token.hash(), created, expires }
    }

    #[test]
    fn a_token_is_accepted_until_it_expires_and_only_whole() {
        let (token, other) = (NewToken::of([7; TOKEN_BYTES]), NewToken::of([8; TOKEN_BYTES]));
        let rows = [row(&token, TokenRight::Read)];
        let verify =
            |text: &str, second| TokenHolder::verify(&rows, text, at(second)).map(|holder| holder.0.id);
        assert_eq!(verify(token.text(), 99), Ok("t1".to_owned()));
        assert_eq!(verify(token.text(), 100), Err(TokenRefusal::Expired));
        assert_eq!(verify(other.text(), 0), Err(TokenRefusal::Unknown));
        let cut = &token.text()[..token.text().len() - 1];
        for malformed in [cut, "", "inwit_", &token.text()["inwit_".len()..], &format!("{} ", token.text())] {
            assert_eq!(verify(malformed, 0), Err(TokenRefusal::Malformed), "{malformed}");
        }
    }

    #[test]
    fn only_a_token_with_the_right_to_approve_is_the_consent_of_a_person() {
        let token = NewToken::of([7; TOKEN_BYTES]);
        for right in TokenRight::ALL {
            let holder = TokenHolder::verify(&[row(&token, *right)], token.text(), at(0)).expect("valid");
            assert_eq!(holder.consent().is_some(), matches!(right, TokenRight::Approve | TokenRight::Admin));
        }
        assert_eq!(format!("{token:?}"), "NewToken(…)");
    }
}
