//! Passwords on command lines: `curl -u user:…`, `mysql -p…`, `echo '…' | sudo -S`.
//!
//! A flag means a password only behind the program that reads it so. Invariants: one pass for the programs; a command
//! is read to the end of its line and no further.

use std::ops::Range;
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, MatchKind};

use super::check::strength::Strength;

/// Where a program takes its password.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Takes {
    /// `-u user:password`, `--user user:password`.
    User,
    /// `-ppassword`, `-p password`, `--password=password`.
    P,
    /// `-a password`.
    A,
    /// A word of its own behind `password`.
    Word,
    /// What is echoed into it.
    Stdin,
}

const PROGRAMS: &[(&str, Takes)] = &[
    ("curl ", Takes::User),
    ("http ", Takes::User),
    ("wget ", Takes::P),
    ("mysql ", Takes::P),
    ("mysqldump ", Takes::P),
    ("mysqladmin ", Takes::P),
    ("mariadb ", Takes::P),
    ("mongo ", Takes::P),
    ("mongosh ", Takes::P),
    ("docker login", Takes::P),
    ("podman login", Takes::P),
    ("helm registry login", Takes::P),
    ("sshpass ", Takes::P),
    ("7z ", Takes::P),
    ("7za ", Takes::P),
    ("unrar ", Takes::P),
    ("rar ", Takes::P),
    ("zip ", Takes::P),
    ("unzip ", Takes::P),
    ("redis-cli ", Takes::A),
    ("nmcli ", Takes::Word),
    ("chpasswd", Takes::Stdin),
    ("sudo -S", Takes::Stdin),
];

/// Most bytes of a command line that are read.
const COMMAND_BYTES_MAX: usize = 400;

/// Most names of programs in one text that are looked at closely. What stands behind the last of them counts as one value.
const COMMANDS_MAX: usize = 50_000;

/// Where passwords stand on command lines of `text`.
pub fn find(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let Some(programs) = programs() else { return found };
    for (count, hit) in programs.find_iter(text.as_bytes()).enumerate() {
        if count == COMMANDS_MAX {
            found.push(hit.start()..text.len());
            break;
        }
        let bytes = text.as_bytes();
        let begins = hit.start() == 0 || !bytes[hit.start() - 1].is_ascii_alphanumeric();
        let (_, takes) = PROGRAMS[hit.pattern().as_usize()];
        if !begins {
            continue;
        }
        let words = match takes {
            Takes::Stdin => {
                let from = text.ceil_char_boundary(hit.start().saturating_sub(COMMAND_BYTES_MAX));
                words(text, text[from..hit.start()].rfind('\n').map_or(from, |at| from + at + 1), hit.start())
            }
            _ => {
                let to = text.floor_char_boundary(hit.end() + COMMAND_BYTES_MAX);
                words(text, hit.end(), text[hit.end()..to].find('\n').map_or(to, |at| hit.end() + at))
            }
        };
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

/// The words between two bytes, without their quotes.
fn words(text: &str, start: usize, end: usize) -> Vec<Range<usize>> {
    let end = end.min(text.floor_char_boundary(start + COMMAND_BYTES_MAX));
    let mut words = Vec::new();
    let mut at = start;
    while let Some(offset) = text[at..end].find(|c: char| !c.is_whitespace()) {
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

fn password(text: &str, takes: Takes, words: &[Range<usize>]) -> Option<Range<usize>> {
    let word = |at: usize| words.get(at).map(|span| &text[span.clone()]);
    let behind = |span: &Range<usize>, skip: usize| span.start + skip..span.end;
    let split = |span: &Range<usize>| text[span.clone()].find(':').map(|at| behind(span, at + 1));
    let candidates: Vec<Range<usize>> = match takes {
        Takes::Stdin => {
            let echoed = words.iter().skip_while(|span| !text[(*span).clone()].ends_with("echo")).skip(1);
            echoed.take(2).map(|span| split(span).unwrap_or_else(|| span.clone())).collect()
        }
        Takes::Word => (1..words.len())
            .filter(|at| word(at - 1).is_some_and(|word| matches!(word, "password" | "wifi-sec.psk" | "psk")))
            .map(|at| words[at].clone())
            .collect(),
        Takes::User => (0..words.len())
            .filter_map(|at| match word(at)? {
                "-u" | "--user" | "--proxy-user" | "-a" | "--auth" => split(words.get(at + 1)?),
                _ => None,
            })
            .collect(),
        Takes::P | Takes::A => (0..words.len())
            .filter_map(|at| {
                let flag = word(at)?;
                let short = if takes == Takes::A { "-a" } else { "-p" };
                match flag {
                    _ if flag == short => words.get(at + 1).cloned(),
                    "-P" | "--password" | "--passphrase" => words.get(at + 1).cloned(),
                    _ => {
                        let long = ["--password=", "--passphrase=", "--http-password=", short];
                        let head = long.iter().find(|head| flag.starts_with(**head))?;
                        Some(behind(&words[at], head.len()))
                    }
                }
            })
            .collect(),
    };
    candidates.into_iter().find_map(|span| {
        let bare = text[span.clone()].trim_matches(['"', '\'', '`']);
        let start = span.start + (bare.as_ptr() as usize - text[span].as_ptr() as usize);
        Strength { is_password: true, is_sure: true }.holds(bare).then_some(start..start + bare.len())
    })
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
            "nmcli dev wifi connect \"x\" password \"@\"",
        ] {
            let text = form.replace('@', &password);
            let found: Vec<&str> = find(&text).into_iter().map(|span| &text[span]).collect();
            assert_eq!(found, [password.as_str()], "{text}");
        }
        for none in [
            "curl -u user:password https://e.example",
            "mkdir -p Some/Dir2-x",
            "mysql -p shop",
            "curl -u $USER:$PASS x",
        ] {
            assert!(find(none).is_empty(), "{none}");
        }
    }
}
