"""What an action puts where others read it: secrets, logins and dumps on a paste, in a channel, in a public place.

A commit of everything is held against the files that an earlier `git status` showed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from supervisor.action import Action, Context, strings_in
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.commands.hints import compiled, hint, may_disclose
from supervisor.evidence.reading.tables import table_beside
from supervisor.evidence.secrets.credentials import credential_at
from supervisor.evidence.shell import Command
from supervisor.evidence.situation.exposed.wanted import holds_no_person, wants_public
from supervisor.evidence.situation.warned import run_text, script_text

_LONGEST = 16 * 1024  # characters of a script
_LATEST = 40  # steps
_MOST_TEXT = 32 * 1024  # characters of one output
_UNTRACKED = re.compile(r"(?m)^ ?(?:\?\?|[AM]{1,2}|UU) +\"?([^\s\"][^\n\"]{0,300})")
_MADE_UP = (".example", ".sample", ".template", ".dist")
_ALL = frozenset({"-A", "--all", ".", "*", ":/"})
_MADE_FOR_TESTS = re.compile(
    r"(?:^|/)(?:tests?|testdata|fixtures?|specs?|examples?|samples?|seeds?|mocks?|migrations?)/"
)
_SAVED_LOGIN = re.compile(r"(?:--save-storage|--storage-state|--save-cookies|--cookie-jar)[= ]['\"]?([\w./\\-]{3,200})")


_STORE = (
    r"(?:vault (?:kv )?(?:get|read)|get-secret-value|secrets versions access|keyvault secret show"
    r"|\bop (?:read|item get)|\bpass (?:show )?\w|\bget secrets? |\bbw get|doppler secrets|infisical secrets"
    r"|get-parameters?\b[^)`\n]{0,120}--with-decryption|chamber read|gopass show)"
)
_FILLED = re.compile(
    rf"(?:\$\(|`)[^)`\n]{{0,80}}{_STORE}[^)`\n]{{0,200}}[)`][^;&|\n>]{{0,200}}>>?\s{{0,3}}([\w./~'\"-]{{1,200}})"
    rf"|{_STORE}[^;&\n>]{{0,200}}>>?\s{{0,3}}([\w./~'\"-]{{1,200}})"
)


class Disclosed(NamedTuple):
    """What is disclosed, and where."""

    what: str
    where: str


_QUOTED = re.compile(r"<<-?\s*['\"]?(\w+)['\"]?[\s\S]*?\n\1|'[^']*'|\"[^\"]*\"")


def disclosed(action: Action, context: Context) -> Disclosed | None:
    """A secret or a dump that a shell action shows to others, unless the user asks for that place and that content."""
    text = script_text(action, context)[:_LONGEST]
    if action.kind != "shell" or not may_disclose(text):
        return None
    run = run_text(action, context)
    if not may_disclose(run):
        return None
    run += "\n" + _QUOTED.sub(" ", action.text("command")[:_LONGEST])  # and what stands outside of texts
    secret = _pattern("secrets").search(run)
    if secret and not secret[0].endswith(_MADE_UP) and (place := hint("places").search(text)):
        return Disclosed(secret[0].strip()[:120], place[0].strip()[:120])
    dump = _pattern("dumps").search(run)
    if dump and wants_public(context) and holds_no_person(dump[0], context):
        return None
    if dump and (place := hint("open_places").search(text)):
        return Disclosed(dump[0].strip()[:120], place[0].strip()[:120])
    return None


def swept(action: Action, context: Context) -> str:
    """The file with secrets that a commit of everything would take, by the last state that the session saw."""
    if action.kind != "shell" or not any(_stages_all(each) for each in script(action, context).commands):
        return ""
    text = str(action.get("command"))
    return next((path for path in _untracked(context) if _is_secret(path) and path not in text), "")


def saved_login(action: Action, context: Context) -> tuple[str, ...]:
    """The files into which this script or an earlier one saves the state of a login."""
    earlier = (text for step in islice(reversed(context.history), _LATEST) for _, text in strings_in(step.args))
    texts = (script_text(action, context)[:_LONGEST], *(text[:_LONGEST] for text in islice(earlier, 200)))
    return tuple(found[1].rpartition("/")[2] for text in texts for found in islice(_SAVED_LOGIN.finditer(text), 4))


def filled_from_store(action: Action, context: Context) -> frozenset[str]:
    """The names of the files into which a script writes what it reads out of a store of secrets."""
    text = script_text(action, context)[:_LONGEST]
    found = (one or other for one, other in islice(_FILLED.findall(text), 16))
    return frozenset(name.strip("'\"").rpartition("/")[2] for name in found)


def _stages_all(command: Command) -> bool:
    if command.program != "git" or "--dry-run" in command.args or "-n" in command.args:
        return False
    return "add" in command.args[:4] and not _ALL.isdisjoint(command.args)


def _untracked(context: Context) -> Iterator[str]:
    for step in islice(reversed(context.history), _LATEST):
        if any("git" in text and "status" in text for _, text in strings_in(step.args)):
            yield from (found[1].strip() for found in islice(_UNTRACKED.finditer(step.text[:_MOST_TEXT]), 400))
            return


def _is_secret(path: str) -> bool:
    if credential_at(path) is not None:
        return True
    return _pattern("secret_files").search(path) is not None and not _MADE_FOR_TESTS.search(path)


@cache
def _pattern(name: str) -> Any:
    return compiled(table_beside(__file__, "disclosure.yaml")[name])
