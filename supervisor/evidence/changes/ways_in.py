"""Ways into a program that new code opens beside its checks: an identity that whoever asks may choose, a handler of
errors that lets in, and doors without a check."""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Iterator

from supervisor.evidence.changes.edits import Edit
from supervisor.regexes import compile_later

_MOST_LINES = 4000
_LONGEST_LINE = 400
_NEAR = 6  # lines of a handler that may let in
# What every line that a pattern below matches contains: most lines do not, and this is found faster.
_OF_USERS = ("ser", "sign_in", "force_login", "auto_login", "loginAs", "impersonate")
_OF_HANDLERS = (
    *("catch", "except", "rescue", "onFailure", "getOrElse", "recover()", "error", "exceptionally("),
    *("err ", "err!", "err\t", "Err(", "unwrap_or(", "onErrorReturn"),
)
_OF_CONSOLES = ("mount", ".use(", "register_blueprint(")

_CLIENT = (
    r"(?:\b(?:req(?:uest)?|ctx|context|c|r|event|self\.request|\$request)(?:\.|->|\[|\()[^;\n]{0,60}?"
    r"(?:headers?|query|param|cookie|body|args|form|META|GET|POST|input)|\b(?:headers|params|query|cookies)[.\[(]"
    r"|\$_(?:GET|POST|REQUEST|COOKIE)\[|\$_SERVER\[['\"]HTTP_)"
)
# What becomes the user of a request, or a session of somebody.
_BECOMES = compile_later(
    rf"\b(?:request|req|ctx|context|c|self|g|session|res\.locals|event\.locals|locals)(?:\.|\[['\"]|->)"
    rf"(?:session[.\['\"]{{1,3}})?(?:_?current_?)?[uU]ser(?:_?[iI]d)?['\"\]]{{0,2}}\s{{0,4}}=(?!=)[^\n]{{0,200}}?{_CLIENT}"
    rf"|@current_user\s{{0,4}}(?:\|\|)?=[^=\n]{{0,120}}?{_CLIENT}"
    rf"|\bsession\[[:'\"]user_?id['\"]?\]\s{{0,4}}=(?!=)[^\n]{{0,120}}?{_CLIENT}"
    rf"|\$_SESSION\[['\"]\w*user\w*['\"]\]\s{{0,4}}=(?!=)[^\n]{{0,120}}?{_CLIENT}"
    rf"|\b(?:loginUsingId|sign_in|force_login|login_user|auto_login|loginAs|impersonate)\b\s{{0,2}}\(?[^\n]{{0,120}}?{_CLIENT}",
)
_PROVES = re.compile(
    r"(?i)verif|decod|jwt|token|signature|signed|password|passwd|credential|authenticat|check|valid|session_?id|api_?key"
    r"|otp|code\b|bearer|authoriz|is_?admin|can\b|policy|permission|staff|superuser"
)
_HANDLES = compile_later(
    r"\bcatch\b|^\s*(?:except|rescue)\b|\.catch\(|\bonFailure\b|\.getOrElse\b|\brecover\(\)|\bon_?error\b|\.exceptionally\("
    r"|\bif\s+err(?:or)?\s*!=\s*nil|\bErr\(\w*\)\s*=>|\.unwrap_or\(|\.onErrorReturn"
)
_GRANTS = compile_later(
    r"\breturn\s+(?:True|true|\(true|nil\s*$|next\(|allow|Allow|ALLOW|Ok\(true\)|AuthorizationResult\.Success)|\.Succeed\("
    r"|\bnext\(\s*\)|\b(?:allowed|authorized|granted|is_?valid|verified|permitted|ok)\w{0,12}\s*=\s*(?:true|True)\b"
    r"|chain\.doFilter|\$next\(|=>\s*true\b|=>\s*Ok\(true|unwrap_or\(true|getOrElse\s*\{\s*true|\{\s*true\s*\}\s*$|^\s*true\s*$"
    r"|onErrorReturn\(\s*true|exceptionally\([^)\n]{0,40}true"
)
_CHECKS_ACCESS = compile_later(
    r"(?i)authori[sz]|permission|access(?!ib)|\bacl\b|rbac|entitle|allowed\b|forbid|is_?admin|has_?role|grant|signature|captcha"
    r"|sanction|authenticat|verify(?!_mode)|can_?(?:view|edit|read|access|delete|manage)|is_?(?:owner|member|allowed|trusted)|\.Succeed\(requirement"
)
# What turns somebody away when it says yes.
_TURNS_AWAY = compile_later(
    r"(?i)expired|revoked|blocked|banned|locked|denied|suspicious|spam|invalid|missing|require[ds]|needs|should|blacklist|denylist|disabled"
)
_CAUGHT = compile_later(r"\b\w*(?:Denied|Error|Exception|Forbidden)\b")  # an error's name; it checks nobody
_FUNCTION = compile_later(
    r"^\s*(?:export |public |private |protected |async |static |override |pub |def |func |fn |fun )"
)


