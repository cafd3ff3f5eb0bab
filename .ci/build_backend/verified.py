"""Builds as setuptools does, and a wheel only after every case of the taxonomy has passed.

What passed is written into the wheel as a manifest, so that an installed library verifies nothing at its start. Beside
it stands the whole taxonomy as one JSON file, for programs.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

from setuptools import build_meta as _setuptools
from setuptools.build_meta import (
    build_editable,
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
]

_ROOT = Path(__file__).parents[2]
_Settings = dict[str, Any] | None


def get_requires_for_build_wheel(config_settings: _Settings = None) -> list[str]:
    """What setuptools needs, and what the library needs to run the cases."""
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [*_setuptools.get_requires_for_build_wheel(config_settings), *project["dependencies"]]


def build_wheel(wheel_directory: str, config_settings: _Settings = None, metadata_directory: str | None = None) -> str:
    """Raises CalledProcessError where a case does not pass."""
    _supervisor("coverage", "--manifest", "taxonomy/manifest.json")
    _supervisor("docs", "--json", "--out", "taxonomy/taxonomy.json")
    return _setuptools.build_wheel(wheel_directory, config_settings, metadata_directory)


def _supervisor(*arguments: str) -> None:
    """Runs a verb of the checkout's own command."""
    path = os.pathsep.join(filter(None, (str(_ROOT), os.environ.get("PYTHONPATH"))))
    command = [sys.executable, "-m", "supervisor", *arguments]
    subprocess.run(command, cwd=_ROOT, env={**os.environ, "PYTHONPATH": path}, check=True)
