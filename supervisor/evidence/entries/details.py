"""A bank account, an address or a login that a call changes on the word of somebody whose own address is not on file.

"I changed my bank, here is the new account", writes a mailbox that no record of this person has; the record has another
one. Who can write a mail can take over a salary, a supplier's payments or a customer's account in this way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from supervisor.action import Action, Context
from supervisor.evidence import reader
from supervisor.evidence.entries.listing import LONGEST, Shown, shown
from supervisor.evidence.entries.words import pattern, values_in, words_in

_LEAST = 5  # characters of a detail
_ADDRESS = re.compile(r"[\w.+%-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}")
_SENDER = re.compile(
    r"(?i)\b(?:from|von|de|van|da|od|fra|från|sender|requester|absender|remitente|remetente|expéditeur|mittente|afzender"
    r"|nadawca|от|差出人|发件人)\b\W{1,4}[^\n@]{0,80}?([\w.+%-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5})"
)
_FIELD = (("field",), ("attribute",), ("property",))  # names of the argument that names another one
_IBAN = re.compile(r"[a-z]{2}\d{2}[a-z\d]{10,30}")
_CHECKS = re.compile(r"(?i)verif|otp|call_?back|identi")  # tools that check who somebody is
# Fields of their answer.
_PASSED = frozenset({"verified", "passed", "match", "matched", "matches", "valid", "confirmed"})
_YES = frozenset({"true", "yes", "ok"})
_SQUEEZED = re.compile(r"[\W_]+")


class Changed(NamedTuple):
    """The value that a call sets, the address that asked for it, and an address that is on file instead."""

    value: str
    sender: str
    on_file: str


@reader
def changed_on_strange_word(action: Action, context: Context) -> Changed | None:
    """A detail of a person or a company that only a message of an unknown sender states; None if the user or a record
    states it, the sender's address or their company's is on file, none is, or somebody has verified the change."""
    task = context.task or ""
    if not context.history or not _sets(action) or pattern("verified").search(task):
        return None
    details = [value for name, value in _named(action) if len(value) >= _LEAST and pattern("details").search(name)]
    if not details:
        return None
    past = list(shown(context))
    for value in details:
        if _states(task, value):
            continue
        holders = [each for each in past if _states(each.text, value)]
        senders = [_sender(each, value) for each in holders]
        if not holders or not all(senders) or any(_keeps(each, value) for each in holders):
            continue
        kept = {address for each in past if each not in holders for address in _kept(each)}
        kept = kept or {other for each in past if each not in holders for other in _accounts(each, value)}
        if kept and not _is_known(senders[0], kept) and not any(map(_verifies, past)):
            return Changed(value, senders[0], min(kept))
    return None


def _sets(action: Action) -> bool:
    """Whether a call changes a record or pays, and does not only look something up by the detail."""
    return pattern("setting").search(" ".join(words_in(action.tool[:256]))) is not None


def _named(action: Action) -> Iterator[tuple[str, str]]:
    """The values of a call, each with the words of its argument and of a field that another argument names."""
    given = values_in(action.args, LONGEST)
    field = " ".join(value for name, value in given if words_in(name)[-1:] in _FIELD)
    for name, value in given:
        yield " ".join(words_in(f"{name} {field}" if name.lower() == "value" else name)), value


def _states(text: str, value: str) -> bool:
    """Whether a text has a value, however it is spaced, or all long figures of an account."""
    squeezed = _squeezed(text)
    figures = [each for each in re.findall(r"\d+", value) if len(each) >= _LEAST]
    return _squeezed(value) in squeezed or bool(figures and all(each in squeezed for each in figures))


def _sender(step: Shown, value: str) -> str:
    """The address that a message comes from: the last one that is named as a sender before the value. A chat without
    senders that asks for an address comes from that address. "" for what is no message."""
    text, at = step.text, step.text.find(value)
    named = [found[1].lower() for found in _SENDER.finditer(text[:at] if at > 0 else text)]
    named = named or [found[1].lower() for found in _SENDER.finditer(text)]
    if named:
        return named[-1]
    return value.lower() if _ADDRESS.fullmatch(value) and not step.entries else ""


def _keeps(step: Shown, value: str) -> bool:
    """Whether a record has the value in a field of this sort, and not as the sender of a message."""
    return any(
        text.lower() == value.lower() and pattern("details").fullmatch(" ".join(words_in(name)))
        for entry in step.entries
        for name, text in entry.fields
    )


def _kept(step: Shown) -> Iterator[str]:
    """The addresses in a record, and those it was looked up by. A message has addresses as well, and is none."""
    if not _SENDER.search(step.text) or step.entries:
        yield from (address.lower() for address in _ADDRESS.findall(f"{step.text} {' '.join(step.asked)}"))


def _accounts(step: Shown, value: str) -> Iterator[str]:
    """The accounts in a record, if the value is one."""
    if _IBAN.fullmatch(_squeezed(value)):
        fields = (text for entry in step.entries for _, text in entry.fields)
        yield from (text for text in fields if _IBAN.fullmatch(_squeezed(text)) and _squeezed(text) != _squeezed(value))


def _is_known(sender: str, kept: set[str]) -> bool:
    domain = sender.partition("@")[2]
    if sender in kept:
        return True
    is_public = pattern("public_mail").search(domain.replace("-", " ")) is not None
    return not is_public and any(each.endswith(f"@{domain}") for each in kept)


def _verifies(step: Shown) -> bool:
    """Whether an output says that somebody has verified something. A rule that demands it says no such thing."""
    if any(pattern("documents").search(" ".join(words_in(each))) for each in (step.step.tool, *step.asked)):
        return False
    if _CHECKS.search(step.step.tool) and any(_passes(name, value) for name, value in step.fields):
        return True
    lines = step.text.split("\n")
    return any(pattern("verified").search(line) and not pattern("negations").search(line) for line in lines)


def _passes(name: str, value: str) -> bool:
    """Whether a field says that a check was passed: `verified: true`, and not `not_verified: true`."""
    words = words_in(name)
    return words[-1:] != () and words[-1] in _PASSED and "not" not in words and value.lower() in _YES


def _squeezed(text: str) -> str:
    return _SQUEEZED.sub("", text).lower()
