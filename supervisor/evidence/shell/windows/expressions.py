"""The words and expressions of PowerShell: quoted texts, variables, sub-expressions, arrays, hash tables, methods."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod

from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell.commands import Redirect
from supervisor.evidence.shell.run import Run
from supervisor.evidence.shell.state import Shell
from supervisor.evidence.shell.windows.binding import Value, Word
from supervisor.evidence.shell.windows.calls import Calls
from supervisor.evidence.shell.windows.variables import of_environment, posix_path

_VARIABLE = re.compile(r"\$(?:\{([^}\n]{1,80})\}|((?:\w+:)?\w{1,80}|[_$?^]))")
_LITERAL = re.compile(r"[^\s`'\"$@(){},;|&>#\u2018\u2019\u201c\u201d]+")
_REDIRECT = re.compile(r"([1-6*]?)(>>?)(&[1-6])?")
_POSTFIX = re.compile(r"(?:\.|::)\w+|\[[^\]\n]{0,80}\]")
_TYPE = re.compile(r"\[([\w.]+(?:\[\])?)\]")
_OPERATOR = re.compile(r"-[a-z]+(?![\w-])", re.IGNORECASE)
_TOKEN = re.compile(r"[\w:\\/.*?~%=<>!-]+")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "", "a": "", "b": ""}
_QUOTES = "'\"\u2018\u2019\u201c\u201d"
_KEPT = frozenset({"-as", "-join"})


class Expressions(Calls, ABC):
    """Reads values out of the text. `Reader` runs the statements."""

    run: Run

    @abstractmethod
    def _after_space(self, at: int, end: int) -> int:
        """The index after spaces, continued lines and comments."""

    # Words of a command

    def words(self, at: int, end: int, shell: Shell) -> tuple[list[Word], tuple[Redirect, ...]]:
        """The words of a command and its redirections."""
        found: list[Word] = []
        redirects: list[Redirect] = []
        while (at := self._after_space(at, end)) < end:
            if self.text.startswith("--%", at):
                found += (Word(Value((each,)), True) for each in self.text[at + 3 : end].split())
                break
            redirect = _REDIRECT.match(self.text, at, end)
            if redirect:
                at = redirect.end()
                if not redirect[3]:
                    target, at = self._word(self._after_space(at, end), end, shell)
                    name = "/dev/null" if target.value.text == "$null" else posix_path(target.value.text)
                    redirects.append(Redirect(redirect[2], name, redirect[1]))
                continue
            word, after = self._array(at, end, shell)
            if after == at:  # a stray bracket or comma
                after += 1
            else:
                found.append(word)
            at = after
        return found, tuple(redirects)

    def _array(self, at: int, end: int, shell: Shell) -> tuple[Word, int]:
        """One word, or several with commas between them."""
        word, at = self._word(at, end, shell)
        while (comma := self._after_space(at, end)) < end and self.text[comma] == ",":
            following, at = self._word(self._after_space(comma + 1, end), end, shell)
            value = word.value
            texts = (*value.texts, *following.value.texts)[:1024]
            sources = (*value.sources, *following.value.sources)
            word = Word(value._replace(texts=texts, sources=sources[:64]), word.is_bare)
        return word, at

    def _word(self, at: int, end: int, shell: Shell) -> tuple[Word, int]:
        start, parts = at, Value(("",))
        is_bare = self.text[at : at + 1] not in _QUOTES
        while at < end:
            mark = self.text[at]
            if mark in " \t\r\n,;|&>" or (mark in ")}" and at not in self.ends):
                break
            if mark == "`":
                parts, at = _joined(parts, Value((self.text[at + 1 : at + 2].strip("\n"),))), at + 2
            elif at == start and (mark in "({[" or (mark == "@" and self.text[at + 1 : at + 2] in "({")):
                opens = at + (mark == "@")
                if opens not in self.ends:
                    parts, at = _joined(parts, Value((mark,))), at + 1
                    continue
                after = self._postfix(self.ends[opens], end)
                return Word(self.expression(at, after, shell)), after
            elif mark == "$" and at == start and (chain := self._chain(at, end)):
                parts, at = _joined(parts, self.expression(at, chain, shell)), chain
                is_bare = False
            else:
                value, at = self._part(at, end, shell)
                parts = _joined(parts, value)
        return Word(parts, is_bare), at

    def _chain(self, at: int, end: int) -> int:
        """The end of `$name.property` or `$name.Method(…)` that begins here; 0 if it is a variable alone."""
        variable = _VARIABLE.match(self.text, at, end)
        if variable is None:
            return 0
        after = self._postfix(variable.end(), end)
        return after if after > variable.end() else 0

    def _postfix(self, at: int, end: int) -> int:
        """The end of the properties, indexes and calls that follow a value."""
        while found := _POSTFIX.match(self.text, at, end):
            at = found.end()
            if self.text[at : at + 1] == "(" and at in self.ends:
                at = self.ends[at]
        return at

    def _part(self, at: int, end: int, shell: Shell) -> tuple[Value, int]:
        """A quoted text, a variable, a substitution or a run of plain characters."""
        mark = self.text[at]
        close = self.ends.get(at)
        if close is not None and (mark in _QUOTES or mark == "@"):
            return self._quoted(at, close, shell), close
        if mark == "$":
            if self.text[at + 1 : at + 2] == "(" and at + 1 in self.ends:
                close = self.ends[at + 1]
                return self._inner(at + 2, close - 1, shell), close
            if variable := _VARIABLE.match(self.text, at, end):
                return self.value_of(variable[1] or variable[2], shell), variable.end()
        if close is not None:
            return Value((self.text[at:close],)), close
        literal = _LITERAL.match(self.text, at, end)
        return (Value((literal[0],)), literal.end()) if literal else (Value((mark,)), at + 1)

    def _inner(self, start: int, end: int, shell: Shell) -> Value:
        """The value of a sub-expression: what its statements write."""
        here = shell.fork()
        before = len(self.run.commands)
        value = self.statements(start, end, here)
        ran = tuple(self.run.commands[before:])
        self.run.captured.update(ran)
        return value._replace(texts=value.texts or (HOLE,), sources=tuple(dict.fromkeys((*value.sources, *ran)))[-64:])

    def _quoted(self, start: int, end: int, shell: Shell) -> Value:
        """A quoted text, with its variables and sub-expressions if the quotes are double."""
        mark = self.text[start]
        if mark == "@":
            body = (self.text.find("\n", start, end) + 1, end - 3)
            if self.text[start + 1] in "'\u2018\u2019":
                return Value((self.text[body[0] : max(body)],))
            return self._expanded(body[0], max(body), shell)
        if mark in "'\u2018\u2019":
            return Value((self.text[start + 1 : end - 1].replace("''", "'"),))
        return self._expanded(start + 1, end - 1, shell)

    def _expanded(self, at: int, end: int, shell: Shell) -> Value:
        parts, plain = Value(("",)), at
        while (mark := _ACTIVE.search(self.text, at, end)) is not None:
            parts = _joined(parts, Value((self.text[plain : mark.start()],)))
            if mark[0] == "$":
                value, at = self._part(mark.start(), end, shell)
                parts = _joined(parts, Value((value.text,), value.sources))
            else:
                escaped = mark[0][1:]
                parts, at = _joined(parts, Value((_ESCAPES.get(escaped, escaped[:1]),))), mark.end()
            plain = at
        return _joined(parts, Value((self.text[plain:end],)))

    def value_of(self, name: str, shell: Shell) -> Value:
        """The value of a variable; a HOLE if nothing in the script sets it."""
        scope, _, bare = name.lower().rpartition(":")
        if scope == "env":
            found = of_environment(bare, shell)
            return Value((found.value,), found.sources)
        if bare in ("true", "false", "null"):
            return Value((f"${bare}",))
        if bare in ("_", "psitem"):
            return self.variables.get("_", Value((HOLE,)))
        if known := self.variables.get(bare):
            return known
        if bare in ("home", "profile"):
            return Value(("~" if bare == "home" else "~/documents/powershell/profile.ps1",))
        if bare in ("pwd", "psscriptroot"):
            return Value((shell.cwd,))
        return Value((HOLE,))

    # Expressions

    def expression(self, at: int, end: int, shell: Shell) -> Value:
        """The value of an expression. Its operators are not computed: then its text is unknown."""
        values: list[Value] = []
        is_known, joins = True, False
        while (at := self._after_space(at, end)) < end:
            mark = self.text[at]
            if mark in ",+":
                joins, at = mark == "+", at + 1
                continue
            if operator := _OPERATOR.match(self.text, at, end):
                is_known = is_known and operator[0].lower() in _KEPT
                joins, at = False, operator.end()
                continue
            if mark in ".:" and values and (found := _POSTFIX.match(self.text, at, end)):
                values[-1], at = self._member(values[-1], found, shell)
                continue
            if (
                mark == "["
                and values
                and self.text[at - 1 : at].strip()
                and (found := _POSTFIX.match(self.text, at, end))
            ):
                at = found.end()
                continue
            value, at = self._operand(at, end, shell)
            if joins and values:
                values[-1] = _joined(values[-1], value)
            else:
                values.append(value)
            joins = False
        return _together(values, is_known)

    def _operand(self, at: int, end: int, shell: Shell) -> tuple[Value, int]:
        mark = self.text[at]
        if mark == "[" and (kind := _TYPE.match(self.text, at, end)):
            return Value((), entries=(("type", Value((kind[1],))),)), kind.end()
        opens = at + (mark == "@")
        close = self.ends.get(opens)
        if close is None or self.text[opens] not in "({":
            if mark not in "$" + _QUOTES + "@" and (token := _TOKEN.match(self.text, at, end)):
                return Value((token[0],)), token.end()
            value, after = self._part(at, end, shell)
            return value, max(after, at + 1)
        if self.text[opens] == "(":
            return self._inner(opens + 1, close - 1, shell), close
        if mark == "@":
            return self._table(opens + 1, close - 1, shell), close
        return Value(blocks=((opens + 1, close - 1),)), close

    def _table(self, start: int, end: int, shell: Shell) -> Value:
        """A hash table: its entries, and their texts as its text."""
        entries: list[tuple[str, Value]] = []
        for stages in self._pipelines(start, end):
            first, last = stages[0][0], stages[-1][1]
            equals = self.text.find("=", first, last)
            if equals > 0:
                name = self.text[first:equals].strip().strip("'\"")
                entries.append((name, self._statement([(equals + 1, stages[0][1]), *stages[1:]], shell)))
        sources = tuple(by for _, value in entries for by in value.sources)
        return Value(tuple(f"{name}={value.text}" for name, value in entries), sources, entries=tuple(entries))

    def _member(self, value: Value, found: re.Match[str], shell: Shell) -> tuple[Value, int]:
        """A property or the call of a method."""
        name, at = found[0].lstrip(".:"), found.end()
        if self.text[at : at + 1] == "(" and at in self.ends:
            close = self.ends[at]
            given = self.expression(at + 1, close - 1, shell)
            text = self.text[max(0, found.start() - 120) : close].strip()
            return self.method(value, name, given, text, shell), close
        entry = next((each for key, each in value.entries if key.lower() == name.lower()), None)
        return entry or value, at


_ACTIVE = re.compile(r"`(?:.|\n)|\"\"|\$(?=[({\w_?^$])")


def _joined(left: Value, right: Value) -> Value:
    """Two values written together: `$dir\\x`, `'a' + 'b'`. Each text of one stands with each of the other."""
    if not right.texts:
        right = right._replace(texts=("",))
    if left.texts in ((), ("",)):
        return right._replace(sources=(*left.sources, *right.sources)[-64:])
    texts = tuple(a + b for a in left.texts[:64] for b in right.texts[:16])
    return left._replace(texts=texts, sources=(*left.sources, *right.sources)[-64:], of="")


def _together(values: list[Value], is_known: bool) -> Value:
    if len(values) == 1 and is_known:
        return values[0]
    texts = tuple(text for value in values for text in value.texts) if is_known else (HOLE,)
    sources = tuple(dict.fromkeys(by for value in values for by in value.sources))
    blocks = tuple(each for value in values for each in value.blocks)
    return Value(texts[:1024], sources[-64:], blocks)
