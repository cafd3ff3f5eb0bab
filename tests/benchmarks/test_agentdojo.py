"""What the AgentDojo benchmark counts, without AgentDojo; tests/adapters/test_agentdojo.py plays it."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from benchmarks import agentdojo
from benchmarks.agentdojo import Score, Share, total, with_totals


def a_score(suite: str, *, guarded: bool = True, attack: str = "direct", carried_out: int = 1) -> Score:
    score = Score(suite, attack, "gullible", guarded, milliseconds=[1.0, 5.0], wrong=[suite])
    for number in range(4):
        score.attacks.add(number < carried_out)
        score.honest.add(False)
    return score


def test_a_share_is_a_count_over_a_count():
    share = Share()
    assert str(share) == "-"
    for holds in (True, False, False):
        share.add(holds)
    assert (share.count, share.of, str(share)) == (1, 3, "33.3%")


def test_suites_add_up_and_are_left_as_they_were():
    one, two = a_score("slack", carried_out=1), a_score("travel", carried_out=4)
    whole = total([one, two])
    assert (whole.suite, whole.attack, whole.agent, whole.guarded) == ("all", "direct", "gullible", True)
    assert whole.attacks == Share(5, 8)
    assert whole.honest == Share(0, 8)
    assert whole.utility == Share()
    assert whole.milliseconds == [1.0, 5.0, 1.0, 5.0]
    assert one.attacks == Share(1, 4)


def test_sums_stand_behind_the_suites_of_their_attack():
    scores = [
        a_score(suite, attack=attack, guarded=guarded)
        for attack in ("direct", "injecagent")
        for suite in ("slack", "travel")
        for guarded in (False, True)
    ]
    told = [(each.attack, each.suite, each.guarded) for each in with_totals(scores)]
    assert len(told) == 12
    assert told[4:6] == [("direct", "all", False), ("direct", "all", True)]
    assert told[10:] == [("injecagent", "all", False), ("injecagent", "all", True)]


def test_one_suite_needs_no_sum():
    scores = [a_score("slack", guarded=guarded) for guarded in (False, True)]
    assert list(with_totals(scores)) == scores


def test_decisions_are_told_by_their_median():
    told = a_score("slack").to_json()
    assert (told["decisions"], told["median_ms"]) == (2, 3.0)
    assert told["attacks"] == {"count": 1, "of": 4}
    assert "milliseconds" not in told
    assert Score("slack", "direct", "gullible", False).to_json()["median_ms"] is None


@pytest.mark.skipif(find_spec("agentdojo") is not None, reason="agentdojo is installed")
def test_a_missing_package_is_told_in_one_line():
    with pytest.raises(SystemExit) as ended:
        agentdojo.loaded()
    assert str(ended.value) == agentdojo.MISSING
    assert "pip install" in agentdojo.MISSING
    assert "\n" not in agentdojo.MISSING
