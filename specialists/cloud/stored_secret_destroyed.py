"""Deletes secrets, whole vaults or configuration variables from the store that applications read them from, or writes
another value over them."""

import re

from supervisor.evidence.changes.asked import is_named
from supervisor.evidence.changes.clauses import Clause, clauses_of, fold, said_by_user
from supervisor.evidence.changes.shown import was_shown
from supervisor.evidence.changes.verbs import Verb
from supervisor.evidence.changes.word import is_asked, is_forbidden
from supervisor.evidence.effects import Act
from supervisor.evidence.effects.platforms import Resource, Sort
from supervisor.evidence.shell.inner import values_of
from supervisor.methods.oversight import Advice, changes, judged
from supervisor.specialist import Action, Context, Opinion, specialist

_ADVICE = Advice(
    fault="destroys or replaces a secret that applications read",
    correction="List the secret's versions and what reads it, add a new version instead of removing the old"
    " one, and have the owner confirm; a recovery window (`--recovery-window-in-days 30`) is no more"
    " than a help.",
    sharper="Leave the stored secret alone and ask its owner.",
)


@specialist("shell", "python", "javascript", about=[Act.RESOURCE])
def stored_secret_destroyed(action: Action, context: Context) -> Opinion:
    found = (each for each in changes(action, context, Sort.SECRET) if not _adds_version_as_asked(each, context))
    return judged(found, _ADVICE, action, context)


_SETS = frozenset({Verb.GRANT, Verb.INSTALL, Verb.ROTATE, Verb.WRITE})
_SET = ("az", "keyvault", "secret", "set")


def _adds_version_as_asked(effect: Resource, context: Context) -> bool:
    """Whether a secret that the user names gets a new version, in a vault that the user names or for a rotation: the
    vault keeps the old versions."""
    command = effect.command
    if command is None or command.argv[:4] != _SET or not is_asked(_SETS, context):
        return False
    vaults, names = ([*values_of(command.args, *each)] for each in (("--vault-name",), ("--name", "-n")))
    if len(vaults) != 1 or len(names) != 1 or is_forbidden(names[0], context):
        return False
    if is_named(names[0], context) and is_named(vaults[0], context):
        return True
    return any(_rotates(each, names[0]) for each in clauses_of(said_by_user(context))) and was_shown(names[0], context)


_PARTS = re.compile(r"[^\W_]+")


def _rotates(clause: Clause, name: str) -> bool:
    """Whether a clause asks for a rotation and has each word of a secret's name: "rotate the sql-erp admin key"."""
    parts = _PARTS.findall(fold(name))
    asks = clause.asks and not clause.question and Verb.ROTATE in clause.verbs
    return asks and len(parts) > 1 and {*parts} <= {*_PARTS.findall(clause.text)}
