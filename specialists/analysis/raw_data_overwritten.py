"""Writes changed data over the file that it was read from, so that the data as it came is lost."""

from collections.abc import Iterator

from supervisor.evidence.analysis import NO_ANALYSIS, Event, Flow, Spot, analysis, spot, tables
from supervisor.evidence.effects import Act
from supervisor.evidence.python.names import words_of
from supervisor.specialist import Action, Context, Opinion, block, nudge, ok, refuse, specialist


@specialist("python", "file_write", "file_edit", "shell", about=[Act.ANALYSIS])
def raw_data_overwritten(action: Action, context: Context) -> Opinion:
    read = analysis(action, context)
    if read is None:
        return refuse(NO_ANALYSIS)
    for found in read.spots(_overwritten):
        reason = (
            f"{found.where}`{found.text}` writes over {found.about}, which it was read from; what it changes is lost."
        )
        if words_of(found.about) & _RAW:
            return block(reason, evidence=(found.text,))
        return nudge(
            reason,
            correction="Write to a file of its own, for example data/processed/…, and leave the source as it is.",
            evidence=(found.text,),
        )
    return ok()


_RAW = frozenset({"raw", "original", "originals", "source", "landing", "bronze", "incoming", "master", "archive"})
_OWN = frozenset(
    {"processed", "interim", "tmp", "temp", "cache", "out", "output", "outputs", "results", "derived", "work"}
)
_LOSES = ("filtered", "dropped", "thinned_by_column", "sampled", "unique", "zeroed", "coerced", "fitted", "merged")


def _overwritten(flow: Flow) -> Iterator[Spot]:
    made: set[str] = set()
    for event in flow.events:
        if event.method in ("copy", "copy2", "copyfile", "rename", "move") and event.args:
            made.add(str(event.args[0].const))  # a copy is kept
        path = _path(event)
        if not path or event.method not in tables.WRITERS:
            continue
        source = next((mark for mark in event.receiver.marks if mark.kind == "read" and mark.note == path), None)
        if source is not None and path not in made and not words_of(path) & _OWN and _changes(event, path):
            yield spot(flow, event.line, source.line, about=path)
        made.add(path)


def _changes(event: Event, path: str) -> bool:
    """Whether what is written lacks something that was read; of data as it came, any change counts."""
    value = event.receiver
    return bool(words_of(path) & _RAW) or value.has(*_LOSES) or value.only is not None or bool(value.without)


def _path(event: Event) -> str:
    given = event.argument(0, "path_or_buf", "path", "file", "excel_writer")
    return given.const if given is not None and isinstance(given.const, str) else ""
