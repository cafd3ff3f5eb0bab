"""The section `exemptions:` of a policy."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest

from supervisor.catalog.catalog import in_force
from supervisor.catalog.policy_names import check_names
from supervisor.errors import BadPolicy
from supervisor.policy import policy_from

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


@pytest.mark.parametrize(("named", "place"), [("allow", "allow.0.specialists.0"), ("never", "never.0")])
def test_a_specialist_that_does_not_exist_is_refused(named: str, place: str) -> None:
    given = {"allow": [{**GOOD, "specialists": ["table_droped"]}], "never": ["table_droped"]}
    policy = policy_from({"exemptions": {named: given[named]}}, place="p.yaml")
    with pytest.raises(BadPolicy, match=re.escape(f"exemptions.{place}: no specialist 'table_droped'")):
        check_names(policy, in_force(policy))
