//! What of a message the user wrote themselves: no code blocks, quotes, elements or pasted text.
//!
//! Invariant: in doubt a passage counts as quoted; a quote across a gap is no quote.

/// Stands where something was left out. No quote contains it.
pub const GAP: char = '\u{1}';

/// Lines that announce text of others, up to the end of the message.
const PASTED: &[&str] = &[
    "[pasted", "(pasted", "pasted:", "pasted text", "--- pasted", "---------- forwarded message",
    "-----original message", "begin forwarded message", "-----ursprüngliche nachricht",
    "---------- weitergeleitete nachricht", "-----mensaje original", "---------- mensaje reenviado",
    "-----message d'origine", "---------- message transféré", "-----原始邮件", "---------- 转发",
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
    let (mut own, mut fence) = (String::new(), None::<&str>);
    for (at, line) in lines.iter().enumerate() {
        let bare = line.trim();
        let mark = ["```", "~~~"].into_iter().find(|mark| bare.starts_with(mark));
        let is_foreign = match (fence, mark) {
            (None, Some(mark)) => {
                // A fence of one line has its end in it.
                fence = (!bare[mark.len()..].contains(mark)).then_some(mark);
                true
            }
            (Some(open), Some(mark)) if open == mark => {
                fence = None;
                true
            }
            (open, _) => open.is_some() || bare.starts_with(['>', '＞']),
        };
        if !is_foreign && is_pasted(bare, lines.get(at + 1).map_or("", |next| next.trim())) {
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
    own
}

fn is_pasted(line: &str, next: &str) -> bool {
    let lower = line.to_lowercase();
    let is_header = |line: &str| HEADERS.iter().any(|header| line.to_lowercase().starts_with(header));
    PASTED.iter().any(|mark| lower.starts_with(mark)) || is_header(line) && is_header(next)
}

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
        if let Some(close) = close {
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
        assert_eq!(own("mine\n> quoted\nmine too"), "mine/|/mine too");
        assert_eq!(own("see\n```rust\nlet x = 1;\n```\nok"), "see/|/|/|/ok");
        assert_eq!(own("see\n~~~\n```\nnot closed"), "see/|/|/|");
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
