"""Reading untrusted JSON and YAML: limits first, then one clear error.

A JSON number may have any size (RFC 8259, section 6), but a number in a record has 64 bits. So an integer beyond 64
bits is read as the string of its digits, and a number beyond a double as its source text: exact, never converted.

`json.loads` keeps the last of two equal keys, reads NaN and 1e999, and overflows the stack on deep nesting. Each of
these lets a guard and an executor see different actions, so they are refused. In YAML, aliases (the "billion laughs"),
sets, dates and keys that are not strings are refused as well.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import orjson

from supervisor.action import strings_in
from supervisor.errors import BadInput, SupervisorError
from supervisor.intake.files import read_file
from supervisor.intake.json_values import MAX_DEPTH, shown

_INT64 = 1 << 63
_INT64_LENGTH = 20  # characters, the sign included
_JSON_ERRORS = {  # the beginnings of Python's messages, and what they mean
    "Expecting value": "a value is missing",
    "Expecting property name": "a key in double quotes is missing",
    "Expecting ':'": "a colon is missing",
    "Expecting ','": "a comma is missing",
    "Unterminated string": "a string is not closed; it begins",
    "Invalid control character": "a control character has to be escaped",
    "Invalid \\": "no such escape",
    "Extra data": "something follows the value",
}


def whole(text: str) -> int | str:
    """An integer of JSON; its digits as a string if it is beyond 64 bits."""
    if len(text) > _INT64_LENGTH:
        return text
    number = int(text)
    return number if _fits(number) else text


def real(text: str) -> float | str:
    """A number with a fraction or an exponent as the nearest double; the text itself if the double is infinite."""
    number = float(text)
    return number if _fits(number) else text


NUMBERS: Mapping[str, Any] = {"parse_int": whole, "parse_float": real}  # for `json.loads`


def read_json(text: bytes | str, *, limit: int, numbers: Mapping[str, Any] = NUMBERS) -> Any:
    """One JSON value (RFC 8259) of at most `limit` bytes (characters, if `text` is a string).

    Raises BadInput for anything else, and for duplicate keys, NaN, lone surrogates, and nesting deeper than MAX_DEPTH.
    A number beyond 64 bits becomes a string. With empty `numbers` it is refused: for documents that are written back.
    """
    if len(text) > limit:
        unit = "bytes" if isinstance(text, bytes) else "characters"
        raise BadInput(f"more than the {limit:,} {unit} allowed", code="too_large")
    try:
        decoded = text.decode("utf-8") if isinstance(text, bytes) else text
        if decoded.startswith("\ufeff"):
            raise BadInput("begins with a byte order mark; remove it", code="not_json")
        value = json.loads(decoded, object_pairs_hook=_without_duplicates, parse_constant=_no_constant, **numbers)
    except UnicodeDecodeError as error:
        raise BadInput(f"byte {error.start} is not UTF-8", code="not_utf8") from None
    except json.JSONDecodeError as error:
        raise BadInput(f"not JSON: {_plain(error)} at character {error.pos}", code="not_json") from None
    except RecursionError:
        raise BadInput(f"nested deeper than {MAX_DEPTH} levels", code="too_deep") from None
    except ValueError:  # an integer with more digits than Python converts
        raise BadInput("a number beyond 64 bits; send it as a string", code="number_too_large") from None
    check_json(value)
    return value


def check_json(value: Any) -> None:
    """Raises BadInput if a value of JSON types does not survive writing and reading: nested deeper than MAX_DEPTH, a
    number beyond 64 bits, a lone surrogate."""
    level = [value]
    for _ in range(MAX_DEPTH):
        below: list[Any] = []
        for node in level:
            if isinstance(node, dict):
                below.extend(node.values())
            elif isinstance(node, (list, tuple)):
                below.extend(node)
            elif isinstance(node, (int, float)) and not _fits(node):
                raise BadInput("a number beyond 64 bits; send it as a string", code="number_too_large")
        if not below:
            break
        level = below
    else:
        raise BadInput(f"nested deeper than {MAX_DEPTH} levels", code="too_deep")
    _check_surrogates(value)


def _fits(number: int | float) -> bool:
    """Whether a number survives writing and reading."""
    return math.isfinite(number) if isinstance(number, float) else -_INT64 <= number < _INT64


def _check_surrogates(value: Any) -> None:
    """Raises BadInput for a lone surrogate. One pass in C checks the value; Python searches only for the place."""
    try:
        orjson.dumps(value)
    except TypeError:
        place = next((place for place, text in strings_in(value) if not _is_unicode(text)), "")
        raise BadInput("contains a lone surrogate, half of a character", place=place, code="lone_surrogate") from None


def _is_unicode(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _plain(error: json.JSONDecodeError) -> str:
    return next((meaning for start, meaning in _JSON_ERRORS.items() if error.msg.startswith(start)), "malformed")


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    decoded = dict(pairs)
    if len(decoded) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise BadInput(f"the key {shown(key)} stands twice in one object", code="duplicate_key")
            seen.add(key)
    return decoded


def _no_constant(name: str) -> Any:
    raise BadInput(f"{name} is not JSON", code="not_json")


def read_yaml(path: str | Path, *, limit: int, error: type[SupervisorError], follow: bool = True) -> Any:
    """One YAML document of at most `limit` bytes that uses only JSON's types, and that is no symlink unless `follow`.
    Raises `error`, naming file, line and column."""
    import yaml

    try:
        raw = read_file(path, limit, follow=follow)
    except OSError as failed:
        raise error(f"cannot be read: {failed.strerror}", place=str(path)) from None
    try:
        value = yaml.load(raw, Loader=_loader())  # noqa: S506 - a subclass of the safe loader
        check_json(value)
    except yaml.YAMLError as failed:
        mark = getattr(failed, "problem_mark", None)
        where = f"{path}:{mark.line + 1}:{mark.column + 1}" if mark else str(path)
        problem = getattr(failed, "problem", None) or str(failed).splitlines()[0]
        problem = problem.replace("exceeded maximum nesting depth", "nested too deeply")  # by later parsers in C
        raise error(f"not YAML: {problem}", place=where) from None
    except RecursionError:
        raise error("not YAML: nested too deeply", place=str(path)) from None
    except (BadInput, ValueError) as failed:
        raise error(f"not YAML: {failed}", place=str(path)) from None
    return value


class YamlPlaces:
    """The places of keys and values in a YAML document that `read_yaml` accepts, for messages about them."""

    def __init__(self, raw: bytes) -> None:
        import yaml

        self._root: Any = yaml.compose(raw, Loader=_loader())
        self._known: dict[int, dict[object, tuple[Any, Any]]] = {}

    def of(self, path: Iterable[object], *, key: bool = False) -> tuple[int, int]:
        """The line and the column, both from 1, of the value at a path of keys and indices; with `key`, of its key.
        Where the path leads nowhere, those of the nearest value above."""
        node = found = self._root
        for part in path:
            key_node, below = self._below(node).get(part, (None, None))
            if below is None:
                break
            found, node = (key_node if key else below), below
        return (found.start_mark.line + 1, found.start_mark.column + 1) if found is not None else (1, 1)

    def _below(self, node: Any) -> dict[object, tuple[Any, Any]]:
        """The nodes below a node by key or index: that of the key, and that of the value."""
        import yaml

        if id(node) not in self._known:
            items = enumerate(node.value) if isinstance(node, yaml.SequenceNode) else ()
            pairs = node.value if isinstance(node, yaml.MappingNode) else ()
            self._known[id(node)] = {each.value: (each, value) for each, value in pairs if isinstance(each.value, str)}
            self._known[id(node)] |= {index: (value, value) for index, value in items}
        return self._known[id(node)]


def place_in(parts: Iterable[object]) -> str:
    """A place in a document, such as `budgets.kinds.shell`. A key that is not an identifier is quoted and cut."""
    plain = (part if isinstance(part, str) and part.isidentifier() else shown(part) for part in parts)
    return ".".join(plain)


def _from_events_in_c() -> Any:
    """The safe loader, with libyaml's parser instead of the one in Python."""
    from yaml._yaml import CParser
    from yaml.composer import Composer
    from yaml.constructor import SafeConstructor
    from yaml.resolver import Resolver

    class Fast(Composer, CParser, SafeConstructor, Resolver):
        def __init__(self, stream: bytes) -> None:
            CParser.__init__(self, stream)
            for part in (Composer, SafeConstructor, Resolver):
                part.__init__(self)

    return Fast


