//! A source that no `mod` names is never compiled, and its tests never run: the quietest way to lose one.
//!
//! Integration tests of a crate are one binary, `tests/it/main.rs`, since each binary is linked again.

use super::Finding;
use crate::tree::Tree;

/// Finds sources that belong to no crate, and second test binaries.
pub fn check(tree: &Tree) -> Result<Vec<Finding>, String> {
    Ok(tree.sources().filter_map(|(path, _)| judge(tree, path)).collect())
}

fn judge(tree: &Tree, path: &str) -> Option<Finding> {
    if let Some((before, after)) = path.split_once("/tests/") {
        if !after.contains('/') {
            let says =
                format!("Tests of a crate are one binary: move it to {before}/tests/it/ and name it there.");
            return Some(Finding::file(path, says));
        }
        let (home, below) = after.split_once('/')?;
        return unnamed(tree, path, &format!("{before}/tests/{home}"), below);
    }
    let (before, below) = path.split_once("/src/")?;
    if below.starts_with("bin/") { None } else { unnamed(tree, path, &format!("{before}/src"), below) }
}

/// A finding where the parent module of `home/below` does not say `mod …;`.
fn unnamed(tree: &Tree, path: &str, home: &str, below: &str) -> Option<Finding> {
    if matches!(below, "lib.rs" | "main.rs") {
        return None;
    }
    let module = below.strip_suffix("/mod.rs").or_else(|| below.strip_suffix(".rs"))?;
    let (parents, name) = match module.rsplit_once('/') {
        Some((folder, name)) => {
            (vec![format!("{home}/{folder}.rs"), format!("{home}/{folder}/mod.rs")], name)
        }
        None => (vec![format!("{home}/lib.rs"), format!("{home}/main.rs")], module),
    };
    let line = format!("mod {name};");
    let names = |text: &str| {
        text.lines()
            .any(|row| row.trim().trim_start_matches("pub ").trim_start_matches("pub(crate) ") == line)
    };
    let named = parents.iter().filter_map(|parent| tree.text(parent)).any(names);
    (!named).then(|| Finding::file(path, format!("No module says `{line}`, so this file is never compiled.")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::planted;

    #[test]
    fn a_file_that_no_module_names_is_found() {
        let (_folder, tree) = planted(&[
            ("crates/a/src/lib.rs", "pub mod view;\n// mod lost;\n"),
            ("crates/a/src/view.rs", "pub(crate) mod shared;\n"),
            ("crates/a/src/view/shared.rs", ""),
            ("crates/a/src/view/lost.rs", ""),
            ("crates/a/tests/it/main.rs", "mod reading;\n"),
            ("crates/a/tests/it/reading.rs", ""),
            ("crates/a/tests/it/writing.rs", ""),
            ("crates/a/tests/second.rs", ""),
            ("xtask/src/main.rs", "mod tidy;\n"),
            ("xtask/src/tidy/mod.rs", ""),
        ]);
        let at: Vec<String> = check(&tree).expect("checked").into_iter().map(|finding| finding.at).collect();
        let wanted =
            ["crates/a/src/view/lost.rs", "crates/a/tests/it/writing.rs", "crates/a/tests/second.rs"];
        assert_eq!(at, wanted);
    }
}
