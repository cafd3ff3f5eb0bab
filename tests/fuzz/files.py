"""Files that strangers wrote: values as JSON and YAML, and real files with a few of their bytes changed."""

from __future__ import annotations

import json
from typing import Any

import yaml
from hypothesis import strategies as st

from tests.fuzz.texts import any_text

_DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
Raws = st.SearchStrategy[bytes]

# What a parser of JSON, YAML or lines treats specially.
_MARKS = (
    *(b"&a", b"*a", b"<<:", b"!!python/object/apply:os.system [x]", b"!!binary", b"!!float nan", b"? ", b"- ", b": "),
    *(b"{", b"[", b"[" * 300, b"]" * 300, b"|\n", b">-\n", b"---\n", b"...\n", b"%YAML 9.9\n", b"# ", b"'", b'"'),
    *(b"\t", b"\r", b"\n", b"\0", b"\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80", b'"\\ud800"', b"\xe2\x80\xa8"),
    *(b"0o7", b"1:30", b"1e999", b"-0", b"NaN", b"9" * 5000, b"2026-01-15", b".inf", b"~", b"yes", b"=", b"\\"),
)


@st.composite
def edited(draw: st.DrawFn, raws: Raws) -> bytes:
    """One of `raws` with a few slices dropped, doubled or replaced by what a parser treats specially."""
    raw = draw(raws)
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(raw)))
        end = min(len(raw), start + draw(st.sampled_from([0, 1, 1, 7, 60])))
        fresh = draw(st.sampled_from([b"", raw[start:end] * 2, *_MARKS]) | st.binary(max_size=8))
        raw = raw[:start] + fresh + raw[end:]
    return raw


def documents(values: st.SearchStrategy[Any], raws: Raws) -> Raws:
    """Files: values written as JSON (which is YAML) or as YAML, real ones with edited bytes, texts, bytes."""
    written = values.map(lambda value: json.dumps(value).encode())
    as_yaml = values.map(lambda value: yaml.dump(value, Dumper=_DUMPER, allow_unicode=True).encode("utf-8", "replace"))
    return st.one_of(
        written, written, as_yaml, edited(written | raws), any_text.map(str.encode), st.binary(max_size=60)
    )
