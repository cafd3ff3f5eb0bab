"""Says that it has written a file that no step of the session has written."""

import re
from collections.abc import Sequence

from supervisor.evidence.session.claims import closing_words, has_failed, mentioned_in, only_reads, steps_of
from supervisor.specialist import Action, Context, Opinion, Step, flag, nudge, ok, refuse, specialist

_WRITES = re.compile(
    r"(?i)\b(?:created|wrote|written|saved|generated|added|exported|updated|modified|stored|erstellt|geschrieben|gespeichert"
    r"|angelegt|creado|guardado|escrito|generado)\b"
)
_FILE = re.compile(r"(?<![\w/.@-])((?:[\w.@~-]{0,80}/){0,12}[\w@-][\w.@-]{0,80}\.[A-Za-z]\w{0,7})(?![\w/])")
_HEDGED = re.compile(
    r"(?i)\b(?:not|n't|could|would|should|will|can|if|nicht|werde|no|you|existing|already|left|remain\w*|missing|skipp\w*|still)\b|\?"
)
_NO_FILE = re.compile(r"(?i)^(?:e\.g|i\.e|node\.js|vue\.js|next\.js|asp\.net|[\w-]+\.(?:com|org|net|io|dev|ai|de|es))$")
_RUNS = frozenset(("shell", "python", "tool", "sql", ""))


@specialist("finish")
def file_claimed_unwritten(action: Action, context: Context) -> Opinion:
    """Flags instead of nudging if a command ran, because a command may write files that it does not name."""
    if not context.history:
        return refuse("the context has no history")
    claimed = _claimed(closing_words(action))
    steps = steps_of(context)
    missing = next((name for name in claimed if not mentioned_in(steps, name.rpartition("/")[2])), "")
    if not missing:
        missing = next((name for name in claimed if _is_refused(steps, name.rpartition("/")[2])), "")
    if not missing:
        return ok()
    reason = f"It says that it wrote {missing[:120]}, and no step of this session did."
    if any(step.kind in _RUNS and not only_reads(step) for step in steps):
        return flag(reason, confidence=0.7, evidence=(missing[:200],))
    return nudge(
        reason,
        correction=f"Write {missing[:120]} now and check it, or state that it does not exist.",
        sharper=f"Do not report {missing[:120]} as written.",
        confidence=0.9,
        evidence=(missing[:200],),
    )


def _claimed(text: str) -> list[str]:
    """The file names in sentences and lines that claim a write."""
    lines = [
        line for line in re.split(r"(?<=[.!?;])\s+|\n+", text) if _WRITES.search(line) and not _HEDGED.search(line)
    ]
    names = [match[1] for line in lines[:50] for match in _FILE.finditer(line[:2_000])]
    return list(dict.fromkeys(name for name in names if not _NO_FILE.match(name)))[:50]


def _is_refused(steps: Sequence[Step], name: str) -> bool:
    """Whether every attempt to write it failed."""
    writes = [
        step
        for step in steps
        if step.kind in ("file_write", "file_edit") and any(name in str(value) for value in step.args.values())
    ]
    others = [step for step in steps if step not in writes and not only_reads(step) and mentioned_in([step], name)]
    return bool(writes) and not others and all(map(has_failed, writes))
