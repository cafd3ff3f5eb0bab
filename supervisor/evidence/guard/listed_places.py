"""What commands do to places of the guard that another command lists, or that a container mounts: `grep -l … | xargs
sed -i`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from supervisor.action import Action, Context
from supervisor.evidence.actions.commands import RUNNERS, run_by
from supervisor.evidence.effects.effect import Act, Effect
from supervisor.evidence.effects.guard.assets import PRIVATE, Assets
from supervisor.evidence.guard.disarming import Disarming, How
from supervisor.evidence.guard.places import holds_named, picks_others
from supervisor.evidence.guard.processes import origins
from supervisor.evidence.guard.unmodelled import READERS, mounted
from supervisor.evidence.machine.assets import Sort
from supervisor.evidence.reading.paths import HOLE, Place
from supervisor.evidence.shell import SHELLS, Command, find_roots, read_script, shown

_OURS = frozenset({*PRIVATE, Sort.CODE, Sort.LIBRARY})
_LISTS = frozenset("ls find fd fdfind realpath readlink dirname git".split())
_SEARCHES = frozenset("grep egrep fgrep rg ag ack".split())
_CHANGE = frozenset("sed gsed perl truncate rm unlink shred tee sponge cp mv chmod chown ln install dd".split())
_IN_PLACE = re.compile(r"-[a-zA-Z]*i.*|--in-place.*|-pi.*")
_OUTPUT = frozenset({"-out", "--out", "-o", "--output", "-keyout", "--output-file", "--outfile"})
_CONTAINERS = frozenset({"docker", "podman", "nerdctl"})


def read(action: Action, context: Context, known: Assets) -> Iterator[Disarming]:
    """What an action's commands do to places that other commands list. Raises Unreadable as `script` does."""
    if action.kind == "shell":
        yield from _by_variable(action, context, known)
    for command in run_by(action, context).commands if action.kind in RUNNERS else ():
        if _typed_into_shell(command, known) or _changes_listed(command, known) or _changes_mounted(command, known):
            yield Disarming(How.CHANGED, f"runs `{shown(command.text)}`", shown(command.text))


_BOUND = r"(?:^|[\s;&|(]){name}=\"?\$\(([^()]{{1,1000}})\)"


def _by_variable(action: Action, context: Context, known: Assets) -> Iterator[Disarming]:
    """`f=$(ls ledger/*.jsonl | tail -1); … > "$f"`: a redirection's variable has no command of its own."""
    text = action.text("command")
    for name in dict.fromkeys(re.findall(r">\s*\"?\$\{?(\w+)", text)) if "$(" in text else ():
        for found in re.finditer(_BOUND.format(name=name), text):
            if any(_names_ours(each, known) for each in read_script(found[1], context.cwd).commands):
                yield Disarming(How.CHANGED, f"writes what `{shown(found[1])}` names", shown(found[1]))


def _typed_into_shell(command: Command, known: Assets) -> bool:
    """`ls ledger | sed 's/^/rm /' | sh`: command lines made of the names of the guard's files."""
    return command.program in SHELLS and any(_names_ours(each, known) for each in command.upstream)


def _changes_listed(command: Command, known: Assets) -> bool:
    if command.remote or command.wrappers[-1:] == ("find",):
        return False  # what `find` runs is read with it
    if command.program == "find":
        return _changes_found(command, known)
    if any(name in _OUTPUT and _is_ours(value, command, known) for name, value in pairwise(command.args)):
        return True
    writes = any(each.writes and HOLE in each.target for each in command.redirects)
    inner = [word.rpartition("/")[2] for word in command.args] if command.program == "xargs" else [command.program]
    names = _CHANGE.intersection(inner)
    changes = bool(names) and (names != {"sed"} or any(map(_IN_PLACE.fullmatch, command.args)))
    if not (writes or (changes and (command.program == "xargs" or any(HOLE in word for word in command.args)))):
        return False
    return any(_names_ours(each, known) for each in origins(command))


def _names_ours(command: Command, known: Assets) -> bool:
    """Whether a command lists files of the guard."""
    if command.program in _SEARCHES:
        lists = any(re.fullmatch(r"-[a-zA-Z]*[lL][a-zA-Z]*|--files-with(?:out)?-match(?:es)?", w) for w in command.args)
        if not lists:
            return False
    elif command.program not in _LISTS:
        return False
    if command.program == "ls" and not command.operands():
        return _is_ours("./", command, known)
    included = [word.partition("=")[2] for word in command.args if word.startswith("--include=")]
    for word in command.operands():
        if _is_ours(word, command, known):
            return True
        below = known.all_below(command.path(word)) if included and "/" in word else ()
        if any(holds_named(asset, included) for asset in below if asset.sort in (Sort.RECORDS, Sort.TAXONOMY)):
            return True
    return False


def _is_ours(word: str, command: Command, known: Assets) -> bool:
    if "/" not in word and not word.startswith((".", "~")) and known.at(command.path(".")) is None:
        return False
    path = command.path(word)
    found = known.at(path) or known.nearest(path)
    return found is not None and found.sort in _OURS


def _changes_found(command: Command, known: Assets) -> bool:
    """`find ~/ops -name '*.yaml' -exec truncate -s 0 {} +`; `places` reads what `find` deletes."""
    runs = [value.rpartition("/")[2] for option, value in pairwise(command.args) if option.startswith(("-exec", "-ok"))]
    if _CHANGE.isdisjoint(runs) or {"rm", "unlink", "shred"}.intersection(runs):
        return False
    if {"sed", "perl", "gsed"}.issuperset(runs) and not any(map(_IN_PLACE.fullmatch, command.args)):
        return False
    roots, _ = find_roots(command)
    for root in roots:
        target = command.path(root)
        inside = known.at(target)
        if inside is not None and inside.sort in _OURS:
            return True
        effect = Effect(Act.WRITE, target, Place.SYSTEM, "pick", command=command)
        if known.is_home(target) and not picks_by_name(command):
            continue
        if any(not picks_others(effect, asset) for asset in known.all_below(target) if asset.sort in _OURS):
            return True
    return False


def picks_by_name(command: Command) -> bool:
    """Whether `find` picks files by a name or path."""
    return any(word in ("-name", "-iname", "-path", "-ipath", "-wholename") for word in command.args)


def _changes_mounted(command: Command, known: Assets) -> bool:
    """Whether a container mounts a folder above the guard's places and its command changes one of them there."""
    if command.program not in _CONTAINERS or command.remote:
        return False
    for mount in mounted(command):
        here, _, rest = mount.partition(":")
        there = rest.partition(":")[0].rstrip("/")
        if not here.startswith(("/", "~", ".")) or len(there) < 2:
            continue
        for text in command.args:
            for found in re.finditer(rf"{re.escape(there)}(/[^\s'\";:,]{{1,512}})", text):
                path = f"{command.path(here).rstrip('/')}{found[1]}"
                reads = text[: found.start()].split()[-2:-1] or [""]
                if (known.at(path) or known.nearest(path)) is not None and reads[0] not in READERS:
                    return True
    return False
