//! A label: a word that names a secret, and the longer name around it, such as `SECRET_KEY_BASE`.
//!
//! Invariant: the text read around the word is bounded; after it, by [`NAME_TAIL_BYTES`].

use std::ops::Range;

use super::super::check::strength::Strength;
use super::end_of;
use super::words::{Kind, is_service};

/// Most bytes of a flag before the label in it.
const FLAG_BYTES_MAX: usize = 24;

/// Last words of names with other values: `token_url`, `passwordPolicy`.
pub const OTHERS: &[&str] = &[
    "file", "path", "dir", "url", "uri", "name", "type", "length", "len", "size", "policy", "ttl", "expiry",
    "expires", "endpoint", "host", "field", "column", "format", "regex", "prompt", "algorithm", "alg",
    "method", "mode", "scheme", "encryption", "count", "hint", "arn", "hash", "hashing", "manager", "rules",
    "version", "provider", "id", "timeout", "interval", "lifetime", "attempts", "retries", "date", "until",
    "at", "changed", "created", "updated",
];

/// Words before a label that change its meaning: `existingSecret: name`, a keyword in Spanish, and lookup keys.
const NAMED: &[&str] = &[
    "existing", "palabra ", "idempotency", "cache", "partition", "sort", "primary", "foreign", "dedup",
    "object",
];

/// Words before `_SECRET` in the names of variables whose value a program uses as a secret. Others, such as
/// `IMAGE_PULL_SECRET`, hold the name of one.
const SECRETS_OF: &[&str] = &[
    "APP", "SESSION", "JWT", "COOKIE", "AUTH", "NEXTAUTH", "CLIENT", "API", "WEBHOOK", "CSRF", "HMAC",
    "SHARED", "SIGNING", "TOKEN", "REFRESH", "ACCESS", "OAUTH", "ADMIN", "ENCRYPTION",
];

/// Words joined to `PASSWORD` in the names of texts of a program: `FORGOTPASSWORD=…`.
const ACTIONS: &[&str] = &[
    "NO", "FORGOT", "RESET", "CHANGE", "SHOW", "HIDE", "ENTER", "CONFIRM", "INVALID", "WRONG", "UPDATE",
    "REPEAT", "RETYPE", "PRINT", "SET", "GET", "SAVE", "LOST", "MISSING", "GENERATE", "VIEW", "DELETE",
    "CREATE", "CHOOSE", "REQUIRE", "SEND", "RECOVER",
];

/// Prefix of an AWS resource name.
const RESOURCE: &str = "arn:";

/// Bytes before a label in which a resource name may begin.
const RESOURCE_BYTES_MAX: usize = 120;

/// Bytes after a label within which the surrounding name must end.
pub const NAME_TAIL_BYTES: usize = 48;

/// Length of a base64 run in which a match is not a word.
const NAME_BYTES_LONG: usize = 40;

/// Words before `pass` that give it the meaning of a ticket.
const PASSES: &[&str] = &[
    "annual", "boarding", "bus", "day", "ferry", "hiking", "mountain", "festival", "interrail", "metro",
    "monthly", "museum", "park", "parking", "rail", "season", "ski", "train", "tram", "travel", "week",
];

/// Labels up to this length also occur inside other words.
pub const SHORT_BYTES_MAX: usize = 4;

/// A word that names a secret.
pub struct Label {
    /// Where it is.
    pub span: Range<usize>,
    /// The kind that it names.
    pub kind: Kind,
}

