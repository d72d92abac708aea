//! OpenClaw workspaces of realistic size, generated at run time.
//!
//! Real workspaces cannot be committed, and the small ones below `fixtures/` exceed no budget. This builder generates
//! both layouts with the sizes, names and faults of real use, in invented text. Reading order: [`Workspace`],
//! [`secrets`], how a text gets its length (`fill`), then the tables, [`QUESTIONS`] first. Invariant: the same
//! choices give the same bytes in any order, and this source contains no credential.
//!
//! ```
//! use inwit_testkit::openclaw::{Generation, Workspace};
//!
//! let folder = Workspace::new(Generation::Older).core().long_memory(48_000).write();
//! let memory = std::fs::read_to_string(folder.path().join("MEMORY.md")).expect("MEMORY.md");
//! assert_eq!(memory.chars().count(), 48_000);
//! ```

use std::collections::BTreeMap;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;

use jiff::Span;
use jiff::civil::Date;
use tempfile::TempDir;

use crate::{Chance, fixture, secret};

mod tables;

use tables::{
    AGENTS, ALPHABETS, BOOTSTRAP, COMMON, CORE, CREDENTIALS, CURRENT, DID, HEARTBEATS, OLDER, PLACE,
    PURPOSES, REST, TOOLS, VERBS, WHAT, WHO, X,
};
pub use tables::{
    ANSWERS, DUPLICATE, FIRST_DAY, FIRST_MEMORY, LAST_AGENTS, LAST_MEMORY, LINKS, LOGS, OLD_LOG, POLICIES,
    QUESTIONS, SECRET_LOG, SOCKET, VENDORED, VENDORED_WORD,
};

/// The layout of a workspace.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Generation {
    /// Until July 2026: TOOLS.md, HEARTBEAT.md, and a state file in the workspace.
    Older,
    /// Since August 2026: `## Tools` in AGENTS.md, dated directives in USER.md, reports of dreams.
    #[default]
    Current,
}

/// A workspace before it is written. Without further choices it has the named files of its generation, a
/// short MEMORY.md and two topics.
#[derive(Debug, Clone, Default)]
#[must_use = "nothing is written before `write`"]
pub struct Workspace {
    generation: Generation,
    core: bool,
    today: Option<Date>,
    skills: usize,
    memory_chars: Option<usize>,
    agents_chars: Option<usize>,
    bootstrap_logs: Option<usize>,
    vendored: bool,
    secrets: bool,
}

impl Workspace {
    /// A workspace of `generation` that is set up.
    pub fn new(generation: Generation) -> Self {
        Self { generation, ..Self::default() }
    }

    /// Adds memory/core.md with the most important notes, and a pointer to it in MEMORY.md.
    pub fn core(self) -> Self {
        Self { core: true, ..self }
    }

    /// Adds [`LOGS`]: the logs of `today` and the day before, four slugged logs of `today`, and an old one.
    /// `today` lies after February 2026.
    pub fn logs(self, today: Date) -> Self {
        Self { today: Some(today), ..self }
    }

    /// Adds `count` skills; each tenth has a script.
    pub fn skills(self, count: usize) -> Self {
        Self { skills: count, ..self }
    }

    /// Makes MEMORY.md exactly `chars` characters long.
    pub fn long_memory(self, chars: usize) -> Self {
        Self { memory_chars: Some(chars), ..self }
    }

    /// Makes AGENTS.md exactly `chars` characters long, with [`POLICIES`] from 35 % to 79 % of it.
    pub fn long_agents(self, chars: usize) -> Self {
        Self { agents_chars: Some(chars), ..self }
    }

    /// Adds BOOTSTRAP.md and `logs` daily logs from [`FIRST_DAY`] on, at most 36.
    pub fn bootstrap_beside(self, logs: usize) -> Self {
        Self { bootstrap_logs: Some(logs), ..self }
    }

    /// Adds Markdown in [`VENDORED`] folders, [`LINKS`], and the socket that one of them points to.
    pub fn venvs_and_links(self) -> Self {
        Self { vendored: true, ..self }
    }

    /// Adds [`secrets`] and [`public_addresses`].
    pub fn secrets(self) -> Self {
        Self { secrets: true, ..self }
    }

