//! Concept tags: at most eight words of a memory that name its topic.
//!
//! Extracted without a model, in three steps: terms that segmentation would break (`c++`, `机器学习`), compounds
//! (`rye-bread`, `src/main`), and words by Unicode's rules. Invariant: every tag is a lower-cased word of the name or
//! the text; equal text gives equal tags.

use inwit_recall::analyse::is_spaceless;
use unicode_normalization::UnicodeNormalization as _;
use unicode_segmentation::UnicodeSegmentation as _;

use crate::notes::journal::layout::SESSION_PART_CHARS;

/// Most tags of one memory.
pub const TAGS_MAX: usize = 8;

/// Longest tag, in characters.
pub const TAG_CHARS_MAX: usize = 32;

/// Shortest tag, in characters; two for ideographs.
const TAG_CHARS_MIN: usize = 3;
const TAG_CHARS_MIN_IDEOGRAPHS: usize = 2;

/// Longest run of ideographs that counts as one word, in characters.
const IDEOGRAPHS_MAX: usize = 6;

/// Characters of the text that are read for tags.
const TAGGED_CHARS_MAX: usize = 20_000;

/// The tags of a memory in the file `basename` (without folder), by step and position.
pub fn concept_tags(basename: &str, text: &str) -> Vec<String> {
    let text: String = text.chars().take(TAGGED_CHARS_MAX).collect();
    let text: String = format!("{}\n{text}", slug(basename)).nfkc().flat_map(char::to_lowercase).collect();
    let mut tags: Vec<String> = Vec::new();
    let mut add = |tag: String| {
        if tags.len() < TAGS_MAX && !tags.contains(&tag) {
            tags.push(tag);
        }
    };
    let terms = PROTECTED.iter().filter(|term| holds(&text, term));
    terms.for_each(|term| add(term.replace(' ', "-")));
    compounds(&text).filter_map(tag).for_each(&mut add);
    words(&text).iter().filter_map(|word| tag(word)).for_each(&mut add);
    tags
}

/// The descriptive part of a file name: without date, session and kind.
fn slug(basename: &str) -> &str {
    let stem = basename.rsplit_once('.').map_or(basename, |(stem, _)| stem);
    let Some(tail) = stem.get(..10).filter(|day| is_date(day)).map(|_| &stem[10..]) else { return stem };
    let tail = tail.trim_start_matches(['-', '_', ' ']);
    let session = tail.len() == SESSION_PART_CHARS && tail.bytes().all(|byte| byte.is_ascii_hexdigit());
    if session { "" } else { tail }
}

fn is_date(text: &str) -> bool {
    text.len() == 10 && text.parse::<jiff::civil::Date>().is_ok()
}

/// Whether `term` occurs in `text` as a whole word in spaced scripts.
fn holds(text: &str, term: &str) -> bool {
    let goes_on = |c: char| c.is_alphanumeric() && !is_spaceless(c);
    text.match_indices(term).any(|(at, _)| {
        let glued = |outside: Option<char>, edge: Option<char>| {
            outside.is_some_and(goes_on) && edge.is_some_and(goes_on)
        };
        let end = at + term.len();
        !glued(text[..at].chars().next_back(), term.chars().next())
            && !glued(text[end..].chars().next(), term.chars().next_back())
    })
}

/// Words joined with `.`, `_`, `/` or `-`.
fn compounds(text: &str) -> impl Iterator<Item = &str> {
    let joins = |c: char| matches!(c, '.' | '_' | '/' | '-');
    let pieces = text.split(move |c: char| !(c.is_alphanumeric() || joins(c)));
    pieces.map(move |piece| piece.trim_matches(joins)).filter(move |piece| piece.contains(joins))
}

/// Words by Unicode's rules; runs of scripts without spaces are rejoined.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut run = String::new();
    let mut end = 0;
    for (at, word) in text.unicode_word_indices() {
        let mut chars = word.chars();
        let single = chars.next().filter(|c| chars.next().is_none() && is_spaceless(*c));
        if single.is_none() || at != end {
            words.extend(ideographs(&std::mem::take(&mut run)));
        }
        match single {
            Some(c) => run.push(c),
            None => words.extend(word.split('_').map(str::to_owned)),
        }
        end = at + word.len();
    }
    words.extend(ideographs(&run));
    words
}

/// A run without spaces, split at function characters; long pieces become pairs.
fn ideographs(run: &str) -> Vec<String> {
    let mut words = Vec::new();
    for piece in run.split(|c| BINDING.contains(c)).filter(|piece| !piece.is_empty()) {
        let chars: Vec<char> = piece.chars().collect();
        let length = if chars.len() <= IDEOGRAPHS_MAX { IDEOGRAPHS_MAX } else { 2 };
        words.extend(chars.chunks(length).map(|chunk| chunk.iter().collect::<String>()));
    }
    words
}

