"""An installation of one's own: a copy of the library and its command, which a package manager would replace."""

from __future__ import annotations

import os
import re
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.docs.pages import ROOT

_COMMAND = '#!/bin/sh\nPYTHONPATH={library} exec {python} -P -m supervisor "$@"\n'
_VERSION = re.compile(r'^VERSION = "(\d+)\.(\d+)\.(\d+)"$', re.MULTILINE)


def _next(version: re.Match[str]) -> str:
    return f'VERSION = "{version[1]}.{int(version[2]) + 1}.0"'


@dataclass(frozen=True)
class Installation:
    """A folder with a library and a command."""

    folder: Path

    @classmethod
    def make(cls, folder: Path) -> Installation:
        made = cls(folder)
        shutil.copytree(ROOT / "supervisor", made._library / "supervisor", ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("specialists", "taxonomy"):
            os.symlink(ROOT / name, made._library / name)
        made.scripts.mkdir()
        command = made.scripts / "supervisor"
        command.write_text(_COMMAND.format(library=made._library, python=sys.executable))
        command.chmod(0o755)
        return made

    @property
    def _library(self) -> Path:
        return self.folder / "lib"

    @property
    def scripts(self) -> Path:
        return self.folder / "bin"

    def manage(self, command: str) -> None:
        """`pipx upgrade` replaces the library by its next version; other commands find it as it should be."""
        if command.startswith("pipx upgrade "):
            file = self._library / "supervisor" / "version.py"
            fresh = file.with_suffix(".new")
            fresh.write_text(
                _VERSION.sub(lambda found: f'VERSION = "{found[1]}.{int(found[2]) + 1}.0"', file.read_text())
            )
            fresh.replace(file)

    @property
    def version(self) -> str:
        found = _VERSION.search((self._library / "supervisor" / "version.py").read_text())
        assert found
        return ".".join(found.groups())
