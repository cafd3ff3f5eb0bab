"""Parsing actions and contexts from outside: checked values, or one clear error that names the place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import orjson

from supervisor.action import Action, Context, Step, strings_in
from supervisor.errors import BadInput
from supervisor.intake.call_kinds import fields_of, kind_from_words
from supervisor.intake.json_values import MAX_ITEMS, PastCopy, holds_at_most, shown
from supervisor.intake.kinds import KINDS, ToolShape, kind_of, parts_of, rivals, runs
from supervisor.intake.results import says_error, text_of_result
from supervisor.intake.roles import parts_missing, recognize, shape_of
from supervisor.intake.told_steps import ReadHistories
from supervisor.suggestions import did_you_mean

MAX_TOOL_NAME = 256
MAX_ACTION = 4 * 1024 * 1024  # bytes of an action as JSON; one reply of a model stays below a tenth of it
MAX_REQUEST = 8 * MAX_ACTION  # bytes of an action with its context as JSON, or with an output that is fully escaped
MAX_VALUES = 20_000  # values in the arguments, all levels together
MAX_NAME = 1_024  # characters of a session's or an agent's name
MAX_STEPS = 3_000  # of a history that comes with an action; a session's own history is not limited
_ACTION_KEYS = {"id", "tool", "args", "kind", "context", "session", "outcome"}
_OUTCOME_KEYS = {"output", "failed"}
_TAKES_ANY_TEXT = {"form", "message"}  # kinds whose text is data; NUL in it may be an attack that is worth judging


def action_from(value: Any, declared: Mapping[str, ToolShape] | None = None) -> Action:
    """The action in `{"tool": …, "args": {…}, "kind": …}`; the kind is derived if it is missing.

    Raises BadInput for a missing or ill-typed part, an unknown kind or key, a lone surrogate, and for a NUL character
    that would cut a command, a path or a name short.
    """
    if not isinstance(value, Mapping):
        raise BadInput(f"an action is an object, not {_type(value)}")
    unknown = sorted(set(value) - _ACTION_KEYS)
    if unknown:
        raise BadInput(f"unknown key {shown(unknown[0])}; an action has {', '.join(sorted(_ACTION_KEYS))}")
    tool: Any = value.get("tool")
    args, kind = value.get("args", {}), value.get("kind")
    check(tool, args, kind)
    return shaped(tool, args, kind, declared or {})


def action_of(value: Any) -> Action:
    """The action in `{"tool": …, "args": {…}, "kind": …, "fields": {…}}`, with kind and fields as another process
    derived them. Raises BadInput."""
    if not isinstance(value, Mapping):
        raise BadInput(f"an action is an object, not {_type(value)}", place="action")
    tool: Any = value.get("tool")
    args: Any = value.get("args")
    kind, fields = value.get("kind"), value.get("fields")
    check(tool, args, kind)
    if not isinstance(kind, str) or not isinstance(fields, Mapping):
        raise BadInput("a kind and fields are needed", place="action")
    if any(part not in KINDS[kind] or not isinstance(name, str) for part, name in fields.items()):
        raise BadInput(f"maps what is no part of {kind}, or to what is no name", place="fields")
    _check_text(tool, args, nul_allowed=kind in _TAKES_ANY_TEXT)
    return Action(tool, args, kind, fields)


def check(tool: Any, args: Any, kind: Any) -> None:
    """Raises BadInput if these do not have the types of an action's parts."""
    if not isinstance(tool, str) or not 0 < len(tool) <= MAX_TOOL_NAME:
        raise BadInput(f"a name of 1 to {MAX_TOOL_NAME} characters is needed", place="tool")
    if not isinstance(args, Mapping):
        raise BadInput(f"the arguments are an object, not {_type(args)}", place="args")
    if kind is not None and (not isinstance(kind, str) or kind not in KINDS):
        raise BadInput(f"no kind {shown(kind)}; kinds are {', '.join(KINDS)}", place="kind", code="unknown_kind")


