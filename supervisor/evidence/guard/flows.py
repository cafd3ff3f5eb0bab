"""What code does to the guard's places through variables: a loop over their folder, a composed path.

Variables are followed in the source text. A variable leads to a place if its expression contains the place or another
variable that leads there, unless the expression reads the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from supervisor.action import Action, Context
from supervisor.evidence.actions.commands import RUNNERS
from supervisor.evidence.effects.guard.assets import PRIVATE, Assets
from supervisor.evidence.guard.calls import AnyCall, modules_of
from supervisor.evidence.guard.disarming import Disarming, How
from supervisor.evidence.guard.settings import changed_by_code
from supervisor.evidence.javascript.programs import Program
from supervisor.evidence.machine.assets import Sort
from supervisor.evidence.reading.paths import resolve
from supervisor.evidence.shell import shown

_OURS: frozenset[Sort] = frozenset({*PRIVATE, Sort.HOOKS, Sort.CODE})
_TEXT = re.compile(r"\"((?:[^\"\\\n]|\\.){0,256})\"|'((?:[^'\\\n]|\\.){0,256})'|`([^`$\n]{0,256})`")
_EACH = re.compile(r"\bfor\s*\(?\s*(?:const|let|var)?\s*([\w$]+)\s+(?:of\s+(.{1,2000}?)\)\s*[{\w]|in\s+(.{1,2000}?):)")
_SET = re.compile(r"(?:^|[;{(,\s])([A-Za-z_$][\w$]*)\s*=(?![=>])\s*([^\n;]{1,2000})", re.MULTILINE)
_READS = re.compile(r"read(?!dir|link)|load|parse\b|\bopen\s*\(|require\(")
_WALKS = re.compile(r"\brglob\b|\bos\.walk\b|\*\*|recursive|rmtree|rmSync")
_CHANGES = re.compile(
    r"(?:write|append)_?(?:file|text|bytes)?(?:Sync)?|truncate(?:Sync)?|unlink(?:Sync)?|rm(?:Sync|dir|tree|dirSync)?|remove"
    r"|removedirs|rename(?:Sync|s)?|move|chmod(?:Sync)?|createWriteStream|symlink(?:Sync)?|symlink_to",
    re.IGNORECASE,
)
_OPENS = re.compile(r"\bopen\s*\(\s*([^,()]{1,200}(?:\([^()]{0,200}\))?[^,()]{0,100}),\s*[\"'][rb]{0,2}[wax+]")
_OF_MODULES = re.compile(r"(?:os|shutil|fs|fsp|fs\.promises|fs/promises|node:fs|Deno|Bun)\b")
_MOVES_TO = re.compile(r"\bchdir\(\s*(['\"])([^'\"\n]{1,512})\1")
_MOST_NAMES = 64


def read(action: Action, context: Context, known: Assets) -> Iterator[Disarming]:
    """What an action's code does to the guard's places through variables. Raises Unreadable as `script` does."""
    for code, cwd in modules_of(action, context) if action.kind in RUNNERS else ():
        source = code.source.decode("utf-8", "replace")
        moved = _MOVES_TO.search(source)
        if moved is not None:
            cwd = resolve(moved[2], cwd)
        walks, moves = _WALKS.search(source) is not None, moved is not None
        led = {text: _sort_of(text, cwd, known, walks=walks, moves=moves) for text in dict.fromkeys(_texts(source))}
        sorts = {text: sort for text, sort in led.items() if sort is not None}
        if sorts and (set(sorts.values()) != {Sort.HOOKS} or changed_by_code(action, context) is None):
            yield from _changed(code.calls, _names(source, list(sorts)), _how(set(sorts.values())))


def _how(sorts: set[Sort]) -> How:
    return How.UNSEEN if sorts <= {Sort.HOOKS} else How.CHANGED


def _texts(source: str) -> Iterator[str]:
    found = (each[1] or each[2] or each[3] or "" for each in _TEXT.finditer(source))
    return (text for text in found if len(text) > 2)


def _sort_of(text: str, cwd: str, known: Assets, *, walks: bool, moves: bool) -> Sort | None:
    """The sort of the asset that a path leads to, or that it directly contains; of any asset below it if the code
    `walks` through folders. Without a slash a text is a path only if the code `moves` to another folder."""
    if "/" not in text and not text.startswith(".") and not moves:
        return None
    at_home = [f"~/{text.lstrip('/')}"] if text.lstrip("/").startswith(".") else []
    for each in (text, *at_home):
        path = resolve(each, cwd)
        found = known.at(path) or known.nearest(path)
        if found is None and walks and not known.is_home(path):
            found = known.below(path)
        if found is not None and found.sort in _OURS:
            return Sort(found.sort)
    return None


def _names(source: str, texts: list[str]) -> list[str]:
    """Patterns for the places as the code spells them, and for the variables that lead there."""
    bound = [(found[1], found[2] or found[3]) for found in _EACH.finditer(source)]
    bound += [(found[1], found[2]) for found in _SET.finditer(source)]
    marks = [re.escape(text) for text in texts]
    names: list[str] = []
    for _ in range(4):  # variables that are bound to variables
        led = re.compile("|".join([*marks, *(rf"(?<![\w.$]){re.escape(name)}(?![\w$])" for name in names)]))
        fresh = [name for name, value in bound if name not in names and led.search(value) and not _READS.search(value)]
        if not fresh or len(names) > _MOST_NAMES:
            break
        names += dict.fromkeys(fresh)
    return [*marks, *(rf"(?<![\w.$]){re.escape(name)}(?![\w$])" for name in names)]


def _changed(calls: tuple[AnyCall, ...], names: list[str], how: How) -> Iterator[Disarming]:
    led = re.compile("|".join(names))
    for call in calls:
        if any(led.search(place) for place in _places(call)):
            yield Disarming(how, f"runs `{shown(call.text)}`", shown(call.text))


def _places(call: AnyCall) -> Iterator[str]:
    """The source text of what a call changes: its first argument, or the object of the method."""
    arguments = call.node.child_by_field_name("arguments")
    first = arguments.named_children[0] if arguments is not None and arguments.named_children else None
    if call.method == "open" and (opened := _OPENS.search(call.text)):
        yield opened[1]
    elif _CHANGES.fullmatch(call.method):
        function = call.node.child_by_field_name("function")
        called_on = function.child_by_field_name("object") if function is not None else None
        if first is not None and (_OF_MODULES.match(call.name) or isinstance(call.code, Program)):
            yield call.code.text(first)
        elif called_on is not None:
            yield call.code.text(called_on)
