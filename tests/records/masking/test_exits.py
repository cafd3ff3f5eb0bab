"""A marked secret that goes through a whole deployment, in by each way, stands in no byte that it writes or says."""

from __future__ import annotations

import contextlib
import logging
import os
import random
import sqlite3
import string
import urllib.parse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from supervisor.action import Action, Context, Step
from supervisor.adapters.function.guard import Guard
from supervisor.engine.remote.client import Remote
from supervisor.engine.session import Session
from supervisor.engine.supervisor import Supervisor
from supervisor.errors import SupervisorError
from supervisor.policy import ApprovalPolicy, DoorPolicy, Policy, Records
from supervisor.policy.doors import DatabaseDoor, HttpDoor
from supervisor.policy.sections import Askable, Budgets, TelemetryPolicy
from supervisor.specialist import Opinion, block, nudge, ok, specialist
from tests.catalog.catalogs import catalog_of
from tests.doors.loopback import send, serving
from tests.engine.test_telemetry import heard  # noqa: F401 - a fixture

FORMS = {
    "environment": "export DB_PASSWORD={}",
    "option": "mysql -uroot -p{} app",
    "header": "curl -H 'X-Api-Key: {}' https://example.org/",
    "connection": "psql postgres://app:{}@db.internal/app",
    "prose": "The password is {}.",
}
ASK = ApprovalPolicy(ask=(Askable(("nudge", "block"), ("stops_and_tells", "corrects_and_tells")),))


_PATIENT = 60_000  # ms: who answers too late says nothing, and that is not what is asked here


class Secrets:
    """Random secrets, one for each way in, and what they were called."""

    def __init__(self, form: str) -> None:
        self._form, self.known = form, dict[str, str]()

    def said(self, way: str) -> str:
        """A text that holds the secret of this way in."""
        made = random.Random(f"{self._form} {way}").choices(string.ascii_letters + string.digits, k=20)
        self.known[way] = "".join(made)
        return FORMS[self._form].format(self.known[way])

    def left_in(self, told: bytes | str) -> list[str]:
        raw = told.encode("utf-8", "surrogatepass") if isinstance(told, str) else told
        return [way for way, secret in self.known.items() if secret.encode() in raw]


@pytest.fixture(params=FORMS)
def secrets(request: pytest.FixtureRequest) -> Secrets:
    return Secrets(request.param)


def _all_known(action: Action, context: Context) -> str:
    past = [(step.tool, step.args, step.output) for step in context.history]
    return repr((action.tool, action.args, context.task, context.agent, context.session, context.facts, past))


@specialist("shell")
def stops_and_tells(action: Action, context: Context) -> Opinion:
    told = _all_known(action, context)
    return block(told, evidence=(told,)) if "stop" in action.args else ok()


@specialist("shell")
def corrects_and_tells(action: Action, context: Context) -> Opinion:
    told = _all_known(action, context)
    return nudge(told, correction=f"Instead of {told}, ask.") if "correct" in action.args else ok()


@specialist("shell")
def breaks_and_tells(action: Action, context: Context) -> Opinion:
    if "break" in action.args:
        raise ValueError(_all_known(action, context))
    return ok()


@specialist("http")
async def asks_and_tells(action: Action, context: Context) -> Opinion:
    rows = await context.query("SELECT note FROM notes")
    page = await context.fetch(action.text("url"))
    return block(f"row {rows} page {page}")


@specialist("shell")
def tells_afterwards(action: Action, context: Context) -> Opinion:
    return nudge(f"It said {context.ran}", correction="Say less.")


CATALOG = catalog_of(stops_and_tells, corrects_and_tells, breaks_and_tells, asks_and_tells, after=[tells_afterwards])


@pytest.fixture
def opened(tmp_path: Path, secrets: Secrets) -> Iterator[Callable[..., Supervisor]]:
    with contextlib.closing(sqlite3.connect(tmp_path / "own.db")) as database:
        database.execute("CREATE TABLE notes (note TEXT)")
        database.execute("INSERT INTO notes VALUES (?)", [secrets.said("a row")])
        database.commit()
    engines: list[Supervisor] = []

    def opening(**changed: Any) -> Supervisor:
        records = Records(str(tmp_path / "records"), str(tmp_path / "key.pem"))
        doors = DoorPolicy(
            DatabaseDoor(f"sqlite:///{tmp_path}/own.db", _PATIENT), HttpDoor(("127.0.0.1",), timeout_ms=_PATIENT)
        )
        usual = {"records": records, "doors": doors, "isolation": "none", "budgets": Budgets(_PATIENT, _PATIENT)}
        engines.append(Supervisor(Policy(**usual | changed), catalog=CATALOG))
        return engines[-1]

    yield opening
    for engine in engines:
        engine.close()


def _proposed(secrets: Secrets, engine: Supervisor, what: str = "stop") -> tuple[Action, Context]:
    action = engine.action("bash", {"command": secrets.said("an argument"), what: True})
    step = Step("bash", {"command": secrets.said("a step's argument")}, secrets.said("a step's output"))
    facts = {"cwd": "/w", "note": secrets.said("a fact"), "held": {"list": [secrets.said("a fact within")]}}
    known = (secrets.said("a task"), [step], facts, secrets.said("an agent"), secrets.said("a session"))
    return action, Context(*known)


