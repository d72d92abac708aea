//! What one listener may see of a workspace.
//!
//! The private view and the shared ones are different types, so a function that needs private files
//! says so in its signature, and the compiler keeps every other listener out (D3). A shared view
//! asks the disk for the names on its own list only: a private file is not even stat'ed, so nothing
//! about it can show. Invariant: what a view that is not private answers depends on the files of its
//! list alone.
//!
//! ```
//! use std::sync::Arc;
//! use inwit_model::Scope;
//! use inwit_workspace::{MemFiles, PrivateView, ScopedReader, Workspace};
//!
//! fn remember(view: &PrivateView) -> usize { view.list().map_or(0, |listing| listing.entries.len()) }
//!
//! let workspace = Workspace::new(Arc::new(MemFiles::new()));
//! assert_eq!(remember(&workspace.private()), 0);
//! ```
//!
//! The same with a shared view does not compile:
//!
//! ```compile_fail,E0308
//! use std::sync::Arc;
//! use inwit_model::Scope;
//! use inwit_workspace::{MemFiles, PrivateView, ScopedReader, View, Workspace};
//!
//! fn remember(view: &PrivateView) -> usize { view.list().map_or(0, |listing| listing.entries.len()) }
//!
//! let workspace = Workspace::new(Arc::new(MemFiles::new()));
//! let View::Shared(shared) = workspace.view(Scope::Shared) else { unreachable!() };
//! assert_eq!(remember(&shared), 0);
//! ```

use std::sync::Arc;

use inwit_gate::readable;
use inwit_model::ports::{Content, Folder, Listing};
use inwit_model::{FileError, Files, Place, SafeName, Scope, Stamp};

use crate::fault::missing;

pub use shared::{ListedView, SharedView};

mod shared;

/// A workspace that can be looked at.
#[derive(Clone)]
pub struct Workspace {
    files: Arc<dyn Files>,
}

impl Workspace {
    /// Takes the files of one agent.
    pub fn new(files: Arc<dyn Files>) -> Self {
        Self { files }
    }

    /// The owner's view.
    pub fn private(&self) -> PrivateView {
        PrivateView { files: Arc::clone(&self.files) }
    }

    /// The view of `scope`.
    pub fn view(&self, scope: Scope) -> View {
        let files = Arc::clone(&self.files);
        match scope {
            Scope::Main => View::Private(self.private()),
            Scope::Room(_) | Scope::Shared => View::Shared(SharedView::new(files, scope)),
            Scope::Subagent | Scope::Scheduled => View::Listed(ListedView::new(files, scope)),
        }
    }
}

/// What every listener can do.
pub trait ScopedReader: Send + Sync {
    /// Whose view it is.
    fn scope(&self) -> &Scope;

    /// Lists what it sees. Error: `workspace_unreadable`.
    fn list(&self) -> Result<Listing, FileError>;

    /// As [`Files::changes`].
    fn changes(&self) -> Option<u64>;

    /// Reads one file whole. Errors: `file_missing` (not there, or not for this listener),
    /// `file_unreadable`, `file_too_large`; in private also `name_refused`.
    fn read(&self, name: &SafeName) -> Result<Content, FileError>;

    /// Stamps one file, `None` when it is not there or not for this listener.
    fn stamp(&self, name: &SafeName) -> Result<Option<Stamp>, FileError>;
}

/// The owner's view: everything (scope main).
#[derive(Clone)]
pub struct PrivateView {
    files: Arc<dyn Files>,
}

impl PrivateView {
    /// Reads a listed file, also one in a folder of a tool: an erasure scans all of them. Errors: `file_missing`,
    /// `file_unreadable`, `file_too_large`.
    pub fn read_listed(&self, name: &SafeName) -> Result<Content, FileError> {
        self.files.read(name)
    }
}

impl ScopedReader for PrivateView {
    fn scope(&self) -> &Scope {
        &Scope::Main
    }

    fn list(&self) -> Result<Listing, FileError> {
        self.files.list(&[Folder { path: String::new(), deep: true }])
    }

    fn changes(&self) -> Option<u64> {
        self.files.changes()
    }

    fn read(&self, name: &SafeName) -> Result<Content, FileError> {
        readable(name).map_err(|refusal| FileError { code: refusal.code, message: refusal.message })?;
        self.files.read(name)
    }

    fn stamp(&self, name: &SafeName) -> Result<Option<Stamp>, FileError> {
        if readable(name).is_ok() { self.files.stamp(name) } else { Ok(None) }
    }
}

/// A view whose listener is known only when the program runs.
#[derive(Clone)]
pub enum View {
    /// Scope main.
    Private(PrivateView),
    /// Scopes room and shared.
    Shared(SharedView),
    /// Scopes subagent and scheduled.
    Listed(ListedView),
}

impl View {
    /// The owner's view, where it is that one.
    pub fn private(&self) -> Option<&PrivateView> {
        match self {
            Self::Private(view) => Some(view),
            Self::Shared(_) | Self::Listed(_) => None,
        }
    }

    fn sight(&self) -> &dyn ScopedReader {
        match self {
            Self::Private(view) => view,
            Self::Shared(view) => view,
            Self::Listed(view) => view,
        }
    }
}

impl ScopedReader for View {
    fn scope(&self) -> &Scope {
        self.sight().scope()
    }

    fn list(&self) -> Result<Listing, FileError> {
        self.sight().list()
    }

    fn changes(&self) -> Option<u64> {
        self.sight().changes()
    }

    fn read(&self, name: &SafeName) -> Result<Content, FileError> {
        self.sight().read(name)
    }

    fn stamp(&self, name: &SafeName) -> Result<Option<Stamp>, FileError> {
        self.sight().stamp(name)
    }
}

/// Lets only what `scope` sees reach the files.
fn seen<'a>(files: &'a dyn Files, scope: &Scope, name: &SafeName) -> Option<&'a dyn Files> {
    Place::of(name).is_some_and(|place| place != Place::Foreign && scope.sees(&place)).then_some(files)
}

/// The answer for what is not there, or not for this listener.
fn hidden(name: &SafeName) -> FileError {
    missing(name)
}
