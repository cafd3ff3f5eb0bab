"""A project's policy can only make the user's stricter, unless the user trusts it; what has no effect is named."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.errors import BadPolicy
from supervisor.intake.kinds import KINDS
from supervisor.policy import Layer, Policy, Projects, policy_from
from supervisor.policy.layers import Layered, layered
from supervisor.policy.sections import OnRefuse

FILE = Path("/work/shop/supervisor.yaml")
NAMES = ("alpha", "beta")
LEVELS = ("record", "flag", "nudge", "block", "revert")
REFUSALS = ("proceed", "flag", "nudge", "block")
level = st.sampled_from(LEVELS)
authority = st.fixed_dictionaries(
    {},
    optional={
        "default": level,
        "kinds": st.dictionaries(st.sampled_from(["shell", "sql", "tool"]), level),
        "specialists": st.dictionaries(
            st.sampled_from(NAMES), level | st.dictionaries(st.sampled_from(["shell", "sql"]), level)
        ),
    },
)
sections = st.fixed_dictionaries(
    {},
    optional={
        "authority": authority,
        "patience": st.integers(0, 5),
        "memory": st.fixed_dictionaries(
            {}, optional={"escalate_after": st.integers(0, 5), "flag_after": st.integers(0, 5)}
        ),
        "on_refuse": st.dictionaries(st.sampled_from(NAMES), st.sampled_from(REFUSALS)),
        "records": st.fixed_dictionaries({}, optional={"on_failure": st.sampled_from(["ok", "flag", "block"])}),
        "workers": st.fixed_dictionaries({}, optional={"on_failure": st.sampled_from(["ok", "flag", "block"])}),
        "hooks": st.fixed_dictionaries({}, optional={"on_failure": st.sampled_from(["ok", "block"])}),
        "approval": st.fixed_dictionaries({}, optional={"never": st.lists(st.sampled_from(NAMES), max_size=2)}),
        "taxonomy": st.fixed_dictionaries({}, optional={"preview": st.booleans()}),
    },
)


def usual(specialist: str) -> OnRefuse:
    return "nudge" if specialist == "alpha" else "flag"


def merged(user: Any, project: Any, **more: Any) -> Layered:
    own = policy_from({**user, **more}, place="the user")
    return layered(own, Layer(policy_from(project, place="the project"), project), FILE, usual)


@given(sections, sections)
def test_nothing_gets_looser_and_all_that_is_stricter_holds(user: Any, project: Any) -> None:
    before, after = policy_from(user, place=""), merged(user, project).policy
    wanted = policy_from(project, place="")
    for name in (*NAMES, "other"):
        for kind in KINDS:
            own, now = before.authority.granted(name, kind), after.authority.granted(name, kind)
            asked = wanted.authority.granted(name, kind)
            assert LEVELS.index(now) >= LEVELS.index(own)
            assert now in (own, asked)
        refuse = before.on_refuse.get(name, usual(name))
        assert REFUSALS.index(after.on_refuse.get(name, usual(name))) >= REFUSALS.index(refuse)
        if name in wanted.on_refuse:
            assert REFUSALS.index(after.on_refuse[name]) >= REFUSALS.index(wanted.on_refuse[name])
    assert after.patience == min(before.patience, wanted.patience if "patience" in project else before.patience)
    for name in ("escalate_after", "flag_after"):
        sooner = [getattr(each.memory, name) or 101 for each in (before, wanted)]
        asked = sooner if name in project.get("memory", {}) else sooner[:1]
        assert (getattr(after.memory, name) or 101) == min(asked)
    assert after.memory.days == before.memory.days
    order = ("ok", "flag", "block")
    for section in ("records", "workers", "hooks"):
        own, now = (getattr(each, section).on_failure for each in (before, after))
        assert order.index(now) >= order.index(own)
    assert set(before.approval.never) | set(wanted.approval.never) == set(after.approval.never)
    assert after.taxonomy.preview is (before.taxonomy.preview or wanted.taxonomy.preview)


@given(sections, sections)
def test_what_is_named_as_ignored_is_exactly_what_does_not_hold(user: Any, project: Any) -> None:
    found = merged(user, project)
    for key in found.ignored:
        section, _, name = key.partition(".")
        assert section in project
        assert not name or name.partition(".")[0] in project[section]
    if not found.ignored and "patience" in project:
        assert found.policy.patience == project["patience"]


@given(sections)
def test_a_project_that_gives_nothing_changes_nothing(user: Any) -> None:
    assert merged(user, {}) == Layered(policy_from(user, place=""))


LOOSENING = {
    "authority": {"default": "flag"},
    "budgets": {"pure_ms": 1},
    "patience": 100,
    "memory": {"days": 30, "escalate_after": 0},
    "review": {"judges": 0.5},
    "on_refuse": {"alpha": "proceed"},
    "tools": {"bash": {"kind": "finish"}},
    "trusted_tools": ["read_mail"],
    "facts": {"allowed_domains": ["evil.example"]},
    "own_facts": ["reviewer"],
    "doors": {"model": {"url": "http://evil.example/v1"}},
    "records": {"path": None},
    "isolation": "none",
    "workers": {"on_failure": "ok"},
    "hooks": {"on_failure": "ok"},
    "taxonomy": {"disabled": ["alpha"]},
    "business": {"customer": "anybody"},
    "telemetry": {"enabled": True},
    "approval": {"ask": [{"verdicts": ["block"]}]},
    "projects": {"may_loosen": True},
    "spending": {"day": {"dollars": 1e6}},
    "exemptions": {"allow": [{"specialists": ["alpha"], "reason": "mine", "path": "/work/shop/**"}]},
}


@pytest.mark.parametrize("section", LOOSENING)
def test_whatever_would_loosen_has_no_effect_and_is_named(section: str) -> None:
    strict = {"workers": {"on_failure": "block"}, "on_refuse": {"alpha": "block"}}
    found = merged(strict, {section: LOOSENING[section]})
    assert found.policy == policy_from(strict, place="")
    assert found.ignored
    assert all(key.partition(".")[0] == section for key in found.ignored)


def test_every_section_of_a_policy_has_a_rule() -> None:
    assert set(LOOSENING) == {field.name for field in fields(Policy)}


@pytest.mark.parametrize("code", [{"folders": ["/work/shop/own"]}, {"plugins": ["evil"]}, {"shipped": False}])
def test_a_project_brings_no_code(code: Any) -> None:
    found = merged({}, {"taxonomy": code})
    assert (found.policy, found.ignored) == (Policy(), (f"taxonomy.{next(iter(code))}",))


@pytest.mark.parametrize("trusted", [True, ["/work/shop"], ["/elsewhere", "/work"]])
@pytest.mark.parametrize("section", [name for name in LOOSENING if name != "projects"])
def test_a_trusted_project_decides(trusted: Any, section: str) -> None:
    found = merged({}, {section: LOOSENING[section]}, projects={"may_loosen": trusted})
    assert found.ignored == ()
    assert found.policy != Policy(projects=Projects(trusted if trusted is True else tuple(trusted)))


@pytest.mark.parametrize("trusted", [False, [], ["/work/shopping"], ["/work/shop/sub"]])
def test_trust_is_for_the_folders_that_are_named(trusted: Any) -> None:
    assert merged({}, {"patience": 9}, projects={"may_loosen": trusted}).ignored == ("patience",)


def test_a_trusted_project_adds_to_tables_and_lists() -> None:
    user = {"taxonomy": {"disabled": ["alpha"]}, "facts": {"a": 1, "b": 2}, "doors": {"http": {"max_redirects": 1}}}
    project = {"taxonomy": {"disabled": ["beta"]}, "facts": {"b": 3}, "doors": {"database": {"url": "sqlite:////d"}}}
    policy = merged(user, project, projects={"may_loosen": True}).policy
    assert (policy.taxonomy.disabled, policy.facts) == (("alpha", "beta"), {"a": 1, "b": 3})
    assert (policy.doors.http.max_redirects, policy.doors.database.url) == (1, "sqlite:////d")


def test_a_link_does_not_lead_into_a_trusted_folder(tmp_path: Path) -> None:
    trusted, other = tmp_path / "trusted", tmp_path / "other"
    trusted.mkdir()
    other.mkdir()
    (other / "policy.yaml").write_text("patience: 9")
    (trusted / "policy.yaml").symlink_to(other / "policy.yaml")
    own = policy_from({"projects": {"may_loosen": [str(trusted)]}}, place="the user")
    layer = Layer(policy_from({"patience": 9}, place=""), {"patience": 9})
    assert layered(own, layer, trusted / "policy.yaml", usual).ignored == ("patience",)


def test_a_folder_is_named_by_its_whole_path() -> None:
    with pytest.raises(BadPolicy, match="no absolute path"):
        policy_from({"projects": {"may_loosen": ["shop"]}}, place="the user")


@pytest.mark.parametrize("section", ["exemptions", "approval"])
def test_what_a_project_rules_out_nobody_has_exempted_there(section: str) -> None:
    allow = {"specialists": ["alpha", "beta"], "reason": "mine", "path": "/work/shop/**"}
    user = {"exemptions": {"allow": [allow, {**allow, "specialists": ["alpha"]}]}}
    found = merged(user, {section: {"never": ["alpha"]}})
    assert [each.specialists for each in found.policy.exemptions.allow] == [("beta",)]
    assert getattr(found.policy, section).never == ("alpha",)
