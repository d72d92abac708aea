//! A prompt in the forms of hosts: blocks, an Anthropic `system` array, OpenAI messages.
//!
//! Each form has the same texts in the same order, so a host that caches by prefix sees the same bytes in every form.

use inwit_engine::{Block, ModelText, Omission, Part, Prompt};

use crate::shape::{shape, theirs};
use crate::{AsOfV1, NoticeV1, TextV1};

shape! {
    /// Every block with where it comes from, and what was left out and why.
    pub struct PromptV1 by
    /// Translates a prompt. `tokens` are those of each block; `texts` adds the text of each.
    pub fn new(prompt: &Prompt, tokens: Option<&[u32]>, texts: bool) {
        /// From what the prompt is, where the past was asked for.
        pub as_of?: Option<AsOfV1> = None,
        /// For whom.
        pub scope: String = prompt.scope.to_string(),
        /// The profile that ordered it.
        pub profile: String = prompt.profile.clone(),
        /// `frozen`: a session keeps this prefix; `live`: it is rebuilt each turn.
        pub snapshot: &'static str = prompt.snapshot.word(),
        /// The sha256 of the prefix.
        pub prefix_sha256: String = prompt.prefix_sha256().to_string(),
        /// The blocks in order.
        pub blocks: Vec<BlockV1> = prompt
            .blocks
            .iter()
            .enumerate()
            .map(|(at, block)| BlockV1::new(block, tokens.and_then(|tokens| tokens.get(at)).copied(), texts))
            .collect(),
        /// What was left out.
        pub omitted: Vec<OmissionV1> = prompt.omitted.iter().map(OmissionV1::from).collect(),
        /// The sums.
        pub total: TotalV1 = TotalV1::new(prompt, tokens),
        /// What the reader should know besides.
        pub notices?: Vec<NoticeV1> = prompt.notices.iter().map(NoticeV1::from).collect(),
    }

    /// One block.
    pub struct BlockV1 by fn new(block: &Block, tokens: Option<u32>, texts: bool) {
        /// `soul`, `memory` …; `day` for the line of the day.
        pub kind: &'static str = block.kind.map_or("day", |kind| kind.word()),
        /// `prefix`, `user_prefix` or `tail`.
        pub part: &'static str = block.part.word(),
        /// The file, where there is one.
        pub source?: Option<String> = block.source.as_ref().map(ToString::to_string),
        /// Who gets the same text: `shared`, `room:…`, or `private`.
        pub scope: String = block.audience.clone(),
        /// UTF-8 bytes of the text.
        pub bytes: usize = block.text.len(),
        /// Characters of the text.
        pub chars: usize = block.chars(),
        /// Tokens of the text, by OpenAI's `o200k_base`; other models differ by some percent.
        pub tokens?: Option<u32> = tokens,
        /// Characters of the file that are shown.
        pub shown_chars: usize = block.shown_chars,
        /// Characters the file has; of what a question brought, those of the passages that were looked at.
        pub total_chars: usize = block.total_chars,
        /// The sha256 of the text.
        pub sha256: String = block.sha256.to_string(),
        /// The sha256 of the file, for its owner: with a masked part it would allow testing guesses of that.
        pub source_sha256?: Option<String> = Some(block.source_sha256.to_string()),
        /// The text; left away in a report.
        pub text?: Option<TextV1> = texts.then(|| TextV1::from(&block.text)),
    }

    /// Something that was left out.
    pub struct OmissionV1 from omission: &Omission {
        /// What it would have been.
        pub kind: &'static str = omission.kind.word(),
        /// The file, where one is meant.
        pub source?: Option<String> = omission.source.as_ref().map(ToString::to_string),
        /// Stable name of the reason.
        pub reason: &'static str = omission.reason.word(),
        /// The reason in a sentence.
        pub message: String = omission.reason.sentence(),
        /// Characters left out, where known.
        pub chars?: Option<usize> = omission.chars,
    }

    /// Sums over the blocks.
    pub struct TotalV1 by fn new(prompt: &Prompt, tokens: Option<&[u32]>) {
        /// UTF-8 bytes.
        pub bytes: usize = prompt.blocks.iter().map(|block| block.text.len()).sum(),
        /// Characters.
        pub chars: usize = prompt.blocks.iter().map(Block::chars).sum(),
        /// Tokens.
        pub tokens?: Option<u32> = tokens.map(|tokens| tokens.iter().sum()),
        /// Characters that the blocks of files may take.
        pub budget_chars: usize = prompt.budget_chars,
        /// Tokens the prompt should stay below, 0 for no such aim.
        pub token_budget: usize = prompt.token_budget,
    }
}

