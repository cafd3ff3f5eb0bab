"""What an action does to the world: the files, processes, services, hosts, packages and accounts it touches.

Specialists judge effects, so they need no knowledge of individual programs and libraries. Each domain's module reads
the programs in its `PROGRAMS`; `calls` reads Python. A program that no module lists has no effects here, but the script
still contains its command.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from supervisor.action import Action, Context
from supervisor.errors import NoReader
from supervisor.evidence import python as code
from supervisor.evidence import reader
from supervisor.evidence.actions import programs
from supervisor.evidence.actions.commands import commands_of_code
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.effects import (
    accounts,
    calls,
    credentials,
    databases,
    devices,
    execution,
    exposure,
    files,
    guard,
    harvesting,
    host_access,
    javascript,
    javascript_network,
    network,
    network_calls,
    packages,
    passwords,
    persistence,
    pipelines,
    platforms,
    process_calls,
    processes,
    remote_shells,
    repository,
    scripting,
    services,
    system,
    transfers,
    windows,
)
from supervisor.evidence.effects.effect import Act, Effect, Effects, Ground, Part, Reading, Where, is_known
from supervisor.evidence.effects.flow import grounds
from supervisor.evidence.effects.held_before import held_before
from supervisor.evidence.effects.key_files import MEANING
from supervisor.evidence.effects.links import links_before
from supervisor.evidence.effects.platforms import consoles, models
from supervisor.evidence.effects.shell_state import parts_of_texts
from supervisor.evidence.javascript import Program
from supervisor.evidence.javascript import read as read_javascript
from supervisor.evidence.reading.paths import resolve
from supervisor.evidence.shell import Code, Script, code_in, read_script
from supervisor.evidence.shell.javascript_calls import commands_of_program
from supervisor.evidence.shell.patching import PATCHERS, changes_applied

__all__ = ["CALLS", "Act", "Effect", "Effects", "Ground", "Reading", "effects", "effects_of_script", "is_known"]

_DOMAINS = (
    *(databases, files, platforms, repository, network, transfers, exposure, packages),
    *(accounts, devices, host_access, persistence, processes, services, system, credentials, passwords),
    *(harvesting, guard, pipelines),
)
SCRIPTS = (execution, remote_shells)  # read a script's commands together, not one by one
CALLS = (calls.CALLS, network_calls.CALLS)
CALLS_OF_JAVASCRIPT = (javascript.CALLS, javascript_network.CALLS)
TOOLS: Mapping[str, frozenset[Act]] = {**files.TOOLS, **passwords.TOOLS}  # acts of tools that run no code


def _by_program() -> Mapping[str, tuple[Reading, ...]]:
    """The readings of each program. Several domains may read the same program."""
    known: dict[str, tuple[Reading, ...]] = {}
    for readings in (*(domain.PROGRAMS for domain in _DOMAINS), platforms.CAPACITY):
        for name, reading in readings.items():
            known[name] = (*known.get(name, ()), reading)
    return known


PROGRAMS = _by_program()


def readings_of(program: str, args: Sequence[str]) -> tuple[Reading, ...]:
    """The readings of a command line. A tool that no domain lists may still use the grammar of platforms."""
    own = windows.readings_of(program)
    return (
        *(PROGRAMS.get(program) or () if own else PROGRAMS.get(program) or platforms.of_unlisted(program, args)),
        *own,
        files.READS,
    )


@reader
def effects(action: Action, context: Context) -> Effects:
    """The effects of an action. Raises Unreadable if the code that it executes cannot be read."""
    ground = Ground(context.workspace, links_before(context), held_before(context))
    ours = tuple(guard.parts_of_action(action, context))
    if action.kind == "shell":
        try:
            return effects_of_script(script(action, context), ground, ours)
        except NoReader as unread:
            if not ours:
                raise
            return Effects((Part(frozenset(Act), partial(_unread, str(unread))), *ours))
    return Effects((*_parts_of_tool(action, context, ground), *ours), MEANING)


def _unread(told: str) -> Iterator[Effect]:
    """What no reader gets through and yet names what belongs to the guard: those who judge that are asked by name, all
    others refuse as before."""
    raise NoReader(told)


def effects_of_script(read: Script, ground: Ground, more: tuple[Part, ...] = ()) -> Effects:
    """The effects of a script's commands and texts. Raises Unreadable if code in it cannot be read."""
    typed = consoles.parts_of_script(read)
    before = grounds(read.commands, ground)
    together = (*execution.parts_of_script(read, before), *remote_shells.parts_of_script(read, ground))
    of_text = (*parts_of_texts(read), *guard.parts_of_texts(read))
    patched = (each.path for command in read.named(*PATCHERS) for each in changes_applied(command))
    written = files.parts_of_code((*read.files, *patched))
    parts = (*_parts_of_script(read, before), *of_text, *typed, *together, *written, *more)
    return Effects(parts, MEANING, read.unread)


