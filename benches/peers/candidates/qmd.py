"""qmd: its full text search. Its search by meaning and its `query` need models that it fetches from a hub."""

import json
from pathlib import Path

from candidate import Asker, Candidate, Ground, keywords


class Qmd(Candidate):
    name = "qmd"
    version = "@tobilu/qmd 2.8.3"
    asked = "`qmd search` with the words that say something, a command a question"

    def install(self, ground: Ground) -> None:
        ground.install_node("@tobilu/qmd@2.8.3")

    def index(self, ground: Ground, conversations: list[str]) -> None:
        for one in conversations:
            ground.run([program(ground), "collection", "add", str(ground.notes(one)), "--name", one])

    def kept(self, ground: Ground) -> list[Path]:
        return [ground.home / ".cache/qmd", ground.home / ".config/qmd"]

    def open(self, ground: Ground, conversations: list[str]) -> Asker:
        return QmdAsker(self, ground)

    def command(self, ground: Ground, way: str, conversation: str, question: str, limit: int) -> list[str]:
        how = ["-c", conversation, "--format", "json", "-n", str(limit)]
        return [program(ground), "search", " ".join(keywords(question)), *how]


def program(ground: Ground) -> str:
    return f"{ground.program}/node_modules/.bin/qmd"


class QmdAsker(Asker):
    servers = []

    def __init__(self, qmd: Qmd, ground: Ground) -> None:
        self.qmd, self.ground = qmd, ground

    def ask(self, way: str, conversation: str, question: str, limit: int) -> list[str]:
        said, _ = self.ground.measure(self.qmd.command(self.ground, way, conversation, question, limit))
        results = json.loads(said) if said.lstrip().startswith("[") else []
        return [note_text(result["snippet"]) for result in results]


def note_text(snippet: str) -> str:
    """A snippet without the line that says where it is from."""
    first, _, rest = snippet.partition("\n")
    return rest if first.startswith("@@ ") else snippet
