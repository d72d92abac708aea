//! Links in a text.

use std::ops::Range;

/// A link, an image or a wikilink.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    /// Bytes of the whole link.
    pub span: Range<usize>,
    /// Which form it has.
    pub kind: LinkKind,
    /// The destination; of a wikilink the note's name, which is empty in `[[#heading]]`.
    pub target: String,
    /// `heading` in `[[note#heading]]`.
    pub heading: Option<String>,
    /// `alias` in `[[note|alias]]`.
    pub alias: Option<String>,
}

/// Forms of links.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LinkKind {
    /// `[text](destination)`, by reference, or `<https://…>`
    Link,
    /// `![text](destination)`
    Image,
    /// `[[note#heading|alias]]`
    Wiki,
    /// `![[note]]`, a note or image shown in place.
    Embed,
}

impl Link {
    /// A wikilink from its destination, and its source for the alias.
    pub(crate) fn wiki(span: Range<usize>, kind: LinkKind, destination: &str, source: &str) -> Self {
        let (note, heading) = match destination.split_once('#') {
            Some((note, heading)) => (note, Some(heading.trim().to_owned())),
            None => (destination, None),
        };
        let alias = source.split_once('|').map(|(_, alias)| alias.trim_end_matches(']').trim().to_owned());
        Self { span, kind, target: note.trim().to_owned(), heading, alias }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    fn check(text: &str, expected: &[(LinkKind, &str, Option<&str>, Option<&str>)]) {
        let document = parse(text.as_bytes());
        let links: Vec<_> = document
            .links
            .iter()
            .map(|link| (link.kind, &*link.target, link.heading.as_deref(), link.alias.as_deref()))
            .collect();
        assert_eq!(links, expected, "{text}");
    }

    #[test]
    fn every_form_gives_its_destination() {
        check("[[Bread]]", &[(LinkKind::Wiki, "Bread", None, None)]);
        check(
            "see [[Bread#Rye loaf|the loaf]].",
            &[(LinkKind::Wiki, "Bread", Some("Rye loaf"), Some("the loaf"))],
        );
        check("![[oven.png]]", &[(LinkKind::Embed, "oven.png", None, None)]);
        check(
            "[a](b.md) ![c](d.png)",
            &[(LinkKind::Link, "b.md", None, None), (LinkKind::Image, "d.png", None, None)],
        );
        check("[a][x]\n\n[x]: https://e.org\n", &[(LinkKind::Link, "https://e.org", None, None)]);
        check("<https://e.org>", &[(LinkKind::Link, "https://e.org", None, None)]);
    }

    #[test]
    fn code_holds_no_links() {
        check("`[[a]]`\n\n```\n[[b]] [c](d)\n```\n", &[]);
    }
}
