"""How much of a question's evidence is in what came back.

A turn is shown by a text that holds its mark, or, since some peers take the mark off, the first characters of what
was said. Recall within a number of returned characters is the measure that is fair whatever the size of results.
"""

from collections import Counter

from locomo import Conversation, Question

BUDGETS_CHARS = (1_000, 2_000, 6_000, 13_000)
RANKS = 10
PROBE_CHARS = 60
"""So many characters of what was said stand for the turn."""
LEAST_PROBE_CHARS = 20
"""Shorter words could be anybody's: there the mark alone counts."""


class Scorer:
    """Scores answers to the questions of some conversations."""

    def __init__(self, conversations: list[Conversation]) -> None:
        self.probes = {one.name: probes(one.turns) for one in conversations}

    def score(self, question: Question, texts: list[str]) -> dict[str, float]:
        """`within N`, `recall@10` (shares of the evidence) and `chars in ten`."""
        known = self.probes[question.conversation]
        evidence = [known[mark] for mark in question.marks]
        figures = {f"within {budget}": share(evidence, cut(texts, budget)) for budget in BUDGETS_CHARS}
        figures["recall@10"] = share(evidence, texts[:RANKS])
        figures["chars in ten"] = float(sum(map(len, texts[:RANKS])))
        return figures


def probes(turns: dict[str, str]) -> dict[str, tuple[str, ...]]:
    """Of each mark, the texts any of which shows its turn."""
    begins = {mark: text[:PROBE_CHARS] for mark, text in turns.items()}
    counts = Counter(begins.values())
    return {
        mark: (f"[{mark}]", begin) if counts[begin] == 1 and len(begin) >= LEAST_PROBE_CHARS else (f"[{mark}]",)
        for mark, begin in begins.items()
    }


def share(evidence: list[tuple[str, ...]], texts: list[str]) -> float:
    shown = sum(any(probe in text for probe in probes for text in texts) for probes in evidence)
    return shown / len(evidence)


def cut(texts: list[str], budget_chars: int) -> list[str]:
    """The first `budget_chars` characters of `texts`, the last one cut."""
    kept = []
    for text in texts:
        if budget_chars <= 0:
            break
        kept.append(text[:budget_chars])
        budget_chars -= len(kept[-1])
    return kept
