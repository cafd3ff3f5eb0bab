"""The published taxonomy: a page for each entry, an index, a mapping to other risk classifications, and one JSON.

Everything is generated from the entries, in catalogue order, so that the same taxonomy gives the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import orjson

from supervisor.catalog.catalog import Catalog
from supervisor.catalog.failure_mode import AGENT_CLASSES, Case, FailureMode, Reference
from supervisor.catalog.manifest import Entry
from supervisor.version import VERSION

SEVERITIES = ("critical", "high", "medium", "low")
_SCHEMES = {
    "ATLAS": ("MITRE ATLAS", "https://atlas.mitre.org/techniques/{id}"),
    "ATTACK": ("MITRE ATT&CK", "https://attack.mitre.org/techniques/{path}/"),
    "CVE": ("CVE", "https://nvd.nist.gov/vuln/detail/{id}"),
    "CWE": ("CWE", "https://cwe.mitre.org/data/definitions/{number}.html"),
    "GDPR": ("GDPR", ""),
    "MAST": ("MAST", "https://arxiv.org/abs/2503.13657"),
    "NIST-AI-600-1": ("NIST AI 600-1", "https://doi.org/10.6028/NIST.AI.600-1"),
    "OWASP-ASI": (
        "OWASP Agentic Top 10",
        "https://genai.owasp.org/resource/owasp-top-10-for-agentic-applications-for-2026/",
    ),
    "OWASP-LLM": ("OWASP LLM Top 10", "https://genai.owasp.org/llm-top-10/"),
    "OWASP-WEB": ("OWASP Top 10", "https://owasp.org/Top10/"),
    "PCI-DSS": ("PCI DSS", ""),
}
_MADE = "<!-- Made by `supervisor docs` from the taxonomy; change the entry, not this page. -->\n"
_LONGEST = 400  # characters of a case that a table shows
_EXPORT_VERSION = 1  # of the form of the exported taxonomy


@dataclass(frozen=True, slots=True)
class Published:
    """One failure mode with its entry in the catalogue."""

    mode: FailureMode
    entry: Entry

    @property
    def page(self) -> str:
        """The path of its page, relative to the index."""
        return f"{self.entry.family}/{self.mode.id}.md"


def pages(catalog: Catalog) -> Mapping[str, str]:
    """All files of the published taxonomy, by path."""
    published = _published(catalog)
    generated = {each.page: page(each) for each in published}
    return generated | {
        "index.md": index(published),
        "references.md": mapping_page(published),
        "mapping.json": orjson.dumps(mapping(published), option=orjson.OPT_INDENT_2).decode() + "\n",
    }


def taxonomy_json(catalog: Catalog) -> bytes:
    """The whole taxonomy as one JSON value on one line: every entry with its cases, in catalogue order."""
    return orjson.dumps(exported(_published(catalog))) + b"\n"


def _published(catalog: Catalog) -> list[Published]:
    return [Published(catalog.failure_mode(name), entry) for name, entry in catalog.entries.items()]


def differing(folder: Path, generated: Mapping[str, str]) -> list[str]:
    """The files of a folder that differ from the generated ones: changed, missing, or no longer generated."""
    stands = (
        {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()} if folder.is_dir() else set()
    )
    changed = {
        name for name in stands & generated.keys() if (folder / name).read_text(encoding="utf-8") != generated[name]
    }
    return sorted(changed | (stands ^ generated.keys()))


def write(folder: Path, generated: Mapping[str, str]) -> None:
    """Writes every file, and deletes those that are no longer generated."""
    for name in differing(folder, generated):
        path = folder / name
        if name in generated:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(generated[name], encoding="utf-8")
        else:
            path.unlink()


def page(published: Published) -> str:
    """The page of one failure mode."""
    mode, entry = published.mode, published.entry
    lines = [
        f"# {_text(mode.name)}\n",
        f"`{entry.family}/{mode.id}` · {mode.severity} · {mode.verdict} · {mode.method} · {', '.join(mode.agents)}\n",
        f"{_text(mode.description)}\n",
        f"**Judges** {_domain(entry)}.\n",
        f"**It happened** ({mode.incident.date}): {_text(mode.incident.summary)} {_source(mode.incident.source)}\n",
        f"**See also** {', '.join(map(_link, mode.references)) or 'nothing'}.\n",
        *_cases("Caught", mode.cases.caught, lambda case: case.verdict or mode.verdict),
        *_cases("Let through", mode.cases.let_through, lambda _: "ok"),
        *_cases("Not its question", mode.cases.refused, lambda _: "refused"),
        *_corrected(mode.cases.caught),
    ]
    return _MADE + "\n" + "\n".join(lines)


def index(published: Sequence[Published]) -> str:
    """The index: all failure modes by family, by severity and by class of agent."""
    lines = [
        "# Ways in which agents fail\n",
        f"{len(published)} failure modes, each with the one specialist that watches for it. "
        "[By reference](references.md) · as JSON: `supervisor docs --json` · [the mapping as JSON](mapping.json)\n",
    ]
    for family, members in _grouped(published, lambda each: [each.entry.family]):
        lines += [f"## {family}\n", "| Failure mode | Severity | Verdict | Agents |", "|---|---|---|---|"]
        lines += [
            f"| [{_cell(each.mode.name)}]({each.page}) | {each.mode.severity} | {each.mode.verdict} | "
            f"{', '.join(each.mode.agents)} |"
            for each in members
        ]
        lines.append("")
    lines += _listed("By severity", published, lambda each: [each.mode.severity], SEVERITIES)
    lines += _listed("By class of agent", published, lambda each: each.mode.agents, AGENT_CLASSES)
    return _MADE + "\n" + "\n".join(lines)


def mapping(published: Sequence[Published]) -> dict[str, dict[str, list[str]]]:
    """The failure modes by scheme and id of their references."""
    schemes: dict[str, dict[str, list[str]]] = {}
    for each in published:
        for reference in each.mode.references:
            schemes.setdefault(reference.scheme, {}).setdefault(reference.id, []).append(each.mode.id)
    return {
        scheme: dict(sorted(ids.items(), key=lambda pair: _natural(pair[0]))) for scheme, ids in sorted(schemes.items())
    }


def mapping_page(published: Sequence[Published]) -> str:
    """The mapping as a page."""
    where = {each.mode.id: each.page for each in published}
    lines = ["# The taxonomy against what others list\n"]
    for scheme, ids in mapping(published).items():
        lines += [f"## {_SCHEMES[scheme][0]}\n", "| Id | Failure modes |", "|---|---|"]
        for id, names in ids.items():
            linked = ", ".join(f"[{name}]({where[name]})" for name in names)
            lines.append(f"| {_link(Reference(scheme, id))} | {linked} |")
        lines.append("")
    return _MADE + "\n" + "\n".join(lines)


def exported(published: Sequence[Published]) -> dict[str, Any]:
    """The whole taxonomy as one value."""
    entries = [
        {"family": each.entry.family, "kinds": each.entry.kinds, "about": each.entry.about, **asdict(each.mode)}
        for each in published
    ]
    return {"version": _EXPORT_VERSION, "supervisor": VERSION, "failure_modes": entries}


def _domain(entry: Entry) -> str:
    kinds = "every kind of action" if entry.kinds == ("*",) else ", ".join(f"`{kind}`" for kind in entry.kinds)
    about = f" with effects such as {', '.join(entry.about)}" if entry.about else ""
    past = " once something has happened before" if entry.needs_past else ""
    names = " or ".join(f"`{name}`" for name in entry.needs_facts)
    facts = f" where the context tells {names}" if names else ""
    ran = ", once it has run" if entry.stage == "after" else ""
    marks = f" and its output says {' or '.join(f'`{mark}`' for mark in entry.marks)}" if entry.marks else ""
    return kinds + about + past + facts + ran + marks


def _cases(title: str, cases: Iterable[Case], verdict: Callable[[Case], str]) -> Iterator[str]:
    yield f"## {title}\n"
    yield "| Action | Verdict | Because |\n|---|---|---|"
    for case in cases:
        yield f"| {_code(shown_call(case))} | {verdict(case)} | {_cell(case.because)} |"
    yield ""


def _corrected(cases: Iterable[Case]) -> Iterator[str]:
    shown = [case for case in cases if case.corrected]
    if not shown:
        return
    yield "## Corrected\n"
    yield "| Instead of | This is allowed |\n|---|---|"
    for case in shown:
        yield f"| {_code(_arguments(case.args))} | {_code(_arguments(case.corrected or {}))} |"
    yield ""


def shown_call(case: Case) -> str:
    """A case's action on one line and, if it has run, its output on the next ones."""
    call = f"{case.tool}: {_arguments(case.args)}"
    return call if case.output is None else f"{call}\n{'failed: ' if case.failed else ''}{case.output}"[:_LONGEST]


