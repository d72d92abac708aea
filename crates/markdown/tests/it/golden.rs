//! Every file of `testdata/` reads as its golden tree says. `UPDATE_EXPECT=1` writes the trees anew.

use expect_test::expect_file;
use inwit_markdown::parse;

use crate::tree::tree;

fn check(name: &str, bytes: &[u8]) {
    let golden = format!("{}/testdata/{name}.tree", env!("CARGO_MANIFEST_DIR"));
    expect_file![golden].assert_eq(&tree(&parse(bytes)));
}

macro_rules! golden {
    ($($claim:ident: $name:literal),* $(,)?) => {
        $(#[test]
        fn $claim() {
            check($name, include_bytes!(concat!("../../testdata/", $name, ".md")));
        })*

        #[test]
        fn no_golden_file_is_forgotten() {
            let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/testdata")).unwrap();
            let names = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap());
            let mut names: Vec<_> = names.filter_map(|name| name.strip_suffix(".md").map(str::to_owned)).collect();
            names.sort();
            assert_eq!(names, [$($name),*]);
        }
    };
}

golden! {
    every_block_kind_is_its_own_passage: "blocks",
    a_curated_memory_keeps_its_carriers: "carriers",
    a_chat_log_gives_its_speakers: "chat",
    what_is_broken_is_read_and_said: "faults",
    paragraphs_between_section_signs_are_entries: "hermes",
    long_blocks_are_cut_where_a_reader_would: "long",
    a_skill_has_its_front_matter: "skill",
}

#[test]
fn crlf_and_a_byte_order_mark_change_only_offsets() {
    let text = include_str!("../../testdata/blocks.md");
    let windows = format!("\u{FEFF}{}", text.replace('\n', "\r\n"));
    let (lf, crlf) = (parse(text.as_bytes()), parse(windows.as_bytes()));
    let texts = |document: &inwit_markdown::Document<'_>| -> Vec<String> {
        document.passages.iter().map(|passage| document.text(&passage.span).replace('\r', "")).collect()
    };
    assert_eq!(texts(&lf), texts(&crlf));
}
