"""A real browser at a real console: what is needed for it, and the reason where it is not there."""

from __future__ import annotations

import os
import re
import select
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.attack.terminals import SUPERVISOR
from tests.service.console.people import TOKEN

PATIENCE = 60  # seconds for a console to start, and for a page to show something, on a busy machine
NAMES = ("chromium", "chromium-browser", "google-chrome")


def browser_path() -> str | None:
    """The browser of this machine; SUPERVISOR_BROWSER names another."""
    named = os.environ.get("SUPERVISOR_BROWSER")
    return named or next((found for name in NAMES if (found := shutil.which(name))), None)


def axe_path() -> Path | None:
    """axe-core, which `make axe` installs from npm."""
    file = Path(__file__).parents[3] / ".venv-axe" / "node_modules" / "axe-core" / "axe.min.js"
    return file if file.is_file() else None


@contextmanager
def served(folder: Path, policy: Path | None = None) -> Iterator[str]:
    """The address of a console of the records in a folder, in a process of its own."""
    token = folder / "token"
    token.touch(mode=0o600)
    token.write_text(TOKEN)
    file = policy or folder / "console.yaml"
    if policy is None:
        file.write_text(f"records: {{path: {folder / 'records'}, key: {folder / 'key.pem'}}}")
    command = [SUPERVISOR, "serve", "--console", "--port", "0", "--token", str(token), "--policy", str(file)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr
            assert select.select([process.stderr], [], [], PATIENCE)[0], "no console within a minute"
            told = process.stderr.readline()
            found = re.search(r"http://127\.0\.0\.1:\d+/", told)
            assert found, told + process.stderr.read()
            yield found[0]
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE)


def sign_in(page: Any, at: str, by: str = "ann") -> None:
    page.goto(at)
    page.keyboard.press("Tab")
    page.get_by_label("Your name").fill(by)
    page.get_by_label("Token").fill(TOKEN)
    page.keyboard.press("Enter")
    page.wait_for_url("**/queue")


def press(page: Any, keys: str) -> None:
    """Presses keys once what was pressed before is done: a key for one item must not reach the next."""
    for key in keys:
        page.locator("body:not([data-busy])").wait_for(state="attached")
        page.keyboard.press(key)
