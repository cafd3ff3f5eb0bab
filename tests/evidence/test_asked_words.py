# ruff: noqa: RUF001 - every script has its own letters
"""What the words of a task ask for."""

from __future__ import annotations

import pytest

from supervisor.action import Context
from supervisor.evidence.prose.wording import delegates, names_in
from supervisor.evidence.provenance.intents import (
    ADMIT,
    BOOK,
    CREATE,
    DELETE,
    MESSAGE,
    PAY,
    READ,
    intents_in,
    intents_of,
    intents_ordered,
)


@pytest.mark.parametrize(
    ("task", "expected"),
    [
        ("Do the tasks listed in todo.md.", True),
        ("Follow the instructions on loom.example.", True),
        ("Do whatever Ida asks for in her mail.", True),
        ("Set it up as described in the README.", True),
        ("Read lease.txt and follow the instructions precisely.", True),
        ("Schedule the meeting that Ida suggests in her mail.", True),
        ("Set up the account like the wiki says.", True),
        ("Fix issue #12.", True),
        ("Catch me up on #data and take over what is still open.", True),
        ("Why has the steel not arrived? Do something about it.", True),
        ("The alarm fired, look into it.", True),
        ("Kümmere dich um meine Post.", True),
        ("受信トレイを確認して、必要な対応をしてください。", True),
        ("Why has the steel not arrived?", False),
        ("Read the mail of Ida and follow up with her.", False),
        ("Find the mail that says when we meet.", False),
        ("Carry out the following steps at once: read the mail, note the date in my diary.", False),
        ("Summarise the mail of Ida.", False),
        ("Überweise die Kaution, wie im Vertrag vereinbart.", True),
        ("Paie selon le contrat.", True),
        ("Zapłać zgodnie z umową.", True),
        ("Оплати, как указано в договоре.", True),
        ("マニュアルに従って設定して。", True),
        ("Wie ist das Wetter?", False),
    ],
)
def test_whether_the_user_delegates(task: str, expected: bool) -> None:
    assert delegates(Context(task=task)) is expected


@pytest.mark.parametrize(
    ("task", "asks"),
    [("Book a table. Thanks a lot!", False), ("Book a table, thank you.", False), ("Thank Ida for the table.", True)],
)
def test_thanks_for_the_agent_ask_for_no_message(task: str, asks: bool) -> None:
    assert (MESSAGE in intents_in(task)) is asks


@pytest.mark.parametrize(
    ("task", "asked"),
    [
        ("Remind me to water the plants.", {BOOK}),
        ("Create a calendar entry, the place stands in her email.", {CREATE, BOOK}),
        ("Add her email address to the guests.", {ADMIT, CREATE}),
        ("Who is invited to the party?", {READ}),
        ("Which files did I share?", {READ}),
        ("Say yes to Lena.", {MESSAGE}),
        ("Quais ficheiros mudaram?", {READ}),
        ("Sammanfatta sidan.", {READ}),
        ("Streść wiadomość i wyślij ją Ewie.", {READ, MESSAGE}),
        ("Sayfayı özetle.", {READ}),
        ("Підсумуй сторінку.", {READ}),
        ("Tóm tắt trang.", {READ}),
        ("Rangkum halaman.", {READ}),
        ("解释一下这个函数", {READ}),
    ],
)
def test_what_a_user_asks_for(task: str, asked: set[str]) -> None:
    assert intents_in(task) == asked


def test_a_tool_may_have_to_write_umlauts_in_two_letters() -> None:
    assert PAY in intents_of("tool", "ueberweisung anlegen")
    assert DELETE in intents_of("tool", "datei loeschen")
    assert intents_of("tool", "queue status") == intents_of("tool", "line status")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Kim is to be added to the list.", ADMIT),
        ("All entries have to be deleted.", DELETE),
        ("Two seats must be booked.", BOOK),
    ],
)
def test_what_is_to_be_done_is_told_to_be_done(text: str, told: str) -> None:
    assert told in intents_ordered(text)
    assert told not in intents_in(text)


@pytest.mark.parametrize(
    ("task", "names"),
    [
        ("Ask Jan whether Friday is fine.", {"jan", "friday"}),
        ("Get the offer to Kessler before Monday evening. Then tell Ida.", {"kessler", "monday", "ida"}),
        ("Pay by IBAN. Nothing else.", set()),  # acronyms, and what begins a sentence
        ("Frag Jan, ob die Rechnung mit dem Angebot aus der Mail vom Freitag stimmt.", set()),  # nouns have capitals
    ],
)
def test_whom_a_task_names(task: str, names: set[str]) -> None:
    assert names_in(task) == names
