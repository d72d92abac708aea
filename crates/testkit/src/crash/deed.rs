//! One write of one file on a crashing disk, and the conditions that must hold afterwards.
//!
//! The workspace's tests and the long campaigns run the same operations and check the same conditions: the file is
//! complete, the log agrees, acknowledged content exists, and no hidden files are left (I1–I4, I6 of the reliability
//! plan). Invariant: an operation is judged from the disk and the log alone, after the workspace was opened again and
//! recovered.

use std::sync::Arc;

use inwit_gate::{Author, Change, Policy, Verdict, judge};
use inwit_model::{Deed as Kind, Files, Op, OpLog, Settled, Sha256};
use inwit_workspace::{Applied, ApplyError, OwnLock, Recovered, Writer, profile};

use super::{After, CrashDisk};
use crate::{Drawn, FakeClock, NOW, name};

/// The files on the disk before an operation.
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

/// The acknowledgement for a removed file.
const GONE: &[u8] = b"\0gone";

/// One write of one file, and the file's earlier content.
#[derive(Debug, Clone)]
pub struct Deed {
    /// The file.
    pub file: &'static str,
    /// Its earlier content, `None` if it did not exist.
    pub before: Option<&'static [u8]>,
    /// The operation.
    pub op: Op,
}

impl Deed {
    /// Its content afterwards, `None` if it was removed.
    pub fn after(&self) -> Option<Arc<[u8]>> {
        self.op.result(self.before)
    }
}

/// Every kind of write, on the files of [`LIVED_IN`].
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
/// If the gate asks for approval of the owner's change.
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

/// Runs one operation and acknowledges its receipt to the disk. Returns the writer's answer.
pub fn carry_out(disk: &CrashDisk, deed: &Deed) -> Result<(), ApplyError> {
    let files = disk.files()?;
    let done =
        put(&writer(Arc::new(files), Arc::new(disk.log()), 7), deed.file, deed.op.clone(), deed.before)?;
    if let Applied::Written { .. } = done {
        disk.acknowledge(deed.file, deed.after().as_deref().unwrap_or(GONE));
    }
    Ok(())
}

/// Opens the workspace again and recovers it twice; the second time must find nothing to do.
pub fn recovered(after: &After) -> Result<Recovered, String> {
    let case = after.case();
    let writer = writer(Arc::new(after.reopened()), Arc::new(after.disk().log()), 8);
    let recovered = writer.recover().map_err(|error| format!("{case}: {error}"))?;
    ask(recovered.left.is_empty(), || format!("{case}: left: {:?}", recovered.left))?;
    let again = writer.recover().map_err(|error| format!("{case}: {error}"))?;
    ask(again.is_nothing(), || format!("{case}: recovery is done once: {again:?}"))?;
    Ok(recovered)
}

/// Checks files and log after recovery, without other writers. The error describes the violation.
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
    // The workspace must still accept writes.
    let writer = writer(Arc::new(after.reopened()), Arc::new(after.disk().log()), 9);
    let next = put(&writer, deed.file, Op::Put(Arc::from(*b"next\n")), held.map(Vec::as_slice));
    ask(matches!(next, Ok(Applied::Written { .. })), || format!("{case}: {next:?}"))
}

/// Files that are not of the operation and did not exist before.
fn strangers(after: &After, deed: &Deed) -> Vec<(String, Vec<u8>)> {
    let known = |path: &String| after.before().contains_key(path) || path == deed.file;
    after.disk().tree().into_iter().filter(|(path, _)| !known(path)).collect()
}

fn ask(held: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if held { Ok(()) } else { Err(what()) }
}
