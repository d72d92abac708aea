//! Who may depend on whom. ARCHITECTURE.md gives the reasons; these rows are the law.
//!
//! Only dependencies of the product count: tests may use more. Invariant: a crate without a row is a finding.

use super::Finding;
use crate::metadata::{self, Package};
use crate::tree::Tree;

/// Every crate with those of our crates that it may depend on.
const LAYERS: &[(&str, &[&str])] = &[
    ("model", &[]),
    ("markdown", &[]),
    ("gate", &["model", "markdown"]),
    ("workspace", &["model", "markdown", "gate"]),
    ("store", &["model", "gate"]),
    ("vector", &[]),
    ("store-sqlite", &["model", "gate", "store", "vector"]),
    ("recall", &["model", "markdown", "store", "vector"]),
    ("learn", &["model"]),
    ("embed", &["model", "vector"]),
    ("outbound", &[]),
    ("remote", &["model", "outbound"]),
    ("llm", &["model", "outbound"]),
    ("engine", &["model", "markdown", "gate", "workspace", "store", "recall", "learn"]),
    ("wire", &["model", "engine"]),
    ("mcp", &["model", "engine", "wire"]),
    ("chat", &["model", "engine"]),
    ("http", &["model", "gate", "engine", "home", "wire"]),
    (
        "home",
        &[
            "model", "gate", "workspace", "store", "store-sqlite", "embed", "outbound", "remote", "llm",
            "engine",
        ],
    ),
    ("settings", &["model", "gate", "workspace", "outbound", "llm", "engine", "home"]),
    // Measures what the binary does; only `inwit bench` and the yardstick beside it need it.
    ("bench-suites", &["model", "engine", "home"]),
    (
        "cli",
        &[
            "model", "markdown", "gate", "workspace", "store", "store-sqlite", "vector", "recall",
            "outbound", "llm", "engine", "home", "settings", "wire", "mcp", "chat", "http", "bench-suites",
        ],
    ),
    (
        "testkit",
        &[
            "model", "markdown", "gate", "workspace", "store", "store-sqlite", "recall", "outbound",
            "engine", "wire", "cli",
        ],
    ),
    (
        "bench",
        &[
            "model", "gate", "workspace", "store", "store-sqlite", "vector", "embed", "engine", "home",
            "bench-suites", "settings", "testkit", "soak",
        ],
    ),
    // Campaigns are tests that grew too long for a push: what tests may use, they may.
    (
        "soak",
        &[
            "model", "gate", "workspace", "store", "store-sqlite", "engine", "home", "settings", "wire",
            "mcp", "http", "cli", "testkit",
        ],
    ),
    ("xtask", &["model", "workspace", "engine", "settings", "wire", "cli"]),
];

/// Libraries that have one home, because what they do has one home.
const HOMES: &[(&str, &[&str], &str)] = &[
    ("rusqlite", &["store-sqlite", "bench"], "SQL is spoken by backends, and by the yardstick beside them"),
    (
        "rustix",
        &["workspace", "soak", "testkit"],
        "one crate touches an agent's files, and campaigns and tests stop and kill processes of their own",
    ),
    ("similar", &["workspace"], "what differs is told in one way, with git and without"),
    ("pulldown-cmark", &["markdown"], "one crate reads Markdown"),
    ("serde-saphyr", &["markdown"], "front matter is read in one place"),
    ("gemm-f32", &["vector"], "one crate says `unsafe`, and keeps it behind functions that are not"),
    ("gemm-common", &["vector"], "one crate says `unsafe`, and keeps it behind functions that are not"),
    ("memmap2", &["vector"], "one crate says `unsafe`, and keeps it behind functions that are not"),
    ("rust-stemmers", &["recall"], "words are analysed in one place"),
    (
        "toml_edit",
        &["settings", "cli"],
        "config files are changed where settings are, and agent files where they are made",
    ),
    ("tokenizers", &["embed"], "one crate reads the files of a model"),
    ("tiktoken-rs", &["home"], "counting tokens is a port, filled where an agent is put together"),
    ("rmcp", &["mcp"], "one interface speaks MCP"),
    ("tokio", &["mcp", "http"], "the core is synchronous; async ends where a protocol begins (D16)"),
    ("axum", &["http"], "one interface speaks HTTP"),
    ("hyper", &["http"], "one interface speaks HTTP"),
    ("tower-http", &["http"], "one interface speaks HTTP"),
    ("listenfd", &["http"], "the service manager passes sockets to the server"),
    ("sd-notify", &["http"], "the service manager hears from the server"),
    ("prometheus", &["http"], "the server is measured from outside"),
    ("tracing", &["http"], "the server logs; a command prints its messages"),
    ("tracing-subscriber", &["http"], "the server logs; a command prints its messages"),
    ("schemars", &["wire"], "schemas are made where shapes are"),
    ("ureq", &["outbound"], "one crate speaks to other machines"),
    ("rustyline", &["cli"], "lines are edited at the terminal"),
    ("zip", &["home"], "packages are opened where models are installed"),
    ("clap", &["cli", "xtask"], "arguments are read by the composition root"),
    (
        "serde",
        &[
            "markdown", "workspace", "embed", "remote", "home", "wire", "http", "bench-suites", "cli",
            "testkit",
        ],
        "domain types are not serialised",
    ),
    (
        "serde_json",
        &[
            "workspace", "store-sqlite", "embed", "outbound", "remote", "llm", "engine", "home", "wire",
            "mcp", "chat", "http", "bench-suites", "cli", "testkit", "soak", "xtask",
        ],
        "JSON is for interfaces, providers, state files, the files of a model and rows that hold it; domain types are not serialised",
    ),
];

