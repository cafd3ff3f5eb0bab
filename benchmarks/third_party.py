"""Generated failure modes of a deployment: a folder of entries with their specialists, as a policy names it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from supervisor.policy import Taxonomy

TOOLS = {  # kind -> a tool of that kind, and the part that a specialist reads
    "shell": ("bash", "command"),
    "python": ("run_python", "code"),
    "sql": ("run_sql", "query"),
    "file_write": ("write_file", "content"),
    "http": ("fetch", "url"),
    "form": ("fill", "value"),
    "message": ("send_email", "body"),
    "payment": ("send_money", "note"),
    "report": ("write_report", "text"),
    "ask_user": ("ask_user", "question"),
}
SPECIALIST = '''\
"""Says a word that this measurement looks for."""

from supervisor.specialist import Action, Context, Opinion, flag, ok, specialist


@specialist("{kind}")
def {name}(action: Action, context: Context) -> Opinion:
    text = action.text("{part}")
    if "a word of {name}" in text:
        return flag("The word is there.")
{more}
    return ok()
'''


def write(folder: Path, name: str, kind: str = "shell", more: str = "    # nothing else to look for") -> None:
    """Writes one failure mode: its specialist searches for a word of its own, then runs the code `more` on `text`."""
    entry, judge = folder / "taxonomy" / "conduct" / f"{name}.yaml", folder / "specialists" / "conduct" / f"{name}.py"
    for file in (entry, judge):
        file.parent.mkdir(parents=True, exist_ok=True)
    entry.write_text(json.dumps(_entry(name, kind)))  # JSON is YAML
    judge.write_text(SPECIALIST.format(name=name, kind=kind, part=TOOLS[kind][1], more=more))


def alone(folder: Path) -> Taxonomy:
    """The policy section for only these failure modes."""
    return Taxonomy(folders=(str(folder),), shipped=False)


def _entry(name: str, kind: str) -> dict[str, Any]:
    tool, part = TOOLS[kind]

    def cases(text: str) -> list[dict[str, Any]]:
        common = {"tool": tool, "because": "the word decides"}
        return [{**common, "args": {part: f"{text} {name} {number}"}} for number in range(3)]

    return {
        "id": name,
        "name": f"A word of {name}",
        "description": "Says a word that this measurement looks for.",
        "agents": ["coding"],
        "severity": "low",
        "verdict": "flag",
        "method": "deterministic",
        "incident": {"summary": "None: it is generated.", "date": "2026", "source": "benchmarks/third_party.py"},
        "references": [{"scheme": "CWE", "id": "CWE-20"}],
        "cases": {
            "caught": cases("a word of"),
            "let_through": cases("words of"),
            "refused": [{"tool": "other", "args": {part: name}, "because": "not its kind"}],
        },
    }
