"""Other formats of what earlier steps returned, that hold the same values."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import yaml

from supervisor.catalog.failure_mode import Case
from tests.generality.calls.judging import history_of, with_history

Format = Callable[[Any], Any]
_NO_VALUE = object()
_PAIR = re.compile(r"([A-Za-z][\w .-]{0,40}):\s+(\S.*)")


def _is_plain(value: object) -> bool:
    return value is None or isinstance(value, (str, int, float))


def _is_flat(value: object) -> bool:
    return isinstance(value, Mapping) and bool(value) and all(map(_is_plain, value.values()))


def _is_table(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_flat, value))


def _columns(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    return list(dict.fromkeys(str(name) for row in rows for name in row))


def _cell(value: Any) -> str:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _rows(value: Any) -> list[Mapping[str, Any]] | None:
    """The rows of a table, or one flat object as its only row; None for what no table holds."""
    rows = value if _is_table(value) else [value] if _is_flat(value) else None
    if rows is None or any("\n" in _cell(each) or "|" in _cell(each) for row in rows for each in row.values()):
        return None
    return rows


def _tabular(write: Callable[[list[Mapping[str, Any]]], str], columns: int = 1) -> Format:
    """A table of at least so many columns: one of a single column is a list of lines."""

    def made(value: Any) -> Any:
        rows = _rows(value)
        return _NO_VALUE if rows is None or len(_columns(rows)) < columns else write(rows)

    return made


def _markdown(rows: list[Mapping[str, Any]]) -> str:
    names = _columns(rows)
    lines = [names, ["---"] * len(names), *([_cell(row.get(name)) for name in names] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _csv(rows: list[Mapping[str, Any]], delimiter: str = ",") -> str:
    names, written = _columns(rows), io.StringIO()
    writer = csv.writer(written, delimiter=delimiter, lineterminator="\n")
    writer.writerows([names, *([_cell(row.get(name)) for name in names] for row in rows)])
    return written.getvalue()


def _lines(rows: list[Mapping[str, Any]]) -> str:
    return "\n\n".join("\n".join(f"{name}: {_cell(value)}" for name, value in row.items()) for row in rows)


def _titled_lines(rows: list[Mapping[str, Any]]) -> str:
    """The lines as people write them: `Order ID: A-1`."""
    said = [{str(name).replace("_", " ").capitalize(): value for name, value in row.items()} for row in rows]
    return _lines(said)


def _html_table(rows: list[Mapping[str, Any]]) -> str:
    names = _columns(rows)
    head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
    body = "".join(
        f"<tr>{''.join(f'<td>{html.escape(_cell(row.get(name)))}</td>' for name in names)}</tr>" for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _html_list(rows: list[Mapping[str, Any]]) -> str:
    return "\n".join(
        f"<dl>{''.join(f'<dt>{html.escape(str(n))}</dt><dd>{html.escape(_cell(v))}</dd>' for n, v in row.items())}</dl>"
        for row in rows
    )


def _jsonl(value: Any) -> Any:
    return "\n".join(json.dumps(row) for row in value) if _is_table(value) and len(value) > 1 else _NO_VALUE


def _reordered(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _reordered(each) for name, each in reversed(value.items())}
    return [_reordered(each) for each in value] if isinstance(value, list) else value


FORMATS: dict[str, Format] = {
    "JSON text": lambda value: json.dumps(value, ensure_ascii=False),
    "indented JSON text": lambda value: json.dumps(value, indent=2),
    "JSON in a string of JSON": lambda value: json.dumps(json.dumps(value)),
    "JSON in a fence": lambda value: f"```json\n{json.dumps(value, indent=2)}\n```",
    "JSON after a sentence": lambda value: f"Here is what was found:\n{json.dumps(value)}",
    "JSON lines": _jsonl,
    "keys reordered": _reordered,
    "envelope data": lambda value: {"status": "ok", "data": value},
    "envelope result": lambda value: {"success": True, "result": value},
    "envelope in JSON text": lambda value: json.dumps({"ok": True, "data": value}),
    "MCP content": lambda value: {"content": [{"type": "text", "text": json.dumps(value)}], "isError": False},
    "MCP blocks": lambda value: [{"type": "text", "text": json.dumps(value)}],
    "list of one": lambda value: _NO_VALUE if isinstance(value, list) else [value],
    "YAML": lambda value: yaml.safe_dump(value, allow_unicode=True, sort_keys=False),
    "Markdown table": _tabular(_markdown),
    "CSV": _tabular(_csv, columns=2),
    "CSV with semicolons": _tabular(lambda rows: _csv(rows, ";"), columns=2),
    "key: value lines": _tabular(_lines),
    "lines for people": _tabular(_titled_lines),
    "HTML table": _tabular(_html_table),
    "HTML list": _tabular(_html_list),
}
TEXT_FORMATS: dict[str, Format] = {
    "text in MCP content": lambda text: {"content": [{"type": "text", "text": text}], "isError": False},
    "text in MCP blocks": lambda text: [{"type": "text", "text": text}],
    "text in an envelope": lambda text: {"status": "ok", "result": text},
    "text in JSON text": lambda text: json.dumps({"output": text}),
}


def reformattings(case: Case) -> Iterator[tuple[str, Case]]:
    """The same case, the outputs of its history in another format each time."""
    steps = history_of(case)
    values = [_value_of(step.get("output")) for step in steps]
    for title, write in FORMATS.items():
        made = [_NO_VALUE if value is _NO_VALUE else write(value) for value in values]
        if any(each is not _NO_VALUE for each in made):
            yield title, _with_outputs(case, made)
    texts = [step.get("output") if value is _NO_VALUE else None for step, value in zip(steps, values, strict=True)]
    for title, write in TEXT_FORMATS.items():
        made = [write(text) if isinstance(text, str) and text.strip() else _NO_VALUE for text in texts]
        if any(each is not _NO_VALUE for each in made):
            yield title, _with_outputs(case, made)


def _value_of(output: Any) -> Any:
    """The values of an output that is JSON, or lines of `key: value` alone."""
    if isinstance(output, (Mapping, list)):
        return output
    if not isinstance(output, str):
        return _NO_VALUE
    if output.strip()[:1] in ("{", "["):
        try:
            return json.loads(output)
        except ValueError:
            return _NO_VALUE
    pairs = [_PAIR.fullmatch(line.strip()) for line in output.strip().splitlines()]
    if len(pairs) > 1 and all(pairs):
        found = {pair[1]: pair[2] for pair in pairs if pair}
        return found if len(found) == len(pairs) else _NO_VALUE
    return _NO_VALUE


def _with_outputs(case: Case, outputs: Sequence[Any]) -> Case:
    """The case with some outputs of its history replaced. Steps that are no objects stay."""
    made, steps = iter(outputs), []
    for step in case.context.get("history") or []:
        if isinstance(step, Mapping):
            output = next(made)
            step = step if output is _NO_VALUE else {**step, "output": output}
        steps.append(step)
    return with_history(case, steps)
