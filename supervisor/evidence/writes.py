"""Which files an action changes, and which files the agent made itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass

from supervisor.action import Action, Context, Step
from supervisor.errors import Unreadable
from supervisor.evidence import reader
from supervisor.evidence.git import git_calls
from supervisor.evidence.past import names_told
from supervisor.evidence.paths import HOLE, resolve, with_parents
from supervisor.evidence.shell import Command, Script, read_script, script

_COMMAND_NAMES = ("command", "cmd", "commands", "script", "code", "input")
_PATH_NAMES = ("path", "file_path", "filename", "file", "notebook_path")


@dataclass(frozen=True, slots=True)
class Write:
    """One file changed. `how`: replace (its whole content), extend, edit (in place), delete."""

    path: str
    how: str


_Found = Iterator[tuple[str, str]]  # a command's word for a file, and how it is changed


@reader
def writes(action: Action, context: Context) -> tuple[Write, ...]:
    """The files that an action changes, in order, as resolved paths; those that only running tells are left out.

    Raises Unreadable as `script` does.
    """
    if action.kind == "shell":
        return writes_of(script(action, context))
    how = {"file_write": "replace", "file_edit": "edit", "file_delete": "delete"}.get(action.kind)
    path = action.text("path")
    return (Write(resolve(path, context.cwd or "."), how),) if how and path else ()


def writes_of(script: Script) -> tuple[Write, ...]:
    """The files that a script's commands change."""
    found: list[Write] = []
    for command in script.commands:
        if command.remote or not (command.redirects or command.program in _WRITERS):
            continue
        for word, how in _words_written(command):
            path = command.path(word)
            if HOLE not in path and not path.startswith("/dev/"):
                found.append(Write(path, how))
    return tuple(found)


def _words_written(command: Command) -> _Found:
    for redirect in command.redirects:
        if redirect.writes:
            yield redirect.target, "extend" if ">>" in redirect.operator else "replace"
    writer = _WRITERS.get(command.program)
    if writer:
        yield from writer(command)


def _tee(command: Command) -> _Found:
    how = "extend" if command.has_flag("-a", "--append") else "replace"
    yield from ((word, how) for word in command.operands())


def _in_place(command: Command) -> _Found:
    """`sed -i`, `perl -pi`: every operand but the program text, unless an option already brought that."""
    options = [word for word in command.args if word.startswith("-") and word != "-"]
    clusters = [word[1:].partition("e")[0] for word in options if word[1] not in "-MIm"]
    if not any("i" in cluster for cluster in clusters) and not any(word.startswith("--in-place") for word in options):
        return
    brings = ("-e", "-f", "-E") if command.program == "perl" else ("-e", "-f", "--expression", "--file")
    takes = frozenset(word for word in options if word in brings or (word[:2] != "--" and word[-1:] in "ef"))
    given = bool(takes) or any(word.startswith(("--expression=", "--file=", "-e", "-f")) for word in options)
    operands = command.operands(takes)
    yield from ((word, "edit") for word in (operands if given else operands[1:]))


def _copied(command: Command) -> _Found:
    operands = command.operands(frozenset({"-t", "--target-directory", "-m", "-o", "-g", "-S"}))
    if command.program == "mv":
        yield from ((word, "delete") for word in operands[:-1])
    if len(operands) > 1:
        *sources, target = operands
        inside = target.endswith("/") or len(sources) > 1
        names = [f"{target.rstrip('/')}/{word.rstrip('/').rpartition('/')[2]}" for word in sources]
        yield from ((name, "replace") for name in (names if inside else [target]))


def _deleted(command: Command) -> _Found:
    yield from ((word, "delete") for word in command.operands())


def _patched(command: Command) -> _Found:
    yield from ((word, "edit") for word in command.operands(frozenset({"-i", "-p", "-d", "-o"}))[:1])


def _truncated(command: Command) -> _Found:
    yield from ((word, "edit") for word in command.operands(frozenset({"-s", "--size", "-r"})))


def _dd(command: Command) -> _Found:
    yield from ((word[3:], "replace") for word in command.args if word.startswith("of="))


def _downloaded(command: Command) -> _Found:
    option = "-o" if command.program == "curl" else "-O"
    args = command.args
    yield from ((args[at + 1], "replace") for at, word in enumerate(args[:-1]) if word == option)


_WRITERS: dict[str, Callable[[Command], _Found]] = {
    "tee": _tee,
    **dict.fromkeys(("sed", "gsed", "perl"), _in_place),
    **dict.fromkeys(("cp", "mv", "install", "ln"), _copied),
    **dict.fromkeys(("rm", "unlink", "shred"), _deleted),
    "patch": _patched,
    "truncate": _truncated,
    "dd": _dd,
    **dict.fromkeys(("curl", "wget"), _downloaded),
}


@reader
def own_files(action: Action, context: Context) -> Set[str]:
    """Files and directories that the agent made itself, as resolved paths.

    From the fact `files_created_by_agent`, from what earlier steps of the session wrote whole or made, and from what
    the action itself makes.
    """
    stated = context.facts.get("files_created_by_agent")
    made = {resolve(name, context.cwd or ".") for name in _texts(stated)}
    if action.kind == "shell":
        made.update(_directories_made(script(action, context)))
    return names_told(context, _made_by_step, context.cwd, more=frozenset(made))


def is_own(path: str, action: Action, context: Context) -> bool:
    """Whether a resolved path is one that the agent made itself, or lies below one."""
    own = own_files(action, context)
    return any(each in own for each in with_parents(path))


def _texts(value: object) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, Sequence) else []


def _made_by_step(step: Step, cwd: str | None) -> set[str]:
    if step.failed:
        return set()
    if step.kind == "file_write":
        paths = [step.args[name] for name in _PATH_NAMES if isinstance(step.args.get(name), str)]
        return {resolve(path, cwd or ".") for path in paths[:1]}
    past = past_script(step, cwd)
    if past is None:
        return set()
    return {write.path for write in writes_of(past) if write.how == "replace"} | set(_directories_made(past))


def past_script(step: Step, cwd: str | None) -> Script | None:
    """What an earlier shell step ran; None where it was none, or cannot be read."""
    if step.kind != "shell":
        return None
    command = next((step.args[name] for name in _COMMAND_NAMES if name in step.args), None)
    try:
        return read_script(command, cwd)
    except Unreadable:
        return None


def _directories_made(script: Script) -> Iterator[str]:
    for command in script.named("mkdir", "touch"):
        yield from (command.path(word) for word in command.operands(frozenset({"-m", "--mode"})))
    for call in git_calls(script):
        if call.verb == "clone":
            yield from (call.command.path(word) for word in call.words[1:2])
        elif call.verb == "init":
            yield from (call.command.path(word) for word in call.words[:1])
        elif call.verb == "worktree" and call.operands[:1] == ("add",):
            yield from (call.command.path(word) for word in call.words[1:2])
