"""Connects by SSH to a machine without checking its key (CWE-322)."""

from collections.abc import Iterator

from supervisor.evidence.actions.programs import module
from supervisor.evidence.changes.asked import task_mentions
from supervisor.evidence.effects import Act
from supervisor.evidence.history.past import mentions
from supervisor.evidence.python import Call, Module
from supervisor.evidence.python.repairs import Change, instead, shown, without
from supervisor.methods.flows import judged
from supervisor.methods.pattern import Pattern
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

_TRUSTING = ("AutoAddPolicy", "WarningPolicy", "MissingHostKeyPolicy")


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE, Act.WRITE])
def ssh_host_unchecked(action: Action, context: Context) -> Opinion:
    if silenced := _silenced(action, context):
        return nudge(
            f"The key of the host has changed, nothing says why, and with `{silenced}` whoever answers passes for it.",
            correction="Ask whoever runs the host for its fingerprint, compare it, and replace this one key:"
            " ssh-keygen -R host, then ssh-keyscan and compare.",
            sharper="Tell the user that the key has changed, and wait for an answer.",
            evidence=(silenced,),
        )
    code = module(action, context)
    if code is None:
        return judged(action, context, "ssh")
    found = list(_trusting(code))
    if not found:
        return ok()
    seen, repair = found[0], shown(code, map(_checking, found), _trusting)
    return nudge(
        f"`{seen.text[:100]}` trusts any machine that answers, so a machine in between gets password and session.",
        correction="Check the host keys: client.load_system_host_keys() and client.set_missing_host_key_policy("
        f"paramiko.RejectPolicy()); with asyncssh leave known_hosts at its default.{repair}",
        evidence=(seen.text,),
    )


_CHANGED = "IDENTIFICATION HAS CHANGED"
_SILENCES = Pattern(
    r"(?i)StrictHostKeyChecking[= ]+[\"']?(?:no|off)\b|UserKnownHostsFile[= ]+[\"']?/dev/null"
    r"|\bhost_key_checking\s*[:=]\s*[\"']?(?:false|no)|ANSIBLE_HOST_KEY_CHECKING=[\"']?(?:false|0)"
)
_EXPLAINS = ("host key", "reinstall", "rebuil", "reimag", "new key", "rotat", "neu aufgesetzt")


def _silenced(action: Action, context: Context) -> str:
    """The words with which an action goes past the warning that this session got of a changed key."""
    new, old = (" ".join(action.text(name) for name in names) for names in (("command", "content", "new"), ("old",)))
    found = _SILENCES.search(new[:65_536])
    if found is None or found[0] in old or not mentions(context, _CHANGED):
        return ""
    return "" if task_mentions(action, context, *_EXPLAINS) else found[0]


def _checking(call: Call) -> Change | None:
    """The same connection, restricted to known hosts."""
    if call.method != "set_missing_host_key_policy":
        return without(call, "known_hosts")
    return instead(call.positional[0], "paramiko.RejectPolicy()", "paramiko")


def _trusting(code: Module) -> Iterator[Call]:
    for call in code.calls_of(["set_missing_host_key_policy"]):
        policy = code.name_of(call.positional[0]).removesuffix("()") if call.positional else ""
        if call.is_new and policy.endswith(_TRUSTING):
            yield call
    for call in code.calls_of(("connect", "create_connection", "SSHClientConnectionOptions")):
        known = call.keywords.get("known_hosts")
        if call.is_new and call.name.startswith("asyncssh.") and known is not None and known.type == "none":
            yield call
