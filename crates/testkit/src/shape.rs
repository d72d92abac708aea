//! Texts with marked secrets, generated from templates that show how people write credentials.
//!
//! A file of shapes has records: a line `=== id: ID | class: CLASS`, then a template up to the next record, without
//! blank lines at its end. Lines `###` before the first record are comments. In a template `⟪…⟫` marks the secret;
//! each line within is a part of it. `{set:n}` or `{set:a-b}` draws characters of a set (`hex HEX alnum b64 b64u
//! digits lower upper U+D l+d b32 bech`, or `[A-Za-z]`). `{pass}` and `{passurl}` draw a password as people choose
//! them, `{uuid}` an id, `{words:n}`, `{words-:n}` and `{mnemonic:n}` words of BIP-39, and `{u:00a0}` is a character.
//! `{encoder:template}` encodes the result of a template. Other braces are text. Invariant: the same seed gives the
//! same text.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use bip39::{Language, Mnemonic};

use crate::Chance;

/// One record of a file of shapes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// Its id.
    pub id: String,
    /// Its family.
    pub class: String,
    template: String,
}

/// A generated text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marked {
    /// The text without the marks.
    pub text: String,
    /// The parts of the secret in it.
    pub secrets: Vec<String>,
}

/// The records of a file.
#[track_caller]
pub fn parse(file: &str) -> Vec<Shape> {
    let mut shapes: Vec<Shape> = Vec::new();
    for line in file.split('\n') {
        if let Some(head) = line.strip_prefix("=== ") {
            let named = head.strip_prefix("id: ").and_then(|head| head.split_once(" | class: "));
            let (id, class) = named.unwrap_or_else(|| panic!("no head of a record: {line}"));
            let (id, class) = (id.to_owned(), class.to_owned());
            shapes.push(Shape { id, class, template: String::new() });
        } else if let Some(shape) = shapes.last_mut() {
            shape.template.push_str(line);
            shape.template.push('\n');
        } else {
            assert!(
                line.trim().is_empty() || line.starts_with("###"),
                "text before the first record: {line}"
            );
        }
    }
    for shape in &mut shapes {
        let length = shape.template.trim_end_matches('\n').len();
        shape.template.truncate(length);
    }
    shapes
}

impl Shape {
    /// Generates a text.
    #[track_caller]
    pub fn expand(&self, chance: &mut Chance) -> Marked {
        let (marked, _) = expanded(&self.template, 0, false, chance);
        let (mut text, mut secrets) = (String::new(), Vec::new());
        let mut rest = marked.as_str();
        while let Some(open) = rest.find('⟪') {
            text.push_str(&rest[..open]);
            let inside = &rest[open + '⟪'.len_utf8()..];
            let close = inside.find('⟫').unwrap_or_else(|| panic!("{}: an open mark", self.id));
            secrets.extend(inside[..close].split('\n').filter(|part| !part.is_empty()).map(str::to_owned));
            text.push_str(&inside[..close]);
            rest = &inside[close + '⟫'.len_utf8()..];
        }
        text.push_str(rest);
        assert!(!secrets.is_empty(), "{}: no secret", self.id);
        Marked { text, secrets }
    }
}

/// Shortest part of a secret that counts as shown.
pub const WINDOW_CHARS: usize = 8;

impl Marked {
    /// Whether `masked` contains no run of [`WINDOW_CHARS`] characters of the secret; of a shorter part, all of it.
    pub fn is_hidden_in(&self, masked: &str) -> bool {
        self.secrets.iter().all(|secret| {
            let chars: Vec<char> = secret.chars().collect();
            let stands = |window: &[char]| masked.contains(&window.iter().collect::<String>());
            !chars.windows(WINDOW_CHARS.min(chars.len())).any(stands)
        })
    }
}

/// Expands the template from byte `at` to its end, or to its closing brace if it is `nested`. Returns the end.
fn expanded(template: &str, mut at: usize, nested: bool, chance: &mut Chance) -> (String, usize) {
    let (mut out, mut depth) = (String::new(), 0);
    while let Some(c) = template[at..].chars().next() {
        let next = at + c.len_utf8();
        match c {
            '{' => match field(template, next, chance) {
                Some((text, end)) => {
                    out.push_str(&text);
                    at = end;
                    continue;
                }
                None => depth += usize::from(nested),
            },
            '}' if nested && depth == 0 => return (out, next),
            '}' if nested => depth -= 1,
            _ => {}
        }
        out.push(c);
        at = next;
    }
    assert!(!nested, "an encoder is not closed: {template}");
    (out, at)
}

