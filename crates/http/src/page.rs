//! The documentation page: every route, from the table. It loads nothing from elsewhere and runs no script.

use std::fmt::Write as _;
use std::sync::OnceLock;

use inwit_wire::routes::{Body, ROUTES, RouteSpec};
use inwit_wire::tools::Param;

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:56rem;margin:2rem auto;padding:0 1rem;color:#1c1c1c;background:#fff}\
h2{font:600 1rem/1.5 ui-monospace,monospace;margin:2rem 0 0;border-top:1px solid #ddd;padding-top:1rem;overflow-wrap:anywhere}\
h2 b{display:inline-block;min-width:4.5rem;color:#0a58a8}p{margin:.3rem 0}small{color:#5a5a5a}\
dl{margin:.4rem 0 0 1rem}dt{font-family:ui-monospace,monospace;float:left;clear:left;min-width:9rem}dd{margin-left:9.5rem}\
@media(prefers-color-scheme:dark){body{color:#e6e6e6;background:#161616}h2{border-color:#3a3a3a}h2 b{color:#7ab8f5}small{color:#a5a5a5}}";

/// The page.
pub fn page() -> &'static str {
    static PAGE: OnceLock<String> = OnceLock::new();
    PAGE.get_or_init(|| {
        let mut page = format!(
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
             <title>inwit: HTTP API</title><style>{STYLE}</style><h1>inwit: HTTP API</h1>\
             <p>The same as an OpenAPI 3.1 document: <a href=\"/openapi.json\">/openapi.json</a>. \
             A request with a token sends <code>Authorization: Bearer TOKEN</code>; on a loopback address, reading and proposing need no token. \
             Failures are problem documents with <code>code</code>, <code>detail</code> and <code>hint</code>.</p>"
        );
        ROUTES.iter().for_each(|route| section(route, &mut page));
        page
    })
}

fn section(route: &RouteSpec, page: &mut String) {
    let right = route.right.word();
    let _ = write!(
        page,
        "<h2 id=\"{id}\"><b>{method}</b> {path}</h2><p>{about}</p><p><small>Right: {right}</small></p>",
        id = route.verb.word(),
        method = route.method.word(),
        path = escaped(route.path),
        about = escaped(route.about),
    );
    let body = match route.body {
        Body::Json(params) => params,
        Body::Nothing | Body::Text | Body::Shape(_) => &[],
    };
    if route.query.len() + body.len() > 0 {
        page.push_str("<dl>");
        route.query.iter().chain(body).for_each(|param| row(param, page));
        page.push_str("</dl>");
    }
}

fn row(param: &Param, page: &mut String) {
    let needed = if param.required { "" } else { " <small>(optional)</small>" };
    let _ = write!(page, "<dt>{}</dt><dd>{}{needed}</dd>", param.name, escaped(param.about));
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
