//! The sample memory, for trying inwit without notes.

use crate::shape::shape;
use crate::{AnswerV1, PromptV1};

shape! {
    /// The sample's prompts, without their texts, and what it answers.
    pub struct TriedV1 {
        /// A prompt of each scope.
        pub prompts: Vec<PromptV1>,
        /// Questions and their answers.
        pub searches: Vec<AskedV1>,
    }

    /// A question and its answer.
    pub struct AskedV1 {
        /// What it shows.
        pub what: &'static str,
        /// The question.
        pub query: &'static str,
        /// The answer.
        #[serde(flatten)]
        pub answer: AnswerV1,
    }

    /// Where the sample was laid out.
    pub struct LaidOutV1 {
        /// The folder.
        pub folder: String,
        /// Files in it.
        pub files: usize,
    }
}
