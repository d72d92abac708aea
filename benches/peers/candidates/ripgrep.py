"""ripgrep: lines that hold any word of the question, those with most different words first."""

import re
from pathlib import Path

from candidate import Asker, Candidate, Ground, keywords


class Ripgrep(Candidate):
    name = "ripgrep"
    version = "ripgrep 15.1.0"
    good_statuses = (0, 1)
    """1: no line matches."""
    asked = "a command a question; its lines are ordered by how many of the words they hold"

    def install(self, ground: Ground) -> None:
        ground.install_python("ripgrep==15.1.0")

    def index(self, ground: Ground, conversations: list[str]) -> None:
        """There is nothing to do."""

    def kept(self, ground: Ground) -> list[Path]:
        return []

    def open(self, ground: Ground, conversations: list[str]) -> Asker:
        return RipgrepAsker(self, ground)

    def command(self, ground: Ground, way: str, conversation: str, question: str, limit: int) -> list[str]:
        how = ["--no-config", "--sort=path", "--no-filename", "--no-line-number"]
        flags = [*how, "--ignore-case", "--word-regexp"]
        notes = str(ground.notes(conversation))
        return [f"{ground.program}/bin/rg", *flags, "--regexp", "|".join(keywords(question)), notes]


class RipgrepAsker(Asker):
    servers = []

    def __init__(self, ripgrep: Ripgrep, ground: Ground) -> None:
        self.ripgrep, self.ground = ripgrep, ground

    def ask(self, way: str, conversation: str, question: str, limit: int) -> list[str]:
        argv = self.ripgrep.command(self.ground, way, conversation, question, limit)
        lines = self.ground.measure(argv, self.ripgrep.good_statuses)[0].splitlines()
        wanted = set(keywords(question))
        lines.sort(key=lambda line: -len(wanted.intersection(re.findall(r"\w+", line.lower()))))
        return lines[:limit]
