"""Whether a program waits at its terminal for an answer: what the end of its output looks like."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

_ESCAPES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-_]|[\x00-\x08\x0b-\x0c\x0e-\x1f]"
)
_YES_NO = re.compile(r"(.*?)\s*[\[(]\s*\[?(y|yes)\]?\s*/\s*\[?(n|no)\]?\s*[\])]\s*[?:>]?\s*", re.IGNORECASE)
_ENTER = re.compile(r".*\b(?:press|hit|type)\b.{0,20}\b(?:enter|return|any key)\b.*", re.IGNORECASE)
_TO_GO_ON = re.compile(r".*\b(?:to continue|to proceed|to go on)\b.*", re.IGNORECASE)
_WANTED = re.compile(r"^(?:do you want|would you like|do you wish) to\b", re.IGNORECASE)
_LINES = 40  # before the prompt, which may tell what it is about


class Kind(StrEnum):
    """What a program waits for."""

    YES_NO = "yes or no"
    ENTER = "a key"
    TEXT = "a line"
    SECRET = "a secret"  # noqa: S105 - a kind of prompt


@dataclass(frozen=True, slots=True)
class Prompt:
    """A program waits after this line. `before` is what it has printed before that, the last lines of it."""

    kind: Kind
    line: str
    before: tuple[str, ...] = ()
    yes: str = "y"
    no: str = "n"
    prefers_no: bool = False

    @property
    def may_be_needless(self) -> bool:
        """Whether it only asks to go on, as far as its form tells: it offers yes or a key, and does not prefer a no."""
        return self.kind is Kind.ENTER or (self.kind is Kind.YES_NO and not self.prefers_no)

    @property
    def question(self) -> str:
        """What it asks in words, after what it says before, as an agent would ask it."""
        asked = self.line
        if self.kind is Kind.YES_NO and (found := _YES_NO.fullmatch(self.line)):
            asked = _WANTED.sub("Do you want me to", found[1].strip())
        elif self.kind is Kind.ENTER and _TO_GO_ON.fullmatch(self.line):
            asked = "Continue?"
        said = " ".join(f"{line.rstrip('.:!?')}." for line in self.before)
        return f"{said} {asked.rstrip(':> ?')}?".strip()

    def typed(self, answer: str) -> str:
        """The line to type for an answer."""
        if self.kind is Kind.ENTER:
            return ""
        if self.kind is Kind.YES_NO:
            return self.yes if answer == "yes" else self.no
        return " ".join(answer.split())


def prompt_in(shown: str, *, hides: bool = False) -> Prompt | None:
    """What a program waits for that has printed this, and is silent; None if it is not seen to wait. `hides` says that
    what is typed would not be shown. Only a line that has not ended, and has the form of a question, is one: whatever
    else is silent may be at work."""
    *before, last = _ESCAPES.sub("", shown).replace("\r\n", "\n").split("\n")
    line = last.rsplit("\r", 1)[-1].strip()
    told = tuple(each.rsplit("\r", 1)[-1].strip() for each in before if each.strip())[-_LINES:]
    if not line:
        return None
    if hides:
        return Prompt(Kind.SECRET, line, told)
    if found := _YES_NO.fullmatch(line):
        return Prompt(Kind.YES_NO, line, told, found[2].lower(), found[3].lower(), prefers_no=_prefers_no(found))
    if _ENTER.fullmatch(line):
        return Prompt(Kind.ENTER, line, told)
    return Prompt(Kind.TEXT, line, told) if line.endswith("?") else None


def _prefers_no(found: re.Match[str]) -> bool:
    """Whether the no is what plain Enter means: it is written large, or in brackets of its own."""
    return (found[3][0].isupper() and not found[2][0].isupper()) or "[n" in found[0].lower().rpartition("/")[2]