def _written(folder: Path) -> bytes:
    return b"\n".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


def test_no_record_and_no_answer_tells_a_secret(secrets, opened, tmp_path, run, caplog, heard):  # noqa: F811
    caplog.set_level(logging.DEBUG)
    engine = opened(telemetry=TelemetryPolicy(enabled=True, arguments=True))
    told: list[str] = []
    for what in ("stop", "correct", "break", "nothing"):
        action, context = _proposed(secrets, engine, what)
        decision = engine.decide_from_thread(action, context)
        told += [repr(decision), decision.message(), repr(decision.to_json())]
    session = Session(secrets.said("a session's name"), task=secrets.said("a session's task"))
    ran = engine.observe(session, action, {"stdout": secrets.said("an output"), "lines": [secrets.said("a line")]})
    told += [repr(ran), repr(session.context().history)]
    told.append(repr(engine.observe(None, action, secrets.said("an error"), failed=True, context=context)))
    engine.remember(session, action, secrets.said("what is remembered"))
    told.append(repr(session.context().history))
    told += [span.to_json() for span in heard.exporter.get_finished_spans()]
    assert any("gen_ai.tool.call.arguments" in each for each in told)
    engine.close()
    folder = str(tmp_path / "records")
    for arguments in (("log", folder), ("log", folder, "--json"), ("verify", folder)):
        shown = run(*arguments)
        told += [shown.out, shown.err]
    assert secrets.left_in("\n".join([*told, caplog.text])) == []
    assert b"SECRET_" in _written(tmp_path / "records")
    assert secrets.left_in(_written(tmp_path / "records")) == []


def test_what_a_door_answers_is_masked(secrets, opened, tmp_path):
    page = secrets.said("a page").encode()
    with serving(lambda handler: send(handler, page, content_type="text/plain")) as port:
        engine = opened()
        decision = engine.decide_from_thread(engine.action("http_get", {"url": f"http://127.0.0.1:{port}/"}))
    told = repr(decision)
    assert told.count("SECRET_") > 1, told
    assert secrets.left_in(told) == []
    assert secrets.left_in(_written(tmp_path / "records")) == []


def test_a_question_and_what_is_answered_are_masked(secrets, opened, tmp_path, run, monkeypatch):
    monkeypatch.setattr("supervisor.cli.terminal.confirm", lambda *_: None)
    engine = opened(approval=ASK)
    action, context = _proposed(secrets, engine)
    asked = engine.decide_from_thread(action, context)
    assert asked.is_asked
    policy = tmp_path / "policy.yaml"
    policy.write_text(f"records: {{path: {tmp_path}/records, key: {tmp_path}/key.pem}}\n")
    shown = [run("review", "--policy", policy), run("review", "--json", "--policy", policy)]
    note, by = secrets.said("a note"), secrets.said("an answerer")
    shown.append(run("deny", asked.approval.name, "--note", note, "--by", by, "--policy", policy))
    assert shown[-1].code == 0, shown[-1].err
    denied = engine.decide_from_thread(action, context)
    assert "denied:" in denied.message()
    told = [repr(asked), asked.message(), repr(denied), denied.message()]
    assert secrets.left_in("\n".join([*told, *(each.out + each.err for each in shown)])) == []
    assert secrets.left_in(_written(tmp_path / "records")) == []


def test_what_a_guarded_function_raises_is_masked(secrets, opened):
    guard = Guard(opened())

    @guard(kind="shell")
    def bash(command: str, **_: Any) -> str:
        raise AssertionError("it runs")

    with pytest.raises(SupervisorError) as raised:
        bash(secrets.said("an argument"), stop=True)
    assert "SECRET_" in str(raised.value)
    assert secrets.left_in(f"{raised.value} {raised.value!r} {raised.value.__dict__}") == []


def test_a_daemon_logs_no_secret(secrets, daemon, monkeypatch):
    monkeypatch.setenv("SUPERVISOR_TOKEN_FILE", str(daemon.folder / "token"))
    with contextlib.closing(Remote(daemon.url)) as remote:
        for command in ("touch block", "touch nudge", "touch flag"):
            action = remote.action("bash", {"command": f"{command}; {secrets.said('an argument')}"})
            told = remote.decide_from_thread(action, Context(secrets.said("a task"), agent=secrets.said("an agent")))
            assert secrets.left_in(repr(told.message())) == []
        with contextlib.suppress(SupervisorError):
            remote.decide_from_thread(
                remote.action("bash", {"command": secrets.said("no context")}), Context(facts={"x": float("nan")})
            )
    quoted = urllib.parse.quote(secrets.said("an address"))
    with contextlib.suppress(OSError, ValueError):
        daemon.get(f"/{quoted}")
    assert secrets.left_in(_written(daemon.folder)) == []
    assert os.path.getsize(daemon.folder / "log") > 0
