//! Tokens of services: their checksums, their inner structure, and key blocks.
//!
//! Where a vendor publishes a checksum, a wrong one lowers the tier instead of dropping the hit, because formats
//! change: in 2026 `ghs_` grew from 40 characters to some 520, with dots.

use std::ops::Range;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::{ShapeMatch, Verdict, entropy, is_of_token, is_placeholder, varied};

/// Six base62 digits of the CRC-32 over the body, as GitHub and npm write it.
fn ends_in_crc(token: &str, prefix_len: usize) -> bool {
    const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let Some(body) = token.len().checked_sub(6).filter(|end| *end >= prefix_len) else { return false };
    let mut crc = crc32fast::hash(&token.as_bytes()[prefix_len..body]);
    token.as_bytes()[body..].iter().rev().all(|digit| {
        let wanted = DIGITS[(crc % 62) as usize];
        crc /= 62;
        *digit == wanted
    })
}

/// A classic token by its CRC; a fine-grained or dotted one by its shape.
pub fn github(found: &ShapeMatch) -> Verdict {
    let value = found.value();
    let new_form = value.starts_with("github_pat_") || value.starts_with("ghs_") && value.contains('.');
    Verdict::of(if new_form {
        varied(found) == Verdict::Holds
    } else {
        value.len() == 40 && ends_in_crc(value, 4)
    })
}

/// A token in npm's form: four bytes of prefix, 30 of body, a CRC.
pub fn crc_of_four(found: &ShapeMatch) -> Verdict {
    Verdict::of(ends_in_crc(found.value(), 4))
}

/// A key in a known form (`T3BlbkFJ` is the vendor's name in base64, longer prefixes are unique). The old form
/// without a prefix must look random, because hyphenated words have the same shape.
pub fn openai(found: &ShapeMatch) -> Verdict {
    let value = found.value();
    let marked = value.contains("T3BlbkFJ");
    let own = ["sk-proj-", "sk-svcacct-", "sk-admin-"].iter().any(|prefix| value.starts_with(prefix));
    let body = &value[3..];
    let cases = body.bytes().any(|b| b.is_ascii_lowercase()) && body.bytes().any(|b| b.is_ascii_uppercase());
    let digit = body.bytes().any(|b| b.is_ascii_digit());
    Verdict::of(marked || digit && (own || cases) && entropy(body) >= 3.5)
}

/// A key whose body varies at least this much per byte; less is a filler or a sample.
pub fn varied_or_unsure(found: &ShapeMatch) -> Verdict {
    Verdict::of(varied(found) == Verdict::Holds)
}

/// A key of 35 random characters; samples vary less.
pub fn google(found: &ShapeMatch) -> Verdict {
    Verdict::of(entropy(&found.value()[4..]) >= 3.7)
}

/// Groups of digits after the kind, as the issuer writes them.
pub fn slack(found: &ShapeMatch) -> Verdict {
    let second = found.value().split('-').nth(1).unwrap_or_default();
    let last = found.value().rsplit('-').next().unwrap_or_default();
    Verdict::of(second.len() >= 8 && second.bytes().all(|byte| byte.is_ascii_digit()) && last.len() >= 20)
}

/// Sixteen characters of base32 that are not the sample in the vendor's manual.
pub fn aws_access_key(found: &ShapeMatch) -> Verdict {
    let body = &found.value()[4..];
    let base32 = body.bytes().all(|byte| matches!(byte, b'A'..=b'Z' | b'2'..=b'7'));
    Verdict::of(base32 && !body.ends_with("EXAMPLE") && entropy(body) >= 2.0)
}

/// Forty characters of base64 after the name of the secret half.
pub fn aws_secret_key(found: &ShapeMatch) -> Verdict {
    let value = found.value();
    let base64 = value.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'));
    let holds = value.len() == 40 && base64 && entropy(value) >= 4.0 && !value.ends_with("EXAMPLEKEY");
    if holds { Verdict::Holds } else { Verdict::Nothing }
}

/// Most bytes of a JSON web key before its private part; the modulus of a long RSA key is there.
const JWK_BYTES_MAX: usize = 700;

/// Most bytes between the name of a field of a JSON web key and its value.
const JWK_SIGNS_MAX: usize = 9;

/// Lengths of the private part of a JSON web key.
const JWK_PART_BYTES: Range<usize> = 20..2_049;

