//! Whether the text that a host showed the agent helps: evidence, echo, noise, repetitions, outdated values.
//!
//! Each figure is a share, 0 to 1, of lines or of probes; lines are compared by their words. Invariant: the judge
//! sees only the shown text and the conversation, not how the text was found.

use std::collections::BTreeMap;

use super::Took;
use super::data::{Probe, Session, Week};
use super::host::{PROMPT, late, median_ms};
use super::shown::{Shown, Words};

/// A line is an echo if at least this share of its words is in a prompt.
const ECHO_SHARE: f64 = 0.8;

/// A line repeats another one if at least this share of its words is in it.
const SAME_SHARE: f64 = 0.9;

/// A line comes from a text if at least this share of its words is in it.
const SOURCE_SHARE: f64 = 0.9;

/// Scores a week during its replay.
pub struct Judge<'w> {
    week: &'w Week,
    /// Lines of the files of a new home.
    template: Vec<Words>,
    /// Prompts so far.
    prompts: Vec<Words>,
    /// Lines that were injected in this session.
    injected: Vec<Words>,
    chars: Vec<usize>,
    kinds: BTreeMap<String, Share>,
    figures: Judged,
}

/// A count out of a total.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Share {
    /// The count.
    pub count: usize,
    /// The total.
    pub of: usize,
}

impl Share {
    fn add(&mut self, is_one: bool) {
        self.count += usize::from(is_one);
        self.of += 1;
    }

    /// 0 to 1; 0 if the total is 0.
    pub fn value(self) -> f64 {
        if self.of == 0 { 0.0 } else { self.count as f64 / self.of as f64 }
    }
}

/// The figures of a week.
#[derive(Debug, Clone, Default)]
pub struct Judged {
    /// Probes with evidence in the session context or in the injected text.
    pub evidence: Share,
    /// Probes with evidence in the injected text.
    pub at_prompt: Share,
    /// Injected lines that repeat this or an earlier prompt.
    pub echo: Share,
    /// Injected lines that are in the session context, were injected before in the session, or occur twice.
    pub twice: Share,
    /// Lines of templates that were shown, in contexts and injections.
    pub template_lines: usize,
    /// Probes without evidence for which something was injected.
    pub noise: Share,
    /// Injected lines of another project, for probes with evidence.
    pub foreign: Share,
    /// Probes of a changed value for which the old value is shown alone or first.
    pub superseded: Share,
    /// Session starts whose context contains the newest session of the project.
    pub newest: Share,
    /// Mean number of characters injected per prompt.
    pub mean_chars: f64,
    /// Evidence by kind of probe.
    pub kinds: Vec<(String, Share)>,
    /// Probes without shown evidence. Also, with the line: probes for which an outdated value came first, and probes
    /// for which a line was injected although nothing helps.
    pub misses: Vec<String>,
    /// The median of each hook, in milliseconds.
    pub milliseconds: Vec<(&'static str, f64)>,
    /// Prompts whose hook took longer than the default wait.
    pub late: Share,
}

impl<'w> Judge<'w> {
    /// A judge of `week`; `template` has the lines of a new home.
    pub fn new(week: &'w Week, template: &[String]) -> Self {
        let template = template.iter().map(|line| Words::of(line)).filter(Words::is_telling).collect();
        let (prompts, injected, chars) = (Vec::new(), Vec::new(), Vec::new());
        Self { week, template, prompts, injected, chars, kinds: BTreeMap::new(), figures: Judged::default() }
    }

    /// A session began with `pack`; `before` is the newest session of the same project.
    pub fn session_began(&mut self, before: Option<&Session>, pack: &Shown) {
        self.injected.clear();
        if let Some(before) = before {
            self.figures.newest.add(before.gist.iter().any(|gist| pack.text.contains(gist.as_str())));
        }
        self.figures.template_lines += self.of_template(pack);
    }

