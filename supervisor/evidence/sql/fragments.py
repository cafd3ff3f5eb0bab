"""The tokens of a fragment of SQL in the middle of a statement: what a field's value would become there.

No parser reads such a fragment, and servers differ, so this reads it as the most lenient server would. Closed comments
are gaps, MySQL's `/*!50000 … */` counts as its content, and `--`, `#` or an open `/*` end the statement.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum, auto
from typing import NamedTuple

MAX_TOKENS = 2_000


class Type(Enum):
    """The role of a token."""

    NUMBER = auto()
    STRING = auto()
    OPEN_STRING = auto()  # closed by a quote of the statement around it
    VARIABLE = auto()
    NAME = auto()
    CALLED = auto()  # a name before a parenthesis
    WORD = auto()  # a keyword of SQL
    LOGICAL = auto()
    COMPARISON = auto()
    OPERATOR = auto()
    SIGN = auto()  # + - ! ~: before an operand as well as between two
    COMMA = auto()
    LEFT = auto()
    RIGHT = auto()
    SEMICOLON = auto()
    COMMENT = auto()  # to the end of the text
    OTHER = auto()  # not SQL


LITERALS = frozenset({Type.NUMBER, Type.STRING, Type.OPEN_STRING, Type.VARIABLE})


class Token(NamedTuple):
    """`text` is in upper case, a string's without its quotes. `start` is its index."""

    type: Type
    text: str
    start: int


# Every alternative consumes what it matches and none nests a repetition: the time is linear.
_TOKEN = re.compile(
    r"""(?P<gap>[\s\x00\xa0\u200b\ufeff]+|/\*!\d*|\*/|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/)
    |(?P<comment>--|\#|/\*)
    |(?P<string>(?:[bnxBNXqQ]|[uU]&|_[a-z0-9]{4,8}\s?)?'|")
    |(?P<number>0[xX][0-9a-fA-F]+(?!\w)|0b[01]+(?!\w)
      |(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?!(?!(?i:and|or|union|xor)\b)\w))
    |(?P<variable>@@?(?:[\w.$]+|`[^`]*`|'[^']*'|"[^"]*")?)
    |(?P<quoted>`[^`]*`|\[[A-Za-z_]\w*\])
    |(?P<word>\\N(?!\w)|[\w$\x80-\uffff][\w$.\x80-\uffff]*)
    |(?P<compare><=>|<>|!=|\^=|<=|>=|==|!<|!>|(?:=|<(?!<)|>(?!>))|!?~~?\*?(?=\s*'))
    |(?P<logical>\|\||&&)
    |(?P<operator><<|>>|->>|->|::|:=|[*/%^&|])
    |(?P<sign>[-+!~])
    |(?P<mark>[,();])
    |(?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
_MARKS = {",": Type.COMMA, "(": Type.LEFT, ")": Type.RIGHT, ";": Type.SEMICOLON}
_TYPES = {
    "number": Type.NUMBER,
    "variable": Type.VARIABLE,
    "quoted": Type.NAME,
    "compare": Type.COMPARISON,
    "logical": Type.LOGICAL,
    "operator": Type.OPERATOR,
    "sign": Type.SIGN,
    "other": Type.OTHER,
}
_LOGICAL = frozenset({"AND", "OR", "XOR"})
_COMPARES = frozenset({"BETWEEN", "GLOB", "ILIKE", "IN", "IS", "LIKE", "REGEXP", "RLIKE"})
_OPERATES = frozenset({"COLLATE", "DIV", "ESCAPE", "MOD", "SOUNDS"})
_WORDS_NAMES = (
    "ALL ALTER AS ASC BEGIN BINARY BY CASE CREATE DECLARE DELETE DESC DISTINCT DISTINCTROW DROP ELSE END EXCEPT "
    "EXEC EXECUTE EXISTS FETCH FOR FROM GRANT GROUP HAVING IF INNER INSERT INTERSECT INTO JOIN LEFT LIMIT MERGE "
    "NATURAL NOT OFFSET ON ORDER OUTER OUTFILE DUMPFILE PROCEDURE RETURNING RIGHT SELECT SET SHUTDOWN TABLE THEN "
    "TOP TRUNCATE UNION UPDATE USING VALUES WAITFOR WHEN WHERE"
)
_WORDS = frozenset(_WORDS_NAMES.split())
_CALLED_WORDS = frozenset({"IF", "LEFT", "MOD", "REPLACE", "RIGHT", "VALUES"})  # functions as well


def tokens_of(text: str, quote: str = "") -> list[Token]:
    """The first MAX_TOKENS tokens of a value between two `quote`s, or bare."""
    found = []
    for token in _tokens(text, quote):
        found.append(token)
        if token.type is Type.COMMENT or len(found) == MAX_TOKENS:
            break
    return found


def _tokens(text: str, quote: str) -> Iterator[Token]:
    at = 0
    if quote:
        string, at = _string(text, 0, quote, escapes=False)
        yield string
    while at < len(text):
        met = _TOKEN.match(text, at)
        if met is None:  # never: the last alternative matches any character
            return
        kind, shown, start = met.lastgroup or "other", met.group(), at
        at = met.end()
        if kind == "gap":
            continue
        if kind == "string":
            string, at = _string(text, at, shown[-1])
            yield string._replace(start=start)
        elif kind == "comment":
            line_end = text.find("\n", at)
            if shown == "/*" or line_end < 0 or not text[line_end:].strip():
                yield Token(Type.COMMENT, text[at:].strip().upper(), start)
            else:
                at = line_end
        elif kind == "mark":
            yield Token(_MARKS[shown], shown, start)
        elif kind == "word":
            yield Token(_type_of(shown.upper(), text[at : at + 9].lstrip()[:1] == "("), shown.upper(), start)
        else:
            yield Token(_TYPES[kind], shown.upper(), start)


def _string(text: str, start: int, quote: str, escapes: bool = True) -> tuple[Token, int]:
    """The string whose opening quote precedes `start`, and the index of its end. A doubled quote stays in it."""
    at = start
    while at < len(text):
        letter = text[at]
        if letter == "\\" and escapes:
            at += 1
        elif letter == quote:
            if text[at + 1 : at + 2] != quote:
                return Token(Type.STRING, text[start:at].upper(), start), at + 1
            at += 1
        at += 1
    return Token(Type.OPEN_STRING, text[start:].upper(), start), len(text)


def _type_of(word: str, called: bool) -> Type:
    if word in _LOGICAL:
        return Type.LOGICAL
    if called and word in _CALLED_WORDS:
        return Type.CALLED
    if word in _COMPARES:
        return Type.COMPARISON
    if word in _OPERATES:
        return Type.OPERATOR
    if word in _WORDS:
        return Type.WORD
    return Type.CALLED if called else Type.NAME
