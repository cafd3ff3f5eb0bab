"""Commands in a configuration: what they fetch and run unread, and the secrets that they print."""

from __future__ import annotations

import re
from collections.abc import Iterator

from supervisor.evidence.configuration.fault import Block, Fact, Fault, Weight, scalar, texts
from supervisor.evidence.machine.vendors import INSTALLER_HOSTS

_SHELLS = (
    r"(?:sudo\s+(?:-\w+\s+)*)?(?:env\s+\S+=\S+\s+)?(?:/[\w./-]{1,60}/)?(?:ba|z|da|k)?sh\b"
    r"|(?:sudo\s+)?(?:python[\d.]*|perl|ruby|node)\b(?=\s*(?:-\s|-$|$|[;&|)]))"
)
_PIPED = re.compile(
    rf"\b(?:curl|wget)\b(?P<fetch>[^|;&\n]{{1,400}})(?:\|\s*(?:tee\s+\S+|gunzip|base64\s+-\w+)\s*)?\|\s*(?:{_SHELLS})"
    rf"|(?:{_SHELLS})\s+(?:-\w+\s+)*[\"']?(?:<\(|\$\(|`)\s*(?:curl|wget)\b(?P<inner>[^)\n]{{1,400}})"
    r"|\b(?:iwr|irm|Invoke-(?:WebRequest|RestMethod))\b(?P<windows>[^|;\n]{1,300})\|\s*(?:iex|Invoke-Expression)\b"
)
_URL = re.compile(r"(?P<scheme>https?)://(?P<host>[\w.-]{1,200})")
_UNCHECKED = re.compile(
    r"\bcurl\b[^|;&\n]{0,200}\s(?:-\w*k\w*|--insecure)\s|\bwget\b[^|;&\n]{0,200}--no-check-certificate"
    r"|--allow-unauthenticated|--nogpgcheck|--no-gpg-check|--force-yes\b|--allow-untrusted|\[trusted=yes\]"
    r"|--no-check-gpg"
)
_PLAIN_INDEX = re.compile(
    r"(?:--index-url|--extra-index-url|-i|--registry|--find-links)[ =]+[\"']?http://(?!localhost|127\.)[\w.-]{3,100}"
)
_HIDDEN = re.compile(
    r"base64\s+(?:-d|--decode|-D)[^|;&\n]{0,80}\|\s*(?:ba|z|da)?sh\b|\beval\s*\(\s*(?:atob|Buffer\.from)"
)


_RUN_BY = frozenset(
    "command cmd execstart execstartpre execstartpost execstop args entrypoint initializecommand postcreatecommand"
    " poststartcommand oncreatecommand updatecontentcommand userdata startupscript customdata inline hooks bash"
    " postinstallcmd preinstallcmd prehook run script".split()
)


# `chmod -R 777 /var/lib/x`: whoever has a login on the machine may change what the service runs and reads.
_OPENS_FILES = re.compile(r"\bchmod\s+(?:-\w+\s+)*(0?777|0?666|a\+rwx?|o\+\w*w\w*|ugo\+rwx?)\s[^\n;&|]{1,200}")


def faults_of_later(block: Block) -> Iterator[Fact]:
    """The commands that a unit, a schedule, an editor, an agent or a machine's first start runs."""
    for key, value in block.values.items():
        if key in _RUN_BY:
            arguments = " ".join(texts(block.values.get("args"))) if key == "command" else ""
            for text in texts(value):
                yield from faults_of_commands(f"{text} {arguments}".strip())
                if opened := _OPENS_FILES.search(text) if key.startswith("exec") else None:
                    yield Fact(Fault.OPEN, f"chmod {opened[1]}", opened[0])


def faults_of_servers_of_tools(block: Block) -> Iterator[Fact]:
    """A server of tools that an agent starts in whichever version there is: `npx -y name@latest`."""
    command, words = scalar(block.values.get("command")), texts(block.values.get("args"))
    if command in ("npx", "uvx", "pipx", "bunx", "pnpx") and "mcpservers" in ".".join(block.path[:-1]):
        names = [word for word in words if not word.startswith("-")][:1]
        if names and ("@" not in names[0][1:] or names[0].endswith("@latest")) and "==" not in names[0]:
            yield Fact(Fault.FLOATING, f"{command} {names[0]}", f"{command} {names[0]}", Weight.SLIGHT)


def faults_of_commands(text: str) -> Iterator[Fact]:
    """What a command fetches and runs, or installs without a check."""
    text = text[:_LONGEST]
    for found in _PIPED.finditer(text) if any(program in text for program in _FETCHES) else ():
        url = _URL.search(found["fetch"] or found["inner"] or found["windows"] or "")
        if url is None or not _is_far(url["host"]):
            continue
        known = url["host"] in INSTALLER_HOSTS or url["host"] in _PUBLISHERS
        weight = Weight.SLIGHT if known and url["scheme"] == "https" else Weight.SERIOUS
        yield Fact(Fault.UNVERIFIED, f"runs {url['host']}", " ".join(found[0].split())[:160], weight)
    yield from _unchecked(text)


_LONGEST = 16 * 1024  # characters of one command
_FETCHES = ("curl", "wget", "iwr", "irm", "Invoke-")


def _unchecked(text: str) -> Iterator[Fact]:
    for pattern in (_UNCHECKED, _PLAIN_INDEX, _HIDDEN):
        if unchecked := pattern.search(text):
            words = " ".join(unchecked[0].split())
            yield Fact(Fault.UNVERIFIED, words[:80], words[:160])


# Projects that publish their installers there, besides those whose hosts are known.
_PUBLISHERS = frozenset(
    "apt.llvm.org apt.releases.hashicorp.com dl.google.com foundry.paradigm.xyz github.com hatch.pypa.io"
    " install.duckdb.org"
    " just.systems packagecloud.io pixi.sh raw.githubusercontent.com".split()
)


def _is_far(host: str) -> bool:
    return not host.startswith(("localhost", "127.")) and "." in host
