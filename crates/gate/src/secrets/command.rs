//! Passwords on command lines: `curl -u user:…`, `mysql -p…`, `echo '…' | sudo -S`.
//!
//! A flag takes a password only after a program that defines it so. Invariants: one pass for the programs; a command
//! is read to the end of its line, an SQL statement to its semicolon ([`mod@statement`]).

mod statement;

use std::ops::Range;
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, MatchKind};

use super::check::is_placeholder;
use super::check::strength::{Strength, is_small_word_with_number, is_word_with_number};
use statement::{passwords, statement};

/// How a program takes its password.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Takes {
    /// `-u user:password`, `--user user:password`.
    User,
    /// `-ppassword`, `-p password`, `--password=password`.
    P,
    /// `-a password`.
    A,
    /// `-p password`, whatever its form.
    Certain,
    /// A separate word after `password`.
    Word,
    /// The word after `/user:name` or after the share, whatever its form.
    Share,
    /// Any word.
    Any,
    /// The first string, whatever its form.
    First,
    /// The string after `PASSWORD` or `IDENTIFIED WITH … BY`, whatever its form.
    Statement,
    /// `name:password@host`, `name/password@host`.
    Login,
    /// `name:password`.
    Pair,
    /// Any argument of a call.
    Call,
    /// The last quoted string of a call with a name and a password.
    Arguments,
    /// `--value …`, `--body …`, `--secret-string …`.
    Value,
    /// Text piped into it, or after `<<<`.
    Stdin,
}

