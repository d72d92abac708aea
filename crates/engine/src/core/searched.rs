//! Cuts a file into the passages that are searched: all text that a reader sees.
//!
//! Front matter, headings without text and link definitions become separate passages. The words of the file's name
//! and of a front matter title act as a heading above all of them ([`page_words`]). Invariant: index, feedback and
//! lifetimes cut a file alike.

use std::collections::{BTreeMap, BTreeSet};

use inwit_markdown::{Document, Field, Passage, PassageKind};
use inwit_model::{FileKind, Place, SafeName};
use inwit_recall::time::passage::date_in;
use jiff::civil::Date;

use crate::core::template_text::TemplateLines;

/// The searched passages of `document`, the file `name`, in order.
pub(crate) fn passages<'d>(name: &SafeName, document: &'d Document<'_>) -> Vec<&'d Passage> {
    let kind = FileKind::at(name.as_str());
    // Template lines are instructions for the author, not content.
    let template = kind.map(TemplateLines::of);
    let is_template = |passage: &Passage| {
        template.as_ref().is_some_and(|template| {
            document.text(&passage.span).lines().all(|line| template.holds(line) || template.heads(line))
        })
    };
    // In a known file, front matter is for programs.
    let is_for_machines = |passage: &Passage| kind.is_some() && passage.kind == PassageKind::FrontMatter;
    let is_read = |passage: &&Passage| !is_for_machines(passage) && !is_template(passage);
    let mut all: Vec<&Passage> = document.passages.iter().chain(&document.bare).filter(is_read).collect();
    if !document.bare.is_empty() {
        all.sort_by_key(|passage| passage.span.start);
    }
    all
}

/// The date of a whole file: that of a daily log, otherwise the one in the file name, otherwise the front matter `date`.
/// So an Obsidian vault has its daily notes by day, in whatever folder they are. A known file such as MEMORY.md has none.
pub(crate) fn file_date(name: &SafeName, document: &Document<'_>) -> Option<Date> {
    let place = Place::of(name)?;
    if matches!(place, Place::File(_) | Place::LegacyMemory | Place::Room { .. }) {
        return None;
    }
    let stem = name.file().rsplit_once('.').map_or(name.file(), |(stem, _)| stem);
    let in_front_matter = || match fields(document).get("date") {
        Some(Field::Text(text)) => date_in(text),
        _ => None,
    };
    place.date().or_else(|| date_in(stem)).or_else(in_front_matter)
}

fn fields(document: &Document<'_>) -> BTreeMap<String, Field> {
    let block = document.front_matter.as_ref();
    let fields = block.map(|block| inwit_markdown::front_matter::fields(&document.text(&block.inner)));
    fields.and_then(Result::ok).unwrap_or_default()
}

/// Most bytes of these words: they are analysed once per heading.
const PAGE_WORDS_BYTES_MAX: usize = 400;

/// The heading words of a whole file: its name, folders and front matter titles, without layout names such as
/// `memory`, and without dates.
pub(crate) fn page_words(name: &SafeName, document: &Document<'_>) -> String {
    let named = match Place::of(name) {
        None | Some(Place::File(_) | Place::LegacyMemory | Place::Journal(_) | Place::RoomMemory { .. }) => {
            ""
        }
        Some(Place::Room { .. }) => "",
        Some(Place::Topic) => name.as_str().strip_prefix("memory/topics/").unwrap_or_default(),
        Some(Place::Memory) => name.as_str().strip_prefix("memory/").unwrap_or_default(),
        Some(Place::Note) => name.as_str().strip_prefix("notes/").unwrap_or_default(),
        Some(_) => name.as_str(),
    };
    let stem = named.rsplit_once('.').map_or(named, |(stem, _)| stem);
    let mut words: BTreeSet<&str> = stem.split('/').filter(|part| !part.is_empty()).collect();
    let fields = fields(document);
    let titles = ["title", "aliases", "alias"].into_iter().filter_map(|field| fields.get(field));
    for title in titles {
        match title {
            Field::Text(text) => drop(words.insert(text.trim())),
            Field::List(all) => words.extend(all.iter().map(|one| one.trim())),
            Field::Other => {}
        }
    }
    words.retain(|words| !words.is_empty());
    let mut all = words.into_iter().collect::<Vec<_>>().join("\n");
    all.truncate(all.floor_char_boundary(PAGE_WORDS_BYTES_MAX));
    all
}
