//! A log of intents on a crashing disk: intents are durable, their results may be lost.

use std::sync::Arc;

use inwit_model::{Code, FileError, Intent, OpLog, OpNumber, Settled};

use super::CrashDisk;
use crate::Chance;

/// The log of a [`CrashDisk`]. Every call of it is a call of the disk.
#[derive(Debug, Clone)]
pub struct CrashLog {
    disk: CrashDisk,
}

/// One intent and its result, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    intent: Arc<Intent>,
    settled: Option<Settled>,
    /// Whether a cut can still lose the result.
    is_loose: bool,
}

impl Row {
    /// Its surviving part.
    pub fn after_power_loss(&self, chance: &mut Chance) -> Self {
        let forgets = self.is_loose && chance.coin();
        Self { settled: self.settled.filter(|_| !forgets), is_loose: false, ..self.clone() }
    }
}

impl CrashLog {
    pub(super) fn new(disk: CrashDisk) -> Self {
        Self { disk }
    }

    /// Every intent and its end, oldest first.
    pub fn rows(&self) -> Vec<(Arc<Intent>, Option<Settled>)> {
        let disk = self.disk.held();
        disk.log.iter().map(|row| (Arc::clone(&row.intent), row.settled)).collect()
    }
}

impl OpLog for CrashLog {
    fn intent(&self, intent: &Intent) -> Result<OpNumber, FileError> {
        let mut disk = self.disk.held();
        disk.begin().map_err(|fault| FileError {
            code: Code::AuditUnwritable,
            message: format!("nothing was changed: {fault:?}."),
        })?;
        // Known results of older intents are stored in this transaction.
        disk.log.iter_mut().for_each(|row| row.is_loose = false);
        disk.log.push(Row { intent: Arc::new(intent.clone()), settled: None, is_loose: false });
        Ok(OpNumber(i64::try_from(disk.log.len()).expect("a short log")))
    }

    fn settle(&self, op: OpNumber, how: Settled) -> Result<(), FileError> {
        let mut disk = self.disk.held();
        disk.begin().map_err(|fault| FileError {
            code: Code::MemoryUnavailable,
            message: format!("it was not settled: {fault:?}."),
        })?;
        let at = usize::try_from(op.0 - 1).expect("a number of this log");
        let row = &mut disk.log[at];
        (row.settled, row.is_loose) = (Some(how), true);
        Ok(())
    }

    fn unsettled(&self) -> Result<Vec<(OpNumber, Intent)>, FileError> {
        let mut disk = self.disk.held();
        disk.begin().map_err(|fault| FileError {
            code: Code::MemoryUnavailable,
            message: format!("the log cannot be read: {fault:?}."),
        })?;
        let numbered = (1..).map(OpNumber).zip(&disk.log);
        let open = numbered.filter(|(_, row)| row.settled.is_none());
        Ok(open.map(|(number, row)| (number, (*row.intent).clone())).collect())
    }
}
