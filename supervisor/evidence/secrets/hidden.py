"""Values that are masked only as a precaution: at a secret's place, without an issuer's format."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from typing import Any

from supervisor.evidence.secrets.chance import RARE, is_random
from supervisor.evidence.secrets.formats import HIDDEN, compiled
from supervisor.evidence.secrets.names import SECRET_NAME, is_chosen, is_public
from supervisor.evidence.secrets.opaque import LEAST, Sort, kind_of
from supervisor.evidence.secrets.options import secrets_in_options, words_after
from supervisor.evidence.secrets.places import HASH, PLACES, Place, Reader
from supervisor.evidence.secrets.values import LONGEST, Value, line_at, value_at
from supervisor.regexes import compile_later

Hidden = tuple[int, int, str]


_PAIR = compile_later(rb"([\w.-]+)=(\"?)([^\s;,\"']+)")
_HOST = compile_later(rb"@(?:[\w.-]+|\[[0-9a-fA-F:]+\])(?=[:/?#,\s\"'`<>)\\]|$)")
_AUTHORITY = compile_later(rb"[^\s\"'<>`]*")
_ELEMENT = compile_later(rb"[^<\n]+")
_PHRASE = compile_later(rb"[\"'`]?((?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})\b")
_ATTRIBUTES = frozenset((b"path", b"domain", b"expires", b"max-age", b"samesite", b"secure", b"httponly", b"version"))
_MOST_ROWS = 200
_LEAST_COOKIE = 8
_TAG_NAME = compile_later(rb"(?s)[ >].*")
# What precedes the name of a program that is called, and not only mentioned.
_COMMAND = compile_later(
    rb"(?:^|[;|&(`{\"'\n,\[>$#:/]|\b(?:sudo|doas|env|time|exec|nohup|xargs|then|do|else|if|while|RUN|CMD|run|use"
    rb"|--|\w+=\S*)[ \t])"
    rb"[ \t]*$"
)
_ENDS = (b"", b"\n", b"\r", b'"', b"'", b",", b";", b")", b"&")
_PARTS = compile_later(rb"[;|&()<>$,]")
_SETTING = compile_later(rb"[ \t]*(?:[-#;][ \t]+)?(?:export[ ]+)?[\w.$:-]*")
# A name assigned to itself, an empty or a short word: most of what follows a secret's name in code.
_DULL = compile_later(
    rb"[\\\"'`=:]{0,4}(?:(?i:password|passwd|pass|pwd|secret|token|api|access|client|user|auth|key|new|old|my"
    rb"|the|self|this"
    rb"|str|string|none|null|true|false)s?[_.-]*)+(?:[\s,;:=|&)\]}\"'`]|$)|[\"'`][a-z_]{0,3}[\"'`]|[a-z_]{1,3}(?:\s|$)"
    rb"|[:=]*(?!\w*(?i:" + RARE.encode() + rb"))[a-z_.]+[^\w.\r\n-]"
)
_LINE_END = compile_later(rb"[ \t]*(?:\r?\n|$)")


def hidden_in(raw: bytes, numbers: list[int], claim: Callable[[], None]) -> Iterator[Hidden]:
    """The values at the places with these numbers, each as (start, end, type of its token).

    `claim` is called for each place that is read, and may raise.
    """
    for number in sorted(numbers):
        if number == len(PLACES):
            for found in _hashes().finditer(raw):
                claim()
                yield *max(map(found.span, (1, 2, 3))), HIDDEN
            continue
        place, read, begins = PLACES[number], _READERS[PLACES[number].reader], PLACES[number].begins
        for found in pattern_of(number).finditer(raw):
            at = found.span(1)[0] if begins else found.span()[1]
            if place.named and _DULL.match(raw, at):
                continue
            claim()
            hidden = read(place, raw, at, found)
            if hidden and not (place.named and is_public(raw, found.start())):
                yield from hidden


@functools.cache
def pattern_of(number: int) -> Any:
    return compiled(PLACES[number].pattern)


@functools.cache
def _hashes() -> Any:
    return compiled(HASH)


def _judged(raw: bytes, value: Value, sort: Sort) -> list[Hidden]:
    kind = kind_of(raw[value.start : value.stop], sort, quoted=value.quoted)
    return [] if kind is None else [(value.start, value.stop, kind)]


def _sort(place: Place, raw: bytes, at: int, found: Any, value: Value) -> Sort:
    """What a place requires of its value. A password in quotes, or after `=` without spaces, may be any word."""
    if place.any_value or place.random_only:
        return Sort.RANDOM if place.random_only else Sort.CHOSEN
    name = raw[max(0, at - 48) : at].rstrip(b"=:>|(,`*\"' \t\\")
    if not is_chosen(name):
        return Sort.RANDOM
    return Sort.CHOSEN if value.quoted or _is_tight(raw, found, value) else Sort.RANDOM


def _is_tight(raw: bytes, found: Any, value: Value) -> bool:
    """Whether a value ends a line `NAME=value`, or follows a variable's name in capitals."""
    if raw[value.start - 1 : value.start] != b"=":
        return False
    name = raw[max(0, found.start() - 1) : value.start - 1]
    return name.upper() == name or _LINE_END.match(raw, value.stop) is not None


