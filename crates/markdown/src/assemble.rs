//! Builds sections, entries and passages from regions, covering every byte.
//!
//! Text without parser events (link definitions, `§` lines, dropped text) lies between two regions and is placed
//! here, line by line. So the coverage invariant of [`Document`](crate::Document) holds by construction.

use std::ops::Range;

use crate::cut::{Part, parts};
use crate::guard::SEPARATOR;
use crate::limit::FILE_PARTS_MAX;
use crate::passage::NO_ENTRY;
use crate::split::split;
use crate::view::View;
use crate::walk::{Region, What};
use crate::{Entry, Gap, GapKind, Passage, PassageKind, Section};

/// What recall reads of a document.
#[derive(Default)]
pub(crate) struct Cut {
    pub passages: Vec<Passage>,
    pub bare: Vec<Passage>,
    /// Lines above a passage that it belongs to, by the index of the passage, in order.
    pub contexts: Vec<(u32, Range<usize>)>,
    /// Passages that are there because entries were cut into parts.
    parts: usize,
}

/// The parts of a document while they grow. Offsets are those of the view.
pub(crate) struct Assembly<'t> {
    text: &'t str,
    /// The text as parsed: `§` lines are blank here.
    masked: &'t str,
    children: &'t [Range<usize>],
    pub sections: Vec<Section>,
    pub entries: Vec<Entry>,
    pub languages: Vec<(u32, String)>,
    /// Where the passages go, if anybody wants them.
    cut: Option<&'t mut Cut>,
    /// The last heading, as long as nothing stands below it.
    bare_heading: Option<Passage>,
    pub gaps: Vec<Gap>,
    /// Sections that are not ended yet, outermost first.
    open: Vec<usize>,
    ordinal: u32,
    /// Up to here line ends are counted: offset and 1-based line.
    counted: (usize, u32),
}

impl<'t> Assembly<'t> {
    /// Nothing but the section before the first heading, which begins at `start`.
    pub fn new(
        text: &'t str,
        masked: &'t str,
        children: &'t [Range<usize>],
        start: usize,
        cut: Option<&'t mut Cut>,
    ) -> Self {
        let end = text.len();
        let (heading, body, span) = (start..start, start..end, start..end);
        let first = Section { level: 0, title: String::new(), heading, body, span, parent: None };
        let (entries, languages, gaps, open) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let counted = (0, 1);
        Self {
            text,
            masked,
            children,
            sections: vec![first],
            entries,
            languages,
            cut,
            bare_heading: None,
            gaps,
            open,
            ordinal: 0,
            counted,
        }
    }

    /// Places all regions, and all that lies from `start` between and behind them.
    pub fn lay(&mut self, regions: Vec<Region>, start: usize) {
        let mut at = start;
        for Region { span, what } in regions {
            let span = span.start.max(at)..span.end.max(at);
            let span = match &what {
                What::Heading { .. } => span,
                What::Block { kind, .. } => self.trimmed_as(span, *kind),
                What::Break | What::Comment => self.trimmed(span),
            };
            if span.is_empty() {
                continue;
            }
            self.stray(at..span.start);
            at = match what {
                What::Heading { level, title } => self.heading(span, level, &title),
                What::Block { kind, language } => self.entry(span, kind, language),
                What::Break => self.gap(span, GapKind::Break),
                What::Comment => self.gap(span, GapKind::Comment),
            };
        }
        self.stray(at..self.text.len());
        self.keep_bare_heading();
    }

