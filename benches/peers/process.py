"""Processes and what they cost: time, memory with all their children, and the ways to talk with one that stays."""

import contextlib
import json
import os
import signal
import subprocess
import threading
import time
from dataclasses import dataclass
from itertools import chain, repeat
from pathlib import Path

COMMAND_SECONDS = 1_800
ANSWER_SECONDS = 180
ENDING_SECONDS = 20
QUICK_LOOKS, QUICK_LOOK_SECONDS, LOOK_SECONDS = 500, 0.002, 0.05
"""Between two looks at the memory of a process: short ones at first, since many commands end soon."""


class Failed(Exception):
    """A process did not do what it was started for; the text says why."""


@dataclass
class Cost:
    wall_s: float = 0.0
    cpu_s: float = 0.0
    peak_bytes: int = 0
    """The most memory that the process and its children held, each for itself, as far as it was seen."""

    def add(self, other: "Cost") -> None:
        """What it costs to do the one after the other."""
        self.wall_s += other.wall_s
        self.cpu_s += other.cpu_s
        self.peak_bytes = max(self.peak_bytes, other.peak_bytes)


def run(argv: list[str], env: dict[str, str], scratch: Path, good: tuple[int, ...] = (0,)) -> tuple[str, Cost]:
    """Runs a command to its end; gives its stdout. `scratch` keeps what it said. Error: `Failed`."""
    scratch.mkdir(parents=True, exist_ok=True)
    said, complained = scratch / "stdout", scratch / "stderr"
    with said.open("wb") as out, complained.open("wb") as err:
        began = time.perf_counter()
        child = start(argv, env, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        watch = Watch(child.pid)
        late = threading.Timer(COMMAND_SECONDS, child.kill)
        late.start()
        _, status, used = os.wait4(child.pid, 0)
        wall_s = time.perf_counter() - began
        late.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
    most_bytes = watch.stop()
    if child.returncode not in good:
        end = (tail(complained) or tail(said)).strip()
        raise Failed(f"`{Path(argv[0]).name} {' '.join(argv[1:3])}` ended with {child.returncode}: {end}")
    return said.read_text(encoding="utf-8"), Cost(wall_s, used.ru_utime + used.ru_stime, most_bytes)


def start(argv: list[str], env: dict[str, str], **how: object) -> subprocess.Popen:
    """A process. Error: `Failed` where there is no such program."""
    try:
        return subprocess.Popen(argv, env=env, **how)
    except OSError as error:
        raise Failed(f"`{argv[0]}` does not start: {error.strerror}") from error


def tail(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace")[-400:]


class Watch:
    """Looks at the memory of a process and its children until it is stopped."""

    def __init__(self, pid: int) -> None:
        self.peak_bytes = 0
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._look, args=(pid,), daemon=True)
        self.thread.start()

    def _look(self, pid: int) -> None:
        # Not the kernel's own record of an ended child: it counts us, before the child became its program.
        for pause_s in chain(repeat(QUICK_LOOK_SECONDS, QUICK_LOOKS), repeat(LOOK_SECONDS)):
            self.peak_bytes = max(self.peak_bytes, memory_bytes(pid))
            if self.over.wait(pause_s):
                break

    def stop(self) -> int:
        self.over.set()
        self.thread.join()
        return self.peak_bytes


def family(pid: int) -> list[int]:
    """A process and its descendants."""
    found, waiting = [], [pid]
    while waiting:
        one = waiting.pop()
        found.append(one)
        for children in Path(f"/proc/{one}/task").glob("*/children"):
            try:
                waiting.extend(map(int, children.read_text().split()))
            except OSError:  # It ended while we looked.
                continue
    return found


def memory_bytes(pid: int) -> int:
    """The most that a process and its living descendants ever held, each for itself."""
    return sum(map(peak_bytes, family(pid)))


def peak_bytes(pid: int) -> int:
    """The most that a process ever held; 0 when it is gone."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:")), 0)


def cpu_seconds(pid: int) -> float:
    """Processor time that a living process has used; 0 when it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Server:
    """A process that stays. It answers each line of JSON with lines of JSON, unless it does not talk."""

    def __init__(self, argv: list[str], env: dict[str, str], scratch: Path, talks: bool = True) -> None:
        scratch.mkdir(parents=True, exist_ok=True)
        self.complained = scratch / "server-stderr"
        self.name = Path(argv[0]).name
        with self.complained.open("wb") as err:
            pipe = subprocess.PIPE
            out = pipe if talks else subprocess.DEVNULL
            self.child = start(argv, env, stdin=pipe, stdout=out, stderr=err, text=True)

    def send(self, message: dict) -> None:
        try:
            self.child.stdin.write(json.dumps(message) + "\n")
            self.child.stdin.flush()
        except BrokenPipeError as error:
            raise self._ended() from error

    def line(self) -> str:
        """The next line it says. Error: `Failed` when it ended or is silent for too long."""
        late = threading.Timer(ANSWER_SECONDS, self.child.kill)
        late.start()
        line = self.child.stdout.readline()
        late.cancel()
        if not line:
            raise self._ended()
        return line

    def message(self) -> dict:
        """The next line, read. Error: as `line`, and `Failed` where it is no JSON."""
        line = self.line()
        try:
            return json.loads(line)
        except ValueError as error:
            raise Failed(f"`{self.name}` says what is no JSON: {line[:200]}") from error

    def ask(self, message: dict) -> dict:
        self.send(message)
        return self.message()

    def _ended(self) -> Failed:
        return Failed(f"`{self.name}` stopped answering: {tail(self.complained).strip()}")

    def memory_bytes(self) -> int:
        """The most that it and its living children ever held, each for itself."""
        return memory_bytes(self.child.pid)

    def cpu_s(self) -> float:
        """Processor time that it and its living children have used."""
        return sum(map(cpu_seconds, family(self.child.pid)))

    def close(self) -> None:
        """Ends it, gently where it lets us, and whatever it started."""
        ours = family(self.child.pid)
        if self.child.stdout is None:
            self.child.terminate()
        self.child.stdin.close()
        for end in (lambda: None, self.child.terminate, self.child.kill):
            end()
            try:
                self.child.wait(ENDING_SECONDS)
                break
            except subprocess.TimeoutExpired:
                continue
        for pid in ours:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if self.child.stdout is not None:
            self.child.stdout.close()


class McpServer(Server):
    """A server of the Model Context Protocol on stdin and stdout."""

    def __init__(self, argv: list[str], env: dict[str, str], scratch: Path) -> None:
        super().__init__(argv, env, scratch)
        self.calls = 0
        client = {"name": "inwit-peers", "version": "1"}
        try:
            self._call("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
            self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        except Failed:
            self.close()
            raise

    def tool(self, name: str, arguments: dict) -> dict:
        """The structured content of an answer. Error: `Failed` where the tool says that it failed."""
        result = self._call("tools/call", {"name": name, "arguments": arguments})
        if result.get("isError") or "structuredContent" not in result:
            raise Failed(f"`{name}` failed: {json.dumps(result)[:400]}")
        return result["structuredContent"]

    def _call(self, method: str, parameters: dict) -> dict:
        self.calls += 1
        self.send({"jsonrpc": "2.0", "id": self.calls, "method": method, "params": parameters})
        while True:
            message = self.message()
            if message.get("id") == self.calls:
                break
        if "error" in message:
            raise Failed(f"`{method}` failed: {message['error'].get('message')}")
        return message["result"]
