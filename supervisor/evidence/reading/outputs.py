"""What a tool returned as JSON values, in whatever format it is written: JSON in a string, in a fence or behind a
sentence, JSON lines, Markdown, CSV and HTML tables, `key: value` lines, YAML; without envelopes around it.

A format is only taken for one where the whole text has it, so that prose stays prose.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import orjson

from supervisor.errors import BadInput
from supervisor.evidence.reading.html_records import html_records
from supervisor.evidence.reading.scalars import scalar
from supervisor.intake.documents import read_json
from supervisor.intake.kinds import snake
from supervisor.intake.results import CONTENTS, is_success

MOST_READ = 16 * 1024  # characters of one output
_MOST_ROWS = 200
_LEAST_LINES = 3  # of a Markdown table
_MOST_LAYERS = 4  # of envelopes and strings around a value
_LONGEST_INTRODUCTION = 200  # characters of a sentence before JSON
_LEAST_BAD_STATUS = 400  # of HTTP
_ABOUT = frozenset("meta metadata count total page per_page next has_more request_id timestamp took elapsed_ms".split())
_FENCE = re.compile(r"\s*```\w{0,10}\n(.*)\n```\s*", re.DOTALL)
_INTRODUCED = re.compile(r"[^{\[\n]{0,200}[:.]\s*\n(?=[{\[])")
_PAIR = re.compile(r"(?:[-*•] )?\**\"?([^\W\d][\w .()/#-]{0,40}?)\"?\**\s?:\**[ \t]+(\S.{0,400})")
_RULE = re.compile(r"[|\s:+-]+")
_NAME = re.compile(r"[^\W\d][\w .()/#-]{0,40}")
_YAML = re.compile(r"\s*(?:- )*(?:[\"']?[\w .@/-]{1,60}[\"']?:(?:\s.*)?|- .+)")
_ANCHOR = re.compile(r"(?m)(?::|-)\s+[&*]\w")


def returned_values(output: Any) -> Any:
    """The values that an output holds; None for text that is in no format, and for one that is too long."""
    for _ in range(_MOST_LAYERS):
        opened = _opened(output)
        if opened is output:
            break
        output = opened
    if isinstance(output, list) and len(output) == 1 and isinstance(output[0], Mapping):
        return output[0]
    return output if isinstance(output, (Mapping, list)) else None


def says_failed(output: Any) -> bool:
    """Whether an output that holds an object says in a field of it that the call failed."""
    values = returned_values(output)
    if not isinstance(values, Mapping):
        return False
    status = values.get("status", values.get("statusCode", values.get("status_code")))
    if isinstance(status, int) and not isinstance(status, bool):
        return status >= _LEAST_BAD_STATUS
    if isinstance(status, str) and status.strip().lower() in ("failed", "failure", "error"):
        return True
    if any(values.get(name) is False for name in ("ok", "success")):
        return True
    return any(values.get(name) for name in ("error", "errors", "is_error", "isError"))


def _opened(output: Any) -> Any:
    """The same without one layer: a string around values, or an envelope."""
    if isinstance(output, str):
        read = read_text(output)
        return output if read is None else read
    if isinstance(output, Mapping):
        held = [name for name, each in output.items() if name in CONTENTS and isinstance(each, (Mapping, list, str))]
        if len(held) == 1 and all(_says_nothing(name, each) for name, each in output.items() if name != held[0]):
            content = output[held[0]]
            return content if not isinstance(content, str) or read_text(content) is not None else output
    return output


def _says_nothing(name: str, value: Any) -> bool:
    return name in _ABOUT or is_success(name, value)


def read_text(text: str) -> Any:
    """The values of a text; None if it is in no format."""
    text = text.strip()
    if not text or len(text) > MOST_READ:
        return None
    if fenced := _FENCE.fullmatch(text):
        text = fenced[1].strip()
    if text[:1] in '{["':
        parsed = _json(text)
        return parsed if parsed is not None or text[:1] == '"' else _json_lines(text)
    if introduced := _INTRODUCED.match(text[: _LONGEST_INTRODUCTION + 1]):
        return _json(text[introduced.end() :])
    if "<t" in text or "<dl" in text:
        return html_records(text)
    lines = text.splitlines()[: _MOST_ROWS * 8]
    return next((found for read in _READERS if (found := read(lines)) is not None), None)


def _json(text: str) -> Any:
    """The value of a JSON text; None if it is not JSON. orjson rejects numbers beyond a double, which JSON allows."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        pass
    try:
        return read_json(text, limit=MOST_READ)
    except BadInput:
        return None


