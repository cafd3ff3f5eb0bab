"""What an action does to the guard's files and folders: write, replace, delete, move, link over, change permissions.

Every effect on a path counts, whichever tool or language causes it.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from itertools import pairwise

from supervisor.action import Action, Context
from supervisor.evidence.effects import Act, Effect, effects, effects_of_script
from supervisor.evidence.effects.effect import Effects, Ground
from supervisor.evidence.effects.guard.assets import TREES, Assets, may_be_secret
from supervisor.evidence.guard import settings
from supervisor.evidence.guard.disarming import Disarming, How
from supervisor.evidence.guard.settings_filters import filtered_settings
from supervisor.evidence.machine.assets import Asset, Sort
from supervisor.evidence.machine.xdg import with_defaults
from supervisor.evidence.reading.paths import HOLE, resolve
from supervisor.evidence.shell import Command, read_script, shown

_CHANGES = (Act.WRITE, Act.DELETE, Act.MOVE, Act.PERMISSION)
_LEAVES = frozenset({"make", "touch"})  # these leave an existing file as it is
_OVER = frozenset({"replace", "move", "keep"})  # onto a directory: into it
_TREE_OVER = frozenset({"unpack", "mirror"})
_COMPILED = frozenset({"*.pyc", "*.pyo", "__pycache__"})  # the interpreter writes these again
_NAMES = ("-name", "-iname", "-path", "-ipath", "-wholename")
_CLOSING = re.compile(r"0*[0-7]{0,1}[0-6][0-7][0-7]|0|000|[ugoa]*u[ugoa]*-[rwx]+|a?-[rwx]+|[ugoa]*=[^w]*")
# Modes that keep even the owner out of a directory.
_SHUTS = re.compile(r"0*[0-7]?[0246][0-7][0-7]|0+|[ugo]*[ua][ugoa]*-[rw]*x[rw]*|-[rw]*x[rw]*|[ugo]*[ua]?=[rw]*")
_MANY = re.compile(rf"[*?\[]|{HOLE}")
_HASHES = frozenset("b2sum cksum md5sum sha1sum sha256sum sha512sum wc openssl ssh-keygen".split())
_ACL_TAKEN = (("-b",), ("-x",), ("-k",), ("--remove-all",), ("--remove-default",))  # the owner keeps all rights
_NARROWS = re.compile(r"0?[67]00|(?:[go]+[-=][rwx]*,?)+")


def read(action: Action, context: Context, known: Assets) -> Iterator[Disarming]:
    """What an action does to the guard's places. Raises Unreadable as `effects` does."""
    found = effects(action, context)
    for effect in _file_effects(action, context, found, known):
        yield from _judged(effect, action, context, known)


_UNPACKS = re.compile(r"(?i)extract|unpack|unzip|untar|decompress|restore")
_MOST_LINES = 4_096


def read_unpacked(action: Action, context: Context, known: Assets) -> Iterator[Disarming]:
    """What is unpacked over the guard's places, by the listing of the archive in an earlier step."""
    targets = [e.target for e in effects(action, context).of(Act.WRITE) if e.verb == "unpack" and not e.is_remote]
    if action.kind == "tool" and _UNPACKS.search(action.tool) and not action.get("members"):
        targets = [resolve(text, context.cwd or ".") for _, text in action.strings() if len(text) < 4_096]
    above = [target for target in targets if known.below(target) is not None]
    listed = (line for step in context.history for line in step.text[:65_536].splitlines()) if above else iter(())
    for line in itertools.islice(listed, _MOST_LINES):
        name = line.split()[-1] if line.split() else ""
        for target in above if "/" in name else ():
            if (asset := known.at(resolve(name, target))) is not None and asset.sort != Sort.INTERPRETER:
                yield Disarming(How.CHANGED, f"unpacks {shown(name)} over {shown(asset.place)}", shown(asset.place))
                return


# Words of a tool's own name, behind its server's: it tells about a file, and has no word for the contents.
_DESCRIBES = frozenset("exists info list metadata mtime size stat stats".split())
_GIVES_CONTENTS = frozenset("cat content contents copy download dump fetch open read show text view".split())