@functools.cache
def _loader() -> Any:
    """The safe loader for JSON's types only: no aliases, no duplicate keys, dates are strings.

    libyaml parses the events if it is installed, four times as fast; the values are built by the same code.
    """
    import yaml

    base: Any = _from_events_in_c() if yaml.__with_libyaml__ else yaml.SafeLoader

    def fail(problem: str, mark: Any) -> Exception:
        return yaml.constructor.ConstructorError(None, None, problem, mark)

    class Strict(base):  # type: ignore[misc]  # the base is known only at run time
        def compose_node(self, parent: Any, index: Any) -> Any:
            if self.check_event(yaml.AliasEvent):
                raise fail("aliases are not allowed", self.peek_event().start_mark)
            return super().compose_node(parent, index)

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:
            seen: set[str] = set()
            for key_node, _ in node.value:
                key = self.construct_object(key_node, deep=True)
                if not isinstance(key, str):
                    raise fail(f"the key {shown(key)} is not text; quote it", key_node.start_mark)
                if key in seen:
                    raise fail(f"the key {shown(key)} stands twice", key_node.start_mark)
                seen.add(key)
            return super().construct_mapping(node, deep=deep)

    tags = {f"tag:yaml.org,2002:{name}" for name in ("null", "bool", "int", "float", "str", "seq", "map")}
    Strict.yaml_constructors = {
        tag: make for tag, make in Strict.yaml_constructors.items() if tag in tags or tag is None
    }
    resolvers = Strict.yaml_implicit_resolvers.items()
    Strict.yaml_implicit_resolvers = {first: [each for each in found if each[0] in tags] for first, found in resolvers}
    return Strict
