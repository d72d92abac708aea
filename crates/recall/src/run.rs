//! The terms of one query word, with their weights.
//!
//! In scripts without spaces character pairs carry the meaning, single characters little. Question words ("什么时候",
//! "どこ") and Korean particles carry almost none. Of a word with digits, the whole counts most.

use crate::analyse::{Analyser, Kind, is_spaceless, units};

/// Weight of a single character in a longer run.
const SINGLE_CHARACTER_SHARE: f32 = 0.25;

/// Weight of grammatical words.
const GRAMMAR_SHARE: f32 = 0.1;

/// Weight of a pair with one meaningful half ("目的").
const HALF_SHARE: f32 = 0.5;

/// Weight of the letters or digits of a mixed word: `10km` may be written `10 km`.
const FIGURE_SHARE: f32 = 0.5;

/// Question and function words in Chinese and Japanese, longer ones first.
const ASKING: &[&str] = &[
    "什么时候", "为什么", "怎么样", "有没有", "是不是", "什么", "怎么", "哪里", "哪儿", "哪个", "哪些",
    "哪天", "几点", "多少", "谁的", "是谁", "我们", "你们", "他们", "她们", "的是", "了吗", "吗", "呢", "的",
    "了", "是", "我", "谁", "在", "でしょうか", "でしたか", "ましたか", "ですか", "ますか", "どこで",
    "どこに", "どこ", "いつ", "だれ", "なに", "どの", "どれ", "について", "した", "です", "ます", "は", "が",
    "を", "に", "で", "の", "と", "も", "か",
];

/// Korean particles after a noun, longer ones first.
const PARTICLES: &[&str] = &[
    "에서는", "에게서", "으로는", "이라고", "에서", "에게", "한테", "까지", "부터", "으로", "이랑", "하고",
    "처럼", "보다", "마다", "은", "는", "이", "가", "을", "를", "에", "의", "와", "과", "도", "로", "만",
    "랑",
];

/// The terms of a folded word with weights and kinds, in order.
pub fn run_terms(word: &str, analyser: &mut Analyser) -> Vec<(String, f32, Kind)> {
    let spaceless = word.chars().next().is_some_and(is_spaceless);
    let chars = units(word);
    let says = if spaceless && chars > 1 { saying(word) } else { Vec::new() };
    let mut terms: Vec<(String, f32, Kind)> = Vec::new();
    let mut at: usize = 0;
    analyser.each_term(word, &mut |term, kind| {
        let counts = kind == Kind::Word;
        let share = if kind == Kind::Pair {
            // Both the parts and the whole are searched.
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

/// For each character of a run, whether it has content. A run of only question words has.
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
