//! Boolean expressions over words: `"blue falcon" AND boat* NOT kitchen` (X46).
//!
//! A subset of FTS5's syntax: words, quoted phrases, prefixes with a star, `AND`, `OR`, `NOT` in capitals, brackets;
//! adjacent words mean `AND` and bind tightest. Case, accents and CJK forms are folded as in every query, but words
//! are not stemmed: `boat` does not match `boats`, `boat*` does. Invariant: a match depends only on the passage's
//! text and its headings.

use std::iter::Peekable;
use std::vec::IntoIter;

use unicode_normalization::char::is_combining_mark;

use crate::analyse::{JOINER, is_picture, is_spaceless, plain_words};

/// Most words of an expression.
pub const EXPRESSION_WORDS_MAX: usize = 64;

/// Deepest nesting of brackets.
pub const EXPRESSION_DEPTH_MAX: usize = 16;

/// A parsed expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expression {
    /// A phrase; its last word may be a prefix.
    Words {
        /// In folded form.
        words: Vec<String>,
        /// Whether the last word is a prefix.
        is_prefix: bool,
    },
    /// Both.
    And(Box<Self>, Box<Self>),
    /// Either or both.
    Or(Box<Self>, Box<Self>),
    /// The first and not the second.
    Not(Box<Self>, Box<Self>),
}

/// Why a text is not a valid expression.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExpressionError {
    /// A quote that is not closed.
    #[error("a quote is not closed")]
    OpenQuote,
    /// Brackets that do not match, or too many of them.
    #[error("its parentheses do not match, or are nested more than {EXPRESSION_DEPTH_MAX} levels deep")]
    Brackets,
    /// `AND`, `OR`, `NOT` or a star without its word.
    #[error("a word is missing at `{0}`")]
    NoWord(String),
    /// A symbol without a meaning here.
    #[error("`{0}` is allowed only inside quotes")]
    Sign(char),
    /// Too long.
    #[error("it has more than {EXPRESSION_WORDS_MAX} words")]
    TooLong,
}

/// A token.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Words(Vec<String>),
    Star,
    And,
    Or,
    Not,
    Open,
    Close,
}

impl Expression {
    /// Parses an expression.
    pub fn parse(text: &str) -> Result<Self, ExpressionError> {
        let pieces = pieces(text)?;
        let words = pieces.iter().map(|piece| match piece {
            Piece::Words(words) => words.iter().map(|word| weight(word)).sum(),
            _ => 0,
        });
        if words.sum::<usize>() > EXPRESSION_WORDS_MAX {
            return Err(ExpressionError::TooLong);
        }
        let mut reader = Reader { pieces: pieces.into_iter().peekable(), depth: 0 };
        let expression = reader.or()?;
        match reader.pieces.next() {
            None => Ok(expression),
            Some(piece) => Err(out_of_place(&piece)),
        }
    }

    /// The words that a match may have, in order, for ranking.
    pub fn wanted(&self) -> Vec<&str> {
        match self {
            Self::Words { words, .. } => words.iter().map(String::as_str).collect(),
            Self::And(left, right) | Self::Or(left, right) => [left.wanted(), right.wanted()].concat(),
            Self::Not(wanted, _) => wanted.wanted(),
        }
    }

    /// Whether a passage with this text and heading matches.
    pub fn holds(&self, text: &str, heading: &str) -> bool {
        self.holds_of(&[letters(text), letters(heading)])
    }

    fn holds_of(&self, texts: &[Vec<String>; 2]) -> bool {
        match self {
            Self::Words { words, is_prefix } => texts.iter().any(|said| stands(said, words, *is_prefix)),
            Self::And(left, right) => left.holds_of(texts) && right.holds_of(texts),
            Self::Or(left, right) => left.holds_of(texts) || right.holds_of(texts),
            Self::Not(wanted, unwanted) => wanted.holds_of(texts) && !unwanted.holds_of(texts),
        }
    }
}

/// How many words a word counts as: a word in a script without spaces may be many.
fn weight(word: &str) -> usize {
    const CHARS_OF_WORD: usize = 4;
    if word.chars().any(is_spaceless) { word.chars().count().div_ceil(CHARS_OF_WORD) } else { 1 }
}

