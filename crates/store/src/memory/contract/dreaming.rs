//! Contract chapters on recall events, dream passes and their ledger.

use inwit_model::{Code, DreamEngine};

use super::{Chapter, at, name, receipt, session, sha};
use crate::memory::{
    Dream, DreamEnd, DreamNumber, DreamReason, LogSpan, Memory, PassageKey, Promotion, RecallEvent, Sweep,
    SweepNumber,
};

pub const CHAPTERS: &[Chapter] = &[
    ("events of one passage are added up", added_up),
    ("a passage that was edited starts anew", edited_passage),
    ("old events are forgotten on request", pruned),
    ("a fence number is given once", fences),
    ("a pass is told with its reasons", dreams),
    ("a sweep is found again until its end is told", sweeps),
    ("nothing is promoted or consumed twice", once),
    ("a dropped sweep is free again", dropped),
    ("a pass that was fenced off intends nothing", fenced_off),
    ("two logs with the same bytes are consumed together", twins),
    ("a log is consumed as far as its last span", positions),
];

fn event(path: &str, text: &str, query: &str, score: f64, seconds: i64) -> RecallEvent {
    RecallEvent {
        passage: PassageKey { path: name(path), text: sha(text) },
        query: sha(query),
        score,
        at: at(seconds),
        session: Some(session("s1")),
    }
}

const DAY: i64 = 86_400;

fn added_up(memory: &dyn Memory) {
    memory.record(&[]).expect("nothing to keep");
    memory
        .record(&[
            event("a.md", "one", "q1", 1.0, 0),
            event("a.md", "one", "q2", 0.5, 1),
            event("a.md", "one", "q1", 0.0, DAY),
            event("b.md", "two", "q1", 0.25, 2),
        ])
        .expect("recorded");
    let signals = memory.signals(at(0)).expect("read");
    assert_eq!(signals.len(), 2);
    let first = &signals[0];
    assert_eq!(first.passage, PassageKey { path: name("a.md"), text: sha("one") });
    assert_eq!((first.hits, first.queries, first.days), (3, 2, 2));
    assert!((first.mean_score - 0.5).abs() < 1e-9);
    assert_eq!((first.first, first.last), (at(0), at(DAY)));
    assert_eq!(memory.signals(at(DAY)).expect("read").len(), 1);
    assert_eq!(memory.signal_count(at(1)).expect("read"), 3);
}

fn edited_passage(memory: &dyn Memory) {
    memory.record(&[event("a.md", "old", "q", 1.0, 0), event("a.md", "new", "q", 1.0, 1)]).expect("recorded");
    let hits: Vec<u64> = memory.signals(at(0)).expect("read").iter().map(|signal| signal.hits).collect();
    assert_eq!(hits, [1, 1]);
}

fn pruned(memory: &dyn Memory) {
    memory.record(&[event("a.md", "x", "q", 1.0, 0), event("a.md", "x", "q", 1.0, 10)]).expect("recorded");
    assert_eq!(memory.prune_signals(at(10)).expect("pruned"), 1);
    assert_eq!(memory.signal_count(at(0)).expect("read"), 1);
}

fn fences(memory: &dyn Memory) {
    assert_eq!(memory.fence().expect("read"), 0);
    let given: Vec<u64> = (0..3).map(|_| memory.next_fence().expect("given")).collect();
    assert_eq!(given, [1, 2, 3]);
    assert_eq!(memory.fence().expect("read"), 3);
}

fn dreams(memory: &dyn Memory) {
    let fence = memory.next_fence().expect("given");
    let number = memory.begin_dream(fence, DreamEngine::Logs, "manual", at(1)).expect("begun");
    let running = Dream {
        number,
        fence,
        engine: DreamEngine::Logs,
        trigger: "manual".into(),
        started: at(1),
        end: None,
    };
    assert_eq!(memory.dreams(9).expect("read"), std::slice::from_ref(&running));
    let reason = |text: &str, outcome: &str| DreamReason {
        path: name("memory/2026-11-21.md"),
        text: sha(text),
        outcome: outcome.into(),
        score: 0.42,
        detail: "hits 5".into(),
    };
    let end = DreamEnd {
        at: at(2),
        outcome: "promoted".into(),
        counts: vec![("candidates".into(), 2), ("promoted".into(), 1)],
        reasons: vec![reason("a", "promoted"), reason("b", "score")],
    };
    memory.end_dream(number, &end).expect("ended");
    assert_eq!(memory.dream_reasons(number).expect("read"), end.reasons);
    let told = Dream { end: Some(DreamEnd { reasons: Vec::new(), ..end.clone() }), ..running };
    assert_eq!(memory.dreams(9).expect("read"), [told]);
    assert_eq!(memory.end_dream(number, &end).expect_err("refused").code, Code::Stale);
    assert_eq!(memory.end_dream(DreamNumber(99), &end).expect_err("refused").code, Code::Stale);
    let next = memory.next_fence().expect("given");
    memory.begin_dream(next, DreamEngine::Recall, "timer", at(3)).expect("begun");
    assert_eq!(memory.dreams(1).expect("read")[0].fence, next);
}

fn promotion(text: &str) -> Promotion {
    Promotion {
        passage: PassageKey { path: name("memory/2026-11-21.md"), text: sha(text) },
        bullet: sha(&format!("- {text}")),
        score: 0.5,
        hits: 3,
        days: 2,
        phase: "deep".into(),
    }
}

fn span(path: &str, log: &str, start: u64, end: u64) -> LogSpan {
    LogSpan { path: name(path), log: sha(log), start, end }
}

