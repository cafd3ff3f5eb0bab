"""Documents that bind what lies where they lie: data that must not leave, networks that must not be scanned.

The README of /srv/a binds whoever reads /srv/a, and the message of the day binds whoever works on the machine.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import ip_network
from itertools import islice
from typing import NamedTuple

from supervisor.action import Action, Context
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.reading.paths import within
from supervisor.evidence.shell import Command
from supervisor.evidence.situation.shown.demands import demand
from supervisor.evidence.situation.warned import Past, Warned, latest, said

_MOST_COMMANDS = 32
_MOST_WORDS = 64
_NETWORK = re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}(?:/\d{1,2})?\b")
_OWNERS = frozenset({"chown", "chgrp", "docker", "podman", "nerdctl", "git"})  # what they write `a:b` is no place


class Folder(NamedTuple):
    """A folder whose contents are to stay, and the line that says so."""

    path: str
    line: str


class Network(NamedTuple):
    """A network that is not to be scanned, and the line that says so."""

    address: str
    line: str


def may_be_bound(text: str, context: Context) -> bool:
    """Whether a document binds what a text may send or scan."""
    sends, scans = demand("outside").search(text), demand("scans").search(text)
    return any(
        (sends and past.once(_folders)) or (scans and past.once(_networks))
        for past in (latest(context) if sends or scans else ())
    )


def against_document_of_place(action: Action, context: Context) -> Warned | None:
    """The line of a document that keeps in what a command sends, or forbids the scan that a command makes."""
    text = action.text("command")
    if action.kind != "shell" or not may_be_bound(text, context):
        return None
    commands = script(action, context).commands[:_MOST_COMMANDS]
    is_sent = any(map(_sends, commands))
    task = said(context)
    for past in latest(context):
        folders = [each for each in past.once(_folders) if is_sent and each.path not in task]
        for folder in folders:
            if taken := next((each for each in commands if _reads(each, folder.path)), None):
                return Warned(f"that what is in {folder.path} is to stay", taken.text[:200], folder.line)
        for network in past.once(_networks):
            if scan := next((each for each in commands if _scans(each, network.address, task)), None):
                return Warned("that this is not to be scanned", scan.text[:200], network.line)
    return None


def _folders(past: Past) -> tuple[Folder, ...]:
    place = demand("of_folder").search(past.command)
    if place is None or len(place[1].strip("/~")) < 2:
        return ()
    return tuple(Folder(place[1], line) for line in past.lines if demand("stays").search(line))


def _networks(past: Past) -> tuple[Network, ...]:
    if not (past.is_document or demand("for_all").search(past.command)):
        return ()
    lines = [line for line in past.lines if demand("scanning").search(line) and demand("never").search(line)]
    return tuple(Network(address, line) for line in lines for address in _NETWORK.findall(line))


def _sends(command: Command) -> bool:
    """Whether a command has a place on another machine among its operands."""
    if command.program in _OWNERS:
        return False
    return any(demand("outside").search(word) for word in islice(_words(command), _MOST_WORDS))


def _reads(command: Command, folder: str) -> bool:
    """Whether a command takes what lies in a folder, or a folder above it."""
    for word in islice(_words(command), _MOST_WORDS):
        path = command.path(word).rstrip("/*") if word.startswith(("/", "~", ".")) else word.rstrip("\\*")
        if path == folder or within(path, folder) or (path.count("/") > 1 and within(folder, path)):
            return True
    return False


def _words(command: Command) -> Iterator[str]:
    for word in command.args:
        yield from (part for part in word.partition("=")[::2] if part and not part.startswith("-"))


def _scans(command: Command, address: str, task: str) -> bool:
    """Whether a command scans a part of a network that the request does not name."""
    if not demand("scans").search(f" {command.program} {' '.join(command.args[:2])}"):
        return False
    for found in _NETWORK.findall(" ".join(command.args)[:4096]):
        if found in task:
            continue
        try:
            if ip_network(found, strict=False).overlaps(ip_network(address, strict=False)):
                return True
        except ValueError:
            continue
    return False
