"""Calls a tool whose description has changed since its approval."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

from supervisor.specialist import Action, Context, Opinion, block, flag, ok, refuse, specialist

MAX_TOOLS = 256
QUOTED = 160  # characters


@specialist(
    *("tool", "shell", "python", "sql", "http", "browse", "click", "form", "message", "payment", "refund"),
    *("file_read", "file_write", "file_edit", "file_delete", "report"),
    needs_facts=["tools"],
    facts=["tools"],
)
def tool_redefined_after_approval(action: Action, context: Context) -> Opinion:
    tools: Any = context.facts.get("tools")
    if not isinstance(tools, list):
        return refuse("the context does not describe the tools")
    for tool in islice(tools, MAX_TOOLS):
        if isinstance(tool, Mapping) and tool.get("name") == action.tool and isinstance(tool.get("approved"), str):
            said = _fresh(str(tool["approved"]), str(tool.get("description")))
            if tool.get("changed") == "connected":
                return block(
                    f"{action.tool} has had its description changed since the session began: “{said}”.",
                    evidence=(said,),
                )
            return flag(f"{action.tool} no longer has its approved description: “{said}”.", evidence=(said,))
    return ok()


def _fresh(approved: str, description: str) -> str:
    """The first line of the description that has not been approved."""
    known = set(approved.splitlines())
    return next((line for line in description.splitlines() if line not in known), description)[:QUOTED]