def _only_describes(tool: str) -> bool:
    words = {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", re.split(r"__|[./]", tool)[-1])}
    return not words.isdisjoint(_DESCRIBES) and words.isdisjoint(_GIVES_CONTENTS)


def read_secrets(action: Action, context: Context, known: Assets) -> Iterator[Disarming]:
    """The guard's key or token, shown or copied. A checksum of it reveals nothing."""
    shows = action.kind == "file_read" or (action.kind == "tool" and not _only_describes(action.tool))
    for _, text in action.strings() if shows else ():
        if may_be_secret(text, context.facts) and is_secret(resolve(text, context.cwd or "."), known):
            yield Disarming(How.READ, f"reads {shown(text)}", shown(text))
            return
    for word in _INTO_WORDS.findall(action.text("command")) if action.kind == "shell" else ():
        if is_secret(resolve(spelt_out(word, known), context.cwd or "."), known):
            yield Disarming(How.READ, f"reads {shown(word)}", shown(word))
    for effect in effects(action, context).of(Act.READ):
        if effect.is_remote or not is_secret(effect.target, known):
            continue
        if effect.command is None or effect.command.program not in _HASHES:
            yield Disarming(How.READ, f"reads {shown(effect.target)}", shown(effect.target))


_INTO_WORDS = re.compile(r"\$\(\s*<\s*\"?([^\s)\"]{2,512})\"?\s*\)")
_FOR_KEYS = re.compile(r"\.?(?:keys?|secrets?|private|credentials?|signing|pki)", re.IGNORECASE)


def is_secret(path: str, known: Assets) -> bool:
    """Whether a path is the guard's key or token, or a folder that holds nothing of the guard's but those."""
    asset = known.at(path)
    if asset is not None:
        return asset.sort in (Sort.KEY, Sort.TOKEN)
    for_keys = _FOR_KEYS.fullmatch(path.rstrip("/").rpartition("/")[2]) and known.nearest(path) is not None
    sorts = {each.sort for each in known.all_below(path)} if for_keys else set()
    return bool(sorts) and sorts <= {Sort.KEY, Sort.TOKEN}


def _file_effects(action: Action, context: Context, found: Effects, known: Assets) -> Iterator[Effect]:
    """The effects on files, also with the variables for the guard's places replaced by their values."""
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
    """A text in which the variables for the guard's places are replaced by their values."""

    def value(found: re.Match[str]) -> str:
        meant = _VARIABLES.get(found[1] or found[2])
        if isinstance(meant, Sort):
            return next((asset.place for asset in known.of(meant)), "$HOME/.config/supervisor/policy.yaml")
        return meant or found[0]

    return _VARIABLE.sub(value, with_defaults(text))


def _judged(effect: Effect, action: Action, context: Context, known: Assets) -> Iterator[Disarming]:
    """What one effect does to the asset that it is on, if any."""
    if effect.is_remote or effect.target.startswith("/dev/"):
        return
    asset = _asset_hit(effect, known)
    if asset is None:
        return
    shows = effect.verb not in ("link", "move") or filtered_settings(effect, action, context) is not None
    if asset.sort == Sort.HOOKS and effect.act is Act.WRITE and shows:
        yield from settings.read(effect, asset, action, context, stands=known.holds_ours(asset))
    elif effect.verb == "pick" and _is_swept(effect, known):
        yield Disarming(How.SWEPT, f"runs `{shown(effect.text)}`", shown(effect.target))
    elif _changes(effect, asset) or (effect.act is Act.PERMISSION and _shuts(effect) and not known.at(effect.target)):
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
        if effect.verb == "acl" and effect.command is not None and effect.command.args[:1] in _ACL_TAKEN:
            return False
        return not (asset.sort != Sort.HOOKS and effect.verb == "mode" and _NARROWS.fullmatch(effect.content or ""))
    return True


def _asset_hit(effect: Effect, known: Assets) -> Asset | None:
    """The asset that an effect is on: at its target, or below it if the effect is recursive."""
    target, verb = effect.target, effect.verb
    if (asset := known.at(target)) is not None:
        if asset.sort == Sort.INTERPRETER and effect.act is Act.WRITE and _MANY.search(target.rpartition("/")[2]):
            return None  # `ln -s "$dir"/bin/* /usr/bin/`: the interpreter may not be among them
        return asset if not picks_others(effect, asset) else None
    if effect.act is Act.WRITE and verb == "link":
        hard = effect.command is not None and not effect.command.has_flag("-s", "--symbolic", valued="tS")
        linked = known.at(effect.content) if hard and effect.content else None
        return linked or known.below(target)
    if effect.act is Act.WRITE:
        return _written_over(effect, known)
    below = known.below(target)
    if verb == "pick":
        return next((asset for asset in known.all_below(target) if not picks_others(effect, asset)), None)
    if below is None or (effect.command is not None and effect.command.program == "rmdir"):
        return None
    if effect.act is Act.PERMISSION:
        closes = _closes(effect) and (effect.whole or known.nearest(target) is not None)
        return below if closes or _shuts(effect) else None
    return below


def _is_swept(effect: Effect, known: Assets) -> bool:
    """Whether files are picked by age, size or owner from a distant parent: `find ~ -atime +100 -delete`."""
    far = known.at(effect.target) is None and known.nearest(effect.target) is None
    socket = effect.command is not None and ("-type", "s") in set(pairwise(effect.command.args))
    return (far or known.is_home(effect.target)) and not _wanted(effect) and not socket


def _shuts(effect: Effect) -> bool:
    """Whether a mode makes everything below a directory inaccessible."""
    return effect.verb == "mode" and _SHUTS.fullmatch(effect.content or "") is not None


def _written_over(effect: Effect, known: Assets) -> Asset | None:
    """The asset that a copy, move or unpacking into a directory overwrites."""
    if effect.verb in _OVER and effect.command is not None and known.below(effect.target):
        sources = effect.command.operands()[:-1]
        if any(word.endswith(("/.", "/*")) for word in sources) and (held := known.nearest(effect.target)):
            return held
        names = [word.rstrip("/").rpartition("/")[2] for word in effect.command.operands()[:-1]]
        targets = [f"{effect.target}/{name}" for name in names if name]
        merged = (known.nearest(path) for path in targets if effect.verb == "replace" and effect.whole)
        return next(filter(None, (*(known.at(path) for path in targets), *merged)), None)
    if effect.verb in _TREE_OVER:
        return known.nearest(effect.target)
    return None


def _closes(effect: Effect) -> bool:
    """Whether a change of permissions takes rights from a directory's owner, or changes the owner."""
    return effect.verb != "mode" or _CLOSING.fullmatch(effect.content or "") is not None


def picks_others(effect: Effect, asset: Asset) -> bool:
    """`find ~ -name '*.pyc' -delete` leaves files of other names alone."""
    if effect.verb != "pick" or effect.command is None:
        return False
    wanted = _wanted(effect)
    if ("-type", "s") in set(pairwise(effect.command.args)) and asset.sort != Sort.SOCKET:
        return True
    if holds_named(asset, wanted):
        return False
    if asset.sort in (Sort.CODE, Sort.LIBRARY) and wanted and _COMPILED.issuperset(wanted):
        return True
    is_inside = asset.sort in TREES and len(effect.target) >= len(asset.place)
    above, _, name = asset.place.rpartition("/")
    names = [name, *(_below(effect.target, above) if _takes_trees(effect.command) else ())]
    return bool(wanted) and not is_inside and not any(fnmatchcase(name, each) for name in names for each in wanted)


# Examples of file names in trees whose files are not listed one by one.
_HELD = {Sort.RECORDS: ("segment-000001.jsonl", "2026-01-01.jsonl"), Sort.TAXONOMY: ("rule.yaml",)}


def holds_named(asset: Asset, wanted: Sequence[str]) -> bool:
    """Whether file names in a tree of the guard match one of these patterns."""
    names = _HELD.get(Sort(asset.sort), ())
    return any(fnmatchcase(name, each) for name in names for each in wanted if each.strip("*."))


def _wanted(effect: Effect) -> list[str]:
    """The names that `find` picks by."""
    words = effect.command.args if effect.command is not None else ()
    return [value.rpartition("/")[2] for option, value in pairwise(words) if option in _NAMES]


def _takes_trees(command: Command) -> bool:
    """Whether picked folders are removed with their content: `find … -exec rm -rf {} +`."""
    runs = itertools.dropwhile(lambda word: not word.startswith(("-exec", "-ok")), command.args)
    recursive = any(re.fullmatch(r"-[a-zA-Z]*[rR][a-zA-Z]*|--recursive", word) for word in runs)
    return recursive and ("-type", "f") not in set(pairwise(command.args))


def _below(target: str, path: str) -> Sequence[str]:
    """The names on the way from a directory down to a path; for another spelling of a home, those below the home."""
    start = target.rstrip("/") + "/"
    return path.removeprefix(start).split("/") if path.startswith(start) else path.split("/")[3:]
