//! The contract of [`Embeddings`], as chapters.

use std::f32::consts::FRAC_1_SQRT_2;

use inwit_model::{RoomId, Scope};

use crate::{
    Corpus, EMBED_TRIES_MAX, EmbeddingCounts, Embeddings, FailedText, Follows, ModelKey, SetKey, TextKey,
};

/// A chapter: its claim, and the proof. It takes a fresh, empty cache.
pub type EmbeddingChapter = (&'static str, fn(&mut dyn Embeddings));

/// Every promise of [`Embeddings`].
pub fn embedding_chapters() -> &'static [EmbeddingChapter] {
    &[
        ("an empty cache knows no nearness, and everything is missing", empty),
        ("what was put is as near as it is", near),
        ("a changed text is missing, the others are not", changed),
        ("vectors come back by the keys of their texts", by_key),
        ("two models know nothing of each other", models_are_apart),
        ("a vector of another length, or that is no number, is refused whole", refused),
        ("a text that fails is tried again, and not for ever", given_up),
        ("settling changes no answer, before or after more is put", settled),
        ("what is forgotten is missing, settled or not", forgotten),
        ("of what is gone the oldest goes, as far as too much is kept", pruned),
        ("each set has its own share of what is gone", pruned_apart),
        ("a model goes with all that it left, and no other", model_gone),
        ("clearing forgets everything", cleared),
        ("what no key leads to goes, of the models that are meant", kept_only),
        ("a text that stands twice is embedded once and near twice", twice),
    ]
}

fn model() -> ModelKey {
    ModelKey { name: "m".into(), dimension: 4 }
}

fn set() -> SetKey {
    SetKey::of(&Scope::Main)
}

fn key(text: &str) -> TextKey {
    TextKey::of(&set(), text)
}

fn corpus(generation: i64, texts: &[&str]) -> Corpus {
    Corpus {
        generation,
        lengths: vec![1; texts.len()],
        follows: vec![Follows::Apart; texts.len()],
        keys: texts.iter().map(|text| key(text)).collect(),
        ..Corpus::default()
    }
}

const EAST: [f32; 4] = [1.0, 0.0, 0.0, 0.0];
const NORTH: [f32; 4] = [0.0, 1.0, 0.0, 0.0];
const BETWEEN: [f32; 4] = [FRAC_1_SQRT_2, FRAC_1_SQRT_2, 0.0, 0.0];

fn put(cache: &mut dyn Embeddings, rows: &[(&str, [f32; 4])]) {
    let rows: Vec<_> = rows.iter().map(|(text, vector)| (key(text), vector.to_vec())).collect();
    cache.put(&model(), &rows).expect("put");
}

#[track_caller]
fn nearness(cache: &mut dyn Embeddings, corpus: &Corpus, query: [f32; 4]) -> (Vec<Option<i32>>, usize) {
    let found = cache.cosines(&model(), &set(), corpus, &query).expect("cosines");
    // Hundredths: a backend may keep its rows in eight bits and be exact only where it matters.
    let hundredths = |cosine: &f32| (!cosine.is_nan()).then(|| (cosine * 100.0).round() as i32);
    (found.by_position.iter().map(hundredths).collect(), found.missing)
}

fn empty(cache: &mut dyn Embeddings) {
    let notes = corpus(1, &["bread", "", "rye"]);
    assert_eq!(nearness(cache, &notes, EAST), (vec![None; 3], 2));
    assert_eq!(cache.missing(&model(), &notes.keys).expect("missing"), [key("bread"), key("rye")]);
    assert_eq!(cache.counts(&model()).expect("counts"), EmbeddingCounts::default());
}

fn near(cache: &mut dyn Embeddings) {
    put(
        cache,
        &[
            ("bread", EAST),
            ("rye", BETWEEN),
            ("rain", [0.0, 0.0, 1.0, 0.0]),
            ("night", [-1.0, 0.0, 0.0, 0.0]),
        ],
    );
    let notes = corpus(1, &["night", "bread", "unknown", "rye", "rain"]);
    assert_eq!(nearness(cache, &notes, EAST), (vec![Some(-100), Some(100), None, Some(71), Some(0)], 1));
    assert_eq!(nearness(cache, &notes, NORTH), (vec![Some(0), Some(0), None, Some(71), Some(0)], 1));
}

fn changed(cache: &mut dyn Embeddings) {
    put(cache, &[("bread", EAST), ("rye", NORTH)]);
    let before = corpus(1, &["bread", "rye"]);
    assert_eq!(nearness(cache, &before, EAST).1, 0);
    let after = corpus(2, &["rye", "spelt bread"]);
    assert_eq!(nearness(cache, &after, EAST), (vec![Some(0), None], 1));
    assert_eq!(cache.missing(&model(), &after.keys).expect("missing"), [key("spelt bread")]);
}

