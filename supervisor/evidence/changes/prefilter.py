"""The acts that an action may have, found with bounded work, so that an ordinary action does not wait for a parser.

The acts are never fewer than those that `effects` finds, except for quiet readings and everyday changes (`everyday`).
Cases that are not certain are left to the parser.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence

from supervisor.action import Action, Context
from supervisor.evidence.actions.misnamed import lacks_contents
from supervisor.evidence.actions.patched import may_hold_patch
from supervisor.evidence.changes.configured import may_configure
from supervisor.evidence.changes.everyday import CHANGES, Everyday
from supervisor.evidence.commands import option_variables, variables
from supervisor.evidence.commands.acts import may_be_deed
from supervisor.evidence.commands.hints import may_disclose, may_weaken
from supervisor.evidence.commands.near_names import may_have_other_value, may_take_sibling
from supervisor.evidence.commands.own_output import own_output
from supervisor.evidence.commands.width import may_be_wide
from supervisor.evidence.effects import SCRIPTS, TOOLS, readings_of
from supervisor.evidence.effects.effect import Act
from supervisor.evidence.effects.files import CODE, CODE_KINDS, acts_of_tool, reads_ordinary_file
from supervisor.evidence.effects.guard import may_concern_guard, names_guard
from supervisor.evidence.effects.guard.assets import may_be_secret, may_name_asset
from supervisor.evidence.effects.held_before import held_before
from supervisor.evidence.effects.key_files import MEANING
from supervisor.evidence.effects.shell_state import may_hold_more
from supervisor.evidence.history.file_texts import text_of_file
from supervisor.evidence.machine.command_files import may_write_commands
from supervisor.evidence.prose.stage_words import may_be_on_other_stage
from supervisor.evidence.reading.paths import resolve
from supervisor.evidence.shell import Command
from supervisor.evidence.shell.code import file_of_code, may_hold_code
from supervisor.evidence.shell.foreign import is_portable, language_of_tool
from supervisor.evidence.shell.plain import plain_words
from supervisor.evidence.shell.wrappers import runs_others
from supervisor.intake.kinds import runs

_NOTHING: frozenset[Act] = frozenset()
_PATCHES = frozenset({Act.UNREAD})
_GUARD = frozenset({Act.GUARD})
_EMPTY = frozenset({Act.EMPTY})
_WIDE = frozenset({Act.WIDE})
_DEED = frozenset({Act.DEED})
_SETTING = frozenset({Act.SETTING})
_CODE_KINDS = frozenset({"javascript", "python", "sql"})


def prefiltered_acts(action: Action, context: Context) -> frozenset[Act] | None:
    """The acts of the effects that a specialist may need to judge; None if only a parser can find them."""
    empty = _EMPTY if lacks_contents(action) else _NOTHING
    if empty and runs(action.kind):
        return _EMPTY | (_GUARD if names_guard(action, context) else _NOTHING)
    if action.kind in _CODE_KINDS:
        return None
    if reads_ordinary_file(action) and not any(may_be_secret(text, context.facts) for _, text in action.strings()):
        return _NOTHING
    if action.kind != "shell":
        code = CODE if action.kind in CODE_KINDS else _NOTHING
        code |= _PATCHES if may_hold_patch(action) else _NOTHING
        code |= _GUARD if names_guard(action, context) else _NOTHING
        code |= _SETTING if may_configure(action) else _NOTHING
        tool = acts_of_tool(action) or TOOLS.get(action.kind, _NOTHING)
        return MEANING.with_what_they_mean(tool | code | empty)
    command = action.get("command")
    commands = plain_words(command) if isinstance(command, str) else None
    if commands is None or may_hold_more(command) or may_concern_guard(command):
        return None
    if may_name_asset(command, context.facts) or may_write_commands(command) or _may_set_code(command):
        return None
    if language_of_tool(action.tool) and not all(map(is_portable, commands)):
        return None
    commands = [_by_name(words) for words in commands] if not context.history else commands
    if any(_is_opaque(words) for words in commands):
        return None
    if (context.history or ">" in command) and _runs_known_code(commands, context):
        return None
    if context.history and any("/" in words[0] for words in commands) and held_before(context):
        return None
    everyday = Everyday(context) if any(words[0] in CHANGES for words in commands) else None
    own = _DEED if _may_be_deed(command, commands, context) or any(map(own_output, commands)) else _NOTHING
    wide = _WIDE if context.task and any(map(may_be_wide, commands)) else _NOTHING
    own |= _SETTING if may_configure(action) else _NOTHING
    return MEANING.with_what_they_mean(own.union(wide, *_acts_of(commands, everyday)))


def _may_be_deed(text: str, commands: Sequence[Sequence[str]], context: Context) -> bool:
    """Whether a request or a history may speak against the commands."""
    if not (context.task or context.history):
        return False
    task = context.task or ""
    if may_weaken(text) or may_disclose(text) or (context.history and may_take_sibling(text, task)):
        return True
    return may_be_deed(commands, task) or may_be_on_other_stage(text, task) or may_have_other_value(text, task)


def _may_set_code(command: str) -> bool:
    """Whether a script may set a variable whose value runs."""
    return "=" in command and any(name in command for name in _variables())


@functools.cache
def _variables() -> tuple[str, ...]:
    return tuple(f"{name}=" for name in (*variables(), *option_variables()))


def _by_name(words: list[str]) -> list[str]:
    """The words with the program's name in place of its path. Without a history, no text of `./script` is known."""
    return [words[0].rpartition("/")[2], *words[1:]] if "/" in words[0] else words


def _is_opaque(words: Sequence[str]) -> bool:
    """Whether a command runs code or commands that its words alone do not show."""
    return runs_others(words) or may_hold_code(words)


def _runs_known_code(commands: Sequence[Sequence[str]], context: Context) -> bool:
    """Whether an interpreter runs a file whose text the session knows, or that this script writes."""
    cwd, has_past = context.cwd or ".", bool(context.history)
    for words in commands:
        if words[0] == "cd" and len(words) == 2:
            cwd = resolve(words[1], cwd)
        elif (path := file_of_code(Command(tuple(words), cwd=cwd))) and (not has_past or text_of_file(context, path)):
            return True
    return False


def _acts_of(commands: Sequence[Sequence[str]], everyday: Everyday | None) -> Iterator[frozenset[Act]]:
    for words in commands:
        program, args = words[0], words[1:]
        for reading in readings_of(program, args):
            if not (reading.is_quiet(args) or (everyday and everyday.covers(reading, words))):
                yield reading.acts
        yield _in_script(program)
        if everyday:
            everyday.follow(words)


@functools.lru_cache(maxsize=1024)
def _in_script(program: str) -> frozenset[Act]:
    return _NOTHING.union(*(domain.acts_of(program) for domain in SCRIPTS))
