//! The log, newest first, and the commit at a time.
//!
//! Commits are read as raw objects with lengths, so that no message can imitate a boundary. Invariant: a filter
//! compares whole values of our own lines; git's search only reduces the work.

use std::collections::HashMap;
use std::io::Write;

use inwit_model::SafeName;
use jiff::Timestamp;

use super::content::{Object, safe_name};
use super::error::HistoryError;
use super::message::{self, Message, inert_line, line_value, trailer};
use super::{History, Oid, Rev};

/// Commits that are read at a time.
const PAGE_COMMITS: usize = 512;

/// Which commits are wanted; what is `None` does not matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogFilter {
    /// Most commits to give.
    pub limit: usize,
    /// Only those that changed this file.
    pub name: Option<SafeName>,
    /// Only those of this session.
    pub session: Option<String>,
    /// Only those of this receipt: at most one, unless a flush was repeated.
    pub receipt: Option<String>,
}

impl LogFilter {
    /// The newest `limit` commits.
    pub fn newest(limit: usize) -> Self {
        Self { limit, name: None, session: None, receipt: None }
    }
}

/// One commit of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logged {
    /// Its name.
    pub oid: Oid,
    /// When it happened; to the second where it is not ours.
    pub at: Timestamp,
    /// What happened, on one line.
    pub subject: String,
    /// What else was said; may be empty.
    pub body: String,
    /// Who did it; git's author where it is not ours.
    pub actor: String,
    /// The receipt of the change, where there is one.
    pub receipt: Option<String>,
    /// The session it was made in.
    pub session: Option<String>,
    /// The proposal that a person approved.
    pub proposal: Option<String>,
    /// From whom the text came.
    pub taint: Option<String>,
    /// The files it changed, in byte order.
    pub names: Vec<SafeName>,
}

impl History {
    /// The commits that `filter` wants, newest first. Errors: `history_failed`.
    pub fn log(&self, filter: &LogFilter) -> Result<Vec<Logged>, HistoryError> {
        let exact = |key, wanted: &Option<String>| wanted.as_ref().map(|text| (key, line_value(text)));
        let lines: Vec<(&str, String)> =
            [exact(trailer::SESSION, &filter.session), exact(trailer::RECEIPT, &filter.receipt)]
                .into_iter()
                .flatten()
                .collect();
        let mut words: Vec<String> = vec!["--fixed-strings".into(), "--all-match".into()];
        words.extend(lines.iter().map(|(key, value)| format!("--grep={key}: {value}")));
        let keep = |told: &CommitHead| lines.iter().all(|(key, value)| told.message.get(key) == Some(value));
        let told = self.walk(&words, filter.name.as_ref(), filter.limit, keep)?;
        let mut names = self.names_of(&told)?;
        Ok(told.into_iter().map(|one| one.logged(&mut names)).collect())
    }

    /// Whether any commit up to `at` changed `name`: where the file does not stand at `at` then, its removal
    /// is recorded. Errors: `revision_unknown`, `history_failed`.
    pub fn is_recorded(&self, at: &Rev, name: &SafeName) -> Result<bool, HistoryError> {
        let oid = self.resolve(at)?.to_string();
        let listed = self.git.read(&["rev-list", "--max-count=1", &oid, "--", name.as_str()], None)?;
        Ok(!listed.is_empty())
    }

    /// Whether nothing but a beginning is recorded: no commit of a receipt so far, none of what was found later,
    /// and none of a stranger.
    pub fn is_beginning(&self) -> Result<bool, HistoryError> {
        let tip = self.told(&[self.tip()?.to_string()])?;
        let later = [trailer::RECEIPT, trailer::FOUND];
        Ok(tip
            .iter()
            .all(|tip| tip.line(trailer::AT).is_some() && later.iter().all(|line| tip.line(line).is_none())))
    }

    /// The last commit that is not after `moment`, `None` where all are.
    pub fn at(&self, moment: Timestamp) -> Result<Option<Oid>, HistoryError> {
        // Git compares seconds, and has none before 1970; the message knows the moment itself.
        let words = [format!("--min-age={}", moment.as_second().max(0))];
        let last = self.walk(&words, None, 1, |told| told.at() <= moment)?;
        Ok(last.first().map(|told| told.oid))
    }

