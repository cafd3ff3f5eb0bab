"""The places in JavaScript that matter to security: values that run as code, go to a shell, SQL or a page, and checks
that are disabled. Only places that the action itself adds are reported."""

from __future__ import annotations

import re
from collections.abc import Iterator

from supervisor.evidence.javascript.flows import origin_of, pieces_of
from supervisor.evidence.javascript.programs import Call, Program, Value
from supervisor.evidence.javascript.texts import text_of
from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.reading.sql_texts import is_statement, stands_for_value

_REFUSING = ("rejectUnauthorized", "strictSSL")  # options of connections in Node and in the package `request`
_ENVIRONMENT = "process.env.NODE_TLS_REJECT_UNAUTHORIZED"
_LOOPBACK = ("https://localhost", "https://127.", "https://[::1]")
_EVALUATES = frozenset({"eval", "vm.Script", "vm.runInContext", "vm.runInNewContext", "vm.runInThisContext"})
_SHELLS = frozenset({"child_process.exec", "child_process.execSync"})
_SQL = frozenset(
    {"$executeRawUnsafe", "$queryRawUnsafe", "all", "each", "exec", "execute", "get", "prepare", "query", "raw", "run"}
    | {"unsafe", "whereRaw"}
)
_MARKUP = re.compile(r"<[a-zA-Z/!]")
_ANSWERS = frozenset(
    f"{answer}{status}.{sends}"
    for answer in ("res", "response", "reply")
    for status in ("", ".status")
    for sends in ("end", "send", "write")
)
_TOKENS = ("jsonwebtoken.", "jwt.", "jose.")
_WEAK_HASHES = frozenset({"md4", "md5", "ripemd160", "sha1"})
_HASHES = frozenset({"CryptoJS.MD5", "CryptoJS.SHA1", "crypto-js.MD5", "crypto-js.SHA1", "md5", "sha1"})


def unverified(code: Program) -> Iterator[str]:
    """The settings that accept any certificate, as written, except for servers on this machine."""
    for name, value in code.options:
        pair = value.parent or value
        accepts = name in _REFUSING and value.type == "false" and code.is_new(pair)
        if accepts and not any(place in code.statement_of(pair) for place in _LOOPBACK):
            yield code.text(pair)
    for name, value in code.assignments:
        statement = value.parent or value
        if name == _ENVIRONMENT and code.text(value).strip("'\"`") == "0" and code.is_new(statement):
            yield code.text(statement)


def evaluated(code: Program) -> Iterator[tuple[Call, Value]]:
    """The calls that run a text as code, with the text."""
    for call in (*code.calls, *code.constructions):
        if call.arguments and call.is_new and (call.name in _EVALUATES or call.name == "Function"):
            yield call, call.arguments[-1 if call.name == "Function" else 0]


def shell_commands(code: Program) -> Iterator[tuple[Call, Value]]:
    """The calls that pass a text to a shell, with the text."""
    for call in code.calls:
        asked = call.name.startswith("child_process.") and (call.is_set(1, "shell") or call.is_set(2, "shell"))
        if call.arguments and call.is_new and (call.name in _SHELLS or asked):
            yield call, call.arguments[0]


def inserted(code: Program) -> Iterator[tuple[Call, Value]]:
    """The calls that insert a value into an SQL statement and let it change the meaning, with the value."""
    for call in code.calls:
        if call.method in _SQL and call.arguments and call.is_new:
            hole = _open_value(code, call.arguments[0])
            if hole is not None:
                yield call, hole


def _open_value(code: Program, text: Value) -> Value | None:
    """A client's value at any position in a statement; another unfixed value, where a parameter is possible."""
    pieces = pieces_of(code, text)
    if not is_statement("".join(piece if isinstance(piece, str) else " " for piece in pieces)):
        return None
    before = ""
    for piece in pieces:
        if isinstance(piece, str):
            before += piece
            continue
        named = piece.type in ("identifier", "member_expression") and not code.text(piece).isupper()
        open_ = named and HOLE in text_of(code, piece) and stands_for_value(before)
        if open_ or origin_of(code, piece) is not None:
            return piece
        before += "\0"
    return None


def pages(code: Program) -> Iterator[tuple[Value, bool]]:
    """Values that become HTML, each with whether that happens in the page itself."""
    for name, value in (*code.assignments, *code.options):
        if name.endswith((".innerHTML", ".outerHTML", "__html")) and code.is_new(value.parent or value):
            yield value, True
    for call in code.calls:
        if not call.arguments or not call.is_new:
            continue
        given = call.arguments[-1]
        if call.name in ("document.write", "document.writeln") or call.method == "insertAdjacentHTML":
            yield given, True
        elif call.name.replace("()", "") in _ANSWERS and _is_markup(code, given):
            yield given, False


def _is_markup(code: Program, node: Value) -> bool:
    """Whether a value is text with tags, or one value of the request; an object is sent as JSON."""
    if node.type in ("identifier", "member_expression") and code.name_of(node).count(".") > 1:
        return True
    return any(isinstance(piece, str) and _MARKUP.search(piece) for piece in pieces_of(code, node))


def unsigned_tokens(code: Program) -> Iterator[Call]:
    """The calls that read or create a JSON Web Token without a signature."""
    verifies = any(call.method in ("jwtVerify", "verify") for call in code.calls)
    for call in code.calls:
        if not call.name.startswith(_TOKENS) or not call.is_new:
            continue
        if call.method in ("decode", "decodeJwt"):
            if not verifies and call.arguments and origin_of(code, call.arguments[0]) is not None:
                yield call
        elif _is_unsigned(code, call):
            yield call


def _is_unsigned(code: Program, call: Call) -> bool:
    if call.method not in ("sign", "verify"):
        return False
    key, allowed = call.argument(1), call.option(2, "algorithms") or call.option(2, "algorithm")
    keyless = call.method == "verify" and key is not None and code.text(key) in ("null", "undefined", "''", '""')
    return keyless or (allowed is not None and "'none'" in code.text(allowed).lower().replace('"', "'"))


def weak_hashes(code: Program) -> Iterator[Call]:
    """The calls that hash with an algorithm that has practical collisions."""
    for call in code.calls:
        named = text_of(code, call.argument(0)).lower().replace("-", "") if call.name == "crypto.createHash" else ""
        if call.is_new and (call.name in _HASHES or named in _WEAK_HASHES):
            yield call
