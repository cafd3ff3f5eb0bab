"""Windows programs, as the commands of a POSIX system with the same effect; both PowerShell and cmd run them.

A program without such a command keeps its name, without directory and `.exe`; the words of those whose words have no
case are in lower case. Source: "Windows commands" in Microsoft's documentation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell.inner import word_set
from supervisor.evidence.shell.windows.variables import posix_path

Argv = tuple[str, ...]
_ENDING = re.compile(r"\.(?:exe|com)$", re.IGNORECASE)
_URL = re.compile(r"(?i)(?:script:)?((?:https?|ftp)://[^\s\"',)]+|\\\\\S+\.(?:msi|dll|sct|hta|js|vbs)\b)")
# The words of these have no case.
_NO_CASE = word_set(
    "reg sc net net1 schtasks wevtutil vssadmin wbadmin bcdedit netsh wmic dism manage-bde fsutil icacls takeown cipher"
    " diskpart diskshadow auditpol secedit gpupdate sfc shutdown systemreset taskkill tskill logoff rwinsta reset quser"
    " format powercfg winrm dnscmd dsrm dsmod dsadd setx attrib cacls xcacls chkdsk label vaultcmd cmdkey klist"
    " nltest repadmin ntdsutil reagentc sdelete defrag compact bootrec"
)
# They run what an address names, without a file in between.
_RUNS_ADDRESS = word_set("mshta regsvr32 rundll32 wscript cscript msiexec installutil regasm hh cmstp odbcconf msbuild")
_IS_CODE = re.compile(r"(?i)-c(?:o(?:m(?:m(?:a(?:n(?:d)?)?)?)?)?)?")
_MOST_WORDS = 200  # of the program of a task
_SAM = "/c:/windows/system32/config/sam"
_DUMPS = word_set("mimikatz procdump procdump64 pypykatz nanodump secretsdump lazagne sharpdump gsecdump pwdump fgdump")


def name_of(word: str) -> str:
    """The name of a program, without its directory and without `.exe`."""
    name = word.replace("\\", "/")
    bare = _ENDING.sub("", name)
    if "/" not in bare:
        return bare.lower() if bare.lower() in _KNOWN or bare != name else bare
    directory, _, last = bare.rpartition("/")
    is_system = any(part in directory.lower() for part in ("windows/system32", "windows/syswow64", "/program files"))
    return last.lower() if is_system or last.lower() in _KNOWN else name


def equivalents(argv: Sequence[str], of_cmd: bool = False) -> list[Argv]:
    """The commands with the effect of a program, or of a builtin of cmd."""
    if not argv:
        return []
    name, args = name_of(argv[0]), list(argv[1:])
    if any(word.lower() in ("/?", "-?") for word in args):
        return [("echo", name)]
    translate = (_BUILTINS.get(name.lower()) if of_cmd else None) or _PROGRAMS.get(name)
    if translate:
        return list(translate(args))
    if name in _DUMPS and any("lsass" in word.lower() or "::" in word or name != "procdump" for word in args):
        return [("cat", _SAM)]
    if name in _NO_CASE:
        return [(name, *(word.lower() for word in args))]
    return [(name, *args)]


def address_run(argv: Sequence[str]) -> str:
    """The address of the code that a program runs without saving it; empty if there is none."""
    if not argv or name_of(argv[0]) not in _RUNS_ADDRESS:
        return ""
    found = _URL.search(" ".join(argv[1:]))
    return found[1] if found else ""


def _divided(args: Sequence[str]) -> tuple[set[str], list[str]]:
    """The switches in lower case, and the operands. A path of another system does not begin with one letter."""
    switches = {word.lower() for word in args if _SWITCH.match(word)}
    return switches, [word for word in args if not _SWITCH.match(word)]


_SWITCH = re.compile(r"/[A-Za-z][\w+-]*(?::[^/]*)?$")


def _robocopy(args: list[str]) -> Iterator[Argv]:
    switches, operands = _divided(args)
    paths = [posix_path(word) for word in operands]
    source, target = (*paths, HOLE, HOLE)[:2]
    words = ["-n"] if switches & {"/l"} else []
    if switches & {"/mir", "/purge"}:
        yield ("rsync", "-a", *words, "--delete", f"{source}/", f"{target}/")
    elif switches & {"/move", "/mov"}:
        yield ("rsync", "-a", *words, "--remove-source-files", f"{source}/", target)
    elif not words:
        yield ("cp", "-r", source, target)


def _copied(args: list[str]) -> Iterator[Argv]:
    switches, operands = _divided(args)
    if not switches & {"/l"}:
        paths = [posix_path(word) for word in operands]
        yield ("cp", "-r", *(paths if len(paths) > 1 else [*paths, "."]))


def _moved(args: list[str]) -> Iterator[Argv]:
    paths = [posix_path(word) for word in _divided(args)[1]]
    yield ("mv", *(paths if len(paths) > 1 else [*paths, "."]))


def _renamed(args: list[str]) -> Iterator[Argv]:
    paths = [posix_path(word) for word in _divided(args)[1]]
    if len(paths) == 2:
        head, slash, _ = paths[0].rpartition("/")
        yield ("mv", paths[0], f"{head}{slash}{paths[1]}")


def _deleted(args: list[str]) -> Iterator[Argv]:
    """`del`: with `/s` below every folder too, so a pattern picks from a tree."""
    switches, operands = _divided(args)
    for path in map(posix_path, operands):
        root, _, name = path.rpartition("/")
        if "/s" not in switches:
            yield ("rm", "-f", path)
        elif name in ("*", "*.*") or ("*" not in name and "?" not in name and "." not in name):
            yield ("rm", "-rf", path)
        else:
            yield ("find", root or ("/" if path.startswith("/") else "."), "-name", name, "-delete")


def _folder_removed(args: list[str]) -> Iterator[Argv]:
    switches, operands = _divided(args)
    yield ("rm", "-rf", *map(posix_path, operands)) if "/s" in switches else ("rmdir", *map(posix_path, operands))


def _found(args: list[str]) -> Iterator[Argv]:
    """`forfiles /P root /S /M mask /D -30 /C "cmd /c del @path"`."""
    given: dict[str, str] = {}
    for at, word in enumerate(args):
        if word[:1] in "/-" and at + 1 < len(args):
            given[word[1:].lower()] = args[at + 1]
    root, mask = posix_path(given.get("p", ".")), given.get("m", "*")
    tests = [*(("-name", mask) if mask not in ("*", "*.*") else ()), *(("-mtime", "+1") if "d" in given else ())]
    deletes = re.search(r"(?i)\b(?:del|erase|rd|rmdir|Remove-Item)\b", given.get("c", ""))
    yield ("find", root, *tests, "-delete") if deletes else ("find", root, *tests)


def _shown(program: str) -> Callable[[list[str]], Iterator[Argv]]:
    def translate(args: list[str]) -> Iterator[Argv]:
        yield (program, *(posix_path(word) for word in _divided(args)[1]))

    return translate


def _changed_directory(args: list[str]) -> Iterator[Argv]:
    paths = [posix_path(word) for word in args if word.lower() != "/d"]
    if paths:
        yield ("cd", " ".join(paths))


def _linked(args: list[str]) -> Iterator[Argv]:
    paths = [posix_path(word) for word in _divided(args)[1]]
    if len(paths) == 2:
        yield ("ln", "-s", paths[1], paths[0])


def _said(args: list[str]) -> Iterator[Argv]:
    yield ("echo", *args)


def _certutil(args: list[str]) -> Iterator[Argv]:
    lowered = [word.lower().lstrip("-/") for word in args]
    operands = [word for word in args if word[:1] not in "-/"]
    if {"urlcache", "verifyctl"} & set(lowered) and (urls := [word for word in operands if "://" in word]):
        names = [posix_path(word) for word in operands if "://" not in word]
        yield ("curl", "-o", (names or [urls[0].rpartition("/")[2]])[-1], urls[0])
    elif {"decode", "decodehex"} & set(lowered) and len(operands) > 1:
        yield ("openssl", "base64", "-d", "-in", posix_path(operands[0]), "-out", posix_path(operands[1]))
    else:
        yield ("certutil", *lowered)


def _bitsadmin(args: list[str]) -> Iterator[Argv]:
    urls = [at for at, word in enumerate(args) if "://" in word]
    if urls and urls[0] + 1 < len(args):
        yield ("curl", "-o", posix_path(args[urls[0] + 1]), args[urls[0]])
    else:
        yield ("bitsadmin", *args)


def _reg(args: list[str]) -> Iterator[Argv]:
    """`reg save HKLM\\SAM f` copies the passwords' hashes."""
    lowered = [word.lower() for word in args]
    if lowered[:1] in (["save"], ["export"]) and re.search(r"\\(?:sam|security|system)$", (*lowered, "")[1]):
        yield ("cat", _SAM)
    else:
        yield ("reg", *lowered)


