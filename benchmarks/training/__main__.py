"""Trains all classifiers, or those that are named: `python -m benchmarks.training [NAME …]`. The same versions of the
libraries give the same bytes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from benchmarks.training import agent_directed
from benchmarks.training.recipe import Subject, train, written
from benchmarks.training.subjects import SUBJECTS, others
from supervisor.methods.classifier import MODELS


def recipes() -> dict[str, Callable[[], dict[str, Any]]]:
    """The training function of each model, by name."""
    sentences = {subject.name: _of(subject) for subject in SUBJECTS}
    return {agent_directed.NAME: agent_directed.train, **sentences}


def _of(subject: Subject) -> Callable[[], dict[str, Any]]:
    return lambda: train(subject, others(subject))


def main(names: list[str]) -> None:
    made = recipes()
    for name in names or made:
        path = MODELS / f"{name}.json"
        path.write_bytes(written(made[name]()))
        sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
