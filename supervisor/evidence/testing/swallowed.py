"""Assertions whose failure the same test hides: `try: assert … except: pass`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from supervisor.evidence.testing.reading import bracket

# An assertion of any framework, but none that only says that a line should not be reached.
_ASSERTS = re.compile(
    r"\bassert\s+(?!False\b|0\b)|\b(?:self|this|\$this)(?:\.|->)assert\w+\(|\bexpect\(|\bassert\w*[.!]?\w*\(|\bAssert\.\w+\("
    r"|\bEXPECT_\w+\(|\brequire\.\w+\(\s*t\b|\bXCTAssert"
)
_MOST = 300  # blocks of one text
_PYTHON_TRY = re.compile(r"^([ \t]*)try:[ \t]*(?:#[^\n]*)?\n", re.MULTILINE)
_SUPPRESS = re.compile(
    r"^([ \t]*)with\s+(?:contextlib\.)?suppress\([^)\n]*\b(?:AssertionError|Exception|BaseException)\b[^)\n]*\)"
    r"[^:\n]*:[ \t]*\n(?P<body>(?:\1[ \t]+[^\n]*\n?|[ \t]*\n){1,60})",
    re.MULTILINE,
)
_HANDLER = re.compile(r"^[ \t]*except\b([^:\n]*):[ \t]*([^\n]*)$")
_CATCHES = re.compile(r"^\s*(?:\(?[^)]*\b(?:AssertionError|Exception|BaseException)\b|$)")
_HIDES = re.compile(
    r"^(?:pass|\.\.\.|continue|return(?:\s+(?:None|True))?|(?:print|log\w*(?:\.\w+)?|warnings\.warn|sys\.stderr\.write)\(.*)$"
)
_TRY = re.compile(r"\btry\s*\{")
_CATCH = re.compile(r"\s*catch\b\s*(\([^)\n]{0,160}\))?\s*(?=\{)")
_CAUGHT = re.compile(r"[A-Za-z_]\w*(?=\s*[:)])(?=\s*:)|[A-Za-z_]\w*(?=\s*\)\Z)")  # `e: Throwable`, `Exception e`
_AS_VALUE = re.compile(r"\b(\w+)(?:\s*:\s*[\w.?<>]+)?\s*=\s*\Z")
_FAILS = re.compile(r"\s*(?:Assert\.)?[fF]ail\w*\([^()]*\)\s*;?\s*")
_CONTROL = re.compile(r"(?:^|[};\s])(?:do|else|finally|for|foreach|if|switch|try|using|while)\b[^{};\n]*\Z")
_AROUND = 4_000  # characters before and after a block in which its function is looked for
_BRACES = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`[^`\\]*`|//[^\n]*|[{}]")
_UNREACHED = re.compile(r"\s*(?:throw|(?:Assert\.)?[fF]ail\w*\()")
# What `catch` has to name so that it stops a failed assertion, by the language.
_STOPS = (
    (re.compile(r"\.(?:[cm]?[jt]sx?|vue|svelte)$"), re.compile(r"")),
    (
        re.compile(r"\.(?:java|kts?|groovy|scala)$"),
        re.compile(r"\b(?:Throwable|Error|AssertionError|AssertionFailedError)\b"),
    ),
    (
        re.compile(r"\.php$"),
        re.compile(r"\\?\b(?:Throwable|Exception|AssertionFailedError|ExpectationFailedException)\b"),
    ),
    (re.compile(r"\.cs$"), re.compile(r"^$|\bException\b|XunitException|AssertionException")),
    (re.compile(r"\.(?:cc|cpp|cxx)$"), re.compile(r"\.\.\.")),
    (re.compile(r"\.dart$"), re.compile(r"")),
)
_SAYS = re.compile(
    r"\b(?:throw|fail|raise|[aA]ssert\w*|expect|done|reject|exit|Error\(|Fatal|return\s+false|errors?\b.*(?:push|add|\+=))"
)
_RUN_CATCHING = re.compile(r"\brunCatching\s*(?=\{)")
_TAKEN = re.compile(r"\s*\.\s*(?:getOrThrow|onFailure|exceptionOrNull|fold|isSuccess|isFailure|getOrElse)")
_RUBY = re.compile(
    r"^([ \t]*)(?:begin|def\s[^\n]*|it\s[^\n]*do|specify\s[^\n]*do)[ \t]*\n((?:(?!\1(?:end"
    r"|rescue)\b)[^\n]*\n){1,200})\1rescue[ \t]+"
    r"(?:Exception|RSpec::Expectations::ExpectationNotMetError|Minitest::Assertion)\b[^\n]*\n((?:(?!\1(?:end|ensure)\b)[^\n]*\n){0,60})",
    re.MULTILINE,
)
_PROMISE = re.compile(r"\)\s*\.catch\(\s*(?:\(\s*\w*\s*\)|\w+|_)\s*=>\s*(?:\{\s*\}|undefined|null|void 0)\s*\)")


def swallowed_failure(path: str, text: str) -> str:
    """The text that hides the failure of an assertion; empty for most tests."""
    if "try" not in text and "atch" not in text and "rescue" not in text and "suppress" not in text:
        return ""
    if path.endswith((".py", ".pyi")):
        return next(_in_python(text), "")
    if path.endswith(".rb"):
        return next(_in_ruby(text), "")
    stops = next((caught for ends, caught in _STOPS if ends.search(path)), None)
    return next(_in_braces(text, stops), "") if stops is not None else ""


def _in_python(text: str) -> Iterator[str]:
    for found in _SUPPRESS.finditer(text):
        if _ASSERTS.search(_code(found["body"])):
            yield found[0].strip().partition("\n")[0]
    for found in islice(_PYTHON_TRY.finditer(text), _MOST):
        lines = text[found.end() : found.end() + 8_000].split("\n")
        indent = len(found[1].expandtabs())
        body, rest = _block(lines, indent)
        if not _ASSERTS.search(_code("\n".join(body))) or any("raise" in line for line in body):
            continue
        if len(rest) > 0 and (handler := _HANDLER.match(rest[0])) and _CATCHES.match(handler[1]):
            inner, after = _block(rest[1:], indent)
            words = [line.strip() for line in ([handler[2]] if handler[2].strip("# ") else inner) if line.strip()]
            words = [word for word in words if not word.startswith("#")]
            if words and all(map(_HIDES.match, words)) and not _is_continued(after, indent):
                yield f"except{handler[1]}: {words[0]}"


def _block(lines: list[str], indent: int) -> tuple[list[str], list[str]]:
    """The lines that are deeper than an indent, up to the first that is not, and the rest."""
    for number, line in enumerate(lines):
        if line.strip() and len(line) - len(line.lstrip()) <= indent:
            return lines[:number], lines[number:]
    return lines, []


def _is_continued(lines: list[str], indent: int) -> bool:
    """Whether an `else:` follows, which tells that the failure was what the test waits for."""
    return bool(lines) and len(lines[0]) - len(lines[0].lstrip()) == indent and lines[0].lstrip().startswith("else")


def _code(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if not line.lstrip().startswith(("#", "//")))


def _is_kept(text: str, tried: tuple[int, int], caught: re.Match[str], handler_end: int) -> bool:
    """Whether the failure is handed on: a name holds what was caught and is asserted or thrown later in the function,
    or a test of `fail` itself leaves before it fails. `tried`: the place of the `try` and of its body."""
    inside = _code(text[caught.end() + 1 : handler_end - 1]).strip()
    rest = text[handler_end : _end_of_function(text, tried[0], handler_end)]
    name = _CAUGHT.search(caught[1] or "")
    held = re.fullmatch(rf"(?:(\w+)\s*=\s*)?{name[0]}\b[.\w]*;?", inside) if name else None
    if held is None:
        is_of_fail = _FAILS.fullmatch(text, tried[1], caught.start() - 1) is not None
        return is_of_fail and inside.rstrip(";") == "return" and _UNREACHED.match(rest) is not None
    value = _AS_VALUE.search(text[max(0, tried[0] - 80) : tried[0]])
    holder = held[1] or (value[1] if value else None)
    if holder is None:
        return False
    line, kept = r"[^;\n]{0,200}", rf"\b{holder}\b"
    return re.search(rf"(?:throw|[aA]ssert|expect){line}{kept}|{kept}{line}(?:throw|[aA]ssert)", rest) is not None


def _end_of_function(text: str, start: int, end: int) -> int:
    """Where the function around a block ends: where the blocks around it that are no branches and no loops do."""
    opened: list[int] = []
    for piece in _BRACES.finditer(text, max(0, start - _AROUND), start):
        if piece[0] == "{":
            opened.append(piece.start())
        elif piece[0] == "}" and opened:
            opened.pop()
    outer = next((n for n, at in enumerate(reversed(opened)) if not _CONTROL.search(text[max(0, at - 200) : at])), 0)
    depth = outer + 1
    for piece in _BRACES.finditer(text, end, end + _AROUND):
        depth += {"{": 1, "}": -1}.get(piece[0], 0)
        if depth == 0:
            return piece.start()
    return end + _AROUND


def _in_braces(text: str, stops: re.Pattern[str]) -> Iterator[str]:
    for found in islice(_TRY.finditer(text), _MOST):
        body = bracket(text, found.end() - 1)
        if body is None or not _ASSERTS.search(_code(text[found.end() : body.end])):
            continue
        caught = _CATCH.match(text, body.end)
        handler = bracket(text, caught.end()) if caught else None
        if caught is None or handler is None or not stops.search((caught[1] or "").strip("()")):
            continue
        inside = _code(text[caught.end() + 1 : handler.end - 1])
        if not _SAYS.search(inside) and not _is_kept(text, (found.start(), found.end()), caught, handler.end):
            yield " ".join(text[body.end - 1 : handler.end].split())[:120]
    for found in islice(_RUN_CATCHING.finditer(text), _MOST):
        body = bracket(text, found.end())
        if body and _ASSERTS.search(text[found.end() : body.end]) and not _TAKEN.match(text, body.end):
            yield "runCatching"
    for found in _PROMISE.finditer(text):
        line = text[text.rfind("\n", 0, found.start()) + 1 : found.end()]
        if "expect(" in line or "assert" in line:
            yield " ".join(found[0].split())


def _in_ruby(text: str) -> Iterator[str]:
    for found in _RUBY.finditer(text[:64_000]):
        if _ASSERTS.search(found[2]) and not re.search(r"\braise\b|\bfail\b|\bflunk\b|expect", found[3]):
            yield "rescue Exception"
