"""File names as diffs spell them: quoted with octal escapes, with a time behind them, with components to take off."""

from __future__ import annotations

import re

_ESCAPES = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, '"': 34, "\\": 92}
_ESCAPED = re.compile(r"\\([0-3][0-7]{2}|.)", re.DOTALL)
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)', re.DOTALL)
# Behind a name that no tab ends: `2024-01-01 10:00:00.0 +0100`, or asctime's `Mon Jan  1 10:00:00 2024`.
_TIME = re.compile(
    r"\s+(?:\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?: [+-]\d{4})?"
    r"|\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4})\s*$"
)
_EPOCH = re.compile(r"\s(?:1970-01-01 |1969-12-31 |\w{3} (?:Jan  1|Dec 31) \d\d:\d\d:\d\d (?:1970|1969))")
_PREFIXES = ("a/", "b/", "c/", "i/", "o/", "w/", "1/", "2/")  # of git, also with `diff.mnemonicPrefix`
_NOWHERE = "/dev/null"


def named(told: str, strip: int | None) -> str | None:
    """The file that the rest of a `---` or `+++` line names; None where it is none."""
    name = _spelt(told)
    return None if name == _NOWHERE else _stripped(name, strip)


def is_nowhere(told: str) -> bool:
    """Whether such a line says that there is no file: by its name, or by the first second of 1970."""
    return _spelt(told) == _NOWHERE or _EPOCH.search(told) is not None


def bare(told: str, strip: int | None) -> str:
    """The file that `rename from` or its kin names: without the prefix that the other lines have."""
    name = _unquoted(told) if told.startswith('"') else told
    return _stripped(name, max((strip or 0) - 1, 0)) if strip is not None else name


def both(told: str, strip: int | None) -> str:
    """The one file that the line `diff --git a/name b/name` names twice; empty where it names two."""
    if told.startswith('"'):
        return _stripped(_unquoted(told), strip)
    if told.endswith('"') and ' "' in told:
        return _stripped(_unquoted(told[told.index(' "') + 1 :]), strip)
    for middle in (at for at, character in enumerate(told) if character == " "):
        first, second = _stripped(told[:middle], strip), _stripped(told[middle + 1 :], strip)
        if first == second:
            return second
    return ""


def _spelt(told: str) -> str:
    if told.startswith('"'):
        return _unquoted(told)
    name = told.partition("\t")[0]
    return _TIME.sub("", name).rstrip("\r") if "\t" not in told else name


def _unquoted(told: str) -> str:
    """A name in double quotes, as C has them: bytes in octal, of which UTF-8 makes characters."""
    quoted = _QUOTED.match(told)
    text = _ESCAPED.sub(_character, quoted[1] if quoted else told[1:])
    return text.encode("latin-1").decode("utf-8", "replace") if all(each < "\u0100" for each in text) else text


def _character(found: re.Match[str]) -> str:
    told = found[1]
    return chr(int(told, 8)) if told[0].isdigit() else chr(_ESCAPES.get(told, ord(told)))


def _stripped(name: str, strip: int | None) -> str:
    """A name without its first components; None takes off the prefixes of git alone."""
    if strip is None:
        return name[2:] if name.startswith(_PREFIXES) else name
    parts = re.split(r"/+", name)
    return "/".join(parts[strip:]) if len(parts) > strip else name
