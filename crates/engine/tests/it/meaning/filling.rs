//! Who fills vectors, in which pieces, and who waits.

use super::*;

/// Two servers on one home: the one that has the turn fills, the other embeds nothing until it is over; who asks for a
/// fill by hand gets it at any time.
#[test]
fn one_process_fills_and_the_others_look_again_later() {
    use std::sync::atomic::{AtomicBool, Ordering};
    struct Turn(Arc<AtomicBool>);
    impl Drop for Turn {
        fn drop(&mut self) {
            self.0.store(false, Ordering::SeqCst);
        }
    }
    let taken = Arc::new(AtomicBool::new(false));
    let shelf = Arc::new(Shelf::default());
    shelf.write("MEMORY.md", NOTES);
    let model = Arc::new(FakeEmbedder::of("small", GROUPS));
    let agent = || {
        let taken = Arc::clone(&taken);
        let door = move |_| {
            let is_free = !taken.swap(true, Ordering::SeqCst);
            is_free.then(|| Box::new(Turn(Arc::clone(&taken))) as Box<dyn Send>)
        };
        let meaning = Some(inwit_testkit::meaning(Arc::clone(&model) as _));
        let keeping = AgentDeps { meaning, fill_door: Some(Box::new(door)), ..keeping() };
        Agent::new(AgentPorts { keeping, ..parts(Arc::clone(&shelf) as _) })
    };
    let (one, other) = (agent(), agent());
    let mut looked = 0;
    let report = one.notes.fill(&Scope::Main, &mut |_, _| {
        assert_eq!(other.notes.fill(&Scope::Main, &mut |_, _| panic!("nothing is begun")), Ok(None));
        looked += 1;
        ControlFlow::Continue(())
    });
    assert_eq!((report.expect("filled").expect("its turn").embedded, looked), (3, 1));
    let turn = Turn(Arc::clone(&taken));
    taken.store(true, Ordering::SeqCst);
    assert_eq!(other.notes.embed(&Scope::Main, Some(1), &mut unwatched).expect("asked for").embedded, 1);
    drop(turn);
    let report = other.notes.fill(&Scope::Main, &mut unwatched);
    assert_eq!(report.expect("filled").expect("the turn is over").embedded, 2);
}

/// Three that are asked to fill at once send each text once: two wait until the first is through.
#[test]
fn who_is_asked_to_fill_waits_for_the_one_that_fills() {
    let shelf = Arc::new(Shelf::default());
    shelf.write("MEMORY.md", NOTES);
    let folder = tempfile::tempdir().expect("a folder");
    let turn = Arc::new(Mutex::new(()));
    let (waits, waiting) = std::sync::mpsc::channel();
    let model = Arc::new(Watched { model: FakeEmbedder::of("small", GROUPS), waiting: Mutex::new(waiting) });
    let agent = || {
        let path = folder.path().join("embeddings.db");
        let open =
            move || SqliteEmbeddings::open(&path).map(|(cache, _)| Box::new(cache) as Box<dyn Embeddings>);
        let meaning = Some(Meaning::new(vec![Arc::clone(&model) as Arc<dyn Embedder>], Box::new(open)));
        let (turn, waits) = (Arc::clone(&turn), waits.clone());
        let door = move |wait: Duration| {
            waits.send(wait).expect("counted");
            let (ended, end) = std::sync::mpsc::channel::<()>();
            let (took, taken) = std::sync::mpsc::channel();
            let turn = Arc::clone(&turn);
            // A lock that goes from thread to thread: its holder waits for the end of what is given.
            std::thread::spawn(move || {
                let _held = turn.lock().expect("no panic");
                took.send(()).expect("told");
                let _ = end.recv();
            });
            taken.recv().expect("taken");
            Some(Box::new(ended) as Box<dyn Send>)
        };
        let keeping = AgentDeps { meaning, fill_door: Some(Box::new(door)), ..keeping() };
        Agent::new(AgentPorts { keeping, ..parts(Arc::clone(&shelf) as _) })
    };
    let agents = [agent(), agent(), agent()];
    let filled: usize = std::thread::scope(|scope| {
        let fill =
            |agent: &Agent| agent.notes.embed(&Scope::Main, None, &mut unwatched).expect("filled").embedded;
        let fills: Vec<_> = agents.iter().map(|agent| scope.spawn(move || fill(agent))).collect();
        fills.into_iter().map(|fill| fill.join().expect("no panic")).sum()
    });
    assert_eq!((filled, model.model.texts()), (3, 3));
}

/// A model that gives its first vectors when three have asked for the turn.
struct Watched {
    model: FakeEmbedder,
    waiting: Mutex<std::sync::mpsc::Receiver<Duration>>,
}

impl Embedder for Watched {
    fn model(&self) -> &str {
        self.model.model()
    }

    fn dimension(&self) -> usize {
        self.model.dimension()
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let waiting = self.waiting.lock().expect("no panic");
        if self.model.texts() == 0 {
            for _ in 0..3 {
                let wait = waiting.recv_timeout(Duration::from_secs(20)).expect("it asks for the turn");
                assert!(wait > Duration::ZERO);
            }
        }
        self.model.embed(texts)
    }
}

/// What another process filled meanwhile is neither sent again nor counted.
#[test]
fn a_text_that_another_one_filled_meanwhile_is_not_sent_again() {
    let shelf = Arc::new(Shelf::default());
    let many: String = (0..EMBED_BATCH_TEXTS + 6).map(|at| format!("- Tomato {at} wants water.\n")).collect();
    shelf.write("MEMORY.md", &many);
    let folder = tempfile::tempdir().expect("a folder");
    let model = Arc::new(FakeEmbedder::of("small", GROUPS));
    let agent = || {
        let path = folder.path().join("embeddings.db");
        let open =
            move || SqliteEmbeddings::open(&path).map(|(cache, _)| Box::new(cache) as Box<dyn Embeddings>);
        let meaning = Meaning::new(vec![Arc::clone(&model) as Arc<dyn Embedder>], Box::new(open));
        let keeping = AgentDeps { meaning: Some(meaning), ..keeping() };
        Agent::new(AgentPorts { keeping, ..parts(Arc::clone(&shelf) as _) })
    };
    let (one, other) = (agent(), agent());
    let (mut of_other, mut told) = (None, Vec::new());
    let report = one.notes.embed(&Scope::Main, None, &mut |done, of| {
        told.push((done, of));
        if done > 0 {
            let all = || other.notes.embed(&Scope::Main, None, &mut unwatched).expect("filled").embedded;
            of_other.get_or_insert_with(all);
        }
        ControlFlow::Continue(())
    });
    let report = report.expect("filled");
    let all = EMBED_BATCH_TEXTS + 6;
    assert_eq!((report.embedded, report.waiting, of_other), (EMBED_BATCH_TEXTS, 0, Some(6)));
    assert_eq!(told, [(0, all), (EMBED_BATCH_TEXTS, all)], "told before each batch");
    assert_eq!(model.texts(), all, "each once");
}

#[test]
fn a_fill_goes_in_pieces_and_tells_how_far_it_is() {
    let home = home();
    let mut told = Vec::new();
    let report = home
        .agent
        .notes
        .embed(&Scope::Main, Some(2), &mut |done, of| {
            told.push((done, of));
            ControlFlow::Continue(())
        })
        .expect("filled");
    assert_eq!((report.embedded, report.waiting, told), (2, 1, vec![(0, 2)]), "before each batch");
    assert_eq!(home.fills().embedded, 1);
}
