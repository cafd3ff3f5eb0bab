"""Whether a command does something, also by a program that no table has."""

from __future__ import annotations

from supervisor.evidence.commands.acts import is_rehearsal, sort_of_words, sorts, words
from supervisor.evidence.shell import Command

_COPIES = frozenset({"rsync", "scp", "rclone"})
_REQUESTS = frozenset({"curl", "wget", "http", "https"})
_SENDING = ("-X", "-d", "-F", "-T", "--data", "--request", "--form", "--json", "--upload")
_EVERYDAY = frozenset({"delete", "merge", "push", "edit", "deploy"})


def is_acting(command: Command) -> bool:
    """Whether a command does more than look. Edits of files, commits and installs do not count."""
    program, args = command.program, command.args
    if not program or command.wraps or program in words("reads") or program in words("in_place"):
        return False
    if program in words("managers") or program in words("repositories") or sorts("programs").get(program) == "query":
        return sort_of_words(program, args) in _EVERYDAY
    if sorts("programs").get(program) == "edit" and program not in _COPIES:
        return False
    if is_rehearsal(program, args):
        return False
    if program in _REQUESTS:
        return any(word.startswith(_SENDING) for word in args)
    verbs = [word.lower() for word in command.operands()[:2]]
    return bool(sort_of_words(program, args)) or (words("looks") - {"run"}).isdisjoint(verbs)