    /// Writes everything into a folder that is removed with the returned value.
    #[track_caller]
    pub fn write(self) -> TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        self.files().iter().for_each(|(name, text)| fixture::put(folder.path(), name, text.as_bytes()));
        if self.vendored {
            for (link, target) in LINKS {
                let link = folder.path().join(link);
                std::fs::create_dir_all(link.parent().expect("a folder above it")).expect("folders");
                symlink(target, link).expect("a link");
            }
            // The file of a socket stays when its listener is closed.
            drop(UnixListener::bind(folder.path().join(SOCKET)).expect("a socket"));
        }
        folder
    }

    /// Every regular file by its workspace-relative name.
    #[track_caller]
    pub fn files(&self) -> BTreeMap<String, String> {
        let mut files = BTreeMap::new();
        let mut put = |name: &str, text: String| {
            assert!(files.insert(name.to_owned(), text).is_none(), "`{name}` is made twice");
        };
        let older = self.generation == Generation::Older;
        let optional = [
            (true, if older { OLDER } else { CURRENT }),
            (self.core, CORE),
            (self.bootstrap_logs.is_some(), BOOTSTRAP),
            (self.vendored, X),
        ];
        let chosen = optional.iter().filter(|(chosen, _)| *chosen).map(|(_, text)| *text);
        for file in fixture::files(&format!("{COMMON}{}", chosen.collect::<String>())) {
            let text = String::from_utf8(file.bytes).expect("UTF-8");
            put(&file.name, with_answers(&file.name, &text));
        }
        put("AGENTS.md", self.agents());
        put("MEMORY.md", self.memory());
        if older {
            put("TOOLS.md", format!("# TOOLS.md - Local Notes\n\n{TOOLS}{}", self.credentials("TOOLS.md")));
        }
        if self.secrets {
            put(SECRET_LOG, format!("# 2026-02-12\n\n{}", self.credentials(SECRET_LOG)));
        }
        if let Some(today) = self.today {
            for (at, (path, chars)) in LOGS.iter().enumerate() {
                let name = on(path, today);
                put(&name, log(&name, *chars, answers(path), 5000 + 200 * at));
            }
        }
        if let Some(logs) = self.bootstrap_logs {
            for at in 0..logs {
                let name = format!("memory/{}.md", day(at));
                put(&name, log(&name, 600, std::iter::empty(), 7000 + 20 * at));
            }
        }
        for at in 0..self.skills {
            let (name, text) = skill(at);
            put(&format!("skills/{name}/SKILL.md"), text);
            if at.is_multiple_of(10) {
                let script = format!("#!/bin/sh\n# Prints the newest entry for {name}.\ntail -n 1 \"$1\"\n");
                put(&format!("skills/{name}/scripts/run.sh"), script);
            }
        }
        if self.vendored {
            put(".git/HEAD", "ref: refs/heads/main\n".to_owned());
            for (folder, at) in VENDORED.iter().flat_map(|folder| (1..=15).map(move |at| (folder, at))) {
                let text = format!("# Note {at}\n\n- The {VENDORED_WORD} of {folder} has part {at}.\n");
                put(&format!("{folder}/note-{at:02}.md"), text);
            }
        }
        files
    }

    fn agents(&self) -> String {
        let last = match self.generation {
            Generation::Older => HEARTBEATS.to_owned(),
            Generation::Current => format!("## Tools\n\n{TOOLS}{}", self.credentials("TOOLS.md")),
        };
        let head = format!("{AGENTS}{last}\n");
        let tail = format!("\n## Make It Yours\n\n- {LAST_AGENTS}\n");
        let Some(chars) = self.agents_chars else { return head + &tail };
        let policies = POLICIES.iter().enumerate();
        let inserts = policies
            .map(|(at, policy)| (35 + 4 * at, format!("\n## Routine {}\n\n- {policy}\n\n", at + 1)))
            .collect();
        fill(chars, &head, &tail, inserts, |at| sentence(3000 + at) + if at % 6 == 5 { "\n\n" } else { "\n" })
    }

    fn memory(&self) -> String {
        let pointer = if self.core { "- What matters most stands in `memory/core.md`.\n" } else { "" };
        let mut head =
            format!("# Long-Term Memory\n\n- {FIRST_MEMORY}\n{pointer}{}", self.credentials("MEMORY.md"));
        if self.secrets {
            let lines = PURPOSES.iter().zip(public_addresses());
            head.extend(lines.map(|(purpose, address)| format!("- {purpose} {address}\n")));
        }
        let tail = format!("\n## Last\n\n- {LAST_MEMORY}\n");
        let notes: Vec<String> =
            answers("MEMORY.md").chain([DUPLICATE]).map(|note| format!("- {note}\n")).collect();
        match self.memory_chars {
            None => head + &notes.concat() + &tail,
            Some(chars) => {
                let inserts = notes.into_iter().map(|note| (45, note)).collect();
                fill(chars, &head, &tail, inserts, memory_line)
            }
        }
    }

    /// The lines with the credentials of `place`, where they were asked for.
    fn credentials(&self, place: &str) -> String {
        if !self.secrets {
            return String::new();
        }
        let rows = CREDENTIALS.iter().enumerate().filter(|(_, row)| row.0 == place);
        rows.map(|(at, (_, before, _, after))| format!("{before}{}{after}", credential(at))).collect()
    }
}

