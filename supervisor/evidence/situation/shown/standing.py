"""The state in which earlier outputs showed a thing: protected, in use, unsaved, not approved.

Only names that an action acts on are looked for, so the cost is one search of each line of the latest outputs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from supervisor.action import Action, Context, Step, strings_in
from supervisor.evidence.changes.asked import is_named
from supervisor.evidence.commands.acts import words, words_of_acts
from supervisor.evidence.commands.near_names import telling_words
from supervisor.evidence.prose.request_names import named_in
from supervisor.evidence.reading.whole_words import has_word, whole_word
from supervisor.evidence.situation.deeds import Deed, deeds
from supervisor.evidence.situation.shown.states import state
from supervisor.evidence.situation.stated.words import phrase

_LATEST = 60  # steps
_MOST_TEXT = 64 * 1024  # characters of one output
_MOST_LINE = 400
_MOST_TASK = 8 * 1024  # characters of a task
_MOST_NAMES = 24  # of one deed
_LINES = re.compile(r"[\n}]")
_DIGITS = re.compile(r"(?<!\d)\d{3,}(?!\d)")
_IDENTIFIER = re.compile(r"(?i)(?=[a-f-]*\d)[0-9a-f][0-9a-f-]{3,}")
_UNLOCKING = re.compile(r"(?i)unlock|entsperr|déverrou|desbloq|sblocc|odblok|разблок|解锁|ロック解除|잠금 ?해제")
_CLEARING = re.compile(
    r"(?i)\b(?:stale|dead|orphan\w*|left.?over|old|verwaist\w*|obsolète|huérfan\w*|órfã\w*)\b.{0,20}\block"
    r"|\b(?:clear|remove|break|release|lösch|entfern|quita|supprim|remov|usuń|verwijder|poista|ta bort"
    r"|сними|убери)\w*\b.{0,30}(?:\block|sperr|verrou|bloque|trava|blokad|блокиров|lukko|låset)"
)
_HOLDER = re.compile(r"@([\w.-]*\w)")
_PROCESS = re.compile(r"\b(?:pid|process|by)\W{0,3}(\d{2,7})\b", re.IGNORECASE)
_LISTS = re.compile(r"\b(?:ps|pgrep|kill -0|lsof|fuser|tasklist|Get-Process|systemctl)\b")
_FILES = frozenset({"rm", "rmdir", "unlink", "shred", "find", "git"})
_AGAINST = {
    "delete": ("protected", "busy", "unsaved"),
    "stop": ("protected", "vital"),
    "restart": ("protected", "vital"),
    "merge": ("pending",),
    "deploy": ("pending",),
    "unlock": (),
}


class Shown(NamedTuple):
    """A thing, the state in which an output showed it, and the line."""

    name: str
    state: str
    line: str


def contradicting_state(action: Action, context: Context) -> tuple[Deed, Shown] | None:
    """The first deed whose target was shown in a state that speaks against it."""
    if not context.history:
        return None
    acting = [deed for deed in deeds(action, context) if deed.sort in _AGAINST]
    outputs = [*_outputs(context)] if acting else []
    for deed in acting:
        if deed.sort == "unlock" and (held := _held_by_another(deed, outputs, context)):
            return deed, held
        for name in islice(names_of(deed), _MOST_NAMES):
            if found := _against(deed, name, outputs, context):
                return deed, found
    return None


def names_of(deed: Deed) -> Iterator[str]:
    """The names of single things that a deed acts on: no words for things in general, no options."""
    seen = set[str]()
    for name in deed.names:
        plain = name.lower()
        is_telling = any(letter.isdigit() or letter in "-_.@" for letter in name) or len(name) >= 3
        is_general = plain in words("nouns") or plain in words("looks") or plain in words_of_acts()
        if name in seen or is_general or not is_telling:
            continue
        seen.add(name)
        yield name


class _Output(NamedTuple):
    """One text of a step's output, and its lines."""

    step: Step
    text: str
    lines: list[str]


