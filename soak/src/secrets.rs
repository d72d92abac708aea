//! Every class of secret is found, and what is nearly one is not.
//!
//! Values are made by the issuers' rules and never stored. Prose that the machine has shows how often the
//! scanner cries wolf; the table says how much of it was read.

use std::collections::BTreeMap;
use std::path::Path;

use inwit_gate::secrets::{SECRETS, SecretHit, Tier, is_public, scan};
use inwit_testkit::Chance;
use inwit_testkit::secret::{self, Sample, classes};

use crate::{Plan, Report};

/// The share of right values that must be found.
const RECALL_MIN: f64 = 0.995;

/// The largest share of near misses that may be taken for a value, in classes without a checksum.
const FALSE_MAX: f64 = 0.005;

/// Most prose that is read, in bytes.
const CORPUS_BYTES_MAX: usize = 200_000_000;

/// Larger files are data, not text that somebody would write into a memory.
const FILE_BYTES_MAX: u64 = 4_000_000;

/// Runs the campaign.
#[track_caller]
pub fn run(plan: &Plan) -> Report {
    let mut report = Report::begin(plan);
    let mut chance = Chance::of(plan.seed);
    let classes = classes();
    let each = (plan.cases as usize).div_ceil(classes.len());
    let (mut found, mut taken, mut taken_with_checksum) = (0, 0, 0);
    for class in &classes {
        let hits =
            secret::positives(class, each, &mut chance).iter().filter(|it| is_found(it, class)).count();
        found += hits;
        // Below 200 values one that is missed would weigh more than the share allows.
        let most_missed = ((each as f64) * (1.0 - RECALL_MIN)).ceil() as usize;
        report.holds(each - hits <= most_missed, || format!("{class}: {hits} of {each} found"));
        let misses = secret::near_misses(class, each, &mut chance);
        let wrong: Vec<&Sample> = misses.iter().filter(|sample| is_taken(sample, class)).collect();
        taken += wrong.len();
        if has_checksum(class) {
            taken_with_checksum += wrong.len();
            report.holds(wrong.is_empty(), || format!("{class}: {} near misses masked", wrong.len()));
        }
    }
    let all = each * classes.len();
    let (recall, wrong) = (found as f64 / all as f64, taken as f64 / all as f64);
    report.holds(recall >= RECALL_MIN, || format!("recall is {recall:.4}"));
    report.holds(wrong <= FALSE_MAX, || format!("{wrong:.4} of the near misses were taken"));
    report.figure("classes", classes.len());
    report.figure("recall", format!("{recall:.4}"));
    report.figure("near misses masked", format!("{taken} of {all}"));
    report.figure("of those with a checksum", taken_with_checksum);
    prose(plan, &mut report);
    report
}

fn is_found(sample: &Sample, class: &str) -> bool {
    let value = sample.before.len()..sample.before.len() + sample.value.len();
    let covers = |hit: &SecretHit| hit.span.start <= value.start && hit.span.end >= value.end;
    scan(&sample.text()).iter().any(|hit| covers(hit) && (hit.class == class || hit.tier == Tier::Block))
}

/// A near miss counts where its class would act on it as on a right one.
fn is_taken(sample: &Sample, class: &str) -> bool {
    let tier = SECRETS.iter().find(|row| row.class == class).map_or(Tier::Block, |row| row.tier);
    scan(&sample.text()).iter().any(|hit| hit.class == class && hit.tier >= tier.min(Tier::Quarantine))
}

fn has_checksum(class: &str) -> bool {
    let row = SECRETS.iter().find(|row| row.class == class);
    row.is_some_and(|row| row.unsure.is_none() && row.tier >= Tier::Quarantine)
}

/// Scans the folders of prose and prints how often a mask would be set, by class. A person judges which of them hit
/// a credential.
fn prose(plan: &Plan, report: &mut Report) {
    let (mut bytes, mut hits) = (0, 0);
    let mut by_class: BTreeMap<&str, usize> = BTreeMap::new();
    for corpus in &plan.corpora {
        walk(corpus, &mut |text| {
            bytes += text.len();
            let found = scan(text).into_iter();
            for hit in found.filter(|hit| hit.tier >= Tier::Doubt && !is_public(hit.class)) {
                hits += 1;
                *by_class.entry(hit.class).or_default() += 1;
            }
            bytes < CORPUS_BYTES_MAX
        });
    }
    if bytes > 0 {
        let megabytes = bytes as f64 / 1e6;
        report.figure("prose read", format!("{megabytes:.1} MB"));
        report.figure("masks per 20 MB of it", format!("{:.1}", hits as f64 * 20.0 / megabytes));
        let classes: Vec<String> = by_class.iter().map(|(class, count)| format!("{class} {count}")).collect();
        report.figure("masks by class", classes.join(", "));
    }
}

/// Hands every text below `path` to `look`, in order of their names, until it has enough.
fn walk(path: &Path, look: &mut dyn FnMut(&str) -> bool) -> bool {
    let Ok(about) = std::fs::symlink_metadata(path) else { return true };
    if about.is_dir() {
        let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
        let mut below: Vec<_> = entries.map(|entry| entry.path()).collect();
        below.sort();
        return below.iter().all(|path| walk(path, look));
    }
    let text = (about.is_file() && about.len() <= FILE_BYTES_MAX).then(|| std::fs::read_to_string(path));
    text.and_then(Result::ok).is_none_or(|text| look(&text))
}
