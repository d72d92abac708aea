//! What holds for every input: coverage, order, equal readings, and edits that touch nothing else.

use std::ops::Range;

use inwit_markdown::limit::PASSAGE_CHARS_MAX;
use inwit_markdown::{Document, append_entry, append_section, apply, is_without_diagnostics, parse, shown};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Pieces that mean something to Markdown, to be strung together in any order.
const PIECES: &[&str] = &[
    "# ", "## ", "### H\n", "\n", "\n\n", "\n\n", " ", "    ", "\t", "- ", "* ", "1. ", "2) ", "> ", "```\n",
    "~~~rust\n", "---\n", "===\n", "***\n", "| a | b |\n", "|---|---|\n", "a|b\n-|-\n", "<!-- ", " -->",
    "<!-- trigger: a -->", "<div>\n", "</div>\n", "<b>", "§\n", "\n§\n", "[a]: b\n", "[a]: http://e.org\n",
    "[a](b)", "[[c#d|e]]", "![f](g)", "[^1]: n\n", "Ada: ", "**Bob:** ", "[D1:3] ", "- [x] ", "14:03 ",
    "word ", "more words here. ", "é", "米。", "\u{a0}", "\0", "\\", "`", "*", "_", "~~", "\r", "\r\n",
    "…\n", "text\n", "  - child\n", "- item\n", "<script>\n", "<?", "&amp;", "\u{1A}", "\u{2028}",
    "\u{FEFF}", "...\n", "<!---->", "$", ":", "：",
];

/// What diagnostics are told of, and what stands around it.
const TELLING: &[&str] = &[
    "~~~", "```", "<!--", "-->", "---", "\n", "\n", "\r", "\0", "\u{FEFF}", "fact: a word", " ", "é", "1. x",
    "> ",
];

fn telling() -> impl Strategy<Value = String> {
    let deep = select(&[">", "- ", "+ ", "* ", "1. "][..]).prop_map(|mark| mark.repeat(200));
    let piece = prop_oneof![6 => select(TELLING).prop_map(str::to_owned), 1 => deep];
    vec(piece, 0..5).prop_map(|pieces| pieces.concat())
}

fn markdown() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        12 => select(PIECES).prop_map(str::to_owned),
        1 => "[a-z .\n]{0,40}",
        1 => (select(&["word ", "word. ", "米", "x", "l\n", "  - c\n", ">", "- "][..]), 1..800_usize)
            .prop_map(|(word, times)| word.repeat(times)),
    ];
    vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn any_bytes() -> impl Strategy<Value = Vec<u8>> {
    let part = prop_oneof![markdown().prop_map(String::into_bytes), vec(any::<u8>(), 0..20)];
    vec(part, 0..4).prop_map(|parts| parts.concat())
}

/// The bytes that are a blank character or part of one, or belong to front matter or a heading.
fn unowned(document: &Document<'_>) -> Vec<bool> {
    let bytes = document.bytes();
    let mut unowned = vec![false; bytes.len()];
    let mut at = 0;
    for chunk in bytes.utf8_chunks() {
        for (offset, letter) in chunk.valid().char_indices().filter(|(_, letter)| letter.is_whitespace()) {
            unowned[at + offset..at + offset + letter.len_utf8()].fill(true);
        }
        at += chunk.valid().len() + chunk.invalid().len();
    }
    let front = document.front_matter.iter().map(|front| &front.span);
    for span in front.chain(document.sections.iter().map(|section| &section.heading)) {
        unowned[span.clone()].fill(true);
    }
    unowned[..if document.bom { 3 } else { 0 }].fill(true);
    unowned
}

fn is_apart_and_in_order<'a>(spans: impl Iterator<Item = &'a Range<usize>>) -> bool {
    let mut end = 0;
    spans.into_iter().all(|span| {
        let fits = end <= span.start && span.start < span.end;
        end = span.end;
        fits
    })
}

