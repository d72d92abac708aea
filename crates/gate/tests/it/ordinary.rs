//! Ordinary text is quiet: this repository's own pages and the sample agents have no hard hit.

use std::fs;
use std::path::{Path, PathBuf};

use inwit_gate::secrets::{self, Tier};
use inwit_gate::{hidden, injection};

/// Every Markdown file of the repository's documents and of the test kit's sample agents.
fn pages() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut folders = vec![root.join("docs"), root.join("examples"), root.join("crates/testkit/fixtures")];
    let mut pages = vec![];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the repository") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                // One sample agent keeps a page in UTF-16 on purpose; that is no text to scan.
                let text = String::from_utf8(fs::read(&path).expect("a file"));
                pages.extend(text.ok().filter(|text| !text.contains('\0')).map(|text| (path, text)));
            }
        }
    }
    assert!(pages.len() > 40, "the pages were found: {}", pages.len());
    pages
}

#[test]
fn no_page_of_ours_holds_a_secret() {
    for (path, text) in pages() {
        let hard: Vec<_> =
            secrets::scan(&text).into_iter().filter(|hit| hit.tier >= Tier::Quarantine).collect();
        assert_eq!(hard, [], "{}", path.display());
        assert_eq!(secrets::seed_hit(&text), None, "{}", path.display());
    }
}

#[test]
fn no_page_of_ours_hides_a_character_or_attacks() {
    for (path, text) in pages() {
        let hard: Vec<_> =
            hidden::scan(&text).into_iter().filter(|hit| hit.tier >= Tier::Quarantine).collect();
        assert_eq!(hard, [], "{}", path.display());
        assert_eq!(injection::scan(&text), [], "{}", path.display());
    }
}

/// Families of ids that look like keys and are none.
#[test]
fn ids_hashes_and_placeholders_are_quiet() {
    for text in [
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
        "checksum = \"72b3254f16251a8381aa12e40e3c4d2f0199f8c6508fbecb9d91f575e0fbb8c6\"",
        "id 550e8400-e29b-41d4-a716-446655440000 and 01ARZ3NDEKTSV4RRFFQ69G5FAV",
        "cid QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKpjz3 QmT5NvUtoM5nWFfrQdVrFtvGfKFmG7AHE8P34isapyhCxX",
        "integrity sha512-Lw0VmQ7CH3r4bTsMY0KXjNHhFOaKY9nMmPZ5yWkVnsM6TEPp5fWjvsw2kN2L+m0RdeAYkaaJVoOPkYSCsT6W0w==",
        "export ANTHROPIC_API_KEY=sk-ant-... OPENAI_API_KEY=<YOUR_KEY> TOKEN=$TOKEN password: ********",
        "ghp_xxxxxxxxxxxxxxxxxxxx xoxb-your-token pk_live_abcdefghijklmnop op://vault/item/password",
        "disk-disallow-small-block-sizes and task-list-items-extension-for-everyone in sk-cubeGridScaleDelay",
        "postgres://ledger:${DB_PASSWORD}@host/db and https://user:password@host",
        "version 1.2.3.4, 2026-11-21 14:03:00, +12, 3.14159265358979, [REDACTED:github_pat]",
        "0x95d89b41 and 0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    ] {
        let loud: Vec<_> = secrets::scan(text).into_iter().filter(|hit| hit.tier >= Tier::Warn).collect();
        assert_eq!(loud, [], "{text}");
    }
}

/// Texts of the files `testdata/ordinary-*`, one a record.
fn records() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata");
    let entries = fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path());
    let files = entries.filter(|path| path.to_string_lossy().contains("ordinary-"));
    let texts = files.map(|path| fs::read_to_string(path).expect("a file of texts"));
    let records: Vec<_> = texts
        .flat_map(|text| text.split("=== id: ").skip(1).map(str::to_owned).collect::<Vec<_>>())
        .filter_map(|record| record.split_once('\n').map(|(id, text)| (id.to_owned(), text.to_owned())))
        .collect();
    assert!(records.len() > 50, "the records were found: {}", records.len());
    records
}

/// Documentation uses the words that name secrets, and headings of them, without a secret behind them.
#[test]
fn words_behind_a_label_are_quiet() {
    let loud = records().into_iter().filter_map(|(id, text)| {
        let hits = secrets::scan(&text).into_iter().filter(|hit| hit.tier >= Tier::Quarantine);
        let values: Vec<_> = hits.map(|hit| text[hit.span].to_owned()).collect();
        (!values.is_empty()).then(|| format!("{id}: {values:?}"))
    });
    let loud: Vec<_> = loud.collect();
    assert!(loud.is_empty(), "{}", loud.join("\n"));
}

/// The ellipsis between two versions is no sign between words: a link of a changelog would be found once more, cut in two.
#[test]
fn a_link_that_compares_versions_is_one_address() {
    let link = "https://git.example/compare/2.13.1...2.13.2";
    let hits = injection::behavioural(&format!("[2.13.2]: {link}\n"));
    assert_eq!(hits.iter().map(|hit| hit.id).collect::<Vec<_>>(), ["address"]);
}
