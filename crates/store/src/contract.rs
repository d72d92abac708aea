//! The contract of every backend: tests that each backend runs.
//!
//! A chapter takes a fresh, empty index and panics on a violation. Backends call [`chapters`],
//! [`transcript_chapters`], [`embedding_chapters`] and [`lifetime_chapters`] to run all.

use inwit_model::{SafeName, Scope, Sha256, Stamp};

mod embeddings;
mod lifetimes;
mod transcripts;

pub use embeddings::{EmbeddingChapter, embedding_chapters};
pub use lifetimes::{LifetimeChapter, lifetime_chapters, two_steps};
pub use transcripts::{TranscriptChapter, transcript_chapters};

use crate::{
    Follows, Index, IndexUpdate, IndexedFile, IndexedPassage, NamedSecret, SetKey, Snapshot, StoredPassage,
    TextKey, Traits,
};

/// A chapter: its claim, and the proof.
pub type Chapter = (&'static str, fn(&dyn Index));

/// Every promise of [`Index`].
pub fn chapters() -> &'static [Chapter] {
    &[
        ("an empty set answers with nothing", empty_set),
        ("what was applied is found by its terms", found_by_terms),
        ("terms are found by their beginning and their end", terms_by_their_ends),
        ("a changed file replaces what was known of it", replaced),
        ("a file that was looked at again is clean by that look", relooked),
        ("a removed file leaves no trace in counts", removed),
        ("sets know nothing of each other", sets_are_apart),
        ("the order of building does not matter", order_does_not_matter),
        ("many small changes equal one large one", many_changes),
        ("clearing forgets everything", cleared),
        ("traits, days and looks come back, also after merging", traits_survive),
        ("token counts are remembered by the hash of the text", token_counts),
        ("an update of an older state is refused", older_state_refused),
        ("a discarded index is empty and goes on", discarded),
        ("secrets of a file come back as they were kept", secrets_come_back),
        ("repeated terms count up to 255", counts_saturate),
    ]
}

fn main_set() -> SetKey {
    SetKey::of(&Scope::Main)
}

/// A look, of those numbers that a signed column must not lose.
const LOOK: u64 = u64::MAX - 1;

/// A file whose passages are `texts`, with whitespace-separated words as terms.
pub fn file(name: &str, texts: &[&str]) -> IndexedFile {
    let passages = texts.iter().enumerate().map(|(at, text)| passage(at as u32, text)).collect();
    IndexedFile {
        name: SafeName::parse(name).expect("a safe name"),
        stamp: Some(Stamp { bytes: texts.concat().len() as u64, changed_ns: 7, inode: 1 }),
        sha256: Sha256::of(texts.concat().as_bytes()),
        clean_by: LOOK,
        secrets: Vec::new(),
        passages,
    }
}

fn passage(at: u32, text: &str) -> IndexedPassage {
    let mut terms: Vec<(String, u32)> = Vec::new();
    for word in text.split_whitespace() {
        match terms.iter_mut().find(|(term, _)| term == word) {
            Some((_, count)) => *count += 1,
            None => terms.push((word.to_owned(), 1)),
        }
    }
    let label = text.split_once(':').map(|(label, _)| label.to_owned());
    let stored = StoredPassage {
        start: u64::from(at) * 100,
        end: u64::from(at) * 100 + text.len() as u64,
        first_line: at + 1,
        last_line: at + 1,
        heading: "Notes".into(),
        text: text.to_owned(),
    };
    let traits = Traits {
        asks: text.ends_with('?'),
        tells_time: text.contains("monday"),
        importance: text.contains("monday").then_some(10),
        related: if text.contains("monday") { Traits::RELATED_MOST } else { 0 },
        continues_entry: text.contains("further"),
    };
    let date = text.contains("monday").then(|| jiff::civil::date(2026, 11, 16));
    let length = text.split_whitespace().count() as u32;
    let key = TextKey::of(&main_set(), text);
    IndexedPassage { stored, section: at / 3, label, traits, date, key, length, terms }
}

