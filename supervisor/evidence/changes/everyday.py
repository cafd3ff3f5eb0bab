"""Changes that no specialist needs to judge: changes of source files in the workspace, if no rule protects files and
the history is empty.

Half of the changes that agents make from a shell are `sed -i … src/x.py` and `rm reproduce.py`. The words alone show
that, in linear time; anything unusual is left to the parser.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from supervisor.action import Context
from supervisor.evidence.changes.rules import protects_files
from supervisor.evidence.changes.weakening import may_weaken
from supervisor.evidence.effects import files
from supervisor.evidence.effects.effect import Reading
from supervisor.evidence.effects.guard.assets import may_hold_asset
from supervisor.evidence.effects.key_files import meaning_of
from supervisor.evidence.reading.paths import Place, place_of, resolve
from supervisor.evidence.secrets.credentials import may_be_credential

_NAMED = """
.c .cc .cpp .css .go .h .hpp .html .java .js .jsx .kt .md .php .py .pyi .rb .rs .rst .scala .swift .ts .tsx .txt .vue
"""
_SOURCES = tuple(_NAMED.split())
_KEPT = ("bak", "backup", "dump", "snapshot")  # parts of the names of backup copies
_TESTS = ("test", "spec", "fixture", "snapshot")
_GLOB = frozenset("*?[~=")


class Everyday:
    """Decides for each command of a plain script whether it makes only everyday changes."""

    def __init__(self, context: Context) -> None:
        self._workspace = context.workspace
        self._cwd = context.cwd or "."
        self._facts = context.facts
        self._is_calm = not (context.history or protects_files(context))

    def follow(self, words: Sequence[str]) -> None:
        """Updates the directory in which the next command runs."""
        if words[0] == "cd" and len(words) == 2 and _GLOB.isdisjoint(words[1]) and words[1] != "-":
            self._cwd = resolve(words[1], self._cwd)
        elif words[0] in ("cd", "pushd", "popd", "chdir"):
            self._is_calm = False

    def covers(self, reading: Reading, words: Sequence[str]) -> bool:
        """Whether the effects of one reading of a command are only everyday changes."""
        if not self._is_calm or words[0] not in CHANGES or reading is not files.PROGRAMS[words[0]]:
            return False
        changed = CHANGES[words[0]](words[1:])
        return bool(changed) and all(map(self._is_source, changed))

    def _is_source(self, word: str) -> bool:
        path = resolve(word, self._cwd)
        lower = path.lower()
        if not lower.endswith(_SOURCES) or "/." in path or "packages/" in path or not _GLOB.isdisjoint(word):
            return False
        is_ours = place_of(path, self._workspace) is Place.WORKSPACE
        if not is_ours or may_be_credential(path) or meaning_of(path) is not None:
            return False
        return not may_hold_asset(path, self._facts)


def _edited(args: Sequence[str]) -> Sequence[str]:
    """The files of `sed -i SCRIPT FILE…`; empty if the script may remove a check or a file may be a test."""
    if len(args) < 3 or args[0] != "-i" or sum(word.startswith("-") for word in args) != 1:
        return ()
    names = args[2:]
    return () if may_weaken(args[1]) or _holds(names, _TESTS) else names


def _removed(args: Sequence[str]) -> Sequence[str]:
    """The files of `rm FILE…`; empty if a file has the name of a backup copy."""
    names = args[1:] if args[:1] == ["-f"] else args
    return () if any(name.startswith("-") for name in names) or _holds(names, _KEPT) else names


def _holds(names: Sequence[str], hints: Iterable[str]) -> bool:
    together = " ".join(names).lower()
    return any(hint in together for hint in hints)


CHANGES: dict[str, Callable[[Sequence[str]], Sequence[str]]] = {"sed": _edited, "rm": _removed}