/// The value of `"d"` or `"k"` in the JSON web key whose `"kty"` begins at `at`.
pub fn private_part_of_jwk(text: &str, at: usize) -> Option<Range<usize>> {
    let rest = &text.as_bytes()[at..];
    let before = &rest[..rest.len().min(JWK_BYTES_MAX)];
    let object = &before[..memchr::memchr(b'}', before).unwrap_or(before.len())];
    let value = |name: usize| {
        let is_sign = |byte: &&u8| byte.is_ascii_whitespace() || **byte == b':';
        let behind = name + "\"d\"".len();
        let quote = behind + rest[behind..].iter().take(JWK_SIGNS_MAX).take_while(is_sign).count();
        let start = quote + 1;
        let part = rest.get(start..)?.iter().take(JWK_PART_BYTES.end);
        let len = part.take_while(|byte| is_of_token(**byte)).count();
        let is_string = rest[quote] == b'"' && rest.get(start + len) == Some(&b'"');
        (is_string && JWK_PART_BYTES.contains(&len)).then_some(at + start..at + start + len)
    };
    [&b"\"d\""[..], b"\"k\""].iter().flat_map(|name| memchr::memmem::find_iter(object, name)).find_map(value)
}

/// Most bytes between the id of a key and its secret.
const BESIDE_BYTES_MAX: usize = 160;

/// Prefixes of cloud key ids, and the lengths of the id and its secret.
const PAIRS: &[(&str, Range<usize>, usize)] =
    &[("AKIA", 20..21, 40), ("ASIA", 20..21, 40), ("LTAI", 16..31, 30), ("AKID", 32..41, 32)];

