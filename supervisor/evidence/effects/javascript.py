"""What calls in JavaScript do to files and processes. `javascript_network` reads what they do over the network."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from supervisor.evidence.effects.effect import Act, Effect, Part, Where
from supervisor.evidence.javascript import Call, Program
from supervisor.evidence.javascript.texts import text_of
from supervisor.evidence.reading.paths import HOLE, Place


class CallReading(NamedTuple):
    """The acts that the effects of a call may have, and the function that reads them."""

    acts: frozenset[Act]
    read: Callable[[Call, Where], Iterable[Effect]]


def parts_of_program(program: Program, where: Where, *tables: Mapping[str, CallReading]) -> Iterator[Part]:
    """The effects of code that is run, for the calls that the tables list."""
    for call in (*program.calls, *program.constructions):
        for reading in (table[call.name] for table in tables if call.name in table):
            yield Part(reading.acts, partial(reading.read, call, where))


def _on(act: Act, call: Call, where: Where, place: int, verb: str = "", whole: bool = False) -> Effect:
    return where.on_path(act, text_of(call.code, call.argument(place)), call.text, verb, whole)


def _one(act: Act, verb: str = "", whole: bool = False, place: int = 0, reversible: bool = False) -> CallReading:
    """A function that does something to the path, or array of paths, that one argument names."""

    def read(call: Call, where: Where) -> Iterator[Effect]:
        given = call.argument(place)
        for node in given.named_children if given is not None and given.type == "array" else [given]:
            tree = whole or (act is Act.DELETE and call.is_set(1, "recursive"))
            effect = where.on_path(act, text_of(call.code, node), call.text, verb, tree)
            effect.reversible = reversible and not tree
            if verb in ("extend", "replace"):
                effect.content = text_of(call.code, call.argument(1)).strip(HOLE) or None
            yield effect

    return CallReading(frozenset({act}), read)


def _from_to(act: Act, verb: str) -> CallReading:
    def read(call: Call, where: Where) -> Iterator[Effect]:
        yield _on(act, call, where, 0, verb)
        yield _on(Act.WRITE, call, where, 1, verb or "replace")

    return CallReading(frozenset({act, Act.WRITE}), read)


def _permitted(verb: str) -> CallReading:
    def read(call: Call, where: Where) -> Iterator[Effect]:
        effect = _on(Act.PERMISSION, call, where, 0, verb)
        setting = call.argument(1)
        number = call.code.text(setting).strip("'\"") if setting is not None else ""
        effect.content = number.removeprefix("0o")
        yield effect

    return CallReading(frozenset({Act.PERMISSION}), read)


def _killed(call: Call, where: Where) -> Iterator[Effect]:
    """Reads the process ids -1 (all processes) and 1 (the first). Signal 0 only tests whether a process exists."""
    given, signal = call.argument(0), call.argument(1)
    target = call.code.text(given).replace(" ", "") if given is not None else ""
    if target in ("-1", "1") and (signal is None or call.code.text(signal) != "0"):
        name = "every process" if target == "-1" else target
        yield Effect(Act.PROCESS, name, Place.SYSTEM, "kill", target == "-1", text=call.text, command=where.command)


# The functions of `fs`, each with its synchronous and its promise form; fs-extra and graceful-fs have them as well.
_FUNCTIONS = {
    "rm": _one(Act.DELETE),
    "unlink": _one(Act.DELETE),
    "rmdir": _one(Act.DELETE, reversible=True),
    "writeFile": _one(Act.WRITE, "replace"),
    "appendFile": _one(Act.WRITE, "extend"),
    "truncate": _one(Act.WRITE, "truncate"),
    "mkdir": _one(Act.WRITE, "make"),
    "symlink": _one(Act.WRITE, "link", place=1),
    "rename": _from_to(Act.MOVE, "move"),
    "copyFile": _from_to(Act.READ, ""),
    "cp": _from_to(Act.READ, ""),
    "readFile": _one(Act.READ),
    "chmod": _permitted("mode"),
    "chown": _permitted("owner"),
    "createWriteStream": _one(Act.WRITE, "replace"),
    # fs-extra
    "remove": _one(Act.DELETE, whole=True),
    "emptyDir": _one(Act.DELETE, whole=True),
    "outputFile": _one(Act.WRITE, "replace"),
    "move": _from_to(Act.MOVE, "move"),
}
_TREES = ("rimraf", "rimraf.rimraf", "rimraf.sync", "rimraf.rimrafSync", "del", "del.sync", "del.deleteAsync")
CALLS = {
    **{
        f"{module}.{name}{ending}": reading
        for module in ("fs", "fs.promises", "fs-extra", "graceful-fs", "Deno")
        for name, reading in _FUNCTIONS.items()
        for ending in ("", "Sync")
    },
    **dict.fromkeys(_TREES, _one(Act.DELETE, whole=True)),
    **dict.fromkeys(("Deno.remove", "Deno.removeSync"), _one(Act.DELETE)),
    **dict.fromkeys(("process.kill", "Deno.kill"), CallReading(frozenset({Act.PROCESS}), _killed)),
    **dict.fromkeys(("Deno.readTextFile", "Deno.readTextFileSync"), _one(Act.READ)),
    **dict.fromkeys(("Deno.writeTextFile", "Deno.writeTextFileSync", "Bun.write"), _one(Act.WRITE, "replace")),
}
