//! Determines how interrupted writes ended, and completes or voids them.
//!
//! An intent is compared with the file, with its hidden file, and with the bases of later intents. A hidden file is
//! removed last, so a missing one means that the write was complete. The remaining cases are in [`judge`]. Invariant:
//! recovery only overwrites content that the intent names or a partial write of it; a hidden file with other bytes is
//! kept beside.

use inwit_model::ports::{Clear, FileWrite, Written};
use inwit_model::{Code, Deed, FileError, Files, Intent, Op, OpLog, OpNumber, SafeName, Settled, Sha256};
use jiff::Timestamp;

/// What recovery did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recovered {
    /// Files whose change stands, though its writer died before it could say so.
    pub done: Vec<SafeName>,
    /// Files that hold what they held before a change that was cut.
    pub void: Vec<SafeName>,
    /// Journals whose last entry was torn, and is whole again.
    pub completed: Vec<SafeName>,
    /// Moved files whose external edit was restored.
    pub restored: Vec<SafeName>,
    /// Paths of edits that lie beside their file now.
    pub kept: Vec<String>,
    /// What could not be decided yet.
    pub left: Vec<Left>,
    /// How many hidden files were swept.
    pub swept: usize,
}

/// A write whose end could not be found out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    /// Which file.
    pub name: SafeName,
    /// Its hidden file, or empty.
    pub aside: String,
    /// Why.
    pub error: FileError,
}

impl Recovered {
    /// Whether a write was cut whose end is known now.
    pub(crate) fn has_settled(&self) -> bool {
        !(self.done.is_empty() && self.void.is_empty() && self.completed.is_empty())
    }

    /// Whether there was nothing to do.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

/// Recovers unsettled intents. An undecidable one stays for next time and delays nothing. Error: that of the log.
pub(crate) fn mend(files: &dyn Files, log: &dyn OpLog, at: Timestamp) -> Result<Recovered, FileError> {
    let mut recovered = Recovered::default();
    let unsettled = log.unsettled()?;
    for (place, (op, intent)) in unsettled.iter().enumerate() {
        let later = unsettled[place + 1..].iter().find(|(_, later)| later.name == intent.name);
        let mender = Mender { files, intent, at };
        if let Err(error) = mender.mend(later, &mut recovered).and_then(|how| log.settle(*op, how)) {
            let (name, aside) = (intent.name.clone(), intent.temp.clone());
            recovered.left.push(Left { name, aside, error });
        }
    }
    Ok(recovered)
}

struct Mender<'a> {
    files: &'a dyn Files,
    intent: &'a Intent,
    at: Timestamp,
}

/// The content of a file, compared with an intent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holds {
    /// What was intended.
    Result,
    /// What was there before.
    Base,
    /// A part of an append.
    Torn(Sha256),
    /// An append, and more behind it.
    Beyond,
    /// Anything else.
    Other,
}

/// What a hidden file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Aside {
    /// There is none.
    Nothing,
    /// The new bytes: they were not exchanged, or came back.
    Result,
    /// The old bytes: they were exchanged.
    Base,
    /// A part of an append: it was torn, and then was being put right.
    Torn,
    /// An external edit, taken out in place of the old bytes.
    Edit,
}

