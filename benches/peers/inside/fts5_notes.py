"""SQLite's FTS5 over list items: what a user writes in an afternoon.

`index FOLDER DB`, `ask DB WORD…`, or `serve`, which answers lines of {"database", "words", "limit"} with {"texts"}.
"""

import json
import sqlite3
import sys
from pathlib import Path


def index(folder: str, database: str) -> None:
    with sqlite3.connect(database) as connection:
        connection.execute("CREATE VIRTUAL TABLE items USING fts5(text, tokenize='porter')")
        for file in sorted(Path(folder).rglob("*.md")):
            lines = file.read_text(encoding="utf-8").splitlines()
            items = [(line[2:],) for line in lines if line.startswith("- ")]
            connection.executemany("INSERT INTO items VALUES (?)", items)


def ask(database: sqlite3.Connection, words: list[str], limit: int) -> list[str]:
    wanted = " OR ".join(f'"{word}"' for word in words)
    found = database.execute("SELECT text FROM items WHERE items MATCH ? ORDER BY rank LIMIT ?", (wanted, limit))
    return [text for (text,) in found]


if sys.argv[1] == "index":
    index(sys.argv[2], sys.argv[3])
elif sys.argv[1] == "ask":
    print("\n".join(ask(sqlite3.connect(sys.argv[2]), sys.argv[3:], 10)))
else:
    opened: dict[str, sqlite3.Connection] = {}
    for line in sys.stdin:
        asked = json.loads(line)
        database = opened.setdefault(asked["database"], sqlite3.connect(asked["database"]))
        print(json.dumps({"texts": ask(database, asked["words"], asked["limit"])}), flush=True)
