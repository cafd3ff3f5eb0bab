"""What the calls of JavaScript do to files, and the commands that they have a shell run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import NamedTuple

from supervisor.evidence.effects.effect import Act, Effect, Part, Where
from supervisor.evidence.javascript import Call, Program
from supervisor.evidence.javascript.texts import text_of
from supervisor.evidence.paths import HOLE


class CallReading(NamedTuple):
    """The acts that may be among the effects of a call, and how they are read."""

    acts: frozenset[Act]
    read: Callable[[Call, Where], Iterable[Effect]]


def parts_of_program(program: Program, where: Where) -> Iterator[Part]:
    """The effects of code that is run."""
    for call in program.calls:
        reading = CALLS.get(call.name)
        if reading:
            yield Part(reading.acts, partial(reading.read, call, where))


def commands_of(program: Program) -> Iterator[str | list[str]]:
    """What code has a shell run: a text, or the words of a command."""
    for call in program.calls:
        module, _, name = call.name.rpartition(".")
        if module not in ("child_process", "Bun", "zx") or name not in _RUNNERS:
            continue
        command = text_of(program, call.argument(0))
        if not command.strip(HOLE).strip():
            continue
        given = call.argument(1)
        if name.startswith("exec") and not name.startswith("execFile"):
            yield command
        elif given is not None and given.type == "array":
            yield [command, *(text_of(program, each) for each in given.named_children)]
        else:
            yield command if call.says(1, "shell") or call.says(2, "shell") else [command]


def _on(act: Act, call: Call, where: Where, place: int, verb: str = "", whole: bool = False) -> Effect:
    return where.on_path(act, text_of(call.program, call.argument(place)), call.text, verb, whole)


def _one(act: Act, verb: str = "", whole: bool = False, place: int = 0, reversible: bool = False) -> CallReading:
    """A function that does something to the path that one argument names; each of them, where that is an array."""

    def read(call: Call, where: Where) -> Iterator[Effect]:
        given = call.argument(place)
        for node in given.named_children if given is not None and given.type == "array" else [given]:
            tree = whole or (act is Act.DELETE and call.says(1, "recursive"))
            effect = where.on_path(act, text_of(call.program, node), call.text, verb, tree)
            effect.reversible = reversible and not tree
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
        number = call.program.text(setting).strip("'\"") if setting is not None else ""
        effect.content = number.removeprefix("0o")
        yield effect

    return CallReading(frozenset({Act.PERMISSION}), read)


_RUNNERS = frozenset({"exec", "execFile", "execFileSync", "execSync", "spawn", "spawnSync"})
# The functions of `fs`, each with its blocking and its promising twin; fs-extra and graceful-fs have them as well.
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
    **dict.fromkeys(("Deno.writeTextFile", "Deno.writeTextFileSync", "Bun.write"), _one(Act.WRITE, "replace")),
}
