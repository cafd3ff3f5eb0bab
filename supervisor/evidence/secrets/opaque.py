"""Whether a value at a secret's place is masked as a precaution: any but a placeholder, a reference, and code.

A mask may be generous where a finding may not: the masked value reads as an opaque value, and its token names only what
specialists would have found.
"""

from __future__ import annotations

from enum import Enum

from supervisor.evidence.secrets.chance import is_random, worded
from supervisor.evidence.secrets.formats import CHOSEN, CLEAR, HIDDEN
from supervisor.evidence.secrets.inert import is_inert
from supervisor.evidence.secrets.passwords import is_password_in_clear
from supervisor.regexes import compile_later

LEAST = 4  # characters


class Sort(Enum):
    """What a place requires of its value."""

    CHOSEN = "a password, which a person may have chosen: anything but a placeholder"
    RANDOM = "a key or a token: random"


_REFERENCE = compile_later(
    r"\$\{[^}]*\}.*|\$\{\{.*\}\}|\$\(.*\)|\$\([^)]*|\$[A-Za-z_]\w*|\{\{?[\w .:$|-]*\}\}?.*|<[\w .:/$-]*>"
    r"|\[[A-Za-z _.-]*\]|%\w+%|%[sdr]"
    r"|%\(\w+\)s|\$env:\w+|!\w+!|@\{?\w+\}?|env[:.]\S*|file:.*|fd:.*|pass:|--?[a-z]+(?:-[a-z]+)*|\W+|(.)\1*|\d{1,3}"
    r"|(?:vault|op|arn|ssm|secretsmanager|keyvault|awssm|gcpsm|sm|azurekms|ref)[:+].*|!(?:Ref|Sub|GetAtt|vault)\b.*"
)
_STAND_IN = compile_later(
    r"(?i).*(?:example|placeholder|redacted|change[_. -]?(?:me|it|this)|replace[_ -]?|dummy|insert[_ -]"
    r"|your[_ -]?|xxxx|\*\*\*|\.\.\.|"
    r"<[a-z _-]+>|\u2026|todo|fixme|filtered|hidden|masked|omitted).*"
    r"|(?:your|my|the|db|some|old|new|user|root|admin|super|strong|very|test|fake|valid|invalid|wrong|bad|good"
    r"|raw|secure"
    r"|secret|plain|_|-|\s)*(?:pas+(?:word|wd|phrase)?|pwd|pw|secret|token|api_?key|key|credentials?)s?(?:here"
    r"|[\d_!.]*)"
    r"|(?:admin|root|user(?:name)?|guest|test|postgres|mysql|mongo|redis|foo|bar|none|null|nil|true|false"
    r"|undefined|yes|no"
    r"|required|optional|string|str|bytes|int|object|any|text|varchar|hashed|encrypted|default|empty|unset"
    r"|foobar|baz|qux"
    r"|n/?a|secretstr|letmein|welcome|qwerty|abc\w{0,3}|hunter2?|unknown|prompt|stdin|file|env|cert|certificate"
    r"|basic|bearer|digest|ldap|oauth2?|jwt|md5|sha\d+|plaintext|self|this|cls)\d{0,4}"
)
_CODE = compile_later(
    r"[A-Za-z_][\w.:>-]*[(\[].*|.*(?:\)|\])\.?\w*\(?|(?:await|new|not|lambda|return|typeof|if|self|this|None"
    r"|null|os|process|request|config"
    r"|settings|env|options|args|params|kwargs|ctx|req|res|data|props|state)\b[.\[( ].*|[A-Za-z_]+(?:\.[A-Za-z_]+)+"
    r"|.*(?: [+|*/%?]+ | if | or | and | \? |=>|->|::|\(\)|\]\)|:$).*|[|>]-?|&\w.*"
)
_ODD = compile_later(r"[<{$\[%*/~.]|.*[<>{}]")  # what a finding would take for a placeholder
_URL = compile_later(r"[a-z][a-z0-9+.-]*://[^@]*|(?:\.{0,2}|~)/[\w./-]*|[A-Za-z]:\\[\w\\. -]*")
_TYPED = compile_later(r"[A-Z][A-Za-z]+(?:\[.*\]|\?|<.*>)?")


def kind_of(value: bytes, sort: Sort, *, quoted: bool) -> str | None:
    """The type in the token of a masked value; None if it is not masked."""
    text = value.decode("utf-8", "replace")
    if not _is_hidden(text, sort, quoted=quoted) or not is_inert(text):
        return None
    if is_password_in_clear(text):
        return CLEAR
    return HIDDEN if _ODD.match(text) else CHOSEN


def _is_hidden(text: str, sort: Sort, *, quoted: bool) -> bool:
    if sort is Sort.RANDOM and not is_random(text):
        return False
    if len(text) < LEAST or "SECRET_" in text or _REFERENCE.fullmatch(text) or _STAND_IN.fullmatch(text):
        return False
    if _URL.fullmatch(text) and worded(text) >= 0.3:
        return False
    if not quoted and (_CODE.fullmatch(text) or (_TYPED.fullmatch(text) and not is_random(text))):
        return False
    return sort is Sort.RANDOM or " " not in text or is_random(text)
