"""Text that would become SQL if a program pasted it into a statement (CWE-89).

A value is read in three contexts: bare, between single quotes, between double quotes. The text after the break-out is
an injection if two things hold. It is grammatical: operands and operators alternate, as they do not in prose. And it
changes the statement: a condition that always holds, a UNION, a second statement, a comment that cuts off the rest, a
call that waits or reads. With only one of the two, it is a name, a sum or a sentence about SQL.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple
from urllib.parse import unquote_plus

from supervisor.evidence.sql.fragments import LITERALS, Token, Type, tokens_of
from supervisor.evidence.sql.shapes import shapes

MAX_CHARS = 16 * 1024  # of a value; a longer one is not pasted into a condition
_CONTEXTS = ("", "'", '"')
_OPERANDS = frozenset({Type.NUMBER, Type.STRING, Type.OPEN_STRING, Type.VARIABLE, Type.NAME})
_BINARY = frozenset({Type.LOGICAL, Type.COMPARISON, Type.OPERATOR, Type.SIGN})
_DECIDES = frozenset({Type.LOGICAL, Type.COMPARISON, Type.CALLED})
# Functions and names that only SQL has, and that an honest field does not contain.
_SQL_ONLY_NAMES = (
    "ASCII BENCHMARK BIN CHAR CHR CONCAT_WS CONV CURRENT_USER DATABASE DBMS_PIPE.RECEIVE_MESSAGE ELT EXTRACTVALUE "
    "GROUP_CONCAT HEX LAST_INSERT_ID LOAD_FILE MAKE_SET MD5 OPENROWSET ORD PG_READ_FILE PG_SLEEP RANDOMBLOB "
    "SCHEMA SESSION_USER SLEEP SUBSTR SUBSTRING SYSTEM_USER UNHEX UPDATEXML USER UTL_HTTP.REQUEST "
    "UTL_INADDR.GET_HOST_ADDRESS VERSION CAST CONVERT IFNULL NULLIF COALESCE JSON_KEYS MID SHA1"
)
_SQL_ONLY = frozenset(_SQL_ONLY_NAMES.split())
_LONGEST_COMMENT = 8  # characters; an attacker's comment only cuts off the rest, people's comments have words
_CLAUSES = frozenset({"GROUP", "HAVING", "INTO", "LIMIT", "ORDER", "PROCEDURE"})


class Injection(NamedTuple):
    """`sign`: the effect on the statement. `text`: the value from there on. `quote`: what it breaks out of."""

    sign: str
    text: str
    quote: str


def injection_in(value: str) -> Injection | None:
    """What a value would inject into a statement into which it is pasted; None if it stays a value."""
    value = value[:MAX_CHARS]
    spelled = [value]
    if "%" in value and (decoded := unquote_plus(value)) != value:
        spelled.append(decoded)
    for text in spelled:
        for quote in _CONTEXTS:
            if quote in text and (found := _injection(text, quote)):
                return found
    return None


def _injection(text: str, quote: str) -> Injection | None:
    tokens = tokens_of(text, quote)
    if len(tokens) < 2:
        return None
    for index, sign in _signs(tokens, text, quote):
        return Injection(sign, text[tokens[index].start :][:80], quote)
    return None


def _signs(tokens: Sequence[Token], text: str, quote: str) -> Iterator[tuple[int, str]]:
    """The effects of the tokens on the statement around them, each with its index."""
    yield from shapes(tokens)
    if not _is_grammar(tokens):
        return
    last = tokens[-1]
    cut_off = last.type is Type.COMMENT and len(last.text) <= _LONGEST_COMMENT
    # A quote of the statement closes the open string; in prose it would contain more than one word.
    closed = last.type is Type.OPEN_STRING and text[last.start] == quote and _is_word(tokens[0]) and _is_word(last)
    if len(tokens) == 3 and tokens[1].text.isalpha() and tokens[0].text.endswith(" ") and last.text.startswith(" "):
        closed = False  # prose about the 'or' operator
    for index, token in enumerate(tokens):
        if token.type is Type.LOGICAL and 0 < index < len(tokens) - 1:
            if _adds_condition(tokens, index, cut_off or closed):
                yield index, "adds a condition"
        elif not quote and tokens[0].type is Type.NAME:
            continue  # words and formulas begin like this
        elif token.text in _CLAUSES and index and _is_clause(tokens, index):
            yield index, f"adds {token.text}"
        elif token.text == "CASE" and {"WHEN", "THEN", "END"} <= {each.text for each in tokens[index:]}:
            yield index, "puts a CASE in the value's place"
        elif token.type is Type.VARIABLE and token.text.startswith("@@"):
            yield index, "reads a variable of the server"
        elif token.type is Type.CALLED and index and token.text in _SQL_ONLY:
            yield index, f"calls {token.text}"
    if quote and (cut_off or closed):
        yield from _break_outs(tokens, quote)
    elif not quote and cut_off and tokens[0].type is Type.LEFT and _holds_more(tokens):
        yield len(tokens) - 1, "cuts off the rest of the statement"


def _holds_more(tokens: Sequence[Token]) -> bool:
    """Whether there are strings, logic or calls, and not only numbers."""
    return any(each.type in (Type.STRING, Type.LOGICAL, Type.CALLED, Type.VARIABLE, Type.WORD) for each in tokens)


def _is_word(token: Token) -> bool:
    return not token.text.strip().count(" ")


def _is_grammar(tokens: Sequence[Token]) -> bool:
    """Whether operands and operators alternate to the end. Prose fails at its second word."""
    has_operand = aliased = selects = False
    for index, token in enumerate(tokens):
        kind = token.type
        if kind is Type.COMMENT:
            return True
        if kind is Type.OTHER:
            return False
        if kind in _OPERANDS:
            if has_operand and (aliased or not selects or kind not in (Type.NAME, Type.STRING)):
                return False
            has_operand, aliased = True, has_operand
        elif kind is Type.WORD:
            selects = selects or token.text == "SELECT"
            has_operand, aliased = token.text == "END" or (has_operand and token.text == "NOT"), False
        elif kind is Type.CALLED or kind is Type.LEFT:
            follows = kind is Type.LEFT and tokens[index - 1].type is Type.CALLED
            if has_operand and not follows and not selects:
                return False
            has_operand = aliased = False
        elif kind is Type.RIGHT or (token.text == "*" and not has_operand):
            has_operand, aliased = True, False
        elif token.text == "SOUNDS" and has_operand:
            continue
        else:  # an operator between operands; a sign and NOT may also precede one
            if not has_operand and kind not in (Type.SIGN, Type.SEMICOLON):
                return False
            has_operand = aliased = False
    return True


def _break_outs(tokens: Sequence[Token], quote: str) -> Iterator[tuple[int, str]]:
    """What follows the quote that ends the value, if the statement is then still complete."""
    index = 1
    while tokens[index].type in (Type.RIGHT, Type.SEMICOLON) and index < len(tokens) - 1:
        index += 1
    if tokens[index].type is Type.COMMENT and not tokens[index].text.strip("-+ #*/("):
        yield index, "cuts off the rest of the statement"
        return
    names = any(each.type is Type.NAME for each in tokens) and all(each.type not in _DECIDES for each in tokens)
    joins = tokens[index].type in _BINARY or tokens[index].text == "NOT"
    if joins and (quote == "'" or len(tokens) > 3) and not names:
        yield index, "puts an expression in the value's place"


def _adds_condition(tokens: Sequence[Token], index: int, ends_well: bool) -> bool:
    """Whether AND or OR leads to a comparison or a call, or to a constant that decides."""
    before, after = tokens[:index], tokens[index + 1 :]
    compared = any(each.type is Type.COMPARISON for each in before)
    if _compares_constants(after, alike=compared):
        return True
    if before[0].type in (Type.NAME, Type.WORD):
        return False
    if not compared and any(each.type in (Type.COMPARISON, Type.CALLED) for each in after):
        return True
    first = after[0]
    decides = first.text == before[-1].text or first.text in ("TRUE", "NOT", "!") or ends_well
    return first.type is not Type.COMMENT and decides and before[-1].type in LITERALS


def _compares_constants(tokens: Sequence[Token], alike: bool) -> bool:
    """`1=1`, `'a' like 'a'`, `pi() = 3`: independent of the rows; `alike` requires equal sides."""
    flat = [each for each in tokens if each.type not in (Type.LEFT, Type.RIGHT, Type.CALLED)]
    return any(
        each.type is Type.COMPARISON
        and left.type in LITERALS
        and right.type in LITERALS
        and (not alike or left.text == right.text)
        for left, each, right in zip(flat, flat[1:], flat[2:], strict=False)
    )


def _is_clause(tokens: Sequence[Token], index: int) -> bool:
    """ORDER BY 3, HAVING 1=1, LIMIT 0,1, INTO OUTFILE '…' after a value."""
    before, rest = tokens[index - 1], tokens[index + 1 : index + 4]
    if before.type not in LITERALS | {Type.RIGHT} or not rest:
        return False
    match tokens[index].text:
        case "ORDER" | "GROUP":
            return rest[0].text == "BY" and len(rest) > 1
        case "INTO":
            return rest[0].text in ("OUTFILE", "DUMPFILE") or rest[0].type is Type.VARIABLE
        case "PROCEDURE":
            return rest[0].type is Type.CALLED
    return rest[0].type in LITERALS | {Type.CALLED, Type.LEFT}