fn add(index: &dyn Index, set: &SetKey, files: Vec<IndexedFile>) {
    update(index, set, IndexUpdate { files, ..IndexUpdate::default() });
}

fn update(index: &dyn Index, set: &SetKey, update: IndexUpdate) {
    let before = index.known(set).expect("known").generation;
    let after = index.apply(set, before, update).expect("applied");
    assert_eq!(index.known(set).expect("known").generation, after);
}

/// The texts in which `term` stands, with the counts.
fn texts_with(index: &dyn Index, set: &SetKey, term: &str) -> Vec<(String, u32)> {
    let snapshot = index.snapshot(set).expect("a snapshot");
    texts_of(snapshot.as_ref(), term)
}

fn texts_of(snapshot: &dyn Snapshot, term: &str) -> Vec<(String, u32)> {
    let postings = snapshot.postings(term).expect("postings");
    let positions: Vec<u32> = postings.iter().map(|posting| posting.position).collect();
    assert!(positions.is_sorted(), "postings come in order of position");
    let passages = snapshot.passages(&positions).expect("passages");
    passages
        .into_iter()
        .map(|passage| passage.text)
        .zip(postings.iter().map(|posting| posting.count))
        .collect()
}

fn empty_set(index: &dyn Index) {
    assert!(index.known(&main_set()).expect("known").files.is_empty());
    assert!(texts_with(index, &main_set(), "bread").is_empty());
    assert!(index.snapshot(&main_set()).expect("a snapshot").corpus().is_empty());
}

fn found_by_terms(index: &dyn Index) {
    let set = main_set();
    add(index, &set, vec![file("b.md", &["Ana: rye bread bread", "tea"]), file("a.md", &["bread"])]);
    let expected = [("bread".to_owned(), 1), ("Ana: rye bread bread".to_owned(), 2)];
    assert_eq!(texts_with(index, &set, "bread"), expected);
    let snapshot = index.snapshot(&set).expect("a snapshot");
    let corpus = snapshot.corpus();
    assert_eq!(corpus.lengths, [1, 4, 1]);
    assert_eq!(corpus.follows, [Follows::Apart, Follows::Apart, Follows::SameHeading]);
    assert!(corpus.traits.iter().all(|traits| *traits == Traits::default()));
    assert_eq!(corpus.dates, [None; 3]);
    assert_eq!(
        corpus.files.iter().map(|file| (file.first, file.count)).collect::<Vec<_>>(),
        [(0, 1), (1, 2)]
    );
    let labels: Vec<_> =
        corpus.labels.iter().map(|&label| corpus.label_names.get((label as usize).wrapping_sub(1))).collect();
    assert_eq!(labels, [None, Some(&"Ana".to_owned()), None]);
}

fn terms_by_their_ends(index: &dyn Index) {
    add(
        index,
        &main_set(),
        vec![file("a.md", &["kaltmiete mieter brot", "warmmiete"]), file("b.md", &["mietvertrag"])],
    );
    let snapshot = index.snapshot(&main_set()).expect("a snapshot");
    let like = |beginning, ending, most| snapshot.terms_like(beginning, ending, most).expect("terms");
    assert_eq!(like("miet", "", 9), ["mieter", "mietvertrag"]);
    assert_eq!(like("", "miete", 9), ["kaltmiete", "warmmiete"]);
    assert_eq!(like("kalt", "miete", 9), ["kaltmiete"]);
    assert_eq!(like("", "miete", 1), ["kaltmiete"]);
    assert_eq!(like("x", "", 9), Vec::<String>::new());
}

fn replaced(index: &dyn Index) {
    let set = main_set();
    add(index, &set, vec![file("a.md", &["old bread", "more"]), file("b.md", &["bread"])]);
    add(index, &set, vec![file("a.md", &["new"])]);
    assert_eq!(texts_with(index, &set, "bread"), [("bread".to_owned(), 1)]);
    assert_eq!(texts_with(index, &set, "new"), [("new".to_owned(), 1)]);
    let known = &index.known(&set).expect("known").files;
    assert_eq!(
        known.iter().map(|file| (file.name.as_str(), file.passages)).collect::<Vec<_>>(),
        [("a.md", 1), ("b.md", 1)]
    );
    let restamped = vec![(known[0].name.clone(), None)];
    update(index, &set, IndexUpdate { restamped, ..IndexUpdate::default() });
    assert_eq!(index.known(&set).expect("known").files[0].stamp, None);
}

