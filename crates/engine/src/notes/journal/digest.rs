//! Summarises several turns in a few lines, without a model.
//!
//! Of a question, the most useful sentences are kept; of an answer also lists, table rows and code lines with values,
//! as bullets below it. Invariant: every word of a digest is a word of the turns, in order; omissions show as `…`,
//! line ends without a full stop as `⏎`, and omitted turns are counted.

use super::Turns;
use super::statement;
use super::unit::{Kind, Unit, is_failure, units};
use crate::core::inert;

/// Longest excerpt of one question, in characters.
pub const ASKED_CHARS_MAX: usize = 420;

/// Longest excerpt of one answer, in characters.
pub const ANSWERED_CHARS_MAX: usize = 1_100;

/// Smallest excerpt, in characters, when there are many turns.
pub const EXCERPT_CHARS_MIN: usize = 80;

/// Longest digest, in characters of excerpts.
pub const DIGEST_CHARS_MAX: usize = 7_000;

/// One turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exchange<'a> {
    /// The speaker who asked, as named in the log.
    pub who: &'a str,
    /// The person's message.
    pub asked: &'a str,
    /// The agent that answered, as named in the log.
    pub by: &'a str,
    /// The agent's final answer.
    pub answered: &'a str,
}

/// One message, split into units.
struct Message<'a> {
    who: &'a str,
    units: Vec<Unit>,
    chars_max: usize,
}

