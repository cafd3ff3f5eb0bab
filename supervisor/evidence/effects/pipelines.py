"""Programs that run pipelines of data. What they compute is read from their words by `supervisor.evidence.analysis`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from supervisor.evidence.effects.effect import Act, Effect, Ground, Reading
from supervisor.evidence.shell import Command


def _none(command: Command, ground: Ground) -> Iterator[Effect]:
    return iter(())


def _is_partial(words: Sequence[str]) -> bool:
    return "--full-refresh" not in words and "-f" not in words


PROGRAMS = {"dbt": Reading(frozenset({Act.ANALYSIS}), _none, _is_partial)}
