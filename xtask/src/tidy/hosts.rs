//! The repository must not name the machine it was written on.
//!
//! Found are absolute paths of a working place, hosts that only one network knows, and package
//! registries other than the public one. Samples may speak of people's folders, by these names only.

use super::Finding;
use crate::tree::Tree;

/// Beginnings of paths that only one machine has. Written in pieces, or this file would be found.
const PLACES: &[&str] =
    &[concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/bu", "ilds/"), concat!("/work", "spaces/")];

/// Folders of people, below which samples may name these.
const HOMES: &[&str] = &[concat!("/ho", "me/"), concat!("/Us", "ers/")];
const SAMPLE_PEOPLE: &[&str] = &["ana", "kate", "wren", "you"];

/// Parts of host names that indicate a private registry or network.
const HOST_PARTS: &[&str] = &["registry", "mirror", "artifactory", "proxy", "index"];
const HOST_ENDINGS: &[&str] = &[".internal", ".local", ".lan", ".corp", ".intranet"];
const HOSTS_KNOWN: &[&str] = &["index.crates.io"];

/// Samples of how people write credentials down: their hosts are invented.
const SAMPLES: &str = "testdata/secret-shapes-";

/// The registry that a lock file may name.
const PUBLIC_REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Finds traces of one machine or one network.
pub fn check(tree: &Tree) -> Result<Vec<Finding>, String> {
    let mut findings = Vec::new();
    for (path, text) in tree.files() {
        for (at, line) in text.lines().enumerate() {
            let mut say = |says: String| findings.push(Finding::line(path, at + 1, says));
            if let Some(found) = machine_path(line) {
                say(format!("`{found}` is a path of one machine."));
            }
            if let Some(host) = private_host(line).filter(|_| !path.contains(SAMPLES)) {
                say(format!("`{host}` is a host of one network."));
            }
            if path.ends_with("Cargo.lock")
                && line.starts_with("source = ")
                && !line.contains(PUBLIC_REGISTRY)
            {
                say("A package comes from another place than the public registry.".to_owned());
            }
            if path.ends_with(".cargo/config.toml")
                && (line.contains("replace-with") || line.starts_with("[sou"))
            {
                say("Where packages come from is set outside the repository.".to_owned());
            }
        }
    }
    Ok(findings)
}

fn machine_path(line: &str) -> Option<&str> {
    let places = PLACES.iter().find_map(|place| starts(line, place).next());
    places.or_else(|| {
        HOMES.iter().find_map(|home| {
            starts(line, home).find(|path| {
                let person = path[home.len()..].split(['/', '`', '"', ' ', ')']).next().unwrap_or_default();
                !person.is_empty() && !person.starts_with(['<', '{', '$']) && !SAMPLE_PEOPLE.contains(&person)
            })
        })
    })
}

/// Where `start` begins a path: no other path or word stands before it.
fn starts<'l>(line: &'l str, start: &str) -> impl Iterator<Item = &'l str> {
    line.match_indices(start).filter_map(|(at, _)| {
        let before = line[..at].chars().next_back();
        let begins = before
            .is_none_or(|c| !(c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '~' | '-' | '}' | '…')));
        begins.then(|| line[at..].split([' ', '`', '"', ')', ',']).next().unwrap_or_default())
    })
}

fn private_host(line: &str) -> Option<&str> {
    let hosts = line
        .split("://")
        .skip(1)
        .map(|rest| rest.split(['/', ':', '`', '"', ' ', ')']).next().unwrap_or_default());
    hosts.into_iter().find(|host| {
        let part = host.split(['.', '-']).any(|part| HOST_PARTS.contains(&part));
        let ending = HOST_ENDINGS.iter().any(|ending| host.ends_with(ending));
        (part || ending) && !HOSTS_KNOWN.contains(host)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::planted;

    fn found(path: &str, line: &str) -> usize {
        let (_folder, tree) = planted(&[(path, line)]);
        check(&tree).expect("checked").len()
    }

    #[test]
    fn a_path_of_one_machine_is_found_in_any_text() {
        for place in PLACES {
            assert_eq!(found("docs/a.md", &format!("see `{place}notes`")), 1, "{place}");
            assert_eq!(found("docs/a.md", &format!("see docs{place}notes")), 0, "{place} inside a path");
        }
        let home = HOMES[0];
        assert_eq!(found("a.rs", &format!("open(\"{home}somebody/x\")")), 1);
        assert_eq!(found("README.md", &format!("at {home}ana/notes")), 0);
    }

    #[test]
    fn a_registry_or_host_of_one_network_is_found() {
        let (scheme, source) = ("https:", concat!("source = ", "\"registry+"));
        assert_eq!(found("Makefile", &format!("curl {scheme}//mirror.example.com/x")), 1);
        assert_eq!(found("a.toml", &format!("{scheme}//git.corp.example")), 0);
        assert_eq!(found("a.toml", &format!("{scheme}//git.corp")), 1);
        assert_eq!(found("a.md", &format!("{scheme}//github.com/inwit/inwit")), 0);
        assert_eq!(found("Cargo.lock", &format!("{source}{scheme}//example.com/crates\"")), 1);
        assert_eq!(found(".cargo/config.toml", "[source.crates-io]"), 1);
    }
}
