//! Secrets whose name and value are two fields of one record. Programs that list settings write them so, with other
//! fields between, the value first, or over lines, and such values were shown.

use inwit_gate::secrets::redact_for_model;

/// Records in which `NAME` stands for a name and `@` for its value.
const RECORDS: &[&str] = &[
    r#"{"name":"NAME","slotSetting":false,"value":"@"}"#,
    r#"{"value":"@","name":"NAME"}"#,
    r#"{"value":"@","slotSetting":false,"name":"NAME"}"#,
    r#"{"Value":"@","Key":"NAME"}"#,
    r#"[{"key":"HOST","value":"db.local"},{"key":"NAME","type":"text","value":"@"}]"#,
    r#"{"ParameterKey": "NAME", "UsePreviousValue": false, "ParameterValue": "@"}"#,
    r#"{"name": "NAME", "tags": {"value": "x"}, "value": "@"}"#,
    "[\n  {\n    \"name\": \"NAME\",\n    \"slotSetting\": false,\n    \"value\": \"@\"\n  }\n]",
    "[\n  {\n    \"value\": \"@\",\n    \"slotSetting\": false,\n    \"name\": \"NAME\"\n  }\n]",
    "env:\n- name: NAME\n  value: @\n",
    "env:\n  - name: NAME\n    secure: true\n    value: \"@\"\n",
    "env:\n  - value: @\n    name: NAME\n",
    "env:\n  - { value: '@', name: NAME }\n",
    "variable \"NAME\" { type = string  default = \"@\" }",
    "variable \"NAME\" {\n  type        = string\n  description = \"of the db\"\n  default     = \"@\"\n}\n",
    "{\n  \"NAME\": {\n    \"sensitive\": true,\n    \"type\": \"string\",\n    \"value\": \"@\"\n  }\n}",
    "\"NAME\": {\n  \"type\": \"securestring\",\n  \"defaultValue\": \"@\"\n}",
];

#[test]
fn the_value_of_a_record_that_names_a_secret_is_masked() {
    for record in RECORDS {
        for (name, value) in [
            ("DB_PASSWORD", "Hx7kQ9vLm2Rt"),
            ("db_password", "quartz-thunder-pepper-2"),
            ("adminPassword", "copper7158"),
            ("DbPassword", "Tulip42!"),
            ("API_TOKEN", "9f86d081884c7d659a2feaa0c55ad015"),
            ("STRIPE_KEY", "kR3xVb7QwZp1Nc8TyH2dLmFgJ5sUe4"),
        ] {
            let text = record.replace("NAME", name).replace('@', value);
            assert!(!redact_for_model(&text).contains(value), "{text}");
        }
    }
}

#[test]
fn a_record_that_names_no_secret_stays() {
    for record in RECORDS {
        for (name, value) in [
            ("DB_HOST", "Hx7kQ9vLm2Rt"),
            ("PASSWORD_FILE", "run-secrets-2"),
            ("passwordPolicy", "copper7158"),
            ("password", "string"),
            ("API_TOKEN", "${API_TOKEN}"),
            ("token", "copper7158"),
        ] {
            let text = record.replace("NAME", name).replace('@', value);
            assert_eq!(redact_for_model(&text), text);
        }
    }
}

/// A value belongs to the record that it stands in.
#[test]
fn the_value_of_another_record_stays() {
    for text in [
        r#"[{"name":"DB_PASSWORD","type":"secret"},{"name":"BUILD","value":"Hx7kQ9vLm2Rt"}]"#,
        r#"[{"value":"Hx7kQ9vLm2Rt","name":"BUILD"},{"type":"secret","name":"DB_PASSWORD"}]"#,
        "{\n  \"name\": \"DB_PASSWORD\",\n  \"ref\": {\"value\": \"Hx7kQ9vLm2Rt\"}\n}",
        "- name: DB_PASSWORD\n  from: vault\n- name: BUILD\n  value: Hx7kQ9vLm2Rt\n",
        "- name: DB_PASSWORD\n  from: vault\n\nvalue: Hx7kQ9vLm2Rt\n",
        "variable \"db_password\" {\n  type = string\n}\nvariable \"build\" {\n  default = \"Hx7kQ9vLm2Rt\"\n}\n",
    ] {
        assert_eq!(redact_for_model(text), text);
    }
}
