"""The version of this library, as installed."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def _installed() -> str:
    try:
        return version("supervisor-guard")
    except PackageNotFoundError:
        return "0+unknown"  # run from a checkout that is not installed


VERSION = _installed()
