"""What the attempts that run here may spend: the ledger, the caps, and the gateway before the providers."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from supervisor.policy.spending import SpendingPolicy
from supervisor.runtime.drivers.agents.codex_login import login_key
from supervisor.runtime.drivers.agents.quota import limited
from supervisor.runtime.gateway.providers import Route
from supervisor.runtime.gateway.server import Gateway
from supervisor.runtime.store.database import Store
from supervisor.runtime.store.ledger import Counter, cap_reached, note, price_unpriced
from supervisor.runtime.tasks.caps import Reached
from supervisor.runtime.tasks.outcome import Ending, Outcome
from supervisor.runtime.tasks.spec import Spec
from supervisor.runtime.tasks.usage import Meter, Spent, Usage

_ENDINGS = (Ending.FAILED, Ending.LIMITED)  # of an attempt that a refused request has ended


@dataclass(frozen=True, slots=True)
class Purse:
    """Opens a wallet for each attempt. `again` repeats a step until the database answers."""

    store: Store
    policy: SpendingPolicy
    again: Callable[[Callable[[], object]], object]
    gateway: Gateway = field(default_factory=Gateway)

    def price(self) -> None:
        """Gives a cost to what was spent before the policy had its price."""
        price_unpriced(self.store, self.policy.prices)

    @contextlib.contextmanager
    def opened(self, task: str, number: int, spec: Spec) -> Iterator[Wallet]:
        """The wallet of an attempt, as long as it runs. Raises NoGateway."""
        wallet = Wallet(self, task, number, spec)
        environment = {**os.environ, **spec.environment}
        if spec.driver == "codex":
            environment = {**environment, **login_key(environment)}
        if not self.policy.gateway:
            yield wallet
            return
        with self.gateway.routes(wallet, environment) as wallet.routes:
            yield wallet


class Wallet:
    """What one attempt spends. `routes` are its ways to the providers. All of it may be called from any thread."""

    def __init__(self, purse: Purse, task: str, number: int, spec: Spec) -> None:
        self._purse, self._task, self._number, self._spec = purse, task, number, spec
        self._lock = threading.Lock()
        self._meters: dict[str, Meter] = {}
        self._reached: Reached | None = None
        self._until: float | None = None
        self.routes: Mapping[str, Route] = {}

    def objection(self) -> Outcome | None:
        """The outcome of an agent that may spend nothing more; None if it may. A command may spend nothing at all."""
        if self._spec.driver == "shell":
            return None
        return self._look(())

    def spend(self, provider: str, usage: Usage) -> Outcome | None:
        """Takes in what the agent says that the attempt has spent. Returns its outcome if it may spend no more."""
        with self._lock:
            self._note("agent", provider, usage)
        return self._look((provider,))

    def refusal(self, provider: str) -> str:
        """Why a provider may not be asked any more."""
        self._look((provider,))
        return self._reached.reason if self._reached else ""

    def paid(self, provider: str, request: str, model: str, spent: Spent) -> None:
        """Takes in what a request has come to so far."""
        with self._lock:
            meter = self._meters.setdefault(provider, Meter())
            meter.note(request, model, spent)
            self._until = None
            self._note("gateway", provider, meter.usage())

    def limited(self, provider: str, seconds: float | None) -> None:
        """The provider itself gives no more for so long."""
        self._until = 0.0 if seconds is None else time.time() + seconds

    def instead_of(self, outcome: Outcome) -> Outcome:
        """The outcome of an attempt that could not go on because it may spend no more, instead of what it says."""
        if outcome.ending not in _ENDINGS:
            return outcome
        if self._reached is not None:
            return replace(self._reached.outcome(time.time()), spent=outcome.spent)
        if self._until is not None and self._spec.driver != "shell":
            return replace(limited(outcome.reason, self._until, time.time()), spent=outcome.spent)
        return outcome

    def _note(self, source: str, provider: str, usage: Usage) -> None:
        counter, purse = Counter(self._task, self._number, source, provider), self._purse
        purse.again(lambda: note(purse.store, counter, usage, purse.policy.prices, time.time()))

    def _look(self, providers: tuple[str, ...]) -> Outcome | None:
        purse = self._purse

        def look() -> None:
            self._reached = cap_reached(purse.store, self._task, purse.policy, time.time(), providers)

        purse.again(look)
        return self._reached.outcome(time.time()) if self._reached else None
