"""The time of one decision in the midst of a session, and of one on a shell command alone, beside other guards.

    python -m benchmarks.latency [--rounds N] [--sessions N] [--commands FILE] [--peers DIR] [--install] [--json]

First the decisions of agents at real work after 20, 0 and 200 steps (`benchmarks.sessions`), beside nah on the same
commands. Then single commands without a past: bare specialists, the engine around them, and other guards. These are
measured in one run, in turns of one batch of commands each, so that a noisy machine disturbs all alike; the first guard
changes with every batch. One decision is timed: ours from a tool's name and arguments to the decision, a peer's around
its own call, inside its own warm process, so that the pipe does not count. After the warm-up, each guard judges one
destructive and one harmless command, and the table shows its answers: a guard that is switched off is fast. "stopped"
is the share of the commands that it would not let run; by default all of them are honest work.

FILE.jsonl has `{"tool": …, "args": {"command": …}}` on each line, any other file one command a line. No time is
asserted.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import json
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

from benchmarks import sessions
from benchmarks.peers import PEERS, Asked, PeerGone, empty_repository, install_all
from benchmarks.report import Row, as_json, machine, show
from supervisor.action import Action, Context
from supervisor.adapters.function.guard import Guard
from supervisor.decision.decision import Decision
from supervisor.engine.supervisor import Supervisor
from supervisor.errors import Unreadable
from supervisor.policy import Isolation, Policy, Records
from supervisor.specialist import Specialist
from supervisor.verdict import Finding, Verdict

HERE = Path(__file__).parent
SHOWN = ("rm -rf /", "git status")  # one command that every guard here claims to stop, and one that none should stop
BATCH = 20  # decisions of one guard before it is the next one's turn
WARM = 200  # decisions that do not count
BESIDE = PEERS[0]  # the peer of the first table

Call = tuple[str, dict[str, Any]]
Answers = list[tuple[float, str]]
Guarding = Callable[[Sequence[Call]], Answers]


def read_commands(path: Path) -> list[Call]:
    """The shell commands of a file, as tool calls. Raises SystemExit if there are none, or for other content."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    try:
        calls = [_call(line) for line in lines] if path.suffix == ".jsonl" else [_shell(line) for line in lines]
    except (ValueError, KeyError, TypeError) as error:
        raise SystemExit(f"{path}: not a shell command's tool call: {error!r}") from None
    if not calls:
        raise SystemExit(f"{path}: no commands")
    return calls


def _call(line: str) -> Call:
    row = json.loads(line)
    if not isinstance(row["args"]["command"], str):
        raise TypeError("the command is not text")
    return row["tool"], row["args"]


def _shell(command: str) -> Call:
    return "bash", {"command": command}


def bare(supervisor: Supervisor, context: Context) -> Guarding:
    """The specialists of the kind in a plain loop, on an action that is not parsed yet: the lower bound."""

    def ask(action: Action, specialists: Sequence[Specialist]) -> list[Any]:
        opinions: list[Any] = []
        for specialist in specialists:
            try:
                opinions.append(specialist.judge(action, context))
            except (Unreadable, RecursionError) as error:
                opinions.append(error)
        return opinions

    def batch(calls: Sequence[Call]) -> Answers:
        actions = [supervisor.action(tool, args) for tool, args in calls]
        return [_timed(ask, action, supervisor.catalog.specialists(action.kind)) for action in actions]

    return batch


def from_coroutine(supervisor: Supervisor, context: Context, runner: asyncio.Runner) -> Guarding:
    """`await supervisor.decide(…)`."""

    async def batch(calls: Sequence[Call]) -> Answers:
        answers = []
        for tool, args in calls:
            started = time.perf_counter()
            decision = await supervisor.decide(supervisor.action(tool, args), context)
            answers.append((_microseconds(started), decision.verdict.label))
        return answers

    return lambda calls: runner.run(batch(calls))


def from_sync_code(supervisor: Supervisor, context: Context) -> Guarding:
    """`guard.check(…)`, inside a session with the same facts as the other rows."""
    guard = Guard(supervisor)

    def batch(calls: Sequence[Call]) -> Answers:
        with guard.session(facts=context.facts):
            return [_timed(guard.check, tool, args) for tool, args in calls]

    return batch


def from_process(asked: Asked) -> Guarding:
    """A peer, which gets only the command."""
    return lambda calls: asked([args["command"] for _, args in calls])


def _timed(ask: Callable[..., Any], *given: Any) -> tuple[float, str]:
    started = time.perf_counter()
    answer = ask(*given)
    return _microseconds(started), _verdict(answer)


def _microseconds(started: float) -> float:
    return (time.perf_counter() - started) * 1e6


def _verdict(answer: Decision | list[Any]) -> str:
    if isinstance(answer, Decision):
        return answer.verdict.label
    return max((each.verdict for each in answer if isinstance(each, Finding)), default=Verdict.OK).label


