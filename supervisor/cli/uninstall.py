"""`supervisor uninstall`: takes the guard out of every host and off the machine; records and keys stay."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from supervisor.cli.output import AsJson, console, print_json, styled
from supervisor.cli.serve import SOCKET
from supervisor.errors import BadInput, SupervisorError
from supervisor.evidence.machine.assets import OURS

_POLICY = "~/.config/supervisor/policy.yaml"


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to take out: what it is, its place, and how. `last` steps are skipped if an earlier one has failed:
    the guard still needs what they remove."""

    what: str
    place: str
    do: Callable[[], object]
    last: bool = False


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command(epilog="Example: supervisor uninstall --dry-run")(uninstall)


def uninstall(
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be removed.")] = False,
    json: AsJson = False,
) -> None:
    """Remove the hooks from every agent, end the daemon, and remove what runs it. Records, keys and policies stay.

    Exits 1 if something could not be removed.
    """
    steps, kept = list(_steps()), list(_kept())
    if not json:
        _show(steps)
    if not dry_run and steps and not yes and not (_at_terminal() and typer.confirm("Remove all of this?")):
        raise BadInput("nothing is removed without a confirmation; --yes gives it", code="not_confirmed")
    failed = {} if dry_run else _taken_out(steps)
    if json:
        _print_json(steps, kept, failed, dry_run=dry_run)
    elif not dry_run:
        _show_result(steps, failed)
    if not json:
        _show_kept(kept)
    raise typer.Exit(1 if failed else 0)


def _steps() -> Iterator[Step]:
    """In this order: no host asks any more, nothing starts the daemon again, it ends, and its files go."""
    rows = _rows()
    yield from _hooks(rows)
    yield from _service()
    sockets = dict.fromkeys([_usual_socket(), *(Path(row["socket"]) for row in rows)])
    for socket in sockets:
        yield from _daemon(socket)
    yield from _files(list(sockets))


def _rows() -> list[Mapping[str, Any]]:
    from supervisor.engine.guard_assets import installed

    try:
        return installed()
    except BadInput as error:  # the hooks at the usual places are still found
        print(f"supervisor: {error} [{error.code}]", file=sys.stderr)
        return []


def _hooks(rows: list[Mapping[str, Any]]) -> Iterator[Step]:
    """The settings that `install` wrote, and those at the usual places, of this user and of this directory."""
    from supervisor.adapters.hooks import HOSTS
    from supervisor.adapters.hooks.settings import read
    from supervisor.cli.hooks import settings_file

    found = {Path(row["file"]): row["host"] for row in rows}
    for name, host in HOSTS.items():
        usual = (settings_file(host, "user").absolute(), settings_file(host, "project").absolute())
        found |= {file: name for file in usual if file not in found}
    for file, name in found.items():
        try:
            is_ours = OURS.search(read(file)) is not None
        except BadInput:
            is_ours = True  # the step fails with the reason
        if is_ours:
            yield Step(f"hooks of {name}", str(file), partial(_unhook, name, file))


def _unhook(name: str, file: Path) -> None:
    from supervisor.adapters.hooks import HOSTS
    from supervisor.adapters.hooks.settings import read, removed, write
    from supervisor.engine.guard_assets import forget_installed

    if name not in HOSTS:
        raise BadInput(f"this version knows no host {name!r}; remove its entries by hand", place=str(file))
    after = removed(HOSTS[name], read(file), file)
    if OURS.search(after):
        raise BadInput("names our hook outside of its `hooks`; remove that by hand", place=str(file))
    write(file, after)
    with suppress(BadInput):  # a list that cannot be read is removed with the other files
        forget_installed(file)


def _service() -> Iterator[Step]:
    from supervisor.cli.service import take_out
    from supervisor.service.unit import path_of, usual_manager

    manager = usual_manager()
    if os.path.lexists(path := path_of(manager)):
        yield Step(f"service of {manager}", str(path), partial(take_out, manager))


def _daemon(socket: Path) -> Iterator[Step]:
    from supervisor.engine.remote.ending import end, holder

    with suppress(OSError):  # what is there is not a daemon's; the files' step reports it
        if pid := holder(socket):
            yield Step(f"daemon, process {pid}", str(socket), partial(end, socket))


