//! Matches the turns of a transcript with the recorded ones.
//!
//! Messages repeat (`yes`), hosts write late, and either side may lack a turn. So the two lists are aligned as a
//! whole. Invariants: the pairs keep the order of both; a turn is in at most one pair.

use super::state::TurnMark;

/// Score of two marks being the same turn; 0: they are not.
fn likeness(written: &TurnMark, kept: &TurnMark) -> u32 {
    let is_same = |one: &str, other: &str| !one.is_empty() && one == other;
    let has_prompt = written.is_asked_alike(kept);
    let has_reply = is_same(&written.reply, &kept.reply);
    match (has_prompt, has_reply) {
        (true, true) => 8,
        (true, false) => 6,
        // Hosts may write a prompt in another form than they report it.
        (false, true) if written.is_long => 4,
        _ if written.is_answered_alike(kept) => 4,
        (false, true) if written.is_command && kept.is_command => 4,
        _ if written.is_command && kept.is_command => 1,
        _ => 0,
    }
}

/// For each written turn the recorded one, maximising the total score.
pub fn align(written: &[TurnMark], kept: &[TurnMark]) -> Vec<Option<usize>> {
    let width = kept.len() + 1;
    // Best score of the first `row` turns with the first `column` recorded ones.
    let mut best = vec![0; (written.len() + 1) * width];
    for row in 1..=written.len() {
        for column in 1..width {
            let pair = likeness(&written[row - 1], &kept[column - 1]);
            let paired = if pair > 0 { best[(row - 1) * width + column - 1] + pair } else { 0 };
            let apart = best[(row - 1) * width + column].max(best[row * width + column - 1]);
            best[row * width + column] = paired.max(apart);
        }
    }
    let mut pairs = vec![None; written.len()];
    let (mut row, mut column) = (written.len(), kept.len());
    while row > 0 && column > 0 {
        let here = best[row * width + column];
        if here == best[(row - 1) * width + column] {
            row -= 1;
        } else if here == best[row * width + column - 1] {
            column -= 1;
        } else {
            (row, column) = (row - 1, column - 1);
            pairs[row] = Some(column);
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(turns: &[(&str, &str)]) -> Vec<TurnMark> {
        let mark = |(user, reply): &(&str, &str)| TurnMark {
            prompt: (*user).to_owned(),
            reply: (*reply).to_owned(),
            is_long: reply.len() > 4,
            is_command: user.is_empty() || user.starts_with('/'),
            ..TurnMark::default()
        };
        turns.iter().map(mark).collect()
    }

    #[track_caller]
    fn check(written: &[(&str, &str)], kept: &[(&str, &str)], expected: &[Option<usize>]) {
        assert_eq!(align(&marks(written), &marks(kept)), expected, "{written:?} {kept:?}");
    }

    #[test]
    fn a_turn_is_known_by_its_words_and_its_place() {
        check(&[], &[("a", "1")], &[]);
        check(&[("a", "1"), ("b", "2"), ("c", "3")], &[("a", "1"), ("c", "3")], &[Some(0), None, Some(1)]);
        // The same prompt again and again.
        check(&[("yes", "1"), ("yes", "2")], &[("yes", "2")], &[None, Some(0)]);
        check(&[("yes", "1"), ("yes", "2")], &[("yes", "1")], &[Some(0), None]);
        // The reply was recorded in another form, or not at all.
        check(&[("a", "1"), ("b", "2")], &[("b", "")], &[None, Some(0)]);
        // The host writes the prompt in another form.
        check(&[("a [Image]", "a long reply")], &[("a", "a long reply")], &[Some(0)]);
        check(&[("a", "ok")], &[("b", "ok")], &[None]);
        let began =
            |second: i64, mark: &TurnMark| TurnMark { began_ms: Some(1_000 * second), ..mark.clone() };
        let [written, kept] = ["a (expanded)", "a"].map(|user| marks(&[(user, "ok")]).remove(0));
        let one = [began(10, &written)];
        assert_eq!(align(&one, &[began(12, &kept)]), [Some(0)], "it began at the same time");
        assert_eq!(align(&one, &[began(90, &kept)]), [None], "it did not");
        // A command is reported as typed and written in a host format.
        check(&[("", "1"), ("b", "2")], &[("/commit", "3"), ("b", "2")], &[Some(0), Some(1)]);
    }
}
