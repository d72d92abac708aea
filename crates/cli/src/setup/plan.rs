//! What is to be done to a host's files, decided before anything is.

use std::path::{Path, PathBuf};

use inwit_model::{Code, Sha256};

use super::foreign;
use super::receipt::{Put, Receipt};
use super::splice::{self, Splice};
use super::wish::Wish;
use crate::error::CliError;

/// What becomes of one file.
#[derive(Debug)]
pub struct FilePlan {
    /// The file.
    pub path: PathBuf,
    /// What stands in it; `None`: it is not there.
    pub before: Option<String>,
    /// What will; `None`: it will not be there.
    pub after: Option<String>,
    /// What is remembered of it afterwards.
    put: Option<Put>,
}

/// What is wanted of the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    /// They say what is wished.
    In,
    /// They say nothing of us.
    Out,
}

/// Decides. Error: a file that cannot be read, or has something else where we belong.
pub fn plan(wishes: &[(PathBuf, Vec<Wish>)], receipt: &Receipt, aim: Aim) -> Result<Vec<FilePlan>, CliError> {
    wishes.iter().map(|(path, wishes)| of_file(path, wishes, receipt.of(path), aim)).collect()
}

fn of_file(path: &Path, wishes: &[Wish], known: Option<&Put>, aim: Aim) -> Result<FilePlan, CliError> {
    let before = foreign::read(path)?;
    let text = before.clone().unwrap_or_default();
    let failed = |why: String| foreign::unfit(path, &why);
    if aim == Aim::In {
        let mut met = true;
        for wish in wishes {
            met &= wish.is_met(&text).map_err(failed)?;
        }
        if met {
            return Ok(FilePlan {
                path: path.to_owned(),
                after: before.clone(),
                before,
                put: known.cloned(),
            });
        }
    }
    let base = Base::of(before.as_deref(), wishes, known);
    if aim == Aim::Out {
        let after = if base.existed { Some(base.text) } else { None };
        return Ok(FilePlan { path: path.to_owned(), before, after, put: None });
    }
    let (mut after, mut splices) = (base.text, Vec::<Splice>::new());
    for wish in wishes {
        let put = wish.put(&after).map_err(failed)?;
        after = splice::with(&after, &put);
        splices.push(put);
    }
    let put = Put {
        path: path.to_owned(),
        existed: base.existed,
        folders: if before.is_none() { foreign::missing_folders(path) } else { base.folders },
        sha256: Sha256::of(after.as_bytes()).to_string(),
        splices,
    };
    Ok(FilePlan { path: path.to_owned(), before, after: Some(after), put: Some(put) })
}

/// A file without us.
struct Base {
    text: String,
    existed: bool,
    folders: Vec<PathBuf>,
}

impl Base {
    fn of(before: Option<&str>, wishes: &[Wish], known: Option<&Put>) -> Self {
        let Some(text) = before else {
            return Self { text: String::new(), existed: false, folders: Vec::new() };
        };
        if let Some((put, text)) = known.and_then(|put| Some((put, put.undone(text)?))) {
            return Self { text, existed: put.existed, folders: put.folders.clone() };
        }
        // Somebody has changed it since: it is theirs now, and only what runs us goes.
        let out = |text: String, wish: &Wish| wish.taken_out(&text).unwrap_or(text);
        Self { text: wishes.iter().fold(text.to_owned(), out), existed: true, folders: Vec::new() }
    }
}

impl FilePlan {
    /// Whether anything changes.
    pub fn is_change(&self) -> bool {
        self.before != self.after
    }

    /// One word for it.
    pub fn word(&self) -> &'static str {
        match (&self.before, &self.after) {
            (None, Some(_)) => "create",
            (Some(_), None) => "remove",
            _ if self.is_change() => "change",
            _ => "same",
        }
    }

    /// What changes, in unified form.
    pub fn diff(&self) -> String {
        let bytes = |text: &Option<String>| text.as_ref().map(|text| text.as_bytes().to_vec());
        let (before, after) = (bytes(&self.before), bytes(&self.after));
        inwit_workspace::diff::unified(&self.path.display().to_string(), before.as_deref(), after.as_deref())
    }
}

/// Does what was planned. What is put in is remembered first, so that it can be taken out whatever happens.
pub fn carry_out(plans: &[FilePlan], known: &Receipt, state: &Path, host: &str) -> Result<(), CliError> {
    let receipt = Receipt { files: plans.iter().filter_map(|plan| plan.put.clone()).collect() };
    if !receipt.files.is_empty() && receipt != *known {
        receipt.keep(state, host)?;
    }
    for plan in plans.iter().filter(|plan| plan.is_change()) {
        // A host that runs writes its files as well.
        if foreign::read(&plan.path)? != plan.before {
            let message = format!("{} changed while it was looked at.", plan.path.display());
            return Err(
                CliError::new(Code::Stale, message).hint("It was left alone. Run the same command again.")
            );
        }
        match &plan.after {
            Some(text) => foreign::write(&plan.path, text)?,
            None => {
                let folders = known.of(&plan.path).map_or(&[][..], |put| put.folders.as_slice());
                foreign::remove(&plan.path, folders)?;
            }
        }
    }
    if receipt.files.is_empty() { receipt.keep(state, host) } else { Ok(()) }
}
