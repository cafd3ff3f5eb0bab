"""The site to which a URL belongs, and whether a link leaves a site.

Sites are separated by the public suffix list (https://publicsuffix.org/) with its private section, so that two
customers of one host (`a.github.io`, `b.github.io`) are two sites. The list takes longer to parse than the rest of the
start, so only modules that separate sites import this one.
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
    """Whether this link may lead to another site; relative URLs, anchors and queries do not.

    `example.com/path` counts as a host if its suffix is public, as in address bars and agents' tools.
    """
    text = cleaned(url)
    if scheme_of(text) == "about":  # about:blank is not a site
        return False
    if scheme_of(text) or text.startswith("//"):
        return True
    host = host_of(text)
    return host is not None and (is_address(host) or _SUFFIXES.privatesuffix(host, accept_unknown=False) is not None)


def registrable_domain(url_or_host: str) -> str | None:
    """The registered part of a host (`shop.example.co.uk` → `example.co.uk`); an IP address is returned unchanged.

    None if there is no host, or the host is a public suffix or a single label.
    """
    host = host_of(url_or_host)
    if host is None or is_address(host):
        return host
    domain: str | None = _SUFFIXES.privatesuffix(host)
    return domain


def is_public_suffix(allowed: str) -> bool:
    """Whether anyone may register a name below a listed domain (`co.uk`, `*.com`), so that it restricts nothing.

    Suffixes of private owners (`github.io`) are sites that a deployment may mean; `localhost` is not a suffix.
    """
    host = host_of(allowed.removeprefix("*."))
    return host is not None and _SUFFIXES.is_public(host, accept_unknown=False) and _registries().is_public(host)


@functools.cache
def _registries() -> Any:
    """Only the suffixes of registries: the list's ICANN section."""
    return PublicSuffixList(accept_unknown=False, only_icann=True)


def domains_named_in(text: str) -> list[str]:
    """The registrable domains that a text names, in URLs, e-mail addresses or alone, only under public suffixes."""
    words = re.split(r"[^\w.-]+", text[:MAX_TEXT].lower())
    found = (_SUFFIXES.privatesuffix(word.strip("."), accept_unknown=False) for word in words if "." in word.strip("."))
    return list(dict.fromkeys(domain for domain in found if domain))
