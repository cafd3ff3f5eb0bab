"""Texts on which a backtracking engine would go back and forth, one or more for each pattern that ships."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from tests.hostile.inputs import Input, acts
from tests.hostile.shapes import repeated

_LONG = 60_000
_X: dict[str, Any] = {"sources": ["x"]}


def _steps(count: int, output: str, tool: str = "note") -> dict[str, Any]:
    return {"budget": 5, "history": [{"tool": tool, "args": {"a": 1}, "output": output}] * count}


_TEXTS: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {  # tool, arguments, context
    # needless_question
    "question: leads": ("ask_user", {"question": "so then next and " * 200 + "proceed"}, {"task": "Do it."}),
    "question: objects": (
        "ask_user",
        {"question": "proceed" + " with the next steps and" * 150 + "!?"},
        {"task": "Do."},
    ),
    "question: one word": ("ask_user", {"question": "a" * 3_999 + "?"}, {"task": "Do it."}),
    "question: spaces": ("ask_user", {"question": " " * _LONG + "proceed?"}, {"task": "Do it."}),
    "question: full stops": ("ask_user", {"question": ". ? ! : " * 490 + "?"}, {"task": "Do it."}),
    "question: shall I": ("ask_user", {"question": "shall i " * 490 + "?"}, {"task": "Do it."}),
    "question: a task of 1 MB": ("ask_user", {"question": "May I go on?"}, {"task": "check " * 170_000}),
    # guard_disarmed
    "guard: a path of slashes": ("write_file", {"path": "/home/" * 10_000 + "x", "content": ""}, {}),
    "guard: site-packages": ("write_file", {"path": "site-packages/supervisor" * 2_500, "content": ""}, {}),
    "guard: nearly a host's file": ("write_file", {"path": "a/.claude/settings" * 3_000 + ".jso", "content": ""}, {}),
    "guard: approvals": (
        "edit_file",
        {"path": "a/.vscode/settings.json", "new_string": "chat.tools." + "a." * 30_000},
        {},
    ),
    "guard: quotes": (
        "write_file",
        {"path": ".vscode/settings.json", "content": "chat.tools.autoApprove" + "\"'\\]" * 15_000},
        {},
    ),
    "guard: XDG": ("bash", {"command": "cat " + "${XDG_CONFIG_HOM}" * 3_000}, {}),
    "guard: XDG defaults": ("bash", {"command": "echo x > " + "$XDG_CONFIG_HOME" * 3_500}, {}),
    # failed_action_repeated, budget_overrun
    "failure: line breaks": ("note", {"a": 1}, _steps(1, "\n" * 900_000)),
    "failure: no word": ("note", {"a": 1}, _steps(3, "-" * 900_000)),
    "failure: exit code": ("note", {"a": 1}, _steps(3, "exit code:" * 90_000)),
    "failure: reading steps": ("note", {"a": 1}, _steps(3_000, "x", "get_" * 60)),
    "payment: status": ("pay", {"amount": 1}, _steps(1, "- " * 450_000, "pay")),
    "payment: digits": ("pay", {"amount": "9" * 400_000}, {"budget": 5}),
    "payment: commas": ("pay", {"amount": "$" * _LONG + "," * _LONG + "1"}, {"budget": 5}),
    "payment: spaces": ("pay", {"amount": " " * 900_000 + "1"}, {"budget": 5}),
    # files
    "files: test paths": ("write_file", {"path": "tests/test_" * 5_000, "content": "password = 'aB3kd9Xq2Lm7'"}, {}),
    "files: store paths": ("write_file", {"path": ".env" * 15_000, "content": "password = 'aB3kd9Xq2Lm7'"}, {}),
    # text, sources
    "report: marks": ("write_report", {"text": "So. [1]" * 9_000, "citations": ["1"]}, _X),
    "report: marks behind a stop": ("write_report", {"text": "." + "[1]" * 20_000, "citations": ["1"]}, _X),
    "report: brackets": (
        "write_report",
        {"text": f'"{"a[b] " * 9_000}"', "citations": ["1"]},
        {"sources": ["a b " * 9_000]},
    ),
    "report: opened brackets": (
        "write_report",
        {"text": f'"{"word[" * 9_000}"', "citations": ["1"]},
        {"sources": ["word "]},
    ),
    "report: gaps": (
        "write_report",
        {"text": f'"{"one two three ... " * 900}"'},
        {"sources": ["one two three " * 30_000]},
    ),
    "report: quotation marks": ("write_report", {"text": "“" * _LONG}, _X),
    "report: straight marks": ("write_report", {"text": '"a ' * _LONG}, _X),
    "report: nested marks": ("write_report", {"text": "«“" * 30_000 + "a" + "”»" * 30_000}, _X),
    "report: block quotes": ("write_report", {"text": "> a\n" * _LONG}, _X),
    "report: spaces": ("write_report", {"text": '"one two three four' + " " * 300_000 + '"'}, _X),
    "report: addresses": ("write_report", {"text": "https://" * 20_000, "citations": []}, _X),
    "report: numbers": ("write_report", {"text": "x", "citations": ["source_" * 9_000 + "1"]}, _X),
    "report: 10,000 citations": ("write_report", {"text": "x", "citations": ["1"] * 10_000}, _X),
    "report: 10,000 sources": ("write_report", {"text": "It is so [1]."}, {"sources": ["a b c"] * 10_000}),
    "report: sentences": ("write_report", {"text": "a b c d."}, {"sources": ["a b. " * 150_000]}),
    # recipients
    "mail: separators": ("send_email", {"to": '<>,;:"()' * 40_000 + "@", "body": "x"}, {}),
    "mail: signs": ("send_email", {"to": "@" * 900_000, "body": "x"}, {}),
    "mail: 16,000 addresses": ("send_email", {"to": [f"a{n}@b{n}.example" for n in range(16_000)], "body": "x"}, {}),
    "mail: a domain of dots": ("send_email", {"to": "a@" + "b." * 8_000, "body": "x"}, {}),
    "form: a field's name": ("fill", {"element": "pass" * _LONG, "value": "x", "url": "https://example.org/"}, {}),
}


def inputs() -> Iterator[Input]:
    for name, (tool, args, context) in _TEXTS.items():
        yield acts("patterns", name, tool, partial(dict, args), partial(dict, context))
    folded = partial(repeated, "a" * 29 + "!", 2_000)
    yield acts("patterns", "the classic", "note", lambda: {"text": folded()}, lambda: {"task": folded()})
