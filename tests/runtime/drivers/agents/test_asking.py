"""An agent that stops to ask is told to go on, or has its question answered by a person."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest

from supervisor.adapters.hooks import HOSTS
from supervisor.engine.session import Session
from supervisor.runtime.drivers.agents.asking import closing_question
from supervisor.runtime.drivers.agents.judging import AgentGuard, Answer, Grant
from supervisor.runtime.drivers.guarding import CommandGuard
from supervisor.runtime.drivers.prompts import prompt_in


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ("", ""),
        ("All done.", ""),
        ("I have fixed one of them. Want me to continue?", "Want me to continue?"),
        ("**Should I go on?**\n\n", "Should I go on?"),
        ("Which of the two?\nAnd when?", "Which of the two? And when?"),
        ("What has changed? The class has another name now.", ""),
        ("See https://docs.example/?page=1 for more.", ""),
        ("It is done. Is there anything else you need?", ""),
        ("Would you like me to also write tests?", ""),
        ("Does that look right?", ""),
        ("Let me know if you have any questions?", ""),
        ("Should I drop the table? Anything else?", "Should I drop the table?"),
    ],
)
def test_what_a_message_asks_at_its_end(words: str, asked: str) -> None:
    assert closing_question(words) == asked


@pytest.fixture(scope="module")
def guard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CommandGuard]:
    """The shipped taxonomy, without records."""
    file = tmp_path_factory.mktemp("policy") / "supervisor.yaml"
    file.write_text(json.dumps({"records": {"path": None}}))
    made = CommandGuard(file)
    yield made
    made.close()


def asks(guard: CommandGuard, *messages: str) -> list[Answer]:
    """What is answered to an agent that ends its turn with each of these, one after the other."""
    session = Session("claude", "Rename the class in all files of the package.", {}, "task:1")
    judged = AgentGuard(HOSTS["claude"], guard.engine, session, Grant(None, lambda id: False))
    event = {"hook_event_name": "Stop", "session_id": "s", "cwd": "/"}

    async def ask() -> list[Answer]:
        return [await judged.answer({**event, "last_assistant_message": each}) for each in messages]

    return anyio.run(ask)


@pytest.mark.thorough
def test_a_needless_question_is_answered_by_the_gate(guard: CommandGuard) -> None:
    (answer,) = asks(guard, "I have renamed it in three files. Want me to continue?")
    assert answer.refused
    assert "Go on with the task without asking." in answer.reason
    assert answer.question is None


@pytest.mark.thorough
@pytest.mark.parametrize(
    "words", ["Should I delete the production database?", "Two classes are called Reader. Which one do you mean?"]
)
def test_a_risk_or_a_choice_is_a_persons(words: str, guard: CommandGuard) -> None:
    (answer,) = asks(guard, words)
    assert not answer.refused
    assert answer.question is not None
    assert answer.question.choices == ()
    assert answer.question.text.endswith("?")


@pytest.mark.thorough
def test_an_agent_that_only_asks_is_not_urged_for_ever(guard: CommandGuard) -> None:
    answers = asks(guard, *["Shall I continue?"] * 4)
    assert [each.refused for each in answers] == [True, True, True, False]
    assert answers[-1].question is not None


@pytest.mark.thorough
def test_what_is_done_is_done(guard: CommandGuard) -> None:
    (answer,) = asks(guard, "I looked at the package. Is there anything else you need?")
    assert answer.question is None


@pytest.mark.thorough
def test_the_gate_answers_a_terminal_only_where_it_is_asked_to_go_on(guard: CommandGuard, tmp_path: Path) -> None:
    shown = {
        "Continue? [Y/n] ": True,
        "Reading lists\nDo you want to continue? [Y/n] ": True,
        "Proceed ([y]/n)? ": True,
        "Step 1 is done\nPress Enter to continue...": True,
        "The following files will be deleted:\n  a.txt\n\nContinue? [Y/n] ": False,
        "This costs $12.\nProceed? (y/n) ": False,
        "Delete the branch? (y/n) ": False,
        "Deploy to production? (y/n) ": False,
        "Error: the lock is held\nContinue? (y/n) ": False,
        "Press any key to reboot": False,
    }
    found = {each: prompt_in(each) for each in shown}
    judged = {
        each: prompt is not None and guard.is_needless("Tidy up the build", prompt.question, tmp_path)
        for each, prompt in found.items()
    }
    assert judged == shown


def test_a_question_tool_is_read_in_words(tmp_path: Path) -> None:
    def read(labels: list[str]) -> object:
        options = [{"label": each, "description": "d"} for each in labels]
        asked = {"questions": [{"question": "Shall I start?", "options": options}]}
        event = {"hook_event_name": "PreToolUse", "tool_name": "AskUserQuestion", "tool_input": asked}
        return HOSTS["claude"].read(event).args["question"]

    assert read(["Yes, go on", "No"]) == "Shall I start?"
    assert read(["PostgreSQL", "SQLite"]) == "Shall I start? PostgreSQL, or SQLite?"
    assert read([]) == "Shall I start?"
    broken = {"hook_event_name": "PreToolUse", "tool_name": "AskUserQuestion", "tool_input": {"questions": 7}}
    assert HOSTS["claude"].read(broken).args["question"] == ""