fn secrets_come_back(index: &dyn Index) {
    let set = main_set();
    let secret = |value: &str| NamedSecret {
        class: "labelled_secret".into(),
        line: 3,
        voucher: Sha256::of(value.as_bytes()),
        value: value.into(),
    };
    let secrets = vec![secret("a\tb c\u{2028}d"), secret("käse-7")];
    add(
        index,
        &set,
        vec![IndexedFile { secrets: secrets.clone(), ..file("a.md", &["bread"]) }, file("b.md", &["rye"])],
    );
    let relooked = vec![(SafeName::parse("a.md").expect("a name"), LOOK + 1)];
    update(index, &set, IndexUpdate { relooked, ..IndexUpdate::default() });
    let known = index.known(&set).expect("known");
    assert_eq!(
        known.files.iter().map(|file| file.secrets.clone()).collect::<Vec<_>>(),
        [secrets, Vec::new()]
    );
    assert_eq!(index.snapshot(&set).expect("a snapshot").corpus().files.len(), 2, "the row is whole");
}

fn relooked(index: &dyn Index) {
    let set = main_set();
    add(index, &set, vec![file("a.md", &["bread"]), file("b.md", &["bread"])]);
    let before = index.dump(&set).expect("a dump");
    assert_eq!(index.snapshot(&set).expect("a snapshot").corpus().files[0].clean_by, LOOK);
    let relooked = vec![(SafeName::parse("a.md").expect("a name"), LOOK + 1)];
    update(index, &set, IndexUpdate { relooked, ..IndexUpdate::default() });
    let looks = |files: &[u64]| files == [LOOK + 1, LOOK];
    let known = &index.known(&set).expect("known").files;
    assert!(looks(&known.iter().map(|file| file.clean_by).collect::<Vec<_>>()), "{known:?}");
    let corpus = std::sync::Arc::clone(index.snapshot(&set).expect("a snapshot").corpus());
    assert!(looks(&corpus.files.iter().map(|file| file.clean_by).collect::<Vec<_>>()));
    assert_ne!(index.dump(&set).expect("a dump"), before, "a dump tells of the look");
}

fn removed(index: &dyn Index) {
    let set = main_set();
    add(index, &set, vec![file("a.md", &["bread"]), file("b.md", &["bread"])]);
    let gone = vec![SafeName::parse("a.md").expect("a name")];
    update(index, &set, IndexUpdate { removed: gone, ..IndexUpdate::default() });
    assert_eq!(texts_with(index, &set, "bread").len(), 1);
    assert_eq!(index.snapshot(&set).expect("a snapshot").corpus().len(), 1);
}

fn sets_are_apart(index: &dyn Index) {
    let room = SetKey::of(&Scope::Shared);
    add(index, &room, vec![file("SOUL.md", &["bread"])]);
    let before = index.dump(&room).expect("a dump");
    add(index, &main_set(), vec![file("SOUL.md", &["bread"]), file("MEMORY.md", &["bread secret"])]);
    assert_eq!(index.dump(&room).expect("a dump"), before);
    assert_eq!(texts_with(index, &room, "bread").len(), 1);
    assert!(texts_with(index, &room, "secret").is_empty());
}

fn order_does_not_matter(index: &dyn Index) {
    let set = main_set();
    let files =
        [file("a.md", &["one two", "two"]), file("b_2.md", &["two"]), file("b_10.md", &["three two"])];
    add(index, &set, files.to_vec());
    let forward = index.dump(&set).expect("a dump");
    index.clear().expect("cleared");
    for one in files.iter().rev() {
        add(index, &set, vec![one.clone()]);
    }
    assert_eq!(index.dump(&set).expect("a dump"), forward);
}

