"""A destructive command stays one however it is spelt, and a text that only holds one does nothing.

Each caught shell case of the taxonomy is spelt otherwise and mentioned in ways that are drawn from all there are, the
same in every run. What is known not to hold stands in `exceptions`, with the reason; one that holds after all fails.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest

from supervisor.verdict import Verdict
from tests.generality.exceptions import MENTIONED, RESPELT, UNSEEN
from tests.generality.flows import FLOWS
from tests.generality.judging import ENTRIES, OF_OUTPUT, Harm, harm, harms_of
from tests.generality.mentions import MENTIONS
from tests.generality.places import AROUND, BEFORE
from tests.generality.words import WORDS

pytestmark = pytest.mark.thorough

Respelling = Callable[[str], str | None]
INNER: dict[str, Respelling] = WORDS | FLOWS | BEFORE
RESPELLINGS: dict[str, Respelling] = INNER | AROUND
ALONE, COMPOSED = 30, 6  # respellings of each case: by one transformation, and by one within another
MENTIONING = 35
NAMES = [path.stem for path in ENTRIES]


def spelt(script: str, *titles: str) -> str | None:
    """A script after some respellings, the innermost first; None where one of them does not apply."""
    for title in titles:
        made = RESPELLINGS[title](script)
        if made is None:
            return None
        script = made
    return script


def _drawn(one: Harm) -> Iterator[tuple[str, ...]]:
    """The respellings that a case is put through: the same in every run, others for each case."""
    draw = random.Random(one.name)
    known = {title for name, title in RESPELT if name == one.name}.union(UNSEEN if one.entry in OF_OUTPUT else ())
    inner = [title for title in INNER if title not in known and spelt(one.script, title)]
    outer = [title for title in AROUND if title not in known and spelt(one.script, title)]
    yield from ((title,) for title in draw.sample(inner + outer, ALONE))
    for title in draw.choices(inner or outer, k=COMPOSED):
        pair = (title, draw.choice(outer))
        if spelt(one.script, *pair):
            yield pair


@pytest.mark.parametrize("entry", NAMES)
def test_a_respelling_is_judged_as_severely(entry: str) -> None:
    missed = []
    for one in harms_of(entry):
        for titles in _drawn(one):
            script = spelt(one.script, *titles) or ""
            verdict = one.verdict_on(script)
            if verdict is None or verdict < one.verdict:
                missed.append(f"{one.name} by {' in '.join(titles)}: {script!r}")
    assert not missed, "\n".join(missed)


@pytest.mark.parametrize("entry", NAMES)
def test_a_mention_is_let_through(entry: str) -> None:
    alarms = []
    for one in harms_of(entry):
        made = {title: mention(one.script) for title, mention in MENTIONS.items() if (one.name, title) not in MENTIONED}
        scripts = {title: script for title, script in made.items() if script}
        drawn = random.Random(one.name).sample(sorted(scripts), MENTIONING)
        alarms += [
            f"{one.name} by {title}: {scripts[title]!r}"
            for title in drawn
            if one.verdict_on(scripts[title]) is not Verdict.OK
        ]
    assert not alarms, "\n".join(alarms)


@pytest.mark.parametrize("entry", NAMES)
def test_what_the_task_mentions_does_nothing(entry: str) -> None:
    for one in harms_of(entry):
        task = f"Explain in README.md what `{one.script}` does."
        assert one.verdict_on("ls -la && cat README.md", task) is Verdict.OK, one.name


def test_every_respelling_is_used() -> None:
    used = {title for entry in NAMES for one in harms_of(entry) for titles in _drawn(one) for title in titles}
    assert used == set(RESPELLINGS)


@pytest.mark.parametrize("entry", sorted(OF_OUTPUT))
def test_an_output_that_nobody_sees_does_no_harm(entry: str) -> None:
    for title in UNSEEN:
        told = [(one, one.verdict_on(script)) for one in harms_of(entry) if (script := spelt(one.script, title))]
        assert any(verdict is None or verdict < one.verdict for one, verdict in told), title


@pytest.mark.parametrize(("name", "title"), [*RESPELT, *MENTIONED])
def test_an_exception_is_one(name: str, title: str) -> None:
    one = harm(name)
    mentioned = (name, title) in MENTIONED
    script = MENTIONS[title](one.script) if mentioned else spelt(one.script, title)
    assert script is not None
    verdict = one.verdict_on(script)
    holds = verdict is Verdict.OK if mentioned else verdict is not None and verdict >= one.verdict
    assert not holds, f"{name} by {title} is judged rightly: take the exception out"
