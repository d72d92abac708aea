//! Searching generations against the definition of a search, and files that are none.

mod damage;
mod nearest;

/// A file of `rows` vectors of `dimension` numbers that `number(row, place)` gives, of the model `m`.
fn laid_out(
    dimension: usize,
    rows: usize,
    number: impl Fn(usize, usize) -> f32,
) -> (tempfile::NamedTempFile, Vec<f32>) {
    let file = tempfile::NamedTempFile::new().expect("a file");
    let out = std::io::BufWriter::new(file.reopen().expect("open"));
    let mut writer = inwit_vector::Writer::begin(out, "m", dimension, rows).expect("begun");
    let mut all = Vec::new();
    for row in 0..rows {
        let vector: Vec<f32> = (0..dimension).map(|place| number(row, place)).collect();
        writer.push(row as u64 * 10, &vector).expect("written");
        all.extend(vector);
    }
    writer.finish().expect("finished");
    (file, all)
}

/// Numbers within ±1 by a seed.
fn noise(seed: u64) -> impl Fn(usize, usize) -> f32 {
    move |row, place| {
        let mut mixed = seed ^ (row as u64) << 32 ^ place as u64;
        for factor in [0xbf58_476d_1ce4_e5b9_u64, 0x94d0_49bb_1331_11eb] {
            mixed = (mixed ^ (mixed >> 30)).wrapping_mul(factor);
        }
        (mixed >> 40) as f32 / f32::from_bits(0x4b00_0000) - 1.0
    }
}
