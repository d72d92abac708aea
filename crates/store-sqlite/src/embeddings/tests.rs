//! What any cache of vectors keeps to, and what this one does with its files: answers are those of its rows.

use super::*;

/// Vectors lie by model and dimension, apart from those of others.
///
/// Proves X48.
#[test]
fn the_cache_keeps_the_contract_in_memory_and_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    for (at, (claim, chapter)) in inwit_store::contract::embedding_chapters().iter().enumerate() {
        println_claim(claim);
        chapter(&mut SqliteEmbeddings::in_memory().unwrap());
        chapter(&mut SqliteEmbeddings::open(&folder.path().join(format!("{at}.db"))).unwrap().0);
    }
}

/// What a vector costs is what the guide says that it costs: four bytes a number, and a checksum of four.
///
/// Proves M52.
#[test]
fn a_vector_has_the_size_that_the_page_on_facts_states() {
    const DIMENSION: usize = 384;
    let mut cache = SqliteEmbeddings::in_memory().unwrap();
    let model = ModelKey { name: "m".into(), dimension: DIMENSION };
    let vector = |at: usize| (0..DIMENSION).map(|n| if n == at { 1.0 } else { 0.0 }).collect();
    cache.put(&model, &[(TextKey(1), vector(0)), (TextKey(2), vector(1))]).unwrap();
    let mut query = cache.connection.prepare("SELECT length(vector) FROM vectors").unwrap();
    let kept: Vec<u32> = query.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    assert_eq!(kept, [4 * DIMENSION as u32 + 4; 2]);
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats/facts.md");
    let page = std::fs::read_to_string(page).unwrap();
    let stated =
        format!("A vector takes four bytes per number: {:.1} KB per fact", 4.0 * DIMENSION as f64 / 1024.0);
    assert!(page.contains(&stated), "{stated}");
    // What it costs with a provider, and where the time of a question is measured.
    let large = format!("{:.1} KB with a model of 1,536 numbers", 4.0 * 1_536.0 / 1024.0);
    for stated in [large.as_str(), "sends each fact to a provider once", "(../benchmarks.md#facts)"] {
        assert!(page.contains(stated), "{stated}");
    }
    let benchmarks = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/benchmarks.md");
    let benchmarks = std::fs::read_to_string(benchmarks).unwrap();
    assert!(benchmarks.contains("\n### Facts\n") && benchmarks.contains("| a question to facts |"));
}

/// A room has five passages beside the owner's many: how near they are is told to the last bit as if the owner
/// had none, whatever the owner's are about and wherever they lie.
#[test]
fn what_is_near_in_a_room_does_not_depend_on_what_the_room_may_not_see() {
    let folder = tempfile::tempdir().unwrap();
    let model = ModelKey { name: "m".into(), dimension: 3 };
    let vector = |at: usize| vec![(at as f32 * 0.37).cos(), (at as f32 * 0.37).sin(), 0.0];
    let rooms = Corpus {
        generation: 1,
        lengths: vec![1; 5],
        keys: (1..=5).map(TextKey).collect(),
        ..Corpus::default()
    };
    let question = [0.6, 0.8, 0.0];
    let told = |name: &str, private: Option<&dyn Fn(usize) -> Vec<f32>>| -> Vec<u32> {
        let mut cache = SqliteEmbeddings::open(&folder.path().join(name)).unwrap().0;
        if let Some(private) = private {
            let rows = (0..LOOSE_ROWS_MAX + 100).map(|at| (TextKey(at as u64 + 100), private(at)));
            cache.put(&model, &rows.collect::<Vec<_>>()).unwrap();
        }
        cache.put(&model, &(1..=5).map(|at| (TextKey(at), vector(at as usize))).collect::<Vec<_>>()).unwrap();
        cache.settle(&model).unwrap();
        let set = SetKey::of(&inwit_model::Scope::Main);
        let cosines = cache.cosines(&model, &set, &rooms, &question).unwrap();
        cosines.by_position.iter().map(|cosine| cosine.to_bits()).collect()
    };
    let alone = told("alone.db", None);
    assert_eq!(told("far.db", Some(&|_| vec![0.0, 0.0, 1.0])), alone);
    assert_eq!(told("near.db", Some(&|_| question.to_vec())), alone);
}

/// Many rows, of which most are in a file and some were put again since: every answer is that of the rows.
#[test]
fn a_generation_and_what_came_after_it_answer_as_the_rows_do() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("embeddings.db");
    let model = ModelKey { name: "m".into(), dimension: 3 };
    let set = SetKey::of(&inwit_model::Scope::Main);
    let vector = |at: usize| {
        let turn = at as f32 * 0.37;
        vec![turn.cos(), turn.sin(), 0.0]
    };
    let row = |at: usize, turned: usize| (TextKey(at as u64 + 1), vector(at + turned));
    let count = LOOSE_ROWS_MAX + 200;
    let corpus = Corpus {
        generation: 1,
        lengths: vec![1; count],
        keys: (0..count).map(|at| TextKey(at as u64 + 1)).collect(),
        ..Corpus::default()
    };
    let ask = |cache: &mut SqliteEmbeddings| cache.cosines(&model, &set, &corpus, &[0.6, 0.8, 0.0]).unwrap();
    let files = || {
        let names = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        names.filter(|name| name.to_string_lossy().ends_with(".i8")).count()
    };
    let mut cache = SqliteEmbeddings::open(&path).unwrap().0;
    cache.put(&model, &(0..count).map(|at| row(at, 0)).collect::<Vec<_>>()).unwrap();
    let loose = ask(&mut cache);
    cache.settle(&model).unwrap();
    assert_eq!(files(), 1);
    let alike = |left: &Cosines, right: &Cosines| {
        let mut pairs = left.by_position.iter().zip(&right.by_position);
        left.missing == right.missing && pairs.all(|(l, r)| l.to_bits() == r.to_bits())
    };
    assert!(alike(&ask(&mut cache), &loose), "settled");
    cache.put(&model, &(0..50).map(|at| row(at, 7)).collect::<Vec<_>>()).unwrap();
    let turned = ask(&mut cache);
    assert!(!alike(&turned, &loose));
    let mut other = SqliteEmbeddings::open(&path).unwrap().0;
    assert!(alike(&ask(&mut other), &turned), "another process sees the same");

    // A file of vectors that is cut, foreign or of another cache is passed over: the rows have it all.
    let file = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
    let file = file.into_iter().find(|path| path.extension().is_some_and(|end| end == "i8")).unwrap();
    let whole = std::fs::read(&file).unwrap();
    for bytes in [&whole[..whole.len() / 2], &whole[..10], b"", &[b'x'; 4096]] {
        #[expect(clippy::disallowed_methods, reason = "the test damages a file")]
        std::fs::write(&file, bytes).unwrap();
        assert!(alike(&ask(&mut SqliteEmbeddings::open(&path).unwrap().0), &turned), "{} bytes", bytes.len());
    }
    let mut cache = SqliteEmbeddings::open(&path).unwrap().0;
    cache.settle(&model).unwrap();
    assert_eq!(files(), 1, "the damaged one gave way");
    assert!(alike(&ask(&mut SqliteEmbeddings::open(&path).unwrap().0), &turned));
    cache.clear().unwrap();
    assert_eq!((files(), ask(&mut cache).missing), (0, count));
}

#[expect(clippy::print_stdout, reason = "a failing chapter is named by the last line printed")]
fn println_claim(claim: &str) {
    println!("{claim}");
}
