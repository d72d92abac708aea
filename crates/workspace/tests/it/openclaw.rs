//! What an OpenClaw workspace shows of itself.

use inwit_workspace::Generation;

use crate::{Home, home};

fn openclaw() -> Home {
    let source = home();
    for (text, bytes) in [
        ("SOUL.md", &b"I am Juno."[..]),
        ("TOOLS.md", b"a lathe"),
        ("HEARTBEAT.md", b"stale"),
        ("memory.md", b"old name"),
        ("skills/paper/SKILL.md", b"---\nname: paper\n---\n"),
        (".openclaw/workspace-state.json", b"{}"),
    ] {
        source.put(text, bytes);
    }
    source
}

#[test]
fn a_folder_tells_which_openclaw_made_it() {
    let source = openclaw();
    let landmarks = source.files.landmarks().expect("landmarks");
    let marks = vec!["TOOLS.md", "HEARTBEAT.md", "memory.md", ".openclaw/workspace-state.json"];
    assert_eq!(inwit_workspace::generation::of(&source.files, &landmarks), Generation::Old { marks });
}

#[test]
fn what_is_no_markdown_is_named_up_to_a_count() {
    let source = openclaw();
    for path in ["skills/paper/fold.py", "avatar.png", "a.csv", ".env", ".git/HEAD", "deep/er/x.sh"] {
        source.put(path, b"x");
    }
    std::os::unix::fs::symlink("/", source.path("elsewhere")).expect("a link");
    let others = source.files.others(3).expect("a walk");
    assert_eq!(others.shown, ["a.csv", "avatar.png", "deep/er/x.sh"]);
    assert_eq!((others.more, others.is_partial), (1, false));
    assert_eq!(source.files.others(9).expect("a walk").shown.len(), 4);
}
