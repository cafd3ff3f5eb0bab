"""Whether a command takes a thing that the request does not name, and passes over the named one of the same sort.

"Reboot app02", and the command reboots app01. Two names are of one sort by their shape (`app01` and `app02`, `pg-live`
and `pg-drill`), by their place (first cells of two rows of one listing), or by the option that had the one in an
earlier command and has the other now. What the program is does not matter. A command reaches what the request names if
it has the name, or a word that earlier outputs show beside that name alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import islice, pairwise, takewhile

from supervisor.action import Action, Context
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.changes.verbs import Verb
from supervisor.evidence.changes.word import Word, is_forbidden, word_on
from supervisor.evidence.commands.acts import sort_of_words, sorts, words
from supervisor.evidence.commands.near_names import Sibling, is_no_thing
from supervisor.evidence.reading.tables import table_beside
from supervisor.evidence.reading.whole_words import has_word, whole_word
from supervisor.evidence.shell import HOLE, Command
from supervisor.evidence.situation.acting import is_acting
from supervisor.evidence.situation.named.described import is_source
from supervisor.evidence.situation.named.others import tells_cause
from supervisor.evidence.situation.named.records import Record, Table, tables, words_of
from supervisor.evidence.situation.warned import Past, latest

_LONGEST = 8 * 1024  # characters of a request or a command
_MOST_NAMES = 24  # of a request
_MOST_WORDS = 80  # of a command
_MOST_COMMANDS = 64
_MOST_LINES = 400  # with a name
_LONGEST_WORD = 200
_SHORTEST = 4  # letters that two names have in common, or that a word tells something with
_TOKEN = re.compile(r"[A-Za-z0-9@][\w.@:/+$-]*[\w/]|\d{2,}", re.ASCII)
_PLAIN = re.compile(r"[^a-z0-9]+")
_SEGMENTS = re.compile(r"[-_./:@]+")
_HOST = re.compile(r"\w+://(?:[^@/\s]*@)?([^/\s:]+)")
_FILE = re.compile(
    r"\.(?:[a-z]{1,4}sx?|py|go|rs|rb|java|kt|c|h|cpp|php|md|rst|lock|ya?ml|json|toml|ini|conf|cfg|sh|sql|env)$"
)
_DATA = re.compile(r"\w\.[a-z]{2,7}(?:\.(?:gz|zst|xz|bz2|zip))?$", re.IGNORECASE)
_VARIABLE = re.compile(r"\$(?:\{|env:)?([A-Za-z_]\w{2,40})")
_VERB = re.compile(r"[A-Za-z]+(?:[-_][A-Za-z]+)*")
_REMARK = re.compile(r"\([^()\n]{1,60}\)")
_QUIET = frozenset({"commit", "install"})


def passed_over(action: Action, context: Context) -> tuple[Command, Sibling] | None:
    """The first command on a thing of the sort that the request names one of, which is not the named one."""
    text = action.text("command")
    missing = _missing(text, context)
    if not missing:
        return None
    task = (context.task or "")[:_LONGEST]
    missing = [each for each in missing if not (tells_cause(each, task) or is_forbidden(each, context))]
    for command in script(action, context).commands[:_MOST_COMMANDS] if missing else ():
        if not _is_on_something(command):
            continue
        for used in _used(command, task, context):
            if (named := _like(used, missing, task, text, context)) or (
                named := _beside(used, missing, command, action, context)
            ):
                return command, Sibling(named, used)
    return None


def may_pass_over(text: str, context: Context) -> bool:
    """Whether a command text has a shown name of the same shape as one that the request has and the text has not.
    Bounded work."""
    missing = _missing(text, context)
    if not missing:
        return False
    task = (context.task or "")[:_LONGEST]
    used = islice(dict.fromkeys(_TOKEN.findall(text[:_LONGEST])), _MOST_WORDS)
    names = [name for word in used for name in _parts(word) if _is_name(name) and not _says(task, name)]
    names += _values(text, context)
    return any(_like(name, missing, task, text, context) for name in names)


def _missing(text: str, context: Context) -> list[str]:
    """The names of a request that a command has in no spelling, and that an earlier step shows."""
    task = (context.task or "")[:_LONGEST]
    if not task or not context.history or len(text) > _LONGEST:
        return []
    names = [name for name in _names(task) if not (_has(text, name) or _has_host(name, text))]
    if not names or _besides().search(_REMARK.sub(" ", task)):
        return []
    return [name for name in names if not is_source(name, task) and any(_shows(past, name) for past in latest(context))]


def _has_host(name: str, text: str) -> bool:
    """Whether a text has the host of an address, and its zone elsewhere: `--zone firm.example --name gate`."""
    host, _, zone = name.partition(".")
    return "." in zone and zone.lower() in text.lower() and has_word(host.lower(), text.lower())


@lru_cache(maxsize=64)
def _names(task: str) -> tuple[str, ...]:
    """The names of a request: words that no plain sentence has, without their paths."""
    found = (name for word in _TOKEN.findall(task) for name in _parts(word) if _is_name(name))
    return tuple(islice(dict.fromkeys(found), _MOST_NAMES))


def _parts(word: str) -> Iterator[str]:
    """The names within a word: the host of an address, the last part of a path, the value of an option, an account's
    machine."""
    if host := _HOST.match(word):
        yield host[1]
        return
    value = word.rpartition("=")[2].strip("/")
    last = value.rpartition("/")[2].rstrip(".,:;")
    name = last.rpartition("@")[2] if "@" in last[1:] else last
    yield re.sub(r":\d+$", "", name)
    if ":" in name:
        yield from name.split(":")


def _is_name(word: str) -> bool:
    """Whether a word is a name, and none of a file that a program is made of or set up by."""
    if len(word) < _SHORTEST or word.isdigit() or is_no_thing(word) or _FILE.search(word.lower()) or HOLE in word:
        return False
    if word.isalpha():
        return word.isupper() and len(word) > _SHORTEST
    return word[:1].isalnum() and any(map(str.isalpha, word))


def _shows(past: Past, name: str) -> bool:
    folded = past.once(_folded)
    return name.lower() in folded and _says(folded, name)


def _folded(past: Past) -> str:
    return f"{past.output}\n{past.command}".lower()


def _says(text: str, name: str) -> bool:
    """Whether a text has a name as a whole, in any case: not as a part of a longer one, nor as the zone of a host."""
    folded = text.lower()
    at = whole_word(name.lower(), folded, beside="-_")
    while at >= 0 and folded[at - 1 : at] == "." and folded[max(0, at - 2) : at - 1].isalnum():
        rest = whole_word(name.lower(), folded[at + 1 :], beside="-_")
        at = rest + at + 1 if rest >= 0 else -1
    return at >= 0


def _has(text: str, name: str) -> bool:
    """Whether a text has a name in some spelling: `night_run` for night-run."""
    return has_word(name.lower().replace("_", "-"), text.lower().replace("_", "-"), beside="-")


def _is_on_something(command: Command) -> bool:
    """Whether a command changes something that its words name: no file, no package, no commit."""
    if command.wraps or not is_acting(command) or command.program in words("managers") | words("repositories"):
        return False
    if sort_of_words(command.program, command.args) in _QUIET:
        return False
    given = {part for word in command.argv[:6] if _VERB.fullmatch(word) for part in _SEGMENTS.split(word.lower())}
    return given.isdisjoint(_leads()) and sorts("programs").get(command.program) != "attack"


@cache
def _leads() -> frozenset[str]:
    return frozenset(table_beside(__file__, "passed_over.yaml")["leads"].split())


@cache
def _besides() -> re.Pattern[str]:
    text = re.sub(r"\s*\n?\s*\|", "|", str(table_beside(__file__, "passed_over.yaml")["besides"])).strip()
    return re.compile(text, re.IGNORECASE)


def _used(command: Command, task: str, context: Context) -> Iterator[str]:
    """The words that a command acts on, if an earlier step shows them and the request does not have them."""
    given = [*_operands(command), *(value for _, value in command.environment)]
    names = [name for word in given for name in _parts(word)]
    for name in dict.fromkeys((*names, *_values(command.text, context))):
        is_said = _says(task, name) or _has(_REMARK.sub(" ", task), name)
        if len(name) >= _SHORTEST and not is_said and any(_shows(past, name) for past in latest(context)):
            yield name


def _operands(command: Command) -> Iterator[str]:
    """The words of a command that name what it acts on: no text with blanks, and no value of an option for where
    something comes from."""
    for before, word in pairwise(("", *command.args[:_MOST_WORDS])):
        leads = before.startswith("-") and not _leads().isdisjoint(_SEGMENTS.split(before.lower()))
        option = word.partition("=")[0] if word.startswith("-") else ""
        if leads or not _leads().isdisjoint(_SEGMENTS.split(option.lower())) or " " in word:
            continue
        if (not word.startswith("-") or "=" in word) and len(word) <= _LONGEST_WORD:
            yield word


def _values(text: str, context: Context) -> list[str]:
    """The values of a text's variables that earlier outputs show, where the text sets none itself."""
    found: list[str] = []
    for name in islice(dict.fromkeys(_VARIABLE.findall(text[:_LONGEST])), 8):
        if f"{name}=" in text or f"read {name}" in text or f"for {name} " in text:
            continue
        shown = re.compile(rf"(?m)^\s*(?:export )?{name}=[\"']?([\w.@-]{{{_SHORTEST},80}})[\"']?\s*$")
        found += [match[1] for past in latest(context) if (match := shown.search(past.output))][:1]
    return found