fn many_changes(index: &dyn Index) {
    let set = main_set();
    let name = |at: usize| format!("day_{}.md", at % 23);
    for at in 0..200 {
        let text = format!("word{} common", at % 31);
        add(index, &set, vec![file(&name(at), &[&text, "common tail"])]);
        if at % 17 == 0 {
            let gone = vec![SafeName::parse(&name(at / 2)).expect("a name")];
            update(index, &set, IndexUpdate { removed: gone, ..IndexUpdate::default() });
        }
    }
    let grown = index.dump(&set).expect("a dump");
    let live: Vec<String> =
        index.known(&set).expect("known").files.iter().map(|file| file.name.to_string()).collect();
    let mut last: Vec<(String, String)> = Vec::new();
    for at in 0..200 {
        last.retain(|(known, _)| *known != name(at));
        last.push((name(at), format!("word{} common", at % 31)));
    }
    index.clear().expect("cleared");
    let files = last.iter().filter(|(known, _)| live.contains(known));
    add(index, &set, files.map(|(known, text)| file(known, &[text, "common tail"])).collect());
    assert_eq!(index.dump(&set).expect("a dump"), grown);
}

fn cleared(index: &dyn Index) {
    let set = main_set();
    add(index, &set, vec![file("a.md", &["bread"])]);
    index.clear().expect("cleared");
    assert!(texts_with(index, &set, "bread").is_empty());
    assert!(index.known(&set).expect("known").files.is_empty());
}

fn traits_survive(index: &dyn Index) {
    let set = main_set();
    for at in 0..40 {
        add(index, &set, vec![file(&format!("m_{at}.md"), &["what on monday?", "tea", "further tea"])]);
    }
    let snapshot = index.snapshot(&set).expect("a snapshot");
    let corpus = snapshot.corpus();
    let plain = Traits::default();
    let asks =
        Traits { asks: true, tells_time: true, importance: Some(10), related: Traits::RELATED_MOST, ..plain };
    let further = Traits { continues_entry: true, ..plain };
    assert!(corpus.traits.chunks(3).all(|file| file == [asks, plain, further]));
    assert!(corpus.dates.chunks(3).all(|file| file == [Some(jiff::civil::date(2026, 11, 16)), None, None]));
    let entries = (0..40).flat_map(|file| [2 * file, 2 * file + 1, 2 * file + 1]);
    assert!(corpus.entries.iter().copied().eq(entries) && corpus.entry_count() == 80);
    assert!(corpus.files.len() == 40 && corpus.files.iter().all(|file| file.clean_by == LOOK));
}

fn older_state_refused(index: &dyn Index) {
    let set = main_set();
    let older = index.known(&set).expect("known").generation;
    add(index, &set, vec![file("a.md", &["bread"])]);
    let late = IndexUpdate { files: vec![file("a.md", &["stale"])], ..IndexUpdate::default() };
    assert!(matches!(index.apply(&set, older, late), Err(crate::IndexError::Moved)));
    assert_eq!(texts_with(index, &set, "bread").len(), 1);
    assert!(texts_with(index, &set, "stale").is_empty());
}

fn discarded(index: &dyn Index) {
    let set = main_set();
    add(index, &set, vec![file("a.md", &["bread"])]);
    index.discard();
    assert!(texts_with(index, &set, "bread").is_empty());
    add(index, &set, vec![file("a.md", &["bread"])]);
    assert_eq!(texts_with(index, &set, "bread").len(), 1);
}

fn token_counts(index: &dyn Index) {
    let [known, unknown] = ["bread", "tea"].map(|text| Sha256::of(text.as_bytes()));
    index.remember_token_counts(&[(known, 3)]).expect("remembered");
    index.remember_token_counts(&[(known, 4)]).expect("remembered");
    assert_eq!(index.token_counts(&[unknown, known]).expect("read"), [None, Some(4)]);
    index.clear().expect("cleared");
    assert_eq!(index.token_counts(&[known]).expect("read"), [None]);
}

fn counts_saturate(index: &dyn Index) {
    let set = main_set();
    let text = "la ".repeat(300);
    add(index, &set, vec![file("a.md", &[text.trim()])]);
    assert_eq!(texts_with(index, &set, "la")[0].1, 255);
}
