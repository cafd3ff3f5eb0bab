"""Passwords that are not masked, because they may be code: `pa!ss`, `a#b$c`.

Only inert text may be masked, but a finding needs no mask: these passwords are found after a key, in a URL or after an
option. A finding names their place, never their text.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import re2

from supervisor.evidence.secrets.formats import CLEAR, Proof
from supervisor.evidence.secrets.proof import SAMPLE, proven
from supervisor.regexes import compile_later

MAX_CHARS = 256 * 1024  # of a text; the rest is not searched
_MOST = 200  # places in a text that are read


class Password(NamedTuple):
    """A password in clear. `place`: "a URL", "POSTGRES_PASSWORD", "the option -u". `text` is never shown."""

    place: str
    text: str

    def __repr__(self) -> str:
        return f"Password({self.place!r})"


_HINTS = re2.compile(r"(?i)passw|passphrase|pwd|[_-]pass\b|://[^\s/]*@|\s-(?:u|-user)\b")
_IN_URL = re2.compile(r"(?i)[a-z][a-z0-9+.-]{1,20}://([^\s/?#:@\"'<>`]*):([^\s/\"'<>`]{3,64})@([a-z0-9.-]+|\[)")
_ASSIGNED = re2.compile(
    r"(?i)([\w.-]{0,48}(?:passw(?:or)?d|passphrase|pwd|[_-]pass))\\?[\"'\]]{0,2}[ \t]{0,8}(?:=>|:=|[:=])[ \t]{0,8}"
    r"(?:\\?\"([^\s\"\\]{8,64})\\?\"|'([^\s'\\]{8,64})'|([^\s\"'`,;()\[\]{}<>\\]{8,64})(?:[\s\"',;}]|\\n|$))"
)
_OPTION = re2.compile(r"\s(-u|--user)[ =]?[\"']?[\w.@-]{1,64}:([^\s\"'`]{8,64})")
_LOCAL = re2.compile(r"(?i)localhost|127\.[\d.]+|0\.0\.0\.0|host(?:name)?|(?:.*\.)?(?:example(?:\.\w+)?|test|invalid)")
_HOST = re.compile(r"[\w.-]*")
_A_HOST = re2.compile(r"(?i)(?:some|my|your|the)?[._-]?(?:host(?:name)?|server|dsn|machine|db|database)")
# Placeholders for a password: the word itself, also disguised (`P@ssw0rd!`).
_DISGUISED = str.maketrans("@013457$", "aoieastS")
_STAND_IN = compile_later(
    r"(?i)(?:my|your|the|some|db|app|user|super|strong|very|new|old|root|admin|a|_|-)*(?:pas+(?:word|wd|phrase)?|pwd"
    r"|secret|changeme|change[_-]?me|letmein|welcome|example|placeholder|postgres|admin|root|qwerty|hunter.?)"
    r"(?:here|[\d\W_aio])*"
)
_TOKEN = compile_later(rf"SECRET_{CLEAR}_[0-9a-f]{{12}}")
_LONGEST = 64
_PARTED = compile_later(r"[\s\"'\\`]")
_PORT = re2.compile(r"\d{2,5}(?:[?#&;].*)?")
# Words and numbers with signs between them, a chain of names, a hash, an encrypted value, a reference to a store.
_NO_PASSWORD = compile_later(
    r"(?:[A-Za-z]+|\d{1,4})(?:[^A-Za-z0-9]+(?:[A-Za-z]+|\d{1,4}))*[^A-Za-z0-9]*|[A-Za-z_]\w*(?:[!?]?\.\w+)+[!?]*"
    r"|(?i:pbkdf2|bcrypt|scrypt|argon2|sha\d|md5|crypt|enc|vault|op|arn|ssm|env|file|projects)[\w-]*[$:(\[-].*"
    r"|[!*^\\].*|.*(?:\$[({A-Za-z_]\w*[)}]|\.\*|\\).*"
)


def passwords_in(text: str) -> list[Password]:
    """The passwords in clear in a text, in no order. Placeholders (`changeme`, `${VAR}`) do not count."""
    head = text[:MAX_CHARS]
    if not _HINTS.search(head):
        return []
    return [*urls_with_passwords(head), *_assigned(head), *_argued(head)]


def urls_with_passwords(text: str) -> list[Password]:
    """The passwords in clear in the URLs of a text."""
    found = []
    for _, match in zip(range(_MOST), _IN_URL.finditer(text[:MAX_CHARS]), strict=False):
        user, secret, host = match[1], match[2], match[3]
        if is_of_developers(user, host) or (f"{user}:{secret}" == SAMPLE and _is_for_example(text, match.start(3))):
            continue
        may_be = not _LOCAL.fullmatch(host) and not _PORT.fullmatch(secret) and "$" not in secret[:1]
        if (_TOKEN.search(secret) and not _LOCAL.fullmatch(host)) or (
            may_be and proven(Proof.CHOSEN, secret) and not _stands_in(secret) and "${" not in secret
        ):
            found.append(Password("a URL", secret))
    return found


def _is_for_example(text: str, start: int) -> bool:
    """Whether the host that begins there is this machine, or a word for one."""
    host = _HOST.match(text, start)
    return host is not None and (_LOCAL.fullmatch(host[0]) or _A_HOST.fullmatch(host[0])) is not None


def is_of_developers(user: str, host: str) -> bool:
    """Whether a URL opens a service beside the program alone, to a user of the developers: `dev:…@db`."""
    return user.lower() in _DEVELOPERS and host[:1].isalpha() and "." not in host


_DEVELOPERS = frozenset(
    {"dev", "develop", "developer", "development", "local", "test", "tests", "testing", "ci", "demo", "sandbox"}
)


def _assigned(text: str) -> list[Password]:
    found = []
    for _, match in zip(range(_MOST), _ASSIGNED.finditer(text), strict=False):
        secret = match[2] or match[3] or match[4]
        if _is_chosen(secret):
            found.append(Password(match[1], secret))
    return found


def _argued(text: str) -> list[Password]:
    matches = zip(range(_MOST), _OPTION.finditer(text), strict=False)
    return [Password(f"the option {match[1]}", match[2]) for _, match in matches if _is_chosen(match[2])]


def is_password_in_clear(value: str) -> bool:
    """Whether a value would be found as a password after a key or an option."""
    return 8 <= len(value) <= _LONGEST and not _PARTED.search(value) and _looks_chosen(value)


def _is_chosen(secret: str) -> bool:
    """Whether a value looks like a chosen password, not like code, a hash or a word; or is the mask of one."""
    return _TOKEN.search(secret) is not None or _looks_chosen(secret)


def _looks_chosen(secret: str) -> bool:
    return proven(Proof.ASSIGNED, secret) and not _NO_PASSWORD.fullmatch(secret) and not _stands_in(secret)


def _stands_in(secret: str) -> bool:
    return bool(_STAND_IN.fullmatch(secret) or _STAND_IN.fullmatch(secret.translate(_DISGUISED)))
