"""Finishes although no step has touched a file that the task lists."""

import re

from supervisor.evidence.session.claims import closing_words, mentioned_in, steps_of
from supervisor.specialist import Action, Context, Opinion, Step, nudge, ok, refuse, specialist

LEAST = 3  # files that make a list
_FILE = re.compile(r"(?<![\w/.@-])((?:[\w@.~-]{1,80}/){0,12}[\w@-][\w.@-]{0,80}\.[A-Za-z]\w{0,7})(?![\w/])")
_NO_FILE = re.compile(r"(?i)(?:^|\.)(?:e\.g|i\.e|node\.js|vue\.js|next\.js|[\w-]+\.(?:com|org|net|io|dev|ai|de|es))$")
_SWEEPS = re.compile(
    r"[*?]|\b(?:find|xargs|-r|-R|--recursive|for|while|git|make|npm|black|ruff|prettier|eslint)\b|\.\s*$|/(?:\s|$)"
)
_EXCEPT = re.compile(r"(?i)\b(?:except|but not|do not|don't|leave|ignore|skip|without|außer|nicht|excepto|no toques)\b")
_SAYS_WHY = re.compile(
    r"(?i)\b(?:not|n't|remain\w*|left|skipp\w*|only|partial\w*|could|unable|nicht|übrig|falta\w*|sólo)\b"
)


@specialist("finish")
def task_part_untouched(action: Action, context: Context) -> Opinion:
    """A command on a set of files, or a step without a tool name, may have touched any of them."""
    if not context.history:
        return refuse("the context has no history")
    task = (context.task or "")[:8_000]
    listed = [name for name in dict.fromkeys(_FILE.findall(task)) if not _NO_FILE.search(name)]
    if len(listed) < LEAST or _EXCEPT.search(task):
        return ok()
    steps = steps_of(context)
    words = closing_words(action)
    if any(map(_sweeps, steps)) or _SAYS_WHY.search(words):
        return ok()
    done = [name for name in listed if mentioned_in(steps, name.rpartition("/")[2])]
    left = [name for name in listed if name not in done and name.rpartition("/")[2] not in words]
    if not left or not done:
        return ok()
    named = ", ".join(left[:5])
    return nudge(
        f"The task lists {len(listed)} files, and no step has touched {named[:160]}.",
        correction=f"Do the rest as well: {named[:160]}. If something blocks you, finish and name what is left.",
        sharper=f"Either do {named[:160]} now, or state in the summary that it is not done and why.",
        confidence=0.85,
        evidence=tuple(left[:5]),
    )


def _sweeps(step: Step) -> bool:
    if not step.tool or step.kind == "python":
        return True
    return step.kind == "shell" and any(
        isinstance(value, str) and _SWEEPS.search(value[:4_000]) for value in step.args.values()
    )