fn by_key(cache: &mut dyn Embeddings) {
    put(cache, &[("bread", EAST), ("rye", NORTH)]);
    let asked = [key("rye"), key("nothing"), key("bread")];
    let found = cache.vectors(&model(), &asked).expect("vectors");
    assert_eq!(found, [Some(NORTH.to_vec()), None, Some(EAST.to_vec())]);
    let other = ModelKey { name: "other".into(), ..model() };
    assert_eq!(cache.vectors(&other, &asked).expect("none"), [None, None, None]);
}

fn models_are_apart(cache: &mut dyn Embeddings) {
    put(cache, &[("bread", EAST)]);
    let other = ModelKey { name: "other".into(), ..model() };
    let wider = ModelKey { dimension: 5, ..model() };
    for unknown in [&other, &wider] {
        assert_eq!(cache.missing(unknown, &[key("bread")]).expect("missing"), [key("bread")]);
        assert_eq!(cache.counts(unknown).expect("counts").embedded, 0);
    }
    cache.put(&other, &[(key("bread"), NORTH.to_vec())]).expect("put");
    let notes = corpus(1, &["bread"]);
    assert_eq!(nearness(cache, &notes, EAST), (vec![Some(100)], 0));
    let found = cache.cosines(&other, &set(), &notes, &EAST).expect("cosines");
    assert!(found.by_position[0].abs() < 0.01, "{found:?}");
}

fn refused(cache: &mut dyn Embeddings) {
    for bad in [vec![1.0; 3], vec![1.0, 0.0, f32::NAN, 0.0], vec![f32::INFINITY, 0.0, 0.0, 0.0], Vec::new()] {
        let rows = [(key("bread"), EAST.to_vec()), (key("rye"), bad)];
        assert!(cache.put(&model(), &rows).is_err(), "{rows:?}");
    }
    assert_eq!(cache.counts(&model()).expect("counts").embedded, 0, "none of a refused put is kept");
    assert!(cache.cosines(&model(), &set(), &corpus(1, &["bread"]), &[1.0; 3]).is_err());
}

fn given_up(cache: &mut dyn Embeddings) {
    for tried in 1..=EMBED_TRIES_MAX {
        assert_eq!(cache.missing(&model(), &[key("odd")]).expect("missing"), [key("odd")], "try {tried}");
        cache.fail(&model(), key("odd"), "too odd").expect("noted");
    }
    assert_eq!(cache.missing(&model(), &[key("odd")]).expect("missing"), []);
    let failed = FailedText { key: key("odd"), tries: EMBED_TRIES_MAX, why: "too odd".into() };
    assert_eq!(cache.failed(&model()).expect("failed"), [failed]);
    put(cache, &[("odd", EAST)]);
    assert_eq!(cache.counts(&model()).expect("counts"), EmbeddingCounts { embedded: 1, failed: 0 });
}

fn settled(cache: &mut dyn Embeddings) {
    put(cache, &[("bread", EAST), ("rye", BETWEEN)]);
    let notes = corpus(1, &["rye", "bread", "rain"]);
    let before = nearness(cache, &notes, EAST);
    cache.settle(&model()).expect("settled");
    assert_eq!(nearness(cache, &notes, EAST), before);
    put(cache, &[("rain", NORTH)]);
    assert_eq!(nearness(cache, &notes, EAST), (vec![Some(71), Some(100), Some(0)], 0));
    put(cache, &[("bread", NORTH)]);
    assert_eq!(nearness(cache, &notes, EAST).0[1], Some(0), "the newer vector of a text counts");
    cache.settle(&model()).expect("settled");
    assert_eq!(nearness(cache, &notes, EAST), (vec![Some(71), Some(0), Some(0)], 0));
}

fn cleared(cache: &mut dyn Embeddings) {
    put(cache, &[("bread", EAST)]);
    cache.settle(&model()).expect("settled");
    cache.fail(&model(), key("odd"), "too odd").expect("noted");
    cache.clear().expect("cleared");
    assert_eq!(cache.counts(&model()).expect("counts"), EmbeddingCounts::default());
    assert_eq!(nearness(cache, &corpus(1, &["bread"]), EAST), (vec![None], 1));
}

fn kept_only(cache: &mut dyn Embeddings) {
    let facts = ModelKey { name: "facts/m".into(), dimension: 4 };
    put(cache, &[("bread", EAST)]);
    let rows = [(key("bread"), EAST.to_vec()), (key("rye"), NORTH.to_vec())];
    cache.put(&facts, &rows).expect("put");
    cache.fail(&facts, key("odd"), "too odd").expect("noted");
    assert_eq!(cache.keep_only("facts/", &[key("rye"), key("bread"), key("odd")]).expect("kept"), 0);
    assert_eq!(cache.keep_only("facts/", &[key("rye")]).expect("kept"), 2, "a vector and a failure");
    assert_eq!(cache.counts(&facts).expect("counts"), EmbeddingCounts { embedded: 1, failed: 0 });
    assert_eq!(cache.missing(&facts, &[key("bread"), key("rye")]).expect("missing"), [key("bread")]);
    assert_eq!(
        nearness(cache, &corpus(1, &["bread"]), EAST),
        (vec![Some(100)], 0),
        "other models keep theirs"
    );
    assert_eq!(cache.keep_only("facts/", &[]).expect("kept"), 1);
    assert_eq!(cache.keep_only("facts/", &[]).expect("kept"), 0);
}

