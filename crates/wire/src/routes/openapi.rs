//! The OpenAPI 3.1 document of all routes.
//!
//! Invariant: everything in it comes from [`ROUTES`] and from the shapes themselves, so equal programs give equal
//! bytes.

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::{Answer, Body, ROUTES, RouteRight, RouteSpec, RouteVerb};
use crate::ProblemV1;
use crate::memory_stores::MemoryFailureV1;
use crate::tools::Param;
use crate::tools::param;

/// Version of OpenAPI.
const OPENAPI: &str = "3.1.0";

/// Name of the security scheme.
const TOKEN: &str = "token";

/// Where schemas are in the document.
const SCHEMAS: &str = "/components/schemas";

/// The document, for a program of this version.
pub fn document(version: &str) -> Value {
    let mut schemas = Schemas::new();
    let mut paths: Map<String, Value> = Map::new();
    for route in ROUTES {
        let operation = operation(route, &mut schemas);
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        if let Some(methods) = path.as_object_mut() {
            methods.insert(route.method.word().to_ascii_lowercase(), operation);
        }
    }
    let problem = schemas.answered.subschema_for::<ProblemV1>();
    let content = json!({ "application/problem+json": { "schema": problem } });
    // A request that is refused before its route is known is a problem document on every route.
    let failure = json!({
        "application/json": { "schema": schemas.answered.subschema_for::<MemoryFailureV1>() },
        "application/problem+json": { "schema": problem },
    });
    json!({
        "openapi": OPENAPI,
        "info": {
            "title": "inwit",
            "version": version,
            "summary": "A self for AI agents that lives in plain Markdown.",
            "license": { "name": "MIT OR Apache-2.0" },
        },
        "paths": paths,
        "components": {
            "schemas": schemas.definitions(),
            "responses": {
                "Problem": { "description": "What failed, and what can be done.", "content": content },
                "MemoryFailure": { "description": "What failed, and what can be done.", "content": failure },
            },
            "securitySchemes": {
                TOKEN: { "type": "http", "scheme": "bearer", "description": "A token that the owner of the server created. On a loopback address, reading and proposing need none." },
            },
        },
    })
}

/// The shapes of both directions. A field with a default may be left out of what is sent, and is always in an answer.
struct Schemas {
    sent: SchemaGenerator,
    answered: SchemaGenerator,
}

impl Schemas {
    fn new() -> Self {
        let generator = |settings: SchemaSettings| {
            settings
                .with(|settings| {
                    settings.definitions_path = SCHEMAS.into();
                    settings.meta_schema = None;
                })
                .into_generator()
        };
        let settings = SchemaSettings::draft2020_12();
        Self {
            sent: generator(settings.clone().for_deserialize()),
            answered: generator(settings.for_serialize()),
        }
    }

    /// Every shape by its name.
    fn definitions(&mut self) -> Map<String, Value> {
        let mut all = self.sent.take_definitions(true);
        all.extend(self.answered.take_definitions(true));
        all
    }
}

fn operation(route: &RouteSpec, schemas: &mut Schemas) -> Value {
    let mut operation = json!({
        "operationId": route.verb.word(),
        "summary": route.about,
        "parameters": parameters(route),
        "responses": responses(route, &mut schemas.answered),
        "x-inwit-right": route.right.word(),
    });
    let right = json!([{ TOKEN: [] }]);
    operation["security"] = match route.right {
        RouteRight::Nothing => json!([]),
        RouteRight::Read | RouteRight::Propose => json!([{}, { TOKEN: [] }]),
        RouteRight::Write | RouteRight::Approve | RouteRight::Admin => right,
    };
    match route.body {
        Body::Nothing => {}
        Body::Json(params) => {
            let is_required = params.iter().any(|param| param.required);
            operation["requestBody"] = json!({
                "required": is_required,
                "content": { "application/json": { "schema": body(params) } },
            });
        }
        Body::Shape(schema) => {
            operation["requestBody"] = json!({
                "required": true,
                "content": { "application/json": { "schema": schema(&mut schemas.sent) } },
            });
        }
        Body::Text => {
            operation["requestBody"] = json!({
                "required": true,
                "content": { "text/markdown": { "schema": { "type": "string" } } },
            });
        }
    }
    operation
}

