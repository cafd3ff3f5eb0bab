"""`supervisor backtest`: what would have been stopped of what agents have done so far."""

from __future__ import annotations

import contextlib
import math
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from supervisor.cli.check import PolicyFile
from supervisor.cli.output import (
    COLOURS,
    AsJson,
    console,
    counted,
    one_line,
    print_json,
    print_table,
    styled,
    table,
    verdict,
)
from supervisor.errors import BadInput

if TYPE_CHECKING:
    from supervisor.feedback.backtest.running import Progress, State
    from supervisor.feedback.backtest.settings import Settings
    from supervisor.feedback.backtest.tally import Item, Tally

Paths = Annotated[
    list[Path] | None,
    typer.Argument(metavar="[PATH]...", help="Files or folders; by default the known agents' own folders."),
]
Against = Annotated[
    str | None,
    typer.Option(
        help="Compare: a policy file, a folder with another version of supervisor, or the interpreter of one.",
        metavar="POLICY|FOLDER|PYTHON",
    ),
]
_SAFE_PATH = "PYTHONSAFEPATH"
_SHOWN = 12  # rows of a table in the terminal
_BAR = 24  # characters of the longest bar
_WORDS = 160  # characters of the user's words


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command(
        epilog="Example: supervisor backtest ~/.claude/projects --html report.html\n\n"
        "Example: supervisor backtest records --against new-policy.yaml --fail"
    )(backtest)


def backtest(
    paths: Paths = None,
    policy: PolicyFile = None,
    against: Against = None,
    html: Annotated[
        Path | None, typer.Option("--html", help="Write the whole report as one page.", metavar="FILE")
    ] = None,
    json: AsJson = False,
    workers: Annotated[int, typer.Option(help="Processes; by default one a core.", min=0)] = 0,
    state: Annotated[
        Path | None, typer.Option(help="Keep finished files here, to go on after an interruption.", metavar="FILE")
    ] = None,
    minutes: Annotated[float, typer.Option(help="The minutes that a stop costs a person.", min=0)] = 2.0,
    fail: Annotated[bool, typer.Option("--fail", help="With --against: exit 1 if an action is newly stopped.")] = False,
) -> None:
    """Judge what agents have done so far. Nothing is run, and nothing is recorded.

    Reads the sessions of Claude Code, Codex and Gemini, signed records, OpenTelemetry's spans of tool calls, and the
    lines of `check --jsonl`. Secrets are masked. Exits 1 with --fail if the policy newly stops an action.
    """
    from supervisor.feedback.backtest.labelled import add_labels
    from supervisor.feedback.backtest.report import as_json, page
    from supervisor.feedback.backtest.running import run
    from supervisor.feedback.backtest.sources import sources_in, usual_places
    from supervisor.feedback.backtest.tally import Tally

    if fail and not against:
        raise BadInput("it needs --against, which says what to compare with", place="--fail", code="usage")
    if state is not None and against is not None and not _is_policy(against):
        problem = "cannot be kept when another version is compared, whose code may change meanwhile"
        raise BadInput(problem, place="--state", code="usage")
    found = Tally()
    given = paths or usual_places(os.environ)
    sources = sources_in(given, found.problem, needed=bool(paths))
    number = min(workers or os.cpu_count() or 1, max(len(sources), 1))
    with _state(state) as kept, _executor(number) as executor, _progress(len(sources)) as progress:
        settings = _settings(policy, against, kept)
        tally = run(sources, settings, executor, workers=number, state=kept, progress=progress)
    tally.add(found)
    add_labels(tally, given)
    if html is not None:
        html.write_text(page(tally, minutes), encoding="utf-8")
    if json:
        print_json(as_json(tally, minutes))
    else:
        _show(tally, minutes, given)
    raise typer.Exit(1 if fail and any(what == "stopped" for _, what in tally.changed) else 0)


@contextlib.contextmanager
def _state(path: Path | None) -> Iterator[State | None]:
    from supervisor.feedback.backtest.running import State

    if path is None:
        yield None
        return
    with contextlib.closing(State(path)) as state:
        yield state


@contextlib.contextmanager
def _executor(workers: int) -> Iterator[Executor]:
    """Processes that import nothing from this folder, whose files may be an agent's (CWE-427)."""
    from supervisor.feedback.backtest.workers import processes

    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    executor = processes(workers)
    try:
        yield executor
    finally:
        executor.shutdown(cancel_futures=True)
        os.environ.pop(_SAFE_PATH)
        if before is not None:
            os.environ[_SAFE_PATH] = before


