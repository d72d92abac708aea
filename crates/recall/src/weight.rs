//! The weights of ranking: each a setting, each with its measured effect.
//!
//! Chosen on round numbers with flat optima; `docs/benchmarks.md` has the ablation. [`WEIGHTS`] is the one table: names,
//! defaults and ranges of the settings, their reference and the values of [`Weights`] are read from it. Below the table
//! stand the limits of ranking, which are no settings. Invariant: every value that the table lets in gives finite
//! scores, and lending ends.

/// One weight as a setting tells it.
#[derive(Debug, Clone, Copy)]
pub struct WeightSpec {
    /// The name of its setting.
    pub key: &'static str,
    /// What holds where nothing is said, in hundredths.
    pub percent: u16,
    /// The most that may be said, in hundredths; the least is 0.
    pub most: u16,
    /// What it does, for people.
    pub about: &'static str,
    /// Where it goes.
    field: fn(&mut Weights) -> &mut f32,
}

/// Declares the table and the struct together, so that no weight is without a setting.
macro_rules! weights {
    ($($(#[$doc:meta])* $name:ident = $percent:literal, at most $most:literal, $about:literal;)+) => {
        /// What counts how much. Values are shares, 1 is 100 hundredths.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub struct Weights {
            $($(#[$doc])* pub $name: f32,)+
        }

        impl Default for Weights {
            fn default() -> Self {
                Self { $($name: $percent as f32 / 100.0,)+ }
            }
        }

        /// Every weight, in the order in which a score is made.
        pub const WEIGHTS: &[WeightSpec] = &[
            $(WeightSpec {
                key: concat!("weights.", stringify!($name)),
                percent: $percent,
                most: $most,
                about: $about,
                field: |weights| &mut weights.$name,
            },)+
        ];
    };
}

weights! {
    /// How fast repetitions of a term saturate (BM25's k1). Flat between 0.8 and 1.5.
    saturation = 100, at most 1_000, "How fast repetitions of a word saturate (BM25's k1), in hundredths. \
                                      Default: 100.";
    /// How much a passage's length counts (BM25's b). Flat between 0.5 and 0.9.
    length_share = 75, at most 100, "How much the length of a passage counts (BM25's b), in hundredths. \
                                     Default: 75.";
    /// What a match lends to the passage beside it.
    lend = 70, at most 95, "Score propagation from a match to the passages beside it, in hundredths. \
                            Default: 70; 0 turns it off.";
    /// What a passage that asks lends to the one that answers.
    lend_to_answer = 85, at most 95, "Score propagation from a passage that asks something to the passage \
                                      after it, in hundredths. Default: 85.";
    /// The share of lending that is left in a question of one or two words: who asks `bread` wants to see
    /// the word, not what stands beside it. Development questions are longer.
    lend_short_question = 40, at most 100, "Share of score propagation that applies to a query of one or \
                                            two words, in hundredths. Default: 40.";
    /// The share of lending that crosses a heading. A choice of prudence: flat between 0 and 1.
    lend_across_heading = 50, at most 100, "Share of score propagation that crosses a heading, in \
                                            hundredths. Default: 50.";
    /// Score propagation that is left between passages without rare words in common.
    lend_unrelated = 0, at most 100, "Share of score propagation that applies between passages without rare \
                                      words in common, in hundredths. Default: 0; 100 treats all passages \
                                      alike.";
    /// What a word in the heading above a passage counts.
    heading = 30, at most 60, "Weight of a word in the heading above a passage, in hundredths. Default: 30.";
    /// What the first passage of a section gains when its heading path and file name have all words of the question.
    title = 100, at most 300, "Boost for the first passage of a section whose heading and file name have all \
                              words of the query, in hundredths. Default: 100.";
    /// What a word counts that an entry's `<!-- trigger: … -->` names and its text does not.
    trigger = 100, at most 200, "Weight of a word that an entry's `<!-- trigger: … -->` names, in \
                                 hundredths. Default: 100, the same as in the text.";
    /// What another spelling of a word counts (`notebook` for `note book`). It is there for the rare question that
    /// nothing else answers.
    other_spelling = 30, at most 100, "Weight of another spelling of a word (`notebook` for `note book`), \
                                       in hundredths. Default: 30.";
    /// What another form of a word counts in languages other than English. English forms are one term.
    other_form = 95, at most 100, "Weight of another form of a word in languages other than English, in \
                                   hundredths. Default: 95.";
    /// Weight of a similar word of the notes, if no note has the query word.
    near_form = 60, at most 100, "Weight of a similar word of the notes (`Kaltmiete` for `Miete`) if no note \
                                  has the query word, in hundredths. Default: 60.";
    /// What an entry gains whose label the question names, shared by the labels named.
    label = 30, at most 200, "Boost for an entry whose label is in the query (`- Ana: …`), in hundredths. \
                              Default: 30.";
    /// Weight of a word that names a label, since it says who and not what.
    label_word = 50, at most 100, "Weight of a query word that names a label, compared with other words, in \
                                   hundredths. Default: 50.";
    /// What a passage that names a time gains when the question asks when.
    time = 10, at most 200, "Boost for a passage that names a time if the query asks when, in hundredths. \
                             Default: 10.";
    /// What a passage gains that is of the very day asked for.
    day_asked = 100, at most 300, "Boost for a passage from the day in the query, in hundredths. Default: \
                                   100.";
    /// What it gains when it is of the week asked for. What gains this much by its date answers even without a word of
    /// the question.
    week_asked = 75, at most 300, "Boost for a passage from the week in the query, in hundredths. Default: \
                                   75.";
    /// What it gains when it is of the month asked for.
    month_asked = 50, at most 300, "Boost for a passage from the month in the query, in hundredths. \
                                    Default: 50.";
    /// What it gains when it is of the year asked for, or on the side of a day that was asked for.
    year_asked = 45, at most 300, "Boost for a passage from the year in the query, in hundredths. Default: \
                                   45.";
    /// What the nearest passage gains from its meaning, where a model is present. Flat between 0.4 and 1.0.
    meaning = 60, at most 300, "Boost for the nearest passage by meaning, if a model is available, in \
                                hundredths. Default: 60.";
    /// What the nearness of a passage lends to the passages beside it.
    meaning_lend = 20, at most 100, "Score propagation of vector similarity to the passages beside it, in \
                                     hundredths. Default: 20.";
    /// The same one passage further.
    meaning_lend_far = 10, at most 100, "Score propagation of vector similarity to passages at distance two, in \
                                         hundredths. Default: 10.";
    /// What each step of an entry's `<!-- importance: 1..10 -->` above or below 5 multiplies by, as in OpenClaw: 1
    /// is 0.80 of the score, 10 is 1.25.
    importance = 5, at most 20, "How much each step of an entry's `<!-- importance: 1..10 -->` above or \
                                 below 5 changes its score, in hundredths of it. Default: 5, as in \
                                 OpenClaw; 0 turns it off.";
    /// The most that the owner's feedback moves a score by, up or down.
    feedback = 10, at most 50, "Maximum change of a score by the owner's feedback, up or down, in \
                                hundredths of it. Default: 10; 0 turns it off.";
}

impl WeightSpec {
    /// Says the weight in hundredths; more than its most is the most.
    pub fn say(&self, weights: &mut Weights, percent: u16) {
        *(self.field)(weights) = f32::from(percent.min(self.most)) / 100.0;
    }
}

/// A question of at most this many full terms is a short one.
pub const SHORT_QUESTION_TERMS_MAX: usize = 2;

/// Lending ends where less than this would arrive: at most eight passages on, further through questions.
pub const LEND_MIN: f32 = 0.05;

/// A label counts as one when at least this many passages bear it.
pub const LABEL_BEARERS_MIN: u32 = 3;

/// At this cosine of the best passage something is near, whatever words were found. On the development conversations
/// 99.9 % of questions that have an answer are near by one or the other (by words alone: 96.2 %), and 2 of 40 that
/// were asked of the wrong notes (by words alone: 1).
pub const NEAR_COSINE_MIN: f32 = 0.4;

/// Passages that meaning alone brings before the judges of words, labels and dates.
pub const MEANING_CANDIDATES_MAX: usize = 1_000;

/// The importance that moves nothing; an entry that says none has it.
pub const IMPORTANCE_PLAIN: u8 = 5;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_table_says_is_what_holds_when_nothing_is_said() {
        for spec in WEIGHTS {
            let mut weights = Weights::default();
            spec.say(&mut weights, spec.percent);
            assert_eq!(weights, Weights::default(), "{}", spec.key);
            assert!(
                spec.about.contains(&format!("Default: {}", spec.percent))
                    || spec.about.starts_with("The same"),
                "{}",
                spec.key
            );
            spec.say(&mut weights, u16::MAX);
            assert_ne!(weights, Weights::default(), "{} goes somewhere", spec.key);
        }
    }

    #[test]
    fn no_value_lets_lending_go_on_for_ever_or_turns_a_score_around() {
        let mut most = Weights::default();
        WEIGHTS.iter().for_each(|spec| spec.say(&mut most, u16::MAX));
        assert!(most.lend < 1.0 && most.lend_to_answer < 1.0 && most.lend_across_heading <= 1.0);
        assert!(1.0 + most.importance * (1.0 - f32::from(IMPORTANCE_PLAIN)) > 0.0);
        assert!(most.feedback < 1.0);
    }
}
