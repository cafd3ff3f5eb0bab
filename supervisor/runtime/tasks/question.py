"""What a person is asked while no process runs, and what the person has answered."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

ALLOW, DENY = "allow", "deny"  # an action
RETRY, GIVE_UP = "retry", "give-up"  # a task that has failed


@dataclass(frozen=True, slots=True)
class Question:
    """`choices` are the possible answers; without any, the answer is a text. `digest` binds the answer to one exact
    call, `about` shows that call. `raises` is the cap on spending that the answer RETRY raises."""

    text: str
    choices: tuple[str, ...] = ()
    digest: str = ""
    about: str = ""
    raises: str = ""

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "choices": list(self.choices)}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Question:
        return cls(
            stored["text"], tuple(stored["choices"]), stored["digest"], stored["about"], stored.get("raises", "")
        )


@dataclass(frozen=True, slots=True)
class Given:
    """A person's answer to the question with this id, which was asked with `choices`. It holds for the call with the
    digest, once."""

    id: str
    digest: str
    about: str
    answer: str
    by: str
    note: str = ""
    is_text: bool = False


def digest_of(tool: str, args: Mapping[str, Any]) -> str:
    """Binds an answer to a call: the SHA-256 of its tool and its arguments."""
    return hashlib.sha256(json.dumps([tool, args], sort_keys=True, default=str).encode()).hexdigest()
