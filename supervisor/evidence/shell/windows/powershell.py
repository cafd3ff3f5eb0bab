"""Walks PowerShell text: its statements, pipelines and script blocks, in the order of execution.

Both arms of a condition count as executed, and every script block that a command is given runs. `expressions` reads the
values, `calls` runs the commands. Source: the language specification of PowerShell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from supervisor.errors import NoReader, Unreadable
from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell.printed import printed
from supervisor.evidence.shell.run import Run
from supervisor.evidence.shell.state import Flow, Shell, Text
from supervisor.evidence.shell.syntax import MAX_BYTES
from supervisor.evidence.shell.windows.binding import Value, Word
from supervisor.evidence.shell.windows.expressions import Expressions
from supervisor.evidence.shell.windows.spans import Malformed, spans_of

UNREAD = "PowerShell runs here that cannot be parsed"
_MOST_PIECES = 20_000
_SEPARATOR = re.compile(r"`.|&&|\|\||[;\n|&]|['\"@#<({\u2018\u2019\u201c\u201d]", re.DOTALL)
_ASSIGNED = re.compile(
    r"\s*(?:\[[\w.\[\], ]{1,80}\]\s*)?\$(?:\{([^}]{1,80})\}|([\w:]{1,80}))((?:\.\w+|\[[^\]\n]{0,40}\])*)"
    r"\s*(\+|-|\?\?)?=(?!=)"
)
_KEYWORD = re.compile(
    r"\s*(if|elseif|else|while|switch|foreach|for|function|filter|try|catch|finally|do|until|trap|begin|process|end|param"
    r"|return|throw|exit|using|class|enum|break|continue|data)(?![\w-])",
    re.IGNORECASE,
)
_LOOP = re.compile(r"\(\s*\$(\w+)\s+in\s", re.IGNORECASE)
_CALLED = re.compile(r"\s{0,200}([A-Za-z][\w-]{0,80})(?=\()")  # `iex(…)`: the bracket ends the name
_NAME = re.compile(r"\s*([\w:-]+)")
_PREFIXES = frozenset({"return", "throw", "exit", "else", "try", "finally", "do", "begin", "process", "end", "data"})
_EXPRESSION = re.compile(
    r"[$(\[{'\"@!\u2018\u201c+]|-[\s$(\d]|-(?:b?not|split|join)\b|\d[\d.xXa-fA-F]*(?:[kmgtp]b)?(?![\w.-])"
)


def read(run: Run, script: str, shell: Shell) -> None:
    """Runs a PowerShell script. Raises Unreadable beyond the bounds, and NoReader if it cannot be parsed."""
    if len(script) > MAX_BYTES:
        raise Unreadable(f"PowerShell of more than {MAX_BYTES:,} characters")
    try:
        reader = Reader(run, script.replace("\r\n", "\n"))
    except Malformed as malformed:
        raise NoReader(f"{UNREAD}: {malformed}") from None
    reader.statements(0, len(reader.text), shell)


class Reader(Expressions):
    """One script being read."""

    def __init__(self, run: Run, text: str, variables: dict[str, Value] | None = None) -> None:
        self.run, self.text, self.ends = run, text, spans_of(text)
        self.variables = {} if variables is None else variables
        self.functions: dict[str, tuple[int, int]] = {}
        self.calling: frozenset[str] = frozenset()
        self._pieces = 0

    def nested(self, text: str, shell: Shell) -> Value:
        """Runs a text as a script within this one."""
        try:
            inner = Reader(self.run, text, self.variables)
        except Malformed as malformed:
            raise NoReader(f"{UNREAD}: {malformed}") from None
        inner.functions = {}
        self.run.deeper()
        found = inner.statements(0, len(text), shell)
        self.run.higher()
        return found

    def statements(self, start: int, end: int, shell: Shell) -> Value:
        """Runs the statements in a part of the text; the value is what they write."""
        self.run.deeper()
        texts: list[str] = []
        found = Value()
        sources: list[object] = []
        for pipeline in self._pipelines(start, end):
            found = self._statement(pipeline, shell)
            texts += found.texts
            sources += found.sources
        self.run.higher()
        return found._replace(texts=tuple(texts[:256]), sources=tuple(dict.fromkeys(sources)))  # type: ignore[arg-type]

    def _pipelines(self, start: int, end: int) -> Iterator[list[tuple[int, int]]]:
        """The pipelines of a part of the text, each as the spans of its stages."""
        stages: list[tuple[int, int]] = []
        at = begin = start
        while found := _SEPARATOR.search(self.text, at, end):
            at, mark = found.end(), found[0]
            if mark == "@" and self.text[at : at + 1] in ("(", "{"):
                continue
            if (close := self.ends.get(found.start())) is not None:
                at = close
            elif mark in (";", "\n", "|", "||", "&&", "&") and not self._goes_on(mark, begin, found.start(), end):
                self._count()
                stages.append((begin, found.start()))
                begin = at
                if mark != "|":
                    yield stages
                    stages = []
        yield [*stages, (begin, end)]

    def _goes_on(self, mark: str, begin: int, at: int, end: int) -> bool:
        """Whether a mark ends nothing: a call operator, the `&` of `2>&1`, the end of a line within a pipeline."""
        before = self.text[max(begin, at - 200) : at].rstrip()
        if mark == "&":
            return not before or self.text[at - 1] == ">"
        if mark == "|":
            return False
        if mark != "\n":
            return False
        after = self.text[at + 1 : min(end, at + 200)].lstrip()
        return before.endswith((",", "=", "+")) or not before or after.startswith("|")

    def _count(self) -> None:
        self._pieces += 1
        if self._pieces > _MOST_PIECES:
            raise Unreadable(f"PowerShell of more than {_MOST_PIECES:,} statements")

    def _statement(self, stages: list[tuple[int, int]], shell: Shell) -> Value:
        start, end = stages[0]
        start = self._after_space(start, end)
        if keyword := _KEYWORD.match(self.text, start, end):
            return self._keyword(keyword[1].lower(), keyword.end(), stages, shell)
        if assigned := _ASSIGNED.match(self.text, start, end):
            value = self._statement([(assigned.end(), end), *stages[1:]], shell)
            if not assigned[3]:
                self._assign(assigned[1] or assigned[2], value, assigned[4] == "+", shell)
            return Value(sources=value.sources)
        return self._pipeline([(start, end), *stages[1:]], shell)

    def _assign(self, name: str, value: Value, extends: bool, shell: Shell) -> None:
        scope, _, bare = name.lower().rpartition(":")
        if scope == "env":
            shell.variables[bare.upper()] = Text(value.text or HOLE, value.sources)
            shell.exported = (*shell.exported, (bare.upper(), value.text))
            return
        if extends and (old := self.variables.get(bare)):
            value = value._replace(texts=(old.text + value.text,), sources=(*old.sources, *value.sources)[-64:])
        self.variables[bare] = value if value.texts or value.blocks or value.entries else value._replace(texts=(HOLE,))

    def _pipeline(self, stages: list[tuple[int, int]], shell: Shell) -> Value:
        value: Value | None = None
        flow, is_alone = shell.stdin, len(stages) == 1
        before = len(self.run.commands)
        for start, end in stages:
            here = shell if is_alone else shell.fork()
            outer, here.stdin = here.stdin, flow
            value = self._stage(self._after_space(start, end), end, here, value)
            here.stdin = outer
            written = tuple(self.run.commands[before:])
            flow = Flow(flow.upstream + written, printed(written) if written else " ".join(value.texts) or None)
            before += len(written)
        return value or Value()

    def _stage(self, start: int, end: int, shell: Shell, piped: Value | None) -> Value:
        if not self.text[start:end].strip():
            return Value()
        if _EXPRESSION.match(self.text, start, end):
            return self.expression(start, end, shell)
        called = _CALLED.match(self.text, start, end)
        words, redirects = self.words(called.end() if called else start, end, shell)
        if called:
            words.insert(0, Word(Value((called[1],)), True))
        return self.call(words, redirects, self.text[start:end].strip(), shell, piped)

    def _keyword(self, keyword: str, at: int, stages: list[tuple[int, int]], shell: Shell) -> Value:
        """Runs a statement that begins with a keyword: its condition, then its blocks."""
        end = stages[0][1]
        if keyword in _PREFIXES and self.text[self._after_space(at, end) : end][:1] != "{":
            return self._statement([(at, end), *stages[1:]], shell)
        if keyword in ("break", "continue", "param", "using", "class", "enum"):
            return Value()
        if keyword in ("function", "filter"):
            return self._define(at, end)
        found = Value()
        while (at := self._after_space(at, end)) < end:
            mark = self.text[at]
            if mark == "(" and at in self.ends:
                self._condition(at, shell)
            elif mark == "{" and at in self.ends:
                found = self.statements(at + 1, self.ends[at] - 1, shell)
            elif mark == "[" or self.text[at].isalpha() or mark in "-$":
                word = _WORD.match(self.text, at, end)
                if word is None or (mark.isalpha() and not _KEYWORD.match(self.text, at, end)):
                    return self._statement([(at, end), *stages[1:]], shell)
                at = word.end()
                continue
            else:
                return self._statement([(at, end), *stages[1:]], shell)
            at = self.ends[at]
        return found

    def _condition(self, at: int, shell: Shell) -> None:
        """Runs what stands in the brackets after a keyword; a loop's variable gets each of the values."""
        close = self.ends[at] - 1
        if loop := _LOOP.match(self.text, at, close):
            value = self.statements(loop.end(), close, shell)
            self.variables[loop[1].lower()] = value if value.texts else value._replace(texts=(HOLE,))
        else:
            self.statements(at + 1, close, shell)

    def _define(self, at: int, end: int) -> Value:
        named, body = _NAME.match(self.text, at, end), self.text.find("{", at, end)
        if named and body in self.ends:
            self.functions[named[1].lower()] = (body + 1, self.ends[body] - 1)
        return Value()

    def _after_space(self, at: int, end: int) -> int:
        """The index after spaces, continued lines and comments."""
        while at < end:
            if self.text[at] in " \t\n\r":
                at += 1
            elif self.text[at] == "`" and self.text[at + 1 : at + 2] in ("\n", "\r"):
                at += 2
            elif self.text[at] in "#<" and at in self.ends:
                at = self.ends[at]
            else:
                break
        return at


_WORD = re.compile(r"[^\s({]+")
