"""Manifests of apps: components that every other app may start, and connections without checks."""

from __future__ import annotations

from collections.abc import Iterator

from supervisor.evidence.configuration.documents import Document
from supervisor.evidence.configuration.fault import Block, Fact, Fault, Weight, entries, is_on, scalar, texts

_COMPONENTS = frozenset({"activity", "activityalias", "service", "receiver", "provider"})
_PERMISSIONS = tuple(f"android:{name}" for name in ("permission", "readpermission", "writepermission"))
# What the system or a browser starts by design.
_BY_DESIGN = (
    "android.intent.action.main",
    "android.intent.category.launcher",
    "android.intent.category.leanback_launcher",
    "android.intent.category.browsable",
    "android.intent.action.view",
    "android.intent.action.send",
    "android.appwidget.action",
    "com.google.firebase",
    "android.intent.action.boot_completed",
    "android.service",
    "androidx.",
    "com.google.android.c2dm",
    "android.media.browse",
    "android.accounts",
)


def faults_of_apps(document: Document) -> Iterator[Fact]:
    """What a manifest opens. That of a debug or test variant is never released."""
    path = document.path.lower()
    if not path.endswith("manifest.xml") or "/debug/" in path or "/androidtest/" in path or "/test/" in path:
        return
    for block in document.blocks:
        if block.path[-1:] and block.path[-1] in _COMPONENTS:
            yield from _of_component(block)
        if block.path[-1:] == ("application",) and is_on(block.values.get("android:debuggable")):
            yield Fact(Fault.OPEN, "debuggable", block.shown("android:debuggable"))


def _of_component(block: Block) -> Iterator[Fact]:
    values = block.values
    if not is_on(values.get("android:exported")) or any(scalar(values.get(name)) for name in _PERMISSIONS):
        return
    kind, name = block.path[-1], scalar(values.get("android:name")).rpartition(".")[2]
    filters = " ".join(_said(each) for each in entries(values.get("intentfilter") or values.get("intent-filter")))
    if any(word in filters for word in _BY_DESIGN) or name.lower() in ("mainactivity", "launcheractivity"):
        return
    is_data = kind == "provider"
    weight = Weight.SERIOUS if is_data or not filters else Weight.SLIGHT
    yield Fact(
        Fault.OPEN, f"exported {kind} {name}", f"{kind} {name}: android:exported: true without a permission", weight
    )


def _said(value: object) -> str:
    if isinstance(value, dict):
        return " ".join(_said(each) for each in value.values())
    if isinstance(value, list):
        return " ".join(_said(each) for each in value)
    return " ".join(texts(value)).lower()
