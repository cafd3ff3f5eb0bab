"""What calls in Python code do to files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from tree_sitter import Node

from supervisor.evidence.effects.code_texts import text_written
from supervisor.evidence.effects.effect import Act, Effect, Part, Where
from supervisor.evidence.python import Call, Module
from supervisor.evidence.python.texts import is_path, texts_of
from supervisor.evidence.reading.paths import HOLE


class CallReading(NamedTuple):
    """The acts that the effects of a call may have, and the function that reads them."""

    acts: frozenset[Act]
    read: Callable[[Call, Where], Iterable[Effect]]


def parts_of_module(module: Module, where: Where, *tables: Mapping[str, CallReading]) -> Iterator[Part]:
    """The effects of code that is run, for the calls that the tables list."""
    for call in module.calls:
        known = [table[call.name] for table in tables if call.name in table]
        for reading in known or filter(None, [METHODS.get(call.method)]):
            yield Part(reading.acts, partial(reading.read, call, where))


def _on(act: Act, node: Node | None, call: Call, where: Where, verb: str = "", whole: bool = False) -> Iterator[Effect]:
    """Effects on every path that an argument may name."""
    for text in texts_of(call.code, node) if node is not None else (HOLE,):
        yield where.on_path(act, text, call.text, verb, whole)


def _receiver(call: Call) -> Node | None:
    """What a method is called on."""
    function = call.node.child_by_field_name("function")
    return function.child_by_field_name("object") if function is not None else None


def _one(act: Act, verb: str = "", whole: bool = False, place: int = 0, reversible: bool = False) -> CallReading:
    """A function that does something to the path that one argument names."""

    def read(call: Call, where: Where) -> Iterator[Effect]:
        for effect in _on(act, call.argument(place, "path", "src", "filename", "name"), call, where, verb, whole):
            effect.reversible = reversible
            yield effect

    return CallReading(frozenset({act}), read)


def _from_to(act: Act, verb: str) -> CallReading:
    """A function that moves or copies: an effect on the source and one on the destination."""

    def read(call: Call, where: Where) -> Iterator[Effect]:
        yield from _on(act, call.argument(0, "src"), call, where, verb)
        yield from _on(Act.WRITE, call.argument(1, "dst"), call, where, verb or "replace")

    return CallReading(frozenset({act, Act.WRITE}), read)


def _opened(call: Call, where: Where, path: Node | None, mode: Node | None) -> Iterator[Effect]:
    modes = texts_of(call.code, mode)[0] if mode is not None else "r"
    verb = next((verb for letter, verb in _MODES.items() if letter in modes), "")
    for effect in _on(Act.WRITE if verb else Act.READ, path, call, where, verb):
        effect.content = text_written(call) if verb else None
        yield effect


def _open(call: Call, where: Where) -> Iterator[Effect]:
    return _opened(call, where, call.argument(0, "file"), call.argument(1, "mode"))


def _open_method(call: Call, where: Where) -> Iterator[Effect]:
    receiver = _receiver(call)
    if receiver is not None and is_path(call.code, receiver):
        yield from _opened(call, where, receiver, call.argument(0, "mode"))


def _method(act: Act, verb: str = "", certain: bool = False) -> CallReading:
    """A method of a path. `certain` means that only paths have a method of that name."""

    def read(call: Call, where: Where) -> Iterator[Effect]:
        receiver = _receiver(call)
        if receiver is not None and (certain or is_path(call.code, receiver)):
            for effect in _on(act, receiver, call, where, verb):
                given = call.argument(0, "data") if verb == "replace" else None
                effect.content = "\n".join(texts_of(call.code, given)).strip(HOLE) or None if given else None
                yield effect
            if act is Act.MOVE:
                yield from _on(Act.WRITE, call.argument(0, "target"), call, where, "move")

    return CallReading(frozenset({act, Act.WRITE} if act is Act.MOVE else {act}), read)


def _permitted(verb: str, setting: str) -> CallReading:
    """`os.chmod(path, mode)`; `content` is the mode in octal digits if it is a number."""

    def read(call: Call, where: Where) -> Iterator[Effect]:
        method = call.name.startswith("os.") or call.name.startswith("shutil.")
        path = call.argument(0, "path") if method else _receiver(call)
        value = call.argument(1 if method else 0, setting)
        for effect in _on(Act.PERMISSION, path, call, where, verb):
            effect.content = _octal(call.code.text(value)) if value is not None else ""
            yield effect

    return CallReading(frozenset({Act.PERMISSION}), read)


def _octal(number: str) -> str:
    digits = number.lower().removeprefix("0o")
    return digits if digits.isdigit() and digits != number else number


_MODES = {"w": "replace", "x": "replace", "a": "extend", "+": "edit"}
_FILES = frozenset({Act.READ, Act.WRITE})
_OPEN = CallReading(_FILES, _open)
CALLS = {
    **dict.fromkeys(("os.remove", "os.unlink"), _one(Act.DELETE)),
    "os.rmdir": _one(Act.DELETE, reversible=True),
    "os.removedirs": _one(Act.DELETE, reversible=True),
    "shutil.rmtree": _one(Act.DELETE, whole=True),
    **dict.fromkeys(("os.rename", "os.renames", "os.replace", "shutil.move"), _from_to(Act.MOVE, "move")),
    **dict.fromkeys(("shutil.copy", "shutil.copy2", "shutil.copyfile", "shutil.copytree"), _from_to(Act.READ, "")),
    **dict.fromkeys(("open", "io.open", "codecs.open", "gzip.open", "bz2.open", "lzma.open"), _OPEN),
    "os.truncate": _one(Act.WRITE, "truncate"),
    **dict.fromkeys(("os.mkdir", "os.makedirs"), _one(Act.WRITE, "make")),
    **dict.fromkeys(("os.symlink", "os.link"), _one(Act.WRITE, "link", place=1)),
    "os.chmod": _permitted("mode", "mode"),
    **dict.fromkeys(("os.chown", "shutil.chown"), _permitted("owner", "user")),
    "shutil.unpack_archive": _one(Act.WRITE, "unpack", whole=True, place=1),
}
METHODS = {
    "unlink": _method(Act.DELETE, certain=True),
    "write_text": _method(Act.WRITE, "replace", certain=True),
    "write_bytes": _method(Act.WRITE, "replace", certain=True),
    "symlink_to": _method(Act.WRITE, "link", certain=True),
    "touch": _method(Act.WRITE, "touch"),
    "mkdir": _method(Act.WRITE, "make"),
    "read_text": _method(Act.READ, certain=True),
    "read_bytes": _method(Act.READ, certain=True),
    "rename": _method(Act.MOVE, "move"),
    "replace": _method(Act.MOVE, "move"),
    "chmod": _permitted("mode", "mode"),
    "open": CallReading(_FILES, _open_method),
    "extractall": _one(Act.WRITE, "unpack", whole=True),
}
