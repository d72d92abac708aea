//! Extracts entities: people and places, wikilinks, tags, URLs, dates.
//!
//! By patterns only, without a model. Invariants: at most [`ENTITIES_MAX`] of one text, in order, each once; equal
//! texts give equal entities.

use std::collections::BTreeSet;

use inwit_model::{Entity, EntityKind};

/// Most entities of one text.
pub const ENTITIES_MAX: usize = 20;

/// Most words of one name.
const NAME_WORDS_MAX: usize = 4;

/// The entities of `text`.
pub fn entities(text: &str) -> Vec<Entity> {
    let mut found = Vec::new();
    let mut known = BTreeSet::new();
    let mut add = |kind, key: &str| {
        let entity = Entity { kind, key: key.to_lowercase() };
        if found.len() < ENTITIES_MAX && !entity.key.is_empty() && known.insert(entity.clone()) {
            found.push(entity);
        }
    };
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("[[") {
        of_plain(before, &mut add);
        match behind.split_once("]]") {
            Some((link, after)) if !link.contains('\n') => {
                add(EntityKind::Wikilink, link.split('|').next().unwrap_or(link).trim());
                rest = after;
            }
            _ => rest = behind,
        }
    }
    of_plain(rest, &mut add);
    found
}

/// Number of entities of `text` that `question` has too.
pub fn overlap(question: &str, text: &str) -> usize {
    let asked = format!(" {} ", words(question));
    let named = |entity: &Entity| {
        let key = words(&entity.key);
        !key.is_empty() && asked.contains(&format!(" {key} "))
    };
    entities(text).iter().filter(|entity| named(entity)).count()
}

/// The case-folded words of a text, with single blanks.
fn words(text: &str) -> String {
    let lower = text.to_lowercase();
    lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

fn of_plain(text: &str, add: &mut dyn FnMut(EntityKind, &str)) {
    let mut name: Vec<&str> = Vec::new();
    let mut begins_sentence = true;
    for raw in text.split_whitespace() {
        let word = raw.trim_matches(|c: char| !(c.is_alphanumeric() || matches!(c, '#' | '/')));
        let tag = word.strip_prefix('#').filter(|tag| tag.starts_with(char::is_alphabetic));
        if word.starts_with("https://") || word.starts_with("http://") {
            end_name(&mut name, add);
            add(EntityKind::Url, word.trim_end_matches('/'));
        } else if let Some(tag) = tag {
            end_name(&mut name, add);
            add(EntityKind::Tag, tag);
        } else if is_date(word) {
            end_name(&mut name, add);
            add(EntityKind::Date, word);
        } else if is_capital(word) && !(begins_sentence && is_function_word(word)) {
            name.push(possessor(word));
            if name.len() == NAME_WORDS_MAX {
                end_name(&mut name, add);
            }
        } else {
            end_name(&mut name, add);
        }
        begins_sentence = raw.ends_with(['.', '!', '?', ':']);
        if raw.ends_with(['.', '!', '?', ':', ',', ';', ')']) {
            end_name(&mut name, add);
        }
    }
    end_name(&mut name, add);
}

fn end_name(name: &mut Vec<&str>, add: &mut dyn FnMut(EntityKind, &str)) {
    if !name.is_empty() {
        add(EntityKind::Name, &name.join(" "));
        name.clear();
    }
}

fn is_capital(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(char::is_uppercase) && chars.next().is_some()
}

/// `Ana` for `Ana's`.
fn possessor(word: &str) -> &str {
    word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word)
}

/// Words that begin sentences and are not names.
fn is_function_word(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "the", "this", "that", "these", "those", "she", "he", "they", "we", "you", "it", "its", "my", "our",
        "your", "his", "her", "their", "an", "and", "but", "or", "if", "when", "while", "where", "who",
        "what", "which", "how", "why", "there", "here", "in", "on", "at", "for", "from", "to", "with",
        "after", "before", "never", "always", "not", "no", "all", "some", "is", "are", "was", "does", "do",
        "user", "likes", "prefers",
    ];
    WORDS.contains(&word.to_lowercase().as_str())
}

fn is_date(word: &str) -> bool {
    word.len() == 10 && word.parse::<jiff::civil::Date>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn named(text: &str) -> Vec<String> {
        entities(text).into_iter().map(|entity| format!("{} {}", entity.kind.word(), entity.key)).collect()
    }

    #[test]
    fn what_is_written_like_a_name_is_one() {
        assert_eq!(
            named("She met Ana María's brother on 2026-11-21, see [[Rye bread|bread]] and #baking."),
            ["name ana maría", "date 2026-11-21", "wikilink rye bread", "tag baking"]
        );
        assert_eq!(
            named("Read https://example.org/a/. Ask Bo, Cleo."),
            ["name read", "url https://example.org/a", "name ask bo", "name cleo"]
        );
        assert_eq!(named("nothing here, 12 # [[ ]]"), [""; 0]);
    }

    #[test]
    fn a_question_names_a_thing_in_any_case() {
        assert_eq!(overlap("what does ana maría bake", "Ana María bakes in Porto"), 1);
        assert_eq!(overlap("porto and ANA MARÍA", "Ana María bakes in Porto"), 2);
        assert_eq!(overlap("an anagram", "Ana bakes"), 0);
    }

    proptest! {
        #[test]
        fn any_text_has_a_few_entities_each_once(text in "(\\PC|\\n|\\[\\[|\\]\\]){0,300}") {
            let all = entities(&text);
            prop_assert!(all.len() <= ENTITIES_MAX);
            prop_assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
        }
    }
}