const PROGRAMS: &[(&str, Takes)] = &[
    ("curl ", Takes::User),
    ("http ", Takes::User),
    ("https ", Takes::User),
    ("xh ", Takes::User),
    ("wget ", Takes::P),
    ("mysql ", Takes::P),
    ("mysqldump ", Takes::P),
    ("mysqladmin ", Takes::P),
    ("mariadb ", Takes::P),
    ("mariadb-dump ", Takes::P),
    ("mongo ", Takes::P),
    ("mongosh ", Takes::P),
    ("docker login", Takes::P),
    ("podman login", Takes::P),
    ("helm registry login", Takes::P),
    ("sshpass ", Takes::Certain),
    ("7z ", Takes::P),
    ("7za ", Takes::P),
    ("unrar ", Takes::P),
    ("rar ", Takes::P),
    ("zip ", Takes::P),
    ("unzip ", Takes::P),
    ("ldapsearch ", Takes::P),
    ("ldapmodify ", Takes::P),
    ("ldapadd ", Takes::P),
    ("ldapwhoami ", Takes::P),
    ("openssl ", Takes::P),
    ("ssh-keygen ", Takes::P),
    ("snmpwalk ", Takes::P),
    ("snmpget ", Takes::P),
    ("smbclient ", Takes::P),
    ("rpcclient ", Takes::P),
    ("xfreerdp ", Takes::P),
    ("cmdkey ", Takes::P),
    ("redis-cli ", Takes::A),
    ("nmcli ", Takes::Word),
    ("htpasswd ", Takes::Any),
    ("mosquitto_passwd ", Takes::Any),
    ("rabbitmqctl ", Takes::Any),
    ("net user ", Takes::Any),
    ("net use ", Takes::Share),
    ("isql ", Takes::Any),
    ("sqlplus ", Takes::Any),
    ("connect ", Takes::Login),
    ("CONNECT ", Takes::Login),
    ("bundle config ", Takes::Pair),
    ("bw unlock", Takes::Any),
    ("bw login", Takes::Any),
    ("lftp ", Takes::Any),
    ("mc alias set", Takes::Any),
    ("wpa_passphrase ", Takes::Any),
    ("openssl passwd", Takes::Any),
    ("mkpasswd ", Takes::Any),
    ("add-generic-password ", Takes::P),
    ("caddy hash-password ", Takes::Any),
    ("jdbc:oracle:thin:", Takes::Login),
    ("ssh ", Takes::Login),
    ("scp ", Takes::Login),
    ("sftp ", Takes::Login),
    ("ftp ", Takes::Login),
    ("rsync ", Takes::Login),
    ("_PROXY=", Takes::Login),
    ("_proxy=", Takes::Login),
    ("connect(", Takes::Call),
    ("authenticate(", Takes::Call),
    ("login(", Takes::Arguments),
    ("basicAuth(", Takes::Arguments),
    ("username_pw_set(", Takes::Arguments),
    ("BasicAuth(", Takes::Arguments),
    ("Credential(", Takes::Arguments),
    ("Credentials(", Takes::Arguments),
    ("Connection(", Takes::Arguments),
    ("WiFi.begin(", Takes::Arguments),
    ("basic_auth(", Takes::Arguments),
    ("basic_auth ", Takes::Arguments),
    ("auth=(", Takes::Arguments),
    ("auth = (", Takes::Arguments),
    ("mysqli_connect(", Takes::Arguments),
    ("new PDO(", Takes::Arguments),
    ("smtp.login(", Takes::Arguments),
    ("s.login(", Takes::Arguments),
    ("server.login(", Takes::Arguments),
    ("create-secret ", Takes::Value),
    ("put-parameter ", Takes::Value),
    ("keyvault secret set ", Takes::Value),
    ("gh secret set ", Takes::Value),
    ("IDENTIFIED BY ", Takes::First),
    ("identified by ", Takes::First),
    ("CREATE ROLE ", Takes::Statement),
    ("CREATE USER ", Takes::Statement),
    ("CREATE LOGIN ", Takes::Statement),
    ("ALTER ROLE ", Takes::Statement),
    ("ALTER USER ", Takes::Statement),
    ("ALTER LOGIN ", Takes::Statement),
    ("create role ", Takes::Statement),
    ("create user ", Takes::Statement),
    ("create login ", Takes::Statement),
    ("alter role ", Takes::Statement),
    ("alter user ", Takes::Statement),
    ("alter login ", Takes::Statement),
    ("chpasswd", Takes::Stdin),
    ("passwd ", Takes::Stdin),
    ("smbpasswd", Takes::Stdin),
    ("cryptsetup ", Takes::Stdin),
    ("gpg ", Takes::Stdin),
    ("sudo -S", Takes::Stdin),
    ("secret put", Takes::Stdin),
    ("auth login", Takes::Stdin),
    ("-stdin", Takes::Stdin),
    // An unlisted program with a user flag may have a password flag after it.
    (" -u ", Takes::P),
    (" -U ", Takes::P),
    (" -l ", Takes::P),
    (" --user ", Takes::P),
    (" --username ", Takes::P),
];

/// Flags that take a password, in the next word or attached.
const FLAGS: &[&str] = &[
    "-p", "-P", "-w", "-k", "-N", "-A", "-X", "-pw", "-pass", "-passin", "-passout", "-storepass",
    "-keypass", "--password", "--passphrase", "--pass", "--secret",
];
const FLAG_HEADS: &[&str] = &[
    "--password=", "--passphrase=", "--pass=", "--http-password=", "--proxy-password=", "-hp", "-p", "/p:",
    "/pass:",
];

/// Shortest password after a flag that takes nothing else.
const CERTAIN_BYTES_MIN: usize = 6;
const WORD_BYTES_MIN: usize = 8;

/// Most bytes of a command line that are read.
const COMMAND_BYTES_MAX: usize = 400;

/// Most program names in one text that are analysed. Everything after the last one counts as one value.
const COMMANDS_MAX: usize = 20_000;

