//! The status of an agent.

use std::collections::BTreeMap;

use inwit_engine::core::place_names::place_word;
use inwit_engine::{Identity, Status};
use inwit_model::{Entry, Place};

use crate::NoticeV1;
use crate::shape::shape;

shape! {
    /// What an agent has.
    pub struct StatusV1 by
    /// Translates a status; `files` adds every file.
    pub fn new(frame: StatusFrame, status: &Status, files: bool) {
        /// Which agent, and where.
        #[serde(flatten)]
        pub frame: StatusFrame = frame,
        /// Who it says it is.
        pub identity: IdentityV1<String> = IdentityV1::from(&status.identity),
        /// Files by kind.
        pub counts: BTreeMap<&'static str, usize> = status.counts.clone(),
        /// Date of the first daily log.
        pub first_day?: Option<String> = status.days.map(|days| days.0.to_string()),
        /// Date of the last daily log.
        pub last_day?: Option<String> = status.days.map(|days| days.1.to_string()),
        /// Rooms that have a file or logs.
        pub rooms: Vec<String> = status.rooms.clone(),
        /// What is searched.
        pub index: IndexV1 = IndexV1::from(status),
        /// What is kept as rows; absent where nothing is.
        pub facts?: Option<FactCountsV1> = status.facts.map(|facts| FactCountsV1 {
            standing: facts.facts,
            pending: facts.pending,
            retired: facts.retired,
        }),
        /// How far a model of meaning knows what is searched; absent where words alone answer.
        pub meaning?: Option<MeaningV1> = status.meaning.as_ref().map(|state| MeaningV1 {
            model: state.model.clone(),
            passages: state.readable,
            waiting: state.waiting,
            refused: state.refused.len(),
        }),
        /// Every file; only when asked for.
        pub files?: Option<Vec<FileV1>> = files.then(|| status.files.iter().map(FileV1::from).collect()),
        /// What the reader should know besides.
        pub notices?: Vec<NoticeV1> = Vec::new(),
    }

    /// How many facts there are.
    pub struct FactCountsV1 {
        /// Facts that stand.
        pub standing: u64,
        /// Those of them that wait for the next consolidation.
        pub pending: u64,
        /// Facts beside them for which another one stands.
        pub retired: u64,
    }

    /// Who an agent says it is.
    pub struct IdentityV1<T> from<W> identity: &Identity<W> {
        /// What it is called.
        pub name: Option<T> = identity.name.as_ref().map(T::from),
        /// What it is.
        pub creature: Option<T> = identity.creature.as_ref().map(T::from),
        /// How it comes across.
        pub vibe: Option<T> = identity.vibe.as_ref().map(T::from),
        /// Its sign.
        pub emoji: Option<T> = identity.emoji.as_ref().map(T::from),
        /// Its picture.
        pub avatar: Option<T> = identity.avatar.as_ref().map(T::from),
    }

    /// How far a model of meaning knows the notes.
    pub struct MeaningV1 {
        /// The model.
        pub model: String,
        /// Passages that it can read.
        pub passages: usize,
        /// Those without a vector; absent where the provider was never asked.
        pub waiting?: Option<usize>,
        /// Texts that it refused.
        pub refused: usize,
    }

    /// What is searched.
    pub struct IndexV1 from status: &Status {
        /// Files that are searched.
        pub files: usize = status.searched_files,
        /// Passages in them.
        pub passages: u64 = status.passages,
        /// Files that were read now because they had changed.
        pub read_now: usize = status.sync.read,
        /// Files that were forgotten now because they are gone.
        pub removed_now: usize = status.sync.removed,
        /// Files that could not be read.
        pub unread: usize = status.sync.unread.len(),
        /// Names that were left out.
        pub left_out: usize = status.sync.skipped.len(),
    }

    /// One file.
    pub struct FileV1 from file: &(Entry, Place) {
        /// From the workspace's root.
        pub path: String = file.0.name.to_string(),
        /// What it is.
        pub kind: &'static str = place_word(&file.1),
        /// Size in bytes.
        pub bytes: u64 = file.0.stamp.bytes,
    }

    /// What only the composition root knows of an agent.
    #[derive(Default)]
    pub struct StatusFrame {
        /// The agent's id, or `ws-…` for a folder that no agent names.
        pub agent: String,
        /// Its folder below the home of inwit.
        pub home: String,
        /// Its workspace.
        pub workspace: String,
        /// Its profile.
        pub profile: String,
        /// The zone that names its days.
        pub timezone: String,
        /// Which OpenClaw generation the folder looks like.
        pub generation: &'static str,
        /// All agents of this home.
        pub agents: Vec<String>,
    }
}
