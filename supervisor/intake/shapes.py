"""What a text looks like: a command line, Python, JavaScript, SQL, a path, or prose.

A shape alone decides nothing: a message may quote a command. `roles` weighs it with the names of argument and tool.
"""

from __future__ import annotations

import re

from supervisor.regexes import compile_later

_LONGEST = 4_096  # characters that are read; the beginning shows the shape
_SURE, _LIKELY, _POSSIBLE, _NONE = 3, 2, 1, 0
_PROGRAMS = frozenset(
    """
    ansible apk apt apt-get aria2c ash aws awk az base64 bash bat bundle busctl bun bunx cargo cat chattr chgrp chmod
    chown chroot chsh cmake cmd composer conda cp cpio crontab cryptsetup csh curl dash dd deno df diff dig dir dmesg
    dnf docker doas dotnet dpkg du echo ed env ex export fdisk ffmpeg find fish ftp gcc gcloud gdb gem gh git go gpg
    gradle grep groupadd gunzip gzip halt head helm hg hostname iconv id ifconfig insmod install ip iptables java
    javac jq just kill killall kubectl launchctl ldconfig less ln logrotate ls lsblk lsof make mkdir mkfs mkfs.ext4
    modprobe mongo mongosh mount mv mvn mysql mysqldump nano nc ncat netcat nft nice nix nmap node nohup npm npx
    nsenter openssl osascript pacman parted passwd patch perl pg_dump php ping pip pip3 pipx pkexec pkill pnpm podman
    poetry poweroff powershell ps psql pwd pwsh pytest python python2 python3 rake reboot redis-cli reg rm rmdir rmmod
    route rsync ruby ruff rustc rustup sc scp screen sed service setfacl sftp sh shred shutdown socat sort source
    split sqlcmd sqlite3 ssh ssh-keygen strace su sudo swapoff sysctl systemctl systemd-run tail tar task tcpdump tee
    telnet terraform time timeout tmux top touch tr truncate type ufw umount uname uniq unlink unset unzip useradd
    userdel usermod uv uvx vi vim visudo wc wget which whoami wipefs xargs xxd yarn yum zip zsh zypper [ [[ . : cd
    eval exec if for while until case trap set function history diskutil mkswap blkdiscard sgdisk nvme zfs zpool
    lvremove vgremove btrfs mdadm init telinit eject at batch printf test true false tox nox mypy eslint jest vitest
    tsc prettier
    """.split()
)
# Programs whose names are also words at the beginning of sentences.
_ALSO_WORDS = frozenset(
    """at batch case cat cut date diff dig dir echo eject env eval exec export find for function git go grep halt head
    history host id if init install ip just kill less link make mount nice node passwd patch ping route screen service
    set sort source split tail task test time top touch true type until watch which while who yes false trap""".split()
)
_WRAPPERS = frozenset({"sudo", "doas", "env", "nohup", "time", "timeout", "nice", "exec", "command", "busybox"})
_NAME = compile_later(r"[\w.+@:~/\\-]*[\w\]\[)}]|\.|:")
_ASSIGNMENT = compile_later(r"[A-Za-z_]\w*=\S*")
_OPTION = compile_later(r"(?:^|\s)--?[A-Za-z0-9][\w-]*(?:[=\s]|$)")
_OPERATOR = compile_later(r"[|;&<>`]|\$[({\w]|\\\n")
_PLACE = compile_later(r"(?:^|[\s=\"'])(?:~|\.{1,2}(?=/)|/)[^\s]*|\w/\w|\*")
_CMDLET = compile_later(
    r"^[A-Z][a-z]+-[A-Z]\w+|\s-(?:Recurse|Force|Path|Command)\b|\$env:|\bcmd(?:\.exe)? /c\b|^(?:del|rd|rmdir) /"
)
_SENTENCE = compile_later(
    r"[.!?…]\s*$|^[A-Z][a-z]+,? [a-z]+ |, [a-z]+ [a-z]+ |\b(?:please|the|you|your|my|is|are|about)\b"
)
_PYTHON = compile_later(
    r"^\s*(?:import \w|from [\w.]+ import |def \w+\(|class \w+[(:]|@\w|for \w+.* in .*:|while .*:|if .*:|with .*:|try:)"
    r"|^\s*(?:[\w.]+(?:\[[^\]\n]*\])? ?[-+*/|]?= ?\S|(?:await )?[\w.]+\(.*)|\bprint\(|\b__import__\(|^[!%]\w+",
    re.MULTILINE,
)
_JAVASCRIPT = compile_later(
    r"\brequire\(|=>|^\s*(?:const|let|var) \w|\bfunction\b ?\w*\(|\bconsole\.\w+\(|\bprocess\.\w+|\bawait \w"
    r"|\bdocument\.|\bwindow\.|^\s*import [\w{*].* from ['\"]|\bDeno\.|\bBun\.|\.then\(",
    re.MULTILINE,
)
_SQL = compile_later(
    r"^\s*(?:--[^\n]*\n\s*|/\*.*?\*/\s*)*(?:"
    r"SELECT\b.{1,2000}?\bFROM\b\s*[\w\"`\[(]|SELECT\s+[\w*'(]+\s*\(|INSERT\s+INTO\s+\S|UPDATE\s+\S+\s+(?:\w+\s+)?SET\b"
    r"|DELETE\s+FROM\s+\S|DROP\s+(?:TABLE|DATABASE|SCHEMA|VIEW|INDEX|USER|ROLE|COLUMN|OWNED)\b\s+\S"
    r"|TRUNCATE\s+(?:TABLE\s+)?\S+|ALTER\s+(?:TABLE|DATABASE|USER|ROLE|SYSTEM)\s+\S|CREATE\s+(?:OR\s+REPLACE\s+)?\w+\s+\S+"
    r"|WITH\s+\w+\s+AS\s*\(|MERGE\s+INTO\s+\S|GRANT\s+.+\s+(?:ON|TO)\s+|REVOKE\s+.+\s+(?:ON|FROM)\s+|COPY\s+\S+\s+(?:FROM|TO)\b"
    r"|EXPLAIN\s+\w|BEGIN\s*;|VACUUM\b|CALL\s+\w+\(|EXEC(?:UTE)?\s+\w+|LOAD\s+DATA\b|LOCK\s+TABLE|PRAGMA\s+\w|ATTACH\s+)",
    re.IGNORECASE | re.DOTALL,
)
_SQL_LOUD = compile_later(
    r"\b(?:SELECT|INSERT|UPDATE|DELETE|DROP|TRUNCATE|ALTER|CREATE|MERGE|GRANT|REVOKE|WITH|COPY)\b|;\s*$"
)
_EXTENSION = compile_later(r"[^\s/\\@]+\.\w{1,8}")  # of a file's name; an address of mail has none