    /// Commits from the tip back that `keep` keeps, at most `limit`.
    fn walk(
        &self,
        words: &[String],
        name: Option<&SafeName>,
        limit: usize,
        keep: impl Fn(&CommitHead) -> bool,
    ) -> Result<Vec<CommitHead>, HistoryError> {
        let tip = self.tip()?;
        let mut kept = Vec::new();
        let mut seen = 0;
        while kept.len() < limit {
            let page = [format!("--max-count={PAGE_COMMITS}"), format!("--skip={seen}"), tip.to_string()];
            let mut all = vec!["rev-list".to_owned()];
            all.extend(words.iter().cloned().chain(page));
            all.push("--".to_owned());
            all.extend(name.map(SafeName::to_string));
            let listed = String::from_utf8_lossy(&self.git.read(&all, None)?).into_owned();
            let listed: Vec<String> = listed.lines().map(str::to_owned).collect();
            seen += listed.len();
            let told = self.told(&listed)?;
            kept.extend(told.into_iter().filter(&keep).take(limit - kept.len()));
            if listed.len() < PAGE_COMMITS {
                break;
            }
        }
        Ok(kept)
    }

    /// The commits of these names, in their order.
    pub(super) fn told(&self, oids: &[String]) -> Result<Vec<CommitHead>, HistoryError> {
        let objects = self.objects(oids)?.into_iter();
        let told: Option<Vec<CommitHead>> = objects.map(|object| CommitHead::read(&object?)).collect();
        told.ok_or(HistoryError::Odd { asked: "cat-file" })
    }

    /// What each commit changed.
    fn names_of(&self, commits: &[CommitHead]) -> Result<HashMap<Oid, Vec<SafeName>>, HistoryError> {
        if commits.is_empty() {
            return Ok(HashMap::new());
        }
        let feed = |out: &mut dyn Write| commits.iter().try_for_each(|one| writeln!(out, "{}", one.oid));
        let words = ["diff-tree", "--stdin", "-r", "-z", "--root", "--no-renames"];
        let words = [words.as_slice(), &["--no-ext-diff", "--no-textconv"]].concat();
        let listed = self.git.read(&words, Some(&feed))?;
        let odd = || HistoryError::Odd { asked: "diff-tree" };
        let mut names: HashMap<Oid, Vec<SafeName>> = HashMap::new();
        let mut current = None;
        let mut words = listed.split(|&byte| byte == 0).filter(|word| !word.is_empty());
        while let Some(word) = words.next() {
            // `:100644 … M`, then the name; or the name of the next commit.
            if word.starts_with(b":") {
                let (oid, name) = current.zip(words.next()).ok_or_else(odd)?;
                names.entry(oid).or_default().extend(safe_name(name));
            } else {
                let oid = std::str::from_utf8(word).ok().and_then(|text| Oid::parse(text.trim()));
                current = Some(oid.ok_or_else(odd)?);
            }
        }
        Ok(names)
    }
}

/// A commit without the names it changed.
#[derive(Debug, Clone)]
pub(super) struct CommitHead {
    pub oid: Oid,
    pub message: Message,
    author: String,
    second: i64,
}

impl CommitHead {
    /// Reads the raw bytes of a commit.
    fn read(object: &Object) -> Option<Self> {
        let text = String::from_utf8_lossy(&object.bytes);
        let (head, text) = text.split_once("\n\n").unwrap_or((&text, ""));
        let author = head.lines().find_map(|line| line.strip_prefix("author "))?;
        let (name, rest) = author.split_once('<')?;
        let second = rest.rsplit_once("> ")?.1.split(' ').next()?.parse().ok()?;
        let author = inert_line(name.trim());
        Some(Self { oid: object.oid, message: message::read(text), author, second })
    }

    /// When it happened.
    pub fn at(&self) -> Timestamp {
        let second = || Timestamp::from_second(self.second).unwrap_or(Timestamp::MAX);
        self.message.at().unwrap_or_else(second)
    }

    /// Who did it.
    pub fn actor(&self) -> String {
        self.message.get(trailer::ACTOR).unwrap_or(&self.author).to_owned()
    }

    /// One of our lines.
    pub fn line(&self, key: &str) -> Option<String> {
        self.message.get(key).map(str::to_owned)
    }

    fn logged(self, names: &mut HashMap<Oid, Vec<SafeName>>) -> Logged {
        Logged {
            oid: self.oid,
            at: self.at(),
            actor: self.actor(),
            receipt: self.line(trailer::RECEIPT),
            session: self.line(trailer::SESSION),
            proposal: self.line(trailer::PROPOSAL),
            taint: self.line(trailer::TAINT),
            names: names.remove(&self.oid).unwrap_or_default(),
            subject: self.message.subject,
            body: self.message.body,
        }
    }
}
