//! What a pattern is looked for with.
//!
//! Invariant: a byte costs one step, however often the text begins anew in what it is looked for in. An automaton whose
//! states do not fit is walked by all that have begun at once, up to 4,000 for each byte; so it has room for all states.

use inwit_model::limit::{FORGET_AUTOMATON_BYTES_MAX, FORGET_PATTERN_BYTES_MAX};
use regex::bytes::{Regex, RegexBuilder};

/// Looks for `pattern`; `None`: it is too large.
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

    /// How often the room for states was emptied while `text` is looked for in `bytes`.
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

    /// `inwit forget --check` needed 29 seconds and more for a long text that repeats in one that repeats.
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
