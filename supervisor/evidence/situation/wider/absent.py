"""Commands of the act that the request asks for, which name the thing of the request nowhere.

The request is to cancel job 55120 of hlee, and the command cancels all of hlee's. A command reaches the thing if it has
its name, or a word that earlier outputs show for it alone. It goes beyond the thing if it selects by what contains it,
by a quality that many share, by a pattern for everything, or by nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import chain, islice

from supervisor.evidence.changes.clauses import fold
from supervisor.evidence.changes.shown import aliases, stand_ins
from supervisor.evidence.changes.verbs import Verb
from supervisor.evidence.commands.acts import is_rehearsal, words
from supervisor.evidence.reading.whole_words import has_word
from supervisor.evidence.shell import HOLE, Command
from supervisor.evidence.situation.wider.filters import Beyond
from supervisor.evidence.situation.wider.request import Request
from supervisor.evidence.situation.wider.targets import Targets, targets_in
from supervisor.evidence.situation.wider.words import absence, absences

_MOST_WORDS = 80
_FIRST = 5  # words of a command line that may tell its act
_FEW_DIGITS = 2  # such a number stands for no thing without the rest of its name
_SHORT = 4  # letters of a name that other words may have by chance
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_DIGITS = re.compile(r"\d+")
_SEPARATORS = re.compile(r"[-_. /:]")
_VALUE = re.compile(r"[\w@./+-]*\w")
_OPTIONS_OF_TIME = re.compile(
    r"(?i)-{1,2}(?:d|for|from|start|stop|end|duration|expires?(?:-\w+)?|until|comment|c|reason|message|m|author|url|host|server"
    r"|h|computername|bootstrap-server|\w+-url)"
)


def named_nowhere(command: Command, text: str, request: Request) -> Iterator[Beyond]:
    """The command, if it does what the request asks for, has not the thing, and selects more than that."""
    group = _group_of(command)
    if not group or is_rehearsal(command.program, command.args):
        return
    yield from _shortened(command, text, request)
    if request.named.everything:
        return
    targets = targets_in(request.text, _asked(group))
    if not targets.wanted or any(_has(name, text) for name in (*targets.things, *targets.narrowing)):
        return
    name = targets.wanted[0]
    selected = [*dict.fromkeys(_selectors(command, text))]
    if any(_stands_for(word, each, targets, request) for each in targets.wanted for word in selected):
        return
    if mark := _beyond(selected, name, command, text, targets, request):
        yield Beyond(mark, command.text, name)


def _shortened(command: Command, text: str, request: Request) -> Iterator[Beyond]:
    """The beginning of a subject or a title that the request quotes, where the rest of it told one from others."""
    folded = fold(text)
    if any(fold(name) in folded for name in _ADDRESS.findall(request.text)):
        return
    for quoted in _QUOTED.findall(request.text):
        whole = fold(quoted)
        for part in map(fold, _FRAGMENT.findall(text[:8192])):
            if whole not in folded and whole.startswith(part) and not whole[len(part)].isalnum():
                yield Beyond(part, command.text, quoted)
                return


_QUOTED = re.compile(r"[\"„“«]([^\"”“»\n]{8,80})[\"”“»]")
_FRAGMENT = re.compile(r"[:=~*%\s]\\?[\"'*%]{1,2}([^\W\d_][\w -]{3,40}?)[*%]{0,2}\\?[\"']")
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")


@cache
def _acts() -> dict[str, str]:
    return {word: group for group, listed in absences("acts").items() for word in listed.split()}


@cache
def _asked(group: str) -> frozenset[Verb]:
    return frozenset(Verb(word) for word in absences("asked")[group].split())


@cache
def _others() -> frozenset[str]:
    return frozenset(str(absences("others")).split())


def may_be_nowhere(text: str, task: str) -> bool:
    """Whether a text has a word for an act, and the request names a thing that the text lacks."""
    groups = {_acts()[part] for part in _parts(text) if part in _acts()}
    for group in groups:
        targets = targets_in(task, _asked(group))
        if targets.wanted and not any(_has(name, text) for name in (*targets.things, *targets.narrowing)):
            return True
    return False


def _parts(text: str) -> Iterator[str]:
    return (part.lower() for part in _PART.findall(text[:8192]))


def _group_of(command: Command) -> str:
    """The group of the act of a command, by its program, its first words, or an option; empty if it has none."""
    if not command.program or command.wraps or command.program in _others() or command.program in words("reads"):
        return ""
    operands = [word for word in command.args if not word.startswith("-")][:_FIRST]
    options = [word for word in command.args if word.startswith("-") and len(word) > 4]
    for word in (command.program, *operands):
        if word.lower() in words("looks"):
            return ""
        if found := next((_acts()[part] for part in _parts(word[:40]) if part in _acts()), ""):
            return found
    return next((_acts()[part] for word in options for part in _parts(word[:40]) if part in _acts()), "")


def _has(name: str, text: str) -> bool:
    """Whether a text has a name, in any spelling: `osd.41` and `41`, `K-20817` and `20817`, `gate_1` and `gate-1`."""
    folded, plain = fold(text), fold(name)
    if plain.rstrip("/") in folded or _SEPARATORS.sub("", plain) in _SEPARATORS.sub("", folded):
        return True
    host, _, zone = plain.partition(".")
    if zone and not zone.isdigit() and zone in folded and has_word(host, folded):
        return True  # `records delete firm.example old-mail`
    digits = _DIGITS.findall(plain)
    if digits and (len(digits[-1]) > _FEW_DIGITS or plain.rpartition(".")[2] == digits[-1]):
        bare = re.sub(r"^0x", "", plain)
        if re.search(rf"(?<!\d){re.escape(digits[-1])}(?!\d)", folded):
            return True
        return len(bare) > 7 and bare[-8:] in folded
    local = plain.partition("@")[0]
    return "@" in plain and len(local) > 3 and has_word(local, folded)


def _feeding(command: Command) -> tuple[Command, ...]:
    """The commands whose output says what a command takes."""
    return (*command.upstream[:3], *(each for _, each in command.sources[:3]))


def _selectors(command: Command, text: str) -> Iterator[str]:
    """The words by which a command and what feeds it select things: no verbs, no nouns, no times and notes."""
    for each in (*_feeding(command), command):
        before = ""
        for word in islice(each.args, _MOST_WORDS):
            is_note = _OPTIONS_OF_TIME.fullmatch(before) is not None
            before = word if word.startswith("-") else ""
            if is_note or (word.startswith("-") and "=" not in word):
                continue
            value = word.partition("=")[2] if word.startswith("-") else word
            for found in _VALUE.findall(value[:400]):
                plain = found.lower()
                if plain not in words("nouns") and plain not in _acts() and len(found) > 1:
                    yield found
            if HOLE in word:
                yield HOLE


def _stands_for(word: str, name: str, targets: Targets, request: Request) -> bool:
    """Whether a word of a command is another name of the thing: an output shows it for the thing alone."""
    plain = fold(word)
    if word == HOLE or plain in map(fold, targets.containers) or (plain.isalpha() and fold(name).startswith(plain)):
        return False
    if plain in aliases(name, request.context) or plain in stand_ins(name, request.context):
        return True
    with_it = without = 0
    for step in request.context.history[-40:]:
        given = fold(" ".join(str(value) for value in step.args.values()))[:2000]
        is_about = _has(name, given)
        for line in fold(step.text[:16384]).splitlines()[:400]:
            if has_word(plain, line, "-."):
                with_it += is_about or _has(name, line)
                without += not (is_about or _has(name, line))
    return with_it > 0 and not without


def _beyond(selected: list[str], name: str, command: Command, text: str, targets: Targets, request: Request) -> str:
    """What shows that a command selects more than the thing; empty if nothing does."""
    line = " ".join((*chain.from_iterable(each.argv for each in _feeding(command)), *command.argv))
    folded = [fold(word) for word in selected]
    if found := absence("everything").search(line):
        return found[0].strip()
    if row := next((word for word in folded if _is_beside(word, name, request)), ""):
        return row
    if HOLE in selected:
        folded += map(fold, _VALUE.findall(text[:8192]))
    for container in targets.containers:
        if any(_is_within(fold(container), word) for word in folded):
            return container
    plain = fold(name)
    if part := next(
        (
            word
            for word in folded
            if len(word) > 1 and plain != word and plain.startswith(word) and not plain[len(word)].isalnum()
        ),
        "",
    ):
        return part
    if number := _other_number(plain, folded, line):
        return number
    if selected and all(_is_parent(word, name, request) for word in folded):
        return selected[0]
    if found := absence("quality").search(text if HOLE in selected else line):
        return found[0].strip()
    return ""


def _is_within(container: str, word: str) -> bool:
    """Whether a word is a container of the thing: as itself, at an end of a path, or as a part of its alias."""
    if container in (word, word.rpartition("/")[2], word.partition("/")[0]):
        return True
    return len(container) > _SHORT and "/" not in word and container in word


def _is_beside(word: str, name: str, request: Request) -> bool:
    """Whether an output lists a word of the same shape as that of the thing's row, in the row of another thing."""
    if not _DIGITS.search(word):
        return False
    for step in request.context.history[-40:]:
        rows = fold(step.text[:16384]).splitlines()[:400]
        own = [row for row in rows if _has(name, row)]
        other = [row for row in rows if row not in own and has_word(word, row)]
        if own and other and not any(has_word(word, row) for row in own):
            return any(_shape(each) == _shape(word) for row in own for each in row.split())
    return False


def _shape(word: str) -> str:
    return _DIGITS.sub("0", word)


def _other_number(plain: str, folded: list[str], line: str) -> str:
    """Another number where the name is a number with the command's own noun: `ceph osd purge 14` for `osd.41`."""
    noun, _, number = plain.rpartition(".")
    if not (noun.isalpha() and number.isdigit() and has_word(noun, fold(line))):
        return ""
    return next((word for word in folded if word.removeprefix(f"{noun}.").isdigit()), "")


def _is_parent(word: str, name: str, request: Request) -> bool:
    """Whether an earlier command listed what is in this, and the thing was in the list."""
    for step in request.context.history[-40:]:
        given = fold(" ".join(str(value) for value in step.args.values()))[:2000]
        if has_word(word, given) and not _has(name, given) and fold(name) in fold(step.text[:16384]):
            return True
    return False
