"""Deletes every file that git does not track; no commit, stash or reflog can restore them."""

import re

from supervisor.evidence.changes.asked import is_named, task_mentions
from supervisor.evidence.changes.verbs import Verb
from supervisor.evidence.changes.word import is_asked
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.history.past_scripts import latest_steps
from supervisor.evidence.prose.thing_words import mentions
from supervisor.evidence.reading.paths import REBUILT
from supervisor.evidence.session.checkouts import is_throwaway, saved_before, saves
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, specialist

_VERBS = frozenset({Verb.DELETE, Verb.RESET})


@specialist("shell", "python", "javascript", about=[Act.REPOSITORY])
def untracked_files_deleted(action: Action, context: Context) -> Opinion:
    saved = False
    for effect in effects(action, context).of(Act.REPOSITORY):
        saved = saved or (effect.verb == "save" and effect.whole and saves(effect, True))
        if effect.verb.startswith("clean") and effect.whole and not is_throwaway(effect, action, context):
            return _judge(effect, saved, action, context)
    return ok()


def _judge(effect: Effect, saved: bool, action: Action, context: Context) -> Opinion:
    evidence = (effect.text[:200],)
    if effect.verb == "clean-ignored":
        return flag("It deletes every ignored file: build output, and local settings such as .env.", evidence=evidence)
    if saved or saved_before(context, untracked=True) or _was_rehearsed(effect, context):
        return ok()
    reason = f"`{shown(effect.text)}` deletes every file that git does not track, for good."
    everything = is_asked(_VERBS, context) and mentions(context.task or "", "everything")
    if everything or task_mentions(action, context, "untracked") or is_named("git clean", context):
        return flag(reason, evidence=evidence)
    return nudge(
        reason,
        correction="List what would be deleted (`git clean -nd`), then delete your own files by name, or save all of"
        " them with `git stash push --include-untracked`.",
        sharper="Run `git stash push --include-untracked` instead of git clean.",
        evidence=evidence,
    )


_WOULD = re.compile(r"^Would (?:remove|skip repository) (.+)$", re.MULTILINE)
_RECENT = 6  # steps
_MOST_LINES = 400


def _was_rehearsed(effect: Effect, context: Context) -> bool:
    """Whether one of the last steps rehearsed this very command (`git clean -ndx …`) and all that it listed is what
    builds and caches make again."""
    if effect.command is None:
        return False
    options = sorted(effect.command.args)
    for past in latest_steps(context, _RECENT):
        tried = (sorted(each.args[1:]) for each in past.commands if each.argv[:2] == ("git", "clean"))
        if any(_without(each, "n") == _without(options, "f") for each in tried if any(map(_rehearses, each))):
            listed = _WOULD.findall(past.step.text[:32_768])
            return 0 < len(listed) < _MOST_LINES and all(map(_is_made_again, listed))
    return False


def _rehearses(word: str) -> bool:
    return word == "--dry-run" or bool(re.fullmatch(r"-[a-z]*n[a-z]*", word))


def _without(words: list[str], letter: str) -> list[str]:
    """The words, without this letter in clusters of options."""
    plain = (word.replace(letter, "") if re.fullmatch(r"-[a-z]+", word) else word for word in words)
    return sorted(word for word in plain if word not in ("-", "--dry-run", "--force"))


def _is_made_again(path: str) -> bool:
    return not REBUILT.isdisjoint(part.lower() for part in path.strip('"').split("/"))
