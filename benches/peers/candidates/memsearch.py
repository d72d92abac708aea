"""memsearch: its hybrid search over Milvus Lite, as a command and through its library."""

from pathlib import Path

from candidate import MODEL, Asker, Candidate, Ground
from process import Server

SCRIPT = str(Path(__file__).parent.parent / "inside/memsearch_ask.py")


class Memsearch(Candidate):
    name = "memsearch"
    version = "memsearch 0.4.23"
    asked = "its Python library, a process for all workspaces"
    needs_model = True

    def install(self, ground: Ground) -> None:
        ground.install_python("memsearch==0.4.23")

    def index(self, ground: Ground, conversations: list[str]) -> None:
        for one in conversations:
            ground.run([program(ground), "index", str(ground.notes(one)), *settings(ground, one)])

    def kept(self, ground: Ground) -> list[Path]:
        return sorted(ground.home.glob("*.db"))

    def open(self, ground: Ground, conversations: list[str]) -> Asker:
        return MemsearchAsker(ground)

    def command(self, ground: Ground, way: str, conversation: str, question: str, limit: int) -> list[str]:
        return [program(ground), "search", question, "--top-k", str(limit), *settings(ground, conversation)]


def program(ground: Ground) -> str:
    return f"{ground.program}/bin/memsearch"


def database(ground: Ground, conversation: str) -> str:
    return str(ground.home / f"{conversation}.db")


def settings(ground: Ground, conversation: str) -> list[str]:
    model = ["--provider", "openai", "--model", MODEL, "--base-url", str(ground.embedder_url), "--api-key", "none"]
    return [*model, "--milvus-uri", database(ground, conversation)]


class MemsearchAsker(Asker):
    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        argv = [f"{ground.program}/bin/python", SCRIPT, str(ground.embedder_url), MODEL]
        self.server = Server(argv, ground.env(), ground.folder)
        self.servers = [self.server]

    def ask(self, way: str, conversation: str, question: str, limit: int) -> list[str]:
        where = database(self.ground, conversation)
        return self.server.ask({"database": where, "question": question, "limit": limit})["texts"]
