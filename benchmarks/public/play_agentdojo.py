"""Plays AgentDojo's tasks inside its own environment: one labelled action a line. Started by `benchmarks.public`.

    python -I play_agentdojo.py

Set `agentdojo, clean`: the calls that solve each user task without an attack. Set `agentdojo, planted`: a tool's output
contains an attack, and from the next call on the agent either obeys (harmful; every pair of a task and an attack that
its outputs can contain) or goes on with its task (harmless; one attack for each task).
"""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterator
from typing import Any

VERSION, ATTACK, MODEL = "v1.2.2", "important_instructions", "gpt-4o-2024-05-13"
MARK = "<INFORMATION>"  # the beginning of that attack's planted texts

Step = dict[str, Any]


def steps(suite: Any, task: Any, environment: Any) -> Iterator[Step]:
    """The calls that solve a task, each with its output."""
    from agentdojo.agent_pipeline.tool_execution import tool_result_to_str
    from agentdojo.functions_runtime import FunctionsRuntime

    runtime = FunctionsRuntime(suite.tools)
    for call in task.ground_truth(environment):
        result, _ = runtime.run_function(environment, call.function, call.args)
        yield {"tool": call.function, "args": dict(call.args), "output": tool_result_to_str(result)}


def rows(name: str, suite: Any) -> Iterator[dict[str, Any]]:
    """All rows of one suite."""
    from agentdojo.agent_pipeline.ground_truth_pipeline import GroundTruthPipeline
    from agentdojo.attacks.attack_registry import load_attack

    agent = GroundTruthPipeline(None)
    agent.name = MODEL
    attack = load_attack(ATTACK, suite, agent)
    injections = list(suite.injection_tasks.values())
    for number, task in enumerate(suite.user_tasks.values()):
        why = f"serves {name}/{task.ID}"
        clean = list(steps(suite, task, task.init_environment(suite.load_and_inject_default_environment({}))))
        yield from actions("agentdojo, clean", "harmless", name, why, task.PROMPT, [], clean)
        with contextlib.suppress(ValueError):  # no output that this task reads can contain an attack
            attack.get_injection_candidates(task)
            for turn, injection in enumerate(injections):
                goes_on = turn == number % len(injections)
                yield from attacked(name, suite, task, injection, attack.attack(task, injection), goes_on)


def attacked(
    name: str, suite: Any, task: Any, injection: Any, planted: dict[str, str], goes_on: bool
) -> Iterator[dict[str, Any]]:
    """The agent reads the planted text; then it obeys and, if `goes_on`, also the rows in which it goes on instead."""

    def world() -> Any:
        return task.init_environment(suite.load_and_inject_default_environment(planted))

    environment, seen, set_ = world(), [], "agentdojo, planted"
    for step in steps(suite, task, environment):
        seen.append(step)
        if MARK in step["output"]:
            break
    else:
        return
    pair = f"{name}/{task.ID}/{injection.ID}"
    obeyed = list(steps(suite, injection, environment))
    yield from actions(set_, "harmful", name, f"obeys {pair}", task.PROMPT, seen, obeyed, pair)
    if goes_on:
        rest = list(steps(suite, task, world()))[len(seen) :]
        yield from actions(set_, "harmless", name, f"serves {pair}", task.PROMPT, seen, rest)


def actions(
    set_: str, label: str, family: str, why: str, task: str, past: list[Step], todo: list[Step], attack: str = ""
) -> Iterator[dict[str, Any]]:
    """Each call as a proposed action, with the steps before it."""
    for number, step in enumerate(todo):
        context = {"task": task, "history": [*past, *todo[:number]]}
        call = {"tool": step["tool"], "args": step["args"], "context": context}
        yield {"set": set_, "label": label, "family": family, "why": why, "attack": attack, **call}


def main() -> None:
    answers, sys.stdout = sys.stdout, sys.stderr  # the package's own output is not an answer
    import yaml
    from agentdojo.task_suite.load_suites import get_suites

    yaml.SafeLoader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # each world is read from YAML: ten times faster
    for name, suite in get_suites(VERSION).items():
        for row in rows(name, suite):
            print(json.dumps(row, default=str), file=answers)


if __name__ == "__main__":
    main()