def shaped(
    tool: str,
    args: Mapping[str, Any],
    kind: str | None,
    declared: Mapping[str, ToolShape],
    fields: Mapping[str, str] | None = None,
    parameters: frozenset[str] | None = None,
) -> Action:
    """The action with its kind and fields: from `fields`, else from the policy, else derived from the names.
    `parameters` are the tool's own parameters, which take precedence over any other names in `args`.

    Raises BadInput for a part that the kind does not have, for invalid text, for more than MAX_ACTION bytes or
    MAX_VALUES values, and if two arguments could each be what runs: an agent that chooses argument names could have one
    judged and the other run.
    """
    shape = declared.get(tool)
    is_declared = bool(kind or shape)
    kind = kind or (shape.kind if shape else kind_of(tool))
    _check_text(tool, args, nul_allowed=kind in _TAKES_ANY_TEXT)
    if kind == "tool" and not is_declared and (taken := recognize(tool, args, parameters)):
        return Action(tool, args, taken.kind, {**taken.fields, **(fields or {})})
    if kind == "tool" and not is_declared:
        kind = kind_from_words(tool, args) or kind
    for part in fields or ():
        if part not in KINDS[kind]:
            message = f"the kind {kind} has no part {shown(part)}{did_you_mean(part, KINDS[kind])}"
            raise BadInput(message, place="fields", code="unknown_part")
    stated = {**(shape.fields if shape and shape.kind == kind else {}), **(fields or {})}
    given = fields_of(kind, args)
    own = given if parameters is None else parts_of(kind, parameters)
    names = args if parameters is None or runs(kind) not in own else parameters
    if runs(kind) not in stated and (several := rivals(kind, names)):
        message = f"{' and '.join(several)} could each be what runs; say which with the policy's `tools`"
        raise BadInput(message, place="args", code="ambiguous")
    parts = {**given, **own, **stated}
    main = runs(kind) or ("path" if kind.startswith("file_") else "")
    if main and main not in parts and args:
        parts = {**parts, **parts_missing(kind, args)}
    return Action(tool, args, kind, {part: name for part, name in parts.items() if part != name})


def context_from(value: Any) -> Context:
    """The context in `{"task": …, "history": […], "agent": …}`; every other key is a fact, None is an empty context.
    A `session` that is an object is a fact, too: what a host knows of the conversation, and not its name.

    Outputs of steps are cut if they are too large; anything else that is too large raises BadInput.
    """
    value = {} if value is None else value
    if not isinstance(value, Mapping):
        raise BadInput(f"a context is an object, not {_type(value)}", place="context")
    facts = dict(value)
    names = ("task", "agent") if isinstance(facts.get("session"), Mapping) else ("task", "agent", "session")
    texts = {key: _text_or_none(facts.pop(key, None), key) for key in names}
    history = facts.pop("history", None)
    history = () if history is None else history
    if not isinstance(history, Sequence) or isinstance(history, str):
        raise BadInput(f"a history is a list, not {_type(history)}", place="context.history")
    _check_known(texts["task"], facts)
    return Context(texts["task"], _steps_from(history), facts, texts["agent"], texts.get("session"))


def outcome_from(value: Any, action: Action) -> Step | None:
    """The action as a step that ran, from `{"output": …, "failed": …}`; None for None. Raises BadInput."""
    if value is None:
        return None
    if not isinstance(value, Mapping) or "output" not in value or not value.keys() <= _OUTCOME_KEYS:
        raise BadInput("an outcome is an object with an output and, where it failed, `failed`", place="outcome")
    output = value["output"]
    failed = bool(value.get("failed", False)) or says_error(output)
    return Step(action.tool, action.args, PastCopy()(text_of_result(output)), action.kind, failed)


