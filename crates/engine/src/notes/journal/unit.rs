//! Splits a message into units: sentences, list items, table rows and code lines.
//!
//! A table row includes its column heads, and a heading precedes its text, so that each unit is readable alone.
//! Invariant: every word of a unit is a word of the message, and units keep its order.

use inwit_recall::analyse::is_spaceless;

/// Longest line of code that is a unit, in characters.
const CODE_LINE_CHARS_MAX: usize = 160;

/// Most lines of one code block that are units: the first with a value.
const CODE_LINES_MAX: usize = 8;

/// Longest heading that is put before its text, in characters.
const HEADING_CHARS_MAX: usize = 48;

/// The kind of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A sentence of a paragraph.
    Sentence,
    /// An item of a list.
    Item,
    /// A row of a table.
    Row,
    /// A line of code.
    Code,
}

/// A part of a message, with its worth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// Its text.
    pub text: String,
    /// Its kind.
    pub kind: Kind,
    /// Its worth: decision, date or number, name, value.
    pub weight: u32,
}

/// Length of the separator between two units.
const JOINT_CHARS: usize = 3;

impl Unit {
    /// Its length in a digest, in characters.
    pub fn chars(&self) -> usize {
        self.text.chars().count() + JOINT_CHARS
    }
}

/// State of the parser.
#[derive(Default)]
struct Reading<'t> {
    units: Vec<Unit>,
    /// The info string and lines of the open code block.
    code: Option<(&'t str, Vec<&'t str>)>,
    /// The column heads of the open table.
    heads: Option<Vec<&'t str>>,
    /// The last heading, while nothing follows it.
    heading: Option<&'t str>,
    /// Whether that heading is a bold line, which may be a sentence.
    is_bold: bool,
}

/// The units of `text`, in order, without program output.
pub fn units(text: &str) -> Vec<Unit> {
    let mut reading = Reading::default();
    text.lines().for_each(|line| reading.line(line.trim()));
    reading.end_code();
    reading.end_heading();
    reading.units
}

impl<'t> Reading<'t> {
    fn line(&mut self, line: &'t str) {
        if let Some(mark) = ["```", "~~~"].into_iter().find(|mark| line.starts_with(mark)) {
            match &self.code {
                None => self.code = Some((mark, Vec::new())),
                Some((open, _)) if *open == mark => self.end_code(),
                Some(_) => {}
            }
            return;
        }
        if let Some((_, lines)) = &mut self.code {
            lines.push(line);
            return;
        }
        if let Some(cells) = cells(line) {
            return self.row(cells);
        }
        if is_frame(line) {
            return;
        }
        self.heads = None;
        if let Some(title) = heading(line) {
            self.end_heading();
            self.heading = Some(title);
            self.is_bold = line.starts_with('*');
            return;
        }
        if is_noise(line) {
            return;
        }
        // Quoted text is someone else's, so each sentence keeps its mark.
        if let Some(quoted) = line.strip_prefix('>') {
            let quoted = split(quoted.trim_start_matches(['>', ' ']));
            quoted
                .into_iter()
                .for_each(|words| self.add(Kind::Sentence, &format!("> {words}"), weight(words)));
            return;
        }
        let plain = line;
        match item(plain) {
            Some(words) => self.add(Kind::Item, words, weight(words) + 1),
            None => {
                let plain = plain.trim_start_matches(['#', ' ']);
                split(plain).into_iter().for_each(|words| self.add(Kind::Sentence, words, weight(words)));
            }
        }
    }

    /// A short block is kept whole, since part of a command is misleading; of a long one the lines with values.
    fn end_code(&mut self) {
        let Some((_, mut lines)) = self.code.take() else { return };
        lines.retain(|line| is_code(line));
        if lines.len() > CODE_LINES_MAX {
            lines.retain(|line| is_value(line));
        }
        lines
            .into_iter()
            .take(CODE_LINES_MAX)
            .for_each(|line| self.add(Kind::Code, line, u32::from(is_value(line))));
    }