def _like(used: str, missing: Sequence[str], task: str, text: str, context: Context) -> str:
    """The named thing of the same shape as a used one, if the command has no other such thing that is named."""
    if not _is_name(used):
        return ""
    named = next((each for each in missing if are_alike(each, used) and _is_meant(each, used, context)), "")
    if not named or not any(_shows(past, used) for past in latest(context)):
        return ""
    filled = any(are_alike(each, named) and _says(text, each) for each in _names(task))
    return "" if filled or _is_reached(named, used, text, context) else named


def are_alike(named: str, used: str) -> bool:
    """Whether two names have one shape: numbers that differ, one segment of two or more that differs, one segment less
    at the beginning, a first segment of some letters, an end of a few letters."""
    first, second = named.lower(), used.lower()
    if first == second:
        return False
    if re.sub(r"\d+", "0", first) == re.sub(r"\d+", "0", second):
        return True
    left, right = ([part for part in _SEGMENTS.split(each) if part] for each in (first, second))
    if len(left) == len(right) > 1:
        is_first = left[0] == right[0] and len(left[0]) > 1 and not left[0].isdigit()
        return is_first or left[1:] == right[1:]
    if len(right) > 1 and (left[1:] == right or (len(left) > 1 and left[0] == right[0] and _tells(left[0]))):
        return True
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))
    return same >= _SHORTEST and same >= 0.6 * max(len(first), len(second)) and len(left) == len(right)


