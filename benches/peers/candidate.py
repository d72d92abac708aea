"""What it takes to be compared, and the ground each candidate stands on."""

import json
import os
import re
import shutil
import subprocess
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from pathlib import Path

from process import Cost, Failed, Server, run

MODEL = "all-MiniLM-L6-v2"
MODEL_DIMENSIONS = 384
COMPLAINT_CHARS = 600
"""So much is told of what an installer complains about."""

EMPTY_WORDS = frozenset(
    "a an and are at be been by can could did do does for from had has have her his how i in is it its of on or she he"
    " that the their they this to was were what when where which who whose why will with would".split()
)
"""Left out of questions for those who look for words and leave this to their caller."""


def keywords(question: str) -> list[str]:
    """The words of a question that say something."""
    found = re.findall(r"\w+", question.lower())
    return [word for word in found if len(word) > 1 and word not in EMPTY_WORDS] or found


@dataclass
class Ground:
    """Where one candidate is installed and keeps its things."""

    python: str
    """A Python that makes virtual environments."""
    folder: Path
    program: Path
    """What is installed; kinds of one peer share it."""
    embedder_url: str | None
    """Where the model answers; `None`: no model was given."""
    model: Path | None
    environment: dict[str, str] = field(default_factory=dict)
    cost: Cost = field(default_factory=Cost)
    """Of all commands that were run by `run`."""

    @property
    def home(self) -> Path:
        return self.folder / "home"

    def notes(self, conversation: str) -> Path:
        return self.home / "notes" / conversation

    @property
    def _node(self) -> Path:
        return self.program / "node/node_modules/node/bin"

    def env(self) -> dict[str, str]:
        """A clean environment: whose home is `home`, and which asks nobody outside of this machine."""
        kept = {key: os.environ[key] for key in ("LANG", "TMPDIR") if key in os.environ}
        path = f"{self.program}/bin:{self._node}:{os.environ['PATH']}"
        quiet = {"DO_NOT_TRACK": "1", "HF_HUB_OFFLINE": "1", "NO_COLOR": "1"}
        return {**kept, "HOME": str(self.home), "PATH": path, **quiet, **self.environment}

    def measure(self, argv: list[str], good: tuple[int, ...] = (0,)) -> tuple[str, Cost]:
        """What a command says and what it costs. Error: `Failed`."""
        return run(argv, self.env(), self.folder / "last", good)

    def run(self, argv: list[str]) -> None:
        """Runs a command and adds to what all cost. Error: `Failed`."""
        self.cost.add(self.measure(argv)[1])

    def install_python(self, *packages: str) -> None:
        """Into a virtual environment, unless these very packages are there. Error: `Failed`."""
        if self._is_new(packages):
            self._install([self.python, "-m", "venv", str(self.program)])
            self._install([f"{self.program}/bin/python", "-m", "pip", "install", "--quiet", *packages])
            self._installed(packages)

    def install_node(self, *packages: str) -> None:
        """With a node of its own, unless these very packages are there. Error: `Failed`."""
        if self._is_new(packages):
            npm = shutil.which("npm")
            if npm is None:
                raise Failed("npm is not on the path")
            flags = ["--no-fund", "--no-audit", "--loglevel=error"]
            # Scripts of packages run under the node that is installed first.
            self._install([npm, "install", "--prefix", str(self.program / "node"), *flags, "node@26.10.0"])
            self._install([npm, "install", "--prefix", str(self.program), *flags, *packages])
            self._installed(packages)

    def _is_new(self, packages: tuple[str, ...]) -> bool:
        marker = self.program / "packages.json"
        if marker.is_file() and json.loads(marker.read_text()) == list(packages):
            return False
        shutil.rmtree(self.program, ignore_errors=True)
        self.program.mkdir(parents=True)
        return True

    def _installed(self, packages: tuple[str, ...]) -> None:
        (self.program / "packages.json").write_text(json.dumps(packages))

    def _install(self, argv: list[str]) -> None:
        path = f"{self._node}:{os.environ['PATH']}"
        done = subprocess.run(argv, capture_output=True, text=True, env={**os.environ, "PATH": path})
        if done.returncode != 0:
            raise Failed(f"it does not install: {(done.stderr or done.stdout).strip()[-COMPLAINT_CHARS:]}")


class Asker(ABC):
    """A candidate that is ready to be asked."""

    servers: list[Server]
    """What stays between two questions."""

    @abstractmethod
    def ask(self, way: str, conversation: str, question: str, limit: int) -> list[str]:
        """The texts of at most `limit` results, best first. Error: `Failed`."""

    def memory_bytes(self) -> int:
        """The most that one of its servers ever held."""
        return max(server.memory_bytes() for server in self.servers)

    def cpu_s(self) -> float:
        """Processor time of all its servers."""
        return sum(server.cpu_s() for server in self.servers)

    def close(self) -> None:
        """Ends what stays."""
        for server in self.servers:
            server.close()


class Candidate(ABC):
    """One that is compared."""

    name: str
    version: str
    asked: str
    """Through what it is asked."""
    ways: tuple[str, ...] = ("",)
    """Kinds of search over the same index, each of which is asked everything."""
    needs_model = False
    program_name: str | None = None
    """Whose program it is; its own where nothing is said."""
    good_statuses: tuple[int, ...] = (0,)
    """Exit statuses of its command that are an answer."""
    dated = True
    """Whether its files are named by their days, as everybody's are."""

    def install(self, ground: Ground) -> None:
        """Puts it in place. Error: `Failed`."""

    @abstractmethod
    def index(self, ground: Ground, conversations: list[str]) -> None:
        """Takes the notes in, by `Ground.run`. Error: `Failed`."""

    @abstractmethod
    def kept(self, ground: Ground) -> list[Path]:
        """Files and folders that it keeps beside the notes."""

    def installed(self, ground: Ground) -> list[Path]:
        """Files and folders that were installed for it."""
        return [ground.program]

    @abstractmethod
    def open(self, ground: Ground, conversations: list[str]) -> Asker:
        """Makes it ready to be asked. Error: `Failed`."""

    def command(self, ground: Ground, way: str, conversation: str, question: str, limit: int) -> list[str] | None:
        """The command a user would type; `None` where there is none."""
        return None