/// Every credential of [`Workspace::secrets`], with its file.
pub fn secrets(generation: Generation) -> Vec<(&'static str, String)> {
    let rows = CREDENTIALS.iter().enumerate();
    rows.map(|(at, row)| match (generation, row.0) {
        (Generation::Current, "TOOLS.md") => ("AGENTS.md", credential(at)),
        (_, place) => (place, credential(at)),
    })
    .collect()
}

/// Three addresses with valid checksums in MEMORY.md; the owner's own models must be able to read them.
pub fn public_addresses() -> Vec<String> {
    let samples = secret::positives("evm_address", PURPOSES.len(), &mut Chance::of(20));
    samples.into_iter().map(|sample| sample.value).collect()
}

/// `path` with `{today}` and `{yesterday}` replaced by dates.
pub fn on(path: &str, today: Date) -> String {
    let yesterday = today.yesterday().expect("a day before it");
    path.replace("{today}", &today.to_string()).replace("{yesterday}", &yesterday.to_string())
}

/// The sentences that answer the questions of `path`.
fn answers(path: &str) -> impl Iterator<Item = &'static str> {
    let rows = QUESTIONS.iter().zip(ANSWERS);
    rows.filter(move |((_, expected), _)| *expected == path).map(|(_, answer)| *answer)
}

/// `text` of `path` with `{0}`, `{1}` replaced by its answers.
fn with_answers(path: &str, text: &str) -> String {
    let text = text.replace("{duplicate}", DUPLICATE);
    answers(path).enumerate().fold(text, |text, (at, answer)| text.replace(&format!("{{{at}}}"), answer))
}

fn credential(at: usize) -> String {
    drawn(CREDENTIALS[at].2, &mut Chance::of(at as u64))
}

/// `recipe` with each `<a24>` replaced by 24 characters of alphabet `a` in [`ALPHABETS`].
fn drawn(recipe: &str, chance: &mut Chance) -> String {
    let mut out = String::new();
    // Text and recipe alternate.
    for (at, piece) in recipe.split(['<', '>']).enumerate() {
        if at.is_multiple_of(2) {
            out.push_str(piece);
            continue;
        }
        let (alphabet, count) = piece.split_at(1);
        let (_, alphabet) = ALPHABETS.iter().find(|(name, _)| *name == alphabet).expect("an alphabet");
        let count: usize = count.parse().expect("a count");
        out.extend((0..count).map(|_| char::from(*chance.pick(alphabet.as_bytes()))));
    }
    out
}

/// `head`, lines and `tail`, exactly `chars` characters in all. An insert (percent, text) follows the first
/// line that reaches its percentage; tally marks take up the rest. Panics where `chars` is too small.
#[track_caller]
fn fill(
    chars: usize,
    head: &str,
    tail: &str,
    inserts: Vec<(usize, String)>,
    line: impl Fn(usize) -> String,
) -> String {
    const TALLY: &str = "- Sweeps: ";
    const LEAST_TALLY: usize = 40;
    let (mut text, mut length) = (head.to_owned(), head.chars().count() + tail.chars().count());
    let (mut inserts, mut lines) = (inserts.into_iter().peekable(), 0..);
    loop {
        let insert = inserts.next_if(|(percent, _)| length * 100 >= chars * percent);
        let due = insert.is_some();
        let next = insert.map_or_else(|| line(lines.next().expect("endless")), |(_, text)| text);
        let longer = length + next.chars().count();
        if longer + LEAST_TALLY > chars {
            assert!(!due && inserts.peek().is_none(), "{chars} characters are too few");
            break;
        }
        (length, text) = (longer, text + &next);
    }
    let marks = (chars - length).checked_sub(TALLY.len() + ".\n".len()).expect("room for the tally");
    let marks: String = "|||| ".chars().cycle().take(marks).collect();
    format!("{text}{TALLY}{marks}.\n{tail}")
}

