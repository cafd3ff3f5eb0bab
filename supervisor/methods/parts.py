"""Which part of an action was planted, so that exactly one specialist reports it."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from supervisor.action import Action, Context
from supervisor.evidence.prose.passages import fold
from supervisor.evidence.prose.wording import spaced
from supervisor.evidence.provenance import provenance
from supervisor.evidence.provenance.intents import ADMIT, BOOK, BUY, DELETE, GENERAL, MESSAGE, PAY, PUBLISH
from supervisor.evidence.provenance.origins import Origin, Source, Value
from supervisor.evidence.provenance.wishes import wish_of

REACHES_OTHERS = frozenset({MESSAGE, PAY, ADMIT, PUBLISH})


class Part(Enum):
    """The planted part of an action."""

    DATA = "private data for a planted receiver"
    PAYEE = "the payee"
    RECIPIENT = "the recipient"
    ACCESS = "the account or permission"
    DELETION = "what is deleted"
    COMMAND = "the command"
    SETTING = "the memory or setting"
    COMMITMENT = "the booking, event or order"
    NAVIGATION = "the page"
    DESTINATION = "the destination"
    TOOL = "the choice of the tool"
    OTHER = "the act"


_BY_INTENT = (
    (PAY, Part.PAYEE),
    (DELETE, Part.DELETION),
    (ADMIT, Part.ACCESS),
    (MESSAGE, Part.RECIPIENT),
    (BOOK, Part.COMMITMENT),
    (BUY, Part.COMMITMENT),
    (PUBLISH, Part.DESTINATION),
)
_SETTINGS_WORDS = (
    "memory memories remember memorize preference preferences config configuration setting settings rule rules "
    "profile instruction instructions claude agents cursorrules mcp hooks"
)
_SETTINGS = frozenset(_SETTINGS_WORDS.split())
_SETS = frozenset({"update", "change", "set", "reset"})
_ACCOUNT = frozenset({"password", "role", "permission", "access", "user", "account", "owner", "email", "member"})


def part_of(
    action: Action, context: Context, values: tuple[Value, ...], origin: Origin, *, calls: bool = False
) -> Part:
    """The part of an action that was planted, if these values were. `calls`: the text mentions the tool."""
    wish = wish_of(action, context)
    if DELETE not in wish.intents and wish.intents & REACHES_OTHERS and any(_private(action, context, values, origin)):
        return Part.DATA
    if wish.runs:
        return Part.COMMAND
    sets = wish.edits or not (wish.reads or wish.intents - GENERAL)
    if sets and (part := _of_changes(action)):
        return part
    if found := next((part for intent, part in _BY_INTENT if intent in wish.intents), None):
        return found
    if calls:
        return Part.TOOL
    if wish.reads:
        return Part.NAVIGATION
    places = any(value.sort in ("url", "host", "path") for value in values)
    return Part.DESTINATION if places else Part.OTHER


def _of_changes(action: Action) -> Part | None:
    """The part of an action that changes an account or a setting; None for any other."""
    words = frozenset(fold(f"{spaced(action.tool)} {action.text('path')}").split())
    if words & _SETTINGS:
        return Part.SETTING
    return Part.ACCESS if words & _ACCOUNT and words & _SETS and action.kind == "tool" else None


def _private(action: Action, context: Context, planted: tuple[Value, ...], origin: Origin) -> Iterator[Value]:
    """Values from other outputs than the planted text, and not from the user: the data that the receiver would get."""
    targets = {value.place for value in planted}
    for value in provenance(action, context).values:
        if value in planted or value.place in targets or value.origin.source not in (Source.DATA, Source.ANSWER):
            continue
        if value.origin.step != origin.step or value.distinctive or value.sort == "text":
            yield value