/// Whether `words` occur consecutively in `said`.
fn stands(said: &[String], words: &[String], is_prefix: bool) -> bool {
    said.windows(words.len()).any(|window| {
        window.iter().zip(words).enumerate().all(|(at, (said, word))| {
            // A script without spaces has no word boundaries, so any substring may match.
            let is_part = word.chars().all(is_spaceless);
            let may_go_on = is_prefix && at + 1 == words.len();
            if is_part { said.contains(word) } else { said == word || may_go_on && said.starts_with(word) }
        })
    })
}

/// The words of a text by letters. An underscore separates, since it may be Markdown.
fn letters(text: &str) -> Vec<String> {
    let words = plain_words(text);
    let parts = words.iter().flat_map(|word| word.split('_')).filter(|part| !part.is_empty());
    parts.map(str::to_lowercase).collect()
}

/// The ASCII form of a syntax symbol from another keyboard.
fn plain_sign(c: char) -> char {
    match c {
        '“' | '”' | '„' | '‟' | '«' | '»' | '＂' => '"',
        '（' => '(',
        '）' => ')',
        '＊' => '*',
        '\u{3000}' => ' ',
        other => other,
    }
}

fn pieces(text: &str) -> Result<Vec<Piece>, ExpressionError> {
    let text: String = text.chars().map(plain_sign).collect();
    let (mut pieces, mut rest) = (Vec::new(), text.trim_start());
    while let Some(first) = rest.chars().next() {
        let behind = &rest[first.len_utf8()..];
        let (piece, left) = match first {
            '"' => {
                let (quoted, left) = behind.split_once('"').ok_or(ExpressionError::OpenQuote)?;
                (words_of(quoted)?, left)
            }
            '(' => (Piece::Open, behind),
            ')' => (Piece::Close, behind),
            '*' => (Piece::Star, behind),
            _ if is_of_word(first) => {
                let end = rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
                let piece = match &rest[..end] {
                    "AND" => Piece::And,
                    "OR" => Piece::Or,
                    "NOT" => Piece::Not,
                    word => words_of(word)?,
                };
                (piece, &rest[end..])
            }
            other => return Err(ExpressionError::Sign(other)),
        };
        pieces.push(piece);
        rest = left.trim_start();
    }
    Ok(pieces)
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric()
        || is_combining_mark(c)
        || is_spaceless(c)
        || is_picture(c)
        || matches!(c, '_' | JOINER)
}

fn words_of(text: &str) -> Result<Piece, ExpressionError> {
    let words = letters(text);
    if words.is_empty() {
        return Err(ExpressionError::NoWord(text.to_owned()));
    }
    Ok(Piece::Words(words))
}

fn out_of_place(piece: &Piece) -> ExpressionError {
    let sign = match piece {
        Piece::And => "AND",
        Piece::Or => "OR",
        Piece::Not => "NOT",
        Piece::Star => "*",
        Piece::Words(_) | Piece::Open | Piece::Close => return ExpressionError::Brackets,
    };
    ExpressionError::NoWord(sign.to_owned())
}

/// Precedence as in FTS5: adjacency, then `NOT`, `AND`, `OR`.
struct Reader {
    pieces: Peekable<IntoIter<Piece>>,
    depth: usize,
}

impl Reader {
    fn takes(&mut self, piece: &Piece) -> bool {
        self.pieces.next_if_eq(piece).is_some()
    }

    fn or(&mut self) -> Result<Expression, ExpressionError> {
        let mut left = self.and()?;
        while self.takes(&Piece::Or) {
            left = Expression::Or(Box::new(left), Box::new(self.and()?));
        }
        Ok(left)
    }

    fn and(&mut self) -> Result<Expression, ExpressionError> {
        let mut left = self.not()?;
        while self.takes(&Piece::And) {
            left = Expression::And(Box::new(left), Box::new(self.not()?));
        }
        Ok(left)
    }

    fn not(&mut self) -> Result<Expression, ExpressionError> {
        let mut left = self.beside()?;
        while self.takes(&Piece::Not) {
            left = Expression::Not(Box::new(left), Box::new(self.beside()?));
        }
        Ok(left)
    }

    fn beside(&mut self) -> Result<Expression, ExpressionError> {
        let mut left = self.one()?;
        while matches!(self.pieces.peek(), Some(Piece::Words(_) | Piece::Open)) {
            left = Expression::And(Box::new(left), Box::new(self.one()?));
        }
        Ok(left)
    }