/// The word as a tag, unless it has no meaning.
fn tag(word: &str) -> Option<String> {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric()).replace('_', "-");
    let chars = word.chars().count();
    let kana = |c: char| matches!(c as u32, 0x3040..=0x30FF);
    let ideographs = word.chars().any(is_spaceless) && !word.chars().all(kana);
    let least = if ideographs { TAG_CHARS_MIN_IDEOGRAPHS } else { TAG_CHARS_MIN };
    let says = (least..=TAG_CHARS_MAX).contains(&chars)
        && word.chars().any(char::is_alphabetic)
        && !STOP_WORDS.split_whitespace().any(|stop| stop == word);
    says.then_some(word)
}

/// Terms that the next steps would break.
const PROTECTED: &[&str] = &[
    "c++", "c#", "f#", ".net", "node.js", "ci/cd", "tcp/ip", "a/b test", "k8s", "s3", "machine learning",
    "deep learning", "language model", "vector search", "knowledge graph", "open source", "机器学习",
    "機器學習", "深度学习", "深度學習", "人工智能", "人工智慧", "大模型", "语言模型", "語言模型", "知识图谱",
    "数据库", "資料庫", "操作系统", "作業系統", "提示词", "开源", "開源", "人工知能", "機械学習",
    "データベース", "オープンソース", "인공지능", "데이터베이스", "inteligencia artificial",
    "aprendizaje automático", "base de datos", "código abierto",
];

/// Ideographs that are function words.
const BINDING: &str =
    "的了是在和与與我你他她它们們不就都也要有这這那个個吗嗎呢吧把被给給对對从從到很说說会會去来來上下着过過";

/// Stop words: English, Spanish, parts of file names and of our own marks.
const STOP_WORDS: &str = "
    the and for are was were been being but not you your yours his her hers its our ours their theirs they them this
    that these those with without from into onto over under about above below between then than there here when where
    which while who whom whose what why how all any both each few more most other some such only own same very can
    will would should could shall may might must have has had having does did doing done just also too now new use
    used using get got one two let per via yes off out
    que los las del una uno unos unas por para con sin sobre entre como pero más mas muy este esta estos estas ese esa
    eso esto son fue ser estar está hay han tiene todo toda todos todas cuando donde quien cual porque también ya les
    nos sus
    md txt json jsonl yaml yml toml csv html htm http https www com org net png jpg jpeg gif svg pdf
    memory daily notes note user agent room turns todo day days today yesterday
";

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Proves N29i.
    #[test]
    fn tags_come_from_terms_then_compounds_then_words() {
        assert_eq!(
            concept_tags(
                "2026-11-21.md",
                "The rye-bread recipe in src/main uses C++ and _oven_ heat, 42 times."
            ),
            ["c++", "rye-bread", "src/main", "rye", "bread", "recipe", "src", "main"]
        );
        assert_eq!(concept_tags("", "trust the rust"), ["trust", "rust"]);
        assert_eq!(concept_tags("a.md", "El pan de centeno está en la cocina"), ["pan", "centeno", "cocina"]);
    }

    #[test]
    fn scripts_without_spaces_give_words_too() {
        assert_eq!(concept_tags("", "我喜欢黑麦面包和机器学习"), ["机器学习", "喜欢黑麦面包"]);
        assert_eq!(concept_tags("", "コーヒー の データベース"), ["データベース", "コーヒー"]);
        assert_eq!(concept_tags("", "호밀 빵"), ["호밀"]);
    }

    /// In the original system the longest tag was measured in bytes, so long words in other scripts were lost.
    /// Proves N29i.
    #[test]
    fn the_longest_tag_is_measured_in_characters() {
        let cyrillic = "ж".repeat(32);
        assert_eq!(concept_tags("", &cyrillic), [cyrillic]);
        assert_eq!(concept_tags("", &"ж".repeat(33)), Vec::<String>::new());
        let korean = "가나다라마바사아자차카타파하".to_owned();
        assert_eq!(concept_tags("", &korean), [korean]);
    }

    #[test]
    fn numbers_dates_and_empty_words_are_no_tags() {
        let dull = "2026-11-21 3.14 10/20 42 --- ok a. the of";
        assert_eq!(concept_tags("2026-11-21-a1b2c3d4.md", dull), Vec::<String>::new());
        assert_eq!(concept_tags("2026-11-21-oven.md", ""), ["oven"]);
        assert_eq!(concept_tags("", ""), Vec::<String>::new());
    }

    proptest! {
        /// Proves N29i.
        #[test]
        fn tags_are_few_short_distinct_words_of_the_text(text in r"(\PC|[a-z]{1,9}|[ _./-]|[一-三]){0,60}") {
            let tags = concept_tags("page.md", &text);
            prop_assert!(tags.len() <= TAGS_MAX);
            let from: String = format!("page.md\n{text}").nfkc().flat_map(char::to_lowercase).collect::<String>().replace('_', "-");
            for (at, tag) in tags.iter().enumerate() {
                prop_assert!(!tags[..at].contains(tag));
                prop_assert!(tag.chars().count() <= TAG_CHARS_MAX);
                prop_assert!(from.contains(tag.as_str()) || from.contains(&tag.replace('-', " ")), "{tag:?} of {from:?}");
            }
            prop_assert_eq!(&tags, &concept_tags("page.md", &text));
        }
    }
}