/// Expands the field whose name begins at byte `at`, and returns its end. `None`: it is text.
fn field(template: &str, at: usize, chance: &mut Chance) -> Option<(String, usize)> {
    let rest = &template[at..];
    let name_end = if rest.starts_with('[') {
        let mut escaped = false;
        let close = rest.char_indices().find(|(_, c)| {
            let closes = *c == ']' && !escaped;
            escaped = *c == '\\' && !escaped;
            closes
        });
        close?.0 + 1
    } else {
        rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '+' | '-')))?
    };
    let (name, behind) = (&rest[..name_end], at + name_end);
    let after = behind + 1;
    match (&template[behind..behind + 1], name) {
        ("}", "pass") => Some((password("!?#$%+.-_=", chance), after)),
        ("}", "passurl") => Some((password("!.-_~", chance), after)),
        ("}", "uuid") => Some((uuid(chance), after)),
        (":", "u") => {
            let end = after + template[after..].find('}')?;
            let point = u32::from_str_radix(&template[after..end], 16).ok()?;
            Some((char::from_u32(point)?.to_string(), end + 1))
        }
        (":", name) if encoder(name).is_some() => {
            let (inner, end) = expanded(template, after, true, chance);
            Some((encoder(name)?(&inner), end))
        }
        (":", name) => {
            let end = after + template[after..].find('}')?;
            let (least, most) = template[after..end].split_once('-').unwrap_or((&template[after..end], ""));
            let least: usize = least.parse().ok()?;
            let most: usize = if most.is_empty() { least } else { most.parse().ok()? };
            let count = least + chance.below(most - least + 1);
            Some((drawn(name, count, chance)?, end + 1))
        }
        _ => None,
    }
}

fn drawn(name: &str, count: usize, chance: &mut Chance) -> Option<String> {
    Some(match name {
        "words" => words(count, chance).join(" "),
        "words-" => words(count, chance).join("-"),
        "mnemonic" => mnemonic(count, chance),
        _ => {
            let set = set(name)?;
            (0..count).map(|_| *chance.pick::<char>(&set)).collect()
        }
    })
}

fn set(name: &str) -> Option<Vec<char>> {
    let custom = match name {
        "hex" => "0-9a-f",
        "HEX" => "0-9A-F",
        "alnum" => "A-Za-z0-9",
        "b64" => "A-Za-z0-9+/",
        "b64u" => "A-Za-z0-9_\\-",
        "digits" => "0-9",
        "lower" => "a-z",
        "upper" => "A-Z",
        "U+D" => "A-Z0-9",
        "l+d" => "a-z0-9",
        "b32" => "A-Z2-7",
        "bech" => "qpzry9x8gf2tvdw0s3jn54khce6mua7l",
        _ => name.strip_prefix('[')?.strip_suffix(']')?,
    };
    let mut chars: Vec<(char, bool)> = Vec::new();
    let mut given = custom.chars();
    while let Some(c) = given.next() {
        chars.push(if c == '\\' { (given.next()?, true) } else { (c, false) });
    }
    let (mut set, mut at) = (Vec::new(), 0);
    while at < chars.len() {
        let (first, _) = chars[at];
        match (chars.get(at + 1), chars.get(at + 2)) {
            (Some(('-', false)), Some((last, _))) => {
                set.extend(first..=*last);
                at += 3;
            }
            _ => {
                set.push(first);
                at += 1;
            }
        }
    }
    Some(set)
}

const NAMES: &[&str] = &[
    "Sommer", "Winter", "Herbst", "Dragon", "Monkey", "Kaffee", "Berlin", "Bella", "Schatz", "Tiger",
    "Purple", "Coffee", "Falcon", "Lisboa", "Madrid", "Amour", "Soleil", "Fluffy", "Garten", "Rocket",
    "Hamster", "Pirate", "Mango", "Shadow", "Kitty", "Oliver", "Julia", "Bruno", "Paris", "Zebra",
];

const NOUNS: &[&str] =
    &["haus", "katze", "moon", "blue", "star", "king", "cat", "sun", "tree", "dog", "lake"];

/// A password of 10 to 16 characters as people choose them: a name, digits, a mark of `marks`.
fn password(marks: &str, chance: &mut Chance) -> String {
    let marks: Vec<char> = marks.chars().collect();
    loop {
        let (name, noun) = (*chance.pick::<&str>(NAMES), *chance.pick::<&str>(NOUNS));
        let number = match chance.below(3) {
            0 => 1970 + chance.below(56),
            1 => 10 + chance.below(90),
            _ => 100 + chance.below(9_900),
        };
        let mark = *chance.pick::<char>(&marks);
        let made = match chance.below(5) {
            0 => format!("{name}{number}{mark}"),
            1 => format!("{name}{number}{mark}{noun}"),
            2 => format!("{name}{mark}{}{number}", chance.pick::<&str>(NAMES)),
            3 => {
                let name = name.replace('o', "0").replace('a', "4").replace('i', "1");
                format!("{name}{mark}{number}{}", chance.pick::<char>(&marks))
            }
            _ => format!("{noun}{name}{mark}{number}"),
        };
        if (10..=16).contains(&made.len()) && made.bytes().any(|byte| byte.is_ascii_digit()) {
            return made;
        }
    }
}

fn uuid(chance: &mut Chance) -> String {
    let hex = format!("{:016x}{:016x}", chance.number(), chance.number());
    let variant = ['8', '9', 'a', 'b'][chance.below(4)];
    format!("{}-{}-4{}-{variant}{}-{}", &hex[..8], &hex[8..12], &hex[13..16], &hex[17..20], &hex[20..32])
}