def _value(place: Place, raw: bytes, at: int, found: Any) -> list[Hidden]:
    """The value after a name; in a line `NAME=value`, the rest of the line."""
    value = value_at(raw, at)
    if value is None or value.stop - value.start < LEAST:
        return []
    hidden = _judged(raw, value, _sort(place, raw, at, found, value))
    line = value if value.quoted or raw[value.stop : value.stop + 1] in _ENDS else line_at(raw, value)
    if line.stop > value.stop and _is_setting(raw, found.start()):
        rest = raw[value.stop : line.stop]
        if (
            (hidden or b" " not in rest.strip()) and is_random(rest.decode("utf-8", "replace").replace(" ", ""))
        ) or not hidden:
            hidden = _judged(raw, line, Sort.RANDOM) or hidden
    if not hidden and not value.quoted:
        parted = _PARTS.search(raw, value.start, value.stop)
        if parted and parted.start() - value.start >= LEAST:
            cut = Value(value.start, parted.start(), False)
            hidden = _judged(raw, cut, _sort(place, raw, at, found, cut))
    return hidden


def _is_setting(raw: bytes, start: int) -> bool:
    """Whether only a name precedes a position on its line."""
    begins = raw.rfind(b"\n", max(0, start - 64), start) + 1
    return _SETTING.fullmatch(raw, begins or max(0, start - 64), start) is not None


def _quoted(place: Place, raw: bytes, at: int, found: Any) -> Iterator[Hidden]:
    """A value that counts only in quotes: without them it is a variable or a word."""
    value = value_at(raw, at)
    if value is not None and value.quoted:
        yield from _judged(raw, value, _sort(place, raw, at, found, value))


def _group(place: Place, raw: bytes, at: int, found: Any) -> Iterator[Hidden]:
    """What a program reads on standard input; of `user:password` for chpasswd, the password."""
    start, stop = found.span(1)
    if raw[start : start + 1] in (b'"', b"'"):
        start, stop = start + 1, stop - 1
    user = re.match(rb"[\w.-]+:(?!$)", raw[start:stop])
    if user and b"chpasswd" in found[0]:
        start += user.end()
    yield from _judged(raw, Value(start, stop, True), Sort.CHOSEN)


def _element(place: Place, raw: bytes, at: int, found: Any) -> Iterator[Hidden]:
    """The text of an element of XML or a property list."""
    inside = _ELEMENT.match(raw, at, at + LONGEST)
    if inside is not None:
        stop = inside.start() + len(inside[0].rstrip())
        stop -= 2 if raw[stop - 2 : stop] == b"]]" else 0
        value = Value(inside.start(), stop, True)
        yield from _judged(raw, value, Sort.CHOSEN if is_chosen(_TAG_NAME.sub(b"", found[0])) else Sort.RANDOM)


def _pairs(place: Place, raw: bytes, at: int, found: Any) -> Iterator[Hidden]:
    """The values of cookies that are random, under any name."""
    limit = min(raw.find(b"\n", at) % (len(raw) + 1), at + 4 * LONGEST)
    for pair in _PAIR.finditer(raw, at, limit):
        value = Value(*pair.span(3), False)
        if pair[1].lower() not in _ATTRIBUTES and value.stop - value.start >= _LEAST_COOKIE:
            yield from _judged(raw, value, Sort.RANDOM)


def _authority(place: Place, raw: bytes, at: int, found: Any) -> Iterator[Hidden]:
    """The password in a URL, up to the last @; or a token without a user name before the host."""
    whole = _AUTHORITY.match(raw, at, at + LONGEST)
    hosts = list(_HOST.finditer(raw, at, whole.end() if whole else at))
    if not hosts or (b"/" in raw[at : hosts[0].start()] and not raw[:at].endswith(b":")):
        return
    has_user = raw[at - 1 : at] == b":"
    stop = hosts[-1].start() if has_user else hosts[0].start()
    if has_user or stop - at >= 16:
        yield from _judged(raw, Value(at, stop, True), Sort.CHOSEN if has_user else Sort.RANDOM)


