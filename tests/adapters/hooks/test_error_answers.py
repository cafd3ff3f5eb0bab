"""Whatever is answered but a decision is a refusal to each host, under the hook that the default policy installs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from supervisor.adapters.hooks import HOSTS, settings
from supervisor.adapters.hooks.settings import our_commands
from tests.adapters.hooks.test_hooks import answering, event_before, ran


def answered(status: str, body: bytes, length: int | None = None) -> bytes:
    size = len(body) if length is None else length
    return b"HTTP/1.1 %b\r\nContent-Length: %d\r\n\r\n%b" % (status.encode(), size, body)


_TOLD = b'{"error": "args: no number", "code": "not_json"}'
ANSWERS = {
    "400": answered("400 Bad Request", _TOLD),
    "400 with an echo": b"HTTP/1.1 400 Bad\r\nSupervisor-Echo: 1\r\nContent-Length: 0\r\n\r\n",
    "400, empty": answered("400 Bad Request", b""),
    "500": answered("500 Internal Server Error", b'{"error": "KeyError: 1", "code": "internal"}'),
    "500, empty": answered("500 Internal Server Error", b""),
    "401": answered("401 Unauthorized", b"a token is needed\n"),
    "404 that sounds like a yes": answered("404 Not Found", b'{"permission": "allow", "continue": true}'),
    "a redirect": answered("302 Found", b""),
    "nothing": b"",
    "no HTTP": b'{"permission": "allow"}\n',
    "a status that is no number": answered("200K Fine", b""),
    "200, cut short": answered("200 OK", b"{}", 20),
    "200, and more than was announced": answered("200 OK", b"{} and more", 2),
}


@pytest.fixture
def line(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The command that a host runs before a tool call, out of the settings that `supervisor install` has written."""
    monkeypatch.chdir(tmp_path)

    def installed(name: str, client: str) -> str:
        host = HOSTS[name]
        with monkeypatch.context() as patch:
            if client == "python":
                patch.setattr(settings.shutil, "which", lambda _: None)
            where = ("--scope", "project", "--socket", tmp_path / "x.sock")
            assert run("install", name, *where, "--yes").code == 0
        file = host.settings(tmp_path)
        line = our_commands(file.read_text(), file)[event_before(name)]
        assert (client == "perl") == ("client.pl" in line)
        return line

    return installed


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
@pytest.mark.parametrize("host", HOSTS)
def test_an_answer_that_is_no_decision_is_a_refusal(line, tmp_path, host, answer):
    refused(line(host, "perl"), host, tmp_path / "x.sock", answer)


@pytest.mark.parametrize("answer", ["400", "500", "nothing"])
@pytest.mark.parametrize("host", HOSTS)
def test_so_it_is_where_there_is_no_perl(line, tmp_path, host, answer):
    refused(line(host, "python"), host, tmp_path / "x.sock", ANSWERS[answer])


def refused(line: str, host: str, where: Path, answer: bytes) -> None:
    """Exit code 2, which every host takes for a no; nothing on stdout, where one looks for a yes; and on stderr why, in
    prose, since Gemini CLI takes bare JSON there for its answer."""
    with answering(where, answer):
        code, out, err = ran(line, HOSTS[host].canary("ls"), SUPERVISOR_PATIENCE="5")
    assert (code, out) == (2, "")
    assert err.startswith("Supervisor: ")
    with pytest.raises(ValueError, match="Expecting value"):
        json.loads(err)
