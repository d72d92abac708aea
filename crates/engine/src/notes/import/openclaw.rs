//! OpenClaw: the workspace of an agent, imported byte for byte.

use inwit_model::{FileKind, SafeName, Taint};
use inwit_workspace::{Generation, generation};

use super::{Importer, Source, Stays};

/// See the module documentation.
pub struct Openclaw;

impl Importer for Openclaw {
    fn id(&self) -> &'static str {
        "openclaw"
    }

    fn title(&self) -> &'static str {
        "OpenClaw"
    }

    fn recognises(&self, source: &Source<'_>) -> Option<&'static str> {
        let generation = generation::of(source.files, source.landmarks);
        (generation != Generation::NotOpenClaw).then(|| generation.word())
    }

    fn taint(&self) -> Taint {
        Taint::Owner
    }

    fn target(&self, source: &Source<'_>, name: &SafeName) -> Result<SafeName, Stays> {
        let kind = FileKind::at(name.as_str());
        if kind.is_some_and(|kind| USUALLY_STAY.contains(&kind) && !source.include.contains(&kind)) {
            return Err(Stays::NotIncluded);
        }
        let root = name.parts().next().unwrap_or_default();
        if TRANSCRIPT_FOLDERS.contains(&root) { Err(Stays::Transcript) } else { Ok(name.clone()) }
    }
}

/// Files of the agent's past in that system (W94, X57).
const USUALLY_STAY: &[FileKind] = &[FileKind::Bootstrap, FileKind::Heartbeat];

/// Root folders with transcripts.
const TRANSCRIPT_FOLDERS: &[&str] = &["transcripts", "sessions"];
