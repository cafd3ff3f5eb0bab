"""The language of Terraform, OpenTofu, Packer and Nomad: blocks, attributes and literal values.

A block becomes a mapping under its type and labels: `resource "aws_db_instance" "main" {…}` is
`{"resource": {"aws_db_instance": {"main": {…}}}}`, and a block that repeats is a list. An expression that only running
shows (a variable, a condition) is its text; the object in `jsonencode({…})` is read as one.
"""

from __future__ import annotations

import re

from supervisor.errors import Unreadable
from supervisor.evidence.configuration.trees import put

_TOKEN = re.compile(
    r'(?P<space>[ \t\r]+|#[^\n]*|//[^\n]*|/\*[\s\S]*?(?:\*/|\Z))|(?P<line>\n)|(?P<text>"(?:[^"\\\n]|\\.)*")'
    r"|<<[-~]?(?P<mark>\w{1,60})\n|(?P<word>[A-Za-z_][\w.*-]*(?:\[[^\]\n]{0,80}\][\w.*-]*)*)|(?P<number>-?\d[\w.]*)"
    r"|(?P<sign>=>|==|!=|<=|>=|&&|\|\||[^\s\w])"
)
_MOST_DEPTH = 60
_MOST_TOKENS = 100_000
_OPENS, _CLOSES = {"{": "}", "[": "]", "(": ")"}, frozenset("}])")


def hcl_tree(text: str) -> dict[str, object]:
    """The blocks and attributes of a text, or of a part of one; what is no HCL is skipped. Raises Unreadable if it
    nests too deeply or is too long."""
    return _Reader(_tokens(text)).body(0)


_BICEP_TEXT = re.compile(r"'((?:[^'\\\n]|\\.)*)'")


def bicep_tree(text: str) -> dict[str, object]:
    """The resources and settings of a Bicep text, which differs from HCL in its quotes."""
    return hcl_tree(_BICEP_TEXT.sub(lambda found: '"' + found[1].replace('"', '\\"') + '"', text))


def _tokens(text: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    at = 0
    while at < len(text) and (token := _TOKEN.match(text, at)):
        at, kind = token.end(), str(token.lastgroup)
        if kind == "mark":
            end = re.compile(rf"^[ \t]*{token['mark']}[ \t]*$", re.MULTILINE).search(text, at)
            found.append(("text", text[at : end.start() if end else len(text)]))
            at = end.end() if end else len(text)
        elif kind == "text":
            found.append((kind, _plain(token[0])))
        elif kind != "space":
            found.append((kind, token[0]))
        if len(found) > _MOST_TOKENS:
            raise Unreadable("the configuration is too long")
    return found


def _plain(quoted: str) -> str:
    return quoted[1:-1].replace('\\"', '"').replace("\\n", "\n").replace("\\\\", "\\")


class _Reader:
    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self._tokens = tokens
        self._at = 0

    def _peek(self) -> tuple[str, str]:
        return self._tokens[self._at] if self._at < len(self._tokens) else ("end", "")

    def _next(self) -> tuple[str, str]:
        token = self._peek()
        self._at += 1
        return token

    def _skip_lines(self) -> None:
        while self._peek()[0] == "line" or self._peek() == ("sign", ","):
            self._at += 1

    def body(self, depth: int) -> dict[str, object]:
        """The blocks and attributes up to the brace that ends them."""
        if depth > _MOST_DEPTH:
            raise Unreadable("the configuration nests too deeply")
        values: dict[str, object] = {}
        while True:
            self._skip_lines()
            kind, text = self._next()
            if kind == "end" or (kind, text) == ("sign", "}"):
                return values
            if kind not in ("word", "text", "number"):
                continue
            self._member(values, text, depth)

    def _member(self, values: dict[str, object], name: str, depth: int) -> None:
        kind, sign = self._peek()
        if kind == "sign" and sign in ("=", ":", "=>"):
            self._at += 1
            put(values, name, self.value(depth))
            return
        labels = [name]
        while self._peek()[0] in ("word", "text"):
            labels.append(self._next()[1])
        if self._peek() == ("sign", "{"):
            self._at += 1
            inner = self.body(depth + 1)
            for label in labels[:-1]:
                below = values.setdefault(label, {})
                values = below if isinstance(below, dict) else {}
            if labels[0] == "dynamic" and isinstance(content := inner.get("content"), dict):
                inner = content
            put(values, labels[-1], inner)
        elif len(labels) > 1 and self._peek() == ("sign", "="):  # resource account 'type@version' = { … } of Bicep
            self._at += 1
            put(values, " ".join(labels), self.value(depth))

    def value(self, depth: int) -> object:
        """A literal, a list or an object; the text of any other expression."""
        if depth > _MOST_DEPTH:
            raise Unreadable("the configuration nests too deeply")
        while self._peek()[0] == "line":
            self._at += 1
        kind, text = self._next()
        if (kind, text) == ("sign", "["):
            return self._rest(self._list(depth + 1))
        if (kind, text) == ("sign", "{"):
            return self._rest(self.body(depth + 1))
        if kind == "word" and self._peek() == ("sign", "("):
            self._at += 1
            given = self._list(depth + 1)
            own = given[0] if given and (len(given) == 1 or text in _OF_FIRST) else given
            return self._rest(own if text in _TRANSPARENT and given else f"{text}(…)")
        return self._rest(text)

    def _list(self, depth: int) -> list[object]:
        items: list[object] = []
        while True:
            self._skip_lines()
            kind, text = self._peek()
            if kind == "end" or (kind == "sign" and text in _CLOSES):
                self._at += 1
                return items
            items.append(self.value(depth))

    def _rest(self, first: object) -> object:
        """The value, if nothing follows that makes an expression of it."""
        depth, more = 0, False
        while True:
            kind, text = self._peek()
            if kind == "end" or (depth == 0 and (kind == "line" or (kind == "sign" and text in ",}])"))):
                return "an expression" if more else first
            depth += 1 if text in _OPENS and kind == "sign" else -1 if kind == "sign" and text in _CLOSES else 0
            self._at += 1
            more = True


_TRANSPARENT = frozenset({"jsonencode", "yamlencode", "toset", "tolist", "tostring", "tonumber", "tobool", "concat"})
_OF_FIRST = frozenset({"jsonencode", "yamlencode"})
