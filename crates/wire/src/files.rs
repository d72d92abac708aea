//! Lines of a file, the logs of a day, and the known files.

use inwit_engine::{Excerpt, ModelText};

use crate::shape::shape;
use crate::{AsOfV1, TextV1};

shape! {
    /// Lines of a file: as they stand, for the owner alone, or as a model may see them. `from`, `lines`, `text`, `truncated` and
    /// `nextFrom` are OpenClaw's names.
    pub struct ExcerptV1<T> {
        /// From what the lines are, where the past was asked for.
        pub as_of?: Option<AsOfV1>,
        /// The file.
        pub path: String,
        /// First line given, from 1.
        pub from: u32,
        /// How many lines are given.
        pub lines: u32,
        /// How many lines the file has.
        pub total_lines: u32,
        /// The text; bytes that are not UTF-8 as U+FFFD.
        pub text: T,
        /// The sha256 of the whole file.
        pub sha256: String,
        /// The taint of the lines, such as `tool`, if any.
        pub taint?: Option<&'static str>,
        /// Whether lines follow.
        pub truncated: bool,
        /// The line to go on from.
        pub next_from?: Option<u32>,
    }
}

impl From<&Excerpt> for ExcerptV1<String> {
    fn from(excerpt: &Excerpt) -> Self {
        Self::new(excerpt, String::from_utf8_lossy(&excerpt.content).into_owned())
    }
}

impl From<Excerpt<ModelText>> for ExcerptV1<TextV1> {
    fn from(mut excerpt: Excerpt<ModelText>) -> Self {
        let text = std::mem::take(&mut excerpt.content);
        Self::new(&excerpt, text.into())
    }
}

impl<T> ExcerptV1<T> {
    fn new<C>(excerpt: &Excerpt<C>, text: T) -> Self {
        let more = excerpt.last_line < excerpt.total_lines;
        Self {
            as_of: None,
            path: excerpt.name.to_string(),
            from: excerpt.first_line,
            lines: (excerpt.last_line + 1).saturating_sub(excerpt.first_line),
            total_lines: excerpt.total_lines,
            text,
            sha256: excerpt.sha256.to_string(),
            taint: excerpt.taint.map(inwit_model::Taint::word),
            truncated: more,
            next_from: more.then_some(excerpt.last_line + 1),
        }
    }
}

shape! {
    /// The daily logs of one day.
    pub struct DayV1 by
    /// Translates the logs of `day`.
    pub fn new(day: String, logs: &[Excerpt]) {
        /// `YYYY-MM-DD`.
        pub day: String = day,
        /// Each log, whole.
        pub logs: Vec<ExcerptV1<String>> = logs.iter().map(ExcerptV1::from).collect(),
    }

    /// The files that are known by name and are there.
    pub struct KnownFilesV1 {
        /// Each file.
        pub files: Vec<KnownFileV1>,
    }

    /// One of them.
    pub struct KnownFileV1 {
        /// From the workspace's root.
        pub path: &'static str,
        /// Size in bytes.
        pub bytes: usize,
        /// Its first line with words in it.
        pub first_line: String,
    }
}