/// A log of exactly `chars` characters, with the answers at three fifths of it.
#[track_caller]
fn log(name: &str, chars: usize, answers: impl Iterator<Item = &'static str>, seed: usize) -> String {
    let title = name.trim_start_matches("memory/").trim_end_matches(".md");
    let inserts = answers.map(|answer| (60, format!("- {answer}\n"))).collect();
    let tail = format!("\n- Lamp off and door locked on {title}.\n");
    fill(chars, &format!("# {title}\n\n"), &tail, inserts, |at| {
        let minute = 7 * 60 + 6 * at;
        format!("- {:02}:{:02} {}\n", minute / 60, minute % 60, sentence(seed + at))
    })
}

/// The `at`-th entry of MEMORY.md; each twelfth begins a section, and each third section was promoted.
fn memory_line(at: usize) -> String {
    let (section, entry, date) = (at / 12, at % 12, day(at / 12));
    let promoted = section % 3 == 2;
    let heading = match entry {
        0 if promoted => format!("\n## Promoted From Short-Term Memory ({date})\n\n"),
        0 => {
            format!("\n## {} {}\n\n", if section.is_multiple_of(3) { "Orders" } else { "库存" }, section + 1)
        }
        _ => String::new(),
    };
    let trigger = format!(" <!-- trigger: {} -->", word(WHAT, at, false));
    let importance = format!(" <!-- importance: {} -->", 3 + at % 8);
    let comments = match at % 4 {
        0 => trigger + &importance,
        1 => importance,
        2 => trigger,
        _ => String::new(),
    };
    if !promoted {
        return format!("{heading}- {}{comments}\n", sentence(at));
    }
    let (source, row) = (format!("memory/{date}.md"), entry + 3);
    let scores = format!("score=0.8{entry:02} signals=5 recalls=4 avg=0.7{entry:02}");
    format!(
        "{heading}<!-- openclaw-memory-promotion:memory:{source}:{row}:{row} -->\n\
         - {} [{scores} source={source}:{row}-{row}]{comments}\n",
        sentence(at)
    )
}

/// The `at`-th sentence of the workshop's days, each third one Chinese. Below 9,973 no two are equal: the
/// prime makes each number occur once.
fn sentence(at: usize) -> String {
    let (number, chinese) = (at * 4099 % 9973 + 3, at % 3 == 2);
    let of = |table, at| word(table, at, chinese);
    let (who, did, what) = (of(WHO, at), of(DID, at / 2), of(WHAT, at));
    let (place, rest) = (of(PLACE, at / 3), of(REST, at));
    if chinese {
        format!("{who}在{place}{did} {number} {what}，{rest}。")
    } else {
        format!("{who} {did} {number} {what} {place}; {rest}.")
    }
}

/// The `at`-th word of `table`, beginning again after the last.
fn word(table: &'static str, at: usize, chinese: bool) -> &'static str {
    let at = at % table.split("; ").count();
    let (english, other) = table.split("; ").nth(at).and_then(|row| row.split_once('=')).expect("a row");
    if chinese { other } else { english }
}

/// The name and the text of the `at`-th skill.
fn skill(at: usize) -> (String, String) {
    let (round, chinese) = (at / 160, at % 3 == 2);
    let (verb, noun) = (word(VERBS, at, chinese), word(WHAT, at / 20, chinese));
    let mut name = format!("{}-{}", word(VERBS, at, false).to_lowercase(), word(WHAT, at / 20, false));
    name = name.replace(' ', "-") + &if round == 0 { String::new() } else { format!("-{}", round + 1) };
    let description = if chinese {
        format!(
            "开船之前为作坊{verb}每{noun}，先核对上一次记下的数字，发现偏差超过一成的时候停下来请闻白羽过目，\
             没有问题再把结果写进当天的日志，并把旧单据收进蓝色的文件夹。"
        )
    } else {
        format!("{verb} {noun} before the ferry leaves, and write the result into the daily log.")
    };
    let text = format!(
        "---\nname: {name}\ndescription: {description}\n---\n\n\
         # {name}\n\n1. Read the last entry of {name}.\n2. Do the work and compare.\n"
    );
    (name, text)
}

/// The day so many days after [`FIRST_DAY`].
fn day(after: usize) -> Date {
    FIRST_DAY.saturating_add(Span::new().days(i64::try_from(after).expect("few days")))
}

#[cfg(test)]
mod tests;
