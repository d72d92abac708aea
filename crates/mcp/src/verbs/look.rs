//! Looking into the notes: by a question, by a place, by a day.

use inwit_engine::notes::get::parse_address;
use inwit_engine::notes::search::MORE_HOLD;
use inwit_engine::notes::timeline::{Ask, TIMELINE_ENTRIES_MAX};
use inwit_engine::{
    Answer, Bounds, DayEdge, EngineError, Excerpt, Fact, Lines, Notice, Past, Search, cut_for_model,
};
use inwit_model::fact::When;
use inwit_model::limit::RESULTS_MAX;
use inwit_model::{Code, Scope};
use inwit_wire::tools::Arguments;
use inwit_wire::tools::answer::value;
use inwit_wire::{AnswerV1, AsOfV1, ExcerptV1, MomentV1, NoticeV1, TimelineV1, ToolErrorV1};
use jiff::civil::Date;
use serde_json::{Map, Value, json};

use super::{minara, omitted, put, take_list, text_of, with_notices};
use crate::call::{Answered, usage};
use crate::connection::Connection;
use crate::{cursor, fit, resources};

/// Characters of one passage in the short text of an answer.
const LINE_CHARS_MAX: usize = 300;

/// Characters of a file in the short text of an answer; the rest stands in the answer itself.
pub(super) const MIRROR_CHARS_MAX: usize = 4_000;

/// `memory_search`.
pub(super) fn search(connection: &Connection, said: &Arguments) -> Answered {
    let (given, limit) = (begun(said)?, said.size("limit").unwrap_or(1));
    let kinds = said.texts("kinds").unwrap_or_default();
    // Pages go on through passages: facts stand on the first one.
    let (facts, told) = match (given, kinds.contains(&"facts")) {
        (0, true) => facts(connection, said, limit)?,
        (0, false) if kinds.is_empty() => beside(connection, said, limit),
        _ => (Vec::new(), Vec::new()),
    };
    if !kinds.is_empty() && !kinds.contains(&"passages") {
        let mut answer = json!({
            "results": [], "facts": fact_rows(&facts, said), "nothingNear": facts.is_empty()
        });
        if !told.is_empty() {
            put(&mut answer, "notices", value(&told.iter().map(NoticeV1::from).collect::<Vec<_>>()));
        }
        let text = with_notices(&answer, minara::lines(&facts));
        return Ok((answer, text));
    }
    let asked = Search {
        query: said.text("query").unwrap_or_default(),
        scope: &connection.scope,
        limit: (given + limit + 1).min(RESULTS_MAX),
        budget_chars: None,
        bounds: Bounds {
            since: said.text("since"),
            until: said.text("until"),
            around: said.text("around"),
            is_expression: said.flag("fts"),
            ..Bounds::default()
        },
    };
    let past = past(connection, said)?;
    let mut found = match &past {
        Some(past) => past.search(&asked)?,
        None => connection.agent.notes.search(&asked)?,
    };
    // Here pages go on through all of which it holds, so what is shown says nothing.
    found.notices.retain(|notice| notice.code != MORE_HOLD);
    found.notices.extend(holding(&found, given + limit));
    found.notices.extend(connection_notices(connection));
    found.notices.extend(told);
    let as_of = past.as_ref().map(|past| AsOfV1::from(past.of()));
    let mut answer = value(&AnswerV1 { as_of, ..AnswerV1::new(&found, said.flag("explain")) });
    let mut hits = take_list(&mut answer, "results");
    hits.iter_mut().for_each(|hit| brief(hit, said.flag("explain")));
    let mut hits: Vec<Value> = hits.into_iter().skip(given).collect();
    let more = hits.len() > limit;
    hits.truncate(limit);
    let is_far = found.nothing_near && !hits.is_empty();
    // Facts that nobody asked for leave no more than what is left to passages.
    let beside = if kinds.is_empty() { fact_rows(&facts, said) } else { Vec::new() };
    let taken = beside.iter().map(|fact| fit::tokens(&fact.to_string())).sum();
    let text = paged(&mut answer, "results", hits, more, given, said, taken);
    let text = if is_far {
        format!("Nothing in the notes is near the question; the results are the least far.\n{text}")
    } else {
        text
    };
    if kinds.contains(&"facts") || !facts.is_empty() {
        put(&mut answer, "facts", fact_rows(&facts, said).into());
    }
    if !facts.is_empty() {
        // What the notes do not know a fact does.
        put(&mut answer, "nothingNear", false.into());
    }
    let text = if facts.is_empty() { text } else { format!("{}\n{text}", minara::lines(&facts)) };
    Ok((answer, text))
}

