//! Which lines a prompt brings: those of this project that share enough words with it, each matter once, the newest first.
//!
//! Relevance is counted in words that carry content and stand together in one line, weighted by how rare they are; how
//! much of the prompt is covered does not count, since prompts are long and lazy. A line that the user typed opens its turn,
//! and the answer is what is shown. Invariant: silence is the default; nothing is shown of another project.

use inwit_model::ProjectName;

use crate::notes::line::subject;
use crate::notes::line::{Line, Source};

/// Most lines that a prompt brings, of one turn and of several.
pub(crate) const LINES_MAX: [usize; 2] = [12, 8];

/// Most lines of one turn, where it is the only one and among others.
const LINES_OF_TURN_MAX: [usize; 2] = [12, 4];

/// What a sign of worth in a line counts (a decision, a figure, a value), in weights of a rare word.
const WORTH: f32 = 0.12;

/// The share of the words that two lines have in common from which on they are about one matter.
const SAME_MATTER: f32 = 0.6;

/// The part of what a turn has in common with the prompt that counts for each of its lines.
const LENT: f32 = 0.4;

/// The same for the line with which the answer begins, where the question is what is alike.
const LENT_FIRST: f32 = 0.9;

/// Fewest terms of a line that is shown though it has neither a figure nor a name nor a word of the prompt.
const TERMS_MIN: usize = 6;

/// Fewest terms of any line without a figure.
const TERMS_OF_ANY_MIN: usize = 2;

/// Fewest terms of that line: `Done.` begins nothing.
const TERMS_OF_FIRST_MIN: usize = 4;

/// The share of the best turn's weight from which on a turn comes along.
const SHARE_MIN: f32 = 0.6;

/// A way in which a turn is near enough: by how many of the prompt's words, how much of their weight, and the weight itself
/// in those of a word that stands once in the notes. What of a long prompt stands in one turn may be much and still chance.
struct Near {
    /// Words more than are asked for.
    more: usize,
    /// The share of the prompt's weight.
    share: f32,
    /// The weight.
    weight: f32,
}

/// For the words of one line.
const NEAR_LINE: Near = Near { more: 0, share: 0.2, weight: 1.5 };

/// For those of a whole turn: a question and its answer say together what neither says alone.
const NEAR_TURN: [Near; 3] = [
    Near { more: 0, share: 0.5, weight: 0.9 },
    Near { more: 1, share: 0.33, weight: 1.7 },
    Near { more: 1, share: 0.15, weight: 2.2 },
];

/// For a rule such as `never npm`: what it limits is seldom named twice in a prompt.
const NEAR_RULE: Near = Near { more: 0, share: 0.3, weight: 0.6 };

/// The weight from which on a word counts as rare: in many notes a word may be rarer still and says no more.
const RARE_MAX: f32 = 5.5;

/// The same where a prompt has fewer words of content than are asked for.
const WEIGHT_OF_FEW_MIN: f32 = 0.75;

/// What is asked, as terms with their weights.
pub(crate) struct WeightedTerms<'a> {
    /// Term and weight by rarity.
    pub terms: &'a [(String, f32)],
    /// How many of them one line must hold.
    pub words_min: usize,
    /// The weight of a word that stands in one passage of the notes.
    pub rare: f32,
    /// Where the user works.
    pub project: Option<&'a ProjectName>,
}

/// A turn that the prompt touches.
struct Turn {
    source: usize,
    turn: usize,
    /// Its best line: how many terms, and their weight.
    opens: (usize, f32),
    /// The best line is the user's.
    by_question: bool,
    /// The most weight of a line that is a rule.
    rule: f32,
    /// The terms that any of its lines holds: how many, and their weight.
    count: usize,
    whole: f32,
}

impl WeightedTerms<'_> {
    fn weight(&self, line: &Line) -> (usize, f32) {
        let held = self.terms.iter().filter(|(term, _)| line.holds(term));
        held.fold((0, 0.0), |(count, sum), (_, weight)| (count + 1, sum + weight))
    }

    /// Whether so many terms of that weight are near enough.
    fn is(&self, near: &Near, (count, weight): (usize, f32)) -> bool {
        count >= self.words_min + near.more
            && weight >= self.rare.min(RARE_MAX) * near.weight
            && weight >= self.whole() * near.share
    }

    /// Whether a line says something by itself: `Agreed.` does not, and neither does `All four are in.`
    fn is_telling(&self, line: &Line) -> bool {
        let has_figure = line.text.contains(|c: char| c.is_ascii_digit());
        let terms = line.terms.len() + line.subject.len();
        let is_more = terms >= TERMS_OF_ANY_MIN || has_figure;
        is_more && (terms >= TERMS_MIN || line.worth > 0 || self.weight(line).0 > 0)
    }

    /// The weight of all that is asked.
    fn whole(&self) -> f32 {
        self.terms.iter().map(|(_, weight)| weight).sum()
    }

    /// Whether a line with so many terms of that weight is near enough.
    fn is_near(&self, held: (usize, f32)) -> bool {
        let is_all =
            held.0 > 0 && held.0 == self.terms.len() && held.1 >= self.rare.min(RARE_MAX) * WEIGHT_OF_FEW_MIN;
        is_all || self.is(&NEAR_LINE, held)
    }

    /// Whether a turn is by what it is about.
    fn is_near_turn(&self, turn: &Turn) -> bool {
        self.is_near(turn.opens) || NEAR_TURN.iter().any(|near| self.is(near, (turn.count, turn.whole)))
    }

    /// Whether a rule of it is.
    fn is_near_rule(&self, turn: &Turn) -> bool {
        turn.rule >= self.rare.min(RARE_MAX) * NEAR_RULE.weight && turn.rule >= self.whole() * NEAR_RULE.share
    }
}

