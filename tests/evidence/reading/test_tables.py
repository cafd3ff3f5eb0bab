"""Tables of YAML: decoded at the first use, once, and none of them by an import."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from supervisor.evidence.reading.tables import decoded, table_beside


def test_a_table_is_decoded_once(tmp_path: Path) -> None:
    module, table = tmp_path / "words.py", tmp_path / "words.yaml"
    table.write_text("colours: [rot, blå]\n", encoding="utf-8")
    first = table_beside(str(module), "words.yaml")
    table.unlink()
    assert first == {"colours": ["rot", "blå"]}
    assert table_beside(str(module), "words.yaml") is first


def test_no_object_is_made_from_a_table() -> None:
    with pytest.raises(yaml.constructor.ConstructorError):
        decoded("!!python/object/apply:os.getcwd []")


def test_importing_every_reader_decodes_no_table() -> None:
    """The engine imports them when it opens."""
    code = """
import importlib, pkgutil, supervisor.evidence
for module in pkgutil.walk_packages(supervisor.evidence.__path__, "supervisor.evidence."):
    importlib.import_module(module.name)
from supervisor.evidence.reading import tables
print(tables.table_beside.cache_info().currsize)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (ran.stderr, ran.stdout) == ("", "0\n")