/// Positions of passwords on the command lines of `text`.
pub fn find(text: &str) -> Vec<Range<usize>> {
    let (mut found, mut read_until, mut count) = (Vec::new(), 0, 0);
    let Some(programs) = programs() else { return found };
    for hit in programs.find_iter(text.as_bytes()) {
        let bytes = text.as_bytes();
        let (program, takes) = PROGRAMS[hit.pattern().as_usize()];
        let is_part = program.starts_with([' ', '-', '_']) || program.ends_with('(');
        if !is_part && hit.start() > 0 && bytes[hit.start() - 1].is_ascii_alphanumeric() {
            continue;
        }
        // Part of a long line is read once for all programs in its middle.
        let is_of_line = takes == Takes::Stdin || program.starts_with(' ');
        if is_of_line && hit.end() + COMMAND_BYTES_MAX / 2 < read_until {
            continue;
        }
        if count == COMMANDS_MAX {
            found.push(hit.start()..text.len());
            break;
        }
        count += 1;
        let before = line_before(text, hit.start());
        let behind = match takes {
            Takes::Statement => statement(text, hit.end()),
            _ => line_behind(text, hit.end()),
        };
        let behind_end = behind.end;
        let words = match takes {
            Takes::Stdin => [words(text, before), words(text, behind)].concat(),
            _ if program.starts_with(' ') => words(text, before.start..behind.end),
            _ => words(text, behind),
        };
        if is_of_line {
            read_until = behind_end;
        }
        found.extend(password(text, takes, &words));
    }
    found.sort_by_key(|span| (span.start, span.end));
    found.dedup();
    found
}

fn programs() -> Option<&'static AhoCorasick> {
    static PROGRAMS_BUILT: OnceLock<Option<AhoCorasick>> = OnceLock::new();
    let build = || {
        let names = PROGRAMS.iter().map(|(name, _)| name);
        AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(names).ok()
    };
    PROGRAMS_BUILT.get_or_init(build).as_ref()
}

/// The line before a byte.
fn line_before(text: &str, end: usize) -> Range<usize> {
    let bytes = &text.as_bytes()[..end];
    let len = bytes.iter().rev().take(COMMAND_BYTES_MAX).take_while(|byte| **byte != b'\n').count();
    text.ceil_char_boundary(end - len)..end
}

/// The line after a byte, with lines continued by a backslash.
fn line_behind(text: &str, start: usize) -> Range<usize> {
    let bytes = &text.as_bytes()[start..];
    let window = &bytes[..bytes.len().min(COMMAND_BYTES_MAX)];
    let ends = |at: &usize| !window[..*at].trim_ascii_end().ends_with(b"\\");
    let len = memchr::memchr_iter(b'\n', window).find(ends).unwrap_or(window.len());
    start..text.floor_char_boundary(start + len)
}

/// The words in a range, without quotes.
fn words(text: &str, line: Range<usize>) -> Vec<Range<usize>> {
    let (mut at, end) = (line.start, line.end);
    let mut words = Vec::new();
    while let Some(offset) =
        text[at..end].find(|c: char| !(c.is_whitespace() || matches!(c, '\\' | ',' | '(')))
    {
        let first = at + offset;
        let quote = text[first..].chars().next().filter(|c| matches!(c, '"' | '\''));
        let (from, to) = match quote {
            Some(quote) => {
                let inside = first + 1;
                (inside, text[inside..end].find(quote).map_or(end, |at| inside + at))
            }
            None => (first, text[first..end].find(char::is_whitespace).map_or(end, |at| first + at)),
        };
        words.push(from..to);
        at = (to + usize::from(quote.is_some())).min(end);
    }
    words
}

/// The text after the first colon of a word: `name:password`.
fn behind_colon(text: &str, span: &Range<usize>) -> Option<Range<usize>> {
    text[span.clone()].find(':').map(|at| span.start + at + 1..span.end)
}

/// Words written to the standard input of a program; of `name:password` the password.
fn behind_echo(text: &str, words: &[Range<usize>]) -> Vec<Range<usize>> {
    let is_echo = |span: &Range<usize>| {
        ["echo", "printf", "<<<", "-S"].iter().any(|end| text[span.clone()].ends_with(end))
    };
    let lines =
        (0..words.len()).filter(|at| is_echo(&words[*at])).flat_map(|at| words[at + 1..].iter().take(3));
    let parts = |span: &Range<usize>| {
        let part = |part: &str| {
            let start = part.as_ptr() as usize - text.as_ptr() as usize;
            let part = start..start + part.len();
            behind_colon(text, &part).unwrap_or(part)
        };
        text[span.clone()].split("\\n").map(part).collect::<Vec<_>>()
    };
    lines.flat_map(parts).collect()
}

