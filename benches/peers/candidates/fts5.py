"""SQLite's FTS5: a row a list item, porter stems, words joined by OR, BM25."""

import sqlite3
from pathlib import Path

from candidate import Asker, Candidate, Ground, keywords
from process import Server

SCRIPT = str(Path(__file__).parent.parent / "inside/fts5_notes.py")


class Fts5(Candidate):
    name = "fts5"
    version = f"SQLite {sqlite3.sqlite_version}, a script of forty lines"
    asked = "a Python process that stays"

    def index(self, ground: Ground, conversations: list[str]) -> None:
        for one in conversations:
            ground.run([ground.python, SCRIPT, "index", str(ground.notes(one)), str(database(ground, one))])

    def kept(self, ground: Ground) -> list[Path]:
        return sorted(ground.home.glob("*.db"))

    def open(self, ground: Ground, conversations: list[str]) -> Asker:
        return Fts5Asker(ground)

    def command(self, ground: Ground, way: str, conversation: str, question: str, limit: int) -> list[str]:
        return [ground.python, SCRIPT, "ask", str(database(ground, conversation)), *keywords(question)]


def database(ground: Ground, conversation: str) -> Path:
    return ground.home / f"{conversation}.db"


class Fts5Asker(Asker):
    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.server = Server([ground.python, SCRIPT, "serve"], ground.env(), ground.folder)
        self.servers = [self.server]

    def ask(self, way: str, conversation: str, question: str, limit: int) -> list[str]:
        where = str(database(self.ground, conversation))
        return self.server.ask({"database": where, "words": keywords(question), "limit": limit})["texts"]