def identity_from_client(edit: Edit) -> str:
    """The new line with which whoever sends a request becomes a user of their choice (CWE-290); empty for most."""
    known = {line.strip() for line in edit.before.splitlines()}
    lines = edit.after.splitlines()[:_MOST_LINES]
    for number in _lines_with(_OF_USERS, lines):
        line = lines[number].strip()[:_LONGEST_LINE]
        if line not in known and _BECOMES.search(line) and not _PROVES.search(line):
            return line
    return ""


def lets_in_on_error(edit: Edit) -> str:
    """The new line of a handler of errors that lets in whom no check has passed (CWE-636); empty for most changes."""
    lines = edit.after.splitlines()[:_MOST_LINES]
    known = {line.strip() for line in edit.before.splitlines()}
    for number in _lines_with(_OF_HANDLERS, lines):
        line = lines[number]
        if not _HANDLES.search(line[:_LONGEST_LINE]):
            continue
        for text in _handler(lines, number):
            is_new = text.strip() not in known or line.strip() not in known
            if is_new and _GRANTS.search(text[:_LONGEST_LINE]):
                return text.strip() if _is_of_access(edit, lines, number) else ""
    return ""


def _lines_with(marks: tuple[str, ...], lines: list[str]) -> list[int]:
    """The numbers of the lines that contain one of these texts."""
    text = "\n".join(lines)
    ends, found = list(itertools.accumulate(len(line) + 1 for line in lines)), set[int]()
    for mark in marks:
        at = text.find(mark)
        while at >= 0:
            number = bisect.bisect_right(ends, at)
            found.add(number)
            at = text.find(mark, ends[number])
    return sorted(found)


def _handler(lines: list[str], start: int) -> Iterator[str]:
    """The lines of a handler: its own, and those below it that are indented more."""
    head = lines[start]
    margin = len(head) - len(head.lstrip())
    yield head[head.find("catch") + 5 :] if "catch" in head else head
    for line in lines[start + 1 : start + 1 + _NEAR]:
        if line.strip() and line.strip() not in "{}" and len(line) - len(line.lstrip()) <= margin:
            return
        yield line


def _is_of_access(edit: Edit, lines: list[str], number: int) -> bool:
    """Whether what the handler belongs to checks somebody: by the function around it, or the file's name."""
    above = lines[max(0, number - 25) : number + 1]
    start = next((place for place in range(len(above) - 1, -1, -1) if _FUNCTION.search(above[place])), 0)
    told = _CAUGHT.sub(" ", " ".join([edit.path.rpartition("/")[2], *above[start:]])[:8192])
    return _CHECKS_ACCESS.search(told) is not None and not _TURNS_AWAY.search(above[start] if above else "")


# Consoles that ask nobody who they are, as programs mount them.
_CONSOLES = compile_later(
    r"\bmount\s*\(?\s*(?P<rails>Sidekiq::Web|PgHero::Engine|GoodJob::Engine|Resque::Server|Flipper::UI\.app[^\s,=]*|Blazer::Engine"
    r"|RailsAdmin::Engine|MissionControl::Jobs::Engine|LetterOpenerWeb::Engine|Coverband::Reporters::Web\.new|Logster::Web"
    r"|SolidErrors::Engine|RailsPerformance::Engine|Delayed::Web::Engine|DelayedJobWeb|ExceptionTrack::Engine)\b"
    r"|\.use\(\s*['\"`](?P<node>/[\w/-]{1,60})['\"`]\s*,\s*(?:\w+\.)?(?:serverAdapter\.getRouter\(\)|bullBoard\w*|adminJs\.\w+|adminRouter"
    r"|Arena\([^\n]{0,60}|agendash\([^\n]{0,60}|expressApp)"
    r"|register_blueprint\(\s*(?P<flask>rq_dashboard\.blueprint)"
)
_ASKS_WHO = compile_later(
    r"(?i)\bauthenticate\b|authenticated?\s+:|constraints?\b|Auth::Basic|basic_?auth|\buse\s+Rack::Auth|require_?auth|ensure_?(?:logged|auth)"
    r"|passport|is_?admin|requireAdmin|requireRole|login_required|\bguard\b|authMiddleware|auth\(|protect|Rails\.env\.development|NODE_ENV"
)