fn twice(cache: &mut dyn Embeddings) {
    let notes = corpus(1, &["bread", "rye", "bread"]);
    assert_eq!(cache.missing(&model(), &notes.keys).expect("missing"), [key("bread"), key("rye")]);
    put(cache, &[("bread", EAST)]);
    assert_eq!(nearness(cache, &notes, EAST), (vec![Some(100), None, Some(100)], 1));
    let kitchen = SetKey::of(&Scope::Room(RoomId::parse("kitchen").expect("a room")));
    assert_eq!(
        cache.missing(&model(), &[TextKey::of(&kitchen, "bread")]).expect("missing").len(),
        1,
        "a room does not learn what others have"
    );
}

fn forgotten(cache: &mut dyn Embeddings) {
    put(cache, &[("bread", EAST), ("rye", NORTH)]);
    cache.settle(&model()).expect("settled");
    put(cache, &[("rain", NORTH)]);
    cache.fail(&model(), key("odd"), "too odd").expect("noted");
    let notes = corpus(1, &["bread", "rye", "rain"]);
    assert_eq!(nearness(cache, &notes, EAST).1, 0);
    cache.forget(&[key("bread"), key("rain"), key("odd"), key("never put")]).expect("forgotten");
    assert_eq!(nearness(cache, &notes, EAST), (vec![None, Some(0), None], 2));
    assert_eq!(cache.missing(&model(), &notes.keys).expect("missing"), [key("bread"), key("rain")]);
    assert_eq!(cache.counts(&model()).expect("counts"), EmbeddingCounts { embedded: 1, failed: 0 });
    put(cache, &[("bread", NORTH)]);
    assert_eq!(nearness(cache, &notes, EAST), (vec![Some(0), Some(0), None], 1));
}

fn pruned_apart(cache: &mut dyn Embeddings) {
    let texts = ["a", "k1", "b", "k2", "c", "k3", "k4"];
    let (main, kitchen) = (SetKey::of(&Scope::Main), SetKey::from_stored("room:kitchen".into()));
    for text in texts {
        put(cache, &[(text, EAST)]);
        let set = if text.starts_with('k') { &kitchen } else { &main };
        cache.belong(set, &[key(text)]).expect("noted");
    }
    cache.belong(&main, &[key("a")]).expect("noted again");
    put(cache, &[("from before", NORTH)]);
    let stand = [key("k4")].into();
    assert_eq!(cache.prune(&model(), &stand, 2).expect("pruned"), 2, "one of each set, none of the unknown");
    assert_eq!(cache.missing(&model(), &texts.map(key)).expect("missing"), [key("a"), key("k1")]);
    assert_eq!(cache.missing(&model(), &[key("from before")]).expect("missing"), []);
    cache.forget(&[key("b"), key("k2")]).expect("forgotten");
    assert_eq!(cache.prune(&model(), &stand, 1).expect("pruned"), 0);
}

fn model_gone(cache: &mut dyn Embeddings) {
    let old = ModelKey { name: "old".into(), dimension: 4 };
    cache.put(&old, &[(key("a"), EAST.to_vec()), (key("b"), NORTH.to_vec())]).expect("kept");
    cache.fail(&old, key("c"), "too long").expect("noted");
    cache.settle(&old).expect("laid out");
    put(cache, &[("a", NORTH)]);
    assert_eq!(cache.models().expect("listed"), [old.clone(), model()]);
    assert_eq!(cache.forget_model(&old).expect("gone"), 2);
    assert_eq!(cache.forget_model(&old).expect("nothing"), 0);
    assert_eq!(cache.models().expect("listed"), [model()]);
    assert_eq!(cache.failed(&old).expect("none"), []);
    assert_eq!(cache.counts(&model()).expect("counted").embedded, 1, "the other one's stay");
    assert_eq!(nearness(cache, &corpus(1, &["a"]), NORTH), (vec![Some(100)], 0));
}

fn pruned(cache: &mut dyn Embeddings) {
    for text in ["first", "stands", "second", "third"] {
        put(cache, &[(text, EAST)]);
    }
    let stand = [key("stands"), key("new")].into();
    assert_eq!(cache.prune(&model(), &stand, 3).expect("looked"), 0);
    assert_eq!(cache.prune(&model(), &stand, 1).expect("pruned"), 2);
    let texts = ["first", "stands", "second", "third"].map(key);
    assert_eq!(cache.missing(&model(), &texts).expect("missing"), [key("first"), key("second")]);
    assert_eq!(
        nearness(cache, &corpus(1, &["first", "stands", "third"]), EAST),
        (vec![None, Some(100), Some(100)], 1)
    );
}
