"""Requests to the guard's socket and port in the name of a person, a hook or a guard, and listeners in their place.

Requests that only read are allowed: the pending approvals, the health check, the metrics.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from supervisor.action import Action, Context
from supervisor.evidence.actions.commands import RUNNERS, run_by
from supervisor.evidence.effects.guard.assets import Assets
from supervisor.evidence.effects.guard.code import ROUTE
from supervisor.evidence.guard.calls import named_by_calls
from supervisor.evidence.guard.disarming import Disarming, How
from supervisor.evidence.machine.assets import Sort
from supervisor.evidence.shell import Command, shown

_TALKERS = frozenset(
    "socat nc ncat netcat curl wget http https xh httpie websocat openssl telnet systemd-socket-activate ssh"
    " docker podman redir".split()
)
_SENDS = re.compile(
    r"-(?:d|F|T|X|-data.*|-json|-form.*|-request|-post.*|-method|-body.*|-upload-file)(?:=.*)?|-[dXFT].+"
)
_LISTENS = frozenset(
    "bind connect listen createServer createConnection connect_ex open_unix_connection start_unix_server"
    " create_unix_server create_unix_connection UnixStreamServer UnixDatagramServer".split()
)
_HERE = re.compile(r"^(?:https?://)?(?:127\.[\d.]+|localhost|\[::1\]|0\.0\.0\.0):(\d+)(?:/|$)")


def read(action: Action, context: Context, known: Assets) -> Iterator[Disarming]:
    """What an action sends on the guard's channels, or does to them."""
    if action.kind in RUNNERS:
        for command in run_by(action, context).commands:
            if command.program in _TALKERS and not command.remote and _sends_or_listens(command, known):
                yield Disarming(How.ANSWERED, f"runs `{shown(command.text)}`", shown(command.text))
        for call, path in named_by_calls(action, context):
            asset = known.at(path)
            if asset is not None and asset.sort in (Sort.SOCKET, Sort.STATE) and call.method in _LISTENS:
                yield Disarming(How.CHANGED, f"runs `{shown(call.text)}`", shown(path))
    elif action.kind in ("http", "browse", "tool"):
        yield from _by_tool(action, known)


def _sends_or_listens(command: Command, known: Assets) -> bool:
    """Whether a program listens at the guard's socket, or sends it what only a person, a hook or a guard may send."""
    named = any(_is_channel(word, command, known) for word in command.args)
    if not named:
        return False
    if command.program in ("curl", "wget", "http", "https", "xh", "httpie"):
        return any(_SENDS.fullmatch(word) for word in command.args)
    return not (command.program in ("nc", "ncat", "netcat") and command.has_flag("-z"))


def _is_channel(word: str, command: Command, known: Assets) -> bool:
    asset = known.named(word, command.cwd)
    return (asset is not None and asset.sort == Sort.SOCKET) or _is_port(word, known)


def _is_port(word: str, known: Assets) -> bool:
    found = _HERE.match(word)
    return found is not None and any(asset.place == found[1] for asset in known.of(Sort.PORT))


def _by_tool(action: Action, known: Assets) -> Iterator[Disarming]:
    """A tool that sends a request that is not a GET to the daemon's port, or to one of its routes on this machine."""
    urls = [text for _, text in action.strings() if _HERE.match(text)]
    method = (action.text("method") or str(action.get("method", "")) or "").upper()
    sends = method not in ("", "GET", "HEAD", "OPTIONS") or any(action.get(name) for name in ("body", "data", "json"))
    for url in urls:
        if sends and (_is_port(url, known) or ROUTE.search(url)):
            yield Disarming(How.ANSWERED, f"sends a request to {shown(url)}", shown(url))