    /// A bold line with nothing below it is a sentence.
    fn end_heading(&mut self) {
        if let Some(title) = self.heading.take().filter(|_| self.is_bold) {
            self.add(Kind::Sentence, title, weight(title));
        }
    }

    fn row(&mut self, cells: Vec<&'t str>) {
        let is_rule = cells.iter().all(|cell| cell.chars().all(|c| matches!(c, '-' | ':' | ' ')));
        if is_rule {
            return;
        }
        let Some(heads) = &self.heads else {
            self.heads = Some(cells);
            return;
        };
        let (first, others) = cells.split_first().unwrap_or((&"", &[]));
        let named = others.iter().zip(heads.iter().skip(1).chain(std::iter::repeat(&"")));
        let values: Vec<String> = named
            .filter(|(cell, _)| !cell.is_empty())
            .map(|(cell, head)| if head.is_empty() { (*cell).to_owned() } else { format!("{head} {cell}") })
            .collect();
        let text = match (first.is_empty(), values.is_empty()) {
            (_, true) => (*first).to_owned(),
            (true, false) => values.join(", "),
            (false, false) => format!("{first}: {}", values.join(", ")),
        };
        self.add(Kind::Row, &text, 2);
    }

    fn add(&mut self, kind: Kind, words: &str, weight: u32) {
        let words = words.trim();
        if !words.chars().any(char::is_alphanumeric) {
            return;
        }
        let text = match self.heading.take() {
            Some(heading) if matches!(kind, Kind::Sentence | Kind::Row) => format!("{heading}: {words}"),
            // A heading applies to all items below it.
            Some(heading) => {
                self.units.push(Unit { text: format!("{heading}:"), kind: Kind::Item, weight });
                words.to_owned()
            }
            None => words.to_owned(),
        };
        self.units.push(Unit { text, kind, weight });
    }
}

/// The cells of a table row. An escaped bar belongs to its cell.
fn cells(line: &str) -> Option<Vec<&str>> {
    let inner = line.strip_prefix('|')?.strip_suffix('|')?;
    let mut is_escaped = false;
    let is_bar = |c: char| {
        let is_bar = c == '|' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        is_bar
    };
    Some(inner.split(is_bar).map(str::trim).collect())
}

/// Whether a line only draws a table border: `+----+-----+`.
fn is_frame(line: &str) -> bool {
    line.starts_with('+') && line.bytes().all(|byte| matches!(byte, b'+' | b'-' | b'=' | b'|' | b':'))
}

/// The title of a short heading, or of a bold line in its place.
fn heading(line: &str) -> Option<&str> {
    let bold = line.strip_prefix("**").and_then(|rest| rest.strip_suffix("**"));
    if let Some(title) = bold.filter(|title| !title.contains("**") && !title.ends_with(['.', '!', '?'])) {
        let is_short = title.chars().count() <= HEADING_CHARS_MAX && title.chars().any(char::is_alphanumeric);
        return is_short.then(|| title.trim_end_matches(':'));
    }
    let marks = line.bytes().take_while(|byte| *byte == b'#').count();
    let title = line.get(marks..)?.strip_prefix(' ')?.trim();
    let is_short = title.chars().count() <= HEADING_CHARS_MAX;
    ((1..=6).contains(&marks) && is_short && !title.is_empty()).then(|| title.trim_end_matches(':'))
}

/// The text of a list item.
fn item(line: &str) -> Option<&str> {
    let bullet = ["- ", "* ", "+ "].iter().find_map(|mark| line.strip_prefix(mark));
    let numbered = || {
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        let rest = line.get(digits..)?;
        (1..=3)
            .contains(&digits)
            .then(|| rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") ")))
            .flatten()
    };
    bullet.or_else(numbered)
}

/// Whether a line of code may be a unit.
fn is_code(line: &str) -> bool {
    line.chars().count() <= CODE_LINE_CHARS_MAX && line.chars().any(char::is_alphabetic)
}

