"""basic-memory: hybrid search through its MCP server, over whole notes (its default) and over list items."""

import sqlite3
from pathlib import Path

from candidate import MODEL, MODEL_DIMENSIONS, Asker, Candidate, Ground
from process import McpServer

NOTES, ITEMS = "notes", "observations"

OTHER_SQLITE = """import sys
import pysqlite3
sys.modules["sqlite3"] = pysqlite3
sys.modules["sqlite3.dbapi2"] = pysqlite3.dbapi2
"""


class BasicMemory(Candidate):
    name = "basic-memory"
    version = "basic-memory 0.23.2"
    asked = "MCP server, a process for all projects"
    ways = (NOTES, ITEMS)
    needs_model = True

    def install(self, ground: Ground) -> None:
        loads = hasattr(sqlite3.Connection, "enable_load_extension")
        ground.install_python("basic-memory==0.23.2", *(() if loads else ("pysqlite3-binary==0.5.4.post2",)))
        if not loads:
            # Its vectors are an extension of SQLite, which this Python's own module does not load.
            (packages,) = ground.program.glob("lib/python*/site-packages")
            (packages / "sitecustomize.py").write_text(OTHER_SQLITE)

    def index(self, ground: Ground, conversations: list[str]) -> None:
        ground.environment = settings(ground)
        for one in conversations:
            ground.run([program(ground), "project", "add", one, str(ground.notes(one))])
        ground.run([program(ground), "reindex"])

    def kept(self, ground: Ground) -> list[Path]:
        return [ground.home / ".basic-memory"]

    def open(self, ground: Ground, conversations: list[str]) -> Asker:
        return BasicMemoryAsker(ground)

    def command(self, ground: Ground, way: str, conversation: str, question: str, limit: int) -> list[str]:
        only = ["--entity-type", "observation"] if way == ITEMS else []
        how = ["--project", conversation, "--page-size", str(limit), "--plain", *only]
        return [program(ground), "tool", "search-notes", question, *how]


def program(ground: Ground) -> str:
    return f"{ground.program}/bin/basic-memory"


def settings(ground: Ground) -> dict[str, str]:
    """The model, as its documentation says for a server of embeddings of one's own.

    Its least similarity, 0.55, was chosen for its own model, whose similarities are higher: here nothing is left out.
    """
    embedding = {
        "PROVIDER": "litellm",
        "MODEL": f"openai/{MODEL}",
        "DIMENSIONS": str(MODEL_DIMENSIONS),
        "API_BASE": str(ground.embedder_url),
        "API_KEY": "none",
    }
    named = {f"BASIC_MEMORY_SEMANTIC_EMBEDDING_{key}": value for key, value in embedding.items()}
    home = {"BASIC_MEMORY_HOME": str(ground.home / "default")}
    least = {"BASIC_MEMORY_SEMANTIC_MIN_SIMILARITY": "0.0"}
    return {**named, **home, **least, "LITELLM_LOCAL_MODEL_COST_MAP": "True"}


class BasicMemoryAsker(Asker):
    def __init__(self, ground: Ground) -> None:
        self.server = McpServer([program(ground), "mcp"], ground.env(), ground.folder)
        self.servers = [self.server]

    def ask(self, way: str, conversation: str, question: str, limit: int) -> list[str]:
        arguments = {"query": question, "project": conversation, "page_size": limit, "output_format": "json"}
        if way == ITEMS:
            arguments["entity_types"] = ["observation"]
        answer = self.server.tool("search_notes", arguments)
        results = answer.get("result", answer)["results"]
        # A note comes with up to 4,000 characters from its beginning and the parts that match: these say more.
        return [result.get("matched_chunk") or result.get("content") or "" for result in results]
