"""Sequences of tokens that are SQL anywhere in a text: UNION SELECT, a second statement, a SELECT in parentheses, a
call that waits or reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from supervisor.evidence.sql.fragments import LITERALS, Token, Type

_WAITS_OR_READS_NAMES = (
    "BENCHMARK DBMS_PIPE.RECEIVE_MESSAGE EXTRACTVALUE LOAD_FILE PG_READ_FILE PG_SLEEP SLEEP UPDATEXML "
    "UTL_HTTP.REQUEST UTL_INADDR.GET_HOST_ADDRESS"
)
_WAITS_OR_READS = frozenset(_WAITS_OR_READS_NAMES.split())
_BEFORE_COLUMN = frozenset({"ALL", "BINARY", "CASE", "DISTINCT", "DISTINCTROW", "TOP"})
_MODIFIERS = frozenset({"IGNORE", "LOW_PRIORITY", "QUICK"})
_STATEMENTS_NAMES = (
    "ALTER BEGIN CREATE DECLARE DELETE DROP EXEC EXECUTE GRANT IF INSERT MERGE SELECT SET SHUTDOWN TRUNCATE "
    "UPDATE WAITFOR"
)
_STATEMENTS = frozenset(_STATEMENTS_NAMES.split())
_OBJECTS = frozenset({"DATABASE", "FUNCTION", "INDEX", "LOGIN", "PROCEDURE", "ROLE", "SCHEMA", "TABLE", "USER", "VIEW"})
_ENDS = frozenset({Type.COMMENT, Type.SEMICOLON})


def shapes(tokens: Sequence[Token]) -> Iterator[tuple[int, str]]:
    """The sequences that can only be SQL, each with its index and its effect."""
    for index, token in enumerate(tokens):
        if token.text == "SELECT" and token.type is Type.WORD:
            if _follows_union(tokens, index) and (_selects(tokens, index) or index == len(tokens) - 1):
                yield index, "adds the rows of another SELECT"
            elif index and tokens[index - 1].type is Type.LEFT and _selects(tokens, index):
                yield index, "contains a SELECT"
            elif not index and _selects(tokens, index) and _lists_tables(tokens):
                yield index, "is a SELECT itself"
        elif token.type is Type.CALLED and token.text in _WAITS_OR_READS and _has_values(tokens, index):
            yield index, f"calls {token.text}"
        if index and _starts_statement(tokens, index):
            yield index, "adds a statement"


def _follows_union(tokens: Sequence[Token], index: int) -> bool:
    index -= 1
    while index > 0 and (tokens[index].type is Type.LEFT or tokens[index].text in ("ALL", "DISTINCT", "DISTINCTROW")):
        index -= 1
    return index >= 0 and tokens[index].text in ("UNION", "EXCEPT", "INTERSECT")


def _selects(tokens: Sequence[Token], index: int) -> bool:
    """Whether a list of columns follows the SELECT, not a word of prose."""
    at = index + 1
    while at < len(tokens) - 1 and (tokens[at].type in (Type.SIGN, Type.LEFT) or tokens[at].text in _BEFORE_COLUMN):
        at += 1
    if at >= len(tokens):
        return False
    first, second = tokens[at], tokens[at + 1] if at + 1 < len(tokens) else None
    if first.type in LITERALS and second is not None and second.type is Type.NAME:  # an alias, or prose
        return _ends_column(tokens[at + 2 : at + 3])
    if first.type in LITERALS or first.type is Type.CALLED or first.text in ("*", "NULL"):
        return True
    if first.type is not Type.NAME:
        return False
    if second is None or second.type is Type.LOGICAL or _ends_column(tokens[at + 1 : at + 2]):
        return True
    ends = [each.text for each in tokens[at + 1 : at + 8]]
    return second.type in (Type.OPERATOR, Type.SIGN) and "FROM" in ends


def _ends_column(rest: Sequence[Token]) -> bool:
    """Whether a column of a list ends here."""
    ends = (Type.COMMA, Type.COMMENT, Type.RIGHT)
    return not rest or rest[0].type in ends or rest[0].text in ("AS", "FROM")


def _lists_tables(tokens: Sequence[Token]) -> bool:
    """Whether a table follows a list of columns that is more than one word: `select 1, x from y where`."""
    place = next((place for place, each in enumerate(tokens) if each.text == "FROM"), len(tokens))
    columns, tables = tokens[1:place], tokens[place + 1 : place + 3]
    listed = any(each.type in (Type.COMMA, Type.CALLED) or each.text == "*" for each in columns)
    named = [each.type for each in tables][:1] in ([Type.NAME], [Type.LEFT])
    return listed and named and (len(tables) == 1 or tables[1].type is not Type.NAME)


def _has_values(tokens: Sequence[Token], index: int) -> bool:
    """Whether a call's first argument is a value or an expression, and the call continues after it or closes."""
    rest = tokens[index + 2 : index + 4]
    if len(rest) < 2:
        return False
    first, second = rest
    return first.type in LITERALS | {Type.CALLED, Type.LEFT} and second.type not in (Type.NAME, Type.WORD)


def _starts_statement(tokens: Sequence[Token], index: int) -> bool:
    """Whether a second statement begins here: after a semicolon or, as T-SQL permits, after a literal."""
    before, token = tokens[index - 1], tokens[index]
    if token.type is not Type.WORD or token.text not in _STATEMENTS:
        return False
    if before.type not in LITERALS | {Type.SEMICOLON, Type.RIGHT} and before.text not in ("BEGIN", "ELSE", "TRY"):
        return False
    rest = [each for each in tokens[index + 1 : index + 6] if each.text not in _MODIFIERS]
    kinds, words = [each.type for each in rest], [each.text for each in rest]
    named = kinds[:1] == [Type.NAME]
    match token.text:
        case "SELECT":
            return before.type is Type.SEMICOLON and _selects(tokens, index) and kinds != [Type.NAME]
        case "DROP" | "ALTER" | "CREATE" | "TRUNCATE":
            return bool(_OBJECTS.intersection(words[:1])) and kinds[1:2] in ([Type.NAME], [Type.WORD])
        case "DELETE":
            return words[:1] == ["FROM"] and kinds[1:2] == [Type.NAME] and _ends(kinds[2:], words[2:], "WHERE")
        case "INSERT":
            return words[:1] == ["INTO"] and {"VALUES", "SELECT", "("}.intersection(words[2:]) != set()
        case "UPDATE":
            return named and words[1:2] == ["SET"] and words[3:4] == ["="]
        case "DECLARE" | "SET":
            return kinds[:1] == [Type.VARIABLE]
        case "EXEC" | "EXECUTE":
            procedure = named and words[0].rpartition(".")[2].startswith(("SP_", "XP_"))
            return (
                procedure
                or (named and _ends(kinds[1:], words[1:]))
                or kinds[:1] in ([Type.VARIABLE], [Type.LEFT], [Type.STRING])
            )
        case "WAITFOR":
            return words[:1] in (["DELAY"], ["TIME"])
        case "SHUTDOWN":
            return _ends(kinds, words, "WITH")
        case "BEGIN":
            return words[:1] == ["TRY"]
        case "GRANT" | "MERGE":
            return {"TO", "USING", "ON"}.intersection(words) != set() and before.type is Type.SEMICOLON
    return False


def _ends(kinds: Sequence[Type], words: Sequence[str], *more: str) -> bool:
    """Whether a statement can end here, or continue with one of these words, a literal or a comma."""
    return not kinds or kinds[0] in _ENDS | LITERALS | {Type.COMMA} or words[0] in more
