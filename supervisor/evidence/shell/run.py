"""Runs commands once their words are known: records them, follows the effects of builtins, and unwraps wrappers.

`walk` finds the words in a script.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from tree_sitter import Node

from supervisor.errors import Unreadable
from supervisor.evidence.machine.command_files import commands_in, may_hold_commands
from supervisor.evidence.patch import FileOperation
from supervisor.evidence.reading.paths import HOLE, resolve, with_parents
from supervisor.evidence.shell import foreign
from supervisor.evidence.shell.builtins import BUILTINS, set_parameters
from supervisor.evidence.shell.code import file_of_code
from supervisor.evidence.shell.commands import Command, Redirect
from supervisor.evidence.shell.coprocesses import connect_coprocess
from supervisor.evidence.shell.git_runs import aliased
from supervisor.evidence.shell.inner import Inner
from supervisor.evidence.shell.items import item_sources
from supervisor.evidence.shell.later import hooks_path
from supervisor.evidence.shell.mounts import from_outside
from supervisor.evidence.shell.patching import PATCHERS, applied, changes_applied, patch_text
from supervisor.evidence.shell.prompts import command_lines_of
from supervisor.evidence.shell.puts import PUTS, copies, puts
from supervisor.evidence.shell.state import Flow, Shell, Text
from supervisor.evidence.shell.syntax import MAX_BYTES
from supervisor.evidence.shell.words import program_named
from supervisor.evidence.shell.wrappers import RUNS_OTHERS_TOO, inner_of

MAX_COMMANDS = 2048
MAX_DEPTH = 512  # scripts within scripts, substitutions within substitutions; most nesting counts one a level
MAX_HANDED = 256 * 1024  # words, or eight times as many characters, that all wrappers together pass on
ROOM = 16_000  # stack frames that this needs at most, with a margin
_SAME_SHELL = frozenset({"eval", "command", "builtin", "source", "."})


class Run(ABC):
    """The commands that have been run, in order. Raises Unreadable beyond MAX_COMMANDS, MAX_DEPTH and MAX_HANDED.

    `files` are the texts that they write, `texts` the scripts that were read, `captured` the commands whose output a
    substitution takes. `unread` describes what ran and cannot be read; `language` is the one that a command shows the
    whole script to be in, if no POSIX shell's. `look` returns the text of a file that the
    script itself does not write, None if it is not known.
    """

    def __init__(self, look: Callable[[str], str | None] | None = None) -> None:
        self.commands: list[Command] = []
        self.files: dict[str, str] = {}
        self.texts: dict[str, None] = {}
        self.captured: set[Command] = set()
        self.unread = ""
        self.language = ""
        self._path_aliases: dict[str, str] = {}  # paths that stand for others: links, and folders of git hooks
        self._look = look
        self._depth = 0
        self._passed_on = 0

    @abstractmethod
    def script(self, script: str, shell: Shell) -> None:
        """Runs a script."""

    @abstractmethod
    def _visit(self, node: Node, shell: Shell) -> None:
        """Runs a part of a script's syntax tree."""

    @abstractmethod
    def within_language(self, language: str, script: str, shell: Shell) -> None:
        """Runs a script of PowerShell or cmd."""

    def emit(self, command: Command, shell: Shell) -> None:
        """Records a command that a reader of another language found, and runs what it runs in turn."""
        self._emit(command, shell)

    def deeper(self) -> None:
        """Enters one more level of nesting. Raises Unreadable beyond MAX_DEPTH."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise Unreadable(f"shell commands nested deeper than {MAX_DEPTH} levels")

    def higher(self) -> None:
        """Leaves a level of nesting."""
        self._depth -= 1

    def vector(self, argv: tuple[str, ...], shell: Shell) -> None:
        """Records a command whose words need no shell to read them."""
        if sum(len(word) for word in argv) > MAX_BYTES:
            raise Unreadable(f"a command of more than {MAX_BYTES:,} characters")
        self._emit(Command(argv, " ".join(argv), shell.cwd), shell)

    def code(self, interpreter: str, found: Iterable[Inner], shell: Shell) -> None:
        """Records what code in another language runs."""
        for inner in found:
            self._inside(Command((interpreter,), cwd=shell.cwd), inner, shell)

    def _emit(self, command: Command, shell: Shell) -> None:
        """Records a command, what it changes in the shell, and what it runs in turn."""
        if command.argv and (named := program_named(command.argv[0])) is not command.argv[0]:
            command.argv, command.program = (named, *command.args), named.rpartition("/")[2]
        name, program = command.argv[0] if command.argv else "", command.program
        if (self.files or self._look) and not command.remote:
            self._record_read(command)
        given = inner_of(command)
        inner = [each for one in given for each in self._resolved(one, command, shell)] if given else []
        if name == "git" and shell.aliases:
            inner += aliased(command, shell.aliases)
        calls = name not in shell.calling and (name in shell.functions or name in shell.aliases)
        command.wraps = calls or (bool(inner) and program not in RUNS_OTHERS_TOO)
        self.commands.append(command)
        if len(self.commands) > MAX_COMMANDS:
            raise Unreadable(f"more than {MAX_COMMANDS:,} shell commands")
        if shell.sink:
            shell.sink.writers += (command,)
            command.outer_redirects = shell.sink.redirects
        if calls:
            self._call(name, command, shell)
            inner = []
        handed = _moved_redirects(command, inner)
        before = len(self.commands)
        for each in inner:
            self._inside(command, each, shell, handed)
        if program == "coproc":
            connect_coprocess(command, self.commands[before:], shell)
        if command.environment:
            self._run_variables(command, shell)
        if program == "git" and not command.remote:
            self._hooks_at(command, shell)
        builtin = BUILTINS.get(name)
        if builtin and not calls:
            builtin(command, shell)
        if program in foreign.MAY_BE_UNREAD or "A" <= program[:1] <= "Z":
            self.language = self.language or foreign.language_of(command)
        if command.redirects or program in PUTS:
            self._record_files(command, shell)
        elif command.file_text is not None or command.stdin is not None or program in PATCHERS:
            self._record_patched(command, shell)
        if name == "exec" and command.redirects_output and not command.wraps:
            shell.sink = command

    def _run_variables(self, command: Command, shell: Shell) -> None:
        """Runs the command lines in the variables of a command, which do not get those variables themselves."""
        bare, here = replace(command, environment=()), shell.fork()
        here.exported = ()
        for inner in command_lines_of(command):
            self._inside(bare, inner, here)

    def _record_read(self, command: Command) -> None:
        """Records the text of the files that a command prints, applies or runs as code, if all of it is known."""
        if command.program == "cat":
            texts = [self._text_of(command.path(word)) for word in command.operands()]
            command.file_text = None if None in texts else "".join(filter(None, texts))
        elif command.program in PATCHERS:
            command.file_text = patch_text(command, self._text_of)
        elif path := file_of_code(command):
            command.file_text = self._text_of(path)

    def _record_files(self, command: Command, shell: Shell) -> None:
        """Keeps the text that a command writes to files, if known, and runs the files that something executes later."""
        for path, text, how in puts(command, self.files, self._text_of):
            if how in ("replace", "extend"):
                self._store(path, None if HOLE in path or command.remote else text, how)
            if not command.remote:
                self._run_later(path, self.files.get(path, text) if how == "extend" else text, shell)
        if command.program == "ln" and not command.remote:
            for source, place in copies(command):
                self._path_aliases[source] = place

    def _store(self, path: str, text: str | None, how: str) -> None:
        if text is None:
            self.files.pop(path, None)
        elif how == "replace":
            self.files[path] = text
        elif path in self.files and len(self.files[path]) <= MAX_BYTES:
            self.files[path] += text

    def _record_patched(self, command: Command, shell: Shell) -> None:
        """Keeps the text of files that a patch adds, and runs the commands in files that something executes later."""
        if command.program in PATCHERS and not command.remote and (how := applied(command)):
            for change in changes_applied(command):
                path = resolve(change.path, how.cwd)
                if change.operation is FileOperation.ADD:
                    self.files[path] = change.after + "\n"
                self._run_later(path, change.after, shell)

    def _run_later(self, path: str, text: str | None, shell: Shell) -> None:
        """Runs the commands in the text of a file that was written, if something executes them later."""
        if text is None:
            return
        known = [each for each in with_parents(path) if each in self._path_aliases] if self._path_aliases else []
        for name in (path, *(self._path_aliases[each] + path[len(each) :] for each in known)):
            if name not in shell.calling and may_hold_commands(name):
                here = shell.fork()
                here.calling |= {name}
                for command in commands_in(name, text):
                    if isinstance(command, list):
                        self.vector(tuple(command), here.fork())
                    else:
                        self._within(command, here.fork())

    def _hooks_at(self, command: Command, shell: Shell) -> None:
        """`git config core.hooksPath .hooks`: files in that folder are hooks, written before or after."""
        for folder in hooks_path(command):
            path = command.path(folder)
            self._path_aliases[path] = resolve(".git/hooks", command.cwd)
            for each in [each for each in self.files if each.startswith(f"{path}/")]:
                self._run_later(each, self.files[each], shell)

    def _resolved(self, inner: Inner, command: Command, shell: Shell) -> Iterator[Inner]:
        """What a wrapper runs. A file that it names gives its scripts, if its text is known and not already running."""
        if inner.file is None:
            yield inner
        elif (self.files or self._look) and not command.remote:
            path = resolve(inner.file, inner.cwd or command.cwd)
            text = self._text_of(path)
            for script in inner.within(text) if inner.within and text is not None else filter(None, [text]):
                if f"{path}\n{script}" not in shell.calling:
                    yield replace(inner, file=f"{path}\n{script}", script=script)

    def _text_of(self, path: str) -> str | None:
        """The text of a file, if the script writes it or `look` returns it."""
        text = self.files.get(path)
        return self._look(path) if text is None and self._look else text

    def _call(self, name: str, command: Command, shell: Shell) -> None:
        """Runs a function, or an alias, which is a function that passes its words on."""
        here = shell.fork()
        here.calling = shell.calling | {name}
        set_parameters(here, command.args, command.sources)
        here.stdin = Flow(command.upstream, command.stdin)
        here.sink = command if command.redirects_output else here.sink
        if name in shell.functions:
            body, here.source = shell.functions[name]
            self._visit(body, here)
        else:
            self._within(f'{shell.aliases[name]} "$@"', here)
        shell.cwd = here.cwd

    def _within(self, script: str, shell: Shell) -> None:
        """Walks a script within another."""
        self._count_passed_on(len(script) // 8)
        self._depth += 1
        self.script(script, shell)
        self._depth -= 1

    def _count_passed_on(self, words: int) -> None:
        """Counts what a wrapper passes on, since each level of nesting copies all of it."""
        self._passed_on += words
        if self._passed_on > MAX_HANDED:
            raise Unreadable("shell commands wrapped in one another with too many words to be read")

    def _inside(self, command: Command, inner: Inner, shell: Shell, redirects: tuple[Redirect, ...] = ()) -> None:
        """Runs what a wrapper runs."""
        here = shell if command.program in _SAME_SHELL else shell.fork()
        outer, here.wrappers = here.wrappers, (*command.wrappers, command.program)
        if len(here.wrappers) > MAX_DEPTH:
            raise Unreadable(f"shell commands wrapped more than {MAX_DEPTH} times")
        here.remote |= inner.remote
        if inner.mounts is not None:
            here.mounts = from_outside(inner.mounts, here.mounts)
        elif inner.remote:
            here.mounts = None
        here.cwd = HOLE if inner.remote else inner.cwd or here.cwd
        before, here.stdin = here.stdin, Flow(command.upstream, command.stdin) if inner.reads else Flow()
        into, here.sink = here.sink, command if command.redirects_output else here.sink
        environment = (*command.environment, *inner.environment)
        if inner.file:
            here.calling |= {inner.file}
        if inner.script is None:
            self._count_passed_on(len(inner.argv))
            sources = tuple((at - inner.start, by) for at, by in command.sources if inner.start and at >= inner.start)
            sources += item_sources(command, inner.argv)
            parts = (
                inner.argv,
                inner.text or command.text or " ".join(inner.argv),
                here.cwd,
                redirects,
                here.stdin.upstream,
                sources,
                here.stdin.text,
                here.wrappers,
            )
            self._emit(Command(*parts, remote=here.remote, environment=environment, mounts=here.mounts), here)
        elif inner.script.strip() != HOLE:
            if inner.parameters:
                here.variables["0"] = Text(inner.parameters[0])
                set_parameters(here, inner.parameters[1:], command.sources)
            for name, value in environment:
                if value != HOLE or name not in here.variables:  # else its origin stays known
                    here.variables[name] = Text(value)
            if here is not shell:
                here.exported = environment
            if inner.language:
                self.within_language(inner.language, inner.script, here)
            else:
                self._within(inner.script, here)
        here.wrappers, here.stdin = outer, before
        if here.sink is command:
            here.sink = into


def _moved_redirects(command: Command, inner: Sequence[Inner]) -> tuple[Redirect, ...]:
    """Moves a wrapper's redirections to the one command that it runs, if it runs one: `sudo ls > list`."""
    if not (command.wraps and command.redirects and len(inner) == 1):
        return ()
    if inner[0].script is not None or inner[0].remote or not inner[0].reads:
        return ()
    handed, command.redirects = command.redirects, ()
    return handed