/// Removes from a passage what its citation says already, and unless `explain` asks for them its places, its day and the
/// hash of its file.
fn brief(item: &mut Value, explain: bool) {
    const ONLY_EXPLAINED: &[&str] =
        &["path", "startLine", "endLine", "date", "sha256", "startByte", "endByte"];
    let is_said = |heading: &str| heading.is_empty() || heading == text_of(item, "date");
    let has_no_heading = is_said(text_of(item, "heading"));
    let Some(fields) = item.as_object_mut() else { return };
    // The whole text is here.
    fields.shift_remove("snippet");
    if has_no_heading {
        fields.shift_remove("heading");
    }
    fields.retain(|name, _| explain || !ONLY_EXPLAINED.contains(&name.as_str()));
}

/// Facts, with their source, times and metadata where `explain` asks for them.
fn fact_rows(facts: &[Fact], said: &Arguments) -> Vec<Value> {
    const BRIEF: &[&str] = &["id", "category", "content", "valid_from", "valid_to"];
    let mut rows = minara::memories(facts);
    for fields in rows.iter_mut().filter_map(Value::as_object_mut) {
        fields.retain(|name, _| said.flag("explain") || BRIEF.contains(&name.as_str()));
    }
    rows
}

/// Of how many passages an expression holds, where this page is not the last.
fn holding(found: &Answer, until: usize) -> Option<Notice> {
    let holding = found.holding.filter(|holding| *holding > until)?;
    let message = format!("The expression holds of {holding} passages.");
    Some(Notice::new(MORE_HOLD, message, "The cursor goes on through them."))
}

/// The past that is asked for, in the scope of the connection; `None` where nobody asks for one.
fn past<'c>(connection: &'c Connection, said: &Arguments) -> Result<Option<Past<'c>>, ToolErrorV1> {
    let Some(text) = said.text("as_of").filter(|text| !text.trim().is_empty()) else { return Ok(None) };
    let moment = connection.agent.core.moment(text, DayEdge::End)?;
    Ok(Some(connection.agent.as_of(&connection.scope, moment)?))
}

/// Facts, and what the reader should know of them.
type Told = (Vec<Fact>, Vec<Notice>);

/// The few facts that stand beside passages where nobody said which kind is wanted. What is asked of some days is asked
/// of the notes: a fact is of none. No answer of the notes fails over them.
fn beside(connection: &Connection, said: &Arguments, limit: usize) -> Told {
    let is_of_days = ["since", "until"].iter().any(|bound| said.text(bound).is_some());
    let query = said.text("query").unwrap_or_default();
    if is_of_days || query.trim().is_empty() || connection.scope != Scope::Main {
        return (Vec::new(), Vec::new());
    }
    let found = when(connection, said)
        .and_then(|when| Ok(connection.agent.facts.facts_near(&connection.scope, query, &when)?));
    match found {
        Ok(mut found) => {
            let most = said.whole("max_tokens").unwrap_or(u64::MAX) / 2;
            let fits = fit::count_of(&fact_rows(&found.facts, said), most).min(limit);
            let more = found.more || fits < found.facts.len();
            found.facts.truncate(fits);
            let mut told: Vec<Notice> = found.masked_notice().into_iter().collect();
            if more {
                told.push(Notice::new(
                    "more_facts",
                    "More facts answer this than stand here.",
                    "Ask again with `kinds: [\"facts\"]` for all of them.",
                ));
            }
            (found.facts, told)
        }
        Err(error) => {
            let message = format!("Facts were not looked through: {}", error.error.message);
            (
                Vec::new(),
                vec![Notice::new("facts_not_searched", message, "`inwit doctor` tells what is wrong.")],
            )
        }
    }
}

/// At which moments facts are asked for: what held at the one by what is known now, what was believed at the other.
pub(super) fn when(connection: &Connection, said: &Arguments) -> Result<When, ToolErrorV1> {
    let at = |name: &str| {
        let asked = said.text(name).filter(|text| !text.trim().is_empty());
        asked.map(|text| connection.agent.core.moment(text, DayEdge::End)).transpose()
    };
    Ok(When { as_of: at("as_of")?, believed_at: at("believed_at")? })
}

