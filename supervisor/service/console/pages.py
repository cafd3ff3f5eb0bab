"""Pages from templates. Jinja2 escapes every value; `visible` also shows characters that nobody would see."""

from __future__ import annotations

import functools
import sys
from datetime import UTC, datetime
from typing import Any

import orjson
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from supervisor.version import VERSION

_LONGEST = 100_000  # characters of one value


@functools.cache
def _templates() -> Environment:
    loader = PackageLoader("supervisor.service.console", "templates")
    made = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    made.filters |= {
        "visible": visible,
        "value": value,
        "whole": whole,
        "when": when,
        "at": at,
        "until": until,
        "number": number,
    }
    made.globals |= {"version": VERSION, "visit": None, "problem": ""}
    return made


def render(template: str, **values: Any) -> str:
    """A page."""
    return _templates().get_template(template).render(**values)


def visible(text: str | None, most: int = _LONGEST) -> Markup:
    """Text in which what would not be seen is: control characters, and those that change the order of the others, by
    which a command could read as another one. A text of more than `most` characters is cut, and says so."""
    shown = text or ""
    more = len(shown) - most
    shown = shown[:most]
    marked = escape(shown) if _is_plain(shown) else Markup("").join(map(_mark, shown))
    return marked + Markup('<em class="more">… {:,} more characters</em>').format(more) if more > 0 else marked


def _is_plain(text: str) -> bool:
    return all(each.isprintable() or each in "\n\t" for each in text)


def _mark(each: str) -> Markup:
    if each.isprintable() or each in "\n\t":
        return escape(each)
    return Markup('<mark title="U+{:04X}">{}</mark>').format(ord(each), ascii(each)[1:-1])


def value(anything: Any, most: int = _LONGEST) -> Markup:
    """A value of an action: text as it is, anything else as JSON."""
    if isinstance(anything, str):
        return visible(anything, most)
    return visible(orjson.dumps(anything, default=str, option=orjson.OPT_INDENT_2).decode(), most)


def whole(anything: Any) -> Markup:
    """The same, however long: nobody approves what is not shown."""
    return value(anything, sys.maxsize)


def when(time: str) -> str:
    """A recorded time, to the second."""
    return f"{time[:19].replace('T', ' ')} UTC"


def at(time: float) -> str:
    """Seconds since 1970 as a time, to the second."""
    return f"{datetime.fromtimestamp(time, UTC):%Y-%m-%d %H:%M:%S} UTC"


def until(time: str) -> str:
    """How long it is until a time: `4 minutes`."""
    left = (datetime.fromisoformat(time) - datetime.now(UTC)).total_seconds()
    return f"{max(left, 0) / 60:.0f} minutes" if left >= 90 else f"{max(left, 0):.0f} seconds"


def number(measured: float | None, form: str = "{:,}") -> str:
    """A number, or that there is none."""
    return "none" if measured is None else form.format(measured)
