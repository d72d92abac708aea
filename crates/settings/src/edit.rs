//! Changes one value of a config file, and nothing else in it.
//!
//! Comments, order and spacing are kept. The file is replaced atomically.

use std::fs::File;
use std::path::Path;

use inwit_home::own;
use inwit_model::Code;
use toml_edit::{DocumentMut, Item, Table, value};

use super::table::{Kind, Setting};
use inwit_home::HomeError;

/// Writes `text` as the value of `row` into the file at `path`, making the file if need be.
pub fn set(path: &Path, row: &Setting, text: &str) -> Result<(), HomeError> {
    row.judge(text).map_err(|why| HomeError::new(Code::SettingBad, format!("{why}.")))?;
    let item = match row.kind {
        Kind::Count(..) => value(text.parse::<i64>().unwrap_or_default()),
        Kind::Flag => value(super::table::flag(text) == Some(true)),
        _ => value(text),
    };
    let _alone = alone(path);
    let mut file = Editable::read(path, "")?;
    file.put(row.key, item);
    file.write(path)
}

/// Keeps other changes of the file out until the result is dropped, where the file system has locks. The folder is locked,
/// so nothing is left beside the file.
pub fn alone(path: &Path) -> Option<File> {
    let folder = path.parent()?;
    own::make_folder(folder).ok()?;
    let folder = File::open(folder).ok()?;
    folder.lock().ok().map(|()| folder)
}

/// Removes the value of `row` from the file at `path`, and returns whether it was set there. A table that is left empty
/// goes too.
pub fn unset(path: &Path, row: &Setting) -> Result<bool, HomeError> {
    let _alone = alone(path);
    let mut file = Editable::read(path, "")?;
    let was_set = match row.key.split_once('.') {
        None => file.document.remove(row.key).is_some(),
        Some((table, key)) => {
            let home = file.document.get_mut(table).and_then(Item::as_table_like_mut);
            let (was_set, is_empty) =
                home.map_or((false, false), |home| (home.remove(key).is_some(), home.is_empty()));
            if was_set && is_empty {
                file.document.remove(table);
            }
            was_set
        }
    };
    if was_set {
        file.write(path)?;
    }
    Ok(was_set)
}

/// A config file as it is written, to be changed here and there.
pub struct Editable {
    /// Comments of a file that says nothing yet; the parser would hold them for its end.
    head: String,
    /// What it says.
    pub document: DocumentMut,
}

/// Begins the file of an agent that has none.
pub const AGENT_HEAD: &str = "# An agent of inwit. `inwit config list` shows every setting.\n";

impl Editable {
    /// Reads the file at `path`, or begins with `head` where there is none.
    pub fn read(path: &Path, head: &str) -> Result<Self, HomeError> {
        let text = own::read(path)?.unwrap_or_else(|| head.to_owned());
        let document: DocumentMut = text.parse().map_err(|error| {
            HomeError::new(Code::SettingBad, format!("{} is not valid TOML: {error}.", path.display()))
                .hint("Repair that line with an editor, or remove the file.")
        })?;
        if document.is_empty() {
            return Ok(Self { head: text, document: DocumentMut::new() });
        }
        Ok(Self { head: String::new(), document })
    }

    /// Sets `key`, such as `search.limit`. A value in place of its table is not a setting and is removed.
    fn put(&mut self, key: &str, item: Item) {
        let Some((table, key)) = key.split_once('.') else {
            self.document[key] = item;
            return;
        };
        if self.document.get(table).is_some_and(|item| !item.is_table_like()) {
            self.document.remove(table);
        }
        let home = self.document.entry(table).or_insert(Item::Table(Table::new()));
        if let Some(home) = home.as_table_like_mut() {
            home.insert(key, item);
        }
    }

    /// Replaces the file at `path`.
    pub fn write(&self, path: &Path) -> Result<(), HomeError> {
        let end = if self.head.is_empty() || self.head.ends_with('\n') { "" } else { "\n" };
        own::write(path, format!("{}{end}{}", self.head, self.document).as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_value_changes_and_comments_stay() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("inwit/config.toml");
        own::write(&path, b"# mine\nprofile = \"nexo\"   # because\n\n[load]\nmax_file_chars = 900\n")
            .expect("written");
        let row = |key: &str| Setting::named(key).expect("a row");
        set(&path, row("load.max_file_chars"), "1000").expect("set");
        set(&path, row("search.limit"), "5").expect("set");
        let after = std::fs::read_to_string(&path).expect("read");
        assert_eq!(
            after,
            "# mine\nprofile = \"nexo\"   # because\n\n[load]\nmax_file_chars = 1000\n\n[search]\nlimit = 5\n"
        );
        assert!(set(&path, row("search.limit"), "none").is_err());
    }

    #[test]
    fn one_value_is_removed_and_the_rest_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("config.toml");
        let text = "# mine\nprofile = \"nexo\"   # because\n\n[load]\nmax_file_chars = 900\n";
        own::write(&path, text.as_bytes()).expect("written");
        let row = |key: &str| Setting::named(key).expect("a row");
        assert!(!unset(&path, row("search.limit")).expect("read"));
        assert_eq!(own::read(&path).expect("read").as_deref(), Some(text));
        assert!(unset(&path, row("load.max_file_chars")).expect("removed"));
        assert_eq!(
            own::read(&path).expect("read").as_deref(),
            Some("# mine\nprofile = \"nexo\"   # because\n")
        );
        assert!(unset(&path, row("profile")).expect("removed"));
        assert!(!unset(&folder.path().join("none.toml"), row("profile")).expect("no file"));
    }

    #[test]
    fn comments_of_a_file_without_values_stay_at_its_top() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("config.toml");
        own::write(&path, b"# mine").expect("written");
        set(&path, Setting::named("profile").expect("a row"), "nexo").expect("set");
        assert_eq!(own::read(&path).expect("read").as_deref(), Some("# mine\nprofile = \"nexo\"\n"));
    }

    #[test]
    fn a_value_where_a_table_belongs_gives_way() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("config.toml");
        own::write(&path, b"search = 5\n").expect("written");
        set(&path, Setting::named("search.limit").expect("a row"), "5").expect("set");
        assert_eq!(own::read(&path).expect("read").as_deref(), Some("[search]\nlimit = 5\n"));
    }
}