def _parts_of_tool(action: Action, context: Context, ground: Ground) -> Iterator[Part]:
    yield from files.parts_of_action(action, context, ground)
    yield from passwords.parts_of_action(action)
    if action.kind == "sql":
        yield Part(frozenset({Act.ANALYSIS}), tuple)
    yield from databases.parts_of_action(action, context)
    if action.kind == "python" and (module := programs.module(action, context)):
        yield from _parts_of_module(module, Where(ground, resolve(context.cwd or ".")))
        yield from _parts_of_commands(commands_of_code(action, context), ground)
    elif action.kind == "javascript" and (ran := programs.program(action, context)):
        yield from parts_of_program(ran, Where(ground, resolve(context.cwd or ".")))
        yield from _parts_of_commands(commands_of_code(action, context), ground)


def _parts_of_commands(ran: Script, ground: Ground) -> Iterator[Part]:
    """The effects of commands that code starts, and of their mentions of the guard."""
    yield from _parts_of_script(ran, grounds(ran.commands, ground))
    yield from guard.parts_of_texts(ran)


def _parts_of_script(read: Script, before: Sequence[Ground], *, is_nested: bool = False) -> Iterator[Part]:
    """The commands in order, each with the ground before it, then the code that they contain."""
    ground = before[-1] if before else Ground()
    for command, ground in zip(read.commands, before, strict=True):
        if any(each.target != files.NOWHERE and (each.writes or "<" in each.operator) for each in command.redirects):
            yield Part(files.REDIRECTS.acts, partial(files.REDIRECTS.read, command, ground))
            if network.writes_to_device(command):
                yield Part(network.TO_DEVICES.acts, partial(network.TO_DEVICES.read, command, ground))
        known = PROGRAMS.get(command.program, ())
        wrapped = (*known, files.READS)
        for reading in wrapped if command.wraps else readings_of(command.program, command.args):
            yield Part(reading.acts, partial(reading.read, command, ground), reading.is_quiet(command.args))
    for each in code_in(read):
        yield from _parts_of_code(each, Where(ground, each.command.cwd, each.command), is_nested=is_nested)


def _parts_of_code(found: Code, where: Where, *, is_nested: bool) -> Iterator[Part]:
    """The effects of code in a script.

    The script already lists the commands that Python starts. Commands that JavaScript starts through renamed functions
    need its syntax tree; they are read one level deep.
    """
    if found.language in ("python", "sql"):
        yield Part(frozenset({Act.ANALYSIS}), tuple)
    if found.language == "python":
        yield from _parts_of_module(code.read(found.text), where)
    elif found.language == "sql":
        yield from databases.parts_of_code(found)
    elif found.language != "javascript":
        yield from scripting.parts_of_code(found, where)
        yield from models.parts_of_code(found, where)
    else:
        ran = read_javascript(found.text)
        yield from parts_of_program(ran, where)
        for inner in () if is_nested else commands_of_program(ran):
            within = read_script(inner.script or list(inner.argv), where.cwd)
            yield from _parts_of_script(within, grounds(within.commands, where.ground), is_nested=True)


def _parts_of_module(module: code.Module, where: Where) -> Iterator[Part]:
    yield from calls.parts_of_module(module, where, *CALLS)
    yield from process_calls.parts_of_module(module)
    yield from guard.parts_of_module(module)
    yield from models.parts_of_module(module, where)
    yield from databases.parts_of_module(module, where.command)


def parts_of_program(ran: Program, where: Where) -> Iterator[Part]:
    """The effects of JavaScript that is run, without those of the commands that it starts."""
    yield from javascript.parts_of_program(ran, where, *CALLS_OF_JAVASCRIPT)
    yield from javascript_network.parts_of_sockets(ran, where)
    yield from guard.parts_of_program(ran)
    yield from databases.parts_of_program(ran, where.command)
