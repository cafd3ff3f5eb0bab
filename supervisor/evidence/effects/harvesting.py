"""Tools that collect the credentials of a machine: out of memory, key rings, browsers and account databases, or by a
search through the homes. Their effect is Act.REVEAL "store"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from supervisor.evidence.effects.command_lines import shows_only
from supervisor.evidence.effects.credentials import reveal
from supervisor.evidence.effects.effect import Act, Effect, Ground, Reading
from supervisor.evidence.machine.vital import is_home
from supervisor.evidence.reading.paths import Place
from supervisor.evidence.shell import Command
from supervisor.evidence.shell.inner import word_set

_REVEALS = frozenset({Act.REVEAL})
# MITRE ATT&CK T1003 (OS Credential Dumping) and T1555 (Credentials from Password Stores) name them.
_TOOLS = word_set(
    "mimikatz mimikittenz mimipenguin lazagne secretsdump impacket-secretsdump pypykatz lsassy nanodump gsecdump pwdump"
    " pwdump7 fgdump samdump2 creddump7 wce safetykatz sharpkatz sharpdpapi sharpchrome sharpweb rubeus seatbelt"
    " chainbreaker keychaindump keychainstealer firefox_decrypt hackbrowserdata hack-browser-data browserpass dploot"
    " donpapi dumpert handlekatz swaparoo 3snake linikatz hindsight_gui go-lsass"
)
_RUNNERS = ("python", "python2", "python3", "wine", "mono", "bash", "sh", "ruby", "perl")
_ENDINGS = (".exe", ".py", ".sh", ".ps1", ".rb")
_SHOWN = frozenset({"--help", "-h", "--version"})
# Programs that write another process's memory, and the processes that keep credentials in theirs.
_DUMPERS = ("gcore", "procdump", "procdump64", "procdump.exe", "procdump64.exe", "avml", "winpmem", "mempeek")
_KEEPERS = (
    *("1password", "agetty", "bitwarden", "chrome", "chromium", "dashlane", "firefox", "gnome-keyring", "gpg-agent"),
    *("keepass", "keychain", "keyring", "kwallet", "login", "lsass", "secretd", "securityd", "ssh-agent", "sshd"),
    *("sssd", "sudo", "systemd-logind", "vault", "vsftpd"),
)
_WHOLE_MEMORY = frozenset({"avml", "winpmem"})
# Scanners for secrets, whose place is a repository. Their options with a value.
_SCANNERS = word_set("trufflehog noseyparker gitleaks detect-secrets ripsecrets whispers n0s1")
_SCANNER_VALUED = word_set(
    "-c --config -r --report-path -f --report-format -b --log-opts --datastore -d --only-verified"
)
_EVERYBODYS = frozenset({"/", "/etc", "/home", "/opt", "/root", "/srv", "/Users", "/var"})


def name_of(word: str) -> str:
    """The name of a tool without its directory, its ending and its capitals: `./LaZagne.py` is lazagne."""
    name = word.rpartition("/")[2].rpartition("\\")[2].lower()
    ending = next((each for each in _ENDINGS if name.endswith(each)), "")
    return name.removesuffix(ending)


def _collected(command: Command, ground: Ground) -> Iterator[Effect]:
    """`mimikatz`, and `python3 LaZagne.py all`."""
    runs = command.argv[:1] if name_of(command.program) in _TOOLS else command.operands()[:1]
    if runs and name_of(runs[0]) in _TOOLS and _SHOWN.isdisjoint(command.args):
        yield reveal(command, name_of(runs[0]), "store", whole=True, place=Place.SYSTEM)


def _runs_no_tool(words: Sequence[str]) -> bool:
    return not any(name_of(word) in _TOOLS for word in words[:3])


def _dumped(command: Command, ground: Ground) -> Iterator[Effect]:
    """`gcore $(pidof sshd)`: the memory of a process that keeps credentials."""
    if shows_only(command):
        return
    named = command.text.lower()
    keeper = next((each for each in _KEEPERS if each in named), "")
    if keeper or command.program in _WHOLE_MEMORY:
        yield reveal(command, keeper or "all memory", "store", whole=True, place=Place.SYSTEM)


def _scanned(command: Command, ground: Ground) -> Iterator[Effect]:
    """`trufflehog filesystem /home`: a search for secrets through everything that people of this machine keep."""
    if shows_only(command):
        return
    paths = [*command.operands(_SCANNER_VALUED), *(word.partition("=")[2] for word in command.args if "=" in word)]
    paths += [
        word for before, word in zip(command.args, command.args[1:], strict=False) if before in ("-s", "--source")
    ]
    for word in paths:
        path = command.path(word.removeprefix("file://"))
        if path in _EVERYBODYS or is_home(path):
            yield reveal(command, path, "store", whole=True, place=Place.SYSTEM)
            return


def _spellings() -> Iterator[str]:
    capitals = {"lazagne": "laZagne", "mimikatz": "Mimikatz", "rubeus": "Rubeus", "seatbelt": "Seatbelt"}
    for name in _TOOLS:
        for spelt in {name, capitals.get(name, name), name.capitalize()}:
            yield from (f"{spelt}{ending}" for ending in ("", *_ENDINGS))


PROGRAMS = {
    **dict.fromkeys(_spellings(), Reading(_REVEALS, _collected)),
    "LaZagne.py": Reading(_REVEALS, _collected),
    **dict.fromkeys(_RUNNERS, Reading(_REVEALS, _collected, _runs_no_tool)),
    **dict.fromkeys(_DUMPERS, Reading(_REVEALS, _dumped)),
    **dict.fromkeys(_SCANNERS, Reading(_REVEALS, _scanned)),
}
