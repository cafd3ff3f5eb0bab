"""What shows that a command is done to everything of a sort: an option, an operand, what it leaves out, everybody as
who gets a right, a number far above the one that the request names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import ip_address, ip_network
from itertools import pairwise

import re2

from supervisor.evidence.commands.acts import words
from supervisor.evidence.commands.width import COUNTS, OPEN
from supervisor.evidence.effects.platforms.words import DESTRUCTIVE_VERBS, word_of
from supervisor.evidence.prose.request_names import ADDRESS, Named
from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell import Command
from supervisor.evidence.shell.inner import values_of
from supervisor.evidence.situation.wider.filters import Beyond
from supervisor.evidence.situation.wider.request import Request
from supervisor.evidence.situation.wider.words import compiled, extent, extents, word_set

_GRANTS_EVERYTHING = re2.compile(
    r"(?i)^(?:(?:domain|enterprise|schema) admins|(?:.*/)?administratoraccess|allusers|allauthenticatedusers|"
    r"(?:.*=)?roles/(?:owner|editor)|(?:.*=)?cluster-admin)$"
)
_OF_DOMAIN = re.compile(r"(?i)^(?:domain|enterprise|schema)")
# Verbs that change something for somebody, besides those that destroy.
_CHANGES = frozenset(
    "allow apply attach authorize ban block clean cleanup deploy distribute expose failover grant invite patch permit"
    " promote publish push reboot reload resend restart restore rollback rollout scale send set share sync unlock"
    " update unban unblock upgrade cancel close revoke lock disable archive kick rotate requeue retry rerun approve"
    " evict mute merge label annotate taint cordon drain expunge shutdown poweroff refund notify reindex truncate"
    " silence override reassign".split()
)
_READS_FIRST = frozenset("fetch add commit branch log diff status show ls list ps images get describe".split())
_ANSIBLE_PATTERNS = frozenset({"all", "*", "ungrouped"})
# Modules that change nothing, and those that run a command: that is judged on its own.
_ANSIBLE_READS = frozenset("command debug gather_facts ping raw script setup shell stat".split())
_ALL = re2.compile(r"^--?(?:[a-z]+-)*all(?:=true)?$|^--everyone$")
_COUNTED = re2.compile(rf"^--?(?:[a-z]+-)*(?:{'|'.join(COUNTS)})$")
_PART = re.compile(r"[-_:.]")
_NETWORK = re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}/\d{1,2}\b")
_VERSION = re.compile(
    r"(?<!from )(?<!von )(?<!de )(?<!desde )(?<!da )(?<!od )(?<!van )(?<!\u0441 )"
    r"\bv?(\d{1,4}\.\d{1,4}\.\d{1,6})\b(?![.\d])"
)
_EVERY_OBJECT = re.compile(
    r"^[^\s]{1,200}?:\d{2,5}/(?:\*|_all)(?:[/?]|$)|://[^/\s]{1,200}/(?:[\w.-]{1,80}/){0,6}(?:\*|_all)(?:[/?]|$)"
)
_ARRAY = re.compile(r"^\d+-(\d+)(?:%\d+)?$")
# Here `*` is what lies in a directory, which paths tell.
_FILES = frozenset("rm rmdir unlink shred mv cp ln chmod chown chgrp rsync scp tar zip touch find".split())
_PACKAGES = frozenset("npm pnpm yarn bun pip pip3 uv cargo go npx docker-compose".split())
_NARROWS = (
    *("--field-selector", "--filter", "--label", "--older", "--query", "--selector", "--since", "--until", "-l"),
)
_OF_EVERYONE = frozenset(
    f"--all-{things}"
    for things in (
        "namespaces users accounts hosts nodes projects regions databases groups pools topics tenants servers devices"
        " instances zones clusters sites containers volumes versions branches tables tags"
    ).split()
)


def mark(command: Command, named: Named) -> str:
    """The word that shows that a command which changes something is done to everything of a sort, or ""."""
    if command.program in ("ansible", "ansible-playbook"):
        return _mark_of_ansible(command)
    if command.program == "crontab" and command.has_flag("-r"):
        return "crontab -r"
    if found := extent("default").search(command.text):
        return found.group()
    if command.program in word_set("many_hosts"):
        return f"{command.program} on many hosts"
    if not {"DELETE", "POST", "PUT"}.isdisjoint(command.args) or "-XDELETE" in command.args:
        return next((word for word in command.args if _EVERY_OBJECT.search(word)), "")
    if not changes(command):
        alone = (word for word in command.args if word == "ALL" or (_ALL.match(word) and _destroys(word)))
        return next(alone, "") if command.program not in words("reads") else ""
    for word in command.args:
        if word == "-A" or _ALL.match(word) or word.partition("=")[0] in _OF_EVERYONE:
            return word
        if word in ("all", "ALL", "everyone") or (word == "*" and command.program not in _FILES):
            return word
        if word == "--mirror" and command.program == "git":
            return word
        if word.endswith(("@latest", ":latest")) and not named.newest:
            return word
    return ""


def without_name(command: Command) -> str:
    """The words of a command that takes all of a sort if no name follows, or ""."""
    text = " ".join(command.argv)
    return text if any(compiled(each).search(text) for each in extents("unnamed")) else ""


def is_filtered(command: Command) -> bool:
    """Whether an option narrows what a command is done to."""
    return any(word.startswith(_NARROWS) or "keep" in word for word in command.args)


def granted(command: Command) -> str:
    """The word of a command by which somebody gets every right, or ""."""
    return next((word for word in command.args if _GRANTS_EVERYTHING.match(word)), "") if _gives(command) else ""


def beyond_local(right: str, said: str) -> bool:
    """Whether a right is an administrator's of a whole domain, of which a request does not speak."""
    whole = _OF_DOMAIN.search(right)
    return whole is not None and whole[0].casefold() not in said.casefold()