impl Label {
    /// Whether it occurs as a word or as a part of a name: `DB_PASS`, `dbPass`, not `compass` or `passed`.
    pub fn is_word(&self, text: &str) -> bool {
        let bytes = text.as_bytes();
        let word = &bytes[self.span.clone()];
        if !word.is_ascii() {
            // `密码学` is cryptography.
            return !text[self.span.end..].starts_with('学');
        }
        let before = self.span.start.checked_sub(1).map(|at| bytes[at]);
        let after = bytes.get(self.span.end).copied();
        let run = bytes[..self.span.start].iter().rev().take(NAME_BYTES_LONG);
        let run = run.take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/')).count();
        if run == NAME_BYTES_LONG {
            return false;
        }
        let is_short = word.len() <= SHORT_BYTES_MAX;
        let begins_camel =
            word[0].is_ascii_uppercase() && before.is_some_and(|byte| byte.is_ascii_lowercase());
        let is_long = word.len() >= 5 && matches!(self.kind, Kind::Password | Kind::Key)
            || matches!(word[0], b'_' | b'-');
        let begins = before.is_none_or(|byte| !byte.is_ascii_alphanumeric()) || begins_camel || is_long;
        let is_upper = word[word.len() - 1].is_ascii_uppercase();
        let is_plural =
            after == Some(b's') && !bytes.get(self.span.end + 1).is_some_and(u8::is_ascii_alphanumeric);
        let ends = is_plural
            || after.is_none_or(|byte| match byte {
                b'a'..=b'z' => false,
                b'A'..=b'Z' => !is_upper && !is_short,
                _ => true,
            });
        let is_whole = !matches!(self.kind, Kind::Number | Kind::Pair)
            || before.is_none_or(|byte| !matches!(byte, b'_' | b'-' | b'.' | b'/' | b'@'))
            || self.kind == Kind::Number && self.is_of_compound(text);
        let is_whole =
            is_whole && (self.kind != Kind::Number || after.is_none_or(|byte| !matches!(byte, b'_' | b'-')));
        // `tan` is a word and a function.
        let is_tan = word.eq_ignore_ascii_case(b"tan") && word != b"TAN";
        begins && ends && is_whole && !is_tan && !self.is_public(text) && !self.is_of_mask(text)
    }

    /// Whether it ends a compound such as `SIM-PIN`, or the name of a variable such as `DOOR_PIN`.
    fn is_of_compound(&self, text: &str) -> bool {
        let bytes = text.as_bytes();
        let word = &bytes[self.span.clone()];
        let Some((mark, before)) = bytes[..self.span.start].split_last() else { return false };
        let is_upper = word.iter().all(u8::is_ascii_uppercase);
        match mark {
            b'-' => word[0].is_ascii_uppercase() && before.last().is_some_and(u8::is_ascii_alphanumeric),
            b'_' => is_upper && before.last().is_some_and(u8::is_ascii_uppercase),
            _ => false,
        }
    }

    /// Whether it is the class in a mask: `[masked: api_token]`.
    pub fn is_of_mask(&self, text: &str) -> bool {
        let is_of_class = |byte: &&u8| byte.is_ascii_lowercase() || matches!(**byte, b'_' | b'0'..=b'9');
        let before = &text.as_bytes()[..self.span.start];
        let class = before.iter().rev().take(NAME_TAIL_BYTES).take_while(is_of_class).count();
        let before = &before[..before.len() - class];
        before.ends_with(crate::MASK_BEGIN.as_bytes()) || before.ends_with(b"[REDACTED:")
    }

    /// Whether it is part of `public key` or of SSH's `host key`, which are public.
    pub fn is_public(&self, text: &str) -> bool {
        let from = self.span.start.saturating_sub("publicKey ".len());
        let before = text.as_bytes()[from..self.span.start].to_ascii_lowercase();
        let near = &before[before.len().saturating_sub("public ".len())..];
        near.windows(3).any(|three| three == b"pub")
            || before.windows(6).any(|six| six == b"public")
            || before.strip_suffix(b"host ").is_some_and(|before| !before.ends_with(b"l"))
    }

    /// Whether it is `key` alone, which often names something else.
    pub fn is_bare_key(&self, text: &str) -> bool {
        let word = text[self.span.clone()].trim_start_matches(['_', '-']).to_lowercase();
        matches!(
            word.as_str(),
            "key" | "ak" | "sk" | "api" | "session" | "auth" | "basic" | "private" | "キー" | "키"
        ) || is_service(&word)
    }

    /// Whether it is, or ends, a flag of a command: `--passphrase`, `-srcstorepass`.
    pub fn is_flag(&self, text: &str) -> bool {
        let before = &text.as_bytes()[..self.span.start];
        let name = before.iter().rev().take(FLAG_BYTES_MAX);
        let name = name.take_while(|byte| byte.is_ascii_lowercase() || **byte == b'-').count();
        let flag = &before[before.len() - name..];
        flag.starts_with(b"-")
            && before[..before.len() - name].last().is_none_or(|byte| matches!(byte, b' ' | b'"' | b'`'))
    }

