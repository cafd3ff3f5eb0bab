"""What an action does to the guard by name: with our command line, our package, our variables, or without our hooks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from supervisor.action import Action, Context
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.effects.guard.agents import settings_named, unhooks
from supervisor.evidence.effects.guard.assets import Assets
from supervisor.evidence.effects.guard.own_program import PROGRAM, parts_of, words_of
from supervisor.evidence.guard.disarming import Disarming, How
from supervisor.evidence.history.file_texts import text_of_file
from supervisor.evidence.machine.agents import HOOKED
from supervisor.evidence.machine.assets import Sort
from supervisor.evidence.shell import Command, read_script, shown

_INSTALL_CHANGES = ("--undo", "--policy", "--socket")
_AT_DEFAULT = "~/.local/state/supervisor/daemon.sock"


def read(action: Action, context: Context, known: Assets) -> Iterator[Disarming]:
    """What the effects of Act.GUARD do to the guard. Raises Unreadable as `effects` does."""
    for effect in effects(action, context).of(Act.GUARD):
        done = shown(effect.target)
        if effect.verb == "disarm" and not _is_of_another(effect, known):
            yield Disarming(How.REMOVED, done, done)
        elif effect.verb in ("approve", "use"):
            yield Disarming(How.ANSWERED, f"runs `{done}`" if effect.verb == "approve" else done, done)
        elif effect.verb == "steer":
            yield Disarming(How.STEERED, done, effect.content or "")
        elif effect.verb == "unguarded":
            yield Disarming(How.UNGUARDED, f"starts {done} with `{shown(effect.content or '')}`", done)
        elif effect.verb == "operate" and _changes(effect, known):
            yield Disarming(How.REMOVED, f"runs `{done}`", done)
    if action.kind == "shell":
        yield from _by_settings_file(action, context)
        yield from _by_packages(action, context, known)
        yield from _typed(action, context)
    elif action.kind == "tool" and _ANSWERS.fullmatch(action.tool):
        yield Disarming(How.ANSWERED, f"calls {shown(action.tool)}", shown(action.tool))


_TYPES = frozenset("xdotool ydotool wtype dotool osascript screen kitty wezterm cliclick".split())


def _typed(action: Action, context: Context) -> Iterator[Disarming]:
    """Our command line typed into another window: `xdotool type 'supervisor approve …'`."""
    for command in script(action, context).named(*_TYPES):
        for line in (line for word in command.args if PROGRAM in word for line in _lines_in(word)):
            if any(list(parts_of(each)) for each in read_script(line, context.cwd).commands):
                yield Disarming(How.ANSWERED, f"types `{shown(line)}`", shown(line))


def _lines_in(word: str) -> Iterator[str]:
    """The typed text, and the quoted texts in a script that types."""
    yield word.strip()
    yield from re.findall(r"\"([^\"\n]{1,400})\"", word)


_ANSWERS = re.compile(
    r"(?:.*[^a-z])?supervisor[^a-z]+(?:\w+_)?"
    r"(?:allow|approve|deny|answer|resume|undo|stop|reload|uninstall|learn|label)\w*"
)
_INTERPRETERS = {"perl": ("perl", "perl-base"), "python": ("python3", "python3-minimal", "python")}


def _by_packages(action: Action, context: Context, known: Assets) -> Iterator[Disarming]:
    """The packages of the guard's interpreters removed, or supervisord's `supervisor` installed over our module."""
    for effect in effects(action, context).of(Act.INSTALL):
        owners = {asset.owner for asset in known.of(Sort.INTERPRETER)}
        names = {name for owner, packed in _INTERPRETERS.items() if owner in owners for name in packed}
        command = effect.command
        if command is None or command.remote:
            continue
        done = Disarming(How.CHANGED, f"runs `{shown(command.text)}`", effect.target)
        if (
            effect.verb == "remove"
            and (effect.target in names or _is_python(effect.target, known))
            and command.program not in _OF_PYTHON
        ):
            yield done
        elif effect.verb != "remove" and effect.target == "supervisor":
            ran = (each for each in script(action, context).commands if each.text == command.text)
            yield from (done for each in ran if _is_beside(each, known))


def _is_python(package: str, known: Assets) -> bool:
    """Whether a package is the Python version that the guard's interpreter runs: `python3.11-minimal`."""
    found = re.fullmatch(r"python@?(3\.\d+)(?:-minimal|-full|-venv)?", package)
    return found is not None and any(a.place.endswith(f"/python{found[1]}") for a in known.of(Sort.INTERPRETER))


