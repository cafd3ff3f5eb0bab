"""Passwords and tokens among the arguments of programs, where every process list and shell history shows them, and the
addresses at which a cloud's machine is given credentials of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from supervisor.action import Action
from supervisor.evidence.effects.credentials import reveal
from supervisor.evidence.effects.effect import Act, Effect, Ground, Part, Reading
from supervisor.evidence.paths import HOLE, Place
from supervisor.evidence.secret_formats import Proof
from supervisor.evidence.secret_proof import proven
from supervisor.evidence.shell.commands import Command

_REGISTRIES = frozenset({"docker", "podman", "helm", "skopeo", "buildah", "nerdctl"})
# The options that take a password, by program; a space after one says that its value is the next word.
_PASSWORD_OPTIONS = {
    **dict.fromkeys(("mysql", "mysqldump", "mysqladmin", "mysqlimport", "mariadb"), ("-p", "--password=")),
    **dict.fromkeys(("mongo", "mongosh", "mongodump", "mongorestore"), ("-p ", "--password ", "--password=")),
    **dict.fromkeys(_REGISTRIES, ("-p ", "--password ", "--password=")),
    "sshpass": ("-p", "-p "),
    "redis-cli": ("-a ", "--pass "),
    "wget": ("--password=", "--http-password=", "--ftp-password=", "--proxy-password="),
    "az": ("-p ", "--password ", "--password="),
    "ldapsearch": ("-w ",),
    "sqlcmd": ("-P ", "-P"),
    "lftp": ("-u ",),
    "openssl": ("-passin ", "-passout ", "-pass ", "-k "),
}
_AFTER_COLON = ("-u", "--user", "-U", "--proxy-user")
_WITH_USER = frozenset({"curl", "http", "https", "xh", "lftp", "aria2c", "mc"})
_TAKE_URLS = frozenset(
    {"curl", "git", "wget", "psql", "pg_dump", "redis-cli", "mongosh", "mongo", "mongodump", "pip", "pip3", "npm"}
)
_REFERENCES = ("$", "-", "file:", "env:", "fd:")
_METADATA_HOSTS = ("169.254.169.254", "169.254.170.2", "metadata.google.internal", "100.100.100.200", "fd00:ec2::254")
_METADATA_PATHS = (
    *("/iam/security-credentials", "/service-accounts/", "/identity/oauth2/token", "/ram/security-credentials"),
    *("/v2/credentials", "/identity-credentials/", "/latest/user-data", "/attributes/"),
)
_MAY_TAKE = ("-p", "-P", "-u", "-U", "-a", "-w", "-k", "--pass", "--user", "--proxy", "--http", "--ftp")
_MARKS = ("@", "SECRET_", *_METADATA_HOSTS)


def _argued(command: Command, ground: Ground) -> Iterator[Effect]:
    if command.wraps and command.program != "sshpass":
        return
    for value in _passwords(command):
        yield reveal(command, value, "argument")
    for word in command.args:
        if is_metadata(word):
            yield reveal(command, word, "metadata", place=Place.REMOTE)


def is_metadata(url: str) -> bool:
    """Whether a URL is where a cloud's machine gets its own credentials."""
    return any(host in url for host in _METADATA_HOSTS) and any(path in url for path in _METADATA_PATHS)


def _passwords(command: Command) -> Iterator[str]:
    for name, value in _given(command):
        password = value.partition(":")[2] if name in _AFTER_COLON else value
        if is_password(password.removeprefix("pass:")):
            yield password
    for word in command.args:
        secret = _in_url(word) if "://" in word else ""
        if secret and command.program in _TAKE_URLS and is_password(secret):
            yield secret
        elif "SECRET_" in word and command.program in _WITH_USER | _TAKE_URLS and not secret:
            yield word


def _given(command: Command) -> Iterator[tuple[str, str]]:
    """The options that take a password, or a user and one, with their values."""
    options = _PASSWORD_OPTIONS.get(command.program, ())
    if command.program in (*_REGISTRIES, "az") and "login" not in command.args:
        options = ()
    for word, value in zip(command.args, (*command.args[1:], ""), strict=True):
        for option in options:
            if option.endswith(" ") and word == option[:-1]:
                yield option[:-1], value
            elif not option.endswith(" ") and word.startswith(option) and len(word) > len(option):
                yield option, word[len(option) :]
        if command.program in _WITH_USER and word in _AFTER_COLON:
            yield word, value
        elif command.program in _WITH_USER and word.startswith(("-u", "--user=")) and ":" in word:
            yield "-u", word


def _in_url(url: str) -> str:
    """The password in a URL; what stands alone before the host is one where it looks like a token."""
    authority = url.partition("://")[2].partition("/")[0]
    user, at, _ = authority.rpartition("@")
    name, colon, password = user.partition(":")
    if not at:
        return ""
    return password if colon and password not in ("x-oauth-basic", "") else name if "SECRET_" in name else ""


def is_password(value: str) -> bool:
    """Whether a literal is a password, and no variable, stand-in, prompt or number."""
    if "SECRET_" in value:
        return True
    literal = HOLE not in value and len(value) > 3 and not value.startswith(_REFERENCES)
    return literal and proven(Proof.CHOSEN, value)


def _argues_nothing(words: Sequence[str]) -> bool:
    return not any(word.startswith(_MAY_TAKE) or any(mark in word for mark in _MARKS) for word in words)


def _argues_no_url(words: Sequence[str]) -> bool:
    return not any(any(mark in word for mark in _MARKS) for word in words)


def parts_of_action(action: Action) -> Iterator[Part]:
    """What a tool that fetches a URL is given."""
    url = action.text("url") if action.kind in TOOLS else ""
    if is_metadata(url):
        yield Part(_REVEALS, lambda: [Effect(Act.REVEAL, url, Place.REMOTE, "metadata", text=url)])


_REVEALS = frozenset({Act.REVEAL})
_READING = Reading(_REVEALS, _argued, _argues_nothing)
TOOLS = dict.fromkeys(("browse", "http"), _REVEALS)
PROGRAMS = {
    **dict.fromkeys((*_PASSWORD_OPTIONS, *_WITH_USER, *_TAKE_URLS), _READING),
    "git": _READING._replace(is_quiet=_argues_no_url),
}
