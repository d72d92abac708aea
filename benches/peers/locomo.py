"""LoCoMo as notes and questions, laid out as `inwit bench locomo` lays it out.

One folder a conversation, one Markdown file a session, each turn a list item that begins with its mark. Scored are
the questions of categories 1 to 4 whose evidence is there.
"""

import json
import random
import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

SEED = 20261121
"""Every sample of questions is drawn with it, so that everybody is asked the same."""


@dataclass(frozen=True)
class Question:
    conversation: str
    text: str
    marks: tuple[str, ...]
    """Marks of the turns that answer it, such as `D3:7`; at least one."""


@dataclass(frozen=True)
class Conversation:
    name: str
    sessions: tuple[tuple[str, str, str], ...]
    """Of each session its day, its label and its text."""
    turns: dict[str, str]
    """What was said, with its speaker, by mark."""
    questions: tuple[Question, ...]

    def write(self, folder: Path, dated: bool = True) -> None:
        """Writes the notes to `folder/memory/`; undated files are named by their number alone."""
        memory = folder / "memory"
        memory.mkdir(parents=True)
        for day, label, text in self.sessions:
            name = f"{day}-{label}.md" if dated else f"{label}.md"
            (memory / name).write_text(text, encoding="utf-8")


def read(path: Path) -> list[Conversation]:
    """The conversations of a published list."""
    return [conversation(published) for published in json.loads(path.read_text(encoding="utf-8"))]


def sample(questions: list[Question], count: int) -> list[Question]:
    """`count` of `questions`, or all, in their order."""
    if count >= len(questions):
        return questions
    chosen = sorted(random.Random(SEED).sample(range(len(questions)), count))
    return [questions[index] for index in chosen]


def conversation(published: dict) -> Conversation:
    name, spoken = published["sample_id"], published["conversation"]
    numbers = sorted(int(key[8:]) for key in spoken if re.fullmatch(r"session_\d+", key))
    sessions, turns = [], {}
    for number in numbers:
        key = f"session_{number}"
        if not spoken[key]:
            continue
        told = spoken[f"{key}_date_time"].strip()
        day = datetime.strptime(told, "%I:%M %p on %d %B, %Y").strftime("%Y-%m-%d")
        said = {turn["dia_id"]: words(turn) for turn in spoken[key]}
        turns.update(said)
        items = "".join(f"- [{mark}] {text}\n" for mark, text in said.items())
        sessions.append((day, key, f"## session {number} — {told}\n\n{items}"))
    asked = (question(name, published_question, turns) for published_question in published["qa"])
    return Conversation(name, tuple(sessions), turns, tuple(filter(None, asked)))


def words(turn: dict) -> str:
    text = f"{turn['speaker']}: {' '.join(turn['text'].split())}"
    caption = " ".join((turn.get("blip_caption") or "").split())
    return f"{text} [image: {caption}]" if caption else text


def question(name: str, published: dict, turns: dict[str, str]) -> Question | None:
    if published["category"] not in (1, 2, 3, 4):
        return None
    evidence = published.get("evidence") or []
    told = " ".join(evidence) if isinstance(evidence, list) else evidence
    marks = (f"D{int(session)}:{int(turn)}" for session, turn in re.findall(r"D:?(\d+):(\d+)", told))
    there = tuple(dict.fromkeys(mark for mark in marks if mark in turns))
    return Question(name, published["question"], there) if there else None
