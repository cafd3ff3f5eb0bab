"""Rules that protect files from changes, read from plain sentences.

"Do not modify the tests or pyproject.toml", "docs/ is read-only", "never edit anything outside src/": each becomes a
predicate over paths. Sentences that forbid no change are ignored.
"""

from __future__ import annotations

import fnmatch
import functools
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

import re2

from supervisor.action import Action, Context
from supervisor.evidence import reader
from supervisor.evidence.reading.paths import resolve, within

_MOST_CHARACTERS = 16 * 1024
_LONGEST_CLAUSE = 400

_CHANGE = (
    r"(?:modify|modifying|change|changing|edit|editing|touch|touching|alter|altering|delete|deleting|remove|removing|"
    r"overwrite|overwriting|rewrite|rewriting|update|updating|write to|writing to|rename|renaming|tamper with)"
)
_FORBIDS = re2.compile(
    rf"(?i)\b(?:do not|don't|never|must not|may not|mustn't|cannot|can't|avoid|without|not allowed to|refrain from)"
    rf"\s+(?:\w+\s+)?{_CHANGE}(?:\s*(?:,|or|and|/)+\s*{_CHANGE})*\b[:\s]*(.*)"
)
_PROTECTS = re2.compile(
    r"(?i)^(.*?)\s+(?:is|are|must be|must stay|must remain|should be|should stay|should remain|stays?|remains?)\s+"
    r"(?:read-only|readonly|off[- ]limits|protected|frozen|unchanged|untouched|immutable)\b"
)
_LEAVES = re2.compile(
    r"(?i)\b(?:leave|keep)\s+(.*?)\s+(?:alone|unchanged|untouched|unmodified|as (?:it is|they are|is))\b"
)
_HINTS = re2.compile(  # every rule matches this, so most texts are searched only once
    r"(?i)\b(?:not|don't|never|mustn't|cannot|can't|avoid|without|refrain|read-?only|off[- ]limits|protected|frozen|"
    r"leave|keep|unchanged|untouched|immutable)\b"
)
_BUT = re2.compile(r"(?i)\b(?:except(?: for)?|other than|unless|apart from|outside(?: of)?|besides|but not)\b")
_SENTENCE = re.compile(r"[.!?;](?:\s+|$)|\n+")  # linear, since it cannot backtrack; `re` splits faster
_TRIM = "`'\"\u2018\u2019\u201c\u201d()[]{},:;<>"


_Sort = Callable[[str], bool]  # whether a path is of one kind


def _below(directories: str) -> _Sort:
    """Paths below a directory of one of these names."""
    wanted = frozenset(directories.split())
    return lambda path: not wanted.isdisjoint(path.lower().split("/")[:-1])


def _named(patterns: str) -> _Sort:
    """Files whose base name matches one of these patterns."""
    wanted = patterns.split()
    return lambda path: any(fnmatch.fnmatchcase(path.rpartition("/")[2].lower(), pattern) for pattern in wanted)


def _either(*sorts: _Sort) -> _Sort:
    return lambda path: any(holds(path) for holds in sorts)


_in_tests = _below("tests __tests__ spec specs __snapshots__ fixtures")
_named_like_code = _named(
    "*.c *.cc *.cpp *.cs *.go *.java *.js *.jsx *.kt *.mjs *.php *.py *.rb *.rs *.swift *.ts *.tsx"
)
_named_like_test = _named(
    "test_*.* *_test.* *.test.* *.spec.* *_spec.* tests.* conftest.py *test.java *tests.java *test.kt *tests.cs "
    "*tests.swift"
)
_named_configuration = _named(
    "*.cfg *.ini *.toml *.conf *.yml *.yaml setup.py package.json tsconfig*.json makefile *.config.js *.config.ts "
    "*.config.mjs .editorconfig .eslintrc* .prettierrc* .env* dockerfile"
)


def is_test(path: str) -> bool:
    """Whether a path is a test. `test/` and `testing/` count only at the top or below `src/`; deeper directories of
    that name are often product code."""
    parts = path.lower().split("/")[:-1]
    named = _named_like_test(path) and _named_like_code(path)
    return _in_tests(path) or named or parts[:1] in (["test"], ["testing"]) or parts[:2] == ["src", "test"]


_PIPELINES = (".github/", ".gitlab-ci", ".circleci/", "jenkinsfile")
# The kinds of file that sentences mention, by the words for them.
_SORTS: tuple[tuple[str, _Sort], ...] = (
    (r"tests?|test[- ]?(?:files?|cases?|suites?)|specs?|fixtures", is_test),
    (r"configs?|configurations?|settings", _named_configuration),
    (r"docs|documentation", _either(_below("docs doc"), _named("*.md *.rst"))),
    (r"migrations?", _below("migrations migrate alembic")),
    (r"lock[- ]?files?", _named("*.lock package-lock.json pnpm-lock.yaml go.sum")),
    (r"ci|workflows?|pipelines?", lambda path: path.startswith(_PIPELINES)),
    (r"vendor|vendored|third[- ]party", _below("vendor third_party thirdparty node_modules")),
    (r"generated", _either(_below("generated gen"), _named("*_pb2.py *.pb.go *.g.dart"))),
    (r"licen[cs]es?", _named("license* licence* copying*")),
)
_SORT_WORDS = tuple((re2.compile(rf"(?i)\b(?:{words})\b"), holds) for words, holds in _SORTS)
_ANYTHING = re2.compile(r"(?i)\b(?:anything|any (?:other )?files?|files|code|everything)\b")


