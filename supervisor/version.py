"""The version of this library. A literal, because reading the installed metadata would cost every start 25 ms."""

VERSION = "0.2.0"