def of_command(value: object) -> int:
    """How much a value looks like a command line, from 0 to 3. A list may contain its words or its lines."""
    if isinstance(value, (list, tuple)):
        return _of_list(value)
    if not isinstance(value, str) or not (text := value[:_LONGEST].strip()):
        return _NONE
    if _CMDLET.search(text) or text.startswith("#!"):
        return _SURE
    words = text.split()
    while words and (_ASSIGNMENT.fullmatch(words[0]) or words[0] in _WRAPPERS) and len(words) > 1:
        words.pop(0)
    first = words[0].lstrip("({!") or "("
    marks = _marks(text)
    if not _NAME.fullmatch(first):
        return _LIKELY if first[:1] in "\"'$\\`(" and marks > 1 else _NONE
    program = first.rpartition("/")[2]
    if program in _PROGRAMS:
        return _of_known(program, text, len(words), marks)
    if first.startswith(("./", "../", "~/", "/")) or first.endswith((".sh", ".ps1", ".bat", ".exe")):
        return _LIKELY
    return _LIKELY if marks > 1 and not _SENTENCE.search(text) else _NONE


def _of_known(program: str, text: str, words: int, marks: int) -> int:
    if program in _ALSO_WORDS:
        if words > 1 and not marks:
            return _NONE if _SENTENCE.search(text) or words > 4 else _POSSIBLE
        return _LIKELY if marks else _POSSIBLE
    return _SURE if marks or words > 1 else _LIKELY


def _marks(text: str) -> int:
    """The points for a command line's marks: 2 for options, 2 for operators, 1 for paths."""
    return 2 * bool(_OPTION.search(text)) + 2 * bool(_OPERATOR.search(text)) + bool(_PLACE.search(text))


def _of_list(values: list[object] | tuple[object, ...]) -> int:
    texts = [each for each in values if isinstance(each, str)]
    if not texts or len(texts) < len(values):
        return _NONE
    if " " in texts[0].strip():
        return max(of_command(each) for each in texts)
    return max(of_command(" ".join(texts)), *(of_command(each) if " " in each else 0 for each in texts))


def of_python(text: str) -> int:
    """How much a text looks like Python, from 0 to 3."""
    text = text[:_LONGEST]
    if not _PYTHON.search(text):
        return _NONE
    return _SURE if "import " in text or "\n" in text or "print(" in text else _LIKELY


def of_javascript(text: str) -> int:
    """How much a text looks like JavaScript, from 0 to 3."""
    return min(_SURE, 1 + len(_JAVASCRIPT.findall(text[:_LONGEST]))) if _JAVASCRIPT.search(text[:_LONGEST]) else _NONE


def of_sql(text: str) -> int:
    """How much a text looks like SQL, from 0 to 3: 3 if its verbs are in capitals or it ends with a semicolon."""
    text = text[:_LONGEST]
    if not _SQL.search(text):
        return _NONE
    return _SURE if _SQL_LOUD.search(text) else _LIKELY


def is_path(value: object) -> bool:
    """Whether a value may name a file: one line, with a directory or an extension, and no URL."""
    if not isinstance(value, str) or not 0 < len(value) <= _LONGEST or "\n" in value or "://" in value:
        return False
    return value.startswith(("/", "~", ".")) or "/" in value or "\\" in value or bool(_EXTENSION.fullmatch(value))


def is_known_program(name: str) -> bool:
    """Whether this is the name of a common program."""
    return name in _PROGRAMS