    fn one(&mut self) -> Result<Expression, ExpressionError> {
        match self.pieces.next() {
            Some(Piece::Words(words)) => Ok(Expression::Words { words, is_prefix: self.takes(&Piece::Star) }),
            Some(Piece::Open) if self.depth < EXPRESSION_DEPTH_MAX => {
                self.depth += 1;
                let inner = self.or()?;
                self.depth -= 1;
                if self.takes(&Piece::Close) { Ok(inner) } else { Err(ExpressionError::Brackets) }
            }
            Some(piece) => Err(out_of_place(&piece)),
            None => Err(ExpressionError::NoWord("the end".to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn holds(expression: &str, text: &str) -> bool {
        Expression::parse(expression).expect(expression).holds(text, "Vigo harbour")
    }

    #[test]
    fn words_phrases_prefixes_and_operators_mean_what_they_say() {
        let text = "The _Blue Falcon_ slipped her moorings; café très cher, 我的密码. GitHub, HTTP_PROXY, __very strong__";
        for yes in [
            "falcon", "\"blue falcon\"", "\"Blue  FALCON\"", "slip*", "\"blue fal\"*", "falcon AND blue",
            "falcon boat OR slipped", "falcon NOT boat", "vigo falcon",
            "(boat OR falcon) AND (blue NOT red)", "cafe", "密码", "falcon OR boat AND harbor",
            "“Blue Falcon”", "«blue falcon»", "（boat OR falcon）AND slip＊", "github AND GITHUB", "git*",
            "http_proxy AND proxy AND HTTP_PROXY", "\"very strong\"", "\"AND\" OR falcon",
        ] {
            assert!(holds(yes, text), "{yes}");
        }
        for no in [
            "falcons", "fal", "\"falcon blue\"", "\"moorings café vigo\"", "slip", "falcon AND boat",
            "falcon NOT blue", "falcon NOT vigo", "falcon boat", "“falcon blue”", "（boat）",
            "(falcon OR boat) NOT slip*", "密文",
        ] {
            assert!(!holds(no, text), "{no}");
        }
    }

    #[test]
    fn what_stands_side_by_side_binds_tightest() {
        // FTS5 parses `a NOT b c` as `a NOT (b AND c)`.
        assert!(holds("falcon NOT blue boat", "blue falcon"));
        assert!(!holds("falcon NOT blue boat", "blue falcon boat"));
    }

    #[test]
    fn what_is_no_expression_says_why() {
        let why = |text: &str| Expression::parse(text).expect_err(text).to_string();
        assert_eq!(why("\"blue falcon"), "a quote is not closed");
        assert_eq!(why("what's up"), "`'` is allowed only inside quotes");
        assert_eq!(why("boat AND"), "a word is missing at `the end`");
        assert_eq!(why("NOT boat"), "a word is missing at `NOT`");
        assert_eq!(why("boat — falcon"), "`—` is allowed only inside quotes");
        assert_eq!(why("* boat"), "a word is missing at `*`");
        for text in ["(boat", "boat)", &"(".repeat(40)] {
            assert!(
                why(text).contains("parentheses") || why(text).contains("the end"),
                "{text}: {}",
                why(text)
            );
        }
        assert!(why(&"boat ".repeat(65)).contains("more than 64 words"));
        // Regression: a query of 30,000 such characters took 10 seconds over 27,000 passages.
        assert!(why(&"漢".repeat(257)).contains("more than 64 words"));
        assert!(Expression::parse(&"漢".repeat(256)).is_ok());
        assert!(why("").contains("the end") && why("\"…\"").contains("a word is missing"));
    }

    #[test]
    fn what_is_ranked_by_is_what_may_stand_there() {
        let expression = Expression::parse("\"blue falcon\" slip* NOT (kitchen OR red)").expect("good");
        assert_eq!(expression.wanted(), ["blue", "falcon", "slip"]);
    }

    proptest! {
        #[test]
        fn any_text_is_an_expression_or_says_why(text in r#"("|\(|\)|\*| |AND|OR|NOT|boat|密|é|\PC){0,30}"#) {
            if let Ok(expression) = Expression::parse(&text) {
                prop_assert!(!expression.wanted().is_empty());
                let _ = expression.holds("a boat", "");
            }
        }
    }
}
