"""How a page is read; and what holds, without running it, of each page that begins at an empty home."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Ran
from tests.docs.pages import ROOT
from tests.journeys.pages import Block, blocks, promised_steps, sections

STARTS = sorted((ROOT / "docs" / "start").glob("*.md"))
PAGE = """\
Two of its 3 steps are here.

```sh
one | two  # of a pipeline
cat > x <<'END'
three
END
```

```text
first …
…
last
(exit code 1)
```

## Then

```yaml
# policy.yaml; a file
a: 1
```
"""


@pytest.fixture
def page(tmp_path: Path) -> dict[str, str]:
    file = tmp_path / "page.md"
    file.write_text(PAGE)
    return sections(file)


def test_commands_and_files_are_steps(page: dict[str, str]) -> None:
    (typed,), (saved,) = (list(blocks(text)) for text in page.values())
    assert typed.commands == ["one | two", "cat > x <<'END'\nthree\nEND"]
    assert (typed.file, typed.steps, typed.code) == ("", 2, 1)
    assert (saved.file, saved.commands, saved.steps, saved.code) == ("policy.yaml", [], 1, 0)
    assert promised_steps(page[""]) == 3


@pytest.mark.parametrize(
    ("output", "is_shown"),
    [
        ("first one\nlast", True),
        ("\nfirst one  \nsomething\n\nbetween\nlast\n", True),
        ("first one\nlast\nand more", False),
        ("before\nfirst one\nlast", False),
        ("first one\nlas", False),
        ("firstone\nlast", False),
        ("", False),
    ],
)
def test_what_a_page_shows_has_to_be_printed(page: dict[str, str], output: str, is_shown: bool) -> None:
    (typed,) = blocks(page[""])
    assert typed.prints(output) is is_shown


def test_calls_are_found_wherever_they_are() -> None:
    block = Block("sh", 'a | tool x "y z" > f\nuntil tool; do echo "$(tool -n 1)"; done  # tool\n', None)
    assert sorted(block.calls_of("tool")) == [[], ["-n", "1"], ["x", "y z"]]


def test_a_page_that_shows_nothing_expects_nothing() -> None:
    assert Block("sh", "one\n", None).prints("anything")


@pytest.mark.parametrize("start", STARTS, ids=lambda start: start.stem)
def test_a_page_that_begins_at_an_empty_home_counts_its_steps(start: Path) -> None:
    """The journey itself counts those of other pages, too."""
    found = sections(start)
    own = sum(block.steps for text in found.values() for block in blocks(text))
    assert 5 < own <= promised_steps(found[""]) <= own + 10


@pytest.mark.parametrize("start", STARTS, ids=lambda start: start.stem)
def test_every_command_of_ours_is_taken(start: Path, run: Callable[..., Ran]) -> None:
    """Its verb and its options, without running it: help is shown only where all of them are known."""
    found = [block for text in sections(start).values() for block in blocks(text)]
    calls = {tuple(words) for block in found for words in block.calls_of("supervisor")}
    assert len(calls) >= 5
    assert [words for words in sorted(calls) if run(*words, "--help").code != 0] == []


def test_a_journey_walks_through_each_of_them() -> None:
    walked = "".join(file.read_text() for file in Path(__file__).parent.glob("test_*.py"))
    assert len(STARTS) >= 4
    assert [start.name for start in STARTS if f'PAGE = "docs/start/{start.name}"' not in walked] == []
