//! `settings.schema.json`: the config files for editors that complete and check TOML.

use inwit_settings::table::{Kind, SETTINGS, Setting};
use serde_json::{Map, Value, json};

/// The page.
pub fn page() -> String {
    let mut top = Map::new();
    for row in SETTINGS {
        match row.key.split_once('.') {
            None => {
                top.insert(row.key.to_owned(), kind(row));
            }
            Some((group, key)) => {
                let empty = || json!({ "type": "object", "additionalProperties": false, "properties": {} });
                top.entry(group).or_insert_with(empty)["properties"][key] = kind(row);
            }
        }
    }
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "inwit: config.toml and agent.toml",
        "type": "object",
        "additionalProperties": false,
        "properties": top,
    });
    format!("{schema:#}\n")
}

fn kind(row: &Setting) -> Value {
    let mut schema = match row.kind {
        Kind::Folder => json!({ "type": "string", "pattern": "^(/|~$|~/)" }),
        Kind::AgentId => json!({ "type": "string", "pattern": "^[a-z0-9][a-z0-9_-]{0,63}$" }),
        Kind::ProfileName => {
            json!({ "type": "string", "enum": inwit_workspace::profile::names().collect::<Vec<_>>() })
        }
        Kind::Zone => json!({ "type": "string" }),
        Kind::Word(words) => json!({ "type": "string", "enum": words }),
        Kind::Count(least, most) => json!({ "type": "integer", "minimum": least, "maximum": most }),
        Kind::Price => json!({ "type": ["number", "string"] }),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Patterns | Kind::Rules => json!({ "type": "string" }),
        Kind::Text(most) => json!({ "type": "string", "maxLength": most }),
        Kind::Cadence => json!({ "type": ["string", "integer"] }),
        Kind::Policy | Kind::Engines | Kind::Hours => json!({ "type": "string" }),
    };
    schema["description"] = Value::from(row.about);
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_is_json_with_every_setting_at_its_place() {
        let schema: Value = serde_json::from_str(&page()).expect("JSON");
        for row in SETTINGS {
            let found = match row.key.split_once('.') {
                None => &schema["properties"][row.key],
                Some((group, key)) => &schema["properties"][group]["properties"][key],
            };
            assert_eq!(found["description"], row.about, "{}", row.key);
        }
        let limit = &schema["properties"]["search"]["properties"]["limit"];
        assert_eq!(limit["maximum"], 1_000);
    }
}
