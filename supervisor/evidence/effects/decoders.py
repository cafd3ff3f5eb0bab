"""Programs and expressions that decode an unreadable text into one that can be run."""

from __future__ import annotations

import re2

from supervisor.evidence.shell import Command

_BASES = frozenset({"base16", "base32", "base64", "basenc", "gbase32", "gbase64", "uudecode", "ascii85"})
_UNPACKERS = frozenset({"bunzip2", "bzcat", "gunzip", "unlzma", "unxz", "unzstd", "xzcat", "zcat", "zstdcat"})
_PACKERS = frozenset({"bzip2", "gzip", "lzma", "pigz", "xz", "zlib-flate", "zstd"})
# Two consecutive characters written as numeric escapes: ordinary text is not written so.
_ESCAPED = re2.compile(r"(?:\\x[0-9A-Fa-f]{1,2}|\\0?[0-7]{3}|\\u[0-9A-Fa-f]{4}){2}")
_ROTATED = re2.compile(r"(?i)n-za-m|[b-y]-z?a-[a-x]|p-~!-o")
_PRINTS = frozenset({"echo", "printf"})
# Expressions that decode, in the languages used for one-liners.
DECODING = re2.compile(
    r"(?i)b(?:16|32|64|85)decode|decodebytes|decode_base64|base64_decode|base64\.(?:strict_)?decode64|fromhex|unhexlify"
    r"|a2b_(?:base64|hex)|rot_?13|str_rot13|hex2bin|frombase64string|atob\s*\(|from\([^()]*,\s*['\"](?:base64|hex)"
    r"|unpack\s*\(?\s*['\"][HhmuU]|\.unpack1?\(?\s*['\"]m|pack\s*\(?\s*['\"][HhmuU]|marshal\.loads|fromcharcode"
)
# Functions that run a text, in the languages that have no parser here.
_EVALUATING = re2.compile(
    r"(?i)\b(?:eval|exec|execSync|system|assert|passthru|instance_eval|loadstring|iex)\b|new Function\("
)
# Functions that run a text and nothing else, and those that receive one.
_RUNS_TEXT = re2.compile(r"(?i)\b(?:eval|instance_eval|loadstring|assert|iex)\b|new Function\(")
_RECEIVES = re2.compile(
    r"(?i)(?:file_get_contents|fopen|\bopen|\bget|fetch|read|Simple|request|DownloadString|Invoke-\w+|\birm|\biwr|curl|wget)"
    r"\b[^;]{0,200}?https?://"
)
LANGUAGES = ("bun", "deno", "lua", "node", "perl", "php", "pwsh", "powershell", "ruby")


def decodes(command: Command) -> bool:
    """Whether a command's output is the decoded form of its input."""
    program = command.program
    if program in _BASES:
        return program == "uudecode" or command.has_flag("-d", "-D", "--decode", valued="w")
    if program == "openssl":
        return "-d" in command.args and bool(command.args) and command.args[0] not in ("dgst", "x509", "s_client")
    if program == "xxd":
        return any(word.startswith("-") and "r" in word for word in command.args)
    if program == "rev":
        return True
    if program == "tr":
        return bool(_ROTATED.search("".join(command.args[1:2])))
    if program in _PRINTS:
        return (program == "printf" or command.has_flag("-e")) and is_escaped(command.text)
    if program.startswith((*LANGUAGES, "awk", "gawk", "mawk", "python")):
        return any(DECODING.search(word[:16_384]) for word in command.args)
    return False


def is_escaped(text: str) -> bool:
    """Whether a text writes several consecutive characters as numeric escapes."""
    return bool(_ESCAPED.search(text))


def unpacks(command: Command) -> bool:
    """Whether a command's output is the unpacked form of a file."""
    return command.program in _UNPACKERS or (command.program in _PACKERS and command.has_flag("-d", "--decompress"))


def evaluates_decoded(code: str) -> bool:
    """Whether code in one of LANGUAGES runs a text that it decodes."""
    return bool(DECODING.search(code[:65_536])) and bool(_EVALUATING.search(code[:65_536]))


def evaluates_received(code: str) -> bool:
    """Whether code in one of LANGUAGES runs a text that it receives from an address."""
    return bool(_RECEIVES.search(code[:65_536])) and bool(_RUNS_TEXT.search(code[:65_536]))
