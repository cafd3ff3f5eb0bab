"""Assertions on the answers that a test has set itself: what is under test is replaced, and the stand-in is tested."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator
from typing import NamedTuple

from supervisor.evidence.testing.assertions import assertions
from supervisor.evidence.testing.reading import bracket, plainly


class StandIn(NamedTuple):
    """`name` is what the test replaced, as it calls it; `origin` the module, class or object that it belongs to; `text`
    the assertion on its answer."""

    name: str
    origin: str
    text: str


class _Replaced(NamedTuple):
    name: str
    origin: str
    start: int


_HEAD = re.compile(
    r"^[ \t]*(?:(?:async )?def \w+|(?:it|test|describe|context|specify|before\w*|beforeEach|let)\b[^\n]{0,200}|func \w+"
    r"|(?:public |private |protected |internal |async |override )*(?:fun|function|void|fn|Task)\s+[\w`][^\n]{0,200})",
    re.MULTILINE,
)
_PREPARES = re.compile(
    r"[ \t]*(?:\w+ )*?(?:describe|context|before\w*|let|\S*\s?\w*(?i:set_?up|fixture|prepare|init|before)\w*)\b"
)
# How frameworks set the answer of one method of one object: `who` and `what`, with a word that each text of it has.
_SETS = tuple(
    (hint, re.compile(pattern))
    for hint, pattern in (
        ("when(", r"\b(?:when|whenever)\(\s*(?P<who>\w+)\.(?P<what>\w+)\("),  # Mockito
        ("given(", r"\bgiven\(\s*(?P<who>\w+)\.(?P<what>\w+)\("),
        (").when(", r"\)\.when\(\s*(?P<who>\w+)\s*\)\s*\.(?P<what>\w+)\("),
        ("very", r"\b(?:co)?[eE]very\s*\{\s*(?P<who>\w+)\.(?P<what>\w+)\("),  # MockK
        ("to receive(", r"\b(?:allow|expect)\(\s*(?P<who>@?\w+)\s*\)\.to receive\(:(?P<what>\w+)\)"),  # RSpec
        ("method(", r"\$(?P<who>\w+)->(?:expects\([^\n]{0,80}?\)\s*->\s*)?method\(\s*['\"](?P<what>\w+)['\"]\s*\)"),
        ("->", r"\$(?P<who>\w+)->(?:shouldReceive|allows)\(\s*['\"](?P<what>\w+)['\"]\s*\)"),  # Mockery
        (".Setup(", r"\b(?P<who>\w+)\.Setup\(\s*\w+\s*=>\s*\w+\.(?P<what>\w+)\b"),  # Moq
        (".EXPECT(", r"\b(?P<who>\w+)\.EXPECT\(\)\s*\.(?P<what>\w+)\("),  # gomock
        (".On(", r"\b(?P<who>\w+)\.On\(\s*\"(?P<what>\w+)\""),  # testify
        (".expect_", r"\b(?P<who>\w+)\.expect_(?P<what>\w+)\(\)"),  # mockall
        ("spyOn(", r"\bspyOn\(\s*(?P<who>[\w.]+)\s*,\s*['\"](?P<what>\w+)['\"]\s*\)\s*\.mock(?:Return|Resolved|Impl)"),
        (".stub(", r"\b(?:sinon|sandbox)\.stub\(\s*(?P<who>[\w.]+)\s*,\s*['\"](?P<what>\w+)['\"]\s*\)"),
        ("setattr(", r"\bmonkeypatch\.setattr\(\s*(?P<who>[\w.]+)\s*,\s*['\"](?P<what>\w+)['\"]"),
        ("patch.object(", r"\bpatch\.object\(\s*(?P<who>[\w.]+)\s*,\s*['\"](?P<what>\w+)['\"]"),
        ("return_value", r"\b(?P<who>\w+)\.(?P<what>\w+)\.return_value\s*=[^=]"),
        ("side_effect", r"\b(?P<who>\w+)\.(?P<what>\w+)\.side_effect\s*=[^=]"),
    )
)
_NAMED = re.compile(
    r"\b(?:monkeypatch\.setattr|(?:mock\.)?patch|mocker\.patch)\(\s*['\"](?P<who>[\w.]+)\.(?P<what>\w+)['\"]"
    r"(?P<rest>[^\n]*)"
)
_AS = re.compile(r"\bas\s+(\w+)")
_ALONE = re.compile(
    r"^[ \t]*(\w+)\s*=\s*(?:mock\.)?(?:Mock|MagicMock|AsyncMock)\([^\n]*(?:return_value|side_effect)\s*=|^[ \t]*(\w+)"
    r"\.(?:return_value|side_effect)\s*=[^=]",
    re.MULTILINE,
)
_MODULE = re.compile(r"\b(?:vi|jest)\.(?:mock|doMock|unstable_mockModule)\(")
_KEEPS_REST = re.compile(r"\b(?:importActual|requireActual|importOriginal|createMockFromModule|original\()|\.\.\.")
_IMPORTED = (
    r"import\s+(?:type\s+)?(?P<names>[^;'\"]{1,600}?)\s+from\s+['\"]%s['\"]",
    r"(?:const|let|var)\s+(?P<names>\{[^}]{1,600}\}|\w+)\s*=\s*(?:await\s+import|require)\(\s*['\"]%s['\"]\s*\)",
)
_ANSWERS = re.compile(r"\bmock(?:Return|Resolved|Implementation|Rejected)\w*\(")
_MADE = re.compile(
    r"\b(\w+)\s*(?::\s*[\w<>?]+\s*)?=\s*(?:new |Mockito\.|\$this->)?(?:mock|spy|mockk|createMock|instance_double"
    r"|double|Mock)\s*(?:<([\w.]+)>)?"
    r"\(\s*([\w.\\:]+)?"
)
_WORDS = ("mock", "Mock", "patch", "setattr", *(hint for hint, _ in _SETS))
_MOST = 30  # replacements of one name
_TEST_WORDS = re.compile(r"(?i)(?:^test|[_.-]?(?:tests?|specs?|it|integration)$|tests?$|spec$|^i(?=[A-Z]))")


def asserted_stand_ins(text: str) -> list[StandIn]:
    """The assertions on calls whose answers the same text sets before."""
    replaced: dict[str, list[_Replaced]] = {}
    for each in _replaced(text):
        replaced.setdefault(each.name, []).append(each)
    if not replaced:
        return []
    heads = [found.start() for found in _HEAD.finditer(text)]
    found: list[StandIn] = []
    for asserted in assertions(text):
        subject = plainly(asserted.subject).replace("->", ".").replace(".Object.", ".").lstrip("$")
        whole = subject.partition("(")[0]
        if whole in replaced and _is_one_call(subject):
            in_force = [each for each in replaced[whole][:_MOST] if _is_in_force(each, asserted.start, heads, text)]
            found += [StandIn(whole, each.origin, " ".join(asserted.text.split())) for each in in_force[:1]]
    return found


def _is_in_force(replaced: _Replaced, place: int, heads: list[int], text: str) -> bool:
    """Whether a replacement holds at a place: it stands outside all tests, prepares them, or is in the same test."""
    since = text.rfind("\n", 0, replaced.start) + 1
    if text[since : since + 1] not in (" ", "\t", "@") or not heads:
        return True
    first = bisect(heads, replaced.start)
    if text[since:].lstrip()[:1] == "@":  # a decorator belongs to the test below it
        first += 1
    elif first == 0 or _PREPARES.match(text, heads[first - 1]):
        return True
    end = heads[first] if first < len(heads) else len(text)
    return replaced.start < place < end


def _is_one_call(subject: str) -> bool:
    """Whether an expression is one call and nothing that is done with its answer, but a field of it."""
    start = subject.find("(")
    inner = bracket(subject, start) if start >= 0 else None
    return inner is not None and "(" not in subject[inner.end :]


def _replaced(text: str) -> Iterator[_Replaced]:
    """What a text replaces, as it is called, and what each belongs to."""
    if not any(word in text for word in _WORDS):
        return
    made = {found[1]: (found[2] or found[3] or "") for found in _MADE.finditer(text)}
    for hint, pattern in _SETS:
        for found in pattern.finditer(text) if hint in text else ():
            who = found["who"]
            yield _Replaced(f"{who}.{found['what']}", made.get(who) or who, found.start())
    for found in _NAMED.finditer(text):
        origin = found["who"].rpartition(".")[2]
        yield _Replaced(f"{origin}.{found['what']}", origin, found.start())
        yield _Replaced(f"{found['who']}.{found['what']}", origin, found.start())
        bound = _AS.search(found["rest"])
        for name in (
            (bound[1],) if bound else (f"mock_{found['what']}", f"mocked_{found['what']}", f"{found['what']}_mock")
        ):
            yield _Replaced(name, origin, found.start())
    for found in _ALONE.finditer(text):
        name = found[1] or found[2]
        yield _Replaced(name, _patched_as(text, name), found.start(1 if found[1] else 2))
    for found in _MODULE.finditer(text):
        yield from (_Replaced(name, origin, found.start()) for name, origin in _of_module(text, found))


def _patched_as(text: str, name: str) -> str:
    """The module of the function that a decorator replaces by an argument `mock_function`."""
    for found in _NAMED.finditer(text):
        if name.endswith(found["what"]) or found["what"] in name:
            return found["who"].rpartition(".")[2]
    return ""


def _of_module(text: str, found: re.Match[str]) -> Iterator[tuple[str, str]]:
    """The names that a test imports from a module which it replaces whole."""
    given = bracket(text, found.end() - 1)
    if given is None or not given.parts or given.parts[0][:1] not in "'\"`":
        return
    module = given.parts[0].strip("'\"`")
    factory = ",".join(given.parts[1:])
    if _KEEPS_REST.search(factory) or not (factory or _ANSWERS.search(text)):
        return
    origin = re.sub(r"\.[jt]sx?$", "", module).rpartition("/")[2]
    for pattern in _IMPORTED:
        for imported in re.finditer(pattern % re.escape(module), text):
            yield from ((name, origin) for name in _bound(imported["names"], factory, text))


def _bound(names: str, factory: str, text: str) -> Iterator[str]:
    outer, _, inner = names.partition("{")
    members = [part.split(" as ") for part in inner.rstrip("} \n").split(",") if part.strip()]
    for member in members:
        name, own = member[0].strip(), member[-1].strip()
        is_set = (
            re.search(rf"\b{re.escape(name)}\b", factory)
            if factory
            else re.search(rf"\b{re.escape(own)}\b\)?\.mock|mocked\({re.escape(own)}\)", text)
        )
        if is_set:
            yield own
    for part in outer.split(","):
        if own := part.replace("* as", "").strip():
            yield own
            yield from (f"{own}.{key}" for key in re.findall(r"\b(\w+)\s*:", factory)[:100])


def is_named_after(path: str, stand_in: StandIn) -> bool:
    """Whether a test file has the name of what it replaced: `discount.test.ts` and `../discount`."""
    stem = path.rpartition("/")[2]
    stem = re.sub(r"\.(?:test|spec|cy|e2e|unit)(?=\.)", "", stem).partition(".")[0]
    for _ in range(2):
        stem = _TEST_WORDS.sub("", stem)
    wanted = _letters(stem)
    own = {_letters(each) for each in (stand_in.origin.rpartition(".")[2].rpartition("\\")[2], stand_in.name)}
    own |= {_letters(stand_in.name.rpartition(".")[2]), _letters(re.sub(r"^I(?=[A-Z])", "", stand_in.origin))}
    return bool(wanted) and wanted in own


def _letters(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", re.sub(r"(?i)\.class$|::class$", "", text).lower())
