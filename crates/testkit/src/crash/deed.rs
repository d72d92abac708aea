//! One write of one file on a disk that crashes, and what must hold whatever came of it.
//!
//! The workspace's tests and the long campaigns sweep the same deeds and ask the same question: is the
//! file whole, does the log agree, is what a receipt was given for there, is nothing hidden left (I1–I4,
//! I6 of the reliability plan). Invariant: a deed is judged from the disk and the log alone, after
//! somebody opened the workspace again and let it recover.

use std::sync::Arc;

use inwit_gate::{Author, Change, Policy, Verdict, judge};
use inwit_model::{Deed as Kind, Files, Op, OpLog, Settled, Sha256};
use inwit_workspace::{Applied, ApplyError, OwnLock, Recovered, Writer, profile};

use super::{After, CrashDisk};
use crate::{Drawn, FakeClock, NOW, name};

/// What lies on the disk before a deed.
pub const LIVED_IN: &str = "
//- USER.md
Ana
//- MEMORY.md
- Likes rye bread.
//- memory/2026-11-20.md
- A day before.
//- BOOTSTRAP.md
Who are you?
";

/// What is acknowledged of a file that went away.
const GONE: &[u8] = b"\0gone";

/// One write of one file, and what that file held.
#[derive(Debug, Clone)]
pub struct Deed {
    /// Which file.
    pub file: &'static str,
    /// What it held, `None` where it was not there.
    pub before: Option<&'static [u8]>,
    /// What is done to it.
    pub op: Op,
}

impl Deed {
    /// What the file holds afterwards, `None`: it is gone.
    pub fn after(&self) -> Option<Arc<[u8]>> {
        self.op.result(self.before)
    }
}

/// Every way a file is written, on the files of [`LIVED_IN`].
pub fn deeds() -> Vec<Deed> {
    let long = b"- Likes spelt bread, and says so often.\n".repeat(40);
    let [text, lines] = [Op::Put(Arc::from(long.as_slice())), Op::Append(Arc::from(long.as_slice()))];
    let memory: &[u8] = b"- Likes rye bread.\n";
    vec![
        Deed { file: "MEMORY.md", before: Some(memory), op: text.clone() },
        Deed { file: "memory/rooms/a/2026-11-21.md", before: None, op: text },
        Deed { file: "memory/2026-11-20.md", before: Some(b"- A day before.\n"), op: lines.clone() },
        Deed { file: "memory/2026-11-21.md", before: None, op: lines },
        Deed { file: "MEMORY.md", before: Some(memory), op: Op::Remove },
        Deed { file: "BOOTSTRAP.md", before: Some(b"Who are you?\n"), op: Op::Archive },
    ]
}

/// A writer over `files`, whose ids are drawn from `seed`.
pub fn writer(files: Arc<dyn Files>, log: Arc<dyn OpLog>, seed: u64) -> Writer {
    Writer {
        files,
        log,
        lock: Arc::new(OwnLock::default()),
        clock: Arc::new(FakeClock::at(NOW)),
        entropy: Arc::new(Drawn::of(seed)),
    }
}

/// A change by the owner, who read `before`.
///
/// # Panics
/// When the gate asks even the owner.
#[track_caller]
pub fn put(writer: &Writer, file: &str, op: Op, before: Option<&[u8]>) -> Result<Applied, ApplyError> {
    let policy = Policy::of(&profile::named("personal").expect("compiled in"), &Default::default());
    let author = Author::owner(&crate::owner());
    let change = Change::new(name(file), op, before.map(Sha256::of), author).because("as a test");
    match judge(&policy, before, change) {
        Verdict::Approved(approved) => writer.apply(approved),
        verdict => panic!("the owner may: {verdict:?}"),
    }
}

/// Does one deed; a receipt is acknowledged to the disk. Answers what the writer was told.
pub fn carry_out(disk: &CrashDisk, deed: &Deed) -> Result<(), ApplyError> {
    let files = disk.files()?;
    let done =
        put(&writer(Arc::new(files), Arc::new(disk.log()), 7), deed.file, deed.op.clone(), deed.before)?;
    if let Applied::Written { .. } = done {
        disk.acknowledge(deed.file, deed.after().as_deref().unwrap_or(GONE));
    }
    Ok(())
}

/// Opens the workspace again and lets it recover, twice: the second time there is nothing to do.
pub fn recovered(after: &After) -> Result<Recovered, String> {
    let case = after.case();
    let writer = writer(Arc::new(after.reopened()), Arc::new(after.disk().log()), 8);
    let recovered = writer.recover().map_err(|error| format!("{case}: {error}"))?;
    ask(recovered.left.is_empty(), || format!("{case}: left: {:?}", recovered.left))?;
    let again = writer.recover().map_err(|error| format!("{case}: {error}"))?;
    ask(again.is_nothing(), || format!("{case}: recovery is done once: {again:?}"))?;
    Ok(recovered)
}

/// Files and log after recovery, when nobody else wrote. The error says what is broken.
pub fn wholeness(after: &After, deed: &Deed) -> Result<(), String> {
    recovered(after)?;
    let case = after.case();
    let tree = after.disk().tree();
    let held = tree.get(deed.file);
    let stands = held.map(Vec::as_slice) == deed.after().as_deref();
    let shown = || held.map_or_else(|| "nothing".into(), |bytes| String::from_utf8_lossy(bytes));
    ask(stands || held.map(Vec::as_slice) == deed.before, || {
        format!("{case}: `{}` is half done: {}", deed.file, shown())
    })?;
    let was_told = after.acknowledged(deed.file).is_some();
    ask(stands || !was_told, || format!("{case}: a receipt was given"))?;
    let done = after.disk().log().rows().iter().any(|(_, settled)| *settled == Some(Settled::Done));
    ask(done == stands, || format!("{case}: the log says otherwise"))?;
    let open = after.disk().log().unsettled().map(|rows| rows.len());
    ask(open == Ok(0), || format!("{case}: {open:?} are not settled"))?;
    let strangers = strangers(after, deed);
    let archived = [("BOOTSTRAP.md.done.20261121T120000Z".to_owned(), b"Who are you?\n".to_vec())];
    let wanted: &[_] = if deed.op.deed() == Kind::Archive && stands { &archived } else { &[] };
    ask(strangers == wanted, || format!("{case}: also there: {strangers:?}"))?;
    for (path, bytes) in after.before() {
        ask(path == deed.file || tree.get(path) == Some(bytes), || format!("{case}: `{path}`"))?;
    }
    // The workspace goes on.
    let writer = writer(Arc::new(after.reopened()), Arc::new(after.disk().log()), 9);
    let next = put(&writer, deed.file, Op::Put(Arc::from(*b"next\n")), held.map(Vec::as_slice));
    ask(matches!(next, Ok(Applied::Written { .. })), || format!("{case}: {next:?}"))
}

/// What lies there under a name that is not the deed's own, and was not there before.
fn strangers(after: &After, deed: &Deed) -> Vec<(String, Vec<u8>)> {
    let known = |path: &String| after.before().contains_key(path) || path == deed.file;
    after.disk().tree().into_iter().filter(|(path, _)| !known(path)).collect()
}

fn ask(held: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if held { Ok(()) } else { Err(what()) }
}
