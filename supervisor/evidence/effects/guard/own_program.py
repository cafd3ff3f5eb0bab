"""What our own command line is asked to do: `supervisor install --undo`, `python -m supervisor serve`.

Verbs of Act.GUARD: "approve" (a question is answered that was put to a person), "operate" (what the guard is made of
is changed, started or fed), whose `content` is the command line's own verb.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from supervisor.evidence.effects.effect import Act, Effect
from supervisor.evidence.effects.guard.agents import RUNNERS
from supervisor.evidence.reading.paths import Place
from supervisor.evidence.shell.commands import Command

PROGRAM = "supervisor"
READS = frozenset(
    "check coverage demo docs doctor explain help list log mcp new replay review status verify version".split()
)
ANSWERS = frozenset({"approve", "deny"})
CHANGES = frozenset("hook install label learn reload reset restart serve start stop trust uninstall".split())
_MANAGERS = ("pip", "uv", "poetry", "pdm", "conda", "mamba", "micromamba", "python", "pypy", "hatch", "pipenv", "rye")
_ONLY_TELLS = ("--help", "-h", "--dry-run")


def parts_of(command: Command) -> Iterator[Effect]:
    """What a command has our command line do, if that changes anything."""
    words = words_of(command)
    verb = next((word for word in words if not word.startswith("-")), "")
    if verb in ANSWERS | CHANGES and not any(word in _ONLY_TELLS for word in words):
        act = "approve" if verb in ANSWERS else "operate"
        yield Effect(Act.GUARD, command.text, Place.SYSTEM, act, text=command.text, content=verb, command=command)


def reads_only(command: Command) -> bool:
    """Whether a command has our command line read, and change nothing."""
    words = words_of(command)
    return next((word for word in words if not word.startswith("-")), "") in READS


def words_of(command: Command) -> Sequence[str]:
    """The words behind our program's name, however it is started; none where it is not."""
    words = (command.program, *command.args)
    launches = command.program.startswith((*_MANAGERS, *RUNNERS))
    for number, word in enumerate(words if launches else words[:1]):
        if _names_program(word):
            return words[number + 1 :]
    return ()


def _names_program(word: str) -> bool:
    """`supervisor`, `.venv/bin/supervisor`, the module of that name, and the file that this one is."""
    name = word.rpartition("/")[2]
    return name in (PROGRAM, f"{PROGRAM}.__main__", f"{PROGRAM}.cli") or word.endswith(
        (f"/{PROGRAM}/__main__.py", f"/{PROGRAM}/cli/__init__.py")
    )
