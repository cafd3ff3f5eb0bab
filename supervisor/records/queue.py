"""The queue of questions that wait for a person: an index beside the journal, which can be rebuilt from the journal.

The folder has two files for each question: `<name>.question` is a copy of the line of the decision that asks,
`<name>.answer` a copy of the line that answers it. Only lines signed by this deployment's key count, so write access to
the folder allows removing a question, but not approving one. That an approval is used only once does not depend on the
folder: its use is a record of the journal, written under a lock that all processes of the deployment share.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from supervisor.decision.approval import SHORT, Approval
from supervisor.errors import BadInput, BadRecord, RecordFailed
from supervisor.history import address_of
from supervisor.intake.files import check_folder, locked, open_file, read_file
from supervisor.intake.json_values import shown
from supervisor.records.envelope import Signer, open_envelope
from supervisor.records.masking import masker_of
from supervisor.records.open_questions import open_lines
from supervisor.records.questions import (
    PERSON,
    Answer,
    NotAsked,
    Question,
    Word,
    answer_of,
    predicate_of,
    question_of,
    use_of,
)
from supervisor.records.statement import read_statement
from supervisor.records.used import is_unused

if TYPE_CHECKING:
    from supervisor.records.journal import Journal

FOLDER = "approvals"
MOST = 1_000  # questions that wait at a time: an agent could ask endlessly
MAX_NOTE = 1_000  # characters of a note, or of an answerer's name
MAX_LINE = 64 * 1024 * 1024  # bytes of a question, which contains an action in base64
_LENGTH = 64  # digits of a name
SHORTEST = 6  # digits of a name that an answerer may give


class Queue:
    """The questions of one deployment. Safe to share between threads and processes."""

    def __init__(
        self, records: Path, valid_for: float, signer: Callable[[], Signer], journal: Callable[[], Journal]
    ) -> None:
        """`signer` and `journal` are called when they are first needed, and may raise RecordFailed. `valid_for` is how
        long a question can be open, in seconds."""
        self._records, self._folder, self._valid_for = records, records / FOLDER, valid_for
        self._signer, self._journal = signer, journal
        self._own_approvals: dict[
            str, datetime
        ] = {}  # approvals that are valid for this engine only, by record → expiry

    def ask(self, approval: Approval, line: bytes) -> None:
        """Adds the question of a decision's record. Raises RecordFailed if it cannot be added."""
        try:
            self._make_folder()
            if self._count() >= MOST and not self._path(approval.name, "question").exists():
                self._remove_closed(datetime.now(UTC))
                if self._count() >= MOST:
                    raise RecordFailed(f"{MOST:,} questions wait already", place=str(self._folder), code="queue_full")
            was_answered = self.has_answer(approval.name)  # first, so that an answer that arrives now is kept
            held = self.reply(approval.name, datetime.now(UTC))
            if was_answered and not (held and held.covers(approval.over)):
                self._path(approval.name, "answer").unlink(missing_ok=True)
            self._put(self._path(approval.name, "question"), line)
        except OSError as error:
            raise RecordFailed(f"nobody can be asked: {error.strerror}", place=str(self._folder)) from None

    def question(self, name: str, now: datetime) -> Question | None:
        """The open question of this name, answered or not."""
        question = self._read(self._path(name, "question"), question_of)
        return question if question and question.approval.name == name and now < question.approval.expires else None

    def reply(self, name: str, now: datetime) -> Answer | None:
        """The valid answer to this question. An approval that a program gave to another engine is not valid here."""
        with contextlib.suppress(OSError, RecordFailed):  # without a folder or a key there is no answer
            self._make_folder()
        answer = self._read(self._path(name, "answer"), answer_of)
        if answer is None or answer.name != name or now >= answer.expires:
            return None
        return (
            answer if answer.word == "denied" or answer.via in PERSON or answer.record in self._own_approvals else None
        )

    def has_answer(self, name: str) -> bool:
        """Whether an answer file exists, without reading it; `reply` reads and verifies it."""
        return len(name) == _LENGTH and name.isalnum() and self._path(name, "answer").is_file()

    def take(self, answer: Answer) -> bool:
        """Uses an approval up and closes its question. Returns False if it is already used, or replaced by another
        answer. Raises RecordFailed if its use cannot be recorded: then the action must not run.

        The use is recorded first, so a process that dies after the record has used the approval, and one that dies
        before it has not.
        """
        path, now = self._path(answer.name, "answer"), datetime.now(UTC)
        try:
            with self._locked():
                line = read_file(path, MAX_LINE, own=True)
                if address_of(line) != answer.record:
                    return False
                unused = is_unused(self._records, line, answer.given)
                if unused:
                    self._journal().append("use", use_of(answer, now), answer.action)
                    self.withdraw(answer.name)
                self._own_approvals.pop(answer.record, None)
                with contextlib.suppress(OSError):  # the approval counts as used even if its file stays
                    path.unlink()
                return unused
        except (FileNotFoundError, NotAsked):  # another process was faster
            return False
        except (OSError, BadRecord) as error:
            raise RecordFailed(f"the approval cannot be used: {error}", place=str(path)) from None

    def resumed(self, name: str, host: str) -> None:
        """Records that an action ran because the host's own user approved it: an approval that is used up at once. An
        approval that was given here meanwhile is used up instead."""
        now = datetime.now(UTC)
        with contextlib.suppress(NotAsked):
            self.answer(name, "approved", f"the user of {host}", host, now=now)
        if answer := self.reply(name, now):
            self.take(answer)

    def withdraw(self, name: str) -> None:
        """Closes a question that no caller waits for any more. If its file cannot be removed, the question expires."""
        with contextlib.suppress(OSError):
            self._path(name, "question").unlink(missing_ok=True)

    def waiting(self, now: datetime | None = None) -> list[Question]:
        """The open questions without an answer, oldest first."""
        now = now or datetime.now(UTC)
        self._make_folder()
        names = [path.stem for path in self._folder.glob("*.question")]
        found = [self.question(name, now) for name in names if not self._valid_answer(name, now)]
        return sorted((each for each in found if each), key=lambda each: str(each.decision["time"]))

    def answer(self, name: str, word: str, by: str, via: str, note: str = "", now: datetime | None = None) -> Answer:
        """Answers the question whose name begins with `name`. The answer is one signed record; the first one counts.

        An approval `via` one of PERSON is valid for every engine of the deployment, any other for this engine only.
        Secrets in `by` and `note` are masked, as in all records. Raises NotAsked if there is no such question, or it is
        closed or already answered; RecordFailed if the answer cannot be recorded.
        """
        now = now or datetime.now(UTC)
        if word not in get_args(Word):
            raise BadInput(f"{shown(word)} is neither of {', '.join(get_args(Word))}", place="answer")
        if not by or len(by) > MAX_NOTE or len(note) > MAX_NOTE:
            raise BadInput(f"who answers has a name; it and a note have at most {MAX_NOTE:,} characters", place="by")
        by, note = masker_of(self._signer()).mask_output([by, note])
        try:
            with self._locked():
                return self._record_answer(self._open_question(name, now), word, by, via, note, now)
        except OSError as error:
            why = f"the answer cannot be taken: {error.strerror}"
            raise RecordFailed(why, place=str(self._folder)) from None

    def _record_answer(self, question: Question, word: str, by: str, via: str, note: str, now: datetime) -> Answer:
        approval, predicate = question.approval, predicate_of(question, word, by, note, via, now)
        line = self._journal().append("approval", predicate, approval.binding.action)
        answer = answer_of("approval", predicate, address_of(line))
        self._own_approvals = {record: until for record, until in self._own_approvals.items() if now < until}
        if via not in PERSON:
            self._own_approvals[answer.record] = answer.expires
        self._put(self._path(approval.name, "answer"), line)
        return answer

    def _open_question(self, name: str, now: datetime) -> Question:
        begin = name.lower()
        if len(begin) < SHORTEST or not begin.isalnum():
            raise NotAsked(f"a question's name has at least {SHORTEST} digits", place=name)
        names = [path.stem for path in self._folder.glob(f"{begin}*.question")]
        found = [each for each in (self.question(name, now) for name in names) if each]
        if len(found) != 1:
            why = "several questions begin so; give more of it" if found else "no such question waits for an answer"
            raise NotAsked(why, place=name)
        if earlier := self._valid_answer(found[0].approval.name, now):
            why = f"{earlier.word} already, by {earlier.by}"
            raise NotAsked(why, place=found[0].approval.name[:SHORT], code="already_answered")
        return found[0]

    def _valid_answer(self, name: str, now: datetime) -> Answer | None:
        """The valid answer that is not used up: the file of a used approval may have been put back."""
        answer = self.reply(name, now)
        if answer is None or answer.word == "denied":
            return answer
        with contextlib.suppress(OSError, BadRecord):
            line = read_file(self._path(name, "answer"), MAX_LINE, own=True)
            return answer if is_unused(self._records, line, answer.given) else None
        return None

    def _read(self, path: Path, read: Callable[[str, dict[str, Any], str], Any]) -> Any:
        """The question or answer in a file, if this deployment's key signed it; None for anything else."""
        try:
            line = read_file(path, MAX_LINE, own=True)
            return read(*self._signed(line), address_of(line))
        except (OSError, BadRecord, RecordFailed, KeyError, TypeError, ValueError):
            return None

    def _signed(self, line: bytes) -> tuple[str, dict[str, Any]]:
        signer = self._signer()
        return read_statement(open_envelope(line, {signer.key_id: signer.key.public_key()}))

    def _count(self) -> int:
        return sum(each.endswith(".question") for each in os.listdir(self._folder))

    def _remove_closed(self, now: datetime) -> None:
        """Removes closed questions and files that are not valid questions."""
        for path in self._folder.glob("*.question"):
            if not self.question(path.stem, now):
                path.unlink(missing_ok=True)
                self._path(path.stem, "answer").unlink(missing_ok=True)

    def _make_folder(self) -> None:
        """Creates the folder, if there is none, from the journal, as far back as a question can be open. Raises
        OSError."""
        if not self._records.is_dir():
            return
        if os.path.lexists(self._folder):
            check_folder(self._folder)
            return
        fresh = self._records / f"{FOLDER}.{os.urandom(4).hex()}"
        fresh.mkdir(mode=0o700)
        since = datetime.now(UTC) - timedelta(seconds=self._valid_for)
        for name, line in open_lines(self._records, since, self._signed).items():
            self._put(fresh / name, line)
        try:
            fresh.rename(self._folder)
        except OSError:  # another process was first
            shutil.rmtree(fresh)

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """Holds the lock: one answer, or one use of an answer, at a time. The journal's folder itself is locked, since
        a lock file could be removed while it is held."""
        self._make_folder()
        if not self._folder.is_dir():
            raise NotAsked("no question waits for an answer", place=str(self._folder))
        with locked(self._records):
            yield

    def _put(self, path: Path, line: bytes) -> None:
        """Writes a file, completely or not at all. Raises OSError."""
        fresh = path.with_name(f"{os.urandom(8).hex()}.tmp")
        made = open_file(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, own=True)
        with os.fdopen(made, "wb") as file:
            file.write(line)
        fresh.replace(path)

    def _path(self, name: str, what: str) -> Path:
        return self._folder / f"{name}.{what}"
