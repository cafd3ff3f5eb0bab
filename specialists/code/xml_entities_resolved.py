"""Parses XML from outside with a parser that resolves external entities (CWE-611)."""

from collections.abc import Iterator

from supervisor.evidence.actions.programs import module
from supervisor.evidence.effects import Act
from supervisor.evidence.python import Call, Module
from supervisor.evidence.python.origins import Origin
from supervisor.evidence.python.sinks import Sinks
from supervisor.evidence.python.values import is_false, is_true
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

_TEXT = (0, "source", "text", "string", "stream")
_PARSES = Sinks(
    {f"lxml.etree.{name}": _TEXT for name in ("XML", "XMLID", "fromstring", "iterparse", "parse")}
    | {
        f"{library}.ElementTree.{name}": _TEXT
        for library in ("xml.etree",)
        for name in ("XML", "fromstring", "iterparse", "parse")
    }
    | {f"xml.dom.{library}.{name}": _TEXT for library in ("minidom", "pulldom") for name in ("parse", "parseString")}
    | {f"xml.sax.{name}": _TEXT for name in ("parse", "parseString")}
    | {"xmltodict.parse": _TEXT}
)
_FEATURES = ("feature_external_ges", "feature_external_pes", "external-general-entities", "external-parameter-entities")


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def xml_entities_resolved(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return judged(action, context, "xxe")
    seen = next(_resolving(code), None)
    if seen is None:
        return ok()
    return nudge(
        f"`{seen.text[:80]}` resolves the entities of a document, which can name local files or expand endlessly.",
        correction="Parse with defusedxml, with the same functions: `from defusedxml.ElementTree import fromstring`;"
        " with lxml, pass parser=etree.XMLParser(resolve_entities=False, no_network=True).",
        evidence=(seen.text,),
    )


def _resolving(code: Module) -> Iterator[Call]:
    for call in code.calls_of(("XMLParser", "XMLPullParser", "iterparse")):
        asked = any(is_true(code, call.keywords.get(name)) for name in ("resolve_entities", "load_dtd", "huge_tree"))
        if call.is_new and (asked or is_false(code, call.keywords.get("no_network"))) and "lxml" in call.name:
            yield call
    for call in code.calls_of(["setFeature"]):
        told = code.text(call.positional[0]) if call.positional else ""
        value = call.positional[1] if call.is_new and len(call.positional) > 1 else None
        is_on = value is not None and (is_true(code, value) or code.text(value) == "1")
        if is_on and told.strip("\"'").endswith(_FEATURES):
            yield call
    for found in _PARSES.reached(code, Origin.REQUEST | Origin.NETWORK):
        if "parser" not in found.call.keywords and len(found.call.positional) < 2:
            yield found.call
