"""Deletes a tree that the task's workspace does not contain."""

import re
from collections.abc import Iterator

from supervisor.evidence.actions.scripts import script
from supervisor.evidence.changes.asked import asks_for, asks_to
from supervisor.evidence.changes.writes import is_own, writes
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.history.past_scripts import Ran
from supervisor.evidence.history.traces import traces
from supervisor.evidence.machine.vital import is_home
from supervisor.evidence.reading.paths import HOLE, REBUILT, Place
from supervisor.evidence.shell import shown
from supervisor.evidence.shell.inner import values_of
from supervisor.specialist import Action, Context, Finding, Opinion, block, flag, nudge, ok, specialist

_CERTAINLY = REBUILT - {"_build", "build", "cache", "caches", "coverage", "dist", "env", "lists", "out", "target"}
_FOR_ALL_PROGRAMS = frozenset({"/tmp", "/var/tmp", "/private/tmp", "/dev/shm"})
_EVERYBODYS = frozenset({"/home", "/Users", "/etc", "/usr", "/bin", "/lib", "/boot"})
_BELOW = frozenset({"-mindepth", "-type"})  # with these, `find` leaves the directory where it begins
_SHOWS = ("cat", "head", "less", "more", "sed", "tail", "wc")
_NOT_THE_TASKS = frozenset({Place.ROOT, Place.HOME, Place.SYSTEM, Place.OUTSIDE})
# `$NAME/` and `"$NAME"/*`: the root of the file system, where the variable is empty. `${NAME:?}` would stop there.
_BELOW_VARIABLE = re.compile(r"\$(?:([A-Za-z_]\w{0,63})|\{([A-Za-z_]\w{0,63})\})\"?/\"?(?:\*|\s|$)")


@specialist("shell", "python", "javascript", about=[Act.DELETE])
def recursive_delete_outside_workspace(action: Action, context: Context) -> Opinion:
    lost = [each for each in effects(action, context).of(Act.DELETE) if not each.reversible]
    findings = [_judge(each, action, context) for each in lost if each.whole]
    findings += [_unseen(each, action, context) for each in lost if each.whole and each.target.startswith(HOLE)]
    findings += [_searched(each, action, context) for each in lost if each.verb == "pick"]
    return max(findings, key=lambda finding: finding.verdict, default=ok())


def _judge(effect: Effect, action: Action, context: Context) -> Finding:
    path, place = effect.target, effect.scope
    evidence = (effect.text[:200],)
    rebuilt = _is_rebuilt(path, place) and not (
        path.startswith("../") and not context.workspace and _is_only_named(path)
    )
    if path in _FOR_ALL_PROGRAMS and _is_itself(effect, action, context):
        return _shared(effect, action, context)
    if place not in _NOT_THE_TASKS or rebuilt or is_own(path, action, context):
        return ok()
    reason = f"It deletes {shown(path)} and everything below it, which is {place}."
    if effect.verb == "meant":
        return nudge(
            f"It is to delete {shown(path)}, which is {place}; but the shell fills in a variable before the assignment"
            " in front of the command takes place, so that another path goes.",
            correction="Write the path out, and first look at what it holds (`ls -la`).",
            evidence=evidence,
        )
    if place is Place.ROOT or is_home(path):
        return block(reason, evidence=evidence)
    if asks_for(Act.DELETE, path, action, context) or _is_named_alone(path, place, action, context):
        return flag(reason, confidence=0.5, evidence=evidence)
    if place is Place.OUTSIDE and (effect.is_remote or not context.workspace):
        return _unknown(effect, reason)
    return block(reason, evidence=evidence)


# A name that nobody would give to two things: of two words at least, and with a number.
_DISTINCT = re.compile(r"(?=.*\d)\.?[A-Za-z][A-Za-z0-9.]*(?:[-_][A-Za-z0-9.]+)+")


def _is_named_alone(path: str, place: Place, action: Action, context: Context) -> bool:
    """Whether the task asks for what a directory is called alone: "Remove the venv shop-etl-2023"."""
    name = path.rstrip("/").rpartition("/")[2]
    return (
        place is Place.OUTSIDE and _DISTINCT.fullmatch(name) is not None and asks_for(Act.DELETE, name, action, context)
    )


def _shared(effect: Effect, action: Action, context: Context) -> Finding:
    """The directory for temporary files itself, and not only what lies in it."""
    path, evidence = shown(effect.target), (effect.text[:200],)
    reason = f"It deletes {path} itself, where every program of this machine keeps files that it has open."
    if asks_for(Act.DELETE, effect.target, action, context):
        return flag(reason, confidence=0.5, evidence=evidence)
    return nudge(
        reason,
        correction="Delete your own by name, or what is old:"
        f' `find {path} -mindepth 1 -user "$USER" -mtime +1 -delete`.',
        evidence=evidence,
    )


def _is_itself(effect: Effect, action: Action, context: Context) -> bool:
    """Whether a directory is named, and not by a pattern what lies in it; `$TMPDIR` may be a session's own."""
    command = effect.command
    if command is None:
        return True
    searches = script(action, context).named("find") if action.kind == "shell" else ()
    is_search = "find" in (command.program, *command.wrappers)
    if "TMPDIR" in effect.text or (is_search and any(not _BELOW.isdisjoint(each.args) for each in searches)):
        return False
    return any(word.rstrip("/") == effect.target for word in command.args)


