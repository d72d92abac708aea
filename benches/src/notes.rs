//! Notes to measure on: daily logs of a made-up chat, as large as wanted, the same on every machine.
//!
//! Words are drawn by Zipf's law from a vocabulary of syllables, so that common and rare terms occur
//! as in real text; no data of anybody is shipped.

use std::io;
use std::path::Path;

/// A small generator of repeatable chance (xorshift64*).
pub struct Chance(u64);

impl Chance {
    /// Starts at `seed`.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number from 0 below 1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.unit() * end as f64) as usize
    }
}

/// Distinct words there are.
const VOCABULARY: usize = 30_000;

/// Words of one passage: about 150 characters, as in a chat.
const PASSAGE_WORDS: usize = 25;

/// Passages of one daily log.
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

/// The file of the `number`-th day.
pub fn day_name(number: usize) -> String {
    let date = jiff::civil::date(2000, 1, 1).saturating_add(jiff::Span::new().days(number as i64));
    format!("memory/{date}.md")
}

/// Lays out a workspace of `passages` passages; returns its bytes.
#[expect(clippy::disallowed_methods, reason = "lays out notes to measure on; nothing is kept")]
pub fn lay_out(folder: &Path, passages: usize) -> io::Result<u64> {
    std::fs::create_dir_all(folder.join("memory"))?;
    let mut chance = Chance::new(7);
    let mut bytes = 0;
    for number in 0..passages / DAY_PASSAGES {
        let text = day(&mut chance, number);
        bytes += text.len() as u64;
        std::fs::write(folder.join(day_name(number)), text)?;
    }
    Ok(bytes)
}

/// Files that fill a prompt of about 60,000 characters, around a given day.
#[expect(clippy::disallowed_methods, reason = "lays out notes to measure on; nothing is kept")]
pub fn lay_out_prompt(folder: &Path) -> io::Result<()> {
    let mut chance = Chance::new(9);
    for name in ["SOUL.md", "AGENTS.md", "USER.md", "MEMORY.md", "TOOLS.md"] {
        let mut text = format!("# {name}\n\n");
        while text.chars().count() < 11_900 {
            let words: Vec<String> = (0..12).map(|_| word(drawn(&mut chance))).collect();
            text.push_str(&format!("- {}\n", words.join(" ")));
        }
        std::fs::write(folder.join(name), text)?;
    }
    Ok(())
}

/// A question of a few words: common, middling and rare ones.
pub fn question(chance: &mut Chance) -> String {
    let words: Vec<String> = (0..5).map(|_| word(20 + drawn(chance))).collect();
    format!("what did Ana say about {}", words.join(" "))
}
