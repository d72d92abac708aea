//! Searches and reads of notes: by query, by citation, by day.

use inwit_engine::facts::ShownFact;
use inwit_engine::notes::get::parse_address;
use inwit_engine::notes::search::MORE_HOLD;
use inwit_engine::notes::timeline::{Ask, TIMELINE_ENTRIES_MAX};
use inwit_engine::{Answer, Bounds, DayEdge, EngineError, Excerpt, Lines, ModelText, Notice, Past, Search};
use inwit_model::fact::When;
use inwit_model::limit::RESULTS_MAX;
use inwit_model::plural::counted;
use inwit_model::{Code, Hint, Scope};
use inwit_wire::tools::Arguments;
use inwit_wire::tools::answer::Shaped;
use inwit_wire::tools::minara_facts::MemoryV1;
use inwit_wire::tools::reading::{FileMissingV1, FileReadV1, OmittedV1, PassageV1, SearchedV1};
use inwit_wire::{AnswerV1, AsOfV1, ExcerptV1, MomentV1, TextV1, TimelineV1, ToolErrorV1};
use jiff::civil::Date;

use super::{minara, with_notices};
use crate::call::{Answered, usage};
use crate::connection::Connection;
use crate::hints::value;
use crate::{cursor, fit, resources};

/// Characters of one passage in the short text of an answer.
const LINE_CHARS_MAX: usize = 300;

/// Characters of a file in the short text of an answer; the answer itself has the rest.
pub(super) const MIRROR_CHARS_MAX: usize = 4_000;

/// `memory_search`.
pub(super) fn search(connection: &Connection, said: &Arguments) -> Answered {
    let (given, limit) = (begun(said)?, said.size("limit").unwrap_or(1));
    let kinds = said.texts("kinds").unwrap_or_default();
    // Pages continue through passages; facts are on the first page only.
    let (facts, told) = match (given, kinds.contains(&"facts")) {
        (0, true) => facts(connection, said, limit)?,
        (0, false) if kinds.is_empty() => beside(connection, said, limit),
        _ => (Vec::new(), Vec::new()),
    };
    if !kinds.is_empty() && !kinds.contains(&"passages") {
        let answer = SearchedV1 {
            nothing_near: facts.is_empty(),
            notices: super::told(&told),
            facts: Some(fact_rows(&facts, said)),
            ..SearchedV1::default()
        };
        return Ok((value(&answer), with_notices(&answer.notices, minara::lines(&facts))));
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
    // Pages cover all matches here, so the number shown is not reported.
    found.notices.retain(|notice| notice.code != MORE_HOLD);
    found.notices.extend(holding(&found, given + limit));
    found.notices.extend(connection_notices(connection));
    found.notices.extend(told);
    let as_of = past.as_ref().map(|past| AsOfV1::from(past.of()));
    let whole = AnswerV1 { as_of, ..AnswerV1::new(&found, said.flag("explain")) };
    let mut answer = SearchedV1::new(whole, said.flag("explain"));
    let mut hits: Vec<PassageV1> = std::mem::take(&mut answer.results).into_iter().skip(given).collect();
    let more = hits.len() > limit;
    hits.truncate(limit);
    let is_far = found.nothing_near && !hits.is_empty();
    // Facts that were not requested must not displace passages.
    let beside = if kinds.is_empty() { fact_rows(&facts, said) } else { Vec::new() };
    let taken = beside.iter().map(fit::tokens_of).sum();
    let page = Page::of(hits, more, given, said, taken);
    (answer.results, answer.omitted, answer.next_cursor) = (page.rows, page.omitted, page.next_cursor);
    let text = with_notices(&answer.notices, page.text);
    let text = if is_far { format!("No close match; nearest results:\n{text}") } else { text };
    if kinds.contains(&"facts") || !facts.is_empty() {
        answer.facts = Some(fact_rows(&facts, said));
    }
    // Facts may answer what notes do not.
    answer.nothing_near &= facts.is_empty();
    let text = if facts.is_empty() { text } else { format!("{}\n{text}", minara::lines(&facts)) };
    Ok((value(&answer), text))
}

/// Facts with source, times and metadata; `explain` adds details.
fn fact_rows(facts: &[ShownFact], said: &Arguments) -> Vec<MemoryV1> {
    let row = if said.flag("explain") { MemoryV1::from } else { MemoryV1::brief };
    facts.iter().map(row).collect()
}

/// The total number of matches of an expression, if this page is not the last.
fn holding(found: &Answer, until: usize) -> Option<Notice> {
    let holding = found.holding.filter(|holding| *holding > until)?;
    let message = format!("The expression matches {holding} passages.");
    Some(Notice::new(MORE_HOLD, message, "Use the cursor to get more results."))
}

/// The requested past state, in the scope of the connection; `None` for the present.
fn past<'c>(connection: &'c Connection, said: &Arguments) -> Result<Option<Past<'c>>, ToolErrorV1> {
    let Some(text) = said.text("as_of").filter(|text| !text.trim().is_empty()) else { return Ok(None) };
    let moment = connection.agent.core.moment(text, DayEdge::End)?;
    Ok(Some(connection.agent.as_of(&connection.scope, moment)?))
}

