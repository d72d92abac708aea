//! Credentials as people write them into notes, chats and files: none survives the mask.

use std::path::Path;

use inwit_gate::{Weight, noticed};
use inwit_testkit::Chance;
use inwit_testkit::shape::{self, Shape};

/// Texts that each shape makes.
const TEXTS: u64 = 5;

/// The share of texts whose secret must be masked.
const RECALL_MIN: f64 = 0.97;

/// The same of the shapes that nobody who writes rules reads.
const HELD_OUT_RECALL_MIN: f64 = 0.97;

/// A text as a model is shown it: what the gate would stop, or ask a person about, is masked.
fn masked(text: &str) -> String {
    let (mut out, mut done) = (Vec::new(), 0);
    for finding in noticed(text.as_bytes()).into_iter().filter(|finding| finding.weight >= Weight::Ask) {
        if finding.span.end > done {
            out.extend_from_slice(&text.as_bytes()[done..finding.span.start.max(done)]);
            out.extend_from_slice(b"[masked]");
            done = finding.span.end;
        }
    }
    out.extend_from_slice(&text.as_bytes()[done..]);
    String::from_utf8_lossy(&out).into_owned()
}

/// The share of the texts of `shapes` that are masked, and those that are not.
fn recall(shapes: &[Shape]) -> (f64, Vec<String>) {
    let (mut hidden, mut missed) = (0, Vec::new());
    for shape in shapes {
        for seed in 0..TEXTS {
            let marked = shape.expand(&mut Chance::of(seed));
            let masked = masked(&marked.text);
            if marked.is_hidden_in(&masked) {
                hidden += 1;
            } else {
                missed.push(format!("{} ({}):\n{}\n--> {masked}", shape.id, shape.class, marked.text));
            }
        }
    }
    (f64::from(hidden) / (shapes.len() as f64 * TEXTS as f64), missed)
}

/// Each file of shapes counts for itself: rules are written for one, and only measured by the others. The claim rests
/// on the first.
/// Proves X35.
#[test]
fn credentials_as_people_write_them_are_masked() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata");
    let entries =
        std::fs::read_dir(folder).expect("the folder of shapes").map(|entry| entry.expect("an entry").path());
    let files: Vec<_> = entries.filter(|path| path.to_string_lossy().contains("secret-shapes-")).collect();
    assert!(!files.is_empty(), "there is a file of shapes");
    for path in files {
        let shapes = shape::parse(&std::fs::read_to_string(&path).expect("a file of shapes"));
        let (share, missed) = recall(&shapes);
        if path.to_string_lossy().ends_with("-held.txt") {
            assert!(share >= HELD_OUT_RECALL_MIN, "{}: {share:.4}", path.display());
        } else {
            assert!(
                share >= RECALL_MIN,
                "{}: {share:.4}; not these:\n{}",
                path.display(),
                missed.join("\n\n")
            );
        }
    }
}
