//! Which passages of a file are searched: everything that a reader sees of it.
//!
//! Front matter, headings with nothing below them and link definitions are searched as passages of their own. The
//! words of the file's name, and of a title in its front matter, are words of a heading above all of them
//! ([`page_words`]). Invariant: index, feedback and lifetimes cut a file alike.

use std::collections::BTreeSet;

use inwit_markdown::{Document, Field, Passage, PassageKind};
use inwit_model::{FileKind, Place, SafeName};

use crate::core::template_text::TemplateLines;

/// The passages of `document` that a search of the file `name` reads, in order.
pub(crate) fn passages<'d>(name: &SafeName, document: &'d Document<'_>) -> Vec<&'d Passage> {
    let kind = FileKind::at(name.as_str());
    // Lines of a template are instructions for its author and no content.
    let template = kind.map(TemplateLines::of);
    let is_template = |passage: &Passage| {
        template.as_ref().is_some_and(|template| {
            document.text(&passage.span).lines().all(|line| template.holds(line) || template.heads(line))
        })
    };
    // In a file known by its name, front matter is for machines.
    let is_for_machines = |passage: &Passage| kind.is_some() && passage.kind == PassageKind::FrontMatter;
    let is_read = |passage: &&Passage| !is_for_machines(passage) && !is_template(passage);
    let mut all: Vec<&Passage> = document.passages.iter().chain(&document.bare).filter(is_read).collect();
    if !document.bare.is_empty() {
        all.sort_by_key(|passage| passage.span.start);
    }
    all
}

/// Most bytes of these words that are read: they are analysed once for each heading.
const PAGE_WORDS_BYTES_MAX: usize = 400;

/// The words of a heading above the whole file: its name and folders, and the titles in its front matter. Folders and
/// names that a layout gives, such as `memory`, and dates are none.
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
    let fields = document
        .front_matter
        .as_ref()
        .and_then(|block| inwit_markdown::front_matter::fields(&document.text(&block.inner)).ok());
    let fields = fields.unwrap_or_default();
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
