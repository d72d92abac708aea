//! One story from end to end: a contradiction is stated, judged, shown as of two days and as it was believed, asked for by
//! hand, and forgotten without a trace.
//!
//! What is looked for at the end is looked for without inwit: in the bytes of every file, in what the stock shell of SQLite
//! reads out of every database, and in every object that git holds.

use std::path::{Path, PathBuf};

use inwit_testkit::Cli;
use inwit_testkit::server::{Reply, Server};

use crate::user_of_a_shell;

/// The town that is forgotten in the end: a word that nothing else in a home says.
const TOWN: &str = "Zarquonville";

const SUPERSEDE: &str = r#"{"decision":"supersede","fact":1,"reason":"she moved"}"#;

fn says(answer: &str) -> Reply {
    Reply::good(serde_json::json!({ "choices": [{ "message": { "content": answer } }] }).to_string())
}

/// Someone with a shell, an agent, and a judge that answers once.
fn teller(server: &Server) -> Cli {
    let programs = Path::new(env!("CARGO_BIN_EXE_inwit")).parent().expect("a folder").display().to_string();
    let home = user_of_a_shell()
        .env("PATH", &format!("{programs}:/usr/local/bin:/usr/bin:/bin"))
        .env("INWIT_JUDGE_PROVIDER", "http")
        .env("INWIT_JUDGE_URL", &format!("{}/v1", server.url))
        .env("INWIT_JUDGE_MODEL", "small");
    home.run(["-ec", "inwit init --timezone UTC"]).exits(0);
    home
}

