"""What a backtest is judged with: the same in every process that takes part."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Settings:
    """What every part of a backtest is judged with.

    `policy` and `against` are policies as JSON, `version` is the folder or the interpreter of another version; either
    is empty without a comparison. `catalogs` is a digest of all specialists that judge here. `salt` keeps the tokens of
    masked secrets the same in all parts.
    """

    policy: str
    salt: bytes
    catalogs: str
    against: str = ""
    version: str = ""
