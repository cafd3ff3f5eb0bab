"""Files of JSON lines, read one line at a time; what is malformed is reported with its place and skipped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from supervisor.errors import BadRecord
from supervisor.feedback.backtest.parts import WHOLE, Part
from supervisor.records.lines import lines_of

Report = Callable[[str, str], None]  # place, problem


def json_lines(path: Path, report: Report, part: Part = WHOLE) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Each object of a file of JSON lines, or of a part of it, with its place. A last line without its end is still
    being written."""
    try:
        for number, raw in lines_of(path, *part):
            place = f"{path}:{number}"
            if not raw.strip():
                continue
            try:
                value = orjson.loads(raw)
            except orjson.JSONDecodeError as error:
                unfinished = not raw.endswith(b"\n")
                report(place, "is still being written" if unfinished else f"is not JSON: {error}")
                continue
            if isinstance(value, Mapping):
                yield place, value
            else:
                report(place, "is no JSON object")
    except BadRecord as error:
        report(str(path), error.message)


def text_of(content: Any) -> str:
    """The text of a message: a string, or the texts of its parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else [content]
    texts = (part.get("text") for part in parts if isinstance(part, Mapping))
    return "\n".join(text for text in texts if isinstance(text, str))


def string(value: Any) -> str:
    """A string; "" for anything else."""
    return value if isinstance(value, str) else ""


def mapping(value: Any) -> Mapping[str, Any]:
    """An object; an empty one for anything else."""
    return value if isinstance(value, Mapping) else {}


def parsed(value: Any) -> Any:
    """The value of a JSON text, None if it is none; anything else as it is."""
    if not isinstance(value, str):
        return value
    try:
        return orjson.loads(value)
    except orjson.JSONDecodeError:
        return None
