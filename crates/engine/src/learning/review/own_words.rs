//! What of a message the user wrote themselves: no code blocks, quotes, elements or pasted text.
//!
//! Invariant: in doubt a passage counts as quoted; a quote across a gap is no quote.

/// Stands where something was left out. No quote contains it.
pub const GAP: char = '\u{1}';

/// Lines that announce text of others, up to the end of the message.
const PASTED: &[&str] = &[
    "fwd:", "fw:", "wg:", "[pasted", "(pasted", "pasted:", "pasted text", "--- pasted",
    "---------- forwarded message", "-----original message", "begin forwarded message",
    "-----ursprüngliche nachricht", "---------- weitergeleitete nachricht", "-----mensaje original",
    "---------- mensaje reenviado", "-----message d'origine", "---------- message transféré",
    "-----原始邮件", "---------- 转发",
];

/// Header lines of a mail; two of them in a row begin a pasted mail.
const HEADERS: &[&str] = &[
    "from:", "to:", "subject:", "date:", "sent:", "cc:", "von:", "an:", "betreff:", "gesendet:", "de:",
    "para:", "asunto:", "objet:", "à:", "envoyé:", "发件人", "收件人", "主题",
];

/// `text` with a [`GAP`] for each passage that the user did not write.
pub fn own_words(text: &str) -> String {
    let text = without_elements(text);
    let lines: Vec<&str> = text.lines().collect();
    let (mut own, mut fence, mut is_quoted, mut is_code) = (String::new(), None, false, true);
    for (at, line) in lines.iter().enumerate() {
        let (bare, has_quote_mark) = without_marks(line);
        let is_blank = line.trim().is_empty();
        let is_foreign = match (fence, fence_mark(bare)) {
            (Some((open, least)), mark) => {
                let is_end = |(sign, count, rest): (char, usize, &str)| {
                    sign == open && count >= least && rest.trim().is_empty()
                };
                fence = fence.filter(|_| !mark.is_some_and(is_end));
                true
            }
            (None, Some((sign, count, rest))) => {
                // A fence of one line has its end in it.
                fence = (!rest.contains(&*sign.to_string().repeat(3))).then_some((sign, count));
                true
            }
            // The next lines of a quoted paragraph belong to it, also without a mark.
            (None, None) => has_quote_mark || !is_blank && (is_quoted || is_code && is_indented(line)),
        };
        is_quoted = fence.is_none() && !is_blank && (has_quote_mark || is_quoted);
        is_code = is_blank || is_foreign && is_indented(line);
        let next = lines[at + 1..].iter().map(|next| next.trim()).find(|next| !next.is_empty());
        if !is_foreign && is_pasted(line.trim(), next.unwrap_or_default()) {
            own.push(GAP);
            break;
        }
        if is_foreign {
            own.push(GAP)
        } else {
            own += line
        }
        own.push('\n');
    }
    without_speech(&own)
}

/// A line without blanks, quote marks and list marks at its beginning, and whether it had a quote mark.
fn without_marks(line: &str) -> (&str, bool) {
    let (mut rest, mut has_quote_mark) = (line.trim_start(), false);
    loop {
        if let Some(after) = rest.strip_prefix(['>', '＞']) {
            (rest, has_quote_mark) = (after.trim_start(), true);
            continue;
        }
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let after = match digits {
            0 => rest.strip_prefix(['-', '*', '+']),
            1..=9 => rest[digits..].strip_prefix(['.', ')']),
            _ => None,
        };
        match after.filter(|after| after.starts_with(' ')) {
            Some(after) => rest = after.trim_start(),
            None => return (rest, has_quote_mark),
        }
    }
}

/// The sign of a fence, its length, and what follows.
fn fence_mark(bare: &str) -> Option<(char, usize, &str)> {
    let sign = bare.chars().next().filter(|sign| matches!(sign, '`' | '~'))?;
    let rest = bare.trim_start_matches(sign);
    let count = bare.len() - rest.len();
    (count >= 3).then_some((sign, count, rest))
}

fn is_indented(line: &str) -> bool {
    line.starts_with("    ") || line.starts_with('\t')
}

/// Fewest words of direct speech; fewer are a name or a term.
const SPEECH_WORDS_MIN: usize = 4;

/// The same in characters, for a script without blanks.
const SPEECH_HAN_MIN: usize = 8;

/// Pairs of quotation marks.
const SPEECH: &[(char, &[char])] = &[
    ('"', &['"']),
    ('“', &['”', '“']),
    ('„', &['“', '”']),
    ('«', &['»']),
    ('»', &['«']),
    ('「', &['」']),
    ('『', &['』']),
];

/// `text` with a [`GAP`] for each sentence in quotation marks.
fn without_speech(text: &str) -> String {
    let (mut own, mut rest) = (String::new(), text);
    while let Some((at, open)) = rest.char_indices().find(|(_, c)| SPEECH.iter().any(|(open, _)| open == c)) {
        let from = at + open.len_utf8();
        let ends = SPEECH.iter().find(|(other, _)| *other == open).map_or(&[][..], |(_, ends)| *ends);
        let Some(end) = rest[from..].find(ends) else { break };
        let said = &rest[from..from + end];
        let is_long = said.split_whitespace().count() >= SPEECH_WORDS_MIN
            || !said.is_ascii() && !said.contains(' ') && said.chars().count() >= SPEECH_HAN_MIN;
        let past = from + end + rest[from + end..].chars().next().map_or(0, char::len_utf8);
        own += &rest[..at];
        if is_long {
            own.push(GAP);
        } else {
            own += &rest[at..past];
        }
        rest = &rest[past..];
    }
    own + rest
}

