"""Whether a text with other than inert characters may be masked, because nothing in it is code.

Masking precedes every specialist, so masked code would run unseen. Specialists recognise only what a model names: a
program, a word of a language, a path, an order in prose. A text without any of these has no meaning for them.
"""

from __future__ import annotations

import binascii
import contextlib
import re
from collections.abc import Iterator

from supervisor.evidence.secrets.chance import is_random, worded
from supervisor.evidence.secrets.programs import NAMES

# Words of the languages of actions. The programs are those that the readers of commands know.
_LANGUAGE = frozenset(
    "sh bash zsh ksh dash fish eval exec source sudo doas su nohup time xargs python node ruby perl php import require "
    "include system popen subprocess os open unlink remove rmtree getattr globals compile function process console "
    "child_process document window script iframe img svg onerror onload javascript alert fetch drop delete truncate "
    "union select insert update alter grant revoke execute waitfor sleep benchmark xp_cmdshell or and like where from "
    "into having null true false rd del rmdir format iex invoke curl wget ignore disregard instructions cmd powershell "
    "chmod chown return throw await lambda echo printf cd test set unset export alias cat let declare local trap "
    "wait pwd "
    "history type command builtin git make".split()
)
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_COMMAND = re.compile(r"(?:^|[;|&(`{}\s\"'$<>=,])(?:[\w.~-]*/)*([A-Za-z][\w.-]*)")
_PATH = re.compile(r"[\w.~-]*/[\w./-]*")
_BARE_CHARACTERS = re.compile(r"[A-Za-z0-9_+/.~:%=@,^#*?!-]*")
# A path that may lead to a program: up the tree, or to a last part in small letters.
_SUBSTITUTED = re.compile(r"(?:[$<>]\(|`)\s*[a-z]{2,}(?:[\s;|&)`}<>$/.-]|$)")
_LEADS = re.compile(r"\.\.?/|/[a-z][a-z0-9_.+-]{2,}$")
_BASE64, _HEX = re.compile(r"[A-Za-z0-9+/_-]{8,}={0,2}"), re.compile(r"(?:[0-9A-Fa-f]{2}){5,}")
_STANDARD = str.maketrans("-_", "+/")
_ORDER = 5  # words: a sentence may be an order
_SENTENCE = 12  # characters, in a script without spaces between words
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_MOST_WORDS = 0.5


def is_inert(text: str) -> bool:
    """Whether a text has no meaning for any specialist."""
    if _is_order(text) or _LEADS.search(text) or any(not is_inert(each) for each in _encoded_in(text)):
        return False
    if _BARE_CHARACTERS.fullmatch(text):
        return "/" not in text or not _is_wordy(text)
    if any(_is_wordy(path) for path in _PATH.findall(text)):
        return False
    if any(word.lower() in _LANGUAGE for word in _WORD.findall(text)):
        return False
    return not _SUBSTITUTED.search(text) and not any(command in NAMES for command in _COMMAND.findall(text))


def _encoded_in(text: str) -> Iterator[str]:
    """The text that a text encodes in Base64 or hexadecimal digits: it may be a script for a shell."""
    for alphabet, decode in ((_BASE64, _from_base64), (_HEX, binascii.unhexlify)):
        if alphabet.fullmatch(text):
            with contextlib.suppress(binascii.Error, UnicodeDecodeError):  # a key's bytes are not text
                inner = decode(text).decode()
                if inner.replace("\n", "").replace("\t", "").isprintable():
                    yield inner


def _from_base64(text: str) -> bytes:
    return binascii.a2b_base64(text.translate(_STANDARD) + "=" * (-len(text) % 4))


def _is_wordy(path: str) -> bool:
    return len(path) > 2 and worded(path) >= _MOST_WORDS


def _is_order(text: str) -> bool:
    if not text.isascii() and not is_random(text):
        return len(text) >= _SENTENCE
    return len(_LETTERS.findall(text)) >= _ORDER and worded(text) >= _MOST_WORDS
