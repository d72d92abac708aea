//! Removes text that a caller marked as private from the arguments of writing tools.
//!
//! All writing tools use it. Invariant: arguments that identify existing data (`old_text`, `path`, `id`) are
//! unchanged, because otherwise they would identify something else.

use crate::hints::value;
use inwit_engine::sessions::hook::fence::{private_left_out, without_private};
use inwit_wire::NoticeV1;
use inwit_wire::ToolErrorV1;
use inwit_wire::tools::{Arguments, ToolSpec};
use serde_json::Value;

use crate::call::{Answered, usage};

/// Arguments whose text is stored, also inside the objects in [`LIST`].
const KEPT: [&str; 7] = ["text", "content", "reason", "tags", "metadata", "category", "section"];

/// A list of steps with such arguments.
const LIST: &str = "operations";

/// Required arguments: without them nothing is stored.
const ENTRIES: [&str; 2] = ["text", "content"];

/// The arguments of a writing tool without private parts; `None` if they have none. Error: nothing else is left to
/// store.
pub(crate) fn left_out(tool: &ToolSpec, said: &Arguments) -> Result<Option<Arguments>, ToolErrorV1> {
    if !tool.writes() {
        return Ok(None);
    }
    let mut public = said.clone();
    let mut parts = Parts::default();
    for (name, value) in public.values_mut() {
        match value {
            Value::Array(steps) if name == LIST => {
                let steps = steps.iter_mut().filter_map(Value::as_object_mut).flatten();
                steps.for_each(|(name, value)| parts.leave_out(name, value));
            }
            value => parts.leave_out(name, value),
        }
    }
    if let Some(name) = parts.empty {
        let message = format!("`{name}` is entirely inside `<private>`, so nothing was kept.");
        return Err(usage(message, "Do not try to keep it."));
    }
    Ok(parts.is_any.then_some(public))
}

/// Adds the notice to an answer, as a field if the tool's schema has one.
pub(crate) fn told(tool: &ToolSpec, answered: Answered) -> Answered {
    let (mut answer, text) = answered?;
    let notice = private_left_out();
    let text = format!("{text}\nnote: {}", notice.message);
    let is_field = tool.answer.iter().any(|field| field.name == "notices");
    if let Some(fields) = answer.as_object_mut().filter(|_| is_field) {
        let notices = fields.entry("notices").or_insert_with(|| Value::Array(Vec::new()));
        if let Some(notices) = notices.as_array_mut() {
            notices.push(value(&NoticeV1::from(&notice)));
        }
    }
    Ok((answer, text))
}

/// The result of the removal.
#[derive(Default)]
struct Parts {
    is_any: bool,
    empty: Option<String>,
}

impl Parts {
    fn leave_out(&mut self, name: &str, value: &mut Value) {
        if !KEPT.contains(&name) {
            return;
        }
        match value {
            Value::String(text) => {
                let Some(public) = without_private(text) else { return };
                self.is_any = true;
                if public.is_empty() && ENTRIES.contains(&name) {
                    self.empty = Some(name.to_owned());
                }
                *text = public;
            }
            Value::Array(values) => values.iter_mut().for_each(|value| self.leave_out(name, value)),
            Value::Object(fields) => {
                let all = std::mem::take(fields).into_iter().map(|(name, mut value)| {
                    self.leave_out("metadata", &mut value);
                    let Some(public) = without_private(&name) else { return (name, value) };
                    self.is_any = true;
                    (public, value)
                });
                *fields = all.collect();
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}