/// Facts that answer the question; the newest where there is none. Of a moment those that held or were believed then.
fn facts(connection: &Connection, said: &Arguments, limit: usize) -> Result<Told, ToolErrorV1> {
    let query = said.text("query").unwrap_or_default();
    let when = when(connection, said)?;
    if query.trim().is_empty() && when == When::default() {
        let (facts, notice) = minara::newest(connection, None, limit)?;
        return Ok((facts, notice.into_iter().collect()));
    }
    if query.trim().is_empty() {
        return Err(usage(
            "Facts of a moment are found by a question.",
            "Say in `query` what they are about.",
        ));
    }
    let found = connection.agent.facts.search_facts_masked(&connection.scope, query, &when, limit)?;
    let notices = found.notices();
    Ok((found.facts, notices))
}

/// `memory_timeline`.
pub(super) fn timeline(connection: &Connection, said: &Arguments) -> Answered {
    let (given, limit) = (begun(said)?, said.size("limit").unwrap_or(1));
    let around = said.text("around").map(|day| {
        day.parse::<Date>().map_err(|_| {
            let shown = inwit_model::name::shown(day);
            usage(format!("`{shown}` is no day."), "Write a day as 2026-11-21.")
        })
    });
    let ask = Ask {
        around: around.transpose()?,
        days: said.whole("days").and_then(|days| u16::try_from(days).ok()).unwrap_or_default(),
        skip: given,
        limit: limit.min(TIMELINE_ENTRIES_MAX),
    };
    let told = connection.agent.notes.timeline(&connection.scope, &ask)?;
    let mut answer = value(&TimelineV1 {
        entries: told.moments.iter().map(MomentV1::from).collect(),
        notices: told.notices.iter().map(NoticeV1::from).collect(),
    });
    let entries = take_list(&mut answer, "entries");
    let text = paged(&mut answer, "entries", entries, told.more, given, said, 0);
    Ok((answer, text))
}

/// How many results the answers before gave.
fn begun(said: &Arguments) -> Result<usize, ToolErrorV1> {
    cursor::given(said.text("cursor"), &question(said))
}

/// What a cursor is bound to.
fn question(said: &Arguments) -> String {
    said.line(&["cursor", "limit", "max_tokens"])
}

/// Puts as many of `items` into the answer as fit, says what was left and where it goes on, and gives the
/// short text; `taken` of the tokens are taken already.
fn paged(
    answer: &mut Value,
    key: &str,
    items: Vec<Value>,
    more: bool,
    before: usize,
    said: &Arguments,
    taken: u64,
) -> String {
    let most = said.whole("max_tokens").unwrap_or(u64::MAX);
    let (mut items, left) = fit::first_of(items, most.saturating_sub(taken));
    // One comes in any case; it alone may be larger than all that was asked for.
    let cut = items.first_mut().map_or(0, |item| fit::cut_field(item, "text", most.saturating_sub(taken)));
    let mut lines: Vec<String> = items.iter().map(line).collect();
    if lines.is_empty() {
        lines.push("Nothing was found.".to_owned());
    }
    let mut left_out = Map::new();
    if cut > 0 {
        left_out.insert("chars".to_owned(), cut.into());
        lines.push(format!(
            "{cut} characters of the text did not fit into max_tokens: `memory_get` shows them."
        ));
    }
    if left > 0 {
        left_out.insert("results".to_owned(), left.into());
        lines.push(format!("{left} more did not fit into max_tokens."));
    }
    if !left_out.is_empty() {
        put(answer, "omitted", left_out.into());
    }
    if (more || left > 0) && !items.is_empty() {
        let next = cursor::behind(before + items.len(), &question(said));
        lines.push(format!("It goes on with cursor {next}"));
        put(answer, "nextCursor", next.into());
    }
    put(answer, key, Value::Array(items));
    with_notices(answer, lines.join("\n"))
}

/// A result in a line or two.
fn line(item: &Value) -> String {
    let (text, heading) = (text_of(item, "text"), text_of(item, "heading"));
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown = cut_for_model(&words, LINE_CHARS_MAX).map_or(words, |head| head + "…");
    let (citation, whose) = (text_of(item, "citation"), whose(item));
    let heading = if heading.is_empty() { String::new() } else { format!(" ({heading})") };
    format!("[{citation}]{whose}{heading} {shown}")
}

/// Whose words a result holds, where nobody vouches for them.
pub(super) fn whose(item: &Value) -> String {
    match text_of(item, "taint") {
        "" => String::new(),
        taint => format!(" (from a {taint}, not reviewed)"),
    }
}

