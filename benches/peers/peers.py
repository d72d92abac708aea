"""inwit beside what a user would pick instead, on the same notes and the same questions, in one run.

`peers.py --locomo FILE --work FOLDER --inwit PROGRAM [--model FOLDER]`. See README.md beside this file.
"""

import argparse
import datetime
import os
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
from report import about, save, text
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
    everyone = candidates(str(wanted.inwit))
    unknown = set(wanted.only or ()) - {one.name for one in everyone}
    if unknown:
        here = ", ".join(one.name for one in everyone)
        sys.exit(f"There is no {', '.join(sorted(unknown))}; these are here: {here}.")
    chosen = [one for one in everyone if not wanted.only or one.name in wanted.only]
    try:
        embedder = Embedder(wanted) if wanted.model and any(one.needs_model for one in chosen) else None
    except Failed as why:
        sys.exit(f"The model cannot be served: {why}")
    report = about(wanted.locomo, exam.conversations, exam.questions)
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
    print(text(report))
    return 1 if report["not had"] else 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    option = parser.add_argument
    option("--locomo", type=there, required=True, help="the published list of conversations")
    option("--work", type=Path, required=True, help="a folder for all that is installed and measured")
    option("--inwit", type=there, required=True, help="the program of inwit")
    option("--model", type=there, help=f"a folder with {MODEL}; without it nobody searches by meaning")
    option("--python", default=sys.executable, help="a Python of 3.12 or later to install with; this one if unsaid")
    option("--questions", type=int, default=sys.maxsize, help="so many, drawn with a fixed seed, instead of all")
    option("--only", nargs="+", metavar="NAME", help="these candidates instead of all")
    option("--out", type=Path, help="a file for all figures, as JSON")
    return parser.parse_args()


def there(told: str) -> Path:
    path = Path(told).resolve()
    if not path.exists():
        raise argparse.ArgumentTypeError(f"there is no {told}")
    return path


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
    work = wanted.work.resolve()
    program = work / (one.program_name or one.name) / "program"
    ground = Ground(wanted.python, work / one.name, program, embedder.url if embedder else None, wanted.model)
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


if __name__ == "__main__":
    sys.exit(main())
