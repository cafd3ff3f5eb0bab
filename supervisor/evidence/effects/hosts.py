"""The sort of host that a program connects to, and the services that collect data from any sender."""

from __future__ import annotations

import contextlib
import ipaddress

from supervisor.evidence.reading.paths import HOLE, Place
from supervisor.evidence.urls import host_of, is_address, within

# Suffixes that public DNS never resolves (RFC 6761, 6762, 8375), and the usual ones of private networks.
_NEAR_SUFFIXES = (
    ".cluster.local .corp .docker.internal .home .home.arpa .internal .intra .intranet .invalid .lan .local "
    ".localdomain .localhost .private .svc .test"
)
_NEAR = tuple(_NEAR_SUFFIXES.split())
# Loopback, private, shared and link-local addresses (RFC 1122, 1918, 3927, 4193, 4291, 6598).
_NETWORKS = "0.0.0.0/32 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.168.0.0/16"
_NEAR_NETWORKS = [ipaddress.ip_network(network) for network in (*_NETWORKS.split(), "::1", "fc00::/7", "fe80::/10")]
# Services that show or forward all data they receive to anyone who has the address.
_COLLECTORS = (
    "0x0.st beeceptor.com bashupload.com burpcollaborator.net canarytokens.com catbox.moe controlc.com dnslog.cn "
    "dpaste.com dpaste.org envs.sh file.io filebin.net gofile.io hookb.in hookbin.com interact.sh interactsh.com "
    "ix.io litterbox.catbox.moe mockbin.org ngrok-free.app ngrok.app ngrok.io oast.fun oast.live oast.me "
    "oast.online oast.pro oast.site oastify.com paste.ee paste.rs paste.sh pastebin.com pastebin.pl pipedream.net "
    "postb.in ptsv2.com ptsv3.com requestbin.com requestbin.net requestcatcher.com rentry.co sprunge.us temp.sh "
    "tmpfiles.org transfer.sh trycloudflare.com typedwebhook.tools uguu.se webhook.cool webhook.site webhook.test "
    "paste.c-net.org loca.lt serveo.net termbin.com clbin.com"
)
COLLECTORS = frozenset(_COLLECTORS.split())


def place_of_host(host: str | None) -> Place:
    """NEAR for this machine and its network, REMOTE for other hosts, UNKNOWN if the text does not give the host."""
    if not host or host.startswith(HOLE):
        return Place.UNKNOWN
    if is_address(host) and (address := _address(host)):
        return Place.NEAR if any(address in network for network in _NEAR_NETWORKS) else Place.REMOTE
    if host.isdecimal():  # a number that is too large for any address
        return Place.REMOTE
    if "." not in host or host.endswith(_NEAR):  # a name without a dot is an alias or a neighbour
        return Place.NEAR
    return Place.REMOTE


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The IP address that a host is, also if written as one number; None for lookalikes: `123.456.7.8`, `h:22`."""
    for spelled in (host, host_of(host)):
        with contextlib.suppress(ValueError):
            return ipaddress.ip_address(spelled or "")
    return None


def host_in(word: str) -> str:
    """The host that a URL or a bare host names, with a HOLE for each part that is not known."""
    host = host_of(word.replace(HOLE, "hole--")) if HOLE in word else host_of(word)
    return HOLE if host is None or host == "hole--" else host.replace("hole--", HOLE)


def host_of_copy(word: str) -> str | None:
    """The host in `user@host:path` or `scheme://host/path`, as scp and rsync read it; None for a local path."""
    if "://" in word:
        return host_in(word)
    before, colon, _ = word.partition(":")
    if not colon or "/" in before:
        return None
    name = before.rpartition("@")[2]
    return name.lower() if len(name) != 1 else None  # `C:` is a drive


def is_collector(host: str) -> bool:
    """Whether a host is a service on which anyone can collect data that others send."""
    domain = host.lower()
    while domain:
        if domain in COLLECTORS:
            return True
        domain = domain.partition(".")[2]
    return False


def is_among(host: str, domains: object) -> bool:
    """Whether a host belongs to the domains that a deployment lists."""
    listed = domains if isinstance(domains, (list, tuple)) else ()
    return any(isinstance(domain, str) and within(host, domain) for domain in listed)
