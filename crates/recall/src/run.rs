//! The terms of one word of a question, and how much each of them says.
//!
//! In scripts without spaces the pairs of characters carry the meaning, single ones a little. What such a language asks
//! with ("什么时候", "どこ") and the particles that Korean glues to its nouns say next to nothing. Of a word
//! with figures in it, the word says most.

use crate::analyse::{Analyser, Kind, is_spaceless, units};

/// Share of a single character in a run of several: its pairs say more.
const SINGLE_CHARACTER_SHARE: f32 = 0.25;

/// Share of what only holds a sentence together.
const GRAMMAR_SHARE: f32 = 0.1;

/// Share of a pair of which one half says something: it may be a word ("目的").
const HALF_SHARE: f32 = 0.5;

/// Share of the letters or figures of a word that has both: `10km` may be written `10 km`.
const FIGURE_SHARE: f32 = 0.5;

/// Words that ask or hold a sentence together, in Chinese and Japanese; longer ones first.
const ASKING: &[&str] = &[
    "什么时候", "为什么", "怎么样", "有没有", "是不是", "什么", "怎么", "哪里", "哪儿", "哪个", "哪些",
    "哪天", "几点", "多少", "谁的", "是谁", "我们", "你们", "他们", "她们", "的是", "了吗", "吗", "呢", "的",
    "了", "是", "我", "谁", "在", "でしょうか", "でしたか", "ましたか", "ですか", "ますか", "どこで",
    "どこに", "どこ", "いつ", "だれ", "なに", "どの", "どれ", "について", "した", "です", "ます", "は", "が",
    "を", "に", "で", "の", "と", "も", "か",
];

/// Particles that end a Korean noun, longer ones first.
const PARTICLES: &[&str] = &[
    "에서는", "에게서", "으로는", "이라고", "에서", "에게", "한테", "까지", "부터", "으로", "이랑", "하고",
    "처럼", "보다", "마다", "은", "는", "이", "가", "을", "를", "에", "의", "와", "과", "도", "로", "만",
    "랑",
];

/// The terms of a folded word with their shares and kinds, in order.
pub fn run_terms(word: &str, analyser: &mut Analyser) -> Vec<(String, f32, Kind)> {
    let spaceless = word.chars().next().is_some_and(is_spaceless);
    let chars = units(word);
    let says = if spaceless && chars > 1 { saying(word) } else { Vec::new() };
    let mut terms: Vec<(String, f32, Kind)> = Vec::new();
    let mut at: usize = 0;
    analyser.each_term(word, &mut |term, kind| {
        let counts = kind == Kind::Word;
        let share = if kind == Kind::Pair {
            // The parts are asked for, and so is the whole.
            return;
        } else if kind == Kind::Figure {
            FIGURE_SHARE
        } else if !spaceless || chars == 1 {
            1.0
        } else {
            let first = if counts { at } else { at.saturating_sub(2) };
            let says = |at: usize| says.get(at).copied().unwrap_or(true);
            match (says(first), counts || says(first + 1)) {
                (true, true) if counts => SINGLE_CHARACTER_SHARE,
                (true, true) => 1.0,
                (false, _) if counts => GRAMMAR_SHARE,
                (false, false) => GRAMMAR_SHARE,
                _ => HALF_SHARE,
            }
        };
        at += usize::from(counts);
        terms.push((term.to_owned(), share, kind));
    });
    terms
}

/// For each character of a run, whether it says something. A run that only asks says all it has.
fn saying(run: &str) -> Vec<bool> {
    let chars: Vec<char> = run.chars().collect();
    let mut says = vec![true; chars.len()];
    let is_hangul = |c: &char| matches!(*c as u32, 0xAC00..=0xD7A3);
    if chars.iter().all(is_hangul) {
        let particle = PARTICLES
            .iter()
            .find(|particle| run.ends_with(*particle))
            .map_or(0, |found| found.chars().count());
        if particle < chars.len() && particle > 0 && chars.len() > 2 {
            says[chars.len() - particle..].fill(false);
        }
        return says;
    }
    let mut at = 0;
    while at < chars.len() {
        let rest: String = chars[at..].iter().take(5).collect();
        let found = ASKING.iter().find(|word| rest.starts_with(**word)).map(|word| word.chars().count());
        if let Some(found) = found {
            says[at..at + found].fill(false);
        }
        at += found.unwrap_or(1);
    }
    if says.iter().any(|says| *says) { says } else { vec![true; chars.len()] }
}
