"""The program between the supervisor and a worker. It runs alone, without anything else of this project:

    python -I -S launcher.py group     REPORT -    COMMAND…   becomes the command
    python -I -S launcher.py cgroup    REPORT FILE COMMAND…   enters the cgroup of FILE, then becomes the command
    python -I -S launcher.py subreaper REPORT -    COMMAND…   starts the command, and adopts all orphans below it

REPORT is the descriptor of a pipe. `failed ERRNO` says that the command could not be started. A subreaper writes
`running PID STARTED`, later `exit CODE`, and ends when no process is left below it. Otherwise the pipe closes when the
command runs.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys

_ADOPT_ORPHANS = 36  # PR_SET_CHILD_SUBREAPER, prctl(2)
_NOT_STARTED = 127
_PASSED_ON = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGPIPE, signal.SIGXFSZ}
_REFUSED = _PASSED_ON - {signal.SIGXFSZ}


def main(method: str, report: int, file: str, command: list[str]) -> None:
    os.set_inheritable(report, False)
    try:
        if method == "cgroup":
            _enter(file)
        if method != "subreaper":
            _take_terminal()
            _become(command)
        _adopt_orphans()
        leader = _start(command)
    except OSError as error:
        _say(report, f"failed {error.errno}")
        os._exit(_NOT_STARTED)
    _say(report, f"running {leader} {_start_time(leader)}")
    _release_streams()
    _reap(leader, report)


def _enter(file: str) -> None:
    descriptor = os.open(file, os.O_WRONLY)
    os.write(descriptor, b"0")  # this process
    os.close(descriptor)


def _become(command: list[str]) -> None:
    """Runs the command in this process, with the usual answers to signals: a supervisor may ignore some."""
    for number in _PASSED_ON:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    os.execvp(command[0], command)  # noqa: S606 - it has no shell on purpose


def _take_terminal() -> None:
    """A terminal, if there is one, becomes that of this session: programs ask at /dev/tty as well."""
    if os.isatty(0):
        import fcntl
        import termios

        fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _adopt_orphans() -> None:
    import ctypes

    library = ctypes.CDLL(None, use_errno=True)
    if library.prctl(_ADOPT_ORPHANS, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "PR_SET_CHILD_SUBREAPER")


def _start(command: list[str]) -> int:
    """Starts the command in a session of its own, so that no signal to its group comes here. Raises OSError."""
    result, failure = os.pipe()
    leader = os.fork()
    if not leader:
        try:
            os.setsid()
            _take_terminal()
            _become(command)
        except OSError as error:
            os.write(failure, str(error.errno).encode())
        finally:
            os._exit(_NOT_STARTED)
    for number in _REFUSED:
        signal.signal(number, signal.SIG_IGN)
    os.close(failure)
    code = os.read(result, 16)  # empty when the command runs
    os.close(result)
    if code:
        raise OSError(int(code), os.strerror(int(code)))
    return leader


def _start_time(child: int) -> int:
    """In ticks since the boot. A child that has ended is here as well, since nobody has waited for it."""
    with open(f"/proc/{child}/stat", "rb") as file:
        return int(file.read().rpartition(b")")[2].split()[19])


def _release_streams() -> None:
    """The worker's pipes close when the worker closes them."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)


def _reap(leader: int, report: int) -> None:
    """Waits for all processes below, and reports the leader's exit."""
    while True:
        try:
            pid, status = os.wait()
        except ChildProcessError:  # none is left
            return
        if pid == leader:
            _say(report, f"exit {os.waitstatus_to_exitcode(status)}")


def _say(report: int, line: str) -> None:
    with contextlib.suppress(BrokenPipeError):  # the supervisor has died: nobody asks
        os.write(report, f"{line}\n".encode())


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4:])
