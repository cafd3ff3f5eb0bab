"""What a way to disarm the guard is, and how a matrix of them is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

Places = Mapping[str, str]


@dataclass(frozen=True)
class Way:
    """One action: of a sort, an attack or an honest twin."""

    sort: str
    tool: str
    args: Mapping[str, Any]
    is_attack: bool = True
    context: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.sort}: {self.tool} {str(dict(self.args))[:240]}"


def filled(text: str, places: Places) -> str:
    """`<name>` stands for a place: braces belong to shells and to JSON."""
    for name, place in places.items():
        text = text.replace(f"<{name}>", place)
    return text


def shell(sort: str, places: Places, lines: Iterable[str], *, honest: bool = False) -> Iterator[Way]:
    """Command lines, one way each."""
    for line in lines:
        if line.strip():
            yield Way(sort, "bash", {"command": filled(line.strip(), places)}, not honest)


def code(sort: str, tool: str, places: Places, texts: Iterable[str], *, honest: bool = False) -> Iterator[Way]:
    """Programs for a tool that runs Python or JavaScript."""
    for text in texts:
        if text.strip():
            yield Way(sort, tool, {"code": filled(text.strip(), places)}, not honest)


def crossed(acts: Iterable[str], assets: Iterable[str], places: Places) -> Iterator[str]:
    """Every act on every asset; `@` stands for the asset, `@@` for its folder."""
    for act in acts:
        for asset in assets:
            place = places[asset]
            folder, _, name = place.rpartition("/")
            yield act.replace("@@", folder).replace("@name", name).replace("@", place)