/// What was wrong when the connection began; told to the owner alone.
fn connection_notices(connection: &Connection) -> impl Iterator<Item = Notice> + '_ {
    connection.notices.iter().filter(|_| connection.scope == Scope::Main).cloned()
}

/// `memory_get`.
pub(super) fn get(connection: &Connection, said: &Arguments) -> Answered {
    let path = said.text("path").unwrap_or_default();
    let path = resources::path_of(connection, path).unwrap_or_else(|| path.to_owned());
    let (path, mut lines) = parse_address(&path)?;
    if let Some(from) = whole(said, "from") {
        lines = Lines { from: Some(from), to: None };
    }
    if let Some(count) = whole(said, "lines") {
        lines.to = Some(lines.from.unwrap_or(1).saturating_add(count - 1));
    }
    let past = past(connection, said)?;
    let as_of = past.as_ref().map(|past| AsOfV1::from(past.of()));
    let read = |lines| match &past {
        Some(past) => past.get_masked(&path, lines),
        None => connection.agent.notes.get_masked(&connection.scope, &path, lines),
    };
    let (excerpt, notice) = match read(lines) {
        Err(error) if error.code == Code::FileMissing => {
            let (mut answer, text) = missing(&path, lines, &read);
            as_of.iter().for_each(|as_of| put(&mut answer, "asOf", value(as_of)));
            let told = past.iter().flat_map(Past::notices).map(NoticeV1::from).collect::<Vec<_>>();
            if !told.is_empty() {
                put(&mut answer, "notices", value(&told));
            }
            let text = with_notices(&answer, text);
            return Ok((answer, text));
        }
        read => read?,
    };
    let mut answer = value(&ExcerptV1 { as_of, ..ExcerptV1::from(&excerpt) });
    let text = text_of(&answer, "text").to_owned();
    let (shown, left) = fit::beginning(&text, said.whole("max_tokens").unwrap_or(u64::MAX));
    if left > 0 {
        let given = shown.bytes().filter(|byte| *byte == b'\n').count().max(1);
        let next = excerpt.first_line.saturating_add(u32::try_from(given).unwrap_or(u32::MAX));
        put(&mut answer, "lines", given.into());
        put(&mut answer, "truncated", true.into());
        put(&mut answer, "nextFrom", next.into());
        put(&mut answer, "omitted", omitted("chars", left));
    }
    let mut mirror = mirrored(shown);
    let whose = whose(&answer);
    if !whose.is_empty() {
        mirror.insert_str(0, &format!("[{}]{whose}\n", text_of(&answer, "path")));
    }
    put(&mut answer, "text", shown.into());
    if let Some(next) = answer.get("nextFrom") {
        mirror.push_str(&format!("\n[It goes on: use from={next}.]"));
    }
    let told = past.iter().flat_map(Past::notices).chain(&notice).map(NoticeV1::from).collect::<Vec<_>>();
    if !told.is_empty() {
        put(&mut answer, "notices", value(&told));
    }
    let mirror = with_notices(&answer, mirror);
    Ok((answer, mirror))
}

/// The beginning of a text, which says that it is one.
pub(super) fn mirrored(text: &str) -> String {
    match cut_for_model(text, MIRROR_CHARS_MAX) {
        None => text.to_owned(),
        Some(head) => {
            let left = text.chars().count() - MIRROR_CHARS_MAX;
            format!("{head}\n[{left} more characters stand in the structured answer.]")
        }
    }
}

fn whole(said: &Arguments, name: &str) -> Option<u32> {
    said.whole(name).and_then(|number| u32::try_from(number).ok())
}

/// A file that is not there, or lines behind its end.
fn missing(
    path: &str,
    lines: Lines,
    read: &dyn Fn(Lines) -> Result<(Excerpt, Option<Notice>), EngineError>,
) -> (Value, String) {
    let nothing =
        (json!({ "path": path, "text": "" }), format!("{} is not there.", inwit_model::name::shown(path)));
    if lines.from.is_none_or(|from| from == 1) {
        return nothing;
    }
    let Ok((whole, _)) = read(Lines::default()) else {
        return nothing;
    };
    let (total, hash) = (whole.total_lines, whole.sha256.to_string());
    let text = format!("{} has {total} line(s); these are behind its end.", whole.name);
    (json!({ "path": path, "text": "", "totalLines": total, "sha256": hash }), text)
}
