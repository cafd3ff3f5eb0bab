"""Puts a client's text into an LDAP filter, an XPath expression or a MongoDB query (CWE-943)."""

from collections.abc import Iterator

from supervisor.evidence.actions.programs import module
from supervisor.evidence.effects import Act
from supervisor.evidence.python import Call, Module, Value
from supervisor.evidence.python.flows import origin_of
from supervisor.evidence.python.sinks import Sinks
from supervisor.evidence.python.templates import templates_of
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

_LDAP = Sinks(
    {f".{name}": (2, "filterstr", "search_filter") for name in ("search_ext", "search_ext_s", "search_s", "search_st")}
)
_LDAP3 = Sinks({".search": (1, "search_filter")})
_XPATHS = Sinks(
    {f".{name}": (0, "path", "_path") for name in ("xpath", "findall", "iterfind")} | {"lxml.etree.XPath": (0,)}
)
_MONGO = (
    "count_documents",
    "delete_many",
    "delete_one",
    "find",
    "find_one",
    "find_one_and_update",
    "update_many",
    "update_one",
)
_ADVICE = {
    "LDAP": "Escape the value: ldap.filter.escape_filter_chars(name), or ldap3.utils.conv.escape_filter_chars(name).",
    "XPath": 'Pass the value as a variable: tree.xpath("//user[@name = $name]", name=value).',
    "MongoDB": 'Convert it to text, so that it cannot be an operator: find_one({"name": str(data["name"])}).',
}


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def search_filter_from_client(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return judged(action, context, "search")
    for language, call, value in _queries(code):
        source = origin_of(code, value) if call.is_new else None
        if source is not None:
            return nudge(
                f"`{source}` becomes part of the {language} query `{code.text(value)[:60]}` and may change it.",
                correction=_ADVICE[language],
                evidence=(call.text,),
            )
    return ok()


def _queries(code: Module) -> Iterator[tuple[str, Call, Value]]:
    for table in (_LDAP, _LDAP3):
        for call, value in table.calls(code):
            if any("(" in text.words and "=" in text.words for text in templates_of(code, value)):
                yield "LDAP", call, value
    for call, value in _XPATHS.calls(code):
        if not any(name in call.keywords for name in ("variables",)):
            yield "XPath", call, value
    for call in code.calls_of(_MONGO):
        asked = call.positional[0] if call.positional else None
        if asked is not None and call.name.count(".") > 0 and _is_raw(call, asked):
            yield "MongoDB", call, asked


def _is_raw(call: Call, asked: Value) -> bool:
    """A whole query that a client sends, `$where` code, or JSON values, which may be operators."""
    code = call.code
    text = code.text(asked)
    if asked.type == "dictionary":
        values = [pair.named_children[-1] for pair in asked.named_children if pair.type == "pair"]
        return "$where" in text or any(_is_structure(code, value) for value in values)
    return asked.type != "string" and _is_structure(code, asked)


def _is_structure(code: Module, value: Value) -> bool:
    """Whether the value is a client's JSON, which may be more than a text."""
    made_plain = code.name_of(value).endswith(("str()", "int()", "ObjectId()"))
    return not made_plain and "json" in (origin_of(code, value) or "")
