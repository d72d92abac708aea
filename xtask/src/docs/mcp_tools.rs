//! `mcp-tools.md`: every MCP tool by set, from the table of tools.

use inwit_wire::tools::{self, Field, Param, Set, Shape, ToolSpec};

use super::markdown::{code, head, table};

const ABOUT: &str = "
`inwit mcp` offers the set `default`; `--tools nexo,mindroom` offers others. Every tool is an operation of the engine under
another name. It passes the same gate and sees what the scope of its connection sees. No tool reaches beyond the agent's home
(`openWorldHint` is false). Unknown parameters are refused; the names after *Also* are accepted. A failed call returns
`{\"error\": {\"code\", \"message\", \"hint\"}}` with `isError`; [errors](errors.md) lists the codes.
";

/// The page.
pub fn page() -> String {
    let mut text = head("MCP tools", "`TOOLS` in `crates/wire/src/tools`");
    text.push_str(ABOUT);
    for set in Set::ALL {
        text.push_str(&format!("\n## {}\n", set.word()));
        tools::all().filter(|tool| tool.set == *set).for_each(|tool| text.push_str(&section(tool)));
    }
    text
}

fn section(tool: &ToolSpec) -> String {
    let hints = [
        (tool.hints.read_only, "read-only"),
        (tool.hints.destructive, "destructive: may hide existing text"),
        (tool.hints.idempotent, "idempotent"),
    ];
    let hints: Vec<&str> = hints.into_iter().filter(|(holds, _)| *holds).map(|(_, words)| words).collect();
    let hints =
        if hints.is_empty() { "not idempotent: adds text on each call".to_owned() } else { hints.join("; ") };
    let mut text = format!("\n### {}\n\n{}\n\n", code(tool.name), tool.about);
    text.push_str(&format!("Engine: `{}`. Hints: {hints}.\n\n", tool.verb.engine()));
    if tool.params.is_empty() {
        text.push_str("It takes no parameters.\n");
    } else {
        text.push_str(&table(&["parameter", "type", "default", "meaning"], tool.params.iter().map(param)));
    }
    let fields: Vec<String> = tool.answer.iter().map(field).collect();
    text.push_str(&format!("\nReturns {}.\n", fields.join(", ")));
    text
}

fn param(param: &Param) -> Vec<String> {
    let default = match param.kind.default() {
        Some(default) => code(&default.to_string()),
        None if param.required => "required".to_owned(),
        None => String::new(),
    };
    let also = match param.synonyms {
        [] => String::new(),
        names => format!(" Also: {}.", names.join(", ")),
    };
    vec![code(param.name), param.kind.words(), default, format!("{}{also}", param.about)]
}

fn field(field: &Field) -> String {
    let sometimes = if field.always { "" } else { "?" };
    format!("`{}{sometimes}` ({})", field.name, shape(&field.shape))
}

fn shape(of: &Shape) -> String {
    match of {
        Shape::Text => "text".into(),
        Shape::Whole => "whole number".into(),
        Shape::Number => "number".into(),
        Shape::Flag => "true or false".into(),
        Shape::Any => "any".into(),
        Shape::List(item) => format!("list of {}", shape(item)),
        Shape::Keys(value) => format!("{} by key", shape(value)),
        Shape::Maybe(inner) => format!("{} or null", shape(inner)),
        Shape::Object(fields) => {
            let names: Vec<&str> = fields.iter().map(|field| field.name).collect();
            format!("{{{}}}", names.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_with_every_parameter_stands_there() {
        let text = page();
        for tool in tools::all() {
            assert!(text.contains(&format!("\n### `{}`\n\n{}\n", tool.name, tool.about)), "{}", tool.name);
            for param in tool.params {
                assert!(text.contains(&format!("| `{}` |", param.name)), "{}.{}", tool.name, param.name);
            }
        }
    }
}