/// Whether a code line has a value: an assignment, a flag or a number.
fn is_value(line: &str) -> bool {
    line.contains(['=', ':']) || line.contains(" -") || line.chars().any(|c| c.is_ascii_digit())
}

/// Program output: no letters, data, tags, stack frames, shell prompts.
fn is_noise(line: &str) -> bool {
    let data = |open: char, close: &[char]| line.starts_with(open) && line.ends_with(close);
    !line.chars().any(char::is_alphabetic)
        || data('{', &['}', ',', '{'])
        || data('[', &[']', ',', '{']) && line.contains(['"', '{'])
        || data('<', &['>'])
        || line.starts_with('"') && line.contains("\":")
        || ["$ ", "[tool", "[system", "at ", "Traceback", "+++ ", "@@ "]
            .iter()
            .any(|mark| line.starts_with(mark))
            && !line.ends_with(['.', '?', '!'])
}

/// First words of code lines.
const CODE_WORDS: &[&str] = &[
    "val ", "var ", "let ", "const ", "fun ", "fn ", "def ", "class ", "export ", "import {", "return ",
    "await ", "SELECT ", "INSERT ", "UPDATE ", "CREATE ", "ALTER ", "SET ",
];

/// Whether a line is program output or source code: `HINT: no such table`, `2026-03-03 18:02:11 started`, `const x = 1;`.
pub(crate) fn is_output(line: &str) -> bool {
    let line = line.trim();
    let is_code = || CODE_WORDS.iter().any(|word| line.starts_with(word)) && line.contains(['=', '(', '{']);
    line.ends_with(['{', '}', '('])
        || [");", "\";", "';"].iter().any(|end| line.ends_with(end))
        || ["│", "---", "***", "//", "$ "].iter().any(|mark| line.starts_with(mark))
        || is_labelled(line)
        || is_stamped(line)
        || is_code()
}

/// Labels before the colon in program output.
const LABELS: &[&str] = &[
    "ERROR", "FATAL", "FAILURE", "PANIC", "CRITICAL", "WARN", "WARNING", "INFO", "DEBUG", "TRACE", "DETAIL",
    "HINT", "LINE", "CONTEXT", "STATEMENT", "PASS", "FAIL",
];

/// `DETAIL:`, `LINE 9:`, `E/AndroidRuntime:`.
fn is_labelled(line: &str) -> bool {
    line.split_once(':').is_some_and(|(label, _)| {
        LABELS.contains(&label.trim_end_matches(|c: char| c == ' ' || c.is_ascii_digit()))
            || ["V/", "D/", "I/", "W/", "E/", "F/"].iter().any(|level| label.starts_with(level))
    })
}

/// Whether a line starts with a time or date and time, as in logs.
fn is_stamped(line: &str) -> bool {
    let shape: String = line.chars().take(14).map(|c| if c.is_ascii_digit() { '9' } else { c }).collect();
    ["99:99:99", "9999-99-99 99:", "9999-99-99T99:"].iter().any(|stamp| shape.starts_with(stamp))
}

/// Splits after `.`, `!`, `?` before a blank, and after their full-width forms.
pub fn split(line: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut chars = line.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let end = at + c.len_utf8();
        let ends = match c {
            '。' | '！' | '？' => true,
            '.' | '!' | '?' => {
                chars.peek().is_none_or(|(_, next)| next.is_whitespace()) && !abbreviates(line, at)
            }
            _ => false,
        };
        if ends {
            pieces.push(line[start..end].trim());
            start = end;
        }
    }
    pieces.push(line[start..].trim());
    pieces.retain(|piece| piece.chars().any(char::is_alphanumeric));
    pieces
}

/// `Dr.`, `e.g.`, `A.`, `5.`: a full stop behind one letter, a short number, or a short title.
fn abbreviates(line: &str, stop: usize) -> bool {
    let word = line[..stop].rsplit(char::is_whitespace).next().unwrap_or_default();
    let letters = word.rsplit('.').next().unwrap_or_default();
    let one = letters.chars().count() == 1 && letters.chars().all(char::is_alphabetic);
    // `am 5. März`: a day or a floor in German.
    let ordinal = (1..=2).contains(&letters.len()) && letters.bytes().all(|byte| byte.is_ascii_digit());
    one || ordinal
        || ["Dr", "Mr", "Mrs", "Ms", "Sr", "Sra", "Prof", "St", "vs", "etc", "No", "approx"]
            .contains(&letters)
}