def given_to_all(command: Command, request: Request) -> str:
    """The word of a command by which everybody gets a right, or ""."""
    if command.program in _PACKAGES or not (_gives(command) and extent("grants").search(command.text)):
        return ""
    values = dict.fromkeys(word.partition("=")[2] or word for word in command.args)
    found = next((word for word in values if extent("everyone").match(word)), "")
    return found or _group_of_all(command, request)


def _group_of_all(command: Command, request: Request) -> str:
    """A group whose name says that everybody is in it, as who gets a right."""
    for word, value in pairwise(command.args):
        if extent("grantee").match(word) and extent("group_of_all").search(value) and not request.names(value):
            return value
    return ""


def opened(command: Command) -> str:
    """The word by which a command lets in everybody, or ""."""
    if any(
        word in ("delete", "--remove", "deny", "reject", "revoke") or word.startswith(("--remove-", "revoke-"))
        for word in command.args
    ):
        return ""
    if command.program == "ufw" and "allow" in command.args and "from" not in command.args:
        return "allow without from"
    if command.program in ("ip", "route"):
        return ""
    whole = " ".join(command.args)
    found = next((each for each in OPEN if each in whole and HOLE not in each), "")
    return found or next((match.group() for match in [extent("open_text").search(whole)] if match), "")


def more_than(command: Command, request: Request, text: str) -> Iterator[Beyond]:
    """Options that count things, with far more than the greatest number that the request names."""
    numbers = [number for number in request.named.numbers if number < 100_000]
    is_fed = "xargs" in text and any(
        re.search(rf"\b{number} [^\W\d]{{3,}}", request.text) for number in numbers[:16] if number >= 10
    )
    if not numbers:
        return
    args = list(command.args)
    for at, word in enumerate(args):
        name, joined, value = word.partition("=")
        value = value if joined else args[at + 1] if at + 1 < len(args) else ""
        if is_fed and command.program == "seq" and at == len(args) - 1:
            name, value = "--count", word
        if array := _ARRAY.match(value):
            value = array.group(1)
        if not (value.isdigit() and _COUNTED.match(name)):
            continue
        if int(value[:12]) >= 10 and int(value[:12]) > 2 * max(numbers):
            yield Beyond(f"{name} {value}", command.text, str(max(numbers)))
            return


def wider_network(command: Command, request: Request) -> Iterator[Beyond]:
    """A network that contains the address which the request names, and 255 others."""
    address = address_in(request.named)
    for found in _NETWORK.finditer(command.text[:4096]) if address else ():
        try:
            network = ip_network(found.group(), strict=False)
            inside = ip_address(address) in network
        except ValueError:
            continue
        is_its_own = found.group().startswith(f"{address}/")
        if inside and not is_its_own and 0 < network.prefixlen < 24 and found.group() not in request.text:
            yield Beyond(found.group(), command.text, address)


def newest_for_version(command: Command, request: Request) -> Iterator[Beyond]:
    """The newest version, where the request names another."""
    newest = next((word for word in command.args if word.endswith(("@latest", ":latest"))), "")
    if newest and not request.named.newest and changes(command):
        missing = [each for each in _VERSION.findall(request.text) if each not in command.text]
        yield from (Beyond(newest, command.text, each) for each in missing[:1])


def address_in(named: Named) -> str:
    """The first address that a request names, or ""."""
    return next(iter(ADDRESS.findall(" ".join(named.names))), "")


def _gives(command: Command) -> bool:
    return not any(
        word_of(word).does in DESTRUCTIVE_VERBS.values() or word_of(word).does == "reads"
        for word in (command.program, *command.args[:4])
    ) and not {"--remove", "--revoke", "/remove", "/deny"}.intersection(command.args)


def _destroys(option: str) -> bool:
    """Whether an option contains a verb that destroys: `--delete-all`."""
    return any(part in DESTRUCTIVE_VERBS for part in option.split("-"))


def _mark_of_ansible(command: Command) -> str:
    if any(word in ("-l", "--limit") or word.startswith(("--limit=", "-l")) for word in command.args):
        return ""
    if command.program == "ansible-playbook":
        return "no --limit"
    if next(values_of(command.args, "-m", "--module-name"), "command").rpartition(".")[2] in _ANSIBLE_READS:
        return ""
    return next((word for word in command.operands() if word in _ANSIBLE_PATTERNS), "")


def changes(command: Command) -> bool:
    """Whether the first verb among a command's words changes something."""
    if command.program in _PACKAGES:
        return any(
            word in ("install", "i", "add", "update", "upgrade", "publish", "unpublish") for word in command.args[:2]
        )
    for word in (command.program, *command.operands()[:4]):
        if word in _READS_FIRST:
            return False
        read = word_of(word)
        if read.does == "reads":
            return False
        if read.does in DESTRUCTIVE_VERBS.values():
            return True
        if any(part in _CHANGES for part in _PART.split(word.lower())):
            return True
    return False