    /// Adds a block as an entry; gives the end of its last non-blank.
    pub fn entry(&mut self, span: Range<usize>, kind: PassageKind, language: Option<String>) -> usize {
        let span = self.trimmed_as(span, kind);
        if span.is_empty() {
            return span.end;
        }
        let (end, section, entry) = (span.end, self.sections.len() as u32 - 1, self.entries.len() as u32);
        self.bare_heading = None;
        if let Some(cut) = self.cut.take() {
            let from = self.children.partition_point(|child| child.start <= span.start);
            let to = self.children.partition_point(|child| child.start < span.end);
            let children = &self.children[from..to.max(from)];
            let whole = || vec![Part { span: span.clone(), kind, context: Vec::new() }];
            let parts = if cut.parts < FILE_PARTS_MAX {
                parts(self.text, span.clone(), kind, children)
            } else {
                whole()
            };
            cut.parts += parts.len() - 1;
            let first = cut.passages.len();
            for Part { span, kind, context } in parts {
                for piece in split(self.text, span, children) {
                    let lines = (self.line(piece.start), self.line(piece.end));
                    let index = cut.passages.len() as u32;
                    cut.contexts.extend(context.iter().map(|line| (index, line.clone())));
                    let (ordinal, part) = (self.ordinal, (index - first as u32 + 1, 0));
                    cut.passages.push(Passage { span: piece, lines, section, ordinal, kind, entry, part });
                    self.ordinal += 1;
                }
            }
            let parts = (cut.passages.len() - first) as u32;
            cut.passages[first..].iter_mut().for_each(|passage| passage.part.1 = parts);
            self.cut = Some(cut);
        }
        self.languages.extend(language.map(|language| (entry, language)));
        self.entries.push(Entry { span, section, kind });
        end
    }

    fn heading(&mut self, span: Range<usize>, level: u8, title: &str) -> usize {
        if let Some(last) = self.sections.last_mut() {
            last.body.end = span.start;
        }
        if self.sections.len() == 1 {
            self.sections[0].span.end = span.start;
        }
        while let Some(above) = self.open.pop_if(|above| self.sections[*above].level >= level) {
            self.sections[above].span.end = span.start;
        }
        let (end, all) = (span.end, self.text.len());
        let (body, whole, parent) = (end..all, span.start..all, self.open.last().copied());
        // A heading above another one is a part of its path.
        let is_above = parent.is_some_and(|parent| parent + 1 == self.sections.len());
        if is_above {
            self.bare_heading = None;
        }
        self.keep_bare_heading();
        if !title.trim().is_empty() {
            self.bare_heading = self.bare(span.clone(), parent.unwrap_or(0), PassageKind::Heading);
        }
        self.open.push(self.sections.len());
        let title = View::shown(title.trim());
        self.sections.push(Section { level, title, heading: span, body, span: whole, parent });
        self.ordinal = 0;
        end
    }

    fn gap(&mut self, span: Range<usize>, kind: GapKind) -> usize {
        let span = self.trimmed(span);
        let end = span.end;
        self.gaps.push(Gap { span, kind });
        end
    }

    /// What stands at `span` and is no entry, where passages are wanted and it is no blank.
    fn bare(&mut self, span: Range<usize>, section: usize, kind: PassageKind) -> Option<Passage> {
        let span = self.trimmed(span);
        if self.cut.is_none() || span.is_empty() {
            return None;
        }
        let lines = (self.line(span.start), self.line(span.end));
        Some(Passage {
            span,
            lines,
            section: section as u32,
            ordinal: 0,
            kind,
            entry: NO_ENTRY,
            part: (1, 1),
        })
    }

    fn keep_bare_heading(&mut self) {
        if let (Some(cut), Some(heading)) = (&mut self.cut, self.bare_heading.take()) {
            cut.bare.push(heading);
        }
    }

    /// Places text between regions: `§` lines, definitions, and what was dropped.
    fn stray(&mut self, span: Range<usize>) {
        if self.text[span.clone()].trim().is_empty() {
            return;
        }
        let mut chunk = span.start..span.start;
        let mut at = span.start;
        for line in self.text[span.clone()].split_inclusive('\n') {
            let line_span = at..at + line.len();
            at = line_span.end;
            let line = line.trim();
            if line.is_empty() || line == SEPARATOR || line.starts_with('[') {
                self.chunk(chunk);
                chunk = line_span.start..line_span.start;
            }
            if line == SEPARATOR {
                let start =
                    line_span.start + self.text[line_span.clone()].find(SEPARATOR).unwrap_or_default();
                self.gaps.push(Gap { span: start..start + SEPARATOR.len(), kind: GapKind::Separator });
                chunk = at..at;
            } else {
                chunk.end = at;
            }
        }
        self.chunk(chunk);
    }

