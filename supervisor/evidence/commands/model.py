"""What the model says of one program. `store` loads it, `reader` applies it to a command line."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, StrEnum
from typing import NamedTuple


class Arity(Enum):
    """Whether an option has a value. An OPTIONAL one stands in the same word: `-i.bak`, `--color=always`."""

    NONE = 0
    ONE = 1
    OPTIONAL = 2


class Role(StrEnum):
    """What a program does with one value of its command line."""

    TEXT = "text"  # nothing that the model has a word for
    READS = "reads"  # a file whose contents go on: to the output, an archive, a copy, the network
    TREES = "trees"  # a file, or a folder with all files below it, whose contents go on
    USES = "uses"  # a file that the program needs for itself: a key, a configuration, a certificate
    NAMES = "names"  # a file that is listed, checked, counted or changed; none of its contents goes on
    WRITES = "writes"  # a file that gets what the program reads
    BASE = "base"  # the directory in which the operands behind it are looked up
    DATA = "data"  # a text to send, or `@file`, or `name@file`
    BODY = "body"  # a text to send
    FORM = "form"  # `name=text`, `name=@file` or `name=<file` to send
    ITEM = "item"  # HTTPie's `name=text`, `name@file`, `name:header`
    HEADER = "header"  # a line before the body that is sent
    SENDS = "sends"  # a file to send; `-` is standard input
    URL = "url"  # an address that is requested
    HOST = "host"  # the host of a connection, with or without a user before it
    SOCKET = "socket"  # socat's `TCP:host:port` or `FILE:path`
    COPY = "copy"  # a path, or `host:path` on another machine
    MAIL = "mail"  # the address of a letter
    SCRIPT = "script"  # a file whose contents run; `-` is standard input
    CODE = "code"  # a text that runs


class Stdin(StrEnum):
    """What a program does with its standard input if no operand names a file."""

    PASSES = "passes"  # its output contains it
    RUNS = "runs"
    SENDS = "sends"
    NAMES = "names"  # it lists files whose contents go on
    UNUSED = "unused"


class Stdout(StrEnum):
    """What a program's standard output, or the file in its place, shows."""

    CONTENTS = "contents"
    SUMMARY = "summary"  # sizes, sums, names, differences in number: none of the contents
    SILENT = "silent"
    REMOTE = "remote"  # what another machine answers
    DUMP = "dump"  # a whole database
    PROJECT = "project"  # the files of a whole repository


class Dialect(Enum):
    """The syntax of a program's options. POSIX.1-2024, XBD 12.2; getopt_long(3), "Argp" in the GNU C Library manual.

    Each value is: (name, long options may be abbreviated, options may follow operands, letters may be joined, one
    dash begins a long name)
    """

    GNU = ("GNU", True, True, True, False)
    PLAIN = ("plain", False, True, True, False)  # popt, cobra, clap, curl
    POSIX = ("POSIX", True, False, True, False)  # stops at the first operand: env, xargs, ssh
    SINGLE = ("single dash", False, True, False, True)  # find, openssl, java, Go's `flag`
    PAIRS = ("pairs", False, True, False, False)  # dd: `if=file`
    BUNDLED = ("bundled", True, True, True, False)  # tar: GNU, and a first word of letters without a dash

    @property
    def abbreviates(self) -> bool:
        return self.value[1]

    @property
    def permutes(self) -> bool:
        return self.value[2]

    @property
    def clusters(self) -> bool:
        return self.value[3]

    @property
    def has_one_dash(self) -> bool:
        return self.value[4]


class Option(NamedTuple):
    """An option under all of its names, the first of which stands for all. `replaces`: if it is given, the program's
    first operand is missing, as the pattern of `grep -e x`."""

    names: tuple[str, ...]
    arity: Arity = Arity.NONE
    role: Role = Role.TEXT
    replaces: bool = False

    @property
    def name(self) -> str:
        return self.names[0]


class Mode(NamedTuple):
    """What changes if one of some options is given: `tar -c` reads its operands, `tar -x` does not."""

    options: frozenset[str]
    operands: tuple[str, ...] | None = None
    roles: Mapping[str, Role] = {}
    stdin: Stdin | None = None
    stdout: Stdout | None = None


class Program(NamedTuple):
    """A program, or one of its subcommands.

    `options` are found by every name; `operands` are roles in order, where `reads*` stands for any number;
    `verbs` are subcommands by their words; `rehearses` are the options with which nothing is done but shown or checked;
    `is_meant` is whether its meaning is known, and not only its options. An entry may say that it is not.
    """

    dialect: Dialect = Dialect.GNU
    options: Mapping[str, Option] = {}
    operands: tuple[str, ...] = ()
    verbs: Mapping[str, Program] = {}
    modes: tuple[Mode, ...] = ()
    rehearses: frozenset[str] = frozenset()
    stdin: Stdin = Stdin.UNUSED
    stdout: Stdout | None = None
    is_meant: bool = False