/// Whether a word is an address without name and password: not `name/password@//host`.
fn is_address(word: &str) -> bool {
    word.split("@//").next().is_some_and(|before| before.contains("//"))
}

/// Words of a command that may be its password, by how the program takes it.
fn candidates(text: &str, takes: Takes, words: &[Range<usize>]) -> Vec<Range<usize>> {
    let word = |at: usize| words.get(at).map(|span| &text[span.clone()]);
    let behind = |span: &Range<usize>, skip: usize| span.start + skip..span.end;
    let split = |span: &Range<usize>| behind_colon(text, span);
    match takes {
        Takes::Stdin => behind_echo(text, words),
        Takes::First => {
            let is_word = |span: &&Range<usize>| {
                text[..span.start].ends_with(['"', '\'']) && !text[(*span).clone()].contains(' ')
            };
            words.first().filter(is_word).cloned().into_iter().collect()
        }
        Takes::Statement => passwords(text, words),
        Takes::Word => (1..words.len())
            .filter(|at| word(at - 1).is_some_and(|word| matches!(word, "password" | "wifi-sec.psk" | "psk")))
            .map(|at| words[at].clone())
            .collect(),
        Takes::Share => (1..words.len())
            .filter(|at| {
                let (before, word) = (&text[words[at - 1].clone()], &text[words[*at].clone()]);
                let is_user = |flag: &&str| {
                    before.get(..flag.len()).is_some_and(|head| head.eq_ignore_ascii_case(flag))
                };
                !word.starts_with(['/', '\\'])
                    && (text[..words[at - 1].start].ends_with("\\\\")
                        || ["/user:", "/u:"].iter().any(is_user))
            })
            .map(|at| words[at].clone())
            .collect(),
        Takes::Arguments => {
            let is_string = |span: &&Range<usize>| text[..span.start].ends_with(['"', '\'']);
            let is_inside = |span: &&Range<usize>| !text[words[0].start..span.start].contains([')', ';']);
            let strings: Vec<&Range<usize>> = words.iter().filter(is_string).filter(is_inside).collect();
            let is_name = |name: &str| !name.contains("://");
            // An address, a name, the password and perhaps a base DN; the first word is never the password.
            let named = strings.iter().position(|span| is_name(&text[(*span).clone()])).unwrap_or(0);
            strings
                .iter()
                .skip((named + 1).min(usize::from(words.len() > 1)))
                .map(|span| (*span).clone())
                .collect()
        }
        Takes::Value => (1..words.len())
            .filter(|at| {
                word(at - 1)
                    .is_some_and(|word| ["--value", "--body", "-b", "--secret-string"].contains(&word))
            })
            .map(|at| words[at].clone())
            .collect(),
        Takes::Any | Takes::Call => words
            .iter()
            .flat_map(|span| {
                let value = &text[span.clone()];
                // `name/password@host`, `name,password`.
                let at = value.find(['/', ',']).filter(|at| *at > 0 && !is_address(value)).map(|at| at + 1);
                let host = value.rfind('@').filter(|_| at.is_some()).unwrap_or(value.len());
                [Some(span.clone()), at.filter(|at| *at < host).map(|at| span.start + at..span.start + host)]
            })
            .flatten()
            .collect(),
        Takes::Login => words
            .iter()
            .filter_map(|span| {
                let value = &text[span.clone()];
                let (from, to) = (value.find([':', '/'])? + 1, value.rfind('@')?);
                (from > 1 && from < to && !is_address(value)).then(|| span.start + from..span.start + to)
            })
            .collect(),
        Takes::Pair => words.iter().filter_map(split).collect(),
        Takes::User => (0..words.len())
            .filter_map(|at| match word(at)? {
                "-u" | "--user" | "--proxy-user" | "-a" | "--auth" => split(words.get(at + 1)?),
                joined => {
                    let head =
                        ["--user=", "--proxy-user=", "-u"].iter().find(|head| joined.starts_with(**head))?;
                    split(&behind(&words[at], head.len()))
                }
            })
            .collect(),
        Takes::P | Takes::Certain | Takes::A => (0..words.len())
            .filter_map(|at| {
                let flag = word(at)?;
                if takes == Takes::A && flag == "-a" || FLAGS.contains(&flag) {
                    let next = words.get(at + 1)?;
                    let skip = if text[next.clone()].starts_with("pass:") { "pass:".len() } else { 0 };
                    return Some(behind(next, skip));
                }
                if flag == "-U" {
                    let next = words.get(at + 1)?;
                    return text[next.clone()].find('%').map(|at| behind(next, at + 1));
                }
                let head = FLAG_HEADS.iter().find(|head| flag.starts_with(**head))?;
                Some(behind(&words[at], head.len()))
            })
            .collect(),
    }
}

