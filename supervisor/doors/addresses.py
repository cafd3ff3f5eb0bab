"""The network addresses that a fetch may reach: public ones, and those that the policy allows."""

from __future__ import annotations

import ipaddress
from ipaddress import IPv4Address, IPv6Address

_NAT64 = ipaddress.ip_network("64:ff9b::/96")  # RFC 6052: the last 32 bits are an IPv4 address


def is_public(address: str) -> bool:
    """Whether an IP address belongs to the public internet.

    Private, loopback, link-local (cloud metadata), shared, reserved, multicast and unspecified addresses do not, also
    when wrapped in IPv6 (mapped, 6to4, Teredo, NAT64). See CWE-918.
    """
    ip = ipaddress.ip_address(address.partition("%")[0])
    inner = _wrapped(ip)
    return ip.is_global and not ip.is_multicast and (inner is None or is_public(str(inner)))


def is_allowed(host: str, address: str, allowed: tuple[str, ...]) -> bool:
    """Whether `allowed` names this host, or a network that contains this address."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    mapped = ip.ipv4_mapped if isinstance(ip, IPv6Address) else None
    return any(_names(entry, host, mapped or ip) for entry in allowed)


def _names(entry: str, host: str, ip: IPv4Address | IPv6Address) -> bool:
    try:
        return ip in ipaddress.ip_network(entry)
    except ValueError:
        return entry.lower().rstrip(".") == host.lower().rstrip(".")


def _wrapped(ip: IPv4Address | IPv6Address) -> IPv4Address | None:
    if isinstance(ip, IPv4Address):
        return None
    if ip in _NAT64:
        return IPv4Address(int(ip) & 0xFFFFFFFF)
    return ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None)
