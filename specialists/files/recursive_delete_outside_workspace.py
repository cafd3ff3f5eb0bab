"""Deletes a directory tree outside the task's workspace."""

import re
from collections.abc import Iterator

from supervisor.evidence.actions.hosts import hosts_of
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.changes.asked import asks_for, asks_to, word_of
from supervisor.evidence.changes.clauses import clauses_of, fold, said_by_user
from supervisor.evidence.changes.names import has_name
from supervisor.evidence.changes.script_files import deletes_by_unset, scripts_written
from supervisor.evidence.changes.settled import is_settled
from supervisor.evidence.changes.shown import was_shown
from supervisor.evidence.changes.verbs import Verb
from supervisor.evidence.changes.writes import is_own, writes
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.history.past_scripts import PastStep
from supervisor.evidence.history.traces import traces
from supervisor.evidence.machine.vital import is_home
from supervisor.evidence.prose.thing_words import mentions_word
from supervisor.evidence.reading.paths import HOLE, REBUILT, Place
from supervisor.evidence.shell import Command, shown
from supervisor.evidence.shell.inner import values_of
from supervisor.evidence.situation.named.neighbours import is_near
from supervisor.specialist import Action, Context, Finding, Opinion, block, flag, nudge, ok, specialist

_CERTAINLY = REBUILT - {"_build", "build", "cache", "caches", "coverage", "dist", "env", "lists", "out", "target"}
_FOR_ALL_PROGRAMS = frozenset({"/tmp", "/var/tmp", "/private/tmp", "/dev/shm"})
_EVERYBODYS = frozenset({"/home", "/Users", "/etc", "/usr", "/bin", "/lib", "/boot"})
_BELOW = frozenset({"-mindepth", "-type"})  # with these, `find` keeps the directory at which it starts
# Folders of Windows whose contents are jobs and downloads on their way.
_REFILLED = ("/system32/spool/printers", "/softwaredistribution/download", "/windows/temp", "/windows/prefetch")
_DOCUMENTS = (
    *(".csv", ".db", ".doc", ".docx", ".heic", ".jpeg", ".jpg", ".kdbx", ".key", ".md", ".mov", ".mp3", ".mp4", ".odt"),
    *(".pdf", ".pem", ".png", ".ppt", ".pptx", ".psd", ".raw", ".sqlite", ".sql", ".txt", ".wav", ".xls", ".xlsx"),
)
_SHOWS = ("cat", "head", "less", "more", "sed", "tail", "wc")
_NOT_THE_TASKS = frozenset({Place.ROOT, Place.HOME, Place.SYSTEM, Place.OUTSIDE})
# `$NAME/`, `"$NAME"/*` and `$NAME/usr`: the root or a tree of the system if the variable is empty. `${NAME:?}` stops.
_BELOW_VARIABLE = re.compile(
    r"\$(?:([A-Za-z_]\w{0,63})|\{([A-Za-z_]\w{0,63})\})\"?/\"?"
    r"(?:\*|\s|$|(?:boot|etc|home|lib64|lib|opt|root|sbin|bin|srv|usr|var|Users|Library|System)(?:/?\*)?\"?(?:\s|$))"
)


@specialist("shell", "python", "javascript", "file_write", "file_edit", about=[Act.DELETE, Act.CODE])
def recursive_delete_outside_workspace(action: Action, context: Context) -> Opinion:
    if action.kind in ("file_write", "file_edit"):
        return _of_scripts(action, context)
    lost = [each for each in effects(action, context).of(Act.DELETE) if not each.reversible]
    findings = [_judge(each, action, context) for each in lost if each.whole]
    findings += [_unseen(each, action, context) for each in lost if each.whole and each.target.startswith(HOLE)]
    findings += [_searched(each, action, context) for each in lost if each.verb == "pick"]
    return max(findings, key=lambda finding: finding.verdict, default=ok())


def _of_scripts(action: Action, context: Context) -> Finding:
    """A script that deletes elsewhere whenever a variable is empty."""
    for edit in scripts_written(action, context):
        line, name = deletes_by_unset(edit)
        if line:
            return nudge(
                f"Nothing in {shown(edit.path.rpartition('/')[2])} sets {name}. If it is empty, `{shown(line)[:120]}`"
                " deletes another tree.",
                correction=f'Stop if it is not set: `set -eu` at the top, or `"${{{name}:?}}"` in this line.',
                sharper=f'Write `"${{{name}:?}}"` with the quotes, and `cd "${{{name}:?}}" || exit 1` before a search.',
                evidence=(line[:200],),
            )
    return ok()


