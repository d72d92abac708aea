//! Changing one value of a config file, and nothing else in it.
//!
//! Comments, order and spacing of the file stay as they are. The file is replaced whole: a reader
//! sees the old one or the new one.

use std::io::Write as _;
use std::path::Path;

use inwit_model::Code;
use toml_edit::{DocumentMut, Item, Table, value};

use super::table::{Kind, Setting};
use crate::error::CliError;

/// Writes `text` as the value of `row` into the file at `path`, making the file if need be.
pub fn set(path: &Path, row: &Setting, text: &str) -> Result<(), CliError> {
    row.judge(text).map_err(|why| CliError::new(Code::SettingBad, format!("{why}.")))?;
    let failed = |error: &dyn std::fmt::Display| {
        CliError::new(Code::WriteFailed, format!("{} cannot be written: {error}.", path.display()))
    };
    let before = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(failed(&error)),
    };
    let mut document: DocumentMut = before.parse().map_err(|error| {
        CliError::new(Code::SettingBad, format!("{} is not TOML: {error}.", path.display()))
    })?;
    let item = match row.kind {
        Kind::Count(..) => value(text.parse::<i64>().unwrap_or_default()),
        Kind::Flag => value(text == "true"),
        _ => value(text),
    };
    put(&mut document, row.key, item)
        .map_err(|why| CliError::new(Code::SettingBad, format!("{}: {why}.", path.display())))?;
    write(path, document.to_string().as_bytes()).map_err(|error| failed(&error))
}

fn put(document: &mut DocumentMut, key: &str, item: Item) -> Result<(), String> {
    let Some((table, key)) = key.split_once('.') else {
        document[key] = item;
        return Ok(());
    };
    let home = document.entry(table).or_insert(Item::Table(Table::new()));
    let home = home.as_table_like_mut().ok_or_else(|| format!("`{table}` is not a table"))?;
    home.insert(key, item);
    Ok(())
}

/// Replaces or makes a small file of our own, on disk when it returns.
pub fn write(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    std::fs::File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_value_changes_and_comments_stay() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("inwit/config.toml");
        write(&path, b"# mine\nprofile = \"nexo\"   # because\n\n[load]\nmax_file_chars = 900\n")
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
}
