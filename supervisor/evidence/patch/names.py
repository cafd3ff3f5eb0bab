"""File names in diffs: quoted with octal escapes, followed by a time, with leading components to strip."""

from __future__ import annotations

import re

_ESCAPES = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, '"': 34, "\\": 92}
_ESCAPED = re.compile(r"\\([0-3][0-7]{2}|.)", re.DOTALL)
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)', re.DOTALL)
# After a name that no tab ends: `2024-01-01 10:00:00.0 +0100`, or asctime's `Mon Jan  1 10:00:00 2024`.
_TIME = re.compile(
    r"\s+(?:\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?: [+-]\d{4})?"
    r"|\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4})\s*$"
)
_EPOCH = re.compile(r"\s(?:1970-01-01 |1969-12-31 |\w{3} (?:Jan  1|Dec 31) \d\d:\d\d:\d\d (?:1970|1969))")
_PREFIXES = ("a/", "b/", "c/", "i/", "o/", "w/", "1/", "2/")  # of git, also with `diff.mnemonicPrefix`
_NOWHERE = "/dev/null"


def named(spelling: str, strip: int | None) -> str | None:
    """The file that the rest of a `---` or `+++` line names; None for /dev/null."""
    name = _spelt(spelling)
    return None if name == _NOWHERE else _stripped(name, strip)


def is_nowhere(spelling: str) -> bool:
    """Whether the rest of such a line means that there is no file: by its name, or by the time 0 of Unix."""
    return _spelt(spelling) == _NOWHERE or _EPOCH.search(spelling) is not None


def bare(spelling: str, strip: int | None) -> str:
    """The file that `rename from` and similar headers name, without the prefix that other lines have."""
    name = _unquoted(spelling) if spelling.startswith('"') else spelling
    return _stripped(name, max((strip or 0) - 1, 0)) if strip is not None else name


def both(spelling: str, strip: int | None) -> str:
    """The file that the rest of `diff --git a/name b/name` names twice; empty if it names two files."""
    if spelling.startswith('"'):
        return _stripped(_unquoted(spelling), strip)
    if spelling.endswith('"') and ' "' in spelling:
        return _stripped(_unquoted(spelling[spelling.index(' "') + 1 :]), strip)
    for middle in (at for at, character in enumerate(spelling) if character == " "):
        first, second = _stripped(spelling[:middle], strip), _stripped(spelling[middle + 1 :], strip)
        if first == second:
            return second
    return ""


def _spelt(spelling: str) -> str:
    if spelling.startswith('"'):
        return _unquoted(spelling)
    name = spelling.partition("\t")[0]
    return _TIME.sub("", name).rstrip("\r") if "\t" not in spelling else name


def _unquoted(spelling: str) -> str:
    """A name in double quotes with C escapes: octal bytes, decoded as UTF-8."""
    quoted = _QUOTED.match(spelling)
    text = _ESCAPED.sub(_character, quoted[1] if quoted else spelling[1:])
    return text.encode("latin-1").decode("utf-8", "replace") if all(each < "\u0100" for each in text) else text


def _character(found: re.Match[str]) -> str:
    escape = found[1]
    return chr(int(escape, 8)) if escape[0].isdigit() else chr(_ESCAPES.get(escape, ord(escape)))


def _stripped(name: str, strip: int | None) -> str:
    """A name without its first components; None removes only the prefixes of git."""
    if strip is None:
        return name[2:] if name.startswith(_PREFIXES) else name
    parts = re.split(r"/+", name)
    return "/".join(parts[strip:]) if len(parts) > strip else name
