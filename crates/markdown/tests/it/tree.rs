//! A document as lines of text, for golden files and for comparing two readings.

use std::fmt::Write;
use std::ops::Range;

use inwit_markdown::{Document, carrier};

/// All that a document says, one thing a line, texts shortened.
pub fn tree(document: &Document<'_>) -> String {
    let mut out = String::new();
    let mut line = |text: String| writeln!(out, "{text}").expect("a string takes all text");
    line(format!("eol {:?}, bom {}, {} bytes", document.eol, document.bom, document.bytes().len()));
    if let Some(front) = &document.front_matter {
        line(format!("front matter {:?} inner {:?}", front.span, front.inner));
    }
    for (at, section) in document.sections.iter().enumerate() {
        line(format!(
            "section {at} level {} {:?} of {:?}",
            section.level,
            document.heading_path(at),
            section.parent
        ));
        for entry in document.entries.iter().filter(|entry| entry.section as usize == at) {
            let passages = || {
                document.passages.iter().filter(|passage| document.entries[passage.entry as usize] == *entry)
            };
            let label = passages().next().and_then(|passage| document.label(passage));
            let label = label.map(|label| format!(" label {:?}", document.text(&label)));
            let language =
                document.languages.iter().find(|(code, _)| document.entries[*code as usize] == *entry);
            let language = language.map(|(_, language)| format!(" language {language}"));
            line(format!("  {:?}{}{}", entry.kind, label.unwrap_or_default(), language.unwrap_or_default()));
            for passage in passages() {
                let ((first, last), (part, parts)) = (passage.lines, passage.part);
                let of = if parts > 1 { format!(" part {part}/{parts}") } else { String::new() };
                line(format!(
                    "    {} L{first}-L{last}{of} {}",
                    passage.ordinal,
                    brief(document, &passage.span)
                ));
            }
        }
    }
    document.gaps.iter().for_each(|gap| line(format!("gap {:?} {}", gap.kind, brief(document, &gap.span))));
    for link in &document.links {
        let rest = [("#", &link.heading), ("|", &link.alias)];
        let rest: String =
            rest.iter().filter_map(|(mark, part)| Some(format!(" {mark}{}", part.as_ref()?))).collect();
        line(format!("link {:?} {:?}{rest}", link.kind, link.target));
    }
    for comment in &document.comments {
        let inner = document.text(&comment.inner);
        line(format!("comment alone {} {:?}", comment.alone, carrier(&inner)));
    }
    document
        .diagnostics
        .iter()
        .for_each(|found| line(format!("diagnostic {:?} {:?}", found.kind, found.span)));
    out
}

fn brief(document: &Document<'_>, span: &Range<usize>) -> String {
    let text = document.text(span);
    let chars: Vec<char> = text.chars().collect();
    match chars.len() {
        0..=72 => format!("{text:?}"),
        length => {
            let (head, tail): (String, String) =
                (chars[..40].iter().collect(), chars[length - 20..].iter().collect());
            format!("{head:?} … {tail:?} ({length} characters)")
        }
    }
}
