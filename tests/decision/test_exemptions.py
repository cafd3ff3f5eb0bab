"""An exemption lifts the objections that it names from the actions that it names, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.action import Action, Context
from supervisor.decision.exemptions import Exemption, exemption_of, fitting, how_to_allow
from supervisor.decision.settle import Terms, settle
from supervisor.evidence.actions.form import form_of
from supervisor.intake.parsing import shaped
from supervisor.policy import Policy
from supervisor.verdict import Cause, Finding, Opinion, Refusal, Verdict

NOW = datetime(2027, 1, 15, 12, tzinfo=UTC)
HERE = "/srv/app"


def exemption(**parts: Any) -> Exemption:
    values: dict[str, Any] = {"specialists": ("wrong",), "reason": "it is mine", "by": "ann", "given": NOW}
    return Exemption(**{"id": "0" * 64, **values, "expires": NOW + timedelta(days=1), **parts})


def action(tool: str = "bash", **args: Any) -> Action:
    return shaped(tool, args, None, {})


def context(cwd: str | None = HERE, agent: str | None = "builder") -> Context:
    return Context(facts={"cwd": cwd} if cwd else {}, agent=agent)


def fits(made: Exemption, proposed: Action, seen: Context | None = None) -> bool:
    return made.fits(proposed, seen or context(), lambda path: path)


PUSH = action(command="git push --force origin main")


def test_every_part_that_is_set_has_to_fit() -> None:
    whole = exemption(form=form_of(PUSH, context()), tool="bash", project="/srv", agent="builder")
    assert fits(whole, PUSH)
    assert fits(whole, action(command="git push -f 'origin' main"))
    assert not fits(whole, action(command="git push -f origin main; rm -rf ~"))
    assert not fits(whole, PUSH, context(cwd="/srv/other"))
    assert not fits(replace(whole, project="/srv/ap"), PUSH)
    assert not fits(whole, PUSH, context(agent="another"))
    assert not fits(whole, PUSH, context(agent=None))
    assert not fits(replace(whole, tool="shell"), PUSH)
    staging = replace(whole, environment="staging")
    assert not fits(staging, PUSH)
    for environment in ("staging", "production", ["staging"]):
        seen = Context(facts={"cwd": HERE, "environment": environment}, agent="builder")
        assert fits(staging, PUSH, seen) == (environment == "staging")


def test_without_an_action_a_path_or_a_tool_it_fits_nothing() -> None:
    assert not fits(exemption(), PUSH)
    assert not fits(exemption(project="/", agent="builder"), PUSH)


def test_a_tool_alone_fits_no_action_that_runs_code() -> None:
    assert fits(exemption(tool="issue_refund"), action("issue_refund", order="o1", amount=4))
    assert not fits(exemption(tool="issue_refund"), action("grant_refund", order="o1", amount=4))
    for tool, args in (("bash", {"command": "ls"}), ("python", {"code": "x"}), ("sql", {"query": "SELECT 1"})):
        assert not fits(exemption(tool=tool), action(tool, **args))


@pytest.mark.parametrize(
    ("path", "touched", "is_fit"),
    [
        ("/srv/app/build", "/srv/app/build", True),
        ("/srv/app/build", "/srv/app/build/a/b", True),
        ("/srv/app/build", "/srv/app/builds", False),
        ("/srv/app/build", "/srv/app", False),
        ("/srv/app/*.log", "/srv/app/x.log", True),
        ("/srv/app/*.log", "/srv/app/x/y.log", False),
        ("/srv/app/**/*.log", "/srv/app/x/y.log", True),
        ("/srv/app/?", "/srv/app/a/b", True),
        ("/srv/app/(a|b)", "/srv/app/a", False),
        ("/srv/app/[ab]", "/srv/app/a", False),
        ("/srv/*", "/srv/app/../../etc/passwd", False),
    ],
)
def test_a_path_includes_what_lies_below_it(path: str, touched: str, is_fit: bool) -> None:
    assert fits(exemption(path=path), action("write_file", path=touched, content="")) is is_fit
    assert fits(exemption(path=path), action(command=f"rm -rf {touched}")) is is_fit
    assert not fits(exemption(path=path), action(command=f"rm -rf {touched} /etc"))
    assert not fits(exemption(path=path), action(command=f"rm -rf {touched}; make"))


def test_a_path_that_a_link_leads_elsewhere_does_not_fit() -> None:
    made, removal = exemption(path="/srv/app/build"), action(command="rm -rf build/home/docs")
    links = {"/srv/app/build/home/docs": "/home/ann/docs"}
    assert made.fits(removal, context(), lambda path: path)
    assert not made.fits(removal, context(), lambda path: links.get(path, path))
    moved = {"/srv/app/build": "/mnt/build", "/srv/app/build/home/docs": "/mnt/build/home/docs"}
    assert made.fits(removal, context(), lambda path: moved.get(path, path))  # the whole folder is elsewhere


def test_where_a_link_leads_has_to_fit_the_pattern_too() -> None:
    made = exemption(path="/srv/*/tmp")
    links = {"/srv/a/tmp/data": "/srv/keep/data", "/srv/b/tmp/data": "/srv/b/tmp/data"}
    for path, is_fit in (("/srv/a/tmp/data", False), ("/srv/b/tmp/data", True)):
        proposed = action(command=f"rm -rf {path}")
        assert made.fits(proposed, context(), lambda each: links.get(each, each)) is is_fit


def test_a_home_is_that_of_the_person() -> None:
    made = exemption(path="/home/ann/build", home="/home/ann")
    assert fits(made, action(command="rm -rf ~/build/a"))
    assert not fits(replace(made, home=""), action(command="rm -rf ~/build/a"))
    assert not fits(made, action(command="rm -rf ~bob/build"))


def test_a_hostile_path_is_compared_in_linear_time() -> None:
    made = exemption(path="/a" + "/**a*" * 40 + "/z")
    assert not fits(made, action("write_file", path="/a" + "/a" * 20_000, content=""))


def test_an_expired_one_is_not_in_force() -> None:
    made = exemption(form=form_of(PUSH, context()))
    assert fitting([made], ["wrong"], PUSH, context(), NOW) == {"wrong": made}
    assert fitting([made], ["wrong"], PUSH, context(), NOW + timedelta(days=1)) == {}
    endless = replace(made, expires=None)
    assert fitting([endless], ["wrong"], PUSH, context(), NOW + timedelta(days=9999)) == {"wrong": endless}


def test_each_specialist_needs_an_exemption_of_its_own() -> None:
    one, both = exemption(tool="issue_refund"), exemption(specialists=("other", "wrong"), tool="issue_refund", id="1")
    refund = action("issue_refund", order="o1", amount=4)
    assert fitting([one], ["wrong", "other"], refund, context(), NOW) == {"wrong": one}
    assert fitting([one, both], ["wrong", "other"], refund, context(), NOW) == {"other": both, "wrong": one}
    assert fitting([one], ["other"], refund, context(), NOW) == {}


@given(
    st.builds(
        exemption,
        specialists=st.lists(st.text(min_size=1), min_size=1, max_size=3).map(tuple),
        expires=st.none() | st.just(NOW),
        given=st.none() | st.just(NOW),
        origin=st.sampled_from(("person", "policy")),
        **{name: st.text(max_size=9) for name in ("reason", "by", "form", "shown", "path", "tool", "project", "agent")},
    )
)
def test_it_reads_back_as_it_was_written(made: Exemption) -> None:
    assert exemption_of(orjson.loads(orjson.dumps(made.to_json()))) == made


@pytest.mark.parametrize(
    "changed",
    [{"specialists": []}, {"specialists": "wrong"}, {"specialists": [1]}, {"form": 3}, {"expires": "soon"},
     {"expires": "2027-01-15T00:00:00"}, {"origin": "agent"}, {"tool": None}],
)  # fmt: skip
def test_anything_else_is_no_exemption(changed: Mapping[str, Any]) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        exemption_of({**exemption().to_json(), **changed})


# What is settled

LIFTS = exemption(tool="issue_refund")


def settled(said: Mapping[str, Opinion], exemptions: Mapping[str, Exemption], **terms: Any) -> Any:
    about = {name: Terms(Verdict.BLOCK, Verdict.FLAG, 1.0, **terms) for name in said}
    return settle([*said.items()], about, Policy(), lambda _: 0, exemptions=exemptions)


def test_a_lifted_objection_is_a_flag_that_nobody_looks_at_again() -> None:
    for verdict in (Verdict.NUDGE, Verdict.BLOCK):
        found = settled({"wrong": Finding(verdict, 1.0, "No.", "Do this.")}, {"wrong": LIFTS})
        assert (found.verdict, found.by, found.correction, found.review) == (Verdict.FLAG, ("wrong",), "", False)
        assert found.exemptions == {"wrong": LIFTS}


def test_what_stops_nothing_is_not_lifted() -> None:
    found = settled({"wrong": Finding(Verdict.FLAG, 1.0, "Odd.")}, {"wrong": LIFTS})
    assert (found.verdict, found.review, found.exemptions) == (Verdict.FLAG, True, {})


def test_a_refusal_is_not_lifted() -> None:
    said = {"wrong": Refusal("nested too deeply", Cause.INPUT)}
    about = {"wrong": Terms(Verdict.BLOCK, Verdict.NUDGE, 1.0)}
    found = settle([*said.items()], about, Policy(), lambda _: 0, exemptions={"wrong": LIFTS})
    assert (found.verdict, found.exemptions) == (Verdict.NUDGE, {})


def test_a_specialist_that_allows_no_exemption_is_not_lifted() -> None:
    found = settled({"wrong": Finding(Verdict.BLOCK, 1.0, "No.")}, {"wrong": LIFTS}, exemptible=False)
    assert (found.verdict, found.exemptions) == (Verdict.BLOCK, {})


def test_no_person_is_asked_about_what_a_person_has_lifted() -> None:
    found = settled({"wrong": Finding(Verdict.BLOCK, 1.0, "No.")}, {"wrong": LIFTS}, askable=frozenset(Verdict))
    assert (found.verdict, found.over) == (Verdict.FLAG, ())
    said = {"wrong": Finding(Verdict.BLOCK, 1.0, "No."), "other": Finding(Verdict.BLOCK, 1.0, "Nor this.")}
    found = settled(said, {"wrong": LIFTS}, askable=frozenset(Verdict))
    assert (found.verdict, found.over) == (Verdict.BLOCK, ("other",))


opinions = st.builds(Finding, st.sampled_from([*Verdict]), st.just(1.0), st.just("So."), st.sampled_from(("", "Do.")))
NAMES = ("first", "second", "third")


@given(st.fixed_dictionaries(dict.fromkeys(NAMES, opinions)), st.sets(st.sampled_from(NAMES)))
def test_it_is_as_if_the_lifted_had_only_flagged(said: dict[str, Finding], lifted: set[str]) -> None:
    """And in no other way; so no exemption of one specialist silences another."""
    flagged = {name: replace(each, verdict=min(each.verdict, Verdict.FLAG)) for name, each in said.items()}
    found = settled(said, dict.fromkeys(lifted, LIFTS))
    expected = settled({name: flagged[name] if name in lifted else said[name] for name in said}, {})
    assert (found.verdict, found.by, found.correction) == (expected.verdict, expected.by, expected.correction)
    assert set(found.exemptions) == {name for name in lifted if said[name].verdict.stops}
    assert found.review is any(
        each.verdict is Verdict.FLAG for name, each in said.items() if name not in found.exemptions
    )


def test_a_stop_is_exemptible_if_every_objection_that_stops_is() -> None:
    no, odd, unread = Finding(Verdict.BLOCK, 1.0, "No."), Finding(Verdict.FLAG, 1.0, "Odd."), Refusal("?", Cause.INPUT)
    assert settled({"wrong": no, "other": odd}, {}).exemptible
    assert not settled({"wrong": odd}, {}).exemptible
    assert not settled({"wrong": no}, {}, exemptible=False).exemptible
    about = {name: Terms(Verdict.BLOCK, Verdict.NUDGE, 1.0) for name in ("wrong", "other")}
    assert not settle([("wrong", no), ("other", unread)], about, Policy(), lambda _: 0).exemptible


def test_what_the_person_reads_names_the_record() -> None:
    assert how_to_allow(None) == ""
    assert how_to_allow("0123456789abcdef") == "To allow this: supervisor allow --record 0123456789ab --reason '<why>'"
