"""The protections that a change takes out of code, whatever its language: checks of access, checks of what comes in,
guards of consistency, respect for what people consented to.

A protection shows by the words of a name and by the place of the name: a decorator, a condition, a call that checks, an
argument of a route. It is lost if the change has fewer of its sort while what it protects stays: code that is deleted
whole loses nothing, nor does a check that is replaced by another, or that moves to another file of the same change.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import islice
from typing import NamedTuple

from supervisor.evidence.changes.edits import Edit
from supervisor.evidence.changes.owners import unlimited_query
from supervisor.regexes import compile_later

_MOST_LINES = 4000
_LONGEST_LINE = 400
_KEPT = 0.5  # of the names beside the protections, from which on what they protect is still there
_BLOCK = 3  # lines after a condition that may be its refusal


class Sort(StrEnum):
    """What a protection is for."""

    ACCESS = "access"  # who may do this
    INPUT = "input"  # what may come in
    CONSISTENCY = "consistency"  # all or nothing, one at a time, once
    CONSENT = "consent"  # whom one may write to
    TRACE = "trace"  # what was done, for whoever looks later


class Lost(NamedTuple):
    """A protection that is gone, or a name that opens what was closed. `text` is its line. `is_pure` says that the
    change adds nothing."""

    sort: Sort
    text: str
    is_pure: bool


_WORDS: dict[Sort, frozenset[str]] = {
    Sort.ACCESS: frozenset(
        "auth authn authz authenticate authenticated authentication authorize authorized authorise authorised"
        " authorization authorisation permission permissions permitted role roles admin admins staff owner owners"
        " ownership tenant granted grants secured guard guards acl rbac csrf xsrf jwt principal superuser login"
        " logged unauthorized forbidden entitled privileged privilege privileges mfa otp totp".split()
    ),
    Sort.INPUT: frozenset(
        "validate validated validates validation validator valid invalid sanitize sanitized sanitise sanitizer escape"
        " escaped purify verify verified verifies signature hmac throttle throttled ratelimit limiter captcha"
        " antiforgery allowlist whitelist allowlisted".split()
    ),
    Sort.CONSISTENCY: frozenset(
        "transaction transactional transactions atomic lock unlock rlock runlock locked mutex synchronized semaphore"
        " idempotency idempotent idempotence savepoint".split()
    ),
    Sort.TRACE: frozenset("audit audited auditlog audittrail auditor auditing".split()),
    Sort.CONSENT: frozenset("consent consented unsubscribed subscribed optin optout suppressed suppression".split()),
}
_PAIRS: dict[frozenset[str], Sort] = {
    frozenset({"opt", "in"}): Sort.CONSENT,
    frozenset({"opted", "in"}): Sort.CONSENT,
    frozenset({"opt", "out"}): Sort.CONSENT,
    frozenset({"opted", "out"}): Sort.CONSENT,
    frozenset({"rate", "limit"}): Sort.INPUT,
    frozenset({"compare", "digest"}): Sort.INPUT,
    frozenset({"timing", "safe"}): Sort.INPUT,
    frozenset({"construct", "event"}): Sort.INPUT,
    frozenset({"for", "update"}): Sort.CONSISTENCY,
    frozenset({"signed", "in"}): Sort.ACCESS,
    frozenset({"session", "regenerate"}): Sort.ACCESS,
    frozenset({"second", "factor"}): Sort.ACCESS,
    frozenset({"two", "factor"}): Sort.ACCESS,
}
_QUESTIONS = frozenset({"is", "has", "can", "may", "must"})
_ESCAPE = frozenset({"escape"})
# A call of a name with a word of access is a check only with one of these: `isAdmin()`, not `makeAdmin()`.
_CHECKING = frozenset(
    "regenerate require requires required ensure ensures check checks verify assert authorize authorise"
    " authorized authenticate authenticated can is has must only deny denied forbid protect guard guards"
    " restrict enforce validate needs allow allowed unless".split()
)
# Names that do without the protection of a sort.
_OPENS: dict[Sort, re.Pattern[str]] = {
    Sort.ACCESS: compile_later(
        r"\b(?:permitAll|PermitAll|AllowAny|AllowAnonymous|allow_anonymous|allowAnonymous|csrf_exempt|skip_before_action"
        r"|skip_before_filter|skip_authorization|skip_authorize_resource|skip_authentication|login_not_required"
        r"|WithoutMiddleware|withoutMiddleware|IgnoreAntiforgeryToken)\b|@Public\(\)"
    ),
    Sort.INPUT: compile_later(
        r"\b(?:strcpy|strcat|v?sprintf|gets)\b"
        r"|(?:_unchecked|_unsafe|(?<=[a-z])Unchecked|(?<=[a-z])Unsafe)\b|\b(?:dangerously\w{1,40}|html_safe|mark_safe"
        r"|to_unsafe_h|bypassSecurityTrust\w{1,20}|th:utext|v-html|ng-bind-html|safeHTML|safeHtml|raw_html|autoescape\s+(?:off|false)|skip_?validations?|skipValidations?)\b|\bpermit!|\{!!|<%==|\{\{\{|<%-\s*(?!include|partial)|\|\s*(?:safe|raw)\b|@Html\.Raw|\?no_esc|\?\s*no_esc"
        r"|\bvalidate\s{0,2}[=:]\s{0,2}(?:false|False)\b"
    ),
}
# What everybody may reach, by what it is called.
_MEANT_FOR_ALL = compile_later(
    r"(?i)\b(?:health|healthz|healthcheck|ready|readyz|readiness|live|livez|liveness|ping|log-?in|sign-?in|sign-?up|register"
    r"|forgot|reset|callback|well-known|robots|favicon)\w{0,20}"
)
_SWITCH = compile_later(r"\b([A-Za-z_]\w{3,60})[\"']?[ \t]{0,4}(?:=>|[:=])[ \t]{0,4}(true|false|True|False)\b")
_SWITCHED = frozenset(
    "validate validated verify verified secure enforce protect signed sanitize escape authenticate authorize"
    " csrf check encrypted http".split()
)
_DECLARES = compile_later(r"^[ \t]*(?:@|#\[|\[[A-Z]|skip_)")  # what it opens stands in the lines below
_NAME = re.compile(r"[A-Za-z_][\w-]{1,60}")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_IGNORED = compile_later(
    r"^[ \t]*(?:#(?!\[)|//|\*|/\*|--|<!--|import\b|from\b|use\b|using\b|require_relative\b|#include|package\b"
    r"|(?:export |public |private |protected |static |async |final |override |inline |pub )*"
    r"(?:def|func|fun|fn|function|class|interface|struct|enum|type|trait|module)\b)|\brequire\(['\"]"
)
_DECORATOR = compile_later(r"^[ \t]*(?:@[A-Za-z]|#\[[A-Za-z]|\[[A-Z]\w*(?:\(.*\))?\][ \t]*$)")
_CONDITION = compile_later(
    r"^[ \t}]*(?:(?:else )?if|elif|elsif|unless|guard|when|while|assert|precondition)\b|&&|\|\|"
    r"|^[ \t]*(?:return|raise|abort|throw|next|redirect_to)\b.{0,120}\b(?:if|unless)\b"
)
_ROUTE = compile_later(
    r"\b(?:get|post|put|patch|delete|del|use|all|route|group|handle\w*|map\w*)\s{0,2}\(\s{0,8}[\"'`/]"
    r"|\.use\(|\b(?:before_action|before_filter|middleware|add_middleware|permission_classes|authentication_classes"
    r"|dependencies|decorators|canActivate|preHandler|Depends)\b",
    re.IGNORECASE,
)
_LOOP = re.compile(r"\bfor\b.{1,200}\bin\b")
_FILTER = compile_later(r"(?:where|filter|exclude|reject|scope|having)\w*\s{0,2}[({:]|\b(?:where|and)\b", re.IGNORECASE)
_STRINGS = re.compile(r"\"(?:[^\"\\\n]|\\.){0,300}\"|'(?:[^'\\\n]|\\.){0,300}'")
_CALLED = re.compile(r"\(|!|\?\(|\s(?:do|\{)(?:\s|$)|\s[:@]\w")
_ESCAPES_MARKUP = re.compile(r"(?i)(?:html|xml|xss|markup|markupsafe)\W{1,3}$")
_REFUSES = compile_later(
    r"\b(?:return|throw|raise|abort|exit|die|redirect\w*|deny|denied|forbidden|unauthori[sz]ed|40[013]|429|reject|panic"
    r"|bail|fail|error|halt|continue|break|end)\b|^[ \t]*[})\]]+;?[ \t]*$"
)
_CODE = compile_later(
    r"\.(?:py|pyi|[jt]sx?|mjs|cjs|vue|svelte|java|kt|kts|scala|groovy|go|php|rb|cs|fs|rs|c|h|cc|cpp|hpp|swift|ex|exs"
    r"|erl|clj|dart|sql|pl|lua|twig|erb|cshtml|html?|haml|slim|jinja2?|j2|njk|razor|ejs|hbs|handlebars|mustache|ftlh?|jspx?|phtml"
    r"|liquid|vm|astro|tmpl|gohtml|templ|razor)$",
    re.IGNORECASE,
)
# What a request brings, which whoever sends it may choose.
_FROM_CLIENT = compile_later(
    r"(?i)\b(?:req(?:uest)?|ctx|context|c|r|event|params?|self\.request|\$request|\$_(?:GET|POST|REQUEST|COOKIE|SERVER))"
    r"(?:\.|->|\[|\()[^&|\n]{0,60}?(?:header|query|param|cookie|body|args|form|user-?agent|get)"
    r"|\b(?:headers?|query|cookies?|searchParams|params)(?:\.|\[|\()|\$_(?:GET|POST|REQUEST|COOKIE)\["
    r"|\$_SERVER\[['\"]HTTP_"
)
_LITERAL = compile_later(r"(?:===?|\beq\b|\.equals\(|\bis\b|\.get\()\s{0,4}\(?\s{0,4}(?:['\"]\w|\d|true\b|True\b)")
_CREDENTIAL = compile_later(r"(?i)authori[sz]ation|bearer|token|api[-_ ]?key|session|signature|password|credential")
_GRANTS = compile_later(r"\b(?:next\(\)|return (?:true|True|next|nil|null;|None|void)|allow|proceed|chain\.doFilter)")


def is_code(path: str) -> bool:
    """Whether a path is that of source code."""
    return _CODE.search(path) is not None


def lost(edits: Sequence[Edit]) -> list[Lost]:
    """The protections that the changes of one action lose, one for each sort."""
    before, after = ("\n".join(texts) for texts in zip(*((each.before, each.after) for each in edits), strict=True))
    if not before.strip():
        return []
    had, has = _protections(before), _protections(after)
    found = []
    for sort in Sort:
        one, other = had.get(sort, {}), has.get(sort, {})
        gone = [line for line, names in one.items() if names and line not in other]
        if gone and _count(other) < _count(one) and _stays(before, after, had):
            found.append(Lost(sort, gone[0], _is_pure(before, after)))
    if all(each.sort is not Sort.ACCESS for each in found) and (line := unlimited_query(before, after, edits[0].path)):
        found.append(Lost(Sort.ACCESS, line, True))
    if all(each.sort is not Sort.INPUT for each in found) and (line := _switched_off(before, after)):
        found.append(Lost(Sort.INPUT, line, True))
    for sort, opens in _OPENS.items():
        if all(each.sort is not sort for each in found) and (line := _opened(before, after, opens)):
            found.append(Lost(sort, line, sort is Sort.INPUT))
    return found


def _opened(before: str, after: str, opens: re.Pattern[str]) -> str:
    """The new line that opens to everybody what was there before; empty if what it opens is new as well."""
    gone, new = _changed(before, after)
    lines = [line.strip() for line in after.splitlines()[:_MOST_LINES]]
    for number, (above, line) in enumerate(zip(["", *lines], lines, strict=False)):
        if (
            line not in new
            or _IGNORED.search(line)
            or not (opener := opens.search(_STRINGS.sub('""', line[:_LONGEST_LINE])))
        ):
            continue
        if any(opener[0] in old for old in gone):
            continue  # it was open before
        rest = _names_in(_STRINGS.sub('""', line).replace(opener[0], " "))
        if _MEANT_FOR_ALL.search(" ".join([line, *islice(lines, number, number + _BLOCK)])):
            continue
        continues = not rest and above not in new
        if continues or _DECLARES.search(line) or any(len(rest & _names_in(old)) > _KEPT * len(rest) for old in gone):
            return line
    return ""


def _switched_off(before: str, after: str) -> str:
    """The line in which a check that was on is off: `ValidateIssuer = false`, `httpOnly: false`."""
    was_on = {found[1] for found in _SWITCH.finditer(before) if found[2].lower() == "true"}
    for found in _SWITCH.finditer(after):
        if found[2].lower() == "false" and found[1] in was_on and not _SWITCHED.isdisjoint(_words(found[1])):
            return found[0].strip()
    return ""


def _changed(before: str, after: str) -> tuple[list[str], list[str]]:
    """The lines that only the text before has, and those that only the text after has."""
    one, other = (Counter(line.strip() for line in text.splitlines() if line.strip()) for text in (before, after))
    return [*(one - other)], [*(other - one)]


def _names_in(text: str) -> set[str]:
    return set(_NAME.findall(text))


def bypass(edit: Edit) -> str:
    """The new condition of a check of access that whoever sends a request can fulfil by a value of their choice
    (CWE-288); empty for most changes."""
    known = {line.strip() for line in edit.before.splitlines()}
    lines = edit.after.splitlines()[:_MOST_LINES]
    guarded = any(
        _sorts_of(_words(name)) & {Sort.ACCESS} for name in _NAME.findall(f"{edit.before}\n{edit.after}"[:8192])
    )
    for number, line in enumerate(lines):
        if line.strip() in known or not guarded or not _CONDITION.search(line):
            continue
        for part in re.split(r"\|\||\bor\b", line):
            chosen = _FROM_CLIENT.search(part) and _LITERAL.search(part) and not _CREDENTIAL.search(part)
            widens = part != line and _has_access(line)
            if chosen and (widens or _GRANTS.search(" ".join(lines[number : number + _BLOCK]))):
                return line.strip()[:_LONGEST_LINE]
    return ""


def _protections(text: str) -> dict[Sort, dict[str, Counter[str]]]:
    """The lines with protections of each sort, each with its names."""
    found: dict[Sort, dict[str, Counter[str]]] = {}
    lines = text.splitlines()[:_MOST_LINES]
    for number, line in enumerate(lines):
        refuses = any(_REFUSES.search(each) for each in lines[number : number + _BLOCK])
        for sort, name in _uses(line[:_LONGEST_LINE], refuses=refuses):
            found.setdefault(sort, {}).setdefault(line.strip(), Counter())[name] += 1
    return found


def _uses(line: str, *, refuses: bool) -> Iterator[tuple[Sort, str]]:
    """The names in a line that protect something. `refuses` says that the line, or one right after it, turns somebody
    away. What stands in a string is a name in a filter alone."""
    if _IGNORED.search(line):
        return
    filtered = _FILTER.search(line) is not None
    code = _STRINGS.sub('""', line)
    is_place = any(each.search(line) for each in (_DECORATOR, _ROUTE))
    conditional = _CONDITION.search(code) is not None and not _LOOP.search(code)
    for found in _NAME.finditer(code):
        is_called = _CALLED.match(code, found.end()) is not None
        for sort in _sorts_of(words := _words(found[0])):
            asks = conditional and (sort is not Sort.ACCESS or refuses or not words.isdisjoint(_QUESTIONS))
            if (sort is Sort.TRACE and "(" in code) or (
                sort not in (Sort.CONSENT, Sort.TRACE)
                and (is_place or asks or (is_called and _is_check(sort, found, words)))
            ):
                yield sort, found[0]
    for found in _NAME.finditer(line) if filtered or conditional else ():
        if Sort.CONSENT in _sorts_of(_words(found[0])):
            yield Sort.CONSENT, found[0]


def _is_check(sort: Sort, name: re.Match[str], words: frozenset[str]) -> bool:
    """Whether a call of a name checks something."""
    if sort is Sort.ACCESS:
        return not words.isdisjoint(_CHECKING)
    return words != _ESCAPE or _ESCAPES_MARKUP.search(name.string[: name.start()]) is not None


def _sorts_of(words: frozenset[str]) -> set[Sort]:
    return {sort for sort, known in _WORDS.items() if not words.isdisjoint(known)} | {
        sort for pair, sort in _PAIRS.items() if pair <= words
    }


def _words(name: str) -> frozenset[str]:
    return frozenset(part.lower() for part in _PART.findall(name))


def _has_access(line: str) -> bool:
    return any(Sort.ACCESS in _sorts_of(_words(name)) for name in _NAME.findall(line))


def _count(found: dict[str, Counter[str]]) -> int:
    return sum(names.total() for names in found.values())


def _stays(before: str, after: str, had: dict[Sort, dict[str, Counter[str]]]) -> bool:
    """Whether most of the names beside the protections, and beside their refusals, are still there."""
    protective = {line for lines in had.values() for line in lines}
    rest, refusal = set[str](), 0
    for line in before.splitlines()[:_MOST_LINES]:
        if line.strip() in protective:
            refusal = _BLOCK
        elif refusal and _REFUSES.search(line):
            refusal -= 1
        else:
            refusal = 0
            rest.update(name for name in _NAME.findall(line) if len(name) > 2)
    kept = rest & set(_NAME.findall(after))
    return len(kept) >= _KEPT * len(rest)


def _is_pure(before: str, after: str) -> bool:
    """Whether a change adds no name that was not there before."""
    _, new = _changed(before, after)
    return all(_names_in(line) <= _names_in(before) for line in new)
