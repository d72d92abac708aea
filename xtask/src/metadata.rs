//! The crates of the workspace and what they depend on, as cargo sees them.

use std::path::Path;

use serde_json::Value;

/// One crate of the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Package {
    /// Its name without `inwit-`.
    pub name: String,
    /// Its manifest, from the root of the repository.
    pub manifest: String,
    /// What it needs to run or to be built, names as in the manifest.
    pub normal: Vec<String>,
    /// What only its tests need.
    pub dev: Vec<String>,
}

/// Asks cargo about the workspace at `root`. Needs no network and no lock file.
pub fn packages(root: &Path) -> Result<Vec<Package>, String> {
    let words = ["metadata", "--no-deps", "--offline", "--format-version", "1"];
    let all: Value = serde_json::from_str(&crate::program::output(root, &words)?)
        .map_err(|error| format!("cargo metadata: {error}"))?;
    let folder = format!("{}/", all["workspace_root"].as_str().unwrap_or_default());
    let rows = all["packages"].as_array().ok_or("cargo metadata names no packages")?;
    let mut packages: Vec<Package> = rows.iter().map(|row| package(row, &folder)).collect();
    packages.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(packages)
}

fn package(row: &Value, folder: &str) -> Package {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let dependencies = row["dependencies"].as_array().cloned().unwrap_or_default();
    let named = |dev: bool| {
        let of_kind = dependencies.iter().filter(|row| (row["kind"] == "dev") == dev);
        of_kind.map(|row| text(&row["name"])).collect()
    };
    let name = plain(&text(&row["name"])).to_owned();
    let manifest = text(&row["manifest_path"]).trim_start_matches(folder).to_owned();
    Package { name, manifest, normal: named(false), dev: named(true) }
}

/// The name of one of our crates as people say it.
pub fn plain(name: &str) -> &str {
    name.strip_prefix("inwit-").unwrap_or(name)
}

/// Whether a dependency of this name is one of ours.
pub fn is_ours(name: &str) -> bool {
    name.starts_with("inwit-") || name == "xtask"
}
