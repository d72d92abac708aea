"""inwit: through its MCP server, as an agent asks it, and as a command."""

import subprocess
from pathlib import Path

from candidate import MODEL, Asker, Candidate, Ground
from process import McpServer

ANSWER_TOKENS = 100_000
"""The most that its server allows: the number of results is to limit an answer, not its length."""


class Inwit(Candidate):
    """Without a model, or with it installed into its home as its guide says."""

    asked = "MCP server, a process a workspace"

    def __init__(self, program: str, means: bool) -> None:
        self.program = program
        self.name = "inwit-meaning" if means else "inwit"
        self.needs_model = means
        told = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
        self.version = told.stdout.strip()

    def index(self, ground: Ground, conversations: list[str]) -> None:
        for conversation in conversations:
            where = ["--workspace", str(ground.notes(conversation)), "--quiet"]
            ground.run([self.program, "index", "rebuild", *where])
            if self.needs_model:
                ground.run([self.program, "index", "embed", *where])

    def install(self, ground: Ground) -> None:
        if self.needs_model:
            ground.run([self.program, "model", "install", MODEL, "--from", str(ground.model)])

    def kept(self, ground: Ground) -> list[Path]:
        return [ground.home / ".local/share/inwit/agents"]

    def installed(self, ground: Ground) -> list[Path]:
        return [Path(self.program), ground.home / ".local/share/inwit/models"]

    def open(self, ground: Ground, conversations: list[str]) -> Asker:
        return InwitAsker(self.program, ground, conversations)

    def command(self, ground: Ground, way: str, conversation: str, question: str, limit: int) -> list[str]:
        where = ["--workspace", str(ground.notes(conversation)), "--limit", str(limit)]
        return [self.program, "search", *where, "--", question]


class InwitAsker(Asker):
    def __init__(self, program: str, ground: Ground, conversations: list[str]) -> None:
        self.of = {}
        for one in conversations:
            argv = [program, "mcp", "--main", "--workspace", str(ground.notes(one))]
            self.of[one] = McpServer(argv, ground.env(), ground.folder / one)
        self.servers = list(self.of.values())

    def ask(self, way: str, conversation: str, question: str, limit: int) -> list[str]:
        arguments = {"query": question, "limit": limit, "max_tokens": ANSWER_TOKENS}
        answer = self.of[conversation].tool("memory_search", arguments)
        return [result["text"] for result in answer["results"]]