/// The agent wants a fact kept, and the owner lets it through.
fn stated(home: &Cli, text: &str, since: &str) {
    let asked =
        home.run(["-ec", &format!("inwit facts add '{text}' --from {since} --as agent --json")]).json();
    let id = asked["proposal"].as_str().expect("it waits").to_owned();
    let shown = home.run(["-ec", &format!("inwit inbox show {id} --json")]).json();
    let digits = shown["confirm"].as_str().expect("digits").to_owned();
    home.run(["-ec", &format!("inwit inbox approve {id} --confirm {digits}")]).exits(0);
}

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() && !path.is_symlink() {
            files_below(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// Where `word` stands in any form that bytes of a file show: as it is, in small letters, in UTF-16, in base64.
fn bytes_with(home: &Path, word: &str) -> Vec<PathBuf> {
    use base64::Engine as _;
    let wide = |word: &str| word.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let mut forms = vec![word.as_bytes().to_vec(), word.to_lowercase().into_bytes(), wide(word)];
    // Base64 of a text depends on where in a group of three it begins; the middle of it does not.
    for shift in 0..3 {
        let shifted = format!("{}{word}", &"###"[..shift]);
        let encoded = base64::engine::general_purpose::STANDARD_NO_PAD.encode(shifted);
        forms.push(encoded.as_bytes()[4..encoded.len() - 3].to_vec());
    }
    let mut files = Vec::new();
    files_below(home, &mut files);
    files.retain(|path| {
        let bytes = std::fs::read(path).unwrap_or_default();
        forms.iter().any(|form| bytes.windows(form.len()).any(|part| part == form))
    });
    files
}

/// How often databases and history say it, by other programs than inwit.
fn told_with(home: &Cli, word: &str) -> String {
    let script = format!(
        "cd \"$HOME\"
         find . -name '*.db' | while read -r db; do sqlite3 -readonly \"$db\" .dump; done > dumps.txt 2>/dev/null
         find . -name 'history.git' -type d | while read -r git; do
           git --git-dir \"$git\" cat-file --batch-all-objects --batch
         done > objects.txt 2>/dev/null
         grep -aic '{word}' dumps.txt; grep -aic '{word}' objects.txt; rm dumps.txt objects.txt"
    );
    home.run(["-c", &script]).stdout()
}

/// Proves M44.
#[test]
fn a_contradiction_is_stated_judged_seen_on_two_days_and_forgotten_without_a_trace() {
    if !inwit_testkit::has_sqlite3() || !inwit_testkit::has_git() {
        return;
    }
    let server = Server::answering(vec![says(SUPERSEDE)]);
    let home = teller(&server);
    let root = home.home("inwit");
    let run = |line: &str| home.run(["-ec", line]);

    // Stated, the one and then the other.
    stated(&home, &format!("Ana lives in {TOWN}"), "2020-01-01");
    run(&format!("inwit remember 'Ana wrote from {TOWN}'")).exits(0);
    let between = run("date -u +%Y-%m-%dT%H:%M:%S.%3NZ").stdout().trim().to_owned();
    stated(&home, "Ana lives in Lisbon", "2026-06-01");
    run("inwit facts list").mentions(TOWN).mentions("Lisbon");

    // Judged at the end of a session.
    let session = run("inwit session start").json()["session"].as_str().expect("an id").to_owned();
    run(&format!("inwit session end --input '{{\"session\":\"{session}\"}}'"))
        .exits(0)
        .mentions("facts_retired");
    assert_eq!(server.requests().len(), 1);
    run("inwit facts decisions").mentions("supersede").mentions("she moved");

    // As of two days, and as it was believed before anybody spoke of Lisbon.
    run("inwit facts list").mentions("Lisbon").hides(TOWN);
    run("inwit facts list --as-of 2026-05-31").mentions(TOWN).hides("Lisbon");
    run("inwit facts list --as-of 2026-06-01").mentions("Lisbon").hides(TOWN);
    run(&format!("inwit facts list --believed-at {between}")).mentions(TOWN).hides("Lisbon");
    run(&format!("inwit facts search Ana --believed-at {between}")).mentions(TOWN).hides("Lisbon");
    assert_eq!(run("inwit facts list --believed-at 2020-01-01").stdout(), "");
    run("inwit prompt").mentions("Lisbon");

    // Asked by hand, in the words in which it has always been asked.
    let database = home.home("inwit/agents/main/memory.db").display().to_string();
    let asks = |sql: &str| run(&format!("sqlite3 -readonly '{database}' \"{sql}\"")).exits(0).stdout();
    assert_eq!(
        asks("SELECT category, COUNT(*) FROM memories GROUP BY category ORDER BY 2 DESC;").trim(),
        "observation|2"
    );
    let newest = asks("SELECT category, content FROM memories ORDER BY updated_at DESC LIMIT 50;");
    assert_eq!(newest.lines().count(), 2, "{newest}");
    let found = asks(
        "SELECT m.* FROM memories m JOIN memories_fts f ON m.id=f.rowid
         WHERE memories_fts MATCH 'Lisbon' ORDER BY rank LIMIT 5;",
    );
    assert!(found.starts_with("2|observation|Ana lives in Lisbon||agent_recorded||"), "{found}");
    assert_eq!(
        asks("SELECT decision FROM memory_consolidation_events WHERE decision <> 'keep';").trim(),
        "supersede"
    );
    let calls = asks("SELECT DISTINCT tool_call FROM audit_log ORDER BY 1;");
    assert!(
        ["approved", "fact_add", "fact_settle", "propose"].iter().all(|call| calls.contains(call)),
        "{calls}"
    );
    assert_eq!(asks("SELECT key, value FROM user_profile;"), "");

    // Forgotten: first it stands in many places, then in none.
    run("inwit history log").exits(0);
    assert!(!bytes_with(&root, TOWN).is_empty());
    let before = told_with(&home, TOWN);
    assert!(before.lines().all(|count| count != "0"), "databases and history say it: {before}");
    run(&format!("inwit forget --everywhere {TOWN} --rewrite-history --apply --yes"))
        .mentions("The words were not found")
        .exits(0);
    assert_eq!(bytes_with(&root, TOWN), Vec::<PathBuf>::new());
    assert_eq!(told_with(&home, TOWN), "0\n0\n");
    run("inwit facts list --include-retired").mentions("Lisbon").hides(TOWN);
    run("inwit facts list --as-of 2026-05-31").hides(TOWN);
    run("inwit history audit verify").mentions("The audit log is intact");
    run("inwit doctor").exits(0);
}
