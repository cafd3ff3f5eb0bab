"""Passwords and tokens among the arguments of programs, where every process list and shell history shows them, and the
addresses at which a cloud gives a machine its own credentials."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from supervisor.action import Action
from supervisor.evidence.effects.credentials import reveal
from supervisor.evidence.effects.effect import Act, Effect, Ground, Part, Reading
from supervisor.evidence.reading.paths import HOLE, Place
from supervisor.evidence.secrets import hidden_in, secrets_in
from supervisor.evidence.secrets.formats import HIDDEN, Proof
from supervisor.evidence.secrets.proof import proven
from supervisor.evidence.shell.commands import Command
from supervisor.evidence.shell.git import git_call
from supervisor.evidence.shell.inner import word_set
from supervisor.evidence.urls import host_of

_REGISTRIES = frozenset({"docker", "podman", "helm", "skopeo", "buildah", "nerdctl"})
# The options that take a password, by program; a trailing space means that the value is the next word.
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
_FETCH = _WITH_USER | {"wget", "wget2"}
_TAKE_URLS = frozenset(
    {"curl", "git", "wget", "psql", "pg_dump", "redis-cli", "mongosh", "mongo", "mongodump", "pip", "pip3", "npm"}
)
_REFERENCES = ("$", "-", "file:", "env:", "fd:")
# The options whose value is a body. In a body, a token that is a whole field is passed; any other is only mentioned.
_BODIES = word_set(
    "-d --data --data-raw --data-binary --data-ascii --data-urlencode --json -F --form --form-string --post-data"
    " --body-data"
)
_ITEMS = ("http", "https", "xh")  # clients that take `name=value` for what they send
_FIELDS = re.compile(r"[&=]")
_GIT_TAKES = frozenset(
    {"archive", "clone", "config", "fetch", "lfs", "ls-remote", "pull", "push", "remote", "submodule"}
)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_METADATA_HOSTS = ("169.254.169.254", "169.254.170.2", "metadata.google.internal", "100.100.100.200", "fd00:ec2::254")
_METADATA_PATHS = (
    *("/iam/security-credentials", "/service-accounts/", "/identity/oauth2/token", "/ram/security-credentials"),
    *("/v2/credentials", "/identity-credentials/", "/latest/user-data", "/attributes/"),
)
_MAY_TAKE = ("-p", "-P", "-u", "-U", "-a", "-w", "-k", "--pass", "--user", "--proxy", "--http", "--ftp")
_MARKS = ("@", "SECRET_", *_METADATA_PATHS)


def _argued(command: Command, ground: Ground) -> Iterator[Effect]:
    if command.wraps and command.program != "sshpass":
        return
    for value in _passwords(command):
        yield reveal(command, value, "argument")
    for option, value in _values(command) if command.program in _FETCH else ():
        if not _is_text(command, option, value) and is_metadata(value):
            yield reveal(command, value, "metadata", place=Place.REMOTE)


def is_metadata(url: str) -> bool:
    """Whether a URL is the one at which a cloud's machine gets its own credentials, in any spelling of the address."""
    return any(path in url for path in _METADATA_PATHS) and host_of(url) in _METADATA_HOSTS


def _values(command: Command) -> Iterator[tuple[str, str]]:
    """Each word with the option before it, and the two parts of `--option=value`."""
    for before, word in zip(("", *command.args), command.args, strict=False):
        option, equals, value = word.partition("=")
        yield (option, value) if equals and word.startswith("--") else (before, word)


def _passwords(command: Command) -> Iterator[str]:
    for name, value in _given(command):
        password = value.partition(":")[2] if name in _AFTER_COLON else value
        if is_password(password.removeprefix("pass:")):
            yield password
    if command.program in _TAKE_URLS | _WITH_USER:
        for option, value in _values(command):
            yield from _passwords_in(command, option, value)


def _passwords_in(command: Command, option: str, value: str) -> Iterator[str]:
    """The password in a URL, or else the word, if it passes a token."""
    addressed = command.program in _TAKE_URLS and not _is_text(command, option, value)
    secret = _in_url(value) if addressed else ""
    if secret and is_password(secret):
        yield secret
    elif secrets_in(value) and not secret and _gives(command, option, value):
        yield value


def _is_text(command: Command, option: str, value: str) -> bool:
    """Whether a word is part of a client's request body, not an address or a header."""
    if command.program in _ITEMS:
        return "=" in value and not _SCHEME.match(value)
    return option in _BODIES and command.program in ("curl", "wget")


def _gives(command: Command, option: str, value: str) -> bool:
    """Whether a token in a word is passed as a credential, not part of a text that mentions it."""
    if _is_text(command, option, value):
        fields = value.split('"') if value.lstrip().startswith(("{", "[")) else _FIELDS.split(value)
        return not {secret.token for secret in secrets_in(value)}.isdisjoint(field.strip() for field in fields)
    call = git_call(command) if command.program == "git" else None
    return call is None or call.verb in _GIT_TAKES or option == "-c"


def _given(command: Command) -> Iterator[tuple[str, str]]:
    """The options that take a password, or a user and a password, with their values."""
    options = _PASSWORD_OPTIONS.get(command.program, ())
    if command.program in (*_REGISTRIES, "az") and "login" not in command.args:
        options = ()
    for word, value in zip_longest(command.args, command.args[1:], fillvalue=""):
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
    """The password in a URL. A user name without a password counts if it looks like a token."""
    scheme = _SCHEME.match(url)
    authority = url[scheme.end() :].partition("/")[0] if scheme else ""
    user, at, _ = authority.rpartition("@")
    name, colon, password = user.partition(":")
    if not at:
        return ""
    return password if colon and password not in ("x-oauth-basic", "") else name if secrets_in(name) else ""


def is_password(value: str) -> bool:
    """Whether a literal is a password, not a variable, placeholder, prompt or number. A masked value is a password if
    its token proves that a person chose it."""
    if secrets_in(value) or any(hidden.type != HIDDEN for hidden in hidden_in(value)):
        return True
    literal = HOLE not in value and len(value) > 3 and not value.startswith(_REFERENCES)
    return literal and proven(Proof.CHOSEN, value)


def _argues_nothing(words: Sequence[str]) -> bool:
    return not any(word.startswith(_MAY_TAKE) or any(mark in word for mark in _MARKS) for word in words)


def _argues_no_url(words: Sequence[str]) -> bool:
    return not any(any(mark in word for mark in _MARKS) for word in words)


def parts_of_action(action: Action) -> Iterator[Part]:
    """The effects of a tool that fetches a URL."""
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
