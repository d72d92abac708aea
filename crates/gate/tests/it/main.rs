//! The scanners of the gate against samples that are made on the spot.

mod any_text;
mod chosen;
mod labels;
mod obfuscation;
mod ordinary;
mod passwords;
mod records;
mod redaction;
mod said;
mod samples;
mod sections;
mod shapes;

#[test]
fn no_file_is_forgotten() {
    inwit_testkit::no_forgotten_file(env!("CARGO_MANIFEST_DIR"), include_str!("main.rs"));
}