/// Facts and their notices.
type FactsAnswer = (Vec<ShownFact>, Vec<Notice>);

/// Some facts beside passages, if no kind was requested. Queries with days search notes only, since facts have none.
/// A failure here does not fail the answer.
fn beside(connection: &Connection, said: &Arguments, limit: usize) -> FactsAnswer {
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
                    "Not all matching facts are shown.",
                    "Call again with `kinds: [\"facts\"]` to get all of them.",
                ));
            }
            (found.facts, told)
        }
        Err(error) => {
            let message = format!("The facts were not searched: {}", error.error.message);
            (Vec::new(), vec![Notice::new("facts_not_searched", message, Hint::SeeWhatIsWrong)])
        }
    }
}

/// The times for which facts are queried: when they were true, and when they were believed.
pub(super) fn when(connection: &Connection, said: &Arguments) -> Result<When, ToolErrorV1> {
    let at = |name: &str| {
        let asked = said.text(name).filter(|text| !text.trim().is_empty());
        asked.map(|text| connection.agent.core.moment(text, DayEdge::End)).transpose()
    };
    Ok(When { as_of: at("as_of")?, believed_at: at("believed_at")? })
}

/// Facts that match the query; the newest if it is empty. For a past time, those that were true or believed then.
fn facts(connection: &Connection, said: &Arguments, limit: usize) -> Result<FactsAnswer, ToolErrorV1> {
    let query = said.text("query").unwrap_or_default();
    let when = when(connection, said)?;
    if query.trim().is_empty() && when == When::default() {
        let (facts, notice) = minara::newest(connection, None, limit)?;
        return Ok((facts, notice.into_iter().collect()));
    }
    if query.trim().is_empty() {
        return Err(usage(
            "Searching facts with `as_of` or `believed_at` needs a query.",
            "Name in `query` what the facts are about.",
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
            usage(format!("`{shown}` is not a day."), "Write a day as 2026-11-21.")
        })
    });
    let ask = Ask {
        around: around.transpose()?,
        days: said.whole("days").and_then(|days| u16::try_from(days).ok()).unwrap_or_default(),
        skip: given,
        limit: limit.min(TIMELINE_ENTRIES_MAX),
    };
    let told = connection.agent.notes.timeline(&connection.scope, &ask)?;
    let page = Page::of(told.moments.iter().map(MomentV1::from).collect(), told.more, given, said, 0);
    let answer = TimelineV1 {
        entries: page.rows,
        notices: super::told(&told.notices),
        omitted: page.omitted,
        next_cursor: page.next_cursor,
    };
    Ok((value(&answer), with_notices(&answer.notices, page.text)))
}

/// Number of results of earlier pages.
fn begun(said: &Arguments) -> Result<usize, ToolErrorV1> {
    cursor::given(said.text("cursor"), &question(said))
}

/// What a cursor is bound to.
fn question(said: &Arguments) -> String {
    said.line(&["cursor", "limit", "max_tokens"])
}

/// A result in a list of several.
trait Row: Shaped {
    /// Its text.
    fn text_mut(&mut self) -> &mut TextV1;

    /// The result in one or two lines.
    fn line(&self) -> String;
}

impl Row for PassageV1 {
    fn text_mut(&mut self) -> &mut TextV1 {
        &mut self.text
    }

    fn line(&self) -> String {
        line(&self.citation, self.heading.as_ref(), self.taint, &self.text)
    }
}

impl Row for MomentV1 {
    fn text_mut(&mut self) -> &mut TextV1 {
        &mut self.text
    }

    fn line(&self) -> String {
        line(&self.citation, self.heading.as_ref(), self.taint, &self.text)
    }
}

/// Text that becomes a finding only when joined or cut is masked when the short text is made.
fn line(citation: &str, heading: Option<&TextV1>, taint: Option<&str>, text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut = words.char_indices().nth(LINE_CHARS_MAX).map(|(end, _)| format!("{}…", &words[..end]));
    let shown = cut.unwrap_or(words);
    let heading = heading.map(|heading| format!(" ({heading})")).unwrap_or_default();
    format!("[{citation}]{}{heading} {shown}", whose(taint))
}

/// The results that fit, the omissions, the next cursor, and the short text.
struct Page<T> {
    rows: Vec<T>,
    omitted: Option<OmittedV1>,
    next_cursor: Option<String>,
    text: String,
}

