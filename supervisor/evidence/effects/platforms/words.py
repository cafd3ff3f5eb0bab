"""The words that the command lines of clouds and platforms share: words that read, that make and that destroy.

`delete-db-instance`, `apps:destroy`, `purge_queue` and `Remove-AzDisk` contain a verb and its nouns in one word; in
`gcloud sql instances delete` they are separate words.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from supervisor.evidence.effects.platforms.data import nouns
from supervisor.evidence.effects.platforms.resource import Sort

_VERBS = {
    "delete": "bulkdelete decommission del delete deprovision destroy drop erase nuke obliterate rb remove rm rmi rmr"
    " teardown terminate undeploy uninstall unpublish unset zap",
    "purge": "clear empty expire flush flushall flushdb forget prune purge trim truncate wipe",
    "reset": "factoryreset reinit reset",
    "stop": "cordon deactivate deallocate disable drain evict halt kill pause poweroff quiesce shutdown stop suspend",
    "silence": "mute silence snooze unmonitor",
    "detach": "deregister detach disassociate disconnect dissociate leave unassign unattach unbind unlink unmap",
    "revoke": "invalidate revoke",
    "cancel": "abandon abort cancel",
}
DESTRUCTIVE_VERBS = {word: verb for verb, words in _VERBS.items() for word in words.split()}
_READS = (
    "analyze audit cat check count describe df diff display doctor download du estimate explain export fetch filter"
    " find get grep head help history info inspect list log logs lookup ls peek plan poll preview print ps query"
    " read receive scan search select show simulate size stat stats status summary tail test top tree validate"
    " verify version view wait watch whoami"
)
READS = frozenset(_READS.split())
_MAKES = (
    "accept add apply approve assign associate attach attest authorize begin bind build change clone commit"
    " complete confirm connect convert copy cp create debug deploy dispatch edit enable exec execute expose failover"
    " generate grant import init install invoke issue label launch link lock login logout make migrate modify move"
    " mv new open patch promote provision publish pull push put reboot rebuild recover refresh register reload"
    " rename replace request resize resolve restart restore resume retry rollback rollout rotate run save scale"
    " schedule send set setup sign ssh start submit subscribe swap switch sync tag trigger tunnel undelete unlock"
    " unsuspend update upgrade upload upsert use write"
)
MAKES = frozenset(_MAKES.split())
_CREATES = frozenset(
    {"allocate", "build", "create", "init", "launch", "make", "mb", "new", "provision", "pull", "register", "run"}
    | {"tag", "up"}
)
_UNDOING = frozenset({"deletion", "delete", "stop", "shutdown"})  # cancelling one of these prevents a destruction
_APART = re.compile(r"[-_:.]+")
_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")  # `VBRRestorePoint`
_LONGEST = 60  # characters of a word that is parsed


class Word(NamedTuple):
    """The parsed form of one word of a command line: its verb and its nouns."""

    does: str = ""  # "reads", "makes", one of DESTRUCTIVE_VERBS, or empty for a noun or a name
    nouns: tuple[str, ...] = ()
    alone: bool = False  # whether the verb is the whole word


@lru_cache(maxsize=2048)
def word_of(text: str) -> Word:
    """Parses one word."""
    if len(text) > _LONGEST:
        return Word()
    tokens = tuple(part for part in _APART.split(_HUMPS.sub("-", text).lower()) if part)
    if not tokens:
        return Word()
    at = _verb_at(tokens)
    if at is None:
        return Word("", tokens)
    token, rest = tokens[at], (*tokens[:at], *tokens[at + 1 :])
    if token in DESTRUCTIVE_VERBS:
        undone = DESTRUCTIVE_VERBS[token] == "cancel" and not _UNDOING.isdisjoint(rest)
        return Word("makes" if undone else DESTRUCTIVE_VERBS[token], rest, not rest)
    return Word("reads" if token in READS else "makes", rest, not rest)


def creates(text: str) -> bool:
    """Whether a word means that something new is created: `create`, `mb`, `create-bucket`."""
    return text in _CREATES or text.lower().startswith(("create-", "create_")) or text.endswith(":create")


def _verb_at(tokens: tuple[str, ...]) -> int | None:
    """The index of the verb: the first token, else the last, else a destructive verb between them.

    `batch-delete-image` has its verb between them.
    """
    for at in (0, len(tokens) - 1):
        if tokens[at] in DESTRUCTIVE_VERBS or (at == 0 and (tokens[at] in READS or tokens[at] in MAKES)):
            return at
    between = (at for at, token in enumerate(tokens) if DESTRUCTIVE_VERBS.get(token) in ("delete", "purge"))
    return next(between, None)


def sort_of(words: tuple[str, ...]) -> Sort | None:
    """The sort of resource that these nouns name. The last noun decides; a plain INFRASTRUCTURE noun yields to earlier
    nouns."""
    plain: Sort | None = None
    known = nouns()
    for at in range(len(words) - 1, -1, -1):
        word = singular(words[at])
        found = known.get(f"{singular(words[at - 1])}-{word}" if at else "") or known.get(word)
        if found is Sort.INFRASTRUCTURE:
            plain = plain or found
        elif found is not None:
            return found
    return plain


def singular(word: str) -> str:
    """The singular of a noun: `policies` is policy, `indexes` is index. A noun that is not a plural is unchanged."""
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3 else word