/// The passwords among the words of a command.
fn password(text: &str, takes: Takes, words: &[Range<usize>]) -> Vec<Range<usize>> {
    // Arguments of a call can be anything, so a password needs a special character.
    let strength =
        Strength { is_password: takes != Takes::Call, is_sure: !matches!(takes, Takes::Any | Takes::Call) };
    let bare = |span: Range<usize>| {
        let bare = text[span.clone()].trim_matches(['"', '\'', '`', ')', ';', ',']);
        let start = span.start + (bare.as_ptr() as usize - text[span].as_ptr() as usize);
        start..start + bare.len()
    };
    // Only a password can be there, so plain words count, except placeholders of manuals.
    let is_word = |value: &str| {
        let lower = value.to_ascii_lowercase();
        matches!(takes, Takes::Share | Takes::First | Takes::Statement)
            && value.len() >= WORD_BYTES_MIN
            && !is_placeholder(value)
            && value.bytes().all(|byte| byte.is_ascii_lowercase())
            && !["pass", "pwd", "word", "user", "secret", "name"].iter().any(|part| lower.contains(part))
    };
    let is_certain = |span: &Range<usize>| {
        let value = &text[span.clone()];
        let flag = text[..span.start].trim_end_matches(['=', ' ', '"', '\'']);
        (matches!(takes, Takes::Certain | Takes::Share | Takes::First | Takes::Statement)
            || ["--password", "--passphrase"].iter().any(|long| flag.ends_with(long)))
            && value.len() >= CERTAIN_BYTES_MIN
            && !is_placeholder(value)
            && !value.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
            && !value.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
    };
    // Among possible names, mixed-case words with digits are not passwords.
    let is_mixed = |value: &str| {
        let count = |what: fn(&u8) -> bool| value.bytes().filter(what).count();
        takes == Takes::Any
            && value.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && value.starts_with(|c: char| c.is_ascii_alphabetic())
            && count(u8::is_ascii_uppercase) >= 2
            && count(u8::is_ascii_lowercase) >= 2
            && count(u8::is_ascii_digit) >= 2
            && Strength { is_password: true, is_sure: true }.holds(value)
    };
    // Nor are words with inner digits, or after `name:` a word with a number.
    let is_made = |value: &str| match takes {
        Takes::Any => {
            let digits = value.bytes().filter(u8::is_ascii_digit).count();
            let parts: Vec<&str> =
                value.split(|c: char| c.is_ascii_digit()).filter(|part| !part.is_empty()).collect();
            let is_part = |part: &&str| part.len() >= 3 && part.bytes().all(|byte| byte.is_ascii_lowercase());
            digits >= 2 && parts.len() == 2 && parts.iter().all(is_part)
        }
        Takes::User | Takes::Word => is_word_with_number(value) || is_small_word_with_number(value),
        _ => false,
    };
    let holds = |span: &Range<usize>| {
        let value = &text[span.clone()];
        strength.holds(value) || is_mixed(value) || is_certain(span) || is_word(value) || is_made(value)
    };
    candidates(text, takes, words).into_iter().map(bare).filter(holds).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_found_where_its_program_takes_it() {
        let password = format!("Zebra{}!", 4711);
        for form in [
            "curl -u ana:@ https://e.example",
            "curl --user \"ana:@\" https://e.example",
            "mysql -u root -p@ shop",
            "docker login -u ana -p @ r.example",
            "7z x a.7z -p@",
            "redis-cli -h r.example -a @",
            "echo '@' | sudo -S true",
            "echo \"pi:@\" | chpasswd",
            "curl -uana:@ https://e.example",
            "curl https://e.example \\\n  -u ana:@",
            "cqlsh db -u ana -p @",
            "smbclient //nas/x -U ana%@",
            "printf '%s\\n' '@' | sudo -S true",
            "sudo -S true <<< '@'",
            "net user ana @ /add",
            "xfreerdp /u:ana /p:@ /v:h",
            "nmcli dev wifi connect \"x\" password \"@\"",
            "ssh ana:@@host.example",
            "export HTTP_PROXY=ana:@@proxy.example:3128",
            "jdbc:oracle:thin:ana/@@db.example:1521/x",
            "sqlplus system/@@//db:1521/ORCL",
            "connect system/@@orcl as sysdba",
            "bundle config gems.example.org ana:@",
            "CREATE USER ana IDENTIFIED BY '@';",
        ] {
            let text = form.replacen('@', &password, 1);
            let found: Vec<&str> = find(&text).into_iter().map(|span| &text[span]).collect();
            assert_eq!(found, [password.as_str()], "{text}");
        }
        for none in [
            "scp notes-v2.md ana@host.example:docs/Old@2024",
            "curl -u user:password https://e.example",
            "mkdir -p Some/Dir2-x",
            "mysql -p shop",
            "curl -u $USER:$PASS x",
            "connect to https://db.example/v2@2024",
            "bundle config build.nokogiri --use-system-libraries",
        ] {
            assert!(find(none).is_empty(), "{none}");
        }
    }

    #[test]
    fn where_only_a_password_can_be_it_may_be_a_word() {
        for (command, word) in [
            ("mysqldump --password=SunFlower db", "SunFlower"),
            ("mysql --password 'SunFlower' db", "SunFlower"),
            ("CREATE USER ana IDENTIFIED BY 'gartenzaun';", "gartenzaun"),
        ] {
            let found: Vec<&str> = find(command).into_iter().map(|span| &command[span]).collect();
            assert_eq!(found, [word], "{command}");
        }
        for none in [
            "mysqldump --password=PASSWORD db",
            "mysqldump --password=secret db",
            "CREATE USER ana IDENTIFIED BY 'password';",
            "CREATE USER ana IDENTIFIED BY 'your_password';",
            "a book identified by Longfellow",
            "Species are identified by 'colour'.",
            "EACH ROW IS IDENTIFIED BY 'customer id'.",
        ] {
            assert!(find(none).is_empty(), "{none}");
        }
    }

    #[test]
    fn the_password_of_a_share_may_be_a_word() {
        for password in ["Winter56", "kestrel91", "summerrain"] {
            for form in [
                r"net use Z: \\nas\share /user:ana @",
                r"net use \\nas\share @ /user:ana",
                r"net use Z: \\nas\share /USER:CORP\ana @ /persistent:yes",
            ] {
                let text = form.replace('@', password);
                let found: Vec<&str> = find(&text).into_iter().map(|span| &text[span]).collect();
                assert_eq!(found, [password], "{text}");
            }
        }
        for none in [
            r"net use Z: \\nas\share /user:ana yourpassword",
            r"net use Z: \\nas\share /user:ana password",
            r"net use Z: \\nas\share /user:ana *",
            r"net use Z: \\nas\share /persistent:yes",
        ] {
            assert!(find(none).is_empty(), "{none}");
        }
    }
}