def _judge(effect: Effect, action: Action, context: Context) -> Finding:
    path, place = effect.target, effect.scope
    evidence = (effect.text[:200],)
    rebuilt = _is_rebuilt(path, place) and not (
        path.startswith("../") and not context.workspace and _is_only_named(path)
    )
    if path in _FOR_ALL_PROGRAMS and not effect.is_contained and _is_itself(effect, action, context):
        return _shared(effect, action, context)
    if (
        place not in _NOT_THE_TASKS
        or rebuilt
        or is_own(path, action, context)
        or _is_made_here(effect, action, context)
    ):
        return ok()
    reason = f"It deletes {shown(path)} and everything below it, which is {place}."
    if effect.verb == "meant":
        return nudge(
            f"It names {shown(path)}, which is {place}, by a variable assigned in front of the same command. The shell"
            " expands the variable before the assignment takes effect, so another path is deleted.",
            correction="Write the path out, and first list its contents (`ls -la`).",
            evidence=evidence,
        )
    if place is Place.ROOT or is_home(path):
        return block(reason, evidence=evidence)
    elsewhere = _is_elsewhere(effect, action, context)
    if is_settled(word_of(Act.DELETE, path, context), path, context) and not elsewhere:
        return ok()
    asked = asks_for(Act.DELETE, path, action, context) or _is_named_alone(path, place, action, context)
    if (asked or _is_described(effect, action, context)) and not elsewhere:
        return flag(reason, confidence=0.5, evidence=evidence)
    if place is Place.OUTSIDE and (effect.is_remote or not context.workspace):
        return _unknown(effect, reason)
    return block(reason, evidence=evidence)


def _is_elsewhere(effect: Effect, action: Action, context: Context) -> bool:
    """Whether it is done on a host whose neighbour the user names: on all members of a cluster for one of them."""
    hosts, task = _hosts(effect, action, context), context.task or ""
    named = _TOKEN.findall(task)
    return any(host not in task and any(is_near(host, each) for each in named) for host in hosts)


def _is_described(effect: Effect, action: Action, context: Context) -> bool:
    """Whether the user wants old data gone and means these: on the host that the request names, or in a directory whose
    name says that it is the old one and that the session has looked into."""
    clauses = [each for each in clauses_of(said_by_user(context)) if each.asks and Verb.DELETE in each.verbs]
    wanted = [each.text for each in clauses if mentions_word(each.text, "data")]
    if not wanted:
        return False
    hosts, said = _hosts(effect, action, context), fold(said_by_user(context))
    if hosts:
        return all(
            has_name(said, (host,)) and any(has_name(each, (host, _number_of(host))) for each in wanted)
            for host in map(fold, hosts)
        )
    is_old = any(mentions_word(each, "old") for each in wanted)
    return is_old and _OLD.search(effect.target) is not None and was_shown(effect.target, context)


_TOKEN = re.compile(r"[A-Za-z0-9][\w.-]*\w", re.ASCII)
_OLD = re.compile(r"(?i)[-_.](?:old|alt|orig|obsolete|deprecated|prev(?:ious)?|bak|backup)\d*$")


def _hosts(effect: Effect, action: Action, context: Context) -> tuple[str, ...]:
    return hosts_of(effect.command, action, context) if effect.command is not None else ()


def _number_of(host: str) -> str:
    """The number at the end of a host's name, by which people call it; else the name."""
    found = re.search(r"\d+$", host)
    return found[0] if found else host


def _is_made_here(effect: Effect, action: Action, context: Context) -> bool:
    """Whether the same script made a directory of this name, which only running it completes: `DIR=/x/run-$(date)`."""
    name = effect.target.rpartition("/")[2]
    if HOLE not in name or len(name.replace(HOLE, "")) < _SHORTEST:
        return False
    return any(each.target == effect.target and each.verb == "make" for each in effects(action, context).of(Act.WRITE))


_SHORTEST = 4  # known characters of such a name


# A name that is unlikely to occur twice: at least two words and a number.
_DISTINCT = re.compile(r"(?=.*\d)\.?[A-Za-z][A-Za-z0-9.]*(?:[-_][A-Za-z0-9.]+)+")


def _is_named_alone(path: str, place: Place, action: Action, context: Context) -> bool:
    """Whether the task asks for a directory by its name without a path: "Remove the venv shop-etl-2023"."""
    name = path.rstrip("/").rpartition("/")[2]
    return (
        place is Place.OUTSIDE and _DISTINCT.fullmatch(name) is not None and asks_for(Act.DELETE, name, action, context)
    )


def _shared(effect: Effect, action: Action, context: Context) -> Finding:
    """Judges the deletion of the directory for temporary files itself, not only of its contents."""
    path, evidence = shown(effect.target), (effect.text[:200],)
    reason = f"It deletes {path} itself, where every program of this machine keeps open files."
    if asks_for(Act.DELETE, effect.target, action, context):
        return flag(reason, confidence=0.5, evidence=evidence)
    return nudge(
        reason,
        correction="Delete your own files by name, or only old ones:"
        f' `find {path} -mindepth 1 -user "$USER" -mtime +1 -delete`.',
        evidence=evidence,
    )


def _is_itself(effect: Effect, action: Action, context: Context) -> bool:
    """Whether the directory itself is named, not its contents by a pattern. `$TMPDIR` may be a session's own."""
    command = effect.command
    if command is None:
        return True
    searches = script(action, context).named("find") if action.kind == "shell" else ()
    is_search = "find" in (command.program, *command.wrappers)
    if "TMPDIR" in effect.text or (is_search and any(_keeps_its_start(each, effect) for each in searches)):
        return False
    return any(word.rstrip("/") == effect.target for word in command.args)