fn sweep(memory: &dyn Memory, texts: &[&str], spans: &[LogSpan]) -> Sweep {
    Sweep {
        fence: memory.next_fence().expect("given"),
        at: at(5),
        target: name("MEMORY.md"),
        section: Some(sha("section")),
        promotions: texts.iter().map(|text| promotion(text)).collect(),
        spans: spans.to_vec(),
    }
}

/// Records a sweep with its own fence number.
fn intend(memory: &dyn Memory, texts: &[&str], spans: &[LogSpan]) -> Result<SweepNumber, Code> {
    memory.intend_sweep(&sweep(memory, texts, spans)).map_err(|error| error.code)
}

/// Proves N29f.
fn sweeps(memory: &dyn Memory) {
    let intended = sweep(memory, &["a", "b"], &[span("memory/2026-11-21.md", "log", 0, 9)]);
    let number = memory.intend_sweep(&intended).expect("intended");
    assert_eq!(memory.unconfirmed_sweeps().expect("read"), [(number, intended)]);
    assert!(memory.promotions(9).expect("read").is_empty());
    assert!(memory.log_spans().expect("read").is_empty());
    memory.confirm_sweep(number, Some(&receipt(1))).expect("confirmed");
    memory.confirm_sweep(number, Some(&receipt(2))).expect("confirmed again");
    assert!(memory.unconfirmed_sweeps().expect("read").is_empty());
    let expected = [promotion("b"), promotion("a")].map(|promotion| (promotion, Some(receipt(1))));
    assert_eq!(memory.promotions(9).expect("read"), expected);
    assert_eq!(memory.promotions(1).expect("read").len(), 1);
    assert_eq!(memory.promotion_count().expect("read"), 2);
    assert_eq!(memory.confirm_sweep(SweepNumber(99), None).expect_err("refused").code, Code::Stale);
}

fn once(memory: &dyn Memory) {
    let spans = [span("memory/2026-11-21.md", "log", 0, 9)];
    let first = intend(memory, &["a"], &spans).expect("intended");
    memory.confirm_sweep(first, Some(&receipt(1))).expect("confirmed");
    assert!(memory.is_promoted(&sha("a")).expect("read"));
    assert!(memory.is_consumed(&spans[0]).expect("read"));
    assert_eq!(intend(memory, &["b", "a"], &[]), Err(Code::Stale));
    assert_eq!(intend(memory, &["b", "b"], &[]), Err(Code::Stale));
    assert!(!memory.is_promoted(&sha("b")).expect("read"), "all or nothing");
    // The same bytes under another name are the same log.
    assert_eq!(intend(memory, &[], &[span("memory/other.md", "log", 0, 9)]), Err(Code::Stale));
    assert!(memory.unconfirmed_sweeps().expect("read").is_empty());
}

fn dropped(memory: &dyn Memory) {
    let spans = [span("memory/2026-11-21.md", "log", 0, 9)];
    let first = intend(memory, &["a"], &spans).expect("intended");
    memory.drop_sweep(first).expect("dropped");
    assert!(!memory.is_promoted(&sha("a")).expect("read"));
    let second = intend(memory, &["a"], &spans).expect("intended again");
    assert_ne!(first, second);
    memory.confirm_sweep(second, Some(&receipt(1))).expect("confirmed");
    assert_eq!(memory.drop_sweep(second).expect_err("refused").code, Code::Stale);
    assert_eq!(memory.promotion_count().expect("read"), 1);
}

fn fenced_off(memory: &dyn Memory) {
    let late = sweep(memory, &["a"], &[]);
    let newer = sweep(memory, &["b"], &[]);
    assert_eq!(memory.intend_sweep(&late).expect_err("refused").code, Code::Stale);
    memory.intend_sweep(&newer).expect("intended");
    let invented = Sweep { fence: 99, ..late };
    assert_eq!(memory.intend_sweep(&invented).expect_err("refused").code, Code::Stale);
}

fn twins(memory: &dyn Memory) {
    let spans = [span("memory/2026-11-20.md", "same", 0, 4), span("memory/2026-11-21.md", "same", 0, 4)];
    let number = intend(memory, &[], &spans).expect("intended");
    assert_eq!(memory.unconfirmed_sweeps().expect("read")[0].1.spans, spans);
    memory.confirm_sweep(number, None).expect("confirmed");
    assert_eq!(memory.log_spans().expect("read").len(), 2);
}

fn positions(memory: &dyn Memory) {
    let path = "memory/2026-11-21.md";
    for (log, start, end) in [("a", 0, 5), ("ab", 5, 8)] {
        let number = intend(memory, &[], &[span(path, log, start, end)]).expect("intended");
        memory.confirm_sweep(number, None).expect("confirmed");
    }
    intend(memory, &[], &[span(path, "abc", 8, 9)]).expect("intended, of no known end");
    let expected = [span(path, "a", 0, 5), span(path, "ab", 5, 8)];
    assert_eq!(memory.log_spans().expect("read"), expected);
    let read = span(path, "ab", 5, 8);
    assert!(memory.is_consumed(&read).expect("read"));
    memory.reopen_logs(&[name("memory/2026-11-20.md")]).expect("another log");
    assert_eq!(memory.log_spans().expect("read"), expected);
    memory.reopen_logs(&[name(path)]).expect("reopened");
    assert!(memory.log_spans().expect("read").is_empty() && !memory.is_consumed(&read).expect("read"));
    let again = intend(memory, &[], &[read]).expect("it may be read again");
    memory.confirm_sweep(again, None).expect("confirmed");
}
