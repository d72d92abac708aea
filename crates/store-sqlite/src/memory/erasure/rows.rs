//! Tables and rows for an erasure, and which of their values may have user text.
//!
//! Invariant: of an unknown table every text and blob is scanned.

use inwit_model::learning::ROLE_DEFAULT;
use inwit_model::{Category, FactSource};
use inwit_store::memory::{RowFate, Without};
use rusqlite::Connection;
use rusqlite::types::{Value, ValueRef};

use super::super::fault::TxnResult;
use super::{FATES, JSON, JSON_OF_SOMEBODY, NAMES, SURFACES, WORDS, hashes};

/// An ordinary table and its columns.
pub struct Table {
    pub name: String,
    pub columns: Vec<String>,
    /// The columns that tell its rows apart.
    pub keys: Vec<String>,
}

impl Table {
    pub fn fate(&self) -> RowFate {
        FATES.iter().find(|(name, _)| *name == self.name).map_or(RowFate::Rewritten, |(_, fate)| *fate)
    }

    /// Whether a column may hold the words.
    pub fn is_looked_at(&self, column: usize) -> bool {
        let words = WORDS.iter().find(|(name, _)| *name == self.name);
        words.is_none_or(|(_, words)| words.contains(&self.columns[column].as_str()))
    }

    /// Whether a text is inwit's own, such as a category or the name of a search.
    pub fn is_our_word(&self, column: usize, text: &str) -> bool {
        match self.columns[column].as_str() {
            "category" => Category::KNOWN.contains(&text),
            "role" => text == ROLE_DEFAULT,
            "name" if self.name == "roles" => text == ROLE_DEFAULT,
            "surface" => SURFACES.contains(&text),
            "source" => FactSource::parse(text).is_some(),
            "deleted_at" | "created_at" | "updated_at" => is_moment(text),
            "outcome" => hashes::OUTCOMES.iter().any(|begins| text.starts_with(begins)),
            _ => false,
        }
    }

    /// How a column of rows that go is read, beside its bytes.
    pub fn json(&self, column: usize) -> Option<Json> {
        let column = self.columns[column].as_str();
        let kinds = [(JSON, Json::OfOurs), (JSON_OF_SOMEBODY, Json::OfSomebody)];
        let kind = kinds.into_iter().find(|(columns, _)| columns.contains(&column)).map(|(_, kind)| kind);
        kind.filter(|_| self.fate() == RowFate::Goes)
    }

    /// A role's name is user text, and is erased with all its decisions.
    pub fn is_name(&self, column: usize) -> bool {
        self.name != "roles"
            && self.columns.get(column).is_some_and(|column| NAMES.contains(&column.as_str()))
    }
}

/// Whether a text is made of what moments are made of: no letter but those between a day, a time and a zone.
pub fn is_moment(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || matches!(c, '-' | ':' | '.' | '+' | ' ' | 'T' | 'Z'))
}

/// One row: its key, and its texts and blobs by their columns.
pub struct Row {
    pub key: Vec<Value>,
    pub values: Vec<(usize, Value)>,
}

impl Row {
    /// The columns in which the words stand, each with what is left of it.
    pub fn holding(&self, table: &Table, without: &Without<'_>) -> Vec<(usize, Value)> {
        let left = |column: usize, value: &Value| match value {
            Value::Text(text) if table.is_our_word(column, text) => None,
            Value::Text(_) | Value::Blob(_) if let Some(json) = table.json(column) => {
                // The row goes, so nothing of it is left.
                json.holds_words(bytes_of(value), without).then_some(Value::Null)
            }
            Value::Text(text) => {
                without(text.as_bytes()).map(|left| Value::Text(String::from_utf8_lossy(&left).into_owned()))
            }
            Value::Blob(bytes) => without(bytes).map(Value::Blob),
            _ => None,
        };
        self.values.iter().filter_map(|(column, value)| Some((*column, left(*column, value)?))).collect()
    }
}

pub fn bytes_of(value: &Value) -> &[u8] {
    match value {
        Value::Text(text) => text.as_bytes(),
        Value::Blob(bytes) => bytes,
        _ => &[],
    }
}

