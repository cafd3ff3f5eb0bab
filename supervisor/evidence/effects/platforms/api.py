"""What requests to the APIs of platforms do: the method is the verb, the path names the resource."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from supervisor.evidence.effects.effect import Act, Effect, Ground
from supervisor.evidence.effects.platforms import grammar
from supervisor.evidence.effects.platforms.data import Host, hosts
from supervisor.evidence.effects.platforms.line import environment_of, is_rehearsal, line_of
from supervisor.evidence.effects.platforms.pattern import Line, first_of, rules_of
from supervisor.evidence.effects.platforms.resource import Resource, Sort
from supervisor.evidence.effects.platforms.words import DESTRUCTIVE_VERBS, sort_of, word_of
from supervisor.evidence.reading.paths import HOLE, Place
from supervisor.evidence.shell.commands import Command
from supervisor.evidence.shell.inner import word_set

_HOSTED = {"gh": "api.github.com", "glab": "gitlab.com"}  # clients whose `api` names no host
CLIENTS = ("curl", "curlie", "wget", "http", "https", "xh", "xhs", *_HOSTED, "Invoke-RestMethod", "Invoke-WebRequest")
CLIENTS += ("irm", "iwr")
_METHODS = frozenset({"get", "head", "options", "post", "put", "patch", "delete"})
_METHOD_OPTIONS = ("--request", "--method", "-Method")
_BODY_OPTIONS = word_set(
    "-d --data --data-raw --data-binary --data-urlencode --data-ascii --json -F --form --post-data --body-data -f"
    " --field --raw-field --input -Body"
)
_VALUED = word_set(
    "-H --header --headers -u --user -o --output -A --user-agent -e -b --cookie -c -m --max-time --connect-timeout"
    " -w --write-out -x --proxy --cacert --cert --key -K --retry -S --hostname -q --jq -t --template -Headers"
    " -ContentType -Credential -OutFile -a --auth"
)
_MACHINE = ("localhost", "127.", "0.0.0.0", "[::1]", "host.docker.internal")
_EXAMPLES = (".test", ".example", ".invalid", ".localhost", "example.com", "example.org", "example.net", "httpbin.org")
_LONGEST_HOST = 253  # characters, RFC 1035
_VERSION = re.compile(r"v?\d[\w.]*|api|rest|client|apis|sdk|latest")


class Request(NamedTuple):
    """One request, in lower case except the target."""

    method: str
    host: str
    port: str
    path: tuple[str, ...]
    text: str

    @property
    def is_local(self) -> bool:
        """Whether the request goes to this machine or to a placeholder host."""
        return self.host.startswith(_MACHINE) or self.host.endswith(_EXAMPLES) or "." not in self.host


def read(command: Command, ground: Ground) -> Iterable[Effect]:
    """The resources that a request changes."""
    hosted = _HOSTED.get(command.program, "")
    if hosted and command.operands()[:1] != ["api"]:
        yield from grammar.read(command, ground)
        return
    request = _request(command, hosted)
    if request is None or request.method in ("get", "head", "options"):
        return
    effect = _effect(request, command)
    if effect and effect.sort not in (Sort.TRIVIAL, Sort.REPOSITORY) and not is_rehearsal(line_of(command, _VALUED)):
        yield effect


def _request(command: Command, hosted: str) -> Request | None:
    method, body, words = "", "", []
    args = iter(command.args)
    for word in args:
        option, equals, value = word.partition("=")
        if option in _METHOD_OPTIONS:
            method = value if equals else next(args, "")
        elif word[:1] == "-" != word[1:2] and "X" in word:  # `-XDELETE`, `-sX DELETE`
            method = word.partition("X")[2] or next(args, "")
        elif option in _BODY_OPTIONS and not (option == "-f" and not hosted):
            body += f" {value if equals else next(args, '')}"
        elif word in _VALUED:
            next(args, None)
        elif not word.startswith("-") and not (hosted and word == "api"):
            words.append(word)
    if words and words[0].lower() in _METHODS:
        method = words.pop(0)
    address = next((word for word in words if "/" in word or ":" in word or "." in word), "")
    return _addressed(method.lower() or ("post" if body else "get"), address, body, hosted) if address else None


def _addressed(method: str, address: str, body: str, hosted: str) -> Request:
    rest = address.partition("://")[2] or address
    place, _, path = rest.partition("/")
    if hosted and "://" not in address:
        place, path = hosted, rest
    host, _, port = place.rpartition("@")[2].partition(":")
    segments = tuple(part.lower() for part in path.partition("?")[0].split("/") if part)
    return Request(method, (host or "localhost").lower(), port, segments, f"/{path} {body}".lower())


def _effect(request: Request, command: Command) -> Resource | None:
    host = _host(request)
    if host is None:
        return _unlisted(request, command)
    line = Line((request.method, *request.path), frozenset(), frozenset(), request.text)
    found = first_of(rules_of(host.rules), line)
    nouns = tuple(_nouns(request.path))
    sort = (sort_of(nouns) if host.sort is None else None) or host.sort or Sort.INFRASTRUCTURE
    if found is None:
        verb = "delete" if request.method == "delete" else _verb_of(request.path)
        return _resource(request, command, verb, sort, host.product, nouns) if verb else None
    rule = found[0]
    if rule.verb == "nothing":
        return None
    effect = _resource(request, command, rule.verb, rule.sort or sort, host.product, nouns)
    effect.whole, effect.reversible = effect.whole or "whole" in rule.marks, "mild" in rule.marks
    return effect


def _unlisted(request: Request, command: Command) -> Resource | None:
    """A request to an unlisted host. Only a plain DELETE of a platform's kind of resource has a known effect."""
    nouns = tuple(_nouns(request.path))
    sort = sort_of(nouns)
    if request.method != "delete" or request.is_local or sort is None or HOLE in request.host:
        return None
    return _resource(request, command, "delete", sort, request.host, nouns, listed=False)


def _host(request: Request) -> Host | None:
    """The listed host of a request: by its name, a suffix, a word in the name, or its port."""
    if len(request.host) > _LONGEST_HOST:
        return None
    known = hosts()
    labels = request.host.split(".")
    tails = (".".join(labels[at:]) for at in range(len(labels)))
    words = (word for label in labels for word in re.split(r"[-_]", label) if label not in ("com", "net", "org"))
    names = (*tails, *(f"~{word}" for word in words), f":{request.port}")
    return next((known[name] for name in names if name in known), None)


def _nouns(path: Sequence[str]) -> Iterator[str]:
    """The words of a path that may be nouns, without versions and identifiers."""
    for segment in path:
        if not _VERSION.fullmatch(segment) and not any(letter.isdigit() for letter in segment) and HOLE not in segment:
            yield from (word for word in re.split(r"[-_:.]+", segment) if word)


def _verb_of(path: Sequence[str]) -> str:
    """The verb that a path names: `purge_cache`, `_delete_by_query`."""
    does = (word_of(segment).does for segment in reversed(path))
    return next((verb for verb in does if verb in DESTRUCTIVE_VERBS.values()), "")


def _resource(
    request: Request, command: Command, verb: str, sort: Sort, product: str, nouns: tuple[str, ...], listed: bool = True
) -> Resource:
    target = "/".join(request.path[-2:]) or request.host
    return Resource(
        Act.RESOURCE,
        target,
        Place.REMOTE,
        verb,
        any(part in ("_all", "*", "all") for part in request.path),
        text=command.text,
        command=command,
        product=product,
        noun=" ".join(nouns[-2:]),
        sort=sort,
        environment=environment_of(command),
        listed=listed,
    )
