"""Deletes a branch on the remote, where its reflog cannot be read; open pull requests of the branch are closed.

A branch that the agent made itself passes, and so does one whose commits were merged or pushed elsewhere.
"""

import re

from supervisor.evidence.changes.asked import is_named, task_mentions
from supervisor.evidence.changes.clauses import fold
from supervisor.evidence.changes.shown import was_shown
from supervisor.evidence.effects import Act, Effect, effects, is_known
from supervisor.evidence.prose.thing_words import mentions_word
from supervisor.evidence.reading.paths import Place
from supervisor.evidence.session.checkouts import kept_before, made_branches
from supervisor.evidence.shell import shown
from supervisor.evidence.shell.git import is_shared
from supervisor.evidence.situation.named.described import ages
from supervisor.evidence.situation.wider.outlived import are_outlived
from supervisor.specialist import Action, Context, Finding, Opinion, block, flag, nudge, ok, specialist


@specialist("shell", "python", "javascript", about=[Act.REPOSITORY])
def remote_branch_deleted(action: Action, context: Context) -> Opinion:
    worst: Finding = ok()
    kept = set[str]()
    for effect in effects(action, context).of(Act.REPOSITORY):
        if effect.verb == "keep":
            kept.add(effect.target.removeprefix("origin/"))
        elif effect.verb == "delete-branch" and effect.scope is Place.REMOTE and effect.target not in kept:
            worst = max(worst, _judge(effect, action, context), key=lambda finding: finding.verdict)
    return worst


def _judge(effect: Effect, action: Action, context: Context) -> Finding:
    branch, evidence = shown(effect.target), (effect.text[:200],)
    named = is_known(effect.target) and is_named(effect.target, context)
    asks = task_mentions(action, context, "clean", "delet", "drop", "prun", "remov")
    mine = task_mentions(action, context, "my", "mein", "mes ", "meus", "mis ", "moje") and was_shown(
        effect.target, context
    )
    of_request = mine or (
        not is_known(effect.target)
        and _is_picked(action, context)
        and (task_mentions(action, context, "branch") or mentions_word(fold(context.task or ""), "branch"))
    )  # of the closed request
    asked = asks and (named or of_request or _is_listed_as_merged(effect.target, context))
    if is_shared(effect.target):
        reason = f"It deletes {branch} on the remote, the branch that others build on."
        return flag(reason, evidence=evidence) if asked else block(reason, evidence=evidence)
    known = (kept_before(context), made_branches(action, context))
    if asked or any(name in each for each in known for name in (effect.target, f"origin/{effect.target}")):
        return ok()
    return nudge(
        f"It deletes the branch {branch} on the remote, and nothing shows that its commits are merged.",
        correction="Leave the branch to its owner, or keep its tip before it goes: `git tag archive/<branch>"
        " origin/<branch> && git push origin archive/<branch>`.",
        sharper="Report the branch to the user and let the user delete it.",
        evidence=evidence,
    )


_LISTS_MERGED = re.compile(
    r"\bgit (?:-C \S+ )?branch\b(?=[^;|&\n]*\s(?:-\w*[ra]\w*|--remotes|--all)\b)[^;|&\n]*\s--merged\b"
)


def _is_listed_as_merged(branch: str, context: Context) -> bool:
    """Whether the user asks for merged branches and a list of the merged ones on the remote has this one; if the user
    asks for old ones, the list shows that it is."""
    task = context.task or ""
    if not is_known(branch) or not _MERGED.search(fold(task)):
        return False
    for step in reversed(context.history[-_LATEST:]):
        if step.failed or not _LISTS_MERGED.search(str(step.args.get("command", ""))):
            continue
        rows = [line.split()[0] for line in step.text[:_LONGEST].splitlines() if line.split()]
        name = next((row for row in rows if row.removeprefix("remotes/").partition("/")[2] == branch), "")
        is_aged = next(ages(task), None) is not None
        return bool(name) and (not is_aged or are_outlived([name], context))
    return False


_LATEST, _LONGEST = 40, 32 * 1024  # steps, characters of an output


# A request for merged branches alone, in many languages, and how a script picks them.
_MERGED = re.compile(
    r"\b(?:already )?(?:merged|gemergt\w*|zusammengefuhrt\w*)\b.{0,30}\b(?:branch|zweig)"
    r"|\b(?:branch\w*|zweige?)\b.{0,30}\b(?:merged|gemergt\w*)\b"
    r"|\bbranches? .{0,20}fusionnee?s?\b|\b(?:ramas?|ramos?|branches?) .{0,25}(?:fusionad|mergead|mesclad)\w+"
    r"|\bgalez\w* .{0,20}scalon\w+"
    r"|\brami? .{0,20}(?:unit|fus)\w+|\b(?:слит|влит)\w+ ветк|머지된|병합된|マージ済|已合并"
)
_PICKS = re.compile(r"--merged\b|--is-ancestor\b|\bmerged?At\b|(?:state|is):? ?=*[\"']?merged\b|\bMERGED\b")
_FILE = re.compile(r"[\w./~-]{1,200}\.\w{1,8}\b|/tmp/[\w.-]{1,80}")


def _is_picked(action: Action, context: Context) -> bool:
    """Whether a request for merged branches is followed: the script picks them, or a step did that made its list."""
    if not _MERGED.search(fold(context.task or "")):
        return True
    text = action.text("command")
    steps = (str(step.args.get("command", "")) for step in context.history)
    lists = set(_FILE.findall(text))
    return any(_PICKS.search(each) for each in (text, *(step for step in steps if lists & set(_FILE.findall(step)))))
