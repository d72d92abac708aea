"""mem0: its library over Qdrant on the disk, each list item a memory as it stands.

What it is known for, a language model that extracts facts, needs a provider; this is what it does without.
"""

from pathlib import Path

from candidate import MODEL, Asker, Candidate, Ground
from process import Server

SCRIPT = str(Path(__file__).parent.parent / "inside/mem0_notes.py")


class Mem0(Candidate):
    name = "mem0"
    version = "mem0ai 2.2.1, nothing inferred"
    asked = "its Python library, a process for all users"
    needs_model = True

    def install(self, ground: Ground) -> None:
        ground.install_python("mem0ai==2.2.1")

    def index(self, ground: Ground, conversations: list[str]) -> None:
        ground.environment = {"MEM0_TELEMETRY": "False"}
        folders = [f"{one}={ground.notes(one)}" for one in conversations]
        ground.run([*script(ground, "index"), *folders])

    def kept(self, ground: Ground) -> list[Path]:
        return [ground.home / "store", ground.home / ".mem0"]

    def open(self, ground: Ground, conversations: list[str]) -> Asker:
        return Mem0Asker(ground)


def script(ground: Ground, verb: str) -> list[str]:
    store = str(ground.home / "store")
    return [f"{ground.program}/bin/python", SCRIPT, verb, str(ground.embedder_url), MODEL, store]


class Mem0Asker(Asker):
    def __init__(self, ground: Ground) -> None:
        self.server = Server(script(ground, "serve"), ground.env(), ground.folder)
        self.servers = [self.server]

    def ask(self, way: str, conversation: str, question: str, limit: int) -> list[str]:
        return self.server.ask({"user": conversation, "question": question, "limit": limit})["texts"]
