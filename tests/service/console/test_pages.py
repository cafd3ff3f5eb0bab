"""Sessions, measures, approvals and live decisions, as a person's browser asks for them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from supervisor import Guard, Supervisor
from supervisor.policy import read_policy
from supervisor.records.envelope import open_signer
from supervisor.records.verify import verify
from supervisor.service.console import live, measures
from supervisor.service.console.plots import Plot
from tests.conftest import TinyTaxonomy
from tests.feedback.journals import Machine, lost
from tests.service.console.people import Console, Person
from tests.service.console.test_gate import EVIL, tags


class Deployed:
    """A guard whose records are real, and the console of them."""

    def __init__(self, tiny: TinyTaxonomy, folder: Path) -> None:
        asked = {"ask": [{"verdicts": ["block"]}], "wait": 0}
        records = {"path": str(folder / "records"), "key": str(folder / "key.pem")}
        self.policy = read_policy(tiny.set_policy(approval=asked, records=records, isolation="none"))
        self.guard = Guard(Supervisor(self.policy))
        self.guard.check("bash", {"command": "ls"})
        self.machine = Machine.__new__(Machine)
        self.machine.records, self.machine.signer = folder / "records", open_signer(folder / "key.pem")
        self.console = Console(self.machine, self.policy)

    def check(self, command: str) -> Any:
        decision = self.guard.check("bash", {"command": command})
        self.console.refresh()
        return decision

    def close(self) -> None:
        self.guard.supervisor.close()
        self.console.close()


@pytest.fixture
def deployed(tiny: TinyTaxonomy, tmp_path: Path) -> Iterator[Deployed]:
    made = Deployed(tiny, tmp_path)
    yield made
    made.close()


def test_a_person_approves_exactly_this_once(deployed: Deployed) -> None:
    asked = deployed.check("touch block")
    assert asked.approval.state == "asked"
    ann = deployed.console.person()
    page = ann.get("/approvals")
    assert "1 action waits for approval" in page
    assert "touch block" in page
    ann.post(f"/approvals/{asked.approval.name}", answer="approved", note="mine")
    assert "0 actions wait" in ann.get("/approvals?told=approved")
    assert "It is approved." in ann.page
    assert deployed.check("touch block").allowed
    assert not deployed.check("touch block").allowed
    assert "approved, ann" in ann.get(f"/record/{asked.record}")
    deployed.close()
    assert verify(deployed.machine.records).problems == []


def test_a_person_denies_and_the_first_answer_counts(deployed: Deployed) -> None:
    asked = deployed.check("touch block")
    ann, ben = deployed.console.person("ann"), deployed.console.person("ben")
    page = ann.get("/approvals")
    ann.post(f"/approvals/{asked.approval.name}", answer="denied", note="open a pull request")
    assert "denied already, by ann" in ben.post(f"/approvals/{asked.approval.name}", 409, answer="approved").text
    again = deployed.check("touch block")
    assert (again.allowed, again.approval.state, again.approval.note) == (False, "denied", "open a pull request")
    assert "touch block" in page


@pytest.mark.parametrize(("answer", "status"), [("", 400), ("asked", 400), ("approved", 409)])
def test_no_answer_is_made_up(deployed: Deployed, answer: str, status: int) -> None:
    deployed.check("touch block")
    deployed.console.person().post(f"/approvals/{'f' * 64}", status, answer=answer)
    assert not deployed.check("touch block").allowed


def test_a_decision_is_run_again(deployed: Deployed, tiny: TinyTaxonomy) -> None:
    record = deployed.check("touch nudge").record
    ann = deployed.console.person()
    page = ann.get(f"/record/{record}")
    assert "It verifies:" in page
    assert "3 specialists were asked" in page
    assert "It comes out the same." in ann.post(f"/record/{record}/replay", 200).text
    specialist = tiny.specialist("files/touches_nudge")
    specialist.write_text(specialist.read_text().replace("touch nudge", "touch another"))
    entry = tiny.entry("files/touches_nudge")
    entry.write_text(entry.read_text().replace("touch nudge", "touch another"))
    deployed.console.close()
    other = Console(deployed.machine, deployed.policy)
    text = other.person().post(f"/record/{record}/replay", 200).text
    other.close()
    assert "It comes out otherwise" in text
    assert "its version changed" in text


def test_a_changed_record_is_said_to_be_changed_and_is_not_run(deployed: Deployed) -> None:
    record = deployed.check("touch nudge").record
    (path,) = deployed.machine.records.glob("*.jsonl")
    lines = path.read_bytes().splitlines(keepends=True)
    place = next(number for number, line in enumerate(lines) if b'"task"' in line)
    path.write_bytes(
        b"".join([*lines[:place], lines[place].replace(b'"task":null', b'"task":"x"'), *lines[place + 1 :]])
    )
    ann = deployed.console.person()
    page = ann.get(f"/record/{record}")
    assert "It does not verify" in page
    assert "It comes out" not in ann.post(f"/record/{record}/replay", 200).text


def test_sessions_lead_to_their_decisions(machine: Machine, console: Console) -> None:
    record = machine.decide(session="release/1 <b>")
    machine.decide("ls", verdict="ok", session="other", minute=1)
    console.refresh()
    ann = console.person()
    page = ann.get("/sessions")
    assert "release/1 &lt;b&gt;" in page
    assert "/session?name=release/1%20%3Cb%3E" in page
    assert f"/record/{record}" in ann.get("/session?name=release/1%20%3Cb%3E")
    ann.get("/session?name=none", 404)


def test_all_records_are_verified_on_demand(machine: Machine, console: Console) -> None:
    machine.decide()
    console.refresh()
    ann = console.person()
    assert "All records hold" in ann.post("/verify", 200).text
    (path,) = machine.records.glob("*.jsonl")
    path.write_bytes(path.read_bytes()[:-40])
    assert "problem" in ann.post("/verify", 200).text
    assert "torn_line" in ann.post("/verify", 200).text


def test_measures_are_those_of_labels(machine: Machine, console: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measures, "datetime", Clock)
    records = [machine.decide(f"touch {number} block", minute=number, losses=[lost()]) for number in range(5)]
    missed = machine.decide("cat x", verdict="flag", specialist="another", minute=6)
    for record in records[:3]:
        machine.label(record, "right")
    machine.label(records[3], "wrong")
    quiet = machine.decide("echo", verdict="ok", minute=7)
    machine.label(quiet, "should_have_been", verdict="block", entry="touches_block")
    console.refresh()
    ann = console.person()
    page = ann.get("/taxonomy")
    row = page.partition("/taxonomy/touches_block")[2].partition("</tr>")[0]
    assert [cell.partition("<")[0] for cell in row.split('class="number">')[1:]][:5] == ["5", "80%", "75%", "1", "75%"]
    page = ann.get("/taxonomy/touches_block")
    for told in ("2026-W45", "Precision 75%, recall 75%", "It is not in force.", "Findings", records[4]):
        assert told in page
    ann.get("/taxonomy/asks_database", 404)
    assert missed in ann.get("/taxonomy/another")
    assert "force_push_to_shared_branch" in ann.get("/taxonomy")
    assert "cases: " in ann.get("/taxonomy/force_push_to_shared_branch")
    ann.get("/taxonomy/..%2f..%2fetc%2fpasswd", 404)


def test_each_measure_of_a_specialist_is_plotted_by_week(
    machine: Machine, console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measures, "datetime", Clock)
    week = 7 * 24 * 60
    loss = [lost("touches_block")]
    first = [machine.decide(f"touch {number} block", minute=number, losses=loss) for number in range(3)]
    later = machine.decide("touch 9 block", minute=week, session="s2")
    machine.decide("touch 9", verdict="ok", minute=week + 1, session="s2")  # the agent goes on without the objection
    machine.label(first[0], "right", minute=week)
    machine.label(first[1], "wrong", minute=week)
    machine.label(later, "wrong", minute=week + 2)
    machine.label(
        machine.decide("cp x", verdict="ok"), "should_have_been", verdict="block", entry="touches_block", minute=week
    )
    machine.label(machine.decide("mv x", verdict="ok"), "should_have_been", verdict="flag", minute=week)
    console.refresh()
    ann = console.person()
    page = ann.get("/taxonomy/touches_block")
    plotted = dict(re.findall(r'<figcaption id="[^"]*">([^<]*)</figcaption>.*?<desc[^>]*>([^<]*)</desc>', page, re.S))
    assert plotted == {
        "Findings": "2026-W45 3, 2026-W46 1",
        "Judged, of its findings": "2026-W45 67%, 2026-W46 100%",
        "Precision, of what people judged": "2026-W45 50%, 2026-W46 0%",
        "Recall, of what people call its own": "2026-W45 50%",
        "Nudges and blocks that were heeded": "2026-W45 0%, 2026-W46 100%",
        "Latency (ms)": "median 2026-W45 2.0, 2026-W46 2.0; 99th percentile 2026-W45 2.0, 2026-W46 2.0",
        "Refusals": "2026-W45 3, 2026-W46 0",
    }
    page = ann.get("/taxonomy")
    row = page.partition("/taxonomy/touches_block")[2].partition("</tr>")[0]
    cells = [cell.partition("<")[0] for cell in row.split('class="number">')[1:]]
    assert cells[:6] == ["4", "75%", "33%", "1", "50%", "100%"]
    assert cells[8] == "3"
    assert row.count('<svg class="spark"') == len(plotted)
    assert "1 more action that people would have stopped or flagged is of no failure mode that they name." in page


def test_the_agreement_of_two_people_is_shown(machine: Machine, console: Console) -> None:
    records = [machine.decide(f"touch {number} block", minute=number) for number in range(4)]
    for record, ben in zip(records, ("right", "right", "wrong", "wrong"), strict=True):
        machine.label(record, "right" if record != records[3] else "wrong", by="ann")
        machine.label(record, ben, by="ben")
    machine.label(records[0], "right", by="eve", entry="touches_block")
    console.refresh()
    page = console.person().get("/taxonomy")
    (row,) = [row for row in page.split("<tr>") if "ann, ben" in row]
    assert [cell.partition("<")[0] for cell in row.split('class="number">')[1:]] == ["4", "75%", "0.50"]
    assert ", eve" not in page


class Clock(datetime):
    @classmethod
    def now(cls, tz: Any = None) -> Clock:
        return cls(2026, 11, 10, tzinfo=UTC)


def test_what_an_agent_writes_stays_text_on_these_pages(machine: Machine, console: Console) -> None:
    def pages(text: str, number: int) -> dict[str, Any]:
        machine.decide(f"{text} block", session=text, agent=text, specialist=text, minute=number, action={"tool": text})
        console.refresh()
        ann = console.person()
        from urllib.parse import quote

        found = {
            path: tags(ann.get(path)) for path in (f"/session?name={quote(text)}", f"/taxonomy/{quote(text, safe='')}")
        }
        shared = [tag for path in ("/sessions", "/taxonomy", "/live") for tag in tags(ann.get(path))]
        return {"own": list(found.values()), "images": [tag for tag, _ in shared if tag in ("img", "b", "script")]}

    assert pages("plain", 1) == pages(EVIL.replace("/", ""), 2)


def test_live_pages_show_what_comes(machine: Machine, console: Console) -> None:
    first = machine.decide(minute=1)
    console.refresh()
    ann = console.person()
    assert first in ann.get("/live")
    later = machine.decide(f"touch {EVIL}", minute=2)

    async def read() -> list[str]:
        visit = console_visit(ann)
        events = live._events(console.desk, visit, live._looking(console.desk, visit))
        told = [await anext(events)]
        await asyncio.to_thread(console.refresh)
        told.append(await anext(events))
        visit.is_closed = True
        told += [each async for each in events]
        return told

    opened, event = asyncio.run(read())
    assert opened.startswith(":")
    assert event.startswith("data: <li>")
    assert event.endswith("\n\n")
    assert later in event
    assert "<img" not in event
    assert console.desk.streams == 0


def test_live_pages_are_few(machine: Machine, console: Console) -> None:
    machine.decide()
    console.refresh()
    console.desk.streams = live._MOST
    console.person().get("/live/stream", 503)


def console_visit(person: Person) -> Any:
    from supervisor.service.console.visits import Visit

    return Visit("ann", room=person.base.removeprefix("/r/"))


def test_a_plot_is_within_its_frame_and_says_what_it_shows() -> None:
    weeks = [f"2026-W{number}" for number in range(40, 46)]
    plot = Plot("Latency", weeks, [1, None, 2, 4, None, None], [2, 2, 2, 2, None, 8], ("a", "b"), form="{:.1f}")
    assert plot.greatest == 8
    assert all(0 <= x <= 320 and 0 <= y <= 120 for _, _, points in plot.lines for x, y in points)
    assert [len(runs) for _, runs, _ in plot.lines] == [1, 1]
    assert plot.summary.startswith("a 2026-W40 1.0, 2026-W42 2.0")
    assert Plot("Nothing", weeks, [None] * 6).is_empty
    assert Plot("Nothing", weeks, [0, None] * 3, are_bars=True).is_empty
    assert not Plot("A share of nothing is drawn", weeks, [0, None] * 3).is_empty
    bars = Plot("Findings", weeks, [0, None, 3, 1, None, 6], are_bars=True).bars
    assert [bar.told for bar in bars] == ["2026-W42: 3", "2026-W43: 1", "2026-W45: 6"]
    assert all(0 < bar.height <= 120 and bar.y + bar.height == 100 for bar in bars)
