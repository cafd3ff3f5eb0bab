"""The commands of a POSIX system that do what a cmdlet does, and what a cmdlet writes into the pipeline.

A cmdlet without such a command keeps its name, followed by its parameters under their whole names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell.commands import Command
from supervisor.evidence.shell.windows import natives
from supervisor.evidence.shell.windows.binding import Bound, Value
from supervisor.evidence.shell.windows.variables import posix_path, posix_word

Argv = tuple[str, ...]
_ALL = ("*", "*.*", "")
_REGISTRY = (
    "HKLM",
    "HKCU",
    "HKEY_",
    "HKU",
    "HKCR",
    "REGISTRY::",
    "WSMAN:",
    "ENV:",
    "CERT:",
    "IIS:",
    "AD:",
    "FUNCTION:",
)


def equivalents(bound: Bound, piped: Value | None) -> list[Argv]:
    """The commands with the effect of a cmdlet."""
    translate = _TRANSLATED.get(bound.cmdlet.equivalent)
    if variables := _variables(bound):
        if bound.cmdlet.equivalent in ("list", "item", "show"):
            return variables
        if bound.name == "Remove-Item":
            return [("unset", *each[1:]) for each in variables]
    if translate is None or bound.rehearses or _is_provider(bound):
        return [_kept(bound, piped)]
    return list(translate(bound, piped))


def _variables(bound: Bound) -> list[Argv]:
    """`printenv` for paths of the environment: `Env:` is all of it, `Env:PATH` one variable."""
    names = [text[4:].strip("\\/*") for text in bound.texts("LiteralPath", "Path") if text.upper().startswith("ENV:")]
    return [("printenv", name) if name else ("printenv",) for name in names]


def _is_provider(bound: Bound) -> bool:
    """Whether the paths are keys of the registry or another store that is no file system."""
    return any(text.upper().startswith(_REGISTRY) for text in bound.texts("LiteralPath", "Path"))


def _kept(bound: Bound, piped: Value | None) -> Argv:
    words = [bound.name]
    for name, value in bound.given.items():
        texts = [posix_word(text) for text in value.texts if text]
        words += (f"-{name}:$false",) if texts == ["$false"] and name in ("Confirm", "Force") else (f"-{name}", *texts)
    words += (text for value in bound.rest for text in value.texts)
    if piped is not None and piped.of:
        words += ("-InputObject", HOLE if piped.picked else piped.text or "*", "-Of", piped.of)
    return tuple(words)


def listed(bound: Bound, ran: tuple[Command, ...]) -> Value:
    """What a cmdlet writes: the entries of a folder, the objects of a listing, or unknown text."""
    kind = bound.cmdlet.equivalent
    if kind in ("list", "item"):
        paths = _paths(bound) or ["."]
        if kind == "item" or bound.given.get("LiteralPath"):
            return Value(tuple(paths), ran, of="files")
        names = [*bound.texts("Filter"), *bound.texts("Include")]
        picked = any(name not in _ALL for name in names) or bound.has("Exclude", "Attributes", "Hidden", "ReadOnly")
        roots = tuple(path if "*" in path else f"{path.rstrip('/')}/*" for path in paths)
        return Value(roots, ran, of="files", picked=picked, entries=(("names", Value(tuple(names))),))
    verb, _, noun = bound.name.partition("-")
    if verb == "Get" and noun and not kind:
        chosen = [bound.texts(name) for name in ("Identity", "Name", "Id", "Filter", "DisplayName", "TaskName")]
        texts = tuple(text for each in chosen for text in each) or ("*",)
        picked = any(text.strip("*") for text in texts)
        return Value(texts, ran, of=bound.text("ClassName", "Class") or noun, picked=picked and noun != "Process")
    if kind == "say":
        return Value(tuple(bound.texts("InputObject", "Object")), ran)
    return Value((HOLE,), ran)


def _paths(bound: Bound, piped: Value | None = None) -> list[str]:
    texts = [*bound.texts("LiteralPath", "Path", "FilePath"), *(text for value in bound.rest for text in value.texts)]
    if not texts and piped is not None:
        texts = list(piped.texts)
    return [posix_path(text) for text in texts]


def _remove(bound: Bound, piped: Value | None) -> Iterator[Argv]:
    """`rm`; `find … -delete` if only some of the files are taken."""
    tree = bound.has("Recurse", "Rf", "Fr", "R")
    patterns = [name for name in (*bound.texts("Filter"), *bound.texts("Include")) if name not in _ALL]
    paths = _paths(bound)
    if piped is not None and not bound.texts("LiteralPath", "Path"):
        roots = _paths(bound, piped)
        if not (piped.picked or bound.has("Exclude")) or not piped.of:
            yield ("rm", "-rf", *roots)
            return
        names = [name for key, value in piped.entries if key == "names" for name in value.texts]
        yield from _picked([root.removesuffix("/*") for root in roots], names)
    elif bound.has("Exclude") and not patterns:
        left_out = [word for name in bound.texts("Exclude") for word in ("!", "-name", name)]
        for path in paths:
            yield ("find", path.removesuffix("/*") or "/", *left_out, "-delete")
    elif patterns:
        yield from _picked([path.removesuffix("/*") for path in paths], patterns)
    else:
        yield ("rm", "-rf" if tree else "-f", *paths)


def _picked(roots: Sequence[str], names: Sequence[str]) -> Iterator[Argv]:
    for root in roots:
        for name in names or [HOLE]:
            yield ("find", root or "/", "-name", name, "-delete")


def _copy(bound: Bound, piped: Value | None) -> Iterator[Argv]:
    yield ("cp", "-r", *(_paths(bound, piped) or [HOLE]), posix_path(bound.text("Destination") or "."))


def _move(bound: Bound, piped: Value | None) -> Iterator[Argv]:
    yield ("mv", *(_paths(bound, piped) or [HOLE]), posix_path(bound.text("Destination") or "."))


def _rename(bound: Bound, piped: Value | None) -> Iterator[Argv]:
    path = (_paths(bound, piped) or [HOLE])[0]
    new = posix_path(bound.text("NewName"))
    yield ("mv", path, new if "/" in new else f"{path.rpartition('/')[0]}/{new}".lstrip("/") if "/" in path else new)


def _make(bound: Bound, piped: Value | None) -> Iterator[Argv]:
    name, kind = posix_path(bound.text("Name")), bound.text("ItemType", "Type").lower()
    for path in _paths(bound) or ["."]:
        whole = f"{path}/{name}" if name else path
        if "link" in kind or kind == "junction":
            yield ("ln", "-s", posix_path(bound.text("Value", "Target")), whole)
        elif kind.startswith("d"):
            yield ("mkdir", "-p", whole)
        elif bound.text("Value"):
            yield ("sponge", whole)
        else:
            yield ("touch", whole)


def _make_folder(bound: Bound, _: Value | None) -> Iterator[Argv]:
    yield ("mkdir", "-p", *(_paths(bound) or ["."]))


def _show(bound: Bound, piped: Value | None) -> Iterator[Argv]:
    yield ("cat", *(_paths(bound, piped) or [HOLE]))


def _write(bound: Bound, piped: Value | None) -> Iterator[Argv]:
    extends = bound.has("Append") or bound.cmdlet.equivalent == "extend"
    for path in _paths(bound):
        yield ("tee", "-a", path) if extends else ("sponge", path)


def _empty(bound: Bound, piped: Value | None) -> Iterator[Argv]:
    yield ("truncate", "-s", "0", *(_paths(bound, piped) or [HOLE]))


def _list(bound: Bound, _: Value | None) -> Iterator[Argv]:
    yield ("ls", *_paths(bound))


def _search(bound: Bound, piped: Value | None) -> Iterator[Argv]:
    yield (
        "grep",
        "-e",
        bound.text("Pattern") or HOLE,
        *_paths(bound, piped if piped and piped.of == "files" else None),
    )


def _go(program: str) -> Callable[[Bound, Value | None], Iterator[Argv]]:
    def translate(bound: Bound, piped: Value | None) -> Iterator[Argv]:
        yield (program, *(_paths(bound) or (["~"] if program == "cd" else [])))

    return translate


def _pack(bound: Bound, piped: Value | None) -> Iterator[Argv]:
    yield ("zip", "-r", posix_path(bound.text("DestinationPath") or HOLE), *(_paths(bound, piped) or [HOLE]))


def _unpack(bound: Bound, piped: Value | None) -> Iterator[Argv]:
    yield ("unzip", "-o", *(_paths(bound, piped) or [HOLE]), "-d", posix_path(bound.text("DestinationPath") or "."))


def _request(bound: Bound, piped: Value | None) -> Iterator[Argv]:
    words = ["curl"]
    if method := bound.text("Method"):
        words += ("-X", method.upper())
    for name, value in bound.given["Headers"].entries if "Headers" in bound.given else ():
        words += ("-H", f"{name}: {value.text}")
    if token := bound.text("Token"):
        words += ("-H", f"Authorization: Bearer {token}")
    if "Body" in bound.given:
        words += ("-d", bound.given["Body"].text or HOLE)
    elif piped is not None and method.lower() in ("post", "put"):
        words += ("-d", "@-")
    for part in bound.given["Form"].entries if "Form" in bound.given else ():
        words += ("-F", f"{part[0]}={'@' if part[1].of == 'files' else ''}{part[1].text}")
    for file in bound.texts("InFile"):
        words += ("-T", posix_path(file))
    for file in bound.texts("OutFile"):
        words += ("-o", posix_path(file))
    yield (*words, *(bound.texts("Uri") or [piped.text if piped and piped.texts else HOLE]))


def _transfer(bound: Bound, _: Value | None) -> Iterator[Argv]:
    source, target = bound.text("Source") or HOLE, bound.text("Destination") or "."
    if "upload" in bound.text("TransferType").lower() or "://" in target:
        yield ("curl", "-T", posix_path(source), target)
    else:
        yield ("curl", "-o", posix_path(target), source)


def _start(bound: Bound, _: Value | None) -> Iterator[Argv]:
    """`Start-Process`: the program with its arguments; with `-Verb RunAs` as an administrator."""
    words = [word for text in bound.texts("ArgumentList") for word in _split(text)]
    argv = (posix_word(bound.text("FilePath") or HOLE), *map(posix_word, words))
    for each in natives.equivalents(list(argv)):
        yield ("sudo", *each) if bound.text("Verb").lower() == "runas" else tuple(each)


def _split(text: str) -> list[str]:
    """The words of one argument list: `'/c del x'`."""
    return text.split() if '"' not in text else [word.strip('"') for word in text.split('"') if word.strip()]


def _kill(bound: Bound, piped: Value | None) -> Iterator[Argv]:
    names = [name.removesuffix(".exe") for name in bound.texts("Name")]
    if names:
        yield ("pkill", *("." if name == "*" else name.strip("*") for name in names))
    elif ids := bound.texts("Id"):
        yield ("kill", *ids)
    elif piped is not None and piped.of == "Process" and not piped.picked:
        yield ("pkill", *("." if name == "*" else name.strip("*") for name in piped.texts))
    else:
        yield ("kill", HOLE)


def _sql(bound: Bound, _: Value | None) -> Iterator[Argv]:
    where = ("-S", bound.text("ServerInstance")) if bound.text("ServerInstance") else ()
    for query in bound.texts("Query"):
        yield ("sqlcmd", *where, "-Q", query)
    for file in bound.texts("InputFile"):
        yield ("sqlcmd", *where, "-i", posix_path(file))


def _mail(bound: Bound, piped: Value | None) -> Iterator[Argv]:
    attached = [word for path in bound.texts("Attachments") for word in ("-A", posix_path(path))]
    yield ("mail", "-s", bound.text("Subject"), *attached, *bound.texts("To"))


def _say(bound: Bound, _: Value | None) -> Iterator[Argv]:
    yield ("echo", *bound.texts("InputObject", "Object"), *(text for value in bound.rest for text in value.texts))


def _nothing(bound: Bound, piped: Value | None) -> Iterator[Argv]:
    yield from ()


_TRANSLATED: dict[str, Callable[[Bound, Value | None], Iterator[Argv]]] = {
    "remove": _remove,
    "copy": _copy,
    "move": _move,
    "rename": _rename,
    "make": _make,
    "make_folder": _make_folder,
    "show": _show,
    "write": _write,
    "extend": _write,
    "tee": _write,
    "empty": _empty,
    "list": _list,
    "item": _list,
    "search": _search,
    "go": _go("cd"),
    "push": _go("pushd"),
    "pop": _go("popd"),
    "pack": _pack,
    "unpack": _unpack,
    "request": _request,
    "transfer": _transfer,
    "start": _start,
    "kill": _kill,
    "sql": _sql,
    "mail": _mail,
    "say": _say,
    "pass": _nothing,
}
