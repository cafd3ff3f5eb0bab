"""Loggers that are made at their first message: what they log is what `logging` would."""

from __future__ import annotations

import logging

import pytest

from supervisor.logs import log_later


def test_messages_are_those_of_the_named_logger(caplog: pytest.LogCaptureFixture) -> None:
    log_later("some.module").warning("%d of %s", 3, "four")
    (record,) = caplog.records
    assert (record.name, record.levelno, record.getMessage()) == ("some.module", logging.WARNING, "3 of four")
    assert record.funcName == "test_messages_are_those_of_the_named_logger"