/// Words of labels are not drawn, because a run of the secret must not occur beside it.
const SKIPPED: &[&str] =
    &["phrase", "seed", "secret", "word", "wallet", "recall", "crypto", "private", "key", "pass"];

fn words(count: usize, chance: &mut Chance) -> Vec<&'static str> {
    let list: Vec<&str> =
        Language::English.word_list().iter().copied().filter(|word| !SKIPPED.contains(word)).collect();
    (0..count).map(|_| *chance.pick::<&str>(&list)).collect()
}

fn mnemonic(count: usize, chance: &mut Chance) -> String {
    loop {
        let entropy: Vec<u8> = (0..count * 4 / 3).map(|_| chance.number().to_le_bytes()[0]).collect();
        let mnemonic = Mnemonic::from_entropy(&entropy).expect("12 to 24 words").to_string();
        if !mnemonic.split(' ').any(|word| SKIPPED.contains(&word)) {
            return mnemonic;
        }
    }
}

type Encoder = fn(&str) -> String;

fn encoder(name: &str) -> Option<Encoder> {
    Some(match name {
        "b64enc" => |text| STANDARD.encode(text),
        "b64uenc" => |text| URL_SAFE_NO_PAD.encode(text),
        "pctenc" => |text| {
            let kept = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~');
            text.bytes()
                .map(|byte| if kept(&byte) { char::from(byte).into() } else { format!("%{byte:02X}") })
                .collect()
        },
        "pctall" => |text| each(text, |byte| format!("%{byte:02X}")),
        "pctenc2" => |text| each(text, |byte| format!("%25{byte:02X}")),
        "hexenc" => |text| each(text, |byte| format!("{byte:02x}")),
        "hexsp" => |text| each(text, |byte| format!("{byte:02x} ")).trim_end().to_owned(),
        "xescape" => |text| each(text, |byte| format!("\\x{byte:02x}")),
        "uescape" => |text| text.chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect(),
        "entity" => |text| each(text, |byte| format!("&#{byte};")),
        "rev" => |text| text.chars().rev().collect(),
        "wrap76" => |text| wrapped(text, 76),
        "wrap64" => |text| wrapped(text, 64),
        "wrap60" => |text| wrapped(text, 60),
        "xxd" => dump,
        _ => return None,
    })
}

fn each(text: &str, make: fn(u8) -> String) -> String {
    text.bytes().map(make).collect()
}

fn wrapped(text: &str, width: usize) -> String {
    let chars: Vec<char> = text.chars().collect();
    chars.chunks(width).map(|line| line.iter().collect::<String>()).collect::<Vec<_>>().join("\n")
}

/// Rows of 16 bytes as `xxd` prints them; hex and text of each are marked.
fn dump(text: &str) -> String {
    let row = |(at, bytes): (usize, &[u8])| {
        let pairs =
            bytes.chunks(2).map(|pair| pair.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
        let hex = pairs.collect::<Vec<_>>().join(" ");
        let plain: String = bytes
            .iter()
            .map(|byte| if matches!(byte, b' '..=b'~') { char::from(*byte) } else { '.' })
            .collect();
        format!("{:08x}: ⟪{hex}⟫{}  ⟪{plain}⟫", at * 16, " ".repeat(39 - hex.len()))
    };
    text.as_bytes().chunks(16).enumerate().map(row).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(template: &str) -> Marked {
        let file = format!("### about\n\n=== id: a | class: b\n{template}\n\n");
        parse(&file).remove(0).expand(&mut Chance::of(1))
    }

    #[test]
    fn a_template_becomes_a_text_and_its_secrets() {
        let shape = made("token: ⟪ghp_{alnum:6}⟫ {x} {\"a\":1}");
        assert_eq!(shape.secrets[0].len(), 10);
        assert_eq!(shape.text, format!("token: {} {{x}} {{\"a\":1}}", shape.secrets[0]));
        assert_eq!(made("⟪{wrap60:{hex:70}}⟫").secrets.iter().map(String::len).collect::<Vec<_>>(), [60, 10]);
        assert_eq!(made("{b64enc:{\"a\":{}}}⟪x⟫").text, "eyJhIjp7fX0=x");
        assert_eq!(
            made("{pctenc2:a/}{xescape:b}{entity:c}{u:00a0}{uescape:d}⟪x⟫").text,
            "%2561%252F\\x62&#99;\u{a0}\\u0064x"
        );
        assert_eq!(made("⟪{mnemonic:12}⟫").secrets[0].split(' ').count(), 12);
        assert_eq!(made("⟪{[a\\-c]:40}⟫").secrets[0].trim_matches(['a', '-', 'c']), "");
        assert!((10..=16).contains(&made("⟪{pass}⟫").secrets[0].len()));
        assert_eq!(made("⟪{uuid}⟫").secrets[0].len(), 36);
    }

    #[test]
    fn a_window_of_the_secret_shows_it() {
        let shape = Marked { text: String::new(), secrets: vec!["abcdefghij".into(), "xyz".into()] };
        assert!(shape.is_hidden_in("abcdefg- xy"));
        assert!(!shape.is_hidden_in("-bcdefghi-"));
        assert!(!shape.is_hidden_in("-xyz-"));
    }
}
