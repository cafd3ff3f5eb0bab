"""Runs the programs below some roots (`/`, or a folder into which packages were unpacked) and prints their options."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

_FOLDERS = ("usr/bin", "usr/sbin", "bin", "sbin")
_LIBRARIES = ("lib/x86_64-linux-gnu", "usr/lib/x86_64-linux-gnu", "usr/lib")
_NAME = re.compile(r"[A-Za-z0-9][\w.+:-]*=?\??", re.ASCII)  # else a table was read past its end
_SECONDS = 2
_TOGETHER = 4  # programs that run at once
# Namespaces without a network and without the processes of others, and a user without rights.
_SANDBOX = ("unshare", "-n", "-p", "-i", "-u", "-m", "--fork", "--kill-child")
_SANDBOX += ("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--no-new-privs")


def main(roots: Sequence[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        scratch.chmod(0o777)
        shim = scratch / "shim.so"
        source = Path(__file__).with_name("shim.c")
        subprocess.run(["gcc", "-shared", "-fPIC", "-O1", str(source), "-o", str(shim)], check=True)
        programs = list(_programs([Path(root) for root in roots]))
        with ThreadPoolExecutor(_TOGETHER) as pool:
            tables = list(pool.map(lambda each: _table(*each, shim, scratch), programs))
    found = {program.name: table for (_, program), table in reversed(list(zip(programs, tables, strict=True))) if table}
    sys.stdout.writelines(f"{name}\t{table}\n" for name, table in sorted(found.items()))


def _programs(roots: Sequence[Path]) -> Iterator[tuple[Path, Path]]:
    """The programs that are binaries of this machine, with the root that they lie below."""
    for root in roots:
        for folder in _FOLDERS:
            for path in sorted((root / folder).iterdir()) if (root / folder).is_dir() else ():
                if (
                    "jvm" not in str(path.resolve())
                    and path.is_file()
                    and os.access(path, os.X_OK)
                    and path.open("rb").read(4) == b"\x7fELF"
                ):
                    yield root, path


def _table(root: Path, program: Path, shim: Path, scratch: Path) -> str:
    """What a program reports; empty if it reports nothing."""
    read, write = os.pipe()
    libraries = ":".join(str(root / each) for each in _LIBRARIES) if root != Path("/") else ""
    inside = {"HOME": str(scratch), "PATH": "/usr/bin:/bin", "LC_ALL": "C", "OPTIONS_FD": str(write)}
    inside |= {"LD_PRELOAD": str(shim)} | ({"LD_LIBRARY_PATH": libraries} if libraries else {})
    given = [f"{name}={value}" for name, value in inside.items()]
    try:
        subprocess.run(
            [*_SANDBOX, "env", "-i", *given, str(program), "--help"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=scratch,
            pass_fds=[write],
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        print(f"{program}: no answer in {_SECONDS} s", file=sys.stderr)
    finally:
        os.close(write)
    with os.fdopen(read, encoding="utf-8", errors="replace") as told:
        dialect, *rest = told.readline().rstrip("\n").split("\t")
    return "\t".join([dialect, *rest[:1], *filter(_NAME.fullmatch, rest[1:])])


if __name__ == "__main__":
    main(sys.argv[1:] or ["/"])
