"""Reading JSON and YAML that strangers wrote: limits first, then one clear error.

`json.loads` keeps the last of two equal keys, reads NaN, and overflows the stack on deep nesting; each of these lets
a guard and an executor see different actions. YAML aliases multiply (the "billion laughs"), so they are refused.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from supervisor.errors import BadInput, SupervisorError

MAX_DEPTH = 128
_INT64 = 1 << 63


def read_json(text: bytes | str, *, limit: int) -> Any:
    """One JSON value (RFC 8259) of at most `limit` bytes.

    Raises BadInput for anything else, and for duplicate keys, NaN, lone surrogates, integers beyond 64 bits, and
    nesting deeper than MAX_DEPTH.
    """
    if len(text) > limit:
        raise BadInput(f"{len(text):,} bytes, more than the {limit:,} allowed", code="too_large")
    try:
        decoded = text.decode("utf-8") if isinstance(text, bytes) else text
        value = json.loads(decoded, object_pairs_hook=_without_duplicates, parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        raise BadInput(f"byte {error.start} is not UTF-8", code="not_utf8") from None
    except json.JSONDecodeError as error:
        raise BadInput(f"not JSON: {error.msg} at character {error.pos}", code="not_json") from None
    except RecursionError:
        raise BadInput(f"nested deeper than {MAX_DEPTH} levels", code="too_deep") from None
    except ValueError as error:  # an integer with more digits than Python converts
        raise BadInput(f"not JSON: {error}", code="not_json") from None
    check_depth(value)
    return value


def check_depth(value: Any) -> None:
    """Raises BadInput where a JSON value is nested deeper than MAX_DEPTH or holds an integer beyond 64 bits."""
    level = [value]
    for _ in range(MAX_DEPTH):
        below: list[Any] = []
        for node in level:
            if isinstance(node, dict):
                below.extend(node.values())
            elif isinstance(node, (list, tuple)):
                below.extend(node)
            elif isinstance(node, int) and not -_INT64 <= node < _INT64:
                raise BadInput("an integer beyond 64 bits; send it as a string", code="integer_too_large")
        if not below:
            return
        level = below
    raise BadInput(f"nested deeper than {MAX_DEPTH} levels", code="too_deep")


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise BadInput(f"the key {key!r} stands twice in one object", code="duplicate_key")
            seen.add(key)
    return found


def _no_constant(name: str) -> Any:
    raise BadInput(f"{name} is not JSON", code="not_json")


def read_yaml(path: Path, *, limit: int, error: type[SupervisorError]) -> Any:
    """One YAML document of at most `limit` bytes, plain values only. Raises `error`, naming file and line."""
    import yaml

    try:
        raw = path.read_bytes()
    except OSError as failed:
        raise error(f"cannot be read: {failed.strerror}", place=str(path)) from None
    if len(raw) > limit:
        raise error(f"{len(raw):,} bytes, more than the {limit:,} allowed", place=str(path))
    try:
        return yaml.load(raw, Loader=_loader())  # noqa: S506 - a subclass of the safe loader
    except yaml.YAMLError as failed:
        mark = getattr(failed, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        problem = getattr(failed, "problem", None) or str(failed).splitlines()[0]
        raise error(f"not YAML{line}: {problem}", place=str(path)) from None
    except (RecursionError, ValueError) as failed:
        raise error(f"not YAML: {failed or 'nested too deeply'}", place=str(path)) from None


def _loader() -> Any:
    """The safe loader, without aliases and duplicate keys."""
    import yaml

    class Strict(yaml.SafeLoader):
        def compose_node(self, parent: Any, index: Any) -> Any:
            if self.check_event(yaml.AliasEvent):
                raise yaml.constructor.ConstructorError(
                    None, None, "aliases are not allowed", self.peek_event().start_mark
                )
            return super().compose_node(parent, index)

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:
            keys = [self.construct_object(key, deep=True) for key, _ in node.value]
            for number, key in enumerate(keys):
                if key in keys[:number]:
                    mark = node.value[number][0].start_mark
                    raise yaml.constructor.ConstructorError(None, None, f"the key {key!r} stands twice", mark)
            return super().construct_mapping(node, deep=deep)

    return Strict
