r"""The host to which a URL really leads.

Hosts are parsed as browsers parse them (WHATWG URL Standard, https://url.spec.whatwg.org/), because the destination of
a click matters: `https://bank.com@evil.com`, `https:\\evil.com`, a tab inside the scheme, full-width dots.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence
from typing import TypeGuard
from urllib.parse import unquote

MAX_URL = 16 * 1024  # characters; the rest is not read
MAX_HOST = 253  # RFC 1035, section 2.3.4

_BLANK = "".join(map(chr, range(33)))
_DROPPED = dict.fromkeys(map(ord, "\t\r\n"))
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_WEB = frozenset(("http", "https", "ws", "wss", "ftp"))
_HOSTLESS = frozenset(("javascript", "data", "vbscript", "blob", "about", "file", "mailto", "tel", "sms"))
_NO_HOST = re.compile(r"[\x00-\x20#/:<>?@\\^|%\x7f]")


def host_of(url_or_host: str) -> str | None:
    """The host that a browser would connect to: lower case, Punycode, no trailing dot.

    Takes URLs with or without a scheme. None for relative URLs that start with `/`, `?`, `#` or `.`, for `javascript:`
    and the like, and for invalid hosts.
    """
    text = cleaned(url_or_host)
    scheme = scheme_of(text)
    rest = text[len(scheme) + 1 :] if scheme else text
    if scheme in _WEB or rest.startswith("//"):
        rest = rest.lstrip("/")
    elif scheme:
        return None
    authority = re.split(r"[/?#]", rest, maxsplit=1)[0]
    return _normal(authority.rpartition("@")[2])


def scheme_of(url: str) -> str:
    """The scheme in lower case; empty if there is none (`example.com:8080/path` has a port, not a scheme)."""
    text = cleaned(url)
    found = _SCHEME.match(text)
    if found is None:
        return ""
    scheme, rest = found[1].lower(), text[found.end() :]
    if scheme in _WEB or scheme in _HOSTLESS or rest.startswith("//"):
        return scheme
    return "" if rest[:1].isdigit() else scheme


def within(url_or_host: str, allowed: str) -> bool:
    """Whether a host is `allowed` or lies below it.

    `example.com` and `*.example.com` admit the whole site; `shop.example.com` admits itself and hosts below it, but not
    its parent.
    """
    host, listed = host_of(url_or_host), host_of(allowed.removeprefix("*."))
    return host is not None and listed is not None and (host == listed or host.endswith(f".{listed}"))


def is_address(host: str) -> bool:
    """Whether a host, as returned by `host_of`, is an IP address."""
    return (host[0].isdigit() and host.replace(".", "").isdigit()) or ":" in host


def is_local(host: str) -> bool:
    """Whether a host, as returned by `host_of`, is this machine."""
    if is_address(host):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost" or host.endswith(".localhost")


def is_domain_list(value: object) -> TypeGuard[Sequence[str]]:
    """Whether a value from outside is a list of host names."""
    return isinstance(value, (list, tuple)) and all(isinstance(item, str) and host_of(item) for item in value)


def cleaned(url: str) -> str:
    """A URL as browsers normalise it first: no blanks around it, no tabs and line ends inside, only forward slashes."""
    return url[:MAX_URL].strip(_BLANK).translate(_DROPPED).replace("\\", "/")


def _normal(authority: str) -> str | None:
    """The host of a host and port; None if it is invalid."""
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
    """The IP address that a host spells, also in octal, hexadecimal or fewer than four numbers, as browsers read it."""
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
    """One number of an IPv4 address. Raises ValueError for anything else."""
    if not part.isalnum() or not part.isascii() or len(part) > 16:
        raise ValueError(part)
    if part[:2].lower() == "0x":
        return int(part[2:] or "0", 16)
    return int(part, 8 if part.startswith("0") and part != "0" else 10)
