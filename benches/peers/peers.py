"""inwit beside what a user would pick instead, on the same notes and the same questions, in one run.

`peers.py --locomo FILE --work FOLDER --inwit PROGRAM [--model FOLDER]`. See README.md beside this file.
"""

import argparse
import datetime
import hashlib
import json
import os
import platform
import shutil
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median

sys.path.insert(0, str(Path(__file__).parent))

import locomo
from candidate import MODEL, Asker, Candidate, Ground
from candidates import candidates
from locomo import Conversation, Question
from process import Cost, Failed, Server
from scoring import Scorer

SCORED_RESULTS = 80
"""So many are asked for where quality is scored: enough for the largest budget with results of a chat's size."""
TIMED_RESULTS = 10
TIMED_QUESTIONS = 50
COMMANDS = (5, 50)
"""As commands at least so many questions, and more, up to so many, while they take less than"""
COMMAND_SECONDS = 20
MIB = 1024 * 1024


@dataclass(frozen=True)
class Exam:
    """What everybody is asked."""

    conversations: list[Conversation]
    questions: list[Question]
    timed: list[Question]

    @property
    def names(self) -> list[str]:
        return [one.name for one in self.conversations]


def main() -> int:
    wanted = arguments()
    exam = prepare(wanted.locomo, wanted.questions)
    everyone = candidates(str(wanted.inwit.resolve()))
    unknown = set(wanted.only or ()) - {one.name for one in everyone}
    if unknown:
        sys.exit(f"There is no {', '.join(sorted(unknown))}; these are here: {', '.join(one.name for one in everyone)}.")
    chosen = [one for one in everyone if not wanted.only or one.name in wanted.only]
    embedder = Embedder(wanted) if wanted.model and any(one.needs_model for one in chosen) else None
    report = {**about(wanted.locomo, exam), "rows": [], "not had": {}}
    try:
        for one in chosen:
            print(f"{datetime.datetime.now():%H:%M:%S} {one.name}", file=sys.stderr, flush=True)
            try:
                report["rows"] += measure(one, exam, wanted, embedder)
            except Failed as why:
                report["not had"][one.name] = str(why)
            save(report, wanted.out)
    except KeyboardInterrupt:
        print("Interrupted: what follows is what was done until then.", file=sys.stderr)
    finally:
        if embedder:
            embedder.close()
    save(report, wanted.out)
    print(table(report))
    return 1 if report["not had"] else 0


def save(report: dict, file: Path | None) -> None:
    """Keeps all that was found until now."""
    report["load at the end"] = round(os.getloadavg()[0], 1)
    if file:
        file.write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--locomo", type=Path, required=True, help="the published list of conversations")
    parser.add_argument("--work", type=Path, required=True, help="a folder for all that is installed and measured")
    parser.add_argument("--inwit", type=Path, required=True, help="the program of inwit")
    parser.add_argument("--model", type=Path, help=f"a folder with {MODEL}; without it nobody searches by meaning")
    parser.add_argument("--python", default=sys.executable, help="the Python that environments are made with (3.12 or later)")
    parser.add_argument("--questions", type=int, default=sys.maxsize, help="ask so many, drawn with a fixed seed, instead of all")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these candidates instead of all")
    parser.add_argument("--out", type=Path, help="a file for all figures, as JSON")
    return parser.parse_args()


def prepare(path: Path, count: int) -> Exam:
    conversations = locomo.read(path)
    questions = locomo.sample([question for one in conversations for question in one.questions], count)
    return Exam(conversations, questions, locomo.sample(questions, TIMED_QUESTIONS))


class Embedder(Server):
    """The model, which serves all peers."""

    def __init__(self, wanted: argparse.Namespace) -> None:
        folder = wanted.work.resolve() / "embedder"
        ground = Ground(wanted.python, folder, folder / "program", None, wanted.model)
        ground.install_python("numpy==2.4.6", "safetensors==0.8.0", "tokenizers==0.23.3")
        script = str(Path(__file__).parent / "embedder.py")
        super().__init__([f"{ground.program}/bin/python", script, str(wanted.model)], ground.env(), ground.folder)
        self.url = f"http://127.0.0.1:{self.line().strip()}/v1"


def measure(one: Candidate, exam: Exam, wanted: argparse.Namespace, embedder: Embedder | None) -> list[dict]:
    """A row a way. Error: `Failed`, where it cannot be had."""
    if one.needs_model and embedder is None:
        raise Failed("it searches by meaning, and no model was given")
    work, model = wanted.work.resolve(), wanted.model and wanted.model.resolve()
    program = work / (one.program_name or one.name) / "program"
    ground = Ground(wanted.python, work / one.name, program, embedder.url if embedder else None, model)
    shutil.rmtree(ground.home, ignore_errors=True)
    for conversation in exam.conversations:
        conversation.write(ground.notes(conversation.name), one.dated)
    one.install(ground)
    ground.cost = Cost()
    before_s = embedder.cpu_s() if embedder else 0.0
    one.index(ground, exam.names)
    indexing = {
        "index wall s": ground.cost.wall_s,
        "index cpu s": ground.cost.cpu_s,
        "index embedder cpu s": embedder.cpu_s() - before_s if embedder and one.needs_model else 0.0,
        "index peak MiB": ground.cost.peak_bytes / MIB,
        "index disk MiB": sum(map(size, one.kept(ground))) / MIB,
        "program disk MiB": sum(map(size, one.installed(ground))) / MIB,
    }
    asker = one.open(ground, exam.names)
    try:
        answers = [answered(one, way, asker, exam, embedder) for way in one.ways]
    finally:
        asker.close()
    # Some keep what they hold from a second process, so commands come when nothing stays open.
    rows = [{**found, **commanded(one, way, ground, exam)} for way, found in zip(one.ways, answers, strict=True)]
    about_it = {"version": one.version, "asked": one.asked, "file names": "dated" if one.dated else "undated"}
    return [{**found, **about_it, **indexing} for found in rows]


