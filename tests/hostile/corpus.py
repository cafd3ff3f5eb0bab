"""Everything hostile, in one list."""

from __future__ import annotations

from collections.abc import Iterator

from tests.hostile import (
    database,
    injection,
    javascript,
    model_server,
    patterns,
    places,
    proposals,
    python,
    secrets,
    shell,
    specialists,
    sql,
    unicode,
    web_server,
    wire_server,
)
from tests.hostile.inputs import Input

ENGINES = (
    *(
        "shell",
        "python",
        "javascript",
        "sql",
        "patterns",
        "classifier",
        "secrets",
        "provenance",
        "paths",
        "web",
        "rules",
        "git",
    ),
    *("cloud", "writes", "proposals", "specialists"),
)
DOORS = ("clock", "database", "http", "model")
_SOURCES = (
    *(shell, python, javascript, sql, patterns, injection, secrets, places, unicode, proposals),
    *(database, wire_server, web_server, model_server, specialists),
)


def corpus() -> list[Input]:
    """All inputs, by what they are aimed at."""
    found = [each for source in _SOURCES for each in source.inputs()]
    return sorted(found, key=lambda each: (*ENGINES, *DOORS).index(each.engine))


def chunks(first: int, others: int) -> Iterator[tuple[str, list[Input]]]:
    """The corpus in parts of inputs aimed at the same, each with a name: the first of each aim has `first` inputs, the
    others at most `others`."""
    whole = corpus()
    for engine in (*ENGINES, *DOORS):
        inputs = [each for each in whole if each.engine == engine]
        starts = [0, *range(first, len(inputs), others)]
        for number, (start, end) in enumerate(zip(starts, [*starts[1:], None], strict=True), 1):
            yield f"{engine}-{number}", inputs[start:end]
