"""Files of rules and jobs as trees: the access rules of Firebase, logrotate, Jenkins."""

from __future__ import annotations

import re

from supervisor.evidence.configuration.trees import put

_MOST_DEPTH = 40
_COMMENT = re.compile(r"(\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')|//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)")
_PART = re.compile(
    r"\bmatch\s+(?P<place>/[^\s]{1,300})\s*\{|\ballow\s+(?P<acts>[\w\s,]{1,80}?)\s*(?::\s*if\s+(?P<condition>[^;]{1,2000}))?;|[{}]"
)


def access_rules(text: str) -> dict[str, object]:
    """`match /place { allow read, write: if condition; }` as the acts of each place with their conditions."""
    root: dict[str, object] = {}
    above = [root]
    for part in _PART.finditer(_COMMENT.sub(lambda found: found[1] or " ", text)):
        if part["place"]:
            inner: dict[str, object] = {}
            put(above[-1], f"match {part['place']}", inner)
            above.append(inner if len(above) < _MOST_DEPTH else root)
        elif part["acts"]:
            put(above[-1], f"allow {' '.join(part['acts'].split())}", " ".join((part["condition"] or "true").split()))
        elif part[0] == "{":
            above.append(above[-1])
        elif len(above) > 1:
            above.pop()
    return root


_STARTS = frozenset({"prerotate", "postrotate", "firstaction", "lastaction", "preremove"})


def rotations(text: str) -> list[object]:
    """The blocks of logrotate: `paths` are the logs, `script` what runs around a rotation."""
    found: list[object] = []
    values: dict[str, object] | None = None
    above: list[str] = []
    script: list[str] | None = None
    for line in text.split("\n"):
        name, _, value = line.strip().partition(" ")
        if script is not None:
            if name == "endscript":
                script = None
            else:
                script.append(line.strip())
        elif values is None:
            above = [*above, *line.partition("{")[0].split()] if name[:1] not in ("", "#") else above
            if "{" in line:
                values, above = {"paths": above, "script": []}, []
        elif name == "}":
            found.append({"rotation": values})
            values = None
        elif name in _STARTS:
            script = values["script"] if isinstance(values["script"], list) else None
        elif name and name[0] != "#":
            put(values, name, value.strip() or "on")
    return [*found, {"rotation": values}] if values is not None else found


_STEP = re.compile(
    r"\b(?P<step>sh|bat|powershell|pwsh)\s*\(?\s*(?:script\s*:\s*)?(?P<quote>'''|\"\"\"|'|\")(?P<command>(?:\\.|(?!(?P=quote))[\s\S]){0,8000}?)(?P=quote)"
)
_ARCHIVED = re.compile(r"\barchiveArtifacts\s*\(?\s*(?:artifacts\s*:\s*)?['\"](?P<paths>[^'\"\n]{1,400})['\"]")
_CREDENTIALS = re.compile(r"\b(\w+)\s*=\s*credentials\(|\bwithCredentials\b")


def pipeline_steps(text: str) -> dict[str, object]:
    """The commands of a Jenkinsfile, what it archives, and whether it holds credentials."""
    return {
        "script": [found["command"] for found in _STEP.finditer(text)],
        "archived": [path.strip() for found in _ARCHIVED.finditer(text) for path in found["paths"].split(",")],
        "credentials": "true" if _CREDENTIALS.search(text) else "",
    }
