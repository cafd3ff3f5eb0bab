"""The table of places: complete, lazily decoded, and matched as its patterns say."""

from __future__ import annotations

from typing import Any

import pytest

from supervisor.evidence.machine import places
from supervisor.evidence.machine.places import Deed, changes, credential_patterns, kind_at, known_places, place_at
from supervisor.evidence.reading.tables import table_beside
from supervisor.evidence.secrets.credentials import Sort
from tests.generality.deeds import verdicts


def test_each_line_judges_each_deed_and_holds_its_sample() -> None:
    for place in known_places():
        assert set(place.judgements) == set(Deed)
        assert place_at(place.sample) == place, place.sample


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/etc", "tree"),
        ("/private/etc/passwd", "system settings"),
        ("/root/.aws/credentials", "credentials"),
        ("/Users/eve/Documents", "folder"),
        ("/home/eve", "home"),
        ("~", "home"),
        ("/us?", "tree"),
        ("/var/lib/my*", "data"),
        ("/var/lib/mysql/shop/*.ibd", "data"),
        ("~/Docu*", "folder"),
        ("~/notes.txt", ""),
        ("/usr/local/bin/tool", ""),
        ("src/etc/passwd", ""),
        ("/" + "a" * 5000, ""),
    ],
)
def test_a_path_belongs_to_the_first_place_that_matches(path: str, kind: str) -> None:
    assert kind_at(path) == kind


def test_every_sort_of_credentials_has_patterns() -> None:
    assert {sort.name.lower() for sort in Sort} == set(credential_patterns())


def test_changes_name_their_act_and_verb() -> None:
    assert changes()["/etc/crontab"] == ("persist", "cron", "/etc/crontab")
    assert changes()["/etc/cron.d"] == ("persist", "cron", "/etc/cron.d/")


def test_ordinary_commands_do_not_load_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    verdicts(["true"])  # where the cases were not verified before, opening the engine runs them
    for remembered in (place_at, known_places, changes):
        remembered.cache_clear()
    loaded: list[str] = []

    def noted(module: str, name: str) -> Any:
        loaded.append(name)
        return table_beside(module, name)

    monkeypatch.setattr(places, "table_beside", noted)
    verdicts(["ls -la", "git status", "npm test", "rm -rf build", "mv a b", "chmod +x run.sh", "pytest -q tests"])
    assert loaded == []
    assert kind_at("/etc/passwd")
    assert set(loaded) == {"places.yaml"}
