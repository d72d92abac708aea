//! Random letters without digits: an app password (`tixlzwxuqaoyhubf`), eight letters of both cases.
//!
//! Letter pairs have typical frequencies in words. Their mean separates random letters from German, English, French,
//! Italian, Dutch, Portuguese and Spanish: of 16 random letters 2 percent are above the limit, of words of that
//! length less than 1 percent are below. Invariant: one pass over the value.

use super::strength::PASSWORD_BYTES_MAX;

/// How often a letter (the row) precedes another (the column) in words, from 0 to 9, on a logarithmic scale. Counted
/// in the distinct words of program messages in fifteen languages.
const PAIRS: [&[u8; 26]; 26] = [
    b"46670351514858250868541233", b"51106000510500400520400010", b"70316007605400800516400010",
    b"60128100700311610331400000", b"63784553524769253987353523", b"40005410600300600312400000",
    b"40007033500304300531400000", b"60006000500301500314200000", b"54766560023669741577050304",
    b"20003000000000200000200000", b"40005000301201400233200000", b"71148110700622710045510040",
    b"74007000600142560120300000", b"71677382604224610268440022", b"34553240313678450865654001",
    b"60017002500500640625300000", b"00000000000000000000500000", b"73459241703354720566532042",
    b"50607204603331550068501030", b"70319105800201710655501042", b"43435330401557150666010000",
    b"50007000500002500100000000", b"40004002400002300320000000", b"10102000300000030003000000",
    b"10001000100122130022000000", b"40005000300000200000200001",
];

/// Fewest letters of one case, and of both cases, that are examined; and the fewest after a key label.
const ONE_CASE_BYTES_MIN: usize = 12;
const BOTH_CASES_BYTES_MIN: usize = 8;
const KEY_BYTES_MIN: usize = 16;

/// Means below which letters count as random, in hundredths, by number of letters.
const LONG_BYTES_MIN: usize = 16;
const DRAWN_BELOW: usize = 410;
const DRAWN_BELOW_SHORT: usize = 370;

/// The same for capitals alone, which are rare in words, and for a capitalised word.
const CAPITALS_BELOW: usize = 440;
const CAPITALISED_BELOW: usize = 250;

/// The same for an identifier such as `OAuthClient`, and for a long one.
const CAMEL_BELOW: usize = 400;
const CAMEL_BELOW_LONG: usize = 300;

/// The same for three adjacent capitals, for three changes of case, and for more changes.
const CAPITAL_RUN_BELOW: usize = 480;
const CHANGING_BELOW: usize = 500;
const CHANGING_OFTEN_BELOW: usize = 560;

/// Number of digits of a short hex value.
const HEX_BYTES: usize = 8;

/// Words in names of settings: such a name shows where a value is and is no value.
const NAMES: &[&str] = &[
    "pass", "pwd", "passwd", "key", "token", "secret", "auth", "cred", "conf", "user", "login", "vault",
    "your", "change", "none", "null", "field", "param", "value", "string", "type", "foob", "test", "abcd",
    "http",
];

/// Whether `value`, directly after its label, consists of random letters; `is_password`: its label names a password.
pub fn is_drawn_letters(value: &str, is_password: bool) -> bool {
    let bytes = value.as_bytes();
    let least = if is_password { BOTH_CASES_BYTES_MIN } else { KEY_BYTES_MIN };
    if !(least..=PASSWORD_BYTES_MAX).contains(&bytes.len())
        || !bytes.iter().all(u8::is_ascii_alphabetic)
        || counts(bytes)
    {
        return false;
    }
    let lower = value.to_ascii_lowercase();
    let changes =
        bytes.windows(2).filter(|two| two[0].is_ascii_uppercase() != two[1].is_ascii_uppercase()).count();
    // `Word`.
    let is_one_case =
        changes == 0 || changes == 1 && bytes[0].is_ascii_uppercase() && !bytes[1].is_ascii_uppercase();
    if bytes.len() < LONG_BYTES_MIN && NAMES.iter().any(|name| lower.contains(name)) {
        return false;
    }
    let mean = mean(lower.as_bytes());
    let is_upper = changes == 0 && bytes[0].is_ascii_uppercase();
    if changes > 0 && is_camel(bytes) {
        let below = if bytes.len() < ONE_CASE_BYTES_MIN { CAMEL_BELOW } else { CAMEL_BELOW_LONG };
        return mean_within(bytes) < below;
    }
    let has_run = || bytes.windows(3).any(|three| three.iter().all(u8::is_ascii_uppercase));
    let below = match bytes.len() {
        LONG_BYTES_MIN.. if is_upper => CAPITALS_BELOW,
        LONG_BYTES_MIN.. => DRAWN_BELOW,
        ONE_CASE_BYTES_MIN.. => DRAWN_BELOW_SHORT,
        _ if changes == 0 => return false,
        _ if is_one_case => CAPITALISED_BELOW,
        _ if has_run() => CAPITAL_RUN_BELOW,
        _ => DRAWN_BELOW,
    };
    mean < below || changes == 3 && mean < CHANGING_BELOW || changes > 3 && mean < CHANGING_OFTEN_BELOW
}

