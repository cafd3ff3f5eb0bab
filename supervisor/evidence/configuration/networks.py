"""Rules of firewalls and security groups that let everybody in, in Terraform, CloudFormation and others; hosts that may
log in to PostgreSQL; servers that listen to everybody and ask nobody."""

from __future__ import annotations

import re
from collections.abc import Iterator

from supervisor.evidence.configuration.documents import Document
from supervisor.evidence.configuration.fault import Block, Fact, Fault, Weight, entries, is_off, scalar, texts

# Ports on which machines and databases are administered. The web, mail and names are for everybody.
ADMINISTRATION = (
    frozenset(
        (
            20,
            21,
            22,
            23,
            111,
            135,
            137,
            139,
            389,
            445,
            512,
            513,
            514,
            873,
            1099,
            1433,
            1434,
            1521,
            2049,
            2181,
            2375,
            2376,
        )
    )
    | frozenset(
        (
            2379,
            2380,
            3268,
            3306,
            3389,
            4243,
            4444,
            5432,
            5433,
            5601,
            5672,
            5900,
            5901,
            5984,
            5985,
            5986,
            6379,
            6380,
            7000,
        )
    )
    | frozenset(
        (
            7001,
            7199,
            7474,
            7687,
            8086,
            8500,
            9042,
            9092,
            9200,
            9300,
            10250,
            10255,
            11211,
            15672,
            26257,
            27017,
            27018,
            28017,
            33060,
            50000,
            50070,
        )
    )
)
_EVERYBODY = frozenset({"0.0.0.0/0", "::/0", "0.0.0.0", "[::]", "::", "*", "any", "internet", "0/0", "0.0.0.0/1"})
_FROM = (
    "cidrblocks ipv6cidrblocks cidrip cidripv6 cidripv4 cidr cidrs sourceranges sourceaddressprefix"
    " sourceaddressprefixes"
    " remoteipprefix sourcecidr sourceips sourceaddresses ipranges".split()
)
_PORTS = (
    "fromport toport ports port destinationportrange destinationportranges portrange portrangemin portrangemax".split()
)
_MOST_PORTS = 100  # of a range that is opened on purpose
_OUTWARD = re.compile(r"egress|outbound", re.IGNORECASE)


def is_everybody(address: str) -> bool:
    """Whether a range of addresses is all of them."""
    return address.strip().lower() in _EVERYBODY


def faults_of_firewalls(block: Block) -> Iterator[Fact]:
    """An inward rule that lets every address reach ports of administration, or all ports."""
    key = next((name for name in _FROM if any(is_everybody(each) for each in texts(block.values.get(name)))), None)
    if key is None or not _is_inward(block):
        return
    ports = list(_ranges(block))
    names = [name for name in _PORTS if name in block.values]
    text = block.shown(*names, key)
    if _is_every_protocol(block) or any(last - first >= _MOST_PORTS for first, last in ports):
        yield Fact(Fault.OPEN, "from everybody: all ports", text)
    elif found := sorted(port for port in ADMINISTRATION if any(first <= port <= last for first, last in ports)):
        yield Fact(Fault.OPEN, f"from everybody: {found[0]}", text)


def _is_inward(block: Block) -> bool:
    values = block.values
    if _OUTWARD.search(".".join(block.path[-3:])):
        return False
    said = " ".join(scalar(values.get(name)) for name in ("type", "direction"))
    if _OUTWARD.search(said) or scalar(values.get("access")).lower() == "deny" or "deny" in values:
        return False
    return any(name in values for name in (*_PORTS, "ipprotocol", "protocol", "allow", "allowed"))


def _is_every_protocol(block: Block) -> bool:
    protocol = scalar(block.values.get("ipprotocol") or block.values.get("protocol")).lower()
    inner = [scalar(each.get("protocol")).lower() for each in entries(block.values.get("allow"))]
    return protocol == "-1" or "all" in inner or (protocol in ("all", "any") and not list(_ranges(block)))


