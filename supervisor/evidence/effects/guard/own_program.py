"""Runs of our own command line: `supervisor install --undo`, `python -m supervisor serve`.

Verbs of Act.GUARD: "approve" (an approval or an exemption is given in a person's name), "operate" (the guard is changed
or started, or gets input). The effect's `content` is the subcommand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from supervisor.evidence.effects.effect import Act, Effect
from supervisor.evidence.effects.guard.agents import RUNNERS
from supervisor.evidence.reading.paths import Place
from supervisor.evidence.shell.commands import Command

PROGRAM = "supervisor"
READS = frozenset(
    "audit backtest check coverage demo docs doctor explain help list log mcp new replay review status verify"
    " version".split()
)
ANSWERS = frozenset({"allow", "approve", "deny"})
_LOOKS = frozenset(
    {("allow", "list"), ("allow", "show"), ("index", "status")}
)  # a verb and, right behind it, the subcommand that reads
CHANGES = frozenset(
    "hook index install label learn records reload reset restart serve service start stop task trust uninstall"
    " up".split()
)
_MANAGERS = ("pip", "uv", "poetry", "pdm", "conda", "mamba", "micromamba", "python", "pypy", "hatch", "pipenv", "rye")
_ONLY_PRINTS = ("--help", "-h", "--dry-run")


def parts_of(command: Command) -> Iterator[Effect]:
    """The effect of a command that runs our command line, if that changes anything."""
    words = words_of(command)
    verb = next((word for word in words if not word.startswith("-")), "")
    if verb in ANSWERS | CHANGES and not _only_shows(verb, words):
        act = "approve" if verb in ANSWERS else "operate"
        yield Effect(Act.GUARD, command.text, Place.SYSTEM, act, text=command.text, content=verb, command=command)


def reads_only(command: Command) -> bool:
    """Whether a command runs a subcommand of ours that only reads."""
    words = words_of(command)
    return next((word for word in words if not word.startswith("-")), "") in READS or tuple(words[:2]) in _LOOKS


def _only_shows(verb: str, words: Sequence[str]) -> bool:
    """Whether a run of ours changes nothing: it lists, prints help or a rehearsal, shows the service, or exports to
    standard output. A word behind an option may be that option's value (`--note --help`)."""
    pairs = zip(("", *words), words, strict=False)
    prints = any(word in _ONLY_PRINTS and (before[:1] != "-" or "=" in before) for before, word in pairs)
    if prints or tuple(words[:2]) in _LOOKS:
        return True
    named = [word for word in words if not word.startswith("-")]
    if verb == "records" and named[1:2] == ["export"]:
        return not any(word.startswith("--to") for word in words)
    return verb in ("records", "service") and (not named[1:] or named[1] == "show")


def words_of(command: Command) -> Sequence[str]:
    """The arguments of our program, whatever starts it; none if a command does not start it."""
    words = (command.program, *command.args)
    launches = command.program.startswith((*_MANAGERS, *RUNNERS))
    for number, word in enumerate(words if launches else words[:1]):
        if _names_program(word):
            return words[number + 1 :]
    return ()


def _names_program(word: str) -> bool:
    """Whether a word is our program: `supervisor`, `.venv/bin/supervisor`, its modules, or its main files."""
    name = word.rpartition("/")[2]
    return name in (PROGRAM, f"{PROGRAM}.__main__", f"{PROGRAM}.cli") or word.endswith(
        (f"/{PROGRAM}/__main__.py", f"/{PROGRAM}/cli/__init__.py")
    )
