"""Removes from a long script what has no effect: comments, blank lines, runs of `:` and `true`, pipes through `cat`.

It runs before the parser, in linear time, so that a megabyte of padding hides no command. It follows quotes and
here-documents as bash does. From the first construct that it does not follow (a backquote, arithmetic, an array, an
operator in `${…}`, a substitution between double quotes), the rest stays unchanged: it may keep padding, but never
drops or changes a command.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

# At the start of a command: blank lines, comments, and commands that do nothing and succeed. One such command is kept,
# since `then` and `do` need one, and `if` tests the last status. The end of a line may belong to a here-document.
_IDLE = re.compile(r"(?:[ \t]*+(?:(?:#[^\n]*+)?\n|((?::|true)(?=[ \t\n;]))[ \t]*+(?:;(?![;&])|\n)))++")
_PASSED_ON = re.compile(r"(?:[ \t\n]*+cat[ \t]*+\|(?![|&]))++")
_TOKEN = re.compile(
    r"(?P<end>\n|;(?![;&]))"
    r"|(?P<pipe>\|(?![|&]))"
    r"|(?P<comment>(?:(?<=[\s;&|])|\A)#[^\n]*+)"
    r"|(?P<heredoc><<(?P<tabs>-?)[ \t]*+(?:(?P<quote>['\"])(?P<quoted>[\w.-]++)(?P=quote)|(?P<bare>[A-Za-z_]\w*+))"
    r"(?=[\s;|&)<>]))"
    r"|(?P<kept>(?:"
    r"[^\n;|#<'\"\\$`=(\[]|;[;&]+|\|[|&]|(?<![\s;&|()<>])#|<(?!<)|<<<"  # words, blanks and other operators
    r"|'[^']*+'|\"(?:[^\"\\`$]|\\[\s\S]|\$\{\w++\}|\$(?![({\[]))*+\""
    r"|\\(?!\n#)[\s\S]#*+"  # after an escaped blank, a # belongs to the word
    r"|\$'(?:[^'\\]|\\[\s\S])*+'|\$\{\w++\}|\$(?![({\['])[#\w?!@*$-]?"
    r"|\$?\((?![(#])|=(?![(~])|\[(?!#)"
    r")++)"
)
_MOST_TOKENS = 20_000  # of about 2 µs each; a longer script is not padding


def without_padding(script: str) -> str:
    """The script without what has no effect, as far as it can be followed."""
    return "".join(_kept(script))


def _kept(script: str) -> Iterator[str]:
    place = 0
    pending: list[re.Match[str]] = []  # the here-documents whose text begins on the next line
    if found := _IDLE.match(script):
        yield _instead(found)
        place = found.end()
    for _ in range(_MOST_TOKENS):
        if (found := _TOKEN.match(script, place)) is None:
            break
        place = found.end()
        if found["comment"] is None:
            yield found[0]
        if found["heredoc"]:
            pending.append(found)
        elif found["end"] == "\n" and pending:
            end = _end_of_texts(script, place, pending)
            if end < 0:
                break
            yield script[place:end]
            place, pending = end, []
        if found["end"] and not pending and (idle := _IDLE.match(script, place)):
            yield _instead(idle)
            place = idle.end()
        elif found["pipe"] and (passed := _PASSED_ON.match(script, place)):
            place = passed.end() if "\n" not in passed[0] or not pending else place
    yield script[place:]


def _instead(idle: re.Match[str]) -> str:
    return ":\n" if idle[1] else ""


def _end_of_texts(script: str, place: int, pending: list[re.Match[str]]) -> int:
    """The index where the here-documents that begin at `place` end; -1 if that is unknown."""
    for each in pending:
        word = each["quoted"] or each["bare"]
        start = script.find(f"\n{word}\n", place - 1) + 1
        if each["tabs"] or not start:
            tabs = "\t*" if each["tabs"] else ""
            last = re.compile(rf"^{tabs}{re.escape(word)}(?:\n|\Z)", re.MULTILINE).search(script, place)
            start = last.start() if last else 0
        if not start or (each["bare"] and script.endswith("\\\n", 0, start)):
            return -1  # unterminated, or the line continues the one before
        place = min(script.find("\n", start) + 1 or len(script), len(script))
    return place
