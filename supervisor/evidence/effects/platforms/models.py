"""Deletion of every row of a framework's model: `Order.destroy_all` of Active Record, `Order::truncate()` of Eloquent,
`Order.objects.all().delete()` of Django."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from supervisor.evidence.effects.effect import Act, Effect, Part, Where
from supervisor.evidence.effects.platforms.resource import Resource, Sort
from supervisor.evidence.python import Module
from supervisor.evidence.reading.paths import Place
from supervisor.evidence.shell import Code
from supervisor.evidence.shell.calls import MAX_CODE, tokens_of

_RESOURCES = frozenset({Act.RESOURCE})
_EVERY = ("destroy_all", "delete_all", "truncate")
_DJANGO = ".objects.all().delete"
_SEPARATORS = (".", "::", ":")


def parts_of_module(module: Module, where: Where) -> Iterator[Part]:
    """The Django models whose rows Python code deletes when it is run, other than from a database in its memory."""
    if any(
        call.name.endswith("settings.configure") and b":memory:" in (call.node.text or b"") for call in module.calls
    ):
        return
    for call in module.calls:
        if call.method == "delete" and call.name.endswith(_DJANGO):
            model = call.name.removesuffix(_DJANGO)
            yield Part(_RESOURCES, partial(_every_row, model, call.text, where))


def parts_of_code(found: Code, where: Where) -> Iterator[Part]:
    """The models whose rows Ruby and PHP code deletes when it is run."""
    if found.language in ("php", "ruby") and any(name in found.text for name in _EVERY):
        yield Part(_RESOURCES, partial(_of_models, found, where))


def _of_models(found: Code, where: Where) -> Iterator[Effect]:
    tokens = list(tokens_of(found.language, found.text[:MAX_CODE]))
    for at, (kind, token) in enumerate(tokens):
        if kind == "name" and token in _EVERY and (model := _owner(tokens, at))[:1].isupper():
            yield from _every_row(model, f"{model}.{token}", where)


def _owner(tokens: list[tuple[str, str]], at: int) -> str:
    """The object that a method is called on: the name before its `.` or `::`, which may be two tokens."""
    before = at - 1
    while before > max(at - 3, 0) and tokens[before][1] in _SEPARATORS:
        before -= 1
    return tokens[before][1] if 0 <= before < at - 1 else ""


def _every_row(model: str, text: str, where: Where) -> Iterator[Effect]:
    yield Resource(
        Act.RESOURCE,
        model,
        Place.REMOTE,
        "purge",
        whole=True,
        text=text,
        command=where.command,
        product=model,
        sort=Sort.DATABASE,
    )
