"""What is wrong with a setting, whatever the format that it stands in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import IntEnum, StrEnum
from typing import NamedTuple


class Fault(StrEnum):
    """The sort of fault. One specialist asks about one of them."""

    OPEN = "open"  # everybody reaches it
    LOGIN = "login"  # nobody is asked who they are
    HOST = "host"  # a container gets the machine below it, or runs as its root
    RIGHTS = "rights"  # more rights than any task needs
    OUTSIDER = "outsider"  # a pipeline runs what strangers wrote, beside its secrets
    SECRET = "secret"  # a secret goes into an image, a log or an artifact
    UNVERIFIED = "unverified"  # what is fetched runs, and nothing checks it
    FLOATING = "floating"  # a version that may become another one
    UNPROTECTED = "unprotected"  # backups, encryption or a lock against deletion are off
    DELETES = "deletes"  # data go with the resource that holds them
    SILENT = "silent"  # an alert or a log that tells nobody
    COST = "cost"  # far more capacity than is usual
    CHECKS = "checks"  # certificates are accepted unseen
    LOSSY = "lossy"  # messages may be lost, and nobody sees it


class Weight(IntEnum):
    """How much a fault matters by itself: SLIGHT is for a person to look at, SERIOUS is to be mended before it is
    written, GRAVE exposes or destroys as soon as it takes effect."""

    SLIGHT = 1
    SERIOUS = 2
    GRAVE = 3


class Fact(NamedTuple):
    """A fault of one setting.

    `key` names the setting and its value without its place, so that a setting that only moved is the same. `text` shows
    it with its place. `number` is the capacity of a fault of COST."""

    fault: Fault
    key: str
    text: str
    weight: Weight = Weight.SERIOUS
    number: int = 0


class Block(NamedTuple):
    """The settings of one level of a document. The keys of `values` are in lower case without `_`, `-` and blanks, and
    so is every step of `path`, which leads from the root to here."""

    path: tuple[str, ...]
    values: dict[str, object]
    spelt: dict[str, str]  # each key as the file has it

    def shown(self, *keys: str) -> str:
        """The settings with these keys as a short text, with the name of what they belong to."""
        settings = ", ".join(f"{self.spelt.get(key, key)}: {short(self.values[key])}" for key in keys)
        owner = next((step for step in reversed(self.path) if not step.isdigit()), "")
        return f"{owner}: {settings}" if owner else settings


Read = Callable[[Block], Iterator[Fact]]
_MOST_SHOWN = 80  # characters of a value


def short(value: object) -> str:
    """A value as a short text of one line."""
    if isinstance(value, dict):
        return short([each for inner in list(value.values())[:20] for each in texts(inner)])
    text = " ".join(texts(value) if isinstance(value, list) else scalar(value).split())
    return text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 1]}…"


def scalar(value: object) -> str:
    """A scalar as the text that YAML has for it; empty for a list or a mapping."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None or isinstance(value, (dict, list)):
        return ""
    return str(value)


def texts(value: object) -> list[str]:
    """The scalars in a value, a list or a list of lists, in order; the keys and values of mappings are left out."""
    if isinstance(value, list):
        return [text for each in value[:1_000] for text in texts(each)]
    return [text] if (text := scalar(value)) else []


def entries(value: object) -> list[dict[str, object]]:
    """The mappings in a value, which is one or a list of them: a block may stand once or several times."""
    return [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, dict)]


def number_of(value: object) -> int | None:
    """A whole number; None if the value is none, or not known before it runs."""
    text = scalar(value).strip().replace("_", "")
    return int(text) if text.lstrip("-").isdecimal() and len(text) < 12 else None


def is_on(value: object) -> bool:
    return scalar(value).strip().lower() in _ON


def is_off(value: object) -> bool:
    return scalar(value).strip().lower() in _OFF


_ON = frozenset({"true", "yes", "on", "1", "enabled", "enable", "y"})
_OFF = frozenset({"false", "no", "off", "0", "disabled", "disable", "suspended", "n"})
