//! Notes to measure on: daily logs of a made-up chat, as large as wanted, the same on every machine.
//!
//! They are those of `inwit bench scale`, so that the two can be held beside each other.

use std::io;
use std::path::Path;

pub use inwit_bench_suites::generated::{Chance, DAY_PASSAGES, day, day_name, drawn, question, word};

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
