//! Files as the HTTP APIs of Minara and MindRoom answer them, with their names.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize};

use crate::TextV1;
use crate::shape::theirs;

theirs! {
    /// Minara's envelope.
    pub struct MinaraV1<T> {
        /// True.
        pub ok: bool,
        /// The answer.
        pub data: T,
    }

    /// The eight files of a Minara workspace.
    pub struct MinaraFilesV1 {
        /// The workspace; empty for who is not its owner.
        pub workspace_dir: String,
        /// Each file, also an absent one.
        pub files: Vec<MinaraFileV1>,
    }

    /// One of them.
    pub struct MinaraFileV1 {
        /// Its name.
        pub name: &'static str,
        /// Whether it is there.
        pub exists: bool,
        /// Its size in bytes.
        pub size: u64,
        /// When it changed, milliseconds since 1970.
        pub mtime: Option<i64>,
        /// Its sha256.
        pub sha256: Option<String>,
        /// Its text; only of one file that is read.
        pub content?: Option<String>,
        /// The proposal that waits, where a change was not written.
        pub proposal?: Option<String>,
    }

    /// A memory that was added.
    pub struct MinaraMemoryV1 {
        /// True.
        pub ok: bool,
        /// Its number; null while it waits for approval.
        pub id: Option<i64>,
        /// The proposal that waits.
        pub proposal?: Option<String>,
        /// Why a person is asked.
        pub why?: Option<&'static str>,
    }

    /// What a change of a memory did.
    pub struct MinaraChangedV1 {
        /// True.
        pub ok: bool,
        /// Whether it was changed.
        pub updated?: Option<bool>,
        /// Whether it was removed.
        pub deleted?: Option<bool>,
        /// Whether it was restored.
        pub restored?: Option<bool>,
    }

    /// The profile of a user.
    pub struct MinaraProfileV1 {
        /// Summaries of wallets, which a workspace does not have.
        pub trading_summary: MinaraTradingV1,
        /// Memories, last changed first.
        pub memories: Vec<MinaraProfileMemoryV1>,
        /// Tags, by name.
        pub tags: Vec<MinaraTagV1>,
        /// The user's own instructions.
        pub custom_prompt: Option<TextV1>,
        /// What is used in prompts; fixed.
        pub settings: MinaraProfileSettingsV1,
        /// Proposals that this change became.
        pub proposals?: Vec<String>,
    }

    /// Summaries of wallets.
    pub struct MinaraTradingV1 {
        /// Null.
        pub platform_wallet_summary: Option<String>,
        /// Null.
        pub reference_wallets_summary: Option<String>,
    }

    /// A memory in a profile.
    pub struct MinaraProfileMemoryV1 {
        /// Its number.
        pub id: i64,
        /// What it says.
        pub statement: TextV1,
        /// Its type.
        pub subcategory: TextV1,
        /// Since when it is kept, RFC 3339.
        pub created_at: String,
    }

    /// A tag of a profile.
    pub struct MinaraTagV1 {
        /// Its name.
        pub name: TextV1,
        /// Its value; null if it has none.
        pub value: Option<MinaraTagValueShownV1>,
        /// `user`.
        pub source: &'static str,
        /// When it was last set, RFC 3339.
        pub updated_at: Option<String>,
        /// The proposal that waits.
        pub proposal?: Option<String>,
    }

    /// What of a profile is used in prompts.
    pub struct MinaraProfileSettingsV1 {
        /// True.
        pub include_memories: bool,
        /// True.
        pub include_trading_summary: bool,
        /// True.
        pub include_tags: bool,
    }

    /// The user's own instructions.
    pub struct MinaraPromptV1 {
        /// The text.
        pub custom_prompt: Option<TextV1>,
        /// The proposal that waits.
        pub proposal?: Option<String>,
    }

    /// The files of a MindRoom workspace.
    pub struct MindroomFilesV1 {
        /// The agent.
        pub agent_name: String,
        /// Each file.
        pub files: Vec<MindroomFileV1>,
        /// How many.
        pub count: usize,
    }

    /// One of them.
    pub struct MindroomFileV1 {
        /// Its name.
        pub filename: String,
        /// Its text; only of one file that is read.
        pub content?: Option<String>,
        /// Its size in bytes.
        pub size_bytes: u64,
        /// When it changed, RFC 3339.
        pub last_modified: String,
        /// The agent.
        pub agent_name: String,
        /// The proposal that waits, where a change was not written.
        pub proposal?: Option<String>,
    }

    /// The daily logs of a date.
    pub struct MindroomDayV1 {
        /// The agent.
        pub agent_name: String,
        /// `YYYY-MM-DD`.
        pub date: String,
        /// Each log of that date.
        pub entries: Vec<MindroomFileV1>,
    }

    /// What the next prompt is made of.
    pub struct MindroomReportV1 {
        /// The agent.
        pub agent_name: String,
        /// The room, if any.
        pub room_id: Option<String>,
        /// Whether it is a private conversation.
        pub is_dm: bool,
        /// Files in the prompt.
        pub loaded_files: Vec<MindroomLoadedV1>,
        /// Missing and large files.
        pub warnings: Vec<String>,
    }

    /// One file in a prompt.
    pub struct MindroomLoadedV1 {
        /// Its name.
        pub filename: String,
        /// Bytes of it in the prompt.
        pub size_bytes: usize,
        /// What it is.
        pub category: &'static str,
    }
}

