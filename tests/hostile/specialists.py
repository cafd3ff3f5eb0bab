"""A third party's folder: one specialist for each file of misdeeds, and two healthy ones as a control."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

import yaml

from tests.catalog.taxonomies import entry
from tests.hostile import misdeeds
from tests.hostile.inputs import Input, acts

MARK = {"marker": "here"}
CONTROLS = {"cloud": "control_first", "web": "control_last"}  # first and last of all in catalogue order
DOORS = "doors"  # the file whose misdeeds are `async def`
HARMLESS = "git status"
CAUGHT = "rm -rf /etc"  # what a healthy specialist, asked after the hostile ones, has to object to

_CONTROL = '''\
"""Flags every action that carries the marker."""

from supervisor.specialist import Action, Context, Opinion, flag, ok, refuse, specialist


@specialist("*")
def {id}(action: Action, context: Context) -> Opinion:
    marker = action.args.get("marker")
    if marker is None:
        return refuse("there is no marker")
    return flag("The marker is here.") if marker == "here" else ok()
'''
_HOSTILE = """

from supervisor.specialist import Action, Context, Opinion, block, ok, specialist


@specialist("{kind}")
{define} {id}(action: Action, context: Context) -> Opinion:
    misdeed = globals().get(action.args.get("misdeeds", {{}}).get("{file}"))
    if misdeed:
        return {call}
    return block("It is there.") if "forbidden" in action.text("{part}") else ok()
"""


def files() -> list[str]:
    """The names of the files of misdeeds."""
    return [each.name for each in iter_modules(misdeeds.__path__)]


def misdeeds_in(file: str) -> list[str]:
    """The misdeeds that a file holds, in the order written."""
    module = _module(file)
    made_here = (value for value in vars(module).values() if getattr(value, "__module__", "") == module.__name__)
    return [value.__name__ for value in made_here if inspect.isfunction(value) and not value.__name__.startswith("_")]


def inputs() -> Iterator[Input]:
    """Every misdeed alone, some of them together, and again and again."""
    for file in files():
        for misdeed in misdeeds_in(file):
            yield _input(f"{file}, {misdeed}", {file: misdeed})
    for name, together in _TOGETHER.items():
        yield _input(name, together)
    for name, (file, misdeed, times) in _AGAIN.items():
        for number in range(times):
            yield _input(f"{name}, {number}", {file: misdeed})


def _input(name: str, asked: dict[str, str]) -> Input:
    if DOORS in asked:
        return acts("specialists", name, "http_get", partial(dict, url="https://example.org/", misdeeds=asked))
    args = partial(dict, command=CAUGHT, misdeeds=asked)
    spoils = CONTROLS["web"] if asked.get("process") in _SPOILING else ""
    return acts("specialists", name, "bash", args, caught="recursive_delete_outside_workspace", spoils=spoils)


_SPOILING = ("change_the_action", "patch_builtins", "poison_the_memo", "scribble_on_descriptors")
_TOGETHER = {
    "several hang at once": {"loops": "loop", "in_c": "sum_in_c", "signals": "ignore_alarm_and_loop"},
    "several crash at once": {
        "crashes": "read_null",
        "memory": "allocate_at_once",
        "signals": "block_signals_and_loop",
    },
    "all nine at once": {
        "answers": "answer_a_trap",
        "crashes": "kill_itself",
        "in_c": "match_backtracking",
        "loops": "loop_that_catches",
        "memory": "allocate_without_end",
        "process": "close_descriptors",
        "raised": "raise_talkative",
        "remains": "leave_an_orphan",
        "signals": "block_signals_and_loop",
    },
}
_AGAIN = {
    "a growing list": ("memory", "grow_each_time", 8),
    "a crash": ("crashes", "exit_at_once", 8),
    "a loop": ("loops", "loop_that_catches", 6),
    "children left": ("remains", "leave_a_child", 4),
}


def write(folder: Path) -> Path:
    """Writes the folder that a policy names."""
    for family, control in CONTROLS.items():
        _add(folder, family, control, _CONTROL.format(id=control), "marker")
    for file in files():
        id, through_doors = hostile_id(file), file == DOORS
        kind, part = ("http", "url") if through_doors else ("shell", "command")
        define, call = ("async def", "await misdeed(context)") if through_doors else ("def", "misdeed(action)")
        tail = _HOSTILE.format(id=id, file=file, kind=kind, part=part, define=define, call=call)
        _add(folder, "conduct", id, inspect.getsource(_module(file)) + tail, part)
    return folder


def hostile_id(file: str) -> str:
    """The specialist that commits the misdeeds of a file."""
    return f"misdeeds_in_{file}"


def _module(file: str) -> ModuleType:
    return import_module(f"{misdeeds.__name__}.{file}")


def _add(folder: Path, family: str, id: str, source: str, part: str) -> None:
    described = entry(id, verdict="flag" if part == "marker" else "block", cases=_CASES[part])
    texts = {f"taxonomy/{family}/{id}.yaml": yaml.safe_dump(described), f"specialists/{family}/{id}.py": source}
    for place, text in texts.items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_text(text, encoding="utf-8")


def _cases(tool: str, caught: dict[str, Any], let_through: dict[str, Any], refused: dict[str, Any]) -> dict[str, Any]:
    def cases(tool: str, args: dict[str, Any], count: int) -> list[dict[str, Any]]:
        because = "the word decides"
        return [{"tool": tool, "args": args | {"number": number}, "because": because} for number in range(count)]

    return {"caught": cases(tool, caught, 3), "let_through": cases(tool, let_through, 3), "refused": [refused]}


_NOT_ASKED = {"tool": "sql", "args": {"query": "SELECT 1"}, "because": "another kind of action"}
_CASES = {
    "marker": _cases("note", MARK, {"marker": "there"}, _NOT_ASKED),
    "command": _cases("bash", {"command": "echo forbidden"}, {"command": "echo"}, _NOT_ASKED),
    "url": _cases("http_get", {"url": "https://forbidden.example/"}, {"url": "https://example.org/"}, _NOT_ASKED),
}
