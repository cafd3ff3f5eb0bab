"""What methods of .NET do, as commands of a POSIX system or as a script."""

from __future__ import annotations

from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell.windows.binding import Value
from supervisor.evidence.shell.windows.variables import posix_path


def effect_of(kind: str, name: str, target: Value, given: Value) -> str | list[tuple[str, ...]]:
    """The commands with the effect of a method, or the script that it runs. `kind` is the type, in lower case."""
    texts = given.texts or (HOLE,)
    first, last = posix_path(texts[0]), posix_path(texts[-1])
    short = kind.removeprefix("system.").removeprefix("io.")
    if name in ("downloadstring", "downloaddata", "getstringasync"):
        return [("curl", texts[0])]
    if name in ("downloadfile", "downloadfileasync"):
        return [("curl", "-o", last, texts[0])]
    if name in ("uploadstring", "uploaddata", "postasync", "uploadvalues"):
        return [("curl", "-d", texts[-1], texts[0])]
    if name == "uploadfile":
        return [("curl", "-T", last, texts[0])]
    if name == "frombase64string":
        return [("base64", "-d", texts[0])]
    if name == "getenvironmentvariable" and short == "environment":
        return [("printenv", texts[0])]
    if name == "getenvironmentvariables" and short == "environment":
        return [("printenv",)]
    if (name == "create" and short.endswith("scriptblock")) or name in ("invokescript", "addscript"):
        return texts[0] if HOLE not in texts[0] else [("eval", HOLE)]
    if short == "file":
        return _of_file(name, first, last)
    if short == "directory":
        return _of_directory(name, first, last, texts)
    if short.endswith("process") and name == "start":
        return [(first, *texts[1:])]
    if name == "delete" and target.of == "files":
        return [("rm", "-rf", *target.texts)]
    return []


def _of_file(name: str, first: str, last: str) -> list[tuple[str, ...]]:
    if name == "delete":
        return [("rm", "-f", first)]
    if name in ("readalltext", "readallbytes", "readalllines", "openread"):
        return [("cat", first)]
    if name in ("writealltext", "writeallbytes", "writealllines", "appendalltext"):
        return [("tee", "-a", first) if name.startswith("append") else ("tee", first)]
    moves: dict[str, tuple[str, ...]] = {"copy": ("cp", first, last), "move": ("mv", first, last)}
    return [moves[name]] if name in moves else []


def _of_directory(name: str, first: str, last: str, texts: tuple[str, ...]) -> list[tuple[str, ...]]:
    if name == "delete":
        return [("rm", "-rf", first) if len(texts) > 1 and texts[1] != "$false" else ("rmdir", first)]
    makes: dict[str, tuple[str, ...]] = {"move": ("mv", first, last), "createdirectory": ("mkdir", "-p", first)}
    return [makes[name]] if name in makes else []
