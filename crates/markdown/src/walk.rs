//! One pass over the library's events: top-level regions, with their links and comments.
//!
//! The library provides structure only; no text is taken from it except titles and destinations. No function here is
//! recursive, so depth cannot exhaust the stack.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, LinkType, Options, Parser, Tag};

use crate::comment::{self, Comment};
use crate::guard::marks_end;
use crate::view::View;
use crate::{Diagnostic, DiagnosticKind, Link, LinkKind, PassageKind};

// Footnotes stay off: `[^1]: text` is then a paragraph or a definition, and its containers cannot nest.
const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_WIKILINKS);

/// What stands at the top level, in order.
pub(crate) struct Region {
    pub span: Range<usize>,
    pub what: What,
}

pub(crate) enum What {
    Heading { level: u8, title: String },
    Block { kind: PassageKind, language: Option<String> },
    Break,
    Comment,
}

/// All that one pass finds. Offsets are those of the view.
#[derive(Default)]
pub(crate) struct Walk {
    pub regions: Vec<Region>,
    /// Items that are nested in others, in order of their start.
    pub children: Vec<Range<usize>>,
    pub links: Vec<Link>,
    pub comments: Vec<Comment>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Walks `text` from `start`; what stands before is front matter.
pub(crate) fn walk(text: &str, start: usize) -> Walk {
    let mut walk = Walk::default();
    let end = marks_end(text, start, &mut walk.diagnostics);
    let (mut depth, mut in_list, mut in_heading) = (0_usize, false, false);
    for (event, span) in Parser::new_ext(&text[start..end], OPTIONS).into_offset_iter() {
        let span = start + span.start..start + span.end;
        match event {
            Event::Start(tag) => {
                let top = depth == 0 || (depth == 1 && in_list);
                in_list = if depth == 0 { matches!(tag, Tag::List(_)) } else { in_list };
                in_heading |= top && matches!(tag, Tag::Heading { .. });
                walk.start(text, tag, span, top);
                depth += 1;
            }
            Event::End(_) => {
                depth -= 1;
                in_heading &= depth > 0;
            }
            Event::Rule if depth == 0 => walk.regions.push(Region { span, what: What::Break }),
            Event::Text(words) | Event::Code(words) if in_heading => walk.title(&words),
            Event::SoftBreak | Event::HardBreak if in_heading => walk.title(" "),
            Event::InlineHtml(html) if html.starts_with("<!--") => walk.comments_in(text, span, false),
            _ => {}
        }
    }
    walk
}

impl Walk {
    fn start(&mut self, text: &str, tag: Tag<'_>, span: Range<usize>, top: bool) {
        match tag {
            Tag::Link { link_type, dest_url, .. } => {
                self.link(text, span, link_type, &dest_url, LinkKind::Link)
            }
            Tag::Image { link_type, dest_url, .. } => {
                self.link(text, span, link_type, &dest_url, LinkKind::Image)
            }
            Tag::HtmlBlock => self.html(text, span, top),
            Tag::Item if !top => self.children.push(span),
            _ if !top => {}
            Tag::List(_) => {}
            Tag::Heading { level, .. } => {
                let what = What::Heading { level: level as u8, title: String::new() };
                self.regions.push(Region { span: to_line_end(text, span), what });
            }
            Tag::CodeBlock(kind) => self.code(text, span, kind),
            Tag::Item => self.block(span, PassageKind::Item),
            Tag::Table(_) => self.block(span, PassageKind::Table),
            Tag::BlockQuote(_) => self.block(span, PassageKind::Quote),
            _ => self.block(span, PassageKind::Paragraph),
        }
    }

    fn block(&mut self, span: Range<usize>, kind: PassageKind) {
        self.regions.push(Region { span, what: What::Block { kind, language: None } });
    }

    fn title(&mut self, words: &str) {
        if let Some(Region { what: What::Heading { title, .. }, .. }) = self.regions.last_mut() {
            title.push_str(words);
        }
    }

    fn link(&mut self, text: &str, span: Range<usize>, form: LinkType, destination: &str, kind: LinkKind) {
        let destination = View::shown(destination);
        self.links.push(match form {
            LinkType::WikiLink { .. } => {
                let kind = if kind == LinkKind::Image { LinkKind::Embed } else { LinkKind::Wiki };
                Link::wiki(span.clone(), kind, &destination, &View::shown(&text[span]))
            }
            _ => Link { span, kind, target: destination, heading: None, alias: None },
        });
    }

    fn html(&mut self, text: &str, span: Range<usize>, top: bool) {
        let source = &text[span.clone()];
        let mut rest = 0;
        let only = comment::comments(source).all(|(comment, _)| {
            let blank = source[rest..comment.start].trim().is_empty();
            rest = comment.end;
            blank
        });
        let alone = top && only && rest > 0 && source[rest..].trim().is_empty();
        if let Some(at) = comment::unclosed(source) {
            let span = span.start + at..span.end;
            self.diagnostics.push(Diagnostic { span, kind: DiagnosticKind::CommentUnclosed });
        }
        self.comments_in(text, span.clone(), alone);
        if alone {
            self.regions.push(Region { span, what: What::Comment });
        } else if top {
            self.block(span, PassageKind::Html);
        }
    }

    fn comments_in(&mut self, text: &str, span: Range<usize>, alone: bool) {
        let place = |inside: Range<usize>| span.start + inside.start..span.start + inside.end;
        let found = comment::comments(&text[span.clone()]);
        self.comments.extend(found.map(|(whole, inner)| Comment {
            span: place(whole),
            inner: place(inner),
            alone,
        }));
    }

    fn code(&mut self, text: &str, span: Range<usize>, kind: CodeBlockKind<'_>) {
        // The indent of the first line is part of the code.
        let indent = text[..span.start].len() - text[..span.start].trim_end_matches([' ', '\t']).len();
        let span = span.start - indent..span.end;
        let language = match kind {
            CodeBlockKind::Indented => None,
            CodeBlockKind::Fenced(info) => {
                if text[span.end..].trim_start().is_empty() && !is_closed(&text[span.clone()]) {
                    let kind = DiagnosticKind::FenceUnclosed;
                    self.diagnostics.push(Diagnostic { span: span.clone(), kind });
                }
                info.split([' ', '\t', ',']).next().filter(|name| !name.is_empty()).map(View::shown)
            }
        };
        self.regions.push(Region { span, what: What::Block { kind: PassageKind::Code, language } });
    }
}

/// Whether the last line of a fenced block closes the fence of its first.
fn is_closed(block: &str) -> bool {
    let run = |line: &str| {
        let mark = line.chars().next().unwrap_or(' ');
        (mark, line.chars().take_while(|next| *next == mark).count())
    };
    let block = block.trim();
    let (mark, length) = run(block);
    let last = block.rsplit_once('\n').map_or("", |(_, last)| last.trim());
    let (last_mark, last_length) = run(last);
    last_mark == mark && last_length >= length && last.len() == last_length
}

/// The span up to and with the end of its last line.
fn to_line_end(text: &str, span: Range<usize>) -> Range<usize> {
    if text[..span.end].ends_with('\n') {
        return span;
    }
    let end = text[span.end..].find('\n').map_or(text.len(), |at| span.end + at + 1);
    span.start..end
}
