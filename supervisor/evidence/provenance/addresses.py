"""The ways to write one web address: with and without scheme, `www.`, tracking parts and Punycode."""

from __future__ import annotations

import re
from collections.abc import Iterator

import re2

from supervisor.evidence.urls import MAX_HOST

_ADDRESS = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*://)?(?:www\.)?([^\s/?#@]+\.[^\s/?#@]{2,})((?:[/?#]\S*)?)")
_PREFIXED = re.compile(r"(?i)[a-z][a-z0-9+.-]*://|www\.")
# Parts of a query that only tell where a visitor came from (https://developers.google.com/analytics, utm_* and ids of
# clicks).
_TRACKS = re2.compile(r"(?i)^(?:utm_\w+|gclid|fbclid|msclkid|dclid|yclid|mc_[ce]id|igshid|_ga|ref_src)=")


def bare_forms(address: str) -> list[str]:
    """Shorter and other spellings of a web address, which lead to the same page; empty for what is none."""
    found = _ADDRESS.fullmatch(address.strip())
    if found is None or not (found[1].rpartition(".")[2][:1].isalpha()):
        return []
    rest = _untracked(found[2])
    hosts = [found[1], *_other_alphabet(found[1])]
    if not _PREFIXED.match(address) and len(hosts) == 1 and rest == found[2]:
        return []  # it is bare
    return [f"{host}{rest}" for host in hosts]


def _untracked(rest: str) -> str:
    """The path and query of an address without tracking parts and a fragment."""
    path, _, query = rest.partition("#")[0].partition("?")
    kept = [part for part in query.split("&") if part and not _TRACKS.search(part)]
    return f"{path}?{'&'.join(kept)}" if kept else path


def _other_alphabet(host: str) -> Iterator[str]:
    """A host in Punycode as browsers display it, and one in other letters in Punycode (RFC 3492)."""
    host = host[:MAX_HOST]
    try:
        other = host.encode("idna").decode("ascii") if not host.isascii() else host.encode("ascii").decode("idna")
    except UnicodeError:
        return
    if other != host.lower():
        yield other