/// Stems of words about decisions, in English, German, Spanish and Chinese.
const DECIDED: &[&str] = &[
    "decid", "agree", "remember", "prefer", "always", "never", "must", "deadline", "due ", "will ", "promis",
    "chose", "choose", "plan", "todo", "open loop", "instead", "because", "cause", "fixed", "root ",
    "entschied", "immer", "niemals", "weil", "statt ", "bevorzug", "erinner", "geburtstag", "frist",
    "allerg", "birthday", "acord", "acuerd", "recuerd", "prefier", "siempre", "nunca", "plazo", "elegi",
    "porque", "cumple", "决定", "決定", "记住", "記住", "喜欢", "喜歡", "偏好", "以后", "以後", "总是",
    "從不", "从不", "必须", "必須", "截止", "计划", "計劃", "因为", "過敏", "过敏", "生日", "同意",
];

/// The worth of a sentence: decision, date or number, name.
pub fn weight(sentence: &str) -> u32 {
    let lower = sentence.to_lowercase();
    let decided = DECIDED.iter().filter(|word| lower.contains(**word)).count().min(2) as u32;
    let figure = u32::from(sentence.chars().any(|c| c.is_ascii_digit()));
    let dated = u32::from(inwit_recall::time::passage::date_in(sentence).is_some());
    let named = sentence.split_whitespace().skip(1).any(|word| {
        let mut chars = word.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '@').chars();
        chars.next().is_some_and(|first| first == '@' || first.is_uppercase() && !is_spaceless(first))
            && chars.next().is_some_and(|second| second.is_alphanumeric())
    });
    decided * 2 + figure + dated + u32::from(named) + EMPHASIS_WEIGHT * u32::from(has_emphasis(sentence))
}

/// Extra worth of a sentence with bold words: its writer marked them as the point of the answer.
const EMPHASIS_WEIGHT: u32 = 2;

/// Whether words within the sentence are bold; a bold label such as `**Note:**` does not count.
fn has_emphasis(sentence: &str) -> bool {
    ["**", "__"].iter().any(|mark| {
        // Between an opening and a closing mark; text after the last mark is not.
        let parts: Vec<&str> = sentence.split(mark).collect();
        let inner = parts.len().saturating_sub(1) / 2;
        parts
            .iter()
            .skip(1)
            .step_by(2)
            .take(inner)
            .any(|words| !words.ends_with(':') && words.chars().any(char::is_alphanumeric))
    })
}

