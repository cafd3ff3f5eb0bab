"""Claude Code or Gemini CLI in a terminal, as people use it: what it shows is read, and keys are pressed."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import select
import signal
import struct
import subprocess
import termios
from types import TracebackType

from tests.hosts.agents import Agent, setup_of
from tests.hosts.model_server import Model

_LONGEST = 60.0  # seconds without anything new on the screen


class Terminal:
    """A screen of 50 lines, and the program in it, which ends with it."""

    def __init__(self, agent: Agent) -> None:
        self._agent, self.shown = agent, b""
        self._screen, self._line = pty.openpty()
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Terminal:
        fcntl.ioctl(self._line, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 160, 0, 0))
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._process:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
        os.close(self._screen)
        os.close(self._line)

    def begin(self, task: str, model: Model) -> None:
        """Starts the program for somebody who has used it before, and trusts this folder."""
        command, environment = (_gemini if self._agent.name == "gemini" else _claude)(self._agent, task, model)
        usual = {"PATH": os.environ["PATH"], "HOME": str(self._agent.home), "TERM": "xterm-256color"}
        self._process = subprocess.Popen(
            [self._agent.program, *command],
            env=usual | environment,
            cwd=self._agent.work,
            stdin=self._line,
            stdout=self._line,
            stderr=self._line,
            start_new_session=True,
        )

    def wait_for(self, text: bytes) -> None:
        """Reads until it is on the screen, and nothing more comes."""
        while text not in self.shown:
            assert self._reads(_LONGEST), self.shown[-4000:]
        self._settles()

    def press(self, key: bytes) -> None:
        """Presses a key, and waits until its effect is shown."""
        os.write(self._screen, key)
        self._settles()

    def _settles(self) -> None:
        while self._reads(0.5):
            pass

    def _reads(self, patience: float) -> bool:
        if not select.select([self._screen], [], [], patience)[0]:
            return False
        self.shown += os.read(self._screen, 65536)
        return True


def _claude(agent: Agent, task: str, model: Model) -> tuple[list[str], dict[str, str]]:
    project = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
    known = {"hasCompletedOnboarding": True, "customApiKeyResponses": {"approved": ["none"], "rejected": []}}
    file = agent.home / ".claude.json"
    file.write_text(json.dumps(known | {"theme": "dark", "projects": {str(agent.work): project}}))
    quiet = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1"}
    return [task], {"ANTHROPIC_BASE_URL": model.url, "ANTHROPIC_API_KEY": "none"} | quiet


def _gemini(agent: Agent, task: str, model: Model) -> tuple[list[str], dict[str, str]]:
    (_, _, _, _, *rest), environment = setup_of(agent, task, model)  # all but the prompt and the mode without a user
    return ["-i", task, *rest], dict(environment)
