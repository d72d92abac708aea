//! BEIR and sets in its format: documents, queries, and which documents are relevant.
//!
//! A folder has `corpus.jsonl` (`_id`, `title`, `text`), `queries.jsonl` (`_id`, `text`) and `qrels/test.tsv` (query,
//! document, gain, with a header line). Each document becomes a file. Only queries with a relevant document are
//! asked. Relevant documents that are not in the corpus count as not found.

use std::collections::{BTreeMap, HashMap};
use std::io::{BufRead as _, BufReader};
use std::path::Path;

use inwit_home::HomeError;
use inwit_model::SafeName;
use inwit_model::limit::WORKSPACE_FILES_MAX;
use jiff::Timestamp;
use serde::Deserialize;

use crate::exam::{Exam, Expected, Note, Question};
use crate::source::{ListHash, bad, each_line, open, sha256, unread};

/// The files of a set, in the order in which they are hashed.
const FILES: [&str; 3] = ["corpus.jsonl", "queries.jsonl", "qrels/test.tsv"];

/// The exam of the folder `path` and its hash. Errors: `file_missing`, `file_unreadable`, `dataset_bad`.
pub fn exam(path: &Path, name: &str) -> Result<(Exam, ListHash), HomeError> {
    let mut hash = ListHash::default();
    for file in FILES {
        hash.add(file, sha256(&path.join(file))?);
    }
    let [corpus, queries, qrels] = FILES.map(|file| path.join(file));
    let mut names = Names::default();
    let mut notes = Vec::new();
    each_line(&corpus, &mut |document: Document| {
        if notes.len() == WORKSPACE_FILES_MAX {
            let why =
                format!("it has more than {WORKSPACE_FILES_MAX} documents, and a workspace that many files");
            return Err(bad(&corpus, &why).hint("Choose a smaller set, such as scifact or fiqa."));
        }
        let name = names.of(&document.id).map_err(|error| bad(&corpus, &error.to_string()))?;
        notes.push(Note { name, text: document.note() });
        Ok(())
    })?;
    let mut gains = judgements(&qrels, &mut names)?;
    let mut questions = Vec::new();
    each_line(&queries, &mut |query: Document| {
        let Some(gains) = gains.remove(&query.id) else { return Ok(()) };
        let expected = Expected::Documents(gains, Vec::new());
        questions.push(Question { groups: Vec::new(), ask: query.text, now: None, expected });
        Ok(())
    })?;
    if notes.is_empty() || questions.is_empty() {
        return Err(bad(path, "there is no document, or no query with a relevant one"));
    }
    Ok((Exam { name: name.to_owned(), notes, questions, now: Timestamp::UNIX_EPOCH }, hash))
}

/// A line of the corpus or of the queries.
#[derive(Deserialize)]
struct Document {
    #[serde(rename = "_id")]
    id: String,
    #[serde(default)]
    title: String,
    text: String,
}

impl Document {
    fn note(&self) -> String {
        match self.title.trim() {
            "" => format!("{}\n", self.text),
            title => format!("# {title}\n\n{}\n", self.text),
        }
    }
}

/// Files for documents, numbered in order of first use.
#[derive(Default)]
struct Names(HashMap<String, usize>);

impl Names {
    fn of(&mut self, id: &str) -> Result<SafeName, inwit_model::NameError> {
        let next = self.0.len() + 1;
        let number = *self.0.entry(id.to_owned()).or_insert(next);
        SafeName::parse(&format!("documents/{number:07}.md"))
    }
}

/// The relevant documents of each query.
fn judgements(path: &Path, names: &mut Names) -> Result<HashMap<String, BTreeMap<SafeName, u32>>, HomeError> {
    let mut all: HashMap<String, BTreeMap<SafeName, u32>> = HashMap::new();
    for (number, line) in (1_usize..).zip(BufReader::new(open(path)?).lines()) {
        let line = line.map_err(|error| unread(path, &error))?;
        if number == 1 || line.trim().is_empty() {
            continue;
        }
        let wrong = || bad(path, &format!("line {number} is not query, document and gain with tabs between"));
        let [query, document, gain] = line.trim_end().split('\t').collect::<Vec<_>>()[..] else {
            return Err(wrong());
        };
        let gain: u32 = gain.parse().map_err(|_| wrong())?;
        if gain > 0 {
            let name = names.of(document).map_err(|error| bad(path, &error.to_string()))?;
            all.entry(query.to_owned()).or_default().insert(name, gain);
        }
    }
    Ok(all)
}
