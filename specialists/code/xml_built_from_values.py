"""Writes values into the text of an XML document without escaping them (CWE-91)."""

import re

from supervisor.evidence.actions.programs import NO_PYTHON, module
from supervisor.evidence.effects import Act
from supervisor.evidence.python import Module, Value
from supervisor.evidence.python.flows import origin_of
from supervisor.evidence.python.sinks import Sinks, built_texts
from supervisor.evidence.python.templates import Template, templates_of
from supervisor.evidence.python.values import is_fixed
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

# Arguments that are XML documents with instructions for a service.
_DOCUMENTS = Sinks({".create": (9, "twiml"), ".update": (9, "twiml"), ".insert_xml": (0,)})
_XML = re.compile(r"\s{0,20}<(?:\?xml|soap|Response>|[a-z]{1,20}:Envelope)")
_ESCAPES = ("escape", "quoteattr", "saxutils")


@specialist("python", "file_write", "file_edit", "shell", about=[Act.CODE])
def xml_built_from_values(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return refuse(NO_PYTHON)
    for _, value in _DOCUMENTS.calls(code):
        for text in templates_of(code, value):
            for _, hole in text.holes():
                if "<" in text.words and not is_fixed(code, hole) and not _is_escaped(code, hole):
                    return _corrected(code, value, hole)
    for node, text in built_texts(code):
        inserted = _from_client(code, text) if code.is_new(node) else None
        if inserted is not None:
            return _corrected(code, node, inserted)
    return ok()


def _from_client(code: Module, text: Template) -> Value | None:
    if not _XML.match(text.words):
        return None
    return next((hole for _, hole in text.holes() if origin_of(code, hole) and not _is_escaped(code, hole)), None)


def _is_escaped(code: Module, hole: Value) -> bool:
    value = next(iter(code.values_by_name.get(code.text(hole), ())), hole)
    return value.type == "call" and any(word in code.name_of(value) for word in _ESCAPES)


def _corrected(code: Module, value: Value, hole: Value) -> Opinion:
    name = code.text(hole)[:60]
    return nudge(
        f"`{name}` is written into XML unescaped; a `<` in it begins an unintended element.",
        correction=f"Build the document with its library (twilio.twiml.voice_response.VoiceResponse().say({name}),"
        f" xml.etree.ElementTree.SubElement), or escape the value: xml.sax.saxutils.escape({name}).",
        evidence=(code.text(value)[:200],),
    )