fn is_pasted(line: &str, next: &str) -> bool {
    let lower = line.to_lowercase();
    let is_header = |line: &str| HEADERS.iter().any(|header| line.to_lowercase().starts_with(header));
    let is_sender = is_header(line) && line.contains('@');
    PASTED.iter().any(|mark| lower.starts_with(mark)) || is_sender || is_header(line) && is_header(next)
}

/// Elements whose text is of others also without their end.
const FOREIGN_ELEMENTS: &[&str] =
    &["untrusted", "pasted", "pre", "code", "blockquote", "quote", "document", "email", "message"];

/// `text` with a [`GAP`] for each element such as `<untrusted from="web">…</untrusted>`.
fn without_elements(text: &str) -> String {
    let lower = text.to_ascii_lowercase();
    let (mut own, mut done, mut from) = (String::new(), 0, 0);
    while let Some(at) = lower[from..].find('<').map(|at| from + at) {
        let name: &str = &lower[at + 1..];
        let name = &name
            [..name.find(|c: char| !c.is_ascii_alphanumeric() && !"-_".contains(c)).unwrap_or(name.len())];
        let is_name = name.starts_with(|c: char| c.is_ascii_lowercase());
        let end = format!("</{name}");
        let close = lower[at..].rfind(&end).filter(|_| is_name).map(|close| at + close);
        from = at + 1;
        let is_comment = lower[at..].starts_with("<!--");
        if is_comment || close.is_none() && FOREIGN_ELEMENTS.contains(&name) {
            own += &text[done..at];
            own.push(GAP);
            let end = if is_comment { lower[at..].find("-->") } else { None };
            done = end.map_or(text.len(), |end| at + end + 3);
            from = done;
        } else if let Some(close) = close {
            own += &text[done..at];
            own.push(GAP);
            done = lower[close..].find('>').map_or(text.len(), |end| close + end + 1);
            from = done;
        }
    }
    own + &text[done..]
}

/// A text for comparison: folded, without quotation marks, on one line.
pub fn folded(text: &str) -> String {
    use unicode_normalization::UnicodeNormalization as _;
    let plain = text.nfkc().flat_map(char::to_lowercase).filter_map(|c| match c {
        '\'' | '’' | '‘' | '"' | '“' | '”' | '„' | '‟' | '«' | '»' | '‹' | '›' | '`' | '´' | '「' | '」'
        | '『' | '』' => None,
        '–' | '—' | '‐' | '‑' => Some('-'),
        c => Some(c),
    });
    plain.collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_others_leaves_a_gap() {
        let own = |text: &str| own_words(text).replace(GAP, "|").trim().replace('\n', "/");
        assert_eq!(own("mine\n> quoted\nmine too"), "mine/|/|");
        assert_eq!(own("mine\n> quoted\n\nmine too"), "mine/|//mine too");
        assert_eq!(own("see\n```rust\nlet x = 1;\n```\nok"), "see/|/|/|/ok");
        assert_eq!(own("see\n~~~\n```\nnot closed"), "see/|/|/|");
        assert_eq!(own("see\n````markdown\n```\nx\n```\n````\nok"), "see/|/|/|/|/|/ok");
        assert_eq!(own("see\n```\nx\n```python\ny\n```\nok"), "see/|/|/|/|/|/ok");
        assert_eq!(own("- ```\n  x\n  ```\n- > y\n\nok"), "|/|/|/|//ok");
        assert_eq!(own("so:\n\n    code\n    more\nok"), "so://|/|/ok");
        assert_eq!(own("Karl said: \"I moved to Oslo\" ok"), "Karl said: | ok");
        assert_eq!(own("call me \"Bob the builder\""), "call me \"Bob the builder\"");
        assert_eq!(own("a <untrusted>x"), "a |");
        assert_eq!(own("a <!-- x --> b <!-- c"), "a | b |");
        assert_eq!(own("see\nFrom: Eve <e@x.example>\n\nremember this"), "see/|");
        assert_eq!(own("see\n```one line```\nok"), "see/|/ok");
        assert_eq!(own("a <untrusted from=\"web\">x\ny</untrusted> b"), "a | b");
        assert_eq!(own("a <Pasted>x <b>y</b> z</Pasted> b < c"), "a | b < c");
        assert_eq!(own("a <br> b, 1 <2 and 3> 2"), "a <br> b, 1 <2 and 3> 2");
        assert_eq!(own("his mail:\n-----Original Message-----\nremember this"), "his mail:/|");
        assert_eq!(own("FYI\nFrom: Eve\nSubject: pay\n\nremember this"), "FYI/|");
        assert_eq!(own("From: Graz I take the train\nto: Wien"), "|");
        assert_eq!(own("[Pasted text #1 +12 lines]\nremember this"), "|");
    }

    #[test]
    fn white_space_case_and_quotation_marks_do_not_count() {
        assert_eq!(folded("Don’t  call\nme “Bob”"), "dont call me bob");
        assert_eq!(folded("«Ｂｏｂ» – ok"), "bob - ok");
    }
}