def _settings(policy: Path | None, against: str | None, state: State | None) -> Settings:
    from supervisor.feedback.backtest.judging import settings_for
    from supervisor.feedback.backtest.other import command_of
    from supervisor.policy import Policy, read_policy

    salt = state.salt if state else os.urandom(32)
    ours = read_policy(policy) if policy else Policy()
    if against is None:
        return settings_for(ours, salt)
    if _is_policy(against):
        return settings_for(ours, salt, read_policy(Path(against)))
    command_of(against)
    return settings_for(ours, salt, version=against)


def _is_policy(against: str) -> bool:
    return against.endswith((".yaml", ".yml"))


@contextlib.contextmanager
def _progress(parts: int) -> Iterator[Progress]:
    """Shows at a terminal how far a backtest is."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("judging"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("files, or parts of large ones"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console(error=True), transient=True) as shown:
        task = shown.add_task("judging", total=parts)

        def update(tally: Tally) -> None:
            shown.update(task, completed=tally.parts)

        yield update


def _show(tally: Tally, minutes: float, places: list[Path]) -> None:
    from supervisor.feedback.backtest.report import rows_changed

    out = console()
    if not tally.actions:
        where = ", ".join(map(str, places))
        out.print(f"no action of an agent was found in {styled(where, 'bold')}: name a file or a folder of sessions")
    of_places = {"actions": "actions"}
    for title, counts, more in (
        ("failure mode", tally.entries, {"asked for": "asked", "ran": "ran"}),
        ("project", tally.projects, of_places),
        ("week", tally.weeks, of_places),
    ):
        _plot(title, counts, more)
    for item in tally.items[:_SHOWN]:
        _show_item(item)
    for name, numbers in rows_changed(tally)[:_SHOWN]:
        news = ", ".join(f"{number} newly {what}" for what, number in sorted(numbers.items()))
        out.print(f"{styled(name, 'bold')}: {news}")
    if said := Counter(change.label for change in tally.changes if change.label):
        words = ", ".join(f"{number} {word.replace('_', ' ')}" for word, number in said.most_common())
        out.print(f"people said of the recorded decisions among these: {styled(words, 'bold')}")
    for place, why in tally.problems[:_SHOWN]:
        out.print(f"{styled(place, 'bold')}: {styled(why, 'yellow')}")
    if tally.unasked:
        out.print(styled(f"not asked, because no door is open: {', '.join(sorted(tally.unasked))}", "dim"))
    judged = f"{tally.actions:,} actions of {counted(tally.sessions, 'session')} in {counted(tally.sources, 'file')}"
    cost = f"{tally.stopped * minutes:g} minutes of interruption at {minutes:g} a stop"
    problems = f", {counted(tally.problem_count, 'problem')}" if tally.problem_count else ""
    out.print(f"{judged}: {tally.stopped} stopped, {tally.verdicts['flag']} flagged, {cost}{problems}")


def _plot(title: str, counts: Counter[tuple[str, str]], more: Mapping[str, str]) -> None:
    """A table of the names with the most stopped actions, with a bar for each; nothing if there are none. `more` has
    columns and the counts in them."""
    from supervisor.feedback.backtest.report import widths
    from supervisor.feedback.backtest.tally import rows, stopped

    shown = [row for row in rows(counts) if stopped(row[1]) or row[1].get("flag")][:_SHOWN]
    if not shown:
        return
    drawn = table(title, "", "stopped", "flagged", *more, names=True)
    for (name, numbers), bar in zip(shown, widths(shown, _BAR), strict=True):
        cells = (stopped(numbers), *(numbers.get(what, 0) for what in ("flag", *more.values())))
        drawn.add_row(one_line(name), _bar(*bar), *map(str, cells))
    print_table(drawn)


def _bar(stops: float, flags: float) -> str:
    """A bar of characters: what was stopped, and then what was flagged. Whatever is not zero shows."""
    drawn = (("█", "nudge", math.ceil(stops)), ("░", "flag", math.ceil(flags)))
    return "".join(styled(each * number, COLOURS[label]) for each, label, number in drawn if number)


def _show_item(item: Item) -> None:
    out = console()
    out.print(f"{verdict(item.verdict)} {styled(', '.join(item.entries), 'bold')} {styled(item.place, 'dim')}")
    out.print(f"  {styled(f'{item.tool}: {item.action}', '')}")
    told = [f"after the words “{item.said[:_WORDS]}”"] if item.said else []
    told += ["which asked for it"] if item.asked else []
    told += [] if item.after == "unknown" else [f"the call {item.after}"]
    told += [f"then “{item.then[:_WORDS]}”"] if item.then else []
    if told:
        out.print(f"  {styled('; '.join(told), 'dim')}")
