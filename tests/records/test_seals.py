"""Decisions that are signed together: each has a MAC when it is returned, and a seal covers it soon after."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from supervisor import Policy, Supervisor
from supervisor.policy import ApprovalPolicy, Records
from supervisor.policy.sections import Askable
from supervisor.records.envelope import Signer, open_signer, read_envelope
from supervisor.records.head import BLOCK, HEAD_BYTES
from supervisor.records.journal import Journal
from supervisor.records.keys import published_keys
from supervisor.records.located import located
from supervisor.records.marks import Mark, verified_after
from supervisor.records.seal import Sealer
from supervisor.records.statement import members_of, statement
from supervisor.records.verify import verify
from tests.records.journals import codes, segment, write


@pytest.fixture
def journal(tmp_path: Path, signer: Signer) -> Iterator[Journal]:
    with closing(unsealing(tmp_path / "records", signer)) as journal:
        yield journal


def unsealing(folder: Path, signer: Signer) -> Journal:
    """A journal that signs nothing together by itself: the test does, at a moment that it knows."""
    journal = Journal(folder, signer, seals=True)
    journal._sealer_of = lambda: None  # type: ignore[method-assign]
    return journal


def killed(journal: Journal) -> None:
    assert journal._segment is not None
    journal._segment.close()
    journal._segment = None


def key_ids(folder: Path) -> list[str]:
    lines = [line for path in sorted(folder.glob("*.jsonl")) for line in path.read_bytes().splitlines()]
    return [read_envelope(line)[1] for line in lines if line.startswith(b'{"payload"')]


def until(holds: Callable[[], bool]) -> bool:
    """Whether it comes to hold within ten seconds."""
    end = time.monotonic() + 10
    while not holds() and time.monotonic() < end:
        time.sleep(0.001)
    return holds()


def test_the_writer_signs_by_itself_what_it_has_written(tmp_path: Path, signer: Signer) -> None:
    with closing(Journal(tmp_path / "records", signer, seals=True)) as journal:
        write(journal, 3)
        assert until(lambda: verify(tmp_path / "records").problems == [])
    assert (codes(verify(tmp_path / "records")), verify(tmp_path / "records").unsigned) == (set(), 0)


def test_what_a_killed_writer_had_not_signed_only_the_key_proves(
    journal: Journal, tmp_path: Path, signer: Signer
) -> None:
    write(journal, 3)
    journal._renew_seal()
    write(journal, 2, 3)
    killed(journal)
    with_key, without = verify(tmp_path / "records", signer=signer), verify(tmp_path / "records")
    assert (codes(with_key), with_key.unsigned, with_key.records) == (set(), 2, 6)
    assert [note.code for note in with_key.notes] == ["not_signed_yet"]
    assert "its last 2 records have no signature" in with_key.notes[0].message
    assert codes(without) == {"not_signed_yet"}
    other = open_signer(tmp_path / "other.pem")
    assert codes(verify(tmp_path / "records", signer=other)) == {"not_signed_yet"}


def test_a_mac_is_wrong_where_it_stands(journal: Journal, tmp_path: Path, signer: Signer) -> None:
    """The chain alone would tell only that something before the next signature is wrong."""
    write(journal, 5)
    journal.close()
    path = segment(tmp_path / "records")
    lines = path.read_bytes().splitlines(keepends=True)
    at = [number for number, line in enumerate(lines) if b'"keyid":"mac:' in line][2]
    payload, key_id, _ = read_envelope(lines[at].rstrip(b"\n"))
    thief = Signer(open_signer(tmp_path / "other.pem").key, key_id.removeprefix("mac:"))
    lines[at] = thief.mac(payload) + b"\n"
    path.write_bytes(b"".join(lines))
    first = verify(tmp_path / "records", signer=signer).problems[0]
    assert (first.code, first.place) == ("bad_mac", f"{path.name}:{at + 1}")
    assert codes(verify(tmp_path / "records")) == {"chain_broken"}


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        ("approval", {}),
        ("pruned", {}),
        ("label", {}),
        ("decision", {"approval": {}}),
        ("decision", {"anchor": "0" * 64}),
    ],
)
def test_what_has_to_be_signed_itself_has_no_mac(
    journal: Journal, tmp_path: Path, signer: Signer, kind: str, more: dict[str, object]
) -> None:
    """Not even a true one: a reader without the key could not tell it from a made-up one."""
    write(journal, 2)
    journal._renew_seal()
    killed(journal)
    path = segment(tmp_path / "records")
    raw = path.read_bytes()
    place = {"sequence": 3, "prefix": hashlib.sha256(raw).hexdigest(), "time": datetime.now(UTC).isoformat(), **more}
    path.write_bytes(raw + signer.mac(statement(kind, "0" * 64, members_of(place))) + b"\n")
    assert "not_signed" in codes(verify(tmp_path / "records", signer=signer))


def test_each_is_signed_where_the_policy_says_so_or_where_it_waits_for_the_disk(tmp_path: Path) -> None:
    for number, settings_of in enumerate([{}, {"signatures": "each"}, {"durability": "sync"}]):
        folder = tmp_path / str(number)
        records = Records(str(folder), str(tmp_path / "key.pem"), **settings_of)  # type: ignore[arg-type]
        with closing(Supervisor(Policy(isolation="none", records=records))) as supervisor:
            supervisor.decide_from_thread(supervisor.action("bash", {"command": "git status"}))
        assert any(each.startswith("mac:") for each in key_ids(folder)) == (not settings_of)
        assert verify(folder).problems == []


def test_a_decision_that_asks_a_person_is_signed(tmp_path: Path) -> None:
    records, approval = (
        Records(str(tmp_path / "r"), str(tmp_path / "key.pem")),
        ApprovalPolicy(ask=(Askable(severities=("critical",)),)),
    )
    with closing(Supervisor(Policy(isolation="none", records=records, approval=approval))) as supervisor:
        decision = supervisor.decide_from_thread(supervisor.action("bash", {"command": "rm -rf /"}))
        assert decision.approval is not None
    assert all(not each.startswith("mac:") for each in key_ids(tmp_path / "r"))


def test_the_first_record_of_each_block_is_signed(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So at most a block less one record is unsigned, however busy the machine is."""
    monkeypatch.setattr("supervisor.records.segment.SEAL_SECONDS", 1e9)
    write(journal, 2 * BLOCK)
    signed = [number for number, each in enumerate(key_ids(tmp_path / "records")) if not each.startswith("mac:")]
    assert signed == [0, BLOCK, 2 * BLOCK]


