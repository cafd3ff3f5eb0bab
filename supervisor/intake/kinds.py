"""The kind of action of a tool call, and the argument for each part of the kind.

The policy decides first (`tools:`), then the table of well-known agents' tools, then the tool's name itself.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field

_PATH = (
    *("path", "file_path", "filename", "file", "notebook_path", "target_file", "file_name", "filepath"),
    *("relative_path", "absolute_path", "abs_path", "relative_workspace_path"),
)
# kind -> the parts that specialists read -> the argument names of each part, most usual first.
KINDS: dict[str, dict[str, tuple[str, ...]]] = {
    "tool": {},
    "shell": {
        "command": ("command", "cmd", "commands", "script"),
        "cwd": ("cwd", "workdir", "working_directory", "work_dir", "working_dir", "directory", "dir"),
    },
    "python": {"code": ("code", "source", "script", "program")},
    "javascript": {"code": ("code", "source", "script", "program", "expression", "function", "javascript", "js")},
    "sql": {"query": ("query", "sql", "statement", "q"), "dialect": ("dialect",)},
    "file_read": {"path": _PATH},
    "file_write": {
        "path": _PATH,
        "content": ("content", "contents", "file_text", "text", "data", "body"),
    },
    "file_edit": {
        "path": _PATH,
        "old": ("old", "old_string", "old_str", "search", "old_text"),
        "new": (
            *("new", "new_string", "new_str", "replace", "new_text", "insert_text", "new_source", "content"),
            *("code_edit", "replacement"),
        ),
        "patch": ("patch", "diff", "patch_text", "unified_diff"),
        "edits": ("edits",),
    },
    "file_delete": {"path": (*_PATH, "file_id")},
    "http": {"url": ("url", "uri", "endpoint"), "method": ("method",), "body": ("body", "data", "json", "payload")},
    "browse": {"url": ("url", "uri", "href", "link", "target_url")},
    "click": {"url": ("url", "target_url", "targetUrl", "href", "link"), "element": ("element", "text", "ref")},
    "form": {"value": ("value", "text", "values"), "element": ("element", "field", "ref"), "url": ("url",)},
    "message": {
        "to": ("to", "recipients", "recipient", "channel", "phone", "email"),
        "cc": ("cc",),
        "bcc": ("bcc",),
        "subject": ("subject", "title"),
        "body": ("body", "content", "message", "text", "html", "comment", "reply"),
    },
    "payment": {
        "payee": ("payee", "recipient", "to", "iban", "account", "destination"),
        "amount": ("amount", "total", "value"),
        "currency": ("currency",),
        "note": ("note", "subject", "memo", "reference", "description"),
    },
    "refund": {
        "order": ("order", "order_id", "orderId"),
        "amount": ("amount", "total"),
        "currency": ("currency",),
        "reason": ("reason",),
    },
    "report": {
        "text": ("text", "content", "body", "report", "claim"),
        "citations": ("citations", "references", "sources"),
        "quote": ("quote", "quoted_text", "quotedText"),
        "url": ("url", "source_url", "source"),
    },
    "ask_user": {"question": ("question", "questions", "text", "message", "prompt", "query")},
    "finish": {"summary": ("summary", "text", "message", "result", "answer", "response")},
}

# kind -> the parts of which a call needs one, because without it the action has no content that can be judged.
NEEDED: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("file_delete", "file_read", "file_write"), ("path",)),
    **dict.fromkeys(("browse", "http"), ("url",)),
    **dict.fromkeys(("javascript", "python"), ("code",)),
    "file_edit": ("path", "patch", "edits"),
    "message": ("to", "body"),
    "payment": ("payee", "amount"),
    "refund": ("order",),
    "shell": ("command",),
    "sql": ("query",),
}


def _spellings(names: Iterable[str]) -> tuple[str, ...]:
    camel = (re.sub(r"_(\w)", lambda found: found[1].upper(), name) for name in names)
    return tuple(dict.fromkeys((*names, *camel)))


_SPELT = {kind: {part: _spellings(names) for part, names in parts.items()} for kind, parts in KINDS.items()}
_NAMES = {kind: frozenset(name for names in parts.values() for name in names) for kind, parts in _SPELT.items()}
_RUNS = {"shell": "command", "python": "code", "javascript": "code", "sql": "query"}

# The tools of well-known agents and servers, by the last part of their name in snake case.
KNOWN_TOOLS: dict[str, str] = {
    # shells: Claude Code, Codex, Gemini CLI, Cursor, OpenHands, SWE-agent, LangChain
    **dict.fromkeys(
        ("bash", "shell", "sh", "terminal", "exec_command", "execute_command", "run_command", "run_shell_command"),
        "shell",
    ),
    **dict.fromkeys(("execute_bash", "run_terminal_cmd", "run_in_terminal", "local_shell", "shell_command"), "shell"),
    **dict.fromkeys(("powershell", "pwsh", "run_powershell", "execute_powershell", "cmd", "run_cmd"), "shell"),
    **dict.fromkeys(("python", "python_repl", "run_python", "execute_python", "ipython", "execute_ipython"), "python"),
    **dict.fromkeys(("python_interpreter", "code_interpreter", "run_python_code", "execute_python_code"), "python"),
    # JavaScript, in a process of its own or in a page: Chrome DevTools, Playwright, Puppeteer
    **dict.fromkeys(("javascript", "js", "node", "nodejs", "deno", "bun", "typescript", "ts"), "javascript"),
    **dict.fromkeys(
        (
            f"{verb}_{language}{code}"
            for verb in ("run", "execute", "exec", "eval", "evaluate")
            for language in ("javascript", "java_script", "js", "node", "nodejs", "typescript", "ts", "deno", "bun")
            for code in ("", "_code", "_script")
        ),
        "javascript",
    ),
    **dict.fromkeys(("javascript_tool", "javascript_repl", "js_repl", "node_repl", "javascript_exec"), "javascript"),
    **dict.fromkeys(("evaluate_script", "browser_evaluate", "browser_run_code", "puppeteer_evaluate"), "javascript"),
    **dict.fromkeys(("playwright_evaluate", "page_evaluate", "browser_execute_javascript"), "javascript"),
    **dict.fromkeys(("sql", "run_sql", "execute_sql", "sql_query", "run_sql_query", "sql_db_query"), "sql"),
    **dict.fromkeys(("read", "read_file", "view_file", "open_file", "cat_file", "read_text_file"), "file_read"),
    **dict.fromkeys(("write", "write_file", "create_file", "save_file", "write_to_file", "new_file"), "file_write"),
    **dict.fromkeys(("edit", "edit_file", "multi_edit", "str_replace", "str_replace_editor"), "file_edit"),
    **dict.fromkeys(("replace", "apply_patch", "apply_diff", "search_replace", "notebook_edit"), "file_edit"),
    **dict.fromkeys(("str_replace_based_edit_tool", "replace_in_file", "append_to_file", "insert"), "file_edit"),
    **dict.fromkeys(("delete_file", "remove_file"), "file_delete"),
    **dict.fromkeys(("fetch", "web_fetch", "http_request", "requests_get", "requests_post", "http_get"), "http"),
    **dict.fromkeys(("http_post", "send_http_request", "get_webpage", "fetch_url", "curl"), "http"),
    **dict.fromkeys(("browse", "goto", "navigate", "browser_navigate", "open_url", "visit", "visit_url"), "browse"),
    **dict.fromkeys(("click", "browser_click", "click_element", "hover", "select", "browser_select"), "click"),
    **dict.fromkeys(("form_input", "browser_type", "fill", "fill_form", "browser_fill_form", "type_text"), "form"),
    **dict.fromkeys(("browser_select_option", "browser_hover"), "click"),
    **dict.fromkeys(("send_email", "send_message", "send_mail", "send_sms", "reply_email", "post_message"), "message"),
    **dict.fromkeys(("send_direct_message", "send_channel_message", "slack_post_message", "send_slack"), "message"),
    **dict.fromkeys(("reply", "send_reply", "reply_to_customer", "reply_to_ticket", "respond_to_customer"), "message"),
    **dict.fromkeys(("comment", "add_comment", "post_comment", "post_tweet", "create_post", "post_reply"), "message"),
    **dict.fromkeys(("send_money", "make_payment", "pay", "transfer_money", "transfer_funds", "wire"), "payment"),
    **dict.fromkeys(("schedule_transaction", "send_payment", "wire_transfer", "pay_invoice"), "payment"),
    **dict.fromkeys(("refund", "issue_refund", "create_refund", "refund_order", "process_refund"), "refund"),
    **dict.fromkeys(("write_report", "cite", "publish_report", "submit_report", "add_citation"), "report"),
    **dict.fromkeys(("ask_user", "ask_user_question", "ask_human", "clarify", "ask_followup_question"), "ask_user"),
    **dict.fromkeys(("request_user_input", "human_assistance", "ask_question", "human_input"), "ask_user"),
    **dict.fromkeys(("finish", "submit", "final_answer", "task_complete", "attempt_completion", "complete"), "finish"),
}


@dataclass(frozen=True, slots=True)
class ToolShape:
    """The policy for one tool: its kind, and the argument (or pointer) of each part."""

    kind: str
    fields: Mapping[str, str] = field(default_factory=dict)


def snake(name: str) -> str:
    """A name in snake case: `filePath`, `File-Path` and `FILE PATH` are `file_path`."""
    if name.isalnum() and name.isascii() and name == name.lower():
        return name  # a call may have thousands of names
    return _GAP.sub("_", _BORDER.sub("_", name)).strip("_").lower()


_GAP = re.compile(r"[\W_]+")
_BORDER = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@functools.lru_cache(maxsize=4096)
def words_of(tool: str) -> frozenset[str]:
    """The words of a tool's name, namespaces included."""
    return frozenset(snake(tool).split("_"))


