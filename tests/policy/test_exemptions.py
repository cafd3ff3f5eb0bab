"""The section `exemptions:` of a policy."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from supervisor.errors import BadPolicy
from supervisor.policy import check_names, policy_from

GOOD: dict[str, Any] = {
    "specialists": ["table_dropped"],
    "reason": "the nightly rebuild",
    "command": "psql -f rebuild.sql",
    "project": "/srv/app",
    "expires": "2027-06-01",
}


def section(**changed: Any) -> Any:
    return policy_from({"exemptions": {"allow": [{**GOOD, **changed}], "never": ["database_dropped"]}}, place="p.yaml")


def test_a_policy_declares_exemptions_and_what_nobody_may_exempt() -> None:
    (declared,) = section().exemptions.allow
    assert declared.expiry() == datetime(2027, 6, 1, tzinfo=UTC)
    assert policy_from(section().to_json(), place="the record") == section()


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"specialists": []}, "name each specialist"),
        ({"specialists": ["*"]}, "name each specialist"),
        ({"reason": " "}, "say why"),
        ({"command": ""}, "give a command, a path or a tool"),
        ({"project": ""}, "a command needs the directory"),
        ({"project": "srv/app"}, "not an absolute path"),
        ({"path": "/srv/../etc"}, "not an absolute path"),
        ({"expires": "soon"}, "expires"),
        ({"action": "x"}, "action"),
    ],
)
def test_an_exemption_that_would_fit_too_much_is_refused(changed: dict[str, Any], told: str) -> None:
    with pytest.raises(BadPolicy, match=told):
        section(**changed)


def test_a_specialist_that_does_not_exist_is_refused() -> None:
    with pytest.raises(BadPolicy, match=r"exemptions\.allow: no specialist 'table_dropped'"):
        check_names(section(), ["database_dropped"])
    with pytest.raises(BadPolicy, match=r"exemptions\.never: no specialist 'database_dropped'"):
        check_names(section(), ["table_dropped"])


def test_what_may_only_tighten_brings_no_exemption() -> None:
    tightening = section().exemptions.without_declared()
    assert (tightening.allow, tightening.never) == ((), ("database_dropped",))
