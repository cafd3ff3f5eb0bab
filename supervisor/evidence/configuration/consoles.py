"""Consoles that ask nobody for a login by themselves, shown by an Ingress or a proxy that asks nobody either."""

from __future__ import annotations

import re
from collections.abc import Iterator

from supervisor.evidence.configuration.fault import Block, Fact, Fault, Weight, entries, scalar, texts

# Names of services whose users are not asked who they are unless something before them does it.
_CONSOLES = re.compile(
    r"(?i)(?:^|[^a-z])(?:kafka-?ui|akhq|kafdrop|kowl|redis-?commander|redisinsight|mongo-?express|elasticsearch-head|cerebro"
    r"|elastichq|prometheus(?!-operator)|alertmanager|pushgateway|thanos-query|jaeger(?:-query|-ui)?|zipkin|flower|rq-?dashboard"
    r"|bull-?board|arena|mailhog|mailpit|mailcatcher|traefik-?dashboard|longhorn-?frontend|longhorn-?ui|kubeshark|kubernetes-dashboard"
    r"|headlamp|spark-?ui|spark-?history|flink-?jobmanager|hadoop|namenode|dagit|dagster-?webserver|mlflow|tensorboard|prefect"
    r"|temporal-?(?:ui|web)|consul-?ui|nomad|dozzle|netdata|cadvisor|node-exporter|adminer|phpmyadmin|swagger-?ui|actuator)(?:$|[^a-z])"
)
_LOGIN = re.compile(
    r"auth-?(?:url|type|signin|secret|tls|request|realm)|whitelist-?source|allowlist-?source|whitelist\.source|oauth|oidc|authelia"
    r"|basic-?auth|forwardauth|middlewares?|ipallowlist|ipwhitelist|waf|cognito|iap|inbound-cidrs|ip-?restriction|access-control"
    r"|external-?auth|jwt|authentik|keycloak|scheme$|internal"
)
_PRIVATE = re.compile(r"(?i)internal|private|intra|vpn|tailscale|cluster\.local|\.local$|\.lan$|localhost|127\.0\.0\.1")


def faults_of_consoles(block: Block) -> Iterator[Fact]:
    """An Ingress that shows such a console without a login."""
    values = block.values
    if scalar(values.get("kind")).lower() not in ("ingress", "httproute", "ingressroute"):
        return
    metadata = next(iter(entries(values.get("metadata"))), {})
    spec = next(iter(entries(values.get("spec"))), {})
    annotations = {
        str(key): scalar(value) for each in entries(metadata.get("annotations")) for key, value in each.items()
    }
    said = " ".join([*annotations, *annotations.values(), *_keys(spec)])
    hosts = " ".join(_named(spec, ("host", "hosts", "hostnames", "match")))
    if _LOGIN.search(said.lower()) or _PRIVATE.search(f"{hosts} {scalar(spec.get('ingressClassName'))}"):
        return
    shown = [scalar(metadata.get("name")), *_named(spec, ("serviceName", "name"))]
    console = next((found for name in shown if (found := _CONSOLES.search(name))), None)
    if console:
        name = console[0].strip("-_. ")
        yield Fact(Fault.LOGIN, f"console {name}", f"Ingress of {name} without a login before it", Weight.SERIOUS)


def _keys(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield str(key)
            yield from _keys(inner)
    elif isinstance(value, list):
        for each in value[:100]:
            yield from _keys(each)


def _named(value: object, names: tuple[str, ...]) -> Iterator[str]:
    """The scalars under these names, at any depth."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in names:
                yield from texts(inner)
            yield from _named(inner, names)
    elif isinstance(value, list):
        for each in value[:100]:
            yield from _named(each, names)
