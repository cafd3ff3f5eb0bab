"""Connects by SSH to a machine without checking its key (CWE-322)."""

from collections.abc import Iterator

from supervisor.evidence.actions.programs import module
from supervisor.evidence.effects import Act
from supervisor.evidence.python import Call, Module
from supervisor.evidence.python.repairs import Change, instead, shown, without
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

_TRUSTING = ("AutoAddPolicy", "WarningPolicy", "MissingHostKeyPolicy")


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def ssh_host_unchecked(action: Action, context: Context) -> Opinion:
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