/// The secret of an access key whose id begins at `at`: a token of its length close by.
pub fn secret_beside(text: &str, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let id = bytes[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let (_, _, len) =
        PAIRS.iter().find(|(begin, ids, _)| text[at..].starts_with(begin) && ids.contains(&id))?;
    let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let mut from = at + id;
    let end = bytes.len().min(from + BESIDE_BYTES_MAX);
    while from < end {
        let run = bytes[from..].iter().take(2 * len).take_while(|byte| is_base64(**byte)).count();
        // A slash may separate the two.
        let slash = usize::from(run == len + 1 && bytes[from] == b'/');
        let value = text.get(from + slash..from + run)?;
        let is_mixed = value.bytes().any(|byte| byte.is_ascii_lowercase())
            && value.bytes().any(|byte| byte.is_ascii_uppercase());
        if value.len() == *len && is_mixed && entropy(value) >= 3.6 {
            return Some(from + slash..from + run);
        }
        from = text.ceil_char_boundary(from + run.max(1));
    }
    None
}

/// A token of 37 hex digits or 40 characters after the vendor's name.
pub fn cloudflare(found: &ShapeMatch) -> Verdict {
    let value = found.value();
    let hex = value.len() == 37 && value.bytes().all(|byte| byte.is_ascii_hexdigit());
    let long = value.len() == 40 && value.bytes().all(super::is_of_token);
    if (hex || long) && entropy(value) >= 3.0 { Verdict::Holds } else { Verdict::Nothing }
}

/// A private key of WireGuard: 32 bytes in base64.
pub fn wireguard(found: &ShapeMatch) -> Verdict {
    let value = found.value();
    let bytes = base64::engine::general_purpose::STANDARD.decode(value).unwrap_or_default();
    if bytes.len() == 32 && entropy(value) >= 3.0 { Verdict::Holds } else { Verdict::Nothing }
}

/// Three dotted parts whose first is a JSON header with `alg`. Sample tokens have no claims, or those of the
/// best-known sample; a real token has a subject, an issuer or times (RFC 7519).
pub fn jwt(found: &ShapeMatch) -> Verdict {
    const CLAIMS: &[&[u8]] =
        &[b"\"exp\"", b"\"iat\"", b"\"iss\"", b"\"sub\"", b"\"aud\"", b"\"jti\"", b"\"role\"", b"\"scope\""];
    const SAMPLE_SUBJECT: &[u8] = b"\"1234567890\"";
    let mut parts = found.value().split('.').map(|part| URL_SAFE_NO_PAD.decode(part).unwrap_or_default());
    let (header, claims) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let says = |json: &[u8], word: &[u8]| memchr::memmem::find(json, word).is_some();
    if !(header.starts_with(b"{") && header.ends_with(b"}") && says(&header, b"\"alg\"")) {
        return Verdict::Nothing;
    }
    Verdict::of(CLAIMS.iter().any(|claim| says(&claims, claim)) && !says(&claims, SAMPLE_SUBJECT))
}

/// A bot token: its first part is the bot's number in base64.
pub fn discord_bot(found: &ShapeMatch) -> Verdict {
    let first = found.value().split('.').next().unwrap_or_default();
    let digits = URL_SAFE_NO_PAD.decode(first).unwrap_or_default();
    let number = digits.len() >= 17 && digits.iter().all(u8::is_ascii_digit);
    if number { Verdict::Holds } else { Verdict::Nothing }
}

/// Shortest password that is examined, and shortest that counts, in bytes.
const PASSWORD_BYTES_MIN: usize = 6;
const PASSWORD_BYTES_SURE: usize = 8;

/// A password beside its name that is neither a placeholder nor a variable. A plain word is typical of manuals, so it
/// counts as unsure.
pub fn password(found: &ShapeMatch) -> Verdict {
    const SAMPLES: &[&str] =
        &["password", "passwd", "secret", "s3cret", "mypassword", "secretpassword", "passw0rd"];
    let value = found.value();
    let sample = SAMPLES.contains(&value.to_ascii_lowercase().as_str());
    if sample || is_placeholder(value) || value.contains("${") || value.len() < PASSWORD_BYTES_MIN {
        return Verdict::Nothing;
    }
    let letter = value.bytes().any(|byte| byte.is_ascii_alphabetic());
    let other = value.bytes().any(|byte| !byte.is_ascii_lowercase());
    Verdict::of(letter && other && value.len() >= PASSWORD_BYTES_SURE && entropy(value) >= 2.5)
}

/// A hash that is not part of a longer word.
pub fn hash(found: &ShapeMatch) -> Verdict {
    let before = found.span.start.checked_sub(1).map(|at| found.text.as_bytes()[at]);
    if before.is_some_and(|byte| byte.is_ascii_alphanumeric()) { Verdict::Nothing } else { varied(found) }
}

/// The value in the place of a password, unless it is a placeholder or a variable.
pub fn not_a_gap(found: &ShapeMatch) -> Verdict {
    if is_placeholder(found.value()) { Verdict::Nothing } else { Verdict::Holds }
}

/// Credentials after `Authorization:`, except samples and variables.
pub fn header(found: &ShapeMatch) -> Verdict {
    let value = found.value();
    let holds = !is_placeholder(value)
        && entropy(value) >= 3.0
        && value.bytes().any(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase());
    if holds { Verdict::Holds } else { Verdict::Nothing }
}

/// Most bytes of a header line of a key block, and of the block.
const PEM_HEADER_BYTES_MAX: usize = 80;
const PEM_BLOCK_BYTES_MAX: usize = 64 << 10;

/// A private key block from its header to its footer; to the end of its body if that is truncated. Line breaks may be
/// written as `\n`.
pub fn pem(text: &str, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let head_end = (at + PEM_HEADER_BYTES_MAX).min(bytes.len());
    let name = at + b"-----BEGIN ".len();
    let close = name + memchr::memmem::find(bytes.get(name..head_end)?, b"-----")?;
    let title = text.get(name..close)?;
    let plain = title.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b' ');
    let is_private = plain && (title.ends_with("PRIVATE KEY") || title.ends_with("PRIVATE KEY BLOCK"));
    if !is_private && title != "OpenVPN Static key V1" {
        return None;
    }
    let body = close + 5;
    let footer = format!("-----END {title}-----");
    let window = &bytes[body..bytes.len().min(body + PEM_BLOCK_BYTES_MAX)];
    let dashes = window.windows(5).position(|five| five == b"-----").unwrap_or(window.len());
    if window[dashes..].starts_with(footer.as_bytes()) {
        return Some(at..body + dashes + footer.len());
    }
    let is_body = |byte: &u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'\n' | b'\r' | b'\\')
    };
    let len = window.iter().take_while(|byte| is_body(byte)).count();
    let len =
        len - window[..len].iter().rev().take_while(|byte| matches!(byte, b'\n' | b'\r' | b'\\')).count();
    Some(at..body + len)
}

/// Fewest bytes of base64 in a key block; a header alone also occurs in prose.
const PEM_BODY_CHARS_MIN: usize = 40;

/// A block with a body is a key, encrypted or not; a header alone is prose or a truncated key.
pub fn pem_body(found: &ShapeMatch) -> Verdict {
    let value = found.value();
    let header = value.match_indices("-----").nth(1).map_or(value.len(), |(at, _)| at + 5);
    let body = value[header..].split("-----END").next().unwrap_or_default();
    Verdict::of(body.bytes().filter(u8::is_ascii_alphanumeric).count() >= PEM_BODY_CHARS_MIN)
}