@dataclass(frozen=True, slots=True)
class Rule:
    """One sentence that protects files: the files or the sorts of file that it names, or all files except some."""

    sentence: str
    paths: tuple[str, ...]
    sorts: tuple[_Sort, ...]
    everything: bool = False
    excepted: tuple[str, ...] = ()

    def protects(self, path: str) -> bool:
        """Whether a rule protects a path, which is relative to the workspace."""
        if any(_names(each, path) for each in self.excepted):
            return False
        return (
            self.everything
            or any(_names(each, path) for each in self.paths)
            or any(holds(path) for holds in self.sorts)
        )


@reader
def protected_files(action: Action, context: Context) -> tuple[Rule, ...]:
    """The rules in the fact `rules` (a text or a list of texts) and in the task that forbid changing files."""
    return tuple([rule for text in _stated(context) for rule in _rules_in(text, context.workspace)])


def protects_files(context: Context) -> bool:
    """Whether any rule protects files."""
    return any(_rules_in(text, context.workspace) for text in _stated(context))


def _stated(context: Context) -> Iterator[str]:
    stated = context.facts.get("rules")
    listed = stated if isinstance(stated, Collection) and not isinstance(stated, str) else [stated]
    return (text[:_MOST_CHARACTERS] for text in (*listed, context.task) if isinstance(text, str) and text)


@functools.lru_cache(maxsize=64)
def _rules_in(text: str, workspace: str | None) -> tuple[Rule, ...]:
    """The rules in a text. They are cached, because all actions of a session have the same text."""
    text = text.replace("\u2019", "'")
    if not _HINTS.search(text):
        return ()
    clauses = ((sentence, _protected_clause(sentence)) for sentence in _SENTENCE.split(text) if _HINTS.search(sentence))
    rules = (_rule(sentence.strip(), clause[:_LONGEST_CLAUSE], workspace) for sentence, clause in clauses if clause)
    return tuple([rule for rule in rules if rule])


def _protected_clause(sentence: str) -> str:
    for pattern in (_FORBIDS, _LEAVES, _PROTECTS):
        found = pattern.search(sentence)
        if found:
            return str(found.group(1))
    return ""


def _rule(sentence: str, clause: str, workspace: str | None) -> Rule | None:
    named, *excepted = _BUT.split(clause, maxsplit=1)
    but = tuple(_paths_in(" ".join(excepted), workspace))
    words = " ".join(word for word in named.split() if not _is_path(word.strip(_TRIM)))
    sorts = tuple(holds for pattern, holds in _SORT_WORDS if pattern.search(words))
    paths = tuple(_paths_in(named, workspace))
    everything = bool(but) and not sorts and not paths and bool(_ANYTHING.search(words))
    return Rule(sentence, paths, sorts, everything, but) if paths or sorts or everything else None


def _paths_in(text: str, workspace: str | None) -> Iterator[str]:
    for word in text.split():
        name = word.strip(_TRIM).rstrip(".") if not word.startswith(".") else word.strip(_TRIM)
        if _is_path(name):
            yield from_workspace(resolve(name.rstrip("/*") or name), workspace)


def _is_path(word: str) -> bool:
    """Whether a word is a file or directory: `src/`, `*.lock`, `pyproject.toml`, `.env`; not `e.g.` or `and/or`."""
    head, dot, tail = word.rpartition(".")
    if "://" in word or word.lower() in ("e.g", "i.e", "etc", "and/or"):
        return False
    if word.endswith("/") or word.startswith(("/", "./", "~/", "*.", ".")):
        return len(word) > 1 and any(letter.isalnum() for letter in word)
    return bool(dot and head and 0 < len(tail) <= 5 and tail.isalnum() and not tail.isdigit()) or "/" in word.strip("/")


def from_workspace(path: str, workspace: str | None) -> str:
    """A resolved path relative to the workspace; unchanged if it is not below the workspace."""
    base = resolve(workspace) if workspace else ""
    return path[len(base) :].lstrip("/") if base and within(path, base) and path != base else path


def _names(pattern: str, path: str) -> bool:
    """Whether a rule's pattern covers a path: the path itself, a path below it, or any file of a bare name."""
    if "*" in pattern:
        return fnmatch.fnmatchcase(path, pattern) or fnmatch.fnmatchcase(path.rpartition("/")[2], pattern)
    return within(path, pattern) or ("/" not in pattern and pattern in path.split("/"))