/// The digest of `exchanges`, a bullet for each speaker: `- alice: …`, and for the agent: `- ada: …`. Empty if
/// nothing is worth a line. At most about [`DIGEST_CHARS_MAX`] characters.
pub fn digest(exchanges: &[Exchange<'_>]) -> String {
    let told: Vec<Message<'_>> = exchanges
        .iter()
        .flat_map(|exchange| {
            [
                Message::of(exchange.who, exchange.asked, ASKED_CHARS_MAX),
                Message::of(exchange.by, exchange.answered, ANSWERED_CHARS_MAX),
            ]
        })
        .filter(|message| !message.units.is_empty())
        .collect();
    let fits = DIGEST_CHARS_MAX / EXCERPT_CHARS_MIN;
    let mut order: Vec<usize> = (0..told.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(told[*at].worth()));
    order.truncate(fits);
    order.sort_unstable();
    let wanted: usize = order.iter().map(|at| told[*at].chars()).sum();
    let share = DIGEST_CHARS_MAX as f64 / wanted.max(DIGEST_CHARS_MAX) as f64;
    let mut bullets: Vec<String> = order
        .iter()
        .map(|at| {
            let most = (told[*at].chars() as f64 * share) as usize;
            told[*at].bullet(most.clamp(EXCERPT_CHARS_MIN, told[*at].chars_max))
        })
        .collect();
    let left = told.len() - order.len();
    if left > 0 {
        bullets.push(format!("- (left out: {left} of {} messages)", told.len()));
    }
    bullets.join("\n")
}

/// Separator of two lines without a full stop.
pub(super) const LINE_END: &str = "⏎ ";

/// Punctuation that ends a sentence.
const STOPS: [char; 8] = ['.', '!', '?', '…', '。', '！', '？', ':'];

/// Longest name of a speaker, in characters.
pub(super) const NAME_CHARS_MAX: usize = 40;

/// The default speaker.
pub const UNNAMED: &str = "user";

/// The speaker whose name has no usable character.
const UNWRITABLE: &str = "unnamed";

/// A speaker's name in the form that [`super::messages`] parses: without `.`, `:`, `` ` `` and `*`, except in an
/// address such as `@alice:example.org`.
pub fn speaker(who: &str) -> String {
    let plain: String = who.chars().filter(|c| !matches!(c, '`' | '*')).collect();
    let name = inert::words(&plain, NAME_CHARS_MAX);
    let name =
        if is_name(&name) { name } else { inert::words(&name.replace(['.', ':'], " "), NAME_CHARS_MAX) };
    if name.is_empty() { UNWRITABLE.to_owned() } else { name }
}

/// Whether `who` can be a speaker's name.
pub(super) fn is_name(who: &str) -> bool {
    let is_address = who.starts_with('@') && !who.contains(char::is_whitespace) && !who.ends_with(':');
    !who.is_empty()
        && who.chars().count() <= NAME_CHARS_MAX
        && !who.contains(['`', '*'])
        && (is_address || !who.contains(['.', ':']))
}

impl<'a> Message<'a> {
    /// Lists, tables and code are kept for the agent only: people paste pages of them.
    fn of(who: &'a str, text: &str, chars_max: usize) -> Self {
        let mut units = units(text);
        if chars_max == ASKED_CHARS_MAX {
            units.retain(|unit| matches!(unit.kind, Kind::Sentence | Kind::Item));
            let lines: Vec<&str> = units.iter().map(|unit| unit.text.as_str()).collect();
            let typed = statement::typed(&lines);
            let has_rule = typed.iter().any(|line| statement::worth(line) > 1);
            let typed = if has_rule { typed.len() } else { 0 };
            units[..typed]
                .iter_mut()
                .for_each(|unit| unit.weight += u32::from(statement::goes_with(&unit.text)));
            units.iter_mut().for_each(|unit| {
                unit.kind = Kind::Sentence;
                unit.weight +=
                    2 * u32::from(is_failure(&unit.text.to_lowercase())) + statement::worth(&unit.text);
            });
        }
        Self { who, units, chars_max }
    }

    /// Number of its units worth finding.
    fn worth(&self) -> usize {
        self.units.iter().filter(|unit| unit.weight > 0).count()
    }

    /// Its full length, within its limit.
    fn chars(&self) -> usize {
        let all: usize = self.units.iter().map(Unit::chars).sum();
        all.min(self.chars_max)
    }

    /// The message as one bullet: its sentences, and a sub-bullet for each item, row or code line.
    fn bullet(&self, chars_max: usize) -> String {
        let (kept, ends_early) = self.kept(chars_max);
        let mut out = format!("- {}:", speaker(self.who));
        let (mut next, mut is_below) = (0, false);
        for at in kept {
            let unit = &self.units[at];
            let ends_open = at > 0 && at == next && !self.units[at - 1].text.ends_with(STOPS);
            let gap = match () {
                () if at > next => "… ",
                () if ends_open && !is_below => LINE_END,
                () => "",
            };
            is_below |= unit.kind != Kind::Sentence;
            // Only omissions are marked with this sign.
            let text = unit.text.replace(" … ", " ... ");
            if is_below {
                out += &format!("\n  - {gap}{}", inert::line(&text, chars_max));
            } else {
                out += &format!(" {gap}{}", inert::words(&text, chars_max));
            }
            next = at + 1;
        }
        if ends_early {
            out += " …";
        }
        out
    }

    /// The introducing sentence or title of each unit, `None` for these themselves.
    fn leads(&self) -> Vec<Option<usize>> {
        let mut last = None;
        let lead = |(at, unit): (usize, &Unit)| {
            let leads = unit.kind == Kind::Sentence || statement::is_opening(&unit.text);
            if leads {
                last = Some(at);
            }
            last.filter(|_| !leads)
        };
        self.units.iter().enumerate().map(lead).collect()
    }

    /// The first unit and the heaviest others that fit, in order, and whether the last one is omitted.
    fn kept(&self, chars_max: usize) -> (Vec<usize>, bool) {
        let is_answer = self.chars_max == ANSWERED_CHARS_MAX;
        let mut order: Vec<usize> =
            (1..self.units.len()).filter(|at| is_answer || self.units[*at].weight > 0).collect();
        order.sort_by_key(|at| std::cmp::Reverse(self.units[*at].weight));
        let leads = self.leads();
        let mut kept = vec![0];
        let mut chars = self.units[0].chars();
        for at in order {
            // Without its introduction an item would appear below another one.
            let with: Vec<usize> =
                [Some(at), leads[at]].into_iter().flatten().filter(|one| !kept.contains(one)).collect();
            let more: usize = with.iter().map(|one| self.units[*one].chars()).sum();
            if chars + more <= chars_max {
                chars += more;
                kept.extend(with);
            }
        }
        kept.sort_unstable();
        let ends_early = kept.last().is_some_and(|last| last + 1 < self.units.len());
        (kept, ends_early)
    }
}

/// Session and turn numbers of `exchanges`, starting at turn `first`.
pub fn turns(session: &str, first: u32, exchanges: usize) -> Turns {
    let last = first.saturating_add(u32::try_from(exchanges).unwrap_or(u32::MAX).saturating_sub(1));
    Turns { session: super::turns_part(session), range: first..=last }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn told(asked: &str, answered: &str) -> String {
        digest(&[Exchange { who: "alice", asked, by: "ada", answered }])
    }

    #[test]
    fn decisions_dates_and_values_are_kept_and_noise_is_dropped() {
        let asked = "Can you look at the oven? It is a nice day. We decided to bake on 2026-11-21 with Bob.";
        let answered = "Sure.\n```json\n{\"secret\": 1}\n```\n{\"tool\": \"x\"}\n$ ls -la\n\nThe oven is fine. Hm. \
                        Ada prefers rye.";
        assert_eq!(
            told(asked, answered),
            "- alice: Can you look at the oven? … We decided to bake on 2026-11-21 with Bob.\n- ada: Sure.\n  - \
             {\"secret\": 1}\n  - The oven is fine.\n  - Hm.\n  - Ada prefers rye."
        );
    }

    #[test]
    fn lines_that_nobody_ended_stay_apart() {
        let asked = "no orm please, never\n2 tables only\n\nERROR: failed at 3";
        let all = told(asked, "Agreed.");
        assert_eq!(all, "- alice: no orm please, never ⏎ 2 tables only ⏎ ERROR: failed at 3\n- ada: Agreed.");
    }

    #[test]
    fn what_stands_beside_a_rule_is_kept_with_it() {
        let asked = "looks good. nothing goes out on thursdays. the co-op reads numbers that day. ok?";
        let all = told(asked, "Agreed.");
        assert!(all.contains("thursdays. the co-op reads numbers that day."), "{all}");
        let all = told("looks good. the co-op reads numbers that day. ok?", "Agreed.");
        assert!(!all.contains("co-op"), "no rule, no figure: {all}");
    }

    #[test]
    fn it_works_in_chinese_and_spanish() {
        assert_eq!(
            told("今天天气很好。我们决定十一月二十一日去北京。嗯。", "好的。"),
            "- alice: 今天天气很好。 我们决定十一月二十一日去北京。 …\n- ada: 好的。"
        );
        assert_eq!(
            told("¿Qué pan? Hola. Siempre compro pan de centeno.", "Vale."),
            "- alice: ¿Qué pan? … Siempre compro pan de centeno.\n- ada: Vale."
        );
    }

    #[test]
    fn a_long_session_is_pressed_and_what_is_left_out_is_counted() {
        let asked: Vec<String> =
            (0..100).map(|n| format!("question number {n} about bread and butter")).collect();
        let turns: Vec<Exchange<'_>> = asked
            .iter()
            .map(|asked| Exchange { who: "alice", asked, by: "ada", answered: "Ok, fine." })
            .collect();
        let all = digest(&turns);
        assert!(all.chars().count() < DIGEST_CHARS_MAX + 2_000, "{}", all.chars().count());
        assert!(all.ends_with("- (left out: 113 of 200 messages)"), "{all}");
        assert!(all.contains("question number 57"), "figures are kept first");
        assert_eq!(digest(&[]), "");
        assert_eq!(told("```\nls\n```", "{}"), "");
    }

    #[test]
    fn an_item_of_a_long_answer_stays_below_what_leads_to_it() {
        let items = |base: u32| {
            (0..14).map(|at| format!("- timeout of step {at} is {} seconds\n", base + at)).collect::<String>()
        };
        let answered = format!("The gateway settings:\n{}\nThe mailer settings:\n{}", items(100), items(900));
        let all = told("set them up", &answered);
        let (gateway, mailer) = all.split_once("The mailer settings:").expect("both leads are kept");
        assert!(!gateway.contains("is 9") && mailer.contains("is 9"), "{all}");
        assert!(all.chars().count() < ANSWERED_CHARS_MAX + 200);
    }

    /// A search for each item's introduction would take a minute.
    #[test]
    fn an_answer_of_very_many_items_is_told_in_linear_time() {
        let all = told("list them", &"- b\n".repeat(200_000));
        assert!(all.starts_with("- alice: list them\n- ada:\n  - b\n  - b\n"), "{}", &all[..80]);
        assert!(all.ends_with(" …") && all.chars().count() < 2 * ANSWERED_CHARS_MAX, "{all}");
    }

    #[test]
    fn the_turns_of_a_digest_are_named() {
        assert_eq!(turns("a1b2c3d4", 3, 5), Turns { session: "a1b2c3d4".into(), range: 3..=7 });
        assert_ne!(turns("a1b2c3d4-x", 3, 5), turns("a1b2c3d4-y", 3, 5));
    }

    fn words(text: &str) -> Vec<&str> {
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect()
    }

    proptest! {
        #[test]
        fn no_word_is_invented_and_no_line_is_more_than_a_bullet(
            asked in r"(\PC|[\n.!?。`#-]|decided |Bob |2026-11-21 ){0,80}",
            answered in r"(\PC|[\n.!?。`#-]|```|siempre |决定){0,80}",
        ) {
            let all = told(&asked, &answered);
            let mut from = words(&asked);
            from.extend(words(&answered));
            for line in all.lines() {
                let starts = ["- alice:", "- ada:", "  - "];
                let said = starts.iter().find_map(|start| line.strip_prefix(start));
                let said = said.expect("a bullet").replace("&lt;", "<").replace("&gt;", ">");
                for word in words(&said) {
                    let known = from.iter().any(|whole| whole.starts_with(word));
                    prop_assert!(known, "{word:?} of {said:?}");
                }
            }
            if !all.is_empty() {
                let document = inwit_markdown::parse(all.as_bytes());
                let bullets = all.lines().filter(|line| line.starts_with("- ")).count();
                let top = document.passages.iter().filter(|passage| !all[..passage.span.start].ends_with(' '));
                prop_assert_eq!(top.count(), bullets, "{}", all);
            }
        }
    }
}
