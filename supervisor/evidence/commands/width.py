"""Whether the words of a command line may show that it is done to everything of a sort, or very often."""

from __future__ import annotations

import re
from collections.abc import Sequence

from supervisor.evidence.commands.acts import words as known_words

COUNTS = (
    *("capacity", "count", "min-size", "max-size", "pool-size", "group-size", "fleet-size", "cluster-size", "replicas"),
    *("nodes", "instances", "array", "vus", "users", "clients", "workers", "parallelism", "concurrency", "connections"),
)
OPEN = ("0.0.0.0/0", "::/0")

_GIVES = ("kafka-acls", "setfacl", "icacls")  # programs that give rights
_WORDS = frozenset({"all", "ALL", "any", "Any", "*", "everyone", "-A", "--mirror"})
_PROGRAMS = frozenset(
    "ansible ansible-playbook pssh parallel-ssh pscp clush dsh pdsh mussh"
    " ufw scancel qdel bkill condor_rm icacls cacls takeown setfacl restorecon".split()
)
_RECURSIVE = frozenset({"-R", "--recursive"})
_CONTAINING = frozenset({"restore", "recover", "--entity-default"})
_NETWORK = re.compile(r"\d\.\d{1,3}/\d{1,2}\b")
_EVERYBODY = re.compile(
    r"(?i)(?:.*[-_. ])?(?:alle|all|everyone|everybody|jeder|tous|todos|tutti|wszyscy|iedereen|herkes|company|staff"
    r"|employees|users|public|public-read(?:-write)?|anyone)(?:[-_. @:].*)?"
)
_RIGHTS = (
    " admins",
    "administratoraccess",
    "fullaccess",
    "fullcontrol",
    ":rwx",
    "user:*",
    "cluster-admin",
    "allusers",
    "allauthenticatedusers",
    "roles/owner",
    "roles/editor",
    "global-management",
)


def may_be_wide(words: Sequence[str]) -> bool:
    """Decides from the words alone, in linear time. It may return True for a narrow command line, but never False for
    one that `supervisor.evidence.situation.wider.extent` finds."""
    program = words[0].rpartition("/")[2]
    if program in known_words("reads"):
        return program == "find" and "-o" in words
    if program in _PROGRAMS or (program == "crontab" and "-r" in words):
        return True
    if program.startswith(_GIVES):
        return True
    if program in ("chmod", "chown", "chgrp") and not _RECURSIVE.isdisjoint(words):
        return True
    return any(map(_is_wide, words[1:])) or any(map(_is_group, words[1:], words[2:]))


def _is_wide(word: str) -> bool:
    if word in _WORDS or word in _CONTAINING or ",dc=" in word.lower() or "user:*" in word.lower():
        return True
    if word.endswith(("@latest", ":latest")) or any(each in word for each in OPEN):
        return True
    if word.startswith("--array"):
        return True
    if word.startswith("-"):
        name = word.partition("=")[0]
        if word.endswith("=management"):
            return True
        return "all" in name.split("-") or name.startswith(("--everyone", "--public")) or name.endswith(COUNTS)
    if "://" in word and ("/*" in word or "/_all" in word):
        return True
    if "/" in word and _NETWORK.search(word[:200]):
        return True
    lowered = word.lower()
    return any(each in lowered for each in _RIGHTS)


def _is_group(option: str, value: str) -> bool:
    """Whether an option is followed by a name for everybody."""
    return option.startswith("-") and len(value) <= 64 and _EVERYBODY.fullmatch(value) is not None
