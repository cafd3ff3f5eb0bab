"""The version of this library. A literal: asking the installation's metadata would cost every start 25 ms."""

VERSION = "0.2.0"