def _files(sockets: list[Path]) -> Iterator[Step]:
    from supervisor.engine.guard_assets import INSTALLED, STATE, TASKS_TOKEN, TOKEN

    token = os.environ.get("SUPERVISOR_TOKEN_FILE") or TOKEN
    files = [Path(f"{socket}{ending}") for socket in sockets for ending in ("", ".log", ".lock")]
    files += [Path(each).expanduser() for each in (token, TASKS_TOKEN, INSTALLED, f"{INSTALLED}.lock")]
    for file in filter(os.path.lexists, files):
        yield Step("file", str(file), partial(file.unlink, missing_ok=True), last=True)
    cache = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "supervisor"
    if cache.is_dir() and not cache.is_symlink():
        yield Step("cache", str(cache), partial(shutil.rmtree, cache), last=True)
    for folder in (Path(STATE).expanduser(), Path(TOKEN).expanduser().parent):
        going = {Path(each).expanduser() for each in files}
        if folder.is_dir() and going.issuperset(folder.iterdir()):
            yield Step("folder", str(folder), folder.rmdir, last=True)


def _kept() -> Iterator[tuple[str, Path]]:
    """What is the user's own: records, keys and policies, of the default policy and of those that hooks name."""
    from supervisor.policy import Policy, expanded, read_policy

    files = dict.fromkeys([os.environ.get("SUPERVISOR_POLICY"), *(row.get("policy") for row in _rows_quietly())])
    policies = [Policy()]
    yield "policy", Path(_POLICY).expanduser()
    for file in filter(None, files):
        yield "policy", Path(file)
        with suppress(SupervisorError):
            policies.append(read_policy(file))
    for each in policies:
        yield "signing key", expanded(each.records.key)
        if each.records.path is not None:
            yield "records", expanded(each.records.path)


def _rows_quietly() -> list[Mapping[str, Any]]:
    from supervisor.engine.guard_assets import installed

    with suppress(BadInput):
        return installed()
    return []


def _taken_out(steps: list[Step]) -> dict[Step, str]:
    """Takes the steps, and returns the reasons why some have failed."""
    failed: dict[Step, str] = {}
    for step in steps:
        if step.last and failed:
            failed[step] = "left, because something before it could not be removed"
            continue
        try:
            step.do()
        except SupervisorError as error:
            failed[step] = str(error)
        except OSError as error:
            failed[step] = error.strerror or str(error)
    return failed


def _at_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _usual_socket() -> Path:
    return Path(os.environ.get("SUPERVISOR_SOCKET") or SOCKET).expanduser().absolute()


def _show(steps: list[Step]) -> None:
    for step in steps:
        console().print(f"{step.what} {styled(step.place, 'bold')}")
    if not steps:
        console().print("There is nothing to remove: no hooks, no daemon, no service.")


def _show_result(steps: list[Step], failed: dict[Step, str]) -> None:
    for step, why in failed.items():
        console().print(f"{styled('✗', 'red')} {step.what} {styled(step.place, 'bold')}: {styled(why, 'red')}")
    if steps:
        console().print(f"Removed {len(steps) - len(failed)} of {len(steps)}.")


def _show_kept(kept: list[tuple[str, Path]]) -> None:
    there = [(what, place) for what, place in dict.fromkeys(kept) if place.exists()]
    for what, place in there:
        console().print(f"Stays: {what} {styled(str(place), 'bold')}")
    if there:
        words = shlex.join(str(place) for _, place in there)
        console().print(f"To remove them too: rm -r {words}")
    console().print("The program stays as well: pipx uninstall supervisor-guard, or however it was installed.")


def _print_json(steps: list[Step], kept: list[tuple[str, Path]], failed: dict[Step, str], *, dry_run: bool) -> None:
    told = [{"what": step.what, "place": step.place} for step in steps if step not in failed]
    print_json(
        {
            "dry_run": dry_run,
            "removed": told,
            "failed": [{"what": step.what, "place": step.place, "why": why} for step, why in failed.items()],
            "kept": [{"what": what, "place": str(place)} for what, place in dict.fromkeys(kept) if place.exists()],
        }
    )
