"""Other names for a tool and its arguments, and other shapes of the arguments, that mean the same call."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from supervisor.action import strings_in
from supervisor.catalog.cases import proposal_of
from supervisor.catalog.failure_mode import Case
from supervisor.intake.kinds import snake
from tests.generality.calls.judging import history_of, with_history

Respelling = Callable[[str], str]
_NAMES = yaml.safe_load(Path(__file__).with_name("names.yaml").read_text(encoding="utf-8"))
_WHOLE_AMOUNTS = ("amount", "total", "sum", "value", "amount_usd")  # arguments in whole units of a currency
_ACRONYMS = {"id": "ID", "url": "URL", "sms": "SMS", "iban": "IBAN", "cc": "CC", "bcc": "BCC"}


def _camel(name: str) -> str:
    first, *rest = snake(name).split("_")
    return first + "".join(word.capitalize() for word in rest)


def _pascal(name: str) -> str:
    return "".join(_ACRONYMS.get(word, word.capitalize()) for word in snake(name).split("_"))


def _camel_with_acronyms(name: str) -> str:
    first, *rest = snake(name).split("_")
    return first + "".join(_ACRONYMS.get(word, word.capitalize()) for word in rest)


def _kebab(name: str) -> str:
    return snake(name).replace("_", "-")


# How a tool is written, and how an argument is. A name in a route (`POST /v1/refunds`) is written in one way.
TOOL_STYLES: dict[str, Respelling] = {
    "camelCase": _camel,
    "PascalCase": _pascal,
    "kebab-case": _kebab,
    "MCP prefix": lambda name: f"mcp__backoffice__{snake(name)}",
    "namespace": lambda name: f"backoffice.{snake(name)}",
    "functions prefix": lambda name: f"functions.{name}",
    "server prefix": lambda name: f"backoffice-{_kebab(name)}",
}
ARGUMENT_STYLES: dict[str, Respelling] = {
    "camelCase arguments": _camel_with_acronyms,
    "PascalCase arguments": _pascal,
    "kebab-case arguments": _kebab,
}


def renamings(case: Case) -> Iterator[tuple[str, Case]]:
    """The same call under other names. No name is changed that the task or an output quotes."""
    if " " not in case.tool and "/" not in case.tool and not _is_quoted(case, case.tool):
        for title, spell in TOOL_STYLES.items():
            yield f"tool in {title}", _with_tool(case, spell(case.tool))
        for other in _synonyms(_NAMES["tools"], snake(case.tool)):
            yield "tool by a synonym", _with_tool(case, other)
    kind = proposal_of(case)[0].kind
    for title, spell in ARGUMENT_STYLES.items():
        yield title, _with_arguments(case, {name: spell(name) for name in case.args if name.isidentifier()})
    for name in case.args:
        if not _is_quoted(case, name):
            for other in _synonyms(_NAMES["arguments"].get(kind, ()), snake(name)):
                if other not in case.args:
                    yield "argument by a synonym", _with_arguments(case, {name: other})
    yield from shapes(case)


def shapes(case: Case) -> Iterator[tuple[str, Case]]:
    """The same arguments, nested in an object, in another order, and numbers as strings."""
    thing = _thing(case.tool)
    if len(case.args) > 1:
        yield "arguments in reverse order", _reshaped(case, lambda args: dict(reversed(args.items())))
    yield "arguments nested", _reshaped(case, lambda args: {thing: args})
    yield "arguments nested in input", _reshaped(case, lambda args: {"input": args})
    yield "numbers as strings", _reshaped(case, lambda args: {name: _text(each) for name, each in args.items()})
    yield "amounts in groups", _reshaped(case, lambda args: {name: _grouped(name, args[name]) for name in args})
    yield (
        "amounts of the continent",
        _reshaped(case, lambda args: {name: _continental(name, args[name]) for name in args}),
    )
    yield "strings as numbers", _reshaped(case, lambda args: {name: _figure(name, each) for name, each in args.items()})


def _reshaped(case: Case, shape: Callable[[dict[str, Any]], dict[str, Any]]) -> Case:
    """The case with the arguments of its tool in another shape, in the history as well."""
    steps = [
        {**step, "args": shape(dict(step["args"]))}
        if step.get("tool") == case.tool and isinstance(step.get("args"), Mapping)
        else step
        for step in history_of(case)
    ]
    reshaped = replace(case, args=shape(case.args))
    return with_history(reshaped, steps) if steps else reshaped


def _thing(tool: str) -> str:
    return snake(tool).split("_")[-1]


def _text(value: Any) -> Any:
    return str(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else value


def _grouped(name: str, value: Any) -> Any:
    """An amount as people write it: `1,250.00`."""
    is_amount = isinstance(value, (int, float)) and not isinstance(value, bool) and name in _WHOLE_AMOUNTS
    return f"{value:,.2f}" if is_amount and round(value, 2) == value else value


def _continental(name: str, value: Any) -> Any:
    """The same on the continent: `1.250,00`."""
    grouped = _grouped(name, value)
    return grouped if grouped is value else grouped.translate(str.maketrans(",.", ".,"))


def _figure(name: str, value: Any) -> Any:
    """A plain decimal as a number. An identifier keeps its zeros."""
    if isinstance(value, str) and re.fullmatch(r"[1-9]\d{0,9}(?:\.\d{1,2})?", value) and "amount" in name:
        return float(value) if "." in value else int(value)
    return value


def _synonyms(rows: list[str], name: str) -> list[str]:
    return next((row.split()[1:] for row in rows if row.split()[0] == name), [])


def _with_tool(case: Case, tool: str) -> Case:
    """The case with its tool renamed, also where the policy and the history name it. A kind that the case states
    stays."""
    kind = case.kind
    steps = [{**step, "tool": tool} if step.get("tool") == case.tool else step for step in history_of(case)]
    renamed = replace(case, tool=tool, kind=kind)
    if steps:
        renamed = with_history(renamed, steps)
    stated = case.context.get("business")
    if isinstance(stated, Mapping) and case.tool in stated.get("tools", {}):
        tools = {tool if name == case.tool else name: value for name, value in stated["tools"].items()}
        renamed = replace(renamed, context={**renamed.context, "business": {**stated, "tools": tools}})
    return renamed


def _with_arguments(case: Case, names: Mapping[str, str]) -> Case:
    return _reshaped(case, lambda args: _renamed(args, names))


def _renamed(args: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    return {names.get(name, name): value for name, value in args.items()}


def _is_quoted(case: Case, name: str) -> bool:
    """Whether a text of the context names a tool or an argument: to rename it would change what the text means."""
    texts = [text for _, text in strings_in({**case.context, "history": [s.get("output") for s in history_of(case)]})]
    quoted = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    return ("_" in name and any(map(quoted.search, texts))) or _is_a_fact(case.context, name)


@functools.cache
def _facts() -> frozenset[str]:
    return frozenset({"business", "tools", "arguments", "limits", "rates", "roles", "budget"})


def _is_a_fact(context: Mapping[str, Any], name: str) -> bool:
    """Whether the policy names it, as the argument of a role or in another section."""
    keys = set[str]()
    stack: list[Any] = [context.get(fact) for fact in _facts() if fact != "business"]
    stack.append(
        (context.get("business") or {}).get("arguments") if isinstance(context.get("business"), Mapping) else {}
    )
    while stack:
        node = stack.pop()
        if isinstance(node, Mapping):
            keys.update(map(str, node))
            stack.extend(node.values())
        elif isinstance(node, list):
            stack.extend(node)
        else:
            keys.add(str(node))
    return name in keys
