"""OpenClaw: its builtin memory, through the gateway's interface for tools and as a command.

It lets files that are named by a day fade with a half-life of thirty days, so notes of years ago all but vanish;
with undated names they do not. Both are compared.
"""

import json
import socket
import time
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from candidate import MODEL, Asker, Candidate, Ground
from process import ANSWER_SECONDS, Failed, Server

START_SECONDS = 180
KEY = "comparison"
"""Its gateway wants one; it listens on this machine alone."""


class OpenClaw(Candidate):
    version = "openclaw 2026.9.6"
    program_name = "openclaw"
    asked = "gateway, `POST /tools/invoke`, a process for all agents"

    def __init__(self, name: str, means: bool, dated: bool) -> None:
        self.name, self.needs_model, self.dated = name, means, dated

    def install(self, ground: Ground) -> None:
        ground.install_node("openclaw@2026.9.6")

    def index(self, ground: Ground, conversations: list[str]) -> None:
        self._configure(ground, conversations)
        for one in conversations:
            ground.run([program(ground), "memory", "index", "--agent", one])

    def kept(self, ground: Ground) -> list[Path]:
        return [ground.home / ".openclaw/agents"]

    def open(self, ground: Ground, conversations: list[str]) -> Asker:
        return OpenClawAsker(ground, self._configure(ground, conversations))

    def command(self, ground: Ground, way: str, conversation: str, question: str, limit: int) -> list[str]:
        how = ["--agent", conversation, "--max-results", str(limit)]
        return [program(ground), "memory", "search", *how, question]

    def _configure(self, ground: Ground, conversations: list[str]) -> int:
        """Writes its settings; gives the port of its gateway."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        search: dict = {"provider": "none"}
        if self.needs_model:
            remote = {"baseUrl": ground.embedder_url, "apiKey": KEY}
            search = {"provider": "openai-compatible", "model": MODEL, "remote": remote}
        gateway = {"mode": "local", "bind": "loopback", "port": port, "auth": {"mode": "token", "token": KEY}}
        agents = {one: {"workspace": str(ground.notes(one))} for one in conversations}
        roster = {"ownership": "explicit", "entries": agents}
        settings = {"gateway": gateway, "agents": roster, "memory": {"search": search}}
        file = ground.home / ".openclaw/openclaw.json"
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps(settings, indent=2))
        return port


def program(ground: Ground) -> str:
    return f"{ground.program}/node_modules/.bin/openclaw"


class OpenClawAsker(Asker):
    def __init__(self, ground: Ground, port: int) -> None:
        self.port = port
        self.server = Server([program(ground), "gateway", "run"], ground.env(), ground.folder, talks=False)
        self.servers = [self.server]
        began = time.monotonic()
        while True:
            try:
                self.connection = HTTPConnection("127.0.0.1", port, timeout=ANSWER_SECONDS)
                self.connection.connect()
                break
            except OSError as error:
                if time.monotonic() - began > START_SECONDS or self.server.child.poll() is not None:
                    self.close()
                    raise Failed(f"its gateway does not start: {error}") from error
                time.sleep(0.5)

    def ask(self, way: str, conversation: str, question: str, limit: int) -> list[str]:
        wanted = {"query": question, "maxResults": limit}
        body = json.dumps({"tool": "memory_search", "agentId": conversation, "args": wanted})
        headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
        try:
            self.connection.request("POST", "/tools/invoke", body, headers)
            answer = json.loads(self.connection.getresponse().read())
        except (OSError, HTTPException, ValueError) as error:
            raise Failed(f"its gateway does not answer: {error}") from error
        found = answer.get("result", {}).get("details", {})
        if "results" not in found or found.get("error"):
            raise Failed(f"its gateway refuses: {json.dumps(answer)[:400]}")
        return [note_text(result["snippet"]) for result in found["results"]]


def note_text(snippet: str) -> str:
    """A snippet without the line that says where it is from."""
    text, _, _ = snippet.rpartition("\n\nSource: ")
    return text or snippet
