"""`supervisor log --html`: a timeline of sessions as one page that needs no network and no script.

Everything that comes from a record is escaped, and the page's own Content Security Policy allows nothing but its style.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from html import escape
from typing import Any

from supervisor.cli.decisions import SHORT, lost_line
from supervisor.cli.log.listing import called, shortened
from supervisor.cli.output import printable
from supervisor.decision.decision import why_watched
from supervisor.decision.lost_votes import lost_votes_of
from supervisor.records.newest import Found, Scenes

_WIDTH, _HEIGHT, _MARGIN = 960, 56, 12  # of a timeline, in pixels
_LONGEST = 20_000  # characters of one argument
_MIDDLE = _HEIGHT - 30
_STYLE = """
:root { color-scheme: light dark; --text: #1f2328; --back: #fff; --dim: #59636e; --line: #d1d9e0; --box: #f6f8fa;
  --ok: #1a7f37; --flag: #9a6700; --nudge: #8250df; --block: #d1242f; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --back: #0d1117; --dim: #9198a1; --line: #3d444d;
  --box: #151b23; --ok: #3fb950; --flag: #d29922; --nudge: #ab7df8; --block: #f85149; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--back); max-width: 960px;
  margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2.5rem; overflow-wrap: anywhere; }
p, dt, time, .dim { color: var(--dim); } svg { width: 100%; height: auto; }
svg text { font-size: 12px; fill: var(--dim); } svg line { stroke: var(--line); }
details { border: 1px solid var(--line); border-left: 4px solid var(--dim); border-radius: 6px; margin: .4rem 0;
  padding: .3rem .7rem; overflow-wrap: anywhere; } details:target { background: var(--box); }
summary { cursor: pointer; } pre { background: var(--box); padding: .5rem; white-space: pre-wrap; margin: .2rem 0; }
dl { margin: .5rem 0; } dd { margin: 0 0 .5rem 0; } b { font-weight: 600; } .lost { color: var(--flag); }
""" + "\n".join(
    f".{each} {{ fill: var(--{each}); border-left-color: var(--{each}); }} b.{each} {{ color: var(--{each}); }}"
    for each in ("ok", "flag", "nudge", "block")
)

_TITLE = "What the guard decided"
_HEAD = f"""<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer"><title>{_TITLE}</title><style>{_STYLE}</style>"""


def page(records: list[Found], scenes: Scenes, now: datetime) -> str:
    """The page with a section for each session, in order of its first decision."""
    sessions: dict[tuple[str, str], list[Found]] = {}
    for record in records:
        sessions.setdefault((str(record.predicate["session"] or ""), scenes.agent(record)), []).append(record)
    sections = "".join(_section(session, agent, found) for (session, agent), found in sessions.items())
    told = f"{len(records):,} decisions in {len(sessions):,} sessions; written {now:%Y-%m-%d %H:%M} UTC"
    body = f"<h1>{_TITLE}</h1><p>{told}. All times are UTC.</p>{sections or '<p>No decision matches.</p>'}"
    return f'<!DOCTYPE html>\n<html lang="en"><head>{_HEAD}</head><body>{body}</body></html>\n'


def _section(session: str, agent: str, records: list[Found]) -> str:
    title = " · ".join(each for each in (f"Session {session}" if session else "No session", agent) if each)
    counts: dict[str, int] = {}
    for record in records:
        counts[_label(record)] = counts.get(_label(record), 0) + 1
    told = ", ".join(f"{count:,} {label}" for label, count in counts.items())
    rows = "".join(map(_row, records))
    return f"<section><h2>{_text(title)}</h2><p>{told}</p>{_timeline(records)}{rows}</section>"


def _label(record: Found) -> str:
    label: str = record.predicate["decision"]["verdict"]
    return label


