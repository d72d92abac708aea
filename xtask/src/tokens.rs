//! Rust source as tokens: words, literals and single marks, with their lines and without comments.
//!
//! Enough to ask where a name stands, not to parse: `::` is two marks, a number is one word. Invariant:
//! no name inside a comment or a literal is a word, and nothing is an error.

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An identifier, a keyword or a number.
    Word,
    /// The content of a string literal, without its quotes.
    Text,
    /// One character of punctuation, a character literal or a lifetime.
    Mark,
}

/// One token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'a> {
    /// What it is.
    pub kind: Kind,
    /// How it is written.
    pub text: &'a str,
    /// Its line, from 1.
    pub line: usize,
}

impl Token<'_> {
    /// Whether it is this word or mark.
    pub fn is(&self, text: &str) -> bool {
        self.kind != Kind::Text && self.text == text
    }
}

/// Reads all tokens. A literal or comment without an end goes to the end of the text.
pub fn of(text: &str) -> Vec<Token<'_>> {
    let mut reader = Reader { text, at: 0, line: 1, tokens: Vec::new() };
    while reader.at < text.len() {
        reader.step();
    }
    reader.tokens
}

/// The tokens before the tests: up to `#[cfg(test)] mod NAME {`. The attribute before anything else cuts nothing.
pub fn product<'t, 'a>(tokens: &'t [Token<'a>]) -> &'t [Token<'a>] {
    const TESTS: [&str; 8] = ["#", "[", "cfg", "(", "test", ")", "]", "mod"];
    let begins = |tokens: &[Token<'_>]| {
        TESTS.iter().zip(tokens).all(|(text, token)| token.is(text)) && tokens[TESTS.len() + 1].is("{")
    };
    let end = tokens.windows(TESTS.len() + 2).position(begins);
    &tokens[..end.unwrap_or(tokens.len())]
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    tokens: Vec<Token<'a>>,
}

impl<'a> Reader<'a> {
    fn step(&mut self) {
        let text: &'a str = self.text;
        let rest = &text[self.at..];
        let bytes = rest.as_bytes();
        match bytes[0] {
            byte if byte.is_ascii_whitespace() => {
                self.skip(bytes.iter().take_while(|byte| byte.is_ascii_whitespace()).count());
            }
            b'/' if bytes.get(1) == Some(&b'/') => self.skip(rest.find('\n').unwrap_or(rest.len())),
            b'/' if bytes.get(1) == Some(&b'*') => self.skip(comment(bytes)),
            b'"' => self.string(1),
            b'\'' => self.push(Kind::Mark, 0, quoted(rest), quoted(rest)),
            byte if is_word(byte) => self.word(rest),
            _ => self.push(Kind::Mark, 0, 1, 1),
        }
    }

