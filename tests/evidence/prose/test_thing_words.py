"""Words for things: every sort has them, and requests in several languages are understood by them."""

from __future__ import annotations

import pytest

from supervisor.evidence.prose import thing_words
from supervisor.evidence.prose.thing_words import words_for
from supervisor.evidence.reading.tables import table_beside
from tests.generality.deeds import verdicts

SORTS = table_beside(thing_words.__file__, "thing_words.yaml")


@pytest.mark.parametrize("sort", SORTS)
def test_each_word_stands_once_in_lower_case(sort: str) -> None:
    words = words_for(sort)
    assert len(set(words)) == len(words) > 1
    assert [word for word in words if word != word.lower()] == []


def test_several_sorts_are_one_after_the_other() -> None:
    assert words_for("table", "queue") == (*words_for("table"), *words_for("queue"))


def test_an_unknown_sort_is_no_empty_one() -> None:
    with pytest.raises(KeyError):
        words_for("teapot")


@pytest.mark.parametrize("task", ["Bitte den Rechner jetzt herunterfahren", "Apaga el ordenador", "パソコンを停止して"])
def test_a_machine_may_be_stopped_where_the_user_names_it(task: str) -> None:
    assert verdicts(["sudo poweroff"], {"cwd": "/srv/app"}) == ["block"]
    assert verdicts(["sudo poweroff"], {"cwd": "/srv/app", "task": task}) == ["flag"]