def test_a_record_is_signed_if_an_earlier_one_has_waited_too_long(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("supervisor.records.segment.SEAL_SECONDS", 0)
    write(journal, 4)
    assert [each.startswith("mac:") for each in key_ids(tmp_path / "records")] == [False, True, False, True, False]


def test_readers_take_what_a_signature_covers(journal: Journal, tmp_path: Path, signer: Signer) -> None:
    folder = tmp_path / "records"
    addresses = write(journal, 2)
    journal._renew_seal()
    addresses += write(journal, 2, 2)
    killed(journal)
    keys, path = published_keys(folder)[0], segment(folder)
    read = [each.address for each in verified_after(path, keys, Mark())]
    assert read[1:] == addresses[:2]
    all_read = list(verified_after(path, keys, Mark(), {signer.key_id: signer.mac_key}))
    assert [each.address for each in all_read][1:] == addresses
    now = datetime.now(UTC)
    found = [located(folder, each, now) for each in addresses]
    assert [each.problem for each in found if each][:2] == ["", ""]
    assert all("no signature covers it" in each.problem for each in found[2:] if each)
    assert {each.key_id for each in found if each} == {signer.key_id}


def test_a_reader_waits_for_a_writer_that_is_about_to_sign(journal: Journal, tmp_path: Path) -> None:
    folder, released = tmp_path / "records", threading.Event()
    (address,) = write(journal, 1)

    def sign() -> None:
        released.wait()
        time.sleep(0.02)
        journal._renew_seal()

    for read in (
        lambda: [each.address for each in verified_after(segment(folder), published_keys(folder)[0], Mark())][1:],
        lambda: [] if verify(folder).problems else [address],
        lambda: [] if (found := located(folder, address, datetime.now(UTC))) is None or found.problem else [address],
    ):
        head = segment(folder).with_suffix(".head")
        head.write_bytes(head.read_bytes()[:HEAD_BYTES])  # the writer's own descriptor is of this file
        assert journal._segment is not None
        journal._segment.unsigned_since = time.monotonic()
        signing = threading.Thread(target=sign)
        signing.start()
        released.set()
        assert read() == [address]
        signing.join()


@given(st.lists(st.sampled_from(["decision", "label", "seal", "rotate"]), max_size=30))
@settings(max_examples=40, deadline=None)
def test_what_is_unsigned_is_what_came_after_the_last_signature(
    tmp_path_factory: pytest.TempPathFactory, events: list[str]
) -> None:
    """The model: a number that a decision raises, and that anything signed sets to zero."""
    home = tmp_path_factory.mktemp("model")
    signer = open_signer(home / "key.pem")
    journal, unsigned, begun = unsealing(home / "records", signer), 0, False
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("supervisor.records.segment.SEAL_SECONDS", 1e9)
        for number, event in enumerate(events):
            if event == "seal":
                journal._renew_seal()
                unsigned = 0
            elif event == "rotate":
                journal.close()
                unsigned = 0
            else:
                journal.append(event, {"number": number, "record": "0" * 64}, "0" * 64)
                unsigned, begun = unsigned + 1 if event == "decision" else 0, True
    if not begun:
        return
    if journal._segment is not None:
        killed(journal)
    report = verify(home / "records", signer=signer)
    assert report.unsigned == unsigned
    assert ("not_signed_yet" in codes(verify(home / "records"))) == (unsigned > 0)


def test_the_sealers_thread_ends_with_its_owner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("supervisor.records.seal._IDLE_SECONDS", 0.01)

    class Owner:
        def seal(self) -> None:
            sealed.set()

    sealed, owner = threading.Event(), Owner()
    sealer = Sealer(owner.seal)
    sealer.due()
    assert sealed.wait(10)
    thread = sealer._thread
    assert thread is not None
    del owner
    thread.join(10)
    assert not thread.is_alive()


def test_the_line_is_still_a_dsse_envelope(journal: Journal, tmp_path: Path) -> None:
    write(journal, 1)
    line = segment(tmp_path / "records").read_bytes().splitlines()[-1]
    envelope = orjson.loads(line)
    assert list(envelope) == ["payload", "payloadType", "signatures"]
    assert envelope["signatures"][0]["keyid"].startswith("mac:")