def _started(args: list[str]) -> Iterator[Argv]:
    """`start "title" /wait program …`."""
    words = list(args)
    while words and (_SWITCH.match(words[0]) or words[0] == "" or " " in words[0]):
        words.pop(0)
    yield from equivalents(words, of_cmd=True)


def _rundll(args: list[str]) -> Iterator[Argv]:
    if "minidump" in " ".join(args).lower():
        yield ("cat", _SAM)
    else:
        yield ("rundll32", *args)


def _task_killed(args: list[str]) -> Iterator[Argv]:
    lowered = [word.lower() for word in args]
    yield ("taskkill", *lowered)
    for at, word in enumerate(lowered[:-1]):
        if word in ("/pid", "-pid"):
            yield ("kill", lowered[at + 1])


def _scheduled(args: list[str]) -> Iterator[Argv]:
    """`schtasks /create /tr "program …"`, and the program, which runs without a shell around it."""
    lowered = [word.lower() for word in args]
    yield ("schtasks", *lowered)
    at = lowered.index("/tr") + 1 if "/tr" in lowered else len(args)
    words = args[at].strip("'\"").split()[:_MOST_WORDS] if at < len(args) else []
    code = next((place for place, word in enumerate(words) if _IS_CODE.fullmatch(word)), 0)
    if code and name_of(words[0]) in ("powershell", "pwsh"):
        yield (name_of(words[0]), "-Command", " ".join(words[code + 1 :]).strip("'\""))
    elif words:
        yield from equivalents([word.strip("'\"") for word in words])


