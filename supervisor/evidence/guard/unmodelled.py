"""What programs, calls and tools without a model of their effects do to the guard's places.

A program that names a private place of the guard, and is not known to only read, counts as changing it. Many programs
name hosts' settings; there a change has to show.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise

from supervisor.action import Action, Context
from supervisor.evidence.actions.commands import RUNNERS, run_by
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.effects import PROGRAMS
from supervisor.evidence.effects.guard.assets import PRIVATE, Assets
from supervisor.evidence.effects.scripting import with_home
from supervisor.evidence.guard.calls import AnyCall, named_by_calls
from supervisor.evidence.guard.disarming import Disarming, How
from supervisor.evidence.guard.settings import changed_by_code
from supervisor.evidence.machine.assets import Asset, Sort
from supervisor.evidence.reading.paths import resolve
from supervisor.evidence.shell import Command, code_in, shown
from supervisor.evidence.shell.inner import word_set

# Programs that read what they name, or only print its name.
READERS = word_set(
    "[ [[ ack ag alias awk b2sum base64 basename bat bc cat cd cksum cmp code column comm cp cut declare diff"
    " difft dirname du echo egrep env eval exec export fgrep file find fold for getfacl getfattr grep gzip head"
    " hexdump hyperfine id jq less local ls lsattr lsof man md5sum more namei nl od open openssl pbcopy popd printf"
    " pushd pwd read readlink readonly realpath rg script select set sha1sum sha256sum sha512sum shasum"
    " shellcheck shellharden sleep sort source stat strace strings supervisor tac tail test time touch tree true"
    " inotifywait fswatch entr watchexec ncdu dust eza exa lsd gdu broot duf dua nnn ranger yazi mc"
    " gitleaks trufflehog detect-secrets trivy tokei cloc"
    " tty type typeset uniq unset wc wget which xargs xdg-open xxd yamllint zcat zip mkdir ss netstat watch"
)
_CHECKERS = word_set("ajv biome check-jsonschema dprint eslint jsonlint npx prettier pre-commit taplo yamlfix bunx")
_IN_PLACE = ("--write", "-w", "--fix", "-i", "-I", "--in-place", "--inplace", "fmt", "json")
_GIT_CHANGES = word_set("am apply checkout clean mv reset restore rm stash update-index")
_MAKERS = ("python", "pypy", "uv", "virtualenv", "pyvenv")  # these empty an environment with `--clear`
_COPIERS = word_set("scp sftp rclone gsutil s5cmd gcloud aws")  # these copy to their last operand
_CARRIERS = word_set("docker podman nerdctl kubectl oc lxc")
_FILLERS = word_set("fallocate mkfile xfs_mkfile")
_CONTAINERS = word_set("docker podman nerdctl")
_MOUNTS = word_set("bindfs mount unionfs fuse-overlayfs umount sshfs encfs gocryptfs pivot_root")
_READS_CODE = word_set(
    "Path PurePath PosixPath join expanduser abspath realpath resolve exists is_file is_dir isfile isdir stat lstat"
    " getsize getmtime listdir iterdir glob rglob scandir walk read read_text read_bytes readlines load loads"
    " safe_load print println log info debug warning error str repr format fspath samefile access open"
    " readFile readFileSync existsSync statSync lstatSync readdirSync createReadStream readlink copyfile copy"
    " copy2 copytree copyFile copyFileSync append read_policy verify startswith endswith parse dirname basename"
    " normpath split relpath openSync run Popen call check_call check_output system popen spawn spawnSync exec"
    " execSync execFile execFileSync add_argument get getenv setdefault update"
)
_SCRIPTING = frozenset({"perl", "ruby", "php", "lua", "r", "applescript"})
_WRITES = re.compile(
    r"write|save|dump|store|remove|unlink|delete|trunc|rename|move|replace|chmod|chown|link|put_contents|fopen|open\w*\s*\(?[^)]*,\s*[\"'][wax+]|[\"']\s*\+?>",
    re.IGNORECASE,
)
_FLAGS = re.compile(r"O_(?:WRONLY|RDWR|TRUNC|CREAT|APPEND)|,\s*['\"][rawx+]*[wax+]")


def read(action: Action, context: Context, known: Assets) -> Iterator[Disarming]:
    """What an action does to the guard's places with programs, calls and tools that are not known to only read. Raises
    Unreadable as `script` does."""
    if action.kind in RUNNERS:
        for command in run_by(action, context).commands:
            yield from _by_command(command, known)
        yield from _by_code(action, context, known)
    elif action.kind == "tool":
        yield from _by_tool(action, context, known)


def _by_command(command: Command, known: Assets) -> Iterator[Disarming]:
    """What a command that is not known to only read does to a private place that it names."""
    changed = Disarming(How.CHANGED, f"runs `{shown(command.text)}`", shown(command.text))
    lends = command.program in _CONTAINERS and not command.remote
    if lends and any(_is_mounted(word, command, known) for word in mounted(command)):
        yield changed
    locked = command.operands()[:1] if command.program == "flock" and not command.remote else []
    if any(_is_place(word, command, known, PRIVATE) for word in locked):
        yield changed
    if command.remote or command.wraps or not command.args:
        return
    if command.program in _WRITE_IN_TEXT and any(_names_written(word, command, known) for word in command.args):
        yield changed
    if command.program in _MOUNTS:
        places = command.operands()[-1:] if command.program == "mount" else command.operands()
        if any(_is_covered(command.path(word), known) for word in places if "/" in word or "~" in word):
            yield changed
    elif command.program == "git":
        if _takes_untracked(command) and _holds_ours(command, known):
            yield changed._replace(how=How.BROAD)
        changes = not _GIT_CHANGES.isdisjoint(command.args) and "--help" not in command.args
        if changes and any(_in_checkout(word, command, known) for word in command.operands()):
            yield changed
    elif command.program in _COPIERS or (command.program in _CARRIERS and command.args[:1] == ("cp",)):
        last = command.operands()[-1:]
        if any(_is_place(word, command, known, {*PRIVATE, Sort.HOOKS}) for word in last) or any(
            _holds_directly(word, command, known) for word in last if "/" in word and ":" not in word
        ):
            yield changed
    elif command.program.startswith(_MAKERS) and "--clear" in command.args:
        if any(_is_place(word, command, known, {Sort.ENVIRONMENT}) for word in (*command.args, ".venv")):
            yield changed
    elif command.program in _FILLERS and any(_is_place(word, command, known, PRIVATE) for word in command.args):
        yield changed
    elif command.program in _CHANGING and _CHANGING[command.program](command):
        if any(
            _is_place(word, command, known, PRIVATE) or _holds_directly(word, command, known)
            for word in command.operands()
        ):
            yield changed
    elif command.program not in READERS and command.program not in PROGRAMS and not _only_checks(command):
        if any(_is_place(word, command, known, PRIVATE) for word in command.args) or any(
            "/" in word and _holds_directly(word, command, known) for word in command.operands()
        ):
            yield changed
        elif any(_is_place(word, command, known, {Sort.HOOKS}) for word in command.args):
            yield changed._replace(how=How.UNSEEN)


def _replaces_files(command: Command) -> bool:
    """Whether a compressor deletes its input: `gzip file`, without an option that keeps, prints, lists or tests."""
    return not command.has_flag("-k", "-c", "-l", "-t", "--keep", "--stdout", "--to-stdout", "--list", "--test")


# Programs that usually only read, or whose effects are modelled, and the test for options that change their input.
_CHANGING: Mapping[str, Callable[[Command], bool]] = {
    **dict.fromkeys(
        ("gzip", "pigz", "bzip2", "pbzip2", "xz", "lzma", "lzip", "gunzip", "unxz", "bunzip2"), _replaces_files
    ),
    "zstd": lambda command: command.has_flag("--rm"),
    "zip": lambda command: command.has_flag("-m", "--move", "-d", "--delete"),
    **dict.fromkeys(("tar", "bsdtar", "gtar"), lambda command: "--remove-files" in command.args),
    "touch": lambda command: command.has_flag("-d", "-t", "-r", "--date", "--reference", "-m", "-a"),
    "script": lambda command: bool(command.operands()),
    **dict.fromkeys(("split", "csplit"), lambda command: len(command.operands()) > 1),
    "restic": lambda command: "restore" in command.args and "--dry-run" not in command.args,
    "borg": lambda command: "extract" in command.args and "--dry-run" not in command.args,
    **dict.fromkeys(
        ("duplicity", "rdiff-backup", "kopia", "rsnapshot", "duplicacy"), lambda command: "restore" in command.args
    ),
}


def _holds_directly(word: str, command: Command, known: Assets) -> bool:
    """Whether a word is a folder that directly contains a private place."""
    folders = [value for option, value in pairwise(command.args) if option in ("-C", "--directory")]
    asset = known.nearest(resolve(word, command.path(folders[0]) if folders else command.cwd))
    return asset is not None and asset.sort in PRIVATE


_WRITE_IN_TEXT = word_set("sed gsed awk gawk mawk")
_WRITTEN = re.compile(r"(?:>\s*\"|(?:^|[;/\d}])\s*[wW]\s+)([~/][^\s\";}]{2,512})")


def _names_written(word: str, command: Command, known: Assets) -> bool:
    """`sed -n 'w FILE'`, `awk '{print > "FILE"}'`."""
    found = (known.at(command.path(path)) for path in _WRITTEN.findall(word))
    return any(asset is not None and asset.sort in PRIVATE for asset in found)


def _takes_untracked(command: Command) -> bool:
    """`git stash -u`: removes untracked files."""
    takes = command.has_flag("-u", "-a", "--include-untracked", "--all")
    return "stash" in command.args and takes and "--" not in command.args


def _holds_ours(command: Command, known: Assets) -> bool:
    """Whether private places stand below the directory in which git runs."""
    folders = [value for option, value in pairwise(command.args) if option == "-C"]
    below = known.all_below(command.path(folders[0] if folders else "."))
    return any(asset.sort in PRIVATE for asset in below)


def _in_checkout(word: str, command: Command, known: Assets) -> bool:
    """Whether an argument of git names a place of the guard, or its folder."""
    folders = [value for option, value in pairwise(command.args) if option == "-C"]
    path = resolve(word, command.path(folders[0]) if folders else command.cwd)
    asset = known.at(path) or known.nearest(path)
    return asset is not None and (asset.sort in PRIVATE or asset.sort == Sort.HOOKS)


def mounted(command: Command) -> Iterator[str]:
    """The writable mounts of a container, as its options spell them."""
    for option, value in pairwise(command.args):
        given = value if option in ("-v", "--volume", "--mount") else option.partition("=")[2]
        if option.startswith(("-v", "--volume", "--mount")) and not given.endswith((":ro", ",ro", ",readonly")):
            yield given


def _is_mounted(word: str, command: Command, known: Assets) -> bool:
    for part in re.split(r"[:,=]", word)[:4]:
        if part.startswith(("/", "~", ".")):
            path = command.path(part)
            return (known.at(path) or known.nearest(path)) is not None
    return False


def _only_checks(command: Command) -> bool:
    """Whether a command is a formatter or validator without an option to write."""
    return command.program in _CHECKERS and not any(word in _IN_PLACE for word in command.args)


def _is_covered(path: str, known: Assets) -> bool:
    return path != "/" and (known.at(path) or known.below(path)) is not None


def _is_place(word: str, command: Command, known: Assets, sorts: set[Sort] | frozenset[Sort]) -> bool:
    asset = known.named(word, command.cwd)
    return asset is not None and asset.sort in sorts


def _by_code(action: Action, context: Context, known: Assets) -> Iterator[Disarming]:
    """What code does to a private place with a call that is not known to only read."""
    for call, path in named_by_calls(action, context):
        asset = known.at(path)
        if asset is None or (_only_reads(call, asset) and not _opens_to_write(call)):
            continue
        changed = Disarming(How.CHANGED, f"runs `{shown(call.text)}`", shown(path))
        if asset.sort in PRIVATE or (asset.sort in (Sort.CODE, Sort.LIBRARY) and call.name.startswith("py_compile.")):
            yield changed
        elif (
            asset.sort == Sort.HOOKS
            and (_opens_to_write(call) or _WRITES.search(call.method))
            and changed_by_code(action, context) is None
        ):
            yield changed._replace(how=How.UNSEEN)
    for found in code_in(script(action, context)) if action.kind == "shell" else ():
        if found.language in _SCRIPTING and not found.command.remote and _WRITES.search(found.text):
            yield from _by_text(found.text, found.command, known)


_READING = re.compile(r"(?:read|load|scan|parse|from|get|is|has|list|show|print)(?:_?[a-z]\w*|[A-Z]\w*)?")


def _only_reads(call: AnyCall, asset: Asset) -> bool:
    """Whether a call is known to read, or its name says so: `pandas.read_json`. Loading a key counts as its use."""
    is_secret = asset.sort in (Sort.KEY, Sort.TOKEN)
    return call.method in _READS_CODE or (not is_secret and _READING.fullmatch(call.method) is not None)


def _opens_to_write(call: AnyCall) -> bool:
    """`os.open(path, os.O_TRUNC)`, `fs.openSync(path, 'w')`."""
    lowered = call.name.startswith("os.") or call.method in ("openSync", "createWriteStream")
    return lowered and call.method.startswith("open") and _FLAGS.search(call.text) is not None


def _by_text(text: str, command: Command, known: Assets) -> Iterator[Disarming]:
    """What a program in a language without a parser here does to the places that it names."""
    joined = re.sub(r"['\"]\s*[.+]\s*['\"]", "", with_home(text))
    for word in dict.fromkeys(re.findall(r"[~./][^\s'\"(){}<>;,]{2,4096}", joined)):
        path = command.path(word)
        asset = known.at(path) or known.nearest(path)
        if asset is not None and asset.sort in (*PRIVATE, Sort.HOOKS):
            how = How.UNSEEN if asset.sort == Sort.HOOKS else How.CHANGED
            yield Disarming(how, f"runs `{shown(command.text)}`", shown(word))


# Tools of no known kind

_LOOKS = word_set(
    "browse cat check count describe diff download fetch find get grep head info inspect list load look ls open query"
    " read retrieve search show stat tail tree view"
)


def _by_tool(action: Action, context: Context, known: Assets) -> Iterator[Disarming]:
    """What a tool that is not known to only read does to a place that its arguments name."""
    name = re.split(r"__|[./]", action.tool)[-1]
    words = re.split(r"[_\W]+|(?<=[a-z0-9])(?=[A-Z])", name)
    if any(word.lower() in _LOOKS for word in words):
        return
    for _, text in action.strings():
        if not 1 < len(text) < 4096 or "\n" in text or " " in text.strip():
            continue
        path = resolve(text.removeprefix("file://"), context.cwd or ".")
        asset = known.at(path) or (known.below(path) if _deletes(words) else None)
        if asset is not None and asset.sort != Sort.INTERPRETER:
            yield Disarming(How.CHANGED, f"calls {shown(action.tool)} on {shown(text)}", shown(text))
            return


_DELETING = word_set("delete erase move remove rename rm trash")


def _deletes(words: list[str]) -> bool:
    """Whether a tool's name means that it deletes or moves its target."""
    return not _DELETING.isdisjoint(word.lower() for word in words)