def names_of(kind: str, part: str) -> tuple[str, ...]:
    """The argument names of a part of a kind, most usual first, in snake_case and camelCase."""
    return _SPELT[kind][part]


@functools.lru_cache(maxsize=4096)
def kind_of(tool: str) -> str:
    """The kind that follows from a tool's name alone; `tool` if none does."""
    for name in _names_of(tool):
        if name in KNOWN_TOOLS:
            return KNOWN_TOOLS[name]
    return "tool"


_OF_RECORDS = frozenset({"insert", "replace"})  # `calendar.events.insert` makes a record, and edits no file


def _names_of(tool: str) -> Iterable[str]:
    """The name without its namespace (`mcp__mail__send_email`, `browser.click`), in snake case, narrowest last."""
    spelt = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", tool).replace("-", "_").lower()
    yield spelt
    if "." in spelt or "/" in spelt:
        parts = re.split(r"[./]", spelt)
        yield "_".join(parts[-2:])
        if len(parts) == 2 or parts[-1] not in _OF_RECORDS:
            yield parts[-1]
    if "__" in spelt:
        yield spelt.rsplit("__", 1)[1]
    if tool.isalpha():
        yield tool.lower()  # `PowerShell`


def parts_of(kind: str, names: Container[str]) -> Mapping[str, str]:
    """The argument of each part of the kind, among these names: the most usual one that is present."""
    return _parts_among(kind, frozenset(filter(names.__contains__, _NAMES[kind])))


@functools.lru_cache(maxsize=4096)
def _parts_among(kind: str, names: frozenset[str]) -> Mapping[str, str]:
    """The same for the kind's own names only. They are few, so untrusted input cannot fill the cache."""
    parts = _SPELT[kind].items()
    return {part: name for part, known in parts if (name := next((each for each in known if each in names), None))}


def rivals(kind: str, names: Container[str]) -> list[str]:
    """The arguments that could each be what this kind of action runs, if there are several; else empty."""
    known = _SPELT[kind].get(_RUNS.get(kind, ""), ())
    present = [name for name in known if name in names]
    return present if len(present) > 1 else []


def runs(kind: str) -> str | None:
    """The part that an action of this kind runs: its command, its code or its query."""
    return _RUNS.get(kind)