def _timeline(records: list[Found]) -> str:
    """A mark for each decision at its time; stopped actions stand above the line. Each mark leads to its decision."""
    times = [datetime.fromisoformat(record.time).timestamp() for record in records]
    first, last = min(times), max(times)
    scale = (_WIDTH - 2 * _MARGIN) / (last - first) if last > first else 0.0
    marks = "".join(
        _mark(record, _MARGIN + (time - first) * scale) for record, time in zip(records, times, strict=True)
    )
    ends = _time(records[0], _MARGIN, "start") + (_time(records[-1], _WIDTH - _MARGIN, "end") if scale else "")
    line = f'<line x1="{_MARGIN}" x2="{_WIDTH - _MARGIN}" y1="{_MIDDLE}" y2="{_MIDDLE}"/>'
    return f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="Timeline">{line}{marks}{ends}</svg>'


def _time(record: Found, x: int, anchor: str) -> str:
    return f'<text x="{x}" y="{_HEIGHT - 4}" text-anchor="{anchor}">{_text(record.time[:19].replace("T", " "))}</text>'


def _mark(record: Found, x: float) -> str:
    label = _label(record)
    height = {"ok": 4, "flag": 6, "nudge": 14, "block": 20}[label]
    title = _text(f"{record.time[11:19]} {label}: {shortened(called(record), 80)}")
    place = f'x="{x - 2:.1f}" y="{_MIDDLE - height}" width="4" height="{height}"'
    return f'<a href="#{_anchor(record)}"><rect class="{label}" {place} rx="1"><title>{title}</title></rect></a>'


def _anchor(record: Found) -> str:
    return f"d{record.address[:16]}"


def _row(record: Found) -> str:
    label, predicate = _label(record), record.predicate
    lost = lost_votes_of(predicate["opinions"])
    mark = f' <span class="lost">({sum(len(each.specialists) for each in lost)} votes lost)</span>' if lost else ""
    id, what = _text(predicate["id"][:SHORT]), _text(shortened(called(record), 160))
    begin = f'<time>{_text(record.time[11:19])}</time> <b class="{label}">{label}</b> <span class="dim">{id}</span>'
    head = f"<summary>{begin} {what}{mark}</summary>"
    is_open = " open" if label in ("nudge", "block") else ""
    return (
        f'<details class="{label}" id="{_anchor(record)}"{is_open}>{head}<dl>{"".join(_facts(record))}</dl></details>'
    )


def _facts(record: Found) -> Iterator[str]:
    predicate = record.predicate
    for each in predicate["opinions"]:
        if each.get("verdict") in ("flag", "nudge", "block"):
            head = f'<b class="{each["verdict"]}">{each["verdict"]}</b> {_text(each.get("specialist"))}'
            yield f"<dt>{head}</dt><dd>{_text(each.get('reason'))}</dd>"
    if correction := predicate["decision"].get("correction"):
        yield f"<dt>told the agent</dt><dd>{_text(correction)}</dd>"
    if approval := predicate.get("approval"):
        yield f"<dt>approval</dt><dd>{_text(approval.get('state'))} {_text(approval.get('by', ''))}</dd>"
    if unheeded := predicate.get("unheeded"):
        yield f"<dt>flagged</dt><dd>{_text(why_watched(unheeded))}</dd>"
    if problem := predicate.get("unjudged"):
        yield f"<dt>not judged</dt><dd>{_text(problem)}</dd>"
    for lost in lost_votes_of(predicate["opinions"]):
        yield f'<dt>could not judge</dt><dd class="lost">{_text(lost_line(lost))}</dd>'
    yield from _arguments(predicate["action"])
    yield f"<dt>record</dt><dd>id {_text(predicate['id'])}, {_text(record.path.name)}</dd>"


def _arguments(action: dict[str, Any]) -> Iterable[str]:
    for name, value in action["args"].items():
        text = str(value)
        rest = f"… ({len(text) - _LONGEST:,} more characters)" if len(text) > _LONGEST else ""
        yield f"<dt>{_text(action['tool'])} · {_text(name)}</dt><dd><pre>{_text(text[:_LONGEST] + rest)}</pre></dd>"


def _text(value: object) -> str:
    """Text as HTML. Control characters are shown, and so are those that change the direction of what follows."""
    return escape(printable(str(value), keep="\n\t"))
