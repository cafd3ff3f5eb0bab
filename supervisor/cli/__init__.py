"""The `supervisor` command. Exit codes: 0 success, 1 a check failed, 2 wrong use."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

from supervisor.errors import SupervisorError


def main() -> None:
    """Runs a verb. An error is one line on stderr and exit code 2."""
    from supervisor.cli.app import command

    try:
        try:
            command()(prog_name="supervisor")
        finally:
            sys.stdout.flush()
    except SupervisorError as error:
        _fail(f"{error} [{error.code}]")
    except BrokenPipeError:  # the reader of the output has ended
        _drop_output()
        sys.exit(1)
    except OSError as error:
        if error.filename is None:
            _drop_output()
        _fail(f"{error.filename or 'output'}: {error.strerror} [os_error]")


def _fail(message: str) -> NoReturn:
    from supervisor.cli.output import printable

    print(f"supervisor: {printable(message)}", file=sys.stderr)
    sys.exit(2)


def _drop_output() -> None:
    """Redirects stdout to nowhere: else Python fails again when it flushes the rest at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
