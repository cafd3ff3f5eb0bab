"""What this session has seen of the thing that an action is on: that it is there, and its other names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from supervisor.action import Context, strings_in
from supervisor.evidence.changes.clauses import FORBIDS, fold
from supervisor.evidence.changes.names import has_name
from supervisor.evidence.effects.effect import is_known
from supervisor.evidence.prose.wording import delegates

_LONGEST_LINE = 300
_MOST_LINES = 6
_DISTINCT = re.compile(r"^(?=.*[a-z])[\w.]{2,}(?:[-_.][\w.]+)+$|^(?=.*\d)[a-z][\w-]{1,}$")
_LATEST = 40  # steps in which a listing still counts
_LONGEST = 32 * 1024  # characters of a step's arguments, and of its output


def aliases(target: str, context: Context) -> tuple[str, ...]:
    """Other names of a target: the distinct words of the one line of an earlier output that shows it, as `build-7` in
    `5be0aa17  linux  build-7  ready`. Words of other lines too, and plain words, are no names."""
    last = fold(target.strip().rstrip("/").rpartition("/")[2])
    if len(last) < 3 or not is_known(target):
        return ()
    lines = [line for step in context.history[-_LATEST:] for line in fold(step.text[:_LONGEST]).splitlines()]
    telling = [line for line in lines if len(line) < _LONGEST_LINE and has_name(line, (last,))]
    if not 0 < len(telling) < _MOST_LINES:
        return ()
    others = " ".join(line for line in lines if line not in telling)
    words = (word.strip("\"',:;()[]{}|") for line in telling for word in line.split())
    return tuple(
        dict.fromkeys(word for word in words if _DISTINCT.search(word) and word != last and word not in others)
    )


_LABEL = re.compile(r"^[a-z_]{2,40}=~?[\"']?(?=\w)")  # of a matcher: `alertname=DiskFull`


def was_shown(name: str, context: Context) -> bool:
    """Whether an earlier step that did not fail has this name, as itself, in its arguments or in its output."""
    plain = _LABEL.sub("", name.replace("/dev/rdisk", "/dev/disk"))
    last = fold(plain.rstrip("/").rpartition("/")[2])
    if len(last) < 2 and not last.isdigit():
        return False
    whole = re.compile(rf"(?<![\w-]){re.escape(last)}(?![\w-])")
    return any(
        whole.search(fold(text[:_LONGEST]))
        for step in context.history[-_LATEST:]
        if not step.failed
        for text in (*(value for _, value in strings_in(step.args)), step.text)
    )


def stand_ins(name: str, context: Context) -> tuple[str, ...]:
    """What earlier steps found for a name: the distinct words of the short output of a step that asked for this name,
    as the number of a record for the name of its owner. Words of outputs on other things are none."""
    last = fold(name.strip().rstrip("/").rpartition("/")[2])
    if len(last) < 3:
        return ()
    whole = re.compile(rf"(?<![\w-]){re.escape(last)}(?![\w-])")
    found: list[str] = []
    others: list[str] = []
    for step in context.history[-_LATEST:]:
        is_about = any(whole.search(fold(text[:_LONGEST])) for _, text in strings_in(step.args))
        text = fold(step.text[:_LONGEST])
        if is_about and not step.failed and len(text) < _SHORT:
            found += (word.strip("-_.") for word in _TOKENS.findall(text))
        elif not is_about:
            others.append(text)
    known = " ".join(others)
    return tuple(word for word in dict.fromkeys(found) if _TELLING.search(word) and word != last and word not in known)


_RECORD = re.compile(r"\b[A-Z][A-Z0-9]{1,9}-\d{1,7}\b")


def is_in_cited_record(target: str, context: Context) -> bool:
    """Whether a record that the request cites by its number ("approved: CHG-12"), and that this session read, names
    a target in a line that forbids nothing."""
    cited = _RECORD.findall((context.task or "")[:_LONGEST])[:4]
    last = fold(target.strip().rstrip("/").rpartition("/")[2])
    if not cited or len(last) < 3:
        return False
    for step in context.history[-_LATEST:]:
        given = " ".join(text for _, text in strings_in(step.args))[:_LONGEST]
        if step.failed or not any(each in given or each in step.text[:200] for each in cited):
            continue
        naming = [line for line in fold(step.text[:_LONGEST]).splitlines() if has_name(line, (last,))]
        if naming and not any(map(FORBIDS.search, naming)):
            return True
    return False


# What a request calls a document whose steps it wants carried out.
_DOCUMENTS = (
    r"tickets?|issues?|tasks?|plans?|run ?books?|play ?books?|check ?lists?|procedures?|guides?|instructions?|manuals?"
    r"|anleitung\w*|ablauf\w*|vorgang\w*|procédures?|consignes?|listes?|procedimientos?|listas?|procedur[ae]"
    r"|istruzion\w+|piano|procedimentos?|planos?|handleiding\w*|stappenplan|draaiboek|procedury|instrukcj\w*"
    r"|инструкци\w*|план\w*|регламент\w*"
)
_TITLED = re.compile(
    rf"(?i)([^\W_][\w.-]{{3,40}}) (?:{_DOCUMENTS})\b"
    rf"|\b(?:{_DOCUMENTS}) (?:for |of |on |zu |für |de |du |del |da |per )?(?:the |der |la |il )?([^\W_][\w.-]{{4,40}})"
)
_QUOTED = re.compile(r"[\"“”„«»]([^\"“”„«»\n]{4,80})[\"“”„«»]")
_NO_TITLES = frozenset("this that these those same whole following migration first second next open".split())


def lines_of_cited(context: Context) -> Iterator[str]:
    """The lines of the documents that the request tells the agent to carry out, by a number ("do what OPS-8 says"), a
    title in quotation marks or a word of the title ("step 4 of the decommission plan"), as this session read them."""
    task = (context.task or "")[:_LONGEST]
    if not delegates(context):
        return
    titles = [*_RECORD.findall(task), *_QUOTED.findall(task)]
    titles += [one or other for one, other in _TITLED.findall(task) if (one or other).lower() not in _NO_TITLES]
    cited = [fold(each) for each in titles[:8]]
    for step in context.history[-_LATEST:]:
        given = fold(" ".join(text for _, text in strings_in(step.args))[:_LONGEST])
        if not step.failed and not _RUNS.search(given) and any(each in given for each in cited):
            yield from step.text[:_LONGEST].splitlines()


_RUNS = re.compile(r"[|;&<>$]|(?<!\S)-{1,2}[a-z]")  # a command: what it prints is no document


_SHORT = 1_000  # characters of an output that is about one thing
_TOKENS = re.compile(r"[\w.-]{3,80}")
_TELLING = re.compile(r"^(?=.*\d)(?=.*[a-z-])[\w.-]+$|^(?=.*[a-z])[\w]+(?:[-_.][\w]+)+$")


def with_lists(text: str, context: Context) -> str:
    """The text of an action, and of the earlier steps that wrote the files which it goes through: what they were asked
    for tells what is in the list."""
    files = {path for path in _FILE.findall(text[:_LONGEST]) if len(path) > 3}
    made = []
    for step in context.history[-_LATEST:] if files else ():
        for _, given in strings_in(step.args):
            written = {one or other for one, other in _WRITES.findall(given[:_LONGEST])}
            if not step.failed and not files.isdisjoint(written):
                made.append(given[:_LONGEST])
    return "\n".join([text, *made])


_FILE = re.compile(r"(?<![\w.-])(?:[~\w.-]*/[\w./-]*\w|[\w-]+\.\w{1,6})(?![\w-])")
_WRITES = re.compile(r">{1,2}\s?([\w./~-]*\w)|(?:\btee\s(?:-a\s)?|\s-o\s|--out(?:put|file)?[= ])([\w./~-]*\w)")