/// A file that Minara saves.
#[derive(Debug, Clone, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MinaraPutV1 {
    /// The whole text.
    pub content: String,
    /// The sha256 of the version that was read; null to create the file. It must be there.
    #[serde(default, deserialize_with = "said")]
    #[schemars(with = "OrNull<String>", required)]
    pub expected_sha256: Option<Option<String>>,
}

/// A memory that Minara adds.
#[derive(Debug, Clone, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MinaraMemoryPostV1 {
    /// What to remember, one sentence.
    pub statement: String,
    /// Its type, such as `constraint.hard`.
    pub fact_type: Option<String>,
    /// What it is about, such as `BTC`.
    pub tickers: Option<Vec<String>>,
}

/// A memory that Minara changes; what is left out stays.
#[derive(Debug, Clone, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MinaraMemoryPatchV1 {
    /// What to remember, one sentence.
    pub statement: Option<String>,
    /// Its type.
    pub fact_type: Option<String>,
    /// What it is about.
    pub tickers: Option<Vec<String>>,
}

/// Values of a profile.
#[derive(Debug, Clone, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MinaraProfilePutV1 {
    /// Each value by its key; null removes it.
    pub values: BTreeMap<String, Option<String>>,
}

/// The value of a tag.
#[derive(Debug, Clone, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MinaraTagPutV1 {
    /// The value; null removes it. It must be there.
    #[serde(default, deserialize_with = "said")]
    #[schemars(with = "OrNull<MinaraTagValueV1>", required)]
    pub value: Option<Option<MinaraTagValueV1>>,
}

/// One text or several.
#[derive(Debug, Clone, Deserialize, schemars::JsonSchema)]
#[serde(untagged)]
pub enum MinaraTagValueV1 {
    /// One.
    Text(String),
    /// Several.
    List(Vec<String>),
}

/// One text or several, as answered.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
#[serde(untagged)]
pub enum MinaraTagValueShownV1 {
    /// One.
    Text(TextV1),
    /// Several.
    List(Vec<TextV1>),
}

/// The user's own instructions.
#[derive(Debug, Clone, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MinaraPromptPutV1 {
    /// The text; an empty one removes it.
    pub text: String,
}

/// A file that MindRoom saves.
#[derive(Debug, Clone, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MindroomPutV1 {
    /// The whole text.
    pub content: String,
}

/// The schema of a value that is there, if only as null.
struct OrNull<T>(PhantomData<T>);

impl<T: JsonSchema> JsonSchema for OrNull<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("{}OrNull", T::schema_name()).into()
    }

    fn json_schema(schemas: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [schemas.subschema_for::<T>(), { "type": "null" }] })
    }
}

/// A value that is there, if only as null.
fn said<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<Option<Option<T>>, D::Error> {
    Option::<T>::deserialize(from).map(Some)
}
