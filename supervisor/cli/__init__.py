"""The `supervisor` command. Exit codes: 0 fine, 1 the thing checked does not hold, 2 wrong use."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

from supervisor.errors import SupervisorError


def main() -> None:
    """Runs a verb. What goes wrong is one line on stderr and exit code 2."""
    from supervisor.cli.app import app

    try:
        try:
            app(prog_name="supervisor")
        finally:
            sys.stdout.flush()
    except SupervisorError as error:
        _fail(f"{error} [{error.code}]")
    except BrokenPipeError:  # whoever read the output has gone, and wants to hear no more
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
    """Python would fail once more over what is left to write when it flushes stdout at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
