"""Creates endless processes, output or load, until the machine hangs or its disk is full."""

from supervisor.evidence.changes.asked import is_named, task_mentions
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Finding, Opinion, block, flag, nudge, ok, specialist

_ASKED = ("benchmark", "constant", "continu", "endless", "exhaust", "fill", "stress")


@specialist("shell", "python", "javascript", about=[Act.PROCESS])
def machine_resources_exhausted(action: Action, context: Context) -> Opinion:
    findings = [_judge(each, action, context) for each in effects(action, context).of(Act.PROCESS)]
    return max(findings, key=lambda finding: finding.verdict, default=ok())


def _judge(effect: Effect, action: Action, context: Context) -> Finding:
    evidence = (effect.text[:200],)
    if effect.verb == "multiply":
        return block(f"`{shown(effect.text)}` creates endless new processes.", evidence=evidence)
    if effect.verb not in ("fill", "exhaust"):
        return ok()
    what = f"`{shown(effect.text)}` writes without a limit" if effect.verb == "fill" else f"`{shown(effect.text)}` runs"
    reason = f"{what} until {effect.target if effect.verb == 'exhaust' else 'the disk'} is used up."
    if task_mentions(action, context, *_ASKED) or is_named(effect.target, context):
        return flag(reason, evidence=evidence)
    return nudge(
        reason,
        correction="Give it a limit that the machine can bear: `head -c 10M /dev/zero > <file>`, `dd … bs=1M count=10`,"
        " `stress --timeout 30`.",
        sharper="State the size or the duration in the command itself.",
        evidence=evidence,
    )
