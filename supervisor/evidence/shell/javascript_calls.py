"""Commands that JavaScript runs: `execSync("ls")`, `spawn("ls", [path])`, `new Deno.Command("ls")`, `` $`ls` ``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from supervisor.evidence.javascript import Call, Program
from supervisor.evidence.javascript.texts import text_of
from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell.inner import Inner, word_set
from supervisor.evidence.shell.javascript_sdks import commands_of_sdks

_SCRIPTS = word_set("exec execSync")
_VECTORS = word_set("execFile execFileSync spawn spawnSync execa execaSync")
_MODULES = word_set("child_process Bun execa cross-spawn shelljs")
_BARE = word_set("execa execa.execa execa.sync execa.execaCommand cross-spawn cross-spawn.sync shelljs.exec")
_TAGS = word_set("$ Bun.$ bun.$ zx.$ zx execa.$ dax.$")
_DENO = word_set("Deno.Command Deno.run")


def commands_of_program(program: Program) -> Iterator[Inner]:
    """What JavaScript runs through `child_process` and its equivalents in Node, Bun and Deno, and through SDKs."""
    for call in program.calls:
        module, _, name = call.name.rpartition(".")
        given = call.node.child_by_field_name("arguments")
        if given is not None and given.type == "template_string":
            if call.name in _TAGS:
                yield from _script(text_of(program, given))
        elif call.name in ("execa.execaCommand", "shelljs.exec") or (module == "child_process" and name in _SCRIPTS):
            yield from _script(text_of(program, call.argument(0)))
        elif (module in _MODULES and name in _VECTORS) or call.name in _BARE:
            yield from _started(program, call)
        elif call.name in _DENO:
            yield from _vector(_words(program, call.option(0, "cmd")))
    for new in program.constructions:
        if new.name in _DENO:
            yield from _vector([text_of(program, new.argument(0)), *_words(program, new.option(1, "args"))])
    yield from commands_of_sdks(program)


def _started(program: Program, call: Call) -> Iterator[Inner]:
    """A program with an array of arguments, or (Bun) one array of both; with `shell`, one script."""
    first, second = _followed(program, call.argument(0)), _followed(program, call.argument(1))
    if first is not None and first.type == "array":
        yield from _vector(_words(program, first))
    elif second is not None and second.type == "array":
        words = [text_of(program, first), *_words(program, second)]
        yield from _script(" ".join(words)) if call.is_set(2, "shell") else _vector(words)
    elif call.is_set(1, "shell") or call.is_set(2, "shell"):
        yield from _script(text_of(program, first))
    else:
        yield from _vector([text_of(program, first)])


def _words(program: Program, node: Node | None) -> list[str]:
    given = _followed(program, node)
    return [text_of(program, each) for each in given.named_children] if given is not None else []


def _followed(program: Program, node: Node | None) -> Node | None:
    """A value; for a name, the value assigned to it."""
    if node is None or node.type != "identifier":
        return node
    return program.values.get(program.text(node), node)


def _script(script: str) -> Iterator[Inner]:
    if script.strip(HOLE).strip():
        yield Inner(script=script, reads=False)


def _vector(words: Sequence[str]) -> Iterator[Inner]:
    if words and words[0] and words[0] != HOLE:
        yield Inner(tuple(words), reads=False)
