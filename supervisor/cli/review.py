"""`supervisor review`, `approve`, `deny`: what waits for a person, and the person's answer."""

from __future__ import annotations

import contextlib
import getpass
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import typer

from supervisor.cli.check import PolicyFile
from supervisor.cli.output import AsJson, console, counted, one_line, print_json, print_table, styled, table
from supervisor.decision.approval import SHORT
from supervisor.errors import BadInput, SupervisorError

if TYPE_CHECKING:
    from supervisor.records.queue import Queue

RecordsFolder = Annotated[
    Path | None, typer.Option("--records", help="The folder of records; by default the policy's.")
]
Name = Annotated[str, typer.Argument(metavar="ID", help="The question, as `supervisor review` shows it.")]
By = Annotated[str | None, typer.Option("--by", help="Who answers; by default your login name.")]
Note = Annotated[str, typer.Option("--note", help="A note for the agent and the record.")]
_SHOWN = 4_000  # characters of an action
_APPROVE = """Let an action run that waits for a person: exactly this one, once, until the approval expires.

Asks at the terminal, where a person must type the answer.
Exits 1 if another person has answered already.
"""
_DENY = """Refuse an action that waits for a person; its agent reads the refusal.

Asks at the terminal, where a person must type the answer.
Exits 1 if another person has answered already.
"""


class _Desk(Protocol):
    """A source of questions: a folder of records, or a daemon."""

    def questions(self) -> list[dict[str, Any]]: ...

    def answer(self, name: str, word: str, by: str, note: str) -> dict[str, Any]: ...


def register(app: typer.Typer) -> None:
    """Adds the verbs."""
    app.command(epilog="Example: supervisor review --json, or: supervisor review --label")(review)
    shown = "Example: supervisor approve 3f9a1c27b0de --note 'the branch is mine'"
    app.command("approve", help=_APPROVE, epilog=shown)(_answering("approved"))
    shown = "Example: supervisor deny 3f9a1c27b0de --note 'open a pull request instead'"
    app.command("deny", help=_DENY, epilog=shown)(_answering("denied"))


def review(
    context: typer.Context,
    label: Annotated[
        bool, typer.Option("--label", help="Judge decisions instead, one by one, with one key each, at the terminal.")
    ] = False,
    by: Annotated[str | None, typer.Option("--by", help="Who labels; by default your login name.")] = None,
    records: RecordsFolder = None,
    policy: PolicyFile = None,
    json: AsJson = False,
) -> None:
    """Show the actions that wait for a person's approval, oldest first. If SUPERVISOR_URL names a daemon, its own.

    With --label: the queue of the review console, one decision of each group of near-duplicates first, then the
    riskiest.
    """
    if label:
        _label(records, policy, by, json=json)
        return
    if by is not None:
        raise BadInput("only --label takes a name; `approve` and `deny` have their own", place="--by", code="usage")
    with _desk(context, records, policy) as desk:
        waiting = desk.questions()
    if json:
        for each in waiting:
            print_json(each)
        return
    drawn = table("id", "until", "agent", "action", "objection", names=True)
    for each in waiting:
        until, agent = each["approval"]["expires"][:16].replace("T", " "), each["approval"]["binding"]["agent"] or ""
        reasons = " ".join(dict.fromkeys(objection["reason"] for objection in each["objections"]))
        drawn.add_row(each["id"][:12], until, one_line(agent), styled(_action(each), ""), styled(reasons, "yellow"))
    print_table(drawn)
    console().print(styled(f"{counted(len(waiting), 'action')} waiting for approval", "dim"))


def _label(records: Path | None, policy: Path | None, by: str | None, *, json: bool) -> None:
    from supervisor.cli.reviewing import review_labels

    if json:
        raise BadInput("--label asks a person; `supervisor label --json` prints a label", place="--json", code="usage")
    given = review_labels(policy, records, by or login_name())
    console().print(f"{counted(given, 'step')} recorded")


