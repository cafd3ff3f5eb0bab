r"""Which site a URL really leads to.

Hosts are read the way browsers read them (WHATWG URL Standard, https://url.spec.whatwg.org/), because what matters is
where the click ends: `https://bank.com@evil.com`, `https:\\evil.com`, a tab inside the scheme, full-width dots.
Sites are told apart by the public suffix list (https://publicsuffix.org/), private section included, so that two
customers of one host (`a.github.io`, `b.github.io`) are two sites.
"""

from __future__ import annotations

import functools
import ipaddress
import re
from collections.abc import Sequence
from typing import Any, TypeGuard
from urllib.parse import unquote

from publicsuffixlist import PublicSuffixList

MAX_URL = 16 * 1024  # characters; what follows is not read
MAX_TEXT = 64 * 1024  # characters
MAX_HOST = 253  # RFC 1035, section 2.3.4

_SUFFIXES = PublicSuffixList()
_BLANK = "".join(map(chr, range(33)))
_DROPPED = dict.fromkeys(map(ord, "\t\r\n"))
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_WEB = frozenset(("http", "https", "ws", "wss", "ftp"))
_HOSTLESS = frozenset(("javascript", "data", "vbscript", "blob", "about", "file", "mailto", "tel", "sms"))
_NO_HOST = re.compile(r"[\x00-\x20#/:<>?@\\^|%\x7f]")


def host_of(url_or_host: str) -> str | None:
    """The host that a browser would connect to: lower case, Punycode, no trailing dot.

    Takes URLs with or without a scheme. None for relative URLs that start with `/`, `?`, `#` or `.`, for `javascript:`
    and the like, and for what is no valid host.
    """
    text = _cleaned(url_or_host)
    scheme = scheme_of(text)
    rest = text[len(scheme) + 1 :] if scheme else text
    if scheme in _WEB or rest.startswith("//"):
        rest = rest.lstrip("/")
    elif scheme:
        return None
    authority = re.split(r"[/?#]", rest, maxsplit=1)[0]
    return _normal(authority.rpartition("@")[2])


def scheme_of(url: str) -> str:
    """The scheme in lower case; empty where there is none (`example.com:8080/path` has a port, not a scheme)."""
    text = _cleaned(url)
    found = _SCHEME.match(text)
    if found is None:
        return ""
    scheme, rest = found[1].lower(), text[found.end() :]
    if scheme in _WEB or scheme in _HOSTLESS or rest.startswith("//"):
        return scheme
    return "" if rest[:1].isdigit() else scheme


def leaves_page(url: str) -> bool:
    """Whether following this link may lead to another site: not so for relative URLs, anchors and queries.

    `example.com/path` is taken for a host, as address bars and agents' tools do, where its suffix is a public one.
    """
    text = _cleaned(url)
    if scheme_of(text) == "about":  # about:blank is no site
        return False
    if scheme_of(text) or text.startswith("//"):
        return True
    host = host_of(text)
    return host is not None and (is_address(host) or _SUFFIXES.privatesuffix(host, accept_unknown=False) is not None)


def registrable_domain(url_or_host: str) -> str | None:
    """The part of a host that somebody registered (`shop.example.co.uk` → `example.co.uk`); an IP address is itself.

    None where there is no host, or the host is itself a public suffix or a single label.
    """
    host = host_of(url_or_host)
    if host is None or is_address(host):
        return host
    domain: str | None = _SUFFIXES.privatesuffix(host)
    return domain


def within(url_or_host: str, allowed: str) -> bool:
    """Whether a host is `allowed` or lies below it.

    `example.com` and `*.example.com` admit all of the site; `shop.example.com` admits itself and what lies below it,
    but not its parent.
    """
    host, listed = host_of(url_or_host), host_of(allowed.removeprefix("*."))
    return host is not None and listed is not None and (host == listed or host.endswith(f".{listed}"))


def is_public_suffix(allowed: str) -> bool:
    """Whether a listed domain is one below which anyone may register a name (`co.uk`, `*.com`), so that it bounds
    nothing. Suffixes of private owners (`github.io`) are sites that a deployment may mean; `localhost` is no suffix.
    """
    host = host_of(allowed.removeprefix("*."))
    return host is not None and _SUFFIXES.is_public(host, accept_unknown=False) and _registries().is_public(host)


@functools.cache
def _registries() -> Any:
    """The suffixes of registries alone: the list's ICANN section."""
    return PublicSuffixList(accept_unknown=False, only_icann=True)


def is_address(host: str) -> bool:
    """Whether a host, as `host_of` gives it, is an IP address."""
    return (host[0].isdigit() and host.replace(".", "").isdigit()) or ":" in host


def is_local(host: str) -> bool:
    """Whether a host, as `host_of` gives it, is this very machine."""
    if is_address(host):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost" or host.endswith(".localhost")


def is_domain_list(value: object) -> TypeGuard[Sequence[str]]:
    """Whether a value from outside is a list of host names."""
    return isinstance(value, (list, tuple)) and all(isinstance(item, str) and host_of(item) for item in value)


def domains_named_in(text: str) -> list[str]:
    """The registrable domains that a text names, in URLs, e-mail addresses or alone, under public suffixes only."""
    words = re.split(r"[^\w.-]+", text[:MAX_TEXT].lower())
    found = (_SUFFIXES.privatesuffix(word.strip("."), accept_unknown=False) for word in words if "." in word.strip("."))
    return list(dict.fromkeys(domain for domain in found if domain))


def _cleaned(url: str) -> str:
    """What a browser's parser starts from: no blanks around, no tabs and line ends inside, only forward slashes."""
    return url[:MAX_URL].strip(_BLANK).translate(_DROPPED).replace("\\", "/")


def _normal(authority: str) -> str | None:
    """The bare host that a host and port mean; None where it is not valid."""
    if authority.startswith("["):
        return _address(authority[1:].partition("]")[0])
    host = unquote(authority.partition(":")[0])
    if len(host) > MAX_HOST + 1:
        return None
    try:
        host = (host if host.isascii() else host.encode("idna").decode("ascii")).lower().removesuffix(".")
    except UnicodeError:
        return None
    if not host or host.startswith(".") or _NO_HOST.search(host):
        return None
    return _address(host) if host.rpartition(".")[2][:1].isdigit() else host


def _address(host: str) -> str | None:
    """The IP address that a host spells, also octal, hexadecimal or as fewer than four numbers, as browsers take it."""
    try:
        return str(ipaddress.ip_address(host))
    except ValueError:
        pass
    try:
        *front, last = [_number(part) for part in host.split(".")]
    except ValueError:
        return None
    if len(front) > 3 or any(number > 255 for number in front) or last >= 256 ** (4 - len(front)):
        return None
    return str(ipaddress.IPv4Address(last + sum(number << 8 * (3 - place) for place, number in enumerate(front))))


def _number(part: str) -> int:
    """One number of an IPv4 address; ValueError for anything else."""
    if not part.isalnum() or not part.isascii() or len(part) > 16:
        raise ValueError(part)
    if part[:2].lower() == "0x":
        return int(part[2:] or "0", 16)
    return int(part, 8 if part.startswith("0") and part != "0" else 10)
