"""What a command itself says of its act and its target: the words for the act, identifiers, a name of its own."""

from __future__ import annotations

import re
from collections.abc import Iterable

from supervisor.evidence.commands.acts import sorts
from supervisor.evidence.effects import is_known
from supervisor.evidence.effects.platforms import Resource, is_made
from supervisor.evidence.shell import Command

__all__ = ["OWN_NAME", "identifiers", "is_own_name", "makes_anew", "own_verbs"]

OWN_NAME = re.compile(r"(?=[^\d-]*[\d-])[\w-]{4,60}|[a-z]{8,60}", re.ASCII)


def is_own_name(target: str) -> bool:
    """Whether a target has a name that nobody gives to something else by accident: with a mark or a digit in it."""
    return is_known(target) and OWN_NAME.fullmatch(target.rpartition("/")[2].lower()) is not None


_NEW = re.compile(
    r"(?i)(?<![a-z])(?:create|issue|renew|rotat|generat|reissue|regenerat|enroll|import|add|new|request|certonly|sign|upload|put|replace)"
)


def makes_anew(text: str, past: Iterable[Command]) -> bool:
    """Whether an action, by its text, or a command before it makes what takes the place of the old one."""
    earlier = (command.text for command in past if is_made(command))
    return any(_NEW.search(each[:4096]) for each in (text, *earlier))


_IDENTIFIER = re.compile(r"(?=[\w-]*\d)[a-z]+-[\da-z-]{6,40}|\d{4,20}")


def identifiers(effect: Resource) -> list[str]:
    """Further identifiers of a command, which tell a part of its target: the rule of a security group."""
    words = effect.command.args if effect.command is not None else ()
    return [word for word in words if word != effect.target and _IDENTIFIER.fullmatch(word)][:4]


def own_verbs(effect: Resource) -> tuple[str, ...]:
    """The words with which a command itself says what it does: `unregister`, `pause`."""
    words = effect.command.argv[1:6] if effect.command is not None else ()
    parts = (part for word in words if not word.startswith("-") for part in word.lower().split("-"))
    return tuple(part for part in parts if part in sorts("words"))