fn check_document(document: &Document<'_>) -> Result<(), TestCaseError> {
    prop_assert!(is_apart_and_in_order(document.passages.iter().map(|passage| &passage.span)));
    prop_assert!(is_apart_and_in_order(document.entries.iter().map(|entry| &entry.span)));
    prop_assert!(is_apart_and_in_order(document.gaps.iter().map(|gap| &gap.span)));
    prop_assert!(is_apart_and_in_order(document.comments.iter().map(|comment| &comment.span)));
    prop_assert!(is_apart_and_in_order(document.sections[1..].iter().map(|section| &section.heading)));
    for passage in &document.passages {
        let text = document.text(&passage.span);
        prop_assert!(text.replace("\r\n", "\n").chars().count() <= PASSAGE_CHARS_MAX);
        prop_assert!(!text.trim().is_empty());
        let body = &document.sections[passage.section as usize].body;
        let front = document.front_matter.as_ref().map_or(0..0, |front| front.span.clone());
        let inside = |span: &Range<usize>| span.start <= passage.span.start && passage.span.end <= span.end;
        prop_assert!(inside(body) || inside(&front) || body.start > passage.span.end, "{passage:?} {body:?}");
        let entry = &document.entries[passage.entry as usize];
        prop_assert!(inside(&entry.span));
        for line in document.context(passage) {
            prop_assert!(
                entry.span.start <= line.start && line.end <= passage.span.start,
                "{line:?} {passage:?}"
            );
        }
        prop_assert!(
            document
                .label(passage)
                .is_none_or(|label| entry.span.start <= label.start && label.end <= entry.span.end)
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn every_byte_that_says_something_has_one_place(text in markdown()) {
        let document = parse(text.as_bytes());
        check_document(&document)?;
        let unowned = unowned(&document);
        let mut owners = vec![0_u8; text.len()];
        let passages = document.passages.iter().map(|passage| &passage.span);
        for span in passages.chain(document.gaps.iter().map(|gap| &gap.span)) {
            prop_assert!(text.is_char_boundary(span.start) && text.is_char_boundary(span.end));
            owners[span.clone()].iter_mut().for_each(|count| *count += 1);
        }
        for at in 0..text.len() {
            prop_assert!(unowned[at] || owners[at] == 1, "byte {at} has {} places in {text:?}", owners[at]);
        }
    }

    /// The glance before the parser: what it lets by has no diagnostic.
    #[test]
    fn what_a_glance_finds_nothing_in_has_no_diagnostic(bytes in any_bytes(), line in telling()) {
        for bytes in [bytes.as_slice(), line.as_bytes()] {
            if is_without_diagnostics(bytes) {
                prop_assert_eq!(&parse(bytes).diagnostics, &[]);
            }
        }
    }

    #[test]
    fn any_bytes_are_read(bytes in any_bytes()) {
        let document = parse(&bytes);
        check_document(&document)?;
        let lines = |end: usize| 1 + view_lines(&bytes[..end]);
        for passage in &document.passages {
            prop_assert_eq!(passage.lines, (lines(passage.span.start), lines(passage.span.end)));
        }
    }

    #[test]
    fn line_ends_change_no_reading(text in markdown()) {
        let lf = text.replace('\r', "");
        let (one, crlf, cr) = (lf.clone(), lf.replace('\n', "\r\n"), lf.replace('\n', "\r"));
        let read = |text: &str| -> Vec<_> {
            let document = parse(text.as_bytes());
            let unify = |text: &str| text.replace("\r\n", "\n").replace('\r', "\n");
            document.passages.iter().map(|passage| (unify(&document.text(&passage.span)), passage.lines, passage.kind, passage.part)).collect()
        };
        prop_assert_eq!(read(&one), read(&crlf));
        prop_assert_eq!(read(&one), read(&cr));
    }

    #[test]
    fn an_edit_touches_nothing_outside_its_span(
        bytes in any_bytes(),
        section in 0..4_usize,
        text in select(&["- new entry", "new entry", "- a\n  - b\n- c", "Ada: hi\nthere", "```\ncode\n```", "# no"][..]),
    ) {
        let document = parse(&bytes);
        let edits = [
            append_entry(&document, section, text),
            append_section(&document, 2, "New", text),
        ];
        for (which, edit) in edits.into_iter().enumerate() {
            let Ok(edit) = edit else { continue };
            prop_assert!(edit.span.is_empty(), "append only inserts");
            let after = apply(&bytes, std::slice::from_ref(&edit)).unwrap();
            prop_assert_eq!(&after[..edit.span.start], &bytes[..edit.span.start]);
            prop_assert_eq!(&after[edit.span.start + edit.with.len()..], &bytes[edit.span.end..]);
            let read = parse(&after);
            let wanted = text.lines().next().unwrap();
            let has = read.entries.iter().any(|entry| read.text(&entry.span).starts_with(wanted))
                || read.sections.iter().any(|section| section.title == wanted.trim_start_matches("# "));
            prop_assert!(has, "{:?}", read.text(&(0..after.len())));
            prop_assert!(which == 1 || read.sections.len() == document.sections.len());
        }
    }

    #[test]
    fn an_ordinary_file_takes_every_entry(
        body in vec(select(&["- a\n", "- b <!-- trigger: x -->\n", "para\n", "\n", "## H\n", "> q\n", "1. n\n", "---\n\n", "| a |\n|---|\n"][..]), 0..12),
        end in select(&["", "last", "- last"][..]),
        eol in select(&["\n", "\r\n"][..]),
    ) {
        let bytes = format!("# Top\n{}{end}", body.concat()).replace('\n', eol).into_bytes();
        let document = parse(&bytes);
        for section in 1..document.sections.len() {
            let edit = append_entry(&document, section, "- new");
            prop_assert!(edit.is_ok(), "{:?} {edit:?}", document.text(&(0..bytes.len())));
        }
    }

    #[test]
    fn a_shown_text_is_the_text_without_some_comments(text in markdown()) {
        let shown = shown(&text);
        let mut letters = text.chars();
        prop_assert!(shown.chars().all(|letter| letters.any(|next| next == letter)));
        prop_assert!(text.contains("trigger: a") || shown == text);
    }
}

/// Line ends as readers count them: LF, CRLF and lone CR are one each.
fn view_lines(bytes: &[u8]) -> u32 {
    let feeds = bytes.iter().filter(|byte| **byte == b'\n').count();
    let lone = (0..bytes.len()).filter(|at| bytes[*at] == b'\r' && bytes.get(at + 1) != Some(&b'\n')).count();
    (feeds + lone) as u32
}