def _is_beside(command: Command, known: Assets) -> bool:
    """Whether the command's program stands in the directory of the guard's interpreter."""
    program = command.argv[0]
    return "/bin/" in program and known.nearest(command.path(program).rpartition("/")[0]) is not None


_OF_PYTHON = frozenset("pip pip3 uv npm pnpm yarn conda mamba poetry gem cargo".split())


def _by_settings_file(action: Action, context: Context) -> Iterator[Disarming]:
    """`claude --settings FILE`, where FILE switches hooks off, as this session wrote or read the file."""
    read = script(action, context)
    for command in read.commands:
        for path in settings_named(command) if not command.remote else ():
            text = read.files.get(path) or text_of_file(context, path)
            if text and unhooks(text):
                yield Disarming(How.UNGUARDED, f"starts {command.program} with `{shown(path)}`", command.program)


def _changes(effect: Effect, known: Assets) -> bool:
    """Whether a run of our command line changes the running guard."""
    if effect.command is None or effect.content not in ("install", "serve"):
        return True
    words = words_of(effect.command)
    if effect.content == "serve":
        socket = _value(effect.command, "--socket")
        found = known.at(effect.command.path(socket or _AT_DEFAULT))
        return found is not None and found.sort in (Sort.SOCKET, Sort.STATE)
    if _puts_back(effect.command, words, known):
        return False
    if any(word.startswith(_INSTALL_CHANGES) for word in words):
        return True
    # Hooks installed with `--policy` would lose it, and the default policy would come into force.
    hosts = {asset.owner for asset in known.of(Sort.HOOKS)}
    return any(known.of(Sort.POLICY)) and not hosts.isdisjoint(words)


_PLAIN = frozenset("install --yes -y --scope --policy --socket user project".split())

_HOSTS = frozenset(agent.folder.removeprefix(".") for agent in HOOKED.values())  # the names that `install` takes


def _puts_back(command: Command, words: Sequence[str], known: Assets) -> bool:
    """`supervisor install gemini --policy FILE --yes`, where FILE is the policy in force (and the socket ours)."""
    policy, socket = _value(command, "--policy"), _value(command, "--socket")
    found = known.at(command.path(policy)) if policy else None
    if found is None or found.sort != Sort.POLICY or (socket and not _is_socket(command.path(socket), known)):
        return False
    values = {policy, socket, f"--policy={policy}", f"--socket={socket}"}
    return all(word in _HOSTS or word in _PLAIN or word in values for word in words)


def _is_socket(path: str, known: Assets) -> bool:
    """Whether a path is the guard's socket, and not its lock or log."""
    found = known.at(path)
    return found is not None and found.sort == Sort.SOCKET and not path.endswith((".lock", ".log"))


def _is_of_another(effect: Effect, known: Assets) -> bool:
    """Whether the package manager's own path is in another environment than the guard's interpreter."""
    command = effect.command
    if command is None or "/bin/" not in (program := command.argv[0]) or effect.content != "package":
        return False
    return any(known.of(Sort.INTERPRETER)) and known.nearest(command.path(program).rpartition("/")[0]) is None


def _value(command: Command, option: str) -> str:
    for word, following in zip(command.args, (*command.args[1:], ""), strict=False):
        if word == option:
            return following
        if word.startswith(f"{option}="):
            return word.partition("=")[2]
    return dict(command.environment).get("SUPERVISOR_SOCKET", "")