impl Mender<'_> {
    fn mend(
        &self,
        later: Option<&(OpNumber, Intent)>,
        recovered: &mut Recovered,
    ) -> Result<Settled, FileError> {
        let intent = self.intent;
        let (holds, aside) = (self.holds()?, self.aside()?);
        let how = match holds {
            Holds::Torn(found) => {
                // Left by a crashed recovery; the name is needed.
                self.clear(holds, aside, recovered)?;
                self.complete(found)?
            }
            holds => {
                let how = judge(intent, holds, aside, later.map(|(_, later)| later.base));
                if how == Settled::Done {
                    // It was visible, possibly unsynced.
                    self.files.sync(&intent.name)?;
                }
                self.clear(holds, aside, recovered)?;
                how
            }
        };
        let list = match (how, holds) {
            (Settled::Done, Holds::Torn(_)) => &mut recovered.completed,
            (Settled::Done, _) => &mut recovered.done,
            (Settled::Void, _) => &mut recovered.void,
        };
        list.push(intent.name.clone());
        Ok(how)
    }

    fn holds(&self) -> Result<Holds, FileError> {
        let intent = self.intent;
        let content = match self.files.read(&intent.name) {
            Ok(content) => Some(content),
            Err(error) if error.code == Code::FileMissing => None,
            Err(error) => return Err(error),
        };
        let found = content.as_ref().map(|content| content.sha256);
        // If both are "removed", before and after are distinguished by other facts.
        if found == intent.result {
            return Ok(Holds::Result);
        }
        if found == intent.base {
            return Ok(Holds::Base);
        }
        let (Op::Append(bytes), Some(content)) = (&intent.op, content) else { return Ok(Holds::Other) };
        let before = intent.before.as_deref().unwrap_or_default();
        Ok(match content.bytes.strip_prefix(before) {
            Some(tail) if is_torn(tail, bytes) => Holds::Torn(content.sha256),
            Some(tail) if tail.starts_with(bytes) => Holds::Beyond,
            _ => Holds::Other,
        })
    }

    fn aside(&self) -> Result<Aside, FileError> {
        let intent = self.intent;
        if intent.temp.is_empty() {
            return Ok(Aside::Nothing);
        }
        let Some(bytes) = self.files.aside(&intent.name, &intent.temp)? else { return Ok(Aside::Nothing) };
        let hash = Some(Sha256::of(&bytes));
        let whole = intent.op.result(intent.before.as_deref());
        Ok(match intent.op.deed() {
            _ if hash == intent.result => Aside::Result,
            _ if hash == intent.base => Aside::Base,
            Deed::Append if whole.is_some_and(|whole| is_torn(&bytes, &whole)) => Aside::Torn,
            _ => Aside::Edit,
        })
    }

    /// Makes a torn append whole.
    fn complete(&self, found: Sha256) -> Result<Settled, FileError> {
        let intent = self.intent;
        let Some(whole) = intent.op.result(intent.before.as_deref()) else { return Ok(Settled::Void) };
        let (op, mark) = (Op::Put(whole), intent.receipt.to_string());
        let write = FileWrite { name: &intent.name, op: &op, base: Some(found), at: self.at, mark: &mark };
        match self.files.write(&write, &mut |_| Ok(()))? {
            Written::Done => Ok(Settled::Done),
            Written::Conflict { .. } => Err(FileError {
                code: Code::Stale,
                message: format!("`{}` changed while it was being repaired.", intent.name),
            }),
        }
    }

    /// Ends the hidden file.
    fn clear(&self, holds: Holds, aside: Aside, recovered: &mut Recovered) -> Result<(), FileError> {
        let intent = self.intent;
        let is_known = match aside {
            Aside::Nothing => return Ok(()),
            Aside::Edit => false,
            Aside::Base | Aside::Result | Aside::Torn => true,
        };
        let how = match (intent.op.deed(), is_known) {
            // The name of the past is where the file belongs, unless it stands under both.
            (Deed::Archive, _) if holds != Holds::Base => return Ok(()),
            (_, true) => Clear::Remove,
            (Deed::Remove, false) if holds == Holds::Result => Clear::Restore(self.at),
            (_, false) => Clear::Keep(self.at),
        };
        let kept = self.files.clear(&intent.name, &intent.temp, how)?;
        match (how, kept) {
            (_, Some(kept)) => recovered.kept.push(kept),
            (Clear::Restore(_), None) => recovered.restored.push(intent.name.clone()),
            _ => {}
        }
        Ok(())
    }
}

/// Decides how a write ended; `later` is the base of the next intent for the same file.
///
/// The file decides if it has the intended or the earlier content; otherwise the hidden file does: with the new bytes
/// nothing was exchanged, with the old ones everything was. If both are gone, the write was complete before an
/// external edit: `Done`, since it may have been acknowledged, and an extra version is better than a lost one. (Only
/// after a power cut may the hidden file be missing without an exchange; then the history has a version that was
/// never visible.)
fn judge(intent: &Intent, holds: Holds, aside: Aside, later: Option<Option<Sha256>>) -> Settled {
    let moves = matches!(intent.op.deed(), Deed::Remove | Deed::Archive);
    match (holds, aside) {
        // Moved away with an unseen edit, which is restored.
        (Holds::Result, Aside::Edit) if intent.op.deed() == Deed::Remove => Settled::Void,
        // Gone, but not to its name of the past.
        (Holds::Result, Aside::Nothing) if intent.op.deed() == Deed::Archive => Settled::Void,
        (Holds::Result | Holds::Beyond, _) => Settled::Done,
        (Holds::Base | Holds::Torn(_), _) => Settled::Void,
        (Holds::Other, _) if later == Some(intent.result) => Settled::Done,
        (Holds::Other, _) if later == Some(intent.base) => Settled::Void,
        (Holds::Other, Aside::Base) => Settled::Done,
        (Holds::Other, Aside::Result) => Settled::Void,
        // What was to go away is there: nothing says that it had been gone.
        (Holds::Other, _) if moves => Settled::Void,
        (Holds::Other, _) => Settled::Done,
    }
}

/// Whether `tail` is a part of `bytes` that a cut may leave: its beginning, with holes of zeros.
fn is_torn(tail: &[u8], bytes: &[u8]) -> bool {
    tail.len() <= bytes.len() && tail.iter().zip(bytes).all(|(left, byte)| left == byte || *left == 0)
}
