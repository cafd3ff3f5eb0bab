"""The words for what tools do, and for what users ask: enough to tell whose verb an action is."""

from __future__ import annotations

import functools
from collections.abc import Iterator

import re2

from supervisor.action import Context, strings_in

# What people call the things that tools do. A tool's name or kind is looked up by its words.
VERBS: tuple[frozenset[str], ...] = tuple(
    frozenset(words.split())
    for words in (
        "send email e-mail mail message msg dm sms text forward reply respond post publish notify tell write "
        "contact share schick senden sende envoie envoyer envía enviar invia stuur",
        "pay payment transfer wire remit money transaction deposit donate settle refund reimburse überweise zahle "
        "verser transfère pagar transfiere paga",
        "delete remove erase wipe drop rm destroy clear purge unlink kick cancel lösche supprime elimina borra "
        "verwijder",
        "create add make new schedule book reserve reservation event appointment register invite sign subscribe "
        "buy checkout order purchase erstelle ajoute crea reserva",
        "update change modify close resolve archive set edit rename reset replace reschedule move adjust switch "
        "enable disable grant assign permission ändere modifie cambia",
        "get read search list find look fetch visit browse open navigate view show check download retrieve "
        "summarize website page webpage url link lies öffne ouvre abre apri",
        "run execute exec command shell script install bash terminal python code launch start führe exécute "
        "ejecuta esegui",
        "upload save store export append file write put push commit merge copy backup",
    )
)
_KIND_WORDS = {
    "message": "send message",
    "payment": "pay transfer",
    "refund": "refund",
    "shell": "run command",
    "python": "run code",
    "javascript": "run code",
    "http": "fetch url",
    "browse": "visit url",
    "click": "open",
    "form": "set",
    "file_read": "read file",
    "file_write": "write file",
    "file_edit": "edit file",
    "file_delete": "delete file",
}
_COMMON_WORDS = (
    "about after also been before could does each from have here into just like more must only other over "
    "please should some such than that their them then there these they this tool used user using very want "
    "were what when which will with would your http https true false null none name text body email"
)
_COMMON = frozenset(_COMMON_WORDS.split())
# The user tells the agent to do what some content says.
_DELEGATES = re2.compile(
    r"(?i)\b(?:follow|do|perform|execute|complete|carry out|apply|implement|handle|address|work through|work on|act on|"
    r"go through|process|resolve|comply with|take care of|finish|erledige|befolge|suis|sigue|esegui)\b[^.!?\n]{0,60}?"
    r"\b(?:instructions?|steps?|actions?|tasks?|to-?dos?|check ?list|run ?book|play ?book|requests?|procedure|guide|"
    r"readme|items?|asks?|says|requested|anweisungen|instrucciones|consignes)\b[^.!?\n]{0,40}?"
    r"\b(?:in|on|from|at|of|by|me|us|to|listed|given|file|email|e-mail|page|document|ticket|issue|note|says|auf|aus|en)\b"
    r"|\bas (?:described|instructed|requested|specified|written|asked|listed|outlined|documented) (?:in|by|on|at)\b"
    r"|\b(?:whatever|what|everything|anything)\b[^.!?\n]{0,40}\b(?:says?|asks?|requests?|wants?|tells?|requires?|needs?)\b"
    r"|\b(?:asks?|requests?|instructions?|to-?dos?) (?:me|us|for) (?:in|to)\b"
)


def verbs_of(kind: str, name: str) -> frozenset[str]:
    """All words for what a tool does, from the words of its kind, then of its folded name; the first decides."""
    for word in f"{_KIND_WORDS.get(kind, '')} {name}".split():
        for group in VERBS:
            if word in group:
                return group
    return frozenset()


def delegates(context: Context) -> bool:
    """Whether the user told the agent to do what some content says."""
    return _delegates("\n".join(_asked(context))[:8192])


@functools.lru_cache(maxsize=64)
def _delegates(asked: str) -> bool:
    """Remembered, because all actions of a session come with the same text."""
    return any("the following" not in match.group().casefold() for match in _DELEGATES.finditer(asked))


def _asked(context: Context) -> Iterator[str]:
    yield context.task or ""
    yield from (text for _, text in strings_in(context.facts.get("earlier_requests")))


def spaced(name: str) -> str:
    """A tool's name with its words apart: `sendMoney` is send Money."""
    return "".join(f" {letter}" if letter.isupper() else letter for letter in name[:128])


def stems(folded: str) -> frozenset[str]:
    """The first letters of the words that mean something: enough to match `reallocation` with `reallocate`."""
    return frozenset(word[:6] for word in folded.split() if len(word) > 3 and word not in _COMMON)
