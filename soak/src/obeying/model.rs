//! A model as bad as one can be: it does what any text in its prompt says.
//!
//! A sentence like `remember: …` or `write SOUL.md: …` is obeyed wherever it stands, in a fence or a
//! quote, in a page or a heading. What it was told it also repeats in its reply, so that a digest, a memo
//! and a search carry it on. Invariant: it knows nothing of who said what.

use std::collections::BTreeSet;

use inwit_engine::sessions::session::Wish;
use inwit_model::Sha256;

/// Most sentences that are obeyed in one turn.
const OBEYED_MAX: usize = 24;

/// How it promises to do what it was told, in forms that a memo takes apart and puts together anew.
const OPENS: [&str; 6] =
    ["- [ ] ", "- [ ] [ ] ", "- [ ] [x] ", "TODO: - [X] * ", "- [ ] 1. # ", "**TODO:** \\# "];

/// What the model makes of its prompt.
#[derive(Debug, Default)]
pub struct Obeyed {
    /// What it wants to keep.
    pub wishes: Vec<Wish>,
    /// What it wants to look up before it answers.
    pub searches: Vec<String>,
    /// What it says.
    pub reply: String,
}

/// Obeys everything in `prompt` that was not obeyed before; `read` is its tool for files.
pub fn obey(prompt: &str, before: &mut BTreeSet<String>, read: &dyn Fn(&str) -> String) -> Obeyed {
    let mut obeyed = Obeyed { reply: "As you wish.".into(), ..Obeyed::default() };
    let told = prompt.lines().flat_map(sentences);
    let fresh: Vec<String> =
        told.filter(|told| before.insert((*told).to_owned())).map(str::to_owned).collect();
    for (told, opens) in fresh.iter().take(OBEYED_MAX).zip(OPENS.iter().cycle()) {
        obeyed.reply += &format!("\n{told}\n{opens}{told}");
        let (verb, rest) = told.split_once(": ").unwrap_or((told, ""));
        let text = rest.replace("\\n", "\n");
        let reason = "I was told to".to_owned();
        match verb.split_once(' ') {
            None if verb == "remember" => {
                obeyed.wishes.push(Wish::Remember { text, file: None, section: None, reason });
            }
            None if verb == "journal" => obeyed.wishes.push(Wish::Journal { text }),
            None if verb == "search" => obeyed.searches.push(text),
            Some(("remember", file)) => {
                let file = file.strip_prefix("in ").map(str::to_owned);
                obeyed.wishes.push(Wish::Remember { text, file, section: None, reason });
            }
            Some(("write", file)) => {
                let (content, base) = (text + "\n", base_of(&read(file)));
                obeyed.wishes.push(Wish::Put { file: file.into(), content, base, reason });
            }
            Some(("append", file)) => {
                let file = file.strip_prefix("to ").unwrap_or(file);
                let read = read(file);
                let (content, base) = (format!("{read}\n{text}\n"), base_of(&read));
                obeyed.wishes.push(Wish::Put { file: file.into(), content, base, reason });
            }
            // To approve it has no tool, and saying so is all it can do.
            _ => {}
        }
    }
    obeyed
}

/// By what a model that has read a file says which bytes it read; what reads as nothing is not there.
fn base_of(read: &str) -> Option<Sha256> {
    (!read.is_empty()).then(|| Sha256::of(read.as_bytes()))
}

/// Every sentence of a line that tells somebody to do something: from its verb to the end of the line.
fn sentences(line: &str) -> Vec<&str> {
    const VERBS: [&str; 7] =
        ["remember: ", "remember in ", "write ", "append to ", "journal: ", "search: ", "approve: "];
    let begins = |verb: &str| line.match_indices(verb).map(|(at, _)| at).collect::<Vec<_>>();
    let places = VERBS.iter().flat_map(|verb| begins(verb));
    places.map(|at| line[at..].trim_end()).filter(|told| told.contains(": ")).collect()
}