theirs! {
    /// The `system` array of Anthropic's Messages API, and the blocks for the first user message.
    pub struct AnthropicV1 {
        /// The system blocks; a breakpoint stands where a stable run ends.
        pub system: Vec<TextBlock>,
        /// What goes before the user's message; only in profiles that put memory there.
        pub messages?: Vec<AnthropicMessage>,
    }

    /// A message of Anthropic's API.
    pub struct AnthropicMessage {
        /// `user`.
        pub role: &'static str,
        /// Its blocks.
        pub content: Vec<TextBlock>,
    }

    /// A text block of Anthropic's API.
    pub struct TextBlock {
        /// `text`.
        #[serde(rename = "type")]
        pub kind: &'static str,
        /// The text.
        pub text: TextV1,
        /// A cache breakpoint behind this block.
        pub cache_control?: Option<CacheControl>,
    }

    /// A cache breakpoint.
    pub struct CacheControl {
        /// `ephemeral`.
        #[serde(rename = "type")]
        pub kind: &'static str,
    }
}

/// Anthropic allows four breakpoints in a request; we set at most two and leave two to the host.
const BREAKPOINTS_MAX: usize = 2;

impl From<&Prompt> for AnthropicV1 {
    /// A breakpoint ends the identity (what changes least) and one ends the prefix; the tail has none.
    fn from(prompt: &Prompt) -> Self {
        let of = |part: Part| prompt.blocks.iter().filter(move |block| block.part == part);
        let prefix: Vec<&Block> = of(Part::Prefix).collect();
        let identity_end = prefix.iter().rposition(|block| is_identity(block));
        let marks: Vec<usize> =
            [identity_end, prefix.len().checked_sub(1)].into_iter().flatten().take(BREAKPOINTS_MAX).collect();
        let text = |text: &ModelText, marked: bool| TextBlock {
            kind: "text",
            text: text.into(),
            cache_control: marked.then_some(CacheControl { kind: "ephemeral" }),
        };
        let mut system: Vec<TextBlock> =
            prefix.iter().enumerate().map(|(at, block)| text(&block.text, marks.contains(&at))).collect();
        system.extend(of(Part::Tail).map(|block| text(&block.text, false)));
        let before_user: Vec<TextBlock> =
            of(Part::UserPrefix).map(|block| text(&block.text, false)).collect();
        let messages = if before_user.is_empty() {
            Vec::new()
        } else {
            vec![AnthropicMessage { role: "user", content: before_user }]
        };
        Self { system, messages }
    }
}

fn is_identity(block: &Block) -> bool {
    block.kind.is_some_and(|kind| matches!(kind.word(), "soul" | "agents" | "identity"))
}

theirs! {
    /// Messages of OpenAI's chat API.
    pub struct OpenAiV1 {
        /// The system message of the prefix, that of the tail, and what goes before the user's message.
        pub messages: Vec<OpenAiMessage>,
    }

    /// One message.
    pub struct OpenAiMessage {
        /// `system` or `user`.
        pub role: &'static str,
        /// The text.
        pub content: TextV1,
    }
}

impl From<&Prompt> for OpenAiV1 {
    fn from(prompt: &Prompt) -> Self {
        let parts = [(Part::Prefix, "system"), (Part::Tail, "system"), (Part::UserPrefix, "user")];
        let messages =
            parts.into_iter().map(|(part, role)| OpenAiMessage { role, content: prompt.text(part).into() });
        Self { messages: messages.filter(|message| !message.content.is_empty()).collect() }
    }
}
