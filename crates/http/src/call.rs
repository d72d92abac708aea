//! A parsed request: its route, its values, its caller.
//!
//! Invariant: every value was parsed by the row of the route, so an operation sees no unknown or wrongly typed one.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use axum::http::HeaderMap;
use inwit_model::{Code, Scope};
use inwit_wire::Object;
use inwit_wire::routes::{Body, RouteSpec};
use inwit_wire::tools::Arguments;
use percent_encoding::percent_decode_str;
use serde::de::{DeserializeOwned, Deserializer as _, MapAccess, Visitor};
use serde_json::{Map, Value};

use crate::caller::Caller;
use crate::problem::Problem;

/// A request to run.
#[derive(Debug)]
pub struct Call {
    /// Its route.
    pub route: &'static RouteSpec,
    /// The parts of its path.
    pub path: BTreeMap<String, String>,
    /// The values after `?`, and of a JSON body.
    pub values: Arguments,
    /// What stands after `?`, as sent.
    pub query: String,
    /// The bytes of the body, if it is a text or has a shape of its own.
    pub body: Vec<u8>,
    /// Its headers.
    pub headers: HeaderMap,
    /// Who calls.
    pub caller: Caller,
    /// Whose view.
    pub scope: Scope,
}

impl Call {
    /// A part of the path.
    pub fn part(&self, name: &str) -> &str {
        self.path.get(name).map_or("", String::as_str)
    }

    /// The reason of a change.
    pub fn reason(&self) -> &str {
        self.values.text("reason").unwrap_or_default()
    }

    /// The body as a shape of `wire`. Error: `body_bad`.
    pub fn shape<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        let read = serde_json::from_slice::<Object<T>>(&self.body);
        let bad = |error| Problem::new(Code::BodyBad, format!("The body cannot be read: {error}."));
        read.map(|Object(shape)| shape).map_err(bad)
    }
}

/// The parameter of every route of an agent that names the scope.
const SCOPE: &str = "scope";

/// Reads what stands after `?`: the scope, and the values of the route. Errors: `usage_bad`.
pub fn query(route: &RouteSpec, query: &str) -> Result<(Option<String>, Map<String, Value>), Problem> {
    let mut sent: Map<String, Value> = Map::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = match pair.split_once('=') {
            Some((name, value)) => (decoded(name)?, Value::from(decoded(value)?)),
            // `?explain` without a value means yes.
            None => (decoded(pair)?, Value::from(true)),
        };
        let twice =
            || Problem::new(Code::UsageBad, format!("`{}` is given twice.", inwit_model::name::shown(&name)));
        if sent.insert(name.clone(), value).is_some() {
            return Err(twice());
        }
    }
    let scope = match route.is_of_an_agent() {
        true => match sent.remove(SCOPE) {
            Some(Value::String(scope)) => Some(scope),
            Some(_) => return Err(Problem::new(Code::UsageBad, "`scope` needs a value.")),
            None => None,
        },
        false => None,
    };
    Ok((scope, sent))
}

/// Text after `?` without its escapes. Error: `usage_bad` for bytes that are not UTF-8.
fn decoded(text: &str) -> Result<String, Problem> {
    let text = text.replace('+', " ");
    let decoded = percent_decode_str(&text).decode_utf8().map(Cow::into_owned);
    decoded.map_err(|_| Problem::new(Code::UsageBad, "The address is not UTF-8."))
}

/// The values of a route, from the address and a JSON body. Errors: `usage_bad`, `body_bad`.
pub fn values(route: &RouteSpec, sent: &Map<String, Value>, body: &[u8]) -> Result<Arguments, Problem> {
    let name = route.verb.word();
    match route.body {
        Body::Json(params) => {
            if let Some(unknown) = sent.keys().next() {
                let unknown = inwit_model::name::shown(unknown);
                let message = format!("`{name}` takes its values in the body; the address has `{unknown}`.");
                return Err(Problem::new(Code::UsageBad, message));
            }
            let object = if body.is_empty() { Map::new() } else { object(body)? };
            Ok(Arguments::read(name, params, &object)?)
        }
        Body::Nothing | Body::Text | Body::Shape(_) => Ok(Arguments::read(name, route.query, sent)?),
    }
}

/// A JSON object without a repeated key. Error: `body_bad`.
fn object(body: &[u8]) -> Result<Map<String, Value>, Problem> {
    let bad = |why: String| Problem::new(Code::BodyBad, format!("The body is not a JSON object: {why}."));
    let mut parser = serde_json::Deserializer::from_slice(body);
    let object = parser.deserialize_map(OnceEach).map_err(|error| bad(error.to_string()))?;
    parser.end().map_err(|error| bad(error.to_string()))?;
    Ok(object)
}

/// Reads an object whose keys are all different, since readers of JSON disagree about repeated ones.
struct OnceEach;

impl<'de> Visitor<'de> for OnceEach {
    type Value = Map<String, Value>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Self::Value, A::Error> {
        let mut read = Map::new();
        while let Some((name, value)) = fields.next_entry::<String, Value>()? {
            if read.contains_key(&name) {
                let name = inwit_model::name::shown(&name);
                return Err(serde::de::Error::custom(format!("`{name}` is given twice")));
            }
            read.insert(name, value);
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use inwit_wire::routes::RouteVerb;

    use super::*;

    fn search(text: &str) -> Result<(Option<String>, Arguments), u16> {
        let route = RouteVerb::Search.spec();
        let (scope, sent) = query(route, text).map_err(|problem| problem.status().as_u16())?;
        Ok((scope, values(route, &sent, b"").map_err(|problem| problem.status().as_u16())?))
    }

    #[test]
    fn the_address_is_read_by_the_row_of_the_route() {
        let (scope, values) =
            search("q=rye+bread%20%C3%A9&limit=3&explain&scope=room:kitchen").expect("read");
        assert_eq!(scope.as_deref(), Some("room:kitchen"));
        assert_eq!((values.text("q"), values.size("limit")), (Some("rye bread é"), Some(3)));
        assert!(values.flag("explain") && !values.flag("fts"));
        for bad in
            ["", "q=a&q=b", "q=a&limit=0", "q=a&limit=x", "q=%FF", "q=a&colour=red", "q=a&explain=", "q"]
        {
            assert_eq!(search(bad).err(), Some(400), "{bad}");
        }
    }

    #[test]
    fn a_body_is_one_object_with_each_key_once() {
        let route = RouteVerb::Remember.spec();
        let read = |body: &[u8]| {
            values(route, &Map::new(), body).map(|values| values.text("text").map(str::to_owned))
        };
        assert_eq!(read(br#"{"text": "x"}"#).expect("read"), Some("x".to_owned()));
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        for bad in [
            &br#"{"text": "x", "text": "y"}"#[..],
            br#"{"text": 1e400}"#,
            br#"{"text": "\ud800"}"#,
            br#"{"text": NaN}"#,
            br#"["x"]"#,
            br#"{"text": "x"} {}"#,
            b"",
            b"{\"text\": \"\xff\"}",
            deep.as_bytes(),
        ] {
            let status = read(bad).expect_err("refused").status().as_u16();
            assert_eq!(status, 400, "{}", String::from_utf8_lossy(&bad[..bad.len().min(40)]));
        }
    }
}
