//! Means of figures, by group and over all.

use crate::figure::{FIGURES, Figure};

/// The counts so far.
#[derive(Debug, Default)]
pub struct Tally {
    groups: Vec<Group>,
}

/// The questions of one group.
#[derive(Debug)]
pub struct Group {
    /// What it is called.
    pub name: String,
    /// Questions that were counted.
    pub questions: usize,
    /// Sum and count of each figure.
    sums: Vec<(f64, usize)>,
}

impl Group {
    fn new(name: &str) -> Self {
        Self { name: name.to_owned(), questions: 0, sums: vec![(0.0, 0); FIGURES.len()] }
    }

    /// The means, in the order of [`FIGURES`]; a figure that no question has is left out.
    pub fn means(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let sums = FIGURES.iter().zip(&self.sums).filter(|(_, (_, count))| *count > 0);
        sums.map(|(spec, (sum, count))| (spec.key, sum / *count as f64))
    }
}

/// The group of all questions that count.
pub const ALL: &str = "all";

impl Tally {
    /// Counts one question in the group `name`.
    pub fn add(&mut self, name: &str, figures: &[(Figure, f64)]) {
        self.group(name).questions += 1;
        self.say(name, figures);
    }

    /// Adds figures to a question that was already counted.
    pub fn say(&mut self, name: &str, figures: &[(Figure, f64)]) {
        let group = self.group(name);
        for (figure, value) in figures {
            let (sum, count) = &mut group.sums[*figure as usize];
            *sum += value;
            *count += 1;
        }
    }

    fn group(&mut self, name: &str) -> &mut Group {
        let at = self.groups.iter().position(|group| group.name == name).unwrap_or_else(|| {
            self.groups.push(Group::new(name));
            self.groups.len() - 1
        });
        &mut self.groups[at]
    }

    /// The same without the group of all, because its rows ask the same questions again.
    pub fn without_all(mut self) -> Self {
        self.groups.retain(|group| group.name != ALL);
        self
    }

    /// All first, then groups by name.
    pub fn groups(mut self) -> Vec<Group> {
        self.groups.sort_by(|a, b| (a.name != ALL, &a.name).cmp(&(b.name != ALL, &b.name)));
        self.groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_of_the_questions_that_have_the_figure() {
        let mut tally = Tally::default();
        for group in [ALL, "b"] {
            tally.add(group, &[(Figure::RecallAt5, 1.0)]);
            tally.say(group, &[(Figure::NothingNear, 0.0)]);
        }
        for group in [ALL, "a"] {
            tally.add(group, &[(Figure::RecallAt5, 0.0)]);
        }
        tally.add("none", &[(Figure::NothingNear, 1.0)]);
        let rows: Vec<_> = tally
            .groups()
            .iter()
            .map(|group| (group.name.clone(), group.questions, group.means().collect::<Vec<_>>()))
            .collect();
        let recall = |value| ("recall_at_5", value);
        let near = |value| ("nothing_near", value);
        assert_eq!(
            rows,
            [
                ("all".into(), 2, vec![recall(0.5), near(0.0)]),
                ("a".into(), 1, vec![recall(0.0)]),
                ("b".into(), 1, vec![recall(1.0), near(0.0)]),
                ("none".to_owned(), 1, vec![near(1.0)]),
            ]
        );
    }
}
