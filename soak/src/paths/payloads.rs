//! Names that try to lead elsewhere, by the numbers of the reliability plan (§3-B).

/// A name, and the number of its kind.
pub type Payload = (&'static str, String);

/// Every payload; `outside` is a folder beside the workspace, with a file `canary.md`.
pub fn payloads(outside: &str) -> Vec<Payload> {
    let mut payloads = Vec::new();
    let mut add = |kind, names: &[&str]| payloads.extend(names.iter().map(|name| (kind, (*name).to_owned())));
    add("P01", &["../MEMORY.md", "../outside/canary.md", "../../../../outside/canary.md"]);
    add("P02-P04", &["memory/../../x.md", "memory/..", "..", ".", ""]);
    add("P05-P06", &["/etc/passwd", "//etc/passwd", outside]);
    add("P07-P09", &["memory//2026-01-01.md", "./MEMORY.md", "memory/./2026-01-01.md"]);
    add("P10-P11", &["....//MEMORY.md", "..;/MEMORY.md"]);
    add("P12", &["%2e%2e%2fMEMORY.md", "%252e%252e%252f", "..%c0%af", "%2e%2e%5c"]);
    add("P13-P14", &["../workspace_evil/x.md", "../workspace/MEMORY.md"]);
    add("P15-P17", &["~/.ssh/id_rsa", "~root/x", "$HOME/x.md", "${HOME}", "file:///etc/passwd"]);
    add("P18", &["\\\\?\\C:\\x", "\\\\.\\PhysicalDrive0", "\\\\server\\share\\x.md"]);
    add("P19-P20", &["C:\\x.md", "C:x.md", "/C:/x.md", "memory\\..\\..\\x.md"]);
    add("P22", &["MEMORY.md\n", "MEMORY.md\r", "MEMORY.md\t", "MEMORY.md\u{7f}", "MEMORY.md\u{85}"]);
    add("P23-P24", &["MEMORY.md.", "MEMORY.md ", " MEMORY.md", "-rf.md", "--output=x"]);
    add("P25-P28", &["links/passwd.md", "links/dangling.md", "linked/canary.md", "notes-link/plan.md"]);
    add(
        "P29-P31",
        &["links/loop.md", "links/up/../outside/canary.md", "/proc/self/root/etc/passwd", "/dev/stdin"],
    );
    add("P33", &["notes/pipe.md", "notes/folder.md"]);
    add(
        "P35",
        &[
            "CON", "con.md", "PRN.md", "AUX", "NUL.txt", "COM1.md", "COM9", "LPT1", "COM\u{b9}.md", "CONIN$",
            "CLOCK$",
        ],
    );
    add(
        "P36-P38",
        &[
            "MEMORY.md::$DATA", "MEMORY.md:evil", "memory:$I30", "MEMORY~1.MD", "GIT~1", "a<b>.md",
            "a|b?.md", "*.md",
        ],
    );
    let (long, deep) = ("a".repeat(300) + ".md", "a/".repeat(2_100) + "x.md");
    add("P39", &[&long, &deep]);
    add("P41-P42", &["memory.md", "Memory.MD", "MEMORY.\u{212a}d", "MEMORY.m\u{131}", "\u{17f}OUL.md"]);
    add(
        "P43-P44",
        &[
            "memory/cafe\u{301}.md", "\u{ff2d}EMORY.md", "\u{ff0e}\u{ff0e}\u{ff0f}x.md", "a\u{2215}b.md",
            "a\u{2024}md",
        ],
    );
    add("P45-P47", &["\u{41c}EMORY.md", "\u{202e}dm.YROMEM", "MEM\u{200b}ORY.md", ".g\u{200c}it/config"]);
    let bomb = format!("a{}.md", "\u{301}".repeat(300));
    add("P49-P50", &[&bomb, "\u{1f43b}"]);
    add("P51", &[".git/config", ".GIT/config", ".git./config"]);
    add(
        "P52-P53",
        &[
            ".dreaming.lock", ".dreamed-state.json", ".soul-state.json", "MEMORY.sync-conflict-1.md",
            "memory/.index/x",
        ],
    );
    add(
        "P54-P55",
        &[".env", ".ssh/authorized_keys", ".vscode/tasks.json", "CLAUDE.md", "BOOTSTRAP.md.done.1"],
    );
    add(
        "P56",
        &[
            "memory/2026-02-30.md", "memory/2026-13-01.md", "memory/0000-00-00.md",
            "memory/\u{ff12}026-01-01.md", "memory/2026-01-01-../x",
        ],
    );
    add(
        "P57-P59",
        &["memory/2026-01-01-*.md", "memory/2026-01-01-[a].md", "rooms/!abc:server.md", "a%b#c?d&e.md"],
    );
    add("P63-P64", &["index.md/../../x", "memory/..\\..\\x.md"]);
    add("P68-P69", &["..%2f..%2fetc", "//evil/", "http://evil/x.md"]);
    let overlong = "x".repeat(64 * 1024);
    add("P70-P72", &["MEMORY.md;x=..", &overlong, "/v1/./x/../y"]);
    payloads
}