def answered(one: Candidate, way: str, asker: Asker, exam: Exam, embedder: Embedder | None) -> dict:
    """How good it is, and what an answer costs while it stays open."""
    scorer = Scorer(exam.conversations)
    scores = [
        scorer.score(question, asker.ask(way, question.conversation, question.text, SCORED_RESULTS))
        for question in exam.questions
    ]
    figures: dict = {"name": f"{one.name}, {way}" if way else one.name, "questions": len(scores)}
    figures.update({name: mean(score[name] for score in scores) for name in scores[0]})
    if asker.servers:
        servers = [*asker.servers, *([embedder] if embedder and one.needs_model else [])]
        before_s = sum(server.cpu_s() for server in servers)
        times_s = [timed(asker, way, question) for question in exam.timed]
        figures.update(percentiles("warm", times_s))
        figures["warm cpu ms"] = (sum(server.cpu_s() for server in servers) - before_s) / len(times_s) * 1000
        figures["warm peak MiB"] = asker.memory_bytes() / MIB
    return figures


def timed(asker: Asker, way: str, question: Question) -> float:
    began = time.perf_counter()
    asker.ask(way, question.conversation, question.text, TIMED_RESULTS)
    return time.perf_counter() - began


def commanded(one: Candidate, way: str, ground: Ground, exam: Exam) -> dict:
    """What the same questions cost as commands; empty where there is no command."""
    least, most = COMMANDS
    costs: list[Cost] = []
    for question in exam.timed[:most]:
        argv = one.command(ground, way, question.conversation, question.text, TIMED_RESULTS)
        if argv is None or (len(costs) >= least and sum(cost.wall_s for cost in costs) > COMMAND_SECONDS):
            break
        costs.append(ground.measure(argv, one.good_statuses)[1])
    if not costs:
        return {}
    return {
        **percentiles("command", [cost.wall_s for cost in costs]),
        "command cpu ms": mean(cost.cpu_s for cost in costs) * 1000,
        "command peak MiB": max(cost.peak_bytes for cost in costs) / MIB,
    }


def percentiles(what: str, times_s: list[float]) -> dict[str, float]:
    ordered = sorted(times_s)
    return {
        f"{what} p50 ms": median(ordered) * 1000,
        f"{what} p95 ms": ordered[max(0, -(-95 * len(ordered) // 100) - 1)] * 1000,
        f"{what} questions": len(ordered),
    }


def size(path: Path) -> int:
    """Bytes of a file or of all files in a folder; 0 of what is not there."""
    if path.is_file():
        return path.stat().st_size
    files = (Path(folder) / name for folder, _, names in os.walk(path) for name in names)
    return sum(file.lstat().st_size for file in files)


def about(path: Path, exam: Exam) -> dict:
    cpus = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    return {
        "date": f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d %H:%M} UTC",
        "data": path.name,
        "data sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "conversations": exam.names,
        "turns": sum(len(one.turns) for one in exam.conversations),
        "questions": len(exam.questions),
        "seed": locomo.SEED,
        "cpu": cpus[0].partition(":")[2].strip() if cpus else platform.processor(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "load at the beginning": round(os.getloadavg()[0], 1),
    }


COLUMNS = (
    ("who", "name", "{}"),
    ("1,000", "within 1000", "{:.3f}"),
    ("2,000", "within 2000", "{:.3f}"),
    ("6,000", "within 6000", "{:.3f}"),
    ("13,000", "within 13000", "{:.3f}"),
    ("recall@10", "recall@10", "{:.3f}"),
    ("chars in ten", "chars in ten", "{:,.0f}"),
    ("index s", "index wall s", "{:.1f}"),
    ("index CPU s", "index cpu s", "{:.1f}"),
    ("+ embedder", "index embedder cpu s", "{:.0f}"),
    ("index MiB", "index peak MiB", "{:,.0f}"),
    ("disk MiB", "index disk MiB", "{:.1f}"),
    ("program MiB", "program disk MiB", "{:,.0f}"),
    ("warm p50", "warm p50 ms", "{:,.1f}"),
    ("p95", "warm p95 ms", "{:,.1f}"),
    ("CPU ms", "warm cpu ms", "{:,.1f}"),
    ("MiB", "warm peak MiB", "{:,.0f}"),
    ("command p50", "command p50 ms", "{:,.0f}"),
    ("p95", "command p95 ms", "{:,.0f}"),
    ("CPU ms", "command cpu ms", "{:,.0f}"),
    ("MiB", "command peak MiB", "{:,.0f}"),
)


def table(report: dict) -> str:
    """All rows as Markdown, and who could not be had."""
    lines = ["| " + " | ".join(title for title, _, _ in COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    for found in report["rows"]:
        cells = (form.format(found[key]) if key in found else "–" for _, key, form in COLUMNS)
        lines.append("| " + " | ".join(cells) + " |")
    lines += [f"\nNot had: {name}: {why}" for name, why in report["not had"].items()]
    lines.append(f"\n{report['questions']} questions of {report['turns']} turns, {report['date']}, load "
                 f"{report['load at the beginning']} to {report['load at the end']}.")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
