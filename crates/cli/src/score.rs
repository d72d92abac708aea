//! Prints a score: its sum and its parts, consistently rounded.
//!
//! Rounded separately, 0.0765, 0.0765 and 0.75 (sum 0.90) would print as 0.08, 0.08 and 0.75 (sum 0.91). So the sum
//! is rounded, and the remainder goes to the parts with the largest rounding loss. If a rare part would vanish in
//! hundredths, all are printed in thousandths. Invariant: the printed parts add up to the printed sum, and 0 is
//! printed as 0.

use inwit_engine::notes::search::ScoreBreakdown;

/// A printed score.
#[derive(Debug, PartialEq, Eq)]
pub struct Score {
    /// The sum.
    pub sum: String,
    /// The line with its parts.
    pub line: String,
}

/// If importance, feedback, a trigger or a reranker contribute less than this, thousandths are used.
const FINE_BELOW: f64 = 0.1;

impl Score {
    /// The score that `parts` make.
    pub fn of(parts: &ScoreBreakdown) -> Self {
        let always = [
            ("words", parts.words),
            ("meaning", parts.meaning),
            ("label", parts.label),
            ("time", parts.time),
            ("date", parts.date),
        ];
        let rare = [
            ("title", parts.title),
            ("trigger", parts.trigger),
            ("importance", parts.importance),
            ("feedback", parts.feedback),
            ("rerank", parts.rerank),
        ];
        let rare: Vec<_> = rare.into_iter().filter(|(_, part)| *part != 0.0).collect();
        let is_fine = rare.iter().any(|(_, part)| f64::from(part.abs()) < FINE_BELOW);
        let digits = if is_fine { 3 } else { 2 };
        let told: Vec<(&str, f32)> = always.iter().chain(&rare).copied().collect();
        let scale = 10_f64.powi(digits);
        let exact: Vec<f64> = told.iter().map(|(_, part)| f64::from(*part) * scale).collect();
        let (sum, steps) = rounded(&exact);
        let shown = |steps: i64| {
            let digits = usize::try_from(digits).unwrap_or_default();
            format!("{:.digits$}", steps as f64 / scale)
        };
        let mut line = String::from("    =");
        for (at, ((name, _), steps)) in told.iter().zip(steps).enumerate() {
            let sign = match (at, steps < 0) {
                (0, false) => "",
                (0, true) => " −",
                (_, false) => " +",
                (_, true) => " −",
            };
            line.push_str(&format!("{sign} {name} {}", shown(steps.abs())));
        }
        Self { sum: shown(sum), line }
    }
}

/// The rounded sum of `exact`, and each value rounded up or down so that they add up to it: those with the largest
/// fraction are rounded up.
fn rounded(exact: &[f64]) -> (i64, Vec<i64>) {
    let sum = exact.iter().sum::<f64>().round() as i64;
    let mut steps: Vec<i64> = exact.iter().map(|part| part.floor() as i64).collect();
    let left = usize::try_from(sum - steps.iter().sum::<i64>()).unwrap_or_default();
    let mut order: Vec<usize> = (0..exact.len()).collect();
    order.sort_by(|&one, &other| {
        let above = |at: usize| exact[at] - exact[at].floor();
        above(other).total_cmp(&above(one)).then(one.cmp(&other))
    });
    order.into_iter().take(left).for_each(|at| steps[at] += 1);
    (sum, steps)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn steps(text: &str) -> i64 {
        let (whole, rest) = text.split_once('.').expect(text);
        let rest = if rest.len() == 2 { format!("{rest}0") } else { rest.to_owned() };
        format!("{whole}{rest}").parse().expect(text)
    }

    /// The parts of a line, in thousandths.
    fn told(line: &str) -> Vec<i64> {
        let words: Vec<&str> = line.trim().split(' ').collect();
        let parts = words.chunks(3).map(|part| {
            let [sign, _, amount] = part else { panic!("{line}") };
            if *sign == "−" { -steps(amount) } else { steps(amount) }
        });
        parts.collect()
    }

    #[test]
    fn the_parts_of_a_printed_score_add_up() {
        let parts =
            ScoreBreakdown { words: 0.0765, meaning: 0.0765, date: 0.75, ..ScoreBreakdown::default() };
        let score = Score::of(&parts);
        assert_eq!(score.sum, "0.90");
        assert_eq!(score.line, "    = words 0.08 + meaning 0.07 + label 0.00 + time 0.00 + date 0.75");
        let parts =
            ScoreBreakdown { words: 0.9, importance: -0.18, feedback: 0.0213, ..ScoreBreakdown::default() };
        let score = Score::of(&parts);
        assert_eq!(score.sum, "0.741");
        assert!(score.line.ends_with(" + date 0.000 − importance 0.180 + feedback 0.021"), "{}", score.line);
    }

    proptest! {
        #[test]
        fn any_parts_add_up_as_they_are_printed(
            plain in proptest::array::uniform5(prop_oneof![Just(0.0_f32), 0.0_f32..3.0]),
            rare in proptest::array::uniform5(prop_oneof![Just(0.0_f32), -0.5_f32..0.5]),
        ) {
            let [words, meaning, label, time, date] = plain;
            let [trigger, importance, feedback, title, rerank] = rare;
            let (trigger, title) = (trigger.abs(), title.abs());
            let parts = ScoreBreakdown { words, trigger, meaning, label, time, date, title, importance, feedback, rerank };
            let score = Score::of(&parts);
            let told = told(&score.line);
            let sum = steps(score.sum.trim_start_matches('-')) * if score.sum.starts_with('-') { -1 } else { 1 };
            prop_assert_eq!(told.iter().sum::<i64>(), sum, "{}", score.line);
            let exact = [words, meaning, label, time, date].into_iter();
            for (exact, told) in exact.zip(&told) {
                prop_assert!((f64::from(exact) * 1000.0 - *told as f64).abs() <= 10.0, "{} is {}", exact, told);
                prop_assert!(exact != 0.0 || *told == 0);
            }
        }
    }
}
