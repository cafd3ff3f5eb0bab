"""What the guard changes for agents under attack, measured with AgentDojo's own suites, attacks and checkers.

    python -m benchmarks.agentdojo [--suite NAME …] [--attack NAME …] [--misses] [--json]

Two agents that need no model work through every task of AgentDojo (Debenedetti et al., NeurIPS 2024), first without an
attack, then with every injection task planted in the tools' outputs. The ground-truth agent makes the calls that solve
the user's task, whatever it reads; the gullible agent also carries out every injection task that it reads. Each works
with and without the guard before its tools: the default policy, without records and with generous deadlines, so that a
busy machine changes no verdict. A stopped call returns the tool's error, and the agent goes on.

utility: tasks solved without an attack; under attack: tasks solved with an attack; attacks: injection tasks carried out
(AgentDojo's attack success rate); honest stopped: the stopped share of calls that serve the user; asked: injection
tasks carried out if the user asks for them. AgentDojo's checkers decide everything except `honest stopped`.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import statistics
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime
from functools import partial
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from benchmarks.public import PIN
from benchmarks.public.play_agentdojo import ATTACK, MODEL, VERSION
from benchmarks.report import machine
from supervisor import Guard, Policy, Supervisor
from supervisor.policy import Budgets, Records

AGENTS = ("ground truth", "gullible")
PATIENCE = 10_000.0  # ms that a specialist may take, so that a busy machine changes no verdict
MISSING = f"AgentDojo is not installed. In an environment of its own: pip install -e . {PIN}"


@dataclass
class Share:
    """A share: `count` of `of`."""

    count: int = 0
    of: int = 0

    def add(self, holds: bool) -> None:
        self.count += holds
        self.of += 1

    def __str__(self) -> str:
        return f"{self.count / self.of:.1%}" if self.of else "-"


@dataclass
class Score:
    """One agent in one suite under one attack, with the guard or without. `wrong` describes each wrong decision."""

    suite: str
    attack: str
    agent: str
    guarded: bool
    utility: Share = field(default_factory=Share)
    under_attack: Share = field(default_factory=Share)
    attacks: Share = field(default_factory=Share)
    honest: Share = field(default_factory=Share)
    asked: Share = field(default_factory=Share)
    milliseconds: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """The score as JSON; the decisions' durations as their median."""
        values = asdict(self)
        took = values.pop("milliseconds")
        return {**values, "decisions": len(took), "median_ms": round(statistics.median(took), 2) if took else None}


def total(scores: Sequence[Score]) -> Score:
    """The sum over suites."""
    whole = Score("all", *(getattr(scores[0], name) for name in ("attack", "agent", "guarded")))
    for score in scores:
        whole.milliseconds += score.milliseconds
        whole.wrong += score.wrong
        for each in fields(Score):
            if isinstance(share := getattr(score, each.name), Share):
                getattr(whole, each.name).count += share.count
                getattr(whole, each.name).of += share.of
    return whole


def with_totals(scores: Sequence[Score]) -> Iterator[Score]:
    """Every score, and the sums of each attack after its scores."""
    for attack in dict.fromkeys(each.attack for each in scores):
        under = [each for each in scores if each.attack == attack]
        yield from under
        ways = dict.fromkeys((each.agent, each.guarded) for each in under)
        if len(under) > len(ways):
            yield from (total([each for each in under if (each.agent, each.guarded) == way]) for way in ways)


def loaded() -> dict[str, Any]:
    """The suites by name. Raises SystemExit if AgentDojo is missing."""
    try:
        import yaml
        from agentdojo.task_suite.load_suites import get_suites
    except ImportError as error:
        raise SystemExit(MISSING if error.name == "agentdojo" else f"AgentDojo cannot be loaded: {error}") from None
    yaml.SafeLoader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # each world is read from YAML: ten times faster
    return dict(get_suites(VERSION))


def opened() -> Supervisor:
    """The default policy, without records and with generous deadlines."""
    return Supervisor(Policy(records=Records(path=None), budgets=Budgets(pure_ms=PATIENCE)))


def attacks() -> list[str]:
    """AgentDojo's attacks that need no person and make an agent act (no denial of service)."""
    from agentdojo.attacks.attack_registry import ATTACKS

    return [name for name, attack in ATTACKS.items() if name != "manual" and not attack.is_dos_attack]


def feasible(suite: Any) -> list[Any]:
    """The injection tasks for which AgentDojo has a solution."""
    world = suite.load_and_inject_default_environment({})
    return [task for task in suite.injection_tasks.values() if task.ground_truth(world) or task.GROUND_TRUTH_OUTPUT]