def _arguments(args: Mapping[str, Any]) -> str:
    texts = [value if isinstance(value, str) else f"{name}={value!r}" for name, value in args.items()]
    return " · ".join(texts)[:_LONGEST]


def _grouped(
    published: Sequence[Published], keys: Callable[[Published], Sequence[str]]
) -> Iterator[tuple[str, list[Published]]]:
    for key in dict.fromkeys(key for each in published for key in keys(each)):
        yield key, [each for each in published if key in keys(each)]


def _listed(
    title: str, published: Sequence[Published], keys: Callable[[Published], Sequence[str]], order: Sequence[str]
) -> Iterator[str]:
    yield f"## {title}\n"
    groups = dict(_grouped(published, keys))
    for key in order:
        if key in groups:
            yield f"- **{key}** ({len(groups[key])}): " + ", ".join(
                f"[{each.mode.id}]({each.page})" for each in groups[key]
            )
    yield ""


def _link(reference: Reference) -> str:
    name, address = _SCHEMES[reference.scheme]
    label = reference.id if reference.id.startswith(reference.scheme) else f"{name} {reference.id}"
    url = address.format(id=reference.id, number=reference.id.rpartition("-")[2], path=reference.id.replace(".", "/"))
    return f"[{label}]({url})" if url else label


def _source(source: str) -> str:
    """The source of an incident, as a link or a citation."""
    return f"[Source]({source})" if source.startswith("http") else f"({_text(source)})"


def _natural(id: str) -> list[tuple[int, str]]:
    """The sort key that puts CWE-9 before CWE-78."""
    return [(int(part or 0), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", id)]


def _text(text: str) -> str:
    return " ".join(text.split())


def _cell(text: str) -> str:
    return _text(text).replace("|", "\\|").replace("<", "&lt;")


def _code(text: str) -> str:
    """Code for a table's cell: on one line, with its backquotes and bars escaped."""
    line = text.replace("\r", "").replace("\n", " ⏎ ").replace("|", "\\|")
    fence = "`" * (1 + max((len(run) for run in re.findall(r"`+", line)), default=0))
    pad = " " if "`" in line or not line.strip() else ""
    return f"{fence}{pad}{line}{pad}{fence}"