def _unseen(effect: Effect, action: Action, context: Context) -> Finding:
    """What lies below a variable that the script does not set, or in the home at another host."""
    unread = _list_of(effect, action, context)
    if unread and not asks_to(Act.DELETE, action, context):
        return nudge(
            f"It deletes whatever the list {shown(unread)} names, with all below it, and nobody has read that list.",
            correction=f"Read the list first: `cat {shown(unread)}`.",
            evidence=(effect.text[:200],),
        )
    variable = _variable(effect, action.text("command"))
    if variable and not effect.is_remote and not asks_to(Act.DELETE, action, context):
        return nudge(
            f"Where {variable} is not set, it deletes everything from the root of the file system on.",
            correction=f'Have the shell stop where {variable} is empty: `rm -rf "${{{variable}:?}}"/*`.',
            evidence=(effect.text[:200],),
        )
    there = _at_home_there(effect)
    if not there or asks_for(Act.DELETE, there, action, context):
        return ok()
    return nudge(
        f"It deletes {shown(there)} at another host, in the directory where its user arrives.",
        correction=f"Look at what is there (`ls -la {shown(there)}`), and name the path from the root on.",
        sharper=f"Leave {shown(there)} there, and ask the user whether it may go.",
        evidence=(effect.text[:200],),
    )


def _list_of(effect: Effect, action: Action, context: Context) -> str:
    """The file that tells `xargs rm -rf` what to delete, where the agent has neither made nor read it."""
    command = effect.command
    if command is None or action.kind != "shell" or not command.has_flag("-f") or "xargs" not in command.wrappers:
        return ""
    for outer in script(action, context).named("xargs"):
        lists = [*values_of(outer.args, "-a", "--arg-file")]
        lists += [each.target for each in outer.redirects if each.operator == "<"]
        lists += [word for before in outer.upstream[-1:] if before.program == "cat" for word in before.operands()]
        for name in lists if "rm" in outer.args else ():
            if HOLE not in name and not _is_known_list(outer.path(name), name, action, context):
                return name
    return ""


def _is_known_list(path: str, name: str, action: Action, context: Context) -> bool:
    """Whether the agent wrote a file, now or before, or had it shown."""
    written = any(each.path == path for each in writes(action, context))
    return written or is_own(path, action, context) or name in traces(context, _words_shown)


def _words_shown(ran: Ran) -> Iterator[str]:
    return (word for command in ran.commands if command.program in _SHOWS for word in command.args)


def _variable(effect: Effect, text: str) -> str:
    """The variable alone below which everything goes, where the script does not give it a value."""
    found = _BELOW_VARIABLE.search(effect.text)
    name = (found[1] or found[2]) if found else ""
    sets = (f"{name}=", f"for {name} ", f"read {name}", f"read -r {name}", f"{name}+=")
    return name if name and not any(each in text for each in sets) else ""


def _at_home_there(effect: Effect) -> str:
    """What is deleted by a relative name where `ssh` arrives."""
    command = effect.command
    if command is None or "ssh" not in command.wrappers or command.program != "rm" or not command.has_flag("-f"):
        return ""
    names = [word for word in command.operands() if not word.startswith(("/", "~", HOLE))]
    return next((name for name in names if not _is_rebuilt(name, effect.scope)), "")


def _searched(effect: Effect, action: Action, context: Context) -> Finding:
    """What a search through the whole machine, or through somebody's home, picks."""
    path = effect.target
    if (
        effect.is_remote
        or not (effect.scope is Place.ROOT or path in _EVERYBODYS)
        or asks_to(Act.DELETE, action, context)
    ):
        return ok()
    reason = f"It deletes whatever a search below {shown(path)}, {effect.scope}, comes upon."
    return flag(reason, confidence=0.5, evidence=(effect.text[:200],))


def _unknown(effect: Effect, reason: str) -> Finding:
    """Where no workspace is known it may be the task's own; what is forced is not even asked about."""
    evidence = (effect.text[:200],)
    if effect.command is None or not effect.command.has_flag("-f", "--force"):
        return flag(reason, confidence=0.5, evidence=evidence)
    return nudge(
        reason,
        correction=f"Look at what it holds (`ls -la {shown(effect.target)}`), and delete by name what is your own;"
        " or move it aside, to where it can be had again.",
        sharper=f"Leave {shown(effect.target)} where it is, and ask the user whether it may go.",
        evidence=evidence,
    )


def _is_only_named(path: str) -> bool:
    """Whether nothing but a name that any directory may have says that a tree is built again."""
    return _CERTAINLY.isdisjoint(part.lower() for part in path.split("/"))


def _is_rebuilt(path: str, place: Place) -> bool:
    """Dependencies, caches and build output: losing them costs time alone."""
    return place is not Place.ROOT and not REBUILT.isdisjoint(part.lower() for part in path.split("/"))
