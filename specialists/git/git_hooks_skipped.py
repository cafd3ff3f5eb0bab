"""Skips or switches off the checks that a repository runs before a commit or a push."""

import re

from supervisor.evidence.changes.asked import is_named, task_mentions
from supervisor.evidence.changes.clauses import fold
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.session.checkouts import is_throwaway
from supervisor.evidence.shell import shown
from supervisor.evidence.shell.git import is_shared
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, specialist

_HOOKS = ("/.git/hooks", "/.husky", "/.githooks")
_SAMPLE = ".sample"
_CHECKS = r"(?:\S{1,20} ){0,3}(?:pre-?commit |pre-?push |git )?(?:hooks?\b|husky\b|フック|훅|钩子)"
# Who has the checks of one commit skipped: "skip the hooks", "ohne Hooks".
_SKIPPED = re.compile(
    r"\b(?:skip|bypass|ignor|without|omit|disabl|ohne|uberspring|sans|saute|passe|sin|salta|omite|sem|pula|ignora|senza|bez|pomin"
    rf"|zonder|sla|без|пропуст)\w* {_CHECKS}"
    r"|(?:フック|훅|钩子)\S{0,4}(?:スキップ|なし|飛ば|건너|없이|跳过)|(?:跳过|不跑)\S{0,6}钩子"
    r"|\bhooks? (?:uberspring|weglass|overslaan)"
)
# Who wants them to pass: "hooks must pass", "grün müssen die Hooks sein". Not: "the hook takes long, I must go".
_MUST_PASS = re.compile(
    r"\bhooks?\b[^.;\n]{0,40}\b(?<!\bi )(?:must|have to|has to|need to|should|mussen"
    r"|doivent|tienen que|deben|tem de|precisam|devono|musza|moeten|должны)\b"
    r"|\b(?:only|nur|erst|seulement|solo|so|tylko|alleen|только)\b[^.;\n]{0,40}\bhooks?\b[^.;\n]{0,20}\b(?:pass|green|ok|grun|pas|laufen|verts?|verdes?)"
)


@specialist("shell", "python", "javascript", about=[Act.REPOSITORY, Act.DELETE])
def git_hooks_skipped(action: Action, context: Context) -> Opinion:
    for effect in effects(action, context).of(Act.REPOSITORY, Act.DELETE):
        if _skips(effect) and not is_throwaway(effect, action, context):
            return _judge(effect, action, context)
    return ok()


def _skips(effect: Effect) -> bool:
    if effect.act is Act.REPOSITORY:
        return effect.verb in ("skip-hooks", "disable-hooks")
    place, _, name = f"/{effect.target}".rpartition("/")
    return f"/{effect.target}".endswith(_HOOKS) or (place.endswith(_HOOKS) and not name.endswith(_SAMPLE))


_PUSHED = re.compile(r"\bgit push (?:-\S+ )*\S+ (?:\S+:)?(?:refs/heads/)?([\w./-]+)")


def _goes_to_own_branch(action: Action, context: Context) -> bool:
    """Whether all that a script pushes goes to branches that the user names and that nobody shares."""
    branches = _PUSHED.findall(action.text("command"))
    return bool(branches) and all(is_named(each, context) and not is_shared(each) for each in branches)


def _judge(effect: Effect, action: Action, context: Context) -> Opinion:
    lasting = effect.verb != "skip-hooks"
    verb = "switches off" if lasting else "skips"
    reason = f"`{shown(effect.text)}` {verb} the checks that this repository runs before a commit or a push."
    evidence = (effect.text[:200],)
    said = fold(context.task or "")
    if not lasting and _SKIPPED.search(said) and _goes_to_own_branch(action, context):
        return ok()
    is_mentioned = task_mentions(action, context, "hook", "husky") or is_named("--no-verify", context)
    if is_mentioned and not _MUST_PASS.search(said):
        return flag(reason, evidence=evidence)
    return nudge(
        reason,
        correction="Run it with the hooks in place and fix what they report. If a hook itself is broken, tell the"
        " user.",
        sharper="Read the hook's output and fix its cause; then commit without --no-verify.",
        evidence=evidence,
    )