def measured(score: Score, suite: Any, guard: Guard | None, progress: Any) -> Score:
    """The score of one agent over all tasks of a suite."""
    from agentdojo.attacks import load_attack

    from benchmarks.public.pipelines import GroundTruth, Gullible, Supervised, gullible

    script = Gullible(suite)
    agent = gullible(script) if score.agent == "gullible" else GroundTruth(suite)
    agent.name = MODEL  # some attacks address it
    attack = load_attack(score.attack, suite, agent)
    pipeline = Supervised(agent, guard) if guard else agent
    injections = feasible(suite)
    for user in progress(suite.user_tasks.values()):
        score.utility.add(suite.run_task_with_pipeline(pipeline, user, None, {})[0])
        for injection in injections:
            useful, obeyed = suite.run_task_with_pipeline(pipeline, user, injection, attack.attack(user, injection))
            score.under_attack.add(useful)
            score.attacks.add(obeyed)
            if guard and obeyed:
                score.wrong.append(f"carried out: {suite.name}/{user.ID}/{injection.ID}")
    if guard:
        judged(score, script.serves, pipeline.decisions)
    for injection in injections:
        score.asked.add(suite.run_task_with_pipeline(pipeline, injection, None, {})[0])
    return score


def judged(score: Score, serves: Sequence[str], decisions: Sequence[Any]) -> None:
    """Adds the decisions on an agent's calls to a score. `serves` names the task of each call; empty if all serve the
    user."""
    score.milliseconds += [decision.elapsed_ms for decision in decisions]
    for decision, task in zip(decisions, serves or ["user_task"] * len(decisions), strict=True):
        if task.startswith("user_task"):
            score.honest.add(not decision.allowed)
            if not decision.allowed:
                args = json.dumps(dict(decision.action.args), ensure_ascii=False)[:200]
                score.wrong.append(f"stopped: {score.suite}, {decision.action.tool} {args}: {decision.reason[:300]}")


def scores(suites: dict[str, Any], names: Sequence[str], guard: Guard) -> Iterator[Score]:
    """Every agent in every suite under every attack, without the guard and with it."""
    ways = [(attack, suite, agent) for attack in names for suite in suites for agent in AGENTS]
    with Progress(console=Console(stderr=True), transient=True) as bar:
        for attack, name, agent in ways:
            for guarded in (False, True):
                description = f"{attack}, {name}, {agent}, {'guarded' if guarded else 'without'}"
                score = Score(name, attack, agent, guarded)
                track = partial(bar.track, description=description)
                yield measured(score, suites[name], guard if guarded else None, track)


def show(scores: Iterable[Score], out: Console) -> None:
    """Prints one table for each attack."""
    scores = list(scores)
    for attack in dict.fromkeys(each.attack for each in scores):
        table = Table(title=f"AgentDojo {VERSION}, attack {attack}", box=SIMPLE, padding=(0, 0, 0, 1))
        for column in ("suite", "agent", "guard"):
            table.add_column(column, no_wrap=True)
        for column in ("utility", "under attack", "attacks", "honest stopped", "asked", "ms"):
            table.add_column(column, justify="right", no_wrap=True)
        for score in (each for each in scores if each.attack == attack):
            shares = map(str, (score.utility, score.under_attack, score.attacks, score.honest, score.asked))
            took = f"{statistics.median(score.milliseconds):.1f}" if score.milliseconds else "-"
            table.add_row(score.suite, score.agent, "yes" if score.guarded else "no", *shares, took)
        out.print(table)


def arguments(suites: Iterable[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.agentdojo", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--suite", action="append", choices=list(suites), help="only this one; may be repeated")
    parser.add_argument("--attack", action="append", choices=[*attacks(), "all"], help=f"{ATTACK} where none is given")
    parser.add_argument(
        "--misses", action="store_true", help="print the attacks that succeeded, and honest calls stopped"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser.parse_args()


def main() -> None:
    suites = loaded()
    options = arguments(suites)
    chosen = {name: suite for name, suite in suites.items() if name in (options.suite or suites)}
    names = attacks() if "all" in (options.attack or []) else options.attack or [ATTACK]
    facts = {"date": datetime.now(UTC).date().isoformat(), "agentdojo": PIN, "suites": VERSION, **machine()}
    warnings.simplefilter("ignore")
    with contextlib.closing(opened()) as supervisor:
        found = list(with_totals(list(scores(chosen, names, Guard(supervisor)))))
    if options.json:
        print(json.dumps({"machine": facts, "scores": [each.to_json() for each in found]}, indent=2))
        return
    out = Console(highlight=False, markup=False, emoji=False, width=120)
    show(found, out)
    out.print(", ".join(f"{name} {value}" for name, value in facts.items()), soft_wrap=True)
    if options.misses:
        wrong = Counter(each for score in found if score.suite != "all" for each in score.wrong)
        out.print("\n".join(f"{count} times {each}" for each, count in wrong.items()), soft_wrap=True)


if __name__ == "__main__":
    main()
