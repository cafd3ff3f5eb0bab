"""Which site a URL belongs to, and whether it leaves another.

Sites are told apart by the public suffix list (https://publicsuffix.org/), private section included, so that two
customers of one host (`a.github.io`, `b.github.io`) are two sites. The list takes longer to parse than all else that
a start does, so only those who tell sites apart import this module.
"""

from __future__ import annotations

import functools
import re
from typing import Any

from publicsuffixlist import PublicSuffixList

from supervisor.evidence.urls import cleaned, host_of, is_address, scheme_of

MAX_TEXT = 64 * 1024  # characters

_SUFFIXES = PublicSuffixList()


def leaves_page(url: str) -> bool:
    """Whether following this link may lead to another site: not so for relative URLs, anchors and queries.

    `example.com/path` is taken for a host, as address bars and agents' tools do, where its suffix is a public one.
    """
    text = cleaned(url)
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


def domains_named_in(text: str) -> list[str]:
    """The registrable domains that a text names, in URLs, e-mail addresses or alone, under public suffixes only."""
    words = re.split(r"[^\w.-]+", text[:MAX_TEXT].lower())
    found = (_SUFFIXES.privatesuffix(word.strip("."), accept_unknown=False) for word in words if "." in word.strip("."))
    return list(dict.fromkeys(domain for domain in found if domain))
