//! The figures of a benchmark: one table for JSON keys, columns and digits.

/// One row of [`FIGURES`].
#[derive(Debug, Clone, Copy)]
pub struct FigureSpec {
    /// Its key in JSON.
    pub key: &'static str,
    /// Its column.
    pub title: &'static str,
    /// Number of decimals for display.
    pub digits: usize,
}

macro_rules! figures {
    ($($name:ident, $key:literal, $title:literal, $digits:literal;)*) => {
        /// One figure; its row in [`FIGURES`] defines its display.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[allow(missing_docs, reason = "the row says it")]
        pub enum Figure { $($name),* }

        /// Every figure, in the order of the columns.
        pub const FIGURES: &[FigureSpec] = &[
            $(FigureSpec { key: $key, title: $title, digits: $digits }),*
        ];
    };
}

figures! {
    FoundAt5, "found_at_5", "found@5", 3;
    RecallAt5, "recall_at_5", "R@5", 3;
    RecallAt10, "recall_at_10", "R@10", 3;
    Within1000, "recall_within_1000_chars", "in 1,000", 3;
    Within2000, "recall_within_2000_chars", "in 2,000", 3;
    Within6000, "recall_within_6000_chars", "in 6,000", 3;
    Within13000, "recall_within_13000_chars", "in 13,000", 3;
    NdcgAt10, "ndcg_at_10", "nDCG@10", 3;
    MrrAt10, "mrr_at_10", "MRR@10", 3;
    DocumentRecallAt5, "document_recall_at_5", "doc R@5", 3;
    DocumentRecallAt10, "document_recall_at_10", "doc R@10", 3;
    DocumentRecallAt100, "document_recall_at_100", "doc R@100", 3;
    DocumentNdcgAt10, "document_ndcg_at_10", "doc nDCG@10", 3;
    DocumentMrrAt10, "document_mrr_at_10", "doc MRR@10", 3;
    CharsIn10, "chars_in_10", "chars@10", 0;
    TokensIn10, "tokens_in_10", "tokens@10", 0;
    NothingNear, "nothing_near", "nothing near", 3;
}

impl Figure {
    /// Recall within each of [`BUDGETS_CHARS`](crate::passages::BUDGETS_CHARS).
    pub const WITHIN: [Self; 4] = [Self::Within1000, Self::Within2000, Self::Within6000, Self::Within13000];

    /// Its row.
    pub fn spec(self) -> &'static FigureSpec {
        &FIGURES[self as usize]
    }
}
