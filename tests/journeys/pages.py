"""What a page asks its reader to do: the fenced blocks below its headings.

A `sh` block is typed. A `text` block right after it is what is then printed, where `…` is any text within a line, or
any lines if it stands alone; its last line may be `(exit code 1)`. A block of another language whose first line is a
comment with a file's name is saved as that file. A block without a language is typed too, and is not run by tests: it
installs the library itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import tree_sitter_bash
from tree_sitter import Language, Node, Parser

_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$\n*(?:^```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"^(?:#|--|//) ([\w./-]+\.\w+)(?:;.*)?\n")
_EXIT = re.compile(r"^\(exit code (\d+)\)\n\Z", re.MULTILINE)
_BASH = Parser(Language(tree_sitter_bash.language()))


@dataclass(frozen=True)
class Block:
    """A fenced block, and what the page says that it prints; None where the page does not say."""

    language: str
    text: str
    printed: str | None

    @property
    def file(self) -> str:
        """The name of the file that it is; empty for commands."""
        found = _FILE.match(self.text)
        return found[1] if found and self.language not in ("", "sh", "text") else ""

    @property
    def commands(self) -> list[str]:
        """Each command that is typed. A pipeline, a list and a here-document are one."""
        return [_text(node) for node in self._script.named_children if node.type != "comment"]

    def calls_of(self, program: str) -> Iterator[list[str]]:
        """The words after the program's name wherever it is called, also in substitutions, without their quotes."""
        found = [self._script]
        while found:
            node = found.pop()
            found += node.named_children
            if node.type == "command" and (name := node.child_by_field_name("name")) and _text(name) == program:
                yield [_text(each).strip("\"'") for each in node.children_by_field_name("argument")]

    @property
    def _script(self) -> Node:
        return _BASH.parse(self.text.encode() if self.language in ("", "sh") else b"").root_node

    @property
    def steps(self) -> int:
        return len(self.commands) + bool(self.file)

    @property
    def code(self) -> int:
        """The exit code that the page announces."""
        found = _EXIT.search(self.printed or "")
        return int(found[1]) if found else 0

    def prints(self, output: str) -> bool:
        """Whether this is the output that the page shows. Spaces at the ends of lines do not count."""
        if self.printed is None:
            return True
        shown = _EXIT.sub("", self.printed)
        return re.fullmatch("".join(map(_pattern, _lines(shown))), "".join(_lines(output))) is not None


def _text(node: Node) -> str:
    return (node.text or b"").decode()


def _lines(text: str) -> list[str]:
    """The lines without the spaces at their ends, and without empty ones before and after them."""
    return [f"{line.rstrip()}\n" for line in text.strip("\n ").splitlines()]


def _pattern(line: str) -> str:
    return r"(?:.*\n)*" if line == "…\n" else ".*".join(map(re.escape, line.split("…")))


def sections(page: Path) -> dict[str, str]:
    """The text below each heading of the second level; the text before the first stands under the empty name."""
    before, *rest = _HEADING.split(page.read_text(encoding="utf-8"))
    return {"": before} | dict(zip(rest[::2], rest[1::2], strict=True))


def promised_steps(text: str) -> int:
    """How many steps a text promises at its beginning: commands that are typed and files that are written."""
    (number,) = re.findall(r"\b(\d+) steps\b", text)
    return int(number)


def blocks(text: str) -> Iterator[Block]:
    """The blocks of a text, in order."""
    for language, body, printed in _BLOCK.findall(text):
        yield Block(language, body, printed or None)
