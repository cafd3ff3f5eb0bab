from __future__ import annotations

import pytest

from supervisor.evidence.secrets.codes import MOST_READ, codes_in, possible_codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Your Lumen security code is 604318.", ["604318"]),
        ("604 318 is your verification code", ["604318"]),
        ("Use G-604318 as your sign-in code.", ["604318"]),
        ("OTP: 60-43-18", []),
        ("TAN: 7731", ["7731"]),
        ("Ihr Bestätigungscode: 604318", ["604318"]),
        ("604318 est votre code de vérification", ["604318"]),
        ("您的验证码: 604318", ["604318"]),
        ("認証コード：604318", ["604318"]),  # noqa: RUF001 a colon as it is written there
        ("Your booking code is 604318.", []),
        ("Never tell anybody your security code. Call 604318 instead.", []),
        ("The security code has 6 figures and came in 2026.", []),
        ("Order 604318 needs a code review", []),
    ],
)
def test_what_a_text_calls_a_one_time_code(text: str, codes: list[str]) -> None:
    assert codes_in(text) == codes


@pytest.mark.parametrize(
    ("text", "said"),
    [("604318", ["604318"]), ("604-318!", ["604318"]), ("in 2026", []), ("the code: 2026", ["2026"])],
)
def test_figures_that_may_be_one(text: str, said: list[str]) -> None:
    assert possible_codes(text) == said


def test_only_the_beginning_of_a_long_text_is_read() -> None:
    assert codes_in(" " * MOST_READ + "Your security code is 604318.") == []
