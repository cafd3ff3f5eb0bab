"""What the narrow judges add where a model is configured, and what they cost.

    python -m benchmarks.judges --set NAME … --questions FILE   # the questions that they ask; every answer is no
    python -m benchmarks.judges --set NAME … --answers FILE     # the same, with a model's answers

The judges ask over HTTP, as in a deployment: a server on the loopback speaks the protocol of `/chat/completions`. In
the first form it answers no and writes each question down, one `{"key", "question", "material"}` a line, without a
label. A model of one's choice answers them, one `{"key", "yes"}` a line, where `yes` is its probability from 0 to 1. In
the second form the server gives these answers. So one set of answers serves every later measurement, and a question
that nobody answered is counted and shown. Every action is decided alone, and without records.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import hashlib
import json
import math
import statistics
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.labelled import SETS, Case, read
from benchmarks.scored import STOPPED, Tally, cells, what
from supervisor.catalog.catalog import open_catalog
from supervisor.decision.decision import Decision
from supervisor.engine.supervisor import Supervisor
from supervisor.intake.parsing import context_from
from supervisor.policy import Policy, Records
from supervisor.policy.doors import ModelDoor
from supervisor.policy.sections import DoorPolicy

JUDGE = "narrow-llm"
_CHARACTERS_A_TOKEN = 4  # of English text and JSON, roughly


@dataclass
class Oracle:
    """The answers of a model, and what it was asked."""

    answers: Mapping[str, float] = field(default_factory=dict)
    asked: dict[str, dict[str, Any]] = field(default_factory=dict)
    unanswered: int = 0

    def complete(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The completion for a request in the protocol's form."""
        text = request["messages"][-1]["content"]
        key = hashlib.sha256(text.encode()).hexdigest()[:16]
        material, _, question = text.rpartition("\n\nQuestion: ")
        self.asked[key] = {"key": key, "question": question, "material": material}
        self.unanswered += key not in self.answers and bool(self.answers)
        yes = min(max(self.answers.get(key, 0.0), 1e-6), 1 - 1e-6)
        said = [{"token": word, "logprob": math.log(share)} for word, share in (("yes", yes), ("no", 1 - yes))]
        word = "yes" if yes >= 0.5 else "no"
        return {"message": {"role": "assistant", "content": word}, "logprobs": {"content": [{"top_logprobs": said}]}}


@contextlib.contextmanager
def serving(oracle: Oracle) -> Iterator[str]:
    """Serves the oracle on the loopback, and yields the base of its URL."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            body = json.dumps({"choices": [oracle.complete(request)]}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()


async def decided(cases: Sequence[Case], url: str | None) -> list[Decision]:
    """The decisions on the cases, one after the other, with a model at this URL or without one."""
    doors = DoorPolicy(model=ModelDoor(url=url, name="judge", timeout_ms=20_000))
    with contextlib.closing(Supervisor(Policy(records=Records(path=None), doors=doors))) as supervisor:
        shown = track(cases, "with a model" if url else "without", console=Console(stderr=True), transient=True)
        return [
            await supervisor.decide(supervisor.action(each.tool, each.args), context_from(each.context))
            for each in shown
        ]


def tallies(cases: Sequence[Case], verdicts: Sequence[str]) -> tuple[Tally, Tally]:
    """The harmful and the harmless ones."""
    harmful, harmless = Tally(), Tally()
    for each, verdict in zip(cases, verdicts, strict=True):
        (harmful if each.harmful else harmless).add(what(verdict))
    return harmful, harmless


def shown(cases: Sequence[Case], without: Sequence[Decision], with_model: Sequence[Decision]) -> Table:
    """A row for the guard without a model, one with it, and one for each judge, with how many it stopped."""
    table = Table(box=SIMPLE)
    for name in ("", "harmful", "stopped", "95%", "flagged", "harmless", "stopped", "95%", "flagged"):
        table.add_column(name, justify="right" if name else "left", no_wrap=True)
    for name, decisions in (("without a model", without), ("with it", with_model)):
        harmful, harmless = tallies(cases, [each.verdict.label for each in decisions])
        table.add_row(name, *cells(harmful), *cells(harmless))
    stopped = Counter[tuple[str, bool]]()
    for case, decision in zip(cases, with_model, strict=True):
        stopped.update(
            (name, case.harmful) for name, found in decision.findings if what(found.verdict.label) == STOPPED
        )
    for name in sorted(
        name for name, entry in open_catalog(Policy().taxonomy).entries.items() if entry.method == JUDGE
    ):
        table.add_row(f"  {name}", "", str(stopped[name, True]), "", "", "", str(stopped[name, False]))
    return table


def cost(cases: Sequence[Case], oracle: Oracle) -> str:
    """How many questions an action costs, and how long they are."""
    sizes = [len(each["material"]) + len(each["question"]) for each in oracle.asked.values()]
    tokens = statistics.median(sizes) / _CHARACTERS_A_TOKEN if sizes else 0
    each = len(oracle.asked) / len(cases)
    return (
        f"{each:.1f} questions an action, of some {tokens:.0f} tokens (median); {oracle.unanswered} without an answer"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", action="append", required=True, choices=SETS, metavar="NAME", dest="sets")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="of each set only every Nth action")
    parser.add_argument("--questions", type=Path, metavar="FILE", help="write down what is asked")
    parser.add_argument("--answers", type=Path, metavar="FILE", help="a model's answers")
    options = parser.parse_args()
    cases = [case for name in options.sets for case in read(name)[:: options.every]]
    oracle = Oracle(_answers(options.answers) if options.answers else {})
    with serving(oracle) as url:
        with_model = asyncio.run(decided(cases, url))
    if options.questions:
        lines = [json.dumps(each, ensure_ascii=False) + "\n" for each in oracle.asked.values()]
        options.questions.write_text("".join(lines), encoding="utf-8")
        print(f"{len(lines)} questions about {len(cases)} actions are in {options.questions}")
    if options.answers:
        out = Console()
        out.print(shown(cases, asyncio.run(decided(cases, None)), with_model))
        out.print(cost(cases, oracle))


def _answers(path: Path) -> dict[str, float]:
    """Raises SystemExit for a line that is not an answer."""
    answers: dict[str, float] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            row = json.loads(line)
            answers[row["key"]] = float(row["yes"])
        except (ValueError, KeyError, TypeError) as error:
            raise SystemExit(f"{path}:{number}: not an answer: {error!r}") from None
    return answers


if __name__ == "__main__":
    main()
