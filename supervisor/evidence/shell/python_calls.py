"""Commands that Python code runs: `os.system("ls")`, `subprocess.run(["ls", path])`, `os.execvp(…)`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from supervisor.evidence.python import Call, Module, read
from supervisor.evidence.python.values import followed, is_true, text_of
from supervisor.evidence.reading.escapes import ansi_c
from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell.inner import Inner, word_set
from supervisor.evidence.shell.sdk_calls import commands_of_sdks

_SCRIPTS = word_set("os.system os.popen subprocess.getoutput subprocess.getstatusoutput commands.getoutput")
_SCRIPTS |= word_set("asyncio.create_subprocess_shell popen2.popen2 os.popen2 os.popen3 platform.popen")
_RUNS = word_set("run call check_call check_output Popen")
_VECTORS = word_set("asyncio.create_subprocess_exec os.execl os.execlp os.execle os.spawnl os.spawnlp")
_LISTED = word_set(
    "os.execv os.execvp os.execve os.execvpe os.posix_spawn os.posix_spawnp os.spawnv os.spawnvp pty.spawn"
)


_MOST_NESTED = 3  # texts within texts that are passed to `exec`


def commands_of_module(module: Module, depth: int = 0) -> Iterator[Inner]:
    """What Python code runs through `os`, `subprocess`, `asyncio` and `pty`, and through SDKs."""
    unpacked = b"from subprocess import *" in module.source
    for call in module.calls:
        name = call.name.removeprefix("?()").removeprefix("__import__().")
        head, _, method = name.rpartition(".")
        if name in _SCRIPTS or (head in ("", "__import__()") and method in ("system", "popen")):
            yield from _script_of(module, call.argument(0, "cmd", "command"))
        elif method in _RUNS and (head in ("subprocess", "sp", "__import__()") or (unpacked and not head)):
            yield from _run(module, call)
        elif name in _VECTORS:
            words = [_word(module, each) for each in call.positional]
            skipped = 0 if name.startswith("asyncio") else 2 if "spawn" in name else 1
            yield from _vector(words[skipped:])
        elif name in ("exec", "eval") and depth < _MOST_NESTED and call.positional:
            yield from commands_of_module(read(_word(module, call.positional[0])), depth + 1)
        elif name in _LISTED:
            yield from _listed(module, call.positional)
    yield from commands_of_sdks(module)


def _listed(module: Module, arguments: Sequence[Node]) -> Iterator[Inner]:
    """`os.execvp(program, [program, argument])`, `pty.spawn([program])`, `pty.spawn(program)`."""
    lists = [each for given in arguments if (each := followed(module, given)) and each.type in ("list", "tuple")]
    if lists:
        yield from _vector([_word(module, each) for each in lists[0].named_children])
    elif len(arguments) == 1:
        yield from _vector([_word(module, arguments[0])])


def _run(module: Module, call: Call) -> Iterator[Inner]:
    given = call.argument(0, "args")
    value = followed(module, given) if given is not None else None
    if value is None:
        return
    if value.type in ("list", "tuple"):
        words = [_word(module, each) for each in value.named_children]
        yield from _vector(words[:1] if is_true(module, call.keywords.get("shell")) else words)
    elif value.type == "call":
        yield from _split(module, value)
    else:
        yield from _script_of(module, value)


def _split(module: Module, call: Node) -> Iterator[Inner]:
    """`shlex.split("ls -l")`, `"ls -l".split()`, `"ls {}".format(path)`."""
    for child in call.named_children:
        inside = child.named_children[:1] if child.type in ("argument_list", "attribute") else []
        if inside and inside[0].type == "string":
            yield from _script_of(module, inside[0])
            return


def _script_of(module: Module, node: Node | None) -> Iterator[Inner]:
    if node is not None:
        script = _word(module, node)
        if script.strip(HOLE).strip():
            yield Inner(script=script, reads=False)


def _vector(words: list[str]) -> Iterator[Inner]:
    if words and words[0] != HOLE:
        yield Inner(tuple(words), reads=False)


def _word(module: Module, node: Node) -> str:
    """A text as far as the code determines it, its escapes decoded."""
    text = ansi_c(text_of(module, node))
    if text == HOLE and node.type == "call":  # `os.path.expanduser("~/x")`
        from supervisor.evidence.python.texts import texts_of  # loaded only if a call needs it

        return texts_of(module, node)[0]
    return text