    fn chunk(&mut self, span: Range<usize>) {
        if is_definition(self.text[span.clone()].trim()) {
            self.keep_bare_heading();
            let definition = self.bare(span.clone(), self.sections.len() - 1, PassageKind::Definition);
            if let (Some(cut), Some(definition)) = (&mut self.cut, definition) {
                cut.bare.push(definition);
            }
            self.gap(span, GapKind::Definition);
        } else {
            self.entry(span, PassageKind::Paragraph, None);
        }
    }

    /// Code keeps the indent of its first line.
    fn trimmed_as(&self, span: Range<usize>, kind: PassageKind) -> Range<usize> {
        if kind == PassageKind::Code { self.trimmed_end(span) } else { self.trimmed(span) }
    }

    fn trimmed(&self, span: Range<usize>) -> Range<usize> {
        let span = self.trimmed_end(span);
        let start = span.end - self.masked[span.clone()].trim_start().len();
        start..span.end
    }

    /// Without blanks at the end and blank lines at the start.
    fn trimmed_end(&self, span: Range<usize>) -> Range<usize> {
        let end = span.start + self.masked[span.clone()].trim_end().len();
        let blank = self.masked[span.start..end].len() - self.masked[span.start..end].trim_start().len();
        let lines = self.masked[span.start..span.start + blank].rfind('\n').map_or(0, |at| at + 1);
        span.start + lines..end
    }

    /// The 1-based line of an offset; offsets must not fall.
    fn line(&mut self, offset: usize) -> u32 {
        let (from, line) = self.counted;
        let passed = self.text.as_bytes()[from..offset].iter().filter(|byte| **byte == b'\n').count();
        self.counted = (offset, line + passed as u32);
        self.counted.1
    }
}

/// `[a]: destination` with a possible destination. `[Ada]: hello` is a speaker.
fn is_definition(text: &str) -> bool {
    let Some((_, destination)) = text.strip_prefix('[').and_then(|text| text.split_once("]:")) else {
        return false;
    };
    let destination = destination.split_whitespace().next().unwrap_or("");
    destination.starts_with('<') || destination.contains(['/', '.', '#', ':', '\\'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_with_nothing_below_and_a_definition_are_bare() {
        let bare = |text: &str| -> Vec<(String, (u32, u32), Vec<String>)> {
            let document = crate::parse(text.as_bytes());
            let path =
                |at: u32| document.heading_path(at as usize).iter().map(|title| title.to_string()).collect();
            let bare = document.bare.iter();
            bare.map(|it| (document.text(&it.span).into_owned(), it.lines, path(it.section))).collect()
        };
        let owned = |path: &[&str]| path.iter().map(|title| title.to_string()).collect::<Vec<_>>();
        assert_eq!(
            bare("# A\r\n## B\r\n### C\r\n## D\r\ntext\r\n# E\r\n"),
            [("### C".to_owned(), (3, 3), owned(&["A", "B"])), ("# E".to_owned(), (6, 6), Vec::new()),]
        );
        assert_eq!(
            bare("## A\n\n[a]: https://e.org\n"),
            [
                ("## A".to_owned(), (1, 1), Vec::new()),
                ("[a]: https://e.org".to_owned(), (3, 3), owned(&["A"])),
            ]
        );
        assert_eq!(bare("# A\n- a\n#\n"), []);
    }

    #[test]
    fn only_a_place_makes_a_definition() {
        for text in ["[a]: https://e.org", "[a]: <b c>", "[a]: b.md \"title\"", "[a]:\n#there"] {
            assert!(is_definition(text), "{text}");
        }
        for text in ["[Ada]: hello", "[^1]: word", "[a] b", "a: b", ""] {
            assert!(!is_definition(text), "{text}");
        }
    }
}
