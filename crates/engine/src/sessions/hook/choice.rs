//! Selects the lines shown with a prompt: of this project, with enough common words, one per subject, newest first.
//!
//! Relevance is the weight by rarity of content words that occur together in one line; the covered share of the
//! prompt does not count, since prompts are long. A matching line of the user selects its turn, of which the answer
//! is shown. Invariant: by default nothing is shown; lines of other projects never are.

use inwit_model::ProjectName;

use crate::notes::line::subject;
use crate::notes::line::{Line, Source};

/// Most lines for a prompt, from one turn and from several.
pub(crate) const LINES_MAX: [usize; 2] = [12, 8];

/// Most lines of one turn, alone and among others.
const LINES_OF_TURN_MAX: [usize; 2] = [12, 4];

/// Value of each sign of worth in a line (a decision, a number, a value), in weights of a rare word.
const WORTH: f32 = 0.12;

/// Share of common words from which two lines have the same subject.
const SAME_MATTER: f32 = 0.6;

/// Part of a turn's match that counts for each of its lines (score propagation).
const LENT: f32 = 0.4;

/// The same for the first line of an answer whose question matches.
const LENT_FIRST: f32 = 0.9;

/// Fewest terms of a line without a number, a name or a word of the prompt.
const TERMS_MIN: usize = 6;

/// Fewest terms of any line without a figure.
const TERMS_OF_ANY_MIN: usize = 2;

/// Fewest terms of the first line: `Done.` is not enough.
const TERMS_OF_FIRST_MIN: usize = 4;

/// Share of the best turn's weight from which another turn is shown.
const SHARE_MIN: f32 = 0.6;

/// A threshold for a turn: number of prompt words, share of their weight, and the weight in units of a word that
/// occurs once. A long prompt matches much by chance.
struct Near {
    /// Words beyond the minimum.
    more: usize,
    /// The share of the prompt's weight.
    share: f32,
    /// The weight.
    weight: f32,
}

/// For one line.
const NEAR_LINE: Near = Near { more: 0, share: 0.2, weight: 1.5 };

/// For a whole turn: question and answer together.
const NEAR_TURN: [Near; 3] = [
    Near { more: 0, share: 0.5, weight: 0.9 },
    Near { more: 1, share: 0.33, weight: 1.7 },
    Near { more: 1, share: 0.15, weight: 2.2 },
];

/// For a rule such as `never npm`, whose subject rarely occurs twice in a prompt.
const NEAR_RULE: Near = Near { more: 0, share: 0.3, weight: 0.6 };

/// Weight from which a word counts as rare; in many notes weights grow without more meaning.
const RARE_MAX: f32 = 5.5;

/// The same for a prompt with fewer content words than the minimum.
const WEIGHT_OF_FEW_MIN: f32 = 0.75;

/// The query, as weighted terms.
pub(crate) struct WeightedTerms<'a> {
    /// Term and weight by rarity.
    pub terms: &'a [(String, f32)],
    /// Fewest of them in one line.
    pub words_min: usize,
    /// Weight of a word that occurs in one passage.
    pub rare: f32,
    /// The user's project.
    pub project: Option<&'a ProjectName>,
}

/// A turn that shares terms with the prompt.
struct Turn {
    source: usize,
    turn: usize,
    /// Its best line: number of terms, and their weight.
    opens: (usize, f32),
    /// Whether the best line is the user's.
    by_question: bool,
    /// Largest weight of a line that is a rule.
    rule: f32,
    /// Terms in any of its lines: number, and weight.
    count: usize,
    whole: f32,
}

impl WeightedTerms<'_> {
    fn weight(&self, line: &Line) -> (usize, f32) {
        let held = self.terms.iter().filter(|(term, _)| line.holds(term));
        held.fold((0, 0.0), |(count, sum), (_, weight)| (count + 1, sum + weight))
    }

    /// Whether a number of terms with this weight passes the threshold.
    fn is(&self, near: &Near, (count, weight): (usize, f32)) -> bool {
        count >= self.words_min + near.more
            && weight >= self.rare.min(RARE_MAX) * near.weight
            && weight >= self.whole() * near.share
    }

    /// Whether a line is understandable alone: `Agreed.` and `All four are in.` are not.
    fn is_telling(&self, line: &Line) -> bool {
        let has_figure = line.text.contains(|c: char| c.is_ascii_digit());
        let terms = line.terms.len() + line.subject.len();
        let is_more = terms >= TERMS_OF_ANY_MIN || has_figure;
        is_more && (terms >= TERMS_MIN || line.worth > 0 || self.weight(line).0 > 0)
    }

    /// The weight of the whole query.
    fn whole(&self) -> f32 {
        self.terms.iter().map(|(_, weight)| weight).sum()
    }

    /// Whether a line with these terms is close enough.
    fn is_near(&self, held: (usize, f32)) -> bool {
        let is_all =
            held.0 > 0 && held.0 == self.terms.len() && held.1 >= self.rare.min(RARE_MAX) * WEIGHT_OF_FEW_MIN;
        is_all || self.is(&NEAR_LINE, held)
    }

    /// Whether a turn is close enough.
    fn is_near_turn(&self, turn: &Turn) -> bool {
        self.is_near(turn.opens) || NEAR_TURN.iter().any(|near| self.is(near, (turn.count, turn.whole)))
    }

    /// Whether a rule of the turn is close enough.
    fn is_near_rule(&self, turn: &Turn) -> bool {
        turn.rule >= self.rare.min(RARE_MAX) * NEAR_RULE.weight && turn.rule >= self.whole() * NEAR_RULE.share
    }
}

/// The selected lines, by index, best first.
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
    // A later turn of the same session, such as the fix of a pasted error, belongs to the subject.
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

/// Of lines on one subject the newest, even if the session was shown it.
fn newest_of_matter(at: usize, sources: &[Source], lines: &[Line]) -> usize {
    let is_about = |other: &usize| {
        let (one, other) = (&lines[at], &lines[*other]);
        other.is_answer()
            && sources[one.source].project == sources[other.source].project
            && alike(one, other) >= SAME_MATTER
            // A long line is not replaced by a few of its words.
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
