//! The automaton that searches for a pattern.
//!
//! Invariant: a byte costs one step, however often partial matches begin. If the states of a lazy automaton do not
//! fit, up to 4,000 are visited for each byte; so it has room for all states.

use inwit_model::limit::{FORGET_AUTOMATON_BYTES_MAX, FORGET_PATTERN_BYTES_MAX};
use regex::bytes::{Regex, RegexBuilder};

/// Compiles `pattern`; `None` if it is too large.
pub fn automaton(pattern: &str, ignores_case: bool) -> Option<Regex> {
    if pattern.len() > FORGET_PATTERN_BYTES_MAX {
        return None;
    }
    let mut builder = RegexBuilder::new(pattern);
    builder.case_insensitive(ignores_case);
    builder.size_limit(FORGET_AUTOMATON_BYTES_MAX).dfa_size_limit(FORGET_AUTOMATON_BYTES_MAX);
    builder.build().ok()
}

#[cfg(test)]
mod tests {
    use regex_automata::Input;
    use regex_automata::hybrid::dfa::DFA;
    use regex_automata::nfa::thompson;
    use regex_automata::util::syntax;

    use super::super::pattern::pattern;
    use super::*;

    /// How often the state cache was cleared while searching `bytes` for `text`.
    fn emptied(text: &str, bytes: &str, room: usize) -> usize {
        let config = DFA::config().cache_capacity(room).skip_cache_capacity_check(true);
        let found = DFA::builder()
            .configure(config)
            .syntax(syntax::Config::new().case_insensitive(true).utf8(false))
            .thompson(thompson::Config::new().utf8(false))
            .build(&pattern(text, usize::MAX))
            .expect("an automaton");
        let mut cache = found.create_cache();
        assert_eq!(
            found.try_search_fwd(&mut cache, &Input::new(bytes)).expect("one that does not give up"),
            None
        );
        cache.clear_count()
    }

    /// Regression: `inwit forget --check` needed 29 seconds and more for a long repetitive text inside another one.
    #[test]
    fn the_states_of_a_long_text_that_repeats_fit() {
        for (text, bytes) in [
            ("a ".repeat(1_999) + "b", "a a "),
            ("a".repeat(3_999) + "b", "a"),
            ("漢".repeat(3_999) + "b", "漢"),
            ("a b ".repeat(900) + "c", "a b "),
            ("iiii".repeat(900) + "ı", "İiIı"),
        ] {
            let bytes = bytes.repeat(14_000 / bytes.len());
            assert_eq!(emptied(&text, &bytes, FORGET_AUTOMATON_BYTES_MAX), 0, "{}", &bytes[..9]);
        }
    }
}
