"""Exporting records: as JSON lines, Parquet or syslog messages, to a file, a folder, an S3 bucket or a receiver.

A folder or a bucket gets one file for each segment, so that an export that is repeated replaces what it wrote. A file
appears when it is complete. Parquet and S3 need pyarrow (the extra `export`).
"""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import socket
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal

import orjson

from supervisor.errors import BadInput
from supervisor.records.rows import TEXTS, Row
from supervisor.records.syslog import connected, is_address, message

Format = Literal["jsonl", "parquet", "syslog"]
_ENDINGS: dict[Format, str] = {"jsonl": ".jsonl", "parquet": ".parquet", "syslog": ".log"}
_AT_ONCE = 1000  # rows of a Parquet batch
_S3 = "s3://"
_EXTRA = "needs pyarrow: pip install 'supervisor-guard[export]'"


@dataclass(frozen=True, slots=True)
class Destination:
    """Where an export goes: `-` (standard output), a file, a folder (it exists, or its name ends with a slash),
    `s3://BUCKET/PREFIX/` or one object, or `udp://`, `tcp://`, `unix:` for syslog. `endpoint` is the URL of an
    S3-compatible store; without one, it is Amazon's."""

    to: str
    endpoint: str | None = None

    @property
    def is_stream(self) -> bool:
        """Whether all rows go to one place."""
        return self.to == "-" or is_address(self.to) or not (self.to.endswith("/") or os.path.isdir(self.to))


def export(rows: Iterable[tuple[str, Row]], form: Format, destination: Destination, out: IO[bytes]) -> int:
    """Writes rows, each with the name of its segment; the number of them. `out` is standard output. Raises BadInput if
    the destination or a package it needs is not there, OSError if it cannot be written."""
    counted = itertools.count()  # its next number is that of the rows which were taken
    each_counted = ((segment, row) for (segment, row), _ in zip(rows, counted, strict=False))
    _check(form, destination)
    if is_address(destination.to):
        with connected(destination.to) as send:
            for _, row in each_counted:
                send(message(row, socket.gethostname()))
    elif destination.is_stream:
        _WRITERS[form]((row for _, row in each_counted), destination.to, destination, out)
    else:
        for segment, group in itertools.groupby(each_counted, lambda each: each[0]):
            place = f"{destination.to.rstrip('/')}/{segment}{_ENDINGS[form]}"
            _WRITERS[form]((row for _, row in group), place, destination, out)
    return next(counted)


def _check(form: Format, destination: Destination) -> None:
    """Raises BadInput for a destination that the format does not have, before anything is read."""
    if is_address(destination.to) and form != "syslog":
        raise BadInput("takes syslog messages; add --format syslog, or name a file", place=destination.to)
    if destination.to.startswith(_S3) and not destination.to.removeprefix(_S3).strip("/"):
        raise BadInput("names no bucket, as s3://bucket/prefix/ does", place=destination.to)
    scheme, found, _ = destination.to.partition("://")
    if found and scheme not in ("s3", "udp", "tcp"):
        known = "a file, a folder, -, s3://, udp://, tcp:// and unix:"
        raise BadInput(f"is no known destination; there are {known}", place=destination.to)
    if form == "parquet" or destination.to.startswith(_S3):
        _pyarrow(f"{form} to {destination.to}")


def _write_lines(lines: Iterable[bytes], place: str, destination: Destination, out: IO[bytes]) -> None:
    with _opened(place, destination, out) as file:
        for line in lines:
            file.write(line + b"\n")


def _write_jsonl(rows: Iterable[Row], place: str, destination: Destination, out: IO[bytes]) -> None:
    _write_lines(map(orjson.dumps, rows), place, destination, out)


def _write_syslog(rows: Iterable[Row], place: str, destination: Destination, out: IO[bytes]) -> None:
    host = socket.gethostname()
    _write_lines((message(row, host) for row in rows), place, destination, out)


def _write_parquet(rows: Iterable[Row], place: str, destination: Destination, out: IO[bytes]) -> None:
    arrow = _pyarrow("parquet")
    from pyarrow.parquet import ParquetWriter

    columns = [(name, arrow.string()) for name in TEXTS]
    columns += [("by", arrow.list_(arrow.string())), ("elapsed_ms", arrow.float64()), ("predicate", arrow.string())]
    schema, remaining = arrow.schema(columns), iter(rows)
    with _opened(place, destination, out) as file, ParquetWriter(file, schema, compression="zstd") as writer:
        while batch := list(itertools.islice(remaining, _AT_ONCE)):
            flat = [row | {"predicate": orjson.dumps(row["predicate"]).decode()} for row in batch]
            writer.write_table(arrow.Table.from_pylist(flat, schema=schema))


_WRITERS: dict[Format, Callable[[Iterable[Row], str, Destination, IO[bytes]], None]] = {
    "jsonl": _write_jsonl,
    "parquet": _write_parquet,
    "syslog": _write_syslog,
}


@contextlib.contextmanager
def _opened(place: str, destination: Destination, out: IO[bytes]) -> Iterator[IO[bytes]]:
    """A file to write to, which appears at its place once it is complete."""
    if place == "-":
        yield out
        return
    is_local = not place.startswith(_S3)
    if is_local:
        Path(place).absolute().parent.mkdir(parents=True, exist_ok=True)
    opened, fresh = tempfile.mkstemp(dir=Path(place).absolute().parent if is_local else None)
    try:
        with open(opened, "wb") as file:
            yield file
        if is_local:
            os.replace(fresh, place)
        else:
            _upload(fresh, place, destination.endpoint)
    finally:
        Path(fresh).unlink(missing_ok=True)


def _upload(file: str, place: str, endpoint: str | None) -> None:
    """Copies a file to an object. Credentials and region are those of the AWS tools' variables and files. Raises
    BadInput if the store does not take it."""
    from pyarrow.fs import S3FileSystem

    scheme, _, host = (endpoint or "").rpartition("://")
    try:
        store = S3FileSystem(endpoint_override=host, scheme=scheme or "https") if host else S3FileSystem()
        with open(file, "rb") as complete, store.open_output_stream(place.removeprefix(_S3)) as stored:
            shutil.copyfileobj(complete, stored, 1024 * 1024)
    except OSError as error:
        why = " ".join(str(error).split())
        raise BadInput(f"the store does not take it: {why}", place=place, code="no_store") from None


def _pyarrow(what: str) -> Any:
    try:
        import pyarrow
    except ImportError:
        raise BadInput(_EXTRA, place=what, code="no_pyarrow") from None
    return pyarrow
