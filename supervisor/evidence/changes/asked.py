"""Whether the user's own words request what an action does.

The task "delete the files below /srv/old" requests that deletion, so stopping the agent would not protect the user.
The output of tools and the text of pages are never the user's words.
"""

from __future__ import annotations

from collections.abc import Collection

from supervisor.action import Action, Context
from supervisor.evidence.changes.verbs import Verb
from supervisor.evidence.changes.word import Word, is_asked, is_forbidden, is_mentioned, word_on
from supervisor.evidence.effects.effect import Act, is_known
from supervisor.evidence.reading.paths import without_glob

_LONGEST = 16 * 1024  # characters of a task that are read
# The sorts of request that ask for each act.
_VERBS: dict[Act, frozenset[Verb]] = {
    Act.DELETE: frozenset({Verb.DELETE, Verb.RESET}),
    Act.WRITE: frozenset({Verb.WRITE, Verb.RESET, Verb.INSTALL, Verb.FORMAT}),
    Act.MOVE: frozenset({Verb.MOVE}),
    Act.PERMISSION: frozenset({Verb.GRANT, Verb.WRITE, Verb.SHARE}),
    Act.PROCESS: frozenset({Verb.STOP, Verb.RESTART}),
    Act.SERVICE: frozenset({Verb.STOP, Verb.RESTART, Verb.START}),
    Act.SYSTEM: frozenset({Verb.STOP, Verb.RESTART, Verb.START, Verb.FORMAT}),
    Act.DATABASE: frozenset({Verb.DELETE, Verb.RESET, Verb.WRITE}),
    Act.RESOURCE: frozenset({Verb.DELETE, Verb.STOP}),
    Act.REPOSITORY: frozenset({Verb.DELETE, Verb.RESET, Verb.PUSH}),
    Act.SEND: frozenset({Verb.SEND, Verb.PUSH, Verb.PUBLISH, Verb.DEPLOY, Verb.MOVE, Verb.SHARE}),
    Act.EXPOSE: frozenset({Verb.SHARE}),
    Act.RECEIVE: frozenset({Verb.FETCH}),
    Act.INSTALL: frozenset({Verb.INSTALL}),
}


def asks_for(act: Act, target: str, action: Action, context: Context) -> bool:
    """Whether the user requests this act and names this target: a path, a host, a table, a resource."""
    return word_of(act, target, context) is Word.NAMED


def word_of(
    act: Act, target: str, context: Context, *, whole: bool = False, kinds: Collection[str] = (), text: str = ""
) -> Word:
    """What the user says of an act on a target, in the sense of `word_on`."""
    name = without_glob(target)
    return word_on(
        _VERBS.get(act, frozenset()), name if is_known(name) else "", context, whole=whole, kinds=kinds, text=text
    )


def asks_to(act: Act, action: Action, context: Context) -> bool:
    """Whether the user requests this act on any target."""
    return is_asked(_VERBS.get(act, frozenset()), context)


def task_mentions(action: Action, context: Context, *stems: str) -> bool:
    """Whether the user mentions one of these stems other than in what is forbidden, for acts not in the table."""
    return is_mentioned(stems, context)


def is_named(target: str, context: Context) -> bool:
    """Whether the task contains a target's name as a separate word, other than in what is forbidden. The path of a
    folder is not named by a path below it."""
    task = (context.task or "")[:_LONGEST]
    found = task.find(target) if target.strip("./~") else -1
    while found >= 0:
        before, after = task[found - 1 : found], task[found + len(target) : found + len(target) + 2]
        deeper = "/" in target and "://" not in target and after[:1] == "/" and after[1:].isalnum()
        if not (before.isalnum() or after[:1].isalnum() or deeper):
            return not is_forbidden(target, context)
        found = task.find(target, found + 1)
    return False
