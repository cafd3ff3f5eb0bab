"""Whether a change of a file takes from its tests, or replaces code by a comment that code stands here."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from supervisor.evidence.changes.edits import Edit
from supervisor.evidence.changes.rules import is_test
from supervisor.evidence.changes.switched_off import spaced
from supervisor.evidence.testing import weaker_assertion
from supervisor.regexes import compile_later

_ASSERTS = compile_later(
    r"^[ \t]*(?:assert\b|self\.assert\w+\(|self\.fail\(|with (?:pytest\.raises|self\.assertRaises)|"
    r"pytest\.(?:raises|fail)\(|expect\(|expect\.|should\.|assert[.(_!]|Assert\.|ASSERT_|EXPECT_|"
    r"t\.(?:Error|Fatal|Fail)|require\.|XCTAssert|\w+\.should)",
    re.MULTILINE,
)
_VACUOUS = compile_later(
    r"^[ \t]*(?:assert (?:True|1)\b(?! *[=!<>])|self\.assertTrue\(True\)|expect\(true\)\.to(?:Be|Equal)\(true\)|"
    r"expect\((\d|true|1)\)\.to(?:Be|Equal)\(\1\)|assert!\(true\)|assert\.ok\(true\)|assertTrue\(true\))",
    re.MULTILINE,
)
_SKIPS = compile_later(
    r"@pytest\.mark\.(?:skip|xfail)\b|@unittest\.(?:skip|expectedFailure)\b|\bpytest\.(?:skip|xfail)\(|self\.skipTest\(|"
    r"\b(?:it|test|describe|context)\.(?:skip|todo)\(|\bx(?:it|describe|test)\(|\bt\.Skip(?:f|Now)?\(|#\[ignore\b|"
    r"@(?:Disabled|Ignore)\b|\b(?:it|test|describe|context)\.only\(|\bf(?:it|describe)\("
)
_CONDITIONAL_SKIPS = compile_later(r"skip[_-]?(?:if|unless)|skipIf|skipUnless|importorskip|runIf", re.IGNORECASE)
_TESTS = compile_later(
    r"^[ \t]*(?:async )?def (test\w*)|^[ \t]*(?:it|test)\([ \t]{0,20}[\"'`]([^\"'`\n]{1,120})|^func (Test\w+)"
    r"|#\[test\]\s{0,20}(?:async )?fn (\w+)",
    re.MULTILINE,
)
_ALTERNATIVES = compile_later(
    r"\bin\s{0,4}[\[({]|\bor\b|\|\||\b(?:any_?of|one_?of|isin)\b|\.or\(|(?:toContain|anything|any)\(", re.IGNORECASE
)
_LITERAL = compile_later(r"-?\d+(?:\.\d+)?|\"[^\"\n]*\"|'[^'\n]*'|\b(?:True|False|None|true|false|null)\b")


ASKS_LESS = "asks less of a result than before"
LEFT_EARLY = "leaves a test before it checks anything"
_MANY = 3  # assertions that go together


def weakened_test(edit: Edit) -> str:
    """How a change weakens the tests of a file, as words that follow "it"; empty for most changes."""
    if not is_test(edit.path):
        return ""
    return next(_taken_from(edit.before, edit.after), "")


def _taken_from(before: str, after: str) -> Iterator[str]:
    if _count(_VACUOUS, after) > _count(_VACUOUS, before):
        yield "asserts what is always true"
    if _skips(after) > _skips(before):
        yield "leaves tests out of the run"
    if weaker_assertion(before, after):
        yield ASKS_LESS
    if _accepts_more(before, after):
        yield "accepts results that were errors"
    if _count(_LEFT_EARLY, after) > _count(_LEFT_EARLY, before):
        yield LEFT_EARLY
    if _commented_out(before, after):
        yield "comments assertions out"
    before_names, kept = _names(before), _names(after)
    if not before_names and _count(_ASSERTS, before) >= _MANY and not _count(_ASSERTS, after):
        yield "removes every assertion"
    gone = [name for name in before_names if name not in kept]
    if gone and len(kept) < len(before_names):
        yield f"removes the test {gone[0]}"
    if not gone and before.strip() and _count(_ASSERTS, after) < _count(_ASSERTS, before):
        yield "removes assertions"


def _accepts_more(before: str, after: str) -> bool:
    """Whether an assertion of one result becomes one of several: `== 404` and `in (200, 404)`."""
    old, new = before.splitlines(), after.splitlines()
    for one, other in zip(old, new, strict=False) if len(old) == len(new) else ():
        is_wider = _ALTERNATIVES.search(other) and not _ALTERNATIVES.search(one)
        wanted, accepted = ({*_LITERAL.findall(line)} for line in (one, other))
        if _ASSERTS.match(one) and is_wider and wanted and wanted < accepted:
            return True
    return False


def rewritten_expectation(edit: Edit) -> str:
    """The line of a test in which only a literal changed, so that the expectation fits the result; empty for most."""
    before, after = edit.before.splitlines(), edit.after.splitlines()
    if not is_test(edit.path) or len(before) != len(after):
        return ""
    for old, new in zip(before, after, strict=True):
        if old != new and _ASSERTS.match(old) and _LITERAL.sub("", old) == _LITERAL.sub("", new):
            return new.strip()
    return ""


def _count(pattern: re.Pattern[str], text: str) -> int:
    return sum(1 for _ in pattern.finditer(text))


def _skips(text: str) -> int:
    return sum(1 for line in text.splitlines() if _SKIPS.search(line) and not _CONDITIONAL_SKIPS.search(line))


def _names(text: str) -> list[str]:
    return [next(filter(None, found.groups())) for found in _TESTS.finditer(text)]


def _commented_out(before: str, after: str) -> bool:
    lines = {line.strip() for line in before.splitlines() if _ASSERTS.match(line)}
    comments = (_COMMENT.search(line) for line in after.splitlines())
    return any(comment is not None and comment[1].strip() in lines for comment in comments)


_COMMENT = compile_later(r"(?:^|\s|;)(?:#|//|--)\s{0,8}(\S[^\n]*)$")
_LEFT_EARLY = compile_later(
    r"\bdef test\w*\([^)\n]{0,200}\)[^:\n]{0,40}:\s{1,40}(?:return|pass)\b[ \t]*\n[ \t]+\S"
    r"|\b(?:it|test)\([ \t]{0,20}[\"'`][^\"'`\n]{1,120}[\"'`][^{\n]{0,80}\{\s{1,40}return;?[ \t]*\n\s{0,40}[^\s}]"
    r"|\bfunc Test\w+\([^)\n]{0,80}\)\s{0,4}\{\s{1,40}return[ \t]*\n\s{0,40}[^\s}]"
)
_HINTS = compile_later(
    r"ignore|noqa|pylint|pyright|mypy|nocheck|eslint|fail|cov|branches|functions|lines|statements|minimum|warnings"
    r"|\.{3}|…|unchanged|omitted|same as before|goes here|remain|rest of|existing|as before",
    re.IGNORECASE,
)


def may_weaken(text: str) -> bool:
    """Whether inserting a text may weaken the checks in a source file that is not a test: every text that switches a
    check off or replaces code has one of these words."""
    return _HINTS.search(text) is not None


_ELIDED = compile_later(
    spaced(
        r"^ (?:#|//|/\*|<!--|--|;) (?:\.{3}|…|\[\.{3}\])? (?:"
        r"(?:the[ ])?(?:rest|remainder)[ ]of[ ](?:the[ ]|your[ ])?\w(?:\w|[ ]){0,60}"
        r"|(?:existing|previous|other|remaining|unchanged|original)[ ]"
        r"(?:code|methods?|functions?|implementation|content|imports?|tests?|logic|lines?)\b[^\n]{0,60}"
        r"|same[ ]as[ ]before|(?:code|content|lines)[ ](?:omitted|unchanged)"
        r"|(?:keep|unchanged)[^\n]{0,20}existing[^\n]{0,40})"
        r" (?:\.{3}|…)? (?:\*/|-->)? $"
    ),
    re.IGNORECASE | re.MULTILINE,
)
_MARKED = compile_later(
    r"\.{3}|…|unchanged|omitted|same as before|goes here|remains|rest of|existing|as before", re.IGNORECASE
)


def elision(edit: Edit) -> str:
    """The comment in the new text that replaces removed code ("… rest of the code"); empty for most changes."""
    if len(edit.after) >= len(edit.before):
        return ""
    for found in _ELIDED.finditer(edit.after):
        line = found[0].strip()
        if line not in edit.before and _MARKED.search(line):
            return line
    return ""


def lost_share(edit: Edit) -> float:
    """The share of the old lines that the new text lacks, from 0 to 1; blank lines do not count."""
    before = Counter(line.strip() for line in edit.before.splitlines() if line.strip())
    after = Counter(line.strip() for line in edit.after.splitlines() if line.strip())
    total = sum(before.values())
    return sum((before - after).values()) / total if total else 0.0