impl<T: Row> Page<T> {
    /// `taken` tokens are already used.
    fn of(rows: Vec<T>, more: bool, before: usize, said: &Arguments, taken: u64) -> Self {
        let most = said.whole("max_tokens").unwrap_or(u64::MAX).saturating_sub(taken);
        let (mut rows, left) = fit::first_of(rows, most);
        // At least one is returned, even if it exceeds the limit.
        let cut = rows.first_mut().map_or(0, |row| fit::cut_text(row, T::text_mut, most));
        let mut lines: Vec<String> = rows.iter().map(T::line).collect();
        if lines.is_empty() {
            lines.push("No results.".to_owned());
        }
        if cut > 0 {
            lines.push(format!(
                "{cut} characters did not fit into max_tokens. Call `memory_get` to read them."
            ));
        }
        if left > 0 {
            lines.push(format!("{left} more did not fit into max_tokens."));
        }
        let omitted = OmittedV1 { chars: (cut > 0).then_some(cut), results: (left > 0).then_some(left) };
        let next_cursor = ((more || left > 0) && !rows.is_empty())
            .then(|| cursor::behind(before + rows.len(), &question(said)));
        lines.extend(next_cursor.iter().map(|next| format!("More results: use cursor {next}")));
        let omitted = (omitted != OmittedV1::default()).then_some(omitted);
        Self { rows, omitted, next_cursor, text: lines.join("\n") }
    }
}

/// The taint of a result, as text.
pub(super) fn whose(taint: Option<&str>) -> String {
    taint.map(|taint| format!(" (from a {taint}, not reviewed)")).unwrap_or_default()
}

/// Problems at the start of the connection, for the owner only.
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
        Err(error) if matches!(error.code, Code::FileMissing | Code::LineMissing) => {
            let (missing, text) = missing(&path, lines, &read);
            let notices = super::told(past.iter().flat_map(Past::notices));
            let answer = FileMissingV1 { as_of, notices, ..missing };
            return Ok((value(&answer), with_notices(&answer.notices, text)));
        }
        read => read?,
    };
    let mut read = ExcerptV1 { as_of, ..ExcerptV1::from(excerpt) };
    let (shown, left) = fit::beginning(&read.text, said.whole("max_tokens").unwrap_or(u64::MAX));
    if left > 0 {
        let given = shown.bytes().filter(|byte| *byte == b'\n').count().max(1);
        read.text = read.text.head(shown.len()).into();
        read.lines = u32::try_from(given).unwrap_or(u32::MAX);
        read.truncated = true;
        read.next_from = Some(read.from.saturating_add(read.lines));
    }
    let mut mirror = mirrored(&read.text);
    if read.taint.is_some() {
        mirror.insert_str(0, &format!("[{}]{}\n", read.path, whose(read.taint)));
    }
    if let Some(next) = read.next_from {
        mirror.push_str(&format!("\n[More text: use from={next}.]"));
    }
    let answer = FileReadV1 {
        excerpt: read,
        omitted: (left > 0).then(|| OmittedV1 { chars: Some(left), ..OmittedV1::default() }),
        notices: super::told(past.iter().flat_map(Past::notices).chain(&notice)),
    };
    Ok((value(&answer), with_notices(&answer.notices, mirror)))
}

/// The beginning of a text, with a mark that it was truncated.
pub(super) fn mirrored(text: &ModelText) -> String {
    match text.cut(MIRROR_CHARS_MAX) {
        None => text.to_string(),
        Some(head) => {
            let left = text.chars().count() - MIRROR_CHARS_MAX;
            format!("{head}\n[{left} more characters are in the structured answer.]")
        }
    }
}

fn whole(said: &Arguments, name: &str) -> Option<u32> {
    said.whole(name).and_then(|number| u32::try_from(number).ok())
}

/// A missing file, or lines out of range.
fn missing(
    path: &str,
    lines: Lines,
    read: &dyn Fn(Lines) -> Result<(Excerpt<ModelText>, Option<Notice>), EngineError>,
) -> (FileMissingV1, String) {
    let missing = FileMissingV1 { path: path.to_owned(), ..FileMissingV1::default() };
    let whole = match lines.from {
        None | Some(1) => None,
        _ => read(Lines::default()).ok(),
    };
    let Some((whole, _)) = whole else {
        return (missing, format!("{} does not exist.", inwit_model::name::shown(path)));
    };
    let (total, hash) = (whole.total_lines, whole.sha256.to_string());
    let text =
        format!("{} has {}; the requested lines are out of range.", whole.name, counted(total, "line"));
    (FileMissingV1 { total_lines: Some(total), sha256: Some(hash), ..missing }, text)
}
