//! Whether a query asks for the first or the latest of several: "the first hike", "la última clase", "最近一次".
//!
//! Invariant: a word that belongs to a time ("last Friday", "the first week of May") is not an order.

use std::ops::Range;

use super::grammar::Word;
use crate::language::Language;

/// The requested order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The earliest.
    First,
    /// The latest up to today.
    Latest,
}

/// Phrases by language, separated by `|`; folded.
type Row = (Language, Order, &'static str);

const ROWS: [Row; 10] = [
    (
        Language::English,
        Order::First,
        "the first|very first|my first|our first|his first|her first|their first|s first|for the first time|earliest|the oldest entry",
    ),
    (
        Language::English,
        Order::Latest,
        "the last|very last|my last|our last|his last|her last|their last|s last|latest|most recent|most recently|the newest|last time",
    ),
    (Language::Spanish, Order::First, "primer|primera|primerisima|por primera vez|la primera vez"),
    (
        Language::Spanish,
        Order::Latest,
        "el ultimo|la ultima|mi ultimo|mi ultima|su ultimo|su ultima|nuestro ultimo|nuestra ultima|ultimisima|mas reciente|por ultima vez",
    ),
    (
        Language::German,
        Order::First,
        "erste|ersten|erster|erstes|erstem|allererste|allerersten|allererster|allererstes|fruheste|frueheste",
    ),
    (
        Language::German,
        Order::Latest,
        "letzte|letzten|letzter|letztes|letztem|allerletzte|allerletzten|allerletztes|zuletzt|neueste|neuesten|neuestes|neuester|jungste|jungsten",
    ),
    (Language::French, Order::First, "premier|premiere|tout premier|toute premiere"),
    (
        Language::French,
        Order::Latest,
        "dernier|derniere|tout dernier|toute derniere|plus recent|plus recente",
    ),
    (Language::Portuguese, Order::First, "primeiro|primeira|primeirissima"),
    (
        Language::Portuguese,
        Order::Latest,
        "o ultimo|a ultima|do ultimo|da ultima|no ultimo|na ultima|meu ultimo|minha ultima|mais recente|pela ultima vez",
    ),
];

const CHINESE: [(Order, &[&str]); 2] = [
    (Order::First, &["第一次", "第一回", "第一堂", "第一节", "首次", "头一次", "头一回", "最早", "最初"]),
    (
        Order::Latest,
        &[
            "最近一次", "最近的一次", "最近那次", "最后一次", "最新", "最近一回", "上一次", "上次",
            "最近一节", "最后一回",
        ],
    ),
];

/// The order requested in `text` (folded, with its `words`) in one of `languages`, outside of `places`. The first one
/// if there are several.
pub fn read(
    text: &str,
    words: &[Word],
    languages: &[Language],
    places: &[Range<usize>],
) -> Option<(Order, Range<usize>)> {
    let is_free = |range: &Range<usize>| {
        places.iter().all(|place| range.end <= place.start || place.end <= range.start)
    };
    let of_row = |(_, order, phrases): &Row| {
        let found = phrases.split('|').filter_map(|phrase| stands(words, phrase)).filter(is_free);
        found.map(|range| (*order, range)).min_by_key(|(_, range)| range.start)
    };
    let spaced = ROWS.iter().filter(|(language, ..)| languages.contains(language)).filter_map(of_row);
    let chinese = CHINESE.iter().filter_map(|(order, words)| {
        let found = words.iter().filter_map(|word| text.find(word).map(|at| at..at + word.len()));
        found.filter(is_free).map(|range| (*order, range)).min_by_key(|(_, range)| range.start)
    });
    spaced.chain(chinese).min_by_key(|(_, range)| range.start)
}

/// The position of the consecutive words of `phrase`.
fn stands(words: &[Word], phrase: &str) -> Option<Range<usize>> {
    let parts: Vec<&str> = phrase.split(' ').collect();
    let found = words
        .windows(parts.len())
        .find(|window| window.iter().zip(&parts).all(|(word, part)| word.text == *part))?;
    Some(found.first()?.range.start..found.last()?.range.end)
}
