//! The folder of a project: the repository root of a host's working folder, else that folder.
//!
//! A worktree belongs to its main repository. Only git's link files are read, and git is not run: a cloned repository
//! must not choose whose memory it sees (D19). Invariant: an unreadable path is a separate project.

use std::fs;
use std::path::{Path, PathBuf};

use inwit_engine::core::project::ProjectFolder;
use inwit_home::OpenAgent;
use inwit_model::ProjectName;

/// Most parent folders that are checked.
const STEPS_MAX: usize = 64;

/// Largest `.git` file of a worktree that is read, in bytes.
const LINK_BYTES_MAX: u64 = 8 * 1024;

/// The project folder of `cwd`, as a host reports it. One without a usable name, such as `/`, is named by its path:
/// text without a project would be shown in all.
pub fn of(cwd: &Path) -> ProjectFolder {
    let folder = cwd.canonicalize().unwrap_or_else(|_| cwd.to_owned());
    // A relative path, or one of another system, does not refer to this process's folder.
    let root = folder.is_absolute().then(|| folder.ancestors().take(STEPS_MAX).find_map(repository));
    let root = root.flatten().unwrap_or(folder);
    let mut path = root.to_string_lossy().into_owned();
    if root.to_str().is_none() {
        // Two paths that are not UTF-8 may look the same.
        path = format!("{path} ({})", ProjectName::of_path(root.as_os_str().as_encoded_bytes()));
    }
    let title = root.file_name().unwrap_or_default().to_string_lossy();
    let title = title.rsplit('\\').next().unwrap_or_default();
    let name = ProjectName::plain_of(title).unwrap_or_else(|| ProjectName::of_path(path.as_bytes()));
    ProjectFolder { path, name }
}

/// The project of the current folder, created if new: an agent's request there belongs to it.
pub fn here(opened: &OpenAgent) -> Option<ProjectName> {
    opened.agent.core.project(&of(&crate::current_folder())).ok()
}

/// The repository root if `folder` is a top folder: for a worktree the main one.
fn repository(folder: &Path) -> Option<PathBuf> {
    let git = folder.join(".git");
    let found = fs::symlink_metadata(&git).ok()?;
    if !found.is_file() {
        return found.is_dir().then(|| folder.to_owned());
    }
    let own = Some(folder.to_owned());
    if found.len() > LINK_BYTES_MAX {
        return own;
    }
    // `gitdir: /repo/.git/worktrees/name` is a worktree; a submodule has `…/modules/…` and is a separate project.
    let text = fs::read_to_string(&git).unwrap_or_default();
    let Some(place) = text.strip_prefix("gitdir:").map(|path| folder.join(path.trim())) else { return own };
    let main =
        place.parent().filter(|up| up.ends_with("worktrees")).and_then(Path::parent).and_then(Path::parent);
    let main = main.filter(|main| {
        // The main repository must list the worktree: a file in a cloned folder proves nothing.
        let back = fs::read_to_string(place.join("gitdir")).unwrap_or_default();
        main.join(".git").is_dir() && Path::new(back.trim()).parent() == Some(folder)
    });
    main.and_then(|main| main.canonicalize().ok()).or(own)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn write(path: &Path, text: &str) {
        let mut file = fs::File::create(path).expect("made");
        file.write_all(text.as_bytes()).expect("written");
    }

    fn folder(root: &Path, path: &str) -> PathBuf {
        let folder = root.join(path);
        fs::create_dir_all(&folder).expect("made");
        folder
    }

    fn name(cwd: &Path) -> String {
        of(cwd).name.to_string()
    }

    #[test]
    fn a_project_is_the_repository_around_a_folder() {
        let root = tempfile::tempdir().expect("a folder");
        let root = root.path();
        folder(root, "shop/.git");
        assert_eq!(name(&folder(root, "shop/src/lib")), "shop");
        assert_eq!(name(&folder(root, "notes")), "notes");
        for nameless in ["/", "", "\u{3000}"] {
            assert!(name(Path::new(nameless)).starts_with("folder-"), "{nameless:?}");
        }
        assert_eq!(name(Path::new(r"C:\work\shop")), "shop");
    }

    #[test]
    fn a_worktree_is_the_project_of_its_repository_and_a_claim_is_not() {
        let root = tempfile::tempdir().expect("a folder");
        let root = &root.path().canonicalize().expect("a path");
        folder(root, "shop/.git");
        let inside = folder(root, "shop/.git/worktrees/fix");
        let tree = folder(root, "shop-fix");
        write(&tree.join(".git"), &format!("gitdir: {}\n", inside.display()));
        write(&inside.join("gitdir"), &format!("{}\n", tree.join(".git").display()));
        assert_eq!(name(&tree), "shop");
        let claim = folder(root, "cloned");
        write(&claim.join(".git"), &format!("gitdir: {}\n", inside.display()));
        assert_eq!(name(&claim), "cloned");
    }
}
