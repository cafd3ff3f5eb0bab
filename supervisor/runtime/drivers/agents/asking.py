"""Whether an agent ends its turn with a question instead of its work."""

from __future__ import annotations

import re

_LONGEST = 4_000  # characters of the last words that are looked at
_MARKS = " \t\n*_`>)\"'"  # of Markdown, around a sentence
_SENTENCE = re.compile(r"[^.!?\n]*[.!?]+|[^.!?\n]+")
# An offer of something beyond the task, or a farewell: the work is done, and nobody has to answer.
_OFFER = re.compile(
    r"\b(?:anything|something|what|more|any(?:thing)? other \w+) (?:else|further|next|more)\b"
    r"|\b(?:also|in addition|additionally|as well|else)\b|\b(?:any|have|other) (?:\w+ )?(?:questions|changes)\b"
    r"|\b(?:how|does|do) (?:does )?(?:that|this|it) (?:look|sound|help|work)\b|\bmake sense\b"
)


def closing_question(words: str) -> str:
    """The questions with which a message ends; empty if it ends with a statement, or only offers more than it was asked
    for."""
    sentences = [each.strip(_MARKS) for each in _SENTENCE.findall(words[-_LONGEST:]) if each.strip(_MARKS)]
    asked: list[str] = []
    while sentences and sentences[-1].endswith("?"):
        asked.insert(0, sentences.pop())
    wanted = [each for each in asked if not _OFFER.search(each.lower())]
    return " ".join(wanted)