    /// `injected` was shown at a prompt.
    pub fn prompted(&mut self, prompt: &str, pack: &Shown, injected: &Shown) {
        self.prompts.push(Words::of(prompt));
        self.chars.push(injected.chars());
        self.figures.template_lines += self.of_template(injected);
        let pack: Vec<Words> = pack.lines().map(Words::of).collect();
        for line in injected.lines().map(Words::of).filter(Words::is_telling) {
            self.figures.echo.add(self.prompts.iter().any(|prompt| line.share_in(prompt) >= ECHO_SHARE));
            let is_known = pack.iter().chain(&self.injected).any(|known| line.share_in(known) >= SAME_SHARE);
            self.figures.twice.add(is_known);
            self.injected.push(line);
        }
    }

    fn of_template(&self, shown: &Shown) -> usize {
        let lines = shown.lines().map(Words::of).filter(Words::is_telling);
        lines.filter(|line| self.template.iter().any(|known| line.share_in(known) >= SAME_SHARE)).count()
    }

    /// `injected` was shown at a probe, after `pack`.
    pub fn probed(&mut self, probe: &Probe, pack: &Shown, injected: &Shown) {
        self.injected.clear();
        self.prompted(&probe.prompt, pack, injected);
        self.prompts.pop();
        if !probe.has_evidence() {
            let first = injected.lines().next();
            self.figures.noise.add(first.is_some());
            if let Some(line) = first {
                let (id, kind, prompt) = (&probe.id, &probe.kind, &probe.prompt);
                self.figures.misses.push(format!("{id} ({kind}), noise: {prompt}: {line}"));
            }
            return;
        }
        let stands_in = |text: &str| {
            probe.evidence.iter().any(|all| all.iter().all(|needle| text.contains(needle.as_str())))
        };
        let both = format!("{}\n{}", pack.text, injected.text);
        let is_shown = stands_in(&both);
        self.figures.evidence.add(is_shown);
        self.figures.at_prompt.add(stands_in(&injected.text));
        self.kinds.entry(probe.kind.clone()).or_default().add(is_shown);
        if !is_shown {
            self.figures.misses.push(format!("{} ({}): {}", probe.id, probe.kind, probe.prompt));
        }
        if !probe.stale.is_empty() {
            let first = |needles: &mut dyn Iterator<Item = &String>| {
                needles.filter_map(|needle| both.find(needle.as_str())).min()
            };
            let (old, new) = (first(&mut probe.stale.iter()), first(&mut probe.evidence.iter().flatten()));
            let is_stale = old.is_some_and(|old| new.is_none_or(|new| old < new));
            self.figures.superseded.add(is_stale);
            if let Some(at) = old.filter(|_| is_stale) {
                let from = both[..at].rfind('\n').map_or(0, |end| end + 1);
                let line = both[from..].lines().next().unwrap_or_default();
                self.figures.misses.push(format!("{} ({}), outdated: {line}", probe.id, probe.kind));
            }
        }
        for line in injected.lines().map(Words::of).filter(Words::is_telling) {
            let is_of = |session: &&Session| {
                session.turns.iter().any(|turn| {
                    let said = Words::of(&format!("{}\n{}", turn.user, turn.agent));
                    line.share_in(&said) >= SOURCE_SHARE
                })
            };
            let own =
                self.week.sessions.iter().filter(|session| session.project == probe.project).find(is_of);
            let other =
                self.week.sessions.iter().filter(|session| session.project != probe.project).find(is_of);
            self.figures.foreign.add(own.is_none() && other.is_some());
        }
    }

    /// The figures; `took` has the hook times.
    pub fn done(self, took: &Took) -> Judged {
        let mut milliseconds: Vec<_> = took.iter().map(|(hook, took)| (*hook, median_ms(took))).collect();
        milliseconds.sort_by_key(|(hook, _)| *hook);
        let mean_chars = self.chars.iter().sum::<usize>() as f64 / self.chars.len().max(1) as f64;
        let prompts = took.get(PROMPT).map(Vec::as_slice).unwrap_or_default();
        let late = Share { count: late(prompts), of: prompts.len() };
        Judged { mean_chars, kinds: self.kinds.into_iter().collect(), milliseconds, late, ..self.figures }
    }
}
