"""A statement as its words, for what has no tree: rights, settings, commands of a single server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot.tokens import TokenType

from supervisor.evidence.sql.tokens import tokenize

MAX_WORDS = 4_096


def words_of(text: str, tokens: Sequence[Any], dialect: str) -> tuple[str, ...]:
    """The words in upper case. A string keeps its case, in `'…'`; a quoted name is in upper case, in `"…"`."""
    if len(tokens) == 2 and tokens[1].token_type == TokenType.STRING and text.endswith(tokens[1].text):
        # sqlglot makes a single string of all text after an unknown command
        tokens = [tokens[0], *tokenize(text[len(tokens[0].text) :], dialect)]
    return tuple(word for token in tokens[:MAX_WORDS] for word in _words(token))


def _words(token: Any) -> list[str]:
    kind = token.token_type
    if kind == TokenType.IDENTIFIER:
        return [f'"{token.text.upper()}"']
    if kind.name.endswith("STRING"):
        return [f"'{token.text}'"]
    return str(token.text).upper().split()


def has_phrase(words: Sequence[str], *phrase: str) -> bool:
    """Whether these words occur in sequence; a word may have alternatives: `"PUBLICATION|SUBSCRIPTION"`."""
    wanted = [frozenset(each.split("|")) for each in phrase]
    last = len(words) - len(wanted)
    return any(all(words[at + n] in one for n, one in enumerate(wanted)) for at in range(last + 1))


def starts(words: Sequence[str], *phrase: str) -> bool:
    """Whether these are the first words, with alternatives as in `has_phrase`."""
    return has_phrase(words[: len(phrase)], *phrase)
