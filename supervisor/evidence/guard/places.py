"""What is done to the places of the guard: written, replaced, deleted, moved, linked and mounted over, closed, owned.

Every effect on a path counts, whatever tool or language has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from itertools import pairwise

from supervisor.action import Action, Context
from supervisor.evidence.assets import Asset, Sort
from supervisor.evidence.effects import Act, Effect, effects, effects_of_script
from supervisor.evidence.effects.effect import Effects, Ground
from supervisor.evidence.effects.guard.assets import TREES, Assets
from supervisor.evidence.guard import settings
from supervisor.evidence.guard.disarming import Disarming, How
from supervisor.evidence.paths import resolve
from supervisor.evidence.shell import read_script, shown
from supervisor.evidence.xdg import with_defaults

_CHANGES = (Act.WRITE, Act.DELETE, Act.MOVE, Act.PERMISSION)
_LEAVES = frozenset({"make", "touch"})  # what is there stays as it is
_OVER = frozenset({"replace", "move", "keep"})  # onto a directory: into it
_TREE_OVER = frozenset({"unpack", "mirror"})
_COMPILED = frozenset({"*.pyc", "*.pyo", "__pycache__"})  # which the interpreter makes again
_NAMES = ("-name", "-iname", "-path", "-ipath", "-wholename")
_CLOSING = re.compile(r"0*[0-7]{0,1}[0-6][0-7][0-7]|0|000|[ugoa]*u[ugoa]*-[rwx]+|a?-[rwx]+|[ugoa]*=[^w]*")
_NARROWS = re.compile(r"0?[67]00|(?:[go]+[-=][rwx]*,?)+")


def read(action: Action, context: Context, known: Assets) -> Iterator[Disarming]:
    """What an action does to the guard's places. Raises Unreadable as `effects` does."""
    found = effects(action, context)
    for effect in _done(action, context, found, known):
        yield from _judged(effect, action, context, known)


def _done(action: Action, context: Context, found: Effects, known: Assets) -> Iterator[Effect]:
    """The effects on files, where variables lead to the places by default as well."""
    yield from found.of(*_CHANGES)
    if action.kind == "shell":
        command = action.text("command")
        spelt = spelt_out(command, known) if "$" in command else command
        if spelt != command:
            yield from effects_of_script(read_script(spelt, context.cwd), Ground(context.workspace)).of(*_CHANGES)
    elif "$" in (path := action.text("path")):
        path = spelt_out(path, known).replace("${HOME}", "~").replace("$HOME", "~")
        target = resolve(path, context.cwd or ".")
        for effect in found.of(*_CHANGES):
            yield Effect(effect.act, target, effect.scope, effect.verb, effect.whole, text=path, content=effect.content)


_VARIABLES = {
    "CLAUDE_CONFIG_DIR": "$HOME/.claude",
    "CODEX_HOME": "$HOME/.codex",
    "CURSOR_CONFIG_DIR": "$HOME/.cursor",
    "SUPERVISOR_POLICY": Sort.POLICY,
    "SUPERVISOR_SOCKET": Sort.SOCKET,
    "SUPERVISOR_TOKEN_FILE": Sort.TOKEN,
}
_VARIABLE = re.compile(r"\$(?:(\w+)|\{(\w+)(?::?-[^}]*)?\})")


def spelt_out(text: str, known: Assets) -> str:
    """A text in which the variables that lead to the guard's places have the values that they are known to have."""

    def value(found: re.Match[str]) -> str:
        meant = _VARIABLES.get(found[1] or found[2])
        if isinstance(meant, Sort):
            return next((asset.place for asset in known.of(meant)), "$HOME/.config/supervisor/policy.yaml")
        return meant or found[0]

    return _VARIABLE.sub(value, with_defaults(text))


def _judged(effect: Effect, action: Action, context: Context, known: Assets) -> Iterator[Disarming]:
    """What one effect does to an asset, if it meets any."""
    if effect.is_remote or effect.target.startswith("/dev/"):
        return
    asset = _met(effect, known)
    if asset is None:
        return
    if asset.sort == Sort.HOOKS and effect.act is Act.WRITE and effect.verb not in ("link", "move"):
        yield from settings.read(effect, asset, action, context)
    elif _changes(effect, asset):
        yield Disarming(How.CHANGED, f"{_verb(effect)} {shown(effect.target)}", shown(effect.target))


def _verb(effect: Effect) -> str:
    words = {Act.DELETE: "deletes", Act.MOVE: "moves", Act.PERMISSION: "changes who may use"}
    return words.get(effect.act, "changes")


def _changes(effect: Effect, asset: Asset) -> bool:
    """Whether an effect that meets an asset does anything to it."""
    if effect.act is Act.WRITE:
        return effect.verb not in _LEAVES
    if effect.act is Act.DELETE and asset.sort in (Sort.CODE, Sort.LIBRARY):
        return not ("/__pycache__" in effect.target or effect.target.endswith((".pyc", ".pyo")))
    if effect.act is Act.PERMISSION:
        return not (asset.sort != Sort.HOOKS and effect.verb == "mode" and _NARROWS.fullmatch(effect.content or ""))
    return True


def _met(effect: Effect, known: Assets) -> Asset | None:
    """The asset that an effect is on: at its target, or below it where it is done to all that is there."""
    target, verb = effect.target, effect.verb
    if (asset := known.at(target)) is not None:
        return asset if not _picks_others(effect, asset) else None
    if effect.act is Act.WRITE and verb == "link":
        hard = effect.command is not None and not effect.command.has_flag("-s", "--symbolic", valued="tS")
        led = known.at(effect.content) if hard and effect.content else None
        return led or known.below(target)
    if effect.act is Act.WRITE:
        return _written_over(effect, known)
    below = known.below(target)
    if verb == "pick":
        return next((asset for asset in known.all_below(target) if not _picks_others(effect, asset)), None)
    if below is None or (effect.command is not None and effect.command.program == "rmdir"):
        return None
    if effect.act is Act.PERMISSION:
        return below if _closes(effect) and (effect.whole or known.nearest(target)) else None
    return below


def _written_over(effect: Effect, known: Assets) -> Asset | None:
    """What is copied, moved or unpacked onto a directory lands in it."""
    if effect.verb in _OVER and effect.command is not None and known.below(effect.target):
        names = [word.rstrip("/").rpartition("/")[2] for word in effect.command.operands()[:-1]]
        return next(filter(None, (known.at(f"{effect.target}/{name}") for name in names)), None)
    if effect.verb in _TREE_OVER:
        return known.nearest(effect.target)
    return None


def _closes(effect: Effect) -> bool:
    """Whether a change of permissions takes a directory from its owner, or gives it to another."""
    return effect.verb != "mode" or _CLOSING.fullmatch(effect.content or "") is not None


def _picks_others(effect: Effect, asset: Asset) -> bool:
    """`find ~ -name '*.pyc' -delete` leaves alone what is called otherwise."""
    if effect.verb != "pick" or effect.command is None:
        return False
    wanted = [value.rpartition("/")[2] for option, value in pairwise(effect.command.args) if option in _NAMES]
    if asset.sort in (Sort.CODE, Sort.LIBRARY) and wanted and _COMPILED.issuperset(wanted):
        return True
    is_inside = asset.sort in TREES and len(effect.target) >= len(asset.place)
    name = asset.place.rpartition("/")[2]
    return bool(wanted) and not is_inside and not any(fnmatchcase(name, each) for each in wanted)
