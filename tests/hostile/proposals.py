"""Actions and contexts that are as large, as deep or as many as what is proposed may be, and a little more."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from tests.hostile.inputs import Input, acts
from tests.hostile.shapes import deep_dict, deep_list, nested, noise, numbered, repeated, wide_tree

_input = partial(acts, "proposals")
_FACTS = (
    *("cwd", "workspace", "budget", "tools", "rules", "files_created_by_agent", "sources", "max_steps", "branch"),
    *("allowed_domains", "known_domains", "policy_file", "max_failed_repeats", "refund_window_days", "dialect"),
)
_ARGS: dict[str, Callable[[], dict[str, Any]]] = {
    "a text of 1 MB": lambda: {"text": "x" * 1_000_000},
    "a text of 4 MB": lambda: {"text": "x" * 4_000_000},
    "a text of 1.3 million wide letters": lambda: {"text": "日" * 1_300_000},
    "a text of 1 MB of noise": lambda: {"text": noise("abc ./:@-_=\"'\\\n", 1_000_000)},
    "19,000 keys": lambda: {f"k{number}": number for number in range(19_000)},
    "19,000 texts": lambda: {"texts": [f"text {number}" for number in range(19_000)]},
    "a key of 1 MB": lambda: {"k" * 1_000_000: 1},
    "10,000 keys of 100 letters": lambda: {f"{number:0100}": "x" for number in range(10_000)},
    "100 levels of lists": lambda: {"a": deep_list(100)},
    "100 levels of objects": lambda: {"a": deep_dict(100, "x")},
    "a tree of 8,192 leaves": lambda: {"a": wide_tree(13, 2)},
    "a tree of 17,576 numbers": lambda: {"a": wide_tree(3, 26, 1)},
    "19,000 numbers": lambda: {"a": [1] * 19_000},
    "19,000 objects": lambda: {"a": [{}] * 19_000},
    "the largest numbers": lambda: {"a": [2**63 - 1, -(2**63), 1.7e308, 5e-324, -0.0]},
    "a thousand lists of nothing": lambda: {"a": [[]] * 1_000 + [{}] * 1_000},
    "keys that are dots": lambda: {"." * number: "x" for number in range(1, 1_000)},
    "keys of the language": lambda: dict.fromkeys(("__class__", "__init__", "self", "args", "get", "memo"), "x"),
}
_TOO_MUCH: dict[str, Callable[[], dict[str, Any]]] = {
    "a text of 5 MB": lambda: {"text": "x" * 5_000_000},
    "100,000 keys": lambda: {f"k{number}": number for number in range(100_000)},
    "100,000 texts": lambda: {"texts": [f"text {number}" for number in range(100_000)]},
    "a tree of 65,536 leaves": lambda: {"a": wide_tree(16, 2)},
    "a tree of 250,000 numbers": lambda: {"a": wide_tree(3, 63, 1)},
    "a million numbers": lambda: {"a": [1] * 1_000_000},
}
_CONTEXTS: dict[str, Callable[[], dict[str, Any]]] = {
    "a history of 3,000 steps": lambda: {"history": [{"tool": "bash", "args": {"command": "ls"}}] * 3_000},
    "a history of 3,000 texts": lambda: {"history": ["and then it did something else"] * 3_000},
    "a history of 1,000 large scripts": lambda: {
        "history": [{"tool": "bash", "args": {"command": "mkdir a; " * 1_500}}] * 300
    },
    "a history of brackets": lambda: {"history": [{"tool": "bash", "args": {"command": "$(" * 5_000}}] * 40},
    "an output of 4 MB": lambda: {"history": [{"tool": "read", "args": {}, "output": "word " * 800_000}]},
    "40 outputs of 200 KB": lambda: {"history": [{"tool": "read", "output": "word. " * 33_000}] * 40},
    "an output of 50,000 objects": lambda: {"history": [{"tool": "read", "output": [{"a": "b"}] * 50_000}]},
    "an output 100 levels deep": lambda: {"history": [{"tool": "read", "output": deep_dict(100, "x")}]},
    "arguments that are a list": lambda: {"history": [{"tool": "bash", "args": [["rm"]] * 1_000}] * 100},
    "a task of 4 MB": lambda: {"task": "word. " * 680_000},
    "a task of one word": lambda: {"task": "w" * 1_000_000},
    "19,000 facts": lambda: {f"fact{number}": number for number in range(19_000)},
    "facts of other types": lambda: {name: [[{}]] for name in _FACTS},
    "facts of other words": lambda: dict.fromkeys(_FACTS, "x" * 50_000),
    "a working directory of 1 MB": lambda: {"cwd": "/a" * 500_000},
    "6,000 tools": lambda: {"tools": [{"name": f"tool{number}", "description": "x"} for number in range(6_000)]},
}
_TOO_MUCH_KNOWN: dict[str, Callable[[], dict[str, Any]]] = {
    "a history of 20,000 steps": lambda: {"history": [{"tool": "bash", "args": {"command": "ls"}}] * 20_000},
    "a history of 20,000 texts": lambda: {"history": ["and then it did something else"] * 20_000},
    "a task of 5 MB": lambda: {"task": "word. " * 900_000},
    "100,000 facts": lambda: {f"fact{number}": number for number in range(100_000)},
    "50,000 tools": lambda: {"tools": [{"name": f"tool{number}", "description": "x"} for number in range(50_000)]},
    "a session of 1 MB": lambda: {"session": "s" * 1_000_000},
    "an agent of 1 MB": lambda: {"agent": "a" * 1_000_000},
}
_TEXTS: dict[str, tuple[Callable[..., str], tuple[Any, ...], str]] = {
    "34 MB": (repeated, (" ", 34_000_000, '{"tool": "bash"'), "too_large"),
    "100,000 brackets": (repeated, ("[", 100_000), "too_deep"),
    "100,000 braces": (nested, ('{"a":', "1", "}", 100_000), "too_deep"),
    "200 levels of lists": (nested, ("[", "1", "]", 200), "too_deep"),
    "100,000 digits": (repeated, ("9", 100_000, '{"tool": "bash", "args": {"n": ', "}}"), ""),
    "an exponent": (str, ('{"tool": "bash", "args": {"n": 1e999999999}}',), ""),
    "NaN": (str, ('{"tool": "bash", "args": {"n": NaN}}',), "not_json"),
    "two tools": (str, ('{"tool": "bash", "tool": "sql"}',), "duplicate_key"),
    "100,000 keys alike": (repeated, ('"a": 1, ', 100_000, "{", '"a": 1}'), "duplicate_key"),
    "100,000 unknown keys": (numbered, ('"k{}": 1', 100_000, ",", "{", "}"), "bad_input"),
    "a million commas": (repeated, (",", 1_000_000, "["), "not_json"),
    "a million quotes": (repeated, ('"', 1_000_000), "not_json"),
    "a million backslashes": (repeated, ("\\", 1_000_000, '"'), "not_json"),
    "a million line breaks": (repeated, ("\n", 1_000_000), "not_json"),
    "an unclosed text of 8 MB": (repeated, ("a", 8_000_000, '{"tool": "'), "not_json"),
    "nothing": (str, ("",), "not_json"),
    "no object": (str, ("[]",), "bad_input"),
    "a tool of 1 MB": (repeated, ("t", 1_000_000, '{"tool": "', '"}'), "bad_input"),
    "a kind of 1 MB": (repeated, ("k", 1_000_000, '{"tool": "t", "kind": "', '"}'), "unknown_kind"),
    "arguments that are text": (str, ('{"tool": "bash", "args": "rm -rf /"}',), "bad_input"),
    "a history that is a text": (str, ('{"tool": "bash", "context": {"history": "x"}}',), "bad_input"),
}


def inputs() -> Iterator[Input]:
    for name, args in _ARGS.items():
        yield _input(name, "note", args)
    for name, args in _TOO_MUCH.items():
        yield _input(name, "note", args, bad="too_large")
    for name, context in _CONTEXTS.items():
        yield _input(name, "bash", partial(dict, command="git status"), context)
    for name, context in _TOO_MUCH_KNOWN.items():
        yield _input(name, "bash", partial(dict, command="git status"), context, bad="too_large")
    for name, (make, parts, code) in _TEXTS.items():
        yield Input("proposals", name, partial(make, *parts), bad=code)
    outbid = partial(dict, to=["a@b.example"] * 19_000, body="x" * 1_000_000)
    yield _input("a message to 19,000", "send_email", outbid)
    yield _input("an edit of 6,000 edits", "multi_edit", lambda: {"path": "a.py", "edits": _edits(6_000)})


def _edits(count: int) -> list[dict[str, str]]:
    return [{"old_string": f"a{number}", "new_string": "import os\nos.system(x)"} for number in range(count)]