    /// A word, or the prefix of a string: `r"`, `b"`, `br#"`, `c"`.
    fn word(&mut self, rest: &'a str) {
        let length = rest.bytes().position(|byte| !is_word(byte)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(length);
        let hashes = behind.bytes().take_while(|byte| *byte == b'#').count();
        let is_quoted = behind.as_bytes().get(hashes) == Some(&b'"');
        match word {
            "r" | "br" | "cr" if is_quoted => self.raw(length, hashes),
            "b" | "c" if behind.starts_with('"') => self.string(length + 1),
            "b" if behind.starts_with('\'') => {
                let whole = length + quoted(behind);
                self.push(Kind::Mark, 0, whole, whole);
            }
            "r" if hashes == 1 && behind[1..].bytes().next().is_some_and(is_word) => self.skip(length + 1),
            _ => self.push(Kind::Word, 0, length, length),
        }
    }

    /// A string with escapes whose content begins `open` bytes from here.
    fn string(&mut self, open: usize) {
        let bytes = &self.text.as_bytes()[self.at..];
        let mut end = open;
        while end < bytes.len() && bytes[end] != b'"' {
            end += if bytes[end] == b'\\' { 2 } else { 1 };
        }
        let end = end.min(bytes.len());
        self.push(Kind::Text, open, end, (end + 1).min(bytes.len()));
    }

    /// A raw string after a prefix of `prefix` bytes and `hashes` marks.
    fn raw(&mut self, prefix: usize, hashes: usize) {
        let open = prefix + hashes + 1;
        let rest = &self.text[self.at..];
        let close = format!("\"{}", "#".repeat(hashes));
        let end = rest[open..].find(&close).map_or(rest.len(), |at| open + at);
        self.push(Kind::Text, open, end, (end + close.len()).min(rest.len()));
    }

    /// Keeps the bytes `from..to` from here as a token and goes `whole` bytes on.
    fn push(&mut self, kind: Kind, from: usize, to: usize, whole: usize) {
        let text = self.text.get(self.at + from..self.at + to).unwrap_or_default();
        self.tokens.push(Token { kind, text, line: self.line });
        self.skip(whole);
    }

    fn skip(&mut self, bytes: usize) {
        let passed = &self.text.as_bytes()[self.at..self.at + bytes];
        self.line += passed.iter().filter(|byte| **byte == b'\n').count();
        self.at += bytes;
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Bytes of a block comment, with those inside it.
fn comment(bytes: &[u8]) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while at < bytes.len() {
        match &bytes[at..bytes.len().min(at + 2)] {
            b"/*" => (depth, at) = (depth + 1, at + 2),
            b"*/" => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

/// Bytes of a character literal or a lifetime that begins with the quote.
fn quoted(rest: &str) -> usize {
    let mut chars = rest.char_indices().skip(1);
    match (chars.next(), chars.next()) {
        (Some((_, '\\')), _) => {
            // Behind the escaped character, so that `'\''` ends at its last quote.
            rest.get(3..).and_then(|behind| behind.find('\'')).map_or(rest.len(), |at| at + 4)
        }
        (Some(_), Some((at, '\''))) => at + 1,
        _ => 1 + rest[1..].bytes().position(|byte| !is_word(byte)).unwrap_or(rest.len() - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        of(text).into_iter().filter(|token| token.kind == Kind::Word).map(|token| token.text).collect()
    }

    #[test]
    fn words_stand_outside_comments_and_literals() {
        assert_eq!(words("a // b\n/* c /* d */ e */ f"), ["a", "f"]);
        assert_eq!(words(r##"a "b \" c" r"d\" e r#"f " g"# h br"i" c"j" b"k""##), ["a", "e", "h"]);
        assert_eq!(words(r"a '\'' b 'c' d '\u{1F600}' e b'\n' f 'é' g"), ["a", "b", "d", "e", "f", "g"]);
        assert_eq!(
            words("fn f<'a>(x: &'a str, r#type: u8) -> 'static {}"),
            ["fn", "f", "x", "str", "type", "u8"]
        );
        assert_eq!(words("größe 0x1F_u8 1.5e3"), ["größe", "0x1F_u8", "1", "5e3"]);
    }

    #[test]
    fn marks_are_single_and_lines_are_counted() {
        let tokens = of("a::b\n\n\"x\ny\" c");
        let seen: Vec<_> = tokens.iter().map(|token| (token.text, token.line)).collect();
        assert_eq!(seen, [("a", 1), (":", 1), (":", 1), ("b", 1), ("x\ny", 3), ("c", 4)]);
    }

    #[test]
    fn the_product_ends_where_a_module_of_tests_begins() {
        for (text, words) in [
            ("a #[cfg(test)] mod tests { b } ", 1),
            ("a #[cfg(test)]\nmod tests;\nb", 6),
            ("fn a() { #[cfg(test)] b(); } c", 6),
        ] {
            let tokens = of(text);
            let product = product(&tokens).iter().filter(|token| token.kind == Kind::Word).count();
            assert_eq!(product, words, "{text}");
        }
    }

    #[test]
    fn what_has_no_end_goes_to_the_end() {
        for open in ["a \"b", "a \"b\\", "a r#\"b\"", "a /* b", "a '\\", "a 'b", "a '", "a b'"] {
            assert_eq!(words(open).first(), Some(&"a"), "{open}");
        }
    }
}
