//! Tokens with a short prefix that is not in the table: the usual form of service tokens.
//!
//! Invariant: the body looks random, the prefix is a word, and the text before is not an address, an escape or a
//! longer token.

use std::ops::Range;

use super::strength::Strength;
use super::{entropy, is_of_token};

/// Most bytes of a token with a prefix, and its shortest body for each alphabet.
const PREFIXED_BYTES_MAX: usize = 600;
const BODY_BYTES_MIN: usize = 24;
const HEX_BODY_BYTES_MIN: usize = 32;

/// Upper-case words that, followed by digits, name a constant.
const CONSTANT_WORDS_MIN: usize = 3;

/// Prefixes of public ids.
const PUBLIC_PREFIXES: &[&str] = &[
    "sha1", "sha224", "sha256", "sha384", "sha512", "md5", "id", "uuid", "urn", "rev", "commit", "hash",
    "chunk", "pk", "img", "image", "file", "blob", "asset", "test", "tx", "block", "pub", "css", "index",
    "main", "vendor", "gcc", "libc", "deno", "sql", "diff", "nonce", "jr",
    // Of the services for models, payments and hosting: threads, runs, calls, customers, invoices, deployments.
    "thread", "asst", "run", "resp", "chatcmpl", "msg", "toolu", "call", "req", "item", "step", "batch",
    "user", "org", "team", "cus", "sub", "in", "evt", "price", "prod", "pi", "ch", "seti", "pm", "acct",
    "txn", "dpl", "prj",
];

/// A part of such an id that makes it a secret: `pi_…_secret_…`.
const SECRET_PART: &str = "_secret_";

/// Text before a file digest.
const DIGESTS: &[&str] = &["sha256=", "sha384=", "sha512="];

/// A service token with a short prefix: `bb_live_…`, `CFPAT-…`. Its body looks random.
pub fn prefixed(text: &str, at: usize) -> Option<Range<usize>> {
    let run =
        text.as_bytes()[at..].iter().take(PREFIXED_BYTES_MAX).take_while(|byte| is_of_token(**byte)).count();
    let token = &text[at..at + run];
    let mark = token.find(['_', '-'])?;
    let before = at.checked_sub(1).map(|before| text.as_bytes()[before]);
    let prefix = token[..mark].trim_end_matches(|c: char| c.is_ascii_digit());
    let is_word = |case: fn(&u8) -> bool| {
        !prefix.is_empty() && token[..mark].bytes().all(|byte| case(&byte) || byte.is_ascii_digit())
    };
    let is_prefix = is_word(u8::is_ascii_lowercase) || is_word(u8::is_ascii_uppercase);
    // Several upper-case words before hexadecimal digits name a constant.
    let words =
        token.split('_').take_while(|word| word.bytes().all(|byte| byte.is_ascii_uppercase())).count();
    let is_constant = words >= CONSTANT_WORDS_MIN
        && token.split('_').next_back().is_some_and(|body| body.bytes().all(|byte| byte.is_ascii_hexdigit()));
    // Test keys have their own rows, with a lower tier.
    let is_test = token[mark + 1..].starts_with("test_") || token[mark + 1..].starts_with("prod_");
    let is_digest = DIGESTS.iter().any(|name| text[..at].ends_with(name));
    if is_test
        || is_constant
        || is_digest
        || !is_prefix
        || before.is_some_and(|byte| matches!(byte, b'/' | b'#' | b'+' | b'%' | b'.' | b'\\'))
    {
        return None;
    }
    if PUBLIC_PREFIXES.contains(&token[..mark].to_ascii_lowercase().as_str()) && !token.contains(SECRET_PART)
        || run == PREFIXED_BYTES_MAX
        || text[at + run..].starts_with('@')
    {
        return None;
    }
    let padding = text.as_bytes()[at + run..].iter().take(2).take_while(|byte| **byte == b'=').count();
    let is_body = |body: &str| {
        let is_hex = body.bytes().all(|byte| byte.is_ascii_hexdigit());
        let has = |what: fn(&u8) -> bool| body.as_bytes().iter().any(what);
        let is_mixed = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase) && has(u8::is_ascii_digit);
        let least = if is_mixed && !is_hex { BODY_BYTES_MIN } else { HEX_BODY_BYTES_MIN };
        body.len() >= least && has(u8::is_ascii_digit) && !(is_hex && token.as_bytes()[mark] == b'-') && {
            let digits =
                body.as_bytes().windows(2).filter(|two| two[0].is_ascii_digit() != two[1].is_ascii_digit());
            digits.count() >= 5 && entropy(body) >= 3.0
        }
    };
    let longest = token[mark + 1..].split(['_', '-']).max_by_key(|part| part.len())?;
    (is_body(longest)
        || (token.as_bytes()[mark] == b'_' || prefix.bytes().all(|byte| byte.is_ascii_uppercase()))
            && is_drawn_body(&token[mark + 1..]))
    .then_some(at..at + run + padding)
}

/// A body in URL-safe base64, which `-` and `_` may split anywhere.
fn is_drawn_body(body: &str) -> bool {
    let body = body
        .split_once('_')
        .filter(|(word, _)| word.len() <= 8 && !word.bytes().any(|byte| byte.is_ascii_digit()))
        .map_or(body, |(_, rest)| rest);
    body.bytes().filter(|byte| matches!(byte, b'_' | b'-')).count() <= body.len() / 8
        && body.bytes().any(|byte| byte.is_ascii_uppercase())
        && body.bytes().any(|byte| byte.is_ascii_lowercase())
        && body.bytes().filter(u8::is_ascii_digit).count() >= 2
        && body.len() >= BODY_BYTES_MIN
        && entropy(body) >= 4.0
        && (Strength { is_password: false, is_sure: false }).holds(body)
}