/// Whether `groups` of lower-case letters are random, like a Google app password.
pub fn are_drawn_groups(groups: &str) -> bool {
    let pairs = groups.as_bytes().windows(2).filter(|two| two.iter().all(u8::is_ascii_lowercase));
    let (sum, count) = pairs.fold((0, 0), |(sum, count), two| (sum + often(two), count + 1));
    count > 0 && sum * 100 < DRAWN_BELOW * count
}

/// Whether letters have the form of an identifier: words of at least two lower-case letters, each after a few
/// capitals.
fn is_camel(bytes: &[u8]) -> bool {
    const CAPITALS_MAX: usize = 4;
    let first = bytes.iter().take_while(|byte| byte.is_ascii_lowercase()).count();
    let mut rest = &bytes[first..];
    let mut words = usize::from(first > 1);
    while !rest.is_empty() {
        let upper = rest.iter().take_while(|byte| byte.is_ascii_uppercase()).count();
        let lower = rest[upper..].iter().take_while(|byte| byte.is_ascii_lowercase()).count();
        rest = &rest[upper + lower..];
        let is_short = bytes.len() < ONE_CASE_BYTES_MIN && lower < 2 || lower == 0;
        if upper > CAPITALS_MAX || is_short && !rest.is_empty() {
            return false;
        }
        words += usize::from(lower > 1);
    }
    words > 0
}

/// Eight hex digits with a letter and a digit among them.
pub fn is_short_hex(value: &str) -> bool {
    let bytes = value.as_bytes();
    bytes.len() == HEX_BYTES
        && bytes.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        && bytes.iter().any(u8::is_ascii_digit)
        && bytes.iter().any(u8::is_ascii_lowercase)
}

/// Mean frequency of the letter pairs in words, in hundredths of the scale.
fn mean(lower: &[u8]) -> usize {
    let sum: usize = lower.windows(2).map(often).sum();
    sum * 100 / (lower.len() - 1)
}

/// The same for the pairs within the words of an identifier.
fn mean_within(bytes: &[u8]) -> usize {
    let is_within = |two: &&[u8]| !(two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase());
    let pairs = bytes.windows(2).filter(is_within);
    let (sum, count) = pairs.fold((0, 0), |(sum, count), two| {
        (sum + often(&[two[0].to_ascii_lowercase(), two[1].to_ascii_lowercase()]), count + 1)
    });
    sum * 100 / count.max(1)
}

/// Number of adjacent lower-case letters.
fn often(two: &[u8]) -> usize {
    let at = |byte: u8| usize::from(byte - b'a');
    usize::from(PAIRS[at(two[0])][at(two[1])] - b'0')
}

/// Whether a third of the letters repeat or continue the alphabet: `abcdefgh`, `aaaabbbb`.
fn counts(bytes: &[u8]) -> bool {
    let is_next = |two: &&[u8]| two[0] == two[1] || two[0] + 1 == two[1];
    bytes.windows(2).filter(is_next).count() * 3 > bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawn_letters_are_told_from_words() {
        for value in [
            "tixlzwxuqaoyhubf", "xraadbelnitahqne", "seglhvcyqnfhoups", "fpibwnachjdvdsxvsiesxbvunkipryvy",
            "FXMLXKLEENDQMXJP", "cxwmxCdd", "IARPyXRR", "qlfDfAYW",
        ] {
            assert!(is_drawn_letters(value, true), "{value} {}", mean(value.to_ascii_lowercase().as_bytes()));
        }
        for value in [
            "authentication", "configuration", "userPassword", "SecretString", "Zugangsberechtigung",
            "wachtwoordbeheer", "autenticacion", "passwordField", "required", "Required", "dbPasswd",
            "abcdefghijklmnop", "xxxxxxxxxxxxxxxx", "AUTHENTICATION", "getCredentials", "UnknownError",
            "rechtschreibung", "OAuthHttpRedirectPolicy", "OkmBlock", "IronPython", "GThreadPool",
            "XkbAccessXTimeoutMask", "UseProxy", "RsaHashedKeyGenParams", "SupportedKxGroup",
            "mouseKeysDfltBtn", "NonZeroU", "BorrowedFd", "MaybeItemFn", "ZeroizeOnDrop", "AddedTokenWithId",
            "HttpHeader", "vertrouwelijkheid", "inaccessible", "myPassword", "someValue",
        ] {
            assert!(
                !is_drawn_letters(value, true),
                "{value} {}",
                mean(value.to_ascii_lowercase().as_bytes())
            );
        }
        assert!(
            is_drawn_letters("jsgdjsdlqpwqdsqpxxwybipknlkdbnfk", false)
                && !is_drawn_letters("cxwmxCdd", false)
        );
    }

    #[test]
    fn groups_and_short_hex() {
        for groups in ["vjiv diyi phbv znrq", "burt ufig oxng qxkz"] {
            assert!(are_drawn_groups(groups), "{groups}");
        }
        for groups in ["that were with some", "over time will heal", "kann auch eine sein"] {
            assert!(!are_drawn_groups(groups), "{groups}");
        }
        assert!(is_short_hex("6003d794") && !is_short_hex("20260131") && !is_short_hex("deadbeef"));
    }
}
