"""The queue of questions that wait for a person: an index beside the journal, which can be rebuilt from it.

A folder with two files a question: `<name>.question` is a copy of the line of the decision that asks, `<name>.answer`
of the record that answers it. Nothing in them is believed that this deployment's key has not signed, so whoever can
write there can take a question away, and approve nothing. Between processes, a lock sees to it that the first answer
counts, and `rename` that an approval is used once.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from supervisor.decision.approval import SHORT, Approval
from supervisor.errors import BadInput, BadRecord, RecordFailed
from supervisor.history import address_of
from supervisor.records.envelope import Signer, open_envelope
from supervisor.records.questions import Answer, NotAsked, Question, Word, answer_of, predicate_of, question_of
from supervisor.records.statement import read_statement
from supervisor.records.verify import segment_paths
from supervisor.values import shown

if TYPE_CHECKING:
    from supervisor.records.journal import Journal

FOLDER = "approvals"
MOST = 1_000  # questions that wait at a time: an agent could ask without end
MAX_NOTE = 1_000  # characters of a note, or of an answerer's name
_LENGTH = 64  # digits of a name
SHORTEST = 6  # digits of a name that an answerer may give


class Queue:
    """The questions of one deployment. Safe to share between threads and processes."""

    def __init__(
        self, records: Path, valid_for: float, signer: Callable[[], Signer], journal: Callable[[], Journal]
    ) -> None:
        """What is made by the two functions is asked for when it is first needed, and may raise RecordFailed.
        `valid_for` is how long a question can be open, in seconds."""
        self._records, self._folder, self._valid_for = records, records / FOLDER, valid_for
        self._signer, self._journal = signer, journal

    def ask(self, approval: Approval, line: bytes) -> None:
        """Puts the question that a decision's record asks. RecordFailed where it cannot be put."""
        try:
            self._make()
            if self._count() >= MOST and not self._path(approval.name, "question").exists():
                self._drop_old(datetime.now(UTC))
                if self._count() >= MOST:
                    raise RecordFailed(f"{MOST:,} questions wait already", place=str(self._folder), code="queue_full")
            was_answered = self.has_answer(approval.name)  # first: an answer that is given this moment stays
            held = self.reply(approval.name, datetime.now(UTC))
            if was_answered and not (held and held.covers(approval.over)):
                self._path(approval.name, "answer").unlink(missing_ok=True)
            self._put(self._path(approval.name, "question"), line)
        except OSError as error:
            raise RecordFailed(f"nobody can be asked: {error.strerror}", place=str(self._folder)) from None

    def question(self, name: str, now: datetime) -> Question | None:
        """The open question of this name, answered or not."""
        found = self._read(self._path(name, "question"), question_of)
        return found if found and found.approval.name == name and now < found.approval.expires else None

    def reply(self, name: str, now: datetime) -> Answer | None:
        """The answer that holds for this name."""
        with contextlib.suppress(OSError, RecordFailed):  # where there can be no folder, or no key, there is no answer
            self._make()
        found = self._read(self._path(name, "answer"), answer_of)
        return found if found and found.name == name and now < found.expires else None

    def has_answer(self, name: str) -> bool:
        """Whether it is worth proposing again. A glance: the answer itself is read by `reply`."""
        return len(name) == _LENGTH and name.isalnum() and self._path(name, "answer").exists()

    def take(self, answer: Answer) -> bool:
        """Uses an approval up, and closes its question; False where another has been quicker."""
        path, taken = self._path(answer.name, "answer"), self._path(answer.name, f"taken-{os.urandom(8).hex()}")
        try:
            path.rename(taken)
            is_same = address_of(taken.read_bytes()) == answer.record
            if not is_same:
                os.link(taken, path)  # another answer, given meanwhile: it is the next one's to use
            taken.unlink()
        except OSError:
            return False
        if is_same:
            self.withdraw(answer.name)
        return is_same

    def resumed(self, name: str, host: str) -> None:
        """An action has run because its host's own user said yes: that is an approval as well, and used up. One that
        was given here meanwhile is the same."""
        now = datetime.now(UTC)
        with contextlib.suppress(NotAsked):
            self.answer(name, "approved", f"the user of {host}", via=host, now=now)
        if answer := self.reply(name, now):
            self.take(answer)

    def withdraw(self, name: str) -> None:
        """Closes a question for which nobody waits any more. One that cannot be taken away expires."""
        with contextlib.suppress(OSError):
            self._path(name, "question").unlink(missing_ok=True)

    def waiting(self, now: datetime | None = None) -> list[Question]:
        """The open questions without an answer, oldest first."""
        now = now or datetime.now(UTC)
        self._make()
        names = [path.stem for path in self._folder.glob("*.question")]
        found = [self.question(name, now) for name in names if not self.reply(name, now)]
        return sorted((each for each in found if each), key=lambda each: str(each.decision["time"]))

    def answer(
        self, name: str, word: str, by: str, note: str = "", via: str = "", now: datetime | None = None
    ) -> Answer:
        """Answers the question whose name begins so: one signed record, and the first counts.

        `via` names the host where its own pause was answered. NotAsked where there is no such question, where it is
        closed or answered already; RecordFailed where the answer cannot be recorded.
        """
        now = now or datetime.now(UTC)
        if word not in get_args(Word):
            raise BadInput(f"{shown(word)} is neither of {', '.join(get_args(Word))}", place="answer")
        if not by or len(by) > MAX_NOTE or len(note) > MAX_NOTE:
            raise BadInput(f"who answers has a name; it and a note have at most {MAX_NOTE:,} characters", place="by")
        with self._locked():
            question = self._unanswered(name, now)
            approval = question.approval
            predicate = predicate_of(question, word, by, note, via, now)
            line = self._journal().append("approval", predicate, approval.binding.action)
            self._put(self._path(approval.name, "answer"), line)
            return answer_of("approval", predicate, address_of(line))

    def _unanswered(self, name: str, now: datetime) -> Question:
        begin = name.lower()
        if len(begin) < SHORTEST or not begin.isalnum():
            raise NotAsked(f"a question's name has at least {SHORTEST} digits", place=name)
        names = [path.stem for path in self._folder.glob(f"{begin}*.question")]
        found = [each for each in (self.question(name, now) for name in names) if each]
        if len(found) != 1:
            told = "several questions begin so; give more of it" if found else "no such question waits for an answer"
            raise NotAsked(told, place=name)
        if earlier := self.reply(found[0].approval.name, now):
            told = f"{earlier.word} already, by {earlier.by}"
            raise NotAsked(told, place=found[0].approval.name[:SHORT], code="already_answered")
        return found[0]

    def _read(self, path: Path, read: Callable[[str, dict[str, Any], str], Any]) -> Any:
        """What a file says, where our key has signed it; None for anything else, which counts as nothing."""
        try:
            line = path.read_bytes()
            return read(*self._signed(line), address_of(line))
        except (OSError, BadRecord, RecordFailed, KeyError, TypeError, ValueError):
            return None

    def _signed(self, line: bytes) -> tuple[str, dict[str, Any]]:
        signer = self._signer()
        return read_statement(open_envelope(line, {signer.key_id: signer.key.public_key()}))

    def _count(self) -> int:
        return sum(each.endswith(".question") for each in os.listdir(self._folder))

    def _drop_old(self, now: datetime) -> None:
        """Takes away what is closed, and what is none of ours."""
        for path in self._folder.glob("*.question"):
            if not self.question(path.stem, now):
                path.unlink(missing_ok=True)
                self._path(path.stem, "answer").unlink(missing_ok=True)

    def _make(self) -> None:
        """The folder; where there is none, from the journal, as far back as a question can be open. OSError."""
        if self._folder.is_dir() or not self._records.is_dir():
            return
        fresh = self._records / f"{FOLDER}.{os.urandom(4).hex()}"
        fresh.mkdir(mode=0o700)
        for name, line in self._open_lines(datetime.now(UTC) - timedelta(seconds=self._valid_for)).items():
            self._put(fresh / name, line)
        try:
            fresh.rename(self._folder)
        except OSError:  # another process was first
            shutil.rmtree(fresh)

    def _open_lines(self, since: datetime) -> dict[str, bytes]:
        """By file, the questions and answers of segments that were written to since then, without what is used up."""
        told: list[tuple[str, str, str, bytes]] = []
        for path in segment_paths(self._records):
            if path.stat().st_mtime >= since.timestamp():
                with path.open("rb") as lines:
                    told.extend(self._approvals_in(lines))
        found: dict[str, bytes] = {}
        for _, name, state, line in sorted(told):
            _remember(found, name, state, line)
        return found

    def _approvals_in(self, lines: Iterable[bytes]) -> Iterator[tuple[str, str, str, bytes]]:
        """When, about which question, and how it stood from then on."""
        for raw in lines:
            line = raw.rstrip(b"\n")
            with contextlib.suppress(BadRecord, KeyError, TypeError, ValueError):  # content, or not ours
                kind, told = self._signed(line)
                if kind == "approval":
                    yield told["time"], told["approval"], "answered", line
                elif kind == "decision" and "approval" in told:
                    yield told["time"], told["approval"]["id"], told["approval"]["state"], line

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """One answer at a time. Nobody who decides waits here."""
        import fcntl  # where there is none, agents are guarded all the same, and nobody answers

        self._make()
        if not self._folder.is_dir():
            raise NotAsked("no question waits for an answer", place=str(self._folder))
        with open(self._folder / "lock", "ab", opener=_private) as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _put(self, path: Path, line: bytes) -> None:
        """A whole file or none."""
        fresh = path.with_name(f"{os.urandom(8).hex()}.tmp")
        with open(fresh, "wb", opener=_private) as file:
            file.write(line)
        fresh.replace(path)

    def _path(self, name: str, what: str) -> Path:
        return self._folder / f"{name}.{what}"


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _remember(found: dict[str, bytes], name: str, state: str, line: bytes) -> None:
    question, answer = f"{name}.question", f"{name}.answer"
    if state == "answered":
        found.setdefault(answer, line)
    elif state == "asked":
        found[question] = line
        found.pop(answer, None)  # one that there was did not hold
    elif state != "denied":
        found.pop(question, None)
        found.pop(answer, None)