def _answering(word: str) -> Callable[..., None]:
    """The verb that answers a question with this word."""

    def answer(
        context: typer.Context,
        name: Name,
        by: By = None,
        note: Note = "",
        records: RecordsFolder = None,
        policy: PolicyFile = None,
        json: AsJson = False,
    ) -> None:
        with _desk(context, records, policy) as desk:
            try:
                stored = desk.answer(_confirmed(desk, name, word), word, by or login_name(), note)
            except SupervisorError as error:
                if error.code != "already_answered":
                    raise
                console(error=True).print(styled(f"supervisor: {error} [{error.code}]", ""))
                raise typer.Exit(1) from None
        if json:
            print_json(stored)
            return
        until = stored["expires"][:16].replace("T", " ")
        answered = styled(word, "green" if word == "approved" else "red")
        console().print(f"{answered} {stored['id'][:12]}, as {styled(stored['by'], 'bold')}, until {until} UTC")

    return answer


def _confirmed(desk: _Desk, name: str, word: str) -> str:
    """The question's name, after the person at the terminal has read it and confirmed. Raises MayNotAnswer."""
    from supervisor.cli.terminal import TO_DAEMON, confirm

    found = [each for each in desk.questions() if each["id"].startswith(name.lower())]
    whole = found[0]["id"] if len(found) == 1 else name
    verb = "approve" if word == "approved" else "deny"
    shown = "\n".join(_summary(each) for each in found)
    confirm(shown, f"Type yes or {whole[:SHORT]} to {verb} {whole[:SHORT]}:", ("yes", whole[:SHORT]), TO_DAEMON)
    return whole


def _summary(question: dict[str, Any]) -> str:
    agent, said = question["approval"]["binding"]["agent"], [each["reason"] for each in question["objections"]]
    return "\n".join([f"{question['id'][:SHORT]} of {agent or 'an agent'}: {_action(question)}", *dict.fromkeys(said)])


def login_name() -> str:
    """The name of the user at the terminal."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # the user has no name, as in a container
        return f"user {os.getuid()}"


def _action(question: dict[str, Any]) -> str:
    """The action's beginning, with the number of characters left out."""
    action, cwd = question["action"], question["approval"]["binding"]["cwd"]
    values = [f"{name}: {value}" for name, value in action["args"].items()]
    text = f"{action['tool']}{f' in {cwd}' if cwd else ''}\n" + "\n".join(values)
    more = len(text) - _SHOWN
    return text if more <= 0 else f"{text[:_SHOWN]}… and {more:,} characters more, which --json shows"


@contextlib.contextmanager
def _desk(context: typer.Context, records: Path | None, policy: Path | None) -> Iterator[_Desk]:
    url = os.environ.get("SUPERVISOR_URL")
    if not url:
        yield _Folder(records, policy)
        return
    from supervisor.engine.remote.client import Remote

    if records is not None or str(context.get_parameter_source("policy")).endswith("COMMANDLINE"):
        message = "SUPERVISOR_URL names a daemon, which keeps its own records"
        raise BadInput(message, place="--records" if records else "--policy", code="usage")
    with contextlib.closing(Remote.at(url)) as remote:
        yield remote


class _Folder:
    """Questions in a folder of records. Answers are signed with its key."""

    def __init__(self, records: Path | None, policy_file: Path | None) -> None:
        from supervisor.cli.deployment import Deployment

        self._deployment = Deployment.of(policy_file, records)

    def questions(self) -> list[dict[str, Any]]:
        with self._queue() as queue:
            return [each.to_json() for each in queue.waiting()]

    def answer(self, name: str, word: str, by: str, note: str) -> dict[str, Any]:
        with self._queue() as queue:
            return queue.answer(name, word, by, "terminal", note).to_json()

    @contextlib.contextmanager
    def _queue(self) -> Iterator[Queue]:
        """The folder's queue. Raises BadRecord if the key is not the one that signs these records."""
        from supervisor.records.queue import Queue

        deployed = self._deployment
        with deployed.journal() as (signer, journal):
            yield Queue(deployed.records, deployed.policy.approval.valid_for, lambda: signer, lambda: journal)