    /// Whether a name follows it, and the password after that.
    pub fn is_of_user(&self, text: &str) -> bool {
        ["user", "account", "accounts", "usuario", "benutzer", "identifiant"]
            .contains(&text[self.span.clone()].to_ascii_lowercase().as_str())
    }

    /// Whether it names a network or a root, which are followed by paths and names more often than by passwords.
    pub fn is_place(&self, text: &str) -> bool {
        ["wifi", "wi-fi", "wlan", "root"].contains(&text[self.span.clone()].to_ascii_lowercase().as_str())
    }

    /// Whether a name precedes the password: `Username / Password: ana / …`, `IDとパスワード：ana / …`.
    pub fn is_behind_user(&self, text: &str) -> bool {
        const USERS: &[&str] = &[
            "user", "username", "login", "id", "u", "name", "benutzer", "usuario", "utilisateur", "account",
            "账号", "ユーザー",
        ];
        let before = text[..self.span.start].trim_end_matches([' ', '*', '_']);
        let joined =
            ["/", "&", "+", "と", "和", "and", "und"].iter().find_map(|mark| before.strip_suffix(mark));
        let before = joined.unwrap_or_default().trim_end_matches([' ', '*', '_']);
        let word = end_of(before, NAME_TAIL_BYTES + 1)
            .rsplit(|c: char| !c.is_alphabetic())
            .next()
            .unwrap_or_default();
        word.len() <= NAME_TAIL_BYTES && USERS.contains(&word.to_lowercase().as_str())
    }

    /// Whether it names a session: its UUID is not a credential.
    pub fn is_session(&self, text: &str) -> bool {
        text[self.span.clone()].to_ascii_lowercase().starts_with("session")
    }

    /// Whether a UUID beside it is a secret: only for words that mean a secret, because requests and accounts have
    /// ids too.
    pub fn is_of_id(&self, text: &str) -> bool {
        let word = text[self.span.clone()].to_lowercase();
        let word = word.trim_start_matches(['_', '-']);
        (self.kind == Kind::Password
            || ["secret", "token", "key"].iter().any(|end| word.ends_with(end))
            || word == "secret id")
            && !self.is_bare_key(text)
    }

    /// Whether it ends a name in capitals that precedes `=`: `STRIPE_KEY=`.
    pub fn is_of_variable(&self, text: &str) -> bool {
        let word = text[self.span.clone()].trim_start_matches('_');
        let before = &text[..self.span.end - word.len()];
        let name = before.strip_suffix('_').unwrap_or_default();
        !word.contains(|c: char| !c.is_ascii_uppercase())
            && name.ends_with(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit())
            && text[self.span.end..].starts_with('=')
    }

    /// The end of the name that contains the label: `SECRET_KEY_BASE`.
    pub fn name_end(&self, text: &str) -> usize {
        // Scripts without blanks put the value directly after the word.
        if text[self.span.clone()].chars().next_back().is_some_and(|c| c >= '\u{2e80}') {
            return self.span.end;
        }
        let rest = &text.as_bytes()[self.span.end..];
        let is_of_name = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(**byte, b'_' | b'-');
        self.span.end + rest.iter().take(NAME_TAIL_BYTES).take_while(is_of_name).count()
    }

    /// Whether the last word of the name shows that its value is something else.
    pub fn is_of_other(&self, text: &str, name_end: usize) -> bool {
        let tail = text[self.span.end..name_end].trim_end_matches(['_', '-']);
        let last = tail.rfind(['_', '-']).map_or(tail, |at| &tail[at + 1..]);
        let camel = last.rfind(|c: char| c.is_ascii_uppercase()).map_or(last, |at| &last[at..]);
        let before = end_of(&text[..self.span.start], RESOURCE_BYTES_MAX);
        let is_of_resource =
            before.rsplit([' ', '"', '\'', '`', '\n']).next().is_some_and(|word| word.starts_with(RESOURCE));
        let before = before.trim_end_matches(['_', '-']).as_bytes();
        let is_named = NAMED.iter().any(|word| {
            before.len() >= word.len()
                && before[before.len() - word.len()..].eq_ignore_ascii_case(word.as_bytes())
        });
        is_named
            || is_of_resource
            || [last, camel].iter().any(|word| OTHERS.contains(&word.to_ascii_lowercase().as_str()))
                && !(text[self.span.clone()].eq_ignore_ascii_case("secret")
                    && last.eq_ignore_ascii_case("id"))
    }

