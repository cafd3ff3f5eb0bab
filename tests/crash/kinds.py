"""The kinds of tampering, by what `verify` is expected to say of them."""

from __future__ import annotations

from collections.abc import Callable

from tests.crash.scene import Scene

Change = Callable[[Scene], None]
KINDS: dict[str, dict[str, Change]] = {"found": {}, "found with --key": {}, "found with --since": {}, "harmless": {}}


def _among(expected: str) -> Callable[[Change], Change]:
    def put_there(change: Change) -> Change:
        KINDS[expected][change.__name__.replace("_", " ")] = change
        return change

    return put_there


found, found_with_key, found_with_earlier, harmless = map(_among, KINDS)
