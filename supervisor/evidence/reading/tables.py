"""Reads the YAML tables beside the modules of `evidence`, each at its first use: opening the engine decodes none."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@cache
def table_beside(module: str, name: str) -> Any:
    """The decoded table `name` beside a module, which gives its `__file__`. Callers share it and do not change it."""
    return decoded(Path(module).with_name(name).read_text(encoding="utf-8"))


def decoded(text: str) -> Any:
    """The value of a YAML text."""
    return yaml.load(text, _LOADER)  # noqa: S506 - the safe loader, in C if available
