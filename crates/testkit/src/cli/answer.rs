//! Checks the style of inwit's own answers: an object at the top, names in camelCase.
//!
//! [`super::Run`] applies it to every run with `--json`. Answers in the format of another system keep that system's
//! names.

use serde_json::Value;

/// Fields whose objects are maps: their keys are data, such as names of checks and settings.
const TABLES: [&str; 7] = ["counts", "findings", "conditions", "settings", "figures", "cost", "milliseconds"];

/// Violations of the style, with their places.
pub(super) fn misshapen(line: &[&str], stdout: &str, stderr: &str) -> Vec<String> {
    if !line.iter().any(|word| matches!(*word, "--json" | "--jsonl")) || is_of_another_system(line) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let errors = stderr.lines().filter(|line| line.starts_with("{\"error\":"));
    let errors = errors.filter_map(|line| serde_json::from_str(line).ok());
    let answers = serde_json::Deserializer::from_str(stdout).into_iter().map_while(Result::ok);
    for answer in answers.chain(errors) {
        if !Value::is_object(&answer) {
            found.push("an answer has no object at its top".to_owned());
        }
        names(&answer, "", &mut found);
    }
    found
}

/// The tools of nexo, and prompts in the forms of providers.
fn is_of_another_system(line: &[&str]) -> bool {
    let has = |word: &str| line.contains(&word);
    let of_itself = ["self", "knowledge", "stats"].into_iter().any(has) && has("show");
    let of_sessions = ["list", "show", "search", "recent"].into_iter().any(has) && has("session");
    of_itself || of_sessions || has("--format")
}

fn names(value: &Value, place: &str, found: &mut Vec<String>) {
    match value {
        Value::Array(values) => {
            let place = format!("{place}[]");
            values.iter().for_each(|value| names(value, &place, found));
        }
        Value::Object(fields) => {
            let is_table = TABLES.iter().any(|table| place.rsplit('.').next() == Some(table));
            for (name, value) in fields {
                let place = format!("{place}.{name}");
                let is_camel = name.starts_with(|first: char| first.is_ascii_lowercase())
                    && name.chars().all(|c| c.is_ascii_alphanumeric());
                if !is_table && !is_camel {
                    found.push(format!("`{place}` is not in camelCase"));
                }
                names(value, &place, found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str, stdout: &str, stderr: &str) -> Vec<String> {
        let line: Vec<&str> = line.split(' ').collect();
        misshapen(&line, stdout, stderr)
    }

    #[test]
    fn a_list_at_the_top_and_a_name_in_another_style_are_found_at_any_depth() {
        assert_eq!(of("config list --json", "[]", ""), ["an answer has no object at its top"]);
        let deep = r#"{"health": {"entities": [{"fact_count": 1}]}}"#;
        assert_eq!(of("doctor --json", deep, ""), ["`.health.entities[].fact_count` is not in camelCase"]);
        let second = "{\"id\": 1}\n{\"Id\": 2}\n";
        assert_eq!(of("search --batch - --jsonl", second, ""), ["`.Id` is not in camelCase"]);
        let error = "note: x\n{\"error\": {\"exit_status\": 2}}\n";
        let error = error.replace(": {", ":{");
        assert_eq!(of("status --json", "", &error), ["`.error.exit_status` is not in camelCase"]);
    }

    #[test]
    fn tables_text_and_the_shapes_of_others_are_left_alone() {
        assert!(of("status --json", r#"{"counts": {"daily_log": 3}}"#, "").is_empty());
        let list = r#"{"settings": [{"is_set": true}]}"#;
        assert_eq!(of("config list --json", list, ""), ["`.settings[].is_set` is not in camelCase"]);
        assert!(of("status", "[]", "").is_empty());
        assert!(of("show self --json", r#"{"agent_id": "ada"}"#, "").is_empty());
        assert!(of("prompt --format openai --json", "[]", "").is_empty());
    }
}
