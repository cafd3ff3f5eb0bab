"""XML as a tree: manifests of Android, property lists, build files, settings of servers; whole, or the part that an
edit brings. No entity is resolved and nothing is fetched.
"""

from __future__ import annotations

import re

from supervisor.evidence.configuration.trees import put

_TAG = re.compile(
    r"<!--[\s\S]*?(?:-->|\Z)|<!\[CDATA\[(?P<data>[\s\S]*?)(?:\]\]>|\Z)|<[?!][^>]*>"
    r"|<(?P<close>/)?(?P<name>[A-Za-z_][\w.:-]*)(?P<attributes>(?:[^<>\"']|\"[^\"]*\"|'[^']*')*?)(?P<alone>/)?>|(?P<text>[^<]+)"
)
_ATTRIBUTE = re.compile(r"([\w.:-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&"}
_ENTITY = re.compile("|".join(_ENTITIES))
_MOST_DEPTH = 60


class _Element:
    __slots__ = ("name", "text", "values")

    def __init__(self, name: str) -> None:
        self.name, self.text = name, ""
        self.values: dict[str, object] = {}


def xml_tree(text: str) -> dict[str, object]:
    """The elements of a text by their names, with their attributes; an element with neither is its text."""
    root = _Element("")
    above = [root]
    for tag in _TAG.finditer(text):
        if tag["data"] is not None or tag["text"] is not None:
            above[-1].text += tag["data"] if tag["data"] is not None else _plain(tag["text"])
        elif tag["close"]:
            _close(above, tag["name"])
        elif tag["name"]:
            element = _Element(tag["name"])
            for name, double, single in _ATTRIBUTE.findall(tag["attributes"]):
                put(element.values, name, _plain(double or single))
            above.append(element)
            if tag["alone"] or len(above) > _MOST_DEPTH:
                _close(above, tag["name"])
    while len(above) > 1:
        _close(above, above[-1].name)
    return root.values


def _close(above: list[_Element], name: str) -> None:
    """Ends the innermost element with this name, and those within it; none if there is no such element."""
    if not any(each.name == name for each in above[1:]):
        return
    while len(above) > 1:
        element = above.pop()
        put(above[-1].values, element.name, _value(element))
        if element.name == name:
            return


def _value(element: _Element) -> object:
    text = element.text.strip()
    if not element.values:
        return text
    if element.name == "dict" and "key" in element.values:
        return element.values
    if text:
        element.values["text"] = text
    return element.values


def _plain(text: str) -> str:
    return _ENTITY.sub(lambda found: _ENTITIES[found[0]], text)


_PAIR = re.compile(r"<key>\s*([^<]{1,100}?)\s*</key>\s*<(true|false|string|integer)\s*(?:/>|>([^<]{0,400})</)")


def property_list(text: str) -> dict[str, object]:
    """The names of a property list with their plain values."""
    values: dict[str, object] = {}
    for name, kind, value in _PAIR.findall(text):
        put(values, name, kind if kind in ("true", "false") else value.strip())
    return values
