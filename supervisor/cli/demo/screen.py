"""The screen of `supervisor demo`: one line for each decided action, and a second one with the correction or reason.

An outcome has a line only if a specialist objects to it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from supervisor.cli.demo.listening import Seen
from supervisor.cli.demo.report import p50_ms, totals
from supervisor.cli.demo.run import Audience, Ended
from supervisor.cli.output import console, counted, styled, verdict
from supervisor.verdict import Verdict

WIDTH = 100  # columns at most
HEIGHT = 45  # rows of the whole morning; a terminal with fewer gets one line an action
_MARKS = {True: styled("✓", "green"), False: styled("✗", "red")}
_FRAME = 28  # columns for agent, verdict and time


class Screen(Audience):
    """Prints the morning for people."""

    def __init__(self) -> None:
        self._out = console()
        self._width = min(self._out.width, WIDTH)
        self._brief = sys.stdout.isatty() and self._out.height < HEIGHT

    def opening(self) -> None:
        self._say(" " + styled("Three agents, one morning: every action is judged before it runs.", "bold"))

    def opened(self, failure_modes: int, root: Path) -> None:
        real = f"{failure_modes} failure modes watched · a real shop, repository and web server in {root}"
        self._say(" " + styled(clip(real, self._width - 1), "dim"))

    def seen(self, one: Seen) -> None:
        decision, room = one.decision, self._width - _FRAME
        if one.is_outcome and decision.verdict is Verdict.OK:
            return
        tool = f"↳ {decision.action.tool}" if one.is_outcome else decision.action.tool
        rest = clip(_arguments(one), room - len(tool) - 1).ljust(room - len(tool) - 1)
        label = decision.verdict.label
        took = styled(f"{decision.elapsed_ms:6.1f} ms", "dim")
        mark = verdict(label) + " " * (len("block ") - len(label))
        self._say(f" {styled(one.agent.ljust(9), 'cyan')} {styled(tool, 'bold')} {styled(rest, '')} {mark}{took}")
        if decision.verdict and not self._brief:
            self._say(f"           {styled('╰ ' + clip(_remark(one), self._width - 14), 'dim italic')}")

    def worked(self, seen: Sequence[Seen], seconds: float) -> None:
        actions = [one for one in seen if not one.is_outcome]
        sums = " · ".join(f"{count} {verdict(label)}" for label, count in totals(actions).items())
        counts = f"{len(actions)} actions and {len(seen) - len(actions)} outcomes in {seconds:.1f} s"
        self._say("")
        self._say(f" {counts}: {sums} · median {p50_ms(seen):.1f} ms")

    def ended(self, ended: Ended, keep: Path | None) -> None:
        """Prints the proof, the promises that were not kept, and the next commands."""
        proof = ended.proof
        where = f"in {keep}" if keep else "gone with the sandbox; --keep DIR keeps them"
        held = counted(proof.problems, "problem") if proof.problems else "as they were written"
        self._row(not proof.problems, "verified", f"{proof.records} signed records, {held} ({where})")
        same = f"{proof.replayed - proof.differing} of {proof.replayed}"
        self._row(proof.differing == 0, "replayed", f"{same} decisions come out the same, offline, in a fresh process")
        found = f"found at line {proof.found}" if proof.found else "not found"
        tampered = f"one byte of line {proof.changed} changed in a copy: {found}"
        self._row(proof.found == proof.changed, "tampered", tampered)
        for promise in ended.promises:
            if not promise.kept:
                self._row(False, "not met", promise.what)
        self._next(f"supervisor log {keep} --verdict block" if keep else "supervisor demo --keep records")
        self._next("supervisor explain duplicate_refund_same_order")

    def _next(self, command: str) -> None:
        self._say(f" → {styled(command, 'bold')}")

    def _row(self, holds: bool, what: str, said: str) -> None:
        self._say(f" {_MARKS[holds]} {what} {styled(clip(said, self._width - 12), 'dim')}")

    def _say(self, line: str) -> None:
        self._out.print(line, soft_wrap=False, no_wrap=True, overflow="ellipsis", width=self._width)


def _arguments(one: Seen) -> str:
    """The arguments, without the old text of an edit."""
    return " ".join(str(value) for name, value in one.decision.action.args.items() if name != "old")


def _remark(one: Seen) -> str:
    """The text that a stopped agent reads, or for a flag the one that a reviewer reads."""
    decision = one.decision
    if decision.verdict is Verdict.FLAG:
        return f"it runs, and waits for a person: {decision.reason}"
    return decision.correction or decision.reason


def clip(text: str, room: int) -> str:
    """The beginning of a text, on one line of at most `room` characters."""
    line = " ".join(text.split())
    return line if len(line) <= room else line[: max(room - 1, 0)] + "…"
