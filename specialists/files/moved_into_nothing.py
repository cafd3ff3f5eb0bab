"""Moves files so that they are lost: into the null device, or several of them onto one name."""

from collections.abc import Iterator

from supervisor.evidence.changes.asked import asks_to
from supervisor.evidence.changes.writes import is_own
from supervisor.evidence.effects import Act, Effect, Effects, effects, is_known
from supervisor.evidence.history.past_scripts import latest_steps
from supervisor.evidence.reading.paths import within
from supervisor.evidence.shell import Command, shown
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, specialist

_FOR_EACH = frozenset({"find", "parallel", "xargs"})
_RECENT = 8  # steps of the history that are searched for a failed `mkdir`


@specialist("shell", "python", "javascript", about=[Act.MOVE])
def moved_into_nothing(action: Action, context: Context) -> Opinion:
    arrivals: dict[str, str] = {}  # target name -> what is moved there
    for moved, place in _moves(effects(action, context)):
        reason = _lost(moved, place, arrivals, action, context)
        if reason and asks_to(Act.MOVE, action, context):
            return flag(reason, evidence=(moved.text[:200],))
        if reason:
            return _corrected(reason, moved)
    return ok()


def _moves(done: Effects) -> Iterator[tuple[Effect, Effect | None]]:
    """Every file that is moved, with its new name if a target is named."""
    places: dict[tuple[int, str], list[Effect]] = {}
    for written in done.of(Act.WRITE):
        if written.verb == "move":
            places.setdefault((id(written.command), written.text), []).append(written)
    for moved in done.of(Act.MOVE):
        left = places.get((id(moved.command), moved.text), [])
        yield moved, left.pop(0) if left else None


def _lost(moved: Effect, place: Effect | None, arrivals: dict[str, str], action: Action, context: Context) -> str:
    """Why the move loses the file; empty if it does not."""
    if place is None:
        alone = moved.command is not None and moved.command.program == "mv" and _is_pattern(moved.command.operands())
        return f"`{shown(moved.text)}` names no target: all matches are moved onto the last one." if alone else ""
    path = place.target
    if within(path, "/dev/null"):
        return f"It moves {shown(moved.target)} into the null device, where nothing is kept."
    each = moved.command is not None and (
        _is_for_each(moved.command) or (_takes_all(moved.command) and "*" not in path)
    )
    if is_known(path) and _is_file(path) and (arrivals.setdefault(path, moved.target) != moved.target or each):
        return f"Several files are moved onto the one name {shown(path)}; all but the last are lost."
    if _could_not_be_made(path, context) and not is_own(path, action, context):
        return f"The directory {shown(path)} could not be created, so each file that is moved there replaces the last."
    return ""


def _is_pattern(words: list[str]) -> bool:
    return len(words) == 1 and any(mark in words[0] for mark in "*?")


def _is_for_each(command: Command) -> bool:
    """Whether the command runs once for each of many files, with the same target."""
    source, target = (command.operands() or [""])[0], command.argv[-1]
    kept_apart = "{" in target or source in target or target.endswith("/")  # `dir/` is a directory, or the move fails
    return not _FOR_EACH.isdisjoint(command.wrappers) and not kept_apart


def _takes_all(command: Command) -> bool:
    """Whether the source is every file of a kind: `*.csv`, not `app-*.whl`, which may be one."""
    return command.program == "mv" and any(word.rpartition("/")[2][:1] == "*" for word in command.operands()[:-1])


def _is_file(path: str) -> bool:
    """Whether a name is a file's: directories have no extension."""
    name = path.rpartition("/")[2]
    return "." in name.strip(".") and not name.endswith(".d")


def _could_not_be_made(path: str, context: Context) -> bool:
    """Whether the session's last step about a directory was a failed attempt to create it."""
    for past in latest_steps(context, _RECENT):
        for command in past.commands:
            if command.program == "mkdir" and path in [command.path(word) for word in command.operands()]:
                return past.step.failed
    return False


def _corrected(reason: str, moved: Effect) -> Opinion:
    return nudge(
        reason,
        correction="Create the directory and move into it with a slash after its name, so that the move fails if the"
        " directory is missing: `mkdir -p kept && mv -n a.txt kept/`. Then check with `ls` that all files are there.",
        sharper="Move nothing until `ls -d` shows the directory; then use `mv -n` with a slash after its name.",
        evidence=(moved.text[:200],),
    )
