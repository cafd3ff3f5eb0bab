"""The page that a browsing agent is on, the element it presses, and the text of the page.

Browser tools name elements in many ways: a click's element may be a label, a role beside a text, or a selector.
"""

from __future__ import annotations

import re

from supervisor.action import Action, Context, Step
from supervisor.evidence.actions.named_args import first_args, named_args

MAX_STEPS = 40  # last steps of the session that are searched for the page
MAX_PAGE = 60_000  # characters of a page
MAX_LABEL = 200
_PAGE_FACTS = ("page_url", "current_url", "page")
_PAGE_ARGS = ("page_url", "current_url", "origin")
_URL_ARGS = ("url", "href", "uri", "target_url", "address")
_LABEL_ARGS = ("element", "text", "name", "label", "aria_label", "title", "description", "button", "selector", "ref")
_VISITS = frozenset(("browse", "click", "form", "http"))
_SAYS_URL = re.compile(r"(?im)^[^\S\n]*(?:[-*#]\s*)?(?:page |current |final )?url:\s*(https?://\S+)")
_ROLES = re.compile(
    r"(?i)^\W*(?:the\s+)?|\b(?:button|link|checkbox|menu ?item|tab|icon|dialog|submit)\b"
    r"|[\"'\u201c\u201d\u201e\u2018\u2019<>\[\]]"
)


def page_url(action: Action, context: Context) -> str:
    """The address of the page that the agent is on; empty if it is not known.

    The deployment's fact comes first, then the action's own argument, then the last page that a tool opened or
    reported.
    """
    stated = [context.facts.get(name) for name in _PAGE_FACTS] + first_args(action, _PAGE_ARGS)
    given = next((value for value in stated if isinstance(value, str) and value), "")
    if given:
        return given
    for step in _latest(context):
        found = _SAYS_URL.search(step.text[:4_000])
        if found:
            return found[1]
        url = next(
            (value for name, value in named_args(step).items() if name in ("url", "href", "uri", "target_url")), ""
        )
        if step.kind in ("browse", "http") and not step.failed and isinstance(url, str) and url:
            return url
    return ""


def page_text(context: Context) -> str:
    """The text of the page after the last browsing step; empty if it is not known."""
    stated = context.facts.get("page_text")
    if isinstance(stated, str):
        return stated[:MAX_PAGE]
    return next((step.text[:MAX_PAGE] for step in _latest(context) if step.text), "")


def label_of(action: Action) -> str:
    """The label of the pressed or filled element, in lower case, without the word for its role."""
    parts = first_args(action, _LABEL_ARGS)
    label = " ".join(value[:MAX_LABEL] for value in parts if isinstance(value, str)) or action.text("element")
    return " ".join(_ROLES.sub(" ", label).lower().replace("_", " ").split()).strip(" .!:>#")[:MAX_LABEL]


def field_of(action: Action) -> str:
    """The label of the filled field, in lower case, without the typed text."""
    names = ("element", "field", "name", "label", "aria_label", "selector", "placeholder", "ref")
    parts = first_args(action, names)
    label = " ".join(value[:MAX_LABEL] for value in parts if isinstance(value, str)) or action.text("element")
    return label[: len(names) * MAX_LABEL].lower().replace("_", " ")


def _latest(context: Context) -> list[Step]:
    first = max(0, len(context.history) - MAX_STEPS)
    return [
        step for at in range(len(context.history) - 1, first - 1, -1) if (step := context.history[at]).kind in _VISITS
    ]