def ours(folder: Path, workspace: Path, closing: contextlib.ExitStack) -> Iterator[tuple[Row, Guarding]]:
    """The rows of this project, the floor first."""

    def opened(isolation: Isolation, records: str | None = None) -> Supervisor:
        path = str(folder / records) if records else None
        supervisor = Supervisor(Policy(records=Records(path, str(folder / "key.pem")), isolation=isolation))
        closing.callback(supervisor.close)
        return supervisor

    context, runner = Context(facts={"cwd": str(workspace)}), closing.enter_context(asyncio.Runner())
    inline, isolated, recorded = opened("none"), opened("auto"), opened("auto", "from a coroutine")
    asked = f"{len(inline.catalog.for_kind('shell'))} specialists"
    lane = f"{asked}, isolation auto: with the worker lane"
    yield Row("floor", f"{asked} in a plain loop, nothing around them"), bare(inline, context)
    yield Row("engine, inline", f"{asked}, isolation none"), from_coroutine(inline, context, runner)
    yield Row("engine", lane), from_coroutine(isolated, context, runner)
    yield Row("engine, recorded", f"{lane}, signed record on disk"), from_coroutine(recorded, context, runner)
    called = from_sync_code(opened("auto", "from sync code"), context)
    yield Row("guard.check", f"{lane}, signed record on disk, from sync code"), called


def theirs(
    folder: Path, workspace: Path, failed: Mapping[str, str], closing: contextlib.ExitStack
) -> Iterator[tuple[Row, Guarding | None]]:
    """The peers, each with its process; absent peers with the reason."""
    for peer in PEERS:
        row = Row(peer.name, peer.about)
        try:
            asked = Asked(peer, folder, workspace)
        except PeerGone as gone:
            row.absent = failed.get(peer.name) or str(gone)
            yield row, None
            continue
        closing.callback(asked.close)
        row.version = asked.version
        yield row, from_process(asked)


def measure(guards: list[tuple[Row, Guarding | None]], calls: Sequence[Call], rounds: int) -> None:
    """Fills the rows: a warm-up, the two control commands, then the rounds."""
    present = [(row, guarding) for row, guarding in guards if guarding]
    batches = [calls[start : start + BATCH] for start in range(0, len(calls), BATCH)]
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("warming up", total=len(present) * (1 + rounds * len(batches)))
        for row, guarding in present:
            _answers(row, guarding, list(itertools.islice(itertools.cycle(calls), WARM)))
            row.show(_answers(row, guarding, [_shell(command) for command in SHOWN]))
            progress.advance(task)
        for turn, batch in enumerate(batches * rounds):
            progress.update(task, description=f"round {turn // len(batches) + 1} of {rounds}")
            first = turn % len(present)
            for row, guarding in present[first:] + present[:first]:
                row.add(_answers(row, guarding, batch))
                progress.advance(task)


def _answers(row: Row, guarding: Guarding, calls: Sequence[Call]) -> Answers:
    """The answers of one guard; empty once a peer's process has ended, which its row then reports."""
    if row.absent:
        return []
    try:
        return guarding(calls)
    except PeerGone as gone:
        row.absent = str(gone)
        return []


def in_sessions(folder: Path, peers: Path, rounds: int) -> list[dict[str, Any]]:
    """The rows of `benchmarks.sessions`, with the peer that judges commands where it is installed."""
    with contextlib.ExitStack() as closing:
        records = Records(str(folder / "sessions"), str(folder / "key.pem"))
        supervisor = Supervisor(Policy(records=records))
        closing.callback(supervisor.close)
        supervisor.start()
        asked: dict[str, Asked] = {}
        with contextlib.suppress(PeerGone):  # the second table says why it is absent
            asked[BESIDE.name] = Asked(BESIDE, peers, empty_repository(folder / "work"))
            closing.callback(asked[BESIDE.name].close)
        return sessions.measure(supervisor, asked, rounds).to_json()


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.latency", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=50, help="times that every command is judged (50)")
    parser.add_argument("--sessions", type=int, default=3, help="sessions that each agent plays (3)")
    parser.add_argument("--commands", type=Path, default=HERE / "commands.jsonl", metavar="FILE", help="other commands")
    parser.add_argument(
        "--peers", type=Path, default=HERE.parent / ".venv-peers", metavar="DIR", help="folder of the other guards"
    )
    parser.add_argument("--install", action="store_true", help="install the peers there first, in pinned versions")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    calls, folder, facts = read_commands(options.commands), options.peers.resolve(), machine()
    failed = install_all(PEERS, folder) if options.install else {}
    with tempfile.TemporaryDirectory() as made, contextlib.ExitStack() as closing:
        played = in_sessions(Path(made), folder, options.sessions) if options.sessions > 0 else []
        if not options.json:
            sessions.show(played)
        workspace = empty_repository(Path(made, "repo"))
        guards: list[tuple[Row, Guarding | None]] = []
        guards += [*ours(Path(made), workspace, closing), *theirs(folder, workspace, failed, closing)]
        measure(guards, calls, max(options.rounds, 1))
    rows = [row for row, _ in guards]
    if options.json:
        print(json.dumps({"sessions": played, "commands": len(calls), **as_json(rows, facts, SHOWN)}, indent=2))
    else:
        show(rows, facts, SHOWN)


if __name__ == "__main__":
    main()