def _tells(segment: str) -> bool:
    return len(segment) >= _SHORTEST and segment.isalpha()


def _is_meant(named: str, used: str, context: Context) -> bool:
    """Whether the user asks for an act on the named thing, if the names differ by plain words: `shop-api`, `shop-db`.

    A part that fails for the fault of another differs like that. Files of data are always meant for one another.
    """
    first, second = (set(_SEGMENTS.split(each.lower())) for each in (named, used))
    if not all(map(str.isalpha, first ^ second)) or (_DATA.search(named) and _DATA.search(used)):
        return True
    return word_on(frozenset(Verb), named, context) is Word.NAMED


def _is_reached(named: str, used: str, text: str, context: Context) -> bool:
    """Whether a command has a word that the outputs show beside the named thing alone, or the session is on it."""
    given = words_of(text)
    for past in latest(context):
        if past.output.strip().lower() == named.lower():
            return True
        lines = past.lines[:_MOST_LINES]
        own = [words_of(line) for line in lines if _says(line, named)]
        others = (words_of(line) for line in lines if own and not _says(line, named))
        rest = frozenset[str]().union(*others)
        taken = given if rest else given - {used.lower()}  # a line alone lists both
        if any(_may_be_key(word) for line in own for word in taken & line - rest):
            return True
    return False


def _may_be_key(word: str) -> bool:
    """Whether a word may stand for what its line is about: a number, an address, a name with a mark."""
    return len(word) > 1 and any(letter.isdigit() or letter in "-_." for letter in word)


def _beside(used: str, missing: Iterable[str], command: Command, action: Action, context: Context) -> str:
    """The named thing whose place a used one has: in another row of a listing, or behind the same option."""
    asked = [each for each in missing if word_on(frozenset(Verb), each, context) is Word.NAMED]
    text = action.text("command")
    changes = bool(sort_of_words(command.program, command.args)) and not _is_spoken(used, context)
    for named in asked:
        is_other = _other_option(used, named, command, context) or (
            changes and any(_are_rows(used, named, table) for table in tables(action, context))
        )
        if is_other and not _is_reached(named, used, text, context):
            return named
    return ""


def _is_spoken(used: str, context: Context) -> bool:
    """Whether the request has a part of a name as a word: it describes it."""
    said = _PLAIN.sub(" ", (context.task or "")[:_LONGEST].lower()).split()
    parts = re.findall(r"[a-z]+|\d+", used.lower())
    return any(part in said or f"{part}s" in said for part in parts if len(part) >= _SHORTEST)


def _are_rows(used: str, named: str, table: Table) -> bool:
    """Whether each of two names is in the first cell of its own row of a listing."""
    with_used, with_named = _rows(used, table), _rows(named, table)
    return len(with_used) == 1 == len(with_named) and with_used[0] is not with_named[0]


def _rows(name: str, table: Table) -> list[Record]:
    return [record for record in table.records if record.cells and name.lower() in words_of(record.cells[0])]


def _other_option(used: str, named: str, command: Command, context: Context) -> bool:
    """Whether an earlier command gave the named thing to the option that has the used one now."""
    if not (_is_name(used) and _is_name(named)):
        return False
    options = [one for one, value in pairwise(command.args) if one.startswith("-") and used in _parts(value)]
    if used in _values(command.text, context):
        options += [one for one, value in pairwise(command.args) if one.startswith("-") and value == HOLE]
    given = [re.compile(rf"(?<!\S){re.escape(each)}[ =][\"']?{re.escape(named)}(?![\w-])") for each in options]
    return any(each.search(past.command) for each in given for past in latest(context))
