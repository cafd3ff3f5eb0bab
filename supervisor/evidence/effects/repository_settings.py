"""What git's settings switch off, both stored settings (`git config`) and those for one run (`git -c`, variables)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from supervisor.evidence.effects.effect import Act, Effect
from supervisor.evidence.reading.paths import Place
from supervisor.evidence.shell.git import GitCall

_OFF = frozenset({"false", "no", "off", "0", ""})
_NOWHERE = frozenset({"", "/dev/null", "/var/empty", "NUL", "nul", "/nonexistent"})
_SIGNING = frozenset({"commit.gpgsign", "tag.gpgsign", "push.gpgsign", "tag.forcesignannotated"})
_EXPIRY = frozenset({"gc.reflogexpire", "gc.reflogexpireunreachable", "gc.pruneexpire"})
_SAFEGUARDS = frozenset(
    {"core.protectntfs", "core.protecthfs", "receive.denynonfastforwards", "receive.denydeletes"}
    | {"transfer.fsckobjects", "fetch.fsckobjects", "receive.fsckobjects"}
)
_READS = frozenset({"get", "get-all", "get-regexp", "list", "edit", "get-urlmatch"})
# Variables that switch hook managers off, and the values that do so.
_HOOK_SWITCHES: Mapping[str, frozenset[str]] = {
    "HUSKY": frozenset({"0"}),
    "HUSKY_SKIP_HOOKS": frozenset({"1", "true"}),
    "LEFTHOOK": frozenset({"0", "false"}),
    "OVERCOMMIT_DISABLE": frozenset({"1", "true"}),
    "SKIP_SIMPLE_GIT_HOOKS": frozenset({"1", "true"}),
}
_RUN_HOOKS = frozenset({"commit", "push", "merge", "rebase", "am", "cherry-pick", "revert", "pull"})


def configured(call: GitCall) -> Iterator[Effect]:
    """The effects of `git config`, in the old form (`name value`, `--unset name`) and the new (`set`, `unset`)."""
    words = list(call.words)
    subcommand = words.pop(0) if words and words[0] in _READS | {"set", "unset"} and len(words) > 1 else ""
    if subcommand in _READS or call.has(*_READS) or not words:
        return
    if subcommand == "unset" or call.has("unset", "unset-all"):
        yield from _switched_off(call, words[0].lower(), "", unset=True)
    elif len(words) > 1:
        yield from _switched_off(call, words[0].lower(), words[1])


def set_for_one_run(call: GitCall) -> Iterator[Effect]:
    """The effects of the settings and variables before the subcommand."""
    for name, value in call.settings.items():
        yield from _switched_off(call, name, value)
    if call.verb in _RUN_HOOKS:
        for name, value in call.command.environment:
            if value.lower() in _HOOK_SWITCHES.get(name, ()):
                yield _effect(call, "skip-hooks", name)


def _switched_off(call: GitCall, name: str, value: str, unset: bool = False) -> Iterator[Effect]:
    if name == "core.hookspath" and (unset or value in _NOWHERE):
        yield _effect(call, "disable-hooks" if call.verb == "config" else "skip-hooks", name)
    elif name in _SIGNING and (unset or value.lower() in _OFF):
        yield _effect(call, "unsign", name)
    elif name in _EXPIRY and value.lower() in ("now", "all", "0"):
        yield _effect(call, "expire", "the reflog" if "reflog" in name else "unreachable objects")
    elif name == "credential.helper" and value.split()[:1] in (["store"], ["git-credential-store"]):
        yield _effect(call, "store-credentials", "store")
    elif not unset and _weakens(name, value):
        yield _effect(call, "weaken", f"{name}={value}")
    elif name.startswith("url.") and name.endswith(("insteadof", "pushinsteadof")) and not unset:
        yield redirect(call, name[4:].rpartition(".")[0], value)
    elif name.startswith("remote.") and name.endswith((".url", ".pushurl")) and not unset:
        yield redirect(call, value)


def _weakens(name: str, value: str) -> bool:
    """Whether a setting removes one of git's own safeguards."""
    lowered = value.lower()
    if name == "safe.directory":
        return value == "*"
    if name.startswith("protocol.") and name.endswith("allow"):
        return lowered == "always"
    return name in _SAFEGUARDS and lowered in _OFF


def redirect(call: GitCall, url: str, instead_of: str | None = None) -> Effect:
    """From now on git connects to `url`, in place of `instead_of` if it is not None."""
    fields = (Act.REPOSITORY, url, Place.REMOTE, "redirect", instead_of is not None, True, call.command.text)
    return Effect(*fields, content=instead_of, command=call.command)


def _effect(call: GitCall, verb: str, target: str) -> Effect:
    fields = (Act.REPOSITORY, target, Place.WORKSPACE, verb, call.has("global", "system"), True, call.command.text)
    return Effect(*fields, command=call.command)