/// The lines to show, by their index, best first.
pub(crate) fn chosen(asked: &WeightedTerms<'_>, sources: &[Source], lines: &[Line]) -> Vec<usize> {
    let is_ours = |line: &Line| {
        let project = sources[line.source].project.as_ref();
        project.is_none() || project == asked.project
    };
    let mut turns: Vec<Turn> = Vec::new();
    for line in lines.iter().filter(|line| is_ours(line)) {
        let opens = asked.weight(line);
        let by_question = !line.is_answer();
        let rule = if line.is_rule() { opens.1 } else { 0.0 };
        match turns.iter_mut().find(|turn| (turn.source, turn.turn) == (line.source, line.turn)) {
            Some(turn) => {
                turn.rule = turn.rule.max(rule);
                let key = |opens| (asked.is_near(opens), opens.1);
                if key(opens) > key(turn.opens) {
                    (turn.opens, turn.by_question) = (opens, by_question);
                }
            }
            None => turns.push(Turn {
                source: line.source,
                turn: line.turn,
                opens,
                by_question,
                rule,
                count: 0,
                whole: 0.0,
            }),
        }
    }
    for turn in &mut turns {
        let of_turn: Vec<&Line> =
            lines.iter().filter(|line| (line.source, line.turn) == (turn.source, turn.turn)).collect();
        let held =
            asked.terms.iter().filter(|(term, _)| of_turn.iter().any(|line| line.terms.contains(term)));
        (turn.count, turn.whole) = held.fold((0, 0.0), |(count, sum), (_, weight)| (count + 1, sum + weight));
    }
    turns.retain(|turn| asked.is_near_turn(turn) || asked.is_near_rule(turn));
    let best = turns.iter().max_by(|one, other| one.whole.total_cmp(&other.whole));
    let (best, best_source) = best.map_or((0.0, None), |turn| (turn.whole, Some(turn.source)));
    // What follows in the same talk, such as the repair behind an error that was pasted whole, is of the matter.
    turns.retain(|turn| turn.whole >= best * SHARE_MIN || Some(turn.source) == best_source);
    let mut scored: Vec<(usize, f32)> = Vec::new();
    for turn in &turns {
        let rules_only = !asked.is_near_turn(turn);
        let of_turn = lines.iter().enumerate().filter(|(_, line)| {
            (line.source, line.turn) == (turn.source, turn.turn)
                && (!rules_only || line.is_rule() && asked.weight(line).0 > 0)
                && line.may_be_told()
                && asked.is_telling(line)
        });
        let mut is_first = turn.by_question;
        let mut told: Vec<(usize, f32)> = of_turn
            .map(|(at, line)| {
                let begins = is_first && line.is_answer() && line.terms.len() >= TERMS_OF_FIRST_MIN;
                is_first &= !begins;
                let lent = if begins { LENT_FIRST } else { LENT } * turn.whole;
                (at, asked.weight(line).1 + lent + WORTH * asked.rare * line.worth as f32)
            })
            .collect();
        told.sort_by(|one, other| other.1.total_cmp(&one.1));
        told.retain(|(at, _)| !lines[*at].is_known);
        scored.extend(told.into_iter().take(LINES_OF_TURN_MAX[usize::from(turns.len() > 1)]));
    }
    scored
        .sort_by(|one, other| other.1.total_cmp(&one.1).then_with(|| newer(sources, lines, one.0, other.0)));
    let mut chosen: Vec<usize> = Vec::new();
    for (at, _) in &scored {
        let at = newest_of_matter(*at, sources, lines);
        let is_said = chosen.iter().any(|known| alike(&lines[*known], &lines[at]) >= SAME_MATTER);
        if lines[at].is_told() && !is_said {
            chosen.push(at);
        }
        if chosen.len() == LINES_MAX[usize::from(turns.len() > 1)] {
            break;
        }
    }
    chosen
}

/// Of lines about one matter the one that was said last, also where the session knows it.
fn newest_of_matter(at: usize, sources: &[Source], lines: &[Line]) -> usize {
    let is_about = |other: &usize| {
        let (one, other) = (&lines[at], &lines[*other]);
        other.is_answer()
            && sources[one.source].project == sources[other.source].project
            && alike(one, other) >= SAME_MATTER
            // A long line is not replaced by a few words of it.
            && other.terms.len() as f32 >= one.terms.len() as f32 * SAME_MATTER
    };
    let about = (0..lines.len()).filter(is_about);
    about.fold(at, |newest, other| if newer(sources, lines, other, newest).is_lt() { other } else { newest })
}

/// The newer one first.
fn newer(sources: &[Source], lines: &[Line], one: usize, other: usize) -> std::cmp::Ordering {
    let at = |line: usize| {
        let source = &sources[lines[line].source];
        (&source.at, source.order, lines[line].turn)
    };
    at(other).cmp(&at(one))
}

/// The share of the shorter line's terms that stand in the other one, 0 to 1.
pub(crate) fn alike(one: &Line, other: &Line) -> f32 {
    if subject::differs(one, other) {
        return 0.0;
    }
    let common = one.terms.intersection(&other.terms).count();
    let least = one.terms.len().min(other.terms.len());
    if least < TERMS_ALIKE_MIN { 0.0 } else { common as f32 / least as f32 }
}

/// Fewest terms of a line that is compared.
const TERMS_ALIKE_MIN: usize = 3;
