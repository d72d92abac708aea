//! History: commits, blame, results of changes, and the state behind an answer about the past.

use inwit_engine::AsOf;
use inwit_engine::history::past::{Logged, Origin};
use inwit_model::time;

use crate::shape::shape;
use crate::{FactOutcomeV1, NoticeV1, OutcomeV1};

shape! {
    /// One recorded change.
    pub struct CommitV1 from logged: &Logged {
        /// The name of the state it left.
        pub revision: String = logged.oid.to_string(),
        /// When, RFC 3339.
        pub at: String = time::json(logged.at),
        /// Who: `owner`, `agent`, `dream`, `engine`, `import`, `external`.
        pub actor: String = logged.actor.clone(),
        /// What happened, on one line.
        pub subject: String = logged.subject.clone(),
        /// Why, in the writer's words.
        pub reason?: String = logged.body.clone(),
        /// The receipt of the change.
        pub receipt?: Option<String> = logged.receipt.clone(),
        /// The session it was made in.
        pub session?: Option<String> = logged.session.clone(),
        /// The proposal that a person approved.
        pub proposal?: Option<String> = logged.proposal.clone(),
        /// From what it was made.
        pub taint?: Option<String> = logged.taint.clone(),
        /// The files it changed.
        pub files: Vec<String> = logged.names.iter().map(ToString::to_string).collect(),
    }

    /// Recorded changes, newest first.
    pub struct HistoryV1 {
        /// Each change.
        pub commits: Vec<CommitV1>,
        /// What the reader should know besides.
        pub notices?: Vec<NoticeV1>,
    }

    /// What changed between two states.
    pub struct DiffV1 {
        /// A unified diff.
        pub diff: String,
        /// What the reader should know besides.
        pub notices?: Vec<NoticeV1>,
    }

    /// Where the lines of a file come from.
    pub struct BlameV1 {
        /// The file.
        pub path: String,
        /// Each line.
        pub lines: Vec<BlamedLineV1>,
        /// What the reader should know besides.
        pub notices?: Vec<NoticeV1>,
    }

    /// A change that was or would be taken back.
    pub struct UndoV1 {
        /// Its receipt.
        pub undoes: String,
        /// Which file.
        pub path: String,
        /// What changes by it.
        pub diff: String,
        /// Whether it was done.
        pub applied: bool,
        /// What became of it.
        pub outcome?: Option<OutcomeV1>,
    }

    /// The undoing of a change of a fact.
    pub struct FactUndoV1 {
        /// What the change was, such as `fact_add`.
        pub undoes: String,
        /// The id of the fact.
        pub fact: String,
        /// What changes, in unified form.
        pub diff: String,
        /// Whether it was done.
        pub applied: bool,
        /// The result.
        pub outcome?: Option<FactOutcomeV1>,
    }

    /// From what an answer about the past was given.
    pub struct AsOfV1 from of: &AsOf {
        /// The moment that was asked for, RFC 3339.
        pub moment: String = time::json(of.moment),
        /// The commit that was answered from; for the owner alone, and not where the files are those of now.
        pub commit?: Option<String> = of.commit.clone(),
        /// When it happened, RFC 3339. Neither: history knows nothing of the moment.
        pub recorded_at?: Option<String> = of.recorded.map(time::json),
        /// The moment is not over, so the files are those of now.
        pub is_now: bool = of.is_now,
    }

    /// A file as it was.
    pub struct RevisionV1 {
        /// The file.
        pub path: String,
        /// The state that was asked for.
        pub revision: String,
        /// The text; bytes that are not UTF-8 as U+FFFD.
        pub text: String,
        /// The sha256 of the bytes.
        pub sha256: String,
    }

    /// One line and where it comes from.
    #[derive(Default)]
    pub struct BlamedLineV1 {
        /// Its number, from 1.
        pub line: usize,
        /// Its text.
        pub text: String,
        /// Whether it is known who wrote it; the keys below are there only then.
        pub recorded: bool,
        /// When, RFC 3339.
        pub at?: Option<String>,
        /// Who.
        pub actor?: Option<String>,
        /// The state that brought it.
        pub revision?: Option<String>,
        /// The receipt of the change.
        pub receipt?: Option<String>,
        /// The session it was made in.
        pub session?: Option<String>,
        /// The proposal that a person approved.
        pub proposal?: Option<String>,
    }
}

impl From<&Origin> for BlamedLineV1 {
    fn from(origin: &Origin) -> Self {
        match origin {
            Origin::Unrecorded { line, text } => {
                Self { line: *line, text: text.to_owned(), ..Self::default() }
            }
            Origin::Recorded(blamed) => Self {
                line: blamed.line,
                text: blamed.text.clone(),
                recorded: true,
                at: Some(time::json(blamed.at)),
                actor: Some(blamed.actor.clone()),
                revision: Some(blamed.oid.to_string()),
                receipt: blamed.receipt.clone(),
                session: blamed.session.clone(),
                proposal: blamed.proposal.clone(),
            },
        }
    }
}
