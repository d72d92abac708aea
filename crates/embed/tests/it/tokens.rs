//! The tokens against those of the library that the model was published with.

use inwit_embed::wordpiece::Vocabulary;
use inwit_testkit::Chance;
use tokenizers::Tokenizer;

/// What odd texts are drawn by.
const SEED: u64 = 20_261_121;

/// A vocabulary over many scripts, so that pieces, unknown words and cuts all happen without the model.
fn small() -> Vec<String> {
    let mut pieces: Vec<String> = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"].map(String::from).to_vec();
    let ranges = ['!'..='~', 'à'..='ÿ', 'α'..='ω', 'а'..='я', 'א'..='ת', 'ぁ'..='ん', 'ก'..='ฮ', '一'..='乿'];
    let letters = ranges.into_iter().flatten().filter(|c| !c.is_ascii_uppercase());
    for letter in letters.chain(['€', '£', '°', '…', '😀', '、', '。']) {
        pieces.push(letter.to_string());
        if !letter.is_ascii_punctuation() {
            pieces.push(format!("##{letter}"));
        }
    }
    pieces.extend(["the", "##ing", "bread", "rye", "ther", "кот"].map(String::from));
    pieces
}

/// The library with `vocabulary`, set up as the model is published, but cut at 256 tokens and not filled up.
fn library(vocabulary: &[String]) -> Tokenizer {
    let numbered: serde_json::Map<String, serde_json::Value> =
        vocabulary.iter().zip(0..).map(|(piece, number): (_, u32)| (piece.clone(), number.into())).collect();
    let markers: Vec<_> = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
        .iter()
        .map(|marker| {
            serde_json::json!({"id": numbered[*marker], "content": marker, "special": true,
                "single_word": false, "lstrip": false, "rstrip": false, "normalized": false})
        })
        .collect();
    let json = serde_json::json!({
        "version": "1.0",
        "truncation": {"max_length": 256, "strategy": "LongestFirst", "stride": 0, "direction": "Right"},
        "padding": null,
        "added_tokens": markers,
        "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
            "strip_accents": null, "lowercase": true},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", numbered["[SEP]"]],
            "cls": ["[CLS]", numbered["[CLS]"]]},
        "decoder": null,
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100, "vocab": numbered},
    });
    json.to_string().parse().expect("a tokenizer")
}

/// The vocabularies to compare with: the small one, and the model's where it is.
fn vocabularies() -> Vec<Vec<String>> {
    let published = inwit_testkit::model().map(|folder| {
        let text = std::fs::read_to_string(folder.join("vocab.txt")).expect("vocab.txt");
        text.lines().map(str::to_owned).collect()
    });
    std::iter::once(small()).chain(published).collect()
}

#[track_caller]
fn agree(pieces: &[String], texts: impl Iterator<Item = String>) -> usize {
    let (ours, library) = (Vocabulary::of_lines(&pieces.join("\n")).expect("whole"), library(pieces));
    let mut count = 0;
    for text in texts {
        let wanted = library.encode_fast(text.as_str(), true).expect("tokens");
        assert_eq!(ours.tokens(&text, 256), wanted.get_ids(), "{text:?} (seed {SEED})");
        count += 1;
    }
    count
}

/// A text of up to sixty characters from all of Unicode, words and markers between them.
fn odd(chance: &mut Chance) -> String {
    let any = 0..=0x10_ffff_u32;
    let ranges = [0..=0x7f, 0..=0xff, 0x80..=0x24f, 0x300..=0x36f, 0x370..=0x5ff, 0x600..=0x1fff];
    let more = [0x2000..=0x2bff, 0x3000..=0x9fff, 0xac00..=0xd7a3, 0xe000..=0xffff, 0x1_f300..=0x1_faff];
    let ranges: Vec<_> = ranges.into_iter().chain(more).chain([0x2_0000..=0x2_ffff, any]).collect();
    let words =
        ["the", "Thering", "breads", "[SEP]", "[MASK]", "[mask", " ", "\r\n", "ﬁ", "İ", "ẞ", "ΑΣ", "가"];
    let favourite = chance.pick(&ranges).clone();
    (0..chance.below(60))
        .map(|_| match chance.below(4) {
            0 => (*chance.pick(&words)).to_owned(),
            kind => {
                let range = if kind == 1 { chance.pick(&ranges).clone() } else { favourite.clone() };
                let width = (range.end() - range.start() + 1) as usize;
                let number = range.start() + u32::try_from(chance.below(width)).expect("a character");
                char::from_u32(number).map(String::from).unwrap_or_default()
            }
        })
        .collect()
}

#[test]
fn twenty_thousand_odd_texts_have_the_librarys_tokens() {
    for pieces in vocabularies() {
        let mut chance = Chance::of(SEED);
        assert_eq!(agree(&pieces, (0..20_000).map(|_| odd(&mut chance))), 20_000);
    }
}

/// Of the planes of Unicode that have characters of more than private use.
#[test]
fn every_character_has_the_librarys_tokens() {
    let planes = ['\0'..='\u{3ffff}', '\u{e0000}'..='\u{effff}'];
    let all: Vec<char> = planes.into_iter().flatten().collect();
    assert_eq!(all.len(), 0x5_0000 - 0x800);
    let pieces = vocabularies().pop().expect("a vocabulary");
    let texts = all.chunks(48).map(|some| some.iter().map(|c| format!("x{c}y ")).collect());
    agree(&pieces, texts);
}

#[test]
fn real_texts_have_the_librarys_tokens() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let pages =
        ["README.md", "ARCHITECTURE.md", "docs/glossary.md", "docs/benchmarks.md", "docs/reference/cli.md"];
    for pieces in vocabularies() {
        let read = |page| std::fs::read_to_string(root.join(page)).expect("a page");
        let lines = pages.iter().flat_map(|page| read(page).lines().map(str::to_owned).collect::<Vec<_>>());
        let whole = pages.iter().map(read);
        let more =
            [0, 1, 99, 100, 101, 252, 253, 254, 255, 300].map(|many| "x".repeat(many) + &" rye".repeat(many));
        let texts = lines.chain(whole).chain(crate::agreeing::texts()).chain(more);
        assert!(agree(&pieces, texts) > 1_000);
    }
}
