//! Preconditions of a request: `If-Match` and `If-None-Match`.
//!
//! An ETag is the sha256 of the bytes in quotes. Read, it may also begin with `W/` or `sha256-`, or have no quotes, since
//! proxies and other systems change it so.

use axum::http::{HeaderMap, header};
use inwit_model::{Code, Sha256};

use crate::problem::Problem;

/// The ETag of bytes with this hash.
pub fn etag(sha256: Sha256) -> String {
    format!("\"{sha256}\"")
}

/// What a change expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// A file with this hash.
    Hash(Sha256),
    /// No file.
    Nothing,
}

impl Expected {
    /// The hash of the expected file.
    pub fn hash(self) -> Option<Sha256> {
        match self {
            Self::Hash(hash) => Some(hash),
            Self::Nothing => None,
        }
    }

    /// The precondition of a change. Errors: `precondition_missing` if there is none; `usage_bad` for one that is not
    /// exactly one ETag.
    pub fn of(headers: &HeaderMap) -> Result<Self, Problem> {
        let matched = one(headers, &header::IF_MATCH)?;
        let unmatched = one(headers, &header::IF_NONE_MATCH)?;
        match (matched, unmatched) {
            (Some(text), None) => parse(text).map(Self::Hash).ok_or_else(|| {
                Problem::new(Code::UsageBad, "`If-Match` must have exactly one ETag: a sha256 in quotes.")
            }),
            (None, Some("*")) => Ok(Self::Nothing),
            (None, Some(_)) => {
                Err(Problem::new(Code::UsageBad, "With a change, `If-None-Match` can only be `*`."))
            }
            (Some(_), Some(_)) => {
                Err(Problem::new(Code::UsageBad, "Send either `If-Match` or `If-None-Match`, not both."))
            }
            (None, None) => Err(Problem::new(
                Code::PreconditionMissing,
                "A change needs the ETag of the file that it changes.",
            )),
        }
    }
}

/// Whether `If-None-Match` names this hash, so that nothing needs to be sent.
pub fn is_known(headers: &HeaderMap, sha256: Sha256) -> bool {
    let values = headers.get_all(header::IF_NONE_MATCH).into_iter();
    let tags = values.filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
    tags.map(str::trim).any(|tag| tag == "*" || parse(tag) == Some(sha256))
}

/// The one value of a header. Error: `usage_bad` for several, or for one that is not text.
fn one<'h>(headers: &'h HeaderMap, name: &header::HeaderName) -> Result<Option<&'h str>, Problem> {
    let mut values = headers.get_all(name).into_iter();
    let bad = || Problem::new(Code::UsageBad, format!("Send `{name}` once, as plain text."));
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.to_str().map(|text| Some(text.trim())).map_err(|_| bad()),
        (Some(_), Some(_)) => Err(bad()),
    }
}

/// The hash in an ETag, in each of its forms.
pub fn parse(tag: &str) -> Option<Sha256> {
    let tag = tag.strip_prefix("W/").unwrap_or(tag);
    let tag = tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"')).unwrap_or(tag);
    let hash = tag.strip_prefix("sha256-").or_else(|| tag.strip_prefix("sha256:")).unwrap_or(tag);
    Sha256::parse(&hash.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(rows: &[(header::HeaderName, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        rows.iter().for_each(|(name, value)| {
            headers.append(name, value.parse().expect("a header"));
        });
        headers
    }

    /// Proves X5.
    #[test]
    fn an_etag_is_read_in_every_form_that_proxies_make_of_it() {
        let hash = Sha256::of(b"bread");
        for form in [
            format!("\"{hash}\""),
            format!("W/\"{hash}\""),
            hash.to_string(),
            format!("\"sha256-{hash}\""),
            format!("sha256:{hash}"),
        ] {
            assert_eq!(
                Expected::of(&headers(&[(header::IF_MATCH, &form)])).expect("read"),
                Expected::Hash(hash)
            );
            assert!(
                is_known(&headers(&[(header::IF_NONE_MATCH, &format!("\"x\", {form}"))]), hash),
                "{form}"
            );
        }
        assert_eq!(Expected::of(&headers(&[(header::IF_NONE_MATCH, "*")])).expect("read"), Expected::Nothing);
    }

    #[test]
    fn a_change_without_exactly_one_precondition_is_refused() {
        let hash = format!("\"{}\"", Sha256::of(b"bread"));
        let refused = |rows: &[(header::HeaderName, &str)]| {
            Expected::of(&headers(rows)).expect_err("refused").status().as_u16()
        };
        assert_eq!(refused(&[]), 428);
        for rows in [
            &[(header::IF_MATCH, "*")][..],
            &[(header::IF_MATCH, "\"abc\"")],
            &[(header::IF_MATCH, &format!("{hash}, {hash}"))],
            &[(header::IF_MATCH, &hash), (header::IF_MATCH, &hash)],
            &[(header::IF_MATCH, &hash), (header::IF_NONE_MATCH, "*")],
            &[(header::IF_NONE_MATCH, &hash)],
        ] {
            assert_eq!(refused(rows), 400, "{rows:?}");
        }
    }
}
