"""The `supervisor` command. Exit codes: 0 fine, 1 what was asked does not hold, 2 wrong use (docs/cli.md)."""

from __future__ import annotations

import os
import sys
from typing import Any, NoReturn

from supervisor.errors import NoRecords, SupervisorError

_OF_EXTRAS = ("alembic", "dbos", "psutil", "sqlalchemy", "starlette", "uvicorn", "websockets")
_INTERRUPTED = 130  # 128 and SIGINT, as shells report it


def main() -> None:
    """Runs a verb. An error is one line on stderr, and exit code 2, or 1 if what was asked for is not there."""
    from typer import Abort

    from supervisor.cli.app import UsageError, command

    try:
        try:
            code = command("".join(sys.argv[1:2]))(prog_name="supervisor", standalone_mode=False)
        finally:
            sys.stdout.flush()
        sys.exit(code if isinstance(code, int) else 0)
    except SupervisorError as error:
        _fail(f"{error} [{error.code}]", 1 if isinstance(error, NoRecords) else 2)
    except ModuleNotFoundError as error:
        extra = _extra_with((error.name or "").partition(".")[0])
        if not extra:
            raise
        _fail(f"this needs {error.name}: pip install 'supervisor-guard[{extra}]' [missing_extra]")
    except UsageError as error:
        _fail_usage(error)
    except Abort:
        _fail("interrupted [interrupted]", _INTERRUPTED)
    except BrokenPipeError:  # the reader of the output has ended
        _drop_output()
        sys.exit(1)
    except OSError as error:
        if error.filename is None:
            _drop_output()
        _fail(f"{error.filename or 'output'}: {error.strerror} [os_error]")


def _extra_with(module: str) -> str:
    """The extra with which this verb has a module; empty for modules of no extra."""
    if module not in _OF_EXTRAS:
        return ""
    return "runtime" if sys.argv[1:2] and sys.argv[1] in ("up", "task") else "feedback"


def _fail_usage(error: Any) -> NoReturn:
    """Reports a wrong option, verb or argument. `supervisor` alone prints its help."""
    if type(error).__name__ == "NoArgsIsHelpError":
        error.show()
        sys.exit(2)
    problem = " ".join(error.format_message().split()).rstrip(".")
    verb = error.ctx.command_path if error.ctx else "supervisor"
    _fail(problem + ("" if problem.endswith("?") else f"; `{verb} --help` shows what there is") + " [usage]")


def _fail(message: str, code: int = 2) -> NoReturn:
    from supervisor.cli.output import printable

    print(f"supervisor: {printable(message)}", file=sys.stderr)
    sys.exit(code)


def _drop_output() -> None:
    """Redirects stdout to nowhere: else Python fails again when it flushes the rest at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
