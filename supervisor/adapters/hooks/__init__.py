"""Hooks of command-line agents: the events of each host, and the answers to them.

A host runs a command before and after each tool call, with JSON on its stdin. That command is `client.pl` or
`client.py`, which sends the JSON to the daemon and carries out its answer; everything else runs in the daemon, here.
A refusal is exit code 2 with the reason on stderr, as prose and not as bare JSON, and nothing on stdout: the only form
that every host understands.
"""

from __future__ import annotations

from supervisor.adapters.hooks.answering import Reply, answer, unusable
from supervisor.adapters.hooks.claude import CLAUDE
from supervisor.adapters.hooks.codex import CODEX
from supervisor.adapters.hooks.cursor import CURSOR
from supervisor.adapters.hooks.gemini import GEMINI
from supervisor.adapters.hooks.host import Event, Host

HOSTS: dict[str, Host] = {host.name: host for host in (CLAUDE, CODEX, GEMINI, CURSOR)}

__all__ = ["HOSTS", "Event", "Host", "Reply", "answer", "unusable"]