def _outputs(context: Context) -> Iterator[_Output]:
    """The latest outputs, the latest first."""
    for step in islice(reversed(context.history), _LATEST):
        texts = [step.text] if step.text else [text for _, text in islice(strings_in(step.output), 200)]
        for text in (each[:_MOST_TEXT] for each in texts):
            yield _Output(step, text, [line[:_MOST_LINE] for line in _LINES.split(text)])


def _against(deed: Deed, name: str, outputs: list[_Output], context: Context) -> Shown | None:
    states = _AGAINST[deed.sort]
    is_conditional = phrase("only_if").search((context.task or "")[:_MOST_TASK]) is not None
    named = is_named(name, context) and not is_conditional
    told = () if is_conditional else _named_in(context)
    is_settled = False  # a later output has already shown whether it is in use
    asked: dict[int, bool] = {}  # whether a step asked for this thing alone, by its identity
    number = _number_in(name)
    for step, text, lines in outputs:
        if id(step) not in asked:
            asked[id(step)] = "protected" in states and _is_about(step, name)
        if not asked[id(step)] and name not in text and not (number and number in text):
            continue
        for line in lines:
            about = _without(line, name, number)
            if about is None:
                if asked[id(step)] and state("protected").search(line):
                    return Shown(name, "protected", line)
                continue
            for each in states:
                if each in ("busy", "vital"):
                    if is_settled or named or deed.command.program in _FILES or _has_any(line, told):
                        continue
                    is_free = bool(state("free").search(about))
                    if not is_free and state(each).search(about):
                        return Shown(name, each, line)
                    is_settled = is_settled or is_free
                elif state(each).search(about) and not (each == "unsaved" and named):
                    return Shown(name, each, line)
    return None


def _named_in(context: Context) -> tuple[str, ...]:
    """The names in the request: a record that has one of them is of the named thing."""
    task = (context.task or "")[:_MOST_TASK]
    return tuple(dict.fromkeys([*named_in(task).names, *islice(telling_words(task), _MOST_NAMES)]))


def _has_any(line: str, names: tuple[str, ...]) -> bool:
    return any(has_word(name, line) for name in names)


def _held_by_another(deed: Deed, outputs: list[_Output], context: Context) -> Shown | None:
    """A lock that somebody holds and that the user did not name by the beginning of its identifier."""
    task = context.task or ""
    given = [word.lower() for word in _IDENTIFIER.findall(task)]
    ids = [name.lower() for name in deed.names if _IDENTIFIER.fullmatch(name)]
    if ids and any(each.startswith(tuple(given)) for each in ids) if given else _UNLOCKING.search(task) and not ids:
        return None
    lines = ((output.step, line) for output in outputs for line in output.lines)
    held = next(((step, line) for step, line in lines if state("locked").search(line)), None)
    if held is not None and (_is_users_own(held[1], task) or _is_claimed(held[1], task, context)):
        return None
    is_asked = _UNLOCKING.search(task) or _CLEARING.search(task)
    if held is None or (is_asked and (_is_gone(*held, context) or _is_ours(held[1], deed, context))):
        return None
    return Shown("the lock", "locked", held[1])


_ACCOUNT = re.compile(r"(?i)\b(?:who|user|owner|by|holder)\W{1,12}([\w.-]{2,40})@|([\w.-]{2,40})@[\w.-]+")


def _is_users_own(line: str, task: str) -> bool:
    """Whether the holder of a lock is who asks for its removal: "I am jana", `Who: jana@notebook`."""
    found = _ACCOUNT.search(line)
    name = (found[1] or found[2]) if found else ""
    own = rf"{phrase('i_am').pattern}\s*@?{re.escape(name)}\b"
    return bool(name) and re.search(own, task[:_MOST_TASK], re.IGNORECASE) is not None


# Who says that a lock is his own.
_MINE = re.compile(
    r"(?i)\b(?:it(?:'s| is|\u2019s) (?:my own|mine)|(?:that|this|the lock) is mine|my (?:own |old |stale )?lock"
    r"|(?:ist|gehört) (?:meine?[rs]?|mir|von mir)"
    r"|c'est (?:le mien|mon verrou)|es m[íi][oa]|mi (?:propio )?bloqueo|é (?:meu|minha)|è (?:mi[oa])"
    r"|(?:jest|to) m[óo]j\w*|(?:is|hij is) van mij|мо[йя] блокировка)\b|내 ?(?:락|잠금)|自分のロック|是我的"
)
_ACCOUNT_SHOWN = re.compile(r"\s{0,4}(?:whoami|id -un)\b")


