//! Notes generated from a seed: daily logs of an invented chat, of any size, identical on every machine.
//!
//! Words follow Zipf's law over a vocabulary of syllables, so that common and rare terms occur as in real text. No
//! real data is shipped.

use inwit_model::{NameError, SafeName};
use jiff::ToSpan as _;
use jiff::civil::{Date, date};

use crate::exam::{Evidence, Note};

/// A small reproducible random generator (xorshift64*).
pub struct Chance(u64);

impl Chance {
    /// Starts at `seed`.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// The next number.
    fn drawn(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number from 0 below 1.
    pub fn unit(&mut self) -> f64 {
        (self.drawn() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.unit() * end as f64) as usize
    }
}

/// Number of distinct words.
const VOCABULARY: usize = 30_000;

/// Words per passage: about 150 characters, as in a chat.
const PASSAGE_WORDS: usize = 25;

/// Passages per daily log.
pub const DAY_PASSAGES: usize = 50;

/// The `rank`-th most common word, made of syllables.
pub fn word(rank: usize) -> String {
    const SYLLABLES: [&str; 24] = [
        "ka", "lo", "mi", "ren", "tas", "vo", "sil", "pra", "dun", "fe", "gor", "hal", "ji", "quet", "bru",
        "nim", "ost", "wel", "yar", "zim", "cha", "dre", "plo", "ust",
    ];
    let mut left = rank + SYLLABLES.len();
    let mut word = String::new();
    while left > 0 {
        word.push_str(SYLLABLES[left % SYLLABLES.len()]);
        left /= SYLLABLES.len();
    }
    word
}

/// A word by Zipf's law.
pub fn drawn(chance: &mut Chance) -> usize {
    let rank = (VOCABULARY as f64).powf(chance.unit());
    (rank as usize - 1).min(VOCABULARY - 1)
}

/// One daily log.
pub fn day(chance: &mut Chance, number: usize) -> String {
    let mut text = format!("## Day {number}\n\n");
    for _ in 0..DAY_PASSAGES {
        let who = ["Ana", "Ben", "Chus", "Dana"][chance.below(4)];
        let words: Vec<String> = (0..PASSAGE_WORDS).map(|_| word(drawn(chance))).collect();
        text.push_str(&format!("- {who}: {}.\n", words.join(" ")));
    }
    text
}

/// The day of the first log.
pub const FIRST_DAY: Date = date(2000, 1, 1);

/// The file of the `number`-th day.
pub fn day_name(number: usize) -> String {
    format!("memory/{}.md", day_after(FIRST_DAY, number))
}

/// The day that many days after `first`.
pub fn day_after(first: Date, days: usize) -> Date {
    first.saturating_add(i64::try_from(days).unwrap_or(i64::MAX).min(MAX_DAYS).days())
}

/// More days than logs of a million passages need.
const MAX_DAYS: i64 = 1_000_000;

/// A question of a few words: common, middling and rare ones.
pub fn question(chance: &mut Chance) -> String {
    let words: Vec<String> = (0..5).map(|_| word(20 + drawn(chance))).collect();
    format!("what did Ana say about {}", words.join(" "))
}

/// `days` daily logs from `first` on, of the world `seed`; `suffix` distinguishes worlds with the same days.
pub fn logs(
    seed: u64,
    days: usize,
    first: Date,
    suffix: &'static str,
) -> impl Iterator<Item = Result<Note, NameError>> {
    let mut chance = Chance::new(seed);
    (0..days).map(move |number| {
        let text = day(&mut chance, number);
        let name = SafeName::parse(&format!("memory/{}{suffix}.md", day_after(first, number)))?;
        Ok(Note { name, text })
    })
}

/// A question of three words of one passage of `note`, in another order, and the line of the passage.
pub fn question_about(note: &Note, chance: &mut Chance) -> Option<(String, Evidence)> {
    let items: Vec<(usize, &str)> =
        note.text.lines().enumerate().filter(|(_, line)| line.starts_with("- ")).collect();
    let (line, text) = *items.get(chance.below(items.len()))?;
    let words: Vec<&str> = text.split_whitespace().skip(2).collect();
    let picked: Vec<&str> = (0..3)
        .filter_map(|_| words.get(chance.below(words.len())).map(|word| word.trim_end_matches('.')))
        .collect();
    let line = u32::try_from(line + 1).ok()?;
    Some((format!("what was said about {}", picked.join(" ")), Evidence::Line(note.name.clone(), line)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_notes_and_another_one_others() {
        let made = |seed| logs(seed, 3, FIRST_DAY, "").collect::<Result<Vec<_>, _>>().expect("named");
        assert_eq!(made(7), made(7));
        assert_ne!(made(7)[0].text, made(8)[0].text);
        assert_eq!(made(7)[2].name.as_str(), "memory/2000-01-03.md");
        assert_eq!(made(7)[2].name.as_str(), day_name(2));
    }

    #[test]
    fn a_question_about_a_note_is_made_of_the_words_of_its_line() {
        let note = logs(7, 1, FIRST_DAY, "").next().expect("one").expect("named");
        let (ask, evidence) = question_about(&note, &mut Chance::new(1)).expect("a question");
        let Evidence::Line(_, line) = evidence else { panic!("a line") };
        let text = note.text.lines().nth(line as usize - 1).expect("there");
        for word in ask.strip_prefix("what was said about ").expect("form").split(' ') {
            assert!(text.split([' ', '.']).any(|there| there == word), "{word} in {text}");
        }
    }
}
