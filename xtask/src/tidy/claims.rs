//! Checks `/// Proves W53, N11.`: the ids exist, they are few, and a test follows.
//!
//! A test with many claims proves little, so at most four ids are allowed.

use super::Finding;
use crate::tree::Tree;
use crate::{requirement, rust};

/// Most requirements that one test may claim.
const IDS_MAX: usize = 4;

/// Finds claims that cannot be true.
pub fn check(tree: &Tree) -> Result<Vec<Finding>, String> {
    let mut findings = Vec::new();
    for (path, text) in tree.sources() {
        for claim in rust::claims(text) {
            let mut say = |says: String| findings.push(Finding::line(path, claim.line, says));
            for (at, id) in claim.ids.iter().enumerate() {
                if !requirement::exists(id) {
                    say(format!("There is no requirement `{id}`; xtask/requirements.tsv lists them."));
                }
                if claim.ids[..at].contains(id) {
                    say(format!("`{id}` is claimed twice."));
                }
            }
            if claim.ids.len() > IDS_MAX {
                say(format!("{} ids at one test; {IDS_MAX} are the most.", claim.ids.len()));
            }
            if claim.test.is_empty() {
                say("No function stands below this claim.".to_owned());
            }
        }
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::planted;

    #[test]
    fn unknown_doubled_and_too_many_ids_are_found() {
        let says = |claim: &str| {
            let text = format!("//! Why.\n/// Proves {claim}.\n#[test]\nfn it_holds() {{}}\n");
            let (_folder, tree) = planted(&[("crates/a/src/lib.rs", &text)]);
            check(&tree).expect("checked").into_iter().map(|finding| finding.says).collect::<Vec<_>>()
        };
        assert!(says("W53, N11, X2, I1").is_empty());
        assert_eq!(says("W95")[0], "There is no requirement `W95`; xtask/requirements.tsv lists them.");
        assert!(says("N29c").is_empty());
        assert_eq!(says("N29")[0], "There is no requirement `N29`; xtask/requirements.tsv lists them.");
        assert_eq!(says("W1, W1"), ["`W1` is claimed twice."]);
        assert_eq!(says("W1, W2, W3, W4, W5"), ["5 ids at one test; 4 are the most."]);
    }
}
