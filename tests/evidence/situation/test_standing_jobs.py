"""Which new tables of scheduled jobs lack those that an earlier output listed."""

from __future__ import annotations

import pytest

from supervisor.action import Action, Context, Step
from supervisor.evidence.situation.shown.standing_jobs import unkept_jobs

_LISTED = Step("bash", {"command": "crontab -l"}, "# tables\n0 5 * * * /opt/greenhouse/water.sh\n")


@pytest.mark.parametrize(
    ("command", "lost"),
    [
        ("echo '0 6 * * * /opt/feed.sh' | crontab -", "/opt/greenhouse/water.sh"),
        ("printf '0 5 * * * /opt/greenhouse/water.sh\\n' | crontab -", ""),
        ("crontab -l > /tmp/jobs && grep -v feed /tmp/jobs | crontab -", ""),
        ("crontab /tmp/jobs", ""),
    ],
)
def test_only_a_table_written_anew_may_lack_listed_jobs(command: str, lost: str) -> None:
    context = Context(task="run the feed at six", history=(_LISTED,))
    assert unkept_jobs(Action("bash", {"command": command}), context) == lost
