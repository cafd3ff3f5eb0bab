"""Containers in Compose and Kubernetes: what they mount of the machine, which image they run, which ports they open.

Agents of a cluster that are made to see the machine (metrics, logs, networks, disks) are told by their images.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from supervisor.evidence.configuration.documents import Document
from supervisor.evidence.configuration.fault import Block, Fact, Fault, Weight, entries, scalar, short, texts
from supervisor.evidence.configuration.networks import ADMINISTRATION, is_everybody

# Images whose work is the machine below them.
MADE_FOR_HOST = re.compile(
    r"(?:^|/)(?:node[-_]?exporter|cadvisor|fluent-?(?:bit|d)|filebeat|metricbeat|promtail|alloy|vector"
    r"|telegraf|datadog"
    r"|agent|falco|falcoctl|cilium\w*|calico[\w-]*|node|cni|flannel|weave\w*|kube-proxy|kured|csi[\w-]*"
    r"|[\w-]*csi[\w-]*"
    r"|livenessprobe|[\w-]*driver[\w-]*|nvidia\S*|k8s-device-plugin|device-plugin|dcgm-exporter|longhorn\S*|rook"
    r"|node-problem-detector|node-feature-discovery|tonistiigi/binfmt|binfmt|dind|docker|buildkit|k3s|kind"
    r"|kindest|traefik"
    r"|nginx-proxy|portainer[\w-]*|watchtower|dozzle|netdata|autoheal|cadvisor|beszel[\w-]*|homepage|diun|localstack)"
    r"(?=[:@]|$)"
)
_SOCKET = re.compile(r"(?:^|/)(?:docker|containerd|crio|podman)[\w./-]*\.sock$")
_WHOLE = re.compile(
    r"^/(?:|etc|root|home|boot|dev|proc|sys|usr|lib|var|var/lib|var/lib/(?:docker|kubelet)|run|var/run)/?$"
)
_LOOPBACK = ("127.", "localhost", "[::1]", "::1")


def faults_of_containers(document: Document) -> Iterator[Fact]:
    """What each container of a document gets of its machine, and what it shows to the network."""
    if "image" not in document.text and "volumes" not in document.text and "ostPath" not in document.text:
        return
    whole = MADE_FOR_HOST.search(" ".join(_images(document)))
    for block in document.blocks:
        image = scalar(block.values.get("image"))
        yield from _mounted(block, image, made_for_it=whole is not None)
        yield from _published(block, image)
        if image and (loose := floating(image)):
            yield Fact(Fault.FLOATING, f"image={image}", f"image: {short(image)} ({loose})", Weight.SLIGHT)


def _images(document: Document) -> Iterator[str]:
    for block in document.blocks:
        yield scalar(block.values.get("image")).partition("@")[0] + " "


def is_made_for_host(document: Document) -> bool:
    """Whether an image of a document exists to work on the machine below it."""
    return any(MADE_FOR_HOST.search(image.strip()) for image in _images(document))


def is_for_this_machine(document: Document) -> bool:
    """Whether every port that the services of a document publish is one of the machine's own address."""
    levels = [block for block in document.blocks if len(block.path) > 1 and block.path[-2] == "services"]
    ports = [port for block in levels for port in texts(block.values.get("ports"))]
    return bool(ports) and all(port.startswith(_LOOPBACK) for port in ports)


def _mounted(block: Block, image: str, *, made_for_it: bool) -> Iterator[Fact]:
    """`/:/host`, `hostPath: {path: /}` and the socket of the container engine."""
    for each in _sources(block):
        source, readable = each
        if _SOCKET.search(source):
            weight = Weight.SERIOUS if "hostpath" in block.path and not made_for_it else Weight.SLIGHT
        elif _WHOLE.match(source):
            weight = (
                Weight.SLIGHT if made_for_it or (readable and source not in ("/", "/etc", "/root")) else Weight.SERIOUS
            )
        else:
            continue
        yield Fact(Fault.HOST, f"mount={source.rstrip('/') or '/'}", f"{source} of the host is mounted", weight)


def _sources(block: Block) -> Iterator[tuple[str, bool]]:
    """The paths of the machine that a level mounts, each with whether it is mounted for reading alone."""
    if block.path and block.path[-1] == "hostpath" and (path := scalar(block.values.get("path"))):
        yield path, False
    if "image" not in block.values and "build" not in block.values and not _is_service(block):
        return
    volumes = block.values.get("volumes")
    for each in volumes if isinstance(volumes, list) else ():
        if isinstance(each, str):
            parts = each.split(":")
            if len(parts) > 1 and parts[0].startswith(("/", "~")):
                yield parts[0], "ro" in parts[-1].split(",")
        elif isinstance(each, dict) and scalar(each.get("type")) == "bind":
            yield scalar(each.get("source")), scalar(each.get("read_only")) == "true"


def _is_service(block: Block) -> bool:
    return (len(block.path) > 1 and block.path[-2] == "services") or not block.path


_PORT = re.compile(
    r"^(?:(?P<host>\[[^\]]*\]|[\w.${}:-]*?):)?(?P<from>\d{1,5})(?:-\d{1,5})?:(?P<to>\d{1,5})(?:-\d{1,5})?(?:/\w+)?$"
)


def _published(block: Block, image: str) -> Iterator[Fact]:
    """Ports of a database or of an administration that every network reaches."""
    ports = block.values.get("ports")
    if not isinstance(ports, list) or "kind" in block.values:
        return
    for each in ports[:100]:
        if isinstance(each, dict):
            host, inside = scalar(each.get("host_ip")), scalar(each.get("target"))
            if not scalar(each.get("published")):
                continue
        else:
            found = _PORT.match(scalar(each).strip())
            if found is None:
                continue
            host, inside = found["host"] or "", found["to"]
        if host.startswith((*_LOOPBACK, "$", "10.", "192.168.", "172.")) or not inside.isdecimal():
            continue
        if int(inside) in ADMINISTRATION:
            weight = Weight.SERIOUS if is_everybody(host) or int(inside) in (2375, 2376) else Weight.SLIGHT
            yield Fact(Fault.OPEN, f"publishes={inside}", f"ports: {short(each)} is open on every interface", weight)


def floating(image: str) -> str:
    """Why an image may become another one; empty if its version or digest is given, or only running tells it."""
    if "@" in image or "$" in image or "{{" in image or "template" in image or not image.strip():
        return ""
    name, _, tag = image.rpartition("/")[2].partition(":")
    if not tag and name != "scratch":
        return "no version"
    return "a tag that moves" if tag in ("latest", "main", "master", "edge", "nightly", "dev", "canary") else ""


_OPENED = ("loadbalancer", "nodeport")


def faults_of_services(block: Block) -> Iterator[Fact]:
    """A Service of Kubernetes that shows a database to the outside."""
    values = block.values
    if scalar(values.get("type")).lower() not in _OPENED or "ports" not in values or "selector" not in values:
        return
    ranges = texts(values.get("loadbalancersourceranges"))
    if ranges and not any(is_everybody(each) for each in ranges):
        return
    for port in entries(values.get("ports")):
        given = {scalar(port.get(name)) for name in ("port", "targetPort")}
        if found := sorted(each for each in given if each.isdecimal() and int(each) in ADMINISTRATION):
            text = f"type: {scalar(values['type'])}, port: {found[0]}"
            yield Fact(Fault.OPEN, f"service={found[0]}", text)
