"""Whether a pattern of a command also matches names that earlier outputs listed and that the user did not ask for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fnmatch import translate
from itertools import islice
from typing import Any

import re2

from supervisor.evidence.shell import HOLE
from supervisor.evidence.situation.deeds import Deed
from supervisor.evidence.situation.wider.filters import GRAVE, Beyond
from supervisor.evidence.situation.wider.request import Request, has_word
from supervisor.evidence.situation.wider.words import extents

_MOST_WORDS = 64
_LONGEST_NAME = 255
_MOST_PATTERNS = 24
_GLOB = re.compile(r"[\w@.+-]{2,}[\w@.+*?-]*[*?][\w@.+*?-]*|\*[\w@.+-]{3,}\*", re.ASCII)
_REGEX = re.compile(r"[\w@.+\\-]{2,60}?(?:\.\*|\.\+|\[[^\]\n]{1,20}\][*+]?)[\w@.+*\\$-]{0,40}", re.ASCII)
_LIKE = re.compile(r"(?i)\blike\s+['\"]([^'\"\n]{1,80})['\"]")
_MATCH = re.compile(r"(?i)-(?:i|c)?(?:like|match)\s+['\"]([^'\"\n]{1,80})['\"]")
_PART_OF_NAME = re.compile(
    r"\bgrep\s+(?:-(?!\w*v)\w+\s+)*['\"]?(\w[\w.-]{2,39})['\"]?\s*(?:\||\)|$)"
    r"|\b(?:findstr\s+(?:/(?!\w*v)\w+\s+){0,3}['\"]?|find\s+(?:/[ic]\s+){0,2}\"|select-string\s+(?:-(?:simplematch|pattern)\s+){0,2}['\"]?)"
    r"(\w[\w.-]{2,39})['\"]?\s*(?:\||['\")]|$)"
    r"|contains\(\w+,\s*['\"`]([\w.-]{3,40})|=([\w.-]{3,40})\*\)"
)
_SEARCHED = re.compile(
    r"\btest\(\s?\\?[\"']([^\"'\n]{2,80}?)\\?[\"']|\bgrep\s+-(?!\w*v)\w*[EP]\w*\s+['\"]([^'\"\n]{2,80})['\"]"
)
_FED = re.compile(
    r"(?i)\bxargs\b|\bwhile read\b|\bfor \w+ in \$\(|\bfor /f\b|\bforeach(?:-object)?\b|\blike\b"
    r"|\$\([^()\n]{1,120}\|\s?grep\b"
)
_NAME = re.compile(r"[A-Za-z][\w.-]{2,60}\w", re.ASCII)
_BY_ENDING = re.compile(r"\*(?:\.\w{2,8})?", re.ASCII)
_BY_TEXT = re.compile(r"\b(?:pgrep|pkill|killall)\s+(?:-\w+\s+)*['\"]?([\w./-]{3,60})")
_OF_LINE = re.compile(r"\bps\b[^;&\n]{0,80}\|\s*grep\s+(?:-\w+\s+)*['\"]?\[?([\w.\]-]{3,60})")
_MARKS = re.compile(r"[^a-z0-9]")
_LISTED_PROCESS = re.compile(r"^\s*\S*\s*\d{2,7}\s")
_NUMBERED = re.compile(r"\d+")
_VARIABLE = re.compile(r"([A-Za-z][\w.-]*?)\$\{?[A-Za-z]\w*")
_REWRITES = frozenset("rm sed gsed perl mv chmod chown shred unlink truncate".split())
_FILES = frozenset("rm rmdir unlink shred mv cp rsync find git tar zip ls del".split())
_RANGE = re.compile(r"\d ?(?:-|\u2013|to|bis|à|a|al|до|do|t/m|から|부터|到|~) ?\d", re.IGNORECASE)


def wider_patterns(deed: Deed, text: str, request: Request) -> Iterator[Beyond]:
    """The patterns of a deed that take more than the request names."""
    if deed.sort not in GRAVE | {"edit", "deploy", "push"}:
        return
    line = deed.command.text
    for pattern in islice(_patterns(deed, text), _MOST_PATTERNS):
        if found := _by_names(pattern, line, text, deed, request):
            yield found
    yield from _whole_directory(deed, request)
    if _FED.search(text):
        yield from _by_part(line, text, request)
    if deed.sort == "stop":
        yield from _by_lines(line, text, request)
    yield from _by_kinds(deed, text, request)


def siblings(deed: Deed, text: str, request: Request) -> Iterator[Beyond]:
    """Numbered names beside the one that the request names: `broker[0]`, `broker[1]`, `broker[2]`."""
    if deed.sort not in GRAVE | {"deploy"} or request.named.everything or _RANGE.search(request.text):
        return
    groups: dict[str, list[str]] = {}
    values = {
        value for option, value in zip(deed.command.args, deed.command.args[1:], strict=False) if option[:1] == "-"
    }
    for word in deed.targets:
        if HOLE not in word and word not in values and _NUMBERED.search(word) and not word.startswith("/"):
            stem = _NUMBERED.sub("#", word)
            groups.setdefault(stem if stem != "#" else "#" * len(word), []).append(word)
    for stem, words in groups.items():
        if stem in ("#", "##"):
            continue
        asked = [word for word in words if _is_numbered_in(word, request)]
        unasked = [word for word in words if word not in asked]
        if len(words) > 1 and len(asked) == 1 and unasked:
            yield Beyond(unasked[0], deed.command.text, asked[0], tuple(unasked[:3]))


def built_names(command_text: str, text: str, request: Request) -> Iterator[Beyond]:
    """A loop over `node$i` where the request names `node7` alone."""
    if request.named.everything or _RANGE.search(request.text) or "for " not in text or "$" not in command_text:
        return
    for stem in islice(_VARIABLE.findall(command_text), _MOST_WORDS):
        alike = [
            word for word in re.findall(r"[\w.-]*\w", request.text) if re.fullmatch(re.escape(stem) + r"\d+", word)
        ]
        if len(set(alike)) == 1 and len(stem) >= 2 and not has_word(text, alike[0]):
            yield Beyond(f"{stem}…", command_text, alike[0])


def _is_numbered_in(word: str, request: Request) -> bool:
    """Whether the request has a name, its last part, or its last number."""
    last = re.split(r"[/:=]", word)[-1]
    numbers = _NUMBERED.findall(last)
    return request.names(last) or (len(numbers) == 1 and int(numbers[0][:9]) in request.named.numbers)


def _quiet() -> Any:
    """Options under which an expression that RE2 cannot read is no line on standard error."""
    options = re2.Options()
    options.log_errors = False
    return options


_QUIET = _quiet()


class _Pattern:
    """A pattern of a command: how it is written, and what it matches."""

    def __init__(self, written: str, regex: str) -> None:
        self.written = written
        self._regex: Any = re2.compile(f"(?is){regex}", _QUIET)

    def matches(self, name: str) -> bool:
        return self._regex.fullmatch(name) is not None


def _patterns(deed: Deed, text: str) -> Iterator[_Pattern]:
    """The patterns of names in a deed and in what selects for it."""
    for word in islice(deed.targets, _MOST_WORDS):
        for part in re.split(r"[/\\,](?=[\w*])", word.rstrip("/")) if "\\." not in word else (word,):
            if "\\" in part or ".*" in part or ".+" in part:
                if _REGEX.fullmatch(part):
                    yield from _compiled(part, part)
            elif (("*" in part or "?" in part) and len(part) <= _LONGEST_NAME and _GLOB.fullmatch(part)) or (
                deed.sort in ("push", "deploy") and _BY_ENDING.fullmatch(part)
            ):
                yield from _compiled(part, _of_glob(part))
    for one, other in _SEARCHED.findall(text) if _FED.search(text) else ():
        regex = (one or other).replace("\\\\", "\\")
        before, after = "" if regex.startswith("^") else ".*", "" if regex.endswith("$") else ".*"
        yield from _compiled(one or other, f"{before}(?:{regex}){after}")
    for each in _LIKE.findall(text):
        if "%" in each:
            yield from _compiled(each, _of_glob(each.replace("%", "*").replace("_", "?")))
    for each in _MATCH.findall(text):
        yield from _compiled(each, _of_glob(each) if "*" in each and ".*" not in each else f".*(?:{each}).*")


def _of_glob(glob: str) -> str:
    return "".join({"*": ".*", "?": "."}.get(letter) or re.escape(letter) for letter in glob)


def _compiled(written: str, regex: str) -> Iterator[_Pattern]:
    try:
        yield _Pattern(written, regex)
    except re2.error:
        return  # a pattern in another dialect selects nothing here


def _by_names(pattern: _Pattern, line: str, text: str, deed: Deed, request: Request) -> Beyond | None:
    if pattern.written in request.text or request.named.everything:
        return None
    is_shown = False
    for names in request.outputs:
        shown = [name for name in names if pattern.matches(name)]
        asked = [name for name in shown if _is_asked(name, request)]
        unasked = [name for name in shown if name not in asked and not _is_part(name, asked)]
        if asked and unasked and not _describes(pattern.written, asked, deed):
            return Beyond(pattern.written, line, asked[0], tuple(unasked[:3]))
        if not asked and (kind := _by_kind(pattern.written, shown, request)):
            return Beyond(pattern.written, line, kind[0], kind[1])
        is_shown = is_shown or bool(shown)
    if is_shown or deed.command.program in _FILES:
        return None
    looser = [name for name in request.named.names if len(name) > 3 and pattern.matches(name)]
    return Beyond(pattern.written, line, looser[0]) if looser and not any(name in text for name in looser) else None


def _by_kind(written: str, shown: list[str], request: Request) -> tuple[str, tuple[str, ...]] | None:
    """A word of the request that is a part of some matched names and not of the others, and some of the others: the
    debug indices, of which `logs-*-10` is not the only sort."""
    parts = {name: frozenset(_MARKS.split(name.casefold())) for name in shown}
    spoken = request.kinds.intersection(*[frozenset().union(*parts.values())]) if parts else frozenset[str]()
    if not spoken or any(word in written.casefold() for word in spoken):
        return None
    others = tuple(name for name in shown if not parts[name] & spoken)
    return (min(spoken), others[:3]) if others and len(others) < len(shown) else None


def _whole_directory(deed: Deed, request: Request) -> Iterator[Beyond]:
    """All files of a directory, of whose listed ones the request names some by all their parts: "the old mill" and
    `old-mill`, `new-mill`."""
    if request.named.everything or deed.command.program not in _REWRITES:
        return
    said = frozenset(word.casefold() for word in request.words)
    for word in deed.targets[:_MOST_WORDS]:
        folder = word.removesuffix("/*")
        if folder == word or len(folder) < 2:
            continue
        for command, names in request.listings:
            shown = [name for name in names if not name.isdigit()] if has_word(command, folder.rstrip("/")) else []
            asked = [name for name in shown if request.names(name) or said.issuperset(_telling_parts(name))]
            others = tuple(name for name in shown if name not in asked)
            if asked and others:
                yield Beyond(word, deed.command.text, asked[0], others[:3])
                return


def _telling_parts(name: str) -> set[str]:
    """The parts of a name with two or more; itself as none of them, so that a plain word is no name."""
    parts = {part for part in _MARKS.split(name.casefold().partition(".")[0]) if part}
    return parts if len(parts) > 1 else {""}


def _describes(written: str, asked: list[str], deed: Deed) -> bool:
    """Whether what the request says is a plain word for files of a sort: `cache*` for the cache files."""
    return deed.command.program in _FILES and asked == [written.strip("*")] and asked[0].isalpha()


def _is_part(name: str, asked: Iterable[str]) -> bool:
    return any(name in each for each in asked)


def _is_asked(name: str, request: Request) -> bool:
    """Whether the request names it, or has a pattern that it matches."""
    patterns = request.patterns
    return (
        request.names(name)
        or any(re.match(translate(each), name) for each in patterns)
        or any(_is_version_of(name, each) for each in islice(_NAME.findall(request.text), _MOST_WORDS))
    )


def _is_version_of(name: str, thing: str) -> bool:
    """Whether a file is a named thing in some version: `parser-2.1.0.tar.gz` for `parser`."""
    rest = name.removeprefix(thing)
    return rest != name and len(thing) > 3 and bool(re.match(r"[-_.]v?\d", rest))


def _by_part(line: str, text: str, request: Request) -> Iterator[Beyond]:
    """By a part of a name: `grep 441`, `contains(name, 'fy26')`, `uid=lager*`, although other names have it too."""
    for part in (next(filter(None, each)) for each in _PART_OF_NAME.findall(text)):
        for names in request.outputs:
            matched = [name for name in names if part in name]
            asked = [name for name in matched if request.names(name)]
            unasked = [name for name in matched if name not in asked and len(name) > len(part)]
            if asked and unasked and not any(part == name for name in asked if len(asked) > 1):
                yield Beyond(part, line, asked[0], tuple(unasked[:3]))
                break


def _by_lines(line: str, text: str, request: Request) -> Iterator[Beyond]:
    """By a word that the lines of several processes have, of which the request names one."""
    for part in (*_BY_TEXT.findall(text), *_OF_LINE.findall(text)):
        part = part.replace("]", "")
        shown = [each for each in request.lines if part in each and "pgrep" not in each and "grep" not in each]
        shown = [each for each in shown if _LISTED_PROCESS.match(each)]
        names = [word for word in re.findall(r"[\w./-]*\w", request.text) if _is_telling(word, part)]
        asked = [each for each in shown if any(_plain(name) in _plain(each) for name in names)]
        unasked = [each for each in shown if each not in asked]
        if asked and unasked and not request.named.everything:
            yield Beyond(part, line, asked[0].strip()[:80], tuple(each.strip()[:60] for each in unasked[:3]))


def _is_telling(word: str, part: str) -> bool:
    return len(word) >= 5 and bool(re.search(r"[\d._/-]", word)) and _plain(word) != _plain(part)


def _plain(text: str) -> str:
    return _MARKS.sub("", text.casefold())


def _by_kinds(deed: Deed, text: str, request: Request) -> Iterator[Beyond]:
    """Kinds of files beside those that the request names, of which an output showed some: `*.tmp *.pst`."""
    if deed.sort != "delete" or not request.context.history:
        return
    kinds = dict.fromkeys(re.findall(r"\*\.(\w{2,8})\b", text))
    asked = [kind for kind in kinds if _is_kind_asked(kind, request)]
    stems = [word for word in deed_words(text) if request.names(word)]
    if len(kinds) + len(stems) < 2 or not (asked or stems) or request.named.everything:
        return
    for kind in kinds:
        if kind not in asked:
            taken = [name for name in request.shown if name.casefold().endswith(f".{kind.casefold()}")]
            if taken and not any(request.names(name) for name in taken):
                yield Beyond(f"*.{kind}", deed.command.text, (asked or stems)[0], tuple(taken[:3]))


def deed_words(text: str) -> list[str]:
    """The plain names in a list of names and patterns: `bin,obj,*.db`."""
    lists = re.findall(r"[\w*.]+(?:,[\w*.]+)+", text[:8192])
    return [word for each in lists for word in each.split(",") if "*" not in word and len(word) > 2]


def _is_kind_asked(kind: str, request: Request) -> bool:
    folded = request.text.casefold()
    words = extents("kinds").get(kind.casefold(), "")
    return f".{kind.casefold()}" in folded or request.names(kind) or any(each in folded for each in words.split())