/// Whether a lower-case text reports a failure.
pub(crate) fn is_failure(lower: &str) -> bool {
    const MARKS: [&str; 9] =
        ["error", "fail", "fatal", "exception", "panic", "timed out", "timeout", "refused", "killed"];
    MARKS.iter().any(|mark| lower.contains(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        units(text).into_iter().map(|unit| unit.text).collect()
    }

    #[test]
    fn sentences_end_where_people_end_them() {
        assert_eq!(
            texts("Der Termin ist am 5. März um 14:20. Dr. Wimmer wartet."),
            ["Der Termin ist am 5. März um 14:20.", "Dr. Wimmer wartet."]
        );
        assert_eq!(texts("会议改到周四。带茶！"), ["会议改到周四。", "带茶！"]);
    }

    #[test]
    fn rows_carry_the_heads_of_their_columns_and_headings_go_before_what_they_head() {
        let text = "## Cause\n\nThe pool was too small.\n\n| job | time |\n|---|---|\n| lint | 2:29 |\n";
        assert_eq!(texts(text), ["Cause: The pool was too small.", "lint: time 2:29"]);
    }

    #[test]
    fn a_bold_line_heads_what_stands_below_it_and_else_says_something_itself() {
        assert_eq!(texts("**Week A**\n- Lena\n- Oskar"), ["Week A:", "Lena", "Oskar"]);
        assert_eq!(texts("The port is:\n\n**5433**"), ["The port is:", "5433"]);
        assert_eq!(texts("**Use Postgres**\n**Drop Redis**"), ["Use Postgres", "Drop Redis"]);
    }

    #[test]
    fn bars_within_cells_frames_and_empty_cells_move_no_value() {
        let text =
            "| Server | Owner | Port |\n|---|---|---|\n| alpha \\| spare | Ana | 8080 |\n| | Bob | 9090 |";
        assert_eq!(texts(text), ["alpha \\| spare: Owner Ana, Port 8080", "Owner Bob, Port 9090"]);
        let boxed =
            "+------+-----+\n| who | admin |\n+------+-----+\n| Ana | yes |\n| Bob | no |\n+------+-----+";
        assert_eq!(texts(boxed), ["Ana: admin yes", "Bob: admin no"]);
    }

    #[test]
    fn each_sentence_of_a_quotation_says_that_it_is_one() {
        assert_eq!(
            texts("> We ship on Fridays. Always.\nWho said that?"),
            ["> We ship on Fridays.", "> Always.", "Who said that?"]
        );
    }

    #[test]
    fn of_a_long_block_of_code_the_lines_with_values_are_kept_and_of_data_none() {
        let text = "```toml\n[deploy]\n  strategy = \"rolling\"\n```\n{\"tool\": \"x\"}\n$ ls -la";
        assert_eq!(texts(text), ["[deploy]", "strategy = \"rolling\""]);
        let sql = "```sql\nCREATE ROLE auditor\nWITH LOGIN\n```";
        assert_eq!(texts(sql), ["CREATE ROLE auditor", "WITH LOGIN"], "half a command says something else");
        let long = format!("```\n{}port = 9000\n```", "do it\n".repeat(CODE_LINES_MAX));
        assert_eq!(texts(&long), ["port = 9000"]);
    }

    #[test]
    fn what_a_program_prints_or_reads_is_told_from_prose() {
        for line in [
            "HINT: the extension must first be installed",
            "FAILURE: Build failed with an exception.",
            "E/AndroidRuntime: FATAL EXCEPTION: main",
            "LINE 9: geog public.geography(Point,4326)",
            "2026-03-03 18:02:11.114 UTC [4471] STATEMENT",
            "18:02:11 a1 deadlock detected",
            "where z.kind = f('parking');",
            "const x = f(y)",
            "--- PASS: TestPoll (1.34s)",
        ] {
            assert!(is_output(line), "{line}");
        }
        for line in [
            "JSON: that is the format we keep",
            "From now on: never on Fridays.",
            "let us keep port 5433",
            "we ship at 18:02 on Tuesdays",
            "from now on the pool size = 20, never more",
            "import only from src/ (never from lib)",
            "we never deploy on fridays;",
            "**Decision:** the flag is off.",
        ] {
            assert!(!is_output(line), "{line}");
        }
    }

    #[test]
    fn what_is_set_in_bold_weighs_more() {
        let plain = |text: &str| weight(&text.replace("**", "").replace("__", ""));
        for bold in
            ["at **twelve messages** a second", "at __twelve messages__ a second", "sum: time **long**"]
        {
            assert_eq!(weight(bold), plain(bold) + EMPHASIS_WEIGHT, "{bold}");
        }
        for other in
            ["**note:** a second", "two ** three", "a ** ** b", "a **half", "call f(**options)", "def __init"]
        {
            assert_eq!(weight(other), plain(other), "{other}");
        }
    }

    #[test]
    fn marks_of_emphasis_stay_with_their_words() {
        let text = "**Decision:** the flag is off.\n\n- **Note:** rye\n\n__Careful:__ it is hot.";
        assert_eq!(
            texts(text),
            ["**Decision:** the flag is off.", "**Note:** rye", "__Careful:__ it is hot."]
        );
    }
}