def _check_known(task: str | None, facts: Mapping[str, Any]) -> None:
    if not holds_at_most(MAX_ITEMS, facts):
        raise BadInput(f"more than the {MAX_ITEMS:,} values allowed", place="context", code="too_large")
    try:
        size = len(orjson.dumps((task, facts)))
    except TypeError as error:
        raise BadInput(f"holds what JSON cannot: {error}", place="context", code="not_json") from None
    if size > MAX_ACTION:
        raise BadInput(f"more than the {MAX_ACTION:,} bytes allowed", place="context", code="too_large")


def _steps_from(history: Sequence[Any]) -> Sequence[Step]:
    if len(history) > MAX_STEPS:
        raise BadInput(f"more than the {MAX_STEPS:,} steps allowed", place="context.history", code="too_large")
    return _READ.steps(history)


def _step_from(value: Any, number: int, plain: PastCopy) -> Step:
    """One step of a history. A bare string is a line of an agent's log."""
    if isinstance(value, str):
        return Step("", {}, plain(value))
    if not isinstance(value, Mapping):
        raise BadInput(f"a step is an object, not {_type(value)}", place=f"context.history[{number}]")
    tool, args = value.get("tool"), value.get("args")
    tool, args = "" if tool is None else tool, {} if args is None else plain(args)
    if not isinstance(tool, str):
        raise BadInput(f"a tool's name is a string, not {_type(tool)}", place=f"context.history[{number}].tool")
    if len(tool) > MAX_TOOL_NAME:
        raise BadInput(f"a name has at most {MAX_TOOL_NAME} characters", place=f"context.history[{number}].tool")
    if not isinstance(args, Mapping):
        args = {"": args}
    kind, _ = shape_of(tool, args)
    output = value.get("output")
    failed = bool(value.get("failed", False)) or says_error(output)
    return Step(tool, args, plain(text_of_result(output)), kind, failed)


_READ = ReadHistories(_step_from)


def _text_or_none(value: Any, key: str) -> str | None:
    if value is not None and not isinstance(value, str):
        raise BadInput(f"expected text, not {_type(value)}", place=f"context.{key}")
    if key != "task" and value is not None and len(value) > MAX_NAME:
        raise BadInput(f"a name has at most {MAX_NAME:,} characters", place=f"context.{key}", code="too_large")
    return value


def _check_text(tool: str, args: Mapping[str, Any], *, nul_allowed: bool) -> None:
    """Raises BadInput for invalid or too much text. One pass in C checks it; Python searches only for the place."""
    try:
        encoded = orjson.dumps((tool, args))
    except TypeError as error:
        _find_surrogate(tool, args)
        raise BadInput(f"holds what JSON cannot: {error}", place="args", code="not_json") from None
    if len(encoded) > MAX_ACTION:
        raise BadInput(f"more than the {MAX_ACTION:,} bytes allowed", place="args", code="too_large")
    if len(encoded) > MAX_VALUES and not holds_at_most(MAX_VALUES, args):  # each value takes at least a byte
        raise BadInput(f"more than the {MAX_VALUES:,} values allowed", place="args", code="too_large")
    if not nul_allowed and rb"\u0000" in encoded:
        _find_nul(tool, args)


def _find_surrogate(tool: str, args: Mapping[str, Any]) -> None:
    for place, text in _texts(tool, args):
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as error:
            message = f"holds a lone surrogate at character {error.start}"
            raise BadInput(message, place=place, code="lone_surrogate") from None


def _find_nul(tool: str, args: Mapping[str, Any]) -> None:
    for place, text in _texts(tool, args):
        if "\0" in text:
            raise BadInput(
                f"holds a NUL character at character {text.index(chr(0))}", place=place, code="nul_character"
            )


def _texts(tool: str, args: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Every string of an action with its place, including the names of arguments."""
    yield "tool", tool
    yield from strings_in({"args": args})
    for name in args:
        yield "args", name


def _type(value: Any) -> str:
    names = {str: "a string", bool: "a boolean", int: "a number", float: "a number", list: "a list", dict: "an object"}
    return names.get(type(value), "null" if value is None else type(value).__name__)
