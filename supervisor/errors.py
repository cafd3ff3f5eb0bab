"""Every error that leaves the library: a stable code for programs, one line for people."""

from __future__ import annotations


def shown_place(place: str) -> str:
    """A place as it can be printed and encoded: a stranger's key, or a file's name that is no text, may stand in it."""
    return place if place.isprintable() else ascii(place)[1:-1]


class SupervisorError(Exception):
    """Base of all. `code` is stable across versions; `place` names where the offending value stands, if it has one;
    `told` is the message without it."""

    code = "supervisor_error"

    def __init__(self, message: str, *, code: str | None = None, place: str = "") -> None:
        place = shown_place(place)
        super().__init__(f"{place}: {message}" if place else message)
        self.code = code or type(self).code
        self.place = place
        self.told = message


class BadInput(SupervisorError):
    """An action or its context is not what the contract says. The caller's fault; nothing was decided."""

    code = "bad_input"


class MayNotAnswer(BadInput):
    """Whoever answers for a person has shown nothing that an agent has not got as well."""

    code = "may_not_answer"


class BadPolicy(SupervisorError):
    """A policy file cannot be used."""

    code = "bad_policy"


class BadTaxonomy(SupervisorError):
    """The taxonomy and its specialists do not pair, or an entry does not hold what it promises."""

    code = "bad_taxonomy"


class BadRecord(SupervisorError):
    """A record cannot be read, verified or run again."""

    code = "bad_record"


class RecordFailed(SupervisorError):
    """The store did not take a record, so the decision it belongs to is not proven."""

    code = "record_failed"


class Unreadable(SupervisorError):
    """Evidence cannot be had from this input: too large, too deep, not parsed in time. Becomes a refusal."""

    code = "unreadable"


class NoReader(Unreadable):
    """What runs is in a language that nobody here reads. It hides nothing, so it is not taken for what does."""

    code = "no_reader"


class CutOff(Unreadable):
    """Evidence could not be had in time. Another machine might have it, so a replay takes that as recorded."""

    code = "cut_off"


class DoorFailed(SupervisorError):
    """The outside gave no answer (not configured, unreachable, too slow). Becomes a refusal, never a vote."""

    code = "door_failed"


class NoWorker(SupervisorError):
    """The processes that judge cannot be started, so an action could not be judged."""

    code = "no_worker"


class Deadline(BaseException):
    """Raised inside a specialist whose time is up. No `except Exception` of its own shall hold it up."""


class NoDaemon(SupervisorError):
    """The daemon that SUPERVISOR_URL names does not answer, or not as a daemon does."""

    code = "no_daemon"
