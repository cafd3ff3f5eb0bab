"""`pytest --supervisor`: every case of every failure mode in force is one test.

Tests are named `taxonomy::<family>/<id>::<case>`, such as `taxonomy::files/config_deleted::caught[0]`, so `-k` selects
them. pytest loads this file wherever this library is installed, so the file imports nothing else of the library until
the option is given.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from supervisor.catalog.cases import Promise
    from supervisor.catalog.discovery import Pair
    from supervisor.policy import Taxonomy
    from supervisor.specialist import Specialist


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the options."""
    group = parser.getgroup("supervisor")
    group.addoption("--supervisor", action="store_true", help="Run every case of every failure mode in force.")
    group.addoption("--supervisor-policy", metavar="FILE", help="The policy that selects the failure modes in force.")


@pytest.hookimpl(tryfirst=True)  # before -k and -m filter the collected tests
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Adds the cases to the collected tests."""
    if config.getoption("supervisor"):
        root = TaxonomyCollector.from_parent(session, name="taxonomy", nodeid="taxonomy", policy=_policy(config))
        items.extend(session.genitems(root))


def _policy(config: pytest.Config) -> Taxonomy:
    from supervisor.errors import SupervisorError
    from supervisor.policy import Policy, read_policy

    file = config.getoption("supervisor_policy")
    try:
        return (read_policy(config.invocation_params.dir / file) if file else Policy()).taxonomy
    except SupervisorError as error:
        raise pytest.UsageError(str(error)) from None


class TaxonomyCollector(pytest.Collector):
    """All entries of the taxonomy, and all holes: entries without a specialist, and the reverse."""

    def __init__(self, policy: Taxonomy, **place: Any) -> None:
        super().__init__(**place)
        self._policy = policy

    def collect(self) -> Iterator[pytest.Collector]:
        """One collector for each entry, and one for each hole, which is an error."""
        from supervisor.catalog.discovery import find_pairs
        from supervisor.errors import BadTaxonomy

        try:
            pairs, holes = find_pairs(self._policy)
        except BadTaxonomy as error:
            raise self.CollectError(str(error)) from None
        for number, hole in enumerate(holes):
            yield HoleCollector.from_parent(self, name=f"hole[{number}]", hole=str(hole))
        for pair in pairs:
            if pair.id not in self._policy.disabled:
                name = f"{pair.family}/{pair.id}"
                yield EntryCollector.from_parent(self, name=name, pair=pair, preview=self._policy.preview)


class HoleCollector(pytest.Collector):
    """An entry without its specialist, a specialist without its entry, or a duplicate id."""

    def __init__(self, hole: str, **place: Any) -> None:
        super().__init__(**place)
        self._hole = hole

    def collect(self) -> Iterator[pytest.Item]:
        """Raises CollectError."""
        raise self.CollectError(self._hole)


class EntryCollector(pytest.Collector):
    """One entry of the taxonomy."""

    def __init__(self, pair: Pair, preview: bool, **place: Any) -> None:
        super().__init__(**place)
        self.pair = pair
        self._preview = preview

    def collect(self) -> Iterator[pytest.Item]:
        """One item for each case."""
        from supervisor.catalog.cases import promises
        from supervisor.catalog.failure_mode import read_entry
        from supervisor.errors import BadTaxonomy

        try:
            mode = read_entry(self.pair.taxonomy)
        except BadTaxonomy as error:
            raise self.CollectError(str(error)) from None
        if mode.maturity == "stable" or self._preview:
            for promise in promises(mode):
                yield CaseItem.from_parent(self, name=promise.place, promise=promise)

    @functools.cached_property
    def specialist(self) -> Specialist:
        """The entry's specialist, imported when the first of its cases runs."""
        from supervisor.catalog.catalog import load_specialist

        return load_specialist(self.pair)


class CaseItem(pytest.Item):
    """One case: the specialist's opinion is the one that the entry promises."""

    parent: EntryCollector

    def __init__(self, promise: Promise, **place: Any) -> None:
        super().__init__(**place)
        self._promise = promise

    def runtest(self) -> None:
        """Fails with a one-line message."""
        import anyio

        from supervisor.catalog.cases import broken
        from supervisor.errors import BadTaxonomy

        try:
            problem = anyio.run(broken, self._promise, self.parent.specialist)
        except BadTaxonomy as error:
            problem = str(error)
        if problem:
            pytest.fail(problem, pytrace=False)

    def reportinfo(self) -> tuple[Any, int | None, str]:
        """The entry's file, no line, and the test's id."""
        return self.parent.pair.taxonomy, None, self.nodeid
