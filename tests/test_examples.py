"""The examples hold: the shop's entries are complete, and its policy judges as its page says."""

from __future__ import annotations

import importlib.util
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from supervisor.action import Context
from supervisor.engine.supervisor import Supervisor
from supervisor.policy import read_policy
from tests.docs.pages import BLOCK, run_command

SHOP = Path(__file__).parents[1] / "examples" / "shop"
INES = {"authenticated_client": "K-17"}
SAID_YES = [
    {"role": "user", "content": "Please do that"},
    {"role": "assistant", "content": "Shall I?"},
    {"role": "user", "content": "Yes"},
]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Supervisor]:
    """The example's own folder, with a database beside its policy, judged in this process."""
    folder = tmp_path_factory.mktemp("shop") / "shop"
    shutil.copytree(SHOP, folder, ignore=shutil.ignore_patterns("*.db", "__pycache__"))
    found = importlib.util.spec_from_file_location("make_database", folder / "make_database.py")
    assert found
    assert found.loader
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    module.make(folder / "shop.db")
    opened = Supervisor(replace(read_policy(folder / "policy.yaml"), isolation="none"))
    yield opened
    opened.close()


def stopped_by(shop: Supervisor, tool: str, said: list[dict[str, str]] | None = None, **args: Any) -> list[str]:
    decision = shop.decide_from_thread(
        shop.action(tool, args), Context(facts={**INES, "conversation": said or SAID_YES})
    )
    return [name for name, finding in decision.findings if finding.verdict.stops]


@pytest.mark.parametrize(
    ("tool", "args", "stops"),
    [
        ("storno", {"purchase_no": "P-1", "reason": "Ordered twice"}, []),
        ("storno", {"purchase_no": "P-1", "reason": "cheaper elsewhere"}, ["cancelled_for_another_reason"]),
        ("storno", {"purchase_no": "P-2", "reason": "ordered twice"}, ["record_in_wrong_state"]),
        ("storno", {"purchase_no": "P-3", "reason": "ordered twice"}, ["another_customers_record"]),
        ("give_money_back", {"purchase_no": "P-2", "sum_cents": 6800}, []),
        ("give_money_back", {"purchase_no": "P-2", "sum_cents": 6801}, ["refund_exceeds_payment"]),
        ("swap_articles", {"purchase_no": "P-2", "article_nos": ["L-100"], "new_article_nos": ["L-101"]}, []),
        (
            "swap_articles",
            {"purchase_no": "P-2", "article_nos": ["L-100"], "new_article_nos": ["L-200"]},
            ["exchanged_for_another_line"],
        ),
        (
            "take_back",
            {"purchase_no": "P-2", "wallet_token": "card-18"},
            ["refund_to_other_instrument", "returned_too_late"],
        ),
        ("show_purchase", {"purchase_no": "P-2"}, []),
    ],
)
def test_the_shop_judges(shop: Supervisor, tool: str, args: dict[str, Any], stops: list[str]) -> None:
    assert sorted(stopped_by(shop, tool, **args)) == stops


def test_the_client_has_to_say_yes(shop: Supervisor) -> None:
    asked = [{"role": "user", "content": "What would it cost?"}]
    assert stopped_by(shop, "storno", asked, purchase_no="P-1", reason="ordered twice") == ["confirmation_missing"]


def test_what_comes_with_the_action_does_where_the_database_cannot_be_asked(tmp_path: Path) -> None:
    shutil.copytree(SHOP, tmp_path / "shop", ignore=shutil.ignore_patterns("*.db"))
    shop = Supervisor(replace(read_policy(tmp_path / "shop" / "policy.yaml"), isolation="none"))
    told = {"purchase_no": "P-3", "client_no": "K-18", "phase": "open"}
    context = Context(facts={**INES, "conversation": SAID_YES, "purchase": [told]})
    action = shop.action("swap_articles", {"article_nos": ["L-1"], "new_article_nos": ["L-2"], "purchase_no": "P-3"})
    stopping = {name for name, finding in shop.decide_from_thread(action, context).findings if finding.verdict.stops}
    shop.close()
    assert stopping == {"another_customers_record", "record_in_wrong_state"}


@pytest.mark.thorough
@pytest.mark.parametrize("example", sorted(SHOP.parent.iterdir()), ids=lambda example: example.name)
def test_the_commands_of_an_examples_page_run(example: Path, tmp_path: Path) -> None:
    folder = tmp_path / example.name
    shutil.copytree(example, folder, ignore=shutil.ignore_patterns("*.db", "__pycache__"))
    for kind, text in BLOCK.findall((example / "README.md").read_text()):
        assert kind == "sh"
        run_command(["bash", "-euo", "pipefail", "-c", text], folder, seconds=600)  # a checkout needs two executors


def test_its_page_shows_what_there_is() -> None:
    page = (SHOP / "README.md").read_text()
    entries = sorted(path.stem for path in SHOP.glob("taxonomy/*/*.yaml"))
    assert sorted(re.findall(r"^\| \[(\w+)\]", page, re.MULTILINE)) == entries
    assert len(page.splitlines()) <= 45
