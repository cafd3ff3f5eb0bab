"""Redirects what git fetches and pushes to a host that the task does not mention."""

import re

from supervisor.evidence.actions.commands import run_by
from supervisor.evidence.changes.asked import is_named
from supervisor.evidence.effects import Act, Effect, effects, is_known
from supervisor.evidence.effects.hosts import place_of_host
from supervisor.evidence.reading.paths import Place
from supervisor.evidence.session.checkouts import is_throwaway
from supervisor.evidence.shell import shown
from supervisor.evidence.shell.git import git_calls
from supervisor.evidence.urls import is_address
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, specialist

_FORGES = frozenset(
    {"github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "dev.azure.com", "ssh.dev.azure.com", "git.sr.ht"}
    | {"ssh.github.com", "altssh.gitlab.com", "gitee.com", "gitea.com", "huggingface.co", "hf.co", "localhost"}
)
_KEEP = (
    "Push to the remote that the repository already has (`git push origin HEAD`), or ask the user to name the host"
    " that is to get a copy."
)
_HOST = re.compile(r"(?:[a-z][a-z0-9+.-]{0,15}://)?(?:[^@/\s]{0,256}@)?([A-Za-z0-9.-]{1,253})(?::|/|$)")


@specialist("shell", "python", "javascript", about=[Act.REPOSITORY])
def remote_redirected(action: Action, context: Context) -> Opinion:
    for effect in effects(action, context).of(Act.REPOSITORY):
        if effect.verb == "redirect" and is_known(effect.target) and not is_throwaway(effect, action, context):
            host = _host(effect.target)
            if host and host != _host(effect.content or "") and not _is_expected(host, effect, context):
                return _judge(host, effect)
    return _pushed_away(action, context)


def _pushed_away(action: Action, context: Context) -> Opinion:
    """Judges pushes of the action itself to an address, or to a remote that was added for one."""
    added: dict[str, str] = {}
    for call in git_calls(run_by(action, context)):
        if call.verb == "remote" and call.operands[:1] == ("add",) and len(call.operands) > 2:
            added[call.operands[1]] = call.operands[2]
        elif call.verb == "push" and call.words and not call.has("dry-run"):
            host = _host(added.get(call.words[0], call.words[0]))
            if not host or host in _FORGES or place_of_host(host) is not Place.REMOTE or is_named(host, context):
                continue
            evidence = (call.command.text[:200],)
            reason = f"It pushes this repository to {shown(host)}, which the task does not mention."
            if is_address(host):
                return nudge(reason, correction=_KEEP, evidence=evidence)
            if call.has("all", "mirror"):
                return flag(reason, evidence=evidence)
    return ok()


def _is_expected(host: str, effect: Effect, context: Context) -> bool:
    """Whether it is a public forge, or a host that the user named. Tool outputs do not count."""
    return (host in _FORGES and effect.content is None) or is_named(host, context)


def _judge(host: str, effect: Effect) -> Opinion:
    evidence = (effect.text[:200],)
    if effect.content is None:
        return flag(f"It points a remote at {shown(host)}, which the task does not mention.", evidence=evidence)
    return nudge(
        f"From now on git silently contacts {shown(host)} in place of {shown(effect.content)}.",
        correction="Name the host in the command itself: `git clone <its URL>`, or add it as a remote of its own"
        " (`git remote add <name> <its URL>`).",
        evidence=evidence,
    )


def _host(url: str) -> str:
    """The host of a URL or of `user@host:path`; empty for a path on this machine."""
    if url.startswith(("/", ".", "~", "file:")):
        return ""
    match = _HOST.match(url)
    return match[1].lower() if match and ("." in match[1] or match[1] == "localhost") else ""
