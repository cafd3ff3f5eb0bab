"""What looks like a digit and is none that `int()` reads breaks nobody."""

import pytest

from supervisor.action import Action, Context
from supervisor.evidence.effects import effects
from supervisor.evidence.effects.files.permissions import gives_world_writing
from supervisor.evidence.prose.dates import dates_in
from supervisor.evidence.research.identifiers import _isbn
from supervisor.evidence.web.user_facts import _age
from supervisor.pointers import _at

DIGITS = ["²", "①", "²²²²", "1²", "9" * 5000]


@pytest.mark.parametrize("digits", DIGITS)
def test_no_reader_breaks(digits):
    gives_world_writing(digits)
    assert _at({"items": ["a"]}, f"/items/{digits}") is None
    assert _isbn("isbn", digits).fault
    assert _age({"age": digits}) in (None, float("inf"))
    dates_in(f"1 {digits} 2026, {digits}/{digits}/{digits}")
    for command in (f"patch -p{digits} < a.patch", f"chmod {digits} a", f"git apply -p{digits} a.patch"):
        assert effects(Action("bash", {"command": command}, "shell"), Context())
