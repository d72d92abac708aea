//! Several turns in a few lines, without a model.
//!
//! What was asked and what was answered, each cut down to the sentences that are worth finding again:
//! the first one, and those with a decision, a date, a figure or a name. Code, tables of tools and other
//! noise go. Invariant: every word of a digest is a word of the turns, in their order; what is left out
//! shows as `…`, and turns that are left out are counted.

use super::Turns;
use crate::inert;
use inwit_recall::analyse::is_spaceless;

/// Longest excerpt of one question or answer, in characters.
pub const EXCERPT_CHARS_MAX: usize = 280;

/// Shortest excerpt that many turns are pressed to, in characters.
pub const EXCERPT_CHARS_MIN: usize = 80;

/// Longest digest, in characters of excerpts.
pub const DIGEST_CHARS_MAX: usize = 7_000;

/// One turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exchange<'a> {
    /// Who asked, as the log calls them.
    pub who: &'a str,
    /// What the person said.
    pub asked: &'a str,
    /// Which agent answered, as the log calls it.
    pub by: &'a str,
    /// What the agent answered in the end.
    pub answered: &'a str,
}

/// Bullets that tell of `exchanges` under the names of who spoke: `- alice: …`, and of the agent who
/// answered: `- ada: …`. Empty when nothing was said that is worth a line. Longest: about [`DIGEST_CHARS_MAX`] characters.
pub fn digest(exchanges: &[Exchange<'_>]) -> String {
    let told: Vec<(&str, Vec<Sentence>)> = exchanges
        .iter()
        .flat_map(|exchange| {
            [(exchange.who, sentences(exchange.asked)), (exchange.by, sentences(exchange.answered))]
        })
        .filter(|(_, said)| !said.is_empty())
        .collect();
    let fits = DIGEST_CHARS_MAX / EXCERPT_CHARS_MIN;
    let worth = |said: &[Sentence]| said.iter().filter(|sentence| sentence.weight > 0).count();
    let mut order: Vec<usize> = (0..told.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(worth(&told[*at].1)));
    order.truncate(fits);
    order.sort_unstable();
    let chars = (DIGEST_CHARS_MAX / order.len().max(1)).clamp(EXCERPT_CHARS_MIN, EXCERPT_CHARS_MAX);
    let mut bullets: Vec<String> = order
        .iter()
        .map(|at| {
            let (who, said) = &told[*at];
            format!("- {}: {}", inert::words(who, NAME_CHARS_MAX), inert::words(&excerpt(said, chars), chars))
        })
        .collect();
    let left = told.len() - order.len();
    if left > 0 {
        bullets.push(format!("- (left out: {left} of {} messages)", told.len()));
    }
    bullets.join("\n")
}

/// Longest name of a speaker, in characters.
const NAME_CHARS_MAX: usize = 40;

/// One sentence, and how much in it is worth finding again.
struct Sentence {
    text: String,
    weight: u32,
}

/// The first sentence and the weightiest others that fit, in their order.
fn excerpt(said: &[Sentence], chars_max: usize) -> String {
    let mut order: Vec<usize> = (1..said.len()).filter(|at| said[*at].weight > 0).collect();
    order.sort_by_key(|at| std::cmp::Reverse(said[*at].weight));
    let mut kept = vec![0];
    let mut chars = said[0].text.chars().count();
    for at in order {
        let more = said[at].text.chars().count() + 3;
        if chars + more <= chars_max {
            chars += more;
            kept.push(at);
        }
    }
    kept.sort_unstable();
    let mut out = String::new();
    let mut next = 0;
    for at in kept {
        if at > next {
            out += " …";
        }
        if at > 0 {
            out.push(' ');
        }
        out += &said[at].text;
        next = at + 1;
    }
    if next < said.len() {
        out += " …";
    }
    out
}

/// What was said in words, sentence by sentence, without noise.
fn sentences(text: &str) -> Vec<Sentence> {
    let mut found = Vec::new();
    let mut fence = None;
    for line in text.lines() {
        let line = line.trim();
        if let Some(mark) = ["```", "~~~"].into_iter().find(|mark| line.starts_with(mark)) {
            fence = match fence {
                None => Some(mark),
                Some(open) if open == mark => None,
                open => open,
            };
            continue;
        }
        if fence.is_some() || is_noise(line) {
            continue;
        }
        let line = line.trim_start_matches(['#', '>', '-', '*', '+', ' ']);
        found.extend(
            split(line).into_iter().map(|text| Sentence { weight: weight(text), text: text.to_owned() }),
        );
    }
    found
}

/// Lines that programs wrote: no letters, data, tags, call frames, shell prompts.
fn is_noise(line: &str) -> bool {
    let data = |open: char, close: &[char]| line.starts_with(open) && line.ends_with(close);
    !line.chars().any(char::is_alphabetic)
        || data('{', &['}', ',', '{'])
        || data('[', &[']', ',', '{']) && line.contains(['"', '{'])
        || data('<', &['>'])
        || data('|', &['|'])
        || line.starts_with('"') && line.contains("\":")
        || ["$ ", "[tool", "[system", "at ", "Traceback", "+++ ", "@@ "]
            .iter()
            .any(|mark| line.starts_with(mark))
            && !line.ends_with(['.', '?', '!'])
}

/// Cuts behind `.`, `!`, `?` before a blank, and behind their full-width kin.
fn split(line: &str) -> Vec<&str> {
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

/// `Dr.`, `e.g.`, `A.`: a full stop behind one letter, or behind a short title.
fn abbreviates(line: &str, stop: usize) -> bool {
    let word = line[..stop].rsplit(char::is_whitespace).next().unwrap_or_default();
    let letters = word.rsplit('.').next().unwrap_or_default();
    let one = letters.chars().count() == 1 && letters.chars().all(char::is_alphabetic);
    one || ["Dr", "Mr", "Mrs", "Ms", "Sr", "Sra", "Prof", "St", "vs", "etc", "No", "approx"]
        .contains(&letters)
}

/// Stems of words by which people settle things, in English, Spanish and Chinese.
const DECIDED: &[&str] = &[
    "decid",
    "agree",
    "remember",
    "prefer",
    "always",
    "never",
    "must",
    "deadline",
    "due ",
    "will ",
    "promis",
    "chose",
    "choose",
    "plan",
    "todo",
    "open loop",
    "instead",
    "because",
    "allerg",
    "birthday",
    "acord",
    "acuerd",
    "recuerd",
    "prefier",
    "siempre",
    "nunca",
    "plazo",
    "elegi",
    "porque",
    "cumple",
    "决定",
    "決定",
    "记住",
    "記住",
    "喜欢",
    "喜歡",
    "偏好",
    "以后",
    "以後",
    "总是",
    "從不",
    "从不",
    "必须",
    "必須",
    "截止",
    "计划",
    "計劃",
    "因为",
    "過敏",
    "过敏",
    "生日",
    "同意",
];

/// How many signs of worth the sentence has: decision, date or figure, name.
fn weight(sentence: &str) -> u32 {
    let lower = sentence.to_lowercase();
    let decided = DECIDED.iter().filter(|word| lower.contains(**word)).count().min(2) as u32;
    let figure = u32::from(sentence.chars().any(|c| c.is_ascii_digit()));
    let dated = u32::from(inwit_recall::time::passage::date_in(sentence).is_some());
    let named = sentence.split_whitespace().skip(1).any(|word| {
        let mut chars = word.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '@').chars();
        chars.next().is_some_and(|first| first == '@' || first.is_uppercase() && !is_spaceless(first))
            && chars.next().is_some_and(|second| second.is_alphanumeric())
    });
    decided * 2 + figure + dated + u32::from(named)
}

/// The session and turns that a digest of `exchanges` tells of, when the first is turn `first`.
pub fn turns(session: &str, first: u32, exchanges: usize) -> Turns {
    let last = first.saturating_add(u32::try_from(exchanges).unwrap_or(u32::MAX).saturating_sub(1));
    Turns { session: super::turns_part(session), range: first..=last }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn told(asked: &str, answered: &str) -> String {
        digest(&[Exchange { who: "alice", asked, by: "ada", answered }])
    }

    #[test]
    fn decisions_dates_and_names_are_kept_and_noise_is_dropped() {
        let asked = "Can you look at the oven? It is a nice day. We decided to bake on 2026-11-21 with Bob.";
        let answered = "Sure.\n```json\n{\"secret\": 1}\n```\n{\"tool\": \"x\"}\n$ ls -la\n\nThe oven is fine. Hm. \
                        Ada prefers rye.";
        assert_eq!(
            told(asked, answered),
            "- alice: Can you look at the oven? … We decided to bake on 2026-11-21 with Bob.\n- ada: Sure. … Ada \
             prefers rye."
        );
    }

    #[test]
    fn it_works_in_chinese_and_spanish() {
        assert_eq!(
            told("今天天气很好。我们决定十一月二十一日去北京。嗯。", "好的。"),
            "- alice: 今天天气很好。 我们决定十一月二十一日去北京。 …\n- ada: 好的。"
        );
        assert_eq!(
            told("¿Qué pan? Hola. Siempre compro pan de centeno.", "Vale."),
            "- alice: ¿Qué pan? … Siempre compro pan de centeno.\n- ada: Vale."
        );
    }

    #[test]
    fn a_long_session_is_pressed_and_what_is_left_out_is_counted() {
        let asked: Vec<String> =
            (0..100).map(|n| format!("question number {n} about bread and butter")).collect();
        let turns: Vec<Exchange<'_>> = asked
            .iter()
            .map(|asked| Exchange { who: "alice", asked, by: "ada", answered: "Ok, fine." })
            .collect();
        let all = digest(&turns);
        assert!(all.chars().count() < DIGEST_CHARS_MAX + 2_000, "{}", all.chars().count());
        assert!(all.ends_with("- (left out: 113 of 200 messages)"), "{all}");
        assert!(all.contains("question number 57"), "figures are kept first");
        assert_eq!(digest(&[]), "");
        assert_eq!(told("```\nls\n```", "{}"), "");
    }

    #[test]
    fn the_turns_of_a_digest_are_named() {
        assert_eq!(turns("a1b2c3d4", 3, 5), Turns { session: "a1b2c3d4".into(), range: 3..=7 });
        assert_ne!(turns("a1b2c3d4-x", 3, 5), turns("a1b2c3d4-y", 3, 5));
    }

    fn words(text: &str) -> Vec<&str> {
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect()
    }

    proptest! {
        #[test]
        fn no_word_is_invented_and_no_line_is_more_than_a_bullet(
            asked in r"(\PC|[\n.!?。`#-]|decided |Bob |2026-11-21 ){0,80}",
            answered in r"(\PC|[\n.!?。`#-]|```|siempre |决定){0,80}",
        ) {
            let all = told(&asked, &answered);
            let mut from = words(&asked);
            from.extend(words(&answered));
            for line in all.lines() {
                let said = line.strip_prefix("- alice: ").or_else(|| line.strip_prefix("- ada: "));
                let said = said.expect("a bullet").replace("&lt;", "<").replace("&gt;", ">");
                for word in words(&said) {
                    let known = from.iter().any(|whole| whole.starts_with(word));
                    prop_assert!(known, "{word:?} of {said:?}");
                }
            }
            if !all.is_empty() {
                let document = inwit_markdown::parse(all.as_bytes());
                prop_assert_eq!(document.entries.len(), all.lines().count());
            }
        }
    }
}
