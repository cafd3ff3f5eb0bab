"""Reads the language of cmd.exe: its operators, quotes, escapes, variables, conditions and loops.

Both arms of a condition count as executed. Source: "cmd" and "Windows commands" in Microsoft's documentation.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from supervisor.errors import Unreadable
from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell.commands import Command, Redirect
from supervisor.evidence.shell.printed import printed
from supervisor.evidence.shell.run import Run
from supervisor.evidence.shell.state import Flow, Shell, Text
from supervisor.evidence.shell.syntax import MAX_BYTES
from supervisor.evidence.shell.windows import natives
from supervisor.evidence.shell.windows.variables import of_environment, posix_path, posix_word

_MOST_TOKENS = 50_000
_MAX_DEPTH = 64
_TOKEN = re.compile(
    r"(?P<space>(?:[ \t\r,;=](?<![=])|\^\r?\n)+)|(?P<operator>&&|\|\||[&|()\n])|(?P<redirect>\d?>>?(?:&\d)?|\d?<)"
    r"|(?P<word>(?:(?<=[:)])\([A-Za-z]{1,3}(?:,[A-Za-z]{1,3}){0,8}\)|\"[^\"\n]*\"?|\^(?:.|\Z)|\d(?!>)|[^\s&|()<>^\"\d])+)|(?P<digit>\d)"
)
_VARIABLE = re.compile(
    r"%(\w[\w()]*)(?::[^%\n]{0,80})?%|!(\w+)(?::[^!\n]{0,80})?!|%%?~?([a-z]{0,6}\d|[A-Za-z*])(?![\w%])"
)
_DIRECTORY = re.compile(r"%~d?p?0\\?|%cd%", re.IGNORECASE)
_COMPARED = frozenset({"equ", "neq", "lss", "leq", "gtr", "geq", "=="})


class _Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


def read(run: Run, script: str, shell: Shell) -> None:
    """Runs a script of cmd. Raises Unreadable beyond the bounds."""
    if len(script) > MAX_BYTES:
        raise Unreadable(f"a script of cmd of more than {MAX_BYTES:,} characters")
    _Reader(run, script).statements(shell)


class _Reader:
    """One script being read, from the first token to the last."""

    def __init__(self, run: Run, script: str) -> None:
        self.run, self.text = run, script
        self.tokens = _tokens(script)
        self.at = 0
        self.depth = 0

    def statements(self, shell: Shell, closes: bool = False) -> None:
        """Runs statements up to the end, or up to the bracket that closes a group."""
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise Unreadable(f"a script of cmd nested deeper than {_MAX_DEPTH} levels")
        while self.at < len(self.tokens):
            if self.tokens[self.at].text == ")":
                self.at += 1
                if closes:
                    break
            else:
                self._pipeline(shell)
        self.depth -= 1

    def _pipeline(self, shell: Shell) -> None:
        flow, before = shell.stdin, len(self.run.commands)
        outer = shell.stdin
        while True:
            shell.stdin = flow
            self._statement(shell)
            if self.at >= len(self.tokens) or self.tokens[self.at].text != "|":
                break
            self.at += 1
            written = tuple(self.run.commands[before:])
            flow, before = Flow(flow.upstream + written, printed(written)), len(self.run.commands)
        shell.stdin = outer
        if self.at < len(self.tokens) and self.tokens[self.at].kind == "operator" and self.tokens[self.at].text != ")":
            self.at += 1

    def _statement(self, shell: Shell) -> None:
        token = self._next()
        if token is None or (token.kind == "operator" and token.text != "("):
            return
        if token.text == "(":
            self.at += 1
            self.statements(shell, closes=True)
            self._command(shell)  # the redirections of a group
            return
        name = token.text.lstrip("@").lower()
        if name == "if":
            self._condition(shell)
        elif name == "for":
            self._loop(shell)
        elif name == "rem" or name.startswith(("::", ":")):
            self._to_end_of_line()
        elif name in ("else", "call", "do", "@", ""):
            self.at += 1
            self._statement(shell)
        else:
            self._command(shell)

    def _next(self) -> _Token | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def _to_end_of_line(self) -> None:
        while self.at < len(self.tokens) and self.tokens[self.at].text != "\n":
            self.at += 1

    def _condition(self, shell: Shell) -> None:
        """`if [/i] [not] exist x …`, `if a==b …`, `if a equ b …`, `if errorlevel 1 …`."""
        self.at += 1
        while (token := self._next()) and token.text.lower() in ("not", "/i"):
            self.at += 1
        first = self._next()
        if first is None:
            return
        self.at += 1
        if first.text.lower() in ("exist", "defined", "errorlevel", "cmdextversion"):
            self.at += 1
        elif (second := self._next()) and (second.text.lower() in _COMPARED or second.text.startswith("==")):
            self.at += 2 if second.text.lower() in _COMPARED else 1
        elif first.text.endswith("=="):
            self.at += 1
        self._statement(shell)
        if (token := self._next()) and token.text.lower() == "else":
            self.at += 1
            self._statement(shell)

    def _loop(self, shell: Shell) -> None:
        """`for [/d|/r root|/l|/f "options"] %i in (set) do command`."""
        self.at += 1
        kind, root = "", ""
        while (token := self._next()) and not token.text.startswith("%"):
            if token.kind == "operator":
                return
            kind, root = (token.text.lower(), root) if token.text.startswith("/") else (kind, token.text.strip('"'))
            self.at += 1
        name = token.text.lstrip("%").lower() if token else ""
        self.at += 2
        opens = self._next()
        if opens is None or opens.text != "(":
            return
        self.at += 1
        words = self._until_bracket()
        items = [posix_word(self._expanded(word, shell).value) for word in words]
        if kind == "/f":
            for word in words:
                if word.startswith(("'", "`")):
                    self.run.within_language("cmd", " ".join(words).strip("'`"), shell.fork())
                    break
        known = kind in ("", "/d")
        value = " ".join(items) if known else f"{posix_path(root)}/{HOLE}" if kind == "/r" and root else HOLE
        shell.variables[f"%{name}"] = Text(value)
        self._statement(shell)

    def _until_bracket(self) -> list[str]:
        words = []
        while (token := self._next()) and token.text != ")":
            words.append(token.text)
            self.at += 1
        self.at += 1
        return words

    def _command(self, shell: Shell) -> None:
        """Runs one simple command."""
        words: list[Text] = []
        redirects: list[Redirect] = []
        start = end = self.tokens[self.at].start if self.at < len(self.tokens) else 0
        while (token := self._next()) and token.kind != "operator":
            self.at += 1
            end = token.end
            if token.kind == "redirect":
                target = self._next()
                if "&" not in token.text and target is not None and target.kind != "operator":
                    self.at += 1
                    path = self._expanded(target.text, shell).value
                    name = "/dev/null" if path.lower() == "nul" else posix_path(path)
                    redirects.append(Redirect(token.text.lstrip("0123456789"), name, token.text[:1].strip("<>")))
                    end = target.end
                continue
            words.append(self._expanded(token.text, shell))
        if words or redirects:
            self._run(words, tuple(redirects), self.text[start:end], shell)

    def _run(self, words: list[Text], redirects: tuple[Redirect, ...], text: str, shell: Shell) -> None:
        argv = [posix_word(word.value) for word in words]
        if argv:
            argv[0] = argv[0].lstrip("@")
        if not argv and not redirects:
            return
        if argv and argv[0].lower() == "set":
            self._assigned(" ".join(word.value for word in words[1:]), shell)
            return
        if argv and argv[0].lower() in ("setlocal", "endlocal", "exit", "goto", "title", "color", "cls", "pause"):
            return
        sources = tuple((at, by) for at, word in enumerate(words) for by in word.sources)
        if address := natives.address_run(argv):
            self._record(("curl", address), text, shell, (), ())
            self._record(("eval", HOLE), text, shell, (), ((1, self.run.commands[-1]),))
            return
        for each in natives.equivalents(argv, of_cmd=True) if argv else [()]:
            self._record(each, text, shell, redirects, sources if len(each) == len(argv) else ())

    def _record(
        self,
        argv: tuple[str, ...],
        text: str,
        shell: Shell,
        redirects: tuple[Redirect, ...],
        sources: tuple[tuple[int, Command], ...],
    ) -> None:
        flow, parts = shell.stdin, (argv, text, shell.cwd, redirects)
        made = Command(*parts, flow.upstream, sources, flow.text, shell.wrappers, shell.remote)
        made.environment = shell.exported
        self.run.emit(made, shell)

    def _assigned(self, text: str, shell: Shell) -> None:
        name, equals, value = text.strip().strip('"').partition("=")
        if equals:
            shell.variables[name.split()[-1].upper() if name.split() else ""] = Text(value)

    def _expanded(self, word: str, shell: Shell) -> Text:
        """A word after its variables, escapes and quotes are read."""
        sources: list[Command] = []

        def value(found: re.Match[str]) -> str:
            if found[3]:
                loop = shell.variables.get(f"%{found[3][-1].lower()}")
                return loop.value if loop else HOLE
            text = of_environment(found[1] or found[2], shell)
            sources.extend(text.sources)
            return text.value

        expanded = _VARIABLE.sub(value, _DIRECTORY.sub("./", word)) if "%" in word or "!" in word else word
        plain = re.sub(r"\^(.)", r"\1", expanded) if "^" in expanded else expanded
        return Text(plain.replace('"', ""), tuple(sources))


def _tokens(script: str) -> list[_Token]:
    found: list[_Token] = []
    at = 0
    while at < len(script):
        token = _TOKEN.match(script, at)
        if token is None:
            at += 1
            continue
        at = token.end()
        if token.lastgroup != "space":
            kind = "word" if token.lastgroup == "digit" else str(token.lastgroup)
            found.append(_Token(kind, token[0], token.start(), token.end()))
            if len(found) > _MOST_TOKENS:
                raise Unreadable(f"a script of cmd of more than {_MOST_TOKENS:,} words")
    return found
