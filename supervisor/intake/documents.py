"""Reading JSON and YAML that strangers wrote: limits first, then one clear error.

A number of JSON may have any size (RFC 8259, section 6), a record's has 64 bits. So an integer beyond them is read as
the text of its digits, and a number beyond a double as the text that stands there: both exactly, and never converted.

`json.loads` keeps the last of two equal keys, reads NaN and 1e999, and overflows the stack on deep nesting; each of
these lets a guard and an executor see different actions. YAML aliases multiply (the "billion laughs"), and its sets,
dates and keys that are no text have no place in a record, so they are refused.
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
_INT64_LENGTH = 20  # characters, a sign among them
_JSON_ERRORS = {  # how Python's own messages begin, and what they mean
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
    """An integer of JSON; its digits where it is beyond 64 bits."""
    if len(text) > _INT64_LENGTH:
        return text
    number = int(text)
    return number if _fits(number) else text


def real(text: str) -> float | str:
    """A number with a fraction or an exponent as the nearest double; the text itself where that is infinite."""
    number = float(text)
    return number if _fits(number) else text


NUMBERS: Mapping[str, Any] = {"parse_int": whole, "parse_float": real}  # for `json.loads`


def read_json(text: bytes | str, *, limit: int, numbers: Mapping[str, Any] = NUMBERS) -> Any:
    """One JSON value (RFC 8259) of at most `limit` bytes (characters, where it is a string).

    Raises BadInput for anything else, and for duplicate keys, NaN, lone surrogates, and nesting deeper than MAX_DEPTH.
    A number beyond 64 bits becomes text; with no `numbers`, it is refused: for what is to be written again.
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
    """Raises BadInput where a value made of JSON's types cannot be written as JSON and read back the same: nested
    deeper than MAX_DEPTH, a number beyond 64 bits, a lone surrogate."""
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
    """Whether a number can be written and read back the same."""
    return math.isfinite(number) if isinstance(number, float) else -_INT64 <= number < _INT64


def _check_surrogates(value: Any) -> None:
    """One pass in C finds that all is well; only what is not is looked for in Python."""
    try:
        orjson.dumps(value)
    except TypeError:
        place = next((place for place, text in strings_in(value) if not _is_unicode(text)), "")
        raise BadInput("holds a lone surrogate, half of a character", place=place, code="lone_surrogate") from None


def _is_unicode(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _plain(error: json.JSONDecodeError) -> str:
    return next((told for start, told in _JSON_ERRORS.items() if error.msg.startswith(start)), "malformed")


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise BadInput(f"the key {shown(key)} stands twice in one object", code="duplicate_key")
            seen.add(key)
    return found


def _no_constant(name: str) -> Any:
    raise BadInput(f"{name} is not JSON", code="not_json")


def read_yaml(path: Path, *, limit: int, error: type[SupervisorError]) -> Any:
    """One YAML document of at most `limit` bytes that says no more than JSON could. Raises `error`, naming file and
    line."""
    import yaml

    try:
        raw = read_file(path, limit)
    except OSError as failed:
        raise error(f"cannot be read: {failed.strerror}", place=str(path)) from None
    try:
        value = yaml.load(raw, Loader=_loader())  # noqa: S506 - a subclass of the safe loader
        check_json(value)
    except yaml.YAMLError as failed:
        mark = getattr(failed, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        problem = getattr(failed, "problem", None) or str(failed).splitlines()[0]
        raise error(f"not YAML{line}: {problem}", place=str(path)) from None
    except RecursionError:
        raise error("not YAML: nested too deeply", place=str(path)) from None
    except (BadInput, ValueError) as failed:
        raise error(f"not YAML: {failed}", place=str(path)) from None
    return value


def place_in(parts: Iterable[object]) -> str:
    """Where in a document something stands, as `budgets.kinds.shell`; a key that is not plain is quoted and cut."""
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
    """The safe loader for JSON's types alone: no aliases, no duplicate keys, and what looks like a date is text.

    libyaml tells the events where it is there, four times as fast; what they make is put together here all the same.
    """
    import yaml

    base: Any = _from_events_in_c() if yaml.__with_libyaml__ else yaml.SafeLoader

    def fail(problem: str, mark: Any) -> Exception:
        return yaml.constructor.ConstructorError(None, None, problem, mark)

    class Strict(base):  # type: ignore[misc]  # whichever of the two it is
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
