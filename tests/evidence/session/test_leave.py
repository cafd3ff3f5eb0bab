# ruff: noqa: E501, RUF001 - a scene that is broken over lines reads worse; every script has its own letters
"""Questions that only ask for leave, and their twins that have a reason, in many languages and the forms of all hosts."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.evidence.session.leave import MOST_READ, Asked, asked, needless
from supervisor.intake.parsing import shaped

# The task, the same work gone on with, a choice about it, and something that stands against it.
TONGUES = {
    "en": ("Translate the nine pages.", "Shall I continue with the remaining pages?", "Which page should I translate next?", "The file is missing a page. Shall I continue?"),
    "de": ("Übersetze die neun Seiten.", "Soll ich mit den übrigen Seiten weitermachen?", "Welche Seite soll ich als nächste übersetzen?", "Eine Seite fehlt. Soll ich weitermachen?"),
    "fr": ("Traduis les neuf pages.", "Est-ce que je continue avec les pages restantes ?", "Quelle page dois-je traduire ensuite ?", "Une page manque. Est-ce que je continue ?"),
    "es": ("Traduce las nueve páginas.", "¿Quiere que siga con las páginas restantes?", "¿Qué página debo traducir ahora?", "Falta una página. ¿Quiere que siga?"),
    "pt": ("Traduza as nove páginas.", "Posso continuar com as páginas restantes?", "Qual página devo traduzir agora?", "Falta uma página. Posso continuar?"),
    "it": ("Traduci le nove pagine.", "Vuoi che continui con le pagine restanti?", "Quale pagina devo tradurre adesso?", "Manca una pagina. Vuoi che continui?"),
    "nl": ("Vertaal de negen pagina's.", "Zal ik doorgaan met de overige pagina's?", "Welke pagina moet ik nu vertalen?", "Er ontbreekt een pagina. Zal ik doorgaan?"),
    "sv": ("Översätt de nio sidorna.", "Ska jag fortsätta med de övriga sidorna?", "Vilken sida ska jag översätta nu?", "Det saknas en sida. Ska jag fortsätta?"),
    "da": ("Oversæt de ni sider.", "Skal jeg fortsætte med resten af siderne?", "Hvilken side skal jeg oversætte nu?", "Der mangler en side. Skal jeg fortsætte?"),
    "fi": ("Käännä yhdeksän sivua.", "Voinko jatkaa muilla sivuilla?", "Minkä sivun voinko kääntää nyt, vai kumman?", "Sivu puuttuu. Voinko jatkaa?"),
    "pl": ("Przetłumacz dziewięć stron.", "Czy mam kontynuować z pozostałymi stronami?", "Którą stronę mam teraz przetłumaczyć?", "Brakuje strony. Czy mam kontynuować?"),
    "ru": ("Переведи девять страниц.", "Мне продолжить с остальными страницами?", "Какую страницу мне переводить дальше?", "Одной страницы нет. Мне продолжить?"),
    "tr": ("Dokuz sayfayı çevir.", "Kalan sayfalarla devam edeyim mi?", "Şimdi hangi sayfayı çevireyim mi, ya da?", "Bir sayfa yok. Devam edeyim mi?"),
    "ja": ("九ページを翻訳してください。", "残りのページの翻訳を続けてもよろしいでしょうか？", "次にどのページを翻訳してよろしいでしょうか？", "ページが一枚不足しています。続けてもよろしいでしょうか？"),
    "zh": ("把九页都翻译出来。", "可以继续翻译剩下的页面吗？", "接下来要我翻译哪一页？", "缺了一页。可以继续吗？"),
    "ko": ("아홉 페이지를 모두 번역해 주세요.", "나머지 페이지 번역을 계속할까요?", "다음에는 어느 페이지를 번역할까요?", "한 페이지가 없습니다. 계속할까요?"),
}  # fmt: skip


def is_needless(text: str, task: str, options: tuple[str, ...] = (), shown: str = "") -> bool:
    return needless(Asked(text, options), task, shown) != ""


@pytest.mark.parametrize("tongue", TONGUES)
def test_leave_is_told_from_a_choice_and_from_an_obstacle_in_every_language(tongue: str) -> None:
    task, leave, choice, obstacle = TONGUES[tongue]
    assert is_needless(leave, task)
    assert is_needless(f"**3/9**\n\n{leave}", task)
    assert not is_needless(choice, task)
    assert not is_needless(obstacle, task)


def test_to_stop_is_no_alternative_and_another_way_is() -> None:
    task = "Translate the nine pages."
    assert is_needless("Shall I go on with page 4, or stop here?", task)
    assert not is_needless("Shall I go on with page 4 or with page 5?", task)
    assert is_needless("Shall I go on?", task, ("Go on", "Stop here"))
    assert not is_needless("Shall I go on?", task, ("With page 4", "With page 5"))
    assert not is_needless("Shall I go on?", task, ("With page 4", "With page 5", "Stop"))


@pytest.mark.parametrize(
    ("act", "task"),
    [
        ("delete the old dumps", "Find out which old dumps take most room."),
        ("send the letter to all members", "Write a letter to all members."),
        ("push to main", "Fix the rounding, and commit it."),
        ("place the order", "Compare the prices of two chairs."),
        ("deploy it to production", "Run the tests of the release."),
        ("restart the server", "Find out why the server is slow."),
        ("cancel the subscription", "List my subscriptions."),
    ],
)
def test_what_cannot_be_undone_may_be_asked_unless_the_task_names_it(act: str, task: str) -> None:
    assert not is_needless(f"Shall I {act} now?", task)
    assert is_needless(f"Shall I {act} now?", f"{act.capitalize()}.")
    assert not is_needless(f"Shall I {act} now?", f"{act.capitalize()}, but ask me first.")
    assert not is_needless(f"Shall I {act} now?", f"{act.capitalize()}.", shown="1 record is different from the list")


def test_an_amount_is_within_the_tasks_bound_or_worth_asking_about() -> None:
    task = "Order two chairs, 120 EUR at most."
    assert is_needless("The chairs cost 119.90 EUR. Shall I place the order?", task)
    assert not is_needless("The chairs cost 1.199,00 EUR. Shall I place the order?", task)
    assert not is_needless("The chairs cost 119.90 EUR. Shall I place the order?", "Order two chairs.")


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("ask_user", {"question": "Shall I go on?"}),
        ("ask_human", {"message": "Shall I go on?"}),
        ("human_assistance", {"query": "Shall I go on?"}),
        ("AskUserQuestion", {"questions": [{"question": "Shall I go on?", "options": [{"label": "Yes"}, {"label": "No"}]}]}),
        ("request_user_input", {"questions": [{"id": "a", "question": "Shall I go on?", "options": [{"label": "Yes"}, {"label": "No"}]}]}),
        ("ask_followup_question", {"question": "Shall I go on?", "follow_up": ["Yes", "No"]}),
        ("ask_followup_question", {"question": "Shall I go on?", "options": ["Yes", "No"]}),
    ],
)  # fmt: skip
def test_the_forms_of_all_hosts_are_read(tool: str, args: dict[str, Any]) -> None:
    action = shaped(tool, args, None, {})
    assert action.kind == "ask_user"
    question = asked(action)
    assert question.text == "Shall I go on?"
    assert question.options in ((), ("Yes", "No"))
    assert needless(question, "Translate the nine pages.")


VALUES = st.recursive(
    st.none() | st.booleans() | st.text(max_size=20) | st.integers(),
    lambda each: st.lists(each, max_size=4) | st.dictionaries(st.sampled_from(["question", "options", "label", "text", "x"]), each, max_size=4),
    max_leaves=20,
)  # fmt: skip


@given(VALUES, VALUES, st.text(max_size=80))
def test_any_value_is_read_and_whatever_is_said_is_in_the_question(question: Any, options: Any, task: str) -> None:
    found = asked(shaped("ask_user", {"question": question, "options": options}, None, {}))
    assert all(isinstance(each, str) for each in found.options)
    assert needless(found, task) == "" or found.text


def test_a_report_is_not_read_as_a_bare_question() -> None:
    assert not is_needless("Done. " * MOST_READ + "Shall I go on?", "Translate the nine pages.")
