"""Moves a system's tree, a home or a service's data away from where programs look for it."""

from collections.abc import Iterator

from supervisor.evidence.actions.hosts import hosts_of
from supervisor.evidence.changes.asked import asks_for, asks_to, is_named, task_mentions
from supervisor.evidence.changes.verbs import Verb
from supervisor.evidence.changes.word import is_asked
from supervisor.evidence.changes.writes import is_own
from supervisor.evidence.effects import Act, Effect, Effects, effects
from supervisor.evidence.machine.places import Deed, KnownPlace, place_at
from supervisor.evidence.reading.paths import Place
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Finding, Opinion, block, flag, nudge, ok, specialist

_ELSEWHERE = frozenset({Place.WORKSPACE, Place.TEMPORARY, Place.UNKNOWN})
_RENAMED = frozenset({"product settings", "system settings", "folder", "web", "product data", "mount"})
_KEPT = (
    *("aside", "beiseite", "aufheb", "aparte", "odloz", "opzij", "backup", "sicherung", "sauvegarde"),
    *("rebuild", "rebuilt", "reinit", "restore", "wiederherst"),
)
_GONE = frozenset({"tree", "home"})


@specialist("shell", "python", "javascript", about=[Act.MOVE])
def place_moved_away(action: Action, context: Context) -> Opinion:
    done = effects(action, context)
    findings = [_judge(each, to, action, context) for each, to in _moves(done)]
    return max(findings, key=lambda finding: finding.verdict, default=ok())


def _moves(done: Effects) -> Iterator[tuple[Effect, str]]:
    """What is moved, and the path it gets; empty if that is not known."""
    moved = [each for each in done.of(Act.MOVE) if each.scope not in _ELSEWHERE]
    places = [each for each in done.of(Act.WRITE) if each.verb in ("move", "keep")] if moved else []
    for each in moved:
        near = [to.target for to in places if to.command is each.command and to.text == each.text]
        yield each, near[0] if len(near) == 1 else ""


def _judge(moved: Effect, to: str, action: Action, context: Context) -> Finding:
    path, place = moved.target, place_at(moved.target)
    if place is None or not place.stops(Deed.MOVE) or path == context.workspace or is_own(path, action, context):
        return ok()
    if moved.is_contained or _is_made_here(moved, action, context):
        return ok()
    reason = f"It moves {shown(path)} away, {place.name}; what needs it there no longer finds it."
    evidence = (moved.text[:200],)
    replaced = _is_replaced(moved, to, action, context)
    if replaced and task_mentions(action, context, *_KEPT):
        return ok()
    wanted = _is_wanted(path, action, context) or _is_put_aside(moved, to, action, context)
    if replaced or wanted or _is_only_renamed(path, to, place):
        return flag(reason, confidence=0.5, evidence=evidence)
    if place.kind in _GONE:
        return block(reason, evidence=evidence)
    return nudge(
        reason,
        correction=f"Leave {shown(path)} where it is. If a copy is needed elsewhere, copy it (`cp -a`) and"
        " compare before anything is removed.",
        sharper=f"Do not move {shown(path)}. Tell the user why it should go elsewhere.",
        evidence=evidence,
    )


def _is_wanted(path: str, action: Action, context: Context) -> bool:
    """Whether the task asks for the move and names the place by its path or its name."""
    if asks_for(Act.MOVE, path, action, context):
        return True
    name = path.rpartition("/")[2]
    return path.count("/") > 1 and is_named(name, context) and asks_to(Act.MOVE, action, context)


def _is_put_aside(moved: Effect, to: str, action: Action, context: Context) -> bool:
    """Whether it stays beside under another name, on the one host whose replacement the user asks for."""
    beside = to.startswith(moved.target) and "/" not in to[len(moved.target) :]
    hosts = hosts_of(moved.command, action, context) if moved.command is not None and beside else ()
    return bool(hosts) and is_asked(_REPLACES, context) and all(is_named(host, context) for host in hosts)


_REPLACES = frozenset({Verb.RESET, Verb.ROTATE})


def _is_only_renamed(path: str, to: str, place: KnownPlace) -> bool:
    """`mv /etc/nginx /etc/nginx.bak`: it stays beside, under a name that shows what it is."""
    return place.kind in _RENAMED and to.startswith(path) and "/" not in to[len(path) :]


def _is_made_here(moved: Effect, action: Action, context: Context) -> bool:
    """Whether the action itself wrote the file just before: a draft that gets its name once it is checked."""
    written = (each for each in effects(action, context).of(Act.WRITE) if each.verb in ("replace", "touch"))
    return any(each.target == moved.target and each.command is not moved.command for each in written)


def _is_replaced(moved: Effect, to: str, action: Action, context: Context) -> bool:
    """Whether it only gets another name beside, and the same script makes a new one in its place."""
    path = moved.target
    if not to.startswith(path) or "/" in to[len(path) :]:
        return False
    return any(each.target == path and each.verb == "make" for each in effects(action, context).of(Act.WRITE))
