"""Reading a policy from a YAML file or from plain values."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from supervisor.errors import BadPolicy, SupervisorError
from supervisor.policy.business import FACT as BUSINESS
from supervisor.policy.business import Schema
from supervisor.policy.policy import Policy, expanded

if TYPE_CHECKING:
    from pydantic import TypeAdapter

    from supervisor.policy.checks import Draft, Problem

MAX_POLICY_BYTES = 1024 * 1024


def read_policy(path: str | os.PathLike[str]) -> Policy:
    """The policy in a YAML file. Raises BadPolicy, naming the file, the line, the column and the offending key.

    The file's path becomes a fact, so that specialists notice changes to it; so does its business schema. Relative
    paths of folders and SQLite files are resolved against the file's folder.
    """
    draft = draft_of(Path(path))
    if draft.policy is None or draft.problems:
        raise bad_policy(in_order(Path(path), draft.problems), functools.partial(place_of, Path(path)))
    return draft.policy


def draft_of(file: Path) -> Draft:
    """The policy in a YAML file, without what is wrong in it. Raises BadPolicy if it is not YAML."""
    from supervisor.intake.documents import read_yaml
    from supervisor.policy.checks import Draft, of_parts

    values = read_yaml(file, limit=MAX_POLICY_BYTES, error=BadPolicy)
    draft = _drafted({} if values is None else values)
    if draft.policy is None:
        return draft
    problems = [*draft.problems, *of_parts(draft.policy)]
    return Draft(_beside(file, draft.policy), problems)


def _beside(file: Path, policy: Policy) -> Policy:
    """A policy that was read from a file, with its paths resolved."""
    policy, folder = _with_business(policy), file.resolve().parent
    folders = tuple([str(folder / expanded(each)) for each in policy.taxonomy.folders])
    taxonomy = replace(policy.taxonomy, folders=folders)
    database = replace(policy.doors.database, url=_resolved_url(policy.doors.database.url, folder))
    facts = {"policy_file": str(file.resolve()), **policy.facts}
    return replace(policy, facts=facts, taxonomy=taxonomy, doors=replace(policy.doors, database=database))


def _resolved_url(url: str | None, folder: Path) -> str | None:
    """The URL of a database; a relative path of SQLite is resolved against a folder."""
    file = (url or "").removeprefix("sqlite:///")
    if not url or file == url or not file or file.startswith(("/", ":")):
        return url
    return f"sqlite:///{folder / file}"


def policy_from(values: Any, *, place: str) -> Policy:
    """The policy in plain values. Raises BadPolicy, naming `place`, the offending key and how many more there are."""
    draft = _drafted(values)
    if draft.policy is None or draft.problems:
        raise bad_policy(draft.problems, lambda _: place)
    return _with_business(draft.policy)


def _drafted(values: Any) -> Draft:
    from pydantic import ValidationError

    from supervisor.policy.checks import Draft, of_ranges, of_types, without

    wrong: list[Problem] = []
    try:
        policy = _adapter().validate_python(values)
    except ValidationError as error:
        wrong = of_types(error, values)
        try:
            policy = _adapter().validate_python(without(values, wrong))
        except ValidationError:
            return Draft(None, wrong)
    above = {each.path[:length] for each in wrong for length in range(len(each.path))}
    return Draft(policy, [*wrong, *(each for each in of_ranges(policy) if each.path not in above)])


def bad_policy(problems: Sequence[Problem], place_of: Callable[[Problem], str]) -> BadPolicy:
    """The error for a policy with problems: the first one, and how many more there are."""
    first, more = problems[0], len(problems) - 1
    rest = f" ({more} more; `supervisor policy check` shows all)" if more else ""
    return BadPolicy(f"{first}{rest}", place=place_of(first))


def place_of(file: Path, problem: Problem) -> str:
    """The file, the line and the column of a problem, as `policy.yaml:3:5`."""
    found = position_of(file, problem)
    return f"{file}:{found[0]}:{found[1]}" if found else str(file)


def in_order(file: Path, problems: Sequence[Problem]) -> list[Problem]:
    """Problems in the order of their places in the file."""
    return sorted(problems, key=lambda problem: position_of(file, problem) or (0, 0))


def position_of(file: Path, problem: Problem) -> tuple[int, int] | None:
    """The line and the column of a problem; None if the file cannot be read any more."""
    import yaml

    from supervisor.intake.documents import YamlPlaces
    from supervisor.intake.files import read_file

    try:
        return YamlPlaces(read_file(file, MAX_POLICY_BYTES)).of(problem.path, key=problem.is_key)
    except (OSError, yaml.YAMLError, SupervisorError, RecursionError):  # changed since it was read
        return None


def _with_business(policy: Policy) -> Policy:
    """The policy with its business schema as a fact, where specialists read it."""
    if policy.business == Schema():
        return policy
    return replace(policy, facts={BUSINESS: asdict(policy.business), **policy.facts})


@functools.cache
def _adapter() -> TypeAdapter[Policy]:
    from pydantic import TypeAdapter

    return TypeAdapter(Policy)


def schema() -> dict[str, Any]:
    """The JSON Schema of a policy's sections, without the facts."""
    return _adapter().json_schema()