/// Most lines of a key body, most bytes before each line, and the shortest line except the last.
const BODY_LINES_MAX: usize = 120;
const MARGIN_BYTES_MAX: usize = 40;
const BODY_LINE_BYTES_MIN: usize = 40;

/// The body of a private key: its first line, and the lines of base64 below it.
pub fn key_body(text: &str, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let run = |from: usize| {
        let is_body = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(**byte, b'+' | b'/' | b'=');
        bytes[from..].iter().take(PEM_BLOCK_BYTES_MAX).take_while(is_body).count()
    };
    let mut end = at + run(at);
    if end - at < BODY_LINE_BYTES_MIN {
        return None;
    }
    for _ in 0..BODY_LINES_MAX {
        let margin = bytes[end..].iter().take(MARGIN_BYTES_MAX);
        let margin = margin.take_while(|byte| b" \t\r\n>|#*/\"\\".contains(byte)).count();
        let len = run(end + margin);
        if !bytes[end..end + margin].contains(&b'\n') || len == 0 {
            break;
        }
        let is_last = len < BODY_LINE_BYTES_MIN;
        if is_last && !(len % 4 == 0 && bytes[end + margin..end + margin + len].ends_with(b"=")) {
            break;
        }
        end += margin + len;
        if is_last {
            break;
        }
    }
    Some(at..end)
}

/// A PuTTY key file up to its end: header lines, base64, and the line of its check.
pub fn putty(text: &str, at: usize) -> Option<Range<usize>> {
    let rest = &text.as_bytes()[at..text.len().min(at + PEM_BLOCK_BYTES_MAX)];
    let mark = memchr::memmem::find(rest, b"Private-Lines:")?;
    let mac = memchr::memmem::find(&rest[mark..], b"Private-MAC:")
        .map(|found| mark + found + b"Private-MAC:".len());
    let end = mac.map_or(rest.len(), |mac| {
        mac + rest[mac..].iter().take_while(|byte| byte.is_ascii_hexdigit() || **byte == b' ').count()
    });
    Some(at..text.floor_char_boundary(at + end))
}

/// Longest number before the hex of an Asana token, in bytes.
const ASANA_NUMBERS_BYTES_MAX: usize = 60;

/// Hex after `0/`, or after `1/` or `2/` and account numbers: `1/1201234567890123:…`.
pub fn asana(found: &ShapeMatch) -> Verdict {
    let before = &found.text.as_bytes()[..found.span.start];
    let is_of_head = |byte: &&u8| byte.is_ascii_digit() || matches!(**byte, b'/' | b':');
    let len = before.iter().rev().take(ASANA_NUMBERS_BYTES_MAX).take_while(is_of_head).count();
    let (rest, head) = before.split_at(before.len() - len);
    let is_begun = rest.last().is_none_or(|byte| !byte.is_ascii_graphic() || b"\"'`(=:|[".contains(byte));
    let numbers = head.strip_prefix(b"1/").or_else(|| head.strip_prefix(b"2/"));
    let numbers = numbers.and_then(|numbers| numbers.strip_suffix(b":"));
    let is_long = numbers.is_some_and(|numbers| {
        numbers.split(|byte| *byte == b'/').all(|number| number.len() >= 8 && !number.contains(&b':'))
    });
    let is_one = is_begun && (head == b"0/" || is_long);
    match varied(found) {
        Verdict::Holds if is_one => Verdict::of(found.near || is_long),
        _ => Verdict::Nothing,
    }
}

/// A value after a token name in a URL, unless it is a placeholder or a word.
pub fn of_url(found: &ShapeMatch) -> Verdict {
    let value = found.value();
    let is_drawn = value.bytes().any(|byte| byte.is_ascii_digit())
        && value.bytes().any(|byte| byte.is_ascii_alphabetic());
    if is_drawn && !super::is_placeholder(value) { varied(found) } else { Verdict::Nothing }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crc_of_a_published_revoked_token_is_right() {
        let token = |kind: &str, body: &str, sum: &str| format!("{kind}_{body}{sum}");
        assert!(ends_in_crc(&token("ghp", &format!("{}FA", "FAKE".repeat(7)), "4fBzlp"), 4));
        assert!(ends_in_crc(&token("gho", &format!("{}EX", "EXAMPLE".repeat(4)), "0i2ab2"), 4));
        assert!(ends_in_crc(&token("npm", &format!("{}NO", "NOTREAL".repeat(4)), "0xXLV3"), 4));
        assert!(!ends_in_crc(&token("ghp", &format!("{}FA", "FAKE".repeat(7)), "4fBzl0"), 4));
    }
}