/// The schema of a JSON body. Some clients send every optional value, as null.
fn body(params: &[Param]) -> Value {
    let mut schema = Value::from(param::schema(params));
    for param in params.iter().filter(|param| !param.required) {
        let of_value = &mut schema["properties"][param.name];
        if let Some(kind) = of_value["type"].as_str().map(str::to_owned) {
            of_value["type"] = json!([kind, "null"]);
        }
    }
    schema
}

fn parameters(route: &RouteSpec) -> Vec<Value> {
    let text = |name: &str, at: &str, about: &str, required: bool| json!({ "name": name, "in": at, "required": required, "description": about, "schema": { "type": "string" } });
    let mut parameters: Vec<Value> =
        route.path_names().map(|name| text(name, "path", about_path(name), true)).collect();
    parameters.extend(route.query.iter().map(query));
    if route.is_of_an_agent() {
        let mut scope = text("scope", "query", ABOUT_SCOPE, false);
        scope["schema"]["pattern"] = SCOPE_PATTERN.into();
        parameters.push(scope);
    }
    if route.takes_a_key() {
        let about = "A key that the caller makes up: within 24 hours, a request that is sent again with it is answered as the first one, and not run again.";
        let mut key = text("Idempotency-Key", "header", about, false);
        key["schema"]["pattern"] = "^[!-~]{1,200}$".into();
        parameters.push(key);
    }
    if route.is_conditional {
        parameters.push(text("If-Match", "header", "ETag of the file as it was read.", false));
        if matches!(route.body, Body::Text) {
            parameters.push(text("If-None-Match", "header", "`*`: the file must not exist.", false));
        }
    } else if matches!(route.answer, Answer::File) {
        parameters.push(text(
            "If-None-Match",
            "header",
            "ETag that the caller has; 304 if it still applies.",
            false,
        ));
    }
    parameters
}

/// Which values `scope` has.
const SCOPE_PATTERN: &str = "^(main|shared|subagent|scheduled|room:.+)$";

/// What the parameter `scope` means.
const ABOUT_SCOPE: &str = "Whose view: `main`, `shared` or `room:ID`. A token is for one scope, and that is the default; without a token it is `shared`.";

fn about_path(name: &str) -> &'static str {
    match name {
        "agent" => "Id of the agent.",
        "path" => "Name of a file from the workspace's root, such as `memory/2026-11-21.md`.",
        "name" => "One of Minara's eight files, such as `SOUL.md`.",
        "memory" => "Id of the memory.",
        "version" => "Id of the version.",
        "key" => "Key of the value, such as `home_language`.",
        "run" => "Number of the pass, as the list of dreams shows it.",
        "session" => "Id of the session.",
        "date" => "`YYYY-MM-DD`.",
        _ => "Its id, or its number.",
    }
}

fn query(param: &Param) -> Value {
    let schema = param::schema(std::slice::from_ref(param));
    let mut schema = schema["properties"][param.name].clone();
    let about = schema.as_object_mut().and_then(|schema| schema.remove("description"));
    json!({ "name": param.name, "in": "query", "required": param.required, "description": about, "schema": schema })
}

fn responses(route: &RouteSpec, schemas: &mut SchemaGenerator) -> Value {
    let with = |media: &str, schema: Value| json!({ "description": "Done.", "content": { media: { "schema": schema } } });
    let mut responses = Map::new();
    let ok = match route.answer {
        Answer::Json(schema) => with("application/json", schema(schemas).to_value()),
        Answer::Object => with("application/json", json!({ "type": "object" })),
        Answer::Metrics => with("text/plain", json!({ "type": "string" })),
        Answer::Html => with("text/html", json!({ "type": "string" })),
        Answer::Nothing => json!({ "description": "Yes." }),
        Answer::Events(schema) => {
            let mut events = with("text/event-stream", json!({ "type": "string" }));
            events["content"]["text/event-stream"]["x-inwit-data"] = schema(schemas).to_value();
            events
        }
        Answer::File => {
            responses.insert("304".into(), json!({ "description": "The ETag still applies." }));
            let mut file = with("text/markdown", json!({ "type": "string" }));
            file["headers"] = json!({ "ETag": { "schema": { "type": "string" } } });
            file
        }
    };
    responses.insert(if matches!(route.answer, Answer::Nothing) { "204" } else { "200" }.into(), ok);
    let failure = if route.is_of_anthropic() { "MemoryFailure" } else { "Problem" };
    for status in statuses(route) {
        responses.insert(status.to_string(), json!({ "$ref": format!("#/components/responses/{failure}") }));
    }
    responses.sort_keys();
    responses.into()
}