def _json_lines(text: str) -> list[Any] | None:
    rows = []
    for line in islice(filter(str.strip, text.splitlines()), _MOST_ROWS):
        try:
            rows.append(json.loads(line))
        except (ValueError, RecursionError):
            return None
    return rows if len(rows) > 1 else None


def _markdown(lines: Sequence[str]) -> list[dict[str, Any]] | None:
    """The rows of a table whose second line is a rule."""
    lines = [line for line in lines if line.strip()]
    if len(lines) < _LEAST_LINES or "|" not in lines[0] or "-" not in lines[1] or not _RULE.fullmatch(lines[1]):
        return None
    return _rows([[cell.strip() for cell in _cells(line)] for line in (lines[0], *lines[2:])])


def _cells(line: str) -> list[str]:
    return line.strip().removeprefix("|").removesuffix("|").split("|")


def _csv(lines: Sequence[str]) -> list[dict[str, Any]] | None:
    """The rows of a table whose first line names its columns."""
    lines = [line for line in lines if line.strip()]
    if len(lines) < 2:
        return None
    separator = max(",;\t", key=lines[0].count)
    if not lines[0].count(separator):
        return None
    try:
        return _rows([[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=separator, strict=True)])
    except csv.Error:
        return None


def _rows(cells: Sequence[Sequence[str]]) -> list[dict[str, Any]] | None:
    """Each row as an object; None where the first row names no columns, or another has other cells."""
    head = cells[0]
    if len(set(head)) < len(head) or not all(_is_column(name) for name in head):
        return None
    if any(len(row) != len(head) for row in cells):
        return None
    names = [snake(name) for name in head]
    return [
        {name: scalar(cell) for name, cell in zip(names, row, strict=True) if cell} for row in cells[1 : _MOST_ROWS + 1]
    ]


def _is_column(name: str) -> bool:
    return bool(_NAME.fullmatch(name)) and len(name.split()) <= 4


def _pairs(lines: Sequence[str]) -> Any:
    """The object of `key: value` lines, or a list of those of several blocks."""
    blocks = [dict(block) for block in _blocks(lines)]
    if not blocks or any(len(block) < 2 and not _is_figure(block) for block in blocks):
        return None
    return blocks[0] if len(blocks) == 1 else blocks


def _is_figure(block: Mapping[str, Any]) -> bool:
    """Whether a single line is a value and no sentence: `matched: 31`."""
    return bool(block) and all(isinstance(value, (int, bool)) for value in block.values())


def _blocks(lines: Sequence[str]) -> Iterator[list[tuple[str, Any]]]:
    """The pairs of each block. A line that is no pair, or a name that occurs twice, ends all with an empty block."""
    block: dict[str, Any] = {}
    for line in (*lines, ""):
        if not line.strip():
            if block:
                yield list(block.items())
            block = {}
            continue
        pair = _PAIR.fullmatch(line.strip())
        name = snake(pair[1]) if pair else ""
        if pair is None or len(pair[1].split()) > 4 or name in block:
            yield []
            return
        block[name] = scalar(pair[2])


def _yaml(lines: Sequence[str]) -> Any:
    """The values of block YAML. Prose with a colon in it has lines without one."""
    kept = [line for line in lines if line.strip()]
    if len(kept) < 2 or not all(_YAML.fullmatch(line) for line in kept) or _ANCHOR.search("\n".join(kept)):
        return None
    if all(line.lstrip().startswith("- ") and ":" not in line for line in kept):
        return None  # a list of plain lines
    import yaml

    try:
        value = yaml.load("\n".join(lines), getattr(yaml, "CBaseLoader", yaml.BaseLoader))  # noqa: S506 - plain values
    except (yaml.YAMLError, RecursionError, ValueError):
        return None
    return _plain(value) if isinstance(value, (dict, list)) else None


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(name): _plain(each) for name, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list) else scalar(value)


_READERS: tuple[Callable[[Sequence[str]], Any], ...] = (_markdown, _csv, _pairs, _yaml)
