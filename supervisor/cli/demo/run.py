"""The demo from beginning to end: the sandbox, the morning in it, and the proof afterwards."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from supervisor.adapters.function.guard import Guard
from supervisor.adapters.function.refusals import Refused
from supervisor.cli.demo.listening import Listening, Seen
from supervisor.cli.demo.morning import coding, research, support
from supervisor.cli.demo.promises import Promise, promises
from supervisor.cli.demo.proof import Proof, prove
from supervisor.cli.demo.world import World, open_world, policy_for
from supervisor.errors import BadInput
from supervisor.policy import Authority, Policy


class Audience:
    """Receives the events of the morning. This one prints nothing."""

    def opening(self) -> None:
        """The catalogue is being read. In a changed checkout, its cases run first, which takes seconds."""

    def opened(self, failure_modes: int, root: Path) -> None:
        """The sandbox in `root` is ready."""

    def seen(self, one: Seen) -> None:
        """An action was decided; the decision has not taken effect yet."""

    def worked(self, seen: Sequence[Seen], seconds: float) -> None:
        """The agents have finished; the proof follows."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The results of the morning."""

    seen: list[Seen]
    proof: Proof
    promises: list[Promise]
    seconds: float

    @property
    def kept(self) -> bool:
        """Whether every promise was kept."""
        return all(promise.kept for promise in self.promises)


def run(audience: Audience, keep: Path | None = None, authority: Authority | None = None) -> Ended:
    """Runs the morning before an audience.

    Everything is in a temporary folder, which is removed afterwards. Only the records go to `keep`, if it is given.
    With less `authority` than usual, promises are not kept. Raises BadInput if `keep` is not new or empty.
    """
    if keep is not None and keep.exists() and (not keep.is_dir() or any(keep.iterdir())):
        raise BadInput("is not an empty folder; name a new one", place=str(keep), code="not_empty")
    started, seen = time.perf_counter(), list[Seen]()
    audience.opening()
    with tempfile.TemporaryDirectory(prefix="supervisor-demo-") as folder, open_world(Path(folder).resolve()) as world:
        records = keep or world.root / "records"
        with _supervisor(policy_for(world.root, records, authority or Authority()), audience, seen) as supervisor:
            audience.opened(len(supervisor.catalog.entries), world.root)
            _work(Guard(supervisor), world)
        audience.worked(seen, time.perf_counter() - started)
        proof = prove(records, [one.decision for one in seen], world.root / "copy", world.root / "signing-key.pem")
        return Ended(seen, proof, promises(seen, world, proof), time.perf_counter() - started)


@contextmanager
def _supervisor(policy: Policy, audience: Audience, seen: list[Seen]) -> Iterator[Listening]:
    def listener(one: Seen) -> None:
        seen.append(one)
        audience.seen(one)

    with closing(Listening(policy, listener)) as supervisor:
        _warm_up(supervisor)
        yield supervisor


def _warm_up(supervisor: Listening) -> None:
    """Imports modules before the first decision, as a service does at its start."""
    import httpx  # noqa: F401 - else the doors import it at the first question

    supervisor.start()


def _work(guard: Guard, world: World) -> None:
    """Runs one agent after the other. An agent whose honest action is stopped ends; a promise is not kept then."""
    with suppress(Refused):
        support(guard, world.shop)
    with suppress(Refused):
        coding(guard, world.workspace)
    with suppress(Refused):
        research(guard, world.pages)
