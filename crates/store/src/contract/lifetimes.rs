//! The contract of [`Lifetimes`], as chapters.

use std::collections::BTreeSet;

use inwit_model::{SafeName, Sha256, Stamp};
use jiff::Timestamp;

use crate::{Blob, Compared, IndexError, Life, Lifetimes, NewStep, PassageMark, Standing, Step, StepKind};

/// A chapter: its claim, and the proof. It takes fresh, empty lifetimes.
pub type LifetimeChapter = (&'static str, fn(&mut dyn Lifetimes));

/// Every promise of [`Lifetimes`].
pub fn lifetime_chapters() -> &'static [LifetimeChapter] {
    &[
        ("nothing is known at first", nothing),
        ("steps come back as they were told", steps_come_back),
        ("a passage lives from the step that has it to the first that has it no more", lives),
        ("what comes again lives again", lives_again),
        ("a file that goes away ends its passages, and those of no other", goes_away),
        ("one by one or all at once, the dump is the same", order_cannot_be_told),
        ("steps of an older state are refused, and nothing is done", older_state_refused),
        ("files that were found equal are remembered, and are no part of a dump", compared),
        ("clearing forgets everything", cleared),
    ]
}

fn mark(text: &str) -> PassageMark {
    PassageMark::of(&Sha256::of(text.as_bytes()))
}

fn name(text: &str) -> SafeName {
    SafeName::parse(text).expect("a safe name")
}

/// The step `number`, after which each file has these passages; `None`: it is gone.
fn step(number: i64, files: &[(&str, Option<&[&str]>)]) -> NewStep {
    let oid = |text: &str| Sha256::of(text.as_bytes()).short(40);
    let standing = files.iter().map(|(file, texts)| {
        let blob = texts.map(|texts| Blob { oid: oid(&texts.concat()), bytes: texts.concat().len() as u64 });
        Standing { name: name(file), blob }
    });
    let marks = |texts: &[&str]| texts.iter().map(|text| mark(text)).collect::<BTreeSet<_>>();
    NewStep {
        step: Step {
            commit: oid(&number.to_string()),
            at: Timestamp::from_second(1_795_269_780 + number).expect("a moment"),
            kind: [StepKind::Begun, StepKind::Found, StepKind::Changed][number.min(2) as usize],
            files: standing.collect(),
        },
        passages: files.iter().map(|(_, texts)| texts.map(marks).unwrap_or_default()).collect(),
    }
}

/// A file that has two passages, of which the second is replaced.
pub fn two_steps() -> Vec<NewStep> {
    let first = step(0, &[("MEMORY.md", Some(&["rye", "oat"])), ("notes/a b.md", Some(&["rye"]))]);
    vec![first, step(1, &[("MEMORY.md", Some(&["rye", "spelt"]))])]
}

/// The same, then the file goes away and comes back as it was.
fn four_steps() -> Vec<NewStep> {
    let gone = step(2, &[("MEMORY.md", None)]);
    let again = step(3, &[("MEMORY.md", Some(&["rye", "oat"])), ("x.md", Some(&[]))]);
    two_steps().into_iter().chain([gone, again]).collect()
}

fn lived(lifetimes: &mut dyn Lifetimes, file: &str, text: &str) -> Vec<(usize, Option<usize>)> {
    let lives = lifetimes.lives(&name(file), mark(text)).expect("read");
    lives.iter().map(|life: &Life| (life.from, life.until)).collect()
}

fn nothing(lifetimes: &mut dyn Lifetimes) {
    assert!(lifetimes.steps().expect("read").is_empty());
    assert_eq!(lived(lifetimes, "MEMORY.md", "rye"), []);
}

fn steps_come_back(lifetimes: &mut dyn Lifetimes) {
    let steps = four_steps();
    lifetimes.grow(0, &steps).expect("grown");
    let told: Vec<Step> = steps.into_iter().map(|new| new.step).collect();
    assert_eq!(lifetimes.steps().expect("read"), told);
}

fn lives(lifetimes: &mut dyn Lifetimes) {
    lifetimes.grow(0, &two_steps()).expect("grown");
    assert_eq!(lived(lifetimes, "MEMORY.md", "rye"), [(0, None)]);
    assert_eq!(lived(lifetimes, "MEMORY.md", "oat"), [(0, Some(1))]);
    assert_eq!(lived(lifetimes, "MEMORY.md", "spelt"), [(1, None)]);
    let oat = lifetimes.lives(&name("MEMORY.md"), mark("oat")).expect("read")[0];
    assert!(oat.holds(0) && !oat.holds(1));
}

fn lives_again(lifetimes: &mut dyn Lifetimes) {
    lifetimes.grow(0, &four_steps()).expect("grown");
    assert_eq!(lived(lifetimes, "MEMORY.md", "rye"), [(0, Some(2)), (3, None)]);
    assert_eq!(lived(lifetimes, "MEMORY.md", "oat"), [(0, Some(1)), (3, None)]);
}

fn goes_away(lifetimes: &mut dyn Lifetimes) {
    lifetimes.grow(0, &four_steps()[..3]).expect("grown");
    assert_eq!(lived(lifetimes, "MEMORY.md", "spelt"), [(1, Some(2))]);
    assert_eq!(lived(lifetimes, "notes/a b.md", "rye"), [(0, None)]);
}

fn order_cannot_be_told(lifetimes: &mut dyn Lifetimes) {
    let steps = four_steps();
    lifetimes.grow(0, &steps).expect("grown");
    let at_once = lifetimes.dump().expect("a dump");
    lifetimes.clear().expect("cleared");
    for (at, step) in steps.iter().enumerate() {
        lifetimes.grow(at, std::slice::from_ref(step)).expect("grown");
    }
    assert_eq!(lifetimes.dump().expect("a dump"), at_once);
    assert!(at_once.contains("MEMORY.md") && at_once.contains("notes/a b.md"), "{at_once}");
}

fn older_state_refused(lifetimes: &mut dyn Lifetimes) {
    let steps = four_steps();
    lifetimes.grow(0, &steps[..2]).expect("grown");
    let before = lifetimes.dump().expect("a dump");
    assert!(matches!(lifetimes.grow(0, &steps), Err(IndexError::Moved)));
    assert_eq!(lifetimes.dump().expect("a dump"), before);
}

fn cleared(lifetimes: &mut dyn Lifetimes) {
    lifetimes.grow(0, &four_steps()).expect("grown");
    lifetimes.clear().expect("cleared");
    nothing(lifetimes);
}

fn compared(lifetimes: &mut dyn Lifetimes) {
    let stamp = |bytes| Stamp { bytes, changed_ns: -7, inode: u64::MAX };
    let file = |text: &str, bytes, oid: &str| Compared {
        name: SafeName::parse(text).expect("a name"),
        stamp: stamp(bytes),
        oid: oid.to_owned(),
    };
    let before = lifetimes.dump().expect("a dump");
    assert_eq!(lifetimes.compared().expect("none"), []);
    lifetimes.compare(&[file("a.md", 3, "one"), file("b.md", 4, "two")]).expect("remembered");
    lifetimes.compare(&[file("a.md", 9, "three")]).expect("remembered");
    assert_eq!(lifetimes.compared().expect("files"), [file("a.md", 9, "three"), file("b.md", 4, "two")]);
    assert_eq!(lifetimes.dump().expect("a dump"), before);
    lifetimes.clear().expect("cleared");
    assert_eq!(lifetimes.compared().expect("none"), []);
}
