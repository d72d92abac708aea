"""All candidates, in the order of the table."""

from candidate import Candidate

from .basic_memory import BasicMemory
from .fts5 import Fts5
from .inwit import Inwit
from .mem0 import Mem0
from .memsearch import Memsearch
from .openclaw import OpenClaw
from .qmd import Qmd
from .ripgrep import Ripgrep


def candidates(inwit: str) -> list[Candidate]:
    """Everyone, with the program of inwit at `inwit`."""
    return [
        Inwit(inwit, means=False),
        Inwit(inwit, means=True),
        Ripgrep(),
        Fts5(),
        Qmd(),
        BasicMemory(),
        Memsearch(),
        Mem0(),
        OpenClaw("openclaw", means=True, dated=True),
        OpenClaw("openclaw-undated", means=True, dated=False),
        OpenClaw("openclaw-undated-words", means=False, dated=False),
    ]
