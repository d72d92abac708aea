//! `http.md`: every route of the server, from the table of routes.

use inwit_wire::routes::{Answer, Body, ROUTES, RouteSpec};
use inwit_wire::tools::Param;

use super::markdown::{code, head, table};

const ABOUT: &str = "
`inwit serve` answers these routes; `/openapi.json` describes them with the schemas of all answers. A request sends its token as
`Authorization: Bearer TOKEN`. On a loopback address, routes with the right `read` or `propose` need no token. Routes of an agent
also take `scope`: `main`, `shared` or `room:ID`. A token is for one scope, and that is the default; without a token it is
`shared`. A failure is a problem document (`application/problem+json`) with `code`, `detail` and `hint`; [errors](errors.md)
lists the codes.
";

/// The page.
pub fn page() -> String {
    let mut text = head("HTTP API", "`ROUTES` in `crates/wire/src/routes`");
    text.push_str(ABOUT);
    ROUTES.iter().for_each(|route| text.push_str(&section(route)));
    text
}

fn section(route: &RouteSpec) -> String {
    let mut text = format!("\n## {} {}\n\n{}\n\n", route.method.word(), code(route.path), route.about);
    text.push_str(&format!("Right: `{}`. {}\n", route.right.word(), sent(route)));
    let body = match route.body {
        Body::Json(params) => params,
        Body::Nothing | Body::Text | Body::Shape(_) => &[],
    };
    let params: Vec<&Param> = route.query.iter().chain(body).collect();
    if !params.is_empty() {
        text.push('\n');
        text.push_str(&table(&["parameter", "type", "default", "meaning"], params.into_iter().map(param)));
    }
    text
}

fn sent(route: &RouteSpec) -> String {
    let sent = match route.body {
        Body::Nothing => "",
        Body::Json(_) | Body::Shape(_) => "Sends JSON. ",
        Body::Text => "Sends the text as `text/markdown`. ",
    };
    let conditional = if route.is_conditional { "Needs `If-Match`. " } else { "" };
    let answer = match route.answer {
        Answer::Json(_) | Answer::Object => "Answers JSON.",
        Answer::File => "Answers the text with its ETag.",
        Answer::Metrics => "Answers metrics in the text format of Prometheus.",
        Answer::Html => "Answers a page.",
        Answer::Events(_) => "Answers server-sent events.",
        Answer::Nothing => "Answers 204.",
    };
    format!("{sent}{conditional}{answer}")
}

fn param(param: &Param) -> Vec<String> {
    let default = match param.kind.default() {
        Some(default) => code(&default.to_string()),
        None if param.required => "required".to_owned(),
        None => String::new(),
    };
    vec![code(param.name), param.kind.words(), default, param.about.to_owned()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_route_with_every_parameter_is_listed() {
        let text = page();
        for route in ROUTES {
            assert!(
                text.contains(&format!("\n## {} `{}`\n", route.method.word(), route.path)),
                "{}",
                route.path
            );
            for param in route.query {
                assert!(text.contains(&format!("| `{}` |", param.name)), "{}.{}", route.path, param.name);
            }
        }
    }
}
