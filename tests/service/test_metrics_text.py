"""What Prometheus reads is what was counted."""

from __future__ import annotations

import math

import pytest
from prometheus_client.parser import text_string_to_metric_families

from supervisor.service.metrics import Metrics


@pytest.mark.parametrize("value", [0, 3, 282, 1_795_430_412, 1795430412.75, 1e-9, math.inf, True])
def test_a_value_is_exact(value: float) -> None:
    """A start as seconds since 1970 has ten digits before the point."""
    text = Metrics().text({"start_time_seconds": ("When.", value)}).decode()
    families = {family.name: family for family in text_string_to_metric_families(text)}
    assert families["supervisor_start_time_seconds"].samples[0].value == value


def test_every_family_has_a_type_and_a_meaning() -> None:
    families = list(text_string_to_metric_families(Metrics().text({"sessions": ("Sessions.", 1)}).decode()))
    assert len(families) == 8
    assert [family.name for family in families if family.type == "unknown" or not family.documentation] == []