/// Statuses of the failures that a route can have.
pub fn statuses(route: &RouteSpec) -> Vec<u16> {
    let mut statuses = vec![400, 401, 403, 413, 421, 429, 500, 503];
    if route.is_of_an_agent() {
        statuses.extend([404, 422, 507]);
    }
    if route.is_change() {
        statuses.extend([404, 409, 423, 502]);
    }
    if !matches!(route.body, Body::Nothing) {
        statuses.extend([408, 415]);
    }
    if route.verb == RouteVerb::Mcp {
        statuses.extend([202, 406]);
    }
    if route.is_conditional {
        statuses.extend([412, 428]);
    }
    if route.verb == RouteVerb::MinaraWrite || (route.is_of_anthropic() && route.is_change()) {
        statuses.push(428);
    }
    statuses.sort_unstable();
    statuses.dedup();
    statuses
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reference_of_the_document_exists_and_every_route_is_in_it() {
        let document = document("0.1.0");
        let text = document.to_string();
        for reference in text.split("\"$ref\":\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(document.pointer(reference).is_some(), "{reference}");
        }
        for route in ROUTES {
            let operation = &document["paths"][route.path][route.method.word().to_ascii_lowercase()];
            assert_eq!(operation["operationId"], route.verb.word());
        }
        let operations = document["paths"].as_object().expect("paths").values();
        let count: usize = operations.map(|path| path.as_object().expect("methods").len()).sum();
        assert_eq!(count, ROUTES.len(), "two rows have the same method and path");
    }

    /// Whoever adds a verb adds its row: [`super::super::RouteVerb::spec`] has no other answer.
    #[test]
    fn every_verb_has_one_row() {
        for verb in super::super::RouteVerb::ALL {
            assert_eq!(ROUTES.iter().filter(|row| row.verb == *verb).count(), 1, "{verb}");
        }
    }

    #[test]
    fn nothing_that_is_read_changes_anything() {
        for route in ROUTES {
            let is_read = route.method == super::super::Method::Get;
            assert!(!is_read || matches!(route.body, Body::Nothing), "{}", route.path);
            let is_of_tools = route.verb == RouteVerb::Mcp;
            assert!(
                is_read || is_of_tools || route.right >= RouteRight::Propose,
                "{} changes something",
                route.path
            );
        }
    }

    /// A shape of both directions would be in the document in one of them only.
    #[test]
    fn no_shape_is_both_sent_and_answered() {
        let mut schemas = Schemas::new();
        ROUTES.iter().for_each(|route| {
            operation(route, &mut schemas);
        });
        let (sent, answered) = (schemas.sent.take_definitions(true), schemas.answered.take_definitions(true));
        let both: Vec<&String> = sent.keys().filter(|name| answered.contains_key(*name)).collect();
        assert!(both.is_empty() && !sent.is_empty(), "{both:?}");
        let start = &sent["StartV1"];
        assert!(start["required"].is_null(), "every value of a new session has a default: {start}");
    }

    #[test]
    fn a_field_that_may_be_left_out_is_not_required() {
        let document = document("0.1.0");
        let hit = &document["components"]["schemas"]["HitV1"];
        let required: Vec<&str> =
            hit["required"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
        assert!(required.contains(&"citation") && required.contains(&"startLine"), "{required:?}");
        assert!(!required.contains(&"score") && !required.contains(&"taint"), "{required:?}");
    }
}
