"""Runs the commands of PowerShell: cmdlets, functions, script blocks, methods and programs."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence

from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell.commands import Command, Redirect
from supervisor.evidence.shell.run import Run
from supervisor.evidence.shell.state import Flow, Shell
from supervisor.evidence.shell.windows import methods, natives
from supervisor.evidence.shell.windows.binding import Bound, Value, Word, bind, cmdlet_named
from supervisor.evidence.shell.windows.translation import equivalents, listed
from supervisor.evidence.shell.windows.variables import posix_word

_PASS_ON = frozenset(
    "Sort-Object Select-Object Group-Object Format-Table Format-List Format-Wide Out-String Out-Host Out-Default"
    " Out-GridView Measure-Object Get-Unique Tee-Object ConvertTo-Csv".split()
)
_NOTHING = frozenset({"Out-Null", "New-Object", "Import-Module", "Set-StrictMode", "Set-Variable", "Join-Path"})
_PICKS = ("First", "Last", "Skip", "Index", "SkipLast")
_REMOTE = ("ComputerName", "CimSession", "Session", "HostName", "VMName", "VmId", "ConnectionUri")
_HERE = ("", ".", "localhost", "127.0.0.1", "$null", "$env:computername")
_SELECTS = re.compile(
    r"(?i)-[ci]?(?:eq|lt|le|gt|ge|like|match|in|contains|is|startswith)\b|\.(?:StartsWith|Contains)\(|^\s*\$_\.\w+\s*$"
)
# Aliases that are also programs, with the words after them that only the programs understand.
_AS_PROGRAM = {
    "sc": re.compile(r"(?i)stop|start|delete|config|query|queryex|create|failure|enumdepend|qc|sdset|pause|\\\\.*"),
    **dict.fromkeys(("curl", "wget"), re.compile(r"-(?![A-Z][a-z]).*|https?://.*")),
    "where": re.compile(r"[\w.*-]+(?:\.exe)?|/.*"),
    "start": re.compile(r"(?!)"),
    "set": re.compile(r"(?!)"),
}
_CMDLETS_OPTION = re.compile(r"-(?:uri|outf|meth|useb|head|body|inf|userag|contentt|sess|cred|timeo)\w*$", re.I)


class Calls(ABC):
    """Runs commands whose words are known."""

    run: Run
    text: str
    ends: dict[int, int]
    variables: dict[str, Value]
    functions: dict[str, tuple[int, int]]
    calling: frozenset[str]

    @abstractmethod
    def statements(self, start: int, end: int, shell: Shell) -> Value:
        """Runs the statements in a part of the text."""

    @abstractmethod
    def nested(self, text: str, shell: Shell) -> Value:
        """Runs a text as a script within this one."""

    @abstractmethod
    def _pipelines(self, start: int, end: int) -> Iterator[list[tuple[int, int]]]:
        """The pipelines of a part of the text."""

    @abstractmethod
    def _statement(self, stages: list[tuple[int, int]], shell: Shell) -> Value:
        """Runs one statement."""

    def call(
        self, words: list[Word], redirects: tuple[Redirect, ...], text: str, shell: Shell, piped: Value | None
    ) -> Value:
        """Runs a command; the value is what it writes."""
        if words and words[0].value.text == "." and words[0].is_bare:
            words = words[1:]
        if not words:
            return Value()
        name = words[0].value
        if name.blocks:
            return self._blocks(words, shell, piped)
        if (body := self.functions.get(name.text.lower())) and name.text.lower() not in self.calling:
            return self._function(name.text.lower(), body, words[1:], shell)
        cmdlet = None if _is_program(words, piped) else cmdlet_named(name.text)
        if cmdlet is None:
            return self._program(words, redirects, text, shell)
        bound = bind(cmdlet, words[1:])
        return self._cmdlet(bound, redirects, text, shell, piped)

    def _function(self, name: str, body: tuple[int, int], words: Sequence[Word], shell: Shell) -> Value:
        """Calls a function: its parameters get the words in their order."""
        outer, outer_variables = self.calling, dict(self.variables)
        self.calling = outer | {name}
        head = self.text[max(0, body[0] - 200) : body[0] + 400]
        names = re.findall(r"\$(\w+)", head.partition("(")[2].partition(")")[0])
        values = [word.value for word in words if not (word.is_bare and word.value.text.startswith("-"))]
        self.variables |= {each.lower(): value for each, value in zip(names, values, strict=False)}
        self.variables["args"] = Value(tuple(value.text for value in values))
        found = self.statements(*body, shell)
        self.calling, self.variables = outer, outer_variables
        return found

    def _blocks(self, words: Sequence[Word], shell: Shell, piped: Value | None = None) -> Value:
        """Runs the script blocks among some words."""
        found = Value()
        for word in words:
            for block in word.value.blocks:
                found = self.statements(*block, shell)
        return found

    def _cmdlet(
        self, bound: Bound, redirects: tuple[Redirect, ...], text: str, shell: Shell, piped: Value | None
    ) -> Value:
        name = bound.name
        words = [Word(value) for value in (*bound.given.values(), *bound.rest)]
        if name == "Where-Object":
            self._with_item(Value((HOLE,)), words, shell)
            return (piped or Value())._replace(picked=self._selects(bound, piped))
        if name == "ForEach-Object":
            return self._with_item(_item(piped), words, shell)
        if name == "Invoke-Expression":
            return self._evaluated(bound, text, shell, piped)
        if name == "Invoke-Command" and bound.has(*_REMOTE):
            here = shell.fork()
            here.remote, here.cwd, here.wrappers = True, HOLE, (*shell.wrappers, "ssh")
            return self._blocks(words, here)
        if any(word.value.blocks for word in words):
            self._blocks(words, shell.fork())
        if name in _PASS_ON and piped is not None:
            return piped._replace(picked=True) if bound.has(*_PICKS) else piped
        if name == "Set-Variable":
            self.variables[bound.text("Name").lower()] = bound.given.get("Value", Value((HOLE,)))
        if name == "New-Object":
            return Value((), bound.sources(), entries=(("type", Value((bound.text("TypeName") or "ComObject",))),))
        if name in _NOTHING:
            return bound.given.get("Path", Value()) if name != "Join-Path" else _joined_path(bound)
        return self._emitted(bound, redirects, text, shell, piped)

    def _emitted(
        self, bound: Bound, redirects: tuple[Redirect, ...], text: str, shell: Shell, piped: Value | None
    ) -> Value:
        """Records what a cmdlet does as the commands with the same effect."""
        here = shell
        far = bound.text(*_REMOTE).lower()
        if (far and far not in _HERE) or (bound.has(*_REMOTE) and far not in _HERE):
            here = shell.fork()
            here.remote, here.wrappers = True, (*shell.wrappers, "ssh")
        first = len(self.run.commands)
        for argv in equivalents(bound, piped):
            sources = _placed(argv, (*bound.given.values(), *bound.rest, *([piped] if piped else [])))
            self._record(argv, text, here, redirects, sources)
        return listed(bound, tuple(self.run.commands[first:]))

    def _record(
        self,
        argv: Sequence[str],
        text: str,
        shell: Shell,
        redirects: tuple[Redirect, ...] = (),
        sources: tuple[tuple[int, Command], ...] = (),
    ) -> None:
        self.run.emit(
            Command(
                tuple(argv),
                text,
                shell.cwd,
                redirects,
                shell.stdin.upstream,
                sources,
                shell.stdin.text,
                shell.wrappers,
                shell.remote,
                environment=shell.exported,
            ),
            shell,
        )

    def _with_item(self, item: Value, words: Sequence[Word], shell: Shell) -> Value:
        """Runs blocks for what comes through the pipeline, as `$_`. They read nothing else of it."""
        outer, before = self.variables.get("_"), shell.stdin
        self.variables["_"], shell.stdin = item, Flow()
        found = self._blocks(words, shell)
        shell.stdin = before
        self.variables["_"] = outer or Value((HOLE,))
        return found

    def _selects(self, bound: Bound, piped: Value | None) -> bool:
        """Whether a filter takes some of what comes. One that leaves out a few takes all, as for `find ! -name`."""
        blocks = [self.text[start:end] for value in (*bound.given.values(), *bound.rest) for start, end in value.blocks]
        texts = blocks or [f"-{name}" for name in bound.given]
        return (piped is not None and piped.picked) or any(_SELECTS.search(text) for text in texts)

    def _evaluated(self, bound: Bound, text: str, shell: Shell, piped: Value | None) -> Value:
        """Runs a text as code; what is downloaded or decoded is recorded as the code of `eval`."""
        value = bound.given.get("Command") or piped or Value((HOLE,))
        sources = (*value.sources, *(() if "Command" in bound.given else shell.stdin.upstream))
        if HOLE not in value.text and value.text.strip():
            return self.nested(value.text, shell)
        self._record(("eval", HOLE), text, shell, (), tuple((1, by) for by in sources))
        return Value((HOLE,), tuple(sources))

    def method(self, target: Value, name: str, given: Value, text: str, shell: Shell) -> Value:
        """Calls a method of an object or of a type."""
        kind = next((value.text for key, value in target.entries if key == "type"), "")
        first = len(self.run.commands)
        found = methods.effect_of(kind.lower(), name.lower(), target, given)
        if isinstance(found, str):
            return self.nested(found, shell)
        for argv in found:
            self._record(argv, text, shell, (), _placed(argv, (given, target)))
        self._blocks([Word(given)], shell)
        ran = tuple(self.run.commands[first:])
        sources = (*target.sources, *given.sources, *ran)
        if name.lower() in ("trim", "tostring", "tolower", "replace", "trimend", "combine"):
            return target._replace(sources=sources[-64:]) if target.texts else Value((HOLE,), sources[-64:])
        return Value((HOLE,), sources[-64:], entries=(("type", Value((f"{kind}.{name}",))),))

    def _program(self, words: list[Word], redirects: tuple[Redirect, ...], text: str, shell: Shell) -> Value:
        """Runs a program, which gets each text as one word."""
        argv = [posix_word(each) for word in words for each in (word.value.texts or ("",))]
        sources = _placed(argv, [word.value for word in words])
        first = len(self.run.commands)
        if address := natives.address_run(argv):
            self._record(("curl", address), text, shell)
            self._record(("eval", HOLE), text, shell, (), ((1, self.run.commands[-1]),))
            return Value((HOLE,), tuple(self.run.commands[first:]))
        for each in natives.equivalents(argv):
            self._record(each, text, shell, redirects, sources if len(each) == len(argv) else ())
        self._blocks(words[1:], shell)
        return Value((HOLE,), tuple(self.run.commands[first:]))


def _item(piped: Value | None) -> Value:
    """What `$_` stands for: one of all that comes, or one that a filter left."""
    if piped is None or not piped.texts:
        return Value((HOLE,), piped.sources if piped else ())
    if piped.of == "files" and piped.picked:
        return Value(tuple(f"{text.removesuffix('/*')}/{HOLE}" for text in piped.texts), piped.sources)
    return piped._replace(texts=(HOLE,)) if piped.picked else piped


def _joined_path(bound: Bound) -> Value:
    head = "/".join(filter(None, (bound.text(name) for name in ("Path", "ChildPath", "AdditionalChildPath"))))
    return Value((head,), bound.sources())


def _is_program(words: Sequence[Word], piped: Value | None) -> bool:
    """Whether a name that is an alias of a cmdlet means the program of that name."""
    name = words[0].value.text.lower()
    following = words[1].value.text if len(words) > 1 else ""
    if name in ("curl", "wget"):
        return not any(_CMDLETS_OPTION.match(word.value.text) for word in words) and following.startswith(("-", "http"))
    if name == "where":
        return piped is None
    pattern = _AS_PROGRAM.get(name)
    return pattern is not None and pattern.fullmatch(following) is not None


def _placed(argv: Sequence[str], values: Sequence[Value]) -> tuple[tuple[int, Command], ...]:
    """The commands whose output each word contains."""
    found: list[tuple[int, Command]] = []
    for value in values:
        if value.sources:
            texts = [text for text in value.texts if text]
            at = next((n for n, word in enumerate(argv) if any(text in word for text in texts)), len(argv) - 1)
            found += ((at, by) for by in value.sources)
    return tuple(found)
