"""The rows of `values.yaml`: how requests and commands write values."""

from __future__ import annotations

from typing import Any

from supervisor.evidence.reading.tables import table_beside


def row(name: str) -> Any:
    """A row of the table."""
    return table_beside(__file__, "values.yaml")[name]