def _ranges(block: Block) -> Iterator[tuple[int, int]]:
    values = block.values
    first, last = (
        scalar(values.get("fromport", values.get("portrangemin"))),
        scalar(values.get("toport", values.get("portrangemax"))),
    )
    if first.isdecimal() and (last.isdecimal() or not last):
        yield int(first), int(last or first)
    listed = [values.get(name) for name in _PORTS[2:]]
    listed += [each.get("ports") for each in (*entries(values.get("allow")), *entries(values.get("allowed")))]
    for text in texts(listed):
        low, _, high = text.partition("-")
        if text == "*":
            yield 0, 65535
        elif low.isdecimal() and (high.isdecimal() or not high):
            yield int(low), int(high or low)


def faults_of_policies(block: Block) -> Iterator[Fact]:
    """A NetworkPolicy that lets every address reach ports of administration."""
    if block.path[-1:] != ("ingress",) or not {"from", "ports"} <= block.values.keys():
        return
    blocks = [each for source in entries(block.values["from"]) for each in entries(source.get("ipBlock"))]
    ports = [scalar(each.get("port")) for each in entries(block.values["ports"])]
    if any(is_everybody(scalar(each.get("cidr"))) and not each.get("except") for each in blocks):
        for port in ports:
            if port.isdecimal() and int(port) in ADMINISTRATION:
                yield Fact(Fault.OPEN, f"from everybody: {port}", f"ingress from 0.0.0.0/0 to port {port}")


def faults_of_host_rules(block: Block) -> Iterator[Fact]:
    """`host all all 0.0.0.0/0 md5` opens the database, `trust` lets anybody in."""
    if block.path[-1:] != ("hba",):
        return
    address, method = scalar(block.values.get("address")), scalar(block.values.get("method")).lower()
    text = " ".join(scalar(each) for each in block.values.values())
    is_near = address in ("local", "localhost", "samehost", "127.0.0.1/32", "::1/128", "127.0.0.1/8")
    if method in ("trust", "password"):
        if method == "trust" or not is_near:
            weight = (
                Weight.SLIGHT
                if is_near
                else Weight.GRAVE
                if is_everybody(address) or address == "all"
                else Weight.SERIOUS
            )
            yield Fact(Fault.LOGIN, f"{method} {address}", text, weight)
    elif (is_everybody(address) or address == "all") and method != "reject":
        yield Fact(Fault.OPEN, f"host {address}", text)


def faults_of_servers(document: Document) -> Iterator[Fact]:
    """A server that listens on every address and whose settings say that nobody logs in."""
    for block in document.blocks:
        values = block.values
        bound = texts(values.get("bind"))
        is_open = any(word in ("0.0.0.0", "*", "::") for text in bound for word in text.split())
        if is_open and (
            "protectedmode" in values or "appendonly" in values or "tcpkeepalive" in values or "redis" in document.path
        ):
            asks = scalar(values.get("requirepass")) or "aclfile" in values or "user" in values
            if not asks:
                weight = Weight.GRAVE if is_off(values.get("protectedmode")) else Weight.SERIOUS
                yield Fact(Fault.OPEN, "bind everybody", block.shown("bind"), weight)
        if "addheader" in values:
            yield from _every_site(block)
        if "alias" in values and (place := _PREFIX.match(block.path[-1] if block.path else "")):
            alias = scalar(values["alias"])
            if alias.endswith("/") and not place[1].endswith("/"):  # /files../etc/passwd
                yield Fact(
                    Fault.OPEN, f"alias {place[1]}", f"location {place[1]}: alias {alias} opens the folder above it"
                )


_PREFIX = re.compile(r"^location(?:\^~)?(/[\w./-]+)$")
_ANY_ORIGIN = re.compile(r"(?i)^access-control-allow-origin\s+[\"']?(?:\*|\$http_origin)")
_WITH_LOGIN = re.compile(r"(?i)^access-control-allow-credentials\s+[\"']?true")


def _every_site(block: Block) -> Iterator[Fact]:
    headers = texts(block.values.get("addheader"))
    if any(map(_ANY_ORIGIN.match, headers)) and any(map(_WITH_LOGIN.match, headers)):
        yield Fact(Fault.OPEN, "every origin with credentials", "add_header Access-Control-Allow-Origin for every site")