_BUILTINS: dict[str, Callable[[list[str]], Iterator[Argv]]] = {
    **dict.fromkeys(("del", "erase"), _deleted),
    **dict.fromkeys(("rd", "rmdir"), _folder_removed),
    "copy": _copied,
    "move": _moved,
    **dict.fromkeys(("ren", "rename"), _renamed),
    "type": _shown("cat"),
    "more": _shown("cat"),
    "dir": _shown("ls"),
    **dict.fromkeys(("md", "mkdir"), _shown("mkdir")),
    **dict.fromkeys(("cd", "chdir"), _changed_directory),
    "pushd": _changed_directory,
    "mklink": _linked,
    "echo": _said,
    "start": _started,
}
_PROGRAMS: dict[str, Callable[[list[str]], Iterator[Argv]]] = {
    "robocopy": _robocopy,
    "xcopy": _copied,
    "forfiles": _found,
    "certutil": _certutil,
    "bitsadmin": _bitsadmin,
    "reg": _reg,
    "rundll32": _rundll,
    "taskkill": _task_killed,
    "schtasks": _scheduled,
    "deltree": _folder_removed,
}
_KNOWN = frozenset({*_PROGRAMS, *_NO_CASE, *_RUNS_ADDRESS, *_DUMPS, "powershell", "pwsh", "cmd", "curl", "wsl"})