/// Which parts of a JSON text are user text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Json {
    /// Its texts.
    OfOurs,
    /// All of it.
    OfSomebody,
}

impl Json {
    /// Whether `bytes` contain the text; invalid JSON is searched as it is. It is parsed, since letters may be
    /// escaped; numbers may lose digits, so the raw bytes count too if all of it is user text.
    pub fn holds_words(self, bytes: &[u8], without: &Without<'_>) -> bool {
        let Ok(value) = serde_json::from_slice::<serde_json::Value>(bytes) else {
            return without(bytes).is_some();
        };
        self.says(&value, without)
            || self == Self::OfSomebody && without(&without_source(bytes, &value)).is_some()
    }

    fn says(self, value: &serde_json::Value, without: &Without<'_>) -> bool {
        let is_theirs = |text: &str| self == Self::OfSomebody && without(text.as_bytes()).is_some();
        match value {
            serde_json::Value::String(text) => without(text.as_bytes()).is_some(),
            serde_json::Value::Number(number) => is_theirs(&number.to_string()),
            serde_json::Value::Array(values) => values.iter().any(|value| self.says(value, without)),
            serde_json::Value::Object(fields) => fields.iter().any(|(key, value)| {
                is_theirs(key) || source(key, value).is_none() && self.says(value, without)
            }),
            _ => false,
        }
    }
}

/// Where a fact comes from, in a word of ours.
pub fn source(key: &str, value: &serde_json::Value) -> Option<FactSource> {
    value.as_str().filter(|_| key == SOURCE).and_then(FactSource::parse)
}

/// The key under which metadata names where a fact comes from.
const SOURCE: &str = "source";

/// A JSON text without our word for where it comes from.
pub fn without_source(bytes: &[u8], value: &serde_json::Value) -> Vec<u8> {
    match value.get(SOURCE).and_then(|word| source(SOURCE, word)) {
        Some(known) => String::from_utf8_lossy(bytes).replace(&format!("\"{known}\""), "\"\"").into_bytes(),
        None => bytes.to_vec(),
    }
}

/// Every primary table; the tables behind full text follow their source.
pub fn tables(db: &Connection) -> TxnResult<Vec<Table>> {
    let mut query = db.prepare(
        "SELECT name, wr FROM pragma_table_list
         WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'
           AND name NOT IN ('tombstones', 'tombstone_salt') ORDER BY name",
    )?;
    let listed = query.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, bool>(1)?)))?;
    let mut tables = Vec::new();
    for listed in listed {
        let (name, has_no_rowid) = listed?;
        let mut query = db.prepare("SELECT name, pk FROM pragma_table_info(?1) ORDER BY cid")?;
        let columns =
            query.query_map([&name], |row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?)))?;
        let columns: Vec<(String, i64)> = columns.collect::<Result<_, _>>()?;
        let keys = if has_no_rowid {
            columns.iter().filter(|(_, key)| *key > 0).map(|(name, _)| name.clone()).collect()
        } else {
            vec!["rowid".to_owned()]
        };
        tables.push(Table { name, columns: columns.into_iter().map(|(name, _)| name).collect(), keys });
    }
    Ok(tables)
}

pub fn each_row(
    db: &Connection,
    table: &Table,
    visit: &mut dyn FnMut(Row) -> TxnResult<()>,
) -> TxnResult<()> {
    let quoted =
        |names: &[String]| names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
    let (keys, columns) = (quoted(&table.keys), quoted(&table.columns));
    let mut query = db.prepare(&format!("SELECT {keys}, {columns} FROM \"{}\"", table.name))?;
    let first = table.keys.len();
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let key = (0..first).map(|at| row.get::<_, Value>(at)).collect::<Result<_, _>>()?;
        let mut values = Vec::new();
        for at in 0..table.columns.len() {
            if table.is_looked_at(at)
                && matches!(row.get_ref(first + at)?, ValueRef::Text(_) | ValueRef::Blob(_))
            {
                values.push((at, row.get(first + at)?));
            }
        }
        visit(Row { key, values })?;
    }
    Ok(())
}
