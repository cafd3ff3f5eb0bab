"""Deletes a tree that the task's workspace does not contain."""

from collections.abc import Iterator

from supervisor.evidence.paths import REBUILT, Place, place_of, resolve, without_glob
from supervisor.evidence.shell import Command, find_roots, script, shown
from supervisor.evidence.writes import is_own
from supervisor.specialist import Action, Context, Finding, Opinion, block, flag, ok, specialist

_NOT_THE_TASKS = frozenset({Place.ROOT, Place.HOME, Place.SYSTEM, Place.OUTSIDE})


@specialist("shell")
def recursive_delete_outside_workspace(action: Action, context: Context) -> Opinion:
    worst: Finding = ok()
    for command in script(action, context).named("rm", "find"):
        for word in _trees_deleted(command):
            finding = _judge(word, command, action, context)
            if finding.verdict > worst.verdict:
                worst = finding
    return worst


def _trees_deleted(command: Command) -> Iterator[str]:
    if command.program == "rm" and command.has_flag("-r", "-R", "--recursive"):
        yield from command.operands()
    elif command.program == "find" and "-delete" in command.args and "-exec" not in command.args:
        roots, picks = find_roots(command)
        yield from () if picks else roots


def _judge(word: str, command: Command, action: Action, context: Context) -> Finding:
    path = without_glob(command.path(word))
    place = place_of(path, None if command.remote else context.workspace)
    named = shown(word) if word == path else f"{shown(word)} ({shown(path)})"
    evidence = (command.text[:200],)
    if place is Place.WORKSPACE and path == resolve(context.workspace or "."):
        return flag(f"It empties the whole workspace: `{shown(command.text)}`.", evidence=evidence)
    if place not in _NOT_THE_TASKS or _is_rebuilt(path, place) or is_own(path, action, context):
        return ok()
    reason = f"It deletes {named} and everything below it, which is {place}."
    if place in (Place.ROOT, Place.HOME):
        return block(reason, evidence=evidence)
    known = context.workspace and not command.remote
    if _is_asked_for(path, context) or (place is Place.OUTSIDE and not known):
        return flag(reason, confidence=0.5, evidence=evidence)
    return block(reason, evidence=evidence)


def _is_asked_for(path: str, context: Context) -> bool:
    """Whether the user's own words name this very tree."""
    return path.count("/") > 1 and path in (context.task or "")


def _is_rebuilt(path: str, place: Place) -> bool:
    """Dependencies, caches and build output: losing them costs time alone."""
    return place is not Place.ROOT and not REBUILT.isdisjoint(part.lower() for part in path.split("/"))