def _command(place: Place, raw: bytes, at: int, found: Any) -> Iterator[Hidden]:
    """The secret values of the options of a called program."""
    start, stop = found.span(1)
    if not _COMMAND.search(raw[max(0, start - 40) : start]):
        return
    words = words_after(raw, start, stop)
    for given in secrets_in_options([word.text for word in words]):
        word = words[given.word]
        start = word.start + given.offset
        if given.is_text:
            yield from _within(raw, start, word.stop)
        elif start < word.stop:
            sort = Sort.CHOSEN if given.is_known else Sort.RANDOM
            yield from _judged(raw, _without_quotes(raw, start, word.stop), sort)


def _without_quotes(raw: bytes, start: int, stop: int) -> Value:
    if stop - start > 1 and raw[stop - 1 : stop] in (b'"', b"'") and raw[start : start + 1] == raw[stop - 1 : stop]:
        return Value(start + 1, stop - 1, True)
    if raw[stop - 1 : stop] in (b'"', b"'") and raw[start - 1 : start] == raw[stop - 1 : stop]:
        return Value(start, stop - 1, True)
    return Value(start, stop, True)


def _within(raw: bytes, start: int, stop: int) -> Iterator[Hidden]:
    """The secrets in an option's value of the form `name=value`."""
    for pair in re.finditer(
        rb"(?:^|[,;&\s])[\w.-]*?(?i:pass|passw(?:or)?d|pwd|secret|token|key|auth|credential|sid"
        rb"|session\w*)[\w]{0,2}[=:][ ]?([^,;&\s\"']+)",
        raw[start:stop],
    ):
        yield from _judged(raw, Value(start + pair.start(1), start + pair.end(1), True), Sort.CHOSEN)


def _column(place: Place, raw: bytes, at: int, found: Any) -> Iterator[Hidden]:
    """The cells below a secret's name in a table or CSV."""
    header = raw[raw.rfind(b"\n", 0, found.start()) + 1 : found.end()]
    sign = max((b"|", b"\t", b",", b";"), key=header.count)
    is_table = sign in (b"|", b"\t") or not header[:1].isspace()
    if not is_table or any(mark in header for mark in (b"=", b":", b"(", b"{")):
        return
    names = [cell.strip(b" \t\r\"'`*") for cell in header.split(sign)]
    wanted = [at for at, name in enumerate(names) if _is_secret_column(name)]
    if not wanted or sum(map(bool, names)) < 2:
        return
    at = found.end() + 1
    for _ in range(_MOST_ROWS):
        end = raw.find(b"\n", at) % (len(raw) + 1)
        cells = raw[at:end].split(sign) if at < len(raw) else []
        if len(cells) < 2 and b"---" not in raw[at:end]:
            return
        if len(cells) == len(names):
            yield from _cells(raw, at, cells, wanted, Sort.CHOSEN if sign == b"|" else Sort.RANDOM)
        at = end + 1


def _is_secret_column(name: bytes) -> bool:
    return len(name) < 40 and _names().fullmatch(name) is not None and not is_public(name, len(name))


def _cells(raw: bytes, at: int, cells: list[bytes], wanted: list[int], sort: Sort) -> Iterator[Hidden]:
    for index, cell in enumerate(cells):
        if index in wanted:
            bare = cell.strip(b" \t\r\"'`")
            start = at + cell.find(bare) if bare else at
            yield from _judged(raw, Value(start, start + len(bare), True), sort)
        at += len(cell) + 1


@functools.cache
def _names() -> Any:
    return compiled(rf"[\w. -]*{SECRET_NAME}")


def _phrase(place: Place, raw: bytes, at: int, found: Any) -> Iterator[Hidden]:
    """The words of a wallet's seed phrase: 12 to 24, in multiples of three (BIP 39)."""
    words = _PHRASE.match(raw, at, at + LONGEST)
    if words is not None and len(re.split(rb"[ ,]+", words[1])) % 3 == 0:
        yield *words.span(1), HIDDEN


_READERS: dict[Reader, Callable[[Place, bytes, int, Any], Iterator[Hidden] | list[Hidden]]] = {
    Reader.VALUE: _value,
    Reader.QUOTED: _quoted,
    Reader.GROUP: _group,
    Reader.ELEMENT: _element,
    Reader.PAIRS: _pairs,
    Reader.AUTHORITY: _authority,
    Reader.COMMAND: _command,
    Reader.COLUMN: _column,
    Reader.PHRASE: _phrase,
}