def open_console(edit: Edit) -> str:
    """The new line that mounts a console for operators, in code that asks nobody who they are; empty for most."""
    if not any(mark in edit.after for mark in _OF_CONSOLES):
        return ""
    for line in edit.after.splitlines()[:_MOST_LINES]:
        if line.strip() not in edit.before and _CONSOLES.search(line[:_LONGEST_LINE]):
            return "" if _ASKS_WHO.search(edit.after) else line.strip()
    return ""


# A whole service that lets everybody in, by how its framework says so.
_ALL_OPEN = compile_later(
    r"anyRequest\(\)\s{0,20}\.permitAll\(\)|anyExchange\(\)\s{0,20}\.permitAll\(\)|ignoring\(\)\s{0,20}\.(?:ant|request|mvc)Matchers\(\s{0,4}\"/\*\*\""
    r"|DEFAULT_PERMISSION_CLASSES['\"]\s{0,4}:\s{0,4}[\[(]\s{0,20}['\"]rest_framework\.permissions\.AllowAny"
)
_OF_TRIAL = re.compile(
    r"(?i)(?:^|/)(?:\w*[-_.])?(?:local|dev|development|test|demo|sandbox|example)s?(?:[-_.]\w*)?(?:/|\.\w+$)|@Profile\(|TestConfiguration|WebMvcTest"
)


def opened_whole(edit: Edit) -> str:
    """The new line that lets everybody into a whole service; empty for most changes."""
    found = _ALL_OPEN.search(edit.after) if "permi" in edit.after or "ignoring()" in edit.after else None
    if found is None or found[0] in edit.before or _OF_TRIAL.search(edit.path) or _OF_TRIAL.search(edit.after[:8192]):
        return ""
    return " ".join(found[0].split())


_EXPORTED = compile_later(
    r"^export\s+(?:async\s+function\s+(\w+)\s*\(([^)\n]{0,300})|const\s+(\w+)\s*=\s*async\s*\(([^)\n]{0,300}))",
    re.MULTILINE,
)
_CHANGES = compile_later(
    r"\.(?:update|updateMany|delete|deleteMany|upsert|insert|remove|destroy|set|executeRaw|query|execute|refund\w*|transfer)\s{0,2}\("
    r"|\$transaction|\$executeRaw|\bsql`\s*(?:update|delete|insert)"
)
_CHECKED = compile_later(
    r"(?i)\b(?:auth|session|require\w+|getUser|current_?user|getServer\w*|verify\w*|assert\w+|ensure\w+|check\w+|can\w*|protect\w*"
    r"|authori[sz]e\w*|with\w*auth\w*|validate(?:Request|Session)|getToken|cookies|isAdmin|hasRole|hasPermission|safeAction|actionClient)\b\s{0,2}[.(]"
)
_ABOUT_SOMEBODY = compile_later(r"(?i)\b\w*id\b|role|email|user|amount|price|slug|key")


def _is_for_browsers(text: str) -> bool:
    """Whether the first line of a text besides comments is `'use server'`."""
    lines = (line.strip() for line in text[:4096].split("\n"))
    first = next((line for line in lines if line and not line.startswith(("//", "/*", "*"))), "")
    return first.startswith(("'use server'", '"use server"'))


def unchecked_server_action(edit: Edit) -> str:
    """The name of a function that any browser may call (`'use server'` of React) and that changes a record which its
    argument names, without asking who calls; empty for most changes."""
    if not _is_for_browsers(edit.after) or not edit.path.endswith((".ts", ".tsx", ".js", ".jsx", ".mjs")):
        return ""
    if re.search(r"(?i)login|sign-?(?:in|up)|register|auth|password|contact|newsletter|subscribe|feedback", edit.path):
        return ""
    found = list(_EXPORTED.finditer(edit.after))
    for each, following in zip(found, [*(other.start() for other in found[1:]), len(edit.after)], strict=False):
        body = edit.after[each.end() : following]
        name, given = (each[1] or each[3]), (each[2] or each[4] or "")
        if name in edit.before or not _ABOUT_SOMEBODY.search(given):
            continue
        if _CHANGES.search(body) and not _CHECKED.search(body):
            return name
    return ""