/// Holds the crates against both tables.
pub fn check(tree: &Tree) -> Result<Vec<Finding>, String> {
    Ok(metadata::packages(&tree.root)?.iter().flat_map(judge).collect())
}

fn judge(package: &Package) -> Vec<Finding> {
    let manifest = &package.manifest;
    let Some((_, may)) = LAYERS.iter().find(|(name, _)| *name == package.name) else {
        return vec![Finding::file(manifest, format!("`{}` has no row in LAYERS.", package.name))];
    };
    let mut findings = Vec::new();
    for dependency in &package.normal {
        if metadata::is_ours(dependency) && !may.contains(&metadata::plain(dependency)) {
            findings.push(Finding::file(
                manifest,
                format!("`{}` may not depend on `{dependency}`.", package.name),
            ));
        }
        let home = HOMES.iter().find(|(library, _, _)| library == dependency);
        if let Some((library, homes, why)) = home
            && !homes.contains(&package.name.as_str())
        {
            findings.push(Finding::file(
                manifest,
                format!("`{library}` belongs to {}: {why}.", homes.join(", ")),
            ));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::planted;

    fn manifest(name: &str, rest: &str) -> String {
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n{rest}")
    }

    #[test]
    fn a_dependency_upwards_and_a_crate_without_a_row_are_found() {
        let model = manifest("inwit-model", "[dependencies]\ninwit-wild = { path = \"../wild\" }\n");
        let wild = manifest("inwit-wild", "[dev-dependencies]\ninwit-model = { path = \"../model\" }\n");
        let (_folder, tree) = planted(&[
            ("Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\nresolver = \"3\"\n"),
            ("crates/model/Cargo.toml", &model),
            ("crates/model/src/lib.rs", ""),
            ("crates/wild/Cargo.toml", &wild),
            ("crates/wild/src/lib.rs", ""),
        ]);
        let findings = check(&tree).expect("asked");
        let at: Vec<&str> = findings.iter().map(|finding| finding.at.as_str()).collect();
        assert_eq!(at, ["crates/model/Cargo.toml", "crates/wild/Cargo.toml"]);
        assert_eq!(findings[0].says, "`model` may not depend on `inwit-wild`.");
        assert_eq!(findings[1].says, "`wild` has no row in LAYERS.");
    }

    #[test]
    fn a_library_away_from_its_home_is_found_and_tests_are_free() {
        let engine = Package {
            name: "engine".into(),
            manifest: "crates/engine/Cargo.toml".into(),
            normal: vec!["rustix".into(), "inwit-recall".into()],
            dev: vec!["inwit-store-sqlite".into()],
        };
        let findings = judge(&engine);
        assert_eq!(findings.len(), 1);
        assert_eq!(
            findings[0].says,
            "`rustix` belongs to workspace, soak, testkit: one crate touches an agent's files, and campaigns and tests stop and kill processes of their own."
        );
    }
}
