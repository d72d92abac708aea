"""What a comparison tells: where and on what, a row of each, and who could not be had."""

import datetime
import hashlib
import json
import os
import platform
from pathlib import Path

import locomo
from locomo import Conversation, Question

WHO = ("who", "name", "{}")
TABLES = (
    (
        WHO,
        ("in 1,000", "within 1000", "{:.3f}"),
        ("in 2,000", "within 2000", "{:.3f}"),
        ("in 6,000", "within 6000", "{:.3f}"),
        ("in 13,000", "within 13000", "{:.3f}"),
        ("recall@10", "recall@10", "{:.3f}"),
        ("chars@10", "chars in ten", "{:,.0f}"),
    ),
    (
        WHO,
        ("index, s", "index wall s", "{:.1f}"),
        ("CPU, s", "index cpu s", "{:.1f}"),
        ("CPU of the embedder, s", "index embedder cpu s", "{:.0f}"),
        ("memory, MiB", "index peak MiB", "{:,.0f}"),
        ("kept on disk, MiB", "index disk MiB", "{:.1f}"),
        ("installed, MiB", "program disk MiB", "{:,.0f}"),
    ),
    (
        WHO,
        ("warm p50, ms", "warm p50 ms", "{:,.1f}"),
        ("p95", "warm p95 ms", "{:,.1f}"),
        ("CPU, ms", "warm cpu ms", "{:,.1f}"),
        ("memory, MiB", "warm peak MiB", "{:,.0f}"),
        ("command p50, ms", "command p50 ms", "{:,.0f}"),
        ("p95", "command p95 ms", "{:,.0f}"),
        ("CPU, ms", "command cpu ms", "{:,.0f}"),
        ("memory, MiB", "command peak MiB", "{:,.0f}"),
        ("commands", "command questions", "{}"),
    ),
)
"""What was found, what it took to take the notes in, what an answer takes. Of each column its title, the figure in it
and the form of that."""


def about(path: Path, conversations: list[Conversation], questions: list[Question]) -> dict:
    """What is needed to repeat it, and no path of this machine."""
    cpus = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    return {
        "date": f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d %H:%M} UTC",
        "data": path.name,
        "data sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "conversations": [one.name for one in conversations],
        "turns": sum(len(one.turns) for one in conversations),
        "questions": len(questions),
        "seed": locomo.SEED,
        "cpu": cpus[0].partition(":")[2].strip() if cpus else platform.processor(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "load at the beginning": round(os.getloadavg()[0], 1),
        "rows": [],
        "not had": {},
    }


def save(report: dict, file: Path | None) -> None:
    """Keeps all that was found until now."""
    report["load at the end"] = round(os.getloadavg()[0], 1)
    if file:
        file.write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def text(report: dict) -> str:
    """All rows as tables in Markdown, and who could not be had."""
    parts = [table(columns, report["rows"]) for columns in TABLES]
    parts += [f"Not had: {name}: {why}" for name, why in report["not had"].items()]
    load = f"{report['load at the beginning']} to {report['load at the end']}"
    parts.append(f"{report['questions']} questions of {report['turns']} turns, {report['date']}, load {load}.")
    return "\n\n".join(parts)


def table(columns: tuple[tuple[str, str, str], ...], rows: list[dict]) -> str:
    lines = ["| " + " | ".join(title for title, _, _ in columns) + " |", "|" + "---|" * len(columns)]
    for row in rows:
        cells = (form.format(row[key]) if key in row else "–" for _, key, form in columns)
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)
