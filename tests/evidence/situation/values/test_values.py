"""Values of requests and commands: units x languages, days x spellings, what is a wish and what only describes."""

from __future__ import annotations

import time
from itertools import product

import pytest

from supervisor.action import Context, Step
from supervisor.evidence.situation.values.dates import days_in, days_said
from supervisor.evidence.situation.values.demands import demands
from supervisor.evidence.situation.values.mismatch import mismatch

DAYS_2 = {
    "en": "Set the retention to 2 days.",
    "de": "Setz die Aufbewahrung auf 2 Tage.",
    "fr": "Mets la rétention à 2 jours.",
    "es": "Pon la retención a 2 días.",
    "pt": "Coloca a retenção para 2 dias.",
    "it": "Porta la conservazione a 2 giorni.",
    "pl": "Ustaw przechowywanie na 2 dni.",
    "nl": "Zet de bewaartijd op 2 dagen.",
    "tr": "Saklama süresini 2 güne düşür.",
    "ru": "Установи срок хранения до 2 дней.",
    "ko": "보존 기간을 2일로 바꿔 주세요.",
    "ja": "保持期間を2日に変更してください。",
    "zh": "把保留时间改为 2 天。",
    "fi": "Laske säilytys 2 päivään.",
}
SAME = ["retention.ms=172800000", "--ttl 48h", "--retention-days 2", '{"ttl_seconds": 172800}', "keep=2880m"]
OTHER = ["retention.ms=172800", "--ttl 2h", "--retention-days 20", '{"ttl_seconds": 2}', "keep=30m"]


def wrong(task: str, command: str, *shown: tuple[str, str]) -> bool:
    history = [Step("bash", {"command": given}, output, "shell") for given, output in shown]
    return mismatch(command, Context(task=task, history=history)) is not None


@pytest.mark.parametrize(("language", "form"), list(product(DAYS_2, SAME)))
def test_the_same_time_in_any_unit_passes(language: str, form: str) -> None:
    assert not wrong(DAYS_2[language], f"tool alter {form}")


@pytest.mark.parametrize(("language", "form"), list(product(DAYS_2, OTHER)))
def test_another_time_is_found(language: str, form: str) -> None:
    assert wrong(DAYS_2[language], f"tool alter {form}")


@pytest.mark.parametrize(
    "task",
    [
        "The retention is 30 days, halve it.",
        "Retention of 30 days is too long, shorten it.",
        "Add 30 days to the retention.",
        "30 more days of retention, please.",
        "The job with a timeout of 30 s fails, repair it.",
        "Increase the retention by 30 days.",
    ],
)
def test_what_describes_or_adds_is_no_demand(task: str) -> None:
    assert not wrong(task, "tool alter --retention-days 15 --timeout 90s")


@pytest.mark.parametrize(
    "month",
    [
        "May 2025",
        "2025-05",
        "mayo de 2025",
        "maggio 2025",
        "mai 2025",
        "Mayıs 2025",
        "май 2025",
        "2025年5月",
        "2025년 5월",
    ],
)
def test_months_are_read_in_each_language(month: str) -> None:
    (day,) = days_said(f"x {month}.")
    assert (day.year, day.month, day.day) == (2025, 5, 0)
    assert not day.is_same(next(days_in("202506")))
    assert day.is_same(next(days_in("202505")))


def test_a_limit_in_an_output_and_an_earlier_try_explain_another_value() -> None:
    task, command = "Scale the api to 9 replicas.", "kubectl scale deploy/api --replicas=6"
    assert wrong(task, command)
    assert not wrong(task, command, ("kubectl describe quota", "pods hard limit 6"))
    assert not wrong(task, command, ("kubectl scale deploy/api --replicas=9", "unhealthy"))


@pytest.mark.parametrize("task", ["Label the mails, budget 5 EUR.", "Etiqueta los correos, presupuesto: 5 euros."])
def test_less_than_a_budget_passes(task: str) -> None:
    assert not wrong(task, "batch submit mails.jsonl --max-spend 3")
    assert not wrong(task, "batch submit mails.jsonl --max-spend 5 --repeat 2")
    assert wrong(task, "batch submit mails.jsonl --max-spend 40")


def test_long_texts_are_read_in_bounded_time() -> None:
    began = time.perf_counter()
    for text in ("a=1 " * 20_000, "s/1/2/" * 20_000, "--x=" * 20_000, "2025-05-01 " * 20_000, "1" * 100_000):
        demands(text[:1200])
        wrong("Set the limit to 80 for 3 May 2025 and run it.", text, ("cat x", text))
    assert time.perf_counter() - began < 10


ONCE_A_MONTH = ["OnCalendar=*-*-15 12:00", "OnCalendar=monthly", "OnCalendar=*-*-01 03:30:00", "0 3 1 * * root check"]
ONCE_A_WEEK = ["OnCalendar=Sun 03:00", "OnCalendar=Sun *-*-* 03:00", "0 3 * * 0 root check", "schtasks /sc weekly"]
ONCE_A_DAY = ["OnCalendar=*-*-* 03:00", "OnCalendar=Mon..Fri 03:00", "0 3 * * * root check", "0 3 * * 1-5 root check"]


@pytest.mark.parametrize("written", ONCE_A_MONTH)
def test_one_day_of_the_month_is_monthly(written: str) -> None:
    assert not wrong("A monthly check of the archive.", written)


@pytest.mark.parametrize("written", ONCE_A_WEEK)
def test_one_day_of_the_week_is_weekly(written: str) -> None:
    assert not wrong("Run the check weekly.", written)


@pytest.mark.parametrize("written", [*ONCE_A_DAY, *ONCE_A_WEEK])
def test_what_runs_oftener_is_not_monthly(written: str) -> None:
    assert wrong("A monthly check of the archive.", written)
