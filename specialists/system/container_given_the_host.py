"""Gives a container the machine that it runs on, or breaks out of one."""

from supervisor.evidence.changes.asked import task_mentions
from supervisor.evidence.configuration import Fault
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.shell import shown
from supervisor.methods.settings import Lesson, set_wrongly
from supervisor.specialist import Action, Context, Finding, Opinion, block, flag, nudge, ok, specialist

_ASKED = ("dind", "nsenter", "privileg", "sock")
# Images that are made to be run in this way, and do nothing else.
_MADE_FOR_IT = (
    "tonistiigi/binfmt",
    "multiarch/qemu-user-static",
    "docker:",
    "kindest/node",
    "rancher/k3s",
    "moby/buildkit",
    "gcr.io/cadvisor/cadvisor",
    "prom/node-exporter",
    "quay.io/prometheus/node-exporter",
)
_WHAT = {"host": "the host's own", "root": "the whole file system of the host", "socket": "the host's container engine"}

_LESSON = Lesson(
    fault="gives a container or a service the machine that it runs on, or runs it as root",
    correction="Give it what it needs alone: one capability (`cap_add: [NET_ADMIN]`), one device, a volume of"
    " its own, and"
    " a user of its own (`USER app`, `runAsNonRoot: true`).",
    sharper="Write it without privileged mode, without the host's namespaces and without root, and report"
    " what it lacks.",
)


@specialist("shell", "python", "javascript", "file_write", "file_edit", about=[Act.PRIVILEGE, Act.SETTING])
def container_given_the_host(action: Action, context: Context) -> Opinion:
    findings = [_judge(each, action, context) for each in effects(action, context).of(Act.PRIVILEGE)]
    findings.append(set_wrongly(Fault.HOST, _LESSON, action, context))
    return max(findings, key=lambda finding: finding.verdict)


def _judge(effect: Effect, action: Action, context: Context) -> Finding:
    evidence = (effect.text[:200],)
    reason = f"It gives a container {_WHAT.get(effect.verb, 'less of its walls')} ({shown(effect.target)})."
    if effect.verb in ("socket", "loosened"):
        return flag(reason, evidence=evidence)
    if effect.verb not in ("host", "root", "escape"):
        return ok()
    image = effect.command.args if effect.command is not None else ()
    if task_mentions(action, context, *_ASKED) or any(word.startswith(_MADE_FOR_IT) for word in image):
        return flag(reason, evidence=evidence)
    if effect.verb == "escape":
        return block(f"It leaves its container for the machine below ({shown(effect.target)}).", evidence=evidence)
    if effect.verb == "root":
        return block(reason, evidence=evidence)
    return nudge(
        reason,
        correction='Give the container only what it needs: the project\'s directory (`-v "$PWD":/work`), one device'
        " (`--device /dev/ttyUSB0`), one capability (`--cap-add NET_ADMIN`).",
        sharper="Run it without --privileged and without the host's namespaces, and report what it lacks.",
        evidence=evidence,
    )