def _is_claimed(line: str, task: str, context: Context) -> bool:
    """Whether the user says that the lock is his, and its holder is the account of the session, as `whoami` showed."""
    found = _ACCOUNT.search(line)
    name = (found[1] or found[2]) if found else ""
    if not name or _MINE.search(task[:_MOST_TASK]) is None:
        return False
    for step in islice(reversed(context.history), _LATEST):
        if _ACCOUNT_SHOWN.match(str(step.args.get("command") or "")[:500]) and not step.failed:
            return step.text[:_MOST_TEXT].split()[:1] == [name]
    return False


_AT = re.compile(r"(?<![\w.-])([\w.-]{2,40})@([\w.-]{2,80})")
_WHO = re.compile(r"\s{0,4}(?:whoami|id -un)\s{0,4}(?:;|&&)\s{0,4}hostname(?: -s)?(?=\s{0,4}(?:;|&&|$))")


def _is_ours(line: str, deed: Deed, context: Context) -> bool:
    """Whether the holder of a lock is the account and the host on which the session works, as `whoami; hostname` has
    shown, and a listing of processes has shown that the program no longer runs there."""
    holder, program = _AT.search(line), deed.command.program
    if holder is None or deed.command.remote:
        return False
    is_here = is_ended = False
    for step in islice(reversed(context.history), _LATEST):
        command, text = str(step.args.get("command") or "")[:500], step.text[:_MOST_TEXT]
        if _WHO.match(command):
            is_here = is_here or text.split()[:2] == [holder[1], holder[2]]
        if re.search(rf"\bpgrep (?:-\w+ )*{re.escape(program)}\b", command) and "ssh" not in command:
            is_ended = program not in text and not step.failed
            if not is_ended:
                return False
    return is_here and is_ended


def _is_gone(held: Step, line: str, context: Context) -> bool:
    """Whether a later step shows that the holder of a lock no longer runs."""
    holder = _HOLDER.search(line)
    if holder is None:
        process = _PROCESS.search(line) or _PROCESS.search(held.text[:_MOST_TEXT])
        return process is not None and _has_ended(process[1], held, context)
    for step in islice(reversed(context.history), _LATEST):
        if step is held:
            return False
        text = step.text[:_MOST_TEXT]
        is_about = _is_about(step, holder[1]) or holder[1] in text
        if is_about and (state("gone").search(text) or state("free").search(text)):
            return True
    return False


def _has_ended(process: str, held: Step, context: Context) -> bool:
    """Whether a step after this one listed processes, asked for this one, and did not find it."""
    for step in islice(reversed(context.history), _LATEST):
        if step is held:
            return False
        asked = [text for _, text in strings_in(step.args) if _LISTS.search(text[:500])]
        if any(process in text for text in asked):
            return not re.search(rf"(?<!\d){process}(?!\d)", step.text[:_MOST_TEXT]) or bool(
                state("gone").search(step.text)
            )
    return False


def _number_in(name: str) -> str:
    """The number in a name, by which a row may be known; "" if it has none or is one."""
    number = None if name.isdigit() else _DIGITS.search(name)
    return number.group() if number else ""


def _without(line: str, name: str, number: str) -> str | None:
    """The line without a name; None if it does not have the name as a word, or a number only within the row. `number`
    is the one in the name."""
    if (at := whole_word(name, line)) >= 0:
        if name.isdigit() and line[:at].strip(" \t#|*│"):
            return None
        return f"{line[:at]} {line[at + len(name) :].removeprefix('/')}"
    if number and re.match(rf"\s*{number}\s", line):
        return line
    return None


def _is_about(step: Step, name: str) -> bool:
    """Whether a step asked for this thing alone, so that each line of its output is about it."""
    return any(has_word(name, text[:500]) for _, text in strings_in(step.args))