    /// Whether it is a ticket, as in `train pass`.
    pub fn is_ticket(&self, text: &str) -> bool {
        let word = text[self.span.clone()].to_ascii_lowercase();
        let before = text[..self.span.start].strip_suffix(' ').unwrap_or_default();
        let before = end_of(before, NAME_TAIL_BYTES);
        let before = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase();
        word == "pass" && PASSES.contains(&before.as_str())
    }

    /// Whether `value`, after a name and a colon, is the password of that name.
    pub fn is_pair_strong(&self, value: &str) -> bool {
        (Strength { is_password: true, is_sure: true }).holds(value) && value.contains(char::is_alphabetic)
    }

    pub fn strength(&self, is_sure: bool) -> Strength {
        Strength { is_password: matches!(self.kind, Kind::Password | Kind::Pair), is_sure }
    }

    /// Whether a person may choose the value; the key of a wireless network is chosen.
    pub fn is_password(&self, text: &str) -> bool {
        // `client secret: …`, but not `secret sauce: …`.
        let is_secret = text[self.span.clone()].eq_ignore_ascii_case("secret");
        let is_signed = || text[self.span.end..].trim_start_matches(['"', '\'', '*']).starts_with([':', '=']);
        matches!(self.kind, Kind::Password | Kind::Pair)
            || is_secret && is_signed()
            || self.is_of_network(text)
    }

    /// Whether it ends the name of an environment variable that is set at `at`: `DB_PASSWORD="…`, `DB_PASSWORD: …`,
    /// `PGPASSWORD=…`, `JWT_SECRET=…`.
    pub fn is_variable(&self, text: &str, at: usize) -> bool {
        let bytes = text.as_bytes();
        let name = &bytes[self.span.clone()];
        let before = &bytes[..self.span.start];
        let run = before.iter().rev().take(NAME_TAIL_BYTES).take_while(|byte| byte.is_ascii_uppercase());
        let joined = &before[before.len() - run.count()..];
        let is_set = matches!(bytes.get(self.span.end), Some(b'=' | b'"'));
        let of_secret = before.strip_suffix(b"_").map(|before| {
            let run = before.iter().rev().take(NAME_TAIL_BYTES).take_while(|byte| byte.is_ascii_uppercase());
            &before[before.len() - run.count()..]
        });
        let is_named = match self.kind {
            Kind::Key => {
                name == b"SECRET"
                    && of_secret.is_some_and(|word| SECRETS_OF.iter().any(|known| known.as_bytes() == word))
            }
            _ if joined.is_empty() => {
                before.strip_suffix(b"_").is_some_and(|name| name.last().is_some_and(u8::is_ascii_uppercase))
            }
            _ => is_set && !ACTIONS.iter().any(|action| action.as_bytes() == joined),
        };
        let sign = text.get(self.span.end..at).map(|sign| sign.trim_matches(['"', '\'', ' ']));
        matches!(self.kind, Kind::Password | Kind::Key)
            && name.iter().all(u8::is_ascii_uppercase)
            && is_named
            && matches!(sign, Some("=" | ":"))
    }

    /// Whether it is the `key` of a wireless network named shortly before it.
    pub fn is_of_network(&self, text: &str) -> bool {
        let from = self.span.start.saturating_sub(NETWORK_BYTES_MAX);
        let before = text.as_bytes()[from..self.span.start].to_ascii_lowercase();
        let word = text[self.span.clone()].to_lowercase();
        ["key", "schlüssel", "clé", "clave", "llave", "chave"].contains(&word.as_str())
            && [
                "ssid", "wlan", "wifi", "wi-fi", "wpa", "netzwerk", "network", "hotspot", "router",
                "fritz!box",
            ]
            .iter()
            .any(|word| memchr::memmem::find(&before, word.as_bytes()).is_some())
    }
}

/// Bytes before `key` in which a wireless network is named.
const NETWORK_BYTES_MAX: usize = 60;