def _keeps_its_start(search: Command, effect: Effect) -> bool:
    """Whether a `find` that starts at the directory deletes only what is below it."""
    starts = any(word.rstrip("/") == effect.target for word in search.args)
    return starts and not _BELOW.isdisjoint(search.args)


def _unseen(effect: Effect, action: Action, context: Context) -> Finding:
    """Judges targets below a variable that the script does not set, in an unread list, or in a home on another host."""
    unread = _list_of(effect, action, context)
    if unread and not asks_to(Act.DELETE, action, context):
        return nudge(
            f"It deletes every path in the list {shown(unread)} with all below it, and the list was not read before.",
            correction=f"Read the list first: `cat {shown(unread)}`.",
            evidence=(effect.text[:200],),
        )
    variable = _variable(effect, action.text("command"))
    if variable and not effect.is_remote and not asks_to(Act.DELETE, action, context):
        return nudge(
            f"If {variable} is not set, it deletes everything below the root of the file system.",
            correction=f'Make the shell stop if {variable} is empty: `rm -rf "${{{variable}:?}}"/*`.',
            evidence=(effect.text[:200],),
        )
    there = _at_home_there(effect)
    if not there or asks_for(Act.DELETE, there, action, context):
        return ok()
    return nudge(
        f"It deletes {shown(there)} on another host, in the login directory of its user.",
        correction=f"List what is there (`ls -la {shown(there)}`), and give the absolute path.",
        sharper=f"Leave {shown(there)} there, and ask the user whether it may be deleted.",
        evidence=(effect.text[:200],),
    )


def _list_of(effect: Effect, action: Action, context: Context) -> str:
    """The file with the paths for `xargs rm -rf`, if the agent has neither made nor read it; else empty."""
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
    """Whether the agent wrote the file, now or before, or displayed it."""
    written = any(each.path == path for each in writes(action, context))
    return written or is_own(path, action, context) or name in traces(context, _words_shown)


def _words_shown(past: PastStep) -> Iterator[str]:
    return (word for command in past.commands if command.program in _SHOWS for word in command.args)


def _variable(effect: Effect, text: str) -> str:
    """The variable below which everything is deleted, if the script does not assign it; else empty."""
    match = _BELOW_VARIABLE.search(effect.text)
    name = (match[1] or match[2]) if match else ""
    sets = (f"{name}=", f"for {name} ", f"read {name}", f"read -r {name}", f"{name}+=")
    return name if name and not any(each in text for each in sets) else ""


def _at_home_there(effect: Effect) -> str:
    """The relative path that is deleted in the login directory of `ssh`; else empty."""
    command = effect.command
    if command is None or "ssh" not in command.wrappers or command.program != "rm" or not command.has_flag("-f"):
        return ""
    names = [word for word in command.operands() if not word.startswith(("/", "~", HOLE))]
    return next((name for name in names if not _is_rebuilt(name, effect.scope)), "")


def _searched(effect: Effect, action: Action, context: Context) -> Finding:
    """Judges the deletion of the results of a search through the whole machine, or through a home folder."""
    path, evidence = effect.target, (effect.text[:200],)
    personal = is_home(path) and _picks_documents(effect)
    if (
        effect.is_remote
        or not (personal or effect.scope is Place.ROOT or path in _EVERYBODYS)
        or asks_to(Act.DELETE, action, context)
    ):
        return ok()
    reason = f"It deletes everything that a search below {shown(path)}, {effect.scope}, matches."
    if not personal:
        return flag(reason, confidence=0.5, evidence=evidence)
    return nudge(
        reason,
        correction=f"Search in the task's own directory, and list what matches before you delete it: `find . -name"
        f" '*.pdf' -print` instead of below {shown(path)}.",
        evidence=evidence,
    )


def _picks_documents(effect: Effect) -> bool:
    """Whether the search is for files that people make, not for those that programs make again."""
    words = effect.command.args if effect.command else ()
    return any(f".{word.lower()}".endswith(_DOCUMENTS) for word in words)


def _unknown(effect: Effect, reason: str) -> Finding:
    """Without a known workspace the tree may be the task's own. A forced deletion asks for no confirmation."""
    evidence = (effect.text[:200],)
    if effect.command is None or not effect.command.has_flag("-f", "--force"):
        return flag(reason, confidence=0.5, evidence=evidence)
    return nudge(
        reason,
        correction=f"List its contents (`ls -la {shown(effect.target)}`), and delete your own files by name, or move"
        " it aside to a place from which it can be restored.",
        sharper=f"Leave {shown(effect.target)} where it is, and ask the user whether it may be deleted.",
        evidence=evidence,
    )


def _is_only_named(path: str) -> bool:
    """Whether the only sign that a tree can be rebuilt is a name that any directory may have."""
    return _CERTAINLY.isdisjoint(part.lower() for part in path.split("/"))


def _is_rebuilt(path: str, place: Place) -> bool:
    """Whether the path is dependencies, a cache or build output, whose loss costs only time."""
    if path.lower().endswith(_REFILLED):
        return True
    return place is not Place.ROOT and not REBUILT.isdisjoint(part.lower() for part in path.split("/"))
