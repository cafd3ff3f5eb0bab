"""Characters that look, count or combine otherwise than they seem, in whatever is read as a language of its own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from tests.hostile.inputs import Input, acts
from tests.hostile.shapes import noise, random_bytes

_EVERY_THIRD = "".join(map(chr, [*range(1, 0xD800, 3), *range(0xE000, 0x11000, 3)]))
TRICKS = {
    "invisible characters": "r\u200bm\u200d -r\u2060f /\ufeff" * 500,
    "overridden direction": "\u202e/ fr- mr\u202c\u2066" * 500,
    "homoglyphs": "rм -rf /еtс" * 500,  # noqa: RUF001
    "combining marks": "e" + "\u0301\u0323" * 20_000,
    "marks of all orders": "a" + noise("\u0301\u0316\u0334\u0345\u05b0\u0f71", 30_000),
    "mixed line ends": "a\r\nb\rc\nd\u2028e\u2029f\x0bg\x0ch\x85" * 1_000,
    "characters beyond 16 bits": "𝐫𝐦 -𝐫𝐟 😀👩‍👩‍👧‍👦" * 1_000,  # noqa: RUF001
    "private characters": "\ue000\ue001 rm /\ue000" * 1_000,
    "control characters": "".join(map(chr, range(1, 32))) * 500 + "\x7f\x9b",
    "what grows when folded": "\ufdfa" * 5_000 + "ß" * 5_000 + "İ" * 5_000,
    "what grows when decomposed": "\u0390" * 9_000 + "\U0001d160" * 5_000,
    "figures of all scripts": "٠١٢३४५๖๗๘" * 2_000,
    "every third character": _EVERY_THIRD,
    "noncharacters": "\ufffe\uffff\U0010ffff\ufdd0" * 5_000,
    "wide letters": "ｒｍ　－ｒｆ　／" * 2_000,  # noqa: RUF001
    "overlong UTF-8 seen as Latin-1": "\xc0\xaf\xe0\x80\xaf" * 5_000,
}
_PLACES = {  # what the text is read as: the tool, and the argument that holds it
    "shell": ("bash", "command"),
    "python": ("python", "code"),
    "sql": ("sql", "query"),
    "web": ("click", "url"),
    "paths": ("write_file", "path"),
    "patterns": ("ask_user", "question"),
}
_HALVES = {"a low half": "\udc80", "a high half": "\ud800", "halves the wrong way round": "\udfff\ud800"}


def inputs() -> Iterator[Input]:
    for trick, text in TRICKS.items():
        for engine, (tool, argument) in _PLACES.items():
            yield acts(engine, trick, tool, partial(dict, {argument: text}), partial(dict, task=text, cwd="/srv/shop"))
    for half, text in _HALVES.items():
        for engine, (tool, argument) in _PLACES.items():
            yield acts(engine, half, tool, partial(dict, {argument: f"a{text}"}), bad="lone_surrogate")
    for engine, (tool, argument) in _PLACES.items():
        yield acts(engine, "a NUL", tool, partial(dict, {argument: "ls\0 -la"}), bad="nul_character")
    yield from _encoded()


def _encoded() -> Iterator[Input]:
    """Texts of whole proposals in encodings that are none."""
    good = '{"tool": "bash", "args": {"command": "ls"}}'
    texts = {
        "random bytes": (random_bytes(100_000), "not_utf8"),
        "UTF-16": (good.encode("utf-16"), "not_utf8"),
        "UTF-32": (good.encode("utf-32"), "not_utf8"),
        "an overlong slash": (good.encode().replace(b"ls", b"\xc0\xaf"), "not_utf8"),
        "a half in UTF-8": (good.encode().replace(b"ls", b"\xed\xa0\x80"), "not_utf8"),
        "a byte order mark": ("\ufeff" + good, "not_json"),
        "a bare NUL": (good.replace("ls", "\0"), "not_json"),
        "an escaped NUL": (good.replace("ls", "\\u0000"), "nul_character"),
        "an escaped half": (good.replace("ls", "\\ud800"), "lone_surrogate"),
    }
    for name, (text, code) in texts.items():
        yield Input("proposals", name, partial(_same, text), bad=code)


def _same(text: str | bytes) -> str | bytes:
    return text
