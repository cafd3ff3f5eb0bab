"""Every error that leaves the library: a stable code for programs, one line for people."""

from __future__ import annotations


def shown_place(place: str) -> str:
    """A place that can be printed and encoded: it may contain an untrusted key, or a file name that is not text."""
    return place if place.isprintable() else ascii(place)[1:-1]


class SupervisorError(Exception):
    """Base of all. `code` is stable across versions. `place` locates the offending value, if there is one. `message` is
    the message without the place."""

    code = "supervisor_error"

    def __init__(self, message: str, *, code: str | None = None, place: str = "") -> None:
        place = shown_place(place)
        super().__init__(f"{place}: {message}" if place else message)
        self.code = code or type(self).code
        self.place = place
        self.message = message


class BadInput(SupervisorError):
    """An action or its context violates the contract. The caller's fault; nothing was decided."""

    code = "bad_input"


class MayNotAnswer(BadInput):
    """An answer to an approval came without proof that a person gave it: an agent could have sent it as well."""

    code = "may_not_answer"


class BadPolicy(SupervisorError):
    """A policy file cannot be used."""

    code = "bad_policy"


class BadTaxonomy(SupervisorError):
    """An entry of the taxonomy and its specialist do not pair, or the specialist fails a case of its entry."""

    code = "bad_taxonomy"


class BadRecord(SupervisorError):
    """A record cannot be read, verified or replayed."""

    code = "bad_record"


class NoRecords(BadRecord):
    """A folder has no records. Nothing is wrong with the question, but there is nothing to answer it from."""

    code = "no_records"


class RecordFailed(SupervisorError):
    """A record could not be written, so there is no proof of its decision."""

    code = "record_failed"


class Unreadable(SupervisorError):
    """The input cannot be parsed for evidence: too large, too deep, too slow. Becomes a refusal."""

    code = "unreadable"


class NoReader(Unreadable):
    """The code that runs is in a language without a parser here. It is not treated as an attempt to hide something."""

    code = "no_reader"


class CutOff(Unreadable):
    """The evidence was not read in time. A faster machine might read it, so a replay takes the refusal as recorded."""

    code = "cut_off"


class DoorFailed(SupervisorError):
    """A door gave no answer (not configured, unreachable, too slow). Becomes a refusal, never a vote."""

    code = "door_failed"


class NoWorker(SupervisorError):
    """The worker processes cannot be started, so an action could not be judged."""

    code = "no_worker"


class Deadline(BaseException):
    """Raised inside a specialist that exceeds its budget. A BaseException: `except Exception` does not catch it."""


class NoDaemon(SupervisorError):
    """The daemon at SUPERVISOR_URL does not answer, or its answer is not a daemon's."""

    code = "no_daemon"
