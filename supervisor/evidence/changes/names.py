"""The names by which a user may mean a target, and where a text has one as itself.

A name is not the name of what contains it: `db/orders@monday` does not name `db/orders`, nor `/srv/a/b` the folder
`/srv/a`.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator

from supervisor.evidence.changes.clauses import fold
from supervisor.evidence.reading.paths import HOLE

__all__ = [
    "has_name",
    "has_object",
    "is_covered",
    "is_described",
    "is_place",
    "looped",
    "names_of",
    "places_of",
]

_LABEL = re.compile(r"^[a-z_]+=~?[\"']?(?=\w)")
_PORT = re.compile(r"(?<=[a-z\d]):\d{2,5}[\"']?$")


@functools.lru_cache(maxsize=512)
def names_of(target: str) -> tuple[str, ...]:
    """The names by which a user may mean a target: the path and its ends, the name without its ending; of
    `instance=web-1:9100` the host."""
    bare = _PORT.sub("", _LABEL.sub("", fold(target.strip().strip("/~*\"'").removesuffix(".*"))))
    if not bare or HOLE in target or len(bare) < 2:
        return ()
    parts = [part for part in bare.split("/") if part]
    ends = ["/".join(parts[at:]) for at in range(min(len(parts), 12))]
    last = parts[-1]
    stem = last.rpartition(".")[0]
    more = [stem] if len(stem) > 2 and "." in last[1:] and "@" not in last else []
    if "@" in last[2:]:
        more.append(f"{last.partition('@')[0]}@")  # "forward it to ann@"
    return tuple(name for name in dict.fromkeys([*ends, *more]) if len(name) > 1)


def has_name(text: str, names: Iterable[str]) -> bool:
    """Whether a folded text contains one of these names as itself, not as a part of a longer name."""
    return any(_is_whole(text, found, len(name)) for name in names for found in places_of(text, name))


def has_object(text: str, names: Iterable[str]) -> bool:
    """Whether a text contains one of these names, other than as the place of something that it names besides: "the
    record 'old' in example.org" is about the record."""
    for name in names:
        for at in places_of(text, name):
            if _is_whole(text, at, len(name)) and not (_IN.search(text[:at]) and _QUOTED.search(text[:at])):
                return True
    return False


_IN = re.compile(
    r"\b(?:in|from|within|im|aus|dans|en|em|no|na|nel|nella|dalla|w|z|из|в|uit)\s+(?:the |der |dem |la |le |el |o |a )?"
    r"[\"'`]?$"
)
_QUOTED = re.compile(r"[\"'`«“][^\"'`»”]{2,80}[\"'`»”]")


def places_of(text: str, name: str) -> Iterator[int]:
    """Each place of a name in a text."""
    at = text.find(name)
    while at >= 0:
        yield at
        at = text.find(name, at + 1)


def _is_whole(text: str, at: int, length: int) -> bool:
    before, after = text[max(0, at - 2) : at], text[at + length : at + length + 2]
    joined = before[-1:].isascii() and (before[-1:].isalnum() or before[-1:] in ("_", "-", "@"))
    inside = before.endswith("/") and before not in ("./", "~/", "/") and not before[:1].isspace()
    goes_on = after[:1].isascii() and (after[:1].isalnum() or after[:1] in ("_", "-"))
    deeper = after[:1] in ("/", "@", ".") and len(after) > 1 and (after[1].isalnum() or after[1] in "*_")
    return not (joined or inside or goes_on or deeper)


# Before the name of what contains a thing.
_OF = re.compile(
    r"\b(?:of|in|from|within|on|von|aus|im|in der|de|du|des|del|da|do|das|dos|di|dal"
    r"|z|van|uit|из|в)\s+(?:the |der |dem |la |le |el |o |a )?"
    r"[\"'`]?$"
)
_MARKED = re.compile(r"(?<![\w.-])(?=[\w.-]*\d)(?=[\w.-]*[a-z])[\w-]*[\w.-]*\w(?![\w-])")


def is_place(text: str, names: Iterable[str]) -> bool:
    """Whether a clause has a name only as that of what contains other things that it names: "remove v1.2 of the
    repository web"."""
    name = next((each for each in names if has_name(text, (each,))), "")
    before = text[: text.find(name)] if name else ""
    return bool(_OF.search(before) and _MARKED.search(before))


_LONG_NUMBER = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+){0,8}-(\d{4,10})$")  # `shop-pr-1182`, "PR 1182"


def is_described(text: str, target: str) -> bool:
    """Whether all words of a compound name occur in a text: `vm-114-disk-0`, "the disk of VM 114"."""
    last = fold(target).rpartition("/")[2]
    number = _LONG_NUMBER.search(last)
    if number and re.search(rf"(?<![\w.-]){number[1]}(?![\w-])", text):
        return True
    words = [word for word in re.findall(r"[a-z]+|\d+", last) if len(word) > 1]
    spoken = re.findall(r"[a-z]+|\d+", text)
    return len(words) > 1 and set(words) <= {*spoken, *(word.removesuffix("s") for word in spoken)}


_LOOP = re.compile(r"\bfor \w+ in ([^;\n]{1,600}?)\s*(?:;|\n)\s*do\b")


def is_covered(text: str, target: str) -> bool:
    """Whether a folded text has a name with a `*` at its end, as users write it (`logs-2025.*`), that a target begins
    with. A pattern that has folders covers what is in these folders alone."""
    path = fold(target)
    name = path.rpartition("/")[2]
    return any((path if "/" in found else name).startswith(found) for found in _PATTERN.findall(text))


_PATTERN = re.compile(r"(?<![\w*])([~\w./:-]{5,100})\*(?![\w*])")  # shorter ones begin too many names


def looped(text: str) -> list[str]:
    """The values that the first loop of a folded script goes through, where they stand in it."""
    loop = _LOOP.search(text)
    return loop[1].split() if loop and "$" not in loop[1] else []
